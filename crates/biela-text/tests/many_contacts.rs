//! Many contacts, by steps with impulses.

use biela_base::source::Source;
use biela_core::solve::forward;
use biela_results::Results;
use biela_text::{Document, Options};

/// What steps of a millisecond are off, of a metre: the last of a fall, before they close a gap.
const STEP: f64 = 1e-3;
/// Momentum about the places of contact is kept by impulses; their arms are off by the gap that a step closes, a hundredth of the radius at most.
const MOMENTUM: f64 = 5e-3;

/// Energy of a fall is kept to roundings of a few hundred steps, and contacts only take from it.
const KEPT: f64 = 1e-10;

fn run(text: &str, formulation: &str) -> Results {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    let model = document.unwrap_or_else(|e| panic!("{e}")).0;
    forward::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

/// Balls over a plate, each with every other and the plate: 231 pairs.
fn balls(more: &str) -> String {
    let ball = |k: usize| {
        let (x, y, z) = (0.3 * (k % 5) as f64, 0.3 * (k / 5) as f64, 0.15 + 0.01 * (k * 7 % 5) as f64);
        format!("bodies.s{k} = {{ mass = 1, inertia = [0.004, 0.004, 0.004], shape = {{ type = 'sphere', radius = 0.1 }}, pose = {{ at = [{x:.1}, {y:.1}, {z:.2}] }} }}\n")
    };
    let all: String = (0..21).map(ball).collect();
    format!(
        "gravity = [0, 0, -9.81]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 0, 1] }} }}
         {all}
         {more}"
    )
}

/// They fall, stay where they touch, and one that is thrown along comes to roll with 5/7 of its speed; the run says how it went, and goes the same way again.
#[test]
fn many_balls_fall_and_roll() {
    let text = balls(
        "contacts.all = { bodies = 'all', friction = 0.3 }
         initial.'s20.vy' = 0.7
         run = { analysis = 'dynamics', end = 1, steps = 20 }",
    );
    for formulation in ["absolute", "relative"] {
        let results = run(&text, formulation);
        assert!(results.notes.iter().any(|(key, text)| key == "contacts" && text.contains("overlap")));
        assert!(results.notes.iter().any(|(key, text)| key == "method" && text == "time-stepping"));
        for k in 0..21 {
            let z = *column(&results, &format!("s{k}.z")).last().unwrap();
            assert!((z - 0.1).abs() < STEP, "s{k}: {z}");
        }
        let speed = *column(&results, "s20.vy").last().unwrap();
        assert!((speed - 0.5).abs() < MOMENTUM, "{speed}");
        let weight = *column(&results, "all.normal").last().unwrap();
        assert!((weight - 21.0 * 9.81).abs() < 1e-6 * weight, "{weight}");
        let energy = column(&results, "energy.total");
        assert!(energy.windows(2).all(|pair| pair[1] - pair[0] <= KEPT * energy[0]), "{energy:?}");
        let again = run(&text, formulation);
        assert_eq!(column(&again, "s20.y"), column(&results, "s20.y"));
    }
}

/// Without friction and with all of the speed given back, equal balls that meet exchange their speeds: momentum and energy stay.
#[test]
fn many_balls_exchange_their_speeds() {
    let text = balls(
        "contacts.all = { bodies = 'all', restitution = 1 }
         initial.'s0.vx' = 1
         run = { analysis = 'dynamics', end = 0.2, steps = 4 }",
    )
    .replace("-9.81", "0");
    let text = text.replace("at = [0.3, 0.0, 0.17]", "at = [0.3, 0.0, 0.15]");
    let results = run(&text, "absolute");
    let last = |name: &str| *column(&results, name).last().unwrap();
    assert!(last("s0.vx").abs() < 1e-12 && (last("s1.vx") - 1.0).abs() < 1e-12, "{} {}", last("s0.vx"), last("s1.vx"));
}

/// Of bodies that nothing joins each starts by itself: what is given holds, turning rests before the mass centre does. With the centre 0.1 m along x of the
/// origin, which goes along x, and a turn about z, the origin goes back across so that the centre does not move there.
#[test]
fn a_body_that_nothing_joins_starts_as_it_is_told() {
    let text = balls("initial = { 's3.vx' = 0.7, 's3.wz' = 2, 's4.vz' = -0.5 }\n run = { analysis = 'dynamics', end = 1e-9, steps = 1 }")
        .replace("bodies.s3 = { mass = 1,", "bodies.s3 = { mass = 1, com = [0.1, 0, 0],")
        .replace("-9.81", "0");
    for formulation in ["absolute", "relative"] {
        let results = run(&text, formulation);
        let due = [
            ("s3.vx", 0.7),
            ("s3.vy", -0.2),
            ("s3.vz", 0.0),
            ("s3.wz", 2.0),
            ("s3.wx", 0.0),
            ("s4.vz", -0.5),
            ("s4.wx", 0.0),
            ("s5.vx", 0.0),
        ];
        for (name, due) in due {
            let found = column(&results, name)[0];
            assert!((found - due).abs() < 1e-14, "{formulation}: {name} {found}");
        }
        let rest = &results.notes.iter().find(|note| note.0 == "started at rest").expect("others rest").1;
        assert!(rest.starts_with("s0, s1, s2, s3, s4, s5"), "{rest}");
    }
}
