//! Attributes that MJCF has, so that those it has not are told: misspelt ones, and those of other versions.

use crate::foreign::{Element, Told};
use biela_base::error::Result;

const FRAME: &str = "pos quat axisangle euler xyaxes zaxis";
const SOLVER: &str = "name class active solref solimp";
const ACTUATOR: &str = "name class group ctrllimited forcelimited actlimited ctrlrange forcerange actrange lengthrange gear cranklength joint \
                        jointinparent tendon slidersite cranksite site refsite body user actdim dyntype gaintype biastype dynprm gainprm biasprm \
                        actearly armature damping delay interp nsample inheritrange kp kv dampratio timeconst area diameter bias gain \
                        lmin lmax vmax fpmax fvmax force scale range tausmooth plugin instance input velrange ffrange";
const TENDON: &str = "name class group limited actuatorfrclimited actuatorfrcrange range solreflimit solimplimit solreffriction solimpfriction \
                      frictionloss springlength springyield width material margin stiffness damping rgba user armature";
const MESH: &str = "name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert inertia builtin params material";

/// Sections, elements in them, and the attributes that these have beside those of frames.
const KNOWN: &[(&str, &str, &[&str])] = &[
    (
        "mujoco",
        "compiler",
        &["alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict coordinate discardvisual eulerseq \
           exactmeshinertia fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial \
           settotalmass strippath texturedir usethread convexhull"],
    ),
    (
        "mujoco",
        "option",
        &["actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio integrator iterations jacobian ls_iterations \
           ls_tolerance magnetic noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations \
           sleep_tolerance solver timestep tolerance viscosity wind apirate collision mpr_iterations mpr_tolerance"],
    ),
    (
        "option",
        "flag",
        &["actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp filterparent frictionloss fwdinv gravity \
           invdiscrete ipc island limit midphase multiccd nativeccd override passive refsafe sensor sensornoise sleep speculative spring warmstart"],
    ),
    ("asset", "mesh", &[MESH]),
    ("asset", "model", &["name file content_type"]),
    ("body", "inertial", &[FRAME, "mass diaginertia fullinertia"]),
    ("body", "site", &[FRAME, "name class type group material mesh rgba size fromto user"]),
    ("body", "freejoint", &["name group align"]),
    ("body", "frame", &[FRAME, "name childclass"]),
    ("equality", "connect", &[SOLVER, "body1 body2 anchor site1 site2"]),
    ("equality", "weld", &[SOLVER, "body1 body2 anchor relpose site1 site2 torquescale"]),
    ("equality", "joint", &[SOLVER, "joint1 joint2 polycoef"]),
    ("equality", "tendon", &[SOLVER, "tendon1 tendon2 polycoef"]),
    ("tendon", "fixed", &[TENDON]),
    ("tendon", "spatial", &[TENDON]),
    ("actuator", "", &[ACTUATOR]),
    ("keyframe", "key", &["name time qpos qvel act mpos mquat ctrl plastic"]),
];

/// Tells attributes of these elements that MJCF has not.
pub(super) fn tell_unknown(root: &Element, told: &mut Told) -> Result<()> {
    for section in &root.children {
        below(section, "mujoco", told)?;
    }
    Ok(())
}

/// The depth is bounded by the parser.
fn below(e: &Element, parent: &str, told: &mut Told) -> Result<()> {
    let here = match parent {
        "worldbody" | "frame" | "replicate" => "body",
        other => other,
    };
    if let Some((_, _, lists)) =
        KNOWN.iter().find(|(section, tag, _)| *section == here && (*tag == e.tag || tag.is_empty()))
    {
        let attributes: Vec<&str> = lists.iter().flat_map(|list| list.split_whitespace()).collect();
        let children: Vec<&str> = e.children.iter().map(|c| c.tag.as_str()).collect();
        e.allow(told, &attributes, &children)?;
    }
    let followed =
        ["option", "asset", "worldbody", "body", "frame", "replicate", "equality", "tendon", "actuator", "keyframe"];
    if followed.contains(&e.tag.as_str()) {
        e.children.iter().try_for_each(|c| below(c, &e.tag, told))?;
    }
    Ok(())
}
