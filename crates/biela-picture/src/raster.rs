//! Frames of pixels: every pixel shows what is nearest, smoothed by drawing finer than asked.
//!
//! What never moves is drawn once: paper with its grid, and what is fixed to the ground. A frame begins as a copy of that; only
//! pixels that something moving covers are made anew.

use super::camera::Camera;
use super::facets::{Facet, Facets};
use super::ink::{Layer, Pen};
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

/// A fine pixel that shows paper, and one that shows paper in the shadow; all others have this bit and a colour. Marks are such
/// that a sum over the fine pixels of a pixel counts them: shadows below the fourth bit of the upper byte, others from there on.
const PAPER: u32 = 0;
const SHADOW: u32 = 1 << 24;
const SOLID: u32 = 1 << 28;
/// Two of the four bytes of a fine pixel, with room for sums between them.
const APART: u32 = 0x00FF_00FF;

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
    /// Right and up of the picture, in which the table of lights is told, and towards the viewer.
    axes: [Vec3; 3],
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
    constant: Layer,
}

/// What drawing a frame changes: one for each thread.
pub(super) struct Canvas {
    fine: Fine,
    pen: Pen,
    room: Room,
}

/// Room for what is made of a surface and of a row of pixels.
#[derive(Default)]
struct Room {
    corners: Vec<Vec3>,
    /// Normals along the axes of the picture.
    sides: Vec<Vec3>,
    sums: Vec<[u32; 2]>,
    cuts: Cuts,
}

impl<'a> Raster<'a> {
    pub fn new(scene: &'a Scene, motion: &'a Animation<'a>, look: &'a Look, width: usize) -> Result<Raster<'a>> {
        let camera = Camera::new(scene, look, width as f64);
        let theme = Theme::new(look.dark);
        let (height, shade) = (camera.height as usize, Shade::new(scene));
        let seen = Affine::of(|p| camera.see(p));
        let axes = camera.axes();
        let marks = Marks::new(scene, motion, look, &camera)?;
        let mut pen = Pen::new(width, height, theme.paper).ok_or_else(too_large)?;
        let mut paper = vec![theme.paper; width * height];
        pen.draw(&marks.below()).over(&mut paper);
        let constant = pen.draw(&marks.constant());
        let edge_on = shade.normal.dot(axes[2]).abs() < 0.02;
        let mut raster = Raster {
            scene,
            motion,
            facets: Facets::new(scene, &theme),
            marks,
            theme,
            seen,
            shaded: (!edge_on).then(|| Affine::of(|p| camera.see(shade.cast(p)))),
            axes,
            lights: lights(&camera),
            width,
            height,
            still: paper.clone(),
            paper,
            fixed: Fine::new(width, height),
            constant,
        };
        let (mut fixed, mut room) = (Fine::new(width, height), Room::default());
        raster.facets.fixed(|facet| raster.draw(&facet, &mut fixed, &mut room));
        let mut still = raster.paper.clone();
        raster.resolve(&fixed, &mut still, &mut room.sums);
        (raster.still, raster.fixed) = (still, fixed);
        Ok(raster)
    }

    /// What a thread draws frames with.
    pub fn canvas(&self) -> Result<Canvas> {
        let pen = Pen::new(self.width, self.height, self.theme.paper).ok_or_else(too_large)?;
        let mut fine = self.fixed.clone();
        fine.touched.clear();
        Ok(Canvas { fine, pen, room: Room::default() })
    }

    /// Red, green and blue of each pixel at a place in the motion: a sample, or between two.
    pub fn frame(&self, canvas: &mut Canvas, at: f64) -> Vec<[u8; 3]> {
        let poses: Vec<Pose> = self.motion.frame_at(at);
        let Canvas { fine, pen, room } = canvas;
        self.facets.moving(self.scene, &poses, |facet| self.draw(&facet, fine, room));
        let mut pixels = self.still.clone();
        self.resolve(fine, &mut pixels, &mut room.sums);
        fine.restore(&self.fixed, self.width);
        self.constant.over(&mut pixels);
        pen.draw(&self.marks.moving(&poses, at)).over(&mut pixels);
        pixels
    }

    /// Draws a surface and its shadow, which falls on paper alone: their order does not matter.
    fn draw(&self, facet: &Facet, fine: &mut Fine, room: &mut Room) {
        if let Some(shaded) = &self.shaded {
            place(&shaded.of_body(&facet.pose), facet.points, &mut room.corners);
            self.shadow(facet, fine, &room.corners, &mut room.cuts);
        }
        place(&self.seen.of_body(&facet.pose), facet.points, &mut room.corners);
        let axes = Affine { rows: self.axes.map(|axis| facet.pose.rotation.apply_transposed(axis)), start: Vec3::ZERO };
        place(&axes, facet.normals, &mut room.sides);
        self.solid(facet, fine, [&room.corners, &room.sides], &mut room.cuts);
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
                let flat = lit(colour, self.lights[light_at(seen.x as f32, seen.y as f32)]);
                cuts.rows(outline, [wide, tall], touched, |y, x0, x1| {
                    let range = y * wide + x0..y * wide + x1;
                    put(&mut depths[range.clone()], &mut colours[range], depth.row(x0, y), |_| flat);
                });
                continue;
            }
            let (right, up) = (slope(na.x, nb.x, nc.x), slope(na.y, nb.y, nc.y));
            cuts.rows(outline, [wide, tall], touched, |y, x0, x1| {
                let ((u, du), (v, dv)) = (right.row(x0, y), up.row(x0, y));
                let shade = |k: f32| lit(colour, self.lights[light_at(u + du * k, v + dv * k)]);
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
                let share = (ALL - solids - shadows) * 256 + shadows * self.theme.shadow;
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

fn too_large() -> Error {
    Error::new("the picture is too large").note("ask for a smaller --width")
}

/// Fine pixels: how near, which colour, and which have changed.
#[derive(Clone)]
struct Fine {
    depths: Vec<f32>,
    colours: Vec<u32>,
    touched: Touched,
}

impl Fine {
    fn new(width: usize, height: usize) -> Fine {
        let count = width * height * FINER * FINER;
        let touched = Touched::new(width, height);
        Fine { depths: vec![f32::NEG_INFINITY; count], colours: vec![PAPER; count], touched }
    }

    /// Takes back what has changed.
    fn restore(&mut self, fixed: &Fine, width: usize) {
        for (y, x0, x1) in self.touched.runs(width) {
            for row in y * FINER..(y + 1) * FINER {
                let range = (row * width + x0) * FINER..(row * width + x1) * FINER;
                self.depths[range.clone()].copy_from_slice(&fixed.depths[range.clone()]);
                self.colours[range.clone()].copy_from_slice(&fixed.colours[range]);
            }
        }
        self.touched.clear();
    }
}

/// Which blocks of each row of pixels have changed: a bit for each.
#[derive(Clone)]
struct Touched {
    /// Bits of a row begin with a number of their own.
    bits: Vec<u64>,
    along: usize,
}

/// Pixels of a block, along its row.
const BLOCK: usize = 8;

impl Touched {
    fn new(width: usize, height: usize) -> Touched {
        let along = width.div_ceil(BLOCK * 64);
        Touched { bits: vec![0; along * height], along }
    }

    fn clear(&mut self) {
        self.bits.fill(0);
    }

    /// Fine pixels of a row have changed, from one to the one before another.
    fn mark(&mut self, (y, x0, x1): (usize, usize, usize)) {
        if x0 >= x1 {
            return;
        }
        let row = &mut self.bits[y / FINER * self.along..][..self.along];
        let (first, last) = (x0 / (FINER * BLOCK), (x1 - 1) / (FINER * BLOCK));
        for (k, word) in row.iter_mut().enumerate().take(last / 64 + 1).skip(first / 64) {
            let from = first.saturating_sub(64 * k);
            let to = (last - 64 * k).min(63);
            *word |= u64::MAX << from & u64::MAX >> (63 - to);
        }
    }

    /// Row, first pixel and the pixel after the last of all that has changed, neighbours together.
    fn runs(&self, width: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let rows = self.bits.chunks(self.along).enumerate();
        rows.flat_map(move |(y, row)| {
            let is_set = |k: usize| row.get(k / 64).is_some_and(|word| word >> (k % 64) & 1 == 1);
            let mut next = 0;
            std::iter::from_fn(move || {
                let first = (next..self.along * 64).find(|k| is_set(*k))?;
                let end = (first..=self.along * 64).find(|k| !is_set(*k))?;
                next = end;
                Some((y, first * BLOCK, (end * BLOCK).min(width)))
            })
        })
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

    /// The same from the coordinates of a body with this pose.
    fn of_body(&self, pose: &Pose) -> Affine {
        Affine { rows: self.rows.map(|row| pose.rotation.apply_transposed(row)), start: self.apply(pose.origin) }
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

/// Where the rows of fine pixels cut the outline of a face: on edges that go up, and on those that go down.
#[derive(Default)]
struct Cuts(Vec<[f64; 2]>);

impl Cuts {
    /// Hands over the rows of fine pixels whose middles lie in a convex outline: y, and from which x to which. Outlines that share
    /// an edge share no pixel and leave none out.
    fn rows(
        &mut self,
        outline: impl Iterator<Item = Vec3> + Clone,
        [wide, tall]: [usize; 2],
        touched: &mut Touched,
        mut take: impl FnMut(usize, usize, usize),
    ) {
        let Cuts(cuts) = self;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in outline.clone() {
            if !p.is_finite() {
                return;
            }
            (least, most) = (least.min(p.y), most.max(p.y));
        }
        let (top, bottom) = (first(least, tall), first(most, tall));
        if top >= bottom {
            return;
        }
        cuts.clear();
        cuts.resize(bottom - top, [f64::NAN; 2]);
        for (p, q) in outline.clone().zip(outline.clone().skip(1).chain(outline.take(1))) {
            let side = usize::from(p.y > q.y);
            // From above, whichever face the edge is told by.
            let (p, q) = if p.y > q.y { (q, p) } else { (p, q) };
            let (from, to) = (first(p.y, tall), first(q.y, tall));
            let tilt = (q.x - p.x) / (q.y - p.y);
            for (k, cut) in cuts[from - top..to - top].iter_mut().enumerate() {
                cut[side] = p.x + tilt * ((from + k) as f64 + 0.5 - p.y);
            }
        }
        let mut run = (0, usize::MAX, 0);
        for (k, [up, down]) in cuts.iter().enumerate() {
            let y = top + k;
            let (x0, x1) = (first(up.min(*down), wide), first(up.max(*down), wide));
            if x0 < x1 {
                // Rows of one row of pixels are marked together.
                if run.0 / FINER != y / FINER {
                    touched.mark(run);
                    run = (y, usize::MAX, 0);
                }
                run = (y, run.1.min(x0), run.2.max(x1));
                take(y, x0, x1);
            }
        }
        touched.mark(run);
    }
}

/// The first middle of a fine pixel that is not before a place. A float beyond the range of an integer becomes its nearest.
fn first(at: f64, most: usize) -> usize {
    let at = at - 0.5;
    let below = at as i32;
    (below.saturating_add(i32::from(f64::from(below) < at)).max(0) as usize).min(most)
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
        let mut touched = Touched::new(SIDE / FINER, SIDE / FINER);
        for k in 0..4 {
            let outline = [corners[k], corners[(k + 1) % 4], middle];
            Cuts::default().rows(outline.into_iter(), [SIDE; 2], &mut touched, |y, x0, x1| {
                counts[y * SIDE + x0..y * SIDE + x1].iter_mut().for_each(|c| *c += 1);
            });
        }
        assert!(counts.iter().all(|c| *c <= 1));
        let area: f64 = (0..4).map(|k| 0.5 * area(corners[k], corners[(k + 1) % 4], middle)).sum();
        // As many as the area has, but for those on the rim.
        assert!((f64::from(counts.iter().sum::<i32>()) - area).abs() < 12.0, "{area}");
    }

    #[test]
    fn blocks_that_were_touched_are_told_row_by_row() {
        let mut touched = Touched::new(1100, 3);
        let fine = BLOCK * FINER;
        touched.mark((FINER, 0, 1));
        touched.mark((FINER, 63 * fine, 65 * fine));
        touched.mark((FINER + 1, 65 * fine + 2, 66 * fine));
        touched.mark((2 * FINER, 128 * fine, 1100 * FINER));
        touched.mark((2 * FINER, 137 * fine, 137 * fine + 1));
        let runs: Vec<_> = touched.runs(1100).collect();
        assert_eq!(runs, [(1, 0, 8), (1, 504, 528), (2, 1024, 1100)]);
        touched.clear();
        assert_eq!(touched.runs(1100).count(), 0);
    }
}
