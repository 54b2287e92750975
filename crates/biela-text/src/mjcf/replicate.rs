//! `<replicate count offset euler sep>`: the children so many times, each time moved and turned once more, with a number behind their names. Inner ones
//! come first, so that theirs stand before the outer ones'. What names a copied element in `<equality>`, `<tendon>` and `<actuator>` is copied with it.

#![allow(non_snake_case)] // Poses are capital letters: X (docs/notation.md).

use super::reference::{gather, names_any, set, words, MOVING};
use super::{Compiler, MOST};
use crate::foreign::{Element, Told};
use biela_base::error::Result;
use biela_math::{Pose, Vec3};
use std::collections::HashSet;

/// Elements at most that all of them make together.
const MOST_COPIES: usize = 10 * MOST;
/// Sections whose elements follow what they name.
const SECTIONS: &[&str] = &["equality", "tendon", "actuator"];

/// Puts copies in place of all <replicate> in the world.
pub(super) fn expand(root: &mut Element, compiler: &Compiler, told: &mut Told) -> Result<()> {
    let mut copies = Copies { compiler, made: 0, sections: Vec::new() };
    let (mut worlds, others): (Vec<_>, Vec<_>) =
        std::mem::take(&mut root.children).into_iter().partition(|c| c.tag == "worldbody");
    let (sections, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|c| SECTIONS.contains(&c.tag.as_str()));
    copies.sections = sections;
    let done = worlds.iter_mut().try_for_each(|world| copies.within(world, told));
    root.children = others.into_iter().chain(worlds).chain(copies.sections).collect();
    done
}

struct Copies<'c> {
    compiler: &'c Compiler,
    made: usize,
    sections: Vec<Element>,
}

impl Copies<'_> {
    /// The depth is bounded by the parser.
    fn within(&mut self, e: &mut Element, told: &mut Told) -> Result<()> {
        let mut children = Vec::with_capacity(e.children.len());
        for mut child in std::mem::take(&mut e.children) {
            self.within(&mut child, told)?;
            match child.tag.as_str() {
                "replicate" => self.copy(&child, &mut children, told)?,
                _ => children.push(child),
            }
        }
        e.children = children;
        Ok(())
    }

    fn copy(&mut self, e: &Element, out: &mut Vec<Element>, told: &mut Told) -> Result<()> {
        let tags: Vec<&str> = e.children.iter().map(|c| c.tag.as_str()).collect();
        e.allow(told, &["count", "offset", "euler", "sep"], &tags)?;
        let count = e.number("count")?.filter(|n| *n >= 0.0 && n.fract() == 0.0 && *n <= MOST as f64);
        let count = count.ok_or_else(|| e.error(format!("'count' is a whole number up to {MOST}")))? as usize;
        let mut names = HashSet::new();
        e.children.iter().for_each(|c| gather(c, &mut names));
        self.made += count.saturating_mul(size(e));
        if self.made > MOST_COPIES {
            return Err(e.error(format!("<replicate> makes more than {MOST_COPIES} elements")));
        }
        let digits = count.saturating_sub(1).to_string().len();
        let endings: Vec<String> =
            (0..count).map(|k| format!("{}{k:0digits$}", e.get("sep").unwrap_or_default())).collect();
        let step = Pose::new(self.compiler.rotation(e)?, e.vector("offset")?.unwrap_or(Vec3::ZERO));
        let mut X = Pose::IDENTITY;
        for ending in &endings {
            let mut frame = Element { tag: "frame".into(), attributes: Vec::new(), ..numbered(e, ending) };
            set(&mut frame, "pos", words(&X.origin.to_array()));
            set(&mut frame, "quat", words(&X.rotation.euler_parameters().0));
            out.push(frame);
            X = X * step;
        }
        self.follow(e, names, &endings)
    }

    /// Copies what names one of these; a tendon that is copied is named by others in turn.
    fn follow(&mut self, e: &Element, mut names: HashSet<String>, endings: &[String]) -> Result<()> {
        // Tendons stand before what names them.
        self.sections.sort_by_key(|s| s.tag != "tendon");
        for section in &mut self.sections {
            let mut children = Vec::with_capacity(section.children.len());
            for child in std::mem::take(&mut section.children) {
                if !names_any(&child, &names) {
                    children.push(child);
                    continue;
                }
                self.made += endings.len().saturating_mul(size(&child));
                if self.made > MOST_COPIES {
                    return Err(e.error(format!("<replicate> makes more than {MOST_COPIES} elements")));
                }
                children.extend(endings.iter().map(|ending| {
                    let mut copy = referring(&child, &names, ending);
                    copy.attributes.iter_mut().filter(|a| a.name == "name").for_each(|a| a.value.push_str(ending));
                    copy
                }));
                if section.tag == "tendon" {
                    names.extend(child.get("name").map(str::to_string));
                }
            }
            section.children = children;
        }
        Ok(())
    }
}

/// Elements in an element, itself among them; the depth is bounded by the parser.
fn size(e: &Element) -> usize {
    1 + e.children.iter().map(size).sum::<usize>()
}

/// The element with an ending behind its name and those of all within it.
fn numbered(e: &Element, ending: &str) -> Element {
    let mut copy = e.clone();
    copy.attributes.iter_mut().filter(|a| a.name == "name").for_each(|a| a.value.push_str(ending));
    copy.children = e.children.iter().map(|c| numbered(c, ending)).collect();
    copy
}

/// The element with an ending behind all that it names among these.
fn referring(e: &Element, names: &HashSet<String>, ending: &str) -> Element {
    let mut copy = e.clone();
    let named = copy.attributes.iter_mut().filter(|a| MOVING.contains(&a.name.as_str()) && names.contains(&a.value));
    named.for_each(|a| a.value.push_str(ending));
    copy.children = e.children.iter().map(|c| referring(c, names, ending)).collect();
    copy
}
