//! Words of the model file: joints, couplings, drivers, motion laws, loads, functions, units, and those of sweeps.

use super::{code, codes, table, title};
use biela::couplings::{CouplingKey, COUPLINGS};
use biela::drivers;
use biela::error::Result;
use biela::expr::FUNCTIONS;
use biela::joints::{self, in_plane, InPlane, Joint, JointKind, Key, Space, NORMAL};
use biela::loads::{self, LoadKey};
use biela::math::{Pose, Rotation, Vec3};
use biela::motion::LAWS;
use biela::plan::{DISTRIBUTIONS, REDUCTIONS, SAMPLINGS};
use biela::source::Source;
use biela::text::{Document, Options};
use biela::units::UNITS;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A line of a model for a key of a joint, and what it is.
fn key_of_joint(key: Key) -> (&'static str, &'static str) {
    match key {
        Key::At => ("at = [[0, 0, 0], [0, 0, 0]]", "the joint point: a pair, one entry per body in its own frame (a vector or the name of a point), or one vector of the drawing"),
        Key::Axis => ("axis = \"z\"", "the axis: a pair of vectors, or one vector of the drawing; with it `x`, the direction from which angles count, and `zero`"),
        Key::OptionalAxis => ("axis = \"z\"", "as above; may be left out"),
        Key::Axis2 => ("axis2 = \"x\"", "the axis in the second body, perpendicular to `axis`, one vector of the drawing"),
        Key::Pitch => ("pitch = \"4 mm\"", "length per turn: slide = pitch · angle/2π"),
        Key::Length => ("length = \"300 mm\"", "the distance, which may depend on `t`; `value` means the same"),
        Key::Value => ("value = 0", "a number, which may depend on `t`"),
        Key::LengthValue => ("value = \"20 mm\"", "a length, which may depend on `t`"),
        Key::APair => ("a = [[1, 0, 0], [0, 1, 0]]", "directions: a pair, or one vector of the drawing"),
        Key::A => ("a = [1, 0, 0]", "a direction in the first body's frame"),
        Key::Compliance => ("stiffness = [1e6, 1e6, 1e6, 100, 100, 100]", "effort per length or angle along each coordinate; with it `damping` and `preload`, lists as long (three in a planar model: x, y, angle)"),
        Key::Along => ("along = \"x\"", "`\"x\"`, `\"y\"`, `\"z\"` or a vector of ground axes"),
    }
}

/// A joint of that kind as a model has it.
fn example(kind: &dyn JointKind) -> String {
    let mut text = format!("[joints.J]\ntype = \"{}\"\nbodies = [\"ground\", \"link\"]\n", kind.keyword());
    for key in kind.keys() {
        let _ = writeln!(text, "{}", key_of_joint(*key).0);
    }
    text
}

/// Which shipped models use which joint types.
fn users(root: &Path) -> Result<BTreeMap<&'static str, Vec<String>>> {
    let mut used: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let mut files: Vec<_> = std::fs::read_dir(root.join("models"))
        .map_err(|e| biela::Error::new(e.to_string()))?
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    for file in files {
        let options = Options { unphysical: true, ..Options::default() };
        let model = Document::read(&file, &options)?.model(&options)?;
        let name = file.file_stem().map(|s| s.to_string_lossy().to_string()).unwrap_or_default();
        for joint in &model.joints {
            let models = used.entry(joint.kind.keyword()).or_default();
            if models.last() != Some(&name) {
                models.push(name.clone());
            }
        }
    }
    Ok(used)
}

/// Equations of a joint type in a planar model, if it has a place there.
fn planar_equations(kind: &'static dyn JointKind) -> Option<usize> {
    let axis = match in_plane(kind) {
        InPlane::Normal => NORMAL,
        InPlane::Along => Vec3::X,
        InPlane::Leaves(_) => return None,
    };
    // Where z lies in the plane, y is its normal.
    let rotation = Rotation::from_z_x(axis, NORMAL.cross(axis)).unwrap_or(Rotation::IDENTITY);
    let frames = [Pose::new(rotation, Vec3::ZERO); 2];
    let directions = [Vec3::X, Vec3::Y];
    Some(Joint { space: Space::Planar, frames, directions, ..Joint::example(kind) }.rows().len())
}

/// The same in words.
fn in_a_plane(kind: &'static dyn JointKind) -> String {
    match (in_plane(kind), planar_equations(kind)) {
        (InPlane::Leaves(advice), _) => format!("; none in a planar model: {advice}"),
        (_, rows) => format!("; in a planar model {} and {}", rows.unwrap_or(0), 3 - rows.unwrap_or(0)),
    }
}

/// Joints and couplings.
pub fn joints(root: &Path) -> Result<String> {
    let mut text = title(
        "Joints and couplings",
        "Every word after `type =` in `[joints.NAME]` and `[couplings.NAME]`. What the common keys mean in full, and how coordinates count,\nis in [The model file](../model.md#jointsname).",
    );
    let used = users(root)?;
    let mut details = String::new();
    let mut rows = Vec::new();
    for kind in joints::all() {
        let example = example(kind);
        let source = Source::new("example", format!("[bodies]\nlink = {{}}\n{example}"));
        let model = Document::from_toml(&source)?.model(&Options::default())?;
        let joint = &model.joints[0];
        let equations = kind.rows(joint).len();
        rows.push(vec![
            format!("[`{0}`](#{0})", kind.keyword()),
            kind.help().split(';').next().unwrap_or("").to_string(),
            (6 - equations).to_string(),
            planar_equations(kind).map_or("–".to_string(), |rows| (3 - rows).to_string()),
            codes(kind.coordinates().iter().map(|c| c.name)),
        ]);
        let _ = write!(details, "\n### `{}`\n{}.\n\n", kind.keyword(), sentence(kind.help()));
        let _ = write!(details, "```toml\n{example}```\n");
        let _ = write!(details, "{} equations, {} freedoms left{}.", equations, 6 - equations, in_a_plane(kind));
        if !kind.coordinates().is_empty() {
            let list = kind.coordinates().iter().map(|c| {
                format!("`{}` ({})", c.name, if c.angle { "angle, counted over full turns" } else { "length" })
            });
            let _ = write!(details, " Coordinates: {}.", list.collect::<Vec<_>>().join(", "));
        }
        let tree = if kind.hinge().is_some() {
            "It can carry a tree"
        } else {
            "It cannot carry a tree: in relative coordinates it closes loops"
        };
        let _ = writeln!(details, " {tree}.");
        details.push_str(&table(
            &["key", "what"],
            kind.keys().iter().map(|k| {
                let (line, what) = key_of_joint(*k);
                vec![code(line.split(' ').next().unwrap_or("")), what.to_string()]
            }),
        ));
        if let Some(models) = used.get(kind.keyword()) {
            let some: Vec<String> = models.iter().take(6).map(|m| format!("[{m}](../../models/{m}.toml)")).collect();
            let _ = writeln!(
                details,
                "\nUsed in {}{}.",
                some.join(", "),
                if models.len() > 6 { " and others" } else { "" }
            );
        }
    }
    text.push_str(&table(&["type", "what it is", "freedoms", "in a plane", "coordinates"], rows));
    text.push_str("\nBesides its own keys every joint takes `type`, `bodies` and `limits`.\n\n## Joints one by one\n");
    text.push_str(&details);
    couplings(&mut text);
    Ok(text)
}

fn couplings(text: &mut String) {
    text.push_str("\n## Couplings\nEquations between joint coordinates.\n");
    text.push_str(&table(
        &["type", "what it is", "keys"],
        COUPLINGS.iter().map(|kind| {
            vec![
                code(kind.keyword()),
                kind.help().to_string(),
                codes(kind.keys().iter().map(|k| key_of_coupling(*k).0)),
            ]
        }),
    ));
    let keys = [
        CouplingKey::Joints,
        CouplingKey::Ratio,
        CouplingKey::Teeth,
        CouplingKey::Internal,
        CouplingKey::Carrier,
        CouplingKey::Radii,
        CouplingKey::Crossed,
        CouplingKey::Radius,
        CouplingKey::Offset,
        CouplingKey::Profile,
        CouplingKey::Segments,
        CouplingKey::Base,
        CouplingKey::Roller,
        CouplingKey::Eccentricity,
        CouplingKey::Value,
    ];
    text.push_str(&table(
        &["key", "what"],
        keys.map(|k| {
            let (name, what) = key_of_coupling(k);
            vec![code(name), what.to_string()]
        }),
    ));
}

fn key_of_coupling(key: CouplingKey) -> (&'static str, &'static str) {
    match key {
        CouplingKey::Joints => {
            ("joints", "two joints, or joint coordinates such as `\"A.slide\"`; the second depends on the first")
        }
        CouplingKey::Ratio => ("ratio", "second per first"),
        CouplingKey::Teeth => {
            ("teeth", "`[z1, z2]`, in the place of `ratio`: teeth of the wheels in the order of `joints`")
        }
        CouplingKey::Internal => ("internal", "`true` where one wheel lies within the other; with `teeth`; optional"),
        CouplingKey::Carrier => {
            ("carrier", "the body that carries both axes; optional where the two joints have a body in common")
        }
        CouplingKey::Radii => ("radii", "`[r1, r2]` of the pulleys in the order of `joints`"),
        CouplingKey::Crossed => ("crossed", "`true` where the belt turns its pulleys against each other; optional"),
        CouplingKey::Radius => ("radius", "length per angle"),
        CouplingKey::Offset => ("offset", "second coordinate where the first is zero; optional"),
        CouplingKey::Profile => (
            "profile",
            "second coordinate as a function of the first: an expression in `angle`, a table or a motion law",
        ),
        CouplingKey::Segments => (
            "segments",
            "in place of `profile`, rises, returns and dwells that fill a turn: `[{ law = \"cycloidal\", to = \"10 mm\", over = \"90 deg\" }, { dwell = \"60 deg\" }, …]`",
        ),
        CouplingKey::Base => ("base", "radius of the cam's base circle, on which the roller stands where the second coordinate is zero; optional"),
        CouplingKey::Roller => ("roller", "radius of the follower's roller; a knife edge without it"),
        CouplingKey::Eccentricity => ("eccentricity", "how far the follower's line passes the cam's axis, to the right of its direction; optional"),
        CouplingKey::Value => ("value", "an expression of joint coordinates and `t` that must vanish"),
    }
}

/// Help texts start small and end bare; a sentence does not.
fn sentence(help: &str) -> String {
    let mut letters = help.chars();
    letters.next().map_or(String::new(), |c| c.to_uppercase().chain(letters).collect())
}

/// Drivers and motion laws.
pub fn drivers() -> String {
    let mut text = title(
        "Drivers and motion laws",
        "What `[drivers.NAME]` may prescribe. The first key selects the kind; `value` is an expression of `t`, a table or a law\n([The model file](../model.md#driversname)).",
    );
    text.push_str(&table(
        &["key", "what it does", "required beside it", "optional"],
        drivers::all()
            .iter()
            .map(|d| vec![code(d.key()), d.help().to_string(), codes(d.others(true)), codes(d.others(false))]),
    ));
    text.push_str("\nAny of them may have `effort = [\"A\", \"B\"]`: joints that bear it ([The model file](../model.md#driversname)).\n");
    text.push_str("\n## Motion laws\n`{ law = \"cycloidal\", from = 0, to = \"90 deg\", start = 0, end = 1 }`: a rise with a dwell before and after. Over the rise τ goes\nfrom 0 to 1; the greatest values of s′ and s″ are those of a unit rise in unit time.\n");
    text.push_str(&table(
        &["law", "what it does", "greatest s′", "greatest s″"],
        LAWS.iter().map(|law| {
            let jets = (0..=20_000).map(|k| (law.function)(f64::from(k) / 20_000.0));
            let (mut rate, mut acceleration) = (0.0_f64, 0.0_f64);
            for jet in jets {
                rate = rate.max(jet.d.abs());
                acceleration = acceleration.max(jet.dd.abs());
            }
            vec![code(law.keyword), law.help.to_string(), format!("{rate:.3}"), format!("{acceleration:.3}")]
        }),
    ));
    text
}

/// Loads.
pub fn loads() -> String {
    let mut text = title(
        "Loads",
        "Every word after `type =` in `[forces.NAME]`. Values are expressions of `t`, parameters, joint coordinates and their rates.\nGravity is `gravity` at the top of the model. Signs and laws are in [The model file](../model.md#forcesname).",
    );
    for load in loads::all() {
        let _ = write!(text, "\n## `{}`\n{}.\n", load.keyword(), sentence(load.help()));
        text.push_str(&table(
            &["key", "takes", "needed"],
            load.keys().iter().map(|key| {
                let needed = if key.required { "yes" } else { "no" };
                vec![code(key.name), takes(key.takes), needed.to_string()]
            }),
        ));
    }
    text
}

fn takes(key: LoadKey) -> String {
    match key {
        LoadKey::Body => "the name of a body".to_string(),
        LoadKey::Bodies => "the names of two bodies".to_string(),
        LoadKey::Point => "a point of the body: a vector or a name".to_string(),
        LoadKey::Points => "a pair of points, one of each body".to_string(),
        LoadKey::Joint => "the name of a joint or rotor".to_string(),
        LoadKey::Coordinate => "a coordinate of the joint, where it has several".to_string(),
        LoadKey::Word(words) => codes(words),
        LoadKey::Vector(dimension) => format!("a vector: {dimension}"),
        LoadKey::Scalar(quantity) => {
            let (angle, length) = (quantity.dimension(true).to_string(), quantity.dimension(false).to_string());
            if angle == length {
                angle
            } else {
                format!("{angle}; along a length: {length}")
            }
        }
    }
}

/// Functions and units of expressions.
pub fn expressions() -> String {
    let mut text = title(
        "Functions and units",
        "What expressions may use. Operators, names and rules are in [The model file](../model.md#numbers).\n\n## Functions",
    );
    text.push_str(&table(
        &["function", "value"],
        FUNCTIONS.iter().map(|f| vec![code(f.signature()), f.help.to_string()]),
    ));
    text.push_str("\nFirst and second derivatives of all of them are exact.\n\n## Units\n");
    let mut kinds: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for unit in UNITS {
        let kind = unit.dimension.to_string();
        let row = vec![code(unit.name), unit.help.to_string(), format!("{}", unit.factor / unit.per)];
        match kinds.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, rows)) => rows.push(row),
            None => kinds.push((kind, vec![row])),
        }
    }
    for (kind, rows) in kinds {
        let _ = write!(text, "\n### {}\n", sentence(&kind));
        text.push_str(&table(&["unit", "what it is", "in SI"], rows));
    }
    text
}

/// Distributions, samplings and reductions.
pub fn sweeps() -> String {
    let mut text = title(
        "Distributions, samplings, reductions",
        "Words of `[sweep]` and of [`biela sweep`](../commands.md#sweep).\n\n## Distributions",
    );
    text.push_str(&table(
        &["distribution", "what it is"],
        DISTRIBUTIONS.iter().map(|d| {
            let arguments = d.arguments.iter().map(|a| a.0).collect::<Vec<_>>().join(", ");
            vec![code(format!("{}({arguments})", d.keyword)), d.help.to_string()]
        }),
    ));
    text.push_str("\n## Samplings\n");
    text.push_str(&table(
        &["sampling", "what it does"],
        SAMPLINGS.iter().map(|s| vec![code(s.keyword), s.help.to_string()]),
    ));
    text.push_str("\n## Reductions\nOne number out of a signal, or out of an expression of signals such as `abs(motor.effort)`.\n");
    text.push_str(&table(
        &["reduction", "value"],
        REDUCTIONS.iter().map(|r| vec![code(format!("{}({})", r.keyword, r.arguments.join(", "))), r.help.to_string()]),
    ));
    text
}
