//! Why a loop cannot close: the dimension at fault.
//!
//! A loop is cut into **sides** at its pivots, balls and universal joints. A side between two of them is rigid (a body, or
//! bodies that driven or fixed joints make one) and has one length; or it holds slides along directions fixed in it, and is
//! then at least as long as what lies across them, and as long as one likes. A `distance` is a side too. Sides close only if
//! none is longer, at its least, than all others together, at their most. About a revolute joint two rigid sides span no less
//! and no more than a circle's points are from a point: that is sharper where the loop is no plane one (RSSR).

#![allow(non_snake_case)] // X: a pose between bodies (docs/notation.md).

use crate::drivers::Target;
use crate::joints::{Axis, Freedom, Joint};
use crate::math::Elementary;
use crate::math::{Pose, Vec3};
use crate::model::graph::Forest;
use crate::model::Model;
use crate::results::{quantity_in_words, significant};
use biela_base::display_units::DisplayUnits;

/// A loop whose sides cannot meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// In words, such as `BC + CD = 380 mm < 412 mm = DB: 32 mm short`.
    pub words: String,
    /// What makes the side that is too long: its bodies, without those whose share of it is small.
    pub long: Vec<usize>,
    /// Bodies of the sides that are too short together.
    pub short: Vec<usize>,
}

/// A side of a loop.
#[derive(Debug, Clone)]
struct Side {
    name: String,
    /// The bodies it is made of, each with the distance between the joints by which it is entered and left.
    bodies: Vec<(usize, f64)>,
    /// Least and greatest length.
    length: [f64; 2],
    /// The slides it holds.
    slides: Vec<String>,
    /// From start to end, and the axes of the revolute joints there, all in the side's own frame; where it is rigid.
    way: Option<(Vec3, [Option<Vec3>; 2])>,
}

/// What a joint of a loop does.
enum Part {
    /// A corner, with its axis where there is one.
    Corner(bool),
    /// A corner that also slides along its axis.
    Sleeve,
    Slide,
    /// A displacement from the first frame to the second.
    Held(Pose),
    /// Two corners at this distance.
    Rod(f64),
}

/// Loops whose sides cannot meet at time `t`.
pub fn faults(model: &Model, t: f64) -> Vec<Fault> {
    let forest = Forest::new(model);
    let mut up: Vec<Option<(usize, usize)>> = vec![None; model.bodies.len()];
    for branch in &forest.branches {
        up[branch.body] = branch.joint.map(|joint| (branch.parent, joint));
    }
    let to_ground = |mut body: usize| {
        let mut path = vec![(body, usize::MAX)];
        while let Some((parent, joint)) = up[body] {
            path.push((parent, joint));
            body = parent;
        }
        path
    };
    let mut found = Vec::new();
    for cut in &forest.cut {
        let [a, b] = model.joints[*cut].bodies;
        let (left, right) = (to_ground(a), to_ground(b));
        let Some((i, j)) =
            left.iter().enumerate().find_map(|(i, x)| right.iter().position(|y| y.0 == x.0).map(|j| (i, j)))
        else {
            continue;
        };
        // Bodies and joints round the loop: joints[k] leads from bodies[k] to bodies[k + 1].
        let mut bodies: Vec<usize> = left[..=i].iter().rev().map(|x| x.0).collect();
        let mut joints: Vec<usize> = left[1..=i].iter().rev().map(|x| x.1).collect();
        joints.push(*cut);
        bodies.extend(right[..j].iter().map(|x| x.0));
        joints.extend(right[1..=j].iter().map(|x| x.1));
        if let Some(fault) = sides(model, &bodies, &joints, t).and_then(|sides| loop_fault(&sides, &model.study.units))
        {
            if !found.contains(&fault) {
                found.push(fault);
            }
        }
    }
    found
}

/// What a joint does in a loop at time `t`; `None` where it is of a sort that sides cannot tell.
fn part(model: &Model, k: usize, t: f64) -> Option<Part> {
    let joint = &model.joints[k];
    let held: Vec<(usize, f64)> = (model.drivers.iter())
        .filter_map(|d| match &d.target {
            Target::Coordinate { of, value } if of.joint == k => Some((of.coordinate, value.jet(t).v)),
            _ => None,
        })
        .collect();
    if let Some(length) = joint.rod() {
        return Some(Part::Rod(length.jet(t).v.abs()));
    }
    if let (true, Some((_, length))) = (joint.kind.is_axial(), held.first()) {
        return Some(Part::Rod(length.abs()));
    }
    let freedoms = joint.freedoms()?;
    let value = |f: &Freedom| held.iter().find(|h| joint.coordinate_of(f) == Some(h.0)).map(|h| h.1);
    if let Some(values) = freedoms.iter().map(|f| Some((f.q, value(f)?))).collect::<Option<Vec<_>>>() {
        let mut q = vec![0.0; values.len()];
        values.into_iter().for_each(|(k, x)| q[k] = x);
        return Some(Part::Held(joint.hinge()?.pose(joint, &q)));
    }
    if joint.is_ball_or_cross() {
        return Some(Part::Corner(false));
    }
    let on_axis = |f: &Freedom| value(f).is_none() && (f.sliding().or(f.turning().map(|t| t.0))) == Some(Axis::Z);
    if !freedoms.iter().all(on_axis) {
        return None;
    }
    let turns = freedoms.iter().any(|f| f.turning().is_some());
    let slides = freedoms.iter().any(|f| f.sliding().is_some() || f.turning().is_some_and(|t| t.1 != 0.0));
    Some(match (turns, slides) {
        (true, true) => Part::Sleeve,
        (true, false) => Part::Corner(true),
        _ => Part::Slide,
    })
}

/// The name of a side by the joints at its ends.
fn between(a: &Joint, b: &Joint) -> String {
    let short = a.name.chars().count() == 1 && b.name.chars().count() == 1;
    if short {
        format!("{}{}", a.name, b.name)
    } else {
        format!("{}\u{2013}{}", a.name, b.name)
    }
}

/// The sides of a loop, in order; `None` where it has fewer than two corners or a joint of another sort.
fn sides(model: &Model, bodies: &[usize], joints: &[usize], t: f64) -> Option<Vec<Side>> {
    let n = bodies.len();
    if joints.len() != n {
        return None;
    }
    let parts: Vec<Part> = joints.iter().map(|k| part(model, *k, t)).collect::<Option<_>>()?;
    let corner = |k: usize| matches!(parts[k], Part::Corner(_) | Part::Sleeve | Part::Rod(_));
    let first = (0..n).find(|k| corner(*k))?;
    let frame = |k: usize, body: usize| {
        let joint = &model.joints[joints[k]];
        joint.frames[usize::from(joint.bodies[1] == body)]
    };
    let axis = |k: usize, frame: &Pose| matches!(parts[k], Part::Corner(true)).then_some(frame.rotation.axes[2]);
    let mut made: Vec<Side> = Vec::new();
    let mut start = first;
    for _ in 0..n {
        // From the corner `start` into the body after it, to the next corner.
        let begin = frame(start, bodies[(start + 1) % n]);
        let (mut X, mut slides, mut names) = (Pose::IDENTITY, Vec::new(), Vec::new());
        let mut k = (start + 1) % n;
        let (mut passed, mut entry) = (Vec::new(), begin.origin);
        while !corner(k) {
            let (near, far) = (frame(k, bodies[k]), frame(k, bodies[(k + 1) % n]));
            let forward = model.joints[joints[k]].bodies[0] == bodies[k];
            let motion = match &parts[k] {
                Part::Held(motion) if forward => *motion,
                Part::Held(motion) => motion.inverse(),
                _ => {
                    slides.push(X.rotation.apply(near.rotation.axes[2]));
                    names.push(model.joints[joints[k]].name.clone());
                    Pose::IDENTITY
                }
            };
            X = X * near * motion * far.inverse();
            passed.push((bodies[k], (near.origin - entry).norm()));
            entry = far.origin;
            k = (k + 1) % n;
        }
        let leave = frame(k, bodies[k]);
        passed.push((bodies[k], (leave.origin - entry).norm()));
        let end = X * leave;
        if matches!(parts[k], Part::Sleeve) {
            slides.push(end.rotation.axes[2]);
            names.push(model.joints[joints[k]].name.clone());
        }
        let way = end.origin - begin.origin;
        let ends = [axis(start, &begin), axis(k, &end)];
        let name = between(&model.joints[joints[start]], &model.joints[joints[k]]);
        let length = if slides.is_empty() { [way.norm(); 2] } else { [across(way, &slides), f64::INFINITY] };
        let way = slides.is_empty().then_some((way, ends));
        made.push(Side { name, bodies: passed, length, slides: names, way });
        if let Part::Rod(length) = parts[k] {
            let name = model.joints[joints[k]].name.clone();
            made.push(Side { name, bodies: Vec::new(), length: [length; 2], slides: Vec::new(), way: None });
        }
        start = k;
        if k == first {
            break;
        }
    }
    (made.len() > 1).then_some(made)
}

/// Length of what lies across all of these directions.
fn across(way: Vec3, directions: &[Vec3]) -> f64 {
    let mut basis: Vec<Vec3> = Vec::new();
    for u in directions {
        let rest = basis.iter().fold(*u, |rest, e| rest - *e * rest.dot(*e));
        if rest.norm() > 1e-9 {
            basis.extend(rest.unit());
        }
    }
    basis.iter().fold(way, |rest, e| rest - *e * rest.dot(*e)).norm()
}

/// Why the sides do not close, by themselves or with two of them about a revolute joint taken together.
fn loop_fault(sides: &[Side], units: &DisplayUnits) -> Option<Fault> {
    if let Some(found) = fault(sides, units) {
        return Some(found);
    }
    let n = sides.len();
    (0..n).filter(|_| n > 2).find_map(|k| {
        let (a, b) = (&sides[k], &sides[(k + 1) % n]);
        let ((p, [_, u]), (q, [v, _])) = (a.way.as_ref()?, b.way.as_ref()?);
        let (u, v) = ((*u)?, (*v)?);
        // Both ends as seen along and across the axis that they share.
        let apart = q.dot(v) + p.dot(u);
        let (r, s) = (across(*p, &[u]), across(*q, &[v]));
        let length = [apart.hypotenuse(r - s), apart.hypotenuse(r + s)];
        let name = format!("{} with {}", a.name, b.name);
        let mut fewer: Vec<Side> = (0..n).filter(|i| *i != k && *i != (k + 1) % n).map(|i| sides[i].clone()).collect();
        let bodies = [a.bodies.clone(), b.bodies.clone()].concat();
        fewer.push(Side { name, bodies, length, slides: Vec::new(), way: None });
        fault(&fewer, units)
    })
}

fn fault(sides: &[Side], units: &DisplayUnits) -> Option<Fault> {
    /// What rounding of the dimensions may leave open.
    const ROUNDING: f64 = 1e-9;
    let longest = (0..sides.len()).max_by(|a, b| sides[*a].length[0].total_cmp(&sides[*b].length[0]))?;
    let others = || sides.iter().enumerate().filter(|(k, _)| *k != longest).map(|(_, s)| s);
    let rest: f64 = others().map(|s| s.length[1]).sum();
    let side = &sides[longest];
    let length = side.length[0];
    if !(length.is_finite() && rest < length * (1.0 - ROUNDING)) {
        return None;
    }
    let ranges = |s: &Side| s.length[1] - s.length[0] > ROUNDING * s.length[1];
    let most = |s: &Side| if ranges(s) { format!("{} at most", s.name) } else { s.name.clone() };
    let names: Vec<String> = others().map(most).collect();
    let least = match side.slides.as_slice() {
        [] if ranges(side) => format!("{} at least", side.name),
        [] => side.name.clone(),
        slides => format!("{} across {}", side.name, slides.join(" and ")),
    };
    let shown = |x: f64| match units.is_si() && length < 1.0 {
        true => format!("{} mm", significant(1e3 * x, 6)),
        false => quantity_in_words(units, x, "m", 6),
    };
    let names = names.join(" + ");
    let words = format!("{names} = {} < {} = {least}: {} short", shown(rest), shown(length), shown(length - rest));
    /// Part of the longest share below which a body is not to blame.
    const SMALL: f64 = 0.5;
    let most = side.bodies.iter().map(|b| b.1).fold(0.0f64, f64::max);
    let long = side.bodies.iter().filter(|b| b.1 >= SMALL * most).map(|b| b.0).collect();
    Some(Fault { words, long, short: others().flat_map(|s| s.bodies.iter().map(|b| b.0)).collect() })
}
