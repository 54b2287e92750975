//! Robots made of others: with joints locked, or one on a frame of another.

use super::{Frame, Robot};
use crate::error::{Error, Result};
use crate::joints::{self, Joint};
use crate::math::Pose;
use crate::model::{Mechanism, Model, GROUND};
use crate::tree::freedom;

impl Robot {
    /// The robot with joints held as they are at `q`: they have no coordinates any more, and joints that follow them are held too.
    pub fn locked(&self, names: &[&str], q: &[f64]) -> Result<Robot> {
        let mut held: Vec<(usize, Vec<f64>)> = Vec::new();
        for name in names {
            let known = || self.joints().map(|j| j.0);
            let Some((_, [first, count], _)) = self.joints().find(|j| j.0 == *name) else {
                let follows = self.tree.followers.iter().find(|f| f.name == *name);
                let error = Error::new(format!("no joint '{name}' with coordinates to lock")).suggest(name, known());
                return Err(match follows {
                    Some(f) => error.note(format!("it follows '{}': lock that one", f.leader)),
                    None => error,
                });
            };
            let Some(joint) = self.model.joint(name) else {
                return Err(Error::new(format!("body '{name}' floats without a joint: there is nothing to lock")));
            };
            held.push((joint, q[first..first + count].to_vec()));
        }
        for f in &self.tree.followers {
            let leader = held.iter().find(|(joint, _)| self.model.joints[*joint].name == f.leader);
            let (Some((_, values)), Some(own)) = (leader, self.model.joint(&f.name)) else { continue };
            let [x] = values[..] else {
                return Err(Error::new("follows one of several coordinates of a joint that is to be locked")
                    .of(format!("joint '{}'", f.name)));
            };
            held.push((own, vec![f.ratio * x + f.offset]));
        }
        let is_held = |joint: usize| held.iter().any(|(k, _)| *k == joint);
        let on = |rotor: &&crate::model::Rotor| rotor.coordinates.iter().any(|c| is_held(c.joint));
        if let Some(rotor) = self.model.rotors.iter().find(on) {
            return Err(Error::new("its angle depends on a joint that is to be locked")
                .of(format!("rotor '{}'", rotor.name))
                .note("leave the joint free, or the rotor out of the model"));
        }
        let mut model = self.model.released();
        model.change_mechanism(|mechanism| {
            for (k, values) in &held {
                let old = &mechanism.joints[*k];
                let X_FM = freedom::pose(&old.freedoms().unwrap_or_default(), values);
                let frames = [old.frames[0] * X_FM, old.frames[1]];
                let fixed = Joint::new(&old.name, joints::FIXED, old.bodies, frames);
                mechanism.joints[*k] = Joint { space: old.space, span: old.span.clone(), ..fixed };
            }
            mechanism.couplings.retain(|c| !c.coordinates.iter().any(|c| is_held(c.joint)));
            mechanism.loads.clear();
        });
        Robot::new(&model)
    }

    /// This robot with another one on a frame of it: the other's ground becomes the frame, moved by `X_FO` in it. Names of the other begin
    /// with `prefix`. Gravity is this one's.
    pub fn appended(&self, other: &Robot, frame: &Frame, X_FO: &Pose, prefix: &str) -> Result<Robot> {
        let named = |name: &str| format!("{prefix}{name}");
        let taken = |name: &str| self.model.body(name).is_some() || self.model.joint(name).is_some();
        let all = other.model.bodies.iter().skip(1).map(|b| &b.name).chain(other.model.joints.iter().map(|j| &j.name));
        if let Some(name) = all.map(|name| named(name)).find(|name| taken(name)) {
            return Err(
                Error::new(format!("both robots have '{name}'")).note("give a prefix for the names of the second one")
            );
        }
        let mut model = self.model.released();
        model.change_mechanism(|mechanism| join(mechanism, &other.model, frame.body, &(frame.X_BF * *X_FO), &named));
        Robot::new(&model)
    }
}

/// Puts the parts of another mechanism on a body of this one, at `X_BO`.
fn join(to: &mut Mechanism, other: &Model, on: usize, X_BO: &Pose, named: &dyn Fn(&str) -> String) {
    let (bodies, joints) = (to.bodies.len() - 1, to.joints.len());
    let body = |k: usize| if k == GROUND { on } else { bodies + k };
    let X_WO = to.bodies[on].X_WB * *X_BO;
    to.bodies[on].points.extend(other.bodies[GROUND].points.iter().map(|(name, p)| (named(name), X_BO.apply(*p))));
    for b in other.bodies.iter().skip(1) {
        let mut b = b.clone();
        (b.name, b.X_WB) = (named(&b.name), X_WO * b.X_WB);
        to.bodies.push(b);
    }
    for joint in &other.joints {
        let mut joint = joint.clone();
        joint.name = named(&joint.name);
        for side in 0..2 {
            if joint.bodies[side] == GROUND {
                joint.frames[side] = *X_BO * joint.frames[side];
                joint.directions[side] = X_BO.rotation.apply(joint.directions[side]);
            }
            joint.bodies[side] = body(joint.bodies[side]);
        }
        to.joints.push(joint);
    }
    for coupling in &other.couplings {
        let mut coupling = coupling.clone();
        coupling.name = named(&coupling.name);
        coupling.coordinates.iter_mut().for_each(|c| c.joint += joints);
        to.couplings.push(coupling);
    }
    for rotor in &other.rotors {
        let mut rotor = rotor.clone();
        (rotor.name, rotor.body) = (named(&rotor.name), body(rotor.body));
        rotor.coordinates.iter_mut().for_each(|c| c.joint += joints);
        to.rotors.push(rotor);
    }
    to.loads.clear();
}
