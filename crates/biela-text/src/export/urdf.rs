//! URDF: a tree of links whose frames are those of their joints.

#![allow(non_snake_case)] // Frames are capital letters: X_CL (docs/notation.md).

use super::{escaped, number, numbers, resistance, vector, Branch, Holds, Skeleton, Step};
use biela_base::error::{Error, Result};
use biela_math::{Pose, Vec3};
use std::fmt::Write;

/// Joints have damping and friction, and no springs.
pub(super) const HOLDS: Holds = Holds { springs: false, loops: false };

pub(super) fn text(skeleton: &Skeleton) -> Result<String> {
    let model = skeleton.model;
    if let Some(k) = skeleton.closing.first() {
        let error =
            Error::new("it closes a loop, and a URDF is a tree").of(format!("joint '{}'", skeleton.joint_name(*k)));
        return Err(error.note("MJCF (.xml) and SDF (.sdf) hold loops"));
    }
    if let Some(rotor) = model.rotors.first() {
        return Err(Error::new("a URDF has no rotors")
            .of(format!("rotor '{}'", rotor.name))
            .note("MJCF (.xml) has armatures"));
    }
    // A link's frame has its origin at the joint that carries it.
    let mut X_CL = vec![Pose::IDENTITY; model.bodies.len()];
    for b in skeleton.branches.iter().filter(|b| !b.free) {
        X_CL[b.body] = Pose::translation(b.X_CB.origin);
    }
    let couplings = skeleton.couplings()?;
    let mut out =
        format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n  <link name=\"ground\"/>\n", escaped(&model.name));
    for b in &skeleton.branches {
        let body = &model.bodies[b.body];
        let name = escaped(&body.name);
        let X_LC = X_CL[b.body].inverse();
        let _ = writeln!(out, "  <link name=\"{name}\">");
        if let Some(m) = body.mass {
            let [xx, yy, zz, xy, xz, yz] = m.inertia.entries().map(number);
            let _ = write!(
                out,
                "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{}\"/>\n      <inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" \
                 iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/>\n    </inertial>\n",
                vector(X_LC.apply(m.com)),
                number(m.mass)
            );
        }
        out += "  </link>\n";
        joints(skeleton, b, X_CL[b.parent].inverse() * b.X_PC(model) * X_CL[b.body], &couplings, &mut out)?;
    }
    out += "</robot>\n";
    Ok(out)
}

/// The joints of a branch, in series through links without mass; `X` is where the last link is in the first.
fn joints(
    skeleton: &Skeleton,
    b: &Branch,
    X: Pose,
    couplings: &[(usize, usize, f64, f64)],
    out: &mut String,
) -> Result<()> {
    let model = skeleton.model;
    let body = &model.bodies[b.body];
    let name = escaped(&body.name);
    let joint = model.joints.get(b.joint);
    let joint_name = joint.map_or(format!("{}_free", body.name), |j| j.name.clone());
    let mut parent = escaped(&model.bodies[b.parent].name);
    let count = b.steps.len().max(1);
    for k in 0..count {
        let refuse = |why: &str| {
            Error::new(why)
                .of(format!("joint '{joint_name}'"))
                .note("MJCF (.xml) and SDF (.sdf) have more joints than URDF")
        };
        let limits = joint.map(|j| j.limits).filter(|_| count == 1).unwrap_or_default();
        let bounded = limits.lower.is_some() && limits.upper.is_some();
        let (kind, axis) = match b.steps.get(k) {
            None if b.free => ("floating", None),
            None => ("fixed", None),
            Some(Step::Turn { lead, .. }) if *lead != 0.0 => return Err(refuse("a URDF has no screws")),
            Some(Step::Turn { axis, .. }) => (if bounded { "revolute" } else { "continuous" }, Some(axis)),
            Some(Step::Slide { axis }) => ("prismatic", Some(axis)),
            Some(Step::Ball) => return Err(refuse("a URDF has no ball joints")),
        };
        let last = k + 1 == count;
        let child = if last { name.clone() } else { format!("{name}_{}", k + 1) };
        if !last {
            let _ = writeln!(out, "  <link name=\"{child}\"/>");
        }
        let called = if count == 1 { escaped(&joint_name) } else { format!("{}_{}", escaped(&joint_name), k + 1) };
        let origin = if k == 0 { X } else { Pose::IDENTITY };
        let _ = write!(
            out,
            "  <joint name=\"{called}\" type=\"{kind}\">\n    <origin xyz=\"{}\" rpy=\"{}\"/>\n    <parent link=\"{parent}\"/>\n    <child link=\"{child}\"/>\n",
            vector(origin.origin),
            numbers(&origin.rotation.to_rpy())
        );
        if let Some(axis) = axis {
            let axis: Vec3 = b.X_CB.rotation.apply(*axis);
            let _ = writeln!(out, "    <axis xyz=\"{}\"/>", vector(axis));
        }
        if bounded || kind == "prismatic" {
            // A prismatic joint must say its limits; one that has none gets those that no machine reaches.
            const FAR: f64 = 1e6;
            let (lower, upper) = (limits.lower.unwrap_or(-FAR), limits.upper.unwrap_or(FAR));
            let _ = writeln!(
                out,
                "    <limit lower=\"{}\" upper=\"{}\" effort=\"{}\" velocity=\"{}\"/>",
                number(lower),
                number(upper),
                number(limits.effort.unwrap_or(FAR)),
                number(limits.velocity.unwrap_or(FAR))
            );
        }
        *out += &resistance::in_urdf(model, b.joint);
        if let Some((first, _, ratio, offset)) = couplings.iter().find(|c| c.1 == b.joint) {
            let leader = escaped(skeleton.joint_name(*first));
            let _ = writeln!(
                out,
                "    <mimic joint=\"{leader}\" multiplier=\"{}\" offset=\"{}\"/>",
                number(*ratio),
                number(*offset)
            );
        }
        *out += "  </joint>\n";
        parent = child;
    }
    Ok(())
}
