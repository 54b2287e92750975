//! Friction of what turns and slides at once, and of guides that bear moments, against closed forms in every formulation that integrates.

use biela_base::source::Source;
use biela_core::model::{Analysis, Model};
use biela_core::solve::{forward, kinematics, newton};
use biela_results::Results;
use biela_text::{Document, Options};

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;
/// A joint that is stuck is as far off as one solution of its row is: roundings of a metre or a radian.
const STILL: f64 = 1e-14;

fn attempt(text: &str) -> Result<Model, String> {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    document.map(|read| read.0).map_err(|e| e.to_string())
}

fn run(text: &str, formulation: &str) -> Results {
    let model = attempt(text).unwrap_or_else(|e| panic!("{e}"));
    let found = match model.study.analysis {
        Analysis::Dynamics => forward::run(&model, formulation, |_, _| true),
        _ => kinematics::follow(&model, formulation, newton::METHODS[0], &mut |_, _| true).map(|o| o.results),
    };
    found.unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

fn last(results: &Results, name: &str) -> f64 {
    *column(results, name).last().expect("a sample")
}

/// Times of events whose text has these words.
fn events(results: &Results, what: &str) -> Vec<f64> {
    let told = results.notes.iter().filter(|(key, text)| key == "event" && text.contains(what));
    told.map(|(_, text)| text.rsplit("t = ").next().and_then(|t| t.strip_suffix(" s")).unwrap().parse().unwrap())
        .collect()
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off <= tolerance, "{what}: {found} where {wanted} is due, off by {off:e}");
}

const ALL: [&str; 3] = ["absolute", "relative", "natural"];

/// A mass thrown across a plate that leans by its angle of friction: |v| and the part of v down the slope always sum up to the speed at first, so that it
/// comes to go straight down at half of it.
#[test]
fn a_puck_across_a_slope_ends_at_half_its_speed() {
    let text = "gravity = ['9.81*sin(atan(0.3))', 0, '-9.81*cos(atan(0.3))']
        bodies.puck = { mass = 2, inertia = [0.1, 0.2, 0.3] }
        joints.plate = { type = 'point-on-plane', bodies = ['ground', 'puck'], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1], friction = { coefficient = 0.3 } }
        initial.'puck.vy' = 2
        run = { analysis = 'dynamics', end = 3, steps = 30, tolerance = 1e-12 }";
    for formulation in ALL {
        let results = run(text, formulation);
        let (vx, vy) = (column(&results, "puck.vx"), column(&results, "puck.vy"));
        for (vx, vy) in vx.iter().zip(vy) {
            near(vx.hypot(*vy) + vx, 2.0, CLOSED, formulation);
        }
        assert!(last(&results, "puck.vy") < 1e-2 * last(&results, "puck.vx"));
        near(column(&results, "plate.fz")[3], 2.0 * 9.81 * 0.3f64.atan().cos(), CLOSED, formulation);
    }
}

/// A puck slides straight on by v²/2 μ g whichever way, stops there for good, and holds what is less than its friction at rest.
#[test]
fn a_puck_stops_and_stays() {
    let (mu, g): (f64, f64) = (0.25, 9.81);
    let text = format!(
        "gravity = [0, 0, -{g}]
         bodies.puck = {{ mass = 2, inertia = [0.1, 0.2, 0.3] }}
         joints.plate = {{ type = 'point-on-plane', bodies = ['ground', 'puck'], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1], friction = {{ coefficient = {mu}, static = 0.4 }} }}
         initial.'puck.vx' = 0.6
         initial.'puck.vy' = -0.8
         forces.push = {{ type = 'force', body = 'puck', at = [0, 0, 0], value = ['if(t > 1, 3 N/s*(t - 1 s), 0)', 'if(t > 1, 4 N/s*(t - 1 s), 0)', 0] }}
         run = {{ analysis = 'dynamics', end = 3, steps = 30, tolerance = 1e-12 }}"
    );
    let (stop, way) = (1.0 / (mu * g), 0.5 / (mu * g));
    // 5 N/s against 0.4 · 2 g at rest, and 0.25 · 2 g from there on.
    let slips = 1.0 + 0.4 * 2.0 * g / 5.0;
    for formulation in ALL {
        let results = run(&text, formulation);
        near(events(&results, "sticks")[0], stop, CLOSED, "stop");
        near(events(&results, "slips")[0], slips, CLOSED, "slip");
        let (t, x, y) = (column(&results, "t"), column(&results, "puck.x"), column(&results, "puck.y"));
        let stuck = column(&results, "plate.stuck");
        for k in 0..t.len() {
            if t[k] > stop && t[k] < slips {
                near(x[k], 0.6 * way, CLOSED, "x");
                near(y[k], -0.8 * way, CLOSED, "y");
                assert!(stuck[k] == 1.0);
            }
        }
        let s = 3.0 - slips;
        let along = (5.0 * s * s * s / 6.0 + (0.4 - mu) * 2.0 * g * s * s / 2.0) / 2.0;
        near(last(&results, "puck.x"), 0.6 * way + 0.6 * along, CLOSED, "x in the end");
        near(last(&results, "puck.y"), -0.8 * way + 0.8 * along, CLOSED, "y in the end");
    }
}

/// The same in a plane: one way alone.
#[test]
fn a_puck_in_a_plane() {
    let text = "planar = true
        gravity = [0, -9.81]
        bodies.puck = { mass = 2, inertia = 0.1 }
        joints.plate = { type = 'point-on-plane', bodies = ['ground', 'puck'], at = [[0, 0], [0, 0]], axis = [0, 1], friction = { coefficient = 0.3, static = 0.4 } }
        initial.'puck.vx' = -2
        run = { analysis = 'dynamics', end = 1, steps = 10, tolerance = 1e-12 }";
    for formulation in ALL {
        let results = run(text, formulation);
        near(last(&results, "puck.x"), -4.0 / (2.0 * 0.3 * 9.81), CLOSED, formulation);
        near(events(&results, "sticks")[0], 2.0 / (0.3 * 9.81), CLOSED, formulation);
    }
}

fn sleeve(more: &str) -> String {
    format!(
        "gravity = [0, 0, -9.81]
         bodies.rod = {{ mass = 2, inertia = [0.01, 0.02, 0.02] }}
         joints.sleeve = {{ type = 'cylindrical', bodies = ['ground', 'rod'], at = [[0, 0, 0], [0, 0, 0]], axis = [1, 0, 0], friction = {{ coefficient = 0.2, radius = '20 mm' }} }}
         {more}"
    )
}

/// A shaft that turns in its sleeve gives way to any pull along it: with turning and sliding in one slip, the pull F is μ N times the part of the slip
/// along the axis, and the torque is what is left of μ N r.
#[test]
fn a_turning_shaft_gives_way_to_any_pull() {
    let (load, r, w): (f64, f64, f64) = (0.2 * 2.0 * 9.81, 0.02, 30.0);
    let pull = 2.0;
    let slides = r * w * pull / (load * load - pull * pull).sqrt();
    let text = sleeve(&format!(
        "drivers.turn = {{ joint = 'sleeve', coordinate = 'angle', value = '30*t' }}
         forces.pull = {{ type = 'joint-torque', joint = 'sleeve.slide', value = {pull} }}
         initial.'sleeve.slide.rate' = {slides}
         run = {{ analysis = 'dynamics', end = 1, steps = 4, tolerance = 1e-12 }}"
    ));
    for formulation in ALL {
        let results = run(&text, formulation);
        near(last(&results, "sleeve.slide"), slides, CLOSED, formulation);
        let torque = (load * load - pull * pull).sqrt() * r;
        near(last(&results, "turn.effort"), torque, CLOSED, formulation);
        near(last(&results, "sleeve.friction"), -torque, CLOSED, formulation);
    }
}

/// A shaft at rest in its sleeve holds a torque T and a pull F as long as (T/r)² + F² is less than (μ N)², and then slips along both.
#[test]
fn a_sleeve_holds_turn_and_slide_together() {
    let (load, r, torque): (f64, f64, f64) = (0.2 * 2.0 * 9.81, 0.02, 0.05);
    let text = sleeve(
        "forces.pull = { type = 'joint-torque', joint = 'sleeve.slide', value = '2 N/s*t' }
         forces.twist = { type = 'joint-torque', joint = 'sleeve', coordinate = 'angle', value = '0.05 N*m' }
         run = { analysis = 'dynamics', end = 1.6, steps = 8, tolerance = 1e-12 }",
    );
    let slips = (load * load - (torque / r) * (torque / r)).sqrt() / 2.0;
    for formulation in ALL {
        let results = run(&text, formulation);
        near(events(&results, "slips")[0], slips, CLOSED, formulation);
        let (t, angle, slide) =
            (column(&results, "t"), column(&results, "sleeve.angle"), column(&results, "sleeve.slide"));
        for k in (0..t.len()).filter(|k| t[*k] < slips) {
            assert!(angle[k].abs() < STILL && slide[k].abs() < STILL, "{formulation}");
        }
        assert!(last(&results, "sleeve.angle") > 0.0 && last(&results, "sleeve.slide") > 0.0);
    }
}

/// A drawer of length l pulled h beside its guide bears F h/l at both ends: it jams where 2 μ h ≥ l, and slides where not.
#[test]
fn a_guide_of_some_length_bears_moments_at_its_ends() {
    let drawer = |mu: f64| {
        format!(
            "planar = true
             gravity = [0, 0]
             bodies.drawer = {{ mass = 3, inertia = 0.1, points = {{ H = [0.3, 0.8] }} }}
             joints.guide = {{ type = 'prismatic', bodies = ['ground', 'drawer'], at = [[0, 0], [0, 0]], axis = [1, 0], friction = {{ coefficient = {mu}, length = 0.4 }} }}
             forces.pull = {{ type = 'force', body = 'drawer', at = 'H', value = [30, 0] }}
             run = {{ analysis = 'dynamics', end = 1, steps = 4, tolerance = 1e-12 }}"
        )
    };
    for formulation in ALL {
        let results = run(&drawer(0.26), formulation);
        assert!(column(&results, "guide.slide").iter().all(|x| x.abs() < STILL), "{formulation}");
        let results = run(&drawer(0.2), formulation);
        // 3 ẍ = 30 (1 − 4 μ)
        near(last(&results, "guide.slide"), 0.5 * 10.0 * 0.2, CLOSED, formulation);
    }
}

/// A wedge of angle α lifts a load W between a floor and a face of friction φ: it takes W (tan(α + φ) + tan φ), and W (tan(α − φ) − tan φ) when it comes
/// down; where that is negative it locks itself, for any time.
#[test]
fn a_wedge_lifts_holds_and_locks() {
    let wedge = |more: &str| {
        format!(
            "planar = true
             gravity = [0, 0]
             bodies.wedge = {{ mass = 1, inertia = 0.01 }}
             bodies.block = {{ mass = 1, inertia = 0.01 }}
             joints.floor = {{ type = 'prismatic', bodies = ['ground', 'wedge'], at = [[0, 0], [0, 0]], axis = [1, 0], friction = {{ coefficient = 0.1 }} }}
             joints.shaft = {{ type = 'prismatic', bodies = ['ground', 'block'], at = [[0, 0], [0, 0]], axis = [0, 1] }}
             joints.face = {{ type = 'point-on-line', bodies = ['wedge', 'block'], at = [[0, 0], [0, 0]], axis = ['cos(10 deg)', '-sin(10 deg)'], friction = {{ coefficient = 0.1 }} }}
             forces.load = {{ type = 'force', body = 'block', at = [0, 0], value = [0, -1000] }}
             {more}"
        )
    };
    let (alpha, phi): (f64, f64) = (10f64.to_radians(), 0.1f64.atan());
    let statics = wedge(
        "drivers.push = { joint = 'floor', value = 0 }
         signals = { low = 'push.hold.lower', high = 'push.hold.upper' }
         run = { analysis = 'statics', end = 1, steps = 1 }",
    );
    for formulation in ALL {
        if formulation != "natural" {
            let results = run(&statics, formulation);
            near(last(&results, "high"), 1000.0 * ((alpha + phi).tan() + phi.tan()), CLOSED, formulation);
            near(last(&results, "low"), 1000.0 * ((alpha - phi).tan() - phi.tan()), CLOSED, formulation);
        }
        let free = wedge("run = { analysis = 'dynamics', end = 1e6, steps = 4, tolerance = 1e-12 }");
        let results = run(&free, formulation);
        assert!(column(&results, "floor.slide").iter().all(|x| x.abs() < STILL), "{formulation}");
    }
}

fn toggle(knee: f64) -> String {
    format!(
        "planar = true
         gravity = [0, 0]
         parameters = {{ l = '100 mm', mu = 0.15, r = '6 mm', h = '{knee}*mu*r' }}
         bodies.near = {{ mass = 0.2, inertia = 2e-4 }}
         bodies.far = {{ mass = 0.2, inertia = 2e-4 }}
         bodies.jaw = {{ mass = 0.3, inertia = 1e-4 }}
         joints.O = {{ type = 'revolute', bodies = ['ground', 'near'], at = [[0, 0], [0, 0]], friction = {{ coefficient = 'mu', radius = 'r' }} }}
         joints.K = {{ type = 'revolute', bodies = ['near', 'far'], at = [['l', 0], [0, 0]], friction = {{ coefficient = 'mu', radius = 'r' }} }}
         joints.S = {{ type = 'revolute', bodies = ['far', 'jaw'], at = [['l', 0], [0, 0]], friction = {{ coefficient = 'mu', radius = 'r' }} }}
         joints.guide = {{ type = 'prismatic', bodies = ['ground', 'jaw'], at = [[0, 0], [0, 0]], axis = [1, 0] }}
         forces.clamp = {{ type = 'force', body = 'jaw', at = [0, 0], value = [-2000, 0] }}
         initial.'O.angle' = 'asin(h/l)'
         run = {{ analysis = 'dynamics', end = 1e6, steps = 4, tolerance = 1e-12 }}"
    )
}

/// A toggle clamp locks where a line goes through the circles of friction, of radius μ r, of all its pins: with the knee no more than 2 μ r beside the line of
/// the outer ones. It holds for any time, without a drift.
#[test]
fn a_toggle_clamp_holds_for_ever() {
    for formulation in ALL {
        let results = run(&toggle(1.99), formulation);
        let angle = column(&results, "O.angle");
        assert!(angle.iter().all(|x| (x - angle[0]).abs() < STILL), "{formulation}: {angle:?}");
        assert!(column(&results, "K.stuck").iter().all(|x| *x == 1.0), "{formulation}");
        let results = run(&toggle(2.01).replace("end = 1e6", "end = 1e-6"), formulation);
        assert!(column(&results, "K.stuck").iter().all(|x| *x == 0.0), "{formulation}");
        let open = toggle(2.2).replace("end = 1e6", "end = 5e-3");
        let results = run(&open, formulation);
        assert!(last(&results, "O.angle") > angle[0] * 1.05, "{formulation}: it opens");
    }
}

/// What a bearing with friction that falls with its rate resists, over the whole of it; and how long a wheel takes to stop in it, by quadrature.
#[test]
fn friction_falls_as_stribeck_says() {
    let law = |w: f64| 0.6 + (1.0 - 0.6) * (-(w / 5.0) * (w / 5.0)).exp() + 0.02 * w;
    let wheel = |more: &str| {
        format!(
            "gravity = [0, 0, 0]
             bodies.wheel = {{ mass = 1, inertia = [0.1, 0.1, 0.2] }}
             joints.axle = {{ type = 'revolute', bodies = ['ground', 'wheel'], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1], friction = {{ torque = 0.6, static = 1, stribeck = '5 rad/s', viscous = 0.02 }} }}
             {more}"
        )
    };
    let led = wheel("drivers.turn = { joint = 'axle', value = '10*t^2' }\nrun = { analysis = 'inverse-dynamics', end = 1, steps = 20 }");
    for formulation in ALL {
        // A shared point has no force of its own in natural coordinates.
        let results = run(&led, if formulation == "natural" { "absolute" } else { formulation });
        for (t, effort) in column(&results, "t").iter().zip(column(&results, "turn.effort")).skip(1) {
            near(*effort, 0.2 * 20.0 + law(20.0 * t), CLOSED, formulation);
        }
        let free = wheel(
            "initial.'axle.angle.rate' = 12\nrun = { analysis = 'dynamics', end = 5, steps = 10, tolerance = 1e-12 }",
        );
        let results = run(&free, formulation);
        // ∫ I dω/m(ω) by Simpson's rule.
        let n = 2000;
        let part = |k: usize| 0.2 / law(12.0 * k as f64 / n as f64);
        let sum: f64 = (0..n).step_by(2).map(|k| part(k) + 4.0 * part(k + 1) + part(k + 2)).sum();
        near(events(&results, "sticks")[0], sum * 12.0 / n as f64 / 3.0, CLOSED, formulation);
    }
}

/// Keys that mean nothing for a type, and values that no guide has, are told with what to do.
#[test]
fn friction_that_makes_no_sense_is_refused() {
    let told = |joint: &str, friction: &str| {
        let text = format!(
            "gravity = [0, 0, 0]\nbodies.a = {{ mass = 1, inertia = [1, 1, 1] }}\njoints.J = {{ type = '{joint}', bodies = ['ground', 'a'], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1], friction = {{ {friction} }} }}\nrun = {{ analysis = 'dynamics', end = 1, steps = 1 }}"
        );
        attempt(&text).err().unwrap_or_else(|| panic!("{joint} takes {friction}"))
    };
    for (joint, friction, words) in [
        ("cylindrical", "coefficient = 0.1", "'friction.radius' is missing"),
        ("cylindrical", "coefficient = 0.1, radius = 0", "is zero"),
        ("cylindrical", "coefficient = -0.1, radius = 0.01", "negative"),
        ("cylindrical", "coefficient = 0.1, radius = 0.01, collar = 0.02", "collar"),
        ("point-on-plane", "coefficient = 0.1, radius = 0.01", "radius"),
        ("point-on-line", "coefficient = 0.1, length = 0.1", "length"),
        ("prismatic", "coefficient = 0.1, length = 0", "is zero"),
        ("prismatic", "torque = 2, length = 0.1", "without 'coefficient'"),
        ("spherical", "coefficient = 0.1", "takes no 'friction'"),
    ] {
        let message = told(joint, friction);
        assert!(message.contains(words), "{joint} {friction}: {message}");
    }
}
