//! SDF: links where they stand, and joints between them, whether they close loops or not.

#![allow(non_snake_case)] // Frames are capital letters: X_WL (docs/notation.md).

use super::{branch, escaped, number, numbers, resistance, vector, Holds, Skeleton, Step};
use biela_base::error::{Error, Result};
use biela_math::{Pose, Vec3};
use std::f64::consts::TAU;
use std::fmt::Write;

/// A loop is a joint as any other.
pub(super) const HOLDS: Holds = Holds { springs: true, loops: true };

pub(super) fn text(skeleton: &Skeleton) -> Result<String> {
    let model = skeleton.model;
    if let Some(rotor) = model.rotors.first() {
        return Err(Error::new("an SDF has no rotors")
            .of(format!("rotor '{}'", rotor.name))
            .note("MJCF (.xml) has armatures"));
    }
    let couplings = skeleton.couplings()?;
    // Coordinates of SDF are zero where links stand as they are written: trees stand so that they are ours, loops as they are drawn.
    let mut poses: Vec<Pose> = model.guess().poses().to_vec();
    if skeleton.closing.is_empty() {
        for b in &skeleton.branches {
            poses[b.body] = poses[b.parent] * b.X_PC(model);
        }
    }
    let mut out = String::from("<?xml version=\"1.0\"?>\n<sdf version=\"1.11\">\n  <world name=\"default\">\n");
    if let Some(g) = model.gravity {
        let _ = writeln!(out, "    <gravity>{}</gravity>", vector(g));
    }
    let _ =
        writeln!(out, "    <model name=\"{}\">", escaped(if model.name.is_empty() { "model" } else { &model.name }));
    for (body, X) in model.bodies.iter().zip(&poses).skip(1) {
        let m = body.mass.filter(|m| m.mass > 0.0);
        let m =
            m.ok_or_else(|| Error::new("it has no mass, which an SDF must give").of(format!("body '{}'", body.name)))?;
        let [xx, yy, zz, xy, xz, yz] = m.inertia.entries().map(number);
        let _ = write!(
            out,
            "      <link name=\"{}\">\n        <pose rotation_format=\"quat_xyzw\">{}</pose>\n        <inertial>\n          <pose>{} 0 0 0</pose>\n          \
             <mass>{}</mass>\n          <inertia><ixx>{xx}</ixx><ixy>{xy}</ixy><ixz>{xz}</ixz><iyy>{yy}</iyy><iyz>{yz}</iyz><izz>{zz}</izz></inertia>\n        \
             </inertial>\n      </link>\n",
            escaped(&body.name),
            placed(X),
            vector(m.com),
            number(m.mass)
        );
    }
    for k in (0..model.joints.len()).filter(|k| !skeleton.idle.contains(k)) {
        joint(skeleton, k, &poses, &couplings, &mut out)?;
    }
    out += "    </model>\n  </world>\n</sdf>\n";
    Ok(out)
}

fn placed(X: &Pose) -> String {
    let [w, x, y, z] = X.rotation.euler_parameters().0;
    format!("{} {}", vector(X.origin), numbers(&[x, y, z, w]))
}

fn joint(
    skeleton: &Skeleton,
    k: usize,
    poses: &[Pose],
    couplings: &[(usize, usize, f64, f64)],
    out: &mut String,
) -> Result<()> {
    let model = skeleton.model;
    let joint = &model.joints[k];
    let refuse = || {
        let error = Error::new("an SDF has revolute, prismatic, screw, universal, ball and fixed joints alone");
        error.of(format!("joint '{}'", joint.name)).at_opt(joint.span.as_ref())
    };
    // The ground cannot be a child.
    let reversed = joint.bodies[1] == 0;
    let b = branch(joint, k, reversed, &joint.kind.freedoms(joint).ok_or_else(refuse)?);
    if b.free {
        return Ok(());
    }
    let (kind, axes): (&str, Vec<Vec3>) = match b.steps[..] {
        [] => ("fixed", vec![]),
        [Step::Ball] => ("ball", vec![]),
        [Step::Turn { axis, lead: 0.0 }] => {
            (if joint.limits.lower.is_some() { "revolute" } else { "continuous" }, vec![axis])
        }
        [Step::Turn { axis, .. }] => ("screw", vec![axis]),
        [Step::Slide { axis }] => ("prismatic", vec![axis]),
        [Step::Turn { axis, lead: 0.0 }, Step::Turn { axis: second, lead: 0.0 }] => ("universal", vec![axis, second]),
        _ => return Err(refuse()),
    };
    let name = |body: usize| if body == 0 { "world".to_string() } else { escaped(&model.bodies[body].name) };
    let _ = write!(
        out,
        "      <joint name=\"{}\" type=\"{kind}\">\n        <pose rotation_format=\"quat_xyzw\">{}</pose>\n        <parent>{}</parent>\n        \
         <child>{}</child>\n",
        escaped(&joint.name),
        placed(&b.X_CB),
        name(b.parent),
        name(b.body)
    );
    for (tag, axis) in ["axis", "axis2"].into_iter().zip(&axes) {
        // Axes of the carrying body count where the links stand.
        let axis = match (tag, axes.len()) {
            ("axis", 2) => {
                (poses[b.body] * b.X_CB).rotation.apply_transposed((poses[b.parent] * b.X_PA).rotation.apply(*axis))
            }
            _ => *axis,
        };
        let _ = write!(out, "        <{tag}>\n          <xyz>{}</xyz>\n", vector(axis));
        let l = joint.limits;
        if let (Some(lower), Some(upper), 1) = (l.lower, l.upper, axes.len()) {
            let _ = writeln!(
                out,
                "          <limit><lower>{}</lower><upper>{}</upper></limit>",
                number(lower),
                number(upper)
            );
        }
        *out += &resistance::in_sdf(model, k);
        if let Some((first, _, ratio, offset)) = couplings.iter().find(|c| c.1 == k) {
            let leader = escaped(skeleton.joint_name(*first));
            let _ = writeln!(
                out,
                "          <mimic joint=\"{leader}\"><multiplier>{}</multiplier><offset>{}</offset><reference>0</reference></mimic>",
                number(*ratio),
                number(*offset)
            );
        }
        let _ = writeln!(out, "        </{tag}>");
    }
    if let [Step::Turn { lead, .. }] = b.steps[..] {
        if lead != 0.0 {
            let _ = writeln!(out, "        <screw_thread_pitch>{}</screw_thread_pitch>", number(lead * TAU));
        }
    }
    *out += "      </joint>\n";
    Ok(())
}
