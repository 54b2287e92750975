//! Frames of a motion as pixels.

use super::camera::Camera;
use super::facets::Facets;
use super::ink::{Layer, Pen};
use super::look::Look;
use super::marks::Marks;
use super::shade::Shade;
use super::theme::Theme;
use super::{Animation, Scene};
use biela_base::error::{Error, Result};
use biela_raster::{lights, Affine, Painter, Pixels, View};

/// Draws samples of a motion as pixels.
pub(super) struct Raster<'a> {
    scene: &'a Scene,
    motion: &'a Animation<'a>,
    facets: Facets,
    marks: Marks<'a>,
    theme: Theme,
    painter: Painter,
    /// Pixels of a frame.
    pub width: usize,
    /// Pixels of a frame.
    pub height: usize,
    /// Marks that are the same in every frame.
    constant: Layer,
}

/// What drawing a frame changes: one for each thread.
pub(super) struct Canvas {
    solids: biela_raster::Canvas,
    pen: Pen,
}

impl<'a> Raster<'a> {
    pub fn new(scene: &'a Scene, motion: &'a Animation<'a>, look: &'a Look, width: usize) -> Result<Raster<'a>> {
        let camera = Camera::new(scene, look, width as f64);
        let theme = Theme::new(look.dark);
        let (height, shade) = (camera.height as usize, Shade::new(scene));
        let axes = camera.axes();
        let marks = Marks::new(scene, motion, look, &camera)?;
        let mut pen = Pen::new(width, height, theme.paper).ok_or_else(too_large)?;
        let mut paper = vec![theme.paper; width * height];
        pen.draw(&marks.below()).over(&mut paper);
        let constant = pen.draw(&marks.constant());
        let edge_on = shade.normal.dot(axes[2]).abs() < 0.02;
        let view = View {
            seen: Affine::of(|p| camera.see(p)),
            shaded: (!edge_on).then(|| Affine::of(|p| camera.see(shade.cast(p)))),
            axes,
            lights: lights(axes, |normal| camera.light(normal)),
            shadow: theme.shadow,
        };
        let mut painter = Painter::new(view, paper, width);
        let facets = Facets::new(scene, &theme);
        let mut ground = painter.canvas();
        facets.fixed(|facet| painter.draw(&facet, &mut ground));
        painter.keep(ground);
        Ok(Raster { scene, motion, facets, marks, theme, painter, width, height, constant })
    }

    /// What a thread draws frames with.
    pub fn canvas(&self) -> Result<Canvas> {
        let pen = Pen::new(self.width, self.height, self.theme.paper).ok_or_else(too_large)?;
        Ok(Canvas { solids: self.painter.canvas(), pen })
    }

    /// Red, green and blue of each pixel at a place in the motion: a sample, or between two.
    pub fn frame(&self, canvas: &mut Canvas, at: f64) -> Pixels {
        let poses = self.motion.frame_at(at);
        self.facets.moving(self.scene, &poses, |facet| self.painter.draw(&facet, &mut canvas.solids));
        let mut pixels = self.painter.pixels(&mut canvas.solids);
        self.constant.over(&mut pixels);
        canvas.pen.draw(&self.marks.moving(&poses, at)).over(&mut pixels);
        pixels
    }
}

fn too_large() -> Error {
    Error::new("the picture is too large").note("ask for a smaller --width")
}
