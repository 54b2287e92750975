//! A design as the text of a model: its dimensions as parameters, its drive through the positions, and what `optimise` may refine.

use super::angle;
use super::judge::Judged;
use super::linkage::{Carried, Linkage, Shape, Spherical};
use crate::task::Task;
use biela_roots::Complex;
use std::f64::consts::TAU;
use std::fmt::Write;

/// Dimensions by name.
type Parameters = Vec<(&'static str, f64)>;

/// Samples from one position to the next.
const STEPS: usize = 12;
/// Share of a length by which a refinement may change it.
const AROUND: f64 = 0.2;

/// Parameters and text of a design.
pub(super) fn model(name: &str, linkage: &Linkage, judged: &Judged, task: &Task) -> (Parameters, String) {
    let (parameters, body) = match &linkage.shape {
        Shape::FourBar(d) => four_bar(linkage, *d, judged),
        Shape::SliderCrank(direction) => slider_crank(linkage, *direction, judged),
        Shape::SixBar(d, g, f) => six_bar(linkage, *d, (*g, f[0]), judged),
        Shape::Spherical(s) => spherical(s, judged, task),
    };
    let mut text = format!("name = {}\nabout = {}\n", quoted(name), quoted(&about(linkage, judged)));
    if !matches!(linkage.shape, Shape::Spherical(_)) {
        text += "planar = true\n";
    }
    text += "\n[parameters]\n";
    for (name, value) in &parameters {
        let _ = writeln!(text, "{name} = {}", number(*value));
    }
    text += &body;
    let legs = legs(linkage, judged);
    let _ = write!(text, "\n[run]\nanalysis = \"kinematics\"\nend = {}\nsteps = {}\n", legs, legs * STEPS);
    text += &refinement(linkage, judged, task, &parameters);
    (parameters, text)
}

fn quoted(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c == '"' || c == '\\' || c.is_control() { '\'' } else { c }).collect();
    format!("\"{plain}\"")
}

fn number(x: f64) -> String {
    format!("{:?}", if x == 0.0 { 0.0 } else { x })
}

fn about(linkage: &Linkage, judged: &Judged) -> String {
    let count = linkage.positions();
    let what = match linkage.shape {
        Shape::FourBar(_) => "Four-bar",
        Shape::SliderCrank(_) => "Slider-crank",
        Shape::SixBar(..) => "Six-bar of Stephenson's third kind",
        Shape::Spherical(_) => "Spherical four-bar",
    };
    let class = judged.class.map_or(String::new(), |c| format!(" ({c})"));
    let list: Vec<String> = judged.drive.iter().map(|(k, _)| (k + 1).to_string()).collect();
    let passed = match judged.drive.len() == count {
        true => format!("all {count} positions, one at each whole second"),
        false => format!(
            "positions {} of {count}, one at each whole second; the others lie on another branch",
            list.join(", ")
        ),
    };
    format!("{what}{class}; its input drives it through {passed}.")
}

/// Ways from position to position; round to the first again where the input can turn.
fn legs(linkage: &Linkage, judged: &Judged) -> usize {
    let own = judged.drive.len() - 1;
    (own + usize::from(round(linkage, judged).is_some())).max(1)
}

/// The angle that ends a whole turn, where the motion goes on to it.
fn round(linkage: &Linkage, judged: &Judged) -> Option<f64> {
    let (first, last) = (judged.drive.first()?.1, judged.drive.last()?.1);
    // The rod of a six-bar may not reach all the way round.
    let reaches = !matches!(linkage.shape, Shape::SixBar(..));
    let whole = reaches && judged.turns && judged.defects.is_empty() && judged.drive.len() == linkage.positions();
    (whole && (last - first).abs() < TAU).then(|| first + if last > first { TAU } else { -TAU })
}

/// The drive: from one position to the next in a second, at rest in each.
fn drive(linkage: &Linkage, judged: &Judged, begin: &str) -> String {
    let mut angles: Vec<f64> = judged.drive.iter().map(|d| d.1).collect();
    angles.extend(round(linkage, judged));
    let mut text = begin.to_string();
    for (k, w) in angles.windows(2).enumerate() {
        let _ = write!(text, " + ({})*smoothstep(t, {k}, {})", number(w[1] - w[0]), k + 1);
    }
    text
}

/// Places of the coupler's pins and of what it carries, in its own frame: B, C, P.
fn coupler(linkage: &Linkage) -> ([Complex; 2], Option<Complex>) {
    let (b, c) = (linkage.b[0], linkage.c[0]);
    let along = (c - b).times(1.0 / (c - b).norm());
    match &linkage.carried {
        Carried::Frame(frames) => {
            let (p, turn) = frames[0];
            ([b, c].map(|z| (z - p) * turn.conjugate()), None)
        }
        Carried::Point(points) => {
            ([b, c].map(|z| (z - b) * along.conjugate()), Some((points[0] - b) * along.conjugate()))
        }
        Carried::Nothing => ([b, c].map(|z| (z - b) * along.conjugate()), None),
    }
}

/// Parameters of the coupler, its points, and by how much the line from B to C is turned in its frame, as texts.
fn coupler_text(linkage: &Linkage, parameters: &mut Parameters) -> (String, String) {
    let ([b, c], p) = coupler(linkage);
    if matches!(linkage.carried, Carried::Frame(_)) {
        parameters.extend([("bx", b.re), ("by", b.im), ("cx", c.re), ("cy", c.im)]);
        let points = "B = [\"bx\", \"by\"], C = [\"cx\", \"cy\"]".into();
        return (
            points,
            "coupler = \"sqrt((cx - bx)^2 + (cy - by)^2)\"\nturned = \"atan2(cy - by, cx - bx)\"\n".into(),
        );
    }
    parameters.push(("coupler", c.re));
    let own = "bx = 0\nby = 0\nturned = 0\n".to_string();
    match p {
        Some(p) => {
            parameters.extend([("px", p.re), ("py", p.im)]);
            ("B = [0, 0], C = [\"coupler\", 0], P = [\"px\", \"py\"]".into(), own)
        }
        None => ("B = [0, 0], C = [\"coupler\", 0]".into(), own),
    }
}

fn four_bar(linkage: &Linkage, d: Complex, judged: &Judged) -> (Parameters, String) {
    let lengths = linkage.lengths();
    let mut parameters: Parameters = vec![("crank", lengths[0])];
    let (points, derived) = coupler_text(linkage, &mut parameters);
    let branch = if linkage.sides()[0] < 0.0 { 1.0 } else { -1.0 };
    parameters.extend([
        ("rocker", lengths[2]),
        ("ground", lengths[3]),
        ("x0", linkage.a.re),
        ("y0", linkage.a.im),
        ("tilt", angle(d - linkage.a)),
        ("start", judged.drive[0].1),
        ("branch", branch),
    ]);
    let value = drive(linkage, judged, "tilt + start");
    let body = format!(
        r#"# Position of the drawing: the crank's end, from there to the far pivot, and the coupler's angle by the law of cosines.
{derived}ex = "x0 + crank*cos(tilt + start)"
ey = "y0 + crank*sin(tilt + start)"
dx = "x0 + ground*cos(tilt) - ex"
dy = "y0 + ground*sin(tilt) - ey"
d = "sqrt(dx^2 + dy^2)"
line = "atan2(dy, dx) + branch*acos((coupler^2 + d^2 - rocker^2)/(2*coupler*d))"
out = "atan2(ey + coupler*sin(line) - y0 - ground*sin(tilt), ex + coupler*cos(line) - x0 - ground*cos(tilt))"
frame = "line - turned"

[bodies.crank]
points = {{ A = [0, 0], B = ["crank", 0] }}
pose = {{ at = ["x0", "y0"], angle = "tilt + start" }}

[bodies.coupler]
points = {{ {points} }}
pose = {{ at = ["ex - bx*cos(frame) + by*sin(frame)", "ey - bx*sin(frame) - by*cos(frame)"], angle = "frame" }}

[bodies.rocker]
points = {{ D = [0, 0], C = ["rocker", 0] }}
pose = {{ at = ["x0 + ground*cos(tilt)", "y0 + ground*sin(tilt)"], angle = "out" }}

[joints.A]
type = "revolute"
bodies = ["ground", "crank"]
at = [["x0", "y0"], "A"]

[joints.B]
type = "revolute"
bodies = ["crank", "coupler"]
at = ["B", "B"]

[joints.C]
type = "revolute"
bodies = ["coupler", "rocker"]
at = ["C", "C"]

[joints.D]
type = "revolute"
bodies = ["ground", "rocker"]
at = [["x0 + ground*cos(tilt)", "y0 + ground*sin(tilt)"], "D"]

[drivers.motor]
joint = "A"
value = "{value}"
"#
    );
    (parameters, body)
}

fn slider_crank(linkage: &Linkage, direction: Complex, judged: &Judged) -> (Parameters, String) {
    let lengths = linkage.lengths();
    let mut parameters: Parameters = vec![("crank", lengths[0])];
    let (points, derived) = coupler_text(linkage, &mut parameters);
    let points = points.replace("coupler", "rod");
    parameters.iter_mut().filter(|p| p.0 == "coupler").for_each(|p| p.0 = "rod");
    let derived = derived.replace("coupler", "rod");
    let offset = super::cross(direction, linkage.c[0] - linkage.a);
    let branch = if linkage.sides()[0] > 0.0 { 1.0 } else { -1.0 };
    parameters.extend([
        ("offset", offset),
        ("x0", linkage.a.re),
        ("y0", linkage.a.im),
        ("tilt", angle(direction)),
        ("start", judged.drive[0].1),
        ("branch", branch),
    ]);
    let value = drive(linkage, judged, "tilt + start");
    let body = format!(
        r#"# Position of the drawing: along the guide, from the foot of the crank's pivot on it.
{derived}rise = "offset - crank*sin(start)"
run_ = "branch*sqrt(rod^2 - rise^2)"
slide = "crank*cos(start) + run_"
line = "tilt + atan2(rise, run_)"
frame = "line - turned"
ex = "x0 + crank*cos(tilt + start)"
ey = "y0 + crank*sin(tilt + start)"
fx = "x0 - offset*sin(tilt)"
fy = "y0 + offset*cos(tilt)"

[bodies.crank]
points = {{ A = [0, 0], B = ["crank", 0] }}
pose = {{ at = ["x0", "y0"], angle = "tilt + start" }}

[bodies.coupler]
points = {{ {points} }}
pose = {{ at = ["ex - bx*cos(frame) + by*sin(frame)", "ey - bx*sin(frame) - by*cos(frame)"], angle = "frame" }}

[bodies.slider]
points = {{ C = [0, 0] }}
pose = {{ at = ["fx + slide*cos(tilt)", "fy + slide*sin(tilt)"] }}

[joints.A]
type = "revolute"
bodies = ["ground", "crank"]
at = [["x0", "y0"], "A"]

[joints.B]
type = "revolute"
bodies = ["crank", "coupler"]
at = ["B", "B"]

[joints.C]
type = "revolute"
bodies = ["coupler", "slider"]
at = ["C", "C"]

[joints.guide]
type = "prismatic"
bodies = ["ground", "slider"]
at = [["fx", "fy"], "C"]
axis = [["cos(tilt)", "sin(tilt)"], ["cos(tilt)", "sin(tilt)"]]

[drivers.motor]
joint = "A"
value = "{value}"
"#
    );
    (parameters, body)
}

fn six_bar(linkage: &Linkage, d: Complex, (g, f): (Complex, Complex), judged: &Judged) -> (Parameters, String) {
    let (mut parameters, text) = four_bar(linkage, d, judged);
    let e = match &linkage.carried {
        Carried::Point(points) => points[0],
        _ => linkage.c[0],
    };
    parameters.extend([
        ("gx", g.re),
        ("gy", g.im),
        ("arm", (f - g).norm()),
        ("arm_angle", angle(f - g)),
        ("rod", (e - f).norm()),
    ]);
    let rod = angle(e - f);
    let more = format!(
        r#"
# The output: an arm about G, held by a rod at the coupler's point P.
[bodies.arm]
points = {{ G = [0, 0], F = ["arm", 0] }}
pose = {{ at = ["gx", "gy"], angle = "arm_angle" }}

[bodies.rod]
points = {{ F = [0, 0], P = ["rod", 0] }}
pose = {{ at = ["gx + arm*cos(arm_angle)", "gy + arm*sin(arm_angle)"], angle = {} }}

[joints.G]
type = "revolute"
bodies = ["ground", "arm"]
at = [["gx", "gy"], "G"]

[joints.F]
type = "revolute"
bodies = ["arm", "rod"]
at = ["F", "F"]

[joints.P]
type = "revolute"
bodies = ["coupler", "rod"]
at = ["P", "P"]
"#,
        number(rod)
    );
    (parameters, text + &more)
}

fn spherical(s: &Spherical, judged: &Judged, task: &Task) -> (Parameters, String) {
    let arcs = s.arcs();
    let parameters: Parameters = ["crank", "coupler", "rocker", "ground"].into_iter().zip(arcs).collect();
    let [a, d] = s.fixed;
    let vector = |v: [f64; 3]| format!("[{}]", v.map(number).join(", "));
    let pose = match task {
        Task::Orientations(list) => format!("pose = {{ rpy = {} }}\n", vector(list[judged.drive[0].0])),
        _ => String::new(),
    };
    let mut value = "0".to_string();
    for (k, w) in judged.drive.windows(2).enumerate() {
        let _ = write!(value, " + ({})*smoothstep(t, {k}, {})", number(w[1].1 - w[0].1), k + 1);
    }
    let mut text = String::from(
        "# Arcs between neighbouring axes. Axes and bodies stand as in the first position; angles are counted from it.\n",
    );
    let _ = write!(text, "\n[bodies.crank]\n\n[bodies.coupler]\n{pose}\n[bodies.rocker]\n");
    let joint = |name: &str, bodies: [&str; 2], axis: [f64; 3]| {
        let (at, [first, second]) = (vector(axis), bodies);
        format!(
            "\n[joints.{name}]\ntype = \"revolute\"\nbodies = [\"{first}\", \"{second}\"]\nat = {at}\naxis = {at}\n"
        )
    };
    text += &joint("A", ["ground", "crank"], a);
    text += &joint("B", ["crank", "coupler"], s.b[0]);
    text += &joint("C", ["coupler", "rocker"], s.c[0]);
    text += &joint("D", ["ground", "rocker"], d);
    let _ = write!(text, "\n[drivers.motor]\njoint = \"A\"\nvalue = \"{value}\"\n");
    (parameters, text)
}

/// What `optimise` varies and fits: lengths within a fifth, the positions at their times.
fn refinement(linkage: &Linkage, judged: &Judged, task: &Task, parameters: &Parameters) -> String {
    if judged.drive.len() != linkage.positions() || matches!(linkage.shape, Shape::Spherical(_)) {
        return String::new();
    }
    let lengths = ["crank", "coupler", "rocker", "ground", "rod", "arm"];
    let vary: Vec<String> = parameters
        .iter()
        .filter(|p| lengths.contains(&p.0))
        .map(|(name, x)| format!("{name} = [{}, {}]", number(x * (1.0 - AROUND)), number(x * (1.0 + AROUND))))
        .collect();
    let row = |numbers: &[f64]| format!("[{}]", numbers.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", "));
    let (signals, rows): (&str, Vec<String>) = match (task, &linkage.shape) {
        (Task::Path(points, _), _) => ("\"coupler.P.x\", \"coupler.P.y\"", points.iter().map(|p| row(p)).collect()),
        (Task::Motion(poses), _) => ("\"coupler.x\", \"coupler.y\"", poses.iter().map(|p| row(&p.at)).collect()),
        (Task::Function(pairs), Shape::SliderCrank(direction)) => {
            let first = ((linkage.c[0] - linkage.a) * direction.conjugate()).re;
            ("\"guide.slide\"", pairs.iter().map(|p| row(&[first + p[1] - pairs[0][1]])).collect())
        }
        _ => return String::new(),
    };
    let times: Vec<String> = (0..rows.len()).map(|k| format!("{k}")).collect();
    format!(
        "\n# Refined further by biela optimise: more points, measures or limits beside these.\n[optimise]\nvary = {{ {} }}\n\n[optimise.fit.task]\nsignals = [{signals}]\nt = [{}]\npoints = [{}]\n",
        vary.join(", "),
        times.join(", "),
        rows.join(", ")
    )
}
