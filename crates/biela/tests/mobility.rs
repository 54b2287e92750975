//! True mobility, redundancy, solvability of reactions, and suggested changes.

mod common;

use biela::joints::kind;
use biela::math::{Pose, Rotation};
use biela::model::Model;
use biela::solve::assemble::assemble;
use biela::solve::check::{check, Report};
use biela::solve::solvability::{solvability, Solvability};
use biela::solve::suggest::Change;
use biela::system::{System, Workspace, FORMULATIONS};
use biela::text::{Document, Options};
use common::cases::*;
use std::collections::BTreeSet;

fn report(model: &Model) -> Report {
    check(model, "absolute").unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

fn validation(name: &str) -> Model {
    let path = models().join(format!("../validation/mobility/{name}.toml"));
    Document::read(&path, &Options::default()).unwrap().model(&Options::default()).unwrap()
}

/// A pin between two bodies, and its place.
type Pin<'a> = (&'a str, &'a str, [f64; 2]);

/// Planar linkage of revolutes about z.
fn pins(joints: &[Pin]) -> Model {
    let owned: Vec<_> = joints.iter().map(|j| (j.0.to_string(), j.1.to_string(), j.2)).collect();
    parse(&pin_text(&owned))
}

/// The text of such a linkage.
fn pin_text(joints: &[(String, String, [f64; 2])]) -> String {
    let mut text = String::new();
    let names: BTreeSet<&String> = joints.iter().flat_map(|j| [&j.0, &j.1]).filter(|n| *n != "ground").collect();
    names.iter().for_each(|n| text += &format!("bodies.{n} = {{ mass = 1, inertia = [1, 1, 1] }}\n"));
    for (k, (i, j, [x, y])) in joints.iter().enumerate() {
        text += &format!(
            "joints.j{k} = {{ type = \"revolute\", bodies = [\"{i}\", \"{j}\"], at = [{x:?}, {y:?}, 0], axis = \"z\" }}\n"
        );
    }
    text
}

#[test]
fn the_slider_crank_of_the_thesis_gets_its_purged_model() {
    let report = report(&load("slider-crank", &set(&[])));
    assert_eq!((report.grubler, report.motion.mobility, report.motion.redundancies), (-2, Some(1), 3));
    // Table 3.2 leaves of the piston's pin two differences of coordinates across its axis: a point on a line.
    let purged = Change { joint: "C".into(), from: "revolute", to: "point-on-line", along: None };
    assert!(report.motion.suggestions.contains(&vec![purged]), "{:?}", report.motion.suggestions);
    // The other classic: one pin a cylinder, the other a ball.
    let classic =
        |set: &Vec<Change>| set.iter().map(|c| c.to).collect::<BTreeSet<_>>() == ["cylindrical", "spherical"].into();
    assert!(report.motion.suggestions.iter().any(classic));
}

#[test]
fn every_suggestion_leaves_nothing_redundant_and_the_same_mobility() {
    let names =
        ["slider-crank", "four-bar", "watt-six-bar", "bennett", "sarrus", "spherical-four-bar", "double-cardan"];
    let own = ["door-two-hinges", "door-three-hinges", "table", "bricard", "goldberg", "parallelogram-third-crank"];
    let mut tried = 0;
    for model in names.iter().map(|n| load(n, &set(&[]))).chain(own.iter().map(|n| validation(n))) {
        let before = report(&model);
        assert!(!before.motion.suggestions.is_empty(), "{}", model.name);
        for suggestion in &before.motion.suggestions {
            let mut changed = model.clone();
            changed.change_mechanism(|mechanism| {
                for change in suggestion {
                    let joint = mechanism.joints.iter_mut().find(|j| j.name == change.joint).unwrap();
                    joint.kind = kind(change.to).unwrap();
                    joint.frames = joint.frames.map(|f| {
                        let [x, y, z] = f.rotation.axes;
                        let turned = match (change.to, change.along) {
                            ("universal", Some("y")) => Rotation::from_z_x(z, y),
                            ("point-on-plane", Some("x")) => Rotation::from_z_x(x, y),
                            _ => Some(f.rotation),
                        };
                        Pose::new(turned.unwrap(), f.origin)
                    });
                }
            });
            let after = report(&changed);
            assert_eq!(after.motion.redundancies, 0, "{}: {suggestion:?}", model.name);
            assert_eq!(after.motion.mobility, before.motion.mobility, "{}: {suggestion:?}", model.name);
            let open = after.motion.reactions.unwrap().indeterminate();
            assert!(open.is_empty(), "{}: {suggestion:?}: {open:?}", model.name);
            tried += 1;
        }
    }
    assert!(tried > 40, "only {tried}");
}

#[test]
fn order_of_bodies_and_joints_changes_nothing() {
    let own = ["parallelogram-third-crank", "bricard", "truss-locked", "table", "parallelogram-flat"];
    let names = ["slider-crank", "bennett", "peaucellier", "spherical-four-bar", "double-cardan"];
    for model in names.iter().map(|n| load(n, &set(&[]))).chain(own.iter().map(|n| validation(n))) {
        let facts = |model: &Model| {
            let r = report(model);
            let reactions = r.motion.reactions.unwrap();
            let all: BTreeSet<String> = reactions.all.iter().map(|r| format!("{r:?}")).collect();
            let suggestions = format!("{:?}", r.motion.suggestions);
            (r.motion.mobility, r.redundant, r.motion.groups, all, reactions.sums, suggestions)
        };
        let before = facts(&model);
        for turn in 1..4 {
            let mut other = model.clone();
            other.change_mechanism(|other| {
                other.joints.reverse();
                other.joints.rotate_left(turn % model.joints.len());
                other.bodies[1..].rotate_left(turn % (model.bodies.len() - 1));
                let place = |b: usize| other.bodies.iter().position(|x| x.name == model.bodies[b].name).unwrap();
                for joint in &mut other.joints {
                    joint.bodies = joint.bodies.map(place);
                }
            });
            let mut drivers = model.drivers.to_vec();
            for driver in &mut drivers {
                if let biela::drivers::Target::Coordinate { of, .. } = &mut driver.target {
                    of.joint = other.joint(&model.joints[of.joint].name).unwrap();
                }
            }
            let other = other.with_drivers(drivers);
            assert_eq!(facts(&other), before, "{} turned by {turn}", model.name);
        }
    }
}

#[test]
fn all_formulations_tell_the_same() {
    for name in ["slider-crank", "bennett", "sarrus", "delta-robot", "stewart-platform", "gear-train"] {
        let model = load(name, &set(&[]));
        let facts = |formulation: &str| {
            let r = check(&model, formulation).unwrap();
            (r.motion.mobility, r.motion.redundancies, r.redundant, r.motion.reactions.unwrap().indeterminate())
        };
        let expected = facts("absolute");
        for formulation in FORMULATIONS {
            assert_eq!(facts(formulation.keyword), expected, "{name} {}", formulation.keyword);
        }
    }
}

#[test]
fn sums_that_balance_the_load_are_unique() {
    // The weight of a door rests on both hinges together; a table of equal legs shares by neighbours.
    let door = report(&validation("door-three-hinges")).motion.reactions.unwrap();
    assert!(door.sums_in_words().contains(&"lower.fz + middle.fz + upper.fz".to_string()));
    assert!(door.all.contains(&("upper.mz".into(), Solvability::Unique)));
    let table = report(&validation("table")).motion.reactions.unwrap();
    assert_eq!(table.sums_in_words(), ["leg1.fz + leg2.fz", "leg1.fz + leg4.fz", "leg1.fz - leg3.fz"]);
}

#[test]
fn a_second_motor_makes_both_efforts_indeterminate() {
    // Both cranks of a parallelogram turn alike.
    let second = "[drivers.second]\njoint = \"D\"\nvalue = \"60 deg * sin(2*pi*t)\"\n[run]";
    let two = altered("parallelogram", &[("[run]", second)]);
    let reactions = report(&two).motion.reactions.unwrap();
    let of = |name: &str| reactions.all.iter().find(|r| r.0 == name).unwrap().1.clone();
    let sum = vec!["motor.effort + second.effort".to_string()];
    assert_eq!(of("motor.effort"), Solvability::InSum(sum.clone()));
    assert_eq!(of("second.effort"), Solvability::InSum(sum));
    assert_eq!(of("A.mz"), Solvability::Unique);
}

#[test]
fn solvability_at_a_position_is_that_of_the_bodies_in_any_coordinates() {
    let model = load("slider-crank", &set(&[]));
    let mut lists = Vec::new();
    for formulation in FORMULATIONS {
        let system = System::new(&model, formulation.keyword).unwrap();
        let mut ws = Workspace::new(&system);
        let q = assemble(&system, &mut ws, 0.0).unwrap();
        ws.realize_position(&system, 0.0, &q);
        lists.push(solvability(&system, &ws, 0.0).unwrap().all);
    }
    assert!(lists.iter().all(|l| *l == lists[0]));
    assert_eq!(lists[0].iter().filter(|r| r.1 != Solvability::Unique).count(), 12);
}

#[test]
fn finite_freedoms_are_told_from_trembling_ones() {
    // Flat positions of all sorts: (pins, by rank, true).
    let g = "ground";
    let cases: [(&[Pin], usize, usize); 5] = [
        // Two bars in line, a third bar hanging on the middle pin: it swings, the middle trembles.
        (&[(g, "a", [0.0, 0.0]), ("a", "b", [1.0, 0.0]), (g, "b", [2.0, 0.0]), ("b", "c", [1.0, 0.0])], 2, 1),
        // A crank, and the trembling pair built upon it: trembling wherever the crank stands.
        (
            &[(g, "base", [0.0, 0.0]), ("base", "a", [0.0, 1.0]), ("a", "b", [1.0, 1.0]), ("base", "b", [2.0, 1.0])],
            2,
            1,
        ),
        // Four-bar at a limit of its crank: coupler and rocker in line, nothing singular without a driver.
        (&[(g, "a", [0.0, 0.0]), ("a", "b", [0.0, 3.0]), ("b", "c", [2.0, 1.5]), (g, "c", [4.0, 0.0])], 1, 1),
        // Flat kite (cranks 1 and 2, coupler 1, ground 2): folds, or the two short bars turn together.
        (&[(g, "a", [0.0, 0.0]), ("a", "b", [1.0, 0.0]), ("b", "c", [0.0, 0.0]), (g, "c", [2.0, 0.0])], 2, 1),
        // Flat triangle with a long bar of just the two others' length: locked.
        (&[(g, "a", [0.0, 0.0]), ("a", "b", [3.0, 0.0]), (g, "b", [2.0, 0.0])], 1, 0),
    ];
    for (k, (joints, by_rank, finite)) in cases.iter().enumerate() {
        let r = report(&pins(joints));
        assert_eq!((r.instantaneous_mobility, r.motion.mobility), (*by_rank, Some(*finite)), "case {k}");
    }
    // Wren's platform: six equal upright rods on equal hexagons. It swings like a lift (two freedoms) or turns as it sinks
    // (one); upright both meet, and the swing trembles about its own rods wherever it goes.
    let mut wren = String::from("bodies.p = { pose = { at = [0, 0, 1] } }\n");
    for k in 0..6 {
        let (y, x) = (k as f64 * std::f64::consts::FRAC_PI_3).sin_cos();
        wren += &format!("joints.d{k} = {{ type = \"distance\", bodies = [\"ground\", \"p\"], at = [[{x}, {y}, 0], [{x}, {y}, 0]], length = 1 }}\n");
    }
    let r = report(&parse(&wren));
    assert_eq!((r.grubler, r.instantaneous_mobility, r.motion.mobility), (0, 3, Some(2)));
    assert!(report(&validation("truss-trembling")).text().contains("trembling: 1 freedom"));
    assert!(report(&validation("parallelogram-flat")).text().contains("singular position: 1 freedom more"));
}

/// Points, and the bars between them.
type Bars<'a> = (&'a [[f64; 2]], &'a [(usize, usize)]);

/// Pins of a framework of bars, the first of which is `base`.
fn framework((points, edges): Bars, base: &str) -> Vec<(String, String, [f64; 2])> {
    let body = |k: usize| if k == 0 { base.to_string() } else { format!("b{k}") };
    let mut joints = Vec::new();
    for (v, point) in points.iter().enumerate() {
        let at: Vec<usize> = (0..edges.len()).filter(|k| edges[*k].0 == v || edges[*k].1 == v).collect();
        joints.extend(at.iter().skip(1).map(|k| (body(at[0]), body(*k), *point)));
    }
    joints
}

/// A point of `body` held on a line through `at` as drawn.
fn tracer(base: &str, body: &str, at: [f64; 2], along: [f64; 2]) -> String {
    let ([x, y], [u, v]) = (at, along);
    format!("joints.tracer = {{ type = \"point-on-line\", bodies = [\"{base}\", \"{body}\"], at = [{x}, {y}, 0], axis = [{u}, {v}, 0] }}\n")
}

/// A triangle on three bars from another triangle.
fn prism(feet: [[f64; 2]; 3], heads: [[f64; 2]; 3], base: &str) -> Vec<(String, String, [f64; 2])> {
    let leg = |k: usize| [(base.into(), format!("l{k}"), feet[k]), (format!("l{k}"), "top".into(), heads[k])];
    (0..3).flat_map(leg).collect()
}

/// Linkages and structures by name: text, freedoms by rank as drawn, true freedoms.
fn known() -> Vec<(&'static str, String, usize, usize)> {
    let own = |joints: &[(String, String, [f64; 2])]| pin_text(joints);
    let fixed = |joints: &[Pin]| -> Vec<(String, String, [f64; 2])> {
        joints.iter().map(|j| (j.0.to_string(), j.1.to_string(), j.2)).collect()
    };
    let quad = |a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2], base: &str| {
        fixed(&[(base, "a", a), ("a", "c", b), ("c", "b", c), (base, "b", d)])
    };
    // The same structure on a base that turns about a pin.
    let carried = |joints: Vec<(String, String, [f64; 2])>| {
        let mut all = vec![("ground".to_string(), "base".to_string(), [0.0, -5.0])];
        all.extend(joints);
        all
    };
    let watt = |base: &str| quad([-2.0, 0.5], [0.0, 0.5], [0.0, -0.5], [2.0, -0.5], base);
    let watt_line = |base: &str| tracer(base, "c", [0.0, 0.0], [0.0, 1.0]);
    let chebyshev = quad([-2.0, 0.0], [1.0, 4.0], [-1.0, 4.0], [2.0, 0.0], "ground");
    let roberts = quad([-2.0, 0.0], [-1.0, 1.8], [1.0, 1.8], [2.0, 0.0], "ground");
    // Scott and Russell: the middle of the bar on a crank of half its length, one end on a line; the other end runs on a line.
    let (cos, sin) = (0.8, 0.6);
    let russell = own(&fixed(&[("ground", "k", [0.0, 0.0]), ("k", "c", [cos, sin])]))
        + &tracer("ground", "c", [0.0, 2.0 * sin], [0.0, 1.0])
        + &tracer("ground", "c", [2.0 * cos, 0.0], [1.0, 0.0]).replace("tracer", "guide");
    // Complete bipartite frameworks: on two axes at right angles [Dixon 1899] they move, on a conic they tremble [Bolker, Roth 1980].
    let edges: Vec<(usize, usize)> = (0..9).map(|k| (k / 3, 3 + k % 3)).collect();
    let axes = [[1.0, 0.0], [2.0, 0.0], [-1.5, 0.0], [0.0, 1.2], [0.0, -2.2], [0.0, 3.1]];
    let circle = [0.1f64, 1.3, 2.9, 4.0, 5.2, 0.7].map(|a| [a.cos(), a.sin()]);
    let anywhere = [[0.3, 1.2], [-1.1, 0.4], [1.7, -0.9], [-0.6, -1.4], [1.9, 1.1], [0.2, -0.3]];
    // Bars that meet in a point, that are parallel, and that are parallel and equal.
    let feet = [[0.0, 0.0], [4.0, 0.0], [1.0, 3.0]];
    let toward = |p: [f64; 2], f: f64| [p[0] + (1.5 - p[0]) * f, p[1] + (8.0 - p[1]) * f];
    let meeting = [toward(feet[0], 0.3), toward(feet[1], 0.45), toward(feet[2], 0.6)];
    let along = |f: [f64; 3]| [0, 1, 2].map(|k: usize| [feet[k][0] + 0.5 * f[k], feet[k][1] + 2.0 * f[k]]);
    let in_line = |base: &str| fixed(&[(base, "a", [0.0, 0.0]), ("a", "b", [1.0, 0.0]), (base, "b", [2.0, 0.0])]);
    vec![
        ("Watt", own(&watt("ground")), 1, 1),
        ("Watt, middle on its line", own(&watt("ground")) + &watt_line("ground"), 1, 0),
        ("Watt, middle on its line, on a crank", own(&carried(watt("base"))) + &watt_line("base"), 2, 1),
        ("Chebyshev, middle on its line", own(&chebyshev) + &tracer("ground", "c", [0.0, 4.0], [1.0, 0.0]), 1, 0),
        ("Roberts, tip on its line", own(&roberts) + &tracer("ground", "c", [0.0, 0.0], [1.0, 0.0]), 1, 0),
        ("Scott and Russell, both ends on lines", russell, 1, 1),
        ("Dixon", own(&framework((&axes, &edges), "ground")), 1, 1),
        ("bipartite on a circle", own(&framework((&circle, &edges), "ground")), 1, 0),
        ("bipartite on a circle, on a crank", own(&carried(framework((&circle, &edges), "base"))), 2, 1),
        ("bipartite", own(&framework((&anywhere, &edges), "ground")), 0, 0),
        ("triangles in perspective", own(&prism(feet, meeting, "ground")), 1, 0),
        ("triangles in perspective, on a crank", own(&carried(prism(feet, meeting, "base"))), 2, 1),
        ("three parallel bars", own(&prism(feet, along([1.0, 1.3, 0.7]), "ground")), 1, 0),
        ("three parallel bars of one length", own(&prism(feet, along([1.0; 3]), "ground")), 1, 1),
        ("two bars in line", own(&in_line("ground")), 1, 0),
        ("two bars in line, on a crank", own(&carried(in_line("base"))), 2, 1),
        ("a flexible octahedron", octahedron([[0.5, 1.0, -0.7], [-1.2, 0.3, 0.6], [1.5, -0.8, 1.1]], None), 1, 1),
        ("a regular octahedron", octahedron(triangle(0.0, 1.0, 0.0), Some(triangle(60.0, 1.0, 1.2))), 0, 0),
        ("an octahedron twisted by a right angle", octahedron(triangle(0.0, 1.0, 0.0), Some(triangle(90.0, 0.7, 1.1))), 1, 0),
        (
            "a point on a sphere and its tangent plane",
            "bodies.p = { pose = { at = [0, 0, 1] } }\n\
             joints.d = { type = \"distance\", bodies = [\"ground\", \"p\"], at = [[0, 0, 0], [0, 0, 0]], length = 1 }\n\
             joints.e = { type = \"point-on-plane\", bodies = [\"ground\", \"p\"], at = [[0, 0, 1], [0, 0, 0]], axis = \"z\" }\n"
                .into(),
            5,
            3,
        ),
    ]
}

/// Corners of an equilateral triangle about z.
fn triangle(turn: f64, radius: f64, z: f64) -> [[f64; 3]; 3] {
    [0.0, 120.0, 240.0].map(|a: f64| {
        let (sin, cos) = (a + turn).to_radians().sin_cos();
        [radius * cos, radius * sin, z]
    })
}

/// A triangle in the ground and one as a body, each corner joined to the two others across. Without corners for the body it is the
/// first turned by half a turn about z: Bricard's first kind, which moves.
fn octahedron(feet: [[f64; 3]; 3], heads: Option<[[f64; 3]; 3]>) -> String {
    let heads = heads.unwrap_or(feet.map(|[x, y, z]| [-x, -y, z]));
    let mut text = String::from("bodies.p = {}\n");
    for (i, a) in feet.iter().enumerate() {
        for (j, b) in heads.iter().enumerate().filter(|(j, _)| *j != i) {
            let length = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt();
            text += &format!("joints.d{i}{j} = {{ type = \"distance\", bodies = [\"ground\", \"p\"], at = [{a:?}, {b:?}], length = {length:?} }}\n");
        }
    }
    text
}

#[test]
fn known_linkages_move_and_known_structures_tremble() {
    for (name, text, by_rank, finite) in known() {
        let report = report(&parse(&text));
        assert_eq!((report.instantaneous_mobility, report.motion.mobility), (by_rank, Some(finite)), "{name}");
        let words = report.text();
        // All of these that are not regular tremble in every position; none has fewer freedoms elsewhere.
        assert_eq!(report.motion.generic_mobility, by_rank, "{name}: {words}");
        assert!(!words.contains("elsewhere on the motion"), "{name}: {words}");
        assert_eq!(words.contains("trembling"), finite < by_rank, "{name}: {words}");
        assert_eq!(words.contains("fixed"), finite == 0 && by_rank > 0, "{name}: {words}");
    }
}

/// What `check` calls mobile moves by a driver, what it calls fixed does not, for the same reason, in all coordinates.
#[test]
fn check_and_run_agree() {
    let driver = "[drivers.m]\njoint = \"j0\"\nvalue = \"0.02*t\"\n[run]\nend = 1\nsteps = 2\n";
    for (name, text, by_rank, finite) in known() {
        if by_rank != 1 || !text.contains("joints.j0") {
            continue;
        }
        let model = parse(&format!("gravity = [0, -9.81, 0]\n{text}{driver}"));
        for formulation in biela::system::formulations() {
            let told = check(&model, formulation.keyword).unwrap().motion.mobility;
            assert_eq!(told, Some(finite), "{name}, {}", formulation.keyword);
            let found = biela::solve::kinematics::run(&model, formulation.keyword, |_, _| true);
            match found {
                Ok(_) => assert_eq!(finite, 1, "{name}, {}", formulation.keyword),
                Err(e) => {
                    let words = e.to_string();
                    assert!(finite == 0 && words.contains("infinitely small"), "{name}, {}: {e}", formulation.keyword);
                }
            }
        }
        // Loads move it no further than drivers do.
        if finite == 0 {
            let mut free = model.released();
            for analysis in [biela::model::Analysis::Statics, biela::model::Analysis::Dynamics] {
                free.study.analysis = analysis;
                let found = biela::solve::run::run(&free, "absolute", biela::solve::newton::METHODS[0], |_, _| true);
                let words = found.map(|_| String::new()).unwrap_or_else(|e| e.to_string());
                assert!(words.contains("infinitely small"), "{name}, {analysis:?}: {words}");
            }
        }
    }
}

#[test]
fn a_third_crank_of_another_length_locks_the_parallelogram() {
    let g = "ground";
    let with = |x: f64| {
        report(&pins(&[
            (g, "a", [0.0, 0.0]),
            ("a", "c", [1.0, 2.0]),
            ("c", "b", [6.0, 2.0]),
            (g, "b", [5.0, 0.0]),
            (g, "d", [2.0, 0.0]),
            ("c", "d", [x, 2.0]),
        ]))
    };
    assert_eq!(with(3.0).motion.mobility, Some(1));
    let locked = with(3.1);
    assert_eq!((locked.instantaneous_mobility, locked.motion.mobility), (0, Some(0)));
    assert_eq!(locked.motion.redundancies, 6);
}

#[test]
fn hundreds_of_loops_are_explored() {
    let mut joints: Vec<(String, String, [f64; 2])> = Vec::new();
    const LOOPS: usize = 150;
    for i in 0..=LOOPS {
        joints.push(("ground".into(), format!("k{i}"), [i as f64, 0.0]));
    }
    for i in 0..LOOPS {
        joints.push((format!("k{i}"), format!("c{i}"), [i as f64 + 0.3, 1.0]));
        joints.push((format!("c{i}"), format!("k{}", i + 1), [i as f64 + 1.3, 1.0]));
    }
    let borrowed: Vec<Pin> = joints.iter().map(|j| (j.0.as_str(), j.1.as_str(), j.2)).collect();
    let r = report(&pins(&borrowed));
    assert_eq!((r.motion.mobility, r.motion.redundancies), (Some(1), 3 * LOOPS));
    assert_eq!(r.motion.reactions.unwrap().indeterminate().len(), 3 * borrowed.len());
}

#[test]
fn redundant_components_are_in_ground_axes() {
    // The slider-crank with its axes along x: what repeats is the force along x and the moments about y and z.
    let turned = |text: String| {
        text.replace("axis = [0, 0, 1]", "axis = \"keep\"")
            .replace("axis = [1, 0, 0]", "axis = [0, 1, 0]")
            .replace("axis = \"keep\"", "axis = [1, 0, 0]")
    };
    let pin = |name: &str, bodies: &str, at: &str| {
        format!("joints.{name} = {{ type = \"revolute\", bodies = [{bodies}], at = {at}, axis = [0, 0, 1] }}\n")
    };
    let text = [
        "bodies.crank = {}\nbodies.rod = {}\nbodies.piston = {}\n".to_string(),
        pin("O", "\"ground\", \"crank\"", "[0, 0, 0]"),
        pin("B", "\"crank\", \"rod\"", "[0, 1, 1]"),
        pin("C", "\"rod\", \"piston\"", "[0, 3, 0]"),
        "joints.guide = { type = \"prismatic\", bodies = [\"ground\", \"piston\"], at = [0, 3, 0], axis = [1, 0, 0] }\n".into(),
    ];
    let report = report(&parse(&turned(text.concat())));
    let groups = report.motion.groups.unwrap();
    let [(3, rows)] = groups.as_slice() else { panic!("{groups:?}") };
    for (joint, components) in rows {
        assert_eq!(components, &["fx", "my", "mz"], "{joint}");
    }
    assert!(report.motion.reactions.unwrap().indeterminate().contains(&"B.fx".to_string()));
}

#[test]
fn distance_to_singularity_is_told_and_typed() {
    use biela::solve::singularity::Kind;
    // Drawn flat, and nearly so; a truss whose middle pin lies almost on the line of its ends.
    let flat = report(&validation("parallelogram-flat"));
    assert_eq!((flat.singularity.0, flat.singularity.1), (Some(0.0), Some(Kind::Constraint)));
    let good = report(&load("slider-crank", &set(&[])));
    assert!(good.singularity.0.unwrap() > 0.05 && good.singularity.1.is_none(), "{:?}", good.singularity);
    for off in [1e-5, 1e-7] {
        let truss = report(&pins(&[("ground", "a", [0.0, 0.0]), ("a", "b", [1.0, off]), ("ground", "b", [2.0, 0.0])]));
        assert_eq!(truss.motion.mobility, Some(0), "off by {off}");
        let distance = truss.singularity.0.unwrap();
        assert!(distance < 10.0 * off && distance > 0.01 * off, "off by {off}: {distance:e}");
        assert!(truss.text().contains("nearly trembling"), "{}", truss.text());
    }
    // The piston drives at its dead centre.
    let model = altered(
        "slider-crank",
        &[("joint = \"O\"\nvalue = \"pi/4 + omega*t\"", "joint = \"guide\"\nvalue = \"5.5 - 1e-9\"")],
    );
    let report = report(&model);
    assert_eq!(report.singularity.1, Some(Kind::Input), "{:?}", report.singularity);
}

#[test]
fn large_mechanisms_in_singular_positions_are_explored() {
    // Twenty parallelograms drawn flat, each with two motions that cross: 360 velocities, 40 freedoms by rank, 20 in truth.
    let mut names = Vec::new();
    for k in 0..20 {
        names.push([format!("a{k}"), format!("b{k}"), format!("c{k}")]);
    }
    let mut joints: Vec<Pin> = Vec::new();
    for (k, [a, b, c]) in names.iter().enumerate() {
        let y = 2.0 * k as f64;
        joints.extend([
            ("ground", a.as_str(), [0.0, y]),
            (a.as_str(), b.as_str(), [2.0, y]),
            (b.as_str(), c.as_str(), [7.0, y]),
            ("ground", c.as_str(), [5.0, y]),
        ]);
    }
    let report = report(&pins(&joints));
    assert_eq!((report.instantaneous_mobility, report.motion.mobility), (40, Some(20)), "{:?}", report.motion.untold);
}

/// Branches of parallelograms, each on the crank of the one before, all in line: each has one motion (two that cross there), and one freedom
/// more by rank.
#[test]
fn many_four_bars_in_line_move_as_each_alone() {
    for (branches, stages) in [(1, 10), (2, 5), (6, 10)] {
        let mut joints = Vec::new();
        for b in 0..branches {
            let mut base = "ground".to_string();
            for s in 0..stages {
                let [rocker, crank, rod] = ["rocker", "crank", "rod"].map(|n| format!("{n}_{b}_{s}"));
                joints.push((base.clone(), rocker.clone(), [1.0, 0.0]));
                joints.push((base, crank.clone(), [0.0, 0.0]));
                joints.push((crank.clone(), rod.clone(), [0.5, 0.0]));
                joints.push((rocker, rod, [1.5, 0.0]));
                base = crank;
            }
        }
        let found = report(&parse(&pin_text(&joints)));
        let count = branches * stages;
        assert_eq!(found.motion.mobility, Some(count), "{branches} of {stages}");
        assert_eq!(found.motion.generic_mobility, count, "{branches} of {stages}");
        assert_eq!(found.instantaneous_mobility, 2 * count, "{branches} of {stages}");
    }
}
