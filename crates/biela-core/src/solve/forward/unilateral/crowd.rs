//! Which of many contacts are near: bodies in boxes, sorted along a line, from which pairs follow whose boxes meet [Baraff 1992].
//!
//! From step to step the order hardly changes, so that sorting costs about as much as there are bodies.

use crate::math::Vec3;
use crate::model::Model;
use crate::system::BodyState;

/// Pairs of shapes of rigid contacts, found by their bodies.
#[derive(Debug, Default)]
pub struct Crowd {
    /// Bodies in order, contact, and number of the pair in it: sorted.
    pairs: Vec<([usize; 2], usize, usize)>,
    /// Of those, pairs of which one shape has no end.
    endless: Vec<usize>,
    /// Bodies with a ball around all their shapes, in the order in which they last stood.
    bodies: Vec<(usize, Vec3, f64)>,
    /// Their ends on the line (scratch).
    spans: Vec<(f64, f64, usize)>,
}

/// A pair of shapes that are near: contact, and number of the pair in it.
pub type Near = (usize, usize);

impl Crowd {
    /// Of a model.
    pub fn new(model: &Model) -> Crowd {
        let mut found = Crowd::default();
        let mut around: Vec<Option<(Vec3, f64)>> = vec![None; model.bodies.len()];
        for (number, contact) in model.contacts.iter().enumerate().filter(|(_, contact)| contact.is_rigid()) {
            for (k, touching) in contact.touching.iter().enumerate() {
                let [a, b] = touching.bodies;
                found.pairs.push(([a.min(b), a.max(b)], number, k));
                for (body, form) in touching.bodies.into_iter().zip(touching.pair.forms()) {
                    let (middle, reach) = form.around;
                    if reach.is_finite() {
                        let ball = around[body].get_or_insert((middle, reach));
                        ball.1 = ball.1.max((middle - ball.0).norm() + reach);
                    }
                }
            }
        }
        found.pairs.sort_unstable();
        let endless = |pair: &([usize; 2], usize, usize)| {
            let forms = model.contacts[pair.1].touching[pair.2].pair.forms();
            forms.iter().any(|form| form.around.1.is_infinite())
        };
        found.endless = (0..found.pairs.len()).filter(|k| endless(&found.pairs[*k])).collect();
        let with_ball = around.iter().enumerate();
        found.bodies = with_ball.filter_map(|(body, ball)| ball.map(|(middle, reach)| (body, middle, reach))).collect();
        found
    }

    /// The radius of the smallest ball around a body's shapes, where there is one.
    pub fn least_reach(&self) -> Option<f64> {
        self.bodies.iter().map(|(.., reach)| *reach).reduce(f64::min)
    }

    /// Pairs that may be nearer than `margin`, in the order of their bodies.
    pub fn near(&mut self, model: &Model, states: &[BodyState], margin: f64) -> Vec<Near> {
        let middle = |(body, middle, _): &(usize, Vec3, f64)| states[*body].pose.apply(*middle);
        let place = |ball: &(usize, Vec3, f64)| middle(ball).x - ball.2;
        // By insertion, which is quick where the order is nearly that of the last time.
        for k in 1..self.bodies.len() {
            let mut at = k;
            while at > 0 && place(&self.bodies[at - 1]) > place(&self.bodies[at]) {
                self.bodies.swap(at - 1, at);
                at -= 1;
            }
        }
        let mut found: Vec<usize> = Vec::new();
        self.spans.clear();
        for (k, ball) in self.bodies.iter().enumerate() {
            let (p, reach) = (middle(ball), ball.2 + margin);
            let low = p.x - reach;
            self.spans.retain(|(end, ..)| *end >= low);
            for (_, _, other) in &self.spans {
                let beside = &self.bodies[*other];
                let apart = middle(beside) - p;
                let reach = beside.2 + ball.2 + margin;
                if apart.y.abs() <= reach && apart.z.abs() <= reach {
                    let bodies = [beside.0.min(ball.0), beside.0.max(ball.0)];
                    let first = self.pairs.partition_point(|pair| pair.0 < bodies);
                    found.extend((first..self.pairs.len()).take_while(|k| self.pairs[*k].0 == bodies));
                }
            }
            self.spans.push((p.x + reach, low, k));
        }
        found.extend(&self.endless);
        found.sort_unstable();
        found.dedup();
        let close = |k: &usize| {
            let (_, contact, pair) = self.pairs[*k];
            let touching = &model.contacts[contact].touching[pair];
            touching.pair.at_least(touching.bodies.map(|body| &states[body].pose)) <= margin
        };
        found.into_iter().filter(close).map(|k| (self.pairs[k].1, self.pairs[k].2)).collect()
    }
}
