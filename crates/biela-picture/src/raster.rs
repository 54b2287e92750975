//! Frames of pixels: every pixel shows what is nearest, smoothed by drawing finer than asked.

use super::camera::Camera;
use super::facets::{Facet, Facets};
use super::{Animation, Scene};
use biela_base::error::{Error, Result};
use biela_math::Vec3;
use tiny_skia as skia;

/// Fine pixels for each pixel, along each side.
const FINER: usize = 3;
/// How dark the shadow is, of 255.
const SHADOW: u8 = 26;

/// Draws samples of a motion as pixels.
pub(super) struct Raster<'a> {
    scene: &'a Scene,
    motion: &'a Animation<'a>,
    facets: Facets,
    camera: Camera,
    /// Pixels of a frame.
    pub width: usize,
    /// Pixels of a frame.
    pub height: usize,
    nearest: Vec<f32>,
    fine: Vec<[u8; 3]>,
}

impl<'a> Raster<'a> {
    pub fn new(scene: &'a Scene, motion: &'a Animation<'a>, width: usize) -> Raster<'a> {
        let camera = Camera::new(scene, (width * FINER) as f64);
        let height = camera.height as usize / FINER;
        let count = width * FINER * height * FINER;
        let facets = Facets::new(scene);
        Raster { scene, motion, facets, camera, width, height, nearest: vec![0.0; count], fine: vec![[255; 3]; count] }
    }

    /// Red, green and blue of each pixel at a sample.
    pub fn frame(&mut self, sample: usize) -> Vec<[u8; 3]> {
        self.nearest.fill(f32::NEG_INFINITY);
        self.fine.fill([255; 3]);
        let (camera, wide) = (&self.camera, self.width * FINER);
        let tall = self.height * FINER;
        let (nearest, fine) = (&mut self.nearest, &mut self.fine);
        let shade = Shade::new(self.scene);
        self.facets.each(self.scene, self.motion, sample, |facet| {
            let seen = facet.corners.map(|p| camera.see(shade.cast(p)));
            fill(seen, wide, tall, |at, _, _| fine[at] = [255 - SHADOW; 3]);
        });
        self.facets.each(self.scene, self.motion, sample, |facet| {
            let Facet { corners, normals, colour } = facet;
            fill(corners.map(|p| camera.see(p)), wide, tall, |at, depth, [a, b, c]| {
                if depth > nearest[at] {
                    nearest[at] = depth;
                    let n = normals[0] * a + normals[1] * b + normals[2] * c;
                    fine[at] = camera.lit(colour, n.unit().unwrap_or(n));
                }
            });
        });
        let mut out = Vec::with_capacity(self.width * self.height);
        for y in 0..self.height {
            for x in 0..self.width {
                let mut sum = [0u32; 3];
                for j in 0..FINER {
                    for i in 0..FINER {
                        let pixel = self.fine[(y * FINER + j) * wide + x * FINER + i];
                        (0..3).for_each(|k| sum[k] += u32::from(pixel[k]));
                    }
                }
                out.push(sum.map(|s| (s / (FINER * FINER) as u32) as u8));
            }
        }
        out
    }
}

/// Where shadows fall: on the ground below, or on the wall behind a planar mechanism.
pub(super) struct Shade {
    normal: Vec3,
    level: f64,
    light: Vec3,
}

impl Shade {
    pub fn new(scene: &Scene) -> Shade {
        let normal = if scene.planar { scene.front } else { scene.up };
        let least = scene.outermost.iter().fold(f64::INFINITY, |m, p| m.min(p.dot(normal)));
        let across = if scene.planar { scene.up * 0.42 } else { scene.front * 0.22 };
        Shade { normal, level: least - 0.6 * scene.thickness, light: normal - scene.right() * 0.28 + across }
    }

    /// The shadow of a point.
    pub fn cast(&self, p: Vec3) -> Vec3 {
        p - self.light * ((p.dot(self.normal) - self.level) / self.light.dot(self.normal))
    }
}

/// Hands over the pixels of a triangle with their depth and weights of the corners.
fn fill([a, b, c]: [Vec3; 3], wide: usize, tall: usize, mut put: impl FnMut(usize, f32, [f64; 3])) {
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if area.is_nan() || area.abs() < 1e-9 {
        return;
    }
    let span = |p: f64, q: f64, r: f64, most: usize| {
        let (least, greatest) = (p.min(q).min(r), p.max(q).max(r));
        ((least - 0.5).ceil().max(0.0) as usize, (greatest + 0.5).floor().clamp(0.0, most as f64) as usize)
    };
    let ((x0, x1), (y0, y1)) = (span(a.x, b.x, c.x, wide), span(a.y, b.y, c.y, tall));
    for y in y0..y1 {
        let py = y as f64 + 0.5;
        for x in x0..x1 {
            let px = x as f64 + 0.5;
            let u = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) / area;
            let v = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) / area;
            let w = 1.0 - u - v;
            if u >= -1e-9 && v >= -1e-9 && w >= -1e-9 {
                put(y * wide + x, (u * a.z + v * b.z + w * c.z) as f32, [u, v, w]);
            }
        }
    }
}

/// A sample as the bytes of a PNG file.
pub(super) fn png(scene: &Scene, motion: &Animation, sample: usize, width: usize) -> Result<Vec<u8>> {
    let mut raster = Raster::new(scene, motion, width);
    let pixels = raster.frame(sample);
    let too_large = || Error::new("the picture is too large");
    let mut page = skia::Pixmap::new(raster.width as u32, raster.height as u32).ok_or_else(too_large)?;
    for (slot, [red, green, blue]) in page.pixels_mut().iter_mut().zip(pixels) {
        *slot = skia::ColorU8::from_rgba(red, green, blue, 255).premultiply();
    }
    page.encode_png().map_err(|error| Error::new(format!("the picture cannot be encoded: {error}")))
}
