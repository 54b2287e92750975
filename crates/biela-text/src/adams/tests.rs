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
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn every_way_to_turn_a_marker_comes_to_the_same() {
    // z along (1, 1, 0), x in the plane of that and of z.
    let ways = [
        "REULER = 135D, 90D, 90D",
        "EULER = 135, 90, 90",
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
