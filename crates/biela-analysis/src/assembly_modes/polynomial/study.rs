//! One body in space that points of the ground hold, by Study's coordinates ([Husty 1996]).
//!
//! A quaternion e turns it and g = p e/2 carries its place p; both are known but for a common factor, and e·g = 0. With N = e·e, the image of
//! a point b lies at (2 g e* + e b e*)/N, and its squared distance from a is (4 g·g + N (a² + b²) + 4 g·(e b) − 4 g·(a e) − 2 (a e)·(e b))/N. All
//! equations are quadrics. Differences of distances, and heights above planes, have no term in g alone: they are products of a form in e and one
//! in both, of which there are at most 84 roots.

use super::skeleton::{Skeleton, Sort};
use super::{Equations, Kin, Placed};
use crate::math::{EulerParameters, Pose, Rotation, Vec3};
use biela_roots::families::{self, PLATFORM_SCALE as SCALE};
use biela_roots::{Complex, Factor, Polynomial, Structure, System};

/// What should cancel and does not for rounding, against the largest coefficient.
const ROUNDING: f64 = 1e-13;
/// Largest coefficient below which an equation says nothing: unknowns and lengths are of order one.
const NOTHING: f64 = 1e-10;

pub(super) type Quaternion = [Polynomial; 4];

/// A body that the ground holds.
pub(super) struct Platform {
    group: usize,
    centre: Vec3,
    size: f64,
}

impl Platform {
    /// The equations of a skeleton with one moving group that hangs on rods, planes and lines; `None` for others.
    pub fn new(skeleton: &Skeleton, group: usize, size: f64) -> Option<(Platform, Equations)> {
        let count = skeleton.ties.len().max(1) as f64;
        let centre = skeleton.ties.iter().fold(Vec3::ZERO, |s, t| s + t.points[0]) * (1.0 / count);
        let platform = Platform { group, centre, size };
        let e = unknown_rotation(0);
        let g = [3, 4, 5, 6].map(Polynomial::variable);
        let norm = dot(&e, &e);
        let mut rods: Vec<Polynomial> = Vec::new();
        let mut legs: Vec<[f64; 7]> = Vec::new();
        let mut others = vec![dot(&e, &g)];
        for tie in &skeleton.ties {
            let own = usize::from(tie.groups[1] == group);
            let at = |p: Vec3| (p - centre) * (1.0 / size);
            let (a, b) = (at(tie.points[1 - own]), at(tie.points[own]));
            // The height of the image of b over the plane through a, times N.
            let height = |u: Vec3| {
                let image = sum3(&times(&g, &conjugate(&e)), 2.0, &times(&times(&e, &pure(b)), &conjugate(&e)));
                let along = image[1].scaled(u.x) + image[2].scaled(u.y) + image[3].scaled(u.z);
                along - norm.scaled(a.dot(u))
            };
            match tie.sort {
                Sort::Rod => {
                    let (ae, eb) = (times(&pure(a), &e), times(&e, &pure(b)));
                    let length2 = (a - b).dot(a - b);
                    legs.push([a.x, a.y, a.z, b.x, b.y, b.z, length2]);
                    let constant = norm.scaled(a.dot(a) + b.dot(b) - length2);
                    let mixed = dot(&g, &eb).scaled(4.0) - dot(&g, &ae).scaled(4.0) - dot(&ae, &eb).scaled(2.0);
                    rods.push(dot(&g, &g).scaled(4.0) + constant + mixed);
                }
                Sort::Plane | Sort::Sheet if own == 1 => others.push(height(tie.u)),
                Sort::Line if own == 1 => {
                    let across = tie.u.any_perpendicular();
                    others.extend([across, tie.u.cross(across)].map(height));
                }
                _ => return None,
            }
        }
        let mut list = Vec::new();
        if let Some((first, rest)) = rods.split_first() {
            list.push(first.clone());
            list.extend(rest.iter().map(|r| r - first));
        }
        list.extend(others.iter().cloned());
        // Study's condition and six legs, and nothing else.
        let six = <&[[f64; 7]; 6]>::try_from(legs.as_slice()).ok().filter(|_| others.len() == 1 && rods.len() == 6);
        let kin = six.map(|legs| Kin {
            known: families::platforms(),
            parameters: families::platform(legs),
            unknowns: Box::new(<[Complex]>::to_vec),
        });
        let list = list.iter().map(|p| p.trimmed(ROUNDING)).filter(|p| p.size() > NOTHING);
        let list = list.map(|p| p.scaled(1.0 / p.size())).collect();
        let known = vec![Complex::ZERO; 7];
        let structure = |system: &System| {
            let all = Factor { group: 0, variables: (0..7).collect() };
            let turn = Factor { group: 0, variables: (0..3).collect() };
            let g_alone = |p: &Polynomial| p.degree_in(&[3, 4, 5, 6]) > 1;
            let of = |p: &Polynomial| vec![if g_alone(p) { all.clone() } else { turn.clone() }, all.clone()];
            let factors = system.polynomials().iter().map(of).collect();
            Structure::product(system, vec![(0..7).collect()], factors)
                .unwrap_or_else(|_| Structure::total_degree(system))
        };
        let conjugates = (0..7).collect();
        Some((platform, Equations { list, unknowns: 7, known, conjugates, structure: Box::new(structure), kin }))
    }
}

/// e, of which one form is one, in three unknowns from `from` on.
pub(super) fn unknown_rotation(from: usize) -> Quaternion {
    let own = |k: usize| Polynomial::variable(from + k);
    let mut first = Polynomial::constant(1.0);
    for k in 0..3 {
        first = first - own(k).scaled(SCALE[k + 1]);
    }
    [first.scaled(1.0 / SCALE[0]), own(0), own(1), own(2)]
}

pub(super) fn pure(v: Vec3) -> Quaternion {
    [Polynomial::default(), Polynomial::constant(v.x), Polynomial::constant(v.y), Polynomial::constant(v.z)]
}

pub(super) fn conjugate(a: &Quaternion) -> Quaternion {
    [a[0].clone(), -&a[1], -&a[2], -&a[3]]
}

pub(super) fn times(a: &Quaternion, b: &Quaternion) -> Quaternion {
    let t = |i: usize, j: usize| &a[i] * &b[j];
    [
        t(0, 0) - t(1, 1) - t(2, 2) - t(3, 3),
        t(0, 1) + t(1, 0) + t(2, 3) - t(3, 2),
        t(0, 2) + t(2, 0) + t(3, 1) - t(1, 3),
        t(0, 3) + t(3, 0) + t(1, 2) - t(2, 1),
    ]
}

pub(super) fn dot(a: &Quaternion, b: &Quaternion) -> Polynomial {
    a.iter().zip(b).fold(Polynomial::default(), |s, (a, b)| s + a * b)
}

/// The turn that e₁ e₂ e₃ stand for, and the place that g carries.
pub(super) fn rotation_from(own: [f64; 3], g: Option<[f64; 4]>) -> (Rotation, Vec3) {
    let first = (1.0 - (0..3).map(|k| SCALE[k + 1] * own[k]).sum::<f64>()) / SCALE[0];
    let e = [first, own[0], own[1], own[2]];
    let norm = e.iter().map(|x| x * x).sum::<f64>();
    let (e0, ev) = (e[0], Vec3::new(e[1], e[2], e[3]));
    let [g0, gx, gy, gz] = g.unwrap_or_default();
    let gv = Vec3::new(gx, gy, gz);
    // 2 g e*/N, of which the scalar part is Study's condition.
    let place = (gv * e0 - ev * g0 - gv.cross(ev)) * (2.0 / norm);
    let scale = 1.0 / norm.sqrt();
    (EulerParameters(e.map(|x| x * scale)).rotation(), place)
}

/// s a + b.
fn sum3(a: &Quaternion, s: f64, b: &Quaternion) -> Quaternion {
    [0, 1, 2, 3].map(|k| a[k].scaled(s) + b[k].clone())
}

impl Placed for Platform {
    fn displacements(&self, x: &[Complex]) -> Option<Vec<(usize, Pose)>> {
        let value: Vec<f64> = x.iter().map(|z| z.re).collect();
        let (turn, place) = rotation_from([0, 1, 2].map(|k| value[k]), Some([3, 4, 5, 6].map(|k| value[k])));
        let origin = self.centre + place * self.size - turn.apply(self.centre);
        Some(vec![(self.group, Pose::new(turn, origin))])
    }

    fn is_meant(&self, x: &[Complex], small: f64) -> bool {
        let form = (0..3).map(|k| x[k].times(SCALE[k + 1])).sum::<Complex>();
        let first = (Complex::ONE - form).times(1.0 / SCALE[0]);
        let all = [first, x[0], x[1], x[2]];
        let norm: Complex = all.iter().map(|z| *z * *z).sum();
        norm.norm() > small * all.iter().map(|z| z.norm2()).sum::<f64>()
    }
}
