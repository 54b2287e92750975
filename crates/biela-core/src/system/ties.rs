//! What ties turns of angles together besides couplings: screws, and the loops that they close.

use crate::joints::{Axis, Form, Joint, Measure};
use crate::math::Vec3;
use crate::model::Model;

/// Σ coefficient · measure = constant, turns included.
#[derive(Debug)]
pub(super) struct Tie {
    pub terms: Vec<(f64, usize)>,
    /// `None`: whatever fits the present position, within half a turn of zero.
    pub constant: Option<f64>,
}

/// A tie as the model says it: terms, and the constant where it is known.
type Said = (Vec<(f64, Measure)>, Option<f64>);

/// Ties of a model's screws: with their own advance, and with the other angles of their loops.
pub(super) fn ties(model: &Model) -> Vec<Said> {
    let mut found = Vec::new();
    let advances =
        |j: &&Joint| j.freedoms().is_some_and(|list| list.iter().any(|f| f.turning().is_some_and(|t| t.1 != 0.0)));
    for (k, joint) in model.joints.iter().enumerate().filter(|(_, j)| advances(j)) {
        let advance = joint.rows().into_iter().find_map(|row| match row.form {
            Form::Linear(terms) if terms.len() == 2 => Some(terms),
            _ => None,
        });
        found.extend(advance.map(|terms| (terms, Some(0.0))));
        found.extend(loop_of(model, k).map(|terms| (terms, None)));
    }
    found
}

/// Angles of the shortest loop that a screw closes, where its axes are all parallel.
fn loop_of(model: &Model, screw: usize) -> Option<Vec<(f64, Measure)>> {
    /// Sine up to which axes of a drawing, which is a first guess, count as parallel: ties decide between whole turns alone.
    const PARALLEL: f64 = 0.25;
    let [from, to] = model.joints[screw].bodies;
    let mut came: Vec<Option<usize>> = vec![None; model.bodies.len()];
    let (mut row, mut next) = (vec![from], 0);
    let mut joints_of: Vec<Vec<usize>> = vec![Vec::new(); model.bodies.len()];
    for (k, joint) in model.joints.iter().enumerate().filter(|(k, _)| *k != screw) {
        joint.bodies.iter().for_each(|b| joints_of[*b].push(k));
    }
    while let Some(at) = row.get(next).copied().filter(|at| *at != to) {
        next += 1;
        for k in &joints_of[at] {
            let far = model.joints[*k].bodies.iter().copied().find(|b| *b != at);
            if let Some(far) = far.filter(|far| *far != from && came[*far].is_none()) {
                came[far] = Some(*k);
                row.push(far);
            }
        }
    }
    let axis = |k: usize| {
        let joint = &model.joints[k];
        (model.guess().poses()[joint.bodies[0]] * joint.frames[0]).rotation.apply(Vec3::Z)
    };
    let angle = |k: usize, coordinate: usize| {
        let joint = &model.joints[k];
        joint.kind.coordinate(joint, coordinate)
    };
    let advancing = model.joints[screw].freedoms()?.into_iter().find(|f| f.turning().is_some_and(|t| t.1 != 0.0))?;
    let mut terms = vec![(1.0, angle(screw, model.joints[screw].coordinate_of(&advancing)?)?)];
    let mut at = to;
    while at != from {
        let k = came[at]?;
        let joint = &model.joints[k];
        let forth = if joint.bodies[1] == at { 1.0 } else { -1.0 };
        at = joint.bodies[usize::from(forth < 0.0)];
        let freedoms = joint.freedoms()?;
        let mut turns = freedoms.iter().filter(|f| f.sliding().is_none());
        let Some(turn) = turns.next() else { continue };
        if turns.next().is_some() || turn.turning()?.0 != Axis::Z {
            return None;
        }
        let coordinate = joint.coordinate_of(turn)?;
        let (u, v) = (axis(screw), axis(k));
        if u.cross(v).norm() > PARALLEL {
            return None;
        }
        terms.push((-forth * u.dot(v).signum(), angle(k, coordinate)?));
    }
    Some(terms)
}
