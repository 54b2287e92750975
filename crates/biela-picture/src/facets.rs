//! The surfaces of a whole scene, made once for all samples.

use super::scene::{Form, Part, Scene};
use super::surface::{Library, Placed};
use super::theme::Theme;
use biela_core::model::GROUND;
use biela_math::{Pose, Vec3};
use biela_raster::{faces, Face, Facet};

/// A scene's surfaces.
pub(super) struct Facets {
    library: Library,
    /// Faces of the library's surfaces.
    faces: Vec<Vec<Face>>,
    bodies: Vec<Vec<Piece>>,
    struts: Vec<Vec<Piece>>,
}

/// A surface of a part, as it lies in its body.
struct Piece {
    placed: Placed,
    points: Vec<Vec3>,
    normals: Vec<Vec3>,
    colour: [u8; 3],
    closed: bool,
}

impl Facets {
    pub fn new(scene: &Scene, theme: &Theme) -> Facets {
        let mut library = Library::new(scene.coarse);
        let mut place = |body: usize, part: &Part| -> Vec<Piece> {
            let colour = theme.tone(scene.colour(body, part.tint));
            let closed = !matches!(part.form, Form::Mesh(_));
            let placed = library.place(part).into_iter();
            let piece = |placed: Placed| {
                let (points, normals) = placed.apply(&library.surfaces[placed.surface], &Pose::IDENTITY);
                Piece { placed, points, normals, colour, closed }
            };
            placed.map(piece).collect()
        };
        let figures = scene.figures.iter().enumerate();
        let bodies = figures.map(|(k, f)| f.parts.iter().flat_map(|p| place(k, p)).collect()).collect();
        let struts = scene.struts.iter().map(|s| place(GROUND, &s.part())).collect();
        let faces = library.surfaces.iter().map(|surface| faces(surface.as_triangles())).collect();
        Facets { library, faces, bodies, struts }
    }

    /// Hands over every surface that is fixed to the ground.
    pub fn fixed(&self, mut take: impl FnMut(Facet)) {
        self.bodies[GROUND].iter().for_each(|piece| take(self.facet(piece, Pose::IDENTITY)));
    }

    /// Hands over every other surface, with bodies at these poses.
    pub fn moving(&self, scene: &Scene, poses: &[Pose], mut take: impl FnMut(Facet)) {
        for (pieces, pose) in self.bodies.iter().zip(poses).skip(GROUND + 1) {
            pieces.iter().for_each(|piece| take(self.facet(piece, *pose)));
        }
        for (strut, pieces) in scene.struts.iter().zip(&self.struts) {
            let (pose, length) = strut.place(poses);
            for piece in pieces {
                let s = piece.placed.scale;
                let stretched = Placed { scale: Vec3::new(s.x, s.y, s.z * length), ..piece.placed };
                let (points, normals) = stretched.apply(&self.library.surfaces[stretched.surface], &Pose::IDENTITY);
                take(Facet { points: &points, normals: &normals, ..self.facet(piece, pose) });
            }
        }
    }

    fn facet<'f>(&'f self, piece: &'f Piece, pose: Pose) -> Facet<'f> {
        Facet {
            points: &piece.points,
            normals: &piece.normals,
            faces: &self.faces[piece.placed.surface],
            pose,
            colour: piece.colour,
            closed: piece.closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::surface;

    /// Faces of a form: how many corners each has.
    fn counts(form: &Form) -> Vec<usize> {
        faces(surface(form, true).as_triangles()).iter().map(|face| face.corners.len()).collect()
    }

    #[test]
    fn what_is_flat_and_convex_is_one_face() {
        assert_eq!(counts(&Form::Box(Vec3::new(1.0, 2.0, 3.0))), [4; 6]);
        assert_eq!(counts(&Form::Cylinder(1.0, 2.0)), [vec![4; 8], vec![8; 2]].concat());
        // An L has a corner that turns the other way: two faces on each side.
        let corner = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let found = faces(surface(&Form::Plate(corner, 1.0), true).as_triangles());
        assert!(found.len() >= 6 + 4, "{}", found.len());
        let made = surface(&Form::Plate(vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]], 1.0), true);
        assert!(faces(made.as_triangles()).iter().all(|face| face.flat && face.corners.len() == 4));
    }

    #[test]
    fn faces_cover_what_their_triangles_do() {
        let corner = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        for form in [Form::Plate(corner, 1.0), Form::Sphere(1.0), Form::Cylinder(1.0, 3.0)] {
            let made = surface(&form, false);
            let at = |k: u32| made.points[k as usize];
            let triangle = |t: &[u32]| 0.5 * (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).norm();
            let whole: f64 = made.triangles.iter().map(|t| triangle(t)).sum();
            let fan = |c: &[u32]| (2..c.len()).map(|k| triangle(&[c[0], c[k - 1], c[k]])).sum::<f64>();
            let covered: f64 = faces(made.as_triangles()).iter().map(|face| fan(&face.corners)).sum();
            assert!((whole - covered).abs() < 1e-12 * whole, "{form:?}: {whole} {covered}");
        }
    }
}
