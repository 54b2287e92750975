//! Mechanisms of turns, slides, balls and rods in space, along a spanning tree of their ties.
//!
//! Each tie of the tree has unknowns of its own: cosine and sine of a turn, the way of a slide, the quaternion of a ball; a body that hangs on none
//! of these has Study's coordinates. A body's displacement is the product of those from the ground to it, and what closes its loops is written for
//! the two ways from where they part, so that each equation is linear or quadratic in the unknowns of each tie that it sees. Every tie's unknowns are a
//! group of the multihomogeneous count. Squared distances are told by |p + R y − x|² = |y|² + |x − p|² − 2 (x − p)·R y, which keeps them linear in R.

use super::skeleton::{Screw, Skeleton, Sort, Tie};
use super::study::{conjugate, dot, rotation_from, times, unknown_rotation, Quaternion};
use super::{Equations, Placed};
use crate::math::{Elementary, Pose, Rotation, Vec3};
use biela_roots::{Complex, Factor, Polynomial, Structure, System};
use std::collections::BTreeMap;

/// What should cancel and does not for rounding, against the largest coefficient.
const ROUNDING: f64 = 1e-13;
/// Largest coefficient below which an equation says nothing: unknowns and lengths are of order one.
const NOTHING: f64 = 1e-10;
/// Terms beyond which an equation is not multiplied out.
const MOST_TERMS: usize = 30_000;

type Vector = [Polynomial; 3];
/// How often the squared length of each quaternion divides, by its first variable.
type Under = BTreeMap<usize, u32>;

/// What one tie of the tree lets a body do, as assembled; lengths in sizes from the centre.
#[derive(Debug, Clone, Copy)]
enum Motion {
    /// Cosine and sine.
    Turn { p: Vec3, u: Vec3 },
    /// The way.
    Slide { u: Vec3 },
    /// e₁ e₂ e₃.
    Ball { p: Vec3 },
    /// e₁ e₂ e₃ and g.
    Free,
}

impl Motion {
    fn unknowns(self) -> usize {
        match self {
            Motion::Turn { .. } => 2,
            Motion::Slide { .. } => 1,
            Motion::Ball { .. } => 3,
            Motion::Free => 7,
        }
    }

    /// How many times as many terms a point has after it.
    fn terms(self) -> usize {
        match self {
            Motion::Turn { .. } => 3,
            Motion::Slide { .. } => 2,
            Motion::Ball { .. } => 10,
            Motion::Free => 22,
        }
    }
}

/// A motion with its unknowns, from parent to child or `back`.
#[derive(Debug, Clone, Copy)]
struct Step {
    first: usize,
    motion: Motion,
    back: bool,
}

/// A body of the tree, or what is between two motions of one joint.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: usize,
    step: Option<Step>,
}

/// A vector over powers of quaternions' squared lengths.
struct Over {
    top: Vector,
    under: Under,
}

/// A number over such.
struct Ratio {
    top: Polynomial,
    under: Under,
}

/// What closes a loop, between two nodes.
struct Closing {
    sort: Sort,
    nodes: [usize; 2],
    points: [Vec3; 2],
    u: Vec3,
}

/// A mechanism along its tree.
pub(super) struct Spanning {
    centre: Vec3,
    size: f64,
    nodes: Vec<Node>,
    /// The node of each group that moves.
    groups: Vec<(usize, usize)>,
    closings: Vec<Closing>,
    unknowns: usize,
}

impl Spanning {
    /// The equations of a skeleton, or why they are not written so.
    pub fn new(skeleton: &Skeleton, size: f64) -> Result<(Spanning, Equations), String> {
        let count = skeleton.ties.len().max(1) as f64;
        let centre = skeleton.ties.iter().fold(Vec3::ZERO, |s, t| s + t.points[0]) * (1.0 / count);
        let root = Node { parent: 0, step: None };
        let (nodes, groups) = (vec![root], vec![(skeleton.group[0], 0)]);
        let mut made = Spanning { centre, size, nodes, groups, closings: Vec::new(), unknowns: 0 };
        made.grow(skeleton)?;
        let equations = made.equations()?;
        Ok((made, equations))
    }

    fn node_of(&self, group: usize) -> Option<usize> {
        self.groups.iter().find(|g| g.0 == group).map(|g| g.1)
    }

    fn at(&self, p: Vec3) -> Vec3 {
        (p - self.centre) * (1.0 / self.size)
    }

    fn push(&mut self, parent: usize, motion: Motion, back: bool) -> usize {
        let step = Some(Step { first: self.unknowns, motion, back });
        self.unknowns += motion.unknowns();
        self.nodes.push(Node { parent, step });
        self.nodes.len() - 1
    }

    fn motion(&self, screw: &Screw) -> Motion {
        match screw.turns {
            true => Motion::Turn { p: self.at(screw.point), u: screw.u },
            false => Motion::Slide { u: screw.u },
        }
    }

    /// The tree, by the ties with the fewest freedoms first, and what is left to close.
    fn grow(&mut self, skeleton: &Skeleton) -> Result<(), String> {
        let moving = skeleton.moving();
        let mut used = vec![false; skeleton.ties.len()];
        while let Some(loose) = moving.iter().copied().find(|g| self.node_of(*g).is_none()) {
            let edge = |k: &usize| {
                let tie = &skeleton.ties[*k];
                let reached = tie.groups.map(|g| self.node_of(g));
                (reached[0].is_some() != reached[1].is_some() && rank(tie).is_some()).then_some(())
            };
            let depth = |k: usize| {
                let from = skeleton.ties[k].groups.iter().filter_map(|g| self.node_of(*g)).max().unwrap_or(0);
                (rank(&skeleton.ties[k]), self.way(from).len(), k)
            };
            match (0..used.len()).filter(|k| edge(k).is_some()).min_by_key(|k| depth(*k)) {
                Some(k) => {
                    used[k] = true;
                    self.hang(&skeleton.ties[k]);
                }
                None => {
                    let node = self.push(0, Motion::Free, false);
                    self.groups.push((loose, node));
                }
            }
        }
        for (k, tie) in skeleton.ties.iter().enumerate().filter(|(k, _)| !used[*k]) {
            let _ = k;
            self.close(tie)?;
        }
        Ok(())
    }

    /// Hangs a group on the tree by a tie of which one end is reached.
    fn hang(&mut self, tie: &Tie) {
        let side = usize::from(self.node_of(tie.groups[0]).is_none());
        let (from, back) = (self.node_of(tie.groups[side]).unwrap_or(0), side == 1);
        let mut motions: Vec<Motion> = tie.screws.iter().map(|s| self.motion(s)).collect();
        if matches!(tie.sort, Sort::Ball | Sort::Line) {
            motions.push(Motion::Ball { p: self.at(tie.points[1]) });
        }
        if back {
            motions.reverse();
        }
        let node = motions.into_iter().fold(from, |node, motion| self.push(node, motion, back));
        self.groups.push((tie.groups[1 - side], node));
    }

    /// What a tie closes: all its motions but one become parts of the tree.
    fn close(&mut self, tie: &Tie) -> Result<(), String> {
        let ends = tie.groups.map(|g| self.node_of(g));
        let [Some(a), Some(b)] = ends else { return Err("a part that nothing holds".into()) };
        let points = tie.points.map(|p| self.at(p));
        let mut closing = Closing { sort: tie.sort, nodes: [a, b], points, u: tie.u };
        if matches!(tie.sort, Sort::Cross | Sort::Series) {
            let mut screws: Vec<&Screw> = tie.screws.iter().collect();
            // A turn closes by fewer equations than a slide.
            let back = screws.last().is_some_and(|s| !s.turns) && screws.first().is_some_and(|s| s.turns);
            if back {
                screws.reverse();
            }
            let Some((last, others)) = screws.split_last() else { return Err("a tie without motion".into()) };
            let from = others.iter().fold(if back { b } else { a }, |n, s| self.push(n, self.motion(s), back));
            closing.nodes = if back { [a, from] } else { [from, b] };
            closing.sort = if last.turns { Sort::Pivot } else { Sort::Slide };
            closing.points = [self.at(last.point); 2];
            closing.u = last.u;
        }
        if closing.sort == Sort::Turn {
            return Err("a driver that leads an attitude alone".into());
        }
        self.closings.push(closing);
        Ok(())
    }

    /// Nodes from the ground to a node, without the ground.
    fn way(&self, node: usize) -> Vec<usize> {
        let mut list = Vec::new();
        let mut at = node;
        while at != 0 {
            list.push(at);
            at = self.nodes[at].parent;
        }
        list.reverse();
        list
    }

    /// Steps to both nodes from where their ways part.
    fn parted(&self, nodes: [usize; 2]) -> [Vec<Step>; 2] {
        let [a, b] = nodes.map(|n| self.way(n));
        let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        [a, b].map(|way| way[same..].iter().filter_map(|n| self.nodes[*n].step).collect())
    }

    fn equations(&self) -> Result<Equations, String> {
        let steps: Vec<Step> = self.nodes.iter().filter_map(|n| n.step).collect();
        let mut list: Vec<Polynomial> = Vec::new();
        let mut known = vec![Complex::ZERO; self.unknowns];
        for step in &steps {
            match step.motion {
                Motion::Turn { .. } => {
                    let [c, s] = [0, 1].map(|k| Polynomial::variable(step.first + k));
                    list.push(c.square() + s.square() - Polynomial::constant(1.0));
                    known[step.first] = Complex::ONE;
                }
                Motion::Free => list.push(dot(&unknown_rotation(step.first), &carried(step.first))),
                _ => {}
            }
        }
        for closing in &self.closings {
            let ways = self.parted(closing.nodes);
            let terms = ways.iter().map(|way| way.iter().map(|s| s.motion.terms()).product::<usize>());
            if terms.fold(1usize, usize::saturating_mul) > MOST_TERMS {
                return Err("loops of too many bodies to be multiplied out".into());
            }
            list.extend(closed(closing, &ways));
        }
        let list = list.iter().map(|p| p.trimmed(ROUNDING)).filter(|p| p.degree() > 0 && p.size() > NOTHING);
        let list = list.map(|p| p.scaled(1.0 / p.size())).collect();
        let blocks: Vec<(Vec<usize>, bool)> = steps
            .iter()
            .map(|s| ((s.first..s.first + s.motion.unknowns()).collect(), matches!(s.motion, Motion::Free)))
            .collect();
        let structure = Box::new(move |system: &System| counted(system, &blocks));
        let conjugates = (0..self.unknowns).collect();
        Ok(Equations { list, unknowns: self.unknowns, known, conjugates, structure, kin: None })
    }
}

/// Ties by which the tree grows, the ones with few unknowns first.
fn rank(tie: &Tie) -> Option<usize> {
    match tie.sort {
        Sort::Pivot | Sort::Slide => Some(0),
        Sort::Cross | Sort::Series => Some(1),
        Sort::Ball => Some(2),
        Sort::Line => Some(3),
        _ => None,
    }
}

/// Groups for the count, one of each tie; of a free body's, what holds no g twice is a product of a form in e and one in both.
fn counted(system: &System, blocks: &[(Vec<usize>, bool)]) -> Structure {
    let groups: Vec<Vec<usize>> = blocks.iter().map(|b| b.0.clone()).collect();
    let plain = Structure::grouped(system, groups.clone());
    if blocks.iter().all(|b| !b.1) {
        return plain;
    }
    let of = |p: &Polynomial| {
        let forms = blocks.iter().enumerate().flat_map(|(group, (variables, free))| {
            let degree = p.degree_in(variables);
            let carried = if *free { p.degree_in(&variables[3..]) } else { degree };
            (0..degree).map(move |k| Factor {
                group,
                variables: if k < carried { variables.clone() } else { variables[..3].to_vec() },
            })
        });
        forms.collect()
    };
    let factors = system.polynomials().iter().map(of).collect();
    Structure::product(system, groups, factors).unwrap_or(plain)
}

/// g of a free body.
fn carried(first: usize) -> Quaternion {
    [3, 4, 5, 6].map(|k| Polynomial::variable(first + k))
}

/// e of a step, conjugate where it leads back.
fn turned_by(step: &Step) -> Quaternion {
    let e = unknown_rotation(step.first);
    if step.back {
        conjugate(&e)
    } else {
        e
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

/// a + b · s.
fn plus(a: &Vector, b: &Vector, s: &Polynomial) -> Vector {
    [0, 1, 2].map(|k| &a[k] + &(&b[k] * s))
}

/// e v e* of a vector of polynomials.
fn rotated(e: &Quaternion, v: &Vector) -> Vector {
    let v = [Polynomial::default(), v[0].clone(), v[1].clone(), v[2].clone()];
    let [_, x, y, z] = times(&times(e, &v), &conjugate(e));
    [x, y, z]
}

/// A vector turned about an axis by the unknowns of a step.
fn swung(step: &Step, u: Vec3, v: &Vector) -> Vector {
    let [c, s] = [0, 1].map(|k| Polynomial::variable(step.first + k));
    let s = if step.back { -&s } else { s };
    let axis = constant(u);
    let along = inner(&axis, v);
    let still = [0, 1, 2].map(|k| &axis[k] * &along);
    let [x, y, z] = v;
    let across = [&z.scaled(u.y) - &y.scaled(u.z), &x.scaled(u.z) - &z.scaled(u.x), &y.scaled(u.x) - &x.scaled(u.y)];
    [0, 1, 2].map(|k| &still[k] + &(&(&v[k] - &still[k]) * &c) + &across[k] * &s)
}

/// The product of quaternions' squared lengths.
fn product(under: &Under) -> Polynomial {
    under.iter().fold(number(1.0), |all, (first, n)| {
        let e = unknown_rotation(*first);
        (0..*n).fold(all, |all, _| &all * &dot(&e, &e))
    })
}

/// What two are over together, and what each is to be multiplied by.
fn together(a: &Under, b: &Under) -> (Under, [Polynomial; 2]) {
    let mut all = a.clone();
    b.iter().for_each(|(k, n)| {
        let own = all.entry(*k).or_insert(0);
        *own = (*own).max(*n);
    });
    let missing = |of: &Under| {
        product(&all.iter().map(|(k, n)| (*k, n - of.get(k).copied().unwrap_or(0))).filter(|p| p.1 > 0).collect())
    };
    let factors = [missing(a), missing(b)];
    (all, factors)
}

/// Where steps take a point, or a direction.
fn image(steps: &[Step], x: Vec3, is_point: bool) -> Over {
    let mut at = Over { top: constant(x), under: Under::new() };
    for step in steps.iter().rev() {
        let whole = product(&at.under);
        // A point relative to what stands still.
        let from = |p: Vec3| plus(&at.top, &constant(if is_point { -p } else { Vec3::ZERO }), &whole);
        let back_to = |p: Vec3, v: &Vector, by: &Polynomial| match is_point {
            true => plus(v, &constant(p), by),
            false => v.clone(),
        };
        at.top = match step.motion {
            Motion::Turn { p, u } => back_to(p, &swung(step, u, &from(p)), &whole),
            Motion::Slide { .. } if !is_point => at.top,
            Motion::Slide { u } => {
                let way = Polynomial::variable(step.first).scaled(if step.back { -1.0 } else { 1.0 });
                plus(&at.top, &constant(u), &(&way * &whole))
            }
            Motion::Ball { p } => {
                let e = turned_by(step);
                let turned = rotated(&e, &from(p));
                *at.under.entry(step.first).or_insert(0) += 1;
                back_to(p, &turned, &(&whole * &dot(&e, &e)))
            }
            Motion::Free => {
                let (e, g) = (turned_by(step), carried(step.first));
                let [_, x, y, z] = times(&g, &conjugate(&e));
                let turned = rotated(&e, &at.top);
                *at.under.entry(step.first).or_insert(0) += 1;
                match is_point {
                    true => plus(&turned, &[x, y, z], &whole.scaled(2.0)),
                    false => turned,
                }
            }
        };
    }
    at
}

/// a − b.
fn difference(a: &Over, b: &Over) -> Over {
    let (under, [fa, fb]) = together(&a.under, &b.under);
    Over { top: [0, 1, 2].map(|k| &(&a.top[k] * &fa) - &(&b.top[k] * &fb)), under }
}

fn sum(a: Ratio, b: Ratio) -> Ratio {
    let (under, [fa, fb]) = together(&a.under, &b.under);
    Ratio { top: &(&a.top * &fa) + &(&b.top * &fb), under }
}

/// a·b times a number.
fn inner_over(a: &Over, b: &Over, s: f64) -> Ratio {
    let mut under = a.under.clone();
    b.under.iter().for_each(|(k, n)| *under.entry(*k).or_insert(0) += n);
    Ratio { top: inner(&a.top, &b.top).scaled(s), under }
}

/// Squared distance of two points that steps take from where they part.
fn apart(a: &[Step], x: Vec3, b: &[Step], y: Vec3) -> Ratio {
    let Some((step, rest)) = b.split_first() else {
        return match a.is_empty() {
            true => Ratio { top: number((x - y).dot(x - y)), under: Under::new() },
            false => apart(b, y, a, x),
        };
    };
    let (of_a, of_b) = (image(a, x, true), image(rest, y, true));
    let still = |p: Vec3| Over { top: constant(p), under: Under::new() };
    let from = |over: &Over, p: Vec3| difference(over, &still(p));
    let about = |p: Vec3, turned: Over| {
        let squares = sum(apart(rest, y, &[], p), apart(a, x, &[], p));
        sum(squares, inner_over(&from(&of_a, p), &turned, -2.0))
    };
    match step.motion {
        Motion::Turn { p, u } => {
            let way = from(&of_b, p);
            about(p, Over { top: swung(step, u, &way.top), under: way.under })
        }
        Motion::Ball { p } => {
            let mut way = from(&of_b, p);
            way.top = rotated(&turned_by(step), &way.top);
            *way.under.entry(step.first).or_insert(0) += 1;
            about(p, way)
        }
        Motion::Slide { u } => {
            let way = Polynomial::variable(step.first).scaled(if step.back { -1.0 } else { 1.0 });
            let between = inner_over(&difference(&of_b, &of_a), &still(u), 2.0);
            let mixed = Ratio { top: &between.top * &way, under: between.under };
            sum(sum(apart(a, x, rest, y), mixed), Ratio { top: way.square(), under: Under::new() })
        }
        Motion::Free => {
            let (e, g) = (turned_by(step), carried(step.first));
            let as_quaternion = |v: &Vector| [Polynomial::default(), v[0].clone(), v[1].clone(), v[2].clone()];
            let (ae, eb) = (times(&as_quaternion(&of_a.top), &e), times(&e, &as_quaternion(&of_b.top)));
            let own = Under::from([(step.first, 1)]);
            let with = |under: &Under| {
                let mut all = under.clone();
                *all.entry(step.first).or_insert(0) += 1;
                all
            };
            let both = of_b.under.iter().fold(with(&of_a.under), |mut all, (k, n)| {
                *all.entry(*k).or_insert(0) += n;
                all
            });
            let squares = sum(apart(rest, y, &[], Vec3::ZERO), apart(a, x, &[], Vec3::ZERO));
            let parts = [
                Ratio { top: dot(&g, &g).scaled(4.0), under: own },
                Ratio { top: dot(&g, &eb).scaled(4.0), under: with(&of_b.under) },
                Ratio { top: dot(&g, &ae).scaled(-4.0), under: with(&of_a.under) },
                Ratio { top: dot(&ae, &eb).scaled(-2.0), under: both },
            ];
            parts.into_iter().fold(squares, sum)
        }
    }
}

/// Equations of what closes a loop.
fn closed(closing: &Closing, [a, b]: &[Vec<Step>; 2]) -> Vec<Polynomial> {
    let [x, y] = closing.points;
    let u = closing.u;
    let place = || difference(&image(b, y, true), &image(a, x, true));
    let same = |v: Vec3| difference(&image(b, v, false), &image(a, v, false)).top.to_vec();
    let e = u.any_perpendicular();
    let heights = |list: &[Vec3]| -> Vec<Polynomial> {
        let way = place();
        list.iter().map(|n| inner(&way.top, &image(a, *n, false).top)).collect()
    };
    match closing.sort {
        Sort::Rod => {
            let apart = apart(a, x, b, y);
            let (_, [own, other]) = together(&apart.under, &Under::new());
            vec![&(&apart.top * &own) - &other.scaled((x - y).dot(x - y))]
        }
        Sort::Ball => place().top.to_vec(),
        Sort::Line => heights(&[e, u.cross(e)]),
        Sort::Plane | Sort::Sheet => heights(&[u]),
        Sort::Pivot => place().top.into_iter().chain(same(u)).collect(),
        Sort::Slide => heights(&[e, u.cross(e)]).into_iter().chain(same(u)).chain(same(e)).collect(),
        Sort::Turn | Sort::Cross | Sort::Series => Vec::new(),
    }
}

impl Placed for Spanning {
    fn displacements(&self, x: &[Complex]) -> Option<Vec<(usize, Pose)>> {
        let value = |k: usize| x[k].re;
        let about = |p: Vec3, turn: Rotation| Pose::new(turn, p - turn.apply(p));
        let mut poses: Vec<Pose> = vec![Pose::IDENTITY];
        for node in &self.nodes[1..] {
            let step = node.step?;
            let k = step.first;
            let own = match step.motion {
                Motion::Turn { p, u } => about(p, Rotation::about(u, value(k + 1).arctangent2(value(k)))),
                Motion::Slide { u } => Pose::new(Rotation::IDENTITY, u * value(k)),
                Motion::Ball { p } => about(p, rotation_from([0, 1, 2].map(|i| value(k + i)), None).0),
                Motion::Free => {
                    let g = [3, 4, 5, 6].map(|i| value(k + i));
                    let (turn, place) = rotation_from([0, 1, 2].map(|i| value(k + i)), Some(g));
                    Pose::new(turn, place)
                }
            };
            poses.push(poses[node.parent] * if step.back { own.inverse() } else { own });
        }
        let of = |(group, node): &(usize, usize)| {
            let pose = poses[*node];
            let origin = self.centre + pose.origin * self.size - pose.rotation.apply(self.centre);
            (*group, Pose::new(pose.rotation, origin))
        };
        Some(self.groups.iter().skip(1).map(of).collect())
    }

    fn is_meant(&self, x: &[Complex], small: f64) -> bool {
        let turns = self.nodes.iter().filter_map(|n| n.step);
        turns.filter(|s| matches!(s.motion, Motion::Ball { .. } | Motion::Free)).all(|step| {
            let e = unknown_rotation(0).map(|p| p.value(&x[step.first..step.first + 3]));
            let norm: Complex = e.iter().map(|z| *z * *z).sum();
            norm.norm() > small * e.iter().map(|z| z.norm2()).sum::<f64>()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_roots::Complex;

    /// A hundred operations on numbers of order one.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn squared_distances_are_those_of_the_images() {
        let v = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        let u = v(0.36, 0.48, 0.8);
        let motions = [
            Motion::Turn { p: v(0.1, 0.2, -0.3), u },
            Motion::Ball { p: v(-0.4, 0.3, 0.2) },
            Motion::Slide { u },
            Motion::Turn { p: v(0.5, -0.2, 0.4), u: v(0.0, 0.6, -0.8) },
        ];
        for back in [false, true] {
            let mut first = 0;
            let mut steps = Vec::new();
            for motion in motions {
                steps.push(Step { first, motion, back });
                first += motion.unknowns();
            }
            // Cosines and sines of two angles, a quaternion, and a way.
            let x: Vec<Complex> = [0.8, 0.6, 0.3, -0.5, 0.2, 0.7, 0.28, -0.96].into_iter().map(Complex::from).collect();
            let (a, b) = steps.split_at(2);
            let (p, q) = (v(0.3, 0.9, -0.1), v(-0.2, 0.4, 0.6));
            let place = |way: &[Step], p: Vec3| {
                let over = image(way, p, true);
                let under = product(&over.under).value(&x).re;
                let [x, y, z] = over.top.map(|t| t.value(&x).re / under);
                v(x, y, z)
            };
            let direct = place(a, p) - place(b, q);
            let told = apart(a, p, b, q);
            let distance = told.top.value(&x).re / product(&told.under).value(&x).re;
            assert!((distance - direct.dot(direct)).abs() < ROUNDING, "{distance} for {}", direct.dot(direct));
        }
    }
}
