//! Mass properties of solids, and whether an inertia tensor can belong to a real body.

use super::quantity::shown;
use crate::error::{Error, Reason};
use crate::math::{Inertia, Pose, Vec3};
use crate::model::{MassProperties, Mesh, Shape, Solid};
use std::f64::consts::PI;

/// Mass properties of a homogeneous solid placed in a body; a mesh must be closed.
pub(super) fn of_solid(solid: &Solid, pose: &Pose, density: f64) -> MassProperties {
    // Volume, centre and principal moments per mass, in the solid's own frame.
    let (volume, com, moments) = match *solid {
        Solid::Rod { length, radius } => {
            let (axial, cross) = cylinder_moments(radius, length);
            (PI * radius * radius * length, Vec3::X * (0.5 * length), [axial, cross, cross])
        }
        Solid::Cylinder { radius, length } => {
            let (axial, cross) = cylinder_moments(radius, length);
            (PI * radius * radius * length, Vec3::ZERO, [cross, cross, axial])
        }
        Solid::Box { size } => {
            let [a, b, c] = size.to_array().map(|edge| edge * edge / 12.0);
            (size.x * size.y * size.z, Vec3::ZERO, [b + c, a + c, a + b])
        }
        Solid::Capsule { radius, length } => {
            // A cylinder and two half balls, whose centres lie 3/8 of the radius beyond its ends.
            let (axial, cross) = cylinder_moments(radius, length);
            let (body, ends) = (PI * radius * radius * length, 4.0 / 3.0 * PI * radius.powi(3));
            let (r2, l2) = (radius * radius, length * length);
            let volume = body + ends;
            let along = (body * axial + ends * 0.4 * r2) / volume;
            let across = (body * cross + ends * (0.4 * r2 + 0.25 * l2 + 0.375 * length * radius)) / volume;
            (volume, Vec3::ZERO, [across, across, along])
        }
        Solid::Sphere { radius } => (4.0 / 3.0 * PI * radius.powi(3), Vec3::ZERO, [0.4 * radius * radius; 3]),
        Solid::Mesh { ref mesh, .. } => return of_mesh(mesh, pose, density),
        Solid::Circle { radius, thickness } => {
            let height = thickness.unwrap_or(0.0);
            let (axial, cross) = cylinder_moments(radius, height);
            (PI * radius * radius * height, Vec3::ZERO, [cross, cross, axial])
        }
        Solid::Polygon { .. } | Solid::Spline { .. } => return of_prism(solid, pose, density),
        Solid::Plane { .. } | Solid::Arc { .. } => (0.0, Vec3::ZERO, [0.0; 3]),
    };
    let mass = density * volume;
    // I = Σ moment_k u_k u_kᵀ with the solid's axes u_k in the body.
    let entry = |i: usize, j: usize| {
        (0..3).map(|k| mass * moments[k] * pose.rotation.axes[k][i] * pose.rotation.axes[k][j]).sum::<f64>()
    };
    MassProperties { mass, com: pose.apply(com), inertia: Inertia::from_matrix(entry) }
}

/// What counts of mass properties in the plane: the centre as if it lay there, and the moment about z, as a sheet has it.
pub(super) fn in_plane(of: &MassProperties) -> MassProperties {
    let about_z = of.inertia.apply(Vec3::Z).z;
    let com = Vec3::new(of.com.x, of.com.y, 0.0);
    MassProperties {
        mass: of.mass,
        com,
        inertia: Inertia::from_entries([0.5 * about_z, 0.5 * about_z, about_z, 0.0, 0.0, 0.0]),
    }
}

/// Mass properties of a closed mesh: each triangle spans a tetrahedron with the frame's origin, counted negative where it is
/// seen from inside.
fn of_mesh(mesh: &Mesh, pose: &Pose, density: f64) -> MassProperties {
    let (mut volume, mut first, mut second) = (0.0, Vec3::ZERO, [[0.0; 3]; 3]);
    // Sums from a point of the body itself keep digits where the frame is far away.
    let far = pose.apply(mesh.points.first().copied().unwrap_or(Vec3::ZERO));
    for triangle in &mesh.triangles {
        let [a, b, c] = mesh.corners(*triangle).map(|p| pose.apply(p) - far);
        let part = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        // ∫ x_i x_j over a tetrahedron with a corner in the origin: V/20 (Σ p_i p_j + s_i s_j).
        for (i, j) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)] {
            second[i][j] += part / 20.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
        }
    }
    let com = first * (1.0 / volume);
    // About the centre; a moment about an axis is the sum of the two across it.
    let central = |i: usize, j: usize| second[i][j] - volume * com[i] * com[j];
    let inertia = Inertia::from_matrix(|i, j| match (i == j, (i + 1) % 3, (i + 2) % 3) {
        (true, a, b) => density * (central(a, a) + central(b, b)),
        (false, ..) => -density * central(i, j),
    });
    MassProperties { mass: density * volume, com: com + far, inertia }
}

/// Mass properties of what a flat form's rim encloses, as thick as it is told to be.
fn of_prism(solid: &Solid, pose: &Pose, density: f64) -> MassProperties {
    let none = MassProperties { mass: 0.0, com: Vec3::ZERO, inertia: Inertia::ZERO };
    let (Some(curve), Some(height)) = (solid.curve().filter(|c| c.closed), solid.thickness()) else { return none };
    // Triangles with the first corner, so that digits stay where the frame is far away.
    let far = curve.points[0];
    let (mut area, mut first, mut second) = (0.0, [0.0; 2], [[0.0; 2]; 2]);
    for pair in curve.points.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|p| [p[0] - far[0], p[1] - far[1]]);
        let part = 0.5 * (a[0] * b[1] - a[1] * b[0]);
        area += part;
        for i in 0..2 {
            first[i] += part / 3.0 * (a[i] + b[i]);
            for j in 0..2 {
                // ∫ x_i x_j over a triangle with a corner in the origin: A/12 (Σ p_i p_j + s_i s_j).
                second[i][j] += part / 12.0 * (a[i] * a[j] + b[i] * b[j] + (a[i] + b[i]) * (a[j] + b[j]));
            }
        }
    }
    let (centre, mass) = (first.map(|x| x / area), density * area * height);
    let moment = |i: usize, j: usize| match (i, j) {
        (2, 2) => mass * height * height / 12.0,
        (2, _) | (_, 2) => 0.0,
        _ => density * height * (second[i][j] - area * centre[i] * centre[j]),
    };
    let com = pose.apply(Vec3::new(far[0] + centre[0], far[1] + centre[1], 0.0));
    MassProperties { mass, com, inertia: Inertia::from_second_moments(moment).turned(&pose.rotation) }
}

/// Mass properties of several solids that are one body; none of none. One alone keeps its bits.
pub(super) fn together(parts: &[MassProperties]) -> Option<MassProperties> {
    let [first, rest @ ..] = parts else { return None };
    if rest.is_empty() {
        return Some(*first);
    }
    let mass = parts.iter().map(|p| p.mass).sum::<f64>();
    let com = parts.iter().fold(Vec3::ZERO, |sum, p| sum + p.com * p.mass) * (1.0 / mass);
    let mut inertia = Inertia::ZERO;
    for part in parts {
        inertia += part.inertia.moved_from_centre(part.mass, part.com - com);
    }
    Some(MassProperties { mass, com, inertia })
}

/// Whether mass properties found from a shape can be those of a solid: of a mesh whose parts face different ways the volumes cancel,
/// and the centre lies anywhere.
pub(super) fn is_of_a_solid(found: &MassProperties, shape: &Shape) -> bool {
    let Solid::Mesh { mesh, .. } = &shape.solid else { return found.mass > 0.0 };
    let mut box_ = [
        Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        Vec3::new(-f64::INFINITY, -f64::INFINITY, -f64::INFINITY),
    ];
    for p in &mesh.points {
        let p = shape.pose.apply(*p);
        for k in 0..3 {
            box_[0][k] = box_[0][k].min(p[k]);
            box_[1][k] = box_[1][k].max(p[k]);
        }
    }
    // A centre of mass lies within the convex hull.
    let inside = (0..3).all(|k| box_[0][k] <= found.com[k] && found.com[k] <= box_[1][k]);
    let whole = found.mass > 0.0 && found.mass.is_finite() && !mesh.has_part_inside_out();
    whole && inside && unphysical(found.inertia).is_none()
}

/// Moments per mass of a solid cylinder about its axis and across it.
fn cylinder_moments(radius: f64, length: f64) -> (f64, f64) {
    (0.5 * radius * radius, (3.0 * radius * radius + length * length) / 12.0)
}

/// What is wrong with an inertia tensor, if anything.
pub fn unphysical(inertia: Inertia) -> Option<Error> {
    /// Digits lost where a tensor is printed in turned axes or made by subtraction.
    const RELATIVE: f64 = 1e-9;
    let [least, middle, largest] = inertia.principal_moments();
    let slack = RELATIVE * inertia.entries().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let moments = [least, middle, largest].map(shown).join(", ");
    let shown = format!("the principal moments are {moments} kg*m^2");
    if least < -slack {
        let error = Error::new("the inertia is not positive: a principal moment is negative");
        return Some(error.because(Reason::Negative).note(shown));
    }
    if largest > least + middle + slack {
        let message = "no body has this inertia: the largest principal moment exceeds the sum of the other two";
        return Some(Error::new(message).because(Reason::Unphysical).note(shown));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rotation;

    /// A few roundings.
    const ROUNDING: f64 = 1e-14;

    #[test]
    fn triangle_inequality() {
        assert!(unphysical(Inertia::diagonal([1.0, 1.0, 2.0])).is_none());
        assert!(unphysical(Inertia::diagonal([1.0, 1.0, 2.01])).is_some());
        assert!(unphysical(Inertia { xy: 1.5, ..Inertia::diagonal([1.0; 3]) }).is_some());
        assert!(unphysical(Inertia::ZERO).is_none());
    }

    #[test]
    fn a_box_and_a_rod_by_hand() {
        let size = Vec3::new(1.0, 2.0, 3.0);
        let found = of_solid(&Solid::Box { size }, &Pose::IDENTITY, 2.0);
        assert!((found.mass - 12.0).abs() < ROUNDING);
        assert!((found.inertia.xx - 13.0).abs() < ROUNDING && (found.inertia.zz - 5.0).abs() < ROUNDING);
        // A rod turned to lie along y, from (0, 0, 1).
        let pose = Pose::new(Rotation::about(Vec3::Z, PI / 2.0), Vec3::Z);
        let found = of_solid(&Solid::Rod { length: 4.0, radius: 0.5 }, &pose, 1.0);
        assert!((found.com - Vec3::new(0.0, 2.0, 1.0)).norm() < ROUNDING);
        assert!((found.inertia.yy - found.mass * 0.125).abs() < ROUNDING);
        assert!((found.inertia.xx - found.mass * (0.75 + 16.0) / 12.0).abs() < 10.0 * ROUNDING);
    }

    #[test]
    fn plates_capsules_and_bodies_of_several_shapes() {
        let pose = Pose::new(Rotation::from_rpy(0.3, -0.7, 1.9), Vec3::new(5.0, -2.0, 1.0));
        let near = |a: MassProperties, b: MassProperties| {
            let [x, y] = [a, b].map(|m| m.inertia.entries());
            let same = (0..6).all(|k| (x[k] - y[k]).abs() < 1e-12 * (1.0 + y[k].abs()));
            assert!(same && (a.mass - b.mass).abs() < 1e-13 * b.mass && (a.com - b.com).norm() < 1e-13, "{a:?} {b:?}");
        };
        // A rectangle with thickness is a box.
        let points = vec![[-0.5, -1.0], [0.5, -1.0], [0.5, 1.0], [-0.5, 1.0]];
        let plate = of_solid(&Solid::Polygon { points, thickness: Some(3.0) }, &pose, 2.0);
        near(plate, of_solid(&Solid::Box { size: Vec3::new(1.0, 2.0, 3.0) }, &pose, 2.0));
        // A box of two boxes.
        let half = |y: f64| {
            let place = pose * Pose::translation(Vec3::Y * y);
            of_solid(&Solid::Box { size: Vec3::new(1.0, 1.0, 3.0) }, &place, 2.0)
        };
        near(together(&[half(0.5), half(-0.5)]).expect("two"), plate);
        // A capsule of no length is a ball; a long one is a cylinder with two half balls, here as points at their centres.
        let ball = of_solid(&Solid::Capsule { radius: 0.7, length: 1e-16 }, &pose, 2.0);
        near(ball, of_solid(&Solid::Sphere { radius: 0.7 }, &pose, 2.0));
        let (r, l) = (0.5, 2.0);
        let whole = of_solid(&Solid::Capsule { radius: r, length: l }, &Pose::IDENTITY, 1.0);
        let cylinder = of_solid(&Solid::Cylinder { radius: r, length: l }, &Pose::IDENTITY, 1.0);
        let m = 2.0 / 3.0 * PI * r * r * r;
        // A half ball about its own centre: (2/5 − 9/64) m r² = 83/320 m r² across its axis.
        let across = 2.0 * m * (83.0 / 320.0 * r * r + (0.5 * l + 0.375 * r) * (0.5 * l + 0.375 * r));
        assert!((whole.inertia.xx - cylinder.inertia.xx - across).abs() < ROUNDING);
        assert!((whole.inertia.zz - cylinder.inertia.zz - 2.0 * m * 0.4 * r * r).abs() < ROUNDING);
    }

    #[test]
    fn a_meshed_box_weighs_what_the_box_does() {
        let size = Vec3::new(1.0, 2.0, 3.0);
        let corner = |k: u32| {
            let sign = |bit: u32| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
            Vec3::new(size.x * sign(0), size.y * sign(1), size.z * sign(2))
        };
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        let mesh = Mesh { points: (0..8).map(corner).collect(), triangles };
        assert!(mesh.is_closed());
        let pose = Pose::new(Rotation::from_rpy(0.3, -0.7, 1.9), Vec3::new(5.0, -2.0, 1.0));
        let found = of_mesh(&mesh, &pose, 2.0);
        let due = of_solid(&Solid::Box { size }, &pose, 2.0);
        assert!((found.mass - due.mass).abs() < 10.0 * ROUNDING && (found.com - due.com).norm() < 10.0 * ROUNDING);
        // A dozen tetrahedra of moments up to fifty.
        let [entries, others] = [found, due].map(|m| m.inertia.entries());
        assert!((0..6).all(|k| (entries[k] - others[k]).abs() < 1e-12), "{found:?} {due:?}");
    }
}
