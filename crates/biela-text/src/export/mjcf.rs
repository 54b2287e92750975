//! MJCF: bodies within bodies, all coordinates zero; loops by equalities between sites, and a keyframe in which they are closed.

#![allow(non_snake_case)] // Frames are capital letters: X_PC (docs/notation.md).

use super::{escaped, number, numbers, resistance, vector, Branch, Holds, Skeleton, Step, Written};
use biela_base::error::{listing, Error, Result};
use biela_base::signal_name;
use biela_core::model::{Body, Model};
use biela_math::{Pose, Vec3};
use std::fmt::Write;

/// Sites of a body: names and frames.
type Sites = Vec<Vec<(String, Pose)>>;

/// What MuJoCo takes in place of a moment of inertia that is 0: points and thin rods have none, and it refuses them.
const LEAST: &str = "1e-12";

/// Bodies with mass and a moment of inertia that MuJoCo holds for none.
fn thin(model: &Model) -> Vec<&str> {
    // Its mjMINVAL.
    const NONE: f64 = 1e-15;
    let none =
        |b: &&Body| b.mass.is_some_and(|m| m.mass > 0.0 && m.inertia.principal_moments().iter().any(|i| *i < NONE));
    model.bodies.iter().skip(1).filter(none).map(|b| b.name.as_str()).collect()
}

/// Writes a model, and tells what MuJoCo makes of bodies without inertia.
pub(super) fn write(model: &Model) -> Result<Written> {
    let (text, mut left) = super::write(model, text, Holds { springs: true, loops: false })?;
    let thin = thin(model);
    if !thin.is_empty() {
        left.push(format!("moments of inertia of 0 are {LEAST} kg m^2, which MuJoCo needs: {}", listing(&thin)));
    }
    Ok((text, left))
}

pub(super) fn text(skeleton: &Skeleton) -> Result<String> {
    let model = skeleton.model;
    let bound = if thin(model).is_empty() { String::new() } else { format!(" boundinertia=\"{LEAST}\"") };
    let armatures = armatures(skeleton)?;
    let mut sites: Sites = model.bodies.iter().map(|_| Vec::new()).collect();
    let equalities = equalities(skeleton, &mut sites)?;
    let mut out = format!(
        "<mujoco model=\"{}\">\n  <compiler angle=\"radian\" autolimits=\"true\"{bound}/>\n",
        escaped(&model.name)
    );
    if let Some(g) = model.gravity {
        let _ = writeln!(out, "  <option gravity=\"{}\"/>", vector(g));
    }
    let mut page = Page { skeleton, armatures: &armatures, sites: &sites, out, qpos: Vec::new() };
    page.out += "  <worldbody>\n";
    page.sites(0, 2);
    page.children(0, 2, &[])?;
    page.out += "  </worldbody>\n";
    let (mut out, qpos) = (page.out, page.qpos);
    if !equalities.is_empty() {
        let _ = write!(out, "  <equality>\n{equalities}  </equality>\n");
    }
    if !skeleton.closing.is_empty() {
        let _ = write!(out, "  <keyframe>\n    <key name=\"drawing\" qpos=\"{}\"/>\n  </keyframe>\n", numbers(&qpos));
    }
    out += "</mujoco>\n";
    Ok(out)
}

/// What rotors add to joint coordinates.
fn armatures(skeleton: &Skeleton) -> Result<Vec<f64>> {
    let model = skeleton.model;
    let mut list = vec![0.0; model.joints.len()];
    for rotor in &model.rotors {
        let refuse = |why: &str| Error::new(why).of(format!("rotor '{}'", rotor.name)).at_opt(rotor.span.as_ref());
        let [coordinate] = rotor.coordinates[..] else {
            return Err(refuse("MJCF has rotors of one coordinate alone, as armatures"));
        };
        let at = |q: f64| rotor.angle.eval(&[0.0, q]);
        // A rotor on the ground that turns with the coordinate; one that is carried along turns with its carrier too.
        let plain = rotor.body == 0
            && rotor.mass.mass == 0.0
            && at(0.0) == 0.0
            && (at(2.0) - 2.0 * at(1.0)).abs() <= 1e-12 * at(1.0).abs();
        if !plain || model.joints[coordinate.joint].kind.coordinates().len() != 1 {
            return Err(refuse("MJCF has armatures, which turn with one coordinate and weigh nothing"));
        }
        list[coordinate.joint] += rotor.mass.inertia.about(rotor.axis) * at(1.0) * at(1.0);
    }
    Ok(list)
}

/// Loops and couplings.
fn equalities(skeleton: &Skeleton, sites: &mut Sites) -> Result<String> {
    let model = skeleton.model;
    let mut out = String::new();
    for k in &skeleton.closing {
        let joint = &model.joints[*k];
        let name = escaped(&joint.name);
        let freedoms = joint.kind.freedoms(joint);
        let refuse = || {
            let error = Error::new(
                "it closes a loop, which MJCF does by points that coincide and bodies that are welded alone",
            );
            error
                .of(format!("joint '{}'", joint.name))
                .note("cut the loop at a revolute, spherical or fixed joint: list that joint last")
        };
        let shapes: Vec<Step> = super::branch(joint, *k, false, freedoms.as_deref().ok_or_else(refuse)?).steps;
        // A hinge is two points on its axis, this far apart in lengths of the model.
        const APART: f64 = 0.1;
        let (tag, points): (&str, Vec<Vec3>) = match shapes[..] {
            [] => ("weld", vec![Vec3::ZERO]),
            [Step::Ball] => ("connect", vec![Vec3::ZERO]),
            [Step::Turn { axis, lead: 0.0 }] => ("connect", vec![axis * -APART, axis * APART]),
            _ => return Err(refuse()),
        };
        for (n, p) in points.iter().enumerate() {
            let ending = if points.len() > 1 { format!("_{}", n + 1) } else { String::new() };
            for side in 0..2 {
                let frame = joint.frames[side] * Pose::translation(*p);
                sites[joint.bodies[side]].push((format!("{}{ending}_{}", joint.name, ["a", "b"][side]), frame));
            }
            let _ = writeln!(
                out,
                "    <{tag} name=\"{name}{ending}\" site1=\"{name}{ending}_a\" site2=\"{name}{ending}_b\"/>"
            );
        }
    }
    for (first, second, ratio, offset) in skeleton.couplings()? {
        let (a, b) = (escaped(skeleton.joint_name(second)), escaped(skeleton.joint_name(first)));
        let _ = writeln!(
            out,
            "    <joint joint1=\"{a}\" joint2=\"{b}\" polycoef=\"{} {} 0 0 0\"/>",
            number(offset),
            number(ratio)
        );
    }
    Ok(out)
}

struct Page<'p, 'm> {
    skeleton: &'p Skeleton<'m>,
    armatures: &'p [f64],
    sites: &'p Sites,
    out: String,
    /// Coordinates of the drawing, in the order of the file.
    qpos: Vec<f64>,
}

impl Page<'_, '_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn sites(&mut self, body: usize, depth: usize) {
        let skeleton = self.skeleton;
        for (name, p) in &skeleton.model.bodies[body].points {
            self.line(
                depth,
                &format!(
                    "<site name=\"{}\" pos=\"{}\"/>",
                    escaped(&signal_name::join(&skeleton.model.bodies[body].name, name)),
                    vector(*p)
                ),
            );
        }
        for (name, X) in &self.sites[body] {
            let quat = numbers(&X.rotation.euler_parameters().0);
            self.line(
                depth,
                &format!("<site name=\"{}\" pos=\"{}\" quat=\"{quat}\"/>", escaped(name), vector(X.origin)),
            );
        }
    }

    /// Bodies that a body carries. `before` are branches through bodies without mass, whose joints stand in the first body that has one.
    fn children(&mut self, body: usize, depth: usize, before: &[&Branch]) -> Result<()> {
        // Bodies within bodies at most; the parser of MJCF has such a bound too.
        const DEEPEST: usize = 380;
        if depth > DEEPEST {
            return Err(Error::new("the chain of bodies is too long for a file of bodies within bodies"));
        }
        let skeleton = self.skeleton;
        let of = |body: usize| skeleton.branches.iter().filter(move |b| b.parent == body);
        for branch in of(body) {
            let passes = skeleton.model.bodies[branch.body].mass.is_none()
                && !branch.free
                && of(branch.body).count() == 1
                && of(branch.body).all(|next| !next.free)
                && self.sites[branch.body].is_empty()
                && skeleton.model.bodies[branch.body].points.is_empty();
            let chain: Vec<&Branch> = before.iter().copied().chain([branch]).collect();
            if passes {
                self.children(branch.body, depth, &chain)?;
            } else {
                self.body(branch, &chain, depth)?;
            }
        }
        Ok(())
    }

    fn body(&mut self, branch: &Branch, chain: &[&Branch], depth: usize) -> Result<()> {
        let model = self.skeleton.model;
        let body = &model.bodies[branch.body];
        let X_PC = chain.iter().fold(Pose::IDENTITY, |X, b| X * b.X_PC(model));
        let quat = numbers(&X_PC.rotation.euler_parameters().0);
        self.line(
            depth,
            &format!("<body name=\"{}\" pos=\"{}\" quat=\"{quat}\">", escaped(&body.name), vector(X_PC.origin)),
        );
        // Where each body of the chain is in the last, all coordinates zero.
        let mut X_CB: Vec<Pose> = vec![Pose::IDENTITY; chain.len()];
        for k in (0..chain.len() - 1).rev() {
            X_CB[k] = X_CB[k + 1] * chain[k + 1].X_PC(model).inverse();
        }
        for (b, X) in chain.iter().zip(&X_CB) {
            self.joints(b, X, depth + 1)?;
        }
        let moves = chain.iter().any(|b| !b.steps.is_empty() || b.free);
        // A moment of inertia without a mass counts with what it is fixed to.
        match body.mass.filter(|m| m.mass > 0.0 || !moves && m.inertia.trace() > 0.0) {
            Some(m) => {
                let inertia = numbers(&m.inertia.entries());
                self.line(
                    depth + 1,
                    &format!(
                        "<inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{inertia}\"/>",
                        vector(m.com),
                        number(m.mass)
                    ),
                );
            }
            None if !moves => {}
            None => {
                return Err(
                    Error::new("it moves and has no mass, which MuJoCo refuses").of(format!("body '{}'", body.name))
                );
            }
        }
        self.sites(branch.body, depth + 1);
        self.children(branch.body, depth + 1, &[])?;
        self.line(depth, "</body>");
        Ok(())
    }

    /// The joints of a branch, in the frame of the body that holds them.
    fn joints(&mut self, b: &Branch, X: &Pose, depth: usize) -> Result<()> {
        let model = self.skeleton.model;
        if b.free {
            let name =
                model.joints.get(b.joint).map_or(format!("{}_free", model.bodies[b.body].name), |j| j.name.clone());
            self.line(depth, &format!("<freejoint name=\"{}\"/>", escaped(&name)));
            let X_WB = model.guess().poses()[b.body];
            self.qpos.extend(X_WB.origin.to_array());
            self.qpos.extend(X_WB.rotation.euler_parameters().0);
            return Ok(());
        }
        let joint = &model.joints[b.joint];
        let frame = *X * b.X_CB;
        let name = escaped(&joint.name);
        let pos = vector(frame.origin);
        let drawn = self.drawn(b);
        for (k, step) in b.steps.iter().enumerate() {
            let called = if b.steps.len() == 1 { name.clone() } else { format!("{name}_{}", k + 1) };
            let (kind, axis) = match step {
                Step::Ball => {
                    self.line(depth, &format!("<joint name=\"{called}\" type=\"ball\" pos=\"{pos}\"/>"));
                    let R =
                        b.X_CB.rotation * (b.X_PA.inverse() * drawn.2 * b.X_CB).rotation * b.X_CB.rotation.transposed();
                    self.qpos.extend(R.euler_parameters().0);
                    continue;
                }
                Step::Turn { lead, .. } if *lead != 0.0 => {
                    let error = Error::new("MJCF has no screws").of(format!("joint '{}'", joint.name));
                    return Err(error.note("SDF (.sdf) has them"));
                }
                Step::Turn { axis, .. } => ("hinge", axis),
                Step::Slide { axis } => ("slide", axis),
            };
            let mut more = String::new();
            if let (Some(lower), Some(upper), true) = (joint.limits.lower, joint.limits.upper, b.steps.len() == 1) {
                more += &format!(" range=\"{} {}\"", number(lower), number(upper));
            }
            if self.armatures[b.joint] != 0.0 {
                more += &format!(" armature=\"{}\"", number(self.armatures[b.joint]));
            }
            more += &resistance::in_mjcf(model, b.joint);
            let axis = vector(frame.rotation.apply(*axis));
            self.line(
                depth,
                &format!("<joint name=\"{called}\" type=\"{kind}\" pos=\"{pos}\" axis=\"{axis}\"{more}/>"),
            );
            let q = drawn.0.get(if b.reversed { b.steps.len() - 1 - k } else { k }).copied().unwrap_or(0.0);
            self.qpos.push(q);
        }
        Ok(())
    }

    /// Coordinates of a joint as it is drawn, and where its body is in its parent.
    fn drawn(&self, b: &Branch) -> (Vec<f64>, usize, Pose) {
        let model = self.skeleton.model;
        let joint = &model.joints[b.joint];
        let X_PC = model.guess().poses()[b.parent].inverse() * model.guess().poses()[b.body];
        let [first, second] = joint.bodies.map(|body| model.guess().poses()[body]);
        let X_FM = (first * joint.frames[0]).inverse() * second * joint.frames[1];
        let Some(hinge) = joint.kind.hinge() else { return (Vec::new(), 0, X_PC) };
        let (near, mut q) = (vec![0.0; hinge.nq()], vec![0.0; hinge.nq()]);
        hinge.coordinates(joint, &X_FM, &near, &mut q);
        (q, hinge.nq(), X_PC)
    }
}
