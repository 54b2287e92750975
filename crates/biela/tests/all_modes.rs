//! Every configuration, proved: counts of the literature, and no configuration that a search finds left out.

mod common;

use biela::math::random::Random;
use biela::model::Model;
use biela::solve::assembly_modes::{self, Modes};
use common::cases::*;
use std::fmt::Write;

fn all(text: &str) -> Modes {
    assembly_modes::all(&parse(text), 0.0).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Roots, complex ones counted, that a complete list tells.
fn complex(found: &Modes) -> usize {
    assert!(found.complete, "{}", found.proof);
    let counted = found.counted.as_ref().expect("by polynomials");
    assert_eq!(counted.account.lost, 0);
    assert!(counted.account.regular + counted.account.infinite == counted.bound, "{}", found.proof);
    // A box is far smaller than what lies between two configurations.
    assert!(counted.radius < 1e-6, "{}", found.proof);
    found.complex.expect("counted")
}

fn vector(v: [f64; 3]) -> String {
    format!("[{:?}, {:?}, {:?}]", v[0], v[1], v[2])
}

/// A platform on six rods, drawn near the ground's own pose.
fn platform(base: &[[f64; 3]; 6], top: &[[f64; 3]; 6], lengths: &[f64; 6]) -> String {
    let mut text = String::from("name = \"platform\"\n[bodies.platform]\npose = { at = [0.3, 0.4, 0.6] }\n");
    for k in 0..6 {
        let (a, b) = (vector(base[k]), vector(top[k]));
        let _ = write!(
            text,
            "[joints.leg{}]\ntype = \"rod\"\nbodies = [\"ground\", \"platform\"]\nat = [{a}, {b}]\nlength = {:?}\n",
            k + 1,
            lengths[k]
        );
    }
    text
}

#[test]
fn dietmaiers_platform_has_forty_and_all_are_real() {
    // P. Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures, 1998.
    let base = [
        [0.0, 0.0, 0.0],
        [1.107915, 0.0, 0.0],
        [0.549094, 0.756063, 0.0],
        [0.735077, -0.223935, 0.525991],
        [0.514188, -0.526063, -0.368418],
        [0.590473, 0.094733, -0.205018],
    ];
    let top = [
        [0.0, 0.0, 0.0],
        [0.542805, 0.0, 0.0],
        [0.956919, -0.528915, 0.0],
        [0.665885, -0.353482, 1.402538],
        [0.478359, 1.158742, 0.107672],
        [-0.137087, -0.235121, 0.353913],
    ];
    let lengths = [1.0, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071];
    let found = all(&platform(&base, &top, &lengths));
    assert_eq!((complex(&found), found.modes.len()), (40, 40), "{}", found.proof);
    let json = found.json();
    assert_eq!((&json["complete"], &json["real"], &json["complex"]), (&true.into(), &40.into(), &40.into()));
    assert_eq!(json["modes"][39]["number"], 40);
}

#[test]
fn platforms_have_forty_whatever_their_points() {
    let mut random = Random(20);
    for _ in 0..3 {
        let mut points = || [(); 6].map(|()| [(); 3].map(|()| random.signed()));
        let (base, top) = (points(), points());
        // Lengths that a pose near the drawing has.
        let at = [0.35, 0.45, 0.55];
        let lengths =
            [0, 1, 2, 3, 4, 5].map(|k| (0..3).map(|i| (top[k][i] + at[i] - base[k][i]).powi(2)).sum::<f64>().sqrt());
        let found = all(&platform(&base, &top, &lengths));
        assert_eq!(complex(&found), 40, "{}", found.proof);
        assert_eq!(found.modes.len() % 2, 0, "roots that are not real come in pairs");
    }
}

/// A truss of links on pins: for each pin the two links that it joins; link 0 is the ground. Points at random, which close as drawn.
fn truss(links: usize, pins: &[[usize; 2]], seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from("name = \"truss\"\nplanar = true\n");
    (1..links).for_each(|k| {
        let _ = writeln!(text, "[bodies.b{k}]");
    });
    for (k, pin) in pins.iter().enumerate() {
        let name = |b: usize| if b == 0 { "ground".to_string() } else { format!("b{b}") };
        let _ = write!(
            text,
            "[joints.p{k}]\ntype = \"revolute\"\nbodies = [\"{}\", \"{}\"]\nat = [{:?}, {:?}]\n",
            name(pin[0]),
            name(pin[1]),
            random.signed(),
            random.signed()
        );
    }
    text
}

#[test]
fn trusses_have_the_counts_of_baranov() {
    // The one of five links has 6 configurations; the three of seven links have 14, 16 and 18 (C. Innocenti 1994 to 1997; N. Rojas and F. Thomas 2013).
    let five = truss(5, &[[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4]], 3);
    assert_eq!(complex(&all(&five)), 6);
    // There are three of seven links without a smaller one inside.
    let seven: [&[[usize; 2]]; 3] = [
        &[[0, 1], [0, 2], [0, 3], [1, 4], [1, 5], [2, 4], [2, 6], [3, 5], [3, 6]],
        &[[0, 1], [0, 2], [0, 3], [1, 4], [1, 5], [2, 4], [2, 6], [3, 5], [5, 6]],
        &[[0, 1], [0, 2], [0, 3], [0, 4], [1, 5], [2, 5], [3, 6], [4, 6], [5, 6]],
    ];
    let mut counts = seven.map(|pins| complex(&all(&truss(7, pins, 4))));
    counts.sort_unstable();
    assert_eq!(counts, [14, 16, 18]);
}

/// Legs between the ground and a platform, each a body on a pivot of the ground: where its pivot is, along which axis, and the joint that carries the platform.
fn on_legs(count: usize, random: &mut Random, carries: &str, at: &mut dyn FnMut(&mut Random) -> [f64; 3]) -> String {
    let mut text = String::from("name = \"legs\"\n[bodies.platform]\n");
    for k in 0..count {
        let (foot, head) = (vector(at(random)), vector(at(random)));
        let mut axis = || vector([(); 3].map(|()| random.signed()));
        let _ = write!(
            text,
            "[bodies.leg{k}]\n[joints.foot{k}]\ntype = \"revolute\"\nbodies = [\"ground\", \"leg{k}\"]\nat = {foot}\naxis = {}\n\
             [joints.head{k}]\ntype = \"{carries}\"\nbodies = [\"leg{k}\", \"platform\"]\nat = {head}\n",
            axis()
        );
        if carries != "spherical" {
            let _ = writeln!(text, "axis = {}", axis());
        }
    }
    text
}

#[test]
fn parallel_robots_have_the_counts_of_the_literature() {
    let mut random = Random(8);
    // Three legs on pivots that carry the platform by balls: 16 (P. Nanua, K. J. Waldron and V. Murthy, Direct kinematic solution of a Stewart platform, 1990).
    let balls = on_legs(3, &mut random, "spherical", &mut |r| [(); 3].map(|()| r.signed()));
    let found = all(&balls);
    assert!(found.complete, "{}", found.proof);
    assert_eq!(found.complex, Some(16), "{}", found.proof);
    // All axes through one point: 8 (C. M. Gosselin, J. Sefrioui and M. J. Richard, On the direct kinematics of spherical three-degree-of-freedom parallel
    // manipulators of general architecture, 1994).
    let spherical = on_legs(3, &mut random, "revolute", &mut |_| [0.0; 3]);
    let found = all(&spherical);
    assert!(found.complete, "{}", found.proof);
    assert_eq!(found.complex, Some(8), "{}", found.proof);
}

#[test]
fn mechanisms_in_space_are_proved_whatever_their_joints() {
    let shipped = |name: &str| assembly_modes::all(&load(name, &biela::text::Options::default()), 0.0).expect("closes");
    // Four ways to reach a point by three axes; each of four pistons up or down; a shaft between two universal joints, told but for a half turn.
    for (name, count) in [("arm-3r", 4), ("inline-four", 16), ("haug-slider-crank", 2)] {
        let found = shipped(name);
        assert!(found.complete, "{name}: {}", found.proof);
        assert_eq!((found.modes.len(), found.complex), (count, Some(count)), "{name}: {}", found.proof);
    }
    let cardan = shipped("double-cardan");
    assert!(cardan.complete && cardan.modes.len() == 2, "{}", cardan.proof);
    // Overconstrained: Bennett's linkage has one, Sarrus's goes up or down; where all its plates lie on one it can move on, which is told.
    let bennett = shipped("bennett");
    assert!(bennett.complete && bennett.modes.len() == 1, "{}", bennett.proof);
    let sarrus = shipped("sarrus");
    assert!(sarrus.complete, "{}", sarrus.proof);
    assert_eq!(sarrus.counted.expect("by roots").on_sets.1, 1, "{}", sarrus.proof);
}

#[test]
fn no_configuration_that_a_search_finds_is_left_out() {
    // A planar platform on three driven actuators, drawn from many poses: each is closed by Newton's method to one of the list.
    let legs = [([0.0, 0.0], [0.0, 0.0], 1.1), ([2.0, 0.3], [1.5, 0.2], 1.3), ([0.7, 1.9], [0.6, 1.0], 1.2)];
    let mut text = String::from("name = \"3-RPR\"\nplanar = true\n[bodies.plate]\npose = { at = [0.5, 0.7] }\n");
    for (k, (a, b, length)) in legs.iter().enumerate() {
        let _ = write!(
            text,
            "[joints.j{k}]\ntype = \"actuator\"\nbodies = [\"ground\", \"plate\"]\nat = [{a:?}, {b:?}]\n[drivers.d{k}]\njoint = \"j{k}\"\nvalue = {length:?}\n"
        );
    }
    let model: Model = parse(&text);
    let found = assembly_modes::all(&model, 0.0).unwrap();
    assert_eq!(complex(&found), 6, "{}", found.proof);
    let mut random = Random(5);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..60 {
        use biela::math::{Pose, Rotation, Vec3};
        let pose = Pose::new(
            Rotation::about(Vec3::Z, 3.2 * random.signed()),
            Vec3::new(2.0 * random.signed(), 2.0 * random.signed(), 0.0),
        );
        let drawn = model.with_guess(&[Pose::IDENTITY, pose]);
        let Ok(one) = assembly_modes::drawn(&drawn, 0.0) else { continue };
        let place = one.modes[0].poses[1];
        let near = |m: &assembly_modes::Mode| {
            (m.poses[1].origin - place.origin).norm() + (m.poses[1].rotation.axes[0] - place.rotation.axes[0]).norm()
                < 1e-8
        };
        seen.insert(found.modes.iter().position(near).expect("a configuration of the list"));
    }
    assert!(seen.len() > 1 && seen.len() <= found.modes.len(), "{seen:?}");
}
