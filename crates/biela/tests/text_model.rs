//! Model texts that are right: what they compile to.

#![allow(non_snake_case)] // X_WB, R_FM: frames are capital letters.

mod common;

use biela::drivers::{Attitude, Target};
use biela::joints::Joint;
use biela::math::{Pose, Rotation, Vec3};
use biela::model::{Analysis, Model, Solid};
use biela::motion::Motion;
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::content;
use std::f64::consts::PI;
use std::path::Path;

/// A few roundings of numbers of order one.
const ROUNDING: f64 = 1e-14;

const EXAMPLE: &str = include_str!("models/slider-crank.toml");

fn document(text: &str) -> Document {
    Document::from_toml(&Source::new("model.toml", text)).unwrap_or_else(|e| panic!("{e}"))
}

fn model_with(text: &str, options: &Options) -> Model {
    document(text).model(options).unwrap_or_else(|e| panic!("{e}"))
}

fn model(text: &str) -> Model {
    model_with(text, &Options::default())
}

fn same_pose(a: &Pose, b: &Pose) -> bool {
    let turned = (0..3).map(|k| (a.rotation.axes[k] - b.rotation.axes[k]).norm()).fold(0.0, f64::max);
    turned < ROUNDING && (a.origin - b.origin).norm() < ROUNDING
}

/// X_FM of a joint with both bodies as drawn.
fn X_FM(model: &Model, joint: &Joint) -> Pose {
    let [first, second] = joint.bodies.map(|b| model.bodies[b].X_WB);
    (first * joint.frames[0]).inverse() * (second * joint.frames[1])
}

/// Two bodies in general position and one joint between them.
fn pair(joint: &str) -> Model {
    model(&format!(
        "[bodies.a]\npoints = {{ P = [0.3, -0.2, 0.5] }}\npose = {{ at = [1, 2, -0.5], rpy = [0.3, -0.7, 1.9] }}\n\
         [bodies.b]\npoints = {{ Q = [-0.1, 0.4, 0.2] }}\npose = {{ at = [0.4, -1, 2], rpy = [-1.1, 0.4, 0.8] }}\n\
         [joints.J]\nbodies = [\"a\", \"b\"]\n{joint}\n"
    ))
}

#[test]
fn the_example_compiles_to_the_frames_its_sketch_shows() {
    let m = model(EXAMPLE);
    assert_eq!(m.name, "slider-crank");
    assert_eq!(m.gravity, Some(Vec3::new(0.0, -9.81, 0.0)));
    assert_eq!(m.parameters, [("crank".into(), 2.0), ("rod".into(), 3.5), ("omega".into(), 2.0 * PI)]);
    let names: Vec<&str> = m.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["ground", "crank", "rod", "piston"]);
    let crank = &m.bodies[1];
    let mass = crank.mass.unwrap();
    assert_eq!((mass.mass, mass.com, mass.inertia.entries()), (1.5, Vec3::X, [0.01, 0.5, 0.5, 0.0, 0.0, 0.0]));
    assert_eq!(crank.points, [("A".into(), Vec3::ZERO), ("B".into(), Vec3::new(2.0, 0.0, 0.0))]);
    assert!(same_pose(&crank.X_WB, &Pose::new(Rotation::about(Vec3::Z, PI / 4.0), Vec3::ZERO)));
    assert!(m.bodies[2].mass.is_none());
    assert_eq!(m.bodies[3].X_WB, Pose::translation(Vec3::new(4.6, 0.0, 0.0)));

    let expected = [
        ("O", [0, 1], [Vec3::ZERO, Vec3::ZERO]),
        ("B", [1, 2], [Vec3::new(2.0, 0.0, 0.0), Vec3::ZERO]),
        ("C", [2, 3], [Vec3::new(3.5, 0.0, 0.0), Vec3::ZERO]),
    ];
    for (k, (name, bodies, points)) in expected.into_iter().enumerate() {
        let joint = &m.joints[k];
        assert_eq!((joint.name.as_str(), joint.kind.keyword(), joint.bodies), (name, "revolute", bodies));
        // All axes are z and all references the bodies' own x: the joint frames are the body frames, moved.
        for (frame, point) in joint.frames.iter().zip(points) {
            assert!(same_pose(frame, &Pose::translation(point)), "{name}: {frame:?}");
        }
    }
    // The guide slides along x; its reference is then the body's y. The piston is drawn without turn.
    let guide = &m.joints[3];
    let along_x = Rotation { axes: [Vec3::Y, Vec3::Z, Vec3::X] };
    assert_eq!((guide.kind.keyword(), guide.bodies), ("prismatic", [0, 3]));
    assert!(guide.frames.iter().all(|f| same_pose(f, &Pose::new(along_x, Vec3::ZERO))), "{:?}", guide.frames);

    let Target::Coordinate { of, value } = &m.drivers[0].target else { panic!("the motor drives a joint") };
    assert_eq!((of.joint, of.coordinate), (0, 0));
    let jet = value.jet(0.5);
    assert!((jet.v - (PI / 4.0 + PI)).abs() < ROUNDING && (jet.d - 2.0 * PI).abs() < ROUNDING && jet.dd == 0.0);
    assert_eq!((m.study.analysis, m.study.start, m.study.end, m.study.steps), (Analysis::Kinematics, 0.0, 1.0, 100));
    let span = m.joints[1].span.clone().unwrap();
    assert_eq!(&span.source.text[span.range.clone()], "B");
}

#[test]
fn drawing_is_zero_where_at_is_single() {
    for kind in ["revolute", "cylindrical", "prismatic", "planar", "screw"] {
        let pitch = if kind == "screw" { "pitch = 0.1" } else { "" };
        let m = pair(&format!("type = \"{kind}\"\nat = [0.7, 0.1, 0.9]\naxis = [1, 2, -3]\n{pitch}"));
        assert!(same_pose(&X_FM(&m, &m.joints[0]), &Pose::IDENTITY), "{kind}");
        let z_W = m.bodies[1].X_WB.rotation.apply(m.joints[0].frames[0].rotation.axes[2]);
        assert!((z_W - Vec3::new(1.0, 2.0, -3.0).unit().unwrap()).norm() < ROUNDING, "{kind}");
        let p_W = m.bodies[2].X_WB.apply(m.joints[0].frames[1].origin);
        assert!((p_W - Vec3::new(0.7, 0.1, 0.9)).norm() < ROUNDING, "{kind}");
    }
}

#[test]
fn zero_drawing_with_a_pair_moves_the_origin_only_along_the_freedom() {
    let text = |kind: &str, zero: &str| {
        pair(&format!("type = \"{kind}\"\nat = [\"P\", \"Q\"]\naxis = [1, 2, -3]\nzero = \"{zero}\""))
    };
    for (kind, freedoms) in [("cylindrical", &[2][..]), ("prismatic", &[2]), ("planar", &[0, 1]), ("revolute", &[])] {
        let (drawing, axes) = (text(kind, "drawing"), text(kind, "axes"));
        let drawn = X_FM(&drawing, &drawing.joints[0]);
        let moved = drawing.joints[0].frames[0].origin - axes.joints[0].frames[0].origin;
        let F = drawing.joints[0].frames[0].rotation;
        for k in 0..3 {
            if freedoms.contains(&k) {
                assert!(drawn.origin[k].abs() < ROUNDING, "{kind}: {drawn:?}");
            } else {
                assert!(F.axes[k].dot(moved).abs() < ROUNDING, "{kind}: {moved:?}");
            }
        }
        assert!((drawn.rotation.axes[0] - Vec3::X).norm() < ROUNDING, "{kind}");
    }
}

#[test]
fn references_are_projected_and_default_to_the_next_body_axis() {
    let m = pair("type = \"revolute\"\nat = [\"P\", \"Q\"]\naxis = [[0, 0, 2], [3, 0, 0]]\nx = [[1, 1, 5], [0, 0, 1]]");
    let [F, M] = m.joints[0].frames.map(|f| f.rotation);
    assert!((F.axes[0] - Vec3::new(1.0, 1.0, 0.0).unit().unwrap()).norm() < ROUNDING);
    assert!((M.axes[0] - Vec3::Z).norm() < ROUNDING && (M.axes[2] - Vec3::X).norm() < ROUNDING);
    let m = pair("type = \"revolute\"\nat = [\"P\", \"Q\"]\naxis = [\"-x\", \"y\"]");
    let [F, M] = m.joints[0].frames.map(|f| f.rotation);
    assert_eq!((F.axes[2], F.axes[0]), (-Vec3::X + Vec3::ZERO, Vec3::Y));
    assert_eq!((M.axes[2], M.axes[0]), (Vec3::Y, Vec3::X));
}

#[test]
fn prismatic_and_fixed_lock_references_or_the_drawing() {
    for kind in ["prismatic", "fixed"] {
        // A single axis without x: the drawing.
        let m = pair(&format!("type = \"{kind}\"\nat = [\"P\", \"Q\"]\naxis = [1, 2, -3]"));
        assert!(same_pose(&Pose::new(X_FM(&m, &m.joints[0]).rotation, Vec3::ZERO), &Pose::IDENTITY), "{kind}");
        // A pair of axes: the body axes, here turned a quarter against each other.
        let m = pair(&format!(
            "type = \"{kind}\"\nat = [\"P\", \"Q\"]\naxis = [[0, 0, 1], [0, 0, 1]]\nx = [[1, 0, 0], [0, 1, 0]]"
        ));
        assert!((m.joints[0].frames[1].rotation.axes[0] - Vec3::Y).norm() < ROUNDING, "{kind}");
    }
    // Without a point a fixed joint sits at the second body's origin as drawn.
    let m = pair("type = \"fixed\"");
    assert_eq!(m.joints[0].frames[1].origin, Vec3::ZERO);
    assert!(same_pose(&X_FM(&m, &m.joints[0]), &Pose::IDENTITY));
}

#[test]
fn universal_frames_stand_on_both_axes_of_the_drawing() {
    let m = pair("type = \"universal\"\nat = [0.7, 0.1, 0.9]\naxis = [0, 2, 0]\naxis2 = [0, 0, 3]");
    let joint = &m.joints[0];
    assert!(same_pose(&X_FM(&m, joint), &Pose::IDENTITY));
    let X_WF = m.bodies[1].X_WB * joint.frames[0];
    assert!((X_WF.rotation.axes[2] - Vec3::Y).norm() < ROUNDING && (X_WF.rotation.axes[0] - Vec3::Z).norm() < ROUNDING);
}

#[test]
fn spherical_and_free_frames() {
    let m = pair("type = \"spherical\"\nat = [\"P\", \"Q\"]");
    assert!(m.joints[0].frames.iter().all(|f| f.rotation == Rotation::IDENTITY));
    assert_eq!(m.joints[0].frames[0].origin, Vec3::new(0.3, -0.2, 0.5));
    let m = pair("type = \"spherical\"\nat = [0.7, 0.1, 0.9]");
    assert!(same_pose(&X_FM(&m, &m.joints[0]), &Pose::IDENTITY));
    let m = pair("type = \"free\"");
    assert_eq!(m.joints[0].frames, [Pose::IDENTITY; 2]);
}

#[test]
fn primitives_read_their_directions_and_values() {
    let m = pair("type = \"dot1\"\na = [[2, 0, 0], [0, 1, 1]]\nvalue = \"cos(t)\"");
    assert_eq!(m.joints[0].directions, [Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 1.0)]);
    assert!((m.joints[0].value.jet(0.3).d + 0.3_f64.sin()).abs() < ROUNDING);
    let m = pair("type = \"perpendicular1\"\na = [0, 0, 2]");
    let carried = m.bodies[2].X_WB.rotation.apply(m.joints[0].directions[1]);
    assert!((carried - Vec3::new(0.0, 0.0, 2.0)).norm() < ROUNDING);
    let m = pair("type = \"dot2\"\nat = [\"P\", \"Q\"]\na = [0, 3, 0]\nvalue = \"5 mm\"");
    assert_eq!(m.joints[0].directions[0], Vec3::new(0.0, 3.0, 0.0));
    assert_eq!(m.joints[0].value, Motion::Constant(0.005));
    let m = pair("type = \"coordinate\"\nat = [\"P\", \"Q\"]\nalong = \"-y\"\nvalue = 1");
    assert_eq!(m.joints[0].directions[0], -Vec3::Y + Vec3::ZERO);
    let m = pair("type = \"coordinate\"\nat = [\"P\", \"Q\"]\nalong = [0, 3, 4]\nvalue = 1");
    assert_eq!(m.joints[0].directions[0], Vec3::new(0.0, 3.0, 4.0));
    let m = pair("type = \"distance\"\nat = [\"P\", \"Q\"]\nvalue = \"1 + 0.1*t\"");
    assert_eq!(m.joints[0].value.jet(2.0).v, 1.2);
    let m = pair("type = \"point-on-line\"\nat = [\"P\", \"Q\"]\naxis = [[0, 1, 0], [1, 0, 0]]\nlimits = { lower = \"-5 mm\", effort = 3 }");
    assert_eq!(m.joints[0].frames[0].rotation.axes[2], Vec3::Y);
    assert_eq!((m.joints[0].limits.lower, m.joints[0].limits.effort), (Some(-0.005), Some(3.0)));
}

const MACHINE: &str = include_str!("models/machine.toml");

/// The model of `models/machine.toml`, read from its folder so that tables are found.
fn machine() -> Model {
    let document = Document::read(Path::new("tests/models/machine.toml"), &Options::default());
    document.and_then(|d| d.model(&Options::default())).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn couplings_connect_the_coordinates_meant() {
    let m = machine();
    let coupling = |name: &str| m.couplings.iter().find(|c| c.name == name).unwrap();
    let coordinates = |name: &str| -> Vec<String> {
        let of = |c: &biela::couplings::CoordinateRef| {
            let joint = &m.joints[c.joint];
            format!("{}.{}", joint.name, joint.kind.coordinates()[c.coordinate].name)
        };
        coupling(name).coordinates.iter().map(of).collect()
    };
    assert_eq!(coordinates("gear"), ["shaft.angle", "wheel.angle"]);
    assert_eq!((coupling("gear").ratio, coupling("gear").offset), (-2.0, PI / 6.0));
    // Given as [rack, pinion]: the angle comes first all the same.
    assert_eq!(coordinates("rack"), ["shaft.angle", "bar.slide"]);
    assert_eq!(coupling("rack").ratio, 0.05);
    assert_eq!(coordinates("cam"), ["shaft.angle", "follower.slide"]);
    let lift = coupling("cam").profile.clone().unwrap().jet(PI / 2.0);
    assert!((lift.v - 0.01).abs() < ROUNDING && (lift.dd + 0.01).abs() < ROUNDING);
    assert_eq!(coupling("cam").period, None);
    assert_eq!(coupling("table cam").period, Some(2.0 * PI));
    assert_eq!(coordinates("sum"), ["wheel.angle", "follower.slide"]);
    let value = coupling("sum").value.clone().unwrap();
    assert!((value.eval(&[3.0, 0.7, 0.2]) - (0.7 - 2.0 * 0.2 - 3.0)).abs() < ROUNDING);
}

#[test]
fn drivers_of_every_kind() {
    let m = machine();
    let target = |name: &str| &m.drivers.iter().find(|d| d.name == name).unwrap().target;
    let Target::Coordinate { of, value } = target("lead") else { panic!("lead drives a coordinate") };
    assert_eq!((m.joints[of.joint].name.as_str(), of.coordinate), ("screwed", 1));
    assert_eq!(value.jet(10.0).v, 0.3);
    let Target::Point { body, p_B, along, value } = target("tip") else { panic!("tip drives a point") };
    assert_eq!((m.bodies[*body].name.as_str(), *p_B), ("arm", Vec3::new(1.0, 0.0, 0.0)));
    assert!((*along - Vec3::new(0.6, 0.8, 0.0)).norm() < ROUNDING);
    // The table holds t² at whole seconds; the spline through it is t² everywhere.
    assert!((value.jet(1.5).v - 2.25).abs() < ROUNDING && (value.jet(1.5).dd - 2.0).abs() < 1e-12);
    let Target::Orientation { attitude: Attitude::Rpy(rpy), .. } = target("turn") else { panic!("turn gives rpy") };
    assert_eq!(rpy[2].jet(2.0).d, 0.5);
    let Target::Orientation { attitude: Attitude::Euler(_), .. } = target("hold") else { panic!("hold gives Euler") };
}

#[test]
fn shapes_give_mass_and_are_kept() {
    let m = machine();
    let body = |name: &str| &m.bodies[m.body(name).unwrap()];
    let arm = body("arm").mass.unwrap();
    assert!((arm.mass - 7800.0 * PI * 0.01 * 0.01).abs() < 1e-12);
    assert!((arm.com - Vec3::new(0.5, 0.0, 0.0)).norm() < ROUNDING);
    assert!(matches!(body("ground").shapes[0].solid, Solid::Box { .. }));
    assert_eq!(m.bodies[0].points[0].0, "base");
    assert!(matches!(&body("wheel").shapes[0].solid, Solid::Mesh { file, .. } if file == "wheel.stl"));
    assert_eq!(body("bar").mass.map(|p| (p.mass, p.inertia.entries())), Some((0.0, [0.0; 6])));
}

#[test]
fn options_override_the_text() {
    let options = Options {
        set: vec![("crank".into(), "220 cm".into())],
        gravity: Some([0.0, 0.0, -1.6]),
        analysis: Some(Analysis::InverseDynamics),
        end: Some(2.5),
        steps: Some(7),
        ..Options::default()
    };
    let m = model_with(EXAMPLE, &options);
    assert!((m.bodies[1].points[1].1.x - 2.2).abs() < ROUNDING);
    assert_eq!(m.gravity, Some(Vec3::new(0.0, 0.0, -1.6)));
    assert_eq!((m.study.analysis, m.study.end, m.study.steps), (Analysis::InverseDynamics, 2.5, 7));
    let wrong = Options { set: vec![("crank".into(), "2 +* 3".into())], ..Options::default() };
    let error = document(EXAMPLE).model(&wrong).unwrap_err().to_string();
    assert!(error.contains("--set crank") && error.contains('^'), "{error}");
}

/// Where the drawing is zero a pair of references has nothing to say about angles: it stands, with a warning. A planar joint's x counts
/// from the first of them.
#[test]
fn references_beside_a_drawing_are_told_to_be_unused() {
    let text = |joint: &str| {
        format!("[bodies.a]\npose = {{ rpy = [0, 0, 0.3] }}\n[joints.J]\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n{joint}")
    };
    let pair = "x = [[0, 1, 0], [1, 0, 0]]\n";
    let (m, warnings) = document(&text(&format!("type = \"revolute\"\n{pair}"))).compile(&Options::default()).unwrap();
    assert!(warnings.len() == 1 && warnings[0].contains("'x' are not used"), "{warnings:?}");
    assert!(same_pose(&X_FM(&m, &m.joints[0]), &Pose::IDENTITY));
    let (m, warnings) = document(&text(&format!("type = \"planar\"\n{pair}"))).compile(&Options::default()).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    assert!((m.joints[0].frames[0].rotation.axes[0] - Vec3::Y).norm() < ROUNDING);
    let axes = format!("type = \"revolute\"\nzero = \"axes\"\n{pair}");
    assert!(document(&text(&axes)).compile(&Options::default()).unwrap().1.is_empty());
}

#[test]
fn unphysical_and_unknown_become_warnings_where_asked() {
    let text = "[bodies.a]\nmass = 1\ninertia = [1, 1, 3]\nunphysical = true\n";
    let (_, warnings) = document(text).compile(&Options::default()).unwrap();
    assert!(warnings.len() == 1 && warnings[0].contains("model.toml:3"), "{warnings:?}");
    let text = "[bodies.a]\nmass = 1\ninertia = [1, 1, 3]\nfinish = \"red\"\n";
    let options = Options { unphysical: true, lenient: true, ..Options::default() };
    let (_, warnings) = document(text).compile(&options).unwrap();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let plain = format!("{:?}", model(EXAMPLE).joints[0].frames);
    let folder = std::env::temp_dir().join(format!("biela-text-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [("crlf.toml", EXAMPLE.replace('\n', "\r\n")), ("bom.toml", format!("\u{feff}{EXAMPLE}"))] {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let m = Document::read(&path, &Options::default()).and_then(|d| d.model(&Options::default())).unwrap();
        assert_eq!(format!("{:?}", m.joints[0].frames), plain);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_no_regular_file_is_refused() {
    for path in ["/dev/zero", "/dev/null", "tests", "tests/models/no-such.toml"] {
        let error = Document::read(Path::new(path), &Options::default()).unwrap_err().to_string();
        assert!(error.contains(path), "{error}");
    }
}

#[test]
fn a_model_written_as_toml_is_the_same_model() {
    for (text, folder) in [(EXAMPLE, ""), (MACHINE, "tests/models")] {
        let mut first = document(text);
        first.folder = folder.into();
        let mut second = document(&first.to_toml());
        second.folder = folder.into();
        // Texts are equal once written, and so is all that is compiled from them.
        assert_eq!(first.to_toml(), second.to_toml());
        let compiled =
            |d: &Document| content(d.model(&Options::default()).unwrap_or_else(|e| panic!("{e}\n{}", d.to_toml())));
        assert_eq!(compiled(&first), compiled(&second));
    }
}

#[test]
fn no_damaged_text_panics() {
    // A small generator of reproducible damage: bytes changed, removed, doubled, and pieces swapped.
    let mut state: u64 = 0x2545_F491_4F6C_DD1D;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    const PIECES: &[&str] =
        &["[", "]", "{", "}", "\"", "=", ",", "nan", "-1", "0", "1e308", "\n", "t", "é", "true", "[[", "'", "("];
    let mut accepted = 0;
    for round in 0..4000 {
        let mut text: Vec<char> = if round % 2 == 0 { EXAMPLE } else { MACHINE }.chars().collect();
        for _ in 0..1 + random(3) {
            let at = random(text.len());
            match random(4) {
                0 => {
                    text.remove(at);
                }
                1 => {
                    let piece = PIECES[random(PIECES.len())];
                    text.splice(at..at, piece.chars());
                }
                2 => {
                    let end = (at + random(30)).min(text.len());
                    let cut: Vec<char> = text.drain(at..end).collect();
                    let to = random(text.len());
                    text.splice(to..to, cut);
                }
                _ => text[at] = PIECES[random(PIECES.len())].chars().next().unwrap_or('x'),
            }
        }
        let text: String = text.into_iter().collect();
        let found = Document::from_toml(&Source::new("m.toml", text)).and_then(|mut d| {
            d.folder = "tests/models".into();
            d.model(&Options::default())
        });
        match found {
            Ok(_) => accepted += 1,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    // Damage in comments and numbers is harmless, most other damage is not.
    assert!(accepted > 100 && accepted < 3500, "{accepted}");
}

#[test]
fn a_table_is_read_in_the_units_of_its_header() {
    let folder = std::env::temp_dir().join(format!("biela-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("law.csv"), "t [ms]; angle [deg]\n0;0\n500;90\n1000;180\n").unwrap();
    let mut document = document(&EXAMPLE.replace("\"pi/4 + omega*t\"", "{ table = \"law.csv\" }"));
    document.folder = folder.clone();
    let m = document.model(&Options::default()).unwrap_or_else(|e| panic!("{e}"));
    std::fs::remove_dir_all(&folder).unwrap();
    let Target::Coordinate { value, .. } = &m.drivers[0].target else { panic!("the motor drives a joint") };
    // Half a turn in a second, evenly.
    assert!((value.jet(0.3).v - 0.3 * PI).abs() < ROUNDING && (value.jet(0.3).d - PI).abs() < ROUNDING);
}

#[test]
fn a_run_given_by_options_is_checked_too() {
    for wrong in [
        Options { end: Some(-1.0), ..Options::default() },
        Options { end: Some(f64::NAN), ..Options::default() },
        Options { steps: Some(0), ..Options::default() },
        Options { steps: Some(usize::MAX), ..Options::default() },
    ] {
        assert!(document(EXAMPLE).model(&wrong).is_err());
        assert!(document("[bodies.a]\n").model(&wrong).is_err());
    }
    let m = model("[bodies.a]\n[run]\nanalysis = \"statics\"\n");
    assert_eq!((m.study.start, m.study.end, m.study.steps), (0.0, 0.0, 1));
}

/// Warnings of a text that compiles.
fn warnings(text: &str) -> Vec<String> {
    let mut document = document(text);
    document.folder = "tests/models".into();
    document.compile(&Options::default()).unwrap_or_else(|e| panic!("{e}")).1
}

#[test]
fn a_mass_without_inertia_is_told() {
    let with = |body: &str| warnings(&format!("[bodies.bob]\n{body}\n[bodies.other]\n"));
    let told = with("mass = 2\ncom = [0, 0, 1]");
    assert!(told.len() == 1 && told[0].contains("body 'bob' has mass but no inertia"), "{told:?}");
    assert!(told[0].starts_with("model.toml:1"), "{told:?}");
    for quiet in
        ["mass = 2\ninertia = [0, 0, 0]", "mass = 0", "", "shape = { type = \"sphere\", radius = 1, density = 5 }"]
    {
        assert_eq!(with(quiet), Vec::<String>::new(), "{quiet}");
    }
    let two = warnings("[bodies.a]\nmass = 1\n[bodies.b]\nmass = \"2 kg\"\n");
    assert!(two.len() == 1 && two[0].contains("'a', 'b'"), "{two:?}");
}

#[test]
fn a_mesh_that_faces_inwards_is_turned_and_told() {
    let text = "[bodies.a]\nshape = { type = \"mesh\", file = \"inside-out.obj\", density = 1000 }\n";
    let told = warnings(text);
    assert!(told.len() == 1 && told[0].contains("faced inwards"), "{told:?}");
    let mut document = document(text);
    document.folder = "tests/models".into();
    // The unit cube from x = 5 to 6.
    let mass = document.model(&Options::default()).unwrap().bodies[1].mass.unwrap();
    assert!((mass.mass - 1000.0).abs() < 1e3 * ROUNDING);
    assert!((mass.com - Vec3::new(5.5, 0.5, 0.5)).norm() < 10.0 * ROUNDING, "{mass:?}");
    assert!((mass.inertia.xx - 1000.0 / 6.0).abs() < 1e4 * ROUNDING);
}

#[test]
fn what_has_no_effect_is_told() {
    let base = "gravity = [0, 0, 0]\n[bodies.a]\n[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n";
    for (more, part) in [
        ("[run]\nanalysis = \"dynamics\"\nend = 1\nstep = 0.1\n", "'step' has no effect with the method rk45"),
        (
            "[run]\nend = 1\nmethod = \"rk4\"\nstep = 0.1\ntolerance = 1e-6\n",
            "'tolerance' has no effect with the method rk4",
        ),
        ("[bodies.ground]\nshape = { type = \"sphere\", radius = 1, density = 5 }\n", "no effect on the ground"),
        ("[parameters]\nh = 2\n", "'h' is also a unit (hour)"),
    ] {
        let told = warnings(&format!("{base}{more}"));
        assert!(told.len() == 1 && told[0].contains(part), "{told:?}");
    }
    let told = warnings(&format!("name = \"a\\u202Eb\"\n{base}"));
    assert!(told.len() == 1 && told[0].contains("'name' holds characters"), "{told:?}");
    assert_eq!(model(&format!("name = \"a\\u202Eb\"\n{base}")).name, "a\\u{202e}b");
}

/// A parameter called like a unit has no say in quantities with units, wherever they stand, and is refused where both are used.
#[test]
fn parameters_called_like_units_take_no_units_place() {
    let text = |parameters: &str, mass: &str| {
        format!(
            "gravity = [0, \"-9.81 mm/ms^2*1e-3\", 0]\n[parameters]\n{parameters}\n[bodies.a]\nmass = \"{mass}\"\ninertia = [1, 1, 1]\n\
             [joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n\
             [initial]\n\"O.angle.rate\" = \"3 deg/ms\"\n"
        )
    };
    // No unit of these names is used: values as they stand, and a warning.
    let plain = model(&text("k = 2", "3*k*1 kg"));
    let named = model(&text("m = 2\ns = 5\nh = 7", "3*m*1 kg"));
    assert_eq!(plain.bodies[1].mass, named.bodies[1].mass);
    assert_eq!((plain.gravity, &plain.study.initial), (named.gravity, &named.study.initial));
    assert_eq!(warnings(&text("m = 2\ns = 5\nh = 7", "3*m*1 kg")).len(), 3);
    // Each of these uses a unit that is also a parameter, by the text, by --set and by --drive.
    for (parameters, mass, set, drive) in [
        ("m = 2", "3 kg*m/mm*1e-3", None, None),
        ("mm = 2\nx = 1", "1 kg", None, None),
        ("s = 2\nx = 1", "1 kg", Some("4 N*s/N"), None),
        ("m = 2\nx = 1", "1 kg", None, Some("2 N*m*t/N/m")),
    ] {
        let options = Options {
            set: set.iter().map(|s| ("x".to_string(), s.to_string())).collect(),
            drive: drive.iter().map(|d| ("O".to_string(), d.to_string())).collect(),
            ..Options::default()
        };
        let error = document(&text(parameters, mass)).model(&options).unwrap_err();
        assert!(error.message().contains("is a unit"), "{error}");
        assert!(error.span().is_some_and(|s| s.line_column().0 == 3), "{error}");
    }
}
