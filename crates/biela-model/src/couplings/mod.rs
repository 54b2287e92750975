//! Couplings: equations between joint coordinates. One file each, and the registry [`COUPLINGS`].

mod belt;
mod cam;
mod follower;
mod gear;
mod general;
mod rack;
pub mod train;

pub use follower::{Contact, Follower, Undercut};

use crate::expr::Expression;
use crate::joints::{Form, Joint, Measure, Row};
use crate::math::Jet;
use crate::motion::Motion;
use crate::source::Span;
pub use train::Train;

/// Second coordinate in proportion to the first.
pub static GEAR: &dyn CouplingKind = &gear::Gear;
/// A slide in proportion to an angle.
pub static RACK: &dyn CouplingKind = &rack::Rack;
/// Second coordinate as any function of the first.
pub static CAM: &dyn CouplingKind = &cam::Cam;

/// Every coupling type a model may name.
pub static COUPLINGS: &[&dyn CouplingKind] = &[&gear::Gear, &rack::Rack, &belt::Belt, &cam::Cam, &general::General];

/// What a coupling type is.
pub trait CouplingKind: Sync + std::fmt::Debug {
    /// The word after `type =`.
    fn keyword(&self) -> &'static str;
    /// One sentence for help and documentation.
    fn help(&self) -> &'static str;
    /// The keys it reads besides `type`.
    fn keys(&self) -> &'static [CouplingKey];
    /// Its equation, given the measures of [`Coupling::coordinates`] and whether the last of them is a length.
    fn row(&self, coupling: &Coupling, measures: &[Measure], length: bool) -> Row;
}

/// The coupling type of that keyword.
pub fn kind(keyword: &str) -> Option<&'static dyn CouplingKind> {
    COUPLINGS.iter().copied().find(|k| k.keyword() == keyword)
}

/// A key of a coupling table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CouplingKey {
    /// `joints = ["A", "B"]`: two joints, or joint coordinates such as `"A.slide"`; the second depends on the first.
    Joints,
    /// `ratio`: second per first.
    Ratio,
    /// `teeth = [z1, z2]`, in the place of a ratio.
    Teeth,
    /// `internal`: whether one of two wheels with teeth lies around the other; optional.
    Internal,
    /// `radii = [r1, r2]` of two pulleys.
    Radii,
    /// `crossed`: whether a belt turns its pulleys against each other; optional.
    Crossed,
    /// `carrier`: the body that carries both wheels; optional where their joints have a body in common.
    Carrier,
    /// `radius`: length per angle.
    Radius,
    /// `offset`: second coordinate where the first is zero; optional.
    Offset,
    /// `profile`: second coordinate as a function of the first, an expression in `angle` (or the joint's own
    /// coordinate name) or a table.
    Profile,
    /// `segments`: rises, returns and dwells over a turn, in place of `profile`.
    Segments,
    /// `base`: radius of a cam's base circle; optional.
    Base,
    /// `roller`: radius of the follower's roller; optional.
    Roller,
    /// `eccentricity`: how far the follower's line passes the cam's axis; optional.
    Eccentricity,
    /// `value`: an expression of joint coordinates that must vanish.
    Value,
}

/// A coordinate of a joint, by indices into the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoordinateRef {
    /// Index of the joint.
    pub joint: usize,
    /// Index of the coordinate among those the joint offers.
    pub coordinate: usize,
}

/// A coupling of a model.
#[derive(Debug, Clone)]
pub struct Coupling {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static dyn CouplingKind,
    /// The coordinates it connects, in the order of the expression's slots 1…; between those of two wheels, what turns their carrier.
    pub coordinates: Vec<CoordinateRef>,
    /// `ratio` or `radius`.
    pub ratio: f64,
    /// `offset`.
    pub offset: f64,
    /// Wheels on a carrier, where it connects such.
    pub train: Option<Train>,
    /// `profile`: slot 0 (or the table's first column) is the first coordinate.
    pub profile: Option<Motion>,
    /// Period with which a tabulated profile repeats, if it does.
    pub period: Option<f64>,
    /// The roller of a cam's follower, where its sizes are given.
    pub follower: Option<Follower>,
    /// `value`: slot 0 is t, slots 1… the coordinates.
    pub value: Option<Expression>,
    /// Where the model says so.
    pub span: Option<Span>,
}

impl Coupling {
    /// A cam's profile with its derivatives at an angle of any turn.
    pub fn lift(&self, angle: f64) -> Jet {
        let Some(profile) = &self.profile else { return Jet::constant(0.0) };
        match (self.period, profile.range()) {
            (Some(period), Some((start, _))) => profile.jet(start + (angle - start).rem_euclid(period)),
            _ => profile.jet(angle),
        }
    }

    /// Its equation.
    pub fn row(&self, joints: &[Joint]) -> Row {
        let measure = |c: &CoordinateRef| {
            let joint = &joints[c.joint];
            joint.kind.coordinate(joint, c.coordinate)
        };
        let measures: Vec<Measure> = self.coordinates.iter().filter_map(measure).collect();
        let length = self
            .coordinates
            .last()
            .is_some_and(|c| joints[c.joint].kind.coordinates().get(c.coordinate).is_some_and(|name| !name.angle));
        self.kind.row(self, &measures, length)
    }

    /// second − ratio · first − Σ arm · coordinate between = offset.
    fn proportional(&self, measures: &[Measure], length: bool) -> Row {
        let arms = self.train.iter().flat_map(|train| &train.arms).map(|arm| -arm);
        let weights = std::iter::once(-self.ratio).chain(arms).chain([1.0]);
        let terms = measures.iter().zip(weights).map(|(m, c)| (c, *m)).collect();
        Row {
            form: Form::Linear(terms),
            target: Motion::Constant(self.offset),
            squared: false,
            length,
            component: "effort",
        }
    }
}
