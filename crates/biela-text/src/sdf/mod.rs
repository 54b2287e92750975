//! Reads SDF (1.7 to 1.11), the models of Gazebo: worlds, nested models, links, joints, frames, loops.
//!
//! Every link becomes a body and every joint a joint; whether they form a tree or loops makes no difference. Poses are resolved along
//! `relative_to` and `attached_to`. Parts that no joint holds to the world float on a free joint. `docs/sdf.md` tells the mapping in full; what is
//! not read is told.

mod emit;
mod frames;
mod joints;
mod links;
mod tables;

use super::context::Options;
use super::foreign::{element, flatten_planar_loops, Element, Folder, Told};
use super::imported::Imported;
use biela_base::error::{Error, Result};
use biela_base::source::Source;
use std::path::Path;
use std::sync::Arc;

/// Elements of a world, of a model, that have no part in the mechanics.
const ASIDE: &[&str] = &[
    "physics",
    "scene",
    "light",
    "gui",
    "plugin",
    "atmosphere",
    "wind",
    "magnetic_field",
    "spherical_coordinates",
    "audio",
    "state",
    "road",
    "population",
    "actor",
    "self_collide",
    "allow_auto_disable",
    "enable_wind",
    "gripper",
    "static",
    "gravity",
    "pose",
    "frame",
    "link",
    "joint",
    "model",
    "include",
    "model_state",
];

/// Up to version 1.4 axes of joints stand in the frame of their model, as `use_parent_model_frame` says in 1.5 and 1.6.
fn axes_of_models(e: &mut Element, depth: usize) {
    // As deep as the parser lets elements stand in each other.
    const DEEPEST: usize = 400;
    for child in e.children.iter_mut().filter(|_| depth < DEEPEST) {
        axes_of_models(child, depth + 1);
    }
    if e.tag == "joint" {
        for axis in e.children.iter_mut().filter(|c| ["axis", "axis2"].contains(&c.tag.as_str())) {
            let span = axis.span.clone();
            let text = "true".to_string();
            let (attributes, children) = (Vec::new(), Vec::new());
            axis.children.push(Element { tag: "use_parent_model_frame".into(), attributes, text, children, span });
        }
    }
}

/// Reads the model or the world of an SDF text in a folder. Of the options `strict` and `confined` count.
pub fn read(source: &Arc<Source>, folder: &Path, options: &Options) -> Result<Imported> {
    let mut told = Told::new(options.strict);
    let mut root = element::load(source, &mut told)?;
    if root.tag == "gazebo" {
        told.doubt(Error::new("<gazebo>, which SDF had before 1.3").at(&root.span), "read as <sdf>")?;
    } else if root.tag != "sdf" {
        return Err(root.error(format!("the outermost element is <{}>, an SDF has <sdf>", root.tag)));
    }
    let version = root.get("version").and_then(|v| v.strip_prefix("1.")?.parse::<u32>().ok());
    if !version.is_some_and(|v| (7..=11).contains(&v)) {
        let error = Error::new("a version other than 1.7 to 1.11").at(&root.span);
        told.doubt(error, "read as 1.11, with what later versions changed")?;
    }
    if version.is_some_and(|v| v <= 4) {
        axes_of_models(&mut root, 0);
    }
    let mut folder = Folder::new(folder, options.confined);
    include(&mut root, &mut folder, &mut told, 0)?;
    let world = root.child("world");
    let models: Vec<&Element> = world.unwrap_or(&root).all("model").collect();
    if models.is_empty() {
        let error = root.error("there is no model in it");
        let includes = world.unwrap_or(&root).child("include").is_some();
        return Err(if includes { error.note("what it includes is not found") } else { error });
    }
    let scene = frames::Scene::new(world.unwrap_or(&root), &models, &mut told)?;
    let mut tree = emit::document(&scene, world, &folder, &mut told)?;
    flatten_planar_loops(&mut tree, &mut told)?;
    Ok(Imported { tree, warnings: told.finish() })
}

/// Puts the model of another file where it is included, with the name and pose that are given there. One that is not found is told, and left
/// out: worlds name models of a library, such as the sun and the ground plane.
fn include(element: &mut Element, folder: &mut Folder, told: &mut Told, depth: usize) -> Result<()> {
    const DEEPEST: usize = 20;
    for child in &mut element.children {
        if child.tag != "include" {
            if ["world", "model"].contains(&child.tag.as_str()) {
                include(child, folder, told, depth)?;
            }
            continue;
        }
        if depth >= DEEPEST {
            return Err(child.error("models include each other too deeply, or in a circle"));
        }
        let uri = child.child("uri").ok_or_else(|| child.error("<include> has no <uri>"))?;
        let file = match uri.text.ends_with(".sdf") || uri.text.ends_with(".urdf") {
            true => uri.text.clone(),
            false => format!("{}/model.sdf", uri.text.trim_end_matches('/')),
        };
        let found = if file.starts_with("http") { None } else { folder.text(&file, &uri.span)? };
        let Some(text) = found else {
            let error = Error::new("a model that is included is not found").at(&uri.span);
            let looked = format!("looked for '{file}' beside and above the file, and in GZ_SIM_RESOURCE_PATH");
            told.doubt(error.note(looked), "left out")?;
            continue;
        };
        let mut other = element::load(&text, told)?;
        include(&mut other, folder, told, depth + 1)?;
        let model = other.children.into_iter().find(|c| c.tag == "model");
        let mut model = model.ok_or_else(|| child.error(format!("'{file}' has no model")))?;
        if let Some(name) = child.child("name") {
            model.attributes.retain(|a| a.name != "name");
            let name = element::Attribute { name: "name".into(), value: name.text.clone(), span: name.span.clone() };
            model.attributes.push(name);
        }
        for (tag, attribute) in [("pose", false), ("static", false), ("placement_frame", true)] {
            let Some(given) = child.child(tag) else { continue };
            if attribute {
                model.attributes.retain(|a| a.name != tag);
                model.attributes.push(element::Attribute {
                    name: tag.into(),
                    value: given.text.clone(),
                    span: given.span.clone(),
                });
            } else {
                model.children.retain(|c| c.tag != tag);
                model.children.push(given.clone());
            }
        }
        *child = model;
    }
    Ok(())
}
