//! Columns of a run that are kept of each design.

use crate::results::{Column, Results};
use crate::signal::{Cost, Element, Signal};

/// Numbers of an element, each with its place among all that are kept.
pub(super) type Numbers = Vec<(usize, usize)>;

/// What is kept.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Elements in the order of their first column, with what these cost: numbers of each that are kept, with their places among all that are.
    pub elements: Vec<(Element, Cost, Numbers)>,
    /// Places in a run of all that is kept.
    pub places: Vec<usize>,
}

impl Kept {
    /// Those of the signals that are filled. Time, which all designs share, is none of them.
    pub fn new(signals: &[Signal], filled: &dyn Fn(usize) -> bool) -> Kept {
        let Kept { mut elements, mut places } = Kept::default();
        let mut run: Option<(Element, usize)> = None;
        for (k, signal) in signals.iter().enumerate() {
            let element = signal.element;
            let first = match run {
                Some((last, first)) if last == element => first,
                _ => k,
            };
            run = Some((element, first));
            if !filled(k) || matches!(element, Element::Time) {
                continue;
            }
            let own = (k - first, places.len());
            let forces = signal.cost() == Cost::Forces;
            match elements.last_mut() {
                Some((last, cost, kept)) if *last == element && (*cost == Cost::Forces) == forces => kept.push(own),
                _ => elements.push((element, signal.cost(), vec![own])),
            }
            places.push(k);
        }
        Kept { elements, places }
    }
}

/// A table for these columns of one design, each at its place in a run; those that are not kept have neither name nor values.
pub(super) fn table(places: &[usize], times: &[f64]) -> Results {
    let column = |name: &str| Column { name: name.into(), unit: "1", data: Vec::new() };
    let mut columns = vec![column(""); 1 + places.iter().copied().max().unwrap_or(0)];
    columns[0] = Column { unit: "s", data: times.to_vec(), ..column("t") };
    Results { columns, ..Results::default() }
}
