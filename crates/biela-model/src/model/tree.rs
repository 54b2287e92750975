//! From a mechanism to a tree.

use crate::error::{Error, Result};
use crate::joints::{Joint, FREE};
use crate::math::{MassProperties, Vec3};
use crate::model::graph::Forest;
use crate::model::{Mechanism, Model};
use biela_base::sorting::sort_by_key;
use biela_tree::freedom::FLOATING;
use biela_tree::{Builder, Description, Freedom, Tree, GROUND};

/// The tree of a model's mechanism.
impl Description for Model {
    type Error = Error;

    fn tree(&self) -> Result<Tree> {
        Mechanism::tree(self)
    }
}

/// The tree of a mechanism; an error names a joint that closes a loop. Couplings are an error too.
impl Description for Mechanism {
    type Error = Error;

    fn tree(&self) -> Result<Tree> {
        let forest = Forest::new(self);
        if let Some(k) = forest.cut.first() {
            let joint = &self.joints[*k];
            return Err(Error::new("closes a loop (or has no coordinates of its own): this is no open chain or tree")
                .of(format!("joint '{}'", joint.name))
                .at_opt(joint.span.as_ref())
                .note("tree algorithms take open chains and trees; loops are solved by run and verify"));
        }
        if let Some(coupling) = self.couplings.first() {
            return Err(Error::new("couplings tie joint coordinates together: this is no open chain or tree")
                .of(format!("coupling '{}'", coupling.name))
                .at_opt(coupling.span.as_ref()));
        }
        if let Some(rotor) = self.rotors.first() {
            return Err(Error::new("rotors move with the joints: this takes the tree with its rotors")
                .of(format!("rotor '{}'", rotor.name))
                .at_opt(rotor.span.as_ref()));
        }
        let mut builder = Builder::new();
        builder.gravity(self.gravity.unwrap_or(Vec3::ZERO));
        let floats = Joint { space: self.space, ..Joint::example(FREE) };
        builder.floating(&floats.freedoms().unwrap_or_default());
        for body in &self.bodies[GROUND + 1..] {
            builder.body(&body.name, body.mass.unwrap_or(MassProperties::ZERO));
        }
        // Nothing is cut, so every joint is a branch; bodies without one float in the builder as in the forest.
        let mut branches: Vec<_> = forest.branches.iter().filter_map(|b| Some((b.joint?, b))).collect();
        sort_by_key(&mut branches, |(joint, _)| *joint);
        for (k, branch) in branches {
            let joint = &self.joints[k];
            let (near, far) = if branch.reversed { (1, 0) } else { (0, 1) };
            let frames = [joint.frames[near], joint.frames[far]];
            let freedoms = freedoms(joint, branch.reversed)?;
            builder.joint(&joint.name, &freedoms, [branch.parent, branch.body], frames).reversed = branch.reversed;
        }
        builder.tree().map_err(|error| Error::new(error.to_string()))
    }
}

/// What a joint lets its body do; an error where it is not made of freedoms that nodes of a tree have, or where its attitude is taken the
/// other way round along with others.
fn freedoms(joint: &Joint, reversed: bool) -> Result<Vec<Freedom>> {
    let word = joint.kind.keyword();
    let error = |what: String| Error::new(what).of(format!("joint '{}'", joint.name)).at_opt(joint.span.as_ref());
    let Some(list) = joint.freedoms() else {
        return Err(error(format!(
            "a {word} joint is not made of elementary turns and slides: tree algorithms cannot take it"
        ))
        .note("run, verify and dynamics can"));
    };
    let known = list.len() == 1 || list == FLOATING;
    if reversed && !known && list.iter().any(Freedom::is_attitude) {
        return Err(error(format!(
            "a {word} joint leads from the outer body to the inner one: tree algorithms cannot take it"
        ))
        .note("name its bodies in the other order"));
    }
    Ok(list)
}
