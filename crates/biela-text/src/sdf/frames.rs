//! Frames and what they count from: links, joints, named frames and nested models, resolved into poses in the world.

#![allow(non_snake_case)] // Frames are capital letters: X_WL (docs/notation.md).

use super::ASIDE;
use crate::foreign::{Element, Told};
use crate::reader::plain_name;
use biela_base::error::{Error, Result};
use biela_math::{EulerParameters, Pose, Rotation, Vec3};
use std::collections::HashMap;
use std::f64::consts::PI;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    World,
    Model,
    Link,
    Joint,
    Frame,
}

/// A frame of the scene by its full name.
pub(super) struct Frame<'e> {
    pub kind: Kind,
    pub name: String,
    /// The model it stands in.
    pub scope: String,
    /// Pose, and the full name of what it counts from.
    X: Pose,
    relative_to: String,
    /// What it moves with.
    attached_to: String,
    pub element: &'e Element,
    /// Whether it stands in a model that does not move.
    pub fixed: bool,
}

pub(super) struct Scene<'e> {
    pub list: Vec<Frame<'e>>,
    by_name: HashMap<String, usize>,
    /// Poses in the world, as far as they are resolved.
    pub poses: Vec<Pose>,
}

/// The name that separates scopes.
pub(super) const SCOPE: &str = "::";
const WORLD: &str = "world";

/// A name within a scope.
fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() {
        name.to_string()
    } else {
        format!("{scope}{SCOPE}{name}")
    }
}

impl<'e> Scene<'e> {
    pub fn new(root: &'e Element, models: &[&'e Element], told: &mut Told) -> Result<Scene<'e>> {
        let mut scene = Scene { list: Vec::new(), by_name: HashMap::new(), poses: Vec::new() };
        let world = Frame {
            kind: Kind::World,
            name: WORLD.into(),
            scope: String::new(),
            X: Pose::IDENTITY,
            relative_to: String::new(),
            attached_to: String::new(),
            element: root,
            fixed: true,
        };
        scene.add(world)?;
        for e in root.all("frame") {
            scene.frame(e, "", false)?;
        }
        for model in models {
            scene.model(model, "", false, told)?;
        }
        for e in root.all("joint").filter(|_| root.tag == WORLD) {
            scene.joint(e, "", false)?;
        }
        scene.resolve()?;
        Ok(scene)
    }

    fn add(&mut self, frame: Frame<'e>) -> Result<()> {
        // What moves with a link is looked for among all.
        const MOST: usize = 10_000;
        if self.list.len() > MOST {
            return Err(frame.element.error(format!("there are more than {MOST} links, joints and frames")));
        }
        if self.by_name.insert(frame.name.clone(), self.list.len()).is_some() {
            return Err(frame.element.error(format!("a second element named '{}'", frame.name)));
        }
        self.list.push(frame);
        Ok(())
    }

    /// The depth is bounded by the parser.
    fn model(&mut self, e: &'e Element, scope: &str, fixed: bool, told: &mut Told) -> Result<()> {
        e.allow(told, &["name", "canonical_link", "placement_frame"], ASIDE)?;
        for child in e.children.iter().filter(|c| ["plugin", "gripper"].contains(&c.tag.as_str())) {
            told.unused(&child.span, "plugins, sensors and looks of worlds are not used");
        }
        let own = self.unused_model(join(scope, named(e)?), e, told)?;
        let fixed = fixed || e.child("static").is_some_and(|s| Element::is_on(&s.text));
        let (X, relative) = pose(e)?;
        let base = if scope.is_empty() { WORLD.to_string() } else { scope.to_string() };
        // The pose of a model is that of its placement frame, where it names one.
        let X = match e.get("placement_frame") {
            Some(frame) => X * self.placement(e, frame)?.inverse(),
            None => X,
        };
        let relative_to = relative.map_or(base, |r| self.full(scope, r));
        let first = e.get("canonical_link").or_else(|| e.child("link").and_then(|l| l.get("name"))).unwrap_or_default();
        let attached_to = if first.is_empty() { String::new() } else { join(&own, first) };
        self.add(Frame {
            kind: Kind::Model,
            name: own.clone(),
            scope: scope.into(),
            X,
            relative_to,
            attached_to,
            element: e,
            fixed,
        })?;
        for child in &e.children {
            match child.tag.as_str() {
                "link" => {
                    let (X, relative) = pose(child)?;
                    let relative_to = relative.map_or(own.clone(), |r| self.full(&own, r));
                    let name = join(&own, named(child)?);
                    let frame = Frame {
                        kind: Kind::Link,
                        name,
                        scope: own.clone(),
                        X,
                        relative_to,
                        attached_to: String::new(),
                        element: child,
                        fixed,
                    };
                    self.add(frame)?;
                }
                "joint" => self.joint(child, &own, fixed)?,
                "frame" => self.frame(child, &own, fixed)?,
                "model" => self.model(child, &own, fixed, told)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The model's name, or another where there is one of that name already, which is told.
    fn unused_model(&self, name: String, e: &Element, told: &mut Told) -> Result<String> {
        if !self.by_name.contains_key(&name) {
            return Ok(name);
        }
        let other = (2..).map(|k| format!("{name}_{k}")).find(|n| !self.by_name.contains_key(n)).unwrap_or_default();
        let error = Error::new(format!("a second model named '{name}'")).at(&e.span);
        told.doubt(error, &format!("called '{other}' here"))?;
        Ok(other)
    }

    /// Where a frame of a model is in the model, for a placement by it: a link or frame whose pose counts from the model itself.
    fn placement(&self, e: &Element, frame: &str) -> Result<Pose> {
        let found =
            e.children.iter().find(|c| ["link", "frame"].contains(&c.tag.as_str()) && c.get("name") == Some(frame));
        let found = found.ok_or_else(|| e.error(format!("there is no placement frame '{frame}'")))?;
        match pose(found)? {
            (X, None | Some("__model__")) if found.get("attached_to").is_none() => Ok(X),
            _ => Err(found.error("a placement frame that counts from another frame is not read")),
        }
    }

    fn joint(&mut self, e: &'e Element, scope: &str, fixed: bool) -> Result<()> {
        let (X, relative) = pose(e)?;
        let child = e.child("child").map(|c| c.text.clone()).ok_or_else(|| e.error("a joint has a <child>"))?;
        let relative_to = self.full(scope, relative.unwrap_or(&child));
        let attached_to = self.full(scope, &child);
        self.add(Frame {
            kind: Kind::Joint,
            name: join(scope, named(e)?),
            scope: scope.into(),
            X,
            relative_to,
            attached_to,
            element: e,
            fixed,
        })
    }

    fn frame(&mut self, e: &'e Element, scope: &str, fixed: bool) -> Result<()> {
        let (X, relative) = pose(e)?;
        let base = if scope.is_empty() { WORLD } else { scope };
        let attached_to =
            e.get("attached_to").filter(|a| !a.is_empty()).map_or(base.to_string(), |a| self.full(scope, a));
        let relative_to = relative.map_or(attached_to.clone(), |r| self.full(scope, r));
        self.add(Frame {
            kind: Kind::Frame,
            name: join(scope, named(e)?),
            scope: scope.into(),
            X,
            relative_to,
            attached_to,
            element: e,
            fixed,
        })
    }

    /// The full name of what is named within a scope.
    pub fn full(&self, scope: &str, name: &str) -> String {
        match name {
            WORLD => WORLD.to_string(),
            "__model__" => scope.to_string(),
            name => join(scope, name),
        }
    }

    pub fn find(&self, name: &str, e: &Element) -> Result<usize> {
        self.by_name.get(name).copied().ok_or_else(|| e.error(format!("there is no link or frame '{name}'")))
    }

    fn resolve(&mut self) -> Result<()> {
        let mut found: Vec<Option<Pose>> = vec![None; self.list.len()];
        found[0] = Some(Pose::IDENTITY);
        for start in 0..self.list.len() {
            // Up to what is known, then down again.
            let (mut chain, mut at) = (Vec::new(), start);
            while found[at].is_none() {
                if chain.len() > self.list.len() {
                    return Err(self.list[start].element.error("poses count from each other in a circle"));
                }
                chain.push(at);
                at = self.find(&self.list[at].relative_to, self.list[at].element)?;
            }
            for k in chain.into_iter().rev() {
                let base = self.find(&self.list[k].relative_to, self.list[k].element)?;
                found[k] = found[base].map(|X| X * self.list[k].X);
            }
        }
        self.poses = found.into_iter().map(|p| p.unwrap_or(Pose::IDENTITY)).collect();
        Ok(())
    }

    /// The link that a frame moves with; `None` for the world and for what stands still.
    pub fn link_of(&self, frame: usize) -> Result<Option<usize>> {
        let mut at = frame;
        for _ in 0..=self.list.len() {
            let f = &self.list[at];
            match f.kind {
                Kind::World => return Ok(None),
                Kind::Link => return Ok(Some(at)),
                _ if f.attached_to.is_empty() => return Ok(None),
                _ => at = self.find(&f.attached_to, f.element)?,
            }
        }
        Err(self.list[frame].element.error("frames are attached to each other in a circle"))
    }

    /// What a frame is called in the document: the model's name is left out where there is only one.
    pub fn called(&self, frame: usize) -> String {
        let models = self.list.iter().filter(|f| f.kind == Kind::Model && f.scope.is_empty()).count();
        let name = &self.list[frame].name;
        let short = if models == 1 { name.split_once(SCOPE).map_or(name.as_str(), |(_, rest)| rest) } else { name };
        plain_name(&short.replace(SCOPE, "."))
    }
}

fn named(e: &Element) -> Result<&str> {
    let name = e.get("name").filter(|n| !n.trim().is_empty());
    name.ok_or_else(|| e.error(format!("<{}> has no name", e.tag)))
}

/// The pose within an element, and what it counts from.
pub(super) fn pose(e: &Element) -> Result<(Pose, Option<&str>)> {
    let Some(p) = e.child("pose") else { return Ok((Pose::IDENTITY, None)) };
    let relative = p.get("relative_to").filter(|r| !r.is_empty());
    let list = p.own_numbers()?;
    let quaternion = p.get("rotation_format") == Some("quat_xyzw");
    let unit = if p.get("degrees").is_some_and(Element::is_on) { PI / 180.0 } else { 1.0 };
    let X = match list[..] {
        [] => Pose::IDENTITY,
        [x, y, z, a, b, c, d] if quaternion => {
            let q = EulerParameters([d, a, b, c]);
            let R = if q.norm() > 0.0 { q.normalised().rotation() } else { Rotation::IDENTITY };
            Pose::new(R, Vec3::new(x, y, z))
        }
        [x, y, z, r, p, w] if !quaternion => {
            Pose::new(Rotation::from_rpy(r * unit, p * unit, w * unit), Vec3::new(x, y, z))
        }
        _ => {
            return Err(Error::new(format!("a pose has {} numbers", if quaternion { 7 } else { 6 }))
                .of("<pose>")
                .at(&p.span))
        }
    };
    Ok((X, relative))
}
