//! Natural modes about an equilibrium against closed forms.

mod common;

use biela::solve::vibration::linearise;
use common::forward::*;
use common::record::{held, CLOSED};
use std::f64::consts::{PI, TAU};

/// Error of central differences of the accelerations.
const DIFFERENCES: f64 = 1e-6;

#[test]
fn a_double_pendulum_has_its_two_frequencies() {
    // Equal rods: [8/3 1; 1 2/3]/2-type mass matrix M = m l² [4/3 1/2; 1/2 1/3], K = m g l [3/2 0; 0 1/2] in absolute angles.
    let (m11, m12, m22, k1, k2) = (4.0 / 3.0, 0.5, 1.0 / 3.0, 1.5 * 9.81, 0.5 * 9.81);
    let (a, b, c): (f64, f64, f64) = (m11 * m22 - m12 * m12, -(m11 * k2 + m22 * k1), k1 * k2);
    let root = |sign: f64| ((-b + sign * (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)).sqrt() / TAU;
    // Started off the equilibrium, which is found first.
    let model = parse(&(double_pendulum(0.2, -0.1) + "[run]\nanalysis = \"modes\"\n"));
    for formulation in FORMULATIONS {
        let linear = linearise(&model, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"));
        assert_eq!(linear.modes.len(), 2, "{formulation}");
        for (mode, expected) in linear.modes.iter().zip([root(-1.0), root(1.0)]) {
            held(CLOSED, "frequency", DIFFERENCES, (mode.frequency() / expected - 1.0).abs(), formulation);
            held(CLOSED, "damping", DIFFERENCES, mode.damping().abs(), formulation);
        }
    }
}

#[test]
fn a_chain_of_carts_and_springs_has_sine_shapes_and_known_damping() {
    // n carts between walls, springs k and dampers c between neighbours: ω_j = 2 √(k/m) sin(jπ/2(n + 1)), ζ_j = c ω_j/2k.
    let (n, m, k, c) = (5usize, 2.0, 300.0f64, 0.7);
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    for i in 1..=n {
        text += &format!("[bodies.b{i}]\nmass = {m}\ninertia = [0.1, 0.1, 0.1]\npose = {{ at = [{i}, 0, 0] }}\n");
        text += &format!(
            "[joints.j{i}]\ntype = \"prismatic\"\nbodies = [\"ground\", \"b{i}\"]\nat = [{i}, 0, 0]\naxis = [1, 0, 0]\n"
        );
    }
    for i in 0..=n {
        let end = |k: usize| match k {
            k if k >= 1 && k <= n => (format!("b{k}"), 0.0),
            k => ("ground".to_string(), k as f64),
        };
        let ((a, x), (b, y)) = (end(i), end(i + 1));
        text += &format!(
            "[forces.s{i}]\ntype = \"spring-damper\"\nbodies = [\"{a}\", \"{b}\"]\nat = [[{x}, 0, 0], [{y}, 0, 0]]\n\
             stiffness = {k}\ndamping = {c}\nlength = 1\n"
        );
    }
    let model = parse(&(text + "[run]\nanalysis = \"modes\"\n"));
    for formulation in ["absolute", "relative"] {
        let linear = linearise(&model, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"));
        assert_eq!(linear.modes.len(), n);
        for (j, mode) in linear.modes.iter().enumerate() {
            let half = (j + 1) as f64 * PI / (2.0 * (n + 1) as f64);
            let w = 2.0 * (k / m).sqrt() * half.sin();
            let detail = format!("{formulation}, mode {j}");
            held(CLOSED, "frequency", DIFFERENCES, (mode.frequency() * TAU / w - 1.0).abs(), &detail);
            held(CLOSED, "damping", DIFFERENCES, (mode.damping() - c * w / (2.0 * k)).abs(), &detail);
        }
        // Shapes are sin(i j π/(n + 1)) in the slides, the largest 1.
        let table = biela::solve::vibration::run(&model, formulation).unwrap();
        for j in 1..=n {
            let exact: Vec<f64> = (1..=n).map(|i| (i as f64 * j as f64 * PI / (n + 1) as f64).sin()).collect();
            let found: Vec<f64> = (1..=n).map(|i| column(&table, &format!("j{i}.slide.re"))[j - 1]).collect();
            let scale = exact[0] / found[0];
            for (e, f) in exact.iter().zip(&found) {
                held(
                    CLOSED,
                    "shape",
                    1e-5,
                    (e - scale * f).abs(),
                    format_args!("{formulation}, mode {j}: {exact:?} {found:?}"),
                );
            }
        }
    }
}

#[test]
fn an_inverted_pendulum_is_unstable_at_its_known_rate() {
    let model = parse(&(pendulum(PI) + "[run]\nanalysis = \"modes\"\n"));
    let linear = linearise(&model, "absolute").unwrap_or_else(|e| panic!("{e}"));
    let rate = (2.0 * 9.81 * 0.5 / (2.0 * 0.25 + 0.01f64)).sqrt();
    let growing = linear.modes.iter().map(|m| m.s.0).fold(f64::MIN, f64::max);
    held(CLOSED, "rate of growth", DIFFERENCES, (growing / rate - 1.0).abs(), format_args!("{growing} for {rate}"));
}

/// The shipped four-bar without its motor, at a crank angle.
fn four_bar(angle: f64) -> String {
    let text = common::cases::text("four-bar");
    let end = text.find("[drivers.motor]").unwrap();
    format!("{}[initial]\n\"A.angle\" = {angle:?}\n[run]\nanalysis = \"modes\"\n", &text[..end])
}

/// Potential energy and mass of the same four-bar as functions of the crank angle, in closed form: rods of radius r and density ρ,
/// loop closed by the law of cosines on the side of the drawing, mass from the rates of all angles.
fn energy_and_mass(phi: f64) -> (f64, f64) {
    let (crank, coupler, rocker, ground, g) = (2.0f64, 8.0f64, 5.0f64, 10.0f64, 9.81);
    let mass = |length: f64| 1000.0 * PI * 0.04 * 0.04 * length;
    let across = |length: f64| mass(length) * (length * length / 12.0 + 0.04 * 0.04 / 4.0);
    let place = |phi: f64| {
        let (x, y) = (crank * phi.cos(), crank * phi.sin());
        let d = (ground - x).hypot(y);
        let base = (-y).atan2(ground - x);
        let theta = base + ((coupler * coupler + d * d - rocker * rocker) / (2.0 * coupler * d)).acos();
        let psi = (y + coupler * theta.sin()).atan2(x + coupler * theta.cos() - ground);
        [phi, theta, psi]
    };
    let centres = |[phi, theta, psi]: [f64; 3]| {
        let (x, y) = (crank * phi.cos(), crank * phi.sin());
        let half = 0.5 * coupler;
        [
            [0.5 * x, 0.5 * y],
            [x + half * theta.cos(), y + half * theta.sin()],
            [ground + 0.5 * rocker * psi.cos(), 0.5 * rocker * psi.sin()],
        ]
    };
    let lengths = [crank, coupler, rocker];
    let energy = centres(place(phi)).iter().zip(lengths).map(|(c, l)| mass(l) * g * c[1]).sum();
    let h = 1e-5;
    let (a, b) = (place(phi - h), place(phi + h));
    let (p, q) = (centres(a), centres(b));
    let rate = |x: f64, y: f64| (y - x) / (2.0 * h);
    let square = |k: usize| {
        let (vx, vy, w) = (rate(p[k][0], q[k][0]), rate(p[k][1], q[k][1]), rate(a[k], b[k]));
        mass(lengths[k]) * (vx * vx + vy * vy) + across(lengths[k]) * w * w
    };
    (energy, (0..3).map(square).sum())
}

/// The crank angle between two where the potential's slope vanishes, and the square of the angular frequency there.
fn closed_form(mut low: f64, mut high: f64) -> (f64, f64) {
    let slope = |phi: f64| (energy_and_mass(phi + 1e-5).0 - energy_and_mass(phi - 1e-5).0) / 2e-5;
    let rising = slope(high) > slope(low);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match (slope(middle) > 0.0) == rising {
            true => high = middle,
            false => low = middle,
        }
    }
    let curvature = (slope(low + 1e-4) - slope(low - 1e-4)) / 2e-4;
    (low, curvature / energy_and_mass(low).1)
}

#[test]
fn a_four_bar_has_the_same_equilibrium_in_all_coordinates() {
    use biela::solve::statics::equilibrium::Rest;
    // Differences of differences of the closed form.
    const CLOSED_FORM: f64 = 1e-5;
    let (summit, growth) = closed_form(0.5, 2.5);
    let (valley, square) = closed_form(-2.6, -0.6);
    assert!(growth < 0.0 && square > 0.0, "{summit}: {growth}, {valley}: {square}");
    let down = square.sqrt() / TAU;
    // From anywhere it goes down, whichever way; drawn on the summit to three digits it stays there and says what that is.
    let rounded = (summit * 1e4).round() / 1e4;
    let starts =
        [(1.0, true), (0.0, true), (2.9, true), (-1.4, true), (valley, true), (rounded, false), (summit, false)];
    for (start, stable) in starts {
        let model = parse(&four_bar(start));
        for formulation in biela::system::formulations() {
            let what = format!("{} from {start}", formulation.keyword);
            let linear = linearise(&model, formulation.keyword).unwrap_or_else(|e| panic!("{what}: {e}"));
            if stable {
                assert_eq!((linear.rest, linear.modes.len()), (Rest::Stable, 1), "{what}");
                held(CLOSED, "frequency", CLOSED_FORM, (linear.modes[0].frequency() / down - 1.0).abs(), what);
            } else {
                assert_eq!((linear.rest, linear.unstable_freedoms()), (Rest::Unstable(1), 1), "{what}");
                let grows = linear.modes.iter().map(|m| m.s.0).fold(f64::MIN, f64::max);
                held(CLOSED, "rate of growth", CLOSED_FORM, (grows / (-growth).sqrt() - 1.0).abs(), what);
            }
        }
    }
    let table = biela::solve::vibration::run(&parse(&four_bar(1.0)), "natural").unwrap();
    assert_eq!((table.note("equilibrium"), table.note("unstable freedoms")), (Some("stable"), Some("0")));
}

/// A rod between two balls may spin; that is no vibration. The rest is a pendulum of two arms that swing together.
#[test]
fn idle_spins_are_no_modes() {
    let ball = |name: &str, i: &str, j: &str, x: f64, y: f64| {
        format!("[joints.{name}]\ntype = \"spherical\"\nbodies = [\"{i}\", \"{j}\"]\nat = [{x}, {y}, 0]\n")
    };
    let arm = |name: &str, x: f64| {
        format!(
            "[bodies.{name}]\nmass = 2\ncom = [{x}, -0.5, 0]\ninertia = [0.2, 0.01, 0.2]\n\
             [joints.{name}]\ntype = \"revolute\"\nbodies = [\"ground\", \"{name}\"]\nat = [{x}, 0, 0]\naxis = \"z\"\n"
        )
    };
    for axial in [0.02, 0.0] {
        let text = format!(
            "gravity = [0, -9.81, 0]\n{}{}[bodies.rod]\nmass = 3\ncom = [0.5, -1, 0]\ninertia = [{axial}, 0.3, 0.3]\n{}{}[run]\nanalysis = \"modes\"\n",
            arm("left", 0.0),
            arm("right", 1.0),
            ball("A", "left", "rod", 0.0, -1.0),
            ball("B", "rod", "right", 1.0, -1.0),
        );
        // A parallelogram: M = 2 (0.2 + 2/4) + 3, K = (2·2/2 + 3) g.
        let wanted = (5.0 * 9.81 / (1.4 + 3.0f64)).sqrt() / TAU;
        for formulation in biela::system::formulations() {
            let linear = linearise(&parse(&text), formulation.keyword)
                .unwrap_or_else(|e| panic!("{}: {e}", formulation.keyword));
            assert_eq!(linear.modes.len(), 1, "{}", formulation.keyword);
            let off = (linear.modes[0].frequency() / wanted - 1.0).abs();
            held(CLOSED, "frequency", DIFFERENCES, off, format_args!("{}, axial inertia {axial}", formulation.keyword));
        }
        // Neither does a rod without inertia about its line keep it from moving under forces.
        let free = text.replace("analysis = \"modes\"", "analysis = \"dynamics\"\nend = 0.5\nsteps = 5")
            + "[initial]\n\"left.angle\" = 0.3\n";
        for formulation in FORMULATIONS {
            let results =
                try_run(&free, formulation).unwrap_or_else(|e| panic!("{formulation}, axial inertia {axial}: {e}"));
            let (left, right) = (column(&results, "left.angle"), column(&results, "right.angle"));
            let apart = left.iter().zip(right).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            held(CLOSED, "two arms together", DIFFERENCES, apart, format_args!("{formulation}, axial inertia {axial}"));
        }
    }
}

/// Two equal pendulums of length 1 m one below the other: ω² = g (2 ∓ √2) / l, the lower swinging ±√2 times as far as the upper.
const DOUBLE: &str = r#"
name = "double pendulum"
planar = true
gravity = [0, -9.81]
bodies.upper = { mass = 1, com = [0, -1] }
bodies.lower = { mass = 1, com = [0, -2] }
[joints]
A = { type = "revolute", bodies = ["ground", "upper"], at = [0, 0] }
B = { type = "revolute", bodies = ["upper", "lower"], at = [0, -1] }
"#;

#[test]
fn modes_in_motion_have_their_period_and_shape() {
    for formulation in biela::system::FORMULATIONS {
        for (mode, sign) in [(0, 1.0), (1, -1.0)] {
            let what = format!("{}, mode {mode}", formulation.keyword);
            let swing = biela::solve::vibration::swing(&parse(DOUBLE), formulation.keyword, mode);
            let swing = swing.unwrap_or_else(|e| panic!("{what}: {e}"));
            let omega = (9.81 * (2.0 - sign * 2f64.sqrt())).sqrt();
            let period = std::f64::consts::TAU / omega;
            /// Stiffness comes from differences.
            const PERIOD: f64 = 1e-7;
            let times = swing.times();
            assert!((times[times.len() - 1] / period - 1.0).abs() < PERIOD, "{what}");
            let angle = |body: &str| &swing.get(&format!("{body}.angle")).expect("a column").data;
            let (upper, lower) = (angle("upper"), angle("lower"));
            assert!(upper[0].abs() > 0.02 && upper[0].abs() < 0.4, "{what}: {} is no swing to be seen", upper[0]);
            /// The coordinates are angles themselves, or places whose linear way is put back on the constraints: an error of the
            /// second order of the swing.
            const SHAPE: f64 = 0.02;
            assert!((lower[0] / upper[0] - sign * 2f64.sqrt()).abs() < SHAPE, "{what}: {}", lower[0] / upper[0]);
            let half = times.len() / 2;
            assert!((upper[half] + upper[0]).abs() < SHAPE * upper[0].abs(), "{what}");
            let round = upper[0] - upper[times.len() - 1];
            /// Where a linear way is put back on the constraints depends a little on the factors at hand: far below a pixel.
            const ROUND: f64 = 5e-3;
            assert!(round.abs() < ROUND * upper[0].abs(), "{what}: it comes round but for {round}");
            // Every position is closed: the lower hangs on the upper. Bodies lie on the drawing's frame, B one metre below A.
            let column = |name: &str| &swing.get(name).expect("a column").data;
            for k in 0..times.len() {
                let pin = |body: &str| {
                    let [x, y, a] = ["x", "y", "angle"].map(|leaf| column(&format!("{body}.{leaf}"))[k]);
                    [x + a.sin(), y - a.cos()]
                };
                let (p, q) = (pin("upper"), pin("lower"));
                /// Residual of a position.
                const CLOSED: f64 = 1e-10;
                assert!((p[0] - q[0]).abs() < CLOSED && (p[1] - q[1]).abs() < CLOSED, "{what} at {k}: {p:?} {q:?}");
            }
        }
    }
    let error = biela::solve::vibration::swing(&parse(DOUBLE), "relative", 2).unwrap_err().to_string();
    assert!(error.contains("no mode 3 (there are 2)"), "{error}");
}
