//! Designs side by side: the same bits at every width, the figures of the general solvers, and everything that is out of the ordinary left to these.

mod dyads;
mod loop_forces;
mod loops;

use biela::results::rows::Rows;
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::sweep::Sweep;
use biela::text::{Asked, Document, Options};
use biela::tree::Level;

/// Two ways to a position, both accurate to about 1e-14 of sizes of a few metres; accelerations of order ten.
const AGREEMENT: f64 = 1e-10;

fn shipped(name: &str) -> Document {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Document::from_toml(&Source::new(name, std::fs::read_to_string(path).unwrap())).unwrap()
}

#[derive(Clone, Copy)]
struct Case<'a> {
    document: &'a Document,
    vary: &'a [(&'a str, &'a str)],
    measure: &'a [(&'a str, &'a str)],
    series: &'a [&'a str],
    steps: usize,
    samples: u64,
    /// Whether designs stand side by side.
    abreast: bool,
}

impl Case<'_> {
    /// All rows by registers of that width, or one by one by the general solvers.
    fn rows(&self, level: Option<Level>) -> Rows {
        let pairs = |list: &[(&str, &str)]| list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let asked = Asked {
            vary: pairs(self.vary),
            measure: pairs(self.measure),
            series: self.series.iter().map(|s| s.to_string()).collect(),
            samples: Some(self.samples),
            seed: Some(3),
            ..Asked::default()
        };
        let options = Options { steps: Some(self.steps), ..Options::default() };
        let plan = self.document.plan(&options, &asked).unwrap_or_else(|e| panic!("{e}"));
        let mut sweep = Sweep::new(self.document, &options, plan, None, METHODS[0]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(sweep.is_abreast(), self.abreast);
        sweep.level = level;
        let mut rows = Rows::new(sweep.header.columns.len());
        (0..sweep.plan.chunks()).for_each(|chunk| rows.append(&sweep.chunk(chunk)));
        rows
    }

    /// Every width has the same bits, and agrees with the general solvers, failures included.
    fn agrees(&self) -> Rows {
        let alone = self.rows(None);
        let first = self.rows(Some(Level::Portable));
        for level in Level::ALL.iter().map(|l| l.1).filter(|level| *level <= Level::detect()) {
            let found = self.rows(Some(level));
            let bits = |rows: &Rows| -> Vec<Vec<u64>> {
                rows.columns.iter().map(|c| c.iter().map(|x| x.to_bits()).collect()).collect()
            };
            assert!(bits(&found) == bits(&first) && found.reasons == first.reasons, "{level:?}");
        }
        // Were all designs run alone, they would have the same bits.
        assert!(!self.abreast || first.columns != alone.columns);
        assert_eq!((&first.samples, &first.reasons), (&alone.samples, &alone.reasons));
        for (column, (a, b)) in first.columns.iter().zip(&alone.columns).enumerate() {
            for (row, (a, b)) in a.iter().zip(b).enumerate() {
                let off = (a - b).abs() / b.abs().max(1.0);
                assert!(off <= AGREEMENT || (a.is_nan() && b.is_nan()), "row {row}, column {column}: {a} {b}");
            }
        }
        first
    }
}
