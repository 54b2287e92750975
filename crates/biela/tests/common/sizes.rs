//! Mechanisms of any size, as texts: chains, trees, rows of loops.
#![allow(dead_code)] // Each test uses a part.

use std::fmt::Write;

const RUN: &str = "[run]\nend = 1\nsteps = 20\n";

/// A joint that turns about z.
fn pin(name: &str, bodies: [&str; 2], at: [&str; 2]) -> String {
    let [first, second] = bodies;
    let [here, there] = at;
    format!("[joints.{name}]\ntype = \"revolute\"\nbodies = [\"{first}\", \"{second}\"]\nat = [{here}, {there}]\naxis = [0, 0, 1]\n")
}

/// Four-bars beside each other, each with its own driver.
pub fn row(count: usize) -> String {
    let mut text = String::from("name = \"row\"\ngravity = [0, -9.81, 0]\n");
    for k in 0..count {
        let x = 3 * k;
        let height = 0.75f64.sqrt();
        for (body, at, angle) in [
            ("a", format!("[{x}, 0, 0]"), 60),
            ("b", format!("[{x}.5, {height}, 0]"), 20),
            ("c", format!("[{}, 0, 0]", x + 2), 80),
        ] {
            let _ = write!(
                text,
                "[bodies.{body}{k}]\nmass = 1\ninertia = [0.01, 0.01, 0.01]\npose = {{ at = {at}, angle = \"{angle} deg\", axis = [0, 0, 1] }}\n"
            );
        }
        let [a, b, c] = ["a", "b", "c"].map(|body| format!("{body}{k}"));
        text += &pin(&format!("O{k}"), ["ground", &a], [&format!("[{x}, 0, 0]"), "[0, 0, 0]"]);
        text += &pin(&format!("P{k}"), [&a, &b], ["[1, 0, 0]", "[0, 0, 0]"]);
        text += &pin(&format!("Q{k}"), [&b, &c], ["[2, 0, 0]", "[1.5, 0, 0]"]);
        text += &pin(&format!("R{k}"), ["ground", &c], [&format!("[{}, 0, 0]", x + 2), "[0, 0, 0]"]);
        let _ = writeln!(text, "[drivers.d{k}]\njoint = \"O{k}\"\nvalue = \"60 deg + 30 deg*t\"");
    }
    text + RUN
}

/// Links one after the other; `more` is said of each joint.
fn links(count: usize, before: impl Fn(usize) -> Option<usize>, more: impl Fn(usize) -> String) -> String {
    let mut text = String::from("name = \"links\"\ngravity = [0, -9.81, 0]\n");
    let mut depth: Vec<usize> = Vec::with_capacity(count);
    for k in 0..count {
        depth.push(before(k).map_or(0, |before| depth[before] + 1));
        let (first, at) = match before(k) {
            Some(before) => (format!("l{before}"), "[0.1, 0, 0]"),
            None => ("ground".to_string(), "[0, 0, 0]"),
        };
        let _ = write!(
            text,
            "[bodies.l{k}]\nmass = 1\ncom = [0.05, 0, 0]\ninertia = [0.001, 0.001, 0.001]\npose = {{ at = [{}, 0, 0] }}\n",
            0.1 * depth[k] as f64
        );
        text += &pin(&format!("j{k}"), [&first, &format!("l{k}")], [at, "[0, 0, 0]"]);
        text += &more(k);
    }
    text + RUN
}

fn driven(k: usize) -> String {
    format!("[drivers.d{k}]\njoint = \"j{k}\"\nvalue = \"0.01*sin(t + {k})\"\n")
}

/// A chain whose joints are driven.
pub fn chain(count: usize) -> String {
    links(count, |k| k.checked_sub(1), driven)
}

/// A tree in which every link carries two, driven.
pub fn tree(count: usize) -> String {
    links(count, |k| k.checked_sub(1).map(|k| k / 2), driven)
}

/// A chain that loads settle, with a spring in each joint that lets the whole bend by a few degrees.
pub fn springs(count: usize) -> String {
    links(
        count,
        |k| k.checked_sub(1),
        |k| format!("[forces.s{k}]\ntype = \"joint-spring\"\njoint = \"j{k}\"\nstiffness = {}\n", 2 * count.pow(3)),
    )
}

/// A driven chain of a planar model.
pub fn planar_chain(count: usize) -> String {
    let mut text = String::from("name = \"chain\"\nplanar = true\ngravity = [0, -9.81]\n");
    for k in 0..count {
        let (first, at) = match k {
            0 => ("ground".to_string(), "[0, 0]"),
            _ => (format!("l{}", k - 1), "[0.1, 0]"),
        };
        let _ = write!(
            text,
            "[bodies.l{k}]\nmass = 1\ncom = [0.05, 0]\ninertia = 0.001\npose = {{ at = [{}, 0] }}\n\
             [joints.j{k}]\ntype = \"revolute\"\nbodies = [\"{first}\", \"l{k}\"]\nat = [{at}, [0, 0]]\n",
            0.1 * k as f64
        );
        text += &driven(k);
    }
    text + RUN
}
