//! `biela report`: what the page tells, and that names stay names.

mod common;

use common::{biela, root, told, Folder};

impl Folder {
    fn report(&self, arguments: &[&str]) -> String {
        let output = biela().arg("report").args(arguments).args(["-o", "r.html"]).current_dir(&self.0).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{}", told(&output));
        std::fs::read_to_string(self.0.join("r.html")).expect("a page")
    }
}

fn model(name: &str) -> String {
    std::fs::read_to_string(root().join("models").join(name)).expect("a model")
}

/// The text of a page, tags gone.
fn words(page: &str) -> String {
    let body = page.split("<body>").nth(1).expect("a body");
    let mut out = String::new();
    for part in body.split('<') {
        out.push_str(part.split_once('>').map_or(part, |p| p.1));
        out.push(' ');
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn hash(page: &str) -> String {
    let at = page.split("SHA-256 ").nth(1).expect("a hash");
    at.chars().take_while(char::is_ascii_hexdigit).collect()
}

#[test]
fn the_four_bar_is_told_whole() {
    let folder = Folder::new("report-four-bar");
    std::fs::write(folder.0.join("four-bar.toml"), model("four-bar.toml")).expect("a file");
    let page = folder.report(&[
        "four-bar.toml",
        "--set",
        "crank=1.9",
        "--plot",
        "A.angle,B.angle",
        "--plot",
        "motor.effort",
        "--x",
        "A.angle",
    ]);
    let text = words(&page);
    for due in [
        "3 moving bodies have 6 × 3 = 18 freedoms",
        "18 − 20 = −2",
        "3 of these 20 equations only repeat",
        "−2 + 3 = 1",
        "The mechanism has 1 freedom; its 1 driver determines the motion.",
        "Solved independently by absolute, natural, relative coordinates",
        "Unique in sum: A.fz + B.fz",
        "not unique",
        "coupler – rocker",
        "biela report four-bar.toml --set crank=1.9 --plot A.angle,B.angle --plot motor.effort --x A.angle -o r.html",
        "biela 0.1.0",
        "crank 2, coupler 8",
    ] {
        assert!(text.to_lowercase().contains(&due.to_lowercase()), "{due}\n{text}");
    }
    // A picture, the diagram of the motor, the paths and the two plots asked for.
    assert_eq!(page.matches("<img ").count(), 5);
    assert!(page.contains("default-src 'none'; script-src 'none'"));
    assert!(!page.contains("<script"));
    // The pin of the crank: largest |y| of the crank's end is its length, at a quarter turn, in the table of extremes.
    assert!(text.contains("Extreme values") && text.contains("at t [s]"));
    assert_eq!(hash(&page).len(), 64);
    // The hash is of the model, not of the command; another model has another.
    let again = folder.report(&["four-bar.toml"]);
    assert_eq!(hash(&again), hash(&page));
    std::fs::write(folder.0.join("four-bar.toml"), model("four-bar.toml").replace("crank   = 2", "crank   = 2.1"))
        .expect("a file");
    assert_ne!(hash(&folder.report(&["four-bar.toml"])), hash(&page));
}

#[test]
fn the_machine_comes_first_and_its_equations_last() {
    let folder = Folder::new("report-order");
    let page = folder.report(&[&root().join("models/four-bar.toml").display().to_string()]);
    let text = words(&page);
    let order = [
        "at t = 0 s",
        "Parameters",
        "Masses",
        "Motors",
        "Bearings",
        "Paths",
        "Plots",
        "Extreme values",
        "Reactions",
        "Singular positions",
        "Mobility",
        "Equations",
        "Redundancy",
        "Verification",
        "How this was made",
    ];
    let places: Vec<usize> = order.iter().map(|h| page.find(&format!(">{h}<")).or(text.find(h)).expect(h)).collect();
    assert!(places[1..].is_sorted(), "{places:?}");
    for due in [
        "effective torque (RMS) [N·m]",
        "torque over its place",
        "flywheel [kg·m²]",
        "rotation, 6.2832 rad",
        "(closed)",
    ] {
        assert!(text.contains(due), "{due}\n{text}");
    }
    // Of a driver that turns unevenly the diagram is over speed, and there is no flywheel.
    let uneven = folder.report(&[&root().join("models/four-bar.toml").display().to_string(), "--set", "accel=1"]);
    let uneven = words(&uneven);
    assert!(uneven.contains("torque over speed") && !uneven.contains("flywheel ["), "{uneven}");
}

#[test]
fn sizing_is_data_in_si_and_agrees_with_measures() {
    let folder = Folder::new("report-json");
    let four_bar = root().join("models/four-bar.toml").display().to_string();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let output = biela().args(arguments).current_dir(&folder.0).output().expect("the program starts");
        assert!(output.status.success(), "{}", told(&output));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let sizing = json(&["report", &four_bar, "--json", "--units", "mm, deg, N"]);
    let measured = json(&[
        "run",
        &four_bar,
        "--analysis",
        "inverse-dynamics",
        "--json",
        "--measure",
        "rms = rms(motor.effort)",
        "--measure",
        "force = max(A.force)",
        "--measure",
        "power = mean(motor.power)",
    ]);
    let close = |a: &serde_json::Value, b: &serde_json::Value| {
        let [a, b] = [a, b].map(|x| x.as_f64().expect("a number"));
        assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{a} is not {b}");
    };
    close(&sizing["motors"][0]["rms"], &measured["measures"]["rms"]);
    close(&sizing["motors"][0]["mean_power"], &measured["measures"]["power"]);
    close(&sizing["bearings"][0]["max"], &measured["measures"]["force"]);
    assert_eq!((&sizing["model"], &sizing["complete"]), (&"four-bar".into(), &true.into()));
    // Twice the fluctuation takes half the flywheel.
    let looser = json(&["report", &four_bar, "--json", "--fluctuation", "0.1"]);
    let inertia = |of: &serde_json::Value| of["motors"][0]["flywheel"]["inertia"].as_f64().expect("a flywheel");
    assert!((inertia(&sizing) - 2.0 * inertia(&looser)).abs() < 1e-12 * inertia(&sizing));
    for wrong in ["0", "2", "-1", "much"] {
        let output = biela().args(["report", &four_bar, "--fluctuation", wrong]).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{wrong}: {}", told(&output));
    }
}

#[test]
fn rounding_is_not_printed_as_a_force() {
    let folder = Folder::new("report-noise");
    for name in ["hoeken", "slider-crank", "jansen-leg", "gear-train"] {
        let text = words(&folder.report(&[&root().join("models").join(format!("{name}.toml")).display().to_string()]));
        let figures = text.split("Masses").nth(1).and_then(|t| t.split("Mobility").next()).expect("figures");
        for word in figures.split_whitespace() {
            let tiny = word
                .trim_matches([',', ';'])
                .replace('−', "-")
                .parse::<f64>()
                .is_ok_and(|x| x != 0.0 && x.abs() < 1e-11);
            assert!(!tiny, "{name}: {word}");
        }
    }
}

#[test]
fn mechanisms_of_every_sort_have_a_report() {
    let folder = Folder::new("report-sorts");
    for name in ["stewart-platform", "sarrus", "slider-crank", "planetary-gear", "arm-3r"] {
        let path = root().join("models").join(format!("{name}.toml"));
        let text = words(&folder.report(&[&path.display().to_string()]));
        for heading in
            ["Mobility", "Equations", "Redundancy", "Verification", "Singular positions", "How this was made"]
        {
            assert!(text.contains(heading), "{name}: {heading}");
        }
    }
}

#[test]
fn hostile_names_stay_names() {
    let folder = Folder::new("report-hostile");
    let evil = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>\"&'";
    // Names of elements hold no quotation marks, in any model.
    let quoted = format!("{:?}", evil.replace(['"', '\''], ""));
    let text = model("four-bar.toml")
        .replacen("name  = \"four-bar\"", &format!("name = {evil:?}"), 1)
        .replace("about = \"Crank", &format!("about = \"{} Crank", evil.replace('"', "\\\"")))
        .replace("[bodies.rocker]", &format!("[bodies.{quoted}]"))
        .replace("\"rocker\"]", &format!("{quoted}]"))
        .replace("[joints.P2]", &format!("[joints.{quoted}]"))
        .replace("[drivers.motor]", &format!("[drivers.{quoted}]"));
    std::fs::write(folder.0.join("evil.toml"), text).expect("a file");
    let page = folder.report(&["evil.toml"]);
    assert!(!page.contains("<script") && !page.contains("<img src=x") && !page.contains("</pre><"));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    // The only elements are the report's own.
    let allowed = [
        "html",
        "head",
        "meta",
        "title",
        "link",
        "style",
        "body",
        "h1",
        "h2",
        "p",
        "div",
        "b",
        "span",
        "figure",
        "img",
        "figcaption",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "pre",
        "dl",
        "dt",
        "dd",
        "code",
        "!doctype",
    ];
    for part in page.split('<').skip(1) {
        let name: String =
            part.trim_start_matches('/').chars().take_while(|c| c.is_alphanumeric() || *c == '!').collect();
        assert!(allowed.contains(&name.as_str()), "<{name}");
    }
}
