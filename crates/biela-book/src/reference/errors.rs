//! Messages with their causes and cures: of models that are refused, from the messages that tests keep; of runs that end, from
//! runs made here.

use super::{table, title};
use biela::error::{Error, Result};
use biela::model::Analysis;
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::text::{Document, Options};
use std::fmt::Write;
use std::path::Path;

/// Broken models and the messages that they must get, from the root of the repository.
const BROKEN: &str = "crates/biela/tests/broken";

/// Where in a model a message belongs: what the element's first word says, and the heading over it.
const PLACES: &[(&str, &str)] = &[
    ("", "The file as a whole"),
    ("model", "Top level"),
    ("parameter", "Parameters"),
    ("body", "Bodies"),
    ("point", "Points"),
    ("joint", "Joints"),
    ("coupling", "Couplings"),
    ("driver", "Drivers"),
    ("force", "Forces"),
    ("rotor", "Rotors"),
    ("initial", "Initial values"),
    ("event", "Events"),
    ("[initial]", "Initial values"),
    ("[run]", "Run"),
    ("[sweep]", "Sweep"),
    ("[arm]", "Arm"),
];

/// A message taken apart.
struct Message {
    element: String,
    what: String,
    cause: String,
    cure: Vec<String>,
}

/// Every message.
pub fn page(root: &Path) -> Result<String> {
    let mut text = title(
        "Errors, causes and cures",
        "A message says what is wrong, with which element, where in the text, and what to do. The status is 1 for what stands here, 2 for\nwrong usage of a command. Messages of [models that are refused](#models-that-are-refused) are those that tests hold for the\nmodels under `crates/biela/tests/broken/`, one line each; [runs that end](#runs-that-end) were made to end for this page.\n\n## Models that are refused",
    );
    let mut groups: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
    for (_, heading) in PLACES {
        if !groups.iter().any(|g| g.0 == *heading) {
            groups.push((heading, Vec::new()));
        }
    }
    for message in kept(root)? {
        let first = message.element.split([' ', ',']).next().unwrap_or("");
        let heading = PLACES.iter().find(|p| p.0 == first).map_or("Elsewhere", |p| p.1);
        let row = vec![
            words(&message.what),
            quoted(&message.cause),
            message.cure.iter().map(|c| words(c)).collect::<Vec<_>>().join("\n"),
        ];
        match groups.iter_mut().find(|g| g.0 == heading) {
            // Several models may have one fault.
            Some(group) if group.1.iter().any(|r| r[0] == row[0] && r[2] == row[2]) => {}
            Some(group) => group.1.push(row),
            None => groups.push((heading, vec![row])),
        }
    }
    for (heading, rows) in groups.into_iter().filter(|g| !g.1.is_empty()) {
        let _ = write!(text, "\n### {heading}\n");
        text.push_str(&table(&["message", "cause, for example", "cure"], rows));
    }
    text.push_str("\n## Runs that end\nA model may be sound and yet not do what is asked. The message then names the joint, the driver or the time.\n");
    for failure in FAILURES {
        let error = failure.error(root)?;
        let _ = write!(
            text,
            "\n### {}\n{}\n\n```text\nerror: {error}\n```\n{}\n",
            failure.name, failure.cause, failure.cure
        );
    }
    Ok(text)
}

/// Words of a message, with the marks of Markdown taken as they are.
fn words(text: &str) -> String {
    ["\\", "*", "_", "[", "<", "`", "$"].iter().fold(text.to_string(), |t, mark| t.replace(mark, &format!("\\{mark}")))
}

/// A line of a model as code.
fn quoted(line: &str) -> String {
    let short: String = line.chars().take(48).collect();
    let short = if short.len() < line.len() { short + " …" } else { short };
    match short.contains('`') || short.is_empty() {
        true => words(&short),
        false => format!("`{short}`"),
    }
}

/// The messages that tests keep, by the names of their models.
fn kept(root: &Path) -> Result<Vec<Message>> {
    let told = |e: std::io::Error| Error::new(format!("{BROKEN}: {e}"));
    let mut files: Vec<_> = std::fs::read_dir(root.join(BROKEN))
        .map_err(told)?
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    files.iter().map(|f| Ok(message(&std::fs::read_to_string(f).map_err(told)?.replace("\r\n", "\n")))).collect()
}

fn message(text: &str) -> Message {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or("");
    let (element, what) = match head.split_once("): ") {
        Some((place, what)) => (place.split(" (").next().unwrap_or(""), what),
        None => ("", head.split_once(": ").map_or(head, |(_, what)| what)),
    };
    let mut found =
        Message { element: element.to_string(), what: what.to_string(), cause: String::new(), cure: Vec::new() };
    for line in lines {
        let line = line.trim_start();
        if let Some(note) = line.strip_prefix("= ") {
            found.cure.push(note.to_string());
        } else if let Some((number, quoted)) = line.split_once(" | ") {
            if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) && found.cause.is_empty() {
                found.cause = quoted.trim().to_string();
            }
        }
    }
    found
}

/// A run that ends with an error.
struct Failure {
    name: &'static str,
    cause: &'static str,
    cure: &'static str,
    /// A shipped model, or a whole model's text.
    model: &'static str,
    /// Text put after it.
    more: &'static str,
    set: &'static [(&'static str, &'static str)],
    drive: &'static [(&'static str, &'static str)],
    analysis: Analysis,
    formulation: &'static str,
}

impl Failure {
    fn error(&self, root: &Path) -> Result<Error> {
        let owned = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let (set, drive) = (owned(self.set), owned(self.drive));
        let options = Options { set, drive, analysis: Some(self.analysis), ..Options::default() };
        let text = match self.model.contains('\n') {
            true => self.model.to_string(),
            false => std::fs::read_to_string(root.join(self.model))
                .map_err(|e| Error::new(format!("{}: {e}", self.model)))?,
        };
        let source = Source::new("model.toml", text + self.more);
        let ended = Document::from_toml(&source)
            .and_then(|d| d.model(&options))
            .and_then(|m| biela::solve::run::run(&m, self.formulation, METHODS[0], |_, _| true));
        match ended {
            Err(error) => Ok(error),
            Ok(_) => Err(Error::new(format!("the example '{}' of the reference does not fail", self.name))),
        }
    }
}

const BASE: Failure = Failure {
    name: "",
    cause: "",
    cure: "",
    model: "",
    more: "",
    set: &[],
    drive: &[],
    analysis: Analysis::Kinematics,
    formulation: "absolute",
};

/// A cart on a rail, without a driver.
const CART: &str = r#"
gravity = [1, -9.81, 0]
[bodies.cart]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.rail]
type = "prismatic"
bodies = ["ground", "cart"]
at = [[0, 0, 0], [0, 0, 0]]
axis = "x"
"#;

const FAILURES: &[Failure] = &[
    Failure {
        name: "The mechanism cannot be assembled",
        cause: "No position closes all joints: a dimension is too short or too long. Here the rocker of [four-bar](../../models/four-bar.toml) is set to 1.",
        cure: "The message names the joints that stay open and, where the sides of a loop cannot meet, the dimension. `biela studio` shows the link in red while you change it.",
        model: "models/four-bar.toml",
        set: &[("rocker", "1")],
        ..BASE
    },
    Failure {
        name: "The loop opens on the way",
        cause: "The mechanism closes at the start, but a driver leads it to where it cannot go. Here the rod of [slider-crank](../../models/slider-crank.toml) is shorter than the crank.",
        cure: "Drive less far (`--end`), change the dimension, or let drivers give way: `--singular damp`.",
        model: "models/slider-crank.toml",
        set: &[("rod", "1.9")],
        ..BASE
    },
    Failure {
        name: "A freedom has no driver",
        cause: "Kinematics needs a driver for each freedom. Here a cart on a rail has none.",
        cure: "Add a driver (or `--drive rail='0.1*t'`), or let forces decide: `--analysis dynamics` or `statics`.",
        model: CART,
        ..BASE
    },
    Failure {
        name: "Too many drivers",
        cause: "Two drivers ask for the same freedom. Here a second driver holds the rocker of the four-bar.",
        cure: "Remove one of the drivers that the message names.",
        model: "models/four-bar.toml",
        more: "\n[drivers.second]\njoint = \"B\"\nvalue = \"0.2*t\"\n",
        ..BASE
    },
    Failure {
        name: "A singular position",
        cause: "Motions cross, and nothing says which way to go. Here the parallel cranks of [parallelogram](../../models/parallelogram.toml) come into line.",
        cure: "`--singular pass` goes straight on, on the same branch; see [Drive through a singular position](../how-to/singular-position.md).",
        model: "models/parallelogram.toml",
        drive: &[("A", "2*pi*t")],
        ..BASE
    },
    Failure {
        name: "Gravity is not stated",
        cause: "Forces are asked of a model that does not say what gravity is. It is never assumed.",
        cure: "`gravity = [0, -9.81, 0]` at the top of the model, `[0, 0, 0]` for none, or `--gravity`.",
        model: "[bodies.cart]\nmass = 1\n[joints.rail]\ntype = \"prismatic\"\nbodies = [\"ground\", \"cart\"]\nat = [[0, 0, 0], [0, 0, 0]]\naxis = \"x\"\n[drivers.motor]\njoint = \"rail\"\nvalue = \"t\"\n",
        analysis: Analysis::InverseDynamics,
        ..BASE
    },
    Failure {
        name: "A formulation that cannot tell forces",
        cause: "Natural coordinates share points between bodies and cannot tell joint forces apart.",
        cure: "`--formulation absolute` or `relative`.",
        model: "models/four-bar.toml",
        analysis: Analysis::InverseDynamics,
        formulation: "natural",
        ..BASE
    },
    Failure {
        name: "No equilibrium",
        cause: "Statics lets go of freedoms without driver, and nothing holds them. Here gravity pulls a cart along its rail.",
        cure: "Add what holds the freedom: a spring, a joint limit, a driver.",
        model: CART,
        analysis: Analysis::Statics,
        ..BASE
    },
    Failure {
        name: "Energy that grows by itself",
        cause: "A fixed step is too long for what the model holds. Here `rk4` with steps of 10 ms meets a spring whose period is 6 ms.",
        cure: "A shorter step, `rk45`, or `alpha` for stiff springs; see [Stiff springs](../how-to/stiff-springs.md).",
        model: CART,
        more: "[forces.spring]\ntype = \"joint-spring\"\njoint = \"rail\"\nstiffness = 1e6\n[initial]\n\"rail.slide\" = 0.1\n[run]\nend = 1\nmethod = \"rk4\"\nstep = 0.01\n",
        analysis: Analysis::Dynamics,
        ..BASE
    },
    Failure {
        name: "A body without mass under forces",
        cause: "Motion under forces needs masses where something must accelerate.",
        cure: "Give the body `mass` and `inertia`, or a `shape` with `density`.",
        model: "gravity = [0, -9.81, 0]\n[bodies.rod]\n[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\nat = [[0, 0, 0], [0, 0, 0]]\naxis = \"z\"\n",
        analysis: Analysis::Dynamics,
        ..BASE
    },
];
