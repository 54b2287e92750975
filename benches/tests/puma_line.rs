//! The PUMA on its line: the plan and the motion under its torques against independent figures.

use biela::tree::ALGORITHMS;
use biela_benches::puma_line::{arm, simulate, table, Plan, PAPER};

fn reference(file: &str) -> String {
    let path = format!("{}/../crates/biela/tests/reference/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a reference")
}

/// The numbers of the first list after a key.
fn list(text: &str, key: &str, from: &str) -> Vec<f64> {
    let text = &text[text.find(from).expect("a part")..];
    let text = &text[text.find(key).expect("a key")..];
    let (open, close) = (text.find('[').expect("a list"), text.find(']').expect("its end"));
    text[open + 1..close].split(',').map(|x| x.trim().parse().expect("a number")).collect()
}

#[test]
fn the_plan_is_that_of_the_closed_form() {
    let text = reference("puma_004.json");
    let rows = &text[text.find("\"rows\"").expect("rows") + 9..];
    let mut plan = Plan::new(&arm());
    for row in rows.split('[').skip(1).take(11) {
        let row = &row[..row.find(']').expect("its end")];
        let x: Vec<f64> = row.split(',').map(|x| x.trim().parse().expect("a number")).collect();
        let [q, v, a] = plan.at(x[0]);
        let mut tau = vec![0.0; 6];
        plan.torques(x[0], &mut tau);
        for (found, wanted, digits) in
            [(&q, &x[1..7], 1e-12), (&v, &x[7..13], 1e-12), (&a, &x[13..19], 1e-11), (&tau, &x[19..25], 1e-9)]
        {
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found - wanted).abs() < digits, "t = {}: {found} {wanted}", x[0]);
            }
        }
    }
}

#[test]
fn motion_under_the_torques_strays_from_the_line_no_more_than_elsewhere() {
    let text = reference("puma_line.json");
    // Errors grow by 1e9: figures of two integrators of one tolerance agree in their order of magnitude. At 1e-12 rounding
    // takes part.
    for (tolerance, key) in [(1e-9, "dp_ABA_tol1e-09"), (1e-12, "dp_ABA_tol1e-12")] {
        for by in ALGORITHMS {
            let found = simulate(by.keyword, tolerance).expect("a motion");
            for (level, name) in ["mean_abs_dq\"", "mean_abs_dqd\"", "mean_abs_dqdd\""].into_iter().enumerate() {
                let theirs: f64 = list(&text, name, key).iter().sum();
                let ours: f64 = found.means[level].iter().sum();
                assert!(ours < 10.0 * theirs, "{}, {tolerance:e}: {ours:e}, elsewhere {theirs:e}", by.keyword);
            }
        }
    }
    // At the paper's tolerance all algorithms give the same motion and, but for a few steps, take the same evaluations, fewer than in
    // the paper: roundings that grow by 1e9 tip a step of seven evaluations over its bound now and then.
    const TIPPED: usize = 5 * 7;
    let all: Vec<_> = ALGORITHMS.iter().map(|by| simulate(by.keyword, 1e-6).expect("a motion")).collect();
    for one in &all {
        assert!(
            one.evaluations.abs_diff(all[0].evaluations) <= TIPPED,
            "{} and {}",
            one.evaluations,
            all[0].evaluations
        );
        assert!(one.evaluations < 1089 && one.evaluations > 150);
        for (a, b) in one.means.iter().flatten().zip(all[0].means.iter().flatten()) {
            assert!((a - b).abs() < 1e-4 * b, "{a} {b}");
        }
    }
}

#[test]
fn the_paper_is_copied_right() {
    let text = reference("puma_line.json");
    for (level, key) in ["\"q\"", "\"v\"", "\"a\""].into_iter().enumerate() {
        assert_eq!(list(&text, key, "\"paper\""), PAPER[level]);
    }
}

#[test]
fn the_table_in_the_document_is_the_computed_one() {
    let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/performance.md")).expect("it");
    assert!(document.contains(&table()), "run puma_line and copy what it prints into docs/performance.md");
}
