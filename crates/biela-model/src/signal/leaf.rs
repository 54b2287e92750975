//! Leaves: what an element tells, with its unit and its level.

use crate::joints::FRICTION;
use std::sync::Mutex;

/// What part of an element's state a column tells.
#[derive(Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its word in the column's name; empty where the element's name says it all.
    pub word: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its level.
    pub level: Option<Level>,
}

/// How often a quantity is differentiated, or that it is a force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Positions, angles, Euler parameters.
    Position,
    /// Their rates.
    Velocity,
    /// Their second rates.
    Acceleration,
    /// Forces and moments.
    Reaction,
}

impl Level {
    /// Every level with its name, in order.
    pub const ALL: [(Level, &'static str); 4] = [
        (Level::Position, "position"),
        (Level::Velocity, "velocity"),
        (Level::Acceleration, "acceleration"),
        (Level::Reaction, "reaction"),
    ];
}

/// A point's position.
pub const POSITION: [&str; 3] = ["x", "y", "z"];
/// A body's pose: its origin, and its attitude in Euler parameters.
pub const POSE: [&str; 7] = ["x", "y", "z", "e0", "e1", "e2", "e3"];
/// A body's attitude.
pub const ATTITUDE: [&str; 4] = ["e0", "e1", "e2", "e3"];
/// A body's attitude in a plane.
pub const HEADING: &str = "angle";
/// How far a contact is from touching.
pub const GAP: &str = "gap";
/// Components of a reaction.
pub const COMPONENTS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

const fn at(word: &'static str, unit: &'static str) -> Leaf {
    Leaf { word, unit, level: Some(Level::Position) }
}

const fn rate(word: &'static str, unit: &'static str) -> Leaf {
    Leaf { word, unit, level: Some(Level::Velocity) }
}

const fn accel(word: &'static str, unit: &'static str) -> Leaf {
    Leaf { word, unit, level: Some(Level::Acceleration) }
}

const fn force(word: &'static str, unit: &'static str) -> Leaf {
    Leaf { word, unit, level: Some(Level::Reaction) }
}

const fn other(word: &'static str, unit: &'static str) -> Leaf {
    Leaf { word, unit, level: None }
}

pub(super) static BODY: [Leaf; 19] = [
    at("x", "m"),
    at("y", "m"),
    at("z", "m"),
    at("e0", "1"),
    at("e1", "1"),
    at("e2", "1"),
    at("e3", "1"),
    rate("vx", "m/s"),
    rate("vy", "m/s"),
    rate("vz", "m/s"),
    rate("wx", "rad/s"),
    rate("wy", "rad/s"),
    rate("wz", "rad/s"),
    accel("ax", "m/s^2"),
    accel("ay", "m/s^2"),
    accel("az", "m/s^2"),
    accel("alx", "rad/s^2"),
    accel("aly", "rad/s^2"),
    accel("alz", "rad/s^2"),
];
pub(super) static PLANAR_BODY: [Leaf; 9] = [
    at("x", "m"),
    at("y", "m"),
    at(HEADING, "rad"),
    rate("vx", "m/s"),
    rate("vy", "m/s"),
    rate("w", "rad/s"),
    accel("ax", "m/s^2"),
    accel("ay", "m/s^2"),
    accel("al", "rad/s^2"),
];
pub(super) static PLANAR_POINT: [Leaf; 6] =
    [at("x", "m"), at("y", "m"), rate("vx", "m/s"), rate("vy", "m/s"), accel("ax", "m/s^2"), accel("ay", "m/s^2")];
pub(super) static PLANAR_WRENCH: [Leaf; 3] = [force("fx", "N"), force("fy", "N"), force("mz", "N*m")];
pub(super) static POINT: [Leaf; 9] = [
    at("x", "m"),
    at("y", "m"),
    at("z", "m"),
    rate("vx", "m/s"),
    rate("vy", "m/s"),
    rate("vz", "m/s"),
    accel("ax", "m/s^2"),
    accel("ay", "m/s^2"),
    accel("az", "m/s^2"),
];
pub(super) static ANGLE: [Leaf; 3] = [at("", "rad"), rate("rate", "rad/s"), accel("accel", "rad/s^2")];
pub(super) static SLIDE: [Leaf; 3] = [at("", "m"), rate("rate", "m/s"), accel("accel", "m/s^2")];
pub(super) static WRENCH: [Leaf; 6] =
    [force("fx", "N"), force("fy", "N"), force("fz", "N"), force("mx", "N*m"), force("my", "N*m"), force("mz", "N*m")];
pub(super) static FORCE: [Leaf; 1] = [force("effort", "N")];
pub(super) static TORQUE: [Leaf; 1] = [force("effort", "N*m")];
pub(super) static TORQUES: [Leaf; 3] = [force("effort.x", "N*m"), force("effort.y", "N*m"), force("effort.z", "N*m")];
pub(super) static ENERGY: [Leaf; 3] = [other("kinetic", "J"), other("potential", "J"), other("total", "J")];
pub(super) static BALANCE: [Leaf; 2] = [other("work", "J"), other("drift", "J")];
pub(super) static BODY_FIGURES: [Leaf; 5] =
    [rate("speed", "m/s"), accel("acceleration", "m/s^2"), at("roll", "rad"), at("pitch", "rad"), at("yaw", "rad")];
pub(super) static PLANAR_BODY_FIGURES: [Leaf; 2] = [rate("speed", "m/s"), accel("acceleration", "m/s^2")];
pub(super) static PLANAR_SYSTEM: [Leaf; 5] =
    [at("com.x", "m"), at("com.y", "m"), rate("px", "kg*m/s"), rate("py", "kg*m/s"), rate("lz", "kg*m^2/s")];
pub(super) static POINT_FIGURES: [Leaf; 2] = [rate("speed", "m/s"), accel("acceleration", "m/s^2")];
pub(super) static RESULTANT: [Leaf; 1] = [force("force", "N")];
pub(super) static AXIAL: [Leaf; 1] = [force("axial", "N")];
/// What resists a joint's first coordinate, and whether it is stuck.
pub(super) static FRICTION_TORQUE: [Leaf; 2] = [force(FRICTION, "N*m"), other("stuck", "1")];
pub(super) static FRICTION_FORCE: [Leaf; 2] = [force(FRICTION, "N"), other("stuck", "1")];
/// What a driver's effort is worth beside friction.
pub(super) static EFFICIENCY: [Leaf; 1] = [force("efficiency", "1")];
/// Efforts between which friction holds.
pub(super) static HOLD_TORQUE: [Leaf; 2] = [force("hold.lower", "N*m"), force("hold.upper", "N*m")];
pub(super) static HOLD_FORCE: [Leaf; 2] = [force("hold.lower", "N"), force("hold.upper", "N")];
/// How far a contact is from touching, and what presses and rubs where it does.
pub(super) static GAPS: [Leaf; 1] = [at(GAP, "m")];
pub(super) static CONTACT: [Leaf; 2] = [force("normal", "N"), force("tangent", "N")];
pub(super) static POWER: [Leaf; 1] = [force("power", "W")];
pub(super) static CAM_FIGURES: [Leaf; 3] =
    [at("contact_radius", "m"), at("pressure_angle", "rad"), at("curvature_radius", "m")];
pub(super) static SYSTEM: [Leaf; 9] = [
    at("com.x", "m"),
    at("com.y", "m"),
    at("com.z", "m"),
    rate("px", "kg*m/s"),
    rate("py", "kg*m/s"),
    rate("pz", "kg*m/s"),
    rate("lx", "kg*m^2/s"),
    rate("ly", "kg*m^2/s"),
    rate("lz", "kg*m^2/s"),
];
pub(super) static CENTRE: [Leaf; 6] = [
    rate("centre.x", "m"),
    rate("centre.y", "m"),
    rate("centre.z", "m"),
    rate("centre.local.x", "m"),
    rate("centre.local.y", "m"),
    rate("centre.local.z", "m"),
];
pub(super) static PLANAR_CENTRE: [Leaf; 4] =
    [rate("centre.x", "m"), rate("centre.y", "m"), rate("centre.local.x", "m"), rate("centre.local.y", "m")];
pub(super) static INFLECTION: [Leaf; 4] = [
    accel("inflection.diameter", "m"),
    accel("inflection.x", "m"),
    accel("inflection.y", "m"),
    accel("inflection.z", "m"),
];
pub(super) static PLANAR_INFLECTION: [Leaf; 3] =
    [accel("inflection.diameter", "m"), accel("inflection.x", "m"), accel("inflection.y", "m")];
pub(super) static BEND: [Leaf; 5] = [
    accel("curvature", "1/m"),
    accel("radius", "m"),
    accel("evolute.x", "m"),
    accel("evolute.y", "m"),
    accel("evolute.z", "m"),
];
pub(super) static PLANAR_BEND: [Leaf; 4] =
    [accel("curvature", "1/m"), accel("radius", "m"), accel("evolute.x", "m"), accel("evolute.y", "m")];
pub(super) static TRANSMISSION: [Leaf; 1] = [at("transmission", "rad")];
/// Ratio and advantage of an output against an input, both angles or both lengths; a length against an angle; an angle against a length.
pub(super) static RATIO: [Leaf; 2] = [rate("ratio", "1"), rate("advantage", "1")];
pub(super) static LENGTH_RATIO: [Leaf; 2] = [rate("ratio", "m"), rate("advantage", "1/m")];
pub(super) static ANGLE_RATIO: [Leaf; 2] = [rate("ratio", "1/m"), rate("advantage", "m")];
pub(super) static TIME: [Leaf; 1] = [other("", "s")];
pub(super) static NUMBER: [Leaf; 1] = [other("", "1")];
pub(super) static EIGENVALUE: [Leaf; 5] = [
    other("mode", "1"),
    other("frequency", "Hz"),
    other("damping", "1"),
    other("real", "1/s"),
    other("imaginary", "rad/s"),
];
pub(super) static SHAPE: [Leaf; 2] = [other("re", "1"), other("im", "1")];

/// The leaf of a derived signal of that unit. Each is kept once for the life of the program: units are a few.
pub(super) fn derived(unit: &'static str) -> &'static [Leaf] {
    static LEAVES: Mutex<Vec<&'static [Leaf; 1]>> = Mutex::new(Vec::new());
    let mut leaves = LEAVES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = leaves.iter().find(|known| known[0].unit == unit) {
        return *known;
    }
    let kept: &'static [Leaf; 1] = Box::leak(Box::new([other("", unit)]));
    leaves.push(kept);
    kept
}
