//! A driven machine as a free one: efforts at the first sample as constant loads in place of the drivers, the position as its drawing,
//! the rates as its start.

use crate::columns::Columns;
use crate::machine::*;
use crate::vector::*;

/// The free machine; none where massless bodies would leave its motion open, or where it is a structure that nothing moves.
pub fn freed(m: &Machine, driven: &Columns) -> Option<Machine> {
    if m.drivers.is_empty() || m.bodies[1..].iter().any(|b| b.mass.is_none()) {
        return None;
    }
    let first = |name: &str| driven.get(name)[0];
    let mut free = m.clone();
    free.analysis = "dynamics";
    for body in &mut free.bodies[1..] {
        let of = |leaf: &str| first(&format!("{}.{leaf}", body.name));
        body.e = ["e0", "e1", "e2", "e3"].map(of);
        body.p = ["x", "y", "z"].map(of);
    }
    // Universal joints count their angles from the drawing, which is another one now.
    let shift = |joint: usize, c: usize| match m.joints[joint].kind {
        "universal" => first(&m.joints[joint].coordinate(c)),
        _ => 0.0,
    };
    for load in &mut free.loads {
        if let Load::JointSpring { joint, c, rest, .. } = load {
            *rest -= shift(*joint, *c);
        }
    }
    for c in &mut free.couplings {
        if [c.first.0, c.second.0].iter().any(|j| m.joints[*j].kind == "universal") {
            return None;
        }
    }
    free.joints.iter_mut().for_each(|j| j.drawn = false);
    free.drivers.clear();
    for driver in &m.drivers {
        match &driver.target {
            Target::Coordinate { joint, c, .. } => {
                let value = Wave::constant(first(&format!("{}.effort", driver.name)));
                free.loads.push(Load::JointTorque { joint: *joint, c: *c, value });
                let rate = format!("{}.rate", m.joints[*joint].coordinate(*c));
                free.initial.push((rate.clone(), first(&rate)));
            }
            Target::Point { body, point, along, .. } => {
                let f = scaled(*along, first(&format!("{}.effort", driver.name)));
                let point = m.bodies[*body].points[*point];
                free.loads.push(Load::Force { body: *body, point, value: f.map(Wave::constant), in_body: false });
                start(m, *body, ["vx", "vy", "vz"], driven, &mut free.initial);
            }
            Target::Angles { body, .. } | Target::Turn { body, .. } => {
                let moment = ["x", "y", "z"].map(|l| Wave::constant(first(&format!("{}.effort.{l}", driver.name))));
                free.loads.push(Load::Torque { body: *body, value: moment, in_body: false });
                start(m, *body, ["wx", "wy", "wz"], driven, &mut free.initial);
            }
        }
    }
    Some(free)
}

/// Velocities of a body at the start, once.
fn start(m: &Machine, body: usize, leaves: [&str; 3], driven: &Columns, initial: &mut Vec<(String, f64)>) {
    for leaf in leaves {
        let name = format!("{}.{leaf}", m.bodies[body].name);
        if !initial.iter().any(|known| known.0 == name) {
            let value = driven.get(&name)[0];
            initial.push((name, value));
        }
    }
}
