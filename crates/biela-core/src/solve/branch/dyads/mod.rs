//! Mechanisms that close part by part: which parts, and their closed forms.
//!
//! All is told from one assembled configuration: a joint whose coordinates are driven is rigid there, so its bodies are one.
//! Starting from the ground, a part is found that hangs between bodies already placed:
//!
//! * a **dyad** of two bodies in the plane, by pivots (R) and slides (P): RRR circle and circle, RRP circle and line, RPR, PRP;
//! * a **cone dyad** in space: three axes of revolute or cylindrical joints with constant angles between neighbours, so the
//!   middle axis lies where two cones about the outer ones meet (spherical four-bar, RCCC, CCCC);
//! * a **rod** between two balls with one more body on a revolute or prismatic joint (RSSR, RSSP, CSSP), circle or line
//!   against a sphere; the rod may be a `distance`;
//! * a **link** on two pivots of bodies already placed.
//!
//! Each has at most two answers; taking all of them in turn gives every configuration.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

mod closed;

use crate::drivers::Target;
use crate::joints::{Axis, Freedom, Joint};
use crate::math::{Pose, Vec3};
use crate::model::Model;
use biela_base::joined::Joined;

/// What a joint of a part does there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Pivot,
    Slide,
    Cylinder,
    Ball,
    /// Two points at a constant distance.
    Rod,
}

/// A joint as it stands in the assembled configuration.
#[derive(Debug, Clone)]
struct Link {
    name: String,
    /// The joint's number; none for a point that drivers lead.
    joint: Option<usize>,
    sort: Sort,
    groups: [usize; 2],
    /// The bodies themselves: those of one group move against each other where a driver moves their joint.
    bodies: [usize; 2],
    /// Points of the joint on the two groups (they differ for a rod).
    points: [Vec3; 2],
    u: Vec3,
    /// Each point, and u, in the frame of its body.
    in_bodies: [[Vec3; 2]; 2],
}

impl Link {
    /// Whether it moves in the planes normal to `n`: a pivot turns about it, a slide is across it.
    fn lies_across(&self, n: Vec3) -> bool {
        match self.sort {
            Sort::Pivot => self.u.cross(n).norm() < SMALL,
            Sort::Slide => self.u.dot(n).abs() < SMALL,
            _ => false,
        }
    }
}

/// A part that closes by itself between groups already placed.
#[derive(Debug, Clone)]
enum Part {
    /// Joints known–a, a–b, b–known and the two groups.
    Dyad([usize; 3], [usize; 2]),
    Cones([usize; 3], [usize; 2]),
    /// Joint of the moving group to a placed one, the two balls (the first on the placed side) or the rod twice, the moving
    /// group, the rod's group.
    Rod(usize, [usize; 2], usize, Option<usize>),
    /// Two pivots and the group.
    Lone([usize; 2], usize),
}

/// How a mechanism closes, part by part.
#[derive(Debug, Clone)]
pub struct Plan {
    links: Vec<Link>,
    /// Group of each body; 0 is that of the ground.
    group: Vec<usize>,
    /// Joints taken for given, whose freedoms have no driver.
    given: usize,
    parts: Vec<Part>,
    normal: Option<Vec3>,
    size: f64,
}

/// Lengths in sizes, and sines, below which points coincide and directions are parallel: as rows' dependence is judged.
const SMALL: f64 = 1e-9;

/// What a joint is in a plan beside its drivers, which are of these coordinates: nothing where it makes its bodies one, and `None` where plans
/// do not know it.
fn sort(joint: &Joint, driven: &[usize]) -> Option<Option<Sort>> {
    // An actuator that is driven is a rod of the length it has.
    if joint.rod().is_some() || joint.kind.is_axial() {
        return Some(Some(Sort::Rod));
    }
    let freedoms = joint.freedoms()?;
    if let [only] = freedoms[..] {
        if only.is_attitude() {
            return Some(Some(Sort::Ball));
        }
    }
    let left = |f: &&Freedom| joint.coordinate_of(f).is_none_or(|c| !driven.contains(&c));
    let left: Vec<&Freedom> = freedoms.iter().filter(left).collect();
    if left.is_empty() {
        return Some(None);
    }
    // Along one axis each freedom is the same whatever the others are.
    let on_axis = |f: &Freedom| f.sliding() == Some(Axis::Z) || f.turning() == Some((Axis::Z, 0.0));
    let slides = |f: &&Freedom| f.sliding().is_some();
    match left[..] {
        _ if !freedoms.iter().all(on_axis) => None,
        [one] => Some(Some(if slides(&one) { Sort::Slide } else { Sort::Pivot })),
        [one, other] if slides(&one) != slides(&other) => Some(Some(Sort::Cylinder)),
        _ => None,
    }
}

impl Plan {
    /// The plan of a model assembled with these poses; `None` where some part does not close in closed form.
    pub fn new(model: &Model, poses: &[Pose], size: f64) -> Option<Plan> {
        Plan::build(model, poses, size, false)
    }

    /// The same for a motion under forces: joints from the ground outwards are taken for given until the rest closes.
    pub fn undriven(model: &Model, poses: &[Pose], size: f64) -> Option<Plan> {
        Plan::build(model, poses, size, true)
    }

    fn build(model: &Model, poses: &[Pose], size: f64, give: bool) -> Option<Plan> {
        if !model.couplings.is_empty() {
            return None;
        }
        let mut joined = Joined::new(model.bodies.len());
        let mut driven: Vec<Vec<usize>> = vec![Vec::new(); model.joints.len()];
        let mut pins: Vec<(usize, Vec3, Vec<Vec3>)> = Vec::new();
        for driver in model.drivers.iter() {
            match &driver.target {
                Target::Coordinate { of, .. } => driven.get_mut(of.joint)?.push(of.coordinate),
                Target::Point { body, p_B, along, .. } => match pins.iter_mut().find(|p| p.0 == *body && p.1 == *p_B) {
                    Some(pin) => pin.2.push(*along),
                    None => pins.push((*body, *p_B, vec![*along])),
                },
                Target::Orientation { .. } | Target::Rotor { .. } | Target::Measure { .. } => return None,
            }
        }
        let mut links = Vec::new();
        for (k, joint) in model.joints.iter().enumerate() {
            let [a, b] = joint.bodies;
            let is_rod = joint.kind.is_axial() && !driven[k].is_empty();
            if joint.is_free() && !is_rod {
                continue;
            }
            let sort = sort(joint, &driven[k])?;
            let frames = [poses[a] * joint.frames[0], poses[b] * joint.frames[1]];
            match sort {
                None => joined.join(a, b),
                Some(sort) => links.push(Link {
                    name: joint.name.clone(),
                    joint: Some(k),
                    sort,
                    groups: [a, b],
                    bodies: [a, b],
                    points: [frames[0].origin, frames[1].origin],
                    u: frames[0].rotation.axes[2],
                    in_bodies: [[Vec3::ZERO; 2]; 2],
                }),
            }
        }
        let group: Vec<usize> = (0..model.bodies.len()).map(|body| joined.root(body)).collect();
        // Pivots of planar mechanisms turn about one direction; slides are across it.
        let normal = links.iter().find(|l| l.sort == Sort::Pivot).map(|l| l.u);
        let planar = normal.is_some_and(|n| links.iter().all(|link| link.lies_across(n)));
        for (body, p_B, along) in pins {
            // A point held along two directions of the plane is a pivot on the ground.
            let n = normal.filter(|_| planar)?;
            let across = along.iter().map(|a| *a - n * a.dot(n)).filter(|a| a.norm() > SMALL).collect::<Vec<_>>();
            let spanned = across.iter().any(|a| across[0].cross(*a).norm() > SMALL);
            if !spanned {
                return None;
            }
            let point = poses[body].apply(p_B);
            let name = format!("{} driven", model.bodies[body].name);
            links.push(Link {
                name,
                joint: None,
                sort: Sort::Pivot,
                groups: [0, body],
                bodies: [0, body],
                points: [point; 2],
                u: n,
                in_bodies: [[Vec3::ZERO; 2]; 2],
            });
        }
        for link in &mut links {
            link.groups = link.groups.map(|b| group[b]);
            link.in_bodies = [0, 1].map(|side| {
                let X_BW = poses[link.bodies[side]].inverse();
                [X_BW.apply(link.points[side]), X_BW.rotation.apply(link.u)]
            });
        }
        links.retain(|l| l.groups[0] != l.groups[1]);
        let mut plan = Plan { links, group, given: 0, parts: Vec::new(), normal: normal.filter(|_| planar), size };
        plan.divide(give).then_some(plan)
    }

    /// Finds the parts in order; false where something remains. Where joints are given, the next one from what is placed
    /// places its group whenever no part closes.
    fn divide(&mut self, give: bool) -> bool {
        let mut placed = vec![false; self.group.len()];
        placed[self.group[0]] = true;
        let groups: Vec<usize> = {
            let mut g = self.group.clone();
            g.sort_unstable();
            g.dedup();
            g
        };
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); self.group.len()];
        for (k, link) in self.links.iter().enumerate() {
            link.groups.iter().for_each(|g| near[*g].push(k));
        }
        let mut first = 0;
        loop {
            // Links that something placed holds are between no two others.
            let held = |link: &Link| link.groups.iter().any(|g| placed[*g]);
            first += self.links[first..].iter().take_while(|link| held(link)).count();
            let Some(part) = self.next_part(&placed, &near, first) else {
                let next = |l: &Link| {
                    let [a, b] = l.groups;
                    let one = matches!(l.sort, Sort::Pivot | Sort::Slide) && placed[a] != placed[b];
                    one.then_some(if placed[a] { b } else { a })
                };
                match self.links.iter().find_map(next).filter(|_| give) {
                    Some(group) => placed[group] = true,
                    None => break,
                }
                self.given += 1;
                continue;
            };
            match &part {
                Part::Dyad(_, g) | Part::Cones(_, g) => g.iter().for_each(|g| placed[*g] = true),
                Part::Rod(_, _, g, rod) => {
                    placed[*g] = true;
                    rod.iter().for_each(|g| placed[*g] = true);
                }
                Part::Lone(_, g) => placed[*g] = true,
            }
            self.parts.push(part);
        }
        groups.iter().all(|g| placed[*g])
    }

    /// The next part, by the links of each group; none before the link `first` is between two groups that are not placed.
    fn next_part(&self, placed: &[bool], near: &[Vec<usize>], first: usize) -> Option<Part> {
        let holds = |g: usize| near[g].iter().copied().filter(move |k| self.to_placed(*k, g, placed));
        for (k, link) in self.links.iter().enumerate().skip(first) {
            let [a, b] = link.groups;
            if placed[a] || placed[b] {
                continue;
            }
            for (first, last) in [(a, b), (b, a)] {
                for (i, j) in holds(first).flat_map(|i| holds(last).map(move |j| (i, j))) {
                    let sorts = [i, k, j].map(|x| self.links[x].sort);
                    use Sort::*;
                    let turning = |s: &Sort| matches!(s, Pivot | Cylinder);
                    if self.normal.is_some()
                        && matches!(
                            sorts,
                            [Pivot, Pivot, Pivot]
                                | [Pivot, Pivot, Slide]
                                | [Pivot, Slide, Pivot]
                                | [Slide, Pivot, Slide]
                        )
                    {
                        return Some(Part::Dyad([i, k, j], [first, last]));
                    }
                    if self.normal.is_none() && sorts.iter().all(turning) && self.cones_meet([i, k, j]) {
                        return Some(Part::Cones([i, k, j], [first, last]));
                    }
                    if matches!(sorts, [Ball, Ball, Pivot | Slide]) {
                        return Some(Part::Rod(j, [i, k], last, Some(first)));
                    }
                }
            }
        }
        for (k, link) in self.links.iter().enumerate() {
            for (known, moving) in [(0, 1), (1, 0)] {
                let g = link.groups[moving];
                if !placed[link.groups[known]] || placed[g] {
                    continue;
                }
                for j in holds(g).filter(|j| *j != k) {
                    match (link.sort, self.links[j].sort) {
                        (Sort::Rod, Sort::Pivot | Sort::Slide) => return Some(Part::Rod(j, [k, k], g, None)),
                        (Sort::Pivot, Sort::Pivot) if self.normal.is_some() => return Some(Part::Lone([k, j], g)),
                        _ => {}
                    }
                }
            }
        }
        None
    }

    /// True where link `k` joins group `g` to one already placed.
    fn to_placed(&self, k: usize, g: usize, placed: &[bool]) -> bool {
        let [a, b] = self.links[k].groups;
        (a == g && placed[b]) || (b == g && placed[a])
    }

    /// Cylinders leave their slides to linear equations, which need three directions; pivots alone must meet in a point.
    fn cones_meet(&self, links: [usize; 3]) -> bool {
        let [a, b, c] = links.map(|k| &self.links[k]);
        let cylinders = links.iter().filter(|k| self.links[**k].sort == Sort::Cylinder).count();
        let apart = a.u.cross(b.u).norm() > SMALL && b.u.cross(c.u).norm() > SMALL;
        let meets = |p: &Link, q: &Link| {
            let n = p.u.cross(q.u);
            n.norm() > SMALL && ((q.points[0] - p.points[0]).dot(n) / n.norm()).abs() < SMALL * self.size
        };
        apart
            && (cylinders == 3
                || (cylinders == 0 && meets(a, b) && meets(b, c) && meets(a, c) && self.concurrent([a, b, c])))
    }

    fn concurrent(&self, links: [&Link; 3]) -> bool {
        let [a, b, c] = links;
        let n = a.u.cross(b.u);
        let d = b.points[0] - a.points[0];
        let meeting = a.points[0] + a.u * (d.cross(b.u).dot(n) / n.dot(n));
        let off = meeting - c.points[0];
        (off - c.u * off.dot(c.u)).norm() < 1e-8 * self.size
    }

    /// Its parts as dyads of two bodies each, in the order in which they close: joints known–a, a–b, b–known, and the bodies a and b. `None` where
    /// there is another part, or a body that a driver joins to others.
    pub fn dyads(&self) -> Option<Vec<([usize; 3], [usize; 2])>> {
        // A group has the number of its first body.
        let mut bodies = vec![0usize; self.group.len()];
        self.group.iter().for_each(|group| bodies[*group] += 1);
        let alone = |group: usize| (bodies[group] == 1).then_some(group);
        let dyad = |part: &Part| match part {
            Part::Dyad([i, k, j], [a, b]) => {
                let joint = |k: &usize| self.links[*k].joint;
                Some(([joint(i)?, joint(k)?, joint(j)?], [alone(*a)?, alone(*b)?]))
            }
            _ => None,
        };
        self.parts.iter().map(dyad).collect()
    }

    /// How many ways there are at most to close it, complex ones counted: each part is closed by a quadratic equation.
    pub fn most_ways(&self) -> Option<usize> {
        1usize.checked_shl(u32::try_from(self.parts.len()).ok()?)
    }

    /// True where every joint belongs to a part that has two answers, so that the parts' senses change at singular positions
    /// and nowhere else. (A third crank carries a parallelogram through its flat position, though its dyad is flat there.)
    pub fn is_simple(&self) -> bool {
        let used = self.parts.iter().map(|part| match part {
            Part::Dyad(..) | Part::Cones(..) => 3,
            Part::Rod(_, _, _, rod) => 2 + usize::from(rod.is_some()),
            Part::Lone(..) => 0,
        });
        !self.parts.is_empty() && used.sum::<usize>() + self.given == self.links.len()
    }

    /// What the parts are, in words.
    pub fn words(&self) -> String {
        let word = |p: &Part| {
            let sort = match p {
                Part::Dyad(..) => "dyad",
                Part::Cones(..) => "three axes",
                Part::Rod(..) => "rod",
                Part::Lone(..) => "link",
            };
            format!("{sort} {}", self.part_name(p))
        };
        let words: Vec<String> = self.parts.iter().map(word).collect();
        if words.is_empty() {
            "every body is driven".into()
        } else {
            words.join(", ")
        }
    }

    fn named(&self, links: &[usize]) -> String {
        links.iter().map(|k| self.links[*k].name.as_str()).collect::<Vec<_>>().join("-")
    }

    /// The point of a link on the moving side, as assembled.
    fn own(&self, k: usize, moving: usize) -> Vec3 {
        let link = &self.links[k];
        link.points[usize::from(link.groups[1] == moving)]
    }

    /// The senses in which the parts are closed, with the names of their joints.
    pub fn identity(&self, pose: &dyn Fn(usize) -> Pose) -> String {
        let signs = self.parts.iter().filter_map(|part| {
            let sign = if self.invariant(part, pose)? > 0.0 { '+' } else { '-' };
            Some(format!("{} {sign}", self.part_name(part)))
        });
        signs.collect::<Vec<_>>().join(", ")
    }

    /// Whether each part is closed in the positive sense, as bits: the first part is the lowest.
    pub fn number(&self, pose: &dyn Fn(usize) -> Pose) -> u64 {
        // A number of 50 bits is still exact in a column of results.
        let bits = self.parts.iter().filter_map(|part| self.invariant(part, pose)).take(50);
        bits.enumerate().map(|(k, x)| u64::from(x > 0.0) << k).sum()
    }

    fn part_name(&self, part: &Part) -> String {
        match part {
            Part::Dyad(k, _) | Part::Cones(k, _) => self.named(k),
            Part::Rod(k, [a, b], ..) if a == b => self.named(&[*a, *k]),
            Part::Rod(k, [a, b], ..) => self.named(&[*a, *b, *k]),
            Part::Lone(k, _) => self.named(k),
        }
    }

    /// A quantity that vanishes where two answers of the part meet.
    fn invariant(&self, part: &Part, pose: &dyn Fn(usize) -> Pose) -> Option<f64> {
        let on = |k: usize, side: usize| {
            let link = &self.links[k];
            pose(link.bodies[side]).apply(link.in_bodies[side][0])
        };
        let side = |k: usize, g: usize| usize::from(self.links[k].groups[1] == g);
        let at = |k: usize, g: usize| on(k, side(k, g));
        let aim = |k: usize, g: usize| {
            let (link, side) = (&self.links[k], side(k, g));
            pose(link.bodies[side]).rotation.apply(link.in_bodies[side][1])
        };
        match part {
            Part::Dyad(links, [a, b]) => {
                let [i, k, j] = *links;
                let (p, m, q) = (at(i, *a), at(k, *a), at(j, *b));
                let x = match links.map(|x| self.links[x].sort) {
                    [Sort::Pivot, Sort::Pivot, Sort::Pivot] => self.normal?.dot((m - p).cross(q - m)),
                    [Sort::Pivot, Sort::Pivot, Sort::Slide] => (m - p).dot(aim(j, *b)),
                    [Sort::Pivot, Sort::Slide, Sort::Pivot] => (q - p).dot(aim(k, *a)),
                    _ => return None,
                };
                Some(x)
            }
            Part::Cones(links, [a, b]) => {
                let [i, k, j] = *links;
                Some(aim(i, *a).dot(aim(k, *a).cross(aim(j, *b))))
            }
            Part::Rod(joint, balls, moving, rod) => {
                let end = at(balls[1], *moving);
                let start = match rod {
                    Some(rod) => at(balls[0], *rod),
                    None => on(balls[0], 1 - side(balls[0], *moving)),
                };
                let u = aim(*joint, *moving);
                let way = match self.links[*joint].sort {
                    Sort::Slide => u,
                    _ => u.cross(end - at(*joint, *moving)),
                };
                Some((end - start).dot(way))
            }
            Part::Lone(..) => None,
        }
    }
}
