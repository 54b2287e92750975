//! Equalities: points that coincide, bodies that are welded, coordinates that follow each other.

#![allow(non_snake_case)] // Frames are capital letters: X_PB (docs/notation.md).

use super::bodies::{joint_name, Joint, World};
use super::defaults::MAIN;
use super::tables::{add, grounded_rotor, Tables};
use super::MOST;
use crate::foreign::{Element, Told};
use crate::nodes::{joint_frames, pair, unused};
use crate::reader::plain_name;
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::{EulerParameters, Pose, Vec3};

pub(super) fn read(world: &World, root: &Element, out: &mut Tables, told: &mut Told) -> Result<()> {
    let poses = world.poses();
    for (count, given) in root.all("equality").flat_map(|e| &e.children).enumerate() {
        if count > MOST {
            return Err(given.error(format!("there are more than {MOST} equalities")));
        }
        let e = &world.classes.filled(given, MAIN)?;
        if e.get("active").is_some_and(|a| a == "false") || !world.compiler.acts("equality") {
            told.unused(&e.span, "equalities that are not active are not read");
            continue;
        }
        match e.tag.as_str() {
            "connect" | "weld" => closing(world, &poses, e, out)?,
            "joint" => {
                let one = |key: &str| e.get(key).map(|name| joint(world, e, name)).transpose();
                let first = one("joint1")?.ok_or_else(|| e.error("'joint1' is missing"))?;
                let terms = |j: &Joint| term(j).map(|name| vec![(1.0, name, j.reference)]);
                let (Some(a), second) = (terms(first), one("joint2")?) else {
                    told.doubt(Error::new("an equality of ball joints").at(&e.span), "not read, it does not hold")?;
                    continue;
                };
                relation(e, a, second.map(|j| terms(j).unwrap_or_default()), out)?;
            }
            "tendon" => {
                let one = |key: &str| e.get(key).map(|name| tendon(world, root, e, name)).transpose();
                match (one("tendon1")?, one("tendon2")?) {
                    (Some(Some(a)), second) if second.as_ref().is_none_or(Option::is_some) => {
                        relation(e, a, second.flatten(), out)?
                    }
                    _ => told.doubt(
                        Error::new("an equality of tendons that are not fixed").at(&e.span),
                        "not read, it does not hold",
                    )?,
                }
            }
            tag => told.doubt(Error::new(format!("an equality <{tag}>")).at(&e.span), "not read, it does not hold")?,
        }
    }
    for given in root.all("tendon").flat_map(|t| &t.children) {
        let e = &world.classes.filled(given, MAIN)?;
        let armature = e.number("armature")?.unwrap_or(0.0);
        if armature != 0.0 {
            self::armature(world, root, e, armature, out, told)?;
        }
        let pulls =
            ["stiffness", "damping", "frictionloss"].iter().any(|k| e.get(k).is_some_and(|v| v.parse() != Ok(0.0)));
        match pulls {
            true => told.doubt(Error::new("a tendon that pulls").at(&e.span), "not read, its force is missing")?,
            false => told.unused(&e.span, "tendons act where an equality or an actuator names them, and nowhere else"),
        }
    }
    Ok(())
}

/// The inertia of a fixed tendon: a rotor on the ground that turns as it is wound.
fn armature(world: &World, root: &Element, e: &Element, inertia: f64, out: &mut Tables, told: &mut Told) -> Result<()> {
    let terms = match e.get("name") {
        Some(name) if e.tag == "fixed" => tendon(world, root, e, name)?,
        _ => None,
    };
    let Some(terms) = terms.filter(|terms| !terms.is_empty()) else {
        return told.doubt(Error::new("the armature of a tendon").at(&e.span), "not read, its inertia is missing");
    };
    let sum: Vec<String> = terms.iter().map(|(k, name, _)| format!("({k:?})*{name}")).collect();
    let wish = format!("{}_armature", plain_name(e.get("name").unwrap_or_default()));
    let name = unused(&wish, &mut out.names);
    add(&mut out.rotors, &name, &e.span, grounded_rotor(inertia, sum.join(" + ")));
    Ok(())
}

/// `connect` and `weld`, between bodies or between sites.
fn closing(world: &World, poses: &[Pose], e: &Element, out: &mut Tables) -> Result<()> {
    let weld = e.tag == "weld";
    let (ends, X) = if let (Some(a), Some(b)) = (e.get("site1"), e.get("site2")) {
        let site = |name: &str| world.sites.get(name).ok_or_else(|| e.error(format!("there is no site '{name}'")));
        let (a, b) = (site(a)?, site(b)?);
        ([a.0, b.0], [a.1, b.1])
    } else {
        let body = |key: &str| match e.get(key) {
            Some("world") | None => Ok(0),
            Some(name) => body_of(world, e, name),
        };
        let (a, b) = (body("body1")?, body("body2")?);
        let between = poses[b].inverse() * poses[a];
        let relative = e.numbers("relpose")?.filter(|r| r.len() == 7 && r[3..].iter().any(|x| *x != 0.0));
        match (weld, relative) {
            // Where body 2 is in body 1.
            (true, Some(r)) => {
                let R = EulerParameters([r[3], r[4], r[5], r[6]]).normalised().rotation();
                ([a, b], [Pose::new(R, Vec3::new(r[0], r[1], r[2])), Pose::IDENTITY])
            }
            (true, None) => ([a, b], [poses[a].inverse() * poses[b], Pose::IDENTITY]),
            (false, _) => {
                let anchor = e.vector("anchor")?.ok_or_else(|| e.error("'anchor' is missing"))?;
                let anchor = if world.compiler.global { poses[a].apply_inverse(anchor) } else { anchor };
                ([a, b], [Pose::translation(anchor), Pose::translation(between.apply(anchor))])
            }
        }
    };
    let mut keys = Table::default();
    keys.set("type", if weld { "fixed" } else { "spherical" });
    let name = |k: usize| Node::from(world.list[ends[k]].name.as_str());
    keys.set("bodies", pair(name(0), name(1)));
    joint_frames(&mut keys, &X[0], &X[1], Vec3::Z, [Some(&e.span); 2]);
    if !weld {
        keys.entries.retain(|k| k.key != "axis" && k.key != "x");
    }
    let wish = plain_name(e.get("name").unwrap_or(&format!("{}_{}", e.tag, world.list[ends[0]].name)));
    add(&mut out.joints, &unused(&wish, &mut out.names), &e.span, keys);
    Ok(())
}

fn body_of(world: &World, e: &Element, name: &str) -> Result<usize> {
    let plain = plain_name(name);
    let found = world.list.iter().position(|b| b.name == plain);
    found.ok_or_else(|| {
        e.error(format!("there is no body '{name}'")).suggest(name, world.list.iter().map(|b| b.name.as_str()))
    })
}

pub(super) fn joint<'w>(world: &'w World, e: &Element, name: &str) -> Result<&'w Joint> {
    let plain = joint_name(name);
    let mut all = world.list.iter().flat_map(|b| &b.joints);
    all.find(|j| j.name == plain).ok_or_else(|| e.error(format!("there is no joint '{name}'")))
}

/// A coordinate as a plain number in expressions.
pub(super) fn term(j: &Joint) -> Option<String> {
    let name = signal_name::join(&j.name, j.coordinate()?);
    Some(if j.coordinate() == Some("slide") { format!("{name}/(1 m)") } else { name })
}

/// A fixed tendon: factors of coordinates.
pub(super) fn tendon(
    world: &World,
    root: &Element,
    e: &Element,
    name: &str,
) -> Result<Option<Vec<(f64, String, f64)>>> {
    let found = root.all("tendon").flat_map(|t| &t.children).find(|t| t.get("name") == Some(name));
    let found = found.ok_or_else(|| e.error(format!("there is no tendon '{name}'")))?;
    if found.tag != "fixed" {
        return Ok(None);
    }
    let mut terms = Vec::new();
    for part in found.all("joint") {
        let j = joint(world, part, part.get("joint").unwrap_or_default())?;
        let Some(name) = term(j) else { return Ok(None) };
        terms.push((part.number("coef")?.unwrap_or(0.0), name, j.reference));
    }
    Ok(Some(terms))
}

type Terms = Vec<(f64, String, f64)>;

/// Σ first − its start = polynomial(Σ second − its start).
fn relation(e: &Element, first: Terms, second: Option<Terms>, out: &mut Tables) -> Result<()> {
    let coefficients = e.numbers("polycoef")?.unwrap_or_else(|| vec![0.0, 1.0, 0.0, 0.0, 0.0]);
    let c = |k: usize| coefficients.get(k).copied().unwrap_or(0.0);
    let wish = match e.get("name") {
        Some(name) => plain_name(name),
        None => format!("{}_equality", e.get("joint1").or(e.get("tendon1")).map(plain_name).unwrap_or_default()),
    };
    let name = unused(&wish, &mut out.names);
    let mut keys = Table::default();
    let linear = (2..5).all(|k| c(k) == 0.0);
    if let ([(ka, a, qa)], Some([(kb, b, qb)]), true) = (&first[..], second.as_deref(), linear && c(1) != 0.0) {
        let ratio = c(1) * kb / ka;
        // Angles follow angles and slides slides; what is mixed is written as an expression.
        if a.ends_with("(1 m)") == b.ends_with("(1 m)") {
            let plain = |t: &str| Node::from(t.trim_end_matches("/(1 m)"));
            keys.set("type", "gear");
            keys.set("joints", pair(plain(b), plain(a)));
            keys.set("ratio", ratio);
            let offset = c(0) / ka + qa - ratio * qb;
            if offset != 0.0 {
                keys.set("offset", offset);
            }
            add(&mut out.couplings, &name, &e.span, keys);
            return Ok(());
        }
    }
    let sum = |terms: &Terms| {
        let one = |(k, name, q): &(f64, String, f64)| format!("({k:?})*({name} - ({q:?}))");
        terms.iter().map(one).collect::<Vec<_>>().join(" + ")
    };
    let right = match &second {
        None => format!("{:?}", c(0)),
        Some(terms) => {
            let x = sum(terms);
            (0..5)
                .filter(|k| c(*k) != 0.0 || *k == 0)
                .map(|k| if k == 0 { format!("({:?})", c(0)) } else { format!("({:?})*({x})^{k}", c(k)) })
                .collect::<Vec<_>>()
                .join(" + ")
        }
    };
    keys.set("type", "coupling");
    keys.set("value", format!("{} - ({right})", sum(&first)));
    add(&mut out.couplings, &name, &e.span, keys);
    Ok(())
}
