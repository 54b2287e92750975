//! What the benches share: models, timing in interleaved rounds, lines through timings.

pub mod by_angles;
pub mod by_hand;
#[path = "../../crates/biela/tests/common/flat.rs"]
pub mod flat;
pub mod integration;
#[path = "../../crates/biela/tests/common/machines.rs"]
pub mod machines;
pub mod mobility;
pub mod puma_line;
#[path = "../../crates/biela/tests/common/sizes.rs"]
pub mod sizes;

use biela::model::Model;
use biela::source::Source;
use biela::text::{Document, Options};
use std::path::PathBuf;
use std::time::Instant;

/// A shipped model, by its file name without ending, or by its folder.
pub fn model(name: &str) -> Model {
    document(name).model(&Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The same as a document.
pub fn document(name: &str) -> Document {
    let models = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
    let folder = models.join(name);
    let path = if folder.is_dir() { folder } else { models.join(format!("{name}.toml")) };
    Document::read(&path, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Least wall time in seconds of each job over interleaved rounds, so that all see the same state of the machine.
pub fn least_times(rounds: usize, jobs: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; jobs.len()];
    for _ in 0..rounds {
        for (job, least) in jobs.iter_mut().zip(&mut least) {
            let start = Instant::now();
            job();
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    least
}

/// The N-four-bar of the multibody benchmarks: `count` parallelograms in a row that share their cranks, all links of length 1,
/// 2 N + 1 moving bodies, one freedom. The first crank is driven from 60 to 120 degrees, clear of the change points.
pub fn four_bars(count: usize) -> Model {
    compiled("n-four-bar.toml", four_bars_text(count))
}

/// Its text.
pub fn four_bars_text(count: usize) -> String {
    use std::fmt::Write;
    let mut text = String::from("name = \"n-four-bar\"\nabout = \"Parallelograms in a row.\"\n");
    let joint = |name: String, bodies: [&str; 2], at: [String; 2]| {
        format!(
            "[joints.{name}]\ntype = \"revolute\"\nbodies = [\"{}\", \"{}\"]\nat = [{}, {}]\naxis = [0, 0, 1]\n",
            bodies[0], bodies[1], at[0], at[1]
        )
    };
    let (origin, tip) = ("[0, 0, 0]".to_string(), "[1, 0, 0]".to_string());
    for k in 0..=count {
        let crank = format!("crank{k}");
        let _ = writeln!(text, "[bodies.{crank}]\npose = {{ at = [{k}, 0, 0], angle = \"60 deg\", axis = [0, 0, 1] }}");
        text += &joint(format!("A{k}"), ["ground", &crank], [format!("[{k}, 0, 0]"), origin.clone()]);
        if k > 0 {
            let (coupler, before) = (format!("coupler{k}"), format!("crank{}", k - 1));
            let _ = writeln!(text, "[bodies.{coupler}]\npose = {{ at = [{}, \"sin(60 deg)\", 0] }}", k as f64 - 0.5);
            text += &joint(format!("P{k}"), [&before, &coupler], [tip.clone(), origin.clone()]);
            text += &joint(format!("Q{k}"), [&coupler, &crank], [tip.clone(), tip.clone()]);
        }
    }
    text += "[drivers.motor]\njoint = \"A0\"\nvalue = \"60 deg + 60 deg * t\"\n[run]\nend = 1\nsteps = 100\n";
    text
}

/// Parallelograms in a row that share their cranks, with mass.
pub fn ladder(count: usize) -> String {
    let massive = "pose = {";
    four_bars_text(count)
        .replacen("about =", "gravity = [0, -9.81, 0]\nabout =", 1)
        .replace(massive, &format!("mass = 1\ninertia = [0.01, 0.01, 0.01]\n{massive}"))
}

/// The model of a text, shown by this name in messages.
pub fn compiled(name: &str, text: String) -> Model {
    let document = Document::from_toml(&Source::new(name, text));
    document.and_then(|d| d.model(&Options::default())).unwrap_or_else(|e| panic!("{e}"))
}

/// The line a + b x through points, by least squares of relative errors.
pub fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| f(*x, *y) / (y * y)).sum::<f64>();
    let (s, sx, sxx) = (sum(&|_, _| 1.0), sum(&|x, _| x), sum(&|x, _| x * x));
    let (sy, sxy) = (sum(&|_, y| y), sum(&|x, y| x * y));
    let b = (s * sxy - sx * sy) / (s * sxx - sx * sx);
    ((sy - b * sx) / s, b)
}

/// Processor time of this thread so far, which other programs on the machine do not lengthen; wall time where the system
/// does not tell it.
pub fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.as_deref().and_then(|t| t.split_whitespace().next()).and_then(|x| x.parse::<f64>().ok());
    let wall = || std::time::UNIX_EPOCH.elapsed().map_or(0.0, |d| d.as_secs_f64());
    nanoseconds.map_or_else(wall, |x| 1e-9 * x)
}
