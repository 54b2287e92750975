//! Models of other programs: decks of Adams, MJCF and SDF written from their specifications, against closed forms and against each other.

mod common;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run::{formulation_of, run};
use biela::source::Source;
use biela::text::{export, mjcf, sdf, urdf, Document, Options};
use common::record::{held, CLOSED, COMPUTED, OTHER};
use common::{column, difference};
use std::f64::consts::{PI, TAU};
use std::path::Path;

/// Tolerance 1e-8 of the integration, over a few periods.
const INTEGRATED: f64 = 1e-6;
/// A few dozen operations.
const ROUNDING: f64 = 1e-12;
/// Positions are solved to 1e-12 of the mechanism's size.
const SOLVED: f64 = 1e-9;

fn load(file: &str) -> (Model, Vec<String>) {
    let document =
        Document::read(&Path::new("tests/data").join(file), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    document.compile(&Options::default()).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn moved(file: &str, analysis: Analysis, end: f64) -> Results {
    let (mut model, _) = load(file);
    model.study.analysis = analysis;
    model.study.end = end;
    model.study.steps = 100;
    model.study.every = true;
    solved(&model, formulation_of(&model))
}

fn solved(model: &Model, formulation: &str) -> Results {
    run(model, formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

fn last(results: &Results, name: &str) -> f64 {
    *column(results, name).last().expect("samples")
}

#[test]
fn a_spring_in_inches_and_pounds_swings_as_its_law() {
    let results = moved("adams/spring.adm", Analysis::Dynamics, 1.0);
    let (m, inch, pound): (f64, f64, f64) = (0.5 * 0.453_592_37, 0.0254, 4.448_221_615_260_5);
    let (k, c) = (100.0 * pound / inch, 0.1 * pound / inch);
    let (x0, v0, a) = (2.0 * inch, 10.0 * inch, c / (2.0 * m));
    let w = (k / m - a * a).sqrt();
    let law = |t: f64| 8.0 * inch + (-a * t).exp() * (x0 * (w * t).cos() + (v0 + a * x0) / w * (w * t).sin());
    let due: Vec<f64> = results.times().iter().map(|t| law(*t)).collect();
    let off = difference(column(&results, "PART_2.MARKER_3.x"), &due);
    held(CLOSED, "damped oscillator of an Adams deck", INTEGRATED, off, format_args!("{off:e}"));
}

#[test]
fn a_spring_by_points_swings_and_a_stop_throws_it_back() {
    let place = |end: f64| {
        let results = moved("adams/spline.adm", Analysis::Dynamics, end);
        let y = column(&results, "PART_2.y").to_vec();
        (results.times().to_vec(), y)
    };
    // Points on a line of 0.2 N/mm draw 2 kg by 10 rad/s, until 60 mm are left.
    let (times, y) = place(0.09);
    let due: Vec<f64> = times.iter().map(|t| -0.1 * (10.0 * t).cos()).collect();
    let off = difference(&y, &due);
    held(CLOSED, "spring by a spline of an Adams deck", INTEGRATED, off, format_args!("{off:e}"));
    // Without damping the stop, 5 N/mm^1.5, would give way by d with 2 d^2.5 = 0.1 (100^2 - (60 - d)^2), 10.75 mm; it gives less, and throws back slower.
    let (_, y) = place(0.25);
    let nearest = y.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    assert!((-0.0599..-0.04925).contains(&nearest), "{nearest}");
    let back = y.last().expect("samples");
    assert!((-0.0999..-0.07).contains(back), "{back}");
}

#[test]
fn a_rack_falls_with_its_pinion() {
    let results = moved("adams/rack.adm", Analysis::Dynamics, 1.0);
    // The weight of the rack moves both masses: z'' = -g m/(m + J/r^2).
    let due = -9.8 * 2.5 / (2.5 + 0.012 / (0.08 * 0.08)) / 2.0;
    let off = (last(&results, "PART_3.z") - due).abs() / due.abs();
    held(CLOSED, "rack and pinion of an Adams deck", INTEGRATED, off, format_args!("{off:e}"));
    // At the pinion's -x side a turn about y leads up; the rack goes down.
    assert!(last(&results, "PART_2.wy") < 0.0);
}

#[test]
fn a_velocity_is_integrated_from_the_drawing() {
    let results = moved("adams/slider-crank.adm", Analysis::Kinematics, 2.0);
    // A cubic step from 0 to one turn per second within the first second: half a turn, then one more.
    assert!((last(&results, "JOINT_1.angle") - 1.5 * TAU).abs() < ROUNDING * TAU);
    assert!((last(&results, "JOINT_1.angle.rate") - TAU).abs() < ROUNDING * TAU);
    assert_eq!(column(&results, "PART_4.x")[0], 0.4);
}

#[test]
fn a_function_of_markers_that_vanishes_is_a_rod() {
    let (model, told) = load("adams/rod.adm");
    assert!(told.is_empty(), "{told:?}");
    let results = moved("adams/rod.adm", Analysis::Dynamics, 0.5);
    for k in 0..results.times().len() {
        let d = ["x", "y", "z"].map(|c| column(&results, &format!("PART_2.MARKER_22.{c}"))[k]);
        let length = ((d[0] - 0.5).powi(2) + (d[1] + 1.0).powi(2) + (d[2] - 2.0).powi(2)).sqrt();
        assert!((length - 1.5).abs() < SOLVED, "{length}");
    }
    assert_eq!(model.joints.len(), 1);
}

#[test]
fn every_joint_and_force_of_a_deck_has_a_meaning() {
    let (mut model, told) = load("adams/joints.adm");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("CONTACT has no counterpart here: not read, what it does is missing"), "{told:?}");
    model.study.analysis = Analysis::Dynamics;
    model.study.end = 0.3;
    model.study.steps = 10;
    let [a, b] = ["absolute", "relative"].map(|f| solved(&model, f));
    for name in ["PART_3.x", "PART_3.y", "PART_4.z", "PART_4.wx"] {
        let off = difference(column(&a, name), column(&b, name));
        held(OTHER, "an Adams deck in two formulations", INTEGRATED, off, format_args!("{name}: {off:e}"));
    }
    let strict = Options { strict: true, ..Options::default() };
    let error = Document::read(Path::new("tests/data/adams/joints.adm"), &strict).unwrap_err();
    assert!(error.to_string().contains("CONTACT"), "{error}");
}

#[test]
fn geoms_weigh_what_they_are() {
    let (model, _) = load("mjcf/creature.xml");
    let body = |name: &str| model.bodies.iter().find(|b| b.name == name).and_then(|b| b.mass).expect("a mass");
    // An ellipsoid of half axes 9, 4, 3 cm, turned by 10 degrees about y.
    let toe = body("toe");
    let mass = 600.0 * 4.0 / 3.0 * PI * 0.09 * 0.04 * 0.03;
    assert!((toe.mass - mass).abs() < ROUNDING * mass);
    let iyy = mass / 5.0 * (0.09f64.powi(2) + 0.03f64.powi(2));
    assert!((toe.inertia.entries()[1] - iyy).abs() < ROUNDING * iyy);
    // A cylinder, and a ball with the density of the outermost class beside a capsule.
    assert!((body("shin").mass - 900.0 * PI * 0.035f64.powi(2) * 0.3).abs() < ROUNDING);
    let arm =
        800.0 * (4.0 / 3.0 * PI * 0.06f64.powi(3) + PI * 0.03f64.powi(2) * 0.2 + 4.0 / 3.0 * PI * 0.03f64.powi(3));
    assert!((body("arm").mass - arm).abs() < ROUNDING * arm);
}

/// A model in radians, with classes and a motor of its own, twice in one in degrees: masses and places as MuJoCo 4.0.0 has them at its reference.
#[test]
fn attached_models_keep_their_classes_and_angles() {
    let (model, told) = load("mjcf/attach.xml");
    assert!(told.len() == 1 && told[0].contains("tendons act where"), "{told:?}");
    let due: [(&str, f64, [f64; 3]); 8] = [
        ("left_base", 1.0, [0.0, 0.1, 1.2]),
        ("left_l1", 0.20525072003453315, [-0.057925895525103036, 0.2872586727168399, 1.1602661338409876]),
        ("left_l2", 0.14241886696273728, [-0.1448147388127576, 0.5681466817920997, 1.1006653346024693]),
        ("left_m1", 0.20525072003453315, [-0.24921091269494955, 0.23223950325319118, 1.1798348128424387]),
        ("right_base", 1.0, [0.5, 0.2, 0.9]),
        ("right_l1", 0.20525072003453315, [0.44207410447489687, 0.16026613384098773, 0.7127413272831601]),
        ("right_l2", 0.14241886696273728, [0.35518526118724214, 0.10066533460246946, 0.43185331820790024]),
        ("right_m1", 0.20525072003453315, [0.2507890873050503, 0.17983481284243888, 0.7677604967468089]),
    ];
    for (name, mass, place) in due {
        let k = model.bodies.iter().position(|b| b.name == name).unwrap_or_else(|| panic!("no {name}"));
        let found = model.bodies[k].mass.map_or(0.0, |m| m.mass);
        let off = (model.guess().poses()[k].origin - place.into()).norm().max((found - mass).abs());
        held(COMPUTED, "attached models of MJCF", ROUNDING, off, format_args!("{name}: {off:e}"));
    }
    assert_eq!((model.couplings.len(), model.bodies.len(), model.joints.len()), (2, 10, 9));
    let limits = |name: &str| model.joints[model.joint(name).expect("a joint")].limits;
    let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < ROUNDING);
    assert!(near(limits("left_j1").lower, -1.5) && near(limits("right_j2").upper, 0.3));
    let refused = |text: &str, word: &str| {
        let error =
            mjcf::read(&Source::new("m.xml", text), Path::new("tests/data/mjcf"), &Options::default()).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    };
    let scene = |asset: &str, call: &str| {
        format!("<mujoco><asset>{asset}</asset><worldbody><body>{call}</body></worldbody></mujoco>")
    };
    let arm = "<model name='a' file='attached/arm.xml'/>";
    refused(&scene("", "<attach model='a' prefix='p'/>"), "no model 'a'");
    refused(&scene(arm, "<attach model='a' body='none' prefix='p'/>"), "no body 'none'");
    refused(
        &scene(arm, "<attach model='a' body='base' prefix='p'/><attach model='a' body='base' prefix='p'/>"),
        "two models",
    );
    refused(&scene("<model name='a' file='../../x.xml'/>", "<attach model='a' prefix='p'/>"), "x.xml");
    refused(&scene("<model name='a' file='attach-itself.xml'/>", "<attach model='a' prefix='p'/>"), "in a circle");
}

#[test]
fn a_loop_of_mujoco_and_one_of_gazebo_move_alike() {
    let [mjcf, sdf] = ["mjcf/four-bar.xml", "sdf/four-bar.sdf"].map(|f| moved(f, Analysis::Dynamics, 1.0));
    for name in ["crank.x", "crank.wy", "rocker.wy", "coupler.z", "coupler.vx"] {
        let off = difference(column(&mjcf, name), column(&sdf, name));
        held(OTHER, "a four-bar from MJCF and from SDF", INTEGRATED, off, format_args!("{name}: {off:e}"));
    }
    let (mut model, _) = load("mjcf/four-bar.xml");
    model.study.analysis = Analysis::Dynamics;
    model.study.steps = 100;
    let [a, b] = ["absolute", "relative"].map(|f| solved(&model, f));
    let off = difference(column(&a, "rocker.wy"), column(&b, "rocker.wy"));
    held(OTHER, "a loop of MJCF in two formulations", INTEGRATED, off, format_args!("{off:e}"));
}

#[test]
fn screws_mimics_nested_models_and_densities_of_sdf() {
    let (model, told) = load("sdf/parts.sdf");
    let joint =
        |name: &str| model.joints.iter().find(|j| j.name == name).unwrap_or_else(|| panic!("no joint '{name}'"));
    // -200 pi radians per metre, left-handed in the old sense: a right-handed thread of 10 mm.
    assert!((joint("thread").pitch - 0.01).abs() < ROUNDING);
    let frame = model.bodies.iter().find(|b| b.name == "frame").and_then(|b| b.mass).expect("a mass");
    assert!((frame.mass - 4.0).abs() < ROUNDING && (frame.com.x - 0.1).abs() < ROUNDING);
    // The box is turned about z: its edges of 0.2 and 0.1 change places.
    assert!((frame.inertia.entries()[0] - 4.0 / 12.0 * (0.04 + 0.16)).abs() < ROUNDING, "{:?}", frame.inertia);
    let rim = model.bodies.iter().find(|b| b.name == "wheel.rim").expect("the rim");
    assert!((rim.X_WB.origin.y - 0.25).abs() < ROUNDING);
    assert_eq!((model.couplings[0].ratio, model.couplings[0].offset), (0.5, 0.1));
    assert!(joint("frame_free").bodies[0] == 0);
    assert!(told.iter().all(|t| !t.contains("unknown")), "{told:?}");
}

#[test]
fn files_outside_the_folder_and_circles_of_files_are_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign");
    std::fs::create_dir_all(folder.join("inner")).expect("a folder");
    let refused = |name: &str, text: &str| {
        let path = folder.join("inner").join(name);
        std::fs::write(&path, text).expect("a file");
        Document::read(&path, &Options::default()).expect_err("is refused").to_string()
    };
    std::fs::write(folder.join("secret"), "<mujoco><worldbody/></mujoco>").expect("a file");
    for name in ["../secret", "/etc/passwd", "http://127.0.0.1/a.xml", "../../../../../../../../../a.xml"] {
        let message = refused("a.xml", &format!("<mujoco><include file=\"{name}\"/><worldbody/></mujoco>"));
        assert!(message.contains("not in the folders around the model"), "{message}");
    }
    let message = refused("c.xml", "<mujoco><include file=\"c.xml\"/><worldbody/></mujoco>");
    assert!(message.contains("circle") || message.contains("itself"), "{message}");
    let message = refused(
        "d.sdf",
        "<sdf version=\"1.9\"><model name=\"m\"><include><uri>file:///x.sdf</uri></include></model></sdf>",
    );
    assert!(message.contains("not in the folders around the model"), "{message}");
    let message =
        refused("e.adm", &format!("title\nPART/1, GROUND\nPART/2\nMARKER/1\nGCON/1, FUNCTION={}", "(".repeat(5000)));
    assert!(!message.is_empty());
}

/// Sums of products of numbers that are written and read back to the last bit, in another order.
const WRITTEN: f64 = 1e-12;

fn all_numbers(value: &serde_json::Value, out: &mut Vec<f64>) {
    match value {
        serde_json::Value::Array(list) => list.iter().for_each(|v| all_numbers(v, out)),
        serde_json::Value::Object(map) => map.values().for_each(|v| all_numbers(v, out)),
        other => out.extend(other.as_f64()),
    }
}

/// Mass matrix, kinematics and inverse dynamics at a state, before and after a model is written in a format and read again.
fn comes_back(file: &str, ending: &str, head: &str) {
    let options = Options { gravity: Some([0.1, 0.2, -9.81]), ..Options::default() };
    let before =
        Document::read(&Path::new("tests/data").join(file), &options).and_then(|d| d.model(&options)).expect("a model");
    let writer = biela::text::export::writer(ending).expect("a format");
    let (text, _) = (writer.write)(&before).unwrap_or_else(|e| panic!("{file}: {e}"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(format!("{}.{ending}", file.replace(['/', '.'], "_")));
    std::fs::write(&path, &text).expect("a file");
    let after =
        Document::read(&path, &options).and_then(|d| d.model(&options)).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let row: Vec<String> = (0..head.split(',').count()).map(|k| (0.4 * (k as f64 * 2.7).sin()).to_string()).collect();
    let states = format!("{head}\n{}\n", row.join(","));
    let found = [&before, &after].map(|model| {
        let found = biela::tree::evaluate::evaluate(model, &["crba", "rnea", "fk"], &states)
            .unwrap_or_else(|e| panic!("{file}: {e}"));
        ["crba", "rnea", "fk"].map(|what| {
            let (mut list, value) = (Vec::new(), &found["states"][0][what]);
            match value.as_object() {
                // Bodies without mass within joints have frames of their own choice.
                Some(bodies) => before
                    .bodies
                    .iter()
                    .filter(|b| b.mass.is_some())
                    .for_each(|b| all_numbers(&bodies[b.name.as_str()], &mut list)),
                None => all_numbers(value, &mut list),
            }
            list
        })
    });
    for (k, what) in ["mass matrix", "inverse dynamics", "kinematics"].iter().enumerate() {
        assert_eq!(found[0][k].len(), found[1][k].len(), "{file}: {what}");
        let off = difference(&found[0][k], &found[1][k]);
        held(
            OTHER,
            "a model written for another program and read again",
            WRITTEN,
            off,
            format_args!("{file}: {what}: {off:e}"),
        );
    }
}

#[test]
fn models_come_back_from_other_programs_formats() {
    let arm: Vec<String> = (1..=7).flat_map(|k| ["q", "v", "a"].map(|l| format!("{l}.joint{k}"))).collect();
    for ending in ["urdf", "xml", "sdf"] {
        comes_back("arm7.urdf", ending, &arm.join(","));
    }
    let joints = ["pole", "hip_x", "hip_y", "hip_s", "knee", "ankle"];
    let mut head: Vec<String> = joints.iter().flat_map(|j| ["q", "v", "a"].map(|l| format!("{l}.{j}"))).collect();
    head.extend(["x", "y", "z"].map(|c| format!("q.root.{c}")));
    head.extend(["wx", "wy", "vz"].map(|c| format!("v.root.{c}")));
    head.extend(["wx", "wz"].map(|c| format!("v.shoulder.{c}")));
    comes_back("mjcf/creature.xml", "xml", &head.join(","));
}

#[test]
fn what_a_format_cannot_say_is_refused_by_name() {
    let refused = |file: &str, ending: &str| {
        let (model, _) = load(file);
        let writer = biela::text::export::writer(ending).expect("a format");
        (writer.write)(&model).expect_err("is refused").to_string()
    };
    assert!(refused("mjcf/four-bar.xml", "urdf").starts_with("joint 'C': it closes a loop, and a URDF is a tree"));
    assert!(refused("sdf/parts.sdf", "xml").starts_with("joint 'thread': MJCF has no screws"));
    assert!(refused("mjcf/creature.xml", "sdf").starts_with("rotor 'pole_armature': an SDF has no rotors"));
}

/// MuJoCo refuses moments of inertia of 0, which points and thin rods have.
#[test]
fn thin_rods_are_given_the_least_inertia_that_mujoco_takes() {
    let text = |inertia: &str| {
        format!("gravity = [0, 0, -9.81]\n[bodies.rod]\nmass = 1\ncom = [1, 0, 0]\ninertia = {inertia}\n[joints]\nA = {{ type = \"revolute\", bodies = [\"ground\", \"rod\"], at = [0, 0, 0], axis = \"z\" }}\n")
    };
    let written = |inertia: &str| {
        let model = Document::from_toml(&Source::new("rod.toml", text(inertia)))
            .and_then(|d| d.model(&Options::default()))
            .unwrap_or_else(|e| panic!("{e}"));
        (export::writer("xml").expect("a writer").write)(&model).unwrap_or_else(|e| panic!("{e}"))
    };
    let (thin, told) = written("[0, 0.1, 0.1]");
    assert!(thin.contains("boundinertia=\"1e-12\""), "{thin}");
    assert!(told.iter().any(|line| line.contains("moments of inertia of 0") && line.contains("rod")), "{told:?}");
    let (thick, told) = written("[0.01, 0.1, 0.1]");
    assert!(!thick.contains("boundinertia") && told.is_empty(), "{thick}, {told:?}");
}

/// A joint in a link that is turned a quarter about x: its axis z is that of the model in version 1.4, and that of the link in 1.5.
#[test]
fn axes_of_old_sdf_stand_in_the_models_frame() {
    let axis = |version: &str| {
        let text = format!("<sdf version=\"{version}\"><model name=\"m\"><link name=\"a\"><pose>0 0 0 1.5707963267948966 0 0</pose></link><joint name=\"j\" type=\"revolute\"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>");
        let read = sdf::read(&Source::new("m.sdf", text), Path::new("."), &Options::default())
            .unwrap_or_else(|e| panic!("{e}"));
        let options = Options {
            gravity: Some([0.0; 3]),
            drive: vec![("j".into(), "t".into())],
            end: Some(1.0),
            ..Options::default()
        };
        let model = Document::from_tree(read.tree, read.warnings).model(&options).unwrap_or_else(|e| panic!("{e}"));
        let results = solved(&model, formulation_of(&model));
        ["wx", "wy", "wz"].map(|c| last(&results, &format!("a.{c}")))
    };
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < ROUNDING);
    assert!(near(axis("1.4"), [0.0, 0.0, 1.0]), "{:?}", axis("1.4"));
    assert!(near(axis("1.5"), [0.0, -1.0, 0.0]), "{:?}", axis("1.5"));
}

/// A foot with a moment of inertia and no mass, as exporters of robots write it, counts with the leg that it is fixed to.
#[test]
fn inertia_without_mass_stays_with_what_it_is_fixed_to() {
    let link = |name: &str, mass: f64| {
        format!("<link name=\"{name}\"><inertial><mass value=\"{mass}\"/><inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.2\"/></inertial></link>")
    };
    let joint = |kind: &str, parent: &str, child: &str| {
        format!(
            "<joint name=\"{child}_j\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/></joint>"
        )
    };
    let text = format!(
        "<robot name=\"r\"><link name=\"base\"/>{}{}{}{}</robot>",
        link("leg", 1.0),
        link("foot", 0.0),
        joint("continuous", "base", "leg"),
        joint("fixed", "leg", "foot")
    );
    let read = urdf::read(&Source::new("r.urdf", text), &urdf::Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let options = Options { gravity: Some([0.0; 3]), ..Options::default() };
    let model = Document::from_tree(read.tree, read.warnings).model(&options).unwrap_or_else(|e| panic!("{e}"));
    let (written, _) = (export::writer("xml").expect("a writer").write)(&model).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(written.matches("fullinertia=\"0.1 0.2 0.2").count(), 2, "{written}");
}

/// A joint whose second body is the ground: its coordinate keeps its sense in every format, and so do its limits and its gears.
#[test]
fn joints_seen_from_the_other_side_keep_their_coordinates() {
    let text = "gravity = [0, 0, -9.81]\n[bodies.arm]\nmass = 1\ncom = [1, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n[bodies.wheel]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n[joints]\n\
        A = { type = \"revolute\", bodies = [\"arm\", \"ground\"], at = [0, 0, 0], axis = \"z\", limits = { lower = -0.2, upper = 1.5 } }\n\
        B = { type = \"revolute\", bodies = [\"arm\", \"wheel\"], at = [[1, 0, 0], [0, 0, 0]], axis = \"z\" }\n[couplings]\ng = { type = \"gear\", joints = [\"A\", \"B\"], ratio = 3 }\n";
    let model = |file: &str, text: &str| {
        let path = std::env::temp_dir().join(format!("biela-other-side-{}-{file}", std::process::id()));
        std::fs::write(&path, text).expect("a file");
        let drive = vec![("A".to_string(), "0.5*t".to_string())];
        let options = Options { drive, end: Some(1.0), steps: Some(2), ..Options::default() };
        let model =
            Document::read(&path, &options).and_then(|d| d.model(&options)).unwrap_or_else(|e| panic!("{file}: {e}"));
        std::fs::remove_file(&path).expect("it was there");
        model
    };
    let own = model("own.toml", text);
    for format in ["toml", "urdf", "xml", "sdf"] {
        let written = match format {
            "toml" => text.to_string(),
            _ => (export::writer(format).expect("a writer").write)(&own).unwrap_or_else(|e| panic!("{e}")).0,
        };
        let again = model(&format!("again.{format}"), &written);
        let joint = &again.joints[again.joint("A").expect("a joint")];
        assert_eq!((joint.limits.lower, joint.limits.upper), (Some(-0.2), Some(1.5)), "{format}");
        let results = biela::run(&again).unwrap_or_else(|e| panic!("{format}: {e}"));
        // The ground turns by +0.5 rad/s against the arm, the wheel by three times that.
        for (name, due) in [("arm.wz", -0.5), ("wheel.wz", -0.5 + 1.5), ("A.angle", 0.5)] {
            assert!((last(&results, name) - due).abs() < SOLVED, "{format}: {name} is {}", last(&results, name));
        }
    }
}

/// Springs, dampers and friction at joints move a model of another program as they move ours: written, read again and run.
#[test]
fn what_resists_at_joints_is_written_and_read_again() {
    let text = |spring: &str| {
        format!(
            "gravity = [0, 0, -9.81]\n\
             [bodies]\narm = {{ mass = 1, com = [0.3, 0, 0], inertia = [0.01, 0.02, 0.03] }}\nbob = {{ mass = 0.5, inertia = [0.01, 0.01, 0.01] }}\n\
             [joints]\nswing = {{ type = \"revolute\", bodies = [\"ground\", \"arm\"], at = [0, 0, 0], axis = \"y\" }}\n\
             glide = {{ type = \"prismatic\", bodies = [\"arm\", \"bob\"], at = [0, 0, 0], axis = \"x\" }}\n\
             [forces]\n{spring}rub = {{ type = \"friction\", joint = \"swing\", viscous = 0.3 }}\n\
             drag = {{ type = \"friction\", joint = \"glide\", viscous = 0.2 }}\n\
             gust = {{ type = \"joint-torque\", joint = \"glide\", value = \"0.0 N * t / (1 s)\" }}\n\
             [run]\nanalysis = \"dynamics\"\nend = 1\nsteps = 20\n"
        )
    };
    let coil = "coil = { type = \"joint-spring\", joint = \"glide\", stiffness = 80, rest = 0.05, damping = 0.4 }\n\
                stiff = { type = \"joint-spring\", joint = \"swing\", stiffness = 5, rest = -0.2 }\n";
    for (ending, spring) in [("xml", coil), ("sdf", coil), ("urdf", "")] {
        let own = |text: &str, name: &str| {
            let document = Document::from_toml(&Source::new(name, text)).unwrap_or_else(|e| panic!("{e}"));
            document.model(&Options::default()).unwrap_or_else(|e| panic!("{e}"))
        };
        let model = own(&text(spring), "own.toml");
        let (written, told) =
            (export::writer(ending).expect("a writer").write)(&model).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(told, ["forces are not written: gust"], "{ending}");
        let options = Options { gravity: Some([0.0, 0.0, -9.81]), ..Options::default() };
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("resistance.{ending}"));
        std::fs::write(&path, &written).expect("a file");
        let document = Document::read(&path, &options);
        let mut again = document.and_then(|d| d.model(&options)).unwrap_or_else(|e| panic!("{ending}: {e}\n{written}"));
        again.study = model.study.clone();
        let [a, b] = [&model, &again].map(|m| solved(m, "relative"));
        for column_name in ["swing.angle", "glide.slide"] {
            let off = difference(column(&a, column_name), column(&b, column_name));
            assert!(off < INTEGRATED, "{ending}, {column_name}: {off:e}");
        }
        // URDF has no springs: they are told.
        if spring.is_empty() {
            let (_, told) = (export::writer(ending).expect("a writer").write)(&own(&text(coil), "own.toml"))
                .unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(told, ["forces are not written: coil, stiff, gust"]);
        }
    }
}
