//! `biela run` of files of other programs, which say what there is and not what to compute: they move under their own gravity, or stand.

mod common;

use common::{biela, told, Folder};
use serde_json::Value;

/// The tolerance of a dynamic run, 1e-8, times the quarter of a swing that it integrates.
const INTEGRATED: f64 = 1e-6;

const PENDULUM: &str = r#"<mujoco model="pendulum"><option gravity="0 0 -9.81"/><worldbody>
  <body name="rod"><joint name="A" type="hinge" axis="0 1 0"/><inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.02 0.02"/></body>
</worldbody></mujoco>"#;

const LOOP: &str = r#"<robot name="four-bar"><link name="base"/><link name="crank"/><link name="rod"/><link name="rocker"/>
  <joint name="A" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 0 1"/></joint>
  <joint name="B" type="continuous"><parent link="crank"/><child link="rod"/><origin xyz="0 1 0"/><axis xyz="0 0 1"/></joint>
  <joint name="D" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="1 -0.5 0"/><axis xyz="0 0 1"/></joint>
  <loop name="C" type="position"><predecessor link="rod"><origin xyz="1 0 0"/></predecessor>
    <successor link="rocker"><origin xyz="0 1.5 0"/></successor></loop></robot>"#;

fn run(folder: &Folder, file: &str, more: &[&str]) -> Value {
    let output = biela().args(["run", "--json", file]).args(more).current_dir(&folder.0).output().expect("a run");
    assert!(output.status.success(), "{}", told(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_file_with_gravity_moves_under_it() {
    let folder = Folder::new("plain-falls");
    folder.write("pendulum.xml", PENDULUM);
    let found = run(
        &folder,
        "pendulum.xml",
        &["--end", "0.3", "--measure", "w = at(A.angle.rate, 0.3)", "--measure", "q = at(A.angle, 0.3)"],
    );
    assert_eq!(found["analysis"], "dynamics");
    assert!(found["warnings"][0].as_str().expect("a warning").contains("says nothing of what to compute"), "{found}");
    // ½ I ω² = m g l sin q, from rest with the rod level: I = 0.02 + 2·0.5².
    let [w, q] = ["w", "q"].map(|k| found["measures"][k].as_f64().expect("a number"));
    let wanted = (2.0 * 2.0 * 9.81 * 0.5 * q.sin() / 0.52).sqrt();
    assert!(q > 0.5 && (w.abs() - wanted).abs() < INTEGRATED, "{w} {wanted}");
}

#[test]
fn a_file_without_gravity_is_told_as_it_stands() {
    let folder = Folder::new("plain-stands");
    folder.write("four.urdf", LOOP);
    let found = run(&folder, "four.urdf", &["-o", "at.json"]);
    assert_eq!((found["analysis"].as_str(), found["samples"].as_u64()), (Some("kinematics"), Some(1)));
    let table: Value = serde_json::from_slice(&folder.read("at.json")).expect("JSON");
    let text = table.to_string();
    assert!(text.contains("rocker.x") && text.contains("A.angle.rate"), "{text}");
    // What is asked for is done as it is asked: a motion by drivers needs them.
    let asked =
        biela().args(["run", "four.urdf", "--analysis", "kinematics"]).current_dir(&folder.0).output().expect("a run");
    assert!(!asked.status.success() && told(&asked).contains("under-driven"), "{}", told(&asked));
    let driven = run(&folder, "four.urdf", &["--drive", "A=t"]);
    assert!(driven["samples"].as_u64() > Some(1), "{driven}");
}
