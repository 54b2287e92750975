//! Units that people read: `units` in a model and `--units`. Numbers known by hand are those of a crank of 100 mm that turns
//! at 120 rpm; every shipped model is held to its own SI results.

mod common;

use biela::results::{read, Results};
use common::{biela, root, told, Folder};
use std::f64::consts::PI;
use std::process::Output;

/// A crank of 100 mm with a mass of 2 kg at its tip, level at the start, turned by a motor.
const CRANK: &str = r#"
units = "mm, deg, N, rpm"
gravity = [0, "-10 m/s^2", 0]
parameters = { r = "100 mm", speed = "120 rpm", tilt = "30 deg", factor = 2 }
bodies.crank = { mass = 2, com = ["r", 0, 0], inertia = [0.01, 0.01, 0.01], points = { T = ["r", 0, 0] } }
joints.O = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0, 0], axis = "z" }
drivers.motor = { joint = "O", value = "speed*t" }
run = { analysis = "inverse-dynamics", end = 0.25, steps = 10 }
"#;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    biela().current_dir(&folder.0).args(arguments).output().expect("the program runs")
}

fn table(folder: &Folder, arguments: &[&str], file: &str) -> Results {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", told(&output));
    read(&folder.path(file)).expect("a table")
}

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The words of the line that begins with a name.
fn row(text: &str, name: &str) -> Vec<String> {
    let line = text.lines().find(|l| l.starts_with(&format!("{name} "))).unwrap_or_else(|| panic!("{name} in\n{text}"));
    line.split_whitespace().map(str::to_string).collect()
}

/// One rounding of a factor and one of a product, twice.
const ROUNDING: f64 = 1e-14;

#[test]
fn tables_for_people_have_the_units_of_the_model() {
    let folder = Folder::new("units-tables");
    folder.write("crank.toml", CRANK);
    let text =
        said(&run(&folder, &["run", "crank.toml", "--signals", "O.angle,O.angle.rate,crank.T.x,motor.effort,O.fy"]));
    let row = |name: &str| row(&text, name);
    // Half a turn in a quarter of a second; the weight of 20 N hangs 100 mm out, first right, then left.
    assert_eq!(row("O.angle")[..6], ["O.angle", "deg", "0", "0", "180", "0.25"]);
    assert_eq!(row("O.angle.rate")[..3], ["O.angle.rate", "rpm", "120"]);
    assert_eq!(row("crank.T.x")[..6], ["crank.T.x", "mm", "-100", "0.25", "100", "0"]);
    assert_eq!(row("motor.effort")[..6], ["motor.effort", "N*mm", "-2000", "0.25", "2000", "0"]);
    assert_eq!(row("O.fy")[1], "N");
    let text = said(&run(&folder, &["run", "crank.toml", "--units", "m, rad", "--signals", "O.angle,crank.T.x"]));
    assert_eq!(self::row(&text, "O.angle")[..5], ["O.angle", "rad", "0", "0", "3.14159"]);
    assert_eq!(self::row(&text, "crank.T.x")[..3], ["crank.T.x", "m", "-0.1"]);
    let text = said(&run(&folder, &["assemble", "crank.toml", "--start", "0.125"]));
    assert!(text.contains("[deg]") && text.contains("90.000000"), "{text}");
    let text = said(&run(&folder, &["check", "crank.toml"]));
    assert!(text.contains(" mm\n"), "{text}");
    let measured =
        ["run", "crank.toml", "--measure", "peak = max(motor.effort)", "--measure", "when = argmax(-crank.T.x)"];
    let text = said(&run(&folder, &measured));
    assert!(text.contains("peak = 2000 N*mm\n") && text.contains("when = 0.25 s\n"), "{text}");
    let json = said(&run(&folder, &[&measured[..], &["--json"]].concat()));
    assert!(json.contains("\"peak\": 2.0"), "{json}");
    let text = said(&run(&folder, &["signals", "crank.toml"]));
    assert!(text.lines().any(|l| l.contains("O.angle.rate") && l.contains(" rpm ")), "{text}");
    assert!(text.lines().any(|l| l.contains("crank.T.speed") && l.contains(" mm/s ")), "{text}");
    assert!(!said(&run(&folder, &["signals", "crank.toml", "--json", "-q"])).is_empty());
}

#[test]
fn data_stays_si_unless_units_are_asked_for_with_it() {
    let folder = Folder::new("units-data");
    folder.write("crank.toml", CRANK);
    for ending in ["csv", "npz"] {
        let (si, mm) = (format!("si.{ending}"), format!("mm.{ending}"));
        let plain = table(&folder, &["run", "crank.toml", "-o", &si], &si);
        let asked = table(&folder, &["run", "crank.toml", "-o", &mm, "--units", "mm, deg"], &mm);
        let unit = |r: &Results, name: &str| r.get(name).map(|c| c.unit).unwrap();
        assert_eq!((unit(&plain, "O.angle"), unit(&asked, "O.angle")), ("rad", "deg"));
        assert_eq!((unit(&plain, "motor.effort"), unit(&asked, "motor.effort")), ("N*m", "N*mm"));
        // deg alone is named: rates are degrees per second, whatever the model says.
        assert_eq!((unit(&plain, "O.angle.rate"), unit(&asked, "O.angle.rate")), ("rad/s", "deg/s"));
        let last = |r: &Results, name: &str| *r.get(name).unwrap().data.last().unwrap();
        assert!((last(&plain, "O.angle") - PI).abs() < 1e-12 && (last(&asked, "O.angle") - 180.0).abs() < 1e-10);
        assert!((last(&asked, "O.angle.rate") - 720.0).abs() < 1e-9);
        assert_eq!(plain.columns[0].unit, "s");
    }
    // JSON is SI, whatever the model or the command say.
    let plain = table(&folder, &["run", "crank.toml", "-o", "si.json"], "si.json");
    let asked = table(&folder, &["run", "crank.toml", "-o", "mm.json", "--units", "mm, deg"], "mm.json");
    assert_eq!(plain, asked);
    assert_eq!(asked.get("crank.T.x").map(|c| (c.unit, c.data[0])), Some(("m", 0.1)));
    // SI is a list too, in place of the model's own.
    let text = said(&run(&folder, &["run", "crank.toml", "--units", "SI", "--signals", "motor.effort,O.angle.rate"]));
    assert_eq!(row(&text, "motor.effort")[..3], ["motor.effort", "N*m", "-2"]);
    assert_eq!(row(&text, "O.angle.rate")[1], "rad/s");
    let header = String::from_utf8(folder.read("mm.csv")).unwrap();
    assert!(header.starts_with("t [s],") && header.contains("crank.T.x [mm]"), "{}", header.lines().next().unwrap());
    // What programs read on standard output is SI in any case.
    for units in [&[][..], &["--units", "cm, rpm"]] {
        let commands: [&[&str]; 3] =
            [&["run", "crank.toml"], &["assemble", "crank.toml", "--start", "0.125"], &["signals", "crank.toml"]];
        let json = |more: &[&str]| commands.map(|c| said(&run(&folder, &[c, &["--json"], more].concat())));
        assert_eq!(json(units), json(&["--units", "m, rad"]));
    }
}

#[test]
fn every_shipped_model_is_its_si_results_times_the_factor() {
    let folder = Folder::new("units-shipped");
    // One of each SI unit of a column in the units asked for, by hand.
    let known = |si: &str| match si {
        "m" | "m/s" | "m/s^2" | "N*m" | "J" | "W" => 1e3,
        "rad" | "rad/s^2" => 180.0 / PI,
        "rad/s" => 30.0 / PI,
        "s" | "1" | "N" | "Hz" | "1/s" => 1.0,
        other => panic!("a column in {other}"),
    };
    let mut names: Vec<_> = std::fs::read_dir(root().join("models")).unwrap().flatten().map(|e| e.path()).collect();
    names.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    names.sort();
    assert!(names.len() >= 35);
    for path in names {
        let path = path.display().to_string();
        let steps: [&str; 2] = ["--steps", "12"];
        let plain = run(&folder, &[&["run", &path, "-o", "si.npz"], &steps[..]].concat());
        let asked = run(&folder, &[&["run", &path, "-o", "mm.npz", "--units", "mm, deg, N, rpm"], &steps[..]].concat());
        assert_eq!(plain.status.code(), asked.status.code(), "{path}: {}", told(&asked));
        let (Ok(si), Ok(mm)) = (read(&folder.path("si.npz")), read(&folder.path("mm.npz"))) else {
            assert!(!plain.status.success(), "{path}");
            continue;
        };
        assert_eq!(si.columns.len(), mm.columns.len(), "{path}");
        for (a, b) in si.columns.iter().zip(&mm.columns) {
            let factor = known(a.unit);
            assert!(factor == 1.0 || a.unit != b.unit, "{path}: {} stays in {}", a.name, a.unit);
            for (x, y) in a.data.iter().zip(&b.data) {
                assert!(
                    (x * factor - y).abs() <= ROUNDING * y.abs() || (x.is_nan() && y.is_nan()),
                    "{path}: {} {x} {y}",
                    a.name
                );
            }
        }
        for file in ["si.npz", "mm.npz"] {
            let _ = std::fs::remove_file(folder.path(file));
        }
    }
}

#[test]
fn plots_pages_and_reports_have_them() {
    let folder = Folder::new("units-pictures");
    folder.write("crank.toml", CRANK);
    let text = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    said(&run(
        &folder,
        &["plot", "crank.toml", "--x", "O.angle", "--y", "crank.T.x,crank.T.vx,motor.effort", "-o", "p.svg"],
    ));
    let svg = text("p.svg");
    for label in ["O.angle [deg]", "crank.T.x [mm]", "crank.T.vx [mm/s]", "motor.effort [N·mm]"] {
        assert!(svg.contains(label), "{label}");
    }
    said(&run(&folder, &["plot", "crank.toml", "--y", "norm(crank.T.v)", "-o", "n.svg"]));
    assert!(text("n.svg").contains("norm(crank.T.v) [mm/s]"));
    // A table read back is drawn in any units; its own where none are named.
    said(&run(&folder, &["run", "crank.toml", "-o", "r.csv"]));
    said(&run(&folder, &["plot", "r.csv", "--y", "crank.T.x", "-o", "q.svg", "--units", "in"]));
    said(&run(&folder, &["plot", "r.csv", "--y", "crank.T.x", "-o", "r.svg"]));
    assert!(text("q.svg").contains("crank.T.x [in]") && text("r.svg").contains("crank.T.x [m]"));
    said(&run(&folder, &["view", "crank.toml", "-o", "v.html"]));
    let page = text("v.html");
    assert!(page.contains(r#""unit":"N*mm""#) && page.contains(r#""unit":"rpm""#) && !page.contains(r#""unit":"N*m""#));
    said(&run(&folder, &["report", "crank.toml", "-o", "report.html"]));
    let report = text("report.html");
    for cell in ["<td>r</td>", "<td class=\"n\">100</td>", "<td>rpm</td>", "<td>N·mm</td>", "<td>deg</td>"] {
        assert!(report.contains(cell), "{cell}");
    }
    // A parameter keeps the unit that --set writes.
    said(&run(&folder, &["report", "crank.toml", "-o", "report.html", "--set", "r=4 in"]));
    assert!(text("report.html").contains("<td>in</td>"));
}

#[test]
fn sweeps_and_optimisations_have_them() {
    let folder = Folder::new("units-sweep");
    folder.write("crank.toml", CRANK);
    let sweep = ["sweep", "crank.toml", "--vary", "r=50 mm:100 mm:3", "--measure", "peak=max(motor.effort)"];
    let text = said(&run(&folder, &sweep));
    // 1000, 1500 and 2000 N*mm.
    let line = text.lines().find(|l| l.starts_with("peak")).unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains(" 1500 ") && line.ends_with("N*mm"), "{text}");
    let optimise = [
        "optimise",
        "crank.toml",
        "--vary",
        "r=50 mm:200 mm",
        "--minimise",
        "effort=max(motor.effort)",
        "--starts",
        "1",
    ];
    let text = said(&run(&folder, &optimise));
    // The least effort is that of the shortest crank.
    assert_eq!(row(&text, "r"), ["r", "100", "50", "mm"]);
    assert_eq!(row(&text, "effort"), ["effort", "2000", "1000", "N*mm"]);
    said(&run(&folder, &[&sweep[..], &["-o", "si.csv"]].concat()));
    said(&run(&folder, &[&sweep[..], &["-o", "mm.csv", "--units", "mm"]].concat()));
    let first =
        |name: &str| String::from_utf8(folder.read(name)).unwrap().lines().take(2).collect::<Vec<_>>().join("\n");
    assert!(first("si.csv").starts_with("sample,r [m],peak [N*m],reason\n0,0.05,1.0"), "{}", first("si.csv"));
    assert!(first("mm.csv").starts_with("sample,r [mm],peak [N*mm],reason\n0,50.0,1000"), "{}", first("mm.csv"));
}

#[test]
fn bad_lists_are_wrong_usage_with_place_and_advice() {
    let folder = Folder::new("units-bad");
    folder.write("crank.toml", CRANK);
    for (list, message) in [
        ("mm, dge", "no unit 'dge'"),
        ("mm, cm", "'mm' and 'cm' are both units of length"),
        ("mm deg", "a comma is missing"),
        ("", "no unit is named"),
    ] {
        for command in ["run", "plot"] {
            let mut arguments = vec![command, "crank.toml", "--units", list];
            arguments.extend(if command == "plot" { &["--y", "O.angle"][..] } else { &[] });
            let output = run(&folder, &arguments);
            let text = told(&output);
            assert!(
                output.status.code() == Some(1) && text.contains(message) && text.contains("--units"),
                "{list}: {text}"
            );
            assert!(text.contains("  = "), "{text}");
        }
    }
    assert_eq!(folder.names(), ["crank.toml"]);
}

/// A four-bar in millimetres that is drawn and driven, in milliseconds.
const LINKAGE: &str = r#"
planar = true
units = "mm, deg, N, rpm, ms"
gravity = [0, -10]
bodies.crank   = { mass = 1, com = [0.05, 0], inertia = 0.01 }
bodies.coupler = { mass = 1, com = [0.2, 0.1], inertia = 0.01 }
bodies.rocker  = { mass = 1, com = [0.35, 0.1], inertia = 0.01, points = { E = [0.4, 0.1] } }
joints.A = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }
joints.B = { type = "revolute", bodies = ["crank", "coupler"], at = [0.1, 0] }
joints.C = { type = "revolute", bodies = ["coupler", "rocker"], at = [0.35, 0.2] }
joints.D = { type = "revolute", bodies = ["ground", "rocker"], at = [0.35, 0] }
drivers.motor = { joint = "A", value = "60 rpm*t" }
"#;

#[test]
fn messages_have_the_units_of_the_model() {
    let folder = Folder::new("units-messages");
    folder.write("linkage.toml", LINKAGE);
    // Dead centres of the rocker: crank and coupler in line.
    let text = said(&run(&folder, &["run", "linkage.toml"]));
    let line = text.lines().find(|l| l.contains("stands still")).expect("a dead centre");
    assert!(line.ends_with(" ms"), "{line}");
    assert!(text.contains("at t [ms]"), "{text}");
    // JSON is SI.
    let json = said(&run(&folder, &["run", "linkage.toml", "--json"]));
    assert!(json.contains("stands still at t = 0.") && json.contains(" s\""), "{json}");
    // A run that ends early tells its driver in millimetres and when in milliseconds.
    folder.write(
        "jack.toml",
        r#"
planar = true
units = "mm, ms"
bodies.crank = {}
bodies.rod = {}
bodies.shoe = {}
joints.foot = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }
joints.knee = { type = "revolute", bodies = ["crank", "rod"], at = [0.03, 0.04] }
joints.pin = { type = "revolute", bodies = ["rod", "shoe"], at = [0.15, 0] }
joints.rail = { type = "prismatic", bodies = ["ground", "shoe"], at = [0.15, 0], axis = [1, 0] }
drivers.push = { joint = "rail", value = "0.05*t" }
run = { end = 4, steps = 20 }
"#,
    );
    let output = run(&folder, &["run", "jack.toml", "-o", "jack.csv"]);
    let words = told(&output);
    assert_eq!(output.status.code(), Some(1), "{words}");
    // Crank and rod in line: 50 mm and √(120² + 40²) mm from the foot, 150 mm in the drawing, at 50 mm each second.
    assert!(words.contains("rail.slide = 26.49") && words.contains(" mm"), "{words}");
    assert!(words.contains("t = 529.8") && words.contains(" ms") && !words.contains(" s:"), "{words}");
}

#[test]
fn matrices_have_the_units_of_their_states() {
    let folder = Folder::new("units-matrices");
    // A pendulum of length 1: ẋ = [0 1; -g/l 0] x. In degrees and rpm a rate of 1 rpm is 6 deg/s, and 1 deg gives -10/6 rpm/s.
    folder.write(
        "pendulum.toml",
        r#"
planar = true
gravity = [0, -10]
bodies.bob = { mass = 1, com = [0, -1], inertia = 0 }
joints.O = { type = "revolute", bodies = ["ground", "bob"], at = [0, 0] }
run = { analysis = "state-space", end = 1, steps = 2 }
"#,
    );
    let text = said(&run(&folder, &["run", "pendulum.toml", "--units", "deg, rpm"]));
    assert!(text.contains("states O.angle [deg], O.angle.rate [rpm]"), "{text}");
    let numbers: Vec<f64> =
        text.lines().rev().take(2).flat_map(str::split_whitespace).filter_map(|x| x.parse().ok()).collect();
    let due = [-10.0 / 6.0, 0.0, 0.0, 6.0];
    assert!(numbers.iter().zip(due).all(|(x, due)| (x - due).abs() < 1e-5), "{numbers:?}");
    let text = said(&run(&folder, &["run", "pendulum.toml"]));
    assert!(text.contains("states O.angle, O.angle.rate\n") && text.contains("the first of them:\n"), "{text}");
}

#[test]
fn gravity_of_a_planar_model_has_two_numbers() {
    let folder = Folder::new("units-gravity");
    folder.write("linkage.toml", LINKAGE);
    let efforts = |gravity: &str| {
        let arguments = [
            "run",
            "linkage.toml",
            "--analysis",
            "statics",
            "--gravity",
            gravity,
            "--signals",
            "motor.effort",
            "-o",
            "out.csv",
        ];
        table(&folder, &arguments, "out.csv").get("motor.effort").expect("an effort").data.clone()
    };
    assert_eq!(efforts("0,-5"), efforts("0,-5,0"));
    assert!(efforts("0,-5").iter().zip(efforts("0,-10")).all(|(half, whole)| (2.0 * half - whole).abs() < 1e-12));
    let output = run(&folder, &["run", "linkage.toml", "--gravity", "0,0,-5"]);
    assert!(output.status.code() == Some(1) && told(&output).contains("leads out of the plane"), "{}", told(&output));
    folder.write("crank.toml", CRANK);
    let output = run(&folder, &["run", "crank.toml", "--gravity", "0,-5"]);
    assert!(output.status.code() == Some(1) && told(&output).contains("has three"), "{}", told(&output));
}

#[test]
fn statics_prints_its_forces_and_no_rounding() {
    let folder = Folder::new("units-statics");
    folder.write("linkage.toml", LINKAGE);
    let text = said(&run(&folder, &["run", "linkage.toml", "--analysis", "statics"]));
    let names: Vec<&str> =
        text.lines().skip_while(|l| !l.starts_with("signal ")).skip(1).filter_map(|l| l.split(' ').next()).collect();
    // Efforts and reactions before places, and nothing of rates.
    assert_eq!(names[..3], ["motor.effort", "A.fx", "A.fy"]);
    assert!(names.iter().all(|n| !n.ends_with(".rate") && !n.ends_with(".mz")), "{text}");
    // One position alone is told with its forces too.
    let text = said(&run(&folder, &["run", "linkage.toml", "--analysis", "statics", "--end", "0"]));
    assert!(text.contains("D.fy") && !text.contains("D.mz"), "{text}");
    for analysis in ["kinematics", "inverse-dynamics"] {
        let text = said(&run(&folder, &["run", "linkage.toml", "--analysis", analysis]));
        assert!(
            !text.contains("e-1") || text.lines().all(|l| !l.contains("e-1") || l.starts_with("largest")),
            "{text}"
        );
    }
}

#[test]
fn plots_show_outputs_first_where_nothing_is_asked_for() {
    let folder = Folder::new("units-plots");
    folder.write("linkage.toml", LINKAGE);
    let labels = |file: &str| {
        let text = said(&run(&folder, &["plot", file, "--term", "--analysis", "inverse-dynamics"]));
        text.lines().filter(|l| l.contains('[')).map(|l| l.trim().to_string()).collect::<Vec<_>>().join(" ")
    };
    let plain = labels("linkage.toml");
    assert!(plain.contains("motor.effort") && plain.contains("D.angle"), "{plain}");
    folder.write("outputs.toml", format!("{LINKAGE}run.outputs = [\"rocker.E\"]\n"));
    let declared = labels("outputs.toml");
    assert!(declared.contains("rocker.E") || declared.contains("position [mm]"), "{declared}");
    let output = run(&folder, &["run", "linkage.toml", "-o", "out.csv"]);
    assert!(output.status.success());
    let output = run(&folder, &["plot", "out.csv"]);
    assert!(output.status.code() == Some(1) && told(&output).contains("--y"), "{}", told(&output));
}

/// What messages tell of limits and gaps has a unit, that of the model.
#[test]
fn messages_have_them() {
    let folder = Folder::new("units-messages");
    let limited = |units: &str| {
        CRANK.replace("units = \"mm, deg, N, rpm\"", units).replace(
            "axis = \"z\" }",
            "axis = \"z\", limits = { upper = \"90 deg\", velocity = \"60 rpm\", effort = \"1.5 N*m\" } }",
        )
    };
    for (units, words) in [
        (
            "units = \"mm, deg, N, rpm\"",
            [
                "180 deg at",
                "limit 90 deg",
                "120 rpm at",
                "2000 N*mm at t = 0 s, beyond the limit 1500 N*mm of joint 'O'",
            ],
        ),
        (
            "",
            [
                "3.14159 rad at",
                "limit 1.5708 rad",
                "12.5664 rad/s at",
                "2 N*m at t = 0 s, beyond the limit 1.5 N*m of joint 'O'",
            ],
        ),
    ] {
        folder.write("crank.toml", limited(units));
        let output = run(&folder, &["run", "crank.toml"]);
        assert!(output.status.success());
        words.iter().for_each(|w| assert!(told(&output).contains(w), "{w} in {}", told(&output)));
    }
    // A limit that a motion under forces reaches.
    folder.write(
        "fall.toml",
        limited("units = \"mm, deg, N, rpm\"")
            .replace("inverse-dynamics", "dynamics")
            .replace("drivers.motor = { joint = \"O\", value = \"speed*t\" }", "initial.\"O.angle.rate\" = 30"),
    );
    let text = said(&run(&folder, &["run", "fall.toml"]));
    assert!(text.contains("upper limit 90 deg of O.angle at t = "), "{text}");
    // A gap that stays open.
    folder.write(
        "open.toml",
        "planar = true\nunits = \"mm\"\nbodies.a = { points = { B = [0.1, 0] } }\njoints.O = { type = \"revolute\", bodies = [\"ground\", \"a\"], at = [[0, 0], [0, 0]] }\njoints.P = { type = \"revolute\", bodies = [\"ground\", \"a\"], at = [[0.3, 0], \"B\"] }\n",
    );
    let output = run(&folder, &["check", "open.toml"]);
    assert!(
        !output.status.success() && told(&output).contains(" mm") && !told(&output).contains(" m\n"),
        "{}",
        told(&output)
    );
}
