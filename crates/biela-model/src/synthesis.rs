//! What a synthesis is after, as data: the points, poses or pairs of values that a linkage of a family has to pass, what of its dimensions is
//! given or chosen, and what an engineer refuses.

use crate::units::Dimension;

/// A family of linkages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Four turning joints in a plane.
    FourBar,
    /// Crank, rod and slider.
    SliderCrank,
    /// A four-bar whose coupler turns an output link by a rod: Stephenson III.
    SixBar,
    /// Four turning joints whose axes meet in the origin.
    Spherical,
}

impl Family {
    /// Every family with its word.
    pub const ALL: [(&'static str, Family); 4] = [
        ("four-bar", Family::FourBar),
        ("slider-crank", Family::SliderCrank),
        ("six-bar", Family::SixBar),
        ("spherical", Family::Spherical),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        Family::ALL.iter().find(|f| f.1 == self).map_or("", |f| f.0)
    }
}

/// A position and an orientation in a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Where the body's origin is.
    pub at: [f64; 2],
    /// Its angle.
    pub angle: f64,
}

/// What is to be passed.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Points of the coupler's curve, with the angles of the crank from the first one on where they are prescribed.
    Path(Vec<[f64; 2]>, Option<Vec<f64>>),
    /// Values of the input and of the output, both counted from anywhere.
    Function(Vec<[f64; 2]>),
    /// Poses of the coupler in a plane.
    Motion(Vec<Pose>),
    /// Orientations of the coupler in space: fixed axes x, y, z.
    Orientations(Vec<[f64; 3]>),
}

impl Task {
    /// What it asks for, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Task::Path(_, None) => "path",
            Task::Path(..) => "path with timing",
            Task::Function(_) => "function",
            Task::Motion(_) | Task::Orientations(_) => "motion",
        }
    }

    /// How many conditions it has.
    pub fn positions(&self) -> usize {
        match self {
            Task::Path(points, _) | Task::Function(points) => points.len(),
            Task::Motion(poses) => poses.len(),
            Task::Orientations(list) => list.len(),
        }
    }
}

/// A dimension that is given (one value), or chosen among several.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Its name, one of [`quantities`].
    pub name: String,
    /// Its values.
    pub values: Vec<f64>,
}

/// Defects of a linkage that passes its positions one by one but not as one motion of its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// Positions lie on different circuits: it would have to be taken apart between them.
    Circuit,
    /// Positions lie on different branches: the input would have to pass a dead centre.
    Branch,
    /// The input passes them in another order.
    Order,
}

impl Defect {
    /// Every defect with its word.
    pub const ALL: [(&'static str, Defect); 3] =
        [("circuit", Defect::Circuit), ("branch", Defect::Branch), ("order", Defect::Order)];

    /// Its word.
    pub fn word(self) -> &'static str {
        Defect::ALL.iter().find(|d| d.1 == self).map_or("", |d| d.0)
    }
}

/// Which designs are refused.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    /// Those with one of these defects.
    pub refuse: Vec<Defect>,
    /// Those whose transmission angle comes nearer to 0 or 180 degrees than this while they pass the positions.
    pub transmission: Option<f64>,
    /// Those with a fixed pivot outside: least and greatest x, then y.
    pub region: Option<[f64; 4]>,
    /// Those whose longest link is more than this many times the shortest.
    pub ratio: Option<f64>,
    /// Those with a link shorter or longer.
    pub lengths: Option<[f64; 2]>,
    /// Those of another class by Grashof's rule.
    pub classes: Vec<String>,
}

/// A task for linkages of a family.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesis {
    /// What designs are called.
    pub name: String,
    /// The family.
    pub family: Family,
    /// What is to be passed.
    pub task: Task,
    /// Dimensions that are given or chosen.
    pub chosen: Vec<Chosen>,
    /// How many values of what is neither determined nor given are tried.
    pub samples: usize,
    /// What is refused.
    pub limits: Limits,
}

/// Values that are tried of a dimension that is free, where no number is given.
pub const USUAL_SAMPLES: usize = 12;
/// Most values of one dimension.
pub const MOST_SAMPLES: usize = 1000;

const PIVOTS: &[(&str, Dimension)] =
    &[("A.x", Dimension::LENGTH), ("A.y", Dimension::LENGTH), ("D.x", Dimension::LENGTH), ("D.y", Dimension::LENGTH)];
const PATH: &[(&str, Dimension)] = &[
    ("A.x", Dimension::LENGTH),
    ("A.y", Dimension::LENGTH),
    ("D.x", Dimension::LENGTH),
    ("D.y", Dimension::LENGTH),
    ("crank", Dimension::LENGTH),
    ("coupler", Dimension::LENGTH),
    ("rocker", Dimension::LENGTH),
    ("ground", Dimension::LENGTH),
    ("BP", Dimension::LENGTH),
    ("CP", Dimension::LENGTH),
];
const FUNCTION: &[(&str, Dimension)] =
    &[("input", Dimension::ANGLE), ("output", Dimension::ANGLE), ("ground", Dimension::LENGTH)];
const SLIDER: &[(&str, Dimension)] = &[("input", Dimension::ANGLE), ("offset", Dimension::LENGTH)];
const SIX_BAR: &[(&str, Dimension)] = &[
    ("input", Dimension::ANGLE),
    ("output", Dimension::ANGLE),
    ("crank", Dimension::LENGTH),
    ("coupler", Dimension::LENGTH),
    ("rocker", Dimension::LENGTH),
    ("ground", Dimension::LENGTH),
    ("branch", Dimension::NUMBER),
    ("G.x", Dimension::LENGTH),
    ("G.y", Dimension::LENGTH),
];
const SPHERICAL: &[(&str, Dimension)] =
    &[("input", Dimension::ANGLE), ("output", Dimension::ANGLE), ("ground", Dimension::ANGLE)];

/// Dimensions that can be given or chosen for a task of a family.
pub fn quantities(family: Family, task: &Task) -> &'static [(&'static str, Dimension)] {
    match (task, family) {
        (Task::Path(_, None), _) => PATH,
        (Task::Path(..) | Task::Motion(_), _) => PIVOTS,
        (Task::Function(_), Family::FourBar) => FUNCTION,
        (Task::Function(_), Family::SliderCrank) => SLIDER,
        (Task::Function(_), Family::SixBar) => SIX_BAR,
        (Task::Function(_), Family::Spherical) => SPHERICAL,
        (Task::Orientations(_), _) => &[],
    }
}

impl Synthesis {
    /// The values of a dimension that is given or chosen.
    pub fn values(&self, name: &str) -> Option<&[f64]> {
        self.chosen.iter().find(|c| c.name == name).map(|c| c.values.as_slice())
    }
}
