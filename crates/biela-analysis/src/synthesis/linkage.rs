//! A linkage in each of the positions that it passes.

use super::{angle, cross};
use biela_roots::Complex;

/// A linkage that was found.
#[derive(Debug, Clone)]
pub struct Linkage {
    /// What it is.
    pub shape: Shape,
    /// Fixed pivot of the input link.
    pub a: Complex,
    /// End of the input link in each position.
    pub b: Vec<Complex>,
    /// The other end of the coupler in each position: at the rocker, or at the slider.
    pub c: Vec<Complex>,
    /// What the coupler carries in each position.
    pub carried: Carried,
    /// Whether input and output may be exchanged.
    pub either: bool,
}

/// What a linkage is.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A rocker turns about this pivot.
    FourBar(Complex),
    /// A slider moves in this direction.
    SliderCrank(Complex),
    /// A rocker turns about the first pivot; the coupler's point, the carried one, is held by a rod to an output link about the second, whose ends are these.
    SixBar(Complex, Complex, Vec<Complex>),
    /// Axes through the origin.
    Spherical(Spherical),
}

/// Directions of the axes of a spherical four-bar, and orientations of its coupler where they are wanted.
#[derive(Debug, Clone)]
pub struct Spherical {
    /// Fixed axes: of the input and of the output.
    pub fixed: [[f64; 3]; 2],
    /// Axes between input link and coupler, in each position.
    pub b: Vec<[f64; 3]>,
    /// Axes between coupler and output link.
    pub c: Vec<[f64; 3]>,
    /// Rotations of the coupler, row by row.
    pub turns: Vec<[[f64; 3]; 3]>,
}

/// What a coupler carries.
#[derive(Debug, Clone)]
pub enum Carried {
    /// Nothing.
    Nothing,
    /// A point.
    Point(Vec<Complex>),
    /// A frame: its origin, and its direction as a number of magnitude one.
    Frame(Vec<(Complex, Complex)>),
}

impl Linkage {
    /// A four-bar with fixed pivots a and d.
    pub(super) fn four_bar([a, d]: [Complex; 2], b: Vec<Complex>, c: Vec<Complex>, carried: Carried) -> Linkage {
        Linkage { shape: Shape::FourBar(d), a, b, c, carried, either: true }
    }

    /// How many positions it was made for.
    pub fn positions(&self) -> usize {
        match &self.shape {
            Shape::Spherical(s) => s.b.len(),
            _ => self.b.len(),
        }
    }

    /// The far fixed pivot of a four-bar.
    pub(super) fn far(&self) -> Option<Complex> {
        match self.shape {
            Shape::FourBar(d) | Shape::SixBar(d, _, _) => Some(d),
            _ => None,
        }
    }

    /// With input and output exchanged.
    pub(super) fn exchanged(&self) -> Option<Linkage> {
        match self.shape {
            Shape::FourBar(d) if self.either => Some(Linkage {
                shape: Shape::FourBar(self.a),
                a: d,
                b: self.c.clone(),
                c: self.b.clone(),
                carried: self.carried.clone(),
                either: true,
            }),
            _ => None,
        }
    }

    /// Lengths of a linkage in a plane: input link, coupler, and rocker and ground where it has them.
    pub fn lengths(&self) -> Vec<f64> {
        let mut list = vec![(self.b[0] - self.a).norm(), (self.c[0] - self.b[0]).norm()];
        match &self.shape {
            Shape::FourBar(d) => list.extend([(self.c[0] - *d).norm(), (*d - self.a).norm()]),
            Shape::SixBar(d, g, f) => {
                list.extend([(self.c[0] - *d).norm(), (*d - self.a).norm(), (f[0] - *g).norm()]);
                if let Carried::Point(e) = &self.carried {
                    list.push((e[0] - f[0]).norm());
                }
            }
            Shape::SliderCrank(_) => {}
            Shape::Spherical(_) => list.clear(),
        }
        list
    }

    /// Pivots on the ground.
    pub fn pivots(&self) -> Vec<Complex> {
        match &self.shape {
            Shape::FourBar(d) => vec![self.a, *d],
            Shape::SixBar(d, g, _) => vec![self.a, *d, *g],
            Shape::SliderCrank(_) => vec![self.a],
            Shape::Spherical(_) => Vec::new(),
        }
    }

    /// The curve of what the coupler carries, over all angles of the input, on the branch of the first position or on the `other`; with gaps where it does not
    /// close.
    pub fn curve(&self, places: usize, other: bool) -> Vec<[f64; 2]> {
        use crate::math::Elementary;
        let carried = match &self.carried {
            Carried::Nothing => return Vec::new(),
            Carried::Point(points) => points[0],
            Carried::Frame(frames) => frames[0].0,
        };
        let lengths = self.lengths();
        let own = (self.c[0] - self.b[0]).times(1.0 / lengths[1]);
        let arm = (carried - self.b[0]) * own.conjugate();
        let along = match self.shape {
            Shape::SliderCrank(direction) => direction,
            _ => self.far().unwrap_or(Complex::ONE) - self.a,
        };
        let along = along.times(1.0 / along.norm());
        let sign = if (self.sides()[0] > 0.0) != other { 1.0 } else { -1.0 };
        let at = |k: usize| {
            let (sine, cosine) = (std::f64::consts::TAU * k as f64 / places as f64).sine_cosine();
            let b = self.a + along * Complex::new(cosine, sine).times(lengths[0]);
            let turn = match self.shape {
                Shape::SliderCrank(_) => {
                    let rise = cross(along, self.c[0] - self.a) - cross(along, b - self.a);
                    along
                        * Complex::new(sign * (lengths[1] * lengths[1] - rise * rise).sqrt(), rise)
                            .times(1.0 / lengths[1])
                }
                _ => {
                    let way = self.far().unwrap_or_default() - b;
                    let far = way.norm();
                    let x = (lengths[1] * lengths[1] + far * far - lengths[2] * lengths[2]) / (2.0 * far);
                    let y = -sign * (lengths[1] * lengths[1] - x * x).sqrt();
                    way * Complex::new(x, y).times(1.0 / (far * lengths[1]))
                }
            };
            let p = b + turn * arm;
            [p.re, p.im]
        };
        match self.shape {
            Shape::Spherical(_) => Vec::new(),
            _ => (0..=places).map(at).collect(),
        }
    }

    /// Angles of the input link: from the line to the far pivot, or from the direction of the slider.
    pub(super) fn inputs(&self) -> Vec<f64> {
        if let Shape::Spherical(s) = &self.shape {
            return s.inputs();
        }
        let along = match &self.shape {
            Shape::SliderCrank(direction) => *direction,
            _ => self.far().unwrap_or(Complex::ONE) - self.a,
        };
        self.b.iter().map(|b| angle((*b - self.a) * along.conjugate())).collect()
    }

    /// Across which line coupler and output stand in each position.
    pub(super) fn sides(&self) -> Vec<f64> {
        match &self.shape {
            Shape::Spherical(s) => s.b.iter().zip(&s.c).map(|(b, c)| triple(*b, *c, s.fixed[1])).collect(),
            Shape::SliderCrank(direction) => {
                let along = |(b, c): (&Complex, &Complex)| ((*c - *b) * direction.conjugate()).re;
                self.b.iter().zip(&self.c).map(along).collect()
            }
            _ => {
                let d = self.far().unwrap_or_default();
                self.b.iter().zip(&self.c).map(|(b, c)| cross(*c - *b, d - *b)).collect()
            }
        }
    }
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn across(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn triple(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    dot(across(a, b), c)
}

pub(super) fn unit(a: [f64; 3]) -> [f64; 3] {
    let size = dot(a, a).sqrt();
    a.map(|x| x / size)
}

impl Spherical {
    /// Axes across the first fixed one: towards the second, and square to that.
    pub(super) fn frame(&self) -> [[f64; 3]; 2] {
        let [a, d] = self.fixed;
        let along = dot(a, d);
        let x = unit([0, 1, 2].map(|k| d[k] - along * a[k]));
        [x, across(a, x)]
    }

    fn inputs(&self) -> Vec<f64> {
        use crate::math::Elementary;
        let [x, y] = self.frame();
        self.b.iter().map(|b| dot(*b, y).arctangent2(dot(*b, x))).collect()
    }

    /// Arcs of input link, coupler, output link and ground.
    pub fn arcs(&self) -> [f64; 4] {
        use crate::math::Elementary;
        let [a, d] = self.fixed;
        let arc = |p: [f64; 3], q: [f64; 3]| {
            let side = across(p, q);
            dot(side, side).sqrt().arctangent2(dot(p, q))
        };
        [arc(a, self.b[0]), arc(self.b[0], self.c[0]), arc(self.c[0], d), arc(a, d)]
    }
}
