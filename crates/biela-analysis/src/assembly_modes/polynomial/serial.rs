//! A loop of six turns and slides in space, by the directions of its axes ([Wampler 1991]).
//!
//! Unknown are the unit vectors v along the pivots between moving bodies. Neighbours keep their angle; a body's other vectors are
//! α v + β v′ + γ v × v′ with constants, and those from pivot to pivot close the loop. Where neighbours are parallel a unit vector x across them
//! takes the place of the second. All equations are bilinear in two halves of the vectors, taken in turns, but for the squares. A slide lengthens the
//! vector of its body by an unknown way along another; that which slides most is taken for what stands still, and closes across its slides.

use super::skeleton::{Screw, Skeleton, Sort, Tie};
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

/// The bodies between two pivots: their vectors at one configuration and in the unknowns.
struct Link {
    /// The first body, and those behind each slide.
    groups: Vec<Option<usize>>,
    slides: Vec<Slide>,
    /// Its first axis and another direction across which its frame is known.
    drawn: [Vec3; 2],
    images: [Vector; 2],
    /// From its first pivot to its second, before anything slides.
    way: Vec3,
    /// The same in the unknowns.
    moved: Vector,
}

/// A slide between two pivots: its unknown, and its direction in the unknowns.
struct Slide {
    unknown: usize,
    image: Vector,
}

/// A loop of pivots and slides.
pub(super) struct Loop {
    links: Vec<Link>,
    /// Bodies that do not turn, from the last pivot to the first: behind the pivot, and behind each slide; directions of the slides.
    base: Vec<Option<usize>>,
    slides: Vec<Vec3>,
    /// The group of the ground.
    ground: usize,
    /// Where the first and the last pivot stand.
    ends: [Vec3; 2],
    size: f64,
}

impl Loop {
    /// The equations of a skeleton that is such a loop; `None` where it is none.
    pub fn new(skeleton: &Skeleton, size: f64) -> Option<(Loop, Equations)> {
        let Round { pivots, runs } = Round::new(skeleton)?;
        let last = pivots.len() - 1;
        let axes: Vec<Vec3> = pivots.iter().map(|(_, u)| *u).collect();
        let parallel = |i: usize| axes[i].cross(axes[i + 1]).norm() < PARALLEL;
        let mut unknowns = Unknowns::default();
        let (directions, halves) = unknowns.directions(&axes, &parallel);
        let mut list: Vec<Polynomial> = Vec::new();
        // One equation of each run of parallel axes.
        let own = (1..last).filter(|i| !parallel(i - 1));
        list.extend(own.map(|i| inner(&directions[i], &directions[i]) - number(1.0)));
        let pairs = (0..last).filter(|i| !parallel(*i));
        list.extend(pairs.map(|i| inner(&directions[i], &directions[i + 1]) - number(axes[i].dot(axes[i + 1]))));
        let (mut links, mut shares) = (Vec::new(), Vec::new());
        let mut closing = constant((pivots[0].0 - pivots[last].0) * (1.0 / size));
        for i in 0..last {
            let way = (pivots[i + 1].0 - pivots[i].0) * (1.0 / size);
            let (u, v) = (axes[i], &directions[i]);
            let (other, image) = if parallel(i) {
                let across = way - u * way.dot(u);
                // Coaxial pivots turn idly between each other.
                let x = across.unit().filter(|_| across.norm() > PARALLEL)?;
                let image = unknowns.across(u, v, x, 1 - halves[i]);
                list.push(inner(&image, &image) - number(1.0));
                if v.iter().any(|p| p.degree() > 0) {
                    list.push(inner(&image, v));
                }
                (x, image)
            } else {
                (axes[i + 1], directions[i + 1].clone())
            };
            // Any vector of these bodies.
            let told = |w: Vec3| -> Option<([f64; 3], Vector)> {
                let shares = components(w, [u, other, u.cross(other)])?;
                let [a, b, c] = shares;
                Some((shares, plus(&plus(&scaled(v, a), &scaled(&image, b)), &scaled(&cross(v, &image), c))))
            };
            let (share, moved) = told(way)?;
            closing = plus(&closing, &moved);
            shares.extend(share);
            let mut slides = Vec::new();
            for direction in &runs[i].1 {
                let (_, image) = told(*direction)?;
                let way = unknowns.one(0.0, SLIDES);
                closing = plus(&closing, &[0, 1, 2].map(|k| &image[k] * &way));
                slides.push(Slide { unknown: unknowns.known.len() - 1, image });
            }
            let groups = runs[i].0.clone();
            links.push(Link { groups, slides, drawn: [u, other], images: [v.clone(), image], way, moved });
        }
        let (base, slides) = runs[last].clone();
        list.extend(across_slides(&slides)?.iter().map(|n| inner(&constant(*n), &closing)));
        let list: Vec<Polynomial> =
            list.iter().map(|p| p.trimmed(ROUNDING)).filter(|p| p.degree() > 0 && p.size() > NOTHING).collect();
        let list = list.iter().map(|p| p.scaled(1.0 / p.size())).collect();
        let is_general = last == 5 && (0..last).all(|i| !parallel(i));
        let ends = [pivots[0].0, pivots[last].0];
        let kin = is_general.then(|| kin(&axes, &shares, (ends[1] - ends[0]) * (1.0 / size)));
        let (known, structure) = unknowns.told();
        let count = known.len();
        let equations = Equations { list, unknowns: count, known, conjugates: (0..count).collect(), structure, kin };
        Some((Loop { links, base, slides, ground: skeleton.group[0], ends, size }, equations))
    }
}

/// Directions across those in which what does not turn slides: what closes the loop is told along these. `None` where slides are not independent.
fn across_slides(slides: &[Vec3]) -> Option<Vec<Vec3>> {
    match slides {
        [] => Some(vec![Vec3::X, Vec3::Y, Vec3::Z]),
        [u] => {
            let e = u.any_perpendicular();
            Some(vec![e, u.cross(e)])
        }
        [u, v] => u.cross(*v).unit().filter(|_| u.cross(*v).norm() > PARALLEL).map(|n| vec![n]),
        _ => None,
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

/// Bodies one behind the other, and the slides between them.
type Run = (Vec<Option<usize>>, Vec<Vec3>);

/// A loop once around: its pivots, and the bodies behind each. Those behind the last slide most.
struct Round {
    pivots: Vec<Line>,
    runs: Vec<Run>,
}

impl Round {
    /// Of a skeleton that is one loop of six turns and slides.
    fn new(skeleton: &Skeleton) -> Option<Round> {
        let ground = skeleton.group[0];
        let ties = &skeleton.ties;
        let made_of =
            |t: &Tie| !t.screws.is_empty() && matches!(t.sort, Sort::Pivot | Sort::Slide | Sort::Cross | Sort::Series);
        if ties.len() != skeleton.moving().len() + 1 || !ties.iter().all(made_of) {
            return None;
        }
        let (mut here, mut used) = (ground, vec![false; ties.len()]);
        // Each turn or slide, with the body behind it.
        let mut round: Vec<(Screw, Option<usize>)> = Vec::new();
        for _ in 0..ties.len() {
            let next = (0..ties.len()).find(|k| !used[*k] && ties[*k].side(here).is_some())?;
            used[next] = true;
            let side = ties[next].side(here)?;
            here = ties[next].groups[1 - side];
            let mut screws = ties[next].screws.clone();
            if side == 1 {
                screws.reverse();
            }
            round.extend(screws.into_iter().map(|s| (s, None)));
            round.last_mut()?.1 = Some(here);
        }
        let turns = round.iter().filter(|(s, _)| s.turns).count();
        if here != ground || round.len() != 6 || turns < 3 {
            return None;
        }
        // Begins with the pivot before which most slides are.
        let slides_before = |k: usize| (1..6).take_while(|j| !round[(k + 6 - j) % 6].0.turns).count();
        let pivots = (0..6).filter(|k| round[*k].0.turns);
        let first = pivots.fold(None, |best, k| match best {
            Some(b) if slides_before(k) <= slides_before(b) => best,
            _ => Some(k),
        })?;
        round.rotate_left(first);
        let mut made = Round { pivots: Vec::new(), runs: Vec::new() };
        for (screw, group) in round {
            if screw.turns {
                made.pivots.push((screw.point, screw.u));
                made.runs.push((vec![group], Vec::new()));
            } else {
                let run = made.runs.last_mut()?;
                run.0.push(group);
                run.1.push(screw.u);
            }
        }
        Some(made)
    }
}

/// The half of slides, which is none.
const SLIDES: usize = 2;

/// The structure of equations.
type Grouping = Box<dyn Fn(&System) -> Structure>;

/// Unknowns as they are given out: their values at the configuration known, and the half that each belongs to; each slide is by itself.
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

    /// Directions of all axes, and the half that each belongs to: in turns, parallel ones as one.
    fn directions(&mut self, axes: &[Vec3], parallel: &dyn Fn(usize) -> bool) -> (Vec<Vector>, Vec<usize>) {
        // Axes that stand still: those parallel to the ground's own, from either end.
        let from_first = (0..axes.len() - 1).take_while(|i| parallel(*i)).count();
        let last = axes.len() - 1;
        let from_last = last - (0..last).rev().take_while(|i| parallel(*i)).count();
        let mut directions: Vec<Vector> = Vec::new();
        let mut halves = Vec::new();
        for i in 0..axes.len() {
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

    /// Values at the configuration known, and the structure by halves.
    fn told(self) -> (Vec<Complex>, Grouping) {
        let Unknowns { known, half } = self;
        let count = known.len();
        let halves = (0..2).map(|h| (0..count).filter(|k| half[*k] == h).collect::<Vec<usize>>());
        let slides = (0..count).filter(|k| half[*k] == SLIDES).map(|k| vec![k]);
        let groups: Vec<Vec<usize>> = halves.filter(|g| !g.is_empty()).chain(slides).collect();
        let known = known.into_iter().map(Complex::from).collect();
        (known, Box::new(move |system: &System| Structure::grouped(system, groups.clone())))
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
        let mut at = self.ends[0];
        let mut from = self.ends[0];
        let mut list: Vec<(Option<usize>, Pose)> = Vec::new();
        for link in &self.links {
            let [u, v] = [&link.images[0], &link.images[1]].map(value);
            let turn = Rotation::from_z_x(u, v)? * Rotation::from_z_x(link.drawn[0], link.drawn[1])?.transposed();
            let place = |at: Vec3| Pose::new(turn, at - turn.apply(from));
            list.push((link.groups[0], place(at)));
            for (group, slide) in link.groups[1..].iter().zip(&link.slides) {
                at += value(&slide.image) * (x[slide.unknown].re * self.size);
                list.push((*group, place(at)));
            }
            from += link.way * self.size;
            at += value(&link.moved) * self.size;
        }
        // What does not turn is off by this behind the last pivot, and slides back.
        let mut off = at - self.ends[1];
        let still = |off: Vec3| Pose::new(Rotation::IDENTITY, off);
        list.push((self.base[0], still(off)));
        let ways = match self.slides[..] {
            [u, v] => {
                let n = u.cross(v);
                let [a, b, _] = components(off, [u, v, n])?;
                vec![a, b]
            }
            _ => self.slides.iter().map(|u| off.dot(*u)).collect(),
        };
        for (group, (u, way)) in self.base[1..].iter().zip(self.slides.iter().zip(ways)) {
            off -= *u * way;
            list.push((*group, still(off)));
        }
        let list: Vec<(usize, Pose)> = list.into_iter().filter_map(|(g, pose)| Some((g?, pose))).collect();
        // All as seen from the ground.
        let ground = list.iter().find(|(g, _)| *g == self.ground).map_or(Pose::IDENTITY, |(_, pose)| *pose);
        Some(list.into_iter().filter(|(g, _)| *g != self.ground).map(|(g, p)| (g, ground.inverse() * p)).collect())
    }
}
