//! Four-bars whose coupler point passes through points of a plane.
//!
//! Vectors are complex numbers, each with its conjugate as an unknown of its own ([Wampler 1992]): fixed pivots a and b, moving pivots x and y, all
//! measured from the first point. At the point δ from the first, turned by T, the moving pivot is at δ + x T, as far from a as at first:
//! p T + q/T + r = 0 with p = (δ̄ − ā) x, q = (δ − a) x̄, r = δδ̄ − δā − δ̄a + a x̄ + ā x. The same holds of the other link, with p′, q′, r′. Both are linear
//! in T and 1/T, whose product is one: (q r′ − q′ r)(r p′ − r′ p) = (p q′ − p′ q)².

use super::Known;
use crate::certificate::{together, Account, Root};
use crate::circuit::{Circuit, Node};
use crate::complex::Complex;
use crate::family::{Family, Found};
use crate::parallel::each;
use crate::solve::Options;
use crate::system::Refusal;
use biela_math::random::Random;
use std::sync::OnceLock;

/// Unknowns: x, x̄, a, ā, y, ȳ, b, b̄.
pub const FOUR_BAR: usize = 8;
/// Coupler curves through nine points.
pub const CURVES: usize = 1442;
/// Roots for each: cognates, each with its links told in either order.
pub const COGNATES: usize = 6;
/// Points with two parameters each, beside the first.
const POINTS: usize = 8;
/// The general member's roots, one of each class: parts of each unknown as single-precision numbers, which Newton's method refines.
static ROOTS: &[u8] = include_bytes!("four_bars.bin");
/// Where the general member is drawn from.
const SEED: u64 = 9;

/// Most paths that are followed again as those of cognates.
const AGAIN: usize = 40;

/// Sizes and angles by which points are multiplied, the first by one.
const TURNS: [(f64, f64); 4] = [(1.0, 0.0), (0.8, 0.9), (1.3, 2.1), (1.0, 3.4)];
/// Relative difference of the marks of a curve computed twice.
const SAME: f64 = 1e-7;

/// What is given of a four-bar beside points: the value is a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// A coordinate of the first fixed pivot (0) or the second (1), from the first point: along x (0) or y (1).
    Pivot(usize, usize),
    /// The square of a distance between two of: first fixed pivot, second, first moving pivot, second, coupler point.
    Distance(Place, Place),
}

/// A place on a four-bar in its first position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// First fixed pivot.
    A,
    /// Second fixed pivot.
    B,
    /// First moving pivot.
    X,
    /// Second moving pivot.
    Y,
    /// Coupler point.
    P,
}

impl Place {
    /// Where its unknown and that one's conjugate stand.
    fn unknowns(self) -> Option<(usize, usize)> {
        match self {
            Place::X => Some((0, 1)),
            Place::A => Some((2, 3)),
            Place::Y => Some((4, 5)),
            Place::B => Some((6, 7)),
            Place::P => None,
        }
    }
}

/// Four-bars through `points` points of which `given` is given, together nine. Parameters are δ of each point but the first, then their
/// conjugates, then two for each thing given: of a coordinate along x twice itself, along y itself times i and the conjugate of that; of a distance twice half
/// its square.
pub fn four_bars(points: usize, given: &[Given]) -> Option<Family> {
    if points + given.len() != POINTS + 1 || points < 2 {
        return None;
    }
    let parameters = 2 * POINTS;
    let mut c = Circuit::new(FOUR_BAR + 1, parameters);
    let own: Vec<Node> = (0..=FOUR_BAR).map(|k| c.coordinate(k)).collect();
    let h = own[FOUR_BAR];
    let square = c.product(h, h);
    let dyads = [0, 4].map(|k| {
        let [x, xc, a, ac] = [own[k], own[k + 1], own[k + 2], own[k + 3]];
        let (n, nc) = (c.product(a, xc), c.product(ac, x));
        let (wide, widec) = (c.product(x, h), c.product(xc, h));
        let (far, farc) = (c.product(a, h), c.product(ac, h));
        let both = c.sum(&[(1.0, n), (1.0, nc)]);
        [n, nc, wide, widec, far, farc, both]
    });
    let moved = points - 1;
    for j in 0..moved {
        let (d, dc) = (c.parameter(j), c.parameter(moved + j));
        let dd = c.product(d, dc);
        let ends = c.product(dd, square);
        let [[p, q, r], [s, u, v]] = dyads.map(|[n, nc, wide, widec, far, farc, both]| {
            let (first, second) = (c.product(dc, wide), c.product(d, widec));
            let (third, fourth) = (c.product(d, farc), c.product(dc, far));
            let p = c.sum(&[(1.0, first), (-1.0, nc)]);
            let q = c.sum(&[(1.0, second), (-1.0, n)]);
            let r = c.sum(&[(1.0, ends), (-1.0, third), (-1.0, fourth), (1.0, both)]);
            [p, q, r]
        });
        let (one, other) = (c.determinant([q, r, u, v]), c.determinant([r, p, v, s]));
        let middle = c.determinant([p, q, s, u]);
        let (left, right) = (c.product(one, other), c.product(middle, middle));
        let row = c.sum(&[(1.0, left), (-1.0, right)]);
        c.row(row);
    }
    for (k, what) in given.iter().enumerate() {
        let (first, second) = (c.parameter(2 * (moved + k)), c.parameter(2 * (moved + k) + 1));
        let row = match what {
            Given::Pivot(side, along) => {
                let (a, ac) = (own[2 + 4 * side], own[3 + 4 * side]);
                let sign = if *along == 0 { 1.0 } else { -1.0 };
                let value = c.sum(&[(1.0, first), (sign, second)]);
                let value = c.product(value, h);
                c.sum(&[(1.0, a), (sign, ac), (-1.0, value)])
            }
            Given::Distance(from, to) => {
                let mut way = [Vec::new(), Vec::new()];
                for (place, sign) in [(from, 1.0), (to, -1.0)] {
                    if let Some((z, zc)) = place.unknowns() {
                        way[0].push((sign, own[z]));
                        way[1].push((sign, own[zc]));
                    }
                }
                let (z, zc) = (c.sum(&way[0]), c.sum(&way[1]));
                let value = c.sum(&[(1.0, first), (1.0, second)]);
                let (long, short) = (c.product(z, zc), c.product(value, square));
                c.sum(&[(1.0, long), (-1.0, short)])
            }
        };
        c.row(row);
    }
    let unknowns = vec![1, 0, 3, 2, 5, 4, 7, 6];
    let delta = (0..2 * moved).map(|k| (k + moved) % (2 * moved));
    let others = delta.chain((0..2 * given.len()).map(|k| 2 * moved + (k ^ 1))).collect();
    Family::of_circuit(c, [unknowns, others]).ok()
}

/// A four-bar drawn at random, not a real one, and the parameters of the member it belongs to.
pub fn drawn(points: usize, given: &[Given], random: &mut Random) -> (Vec<Complex>, Vec<Complex>) {
    let mut number = || Complex::new(random.signed(), random.signed());
    let z: Vec<Complex> = (0..FOUR_BAR).map(|_| number()).collect();
    let (mut delta, mut conjugate) = (Vec::new(), Vec::new());
    for _ in 1..points {
        let turn = number();
        // δδ̄ + f δ + g δ̄ + e = 0 of each link: their difference is linear, and leaves a quadratic equation of δ.
        let [one, other] = [0, 4].map(|k| {
            let [x, xc, a, ac] = [z[k], z[k + 1], z[k + 2], z[k + 3]];
            let (f, g) = (xc / turn - ac, x * turn - a);
            [f, g, a * xc + ac * x - ac * x * turn - a * xc / turn]
        });
        let [f, g, e] = [0, 1, 2].map(|k| one[k] - other[k]);
        // δ̄ = −(e + f δ)/g
        let (slope, level) = (-(f / g), -(e / g));
        let (a, b, c) = (slope, level + one[0] + one[1] * slope, one[1] * level + one[2]);
        let root = (b * b - (a * c).times(4.0)).root();
        let d = (root - b) / a.times(2.0);
        delta.push(d);
        conjugate.push(level + slope * d);
    }
    let mut parameters: Vec<Complex> = delta.into_iter().chain(conjugate).collect();
    for what in given {
        parameters.extend(match what {
            Given::Pivot(side, _) => [z[2 + 4 * side], z[3 + 4 * side]],
            Given::Distance(from, to) => {
                let place = |k: Place| k.unknowns().map_or((Complex::ZERO, Complex::ZERO), |(i, j)| (z[i], z[j]));
                let ((p, pc), (q, qc)) = (place(*from), place(*to));
                [((p - q) * (pc - qc)).times(0.5); 2]
            }
        });
    }
    (z, parameters)
}

/// All roots that tell the same curve: its three four-bars by Roberts and Chebyshev, each with its links in either order.
pub fn cognates(z: &[Complex]) -> Vec<Vec<Complex>> {
    // Unbarred and barred vectors by the same formulas: x, a, y, b of each four-bar.
    let of = |x: Complex, a: Complex, y: Complex, b: Complex| {
        let third = (a * y - b * x) / (y - x);
        let (left, right) = (y * (a - x) / (y - x), x * (b - y) / (x - y));
        [[x, a, y, b], [a - x, a, left, third], [b - y, b, right, third]]
    };
    let (plain, barred) = (of(z[0], z[2], z[4], z[6]), of(z[1], z[3], z[5], z[7]));
    let one = |order: [usize; 4]| {
        let pair =
            move |(p, c): (&[Complex; 4], &[Complex; 4])| order.iter().flat_map(|k| [p[*k], c[*k]]).collect::<Vec<_>>();
        plain.iter().zip(&barred).map(pair).collect::<Vec<_>>()
    };
    one([0, 1, 2, 3]).into_iter().chain(one([2, 3, 0, 1])).collect()
}

/// Numbers that all roots of a curve have in common: symmetric functions of its three foci, the fixed pivots of the cognates, and of their conjugates.
pub fn mark(z: &[Complex]) -> Vec<Complex> {
    let foci = |x: Complex, a: Complex, y: Complex, b: Complex| {
        let c = (a * y - b * x) / (y - x);
        [a + b + c, a * b + b * c + c * a, a * b * c]
    };
    foci(z[0], z[2], z[4], z[6]).into_iter().chain(foci(z[1], z[3], z[5], z[7])).collect()
}

/// Parameters of the general member.
pub fn general() -> Vec<Complex> {
    let mut random = Random(SEED);
    (0..2 * POINTS).map(|_| Complex::new(random.signed(), random.signed())).collect()
}

/// Four-bars through nine points: one root for each of 1442 curves, of the 8652 that there are ([Wampler 1992]).
pub fn nine_points() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let family = four_bars(POINTS + 1, &[]).expect("nine");
        let single = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let point = |bytes: &[u8]| bytes.chunks_exact(8).map(|z| Complex::new(single(z), single(&z[4..]))).collect();
        let rough: Vec<Vec<Complex>> = ROOTS.chunks_exact(8 * FOUR_BAR).map(point).collect();
        let parameters = general();
        let roots = family.refined(&rough, &parameters);
        Known { family, parameters, roots, source: "count for four-bars through nine points [Wampler 1992]" }
    })
}

/// One certified root of each coupler curve through nine points, and where all paths went. A path that does not arrive is followed as that of another
/// root of its curve, which leads to the same one; where some are missing still, the points are turned and scaled, which makes other paths.
///
/// # Errors
/// Where it was told to stop.
pub fn through_nine_points(parameters: &[Complex], options: &Options) -> Result<(Vec<Root>, Account), Refusal> {
    let known = nine_points();
    let member = known.family.at(parameters)?;
    let mut curves = Curves::default();
    let mut account = Account { paths: known.roots.len() as u64, ..Account::default() };
    for (k, (size, angle)) in TURNS.into_iter().enumerate() {
        let turn = Complex::unit(angle).times(size);
        let factor = |k: usize| if k < POINTS { turn } else { turn.conjugate() };
        let there: Vec<Complex> = parameters.iter().enumerate().map(|(k, p)| *p * factor(k)).collect();
        let (ends, found) = arrived(known, &there, options)?;
        // Unknowns stand in turns with their conjugates.
        let back = [turn.inverse(), turn.conjugate().inverse()];
        let own = |x: &Vec<Complex>| x.iter().enumerate().map(|(k, z)| *z * back[k % 2]).collect::<Vec<_>>();
        let work = |(): &mut (), k: usize| member.certify(&own(&ends[k]));
        let proved = each(ends.len(), options.threads, options.stop, || (), work).ok_or(Refusal::Cancelled)?;
        proved.into_iter().flatten().for_each(|root| curves.add(root));
        if k == 0 {
            (account.infinite, account.singular) = (found.infinite as u64, found.singular as u64);
        }
        if curves.roots.len() >= known.roots.len() || found.missing.len() > AGAIN {
            break;
        }
    }
    let mut roots = curves.roots;
    while let Some((_, second)) = together(&roots) {
        roots.remove(second);
    }
    account.regular = roots.len() as u64;
    let rest = account.paths.saturating_sub(account.regular);
    account.infinite = account.infinite.min(rest);
    account.singular = account.singular.min(rest - account.infinite);
    account.lost = rest - account.infinite - account.singular;
    Ok((roots, account))
}

/// Ends of the paths to a member, a few lost ones by way of cognates.
fn arrived(known: &Known, there: &[Complex], options: &Options) -> Result<(Vec<Vec<Complex>>, Found), Refusal> {
    let mut found = known.family.follow(&known.roots, &known.parameters, there, options)?;
    let mut ends = std::mem::take(&mut found.roots);
    // A few paths are lost by accident; where many are, the points are not general.
    for k in found.missing.iter().take(AGAIN) {
        for other in cognates(&known.roots[*k]).into_iter().skip(1).take(COGNATES / 2 - 1) {
            let again = known.family.follow(&[other], &known.parameters, there, options)?;
            if let Some(end) = again.roots.into_iter().next() {
                ends.push(end);
                break;
            }
        }
    }
    Ok((ends, found))
}

/// One root of each curve.
#[derive(Default)]
struct Curves {
    roots: Vec<Root>,
    marks: Vec<Vec<Complex>>,
}

impl Curves {
    /// Adds a root, if none of its curve is there.
    fn add(&mut self, root: Root) {
        let own = mark(&root.x);
        let same = |other: &Vec<Complex>| {
            other.iter().zip(&own).all(|(a, b)| (*a - *b).norm() <= SAME * a.norm().max(b.norm()).max(SAME))
        };
        if !self.marks.iter().any(same) {
            self.marks.push(own);
            self.roots.push(root);
        }
    }
}
