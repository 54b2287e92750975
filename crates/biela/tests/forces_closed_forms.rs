//! Reactions and efforts against formulas worked out by hand.

mod common;

use biela::math::{EulerParameters, Vec3};
use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::kinematics;
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::*;
use common::record::{held, CLOSED};

/// Relative to the signal's largest magnitude; formulas and program are each good to a few roundings of condition 100.
const EXACT: f64 = 1e-11;
const G: f64 = 9.81;

/// Both formulations that tell forces.
fn solved(model: &Model) -> [Results; 2] {
    ["absolute", "relative"].map(|formulation| {
        let mut model = model.clone();
        if model.study.analysis == Analysis::Kinematics {
            model.study.analysis = Analysis::InverseDynamics;
        }
        kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
    })
}

/// Holds a signal of both runs to a law of the sample's index, beside other signals of magnitude `least`.
fn is(results: &[Results; 2], signal: &str, least: f64, law: impl Fn(&Results, usize) -> f64) {
    for results in results {
        let found = column(results, signal);
        let wanted: Vec<f64> = (0..results.len()).map(|k| law(results, k)).collect();
        let scale = magnitude(&wanted, least);
        for (k, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            let off = (found - wanted).abs() / scale;
            held(CLOSED, signal, EXACT, off, format_args!("sample {k}: {found} where {wanted} is due"));
        }
    }
}

/// The slider-crank from the piston backwards: rod angle b with l sin b = −r sin a.
#[test]
fn slider_crank_reactions() {
    let results = solved(&load("slider-crank", &set(&[])));
    let (r, l, w) = (2.0, 3.5, std::f64::consts::TAU);
    // Masses and moments about z as the model has them, mass centres at mid length; the crank does not speed up.
    let (m1, m2, i2, m3) = (1.5, 2.0, 2.05, 1.0);
    struct Forces {
        piston: [f64; 2],
        pin: [f64; 2],
        main: [f64; 2],
        torque: f64,
    }
    let at = |t: f64| {
        let a = std::f64::consts::FRAC_PI_4 + w * t;
        let (sa, ca) = a.sin_cos();
        let sb = -r * sa / l;
        let cb = (1.0 - sb * sb).sqrt();
        let b1 = -r * ca * w / (l * cb);
        let b2 = (r * sa * w * w / l + sb * b1 * b1) / cb;
        // Accelerations of the pin, the rod's centre and the piston.
        let pin = [-r * w * w * ca, -r * w * w * sa];
        let arm = |s: f64| [pin[0] + s * (-sb * b2 - cb * b1 * b1), pin[1] + s * (cb * b2 - sb * b1 * b1)];
        let (middle, piston) = (arm(0.5 * l), arm(l));
        let cx = m3 * piston[0];
        // Moments of the rod about the crank pin: the piston's reaction at l, weight and inertia at l/2.
        let inertia = i2 * b2 + 0.5 * l * m2 * (cb * (middle[1] + G) - sb * middle[0]);
        let cy = -(inertia - l * sb * cx) / (l * cb);
        let bx = m2 * middle[0] + cx;
        let by = m2 * (middle[1] + G) + cy;
        let centre = [-0.5 * r * w * w * ca, -0.5 * r * w * w * sa];
        let (ox, oy) = (m1 * centre[0] + bx, m1 * (centre[1] + G) + by);
        let torque = 0.5 * r * m1 * (ca * (centre[1] + G) - sa * centre[0]) + r * (ca * by - sa * bx);
        Forces { piston: [cx, cy], pin: [bx, by], main: [ox, oy], torque }
    };
    let of = |results: &Results, k: usize| at(results.times()[k]);
    is(&results, "C.fx", 1.0, |r, k| of(r, k).piston[0]);
    is(&results, "C.fy", 1.0, |r, k| of(r, k).piston[1]);
    is(&results, "B.fx", 1.0, |r, k| of(r, k).pin[0]);
    is(&results, "B.fy", 1.0, |r, k| of(r, k).pin[1]);
    is(&results, "O.fx", 1.0, |r, k| of(r, k).main[0]);
    is(&results, "O.fy", 1.0, |r, k| of(r, k).main[1]);
    // The guide bears the piston's weight and what the rod presses.
    is(&results, "guide.fy", 1.0, |r, k| m3 * G - of(r, k).piston[1]);
    is(&results, "guide.mz", 1.0, |_, _| 0.0);
    is(&results, "motor.effort", 1.0, |r, k| of(r, k).torque);
}

/// Four-bar by virtual work: effort · rate = d(T + V)/dt, with the energy from the angles in closed form and its rate by
/// differences of eighth order.
#[test]
fn four_bar_torque_by_virtual_work() {
    let model = load("four-bar", &set(&[("omega", "3"), ("accel", "2")]));
    let (a, b, c, d) = (2.0f64, 8.0f64, 5.0f64, 10.0f64);
    let line = std::f64::consts::PI * 0.04 * 0.04 * 1000.0;
    let angle = |t: f64| 60f64.to_radians() + 3.0 * t + t * t;
    // Coupler and rocker angles: the pin P2 by two circles, above the line of P1 and B.
    let angles = |t: f64| {
        let p = [a * angle(t).cos(), a * angle(t).sin()];
        let (dx, dy) = (d - p[0], -p[1]);
        let s = dx.hypot(dy);
        let along = (s * s + b * b - c * c) / (2.0 * s);
        let height = (b * b - along * along).sqrt();
        let q = [p[0] + (along * dx - height * dy) / s, p[1] + (along * dy + height * dx) / s];
        [angle(t), (q[1] - p[1]).atan2(q[0] - p[0]), q[1].atan2(q[0] - d)]
    };
    let difference = |f: &dyn Fn(f64) -> f64, t: f64| {
        let h = 1e-2;
        let pair = |k: f64| f(t + k * h) - f(t - k * h);
        (pair(1.0) * 4.0 / 5.0 - pair(2.0) / 5.0 + pair(3.0) * 4.0 / 105.0 - pair(4.0) / 280.0) / h
    };
    let energy = |t: f64| {
        let rate = |k: usize| difference(&|t| angles(t)[k], t);
        let [ta, tb, tc] = angles(t);
        let (wa, wb, wc) = (rate(0), rate(1), rate(2));
        // Bars of mass line · length; the coupler's centre moves with the crank pin and about it.
        let bar = |l: f64, w: f64| line * l * l * l * w * w / 6.0;
        let v = [-a * wa * ta.sin() - 0.5 * b * wb * tb.sin(), a * wa * ta.cos() + 0.5 * b * wb * tb.cos()];
        let coupler = 0.5 * line * b * (v[0] * v[0] + v[1] * v[1]) + line * b * b * b * wb * wb / 24.0;
        let height = a * (0.5 * a) * ta.sin() + b * (a * ta.sin() + 0.5 * b * tb.sin()) + c * 0.5 * c * tc.sin();
        // A bar of finite thickness has a little more about z.
        let thick = 0.25 * 0.04 * 0.04 * line * 0.5 * (a * wa * wa + b * wb * wb + c * wc * wc);
        bar(a, wa) + coupler + bar(c, wc) + thick + line * G * height
    };
    let mut model = model;
    (model.study.end, model.study.steps) = (1.5, 30);
    let results = solved(&model);
    /// Differences of eighth order at 0.01 s, twice one after the other.
    const DIFFERENCES: f64 = 1e-8;
    for results in &results {
        let (effort, t) = (column(results, "motor.effort"), results.times());
        let scale = magnitude(effort, 1.0);
        for k in 0..results.len() {
            let wanted = difference(&energy, t[k]) / (3.0 + 2.0 * t[k]);
            let off = (effort[k] - wanted).abs() / scale;
            assert!(off < DIFFERENCES, "t = {}: {} where {wanted} is due ({off:e})", t[k], effort[k]);
        }
    }
}

#[test]
fn gears_pass_torque_on_by_their_ratio() {
    let model = altered("gear-train", &[("value = \"omega*t\"", "value = \"3*t^2\"")]);
    let results = solved(&model);
    let (j1, j2, j3) = (2e-5, 1.2e-4, 5e-4);
    let (a1, r1, r2) = (6.0, -0.5, -1.0 / 3.0);
    let second = j3 * a1 * r1 * r2;
    let first = j2 * a1 * r1 + r2 * second;
    is(&results, "second.effort", 0.0, |_, _| second);
    is(&results, "first.effort", 0.0, |_, _| first);
    is(&results, "motor.effort", 0.0, |_, _| j1 * a1 + r1 * first);
    // Weights rest in the bearings; the gears' forces are inner torques here.
    is(&results, "C.fy", 0.0, |_, _| G);
}

#[test]
fn a_screw_turns_torque_into_thrust() {
    let model = altered("power-screw", &[("value = \"omega*t\"", "value = \"5*t^2\"")]);
    let results = solved(&model);
    let lead = 4e-3 / std::f64::consts::TAU;
    let thrust = 0.8 * (G - 10.0 * lead);
    // The nut goes down as the spindle turns on.
    is(&results, "motor.effort", 0.0, |_, _| 2e-4 * 10.0 - lead * thrust);
    is(&results, "bearing.fz", 0.0, |_, _| 2.0 * G + thrust);
}

const ARM: &str = r#"
gravity = [0, -9.81, 0]
[bodies.upper]
mass = 3
com = [0.4, 0.1, 0]
inertia = [0.05, 0.2, 0.22]
[bodies.fore]
mass = 2
com = [0.3, -0.05, 0]
inertia = [0.02, 0.1, 0.11]
points = { hand = [0.7, 0, 0] }
pose = { at = [0.9, 0, 0] }
[joints.shoulder]
type = "revolute"
bodies = ["ground", "upper"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.elbow]
type = "revolute"
bodies = ["upper", "fore"]
at = [[0.9, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[drivers.one]
joint = "shoulder"
value = "0.3 + sin(2*t)"
[drivers.two]
joint = "elbow"
value = "1 - 0.5*t + 0.7*cos(3*t)"
[run]
end = 2
steps = 40
"#;

/// Torques of the planar arm by the recursion outwards and inwards, written out in components.
fn arm_torques(t: f64) -> [f64; 2] {
    let (q1, w1, a1) = (0.3 + (2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin());
    let (q2, w2, a2) = (1.0 - 0.5 * t + 0.7 * (3.0 * t).cos(), -0.5 - 2.1 * (3.0 * t).sin(), -6.3 * (3.0 * t).cos());
    let turn = |q: f64, p: [f64; 2]| [q.cos() * p[0] - q.sin() * p[1], q.sin() * p[0] + q.cos() * p[1]];
    let shift =
        |a: [f64; 2], p: [f64; 2], w: f64, al: f64| [a[0] - al * p[1] - w * w * p[0], a[1] + al * p[0] - w * w * p[1]];
    let cross = |p: [f64; 2], f: [f64; 2]| p[0] * f[1] - p[1] * f[0];
    let elbow = turn(q1, [0.9, 0.0]);
    let (c1, c2) = (turn(q1, [0.4, 0.1]), turn(q1 + q2, [0.3, -0.05]));
    // Gravity as an upward acceleration of the base.
    let base = [0.0, G];
    let ae = shift(base, elbow, w1, a1);
    let (f1, f2) = (shift(base, c1, w1, a1).map(|a| 3.0 * a), shift(ae, c2, w1 + w2, a1 + a2).map(|a| 2.0 * a));
    let two = 0.11 * (a1 + a2) + cross(c2, f2);
    let one = two + 0.22 * a1 + cross(c1, f1) + cross(elbow, f2);
    [one, two]
}

#[test]
fn planar_arm_by_hand_and_driven_at_its_hand() {
    let results = solved(&parse(ARM));
    is(&results, "one.effort", 0.0, |r, k| arm_torques(r.times()[k])[0]);
    is(&results, "two.effort", 0.0, |r, k| arm_torques(r.times()[k])[1]);
    // The same motion prescribed at the hand: forces F there with Jᵀ F = torques.
    let by_hand = ARM
        .replace("joint = \"shoulder\"\nvalue = \"0.3 + sin(2*t)\"", "point = \"fore.hand\"\nalong = \"x\"\nvalue = \"0.9*cos(0.3 + sin(2*t)) + 0.7*cos(1.3 - 0.5*t + 0.7*cos(3*t) + sin(2*t))\"")
        .replace("joint = \"elbow\"\nvalue = \"1 - 0.5*t + 0.7*cos(3*t)\"", "point = \"fore.hand\"\nalong = \"y\"\nvalue = \"0.9*sin(0.3 + sin(2*t)) + 0.7*sin(1.3 - 0.5*t + 0.7*cos(3*t) + sin(2*t))\"")
        .replace("pose = { at = [0.9, 0, 0] }", "pose = { at = [\"0.9*cos(0.3)\", \"0.9*sin(0.3)\", 0], angle = 2, axis = [0, 0, 1] }")
        .replace("[bodies.upper]\n", "[bodies.upper]\npose = { angle = 0.3, axis = [0, 0, 1] }\n")
        // While the elbow stays clear of the stretched and the folded position.
        .replace("end = 2", "end = 0.5");
    let results = solved(&parse(&by_hand));
    for leaf in ["one.effort", "two.effort"] {
        is(&results, leaf, 0.0, |r, k| {
            let (q1, q) =
                (column(r, "shoulder.angle")[k], column(r, "elbow.angle")[k] + column(r, "shoulder.angle")[k]);
            let [t1, t2] = arm_torques(r.times()[k]);
            // J = [[−y, −y2], [x, x2]] with (x2, y2) from elbow to hand.
            let (x2, y2) = (0.7 * q.cos(), 0.7 * q.sin());
            let (x, y) = (0.9 * q1.cos() + x2, 0.9 * q1.sin() + y2);
            let det = -y * x2 + y2 * x;
            if leaf == "one.effort" {
                (x2 * t1 - x * t2) / det
            } else {
                (y2 * t1 - y * t2) / det
            }
        });
    }
}

/// A driven pendulum of mass 2 at 0.5 on x, moment of inertia 0.3 about its mass centre.
fn pendulum(load: &str) -> Model {
    parse(&format!(
        r#"
gravity = [0, -9.81, 0]
[bodies.bob]
mass = 2
com = [0.5, 0, 0]
inertia = [0.1, 0.3, 0.3]
points = {{ tip = [1, 0, 0] }}
[joints.O]
type = "revolute"
bodies = ["ground", "bob"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[drivers.motor]
joint = "O"
value = "0.4 + 1.5*sin(3*t)"
{load}
[run]
end = 2
steps = 50
"#
    ))
}

/// Effort of the driver: inertia and weight less what the load gives for the coordinate (angle, rate, time).
fn pendulum_effort(load: &str, given: impl Fn(f64, f64, f64) -> f64) {
    let results = solved(&pendulum(load));
    is(&results, "motor.effort", 0.0, |r, k| {
        let t = r.times()[k];
        let (q, w, a) = (0.4 + 1.5 * (3.0 * t).sin(), 4.5 * (3.0 * t).cos(), -13.5 * (3.0 * t).sin());
        (0.3 + 2.0 * 0.25) * a + 2.0 * G * 0.5 * q.cos() - given(q, w, t)
    });
    // Drivers and loads along the coordinate are no part of the reaction.
    is(&results, "O.mz", 1.0, |_, _| 0.0);
}

#[test]
fn loads_act_as_their_formulas_say() {
    pendulum_effort("", |_, _, _| 0.0);
    let of = |rest: &str| format!("[forces.load]\n{rest}\n");
    pendulum_effort(
        &of("type = \"joint-spring\"\njoint = \"O\"\nstiffness = 7\ndamping = 0.6\nrest = 0.2"),
        |q, w, _| -7.0 * (q - 0.2) - 0.6 * w,
    );
    pendulum_effort(
        &of("type = \"joint-torque\"\njoint = \"O\"\nvalue = \"2*t - O.angle*O.angle.rate\""),
        |q, w, t| 2.0 * t - q * w,
    );
    pendulum_effort(&of("type = \"friction\"\njoint = \"O\"\nviscous = 0.4\ncoulomb = 1.5"), |_, w, _| {
        -0.4 * w - 1.5 * (w / 1e-3).tanh()
    });
    pendulum_effort(&of("type = \"motor\"\njoint = \"O\"\nstall = 12\nspeed = 6"), |_, w, _| 12.0 * (1.0 - w / 6.0));
    pendulum_effort(&of("type = \"force\"\nbody = \"bob\"\nat = \"tip\"\nvalue = [3, \"5*t\", 0]"), |q, _, t| {
        q.cos() * 5.0 * t - q.sin() * 3.0
    });
    pendulum_effort(
        &of("type = \"force\"\nbody = \"bob\"\nat = \"tip\"\nframe = \"body\"\nvalue = [3, \"5*t\", 1]"),
        |_, _, t| 5.0 * t,
    );
    pendulum_effort(
        &of("type = \"torque\"\nbody = \"bob\"\nframe = \"body\"\nvalue = [0.5, 0, \"sin(t)\"]"),
        |_, _, t| t.sin(),
    );
    // Between the tip and the ground point (0, 2, 0): l² = 5 − 4 sin q, so dl/dq = −2 cos q / l.
    let between = "bodies = [\"ground\", \"bob\"]\nat = [[0, 2, 0], \"tip\"]";
    let length = |q: f64| (5.0 - 4.0 * q.sin()).sqrt();
    pendulum_effort(&of(&format!("type = \"spring\"\n{between}\nstiffness = 40\nlength = 1.2")), |q, _, _| {
        let l = length(q);
        -40.0 * (l - 1.2) * (-2.0 * q.cos() / l)
    });
    pendulum_effort(&of(&format!("type = \"damper\"\n{between}\ndamping = 3")), |q, w, _| {
        let slope = -2.0 * q.cos() / length(q);
        -3.0 * slope * w * slope
    });
    pendulum_effort(
        &of(&format!("type = \"spring-damper\"\n{between}\nstiffness = 40\ndamping = 3\nlength = 1.2")),
        |q, w, _| {
            let (l, slope) = (length(q), -2.0 * q.cos() / length(q));
            -(40.0 * (l - 1.2) + 3.0 * slope * w) * slope
        },
    );
}

/// A rod without mass between two pins carries force along its line alone.
#[test]
fn a_massless_link_is_a_strut() {
    let text = text("four-bar")
        .replace("shape = { type = \"rod\", length = \"coupler\", radius = 0.04, density = 1000 }\n", "");
    let model = parse(&text);
    assert!(model.bodies[2].mass.is_none() && model.bodies[1].mass.is_some());
    for results in solved(&model) {
        let largest = magnitude(column(&results, "P1.fx"), 1.0);
        for k in 0..results.len() {
            let at = |name: &str| column(&results, name)[k];
            let (dx, dy) = (at("coupler.P2.x") - at("coupler.P1.x"), at("coupler.P2.y") - at("coupler.P1.y"));
            let across = (at("P1.fx") * dy - at("P1.fy") * dx) / 8.0;
            assert!(across.abs() < EXACT * largest, "sample {k}: {across:e}");
            assert!((at("P1.fx") - at("P2.fx")).abs() < EXACT * largest);
        }
    }
}

/// A body turned about its mass centre needs I α + ω × I ω.
#[test]
fn orientation_drivers_supply_the_rate_of_spin() {
    let model = parse(
        r#"
gravity = [0, 0, -9.81]
[bodies.top]
mass = 4
inertia = [0.3, 0.5, 0.6, 0.05, -0.02, 0.04]
[joints.ball]
type = "spherical"
bodies = ["ground", "top"]
at = [0, 0, 0]
[drivers.attitude]
body = "top"
orientation = ["0.5*sin(2*t)", "0.3*cos(3*t)", "2*t"]
[run]
end = 1
steps = 20
"#,
    );
    let results = solved(&model);
    let [xx, yy, zz, xy, xz, yz] = [0.3, 0.5, 0.6, 0.05, -0.02, 0.04];
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        is(&results, &format!("attitude.effort.{name}"), 0.0, |r, k| {
            let of = |leaves: [&str; 3]| {
                let [x, y, z] = leaves.map(|leaf| column(r, &format!("top.{leaf}"))[k]);
                Vec3::new(x, y, z)
            };
            let e = ["e0", "e1", "e2", "e3"].map(|leaf| column(r, &format!("top.{leaf}"))[k]);
            let rotation = EulerParameters(e).rotation();
            let inertia = |u: Vec3| {
                let u = rotation.apply_transposed(u);
                let row = |x, y, z| Vec3::new(x, y, z).dot(u);
                rotation.apply(Vec3::new(row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz)))
            };
            let (w, alpha) = (of(["wx", "wy", "wz"]), of(["alx", "aly", "alz"]));
            (inertia(alpha) + w.cross(inertia(w))).to_array()[axis]
        });
        is(&results, &format!("ball.f{name}"), 1.0, |_, _| if axis == 2 { 4.0 * G } else { 0.0 });
        is(&results, &format!("ball.m{name}"), 1.0, |_, _| 0.0);
    }
}

#[test]
fn an_idle_rod_out_of_balance_is_warned_of() {
    let warning = |model: &Model| {
        let all = solved(model).map(|r| r.note("warning").map(str::to_string));
        assert_eq!(all[0].is_some(), all[1].is_some());
        all[0].clone()
    };
    assert_eq!(warning(&load("cssp", &set(&[]))), None);
    let off = altered("cssp", &[("com  = [\"3.055 in\", 0, 0]", "com  = [\"3.055 in\", \"0.2 in\", 0]")]);
    let told = warning(&off).unwrap();
    assert!(told.contains("'rod'") && told.contains("N m"), "{told}");
}

/// Statics leaves inertia out: a fast pendulum needs what a slow one needs.
#[test]
fn statics_leaves_inertia_out() {
    let mut model = pendulum("");
    model.study.analysis = Analysis::Statics;
    let results = solved(&model);
    is(&results, "motor.effort", 0.0, |r, k| 2.0 * G * 0.5 * (0.4 + 1.5 * (3.0 * r.times()[k]).sin()).cos());
    is(&results, "O.fy", 0.0, |_, _| 2.0 * G);
}

#[test]
fn forces_need_gravity_to_be_stated() {
    let text = ARM.replace("gravity = [0, -9.81, 0]", "");
    let mut model = parse(&text);
    model.study.analysis = Analysis::InverseDynamics;
    let error = kinematics::run(&model, "absolute", |_, _| true).unwrap_err().to_string();
    assert!(error.contains("gravity"), "{error}");
}

/// Two discs and a slide; the first disc is driven, `coupling` joins the others to it.
fn train(coupling: &str, second: &str) -> Model {
    let text = format!(
        "gravity = [0, 0, 0]\n\
         [bodies.a]\nmass = 1\ninertia = [1, 1, 0.3]\n[bodies.b]\nmass = 1\ncom = [1, 0, 0]\ninertia = [1, 1, 0.7]\n[bodies.c]\nmass = 4\ninertia = [1, 1, 1]\n\
         [joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n\
         [joints.B]\ntype = \"revolute\"\nbodies = [\"ground\", \"b\"]\nat = [1, 0, 0]\naxis = \"z\"\n\
         [joints.C]\ntype = \"prismatic\"\nbodies = [\"ground\", \"c\"]\nat = [0, 1, 0]\naxis = \"x\"\n\
         [couplings.k]\n{coupling}\n\
         [drivers.motor]\njoint = \"A\"\nvalue = \"0.2 + sin(2*t)\"\n\
         [drivers.other]\njoint = \"{second}\"\nvalue = 0\n\
         [run]\nanalysis = \"inverse-dynamics\"\nend = 1\nsteps = 20\n"
    );
    let document = Document::from_toml(&Source::new("train.toml", text)).unwrap_or_else(|e| panic!("{e}"));
    document.model(&Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// A coupling's effort is that along its last coordinate, in the order of the joints: J times the acceleration of what it moves, the
/// same for a gear, a rack and every way in which the same relation can be written. It takes no power: the motor's is the rest.
#[test]
fn coupling_efforts_do_not_depend_on_how_they_are_written() {
    let accel = |t: f64| -4.0 * (2.0 * t).sin();
    let t_of = |r: &Results, k: usize| column(r, "t")[k];
    let of = |value: &str| format!("type = \"coupling\"\nvalue = \"{value}\"");
    let turning = [
        "type = \"gear\"\njoints = [\"A\", \"B\"]\nratio = 2".to_string(),
        of("B.angle - 2*A.angle"),
        of("7*(B.angle - 2*A.angle)"),
        of("2*A.angle - B.angle"),
        of("A.angle - B.angle/2"),
        of("sinh(3*(B.angle - 2*A.angle))"),
        of("exp(2*A.angle) - exp(B.angle)"),
        of("1e4*(2*A.angle - B.angle) + t - t"),
    ];
    for coupling in &turning {
        let results = solved(&train(coupling, "C"));
        is(&results, "k.effort", 1.0, |r, k| 0.7 * 2.0 * accel(t_of(r, k)));
        is(&results, "motor.effort", 1.0, |r, k| (0.3 + 0.7 * 4.0) * accel(t_of(r, k)));
    }
    let sliding = [
        "type = \"rack\"\njoints = [\"A\", \"C\"]\nradius = \"50 mm\"".to_string(),
        of("C.slide - 50 mm*A.angle"),
        of("A.angle - C.slide/(50 mm)"),
        of("atan(-300*(C.slide - 50 mm*A.angle))"),
    ];
    for coupling in &sliding {
        let results = solved(&train(coupling, "B"));
        is(&results, "k.effort", 1.0, |r, k| 4.0 * 0.05 * accel(t_of(r, k)));
        is(&results, "motor.effort", 1.0, |r, k| (0.3 + 4.0 * 0.0025) * accel(t_of(r, k)));
    }
    // A relation that is no straight line: B = A + A²/2, whatever it is multiplied by.
    for value in ["B.angle - A.angle - A.angle^2/2", "-3*(B.angle - A.angle - A.angle^2/2)*(2 + A.angle)"] {
        let results = solved(&train(&of(value), "C"));
        is(&results, "k.effort", 1.0, |r, k| {
            let t = t_of(r, k);
            let (a, v) = (0.2 + (2.0 * t).sin(), 2.0 * (2.0 * t).cos());
            0.7 * ((1.0 + a) * accel(t) + v * v)
        });
    }
}

/// A closed cam table has no seam: over several turns the follower's acceleration is continuous where the table begins.
#[test]
fn a_closed_cam_has_no_seam() {
    /// The table's points are lines of an exact curve; between them a cubic spline of 10 degrees is good to this, of 9 mm lift.
    const INTERPOLATION: f64 = 1e-3;
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("seam");
    std::fs::create_dir_all(&folder).unwrap();
    // The lift 5 + 4 sin(x + 1) mm: nothing is special at x = 0.
    let law = |x: f64| 0.005 + 0.004 * (x + 1.0).sin();
    let rows = (0..=36).map(|k| format!("{}; {:.9}\n", 10 * k, 1e3 * law(f64::from(10 * k).to_radians())));
    std::fs::write(folder.join("lift.csv"), format!("angle [deg]; lift [mm]\n{}", rows.collect::<String>())).unwrap();
    let text = "[bodies.cam]\n[bodies.follower]\n\
         [joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"cam\"]\nat = [0, 0, 0]\naxis = \"z\"\n\
         [joints.C]\ntype = \"prismatic\"\nbodies = [\"ground\", \"follower\"]\nat = [0, 1, 0]\naxis = \"y\"\n\
         [couplings.k]\ntype = \"cam\"\njoints = [\"A\", \"C\"]\nprofile = { table = \"lift.csv\" }\n\
         [drivers.motor]\njoint = \"A\"\nvalue = \"-7 + 2*pi*t\"\n\
         [run]\nend = 3\nsteps = 300\n";
    let mut document = Document::from_toml(&Source::new("seam.toml", text)).unwrap();
    document.folder = folder;
    let results = run(&document.model(&Options::default()).unwrap());
    let w = std::f64::consts::TAU;
    for (k, t) in column(&results, "t").iter().enumerate() {
        let x = -7.0 + w * t;
        let due = [law(x), 0.004 * w * (x + 1.0).cos(), -0.004 * w * w * (x + 1.0).sin()];
        for (signal, (due, scale)) in
            ["C.slide", "C.slide.rate", "C.slide.accel"].iter().zip(due.iter().zip([0.004, 0.004 * w, 0.004 * w * w]))
        {
            let off = (column(&results, signal)[k] - due).abs() / scale;
            // Curvature of a cubic spline errs by h²/12 of the fourth derivative: 0.0025 at 10 degrees.
            let tolerance = if signal.ends_with("accel") { 4.0 * INTERPOLATION } else { INTERPOLATION };
            assert!(off < tolerance, "{signal} at {t}: {off}");
        }
    }
}
