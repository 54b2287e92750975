//! Linearisation about an equilibrium: state-space matrix, natural modes, frequencies and damping.
//!
//! The equilibrium is the one that was drawn, stable or not, or the stable one that loads lead down to from the drawing; it is
//! searched for in absolute coordinates, so that it is the same in every formulation ([`Equilibrium::drawn_or_below`]). Idle spins are held.
//!
//! Near an equilibrium the freedoms z (independent velocities, integrated) obey z̈ = K z + D ż. K comes from central differences of
//! the accelerations at displaced positions that hold the constraints, D from those at small velocities. The state-space matrix
//! is A = [0 1; K D]; its eigenvalues s = −ζω ± iω√(1 − ζ²) are the modes.

use crate::error::{Error, ErrorKind, Reason, Result};
use crate::manual_pose::shown;
use crate::math::dense::{Lu, Matrix};
use crate::math::eigen::eigenvalues;
use crate::math::Elementary;
use crate::model::Model;
use crate::results::{significant, Column, Results};
use crate::signal::{Element, Signals};
use crate::signal_name;
use crate::solve::forward::{start, Dynamics, Point, Start};
use crate::solve::mobility;
use crate::solve::statics::equilibrium::{Equilibrium, Rest, Stand};
use crate::solve::statics::refuse_beyond;
use crate::solve::vectors::max_abs;
use crate::system::{resolve, System};
use biela_base::sorting::sort_by;

/// A linearised mechanism.
#[derive(Debug, Clone)]
pub struct Linear {
    /// Number of freedoms.
    pub freedoms: usize,
    /// State-space matrix of the freedoms and their rates.
    pub a: Matrix,
    /// Names of these states.
    pub states: Vec<String>,
    /// Joint coordinates, by name, and their change for each freedom.
    pub coordinates: Vec<(String, Vec<f64>)>,
    /// Modes: those that grow without vibration first, then by frequency.
    pub modes: Vec<Mode>,
    /// Largest acceleration left at the equilibrium found.
    pub imbalance: f64,
    /// How it rests there.
    pub rest: Rest,
}

impl Linear {
    /// Independent ways in which it can fall.
    pub fn unstable_freedoms(&self) -> usize {
        match self.rest {
            Rest::Unstable(ways) => ways,
            _ => 0,
        }
    }
}

/// One mode.
#[derive(Debug, Clone)]
pub struct Mode {
    /// Eigenvalue: real and imaginary part, the latter not negative.
    pub s: (f64, f64),
    /// Shape in the freedoms: real and imaginary parts.
    pub shape: Vec<(f64, f64)>,
}

impl Mode {
    /// Undamped frequency |s| / 2π.
    pub fn frequency(&self) -> f64 {
        self.s.0.hypotenuse(self.s.1) / std::f64::consts::TAU
    }

    /// Damping ratio −Re s / |s|; negative where the equilibrium is unstable.
    pub fn damping(&self) -> f64 {
        let size = self.s.0.hypotenuse(self.s.1);
        if size == 0.0 {
            0.0
        } else {
            -self.s.0 / size
        }
    }
}

/// The modes of a model as a table: one line for each mode.
pub fn run(model: &Model, formulation: &str) -> Result<Results> {
    let linear = linearise(model, formulation)?;
    let of = |f: fn(&Mode) -> f64| linear.modes.iter().map(f).collect::<Vec<f64>>();
    let mut data = vec![
        (1..=linear.modes.len()).map(|k| k as f64).collect(),
        of(Mode::frequency),
        of(Mode::damping),
        of(|m| m.s.0),
        of(|m| m.s.1),
    ];
    let shapes: Vec<Vec<(f64, f64)>> = linear.modes.iter().map(|m| shape_of(m, &linear)).collect();
    for k in 0..linear.coordinates.len() {
        data.push(shapes.iter().map(|s| s[k].0).collect());
        data.push(shapes.iter().map(|s| s[k].1).collect());
    }
    let signals = Signals::of_modes(model);
    let columns = signals.iter().zip(data).map(|(s, data)| Column::new(s.name(model), s.unit(), data)).collect();
    let notes = vec![
        ("model".into(), model.name.clone()),
        ("formulation".into(), resolve(model, formulation).to_string()),
        ("freedoms".into(), linear.freedoms.to_string()),
        ("equilibrium".into(), linear.rest.word().into()),
        ("unstable freedoms".into(), linear.unstable_freedoms().to_string()),
        ("imbalance".into(), significant(linear.imbalance, 3)),
        ("states".into(), linear.states.join(", ")),
        ("state space".into(), in_brackets(&linear.a)),
    ];
    Ok(Results { columns, notes, ended: None })
}

/// A mode's shape in the joint coordinates, the largest of them 1.
fn shape_of(mode: &Mode, linear: &Linear) -> Vec<(f64, f64)> {
    let part =
        |row: &[f64]| row.iter().zip(&mode.shape).fold((0.0, 0.0), |(re, im), (r, s)| (re + r * s.0, im + r * s.1));
    let mut shape: Vec<(f64, f64)> = linear.coordinates.iter().map(|(_, row)| part(row)).collect();
    let size = |s: &(f64, f64)| s.0.hypotenuse(s.1);
    if let Some(big) = shape.iter().copied().max_by(|a, b| size(a).total_cmp(&size(b))).filter(|b| size(b) > 0.0) {
        let square = big.0 * big.0 + big.1 * big.1;
        for s in &mut shape {
            *s = ((s.0 * big.0 + s.1 * big.1) / square, (s.1 * big.0 - s.0 * big.1) / square);
        }
    }
    shape
}

/// A mode that swings, large enough to be seen: positions over one period, every one of them closed, as a run for pictures. `mode` counts
/// from 0. What is damped is shown as if it were not; what does not vibrate goes its way and back within a second.
pub fn swing(model: &Model, formulation: &str, mode: usize) -> Result<Results> {
    linearised(model, formulation, |near, modes| {
        let count = modes.len();
        let found = modes.get(mode).ok_or_else(|| {
            let words = format!("there is no mode {} (there are {count})", mode + 1);
            Error::new(words).note("modes count from 1, in the order of their frequencies")
        })?;
        near.swing(found)
    })
    .map(|(_, results)| results)
}

/// Linearises a model about the equilibrium next to its start.
pub fn linearise(model: &Model, formulation: &str) -> Result<Linear> {
    linearised(model, formulation, |_, _| Ok(())).map(|found| found.0)
}

/// The same, and what is made of the mechanism near its equilibrium and its modes.
fn linearised<T>(
    model: &Model,
    formulation: &str,
    then: impl FnOnce(&mut Near, &[Mode]) -> Result<T>,
) -> Result<(Linear, T)> {
    if model.gravity.is_none() {
        return Err(model.gravity_unsaid());
    }
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    let system = System::new(model, formulation)?;
    let Start { mut point, mut ws, .. } = start(&system)?;
    let t = point.t;
    let (rest, stand) = at_rest(model)?;
    point.q = stand.take(&system, &mut ws, t);
    point.v.fill(0.0);
    let idle = mobility::count(&system, &mut ws, t).idle;
    ws.hold_spins(&system, idle);
    let mut dynamics = Dynamics::new(&system, ws, t, &point.q)?;
    dynamics.project(&mut point)?;
    let mut near = Near::new(dynamics, point);
    near.choose_freedoms();
    let point = near.point.clone();
    let imbalance = max_abs(&near.accelerations(&point)?);
    let Near { dynamics, point, .. } = &mut near;
    dynamics.realize(point);
    let value = |joint: usize| {
        let found = system.constraints.named_coordinates().iter().find(|c| (c.0, c.1) == (joint, 0));
        found.map(|c| system.constraints.value(c.2, &dynamics.ws.evaluation))
    };
    refuse_beyond(model, value)?;
    let n = near.free.len();
    let (stiffness, damping) = (near.stiffness()?, near.damping()?);
    let a = state_space(&stiffness, &damping);
    let values = eigenvalues(&a).ok_or_else(|| Error::new("the modes of this equilibrium cannot be found"))?;
    let values = if rest == Rest::Indifferent { without_noise(values) } else { values };
    let mut modes: Vec<Mode> =
        values.into_iter().filter(|s| s.1 >= 0.0).map(|s| Mode { s, shape: shape(&stiffness, &damping, s) }).collect();
    // A pair of growing and fading modes has one frequency but for rounding.
    let grows = |m: &Mode| m.s.1 == 0.0 && m.s.0 > 0.0;
    sort_by(&mut modes, |a, b| grows(b).cmp(&grows(a)).then(a.frequency().total_cmp(&b.frequency())));
    let coordinates = near.coordinates();
    let states = states(&coordinates, n);
    let made = then(&mut near, &modes)?;
    Ok((Linear { states, freedoms: n, a, coordinates, modes, imbalance, rest }, made))
}

/// Eigenvalues where some stiffness is zero: those that only differences make are zero.
fn without_noise(mut values: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    /// Root of the error of stiffness by differences, against the fastest mode or 1 rad/s.
    const NOISE: f64 = 1e-4;
    let size = |s: &(f64, f64)| s.0.hypotenuse(s.1);
    let most = values.iter().map(size).fold(1.0, f64::max);
    values.iter_mut().filter(|s| size(s) < NOISE * most).for_each(|s| *s = (0.0, 0.0));
    values
}

/// The equilibrium whose modes are asked for, found in absolute coordinates.
fn at_rest(model: &Model) -> Result<(Rest, Stand)> {
    let system = System::new(model, "absolute")?;
    let Start { point, ws, .. } = start(&system)?;
    let stand = Stand::of(&system, &ws);
    match Equilibrium::at(&system, ws, point.t, point.q)? {
        Some(search) => search.drawn_or_below(),
        None => Ok((Rest::Stable, stand)),
    }
}

/// A = [0 1; K D].
pub(super) fn state_space(stiffness: &Matrix, damping: &Matrix) -> Matrix {
    let n = stiffness.columns;
    let mut a = Matrix::zeros(2 * n, 2 * n);
    for i in 0..n {
        a.row_mut(i)[n + i] = 1.0;
        a.row_mut(n + i)[..n].copy_from_slice(stiffness.row(i));
        a.row_mut(n + i)[n..].copy_from_slice(damping.row(i));
    }
    a
}

/// Names of freedoms, those that are joint coordinates by these, and of their rates.
pub(super) fn states(coordinates: &[(String, Vec<f64>)], freedoms: usize) -> Vec<String> {
    /// A coordinate that changes with one freedom alone, as much as it does, is that freedom.
    const SAME: f64 = 1e-9;
    let is =
        |row: &[f64], k: usize| row.iter().enumerate().all(|(i, x)| (x - f64::from(u8::from(i == k))).abs() < SAME);
    let name = |k: usize| {
        let found = coordinates.iter().find(|(_, row)| is(row, k));
        found.map_or_else(|| format!("freedom {}", k + 1), |(name, _)| name.clone())
    };
    let names: Vec<String> = (0..freedoms).map(name).collect();
    let rates = names.iter().map(|name| signal_name::rate(name));
    names.iter().cloned().chain(rates).collect()
}

/// Rows in brackets, as JSON writes them, in full precision.
fn in_brackets(a: &Matrix) -> String {
    let row = |i: usize| a.row(i).iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
    format!("[{}]", (0..a.rows).map(|i| format!("[{}]", row(i))).collect::<Vec<_>>().join(", "))
}

/// φ with (s² − s D − K) φ = 0, by two steps of inverse iteration a hair beside s.
fn shape(stiffness: &Matrix, damping: &Matrix, s: (f64, f64)) -> Vec<(f64, f64)> {
    let n = stiffness.columns;
    let size = s.0.hypotenuse(s.1).max(1e-6);
    let (re, im) = (s.0 + 1e-9 * size, s.1 + 0.7e-9 * size);
    let (square_re, square_im) = (re * re - im * im, 2.0 * re * im);
    let mut matrix = Matrix::zeros(2 * n, 2 * n);
    for i in 0..n {
        for j in 0..n {
            let one = f64::from(u8::from(i == j));
            let (k, d) = (stiffness.row(i)[j], damping.row(i)[j]);
            let (x, y) = (square_re * one - re * d - k, square_im * one - im * d);
            matrix.row_mut(i)[j] = x;
            matrix.row_mut(i)[n + j] = -y;
            matrix.row_mut(n + i)[j] = y;
            matrix.row_mut(n + i)[n + j] = x;
        }
    }
    let mut x: Vec<f64> = (0..2 * n).map(|k| 1.0 / (1.0 + k as f64)).collect();
    if let Some(lu) = matrix.lu() {
        for _ in 0..2 {
            lu.solve(&mut x);
            let most = x.iter().fold(f64::MIN_POSITIVE, |m, v| m.max(v.abs()));
            x.iter_mut().for_each(|v| *v /= most);
        }
    }
    (0..n).map(|k| (x[k], x[n + k])).collect()
}

/// A mechanism near a state: an equilibrium, or a point of a motion.
pub(super) struct Near<'s> {
    pub dynamics: Dynamics<'s>,
    pub point: Point,
    /// True where the state moves.
    pub moving: bool,
    /// For each freedom the velocities it stands for.
    null: Vec<Vec<f64>>,
    /// The velocity that is the freedom itself.
    pub free: Vec<usize>,
}

impl<'s> Near<'s> {
    pub(super) fn new(dynamics: Dynamics<'s>, point: Point) -> Near<'s> {
        Near { dynamics, point, moving: false, null: Vec::new(), free: Vec::new() }
    }

    /// Freedoms at the present point.
    pub(super) fn choose_freedoms(&mut self) {
        let point = self.point.clone();
        self.null = self.null_space(&point);
        let elimination = self.dynamics.ws.elimination.as_ref();
        self.free = elimination.map_or(Vec::new(), |e| e.free_columns().to_vec());
    }

    /// Velocities that the constraints allow at a point, which is realised, one for each freedom.
    fn null_space(&mut self, point: &Point) -> Vec<Vec<f64>> {
        let dynamics = &mut self.dynamics;
        let (system, t) = (dynamics.system, point.t);
        dynamics.ws.realize_position(system, t, &point.q);
        dynamics.ws.realize_jacobian(system, t);
        dynamics.ws.elimination = None;
        dynamics.ws.factor(true);
        let Some(elimination) = &dynamics.ws.elimination else { return Vec::new() };
        let mut null = elimination.null_space();
        let size = dynamics.ws.size;
        for (free, vector) in elimination.free_columns().iter().zip(&mut null) {
            let own = system.formulation.scale(*free, size);
            for (k, x) in vector.iter_mut().enumerate() {
                *x *= system.formulation.scale(k, size) / own;
            }
        }
        null
    }

    /// Keeps the freedoms chosen before, at the present point: an error where they no longer tell the motion.
    pub(super) fn keep_freedoms(&mut self) -> Result<()> {
        let point = self.point.clone();
        let null = self.null_space(&point);
        let n = self.free.len();
        let transposed = self.at_freedoms(&null).ok_or_else(|| stalled(point.t))?;
        let mut kept = vec![vec![0.0; point.v.len()]; n];
        for (k, vector) in kept.iter_mut().enumerate() {
            let mut c = vec![0.0; n];
            c[k] = 1.0;
            transposed.solve(&mut c);
            for (c, z) in c.iter().zip(&null) {
                vector.iter_mut().zip(z).for_each(|(x, z)| *x += c * z);
            }
        }
        self.null = kept;
        Ok(())
    }

    /// Factors of the matrix from multiples of null vectors to the freedoms.
    fn at_freedoms(&self, null: &[Vec<f64>]) -> Option<Lu> {
        let n = self.free.len();
        if null.len() != n {
            return None;
        }
        let mut matrix = Matrix::zeros(n, n);
        for (i, free) in self.free.iter().enumerate() {
            for (j, z) in null.iter().enumerate() {
                matrix.row_mut(i)[j] = z[*free];
            }
        }
        matrix.lu()
    }

    /// Gives a point on the constraints the rates of the freedoms that the present point has, and more.
    fn give_rates(&mut self, point: &mut Point, more: &[f64]) -> Result<()> {
        let null = self.null_space(point);
        let lu = self.at_freedoms(&null).ok_or_else(|| stalled(self.point.t))?;
        let missing = |(free, more): (&usize, &f64)| self.point.v[*free] + more - point.v[*free];
        let mut c: Vec<f64> = self.free.iter().zip(more).map(missing).collect();
        lu.solve(&mut c);
        for (c, z) in c.iter().zip(&null) {
            point.v.iter_mut().zip(z).for_each(|(v, z)| *v += c * z);
        }
        Ok(())
    }

    /// Accelerations of the freedoms at a point.
    fn accelerations(&mut self, point: &Point) -> Result<Vec<f64>> {
        let mut vdot = vec![0.0; point.v.len()];
        self.dynamics.evaluate(point, &mut vdot)?;
        Ok(self.free.iter().map(|k| vdot[*k]).collect())
    }

    /// The present point displaced by `amounts` of the freedoms, at rest, on the constraints.
    fn displaced(&mut self, amounts: &[f64]) -> Result<Point> {
        let mut point = self.point.clone();
        let mut dv = vec![0.0; point.v.len()];
        for (amount, vector) in amounts.iter().zip(&self.null) {
            dv.iter_mut().zip(vector).for_each(|(d, x)| *d += amount * x);
        }
        self.dynamics.system.formulation.step(&mut point.q, &dv);
        self.dynamics.project(&mut point)?;
        match self.moving {
            true => self.give_rates(&mut point, &vec![0.0; amounts.len()])?,
            false => point.v.fill(0.0),
        }
        Ok(point)
    }

    /// Change of the accelerations with each freedom, by central differences.
    pub(super) fn stiffness(&mut self) -> Result<Matrix> {
        /// Error of a central difference about its square, of rounding about 1e-16 over it.
        const SMALL: f64 = 1e-5;
        self.differences(SMALL, |near, k, amount| {
            let mut amounts = vec![0.0; near.free.len()];
            amounts[k] = amount;
            near.displaced(&amounts)
        })
    }

    /// Change of the accelerations with each rate.
    pub(super) fn damping(&mut self) -> Result<Matrix> {
        /// Step of a central difference in rates, in which accelerations are of the second degree: only rounding counts.
        const SMALL: f64 = 1e-4;
        self.differences(SMALL, |near, k, amount| {
            let mut point = near.point.clone();
            point.v.iter_mut().zip(&near.null[k]).for_each(|(v, x)| *v += amount * x);
            Ok(point)
        })
    }

    fn differences(
        &mut self,
        small: f64,
        mut moved: impl FnMut(&mut Self, usize, f64) -> Result<Point>,
    ) -> Result<Matrix> {
        let n = self.free.len();
        let mut matrix = Matrix::zeros(n, n);
        for k in 0..n {
            let there = moved(self, k, small)?;
            let there = self.accelerations(&there)?;
            let back = moved(self, k, -small)?;
            let back = self.accelerations(&back)?;
            for i in 0..n {
                matrix.row_mut(i)[k] = (there[i] - back[i]) / (2.0 * small);
            }
        }
        Ok(matrix)
    }

    /// How far a shape takes the bodies: the longest way of an origin, turns counted at the mechanism's size.
    fn reach(&mut self, amounts: &[f64]) -> f64 {
        let mut point = self.point.clone();
        point.v.fill(0.0);
        for (amount, vector) in amounts.iter().zip(&self.null) {
            point.v.iter_mut().zip(vector).for_each(|(v, x)| *v += amount * x);
        }
        self.dynamics.realize(&point);
        let size = self.dynamics.ws.size;
        let bodies = self.dynamics.ws.cache.bodies.iter();
        bodies.map(|b| b.v.norm().max(b.w.norm() * size)).fold(0.0, f64::max)
    }

    /// Positions over one period of a mode.
    fn swing(&mut self, mode: &Mode) -> Result<Results> {
        /// Intervals of a period.
        const STEPS: usize = 48;
        /// How far it swings, in parts of the mechanism's size; what cannot be closed there swings half as far, and half again.
        const SWING: f64 = 0.16;
        const HALVES: usize = 6;
        let (re, im): (Vec<f64>, Vec<f64>) = mode.shape.iter().copied().unzip();
        let most = self.reach(&re).hypotenuse(self.reach(&im));
        let frequency = mode.frequency();
        let period = if mode.s.1 > 0.0 && frequency > 0.0 { 1.0 / frequency } else { 1.0 };
        let model = self.dynamics.system.model;
        let mut wide = if most > 0.0 { SWING * self.dynamics.ws.size / most } else { 0.0 };
        for _ in 0..HALVES {
            let mut positions = Vec::with_capacity(STEPS + 1);
            for k in 0..=STEPS {
                let part = k as f64 / STEPS as f64;
                let (sin, cos) = (part * std::f64::consts::TAU).sine_cosine();
                let amounts: Vec<f64> = re.iter().zip(&im).map(|(re, im)| wide * (re * cos - im * sin)).collect();
                let Ok(there) = self.displaced(&amounts) else { break };
                self.dynamics.realize(&there);
                let poses = self.dynamics.ws.cache.bodies.iter().map(|b| b.pose).collect();
                positions.push((part * period, poses));
            }
            if positions.len() > STEPS {
                return Ok(shown(model, &positions));
            }
            wide *= 0.5;
        }
        Err(Error::new("this mode cannot be shown: the mechanism does not close beside its equilibrium"))
    }

    /// Joint coordinates and their change for each freedom.
    pub(super) fn coordinates(&mut self) -> Vec<(String, Vec<f64>)> {
        let system = self.dynamics.system;
        let mut found: Vec<(String, Vec<f64>)> = Vec::new();
        for (j, c, _) in system.constraints.named_coordinates() {
            found.push((Element::Coordinate(*j, *c).name(system.model), Vec::new()));
        }
        let mut point = self.point.clone();
        for vector in &self.null {
            point.v.copy_from_slice(vector);
            self.dynamics.realize(&point);
            for ((_, _, measure), (_, row)) in system.constraints.named_coordinates().iter().zip(&mut found) {
                row.push(system.constraints.rate(*measure, &self.dynamics.ws.evaluation));
            }
        }
        found
    }
}

/// Other freedoms would have to be chosen for the motion to go on.
fn stalled(t: f64) -> Error {
    let message = format!("the freedoms chosen at the start stall at t = {t:.9} s");
    ErrorKind::Singular.error(message).because(Reason::Undetermined).at_time(t)
}
