//! Columns of a kinematic result: which there are, and how each follows from a state.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::error::{Error, Result};
use crate::model::Singular;
use crate::results::{Column, Results};
use crate::solve::follow::Follower;
use crate::solve::modes::Identity;
use crate::system::System;

/// Gathers samples into columns.
#[derive(Debug)]
pub struct Recorder {
    columns: Vec<Column>,
    /// What the assembly mode is known by.
    identity: Option<Identity>,
}

const BODY: [(&str, &str); 19] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("e0", "1"),
    ("e1", "1"),
    ("e2", "1"),
    ("e3", "1"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
    ("ax", "m/s^2"),
    ("ay", "m/s^2"),
    ("az", "m/s^2"),
    ("alx", "rad/s^2"),
    ("aly", "rad/s^2"),
    ("alz", "rad/s^2"),
];

const POINT: [(&str, &str); 9] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("ax", "m/s^2"),
    ("ay", "m/s^2"),
    ("az", "m/s^2"),
];

const ANGLE: [(&str, &str); 3] = [("", "rad"), (".rate", "rad/s"), (".accel", "rad/s^2")];
const SLIDE: [(&str, &str); 3] = [("", "m"), (".rate", "m/s"), (".accel", "m/s^2")];

impl Recorder {
    /// Columns for a system, with room for `samples`.
    pub fn new(system: &System, samples: usize) -> Recorder {
        // Room is made as samples come for runs so long that the user may end them early.
        const ROOM: usize = 1 << 20;
        let mut columns = Vec::new();
        let mut add = |name: String, unit: &'static str| {
            columns.push(Column { name, unit, data: Vec::with_capacity(samples.min(ROOM)) });
        };
        add("t".into(), "s");
        for body in &system.model.bodies[1..] {
            for (leaf, unit) in BODY {
                add(format!("{}.{leaf}", body.name), unit);
            }
            for (point, _) in &body.points {
                for (leaf, unit) in POINT {
                    add(format!("{}.{point}.{leaf}", body.name), unit);
                }
            }
        }
        for (j, c, _) in system.constraints.coordinates() {
            let joint = &system.model.joints[*j];
            let coordinate = joint.kind.coordinates()[*c];
            for (leaf, unit) in if coordinate.angle { ANGLE } else { SLIDE } {
                add(format!("{}.{}{leaf}", joint.name, coordinate.name), unit);
            }
        }
        add("residual".into(), "1");
        add("mode".into(), "1");
        if system.model.run.singularity {
            add("singularity".into(), "1");
        }
        if system.model.run.singular == Singular::Damp {
            add("lag".into(), "1");
        }
        Recorder { columns, identity: None }
    }

    /// Tells the mode of each sample by `identity`; without it the mode reads 0.
    pub fn carry(&mut self, identity: Identity) {
        self.identity = Some(identity);
    }

    /// Adds the follower's present state as a sample.
    pub fn record(&mut self, follower: &mut Follower) -> Result<()> {
        let distance = follower.watch();
        let (system, ws) = (follower.system, &follower.ws);
        let mut columns = self.columns.iter_mut();
        let mut put = |x: f64| {
            if let Some(column) = columns.next() {
                column.data.push(x);
            }
        };
        let mut fault = None;
        put(follower.state.t);
        for (body, state) in system.model.bodies.iter().zip(&ws.cache.bodies).skip(1) {
            let p = state.pose.origin;
            let parts = [p, state.v, state.w, state.a, state.alpha];
            if !parts.iter().all(|x| x.is_finite()) {
                fault.get_or_insert_with(|| body.name.clone());
            }
            p.to_array().into_iter().for_each(&mut put);
            state.attitude.0.into_iter().for_each(&mut put);
            for part in [state.v, state.w, state.a, state.alpha] {
                part.to_array().into_iter().for_each(&mut put);
            }
            for (_, p_B) in &body.points {
                let s = state.pose.rotation.apply(*p_B);
                let v = state.v + state.w.cross(s);
                let a = state.a + state.alpha.cross(s) + state.w.cross(state.w.cross(s));
                for part in [p + s, v, a] {
                    part.to_array().into_iter().for_each(&mut put);
                }
            }
        }
        for (_, _, measure) in system.constraints.coordinates() {
            put(system.constraints.value(*measure, &ws.evaluation));
            put(system.constraints.rate(*measure, &ws.evaluation));
            put(system.constraints.acceleration(*measure, &ws.evaluation));
        }
        put(follower.residual);
        put(self.identity.as_ref().map_or(0.0, |identity| identity.mode(&ws.cache.bodies)));
        if let Some(distance) = distance.filter(|_| system.model.run.singularity) {
            put(distance);
        }
        if system.model.run.singular == Singular::Damp {
            put(follower.lag);
        }
        match fault {
            Some(body) => {
                Err(Error::new(format!("body '{body}' has no finite motion at t = {:.9} s", follower.state.t)))
            }
            None => Ok(()),
        }
    }

    /// The samples as results.
    pub fn finish(self) -> Results {
        Results { columns: self.columns, notes: Vec::new() }
    }
}
