//! Pictures of all shipped models: whole, harmless, and the same bytes every time.

use biela::display_units::DisplayUnits;
use biela::math::Vec3;
use biela::model::{Analysis, Model};
use biela::picture::export::{Choice, Pace, PICTURES};
use biela::picture::scene::{Form, Part, PointMark};
use biela::picture::{page, scene, Animation, Arrow, Film, Look, Named, Scene, View};
use biela::results::Results;
use biela::solve::kinematics;
use biela::solve::loose_coordinates::loose;
use biela::solve::manual_pose::{assembled, or_at_rest};
use biela::solve::outcome::Outcome;
use biela::source::Source;
use biela::text::{Document, Options};
use serde_json::Value;
use std::path::Path;

fn solved(mut model: Model) -> (Model, Results) {
    model.study.analysis = Analysis::Kinematics;
    model.study.steps = 8;
    let results = kinematics::run(&model, "absolute", |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name));
    (model, results)
}

/// Every shipped model with a short motion.
fn models() -> Vec<(Model, Results)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let options = Options { unphysical: true, ..Options::default() };
    let read = |f: &std::path::PathBuf| Document::read(f, &options).and_then(|d| d.model(&options));
    let kinematic = |m: &Model| m.study.analysis != Analysis::Dynamics && m.study.analysis != Analysis::Modes;
    files.iter().map(|f| read(f).unwrap_or_else(|e| panic!("{e}"))).filter(kinematic).map(solved).collect()
}

fn bytes(extension: &str, model: &Model, results: &Results) -> Vec<u8> {
    let motion = Animation::new(model, results).expect("a motion");
    let scene = scene(model, &motion).expect("a scene");
    let format = PICTURES.iter().find(|f| f.extension == extension).expect("a format");
    (format.make)(&scene, &motion, &Choice::new(0, 64, &Look::default())).expect("bytes")
}

#[test]
fn every_model_has_a_picture_with_something_in_every_body() {
    let models = models();
    assert!(models.len() >= 25, "only {} models", models.len());
    for (model, results) in &models {
        let motion = Animation::new(model, results).expect("a motion");
        let scene = scene(model, &motion).expect("a scene");
        for figure in &scene.figures[1..] {
            assert!(!figure.parts.is_empty(), "{}: nothing is drawn for '{}'", model.name, figure.name);
        }
        assert!(scene.thickness > 0.0 && !scene.outermost.is_empty(), "{}", model.name);
        for extension in ["svg", "png"] {
            let found = bytes(extension, model, results);
            assert!(found.len() > 300, "{}: {extension} of {} bytes", model.name, found.len());
        }
    }
}

/// The rules of glTF 2.0 that a writer can break: lengths, alignment, limits, indices, unit rotations, growing times.
#[test]
fn gltf_files_keep_the_rules() {
    for (model, results) in &models() {
        let file = bytes("glb", model, results);
        let word = |k: usize| u32::from_le_bytes(file[k..k + 4].try_into().expect("four bytes")) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        let length = word(12);
        assert!(&file[16..20] == b"JSON" && length % 4 == 0);
        let text: Value = serde_json::from_slice(&file[20..20 + length]).expect("JSON");
        let start = 20 + length;
        assert!(&file[start + 4..start + 8] == b"BIN\0" && start + 8 + word(start) == file.len());
        let binary = &file[start + 8..];
        assert_eq!(text["buffers"][0]["byteLength"].as_u64(), Some(binary.len() as u64));
        let list = |key: &str| text[key].as_array().cloned().unwrap_or_default();
        let (views, accessors, nodes) = (list("bufferViews"), list("accessors"), list("nodes"));
        let number = |v: &Value| v.as_u64().expect("a number") as usize;
        let rows = |accessor: &Value| -> Vec<Vec<f32>> {
            let width = match accessor["type"].as_str() {
                Some("VEC3") => 3,
                Some("VEC4") => 4,
                _ => 1,
            };
            let view = &views[number(&accessor["bufferView"])];
            let (from, count) = (number(&view["byteOffset"]), number(&accessor["count"]));
            assert!(from % 4 == 0 && number(&view["byteLength"]) == 4 * width * count);
            let data =
                binary[from..from + 4 * width * count].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
            data.collect::<Vec<f32>>().chunks(width).map(<[f32]>::to_vec).collect()
        };
        for mesh in list("meshes") {
            for primitive in mesh["primitives"].as_array().expect("primitives") {
                let positions = &accessors[number(&primitive["attributes"]["POSITION"])];
                let (least, points) = (positions["min"].as_array().expect("limits"), rows(positions));
                assert!(points.iter().all(|p| (0..3).all(|k| f64::from(p[k]) >= least[k].as_f64().unwrap() - 1e-6)));
                let normals = rows(&accessors[number(&primitive["attributes"]["NORMAL"])]);
                assert!(normals.iter().all(|n| (n.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4));
                let corners = rows(&accessors[number(&primitive["indices"])]);
                assert!(corners.len() % 3 == 0 && corners.iter().all(|k| (k[0].to_bits() as usize) < points.len()));
            }
        }
        assert!(nodes.len() > model.bodies.len(), "{}", model.name);
        let animation = &text["animations"][0];
        let samplers = animation["samplers"].as_array().expect("a motion");
        for channel in animation["channels"].as_array().expect("channels") {
            let sampler = &samplers[number(&channel["sampler"])];
            let (times, values) =
                (rows(&accessors[number(&sampler["input"])]), rows(&accessors[number(&sampler["output"])]));
            assert_eq!(times.len(), values.len());
            assert!(times.windows(2).all(|pair| pair[0][0] < pair[1][0]) && times[0][0] >= 0.0);
            if channel["target"]["path"] == "rotation" {
                assert!(values.iter().all(|q| (q.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5));
            }
            // The last row is the body's pose at the end.
            let node = &nodes[number(&channel["target"]["node"])];
            let body = model.bodies.iter().find(|b| node["name"] == b.name.as_str());
            if let (Some(body), "translation") = (body, channel["target"]["path"].as_str().unwrap_or("")) {
                let due =
                    |leaf: &str| results.get(&format!("{}.{leaf}", body.name)).and_then(|c| c.data.last().copied());
                // A planar model stays at z = 0 without saying so.
                let due = |leaf: &str| due(leaf).or((leaf == "z" && model.space.is_planar()).then_some(0.0));
                let found = values.last().expect("a row");
                // A planar model has no z.
                let axes = if model.space.is_planar() { 2 } else { 3 };
                for (k, leaf) in ["x", "y", "z"].iter().enumerate().take(axes) {
                    assert!((f64::from(found[k]) - due(leaf).unwrap()).abs() < 1e-5, "{} {leaf}", body.name);
                }
            }
        }
    }
}

fn read(text: &str) -> Model {
    Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.model(&Options::default())).expect("a model")
}

/// Whether a point lies within a polygon: a line to the right crosses its rim an odd number of times.
fn is_inside(p: [f64; 2], rim: &[[f64; 2]]) -> bool {
    let next = |k: usize| rim[(k + 1) % rim.len()];
    let crosses = |(k, a): (usize, &[f64; 2])| {
        let b = next(k);
        (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]
    };
    rim.iter().enumerate().filter(|c| crosses(*c)).count() % 2 == 1
}

/// Toothed rims (more than forty corners) of a body's parts in x and y of the ground at a sample; inner rims of rings are told as such.
fn rims(model: &Model, motion: &Animation, body: &str, sample: usize) -> Vec<(Vec<[f64; 2]>, bool)> {
    let k = model.bodies.iter().position(|b| b.name == body).expect("a body");
    let (drawn, pose) = (scene(model, motion).expect("a scene"), motion.pose(k, sample));
    let carry = |part: &Part, rim: &[[f64; 2]]| {
        let place = |p: &[f64; 2]| (pose * part.X_BS).apply(Vec3::new(p[0], p[1], 0.0));
        rim.iter().map(place).map(|p| [p.x, p.y]).collect::<Vec<_>>()
    };
    let rim = |part: &Part| match &part.form {
        Form::Plate(rim, _) if rim.len() > 40 => Some((carry(part, rim), false)),
        Form::Band(band) if band.closed && band.inner.len() > 40 => Some((carry(part, &band.inner), true)),
        _ => None,
    };
    drawn.figures[k].parts.iter().filter_map(rim).collect()
}

/// Teeth that are in mesh never cut each other, however the mechanism stands: no corner of one lies within the other.
fn in_mesh(model: &Model, results: &Results, first: &str, second: &str) {
    let motion = Animation::new(model, results).expect("a motion");
    for sample in 0..motion.len() {
        let [a, b] = [first, second].map(|body| rims(model, &motion, body, sample));
        assert!(!a.is_empty() && !b.is_empty(), "{first} and {second} of {} have teeth", model.name);
        for (p, _) in a.iter().filter(|r| !r.1) {
            for (q, ring) in &b {
                let within = |c: &&[f64; 2]| is_inside(**c, q) != *ring;
                let bad = p.iter().filter(within).count();
                let back = if *ring { 0 } else { q.iter().filter(|c| is_inside(**c, p)).count() };
                assert_eq!((bad, back), (0, 0), "{first} and {second} of {} at sample {sample}", model.name);
            }
        }
    }
}

#[test]
fn gears_rings_and_racks_are_in_mesh_all_along() {
    let models = models();
    let of = |name: &str| models.iter().find(|m| m.0.name == name).expect("a shipped model");
    let (model, results) = of("gear-train");
    in_mesh(model, results, "input", "layshaft");
    let (model, results) = of("planetary-gear");
    in_mesh(model, results, "planet", "sun");
    in_mesh(model, results, "planet", "ground");
    let motion = Animation::new(model, results).expect("a motion");
    // As many teeth as the model is written with: four corners each.
    for (body, teeth) in [("sun", 24), ("planet", 18), ("ground", 60)] {
        assert_eq!(rims(model, &motion, body, 0)[0].0.len(), 4 * teeth, "{body}");
    }
    let (model, results) = of("rack-and-pinion");
    in_mesh(model, results, "pinion", "rack");
}

#[test]
fn shapes_have_their_own_colours_and_places() {
    let text = "planar = true\n[bodies.ground]\nshape = { type = \"plane\", normal = [0, 1], at = [0, -1] }\n\
                [bodies.b]\ncolour = \"#102030\"\npoints = { P = [1, 0] }\nshape = [\n\
                { type = \"circle\", radius = 0.5, at = [1, 0], colour = \"red\" },\n\
                { type = \"arc\", radius = 2, from = 0, to = \"90 deg\" },\n\
                { type = \"capsule\", radius = 0.1, length = 1, at = [0.5, 0] },\n\
                { type = \"polygon\", points = [[0, 0], [0, 1], [1, 0]], colour = \"gold\" },\n\
                { type = \"spline\", closed = true, points = [[1, 0], [0, 1], [-1, 0], [0, -1]] }]\n\
                [joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"b\"]\nat = [[0, 0], [0, 0]]\n\
                [drivers.m]\njoint = \"O\"\nvalue = \"t\"\n[run]\nend = 1\n";
    let (model, results) = solved(read(text));
    let motion = Animation::new(&model, &results).expect("a motion");
    let drawn = scene(&model, &motion).expect("a scene");
    let parts = &drawn.figures[1].parts;
    let colour = |k: usize| drawn.colour(1, parts[parts.len() - 5 + k].tint);
    assert_eq!([colour(0), colour(1), colour(3)], [[255, 0, 0], [16, 32, 48], [255, 215, 0]]);
    let form = |k: usize| &parts[parts.len() - 5 + k].form;
    let Form::Plate(circle, _) = form(0) else { panic!("{:?}", form(0)) };
    assert!(circle.iter().all(|p| (p[0].hypot(p[1]) - 0.5).abs() < 1e-12));
    // A band about the quarter of a circle.
    let Form::Band(arc) = form(1) else { panic!("{:?}", form(1)) };
    for (inner, outer) in arc.inner.iter().zip(&arc.outer) {
        let [a, b] = [inner, outer].map(|p| p[0].hypot(p[1]));
        assert!(a < 2.0 && b > 2.0 && inner.iter().chain(outer).all(|x| *x > -0.1));
    }
    // Along x, whose direction the body's frame has.
    let capsule = &parts[parts.len() - 3];
    assert!(matches!(capsule.form, Form::Capsule(..)) && (capsule.X_BS.rotation.axes[2] - Vec3::X).norm() < 1e-12);
    // Corners were given clockwise and are anticlockwise.
    let area = |rim: &[[f64; 2]]| biela::model::polygon_area(rim);
    let (Form::Plate(corners, _), Form::Plate(round, _)) = (form(3), form(4)) else { panic!("plates") };
    assert!((area(corners) - 0.5).abs() < 1e-12);
    // A spline through four points of the unit circle is nearly the circle.
    assert!(
        (area(round) - std::f64::consts::PI).abs() < 0.1 && round.iter().all(|p| (p[0].hypot(p[1]) - 1.0).abs() < 0.05)
    );
    for extension in ["svg", "png", "glb", "html"] {
        assert!(bytes(extension, &model, &results).len() > 300, "{extension}");
    }
}

/// Mobility and coordinates by hand: an open chain has all of its own, a four-bar one, a five-bar two.
#[test]
fn freedoms_without_drivers_have_sliders() {
    let chain = |links: &[(&str, &str)]| {
        let mut text = String::from("planar = true\n[bodies.a]\npose = { at = [0, 0], angle = \"60 deg\" }\n[bodies.b]\npose = { at = [0.5, 0.87] }\n[bodies.c]\npose = { at = [1.5, 0.87], angle = \"-60 deg\" }\n[bodies.d]\npose = { at = [3, 0], angle = \"120 deg\" }\n");
        for (name, rest) in links {
            text += &format!("[joints.{name}]\ntype = \"revolute\"\n{rest}\n");
        }
        text + "[joints.F]\ntype = \"fixed\"\nbodies = [\"ground\", \"d\"]\nat = [[3, 0], [0, 0]]\n"
    };
    let a = ("A", "bodies = [\"ground\", \"a\"]\nat = [[0, 0], [0, 0]]");
    let b = ("B", "bodies = [\"a\", \"b\"]\nat = [[1, 0], [0, 0]]");
    let c = ("C", "bodies = [\"b\", \"c\"]\nat = [[1, 0], [0, 0]]");
    let d = ("D", "bodies = [\"c\", \"ground\"]\nat = [[1, 0], [2, 0]]");
    for (text, due) in
        [(chain(&[a, b, c]), vec!["A.angle", "B.angle", "C.angle"]), (chain(&[a, b, c, d]), vec!["A.angle"])]
    {
        let model = read(&text);
        let (model, outcome, error) = or_at_rest(model, |m| {
            let found = kinematics::run(&m, "absolute", |_, _| true)?;
            Ok((m, Outcome { results: found, ended: None }))
        })
        .expect("a position");
        assert!(error.is_some(), "no driver");
        let motion = Animation::new(&model, &outcome.results).expect("a motion");
        let drawn = scene(&model, &motion).expect("a scene");
        let loose = drawn.loose.as_ref().expect("freedoms");
        let names: Vec<&str> = loose.coordinates.iter().filter(|c| c.independent).map(|c| c.name.as_str()).collect();
        assert_eq!((names, loose.unnamed), (due, 0));
        // Every equation holds at the position that it comes with.
        for equation in loose.equations.as_ref().expect("linear") {
            let sum: f64 = equation.terms.iter().map(|(c, _, value)| c * value).sum();
            assert!((sum - equation.target).abs() < 1e-11, "{equation:?}");
        }
    }
}

/// Those that machines are moved by come first: a platform's cylinders, a crank on the ground.
#[test]
fn sliders_are_what_machines_are_moved_by() {
    let models = models();
    for (name, due) in [
        ("stewart-platform", &["leg1.slide", "leg2.slide", "leg3.slide", "leg4.slide", "leg5.slide", "leg6.slide"][..]),
        ("slider-crank", &["O.angle"]),
        ("quick-return", &["O.angle"]),
    ] {
        let released = models.iter().find(|m| m.0.name == name).expect("a shipped model").0.released();
        let poses = assembled(&released, 0.0).expect("a position").poses;
        let loose = loose(&released, &poses, 0.0).expect("counts").expect("freedoms");
        let names: Vec<&str> = loose.coordinates.iter().filter(|c| c.independent).map(|c| c.name.as_str()).collect();
        assert_eq!(names, due, "{name}");
    }
}

#[test]
fn the_same_motion_gives_the_same_bytes() {
    let (model, results) = &models()[0];
    for format in PICTURES {
        assert_eq!(
            bytes(format.extension, model, results),
            bytes(format.extension, model, results),
            "{}",
            format.extension
        );
    }
    let gif = bytes("gif", model, results);
    assert!(gif.starts_with(b"GIF89a") && gif.last() == Some(&0x3B));
}

#[test]
fn names_cannot_leave_the_data_of_a_page() {
    let evil = "</script><script>alert(1)</script><!--";
    let text = format!(
        "name = '{evil}'\nabout = '{{{{script}}}}'\nbodies.'{evil}' = {{}}\n\
         joints.O = {{ type = \"revolute\", bodies = [\"ground\", '{evil}'], at = [0, 0, 0], axis = \"z\" }}\n\
         drivers.motor = {{ joint = \"O\", value = \"t\" }}\n"
    );
    let model = Document::from_toml(&Source::new("evil.toml", text)).and_then(|d| d.model(&Options::default()));
    let (model, results) = solved(model.expect("a model"));
    let motion = Animation::new(&model, &results).expect("a motion");
    let html = page::html(&scene(&model, &motion).expect("a scene"), &motion);
    assert_eq!(html.matches("<script").count(), 2, "one for data, one for the program");
    assert_eq!(html.matches("</script").count(), 2);
    assert!(!html.contains("alert(1)</script>") && html.contains("\\u003c/script\\u003e"));
    // What a name asks to be put in is not put in.
    assert_eq!(html.matches("'use strict'").count(), 1);
    let hash = page::base64(&page::sha256(page::script().as_bytes()));
    assert!(html.contains(&format!("script-src 'sha256-{hash}'")) && html.contains("default-src 'none'"));
}

/// A shipped model with a short motion, by its name.
fn model(name: &str) -> (Model, Results) {
    models().into_iter().find(|(m, _)| m.name == name).unwrap_or_else(|| panic!("no model '{name}'"))
}

fn looked(extension: &str, (model, results): &(Model, Results), look: &dyn Fn(&Scene) -> Look) -> Vec<u8> {
    let motion = Animation::new(model, results).expect("a motion");
    let scene = scene(model, &motion).expect("a scene");
    let format = PICTURES.iter().find(|f| f.extension == extension).expect("a format");
    let look = look(&scene);
    (format.make)(&scene, &motion, &Choice::new(3, 320, &look)).expect("bytes")
}

/// An animated PNG, read by the library of the format: each frame drawn over those before it.
fn frames_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a header");
    let (width, height) = reader.info().size();
    let count = reader.info().animation_control.map_or(1, |a| a.num_frames);
    let mut page = vec![0; (width * height * 3) as usize];
    let mut frames = Vec::new();
    for _ in 0..count {
        let mut part = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut part).expect("a frame");
        let whole = png::FrameControl { width, height, ..Default::default() };
        let control = reader.info().frame_control.unwrap_or(whole);
        for y in 0..control.height as usize {
            let (from, to) = (3 * control.width as usize * y, 3 * control.width as usize * (y + 1));
            let at = 3 * ((control.y_offset as usize + y) * width as usize + control.x_offset as usize);
            page[at..at + to - from].copy_from_slice(&part[from..to]);
        }
        frames.push(page.clone());
    }
    frames
}

#[test]
fn an_animated_png_shows_at_each_sample_what_a_still_shows() {
    let of = model("slider-crank");
    let motion = Animation::new(&of.0, &of.1).expect("a motion");
    let scene = scene(&of.0, &motion).expect("a scene");
    let look =
        Look { traces: vec![0, 1], arrows: vec![Arrow::Velocity], names: vec![Named::Joints], ..Look::default() };
    let make = |extension: &str, sample: usize| {
        let format = PICTURES.iter().find(|f| f.extension == extension).expect("a format");
        (format.make)(&scene, &motion, &Choice::new(sample, 160, &look)).expect("bytes")
    };
    let frames = frames_of(&make("apng", 0));
    assert_eq!(frames.len(), motion.len());
    for (sample, frame) in frames.iter().enumerate() {
        assert!(*frame == frames_of(&make("png", sample))[0], "frame {sample} is another picture");
    }
    assert!(frames[0] != frames[4]);
}

#[test]
fn films_have_as_many_frames_as_their_length_asks_for() {
    let of = model("slider-crank");
    let motion = Animation::new(&of.0, &of.1).expect("a motion");
    let scene = scene(&of.0, &motion).expect("a scene");
    let look = Look::default();
    for (fps, seconds, due) in [(25.0, None, 9), (50.0, None, 18), (10.0, Some(2.0), 20), (25.0, Some(0.01), 2)] {
        let choice = Choice { pace: Pace { fps, seconds }, ..Choice::new(0, 32, &look) };
        let film = Film::new(&scene, &motion, &choice).expect("a film");
        let mut sizes = Vec::new();
        film.each(|frame| {
            sizes.push(frame.len());
            Ok(())
        })
        .expect("frames");
        let (width, height) = film.size();
        assert_eq!((film.frames(), sizes), (due, vec![3 * width * height; due]));
    }
    let choice = Choice { pace: Pace { fps: 240.0, seconds: Some(3600.0) }, ..Choice::new(0, 32, &look) };
    let error = Film::new(&scene, &motion, &choice).err().expect("too many frames").to_string();
    assert!(error.contains("at most 20000") && error.contains("--length"), "{error}");
    let choice = Choice { pace: Pace { fps: 60.0, seconds: None }, ..Choice::new(0, 32, &look) };
    let gif = PICTURES.iter().find(|f| f.extension == "gif").expect("a format");
    let error = (gif.make)(&scene, &motion, &choice).expect_err("too fast for a GIF").to_string();
    assert!(error.contains("at most 50 frames a second") && error.contains(".apng"), "{error}");
}

/// Type, layer, and numbers by their group codes.
type Entity = (String, String, Vec<(u16, f64)>);

/// The entities of a DXF file.
fn entities(text: &str) -> Vec<Entity> {
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() % 2 == 0 && lines[lines.len() - 1] == "EOF");
    let pairs: Vec<(u16, &str)> = lines.chunks(2).map(|p| (p[0].trim().parse().expect("a code"), p[1])).collect();
    let sections: Vec<&str> = pairs.windows(2).filter(|w| w[0] == (0, "SECTION")).map(|w| w[1].1).collect();
    assert_eq!(sections, ["HEADER", "TABLES", "ENTITIES"]);
    let start = pairs.iter().position(|p| *p == (2, "ENTITIES")).expect("a section") + 1;
    let layers: Vec<&str> = pairs.windows(2).filter(|w| w[0] == (0, "LAYER")).map(|w| w[1].1).collect();
    let mut found: Vec<Entity> = Vec::new();
    for (code, value) in &pairs[start..] {
        match (code, found.last_mut()) {
            (0, _) if *value == "ENDSEC" => break,
            (0, _) => found.push((value.to_string(), String::new(), Vec::new())),
            (8, Some(last)) => {
                assert!(layers.contains(value), "no layer '{value}' in the table");
                last.1 = value.to_string();
            }
            (1, _) => {}
            (_, Some(last)) => last.2.push((*code, value.parse().expect("a number"))),
            (_, None) => panic!("a value before any entity"),
        }
    }
    found
}

fn at(values: &[(u16, f64)], code: u16) -> f64 {
    values.iter().find(|v| v.0 == code).unwrap_or_else(|| panic!("no code {code}")).1
}

/// The drawing of a slider-crank of 2 m and 3.5 m, in millimetres: every length is that of the model.
#[test]
fn a_dxf_drawing_has_the_measures_of_the_mechanism() {
    // Ten digits after the point, of thousands.
    const DIGITS: f64 = 1e-6;
    let (mut model, results) = model("slider-crank");
    model.study.units = DisplayUnits::parse("mm", None).expect("a unit");
    let of = (model, results);
    let all = |scene: &Scene| Look {
        traces: Look::traces(scene, "crank.B, rod.*").expect("points"),
        names: vec![Named::Bodies, Named::Joints],
        ..Look::default()
    };
    let text = String::from_utf8(looked("dxf", &of, &all)).expect("text");
    assert!(text.is_ascii() && text.contains("AC1009") && text.contains("$INSUNITS\n 70\n4\n"), "{}", &text[..200]);
    let found = entities(&text);
    for kind in ["LINE", "ARC", "CIRCLE", "POLYLINE", "TEXT"] {
        assert!(found.iter().any(|e| e.0 == kind), "no {kind}");
    }
    // Pins stand where the joints are.
    let circles: Vec<[f64; 2]> =
        found.iter().filter(|e| e.0 == "CIRCLE").map(|e| [at(&e.2, 10), at(&e.2, 20)]).collect();
    let column = |name: &str| results_at(&of.1, name, 3);
    for p in [[0.0, 0.0], [column("rod.B.x"), column("rod.B.y")], [column("piston.C.x"), column("piston.C.y")]] {
        let near = |c: &[f64; 2]| (c[0] - 1e3 * p[0]).abs() < DIGITS && (c[1] - 1e3 * p[1]).abs() < DIGITS;
        assert!(circles.iter().any(near), "no circle at {p:?}: {circles:?}");
    }
    // The ends of a link are arcs of one radius about the joints on it: as far apart as the link is long.
    for (body, length) in [("crank", 2000.0), ("rod", 3500.0)] {
        let ends: Vec<[f64; 3]> = found
            .iter()
            .filter(|e| e.0 == "ARC" && e.1 == body)
            .map(|e| [at(&e.2, 10), at(&e.2, 20), at(&e.2, 40)])
            .collect();
        let [a, b] = ends[..] else { panic!("{body}: {ends:?}") };
        let apart = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
        assert!((apart - length).abs() < DIGITS && a[2] == b[2], "{body}: {apart}");
    }
    // The path of the crank's end is a circle.
    let path: Vec<f64> = found
        .iter()
        .filter(|e| e.0 == "VERTEX" && e.1 == "path_crank_B")
        .map(|e| (at(&e.2, 10).powi(2) + at(&e.2, 20).powi(2)).sqrt())
        .collect();
    assert!(path.len() == 9 && path.iter().all(|r| (r - 2000.0).abs() < DIGITS), "{path:?}");
}

fn results_at(results: &Results, name: &str, sample: usize) -> f64 {
    results.get(name).unwrap_or_else(|| panic!("no {name}")).data[sample]
}

#[test]
fn every_model_has_a_drawing_whose_numbers_can_be_read() {
    for of in &models() {
        let text = String::from_utf8(looked("dxf", of, &|_| Look::default())).expect("text");
        let found = entities(&text);
        assert!(found.len() > 3, "{}: {} entities", of.0.name, found.len());
        for view in ["top", "side", "iso", "-40,-20,2"] {
            let look = |_: &Scene| Look { view: Some(View::parse(view).expect("a view")), ..Look::default() };
            let svg = String::from_utf8(looked("svg", of, &look)).expect("text");
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{} {view}", of.0.name);
        }
    }
}

/// What a user can edit: one shape for each part, not hundreds of triangles.
#[test]
fn an_svg_drawing_is_made_of_shapes() {
    let of = model("slider-crank");
    let names = |_: &Scene| Look { names: vec![Named::Bodies, Named::Joints, Named::Points], ..Look::default() };
    let text = String::from_utf8(looked("svg", &of, &names)).expect("text");
    for shape in ["<circle ", "<polygon ", "<path ", "<line ", "<text "] {
        assert!(text.contains(shape), "no {shape}");
    }
    assert!(text.matches("<path ").count() < 12, "{} paths", text.matches("<path ").count());
    for name in ["crank", "rod", "piston", "guide", "G"] {
        assert!(text.contains(&format!(">{name}</text>")), "{name} is not named");
    }
    assert!(text.contains(" m</text>"), "no scale");
}

#[test]
fn points_to_trace_are_names_patterns_and_bodies() {
    let of = model("slider-crank");
    let motion = Animation::new(&of.0, &of.1).expect("a motion");
    let scene = scene(&of.0, &motion).expect("a scene");
    let names = |text: &str| -> Vec<String> {
        let found = Look::traces(&scene, text).unwrap_or_else(|e| panic!("{e}"));
        let name = |p: &PointMark| format!("{}.{}", scene.figures[p.body].name, p.name);
        found.iter().map(|k| name(&scene.points[*k])).collect()
    };
    assert_eq!(names("rod.G, crank.*"), ["rod.G", "crank.A", "crank.B"]);
    assert_eq!(names("rod"), ["rod.B", "rod.G", "rod.C"]);
    assert_eq!(names("all").len(), scene.points.len());
    let error = Look::traces(&scene, "rod.H").expect_err("no such point").to_string();
    assert!(error.contains("no point is called 'rod.H'") && error.contains("did you mean 'rod."), "{error}");
    // Reactions are drawn where they are told.
    let look = Look { arrows: vec![Arrow::Reaction], ..Look::default() };
    let png = PICTURES.iter().find(|f| f.extension == "png").expect("a format");
    let error = (png.make)(&scene, &motion, &Choice::new(0, 64, &look)).expect_err("kinematics alone").to_string();
    assert!(error.contains("there is no reaction to draw") && error.contains("gravity and masses"), "{error}");
}
