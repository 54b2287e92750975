//! Energy and penetration where shapes tumble over each other at random: polygons and discs in a room with hollow corners, balls and boxes over floors.

use biela_base::source::Source;
use biela_core::solve::forward;
use biela_results::Results;
use biela_text::{Document, Options};

/// Of what is there, energy never grows by more.
const GROWS: f64 = 1e-10;
/// Of the mechanism's size, nothing sinks in by more.
const SINKS: f64 = 1e-9;

/// Numbers from 0 to 1, the same in every run [Steele 2014].
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

fn run(text: &str, formulation: &str) -> Results {
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&Options::default()));
    let model = document.unwrap_or_else(|e| panic!("{e}")).0;
    forward::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}\n{text}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

fn sound(results: &Results, what: &str) {
    let energy = column(results, "energy.total");
    let kinetic = column(results, "energy.kinetic");
    let there = energy.iter().chain(kinetic).fold(0.0f64, |m, e| m.max(e.abs()));
    for pair in energy.windows(2) {
        assert!(pair[1] - pair[0] <= GROWS * there, "{what}: energy grows from {} to {}", pair[0], pair[1]);
    }
    let least = column(results, "all.gap").iter().fold(f64::INFINITY, |m, g| m.min(*g));
    assert!(least > -SINKS, "{what}: it sinks in by {least:e}");
    assert!(
        results.notes.iter().any(|(key, text)| key == "event" && text.contains("is struck")),
        "{what}: nothing met"
    );
}

/// A polygon with corners at random around its middle.
fn polygon(random: &mut Random) -> String {
    let n = 3 + (random.next() * 4.0) as usize;
    let corner = |k: usize, random: &mut Random| {
        let angle = (k as f64 + random.between(0.1, 0.9)) * std::f64::consts::TAU / n as f64;
        let r = random.between(0.08, 0.16);
        format!("[{}, {}]", r * angle.cos(), r * angle.sin())
    };
    let points: Vec<String> = (0..n).map(|k| corner(k, random)).collect();
    format!("{{ type = 'polygon', points = [{}] }}", points.join(", "))
}

#[test]
fn what_tumbles_in_a_plane_loses_energy_alone() {
    let mut random = Random(21);
    for case in 0..8 {
        let bodies: String = (0..2)
            .map(|k| {
                let shape = match random.next() < 0.3 {
                    true => format!("{{ type = 'circle', radius = {} }}", random.between(0.05, 0.12)),
                    false => polygon(&mut random),
                };
                let (mass, turn) = (random.between(0.5, 3.0), random.between(0.0, 6.0));
                let start = [random.between(-2.0, 2.0), random.between(-2.0, 0.0), random.between(-8.0, 8.0)];
                format!(
                    "bodies.b{k} = {{ mass = {mass}, inertia = {}, shape = {shape}, pose = {{ at = [{}, 0.45], angle = {turn} }} }}
                     initial.'b{k}.vx' = {}\ninitial.'b{k}.vy' = {}\ninitial.'b{k}.w' = {}\n",
                    mass * 0.006,
                    0.4 * k as f64 - 0.2,
                    start[0],
                    start[1],
                    start[2]
                )
            })
            .collect();
        let (mu, e) = (random.between(0.0, 0.5), random.between(0.0, 0.9));
        let law = ["newton", "poisson", "energetic"][case % 3];
        let text = format!(
            "planar = true
             gravity = [0, -9.81]
             bodies.ground = {{ shape = {{ type = 'polygon', points = [[-0.5, 1], [-0.5, 0.05], [0, 0], [0.5, 0.1], [0.5, 1], [0.7, 1], [0.7, -0.3], [-0.7, -0.3], [-0.7, 1]] }} }}
             {bodies}
             contacts.all = {{ bodies = 'all', friction = {mu}, restitution = {e}, impact = '{law}' }}
             run = {{ analysis = 'dynamics', end = 0.6, steps = 60, tolerance = 1e-11 }}"
        );
        let formulation = ["absolute", "relative", "natural"][case % 3];
        sound(&run(&text, formulation), &format!("case {case}, {formulation}"));
    }
}

#[test]
fn what_tumbles_in_space_loses_energy_alone() {
    let mut random = Random(12);
    for case in 0..4 {
        let shape = match case % 2 {
            0 => format!("{{ type = 'box', size = [{}, 0.2, 0.1] }}", random.between(0.15, 0.3)),
            _ => format!("{{ type = 'capsule', radius = 0.06, length = {} }}", random.between(0.1, 0.3)),
        };
        let [x, y, z, u, v] = [0; 5].map(|_| random.between(-3.0, 3.0));
        let (mu, e) = (random.between(0.0, 0.5), random.between(0.1, 0.8));
        let text = format!(
            "gravity = [0, 0, -9.81]
             bodies.ground = {{ shape = [{{ type = 'plane', normal = [0, 0, 1] }}, {{ type = 'plane', normal = [-1, 0, 0.2], at = [0.6, 0, 0] }}] }}
             bodies.a = {{ mass = 2, inertia = [0.01, 0.014, 0.016], shape = {shape}, pose = {{ at = [0, 0, 0.4], rpy = [{x}, {y}, {z}] }} }}
             contacts.all = {{ bodies = 'all', friction = {mu}, restitution = {e} }}
             initial.'a.vx' = {u}
             initial.'a.wy' = {v}
             run = {{ analysis = 'dynamics', end = 0.6, steps = 60, tolerance = 1e-11 }}"
        );
        let formulation = ["absolute", "relative"][case / 2];
        sound(&run(&text, formulation), &format!("case {case}, {formulation}"));
    }
}
