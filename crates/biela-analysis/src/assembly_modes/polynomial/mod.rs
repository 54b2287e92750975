//! All configurations at once, as the roots of polynomials, each of them certified.
//!
//! From one assembled configuration the mechanism is read as groups of bodies and what ties them ([`skeleton`]). In a plane its equations are
//! written in isotropic coordinates ([`isotropic`]), those of one body in space in Study's ([`study`]), those of a loop on six pivots in the directions
//! of its axes ([`serial`]). `biela_roots` finds their roots, proves
//! each of them and which are real, and accounts for all paths. What is real is handed back as poses, to be closed by the mechanism's own rows.

mod isotropic;
mod serial;
mod skeleton;
mod spanning;
mod study;

use crate::math::{Pose, Rotation, Vec3};
use crate::model::Model;
use crate::results::significant;
use biela_roots::families::Known;
use biela_roots::{local_dimension, solve, Account, Complex, Options, Polynomial};
use biela_roots::{Root, Singular, Solutions, Structure, System};
use skeleton::{Leg, Skeleton, Sort};

/// Paths up to which it is tried: seconds.
const MOST_PATHS: u64 = 3000;
/// Pivots below which rows depend on others, at a configuration.
const DEPENDENT: f64 = 1e-7;
/// What is zero of a certified root, against coordinates of order one.
const NOTHING: f64 = 1e-8;
/// The same of the end of a singular path, which is known to fewer digits.
const VAGUE: f64 = 1e-4;
/// Residual, against coefficients of order one, above which a root does not fulfil an equation that was left out.
const FULFILLED: f64 = 1e-7;

/// Equations, and what is known of them.
struct Equations {
    list: Vec<Polynomial>,
    unknowns: usize,
    /// The configuration from which they are told.
    known: Vec<Complex>,
    /// Variables whose conjugates each variable is.
    conjugates: Vec<usize>,
    /// The structure with the fewest roots.
    structure: Box<dyn Fn(&System) -> Structure>,
    /// A family whose general member is solved, where they are one of its members.
    kin: Option<Kin>,
}

/// Unknowns made of others.
type Mapping = Box<dyn Fn(&[Complex]) -> Vec<Complex>>;

/// How equations are members of a family.
struct Kin {
    known: &'static Known,
    parameters: Vec<Complex>,
    /// The unknowns of the equations for those of the family.
    unknowns: Mapping,
}

/// Roots, and where all paths went.
struct Found {
    roots: Vec<Root>,
    singular: Vec<Singular>,
    account: Account,
    bound: u64,
    source: &'static str,
    complete: bool,
}

/// How groups are placed by a root.
trait Placed {
    /// By how much each moving group is displaced from the configuration known, for a real root.
    fn displacements(&self, x: &[Complex]) -> Option<Vec<(usize, Pose)>>;
    /// Whether a root stands for a configuration, complex as it may be; what is below `small` is rounding.
    fn is_meant(&self, x: &[Complex], small: f64) -> bool {
        let _ = (x, small);
        true
    }
}

/// What came of it.
pub(super) struct Closure {
    /// Poses of all bodies, for each real root.
    pub poses: Vec<Vec<Pose>>,
    /// Isolated configurations, complex ones among them.
    pub complex: usize,
    /// Whether every path is accounted for, and no solution is other than isolated.
    pub complete: bool,
    /// Bodies whose poses are those of a root; the others, legs, are near.
    pub sure: Vec<bool>,
    /// Whether legs may be turned over about their own lines.
    pub turned_over: bool,
    /// How many there are, in words.
    pub words: String,
    /// Paths, bound and boxes.
    pub counted: Counted,
}

/// The figures of a certificate.
#[derive(Debug, Clone)]
pub struct Counted {
    /// How many roots the structure of the equations allows.
    pub bound: u64,
    /// What this bound is called.
    pub source: &'static str,
    /// Where the paths went.
    pub account: Account,
    /// How many paths ended on sets of solutions of positive dimension, and the largest dimension.
    pub on_sets: (usize, usize),
    /// Largest half side of a box that holds one root.
    pub radius: f64,
}

/// All configurations of a model of which one is known, or why they cannot be told.
pub(super) fn all(model: &Model, poses: &[Pose], size: f64) -> Result<Closure, String> {
    let skeleton = Skeleton::new(model, poses)?;
    let moving = skeleton.moving();
    let normal = skeleton.ties.iter().find(|t| t.sort == Sort::Pivot).map_or(Vec3::Z, |t| t.u);
    let flat = model.space.is_planar();
    let in_plane = isotropic::Plane::new(&skeleton, normal, size, flat);
    let (placed, equations): (Box<dyn Placed>, Equations) = match in_plane {
        Some((plane, equations)) => (Box::new(plane), equations),
        None => {
            let platform = match moving[..] {
                [group] => study::Platform::new(&skeleton, group, size),
                _ => None,
            };
            if let Some((platform, equations)) = platform {
                (Box::new(platform), equations)
            } else if let Some((closed, equations)) = serial::Loop::new(&skeleton, size) {
                (Box::new(closed), equations)
            } else {
                let (tree, equations) = spanning::Spanning::new(&skeleton, size)?;
                (Box::new(tree), equations)
            }
        }
    };
    if equations.unknowns == 0 {
        return Err("nothing is left to be solved".into());
    }
    let (square, rest) = squared(equations.list, equations.unknowns, &equations.known)?;
    let system = System::new(square).map_err(|e| e.to_string())?.with_conjugates(equations.conjugates);
    let structure = (equations.structure)(&system);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options { threads, most_paths: MOST_PATHS, ..Options::default() };
    let found = match equations.kin.and_then(|kin| by_family(&kin, &options)) {
        Some(found) => found,
        None => of_structure(solve(&system, &structure, &options).map_err(|e| e.to_string())?),
    };
    Ok(Sorting { system: &system, skeleton: &skeleton, placed: placed.as_ref(), rest: &rest, poses }.closure(&found))
}

/// What was found from a system of the same structure.
fn of_structure(found: Solutions) -> Found {
    let complete = found.is_complete();
    let Solutions { certificate, singular, .. } = found;
    let (account, bound, source) = (certificate.account, certificate.bound, certificate.structure.source());
    Found { roots: certificate.roots, singular, account, bound, source, complete }
}

/// What is found from the general member of a family; `None` where a path ends at a singular point, or is lost.
fn by_family(kin: &Kin, options: &Options) -> Option<Found> {
    let (roots, account) = kin.known.solve(&kin.parameters, options).ok()?;
    let complete = account.regular + account.infinite == account.paths;
    let own = |root: Root| Root { x: (kin.unknowns)(&root.x), ..root };
    let roots = roots.into_iter().map(own).collect();
    let source = kin.known.source();
    complete.then(|| Found { roots, singular: Vec::new(), account, bound: account.paths, source, complete })
}

/// As many equations as unknowns, and those left out: where there are more, the first independent ones at the configuration known.
fn squared(
    list: Vec<Polynomial>,
    unknowns: usize,
    known: &[Complex],
) -> Result<(Vec<Polynomial>, Vec<Polynomial>), String> {
    if list.len() < unknowns {
        return Err(format!("{} equations leave {} freedom(s)", list.len(), unknowns - list.len()));
    }
    if list.len() == unknowns {
        return Ok((list, Vec::new()));
    }
    let mut basis: Vec<Vec<Complex>> = Vec::new();
    let (mut square, mut rest) = (Vec::new(), Vec::new());
    for p in list {
        let mut row: Vec<Complex> = (0..unknowns).map(|k| p.derivative(k).value(known)).collect();
        let size = |row: &[Complex]| row.iter().map(|c| c.norm2()).sum::<f64>().sqrt();
        let before = size(&row);
        for b in &basis {
            let along: Complex = row.iter().zip(b).map(|(r, b)| *r * b.conjugate()).sum();
            row.iter_mut().zip(b).for_each(|(r, b)| *r -= along * *b);
        }
        let left = size(&row);
        if left > DEPENDENT * before && square.len() < unknowns {
            basis.push(row.iter().map(|c| c.times(1.0 / left)).collect());
            square.push(p);
        } else {
            rest.push(p);
        }
    }
    match square.len() == unknowns {
        true => Ok((square, rest)),
        false => Err("equations are redundant, and dependent where it is drawn".into()),
    }
}

/// By what roots are sorted out.
struct Sorting<'a> {
    system: &'a System,
    skeleton: &'a Skeleton,
    placed: &'a dyn Placed,
    /// Equations that were left out.
    rest: &'a [Polynomial],
    poses: &'a [Pose],
}

/// Where singular paths ended.
#[derive(Default)]
struct Degenerate {
    /// Multiple roots that are alone.
    alone: Vec<Vec<Complex>>,
    /// Paths that end on sets of solutions of positive dimension, and the largest dimension.
    on_sets: (usize, usize),
    /// Paths of which neither is known, and those whose ends are no configurations.
    unknown: usize,
    meaningless: usize,
}

impl Sorting<'_> {
    /// Whether a root is a configuration.
    fn fulfils(&self, x: &[Complex], small: f64) -> bool {
        let size = x.iter().map(|z| z.norm()).fold(1.0, f64::max);
        self.rest.iter().all(|p| p.value(x).norm() < FULFILLED.max(small) * size * size)
            && self.placed.is_meant(x, small)
    }

    /// Poses of all bodies at a real root.
    fn placed(&self, x: &[Complex]) -> Option<Vec<Pose>> {
        let mut displaced = self.placed.displacements(x)?;
        for leg in self.skeleton.legs.iter().rev() {
            displaced.push((leg.group, followed(leg, &displaced)));
        }
        let of = |group: usize| displaced.iter().find(|d| d.0 == group).map_or(Pose::IDENTITY, |d| d.1);
        Some(self.poses.iter().zip(&self.skeleton.group).map(|(pose, group)| of(*group) * *pose).collect())
    }

    /// Tells singular ends apart.
    fn degenerate(&self, found: &Found) -> Degenerate {
        let mut told = Degenerate::default();
        for end in &found.singular {
            let square = || local_dimension(self.system.polynomials(), &end.x);
            // Ends of singular paths are known to fewer digits.
            let small = VAGUE.max(10.0 * end.error);
            if !self.fulfils(&end.x, small) {
                // A set of roots on which equations left out do not hold may have single points where they do.
                match self.rest.is_empty() || !self.placed.is_meant(&end.x, small) || square() == Some(0) {
                    true => told.meaningless += end.paths,
                    false => told.unknown += end.paths,
                }
                continue;
            }
            let whole = || local_dimension(self.system.polynomials().iter().chain(self.rest), &end.x);
            match (square(), if self.rest.is_empty() { square() } else { whole() }) {
                (Some(0), _) => told.alone.push(end.x.clone()),
                (Some(d), same) if same == Some(d) => {
                    told.on_sets = (told.on_sets.0 + end.paths, told.on_sets.1.max(d));
                }
                _ => told.unknown += end.paths,
            }
        }
        told
    }

    /// Sorts the roots out.
    fn closure(&self, found: &Found) -> Closure {
        let meant: Vec<&Root> = found.roots.iter().filter(|r| self.fulfils(&r.x, NOTHING)).collect();
        let degenerate = self.degenerate(found);
        let near_real = |x: &&Vec<Complex>| {
            let off = x.iter().zip(self.system.mirrored(x)).map(|(z, m)| (*z - m).norm()).fold(0.0, f64::max);
            off < VAGUE
        };
        let real = meant.iter().filter(|r| r.real).map(|r| &r.x);
        let multiple: Vec<&Vec<Complex>> = degenerate.alone.iter().filter(near_real).collect();
        let poses: Vec<Option<Vec<Pose>>> = real.chain(multiple.iter().copied()).map(|x| self.placed(x)).collect();
        let count = poses.len();
        let poses: Vec<Vec<Pose>> = poses.into_iter().flatten().collect();
        let counted = Counted {
            bound: found.bound,
            source: found.source,
            account: found.account,
            on_sets: degenerate.on_sets,
            radius: found.roots.iter().map(|r| r.radius).fold(0.0, f64::max),
        };
        let complete = found.complete && degenerate.unknown == 0 && poses.len() == count;
        Closure {
            complete,
            poses,
            sure: self.skeleton.group.iter().map(|g| self.skeleton.legs.iter().all(|leg| leg.group != *g)).collect(),
            complex: meant.len() + degenerate.alone.len(),
            turned_over: self.skeleton.legs.iter().any(|leg| leg.turns_over),
            words: words(&counted, &meant, &degenerate),
            counted,
        }
    }
}

/// What is told of it.
fn words(counted: &Counted, meant: &[&Root], degenerate: &Degenerate) -> String {
    let account = &counted.account;
    let real = meant.iter().filter(|r| r.real).count();
    let mut others = Vec::new();
    let mut tell = |count: u64, what: &str| {
        if count > 0 {
            others.push(format!("{count} to {what}"));
        }
    };
    tell(account.infinite, "infinity");
    tell(account.regular - meant.len() as u64 + degenerate.meaningless as u64, "what is no configuration");
    tell(counted.on_sets.0 as u64, &format!("sets of solutions of dimension {}", counted.on_sets.1));
    let alone = account.singular - (degenerate.meaningless + counted.on_sets.0 + degenerate.unknown) as u64;
    tell(alone, "multiple roots");
    tell(degenerate.unknown as u64, "singular points of unknown dimension");
    tell(account.lost, "where they were lost");
    let others = if others.is_empty() { String::new() } else { format!("; other paths: {}", others.join(", ")) };
    format!(
        "{real} of {} certified roots real, boxes up to {}{others}; {} by the {}",
        meant.len(),
        significant(counted.radius, 2),
        counted.bound,
        counted.source
    )
}

/// The displacement of a leg whose ends are displaced: by the least turn.
fn followed(leg: &Leg, displaced: &[(usize, Pose)]) -> Pose {
    let of = |group: usize| displaced.iter().find(|d| d.0 == group).map_or(Pose::IDENTITY, |d| d.1);
    let [(a, p), (b, q)] = leg.ends;
    let (to_p, to_q) = (of(a).apply(p), of(b).apply(q));
    let turn = match ((q - p).unit(), (to_q - to_p).unit()) {
        (Some(from), Some(to)) => {
            let axis = from.cross(to);
            let angle = crate::math::Elementary::arctangent2(axis.norm(), from.dot(to));
            let axis = axis.unit().unwrap_or_else(|| from.any_perpendicular());
            Rotation::about(axis, angle)
        }
        _ => Rotation::IDENTITY,
    };
    Pose::new(turn, to_p - turn.apply(p))
}
