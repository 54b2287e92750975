//! The surfaces of a whole scene, made once for all samples.

use super::faces::{faces, Face};
use super::scene::{Form, Part, Scene};
use super::surface::{Library, Placed};
use super::theme::Theme;
use biela_core::model::GROUND;
use biela_math::{Pose, Vec3};

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

/// A surface in a body's coordinates, and the body's pose.
pub(super) struct Facet<'f> {
    pub points: &'f [Vec3],
    pub normals: &'f [Vec3],
    pub faces: &'f [Face],
    pub pose: Pose,
    pub colour: [u8; 3],
    /// Whether nobody ever sees its inner side.
    pub closed: bool,
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
        let faces = library.surfaces.iter().map(faces).collect();
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
