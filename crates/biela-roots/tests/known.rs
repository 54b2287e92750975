//! Systems whose roots have been counted by others.

mod systems;

use biela_roots::{solve, Complex, Options, Polynomial, Solutions, Structure, System};
use systems::{cyclic, katsura, noon, number, rotated_product, three_rpr, variable, Arm, Platform};

fn solved(system: &System, structure: &Structure) -> Solutions {
    let found = solve(system, structure, &Options::default()).expect("solvable");
    found.certificate.check(system).unwrap_or_else(|e| panic!("{e}: {:?}", found.certificate.account));
    found
}

#[test]
fn cyclic_five_has_seventy_roots() {
    // Backelin and Fröberg 1991. The other 50 of 120 paths go to infinity.
    let system = cyclic(5);
    let found = solved(&system, &Structure::total_degree(&system));
    let a = found.certificate.account;
    assert_eq!((a.paths, a.regular, a.infinite), (120, 70, 50));
}

#[test]
fn katsura_has_powers_of_two() {
    for n in 2..7 {
        let system = katsura(n);
        let found = solved(&system, &Structure::total_degree(&system));
        assert_eq!(found.roots().len(), 1 << n, "katsura-{n}");
    }
}

#[test]
fn noon_three_has_twenty_one_roots() {
    // Noonburg 1989: 3³ paths, 21 finite roots.
    let system = noon(3);
    let found = solved(&system, &Structure::total_degree(&system));
    assert_eq!((found.roots().len(), found.certificate.account.infinite), (21, 6));
}

#[test]
fn a_three_rpr_platform_has_six_postures() {
    // In isotropic coordinates the count by groups is exact.
    let system = three_rpr();
    let found = solved(&system, &Structure::grouped(&system, vec![vec![0, 2], vec![1, 3]]));
    assert_eq!((found.roots().len(), found.certificate.bound), (6, 6));
    // Read as pairs of conjugates, real postures are proved to be real: those whose angle is a real one.
    let paired = system.clone().with_conjugates(vec![1, 0, 3, 2]);
    assert!(!system.is_real() && paired.is_real());
    let again = solved(&paired, &found.certificate.structure);
    let real = again.roots().iter().filter(|r| r.real).count();
    let on_circle = found.roots().iter().filter(|r| (r.x[2].norm() - 1.0).abs() < 1e-9).count();
    assert!(real > 0 && real == on_circle, "{real} {on_circle}");
}

#[test]
fn a_circle_meets_a_coupler_curve_in_six_points() {
    // A four-bar's coupler point P on a circle: a sextic with triple points at the circular points, so 2·6 − 6 common ones. The same linkage as
    // three links to a triangle, two of which are the four-bar's cranks: exchange crank and legs, and it is a 3-RPR platform.
    let [x, y, c, s] = [0, 1, 2, 3].map(variable);
    let leg = |a: [f64; 2], b: [f64; 2], length: f64| {
        let p = x.clone() + c.scaled(b[0]) - s.scaled(b[1]) - number(a[0]);
        let q = y.clone() + s.scaled(b[0]) + c.scaled(b[1]) - number(a[1]);
        p.square() + q.square() - number(length * length)
    };
    let turn = c.square() + s.square() - number(1.0);
    let legs = [leg([0.0, 0.0], [0.0, 0.0], 1.1), leg([2.0, 0.3], [1.5, 0.2], 1.3), leg([0.7, 1.9], [0.6, 1.0], 1.2)];
    let [first, second, third] = legs;
    // Less the first, the others have no squares of x and y.
    let system =
        System::new(vec![turn.clone(), first.clone(), second - first.clone(), third - first.clone()]).expect("square");
    let found = solved(&system, &Structure::total_degree(&system));
    assert_eq!(found.roots().len(), 6, "{:?}", found.certificate.account);
}

#[test]
fn a_platform_on_six_legs_has_forty_postures() {
    // Ronga and Vust 1992, Lazard 1993. Any six legs do.
    for seed in [1, 2, 3] {
        let (system, structure) = Platform::random(seed).equations();
        let found = solved(&system, &structure);
        assert_eq!((found.certificate.bound, found.roots().len()), (84, 40), "{:?}", found.certificate.account);
    }
}

#[test]
fn dietmaiers_platform_has_forty_real_postures() {
    // P. Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures, 1998.
    let (system, structure) = Platform::dietmaier().equations();
    let found = solved(&system, &structure);
    assert_eq!((found.roots().len(), found.real().count()), (40, 40), "{:?}", found.certificate.account);
}

#[test]
fn manseurs_and_dotys_arm_has_sixteen_real_postures() {
    let (system, structure) = Arm::manseur_doty().equations();
    assert_eq!(structure.count(), Some(320));
    let found = solved(&system, &structure);
    assert_eq!((found.roots().len(), found.real().count()), (16, 16), "{:?}", found.certificate.account);
}

#[test]
fn a_spherical_platform_has_eight_postures() {
    // Three conditions u·(R v) = c on one rotation (Gosselin and Angeles 1989): quadrics in the quaternion's four homogeneous parts.
    let e0 = number(1.0) - variable(0).scaled(0.37) + variable(1).scaled(0.71) - variable(2).scaled(0.23);
    let e = [e0, variable(0), variable(1), variable(2)];
    let mut random = biela_math::random::Random(9);
    let condition = |_: usize| {
        let mut unit = || {
            let v = [(); 3].map(|()| random.signed());
            let size = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            v.map(|x| x / size)
        };
        rotated_product(&e, unit(), unit(), 0.3)
    };
    let system = System::new((0..3).map(condition).collect()).expect("square");
    let found = solved(&system, &Structure::total_degree(&system));
    assert_eq!((found.certificate.bound, found.roots().len()), (8, 8));
}

#[test]
fn multiple_roots_are_singular_ends() {
    // (x − 1)² = 0 with y = x: one point where two paths end.
    let line = variable(1) - variable(0);
    let system = System::new(vec![(variable(0) - number(1.0)).square(), line]).expect("square");
    // Whatever the start.
    for seed in 1..40 {
        let options = Options { seed, ..Options::default() };
        let found = solve(&system, &Structure::total_degree(&system), &options).expect("solvable");
        assert_eq!((found.certificate.account.singular, found.singular.len()), (2, 1), "{seed}: {found:?}");
        assert_eq!(found.singular[0].paths, 2);
        let one = Complex::ONE;
        assert!(found.singular[0].x.iter().all(|z| (*z - one).norm() < 1e-6), "{seed}: {:?}", found.singular);
        assert!(found.is_complete() && found.roots().is_empty());
    }
}

#[test]
fn a_curve_of_roots_is_told_by_singular_ends() {
    // x (x + y) = 0 and x (x − y − 1) = 0 hold on the whole line x = 0; the one isolated root is (1/2, −1/2).
    let [x, y] = [variable(0), variable(1)];
    let first = x.clone() * (x.clone() + y.clone());
    let second = x.clone() * (x.clone() - y - number(1.0));
    let system = System::new(vec![first, second]).expect("square");
    let found = solve(&system, &Structure::total_degree(&system), &Options::default()).expect("solvable");
    let roots: Vec<Vec<f64>> = found.real().collect();
    assert_eq!(roots.len(), 1);
    assert!((roots[0][0] - 0.5).abs() < 1e-12 && (roots[0][1] + 0.5).abs() < 1e-12);
    assert!(found.singular.iter().all(|s| s.x[0].norm() < 1e-6));
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let (system, structure) = Platform::random(5).equations();
    let on = |threads| solve(&system, &structure, &Options { threads, ..Options::default() }).expect("solvable");
    assert_eq!(on(1), on(2));
    assert_eq!(on(1), on(5));
}

#[test]
fn work_is_bounded_and_can_be_stopped() {
    let system = cyclic(5);
    let structure = Structure::total_degree(&system);
    let few = Options { most_paths: 100, ..Options::default() };
    assert_eq!(solve(&system, &structure, &few).unwrap_err(), biela_roots::Refusal::Paths(Some(120)));
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = Options { stop: Some(&stop), ..Options::default() };
    assert_eq!(solve(&system, &structure, &stopped).unwrap_err(), biela_roots::Refusal::Cancelled);
    assert!(System::new(vec![Polynomial::constant(1.0)]).is_err());
}
