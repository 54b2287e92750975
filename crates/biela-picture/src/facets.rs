//! The triangles of a whole scene at one sample.

use super::scene::{Part, Scene};
use super::surface::{Library, Placed, Surface};
use super::Animation;
use biela_math::{Pose, Vec3};

/// A scene's surfaces, made once for all samples.
pub(super) struct Facets {
    library: Library,
    bodies: Vec<Vec<(Placed, [u8; 3])>>,
    struts: Vec<(Placed, [u8; 3])>,
}

/// A triangle in ground coordinates.
pub(super) struct Facet {
    pub corners: [Vec3; 3],
    pub normals: [Vec3; 3],
    pub colour: [u8; 3],
}

impl Facets {
    pub fn new(scene: &Scene) -> Facets {
        let mut library = Library::new(scene.coarse);
        let mut place = |body: usize, part: &Part| {
            let colour = scene.colour(body, part.tint);
            library.place(part).into_iter().map(move |p| (p, colour)).collect::<Vec<_>>()
        };
        let figures = scene.figures.iter().enumerate();
        let bodies = figures.map(|(k, f)| f.parts.iter().flat_map(|p| place(k, p)).collect()).collect();
        let struts = scene.struts.iter().flat_map(|s| place(0, &s.part())).collect();
        Facets { library, bodies, struts }
    }

    /// Hands over every triangle at a sample.
    pub fn each(&self, scene: &Scene, motion: &Animation, sample: usize, mut take: impl FnMut(Facet)) {
        let poses = motion.frame(sample);
        for (parts, pose) in self.bodies.iter().zip(&poses) {
            for (placed, colour) in parts {
                hand_over(&self.library.surfaces[placed.surface], placed, *pose, *colour, &mut take);
            }
        }
        for (strut, (placed, colour)) in scene.struts.iter().zip(&self.struts) {
            let (pose, length) = strut.place(&poses);
            let stretched =
                Placed { scale: Vec3::new(placed.scale.x, placed.scale.y, placed.scale.z * length), ..*placed };
            hand_over(&self.library.surfaces[placed.surface], &stretched, pose, *colour, &mut take);
        }
    }
}

fn hand_over(surface: &Surface, placed: &Placed, pose: Pose, colour: [u8; 3], take: &mut impl FnMut(Facet)) {
    let (points, normals) = placed.apply(surface, &pose);
    for triangle in &surface.triangles {
        let corners = triangle.map(|k| points[k as usize]);
        take(Facet { corners, normals: triangle.map(|k| normals[k as usize]), colour });
    }
}
