//! How still pictures see a scene: straight lines of sight, all of the motion in the frame.

use super::Scene;
use biela_math::Vec3;

/// Half of the light that every face gets, and what the lamp adds; as in the page's shader.
const AMBIENT: f64 = 0.58;
const LAMP: f64 = 0.52;

/// From ground coordinates to a page: x to the right, y down, depth towards the viewer.
pub(super) struct Camera {
    right: Vec3,
    up: Vec3,
    towards: Vec3,
    middle: (f64, f64),
    /// Page units per length.
    pub scale: f64,
    pub width: f64,
    pub height: f64,
    lamp: Vec3,
    fill: Vec3,
}

impl Camera {
    /// A camera with a page of that width; its height follows from the scene.
    pub fn new(scene: &Scene, width: f64) -> Camera {
        let towards = scene.best_view();
        let right = scene.up.cross(towards).unit().unwrap_or_else(|| scene.right());
        let up = towards.cross(right);
        let range = |axis: Vec3| {
            let places = scene.outermost.iter().map(|p| p.dot(axis));
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
        };
        let ((left, far), (low, high)) = (range(right), range(up));
        let margin = 0.05 * (far - left).max(high - low).max(1e-12);
        let (wide, tall) = (far - left + 2.0 * margin, high - low + 2.0 * margin);
        let height = (width * tall / wide).clamp(0.4 * width, 0.8 * width).round();
        Camera {
            right,
            up,
            towards,
            middle: (0.5 * (left + far), 0.5 * (low + high)),
            scale: (width / wide).min(height / tall),
            width,
            height,
            lamp: (towards * 0.75 + up * 0.8 - right * 0.55).unit().unwrap_or(towards),
            fill: (towards * 0.5 + right - up * 0.2).unit().unwrap_or(towards),
        }
    }

    /// Where a point is on the page, and how near.
    pub fn see(&self, p: Vec3) -> Vec3 {
        let (x, y) = (p.dot(self.right) - self.middle.0, p.dot(self.up) - self.middle.1);
        Vec3::new(
            0.5 * self.width + self.scale * x,
            0.5 * self.height - self.scale * y,
            self.scale * p.dot(self.towards),
        )
    }

    /// Whether a face with this outward normal is turned to the viewer.
    pub fn faces(&self, normal: Vec3) -> bool {
        normal.dot(self.towards) > 0.0
    }

    /// A colour in the light that falls on a face.
    pub fn lit(&self, colour: [u8; 3], normal: Vec3) -> [u8; 3] {
        let n = if normal.dot(self.towards) < 0.0 { -normal } else { normal };
        let light =
            AMBIENT + LAMP * n.dot(self.lamp).max(0.0) + 0.14 * n.dot(self.fill).max(0.0) + 0.06 * n.dot(self.up);
        let shine = 56.0 * n.dot((self.lamp + self.towards).unit().unwrap_or(self.lamp)).max(0.0).powi(48);
        let rim = 1.0 - 0.16 * (1.0 - n.dot(self.towards)).max(0.0).powi(3);
        colour.map(|c| (f64::from(c) * light * rim + shine).clamp(0.0, 255.0) as u8)
    }
}
