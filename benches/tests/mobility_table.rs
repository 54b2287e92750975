//! The mobility table of docs/theory.md against what is computed, and that against independent answers.

use biela_benches::mobility::{table, CASES};

#[test]
fn the_table_in_the_theory_is_the_computed_one() {
    let theory = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/theory.md")).unwrap();
    assert!(theory.contains(&table()), "run mobility_table and copy what it prints into docs/theory.md");
}

#[test]
fn every_mechanism_is_what_its_source_says() {
    assert!(CASES.len() >= 25);
    for case in CASES {
        let report = case.report();
        let motion = &report.motion;
        assert_eq!(report.grubler, case.grubler, "{}: Grübler", case.name);
        assert_eq!(motion.mobility, Some(case.mobility), "{}: mobility", case.name);
        assert_eq!(report.instantaneous_mobility, case.drawn.unwrap_or(case.mobility), "{}: as drawn", case.name);
        // Each redundant equation is one that the count takes off too many; one more for each freedom that trembles.
        let trembling = motion.generic_mobility - case.mobility;
        let redundant = case.mobility as i64 - case.grubler + trembling as i64;
        assert_eq!(motion.redundancies as i64, redundant, "{}: redundant", case.name);
        let listed: usize = report.redundant.iter().map(|r| r.1.len()).sum();
        assert_eq!(listed, motion.redundancies, "{}: list of redundant components", case.name);
        let grouped: usize = motion.groups.as_ref().unwrap().iter().map(|g| g.0).sum();
        assert_eq!(grouped, motion.redundancies, "{}: groups", case.name);
        let open = motion.reactions.as_ref().unwrap().indeterminate();
        assert_eq!(open.len(), case.open, "{}: not unique: {open:?}", case.name);
        assert!(motion.untold.is_empty(), "{}: {:?}", case.name, motion.untold);
    }
}
