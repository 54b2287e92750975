//! `<attach model body prefix>`: a body of another model, or all that stands in its world, with the prefix before its names.
//!
//! What the other model's `<compiler>` and classes say is its own: its classes come along as they are, under names of their own and below none of
//! this model's; angles are turned into this model's; meshes are looked for where they lie. Its equalities, tendons and actuators come along where all
//! that they name does.

use super::defaults::{self, Classes, DETACHED, MAIN};
use super::reference::{gather, set, words, MOVING};
use super::{include, known, replicate, Compiler};
use crate::foreign::element::Attribute;
use crate::foreign::{Element, Folder, Told};
use biela_base::error::{Error, Result};
use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;
use std::path::Path;

/// Where a mesh lies, by an attribute that no file can have, since names of attributes have no blanks.
pub(super) const MESHES: &str = "folder of meshes";

/// Attributes that are names, or name something.
const NAMES: &[&str] = &[
    "name",
    "class",
    "childclass",
    "mesh",
    "material",
    "hfield",
    "texture",
    "joint",
    "joint1",
    "joint2",
    "jointinparent",
    "body",
    "body1",
    "body2",
    "site",
    "site1",
    "site2",
    "tendon",
    "tendon1",
    "tendon2",
    "slidersite",
    "cranksite",
    "refsite",
    "geom",
    "sidesite",
    "target",
];

/// A model that others are attached from.
struct Part {
    root: Element,
    compiler: Compiler,
    classes: Classes,
}

/// Puts what is attached in its place; `host` is how the model itself counts.
pub(super) fn expand(
    root: &mut Element,
    host: &Compiler,
    folder: &mut Folder,
    told: &mut Told,
    depth: usize,
) -> Result<()> {
    // Models within models.
    const DEEPEST: usize = 8;
    let mut calls = Vec::new();
    root.all("worldbody").for_each(|w| collect(w, &mut calls));
    if calls.is_empty() {
        return Ok(());
    }
    if depth >= DEEPEST {
        return Err(calls[0].error("models are attached to each other too deeply, or in a circle"));
    }
    let mut files = HashMap::new();
    for asset in root.all("asset").flat_map(|a| a.all("model")) {
        let file = asset.attribute("file").ok_or_else(|| asset.error("<model> names no file"))?;
        files.insert(asset.get("name").unwrap_or(&file.value).to_string(), file.clone());
    }
    let (mut parts, mut made): (HashMap<String, Part>, HashMap<String, Element>) = (HashMap::new(), HashMap::new());
    for call in &calls {
        let [model, prefix] = ["model", "prefix"].map(|key| call.get(key));
        let model = model.ok_or_else(|| call.error("<attach> names no model"))?;
        let prefix = prefix.ok_or_else(|| call.error("<attach> has no prefix"))?;
        if !parts.contains_key(model) {
            let file = files.get(model).ok_or_else(|| call.error(format!("there is no model '{model}' in <asset>")))?;
            let part = read(file, folder, told, depth)?;
            parts.insert(model.to_string(), part);
        }
        let part = &parts[model];
        let attached = attached(part, call, host)?;
        let mut names = HashSet::from(["world".to_string()]);
        gather(&attached, &mut names);
        root.children.extend(sections(part, prefix, host, &names, told)?);
        if made.insert(prefix.to_string(), prefixed(attached, prefix)).is_some() {
            return Err(call.error(format!("two models are attached with the prefix '{prefix}'")));
        }
    }
    root.children.iter_mut().filter(|c| c.tag == "worldbody").for_each(|w| put(w, &mut made));
    Ok(())
}

/// Every <attach>, in the order of the file; the depth is bounded by the parser.
fn collect(e: &Element, out: &mut Vec<Element>) {
    for child in &e.children {
        match child.tag.as_str() {
            "attach" => out.push(child.clone()),
            _ => collect(child, out),
        }
    }
}

fn put(e: &mut Element, made: &mut HashMap<String, Element>) {
    for child in &mut e.children {
        match child.tag.as_str() {
            "attach" => {
                if let Some(found) = child.get("prefix").and_then(|p| made.remove(p)) {
                    *child = found;
                }
            }
            _ => put(child, made),
        }
    }
}

fn read(file: &Attribute, folder: &mut Folder, told: &mut Told, depth: usize) -> Result<Part> {
    let missing = || Error::new(format!("there is no file '{}'", file.value)).of("<model>").at(&file.span);
    let text = folder.text(&file.value, &file.span)?.ok_or_else(missing)?;
    let mut root = include::load(&text, folder, told)?;
    if root.tag != "mujoco" {
        return Err(root.error("an attached model has <mujoco> as its outermost element"));
    }
    known::tell_unknown(&root, told)?;
    let mut compiler = super::compiler(&root, told)?;
    expand(&mut root, &compiler, folder, told, depth + 1)?;
    replicate::expand(&mut root, &compiler, told)?;
    let own = Path::new(&file.value).parent().map(Path::to_path_buf).unwrap_or_default();
    compiler.mesh_folder = own.join(&compiler.mesh_folder).to_string_lossy().into_owned();
    let classes = defaults::read(&root)?;
    Ok(Part { root, compiler, classes })
}

/// The body that is asked for, or all of the world in a frame, with the classes that it would have where it stood.
fn attached(part: &Part, call: &Element, host: &Compiler) -> Result<Element> {
    let found = match call.get("body") {
        Some(name) => part.root.all("worldbody").find_map(|w| body(w, name, w.get("childclass").unwrap_or(MAIN))),
        None => {
            let children = part.root.all("worldbody").flat_map(|w| w.children.clone()).collect();
            Some((Element { tag: "frame".into(), attributes: Vec::new(), children, ..call.clone() }, MAIN.to_string()))
        }
    };
    let missing = || call.error(format!("there is no body '{}' in the attached model", call.get("body").unwrap_or("")));
    let (mut found, class) = found.ok_or_else(missing)?;
    counted(&mut found, part, host, &class)?;
    if found.get("childclass").is_none() {
        set(&mut found, "childclass", class);
    }
    Ok(found)
}

/// A body by its name, and the class that is inherited where it stands.
fn body(e: &Element, name: &str, class: &str) -> Option<(Element, String)> {
    e.children.iter().find_map(|c| match c.tag.as_str() {
        "body" if c.get("name") == Some(name) => Some((c.clone(), class.to_string())),
        _ => body(c, name, c.get("childclass").unwrap_or(class)),
    })
}

/// Turns angles into those of the model it is attached to.
fn counted(e: &mut Element, part: &Part, host: &Compiler, class: &str) -> Result<()> {
    let (own, same) = (&part.compiler, part.compiler.degrees == host.degrees);
    if same && own.sequence == host.sequence {
        return Ok(());
    }
    let class = e.get("childclass").unwrap_or(class).to_string();
    if e.attributes.iter().any(|a| ["euler", "axisangle"].contains(&a.name.as_str())) {
        let q = own.rotation(e)?.euler_parameters().0;
        e.attributes.retain(|a| !["euler", "axisangle"].contains(&a.name.as_str()));
        set(e, "quat", words(&q));
    }
    if e.tag == "joint" && !same {
        let filled = part.classes.filled(e, &class)?;
        let turns = ["hinge", "ball"].contains(&filled.get("type").unwrap_or("hinge"));
        for name in ["range", "ref", "springref"] {
            if let Some(values) = filled.numbers(name)?.filter(|_| turns) {
                let unit = if host.degrees { PI / 180.0 } else { 1.0 };
                let values: Vec<f64> = values.into_iter().map(|x| own.angle(x) / unit).collect();
                set(e, name, words(&values));
            }
        }
    }
    e.children.iter_mut().try_for_each(|c| counted(c, part, host, &class))
}

/// What comes along: classes, assets, and what ties or moves nothing but what is attached.
fn sections(
    part: &Part,
    prefix: &str,
    host: &Compiler,
    names: &HashSet<String>,
    told: &mut Told,
) -> Result<Vec<Element>> {
    let root = &part.root;
    differences(part, host, told)?;
    let empty = |tag: &str| Element {
        tag: tag.into(),
        attributes: Vec::new(),
        text: String::new(),
        children: Vec::new(),
        span: root.span.clone(),
    };
    let mut classes = empty("default");
    for e in root.all("default") {
        match e.get("class").unwrap_or(MAIN) {
            MAIN => classes.children.extend(e.children.iter().cloned()),
            _ => classes.children.push(e.clone()),
        }
    }
    set(&mut classes, "class", MAIN.into());
    let mut classes = prefixed(classes, prefix);
    set(&mut classes, DETACHED, String::new());
    let mut out = vec![classes];
    let mut known = names.clone();
    for tag in ["asset", "tendon", "equality", "actuator"] {
        let mut section = empty(tag);
        for e in root.all(tag).flat_map(|s| &s.children) {
            if tag == "asset" && e.tag == "model" || tag != "asset" && !moves_these(e, &known) {
                continue;
            }
            let mut e = e.clone();
            if e.tag == "mesh" {
                let stem = Path::new(e.get("file").unwrap_or("")).file_stem().map(|s| s.to_string_lossy().into_owned());
                if let (None, Some(stem)) = (e.get("name"), stem) {
                    set(&mut e, "name", stem);
                }
            }
            if tag == "tendon" {
                known.extend(e.get("name").map(str::to_string));
            }
            if e.get("class").is_none() {
                set(&mut e, "class", MAIN.into());
            }
            let mut e = prefixed(e, prefix);
            if e.tag == "mesh" && e.get(MESHES).is_none() {
                set(&mut e, MESHES, part.compiler.mesh_folder.clone());
            }
            section.children.push(e);
        }
        out.push(section);
    }
    if let Some(e) = root.child("keyframe") {
        told.unused(&e.span, "keyframes of attached models are not used");
    }
    Ok(out)
}

/// Whether all that it names moves with what is attached.
fn moves_these(e: &Element, names: &HashSet<String>) -> bool {
    let own = e.attributes.iter().filter(|a| MOVING.contains(&a.name.as_str())).all(|a| names.contains(&a.value));
    own && e.children.iter().all(|c| moves_these(c, names))
}

/// Tells what the attached model says of all its bodies and this model does not.
fn differences(part: &Part, host: &Compiler, told: &mut Told) -> Result<()> {
    let own = &part.compiler;
    let differ = [
        ("autolimits", own.autolimits != host.autolimits),
        ("inertiafromgeom", own.from_geoms != host.from_geoms),
        ("inertiagrouprange", own.groups != host.groups),
        ("boundmass", own.least_mass != host.least_mass),
        ("settotalmass", own.total_mass != host.total_mass),
        ("exactmeshinertia", own.exact_meshes != host.exact_meshes),
        ("coordinate", own.global != host.global),
    ];
    for (name, _) in differ.into_iter().filter(|d| d.1) {
        let error = Error::new(format!("'{name}' of an attached model's <compiler>")).at(&part.root.span);
        told.doubt(error, "as the model says to which it is attached")?;
    }
    Ok(())
}

fn prefixed(mut e: Element, prefix: &str) -> Element {
    for a in e.attributes.iter_mut().filter(|a| NAMES.contains(&a.name.as_str()) && a.value != "world") {
        a.value.insert_str(0, prefix);
    }
    e.children = e.children.into_iter().map(|c| prefixed(c, prefix)).collect();
    e
}
