//! What an engineer wants to know of a linkage that passes its positions one by one: whether it passes them in one motion, in order, and how
//! well it transmits force.
//!
//! **Circuits and branches** ([Chase 1993]): the input carries a four-bar through positions on one side of the line from its end to the far pivot. In
//! one that Grashof's rule lets turn, the two circuits are told apart by the side at a joint that is not at the shortest link, which never comes
//! to lie straight there; any other has one circuit.

use super::linkage::{Carried, Linkage, Shape};
use super::{angle, cross};
use crate::math::Elementary;
use crate::task::{Defect, Limits};
use biela_roots::Complex;
use std::f64::consts::{PI, TAU};

/// What is to be said of a linkage.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Grashof's class, of a four-bar.
    pub class: Option<&'static str>,
    /// Its defects.
    pub defects: Vec<Defect>,
    /// How near the transmission angle comes to 0 or 180 degrees.
    pub transmission: f64,
    /// Positions that the input passes on its first branch, with its angle there, without jumps.
    pub drive: Vec<(usize, f64)>,
    /// Whether the input can turn fully.
    pub turns: bool,
}

/// Difference of the sums of lengths, against the longest, below which links come to lie on one line.
const CHANGE: f64 = 1e-9;
/// Places looked at between two positions for the transmission angle.
const PLACES: usize = 24;

/// The linkage driven by the better of its links, and what is to be said of it.
pub(super) fn best(linkage: Linkage) -> (Linkage, Judged) {
    let own = judged(&linkage);
    if let Some(other) = linkage.exchanged() {
        let told = judged(&other);
        if rank(&other, &told) < rank(&linkage, &own) {
            return (other, told);
        }
    }
    (linkage, own)
}

/// Smaller is better: defects first, then the transmission angle, then how unlike the links are.
pub(super) fn rank(linkage: &Linkage, judged: &Judged) -> f64 {
    let defects: f64 = judged
        .defects
        .iter()
        .map(|d| match d {
            Defect::Circuit => 300.0,
            Defect::Branch => 200.0,
            Defect::Order => 100.0,
        })
        .sum();
    defects + 10.0 * (PI / 2.0 - judged.transmission) + ratio(linkage).logarithm().min(50.0)
}

/// The longest link against the shortest.
fn ratio(linkage: &Linkage) -> f64 {
    let lengths = linkage.lengths();
    let (least, most) = lengths.iter().fold((f64::INFINITY, 0.0f64), |(l, m), x| (l.min(*x), m.max(*x)));
    if lengths.is_empty() {
        1.0
    } else {
        most / least
    }
}

/// Whether limits refuse it.
pub(super) fn refused(linkage: &Linkage, judged: &Judged, limits: &Limits) -> bool {
    let outside =
        |z: &Complex| limits.region.is_some_and(|[x, xx, y, yy]| z.re < x || z.re > xx || z.im < y || z.im > yy);
    let lengths = linkage.lengths();
    judged.defects.iter().any(|d| limits.refuse.contains(d))
        || limits.transmission.is_some_and(|least| judged.transmission < least)
        || linkage.pivots().iter().any(outside)
        || limits.ratio.is_some_and(|most| ratio(linkage) > most)
        || limits.lengths.is_some_and(|[least, most]| lengths.iter().any(|x| *x < least || *x > most))
        || (!limits.classes.is_empty() && !limits.classes.iter().any(|c| Some(c.as_str()) == judged.class))
}

/// What the input's range is like, by the angles of `inputs`.
struct Range {
    turns: bool,
    /// Where angles are cut: none lies there.
    cut: f64,
}

fn judged(linkage: &Linkage) -> Judged {
    let (class, circuits, range) = match &linkage.shape {
        Shape::FourBar(_) | Shape::SixBar(..) => four_bar(linkage),
        Shape::SliderCrank(direction) => slider(linkage, *direction),
        Shape::Spherical(s) => {
            let range = spherical(s.arcs());
            (None, if range.turns { linkage.sides() } else { Vec::new() }, range)
        }
    };
    let mut defects = Vec::new();
    let mixed = |list: &[f64]| list.iter().any(|x| *x > 0.0) && list.iter().any(|x| *x < 0.0);
    let mut sides = linkage.sides();
    // The output of a six-bar has sides of its own.
    if let (Shape::SixBar(_, g, f), Carried::Point(e)) = (&linkage.shape, &linkage.carried) {
        let own: Vec<f64> = e.iter().zip(f).map(|(e, f)| cross(*f - *e, *g - *f)).collect();
        let first = own[0] > 0.0;
        sides.iter_mut().zip(&own).for_each(|(s, o)| {
            if (*o > 0.0) != first {
                *s = -*s;
            }
        });
    }
    if mixed(&circuits) {
        defects.push(Defect::Circuit);
    } else if mixed(&sides) {
        defects.push(Defect::Branch);
    }
    let (drive, ordered) = driven(&linkage.inputs(), &sides, &range);
    if !ordered {
        defects.push(Defect::Order);
    }
    let transmission = transmission(linkage, &drive);
    Judged { class, defects, transmission, drive, turns: range.turns }
}

/// Positions on the branch of the first with angles without jumps, and whether they are passed in order.
fn driven(inputs: &[f64], sides: &[f64], range: &Range) -> (Vec<(usize, f64)>, bool) {
    let first = sides[0] > 0.0;
    let kept: Vec<usize> = (0..inputs.len()).filter(|k| (sides[*k] > 0.0) == first).collect();
    let wrapped = |x: f64, from: f64| from + (x - from).rem_euclid(TAU);
    if !range.turns {
        let list: Vec<(usize, f64)> = kept.iter().map(|k| (*k, wrapped(inputs[*k], range.cut))).collect();
        let up = list.windows(2).all(|w| w[1].1 > w[0].1);
        let down = list.windows(2).all(|w| w[1].1 < w[0].1);
        return (list, up || down);
    }
    let begin = inputs[0];
    let ahead: Vec<f64> = kept.iter().map(|k| wrapped(inputs[*k], begin) - begin).collect();
    if ahead.windows(2).all(|w| w[1] > w[0]) {
        return (kept.iter().zip(&ahead).map(|(k, e)| (*k, begin + e)).collect(), true);
    }
    if ahead[1..].windows(2).all(|w| w[1] < w[0]) {
        let back = |(k, e): (&usize, &f64)| (*k, if *k == 0 { begin } else { begin + e - TAU });
        return (kept.iter().zip(&ahead).map(back).collect(), true);
    }
    let mut at = begin;
    let nearest = |k: &usize| {
        at += (inputs[*k] - at + PI).rem_euclid(TAU) - PI;
        (*k, at)
    };
    (kept.iter().map(nearest).collect(), false)
}

fn four_bar(linkage: &Linkage) -> (Option<&'static str>, Vec<f64>, Range) {
    let lengths = linkage.lengths();
    let [crank, coupler, rocker, ground] = [0, 1, 2, 3].map(|k| lengths[k]);
    let d = linkage.far().unwrap_or_default();
    let own = [crank, coupler, rocker, ground];
    let shortest = (0..4).fold(0, |s, k| if own[k] < own[s] { k } else { s });
    let longest = own.iter().fold(0.0f64, |m, x| m.max(*x));
    let excess = 2.0 * (own[shortest] + longest) - own.iter().sum::<f64>();
    let pairs = || linkage.b.iter().zip(&linkage.c);
    let (class, circuits) = if excess.abs() <= CHANGE * longest {
        ("change-point", Vec::new())
    } else if excess > 0.0 {
        ("triple-rocker", Vec::new())
    } else {
        match shortest {
            0 => ("crank-rocker", linkage.sides()),
            1 => ("double-rocker", linkage.b.iter().map(|b| cross(d - linkage.a, *b - linkage.a)).collect()),
            2 => ("rocker-crank", pairs().map(|(b, c)| cross(*b - linkage.a, *c - *b)).collect()),
            _ => ("double-crank", linkage.sides()),
        }
    };
    let turns = matches!(class, "crank-rocker" | "double-crank");
    let closes = |far: f64| far <= coupler + rocker && far >= (coupler - rocker).abs();
    // Angles about 180 degrees are within reach: the cut lies at 0, else at 180.
    let cut = if closes(crank + ground) { 0.0 } else { -PI };
    (Some(class), circuits, Range { turns, cut })
}

fn slider(linkage: &Linkage, direction: Complex) -> (Option<&'static str>, Vec<f64>, Range) {
    let lengths = linkage.lengths();
    let (crank, rod) = (lengths[0], lengths[1]);
    let offset = cross(direction, linkage.c[0] - linkage.a);
    if crank + offset.abs() < rod {
        return (None, linkage.sides(), Range { turns: true, cut: 0.0 });
    }
    if crank > rod + offset.abs() {
        // It swings about the direction of the slider, or about the opposite one.
        let along: Vec<f64> = linkage.inputs().iter().map(|x| x.cosine()).collect();
        let cut = if along[0] < 0.0 { 0.0 } else { -PI };
        return (None, along, Range { turns: false, cut });
    }
    // The rod is too short where the crank points away from the guide.
    let cut = if offset >= 0.0 { -PI / 2.0 } else { PI / 2.0 };
    (None, Vec::new(), Range { turns: false, cut })
}

fn spherical([input, coupler, output, ground]: [f64; 4]) -> Range {
    let closes = |far: f64| {
        let far = if far > PI { TAU - far } else { far.abs() };
        far >= (coupler - output).abs() && far <= (coupler + output).min(TAU - coupler - output)
    };
    let (near, far) = (closes(ground - input), closes(ground + input));
    Range { turns: near && far, cut: if far { 0.0 } else { -PI } }
}

/// How near the transmission angle comes to 0 or 180 degrees on the way through the positions.
fn transmission(linkage: &Linkage, drive: &[(usize, f64)]) -> f64 {
    let lengths = linkage.lengths();
    let sharp = |cosine: f64| cosine.abs().min(1.0).arccosine();
    let at = |input: f64| match &linkage.shape {
        Shape::FourBar(_) | Shape::SixBar(..) => {
            let [crank, coupler, rocker, ground] = [0, 1, 2, 3].map(|k| lengths[k]);
            let far = crank * crank + ground * ground - 2.0 * crank * ground * input.cosine();
            sharp((coupler * coupler + rocker * rocker - far) / (2.0 * coupler * rocker))
        }
        Shape::SliderCrank(direction) => {
            let offset = cross(*direction, linkage.c[0] - linkage.a);
            sharp((offset - lengths[0] * input.sine()) / lengths[1])
        }
        Shape::Spherical(s) => {
            let [own, coupler, output, ground] = s.arcs();
            let far = own.cosine() * ground.cosine() + own.sine() * ground.sine() * input.cosine();
            sharp((far - coupler.cosine() * output.cosine()) / (coupler.sine() * output.sine()))
        }
    };
    let mut least = drive.iter().map(|d| at(d.1)).fold(PI / 2.0, f64::min);
    for leg in drive.windows(2) {
        for k in 1..PLACES {
            least = least.min(at(leg[0].1 + (leg[1].1 - leg[0].1) * k as f64 / PLACES as f64));
        }
    }
    if let (Shape::SixBar(_, g, f), Carried::Point(e)) = (&linkage.shape, &linkage.carried) {
        for (e, f) in e.iter().zip(f) {
            let between = angle((*e - *f) * (*g - *f).conjugate()).abs();
            least = least.min(between.min(PI - between));
        }
    }
    least
}
