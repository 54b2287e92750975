//! The audit of one table: balances of all bodies, reactions that do no work along freedoms, energies and power, and quantities that
//! other columns determine. All from written columns and what the text says.

use crate::columns::*;
use crate::machine::*;
use crate::vector::*;

/// For each law the largest violation, relative to what takes part in it.
#[derive(Default)]
pub struct Ledger {
    pub found: Vec<(&'static str, f64, String)>,
    /// How often laws were asked.
    pub figures: usize,
    /// How often differences in time were too quick to tell.
    pub quick: usize,
}

impl Ledger {
    pub fn note(&mut self, law: &'static str, off: f64, scale: f64, detail: impl FnOnce() -> String) {
        self.figures += 1;
        let relative = off / scale.max(f64::MIN_POSITIVE);
        match self.found.iter_mut().find(|f| f.0 == law) {
            Some(found) if relative <= found.1 => {}
            Some(found) => (found.1, found.2) = (relative, detail()),
            None => self.found.push((law, relative, detail())),
        }
    }
}

/// Forces and moments on a body about its mass centre, with the sum of their magnitudes.
#[derive(Clone, Copy, Default)]
struct Sum {
    f: V,
    m: V,
    size_f: f64,
    size_m: f64,
}

impl Sum {
    /// A force at a place and a moment, on a body with its centre there.
    fn add(&mut self, centre: V, place: V, f: V, m: V) {
        let arm = cross(sub(place, centre), f);
        self.f = add(self.f, f);
        self.m = add(self.m, add(m, arm));
        self.size_f += norm(f);
        self.size_m += norm(m) + norm(arm);
    }
}

/// A sample under audit.
struct Sample<'a> {
    m: &'a Machine,
    columns: &'a Columns<'a>,
    k: usize,
    poses: Vec<Pose>,
    joints: Vec<Placed>,
    sums: Vec<Sum>,
    /// Power of everything that has no potential, and the size of its terms.
    power: f64,
    size: f64,
    floors: (f64, f64),
}

/// Violations of all laws in a table; power is compared with what energies do by the caller, from the list that is returned.
pub fn audit(m: &Machine, columns: &Columns, ledger: &mut Ledger) -> Vec<(f64, f64)> {
    (0..columns.t.len())
        .map(|k| {
            let poses = poses(m, columns, k);
            let joints = m.joints.iter().map(|j| placed(j, &poses)).collect();
            let sums = vec![Sum::default(); m.bodies.len()];
            let mut sample = Sample { m, columns, k, poses, joints, sums, power: 0.0, size: 0.0, floors: (0.0, 0.0) };
            sample.find_floors();
            sample.reactions(ledger);
            sample.drivers();
            sample.couplings();
            sample.loads();
            sample.balances(ledger);
            sample.energies(ledger);
            sample.coordinates(ledger);
            sample.points(ledger);
            (sample.power, sample.size)
        })
        .collect()
}

impl Sample<'_> {
    fn t(&self) -> f64 {
        self.columns.t[self.k]
    }

    fn centre(&self, body: usize) -> V {
        match self.m.bodies[body].mass {
            Some((_, com, _)) => self.poses[body].point(com)[0],
            None => self.poses[body].p,
        }
    }

    fn exert(&mut self, body: usize, place: V, f: V, moment: V) {
        let centre = self.centre(body);
        self.sums[body].add(centre, place, f, moment);
    }

    /// Something between the bodies of a joint, at the joint point of the second.
    fn between(&mut self, joint: usize, [f, m]: [V; 2]) {
        let [a, b] = self.m.joints[joint].bodies;
        let place = self.joints[joint].at[1];
        self.exert(b, place, f, m);
        self.exert(a, place, scaled(f, -1.0), scaled(m, -1.0));
    }

    fn work(&mut self, power: f64) {
        self.power += power;
        self.size += power.abs();
    }

    /// Rate of a coordinate as written.
    fn rate(&self, joint: usize, c: usize) -> f64 {
        self.columns.get(&format!("{}.rate", self.m.joints[joint].coordinate(c)))[self.k]
    }

    fn value(&self, joint: usize, c: usize) -> f64 {
        self.columns.get(&self.m.joints[joint].coordinate(c))[self.k]
    }

    /// An effort along a coordinate, with its power where it counts.
    fn effort(&mut self, joint: usize, c: usize, effort: f64) {
        let wrench = effort_wrench(&self.m.joints[joint], c, &self.joints[joint], effort);
        self.between(joint, wrench);
    }

    fn reactions(&mut self, ledger: &mut Ledger) {
        for (j, joint) in self.m.joints.iter().enumerate() {
            let [f, mut m] = reaction(joint, self.columns, self.k);
            let [a, b] = joint.bodies;
            let at = &self.joints[j];
            let local = ["fx", "fy", "fz", "mx", "my", "mz"].map(|l| match joint.kind {
                "free" => 0.0,
                _ => self.columns.get(&format!("{}.local.{l}", joint.name))[self.k],
            });
            for (half, whole) in [f, m].into_iter().enumerate() {
                let found = [local[3 * half], local[3 * half + 1], local[3 * half + 2]];
                let off = norm(sub(apply(&self.poses[b].r, found), whole));
                ledger.note("reaction in own axes", off, norm(whole), || joint.name.clone());
            }
            // The direction belongs to the ground: as the second body it bears the force where the first does.
            let on_ground = joint.kind == "coordinate" && b == 0;
            if on_ground {
                m = sub(m, cross(sub(at.at[0], at.at[1]), f));
            }
            let (n, d) = (at.n, sub(at.at[1], at.at[0]));
            // Freedoms: along them neither force nor moment.
            let (mut forces, mut moments) = (Vec::new(), Vec::new());
            let all = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let around = |u: V| {
                let x = normal_part(if u[0].abs() < 0.6 { all[0] } else { all[1] }, u);
                [x, cross(u, x)]
            };
            match joint.kind {
                "revolute" => moments.push(n[0]),
                "prismatic" => forces.push(n[0]),
                "cylindrical" => (forces, moments) = (vec![n[0]], vec![n[0]]),
                "universal" => moments.extend(n),
                "spherical" => moments.extend(all),
                "planar" => (forces, moments) = (vec![at.x, at.y], vec![n[0]]),
                "free" => (forces, moments) = (all.to_vec(), all.to_vec()),
                "distance" => (forces, moments) = (around(unit(d)).to_vec(), all.to_vec()),
                "point-on-line" => (forces, moments) = (vec![n[0]], all.to_vec()),
                "point-on-plane" | "dot2" | "perpendicular2" | "coordinate" => {
                    (forces, moments) = (around(n[0]).to_vec(), all.to_vec());
                }
                "dot1" | "perpendicular1" => {
                    forces.extend(all);
                    moments.extend(around(unit(cross(n[0], n[1]))));
                }
                _ => {}
            }
            // What every load on these bodies could do to a moment here.
            let size_f = norm(f).max(self.floors.0);
            let size_m = norm(m).max(self.floors.1);
            for u in forces {
                ledger.note("reaction along a freedom", dot(f, u).abs(), size_f, || format!("{} force", joint.name));
            }
            for u in moments {
                ledger.note("reaction along a freedom", dot(m, u).abs(), size_m, || format!("{} moment", joint.name));
            }
            if joint.kind == "screw" {
                let off = dot(m, n[0]) + joint.pitch / std::f64::consts::TAU * dot(f, n[0]);
                ledger.note("reaction along a freedom", off.abs(), size_m, || format!("{} screw", joint.name));
            }
            // The power of a reaction: none, but for what moves with time by itself.
            let [pa, pb] = [a, b].map(|k| self.poses[k]);
            let place = if joint.kind == "coordinate" { at.at[0] } else { at.at[1] };
            let parts = [dot(f, pb.velocity_at(at.at[1])), -dot(f, pa.velocity_at(place)), dot(m, pb.w), -dot(m, pa.w)];
            let power: f64 = parts.iter().sum();
            let size: f64 = parts.iter().map(|p| p.abs()).sum();
            let due = match joint.kind {
                _ if joint.value.swing == 0.0 => 0.0,
                "distance" => dot(f, unit(d)) * joint.value.rate(self.t()),
                "dot2" | "coordinate" => dot(f, n[0]) * joint.value.rate(self.t()),
                // Its multiplier is no column.
                _ => power,
            };
            let [first, second] = at.at;
            let speed = self.poses.iter().map(|p| norm(p.v).max(norm(p.w))).fold(1e-3, f64::max);
            let least = (self.floors.0 + self.floors.1) * speed;
            ledger.note("power of a reaction", (power - due).abs(), size.max(least), || joint.name.clone());
            if joint.value.swing != 0.0 {
                self.work(power);
            }
            match joint.kind {
                "coordinate" => {
                    self.exert(b, second, f, m);
                    self.exert(a, first, scaled(f, -1.0), scaled(m, -1.0));
                }
                _ => self.between(j, [f, m]),
            }
        }
    }

    /// What rounding of forces and moments that vanish is measured by: inertia forces, weights and reactions of the whole machine in
    /// magnitude, and the same about its lengths.
    fn find_floors(&mut self) {
        let (mut f, mut span) = (0.0, 0.0f64);
        for (body, pose) in self.m.bodies.iter().zip(&self.poses).skip(1) {
            let Some((mass, com, _)) = body.mass else { continue };
            f += mass * (norm(pose.point(com)[2]) + norm(self.m.gravity));
            span = span.max(norm(pose.p));
        }
        let mut moments = 0.0;
        for joint in &self.m.joints {
            let [force, moment] = reaction(joint, self.columns, self.k);
            (f, moments) = (f + norm(force), moments + norm(moment));
        }
        self.floors = (f, f * (span + 0.3) + moments);
    }

    fn drivers(&mut self) {
        for driver in &self.m.drivers {
            match &driver.target {
                Target::Coordinate { joint, c, .. } => {
                    let effort = self.columns.get(&format!("{}.effort", driver.name))[self.k];
                    self.effort(*joint, *c, effort);
                    self.work(effort * self.rate(*joint, *c));
                }
                Target::Point { body, point, along, .. } => {
                    let effort = self.columns.get(&format!("{}.effort", driver.name))[self.k];
                    let [place, velocity, _] = self.poses[*body].point(self.m.bodies[*body].points[*point]);
                    let f = scaled(*along, effort);
                    self.exert(*body, place, f, ZERO);
                    self.work(dot(f, velocity));
                }
                Target::Angles { body, .. } | Target::Turn { body, .. } => {
                    let moment =
                        ["x", "y", "z"].map(|l| self.columns.get(&format!("{}.effort.{l}", driver.name))[self.k]);
                    let place = self.poses[*body].p;
                    self.exert(*body, place, ZERO, moment);
                    self.work(dot(moment, self.poses[*body].w));
                }
            }
        }
    }

    /// The effort acts along the second coordinate, that of a `coupling` along the later one in the order of the joints; along the other one
    /// acts what takes no power together with it.
    fn couplings(&mut self) {
        for c in &self.m.couplings {
            let effort = self.columns.get(&format!("{}.effort", c.name))[self.k];
            let slope = c.ratio + c.swing * self.value(c.first.0, c.first.1).cos();
            let effort = if c.kind == "coupling" && c.first > c.second { -effort / slope } else { effort };
            self.effort(c.second.0, c.second.1, effort);
            self.effort(c.first.0, c.first.1, -effort * slope);
        }
    }

    fn loads(&mut self) {
        let t = self.t();
        for load in &self.m.loads {
            match load {
                Load::Force { body, point, value, in_body } => {
                    let f = value.map(|w| w.at(t));
                    let f = if *in_body { apply(&self.poses[*body].r, f) } else { f };
                    let [place, velocity, _] = self.poses[*body].point(*point);
                    self.exert(*body, place, f, ZERO);
                    self.work(dot(f, velocity));
                }
                Load::Torque { body, value, in_body } => {
                    let m = value.map(|w| w.at(t));
                    let m = if *in_body { apply(&self.poses[*body].r, m) } else { m };
                    let place = self.poses[*body].p;
                    self.exert(*body, place, ZERO, m);
                    self.work(dot(m, self.poses[*body].w));
                }
                Load::Spring { bodies: [a, b], at, stiffness, damping, length, .. } => {
                    let ([p, v, _], [q, w, _]) = (self.poses[*a].point(at[0]), self.poses[*b].point(at[1]));
                    let (u, l) = (unit(sub(q, p)), norm(sub(q, p)));
                    let rate = dot(u, sub(w, v));
                    let pull = stiffness * (l - length) + damping * rate;
                    self.exert(*a, p, scaled(u, pull), ZERO);
                    self.exert(*b, q, scaled(u, -pull), ZERO);
                    self.work(-damping * rate * rate);
                }
                Load::JointSpring { joint, c, stiffness, damping, rest } => {
                    let rate = self.rate(*joint, *c);
                    self.effort(*joint, *c, -stiffness * (self.value(*joint, *c) - rest) - damping * rate);
                    self.work(-damping * rate * rate);
                }
                Load::JointTorque { joint, c, value } => {
                    self.effort(*joint, *c, value.at(t));
                    self.work(value.at(t) * self.rate(*joint, *c));
                }
                Load::Friction { joint, c, viscous, coulomb } => {
                    let rate = self.rate(*joint, *c);
                    let effort = -viscous * rate - coulomb * (rate / 1e-3).tanh();
                    self.effort(*joint, *c, effort);
                    self.work(effort * rate);
                }
                Load::Motor { joint, c, stall, speed } => {
                    let rate = self.rate(*joint, *c);
                    let effort = stall * (1.0 - rate / speed);
                    self.effort(*joint, *c, effort);
                    self.work(effort * rate);
                }
            }
        }
    }

    /// m a = Σ F and I α + ω × I ω = Σ M about the mass centre, for every body.
    fn balances(&mut self, ledger: &mut Ledger) {
        for (b, body) in self.m.bodies.iter().enumerate().skip(1) {
            let (pose, mut sum) = (self.poses[b], self.sums[b]);
            let (mut due_f, mut due_m) = (ZERO, ZERO);
            if let Some((mass, com, _)) = body.mass {
                let centre = pose.point(com)[0];
                sum.add(centre, centre, scaled(self.m.gravity, mass), ZERO);
                if self.m.analysis != "statics" {
                    due_f = scaled(pose.point(com)[2], mass);
                    let spin = self.inertia(b, pose.w);
                    due_m = add(self.inertia(b, pose.al), cross(pose.w, spin));
                    sum.size_m += norm(self.inertia(b, pose.al)) + norm(cross(pose.w, spin));
                    sum.size_f += norm(due_f);
                }
            }
            // Of what vanishes by itself the rounding of what it is found from is left.
            const SMALL: f64 = 1e-3;
            let size_f = sum.size_f.max(SMALL * self.floors.0);
            let size_m = sum.size_m.max(SMALL * self.floors.1);
            let (off_f, off_m) = (norm(sub(sum.f, due_f)), norm(sub(sum.m, due_m)));
            ledger.note("balance of forces", off_f, size_f, || format!("{} at t = {}", body.name, self.t()));
            ledger.note("balance of moments", off_m, size_m, || format!("{} at t = {}", body.name, self.t()));
        }
    }

    /// The inertia of a body in ground axes times a vector.
    fn inertia(&self, b: usize, v: V) -> V {
        let Some((_, _, [xx, yy, zz, xy, xz, yz])) = self.m.bodies[b].mass else { return ZERO };
        let own = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        apply(&self.poses[b].r, apply(&own, back(&self.poses[b].r, v)))
    }

    fn energies(&self, ledger: &mut Ledger) {
        let (mut kinetic, mut potential, mut size) = (0.0, 0.0, 0.0);
        for (b, body) in self.m.bodies.iter().enumerate().skip(1) {
            let Some((mass, com, _)) = body.mass else { continue };
            let [place, v, _] = self.poses[b].point(com);
            kinetic += 0.5 * mass * dot(v, v) + 0.5 * dot(self.poses[b].w, self.inertia(b, self.poses[b].w));
            potential -= mass * dot(self.m.gravity, place);
            size += mass * norm(self.m.gravity) * norm(place);
        }
        for load in &self.m.loads {
            let stored = match load {
                Load::Spring { bodies: [a, b], at, stiffness, length, .. } => {
                    let [p, q] = [self.poses[*a].point(at[0])[0], self.poses[*b].point(at[1])[0]];
                    0.5 * stiffness * (norm(sub(q, p)) - length).powi(2)
                }
                Load::JointSpring { joint, c, stiffness, rest, .. } => {
                    0.5 * stiffness * (self.value(*joint, *c) - rest).powi(2)
                }
                _ => 0.0,
            };
            potential += stored;
            size += stored;
        }
        let found = ["kinetic", "potential", "total"].map(|e| self.columns.get(&format!("energy.{e}"))[self.k]);
        // Kinetic energies may be small beside what places far from the origin make of weights.
        let (own, size) = (kinetic + 1e-3 * size, size + kinetic);
        for (found, (due, size)) in
            found.into_iter().zip([(kinetic, own), (potential, size), (kinetic + potential, size)])
        {
            ledger.note("energies", (found - due).abs(), size, || "energy".into());
        }
    }

    /// Joint coordinates and rates as poses and motions give them; angles but for whole turns.
    fn coordinates(&self, ledger: &mut Ledger) {
        for (j, joint) in self.m.joints.iter().enumerate() {
            let at = &self.joints[j];
            let [a, b] = joint.bodies.map(|k| self.poses[k]);
            let d = sub(at.at[1], at.at[0]);
            let w = sub(b.w, a.w);
            let relative = sub(b.velocity_at(at.at[1]), a.velocity_at(at.at[1]));
            let size = 1.0 + norm(a.p) + norm(b.p);
            let speed = norm(b.v) + norm(a.v) + size * (norm(a.w) + norm(b.w)) + 1e-3;
            let mut note = |law: &'static str, off: f64, scale: f64| {
                ledger.note(law, off, scale, || format!("{} ({})", joint.name, joint.kind));
            };
            if joint.kind == "universal" {
                let [p, q] = [0, 1].map(|c| self.value(j, c));
                let drawn = joint.bodies.map(|k| matrix(self.m.bodies[k].e));
                let start = times(&transposed(&drawn[0]), &drawn[1]);
                let turns = [(joint.axis[0], p), (joint.axis[1], q)].map(|(n, angle)| matrix(turn(unit(n), angle)));
                let due = times(&times(&turns[0], &start), &turns[1]);
                let found = times(&transposed(&a.r), &b.r);
                let off = (0..3).map(|k| norm(sub(due[k], found[k]))).fold(0.0, f64::max);
                note("joint coordinates", off, size);
                let due = add(scaled(at.n[0], self.rate(j, 0)), scaled(at.n[1], self.rate(j, 1)));
                note("joint rates", norm(sub(w, due)), speed);
                continue;
            }
            for (c, (name, _)) in coordinates(joint.kind).iter().enumerate() {
                let (q, rate) = (self.value(j, c), self.rate(j, c));
                let (due, motion) = match *name {
                    "angle" => (dot(at.n[0], cross(at.x, at.x2)).atan2(dot(at.x, at.x2)), dot(at.n[0], w)),
                    "x" => (dot(at.x, d), dot(at.x, relative)),
                    "y" => (dot(at.y, d), dot(at.y, relative)),
                    _ => (dot(at.n[0], d), dot(at.n[0], relative)),
                };
                let off = match *name {
                    "angle" => (0.5 * (q - due)).sin().abs() * 2.0,
                    _ => (q - due).abs(),
                };
                note("joint coordinates", off, size);
                note("joint rates", (rate - motion).abs(), speed);
            }
        }
    }

    /// Named points move with their bodies; Euler parameters have unit norm.
    fn points(&self, ledger: &mut Ledger) {
        for (b, body) in self.m.bodies.iter().enumerate().skip(1) {
            let e = self.poses[b].e;
            let off = (e.iter().map(|x| x * x).sum::<f64>() - 1.0).abs();
            ledger.note("Euler parameters", off, 1.0, || body.name.clone());
            for (k, p) in body.points.iter().enumerate() {
                let due = self.poses[b].point(*p);
                for (leaves, due) in [["x", "y", "z"], ["vx", "vy", "vz"], ["ax", "ay", "az"]].iter().zip(due) {
                    let found = leaves.map(|l| self.columns.get(&format!("{}.P{k}.{l}", body.name))[self.k]);
                    let size = 1e-3 + norm(due) + norm(self.poses[b].a) + norm(self.poses[b].v);
                    ledger.note("points", norm(sub(found, due)), size, || format!("{}.P{k}", body.name));
                }
            }
        }
    }
}
