//! The study: which analysis over which time, by which means, and what is told of it.

use crate::display_units::DisplayUnits;
use crate::expr::Expression;
use crate::math::Vec3;
use crate::results::Spill;
use crate::source::Span;
use std::sync::Arc;

/// What is asked of a mechanism: `[run]`, `[initial]`, `[events]` and `[signals]` of a model file.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Which analysis.
    pub analysis: Analysis,
    /// Time of the first sample.
    pub start: f64,
    /// Time of the last sample.
    pub end: f64,
    /// Number of intervals; one sample more.
    pub steps: usize,
    /// Units in which people read what is found; results themselves are SI.
    pub units: DisplayUnits,
    /// Number of the configuration to start from, as `assembly_modes::all` of `biela-analysis` counts; the one nearest to the drawing where
    /// nobody says.
    pub mode: Option<usize>,
    /// Where the model asks for that configuration.
    pub mode_span: Option<Span>,
    /// Whether to solve by every formulation and state the largest difference.
    pub verify: bool,
    /// Formulation to solve by, where the model asks for one.
    pub formulation: Option<String>,
    /// What to do at a singular position.
    pub singular: Singular,
    /// Whether the distance to singularity is a column of the results.
    pub singularity: bool,
    /// Outputs whose standstill is to be told, where the model names them.
    pub outputs: Vec<String>,
    /// Signals to keep, where the model names them.
    pub signals: Vec<String>,
    /// Which columns of the results are filled, in their order; all where nobody says. The others keep their place, without
    /// name and values, and what they alone need is not computed.
    pub filled: Option<Arc<[bool]>>,
    /// Whether the others are computed nevertheless, and the largest value of each kind told in the place of one of them: by these a person is shown
    /// figures without what rounding leaves of a zero.
    pub weighed: bool,
    /// Whether nobody reads what a run tells besides its columns. A sweep asks for few of them, many times over.
    pub silent: bool,
    /// Bytes that the table of results may take: more is refused before the work.
    pub room: u64,
    /// Where samples wait until they are written, in place of the memory: columns that the run itself does not look at come back empty.
    pub spill: Option<Arc<Spill>>,
    /// Relative tolerance of the adaptive method.
    pub tolerance: f64,
    /// Method of integration.
    pub method: Integration,
    /// Step of the methods with one size of step, where given.
    pub step: Option<f64>,
    /// Whether a joint limit that is reached ends the run; otherwise it is reported.
    pub stop_at_limits: bool,
    /// Form in which the equations of motion are solved.
    pub reduction: Reduction,
    /// Algorithm for the accelerations of open chains and trees, where the model asks for one.
    pub algorithm: Option<String>,
    /// Values given for the start of a motion under forces: signal and value.
    pub initial: Vec<(String, f64)>,
    /// Whether the velocities among them are met only as nearly as the constraints allow.
    pub nearest: bool,
    /// What a motion under forces is watched for.
    pub events: Vec<Event>,
    /// Names of signals that events look at besides joint coordinates, in the order of their slots.
    pub watched: Vec<String>,
    /// Signals that are made of others, each after those that it uses.
    pub derived: Arc<[Derived]>,
    /// Whether signals on request are columns of the results, behind all others.
    pub every: bool,
    /// The point in ground coordinates about which moments on the ground are told.
    pub moment_point: Vec3,
}

impl Study {
    /// Bytes of a table of results at most, where nobody says less: columns × samples × 8.
    pub const ROOM: u64 = 1 << 30;
    /// The same for each of many runs at a time, in sweeps and optimisations.
    const ROOM_OF_MANY: u64 = 1 << 27;

    /// Makes it one of many runs, of which these columns alone are read; with `every`, some of them are signals on request.
    pub fn make_one_of_many(&mut self, filled: Arc<[bool]>, every: bool) {
        (self.filled, self.every) = (Some(filled), every);
        self.silent = true;
        self.room = self.room.min(Study::ROOM_OF_MANY);
    }
}

impl Default for Study {
    fn default() -> Study {
        Study {
            analysis: Analysis::Kinematics,
            start: 0.0,
            end: 1.0,
            steps: 100,
            units: DisplayUnits::default(),
            mode: None,
            mode_span: None,
            verify: false,
            formulation: None,
            singular: Singular::Stop,
            singularity: false,
            outputs: Vec::new(),
            signals: Vec::new(),
            filled: None,
            weighed: false,
            silent: false,
            room: Study::ROOM,
            spill: None,
            tolerance: 1e-8,
            method: Integration::Rk45,
            step: None,
            stop_at_limits: false,
            reduction: Reduction::None,
            algorithm: None,
            initial: Vec::new(),
            nearest: false,
            events: Vec::new(),
            watched: Vec::new(),
            derived: Arc::from([]),
            every: false,
            moment_point: Vec3::ZERO,
        }
    }
}

/// An expression whose zero ends a run, or is reported.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The expression; slot 0 is t, then each joint coordinate and its rate, then [`Study::watched`].
    pub when: Expression,
    /// True where it ends the run.
    pub stop: bool,
}

/// A signal that is made of others: `[signals]` of a model file.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// Its name.
    pub name: String,
    /// Its unit; `1` for a number and where the unit is not known.
    pub unit: &'static str,
    /// The expression; slot 0 is t, then the inputs.
    pub expression: Expression,
    /// Names of the signals that it is made of, of the model or derived themselves.
    pub inputs: Vec<String>,
}

/// Forms of the equations of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Accelerations and multipliers together.
    None,
    /// Independent accelerations alone, by the natural orthogonal complement.
    NullSpace,
}

impl Reduction {
    /// Every form with the word that names it.
    pub const ALL: [(&'static str, Reduction); 2] = [("none", Reduction::None), ("null-space", Reduction::NullSpace)];

    /// One sentence for documentation.
    pub fn help(self) -> &'static str {
        match self {
            Reduction::None => "accelerations and multipliers together",
            Reduction::NullSpace => "independent accelerations alone, by the natural orthogonal complement",
        }
    }
}

/// Methods of integrating a motion under forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integration {
    /// Explicit Runge-Kutta 5(4), adaptive.
    Rk45,
    /// Explicit Runge-Kutta of order 4, fixed step.
    Rk4,
    /// Generalised-α, implicit, fixed step.
    Alpha,
}

impl Integration {
    /// Every method with the word that names it.
    pub const ALL: [(&'static str, Integration); 3] =
        [("rk45", Integration::Rk45), ("rk4", Integration::Rk4), ("alpha", Integration::Alpha)];
}

/// What a run does at a singular position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Singular {
    /// It ends, with the position's time and type.
    #[default]
    Stop,
    /// It goes straight on along the curve of the motion, keeping its branch.
    Pass,
    /// Drivers give way: the mechanism comes as near to what they ask as it can.
    Damp,
}

impl Singular {
    /// Every policy with the word that names it.
    pub const ALL: [(&'static str, Singular); 3] =
        [("stop", Singular::Stop), ("pass", Singular::Pass), ("damp", Singular::Damp)];

    /// One sentence for documentation.
    pub fn help(self) -> &'static str {
        match self {
            Singular::Stop => "ends the run with the position's time, its type and what it leaves undecided",
            Singular::Pass => "goes straight on along the curve of the motion, on its branch",
            Singular::Damp => {
                "lets drivers give way where they ask for more than the mechanism can do (column `lag`); goes straight on where motions cross"
            }
        }
    }
}

/// Analyses a run may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Analysis {
    /// Motion from drivers.
    Kinematics,
    /// Forces from motion.
    InverseDynamics,
    /// Forces without inertia.
    Statics,
    /// Motion from forces.
    Dynamics,
    /// Natural modes about an equilibrium.
    Modes,
    /// State-space matrices along a motion.
    StateSpace,
}

impl Analysis {
    /// Every analysis with the word that names it.
    pub const ALL: [(&'static str, Analysis); 6] = [
        ("kinematics", Analysis::Kinematics),
        ("inverse-dynamics", Analysis::InverseDynamics),
        ("statics", Analysis::Statics),
        ("dynamics", Analysis::Dynamics),
        ("modes", Analysis::Modes),
        ("state-space", Analysis::StateSpace),
    ];

    /// One sentence for documentation.
    pub fn help(self) -> &'static str {
        match self {
            Analysis::Kinematics => "motion from drivers",
            Analysis::InverseDynamics => "motion from drivers, and the forces that go with it",
            Analysis::Statics => "forces without inertia; freedoms without driver are settled by the loads",
            Analysis::Dynamics => "motion from forces",
            Analysis::Modes => "natural vibrations about the equilibrium next to the start",
            Analysis::StateSpace => "matrix of small deviations at each sample of a motion, prescribed or under forces",
        }
    }
}
