//! Signals of one's own at the command line: `[signals]`, signals on request, `run --measure`, plots of expressions.

mod common;

use common::{biela, told, Folder};
use std::process::Output;

/// A wheel of moment of inertia 2 that speeds up: torque 6, power 6 ω.
const WHEEL: &str = r#"
gravity = [0, 0, -10]
[parameters]
alpha = "3 rad/s^2"
[bodies.wheel]
mass = 5
inertia = [1, 1, 2]
points = { P = ["2 m", 0, 0] }
[joints.O]
type = "revolute"
bodies = ["ground", "wheel"]
at = [[0, 0, 0], [0, 0, 0]]
axis = "z"
[drivers.motor]
joint = "O"
value = "alpha*t^2/2"
[signals]
tip = "norm(wheel.P.v)"
[run]
analysis = "inverse-dynamics"
end = 2
steps = 20
"#;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    biela().args(arguments).current_dir(&folder.0).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn measures_are_printed_and_told_as_json() {
    let folder = Folder::new("measures");
    folder.write("wheel.toml", WHEEL);
    let peak = [
        "--measure",
        "peak = max(abs(motor.power))",
        "--measure",
        "when=argmax(tip)",
        "--measure",
        "w = rms(ground.fz)",
    ];
    let text = said(&run(&folder, &[&["run", "wheel.toml", "--quiet"], &peak[..]].concat()));
    assert_eq!(text, "peak = 36 W\nwhen = 2 s\nw    = 50 N\n");
    let json = said(&run(&folder, &[&["run", "wheel.toml", "--json"], &peak[..]].concat()));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let of = |name: &str| json["measures"][name].as_f64().expect("a number");
    assert!((of("peak") - 36.0).abs() < 1e-12 && of("when") == 2.0 && (of("w") - 50.0).abs() < 1e-12, "{json}");
    assert_eq!(json["samples"], 21);
    // A mistake has status 1, its place, and advice.
    let wrong = run(&folder, &["run", "wheel.toml", "--measure", "peak = max(motor.powr)"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(told(&wrong).contains("did you mean 'motor.power'?") && told(&wrong).contains("^^^^"), "{}", told(&wrong));
    let twice = run(&folder, &["run", "wheel.toml", "--measure", "a=max(tip)", "--measure", "a=min(tip)"]);
    assert!(told(&twice).contains("--measure gives 'a' twice"), "{}", told(&twice));
}

#[test]
fn tables_have_what_is_asked_for_and_nothing_else() {
    let folder = Folder::new("on-request");
    folder.write("wheel.toml", WHEEL);
    folder.write("plain.toml", WHEEL.replace("[signals]\ntip = \"norm(wheel.P.v)\"\n", ""));
    let header = |file: &str| {
        let bytes = folder.read(file);
        String::from_utf8_lossy(&bytes).lines().next().unwrap_or("").to_string()
    };
    said(&run(&folder, &["run", "wheel.toml", "-o", "full.csv"]));
    said(&run(&folder, &["run", "plain.toml", "-o", "plain.csv"]));
    // A model's own signals come last; all else is as it is without them.
    assert_eq!(header("full.csv"), header("plain.csv") + ",tip [m/s]");
    said(&run(&folder, &["run", "plain.toml", "-o", "again.csv", "--measure", "p = max(motor.power)"]));
    assert_eq!(folder.read("plain.csv"), folder.read("again.csv"));
    said(&run(
        &folder,
        &["run", "wheel.toml", "-o", "some.csv", "--signals", "motor.power,system.lz,tip,wheel.P.speed"],
    ));
    assert_eq!(header("some.csv"), "t [s],motor.power [W],system.lz [kg*m^2/s],tip [m/s],wheel.P.speed [m/s]");
    let listed = said(&run(&folder, &["signals", "wheel.toml"]));
    assert!(listed.contains("on request, by name:") && listed.contains("ground.mz"), "{listed}");
    // In a run without forces a signal that stands on them is no column, and is refused by name.
    let refused = run(&folder, &["run", "wheel.toml", "--analysis", "kinematics", "--signals", "motor.power"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(told(&refused).contains("'motor.power' stands on forces"), "{}", told(&refused));
    let refused =
        run(&folder, &["run", "wheel.toml", "--analysis", "kinematics", "--measure", "p = max(2*motor.effort)"]);
    assert!(told(&refused).contains("ask for --analysis inverse-dynamics"), "{}", told(&refused));
}

#[test]
fn plots_take_expressions_and_pairs() {
    let folder = Folder::new("plots");
    folder.write("wheel.toml", WHEEL);
    let svg = |arguments: &[&str]| {
        said(&run(&folder, &[&["plot", "wheel.toml", "-o", "p.svg"], arguments].concat()));
        String::from_utf8_lossy(&folder.read("p.svg")).into_owned()
    };
    let text = svg(&["--x", "wheel.P.x", "--y", "wheel.P.y", "--x", "wheel.P.y", "--y=-wheel.P.x"]);
    assert!(text.contains("position [m]") && text.contains(">wheel.P<"), "{text}");
    let text = svg(&["--x", "O.angle", "--y", "motor.power - 2*motor.effort*alpha*t, max(tip, 3 m/s)", "--degrees"]);
    assert!(text.contains("O.angle [deg]") && text.contains("[m/s]"), "{text}");
    said(&run(&folder, &["run", "wheel.toml", "-o", "r.csv"]));
    said(&run(&folder, &["plot", "r.csv", "--y", "tip/(1 m/s)", "--x", "O.angle/(2*pi)", "-o", "q.svg"]));
    let wrong = run(&folder, &["plot", "wheel.toml", "--x", "t", "--x", "tip", "--y", "tip"]);
    assert!(told(&wrong).contains("2 times --x and 1 times --y"), "{}", told(&wrong));
    let wrong = run(&folder, &["plot", "wheel.toml", "--y", "tip + O.angle.rate*motr.effort"]);
    assert!(told(&wrong).contains("'motr.effort'"), "{}", told(&wrong));
}
