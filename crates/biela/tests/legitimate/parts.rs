//! Parts of texts, and the closed forms that go with them.

pub(crate) fn body(name: &str, mass: f64, com: [f64; 3], inertia: f64, at: [f64; 3], angle: f64) -> String {
    format!(
        "[bodies.{name}]\nmass = {mass:e}\ncom = {com:?}\ninertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n\
         pose = {{ at = {at:?}, angle = {angle:e}, axis = [0, 0, 1] }}\n"
    )
}

pub(crate) fn light(name: &str, at: [f64; 3], angle: f64) -> String {
    format!("[bodies.{name}]\npose = {{ at = {at:?}, angle = {angle:e}, axis = [0, 0, 1] }}\n")
}

pub(crate) fn revolute(name: &str, a: &str, b: &str, at: [[f64; 3]; 2]) -> String {
    format!("[joints.{name}]\ntype = \"revolute\"\nbodies = [\"{a}\", \"{b}\"]\nat = {at:?}\naxis = [[0, 0, 1], [0, 0, 1]]\n")
}

pub(crate) fn prismatic(name: &str, a: &str, b: &str, at: [[f64; 3]; 2]) -> String {
    format!("[joints.{name}]\ntype = \"prismatic\"\nbodies = [\"{a}\", \"{b}\"]\nat = {at:?}\naxis = [[1, 0, 0], [1, 0, 0]]\n")
}

pub(crate) fn joint_torque(name: &str, joint: &str, value: &str) -> String {
    format!("[forces.{name}]\ntype = \"joint-torque\"\njoint = \"{joint}\"\nvalue = \"{value}\"\n")
}

pub(crate) fn driver(name: &str, joint: &str, value: &str) -> String {
    format!("[drivers.{name}]\njoint = \"{joint}\"\nvalue = \"{value}\"\n")
}

pub(crate) fn initial(values: &[(&str, f64)]) -> String {
    let lines: Vec<String> = values.iter().map(|(name, value)| format!("\"{name}\" = {value:e}\n")).collect();
    format!("[initial]\n{}", lines.concat())
}

pub(crate) fn runs(analysis: &str, end: f64, steps: usize, more: &str) -> String {
    format!("[run]\nanalysis = \"{analysis}\"\nend = {end:e}\nsteps = {steps}\n{more}")
}

pub(crate) fn dynamics(end: f64, steps: usize) -> String {
    runs("dynamics", end, steps, "")
}

pub(crate) fn alpha(end: f64, steps: usize, step: f64) -> String {
    runs("dynamics", end, steps, &format!("method = \"alpha\"\nstep = {step:e}\n"))
}

/// An arm of length l on a pivot at the origin, hanging along −y, its mass m at the end with inertia i.
pub(crate) fn arm(m: f64, l: f64, i: f64) -> String {
    body("arm", m, [0.0, -l, 0.0], i, [0.0; 3], 0.0) + &revolute("O", "ground", "arm", [[0.0; 3]; 2])
}

/// A block of mass m that slides along x without friction.
pub(crate) fn block(m: f64) -> String {
    body("block", m, [0.0; 3], m, [0.0; 3], 0.0) + &prismatic("P", "ground", "block", [[0.0; 3]; 2])
}

/// A spring and damper on the block's slide.
pub(crate) fn spring(k: f64, c: f64, rest: f64) -> String {
    format!("[forces.s]\ntype = \"joint-spring\"\njoint = \"P\"\nstiffness = {k:e}\ndamping = {c:e}\nrest = {rest:e}\n")
}

/// Lengths of a four-bar: crank, coupler, rocker, ground.
pub(crate) type Bars = [f64; 4];
pub(crate) const CRANK_ROCKER: Bars = [1.0, 3.0, 2.5, 3.2];

/// Angles of coupler and rocker of a four-bar on its upper branch, by the cosine rule.
pub(crate) fn four_bar_angles([a, b, c, d]: Bars, crank: f64) -> [f64; 2] {
    let (x, y) = (d - a * crank.cos(), -a * crank.sin());
    let e = x.hypot(y);
    let coupler = y.atan2(x) + ((e * e + b * b - c * c) / (2.0 * e * b)).clamp(-1.0, 1.0).acos();
    let tip = [a * crank.cos() + b * coupler.cos() - d, a * crank.sin() + b * coupler.sin()];
    [coupler, tip[1].atan2(tip[0])]
}

/// A four-bar with its crank pivot at `o`, drawn with the crank at that angle; weightless bodies where the mass is zero.
pub(crate) fn four_bar(bars: Bars, o: [f64; 3], crank: f64, mass: f64) -> String {
    let [a, b, c, d] = bars;
    let [coupler, rocker] = four_bar_angles(bars, crank);
    let tip = [o[0] + a * crank.cos(), o[1] + a * crank.sin(), o[2]];
    let foot = [o[0] + d, o[1], o[2]];
    let bar = |name: &str, l: f64, at: [f64; 3], angle: f64| match mass > 0.0 {
        true => body(name, mass * l, [0.5 * l, 0.0, 0.0], mass * l * l * l / 12.0, at, angle),
        false => light(name, at, angle),
    };
    bar("crank", a, o, crank)
        + &bar("coupler", b, tip, coupler)
        + &bar("rocker", c, foot, rocker)
        + &revolute("O", "ground", "crank", [o, [0.0; 3]])
        + &revolute("A", "crank", "coupler", [[a, 0.0, 0.0], [0.0; 3]])
        + &revolute("B", "coupler", "rocker", [[b, 0.0, 0.0], [c, 0.0, 0.0]])
        + &revolute("C", "ground", "rocker", [foot, [0.0; 3]])
}

/// A crank of length r, a rod of length l and a slider along x, with the pivot at `o`.
pub(crate) fn slider_crank(r: f64, l: f64, o: [f64; 3], crank: f64, mass: f64) -> String {
    let tip = [o[0] + r * crank.cos(), o[1] + r * crank.sin(), o[2]];
    let x = slider(r, l, crank);
    let part = |name: &str, l: f64, at: [f64; 3], angle: f64| match mass > 0.0 {
        true => body(name, mass, [0.5 * l, 0.0, 0.0], mass * l.max(0.1 * r) * l.max(0.1 * r) / 12.0, at, angle),
        false => light(name, at, angle),
    };
    part("crank", r, o, crank)
        + &part("rod", l, tip, -(r * crank.sin() / l).asin())
        + &part("slider", 0.0, [o[0] + x, o[1], o[2]], 0.0)
        + &revolute("O", "ground", "crank", [o, [0.0; 3]])
        + &revolute("A", "crank", "rod", [[r, 0.0, 0.0], [0.0; 3]])
        + &revolute("B", "rod", "slider", [[l, 0.0, 0.0], [0.0; 3]])
        + &prismatic("P", "ground", "slider", [o, [0.0; 3]])
}

/// Where its slider is.
pub(crate) fn slider(r: f64, l: f64, crank: f64) -> f64 {
    r * crank.cos() + (l * l - (r * crank.sin()).powi(2)).sqrt()
}

/// A chain of n links of 0.1 m hanging along a direction in the plane.
pub(crate) fn chain(n: usize, direction: f64) -> String {
    let (s, c) = direction.sin_cos();
    let mut text = String::new();
    for k in 0..n {
        let at = [0.1 * k as f64 * c, 0.1 * k as f64 * s, 0.0];
        text += &body(&format!("l{k}"), 0.2, [0.05, 0.0, 0.0], 1e-4, at, direction);
        let before = if k == 0 { "ground".into() } else { format!("l{}", k - 1) };
        let from = if k == 0 { [0.0; 3] } else { [0.1, 0.0, 0.0] };
        text += &revolute(&format!("j{k}"), &before, &format!("l{k}"), [from, [0.0; 3]]);
    }
    text
}
