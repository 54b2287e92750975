//! Corners that meet corners and hollows, where a contact has several sides at once; and machines made of them, written as a user writes them.

use biela_base::source::Source;
use biela_core::solve::forward;
use biela_results::Results;
use biela_text::{Document, Options};

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;
/// What touches stays where it touches, to roundings of a metre.
const STILL: f64 = 1e-12;

fn run(text: &str, formulation: &str) -> Results {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    let model = document.unwrap_or_else(|e| panic!("{e}")).0;
    forward::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off <= tolerance, "{what}: {found} where {wanted} is due, off by {off:e}");
}

fn never_grows(results: &Results, what: &str) {
    let (energy, work) = (column(results, "energy.total"), column(results, "energy.drift"));
    let most = energy.iter().fold(0.0f64, |m, e| m.max(e.abs()));
    assert!(work.iter().all(|d| d.abs() <= 1e-7 * most), "{what}: {work:?}");
}

const ALL: [&str; 3] = ["absolute", "relative", "natural"];

fn stack(more: &str) -> String {
    let block = "shape = { type = 'polygon', points = [[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]] }";
    format!(
        "planar = true
         gravity = [0, -9.81]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
         bodies.a = {{ mass = 2, inertia = 0.05, pose = {{ at = [0, 0.1] }}, {block} }}
         bodies.b = {{ mass = 1, inertia = 0.01, pose = {{ at = [0, 0.3] }}, {block} }}
         {more}"
    )
}

/// Blocks of one width stand on each other, corner on corner.
#[test]
fn blocks_of_one_width_stand_on_each_other() {
    let text =
        stack("contacts.all = { bodies = 'all', friction = 0.3 }\nrun = { analysis = 'dynamics', end = 1, steps = 5 }");
    for formulation in ALL {
        let results = run(&text, formulation);
        for k in 0..6 {
            assert!(
                (column(&results, "b.y")[k] - 0.3).abs() < STILL && column(&results, "b.x")[k].abs() < STILL,
                "{formulation}"
            );
            near(column(&results, "all.normal")[k], (3.0 + 1.0) * 9.81, 100.0 * CLOSED, "weights on both");
        }
    }
    let spatial = "gravity = [0, 0, -9.81]
        bodies.ground = { shape = { type = 'plane', normal = [0, 0, 1] } }
        bodies.a = { mass = 2, inertia = [0.05, 0.05, 0.05], pose = { at = [0, 0, 0.1] }, shape = { type = 'box', size = [0.6, 0.4, 0.2] } }
        bodies.b = { mass = 1, inertia = [0.01, 0.01, 0.01], pose = { at = [0, 0, 0.3] }, shape = { type = 'box', size = [0.6, 0.4, 0.2] } }
        contacts.all = { bodies = 'all', friction = 0.3 }
        run = { analysis = 'dynamics', end = 1, steps = 5 }";
    for formulation in ALL {
        let results = run(spatial, formulation);
        assert!((column(&results, "b.z")[5] - 0.3).abs() < STILL, "{formulation}");
        near(column(&results, "all.normal")[5], 4.0 * 9.81, 100.0 * CLOSED, "weights on both");
    }
}

/// The upper block slides over the edge of the lower one: v t − μ g t²/2, as long as its middle is above; then it tips.
#[test]
fn a_block_slides_over_an_edge() {
    let (mu, v, g): (f64, f64, f64) = (0.1, 1.0, 9.81);
    let text = stack(&format!(
        "contacts.all = {{ bodies = 'all', friction = {mu} }}
         initial.'b.vx' = {v}
         run = {{ analysis = 'dynamics', end = 0.6, steps = 60, tolerance = 1e-12 }}"
    ));
    // What presses stands μ times the height of its middle ahead of that: it tips where that place is over the edge.
    let tips = (v - (v * v - 2.0 * mu * g * (0.3 - mu * 0.1)).sqrt()) / (mu * g);
    for formulation in ALL {
        let results = run(&text, formulation);
        let (t, x, y, turn) =
            (column(&results, "t"), column(&results, "b.x"), column(&results, "b.y"), column(&results, "b.angle"));
        for k in 0..t.len() {
            if t[k] < tips {
                near(x[k], v * t[k] - 0.5 * mu * g * t[k] * t[k], CLOSED, "x");
                near(y[k], 0.3, CLOSED, "y");
                assert!(turn[k].abs() < CLOSED);
            }
        }
        assert!(*turn.last().unwrap() < -1e-3, "{formulation}: it tips over the edge");
        never_grows(&results, formulation);
    }
}

/// A disc in a hollow of two slopes rests on both: N₁ sin α = N₂ sin β, N₁ cos α + N₂ cos β = m g, for slopes that are steep, and for flat ones, where the foot
/// of one slope lies behind the other.
#[test]
fn a_disc_rests_on_both_sides_of_a_hollow() {
    for (alpha, beta) in [(30f64, 60f64), (45.0, 45.0), (70.0, 20.0), (10.0, 15.0), (80.0, 75.0)] {
        let (a, b) = (alpha.to_radians(), beta.to_radians());
        let (m, g, r) = (2.0, 9.81, 0.1);
        // The middle lies r from both slopes, which begin at the origin.
        let x = r * (b.cos() - a.cos()) / (a + b).sin();
        let y = r * (a.sin() + b.sin()) / (a + b).sin();
        let text = format!(
            "planar = true
             gravity = [0, -{g}]
             bodies.ground = {{ shape = {{ type = 'polygon', points = [[{}, {}], [0, 0], [{}, {}], [{}, -3], [{}, -3]] }} }}
             bodies.disc = {{ mass = {m}, inertia = 0.01, pose = {{ at = [{}, {y}] }}, shape = {{ type = 'circle', radius = {r} }} }}
             contacts.c = {{ bodies = ['ground', 'disc'] }}
             run = {{ analysis = 'dynamics', end = 0.5, steps = 5 }}",
            -2.0 * a.cos(),
            2.0 * a.sin(),
            2.0 * b.cos(),
            2.0 * b.sin(),
            2.0 * b.cos(),
            -2.0 * a.cos(),
            x
        );
        for formulation in ALL {
            let results = run(&text, formulation);
            assert!((column(&results, "disc.y")[5] - y).abs() < STILL, "{formulation} {alpha} {beta}");
            // The slope at α on the left bears m g sin β/sin(α + β), and the other the like.
            near(column(&results, "c.normal")[5], m * g * (a.sin() + b.sin()) / (a + b).sin(), 100.0 * CLOSED, "both");
        }
    }
}

/// Shoes on a drum, joined by rods, as a band: with the angle δ from shoe to shoe each takes (1 + μ tan(δ/2))/(1 − μ tan(δ/2)) times the tension before it, which for
/// many shoes is Euler's exp(μ φ).
#[test]
fn a_band_brakes_a_drum() {
    let (n, step, r, mu, slack): (usize, f64, f64, f64, f64) = (6, 30f64.to_radians(), 0.2, 0.3, 50.0);
    let at = |k: usize| [r * (k as f64 * step).cos(), r * (k as f64 * step).sin()];
    let rod = 2.0 * r * (0.5 * step).sin();
    let [(x, y), (u, v)] = [at(n), at(n + 1)].map(|[x, y]| (x, y));
    let pull = [slack * (u - x) / rod, slack * (v - y) / rod];
    let shoes: String = (1..=n)
        .map(|k| {
            let [x, y] = at(k);
            let (from, end) = if k == 1 { ("ground".into(), at(0)) } else { (format!("s{}", k - 1), [0.0; 2]) };
            format!(
                "bodies.s{k} = {{ mass = 0.1, inertia = 1e-5, pose = {{ at = [{x}, {y}], angle = {} }}, shape = {{ type = 'polygon', points = [[0, 0], [0.02, -0.01], [0.02, 0.01]] }} }}
                 contacts.c{k} = {{ bodies = ['drum', 's{k}'], friction = {mu} }}
                 joints.r{k} = {{ type = 'rod', bodies = ['{from}', 's{k}'], at = [[{}, {}], [0, 0]], length = {rod} }}\n",
                k as f64 * step, end[0], end[1]
            )
        })
        .collect();
    let ratio =
        |sense: f64| ((1.0 + sense * mu * (0.5 * step).tan()) / (1.0 - sense * mu * (0.5 * step).tan())).powi(n as i32);
    for sense in [1.0, -1.0] {
        let text = format!(
            "planar = true
             gravity = [0, 0]
             bodies.drum = {{ mass = 5, inertia = 0.1, shape = {{ type = 'circle', radius = {r} }} }}
             joints.axle = {{ type = 'revolute', bodies = ['ground', 'drum'], at = [0, 0] }}
             drivers.motor = {{ joint = 'axle', value = '{}*t' }}
             signals.tight = 'r1.axial'
             {shoes}
             forces.pull = {{ type = 'force', body = 's{n}', at = [0, 0], value = [{}, {}] }}
             run = {{ analysis = 'dynamics', end = 0.1, steps = 4, tolerance = 1e-12 }}",
            10.0 * sense,
            pull[0],
            pull[1]
        );
        for formulation in ALL {
            let results = run(&text, formulation);
            let tight = slack * ratio(sense);
            for k in 0..5 {
                near(column(&results, "tight")[k], tight, 10.0 * CLOSED, "tension");
                let torque = r * (0.5 * step).cos() * (tight - slack);
                near(column(&results, "motor.effort")[k], torque, 10.0 * CLOSED, "torque");
            }
        }
    }
}

fn ratchet(torque: &str) -> String {
    let teeth: Vec<String> = (0..12)
        .map(|k| {
            let angle = |k: usize| format!("{}*pi/6", k);
            format!(
                "['50 mm*cos({0})', '50 mm*sin({0})'], ['40 mm*cos({1})', '40 mm*sin({1})']",
                angle(k),
                angle(k + 1)
            )
        })
        .collect();
    format!(
        "planar = true
         gravity = [0, -9.81]
         bodies.wheel = {{ mass = 0.5, inertia = 6e-4, shape = {{ type = 'polygon', points = [{}] }} }}
         bodies.pawl = {{ mass = 0.05, com = ['-25 mm', 0], inertia = 1.5e-5, pose = {{ at = ['52 mm', '66 mm'], angle = '10 deg' }}, shape = {{ type = 'polygon', points = [['-45 mm', '-8 mm'], [0, '-3 mm'], [0, '3 mm'], ['-45 mm', 0]] }} }}
         joints.O = {{ type = 'revolute', bodies = ['ground', 'wheel'], at = [0, 0] }}
         joints.P = {{ type = 'revolute', bodies = ['ground', 'pawl'], at = ['52 mm', '66 mm'] }}
         contacts.tooth = {{ bodies = ['wheel', 'pawl'], friction = 0.1, restitution = 0.1 }}
         forces.turn = {{ type = 'joint-torque', joint = 'O', value = '{torque}' }}
         forces.drag = {{ type = 'joint-torque', joint = 'O', value = '-0.01*O.angle.rate' }}
         run = {{ analysis = 'dynamics', end = 1, steps = 100 }}",
        teeth.join(", ")
    )
}

/// A ratchet lets its wheel turn one way, tooth after tooth, and holds it the other way, whatever pulls it back.
#[test]
fn a_ratchet_lets_one_way_and_holds_the_other() {
    for formulation in ALL {
        let results = run(&ratchet("if(t < 0.5, 0.3, -0.3)"), formulation);
        let (t, angle) = (column(&results, "t"), column(&results, "O.angle"));
        let tooth = std::f64::consts::PI / 6.0;
        let at = |when: f64| angle[t.iter().position(|t| *t >= when).unwrap()];
        assert!(at(0.5) > 6.0 * tooth, "{formulation}: several teeth go by");
        let later = t.iter().zip(angle).filter(|(t, _)| **t >= 0.5);
        assert!(later.into_iter().all(|(_, a)| *a > at(0.5) - tooth), "{formulation}: not one tooth back");
        // In the end the pawl holds the tooth: nothing moves, and what presses is far more than the pawl's weight.
        assert!((angle[100] - angle[90]).abs() < STILL, "{formulation}: {} {}", angle[100], angle[90]);
        assert!(column(&results, "tooth.normal")[100] > 5.0, "{formulation}");
        assert!(column(&results, "tooth.gap").iter().all(|gap| *gap > -1e-10), "{formulation}: it sinks in");
        never_grows(&results, formulation);
    }
}

/// What overlaps at the start is told with both bodies, the depth, the place and what to do.
#[test]
fn an_overlap_at_the_start_is_told_with_its_place() {
    let text = "planar = true
        units = 'mm'
        gravity = [0, -9.81]
        bodies.floor = { mass = 1, inertia = 1, shape = { type = 'polygon', points = [[-1, -0.1], [1, -0.1], [1, 0], [-1, 0]] } }
        bodies.ball = { mass = 1, inertia = 1, shape = { type = 'circle', radius = 0.1 }, pose = { at = [0.25, 0.09] } }
        contacts.c = { bodies = ['floor', 'ball'] }
        run = { analysis = 'dynamics', end = 1, steps = 1 }";
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    let model = document.unwrap_or_else(|e| panic!("{e}")).0;
    let error = forward::run(&model, "absolute", |_, _| true).expect_err("an overlap");
    let told = format!("{error} {error:?}");
    for words in ["contact 'c'", "'floor' and 'ball' overlap by 10 mm", "(250 mm, -5 mm)", "[initial]", "except"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

/// A gripper of two pads lifts what it holds: μ F on both together is more than the weight, though neither bears it alone.
#[test]
fn a_gripper_lifts_by_both_of_its_pads() {
    let finger = "shape = { type = 'polygon', points = [[-0.005, -0.11], [0.005, -0.11], [0.005, 0], [-0.005, 0]] }";
    let text = format!(
        "planar = true
         gravity = [0, -9.81]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [0, 1] }} }}
         bodies.base = {{ mass = 1, inertia = 0.01, pose = {{ at = [0, 0.12] }} }}
         bodies.left = {{ mass = 0.2, inertia = 1e-4, pose = {{ at = [-0.04, 0.12] }}, {finger} }}
         bodies.right = {{ mass = 0.2, inertia = 1e-4, pose = {{ at = [0.04, 0.12] }}, {finger} }}
         bodies.part = {{ mass = 0.5, inertia = 4e-4, pose = {{ at = [0.006, 0.025] }}, shape = {{ type = 'polygon', points = [[-0.02, -0.025], [0.02, -0.025], [0.02, 0.025], [-0.02, 0.025]] }} }}
         joints.lift = {{ type = 'prismatic', bodies = ['ground', 'base'], at = [0, 0.12], axis = [0, 1] }}
         joints.L = {{ type = 'prismatic', bodies = ['base', 'left'], at = [0, 0.12], axis = [1, 0] }}
         joints.R = {{ type = 'prismatic', bodies = ['base', 'right'], at = [0, 0.12], axis = [-1, 0] }}
         couplings.fingers = {{ type = 'gear', joints = ['L', 'R'], ratio = 1 }}
         drivers.lift = {{ joint = 'lift', value = {{ law = 'cycloidal', from = 0, to = 0.1, start = 0.5, end = 1.2 }} }}
         forces.close = {{ type = 'joint-torque', joint = 'L', value = 16 }}
         contacts = {{ floor = {{ bodies = ['ground', 'part'], friction = 0.3 }}, one = {{ bodies = ['left', 'part'], friction = 0.6 }}, two = {{ bodies = ['right', 'part'], friction = 0.6 }} }}
         run = {{ analysis = 'dynamics', end = 1.5, steps = 150 }}"
    );
    let formulation = "relative";
    let results = run(&text, formulation);
    // Each presses with half of 16 N, and could bear 4.8 N of a weight of 4.905 N.
    let last = |name: &str| *column(&results, name).last().unwrap();
    near(last("one.normal"), 8.0, 100.0 * CLOSED, formulation);
    near(last("one.tangent") + last("two.tangent"), 0.5 * 9.81, 100.0 * CLOSED, formulation);
    assert!(last("one.tangent") < 4.8 && last("two.tangent") < 4.8, "{formulation}");
    // It may slip by what the pads move before they bear it.
    assert!(
        (column(&results, "part.y")[150] - 0.125).abs() < 1e-6,
        "{formulation}: {}",
        column(&results, "part.y")[150]
    );
}
