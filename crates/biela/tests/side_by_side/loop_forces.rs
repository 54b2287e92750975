//! Forces in mechanisms in space, and in linkages with groups larger than dyads.

use super::{shipped, Case};
use biela::source::Source;
use biela::text::Document;

/// A crank and a rocker in space with a rod between balls, a wheel about a tilted axis on the rocker, and loads of every kind; the rod is round about its
/// line, and its spin is idle.
const LOADED: &str = r#"
    gravity = [0.3, -1, -9.7]
    [parameters]
    crank = 1
    rod = "sqrt(1 + 9 + 6.25)"
    heavy = 1.5
    pull = 10
    stiffness = 300
    g = 9.7
    [bodies.crank]
    mass = 2
    com = [0.4, 0.02, 0.01]
    inertia = [0.01, 0.2, 0.21]
    points = { B = ["crank", 0, 0], T = [0.2, 0.1, 0.3] }
    [bodies.rod]
    mass = "heavy"
    com = ["rod/3", 0, 0]
    inertia = [0.003, "heavy*rod^2/12", "heavy*rod^2/12"]
    points = { B = [0, 0, 0], M = ["rod/3", 0, 0], C = ["rod", 0, 0] }
    pose = { at = [1, 0, 0], rpy = [0, "-atan2(2.5, sqrt(10))", "atan2(3, 1)"] }
    [bodies.rocker]
    mass = 4
    com = [0.1, 0.05, 1.2]
    inertia = [0.4, 0.5, 0.12, 0.02, -0.03, 0.01]
    points = { C = [0, 0, 2.5], E = [0.3, 0.2, 1] }
    pose = { at = [2, 3, 0] }
    [bodies.wheel]
    mass = 0.7
    com = [0.01, 0.02, 0.1]
    inertia = [0.02, 0.03, 0.04]
    points = { W = [0.2, 0.1, 0] }
    pose = { at = [2.2, 3.1, 1.4], rpy = [0.4, 0.1, 0] }
    [joints]
    A = { type = "revolute", bodies = ["crank", "ground"], at = [[0, 0, 0], [0, 0, 0]], axis = [[0, 0, -1], [0, 0, -1]] }
    B = { type = "spherical", bodies = ["crank", "rod"], at = ["B", "B"] }
    C = { type = "spherical", bodies = ["rod", "rocker"], at = ["C", "C"] }
    D = { type = "revolute", bodies = ["ground", "rocker"], at = [[2, 3, 0], [0, 0, 0]], axis = [[1, 0, 0], [1, 0, 0]] }
    H = { type = "cylindrical", bodies = ["rocker", "wheel"], at = [[0.2, 0.1, 1.4], [0, 0, 0]], axis = [[0, "-sin(0.4)", "cos(0.4)"], [0, 0, 1]] }
    [drivers]
    motor = { joint = "A", value = "0.3 + 6.28*t" }
    fan = { joint = "H.angle", value = "3*t" }
    push = { joint = "H.slide", value = "0.1*sin(4*t)" }
    [forces]
    tip = { type = "force", body = "rocker", at = "E", value = ["-pull*(1 + cos(3*t))", "0.1*pull*D.angle.rate", "4"] }
    tool = { type = "force", body = "wheel", at = "W", value = ["2*pull", 3, 1], frame = "body" }
    hang = { type = "force", body = "rod", at = "M", value = [1, "pull", 2] }
    drag = { type = "torque", body = "wheel", value = [0.1, 0.2, "-pull*H.angle/100"], frame = "body" }
    twist = { type = "torque", body = "rocker", value = [0.3, 0.2, 0.7] }
    spring = { type = "spring", bodies = ["crank", "rocker"], at = ["T", "E"], stiffness = "stiffness", length = "0.2" }
    strut = { type = "spring-damper", bodies = ["ground", "rod"], at = [[0.3, 0.4, 0.2], "C"], stiffness = 40, damping = "2 + sin(t)", length = 0.1 }
    coil = { type = "joint-spring", joint = "D", stiffness = 2, damping = 0.1, rest = 0.3 }
    rub = { type = "friction", joint = "H.slide", viscous = 3, coulomb = 1.5 }
    blower = { type = "motor", joint = "H.angle", stall = 0.4, speed = 20 }
    brake = { type = "joint-torque", joint = "D", value = "-pull*D.angle" }
    [run]
    analysis = "inverse-dynamics"
    end = 1
"#;

/// All that is borne and supplied there. A ball bears nothing about the line of the rod but what holds its idle spin, which no joint has a part in.
const BORNE: [&str; 15] = [
    "A",
    "B.fx",
    "B.fy",
    "B.fz",
    "C.fx",
    "C.force",
    "D",
    "D.local.fx",
    "H",
    "H.local.mx",
    "motor",
    "fan",
    "push",
    "motor.power",
    "ground",
];

#[test]
fn forces_in_space_are_those_of_the_general_solvers() {
    let document = Document::from_toml(&Source::new("loaded.toml", LOADED)).unwrap_or_else(|e| panic!("{e}"));
    let vary = [
        ("crank", "normal(1, 5 mm)"),
        ("rod", "normal(4.031, 5 mm)"),
        ("heavy", "uniform(1, 2)"),
        ("pull", "uniform(0, 30)"),
        ("stiffness", "uniform(250, 350)"),
    ];
    let case =
        Case { document: &document, vary: &vary, measure: &[], series: &BORNE, steps: 90, samples: 11, abreast: true };
    let rows = case.agrees();
    assert!(rows.reasons.iter().all(String::is_empty), "{:?}", rows.reasons);
    let still = Document::from_toml(&Source::new("still.toml", LOADED.replace("inverse-dynamics", "statics"))).unwrap();
    Case { document: &still, ..case }.agrees();
    // The power that drivers give, and the work of measures, from motions beside forces.
    let measure = [("work", "integral(motor.power)"), ("peak", "max(abs(motor.effort))"), ("swing", "range(D.angle)")];
    Case { measure: &measure, series: &[], ..case }.agrees();
    // What stands in the rod's own axes turns with its idle spin.
    Case { series: &["B.local.fx"], samples: 1, abreast: false, ..case }.agrees();
    // So does a rod that is not round, or whose mass lies beside its line.
    let round = r#"inertia = [0.003, "heavy*rod^2/12","#;
    let oblong = r#"inertia = [0.03, "0.01 + heavy*rod^2/12","#;
    for (from, to) in [(round, oblong), ("com = [\"rod/3\", 0, 0]", "com = [\"rod/3\", 0.01, 0]")] {
        let text = LOADED.replace(from, to);
        assert!(text != LOADED);
        let document =
            Document::from_toml(&Source::new("oblong.toml", text.as_str())).unwrap_or_else(|e| panic!("{e}"));
        Case { document: &document, series: &["motor"], samples: 1, abreast: false, ..case }.agrees();
    }
}

/// Shipped mechanisms whose text asks for inverse dynamics, or whose forces are asked for in its place.
#[test]
fn forces_of_shipped_mechanisms_are_those_of_the_general_solvers() {
    type Shipped = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);
    const SHIPPED: [Shipped; 5] = [
        (
            "stewart-platform",
            &[("ra", "normal(1, 2 mm)"), ("yaw", "uniform(10 deg, 20 deg)")],
            &["drive1", "drive4", "foot3", "leg2", "drive2.power", "ground"],
        ),
        (
            "haug-slider-crank",
            &[("crank", "normal(80 mm, 0.2 mm)"), ("rod", "normal(300 mm, 1 mm)")],
            &["motor", "A", "C", "ground"],
        ),
        // Motors bear what drivers of a platform prescribe.
        (
            "three-rrr",
            &[("R", "normal(0.5 m, 1 mm)"), ("r", "normal(0.15 m, 1 mm)")],
            &["A1", "A2.effort", "A3.effort", "A1.power", "B2", "C3.force", "ground.fx"],
        ),
        (
            "delta-robot",
            &[("r", "normal(0.1, 1 mm)"), ("arm", "normal(0.3, 1 mm)")],
            &["x", "z.power", "motor2.fx", "ground.fz"],
        ),
        ("cccc", &[("x32", "normal(2 in, 0.001 in)")], &["turn", "hold", "in", "pin"]),
    ];
    for (name, vary, series) in SHIPPED {
        let document = shipped(name);
        let text = document.contents().replace("analysis = \"kinematics\"", "analysis = \"inverse-dynamics\"");
        let document = Document::from_toml(&Source::new(name, text.as_str())).unwrap_or_else(|e| panic!("{e}"));
        let case = Case { document: &document, vary, measure: &[], series, steps: 60, samples: 9, abreast: true };
        let rows = std::panic::catch_unwind(|| case.agrees()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert!(rows.reasons.iter().all(String::is_empty), "{name}: {:?}", rows.reasons);
    }
}

/// A six-bar whose far crank drives it, so that all other bars form one group: in its plane, or in space with other ends of vectors and inertias.
fn six_bar(planar: bool) -> Document {
    const TEXT: &str = r#"
        planar = PLANAR
        gravity = [0, -9.81Z]
        [parameters]
        long = 4
        heavy = 2
        [bodies]
        crank = { mass = 1, com = [1, 0.1Z], inertia = I0.3J, pose = { at = [0, 0Z], angle = "60 degA } }
        coupler = { mass = "heavy", com = [2, 0.7Z], inertia = I2.0J, pose = { at = [1, 1.732Z], angle = "20 degA }, points = { P = [2, 1.5Z] } }
        rocker = { mass = 1.5, com = [1.6, 0Z], inertia = I1.1J, pose = { at = [5, 0Z], angle = "95 degA } }
        arm = { mass = 1, com = [2, 0Z], inertia = I1.4J, pose = { at = [2.4, 4.2Z], angle = "15 degA } }
        lever = { mass = 2, com = [2, 0.2Z], inertia = I2.4J, pose = { at = [7, 1Z], angle = "100 degA } }
        [joints]
        A = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0Z], [0, 0Z]] }
        B = { type = "revolute", bodies = ["crank", "coupler"], at = [[2, 0Z], [0, 0Z]] }
        C = { type = "revolute", bodies = ["coupler", "rocker"], at = [["long", 0Z], [3.2, 0Z]] }
        D = { type = "revolute", bodies = ["ground", "rocker"], at = [[5, 0Z], [0, 0Z]] }
        E = { type = "revolute", bodies = ["coupler", "arm"], at = [[2, 1.5Z], [0, 0Z]] }
        F = { type = "revolute", bodies = ["arm", "lever"], at = [[4.2, 0Z], [4.3, 0Z]] }
        G = { type = "revolute", bodies = ["ground", "lever"], at = [[7, 1Z], [0, 0Z]] }
        [drivers.far]
        joint = "G"
        value = "1.85 + 0.08*sin(t)"
        [forces]
        coil = { type = "joint-spring", joint = "C", stiffness = 2, damping = 0.3, rest = 0.3 }
        pull = { type = "spring", bodies = ["crank", "lever"], at = [[1, 0Z], [1, 1Z]], stiffness = 20, length = 3 }
        [run]
        analysis = "inverse-dynamics"
        end = 6.2
    "#;
    let (z, i, j, a) = if planar { ("", "", "", "\"") } else { (", 0", "[5, 5, ", "]", "\", axis = [0, 0, 1]") };
    let text = TEXT.replace("PLANAR", if planar { "true" } else { "false" });
    let text = text.replace("Z]", &format!("{z}]")).replace("I", i).replace("J", j).replace("degA", &format!("deg{a}"));
    let text = if planar {
        text
    } else {
        text.replace(" = { type = \"revolute\"", " = { type = \"revolute\", axis = [0, 0, 1]")
    };
    Document::from_toml(&Source::new("six.toml", text.as_str())).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn forces_in_larger_groups_are_those_of_the_general_solvers() {
    let (flat, space) = (six_bar(true), six_bar(false));
    let vary = [("long", "normal(4, 2 mm)"), ("heavy", "uniform(1, 3)")];
    let series = ["far", "far.power", "ground.fx", "ground.fy"];
    let all =
        ["A", "B", "C", "D.force", "E.local.fx", "F", "G", "far", "far.power", "ground.fx", "ground.fy", "ground.mz"];
    let case = Case { document: &flat, vary: &vary, measure: &[], series: &all, steps: 80, samples: 11, abreast: true };
    let rows = case.agrees();
    assert!(rows.reasons.iter().all(String::is_empty), "{:?}", rows.reasons);
    // In space its joints repeat each other: what drives it is one all the same, and that of the plane.
    let case = Case { series: &series, ..case };
    let (flat, beside) = (case.agrees(), Case { document: &space, ..case }.agrees());
    for (a, b) in flat.columns.iter().flatten().zip(beside.columns.iter().flatten()) {
        assert!((a - b).abs() <= super::AGREEMENT * b.abs().max(1.0), "{a} {b}");
    }
    // Its reactions are one choice among many.
    Case { document: &space, series: &["A"], samples: 2, abreast: false, ..case }.agrees();
}
