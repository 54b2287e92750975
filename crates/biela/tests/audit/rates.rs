//! Differences in time: velocities are the derivatives of positions, accelerations of velocities, and the energy changes by the power
//! of drivers and loads.
//!
//! Central differences of order eight, over nine samples. The difference between those of order eight and of lower orders bounds what the
//! first leave out; where that is large the motion is too quick for its samples, and the sample does not count.

use crate::balance::Ledger;
use crate::columns::*;
use crate::machine::*;
use crate::vector::*;

/// Samples on each side.
pub const REACH: usize = 4;
/// Differences that leave out more than this do not count.
const QUICK: f64 = 1e-9;

/// Derivative at sample k by differences of order eight, and how much they may leave out.
fn derivative(x: &[f64], k: usize, h: f64) -> (f64, f64) {
    let by = |weights: &[f64]| {
        let parts = weights.iter().enumerate().map(|(i, w)| w * (x[k + i + 1] - x[k - i - 1]));
        parts.sum::<f64>() / h
    };
    let eighth = by(&[4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0]);
    let sixth = by(&[3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0]);
    let fourth = by(&[2.0 / 3.0, -1.0 / 12.0]);
    // Two orders may agree by chance; a hundredth is what each order gains on the one before where motions are slow enough.
    (eighth, (eighth - sixth).abs().max(1e-2 * (sixth - fourth).abs()))
}

/// A signal against its rate at one sample.
fn compare(ledger: &mut Ledger, law: &'static str, found: (f64, f64), due: f64, scale: f64, name: &str) {
    let (slope, left_out) = found;
    if left_out <= QUICK * scale {
        // Order eight leaves out far less than order six does.
        ledger.note(law, ((slope - due).abs() - 1e-2 * left_out).max(0.0), scale, || name.to_string());
    } else {
        ledger.quick += 1;
    }
}

fn most(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Holds all columns to differences of others.
pub fn audit(m: &Machine, columns: &Columns, powers: &[(f64, f64)], ledger: &mut Ledger) {
    let t = columns.t;
    if t.len() < 2 * REACH + 1 {
        return;
    }
    let h = (t[t.len() - 1] - t[0]) / (t.len() - 1) as f64;
    let speed =
        m.bodies[1..].iter().flat_map(|b| ["vx", "vy", "vz", "wx", "wy", "wz"].map(|l| format!("{}.{l}", b.name)));
    let speed = speed.map(|name| most(columns.get(&name))).fold(0.1, f64::max);
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for body in &m.bodies[1..] {
        let b = &body.name;
        for axis in ["x", "y", "z"] {
            pairs.extend([
                [format!("{b}.{axis}"), format!("{b}.v{axis}")],
                [format!("{b}.v{axis}"), format!("{b}.a{axis}")],
                [format!("{b}.w{axis}"), format!("{b}.al{axis}")],
            ]);
        }
    }
    for joint in &m.joints {
        for c in 0..coordinates(joint.kind).len() {
            let q = joint.coordinate(c);
            pairs.push([q.clone(), format!("{q}.rate")]);
            pairs.push([format!("{q}.rate"), format!("{q}.accel")]);
        }
    }
    for k in REACH..t.len() - REACH {
        for [x, v] in &pairs {
            let (x_data, v_data) = (columns.get(x), columns.get(v));
            let scale = most(v_data).max(speed);
            compare(ledger, "differences in time", derivative(x_data, k, h), v_data[k], scale, x);
        }
        // ė = ½ (0, ω) e.
        let poses = poses(m, columns, k);
        for (body, pose) in m.bodies.iter().zip(&poses).skip(1) {
            let due = product([0.0, pose.w[0], pose.w[1], pose.w[2]], pose.e).map(|x| 0.5 * x);
            for (leaf, due) in ["e0", "e1", "e2", "e3"].iter().zip(due) {
                let name = format!("{}.{leaf}", body.name);
                compare(ledger, "Euler parameters in time", derivative(columns.get(&name), k, h), due, speed, &name);
            }
        }
        let energy = columns.get("energy.total");
        let scale = powers[k].1.max(most(energy) * speed).max(most(columns.get("energy.kinetic")) * speed);
        compare(ledger, "energy in time", derivative(energy, k, h), powers[k].0, scale, "energy.total");
    }
}
