//! Sweeps against closed forms; the same rows whatever the threads and shards; faults as rows and as messages.

use biela::error::Reason;
use biela::plan::Plan;
use biela::results::parts::{folder_of, Parts};
use biela::results::rows::Rows;
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::sweep::{self, Gather, Statistics, Sweep, Work};
use biela::text::{Asked, Document, Options};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn shipped(name: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    Document::read(&path, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
}

fn asked(vary: &[(&str, &str)], measure: &[(&str, &str)]) -> Asked {
    Asked { vary: pairs(vary), measure: pairs(measure), ..Asked::default() }
}

fn steps(steps: usize) -> Options {
    Options { steps: Some(steps), ..Options::default() }
}

fn made<'d>(document: &'d Document, options: &Options, asked: &Asked) -> biela::Result<Sweep<'d>> {
    let plan: Plan = document.plan(options, asked)?;
    Sweep::new(document, options, plan, None, METHODS[0])
}

/// All rows, in order, and their statistics.
fn all(sweep: &Sweep) -> (Rows, Statistics) {
    let (mut rows, mut gather) = (Rows::new(sweep.header.columns.len()), Gather::new(sweep));
    for chunk in 0..sweep.plan.chunks() {
        let more = sweep.chunk(chunk);
        gather.add(&more);
        rows.append(&more);
    }
    (rows, gather.finish())
}

/// Positions are accurate to about 1e-14 of the mechanism's size, here a few metres.
const POSITION: f64 = 1e-12;

#[test]
fn the_greatest_stroke_of_a_slider_crank_is_crank_plus_rod() {
    let document = shipped("slider-crank.toml");
    let asked = asked(
        &[("crank", "uniform(1.5, 2.5)"), ("rod", "normal(3.5, 10 mm)")],
        &[("reach", "max(piston.x)"), ("there", "at(piston.x, 0.875)"), ("when", "time_of_max(piston.x)")],
    );
    // The crank starts at 45 degrees and makes a turn: with 80 steps, sample 70 lies in the dead centre.
    let sweep = made(&document, &steps(80), &Asked { samples: Some(200), seed: Some(5), ..asked }).unwrap();
    let (rows, _) = all(&sweep);
    assert_eq!(rows.len(), 200);
    assert_eq!(sweep.header.columns[2], ("reach".into(), "m".into()));
    for k in 0..rows.len() {
        let value = |c: usize| rows.columns[c][k];
        assert_eq!(rows.reasons[k], "");
        assert!((value(2) - value(0) - value(1)).abs() < POSITION, "sample {k}");
        assert!((value(3) - value(2)).abs() < POSITION && (value(4) - 0.875).abs() < 1e-15);
    }
}

#[test]
fn small_tolerances_propagate_linearly() {
    let document = shipped("slider-crank.toml");
    let vary = [("crank", "normal(2, 1 mm)"), ("rod", "normal(3.5, 2 mm)")];
    let asked = Asked {
        sampling: Some("latin-hypercube".into()),
        samples: Some(2000),
        ..asked(&vary, &[("x", "first(piston.x)")])
    };
    let sweep = made(&document, &steps(1), &asked).unwrap();
    let (_, statistics) = all(&sweep);
    // x = c cos φ + √(r² − c² sin² φ) at φ = 45°, and its derivatives.
    let (c, r, s) = (2.0f64, 3.5f64, 0.5f64.sqrt());
    let root = (r * r - c * c * s * s).sqrt();
    let (dc, dr) = (s - c * s * s / root, r / root);
    let (from_crank, from_rod) = (1e-3 * dc, 2e-3 * dr);
    let deviation = from_crank.hypot(from_rod);
    let x = &statistics.summaries[0];
    // The deviation of so many draws is known to 1/√(2 N) = 1.6 %; strata do better. Regression coefficients likewise.
    const DRAWS: f64 = 0.02;
    assert!((x.deviation / deviation - 1.0).abs() < DRAWS, "{} {deviation}", x.deviation);
    assert!((x.mean - c * s - root).abs() < 1e-4 * deviation.max(1.0), "{}", x.mean);
    let of = |name: &str| x.influences.iter().find(|i| i.parameter == name).unwrap();
    assert!((of("rod").regression - from_rod / deviation).abs() < DRAWS);
    assert!((of("crank").regression - from_crank / deviation).abs() < DRAWS);
    assert_eq!(x.influences[0].parameter, "rod");
    assert!(x.explained > 0.9999, "{}", x.explained);
    // The median of a normal value is its mean.
    assert!((x.percentiles[2] - x.mean).abs() < 0.05 * deviation);
}

const PENDULUM: &str = r#"
    name = "pendulum"
    gravity = [0, -9.81, 0]
    [parameters]
    length = "1 m"
    start = 0.5
    [bodies.rod]
    mass = 2
    com = [0, "-length", 0]
    inertia = [0.01, 0.01, 0.01]
    [joints.O]
    type = "revolute"
    bodies = ["ground", "rod"]
    at = [0, 0, 0]
    axis = [0, 0, 1]
    [initial]
    "O.angle" = "start"
    [run]
    analysis = "dynamics"
    end = 2
    steps = 400
"#;

#[test]
fn forward_dynamics_and_modes_are_swept() {
    let document = Document::from_toml(&Source::new("pendulum.toml", PENDULUM)).unwrap();
    let squared = |l: f64| 2.0 * 9.81 * l / (0.01 + 2.0 * l * l);
    let options = Options { analysis: Some(biela::model::Analysis::Modes), ..Options::default() };
    let plan = asked(&[("length", "0.5:1.5:5")], &[("f", "first(frequency)")]);
    let (rows, _) = all(&made(&document, &options, &plan).unwrap());
    for k in 0..5 {
        let due = squared(rows.columns[0][k]).sqrt() / std::f64::consts::TAU;
        assert!((rows.columns[1][k] / due - 1.0).abs() < 1e-6, "{} {due}", rows.columns[1][k]);
    }
    let plan = asked(&[("length", "0.5:1.5:3"), ("start", "[0.3, 0.6]")], &[("fastest", "max(abs(O.angle.rate))")]);
    // A list in a text is no spread: it must be values(…).
    assert!(document.plan(&Options::default(), &plan).is_err());
    let vary = [("length", "0.5:1.5:3"), ("start", "values(0.3, 0.6)")];
    let plan = asked(&vary, &[("fastest", "max(abs(O.angle.rate))"), ("drift", "max(abs(energy.drift))")]);
    let (rows, _) = all(&made(&document, &Options::default(), &plan).unwrap());
    assert_eq!(rows.len(), 6);
    for k in 0..6 {
        let (l, start) = (rows.columns[0][k], rows.columns[1][k]);
        let due = (2.0 * squared(l) * (1.0 - start.cos())).sqrt();
        // The fastest of samples 5 ms apart misses the lowest point by half of that at most.
        assert!((rows.columns[2][k] / due - 1.0).abs() < 2e-4, "{} {due}", rows.columns[2][k]);
        assert!(rows.columns[3][k] < 1e-5);
    }
}

#[test]
fn forces_of_driven_motions_are_swept() {
    let document = shipped("slider-crank.toml");
    for (word, analysis) in biela::model::Analysis::ALL {
        if !["inverse-dynamics", "statics"].contains(&word) {
            continue;
        }
        let options = Options { analysis: Some(analysis), steps: Some(12), end: Some(1.0), ..Options::default() };
        let plan =
            asked(&[("rod", "3.4:3.6:3")], &[("effort", "rms(motor.effort)"), ("pin", "max(hypot(B.fx, B.fy))")]);
        let sweep = made(&document, &options, &plan).unwrap_or_else(|e| panic!("{word}: {e}"));
        let (rows, _) = all(&sweep);
        assert!(rows.reasons.iter().all(String::is_empty), "{word}: {:?}", rows.reasons);
        assert_eq!(sweep.header.columns[1..], [("effort".into(), "N*m".into()), ("pin".into(), "N".into())]);
        // One of the samples is the model as it stands.
        let model = document.model(&options).unwrap();
        let found = biela::solve::run::run(&model, "absolute", METHODS[0], |_, _| true).unwrap();
        let (fx, fy) = (&found.get("B.fx").unwrap().data, &found.get("B.fy").unwrap().data);
        let pin = fx.iter().zip(fy).map(|(x, y)| x.hypot(*y)).fold(0.0, f64::max);
        assert!((rows.columns[2][1] / pin - 1.0).abs() < 1e-12, "{word}");
    }
}

#[test]
fn what_cannot_run_is_a_row_with_its_reason() {
    let document = shipped("slider-crank.toml");
    let plan = asked(&[("crank", "3.05:3.95:10")], &[("reach", "max(piston.x)")]);
    let sweep = made(&document, &steps(80), &plan).unwrap();
    let (rows, statistics) = all(&sweep);
    assert_eq!(rows.len(), 10);
    for k in 0..10 {
        // A crank longer than the rod cannot make a turn.
        let fails = rows.columns[0][k] > 3.5;
        assert_eq!(rows.reasons[k].is_empty(), !fails, "{}: {}", rows.columns[0][k], rows.reasons[k]);
        assert_eq!(rows.columns[1][k].is_nan(), fails);
    }
    assert_eq!((statistics.samples, statistics.failed), (10, 5));
    assert_eq!(statistics.failures.iter().map(|f| f.count).sum::<u64>(), 5);
    assert!(statistics.table().contains("5 of 10 samples failed"), "{}", statistics.table());
    // All for one reason, at times of their own.
    let class = statistics.failures[0].class.as_ref().unwrap();
    assert_eq!((statistics.failures.len(), class.kind), (1, biela::ErrorKind::Motion), "{:?}", statistics.failures);
    assert_eq!(class.reason, Some(Reason::LoopsOpen));
    // Values that make no model, too: a rod of negative length.
    let plan = asked(&[("rod", "values(3.5, 0)")], &[("reach", "max(piston.x)"), ("odd", "1/(rod - 3.5 m)")]);
    let (rows, statistics) = all(&made(&document, &steps(8), &plan).unwrap());
    assert_eq!(statistics.failures.len(), 2);
    assert!(rows.reasons[0].contains("measure 'odd': is not a finite number"), "{:?}", rows.reasons);
    assert!(!rows.reasons[1].is_empty());
}

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("biela-sweep-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn threads_and_shards_leave_no_trace() {
    let folder = Folder::new("shards");
    let document = shipped("slider-crank.toml");
    let plan = Asked {
        samples: Some(150),
        sampling: Some("latin-hypercube".into()),
        ..asked(&[("crank", "normal(3, 0.3)"), ("rod", "normal(3.5, 1 mm)")], &[("reach", "max(piston.x)")])
    };
    let sweep = made(&document, &steps(16), &plan).unwrap();
    let mut files = Vec::new();
    for (name, threads, shards) in [("a", 1, 1), ("b", 2, 1), ("c", 5, 1), ("d", 2, 3)] {
        for ending in ["parquet", "csv"] {
            let output = folder.0.join(format!("{name}.{ending}"));
            // Shards in reverse, as other machines may come to an end.
            for shard in (0..shards).rev() {
                let parts = Parts::open(&output, sweep.header.clone(), true).unwrap();
                let chunks = (0..sweep.plan.chunks()).filter(|k| k % shards == shard).collect();
                sweep::run(&sweep, &Work { chunks, threads }, &|k, rows| parts.write(k, &rows), &|_, _| true).unwrap();
            }
            let parts = Parts::open(&output, sweep.header.clone(), true).unwrap();
            parts.join(sweep.plan.chunks(), |_| {}).unwrap();
            assert!(!folder_of(&output).exists());
            files.push((ending, std::fs::read(output).unwrap()));
        }
    }
    for (ending, bytes) in &files {
        assert!(*bytes == files.iter().find(|f| f.0 == *ending).unwrap().1, "{ending}");
    }
    // The joined table reads back as the rows of the sweep.
    let (_, rows) = Rows::read_parquet(&folder.0.join("a.parquet")).unwrap();
    let (due, _) = all(&sweep);
    assert_eq!((rows.samples, rows.reasons), (due.samples, due.reasons));
}

#[test]
fn parts_held_in_memory_are_parts() {
    let folder = Folder::new("held");
    let document = shipped("slider-crank.toml");
    let plan = Asked { samples: Some(150), ..asked(&[("crank", "normal(3, 0.3)")], &[("reach", "max(piston.x)")]) };
    let sweep = made(&document, &steps(16), &plan).unwrap();
    let chunks = sweep.plan.chunks();
    let open = |name: &str| Parts::open(&folder.0.join(name), sweep.header.clone(), false).unwrap();
    let written = open("written.csv");
    (0..chunks).for_each(|k| written.write(k, &sweep.chunk(k)).unwrap());
    written.join(chunks, |_| {}).unwrap();
    // The first from memory, the others from files.
    let held = open("held.csv");
    held.hold(0, sweep.chunk(0));
    (1..chunks).for_each(|k| held.write(k, &sweep.chunk(k)).unwrap());
    assert!(held.has(0) && held.missing([0]).0.is_empty());
    held.join(chunks, |_| {}).unwrap();
    let [a, b] = ["written.csv", "held.csv"].map(|name| std::fs::read(folder.0.join(name)).unwrap());
    assert!(a == b);
    // A table that cannot be written leaves them as files.
    let stuck = open("stuck.csv");
    (0..chunks).for_each(|k| stuck.hold(k, sweep.chunk(k)));
    std::fs::create_dir(folder.0.join("stuck.csv")).unwrap();
    assert!(stuck.join(chunks, |_| {}).is_err());
    let again = Parts::open(&folder.0.join("stuck.csv"), sweep.header.clone(), true).unwrap();
    assert_eq!(again.missing(0..chunks), (vec![], vec![]));
}

#[test]
fn parts_carry_the_classes_of_failures() {
    let folder = Folder::new("classes");
    let document = shipped("slider-crank.toml");
    // Cranks too long to turn, and rods of no length: each fails at another time and by another gap.
    let plan = Asked {
        samples: Some(120),
        sampling: Some("monte-carlo".into()),
        ..asked(&[("crank", "uniform(3, 4)"), ("rod", "values(3.5, 3.6, 0)")], &[("reach", "max(piston.x)")])
    };
    let sweep = made(&document, &steps(16), &plan).unwrap();
    assert!(sweep.plan.chunks() > 1);
    let output = folder.0.join("out.csv");
    let parts = Parts::open(&output, sweep.header.clone(), false).unwrap();
    for chunk in 0..sweep.plan.chunks() {
        parts.put(chunk, &Parts::bytes(&sweep.header, chunk, &sweep.chunk(chunk)).unwrap()).unwrap();
    }
    let mut gather = Gather::new(&sweep);
    parts.join(sweep.plan.chunks(), |rows| gather.add(rows)).unwrap();
    let (rows, due) = all(&sweep);
    let joined = gather.finish();
    assert_eq!(joined.failures, due.failures);
    assert_eq!(joined.json(), due.json());
    let mut told: Vec<&String> = rows.reasons.iter().filter(|r| !r.is_empty()).collect();
    told.sort();
    told.dedup();
    assert!(due.failures.len() < 6 && told.len() > 20, "{} {:?}", told.len(), due.failures);
}

#[test]
fn parts_of_another_sweep_are_refused() {
    let folder = Folder::new("parts");
    let document = shipped("slider-crank.toml");
    let output = folder.0.join("out.parquet");
    let plan = |seed| Asked { samples: Some(40), seed: Some(seed), ..asked(&[("crank", "uniform(1, 2)")], &[]) };
    let first = made(&document, &steps(8), &plan(1)).unwrap();
    let parts = Parts::open(&output, first.header.clone(), false).unwrap();
    parts.write(0, &first.chunk(0)).unwrap();
    let told = |sweep: &Sweep, resume| Parts::open(&output, sweep.header.clone(), resume).unwrap_err().to_string();
    assert!(told(&first, false).contains("holds parts of an earlier sweep"));
    let other = made(&document, &steps(8), &plan(2)).unwrap();
    assert!(told(&other, true).contains("belong to another sweep"));
    assert!(told(&made(&document, &steps(9), &plan(1)).unwrap(), true).contains("belong to another sweep"));
    let missing = parts.join(first.plan.chunks(), |_| {}).unwrap_err().to_string();
    assert!(missing.contains("2 of 3 parts are not in"), "{missing}");
    assert!(!output.exists());
    // A part that was damaged is named, and nothing is written.
    (1..3).for_each(|k| parts.write(k, &first.chunk(k)).unwrap());
    let part = folder_of(&output).join("part-000000001.parquet");
    let bytes = std::fs::read(&part).unwrap();
    std::fs::write(&part, &bytes[..bytes.len() / 2]).unwrap();
    let damaged = parts.join(first.plan.chunks(), |_| {}).unwrap_err().to_string();
    assert!(damaged.contains("part-000000001.parquet") && damaged.contains("--resume"), "{damaged}");
    assert!(!output.exists());
    assert_eq!(parts.missing(0..3), (vec![1], vec![part]));
}

/// Whatever bit of a part is not what it was, it is found; and so is a part under the name of another.
#[test]
fn every_bit_of_a_part_counts() {
    let folder = Folder::new("bits");
    let document = shipped("slider-crank.toml");
    let output = folder.0.join("out.csv");
    let plan = Asked { samples: Some(40), ..asked(&[("crank", "uniform(1, 2)")], &[]) };
    let sweep = made(&document, &steps(8), &plan).unwrap();
    let parts = Parts::open(&output, sweep.header.clone(), false).unwrap();
    (0..3).for_each(|k| parts.write(k, &sweep.chunk(k)).unwrap());
    assert_eq!(parts.missing(0..3), (vec![], vec![]));
    let path = |k: u64| folder_of(&output).join(format!("part-{k:09}.parquet"));
    let bytes = std::fs::read(path(1)).unwrap();
    // A part is a table that other programs read too.
    assert_eq!(Rows::read_parquet(&path(1)).unwrap().1, sweep.chunk(1));
    let mut flipped = 0;
    for at in 0..bytes.len() {
        // One bit of each byte, and all of every seventh.
        for bit in (0..8).filter(|bit| at % 7 == 0 || at % 8 == *bit) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(parts.put(1, &changed).is_err(), "byte {at}, bit {bit}");
            if at % 50 == 0 {
                std::fs::write(path(1), &changed).unwrap();
                let told = parts.read(1).unwrap_err().to_string();
                assert!(told.contains("part-000000001.parquet") && told.contains("damaged"), "{told}");
            }
            flipped += 1;
        }
    }
    assert!(flipped > 2000, "{flipped}");
    for (change, changed) in [
        ("cut", bytes[..bytes.len() - 1].to_vec()),
        ("longer", [bytes.as_slice(), b"x"].concat()),
        ("empty", Vec::new()),
        ("zeros", vec![0; bytes.len()]),
        ("of another number", std::fs::read(path(2)).unwrap()),
    ] {
        std::fs::write(path(1), changed).unwrap();
        assert_eq!(parts.missing(0..3).0, [1], "{change}");
        assert!(parts.join(3, |_| {}).is_err(), "{change}");
        assert!(!output.exists());
    }
    parts.put(1, &bytes).unwrap();
    parts.join(3, |_| {}).unwrap();
    assert!(output.exists() && !folder_of(&output).exists());
}

/// Parts are kept in a folder of their own and nowhere else; what is no part survives there.
#[cfg(unix)]
#[test]
fn a_folder_of_parts_is_no_link_and_loses_nothing_else() {
    let folder = Folder::new("planted-parts");
    let document = shipped("slider-crank.toml");
    let output = folder.0.join("out.csv");
    let plan = Asked { samples: Some(3), ..asked(&[("crank", "uniform(1, 2)")], &[]) };
    let sweep = made(&document, &steps(4), &plan).unwrap();
    std::fs::create_dir(folder.0.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(folder.0.join("elsewhere"), folder_of(&output)).unwrap();
    for resume in [false, true] {
        let told = Parts::open(&output, sweep.header.clone(), resume).unwrap_err().to_string();
        assert!(told.contains("it is no folder"), "{told}");
    }
    assert_eq!(std::fs::read_dir(folder.0.join("elsewhere")).unwrap().count(), 0);
    std::fs::remove_file(folder_of(&output)).unwrap();
    let parts = Parts::open(&output, sweep.header.clone(), false).unwrap();
    parts.write(0, &sweep.chunk(0)).unwrap();
    std::fs::write(folder_of(&output).join("mine.txt"), "mine").unwrap();
    parts.join(1, |_| {}).unwrap();
    assert_eq!(std::fs::read(folder_of(&output).join("mine.txt")).unwrap(), b"mine");
    let left: Vec<_> = std::fs::read_dir(folder_of(&output)).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.txt"]);
}

#[test]
fn whole_series_have_a_row_for_each_time() {
    let document = shipped("slider-crank.toml");
    let plan = Asked { series: vec!["piston.x".into(), "O".into()], ..asked(&[("crank", "values(1, 4)")], &[]) };
    let sweep = made(&document, &steps(10), &plan).unwrap();
    let names: Vec<&str> = sweep.header.columns.iter().map(|c| c.0.as_str()).collect();
    assert_eq!(names, ["crank", "t", "piston.x", "O.angle", "O.angle.rate", "O.angle.accel"]);
    let (rows, statistics) = all(&sweep);
    // Eleven times of the first sample, and the one row that says why the second has none.
    assert_eq!(rows.len(), 12);
    assert_eq!((rows.samples[10], rows.samples[11]), (0, 1));
    assert!(rows.columns[1][11].is_nan() && !rows.reasons[11].is_empty());
    assert_eq!((statistics.samples, statistics.failed, statistics.summaries.len()), (2, 1, 0));
}

#[test]
fn a_sweep_stops_when_told() {
    let document = shipped("slider-crank.toml");
    let sweep = made(&document, &steps(4), &asked(&[("crank", "1:2:500")], &[])).unwrap();
    let kept = Mutex::new(0);
    let keep = |_, rows: Rows| {
        *kept.lock().unwrap() += rows.len();
        Ok(())
    };
    let work = Work { chunks: (0..sweep.plan.chunks()).collect(), threads: 2 };
    let error = sweep::run(&sweep, &work, &keep, &|done, _| done < 100).unwrap_err();
    assert!(error.message().contains("stopped by the user after"), "{error}");
    assert!(*kept.lock().unwrap() < 500);
}

#[test]
fn the_table_of_the_model_is_a_plan() {
    let text = format!(
        "{}\n[sweep]\nsampling = \"latin-hypercube\"\nsamples = 50\nseed = 3\nstart = [0.1, 0.2]\n\
         vary.length = {{ distribution = \"triangular\", lower = \"90 cm\", mode = \"length\", upper = 1.1 }}\n\
         measure.top = \"max(O.angle)\"\n",
        PENDULUM
    );
    let document = Document::from_toml(&Source::new("m.toml", text)).unwrap();
    let plan = document.plan(&Options::default(), &Asked::default()).unwrap();
    let words = plan.words();
    assert!(words.starts_with("latin-hypercube 50 seed 3\nvary start = values(0.1, 0.2)\n"), "{words}");
    assert!(words.contains("vary length = triangular(0.9, 1, 1.1)\nmeasure top = max(O.angle)\n"), "{words}");
    assert_eq!(plan.variations[1].unit, "m");
    // What is asked for besides goes before it.
    let asked = Asked { sampling: Some("grid".into()), ..asked(&[("length", "1:2:3")], &[("low", "min(O.angle)")]) };
    let words = document.plan(&Options::default(), &asked).unwrap().words();
    assert_eq!(
        words,
        "grid 6 seed 3\nvary start = values(0.1, 0.2)\nvary length = 1:2:3\nmeasure low = min(O.angle)\n"
    );
}

#[test]
fn wrong_plans_are_explained() {
    let document = shipped("slider-crank.toml");
    let told = |vary: &[(&str, &str)], measure: &[(&str, &str)]| match made(&document, &steps(4), &asked(vary, measure))
    {
        Ok(_) => panic!("{vary:?} {measure:?} pass"),
        Err(error) => error.to_string(),
    };
    let cases: &[(&str, &str, &str)] = &[
        ("crnk", "1:2:3", "did you mean 'crank'?"),
        ("crank", "1:2", "a range, a list or a distribution is expected here"),
        ("crank", "1:2:2.5", "whole and positive, not 2.5"),
        ("crank", "1:2 kg:5", "is a mass, but a length is expected here"),
        ("crank", "gauss(1, 2)", "there is no distribution 'gauss'"),
        ("crank", "norml(1, 2)", "did you mean 'normal'?"),
        ("crank", "normal(1)", "normal takes 2 arguments; 1 are given"),
        ("crank", "normal(1, -1 mm)", "the deviation is not positive"),
        ("crank", "uniform(2, x)", "unknown name 'x'"),
        ("crank", "normal(2, 1 mm\u{bd}", "expected here"),
        ("crank", "\u{e9}(\u{e9}, \u{4e2d})", "there is no distribution"),
        ("crank", "(((:((:)", "--vary crank"),
    ];
    for (name, spread, due) in cases {
        let text = told(&[(name, spread)], &[]);
        assert!(text.contains(due), "{name}={spread}: {text}");
        assert!(text.contains("--vary") || text.contains("parameters:"), "{text}");
    }
    let text = told(&[("crank", "1:2:3")], &[("reach", "max(pistn.x)")]);
    assert!(text.contains("measure 'reach'") && text.contains("piston.x"), "{text}");
    assert!(told(&[("crank", "1:2:3")], &[("rod", "max(piston.x)")]).contains("the name is that of a parameter"));
    assert!(told(&[("crank", "1:2:3")], &[("a b", "max(piston.x)")]).contains("cannot name a measure"));
    assert!(told(&[], &[("a", "max(piston.x)")]).contains("no parameter varies"));
    // Texts that make no sense are refused, never fatal.
    for text in [
        "\u{e9}(",
        "max(\u{4e2d})",
        "max(piston.x)\u{bd}",
        "at(piston.x, \u{e9}))",
        "maxx\u{e9}(piston.x)",
        "max()",
        ")(",
    ] {
        assert!(told(&[("crank", "1:2:3")], &[("a", text)]).contains("measure 'a'"), "{text}");
    }
}
