//! Joints that follow others: gears and racks between joints of a tree, such as `<mimic>` of a URDF.
//!
//! Each coupling is x_b = ratio · x_a + offset. One after the other they take away a coordinate, so that every coordinate is r · x + o of
//! one that is left, x: followers of followers follow the first. In the extended tree of [`super::rotors`] the joints that follow come
//! behind the others, and their rows of G are r: τ = Gᵀ τ_e, M = Gᵀ M_e G.

use super::Tree;
use crate::couplings::Coupling;
use crate::error::{Error, Result};
use crate::expr::{Expression, Name};
use crate::math::Jet;
use crate::model::Mechanism;
use biela_base::sorting::sort_by_key;

/// A joint whose coordinate is `ratio` times that of another, and `offset`.
#[derive(Debug, Clone)]
pub struct Follower {
    /// Its name.
    pub name: String,
    /// The joint that it follows in the end.
    pub leader: String,
    /// Its place among the model's joints.
    pub(super) joint: usize,
    /// The leader's joint and coordinate.
    pub(super) leads: (usize, usize),
    /// Rate per rate of the leader.
    pub ratio: f64,
    /// Coordinate where the leader's is zero.
    pub offset: f64,
    /// Places of the leader's coordinate among q and v.
    pub(super) place: (usize, usize),
}

impl Follower {
    /// r x + o, x in slot 1.
    pub(super) fn expression(&self) -> Result<Expression> {
        let text = format!("({:?})*x + ({:?})", self.ratio, self.offset);
        Expression::parse(&text, &[("x", Name::Variable(1))])
            .map_err(|e| Error::new(e.message).of(format!("joint '{}'", self.name)))
    }

    /// A linear function of its coordinate, in slot 1, as one of the leader's; none where it is not linear.
    pub(super) fn through(&self, angle: &Expression) -> Option<Expression> {
        let (k, b) = straight(angle)?;
        let line = Follower { ratio: k * self.ratio, offset: k * self.offset + b, ..self.clone() };
        line.expression().ok()
    }
}

/// Slope and offset of a linear function of slot 1; none where it is not linear.
pub(super) fn straight(angle: &Expression) -> Option<(f64, f64)> {
    let at = |x: f64| angle.jet(&[Jet::default(), Jet::new(x, 1.0, 0.0)]);
    let (b, k) = (at(0.0).v, at(0.0).d);
    // A few roundings; points that no switch of a function is likely to leave out.
    const ROUNDING: f64 = 1e-12;
    let size = ROUNDING * (k.abs() + b.abs());
    let linear = |x: f64| {
        let p = at(x);
        (p.v - (b + k * x)).abs() <= size * (1.0 + x.abs()) && (p.d - k).abs() <= size && p.dd.abs() <= size
    };
    [-31.7, -2.3, -0.61, 0.47, 1.9, 23.1].into_iter().all(linear).then_some((k, b))
}

/// A coordinate as r · x + o of another.
#[derive(Clone, Copy)]
struct Line {
    of: usize,
    r: f64,
    o: f64,
}

/// The joints that a mechanism's couplings take away, in its order.
pub(super) fn followers(mechanism: &Mechanism) -> Result<Vec<Follower>> {
    // Every coordinate that a coupling names, and what it is of.
    let mut coordinates: Vec<(usize, usize)> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for coupling in &mechanism.couplings {
        let wrong =
            |what: &str| Error::new(what).of(format!("coupling '{}'", coupling.name)).at_opt(coupling.span.as_ref());
        if !matches!(coupling.kind.keyword(), "gear" | "rack" | "belt") {
            return Err(wrong("only gears and racks, or belts, can tie the joints of an open chain or tree here")
                .note("other couplings are solved by run and verify"));
        }
        let [a, b] =
            ends(coupling, &mut coordinates, &mut lines).ok_or_else(|| wrong("does not name two coordinates"))?;
        let (first, second) = (lines[a], lines[b]);
        // rB y + oB = ratio (rA x + oA) + offset, of which y is taken away, or x where y does not matter.
        let (k, c) = (coupling.ratio * first.r, coupling.ratio * first.o + coupling.offset - second.o);
        if first.of == second.of {
            return Err(wrong("ties joints in a circle that already follow each other")
                .note("leave it out: a joint follows one other"));
        }
        let (gone, line) = if second.r != 0.0 {
            (second.of, Line { of: first.of, r: k / second.r, o: c / second.r })
        } else if k != 0.0 {
            (first.of, Line { of: second.of, r: second.r / k, o: -c / k })
        } else {
            return Err(wrong("ties coordinates that do not move"));
        };
        for other in lines.iter_mut().filter(|l| l.of == gone) {
            *other = Line { of: line.of, r: other.r * line.r, o: other.r * line.o + other.o };
        }
    }
    let mut list = Vec::new();
    for (k, line) in lines.iter().enumerate().filter(|(k, line)| line.of != *k) {
        let (joint, leads) = (coordinates[k].0, coordinates[line.of]);
        let own = &mechanism.joints[joint];
        if own.kind.coordinates().len() != 1 {
            return Err(Error::new("follows another with one of several coordinates: this is no tree's joint")
                .of(format!("joint '{}'", own.name))
                .at_opt(own.span.as_ref())
                .note("two joints with one coordinate each can take its place"));
        }
        let leader = mechanism.joints[leads.0].name.clone();
        let (ratio, offset) = (line.r, line.o);
        list.push(Follower { name: own.name.clone(), leader, joint, leads, ratio, offset, place: (0, 0) });
    }
    sort_by_key(&mut list, |f| f.joint);
    Ok(list)
}

/// Places of a coupling's two coordinates in the list of all, where they are added.
fn ends(coupling: &Coupling, coordinates: &mut Vec<(usize, usize)>, lines: &mut Vec<Line>) -> Option<[usize; 2]> {
    let [a, b] = coupling.coordinates[..] else { return None };
    Some([a, b].map(|c| {
        let of = (c.joint, c.coordinate);
        coordinates.iter().position(|x| *x == of).unwrap_or_else(|| {
            coordinates.push(of);
            lines.push(Line { of: lines.len(), r: 1.0, o: 0.0 });
            lines.len() - 1
        })
    }))
}

/// The bodies and joints of a mechanism without its rotors, the joints that follow behind the others and the couplings that say so gone.
/// Returns the new place of each joint too.
pub(super) fn plain(of: &Mechanism, followers: &[Follower]) -> (Mechanism, Vec<usize>) {
    let follows = |k: &usize| followers.iter().any(|f| f.joint == *k);
    let order: Vec<usize> =
        (0..of.joints.len()).filter(|k| !follows(k)).chain((0..of.joints.len()).filter(follows)).collect();
    let mut places = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        places[*old] = new;
    }
    let joints = order.iter().map(|k| of.joints[*k].clone()).collect();
    // Couplings that nothing follows are for the tree to refuse.
    let couplings = if followers.is_empty() { of.couplings.clone() } else { Vec::new() };
    let (space, gravity, bodies) = (of.space, of.gravity, of.bodies.clone());
    (Mechanism { space, gravity, bodies, joints, couplings, ..Mechanism::default() }, places)
}

/// Fills in where the leaders' coordinates are in the tree.
pub(super) fn place(followers: &mut [Follower], own: &Tree, places: &[usize]) -> Result<()> {
    for f in followers {
        let (joint, coordinate) = f.leads;
        let found = own.joints.iter().find(|j| j.joint == Some(places[joint]));
        let found = found.filter(|j| coordinate < j.v_names.len().max(1) && j.q_names.len() == j.v_names.len());
        let Some(leader) = found else {
            return Err(Error::new(format!("follows '{}', which is not part of the tree", f.leader))
                .of(format!("joint '{}'", f.name)));
        };
        f.place = (leader.q + coordinate, leader.v + coordinate);
    }
    Ok(())
}
