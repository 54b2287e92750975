//! Tests of expressions: values, units, derivatives, messages, and texts made to break the reader.

use super::*;
use crate::math::Elementary;
use crate::units::{fits, Dimension, UNITS};
use std::f64::consts::PI;

/// One or two roundings of a product with a unit's factor.
const ROUNDING: f64 = 1e-15;

const NAMES: [(&str, Name); 8] = [
    ("t", Name::Variable(0)),
    ("x", Name::Variable(1)),
    ("O.angle", Name::Variable(2)),
    ("O.angle.rate", Name::Variable(3)),
    ("guide-1.slide", Name::Variable(4)),
    ("crank", Name::Constant(2.0, Kind::Known(Dimension::LENGTH))),
    ("n", Name::Constant(3.0, Kind::Any)),
    ("h", Name::Constant(5.0, Kind::Any)),
];

fn parse(text: &str) -> Expression {
    Expression::parse(text, &NAMES).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn value(text: &str) -> f64 {
    parse(text).as_constant().unwrap_or_else(|| panic!("'{text}' is not constant"))
}

fn error(text: &str) -> ExprError {
    Expression::parse(text, &NAMES).expect_err(text)
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2**3**2", 512.0),
        ("2^-1", 0.5),
        ("2^-1^2", 0.5),
        ("-2^-2", -0.25),
        ("(-2)^3", -8.0),
        ("8/4/2", 1.0),
        ("8 - 4 - 2", 2.0),
        ("2*-3", -6.0),
        ("2 - -3", 5.0),
        ("--3", 3.0),
        ("+3", 3.0),
        ("6/2*3", 9.0),
        (".5 + 1.", 1.5),
        ("1e-3", 0.001),
        ("1.5E+3", 1500.0),
        ("2e1", 20.0),
        ("1 < 2", 1.0),
        ("2 <= 1", 0.0),
        ("1 + 1 == 2", 1.0),
        ("3 != 3", 0.0),
        ("if(2 > 1, 10, 20)", 10.0),
        ("if(0, 10, 20)", 20.0),
        ("0^0", 1.0),
        ("0^2", 0.0),
        ("pi", PI),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn functions_have_their_values() {
    for (text, expected) in [
        ("sin(pi/6)", 0.5),
        ("cos(60 deg)", 0.5),
        ("tan(45 deg)", 1.0),
        ("asin(1)", PI / 2.0),
        ("acos(-1)", PI),
        ("atan(1)", PI / 4.0),
        ("atan2(1, -1)", 0.75 * PI),
        ("sinh(1)", 1.1752011936438014),
        ("cosh(1)", 1.543080634815244),
        ("tanh(1)", 0.7615941559557649),
        ("exp(1)", std::f64::consts::E),
        ("log(10)", std::f64::consts::LN_10),
        ("log10(1000)", 3.0),
        ("sqrt(2)", std::f64::consts::SQRT_2),
        ("abs(-3)", 3.0),
        ("sign(-3) + sign(0)", -1.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 2, 7)", 7.0),
        ("floor(-1.5)", -2.0),
        ("ceil(-1.5)", -1.0),
        ("mod(-1, 3)", 2.0),
        ("hypot(3, 4)", 5.0),
        ("step(-1) + step(0)", 1.0),
        ("smoothstep(0.25, 0, 1)", 0.103515625),
        ("smoothstep(7, 2, 3) + smoothstep(1, 2, 3)", 1.0),
    ] {
        let found = value(text);
        assert!((found - expected).abs() <= 2.0 * ROUNDING, "{text}: {found} against {expected}");
    }
    assert!(value("min(sqrt(-1), 1)").is_nan() && value("max(1, sqrt(-1))").is_nan());
}

#[test]
fn units_give_si_and_a_dimension() {
    for (text, expected, dimension) in [
        ("30 deg", PI / 6.0, Dimension::ANGLE),
        ("30deg", PI / 6.0, Dimension::ANGLE),
        ("30°", PI / 6.0, Dimension::ANGLE),
        ("-240 deg", -4.0 * PI / 3.0, Dimension::ANGLE),
        ("5 µm", 5e-6, Dimension::LENGTH),
        ("(2+3) mm", 5e-3, Dimension::LENGTH),
        ("sqrt(4) mm", 2e-3, Dimension::LENGTH),
        ("2*crank + 5 mm", 4.005, Dimension::LENGTH),
        ("3.72e-3 lb", 3.72e-3 * 0.45359237, Dimension::MASS),
        ("3 lbf*s^2/in", 3.0 * 4.4482216152605 / 0.0254, Dimension::MASS),
        ("10 N*m/rad", 10.0, Dimension::TORQUE),
        ("2 N/mm", 2000.0, Dimension::STIFFNESS),
        ("7850 kg/m^3", 7850.0, Dimension::DENSITY),
        ("1 g*cm^2", 1e-7, Dimension::INERTIA),
        ("1000 rpm", 1000.0 * PI / 30.0, Dimension::ANGULAR_VELOCITY),
        ("5 Hz", 5.0, Dimension::ANGULAR_VELOCITY),
        ("1 m*s^-1", 1.0, Dimension::VELOCITY),
        ("1 m*s**-2", 1.0, Dimension::ACCELERATION),
        ("2 g0", 19.6133, Dimension::ACCELERATION),
        ("1 m*h", 3600.0, Dimension::LENGTH.times(Dimension::TIME)),
        ("2 kg/(m*s^2)", 2.0, Dimension::PRESSURE),
        (
            "1/2 kN/(mm*s)",
            5e-7,
            Dimension::NUMBER.over(Dimension::FORCE).times(Dimension::LENGTH).times(Dimension::TIME),
        ),
        ("2 N*(m/s)^2", 2.0, Dimension::FORCE.times(Dimension::VELOCITY.power(2.0).unwrap())),
        ("2 N*sin(30 deg)*mm", 1e-3, Dimension::TORQUE),
        ("8 N*2/mm", 16000.0, Dimension::STIFFNESS),
        ("8 N*m*2/N/mm", 16000.0, Dimension::NUMBER),
        ("2 N*-mm", -2e-3, Dimension::TORQUE),
        ("2*3 N*m + 1 N*mm", 6.001, Dimension::TORQUE),
        ("36 km / min", 600.0, Dimension::VELOCITY),
        ("1/2 mm", 500.0, Dimension::NUMBER.over(Dimension::LENGTH)),
        ("2 m^2", 2.0, Dimension::AREA),
        ("(2 m)^2", 4.0, Dimension::AREA),
        ("sqrt(9 m^2)", 3.0, Dimension::LENGTH),
        ("(8 m^3)^(1/3)", 2.0, Dimension::LENGTH),
        ("hypot(3 mm, 4 mm)", 5e-3, Dimension::LENGTH),
        ("if(crank > 1 m, 1 mm, 2)", 1e-3, Dimension::LENGTH),
        ("sin(30 deg) * 1 m", 0.5, Dimension::LENGTH),
        ("1 ft - 12 in", 0.0, Dimension::LENGTH),
        ("1 mm + 1", 1.001, Dimension::LENGTH),
        ("2*crank/(1 in)", 4.0 / 0.0254, Dimension::NUMBER),
    ] {
        let expression = parse(text);
        let found = expression.as_constant().unwrap();
        assert!((found - expected).abs() <= ROUNDING * expected.abs().max(1.0), "{text}: {found} against {expected}");
        assert!(fits(expression.kind(), dimension), "{text}: {:?}", expression.kind());
        let other = dimension.times(Dimension::LENGTH);
        assert!(!fits(expression.kind(), other), "{text}");
    }
    // A power of time may hide in a bare number beside the time; anything else may not.
    for (text, length, angle) in
        [("5 mm*t", true, false), ("30 deg/s*t", false, true), ("2 rpm*t", false, true), ("2*t", true, true)]
    {
        let kind = parse(text).kind();
        assert_eq!((fits(kind, Dimension::LENGTH), fits(kind, Dimension::ANGLE)), (length, angle), "{text}");
    }
    for (text, kind) in [
        ("2*pi", Kind::Pure),
        ("t", Kind::Time),
        ("2*t^2", Kind::Time),
        ("n*t", Kind::Any),
        ("crank*t", Kind::Timed(Dimension::LENGTH)),
        ("t*1 m/(2*t + 1)", Kind::Timed(Dimension::LENGTH)),
        ("1 m + 2 m/s*t", Kind::Known(Dimension::LENGTH)),
        ("sqrt(4 m^2*t)", Kind::Timed(Dimension::LENGTH)),
        ("sin(t)", Kind::Pure),
        ("atan2(1 mm, 2 mm)", Kind::Any),
        ("(2*t) deg", Kind::Known(Dimension::ANGLE)),
        ("t + 1 m", Kind::Known(Dimension::LENGTH)),
        ("crank < 1 m", Kind::Pure),
        ("(2 rad)^t", Kind::Known(Dimension::NUMBER)),
    ] {
        assert_eq!(parse(text).kind(), kind, "{text}");
    }
}

/// What is a unit follows from its place: no parameter of that name changes a quantity with units, for any unit there is.
#[test]
fn no_parameter_takes_the_place_of_a_unit() {
    /// A value that no unit has.
    const OTHER: f64 = 0.8125;
    let others = ["N", "mm", "s", "kg"];
    for unit in UNITS {
        let u = unit.name;
        let mut texts =
            vec![format!("5 {u}"), format!("-3 {u}^2"), format!("(2 + 3){u}"), format!("sqrt(4) {u}/{u}^3")];
        for o in others {
            texts.extend([
                format!("5 {o}*{u}"),
                format!("5 {o}/{u}"),
                format!("-9.81 {o}/{u}^2"),
                format!("2 {u}*{o}/{u}^-1"),
                format!("3 {o}*s^2/{u}"),
                format!("1/2 {o}*{u}"),
                format!("4 {o}*{u}*gain"),
                format!("4 {o}*gain*{u}"),
                format!("4 {o}*sin(gain)/{u}"),
                format!("4 {o}*(gain + 1)*{u}^2"),
                format!("4 {o}/(kg*{u})"),
                format!("1 + 4 {o}/({u}/kg^2)^2/(1 {o}/({u}/kg^2)^2)"),
                format!("max(2 {o}*{u}, 1 {o}*{u}, -3 {u}*{o})"),
                format!("if(gain > 1, 7 {o}*{u}, 2 {u}*{o})"),
            ]);
        }
        let gain = ("gain", Name::Constant(2.5, Kind::Any));
        let scope = [gain, (u, Name::Constant(OTHER, Kind::Known(Dimension::NUMBER)))];
        for text in texts {
            let due = Expression::parse(&text, &[gain]).unwrap_or_else(|e| panic!("{text}: {e}"));
            let found = Expression::parse(&text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(found.as_constant(), due.as_constant(), "{text}");
            assert_eq!(found.kind(), due.kind(), "{text}");
        }
        // Elsewhere the name is the parameter.
        for (text, due) in [
            (format!("3*{u}"), 3.0 * OTHER),
            (format!("{u}*5 N"), 5.0 * OTHER),
            (format!("(5 N)*{u}"), 5.0 * OTHER),
            (format!("2 N*(1 + {u})"), 2.0 * (1.0 + OTHER)),
            (format!("2^{u}"), 2.0_f64.power(OTHER)),
            (format!("2 N + {u}"), 2.0 + OTHER),
        ] {
            let scope = [gain, (u, Name::Constant(OTHER, Kind::Any))];
            let found = Expression::parse(&text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(found.as_constant(), Some(due), "{text}");
        }
    }
}

#[test]
fn names_with_hyphens_and_dots_are_found() {
    let env = [1.0, 10.0, 100.0, 1000.0, 10000.0];
    for (text, expected) in [
        ("x-t", 9.0),
        ("x-1", 9.0),
        ("O.angle - O.angle.rate", -900.0),
        ("O.angle-x", 90.0),
        ("guide-1.slide-x", 9990.0),
        ("2*guide-1.slide-1", 19999.0),
    ] {
        assert_eq!(parse(text).eval(&env), expected, "{text}");
    }
    let odd = [
        ("1.angle", Name::Variable(0)),
        ("a", Name::Variable(1)),
        ("a-b", Name::Variable(2)),
        ("b", Name::Variable(3)),
    ];
    let read = |text| Expression::parse(text, &odd).unwrap().eval(&[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(read("1.angle + 1"), 2.0);
    assert_eq!(read("a-b"), 3.0);
    assert_eq!(read("a - b"), -2.0);
    assert_eq!(read("a-b-b"), -1.0);
    assert_eq!(parse("x + O.angle*x").variables(), [1, 2]);
    assert_eq!(free_names("2*crank + sin(O.angle) + 3 m*s + pi + crank").unwrap(), ["crank", "O.angle"]);
    assert_eq!(free_names("5 N*gain*m/(s*mm)*(1 + m) + s^h").unwrap(), ["gain", "m", "s", "h"]);
    assert_eq!(free_names("a-b").unwrap(), ["a", "b"]);
    assert_eq!(free_names_among("a-b", &|n| n == "a-b").unwrap(), ["a-b"]);
    assert!(free_names("1 $ 2").is_err());
}

#[test]
fn messages_help() {
    for (text, at, parts) in [
        ("5 mm + 2 kg", "5 mm + 2 kg", &["cannot add a length [m] and a mass [kg]"][..]),
        ("5 mm - 2 kg", "5 mm - 2 kg", &["cannot subtract a mass [kg] from a length [m]"]),
        ("1 m < 2 s", "1 m < 2 s", &["cannot compare a length [m] with a time [s]"]),
        ("max(1, 2 m, 3 s)", "2 m, 3 s", &["max cannot take a length [m] together with a time [s]"]),
        ("sin(crank)", "crank", &["sin needs an angle, but 'crank' is a length [m]", "x/(1 m)"]),
        ("exp(2 s)", "2 s", &["exp needs a number"]),
        ("2^(3 mm)", "(3 mm)", &["an exponent must be a number"]),
        ("2^3 mm", "3 mm", &["an exponent must be a number"]),
        ("(2 m)^t", "(2 m)^t", &["power that changes"]),
        ("2 m^t", "^t", &["whole number", "(2 m)^x"]),
        ("2 m^2^2", "^2", &["whole number"]),
        ("2 m^99", "^99", &["whole number"]),
        ("(5 mm) deg", "deg", &["has a unit already"]),
        ("2*crnk", "crnk", &["unknown name 'crnk'", "did you mean 'crank'?", "known names: t, x"]),
        ("2*O", "O", &["'O' offers O.angle, O.angle.rate"]),
        ("2*mm", "mm", &["'mm' is a unit"]),
        ("2*sin", "sin", &["'sin' is a function: write sin(x)"]),
        ("sn(1)", "sn", &["unknown function 'sn'", "did you mean 'sin'?"]),
        ("ln(1)", "ln", &["use log"]),
        ("crank(1)", "crank", &["'crank' is not a function", "crank*(…)"]),
        ("e", "e", &["exp(1)"]),
        ("1,5", "1,5", &["comma", "write 1.5 for 1,5"]),
        ("2*(1,5 mm)", "1,5", &["write 1.5 for 1,5"]),
        ("sin(1,5)", "sin(1,5)", &["sin is given 2 arguments", "decimals are written with a point"]),
        ("atan2(1)", "atan2(1)", &["atan2 is given 1 argument; it is used as atan2(y, x)"]),
        ("min(1)", "min(1)", &["min(a, b, …)"]),
        ("sin()", "sin()", &["sin is given 0 arguments"]),
        ("2 crank", "crank", &["'crank' is not a unit", "write 2*crank"]),
        ("2crank", "crank", &["write 2*crank"]),
        ("2 crnk", "crnk", &["did you mean 2*crank?"]),
        ("2 dge", "dge", &["'dge' is not a unit", "did you mean 'deg'?"]),
        ("2 N.m", "N.m", &["write N*m"]),
        ("2 inches", "inches", &["write in"]),
        ("2 sin(1)", "sin", &["2*sin(…)"]),
        ("5 t", "t", &["tonne"]),
        ("crank mm", "mm", &["must follow a number or a bracket"]),
        ("crank x", "x", &["write crank*x"]),
        ("2 3", "3", &["operator is missing between '2' and '3'"]),
        ("2 (3)", "(", &["operator is missing", "write * for a product"]),
        ("2 N m", "m", &["operator is missing between '2 N' and 'm'"]),
        ("\u{2212}2", "\u{2212}", &["minus sign of the keyboard"]),
        ("2×3", "×", &["write * for a product"]),
        ("t²", "²", &["write a power with ^"]),
        ("t = 2", "=", &["write =="]),
        ("5 % 2", "%", &["mod(a, b)"]),
        ("[1]", "[", &["round brackets"]),
        ("(1 + 2", "(", &["never closed"]),
        ("1 + 2)", ")", &["never opened"]),
        ("sin(1", "(", &["never closed"]),
        ("1 +", "", &["something is missing after '+'"]),
        ("*2", "*", &["cannot start with '*'"]),
        ("2 * / 3", "/", &["missing between '*' and '/'"]),
        ("()", ")", &["missing between '(' and ')'"]),
        ("", "", &["empty"]),
        ("   ", "   ", &["empty"]),
        ("1 < 2 < 3", "<", &["cannot be chained"]),
        ("1e999", "1e999", &["too large"]),
    ] {
        let error = error(text);
        let shown = error.to_string();
        for part in parts {
            assert!(shown.contains(part), "{text}: '{part}' is not in\n{shown}");
        }
        assert_eq!(&text[error.range.clone()], at, "{text}: {shown}");
    }
}

#[test]
fn errors_point_into_the_file() {
    let source = crate::source::Source::new("a.toml", "mass = \"2 + crnk\"\n");
    let span = crate::source::Span::new(&source, 8..16);
    let shown = error("2 + crnk").into_error(Some(&span)).of("body 'rod'").to_string();
    assert!(shown.starts_with("body 'rod' (a.toml:1): unknown name 'crnk'"), "{shown}");
    assert!(shown.contains("            ^^^^\n"), "{shown}");
}

#[test]
fn bombs_are_defused() {
    for text in [
        "(".repeat(100_000),
        "(".repeat(9_000),
        format!("{}1{}", "(".repeat(101), ")".repeat(101)),
        format!("{}1{}", "sin(".repeat(101), ")".repeat(101)),
        vec!["2"; 4000].join("^"),
        vec!["2"; 2000].join("^-"),
        "-".repeat(9_999),
        "1+(t+".repeat(1500),
        vec!["t"; 4500].join("+"),
        "a-".repeat(4_900),
        "1 m*".repeat(2_400),
        "if(".repeat(3_000),
        format!("{}1{}", "t+(".repeat(70), ")".repeat(70)),
        "(1 m^9)^9".to_string() + &"^9".repeat(200),
    ] {
        assert!(Expression::parse(&text, &NAMES).is_err(), "{}", &text[..20]);
    }
    let deep = format!("{}1{}", "(".repeat(99), ")".repeat(99));
    assert_eq!(value(&deep), 1.0);
    assert_eq!(value(&format!("{}1", "-".repeat(9_998))), 1.0);
    assert_eq!(value(&format!("max({}1)", "2,".repeat(2_000))), 2.0);
    assert_eq!(parse(&vec!["t"; 2000].join("+")).eval(&[1.0]), 2000.0);
    // The stack of 64 is used to its last slot.
    let nested = |n: usize| format!("{}1{}", "t+(".repeat(n), ")".repeat(n));
    assert_eq!(parse(&nested(63)).eval(&[1.0]), 64.0);
    assert!(error(&nested(64)).message.contains("64 are allowed"));
}

#[test]
fn any_text_gives_an_answer() {
    let parts = [
        "1",
        "2.5",
        "t",
        "x",
        "crank",
        "mm",
        "deg",
        "s",
        "+",
        "-",
        "*",
        "/",
        "^",
        "**",
        "(",
        ")",
        ",",
        "<",
        "==",
        "sin",
        "min",
        "if",
        "smoothstep",
        " ",
        "°",
        "é",
        "O.angle",
        "guide-1.slide",
        ".",
        "1e",
        "e3",
        "\u{2212}",
        "pi",
        "\t",
        "=",
        "#",
    ];
    let mut random = Random(7);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let text: String = (0..1 + random.below(12)).map(|_| parts[random.below(parts.len())]).collect();
        match Expression::parse(&text, &NAMES) {
            Ok(expression) => {
                accepted += 1;
                let env = [0.5, -1.5, 0.0, 2.0, f64::INFINITY];
                let plain = expression.eval(&env);
                let jet = expression.jet(&env.map(Jet::variable)).v;
                assert!(plain == jet || (plain.is_nan() && jet.is_nan()), "{text}: {plain} against {jet}");
                assert!(expression.eval(&[]).is_nan() || expression.eval(&[]).abs() >= 0.0);
            }
            Err(error) => {
                assert!(text.get(error.range.clone()).is_some(), "{text:?}: {error:?}");
                assert!(!error.message.is_empty());
            }
        }
    }
    assert!(accepted > 500, "only {accepted} texts were expressions");
}

#[test]
fn derivatives_agree_with_finite_differences() {
    /// Central differences err by h²/6 times the derivative two orders up, which differences of the jets' own second
    /// derivatives estimate; the rest is rounding, 1e-16 of the terms divided by h, with room for terms that cancel.
    const STEP: f64 = 1e-4;
    const ROUNDING_OF_DIFFERENCES: f64 = 1e-9;
    let mut random = Random(42);
    let mut judged = 0;
    for _ in 0..3000 {
        let text = random_smooth(&mut random, 4);
        let expression = parse(&text);
        let t = 0.3 + 1.4 * random.unit();
        // x = sin(2t) is a second variable that moves with t.
        let env = |t: f64| [Jet::variable(t), (Jet::variable(t) * Jet::constant(2.0)).sin()];
        let at = |t: f64| expression.jet(&env(t));
        let (low, here, high) = (at(t - STEP), at(t), at(t + STEP));
        assert_eq!(here.v, expression.eval(&env(t).map(|j| j.v)), "{text}");
        let first = (high.v - low.v) / (2.0 * STEP);
        let second = (high.d - low.d) / (2.0 * STEP);
        let third = (high.dd - low.dd) / (2.0 * STEP);
        let fourth = (high.dd - 2.0 * here.dd + low.dd) / (STEP * STEP);
        if ![here.v, here.d, here.dd, third * 1e-2, fourth * 1e-4].iter().all(|x| x.abs() < 1e2) {
            continue;
        }
        judged += 1;
        let rounding = ROUNDING_OF_DIFFERENCES * (1.0 + here.v.abs() + here.d.abs() + here.dd.abs());
        let (slack, slack2) = (STEP * STEP * third.abs() + rounding, STEP * STEP * fourth.abs() + rounding);
        assert!((here.d - first).abs() <= slack, "{text} at {t}: {} against {first}", here.d);
        assert!((here.dd - second).abs() <= slack2, "{text} at {t}: {} against {second}", here.dd);
    }
    assert!(judged > 2000, "only {judged} of 3000 expressions judged");
}

#[test]
fn derivatives_of_every_function_in_closed_form() {
    // Each at t = 0.7 (or as written); values of f, f', f'' by hand.
    let t = 0.7_f64;
    let r = 1.0 - t * t;
    let cases = [
        ("t^3", t.powi(3), 3.0 * t * t, 6.0 * t),
        ("(-t)^3", -t.powi(3), -3.0 * t * t, -6.0 * t),
        ("t^-2", t.powi(-2), -2.0 * t.powi(-3), 6.0 * t.powi(-4)),
        ("2^t", 2f64.powf(t), 2f64.ln() * 2f64.powf(t), 2f64.ln().powi(2) * 2f64.powf(t)),
        ("t^t", t.powf(t), t.powf(t) * (t.ln() + 1.0), t.powf(t) * ((t.ln() + 1.0).powi(2) + 1.0 / t)),
        ("sqrt(t)", t.sqrt(), 0.5 / t.sqrt(), -0.25 * t.powf(-1.5)),
        ("asin(t)", t.asin(), r.powf(-0.5), t * r.powf(-1.5)),
        ("acos(t)", t.acos(), -r.powf(-0.5), -t * r.powf(-1.5)),
        ("atan2(t, 2)", (t / 2.0).atan(), 2.0 / (4.0 + t * t), -4.0 * t / (4.0 + t * t).powi(2)),
        ("hypot(t, 2)", (t * t + 4.0).sqrt(), t / (t * t + 4.0).sqrt(), 4.0 / (t * t + 4.0).powf(1.5)),
        ("log10(t)", t.log10(), 1.0 / (t * 10f64.ln()), -1.0 / (t * t * 10f64.ln())),
        ("abs(-t)*t", t * t, 2.0 * t, 2.0),
        ("mod(5*t, 2)", 1.5, 5.0, 0.0),
        ("min(t^2, 1)", t * t, 2.0 * t, 2.0),
        ("max(t^2, 1)", 1.0, 0.0, 0.0),
        ("if(t < 1, t^2, 9)", t * t, 2.0 * t, 2.0),
        ("step(t)*t", t, 1.0, 0.0),
        ("smoothstep(t, 0, 1)", 0.83692, 30.0 * (t * 0.3).powi(2), 60.0 * t * 0.3 * (1.0 - 2.0 * t)),
        ("(180/pi*t) deg", t, 1.0, 0.0),
    ];
    for (text, v, d, dd) in cases {
        let found = parse(text).jet(&[Jet::variable(t)]);
        for (a, b) in [(found.v, v), (found.d, d), (found.dd, dd)] {
            assert!((a - b).abs() <= 20.0 * ROUNDING * b.abs().max(1.0), "{text}: {found:?} against {v}, {d}, {dd}");
        }
    }
}

#[test]
fn constants_are_folded_and_texts_kept() {
    assert_eq!(parse("t + 2*3").program.len(), 3);
    assert_eq!(parse("t + 2*3").as_constant(), None);
    assert_eq!(parse("t + 2*3").text(), "t + 2*3");
    assert_eq!(Expression::constant(2.0).text(), "2");
    assert_eq!(Expression::constant(1e300).text(), "1e300");
    assert_eq!(Expression::constant(-0.25), Expression::parse("-0.25", &()).unwrap());
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&parse("t"));
    for (k, f) in FUNCTIONS.iter().enumerate() {
        assert!(FUNCTIONS[..k].iter().all(|o| o.name != f.name) && !f.help.is_empty());
        assert_eq!(Op::Call(f.code).takes(), f.least_arguments(), "{}", f.name);
        let arguments = vec!["0.5"; f.least_arguments()].join(", ");
        assert!(value(&format!("{}({arguments})", f.name)).is_finite());
    }
}

/// A smooth expression of t and x, with all operators and the smooth functions.
fn random_smooth(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        return match random.below(4) {
            0 => "t".into(),
            1 => "x".into(),
            2 => format!("{:.2}", 0.1 + 2.0 * random.unit()),
            _ => "30 deg".into(),
        };
    }
    let a = random_smooth(random, depth - 1);
    let b = random_smooth(random, depth - 1);
    match random.below(18) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 | 3 => format!("({a})*({b})"),
        4 => format!("({a})/(1.5 + ({b})^2)"),
        5 => format!("(0.5 + ({a})^2)^({b})"),
        6 => format!("sin({a})"),
        7 => format!("cos({a})"),
        8 => format!("tan(0.4*sin({a}))"),
        9 => format!("asin(0.8*sin({a}))"),
        10 => format!("acos(0.8*cos({a}))"),
        11 => format!("atan({a})"),
        12 => format!("atan2({a}, 1 + ({b})^2)"),
        13 => format!("exp(sin({a})) + sinh(cos({b}))"),
        14 => format!("log(1 + ({a})^2) + cosh(sin({b}))"),
        15 => format!("sqrt(1 + ({a})^2)"),
        16 => format!("hypot(1, {a}) - tanh({b})"),
        _ => format!("-({a})^3"),
    }
}

/// A small generator, so that failures can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51afd7ed558ccd) >> 11
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn what_computes_the_same_is_known_by_its_operations() {
    let with = |text: &str, a: f64| {
        Expression::parse(text, &[("t", Name::Variable(0)), ("a", Name::Constant(a, Kind::Any))])
            .unwrap_or_else(|e| panic!("{text}: {e}"))
    };
    assert!(with("a*sin(t)", 2.0).computes_as(&with("2 * sin(t)", 0.0)));
    // The same text says something else with another value, and the sign of a zero counts.
    assert!(!with("a*sin(t)", 2.0).computes_as(&with("a*sin(t)", 3.0)));
    assert!(!with("a*t", 0.0).computes_as(&with("a*t", -0.0)));
    assert!(!with("t", 0.0).computes_as(&with("t + 1", 0.0)));
}
