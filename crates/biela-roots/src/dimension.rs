//! Whether a singular root is alone, or one of a set of roots.
//!
//! Where the Jacobian of n equations has rank n − c, a set of dimension c is looked for ([Wampler 2011]): c equations that depend on the others to
//! first order give way to c planes across the null space, a little beside the root. If Newton's method finds a root of the rest there, and the
//! equations left out hold at it too, the root is one of a set of dimension c. At a multiple root that is alone they hold to first order only.

use crate::complex::{distance, length, Complex};
use crate::lu::Lu;
use crate::polynomial::Polynomial;

/// Pivots below this share of the largest are taken for nothing: ends of singular paths are known to nine digits, double roots to half of that.
const DEPENDENT: f64 = 1e-5;
/// How far beside the root the planes lie, against its length.
const BESIDE: f64 = 1e-2;
/// Newton's corrections.
const CORRECTIONS: usize = 12;
/// Residual, against coefficients of order one, below which an equation left out holds: far below the square of `BESIDE`.
const HOLDS: f64 = 1e-9;

/// The dimension of the set of roots about a point that is a singular root of equations, as many as unknowns or more: 0 where it is alone.
/// `None` where that is not told.
pub fn local_dimension<'a>(equations: impl IntoIterator<Item = &'a Polynomial>, x: &[Complex]) -> Option<usize> {
    let equations: Vec<&Polynomial> = equations.into_iter().collect();
    let n = x.len();
    let jacobian: Vec<Vec<_>> = equations.iter().map(|p| (0..n).map(|k| p.derivative(k)).collect()).collect();
    let at = |x: &[Complex]| -> Vec<Vec<Complex>> {
        jacobian.iter().map(|row| row.iter().map(|p| p.value(x)).collect()).collect()
    };
    let (kept, null) = rank(at(x), n);
    let corank = null.len();
    if corank == 0 {
        return Some(0);
    }
    let beside = BESIDE * length(x).max(1.0);
    let mut y = x.to_vec();
    for v in &null {
        y.iter_mut().zip(v).for_each(|(y, v)| *y += v.times(beside));
    }
    let target = y.clone();
    let mut lu = Lu::new(n);
    let mut right = vec![Complex::ZERO; n];
    for _ in 0..CORRECTIONS {
        let rows = at(&y);
        for (place, k) in kept.iter().enumerate() {
            lu.matrix()[place * n..(place + 1) * n].copy_from_slice(&rows[*k]);
            right[place] = equations[*k].value(&y);
        }
        for (place, v) in (kept.len()..n).zip(&null) {
            for k in 0..n {
                lu.matrix()[place * n + k] = v[k].conjugate();
            }
            right[place] = v.iter().zip(y.iter().zip(&target)).map(|(v, (y, t))| v.conjugate() * (*y - *t)).sum();
        }
        if lu.factor() == 0.0 {
            return None;
        }
        lu.solve(&mut right);
        y.iter_mut().zip(&right).for_each(|(y, d)| *y -= *d);
    }
    let settled = length(&right) < HOLDS * length(&y) && distance(&y, &target) < beside;
    let size = length(&y).max(1.0);
    let all = equations.iter().all(|p| p.value(&y).norm() < HOLDS * p.size() * size);
    match (settled, all, corank) {
        (true, true, _) => Some(corank),
        (_, _, 1) => Some(0),
        _ => None,
    }
}

/// Rows that are independent, and an orthonormal basis of what they all take to zero.
fn rank(mut rows: Vec<Vec<Complex>>, n: usize) -> (Vec<usize>, Vec<Vec<Complex>>) {
    let mut kept: Vec<usize> = Vec::new();
    let mut basis: Vec<Vec<Complex>> = Vec::new();
    let mut largest = 0.0f64;
    // The longest row of what is left, made orthogonal to those before.
    while kept.len() < n {
        let next = (0..rows.len()).filter(|k| !kept.contains(k)).map(|k| (length(&rows[k]), k));
        let Some((size, k)) = next.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        largest = largest.max(size);
        if size <= DEPENDENT * largest {
            break;
        }
        let unit: Vec<Complex> = rows[k].iter().map(|c| c.times(1.0 / size)).collect();
        for row in &mut rows {
            take(row, &unit);
        }
        kept.push(k);
        basis.push(unit);
    }
    // Rows stand for their conjugates: what they take to zero is across those.
    let across: Vec<Vec<Complex>> = basis.iter().map(|b| b.iter().map(|c| c.conjugate()).collect()).collect();
    let mut null: Vec<Vec<Complex>> = Vec::new();
    while kept.len() + null.len() < n {
        let candidate = |j: usize| {
            let mut v = vec![Complex::ZERO; n];
            v[j] = Complex::ONE;
            across.iter().chain(&null).for_each(|b| take(&mut v, b));
            v
        };
        let Some(mut v) = (0..n).map(candidate).max_by(|a, b| length(a).total_cmp(&length(b))) else { break };
        across.iter().chain(&null).for_each(|b| take(&mut v, b));
        let scale = 1.0 / length(&v);
        v.iter_mut().for_each(|c| *c = c.times(scale));
        null.push(v);
    }
    (kept, null)
}

/// Takes what lies along a unit vector out of another.
fn take(v: &mut [Complex], unit: &[Complex]) {
    let along: Complex = v.iter().zip(unit).map(|(v, u)| *v * u.conjugate()).sum();
    v.iter_mut().zip(unit).for_each(|(v, u)| *v -= along * *u);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(list: Vec<Polynomial>, x: &[f64]) -> Option<usize> {
        let point: Vec<Complex> = x.iter().map(|x| Complex::from(*x)).collect();
        local_dimension(&list, &point)
    }

    #[test]
    fn points_lines_and_surfaces_are_told_apart() {
        let [x, y, z] = [0, 1, 2].map(Polynomial::variable);
        let one = Polynomial::constant(1.0);
        // A double point, a regular one, a line, a circle, and a sphere on which all three equations hold.
        assert_eq!(dimension(vec![x.square(), y.clone() - x.clone()], &[0.0, 0.0]), Some(0));
        assert_eq!(dimension(vec![x.clone() - one.clone(), y.clone()], &[1.0, 0.0]), Some(0));
        let line = vec![x.clone() * y.clone(), x.clone() * (y.clone() - one.clone())];
        assert_eq!(dimension(line, &[0.0, 0.3]), Some(1));
        let circle = x.square() + y.square() - one.clone();
        let list = vec![circle.clone(), circle.clone() * (x.clone() - y.clone())];
        assert_eq!(dimension(list, &[0.6, 0.8]), Some(1));
        let sphere = circle + z.square();
        let list = vec![sphere.clone(), sphere.clone() * x.clone(), sphere * (z - one)];
        assert_eq!(dimension(list, &[0.6, 0.0, 0.8]), Some(2));
        // A line and a point of it, by three equations for two unknowns.
        let [x, y] = [0, 1].map(Polynomial::variable);
        let list = vec![x.square(), x.clone() * y.clone(), x.clone() * (x.clone() + y.clone())];
        assert_eq!(dimension(list.clone(), &[0.0, 0.3]), Some(1));
        // Where no equation has a first order, a line through the point is not ruled out by the lack of a plane.
        assert_eq!(dimension([list, vec![y.square()]].concat(), &[0.0, 0.0]), None);
    }
}
