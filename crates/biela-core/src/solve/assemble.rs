//! Initial position: from the drawing, which is only a first guess, onto the constraints.
//!
//! First the joints are closed with the drivers let go, so that the assembly nearest to the drawing is found and with it
//! the branch the user drew; then the drivers are led to their values at the start, in small steps if they are far. Should
//! that fail, everything is tried at once, then by continuation (what is open in the joints is taken away little by little), and
//! then from disturbed drawings (the same ones in every run). Each relaxation
//! is a Levenberg-Marquardt iteration: least squares, so redundant and missing constraints do no harm.

use crate::error::{Error, ErrorKind, Reason, Result};
use crate::math::random::Random;
use crate::math::Elementary;
use crate::math::{EulerParameters, Pose, Vec3};
use crate::results::{quantity_in_words, significant};
use crate::solve::least_squares::LeastSquares;
use crate::solve::loop_closure;
use crate::solve::mobility;
use crate::solve::newton::{ACCEPTED, RANK_TOLERANCE};
use crate::solve::vectors::max_abs;
use crate::system::{Owner, System, Workspace};
use biela_base::sorting::sort_by;

/// Restarts from disturbed drawings before giving up.
const RESTARTS: u64 = 24;
/// Residual below which relaxation counts as closed; a Newton polish follows.
const CLOSED: f64 = 1e-11;
/// Residual that redundant constraints may leave by not fitting each other exactly, such as axes and lengths as they were measured: half
/// of what the rows' dependence is judged by, so that they count as redundant still.
pub const MISFIT: f64 = 0.5 * RANK_TOLERANCE;
/// Residual below which joints that do not close are drawn right but for their last digits.
const FITTING: f64 = 1e-3;

/// Moves `q` from the drawing onto all constraints at time `t`. Angle turns are chosen, and the size is measured.
pub fn assemble(system: &System, ws: &mut Workspace, t: f64) -> Result<Vec<f64>> {
    let drawn = system.model.guess().poses();
    let mut best: Option<(f64, Vec<f64>)> = None;
    for attempt in 0..=RESTARTS {
        let poses = if attempt == 0 { drawn.to_vec() } else { disturbed(drawn, ws.size, attempt) };
        // Continuation is slow and is tried from the drawing alone.
        for way in &WAYS[..if attempt == 0 { 3 } else { 2 }] {
            let (closed, residual, q) = attempted(system, ws, t, &poses, *way);
            if closed {
                ws.measure_size(system);
                ws.realize_position(system, t, &q);
                system.constraints.start_turns(&mut ws.evaluation);
                ws.cache.start_attitudes();
                return Ok(q);
            }
            if residual.is_finite() && best.as_ref().is_none_or(|b| residual < b.0) {
                best = Some((residual, q));
            }
        }
    }
    if let Some(q) = by_joint_coordinates(system, ws, t) {
        ws.measure_size(system);
        ws.realize_position(system, t, &q);
        system.constraints.keep_turns(&mut ws.evaluation);
        ws.cache.start_attitudes();
        return Ok(q);
    }
    Err(failure(system, ws, t, best))
}

/// Leads the drivers in joint coordinates, in which a way of many turns is a straight line, and takes positions and turns from there.
fn by_joint_coordinates(system: &System, ws: &mut Workspace, t: f64) -> Option<Vec<f64>> {
    if !system.constraints.counts_turns() {
        return None;
    }
    let relative = System::new(system.model, "relative").ok()?;
    let mut own = Workspace::new(&relative);
    led_from(&relative, &mut own, t, system.model.guess().poses())?;
    let poses: Vec<Pose> = own.cache.bodies.iter().map(|b| b.pose).collect();
    let mut q = vec![0.0; system.formulation.nq()];
    system.formulation.coordinates(&poses, &mut q);
    let value = |c: &(usize, usize, usize)| (c.0, c.1, relative.constraints.value(c.2, &own.evaluation));
    let near: Vec<_> = relative.constraints.coordinates().iter().map(value).collect();
    for (joint, coordinate, measure) in system.constraints.coordinates() {
        if let Some((_, _, value)) = near.iter().find(|n| (n.0, n.1) == (*joint, *coordinate)) {
            ws.evaluation.near[*measure] = *value;
        }
    }
    system.formulation.choose_turns(&near, &mut q);
    ws.evaluation.relief.fill(0.0);
    let closed = relax(system, ws, t, &mut q, true);
    let residual = ws.realize_position(system, t, &q);
    (closed && is_accepted(system, ws, t, residual) && reversed(system, ws).is_none()).then_some(q)
}

/// Closes all rows from these poses in one way: whether that succeeds, the largest residual, and the coordinates. The position is
/// realised.
fn attempted(system: &System, ws: &mut Workspace, t: f64, poses: &[Pose], way: Way) -> (bool, f64, Vec<f64>) {
    let mut q = vec![0.0; system.formulation.nq()];
    system.formulation.coordinates(poses, &mut q);
    ws.evaluation.relief.fill(0.0);
    choose_turns(system, ws, t, &mut q);
    let mut closed = way(system, ws, t, &mut q);
    ws.evaluation.relief.fill(0.0);
    ws.realize_position(system, t, &q);
    // While joints are open a body may make a whole turn that is none: turns about parallel axes do not add up then.
    if closed && !system.constraints.turns_add_up(&ws.evaluation) {
        choose_turns(system, ws, t, &mut q);
        closed = relax(system, ws, t, &mut q, true);
    }
    let residual = ws.realize_position(system, t, &q);
    (closed && is_accepted(system, ws, t, residual) && reversed(system, ws).is_none(), residual, q)
}

/// Puts angles on the turns that are meant at time `t`, in measures and coordinates.
fn choose_turns(system: &System, ws: &mut Workspace, t: f64, q: &mut [f64]) {
    ws.realize_position(system, t, q);
    system.constraints.choose_turns(t, &[], &mut ws.evaluation);
    let near = |c: &(usize, usize, usize)| (c.0, c.1, ws.evaluation.near[c.2]);
    let near: Vec<_> = system.constraints.coordinates().iter().map(near).collect();
    system.formulation.choose_turns(&near, q);
}

/// Leads the drivers to their values at time `t` from given poses (ground first), without trying anything else; `None` where that
/// fails. The position is realised.
pub fn led_from(system: &System, ws: &mut Workspace, t: f64, poses: &[Pose]) -> Option<Vec<f64>> {
    let (closed, _, q) = attempted(system, ws, t, poses, lead);
    closed.then_some(q)
}

/// Closes all rows at time `t` from given poses (ground first); `None` where that fails. The position is realised.
pub fn close_from(system: &System, ws: &mut Workspace, t: f64, poses: &[Pose]) -> Option<Vec<f64>> {
    let mut q = vec![0.0; system.formulation.nq()];
    system.formulation.coordinates(poses, &mut q);
    ws.evaluation.relief.fill(0.0);
    // Turns are those that drivers mean; the rest is read near zero.
    ws.realize_position(system, t, &q);
    system.constraints.choose_turns(t, &[], &mut ws.evaluation);
    let closed = relax(system, ws, t, &mut q, true);
    let residual = ws.realize_position(system, t, &q);
    (closed && is_accepted(system, ws, t, residual) && reversed(system, ws).is_none()).then_some(q)
}

/// Whether the position realised is one, with this largest residual. Where redundant rows cannot be met any better, what is accepted from
/// now on is set to what they may be off by.
fn is_accepted(system: &System, ws: &mut Workspace, t: f64, residual: f64) -> bool {
    ws.accepted = ACCEPTED;
    if residual > ACCEPTED && misfits(system, ws, t, system.constraints.len()) {
        ws.accepted = MISFIT;
    }
    residual <= ws.accepted
}

/// True where the first rows, at the position realised, are as near to zero as they come together, within [`MISFIT`], and are redundant:
/// Φ_vᵀ Φ = 0 though Φ is not.
fn misfits(system: &System, ws: &mut Workspace, t: f64, rows: usize) -> bool {
    /// What counts as zero, against the largest residual: far above what an iteration leaves, far below a slope that leads on.
    const LEVEL: f64 = 1e-3;
    let worst = max_abs(&ws.evaluation.phi[..rows]);
    if worst > MISFIT || worst.is_nan() {
        return false;
    }
    ws.realize_jacobian(system, t);
    let pattern = &system.constraints.pattern;
    let mut slope = vec![0.0; pattern.columns];
    for i in 0..rows {
        for k in pattern.range(i) {
            slope[pattern.index[k]] += ws.evaluation.phi_v[k] * ws.evaluation.phi[i];
        }
    }
    max_abs(&slope) <= LEVEL * worst && mobility::factor_rows(pattern, &ws.evaluation, rows).rank() < rows
}

/// What to tell where redundant constraints do not fit each other, by the largest residual of a motion.
pub fn misfit_warning(ws: &Workspace, largest: f64) -> Option<(String, String)> {
    let words = || {
        format!(
            "redundant constraints do not fit each other exactly: residuals up to {} stay; full digits in axes and points, or freer joints, \
             take them away",
            significant(largest, 2)
        )
    };
    (ws.accepted > ACCEPTED).then(|| ("warning".to_string(), words()))
}

/// A joint or driver assembled the wrong way round, or a body assembled as its mirror image.
fn reversed(system: &System, ws: &Workspace) -> Option<Owner> {
    let mirrored = system.formulation.mirrored(&ws.cache).map(Owner::Body);
    mirrored.or_else(|| system.constraints.reversed(&ws.evaluation))
}

/// A way of closing all rows from a first guess.
type Way = fn(&System, &mut Workspace, f64, &mut Vec<f64>) -> bool;

/// Ways of closing, in the order in which they are tried.
const WAYS: [Way; 3] =
    [lead, |system, ws, t, q| relax(system, ws, t, q, true), |system, ws, t, q| lead_rows(system, ws, t, q, 0)];

/// Closes the joints first, then leads the drivers to their values. True where both succeed.
fn lead(system: &System, ws: &mut Workspace, t: f64, q: &mut Vec<f64>) -> bool {
    if !relax(system, ws, t, q, false) {
        return false;
    }
    lead_rows(system, ws, t, q, system.constraints.undriven())
}

/// Closes the rows from `first` on by continuation: what is open in them is taken away little by little. With all rows, the
/// violated joints themselves are led together.
fn lead_rows(system: &System, ws: &mut Workspace, t: f64, q: &mut Vec<f64>, first: usize) -> bool {
    ws.realize_position(system, t, q);
    let away: Vec<f64> = ws.evaluation.phi[first..].to_vec();
    let farthest = max_abs(&away);
    if !farthest.is_finite() {
        return false;
    }
    /// Largest step of a driver, in radians or sizes, taken at once.
    const STRIDE: f64 = 0.2;
    /// So many of them lead nowhere that a mechanism could be.
    const MOST_STRIDES: f64 = 5000.0;
    if farthest > MOST_STRIDES * STRIDE {
        return false;
    }
    let (mut done, mut step) = (0.0f64, (STRIDE / farthest.max(STRIDE)).min(1.0));
    while done < 1.0 {
        let aim = (done + step).min(1.0);
        for (relief, away) in ws.evaluation.relief[first..].iter_mut().zip(&away) {
            *relief = -(1.0 - aim) * away;
        }
        let mut trial = q.clone();
        if relax(system, ws, t, &mut trial, true) {
            *q = trial;
            done = aim;
        } else {
            step *= 0.5;
            if step < 1e-3 {
                return false;
            }
        }
    }
    true
}

/// Levenberg-Marquardt on the joints' rows, or on all rows where `driven`. True where the residual is closed.
fn relax(system: &System, ws: &mut Workspace, t: f64, q: &mut Vec<f64>, driven: bool) -> bool {
    const MOST: usize = 80;
    /// Longest step of an unknown, in sizes and radians: rows are far from straight beyond it.
    const LARGEST: f64 = 0.5;
    let rows = if driven { system.constraints.len() } else { system.constraints.undriven() };
    let cost = |ws: &Workspace| ws.evaluation.phi[..rows].iter().map(|x| x * x).sum::<f64>();
    let worst = |ws: &Workspace| max_abs(&ws.evaluation.phi[..rows]);
    if driven && straight(system, ws, t, q) {
        return true;
    }
    let mut damping = 1e-6;
    // Its pattern is analysed where the drawing is not closed already.
    let mut least_squares = None;
    ws.realize_position(system, t, q);
    let mut now = cost(ws);
    for _ in 0..MOST {
        if !now.is_finite() {
            return false;
        }
        if worst(ws) <= 1e-15 {
            return true;
        }
        ws.realize_jacobian(system, t);
        let mut improved = false;
        while damping < 1e8 {
            let side: Vec<f64> = ws.evaluation.phi[..rows].iter().map(|x| -x).collect();
            let squares = least_squares.get_or_insert_with(|| LeastSquares::new(&system.constraints.pattern, rows));
            let Some(mut x) = squares.solve(&ws.pattern, &ws.evaluation.phi_v, &side, damping) else {
                damping = damping.max(1e-12) * 10.0;
                continue;
            };
            let largest = max_abs(&x);
            if largest > LARGEST {
                x.iter_mut().for_each(|x| *x *= LARGEST / largest);
            }
            system.formulation.unscale(&mut x, ws.size);
            let mut trial = q.clone();
            system.formulation.step(&mut trial, &x);
            ws.realize_position(system, t, &trial);
            let next = cost(ws);
            if next < now {
                improved = next < 0.9999 * now;
                *q = trial;
                now = next;
                system.constraints.follow_turns(&mut ws.evaluation);
                damping = (damping * 0.1).max(1e-14);
                break;
            }
            damping *= 10.0;
            if largest < 1e-15 {
                break;
            }
        }
        if !improved {
            break;
        }
    }
    ws.realize_position(system, t, q);
    worst(ws) <= CLOSED || misfits(system, ws, t, rows)
}

/// Newton's steps on all rows of a large system whose drivers decide its position: least squares have no more to choose there, and their
/// factors are several times as long. False, with nothing changed, where there is more than one way to close or where a step is long.
fn straight(system: &System, ws: &mut Workspace, t: f64, q: &mut Vec<f64>) -> bool {
    /// Velocities from which on factors of the rows alone are worth a try.
    const LARGE: usize = 2000;
    /// Longest step of an unknown, in sizes and radians, along which rows are nearly straight.
    const SHORT: f64 = 0.5;
    const MOST: usize = 12;
    let nv = system.formulation.nv();
    if nv < LARGE || ws.pattern.rows() < nv {
        return false;
    }
    let (start, near) = (q.clone(), ws.evaluation.near.clone());
    let mut dv = vec![0.0; nv];
    let mut before = f64::INFINITY;
    ws.elimination = None;
    for _ in 0..MOST {
        let residual = ws.realize_position(system, t, q);
        if residual <= 1e-15 || residual <= CLOSED && residual > 0.3 * before {
            ws.elimination = None;
            return true;
        }
        if residual >= before || residual.is_nan() {
            break;
        }
        before = residual;
        ws.realize_jacobian(system, t);
        ws.factor(false);
        if ws.elimination.as_ref().is_none_or(|factors| factors.rank() < nv) {
            break;
        }
        ws.solve_position(system, &mut dv);
        if max_abs(&ws.x) > SHORT {
            break;
        }
        system.formulation.step(q, &dv);
        ws.realize_position(system, t, q);
        system.constraints.follow_turns(&mut ws.evaluation);
    }
    ws.elimination = None;
    ws.evaluation.near = near;
    *q = start;
    false
}

/// Drawn poses with each moving body shifted and turned at random, more with each attempt.
fn disturbed(drawn: &[Pose], size: f64, attempt: u64) -> Vec<Pose> {
    let mut random = Random(attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut vector = || Vec3::new(random.signed(), random.signed(), random.signed());
    let reach = (attempt as f64 / 6.0).min(2.0);
    let mut poses = drawn.to_vec();
    for pose in poses.iter_mut().skip(1) {
        pose.origin += vector() * (0.5 * size * reach);
        pose.rotation = EulerParameters::from_rotation_vector(vector() * (1.5 * reach)).rotation() * pose.rotation;
    }
    poses
}

/// Says which joints stay open, and by how much, in the best attempt.
fn failure(system: &System, ws: &mut Workspace, t: f64, best: Option<(f64, Vec<f64>)>) -> Error {
    let Some((residual, q)) = best else {
        return ErrorKind::Assembly
            .error(format!("the mechanism cannot be assembled at t = {t} s: the equations give no finite numbers"))
            .because(Reason::NotFinite)
            .at_time(t);
    };
    ws.realize_position(system, t, &q);
    if residual <= CLOSED {
        if let Some(owner) = reversed(system, ws) {
            let mut error = ErrorKind::Assembly
                .error(format!("the mechanism can be assembled at t = {t} s only with it the wrong way round"))
                .because(Reason::Reversed)
                .of(system.owner_name(owner))
                .at_time(t)
                .note("its two axes (or reference directions) point opposite ways: reverse one, or draw the bodies nearer to where they belong");
            if let Owner::Joint(k) = owner {
                error = error.at_opt(system.model.joints[k].span.as_ref());
            }
            return error;
        }
    }
    // Where the joints close without the drivers, too many drivers may be the reason. Some are in special positions alone, such as
    // a stretched arm whose tip is to come nearer: they must be too many elsewhere as well.
    let drawn = system.model.guess().poses();
    let size = ws.size;
    let mut over = |poses: &[Pose]| {
        let mut closed = vec![0.0; system.formulation.nq()];
        system.formulation.coordinates(poses, &mut closed);
        let counted = relax(system, ws, t, &mut closed, false).then(|| mobility::count(system, ws, t));
        counted.filter(|c| c.overdriven > 0)
    };
    let elsewhere = disturbed(drawn, size, 1);
    if over(&elsewhere).is_some() {
        if let Some(counted) = over(drawn) {
            return mobility::overdriven(system, ws, t, &counted);
        }
    }
    ws.realize_position(system, t, &q);
    let mut error = ErrorKind::Assembly
        .error(format!(
            "the mechanism cannot be assembled at t = {t} s: after {} starts a residual of {residual:.3e} remains",
            2 * (RESTARTS + 1)
        ))
        .because(Reason::LoopsOpen)
        .at_time(t)
        .with_residual(residual);
    for (owner, gap) in open_owners(system, ws).into_iter().take(4) {
        error = error.note(format!("{} stays open by {gap}", system.owner_name(owner)));
    }
    let (rows, unknowns) = (system.constraints.len(), system.formulation.nv());
    if residual < FITTING && rows > unknowns {
        error = error
            .note(format!("{rows} equations for {unknowns} unknowns: some repeat each other and must fit exactly"))
            .note("give axes and points in full digits, or free what is repeated: a spherical or cylindrical joint for a revolute one");
        return error;
    }
    let faults = loop_closure::faults(system.model, t);
    if !faults.is_empty() {
        for fault in faults.iter().take(3) {
            error = error.note(format!("a loop cannot close: {}", fault.words));
        }
        return error;
    }
    error.note("a dimension is too long or too short to close, a driver asks for what cannot be reached, or the drawing is too far off")
}

/// Owners of violated rows with their gaps in words, the widest first.
pub fn open_owners(system: &System, ws: &Workspace) -> Vec<(Owner, String)> {
    let mut open: Vec<(Owner, f64, f64)> = Vec::new();
    for i in 0..system.constraints.len() {
        let gap = system.constraints.gap(i, ws.size, &ws.evaluation);
        let (length, angle) = if system.constraints.is_length(i) { (gap, 0.0) } else { (0.0, gap) };
        let owner = system.constraints.owner(i);
        match open.iter_mut().find(|o| o.0 == owner) {
            Some(entry) => {
                entry.1 = entry.1.hypotenuse(length);
                entry.2 = entry.2.hypotenuse(angle);
            }
            None => open.push((owner, length.abs(), angle.abs())),
        }
    }
    let weight = |o: &(Owner, f64, f64)| (o.1 / ws.size).max(o.2);
    open.retain(|o| weight(o) > 1e-9);
    sort_by(&mut open, |a, b| weight(b).total_cmp(&weight(a)));
    let shown = |x: f64, unit: &str| quantity_in_words(&system.model.study.units, x, unit, 4);
    let words = |o: &(Owner, f64, f64)| {
        let mut parts = Vec::new();
        if o.1 > 1e-9 * ws.size {
            parts.push(shown(o.1, "m"));
        }
        if o.2 > 1e-9 {
            parts.push(shown(o.2, "rad"));
        }
        (o.0, parts.join(" and "))
    };
    open.iter().map(words).collect()
}
