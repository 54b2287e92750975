//! Signals on request and signals that a model makes of others, against closed forms, balances of momentum, and each other.

mod common;

use biela::model::{Analysis, Model};
use biela::optimise::Optimisation;
use biela::plan::{Measures, Wanted};
use biela::results::Results;
use biela::signal::{Choice, Signals};
use biela::solve::newton::METHODS;
use biela::solve::run::{formulation_of, run};
use biela::solve::verify::verify;
use biela::source::{Source, Span};
use biela::sweep::Sweep;
use biela::text::{Asked, AskedGoal, Document, Options, Parametric};
use common::cases::load;
use common::{column, parse};

/// A few dozen operations on numbers of order one to a thousand.
const ROUNDING: f64 = 1e-11;

fn solve_by(model: &Model, formulation: &str) -> Results {
    run(model, formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

/// Every signal of a run, those on request among them.
fn everything(model: &Model) -> Results {
    let mut model = model.clone();
    model.study.every = true;
    solve_by(&model, formulation_of(&model))
}

/// A crank r, a rod l that is no body, and a piston of mass 2, at a steady rate.
const SLIDER_CRANK: &str = r#"
gravity = [0, -9.81, 0]
[parameters]
r = "0.1 m"
l = "0.35 m"
omega = "20 rad/s"
[bodies.crank]
mass = 1.5
com = ["r/2", 0, 0]
inertia = [0.01, 0.01, 0.01]
points = { A = [0, 0, 0], B = ["r", 0, 0] }
[bodies.piston]
mass = 2
inertia = [0.01, 0.01, 0.01]
points = { C = [0, 0, 0] }
pose = { at = [0.45, 0, 0] }
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], "A"]
axis = [0, 0, 1]
[joints.guide]
type = "prismatic"
bodies = ["ground", "piston"]
at = [[0, 0, 0], "C"]
axis = [1, 0, 0]
[joints.rod]
type = "distance"
bodies = ["crank", "piston"]
at = ["B", "C"]
length = "l"
[drivers.motor]
joint = "O"
value = "omega*t"
[signals]
loss = "power/10"
power = "motor.effort * O.angle.rate"
pin = "norm(crank.B.v)"
shaking = "norm(ground.f)"
unbalance = "rod.force - abs(rod.axial)"
[run]
analysis = "inverse-dynamics"
end = "2*pi/omega"
steps = 72
"#;

#[test]
fn a_slider_crank_has_its_closed_form() {
    let found = everything(&parse(SLIDER_CRANK));
    let (r, l, omega, mass) = (0.1f64, 0.35f64, 20.0f64, 2.0);
    let value = |name: &str, k: usize| column(&found, name)[k];
    for (k, t) in found.times().iter().enumerate() {
        let (s, c) = (omega * t).sin_cos();
        // x = r c + √(l² − r² s²), the rod's slope φ against the guide.
        let root = (l * l - r * r * s * s).sqrt();
        let v = -r * omega * s * (1.0 + r * c / root);
        let a = -r * omega * omega * (c + r * (c * c - s * s) / root + r.powi(3) * s * s * c * c / root.powi(3));
        let cos_phi = root / l;
        // The rod alone accelerates the piston: a tension pulls it back.
        let tension = -mass * a / cos_phi;
        let near = |found: f64, wanted: f64, what: &str| {
            assert!((found - wanted).abs() < ROUNDING * wanted.abs().max(1.0), "{what} at {t}: {found} and {wanted}");
        };
        near(value("piston.speed", k), v.abs(), "speed");
        near(value("piston.C.acceleration", k), a.abs(), "acceleration");
        near(value("crank.B.speed", k), r * omega, "pin's speed");
        near(value("pin", k), r * omega, "the same by norm");
        near(value("rod.axial", k), tension, "tension");
        near(value("rod.force", k), tension.abs(), "resultant");
        near(value("unbalance", k), 0.0, "resultant and tension");
        // Torque: the tension's lever about the pivot, and the crank's weight.
        let (sin_phi, lever) = (r * s / l, |x: f64, y: f64, fx: f64, fy: f64| x * fy - y * fx);
        let torque = -lever(r * c, r * s, tension * cos_phi, -tension * sin_phi) + 1.5 * 9.81 * 0.5 * r * c;
        near(value("motor.effort", k), torque, "torque");
        near(value("motor.power", k), torque * omega, "power");
        near(value("power", k), torque * omega, "the same by its definition");
        near(value("loss", k), torque * omega / 10.0, "a signal of a signal");
        // Whatever the mechanism weighs and gains in momentum the ground bears.
        let crank = -1.5 * 0.5 * r * omega * omega;
        near(value("ground.fx", k), -(mass * a + crank * c), "ground.fx");
        near(value("ground.fy", k), -3.5 * 9.81 - crank * s, "ground.fy");
        near(value("shaking", k), value("ground.fx", k).hypot(value("ground.fy", k)), "shaking force");
        near(value("system.px", k), 1.5 * -0.5 * r * omega * s + mass * v, "px");
        near(value("system.com.x", k), (1.5 * 0.5 * r * c + mass * (r * c + root)) / 3.5, "com.x");
        near(value("crank.yaw", k).sin(), s, "yaw");
    }
}

#[test]
fn formulations_agree_on_them() {
    let model = parse(SLIDER_CRANK);
    let verified = verify(&model, METHODS[0], |_, _| true).unwrap();
    assert!(verified.largest.iter().all(|(_, d)| d.difference < 1e-9), "{}", verified.text());
    let mut every = model.clone();
    every.study.every = true;
    let [a, b] = ["absolute", "relative"].map(|formulation| solve_by(&every, formulation));
    for signal in Signals::of(&model).all().iter().filter(|s| s.is_on_request()) {
        let name = signal.name(&model);
        let size = column(&a, &name).iter().filter(|x| x.is_finite()).fold(1.0f64, |m, x| m.max(x.abs()));
        for (x, y) in column(&a, &name).iter().zip(column(&b, &name)) {
            // What is infinite or no number is so by both.
            let same = !x.is_finite() && x.to_bits() == y.to_bits();
            assert!(same || (x - y).abs() < 1e-9 * size, "{name}: {x} and {y}");
        }
    }
}

#[test]
fn a_full_run_has_derived_signals_last_and_none_on_request() {
    let model = parse(SLIDER_CRANK);
    let full = solve_by(&model, "auto");
    let names: Vec<&str> = full.columns.iter().map(|c| c.name.as_str()).collect();
    // Each after those that it uses.
    assert_eq!(names[names.len() - 5..], ["power", "loss", "pin", "shaking", "unbalance"]);
    assert!(!names.contains(&"rod.axial") && !names.contains(&"system.px"), "{names:?}");
    assert_eq!(Signals::of(&model).names(&model), names);
    // What is asked for by name has the bits of a run that tells everything, wherever it stands.
    let all = everything(&model);
    assert!(all.columns.iter().zip(&full.columns).all(|(a, b)| a == b));
    for patterns in [&["shaking"][..], &["rod.axial", "loss"], &["ground"], &["*.speed", "crank.x"]] {
        let choice = Choice::new(&model, patterns).unwrap();
        let narrow = model.with_study(choice.narrowed(&model.study));
        let found = choice.take(solve_by(&narrow, "auto")).unwrap();
        assert!(found.columns.len() > 1);
        assert!(found.columns.iter().all(|c| c.data == column(&all, &c.name)), "{patterns:?}");
    }
    // Elements and patterns choose as ever among the columns of a full run.
    let choice = Choice::new(&model, &["crank", "*.x"]).unwrap();
    let found = choice.take(solve_by(&model.with_study(choice.narrowed(&model.study)), "absolute")).unwrap();
    assert!(found.columns.iter().all(|c| names.contains(&c.name.as_str())));
}

/// A disc that turns about an axis beside its middle, on a tilted arm.
const FLYWHEEL: &str = r#"
gravity = [0, 0, -9.81]
[bodies.disc]
mass = 4
com = [0.5, 0, 0]
inertia = [0.1, 0.2, 0.3]
points = { P = [1, 0, 0] }
[joints.O]
type = "revolute"
bodies = ["ground", "disc"]
at = [[2, 0, 1], [0, 0, 0]]
axis = [[0, 0, 1], [0, 0, 1]]
[drivers.motor]
joint = "O"
value = "3*t + t^2"
[run]
analysis = "inverse-dynamics"
end = 2
moment_point = ["2 m", 0, 0]
"#;

#[test]
fn a_flywheel_has_its_momentum_and_its_power() {
    let found = everything(&parse(FLYWHEEL));
    let value = |name: &str, k: usize| column(&found, name)[k];
    for (k, t) in found.times().iter().enumerate() {
        let (angle, w) = (3.0 * t + t * t, 3.0 + 2.0 * t);
        let (s, c) = angle.sin_cos();
        let near = |name: &str, wanted: f64| {
            let found = value(name, k);
            assert!((found - wanted).abs() < ROUNDING * wanted.abs().max(1.0), "{name} at {t}: {found} and {wanted}");
        };
        let v = [-0.5 * w * s, 0.5 * w * c];
        near("system.px", 4.0 * v[0]);
        near("system.py", 4.0 * v[1]);
        near("system.pz", 0.0);
        near("system.com.x", 2.0 + 0.5 * c);
        near("system.com.z", 1.0);
        // l = Σ r × m v + I ω, about the ground's origin.
        near("system.lz", 0.3 * w + 4.0 * ((2.0 + 0.5 * c) * v[1] - 0.5 * s * v[0]));
        near("system.lx", -4.0 * v[1]);
        near("system.ly", 4.0 * v[0]);
        // Torque (I + m c²) α, power torque times rate, whatever the power's sign.
        let torque = (0.3 + 4.0 * 0.25) * 2.0;
        near("motor.effort", torque);
        near("motor.power", torque * w);
        near("ground.fz", -4.0 * 9.81);
        // About the foot of the axis the ground bears the torque, the weight's lever and the centrifugal force's.
        near("ground.mz", -torque);
        near("disc.P.speed", w);
        let wrapped = angle.sin().atan2(angle.cos());
        assert!((value("disc.yaw", k) - wrapped).abs() < 1e-9);
    }
}

#[test]
fn at_rest_the_ground_bears_the_weight() {
    let text = FLYWHEEL.replace("inverse-dynamics", "statics").replace("3*t + t^2", "0");
    let found = everything(&parse(&text));
    assert_eq!(column(&found, "ground.fz")[0], -4.0 * 9.81);
    // The mass centre stands half a metre from the point of moments: m = r × W.
    assert!((column(&found, "ground.my")[0] - 0.5 * 4.0 * 9.81).abs() < ROUNDING);
    let origin = everything(&parse(&text.replace("moment_point = [\"2 m\", 0, 0]", "")));
    assert!((column(&origin, "ground.my")[0] - 2.5 * 4.0 * 9.81).abs() < ROUNDING);
}

/// Differences over two steps of a smooth motion.
const DIFFERENCES: f64 = 2e-3;

#[test]
fn what_the_ground_bears_is_weight_less_the_rate_of_momentum() {
    for name in
        ["four-bar", "slider-crank", "quick-return", "rssr", "spherical-four-bar", "stephenson-six-bar", "watt-six-bar"]
    {
        let options = Options {
            analysis: Some(Analysis::InverseDynamics),
            gravity: Some([0.3, -9.81, 1.0]),
            ..Options::default()
        };
        let mut model = load(name, &options);
        model.study.steps = 4 * model.study.steps.max(200);
        let Ok(found) = ({
            model.study.every = true;
            run(&model, "absolute", METHODS[0], |_, _| true)
        }) else {
            continue;
        };
        let mass: f64 = model.bodies.iter().filter_map(|b| b.mass.as_ref()).map(|m| m.mass).sum();
        let g = model.gravity.unwrap();
        let t = found.times();
        let of = |name: &str, k: usize| column(&found, name)[k];
        for (axis, weight) in [("x", mass * g.x), ("y", mass * g.y), ("z", mass * g.z)] {
            let (p, f) = (format!("system.p{axis}"), format!("ground.f{axis}"));
            let size = column(&found, &f).iter().fold(1.0f64, |m, x| m.max((x - weight).abs()));
            for k in 1..found.len() - 1 {
                let rate = (of(&p, k + 1) - of(&p, k - 1)) / (t[k + 1] - t[k - 1]);
                assert!((of(&f, k) - (weight - rate)).abs() < DIFFERENCES * size, "{name}: {f} at {}", t[k]);
            }
        }
        let cross = |k: usize| {
            let r = ["x", "y", "z"].map(|axis| of(&format!("system.com.{axis}"), k));
            [r[1] * g.z - r[2] * g.y, r[2] * g.x - r[0] * g.z, r[0] * g.y - r[1] * g.x].map(|x| mass * x)
        };
        for (n, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let (l, m) = (format!("system.l{axis}"), format!("ground.m{axis}"));
            let size = (0..found.len()).fold(1.0f64, |s, k| s.max((of(&m, k) - cross(k)[n]).abs()));
            for k in 1..found.len() - 1 {
                let rate = (of(&l, k + 1) - of(&l, k - 1)) / (t[k + 1] - t[k - 1]);
                assert!((of(&m, k) - (cross(k)[n] - rate)).abs() < DIFFERENCES * size, "{name}: {m} at {}", t[k]);
            }
        }
        // The same once more as the sum of what joints to the ground carry, for drivers that give torques alone.
        let to_ground = |side: usize| model.joints.iter().filter(move |j| j.bodies[side] == 0);
        let torques =
            model.drivers.iter().all(|d| found.get(&format!("{}.effort", d.name)).is_some_and(|c| c.unit == "N*m"));
        if torques && model.loads.is_empty() {
            for axis in ["fx", "fy", "fz"] {
                let size = column(&found, &format!("ground.{axis}")).iter().fold(1.0f64, |m, x| m.max(x.abs()));
                for k in 0..found.len() {
                    let sum = |side: usize| to_ground(side).map(|j| of(&format!("{}.{axis}", j.name), k)).sum::<f64>();
                    let (found, joints) = (of(&format!("ground.{axis}"), k), sum(1) - sum(0));
                    assert!((found - joints).abs() < 1e-9 * size, "{name}: ground.{axis} {found} and {joints}");
                }
            }
        }
    }
}

#[test]
fn a_free_fall_leaves_the_ground_alone_and_meets_its_events() {
    let text = r#"
gravity = [0, -9.81, 0]
[bodies.ball]
mass = 2
inertia = [0.1, 0.1, 0.1]
[joints.none]
type = "free"
bodies = ["ground", "ball"]
[signals]
fall = "norm(ball.v)"
[events.low]
when = "ball.y + 1 m"
action = "report"
[events.fast]
when = "fall - 6 m/s"
[run]
analysis = "dynamics"
end = 1
"#;
    let model = parse(text);
    let found = everything(&model);
    assert!(column(&found, "ground.fy").iter().all(|f| f.abs() < 1e-12));
    assert!(column(&found, "ground.mz").iter().all(|f| f.abs() < 1e-12));
    let events: Vec<&str> = found.notes_of("event").collect();
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events[0].contains("'low'") && events[0].contains(&format!("{:.9}", (2.0f64 / 9.81).sqrt())), "{events:?}");
    assert!(events[1].contains("'fast'") && events[1].contains(&format!("{:.9}", 6.0 / 9.81)), "{events:?}");
}

/// A mass on a weightless arm, let go level: at the angle φ below it, m v²/2 = m g l sin φ and the arm pulls with 3 m g sin φ.
#[test]
fn events_see_forces_accelerations_and_energies() {
    let text = |when: &str, formulation: &str| {
        format!(
            r#"
gravity = [0, -9.81, 0]
[bodies.bob]
mass = 2
com = [1.5, 0, 0]
inertia = [0, 0, 0]
points = {{ G = [1.5, 0, 0] }}
[joints.O]
type = "revolute"
bodies = ["ground", "bob"]
at = [[0, 0, 0], [0, 0, 0]]
axis = "z"
[signals]
pull = "O.force/(2 kg * 9.81 m/s^2)"
[events.it]
when = "{when}"
[run]
analysis = "dynamics"
end = 2
tolerance = 1e-11
formulation = "{formulation}"
"#
        )
    };
    // What is reached, and the sine of the angle below the level at which it is.
    let cases: [(&str, f64); 6] = [
        ("O.force - 39.24 N", 2.0 / 3.0),
        ("pull - 2", 2.0 / 3.0),
        ("norm(O.f) - 39.24 N", 2.0 / 3.0),
        ("energy.kinetic - 14.715 J", 0.5),
        // Along the arm v²/l = 2 g sin φ, across it g cos φ.
        ("norm(bob.G.a) - 9.81 m/s^2 * sqrt(1.75)", 0.5),
        ("O.angle.accel + 9.81/1.5*0.8", 0.6),
    ];
    for formulation in ["absolute", "relative"] {
        for (when, sine) in cases {
            let found = solve_by(&parse(&text(when, formulation)), formulation);
            let angle = *column(&found, "O.angle").last().unwrap();
            assert_eq!(found.notes_of("event").count(), 1, "{when}");
            // The integration's own tolerance, over a fraction of a period.
            assert!((angle + sine.asin()).abs() < 1e-8, "{formulation}, {when}: {angle} against {}", -sine.asin());
        }
    }
    // A force that jumps with its load at t = 0.2 s, within the run's first quarter: the event is the jump itself.
    let jump = text("O.fx - 1000 N", "absolute").replace(
        "[signals]",
        "[forces.push]\ntype = \"force\"\nbody = \"bob\"\nat = [0, 0, 0]\nvalue = [\"if(t < 0.2, 0, -2000)\", 0, 0]\n[signals]",
    );
    let found = solve_by(&parse(&jump), "absolute");
    let event = found.notes_of("event").next().unwrap_or_default().to_string();
    assert!(event.ends_with("at t = 0.200000000 s"), "{event}");
    let told = |when: &str| {
        let document = Document::from_toml(&Source::new("m.toml", text(when, "absolute").as_str())).unwrap();
        document.model(&Options::default()).unwrap_err().to_string()
    };
    assert!(told("mode - 1").contains("at the samples of a run alone"), "{}", told("mode - 1"));
    assert!(told("energy.drift").contains("forces and energies"), "{}", told("energy.drift"));
}

#[test]
fn they_are_bound_to_parameters_without_reading_again() {
    let text =
        SLIDER_CRANK.replace("power/10", "power/(l/(1 m))").replace("norm(crank.B.v)", "omega*r + 0*crank.B.speed");
    let document = Document::from_toml(&Source::new("m.toml", text.as_str())).unwrap();
    let mut parametric = Parametric::new(&document, &Options::default(), ["l".to_string(), "omega".to_string()]);
    for values in [[0.35, 20.0], [0.4, 10.0], [0.5, 7.0]] {
        let bound = solve_by(parametric.bind(&values).unwrap(), "absolute");
        let options =
            Options { values: vec![("l".into(), values[0]), ("omega".into(), values[1])], ..Options::default() };
        let read = solve_by(&document.model(&options).unwrap(), "absolute");
        for name in ["loss", "power", "pin", "shaking"] {
            assert_eq!(column(&bound, name), column(&read, name), "{name}");
        }
        assert_eq!(column(&bound, "pin")[3], values[1] * 0.1);
    }
}

#[test]
fn measures_of_a_run_reduce_signals_of_any_sort() {
    let model = parse(SLIDER_CRANK);
    let measured = |text: &str| {
        let source = Source::new("--measure m", text);
        let wanted = Wanted { name: "m".into(), text: text.into(), span: Some(Span::new(&source, 0..text.len())) };
        let mut choice = Choice::new(&model, &["crank.x"]).unwrap();
        let kinds = model.parameters.iter().map(|p| (p.0.clone(), biela::units::Kind::Any)).collect();
        let measures = Measures::new(&model, kinds, vec![wanted], &mut choice)?;
        let found = solve_by(&model.with_study(choice.narrowed(&model.study)), formulation_of(&model));
        let value = measures.of(&model, &found)?.remove(0);
        value.check(&found)?;
        assert_eq!(choice.take(found)?.columns.len(), 2);
        Ok::<_, biela::Error>((value.value, value.unit))
    };
    let all = everything(&model);
    let of = |name: &str| column(&all, name);
    let most = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(measured("max(rod.axial)").unwrap(), (most(of("rod.axial")), "N".into()));
    assert_eq!(
        measured("max(abs(motor.effort))").unwrap().0,
        most(&of("motor.effort").iter().map(|x| x.abs()).collect::<Vec<_>>())
    );
    // Over a whole turn the mean of x = r cos + … is that of the root alone; the mean power is nothing.
    assert!(measured("mean(power)").unwrap().0.abs() < 1e-9);
    assert_eq!(measured("mean(power)").unwrap().1, "W");
    let (when, unit) = measured("argmax(piston.x)").unwrap();
    assert_eq!((when, unit.as_str()), (0.0, "s"));
    assert!((measured("argmin(piston.x)").unwrap().0 - std::f64::consts::PI / 20.0).abs() < 1e-12);
    // A turn's rms of a sine, by trapezia over a whole period: exact.
    assert!((measured("rms(crank.B.y)").unwrap().0 - 0.1 / 2f64.sqrt()).abs() < 1e-12);
    assert!((measured("range(crank.B.x)").unwrap().0 - 0.2).abs() < 1e-12);
    assert!((measured("at(crank.B.y, 0.05)").unwrap().0 - 0.1 * 1f64.sin()).abs() < 1e-6);
    // Of two arguments the greater at each sample.
    assert!((measured("min(max(crank.B.x, 0.05 m))").unwrap().0 - 0.05).abs() < 1e-15);
    assert!((measured("max(norm(crank.B.v))").unwrap().0 - 2.0).abs() < 1e-12);
    let told = measured("max(rod.axal)").unwrap_err().to_string();
    assert!(told.contains("did you mean 'rod.axial'?"), "{told}");
    assert!(measured("max(rod.axial + 1 m)").unwrap_err().to_string().contains("force"));
    // Words of messages are the user's own.
    let told = measured("max(rod.axial) + 2*max(crank.B.x)").unwrap_err().to_string();
    assert!(told.contains("'max(rod.axial)' is a force, '2*max(crank.B.x)' is a length"), "{told}");
    let told = measured("at(crank.B.x, 7)").unwrap_err().to_string();
    assert!(
        told.contains("measure 'm'") && told.contains("t = 7 s lies outside of the motion, from t = 0 s"),
        "{told}"
    );
    let told = measured("norm(crank.B.v)").unwrap_err().to_string();
    assert!(told.contains("'crank.B.v' is a vector of signals") && told.contains("max(norm(crank.B.v))"), "{told}");
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

/// The rod is stretched most in the outer dead centre: m r ω² (1 + r/l).
fn greatest_tension(l: f64) -> f64 {
    2.0 * 0.1 * 400.0 * (1.0 + 0.1 / l)
}

#[test]
fn sweeps_measure_them() {
    let document = Document::from_toml(&Source::new("m.toml", SLIDER_CRANK)).unwrap();
    let options = Options { steps: Some(8), ..Options::default() };
    let measure = pairs(&[("tension", "max(rod.axial)"), ("own", "max(abs(power - motor.power))"), ("v", "mean(pin)")]);
    let asked = Asked { vary: pairs(&[("l", "0.2:0.5:4")]), measure, ..Asked::default() };
    let plan = document.plan(&options, &asked).unwrap();
    let sweep = Sweep::new(&document, &options, plan, None, METHODS[0]).unwrap();
    let rows = sweep.chunk(0);
    let column = |k: usize| &rows.columns[k];
    for (k, l) in column(0).iter().enumerate() {
        assert!((column(1)[k] - greatest_tension(*l)).abs() < ROUNDING * 100.0, "{l}: {}", column(1)[k]);
        assert!(column(2)[k] < 1e-9 && (column(3)[k] - 2.0).abs() < ROUNDING, "{l}");
    }
    assert_eq!(column(0).len(), 4);
}

#[test]
fn optimisation_keeps_limits_on_them() {
    let document = Document::from_toml(&Source::new("m.toml", SLIDER_CRANK)).unwrap();
    let options = Options { steps: Some(8), ..Options::default() };
    let asked = AskedGoal {
        vary: pairs(&[("l", "0.25:0.6")]),
        minimise: pairs(&[("size", "l/(1 m) + 0*max(shaking)/(1 N)")]),
        limit: pairs(&[("tension", "max(rod.axial) <= 98 N")]),
        starts: Some(1),
        samples: Some(4),
        ..AskedGoal::default()
    };
    let goal = document.goal(&options, &asked).unwrap();
    let found = Optimisation::new(&document, &options, goal, None, METHODS[0]).unwrap().solve(1, &|_| true).unwrap();
    // The shortest rod whose tension keeps the limit.
    let l = found.parameters[0].best;
    assert!((greatest_tension(l) - 98.0).abs() < 1e-4 && (l - 0.1 / 0.225).abs() < 1e-6, "{l}");
}

/// A block in a plane, led by a point along x and y and turned by its joint.
const LED: &str = r#"
gravity = [0, 0, 0]
[bodies.block]
mass = 3
inertia = [1, 1, 2]
points = { P = [0.5, 0, 0] }
[joints.f]
type = "planar"
bodies = ["ground", "block"]
at = [[0, 0, 0], [0, 0, 0]]
axis = "z"
[drivers.push]
point = "block.P"
along = "x"
value = "0.5 + t^2"
[drivers.side]
point = "block.P"
along = "y"
value = "0.2*sin(t)"
[drivers.turn]
joint = "f"
coordinate = "angle"
value = "t^2/2"
[signals]
p1 = "push.effort*block.P.vx"
p2 = "side.effort*block.P.vy"
p3 = "turn.effort*f.angle.rate"
[run]
analysis = "inverse-dynamics"
end = 1
"#;

#[test]
fn drivers_of_points_push_against_the_ground_and_have_power() {
    let found = everything(&parse(LED));
    let of = |name: &str, k: usize| column(&found, name)[k];
    for k in 0..found.len() {
        for (power, own) in [("push.power", "p1"), ("side.power", "p2"), ("turn.power", "p3")] {
            assert!((of(power, k) - of(own, k)).abs() < ROUNDING, "{power}");
        }
        // Nothing but the drivers holds the block in its plane: the ground bears what they give.
        let (x, y) = (of("block.P.x", k), of("block.P.y", k));
        let (fx, fy, m) = (of("push.effort", k), of("side.effort", k), of("turn.effort", k));
        assert!((of("ground.fx", k) + fx).abs() < ROUNDING && (of("ground.fy", k) + fy).abs() < ROUNDING);
        assert!((of("ground.mz", k) + m + x * fy - y * fx).abs() < ROUNDING);
    }
}
