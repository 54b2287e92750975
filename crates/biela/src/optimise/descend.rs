//! From a start downhill. Curves alone are a sum of squares: [`squares`](super::squares). With measures to be made small or
//! limits to be kept: [`bounded`](super::bounded).

use super::way::Way;
use super::Optimisation;

/// Where a start has led.
#[derive(Debug, Clone)]
pub struct Descent {
    /// The parameters.
    pub values: Vec<f64>,
    /// What is made small, there.
    pub error: f64,
    /// Largest share by which a limit is overstepped; 0 where all are kept.
    pub violation: f64,
    /// Designs looked at.
    pub evaluations: usize,
    /// Why it ended.
    pub ended: &'static str,
}

impl Optimisation<'_> {
    /// Goes downhill from a design that can be; `go_on` may end it.
    pub(super) fn descend(&self, start: &[f64], go_on: &dyn Fn() -> bool) -> Option<Descent> {
        let way = Way::new(self, go_on);
        way.look(start, false)?;
        let ended = match self.minimise.is_empty() && self.limits.is_empty() {
            true => super::squares::descend(&way, start),
            false => super::bounded::descend(&way, start),
        };
        let (evaluations, best) = way.end();
        let (values, outcome) = best?;
        let (error, violation) = (outcome.error(), self.violation(&outcome));
        go_on().then_some(Descent { values, error, violation, evaluations, ended })
    }
}
