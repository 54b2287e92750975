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
        Solid::Sphere { radius } => (4.0 / 3.0 * PI * radius.powi(3), Vec3::ZERO, [0.4 * radius * radius; 3]),
        Solid::Mesh { ref mesh, .. } => return of_mesh(mesh, pose, density),
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
pub(super) fn unphysical(inertia: Inertia) -> Option<Error> {
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
        return Some(Error::new(message).note(shown));
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
