//! How far drivers go: against closed forms, and Grashof's rule against what is found by moving.

mod common;

use biela::solve::range::{range, Class, Range, Reason};
use common::parse;
use std::f64::consts::PI;

/// What ends are known to: the contract's own figure.
const ENDS: f64 = 1e-9;

/// Four pivots; poses follow from where the coupler's end is, on the side of the sign.
fn four_bar([crank, coupler, rocker, base]: [f64; 4], at: f64, side: f64, more: &str) -> String {
    let (bx, by) = (crank * at.cos(), crank * at.sin());
    let (dx, dy) = (base - bx, -by);
    let d = dx.hypot(dy);
    let along = (coupler * coupler - rocker * rocker + d * d) / (2.0 * d);
    let up = side * (coupler * coupler - along * along).sqrt();
    let (cx, cy) = (bx + (along * dx - up * dy) / d, by + (along * dy + up * dx) / d);
    let (psi, phi) = ((cy - by).atan2(cx - bx), cy.atan2(cx - base));
    format!(
        r#"
name = "four-bar"
[bodies.crank]
points = {{ A = [0, 0, 0], B = [{crank:?}, 0, 0] }}
pose = {{ angle = {at:?}, axis = [0, 0, 1] }}
[bodies.coupler]
points = {{ B = [0, 0, 0], C = [{coupler:?}, 0, 0] }}
pose = {{ at = [{bx:?}, {by:?}, 0], angle = {psi:?}, axis = [0, 0, 1] }}
[bodies.rocker]
points = {{ D = [0, 0, 0], C = [{rocker:?}, 0, 0] }}
pose = {{ at = [{base:?}, 0, 0], angle = {phi:?}, axis = [0, 0, 1] }}
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], "A"]
axis = [0, 0, 1]
[joints.B]
type = "revolute"
bodies = ["crank", "coupler"]
at = ["B", "B"]
axis = [0, 0, 1]
[joints.C]
type = "revolute"
bodies = ["coupler", "rocker"]
at = ["C", "C"]
axis = [0, 0, 1]
[joints.D]
type = "revolute"
bodies = ["ground", "rocker"]
at = [[{base:?}, 0, 0], "D"]
axis = [0, 0, 1]
{more}
[drivers.motor]
joint = "O"
value = "{at:?} + 0.3*sin(t)"
"#
    )
}

fn found(text: &str, driver: Option<&str>) -> Range {
    range(&parse(text), driver).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn ends(range: &Range) -> [f64; 2] {
    [&range.lower, &range.upper].map(|b| b.value.unwrap_or_else(|| panic!("no end: {range:?}")))
}

/// The angle between two sides of a triangle.
fn between(a: f64, b: f64, opposite: f64) -> f64 {
    ((a * a + b * b - opposite * opposite) / (2.0 * a * b)).acos()
}

#[test]
fn a_triple_rocker_ends_where_coupler_and_rocker_lie_in_line() {
    for lengths in [[3.0, 2.5, 2.0, 4.0], [0.3, 0.25, 0.2, 0.4], [3e3, 2.5e3, 2e3, 4e3]] {
        let [crank, coupler, rocker, base] = lengths;
        let limit = between(crank, base, coupler + rocker);
        for side in [1.0, -1.0] {
            let range = found(&four_bar(lengths, 0.4, side, ""), None);
            let [lower, upper] = ends(&range);
            assert!((lower + limit).abs() < ENDS && (upper - limit).abs() < ENDS, "{lower} {upper} {limit}");
            assert_eq!((range.lower.reason, range.upper.reason), (Reason::Singular, Reason::Singular));
            assert_eq!((range.full_turn, range.class), (false, Some(Class::TripleRocker)));
        }
    }
}

#[test]
fn a_rocker_that_is_driven_ends_where_crank_and_coupler_lie_in_line() {
    // Crank 1, coupler 3.5, rocker 3, base 4: crank and coupler in line, stretched and folded.
    let lengths = [1.0, 3.5, 3.0, 4.0];
    let whole = found(&four_bar(lengths, 0.9, 1.0, ""), None);
    assert!(whole.full_turn && whole.lower.value.is_none() && whole.upper.value.is_none());
    assert_eq!((whole.lower.reason, whole.class), (Reason::None, Some(Class::CrankRocker)));
    for side in [1.0, -1.0] {
        for name in ["D", "D.angle"] {
            let range = found(&four_bar(lengths, 0.9, side, ""), Some(name));
            let [lower, upper] = ends(&range);
            let [out, folded] = [4.5, 2.5].map(|reach| PI - between(4.0, 3.0, reach));
            let due = if side > 0.0 { [out, folded] } else { [-folded, -out] };
            assert!((lower - due[0]).abs() < ENDS && (upper - due[1]).abs() < ENDS, "{lower} {upper} {due:?}");
            assert_eq!((range.class, range.driver.as_str()), (Some(Class::RockerCrank), name));
        }
    }
}

/// Grashof's rule against moving: of many four-bars the driven link turns all the way round where the rule says so, and ends elsewhere at
/// the angles of the triangle that the stretched or folded dyad makes.
#[test]
fn grashofs_rule_is_what_moving_shows() {
    let mut stream = common::Stream(11);
    let mut seen = [0; 5];
    let mut tried = 0;
    while seen.iter().any(|n| *n < 3) {
        tried += 1;
        assert!(tried < 2000, "{seen:?}");
        let lengths = [0; 4].map(|_| 1.0 + 0.8 * stream.next());
        let [crank, coupler, rocker, base] = lengths;
        let at = 0.3 + 2.0 * stream.next().abs();
        let d = (crank * crank + base * base - 2.0 * crank * base * at.cos()).sqrt();
        let slack = (coupler + rocker - d).min(d - (coupler - rocker).abs());
        let class = Class::of([base, crank, coupler, rocker]);
        let place = Class::ALL.iter().position(|c| c.1 == class).expect("a class");
        // Positions next to a dead centre, or mechanisms next to a change point, and those seen often enough.
        let sorted = |f: fn(f64, f64) -> f64| lengths.into_iter().fold(lengths[0], f);
        let excess = 2.0 * (sorted(f64::min) + sorted(f64::max)) - lengths.iter().sum::<f64>();
        if slack.is_nan() || slack <= 0.1 || excess.abs() < 0.05 || seen[place] >= 3 {
            continue;
        }
        seen[place] += 1;
        let range = found(&four_bar(lengths, at, 1.0, ""), None);
        assert_eq!(range.class, Some(class));
        let turns = matches!(class, Class::CrankRocker | Class::DoubleCrank);
        assert_eq!(range.full_turn, turns, "{lengths:?} {class:?}");
        if turns {
            continue;
        }
        // d is longest where the dyad is stretched, shortest where it is folded.
        let limit = |reach: f64| {
            let cosine = (crank * crank + base * base - reach * reach) / (2.0 * crank * base);
            (cosine.abs() < 1.0).then(|| cosine.acos())
        };
        let (most, least) = (limit(coupler + rocker), limit((coupler - rocker).abs()));
        let upper = most.unwrap_or_else(|| 2.0 * PI - least.expect("an end"));
        let lower = least.unwrap_or_else(|| -most.expect("an end"));
        let got = ends(&range);
        assert!((got[0] - lower).abs() < ENDS && (got[1] - upper).abs() < ENDS, "{lengths:?}: {got:?} {lower} {upper}");
    }
}

#[test]
fn a_change_point_does_not_end_the_range() {
    let range = found(&four_bar([1.0, 2.0, 1.0, 2.0], 1.0, 1.0, ""), None);
    assert_eq!((range.class, range.full_turn), (Some(Class::ChangePoint), true), "{range:?}");
}

fn slider_crank([crank, rod, offset]: [f64; 3], at: f64, driver: &str, more: &str) -> String {
    let (bx, by) = (crank * at.cos(), crank * at.sin());
    let x = bx + (rod * rod - (by - offset).powi(2)).sqrt();
    let psi = (offset - by).atan2(x - bx);
    format!(
        r#"
name = "slider-crank"
[bodies.crank]
points = {{ A = [0, 0, 0], B = [{crank:?}, 0, 0] }}
pose = {{ angle = {at:?}, axis = [0, 0, 1] }}
[bodies.rod]
points = {{ B = [0, 0, 0], C = [{rod:?}, 0, 0] }}
pose = {{ at = [{bx:?}, {by:?}, 0], angle = {psi:?}, axis = [0, 0, 1] }}
[bodies.piston]
points = {{ C = [0, 0, 0] }}
pose = {{ at = [{x:?}, {offset:?}, 0] }}
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], "A"]
axis = [0, 0, 1]
[joints.B]
type = "revolute"
bodies = ["crank", "rod"]
at = ["B", "B"]
axis = [0, 0, 1]
[joints.C]
type = "revolute"
bodies = ["rod", "piston"]
at = ["C", "C"]
axis = [0, 0, 1]
[joints.guide]
type = "prismatic"
bodies = ["ground", "piston"]
at = [[0, {offset:?}, 0], "C"]
axis = [1, 0, 0]
{more}
[drivers.motor]
{driver}
"#
    )
}

#[test]
fn a_slider_crank_turns_and_its_slider_has_the_stroke_of_the_triangle() {
    let lengths = [2.0, 3.5, 0.4];
    let turning = found(&slider_crank(lengths, 0.8, "joint = \"O\"\nvalue = \"0.8 + t\"", ""), None);
    assert!(turning.full_turn && turning.class.is_none());
    // Crank and rod in line: the hypotenuse over the offset.
    let [least, most] = [1.5f64, 5.5].map(|reach| (reach * reach - 0.4 * 0.4).sqrt());
    let x = 2.0 * 0.8f64.cos() + (3.5f64 * 3.5 - (2.0 * 0.8f64.sin() - 0.4).powi(2)).sqrt();
    let driven = found(&slider_crank(lengths, 0.8, &format!("joint = \"guide\"\nvalue = {x:?}"), ""), Some("motor"));
    let [lower, upper] = ends(&driven);
    assert!((lower - least).abs() < ENDS && (upper - most).abs() < ENDS, "{lower} {upper} against {least} {most}");
    assert!(!driven.angle && !driven.full_turn && driven.upper.reason == Reason::Singular);
    // The same by the name of the coordinate, in a model whose crank is driven.
    let swapped = found(&slider_crank(lengths, 0.8, "joint = \"O\"\nvalue = \"0.8 + t\"", ""), Some("guide.slide"));
    assert!(ends(&swapped).iter().zip([least, most]).all(|(a, b)| (a - b).abs() < ENDS), "{swapped:?}");
}

#[test]
fn limits_of_any_joint_end_a_range() {
    let lengths = [2.0, 3.5, 0.0];
    let drive = "joint = \"O\"\nvalue = 0.8";
    let model = |more: &str| {
        slider_crank(lengths, 0.8, drive, "").replace("axis = [1, 0, 0]", &format!("axis = [1, 0, 0]\n{more}"))
    };
    // The piston at x: the crank's angle by the law of cosines.
    let at = |x: f64| between(2.0, x, 3.5);
    let range = found(&model("limits = { lower = 2.0, upper = 5.0 }"), None);
    let [lower, upper] = ends(&range);
    assert!((lower - at(5.0)).abs() < ENDS && (upper - at(2.0)).abs() < ENDS, "{lower} {upper}");
    assert_eq!((range.lower.reason, range.upper.reason, range.full_turn), (Reason::Limit, Reason::Limit, false));
    assert!(range.lower.detail.contains("upper limit of guide.slide"), "{range:?}");
    // A limit that the motion barely touches inside a step: the dead centre is at 5.5.
    let touched = found(&model("limits = { upper = 5.4999 }"), None);
    assert!((ends(&touched)[0] - at(5.4999)).abs() < 1e-8, "{touched:?}");
    let passed = found(&model("limits = { upper = 5.5001 }"), None);
    assert!(passed.full_turn, "{passed:?}");
    // The driven joint's own.
    let own = slider_crank(lengths, 0.8, drive, "").replacen(
        "axis = [0, 0, 1]\n[joints.B]",
        "axis = [0, 0, 1]\nlimits = { lower = -10, upper = 1.5 }\n[joints.B]",
        1,
    );
    let range = found(&own, None);
    assert_eq!(ends(&range), [-10.0, 1.5]);
    assert_eq!((range.lower.reason, range.upper.reason, range.full_turn), (Reason::Limit, Reason::Limit, false));
    // Beyond a limit from the start.
    let told = biela::solve::range::range(&parse(&model("limits = { upper = 3.0 }")), None).unwrap_err().to_string();
    assert!(told.contains("joint 'guide'") && told.contains("beyond its limit 3"), "{told}");
}

/// A rod between two balls, crank about z and rocker about an axis across: the crank's ends solve |p(θ) − c(φ)| = l with
/// d/dφ = 0, which for a rocker about y through (b, 0, 0) is a scalar equation.
#[test]
fn a_spatial_linkage_ends_where_its_rod_and_rocker_are_in_line() {
    // Crank a about z at the origin: P = a (cos θ, sin θ, 0). Rocker c about the x-parallel axis through (0, b, 0):
    // Q = (0, b + c cos φ, c sin φ). |P − Q|² = a² + b² + c² − 2 a b sin θ + 2 c (b − a sin θ) cos φ, so the rod of length l closes while
    // |l² − a² − b² − c² + 2 a b sin θ| ≤ 2 c |b − a sin θ|.
    let (a, b, c, l): (f64, f64, f64, f64) = (1.0, 2.0, 1.2, 1.6);
    // With u = b − a sin θ > 0 and k = l² − a² − b² − c² + 2 b²: k − 2 b u = ± 2 c u, so u = k / (2 (b ± c)).
    let k = l * l - a * a - b * b - c * c + 2.0 * b * b;
    let sines: Vec<f64> = [b + c, b - c].iter().map(|s| (b - k / (2.0 * s)) / a).filter(|s| s.abs() < 1.0).collect();
    assert!(!sines.is_empty(), "an end there is");
    let at: f64 = 0.9;
    let cosine = (l * l - a * a - b * b - c * c + 2.0 * a * b * at.sin()) / (2.0 * c * (b - a * at.sin()));
    let phi = cosine.acos();
    let (q, p) = ([0.0, b + c * phi.cos(), c * phi.sin()], [a * at.cos(), a * at.sin(), 0.0]);
    let text = format!(
        r#"
name = "rssr"
[bodies.crank]
points = {{ P = [{a:?}, 0, 0] }}
pose = {{ angle = {at:?}, axis = [0, 0, 1] }}
[bodies.rocker]
points = {{ Q = [0, {c:?}, 0] }}
pose = {{ at = [0, {b:?}, 0], angle = {phi:?}, axis = [1, 0, 0] }}
[bodies.rod]
points = {{ P = [0, 0, 0], Q = [{:?}, {:?}, {:?}] }}
pose = {{ at = {p:?} }}
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [[0, 0, 1], [0, 0, 1]]
[joints.D]
type = "revolute"
bodies = ["ground", "rocker"]
at = [[0, {b:?}, 0], [0, 0, 0]]
axis = [[1, 0, 0], [1, 0, 0]]
[joints.P]
type = "spherical"
bodies = ["crank", "rod"]
at = ["P", "P"]
[joints.Q]
type = "spherical"
bodies = ["rocker", "rod"]
at = ["Q", "Q"]
[drivers.motor]
joint = "O"
value = {at:?}
"#,
        q[0] - p[0],
        q[1] - p[1],
        q[2] - p[2]
    );
    let range = found(&text, None);
    let mut due: Vec<f64> =
        sines.iter().flat_map(|s| [s.asin(), PI - s.asin(), s.asin() - 2.0 * PI, -PI - s.asin()]).collect();
    due.sort_by(f64::total_cmp);
    let upper = due.iter().copied().find(|x| *x > at).expect("an end above");
    let lower = due.iter().rev().copied().find(|x| *x < at).expect("an end below");
    let got = ends(&range);
    assert!((got[0] - lower).abs() < ENDS && (got[1] - upper).abs() < ENDS, "{got:?} against {lower} {upper}");
    assert_eq!((range.class, range.upper.reason), (None, Reason::Singular));
}

#[test]
fn slides_without_end_and_wrong_names_are_told() {
    let cart = r#"
[bodies.cart]
[joints.rail]
type = "prismatic"
bodies = ["ground", "cart"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [[1, 0, 0], [1, 0, 0]]
[drivers.push]
joint = "rail"
value = "t"
"#;
    let range = found(cart, None);
    assert_eq!((range.lower.value, range.upper.value, range.full_turn), (None, None, false));
    assert_eq!(range.json()["upper_reason"], "none");
    let told = biela::solve::range::range(&parse(cart), Some("pusch")).unwrap_err().to_string();
    assert!(told.contains("no driver and no joint coordinate 'pusch'") && told.contains("'push'?"), "{told}");
    let free = cart.replace("[drivers.push]\njoint = \"rail\"\nvalue = \"t\"\n", "");
    let told = biela::solve::range::range(&parse(&free), None).unwrap_err().to_string();
    assert!(told.contains("no driver") && told.contains("--driver JOINT"), "{told}");
    assert_eq!(found(&free, Some("rail")).driver, "rail");
}

/// A four-bar inside a larger mechanism, its frame of two bodies welded together: the class is that of the loop.
#[test]
fn a_four_bar_is_known_wherever_it_is() {
    let text = four_bar([1.0, 3.5, 3.0, 4.0], 0.9, 1.0, "")
        .replace("bodies = [\"ground\", \"crank\"]", "bodies = [\"bed\", \"crank\"]")
        .replace("bodies = [\"ground\", \"rocker\"]", "bodies = [\"plate\", \"rocker\"]");
    let text = text.replace(
        "[drivers.motor]",
        "[bodies.bed]\n[bodies.plate]\n[joints.table]\ntype = \"prismatic\"\nbodies = [\"ground\", \"bed\"]\naxis = [0, 1, 0]\nat = [0, 0, 0]\n\
         [joints.weld]\ntype = \"fixed\"\nbodies = [\"bed\", \"plate\"]\n[drivers.lift]\njoint = \"table\"\nvalue = \"t\"\n[drivers.motor]",
    );
    let range = found(&text, Some("motor"));
    assert_eq!((range.class, range.full_turn), (Some(Class::CrankRocker), true));
    let told = biela::solve::range::range(&parse(&text), None).unwrap_err().to_string();
    assert!(told.contains("which driver? There are lift, motor"), "{told}");
}

#[test]
fn a_mechanism_drawn_in_a_dead_centre_has_the_range_of_any_other_drawing() {
    // Stretched out: the slide stands at its greatest value, and the crank turns it back either way.
    let [least, most] = [3.5 - 2.0, 3.5 + 2.0];
    let stretched = |driver: &str| slider_crank([2.0, 3.5, 0.0], 0.0, driver, "");
    let crank = stretched("joint = \"O\"\nvalue = \"t\"");
    for (text, name) in [
        (crank.clone(), Some("guide")),
        (crank.clone(), Some("guide.slide")),
        (stretched(&format!("joint = \"guide\"\nvalue = {most:?}")), None),
        (crank.replace("[drivers.motor]\njoint = \"O\"\nvalue = \"t\"", ""), Some("guide")),
    ] {
        let range = found(&text, name);
        let [lower, upper] = ends(&range);
        assert!((lower - least).abs() < ENDS && (upper - most).abs() < ENDS, "{name:?}: {range:?}");
        assert_eq!((range.lower.reason, range.upper.reason), (Reason::Singular, Reason::Singular), "{name:?}");
        assert!((range.here - most).abs() < ENDS && range.driver == name.unwrap_or("motor"), "{range:?}");
    }
    let limited = crank.replace("axis = [1, 0, 0]", "axis = [1, 0, 0]\nlimits = { lower = 3.0 }");
    let range = found(&limited, Some("guide"));
    assert_eq!((ends(&range)[0], range.lower.reason), (3.0, Reason::Limit));
    // With two freedoms too many drivers stay too many.
    let over = crank + "[drivers.second]\njoint = \"B\"\nvalue = 0\n";
    assert!(biela::solve::range::range(&parse(&over), Some("guide")).is_err());
}
