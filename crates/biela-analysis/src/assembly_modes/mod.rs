//! Assembly modes: the configurations that close a mechanism's loops for given driver values.
//!
//! Where the mechanism falls into parts that are closed one after the other in closed form ([`dyads`]), or is a serial arm
//! of the sort that [`serial`](crate::ik::serial) solves, the list is complete and says so. Where its equations are polynomials of few enough
//! roots, all of these are found and certified (`polynomial`), and the list is complete where every path is accounted for. Elsewhere many starts
//! are tried, the same ones in every run, and the list is "not proven complete".
//!
//! A mode is known by the signs of orientation invariants: for each dyad the sense in which it is closed, which can change
//! only where the dyad is stretched or folded; elsewhere the sign of det Φ_v on rows chosen in the drawn configuration.

mod arms;
pub mod branches;
mod polynomial;

use crate::display_units::DisplayUnits;
use crate::drivers::Target;
use crate::error::{some_of, Error, Result};
use crate::math::{Pose, Vec3};
use crate::model::{Model, Study};
use crate::signal::Signal;
use crate::solve::assemble::{assemble, close_from};
use crate::solve::branch::{dyads, ChosenRows};
use crate::solve::mobility;
use crate::system::{Owner, System, Workspace};
pub use arms::postures;
pub use polynomial::Counted;
use serde_json::{json, Value};
use std::collections::HashSet;

/// One configuration.
#[derive(Debug, Clone)]
pub struct Mode {
    /// Joint coordinates, in the order of [`Modes::names`].
    pub coordinates: Vec<f64>,
    /// Poses of all bodies, ground first.
    pub poses: Vec<Pose>,
    /// The identity as the number that results carry.
    pub number: f64,
    /// What it is known by: invariants with their signs, such as `P1-P2-B +`.
    pub identity: String,
}

impl Mode {
    /// What is said first of a posture beyond joint limits.
    const OUTSIDE: &'static str = "outside limits: ";

    /// Whether it is a posture of an arm that oversteps joint limits.
    pub fn is_outside(&self) -> bool {
        self.identity.starts_with(Mode::OUTSIDE)
    }
}

/// The configurations found.
#[derive(Debug, Clone)]
pub struct Modes {
    /// Names and units of the joint coordinates.
    pub names: Vec<(String, &'static str)>,
    /// The configurations. Where all were looked for they are in a fixed order, of their joint coordinates one after the other, which
    /// depends neither on the drawing nor on where a search began: their places, counted from 1, are the numbers by which one is chosen.
    pub modes: Vec<Mode>,
    /// Whether the list is proven to be complete.
    pub complete: bool,
    /// Why it is complete, or that it is not proven to be.
    pub proof: String,
    /// How many isolated solutions there are, complex ones among them, where that is known.
    pub complex: Option<usize>,
    /// The figures of the certificate, where roots of polynomials were looked for.
    pub counted: Option<Counted>,
    /// Whether places in the list are the numbers by which a configuration is chosen.
    pub numbered: bool,
}

/// Said of a list without proof.
pub const NOT_PROVEN: &str = "not proven complete";
/// Starts where nothing is proven, for small systems and for large ones …
const STARTS: [usize; 2] = [300, 40];
/// … and for small ones this many times those up to the last that found something new …
const PATIENCE: usize = 4;
/// … but no more than this.
const MOST_STARTS: usize = 2000;
/// Velocities up to which a system is small.
const SMALL_SYSTEM: usize = 100;
/// Difference of joint points (in sizes) and of axes by which configurations are told apart.
const APART: f64 = 1e-5;

/// The model as it starts from the configuration whose number it asks for; `None` where it asks for none.
///
/// # Errors
/// Where there is none of that number.
pub fn chosen(model: &Model) -> Result<Option<Model>> {
    let Some(number) = model.study.mode else { return Ok(None) };
    let plain = model.with_study(Study { mode: None, ..model.study.clone() });
    let found = all(&plain, model.study.start)?;
    match number.checked_sub(1).and_then(|k| found.modes.get(k)) {
        Some(mode) => Ok(Some(plain.with_guess(&mode.poses))),
        None => {
            let there = match found.modes.len() {
                1 => "is no more than 1 configuration".to_string(),
                n => format!("are no more than {n} configurations"),
            };
            Err(Error::new(format!("mode {number} is asked for; at t = {} s there {there}", model.study.start))
                .of(format!("mechanism '{}'", model.name))
                .at_opt(model.study.mode_span.as_ref())
                .note(format!("the list is {}", found.proof))
                .note("biela assemble FILE --all shows them with their numbers"))
        }
    }
}

/// The configuration that the model starts from: that nearest to the drawing, or the one whose number it asks for.
pub fn drawn(model: &Model, t: f64) -> Result<Modes> {
    let chosen = chosen(model)?;
    let model = chosen.as_ref().unwrap_or(model);
    let system = System::new(model, "absolute")?;
    let mut ws = Workspace::new(&system);
    let q = assemble(&system, &mut ws, t)?;
    ws.realize_position(&system, t, &q);
    let mut found = Search::new(&system, &mut ws, t);
    found.add(&system, &ws);
    let assembled: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
    found.invariants = dyads::Plan::new(model, &assembled, ws.size);
    Ok(found.finish(false, "the one nearest to the drawing; --all finds the others".into()))
}

/// Every configuration at time `t`.
pub fn all(model: &Model, t: f64) -> Result<Modes> {
    let mut found = all_from(model, t, None)?;
    found.put_in_order();
    Ok(found)
}

/// The same, where the poses of one configuration may be known beforehand.
fn all_from(model: &Model, t: f64, first: Option<&[Pose]>) -> Result<Modes> {
    let system = System::new(model, "absolute")?;
    let mut ws = Workspace::new(&system);
    let q = match first {
        Some(poses) => match close_from(&system, &mut ws, t, poses) {
            Some(q) => q,
            None => assemble(&system, &mut ws, t)?,
        },
        None => assemble(&system, &mut ws, t)?,
    };
    ws.realize_position(&system, t, &q);
    let counted = mobility::count(&system, &mut ws, t);
    if counted.undriven > 0 {
        let loose = mobility::loose_joints(&system, &mut ws, t);
        return Err(Error::new(format!(
            "configurations cannot be counted: {} freedom(s) have no driver at t = {t} s",
            counted.undriven
        ))
        .note(format!("still free to move: {}", some_of(&loose)))
        .note("give a value to each, such as --drive JOINT=EXPRESSION"));
    }
    ws.realize_position(&system, t, &q);
    let assembled: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
    let mut search = Search::new(&system, &mut ws, t);
    search.add(&system, &ws);
    let plan = dyads::Plan::new(model, &assembled, ws.size);
    if let Some(plan) = &plan {
        let closed = plan.closed(&assembled).filter(|candidates| {
            // A candidate that the whole mechanism does not accept (a redundant loop that does not close) is no mode.
            for poses in candidates {
                search.try_from(&system, &mut ws, poses, NEAR);
            }
            true
        });
        search.invariants = Some(plan.clone());
        if closed.is_some() {
            let parts = plan.words();
            if plan.most_ways() != Some(search.modes.len()) {
                search.count_complex(model, &assembled, ws.size);
            }
            return Ok(search.finish(true, format!("complete ({parts}, each closed in closed form)")));
        }
    }
    let why = match search.by_roots(&system, &mut ws, &assembled) {
        Ok(words) => return Ok(search.finish(true, format!("complete ({words})"))),
        Err(why) => why,
    };
    let small = system.formulation.nv() <= SMALL_SYSTEM;
    let relative = System::new(model, "relative")?;
    let mut start = Workspace::new(&relative);
    let mut q = vec![0.0; relative.formulation.nq()];
    relative.formulation.coordinates(&assembled, &mut q);
    let mut random = crate::math::random::Random(1);
    let (mut starts, mut last) = (0, 0);
    while starts < if small { STARTS[0].max((PATIENCE * last).min(MOST_STARTS)) } else { STARTS[1] } {
        starts += 1;
        let mut there = q.clone();
        let dv: Vec<f64> = (0..relative.formulation.nv())
            .map(|k| random.signed() * if relative.formulation.length_column(k) { ws.size } else { 3.2 })
            .collect();
        relative.formulation.step(&mut there, &dv);
        relative.formulation.positions(&there, &mut start.cache);
        let poses: Vec<Pose> = start.cache.bodies.iter().map(|b| b.pose).collect();
        let before = search.modes.len();
        search.try_from(&system, &mut ws, &poses, f64::INFINITY);
        if search.modes.len() > before {
            last = starts;
        }
    }
    Ok(search.finish(false, format!("{NOT_PROVEN} (from {starts} starts; {why})")))
}

/// Largest displacement, in sizes, by which a closed form may be corrected: far above its roundings.
const NEAR: f64 = 1e-3;

/// Configurations as they are found.
struct Search {
    t: f64,
    names: Vec<(String, &'static str)>,
    modes: Vec<(Vec<Vec3>, Mode)>,
    invariants: Option<dyads::Plan>,
    /// Rows of the drawn configuration whose determinant tells modes apart.
    rows: ChosenRows,
    signs: Vec<i8>,
    /// Whether configurations were left out that differ by legs turned over alone, and how many.
    turned_over: bool,
    left_out: usize,
    counted: Option<Counted>,
    /// Isolated solutions, where roots of polynomials told them.
    complex: Option<usize>,
}

impl Search {
    fn new(system: &System, ws: &mut Workspace, t: f64) -> Search {
        let names = system.constraints.named_coordinates().iter().map(|(j, c, _)| {
            let signal = Signal::of_coordinate(system.model, *j, *c);
            (signal.name(system.model), signal.unit())
        });
        let names = names.collect();
        let rows = ChosenRows::new(system, ws, t);
        let (modes, signs) = (Vec::new(), Vec::new());
        Search {
            t,
            names,
            modes,
            invariants: None,
            rows,
            signs,
            turned_over: false,
            left_out: 0,
            counted: None,
            complex: None,
        }
    }

    /// Closes the loops from given poses; a new configuration within `near` of them is kept.
    fn try_from(&mut self, system: &System, ws: &mut Workspace, poses: &[Pose], near: f64) {
        let Some(_) = close_from(system, ws, self.t, poses) else { return };
        let moved =
            ws.cache.bodies.iter().zip(poses).fold(0.0f64, |m, (b, p)| m.max((b.pose.origin - p.origin).norm()));
        if moved <= near * ws.size {
            self.add(system, ws);
        }
    }

    /// All configurations as certified roots: how many there are, in words, or why they are not known to be all.
    fn by_roots(&mut self, system: &System, ws: &mut Workspace, known: &[Pose]) -> std::result::Result<String, String> {
        let closure = polynomial::all(system.model, known, ws.size)?;
        self.left_out = 0;
        let all = closure.poses.iter().filter(|poses| self.close_at(system, ws, poses, &closure.sure)).count();
        self.turned_over |= closure.turned_over;
        let complete = closure.complete && all == closure.poses.len() && self.modes.len() + self.left_out == all;
        self.counted = Some(closure.counted);
        self.complex = Some(closure.complex).filter(|_| complete);
        if complete {
            Ok(closure.words)
        } else {
            Err(closure.words)
        }
    }

    /// Where some of the configurations of parts closed in closed form are complex, polynomials tell how many.
    fn count_complex(&mut self, model: &Model, known: &[Pose], size: f64) {
        let told = polynomial::all(model, known, size).ok();
        if let Some(told) = told.filter(|told| told.complete && told.poses.len() == self.modes.len()) {
            (self.complex, self.counted) = (Some(told.complex), Some(told.counted));
        }
    }

    /// Closes the loops from poses that a root gives, `sure` ones and near ones: true where they close there.
    fn close_at(&mut self, system: &System, ws: &mut Workspace, poses: &[Pose], sure: &[bool]) -> bool {
        let Some(_) = close_from(system, ws, self.t, poses) else { return false };
        let near = |p: &Pose, q: &Pose| {
            let turned = p.rotation.axes.iter().zip(&q.rotation.axes).all(|(a, b)| (*a - *b).norm() < NEAR);
            turned && (p.origin - q.origin).norm() < NEAR * ws.size
        };
        let stays = ws.cache.bodies.iter().zip(poses).zip(sure).all(|((b, p), sure)| !sure || near(&b.pose, p));
        if stays {
            self.add(system, ws);
        }
        stays
    }

    /// Keeps the configuration realised, if it is new.
    fn add(&mut self, system: &System, ws: &Workspace) {
        let mut marks = Vec::new();
        for joint in &system.model.joints {
            let place = |side: usize| ws.cache.bodies[joint.bodies[side]].pose * joint.frames[side];
            marks.extend([place(0).origin * (1.0 / ws.size), place(1).origin * (1.0 / ws.size)]);
            // A rod between two balls may spin: no direction of it tells configurations apart.
            let spins = joint.freedoms().is_some_and(|list| list.iter().any(|f| f.is_attitude()));
            if !spins && joint.rod().is_none() && !joint.kind.is_axial() {
                for side in [0, 1] {
                    marks.extend(place(side).rotation.axes);
                }
            }
        }
        let same = |other: &Vec<Vec3>| other.iter().zip(&marks).all(|(a, b)| (*a - *b).norm() < APART);
        if self.modes.iter().any(|(other, _)| same(other)) {
            return;
        }
        let here: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
        if self.modes.iter().any(|(_, mode)| turned_over(system.model, &mode.poses, &here, ws.size)) {
            self.turned_over = true;
            self.left_out += 1;
            return;
        }
        let target = |i: usize| match system.constraints.owner(i) {
            Owner::Driver(d) => match &system.model.drivers[d].target {
                Target::Coordinate { of, .. } => Some((of.joint, of.coordinate)),
                _ => None,
            },
            _ => None,
        };
        let driven: HashSet<(usize, usize)> = (0..system.constraints.len()).filter_map(target).collect();
        let coordinates: Vec<f64> = (system.constraints.named_coordinates().iter())
            .map(|(j, c, measure)| {
                let value = system.constraints.value(*measure, &ws.evaluation);
                let angle = system.model.joints[*j].kind.coordinates()[*c].angle;
                if angle && !driven.contains(&(*j, *c)) {
                    crate::joints::hinge::nearest_turn(value, 0.0)
                } else {
                    value
                }
            })
            .collect();
        self.signs.push(self.rows.sign(system, ws));
        let poses = ws.cache.bodies.iter().map(|b| b.pose).collect();
        self.modes.push((marks, Mode { coordinates, poses, number: 0.0, identity: String::new() }));
    }

    fn finish(self, complete: bool, mut proof: String) -> Modes {
        let plan = &self.invariants;
        // Where as many are real as there can be, there are no others.
        let most = plan.as_ref().filter(|_| complete).and_then(dyads::Plan::most_ways);
        let complex = self.complex.or(most.filter(|most| *most == self.modes.len()));
        if self.turned_over {
            proof += "; legs turned over about their own lines are not counted";
        }
        let identity = |mode: &Mode, sign: i8| match plan {
            Some(plan) => plan.identity(&|body| mode.poses[body]),
            None => format!("det {}", ["-", "0", "+"][(sign + 1) as usize]),
        };
        let modes = self.modes.into_iter().zip(self.signs).map(|((_, mode), sign)| {
            let identity = identity(&mode, sign);
            let number = match plan {
                Some(plan) => plan.number(&|body| mode.poses[body]) as f64,
                None => f64::from(u8::from(sign > 0)),
            };
            Mode { identity, number, ..mode }
        });
        let counted = self.counted;
        Modes { names: self.names, modes: modes.collect(), complete, proof, complex, counted, numbered: false }
    }
}

/// True where two configurations differ only by legs turned about their own lines: bodies that move as one about a line
/// which holds every point by which they hang on the rest, in balls and universal joints.
fn turned_over(model: &Model, a: &[Pose], b: &[Pose], size: f64) -> bool {
    let moved: Vec<Pose> = a.iter().zip(b).map(|(a, b)| *b * a.inverse()).collect();
    let near = |p: &Pose, q: &Pose| {
        let turned = p.rotation.axes.iter().zip(&q.rotation.axes).all(|(x, y)| (*x - *y).norm() < APART);
        turned && (p.origin - q.origin).norm() < APART * size
    };
    let rests: Vec<bool> = moved.iter().map(|x| near(x, &Pose::IDENTITY)).collect();
    model.joints.iter().all(|joint| {
        let [i, j] = joint.bodies;
        match (rests[i], rests[j]) {
            (true, true) => true,
            (false, false) => near(&moved[i], &moved[j]),
            _ => {
                // The point stays where it is, and the leg turns about a line through it.
                let (leg, side) = if rests[i] { (j, 1) } else { (i, 0) };
                let point = (a[joint.bodies[side]] * joint.frames[side]).origin;
                let still = (moved[leg].apply(point) - point).norm() < APART * size;
                still && joint.is_ball_or_cross()
            }
        }
    })
}

impl Modes {
    /// Puts the configurations in their fixed order. Coordinates are the same for whoever finds them but for rounding, which must not
    /// decide; an angle of minus half a turn is one of half a turn.
    fn put_in_order(&mut self) {
        /// Coordinates that differ by less are the same.
        const SAME: f64 = 1e-6;
        let angle: Vec<bool> = self.names.iter().map(|name| name.1 == "rad").collect();
        let value = |mode: &Mode, k: usize| match mode.coordinates[k] {
            x if angle[k] && (x + std::f64::consts::PI).abs() < SAME => x + std::f64::consts::TAU,
            x => x,
        };
        let before = |a: &Mode, b: &Mode| {
            let differs = (0..angle.len()).find(|k| (value(a, *k) - value(b, *k)).abs() > SAME);
            differs.is_some_and(|k| value(a, k) < value(b, k))
        };
        // One after the other into its place: differences that do not count make no order by which a library could sort.
        for k in 1..self.modes.len() {
            let mut at = k;
            while at > 0 && before(&self.modes[at], &self.modes[at - 1]) {
                self.modes.swap(at, at - 1);
                at -= 1;
            }
        }
        self.numbered = true;
    }

    /// A table for people, in their units: one column for each configuration.
    pub fn text(&self, units: &DisplayUnits) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        let width = self.names.iter().map(|n| n.0.chars().count()).max().unwrap_or(0).max(8);
        // Wide lists are shown eight configurations at a time.
        for (block, modes) in self.modes.chunks(8).enumerate() {
            let _ = write!(out, "  {:<width$}  {:>5}", "mode", "");
            for k in 0..modes.len() {
                // The one that is drawn is shown without its number, which only the whole list tells.
                let _ = match self.numbered || self.modes.len() > 1 {
                    true => write!(out, " {:>12}", 8 * block + k + 1),
                    false => write!(out, " {:>12}", "drawn"),
                };
            }
            let _ = writeln!(out);
            for (k, (name, unit)) in self.names.iter().enumerate() {
                let scale = units.scale(unit);
                let _ = write!(out, "  {name:<width$}  {:>5}", format!("[{}]", scale.unit));
                for mode in modes {
                    let value = mode.coordinates.get(k).copied().unwrap_or(f64::NAN);
                    let _ = write!(out, " {:>12.6}", scale.shown(value));
                }
                let _ = writeln!(out);
            }
        }
        for (k, mode) in self.modes.iter().enumerate().filter(|(_, m)| !m.identity.is_empty()) {
            let _ = match self.numbered || self.modes.len() > 1 {
                true => writeln!(out, "  mode {}: {}", k + 1, mode.identity),
                false => writeln!(out, "  mode drawn: {}", mode.identity),
            };
        }
        out
    }

    /// The same for programs: `complete`, `proof`, `real` (how many), `complex` (of all isolated solutions, null where that is not known),
    /// `certificate` (paths and the bound that they reach, null where no polynomials were solved) and `modes`, a list of `number`, `coordinates` (by name), `identity` and `mode`.
    pub fn json(&self) -> Value {
        let modes: Vec<Value> = (self.modes.iter().enumerate())
            .map(|(k, mode)| {
                let coordinates: serde_json::Map<String, Value> =
                    self.names.iter().zip(&mode.coordinates).map(|(n, x)| (n.0.clone(), json!(x))).collect();
                let number = self.numbered.then_some(k + 1);
                json!({ "number": number, "coordinates": coordinates, "identity": mode.identity, "mode": mode.number })
            })
            .collect();
        json!({
            "complete": self.complete,
            "proof": self.proof,
            "real": modes.len(),
            "complex": self.complex,
            "certificate": self.counted.as_ref().map(|c| json!({
                "bound": c.bound,
                "source": c.source,
                "paths": c.account.paths,
                "roots": c.account.regular,
                "infinite": c.account.infinite,
                "singular": c.account.singular,
                "lost": c.account.lost,
                "on_sets": c.on_sets.0,
                "dimension": c.on_sets.1,
                "largest_radius": c.radius,
            })),
            "modes": modes,
        })
    }
}
