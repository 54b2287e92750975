//! What a choice of coordinates must answer, so that constraints and solvers can be written once.
//!
//! Common form: coordinates q, velocities v with q̇ = N(q) v; constraints Φ(q, t) = 0, Φ_v v = ν, Φ_v v̇ = γ. Constraints are
//! made of markers (points and directions of bodies), so a formulation only has to say where each marker is, how fast it
//! moves, how it accelerates, and how a gradient with respect to a marker becomes a row of Φ_v.

use super::composite::Composite;
use super::wrench::Wrench;
use crate::joints::hinge::{nearest_turn, Twist};
use crate::joints::{Joint, Marker, Row};
use crate::math::homogeneous::Homogeneous;
use crate::math::Elementary;
use crate::math::{EulerParameters, Pose, Vec3};
use crate::model::{MassProperties, Model};

/// Pose and motion of a body in ground axes.
#[derive(Debug, Clone, Copy)]
pub struct BodyState {
    /// Pose X_WB.
    pub pose: Pose,
    /// Euler parameters of its rotation.
    pub attitude: EulerParameters,
    /// Angular velocity.
    pub w: Vec3,
    /// Velocity of the frame's origin.
    pub v: Vec3,
    /// Angular acceleration.
    pub alpha: Vec3,
    /// Acceleration of the frame's origin.
    pub a: Vec3,
}

impl BodyState {
    /// A body at rest at a pose.
    pub fn at_rest(pose: Pose) -> BodyState {
        let zero = Vec3::ZERO;
        BodyState { pose, attitude: pose.rotation.euler_parameters(), w: zero, v: zero, alpha: zero, a: zero }
    }

    /// Velocity of the body's point at `s` from its origin, in ground axes.
    #[inline]
    pub fn velocity_at(&self, s: Vec3) -> Vec3 {
        self.v + self.w.cross(s)
    }

    /// Acceleration of that point.
    #[inline]
    pub fn acceleration_at(&self, s: Vec3) -> Vec3 {
        self.a + self.alpha.cross(s) + self.w.cross(self.w.cross(s))
    }
}

/// What a formulation remembers between its stages. Allocated once; each formulation uses the parts it needs.
#[derive(Debug, Clone)]
pub struct Cache {
    /// Bodies, ground first (filled by every stage).
    pub bodies: Vec<BodyState>,
    /// Attitudes last accepted, near which the sign of the Euler parameters is chosen.
    pub kept: Vec<EulerParameters>,
    /// Angles about z last accepted, turns counted (planar mechanisms).
    pub headings: Vec<f64>,
    /// Unit motions of joint velocities in ground axes, linear parts at the joint's `hubs` (relative: position stage).
    pub twists: Vec<Twist>,
    /// The same with linear parts at the `reference` point, which is near the mechanism: the first hub.
    pub screws: Vec<Twist>,
    /// See `screws` (relative: position stage).
    pub reference: Vec3,
    /// What accelerations of joints add to those of bodies (relative: scratch).
    pub gained: Vec<Twist>,
    /// Origin of each tree joint's second frame in the ground (relative: position stage).
    pub hubs: Vec<Vec3>,
    /// Coordinates last realised (relative: position stage).
    pub q: Vec<f64>,
    /// Velocities last realised (relative: velocity stage).
    pub v: Vec<f64>,
    /// Values, rates and accelerations of the formulation's own markers (natural: each stage).
    pub own: [Vec<Vec3>; 3],
    /// T, Ṫ and T̈ of each body (homogeneous: velocity and acceleration stages).
    pub chain: Vec<[Homogeneous; 3]>,
}

impl Cache {
    /// A cache of bodies at rest, with nothing else in it.
    pub fn new(model: &Model) -> Cache {
        let bodies: Vec<BodyState> = model.guess().poses().iter().map(|X_WB| BodyState::at_rest(*X_WB)).collect();
        let kept = bodies.iter().map(|b| b.attitude).collect();
        let headings = if model.space.is_planar() { vec![0.0; bodies.len()] } else { Vec::new() };
        Cache {
            bodies,
            kept,
            headings,
            twists: Vec::new(),
            screws: Vec::new(),
            reference: Vec3::ZERO,
            gained: Vec::new(),
            hubs: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
            own: Default::default(),
            chain: Vec::new(),
        }
    }

    /// Keeps the attitudes as they are, so that those of later positions are named on from them.
    pub fn keep_attitudes(&mut self) {
        for (kept, body) in self.kept.iter_mut().zip(&self.bodies) {
            *kept = body.attitude;
        }
        for body in 0..self.headings.len() {
            self.headings[body] = self.heading(body);
        }
    }

    /// Keeps the attitudes as those of a first position: angles about z lie in (−π, π] there.
    pub fn start_attitudes(&mut self) {
        /// Half a turn reads +π, though rounding may have made it −π.
        const TIE: f64 = 1e-9;
        self.headings.fill(TIE);
        self.keep_attitudes();
    }

    /// Angle of a body about z, counted on from the attitudes kept (planar mechanisms).
    pub fn heading(&self, body: usize) -> f64 {
        nearest_turn(self.bodies[body].pose.rotation.about_z(), self.headings[body])
    }

    /// True where a body has turned by more than `angle` since its attitude was kept.
    pub fn turned_beyond(&self, angle: f64) -> bool {
        let least = (0.5 * angle).cosine();
        self.kept.iter().zip(&self.bodies).any(|(kept, body)| kept.dot(&body.attitude).abs() < least)
    }
}

/// A choice of coordinates for the bodies of one model.
pub trait Formulation: Send + Sync + std::fmt::Debug {
    /// The word after `--formulation`.
    fn name(&self) -> &'static str;
    /// Number of coordinates.
    fn nq(&self) -> usize;
    /// Number of velocities.
    fn nv(&self) -> usize;
    /// Equations that the coordinates owe to themselves in the position problem (normalisations) and that do not appear
    /// among the rows, since a step keeps them.
    fn implicit_equations(&self) -> usize;
    /// A cache of the right size.
    fn cache(&self, model: &Model) -> Cache {
        Cache::new(model)
    }
    /// Rows that the coordinates owe to themselves and that must be solved (rigidity), with the body each belongs to.
    fn own_rows(&self) -> Vec<(usize, Row)> {
        Vec::new()
    }
    /// False where a joint's row holds by the choice of coordinates and needs no equation.
    fn needs(&self, joint: usize, row: &Row) -> bool {
        let _ = (joint, row);
        true
    }
    /// Equations that stand in place of all of a joint's rows, where these coordinates close it in a way of their own.
    fn closure(&self, joint: usize) -> Option<Vec<Row>> {
        let _ = joint;
        None
    }
    /// A row of a joint in the form that suits these coordinates best; the joint's rows together must say the same.
    fn adapt(&self, joint: &Joint, row: Row) -> Row {
        let _ = joint;
        row
    }
    /// The velocities on which a marker depends, ascending.
    fn columns(&self, marker: &Marker) -> Vec<usize>;
    /// The velocities on which a measure of these markers depends, marker by marker; what moves all of them together as one
    /// body may be left out.
    fn measure_columns(&self, markers: &[Marker]) -> Vec<Vec<usize>> {
        markers.iter().map(|m| self.columns(m)).collect()
    }
    /// True for the velocities that are lengths per time, false for angles.
    fn length_column(&self, column: usize) -> bool;
    /// What turns a scaled velocity, with lengths in sizes of the mechanism, into the velocity itself.
    fn scale(&self, column: usize, size: f64) -> f64 {
        if self.length_column(column) {
            size
        } else {
            1.0
        }
    }
    /// Scaled velocities, with lengths in sizes of the mechanism, into the velocities themselves.
    fn unscale(&self, v: &mut [f64], size: f64) {
        for (k, x) in v.iter_mut().enumerate() {
            *x *= self.scale(k, size);
        }
    }
    /// Coordinates of given body poses (ground first).
    fn coordinates(&self, poses: &[Pose], q: &mut [f64]);
    /// Puts joint angles among the coordinates on the turn nearest to a given one: joint, its coordinate, the angle.
    fn choose_turns(&self, near: &[(usize, usize, f64)], q: &mut [f64]) {
        let _ = (near, q);
    }
    /// Places of a joint's only coordinate among q and among v, where these coordinates have it.
    fn joint_place(&self, joint: usize) -> Option<(usize, usize)> {
        let _ = joint;
        None
    }
    /// Places among q and among v of the coordinates of the joint that carries a body, where these coordinates are its own.
    fn joint_places(&self, body: usize) -> Option<[std::ops::Range<usize>; 2]> {
        let _ = body;
        None
    }
    /// Of the coordinates that name the same position (turns of angles, signs of Euler parameters) takes those nearest to
    /// `near`.
    fn continue_from(&self, near: &[f64], q: &mut [f64]) {
        let _ = (near, q);
    }
    /// q after a displacement `dv` in the velocities.
    fn step(&self, q: &mut [f64], dv: &[f64]);
    /// True where [`Formulation::step`] adds the displacement to the coordinates, one to one.
    fn is_additive(&self) -> bool {
        false
    }
    /// Takes whole turns off angles among q that have made many, where the position is the same without them: large numbers are
    /// rounded coarsely.
    fn unwind(&self, q: &mut [f64]) {
        let _ = q;
    }
    /// q̇ for velocities v.
    fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        let _ = q;
        qdot.copy_from_slice(v);
    }
    /// Brings q, after an integration step, back to what its own equations ask (unit Euler parameters).
    fn normalise(&self, q: &mut [f64]) {
        let _ = q;
    }
    /// Position stage: poses and attitudes of all bodies.
    fn positions(&self, q: &[f64], cache: &mut Cache);
    /// As much of the position stage as markers of these bodies need.
    fn marker_positions(&self, q: &[f64], bodies: &[usize], cache: &mut Cache) {
        let _ = bodies;
        self.positions(q, cache);
    }
    /// The position stage without attitudes, where these take time.
    fn poses(&self, q: &[f64], cache: &mut Cache) {
        self.positions(q, cache);
    }
    /// Attitudes, where [`Formulation::poses`] has left them out.
    fn attitudes(&self, cache: &mut Cache) {
        let _ = cache;
    }
    /// As much of the velocity stage as markers of these bodies need.
    fn marker_velocities(&self, v: &[f64], bodies: &[usize], cache: &mut Cache) {
        let _ = bodies;
        self.velocities(v, cache);
    }
    /// What markers need besides the bodies of all stages, where these were placed by others.
    fn fill_markers(&self, state: [&[f64]; 3], cache: &mut Cache) {
        let _ = (state, cache);
    }
    /// As much of the acceleration stage, for v̇ = 0, as the markers need.
    fn marker_bias(&self, cache: &mut Cache) {
        self.accelerations(None, cache);
    }
    /// Where a body's frame is a linear function of the coordinates: each velocity it moves with, ascending, and by how much it
    /// moves the origin and the three axes.
    fn affine(&self, body: usize) -> Option<Vec<(usize, [Vec3; 4])>> {
        let _ = body;
        None
    }
    /// Velocity stage: velocities of all bodies.
    fn velocities(&self, v: &[f64], cache: &mut Cache);
    /// Acceleration stage: accelerations of all bodies for given v̇, or their bias where `vdot` is `None` (v̇ = 0).
    fn accelerations(&self, vdot: Option<&[f64]>, cache: &mut Cache);
    /// Accelerations of all bodies for given v̇, where those for v̇ = 0 are at hand.
    fn add_accelerations(&self, vdot: &[f64], cache: &mut Cache) {
        self.accelerations(Some(vdot), cache);
    }
    /// True where [`Formulation::carry_turns`] tells how bodies turn over displacements of any length.
    fn carries_turns(&self) -> bool {
        false
    }
    /// Counts the attitudes kept, and the headings, on over a displacement: the position stage's attitudes are named on from there.
    fn carry_turns(&self, dv: &[f64], cache: &mut Cache) {
        let _ = (dv, cache);
    }
    /// Adds to a displacement over `h`, the integral of the velocities, what turns that do not commute make of it: the rotation vector of an angular
    /// velocity ω in the moving frame is ∫ω + h³/12 ω × ω̇ + h⁴/24 ω × ω̈ + … For each velocity `rates` tells itself and three derivatives.
    fn bend(&self, h: f64, rates: &dyn Fn(usize) -> [f64; 4], dv: &mut [f64]) {
        let _ = (h, rates, dv);
    }
    /// Positions or components of markers (position stage done).
    fn place_markers(&self, markers: &[Marker], cache: &Cache, value: &mut [Vec3]) {
        for (marker, value) in markers.iter().zip(value) {
            *value = rigid_value(marker, &cache.bodies);
        }
    }
    /// Rates of markers (velocity stage done).
    fn move_markers(&self, markers: &[Marker], cache: &Cache, value: &[Vec3], rate: &mut [Vec3]) {
        for ((marker, value), rate) in markers.iter().zip(value).zip(rate) {
            *rate = rigid_rate(marker, *value, &cache.bodies);
        }
    }
    /// Accelerations of markers (acceleration stage done).
    fn accelerate_markers(&self, markers: &[Marker], cache: &Cache, value: &[Vec3], acceleration: &mut [Vec3]) {
        for ((marker, value), acceleration) in markers.iter().zip(value).zip(acceleration) {
            *acceleration = rigid_acceleration(marker, *value, &cache.bodies);
        }
    }
    /// Adds to the entries `out[slots]` of a row the gradient `g` with respect to a marker; `slots` are the places of
    /// that marker's [`Formulation::measure_columns`].
    fn scatter(&self, marker: &Marker, g: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]);
    /// True where velocities move points and directions of bodies by the unit motions in [`Cache::screws`]; then no scattering is needed for these.
    fn has_screws(&self) -> bool {
        false
    }
    /// Adds ω·u of a body, `u` in ground axes, to the entries `out[slots]` of a row; `slots` are the places of
    /// [`Formulation::spin_columns`].
    fn scatter_spin(&self, body: usize, u: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]);
    /// The velocities on which a body's angular velocity depends, ascending.
    fn spin_columns(&self, body: usize) -> Vec<usize>;
    /// Pairs of velocities whose entries of M [`Formulation::weigh`] tells, in its order; each stands for itself and its mirror image, and all others are
    /// zero. None where M is the sum over bodies.
    fn mass_pairs(&self) -> Vec<(usize, usize)> {
        Vec::new()
    }
    /// Entries of M for masses of bodies, ground first (position stage done); `room` has one for each body.
    fn weigh(&self, masses: &[Option<MassProperties>], cache: &Cache, room: &mut [Composite], out: &mut [f64]) {
        let _ = (masses, cache, room, out);
    }
    /// True where [`Formulation::gather`] turns wrenches into generalised forces.
    fn gathers(&self) -> bool {
        false
    }
    /// Adds to `out` the power of wrenches (about the bodies' origins, ground first) for a unit of each velocity, by one walk
    /// from the leaves inwards that uses the wrenches up.
    fn gather(&self, wrenches: &mut [Wrench], cache: &Cache, out: &mut [f64]) {
        let _ = (wrenches, cache, out);
    }
    /// False where bodies share coordinates, so that forces between them cannot be told apart.
    fn tells_forces(&self) -> bool {
        true
    }
    /// A body that the coordinates describe as its mirror image, where they can (position stage done).
    fn mirrored(&self, cache: &Cache) -> Option<usize> {
        let _ = cache;
        None
    }
}

/// Euler parameters, or a pair of them, with the sign that brings them nearer to `near`.
pub(super) fn continue_sign(near: &[f64], p: &mut [f64]) {
    if near.iter().zip(p.iter()).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
        p.iter_mut().for_each(|x| *x = -*x);
    }
}

/// Position of a point, or components of a direction, that moves with a body.
#[inline]
pub(super) fn rigid_value(marker: &Marker, bodies: &[BodyState]) -> Vec3 {
    match *marker {
        Marker::Point { body, p_B } => bodies[body].pose.apply(p_B),
        Marker::Direction { body, u_B } => bodies[body].pose.rotation.apply(u_B),
        Marker::Prescribed { .. } | Marker::Own { .. } => Vec3::ZERO,
    }
}

/// Rate of a body's marker; `value` is its position or components.
#[inline]
pub(super) fn rigid_rate(marker: &Marker, value: Vec3, bodies: &[BodyState]) -> Vec3 {
    match *marker {
        Marker::Point { body, .. } => {
            let b = &bodies[body];
            b.velocity_at(value - b.pose.origin)
        }
        Marker::Direction { body, .. } => bodies[body].w.cross(value),
        Marker::Prescribed { .. } | Marker::Own { .. } => Vec3::ZERO,
    }
}

/// Acceleration of a body's marker.
#[inline]
pub(super) fn rigid_acceleration(marker: &Marker, value: Vec3, bodies: &[BodyState]) -> Vec3 {
    match *marker {
        Marker::Point { body, .. } => {
            let b = &bodies[body];
            b.acceleration_at(value - b.pose.origin)
        }
        Marker::Direction { body, .. } => {
            let b = &bodies[body];
            b.alpha.cross(value) + b.w.cross(b.w.cross(value))
        }
        Marker::Prescribed { .. } | Marker::Own { .. } => Vec3::ZERO,
    }
}
