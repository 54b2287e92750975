//! Every posture of random arms: proved, as many as the literature counts, and none missing that Newton's method finds from random starts.

#![allow(non_snake_case)] // p_B: docs/notation.md.

mod common;

use biela::drivers::Attitude;
use biela::math::dense::Matrix;
use biela::math::random::Random;
use biela::math::{Pose, Rotation, Vec3};
use biela::motion::Motion;
use biela::solve::assembly_modes::{self, Modes};
use biela::solve::ik::{self, Task};
use common::cases::parse;

/// A row of Denavit and Hartenberg (standard): whether it slides, a, α, d, θ.
type Row = (bool, [f64; 4]);

/// Step of differences, and how far a posture may be off by them: their square over the smallest slope that counts as regular.
const H: f64 = 1e-6;
/// Postures found twice, by roots and by search.
const AGAIN: f64 = 1e-5;
/// Pose that counts as reached by the search.
const REACHED: f64 = 1e-10;

fn by_rows(rows: &[Row], q: &[f64]) -> Pose {
    let step = |pose: Pose, ((slides, [a, alpha, d, theta]), q): (&Row, &f64)| {
        let (theta, d) = if *slides { (*theta, d + q) } else { (theta + q, *d) };
        let turn = Pose::new(Rotation::from_rpy(0.0, 0.0, theta), Vec3::new(0.0, 0.0, d));
        pose * turn * Pose::new(Rotation::from_rpy(*alpha, 0.0, 0.0), Vec3::new(*a, 0.0, 0.0))
    };
    rows.iter().zip(q).fold(Pose::IDENTITY, step)
}

/// An arm whose joints slide where a letter is P, and a posture.
fn arm(sorts: &str, random: &mut Random) -> (Vec<Row>, Vec<f64>) {
    let row = |c: char, random: &mut Random| {
        let numbers = [random.signed(), 3.1 * random.signed(), random.signed(), 3.1 * random.signed()];
        (c == 'P', numbers)
    };
    let rows: Vec<Row> = sorts.chars().map(|c| row(c, random)).collect();
    let q = rows.iter().map(|r| if r.0 { random.signed() } else { 3.1 * random.signed() }).collect();
    (rows, q)
}

/// All postures that bring the last link where one of them has it.
fn postures(rows: &[Row], q: &[f64]) -> Modes {
    let link = |(slides, [a, alpha, d, theta]): &Row| {
        let kind = if *slides { "prismatic" } else { "revolute" };
        format!("{{ type = \"{kind}\", a = {a:?}, alpha = {alpha:?}, d = {d:?}, theta = {theta:?} }}")
    };
    let links: Vec<String> = rows.iter().map(link).collect();
    let model = parse(&format!("arm = {{ convention = \"standard\", links = [\n{}] }}\n", links.join(",\n")));
    let goal = by_rows(rows, q);
    let still = |x: f64| Some(Motion::Constant(x));
    let Vec3 { x, y, z } = goal.origin;
    let (body, p_B) = ik::tool(&model, &format!("link{}", rows.len())).expect("a tool");
    let attitude = Attitude::Euler(Box::new(goal.rotation.euler_parameters().0.map(Motion::Constant)));
    let place = [still(x), still(y), still(z)];
    let task = Task { body, p_B, place, attitude: Some(attitude), times: vec![0.0] };
    let swapped = ik::with_tool(&model, &task, &[]).expect("an arm");
    assembly_modes::postures(&model, &swapped, &task, &[], 0.0).unwrap_or_else(|e| panic!("{e}"))
}

/// How far a pose is from a goal: the way and the turn between them.
fn away(there: &Pose, goal: &Pose) -> [f64; 6] {
    let way = goal.origin - there.origin;
    let turn = (goal.rotation * there.rotation.transposed()).euler_parameters().rotation_vector();
    let [a, b, c] = way.to_array();
    let [d, e, f] = turn.to_array();
    [a, b, c, d, e, f]
}

/// Newton's method by differences from a posture: where it ends, with the least singular value there.
fn searched(rows: &[Row], goal: &Pose, q: &mut [f64]) -> Option<f64> {
    for _ in 0..40 {
        let here = by_rows(rows, q);
        let off = away(&here, goal);
        let mut slopes = Matrix::zeros(6, 6);
        for k in 0..6 {
            let mut there = q.to_vec();
            there[k] += H;
            let there = away(&here, &by_rows(rows, &there));
            there.iter().enumerate().for_each(|(i, x)| slopes.row_mut(i)[k] = x / H);
        }
        if off.iter().fold(0.0f64, |m, x| m.max(x.abs())) < REACHED {
            let values = slopes.singular_values();
            return Some(values[5] / values[0]);
        }
        let mut step = off;
        slopes.lu()?.solve(&mut step);
        let longest = step.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let share = (1.0 / longest).min(1.0);
        q.iter_mut().zip(step).for_each(|(q, s)| *q += share * s);
    }
    None
}

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// `BIELA_ARMS=1000 BIELA_STARTS=2000` for the large one.
#[test]
fn no_posture_that_a_search_finds_is_missing() {
    let (arms, starts) = (number("BIELA_ARMS", 20), number("BIELA_STARTS", 60));
    let mut random = Random(17);
    let (mut met, mut proved, mut most) = (0, 0, 0);
    for case in 0..arms {
        let (rows, q) = arm("RRRRRR", &mut random);
        let found = postures(&rows, &q);
        proved += usize::from(found.complete);
        most = most.max(found.modes.len());
        if found.complete {
            assert_eq!((found.complex, found.modes.len() % 2), (Some(16), 0), "arm {case}: {}", found.proof);
        }
        let goal = by_rows(&rows, &q);
        for start in 0..=starts {
            // The posture that is meant, and then any.
            let mut at: Vec<f64> = q.iter().map(|q| if start == 0 { *q } else { 3.2 * random.signed() }).collect();
            // Near singular postures neither method tells places to many digits.
            let Some(regular) = searched(&rows, &goal, &mut at).filter(|least| *least > 1e-4) else { continue };
            let off = |m: &assembly_modes::Mode| {
                m.coordinates.iter().zip(&at).map(|(a, b)| (0.5 * (a - b)).sin().abs()).fold(0.0f64, f64::max)
            };
            let nearest = found.modes.iter().map(off).fold(f64::INFINITY, f64::min);
            assert!(nearest < AGAIN, "arm {case}, {regular:e}: {at:?} is {nearest:e} from any; {}", found.proof);
            met += 1;
        }
    }
    println!("{arms} arms, {proved} proved, at most {most} postures; {met} ends of {starts} starts each, all listed");
    assert!(met > arms * starts / 20 && proved * 100 >= arms * 99, "{met} {proved}");
}

/// Counts for general arms: M. Raghavan and B. Roth, Inverse kinematics of the general 6R manipulator and related linkages, 1993.
#[test]
fn arms_with_slides_have_the_counts_of_the_literature() {
    let mut random = Random(23);
    for (slides, count) in [(0, 16), (1, 16), (2, 8), (3, 2)] {
        for places in 0u32..64 {
            // All places of one slide and some of more.
            if places.count_ones() != slides || slides > 1 && places % 5 != 0 {
                continue;
            }
            let sorts: String = (0..6).map(|k| if places >> k & 1 == 1 { 'P' } else { 'R' }).collect();
            let (rows, q) = arm(&sorts, &mut random);
            let found = postures(&rows, &q);
            assert!(found.complete, "{sorts}: {}", found.proof);
            assert_eq!(found.complex, Some(count), "{sorts}: {}", found.proof);
            let goal = by_rows(&rows, &q);
            for mode in &found.modes {
                let off = away(&by_rows(&rows, &mode.coordinates), &goal);
                assert!(off.iter().all(|x| x.abs() < REACHED * 10.0), "{sorts}: {off:?}");
            }
            let meant = |m: &assembly_modes::Mode| {
                let off =
                    |((r, a), b): ((&Row, &f64), &f64)| if r.0 { (a - b).abs() } else { (0.5 * (a - b)).sin().abs() };
                rows.iter().zip(&m.coordinates).zip(&q).map(off).fold(0.0f64, f64::max) < AGAIN
            };
            assert!(found.modes.iter().any(meant), "{sorts}");
        }
    }
}
