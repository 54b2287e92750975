//! Vectors and rotations of the audit's own: nothing here comes from the library.

/// A vector.
pub type V = [f64; 3];
/// Euler parameters, scalar first.
pub type Q = [f64; 4];
/// A matrix by rows.
pub type M = [V; 3];

pub const ZERO: V = [0.0; 3];

pub fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scaled(a: V, s: f64) -> V {
    [a[0] * s, a[1] * s, a[2] * s]
}

pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn norm(a: V) -> f64 {
    dot(a, a).sqrt()
}

pub fn unit(a: V) -> V {
    scaled(a, 1.0 / norm(a))
}

/// The part of `a` normal to the unit vector `n`, made a unit vector.
pub fn normal_part(a: V, n: V) -> V {
    unit(sub(a, scaled(n, dot(a, n))))
}

/// Product of Euler parameters: the rotation b first, then a.
pub fn product(a: Q, b: Q) -> Q {
    let (u, v) = ([a[1], a[2], a[3]], [b[1], b[2], b[3]]);
    let w = add(add(scaled(v, a[0]), scaled(u, b[0])), cross(u, v));
    [a[0] * b[0] - dot(u, v), w[0], w[1], w[2]]
}

/// Euler parameters of a turn about a unit vector.
pub fn turn(n: V, angle: f64) -> Q {
    let s = (0.5 * angle).sin();
    [(0.5 * angle).cos(), n[0] * s, n[1] * s, n[2] * s]
}

/// The matrix that takes a body's components to those of the ground.
pub fn matrix(e: Q) -> M {
    let [a, b, c, d] = e;
    [
        [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
        [2.0 * (b * c + a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d - a * b)],
        [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
}

/// M·a.
pub fn apply(m: &M, a: V) -> V {
    [dot(m[0], a), dot(m[1], a), dot(m[2], a)]
}

/// Mᵀ·a.
pub fn back(m: &M, a: V) -> V {
    add(add(scaled(m[0], a[0]), scaled(m[1], a[1])), scaled(m[2], a[2]))
}

/// Mᵀ.
pub fn transposed(m: &M) -> M {
    [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]]
}

/// A·B.
pub fn times(a: &M, b: &M) -> M {
    let columns = transposed(b).map(|c| apply(a, c));
    transposed(&columns)
}

/// Roll, pitch and yaw about fixed x, y, z.
pub fn roll_pitch_yaw(m: &M) -> V {
    let pitch = (-m[2][0]).atan2(m[0][0].hypot(m[1][0]));
    [m[2][1].atan2(m[2][2]), pitch, m[1][0].atan2(m[0][0])]
}

/// Numbers that a seed alone decides (xorshift with a multiplication).
pub struct Dice(pub u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            dice.bits();
        }
        dice
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Between two numbers.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of 0 … n − 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }

    /// True with a probability.
    pub fn chance(&mut self, p: f64) -> bool {
        self.between(0.0, 1.0) < p
    }

    /// One of a list.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    pub fn vector(&mut self, size: f64) -> V {
        [(); 3].map(|_| self.between(-size, size))
    }

    pub fn direction(&mut self) -> V {
        loop {
            let v = self.vector(1.0);
            let n = norm(v);
            if n > 0.2 && n < 1.0 {
                return scaled(v, 1.0 / n);
            }
        }
    }

    pub fn attitude(&mut self) -> Q {
        let n = self.direction();
        turn(n, self.between(-3.0, 3.0))
    }
}
