//! `<include file>`: the children of the other file's outermost element stand in its place.

use crate::foreign::{element, Element, Folder, Told};
use biela_base::error::Result;
use biela_base::source::Source;
use std::sync::Arc;

pub(super) fn load(source: &Arc<Source>, folder: &mut Folder, told: &mut Told) -> Result<Element> {
    let mut root = element::load(source, told)?;
    expand(&mut root, folder, told, 0)?;
    Ok(root)
}

fn expand(element: &mut Element, folder: &mut Folder, told: &mut Told, depth: usize) -> Result<()> {
    // Files within files; elements within one file are bounded by the parser.
    const DEEPEST: usize = 20;
    if !element.children.iter().any(|c| c.tag == "include") {
        return element.children.iter_mut().try_for_each(|c| expand(c, folder, told, depth));
    }
    let mut children = Vec::new();
    for mut child in std::mem::take(&mut element.children) {
        if child.tag != "include" {
            expand(&mut child, folder, told, depth)?;
            children.push(child);
            continue;
        }
        if depth >= DEEPEST {
            return Err(child.error("files include each other too deeply, or in a circle"));
        }
        let file = child.attribute("file").ok_or_else(|| child.error("<include> names no file"))?;
        let missing = || child.error(format!("there is no file '{}'", file.value));
        let text = folder.text(&file.value, &file.span)?.ok_or_else(missing)?;
        let mut other = element::load(&text, told)?;
        expand(&mut other, folder, told, depth + 1)?;
        children.append(&mut other.children);
    }
    element.children = children;
    Ok(())
}
