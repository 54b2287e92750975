//! Rigid contacts against closed forms, in every formulation that integrates.

use biela_base::source::Source;
use biela_core::solve::forward;
use biela_results::Results;
use biela_text::{Document, Options};
use std::f64::consts::PI;

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;
/// What touches stays where it touches, to roundings of a metre.
const STILL: f64 = 1e-13;

fn attempt(text: &str, formulation: &str) -> Result<Results, String> {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    let model = document.unwrap_or_else(|e| panic!("{e}")).0;
    forward::run(&model, formulation, |_, _| true).map_err(|e| e.to_string())
}

fn run(text: &str, formulation: &str) -> Results {
    attempt(text, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
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

/// A ball falls by 0.5 m and bounces with e = 0.6: the first impact at t = √(2 h/g), the k-th flight lasts 2 t e^k, all ends at t (1 + e)/(1 − e).
#[test]
fn a_bouncing_ball_comes_to_rest() {
    let (g, h, e): (f64, f64, f64) = (9.81, 0.5, 0.6);
    let text = format!(
        "planar = true
         gravity = [0, -{g}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
         bodies.ball = {{ mass = 2, inertia = 0.01, shape = {{ type = 'circle', radius = 0.1 }}, pose = {{ at = [0, 0.6] }} }}
         contacts.floor = {{ bodies = ['ground', 'ball'], restitution = {e} }}
         initial.'ball.vx' = 0.3
         run = {{ analysis = 'dynamics', end = 2, steps = 40, tolerance = 1e-12 }}"
    );
    let first = (2.0 * h / g).sqrt();
    for formulation in ALL {
        let results = run(&text, formulation);
        let struck = events(&results, "is struck");
        let mut due = first;
        for (k, t) in struck.iter().take(12).enumerate() {
            near(*t, due, CLOSED, "impact");
            due += 2.0 * first * e.powi(k as i32 + 1);
        }
        let rest = events(&results, "accumulate");
        near(rest[0], first * (1.0 + e) / (1.0 - e), CLOSED, "rest");
        let (t, gap, normal) = (column(&results, "t"), column(&results, "floor.gap"), column(&results, "floor.normal"));
        for i in (0..t.len()).filter(|i| t[*i] > rest[0]) {
            assert!(gap[i].abs() < STILL, "{}", gap[i]);
            near(normal[i], 2.0 * g, CLOSED, "weight");
        }
        near(*column(&results, "ball.x").last().unwrap(), 0.6, CLOSED, "nothing rubs");
    }
}

/// Newton's cradle without strings: impulses travel from ball to ball, and the last goes on alone.
#[test]
fn balls_in_a_row_hand_on_their_speed() {
    let balls: String = (1..=5)
        .map(|k| format!("bodies.b{k} = {{ mass = 1, inertia = [1, 1, 1], shape = {{ type = 'sphere', radius = 0.05 }}, pose = {{ at = [{}, 0, 0] }} }}\n", 0.1 * k as f64))
        .collect();
    let text = format!(
        "gravity = [0, 0, 0]\n{balls}
         bodies.b0 = {{ mass = 1, inertia = [1, 1, 1], shape = {{ type = 'sphere', radius = 0.05 }}, pose = {{ at = [-0.2, 0, 0] }} }}
         contacts.row = {{ bodies = 'all', restitution = 1 }}
         initial.'b0.vx' = 2
         run = {{ analysis = 'dynamics', end = 0.3, steps = 3, tolerance = 1e-12 }}"
    );
    for formulation in ALL {
        let results = run(&text, formulation);
        for k in 0..=5 {
            let v = *column(&results, &format!("b{k}.vx")).last().unwrap();
            near(v, if k == 5 { 2.0 } else { 0.0 }, CLOSED, "speed");
        }
        near(events(&results, "is struck")[0], 0.1, CLOSED, "impact");
    }
}

/// An eccentric disc lifts a flat follower by R + a sin ωt, which presses until it would have to fall faster than free.
#[test]
fn a_follower_lifts_off_its_cam() {
    let (g, a, w): (f64, f64, f64) = (9.81, 0.02, 30.0);
    let text = format!(
        "planar = true
         gravity = [0, -{g}]
         bodies.cam = {{ mass = 1, inertia = 0.01, shape = {{ type = 'circle', radius = 0.05, at = [{a}, 0] }} }}
         bodies.follower = {{ mass = 0.4, inertia = 0.001, pose = {{ at = [0, 0.05] }}, shape = {{ type = 'polygon', points = [[-0.1, 0], [0.1, 0], [0.1, 0.02], [-0.1, 0.02]] }} }}
         joints.O = {{ type = 'revolute', bodies = ['ground', 'cam'], at = [0, 0] }}
         joints.guide = {{ type = 'prismatic', bodies = ['ground', 'follower'], at = [0, 0.05], axis = [0, 1] }}
         drivers.motor = {{ joint = 'O', value = '{w}*t' }}
         contacts.cam = {{ bodies = ['cam', 'follower'] }}
         run = {{ analysis = 'dynamics', end = 0.05, steps = 50, tolerance = 1e-12 }}"
    );
    let due = (g / (a * w * w)).asin() / w;
    for formulation in ALL {
        let results = run(&text, formulation);
        near(events(&results, "is left")[0], due, CLOSED, "lift-off");
        let (t, normal, gap) = (column(&results, "t"), column(&results, "cam.normal"), column(&results, "cam.gap"));
        for i in 0..t.len() {
            let (sine, cosine) = (w * due).sin_cos();
            let s = t[i] - due;
            match s < 0.0 {
                true => near(normal[i], 0.4 * (g - a * w * w * (w * t[i]).sin()), 10.0 * CLOSED, "force"),
                false if gap[i] > 1e-6 && t[i] < 0.045 => {
                    let up = a * (sine + w * cosine * s) - 0.5 * g * s * s;
                    near(gap[i], up - a * (w * t[i]).sin(), CLOSED, "gap");
                }
                false => {}
            }
        }
    }
}

/// A flat follower on an eccentric disc presses with m (g − a ω² sin ωt): it lifts off above ω = √(g/a), and not below.
#[test]
fn a_follower_lifts_off_from_a_speed_on() {
    let (g, a): (f64, f64) = (9.81, 0.02);
    let critical = (g / a).sqrt();
    for formulation in ALL {
        for share in [1.0 - 1e-9, 1.0 + 1e-9] {
            let w = critical * share;
            let text = format!(
                "planar = true
                 gravity = [0, -{g}]
                 bodies.cam = {{ mass = 1, inertia = 0.01, shape = {{ type = 'circle', radius = 0.05, at = [{a}, 0] }} }}
                 bodies.follower = {{ mass = 0.4, inertia = 0.001, pose = {{ at = [0, 0.05] }}, shape = {{ type = 'polygon', points = [[-0.1, 0], [0.1, 0], [0.1, 0.02], [-0.1, 0.02]] }} }}
                 joints.O = {{ type = 'revolute', bodies = ['ground', 'cam'], at = [0, 0] }}
                 joints.guide = {{ type = 'prismatic', bodies = ['ground', 'follower'], at = [0, 0.05], axis = [0, 1] }}
                 drivers.motor = {{ joint = 'O', value = '{w}*t' }}
                 contacts.cam = {{ bodies = ['cam', 'follower'] }}
                 run = {{ analysis = 'dynamics', end = {}, steps = 50, tolerance = 1e-12 }}",
                2.0 * PI / w
            );
            let results = run(&text, formulation);
            assert_eq!(!events(&results, "is left").is_empty(), share > 1.0, "{formulation}: {share}");
        }
    }
}

/// A block is thrown up an incline, stops, and stays where μ is more than the slope, else comes back.
#[test]
fn a_block_on_an_incline() {
    let (g, lean, v): (f64, f64, f64) = (9.81, 0.4, 1.5);
    let text = |mu: f64| {
        format!(
            "planar = true
             gravity = [{}, {}]
             bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
             bodies.block = {{ mass = 3, inertia = 0.05, pose = {{ at = [0, 0.1] }}, shape = {{ type = 'polygon', points = [[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]] }} }}
             contacts.floor = {{ bodies = ['ground', 'block'], friction = {mu} }}
             initial.'block.vx' = {v}
             run = {{ analysis = 'dynamics', end = 1, steps = 50, tolerance = 1e-12 }}",
            -g * lean.sin(),
            -g * lean.cos()
        )
    };
    for formulation in ALL {
        for mu in [0.2, 0.6] {
            let results = run(&text(mu), formulation);
            let slows = g * (lean.sin() + mu * lean.cos());
            let (stop, way) = (v / slows, 0.5 * v * v / slows);
            let back = (g * (lean.sin() - mu * lean.cos())).max(0.0);
            let (t, x) = (column(&results, "t"), column(&results, "block.x"));
            let (normal, tangent) = (column(&results, "floor.normal"), column(&results, "floor.tangent"));
            for i in 0..t.len() {
                let s = t[i] - stop;
                let due = if s < 0.0 { v * t[i] - 0.5 * slows * t[i] * t[i] } else { way - 0.5 * back * s * s };
                near(x[i], due, CLOSED, "place");
                near(normal[i], 3.0 * g * lean.cos(), CLOSED * 10.0, "normal force");
                let rubs = if s > 0.0 && back == 0.0 { lean.sin() } else { mu * lean.cos() };
                near(tangent[i], 3.0 * g * rubs, CLOSED * 10.0, "friction");
            }
        }
    }
}

/// A block holds a push that grows until it is μ m g, slides under what is more, and stays again when the push is gone: in a plane, and on four corners in
/// space, pushed aslant.
#[test]
fn a_block_slips_when_pushed_and_stays_again() {
    let (g, mu, m): (f64, f64, f64) = (9.81, 0.3, 2.0);
    let push = |share: f64| format!("'if(t < 2, {share}*5 N/s*t, 0)'");
    let planar = format!(
        "planar = true
         gravity = [0, -{g}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
         bodies.block = {{ mass = {m}, inertia = 0.05, pose = {{ at = [0, 0.1] }}, shape = {{ type = 'polygon', points = [[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]] }} }}
         contacts.floor = {{ bodies = ['ground', 'block'], friction = {mu} }}
         forces.push = {{ type = 'force', body = 'block', at = [0, 0], value = [{}, 0] }}
         run = {{ analysis = 'dynamics', end = 3, steps = 60, tolerance = 1e-12 }}",
        push(1.0)
    );
    let spatial = format!(
        "gravity = [0, 0, -{g}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 0, 1] }} }}
         bodies.block = {{ mass = {m}, inertia = [0.03, 0.05, 0.06], pose = {{ at = [0, 0, 0.1] }}, shape = {{ type = 'box', size = [0.6, 0.5, 0.2] }} }}
         contacts.floor = {{ bodies = ['ground', 'block'], friction = {mu} }}
         forces.push = {{ type = 'force', body = 'block', at = [0, 0, -0.1], value = [{}, {}, 0] }}
         run = {{ analysis = 'dynamics', end = 3, steps = 60, tolerance = 1e-12 }}",
        push(0.6),
        push(-0.8)
    );
    let slips = mu * m * g / 5.0;
    let late = 2.0 - slips;
    let (fast, far) = (5.0 * late * late / 2.0 / m, 5.0 * late * late * late / 6.0 / m);
    let stays = 2.0 + fast / (mu * g);
    let way = |t: f64| match t {
        _ if t < slips => 0.0,
        _ if t < 2.0 => 5.0 * (t - slips).powi(3) / 6.0 / m,
        _ => far + fast * (t.min(stays) - 2.0) - 0.5 * mu * g * (t.min(stays) - 2.0).powi(2),
    };
    for formulation in ALL {
        let results = run(&planar, formulation);
        for (t, x) in column(&results, "t").iter().zip(column(&results, "block.x")) {
            near(*x, way(*t), CLOSED, formulation);
        }
    }
    // Its corners slip alike: pushed at their height, it does not turn.
    let results = run(&spatial, "absolute");
    for (k, t) in column(&results, "t").iter().enumerate() {
        near(column(&results, "block.x")[k], 0.6 * way(*t), CLOSED, "x");
        near(column(&results, "block.y")[k], -0.8 * way(*t), CLOSED, "y");
        near(column(&results, "floor.normal")[k], m * g, 100.0 * CLOSED, "weight");
    }
}

/// A ball slides, then rolls: from t = 2 v/(7 μ g) on with 5/7 of its speed.
#[test]
fn a_ball_slides_and_rolls() {
    let (g, mu, v) = (9.81, 0.25, 1.4);
    let text = format!(
        "gravity = [0, 0, -{g}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 0, 1] }} }}
         bodies.ball = {{ mass = 1, inertia = [0.004, 0.004, 0.004], shape = {{ type = 'sphere', radius = 0.1 }}, pose = {{ at = [0, 0, 0.1] }} }}
         contacts.floor = {{ bodies = ['ground', 'ball'], friction = {mu} }}
         initial.'ball.vx' = {v}
         initial.'ball.wz' = 2
         run = {{ analysis = 'dynamics', end = 1, steps = 20, tolerance = 1e-12 }}"
    );
    let rolls = 2.0 * v / (7.0 * mu * g);
    for formulation in ALL {
        let results = run(&text, formulation);
        let (t, vx, wy) = (column(&results, "t"), column(&results, "ball.vx"), column(&results, "ball.wy"));
        for i in 0..t.len() {
            let due = if t[i] < rolls { v - mu * g * t[i] } else { v * 5.0 / 7.0 };
            near(vx[i], due, CLOSED, "speed");
            near(wy[i], if t[i] < rolls { 2.5 * mu * g * t[i] / 0.1 } else { due / 0.1 }, 10.0 * CLOSED, "spin");
        }
        near(*column(&results, "ball.wz").last().unwrap(), 2.0, CLOSED, "spin about the normal");
    }
}

/// A block of slenderness α that rocks from corner to corner keeps 1 − 3/2 sin² α of its angular velocity [Housner 1963].
#[test]
fn a_block_rocks() {
    let (b, h): (f64, f64) = (0.1, 0.4);
    let (m, g) = (5.0, 9.81);
    let inertia = m * (b * b + h * h) / 3.0;
    let lean: f64 = 0.1;
    // On its right corner, which stands at the origin.
    let turned = -lean;
    let (sine, cosine) = turned.sin_cos();
    let text = format!(
        "planar = true
         gravity = [0, -{g}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
         bodies.block = {{ mass = {m}, inertia = {inertia}, pose = {{ at = [{}, {}], angle = {turned} }}, shape = {{ type = 'polygon', points = [[-{b}, -{h}], [{b}, -{h}], [{b}, {h}], [-{b}, {h}]] }} }}
         contacts.floor = {{ bodies = ['ground', 'block'], friction = 2 }}
         run = {{ analysis = 'dynamics', end = 0.6, steps = 300, tolerance = 1e-12 }}",
        -(b * cosine + h * sine),
        -(b * sine - h * cosine)
    );
    let slender = (b / h).atan();
    // Energy about the corner at the start becomes that of the turn at the impact.
    let r = (b * b + h * h).sqrt();
    let before = (2.0 * m * g * r * ((slender - lean).cos() - slender.cos()) / (inertia + m * r * r)).sqrt();
    // With ψ = α − θ from the place where it would stand on its corner, ψ̈ = p² sin ψ: the time of its fall, by Simpson's rule over s with ψ = ψ₀ + s².
    let p = (m * g * r / (inertia + m * r * r)).sqrt();
    let rises = |s: f64| match s == 0.0 {
        true => 2.0 / (2.0 * (slender - lean).sin()).sqrt(),
        false => 2.0 * s / (4.0 * (slender - lean + 0.5 * s * s).sin() * (0.5 * s * s).sin()).sqrt(),
    };
    let (parts, end) = (200, lean.sqrt());
    let part = |k: usize| rises(end * k as f64 / parts as f64);
    let sum: f64 = (0..parts).step_by(2).map(|k| part(k) + 4.0 * part(k + 1) + part(k + 2)).sum();
    let falls = sum * end / parts as f64 / 3.0 / p;
    for formulation in ALL {
        let results = run(&text, formulation);
        let (t, w) = (column(&results, "t"), column(&results, "block.w"));
        let struck = events(&results, "is struck")[0];
        near(struck, falls, CLOSED, "time of the impact");
        let energy = column(&results, "energy.total");
        let i = t.iter().position(|x| *x > struck).expect("samples after the impact");
        let kinetic = |w: f64| 0.5 * (inertia + m * r * r) * w * w;
        let after = before * (1.0 - 1.5 * slender.sin().powi(2));
        near(energy[i - 1] - energy[i], kinetic(before) - kinetic(after), CLOSED, "energy lost");
        assert!(w[i - 1] > 0.0 && w[i] > 0.0);
    }
}

/// Painlevé's rod: it slides at an angle θ, its contact point ahead of its middle. From μ = (4 + tan² θ)/(3 tan θ) on there is no answer.
#[test]
fn painleves_rod_is_told() {
    let text = |lean: f64, mu: f64| {
        format!(
            "planar = true
             gravity = [0, -9.81]
             bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
             bodies.rod = {{ mass = 1, inertia = '1/3', pose = {{ at = [0, {}], angle = {} }}, shape = {{ type = 'polygon', points = [[-1, 0], [1, -0.001], [1, 0.001]] }} }}
             contacts.chalk = {{ bodies = ['ground', 'rod'], friction = {mu} }}
             initial.'rod.vx' = -1
             run = {{ analysis = 'dynamics', end = 0.001, steps = 1 }}",
            lean.sin(),
            lean
        )
    };
    for tan in [1.5f64, 2.0, 3.0] {
        let lean = tan.atan();
        let bound = (4.0 + tan * tan) / (3.0 * tan);
        // It slides towards the side that it leans away from: the floor pushes it up onto its point.
        for formulation in ALL {
            run(&text(lean, bound * (1.0 - 1e-6)), formulation);
            let told = attempt(&text(lean, bound * (1.0 + 1e-6)), formulation).expect_err("a paradox");
            assert!(told.contains("Painleve") && told.contains("chalk"), "{told}");
        }
    }
    let least = (1..4000).map(|k| f64::from(k) * 1e-3).map(|tan| (4.0 + tan * tan) / (3.0 * tan)).fold(PI, f64::min);
    near(least, 4.0 / 3.0, 1e-6, "least coefficient");
}

/// A Geneva drive: the pin presses on a side of its slot, so that it lies off the slot's middle by half of their play, and the wheel's angle
/// follows from that of the crank in closed form as long as the crank drives.
#[test]
fn a_pin_drives_a_geneva_wheel() {
    let (r, d, play): (f64, f64, f64) = (0.1, 0.1 * 2f64.sqrt(), 0.002);
    let crank = |t: f64| -0.75 + 4.0 * t;
    let wheel = |a: f64| {
        let (x, y) = (r * a.cos() - d, r * a.sin());
        y.atan2(x).rem_euclid(2.0 * PI) - PI + (play / x.hypot(y)).asin()
    };
    let text = format!(
        "planar = true
         gravity = [0, 0]
         bodies.crank = {{ mass = 1, inertia = 0.01, shape = {{ type = 'circle', radius = 0.01, at = [{r}, 0] }} }}
         bodies.wheel = {{ mass = 1, inertia = 0.002, pose = {{ at = [{d}, 0] }}, shape = {{ type = 'polygon', points = [[-0.11, -0.012], [-0.02, -0.012], [-0.02, 0.012], [-0.11, 0.012], [-0.11, 0.1], [0.03, 0.1], [0.03, -0.1], [-0.11, -0.1]] }} }}
         joints.O = {{ type = 'revolute', bodies = ['ground', 'crank'], at = [0, 0] }}
         joints.W = {{ type = 'revolute', bodies = ['ground', 'wheel'], at = [{d}, 0] }}
         drivers.motor = {{ joint = 'O', value = '-0.75 + 4*t' }}
         contacts.slot = {{ bodies = ['crank', 'wheel'] }}
         initial.'W.angle' = {}
         run = {{ analysis = 'dynamics', end = 0.15, steps = 30, tolerance = 1e-12 }}",
        wheel(crank(0.0))
    );
    for formulation in ALL {
        let results = run(&text, formulation);
        let (t, angle) = (column(&results, "t"), column(&results, "W.angle"));
        for i in 0..t.len() {
            near(angle[i], wheel(crank(t[i])), CLOSED, "indexing");
        }
        assert!(column(&results, "slot.normal")[1..].iter().all(|n| *n > 0.0));
    }
    // With friction of its axle the wheel never runs ahead: all of its indexing, on one side of the slot.
    let whole = text
        .replace("end = 0.15", "end = 0.375")
        .replace("bodies = ['ground', 'wheel']", "friction = { torque = 0.5 }, bodies = ['ground', 'wheel']");
    for formulation in ALL {
        let results = run(&whole, formulation);
        let (t, angle) = (column(&results, "t"), column(&results, "W.angle"));
        for i in 0..t.len() {
            near(angle[i], wheel(crank(t[i])), CLOSED, "whole indexing");
        }
        assert!(column(&results, "slot.normal")[1..].iter().all(|n| *n > 0.0));
    }
}

/// Energy never grows in impacts and contacts that rub: a box tumbles over a floor and against a wall, in a plane and in space.
#[test]
fn a_tumbling_box_loses_energy_alone() {
    let planar = "planar = true
        gravity = [0, -9.81]
        bodies.ground = { shape = [{ type = 'plane', normal = [0, 1] }, { type = 'plane', normal = [-1, 0], at = [1, 0] }] }
        bodies.box = { mass = 3, inertia = 0.03, shape = { type = 'box', size = [0.3, 0.2, 0.1] }, pose = { at = [0, 0.5], angle = 0.3 } }
        contacts.room = { bodies = ['ground', 'box'], friction = 0.3, restitution = 0.4 }
        initial.'box.vx' = 2
        initial.'box.w' = -5
        run = { analysis = 'dynamics', end = 2, steps = 200, tolerance = 1e-11 }";
    let spatial = "gravity = [0, 0, -9.81]
        bodies.ground = { shape = [{ type = 'plane', normal = [0, 0, 1] }, { type = 'plane', normal = [-1, 0, 0], at = [1, 0, 0] }] }
        bodies.box = { mass = 3, inertia = [0.0125, 0.025, 0.0325], shape = { type = 'box', size = [0.3, 0.2, 0.1] }, pose = { at = [0, 0, 0.5], rpy = [0.3, 0.4, 0.1] } }
        contacts.room = { bodies = ['ground', 'box'], friction = 0.3 }
        initial.'box.vx' = 2
        initial.'box.wy' = 5
        run = { analysis = 'dynamics', end = 2, steps = 200, tolerance = 1e-11 }";
    for (text, formulation) in [(planar, "absolute"), (planar, "natural"), (spatial, "absolute"), (spatial, "relative")]
    {
        let results = run(text, formulation);
        let energy = column(&results, "energy.total");
        for pair in energy.windows(2) {
            assert!(
                pair[1] - pair[0] <= 1e-10 * energy[0],
                "{formulation}: energy grows from {} to {}",
                pair[0],
                pair[1]
            );
        }
        let gap = column(&results, "room.gap");
        assert!(gap.iter().all(|g| *g > -1e-12), "it sinks in: {:e}", gap.iter().fold(0.0f64, |m, g| m.min(*g)));
        // It lies in the end, with its weight on its corners.
        near(*column(&results, "room.normal").last().unwrap(), 3.0 * 9.81, 1e-8, "weight");
    }
}
