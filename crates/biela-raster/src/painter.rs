//! Faces drawn as pixels: every pixel shows what is nearest, smoothed by drawing finer than asked.
//!
//! What never moves is drawn once. A frame begins as a copy of that; only pixels that something moving covers are made anew.

use super::cuts::{area, Cuts};
use super::faces::Face;
use super::fine::{Fine, FINER, PAPER, SHADOW, SOLID};
use biela_math::{Pose, Vec3};

/// Steps of the table of lights along each side.
const LIGHTS: usize = 256;
/// Two of the four bytes of a fine pixel, with room for sums between them.
const APART: u32 = 0x00FF_00FF;

/// Red, green and blue of each pixel.
pub type Pixels = Vec<[u8; 3]>;

/// How a picture sees: maps from the ground's coordinates to its pixels, and light.
pub struct View {
    /// As things are seen, and as their shadows are, where any fall.
    pub seen: Affine,
    /// The same for shadows.
    pub shaded: Option<Affine>,
    /// Right and up of the picture, and towards the viewer.
    pub axes: [Vec3; 3],
    /// Light by the parts of a normal to the right and up, made by [`lights`].
    pub lights: Vec<[f32; 2]>,
    /// How bright paper is in the shadow, in 256ths.
    pub shadow: u32,
}

/// A surface in a body's coordinates, and the body's pose.
pub struct Facet<'f> {
    /// Corners.
    pub points: &'f [Vec3],
    /// Unit normal at each corner.
    pub normals: &'f [Vec3],
    /// What they make.
    pub faces: &'f [Face],
    /// Pose of the body in the ground.
    pub pose: Pose,
    /// Its colour in full light.
    pub colour: [u8; 3],
    /// Whether nobody ever sees its inner side.
    pub closed: bool,
}

/// Draws surfaces on paper.
pub struct Painter {
    view: View,
    width: usize,
    height: usize,
    paper: Pixels,
    /// Paper with what is fixed, and its fine pixels.
    still: Pixels,
    fixed: Fine,
}

/// What drawing a frame changes: one for each thread.
pub struct Canvas {
    fine: Fine,
    corners: Vec<Vec3>,
    /// Normals along the axes of the picture.
    sides: Vec<Vec3>,
    sums: Vec<[u32; 2]>,
    cuts: Cuts,
}

impl Painter {
    /// A painter on paper of this width, on which nothing is fixed yet.
    pub fn new(view: View, paper: Pixels, width: usize) -> Painter {
        let height = paper.len() / width.max(1);
        Painter { view, width, height, still: paper.clone(), paper, fixed: Fine::new(width, height) }
    }

    /// What a thread draws frames with.
    pub fn canvas(&self) -> Canvas {
        let mut fine = self.fixed.clone();
        fine.touched.clear();
        Canvas { fine, corners: Vec::new(), sides: Vec::new(), sums: Vec::new(), cuts: Cuts::default() }
    }

    /// Lets what was drawn stay in all frames.
    pub fn keep(&mut self, mut canvas: Canvas) {
        let mut still = self.paper.clone();
        self.resolve(&canvas.fine, &mut still, &mut canvas.sums);
        (self.still, self.fixed) = (still, canvas.fine);
    }

    /// The pixels of a frame; its canvas is as new.
    pub fn pixels(&self, canvas: &mut Canvas) -> Pixels {
        let mut pixels = self.still.clone();
        self.resolve(&canvas.fine, &mut pixels, &mut canvas.sums);
        canvas.fine.restore(&self.fixed, self.width);
        pixels
    }

    /// Draws a surface and its shadow, which falls on paper alone: their order does not matter.
    pub fn draw(&self, facet: &Facet, canvas: &mut Canvas) {
        let Canvas { fine, corners, sides, cuts, .. } = canvas;
        if let Some(shaded) = &self.view.shaded {
            place(&shaded.of_body(&facet.pose), facet.points, corners);
            self.shadow(facet, fine, corners, cuts);
        }
        place(&self.view.seen.of_body(&facet.pose), facet.points, corners);
        let axes =
            Affine { rows: self.view.axes.map(|axis| facet.pose.rotation.apply_transposed(axis)), start: Vec3::ZERO };
        place(&axes, facet.normals, sides);
        self.solid(facet, fine, [corners, sides], cuts);
    }

    fn shadow(&self, facet: &Facet, fine: &mut Fine, corners: &[Vec3], cuts: &mut Cuts) {
        let wide = self.width * FINER;
        for face in facet.faces {
            let [a, b, c] = face.spread().map(|k| corners[k]);
            // The side of a closed surface that is turned to the light throws all of its shadow.
            if facet.closed && area(a, b, c) > 0.0 {
                continue;
            }
            let Fine { colours, touched, .. } = &mut *fine;
            let outline = face.corners.iter().map(|k| corners[*k as usize]);
            cuts.rows(outline, [wide, self.height * FINER], touched, |y, x0, x1| {
                for cell in &mut colours[y * wide + x0..y * wide + x1] {
                    *cell = if *cell == PAPER { SHADOW } else { *cell };
                }
            });
        }
    }

    fn solid(&self, facet: &Facet, fine: &mut Fine, [corners, sides]: [&[Vec3]; 2], cuts: &mut Cuts) {
        let (wide, tall) = (self.width * FINER, self.height * FINER);
        let colour = facet.colour.map(f32::from);
        for face in facet.faces {
            let [a, b, c] = face.spread().map(|k| corners[k]);
            let twice = area(a, b, c);
            // The page's y points down, so what faces the viewer runs the other way round.
            if twice.is_nan() || twice.abs() < 1e-9 || facet.closed && twice > 0.0 {
                continue;
            }
            let share = 1.0 / twice;
            let slope = |p: f64, q: f64, r: f64| {
                let (q, r) = (q - p, r - p);
                let across = (q * (c.y - a.y) - r * (b.y - a.y)) * share;
                let down = (r * (b.x - a.x) - q * (c.x - a.x)) * share;
                Slope { start: p - across * (a.x - 0.5) - down * (a.y - 0.5), across, down }
            };
            let depth = slope(a.z, b.z, c.z);
            let [na, nb, nc] = face.spread().map(|k| sides[k]);
            let outline = face.corners.iter().map(|k| corners[*k as usize]);
            let Fine { colours, depths, touched } = &mut *fine;
            if face.flat {
                // A mesh may be seen from inside; light falls on whichever side is seen.
                let seen = if na.z < 0.0 { -na } else { na };
                let flat = lit(colour, self.view.lights[light_at(seen.x as f32, seen.y as f32)]);
                cuts.rows(outline, [wide, tall], touched, |y, x0, x1| {
                    let range = y * wide + x0..y * wide + x1;
                    put(&mut depths[range.clone()], &mut colours[range], depth.row(x0, y), |_| flat);
                });
                continue;
            }
            let (right, up) = (slope(na.x, nb.x, nc.x), slope(na.y, nb.y, nc.y));
            cuts.rows(outline, [wide, tall], touched, |y, x0, x1| {
                let ((u, du), (v, dv)) = (right.row(x0, y), up.row(x0, y));
                let shade = |k: f32| lit(colour, self.view.lights[light_at(u + du * k, v + dv * k)]);
                let range = y * wide + x0..y * wide + x1;
                put(&mut depths[range.clone()], &mut colours[range], depth.row(x0, y), shade);
            });
        }
    }

    /// Pixels that something covers, as means of their fine pixels.
    fn resolve(&self, fine: &Fine, pixels: &mut [[u8; 3]], sums: &mut Vec<[u32; 2]>) {
        let wide = self.width * FINER;
        const ALL: u32 = (FINER * FINER) as u32;
        for (y, x0, x1) in fine.touched.runs(self.width) {
            // Down the columns of fine pixels first, many at once: blue and red, green and marks.
            sums.clear();
            sums.resize((x1 - x0) * FINER, [0; 2]);
            for row in y * FINER..(y + 1) * FINER {
                let cells = &fine.colours[row * wide + x0 * FINER..row * wide + x1 * FINER];
                for (sum, cell) in sums.iter_mut().zip(cells) {
                    *sum = [sum[0] + (cell & APART), sum[1] + (cell >> 8 & APART)];
                }
            }
            let range = y * self.width + x0..y * self.width + x1;
            let covered = pixels[range.clone()].iter_mut().zip(&self.paper[range]).zip(sums.chunks_exact(FINER));
            for ((pixel, paper), columns) in covered {
                let [even, odd] = columns.iter().fold([0; 2], |[a, b], c| [a + c[0], b + c[1]]);
                let (solids, shadows) = (odd >> 20, odd >> 16 & 15);
                if solids + shadows == 0 {
                    *pixel = *paper;
                    continue;
                }
                // Paper counts as it is, and in the shadow as a part of itself.
                let share = (ALL - solids - shadows) * 256 + shadows * self.view.shadow;
                let sum = [even >> 16, odd & 0xFFFF, even & 0xFFFF];
                *pixel = [0, 1, 2].map(|k| ((sum[k] + u32::from(paper[k]) * share / 256) / ALL) as u8);
            }
        }
    }
}

/// A number that changes evenly over fine pixels.
struct Slope {
    start: f64,
    across: f64,
    down: f64,
}

impl Slope {
    /// Its value at a fine pixel, and the step to the next in the row.
    fn row(&self, x: usize, y: usize) -> (f32, f32) {
        ((self.start + self.across * x as f64 + self.down * y as f64) as f32, self.across as f32)
    }
}

/// Fine pixels that are put at once: little more than a pixel, over which light hardly changes.
const MANY: usize = 4;

/// Puts a row of fine pixels wherever it is nearer than what is there. `shade` tells the colour so many fine pixels from its start.
fn put(depths: &mut [f32], colours: &mut [u32], (z, step): (f32, f32), shade: impl Fn(f32) -> u32) {
    let some = |from: usize, depths: &mut [f32], colours: &mut [u32]| {
        let own: [f32; MANY] = std::array::from_fn(|k| z + step * (from + k) as f32);
        if !depths.iter().zip(own).any(|(near, own)| own > *near) {
            return;
        }
        let colour = shade(from as f32 + 0.5 * (depths.len() - 1) as f32);
        for ((near, slot), own) in depths.iter_mut().zip(colours).zip(own) {
            *slot = if own > *near { colour } else { *slot };
            *near = near.max(own);
        }
    };
    let whole = depths.len() / MANY * MANY;
    let (near, last_near) = depths.split_at_mut(whole);
    let (slots, last_slots) = colours.split_at_mut(whole);
    for (k, (near, slots)) in near.chunks_exact_mut(MANY).zip(slots.chunks_exact_mut(MANY)).enumerate() {
        some(k * MANY, near, slots);
    }
    if !last_near.is_empty() {
        some(whole, last_near, last_slots);
    }
}

/// Points as a map places them.
fn place(map: &Affine, points: &[Vec3], placed: &mut Vec<Vec3>) {
    placed.clear();
    placed.extend(points.iter().map(|p| map.apply(*p)));
}

/// From ground coordinates to fine pixels, depth in pixels too.
pub struct Affine {
    rows: [Vec3; 3],
    start: Vec3,
}

impl Affine {
    /// The map that takes points so, to pixels and a depth in pixels.
    pub fn of(map: impl Fn(Vec3) -> Vec3) -> Affine {
        let fine = |p: Vec3| map(p) * FINER as f64;
        let start = fine(Vec3::ZERO);
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| fine(axis) - start);
        let rows = [Vec3::new(x.x, y.x, z.x), Vec3::new(x.y, y.y, z.y), Vec3::new(x.z, y.z, z.z)];
        Affine { rows, start }
    }

    /// The same from the coordinates of a body with this pose.
    fn of_body(&self, pose: &Pose) -> Affine {
        Affine { rows: self.rows.map(|row| pose.rotation.apply_transposed(row)), start: self.apply(pose.origin) }
    }

    fn apply(&self, p: Vec3) -> Vec3 {
        let [x, y, z] = self.rows.map(|row| row.dot(p));
        Vec3::new(x, y, z) + self.start
    }
}

/// Light on normals, by their parts to the right and up: factor and addition, as `light` tells them.
pub fn lights([right, up, towards]: [Vec3; 3], light: impl Fn(Vec3) -> (f64, f64)) -> Vec<[f32; 2]> {
    let part = |k: usize| 2.0 * k as f64 / (LIGHTS - 1) as f64 - 1.0;
    let at = |k: usize| {
        let (x, y) = (part(k % LIGHTS), part(k / LIGHTS));
        let normal = right * x + up * y + towards * (1.0 - x * x - y * y).max(0.0).sqrt();
        let (factor, shine) = light(normal.unit().unwrap_or(towards));
        [factor as f32, shine as f32]
    };
    (0..LIGHTS * LIGHTS).map(at).collect()
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
