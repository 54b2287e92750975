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

use super::foreign::{element, Element, Folder, Told};
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

/// Reads the model or the world of an SDF text; where `strict`, what is doubtful is an error.
pub fn read(source: &Arc<Source>, folder: &Path, strict: bool) -> Result<Imported> {
    let mut told = Told::new(strict);
    let mut root = element::load(source)?;
    if root.tag != "sdf" {
        return Err(root.error(format!("the outermost element is <{}>, an SDF has <sdf>", root.tag)));
    }
    let version = root.get("version").and_then(|v| v.strip_prefix("1.")?.parse::<u32>().ok());
    if !version.is_some_and(|v| (7..=11).contains(&v)) {
        let error = Error::new("a version other than 1.7 to 1.11").at(&root.span);
        told.doubt(error, "read as 1.11, in which poses and axes may count from other frames")?;
    }
    include(&mut root, &mut Folder::new(folder), 0)?;
    let world = root.child("world");
    let models: Vec<&Element> = world.unwrap_or(&root).all("model").collect();
    if models.is_empty() {
        return Err(root.error("there is no model in it"));
    }
    let scene = frames::Scene::new(world.unwrap_or(&root), &models, &mut told)?;
    let tree = emit::document(&scene, world, &mut told)?;
    Ok(Imported { tree, warnings: told.finish() })
}

/// Puts the model of another file where it is included, with the name and pose that are given there.
fn include(element: &mut Element, folder: &mut Folder, depth: usize) -> Result<()> {
    const DEEPEST: usize = 20;
    for child in &mut element.children {
        if child.tag != "include" {
            if ["world", "model"].contains(&child.tag.as_str()) {
                include(child, folder, depth)?;
            }
            continue;
        }
        if depth >= DEEPEST {
            return Err(child.error("models include each other too deeply, or in a circle"));
        }
        let uri = child.child("uri").ok_or_else(|| child.error("<include> has no <uri>"))?;
        let path = uri.text.strip_prefix("model://").or(uri.text.strip_prefix("file://")).unwrap_or(&uri.text);
        let file =
            if path.ends_with(".sdf") { path.to_string() } else { format!("{}/model.sdf", path.trim_end_matches('/')) };
        let mut other = element::load(&folder.text(&file, &uri.span)?)?;
        include(&mut other, folder, depth + 1)?;
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
