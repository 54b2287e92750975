//! Repeats, parts of assemblies and mirrors: what they stand for, what is saved, and what is refused.

mod common;

use biela::model::Model;
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run::{formulation_of, run as solve};
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::*;
use common::record::{held, CLOSED};
use std::f64::consts::TAU;

fn answered(model: &Model) -> Results {
    solve(model, formulation_of(model), METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

fn document(text: &str) -> Document {
    Document::from_toml(&Source::new("m.toml", text)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn refused(text: &str) -> String {
    let options = Options::default();
    let read = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&options));
    read.expect_err(text).to_string()
}

/// Height n L sin α; virtual work of the platform's and the links' weights gives the foot's force (n W + n² m g) cot α.
#[test]
fn a_scissor_lift_of_any_height_bears_its_load() {
    for stages in [1, 2, 4, 7] {
        let model = load("scissor-lift", &set(&[("stages", &stages.to_string())]));
        assert_eq!(model.bodies.len(), 2 + 2 * stages);
        let results = answered(&model);
        let n = stages as f64;
        let reach = |t: f64| 1.2 * 20f64.to_radians().cos() - 0.05 * t;
        follows(&results, "rail.slide", reach);
        follows(&results, "platform.top.y", |t| n * (1.2 * 1.2 - reach(t).powi(2)).sqrt());
        follows(&results, "cylinder.effort", |t| {
            let cot = reach(t) / (1.2f64 * 1.2 - reach(t).powi(2)).sqrt();
            -(n * 300.0 + n * n * 2.0 * 9.0 / 2.0) * 9.81 * cot
        });
    }
    // Parameters stay symbols: another length is another lift.
    let longer = answered(&load("scissor-lift", &set(&[("length", "2 m"), ("alpha", "30 deg")])));
    assert!((column(&longer, "platform.top.y")[0] - 4.0).abs() < 1e-12);
}

/// Pistons at y = r cos θ + √(l² − r² sin² θ). The first harmonic of opposite throws cancels; of the second remains
/// 4 m r ω² (λ + λ³/4 + 15 λ⁵/128 + …) cos 2θ, with λ = r/l.
#[test]
fn an_inline_four_shakes_in_second_order_alone() {
    let mut model = load("inline-four", &Options::default());
    model.study.every = true;
    let results = answered(&model);
    let (r, l, m, w) = (0.04, 0.14, 0.45, 3000.0 * TAU / 60.0);
    let acceleration = |theta: f64| {
        let (s, c) = f64::sin_cos(theta);
        let q = f64::sqrt(l * l - r * r * s * s);
        let bend = -r * r * (c * c - s * s) / q - (r * r * s * c).powi(2) / q.powi(3);
        w * w * (bend - r * c)
    };
    for (k, turned) in [0.0, 0.5, 0.5, 0.0].iter().enumerate() {
        follows(&results, &format!("piston{}.az", k + 1), |t| acceleration(w * t + turned * TAU));
    }
    follows(&results, "shake", |t| -2.0 * m * (acceleration(w * t) + acceleration(w * t + 0.5 * TAU)));
    let shake = &column(&results, "shake")[..120];
    let harmonic = |n: f64| {
        let part = |k: usize, y: f64| y * (n * TAU * k as f64 / 120.0).cos() / 60.0;
        shake.iter().enumerate().map(|(k, y)| part(k, *y)).sum::<f64>()
    };
    let ratio: f64 = r / l;
    let series = ratio + ratio.powi(3) / 4.0 + 15.0 * ratio.powi(5) / 128.0 + 35.0 * ratio.powi(7) / 512.0;
    let due = 4.0 * m * r * w * w * series;
    /// What the series leaves out: (63/1024)·(5/2) λ⁹ is below 2e-6 of its first term.
    const REST: f64 = 2e-5;
    held(CLOSED, "second harmonic of shake", REST, (harmonic(2.0) - due).abs() / due, "inline-four");
    held(CLOSED, "first harmonic of shake", 1e-10, harmonic(1.0).abs() / due, "inline-four");
    let aside = column(&results, "ground.fy");
    assert!(aside.iter().all(|f| f.abs() < 1e-9 * due), "no piston pushes the frame aside as a whole");
}

const HEAD: &str = "planar = true\ngravity = [0, -9.81]\n";

/// A chain of three links, once by a repeat and once written out.
#[test]
fn a_repeat_is_what_it_stands_for() {
    let repeated = r#"
[parameters]
link = "200 mm"
[bodies]
link0 = {}
[joints.base]
type = "fixed"
bodies = ["ground", "link0"]
at = [0, 0]
[[repeat]]
count = 3
as = "k"
bodies."link{k}" = { mass = "k", inertia = "k*link^2*(1 kg)/12", com = ["(k - 1/2)*link", 0], points = { "end{k}" = ["k*link", 0] } }
joints."A{k}" = { type = "revolute", bodies = ["link{k-1}", "link{k}"], at = ["(k - 1)*link", 0] }
drivers."m{k}" = { joint = "A{k}", value = "sin({k}*t)" }
signals."fall{k}" = "link{k}.end{k}.vy/(1 m/s)"
initial."A{k}.angle.rate" = "k"
run.outputs = ["A{k}.angle"]
[run]
end = 1
steps = 4
"#;
    let one = |k: usize| {
        format!(
            "[bodies.link{k}]\nmass = {k}\ninertia = \"({k})*link^2*(1 kg)/12\"\ncom = [\"(({k}) - 1/2)*link\", 0]\npoints = {{ end{k} = [\"({k})*link\", 0] }}\n\
             [joints.A{k}]\ntype = \"revolute\"\nbodies = [\"link{}\", \"link{k}\"]\nat = [\"(({k}) - 1)*link\", 0]\n\
             [drivers.m{k}]\njoint = \"A{k}\"\nvalue = \"sin(({k})*t)\"\n",
            k - 1
        )
    };
    let elements: String = (1..=3).map(one).collect();
    let lines = |form: &dyn Fn(usize) -> String| (1..=3).map(form).collect::<String>();
    let written = format!(
        "{HEAD}[parameters]\nlink = \"200 mm\"\n[bodies.link0]\n[joints.base]\ntype = \"fixed\"\nbodies = [\"ground\", \"link0\"]\nat = [0, 0]\n{elements}\
         [signals]\n{}[initial]\n{}[run]\nend = 1\nsteps = 4\noutputs = [\"A1.angle\", \"A2.angle\", \"A3.angle\"]\n",
        lines(&|k| format!("fall{k} = \"link{k}.end{k}.vy/(1 m/s)\"\n")),
        lines(&|k| format!("\"A{k}.angle.rate\" = {k}\n")),
    );
    let repeated = document(&format!("{HEAD}{repeated}"));
    let [a, b] =
        [repeated.clone(), document(&written)].map(|d| d.model(&Options::default()).unwrap_or_else(|e| panic!("{e}")));
    let plain = |m: Model| content(m).replace("(1)", "1").replace("(2)", "2").replace("(3)", "3");
    assert_eq!(plain(a), plain(b));
    // What is saved is what was written, and reads as the same model.
    let saved = repeated.to_toml();
    assert!(saved.contains("[[repeat]]") && saved.contains("\"link{k}\"") && !saved.contains("link2"), "{saved}");
    let again = document(&saved).model(&Options::default()).unwrap();
    assert_eq!(content(again), content(repeated.model(&Options::default()).unwrap()));
}

#[test]
fn comments_and_repeats_survive_a_change_of_a_parameter() {
    let path = models().join("scissor-lift.toml");
    let document = Document::read(&path, &Options::default()).unwrap();
    let saved = document.to_toml_with(&set(&[("stages", "6")]), &[]).unwrap();
    assert_eq!(saved, text("scissor-lift").replace("stages = 4 ", "stages = \"6\" "));
}

const CYLINDER: &str = r#"
planar = true
[parameters]
rod = 0.3
[bodies.crank]
points = { P = [0.1, 0] }
[joints.main]
type = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
[assemblies.cylinder]
parameters = { pin = "P", lean = 0 }
[assemblies.cylinder.bodies]
rod = { points = { big = [0, 0], small = ["rod", 0] }, pose = { at = [0.1, 0], angle = "lean" } }
piston = { pose = { at = ["(0.1 + rod)*cos(lean)", "(0.1 + rod)*sin(lean)"] } }
[assemblies.cylinder.joints]
big = { type = "revolute", bodies = ["crank", "rod"], at = ["{pin}", "big"] }
small = { type = "revolute", bodies = ["rod", "piston"], at = ["small", [0, 0]] }
bore = { type = "prismatic", bodies = ["ground", "piston"], at = [[0, 0], [0, 0]], axis = [["cos(lean)", "sin(lean)"], [1, 0]] }
[assemblies.cylinder.signals]
stroke = "bore.slide/(1 m) - rod"
[drivers.motor]
joint = "main"
value = "2*pi*t"
[run]
end = 1
steps = 36
"#;

/// A V-twin of two parts: each piston is a slider-crank along its own line.
#[test]
fn parts_have_names_and_parameters_of_their_own() {
    let text = format!(
        "{CYLINDER}[parts.left]\nassembly = \"cylinder\"\n[parts.right]\nassembly = \"cylinder\"\nlean = \"60 deg\"\n"
    );
    let results = answered(&parse(&text));
    let slide = |angle: f64| 0.1 * angle.cos() + (0.09 - (0.1 * angle.sin()).powi(2)).sqrt();
    follows(&results, "left.bore.slide", |t| slide(TAU * t));
    follows(&results, "right.bore.slide", |t| slide(TAU * t - TAU / 6.0));
    follows(&results, "right_stroke", |t| slide(TAU * t - TAU / 6.0) - 0.3);
    assert!(results.get("left.piston.x").is_some() && results.get("piston.x").is_none());
    // The same by a repeat of parts.
    let repeated = format!(
        "{CYLINDER}[[repeat]]\ncount = 2\nfrom = 0\nparts.\"c{{i}}\" = {{ assembly = \"cylinder\", lean = \"i*60 deg\" }}\n"
    );
    let other = answered(&parse(&repeated));
    assert_eq!(column(&other, "c1.bore.slide"), column(&results, "right.bore.slide"));
}

/// The mirror image of a mechanism moves as its mirror image: x and angles change their signs, y and reactions' fy stay.
#[test]
fn a_mirrored_part_moves_as_the_other_in_a_mirror() {
    let text = r#"
planar = true
gravity = [0, -9.81]
[assemblies.half]
[assemblies.half.bodies]
arm = { mass = 2, com = [0.2, 0.05], inertia = 0.1, points = { tip = [0.5, 0.1] }, pose = { at = [0.3, 0], angle = "20 deg" } }
slide = { mass = 1, inertia = 0.1, pose = { at = [0.9, 0.2] } }
[assemblies.half.joints]
hip = { type = "revolute", bodies = ["ground", "arm"], at = [[0.3, 0], [0, 0]], limits = { lower = "-10 deg", upper = "200 deg" } }
rail = { type = "prismatic", bodies = ["ground", "slide"], at = [0.9, 0.2], axis = [1, 0.5] }
[assemblies.half.forces]
spring = { type = "spring-damper", bodies = ["arm", "slide"], at = ["tip", [0, 0]], stiffness = 400, damping = 3, length = 0.3 }
push = { type = "force", body = "slide", at = [0.1, 0], value = ["3*sin(5*t)", 1] }
turn = { type = "torque", body = "arm", value = "0.4*cos(3*t)" }
[parts.right]
assembly = "half"
[parts.left]
assembly = "half"
mirror = "x"
[run]
analysis = "dynamics"
end = 0.5
steps = 20
"#;
    let results = answered(&parse(text));
    /// Two halves of one run, by steps that both share.
    const SAME: f64 = 1e-9;
    for (signal, sign) in [
        ("arm.tip.x", -1.0),
        ("arm.tip.y", 1.0),
        ("arm.angle", -1.0),
        ("slide.x", -1.0),
        ("slide.vy", 1.0),
        ("hip.angle", -1.0),
        ("rail.slide", 1.0),
        ("hip.fx", -1.0),
        ("hip.fy", 1.0),
    ] {
        let [right, left] = ["right", "left"].map(|side| column(&results, &format!("{side}.{signal}")));
        let size = right.iter().fold(1e-6f64, |m, x| m.max(x.abs()));
        for (a, b) in right.iter().zip(left) {
            assert!((a - sign * b).abs() <= SAME * size, "{signal}: {a} and {b}");
        }
        assert!(right.iter().any(|x| (x - right[0]).abs() > 1e-3 * size), "{signal} moves");
    }
    for (more, part) in [
        ("[assemblies.half.drivers]\nm = { joint = \"hip\", value = \"t\" }\n", "drivers cannot be mirrored"),
        (
            "[assemblies.half.forces.k]\ntype = \"joint-spring\"\njoint = \"hip\"\nstiffness = 1\n",
            "a load along a joint coordinate cannot be mirrored",
        ),
    ] {
        let message = refused(&text.replace("[parts.right]", &format!("{more}[parts.right]")));
        assert!(message.contains(part) && message.contains("m.toml:"), "{message}");
    }
}

/// What is wrong, what the message says, and the line that it names.
#[test]
fn what_cannot_be_repeated_is_told_with_its_place() {
    let with = |repeat: &str| format!("planar = true\n[parameters]\nn = 2\n[bodies.a]\n{repeat}");
    for (repeat, parts) in [
        ("[[repeat]]\ncount = 1e9\nbodies.\"b{i}\" = {}\n", &["m.toml:6", "from 0 to 100000", "1000000000"][..]),
        ("[[repeat]]\ncount = 2.5\nbodies.\"b{i}\" = {}\n", &["m.toml:6", "whole number"]),
        ("[[repeat]]\ncount = 100000\nbodies.\"b{i}\" = { points = { A = [0, 0], B = [1, 1], C = [2, 2] } }\n", &["m.toml:7", "more than 400000 values", "lower 'count'"]),
        ("[[repeat]]\ncount = 2\nbodies.b = {}\n", &["m.toml:7", "body 'b'", "already", "\"b{i}\""]),
        ("[[repeat]]\ncount = 2\nbodies.a = { mass = 1 }\n", &["m.toml:7", "already", "m.toml:4"]),
        ("[[repeat]]\ncount = 2\nbodies.\"b{j}\" = {}\n", &["m.toml:7", "'j'", "{i+1}"]),
        ("[[repeat]]\ncount = 2\nbodies.\"b{i/2}\" = {}\n", &["m.toml:7", "0.5", "whole number"]),
        ("[[repeat]]\ncount = 2\nbodies.\"b{i\" = {}\n", &["m.toml:7", "opened and not closed"]),
        ("[[repeat]]\nbodies.\"b{i}\" = {}\n", &["m.toml:5", "'count' is missing"]),
        ("[[repeat]]\ncount = 2\n", &["m.toml:5", "no elements"]),
        ("[[repeat]]\ncount = 2\nas = \"mm\"\nbodies.\"b{mm}\" = {}\n", &["m.toml:7", "is a unit"]),
        ("[[repeat]]\ncount = 2\nas = \"n\"\nbodies.\"b{n}\" = {}\n", &["m.toml:7", "is a parameter"]),
        ("[[repeat]]\ncount = 2\nas = \"x\"\nbodies.\"b{x}\" = {}\n", &["m.toml:7", "axis"]),
        ("[[repeat]]\ncount = 2\ncuont = 3\nbodies.\"b{i}\" = {}\n", &["m.toml:7", "did you mean 'count'?"]),
        ("[[repeat]]\ncount = 2\nbodies.\"b{i}\" = { points = { i = [0, 0] } }\n", &["m.toml:7", "cannot name"]),
        ("[[repeat]]\ncount = 2\nbodies.\"b{i}\" = { mass = \"i*q\" }\n", &["m.toml:7", "body 'b1'", "'q'"]),
        ("[[repeat]]\ncount = 2\njoints.\"J{i}\" = { type = \"revolute\", bodies = [\"a\", \"b{i}\"], at = [0, 0] }\n", &["m.toml:7", "joint 'J1'", "no body 'b1'"]),
        ("[bodies.\"b{i}\"]\n", &["m.toml:5", "stand in [[repeat]]"]),
        ("[parts.p]\nassembly = \"c\"\n[assemblies.b]\nbodies.d = {}\n", &["m.toml:6", "no assembly 'c'"]),
        ("[parts.p]\n[assemblies.b]\nbodies.d = {}\n", &["m.toml:5", "'assembly' is missing"]),
        ("[parts.p]\nassembly = \"b\"\nlaen = 3\n[assemblies.b]\nparameters = { lean = 0 }\nbodies.d = {}\n", &["m.toml:7", "did you mean 'lean'?"]),
        ("[parts.p]\nassembly = \"b\"\n[assemblies.b]\nparameters = [\"lean\"]\nbodies.d = {}\n", &["m.toml:5", "'lean' is missing"]),
        ("[parts.p]\nassembly = \"b\"\nmirror = \"w\"\n[assemblies.b]\nbodies.d = {}\n", &["m.toml:7", "changes its sign"]),
        ("[parts.p]\nassembly = \"b\"\n[assemblies.b]\nparts.q = { assembly = \"b\" }\n", &["m.toml:8", "an assembly cannot have itself"]),
        ("[assemblies.b]\nparameters = { mm = 2 }\nbodies.d = {}\n", &["m.toml:6", "is a unit"]),
        ("[assemblies.b]\nboddies.d = {}\n", &["m.toml:6", "did you mean 'bodies'?"]),
    ] {
        let message = refused(&with(repeat));
        for part in parts {
            assert!(message.contains(part), "'{part}' is not in:\n{message}\n{repeat}");
        }
    }
}

/// Texts made to grow without bound end early.
#[test]
fn growth_is_bounded() {
    let nested = "planar = true\n[[repeat]]\ncount = 100000\n[[repeat.repeat]]\ncount = 100000\nas = \"j\"\nbodies.\"b{i}_{j}\" = {}\n";
    assert!(refused(nested).contains("values"));
    let hollow = "planar = true\n[[repeat]]\ncount = 100000\n[[repeat.repeat]]\ncount = 100000\nas = \"j\"\n[[repeat.repeat.repeat]]\ncount = 0\nas = \"k\"\nbodies.\"b{k}\" = {}\n";
    assert!(refused(hollow).contains("values"));
    // Each part has ten of the next.
    let mut text = String::from("planar = true\n[parts.p]\nassembly = \"a0\"\n");
    for k in 0..9 {
        text += &format!(
            "[assemblies.a{k}]\n[[assemblies.a{k}.repeat]]\ncount = 40\nparts.\"p{{i}}\" = {{ assembly = \"a{}\" }}\n",
            k + 1
        );
    }
    text += "[assemblies.a9]\nbodies.b = {}\n";
    let message = refused(&text);
    assert!(message.contains("deep") || message.contains("values"), "{message}");
    // A parameter that doubles with every part.
    let long = format!("planar = true\n[parts.p]\nassembly = \"b\"\nq = \"{}\"\n[assemblies.b]\nparameters = {{ q = 0 }}\nbodies.d = {{ mass = \"{}1\" }}\n", "1+".repeat(400) + "1", "q+".repeat(400));
    assert!(refused(&long).contains("bytes"));
}

#[test]
fn shapes_are_added_to_a_body_that_is_there() {
    let text = |own: &str| {
        format!(
            "{HEAD}[bodies.bar]\n{own}\n[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"bar\"]\nat = [0, 0]\n\
             [[repeat]]\ncount = 3\nbodies.bar.shape = {{ type = \"circle\", radius = \"i*10 mm\", at = [\"i*100 mm\", 0], thickness = \"1 mm\", density = 7800 }}\n"
        )
    };
    let mass = |own: &str| {
        let model = document(&text(own)).model(&Options::default()).unwrap_or_else(|e| panic!("{e}"));
        (model.bodies[1].shapes.len(), model.bodies[1].mass.as_ref().map_or(0.0, |m| m.mass))
    };
    // Discs of 10, 20 and 30 mm: π (1 + 4 + 9) cm² · 1 mm of steel; and a box of 10 x 2 x 1 cm.
    let discs = std::f64::consts::PI * 14e-4 * 1e-3 * 7800.0;
    let (count, found) = mass("");
    assert!(count == 3 && (found / discs - 1.0).abs() < 1e-12, "{count} {found}");
    for own in [
        "shape = { type = \"box\", size = [0.1, 0.02, 0.01], density = 7800 }",
        "shape = [{ type = \"box\", size = [0.1, 0.02, 0.01], density = 7800 }]",
    ] {
        let (count, found) = mass(own);
        assert!(count == 4 && (found / (discs + 0.156) - 1.0).abs() < 1e-12, "{count} {found}");
    }
}
