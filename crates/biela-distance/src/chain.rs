//! Curves in a plane: straight lines, arcs and cubics, one after the other. A closed chain runs anticlockwise about what it encloses; an open one
//! has two sides and nothing within.

use crate::foot::{Core, Ends, Foot, SMOOTH};
use biela_math::{Elementary, Vec3};

/// A part of a curve, with a parameter from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// From a point straight to another.
    Segment([Vec3; 2]),
    /// A part of a circle, anticlockwise.
    Arc {
        /// Its middle.
        middle: Vec3,
        /// Its radius.
        radius: f64,
        /// Angle from x where it begins.
        from: f64,
        /// Angle that it sweeps.
        sweep: f64,
    },
    /// A cubic.
    Cubic(Hermite),
}

/// A cubic by its ends and its derivatives there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hermite {
    /// Its ends.
    pub ends: [Vec3; 2],
    /// Derivatives by the parameter.
    pub slopes: [Vec3; 2],
}

/// Pieces, each of which begins where the one before it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    pieces: Vec<Piece>,
    closed: bool,
    /// A ball around each piece.
    around: Vec<(Vec3, f64)>,
    /// Parts from one hollow corner to the next, of a closed one that has any.
    runs: Vec<Run>,
}

/// Some pieces of a closed chain, one after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Run {
    first: usize,
    count: usize,
    /// Whether it begins, and whether it ends, at a hollow corner.
    hollow: [bool; 2],
}

/// The nearest place of a piece.
struct Spot {
    at: Vec3,
    distance: f64,
    /// The piece, and where on it.
    piece: usize,
    u: f64,
}

/// Places of a cubic that are looked at first.
const PLACES: usize = 8;
/// Halvings after that: down to rounding.
const HALVINGS: usize = 60;

impl Piece {
    /// Point, first and second derivative by the parameter.
    pub(crate) fn at(&self, u: f64) -> [Vec3; 3] {
        match self {
            Piece::Segment([a, b]) => [*a + (*b - *a) * u, *b - *a, Vec3::ZERO],
            Piece::Arc { middle, radius, from, sweep } => {
                let (sine, cosine) = (from + sweep * u).sine_cosine();
                let (out, along) = (Vec3::new(cosine, sine, 0.0), Vec3::new(-sine, cosine, 0.0));
                [*middle + out * *radius, along * (radius * sweep), out * (-radius * sweep * sweep)]
            }
            Piece::Cubic(Hermite { ends: [a, b], slopes: [p, q] }) => {
                let (c2, c3) = ((*b - *a) * 3.0 - *p * 2.0 - *q, (*a - *b) * 2.0 + *p + *q);
                [*a + (*p + (c2 + c3 * u) * u) * u, *p + (c2 * 2.0 + c3 * (3.0 * u)) * u, c2 * 2.0 + c3 * (6.0 * u)]
            }
        }
    }

    /// A ball around it.
    fn around(&self) -> (Vec3, f64) {
        match self {
            Piece::Arc { middle, radius, .. } => (*middle, *radius),
            Piece::Segment([a, b]) => ((*a + *b) * 0.5, (*b - *a).norm() * 0.5),
            // A cubic lies within its Bézier points.
            Piece::Cubic(Hermite { ends: [a, b], slopes: [p, q] }) => {
                let middle = (*a + *b) * 0.5;
                let points = [*a, *b, *a + *p * (1.0 / 3.0), *b - *q * (1.0 / 3.0)];
                (middle, points.iter().map(|x| (*x - middle).norm()).fold(0.0, f64::max))
            }
        }
    }

    /// Where it is nearest to a point.
    fn nearest(&self, p: Vec3) -> (f64, Vec3) {
        match self {
            Piece::Segment([a, b]) => {
                let d = *b - *a;
                let u = ((p - *a).dot(d) / d.dot(d)).clamp(0.0, 1.0);
                (u, if u == 1.0 { *b } else { *a + d * u })
            }
            Piece::Arc { middle, radius, from, sweep } => {
                let d = p - *middle;
                let turned = d.y.arctangent2(d.x) - from;
                let turned = turned - (turned / std::f64::consts::TAU).floor() * std::f64::consts::TAU;
                if turned <= *sweep {
                    return (turned / sweep, *middle + d.unit().unwrap_or(Vec3::X) * *radius);
                }
                let ends = [self.at(0.0)[0], self.at(1.0)[0]];
                match (p - ends[0]).norm() <= (p - ends[1]).norm() {
                    true => (0.0, ends[0]),
                    false => (1.0, ends[1]),
                }
            }
            Piece::Cubic(_) => {
                let place = |k: usize| k as f64 / PLACES as f64;
                let distances: Vec<f64> = (0..=PLACES).map(|k| (self.at(place(k))[0] - p).norm()).collect();
                let mut best = (f64::INFINITY, 0.0);
                for k in 0..=PLACES {
                    let lower = |j: usize| distances[j] < distances[k];
                    if (k > 0 && lower(k - 1)) || (k < PLACES && lower(k + 1)) {
                        continue;
                    }
                    let slope = |u: f64| {
                        let [x, d, _] = self.at(u);
                        (x - p).dot(d)
                    };
                    let u = rest(slope, place(k.saturating_sub(1)), place((k + 1).min(PLACES)));
                    let distance = (self.at(u)[0] - p).norm();
                    if distance < best.0 {
                        best = (distance, u);
                    }
                }
                (best.1, self.at(best.1)[0])
            }
        }
    }
}

/// Where a function that rises through zero does so between two places; the end where it does not.
pub(crate) fn rest(slope: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    if slope(low) >= 0.0 {
        return low;
    }
    if slope(high) <= 0.0 {
        return high;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        match slope(middle) < 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

impl Chain {
    /// A chain of pieces; a closed one is to run anticlockwise.
    pub fn new(pieces: Vec<Piece>, closed: bool) -> Chain {
        let around = pieces.iter().map(Piece::around).collect();
        let mut chain = Chain { pieces, closed, around, runs: Vec::new() };
        if closed {
            chain.runs = chain.between_hollows();
        }
        chain
    }

    fn between_hollows(&self) -> Vec<Run> {
        let n = self.pieces.len();
        let hollows: Vec<usize> = (0..n).filter(|k| self.turn(*k) == Some(false)).collect();
        let after = |k: usize| hollows[(k + 1) % hollows.len()];
        let run =
            |first: usize, end: usize, hollow: [bool; 2]| Run { first, count: (end + n - first - 1) % n + 1, hollow };
        match *hollows.as_slice() {
            // A place with this corner at both ends would not tell its sides apart.
            [one] if n > 1 => {
                let middle = (one + n / 2) % n;
                vec![run(one, middle, [true, false]), run(middle, one, [false, true])]
            }
            _ => (0..hollows.len()).map(|k| run(hollows[k], after(k), [true; 2])).collect(),
        }
    }

    /// Number of its parts from one hollow corner to the next, each of which a ball may touch at the same time; 0 where all of it is one.
    pub(crate) fn runs(&self) -> usize {
        self.runs.len()
    }

    /// A polygon through corners, anticlockwise.
    pub fn polygon(corners: &[Vec3]) -> Chain {
        let next = |k: usize| corners[(k + 1) % corners.len()];
        Chain::new(corners.iter().enumerate().map(|(k, p)| Piece::Segment([*p, next(k)])).collect(), true)
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether it encloses something.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether it has parts that are not straight.
    pub(crate) fn is_curved(&self) -> bool {
        self.pieces.iter().any(|piece| !matches!(piece, Piece::Segment(_)))
    }

    /// A ball around it.
    pub(crate) fn around(&self) -> (Vec3, f64) {
        let sum = self.around.iter().fold(Vec3::ZERO, |s, ball| s + ball.0);
        let middle = sum * (1.0 / self.around.len().max(1) as f64);
        (middle, self.around.iter().map(|(at, r)| (*at - middle).norm() + r).fold(0.0, f64::max))
    }

    /// Corners that stand out of a polygon, and the ends of an open chain; each with unit vectors along what begins there.
    pub(crate) fn corners(&self) -> Vec<(Vec3, Vec<Vec3>)> {
        let start = |k: usize| {
            let [p, along, _] = self.pieces[k].at(0.0);
            (p, along.unit().unwrap_or(Vec3::X))
        };
        let end = |k: usize| {
            let [p, along, _] = self.pieces[k].at(1.0);
            (p, -along.unit().unwrap_or(Vec3::X))
        };
        let n = self.pieces.len();
        if self.closed {
            let out = (0..n).filter(|k| matches!(self.pieces[*k], Piece::Segment(_)) && self.turn(*k) != Some(false));
            return out.map(|k| (start(k).0, vec![end((k + n - 1) % n).1, start(k).1])).collect();
        }
        let ends = [(n > 0).then(|| start(0)), n.checked_sub(1).map(end)];
        ends.into_iter().flatten().map(|(p, along)| (p, vec![along])).collect()
    }

    /// How far a point is from it.
    pub(crate) fn foot(&self, p: Vec3) -> Foot {
        self.told(p, &self.spot(p, 0..self.pieces.len()))
    }

    fn spot(&self, p: Vec3, of: impl Iterator<Item = usize>) -> Spot {
        let mut best = Spot { at: Vec3::ZERO, distance: f64::INFINITY, piece: 0, u: 0.0 };
        for k in of {
            let (piece, (middle, reach)) = (&self.pieces[k], &self.around[k]);
            if (p - *middle).norm() - reach > best.distance {
                continue;
            }
            let (u, at) = piece.nearest(p);
            let distance = (p - at).norm();
            if distance < best.distance {
                best = Spot { at, distance, piece: k, u };
            }
        }
        best
    }

    /// How far a point is from one of its runs. Near a hollow corner a run goes on straight, so that in the hollow both runs face the point; what lies behind a run without
    /// being within the chain there is nowhere near.
    pub(crate) fn foot_of_run(&self, p: Vec3, run: usize) -> Foot {
        let Some(Run { first, count, hollow }) = self.runs.get(run).copied() else { return self.foot(p) };
        let n = self.pieces.len();
        let spot = self.spot(p, (first..first + count).map(|k| k % n));
        let last = (first + count - 1) % n;
        let ends = [spot.piece == first && spot.u == 0.0, spot.piece == last && spot.u == 1.0];
        let far = Foot {
            distance: f64::INFINITY,
            normal: Vec3::X,
            core: Core::Plane { at: p, normal: Vec3::X },
            ends: SMOOTH,
        };
        let end = [(0, first), (1, (last + 1) % n)].into_iter().find(|(end, _)| ends[*end]);
        if let Some((end, corner)) = end {
            if !hollow[end] {
                // The run before it has this corner.
                return if end == 0 { far } else { self.told(p, &spot) };
            }
            if !self.is_in_hollow(p, corner) {
                return Foot { distance: spot.distance, ..far };
            }
            let along = self.pieces[spot.piece].at(spot.u)[1];
            let normal = Vec3::new(along.y, -along.x, 0.0).unit().unwrap_or(Vec3::X);
            let core = Core::Plane { at: spot.at, normal };
            return Foot { distance: (p - spot.at).dot(normal), normal, core, ends: SMOOTH };
        }
        let foot = self.told(p, &spot);
        let nearest = || self.spot(p, 0..n).piece == spot.piece;
        let beside = |corner: usize| self.turn(corner) == Some(false) && self.is_in_hollow(p, corner);
        match foot.distance >= 0.0 || nearest() || beside(spot.piece) || beside((spot.piece + 1) % n) {
            true => foot,
            false => far,
        }
    }

    /// Whether a point lies in the hollow where piece `k` begins: not further than the pieces beside it are long, and nearest to these.
    fn is_in_hollow(&self, p: Vec3, k: usize) -> bool {
        let n = self.pieces.len();
        let before = (k + n - 1) % n;
        let long = |k: usize| (self.pieces[k].at(1.0)[0] - self.pieces[k].at(0.0)[0]).norm();
        let from = (p - self.pieces[k].at(0.0)[0]).norm();
        from <= long(k).min(long(before)) && [before, k].contains(&self.spot(p, 0..n).piece)
    }

    /// Sides of a corner that stands out within `skin` of a point, as if each went on straight.
    pub(crate) fn sides(&self, p: Vec3, skin: f64) -> Vec<Foot> {
        let n = self.pieces.len();
        let corner = (0..n).find(|k| self.turn(*k) == Some(true) && (self.pieces[*k].at(0.0)[0] - p).norm() <= skin);
        let Some(k) = corner.filter(|_| self.closed) else { return Vec::new() };
        let side = |piece: usize, u: f64, sense: f64| {
            let [at, along, _] = self.pieces[piece].at(u);
            let normal = Vec3::new(along.y, -along.x, 0.0).unit().unwrap_or(Vec3::X);
            let out = along.unit().unwrap_or(Vec3::X) * sense;
            let ends = [Some(((at - p).dot(out), out)), None];
            Foot { distance: (p - at).dot(normal), normal, core: Core::Plane { at, normal }, ends }
        };
        vec![side((k + n - 1) % n, 1.0, 1.0), side(k, 0.0, -1.0)]
    }

    /// Where the piece of a place ends sharply.
    fn ends(&self, spot: &Spot) -> Ends {
        let n = self.pieces.len();
        let end = |u: f64, corner: usize, sense: f64| {
            let sharp = match self.closed {
                true => self.turn(corner % n) == Some(true),
                false => corner == 0 || corner == n,
            };
            let [at, along, _] = self.pieces[spot.piece].at(u);
            sharp.then(|| ((at - spot.at).norm(), along.unit().unwrap_or(Vec3::X) * sense))
        };
        [end(0.0, spot.piece, -1.0), end(1.0, spot.piece + 1, 1.0)]
    }

    /// What the chain is like at its nearest place.
    fn told(&self, p: Vec3, spot: &Spot) -> Foot {
        let piece = &self.pieces[spot.piece];
        let [_, along, bend] = piece.at(spot.u);
        let right = Vec3::new(along.y, -along.x, 0.0).unit().unwrap_or(Vec3::X);
        let from = p - spot.at;
        let straight = from.unit();
        if let Some(convex) = self.corner(spot) {
            let out = if convex { 1.0 } else { -1.0 };
            let normal = straight.map_or(right, |u| u * out);
            let ends = if convex { [Some((-spot.distance, normal)), None] } else { SMOOTH };
            return Foot {
                distance: out * spot.distance,
                normal,
                core: Core::Point { at: spot.at, radius: 0.0 },
                ends,
            };
        }
        let outside = !self.closed || from.dot(right) >= 0.0;
        let side = if from.dot(right) >= 0.0 { 1.0 } else { -1.0 };
        // Out of what is enclosed; an open chain has an outside on either side.
        let normal = if self.closed { right } else { right * side };
        let distance = if outside { spot.distance } else { -spot.distance };
        // Curvature with the middle of the circle on the left, that is within; seen from the other side it is hollow.
        let speed = along.norm();
        let curvature = along.cross(bend).z / (speed * speed * speed);
        let seen = if self.closed { curvature } else { curvature * side };
        let core = match seen == 0.0 {
            true => Core::Plane { at: spot.at, normal },
            false => Core::Point { at: spot.at - normal * (1.0 / seen), radius: 1.0 / seen },
        };
        Foot { distance, normal, core, ends: self.ends(spot) }
    }

    /// Whether the nearest place is a corner, and then whether that is convex; ends of an open chain are.
    fn corner(&self, spot: &Spot) -> Option<bool> {
        if spot.u > 0.0 && spot.u < 1.0 {
            return None;
        }
        let count = self.pieces.len();
        match (spot.u == 0.0, self.closed) {
            (true, false) if spot.piece == 0 => Some(true),
            (false, false) if spot.piece + 1 == count => Some(true),
            (true, _) => self.turn(spot.piece),
            (false, _) => self.turn((spot.piece + 1) % count),
        }
    }

    /// Whether there is a corner where piece `k` begins, and then whether that is convex; seen from either side one of an open chain is.
    fn turn(&self, k: usize) -> Option<bool> {
        let count = self.pieces.len();
        let (a, b) = (self.pieces[(k + count - 1) % count].at(1.0)[1], self.pieces[k].at(0.0)[1]);
        /// Sine of the angle between two pieces that is none: roundings of their directions.
        const SMOOTH: f64 = 1e-9;
        let turn = a.cross(b).z;
        match turn.abs() <= SMOOTH * a.norm() * b.norm() && a.dot(b) > 0.0 {
            true => None,
            false => Some(!self.closed || turn > 0.0),
        }
    }
}
