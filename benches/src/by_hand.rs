//! Shipped machines written out by hand: position, Euler parameters, velocities and accelerations of all their bodies at one time. What a
//! kernel can be that knows one mechanism, and nothing of any other.

use std::f64::consts::{FRAC_PI_3, FRAC_PI_4, TAU};

/// A vector of three.
type V = [f64; 3];

/// One body: origin, Euler parameters, velocity, angular velocity, acceleration, angular acceleration.
#[derive(Debug, Clone, Copy, Default)]
pub struct Body {
    /// Origin.
    pub p: V,
    /// Euler parameters.
    pub e: [f64; 4],
    /// Velocity.
    pub v: V,
    /// Angular velocity.
    pub w: V,
    /// Acceleration.
    pub a: V,
    /// Angular acceleration.
    pub al: V,
}

fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn times(a: V, x: f64) -> V {
    [a[0] * x, a[1] * x, a[2] * x]
}
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A body that turns about z: origin with its rates, cosine and sine of the angle, its rates.
fn flat(p: [[f64; 2]; 3], [c, s]: [f64; 2], w: f64, al: f64) -> Body {
    // Half of the angle, by the larger of its sine and cosine.
    let e = if c >= 0.0 {
        let h = (0.5 + 0.5 * c).sqrt();
        [h, 0.0, 0.0, 0.5 * s / h]
    } else {
        let h = (0.5 - 0.5 * c).sqrt();
        [0.5 * s / h, 0.0, 0.0, h]
    };
    let lift = |x: [f64; 2]| [x[0], x[1], 0.0];
    Body { p: lift(p[0]), e, v: lift(p[1]), w: [0.0, 0.0, w], a: lift(p[2]), al: [0.0, 0.0, al] }
}

/// `models/slider-crank.toml`: the triangle of crank, rod and line.
pub fn slider_crank(t: f64, out: &mut [Body; 3]) {
    let (crank, rod, omega) = (2.0, 3.5, TAU);
    let (s, c) = (FRAC_PI_4 + omega * t).sin_cos();
    let sin = -crank / rod * s;
    let cos = (1.0 - sin * sin).sqrt();
    let w = -crank / rod * c * omega / cos;
    let al = (crank / rod * s * omega * omega + sin * w * w) / cos;
    let pin = [
        [crank * c, crank * s],
        [-crank * s * omega, crank * c * omega],
        [-crank * c * omega * omega, -crank * s * omega * omega],
    ];
    let still = [0.0, 0.0];
    out[0] = flat([still; 3], [c, s], omega, 0.0);
    out[1] = flat(pin, [cos, sin], w, al);
    let x = pin[0][0] + rod * cos;
    let v = pin[1][0] - rod * sin * w;
    let a = pin[2][0] - rod * (cos * w * w + sin * al);
    out[2] = flat([[x, 0.0], [v, 0.0], [a, 0.0]], [1.0, 0.0], 0.0, 0.0);
}

/// `models/four-bar.toml`: two circles meet, then two equations for the rates of coupler and rocker.
pub fn four_bar(t: f64, out: &mut [Body; 3]) {
    let (crank, coupler, rocker, ground, omega) = (2.0, 8.0, 5.0, 10.0, 1.0);
    let (s, c) = (FRAC_PI_3 + omega * t).sin_cos();
    let pin = [[crank * c, crank * s], [-crank * s * omega, crank * c * omega], [-crank * c, -crank * s]];
    let [dx, dy] = [ground - pin[0][0], -pin[0][1]];
    let square = dx * dx + dy * dy;
    let along = 0.5 * (coupler * coupler - rocker * rocker + square) / square;
    let aside = (coupler * coupler / square - along * along).sqrt();
    let [ux, uy] = [along * dx - aside * dy, along * dy + aside * dx];
    let [rx, ry] = [pin[0][0] + ux - ground, pin[0][1] + uy];
    // w₂ n × u − w₃ n × r = −v.
    let inverse = 1.0 / (ux * ry - uy * rx);
    let solve = |x: f64, y: f64| [(rx * x + ry * y) * inverse, (ux * x + uy * y) * inverse];
    let [w2, w3] = solve(-pin[1][0], -pin[1][1]);
    let bias = |k: usize, u: f64, r: f64| -pin[2][k] + w2 * w2 * u - w3 * w3 * r;
    let [a2, a3] = solve(bias(0, ux, rx), bias(1, uy, ry));
    out[0] = flat([[0.0, 0.0]; 3], [c, s], omega, 0.0);
    out[1] = flat(pin, [ux / coupler, uy / coupler], w2, a2);
    out[2] = flat([[ground, 0.0], [0.0; 2], [0.0; 2]], [rx / rocker, ry / rocker], w3, a3);
}

/// `models/rssr.toml`: crank of 1 m about z, rocker of 2.5 m about an x axis through (2, 3, 0), a rod that does not spin between them.
pub fn rssr(t: f64, out: &mut [Body; 3]) {
    let (omega, length, rod) = (TAU, 2.5, 16.25);
    let (s, c) = (omega * t).sin_cos();
    let (u, w) = (2.0 - c, 3.0 - s);
    let sin = (u * u + w * w + length * length - rod) / (2.0 * length * w);
    let cos = (1.0 - sin * sin).sqrt();
    let b = [[c, s, 0.0], [-s * omega, c * omega, 0.0], [-c * omega * omega, -s * omega * omega, 0.0]];
    let d = [2.0 - c, 3.0 - length * sin - s, length * cos];
    let turned = [0.0, -length * cos, -length * sin];
    let across = dot(d, turned);
    let rate = dot(d, b[1]) / across;
    let d1 = sub(times(turned, rate), b[1]);
    let inwards = times([0.0, length * sin, -length * cos], rate * rate);
    let accel = -(dot(d1, d1) + dot(d, sub(inwards, b[2]))) / across;
    let d2 = sub(add(inwards, times(turned, accel)), b[2]);
    let half = |c: f64, s: f64| {
        if c >= 0.0 {
            let h = (0.5 + 0.5 * c).sqrt();
            [h, 0.5 * s / h]
        } else {
            let h = (0.5 - 0.5 * c).sqrt();
            [0.5 * s / h, h]
        }
    };
    let [e0, e3] = half(c, s);
    out[0] = Body { e: [e0, 0.0, 0.0, e3], w: [0.0, 0.0, omega], ..Body::default() };
    let [e0, e1] = half(cos, sin);
    out[2] = Body {
        p: [2.0, 3.0, 0.0],
        e: [e0, e1, 0.0, 0.0],
        w: [rate, 0.0, 0.0],
        al: [accel, 0.0, 0.0],
        ..Body::default()
    };
    let d0 = [1.0, 3.0, 2.5];
    let turn = cross(d0, d);
    let real = rod + dot(d0, d);
    let norm = 1.0 / (real * real + dot(turn, turn)).sqrt();
    out[1] = Body {
        p: b[0],
        e: [real * norm, turn[0] * norm, turn[1] * norm, turn[2] * norm],
        v: b[1],
        w: times(cross(d, d1), 1.0 / rod),
        a: b[2],
        al: times(cross(d, d2), 1.0 / rod),
    };
}

/// `models/stewart-platform.toml`: Newton on the six lengths from the position before, then the legs from the platform.
#[derive(Debug, Clone)]
pub struct Stewart {
    feet: [V; 6],
    corners: [V; 6],
    p: V,
    e: [f64; 4],
    rates: [f64; 6],
    accelerations: [f64; 6],
    t: f64,
}

impl Default for Stewart {
    fn default() -> Stewart {
        let delta = 40f64.to_radians();
        let angle = |k: usize| [20f64, -20.0, 140.0, 100.0, 260.0, 220.0][k].to_radians();
        let on = |r: f64, a: f64| [r * a.cos(), r * a.sin(), 0.0];
        let feet = std::array::from_fn(|k| on(1.0, angle(k)));
        let corners = std::array::from_fn(|k| on(0.6, angle(k) + if k % 2 == 0 { delta } else { -delta }));
        Stewart {
            feet,
            corners,
            p: [0.0, 0.0, 1.2],
            e: [1.0, 0.0, 0.0, 0.0],
            rates: [0.0; 6],
            accelerations: [0.0; 6],
            t: 0.0,
        }
    }
}

impl Stewart {
    /// All thirteen bodies at time `t`, the platform first.
    pub fn at(&mut self, t: f64, out: &mut [Body; 13]) {
        let lengths = lengths(t);
        let h = t - self.t;
        self.t = t;
        let predicted = std::array::from_fn(|k| h * (self.rates[k] + 0.5 * h * self.accelerations[k]));
        self.step(&predicted);
        let (mut r, mut d) = ([[0.0; 3]; 6], [[0.0; 3]; 6]);
        let factors = loop {
            let axes = axes(&self.e);
            let mut jacobian = [[0.0; 6]; 6];
            let mut side = [0.0; 6];
            let mut most = 0.0f64;
            for k in 0..6 {
                let c = self.corners[k];
                r[k] = add(times(axes[0], c[0]), times(axes[1], c[1]));
                d[k] = sub(add(self.p, r[k]), self.feet[k]);
                let moment = cross(r[k], d[k]);
                jacobian[k] = [d[k][0], d[k][1], d[k][2], moment[0], moment[1], moment[2]];
                side[k] = 0.5 * (lengths[k % 2][0] * lengths[k % 2][0] - dot(d[k], d[k]));
                most = most.max(side[k].abs());
            }
            let factors = Lu::of(jacobian);
            if most < 1e-15 {
                break factors;
            }
            factors.solve(&mut side);
            self.step(&side);
            if most < 1e-9 {
                // The correction was its own square: what is left is rounding.
                break factors;
            }
        };
        self.finish(&factors, &lengths, &r, &d, out);
    }

    fn finish(&mut self, factors: &Lu, lengths: &[[f64; 3]; 2], r: &[V; 6], d: &[V; 6], out: &mut [Body; 13]) {
        let mut x: [f64; 6] = std::array::from_fn(|k| lengths[k % 2][0] * lengths[k % 2][1]);
        factors.solve(&mut x);
        let (v, w) = ([x[0], x[1], x[2]], [x[3], x[4], x[5]]);
        let (mut v_top, mut inwards, mut y) = ([[0.0; 3]; 6], [[0.0; 3]; 6], [0.0; 6]);
        for k in 0..6 {
            let turning = cross(w, r[k]);
            v_top[k] = add(v, turning);
            inwards[k] = cross(w, turning);
            let [l, l1, l2] = lengths[k % 2];
            y[k] = l1 * l1 + l * l2 - dot(v_top[k], v_top[k]) - dot(d[k], inwards[k]);
        }
        factors.solve(&mut y);
        (self.rates, self.accelerations) = (x, y);
        let (a, al) = ([y[0], y[1], y[2]], [y[3], y[4], y[5]]);
        out[0] = Body { p: self.p, e: self.e, v, w, a, al };
        for k in 0..6 {
            let [l, l1, l2] = lengths[k % 2];
            let a_top = add(add(a, cross(al, r[k])), inwards[k]);
            let u = times(d[k], 1.0 / l);
            let u1 = times(sub(v_top[k], times(u, l1)), 1.0 / l);
            let u2 = times(sub(sub(a_top, times(u, l2)), times(u1, 2.0 * l1)), 1.0 / l);
            let (spin, spin1) = (cross(u, u1), cross(u, u2));
            let norm = 1.0 / (2.0 + 2.0 * u[2]).sqrt();
            let e = [(1.0 + u[2]) * norm, -u[1] * norm, u[0] * norm, 0.0];
            out[1 + 2 * k] = Body { p: self.feet[k], e, w: spin, al: spin1, ..Body::default() };
            let p = add(self.feet[k], d[k]);
            out[2 + 2 * k] = Body { p, e, v: v_top[k], w: spin, a: a_top, al: spin1 };
        }
    }

    fn step(&mut self, dv: &[f64; 6]) {
        self.p = add(self.p, [dv[0], dv[1], dv[2]]);
        let [x, y, z] = [0.5 * dv[3], 0.5 * dv[4], 0.5 * dv[5]];
        let [a, b, c, d] = self.e;
        let e = [
            a - x * b - y * c - z * d,
            b + x * a + y * d - z * c,
            c - x * d + y * a + z * b,
            d + x * c - y * b + z * a,
        ];
        let norm = 1.0 / e.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.e = e.map(|x| x * norm);
    }
}

/// Lengths of odd and even legs with their rates.
fn lengths(t: f64) -> [[f64; 3]; 2] {
    let (ra, rb, delta, yaw) = (1.0, 0.6, 40f64.to_radians(), 15f64.to_radians());
    let (s, c) = (TAU * t).sin_cos();
    let z = [1.2 + 0.2 * s, 0.2 * TAU * c, -0.2 * TAU * TAU * s];
    let psi = [yaw * s, yaw * TAU * c, -yaw * TAU * TAU * s];
    [1.0, -1.0].map(|sign: f64| {
        let (sine, cosine) = (delta + sign * psi[0]).sin_cos();
        let l = (ra * ra + rb * rb - 2.0 * ra * rb * cosine + z[0] * z[0]).sqrt();
        let l1 = (ra * rb * sine * sign * psi[1] + z[0] * z[1]) / l;
        let second = ra * rb * (cosine * psi[1] * psi[1] + sine * sign * psi[2]) + z[1] * z[1] + z[0] * z[2];
        [l, l1, (second - l1 * l1) / l]
    })
}

fn axes(e: &[f64; 4]) -> [V; 2] {
    let [w, x, y, z] = *e;
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
    ]
}

/// Factors of a matrix of six rows, rows exchanged for the largest pivot.
struct Lu {
    a: [[f64; 6]; 6],
    order: [usize; 6],
    inverse: [f64; 6],
}

impl Lu {
    fn of(mut a: [[f64; 6]; 6]) -> Lu {
        let (mut order, mut inverse) = ([0, 1, 2, 3, 4, 5], [0.0; 6]);
        for k in 0..6 {
            let pivot = (k..6).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
            a.swap(k, pivot);
            order.swap(k, pivot);
            inverse[k] = 1.0 / a[k][k];
            let row = a[k];
            for lower in a.iter_mut().skip(k + 1) {
                let factor = lower[k] * inverse[k];
                lower[k] = factor;
                for j in k + 1..6 {
                    lower[j] -= factor * row[j];
                }
            }
        }
        Lu { a, order, inverse }
    }

    fn solve(&self, b: &mut [f64; 6]) {
        let mut x = self.order.map(|k| b[k]);
        for k in 0..6 {
            for j in 0..k {
                x[k] -= self.a[k][j] * x[j];
            }
        }
        for k in (0..6).rev() {
            for j in k + 1..6 {
                x[k] -= self.a[k][j] * x[j];
            }
            x[k] *= self.inverse[k];
        }
        *b = x;
    }
}
