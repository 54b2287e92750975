//! Collada (DAE): the triangles and polygons of the scene, with its unit, the transforms of its nodes and diffuse colours.
//!
//! A robot's mesh stands in the axes of its link, so `<up_axis>` is not applied: programs that draw robots leave it out, and files are
//! made to look right there.

use super::{colour, Colour, Gatherer, Painted};
use crate::files::decode;
use crate::foreign::parse;
use biela_base::error::{Error, Result};
use biela_math::Elementary;
use std::collections::HashMap;

type Xml<'d> = roxmltree::Node<'d, 'd>;

/// Nodes within nodes, at most, those that stand for others included.
const DEEPEST: usize = 100;
/// Nodes and geometries that stand for others, at most.
const MOST_INSTANCES: usize = 20_000;
/// Corners of faces in all of them, at most.
const MOST_CORNERS: usize = 12_000_000;

pub(super) fn read(bytes: Vec<u8>, _: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Painted> {
    let source = decode(bytes, "mesh")?;
    let document = parse(&source)?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(Error::new(format!("the outermost element is <{}>, not <COLLADA>", root.tag_name().name())));
    }
    let by_id = root.descendants().filter_map(|n| n.attribute("id").map(|id| (id, n))).collect();
    let mut reader = Reader { by_id, positions: HashMap::new(), found: Gatherer::default(), instances: 0, corners: 0 };
    let unit = child(root, "asset").and_then(|asset| child(asset, "unit")).and_then(|unit| unit.attribute("meter"));
    let unit = unit.and_then(|m| m.trim().parse::<f64>().ok()).filter(|m| *m > 0.0 && m.is_finite()).unwrap_or(1.0);
    let place = Place::scaled([unit; 3]);
    let scene = child(root, "scene").and_then(|s| child(s, "instance_visual_scene"));
    let scene = scene.and_then(|s| reader.target(s, "url"));
    match scene.or_else(|| root.descendants().find(|n| n.has_tag_name("visual_scene"))) {
        Some(scene) => children(scene, "node").try_for_each(|node| reader.node(node, &place, 0))?,
        None => {
            let geometries = root.descendants().filter(|n| n.tag_name().name() == "geometry");
            geometries.into_iter().try_for_each(|g| reader.geometry(g, &place, &HashMap::new()))?;
        }
    }
    Ok(reader.found.found)
}

fn children<'d>(node: Xml<'d>, tag: &'static str) -> impl Iterator<Item = Xml<'d>> {
    node.children().filter(move |c| c.is_element() && c.tag_name().name() == tag)
}

fn child<'d>(node: Xml<'d>, tag: &'static str) -> Option<Xml<'d>> {
    children(node, tag).next()
}

fn numbers(node: Xml) -> Result<Vec<f64>> {
    let words = node.text().unwrap_or("").split_ascii_whitespace();
    words.map(|w| w.parse::<f64>().map_err(|_| wrong(node, "holds what is no number"))).collect()
}

fn wrong(node: Xml, what: &str) -> Error {
    Error::new(format!("<{}> {what}", node.tag_name().name()))
}

/// An affine map: three rows of four.
#[derive(Clone, Copy)]
struct Place([[f64; 4]; 3]);

impl Place {
    fn scaled([x, y, z]: [f64; 3]) -> Place {
        Place([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]])
    }

    fn then(&self, inner: &Place) -> Place {
        let mut out = [[0.0; 4]; 3];
        for (row, own) in out.iter_mut().zip(&self.0) {
            for (k, x) in row.iter_mut().enumerate() {
                *x = (0..3).map(|j| own[j] * inner.0[j][k]).sum::<f64>() + if k == 3 { own[3] } else { 0.0 };
            }
        }
        Place(out)
    }

    fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        self.0.map(|r| r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3])
    }

    /// The transform that an element of a node says.
    fn of(node: Xml) -> Result<Option<Place>> {
        let tag = node.tag_name().name();
        if !["matrix", "translate", "rotate", "scale"].contains(&tag) {
            return Ok(None);
        }
        let n = numbers(node)?;
        let few = || wrong(node, "holds too few numbers");
        Ok(Some(match tag {
            "matrix" => {
                let row = |k: usize| n.get(4 * k..4 * k + 4).and_then(|r| <[f64; 4]>::try_from(r).ok());
                Place([row(0).ok_or_else(few)?, row(1).ok_or_else(few)?, row(2).ok_or_else(few)?])
            }
            "translate" => {
                let [x, y, z] = n[..] else { return Err(few()) };
                Place([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
            }
            "rotate" => {
                let [x, y, z, degrees] = n[..] else { return Err(few()) };
                let length = (x * x + y * y + z * z).sqrt();
                if length == 0.0 {
                    return Ok(None);
                }
                let (x, y, z) = (x / length, y / length, z / length);
                let angle = degrees.to_radians();
                let (s, c) = (angle.sine(), angle.cosine());
                let t = 1.0 - c;
                Place([
                    [t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0.0],
                    [t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0.0],
                    [t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0.0],
                ])
            }
            _ => {
                let [x, y, z] = n[..] else { return Err(few()) };
                Place::scaled([x, y, z])
            }
        }))
    }
}

struct Reader<'d> {
    by_id: HashMap<&'d str, Xml<'d>>,
    /// Points of each source, by its element.
    positions: HashMap<roxmltree::NodeId, Vec<[f64; 3]>>,
    found: Gatherer,
    instances: usize,
    corners: usize,
}

impl<'d> Reader<'d> {
    /// The element that an attribute `#id` names.
    fn target(&self, node: Xml<'d>, attribute: &str) -> Option<Xml<'d>> {
        self.by_id.get(node.attribute(attribute)?.strip_prefix('#')?).copied()
    }

    fn node(&mut self, node: Xml<'d>, outer: &Place, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(Error::new(format!("its nodes stand within nodes more than {DEEPEST} deep")));
        }
        let mut place = *outer;
        for inner in node.children().filter(|c| c.is_element()) {
            if let Some(transform) = Place::of(inner)? {
                place = place.then(&transform);
            }
        }
        for inner in node.children().filter(|c| c.is_element()) {
            match inner.tag_name().name() {
                "node" => self.node(inner, &place, depth + 1)?,
                "instance_node" => {
                    if let Some(other) = self.target(inner, "url").filter(|n| n.tag_name().name() == "node") {
                        self.instance()?;
                        self.node(other, &place, depth + 1)?;
                    }
                }
                "instance_geometry" => {
                    if let Some(geometry) = self.target(inner, "url") {
                        self.geometry(geometry, &place, &self.materials(inner))?;
                    }
                }
                "instance_controller" => {
                    let skin = self.target(inner, "url").and_then(|c| child(c, "skin"));
                    if let Some(geometry) = skin.and_then(|skin| self.target(skin, "source")) {
                        self.geometry(geometry, &place, &self.materials(inner))?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn instance(&mut self) -> Result<()> {
        self.instances += 1;
        match self.instances > MOST_INSTANCES {
            true => Err(Error::new(format!("its nodes stand for more than {MOST_INSTANCES} others"))),
            false => Ok(()),
        }
    }

    /// Colours that an instance binds to the names of materials in its geometry.
    fn materials(&self, instance: Xml<'d>) -> HashMap<&'d str, Colour> {
        let bound = instance.descendants().filter(|n| n.is_element() && n.tag_name().name() == "instance_material");
        bound.filter_map(|b| Some((b.attribute("symbol")?, self.diffuse(self.target(b, "target")?)?))).collect()
    }

    /// The diffuse colour of a material.
    fn diffuse(&self, material: Xml<'d>) -> Option<Colour> {
        let effect = self.target(child(material, "instance_effect")?, "url")?;
        let diffuse = effect.descendants().find(|n| n.is_element() && n.tag_name().name() == "diffuse")?;
        let rgba = numbers(child(diffuse, "color")?).ok()?;
        Some(colour([*rgba.first()?, *rgba.get(1)?, *rgba.get(2)?]))
    }

    fn geometry(&mut self, geometry: Xml<'d>, place: &Place, materials: &HashMap<&str, Colour>) -> Result<()> {
        self.instance()?;
        let Some(mesh) = child(geometry, "mesh") else { return Ok(()) };
        for primitive in mesh.children().filter(|c| c.is_element()) {
            let fans = match primitive.tag_name().name() {
                "triangles" | "polylist" | "polygons" | "trifans" => true,
                "tristrips" => false,
                _ => continue,
            };
            // A symbol that is not bound may be the material's own name.
            let symbol = primitive.attribute("material");
            let own = || symbol.and_then(|s| self.by_id.get(s)).and_then(|m| self.diffuse(*m));
            let colour = symbol.and_then(|s| materials.get(s)).copied().or_else(own);
            self.found.paint(colour);
            self.primitive(primitive, place, fans)?;
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: Xml<'d>, place: &Place, fans: bool) -> Result<()> {
        let inputs: Vec<Xml> = children(primitive, "input").collect();
        let offset = |n: &Xml| n.attribute("offset").and_then(|o| o.trim().parse::<usize>().ok()).unwrap_or(0);
        // More inputs than anybody has would make steps beyond all lists.
        let stride = inputs.iter().map(offset).max().unwrap_or(0).min(64) + 1;
        let vertex = inputs.iter().find(|n| n.attribute("semantic") == Some("VERTEX"));
        let Some(vertex) = vertex else { return Err(wrong(primitive, "has no input VERTEX")) };
        let at = offset(vertex).min(64);
        let source = self.position_source(*vertex).ok_or_else(|| wrong(primitive, "names no positions"))?;
        self.load(source)?;
        let sizes = match child(primitive, "vcount") {
            Some(vcount) => Some(numbers(vcount)?.into_iter().map(|n| n as usize).collect::<Vec<_>>()),
            None => None,
        };
        let three = primitive.tag_name().name() == "triangles";
        let mut corners: Vec<u32> = Vec::new();
        for p in children(primitive, "p") {
            corners.clear();
            let words = p.text().unwrap_or("").split_ascii_whitespace();
            for word in words.skip(at).step_by(stride) {
                let index = word.parse::<usize>().map_err(|_| wrong(p, "holds what is no corner"))?;
                let points = self.positions.get(&source.id()).map_or(&[][..], Vec::as_slice);
                let point = points.get(index).ok_or_else(|| wrong(p, "names a corner that is not there"))?;
                let point = place.apply(*point);
                corners.push(self.found.corner(point));
            }
            self.corners += corners.len();
            if self.corners > MOST_CORNERS {
                return Err(Error::new(format!("its faces have more than {MOST_CORNERS} corners")));
            }
            match &sizes {
                _ if three => corners.chunks_exact(3).try_for_each(|t| self.found.face(t))?,
                Some(sizes) => {
                    let mut rest = &corners[..];
                    for size in sizes {
                        let Some((face, after)) = rest.split_at_checked(*size) else {
                            return Err(wrong(primitive, "has faces of more corners than it lists"));
                        };
                        self.found.face(face)?;
                        rest = after;
                    }
                }
                None if fans => self.found.face(&corners)?,
                None => {
                    for (k, t) in corners.windows(3).enumerate() {
                        let [a, b, c] = [t[0], t[1], t[2]];
                        self.found.triangle(if k % 2 == 0 { [a, b, c] } else { [a, c, b] })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The source of positions that an input VERTEX leads to.
    fn position_source(&self, vertex: Xml<'d>) -> Option<Xml<'d>> {
        let vertices = self.target(vertex, "source")?;
        let position = children(vertices, "input").find(|n| n.attribute("semantic") == Some("POSITION"))?;
        self.target(position, "source")
    }

    /// Reads the points of a source once.
    fn load(&mut self, source: Xml<'d>) -> Result<()> {
        if self.positions.contains_key(&source.id()) {
            return Ok(());
        }
        let Some(array) = child(source, "float_array") else { return Err(wrong(source, "has no <float_array>")) };
        let accessor = source.descendants().find(|n| n.is_element() && n.tag_name().name() == "accessor");
        let stride = accessor.and_then(|a| a.attribute("stride")).and_then(|s| s.trim().parse::<usize>().ok());
        let stride = stride.unwrap_or(3).clamp(3, 64);
        let points = numbers(array)?.chunks_exact(stride).map(|c| [c[0], c[1], c[2]]).collect();
        self.positions.insert(source.id(), points);
        Ok(())
    }
}
