//! Rows: residuals, entries of Φ_v, right-hand sides of velocity and acceleration.

use super::row::Aim;
use super::{Compiled, CompiledRow, Constraints, Evaluation, Flattened, Left, Owner, Products, Stage};
use crate::joints::Marker;
use crate::math::{Jet, Vec3};
use crate::system::formulation::Cache;

impl Constraints {
    /// Markers of row `i`, their values, and the gradient of its left-hand side (not scaled) with respect to each, in `found`.
    pub fn row_gradient(&self, i: usize, t: f64, e: &mut Evaluation, found: &mut Vec<(Marker, Vec3, Vec3)>) {
        let row = &self.rows[i];
        found.clear();
        for (k, measure) in row.measures.iter().enumerate() {
            let factor = self.sensitivity(row, k, t, e);
            found.extend(self.measure_gradient(*measure, e).into_iter().flatten().map(|(m, v, g)| (m, v, g * factor)));
        }
    }

    /// ∂(left-hand side)/∂(last coordinate) of a coupling's row: what turns its multiplier into the effort along that coordinate,
    /// however the equation is written.
    pub fn coupling_slope(&self, i: usize, t: f64, e: &mut Evaluation) -> f64 {
        let row = &self.rows[i];
        match row.left {
            // The follower comes first there.
            Left::Profile(_) => self.sensitivity(row, 0, t, e),
            _ => row.measures.len().checked_sub(1).map_or(0.0, |last| self.sensitivity(row, last, t, e)),
        }
    }

    /// ∂(left-hand side)/∂(measure) of row `i`; zero where it is not made of that.
    pub fn row_slope(&self, i: usize, measure: usize, t: f64, e: &mut Evaluation) -> f64 {
        let row = &self.rows[i];
        let at = row.measures.iter().position(|m| *m == measure);
        at.map_or(0.0, |k| self.sensitivity(row, k, t, e))
    }

    /// Right-hand sides at time `t`, once for all that is asked there; those that follow one law by one evaluation of it.
    pub fn aim(&self, t: f64, e: &mut Evaluation) {
        if e.aimed == Some((self.id, t.to_bits())) {
            return;
        }
        if e.aimed.is_none_or(|(id, _)| id != self.id) {
            for (row, target) in self.rows.iter().zip(&mut e.targets) {
                if let Aim::Still(value) = &row.target {
                    *target = Jet::constant(*value);
                }
            }
        }
        for (i, first) in &self.moving {
            e.targets[*i] = if first < i { e.targets[*first] } else { self.rows[*i].target.jet(t) };
        }
        e.aimed = Some((self.id, t.to_bits()));
    }

    /// Right-hand side of row `i` with its rates at the time aimed at, not scaled.
    pub fn aimed(&self, i: usize, e: &Evaluation) -> Jet {
        self.rows[i].squared(e.targets[i])
    }

    /// Residuals Φ, lengths divided by `size`; marker values are known.
    pub fn residuals(&self, t: f64, size: f64, e: &mut Evaluation) {
        /// Angles beyond this, in radians, are many turns.
        const MANY: f64 = 100.0;
        self.aim(t, e);
        for (i, row) in self.rows.iter().enumerate() {
            let target = e.targets[i].v;
            let form = match &row.left {
                Left::One(factor) => factor * self.value(row.measures[0], e),
                Left::Sum(factors) => factors.iter().zip(&row.measures).map(|(c, m)| c * self.value(*m, e)).sum(),
                Left::Expression(expression) => {
                    self.fill(row, e, |m, e| Jet::constant(self.value(m, e)));
                    e.jets[0] = Jet::constant(t);
                    expression.jet(&e.jets[..=row.measures.len()]).v
                }
                Left::Profile(profile) => {
                    let (profile, period) = &**profile;
                    let input = fold(self.value(row.measures[1], e), *period, profile.range());
                    self.value(row.measures[0], e) - profile.jet(input).v
                }
            };
            let target = if row.squared { target * target } else { target };
            let mut gap: f64 = form - target;
            // After many turns the angles of a gear or a driven joint are large numbers, and their rounding is no violation.
            let many = |m: &usize| self.is_angle(*m) && e.near[*m].abs() > MANY;
            let coupled = matches!(row.owner, Owner::Coupling(_));
            let small = gap != 0.0 && (coupled || row.angles);
            if small && (coupled || row.measures.iter().any(many)) && gap.abs() <= self.rounding(row, t, e) {
                gap = 0.0;
            }
            e.phi[i] = gap * row.scale_at(e.targets[i].v, size) + e.relief[i];
        }
    }

    /// Rounding of a row's left-hand side, from the size of its terms.
    fn rounding(&self, row: &CompiledRow, t: f64, e: &mut Evaluation) -> f64 {
        /// Each term is rounded when it is measured, multiplied and added.
        const ROUNDINGS: f64 = 3.0;
        let term = |k: usize, e: &mut Evaluation| self.sensitivity(row, k, t, e) * self.value(row.measures[k], e);
        ROUNDINGS * f64::EPSILON * (0..row.measures.len()).map(|k| term(k, e).abs()).sum::<f64>()
    }

    /// Entries of Φ_v: rows that are lengths divided by `size`, columns that are lengths multiplied by it.
    pub fn jacobian(&self, system: Stage, size: f64, cache: &Cache, e: &mut Evaluation) {
        self.jacobian_entries(system, size, cache, e);
        self.weigh(system.t, size, e);
    }

    /// Sizes of the terms of each row of Φ_v.
    fn weigh(&self, t: f64, size: f64, e: &mut Evaluation) {
        self.aim(t, e);
        for (i, row) in self.rows.iter().enumerate() {
            let scale = row.scale_at(e.targets[i].v, size);
            let mut weight = 0.0;
            for (k, measure) in row.measures.iter().enumerate() {
                let factor = scale * self.sensitivity(row, k, t, e);
                let (markers, gradients, count) = self.gradient(*measure, e);
                for p in 0..count {
                    let reach = if self.points[markers[p]] { size } else { 1.0 };
                    weight += reach * factor.abs() * gradients[p].norm();
                }
            }
            e.weight[i] = weight;
        }
    }

    /// The entries alone, without the sizes of their terms.
    pub fn jacobian_entries(&self, system: Stage, size: f64, cache: &Cache, e: &mut Evaluation) {
        let Stage { formulation, t, .. } = system;
        self.aim(t, e);
        let mut out = std::mem::take(&mut e.phi_v);
        out.fill(0.0);
        for (i, row) in self.rows.iter().enumerate() {
            let range = self.pattern.range(i);
            let entries = &mut out[range.clone()];
            let scale = row.scale_at(e.targets[i].v, size);
            for (k, measure) in row.measures.iter().enumerate() {
                let factor = scale * self.sensitivity(row, k, t, e);
                let (markers, gradients, count) = self.gradient(*measure, e);
                if let Some(walk) = row.walks.get(k) {
                    let mut wrenches = [(Vec3::ZERO, Vec3::ZERO); 3];
                    for p in 0..count {
                        let (force, moment) = &mut wrenches[usize::from(walk.body[p])];
                        let g = gradients[p] * factor;
                        let value = e.value[markers[p]];
                        if self.points[markers[p]] {
                            *force += g;
                            *moment += (value - cache.reference).cross(g);
                        } else {
                            *moment += value.cross(g);
                        }
                    }
                    for step in &walk.steps {
                        let (force, moment) = &wrenches[usize::from(step.body)];
                        let unit = &cache.screws[step.column as usize];
                        entries[step.slot as usize] += force.dot(unit.linear) + moment.dot(unit.angular);
                    }
                    continue;
                }
                for p in 0..count {
                    let marker = &self.markers[markers[p]];
                    formulation.scatter(marker, gradients[p] * factor, cache, row.slots(k, p), entries);
                }
            }
            for (entry, length) in entries.iter_mut().zip(&self.lengths[range]) {
                if *length {
                    *entry *= size;
                }
            }
        }
        e.phi_v = out;
    }

    /// ∂(left-hand side)/∂(measure k of the row).
    #[inline]
    fn sensitivity(&self, row: &CompiledRow, k: usize, t: f64, e: &mut Evaluation) -> f64 {
        match &row.left {
            Left::One(factor) => *factor,
            Left::Sum(factors) => factors[k],
            Left::Expression(expression) => {
                self.fill(row, e, |m, e| Jet::constant(self.value(m, e)));
                e.jets[0] = Jet::constant(t);
                e.jets[k + 1].d = 1.0;
                expression.jet(&e.jets[..=row.measures.len()]).d
            }
            Left::Profile(profile) => {
                if k == 0 {
                    1.0
                } else {
                    let (profile, period) = &**profile;
                    -profile.jet(fold(self.value(row.measures[1], e), *period, profile.range())).d
                }
            }
        }
    }

    /// Jets of a row's measures into the scratch, from slot 1.
    fn fill(&self, row: &CompiledRow, e: &mut Evaluation, jet: impl Fn(usize, &Evaluation) -> Jet) {
        for (slot, measure) in row.measures.iter().enumerate() {
            e.jets[slot + 1] = jet(*measure, e);
        }
    }

    /// Right-hand side ν of Φ_v v = ν, scaled like the rows.
    pub fn velocity_side(&self, system: Stage, size: f64, e: &mut Evaluation) {
        let t = system.t;
        self.aim(t, e);
        for (i, row) in self.rows.iter().enumerate() {
            let mut side = row.squared(e.targets[i]).d;
            if let Left::Expression(expression) = &row.left {
                self.fill(row, e, |m, e| Jet::constant(self.value(m, e)));
                e.jets[0] = Jet::variable(t);
                side -= expression.jet(&e.jets[..=row.measures.len()]).d;
            }
            if row.prescribed {
                for (k, measure) in row.measures.iter().enumerate() {
                    let factor = self.sensitivity(row, k, t, e);
                    let (markers, gradients, count) = self.gradient(*measure, e);
                    for p in 0..count {
                        let [_, rate, _] = system.prescribed(&self.markers[markers[p]]);
                        side -= factor * gradients[p].dot(rate);
                    }
                }
            }
            e.nu[i] = side * row.scale_at(e.targets[i].v, size);
        }
    }

    /// Right-hand side γ of Φ_v v̇ = γ, scaled like the rows; marker rates and accelerations for v̇ = 0 are known.
    pub fn acceleration_side(&self, t: f64, size: f64, e: &mut Evaluation) {
        self.aim(t, e);
        for (i, row) in self.rows.iter().enumerate() {
            let bias = match &row.left {
                Left::One(factor) => factor * self.acceleration(row.measures[0], e),
                Left::Sum(factors) => {
                    factors.iter().zip(&row.measures).map(|(c, m)| c * self.acceleration(*m, e)).sum()
                }
                Left::Expression(expression) => {
                    self.fill(row, e, |m, e| Jet::new(self.value(m, e), self.rate(m, e), self.acceleration(m, e)));
                    e.jets[0] = Jet::variable(t);
                    expression.jet(&e.jets[..=row.measures.len()]).dd
                }
                Left::Profile(profile) => {
                    let (profile, period) = &**profile;
                    let [follower, cam] = [row.measures[0], row.measures[1]];
                    let f = profile.jet(fold(self.value(cam, e), *period, profile.range()));
                    let cam = Jet::new(0.0, self.rate(cam, e), self.acceleration(cam, e));
                    self.acceleration(follower, e) - cam.chain(f.v, f.d, f.dd).dd
                }
            };
            e.gamma[i] = (row.squared(e.targets[i]).dd - bias) * row.scale_at(e.targets[i].v, size);
        }
    }

    /// Row `i` as scalar products of sums of markers; `None` where it is made of other things too, or changes with time.
    pub(in crate::system) fn products(&self, i: usize, size: f64) -> Option<Products> {
        match self.flattened(i, size)? {
            Flattened::Products { terms, target, scale } => Some(Products { terms, target: target?, scale }),
            Flattened::Angle { .. } => None,
        }
    }

    /// Row `i` as scalar products of sums of markers, or as the angle of two of them; `None` where it is made of other things.
    pub(in crate::system) fn flattened(&self, i: usize, size: f64) -> Option<Flattened> {
        let row = &self.rows[i];
        let factors = row.left.factors()?;
        let marker = |k: usize| (self.markers[k], 1.0);
        let between = |from: usize, to: usize| vec![(self.markers[to], 1.0), (self.markers[from], -1.0)];
        let pair = |measure: &usize| match self.measures[*measure] {
            Compiled::Dot(a, b) => Some([vec![marker(a)], vec![marker(b)]]),
            Compiled::Along(a, from, to) => Some([vec![marker(a)], between(from, to)]),
            Compiled::DistanceSquared(from, to) => Some([between(from, to), between(from, to)]),
            Compiled::Distance(..) | Compiled::Elevation(..) | Compiled::Angle(..) => None,
        };
        if let ([1.0], [Compiled::Angle(x, y, u)]) = (factors, &[self.measures[*row.measures.first()?]]) {
            let of = |axis: usize| [vec![marker(axis)], vec![marker(*u)]];
            return Some(Flattened::Angle { sine: of(*y), cosine: of(*x) });
        }
        let terms = factors.iter().zip(&row.measures).map(|(factor, measure)| Some((*factor, pair(measure)?)));
        let target = match (&row.target, row.squared) {
            (Aim::Still(target), true) => Some(target * target),
            (Aim::Still(target), false) => Some(*target),
            // The factor on a squared row follows its target.
            (_, true) => return None,
            (_, false) => None,
        };
        Some(Flattened::Products { terms: terms.collect::<Option<_>>()?, target, scale: row.scale(0.0, size) })
    }

    /// Right-hand side of row `i` with its rates, not scaled.
    pub fn target(&self, i: usize, t: f64) -> Jet {
        self.rows[i].target(t)
    }

    /// Second time derivative of row `i`'s right-hand side, scaled like the row.
    pub fn target_dd(&self, i: usize, t: f64, size: f64) -> f64 {
        let row = &self.rows[i];
        row.target(t).dd * row.scale(t, size)
    }

    /// The first owner whose joint is assembled the reversed way round, if any.
    pub fn reversed(&self, e: &Evaluation) -> Option<Owner> {
        self.positive.iter().find(|(_, measure)| self.value(*measure, e) <= 0.0).map(|p| p.0)
    }

    /// A row's left-hand side less its target, in its own unit (a distance row: in length).
    pub fn gap(&self, i: usize, size: f64, e: &Evaluation) -> f64 {
        // A distance row is scaled to (d² − f²) / (2 f): its length near the solution.
        (e.phi[i] - e.relief[i]) * if self.rows[i].length { size } else { 1.0 }
    }
}

impl CompiledRow {
    /// Factor on the row: 1/size for lengths, and 1/(2 length) besides for squared ones.
    pub(super) fn scale(&self, t: f64, size: f64) -> f64 {
        self.scale_at(if self.squared { self.target_value(t) } else { 0.0 }, size)
    }

    /// The same where the value given in the row is known.
    #[inline]
    fn scale_at(&self, target: f64, size: f64) -> f64 {
        let length = if self.length { 1.0 / size } else { 1.0 };
        if self.squared {
            let target = target.abs();
            // A distance of zero has no direction; its square is then measured against the size itself.
            length * 0.5 / if target > 1e-9 * size { target } else { size }
        } else {
            length
        }
    }

    /// The value given in the row.
    #[inline]
    pub(in crate::system) fn target_value(&self, t: f64) -> f64 {
        match &self.target {
            Aim::Still(value) => *value,
            Aim::Moving(law) => law.jet(t).v,
        }
    }

    /// The right-hand side with its derivatives.
    #[inline]
    fn target(&self, t: f64) -> Jet {
        self.squared(self.target.jet(t))
    }

    /// The right-hand side of a value given in the row.
    #[inline]
    fn squared(&self, target: Jet) -> Jet {
        if self.squared {
            target * target
        } else {
            target
        }
    }
}

/// The argument of a profile brought into its range where it repeats.
fn fold(x: f64, period: Option<f64>, range: Option<(f64, f64)>) -> f64 {
    match (period, range) {
        (Some(period), Some((start, _))) => start + (x - start).rem_euclid(period),
        _ => x,
    }
}
