//! Exit status and message of runs that must not go on.

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(name: &str, text: &str, more: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a folder to write in");
    let mut command = Command::new(env!("CARGO_BIN_EXE_biela"));
    command.arg("run").arg(&path).args(more).output().expect("the program starts")
}

/// A stiff spring with steps of RK4 far too long ends with status 1 and says how the energy went, and writes nothing.
#[test]
fn a_step_too_long_for_a_stiff_spring_ends_with_the_energy() {
    let text = r#"
gravity = [0, 0, 0]
[bodies.cart]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.rail]
type = "prismatic"
bodies = ["ground", "cart"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [[1, 0, 0], [1, 0, 0]]
[forces.spring]
type = "joint-spring"
joint = "rail"
stiffness = 1e6
[initial]
"rail.slide" = 0.1
[run]
analysis = "dynamics"
method = "rk4"
step = 0.01
end = 1
"#;
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stiff.csv");
    let _ = std::fs::remove_file(&out);
    let found = run("stiff.toml", text, &["-o", out.to_str().expect("a path")]);
    let message = String::from_utf8_lossy(&found.stderr).into_owned();
    assert_eq!(found.status.code(), Some(1), "{message}");
    assert!(message.contains("energy is not conserved") && message.contains("step"), "{message}");
    assert!(!out.exists());
    // The implicit method with a step short enough has no trouble.
    let found = run("stiff-alpha.toml", &text.replace("rk4", "alpha").replace("step = 0.01", "step = 0.0001"), &[]);
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
}

/// Coordinates that cannot tell joint forces say which can.
#[test]
fn formulations_without_forces_advise() {
    let model = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/four-bar.toml");
    for formulation in ["natural", "relative-matrix", "homogeneous"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_biela"));
        command.arg("run").arg(&model).args(["--analysis", "inverse-dynamics", "--formulation", formulation]);
        let found = command.output().expect("the program starts");
        let message = String::from_utf8_lossy(&found.stderr).into_owned();
        assert_eq!(found.status.code(), Some(1), "{message}");
        assert!(message.contains("use absolute or relative"), "{message}");
    }
}
