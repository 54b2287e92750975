//! Stiff springs and dampers, bars in line, gears of extreme ratio.

use crate::common::machines::n_four_bar;
use crate::parts::*;
use crate::*;
use std::f64::consts::PI;

#[test]
fn stiff_springs_and_dampers_by_alpha() {
    let mut list = List::default();
    // A mass m on a damper c with initial speed: x = v m/c (1 − exp(−c t/m)), at rest long before the first step is over.
    for c in [1e2, 1e4, 1e6, 1e9] {
        let text = WEIGHTLESS.to_string() + &block(1.0) + &spring(0.0, c, 0.0) + &initial(&[("P.slide.rate", 1.0)]);
        list.add(
            format!("damper {c:e}"),
            text + &alpha(1.0, 10, 0.01),
            ALL,
            &[("P.slide", 1.0 / c, 0.03), ("P.slide.rate", 0.0, 1e-3)],
        );
        // Drawn over a stiff damper by a steady force: speed F/c.
        let text =
            WEIGHTLESS.to_string() + &block(1.0) + &spring(0.0, c, 0.0) + &joint_torque("f", "P", &format!("{c:e}"));
        list.add(
            format!("drawn over a damper {c:e}"),
            text + &alpha(1.0, 10, 0.01),
            ALL,
            &[("P.slide.rate", 1.0, 1e-6), ("P.slide", 1.0 - 1.0 / c, 2e-2)],
        );
        // A soft spring and a stiff damper: x = x₀ exp(−k t/c) but for the start.
        let text = WEIGHTLESS.to_string() + &block(1.0) + &spring(c, c, 0.0) + &initial(&[("P.slide", 1.0)]);
        list.add(format!("overdamped {c:e}"), text + &alpha(1.0, 10, 0.01), ALL, &[("P.slide", (-1f64).exp(), 2e-2)]);
    }
    for k in [1e4f64, 1e8, 1e12] {
        // At rest under its load: F/k.
        let text =
            WEIGHTLESS.to_string() + &block(1.0) + &spring(k, 2.0 * k.sqrt(), 0.0) + &joint_torque("f", "P", "10");
        list.add(
            format!("stiff spring {k:e} under load"),
            text + &alpha(1.0, 10, 0.01),
            ALL,
            &[("P.slide", 10.0 / k, 0.05 * 10.0 / k)],
        );
        // A pendulum whose arm is a stiff spring swings as one of fixed length.
        let text = GRAVITY.to_string()
            + &body("frame", 1e-3, [0.0; 3], 1e-6, [0.0; 3], -0.5 * PI)
            + &body("bob", 2.0, [0.0; 3], 1e-6, [0.0, -0.5, 0.0], -0.5 * PI)
            + &revolute("O", "ground", "frame", [[0.0; 3]; 2])
            + &prismatic("P", "frame", "bob", [[0.0; 3]; 2])
            + &spring(k, 0.0, 0.5)
            + &initial(&[("O.angle", 0.3 - 0.5 * PI), ("P.slide", 0.5)])
            + &alpha(1.0, 10, 1e-3);
        list.add(format!("pendulum on a spring of {k:e} N/m"), text, ALL, &[]);
    }
    for (m, c) in [(1e-6, 1e3), (1e-3, 1e6), (1e3, 1e9)] {
        let text = GRAVITY.to_string()
            + &slider_crank(0.1, 0.3, [0.0; 3], 1.0, m)
            + &spring(0.0, c, 0.0)
            + &alpha(0.1, 10, 1e-3);
        list.add(format!("slider-crank of {m:e} kg in oil of {c:e}"), text, ALL, &[("O.angle", 1.0, 1e-2)]);
    }
    try_all(list);
}

#[test]
fn in_line_positions() {
    let mut list = List::default();
    for (n, end) in [(1, 3.0), (2, 10.0), (3, 3.0)] {
        for tolerance in [1e-6, 1e-9, 1e-11] {
            let text = n_four_bar(n) + &runs("dynamics", end, 30, &format!("tolerance = {tolerance:e}\n"));
            list.add(format!("{n} four-bars at {tolerance:e}"), text, ALL, &[]);
        }
    }
    // A change-point linkage driven through its in-line position needs leave to pass it; started there it is refused by name.
    for bars in [[1.0, 2.0, 1.0, 2.0], [2.0, 1.0, 2.0, 1.0]] {
        let text = four_bar(bars, [0.0; 3], 1.0, 0.0) + &driver("d", "O", "1 + t") + &runs("kinematics", 2.0, 20, "");
        list.add("parallelogram short of its change point", text, EVERY, &[("C.angle", 3.0, EXACT)]);
        let text = four_bar(bars, [0.0; 3], 1.0, 0.0)
            + &driver("d", "O", "1 + t")
            + &runs("kinematics", 5.0, 20, "singular = \"pass\"\n");
        list.add("parallelogram through its change point", text, ALL, &[]);
    }
    // A slider beside the line of its crank, on a rod: it passes the place from where the crank started, which is no dead centre.
    for [r, l, e] in [[0.1, 0.3, 0.15], [0.1, 0.3, -0.15], [1.0, 3.0, 1.9]] {
        let text = light("crank", [0.0; 3], 0.0)
            + &light("slider", [4.0 * r, e, 0.0], 0.0)
            + &revolute("O", "ground", "crank", [[0.0; 3]; 2])
            + &prismatic("P", "ground", "slider", [[0.0, e, 0.0], [0.0; 3]])
            + &format!("[joints.rod]\ntype = \"distance\"\nbodies = [\"crank\", \"slider\"]\nat = [[{r:e}, 0, 0], [0, 0, 0]]\nlength = {l:e}\n")
            + &driver("d", "O", "t")
            + &runs("kinematics", 6.0, 30, "");
        let (s, c) = 6f64.sin_cos();
        let x = r * c + (l * l - (e - r * s).powi(2)).sqrt();
        list.add(format!("slider {e} beside its crank"), text, EVERY, &[("P.slide", x, EXACT)]);
    }
    // Motion from a dead centre: the slider at its end, the crank turned by a driver or a torque.
    for crank in [0.0, PI] {
        let text = slider_crank(0.3, 1.0, [0.0; 3], crank, 0.0)
            + &driver("d", "O", &format!("{crank} + t"))
            + &runs("kinematics", 1.0, 10, "");
        list.add(
            format!("slider-crank from its dead centre at {crank}"),
            text,
            EVERY,
            &[("P.slide", slider(0.3, 1.0, crank + 1.0), EXACT)],
        );
        let text = WEIGHTLESS.to_string()
            + &slider_crank(0.3, 1.0, [0.0; 3], crank, 1.0)
            + &joint_torque("m", "O", "0.2")
            + &dynamics(0.5, 10);
        list.add(format!("torque at the dead centre {crank}"), text, ALL, &[]);
        let text = WEIGHTLESS.to_string()
            + &slider_crank(0.3, 1.0, [0.0; 3], crank, 1.0)
            + &initial(&[("O.angle.rate", 3.0)])
            + &dynamics(2.0, 10);
        list.add(format!("spun from the dead centre {crank}"), text, ALL, &[]);
        let text = WEIGHTLESS.to_string() + &slider_crank(0.3, 1.0, [0.0; 3], crank, 1.0) + &dynamics(2.0, 10);
        list.add(format!("left at the dead centre {crank}"), text, ALL, &[("O.angle", crank, 1e-9)]);
    }
    try_all(list);
}

#[test]
fn gears_of_extreme_ratio() {
    let mut list = List::default();
    let wheel = |name: &str, joint: &str, x: f64, i: f64| {
        body(name, 1.0, [0.0; 3], i, [x, 0.0, 0.0], 0.0) + &revolute(joint, "ground", name, [[x, 0.0, 0.0], [0.0; 3]])
    };
    for ratio in [1e6f64, -1e6, 1e-6, 1e3, 1e-3, 1e4, 1e-4] {
        let pair = |i: f64, j: f64| {
            wheel("a", "A", 0.0, i)
                + &wheel("b", "B", 1.0, j)
                + &format!("[couplings.g]\ntype = \"gear\"\njoints = [\"A\", \"B\"]\nratio = {ratio:e}\n")
        };
        let slow = if ratio.abs() > 1.0 { 1.0 / ratio } else { 1.0 };
        let text = pair(1.0, 1.0) + &driver("d", "A", &format!("{slow:e}*t")) + &runs("kinematics", 1.0, 10, "");
        list.add(
            format!("gear of {ratio:e}"),
            text,
            ALL,
            &[("B.angle", slow * ratio, 1e-9 * (slow * ratio).abs().max(1.0))],
        );
        let text = pair(1.0, 1.0) + &driver("d", "B", "t") + &runs("kinematics", 0.1, 8, "");
        list.add(format!("gear of {ratio:e} driven at its second wheel"), text, RELATIVE, &[("B.angle", 0.1, EXACT)]);
        // A torque on the first wheel: α (I₁ + ratio² I₂) = M.
        let (i, j) = (1.0, if ratio.abs() > 1.0 { 1.0 / (ratio * ratio) } else { 1.0 });
        let torque = slow.abs() * (i + ratio * ratio * j);
        let text =
            WEIGHTLESS.to_string() + &pair(i, j) + &joint_torque("m", "A", &format!("{torque:e}")) + &dynamics(1.0, 10);
        list.add(
            format!("gear of {ratio:e} under a torque"),
            text,
            ALL,
            &[("A.angle", 0.5 * slow.abs(), 1e-6 * slow.abs())],
        );
        let text = GRAVITY.to_string()
            + &pair(i, j)
            + &driver("d", "A", &format!("{slow:e}*t^2"))
            + &runs("inverse-dynamics", 1.0, 10, "");
        list.add(
            format!("torque into a gear of {ratio:e}"),
            text,
            TELLS,
            &[("d.effort", 2.0 * slow * (i + ratio * ratio * j), 1e-6 * (2.0 * torque))],
        );
    }
    try_all(list);
}
