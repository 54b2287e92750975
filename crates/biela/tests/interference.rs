//! How near bodies come over a motion, against closed forms.

use biela::solve::interference::{interference, Interference};
use biela::solve::newton::METHODS;

/// What lies between samples is known to 1e-9 of the shapes, and a least distance to its square.
const NEAR: f64 = 1e-9;
/// A least distance is flat: its time is known to the root of what its value is.
const WHEN: f64 = 1e-6;

fn found(text: &str) -> Interference {
    let model = biela::model(text).unwrap_or_else(|e| panic!("{e}"));
    interference(&model, biela::solve::run::formulation_of(&model), METHODS[0]).unwrap_or_else(|e| panic!("{e}"))
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((found - wanted).abs() <= tolerance, "{what}: {found} where {wanted} is due");
}

/// Discs on two cranks that turn the same way, the second by an angle of 1 ahead: their middles differ by D + (s e^i − r) e^(iθ).
#[test]
fn discs_on_two_cranks() {
    let (d, r, s) = (0.15, 0.06, 0.05);
    let text = |steps: usize| {
        format!(
            "planar = true
             bodies.a = {{ shape = {{ type = 'circle', radius = '20 mm', at = [{r}, 0] }} }}
             bodies.b = {{ shape = {{ type = 'circle', radius = '15 mm', at = [{s}, 0] }}, pose = {{ at = [{d}, 0] }} }}
             joints.A = {{ type = 'revolute', bodies = ['ground', 'a'], at = [0, 0] }}
             joints.B = {{ type = 'revolute', bodies = ['ground', 'b'], at = [{d}, 0] }}
             drivers.a = {{ joint = 'A', value = '2*pi*t' }}
             drivers.b = {{ joint = 'B', value = '2*pi*t + 1' }}
             run = {{ end = 1, steps = {steps} }}"
        )
    };
    let arm = (s * 1f64.cos() - r, s * 1f64.sin());
    let least = d - arm.0.hypot(arm.1) - 0.035;
    let turned = std::f64::consts::PI - arm.1.atan2(arm.0);
    for steps in [9, 100] {
        let found = found(&text(steps));
        let nearest = found.least().expect("two discs");
        assert_eq!((nearest.bodies.clone(), found.doubt), (["a".to_string(), "b".to_string()], None));
        near(nearest.distance, least, NEAR, "distance");
        near(nearest.t, turned / std::f64::consts::TAU, WHEN, "time");
    }
}

/// A ball thrown up under a leaning ceiling, along whose normal it moves as a stone does.
#[test]
fn a_ball_under_a_ceiling() {
    let (lean, g, v): (f64, f64, f64) = (0.3, 9.81, 2.0);
    let text = format!(
        "gravity = [0, 0, -{g}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [{}, 0, {}], at = [0, 0, 1] }} }}
         bodies.ball = {{ mass = 1, inertia = [0.1, 0.1, 0.1], shape = {{ type = 'sphere', radius = 0.1 }} }}
         initial.'ball.vz' = {v}
         run = {{ analysis = 'dynamics', end = 0.5, steps = 4, tolerance = 1e-12 }}",
        lean.sin(),
        -lean.cos(),
    );
    let found = found(&text);
    let nearest = found.least().expect("a ball and a ceiling");
    let top = v * v / (2.0 * g);
    near(nearest.distance, (1.0 - top) * lean.cos() - 0.1, NEAR, "distance");
    near(nearest.t, v / g, WHEN, "time");
}

/// Two bullets pass each other between two samples.
#[test]
fn a_fast_pass_between_samples() {
    let text = |aside: f64| {
        format!(
            "gravity = [0, 0, 0]
             bodies.one = {{ mass = 1, inertia = [1, 1, 1], shape = {{ type = 'sphere', radius = 0.01 }}, pose = {{ at = [-100, 0, 0] }} }}
             bodies.two = {{ mass = 1, inertia = [1, 1, 1], shape = {{ type = 'capsule', radius = 0.004, length = 0.02 }}, pose = {{ at = [170, {aside}, 0] }} }}
             initial.'one.vx' = 300
             initial.'two.vx' = -510
             run = {{ analysis = 'dynamics', end = 1, steps = 2 }}"
        )
    };
    for (aside, distance) in [(0.016, 0.002), (0.013, -0.001)] {
        let found = found(&text(aside));
        let nearest = found.least().expect("two bullets");
        near(nearest.distance, distance, NEAR, "distance");
        near(nearest.t, 270.0 / 810.0, WHEN, "time");
        assert_eq!(found.json()["least"]["bodies"], serde_json::json!(["one", "two"]));
    }
}

/// The square cam of a drawing touches nothing that a joint holds it to; what joints do not hold is looked at.
#[test]
fn joined_bodies_are_left_out_and_all_others_are_pairs() {
    let text = "planar = true
         bodies.ground = { shape = { type = 'plane', normal = [0, 1], at = [0, -3] } }
         bodies.cam = { shape = { type = 'polygon', points = [[-1, -1], [1, -1], [1, 1], [-1, 1]] } }
         bodies.flag = { shape = { type = 'box', size = [1, 0.2, 1] }, pose = { at = [0, 4] } }
         joints.O = { type = 'revolute', bodies = ['ground', 'cam'], at = [0, 0] }
         joints.F = { type = 'fixed', bodies = ['ground', 'flag'], at = [0, 4] }
         drivers.turn = { joint = 'O', value = '2*t' }
         run = { end = 1 }";
    let alone = found(text);
    assert_eq!(alone.pairs.len(), 1);
    // A corner is up at an eighth of a turn; the flag's lower side is at 3.9.
    near(alone.pairs[0].distance, 3.9 - 2f64.sqrt(), NEAR, "distance");
    let declared = found(
        &format!("{text}\n contacts.floor = {{ bodies = ['ground', 'flag'] }}")
            .replace("'fixed'", "'prismatic', axis = [0, 1]")
            .replace("2*t' }", "2*t' }\n drivers.lift = { joint = 'F', value = '0.1*t' }"),
    );
    near(declared.pairs[0].distance, 6.9, NEAR, "declared");
}
