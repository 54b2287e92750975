//! Random machines, from text to table, and the audit of what is written.
//!
//! Some hundreds of machines from fixed seeds. More of them, others, or one again with its text:
//! ```console
//! $ BIELA_AUDIT=100 BIELA_AUDIT_SEED=7 cargo test --release --test audit random -- --nocapture
//! $ BIELA_AUDIT_ONLY=1234 cargo test --release --test audit random -- --nocapture
//! ```

use crate::balance::{self, Ledger};
use crate::columns::Columns;
use crate::freed::freed;
use crate::generate::machine;
use crate::machine::*;
use crate::rates;
use crate::record::{told, KEPT};
use crate::text::text;
use biela::model::Analysis;
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::run::run;
use biela::source::Source;
use biela::system::formulations;
use biela::text::{Document, Options};
use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Machines of an ordinary run.
const MACHINES: u64 = 300;
/// Intervals of a run: nine samples for a difference in time, and two more.
const STEPS: usize = 10;
/// A tenth of a second: motions have up to half a turn per second, so that differences of order eight leave out less than rounding.
const END: f64 = 0.1;
/// Every law holds to this, relative to what takes part in it: rounding of mechanisms up to a few hundred times as hard to solve as the
/// best.
const HELD: f64 = 1e-9;
/// Differences over 0.01 s of motions whose positions close to 1e-12 of the machine's size.
const IN_TIME: f64 = 1e-9;
/// Largest share of figures that motions near a singular position leave out.
const QUICK: f64 = 0.05;
/// Largest share of machines that cannot move as they are driven.
const REFUSED: f64 = 0.2;

/// What was found over all machines.
#[derive(Default)]
struct Tally {
    machines: usize,
    tables: usize,
    figures: usize,
    quick: usize,
    refused: BTreeMap<String, usize>,
    worst: BTreeMap<&'static str, (f64, String)>,
    faults: Vec<String>,
}

impl Tally {
    fn take(&mut self, ledger: &Ledger, whose: &str) {
        self.tables += 1;
        self.figures += ledger.figures;
        self.quick += ledger.quick;
        for (law, off, detail) in &ledger.found {
            let worst = self.worst.entry(law).or_default();
            if *off > worst.0 {
                *worst = (*off, format!("{whose}: {detail}"));
            }
            let bound = if law.ends_with("in time") { IN_TIME } else { HELD };
            if off.is_nan() || *off > bound {
                self.faults.push(format!("{whose}: {law} by {off:.1e}: {detail}"));
            }
        }
    }
}

fn solve(text: &str, formulation: &str, analysis: Analysis) -> Result<Results, String> {
    let document = Document::from_toml(&Source::new("audit.toml", text));
    let model = document.and_then(|d| d.model(&Options::default()));
    let mut model = model.map_err(|e| format!("fault of the text: {e}"))?;
    model.study.analysis = analysis;
    let found = catch_unwind(AssertUnwindSafe(|| run(&model, formulation, METHODS[0], |_, _| true)));
    found.map_err(|_| "panic".to_string())?.map_err(|e| e.message().to_string())
}

/// Differences of positions, velocities and accelerations of bodies, relative to the largest of their level and those before it.
fn difference(m: &Machine, a: &Columns, b: &Columns, samples: usize, ledger: &mut Ledger) {
    let levels: [&[&str]; 3] = [
        &["x", "y", "z", "e0", "e1", "e2", "e3"],
        &["vx", "vy", "vz", "wx", "wy", "wz"],
        &["ax", "ay", "az", "alx", "aly", "alz"],
    ];
    let mut scale = 1.0f64;
    for leaves in levels {
        let names: Vec<String> =
            m.bodies[1..].iter().flat_map(|b| leaves.iter().map(|l| format!("{}.{l}", b.name))).collect();
        for name in &names {
            scale = a.get(name).iter().take(samples).fold(scale, |m, x| m.max(x.abs()));
        }
        for name in &names {
            // Euler parameters of either sign name the same attitude.
            let whole = |x: f64| if leaves.len() == 7 && name.contains(".e") { x.abs() } else { x };
            for (x, y) in a.get(name).iter().zip(b.get(name)).take(samples) {
                ledger.note("formulations", (whole(*x) - whole(*y)).abs(), scale, || name.clone());
            }
        }
    }
}

/// The whole audit of one machine.
fn audit(seed: u64, tally: &mut Tally, show: bool) {
    let m = machine(seed);
    let text = text(&m, seed, STEPS, END);
    if show {
        println!("{text}");
    }
    tally.machines += 1;
    let first = match solve(&text, "absolute", Analysis::InverseDynamics) {
        Ok(first) => first,
        Err(words) => {
            let words = words.split([':', ';']).next().unwrap_or_default();
            let words =
                words.split(" at t =").next().unwrap_or_default().split(" beyond t =").next().unwrap_or_default();
            if words.contains("panic") || words.contains("fault") {
                tally.faults.push(format!("machine {seed}: {words}\n{text}"));
            }
            *tally.refused.entry(words.to_string()).or_default() += 1;
            return;
        }
    };
    let first_columns = Columns::new(&first);
    for formulation in formulations().map(|f| f.keyword) {
        let whose = format!("machine {seed} by {formulation}");
        match solve(&text, formulation, Analysis::InverseDynamics) {
            Ok(found) => {
                let columns = Columns::new(&found);
                let mut ledger = Ledger::default();
                let powers = balance::audit(&m, &columns, &mut ledger);
                rates::audit(&m, &columns, &powers, &mut ledger);
                difference(&m, &first_columns, &columns, usize::MAX, &mut ledger);
                tally.take(&ledger, &whose);
            }
            Err(words) if words.contains("forces cannot be told") => {
                match solve(&text, formulation, Analysis::Kinematics) {
                    Ok(found) => {
                        let mut ledger = Ledger::default();
                        difference(&m, &first_columns, &Columns::new(&found), usize::MAX, &mut ledger);
                        tally.take(&ledger, &whose);
                    }
                    Err(words) => tally.faults.push(format!("{whose}, kinematics: {words}")),
                }
            }
            Err(words) => tally.faults.push(format!("{whose}: {words}")),
        }
    }
    for formulation in ["absolute", "relative"] {
        let whose = format!("machine {seed} at rest by {formulation}");
        let still = Machine { analysis: "statics", ..m.clone() };
        match solve(&text, formulation, Analysis::Statics) {
            Ok(found) => {
                let mut ledger = Ledger::default();
                balance::audit(&still, &Columns::new(&found), &mut ledger);
                tally.take(&ledger, &whose);
            }
            Err(words) => tally.faults.push(format!("{whose}: {words}")),
        }
    }
    audit_freed(seed, &m, &first_columns, tally, show);
}

/// Efforts in place of drivers: the machine starts with the accelerations that the efforts belong to, and its motion keeps all laws.
fn audit_freed(seed: u64, m: &Machine, driven: &Columns, tally: &mut Tally, show: bool) {
    let Some(free) = freed(m, driven) else { return };
    let text = text(&free, seed, STEPS, END);
    if show {
        println!("{text}");
    }
    for formulation in formulations().map(|f| f.keyword) {
        let whose = format!("machine {seed} freed, by {formulation}");
        match solve(&text, formulation, Analysis::Dynamics) {
            Ok(found) => {
                let columns = Columns::new(&found);
                let mut ledger = Ledger::default();
                balance::audit(&free, &columns, &mut ledger);
                difference(m, driven, &columns, 1, &mut ledger);
                tally.take(&ledger, &whose);
            }
            Err(words) => tally.faults.push(format!("{whose}: {words}")),
        }
    }
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

#[test]
fn random_machines_obey_mechanics() {
    let only = setting("BIELA_AUDIT_ONLY");
    let base = setting("BIELA_AUDIT_SEED").unwrap_or(0) * 1_000_000_000;
    let count = MACHINES * setting("BIELA_AUDIT").unwrap_or(1);
    let range = only.map_or(base..base + count, |k| k..k + 1);
    let mut tally = Tally::default();
    for seed in range {
        audit(seed, &mut tally, only.is_some());
    }
    let refused: usize = tally.refused.values().sum();
    println!("{} machines, {} tables, {} figures", tally.machines, tally.tables, tally.figures);
    println!("{} differences in time too quick to tell", tally.quick);
    println!("refused: {refused}, {:?}", tally.refused);
    for (law, (off, whose)) in &tally.worst {
        println!("{law}: {off:.1e} ({whose})");
        told(KEPT, law, HELD, *off);
    }
    assert!(tally.faults.is_empty(), "{} faults:\n{}", tally.faults.len(), tally.faults.join("\n"));
    assert!(only.is_some() || tally.quick as f64 <= QUICK * tally.figures as f64, "too many are too quick");
    assert!(only.is_some() || (refused as f64) < REFUSED * tally.machines as f64, "too many cannot move");
}

/// The audit covers every column: a millionth more in any of them is noticed.
#[test]
fn every_column_is_audited() {
    for seed in [2, 12, 20, 21, 44, 211] {
        let m = machine(seed);
        let text = text(&m, seed, STEPS, END);
        let found =
            solve(&text, "absolute", Analysis::InverseDynamics).unwrap_or_else(|e| panic!("machine {seed}: {e}"));
        let exempt = ["t", "residual", "mode"];
        for (k, column) in found.columns.iter().enumerate().filter(|(_, c)| !exempt.contains(&c.name.as_str())) {
            let mut altered = found.clone();
            let most = column.data.iter().fold(1e-2f64, |m, x| m.max(x.abs()));
            altered.columns[k].data[STEPS / 2] += 1e-6 * most;
            let columns = Columns::new(&altered);
            let mut ledger = Ledger::default();
            let powers = balance::audit(&m, &columns, &mut ledger);
            rates::audit(&m, &columns, &powers, &mut ledger);
            let worst = ledger.found.iter().fold(0.0f64, |m, f| m.max(f.1));
            assert!(worst > HELD, "machine {seed}: nobody notices '{}'", column.name);
        }
    }
}
