//! Outlines made of lines and arcs, and the arcs found in polygons: solids are made with corners where drawings have rounds.

use biela_math::Elementary;

/// A place on the drawing.
pub(super) type Place = [f64; 2];

/// A line of pieces, closed or not.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Contour {
    pub start: Place,
    pub pieces: Vec<Piece>,
    pub closed: bool,
}

/// From where the piece before ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Line(Place),
    /// Along a circle, anticlockwise where y points up, or the other way.
    Arc {
        to: Place,
        centre: Place,
        radius: f64,
        ccw: bool,
    },
    /// Half of an ellipse: from the centre plus `from`, over the centre plus `over`, to the centre minus `from`.
    Half {
        centre: Place,
        from: Place,
        over: Place,
    },
}

impl Piece {
    pub fn end(&self) -> Place {
        match self {
            Piece::Line(to) | Piece::Arc { to, .. } => *to,
            Piece::Half { centre, from, .. } => [centre[0] - from[0], centre[1] - from[1]],
        }
    }
}

impl Contour {
    /// Straight lines through points.
    pub fn polygon(points: &[Place], closed: bool) -> Contour {
        let start = points.first().copied().unwrap_or([0.0; 2]);
        Contour { start, pieces: points.iter().skip(1).map(|p| Piece::Line(*p)).collect(), closed }
    }

    /// Whether all pieces are straight.
    pub fn is_straight(&self) -> bool {
        self.pieces.iter().all(|p| matches!(p, Piece::Line(_)))
    }

    /// Its corners, where all pieces are straight.
    pub fn corners(&self) -> Vec<Place> {
        let mut corners: Vec<Place> = [self.start].into_iter().chain(self.pieces.iter().map(Piece::end)).collect();
        if self.closed && corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        corners
    }
}

/// Corners of an arc at least, and the most that they may turn from each to the next: a polygon of few corners is one.
const CORNERS: usize = 5;
const TURN: f64 = 0.45;
/// How far corners may be from an arc, in parts of its radius.
const OFF: f64 = 1e-6;

/// An outline through points, with arcs where corners lie on circles.
pub(super) fn contour(points: &[Place], closed: bool) -> Contour {
    let count = points.len();
    if count < CORNERS {
        return Contour::polygon(points, closed);
    }
    // A closed outline begins where it is not in the middle of an arc.
    let at = |k: usize| points[k % count];
    let on_one = |k: usize| circle(at(k), at(k + 1), at(k + 2));
    let begin = match closed {
        true => (0..count).find(|k| {
            let (a, b) = (on_one(k + count - 2), on_one(k + count - 1));
            !matches!((a, b), (Some(a), Some(b)) if same(&a, &b))
        }),
        false => Some(0),
    };
    let Some(begin) = begin else { return whole_circle(points) };
    let last = if closed { count } else { count - 1 };
    let mut pieces = Vec::new();
    let mut k = 0;
    while k < last {
        let run = run_on_circle(|i| at(begin + i), k, last);
        match run {
            Some((end, (centre, radius))) => {
                let (a, b) = (at(begin + k), at(begin + k + 1));
                let ccw = (a[0] - centre[0]) * (b[1] - centre[1]) > (a[1] - centre[1]) * (b[0] - centre[0]);
                pieces.push(Piece::Arc { to: at(begin + end), centre, radius, ccw });
                k = end;
            }
            None => {
                k += 1;
                pieces.push(Piece::Line(at(begin + k)));
            }
        }
    }
    Contour { start: at(begin), pieces, closed }
}

/// Where an arc that begins at a corner ends, where there is one.
fn run_on_circle(at: impl Fn(usize) -> Place, from: usize, last: usize) -> Option<(usize, (Place, f64))> {
    if from + 2 > last {
        return None;
    }
    let own = circle(at(from), at(from + 1), at(from + 2))?;
    let mut end = from + 2;
    while end < last && circle(at(end - 1), at(end), at(end + 1)).is_some_and(|next| same(&own, &next)) {
        end += 1;
    }
    (end - from + 1 >= CORNERS).then_some((end, own))
}

/// The circle through three corners, where they turn little enough to be of one.
fn circle(a: Place, b: Place, c: Place) -> Option<(Place, f64)> {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
    let (cross, dot) = (u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]);
    let angle = cross.arctangent2(dot).abs();
    let lengths = [u, v].map(|w| (w[0] * w[0] + w[1] * w[1]).sqrt());
    // Steps of an arc are equally long.
    if !(1e-3..TURN).contains(&angle) || (lengths[0] - lengths[1]).abs() > 1e-3 * lengths[0] {
        return None;
    }
    // From the middle of the first step, across it.
    let radius = 0.5 * lengths[0] / (0.5 * angle).sine();
    let (mx, my) = (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]));
    let reach = radius * (0.5 * angle).cosine() * cross.signum() / lengths[0];
    Some(([mx - u[1] * reach, my + u[0] * reach], radius))
}

fn same((a, r): &(Place, f64), (b, s): &(Place, f64)) -> bool {
    let off = OFF * r.max(*s) + 1e-4 * OFF * (a[0].abs() + a[1].abs());
    (r - s).abs() < 1e3 * off && (a[0] - b[0]).abs() < 1e3 * off && (a[1] - b[1]).abs() < 1e3 * off
}

/// A closed outline that is a circle all round, as two halves.
fn whole_circle(points: &[Place]) -> Contour {
    let Some((centre, radius)) = circle(points[0], points[1], points[2]) else { return Contour::polygon(points, true) };
    let start = points[0];
    let opposite = [2.0 * centre[0] - start[0], 2.0 * centre[1] - start[1]];
    let half = |to: Place| Piece::Arc { to, centre, radius, ccw: true };
    Contour { start, pieces: vec![half(opposite), half(start)], closed: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn arcs(contour: &Contour) -> Vec<(Place, f64)> {
        let arc = |p: &Piece| match p {
            Piece::Arc { centre, radius, .. } => Some((*centre, *radius)),
            _ => None,
        };
        contour.pieces.iter().filter_map(arc).collect()
    }

    #[test]
    fn a_rounded_link_is_two_lines_and_two_arcs() {
        let around = |x: f64, from: f64| {
            (0..=12).map(move |k| from + PI * f64::from(k) / 12.0).map(move |a| [x + 0.5 * a.cos(), 0.5 * a.sin()])
        };
        let mut points: Vec<Place> = around(3.0, -0.5 * PI).chain(around(0.0, 0.5 * PI)).collect();
        // Wherever the outline begins.
        for turn in [0, 5, 13, 20] {
            points.rotate_left(turn);
            let found = contour(&points, true);
            let round = arcs(&found);
            assert_eq!((found.pieces.len(), round.len()), (4, 2), "{turn}: {found:?}");
            for (centre, radius) in round {
                assert!((radius - 0.5).abs() < 1e-9 && centre[1].abs() < 1e-9, "{centre:?} {radius}");
                assert!(centre[0].abs() < 1e-9 || (centre[0] - 3.0).abs() < 1e-9);
            }
            assert!(found.pieces.last().is_some_and(|p| p.end() == found.start));
        }
    }

    #[test]
    fn polygons_stay_and_circles_are_found() {
        let ring = |count: i32| -> Vec<Place> {
            (0..count)
                .map(|k| 2.0 * PI * f64::from(k) / f64::from(count))
                .map(|a| [1.0 + 2.0 * a.cos(), 2.0 * a.sin()])
                .collect()
        };
        assert!(contour(&ring(8), true).is_straight());
        let found = arcs(&contour(&ring(40), true));
        assert!(found.len() == 2 && (found[0].1 - 2.0).abs() < 1e-9 && (found[0].0[0] - 1.0).abs() < 1e-9, "{found:?}");
        let zigzag: Vec<Place> = (0..20).map(|k| [f64::from(k), f64::from(k % 2)]).collect();
        assert!(contour(&zigzag, false).is_straight());
    }
}
