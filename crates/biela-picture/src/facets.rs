//! The surfaces of a whole scene, made once for all samples.

use super::scene::{Form, Part, Scene};
use super::surface::{Library, Placed, Surface};
use super::theme::Theme;
use biela_core::model::GROUND;
use biela_math::{Pose, Vec3};

/// A scene's surfaces.
pub(super) struct Facets {
    library: Library,
    bodies: Vec<Vec<Piece>>,
    struts: Vec<Vec<Piece>>,
}

/// A surface of a part.
struct Piece {
    placed: Placed,
    colour: [u8; 3],
    closed: bool,
}

/// A surface in ground coordinates.
pub(super) struct Facet<'f> {
    pub points: &'f [Vec3],
    pub normals: &'f [Vec3],
    pub triangles: &'f [[u32; 3]],
    pub colour: [u8; 3],
    /// Whether nobody ever sees its inner side.
    pub closed: bool,
}

/// Room for points and normals, kept from surface to surface.
#[derive(Default)]
pub(super) struct Room {
    points: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Facets {
    pub fn new(scene: &Scene, theme: &Theme) -> Facets {
        let mut library = Library::new(scene.coarse);
        let mut place = |body: usize, part: &Part| -> Vec<Piece> {
            let colour = theme.tone(scene.colour(body, part.tint));
            let closed = !matches!(part.form, Form::Mesh(_));
            library.place(part).into_iter().map(|placed| Piece { placed, colour, closed }).collect()
        };
        let figures = scene.figures.iter().enumerate();
        let bodies = figures.map(|(k, f)| f.parts.iter().flat_map(|p| place(k, p)).collect()).collect();
        let struts = scene.struts.iter().map(|s| place(GROUND, &s.part())).collect();
        Facets { library, bodies, struts }
    }

    /// Hands over every surface that is fixed to the ground.
    pub fn fixed(&self, room: &mut Room, mut take: impl FnMut(Facet)) {
        for piece in &self.bodies[GROUND] {
            self.hand_over(piece, &piece.placed, &Pose::IDENTITY, room, &mut take);
        }
    }

    /// Hands over every other surface, with bodies at these poses.
    pub fn moving(&self, scene: &Scene, poses: &[Pose], room: &mut Room, mut take: impl FnMut(Facet)) {
        for (pieces, pose) in self.bodies.iter().zip(poses).skip(GROUND + 1) {
            pieces.iter().for_each(|piece| self.hand_over(piece, &piece.placed, pose, room, &mut take));
        }
        for (strut, pieces) in scene.struts.iter().zip(&self.struts) {
            let (pose, length) = strut.place(poses);
            for piece in pieces {
                let s = piece.placed.scale;
                let stretched = Placed { scale: Vec3::new(s.x, s.y, s.z * length), ..piece.placed };
                self.hand_over(piece, &stretched, &pose, room, &mut take);
            }
        }
    }

    fn hand_over(&self, piece: &Piece, placed: &Placed, pose: &Pose, room: &mut Room, take: &mut impl FnMut(Facet)) {
        let surface: &Surface = &self.library.surfaces[placed.surface];
        let (whole, s) = (*pose * placed.X_BS, placed.scale);
        room.points.clear();
        room.points.extend(surface.points.iter().map(|p| whole.apply(Vec3::new(p.x * s.x, p.y * s.y, p.z * s.z))));
        // Normals of a stretched surface shrink where it grows.
        let turned =
            |n: &Vec3| whole.rotation.apply(Vec3::new(n.x / s.x, n.y / s.y, n.z / s.z)).unit().unwrap_or(Vec3::Z);
        room.normals.clear();
        room.normals.extend(surface.normals.iter().map(turned));
        take(Facet {
            points: &room.points,
            normals: &room.normals,
            triangles: &surface.triangles,
            colour: piece.colour,
            closed: piece.closed,
        });
    }
}
