//! Certificates hold what is true and refuse what is not.

mod systems;

use biela_roots::{certify, solve, Complex, Fault, Options, Polynomial, Structure, System};
use systems::{katsura, number, variable, Platform};

#[test]
fn wrong_certificates_are_refused() {
    let (system, structure) = Platform::dietmaier().equations();
    let right = solve(&system, &structure, &Options::default()).expect("solvable").certificate;
    assert_eq!(right.check(&system), Ok(()));

    // A root that is moved by a millionth.
    let mut moved = right.clone();
    moved.roots[17].x[2] += Complex::new(1e-6, 0.0);
    assert_eq!(moved.check(&system), Err(Fault::Root(17)));
    // One left out: its path is missing; one left out and its path told as one at infinity, which only counting paths cannot see.
    let mut fewer = right.clone();
    fewer.roots.pop();
    assert_eq!(fewer.check(&system), Err(Fault::Count));
    fewer.account.regular -= 1;
    assert_eq!(fewer.check(&system), Err(Fault::Count));
    // A path that was never followed.
    let mut short = right.clone();
    short.account.paths -= 1;
    short.account.infinite -= 1;
    assert_eq!(short.check(&system), Err(Fault::Count));
    // A smaller bound that the short account reaches.
    short.bound -= 1;
    assert_eq!(short.check(&system), Err(Fault::Bound(Some(84))));
    // The same root twice in place of two.
    let mut twice = right.clone();
    twice.roots[5] = twice.roots[9].clone();
    assert_eq!(twice.check(&system), Err(Fault::Together(5, 9)));
    // A real root told as one that is not.
    let mut unreal = right.clone();
    unreal.roots[3].real = false;
    assert_eq!(unreal.check(&system), Err(Fault::Reality(3)));
    // A path that is lost.
    let mut lost = right.clone();
    lost.account.infinite -= 1;
    lost.account.lost += 1;
    assert_eq!(lost.check(&system), Err(Fault::Count));
    // Another platform's certificate, and another system's.
    let (other, _) = Platform::random(4).equations();
    assert!(matches!(right.check(&other), Err(Fault::Root(_))));
    assert_eq!(right.check(&katsura(6)), Err(Fault::Structure));
}

#[test]
fn complex_roots_are_not_told_as_real() {
    let system = katsura(4);
    let found = solve(&system, &Structure::total_degree(&system), &Options::default()).expect("solvable");
    for k in 0..found.roots().len() {
        let mut told = found.certificate.clone();
        told.roots[k].real = !told.roots[k].real;
        assert_eq!(told.check(&system), Err(Fault::Reality(k)));
    }
    let both = found.real().count();
    assert!(0 < both && both < found.roots().len());
}

#[test]
fn boxes_hold_the_roots_that_are_known() {
    // Wilkinson's polynomial of degree 7: roots 1 … 7, coefficients exact.
    let x = variable(0);
    let product = (1..=7).fold(number(1.0), |p, k| p * (x.clone() - number(f64::from(k))));
    let system = System::new(vec![product]).expect("square");
    for k in 1..=7 {
        let root = certify(&system, &[Complex::new(f64::from(k) + 1e-4, 1e-4)]).expect("a simple root");
        assert!(root.real && (root.x[0].re - f64::from(k)).abs() <= root.radius, "{root:?}");
        // Rounding of the coefficients' sums: a root of condition 1e4 is still known to 1e-10.
        assert!(root.radius < 1e-9);
    }
    // A double root has no box, and neither has a point that is no root.
    let double = System::new(vec![(x.clone() - number(2.0)).square()]).expect("square");
    assert!(certify(&double, &[Complex::new(2.0 + 1e-9, 0.0)]).is_none());
    let none = System::new(vec![x.square() + number(1.0)]).expect("square");
    assert!(certify(&none, &[Complex::new(0.0, 0.0)]).is_none());
}

#[test]
fn roots_that_nearly_meet_are_kept_apart() {
    // (x − 1)² = ε: two real roots √ε beside 1, or two that are not real.
    for (epsilon, real) in [(1e-12, 2), (-1e-12, 0)] {
        let x = variable(0);
        let p: Polynomial = (x.clone() - number(1.0)).square() - number(epsilon);
        let system = System::new(vec![p]).expect("square");
        let found = solve(&system, &Structure::total_degree(&system), &Options::default()).expect("solvable");
        assert_eq!((found.roots().len(), found.real().count()), (2, real), "{found:?}");
        assert_eq!(found.certificate.check(&system), Ok(()));
    }
}
