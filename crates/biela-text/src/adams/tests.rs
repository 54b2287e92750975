//! What decks may look like, and what functions come to.

use super::deck::Text;
use super::function::{self, Expression};
use super::*;
use crate::nodes::probe::{assert_near, flat, keys, words};
use std::f64::consts::PI;

/// A few operations.
const ROUNDING: f64 = 1e-15;

fn tree(deck: &str) -> (Table, Vec<String>) {
    let found = read(&Source::new("test.adm", deck), false).unwrap_or_else(|e| panic!("{e}"));
    (found.tree, found.warnings)
}

fn function_of(text: &str) -> Expression {
    let span = Span::new(&Source::new("f", text), 0..text.len());
    function::read(&Text { text: text.into(), span }).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn value(text: &str, t: f64) -> f64 {
    function_of(text).value(Some(t)).unwrap_or_else(|| panic!("{text} has no value"))
}

#[test]
fn statements_go_on_in_other_lines_and_words_are_cut_short() {
    let (tree, told) = tree(
        "the title ! is no statement\n! adams_view_name='left arm'\nPART/2, MASS=1, &\n  CM=3\n, IP = 1,\n, 1, 1\nMARK/3 ; PART/1, GROU\nACC/KG=-9.8\nREQ/1, D, I=3\nEND\nnonsense",
    );
    assert_eq!(words(&tree, &["name"]), ["the title"]);
    assert_eq!(keys(&tree, &["bodies"]), ["left_arm"]);
    assert_eq!(flat(&tree, &["bodies", "left_arm", "inertia"]), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(flat(&tree, &["gravity"]), [0.0, 0.0, -9.8]);
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn every_way_to_turn_a_marker_comes_to_the_same() {
    // z along (1, 1, 0), x in the plane of that and of z.
    let ways = [
        "REULER = 135D, 90D, 90D",
        "EULER = 135, 90, 90",
        "EU = 135D, 90, 90d",
        "ZP = 1, 1, 0, XP = 0, 0, 1",
        "USEXP, XP = 0, 0, 1, ZP = 1, 1, 5",
    ];
    for way in ways {
        let deck = format!("t\nPART/1, GROUND\nPART/2, MASS=1, CM=3, IP=1,2,3\nMARKER/3, {way}\nEND");
        let (tree, _) = tree(&deck);
        // The inertia shows the axes: 3 about z, 1 about x.
        let wanted = [2.5, 2.5, 1.0, 0.5, 0.0, 0.0];
        assert_near(&flat(&tree, &["bodies", "PART_2", "inertia"]), &wanted, 8.0 * ROUNDING);
    }
}

#[test]
fn products_of_inertia_are_integrals_and_may_stand_about_another_marker() {
    let (tree, _) =
        tree("t\nPART/1, GROUND\nPART/2, MASS=2, CM=3, IM=4, IP=10,10,10,1,2,3\nMARKER/3, QP=1,0,0\nMARKER/4\nEND");
    // About the centre: less 2 kg times the square of a metre, about y and z.
    assert_near(&flat(&tree, &["bodies", "PART_2", "inertia"]), &[10.0, 8.0, 8.0, -1.0, -2.0, -3.0], ROUNDING);
}

#[test]
fn functions_have_the_values_of_their_definitions() {
    assert_near(&[value("30.0d*time", 2.0)], &[PI / 3.0], ROUNDING);
    assert_eq!(value("-2**2 + 6/3*2", 0.0), 0.0);
    assert_eq!(value("IF(time-1: 5, 6, 7)", 0.5), 5.0);
    assert_eq!(value("1.5E-001*RTOD*DTOR + .5", 0.0), 0.65);
    for bad in ["sin(", "2*", "foo", "1 + (2", "3 4"] {
        let span = Span::new(&Source::new("f", bad), 0..bad.len());
        assert!(function::read(&Text { text: bad.into(), span }).is_err(), "{bad}");
    }
}

#[test]
fn functions_go_on_in_other_lines() {
    let ways = [
        "IF(time:\n, 1,2,\n, 3)*4\n, + 5",
        "IF(time:1,2\n,3)\n,*4 + 5",
        "IF(time:1,2,3)*4 + &\n 5",
        "IF(time ! a comment\n,:1,\n! another\n,2,3)*4+5",
    ];
    for way in ways {
        let deck = format!("t\nPART/1, GROUND\nPART/2\nMARKER/1, PART=1\nMARKER/2, PART=2\nJOINT/1, REVOLUTE, I=2, J=1\nMOTION/1, JOINT=1, FUNC={way}\nEND");
        let (tree, told) = tree(&deck);
        assert!(told.is_empty(), "{told:?}");
        let law = words(&tree, &["drivers", "MOTION_1", "value"]).remove(0);
        assert_eq!(law, "(if(t < 0, 1.0, if(t == 0, 2.0, 3.0))*4.0 + 5.0)", "{way}");
    }
}

/// The value of a function as the model file writes it.
fn written_value(e: &Expression, t: f64) -> f64 {
    let text = e.written("time", 100_000, &mut |_, _| panic!("no markers")).unwrap_or_else(|e| panic!("{e}"));
    value(&text.replace('^', "**").replace("(0 - ", "(-").to_uppercase(), t)
}

#[test]
fn impact_and_stops_push_as_they_are_defined() {
    // k (x1 − x)^e less damping that grows with the depth, never below 0.
    let step = |s: f64| 10.0 * s * s * (3.0 - 2.0 * s);
    let cases = [
        ("IMPACT(time, -2, 1, 100, 1.5, 10, 0.05)", 0.9, 100.0 * 0.1_f64.powf(1.5) + 20.0),
        ("IMPACT(time, -2, 1, 100, 1.5, 10, 0.05)", 0.98, 100.0 * 0.02_f64.powf(1.5) + 2.0 * step(0.4)),
        ("IMPACT(time, 9, 1, 100, 1.5, 10, 0.05)", 0.9, 0.0),
        ("IMPACT(time, -2, 1, 100, 1.5, 10, 0.05)", 1.2, 0.0),
        ("BISTOP(time, -2, 1, 2, 100, 1.5, 10, 0.05)", 0.9, 100.0 * 0.1_f64.powf(1.5) + 20.0),
        ("BISTOP(time, 2, 1, 2, 100, 1.5, 10, 0.05)", 1.5, 0.0),
        ("BISTOP(time, 2, 1, 2, 100, 1.5, 10, 0.05)", 2.02, -100.0 * 0.02_f64.powf(1.5) - 2.0 * step(0.4)),
        ("BISTOP(time, -9, 1, 2, 100, 1.5, 10, 0.05)", 2.1, 0.0),
    ];
    for (law, t, wanted) in cases {
        assert_near(&[written_value(&function_of(law), t)], &[wanted], 1e-12);
    }
}

#[test]
fn chebyshev_series_are_cosines_of_multiples() {
    for k in 0..=20 {
        let x = -1.0 + 0.1 * k as f64;
        let law = function_of("CHEBY(time, 0.5, 3, -2, 0.5, 0, 7, 1.25)");
        let cosine = |n: f64| (n * x.acos()).cos();
        let wanted = 3.0 - 2.0 * cosine(1.0) + 0.5 * cosine(2.0) + 7.0 * cosine(4.0) + 1.25 * cosine(5.0);
        // A few dozen products of numbers up to 20.
        assert_near(&[written_value(&law, x + 0.5)], &[wanted], 1e-12);
    }
}

#[test]
fn a_bushing_is_a_joint_of_springs_in_axes_of_j() {
    let (tree, told) = tree(
        "t\nUNITS/FORCE=N, MASS=KG, LENGTH=MM, TIME=SEC\nPART/1, GROUND\nMARKER/1, REULER=90D,0,0\nPART/2, MASS=1, CM=3, IP=1,1,1\nMARKER/3, QP=5,0,0\nBUSHING/7, I=3, J=1,\n, K=1,2,3, C=4,5,6, KT=7,8,9\n, CT=10,11,12, FORCE=13,14,15, TORQUE=16,17,18\nEND",
    );
    assert!(told.is_empty(), "{told:?}");
    let at = |key: &str| flat(&tree, &["joints", "BUSHING_7", key]);
    assert_eq!(words(&tree, &["joints", "BUSHING_7", "bodies"]), ["ground", "PART_2"]);
    assert_near(&at("stiffness"), &[1e3, 2e3, 3e3, 7e-3, 8e-3, 9e-3], 1e-12);
    assert_near(&at("damping"), &[4e3, 5e3, 6e3, 0.01, 0.011, 0.012], 1e-12);
    assert_near(&at("preload"), &[13.0, 14.0, 15.0, 0.016, 0.017, 0.018], 1e-12);
    assert_near(&at("x"), &[0.0, 1.0, 0.0, 1.0, 0.0, 0.0], ROUNDING);
}

#[test]
fn splines_pass_their_points_and_know_what_they_are_of() {
    use super::spline::{Curve, Method};
    let deck = |y: &str, more: &str| {
        let text = format!("t\nPART/1, GROUND\nSPLINE/7, X=-1,0,2,3,\n, 5, 6, Y={y}{more}\nEND");
        deck::read(&Source::new("test.adm", text), &mut Told::new(true)).unwrap_or_else(|e| panic!("{e}"))
    };
    let curve = |y: &str, more: &str, method| {
        Curve::read(&deck(y, more).statements[1], method).unwrap_or_else(|e| panic!("{e}"))
    };
    // x³ − x, which a cubic spline is; Akima's passes the points.
    let y = "0,0,6,24,120,210";
    let cube = curve(y, "", Method::Cubic);
    let akima = curve(y, "", Method::Akima);
    for k in 0..=70 {
        let x = -1.0 + 0.1 * k as f64;
        assert_near(&[cube.value(x), cube.slope().value(x)], &[x * x * x - x, 3.0 * x * x - 1.0], 1e-11);
        assert_near(&[cube.integrated().value(x)], &[(x.powi(4) - 1.0) / 4.0 - (x * x - 1.0) / 2.0], 1e-11);
        let along = |c: &std::sync::Arc<Curve>| Expression::Along(Expression::Time.into(), c.clone());
        assert_near(&[written_value(&along(&cube), x)], &[cube.value(x)], 1e-11);
        assert_near(&[written_value(&along(&akima), x)], &[akima.value(x)], 1e-11);
    }
    for (x, y) in [(-1.0, 0.0), (0.0, 0.0), (2.0, 6.0), (3.0, 24.0), (5.0, 120.0), (6.0, 210.0)] {
        assert_near(&[akima.value(x)], &[y], 1e-12);
    }
    // Akima's slope at 3: chords 3, 18, 48, 90 around it; the left one weighs as much as the right ones bend.
    assert_near(&[akima.slope().value(3.0)], &[(42.0 * 18.0 + 15.0 * 48.0) / 57.0], 1e-12);
    // A line is a line; beyond the points a parabola through three of them, or a line through two.
    let line = curve("-2,0,4,6,10,12", "", Method::Akima);
    assert_near(&[line.value(-7.0), line.value(1.3), line.value(9.0)], &[-14.0, 2.6, 18.0], 1e-12);
    let square = curve("1,0,4,9,25,36", "", Method::Akima);
    assert_near(&[square.value(-3.0), square.value(8.0)], &[9.0, 64.0], 1e-12);
    let straight = curve("1,0,4,9,25,36", ", LINEAR_EXTRAPOLATE", Method::Akima);
    assert_near(&[straight.value(-3.0), straight.value(8.0)], &[3.0, 58.0], 1e-12);
    // In a deck: a motion given as a velocity is the integral of its curve.
    let text = "t\nPART/1, GROUND\nPART/2\nMARKER/1, PART=1\nMARKER/2, PART=2\nJOINT/1, REVOLUTE, I=2, J=1\nSPLINE/7, X=-1,0,2,3,5,6, Y=0,0,6,24,120,210\nMOTION/1, JOINT=1, VELOCITY, FUNCTION=CUBSPL(time,0,7)";
    let (tree, told) = tree(text);
    assert!(told.is_empty(), "{told:?}");
    let law = words(&tree, &["drivers", "MOTION_1", "value"]).remove(0).replace('^', "**");
    let at = |t: f64| value(&law.replace("(t ", "(time ").replace("(t - ", "(time - ").to_uppercase(), t);
    assert_near(&[at(3.0) - at(0.0)], &[81.0 / 4.0 - 9.0 / 2.0], 1e-10);
}

/// Integrals against sums of Simpson's rule.
#[test]
fn velocities_are_integrated() {
    let laws = [
        "3",
        "2*time",
        "time*(1-time)**2",
        "sin(2*time+1)/3 - cos(time)",
        "exp(-2*time)",
        "IF(time-0.4: time, 1, 3*time)",
        "STEP(time, 0.2, 1, 0.7, 3)",
        "STEP5(time, 0.2, 1, 0.7, 3)",
    ];
    for law in laws {
        let whole = function_of(law).integrated().unwrap_or_else(|| panic!("{law}"));
        let at = |t: f64| match law.split_once('(').map(|(word, _)| word) {
            Some(word @ ("STEP" | "STEP5")) => {
                let s: f64 = ((t - 0.2) / 0.5).clamp(0.0, 1.0);
                let rise =
                    if word == "STEP" { s * s * (3.0 - 2.0 * s) } else { s * s * s * (10.0 - 15.0 * s + 6.0 * s * s) };
                1.0 + 2.0 * rise
            }
            _ => value(law, t),
        };
        // Laws jump and bend where panels end.
        const PANELS: usize = 3600;
        let (h, mut sum) = (0.9 / PANELS as f64, 0.0);
        for k in 0..PANELS {
            let t = k as f64 * h;
            // The middle of a panel and its ends from within.
            sum += h / 6.0 * (at(t + 1e-9 * h) + 4.0 * at(t + h / 2.0) + at(t + h * (1.0 - 1e-9)));
        }
        let found = whole.value(Some(0.9)).unwrap_or(f64::NAN) - whole.value(Some(0.0)).unwrap_or(f64::NAN);
        // Panels of 2.5e-4: Simpson's rule is far below that.
        assert!((found - sum).abs() < 1e-6, "{law}: {found}, {sum}");
    }
    assert!(function_of("sqrt(time)").integrated().is_none());
}

#[test]
fn a_step_in_a_step_in_a_step_is_refused_quickly() {
    let mut law = "time".to_string();
    for _ in 0..50 {
        law = format!("step(time, {law}, 0, 1, 1)");
    }
    let deck = format!("t\nPART/1, GROUND\nPART/2\nMARKER/1, PART=1\nMARKER/2, PART=2\nJOINT/1, REVOLUTE, I=2, J=1\nMOTION/1, JOINT=1, FUNCTION={law}\nEND");
    let error = read(&Source::new("test.adm", deck), false).unwrap_err();
    assert!(error.to_string().contains("too long"), "{error}");
}
