//! A motion as binary glTF 2.0: one node for each body, moved by translations and rotations.

use super::scene::{Part, Scene};
use super::surface::Library;
use super::Animation;
use biela_math::Elementary;
use biela_math::{EulerParameters, Pose, Rotation};
use serde_json::{json, Value};

const FLOAT: u32 = 5126;
const WHOLE: u32 = 5125;
/// What a buffer view holds: numbers of corners, or corners.
const ARRAY: u32 = 34962;
const ELEMENTS: u32 = 34963;

/// The parts of a file as they grow.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<([u8; 3], Value)>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

/// Bytes of a `.glb` file.
pub(super) fn glb(scene: &Scene, motion: &Animation) -> Vec<u8> {
    let mut file = File::default();
    // glTF has y up: a node above all turns the scene.
    let turn = match Rotation::from_z_x(scene.front, scene.right()) {
        Some(rotation) => rotation.transposed(),
        None => Rotation::IDENTITY,
    };
    file.nodes.push(json!({ "name": scene.name, "rotation": quaternion(turn.euler_parameters()), "children": [] }));
    let samples = samples(motion);
    let times: Vec<f32> = samples.iter().map(|k| (motion.times[*k] - motion.times[0]) as f32).collect();
    let moving = samples.len() > 1;
    let input = if moving { Some(file.numbers(&times, "SCALAR", None, true)) } else { None };
    for (body, figure) in scene.figures.iter().enumerate() {
        let poses: Vec<Pose> = samples.iter().map(|k| motion.pose(body, *k)).collect();
        let parts: Vec<(&Part, [u8; 3])> = figure.parts.iter().map(|p| (p, scene.colour(body, p.tint))).collect();
        let mesh = file.mesh(scene.coarse, &figure.name, &parts);
        file.node(&figure.name, mesh, &poses, None, input);
    }
    for strut in &scene.struts {
        let placed: Vec<(Pose, f64)> = samples.iter().map(|k| strut.place(&motion.frame(*k))).collect();
        let (poses, lengths): (Vec<Pose>, Vec<f64>) = placed.into_iter().unzip();
        let part = strut.part();
        let mesh = file.mesh(scene.coarse, &strut.name, &[(&part, scene.colour(0, part.tint))]);
        file.node(&strut.name, mesh, &poses, Some(&lengths), input);
    }
    file.nodes[0]["children"] = (1..file.nodes.len()).collect();
    file.finish(scene)
}

/// Samples whose times grow as 32-bit numbers too.
fn samples(motion: &Animation) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let short = |k: usize| (motion.times[k] - motion.times[0]) as f32;
    for k in 0..motion.len() {
        if found.last().is_none_or(|last| short(k) > short(*last)) {
            found.push(k);
        }
    }
    found
}

/// Vector part first, as glTF has it.
fn quaternion(EulerParameters([e0, e1, e2, e3]): EulerParameters) -> [f32; 4] {
    [e1, e2, e3, e0].map(|x| x as f32)
}

impl File {
    /// Adds bytes; the number of their view.
    fn view(&mut self, bytes: impl IntoIterator<Item = u8>, target: Option<u32>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let length = self.bytes.len() - start;
        self.bytes.resize(self.bytes.len().div_ceil(4) * 4, 0);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": length });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// Adds rows of numbers; the number of their accessor.
    fn numbers(&mut self, data: &[f32], kind: &str, target: Option<u32>, limits: bool) -> usize {
        let width = match kind {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        let view = self.view(data.iter().flat_map(|x| x.to_le_bytes()), target);
        let mut accessor =
            json!({ "bufferView": view, "componentType": FLOAT, "count": data.len() / width, "type": kind });
        if limits {
            let extreme = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..width).map(|k| data.iter().skip(k).step_by(width).copied().reduce(pick).unwrap_or(0.0)).collect()
            };
            accessor["min"] = json!(extreme(f32::min));
            accessor["max"] = json!(extreme(f32::max));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// A mesh with one primitive for each colour.
    fn mesh(&mut self, coarse: bool, name: &str, parts: &[(&Part, [u8; 3])]) -> Option<usize> {
        let mut colours: Vec<[u8; 3]> = parts.iter().map(|p| p.1).collect();
        colours.sort_unstable();
        colours.dedup();
        let mut library = Library::new(coarse);
        let mut primitives = Vec::new();
        for colour in colours {
            let (mut points, mut normals, mut corners): (Vec<f32>, Vec<f32>, Vec<u32>) = Default::default();
            for (part, _) in parts.iter().filter(|p| p.1 == colour) {
                for placed in library.place(part) {
                    let surface = &library.surfaces[placed.surface];
                    let (own, turned) = placed.apply(surface, &Pose::IDENTITY);
                    let start = points.len() as u32 / 3;
                    points.extend(own.iter().flat_map(|p| p.to_array().map(|x| x as f32)));
                    normals.extend(turned.iter().flat_map(|n| n.to_array().map(|x| x as f32)));
                    corners.extend(surface.triangles.iter().flatten().map(|k| start + k));
                }
            }
            if corners.is_empty() {
                continue;
            }
            let position = self.numbers(&points, "VEC3", Some(ARRAY), true);
            let normal = self.numbers(&normals, "VEC3", Some(ARRAY), false);
            let view = self.view(corners.iter().flat_map(|k| k.to_le_bytes()), Some(ELEMENTS));
            self.accessors
                .push(json!({ "bufferView": view, "componentType": WHOLE, "count": corners.len(), "type": "SCALAR" }));
            let indices = self.accessors.len() - 1;
            let material = self.material(colour);
            primitives.push(json!({
                "attributes": { "POSITION": position, "NORMAL": normal },
                "indices": indices,
                "material": material,
            }));
        }
        if primitives.is_empty() {
            return None;
        }
        self.meshes.push(json!({ "name": name, "primitives": primitives }));
        Some(self.meshes.len() - 1)
    }

    fn material(&mut self, colour: [u8; 3]) -> usize {
        if let Some(known) = self.materials.iter().position(|m| m.0 == colour) {
            return known;
        }
        // Colours of a page are brighter in the middle than those of light, which glTF counts in.
        let linear = colour.map(|c| (f64::from(c) / 255.0).power(2.2));
        let factor = [linear[0], linear[1], linear[2], 1.0];
        let surface = json!({ "baseColorFactor": factor, "metallicFactor": 0.1, "roughnessFactor": 0.55 });
        self.materials.push((colour, json!({ "pbrMetallicRoughness": surface })));
        self.materials.len() - 1
    }

    /// A node at the first pose, with channels for what moves. Lengths stretch it along z.
    fn node(&mut self, name: &str, mesh: Option<usize>, poses: &[Pose], lengths: Option<&[f64]>, input: Option<usize>) {
        let number = self.nodes.len();
        let translations: Vec<[f32; 3]> = poses.iter().map(|p| p.origin.to_array().map(|x| x as f32)).collect();
        let mut last = EulerParameters([1.0, 0.0, 0.0, 0.0]);
        let rotations: Vec<[f32; 4]> = poses
            .iter()
            .map(|p| {
                // Neighbours on the same side of the sphere, or viewers would take the long way round.
                last = p.rotation.euler_parameters().near(&last).normalised();
                quaternion(last)
            })
            .collect();
        let scales: Option<Vec<[f32; 3]>> = lengths.map(|l| l.iter().map(|x| [1.0, 1.0, *x as f32]).collect());
        let mut node = json!({ "name": name, "translation": translations[0], "rotation": rotations[0] });
        if let Some(mesh) = mesh {
            node["mesh"] = json!(mesh);
        }
        if let Some(scales) = &scales {
            node["scale"] = json!(scales[0]);
        }
        self.nodes.push(node);
        let Some(input) = input else { return };
        let mut channel = |path: &str, kind: &str, rows: Vec<&[f32]>| {
            if rows.windows(2).all(|pair| pair[0] == pair[1]) {
                return;
            }
            let output = self.numbers(&rows.concat(), kind, None, false);
            self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            let target = json!({ "node": number, "path": path });
            self.channels.push(json!({ "sampler": self.samplers.len() - 1, "target": target }));
        };
        channel("translation", "VEC3", translations.iter().map(|r| r.as_slice()).collect());
        channel("rotation", "VEC4", rotations.iter().map(|r| r.as_slice()).collect());
        if let Some(scales) = &scales {
            channel("scale", "VEC3", scales.iter().map(|r| r.as_slice()).collect());
        }
    }

    fn finish(self, scene: &Scene) -> Vec<u8> {
        let mut text = json!({
            "asset": { "version": "2.0", "generator": concat!("biela ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "name": scene.name, "nodes": [0] }],
            "nodes": self.nodes,
            "buffers": [{ "byteLength": self.bytes.len() }],
            "bufferViews": self.views,
            "accessors": self.accessors,
        });
        // Empty lists are not allowed.
        let materials: Vec<Value> = self.materials.into_iter().map(|m| m.1).collect();
        for (key, list) in [("meshes", self.meshes), ("materials", materials)] {
            if !list.is_empty() {
                text[key] = json!(list);
            }
        }
        if !self.channels.is_empty() {
            text["animations"] = json!([{ "name": "motion", "samplers": self.samplers, "channels": self.channels }]);
        }
        let mut text = text.to_string().into_bytes();
        text.resize(text.len().div_ceil(4) * 4, b' ');
        let mut out = b"glTF".to_vec();
        let whole = 12 + 8 + text.len() + 8 + self.bytes.len();
        out.extend(2u32.to_le_bytes());
        out.extend((whole as u32).to_le_bytes());
        for (kind, bytes) in [(b"JSON", text), (b"BIN\0", self.bytes)] {
            out.extend((bytes.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(bytes);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_math::Vec3;

    #[test]
    fn the_scene_stands_upright() {
        // Front −y, up z: right is x. In glTF z looks at the viewer and y is up.
        let (front, right, up) = (-Vec3::Y, Vec3::X, Vec3::Z);
        let turn = Rotation::from_z_x(front, right).unwrap().transposed();
        for (v, due) in [(right, Vec3::X), (up, Vec3::Y), (front, Vec3::Z)] {
            assert!((turn.apply(v) - due).norm() < 1e-15);
        }
    }
}
