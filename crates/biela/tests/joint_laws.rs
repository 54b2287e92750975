//! Laws that every registered joint must obey, for random geometry: its two descriptions, by constraint rows and by hinge,
//! say the same of position, velocity and acceleration.
#![allow(non_snake_case)]

mod common;
mod own;

use biela::joints::hinge::Twist;
use biela::joints::{self, Hinge, Joint, JOINTS};
use biela::math::{Pose, Vec3};
use biela::model::Model;
use biela::solve::mobility;
use biela::system::{System, Workspace, FORMULATIONS, VARIANTS};
use biela::tree::{freedom, kinematics, Tree};
use common::{body, joint, model, Stream};

/// Roundings of a few dozen operations on numbers of order one.
const ROUNDING: f64 = 1e-12;
/// Central differences with step 1e-5: truncation 1e-10, rounding 1e-11, with room for the functions' third derivatives.
const DIFFERENCE: f64 = 1e-7;
const STEP: f64 = 1e-5;
/// Random geometries tried for each joint.
const TRIALS: u64 = 40;

/// Two bodies with one joint between them, at joint coordinates q.
struct Case {
    model: Model,
    hinge: &'static dyn Hinge,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Case {
    fn joint(&self) -> &Joint {
        &self.model.joints[0]
    }

    /// X_WB of the second body at joint coordinates q; the first stands where the model says.
    fn second_pose(&self, q: &[f64]) -> Pose {
        let joint = self.joint();
        self.model.bodies[1].X_WB * joint.frames[0] * self.hinge.pose(joint, q) * joint.frames[1].inverse()
    }
}

fn cases() -> impl Iterator<Item = Case> {
    own::registered();
    joints::all().into_iter().filter_map(|kind| kind.hinge().map(|hinge| (kind, hinge))).flat_map(|(kind, hinge)| {
        (0..TRIALS).map(move |seed| {
            let mut s = Stream(seed + 1);
            let frames = [s.pose(), s.pose()];
            let bodies = vec![body("a", s.pose()), body("b", Pose::IDENTITY)];
            let mut model = model(bodies, vec![joint("j", kind, [1, 2], frames)]);
            let mut q: Vec<f64> = (0..hinge.nq()).map(|_| 2.0 * s.next()).collect();
            if hinge.nq() > hinge.nv() {
                q[..4].copy_from_slice(&s.attitude().0);
            }
            let v = (0..hinge.nv()).map(|_| s.next()).collect();
            let mut case = Case { model: model.clone(), hinge, q, v };
            model.change_mechanism(|m| m.bodies[2].X_WB = case.second_pose(&case.q));
            case.model = model;
            case
        })
    })
}

#[test]
fn pose_and_columns_at_once_are_those_one_by_one() {
    for case in cases() {
        let (joint, name) = (case.joint(), case.joint().kind.keyword());
        let mut columns = vec![Twist::default(); case.hinge.nv()];
        let pose = case.hinge.realize(joint, &case.q, &mut columns);
        let alone = case.hinge.pose(joint, &case.q);
        let apart = |a: Vec3, b: Vec3| (a - b).norm();
        let turned = (0..3).map(|k| apart(pose.rotation.axes[k], alone.rotation.axes[k])).fold(0.0, f64::max);
        assert!(turned.max(apart(pose.origin, alone.origin)) < ROUNDING, "{name}");
        for (k, column) in columns.iter().enumerate() {
            let one = case.hinge.column(joint, &case.q, k);
            assert!(apart(column.angular, one.angular) + apart(column.linear, one.linear) < ROUNDING, "{name}, {k}");
        }
        // Euler parameters are one more than the velocities they have.
        assert_eq!(case.hinge.attitude().is_some(), case.hinge.nq() > case.hinge.nv(), "{name}");
    }
}

/// The twist of M in F carried to the second body: its angular velocity and its origin's velocity, for a resting first body.
fn body_twist(case: &Case, twist: Twist) -> (Vec3, Vec3) {
    let R_WF = (case.model.bodies[1].X_WB * case.joint().frames[0]).rotation;
    let w = R_WF.apply(twist.angular);
    let X_WB = case.model.bodies[2].X_WB;
    let Mo = X_WB.apply(case.joint().frames[1].origin);
    (w, R_WF.apply(twist.linear) + w.cross(X_WB.origin - Mo))
}

fn sum(case: &Case, v: &[f64]) -> Twist {
    let mut total = Twist::default();
    for (k, v) in v.iter().enumerate() {
        let column = case.hinge.column(case.joint(), &case.q, k);
        total.angular += column.angular * *v;
        total.linear += column.linear * *v;
    }
    total
}

#[test]
fn rows_vanish_on_the_hinge_and_leave_its_freedoms() {
    for case in cases() {
        // Those of the library: what a program registers may be for mechanisms in a plane alone.
        for formulation in FORMULATIONS.iter().chain(VARIANTS) {
            let system = System::new(&case.model, formulation.keyword).unwrap();
            let mut ws = Workspace::new(&system);
            let mut q = vec![0.0; system.formulation.nq()];
            let poses: Vec<Pose> = case.model.bodies.iter().map(|b| b.X_WB).collect();
            system.formulation.coordinates(&poses, &mut q);
            // A screw's rows count turns; the hinge tells which.
            if let Some((_, _, measure)) = system.constraints.coordinates().first() {
                ws.evaluation.near[*measure] = case.q[0];
            }
            let residual = ws.realize_position(&system, 0.0, &q);
            let name = case.joint().kind.keyword();
            assert!(residual < ROUNDING, "{name}: residual {residual}");
            let mobility = mobility::count(&system, &mut ws, 0.0);
            // The first body floats with six freedoms; the joint gives the second its own.
            assert_eq!(mobility.freedoms, 6 + case.hinge.nv(), "{name} in {}", formulation.keyword);
            if formulation.keyword == "absolute" {
                assert_eq!(mobility.rank, 6 - case.hinge.nv(), "{name}: rank of its rows");
            }
            assert!(mobility.redundant_rows.is_empty(), "{name}: a joint by itself has no redundant rows");
        }
    }
}

#[test]
fn rows_allow_the_hinge_velocity_and_demand_its_acceleration() {
    for case in cases() {
        let system = System::new(&case.model, "absolute").unwrap();
        let mut ws = Workspace::new(&system);
        let poses: Vec<Pose> = case.model.bodies.iter().map(|b| b.X_WB).collect();
        let mut q = vec![0.0; system.formulation.nq()];
        system.formulation.coordinates(&poses, &mut q);
        ws.realize_position(&system, 0.0, &q);
        ws.realize_jacobian(&system, 0.0);
        let (w, v_origin) = body_twist(&case, sum(&case, &case.v));
        let v: Vec<f64> = [[0.0; 6].as_slice(), &v_origin.to_array(), &w.to_array()].concat();
        let name = case.joint().kind.keyword();
        // Columns that are lengths are multiplied by the size inside Φ_v.
        let scaled = |x: &[f64]| -> Vec<f64> {
            x.iter().enumerate().map(|(k, x)| if k % 6 < 3 { x / ws.size } else { *x }).collect()
        };
        let mut product = vec![0.0; system.constraints.len()];
        system.constraints.pattern.multiply(&ws.evaluation.phi_v, &scaled(&v), &mut product);
        assert!(product.iter().all(|x| x.abs() < ROUNDING), "{name}: Φ_v H v = {product:?}");

        // v̇ = Ḣ v at constant joint rates: α and a of the body's origin from those of M.
        let bias = case.hinge.bias(case.joint(), &case.q, &case.v);
        let R_WF = (case.model.bodies[1].X_WB * case.joint().frames[0]).rotation;
        let alpha = R_WF.apply(bias.angular);
        let X_WB = case.model.bodies[2].X_WB;
        let s = X_WB.origin - X_WB.apply(case.joint().frames[1].origin);
        let a = R_WF.apply(bias.linear) + alpha.cross(s) + w.cross(w.cross(s));
        let vdot: Vec<f64> = [[0.0; 6].as_slice(), &a.to_array(), &alpha.to_array()].concat();
        system.constraints.pattern.multiply(&ws.evaluation.phi_v, &scaled(&vdot), &mut product);
        ws.realize_velocity(&system, 0.0, &v);
        system.formulation.accelerations(None, &mut ws.cache);
        system.constraints.accelerate_markers(system.at(0.0), &ws.cache, &mut ws.evaluation);
        system.constraints.acceleration_side(0.0, ws.size, &mut ws.evaluation);
        for (product, gamma) in product.iter().zip(&ws.evaluation.gamma) {
            assert!((product - gamma).abs() < ROUNDING, "{name}: Φ_v Ḣv = {product}, γ = {gamma}");
        }
    }
}

#[test]
fn columns_and_bias_are_derivatives_of_the_pose() {
    for case in cases() {
        let name = case.joint().kind.keyword();
        let at = |h: f64| {
            let mut q = case.q.clone();
            let dv: Vec<f64> = case.v.iter().map(|v| v * h).collect();
            case.hinge.step(&mut q, &dv);
            case.hinge.pose(case.joint(), &q)
        };
        let (before, here, after) = (at(-STEP), at(0.0), at(STEP));
        let twist = sum(&case, &case.v);
        let linear = (after.origin - before.origin) * (0.5 / STEP);
        assert!((linear - twist.linear).norm() < DIFFERENCE, "{name}: linear");
        for k in 0..3 {
            let rate = (after.rotation.axes[k] - before.rotation.axes[k]) * (0.5 / STEP);
            let expected = twist.angular.cross(here.rotation.axes[k]);
            assert!((rate - expected).norm() < DIFFERENCE, "{name}: angular");
        }
        let columns_at = |h: f64| {
            let mut q = case.q.clone();
            let dv: Vec<f64> = case.v.iter().map(|v| v * h).collect();
            case.hinge.step(&mut q, &dv);
            let moved = Case { model: case.model.clone(), hinge: case.hinge, q, v: case.v.clone() };
            sum(&moved, &case.v)
        };
        let (before, after) = (columns_at(-STEP), columns_at(STEP));
        let bias = case.hinge.bias(case.joint(), &case.q, &case.v);
        let angular = (after.angular - before.angular) * (0.5 / STEP);
        let linear = (after.linear - before.linear) * (0.5 / STEP);
        assert!((angular - bias.angular).norm() < DIFFERENCE, "{name}: bias {angular:?} {bias:?}");
        assert!((linear - bias.linear).norm() < DIFFERENCE, "{name}: bias {linear:?} {bias:?}");
    }
}

#[test]
fn coordinates_return_from_the_pose_on_the_right_turn() {
    for case in cases() {
        let pose = case.hinge.pose(case.joint(), &case.q);
        let mut back = vec![0.0; case.hinge.nq()];
        case.hinge.coordinates(case.joint(), &pose, &case.q, &mut back);
        for (a, b) in back.iter().zip(&case.q) {
            assert!((a - b).abs() < ROUNDING, "{}: {back:?} {:?}", case.joint().kind.keyword(), case.q);
        }
        // The measured coordinates agree with the hinge's.
        let system = System::new(&case.model, "absolute").unwrap();
        let mut ws = Workspace::new(&system);
        let poses: Vec<Pose> = case.model.bodies.iter().map(|b| b.X_WB).collect();
        let mut q = vec![0.0; system.formulation.nq()];
        system.formulation.coordinates(&poses, &mut q);
        for (k, (_, _, measure)) in system.constraints.coordinates().iter().enumerate() {
            ws.evaluation.near[*measure] = case.q[k];
        }
        ws.realize_position(&system, 0.0, &q);
        for (k, (_, _, measure)) in system.constraints.coordinates().iter().enumerate() {
            let value = system.constraints.value(*measure, &ws.evaluation);
            assert!((value - case.q[k]).abs() < ROUNDING, "{}", case.joint().kind.keyword());
        }
    }
}

/// A joint's freedoms in the order of their transforms are its hinge: pose, columns, bias, numbers and names of coordinates.
#[test]
fn freedoms_in_series_are_the_hinge() {
    let mut seen = 0;
    for case in cases() {
        let (joint, name) = (case.joint(), case.joint().kind.keyword());
        let Some(freedoms) = joint.freedoms() else { continue };
        seen += 1;
        assert_eq!((freedom::nq(&freedoms), freedom::nv(&freedoms)), (case.hinge.nq(), case.hinge.nv()), "{name}");
        let (found, due) = (freedom::pose(&freedoms, &case.q), case.hinge.pose(joint, &case.q));
        let turned = found.rotation.axes.iter().zip(&due.rotation.axes).map(|(a, b)| (*a - *b).norm());
        assert!((found.origin - due.origin).norm() + turned.sum::<f64>() < ROUNDING, "{name}: pose");
        let same = |(angular, linear): (Vec3, Vec3), due: Twist| {
            (angular - due.angular).norm() + (linear - due.linear).norm() < ROUNDING
        };
        for k in 0..case.hinge.nv() {
            let column = freedom::column(&freedoms, &case.q, k);
            assert!(same(column, case.hinge.column(joint, &case.q, k)), "{name}: column {k}");
        }
        let bias = freedom::bias(&freedoms, &case.q, &case.v);
        assert!(same(bias, case.hinge.bias(joint, &case.q, &case.v)), "{name}: bias");
        // Each coordinate that it offers is the freedom of its name, at the place of its number, an angle where it turns.
        for (k, coordinate) in joint.kind.coordinates().iter().enumerate() {
            let f = joint.freedom_of(k).unwrap_or_else(|| panic!("{name}: no freedom is '{}'", coordinate.name));
            assert_eq!((f.q, f.turning().is_some()), (k, coordinate.angle), "{name}.{}", coordinate.name);
        }
    }
    // Eight of the library's types, the fixed one, and the telescopic one.
    assert_eq!(seen, 10 * TRIALS);
}

/// Nodes of a tree put the second body where the hinge does.
#[test]
fn trees_put_bodies_where_the_hinge_does() {
    for case in cases() {
        let name = case.joint().kind.keyword();
        let tree = match Tree::new(&case.model) {
            Ok(tree) => tree,
            Err(error) => {
                assert!(case.joint().freedoms().is_none(), "{error}");
                assert!(error.to_string().contains(&format!("a {name} joint")), "{error}");
                continue;
            }
        };
        // The joint's coordinates, then those of the first body, which floats.
        let floats = case.model.bodies[1].X_WB;
        let e = floats.rotation.euler_parameters().0;
        let q = [case.q.as_slice(), &e, &floats.origin.to_array()].concat();
        let mut ws = biela::tree::Workspace::new(&tree);
        kinematics::fk(&tree, &mut ws, &q);
        let (found, due) = (kinematics::body_pose(&tree, &ws, 2), case.second_pose(&case.q));
        let turned = found.rotation.axes.iter().zip(&due.rotation.axes).map(|(a, b)| (*a - *b).norm());
        assert!((found.origin - due.origin).norm() + turned.sum::<f64>() < ROUNDING, "{name}");
    }
}

#[test]
fn keywords_are_unique_and_every_kind_has_help() {
    own::registered();
    let all = joints::all();
    for (k, kind) in all.iter().enumerate() {
        assert!(!kind.help().is_empty());
        assert!(all[..k].iter().all(|other| other.keyword() != kind.keyword()));
        // A word of another program means one type, and is no word of this one.
        for alias in kind.aliases() {
            let meant = all.iter().filter(|other| other.aliases().contains(alias)).count();
            assert!(meant == 1 && joints::kind(alias).is_none(), "{alias}");
        }
    }
}

/// A type's keyword, keys, coordinates, equations, freedoms, and whether it locks orientation.
type Facts = (&'static str, &'static str, &'static str, usize, Option<usize>, bool);

/// What the contract with users says of each type.
const FACTS: &[Facts] = &[
    ("revolute", "At Axis", "angle", 5, Some(1), false),
    ("prismatic", "At Axis", "slide", 5, Some(1), true),
    ("cylindrical", "At Axis", "angle slide", 4, Some(2), false),
    ("screw", "At Axis Pitch", "angle", 5, Some(1), false),
    ("universal", "At Axis Axis2", "angle1 angle2", 4, Some(2), false),
    ("spherical", "At", "", 3, Some(3), false),
    ("planar", "At Axis", "x y angle", 3, Some(3), false),
    ("fixed", "At OptionalAxis", "", 6, Some(0), true),
    ("free", "At", "", 0, Some(6), false),
    ("distance", "At Length", "", 1, None, false),
    ("rod", "At Length", "", 1, None, false),
    ("actuator", "At", "length", 0, None, false),
    ("gauge", "At Axis", "x y z", 0, None, false),
    ("angle-gauge", "At Axis", "angle", 0, None, false),
    ("bushing", "At OptionalAxis Compliance", "x y z angle_x angle_y angle_z", 0, None, true),
    ("point-on-line", "At Axis", "slide", 2, None, false),
    ("point-on-plane", "At Axis", "", 1, None, false),
    ("dot1", "APair Value", "", 1, None, false),
    ("dot2", "At A LengthValue", "", 1, None, false),
    ("coordinate", "At Along LengthValue", "", 1, None, false),
    ("perpendicular1", "APair", "", 1, None, false),
    ("perpendicular2", "At A", "", 1, None, false),
];

#[test]
fn each_type_is_what_users_are_told() {
    assert_eq!(JOINTS.len(), FACTS.len());
    for (kind, (keyword, keys, coordinates, rows, freedoms, locks)) in JOINTS.iter().zip(FACTS) {
        let words = |list: Vec<String>| list.join(" ");
        assert_eq!(kind.keyword(), *keyword);
        assert_eq!(words(kind.keys().iter().map(|k| format!("{k:?}")).collect()), *keys, "{keyword}");
        assert_eq!(words(kind.coordinates().iter().map(|c| c.name.to_string()).collect()), *coordinates, "{keyword}");
        for c in kind.coordinates() {
            assert_eq!(c.angle, c.name.starts_with("angle"), "{keyword}.{}", c.name);
            // The sentence for users names its coordinates, once there are any.
            assert!(kind.help().contains(&format!("`{}`", c.name)), "{keyword}: {}", kind.help());
        }
        assert!(kind.help().split(' ').count() >= 3, "{keyword}: {}", kind.help());
        let mut s = Stream(3);
        let joint = joint("j", *kind, [0, 1], [s.pose(), s.pose()]);
        assert_eq!(kind.rows(&joint).len(), *rows, "{keyword}");
        assert_eq!(kind.hinge().map(|h| h.nv()), *freedoms, "{keyword}");
        assert_eq!(kind.locks_orientation(), *locks, "{keyword}");
        for (k, coordinate) in kind.coordinates().iter().enumerate() {
            assert!(kind.coordinate(&joint, k).is_some(), "{keyword}");
            assert_eq!(joint.coordinate_index(coordinate.name), Some(k), "{keyword}");
        }
        assert_eq!(joint.coordinate_index("warp"), None, "{keyword}");
        assert!(joints::kind(keyword).is_some_and(|found| found.keyword() == *keyword));
    }
    assert!(joints::kind("revolution").is_none());
}

/// q̇ = rates(q, v) is the derivative of the coordinates along the motion that v makes, and unit length is kept.
#[test]
fn rates_are_derivatives_of_the_coordinates() {
    for case in cases() {
        let name = case.joint().kind.keyword();
        let at = |h: f64| {
            let mut q = case.q.clone();
            case.hinge.step(&mut q, &case.v.iter().map(|v| v * h).collect::<Vec<f64>>());
            q
        };
        let (before, after) = (at(-STEP), at(STEP));
        let mut rates = vec![f64::NAN; case.hinge.nq()];
        case.hinge.rates(&case.q, &case.v, &mut rates);
        for k in 0..rates.len() {
            let difference = (after[k] - before[k]) * (0.5 / STEP);
            assert!((rates[k] - difference).abs() < DIFFERENCE, "{name}: q̇[{k}] = {}, not {difference}", rates[k]);
        }
        let mut stretched: Vec<f64> = case.q.clone();
        if case.hinge.nq() > case.hinge.nv() {
            stretched[..4].iter_mut().for_each(|e| *e *= 1.7);
        }
        case.hinge.normalise(&mut stretched);
        for (a, b) in stretched.iter().zip(&case.q) {
            assert!((a - b).abs() < ROUNDING, "{name}: {stretched:?}");
        }
    }
}

/// Where equations alone also admit the second body turned over, the joint says which assembly is meant.
#[test]
fn the_assembly_meant_is_told_from_its_reverse() {
    let reverses = |keyword: &str| match keyword {
        // Parallel axes admit the opposite sense; a locked orientation the half turn about the axis besides.
        "revolute" | "cylindrical" | "screw" | "planar" => 1,
        "prismatic" | "fixed" => 2,
        _ => 0,
    };
    for kind in JOINTS {
        let mut s = Stream(5);
        let joint = joint("j", *kind, [0, 1], [s.pose(), s.pose()]);
        assert_eq!(kind.positive(&joint).len(), reverses(kind.keyword()), "{}", kind.keyword());
    }
}
