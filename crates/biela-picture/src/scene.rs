//! What is drawn: solids fixed to bodies, struts between them, marks of joints and points.

#![allow(non_snake_case)] // X_BS: a solid's pose in its body (docs/notation.md).

use biela_analysis::loose_coordinates::Loose;
use biela_base::display_units::DisplayUnits;
use biela_core::linkage::Pair;
use biela_core::model::Mesh;
use biela_math::{Pose, Rotation, Vec3};
use std::sync::Arc;

/// Red, green, blue.
pub type Colour = [u8; 3];

/// A mechanism as a picture shows it; body frames are those of the model.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Name of the model.
    pub name: String,
    /// What it is, in the user's words.
    pub about: String,
    /// Units in which people read signals.
    pub units: DisplayUnits,
    /// One for each body of the model, the ground first.
    pub figures: Vec<Figure>,
    /// One for each joint of the model.
    pub joints: Vec<JointMark>,
    /// Rods and springs whose ends belong to different bodies.
    pub struts: Vec<Strut>,
    /// Named points.
    pub points: Vec<PointMark>,
    /// Drivers, with where their effort acts.
    pub drivers: Vec<DriverMark>,
    /// Size L: diagonal of the box of all joint points.
    pub size: f64,
    /// Half the width of a link.
    pub thickness: f64,
    /// Whether everything moves in planes normal to `front`, drawn as flat links in layers.
    pub planar: bool,
    /// Unit vector from the mechanism to whoever looks at its front.
    pub front: Vec3,
    /// Unit vector that points up in the picture.
    pub up: Vec3,
    /// Whether there are so many bodies that round things get few corners.
    pub coarse: bool,
    /// Pairs of links whose instant centres are told; none where the mechanism is no planar linkage.
    pub links: Vec<Pair>,
    /// How far in front of the joint points the foremost layer lies.
    pub lift: f64,
    /// Signals worth a first plot.
    pub plots: Vec<String>,
    /// What is moved by hand in the page where drivers leave freedoms and there is one position alone.
    pub loose: Option<Loose>,
    /// Outermost points of the motion, seen from many sides: what a picture must hold.
    pub outermost: Vec<Vec3>,
}

/// A body's solids and colour.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Name of the body.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// Its solids.
    pub parts: Vec<Part>,
    /// Where its name stands, in the body's frame.
    pub label: Vec3,
}

/// A solid fixed to a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its form.
    pub form: Form,
    /// Its frame in the body's frame.
    pub X_BS: Pose,
    /// What gives its colour.
    pub tint: Tint,
}

/// What gives a part its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    /// The body.
    Body,
    /// The body, darker: sleeves and blocks on a link of the same colour.
    Shade,
    /// Steel: pins, balls, rails.
    Steel,
    /// The ground's own grey.
    Ground,
    /// A colour that the model gives.
    Own(Colour),
}

/// Forms of solids; each is centred on its frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Edges along x, y, z.
    Box(Vec3),
    /// Radius, and length along z.
    Cylinder(f64, f64),
    /// A cylinder along z with round ends beyond its length.
    Capsule(f64, f64),
    /// Radius.
    Sphere(f64),
    /// An outline in x and y, anticlockwise, and the thickness along z.
    Plate(Vec<[f64; 2]>, f64),
    /// What lies between two lines in x and y.
    Band(Band),
    /// A coiled wire of unit length along z: radius of the coil, radius of the wire.
    Coil(f64, f64),
    /// Triangles.
    Mesh(Arc<Mesh>),
}

/// A flat band between two lines with as many points each, both anticlockwise; its thickness is along z.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// The line on the left of whoever goes along.
    pub inner: Vec<[f64; 2]>,
    /// The line on the right.
    pub outer: Vec<[f64; 2]>,
    /// Whether the last points are joined to the first.
    pub closed: bool,
    /// Thickness.
    pub thickness: f64,
}

impl Band {
    /// A band of that width along a line.
    pub fn along(line: &[[f64; 2]], closed: bool, width: f64, thickness: f64) -> Band {
        let count = line.len();
        let side = |sign: f64| {
            let point = |k: usize| {
                let (before, after) = match closed {
                    true => (line[(k + count - 1) % count], line[(k + 1) % count]),
                    false => (line[k.saturating_sub(1)], line[(k + 1).min(count - 1)]),
                };
                let along = Vec3::new(after[0] - before[0], after[1] - before[1], 0.0).unit().unwrap_or(Vec3::X);
                let half = 0.5 * sign * width;
                [line[k][0] + half * along.y, line[k][1] - half * along.x]
            };
            (0..count).map(point).collect()
        };
        Band { inner: side(-1.0), outer: side(1.0), closed, thickness }
    }
}

/// A joint as pictures mark it.
#[derive(Debug, Clone)]
pub struct JointMark {
    /// Its name.
    pub name: String,
    /// The word that names its type.
    pub kind: &'static str,
    /// Its bodies.
    pub bodies: [usize; 2],
    /// Its point on each body, in that body's frame.
    pub at: [Vec3; 2],
    /// Its axis in each body, where it has one.
    pub axis: Option<[Vec3; 2]>,
}

/// A named point.
#[derive(Debug, Clone)]
pub struct PointMark {
    /// Its body.
    pub body: usize,
    /// Its name; empty for the body's origin.
    pub name: String,
    /// Where it is in the body's frame.
    pub at: Vec3,
}

/// Where a driver acts.
#[derive(Debug, Clone)]
pub struct DriverMark {
    /// Its name.
    pub name: String,
    /// The body that is driven.
    pub body: usize,
    /// Where the effort acts, in that body's frame.
    pub at: Vec3,
    /// Direction of a positive effort in the body's frame; none where the effort has three components.
    pub along: Option<Vec3>,
    /// Whether the effort is a torque.
    pub torque: bool,
    /// Whether `along` is in ground axes.
    pub in_ground: bool,
}

/// A link without a body of its own.
#[derive(Debug, Clone)]
pub struct Strut {
    /// Name of the joint or load.
    pub name: String,
    /// Body and point of each end.
    pub ends: [(usize, Vec3); 2],
    /// What it looks like.
    pub kind: StrutKind,
    /// Its radius.
    pub radius: f64,
}

/// Colour of a tube that belongs to no body.
const PAINT: Colour = [214, 160, 40];

/// What a strut looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StrutKind {
    /// A rod from end to end.
    Rod,
    /// A coil from end to end.
    Spring,
    /// A bar of that length from the first (0) or second (1) end towards the other: the tube or the rod of a cylinder.
    From(usize, f64),
}

impl Strut {
    /// Its solid along z, of unit length and centred between its ends where it goes from end to end, else centred between its own.
    pub fn part(&self) -> Part {
        let (form, tint) = match self.kind {
            StrutKind::Rod => (Form::Cylinder(self.radius, 1.0), Tint::Steel),
            StrutKind::Spring => (Form::Coil(self.radius, 0.2 * self.radius), Tint::Steel),
            StrutKind::From(0, length) => (Form::Cylinder(self.radius, length), Tint::Own(PAINT)),
            StrutKind::From(_, length) => (Form::Cylinder(self.radius, length), Tint::Steel),
        };
        Part { form, X_BS: Pose::IDENTITY, tint }
    }

    /// Where its solid is, with bodies at these poses: frame, and the factor along z.
    pub fn place(&self, poses: &[Pose]) -> (Pose, f64) {
        let [a, b] = self.ends.map(|(body, p)| poses[body].apply(p));
        let z = (b - a).unit().unwrap_or(Vec3::Z);
        let rotation = Rotation::from_z_x(z, z.any_perpendicular()).unwrap_or(Rotation::IDENTITY);
        match self.kind {
            StrutKind::From(0, length) => (Pose::new(rotation, a + z * (0.5 * length)), 1.0),
            StrutKind::From(_, length) => (Pose::new(rotation, b - z * (0.5 * length)), 1.0),
            _ => (Pose::new(rotation, (a + b) * 0.5), (b - a).norm()),
        }
    }
}

impl Scene {
    /// The colour of a part of a figure.
    pub fn colour(&self, body: usize, tint: Tint) -> Colour {
        match tint {
            Tint::Body => self.figures[body].colour,
            Tint::Shade => self.figures[body].colour.map(|c| (f64::from(c) * 0.72) as u8),
            Tint::Steel => [104, 112, 122],
            Tint::Ground => [163, 171, 181],
            Tint::Own(colour) => colour,
        }
    }

    /// Right hand of whoever looks at the front.
    pub fn right(&self) -> Vec3 {
        self.up.cross(self.front).unit().unwrap_or(Vec3::X)
    }

    /// Unit vector towards the viewer that shows the mechanism best: straight on where it is planar.
    pub fn best_view(&self) -> Vec3 {
        if self.planar {
            self.front
        } else {
            self.isometric()
        }
    }

    /// Unit vector towards a viewer who sees front, right side and top.
    pub fn isometric(&self) -> Vec3 {
        (self.front * 0.78 + self.right() * 0.52 + self.up * 0.48).unit().unwrap_or(self.front)
    }
}
