//! The coordinates that a model is solved in where nobody names them: a fixed rule of the mechanism and of what is asked, which takes what
//! is fastest as a rule and never looks at a clock.
//!
//! | asked for | no loop | loops in parallel planes | loops in space |
//! |---|---|---|---|
//! | motion from drivers | relative | natural | relative |
//! | motion from forces | relative | relative, or natural | relative, or absolute |
//! | forces, modes | relative | relative, or absolute | relative, or absolute |
//! | state-space matrices | relative | relative | relative |
//!
//! Absolute ones are taken where equations repeat each other by their number, because the shortest among many sets of reactions is then told, and
//! that is one among the equations of all joints; and where a chain is so long that joint coordinates, each of which moves everything beyond it,
//! cost more than they save. Loops in a plane move under forces in joint coordinates where recursions along the tree know all of it
//! ([`super::PlanarTree`]): turns and slides, no drivers, couplings or rotors, no long branch, all joints and masses in one plane so that reactions out
//! of it are zero in any coordinates. A tree algorithm asks for relative coordinates; the column `singularity`, a distance that depends on the coordinates it is
//! told in, for absolute ones. A mechanism in a plane whose joints lie a thousand times its shortest body away has no natural coordinates: points of
//! a body, each known to rounding, would not tell its direction.

use crate::linkage;
use crate::math::Vec3;
use crate::model::graph::Forest;
use crate::model::{Analysis, Model, GROUND};

/// The word that leaves the choice to the rule.
pub const AUTO: &str = "auto";

/// Joints one beyond the other, from which on a chain is long.
const LONG: usize = 1000;

/// The keyword of a formulation, or that of the rule's choice where the word is `auto`.
pub fn resolve<'a>(model: &Model, word: &'a str) -> &'a str {
    match word {
        AUTO => choice(model),
        named => named,
    }
}

/// The rule.
fn choice(model: &Model) -> &'static str {
    let study = &model.study;
    // A distance to singularity is one in the coordinates it is told in.
    if study.singularity {
        return "absolute";
    }
    if study.algorithm.is_some() || study.analysis == Analysis::StateSpace {
        return "relative";
    }
    let forest = Forest::new(model);
    let loops = forest.cut.iter().any(|k| !model.joints[*k].is_free());
    let driven = !model.drivers.is_empty();
    match study.analysis {
        Analysis::Kinematics if !loops => "relative",
        Analysis::Dynamics if loops && !driven && is_flat(&forest, model) => "relative",
        Analysis::Kinematics | Analysis::Dynamics if loops && linkage::plane(model).is_some() && !is_spread(model) => {
            "natural"
        }
        Analysis::Kinematics => "relative",
        // Nothing but joints: articulated bodies.
        Analysis::Dynamics if !loops && !driven && model.couplings.is_empty() => "relative",
        _ if depth(&forest, model.bodies.len()) > LONG || (loops && repeats(model)) => "absolute",
        _ => "relative",
    }
}

/// Why these coordinates hold no position of a model to what is accepted, whatever is tried; none where they may.
pub fn hopeless(model: &Model, word: &str) -> Option<String> {
    /// Points known to 1e-16 of their distance tell not even the direction of the longest body to what is accepted.
    const FAR: f64 = 1e4;
    let far = if word == "natural" { spread(model, f64::max) } else { 0.0 };
    (far > FAR).then(|| {
        format!("joints lie {far:.0} times the longest body away: its points, each known to rounding, do not tell its direction")
    })
}

/// Whether joints lie so far from the origin, against the bodies that they are on, that points of a body known to rounding do not tell its
/// direction to what a position is accepted by.
fn is_spread(model: &Model) -> bool {
    /// Rounding of a point is 1e-16 of its distance; of a body's direction 1e-13 must be known.
    const FAR: f64 = 1000.0;
    spread(model, f64::min) > FAR
}

/// How far the farthest joint lies from the origin, in lengths between joints of a body: the longest, or the shortest. Nothing where none is long.
fn spread(model: &Model, chosen: fn(f64, f64) -> f64) -> f64 {
    let mut first: Vec<Option<(Vec3, f64)>> = vec![None; model.bodies.len()];
    let mut farthest = 0.0f64;
    for joint in &model.joints {
        for (body, frame) in joint.bodies.into_iter().zip(&joint.frames).filter(|(body, _)| *body != GROUND) {
            farthest = farthest.max(model.bodies[body].X_WB.apply(frame.origin).norm());
            let (from, length) = first[body].get_or_insert((frame.origin, 0.0));
            *length = length.max((frame.origin - *from).norm());
        }
    }
    let lengths = first.iter().flatten().map(|(_, length)| *length).filter(|length| *length > 0.0);
    farthest / lengths.reduce(chosen).unwrap_or(f64::INFINITY)
}

/// Most joints one beyond the other.
fn depth(forest: &Forest, bodies: usize) -> usize {
    let mut depth = vec![0usize; bodies];
    for branch in &forest.branches {
        depth[branch.body] = 1 + if branch.parent == GROUND { 0 } else { depth[branch.parent] };
    }
    depth.into_iter().max().unwrap_or(0)
}

/// Whether all moves in one plane, by short branches of turns and slides alone.
fn is_flat(forest: &Forest, model: &Model) -> bool {
    /// Joints one beyond the other, from which on matrices that are full along a branch cost more than they save.
    const BRANCH: usize = 32;
    /// Heights that differ by less, against the size of the drawing, are the same: what a drawing of ten digits says.
    const SAME: f64 = 1e-9;
    let Some(normal) = linkage::plane(model) else { return false };
    let simple = |k: usize| model.joints[k].hinge().is_some_and(|hinge| hinge.nv() <= 1);
    let all = forest.branches.iter().all(|branch| branch.joint.is_some_and(simple));
    if !all || !model.couplings.is_empty() || !model.rotors.is_empty() || depth(forest, model.bodies.len()) > BRANCH {
        return false;
    }
    if model.space.is_planar() {
        return true;
    }
    let joints =
        model.joints.iter().flat_map(|joint| joint.bodies.into_iter().zip(joint.frames.iter().map(|f| f.origin)));
    let masses = model.bodies.iter().enumerate().filter_map(|(k, body)| body.mass.as_ref().map(|mass| (k, mass.com)));
    let points = joints.chain(masses).map(|(body, p)| model.bodies[body].X_WB.apply(p));
    let (mut low, mut high, mut reach) = (f64::INFINITY, f64::NEG_INFINITY, 0.0f64);
    for point in points {
        (low, high) = (low.min(normal.dot(point)), high.max(normal.dot(point)));
        reach = reach.max(point.norm());
    }
    high - low <= SAME * reach
}

/// Whether there are more equations than bodies with one freedom left need: then some repeat others, or nothing moves.
fn repeats(model: &Model) -> bool {
    let rows: usize = model.joints.iter().map(|joint| joint.rows().len()).sum::<usize>() + model.couplings.len();
    let driven: usize = model.drivers.iter().enumerate().map(|(k, d)| d.rows(k, &model.joints).len()).sum();
    rows + driven.max(1) > model.space.freedoms() * (model.bodies.len() - 1)
}
