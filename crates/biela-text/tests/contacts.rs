//! Contacts against closed forms, in every formulation that integrates.

use biela_base::source::Source;
use biela_core::model::{Analysis, Model};
use biela_core::solve::{forward, kinematics, newton};
use biela_results::Results;
use biela_text::{Document, Options};

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;

fn read(text: &str) -> Result<Model, String> {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    document.map(|d| d.0).map_err(|e| format!("{e:?} {e}"))
}

fn run(text: &str, formulation: &str) -> Results {
    let model = read(text).unwrap_or_else(|e| panic!("{e}"));
    let found = match model.study.analysis {
        Analysis::Dynamics => forward::run(&model, formulation, |_, _| true),
        _ => kinematics::follow(&model, formulation, newton::METHODS[0], &mut |_, _| true).map(|o| o.results),
    };
    found.unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off <= tolerance, "{what}: {found} where {wanted} is due, off by {off:e}");
}

const ALL: [&str; 3] = ["absolute", "relative", "natural"];

/// A ball that sinks into a springy floor is a damped oscillator under its weight until the floor would pull.
#[test]
fn a_ball_on_a_springy_floor() {
    let (m, k, c, g, v) = (2.0, 800.0, 12.0, 9.81, 1.5);
    let text = format!(
        "planar = true
         gravity = [0, -{g}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
         bodies.ball = {{ mass = {m}, inertia = 0.01, shape = {{ type = 'circle', radius = 0.3 }}, pose = {{ at = [0, 0.3] }} }}
         contacts.floor = {{ bodies = ['ground', 'ball'], stiffness = {k}, damping = {c} }}
         initial.'ball.vy' = -{v}
         run = {{ analysis = 'dynamics', end = 0.12, steps = 24, tolerance = 1e-12 }}"
    );
    let (rate, fall): (f64, f64) = (k / m - c * c / (4.0 * m * m), c / (2.0 * m));
    let w = rate.sqrt();
    for formulation in ALL {
        let results = run(&text, formulation);
        let (t, gap) = (column(&results, "t"), column(&results, "floor.gap"));
        let (normal, tangent) = (column(&results, "floor.normal"), column(&results, "floor.tangent"));
        for i in 0..t.len() {
            // Depth about the rest depth m g/k.
            let (sine, cosine) = (w * t[i]).sin_cos();
            let a = -m * g / k;
            let b = (v + fall * a) / w;
            let swing = (-fall * t[i]).exp() * (a * cosine + b * sine);
            let depth = m * g / k + swing;
            let sinking = (-fall * t[i]).exp() * ((b * w - fall * a) * cosine - (a * w + fall * b) * sine);
            near(gap[i], -depth, CLOSED, "gap");
            // In the beginning, at no depth, nothing presses yet.
            let pressed = if i == 0 { 0.0 } else { k * depth + c * sinking };
            near(normal[i], pressed, 1e3 * CLOSED, "normal force");
            assert_eq!(tangent[i], 0.0);
        }
    }
}

/// A ball thrown along the floor without spin slips, then rolls. With I about its middle and the floor at r′ below, friction changes
/// m v by as much as I ω/r′, so that it rolls with κ/(1 + κ) of its speed, κ = m r′²/I: 5/7 where the floor is hard.
#[test]
fn a_sliding_ball_comes_to_roll() {
    let (k, g): (f64, f64) = (1e5, 9.81);
    let text = format!(
        "gravity = [0, 0, -{g}]
        bodies.ground = {{ shape = {{ type = 'box', size = [20, 20, 1], at = [0, 0, -0.5] }} }}
        bodies.ball = {{ mass = 1, inertia = [0.004, 0.004, 0.004], shape = {{ type = 'sphere', radius = 0.1 }}, pose = {{ at = [0, 0, {}] }} }}
        contacts.floor = {{ bodies = ['ground', 'ball'], stiffness = {k}, friction = 0.4, slip = 0.01 }}
        initial.'ball.vx' = 1.4
        initial.'ball.vy' = 0.7
        initial.'ball.wz' = 5
        run = {{ analysis = 'dynamics', end = 0.4, steps = 4, tolerance = 1e-12 }}",
        0.1 - g / k
    );
    // Half of the depth is the ball's own.
    let arm = 0.1 - 0.5 * g / k;
    let kappa = arm * arm / 0.004;
    for formulation in ALL {
        let results = run(&text, formulation);
        let last = |name: &str| *column(&results, name).last().expect("samples");
        let speed = 1.4 * kappa / (1.0 + kappa);
        near(last("ball.vx"), speed, CLOSED, "speed");
        near(last("ball.vy"), 0.5 * speed, CLOSED, "speed across");
        near(last("ball.wy"), speed / arm, 10.0 * CLOSED, "spin");
        near(last("ball.wz"), 5.0, CLOSED, "spin that nothing slows");
        near(last("floor.normal"), g, 1e3 * CLOSED, "normal force");
    }
}

/// Energy stored in contacts is told, and none is lost without damping and friction: two pucks and a cushion.
#[test]
fn springy_contacts_keep_energy_and_momentum() {
    let text = "planar = true
        gravity = [0, 0]
        bodies.one = { mass = 1, inertia = 0.02, shape = { type = 'polygon', points = [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]] } }
        bodies.two = { mass = 3, inertia = 0.05, shape = { type = 'spline', closed = true, points = [[0.2, 0], [0, 0.15], [-0.2, 0], [0, -0.15]] }, pose = { at = [1, 0.12] } }
        contacts.pucks = { bodies = 'all', stiffness = 5000 }
        initial.'one.vx' = 2
        initial.'one.w' = 3
        run = { analysis = 'dynamics', end = 1, steps = 100, tolerance = 1e-11 }";
    for formulation in ALL {
        let results = run(text, formulation);
        let gap = column(&results, "pucks.gap");
        assert!(gap.iter().any(|g| *g < -1e-3), "they never met");
        let energy = column(&results, "energy.total");
        let most = energy.iter().map(|e| (e - energy[0]).abs()).fold(0.0, f64::max);
        assert!(most < 1e-8 * energy[0], "{formulation}: energy changed by {most}");
        let (a, b) = (column(&results, "one.vx"), column(&results, "two.vx"));
        for i in 0..a.len() {
            near(a[i] + 3.0 * b[i], 2.0, CLOSED, "momentum");
        }
        // What was stored is given back in the end.
        assert!(*gap.last().unwrap() > 0.0 && *column(&results, "energy.potential").last().unwrap() == 0.0);
    }
}

/// A Geneva drive's pin and slot, by their shapes: with the crank's angle a from the line of centres and m = d/r the wheel stands at
/// atan(sin a/(m − cos a)) while the pin is in the slot's middle, and the pin's clearance is half of the slot's width less its radius.
#[test]
fn a_pin_in_the_slot_of_a_wheel() {
    let text = "planar = true
        parameters = { r = 0.1, d = '0.1*sqrt(2)' }
        bodies.crank = { shape = { type = 'circle', radius = 0.01, at = ['r', 0] } }
        bodies.wheel = { pose = { at = ['d', 0] }, shape = { type = 'polygon', points = [[-0.11, -0.012], [-0.02, -0.012], [-0.02, 0.012], [-0.11, 0.012], [-0.11, 0.1], [0.03, 0.1], [0.03, -0.1], [-0.11, -0.1]] } }
        joints.O = { type = 'revolute', bodies = ['ground', 'crank'], at = [0, 0] }
        joints.W = { type = 'revolute', bodies = ['ground', 'wheel'], at = ['d', 0] }
        drivers.crank = { joint = 'O', value = '-pi/4 + pi/2*t' }
        drivers.wheel = { joint = 'W', value = '-atan2(sin(-pi/4 + pi/2*t), sqrt(2) - cos(-pi/4 + pi/2*t))' }
        contacts.slot = { bodies = ['crank', 'wheel'] }
        run = { end = 1, steps = 50 }";
    for formulation in ALL {
        let results = run(text, formulation);
        assert!(results.columns.iter().all(|c| c.name != "slot.normal"));
        column(&results, "slot.gap").iter().for_each(|gap| near(*gap, 0.002, 1e-14, "clearance"));
    }
}

#[test]
fn what_cannot_touch_is_told() {
    let model = |body: &str, contact: &str| {
        format!("bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 0, 1] }} }}\nbodies.a = {{ {body} }}\ncontacts.c = {{ {contact} }}")
    };
    for (body, contact, told) in [
        ("shape = { type = 'circle', radius = 1 }", "bodies = ['ground', 'a']", "flat shape touches nothing in space"),
        ("shape = { type = 'plane', normal = [0, 1, 0] }", "bodies = ['ground', 'a']", "two planes have no end"),
        ("points = { A = [1, 0, 0] }", "bodies = ['ground', 'a']", "has no shape that could touch"),
        ("shape = { type = 'sphere', radius = 1 }", "bodies = ['a', 'a']", "cannot touch itself"),
        ("shape = { type = 'sphere', radius = 1 }", "bodies = ['ground', 'a'], friction = -1", "is negative"),
        ("shape = { type = 'sphere', radius = 1 }", "bodies = ['ground', 'a'], restitution = 2", "at most 1"),
        (
            "shape = { type = 'sphere', radius = 1 }",
            "bodies = ['ground', 'a'], restitution = 1, stiffness = 1",
            "keep one",
        ),
        (
            "shape = { type = 'sphere', radius = 1 }",
            "bodies = ['ground', 'a'], except = [['a', 'ground']]",
            "goes with bodies",
        ),
        ("shape = { type = 'sphere', radius = 1 }", "bodies = 'all', except = [['a', 'ground']]", "no two bodies"),
        ("shape = { type = 'sphere', radius = 1 }", "bodies = 'al'", "pair of bodies"),
    ] {
        let error = read(&model(body, contact)).expect_err("a contact that is none");
        assert!(error.contains(told), "{told}: {error}");
    }
    let joined = format!(
        "{}\njoints.pin = {{ type = 'spherical', bodies = ['ground', 'a'], at = [0, 0, 0] }}",
        model("shape = { type = 'sphere', radius = 1 }", "bodies = ['ground', 'a']")
    );
    assert!(read(&joined).expect_err("held together").contains("held together by joint 'pin'"));
}
