//! Geoms: what they weigh, and how they are drawn.

#![allow(non_snake_case)] // Frames are capital letters: X_BG (docs/notation.md).

use super::bodies::{Mass, World};
use super::geometry::shortest;
use crate::foreign::{Element, Filling, Found, Solid, Told};
use crate::mesh;
use crate::nodes::{self, numbers, vector};
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_math::{Elementary, Inertia, Pose, Rotation, Vec3};
use std::path::Path;

impl World<'_> {
    /// The frame of a geom or site, and half its length where `fromto` gives its ends.
    pub fn placed(&self, e: &Element) -> Result<(Pose, Option<f64>)> {
        let Some(ends) = e.numbers("fromto")? else { return Ok((self.compiler.pose(e)?, None)) };
        let [a, b, c, d, f, g] = ends[..] else { return Err(e.error("'fromto' has six numbers")) };
        let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, f, g));
        // z points from the second end to the first, as MuJoCo has it.
        let rotation = shortest(from - to).unwrap_or(Rotation::IDENTITY);
        Ok((Pose::new(rotation, (from + to) * 0.5), Some((to - from).norm() / 2.0)))
    }

    pub fn geom(&mut self, e: &Element, body: usize, X_BF: &Pose, class: &str, told: &mut Told) -> Result<()> {
        let g = self.classes.filled(e, class)?;
        let (X, half) = self.placed(&g)?;
        let X_BG = *X_BF * X;
        let size = g.numbers("size")?.unwrap_or_default();
        let s = |k: usize| size.get(k).copied().unwrap_or(0.0);
        let length = half.unwrap_or_else(|| s(1));
        let kind = g.get("type").unwrap_or(if g.get("mesh").is_some() { "mesh" } else { "sphere" });
        let mut scale = Vec3::new(1.0, 1.0, 1.0);
        let group = g.number("group")?.unwrap_or(0.0);
        let counts = group >= self.compiler.groups[0] && group <= self.compiler.groups[1];
        let weighs = body > 0 && counts && !self.list[body].weighed && self.compiler.from_geoms != Some(false);
        let solid = match kind {
            "sphere" => Solid::Sphere(s(0)),
            "capsule" => Solid::Capsule(s(0), length),
            "cylinder" => Solid::Cylinder(s(0), length),
            "box" | "ellipsoid" => {
                let three = if half.is_some() { [s(0), s(0), length] } else { [s(0), s(1), s(2)] };
                if kind == "box" {
                    Solid::Box(three)
                } else {
                    Solid::Ellipsoid(three)
                }
            }
            "mesh" if !weighs && !self.drawn => return Ok(()),
            "mesh" => match self.mesh(&g, told)? {
                Some((mesh, scaled)) => {
                    scale = scaled;
                    Solid::Mesh(mesh, self.filling(&g, told)?)
                }
                None => return Ok(()),
            },
            "plane" | "hfield" => {
                if kind == "plane" && body == 0 {
                    self.plane(&g, &X_BG);
                }
                return Ok(());
            }
            _ => {
                told.doubt(Error::new(format!("a geom of type '{kind}'")).at(&e.span), "not read")?;
                return Ok(());
            }
        };
        if matches!(solid, Solid::Ellipsoid(_)) {
            told.unused(&e.span, "an ellipsoid is drawn as a ball of the same volume");
        }
        self.draw(&g, body, &X_BG, &solid, scale);
        if !weighs {
            return Ok(());
        }
        let (volume, centre, inertia) = solid.moments();
        if volume <= 0.0 {
            if g.number("mass")?.unwrap_or(1.0) > 0.0 && g.number("density")?.unwrap_or(1.0) > 0.0 {
                told.doubt(Error::new(format!("a {kind} without volume")).at(&e.span), "it has no mass")?;
            }
            return Ok(());
        }
        let mass = g.number("mass")?.unwrap_or(volume * g.number("density")?.unwrap_or(1000.0));
        if let Some(a) = g.attribute("shellinertia").filter(|a| Element::is_on(&a.value)) {
            told.doubt(Error::new("'shellinertia' of <geom>").at(&a.span), "taken as solid")?;
        }
        let inertia = Inertia::from_entries(inertia.entries().map(|x| x * mass / volume)).turned(&X_BG.rotation);
        self.list[body].add(Mass { mass, com: X_BG.apply(centre), inertia });
        Ok(())
    }

    /// The mesh of a geom, and its scale along the axes; told where it cannot be had.
    fn mesh(&self, g: &Element, told: &mut Told) -> Result<Option<(biela_core::model::Mesh, Vec3)>> {
        let name = g.get("mesh").unwrap_or_default();
        let Some((file, asset)) = self.meshes.get(name) else {
            return Err(g.error(format!("there is no mesh '{name}'")));
        };
        let scale = asset.vector("scale")?.unwrap_or(Vec3::new(1.0, 1.0, 1.0));
        let read = match self.file(file, asset) {
            Ok(path) => mesh::read(&self.folder.root.join(path), Vec3::new(1.0, 1.0, 1.0)).map(|painted| painted.mesh),
            Err(message) => Err(Error::new(message)),
        };
        match read {
            Ok(mut found) if asset.get("refpos").is_none() && asset.get("refquat").is_none() => {
                found.points.iter_mut().for_each(|p| *p = Vec3::new(p.x * scale.x, p.y * scale.y, p.z * scale.z));
                if found.is_closed() {
                    found.turn_outwards();
                }
                Ok(Some((found, scale)))
            }
            Ok(_) => {
                told.doubt(
                    asset.error("a mesh with a frame of its own"),
                    "not read, its mass and its looks are missing",
                )?;
                Ok(None)
            }
            Err(error) => {
                let what =
                    if asset.get("vertex").is_some() { "a mesh without a file" } else { "a mesh cannot be read" };
                let error = Error::new(what).of(format!("mesh '{name}'")).at(&g.span).note(error.message());
                told.doubt(error, "it is missing, and so are its mass and its looks")?;
                Ok(None)
            }
        }
    }

    /// How the volume of a mesh is counted.
    fn filling(&self, g: &Element, told: &mut Told) -> Result<Filling> {
        let asset = g.get("mesh").and_then(|name| self.meshes.get(name)).map(|(_, asset)| asset);
        let exact = if self.compiler.exact_meshes { "exact" } else { "legacy" };
        match asset.and_then(|a| a.get("inertia")).unwrap_or(exact) {
            "exact" => Ok(Filling::Exact),
            "legacy" => Ok(Filling::Overcounted),
            other => {
                let error = Error::new(format!("the inertia '{other}' of a mesh")).at(&g.span);
                told.doubt(error, "taken as 'exact'")?;
                Ok(Filling::Exact)
            }
        }
    }

    /// Where a file of meshes is, from the model's folder: named from there, or from where the included file that names it lies.
    fn file(&self, file: &Path, asset: &Element) -> std::result::Result<String, &'static str> {
        let search = self.folder.search();
        let near = Path::new(&asset.span.source.name).parent().and_then(|p| p.strip_prefix(&self.folder.root).ok());
        let own = near.filter(|p| !p.as_os_str().is_empty()).map(|p| search.find(&p.join(file).to_string_lossy()));
        let found = match (search.find(&file.to_string_lossy()), own) {
            (Found::Nowhere, Some(found)) => found,
            (found, _) => found,
        };
        match found {
            Found::At(path) => Ok(path),
            Found::Nowhere => Err("a mesh file is not found"),
            Found::Outside => Err("a mesh file lies outside the folders around the model"),
        }
    }

    /// Its colour and how opaque it is, as far as they are given.
    fn rgba(&self, g: &Element) -> Vec<f64> {
        let rgba = g.get("rgba").or_else(|| self.colours.get(g.get("material")?).map(String::as_str));
        rgba.unwrap_or_default().split_whitespace().filter_map(|w| w.parse().ok()).collect()
    }

    fn alpha(&self, g: &Element) -> f64 {
        self.rgba(g).get(3).copied().unwrap_or(1.0)
    }

    fn colour(&self, g: &Element) -> Option<String> {
        let list = self.rgba(g);
        let byte = |x: f64| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
        (list.len() >= 3).then(|| format!("#{:02x}{:02x}{:02x}", byte(list[0]), byte(list[1]), byte(list[2])))
    }

    fn plane(&mut self, g: &Element, X_BG: &Pose) {
        let mut shape = Table::default();
        shape.set("type", "plane");
        shape.set("normal", vector(X_BG.rotation.axes[2]));
        shape.set("at", vector(X_BG.origin));
        self.list[0].shapes.push(nodes::placed(shape.into(), Some(&g.span)));
    }

    fn draw(&mut self, g: &Element, body: usize, X_BG: &Pose, solid: &Solid, scale: Vec3) {
        // MuJoCo shows groups 0, 1 and 2 unless told otherwise, and nothing that is transparent throughout.
        if g.number("group").ok().flatten().unwrap_or(0.0) > 2.0 || self.alpha(g) == 0.0 {
            return;
        }
        let mut shape = Table::default();
        match solid {
            Solid::Sphere(r) => {
                shape.set("type", "sphere");
                shape.set("radius", *r);
            }
            Solid::Capsule(r, h) | Solid::Cylinder(r, h) => {
                shape.set("type", if matches!(solid, Solid::Capsule(..)) { "capsule" } else { "cylinder" });
                shape.set("radius", *r);
                shape.set("length", 2.0 * h);
            }
            Solid::Box(half) => {
                shape.set("type", "box");
                shape.set("size", numbers(half.map(|x| 2.0 * x)));
            }
            Solid::Ellipsoid([a, b, c]) => {
                shape.set("type", "sphere");
                shape.set("radius", (a * b * c).cube_root());
            }
            Solid::Mesh(..) => {
                let Some((file, asset)) = self.meshes.get(g.get("mesh").unwrap_or_default()) else { return };
                shape.set("type", "mesh");
                let Ok(path) = self.file(file, asset) else { return };
                shape.set("file", path);
            }
        }
        let positive = |n: &Node| match &n.value {
            crate::tree::Value::Number(x) => *x > 0.0,
            crate::tree::Value::List(l) => {
                l.iter().all(|n| matches!(n.value, crate::tree::Value::Number(x) if x > 0.0))
            }
            _ => true,
        };
        if !shape.entries.iter().all(|e| positive(&e.node)) {
            return;
        }
        if scale != Vec3::new(1.0, 1.0, 1.0) {
            shape.set("scale", vector(scale));
        }
        shape.set("at", vector(X_BG.origin));
        shape.set("rpy", numbers(X_BG.rotation.to_rpy()));
        if let Some(colour) = self.colour(g) {
            shape.set("colour", colour);
        }
        self.list[body].shapes.push(nodes::placed(shape.into(), Some(&g.span)));
    }
}
