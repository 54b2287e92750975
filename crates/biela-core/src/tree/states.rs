//! States of a tree as a table: columns `q.<joint>`, `v.<joint>`, `a.<joint>`, `tau.<joint>`, with `.<coordinate>` behind
//! where a joint has several.

use super::followers::Follower;
use super::rotors::Coupled;
use super::{NodeKind, Tree};
use crate::error::{Error, Result};
use crate::results::significant;
use crate::signal_name;
use std::collections::HashSet;

/// One state; what the table leaves out is zero, attitudes the identity.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Generalised forces.
    pub tau: Vec<f64>,
}

/// Where a column's numbers go.
enum Place {
    Q(usize),
    V(usize),
    A(usize),
    Tau(usize),
    /// A joint that follows another, and which of q, v, a, tau is said of it.
    Follows(usize, Said),
    Skip,
}

/// What a column says.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    Q,
    V,
    A,
    Tau,
}

/// Names of all position and velocity columns, without their first letter.
fn names(tree: &Tree, velocities: bool, nv: usize) -> Vec<(String, usize)> {
    let mut list = Vec::new();
    for joint in &tree.joints {
        let (names, first) = if velocities { (&joint.v_names, joint.v) } else { (&joint.q_names, joint.q) };
        if joint.v >= nv {
            continue;
        }
        if names.is_empty() {
            list.push((joint.name.clone(), first));
        }
        for (k, name) in names.iter().enumerate() {
            list.push((signal_name::join(&joint.name, name), first + k));
        }
    }
    list
}

/// Reads a table of states in CSV. Columns of joints that follow others may be there, and must say what follows from the others.
pub fn read(coupled: &Coupled, text: &str) -> Result<Vec<State>> {
    let (tree, nq, nv, followers) = (&coupled.extended, coupled.nq, coupled.nv, &coupled.followers[..]);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    let Some((first, header)) = lines.next() else {
        return Err(
            Error::new("the table of states is empty").note("its first line names columns: q.joint1,v.joint1,…")
        );
    };
    let (positions, velocities) = (names(tree, false, nv), names(tree, true, nv));
    let places: Vec<Place> = header
        .split(',')
        .map(|name| place(name, first + 1, &positions, &velocities, followers))
        .collect::<Result<_>>()?;
    let columns: Vec<&str> = header.split(',').map(column_name).collect();
    let mut seen = HashSet::new();
    for (name, place) in columns.iter().zip(&places) {
        if !seen.insert(*name) && !matches!(place, Place::Skip) {
            let message = format!("line {}: the column '{name}' is there twice", first + 1);
            return Err(Error::new(message).of("table of states"));
        }
    }
    let mut neutral = tree.neutral();
    neutral.truncate(nq);
    let mut states = Vec::new();
    for (number, line) in lines {
        let mut state = State { q: neutral.clone(), v: vec![0.0; nv], a: vec![0.0; nv], tau: vec![0.0; nv] };
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        if words.len() != places.len() {
            let message = format!("line {} has {} values, the header {} names", number + 1, words.len(), places.len());
            return Err(Error::new(message).of("table of states"));
        }
        let mut said = Vec::new();
        for (word, place) in words.iter().zip(&places) {
            let mut beside = 0.0;
            let slot = match place {
                Place::Q(k) => &mut state.q[*k],
                Place::V(k) => &mut state.v[*k],
                Place::A(k) => &mut state.a[*k],
                Place::Tau(k) => &mut state.tau[*k],
                Place::Follows(..) => &mut beside,
                Place::Skip => continue,
            };
            match word.trim_matches('"').parse::<f64>() {
                Ok(x) if x.is_finite() => *slot = x,
                _ => {
                    let message = format!("line {}: '{word}' is not a number", number + 1);
                    return Err(Error::new(message).of("table of states").note("numbers are in SI: rad, m, N m"));
                }
            }
            if let Place::Follows(k, what) = place {
                said.push((*k, *what, beside));
            }
        }
        for (k, what, value) in said {
            check(&followers[k], what, value, &state, number + 1)?;
        }
        for node in tree.nodes.iter().filter(|node| node.kind == NodeKind::AttitudeX && node.v < nv) {
            if state.q[node.q..node.q + 4].iter().all(|e| *e == 0.0) {
                let joint = tree.joints.iter().rev().find(|j| j.q <= node.q).map_or("", |j| j.name.as_str());
                let message = format!("line {}: the Euler parameters of '{joint}' are all zero", number + 1);
                return Err(Error::new(message).of("table of states").note("no turn is e0 = 1, e1 = e2 = e3 = 0"));
            }
        }
        states.push(state);
    }
    Ok(states)
}

/// Whether what a table says of a joint that follows another is what follows.
fn check(follower: &Follower, what: Said, value: f64, state: &State, line: usize) -> Result<()> {
    /// Tables are written with six digits or more.
    const AGREE: f64 = 1e-5;
    let (q, v) = follower.place;
    let (letter, due) = match what {
        Said::Q => ("q", follower.ratio * state.q[q] + follower.offset),
        Said::V => ("v", follower.ratio * state.v[v]),
        Said::A => ("a", follower.ratio * state.a[v]),
        Said::Tau => ("tau", 0.0),
    };
    if (value - due).abs() <= AGREE * value.abs().max(due.abs()).max(1.0) {
        return Ok(());
    }
    let name = &follower.name;
    let (found, due) = (significant(value, 6), significant(due, 6));
    let error =
        Error::new(format!("line {line}: '{letter}.{name}' is {found}, but must be {due}")).of("table of states");
    Err(match what {
        Said::Tau => error.note(format!("'{name}' follows '{}': forces act on the latter", follower.leader)),
        _ => error.note(format!("'{name}' follows '{}'; the column may be left out", follower.leader)),
    })
}

/// Tables of results write `name [unit]`.
fn column_name(column: &str) -> &str {
    let name = column.trim().trim_matches('"');
    name.split(" [").next().unwrap_or(name).trim()
}

fn place(
    column: &str,
    line: usize,
    positions: &[(String, usize)],
    velocities: &[(String, usize)],
    followers: &[Follower],
) -> Result<Place> {
    let name = column_name(column);
    if name == "t" || name.is_empty() {
        return Ok(Place::Skip);
    }
    let (letter, rest) = signal_name::splits(name).next().unwrap_or((name, ""));
    let among = |list: &[(String, usize)]| list.iter().find(|(n, _)| n == rest).map(|(_, k)| *k);
    let said = match letter {
        "q" => Some(Said::Q),
        "v" => Some(Said::V),
        "a" => Some(Said::A),
        "tau" => Some(Said::Tau),
        _ => None,
    };
    let follows = followers.iter().position(|f| f.name == rest);
    if let (Some(said), Some(k)) = (said, follows) {
        return Ok(Place::Follows(k, said));
    }
    let found = match letter {
        "q" => among(positions).map(Place::Q),
        "v" => among(velocities).map(Place::V),
        "a" => among(velocities).map(Place::A),
        "tau" => among(velocities).map(Place::Tau),
        _ => {
            return Err(Error::new(format!("line {line}: '{name}' is no column of a state"))
                .of("table of states")
                .note("columns are q.<joint>, v.<joint>, a.<joint>, tau.<joint>"))
        }
    };
    found.ok_or_else(|| {
        let list = if letter == "q" { positions } else { velocities };
        Error::new(format!("line {line}: '{name}' names no joint coordinate"))
            .of("table of states")
            .suggest(rest, list.iter().map(|(n, _)| n.as_str()))
    })
}
