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
[bodies.top]
mass = 1
inertia = [0.1, 0.1, 0.1]
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

/// A bar of a planar model.
const BAR: &str = r#"
planar = true
[bodies.bar]
[joints.O]
type = "revolute"
bodies = ["ground", "bar"]
at = [0, 0]
[drivers.motor]
joint = "O"
value = "t"
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
}

/// Every signal.
pub fn page() -> Result<String> {
    let mut signals: Vec<Signal> = Vec::new();
    for (word, analysis) in Analysis::ALL {
        let machines = match analysis {
            Analysis::Kinematics => vec![MACHINE.to_string(), BAR.to_string()],
            Analysis::InverseDynamics => vec![MACHINE.to_string()],
            Analysis::Statics | Analysis::Dynamics => vec![MACHINE.to_string(), PENDULUM.to_string()],
            Analysis::Modes | Analysis::StateSpace => vec![hanging()],
        };
        for text in machines {
            let options = Options { analysis: Some(analysis), singularity: true, ..Options::default() };
            let source = Source::new("example", text);
            let mut model = Document::from_toml(&source)?.model(&options)?;
            if analysis == Analysis::Kinematics {
                model.study.singular = biela::model::Singular::Damp;
            }
            let results = biela::solve::run::run(&model, "absolute", METHODS[0], |_, _| true)?;
            for column in &results.columns {
                let pattern = general(&model, &column.name);
                let place = signals.iter().position(|s| s.pattern == pattern).unwrap_or(signals.len());
                if place == signals.len() {
                    signals.push(Signal { pattern, units: Vec::new(), analyses: Vec::new() });
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
    let mut rows: Vec<Vec<String>> = Vec::new();
    for signal in &signals {
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
    text.push_str(&table(&["signal", "meaning", "unit", "analyses"], rows));
    text.push_str("\nReactions are what the first body exerts on the second, at the joint point of the second: the constraint's part alone, without\nsprings, friction and drivers of the joint. Which of them are unique is told in the notes ([Forces](../model.md#forces)).\n");
    Ok(text)
}

/// A column's name with its elements' names replaced by what they are.
fn general(model: &Model, name: &str) -> String {
    let Some(signal) = signal::Signal::parse(model, name) else { return name.to_string() };
    let element = match signal.element {
        Element::Body(_) => "<body>".to_string(),
        Element::Point(..) => signal_name::join("<body>", "<point>"),
        Element::Coordinate(..) | Element::Shape(..) => signal_name::join("<joint>", "<coordinate>"),
        Element::Reaction(_) => "<joint>".to_string(),
        Element::LocalReaction(_) => signal_name::local("<joint>"),
        Element::Limit(_) => signal_name::limit("<joint>"),
        Element::Coupling(_) => "<coupling>".to_string(),
        Element::Driver(_) => "<driver>".to_string(),
        Element::StateMatrix(..) => return "A.<row>.<column>".to_string(),
        _ => return name.to_string(),
    };
    signal_name::join(&element, signal.leaf.word)
}

/// What a pattern stands for.
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
        "<coupling>.effort" => "effort along the coupling's last coordinate",
        "<joint>.limit.effort" => "what a joint limit exerts along its coordinate",
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
            _ => return None,
        },
        _ => return None,
    })
}
