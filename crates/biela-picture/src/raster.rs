//! Frames of pixels: every pixel shows what is nearest, smoothed by drawing finer than asked.
//!
//! What never moves is drawn once: paper with its grid, and what is fixed to the ground. A frame begins as a copy of that; only
//! pixels that something moving covers are made anew.

use super::camera::Camera;
use super::facets::{Facet, Facets, Room};
use super::ink::{Item, Pen};
use super::look::Look;
use super::marks::Marks;
use super::shade::Shade;
use super::theme::Theme;
use super::{Animation, Scene};
use biela_base::error::{Error, Result};
use biela_math::{Pose, Vec3};

/// Fine pixels for each pixel, along each side.
const FINER: usize = 3;
/// Steps of the table of lights along each side.
const LIGHTS: usize = 256;

/// A fine pixel that shows paper, and one that shows paper in the shadow; all others have this bit and a colour.
const PAPER: u32 = 0;
const SHADOW: u32 = 1;
const SOLID: u32 = 1 << 31;

/// Draws samples of a motion as pixels.
pub(super) struct Raster<'a> {
    scene: &'a Scene,
    motion: &'a Animation<'a>,
    facets: Facets,
    marks: Marks<'a>,
    theme: Theme,
    /// To fine pixels: as seen, and as the shadow is.
    seen: Affine,
    shaded: Option<Affine>,
    /// Right and up of the picture, in which the table of lights is told.
    right: Vec3,
    up: Vec3,
    lights: Vec<[f32; 2]>,
    /// Pixels of a frame.
    pub width: usize,
    /// Pixels of a frame.
    pub height: usize,
    /// Paper with its grid.
    paper: Vec<[u8; 3]>,
    /// Paper with what is fixed, and its fine pixels.
    still: Vec<[u8; 3]>,
    fixed: Fine,
    /// Marks that are the same in every frame.
    constant: Vec<Item>,
}

/// What drawing a frame changes: one for each thread.
pub(super) struct Canvas {
    fine: Fine,
    pen: Pen,
    room: Room,
    corners: Vec<Vec3>,
}

impl<'a> Raster<'a> {
    pub fn new(scene: &'a Scene, motion: &'a Animation<'a>, look: &'a Look, width: usize) -> Result<Raster<'a>> {
        let camera = Camera::new(scene, look, width as f64);
        let theme = Theme::new(look.dark);
        let (height, shade) = (camera.height as usize, Shade::new(scene));
        let seen = Affine::of(|p| camera.see(p));
        let [right, up, towards] = camera.axes();
        let marks = Marks::new(scene, motion, look, &camera)?;
        let (below, constant) = (marks.below(), marks.constant());
        let mut pen = Pen::new(width, height, theme.paper).ok_or_else(too_large)?;
        let mut paper = vec![theme.paper; width * height];
        pen.draw(&below, &mut paper);
        let edge_on = shade.normal.dot(towards).abs() < 0.02;
        let mut raster = Raster {
            scene,
            motion,
            facets: Facets::new(scene, &theme),
            marks,
            theme,
            seen,
            shaded: (!edge_on).then(|| Affine::of(|p| camera.see(shade.cast(p)))),
            right,
            up,
            lights: lights(&camera),
            width,
            height,
            still: paper.clone(),
            paper,
            fixed: Fine::new(width, height),
            constant,
        };
        let (mut fixed, mut room, mut corners) = (Fine::new(width, height), Room::default(), Vec::new());
        raster.facets.fixed(&mut room, |facet| raster.shadow(&facet, &mut fixed, &mut corners));
        raster.facets.fixed(&mut room, |facet| raster.solid(&facet, &mut fixed, &mut corners));
        let mut still = raster.paper.clone();
        raster.resolve(&fixed, &mut still);
        (raster.still, raster.fixed) = (still, fixed);
        Ok(raster)
    }

    /// What a thread draws frames with.
    pub fn canvas(&self) -> Result<Canvas> {
        let pen = Pen::new(self.width, self.height, self.theme.paper).ok_or_else(too_large)?;
        let mut fine = self.fixed.clone();
        fine.spans.fill(NO_SPAN);
        Ok(Canvas { fine, pen, room: Room::default(), corners: Vec::new() })
    }

    /// Red, green and blue of each pixel at a place in the motion: a sample, or between two.
    pub fn frame(&self, canvas: &mut Canvas, at: f64) -> Vec<[u8; 3]> {
        let poses: Vec<Pose> = self.motion.frame_at(at);
        let Canvas { fine, pen, room, corners } = canvas;
        self.facets.moving(self.scene, &poses, room, |facet| self.shadow(&facet, fine, corners));
        self.facets.moving(self.scene, &poses, room, |facet| self.solid(&facet, fine, corners));
        let mut pixels = self.still.clone();
        self.resolve(fine, &mut pixels);
        fine.restore(&self.fixed, self.width);
        pen.draw(&self.constant, &mut pixels);
        pen.draw(&self.marks.moving(&poses, at), &mut pixels);
        pixels
    }

    fn shadow(&self, facet: &Facet, fine: &mut Fine, corners: &mut Vec<Vec3>) {
        let Some(shaded) = &self.shaded else { return };
        corners.clear();
        corners.extend(facet.points.iter().map(|p| shaded.apply(*p)));
        for triangle in facet.triangles {
            let [a, b, c] = triangle.map(|k| corners[k as usize]);
            // The side of a closed surface that is turned to the light throws all of its shadow.
            if facet.closed && area(a, b, c) > 0.0 {
                continue;
            }
            let wide = self.width * FINER;
            let Fine { colours, spans, .. } = &mut *fine;
            rows([a, b, c], wide, self.height * FINER, spans, |y, x0, x1| {
                for cell in &mut colours[y * wide + x0..y * wide + x1] {
                    *cell = if *cell == PAPER { SHADOW } else { *cell };
                }
            });
        }
    }

    fn solid(&self, facet: &Facet, fine: &mut Fine, corners: &mut Vec<Vec3>) {
        corners.clear();
        corners.extend(facet.points.iter().map(|p| self.seen.apply(*p)));
        let (wide, tall) = (self.width * FINER, self.height * FINER);
        let colour = facet.colour.map(f32::from);
        for triangle in facet.triangles {
            let [a, b, c] = triangle.map(|k| corners[k as usize]);
            let twice = area(a, b, c);
            // The page's y points down, so what faces the viewer runs the other way round.
            if twice.is_nan() || twice.abs() < 1e-9 || facet.closed && twice > 0.0 {
                continue;
            }
            let slope = |p: f64, q: f64, r: f64| {
                let (q, r) = (q - p, r - p);
                let across = (q * (c.y - a.y) - r * (b.y - a.y)) / twice;
                let down = (r * (b.x - a.x) - q * (c.x - a.x)) / twice;
                (p, across, down)
            };
            let from = |(p, across, down): (f64, f64, f64), x: usize, y: usize| {
                (p + across * (x as f64 + 0.5 - a.x) + down * (y as f64 + 0.5 - a.y)) as f32
            };
            let depth = slope(a.z, b.z, c.z);
            let normals = triangle.map(|k| facet.normals[k as usize]);
            let side = |n: Vec3| [n.dot(self.right), n.dot(self.up)];
            let [na, nb, nc] = normals.map(side);
            let Fine { colours, depths, spans } = &mut *fine;
            if normals[0] == normals[1] && normals[0] == normals[2] {
                // A mesh may be seen from inside; light falls on whichever side is seen.
                let seen = if normals[0].dot(self.right.cross(self.up)) < 0.0 { [-na[0], -na[1]] } else { na };
                let flat = lit(colour, self.lights[light_at(seen[0] as f32, seen[1] as f32)]);
                rows([a, b, c], wide, tall, spans, |y, x0, x1| {
                    let (mut z, step) = (from(depth, x0, y), depth.1 as f32);
                    let range = y * wide + x0..y * wide + x1;
                    for (near, slot) in depths[range.clone()].iter_mut().zip(&mut colours[range]) {
                        if z > *near {
                            (*near, *slot) = (z, flat);
                        }
                        z += step;
                    }
                });
                continue;
            }
            let (nx, ny) = (slope(na[0], nb[0], nc[0]), slope(na[1], nb[1], nc[1]));
            rows([a, b, c], wide, tall, spans, |y, x0, x1| {
                let (mut z, mut u, mut v) = (from(depth, x0, y), from(nx, x0, y), from(ny, x0, y));
                let (dz, du, dv) = (depth.1 as f32, nx.1 as f32, ny.1 as f32);
                let range = y * wide + x0..y * wide + x1;
                for (near, slot) in depths[range.clone()].iter_mut().zip(&mut colours[range]) {
                    if z > *near {
                        (*near, *slot) = (z, lit(colour, self.lights[light_at(u, v)]));
                    }
                    (z, u, v) = (z + dz, u + du, v + dv);
                }
            });
        }
    }

    /// Pixels that something covers, as means of their fine pixels.
    fn resolve(&self, fine: &Fine, pixels: &mut [[u8; 3]]) {
        let wide = self.width * FINER;
        const ALL: u32 = (FINER * FINER) as u32;
        for (y, (x0, x1)) in fine.spans.iter().enumerate() {
            for x in *x0 as usize..*x1 as usize {
                let start = y * FINER * wide + x * FINER;
                let (mut sum, mut papers, mut shadows) = ([0u32; 3], 0, 0);
                for j in 0..FINER {
                    for cell in &fine.colours[start + j * wide..start + j * wide + FINER] {
                        match *cell {
                            PAPER => papers += 1,
                            SHADOW => shadows += 1,
                            colour => {
                                sum[0] += colour >> 16 & 255;
                                sum[1] += colour >> 8 & 255;
                                sum[2] += colour & 255;
                            }
                        }
                    }
                }
                let at = y * self.width + x;
                if papers == ALL {
                    pixels[at] = self.paper[at];
                    continue;
                }
                // Paper counts as it is, and in the shadow as a part of itself.
                let share = papers * 256 + shadows * self.theme.shadow;
                let paper = self.paper[at];
                pixels[at] = [0, 1, 2].map(|k| ((sum[k] + u32::from(paper[k]) * share / 256) / ALL) as u8);
            }
        }
    }
}

fn too_large() -> Error {
    Error::new("the picture is too large").note("ask for a smaller --width")
}

/// Fine pixels: how near, which colour, and from where to where each row of pixels has changed.
#[derive(Clone)]
struct Fine {
    depths: Vec<f32>,
    colours: Vec<u32>,
    spans: Vec<(u32, u32)>,
}

const NO_SPAN: (u32, u32) = (u32::MAX, 0);

impl Fine {
    fn new(width: usize, height: usize) -> Fine {
        let count = width * height * FINER * FINER;
        Fine { depths: vec![f32::NEG_INFINITY; count], colours: vec![PAPER; count], spans: vec![NO_SPAN; height] }
    }

    /// Takes back what has changed.
    fn restore(&mut self, fixed: &Fine, width: usize) {
        for (y, span) in self.spans.iter_mut().enumerate() {
            let (x0, x1) = std::mem::replace(span, NO_SPAN);
            if x0 < x1 {
                for row in y * FINER..(y + 1) * FINER {
                    let range = (row * width + x0 as usize) * FINER..(row * width + x1 as usize) * FINER;
                    self.depths[range.clone()].copy_from_slice(&fixed.depths[range.clone()]);
                    self.colours[range.clone()].copy_from_slice(&fixed.colours[range]);
                }
            }
        }
    }
}

/// From ground coordinates to fine pixels, depth in pixels too.
struct Affine {
    rows: [Vec3; 3],
    start: Vec3,
}

impl Affine {
    fn of(map: impl Fn(Vec3) -> Vec3) -> Affine {
        let fine = |p: Vec3| map(p) * FINER as f64;
        let start = fine(Vec3::ZERO);
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| fine(axis) - start);
        let rows = [Vec3::new(x.x, y.x, z.x), Vec3::new(x.y, y.y, z.y), Vec3::new(x.z, y.z, z.z)];
        Affine { rows, start }
    }

    fn apply(&self, p: Vec3) -> Vec3 {
        let [x, y, z] = self.rows.map(|row| row.dot(p));
        Vec3::new(x, y, z) + self.start
    }
}

/// Light on normals, by their parts to the right and up: factor and addition.
fn lights(camera: &Camera) -> Vec<[f32; 2]> {
    let [right, up, towards] = camera.axes();
    let part = |k: usize| 2.0 * k as f64 / (LIGHTS - 1) as f64 - 1.0;
    let light = |k: usize| {
        let (x, y) = (part(k % LIGHTS), part(k / LIGHTS));
        let normal = right * x + up * y + towards * (1.0 - x * x - y * y).max(0.0).sqrt();
        let (factor, shine) = camera.light(normal.unit().unwrap_or(towards));
        [factor as f32, shine as f32]
    };
    (0..LIGHTS * LIGHTS).map(light).collect()
}

fn light_at(x: f32, y: f32) -> usize {
    const HALF: f32 = 0.5 * (LIGHTS - 1) as f32;
    // A float beyond the range of an integer becomes its nearest.
    let place = |c: f32| ((c * HALF + (HALF + 0.5)) as u32).min(LIGHTS as u32 - 1) as usize;
    place(y) * LIGHTS + place(x)
}

fn lit(colour: [f32; 3], [factor, shine]: [f32; 2]) -> u32 {
    // A float beyond the range of a byte becomes its nearest.
    let byte = |k: usize| u32::from((colour[k] * factor + shine) as u8);
    SOLID | byte(0) << 16 | byte(1) << 8 | byte(2)
}

/// Twice the area of a triangle on the page.
fn area(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Hands over the rows of fine pixels whose middles lie in a triangle: y, and from which x to which. Triangles that share an
/// edge share no pixel and leave none out.
fn rows(
    mut corners: [Vec3; 3],
    wide: usize,
    tall: usize,
    spans: &mut [(u32, u32)],
    mut put: impl FnMut(usize, usize, usize),
) {
    if !corners.iter().all(|p| p.is_finite()) {
        return;
    }
    corners.sort_by(|p, q| p.y.total_cmp(&q.y));
    let [a, b, c] = corners;
    // The first middle that is not before a place; a float beyond the range of an integer becomes its nearest.
    let first = |at: f64, most: usize| {
        let below = ((at - 0.5) as usize).min(most);
        (below + usize::from((below as f64) < at - 0.5)).min(most)
    };
    for y in first(a.y, tall)..first(c.y, tall) {
        let level = y as f64 + 0.5;
        let cut = |p: Vec3, q: Vec3| p.x + (q.x - p.x) * ((level - p.y) / (q.y - p.y));
        let (long, short) = (cut(a, c), if level < b.y { cut(a, b) } else { cut(b, c) });
        let (x0, x1) = (first(long.min(short), wide), first(long.max(short), wide));
        if x0 < x1 {
            let span = &mut spans[y / FINER];
            *span = (span.0.min((x0 / FINER) as u32), span.1.max(((x1 - 1) / FINER + 1) as u32));
            put(y, x0, x1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_with_a_common_edge_share_no_pixel_and_leave_none_out() {
        const SIDE: usize = 30;
        let corners = [(2.5, 3.5), (27.3, 4.1), (25.5, 26.5), (1.7, 24.9)].map(|(x, y)| Vec3::new(x, y, 0.0));
        let middle = Vec3::new(14.5, 15.5, 0.0);
        let mut counts = vec![0; SIDE * SIDE];
        let mut spans = vec![NO_SPAN; SIDE];
        for k in 0..4 {
            rows([corners[k], corners[(k + 1) % 4], middle], SIDE, SIDE, &mut spans, |y, x0, x1| {
                counts[y * SIDE + x0..y * SIDE + x1].iter_mut().for_each(|c| *c += 1);
            });
        }
        assert!(counts.iter().all(|c| *c <= 1));
        let area: f64 = (0..4).map(|k| 0.5 * area(corners[k], corners[(k + 1) % 4], middle)).sum();
        // As many as the area has, but for those on the rim.
        assert!((f64::from(counts.iter().sum::<i32>()) - area).abs() < 12.0, "{area}");
    }
}
