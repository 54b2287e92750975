//! Random machines: a tree of bodies with joints of every type, driven in all freedoms; then loops, couplings and doubled joints, each
//! in place of as many drivers as it has independent equations; then loads.
//!
//! All is laid out at one position that closes, so that every loop can be assembled. The drawing is that position or a rough guess of
//! it. In a third of the machines all joints move in one plane, so that loops have redundant equations.

use crate::machine::*;
use crate::vector::*;

/// Things that drive, each with its number of equations and the tree joint it moves.
struct Unit {
    rows: usize,
    joint: usize,
    targets: Vec<Target>,
}

struct Workshop {
    dice: Dice,
    machine: Machine,
    /// Normal of the plane in which everything moves, where it does.
    plane: Option<V>,
    /// Body that each body hangs on, and by which joint.
    parent: Vec<(usize, usize)>,
    /// Coordinates of every joint in the position laid out.
    start: Vec<Vec<f64>>,
    units: Vec<Unit>,
    exact: bool,
}

/// The machine of a seed.
pub fn machine(seed: u64) -> Machine {
    let mut dice = Dice::new(seed);
    let plane = dice.chance(0.33).then(|| dice.direction());
    let exact = dice.chance(0.4);
    let size = if dice.chance(0.3) { 0.05 } else { 9.81 };
    let gravity = if dice.chance(0.1) { ZERO } else { dice.vector(size) };
    let ground =
        Body { name: "ground".into(), mass: None, points: vec![dice.vector(0.3)], e: [1.0, 0.0, 0.0, 0.0], p: ZERO };
    let machine = Machine {
        gravity,
        bodies: vec![ground],
        joints: Vec::new(),
        couplings: Vec::new(),
        drivers: Vec::new(),
        loads: Vec::new(),
        initial: Vec::new(),
        analysis: "inverse-dynamics",
    };
    let mut w = Workshop { dice, machine, plane, parent: vec![(0, 0)], start: Vec::new(), units: Vec::new(), exact };
    let bodies = 1 + w.dice.below(5);
    (0..bodies).for_each(|_| w.hang());
    if w.plane.is_none() && w.dice.chance(0.5) {
        (0..1 + w.dice.below(2)).for_each(|_| w.close());
    }
    if w.plane.is_some() {
        (0..1 + w.dice.below(2)).for_each(|_| w.close_in_plane());
    }
    if w.dice.chance(0.35) {
        w.couple();
    }
    if w.dice.chance(0.15) {
        w.double();
    }
    (0..w.dice.below(4)).for_each(|_| w.load());
    w.draw();
    w.finish()
}

impl Workshop {
    fn wave(&mut self, start: f64, swing: f64) -> Wave {
        let (omega, phase) = (self.dice.between(0.5, 3.0), self.dice.between(-1.5, 1.5));
        Wave { start, swing: swing * self.dice.between(0.3, 1.0), omega, phase }
    }

    fn rotation(&self, body: usize) -> M {
        matrix(self.machine.bodies[body].e)
    }

    fn world(&self, body: usize, p: V) -> V {
        add(self.machine.bodies[body].p, apply(&self.rotation(body), p))
    }

    fn local(&self, body: usize, p: V) -> V {
        back(&self.rotation(body), sub(p, self.machine.bodies[body].p))
    }

    fn local_direction(&self, body: usize, n: V) -> V {
        back(&self.rotation(body), n)
    }

    /// A vector in the plane, or any.
    fn lying(&mut self, size: f64) -> V {
        let v = self.dice.vector(size);
        match self.plane {
            Some(n) => sub(v, scaled(n, dot(v, n))),
            None => v,
        }
    }

    fn new_body(&mut self, near: V) -> usize {
        let k = self.machine.bodies.len();
        let p = add(near, self.lying(0.4));
        // Points of a body, as masses, have an inertia that a body can have.
        let mass = self.dice.between(0.2, 3.0);
        let corners: Vec<V> = (0..4).map(|_| self.dice.vector(0.2)).collect();
        let mut inertia = [1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0];
        for r in corners {
            let m = 0.25 * mass;
            let parts = [
                r[1] * r[1] + r[2] * r[2],
                r[0] * r[0] + r[2] * r[2],
                r[0] * r[0] + r[1] * r[1],
                -r[0] * r[1],
                -r[0] * r[2],
                -r[1] * r[2],
            ];
            inertia.iter_mut().zip(parts).for_each(|(i, p)| *i += m * p);
        }
        let com = self.dice.vector(0.2);
        // One body at least has mass, so that there is something for forces to be measured by.
        let light = self.dice.chance(0.06) && k > 1;
        let mass = (!light).then_some((mass, com, inertia));
        let points = vec![self.dice.vector(0.3), self.dice.vector(0.3)];
        let e = self.dice.attitude();
        self.machine.bodies.push(Body { name: format!("b{k}"), mass, points, e, p });
        k
    }

    /// A joint between two bodies at a place of the world, with the coordinates it shall have there.
    fn joint(&mut self, kind: &'static str, bodies: [usize; 2], at: V, n: V, q: &[f64]) -> usize {
        let [a, b] = bodies;
        let slide = match kind {
            "prismatic" => q[0],
            "cylindrical" => q[1],
            _ => 0.0,
        };
        let x = normal_part(self.dice.direction(), n);
        let y = cross(n, x);
        let angle = match kind {
            "revolute" | "screw" | "cylindrical" => q[0],
            "planar" => q[2],
            _ => 0.0,
        };
        let pitch = self.dice.between(0.01, 0.2);
        let mut second = add(at, scaled(n, slide));
        if kind == "screw" {
            second = add(at, scaled(n, pitch * angle / std::f64::consts::TAU));
        }
        if kind == "planar" {
            second = add(at, add(scaled(x, q[0]), scaled(y, q[1])));
        }
        let turned = add(scaled(x, angle.cos()), scaled(y, angle.sin()));
        // References need not be normal to the axis, nor of unit length.
        let lift = self.dice.between(-0.4, 0.4);
        let x = add(x, scaled(n, lift));
        let long = self.dice.between(0.5, 2.0);
        let k = self.machine.joints.len();
        self.machine.joints.push(Joint {
            name: format!("j{k}"),
            kind,
            bodies,
            at: [self.local(a, at), self.local(b, second)],
            axis: [scaled(self.local_direction(a, n), long), self.local_direction(b, n)],
            x: [self.local_direction(a, x), scaled(self.local_direction(b, turned), long)],
            pitch,
            value: Wave::constant(0.0),
            drawn: false,
        });
        self.start.push(q.to_vec());
        k
    }

    /// Hangs a new body on the tree and drives it.
    fn hang(&mut self) {
        let count = self.machine.bodies.len();
        let parent = if self.dice.chance(0.7) { count - 1 } else { self.dice.below(count) };
        let near = self.machine.bodies[parent].p;
        let child = self.new_body(near);
        let kinds: &[&'static str] = match self.plane {
            Some(_) => &["revolute", "revolute", "revolute", "prismatic", "planar"],
            None => &[
                "revolute",
                "revolute",
                "prismatic",
                "cylindrical",
                "screw",
                "universal",
                "spherical",
                "planar",
                "free",
                "fixed",
                "revolute",
                "cylindrical",
            ],
        };
        let kind = self.dice.of(kinds);
        let n = match (self.plane, kind) {
            (Some(n), "prismatic") => normal_part(self.dice.direction(), n),
            (Some(n), _) => n,
            (None, _) => self.dice.direction(),
        };
        let middle = scaled(add(near, self.machine.bodies[child].p), 0.5);
        let at = add(middle, self.lying(0.15));
        let q: Vec<f64> = coordinates(kind)
            .iter()
            .map(|(_, angle)| if *angle { self.dice.between(-2.8, 2.8) } else { self.dice.between(-0.2, 0.2) })
            .collect();
        let q = if kind == "universal" { vec![0.0, 0.0] } else { q };
        let bodies = if self.dice.chance(0.3) { [child, parent] } else { [parent, child] };
        let j = self.joint(kind, bodies, at, n, &q);
        self.parent.push((parent, j));
        for (c, (_, angle)) in coordinates(kind).iter().enumerate() {
            let value = self.wave(q[c], if *angle { 0.6 } else { 0.15 });
            self.units.push(Unit { rows: 1, joint: j, targets: vec![Target::Coordinate { joint: j, c, value }] });
        }
        if kind == "spherical" || kind == "free" {
            let mut targets = vec![self.orientation(child)];
            if kind == "free" {
                // Along three directions that need not be normal to each other.
                for k in 0..3 {
                    let mut along = [0.0; 3];
                    along[k] = 1.0;
                    let along = unit(add(along, self.dice.vector(0.2)));
                    let place = self.world(child, self.machine.bodies[child].points[0]);
                    let value = self.wave(dot(along, place), 0.15);
                    targets.push(Target::Point { body: child, point: 0, along, value });
                }
            }
            let rows = if kind == "free" { 6 } else { 3 };
            self.units.push(Unit { rows, joint: j, targets });
        }
    }

    fn orientation(&mut self, body: usize) -> Target {
        let e = self.machine.bodies[body].e;
        let angles = roll_pitch_yaw(&matrix(e));
        // Angles are singular at half a turn of pitch.
        if self.dice.chance(0.5) && angles[1].abs() < 1.2 {
            let value = angles.map(|x| self.wave(x, 0.3));
            return Target::Angles { body, value };
        }
        let (axis, value) = (self.dice.direction(), self.wave(0.0, 0.6));
        Target::Turn { body, axis, from: e, value }
    }

    /// Tree joints between two bodies.
    fn path(&self, a: usize, b: usize) -> Vec<usize> {
        let up = |mut k: usize| {
            let mut list = Vec::new();
            while k != 0 {
                list.push(self.parent[k].1);
                k = self.parent[k].0;
            }
            list
        };
        let (x, y) = (up(a), up(b));
        let mut path: Vec<usize> = x.iter().filter(|j| !y.contains(j)).copied().collect();
        path.extend(y.iter().filter(|j| !x.contains(j)));
        path
    }

    /// Takes drivers of so many equations off joints of a path; false, and nothing is changed, where they are not to be had.
    fn release(&mut self, path: &[usize], rows: usize) -> bool {
        for _ in 0..20 {
            let mut left = rows;
            let mut chosen: Vec<usize> = Vec::new();
            let mut order: Vec<usize> =
                (0..self.units.len()).filter(|k| path.contains(&self.units[*k].joint)).collect();
            while left > 0 && !order.is_empty() {
                let k = order.swap_remove(self.dice.below(order.len()));
                if self.units[k].rows <= left {
                    left -= self.units[k].rows;
                    chosen.push(k);
                }
            }
            if left == 0 {
                chosen.sort_unstable_by(|a, b| b.cmp(a));
                chosen.iter().for_each(|k| drop(self.units.remove(*k)));
                return true;
            }
        }
        false
    }

    /// Two bodies that no joint connects yet.
    fn apart(&mut self) -> Option<[usize; 2]> {
        let count = self.machine.bodies.len();
        for _ in 0..10 {
            let (a, b) = (self.dice.below(count), self.dice.below(count));
            let joined = |j: &Joint| j.bodies == [a, b] || j.bodies == [b, a];
            if a != b && !self.machine.joints.iter().any(joined) {
                return Some([a, b]);
            }
        }
        None
    }

    /// Closes a loop in space.
    fn close(&mut self) {
        let Some([a, b]) = self.apart() else { return };
        let kind = self.dice.of(&[
            "spherical",
            "distance",
            "distance",
            "point-on-line",
            "point-on-plane",
            "dot1",
            "dot2",
            "coordinate",
            "perpendicular1",
            "perpendicular2",
            "universal",
            "revolute",
            "cylindrical",
        ]);
        let rows = match kind {
            "revolute" => 5,
            "universal" | "cylindrical" => 4,
            "spherical" => 3,
            "point-on-line" => 2,
            _ => 1,
        };
        let path = self.path(a, b);
        if !self.release(&path, rows) {
            return;
        }
        let [pa, pb] = [a, b].map(|k| self.machine.bodies[k].p);
        let at = add(scaled(add(pa, pb), 0.5), self.dice.vector(0.2));
        let n = self.dice.direction();
        let q: Vec<f64> = coordinates(kind).iter().map(|_| self.dice.between(-0.2, 0.2)).collect();
        let q = if kind == "universal" { vec![0.0, 0.0] } else { q };
        let k = self.joint(kind, [a, b], at, n, &q);
        self.fit(k, at, n, kind, q.first().copied().unwrap_or(0.0));
    }

    /// Points, directions and the right-hand side of joints that leave distance or inclination to choose.
    fn fit(&mut self, k: usize, at: V, n: V, kind: &str, slide: f64) {
        let [a, b] = self.machine.joints[k].bodies;
        let far = add(at, self.dice.vector(0.3));
        let other = self.dice.direction();
        let d = sub(far, at);
        let swing = if self.dice.chance(0.4) { 0.03 } else { 0.0 };
        let (place, value) = match kind {
            "point-on-line" => (add(at, scaled(n, slide)), 0.0),
            "distance" => (far, norm(d)),
            "dot1" => (at, dot(n, other)),
            "dot2" | "coordinate" => (far, dot(n, d)),
            "perpendicular2" | "point-on-plane" => (sub(far, scaled(n, dot(n, d))), 0.0),
            _ => (at, 0.0),
        };
        let wave = self.wave(value, swing);
        let second = match kind {
            "dot1" => self.local_direction(b, other),
            "perpendicular1" => self.local_direction(b, normal_part(other, n)),
            _ => self.machine.joints[k].axis[1],
        };
        let place = self.local(b, place);
        let first = self.local_direction(a, n);
        let joint = &mut self.machine.joints[k];
        joint.axis[1] = second;
        match kind {
            "coordinate" => joint.axis[0] = n,
            "dot1" | "dot2" | "perpendicular1" | "perpendicular2" => joint.axis[0] = first,
            _ => {}
        }
        match kind {
            "point-on-line" | "distance" | "dot2" | "coordinate" | "perpendicular2" | "point-on-plane" => {
                joint.at[1] = place;
            }
            _ => {}
        }
        if matches!(kind, "distance" | "dot1" | "dot2" | "coordinate") {
            joint.value = wave;
        }
    }

    /// Closes a loop in which all joints move in one plane: of the equations two or three are independent.
    fn close_in_plane(&mut self) {
        let (Some([a, b]), Some(n)) = (self.apart(), self.plane) else { return };
        let kind =
            self.dice.of(&["revolute", "revolute", "revolute", "prismatic", "point-on-line", "spherical", "fixed"]);
        let rows = match kind {
            "point-on-line" => 1,
            "fixed" => 3,
            _ => 2,
        };
        let path = self.path(a, b);
        if !self.release(&path, rows) {
            return;
        }
        let [pa, pb] = [a, b].map(|k| self.machine.bodies[k].p);
        let at = add(scaled(add(pa, pb), 0.5), self.lying(0.3));
        let along = normal_part(self.dice.direction(), n);
        let axis = if matches!(kind, "prismatic" | "point-on-line") { along } else { n };
        let q: Vec<f64> = coordinates(kind).iter().map(|_| self.dice.between(-0.2, 0.2)).collect();
        let k = self.joint(kind, [a, b], at, axis, &q);
        self.fit(k, at, axis, kind, q.first().copied().unwrap_or(0.0));
    }

    /// Lets one driven coordinate depend on another.
    fn couple(&mut self) {
        let driven = |u: &Unit| match u.targets[..] {
            [Target::Coordinate { joint, c, .. }] => Some((joint, c)),
            _ => None,
        };
        let mut list: Vec<(usize, (usize, usize))> =
            self.units.iter().enumerate().filter_map(|(k, u)| Some((k, driven(u)?))).collect();
        if list.len() < 2 {
            return;
        }
        let (k, second) = list.swap_remove(self.dice.below(list.len()));
        let (_, first) = list[self.dice.below(list.len())];
        let is_angle = |of: (usize, usize)| coordinates(self.machine.joints[of.0].kind)[of.1].1;
        let (kind, ratio, swing) = match (is_angle(first), is_angle(second)) {
            (true, false) => (self.dice.of(&["rack", "cam", "coupling"]), 0.1, 0.05),
            (true, true) => (self.dice.of(&["gear", "gear", "coupling"]), 1.5, 0.3),
            (false, false) => (self.dice.of(&["gear", "coupling"]), 1.5, 0.02),
            (false, true) => ("coupling", 2.0, 0.1),
        };
        let ratio = ratio * self.dice.between(-1.0, 1.0);
        let swing = if matches!(kind, "cam" | "coupling") { swing } else { 0.0 };
        let [q, p] = [first, second].map(|of| self.start[of.0][of.1]);
        let offset = p - ratio * q - swing * q.sin();
        drop(self.units.remove(k));
        let name = format!("c{}", self.machine.couplings.len());
        self.machine.couplings.push(Coupling { name, kind, first, second, ratio, swing, offset });
    }

    /// A second joint like one there is, further along its axis.
    fn double(&mut self) {
        let able = |j: &Joint| matches!(j.kind, "revolute" | "prismatic" | "fixed" | "cylindrical");
        let list: Vec<usize> = (0..self.machine.joints.len()).filter(|k| able(&self.machine.joints[*k])).collect();
        if list.is_empty() {
            return;
        }
        let mut joint = self.machine.joints[self.dice.of(&list)].clone();
        let shift = self.dice.between(0.1, 0.3);
        let [a, b] = joint.axis.map(unit);
        joint.at = [add(joint.at[0], scaled(a, shift)), add(joint.at[1], scaled(b, shift))];
        joint.name = format!("j{}", self.machine.joints.len());
        self.machine.joints.push(joint);
        self.start.push(Vec::new());
    }

    fn load(&mut self) {
        let bodies = self.machine.bodies.len();
        let body = 1 + self.dice.below(bodies - 1);
        let with: Vec<(usize, usize)> = (0..self.machine.joints.len())
            .flat_map(|j| (0..coordinates(self.machine.joints[j].kind).len()).map(move |c| (j, c)))
            .collect();
        let in_body = self.dice.chance(0.5);
        let load = match self.dice.below(if with.is_empty() { 3 } else { 7 }) {
            0 => {
                let value = [(); 3].map(|_| self.dice.between(-5.0, 5.0)).map(|x| self.wave(x, 5.0));
                Load::Force { body, point: self.dice.vector(0.3), value, in_body }
            }
            1 => {
                let value = [(); 3].map(|_| self.dice.between(-2.0, 2.0)).map(|x| self.wave(x, 2.0));
                Load::Torque { body, value, in_body }
            }
            2 => {
                let other = (body + 1 + self.dice.below(bodies - 1)) % bodies;
                let kind = self.dice.of(&["spring", "damper", "spring-damper"]);
                let stiffness = if kind == "damper" { 0.0 } else { self.dice.between(10.0, 200.0) };
                let damping = if kind == "spring" { 0.0 } else { self.dice.between(0.1, 5.0) };
                let at = [self.dice.vector(0.3), self.dice.vector(0.3)];
                let length = self.dice.between(0.05, 0.6);
                Load::Spring { kind, bodies: [body, other], at, stiffness, damping, length }
            }
            k => {
                let (joint, c) = self.dice.of(&with);
                let [p, q] = [(); 2].map(|_| self.dice.between(0.1, 5.0));
                match k {
                    3 => Load::JointSpring { joint, c, stiffness: 4.0 * p, damping: 0.1 * q, rest: 0.1 * (q - p) },
                    4 => Load::JointTorque { joint, c, value: self.wave(p, q) },
                    5 => Load::Friction { joint, c, viscous: 0.2 * p, coulomb: 0.3 * q },
                    _ => Load::Motor { joint, c, stall: p, speed: 2.0 * q },
                }
            }
        };
        self.machine.loads.push(load);
    }

    /// The drawing: the position laid out, or a rough guess of it. Joints of an exact drawing may be written by one point of it.
    fn draw(&mut self) {
        if !self.exact {
            for k in 1..self.machine.bodies.len() {
                let (n, angle, off) = (self.dice.direction(), self.dice.between(-0.02, 0.02), self.dice.vector(0.01));
                let body = &mut self.machine.bodies[k];
                body.e = product(turn(n, angle), body.e);
                body.p = add(body.p, off);
            }
        }
        for k in 0..self.machine.joints.len() {
            let [a, b] = self.machine.joints[k].bodies;
            let kind = self.machine.joints[k].kind;
            if kind == "universal" {
                // Both axes are given in the drawing, normal to each other there.
                let n = self.dice.direction();
                let m = normal_part(self.dice.direction(), n);
                self.machine.joints[k].axis = [self.local_direction(a, n), self.local_direction(b, m)];
            }
            let able = matches!(kind, "revolute" | "prismatic" | "cylindrical" | "fixed" | "spherical");
            let driven = self.units.iter().any(|u| u.joint == k) || !self.machine.couplings.is_empty();
            if able && self.exact && !driven && self.dice.chance(0.5) {
                let (at, n) = (self.world(a, self.machine.joints[k].at[0]), self.machine.joints[k].axis[0]);
                let n = unit(apply(&self.rotation(a), n));
                let x = normal_part(self.dice.direction(), n);
                let (point, axis, x_b) = (self.local(b, at), self.local_direction(b, n), self.local_direction(b, x));
                let x_a = self.local_direction(a, x);
                let joint = &mut self.machine.joints[k];
                (joint.at[1], joint.axis[1], joint.x, joint.drawn) = (point, axis, [x_a, x_b], true);
            }
        }
    }

    fn finish(mut self) -> Machine {
        let targets = self.units.into_iter().flat_map(|u| u.targets);
        self.machine.drivers =
            targets.enumerate().map(|(k, target)| Driver { name: format!("d{k}"), target }).collect();
        self.machine
    }
}
