//! A loop of bodies on six pivots in space, by the directions of its axes ([Wampler 1991]).
//!
//! Unknown are the unit vectors v along the pivots between moving bodies. Neighbours keep their angle; a body's other vectors are
//! α v + β v′ + γ v × v′ with constants, and those from pivot to pivot close the loop. Where neighbours are parallel a unit vector x across them
//! takes the place of the second. All equations are bilinear in two halves of the vectors, taken in turns, but for the squares.

use super::skeleton::{Skeleton, Sort};
use super::{Equations, Kin, Placed};
use crate::math::{Pose, Rotation, Vec3};
use biela_roots::{families, Complex, Polynomial, Structure, System};

/// Sine below which axes are parallel, and share of the size below which a vector is nothing.
const PARALLEL: f64 = 1e-7;
/// What should cancel and does not for rounding, against the largest coefficient.
const ROUNDING: f64 = 1e-13;

/// Largest coefficient below which an equation says nothing: unknowns and lengths are of order one.
const NOTHING: f64 = 1e-10;

/// A vector whose components are forms or products of the unknowns.
type Vector = [Polynomial; 3];

/// A point and a direction.
type Line = (Vec3, Vec3);

/// A body of the loop: its vectors at one configuration and in the unknowns.
struct Link {
    group: usize,
    /// Its first axis and another direction across which its frame is known.
    drawn: [Vec3; 2],
    images: [Vector; 2],
    /// From its first pivot to its second.
    way: Vec3,
    /// The same in the unknowns.
    moved: Vector,
}

/// A loop of six pivots.
pub(super) struct Loop {
    links: Vec<Link>,
    /// Where the first pivot stands.
    begin: Vec3,
    size: f64,
}

impl Loop {
    /// The equations of a skeleton that is such a loop; `None` where it is none.
    pub fn new(skeleton: &Skeleton, size: f64) -> Option<(Loop, Equations)> {
        let (groups, pivots) = order(skeleton)?;
        let axes: Vec<Vec3> = pivots.iter().map(|(_, u)| *u).collect();
        let parallel = |i: usize| axes[i].cross(axes[i + 1]).norm() < PARALLEL;
        let mut unknowns = Unknowns::default();
        let (directions, halves) = unknowns.directions(&axes, &parallel);
        let mut list: Vec<Polynomial> = Vec::new();
        for i in 1..5 {
            // One equation of each run of parallel axes.
            if !parallel(i - 1) {
                list.push(inner(&directions[i], &directions[i]) - number(1.0));
            }
        }
        list.extend(
            (0..5)
                .filter(|i| !parallel(*i))
                .map(|i| inner(&directions[i], &directions[i + 1]) - number(axes[i].dot(axes[i + 1]))),
        );
        let (mut links, mut shares) = (Vec::new(), Vec::new());
        let mut closing = constant((pivots[0].0 - pivots[5].0) * (1.0 / size));
        for i in 0..5 {
            let way = (pivots[i + 1].0 - pivots[i].0) * (1.0 / size);
            let (u, v) = (axes[i], &directions[i]);
            let mut share = [0.0; 3];
            let (other, image, moved) = if parallel(i) {
                let along = way.dot(u);
                let across = way - u * along;
                // Coaxial pivots turn idly between each other.
                let x = across.unit().filter(|_| across.norm() > PARALLEL)?;
                let image = unknowns.across(u, v, x, 1 - halves[i]);
                list.push(inner(&image, &image) - number(1.0));
                if v.iter().any(|p| p.degree() > 0) {
                    list.push(inner(&image, v));
                }
                let moved = plus(&scaled(v, along), &scaled(&image, across.norm()));
                (x, image, moved)
            } else {
                let next = &directions[i + 1];
                let [a, b, c] = components(way, [u, axes[i + 1], u.cross(axes[i + 1])])?;
                share = [a, b, c];
                let moved = plus(&plus(&scaled(v, a), &scaled(next, b)), &scaled(&cross(v, next), c));
                (axes[i + 1], next.clone(), moved)
            };
            closing = plus(&closing, &moved);
            shares.extend(share);
            links.push(Link { group: groups[i], drawn: [u, other], images: [v.clone(), image], way, moved });
        }
        list.extend(closing);
        let list: Vec<Polynomial> =
            list.iter().map(|p| p.trimmed(ROUNDING)).filter(|p| p.degree() > 0 && p.size() > NOTHING).collect();
        let list = list.iter().map(|p| p.scaled(1.0 / p.size())).collect();
        let Unknowns { known, half } = unknowns;
        let count = known.len();
        let groups: Vec<Vec<usize>> = (0..2).map(|h| (0..count).filter(|k| half[*k] == h).collect()).collect();
        let groups: Vec<Vec<usize>> = groups.into_iter().filter(|g: &Vec<usize>| !g.is_empty()).collect();
        let structure = Box::new(move |system: &System| Structure::grouped(system, groups.clone()));
        let whole = (pivots[5].0 - pivots[0].0) * (1.0 / size);
        let kin = (0..5).all(|i| !parallel(i)).then(|| kin(&axes, &shares, whole));
        let conjugates = (0..count).collect();
        let known = known.into_iter().map(Complex::from).collect();
        let begin = pivots[0].0;
        Some((Loop { links, begin, size }, Equations { list, unknowns: count, known, conjugates, structure, kin }))
    }
}

/// A loop without parallel neighbours as one of all these: its axes, the shares of each link's way, the way from the first pivot to the last.
fn kin(axes: &[Vec3], shares: &[f64], whole: Vec3) -> Kin {
    let (first, last) = (axes[0], axes[5]);
    let angles = (0..5).map(|i| axes[i].dot(axes[i + 1]));
    let ends = [first, last].into_iter().flat_map(Vec3::to_array);
    let numbers = ends.chain(angles).chain(shares.iter().copied()).chain(whole.to_array());
    // Outer axes have two unknowns each: their components across the ones that stand still.
    let across = move |still: Vec3, v: &[Complex]| {
        let e = still.any_perpendicular();
        [e, still.cross(e)].map(|e| e.to_array().iter().zip(v).map(|(e, v)| v.times(*e)).sum::<Complex>())
    };
    let unknowns = move |x: &[Complex]| {
        let [second, fifth] = [across(first, &x[..3]), across(last, &x[9..])];
        second.into_iter().chain(x[3..9].iter().copied()).chain(fifth).collect()
    };
    Kin { known: families::arms(), parameters: numbers.map(Complex::from).collect(), unknowns: Box::new(unknowns) }
}

/// The moving groups of a loop of six pivots in order, and the pivots: a point and an axis each.
fn order(skeleton: &Skeleton) -> Option<(Vec<usize>, Vec<Line>)> {
    let ground = skeleton.group[0];
    let moving = skeleton.moving();
    if moving.len() != 5 || skeleton.ties.len() != 6 || skeleton.ties.iter().any(|t| t.sort != Sort::Pivot) {
        return None;
    }
    let (mut here, mut used) = (ground, [false; 6]);
    let (mut groups, mut pivots) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        let next = (0..6).find(|k| !used[*k] && skeleton.ties[*k].side(here).is_some())?;
        used[next] = true;
        let tie = &skeleton.ties[next];
        pivots.push((tie.points[0], tie.u));
        here = tie.groups[1 - tie.side(here)?];
        groups.push(here);
    }
    let closes = groups.pop() == Some(ground) && groups.iter().all(|g| moving.contains(g));
    closes.then_some((groups, pivots))
}

/// Unknowns as they are given out: their values at the configuration known, and the half that each belongs to.
#[derive(Default)]
struct Unknowns {
    known: Vec<f64>,
    half: Vec<usize>,
}

impl Unknowns {
    fn one(&mut self, known: f64, half: usize) -> Polynomial {
        self.known.push(known);
        self.half.push(half);
        Polynomial::variable(self.known.len() - 1)
    }

    /// A vector with three unknowns.
    fn vector(&mut self, v: Vec3, half: usize) -> Vector {
        v.to_array().map(|x| self.one(x, half))
    }

    /// A vector at a constant angle from one that stands still: two unknowns across that.
    fn about(&mut self, still: Vec3, v: Vec3, half: usize) -> Vector {
        let e = still.any_perpendicular();
        let f = still.cross(e);
        let (x, y) = (self.one(v.dot(e), half), self.one(v.dot(f), half));
        let [s, e, f] = [still * v.dot(still), e, f].map(Vec3::to_array);
        [0, 1, 2].map(|k| number(s[k]) + x.scaled(e[k]) + y.scaled(f[k]))
    }

    /// A unit vector across an axis.
    fn across(&mut self, axis: Vec3, image: &Vector, x: Vec3, half: usize) -> Vector {
        match image.iter().all(|p| p.degree() == 0) {
            true => self.about(axis, x, half),
            false => self.vector(x, half),
        }
    }

    /// Directions of all six axes, and the half that each belongs to: in turns, parallel ones as one.
    fn directions(&mut self, axes: &[Vec3], parallel: &dyn Fn(usize) -> bool) -> (Vec<Vector>, Vec<usize>) {
        // Axes that stand still: those parallel to the ground's own, from either end.
        let from_first = (0..5).take_while(|i| parallel(*i)).count();
        let from_last = 5 - (0..5).rev().take_while(|i| parallel(*i)).count();
        let mut directions: Vec<Vector> = Vec::new();
        let mut halves = Vec::new();
        for i in 0..6 {
            let half = match i {
                0 => 1,
                _ if parallel(i - 1) => halves[i - 1],
                _ => 1 - halves[i - 1],
            };
            let still = i <= from_first || i >= from_last;
            directions.push(if still {
                constant(axes[i])
            } else if parallel(i - 1) {
                scaled(&directions[i - 1], if axes[i].dot(axes[i - 1]) > 0.0 { 1.0 } else { -1.0 })
            } else if i == from_first + 1 {
                self.about(axes[i - 1], axes[i], half)
            } else if (i..from_last - 1).all(parallel) {
                self.about(axes[from_last], axes[i], half)
            } else {
                self.vector(axes[i], half)
            });
            halves.push(half);
        }
        (directions, halves)
    }
}

fn number(c: f64) -> Polynomial {
    Polynomial::constant(c)
}

fn constant(v: Vec3) -> Vector {
    v.to_array().map(number)
}

fn inner(a: &Vector, b: &Vector) -> Polynomial {
    a.iter().zip(b).fold(Polynomial::default(), |s, (a, b)| s + a * b)
}

fn scaled(a: &Vector, s: f64) -> Vector {
    [0, 1, 2].map(|k| a[k].scaled(s))
}

fn plus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| &a[k] + &b[k])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    let part = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [part(1, 2), part(2, 0), part(0, 1)]
}

/// Components of a vector along three others.
fn components(v: Vec3, [a, b, c]: [Vec3; 3]) -> Option<[f64; 3]> {
    let whole = a.dot(b.cross(c));
    let parts = [v.dot(b.cross(c)), v.dot(c.cross(a)), v.dot(a.cross(b))];
    (whole != 0.0).then(|| parts.map(|p| p / whole))
}

impl Placed for Loop {
    fn displacements(&self, x: &[Complex]) -> Option<Vec<(usize, Pose)>> {
        let value = |v: &Vector| {
            let [x, y, z] = [0, 1, 2].map(|k| v[k].value(x).re);
            Vec3::new(x, y, z)
        };
        let mut at = self.begin;
        let mut from = self.begin;
        let mut list = Vec::new();
        for link in &self.links {
            let [u, v] = [&link.images[0], &link.images[1]].map(value);
            let turn = Rotation::from_z_x(u, v)? * Rotation::from_z_x(link.drawn[0], link.drawn[1])?.transposed();
            list.push((link.group, Pose::new(turn, at - turn.apply(from))));
            from += link.way * self.size;
            at += value(&link.moved) * self.size;
        }
        Some(list)
    }
}
