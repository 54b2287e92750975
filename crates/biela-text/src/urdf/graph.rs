//! The tree that links and joints must form: one root, every other link with one parent, no cycle.

#![allow(non_snake_case)] // Frames are capital letters: X_WB (docs/notation.md).

use super::joint::{Joint, Kind};
use super::link::Link;
use super::robot::Robot;
use crate::foreign::{Placed, Reader};
use biela_base::error::{listing, Error, Result};
use biela_math::{Elementary, Pose, Rotation, Vec3};
use std::collections::HashMap;

/// The checked tree.
pub(super) struct Graph {
    /// Index of the root link.
    pub root: usize,
    /// Pose of each link in the root's frame with all joints at zero.
    pub poses: Vec<Pose>,
    /// Of each link, the joint that carries it and the link that this one stands on.
    pub parents: Vec<Option<(usize, usize)>>,
    /// Of each joint, the one that it follows.
    pub leaders: Vec<Option<usize>>,
}

impl Graph {
    pub fn new(reader: &mut Reader, robot: &Robot) -> Result<Graph> {
        let (links, joints) = (&robot.links, &robot.joints);
        let link_of = index("link", links.iter().map(|l| &l.name))?;
        let joint_names = joints.iter().map(|j| &j.name).chain(robot.loops.iter().map(|l| &l.name));
        let joint_of = index("joint", joint_names)?;
        let ends = robot.loops.iter().map(|l| (&l.name, &l.links));
        for (name, ends) in ends.chain(robot.couplings.iter().map(|c| (&c.name, &c.links))) {
            for link in ends {
                find(&link_of, link, links).map_err(|e| e.of(format!("loop '{}'", name.value)))?;
            }
        }

        let mut parent_joint: Vec<Option<usize>> = vec![None; links.len()];
        let mut parents = vec![None; links.len()];
        let mut children: Vec<Vec<(usize, usize)>> = vec![Vec::new(); links.len()];
        for (k, joint) in joints.iter().enumerate() {
            let of = |e: Error| e.of(format!("joint '{}'", joint.name.value));
            let parent = find(&link_of, &joint.parent, links).map_err(of)?;
            let child = find(&link_of, &joint.child, links).map_err(of)?;
            parent_joint[child] = Some(k);
            parents[child] = Some((k, parent));
            children[parent].push((k, child));
        }
        let leaders = check_mimics(reader, joints, &joint_of)?;

        let roots: Vec<usize> = (0..links.len()).filter(|&k| parent_joint[k].is_none()).collect();
        let root = match roots[..] {
            [root] => root,
            [] => return Err(cycle(links, joints, &parent_joint, 0)),
            [_, second, ..] => {
                let names: Vec<&str> = roots.iter().map(|&k| links[k].name.value.as_str()).collect();
                let message = format!("there are {} links without a parent: {}", roots.len(), listing(&names));
                return Err(Error::new(message)
                    .at(&links[second].name.span)
                    .note("a robot has one root; join the others to it by joints (type \"fixed\" to weld them)"));
            }
        };

        let mut poses = vec![None; links.len()];
        poses[root] = Some(Pose::IDENTITY);
        let mut open = vec![(root, Pose::IDENTITY)];
        while let Some((link, X_WP)) = open.pop() {
            for &(joint, child) in &children[link] {
                let X_WC = X_WP * joints[joint].origin.pose;
                poses[child] = Some(X_WC);
                open.push((child, X_WC));
            }
        }
        match poses.iter().position(Option::is_none) {
            Some(unreached) => Err(cycle(links, joints, &parent_joint, unreached)),
            None => Ok(Graph { root, poses: poses.into_iter().flatten().collect(), parents, leaders }),
        }
    }

    /// Turns links at the ends of the tree towards what they are welded to, about the joint that carries them. Frames of closures hang on such links,
    /// often far from each other with all joints at zero; a drawing that has them close spares the search a wrong turn.
    pub fn face(&mut self, robot: &Robot) {
        let place: HashMap<&str, usize> =
            robot.links.iter().enumerate().map(|(k, link)| (link.name.value.as_str(), k)).collect();
        let mut ends = vec![0_usize; robot.links.len()];
        for (_, parent) in self.parents.iter().flatten() {
            ends[*parent] += 1;
        }
        for closing in &robot.loops {
            closing.links.iter().filter_map(|l| place.get(l.value.as_str())).for_each(|&k| ends[k] += 1);
        }
        for closing in robot.loops.iter().filter(|l| l.kind.value == "fixed" && !l.closed_at_zero) {
            let [Some(&a), Some(&b)] = [0, 1].map(|k: usize| place.get(closing.links[k].value.as_str())) else {
                continue;
            };
            for (end, own, other) in [(0, a, b), (1, b, a)] {
                let Some((joint, _)) = self.parents[own].filter(|_| ends[own] == 1) else { continue };
                let R_WT = self.poses[other].rotation * closing.frames[1 - end].pose.rotation;
                let R_LF = closing.frames[end].pose.rotation;
                let wanted = self.poses[own].rotation.transposed() * R_WT * R_LF.transposed();
                let joint = &robot.joints[joint];
                let turn = match joint.kind.value {
                    Kind::Revolute | Kind::Continuous => nearest_turn(&wanted, joint.axis.direction),
                    Kind::Spherical => wanted,
                    _ => continue,
                };
                self.poses[own].rotation = self.poses[own].rotation * turn;
                break;
            }
        }
    }

    /// The joints between each of two links and the nearest link that carries both, outermost first.
    pub fn chains(&self, links: [usize; 2]) -> [Vec<usize>; 2] {
        let path = |link: usize| {
            let mut path = Vec::new();
            let mut at = link;
            while let Some((joint, parent)) = self.parents[at] {
                path.push(joint);
                at = parent;
            }
            path
        };
        let [mut first, mut second] = links.map(path);
        while first.last().is_some() && first.last() == second.last() {
            first.pop();
            second.pop();
        }
        [first, second]
    }
}

/// The turn about an axis that comes nearest to a rotation.
fn nearest_turn(R: &Rotation, axis: Vec3) -> Rotation {
    let Some(axis) = axis.unit() else { return Rotation::IDENTITY };
    let [x, y, z] = R.rows();
    let twist = Vec3::new(z[1] - y[2], x[2] - z[0], y[0] - x[1]).dot(axis);
    let rest = x[0] + y[1] + z[2] - axis.dot(R.apply(axis));
    Rotation::about(axis, twist.arctangent2(rest))
}

/// Names to numbers; a name given twice is an error.
fn index<'a>(what: &str, names: impl Iterator<Item = &'a Placed<String>>) -> Result<HashMap<&'a str, usize>> {
    let mut map: HashMap<&str, usize> = HashMap::new();
    let mut first: Vec<&Placed<String>> = Vec::new();
    for (k, name) in names.enumerate() {
        if let Some(&before) = map.get(name.value.as_str()) {
            let place = first.get(before).map_or(String::new(), |p| format!(" (first at {})", p.span.place()));
            return Err(Error::new(format!("a second {what} named '{}'{place}", name.value)).at(&name.span));
        }
        map.insert(&name.value, k);
        first.push(name);
    }
    Ok(map)
}

fn find(link_of: &HashMap<&str, usize>, name: &Placed<String>, links: &[Link]) -> Result<usize> {
    link_of.get(name.value.as_str()).copied().ok_or_else(|| {
        let error = Error::new(format!("no link '{}'", name.value)).at(&name.span);
        error.suggest(&name.value, links.iter().map(|l| l.name.value.as_str()))
    })
}

/// Names the links of the cycle that is met when going from `start` to parents for ever.
fn cycle(links: &[Link], joints: &[Joint], parent_joint: &[Option<usize>], start: usize) -> Error {
    let link_of: HashMap<&str, usize> = links.iter().enumerate().map(|(k, l)| (l.name.value.as_str(), k)).collect();
    let parent = |link: usize| {
        let joint = &joints[parent_joint[link]?];
        link_of.get(joint.parent.value.as_str()).copied()
    };
    // After as many steps as there are links the walk is surely on the cycle.
    let on_cycle = links.iter().fold(start, |link, _| parent(link).unwrap_or(link));
    let mut names = vec![links[on_cycle].name.value.as_str()];
    let mut link = on_cycle;
    while let Some(next) = parent(link).filter(|&next| next != on_cycle) {
        names.push(&links[next].name.value);
        link = next;
    }
    names.reverse();
    Error::new(format!("the joints form a cycle through the links {}", listing(&names)))
        .at(&links[on_cycle].name.span)
        .note("close a loop by a <loop_joint>, which gives one frame in each of two links")
}

/// The joint that each joint follows. One that follows a joint that is not there, or that has not one coordinate, is told to move on its own.
fn check_mimics(reader: &mut Reader, joints: &[Joint], joint_of: &HashMap<&str, usize>) -> Result<Vec<Option<usize>>> {
    let mut leader_of: Vec<Option<usize>> = vec![None; joints.len()];
    for (k, joint) in joints.iter().enumerate() {
        let Some(mimic) = &joint.mimic else { continue };
        let name = &mimic.leader.value;
        let fail =
            |message: &str| Error::new(message).at(&mimic.leader.span).of(format!("joint '{}'", joint.name.value));
        let leader = joint_of.get(name.as_str()).copied().filter(|&l| l < joints.len());
        let doubt = match leader {
            Some(leader) if leader == k => return Err(fail("a joint cannot mimic itself")),
            Some(leader) if joints[leader].kind.value.is_single() => {
                leader_of[k] = Some(leader);
                continue;
            }
            Some(_) => fail("<mimic> names a joint that has not one coordinate"),
            None => {
                let names = joints.iter().map(|j| j.name.value.as_str());
                fail("<mimic> names a joint that is not there").suggest(name, names)
            }
        };
        reader.told.doubt(doubt, "the joint moves on its own")?;
    }
    // Colours: 0 not seen, otherwise the number of the walk that came by.
    let mut seen = vec![0; joints.len()];
    for start in 0..joints.len() {
        let mut joint = start;
        while seen[joint] == 0 {
            seen[joint] = start + 1;
            match leader_of[joint] {
                Some(leader) => joint = leader,
                None => break,
            }
        }
        if let (Some(_), true) = (leader_of[joint], seen[joint] == start + 1) {
            if let Some(mimic) = &joints[joint].mimic {
                return Err(Error::new("the joints mimic each other in a circle")
                    .at(&mimic.span)
                    .of(format!("joint '{}'", joints[joint].name.value)));
            }
        }
    }
    Ok(leader_of)
}
