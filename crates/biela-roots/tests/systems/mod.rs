//! Systems with known roots.

#![allow(dead_code)] // Each test takes those it needs.

use biela_math::random::Random;
use biela_roots::{families, Complex, Factor, Polynomial, Structure, System};

pub fn variable(k: usize) -> Polynomial {
    Polynomial::variable(k)
}

pub fn number(c: f64) -> Polynomial {
    Polynomial::constant(c)
}

fn sum(list: impl IntoIterator<Item = Polynomial>) -> Polynomial {
    list.into_iter().fold(Polynomial::default(), |a, b| a + b)
}

/// Björck's cyclic roots.
pub fn cyclic(n: usize) -> System {
    let product =
        |from: usize, count: usize| (from..from + count).fold(number(1.0), |product, k| product * variable(k % n));
    let mut equations: Vec<Polynomial> = (1..n).map(|count| sum((0..n).map(|from| product(from, count)))).collect();
    equations.push(product(0, n) - number(1.0));
    System::new(equations).expect("square")
}

/// Katsura's magnetism, with n + 1 unknowns and 2ⁿ roots.
pub fn katsura(n: usize) -> System {
    let u = |k: i64| {
        if k.unsigned_abs() as usize > n {
            Polynomial::default()
        } else {
            variable(k.unsigned_abs() as usize)
        }
    };
    let n = n as i64;
    let mut equations: Vec<Polynomial> = (0..n).map(|m| sum((-n..=n).map(|l| u(l) * u(m - l))) - u(m)).collect();
    equations.push(sum((-n..=n).map(u)) - number(1.0));
    System::new(equations).expect("square")
}

/// Noonburg's neural network.
pub fn noon(n: usize) -> System {
    let of = |i: usize| {
        let others = sum((0..n).filter(|j| *j != i).map(|j| variable(j).square()));
        variable(i) * others - variable(i).scaled(1.1) + number(1.0)
    };
    System::new((0..n).map(of).collect()).expect("square")
}

/// A planar platform on three legs: x + iy, its conjugate, e^(iφ) and its conjugate as four unknowns.
pub fn three_rpr() -> System {
    let [p, q, z, w] = [0, 1, 2, 3].map(variable);
    let leg = |a: Complex, b: Complex, length: f64| {
        let d = p.clone() + z.scaled(b) - Polynomial::constant(a);
        let e = q.clone() + w.scaled(b.conjugate()) - Polynomial::constant(a.conjugate());
        d * e - number(length * length)
    };
    let c = Complex::new;
    System::new(vec![
        leg(c(0.0, 0.0), c(0.0, 0.0), 1.1),
        leg(c(2.0, 0.3), c(1.5, 0.2), 1.3),
        leg(c(0.7, 1.9), c(0.6, 1.0), 1.2),
        z * w - number(1.0),
    ])
    .expect("square")
}

/// A platform on six legs.
pub struct Platform {
    pub base: [[f64; 3]; 6],
    pub top: [[f64; 3]; 6],
    pub lengths: [f64; 6],
}

/// Product of quaternions of polynomials.
fn times(a: &[Polynomial; 4], b: &[Polynomial; 4]) -> [Polynomial; 4] {
    let t = |i: usize, j: usize| &a[i] * &b[j];
    [
        t(0, 0) - t(1, 1) - t(2, 2) - t(3, 3),
        t(0, 1) + t(1, 0) + t(2, 3) - t(3, 2),
        t(0, 2) + t(2, 0) + t(3, 1) - t(1, 3),
        t(0, 3) + t(3, 0) + t(1, 2) - t(2, 1),
    ]
}

fn dot(a: &[Polynomial; 4], b: &[Polynomial; 4]) -> Polynomial {
    sum(a.iter().zip(b).map(|(a, b)| a * b))
}

fn pure(v: [f64; 3]) -> [Polynomial; 4] {
    [Polynomial::default(), number(v[0]), number(v[1]), number(v[2])]
}

impl Platform {
    /// Points and lengths at random, near one.
    pub fn random(seed: u64) -> Platform {
        let mut random = Random(seed);
        let mut points = || [(); 6].map(|()| [(); 3].map(|()| random.signed()));
        let (base, top) = (points(), points());
        Platform { base, top, lengths: [(); 6].map(|()| 1.5 + 0.5 * random.signed()) }
    }

    pub fn dietmaier() -> Platform {
        Platform {
            base: [
                [0.0, 0.0, 0.0],
                [1.107915, 0.0, 0.0],
                [0.549094, 0.756063, 0.0],
                [0.735077, -0.223935, 0.525991],
                [0.514188, -0.526063, -0.368418],
                [0.590473, 0.094733, -0.205018],
            ],
            top: [
                [0.0, 0.0, 0.0],
                [0.542805, 0.0, 0.0],
                [0.956919, -0.528915, 0.0],
                [0.665885, -0.353482, 1.402538],
                [0.478359, 1.158742, 0.107672],
                [-0.137087, -0.235121, 0.353913],
            ],
            lengths: [1.0, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071],
        }
    }

    /// Parameters in the family of all platforms.
    pub fn parameters(&self) -> Vec<Complex> {
        let leg = |k: usize| {
            let ([a, b, c], [x, y, z]) = (self.base[k], self.top[k]);
            [a, b, c, x, y, z, self.lengths[k] * self.lengths[k]]
        };
        families::platform(&[0, 1, 2, 3, 4, 5].map(leg))
    }

    /// Husty's equations in Study's coordinates: e for the rotation, g = p e/2 with the position p. With N = e·e, a leg from a to b is
    /// 4 g·g + N (a² + b² − l²) + 4 g·(e b) − 4 g·(a e) − 2 (a e)·(e b) = 0.
    pub fn equations(&self) -> (System, Structure) {
        // One linear condition in e, so that no rotation is left out but by chance.
        let e0 = number(1.0) - variable(0).scaled(0.37) + variable(1).scaled(0.71) - variable(2).scaled(0.23);
        let e = [e0, variable(0), variable(1), variable(2)];
        let g = [3, 4, 5, 6].map(variable);
        let norm = dot(&e, &e);
        let leg = |k: usize| {
            let (a, b) = (pure(self.base[k]), pure(self.top[k]));
            let (ae, eb) = (times(&a, &e), times(&e, &b));
            let squares = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>();
            let constant = squares(self.base[k]) + squares(self.top[k]) - self.lengths[k].powi(2);
            dot(&g, &g).scaled(4.0) + norm.scaled(constant) + dot(&g, &eb).scaled(4.0)
                - dot(&g, &ae).scaled(4.0)
                - dot(&ae, &eb).scaled(2.0)
        };
        let first = leg(0);
        let mut equations = vec![first.clone()];
        equations.extend((1..6).map(|k| (leg(k) - first.clone()).trimmed(1e-14)));
        equations.push(dot(&e, &g));
        let system = System::new(equations).expect("square");
        let all = Factor { group: 0, variables: (0..7).collect() };
        let turn = Factor { group: 0, variables: (0..3).collect() };
        let mut factors = vec![vec![all.clone(), all.clone()]];
        factors.resize(7, vec![turn, all]);
        let structure = Structure::product(&system, vec![(0..7).collect()], factors).expect("of this structure");
        (system, structure)
    }
}

/// A general six-axis arm by Denavit and Hartenberg, in the axes' directions ([Wampler 1991]).
pub struct Arm {
    pub a: [f64; 5],
    pub d: [f64; 5],
    pub alpha: [f64; 5],
    /// Direction of the sixth axis, and where its frame stands.
    pub axis: [f64; 3],
    pub place: [f64; 3],
}

impl Arm {
    /// R. Manseur and K. L. Doty, A robot manipulator with 16 real inverse kinematic solution sets, 1989.
    pub fn manseur_doty() -> Arm {
        let degree = std::f64::consts::PI / 180.0;
        let alpha = [90.0, 1.0, 90.0, 1.0, 90.0].map(|x: f64| x * degree);
        // The tool's frame, of which the sixth axis with its twist of 1 degree is (0, sin, cos).
        let turn = [[-0.760117, -0.641689, 0.102262], [0.133333, 0.0, 0.991071], [-0.635959, 0.766965, 0.085558]];
        let (s, c) = (degree.sin(), degree.cos());
        Arm {
            a: [0.3, 1.0, 0.0, 1.5, 0.0],
            d: [0.0, 0.0, 0.2, 0.0, 0.0],
            alpha,
            axis: turn.map(|row| row[1] * s + row[2] * c),
            place: [-1.140175, 0.0, 0.0],
        }
    }

    pub fn random(seed: u64) -> Arm {
        let mut random = Random(seed);
        let mut five = |low: f64| [(); 5].map(|()| low + random.unit());
        let (a, d, alpha) = (five(0.0), five(-0.5), five(0.6));
        let axis = [random.signed(), random.signed(), random.signed()];
        let size = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let place = [random.signed(), random.signed(), random.signed()].map(|x| 1.5 * x);
        Arm { a, d, alpha, axis: axis.map(|x| x / size), place }
    }

    /// Parameters in the family of all arms: ways from axis to axis are a (v × v′)/sin α + d v.
    pub fn parameters(&self) -> Vec<Complex> {
        let cosines = self.alpha.map(f64::cos);
        let ways = (0..5).flat_map(|i| [self.d[i], 0.0, self.a[i] / self.alpha[i].sin()]);
        let ends = [0.0, 0.0, 1.0].into_iter().chain(self.axis);
        ends.chain(cosines).chain(ways).chain(self.place).map(Complex::from).collect()
    }

    /// Ten quadratic equations: axes 2 … 5 are unit vectors at given angles, the middle ones with three unknowns, the outer ones with two.
    pub fn equations(&self) -> (System, Structure) {
        let constant = |v: [f64; 3]| v.map(number);
        let inner = |a: &[Polynomial; 3], b: &[Polynomial; 3]| sum(a.iter().zip(b).map(|(a, b)| a * b));
        let cross = |a: &[Polynomial; 3], b: &[Polynomial; 3]| {
            let part = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
            [part(1, 2), part(2, 0), part(0, 1)]
        };
        // A vector at a given angle from another: two unknowns in the plane across it.
        let about = |axis: [f64; 3], angle: f64, from: usize| {
            let helper = if axis[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let times = |a: [f64; 3], b: [f64; 3]| {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            };
            let u = times(axis, helper);
            let size = u.iter().map(|x| x * x).sum::<f64>().sqrt();
            let u = u.map(|x| x / size);
            let v = times(axis, u);
            [0, 1, 2]
                .map(|i| number(axis[i] * angle.cos()) + variable(from).scaled(u[i]) + variable(from + 1).scaled(v[i]))
        };
        let base = [0.0, 0.0, 1.0];
        let z = [
            constant(base),
            about(base, self.alpha[0], 0),
            [2, 3, 4].map(variable),
            [5, 6, 7].map(variable),
            about(self.axis, self.alpha[4], 8),
            constant(self.axis),
        ];
        let mut equations: Vec<Polynomial> = (1..5).map(|i| inner(&z[i], &z[i]) - number(1.0)).collect();
        equations.extend((1..4).map(|i| inner(&z[i], &z[i + 1]) - number(self.alpha[i].cos())));
        for k in 0..3 {
            let link = |i: usize| {
                cross(&z[i], &z[i + 1])[k].scaled(self.a[i] / self.alpha[i].sin()) + z[i][k].scaled(self.d[i])
            };
            equations.push((sum((0..5).map(link)) - number(self.place[k])).trimmed(1e-15));
        }
        let system = System::new(equations).expect("square");
        let structure = Structure::grouped(&system, vec![vec![0, 1, 5, 6, 7], vec![2, 3, 4, 8, 9]]);
        (system, structure)
    }
}

/// u·(R v) − c for the rotation of a quaternion, times its squared length.
pub fn rotated_product(e: &[Polynomial; 4], u: [f64; 3], v: [f64; 3], c: f64) -> Polynomial {
    dot(&times(&pure(u), e), &times(e, &pure(v))) - dot(e, e).scaled(c)
}
