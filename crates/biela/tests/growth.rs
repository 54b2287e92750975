//! Work grows in proportion to the mechanism. Counted are allocations, which loops over all pairs of elements make as well, and bytes in
//! use; never time.

#[path = "common/meter.rs"]
mod meter;
#[path = "common/sizes.rs"]
mod sizes;

use biela::model::{Analysis, Model};
use biela::results::{self, Results, Spill};
use biela::signal::{Index, Signal, Signals};
use biela::solve::check::check;
use biela::solve::headline::{headline_columns, may_lead};
use biela::solve::newton::METHODS;
use biela::solve::noise::Noise;
use biela::solve::run;
use biela::solve::verify::verify;
use biela::source::Source;
use biela::text::{Document, Options};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// All tests here take turns: allocations are counted for the whole program.
static TURN: Mutex<()> = Mutex::new(());

/// How much more of everything the larger mechanism has.
const TIMES: usize = 4;
/// Growth against that: lists double as they grow, and trees of what waits become deeper.
const MORE: f64 = 1.3;

fn model(text: String) -> Model {
    let document = Document::from_toml(&Source::new("sizes.toml", text)).unwrap();
    document.model(&Options { steps: Some(2), ..Options::default() }).unwrap()
}

/// Allocations of some work on a mechanism of that size and of one four times as large.
fn grows(name: &str, text: fn(usize) -> String, size: usize, work: impl Fn(&Model)) {
    let _turn = TURN.lock();
    let count = |n: usize| {
        let model = model(text(n));
        let before = meter::calls();
        work(&model);
        meter::calls() - before
    };
    let (small, large) = (count(size), count(TIMES * size));
    println!("{name}: {small} allocations, {large} of {TIMES} times as much");
    assert!((large as f64) < MORE * (TIMES * small) as f64, "{name}: {small}, {large}");
}

#[test]
fn checks_grow_with_the_mechanism() {
    // Beyond the sizes whose singular values are told.
    for (name, text) in [("row", sizes::row as fn(usize) -> String), ("chain", sizes::chain), ("tree", sizes::tree)] {
        grows(name, text, 110, |model| {
            check(model, "absolute").unwrap();
        });
    }
}

#[test]
fn runs_and_verifications_grow_with_the_mechanism() {
    grows("run", sizes::row, 40, |model| {
        run::run(model, "absolute", METHODS[0], |_, _| true).unwrap();
    });
    grows("verify", sizes::row, 40, |model| {
        verify(model, METHODS[0], |_, _| true).unwrap();
    });
}

/// Many settled freedoms: neither a basis of motions nor a full stiffness, and as many steps whatever their number.
#[test]
fn statics_of_a_chain_grows_with_it() {
    let statics = |model: &Model| {
        let mut model = model.clone();
        model.study.analysis = Analysis::Statics;
        model.study.steps = 1;
        run::run(&model, "absolute", METHODS[0], |_, _| true).unwrap();
    };
    grows("statics", sizes::springs, 40, statics);
}

/// Every suggestion that one loop has, and once for each of many.
#[test]
fn loops_that_nothing_ties_together_are_settled_one_by_one() {
    let _turn = TURN.lock();
    let one = check(&model(sizes::row(1)), "absolute").unwrap().motion.suggestions;
    let many = check(&model(sizes::row(30)), "absolute").unwrap().motion.suggestions;
    assert_eq!(many.len(), 1, "of many loops the best set alone is told");
    assert_eq!(many[0].len(), 30 * one[0].len());
    let kinds = |set: &[biela::solve::suggest::Change]| {
        let mut kinds: Vec<_> = set.iter().map(|change| (change.from, change.to)).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds(&many[0]), kinds(&one[0]));
}

/// Of a table too large to be kept for a person those columns remain that may be told, and the largest values of the others.
#[test]
fn of_a_large_table_a_person_is_told_the_same() {
    let _turn = TURN.lock();
    for text in [sizes::row(3), sizes::chain(5), sizes::planar_chain(5)] {
        let whole = model(text);
        let mut narrow = whole.clone();
        narrow.study.filled = Some(Signals::of(&whole).iter().map(|signal| may_lead(&whole, signal)).collect());
        narrow.study.weighed = true;
        let [all, kept] = [&whole, &narrow].map(|model| run::run(model, "relative", METHODS[0], |_, _| true).unwrap());
        assert_eq!(Noise::of(&whole, &all), Noise::of(&whole, &kept));
        assert_eq!(headline_columns(&whole, &all), headline_columns(&whole, &kept));
        assert_eq!(all.columns.len(), kept.columns.len());
        let held = |found: &Results| found.columns.iter().map(|column| column.data.len()).sum::<usize>();
        println!("{} values where there are {}", held(&kept), held(&all));
        assert!(2 * held(&kept) < held(&all));
    }
}

/// The index finds what the search among all elements finds, of names that there are and of some that there are not.
#[test]
fn names_are_found_by_the_index_as_by_the_search() {
    let _turn = TURN.lock();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
    for name in
        ["slider-crank.toml", "inline-four.toml", "cam-follower.toml", "stewart-platform.toml", "planetary-gear.toml"]
    {
        let path = folder.join(name);
        let options = Options::default();
        let model = Document::read(&path, &options).and_then(|d| d.model(&options)).unwrap();
        let index = Index::new(&model);
        for signal in Signals::of(&model).all() {
            let name = signal.name(&model);
            assert_eq!(index.parse(&name), Signal::parse(&model, &name), "{name}");
            assert!(index.parse(&name).is_some(), "{name}");
            for wrong in [format!("{name}x"), format!("x{name}"), name.replace('.', ""), format!("{name}.local")] {
                assert_eq!(index.parse(&wrong), Signal::parse(&model, &wrong), "{wrong}");
            }
        }
    }
}

/// A long run has a block of samples in memory, whatever its length; what is written is the same.
#[test]
fn samples_wait_on_the_disk() {
    let _turn = TURN.lock();
    let folder = std::env::temp_dir().join(format!("biela-spill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let whole = |steps: usize, spill: Option<Arc<Spill>>| {
        let mut model = model(sizes::row(1));
        (model.study.steps, model.study.spill) = (steps, spill);
        meter::peak(|| run::run(&model, "absolute", METHODS[0], |_, _| true).unwrap())
    };
    let (short, long) = (20_000, 60_000);
    let (held, found) = whole(short, None);
    for format in ["csv", "json", "npz", "parquet"] {
        let [plain, spilled] = ["plain", "spilled"].map(|name| folder.join(format!("{name}.{format}")));
        let spill = Arc::new(Spill::beside(&spilled).unwrap().unwrap());
        let (peak, header) = whole(short, Some(Arc::clone(&spill)));
        results::write(&plain, &found).unwrap();
        results::write_spilled(&spilled, &header, &spill).unwrap();
        assert_eq!(std::fs::read(&plain).unwrap(), std::fs::read(&spilled).unwrap(), "{format}");
        println!("{format}: {peak} bytes in use where {held} were");
        assert!(2 * peak < held, "{peak} of {held}");
    }
    let spill = Arc::new(Spill::beside(&folder.join("long.csv")).unwrap().unwrap());
    let (peak, _) = whole(long, Some(Arc::clone(&spill)));
    assert_eq!(spill.rows(), long + 1);
    assert!(peak < held, "three times as many samples: {peak} bytes where {held} were");
    // Nothing waits there under a name.
    let left = std::fs::read_dir(&folder)
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(left.count(), 0);
    std::fs::remove_dir_all(&folder).unwrap();
}
