//! Where shadows fall and the grid lies: on the floor below, or on the wall behind a planar mechanism.

use super::Scene;
use biela_math::Vec3;

/// The plane behind or below a scene, and the light that throws shadows on it.
pub(super) struct Shade {
    /// Towards the scene.
    pub normal: Vec3,
    /// Its place along the normal.
    pub level: f64,
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
