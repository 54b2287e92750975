//! A sample as an SVG drawing: faces from the farthest to the nearest.

use super::camera::Camera;
use super::facets::Facets;
use super::raster::Shade;
use super::{Animation, Scene};
use biela_base::sorting::sort_by;
use biela_math::Vec3;
use std::fmt::Write;

/// Neighbouring triangles of one flat face.
struct Face {
    depth: f64,
    colour: [u8; 3],
    normal: Vec3,
    path: String,
    count: f64,
}

/// The text of an SVG file.
pub(super) fn svg(scene: &Scene, motion: &Animation, sample: usize, width: usize) -> String {
    let camera = Camera::new(scene, width as f64);
    let shade = Shade::new(scene);
    let mut faces: Vec<Face> = Vec::new();
    let mut shadow = String::new();
    Facets::new(scene).each(scene, motion, sample, |facet| {
        let [a, b, c] = facet.corners;
        let Some(flat) = (b - a).cross(c - a).unit() else { return };
        if !camera.faces(flat) {
            return;
        }
        // Whatever shows to the viewer throws a shadow, and what it hides falls into the same one.
        path(&mut shadow, facet.corners.map(|p| camera.see(shade.cast(p))));
        let seen = facet.corners.map(|p| camera.see(p));
        let depth = (seen[0].z + seen[1].z + seen[2].z) / 3.0;
        let normal = (facet.normals[0] + facet.normals[1] + facet.normals[2]).unit().unwrap_or(flat);
        let colour = camera.lit(facet.colour, normal);
        // Triangles of one flat face follow each other.
        match faces
            .last_mut()
            .filter(|f| f.colour == colour && f.normal == facet.normals[0] && f.normal == facet.normals[2])
        {
            Some(face) => {
                path(&mut face.path, seen);
                face.depth = (face.depth * face.count + depth) / (face.count + 1.0);
                face.count += 1.0;
            }
            None => {
                let mut text = String::new();
                path(&mut text, seen);
                faces.push(Face { depth, colour, normal: facet.normals[0], path: text, count: 1.0 });
            }
        }
    });
    sort_by(&mut faces, |a, b| a.depth.total_cmp(&b.depth));
    let (w, h) = (camera.width, camera.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<path d=\"{shadow}\" fill=\"#e5e5e5\"/>\n\
         <g stroke-width=\".5\" stroke-linejoin=\"round\">\n"
    );
    for face in faces {
        let [red, green, blue] = face.colour;
        let hex = format!("#{red:02x}{green:02x}{blue:02x}");
        // A thin line of the same colour closes the seams between faces.
        let _ = writeln!(out, "<path d=\"{}\" fill=\"{hex}\" stroke=\"{hex}\"/>", face.path);
    }
    out.push_str("</g>\n</svg>\n");
    out
}

// Writing to a String cannot fail.
fn path(out: &mut String, corners: [Vec3; 3]) {
    let tenth = |x: f64| (10.0 * x).round() / 10.0;
    for (k, p) in corners.iter().enumerate() {
        let _ = write!(out, "{}{} {}", if k == 0 { 'M' } else { 'L' }, tenth(p.x), tenth(p.y));
    }
    out.push('Z');
}
