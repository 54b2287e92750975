//! Forces in a mechanism whose motion is known: what joints bear and drivers supply, of one design or of several side by side.
//!
//! What loads, gravity and inertia exert on bodies is gathered along the tree: Φ_vᵀ λ is the power of it for a unit of each velocity, and the factors of the
//! step tell λ. A row exerts −λ times its gradients on its bodies. That is all that joints which are cut bear, and what drivers supply; a joint of the tree
//! bears what is missing in the balance of all that it carries.

#![allow(non_snake_case)] // R_WB: of a body (docs/notation.md).

use super::bearing::{self, Bearers};
use super::loads::{about, add, negated, none, Loading, Loads, Wrench};
use super::multipliers::Solving;
use super::rows::Aim;
use super::step::Stepping;
use super::tree::Body;
use super::Loops;
use crate::drivers::Target;
use crate::loads::Law;
use crate::math::triple::{dot, sum, Triple};
use crate::math::{Number, Vec3};
use crate::model::{Analysis, Model};
use crate::signal::Element;
use crate::solve::forces::Multipliers;
use crate::solve::kept::Numbers;
use crate::solve::load_laws::Live;
use crate::system::{Owner, System, Workspace};

/// Which forces of a mechanism are told, and what they come from.
#[derive(Debug)]
pub(super) struct Forces {
    pub loads: Loads,
    inertia: bool,
    /// Bodies of all joints.
    joints: Vec<[usize; 2]>,
    /// Whose the rows are.
    owners: Vec<Owner>,
    /// The row of each driver.
    drivers: Vec<usize>,
    /// Joint coordinates that bear drivers in their place.
    bearers: Bearers,
    told: Vec<(Borne, Numbers)>,
    planar: bool,
}

/// What forces are told of.
#[derive(Debug, Clone, Copy)]
enum Borne {
    /// What a joint's first body exerts on its second, in ground axes.
    Reaction(usize),
    /// The same in the second body's axes.
    Local(usize),
    /// The size of its force.
    Resultant(usize),
    /// What a driver supplies, and the power.
    Driver(usize),
    Power(usize),
    /// The same of a joint coordinate that bears drivers, by its place among those.
    Bearer(usize),
    BearerPower(usize),
    /// What the ground bears.
    Ground,
}

/// Most numbers that an element has.
const MOST: usize = 6;

impl Forces {
    /// For these elements, each with the numbers of it that are kept and their places; `None` where a force is told otherwise, or is not unique.
    pub fn new(system: &System, ws: &Workspace, asked: Vec<(Element, Numbers)>) -> Option<Forces> {
        let model = system.model;
        let inertia = match model.study.analysis {
            Analysis::InverseDynamics => true,
            Analysis::Statics => false,
            _ => return None,
        };
        let plain = model.drivers.iter().all(|d| !matches!(d.target, Target::Orientation { .. }));
        if model.gravity.is_none() || !plain || model.rubs() || model.joints.iter().any(|j| j.is_compliant()) {
            return None;
        }
        let owners: Vec<Owner> = (0..system.constraints.len()).map(|i| system.constraints.owner(i)).collect();
        let bearers = Bearers::new(model, &owners)?;
        let idle = |body: usize| ws.idle().iter().any(|spin| spin.body == body);
        let (mut told, mut borne) = (Vec::with_capacity(asked.len()), false);
        for (element, kept) in asked {
            borne |= matches!(element, Element::Reaction(_) | Element::LocalReaction(_) | Element::Resultant(_));
            let what = match element {
                Element::Reaction(k) => Borne::Reaction(k),
                Element::LocalReaction(k) if !idle(model.joints[k].bodies[1]) => Borne::Local(k),
                Element::Resultant(k) if model.joints[k].bears() => Borne::Resultant(k),
                Element::Driver(k) => Borne::Driver(k),
                Element::Power(k) => Borne::Power(k),
                Element::Borne(j, c) => Borne::Bearer(bearers.place(j, c)?),
                Element::BornePower(j, c) => Borne::BearerPower(bearers.place(j, c)?),
                Element::Ground => Borne::Ground,
                _ => return None,
            };
            told.push((what, kept));
        }
        let row = |driver: usize| {
            let mut own = (0..owners.len()).filter(|i| matches!(owners[*i], Owner::Driver(k) if k == driver));
            own.next().filter(|_| own.next().is_none())
        };
        let drivers: Vec<usize> = (0..model.drivers.len()).map(row).collect::<Option<_>>()?;
        // Where rows repeat each other there are many sets of reactions; what drivers supply is one all the same, unless they take part.
        let mut multipliers = Multipliers::default();
        multipliers.solve(ws, &vec![0.0; system.formulation.nv()]);
        let open = |row: &usize| multipliers.generic[*row].abs() > UNIQUE;
        if ws.elimination.is_none()
            || multipliers.generic.iter().any(|x| *x != 0.0)
                && (borne || !bearers.is_empty() || drivers.iter().any(open))
        {
            return None;
        }
        let coordinates: Vec<(usize, usize)> =
            system.constraints.named_coordinates().iter().map(|c| (c.0, c.1)).collect();
        let loads = Loads::new(model, &coordinates)?;
        // How a body stands about the line that it may spin about is left to the way to its first position.
        let touches = |joint: usize| model.joints[joint].bodies.into_iter().any(idle);
        if loads.joints(&coordinates).any(touches) {
            return None;
        }
        let joints = model.joints.iter().map(|joint| joint.bodies).collect();
        Some(Forces { loads, inertia, joints, owners, drivers, bearers, told, planar: model.space.is_planar() })
    }

    /// Adds a design's numbers; `None` where its loads are of another kind.
    pub fn number(&self, model: &Model, list: &mut Vec<f64>) -> Option<()> {
        model.joints.iter().for_each(|joint| list.extend(joint.frames[1].origin.to_array()));
        list.extend(model.study.moment_point.to_array());
        self.loads.number(model, list)?;
        self.bearers.number(model, list)
    }
}

/// A null vector's part in a row, of order one elsewhere, that counts as none.
const UNIQUE: f64 = 1e-9;

/// Whether forces on a body do not depend on how it stands about the line along `u` that it may spin about: its mass is as round as the line says, and
/// loads act on points of the line or in ground axes.
pub(super) fn is_round(model: &Model, body: usize, u: Vec3, size: f64) -> bool {
    /// Distances in sizes and parts of an inertia that count as none.
    const OFF: f64 = 1e-9;
    let ends = model.joints.iter().flat_map(|j| [0, 1].map(|side| (j.bodies[side], j.frames[side].origin)));
    let Some((_, on)) = ends.into_iter().find(|(of, _)| *of == body) else { return false };
    let on_line = |p: Vec3| (p - on).cross(u).norm() <= OFF * size;
    let round = model.bodies[body].mass.as_ref().is_none_or(|mass| {
        let inertia = &mass.inertia;
        let trace = inertia.xx + inertia.yy + inertia.zz;
        let along = inertia.about(u);
        let across = 0.5 * (trace - along);
        // I = along u uᵀ + across (1 − u uᵀ).
        let due = |v: Vec3| v * across + u * ((along - across) * u.dot(v));
        let same = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().all(|v| (inertia.apply(v) - due(v)).norm() <= OFF * trace);
        same && (mass.mass == 0.0 || on_line(mass.com))
    });
    round
        && model.loads.iter().all(|load| match &load.law {
            Law::Force { body: of, p_B, in_body, .. } => *of != body || (!in_body && on_line(*p_B)),
            Law::Torque { body: of, .. } => *of != body,
            Law::Between { ends, .. } => ends.iter().all(|(of, p)| *of != body || on_line(*p)),
            Law::Coordinate { .. } | Law::Rotor { .. } => true,
            Law::Contact(_) => false,
        })
}

/// Forces of designs side by side, at one time.
#[derive(Debug)]
pub(super) struct Balance<N> {
    /// What acts on each body from outside, and with what rows exert.
    external: Vec<Wrench<N>>,
    on: Vec<Wrench<N>>,
    /// What each joint's first body exerts on its second.
    joints: Vec<Wrench<N>>,
    /// Their points on the second bodies.
    points: Vec<Triple<N>>,
    efforts: Vec<N>,
    powers: Vec<N>,
    ground: Wrench<N>,
    borne: bearing::Borne<N>,
    side: Vec<N>,
    lambda: Vec<N>,
    work: Vec<N>,
    /// Joint coordinates that loads read, with their rates.
    pub coordinates: Vec<[N; 2]>,
    /// Lane by lane, laws of loads that are a design's own.
    pub own: Vec<Vec<Option<Law>>>,
    env: Vec<f64>,
}

impl<N: Number> Balance<N> {
    pub fn new(plan: &Loops, forces: &Forces) -> Balance<N> {
        let zeros = |n: usize| vec![N::splat(0.0); n];
        let (bodies, joints) = (plan.tree.bodies, forces.joints.len());
        Balance {
            external: vec![none(); bodies],
            on: vec![none(); bodies],
            joints: vec![none(); joints],
            points: vec![[N::splat(0.0); 3]; joints],
            efforts: zeros(forces.drivers.len()),
            powers: zeros(forces.drivers.len()),
            ground: none(),
            borne: bearing::Borne::new(&forces.bearers, bodies, plan.pattern.rows()),
            side: zeros(plan.tree.nv),
            lambda: zeros(plan.pattern.rows()),
            work: zeros(plan.tree.nv),
            coordinates: vec![[N::splat(0.0); 2]; forces.loads.laws.read.len()],
            own: vec![Vec::new(); N::LANES],
            env: vec![0.0; forces.loads.laws.slots()],
        }
    }

    /// All forces of bodies that move; one in each lane where they are finite.
    #[inline(always)]
    pub fn find(
        &mut self,
        (plan, forces): (&Loops, &Forces),
        stepping: &Stepping<N>,
        numbers: &[N],
        aims: &[Aim<N>],
        t: f64,
    ) -> N {
        let Balance {
            external,
            on,
            joints,
            points,
            efforts,
            powers,
            ground,
            borne,
            side,
            lambda,
            work,
            coordinates,
            own,
            env,
        } = self;
        let (bodies, rows) = (&stepping.bodies[..], &plan.rows);
        let (of_joints, rest) = plan.force_numbers(numbers).split_at(3 * joints.len());
        for ((point, ends), n) in points.iter_mut().zip(&forces.joints).zip(of_joints.chunks_exact(3)) {
            *point = bodies[ends[1]].point([n[0], n[1], n[2]]);
        }
        let live = Live { laws: &forces.loads.laws, coordinates, t, own, env };
        let used = Loading { bodies, numbers: &rest[3..], live }.all(&forces.loads, forces.inertia, external);
        let mut solving = Solving { plan, stepping, on, side, work };
        solving.multipliers(external, lambda);
        let mut good = N::splat(1.0);
        if !forces.bearers.is_empty() {
            good = borne.find(&forces.bearers, &mut solving, &rest[3 + used..], lambda, external);
            solving.multipliers(external, lambda);
            borne.relieve(&forces.bearers, lambda);
        }
        let all = external.iter().fold(none(), |mut all, wrench| {
            add(&mut all, *wrench);
            all
        });
        *ground = [all[0], about(all, sum(bodies[0].p, [rest[0], rest[1], rest[2]]))];
        joints.fill(none());
        powers.fill(N::splat(0.0));
        on.copy_from_slice(external);
        let n = plan.parts(numbers).1;
        rows.exert((n, aims), bodies, stepping.values(), lambda, |row, body, wrench| {
            add(&mut on[body], wrench);
            match forces.owners.get(row) {
                Some(Owner::Joint(k)) if forces.joints[*k][1] == body => add(&mut joints[*k], wrench),
                Some(Owner::Driver(k)) => {
                    let [w, v] = bodies[body].motion;
                    powers[*k] = powers[*k] + (dot(wrench[0], v) + dot(wrench[1], w));
                }
                _ => {}
            }
        });
        for (effort, row) in efforts.iter_mut().zip(&forces.drivers) {
            let [value, scale] = rows.side(*row, n, aims);
            // A row of squares: an effort is what works on the value.
            let slope = if rows.is_squared(*row) { N::splat(2.0) * value.sqrt() } else { N::splat(1.0) };
            *effort = -(lambda[*row] * scale) * slope;
        }
        plan.tree.balance(on, |joint, wrench, reversed| {
            joints[joint] = if reversed { wrench } else { negated(wrench) };
        });
        let finite = |x: N| x.map(|x| if x.is_finite() { 1.0 } else { 0.0 });
        let well = |good: N, x: &N| good * finite(*x);
        good = lambda.iter().fold(good, well);
        side.iter().fold(good, well)
    }

    /// Hands all numbers of a lane that are kept to `keep`, each with its place.
    pub fn tell(&self, forces: &Forces, bodies: &[Body<N>], lane: usize, keep: &mut dyn FnMut(usize, f64)) {
        let of = |t: Triple<N>| t.map(|x| x.lane(lane));
        let put = |told: &mut [f64; MOST], f: Triple<f64>, m: Triple<f64>| match forces.planar {
            true => told[..3].copy_from_slice(&[f[0], f[1], m[2]]),
            false => told.copy_from_slice([f, m].as_flattened()),
        };
        let reaction = |k: usize| (of(self.joints[k][0]), of(about(self.joints[k], self.points[k])));
        for (what, kept) in &forces.told {
            let mut told = [0.0; MOST];
            match *what {
                Borne::Reaction(k) => {
                    let (f, m) = reaction(k);
                    put(&mut told, f, m);
                }
                Borne::Local(k) => {
                    let (f, m) = reaction(k);
                    let R = bodies[forces.joints[k][1]].lane(lane).R;
                    put(&mut told, R.map(|axis| dot(axis, f)), R.map(|axis| dot(axis, m)));
                }
                Borne::Resultant(k) => {
                    let (f, _) = reaction(k);
                    told[0] = dot(f, f).sqrt();
                }
                Borne::Driver(k) => told[0] = self.efforts[k].lane(lane),
                Borne::Power(k) => told[0] = self.powers[k].lane(lane),
                Borne::Bearer(k) => told[0] = self.borne.efforts[k].lane(lane),
                Borne::BearerPower(k) => told[0] = self.borne.powers[k].lane(lane),
                Borne::Ground => put(&mut told, of(self.ground[0]), of(self.ground[1])),
            }
            // A zero has one sign.
            kept.iter().for_each(|(leaf, place)| keep(*place, told[*leaf] + 0.0));
        }
    }
}
