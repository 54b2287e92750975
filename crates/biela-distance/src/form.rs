//! Forms, and where they stand in their body.

use crate::chain::Chain;
use crate::foot::{self, Foot};
use biela_math::{Pose, Vec3};

/// A solid about its own frame, or what a curve in x and y of that frame encloses.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A ball, or a disc, about the origin.
    Ball {
        /// Radius.
        radius: f64,
    },
    /// All points within the radius of the part of the z axis from −half to half.
    Capsule {
        /// Half the length of that part.
        half: f64,
        /// Radius.
        radius: f64,
    },
    /// A cylinder about z.
    Cylinder {
        /// Half its length.
        half: f64,
        /// Radius.
        radius: f64,
    },
    /// A box.
    Box {
        /// Half of each edge.
        half: Vec3,
    },
    /// The convex hull of points.
    Hull {
        /// The points.
        points: Vec<Vec3>,
    },
    /// Everything below a plane through the origin.
    HalfSpace {
        /// Unit vector out of it.
        normal: Vec3,
    },
    /// A curve in x and y.
    Chain(Chain),
}

/// A form in its body's frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The form.
    pub form: Form,
    /// Its frame in the body's.
    pub X_BS: Pose,
    /// A ball around it, in the body's frame: middle and radius, which is infinite where it has no end.
    pub around: (Vec3, f64),
}

impl Placed {
    /// A form with its frame in a body's.
    pub fn new(form: Form, X_BS: Pose) -> Placed {
        let (middle, reach) = form.around();
        Placed { form, X_BS, around: (X_BS.apply(middle), reach) }
    }
}

impl Form {
    /// A ball around the form.
    fn around(&self) -> (Vec3, f64) {
        let of_points = |points: &[Vec3]| {
            let sum = points.iter().fold(Vec3::ZERO, |s, p| s + *p);
            let middle = sum * (1.0 / points.len().max(1) as f64);
            (middle, points.iter().map(|p| (*p - middle).norm()).fold(0.0, f64::max))
        };
        match self {
            Form::Ball { radius } => (Vec3::ZERO, *radius),
            Form::Capsule { half, radius } => (Vec3::ZERO, half + radius),
            Form::Cylinder { half, radius } => (Vec3::ZERO, (half * half + radius * radius).sqrt()),
            Form::Box { half } => (Vec3::ZERO, half.norm()),
            Form::Hull { points } => of_points(points),
            Form::HalfSpace { .. } => (Vec3::ZERO, f64::INFINITY),
            Form::Chain(chain) => chain.around(),
        }
    }

    /// How far a point of its frame is from it.
    pub fn foot(&self, p: Vec3) -> Foot {
        match self {
            Form::Ball { radius } => foot::of_point(p, Vec3::ZERO, *radius),
            Form::Capsule { half, radius } => foot::of_capsule(p, *half, *radius),
            Form::Cylinder { half, radius } => foot::of_cylinder(p, *half, *radius),
            Form::Box { half } => foot::of_box(p, *half),
            Form::Hull { points } => foot::of_hull(p, points),
            Form::HalfSpace { normal } => foot::of_half_space(p, *normal),
            Form::Chain(chain) => chain.foot(p),
        }
    }

    /// The point of a convex solid that lies furthest along a direction; of a capsule, that of its axis.
    pub(crate) fn support(&self, along: Vec3) -> Vec3 {
        let sided = |x: f64, half: f64| if x < 0.0 { -half } else { half };
        match self {
            Form::Capsule { half, .. } => Vec3::Z * sided(along.z, *half),
            Form::Cylinder { half, radius } => {
                let out = Vec3::new(along.x, along.y, 0.0).unit().unwrap_or(Vec3::ZERO);
                out * *radius + Vec3::Z * sided(along.z, *half)
            }
            Form::Box { half } => Vec3::new(sided(along.x, half.x), sided(along.y, half.y), sided(along.z, half.z)),
            Form::Hull { points } => {
                let further = |best: (f64, Vec3), p: &Vec3| {
                    let d = p.dot(along);
                    if d > best.0 {
                        (d, *p)
                    } else {
                        best
                    }
                };
                points.iter().fold((f64::NEG_INFINITY, Vec3::ZERO), further).1
            }
            _ => Vec3::ZERO,
        }
    }

    /// What its support is rounded by.
    pub(crate) fn rounding(&self) -> f64 {
        match self {
            Form::Ball { radius } | Form::Capsule { radius, .. } => *radius,
            _ => 0.0,
        }
    }

    /// How far a point is from one run of a chain; else from all of it.
    pub(crate) fn foot_of_run(&self, p: Vec3, run: Option<usize>) -> Foot {
        match (self, run) {
            (Form::Chain(chain), Some(run)) => chain.foot_of_run(p, run),
            _ => self.foot(p),
        }
    }

    /// Number of parts that a ball may touch at the same time.
    pub(crate) fn runs(&self) -> usize {
        match self {
            Form::Chain(chain) => chain.runs(),
            _ => 0,
        }
    }

    /// What a corner in an edge or a corner of the form, nearer than `skin`, touches: of the sides there, each as if it went on straight, the one that best lies
    /// below what begins at the corner, unit vectors `own`.
    pub(crate) fn side_below(&self, p: Vec3, skin: f64, own: &[Vec3]) -> Option<Foot> {
        let sides = match self {
            Form::Chain(chain) => chain.sides(p, skin),
            Form::Box { half } => {
                let near = (0..3).filter(|k| (p[*k].abs() - half[*k]).abs() <= skin);
                near.map(|k| foot::face_of_box(p, *half, k)).collect()
            }
            _ => Vec::new(),
        };
        let above = |foot: &Foot| own.iter().map(|way| way.dot(foot.normal)).fold(f64::INFINITY, f64::min);
        sides.into_iter().reduce(|best, foot| if above(&foot) > above(&best) { foot } else { best })
    }

    /// Corners of a solid with flat faces, and of a polygon, each with unit vectors along what begins there, or into what it is a corner of.
    pub(crate) fn corners(&self) -> Vec<(Vec3, Vec<Vec3>)> {
        match self {
            Form::Box { half } => {
                let sign = |k: usize, bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let corner = |k: usize| {
                    let [x, y, z] = [0, 1, 2].map(|bit| sign(k, bit));
                    (Vec3::new(x * half.x, y * half.y, z * half.z), vec![Vec3::X * -x, Vec3::Y * -y, Vec3::Z * -z])
                };
                (0..8).map(corner).collect()
            }
            Form::Hull { points } => {
                let middle = self.around().0;
                points.iter().map(|p| (*p, (middle - *p).unit().into_iter().collect())).collect()
            }
            Form::Chain(chain) => chain.corners(),
            _ => Vec::new(),
        }
    }
}
