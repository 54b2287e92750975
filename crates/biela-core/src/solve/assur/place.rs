//! Bodies placed, moved and accelerated part by part, at one time of one design or of several side by side.

use super::parts::{Dyad, Part};
use super::plane::{back, cross, dot, less, quarter, sum, times, turned, Frame, Moving, Pair};
use crate::math::Number;
use crate::system::ACCEPTED;

/// Sines of angles between links below which a position is too near to a singular one to be told in closed form.
const WELL_AWAY: f64 = 1e-2;

/// A driver at one time: value, rate, acceleration; sine and cosine of the value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lead<N> {
    pub v: N,
    pub d: N,
    pub dd: N,
    pub sine: N,
    pub cosine: N,
}

/// Numbers in the order in which parts have put them.
struct Cursor<'a, N> {
    list: &'a [N],
    at: usize,
}

impl<N: Number> Cursor<'_, N> {
    #[inline(always)]
    fn next(&mut self) -> N {
        self.at += 1;
        self.list[self.at - 1]
    }

    #[inline(always)]
    fn pair(&mut self) -> Pair<N> {
        [self.next(), self.next()]
    }
}

/// What a part is placed with.
pub(super) struct Placing<'a, N> {
    pub frames: &'a mut [Frame<N>],
    pub leads: &'a [Lead<N>],
    pub size: f64,
    /// One in each lane where all has gone well.
    pub good: N,
}

impl<N: Number> Placing<'_, N> {
    /// Places all bodies.
    #[inline(always)]
    pub fn all(&mut self, parts: &[Part], numbers: &[N]) {
        let mut cursor = Cursor { list: numbers, at: 0 };
        for part in parts {
            match part {
                Part::Turn { driver, parent, child, sign, .. } => {
                    self.turn(&mut cursor, *driver, [*parent, *child], *sign)
                }
                Part::Slide { driver, parent, child, sign, .. } => {
                    self.slide(&mut cursor, *driver, [*parent, *child], *sign)
                }
                Part::Rrr(dyad) => self.rrr(&mut cursor, dyad),
                Part::Rrp(dyad) => self.rrp(&mut cursor, dyad),
                Part::Rpr(dyad) => self.rpr(&mut cursor, dyad),
            }
        }
    }

    #[inline(always)]
    fn turn(&mut self, numbers: &mut Cursor<N>, driver: usize, [parent, child]: [usize; 2], sign: f64) {
        let (offset, near, far) = (numbers.pair(), numbers.pair(), numbers.pair());
        let (from, lead, sign) = (&self.frames[parent], &self.leads[driver], N::splat(sign));
        let turn = turned(turned(from.turn, offset), [lead.cosine, sign * lead.sine]);
        let rates = [from.w + sign * lead.d, from.alpha + sign * lead.dd];
        let at = from.point(near);
        self.frames[child].pass_through(&at, far, turn, rates);
    }

    #[inline(always)]
    fn slide(&mut self, numbers: &mut Cursor<N>, driver: usize, [parent, child]: [usize; 2], sign: f64) {
        let (keep, u, near, far) = (numbers.pair(), numbers.pair(), numbers.pair(), numbers.pair());
        let (from, lead, sign) = (&self.frames[parent], &self.leads[driver], N::splat(sign));
        let at = slid(
            from,
            from.point(sum(near, times(u, sign * lead.v))),
            turned(from.turn, u),
            [sign * lead.d, sign * lead.dd],
        );
        let (turn, rates) = (turned(from.turn, keep), [from.w, from.alpha]);
        self.frames[child].pass_through(&at, far, turn, rates);
    }

    /// The outer pivot of a body: where it is, its own place in the body, what divides by the link, the link's square.
    #[inline(always)]
    fn outer(&self, numbers: &mut Cursor<N>, known: usize) -> (Moving<N>, Pair<N>, Pair<N>, N) {
        (self.frames[known].point(numbers.pair()), numbers.pair(), numbers.pair(), numbers.next())
    }

    /// Keeps the lanes where the square of a length is what it should be.
    #[inline(always)]
    fn closes(&mut self, gap: N, square: N) {
        // The difference of squares is twice the length times the gap.
        self.keep(gap * gap, N::splat((2.0 * ACCEPTED * self.size).powi(2)) * square);
    }

    /// Keeps the lanes where a ≤ b.
    #[inline(always)]
    fn keep(&mut self, a: N, b: N) {
        self.good = self.good * a.zip(b, |a, b| if a <= b { 1.0 } else { 0.0 });
    }

    #[inline(always)]
    fn rrr(&mut self, numbers: &mut Cursor<N>, Dyad { known, bodies, sense, .. }: &Dyad) {
        let (p, own_p, by_p, r2) = self.outer(numbers, known[0]);
        let (q, own_q, by_q, s2) = self.outer(numbers, known[1]);
        let d = less(q.p, p.p);
        let over = N::splat(1.0) / dot(d, d);
        let x = N::splat(0.5) * (N::splat(1.0) + (r2 - s2) * over);
        let y = (r2 * over - x * x).sqrt() * N::splat(*sense);
        let m = sum(p.p, sum(times(d, x), times(quarter(d), y)));
        let (u, w) = (less(m, p.p), less(m, q.p));
        self.closes(dot(u, u) - r2, r2);
        self.closes(dot(w, w) - s2, s2);
        let area = cross(u, w);
        self.keep(N::splat(WELL_AWAY * WELL_AWAY) * r2 * s2, area * area);
        let over = N::splat(1.0) / area;
        let solve = |d: Pair<N>| [dot(d, w) * over, dot(d, u) * over];
        let [wa, wb] = solve(less(q.v, p.v));
        // a_p + α_a × u − ω_a² u = a_q + α_b × w − ω_b² w.
        let [aa, ab] = solve(less(less(q.a, times(w, wb * wb)), less(p.a, times(u, wa * wa))));
        self.frames[bodies[0]].pass_through(&p, own_p, turned(u, by_p), [wa, aa]);
        self.frames[bodies[1]].pass_through(&q, own_q, turned(w, by_q), [wb, ab]);
    }

    #[inline(always)]
    fn rrp(&mut self, numbers: &mut Cursor<N>, Dyad { known, bodies, sense, .. }: &Dyad) {
        let (p, own_p, by_p, r2) = self.outer(numbers, known[0]);
        let (start, along, keep, pin) = (numbers.pair(), numbers.pair(), numbers.pair(), numbers.pair());
        let from = &self.frames[known[1]];
        let u = turned(from.turn, along);
        let (turn, rates) = (turned(from.turn, keep), [from.w, from.alpha]);
        let d = less(from.point(start).p, p.p);
        let off = cross(u, d);
        let root = (r2 - off * off).sqrt() * N::splat(*sense);
        let slide = root - dot(u, d);
        // The middle pivot as a point of the body that carries the slide.
        let on = from.point(sum(start, times(along, slide)));
        let e = less(on.p, p.p);
        self.closes(dot(e, e) - r2, r2);
        let lever = dot(u, e);
        self.keep(N::splat(WELL_AWAY * WELL_AWAY) * r2, lever * lever);
        let (over, over_r2) = (N::splat(1.0) / lever, N::splat(1.0) / r2);
        let rate = dot(less(p.v, on.v), e) * over;
        let v = sum(on.v, times(u, rate));
        let wa = cross(e, less(v, p.v)) * over_r2;
        let carried = sum(on.a, times(quarter(u), N::splat(2.0) * rates[0] * rate));
        let second = (dot(less(p.a, carried), e) - wa * wa * r2) * over;
        let a = sum(carried, times(u, second));
        let aa = cross(e, less(a, p.a)) * over_r2;
        self.frames[bodies[0]].pass_through(&p, own_p, turned(e, by_p), [wa, aa]);
        let middle = Moving { p: on.p, v, a };
        self.frames[bodies[1]].pass_through(&middle, pin, turn, rates);
    }

    #[inline(always)]
    fn rpr(&mut self, numbers: &mut Cursor<N>, Dyad { known, bodies, sense, .. }: &Dyad) {
        let (p, q) = (self.frames[known[0]].point(numbers.pair()), self.frames[known[1]].point(numbers.pair()));
        let (own_p, along, keep, own_q, off) =
            (numbers.pair(), numbers.pair(), numbers.pair(), numbers.pair(), numbers.next());
        let e = less(q.p, p.p);
        let l2 = dot(e, e);
        let root = (l2 - off * off).sqrt() * N::splat(*sense);
        // The vector between the pivots as body a sees it.
        let seen = sum(times(along, root), times(quarter(along), off));
        let over_l2 = N::splat(1.0) / l2;
        let turn = times(turned(e, back(seen)), over_l2);
        self.closes((dot(turn, turn) - N::splat(1.0)) * l2, l2);
        let u = turned(turn, along);
        let lever = dot(u, e);
        self.keep(N::splat(WELL_AWAY * WELL_AWAY) * l2, lever * lever);
        let over = N::splat(1.0) / lever;
        let v = less(q.v, p.v);
        let rate = dot(v, e) * over;
        let w = cross(e, less(v, times(u, rate))) * over_l2;
        let a = less(less(q.a, p.a), times(quarter(u), N::splat(2.0) * w * rate));
        let second = (dot(a, e) + w * w * l2) * over;
        let alpha = cross(e, less(a, times(u, second))) * over_l2;
        self.frames[bodies[0]].pass_through(&p, own_p, turn, [w, alpha]);
        self.frames[bodies[1]].pass_through(&q, own_q, turned(turn, keep), [w, alpha]);
    }
}

/// A point that slides along `u`, fixed in a body, past the point `on` of it.
#[inline(always)]
fn slid<N: Number>(from: &Frame<N>, on: Moving<N>, u: Pair<N>, [rate, second]: [N; 2]) -> Moving<N> {
    let across = times(quarter(u), N::splat(2.0) * from.w * rate);
    Moving { p: on.p, v: sum(on.v, times(u, rate)), a: sum(on.a, sum(times(u, second), across)) }
}
