//! Efforts of chosen joints in the place of drivers, for all lanes at once: with r the multipliers of these drivers' rows under all that acts, and G_k those
//! under a unit effort along joint coordinate k alone, G τ = −r.

use super::gauge::{carried, Reading};
use super::loads::{add, none, Wrench};
use super::multipliers::Solving;
use super::tree::Body;
use crate::math::Number;
use crate::model::Model;
use crate::signal::bearers;
use crate::solve::forces::solve_borne;
use crate::system::Owner;

/// Joint coordinates that bear drivers, and the rows of these.
#[derive(Debug)]
pub(super) struct Bearers {
    of: Vec<Bearer>,
    rows: Vec<usize>,
}

#[derive(Debug)]
struct Bearer {
    joint: usize,
    coordinate: usize,
    of: Reading,
    angle: bool,
}

impl Bearers {
    /// Those of a model, whose rows these are; `None` where they are of another kind.
    pub fn new(model: &Model, owners: &[Owner]) -> Option<Bearers> {
        let mut of = Vec::new();
        for (joint, coordinate) in bearers(&model.drivers) {
            let on = model.joints.get(joint)?;
            let angle = on.kind.coordinates().get(coordinate)?.angle;
            of.push(Bearer { joint, coordinate, of: Reading::new(&on.kind.coordinate(on, coordinate)?)?, angle });
        }
        let borne = |i: &usize| matches!(owners[*i], Owner::Driver(d) if !model.drivers[d].effort.is_empty());
        let rows: Vec<usize> = (0..owners.len()).filter(borne).collect();
        (rows.len() == of.len()).then_some(Bearers { of, rows })
    }

    /// Whether drivers bear themselves.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The place of a joint coordinate among those that bear.
    pub fn place(&self, joint: usize, coordinate: usize) -> Option<usize> {
        self.of.iter().position(|b| (b.joint, b.coordinate) == (joint, coordinate))
    }

    /// Adds a design's numbers; `None` where its drivers are borne by others.
    pub fn number(&self, model: &Model, list: &mut Vec<f64>) -> Option<()> {
        let own = self.of.iter().map(|b| (b.joint, b.coordinate));
        if !bearers(&model.drivers).into_iter().eq(own) {
            return None;
        }
        self.of.iter().try_for_each(|b| {
            let joint = model.joints.get(b.joint)?;
            b.of.number(&joint.kind.coordinate(joint, b.coordinate)?, list)
        })
    }
}

/// Efforts of those that bear, and room for finding them.
#[derive(Debug)]
pub(super) struct Borne<N> {
    /// Efforts, and what they give to the mechanism.
    pub efforts: Vec<N>,
    pub powers: Vec<N>,
    unit: Vec<Wrench<N>>,
    lambda: Vec<N>,
    matrix: Vec<N>,
    /// The numbers of one lane: G, −r, τ, the order of pivots.
    lane: [Vec<f64>; 3],
    order: Vec<usize>,
}

impl<N: Number> Borne<N> {
    pub fn new(bearers: &Bearers, bodies: usize, rows: usize) -> Borne<N> {
        let n = bearers.of.len();
        let zeros = |n: usize| vec![N::splat(0.0); n];
        Borne {
            efforts: zeros(n),
            powers: zeros(n),
            unit: vec![none(); bodies],
            lambda: zeros(rows),
            matrix: zeros(n * n),
            lane: [vec![0.0; n * n], vec![0.0; n], vec![0.0; n]],
            order: vec![0; n],
        }
    }

    /// The efforts, from the multipliers of all else; they are added to what acts. One in each lane where the joints can bear the drivers.
    #[inline(always)]
    pub fn find(
        &mut self,
        bearers: &Bearers,
        solving: &mut Solving<N>,
        numbers: &[N],
        lambda: &[N],
        external: &mut [Wrench<N>],
    ) -> N {
        let (n, bodies) = (bearers.of.len(), &solving.stepping.bodies);
        let mut at = 0;
        for (k, bearer) in bearers.of.iter().enumerate() {
            // Forces along lengths count by the size of the mechanism, as rows do.
            let one = if bearer.angle { 1.0 } else { 1.0 / solving.plan.size };
            self.unit.fill(none());
            let unit = &mut self.unit;
            bearer.of.exert(&numbers[at..], bodies, N::splat(one), |body, wrench| add(&mut unit[body], wrench));
            solving.multipliers(&self.unit, &mut self.lambda);
            for (i, row) in bearers.rows.iter().enumerate() {
                self.matrix[i * n + k] = self.lambda[*row];
            }
            at += bearer.of.numbers();
        }
        let mut good = N::splat(1.0);
        for lane in 0..N::LANES {
            let [matrix, right, efforts] = &mut self.lane;
            matrix.iter_mut().zip(&self.matrix).for_each(|(own, x)| *own = x.lane(lane));
            right.iter_mut().zip(&bearers.rows).for_each(|(own, row)| *own = -lambda[*row].lane(lane));
            if solve_borne(matrix, right, &mut self.order, efforts).is_some() {
                good.set(lane, 0.0);
            }
            self.efforts.iter_mut().zip(efforts).for_each(|(effort, x)| effort.set(lane, *x));
        }
        at = 0;
        for (k, bearer) in bearers.of.iter().enumerate() {
            let one = if bearer.angle { 1.0 } else { 1.0 / solving.plan.size };
            let effort = self.efforts[k] * N::splat(one);
            self.efforts[k] = effort;
            bearer.of.exert(&numbers[at..], bodies, effort, |body, wrench| add(&mut external[body], wrench));
            self.powers[k] = effort * rate(&bearer.of, &numbers[at..], bodies);
            at += bearer.of.numbers();
        }
        good
    }

    /// Leaves nothing to the drivers: what is left there is rounding.
    #[inline(always)]
    pub fn relieve(&self, bearers: &Bearers, lambda: &mut [N]) {
        bearers.rows.iter().for_each(|row| lambda[*row] = N::splat(0.0));
    }
}

/// The rate of a joint coordinate.
#[inline(always)]
fn rate<N: Number>(of: &Reading, numbers: &[N], bodies: &[Body<N>]) -> N {
    let values = of.values(numbers, bodies);
    let zero = [[N::splat(0.0); 3]; 3];
    let (mut rates, mut seconds) = (zero, zero);
    for (k, place) in of.places.iter().enumerate() {
        let body = &bodies[place.body];
        (rates[k], seconds[k]) = carried(body, body.acceleration, place.point, values[k]);
    }
    of.gauge.rates(&values, &rates, &seconds)[0]
}
