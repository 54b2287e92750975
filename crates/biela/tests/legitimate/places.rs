//! Far from the origin, and loops that nearly fit.

use crate::common::forward::agm;
use crate::parts::*;
use crate::*;
use std::f64::consts::{PI, TAU};

#[test]
fn far_from_the_origin() {
    let mut list = List::default();
    let far = [[1e6, 0.0, 0.0], [4.5e6, -2.1e6, 350.0], [-3e5, 5e6, 1e6], [1e4, 1e4, 1e4]];
    for (k, o) in far.into_iter().enumerate() {
        let rocker = four_bar_angles(CRANK_ROCKER, 1.5)[1];
        let holds = [("C.angle", rocker, 1e-8), ("crank.x", o[0], 1e-8)];
        let text =
            four_bar(CRANK_ROCKER, o, 0.5, 0.0) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("four-bar at {o:?}"), text, EVERY, &holds);
        let text = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, o, 0.5, 1.0) + &driver("d", "O", "0.5 + t");
        list.add(
            format!("four-bar at {o:?}, its forces"),
            text.clone() + &runs("inverse-dynamics", 1.0, 10, ""),
            TELLS,
            &holds,
        );
        list.add(format!("four-bar at {o:?}, at rest"), text.clone() + &runs("statics", 1.0, 10, ""), TELLS, &holds);
        list.add(format!("four-bar at {o:?}, driven under forces"), text + &dynamics(1.0, 10), ALL, &holds);
        let text = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, o, 0.5, 1.0) + &dynamics(1.0, 10);
        list.add(format!("four-bar at {o:?}, falling"), text, ALL, &[]);
        let text =
            slider_crank(0.3, 1.0, o, 0.5, 0.0) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("slider-crank at {o:?}"), text, ALL, &[("P.slide", slider(0.3, 1.0, 1.5), 1e-8)]);
        // A point driven in the ground's coordinates, and a body thrown from a place given in them.
        let point = format!("[drivers.d]\npoint = \"arm.tip\"\nalong = \"x\"\nvalue = \"{:?} + cos(0.5 + t)\"\n", o[0]);
        let arm =
            light("arm", o, 0.5) + "points = { tip = [1, 0, 0] }\n" + &revolute("O", "ground", "arm", [o, [0.0; 3]]);
        let text = arm + &point + &runs("kinematics", 1.0, 10, "");
        list.add(format!("point driven at {o:?}"), text, ALL, &[("O.angle", 1.5, 1e-8)]);
        let stone = body("stone", 1.0, [0.0; 3], 0.1, o, 0.0) + &body("base", 1.0, [0.0; 3], 0.1, o, 0.0);
        let stone = stone + &revolute("O", "ground", "base", [o, [0.0; 3]]);
        let text =
            GRAVITY.to_string() + &stone + &initial(&[("stone.x", o[0] + 2.0), ("stone.vx", 3.0)]) + &dynamics(1.0, 10);
        let holds = [("stone.x", o[0] + 5.0, 1e-6), ("stone.y", o[1] - 0.5 * G, 1e-6)];
        list.add(format!("thrown at {o:?}"), text, ALL, &holds);
        // Everything drawn in one far sketch: frames at the origin, points and centres out there.
        let at = |x: f64, y: f64| format!("[{:?}, {:?}, {:?}]", o[0] + x, o[1] + y, o[2]);
        let bodies = format!(
            "[bodies.a]\nmass = 1\ncom = {}\ninertia = [0.1, 0.1, 0.1]\npoints = {{ tip = {} }}\n",
            at(0.5, 0.0),
            at(1.0, 0.0)
        );
        let joint = format!(
            "[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = {}\naxis = [0, 0, 1]\n",
            at(0.0, 0.0)
        );
        let turned = driver("d", "O", "t") + &runs("kinematics", 1.0, 10, "");
        let holds = [("a.tip.x", o[0] + 1f64.cos(), 1e-8), ("a.tip.y", o[1] + 1f64.sin(), 1e-8)];
        list.add(format!("far sketch at {o:?}"), format!("{bodies}{joint}{turned}"), ALL, &holds);
        let falls = dynamics(TAU / (G * 0.5 / 0.35).sqrt() / agm(1.0, (0.25 * PI).cos()), 10);
        list.add(
            format!("falling in a far sketch {k}"),
            format!("{GRAVITY}{bodies}{joint}{falls}"),
            ALL,
            &[("a.tip.x", o[0] + 1.0, 1e-6), ("O.angle", 0.0, 1e-6)],
        );
    }
    try_all(list);
}

#[test]
fn redundant_loops_that_nearly_fit() {
    let mut list = List::default();
    for misfit in [1e-14, 1e-12, 1e-10] {
        // A planar four-bar whose coupler pin is tilted out of parallel by that much.
        let tilted = |text: String| {
            text.replacen(
                "[joints.B]\ntype = \"revolute\"\nbodies = [\"coupler\", \"rocker\"]",
                "[joints.B]\ntype = \"revolute\"\nbodies = [\"coupler\", \"rocker\"]\n#",
                1,
            )
            .replace(
                "#\nat = [[3.0, 0.0, 0.0], [2.5, 0.0, 0.0]]\naxis = [[0, 0, 1], [0, 0, 1]]",
                &format!("at = [[3.0, 0.0, 0.0], [2.5, 0.0, 0.0]]\naxis = [[0, 0, 1], [0, {misfit:e}, 1]]"),
            )
        };
        let rocker = four_bar_angles(CRANK_ROCKER, 1.5)[1];
        let text = tilted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 0.0))
            + &driver("d", "O", "0.5 + t")
            + &runs("kinematics", 1.0, 10, "");
        assert!(text.contains(&format!("{misfit:e}, 1")));
        list.add(format!("axis tilted by {misfit:e}"), text, ALL, &[("C.angle", rocker, 1e-8)]);
        let text =
            GRAVITY.to_string() + &tilted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 1.0)) + &driver("d", "O", "0.5 + t");
        list.add(
            format!("axis tilted by {misfit:e}, its forces"),
            text.clone() + &runs("inverse-dynamics", 1.0, 10, ""),
            TELLS,
            &[("C.angle", rocker, 1e-8)],
        );
        list.add(
            format!("axis tilted by {misfit:e}, driven under forces"),
            text + &dynamics(1.0, 10),
            ALL,
            &[("C.angle", rocker, 1e-8)],
        );
        let text = GRAVITY.to_string() + &tilted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 1.0)) + &dynamics(1.0, 10);
        list.add(format!("axis tilted by {misfit:e}, falling"), text, ALL, &[]);
        // A pin drawn that much out of the plane.
        let shifted = |text: String| {
            text.replace(
                "at = [[3.0, 0.0, 0.0], [2.5, 0.0, 0.0]]",
                &format!("at = [[3.0, 0.0, {misfit:e}], [2.5, 0.0, 0.0]]"),
            )
        };
        let text = shifted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 0.0))
            + &driver("d", "O", "0.5 + t")
            + &runs("kinematics", 1.0, 10, "");
        list.add(format!("pin out of plane by {misfit:e} m"), text, ALL, &[("C.angle", rocker, 1e-8)]);
        // A parallelogram with a third crank, whose measured length is off.
        let third = light("third", [1.0, 0.0, 0.0], 1.0)
            + &revolute("D", "ground", "third", [[1.0, 0.0, 0.0], [0.0; 3]])
            + &revolute("E", "coupler", "third", [[1.0, 0.0, 0.0], [1.0 + misfit, 0.0, 0.0]]);
        let text = four_bar([1.0, 2.0, 1.0, 2.0], [0.0; 3], 1.0, 0.0)
            + &third
            + &driver("d", "O", "1 + t")
            + &runs("kinematics", 1.0, 10, "");
        list.add(format!("third crank off by {misfit:e} m"), text, ALL, &[("C.angle", 2.0, 1e-8)]);
    }
    try_all(list);
}
