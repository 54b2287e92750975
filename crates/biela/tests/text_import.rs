//! Foreign formats end in the same models as the TOML they are converted to.

#![allow(non_snake_case)] // X_FM: frames are capital letters.

mod common;

use biela::math::{Pose, Vec3};
use biela::model::Model;
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::content;
use std::path::Path;

/// Poses along a chain of a dozen frames, each a few roundings of numbers of order one.
const ROUNDING: f64 = 1e-12;

fn compiled(document: &Document) -> Model {
    document.model(&Options::default()).unwrap_or_else(|e| panic!("{e}\n{}", document.to_toml()))
}

#[test]
fn conversion_to_toml_keeps_the_model() {
    let paths = [
        "tests/data/arm7.urdf",
        "tests/data/every-joint.urdf",
        "../../models/thesis/slider-crank",
        "../../models/thesis/slider-crank-purged",
        "../../models/thesis/arm-3r",
    ];
    for path in paths {
        let document = Document::read(Path::new(path), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        let text = document.to_toml();
        let again = Document::from_toml(&Source::new(path, text.as_str())).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(content(compiled(&document)), content(compiled(&again)), "{text}");
    }
}

#[test]
fn a_robot_is_drawn_with_all_coordinates_zero() {
    for free_base in [false, true] {
        let options = Options { free_base, ..Options::default() };
        let document = Document::read(Path::new("tests/data/arm7.urdf"), &options).unwrap_or_else(|e| panic!("{e}"));
        let m = compiled(&document);
        assert!(m.joints.len() >= 7);
        for joint in &m.joints {
            let [first, second] = joint.bodies.map(|b| m.bodies[b].X_WB);
            let X_FM: Pose = (first * joint.frames[0]).inverse() * (second * joint.frames[1]);
            let turned = (X_FM.rotation.axes[0] - Vec3::X).norm() + (X_FM.rotation.axes[2] - Vec3::Z).norm();
            assert!(X_FM.origin.norm() + turned < ROUNDING, "{}: {X_FM:?}", joint.name);
        }
    }
}

#[test]
fn an_arm_by_its_table_becomes_bodies_and_joints() {
    let text = "[parameters]\nreach = \"40 cm\"\n[arm]\nconvention = \"standard\"\n\
                [[arm.links]]\ntype = \"revolute\"\na = \"reach\"\nalpha = 0\nd = 0\ntheta = 0\n\
                [[arm.links]]\ntype = \"revolute\"\na = 0.3\nalpha = 0\nd = 0\ntheta = \"90 deg\"\n\
                [drivers.m]\njoint = \"joint2\"\nvalue = \"t\"\n";
    let document = Document::from_toml(&Source::new("arm.toml", text)).unwrap_or_else(|e| panic!("{e}"));
    let m = compiled(&document);
    assert_eq!(m.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["ground", "link1", "link2"]);
    // The second link is drawn upwards from the end of the first.
    assert!((m.bodies[2].X_WB.origin - Vec3::new(0.4, 0.3, 0.0)).norm() < ROUNDING);
    assert!(document.to_toml().contains("[[arm.links]]"));
    let wrong = text.replace("\"reach\"", "\"30 deg\"");
    let error = Document::from_toml(&Source::new("arm.toml", wrong)).and_then(|d| d.model(&Options::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("arm.toml:7") && error.contains("a length is expected"), "{error}");
}
