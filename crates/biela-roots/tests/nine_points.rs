//! Four-bars through nine points, against counts in the literature.

use biela_math::random::Random;
use biela_roots::families::four_bars::{
    cognates, drawn, four_bars, mark, nine_points, through_nine_points, Given, Place, CURVES,
};
use biela_roots::{Complex, Options, Root};

/// Nine points as parameters: ways from the first, then their conjugates.
fn parameters(points: &[[f64; 2]; 9]) -> Vec<Complex> {
    let [x, y] = points[0];
    let way = |sign: f64| points[1..].iter().map(move |p| Complex::new(p[0] - x, sign * (p[1] - y)));
    way(1.0).chain(way(-1.0)).collect()
}

fn solved(points: &[[f64; 2]; 9]) -> Vec<Root> {
    let options = Options { threads: 2, ..Options::default() };
    let (roots, account) = through_nine_points(&parameters(points), &options).expect("not stopped");
    assert_eq!((account.paths, account.lost), (CURVES as u64, 0), "{account:?}");
    roots
}

#[test]
fn sixty_four_real_curves_pass_the_points_of_the_third_problem() {
    // Wampler, Morgan and Sommese 1992, problem 3, counted anew with certificates by Hauenstein and Sottile 2012: 64 of 1442.
    let points = [
        [0.25, 0.0],
        [0.52, 0.1],
        [0.8, 0.7],
        [1.2, 1.0],
        [1.4, 1.3],
        [1.1, 1.48],
        [0.7, 1.4],
        [0.2, 1.0],
        [0.02, 0.4],
    ];
    let roots = solved(&points);
    assert_eq!((roots.len(), roots.iter().filter(|r| r.real).count()), (CURVES, 64));
    // All six roots of each curve are roots, and those of a real one are real.
    let member = nine_points().family().at(&parameters(&points)).expect("a member");
    for root in roots.iter().filter(|r| r.real) {
        assert!(cognates(&root.x).iter().all(|x| member.certify(x).is_some_and(|r| r.real)));
    }
}

#[test]
fn scaled_points_have_the_same_curves() {
    // The same points in other units, where one path in 1442 ends at a root that is hard to tell from a singular one.
    let points = [
        [0.25, 0.0],
        [0.52, 0.1],
        [0.8, 0.7],
        [1.2, 1.0],
        [1.4, 1.3],
        [1.1, 1.48],
        [0.7, 1.4],
        [0.2, 1.0],
        [0.02, 0.4],
    ]
    .map(|p| p.map(|x| x / 1.75));
    let roots = solved(&points);
    assert_eq!((roots.len(), roots.iter().filter(|r| r.real).count()), (CURVES, 64));
}

#[test]
fn random_points_have_as_many_curves() {
    let mut random = Random(11);
    for _ in 0..3 {
        let points = [(); 9].map(|()| [random.signed(), random.signed()]);
        assert_eq!(solved(&points).len(), CURVES);
    }
}

#[test]
fn a_drawn_linkage_and_its_cognates_are_roots_of_their_member() {
    let given = [Given::Pivot(0, 0), Given::Pivot(1, 1), Given::Distance(Place::A, Place::X)];
    let mut random = Random(3);
    for list in [&[][..], &given] {
        let points = 9 - list.len();
        let (root, own) = drawn(points, list, &mut random);
        let family = four_bars(points, list).expect("nine conditions");
        let member = family.at(&own).expect("a member");
        assert!(member.certify(&root).is_some());
        // The equations as they are computed are those multiplied out.
        let size: f64 = root.iter().map(|z| z.norm()).sum();
        if !list.is_empty() {
            let expanded = family.member(&own).expect("a system");
            assert!(expanded.value(&root).iter().all(|v| v.norm() < 1e-10 * size.powi(8)));
        } else {
            let marked = mark(&root);
            for other in cognates(&root) {
                assert!(member.certify(&other).is_some());
                let off = marked.iter().zip(mark(&other)).map(|(a, b)| (*a - b).norm()).fold(0.0, f64::max);
                assert!(off < 1e-9 * marked.iter().map(|m| m.norm()).fold(1.0, f64::max), "{off}");
            }
        }
    }
}
