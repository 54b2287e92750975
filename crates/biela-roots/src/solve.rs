//! All isolated roots of a square system, from a system of the same structure whose roots are known.

use crate::certificate::{certify, together, Account, Certificate, Root};
use crate::complex::{length, Complex};
use crate::endgame::{finiteness, run, End, EndKind};
use crate::homotopy::Homotopy;
use crate::parallel::each;
use crate::start::{between, homogeneous, Start};
use crate::structure::Structure;
use crate::system::{Refusal, System};
use crate::tracker::{Care, Tracker};
use biela_math::random::Random;
use std::sync::atomic::AtomicBool;

/// How roots are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Where the stream of random numbers begins: the same seed, the same bits, on any number of threads.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Paths beyond which nothing is begun.
    pub most_paths: u64,
    /// Set by somebody else, it ends the work.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { seed: 1, threads: 1, most_paths: 20_000, stop: None }
    }
}

/// Where paths ended at a singular point.
#[derive(Debug, Clone, PartialEq)]
pub struct Singular {
    /// The point.
    pub x: Vec<Complex>,
    /// How many paths ended there.
    pub paths: usize,
    /// By how much it may be off.
    pub error: f64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solutions {
    /// Certified roots, with the count that they belong to.
    pub certificate: Certificate,
    /// Singular points, finite ones alone.
    pub singular: Vec<Singular>,
    /// Steps of all paths together.
    pub steps: usize,
}

impl Solutions {
    /// The certified roots.
    pub fn roots(&self) -> &[Root] {
        &self.certificate.roots
    }

    /// Those that are proved to be real, as real numbers.
    pub fn real(&self) -> impl Iterator<Item = Vec<f64>> + '_ {
        self.certificate.roots.iter().filter(|r| r.real).map(|r| r.x.iter().map(|z| z.re).collect())
    }

    /// Whether roots and other ends of paths are all that the bound allows.
    pub fn is_complete(&self) -> bool {
        self.certificate.is_complete()
    }
}

/// Homogenising coordinate against the length of its group below which a regular end lies at infinity.
pub(crate) const INFINITE: f64 = 1e-10;
/// The same of other ends, which are less sharp.
pub(crate) const INFINITE_SINGULAR: f64 = 1e-5;
/// Levels of care.
const LEVELS: i32 = 4;
/// Distance, against the length, of ends that may be the same.
const SAME: f64 = 1e-6;

/// All isolated roots of a system.
///
/// # Errors
/// Where the structure is not that of the system, there are too many paths, or it was told to stop.
pub fn solve(system: &System, structure: &Structure, options: &Options) -> Result<Solutions, Refusal> {
    if let Some(k) = structure.misfit(system) {
        return Err(Refusal::Structure(k));
    }
    let mut random = Random(options.seed);
    let start = Start::new(structure, options.most_paths, &mut random)?;
    let turned: Vec<_> = start.polynomials.iter().map(|p| p.scaled(Complex::random(&mut random))).collect();
    let rows = between(&homogeneous(system, structure), &turned);
    let n = system.len();
    let with_own = |(g, group): (usize, &Vec<usize>)| group.iter().copied().chain([n + g]).collect();
    let groups: Vec<Vec<usize>> = structure.groups.iter().enumerate().map(with_own).collect();
    let homotopy = Homotopy::new(n + groups.len(), groups, &rows);
    let (ends, steps) = follow(&homotopy, start.len(), |k| start.root(k), options)?;
    Ok(account(system, structure, &homotopy, ends, steps))
}

/// Ends of all paths: those that meet where the root is regular, or are lost, are followed again with more care.
pub(crate) fn follow(
    homotopy: &Homotopy,
    count: usize,
    begin: impl Fn(usize) -> Vec<Complex> + Sync,
    options: &Options,
) -> Result<(Vec<End>, usize), Refusal> {
    let mut ends: Vec<Option<End>> = vec![None; count];
    let mut again: Vec<usize> = (0..count).collect();
    let mut steps = 0;
    for level in 0..LEVELS {
        let make = || Tracker::new(homotopy, Care::level(level));
        let work = |tracker: &mut Tracker, k: usize| {
            let end = run(tracker, begin(again[k]));
            (end, tracker.steps)
        };
        let found = each(again.len(), options.threads, options.stop, make, work).ok_or(Refusal::Cancelled)?;
        for (k, (end, taken)) in again.iter().zip(found) {
            ends[*k] = Some(end);
            steps += taken;
        }
        let known: Vec<&End> = ends.iter().flatten().collect();
        again = met(homotopy, &known, level == 0);
        again.extend((0..count).filter(|k| known[*k].kind == EndKind::Lost));
        again.sort_unstable();
        if again.is_empty() {
            break;
        }
    }
    // Regular ends that still meet after all care are lost; where paths ended at singular points is left as it is.
    for k in again {
        if let Some(end) = ends[k].as_mut().filter(|end| end.kind == EndKind::Regular) {
            end.kind = EndKind::Lost;
        }
    }
    Ok((ends.into_iter().flatten().collect(), steps))
}

/// Ends that cannot be right: regular ones that are the same, and singular ones where fewer paths end than wind about them; after the `first` level
/// finite singular ones too, which may be the middle of several roots that are near.
fn met(homotopy: &Homotopy, ends: &[&End], first: bool) -> Vec<usize> {
    let of = |regular: bool| -> Vec<Vec<usize>> {
        let wanted = |end: &&End| (end.kind == EndKind::Regular) == regular && end.kind != EndKind::Lost;
        let normal: Vec<_> = ends.iter().map(|e| wanted(e).then(|| normalised(homotopy, &e.x))).collect();
        alike(&normal)
    };
    let few = |group: &Vec<usize>| match ends[group[0]].kind {
        EndKind::Singular(turns) => {
            let finite = finiteness(homotopy, &ends[group[0]].x) > INFINITE_SINGULAR;
            turns > group.len() || first && finite
        }
        _ => false,
    };
    let twice = of(true).into_iter().filter(|group| group.len() > 1);
    twice.chain(of(false).into_iter().filter(few)).flatten().collect()
}

/// Points of a projective space in one choice of scale: each group of length one, turned so that its products with fixed numbers add up
/// to what is positive.
fn normalised(homotopy: &Homotopy, x: &[Complex]) -> Vec<Complex> {
    let mut y = x.to_vec();
    for group in &homotopy.groups {
        let mut random = Random(77);
        let sum: Complex = group.iter().map(|k| x[*k] * Complex::random(&mut random)).sum();
        let size = group.iter().map(|k| x[*k].norm2()).sum::<f64>().sqrt();
        let scale = sum.conjugate().times(1.0 / (size * sum.norm()));
        group.iter().for_each(|k| y[*k] = x[*k] * scale);
    }
    y
}

/// Numbers of points that are the same.
fn alike(points: &[Option<Vec<Complex>>]) -> Vec<Vec<usize>> {
    // By one number that a point has, which is nearly the same for those that are.
    let mut order: Vec<(f64, usize)> = Vec::new();
    for (k, point) in points.iter().enumerate() {
        if let Some(x) = point {
            let mut random = Random(78);
            order.push((x.iter().map(|z| z.re * random.signed() + z.im * random.signed()).sum(), k));
        }
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut taken = vec![false; points.len()];
    for (place, &(mark, k)) in order.iter().enumerate() {
        if std::mem::replace(&mut taken[k], true) {
            continue;
        }
        let mut group = vec![k];
        let Some(x) = &points[k] else { continue };
        let size = length(x);
        let reach = mark + 2.0 * SAME * size * (x.len() as f64);
        for &(other, j) in &order[place + 1..] {
            if other > reach {
                break;
            }
            let same = points[j].as_ref().is_some_and(|y| crate::complex::distance(x, y) < SAME * size);
            if same && !taken[j] {
                taken[j] = true;
                group.push(j);
            }
        }
        groups.push(group);
    }
    groups
}

/// Sorts ends into roots, infinity and singular points, and certifies roots.
fn account(system: &System, structure: &Structure, h: &Homotopy, ends: Vec<End>, steps: usize) -> Solutions {
    let n = system.len();
    let mut account = Account { paths: ends.len() as u64, ..Account::default() };
    let mut roots: Vec<Root> = Vec::new();
    let mut finite: Vec<(Vec<Complex>, f64)> = Vec::new();
    for end in ends {
        let least = finiteness(h, &end.x);
        let mut affine = end.x.clone();
        for (g, group) in h.groups.iter().enumerate() {
            let scale = end.x[n + g].inverse();
            group.iter().for_each(|k| affine[*k] *= scale);
        }
        affine.truncate(n);
        match end.kind {
            EndKind::Lost => account.lost += 1,
            EndKind::Regular if least < INFINITE => account.infinite += 1,
            EndKind::Regular => match certify(system, &affine) {
                Some(root) => {
                    account.regular += 1;
                    roots.push(root);
                }
                None => account.lost += 1,
            },
            EndKind::Singular(_) if least < INFINITE_SINGULAR.max(10.0 * end.error) => account.infinite += 1,
            EndKind::Singular(_) => {
                account.singular += 1;
                finite.push((affine, end.error));
            }
        }
    }
    // Boxes that meet hold one root each, but perhaps the same: the second is not counted.
    while let Some((_, second)) = together(&roots) {
        roots.remove(second);
        account.regular -= 1;
        account.lost += 1;
    }
    let points: Vec<Option<Vec<Complex>>> = finite.iter().map(|f| Some(f.0.clone())).collect();
    let one = |group: &Vec<usize>| Singular {
        x: finite[group[0]].0.clone(),
        paths: group.len(),
        error: group.iter().map(|k| finite[*k].1).fold(0.0, f64::max),
    };
    let singular = alike(&points).iter().map(one).collect();
    let bound = structure.count().unwrap_or(u64::MAX);
    let certificate = Certificate { structure: structure.clone(), bound, account, roots };
    Solutions { certificate, singular, steps }
}
