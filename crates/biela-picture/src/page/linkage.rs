//! Instant centres and inflection circles of a planar linkage over time, for the page to draw.

use super::blob::Blob;
use crate::{Animation, Scene};
use biela_base::signal_name::join;
use biela_core::linkage::{centre, Moving, Pair, Tie};
use biela_core::model::GROUND;
use biela_math::Vec3;
use serde_json::{json, Value};

/// Bytes that places over time may take; what does not fit is left out, those of bodies against the ground last.
const ROOM: usize = 900_000;

/// Centres (in joints, or as places over time) and circles; both are empty where the mechanism is no planar linkage or its velocities are not
/// told.
pub(super) fn marks(scene: &Scene, motion: &Animation, blob: &mut Blob) -> [Vec<Value>; 2] {
    let Some(moves) = (0..scene.figures.len()).map(|body| Moves::of(scene, motion, body)).collect::<Option<Vec<_>>>()
    else {
        return [Vec::new(), Vec::new()];
    };
    let fastest: Vec<f64> = (0..motion.len()).map(|k| fastest(&moves, motion, scene.size, k)).collect();
    let room = ROOM / (motion.len().max(1) * 12);
    let (mut centres, mut circles, mut stored) = (Vec::new(), Vec::new(), 0);
    for Pair { bodies: [a, b], tie } in scene.links.iter().copied() {
        if let Tie::Pivot(joint) = tie {
            centres.push(json!({ "bodies": [a, b], "joint": joint }));
        }
        if tie != Tie::Apart || stored >= room {
            continue;
        }
        stored += 1;
        let at = |k: usize| {
            let [first, second] = [a, b].map(|body| moves[body].at(motion, body, k));
            centre(first, second, fastest[k], scene.size)
        };
        let places: Vec<Vec3> = (0..motion.len()).map(at).collect();
        if a == GROUND {
            let opposite = places.iter().enumerate().map(|(k, p)| moves[b].inflection_pole(motion, b, k, *p));
            let opposite: Vec<Vec3> = opposite.collect();
            circles.push(json!({ "body": b, "centre": centres.len(), "at": stored_places(&opposite, blob) }));
        }
        centres.push(json!({ "bodies": [a, b], "at": stored_places(&places, blob) }));
    }
    [centres, circles]
}

fn stored_places(places: &[Vec3], blob: &mut Blob) -> Value {
    let row = |of: fn(&Vec3) -> f64| places.iter().map(of).collect::<Vec<f64>>();
    [row(|p| p.x), row(|p| p.y), row(|p| p.z)].iter().map(|data| blob.channel(data, true)).collect()
}

fn fastest(moves: &[Moves], motion: &Animation, size: f64, k: usize) -> f64 {
    let rates = moves.iter().enumerate().map(|(body, m)| m.at(motion, body, k));
    rates.fold(0.0, |most: f64, m| most.max(m.w.norm()).max(m.v.norm() / size))
}

/// Columns of a body's velocities and accelerations: v, ω, a, α; none for the ground.
struct Moves<'r>(Option<[[Option<&'r [f64]>; 3]; 4]>);

impl<'r> Moves<'r> {
    /// `None` where they are not told.
    fn of(scene: &Scene, motion: &Animation<'r>, body: usize) -> Option<Moves<'r>> {
        if body == GROUND {
            return Some(Moves(None));
        }
        let column = |leaf: &str| {
            motion
                .signal(&join(&scene.figures[body].name, leaf))
                .map(|c| c.data.as_slice())
                .filter(|d| d.len() == motion.len())
        };
        let [v, a] = [["vx", "vy", "vz"], ["ax", "ay", "az"]].map(|leaves| leaves.map(column));
        let [mut w, mut alpha] = [["wx", "wy", "wz"], ["alx", "aly", "alz"]].map(|leaves| leaves.map(column));
        // In a plane they are about its normal.
        (w[2], alpha[2]) = (w[2].or(column("w")), alpha[2].or(column("al")));
        let told = v[0].and(v[1]).and(w[2]).and(a[0]).and(alpha[2]).is_some();
        told.then_some(Moves(Some([v, w, a, alpha])))
    }

    fn vector(&self, which: usize, k: usize) -> Vec3 {
        let Some(columns) = &self.0 else { return Vec3::ZERO };
        let [x, y, z] = columns[which].map(|c| c.map_or(0.0, |c| c[k]));
        Vec3::new(x, y, z)
    }

    fn at(&self, motion: &Animation, body: usize, k: usize) -> Moving {
        Moving { at: motion.pose(body, k).origin, v: self.vector(0, k), w: self.vector(1, k) }
    }

    /// Opposite to the pole on the inflection circle: the pole's acceleration over ω² away from it.
    fn inflection_pole(&self, motion: &Animation, body: usize, k: usize, pole: Vec3) -> Vec3 {
        let (w, r) = (self.vector(1, k), pole - motion.pose(body, k).origin);
        let a = self.vector(2, k) + self.vector(3, k).cross(r) + w.cross(w.cross(r));
        if pole.is_finite() {
            pole + a * (1.0 / w.dot(w))
        } else {
            pole
        }
    }
}
