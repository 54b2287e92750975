//! Impacts with friction, and fast ones, against closed forms and the laws themselves.

use biela_base::source::Source;
use biela_core::solve::forward;
use biela_results::Results;
use biela_text::{Document, Options};

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;

fn run(text: &str, formulation: &str) -> Results {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    let model = document.unwrap_or_else(|e| panic!("{e}")).0;
    forward::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
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

/// What flies through a thin thing in a ten-thousandth of a step meets it all the same: corners, discs, balls and boxes.
#[test]
fn a_bullet_does_not_pass_through() {
    let wall = |planar: bool, wall: &str, bullet: &str| {
        let (inertia, at) = if planar { ("0.1", "[33.3, 0.0013]") } else { ("[1, 1, 1]", "[33.3, 0.0013, 0.0004]") };
        let (small, gravity) = if planar { ("1e-7", "[0, 0]") } else { ("[1e-7, 1e-7, 1e-7]", "[0, 0, 0]") };
        format!(
            "{}gravity = {gravity}
             bodies.wall = {{ mass = 5, inertia = {inertia}, shape = {wall}, pose = {{ at = {at} }} }}
             bodies.b = {{ mass = 0.01, inertia = {small}, shape = {bullet} }}
             contacts.hit = {{ bodies = ['wall', 'b'], restitution = 0.5 }}
             initial.'b.vx' = 900
             run = {{ analysis = 'dynamics', end = 1, steps = 5 }}",
            if planar { "planar = true\n" } else { "" }
        )
    };
    let plate = "{ type = 'polygon', points = [[-0.005, -0.5], [0.005, -0.5], [0.005, 0.5], [-0.005, 0.5]] }";
    let dart = "{ type = 'polygon', points = [[-0.003, -0.002], [0.003, 0], [-0.003, 0.002]] }";
    for (text, half, what) in [
        (wall(true, plate, dart), 0.008, "dart"),
        (wall(true, plate, "{ type = 'circle', radius = 0.001 }"), 0.006, "disc"),
        (wall(true, "{ type = 'circle', radius = 0.002 }", "{ type = 'circle', radius = 0.001 }"), 0.0, "two discs"),
        (wall(false, "{ type = 'box', size = [0.01, 1, 1] }", "{ type = 'sphere', radius = 0.001 }"), 0.006, "ball"),
        (
            wall(false, "{ type = 'cylinder', radius = 0.005, length = 1 }", "{ type = 'sphere', radius = 0.001 }"),
            0.0,
            "rod",
        ),
        (
            wall(false, "{ type = 'box', size = [0.01, 1, 1] }", "{ type = 'box', size = [0.006, 0.004, 0.002] }"),
            0.008,
            "box",
        ),
    ] {
        for formulation in ["absolute", "relative"] {
            let results = run(&text, formulation);
            let struck = events(&results, "is struck");
            assert!(!struck.is_empty(), "{what} passes through, {formulation}");
            if half > 0.0 {
                near(struck[0], (33.3 - half) / 900.0, CLOSED, what);
            }
        }
    }
}

/// A body of unequal moments of inertia, struck at a place beside its centre: friction of the impact is μ times what presses, against the slip that is left.
#[test]
fn friction_of_an_impact_is_against_the_slip() {
    let (mu, m) = (0.1, 2.0);
    let ball = [0.3, 0.2, -0.1];
    let text = format!(
        "gravity = [0, 0, 0]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 0, 1] }} }}
         bodies.b = {{ mass = {m}, inertia = [0.02, 0.3, 0.31], pose = {{ at = [0, 0, 0.2] }}, shape = {{ type = 'sphere', radius = 0.05, at = [{}, {}, {}] }} }}
         contacts.floor = {{ bodies = ['ground', 'b'], friction = {mu} }}
         initial.'b.vx' = 1
         initial.'b.vy' = 0.6
         initial.'b.vz' = -2
         run = {{ analysis = 'dynamics', end = 0.03, steps = 3, tolerance = 1e-12 }}",
        ball[0], ball[1], ball[2]
    );
    for formulation in ALL {
        let results = run(&text, formulation);
        let t = events(&results, "is struck")[0];
        assert!((t - 0.025).abs() < CLOSED);
        let v = ["vx", "vy", "vz"].map(|c| last(&results, &format!("b.{c}")));
        // Right after the impact: nothing but the turn of 5 ms has come since.
        let w = ["wx", "wy", "wz"].map(|c| last(&results, &format!("b.{c}")));
        let [px, py, pn] = [m * (v[0] - 1.0), m * (v[1] - 0.6), m * (v[2] + 2.0)];
        near(px.hypot(py), mu * pn, CLOSED, "at the bound");
        // The slip right after the impact, from ω then: the angular momentum is that of the impulse about the centre.
        let arm = [ball[0], ball[1], ball[2] - 0.05];
        let turn = [arm[1] * pn - arm[2] * py, arm[2] * px - arm[0] * pn, arm[0] * py - arm[1] * px];
        let spin = [turn[0] / 0.02, turn[1] / 0.3, turn[2] / 0.31];
        let slip = [v[0] + spin[1] * arm[2] - spin[2] * arm[1], v[1] + spin[2] * arm[0] - spin[0] * arm[2]];
        assert!(w.iter().any(|w| w.abs() > 0.1));
        let size = slip[0].hypot(slip[1]) * px.hypot(py);
        near((slip[0] * px + slip[1] * py) / size, -1.0, CLOSED, "against the slip");
        near((slip[0] * py - slip[1] * px) / size, 0.0, CLOSED, "along the slip");
    }
}

/// Kane's double pendulum: two rods whose end slides into the floor. Newton's law with friction would more than double the energy.
#[test]
fn kanes_pendulum_is_told_and_loses_energy() {
    let (a, b, u, w) = (20f64.to_radians(), 30f64.to_radians(), -0.1, -0.2);
    let (e, mu): (f64, f64) = (0.7, 0.5);
    let reach = a.cos() + b.cos();
    let text = |law: &str| {
        format!(
            "planar = true
             gravity = [0, 0]
             bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1], at = [0, -{reach}] }} }}
             bodies.upper = {{ mass = 1, inertia = '1/12' }}
             bodies.lower = {{ mass = 1, inertia = '1/12', shape = {{ type = 'circle', radius = 1e-13, at = [0, -0.5] }} }}
             joints.O = {{ type = 'revolute', bodies = ['ground', 'upper'], at = [[0, 0], [0, 0.5]] }}
             joints.K = {{ type = 'revolute', bodies = ['upper', 'lower'], at = [[0, -0.5], [0, 0.5]] }}
             contacts.tip = {{ bodies = ['ground', 'lower'], friction = {mu}, restitution = {e}{law} }}
             initial.'O.angle' = {}
             initial.'K.angle' = {}
             initial.'O.angle.rate' = {u}
             initial.'K.angle.rate' = {}
             run = {{ analysis = 'dynamics', end = 1e-6, steps = 1, tolerance = 1e-12 }}",
            a,
            b - a,
            w - u
        )
    };
    // Rates of both angles under impulses at the tip: M and J by hand.
    let mixed = (a - b).cos() / 2.0;
    let det = 4.0 / 9.0 - mixed * mixed;
    let answer = |f: [f64; 2]| [(f[0] / 3.0 - mixed * f[1]) / det, (4.0 / 3.0 * f[1] - mixed * f[0]) / det];
    let (along, up) = ([a.cos(), b.cos()], [a.sin(), b.sin()]);
    let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
    let energy = |v: [f64; 2]| (4.0 * v[0] * v[0] / 3.0 + v[1] * v[1] / 3.0) / 2.0 + mixed * v[0] * v[1];
    let (nn, nt, tt) = (dot(up, answer(up)), dot(up, answer(along)), dot(along, answer(along)));
    // The impact by hand: with the normal impulse both rates are straight lines from one change of the slip to the next.
    let (mut v, mut work, mut lowest) = ([u, w], 0.0, f64::NAN);
    let mut slip = dot(along, v);
    while lowest.is_nan() || work < (1.0 - e * e) * lowest - 1e-15 {
        let sticks = -nt / tt;
        let rubs = match slip == 0.0 && sticks.abs() <= mu {
            true => sticks,
            // What cannot stick slips back, against the friction that would have held it.
            false if slip == 0.0 => mu * sticks.signum(),
            false => -mu * slip.signum(),
        };
        let push = answer([up[0] + rubs * along[0], up[1] + rubs * along[1]]);
        let (speed, rise, turn) = (dot(up, v), dot(up, push), dot(along, push));
        let ends = if slip * turn < 0.0 { -slip / turn } else { f64::INFINITY };
        let wanted = match lowest.is_nan() {
            true => -speed / rise,
            false => {
                let due = (1.0 - e * e) * lowest - work;
                ((speed * speed + 2.0 * rise * due).sqrt() - speed) / rise
            }
        };
        let step = ends.min(wanted);
        work += step * (speed + 0.5 * rise * step);
        v = [v[0] + step * push[0], v[1] + step * push[1]];
        slip = if ends <= wanted { 0.0 } else { dot(along, v) };
        if wanted <= ends && lowest.is_nan() {
            lowest = work;
        } else if wanted <= ends {
            break;
        }
        if slip.abs() < 1e-15 {
            slip = 0.0;
        }
    }
    assert!(nn > 0.0);
    for formulation in ALL {
        for law in ["", ", impact = 'energetic'"] {
            let results = run(&text(law), formulation);
            let told = results.notes.iter().any(|(_, text)| text.contains("would have added energy"));
            assert_eq!(told, law.is_empty(), "{formulation}");
            let [upper, knee] = ["O.angle.rate", "K.angle.rate"].map(|name| column(&results, name)[0]);
            near(upper, v[0], CLOSED, "upper");
            near(upper + knee, v[1], CLOSED, "lower");
            let kinetic = column(&results, "energy.kinetic")[0];
            near(kinetic, energy(v), CLOSED, "energy");
            assert!(kinetic < energy([u, w]), "{formulation}: {kinetic}");
        }
    }
}

/// One contact with friction that goes on sliding: all three laws are ratios of one straight line, so that they are one law.
#[test]
fn laws_agree_while_the_slip_goes_on() {
    let text = |law: &str| {
        format!(
            "planar = true
             gravity = [0, 0]
             bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
             bodies.ball = {{ mass = 2, inertia = 0.008, pose = {{ at = [0, 0.2] }}, shape = {{ type = 'circle', radius = 0.1 }} }}
             contacts.floor = {{ bodies = ['ground', 'ball'], friction = 0.1, restitution = 0.6, impact = '{law}' }}
             initial.'ball.vx' = 5
             initial.'ball.vy' = -1
             run = {{ analysis = 'dynamics', end = 0.2, steps = 1, tolerance = 1e-12 }}"
        )
    };
    for formulation in ALL {
        for law in ["newton", "poisson", "energetic"] {
            let results = run(&text(law), formulation);
            near(last(&results, "ball.vy"), 0.6, CLOSED, law);
            near(last(&results, "ball.vx"), 5.0 - 0.1 * 1.6, CLOSED, law);
            near(last(&results, "ball.w"), -0.1 * 1.6 * 2.0 * 0.1 / 0.008, CLOSED, law);
        }
    }
}
