//! How still pictures see a scene: straight lines of sight, all of the motion in the frame.

use super::look::Look;
use super::Scene;
use biela_math::Vec3;

/// Half of the light that every face gets, and what the lamp adds; as in the page's shader.
const AMBIENT: f64 = 0.58;
const LAMP: f64 = 0.52;
/// Height of the strip below a picture in which the scale stands, in parts of its width.
const FOOT: f64 = 0.045;

/// From ground coordinates to a page: x to the right, y down, depth towards the viewer.
#[derive(Clone)]
pub(super) struct Camera {
    right: Vec3,
    up: Vec3,
    towards: Vec3,
    middle: (f64, f64),
    /// Page units per length.
    pub scale: f64,
    pub width: f64,
    pub height: f64,
    /// Height of the strip for the scale, part of the height.
    pub foot: f64,
    lamp: Vec3,
    fill: Vec3,
}

impl Camera {
    /// A camera with a page of that width; its height follows from the scene. A strip below the scene is kept for the scale.
    pub fn new(scene: &Scene, look: &Look, width: f64) -> Camera {
        let [right, up, towards] = look.view.map_or_else(|| best(scene), |view| view.axes(scene));
        let range = |axis: Vec3| {
            let places = scene.outermost.iter().map(|p| p.dot(axis));
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
        };
        let ((left, far), (low, high)) = (range(right), range(up));
        let margin = 0.05 * (far - left).max(high - low).max(1e-12);
        let (wide, tall) = (far - left + 2.0 * margin, high - low + 2.0 * margin);
        let foot = if look.grid || !look.arrows.is_empty() { (FOOT * width).round() } else { 0.0 };
        let height = (width * tall / wide).clamp(0.4 * width, 0.8 * width).round();
        let zoom = look.view.map_or(1.0, |view| view.zoom);
        Camera {
            right,
            up,
            towards,
            middle: (0.5 * (left + far), 0.5 * (low + high)),
            scale: zoom * (width / wide).min(height / tall),
            width,
            height: height + foot,
            foot,
            lamp: (towards * 0.75 + up * 0.8 - right * 0.55).unit().unwrap_or(towards),
            fill: (towards * 0.5 + right - up * 0.2).unit().unwrap_or(towards),
        }
    }

    /// Unit vectors of the picture: right, up, towards the viewer.
    pub fn axes(&self) -> [Vec3; 3] {
        [self.right, self.up, self.towards]
    }

    /// Where a point is on a drawing of the same size as the mechanism, x to the right and y up, and how near.
    pub fn project(&self, p: Vec3) -> Vec3 {
        Vec3::new(p.dot(self.right), p.dot(self.up), p.dot(self.towards))
    }

    /// Where a place of the drawing is on the page.
    pub fn on_page(&self, p: Vec3) -> Vec3 {
        let (x, y) = (p.x - self.middle.0, p.y - self.middle.1);
        let level = 0.5 * (self.height - self.foot);
        Vec3::new(0.5 * self.width + self.scale * x, level - self.scale * y, self.scale * p.z)
    }

    /// The point of the picture's plane through the ground's origin that is at a place of the page.
    pub fn point_at(&self, x: f64, y: f64) -> Vec3 {
        let level = 0.5 * (self.height - self.foot);
        let (u, v) = ((x - 0.5 * self.width) / self.scale, (level - y) / self.scale);
        self.right * (self.middle.0 + u) + self.up * (self.middle.1 + v)
    }

    /// Where a point is on the page, and how near.
    pub fn see(&self, p: Vec3) -> Vec3 {
        self.on_page(self.project(p))
    }

    /// The light on a face with this unit normal: what its colour is multiplied by, and what is added.
    pub fn light(&self, normal: Vec3) -> (f64, f64) {
        let n = if normal.dot(self.towards) < 0.0 { -normal } else { normal };
        let light =
            AMBIENT + LAMP * n.dot(self.lamp).max(0.0) + 0.14 * n.dot(self.fill).max(0.0) + 0.06 * n.dot(self.up);
        let shine = 56.0 * n.dot((self.lamp + self.towards).unit().unwrap_or(self.lamp)).max(0.0).powi(48);
        let rim = 1.0 - 0.16 * (1.0 - n.dot(self.towards)).max(0.0).powi(3);
        (light * rim, shine)
    }

    /// A colour in the light that falls on a face.
    pub fn lit(&self, colour: [u8; 3], normal: Vec3) -> [u8; 3] {
        let (light, shine) = self.light(normal);
        colour.map(|c| (f64::from(c) * light + shine).clamp(0.0, 255.0) as u8)
    }
}

/// Right, up and towards the viewer who sees the mechanism best.
fn best(scene: &Scene) -> [Vec3; 3] {
    let towards = scene.best_view();
    let right = scene.up.cross(towards).unit().unwrap_or_else(|| scene.right());
    [right, towards.cross(right), towards]
}
