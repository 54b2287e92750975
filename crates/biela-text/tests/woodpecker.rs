//! The woodpecker toy [Glocker 1995]: a sleeve that jams on a pole and slips, and a bird on a spring that pecks. Its limit cycle against the published state on it, and
//! against time-stepping written here.

use biela_base::source::Source;
use biela_core::solve::forward;
use biela_results::Results;
use biela_text::{Document, Options};

/// Rates of the published state have four digits, from time-stepping with steps of a tenth of a millisecond: half a percent of the slower one.
const PRINTED: f64 = 0.01;
/// Time-stepping with this step is off by a few of it.
const STEP: f64 = 2e-6;
const STEPPED: f64 = 20.0 * STEP;
/// Angle of the bird at which cycles are cut, falling; and rates there of the pole's direction and of the bird, as published.
const CUT: f64 = -0.2788;
const FALLS: f64 = -0.3411;
const PECKS: f64 = -7.4583;

const R_POLE: f64 = 0.0025;
const R_SLEEVE: f64 = 0.0031;
const H_SLEEVE: f64 = 0.0058;
const L_SLEEVE: f64 = 0.010;
const L_BIRD: f64 = 0.015;
const H_BEAK: f64 = 0.02;
const L_BEAK: f64 = 0.0201;
const MASS_SLEEVE: f64 = 0.0003;
const MASS_BIRD: f64 = 0.0045;
const INERTIA_SLEEVE: f64 = 5e-9;
const INERTIA_BIRD: f64 = 7e-7;
const SPRING: f64 = 0.0056;
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.3;

/// The published equations are linear in both angles: a body for each coordinate, and one for each place of contact that is led by couplings.
fn model() -> String {
    let bodies = format!(
        "planar = true
         gravity = [0, -{GRAVITY}]
         bodies.ground = {{ shape = {{ type = 'plane', normal = [1, 0] }} }}
         bodies.sleeve = {{ mass = {MASS_SLEEVE}, inertia = 1e-9 }}
         bodies.lean = {{ mass = 1e-3, inertia = {INERTIA_SLEEVE} }}
         bodies.nod = {{ mass = 1e-3, inertia = {INERTIA_BIRD} }}
         bodies.bird = {{ mass = {MASS_BIRD}, inertia = 1e-9 }}
         joints.Y = {{ type = 'prismatic', bodies = ['ground', 'sleeve'], at = [[0, 0], [0, 0]], axis = [0, 1] }}
         joints.W = {{ type = 'prismatic', bodies = ['ground', 'bird'], at = [[0, 0], [0, 0]], axis = [0, 1] }}
         joints.M = {{ type = 'revolute', bodies = ['ground', 'lean'], at = [[0, 0], [0, 0]] }}
         joints.S = {{ type = 'revolute', bodies = ['ground', 'nod'], at = [[0, 0], [0, 0]] }}
         couplings.bird = {{ type = 'coupling', value = 'W.slide - Y.slide - {L_SLEEVE}*M.angle - {L_BIRD}*S.angle' }}
         forces.on_sleeve = {{ type = 'joint-torque', joint = 'M', value = '{SPRING}*(S.angle - M.angle)' }}
         forces.on_bird = {{ type = 'joint-torque', joint = 'S', value = '{SPRING}*(M.angle - S.angle)' }}
         initial.'Y.slide' = 0
         initial.'M.angle' = {}
         initial.'S.angle' = {CUT}
         initial.'Y.slide.rate' = {FALLS}
         initial.'M.angle.rate' = 0
         initial.'S.angle.rate' = {PECKS}
         events.cut = {{ when = 'S.angle - ({CUT})', action = 'report' }}
         run = {{ analysis = 'dynamics', end = 0.6, steps = 3000, tolerance = 1e-10 }}\n",
        -(R_SLEEVE - R_POLE) / H_SLEEVE
    );
    let r = 1e-3;
    let place = |name: &str, off: f64, across: String, along: String, restitution: f64| {
        format!(
            "bodies.{name} = {{ shape = {{ type = 'circle', radius = {r} }} }}
             joints.{name}_led = {{ type = 'planar', bodies = ['ground', '{name}'], at = [[0, 0], [0, 0]], x = [[1, 0], [1, 0]] }}
             couplings.{name}_x = {{ type = 'coupling', value = '{name}_led.x - {} - ({across})' }}
             couplings.{name}_y = {{ type = 'coupling', value = '{name}_led.y - Y.slide - ({along})' }}
             couplings.{name}_turn = {{ type = 'coupling', value = '{name}_led.angle' }}
             contacts.{name} = {{ bodies = ['ground', '{name}'], friction = {FRICTION}, restitution = {restitution} }}\n",
            r + off
        )
    };
    let play = R_SLEEVE - R_POLE;
    let beak = format!("{L_SLEEVE}*M.angle + ({L_BIRD} - {L_BEAK})*S.angle");
    bodies
        + &place("beak", L_SLEEVE + L_BIRD - L_BEAK - R_POLE, format!("-{H_BEAK}*S.angle"), beak, 0.5)
        + &place("low", play, format!("{H_SLEEVE}*M.angle"), format!("{R_SLEEVE}*M.angle"), 0.0)
        + &place("high", play, format!("-{H_SLEEVE}*M.angle"), format!("{R_SLEEVE}*M.angle"), 0.0)
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

/// A cut: time, rates of the sleeve along the pole and of the bird.
type Cut = [f64; 3];

/// Where the bird's angle falls through the cut, between samples in a straight line.
fn cuts(t: &[f64], angle: &[f64], rates: [&[f64]; 2]) -> Vec<Cut> {
    let falls = (1..t.len()).filter(|k| angle[k - 1] > CUT && angle[*k] <= CUT);
    let at = |k: usize| {
        let s = (angle[k - 1] - CUT) / (angle[k - 1] - angle[k]);
        let between = |of: &[f64]| of[k - 1] + s * (of[k] - of[k - 1]);
        [between(t), between(rates[0]), between(rates[1])]
    };
    falls.map(at).collect()
}

/// The limit of three values that near it in a geometric series [Aitken].
fn limit([a, b, c]: [f64; 3]) -> f64 {
    c - (c - b) * (c - b) / (c - 2.0 * b + a)
}

/// Period and rates at the cut, in the limit of four cycles.
fn cycle(cuts: &[Cut]) -> Cut {
    let period = |k: usize| cuts[k + 1][0] - cuts[k][0];
    let rate = |of: usize| limit([cuts[1][of], cuts[2][of], cuts[3][of]]);
    [limit([period(0), period(1), period(2)]), rate(1), rate(2)]
}

/// Moreau's time-stepping of the published equations.
fn stepped(end: f64) -> Vec<Cut> {
    let (m, j) = (MASS_SLEEVE + MASS_BIRD, [L_SLEEVE, L_BIRD]);
    let mass = [
        [m, MASS_BIRD * j[0], MASS_BIRD * j[1]],
        [MASS_BIRD * j[0], INERTIA_SLEEVE + MASS_BIRD * j[0] * j[0], MASS_BIRD * j[0] * j[1]],
        [MASS_BIRD * j[1], MASS_BIRD * j[0] * j[1], INERTIA_BIRD + MASS_BIRD * j[1] * j[1]],
    ];
    let minor = |r: usize, c: usize| {
        let (a, b, d, e) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
        mass[a][d] * mass[b][e] - mass[a][e] * mass[b][d]
    };
    let det: f64 = (0..3).map(|c| mass[0][c] * minor(0, c)).sum();
    let solve = |f: [f64; 3]| [0, 1, 2].map(|r| (0..3).map(|c| minor(c, r) * f[c]).sum::<f64>() / det);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let play = R_SLEEVE - R_POLE;
    // Gap at rest, directions across and along, restitution.
    let places = [
        (L_SLEEVE + L_BIRD - L_BEAK - R_POLE, [0.0, 0.0, -H_BEAK], [1.0, L_SLEEVE, L_BIRD - L_BEAK], 0.5),
        (play, [0.0, H_SLEEVE, 0.0], [1.0, R_SLEEVE, 0.0], 0.0),
        (play, [0.0, -H_SLEEVE, 0.0], [1.0, R_SLEEVE, 0.0], 0.0),
    ];
    let (mut q, mut u) = ([0.0, -play / H_SLEEVE, CUT], [FALLS, 0.0, PECKS]);
    let mut told: [Vec<f64>; 4] = Default::default();
    for k in 0..(end / STEP) as usize {
        [k as f64 * STEP, q[2], u[0], u[2]].into_iter().zip(&mut told).for_each(|(x, list)| list.push(x));
        let middle = [0, 1, 2].map(|k| q[k] + 0.5 * STEP * u[k]);
        let twist = SPRING * (middle[2] - middle[1]);
        let f = [-m * GRAVITY, twist - MASS_BIRD * j[0] * GRAVITY, -twist - MASS_BIRD * j[1] * GRAVITY];
        let (before, push) = (u, solve(f.map(|f| STEP * f)));
        u = [0, 1, 2].map(|k| u[k] + push[k]);
        let mut impulse = [[0.0f64; 2]; 3];
        for _ in 0..60 {
            for ((gap, across, along, e), impulse) in places.iter().zip(&mut impulse) {
                if gap + dot(*across, middle) > 0.0 {
                    continue;
                }
                let answers = [across, along].map(|way| solve(*way));
                let aim = dot(*across, u) + e * dot(*across, before);
                let normal = (impulse[0] - aim / dot(*across, answers[0])).max(0.0);
                (0..3).for_each(|k| u[k] += (normal - impulse[0]) * answers[0][k]);
                let rubs = impulse[1] - dot(*along, u) / dot(*along, answers[1]);
                let rubs = rubs.clamp(-FRICTION * normal, FRICTION * normal);
                (0..3).for_each(|k| u[k] += (rubs - impulse[1]) * answers[1][k]);
                *impulse = [normal, rubs];
            }
        }
        q = [0, 1, 2].map(|k| middle[k] + 0.5 * STEP * u[k]);
    }
    let [t, angle, falls, pecks] = &told;
    cuts(t, angle, [falls, pecks])
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs();
    assert!(off <= tolerance, "{what}: {found} where {wanted} is due, off by {off:e}");
}

#[test]
fn the_woodpecker_has_its_published_limit_cycle() {
    let wanted = stepped(0.6);
    for formulation in ["absolute", "relative"] {
        let document =
            Document::from_toml(&Source::new("m.toml", model())).and_then(|d| d.compile(&Options::default()));
        let model = document.unwrap_or_else(|e| panic!("{e}")).0;
        let results = forward::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"));
        let rates = ["Y.slide.rate", "S.angle.rate"].map(|name| column(&results, name));
        let found = cuts(column(&results, "t"), column(&results, "S.angle"), rates);
        assert_eq!((found.len(), wanted.len()), (4, 4), "{formulation}");
        let ([period, falls, pecks], by_steps) = (cycle(&found), cycle(&wanted));
        near(falls, FALLS, PRINTED, "published rate along the pole");
        near(pecks, PECKS, PRINTED, "published rate of the bird");
        near(period, by_steps[0], STEPPED, "period");
        near(falls, by_steps[1], 100.0 * STEPPED, "rate along the pole");
        near(pecks, by_steps[2], 10.0 * STEPPED, "rate of the bird");
        // The sleeve jams at both ends and the beak strikes once in each cycle.
        let struck = |name: &str| {
            let told =
                |(key, text): &&(String, String)| key == "event" && text.contains(&format!("'{name}' is struck"));
            results.notes.iter().filter(told).count()
        };
        assert_eq!(struck("beak"), 4, "{formulation}");
        assert!(struck("low") >= 4 && struck("high") >= 4, "{formulation}");
        // Energy is lost alone: gravity feeds what friction and impacts take.
        let drift = column(&results, "energy.drift");
        assert!(drift.iter().all(|d| d.abs() < 1e-9), "{formulation}: {drift:?}");
    }
}
