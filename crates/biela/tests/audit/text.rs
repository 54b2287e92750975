//! The text of a machine, as people write it: in millimetres and degrees or any other units, with parameters here and there.

use crate::machine::*;
use crate::vector::*;
use std::fmt::Write;

const LENGTHS: &[(&str, f64)] = &[("m", 1.0), ("mm", 1e-3), ("cm", 1e-2), ("in", 0.0254), ("", 1.0)];
const ANGLES: &[(&str, f64)] = &[("rad", 1.0), ("deg", std::f64::consts::PI / 180.0), ("", 1.0)];
const MASSES: &[(&str, f64)] = &[("kg", 1.0), ("g", 1e-3), ("", 1.0)];
const INERTIAS: &[(&str, f64)] = &[("kg*m^2", 1.0), ("g*cm^2", 1e-7), ("kg*mm^2", 1e-6), ("", 1.0)];
const FORCES: &[(&str, f64)] = &[("N", 1.0), ("kN", 1e3), ("kg*m/s^2", 1.0), ("", 1.0)];
const TORQUES: &[(&str, f64)] = &[("N*m", 1.0), ("N*mm", 1e-3), ("kN*cm", 10.0), ("", 1.0)];
const ACCELERATIONS: &[(&str, f64)] = &[("m/s^2", 1.0), ("mm/s^2", 1e-3), ("", 1.0)];
const RATES: &[(&str, f64)] = &[("rad/s", 1.0), ("deg/s", std::f64::consts::PI / 180.0), ("", 1.0)];
const SPEEDS: &[(&str, f64)] = &[("m/s", 1.0), ("mm/s", 1e-3), ("", 1.0)];
const STIFFNESSES: &[(&str, f64)] = &[("N/m", 1.0), ("N/mm", 1e3), ("kN/m", 1e3), ("", 1.0)];
const DAMPINGS: &[(&str, f64)] = &[("N*s/m", 1.0), ("N*s/mm", 1e3), ("", 1.0)];
const TURNING: &[(&str, f64)] = &[("N*m/rad", 1.0), ("N*mm/deg", 0.18 / std::f64::consts::PI), ("", 1.0)];
const TURN_DAMPING: &[(&str, f64)] = &[("N*m*s/rad", 1.0), ("N*mm*s", 1e-3), ("", 1.0)];
const PLAIN: &[(&str, f64)] = &[("", 1.0)];

/// Writes numbers with the units that dice choose.
struct Pen {
    dice: Dice,
    parameters: Vec<(String, String)>,
}

impl Pen {
    /// An expression, without quotes.
    fn expression(&mut self, x: f64, units: &[(&str, f64)]) -> String {
        let (unit, factor) = self.dice.of(units);
        let text = match unit {
            "" => format!("{:?}", x),
            unit => format!("{:?} {unit}", x / factor),
        };
        // Parameters that are called neither like units nor like anything else.
        if self.dice.chance(0.15) {
            let name = format!("par{}", self.parameters.len());
            self.parameters.push((name.clone(), text));
            return name;
        }
        text
    }

    fn number(&mut self, x: f64, units: &[(&str, f64)]) -> String {
        format!("\"{}\"", self.expression(x, units))
    }

    fn vector(&mut self, v: V, units: &[(&str, f64)]) -> String {
        let parts = v.map(|x| self.number(x, units));
        format!("[{}]", parts.join(", "))
    }

    fn pair(&mut self, v: [V; 2], units: &[(&str, f64)]) -> String {
        let parts = v.map(|x| self.vector(x, units));
        format!("[{}]", parts.join(", "))
    }

    fn wave(&mut self, w: &Wave, units: &[(&str, f64)]) -> String {
        let start = self.expression(w.start, units);
        if w.swing == 0.0 {
            return format!("\"{start}\"");
        }
        let swing = self.expression(w.swing, units);
        let (omega, phase) = (self.expression(w.omega, RATES), self.expression(w.phase, ANGLES));
        format!("\"({start}) + ({swing})*(sin(({omega})*t + ({phase})) - sin({phase}))\"")
    }
}

/// The text of a machine; the seed decides the units alone.
pub fn text(m: &Machine, seed: u64, steps: usize, end: f64) -> String {
    let mut pen = Pen { dice: Dice::new(seed ^ 0x7E47), parameters: Vec::new() };
    let mut out = String::new();
    let _ = writeln!(out, "name = \"audit\"\ngravity = {}\n", pen.vector(m.gravity, ACCELERATIONS));
    bodies(m, &mut pen, &mut out);
    joints(m, &mut pen, &mut out);
    couplings(m, &mut pen, &mut out);
    drivers(m, &mut pen, &mut out);
    for (k, load) in m.loads.iter().enumerate() {
        let _ = writeln!(out, "[forces.load{k}]\n{}", load_text(m, load, &mut pen));
    }
    if !m.initial.is_empty() {
        out.push_str("[initial]\n");
        for (name, x) in &m.initial {
            let _ = writeln!(out, "\"{name}\" = {x:?}");
        }
    }
    let _ = writeln!(out, "[run]\nanalysis = \"{}\"\nend = {end:?}\nsteps = {steps}", m.analysis);
    if m.analysis == "dynamics" {
        out.push_str("tolerance = 1e-9\n");
    }
    if !pen.parameters.is_empty() {
        out.push_str("[parameters]\n");
        for (name, value) in &pen.parameters {
            let _ = writeln!(out, "{name} = \"{value}\"");
        }
    }
    out
}

fn bodies(m: &Machine, pen: &mut Pen, out: &mut String) {
    for body in &m.bodies {
        let _ = writeln!(out, "[bodies.{}]", body.name);
        if let Some((mass, com, inertia)) = body.mass {
            let inertia = inertia.map(|x| pen.number(x, INERTIAS)).join(", ");
            let (mass, com) = (pen.number(mass, MASSES), pen.vector(com, LENGTHS));
            let _ = writeln!(out, "mass = {mass}\ncom = {com}\ninertia = [{inertia}]");
        }
        let points: Vec<String> =
            body.points.iter().enumerate().map(|(k, p)| format!("P{k} = {}", pen.vector(*p, LENGTHS))).collect();
        let _ = writeln!(out, "points = {{ {} }}", points.join(", "));
        if body.name != "ground" {
            let at = pen.vector(body.p, LENGTHS);
            let turned = match pen.dice.below(2) {
                0 => format!("euler = [{}]", body.e.map(|x| format!("{x:?}")).join(", ")),
                _ => format!("rpy = {}", pen.vector(roll_pitch_yaw(&matrix(body.e)), ANGLES)),
            };
            let _ = writeln!(out, "pose = {{ at = {at}, {turned} }}");
        }
        out.push('\n');
    }
}

fn joints(m: &Machine, pen: &mut Pen, out: &mut String) {
    for j in &m.joints {
        let [a, b] = j.bodies.map(|k| &m.bodies[k]);
        let _ = writeln!(out, "[joints.{}]\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]", j.name, j.kind, a.name, b.name);
        let in_drawing = |v: V| apply(&matrix(a.e), v);
        let points = !matches!(j.kind, "dot1" | "perpendicular1");
        if points {
            let at = match j.drawn {
                true => pen.vector(add(a.p, in_drawing(j.at[0])), LENGTHS),
                false => pen.pair(j.at, LENGTHS),
            };
            let _ = writeln!(out, "at = {at}");
        }
        match j.kind {
            "spherical" | "free" => {}
            "distance" => {
                let _ = writeln!(out, "length = {}", pen.wave(&j.value, LENGTHS));
            }
            "dot1" | "perpendicular1" => {
                let _ = writeln!(out, "a = {}", pen.pair(j.axis, PLAIN));
            }
            "dot2" | "perpendicular2" => {
                let _ = writeln!(out, "a = {}", pen.vector(j.axis[0], PLAIN));
            }
            "coordinate" => {
                let _ = writeln!(out, "along = {}", pen.vector(j.axis[0], PLAIN));
            }
            "universal" => {
                let second = apply(&matrix(b.e), j.axis[1]);
                let (first, second) = (pen.vector(in_drawing(j.axis[0]), PLAIN), pen.vector(second, PLAIN));
                let _ = writeln!(out, "axis = {first}\naxis2 = {second}");
            }
            _ if j.drawn => {
                let _ = writeln!(out, "axis = {}", pen.vector(in_drawing(j.axis[0]), PLAIN));
            }
            _ => {
                let (axis, x) = (pen.pair(j.axis, PLAIN), pen.pair(j.x, PLAIN));
                let _ = writeln!(out, "axis = {axis}\nx = {x}");
            }
        }
        match j.kind {
            "dot1" => drop(writeln!(out, "value = {}", pen.wave(&j.value, PLAIN))),
            "dot2" | "coordinate" => drop(writeln!(out, "value = {}", pen.wave(&j.value, LENGTHS))),
            "screw" => drop(writeln!(out, "pitch = {}", pen.number(j.pitch, LENGTHS))),
            _ => {}
        }
        out.push('\n');
    }
}

fn couplings(m: &Machine, pen: &mut Pen, out: &mut String) {
    for c in &m.couplings {
        let name = |of: (usize, usize)| m.joints[of.0].coordinate(of.1);
        let angle = |of: (usize, usize)| coordinates(m.joints[of.0].kind)[of.1].1;
        let (first, second) = (name(c.first), name(c.second));
        let _ = writeln!(out, "[couplings.{}]\ntype = \"{}\"", c.name, c.kind);
        let units = if angle(c.second) { ANGLES } else { LENGTHS };
        match c.kind {
            "gear" => {
                let (ratio, offset) = (pen.number(c.ratio, PLAIN), pen.number(c.offset, units));
                let _ = writeln!(out, "joints = [\"{first}\", \"{second}\"]\nratio = {ratio}\noffset = {offset}");
            }
            "rack" => {
                let (radius, offset) = (pen.number(c.ratio, LENGTHS), pen.number(c.offset, LENGTHS));
                let _ = writeln!(out, "joints = [\"{first}\", \"{second}\"]\nradius = {radius}\noffset = {offset}");
            }
            "cam" => {
                let [a, b, d] = [c.ratio, c.swing, c.offset].map(|x| pen.expression(x, units));
                let _ = writeln!(
                    out,
                    "joints = [\"{first}\", \"{second}\"]\nprofile = \"({a})*angle + ({b})*sin(angle) + ({d})\""
                );
            }
            _ => {
                // Plain numbers: what stands beside a length here may be an angle. The last coordinate has the factor one.
                let _ = writeln!(
                    out,
                    "value = \"-({:?})*{first} - ({:?})*sin({first}) - ({:?}) + {second}\"",
                    c.ratio, c.swing, c.offset
                );
            }
        }
        out.push('\n');
    }
}

fn drivers(m: &Machine, pen: &mut Pen, out: &mut String) {
    for driver in &m.drivers {
        let _ = writeln!(out, "[drivers.{}]", driver.name);
        match &driver.target {
            Target::Coordinate { joint, c, value } => {
                let joint = &m.joints[*joint];
                let (coordinate, angle) = coordinates(joint.kind)[*c];
                let value = pen.wave(value, if angle { ANGLES } else { LENGTHS });
                match coordinates(joint.kind).len() {
                    1 => drop(writeln!(out, "joint = \"{}\"\nvalue = {value}\n", joint.name)),
                    _ => drop(writeln!(
                        out,
                        "joint = \"{}\"\ncoordinate = \"{coordinate}\"\nvalue = {value}\n",
                        joint.name
                    )),
                }
            }
            Target::Point { body, point, along, value } => {
                let (along, value) = (pen.vector(*along, PLAIN), pen.wave(value, LENGTHS));
                let body = &m.bodies[*body].name;
                let _ = writeln!(out, "point = \"{body}.P{point}\"\nalong = {along}\nvalue = {value}\n");
            }
            Target::Angles { body, value } => {
                let parts: Vec<String> = value.iter().map(|w| pen.wave(w, ANGLES)).collect();
                let body = &m.bodies[*body].name;
                let _ = writeln!(out, "body = \"{body}\"\norientation = [{}]\n", parts.join(", "));
            }
            Target::Turn { body, axis, from, value } => {
                // (cos φ/2, u sin φ/2) times what it starts from.
                let wave = pen.wave(value, ANGLES).replace('"', "");
                let sine = product([0.0, axis[0], axis[1], axis[2]], *from);
                let part = |k: usize| format!("\"({:?})*cos(({wave})/2) + ({:?})*sin(({wave})/2)\"", from[k], sine[k]);
                let parts: Vec<String> = (0..4).map(part).collect();
                let body = &m.bodies[*body].name;
                let _ = writeln!(out, "body = \"{body}\"\norientation = [{}]\n", parts.join(", "));
            }
        }
    }
}

fn load_text(m: &Machine, load: &Load, pen: &mut Pen) -> String {
    let of = |joint: &usize, c: &usize| {
        let j = &m.joints[*joint];
        let (name, angle) = coordinates(j.kind)[*c];
        (format!("joint = \"{}\"\ncoordinate = \"{name}\"\n", j.name), angle)
    };
    let frame = |in_body: &bool| if *in_body { "frame = \"body\"\n" } else { "" };
    match load {
        Load::Force { body, point, value, in_body } => {
            let parts: Vec<String> = value.iter().map(|w| pen.wave(w, FORCES)).collect();
            let (body, at) = (&m.bodies[*body].name, pen.vector(*point, LENGTHS));
            format!(
                "type = \"force\"\nbody = \"{body}\"\nat = {at}\n{}value = [{}]\n",
                frame(in_body),
                parts.join(", ")
            )
        }
        Load::Torque { body, value, in_body } => {
            let parts: Vec<String> = value.iter().map(|w| pen.wave(w, TORQUES)).collect();
            let body = &m.bodies[*body].name;
            format!("type = \"torque\"\nbody = \"{body}\"\n{}value = [{}]\n", frame(in_body), parts.join(", "))
        }
        Load::Spring { kind, bodies, at, stiffness, damping, length } => {
            let [a, b] = bodies.map(|k| m.bodies[k].name.clone());
            let mut out = format!("type = \"{kind}\"\nbodies = [\"{a}\", \"{b}\"]\nat = {}\n", pen.pair(*at, LENGTHS));
            if *kind != "damper" {
                let (stiffness, length) = (pen.number(*stiffness, STIFFNESSES), pen.number(*length, LENGTHS));
                let _ = writeln!(out, "stiffness = {stiffness}\nlength = {length}");
            }
            if *kind != "spring" {
                let _ = writeln!(out, "damping = {}", pen.number(*damping, DAMPINGS));
            }
            out
        }
        Load::JointSpring { joint, c, stiffness, damping, rest } => {
            let (head, angle) = of(joint, c);
            let [k, d, r] = if angle { [TURNING, TURN_DAMPING, ANGLES] } else { [STIFFNESSES, DAMPINGS, LENGTHS] };
            let (k, d, r) = (pen.number(*stiffness, k), pen.number(*damping, d), pen.number(*rest, r));
            format!("type = \"joint-spring\"\n{head}stiffness = {k}\ndamping = {d}\nrest = {r}\n")
        }
        Load::JointTorque { joint, c, value } => {
            let (head, angle) = of(joint, c);
            format!(
                "type = \"joint-torque\"\n{head}value = {}\n",
                pen.wave(value, if angle { TORQUES } else { FORCES })
            )
        }
        Load::Friction { joint, c, viscous, coulomb } => {
            let (head, angle) = of(joint, c);
            let [v, f] = if angle { [TURN_DAMPING, TORQUES] } else { [DAMPINGS, FORCES] };
            let (v, f) = (pen.number(*viscous, v), pen.number(*coulomb, f));
            format!("type = \"friction\"\n{head}viscous = {v}\ncoulomb = {f}\n")
        }
        Load::Motor { joint, c, stall, speed } => {
            let (head, angle) = of(joint, c);
            let [f, s] = if angle { [TORQUES, RATES] } else { [FORCES, SPEEDS] };
            let (f, s) = (pen.number(*stall, f), pen.number(*speed, s));
            format!("type = \"motor\"\n{head}stall = {f}\nspeed = {s}\n")
        }
    }
}
