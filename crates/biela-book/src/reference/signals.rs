//! Columns of results: gathered from runs of every analysis, with names of elements put generally.

use super::{code, table, title};
use biela::error::{Error, Result};
use biela::model::{Analysis, Model};
use biela::signal::{self, Element};
use biela::signal_name;
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::text::{Document, Options};

/// A machine with an element of every sort.
const MACHINE: &str = r#"
gravity = [0, -9.81, 0]
[bodies.crank]
mass = 1
inertia = [0.1, 0.1, 0.1]
points = { B = [1, 0, 0] }
[bodies.wheel]
mass = 1
inertia = [0.1, 0.1, 0.1]
shape = { type = "sphere", radius = 1 }
[bodies.top]
mass = 1
inertia = [0.1, 0.1, 0.1]
[bodies.ground]
shape = { type = "plane", normal = [0, 1, 0], at = [0, -9, 0] }
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], [0, 0, 0]]
axis = "z"
[joints.rail]
type = "prismatic"
bodies = ["ground", "wheel"]
at = [[3, 0, 0], [0, 0, 0]]
axis = "x"
[joints.ball]
type = "spherical"
bodies = ["ground", "top"]
at = [[6, 0, 0], [0, 0, 0]]
[joints.stay]
type = "distance"
bodies = ["ground", "crank"]
at = [[0, 0, 0], "B"]
length = 1
[contacts.floor]
bodies = ["ground", "wheel"]
stiffness = 1
[couplings.rack]
type = "rack"
joints = ["O", "rail"]
radius = 1
[drivers.motor]
joint = "O"
value = "t"
[drivers.hold]
body = "top"
orientation = [0, 0, "t"]
[run]
end = 0.01
steps = 2
"#;

/// A linkage in a plane.
const LINKAGE: &str = r#"
gravity = [0, -9.81, 0]
[bodies.crank]
mass = 1
inertia = [0.1, 0.1, 0.1]
[bodies.rod]
mass = 1
inertia = [0.1, 0.1, 0.1]
points = { G = [2, 0.3, 0] }
[bodies.piston]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [0, 0, 0]
axis = "z"
[joints.B]
type = "revolute"
bodies = ["crank", "rod"]
at = [1, 0.5, 0]
axis = "z"
[joints.C]
type = "revolute"
bodies = ["rod", "piston"]
at = [4, 0, 0]
axis = "z"
[joints.guide]
type = "prismatic"
bodies = ["ground", "piston"]
at = [4, 0, 0]
axis = "x"
[drivers.motor]
joint = "O"
value = "t"
[run]
end = 0.01
steps = 2
"#;

/// A bar of a planar model.
const BAR: &str = r#"
planar = true
[bodies.bar]
[joints.O]
type = "revolute"
bodies = ["ground", "bar"]
at = [0, 0]
[bodies.follower]
[joints.guide]
type = "prismatic"
bodies = ["ground", "follower"]
at = [0, 2]
axis = "y"
[couplings.cam]
type = "cam"
joints = ["O", "guide"]
profile = "0.1*sin(angle)"
base = 1
[drivers.motor]
joint = "O"
value = "t"
[run]
end = 0.01
steps = 2
"#;

/// A wheel whose angle is prescribed, and whose joint bears it.
const BORNE: &str = r#"
gravity = [0, 0, 0]
[bodies.wheel]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.O]
type = "revolute"
bodies = ["ground", "wheel"]
at = [[0, 0, 0], [0, 0, 0]]
axis = "z"
[drivers.turn]
angle = "wheel.yaw"
value = "t"
effort = ["O"]
[run]
end = 0.01
steps = 2
"#;

/// A pendulum at x = 1, with limits.
const PENDULUM: &str = r#"
gravity = [0, -9.81, 0]
[bodies.bob]
mass = 1
inertia = [0.1, 0.1, 0.1]
com = [1, 0, 0]
[joints.O]
type = "revolute"
bodies = ["ground", "bob"]
at = [[0, 0, 0], [0, 0, 0]]
axis = "z"
limits = { lower = "-30 deg", upper = "30 deg" }
[run]
end = 0.01
steps = 2
"#;

/// The same under gravity along x and without limits: it hangs at rest.
fn hanging() -> String {
    let upright = PENDULUM.replace("[0, -9.81, 0]", "[9.81, 0, 0]");
    upright.lines().filter(|line| !line.starts_with("limits")).collect::<Vec<_>>().join("\n")
}

/// A pattern of names, with its units and the analyses that have it.
struct Signal {
    pattern: String,
    units: Vec<&'static str>,
    analyses: Vec<&'static str>,
    on_request: bool,
}

/// Every signal.
pub fn page() -> Result<String> {
    let mut signals: Vec<Signal> = Vec::new();
    for (word, analysis) in Analysis::ALL {
        let machines = match analysis {
            Analysis::Kinematics => vec![MACHINE.to_string(), LINKAGE.to_string(), BAR.to_string()],
            Analysis::InverseDynamics => vec![MACHINE.to_string(), LINKAGE.to_string(), BORNE.to_string()],
            Analysis::Statics | Analysis::Dynamics => {
                vec![MACHINE.to_string(), LINKAGE.to_string(), BORNE.to_string(), PENDULUM.to_string()]
            }
            Analysis::Modes | Analysis::StateSpace => vec![hanging()],
        };
        for text in machines {
            let options = Options { analysis: Some(analysis), singularity: true, ..Options::default() };
            let source = Source::new("example", text);
            let mut model = Document::from_toml(&source)?.model(&options)?;
            if analysis == Analysis::Kinematics {
                model.study.singular = biela::model::Singular::Damp;
            }
            model.study.every = true;
            let results = biela::solve::run::run(&model, "absolute", METHODS[0], |_, _| true)?;
            for column in &results.columns {
                let pattern = general(&model, &column.name);
                let place = signals.iter().position(|s| s.pattern == pattern).unwrap_or(signals.len());
                if place == signals.len() {
                    let read = signal::Signal::parse(&model, &column.name);
                    let on_request = read.is_some_and(|s| s.is_on_request());
                    signals.push(Signal { pattern, units: Vec::new(), analyses: Vec::new(), on_request });
                }
                let signal = &mut signals[place];
                if !signal.units.contains(&column.unit) {
                    signal.units.push(column.unit);
                }
                if !signal.analyses.contains(&word) {
                    signal.analyses.push(word);
                }
            }
        }
    }
    let mut text = title(
        "Signals",
        "Columns of results, in SI units and ground axes, as runs of every analysis have them. `--signals` takes a name, an element (all its\nsignals) or a pattern (`*.x`). `t` always stays.",
    );
    let head = ["signal", "meaning", "unit", "analyses"];
    text.push_str(&table(&head, rows(signals.iter().filter(|s| !s.on_request))?));
    text.push_str("\nReactions are what the first body exerts on the second, at the joint point of the second: the constraint's part alone, without\nsprings, friction and drivers of the joint. Which of them are unique is told in the notes ([Forces](../model.md#forces)).\n");
    text.push_str("\n## On request\n\nNo columns of a full run: told where they are asked for by name, in `--signals`, `--measure`, `plot`, `[signals]`, sweeps and\noptimisations. A name of an element or a pattern reaches them where it fits no column of a full run: `ground`, `*.speed`.\n");
    text.push_str(&table(&head, rows(signals.iter().filter(|s| s.on_request))?));
    text.push_str("\nMagnitudes are those of vectors in space. Roll, pitch and yaw are turns about the fixed axes x, y and z in that order, as in URDF, roll and yaw in\n(−π, π]; where the pitch is a right angle roll is 0. The ground bears what joints, drivers and loads exert on it, so that its force is the weight less\nthe rate of momentum where no load acts from outside. A model whose own element is called `system` or `ground` has that element's signals instead.\nInstant centres, inflection circles and transmission angles are told of mechanisms in a plane, `planar = true` or not ([Read a linkage](../how-to/linkage.md)); names of two bodies are in the order of\nthe model, the ground first. Infinite values are infinite, `NaN` is what nothing determines: a centre of links that stand still, the bend of a path at its cusp.\nSignals that a model makes of others are the last columns of a full run: [`[signals]`](../model.md#signals).\n");
    Ok(text)
}

/// Lines of a table.
fn rows<'s>(signals: impl Iterator<Item = &'s Signal>) -> Result<Vec<Vec<String>>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for signal in signals {
        let meaning = meaning(&signal.pattern)
            .ok_or_else(|| Error::new(format!("the signal '{}' has no meaning in the reference", signal.pattern)))?;
        let all = signal.analyses.len() >= 4 || meaning.contains("planar models");
        let analyses = if all { "every motion".to_string() } else { signal.analyses.join(", ") };
        let row = vec![code(&signal.pattern), meaning.to_string(), signal.units.join(" or "), analyses];
        match rows.last_mut() {
            // Components share a line.
            Some(last) if last[1..] == row[1..] => {
                let leaf = signal.pattern.rsplit('.').next().unwrap_or("");
                last[0] += &format!(" `.{leaf}`");
            }
            _ => rows.push(row),
        }
    }
    Ok(rows)
}

/// A column's name with its elements' names replaced by what they are.
fn general(model: &Model, name: &str) -> String {
    let Some(signal) = signal::Signal::parse(model, name) else { return name.to_string() };
    let element = match signal.element {
        Element::Body(_) | Element::BodyFigures(_) | Element::Inflection(_) => "<body>".to_string(),
        Element::Point(..) | Element::PointFigures(..) | Element::Bend(..) => signal_name::join("<body>", "<point>"),
        Element::Coordinate(..) | Element::Shape(..) | Element::Advantage(..) => {
            signal_name::join("<joint>", "<coordinate>")
        }
        Element::Centre(_) => signal_name::join("<body>", "<body>"),
        Element::Reaction(_)
        | Element::Resultant(_)
        | Element::Axial(_)
        | Element::Transmission(_)
        | Element::Friction(_) => "<joint>".to_string(),
        Element::Borne(..) | Element::BornePower(..) => "<joint>".to_string(),
        Element::Gap(_) | Element::Contact(_) => "<contact>".to_string(),
        Element::LocalReaction(_) => signal_name::local("<joint>"),
        Element::Limit(_) => signal_name::limit("<joint>"),
        Element::Coupling(_) | Element::CamFigures(_) => "<coupling>".to_string(),
        Element::Driver(_) | Element::Power(_) | Element::Efficiency(_) | Element::Hold(_) => "<driver>".to_string(),
        Element::StateMatrix(..) => return "A.<row>.<column>".to_string(),
        _ => return name.to_string(),
    };
    signal_name::join(&element, signal.leaf.word)
}

/// What a pattern stands for.
// Long: a line for each pattern.
fn meaning(pattern: &str) -> Option<&'static str> {
    let leaf = pattern.rsplit('.').next().unwrap_or("");
    let of_point = pattern.starts_with("<body>.<point>");
    Some(match pattern {
        "t" => "time",
        "residual" => "largest scaled constraint violation",
        "mode" => "assembly mode: signs of its parts as bits",
        "singularity" => "distance to singularity, where asked for",
        "lag" => "how far drivers are from what they ask, with `singular = \"damp\"`",
        "mode_number" => "number of the natural mode",
        "energy.kinetic" => "kinetic energy",
        "energy.potential" => "potential energy of gravity and springs",
        "energy.total" => "their sum",
        "energy.work" => "work of everything without potential",
        "energy.drift" => "energy less work less energy at the start",
        "frequency" => "natural frequency",
        "damping" => "damping ratio",
        "real" | "imaginary" => "part of the eigenvalue",
        "A.<row>.<column>" => "entry of the state-space matrix",
        "<driver>.effort" => "force or torque that the driver supplies",
        "<driver>.effort.x" | "<driver>.effort.y" | "<driver>.effort.z" => "torque of an orientation driver",
        "<joint>.effort" => "force or torque that the joint bears in the place of drivers that name it in `effort`",
        "<joint>.power" => "power that it gives to the mechanism so",
        "<coupling>.effort" => "effort along the coupling's last coordinate",
        "<coupling>.contact_radius" => "distance of a cam's contact with its roller from the cam's axis",
        "<coupling>.pressure_angle" => "angle from the follower's direction to the common normal there",
        "<coupling>.curvature_radius" => "radius of curvature of the cam's profile there, negative where it is hollow",
        "<contact>.gap" => "least distance of the shapes that may touch, negative by the depth of an overlap",
        "<contact>.normal" => "what presses in a contact: the sum over its points",
        "<contact>.tangent" => "what rubs in a contact: the size of the sum over its points",
        "<joint>.limit.effort" => "what a joint limit exerts along its coordinate",
        "<driver>.power" => "power that the driver gives to the mechanism: effort times rate",
        "<joint>.friction" => "force or torque of friction along the joint's first coordinate, and of what holds it while it is stuck",
        "<joint>.stuck" => "1 while friction holds the joint, else 0",
        "<driver>.efficiency" => {
            "what a driver's effort is worth beside friction: the ideal effort as a share of its own where it drives, the reverse where it is driven"
        }
        "<driver>.hold.lower" | "<driver>.hold.upper" => "efforts between which friction holds, in statics",
        "<joint>.force" => "magnitude of the reaction force",
        "<joint>.axial" => "tension of a rod, distance or actuator, negative where it pushes",
        "<joint>.transmission" => "transmission angle, at most 90°: a right angle less the pressure angle",
        "<joint>.<coordinate>.ratio" => "rate of an output over that of the only driver",
        "<joint>.<coordinate>.advantage" => {
            "mechanical advantage: force or torque out over that in, the reverse of the ratio"
        }
        _ if pattern.starts_with("<body>.<body>.centre.local.") => {
            "the same in the second body's frame: the moving pole curve"
        }
        _ if pattern.starts_with("<body>.<body>.centre.") => "instant centre of two links of a planar linkage",
        "<body>.inflection.diameter" => "diameter of the inflection circle of a body in a plane",
        _ if pattern.starts_with("<body>.inflection.") => {
            "inflection pole, on the circle opposite to the instant centre"
        }
        "<body>.<point>.curvature" => "curvature of a point's path; in planar models positive to the left",
        "<body>.<point>.radius" => "radius of curvature",
        _ if pattern.starts_with("<body>.<point>.evolute.") => "centre of curvature",
        "ground.fx" | "ground.fy" | "ground.fz" => "force of joints, drivers and loads on the ground",
        "ground.mx" | "ground.my" | "ground.mz" => {
            "their moment about the ground's origin, or about `moment_point` of `[run]`"
        }
        "system.com.x" | "system.com.y" | "system.com.z" => "mass centre of the whole mechanism",
        "system.px" | "system.py" | "system.pz" => "its momentum",
        "system.lx" | "system.ly" | "system.lz" => "its angular momentum about the ground's origin",
        "<joint>.<coordinate>" => "joint coordinate",
        "<joint>.<coordinate>.rate" => "its rate",
        "<joint>.<coordinate>.accel" => "its second derivative",
        "<joint>.<coordinate>.re" | "<joint>.<coordinate>.im" => "part of the mode's shape",
        _ if pattern.starts_with("<joint>.local.f") => "reaction force, in the second body's axes",
        _ if pattern.starts_with("<joint>.local.m") => "reaction moment, in the second body's axes",
        _ if pattern.starts_with("<joint>.f") => "reaction force",
        _ if pattern.starts_with("<joint>.m") => "reaction moment",
        _ if pattern.starts_with("<body>.") => match leaf {
            "x" | "y" | "z" if of_point => "position of a named point",
            "x" | "y" | "z" => "position of the body frame's origin",
            "e0" | "e1" | "e2" | "e3" => "Euler parameters, scalar first, continuous in time",
            "vx" | "vy" | "vz" => "its velocity",
            "ax" | "ay" | "az" => "its acceleration",
            "angle" => "angle about z, turns counted (planar models, in place of `.e0` …)",
            "wx" | "wy" | "wz" => "angular velocity",
            "w" => "angular velocity about z (planar models)",
            "alx" | "aly" | "alz" => "angular acceleration",
            "al" => "angular acceleration about z (planar models)",
            "speed" => "magnitude of its velocity",
            "acceleration" => "magnitude of its acceleration",
            "roll" | "pitch" | "yaw" => "its attitude as turns about fixed axes",
            _ => return None,
        },
        _ => return None,
    })
}
