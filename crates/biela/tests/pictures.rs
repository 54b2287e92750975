//! Pictures of all shipped models: whole, harmless, and the same bytes every time.

use biela::model::{Analysis, Model};
use biela::picture::export::{Choice, PICTURES};
use biela::picture::{page, scene, Animation};
use biela::results::Results;
use biela::solve::kinematics;
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
    (format.make)(&scene, &motion, Choice { sample: 0, width: 64 }).expect("bytes")
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
