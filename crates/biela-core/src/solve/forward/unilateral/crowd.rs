//! Which of many contacts are near: bodies in the cells of grids, one for each size of bodies from one power of two to the next, each body in the one
//! cell in which its middle lies [Mirtich 1996]. What a body is near has its middle in a cell beside its own, in the grid of its size or of a larger
//! one: the work is that of sorting bodies, however they lie.

use crate::math::Vec3;
use crate::model::Model;
use crate::system::BodyState;

/// Pairs of shapes of rigid contacts, found by their bodies.
#[derive(Debug, Default)]
pub struct Crowd {
    /// Bodies in order, contact, and number of the pair in it: sorted.
    pairs: Vec<([usize; 2], usize, usize)>,
    /// Of those, pairs of which one shape has no end.
    endless: Vec<usize>,
    /// Bodies with a ball around all their shapes: body, middle, radius.
    bodies: Vec<(usize, Vec3, f64)>,
    /// Grid, cell and body, sorted (scratch).
    cells: Vec<(Cell, usize)>,
    /// Where bodies stand (scratch).
    balls: Vec<(Vec3, f64)>,
}

/// A grid, by the power of two that is its cells' length, and a cell in it.
type Cell = (i32, [i64; 3]);

/// The cell of a point in a grid.
fn cell(grid: i32, p: Vec3) -> Cell {
    (grid, p.to_array().map(|x| (x * 2f64.powi(-grid)).floor() as i64))
}

/// A pair of shapes that are near: contact, and number of the pair in it.
pub type Near = (usize, usize);

impl Crowd {
    /// Of a model.
    pub fn new(model: &Model) -> Crowd {
        let mut found = Crowd::default();
        let mut around: Vec<Option<(Vec3, f64)>> = vec![None; model.bodies.len()];
        for (number, contact) in model.contacts.iter().enumerate().filter(|(_, contact)| contact.is_rigid()) {
            for (k, touching) in contact.touching.iter().enumerate() {
                let [a, b] = touching.bodies;
                found.pairs.push(([a.min(b), a.max(b)], number, k));
                for (body, form) in touching.bodies.into_iter().zip(touching.pair.forms()) {
                    let (middle, reach) = form.around;
                    if reach.is_finite() {
                        let ball = around[body].get_or_insert((middle, reach));
                        ball.1 = ball.1.max((middle - ball.0).norm() + reach);
                    }
                }
            }
        }
        found.pairs.sort_unstable();
        let endless = |pair: &([usize; 2], usize, usize)| {
            let forms = model.contacts[pair.1].touching[pair.2].pair.forms();
            forms.iter().any(|form| form.around.1.is_infinite())
        };
        found.endless = (0..found.pairs.len()).filter(|k| endless(&found.pairs[*k])).collect();
        let with_ball = around.iter().enumerate();
        found.bodies = with_ball.filter_map(|(body, ball)| ball.map(|(middle, reach)| (body, middle, reach))).collect();
        found
    }

    /// The radius of the smallest ball around a body's shapes, where there is one.
    pub fn least_reach(&self) -> Option<f64> {
        self.bodies.iter().map(|(.., reach)| *reach).reduce(f64::min)
    }

    /// Pairs that may be nearer than `margin`, in the order of their bodies.
    pub fn near(&mut self, model: &Model, states: &[BodyState], margin: f64) -> Vec<Near> {
        let stands = |(body, middle, reach): &(usize, Vec3, f64)| (states[*body].pose.apply(*middle), reach + margin);
        self.balls.clear();
        self.balls.extend(self.bodies.iter().map(stands));
        // The least power of two that is no less than a ball's width.
        let grid = |reach: f64| {
            let bits = (2.0 * reach).max(f64::MIN_POSITIVE).to_bits();
            (bits >> 52) as i32 - 1023 + i32::from(bits << 12 != 0)
        };
        let place = |(k, (p, reach)): (usize, &(Vec3, f64))| (cell(grid(*reach), *p), k);
        self.cells.clear();
        self.cells.extend(self.balls.iter().enumerate().map(place));
        self.cells.sort_unstable();
        let mut grids: Vec<i32> = self.cells.iter().map(|entry| entry.0 .0).collect();
        grids.dedup();
        let mut found: Vec<usize> = Vec::new();
        for (k, (p, reach)) in self.balls.iter().enumerate() {
            let own = grid(*reach);
            for grid in grids.iter().filter(|grid| **grid >= own) {
                let [x, y, z] = cell(*grid, *p).1;
                for (dx, dy) in [-1, 0, 1].into_iter().flat_map(|dx| [-1, 0, 1].map(|dy| (dx, dy))) {
                    let line = |z: i64| (*grid, [x.saturating_add(dx), y.saturating_add(dy), z]);
                    let first = (line(z.saturating_sub(1)), 0);
                    let last = line(z.saturating_add(1));
                    let from = self.cells.partition_point(|entry| *entry < first);
                    for (_, other) in self.cells[from..].iter().take_while(|entry| entry.0 <= last) {
                        // Of two in one grid, once.
                        if *grid == own && *other >= k {
                            continue;
                        }
                        let (q, beyond) = self.balls[*other];
                        if (q - *p).norm() > reach + beyond {
                            continue;
                        }
                        let bodies = [self.bodies[*other].0, self.bodies[k].0];
                        let bodies = [bodies[0].min(bodies[1]), bodies[0].max(bodies[1])];
                        let first = self.pairs.partition_point(|pair| pair.0 < bodies);
                        found.extend((first..self.pairs.len()).take_while(|k| self.pairs[*k].0 == bodies));
                    }
                }
            }
        }
        found.extend(&self.endless);
        found.sort_unstable();
        found.dedup();
        let close = |k: &usize| {
            let (_, contact, pair) = self.pairs[*k];
            let touching = &model.contacts[contact].touching[pair];
            touching.pair.at_least(touching.bodies.map(|body| &states[body].pose)) <= margin
        };
        found.into_iter().filter(close).map(|k| (self.pairs[k].1, self.pairs[k].2)).collect()
    }
}
