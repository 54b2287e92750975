//! Models as other programs read them: URDF, MJCF, SDF. What a format cannot say of the mechanism is refused by the element's name; loads and drivers are
//! told and left out, but for springs, dampers and friction at joints.

#![allow(non_snake_case)] // Frames are capital letters: X_PF (docs/notation.md).

mod mjcf;
mod resistance;
mod sdf;
mod urdf;

use biela_base::error::{listing, Error, Result};
use biela_core::joints::{Freedom, Joint, Movement};
use biela_core::loads::Load;
use biela_core::model::Model;
use biela_math::{Pose, Vec3};

/// A text, and what of the model is not in it.
pub type Written = (String, Vec<String>);

/// A format that models are written in.
pub struct Writer {
    /// What people call it.
    pub name: &'static str,
    /// File name endings, without the dot.
    pub extensions: &'static [&'static str],
    /// Writes a model.
    pub write: fn(&Model) -> Result<Written>,
}

/// Every format that models are written in, besides TOML.
pub static WRITERS: &[Writer] = &[
    Writer { name: "URDF", extensions: &["urdf"], write: |model| write(model, urdf::text, urdf::HOLDS) },
    Writer { name: "MJCF", extensions: &["xml", "mjcf"], write: mjcf::write },
    Writer { name: "SDF", extensions: &["sdf"], write: |model| write(model, sdf::text, sdf::HOLDS) },
];

/// The writer of files with that ending.
pub fn writer(ending: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|w| w.extensions.contains(&ending.to_ascii_lowercase().as_str()))
}

/// What a format holds at its joints beside damping and friction.
#[derive(Debug, Clone, Copy)]
struct Holds {
    springs: bool,
    /// Whether joints that close loops are joints there.
    loops: bool,
}

fn write(model: &Model, text: fn(&Skeleton) -> Result<String>, holds: Holds) -> Result<Written> {
    let skeleton = Skeleton::new(model)?;
    let text = text(&skeleton)?;
    let mut left = Vec::new();
    let named = |names: Vec<&str>| listing(&names);
    let at_joint = |load: &Load| {
        resistance::along(model, load).is_some_and(|(joint, what)| {
            (holds.springs || what.stiffness == 0.0) && (holds.loops || !skeleton.closing.contains(&joint))
        })
    };
    let loads: Vec<&str> = model.loads.iter().filter(|l| !at_joint(l)).map(|l| l.name.as_str()).collect();
    if !loads.is_empty() {
        left.push(format!("forces are not written: {}", named(loads)));
    }
    if !model.drivers.is_empty() {
        left.push(format!(
            "drivers are not written: {}",
            named(model.drivers.iter().map(|d| d.name.as_str()).collect())
        ));
    }
    let gauges: Vec<&str> = skeleton.idle.iter().map(|k| model.joints[*k].name.as_str()).collect();
    if !gauges.is_empty() {
        left.push(format!("what holds nothing is not written: {}", named(gauges)));
    }
    Ok((text, left))
}

/// One elementary motion of a joint, seen from the body that carries it.
#[derive(Debug, Clone, Copy)]
enum Step {
    Turn { axis: Vec3, lead: f64 },
    Slide { axis: Vec3 },
    Ball,
}

/// A body on its way from the ground.
struct Branch {
    body: usize,
    parent: usize,
    joint: usize,
    /// Frame of the joint in the parent, and in the body.
    X_PA: Pose,
    X_CB: Pose,
    /// Motions from the parent to the body. None of them: fixed.
    steps: Vec<Step>,
    /// Whether nothing holds the body.
    free: bool,
    /// Whether the joint names the body first.
    reversed: bool,
}

/// The mechanism as a tree from the ground, and what closes its loops.
struct Skeleton<'m> {
    model: &'m Model,
    branches: Vec<Branch>,
    /// Joints that close loops.
    closing: Vec<usize>,
    /// Gauges and the like, which hold nothing.
    idle: Vec<usize>,
}

impl<'m> Skeleton<'m> {
    fn new(model: &'m Model) -> Result<Skeleton<'m>> {
        let (mut branches, mut reached): (Vec<Branch>, Vec<bool>) = (Vec::new(), vec![false; model.bodies.len()]);
        reached[0] = true;
        let mut used = vec![false; model.joints.len()];
        let mut open = std::collections::VecDeque::from([0]);
        while let Some(parent) = open.pop_front() {
            for (k, joint) in model.joints.iter().enumerate() {
                let Some(side) = joint.bodies.iter().position(|b| *b == parent).filter(|_| !used[k]) else { continue };
                let child = joint.bodies[1 - side];
                let Some(freedoms) = joint.kind.freedoms(joint) else { continue };
                if reached[child] {
                    continue;
                }
                (used[k], reached[child]) = (true, true);
                branches.push(branch(joint, k, side == 1, &freedoms));
                open.push_back(child);
            }
        }
        // What no joint holds floats.
        for body in (1..model.bodies.len()).filter(|b| !reached[*b]) {
            let X_PA = model.guess().poses()[body];
            if model.joints.iter().any(|j| j.bodies.contains(&body) && j.kind.freedoms(j).is_some()) {
                let name = &model.bodies[body].name;
                return Err(Error::new(
                    "no chain of joints leads to it from the ground, and it is joined to other bodies",
                )
                .of(format!("body '{name}'")));
            }
            let steps = Vec::new();
            branches.push(Branch {
                body,
                parent: 0,
                joint: usize::MAX,
                X_PA,
                X_CB: Pose::IDENTITY,
                steps,
                free: true,
                reversed: false,
            });
        }
        let holds = |k: &usize| !model.joints[*k].kind.rows(&model.joints[*k]).is_empty();
        let (closing, idle) = (0..model.joints.len()).filter(|k| !used[*k]).partition(holds);
        Ok(Skeleton { model, branches, closing, idle })
    }

    /// The one coordinate that an element names, as a joint with a single motion.
    fn joint_name(&self, joint: usize) -> &str {
        &self.model.joints[joint].name
    }

    /// Couplings of two joints with one motion each, as second = ratio · first + offset; others are refused.
    fn couplings(&self) -> Result<Vec<(usize, usize, f64, f64)>> {
        let mut list = Vec::new();
        for c in &self.model.couplings {
            let refuse = |why: &str| Error::new(why).of(format!("coupling '{}'", c.name)).at_opt(c.span.as_ref());
            let plain = c.value.is_none() && c.profile.is_none() && c.train.is_none();
            let [a, b] = c.coordinates[..] else {
                return Err(refuse("it is not between two coordinates, which the format needs"));
            };
            if !plain {
                return Err(refuse("only couplings by a ratio can be written"));
            }
            let single = |joint: usize| self.branches.iter().find(|b| b.joint == joint).filter(|b| b.steps.len() == 1);
            let (Some(_), Some(_)) = (single(a.joint), single(b.joint)) else {
                return Err(refuse(
                    "one of its joints closes a loop or has several coordinates, which the format does not couple",
                ));
            };
            list.push((a.joint, b.joint, c.ratio, c.offset));
        }
        Ok(list)
    }
}

fn branch(joint: &Joint, k: usize, reversed: bool, freedoms: &[Freedom]) -> Branch {
    let mut steps: Vec<Step> = freedoms
        .iter()
        .map(|f| match f.motion {
            Movement::Turn { axis, lead } => Step::Turn { axis: axis.unit(), lead },
            Movement::Slide { axis } => Step::Slide { axis: axis.unit() },
            Movement::Attitude => Step::Ball,
        })
        .collect();
    let free = steps.len() == 4 && matches!(steps[3], Step::Ball) || joint.kind.rows(joint).is_empty();
    if free {
        steps.clear();
    }
    let (first, second) = if reversed { (1, 0) } else { (0, 1) };
    if reversed {
        // Seen from the other side the motions come in the other order and about axes of the other sense; their coordinates stay what they are.
        steps.reverse();
        for step in &mut steps {
            if let Step::Turn { axis, .. } | Step::Slide { axis } = step {
                *axis = -*axis;
            }
        }
    }
    let (parent, body) = (joint.bodies[first], joint.bodies[second]);
    Branch { body, parent, joint: k, X_PA: joint.frames[first], X_CB: joint.frames[second], steps, free, reversed }
}

impl Branch {
    /// Where the body is in its parent, all coordinates zero; a floating one as it is drawn.
    fn X_PC(&self, model: &Model) -> Pose {
        match self.free {
            true => model.guess().poses()[self.parent].inverse() * model.guess().poses()[self.body],
            false => self.X_PA * self.X_CB.inverse(),
        }
    }
}

/// The shortest digits that read back to the same number.
fn number(x: f64) -> String {
    let text = format!("{:?}", x + 0.0);
    text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
}

fn numbers(values: &[f64]) -> String {
    values.iter().map(|x| number(*x)).collect::<Vec<_>>().join(" ")
}

fn vector(v: Vec3) -> String {
    numbers(&v.to_array())
}

/// A text as it stands in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
