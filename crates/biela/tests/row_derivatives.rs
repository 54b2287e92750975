//! Each constraint level is the derivative of the one before: Φ_v against differences of Φ, and γ against differences of
//! Φ_v v − ν, for every form of row, every measure, every formulation, at random positions and velocities.
#![allow(non_snake_case)]

mod common;
mod own;

use biela::couplings::{self, CoordinateRef, Coupling, Train};
use biela::drivers::{Attitude, BodyAngle, Driver, Target};
use biela::expr::{Expression, Name};
use biela::joints;
use biela::math::Vec3;
use biela::model::Model;
use biela::motion::{Motion, Spline};
use biela::system::{formulations, System, Workspace};
use common::{body, joint, model, Stream};

/// Central differences with step 1e-5 of functions of order one: truncation 1e-10, rounding 1e-11, and room for third
/// derivatives of order a hundred.
const DIFFERENCE: f64 = 2e-7;
const STEP: f64 = 1e-5;

fn law(text: &str) -> Motion {
    Motion::Expression(Expression::parse(text, &[("t", Name::Variable(0))]).unwrap())
}

fn coupling(name: &str, keyword: &str, coordinates: Vec<CoordinateRef>) -> Coupling {
    Coupling {
        name: name.into(),
        kind: couplings::kind(keyword).unwrap(),
        coordinates,
        ratio: -1.7,
        offset: 0.2,
        train: None,
        profile: None,
        period: None,
        value: None,
        span: None,
    }
}

/// Three bodies with one joint of every type between some two of them, one coupling of every type, one driver of every type.
fn everything(seed: u64) -> Model {
    own::registered();
    let mut s = Stream(seed);
    let bodies = ["a", "b", "c"].map(|name| body(name, s.pose()));
    let pairs = [[0, 1], [1, 2], [2, 3], [3, 1]];
    let mut list: Vec<joints::Joint> = (joints::all().into_iter().enumerate())
        .map(|(k, kind)| joint(kind.keyword(), kind, pairs[k % 4], [s.pose(), s.pose()]))
        .collect();
    for joint in &mut list {
        joint.value = law("0.7 + 0.3*sin(2*t)");
    }
    let at = |keyword: &str| list.iter().position(|j| j.kind.keyword() == keyword).unwrap();
    let of = |keyword: &str, coordinate: usize| CoordinateRef { joint: at(keyword), coordinate };
    let (angle, slide) = (of("revolute", 0), of("prismatic", 0));
    let mut cam = coupling("cam", "cam", vec![angle, slide]);
    cam.profile = Some(law("0.3*sin(2*t) + 0.1*t^2"));
    let mut table = coupling("table", "cam", vec![angle, slide]);
    let x: Vec<f64> = (0..80).map(|k| -8.0 + 0.2 * k as f64).collect();
    let y: Vec<f64> = x.iter().map(|x| x.cos()).collect();
    table.profile = Some(Motion::Table(Spline::new(&x, &y).unwrap()));
    let mut general = coupling("general", "coupling", vec![angle, slide, of("universal", 1)]);
    let scope =
        [("t", Name::Variable(0)), ("a", Name::Variable(1)), ("s", Name::Variable(2)), ("u", Name::Variable(3))];
    general.value = Some(Expression::parse("sin(a)*s + u^2*t - 0.3*a*u", &scope).unwrap());
    let mut planetary = coupling("planetary", "gear", vec![angle, of("screw", 0), of("cylindrical", 0)]);
    planetary.train =
        Some(Train { sizes: Some([20.0, 34.0]), internal: false, carrier: 1, wheels: [2, 3], arms: vec![0.4] });
    let couplings = vec![
        coupling("gear", "gear", vec![angle, of("cylindrical", 0)]),
        planetary,
        coupling("belt", "belt", vec![angle, of("actuator", 0)]),
        coupling("rack", "rack", vec![angle, slide]),
        cam,
        table,
        general,
    ];
    let driver = |name: &str, target: Target| Driver { name: name.into(), target, effort: Vec::new(), span: None };
    let drivers = vec![
        driver("motor", Target::Coordinate { of: angle, value: law("t + 0.2*t^3") }),
        driver("ram", Target::Coordinate { of: of("actuator", 0), value: law("1 + 0.2*sin(t)") }),
        driver("roll", Target::angle(1, BodyAngle::Roll, law("t^2"))),
        driver("pitch", Target::angle(2, BodyAngle::Pitch, law("0.3*t"))),
        driver("yaw", Target::angle(3, BodyAngle::Yaw, law("sin(t)"))),
        driver(
            "hand",
            Target::Point { body: 2, p_B: s.vector(), along: s.vector().unit().unwrap(), value: law("cos(3*t)") },
        ),
        driver(
            "euler",
            Target::Orientation {
                body: 1,
                attitude: Attitude::Euler(Box::new([law("1+t"), law("sin(t)"), law("t^2"), law("0.3")])),
            },
        ),
        driver(
            "rpy",
            Target::Orientation {
                body: 3,
                attitude: Attitude::Rpy(Box::new([law("2*t"), law("sin(t)"), law("-t^2")])),
            },
        ),
    ];
    let mut made = model(bodies.to_vec(), list);
    made.change_mechanism(|mechanism| mechanism.couplings = couplings);
    made.drivers = drivers.into();
    made
}

struct Bench<'m> {
    system: System<'m>,
    ws: Workspace,
    q: Vec<f64>,
}

impl Bench<'_> {
    fn new<'m>(model: &'m Model, formulation: &str) -> Bench<'m> {
        let system = System::new(model, formulation).unwrap();
        let ws = Workspace::new(&system);
        let mut q = vec![0.0; system.formulation.nq()];
        let poses: Vec<_> = model.bodies.iter().map(|b| b.X_WB).collect();
        system.formulation.coordinates(&poses, &mut q);
        Bench { system, ws, q }
    }

    fn moved(&self, v: &[f64], h: f64) -> Vec<f64> {
        let mut q = self.q.clone();
        let dv: Vec<f64> = v.iter().map(|v| v * h).collect();
        self.system.formulation.step(&mut q, &dv);
        q
    }

    fn scaled(&self, v: &[f64]) -> Vec<f64> {
        let scale = |k: usize| self.system.formulation.scale(k, self.ws.size);
        v.iter().enumerate().map(|(k, v)| v / scale(k)).collect()
    }

    fn phi(&mut self, t: f64, q: &[f64]) -> Vec<f64> {
        self.ws.realize_position(&self.system, t, q);
        let phi = self.ws.evaluation.phi.clone();
        self.unscaled(t, &phi)
    }

    /// Rows without their factor, which for distances depends on time.
    fn unscaled(&self, t: f64, rows: &[f64]) -> Vec<f64> {
        let factor = |i: usize| self.system.constraints.scale(i, t, self.ws.size);
        rows.iter().enumerate().map(|(i, x)| x / factor(i)).collect()
    }

    /// Φ_v v − ν: the rate of Φ.
    fn phi_rate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
        self.ws.realize_position(&self.system, t, q);
        self.ws.realize_jacobian(&self.system, t);
        self.system.constraints.velocity_side(self.system.at(t), self.ws.size, &mut self.ws.evaluation);
        let mut product = vec![0.0; self.system.constraints.len()];
        let v = self.scaled(v);
        self.system.constraints.pattern.multiply(&self.ws.evaluation.phi_v, &v, &mut product);
        let rate: Vec<f64> = product.iter().zip(&self.ws.evaluation.nu).map(|(p, nu)| p - nu).collect();
        self.unscaled(t, &rate)
    }

    fn gamma(&mut self, t: f64, v: &[f64]) -> Vec<f64> {
        let (system, ws) = (&self.system, &mut self.ws);
        ws.realize_position(system, t, &self.q);
        ws.realize_velocity(system, t, v);
        system.formulation.accelerations(None, &mut ws.cache);
        system.constraints.accelerate_markers(system.at(t), &ws.cache, &mut ws.evaluation);
        system.constraints.acceleration_side(t, ws.size, &mut ws.evaluation);
        let gamma = ws.evaluation.gamma.clone();
        self.unscaled(t, &gamma)
    }

    /// Angles are counted near their present values, so that differences do not straddle a turn.
    fn fix_turns(&mut self, t: f64) {
        let q = self.q.clone();
        self.ws.realize_position(&self.system, t, &q);
        self.system.constraints.keep_turns(&mut self.ws.evaluation);
    }
}

#[test]
fn each_level_is_the_derivative_of_the_one_before() {
    let t = 0.4;
    for seed in 1..30 {
        let model = everything(seed);
        for formulation in formulations() {
            let mut bench = Bench::new(&model, formulation.keyword);
            bench.fix_turns(t);
            let mut s = Stream(1000 + seed);
            let v: Vec<f64> = (0..bench.system.formulation.nv()).map(|_| s.next()).collect();
            let (before, after) = (bench.moved(&v, -STEP), bench.moved(&v, STEP));
            let here = bench.q.clone();

            let difference =
                |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| (a - b) * (0.5 / STEP)).collect() };
            let (low, high) = (bench.phi(t - STEP, &before), bench.phi(t + STEP, &after));
            let rate = bench.phi_rate(t, &here, &v);
            compare(&bench, "Φ_v v − ν", seed, &rate, &difference(&high, &low));

            // With v constant the second derivative of Φ is −γ.
            let (low, high) = (bench.phi_rate(t - STEP, &before, &v), bench.phi_rate(t + STEP, &after, &v));
            let gamma: Vec<f64> = bench.gamma(t, &v).iter().map(|g| -g).collect();
            compare(&bench, "−γ", seed, &gamma, &difference(&high, &low));
        }
    }
}

fn compare(bench: &Bench, what: &str, seed: u64, exact: &[f64], difference: &[f64]) {
    for (i, (a, b)) in exact.iter().zip(difference).enumerate() {
        let owner = bench.system.owner_name(bench.system.constraints.owner(i));
        let name = bench.system.formulation.name();
        // Distances and angles near their own singular points have large third derivatives; scale by the value.
        let bound = DIFFERENCE * (1.0 + a.abs()).powi(2);
        assert!((a - b).abs() < bound, "{name}, seed {seed}, {what}, row {i} of {owner}: {a} against {b}");
    }
}

#[test]
fn a_prescribed_attitude_turns_as_its_angular_velocity_says() {
    let attitude = Attitude::Rpy(Box::new([law("2*t"), law("sin(t)"), law("-t^2")]));
    let (low, here, high) = (attitude.jet(0.3 - STEP), attitude.jet(0.3), attitude.jet(0.3 + STEP));
    for k in 0..3 {
        let rate: Vec3 = (high.axes[k] - low.axes[k]) * (0.5 / STEP);
        assert!((rate - here.rates[k]).norm() < DIFFERENCE);
        let acceleration = (high.rates[k] - low.rates[k]) * (0.5 / STEP);
        assert!((acceleration - here.accelerations[k]).norm() < DIFFERENCE);
    }
}
