//! Families of systems: roots of one member lead to those of another.

mod systems;

use biela_math::random::Random;
use biela_roots::{certify, families, Complex, Family, Options, Polynomial};
use systems::{number, variable, Arm, Platform};

/// Loops without anything new after which all roots are taken to be known.
const LOOPS: usize = 6;
/// Distance of roots computed twice: both are certified in boxes far smaller.
const SAME: f64 = 1e-8;

#[test]
fn monodromy_finds_all_roots_of_the_general_members_from_one() {
    for (known, count) in [(families::platforms(), 40), (families::arms(), 16)] {
        let member = known.family().member(known.parameters()).expect("a system");
        assert_eq!(known.roots().len(), count, "{}", known.source());
        assert!(known.roots().iter().all(|x| certify(&member, x).is_some()));
        let one = vec![known.roots()[3].clone()];
        let found =
            known.family().monodromy(&one, known.parameters(), (LOOPS, 100), &Options::default()).expect("not stopped");
        let off = |a: &[Complex], b: &[Complex]| a.iter().zip(b).map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max);
        assert_eq!(found.len(), count);
        assert!(found.iter().all(|x| known.roots().iter().any(|k| off(x, k) < SAME * 100.0)));
    }
}

#[test]
fn members_have_the_roots_that_their_own_equations_have() {
    let options = Options::default();
    let (roots, account) = families::platforms().solve(&Platform::dietmaier().parameters(), &options).expect("solved");
    assert_eq!((roots.len(), account.infinite, account.singular, account.lost), (40, 0, 0, 0));
    assert!(roots.iter().all(|r| r.real));
    for seed in 1..20 {
        let (roots, account) =
            families::platforms().solve(&Platform::random(seed).parameters(), &options).expect("solved");
        assert_eq!((roots.len(), account.lost), (40, 0), "{seed}");
    }
    let (roots, account) = families::arms().solve(&Arm::manseur_doty().parameters(), &options).expect("solved");
    assert_eq!((roots.len(), account.infinite, account.singular, account.lost), (16, 0, 0, 0));
    assert!(roots.iter().all(|r| r.real));
    for seed in 1..20 {
        let (roots, account) = families::arms().solve(&Arm::random(seed).parameters(), &options).expect("solved");
        assert_eq!((roots.len(), account.lost), (16, 0), "{seed}");
    }
}

#[test]
fn the_trace_tells_whether_sections_are_whole() {
    // A curve of degree 6 in space, a quadric and a cubic, cut by a plane that the last parameter moves along itself.
    let [x, y, z] = [0, 1, 2].map(variable);
    let quadric = x.square() + y.square().scaled(2.0) - z.square() + (x.clone() * z.clone()).scaled(0.3) - number(1.0);
    let cubic = x.clone() * x.square() + y.clone() * z.square() - (z.clone() * x.clone()).scaled(0.7)
        + number(0.4) * y.clone()
        - number(0.2);
    let plane = (0..3).fold(Polynomial::default(), |s, k| s + variable(k) * variable(3 + k)) - variable(6);
    let family = Family::new(3, vec![quadric, cubic, plane]).expect("square");
    let mut random = Random(5);
    let parameters: Vec<Complex> = (0..4).map(|_| Complex::random(&mut random)).collect();
    let member = family.member(&parameters).expect("a system");
    let options = Options::default();
    let structure = biela_roots::Structure::total_degree(&member);
    let begun = biela_roots::solve(&member, &structure, &options).expect("solvable");
    let one = vec![begun.roots()[0].x.clone()];
    let all = family.monodromy(&one, &parameters, (LOOPS, 100), &options).expect("not stopped");
    assert_eq!(all.len(), 6);
    // Over all six the trace is even but for rounding; without any of them it is not.
    let trace =
        |points: &[Vec<Complex>]| family.trace(points, &parameters, 3, &options).expect("ran").expect("arrived");
    assert!(trace(&all) < 1e-10, "{}", trace(&all));
    for left_out in 0..6 {
        let mut some = all.clone();
        some.remove(left_out);
        assert!(trace(&some) > 1e-4, "{left_out}: {}", trace(&some));
    }
}
