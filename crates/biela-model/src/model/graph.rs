//! The mechanism as a graph: a spanning forest of tree joints, rooted in the ground, and the joints cut out of it.
//!
//! The forest is found breadth-first from the ground, the joints of each body in the model's order; so every body hangs as
//! near to the ground as it can, loops are cut at their far side, and the same model always gives the same forest. Only
//! joints with a hinge carry the tree. `free` joints constrain nothing and serve only where no other joint leads further.
//! A body that no joint of either sort reaches floats: it hangs on the ground with no joint of the model.

use super::{Mechanism, GROUND};
use std::collections::VecDeque;

/// A body of the forest with the way it hangs on its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The body carried.
    pub body: usize,
    /// The body that carries it.
    pub parent: usize,
    /// The joint between them; `None` where the body floats.
    pub joint: Option<usize>,
    /// True where the parent is the joint's second body.
    pub reversed: bool,
}

/// A spanning forest of a mechanism's bodies.
#[derive(Debug, Clone)]
pub struct Forest {
    /// One branch for each moving body, parents before children.
    pub branches: Vec<Branch>,
    /// Joints that are not branches, ascending.
    pub cut: Vec<usize>,
}

impl Forest {
    /// The forest of a mechanism, in time proportional to the number of bodies and joints.
    pub fn new(mechanism: &Mechanism) -> Forest {
        let bodies = mechanism.bodies.len();
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); bodies];
        for (k, joint) in mechanism.joints.iter().enumerate() {
            for body in joint.bodies {
                at[body].push(k);
            }
        }
        let mut search = Search {
            mechanism,
            reached: vec![false; bodies],
            branches: Vec::with_capacity(bodies.saturating_sub(1)),
            waiting: VecDeque::new(),
            free: VecDeque::new(),
        };
        if bodies > GROUND {
            search.reach(GROUND);
        }
        let mut next = GROUND + 1;
        loop {
            search.spread(&at);
            while next < bodies && search.reached[next] {
                next += 1;
            }
            if next >= bodies {
                break;
            }
            search.branches.push(Branch { body: next, parent: GROUND, joint: None, reversed: false });
            search.reach(next);
        }
        let mut is_branch = vec![false; mechanism.joints.len()];
        for k in search.branches.iter().filter_map(|b| b.joint) {
            is_branch[k] = true;
        }
        let cut = (0..mechanism.joints.len()).filter(|k| !is_branch[*k]).collect();
        Forest { branches: search.branches, cut }
    }
}

/// A breadth-first search under way.
struct Search<'m> {
    mechanism: &'m Mechanism,
    reached: Vec<bool>,
    branches: Vec<Branch>,
    /// Bodies reached whose joints have not been looked at.
    waiting: VecDeque<usize>,
    /// `free` joints met, kept back until nothing else leads further.
    free: VecDeque<usize>,
}

impl Search<'_> {
    fn reach(&mut self, body: usize) {
        self.reached[body] = true;
        self.waiting.push_back(body);
    }

    /// Follows a joint if just one of its bodies is reached.
    fn follow(&mut self, k: usize) {
        let [first, second] = self.mechanism.joints[k].bodies;
        let (parent, body) = match (self.reached[first], self.reached[second]) {
            (true, false) => (first, second),
            (false, true) => (second, first),
            _ => return,
        };
        self.branches.push(Branch { body, parent, joint: Some(k), reversed: parent == second });
        self.reach(body);
    }

    /// Reaches everything that joints lead to.
    fn spread(&mut self, at: &[Vec<usize>]) {
        loop {
            while let Some(body) = self.waiting.pop_front() {
                for k in &at[body] {
                    let joint = &self.mechanism.joints[*k];
                    // One that leads back asks for nothing more: its rows would have to be made to know whether it is free.
                    if joint.bodies.into_iter().all(|body| self.reached[body]) {
                        continue;
                    }
                    match joint.hinge() {
                        Some(_) if joint.is_free() => self.free.push_back(*k),
                        Some(_) => self.follow(*k),
                        None => {}
                    }
                }
            }
            match self.free.pop_front() {
                Some(k) => self.follow(k),
                None => return,
            }
        }
    }
}
