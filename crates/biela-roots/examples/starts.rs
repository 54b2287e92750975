//! Writes the tables of `src/families/` anew: all roots of the general members.

use biela_roots::{certify, families, solve, Factor, Options, Structure};
use std::fmt::Write;

fn main() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families");
    let halves = vec![vec![0, 1, 2, 6, 7, 8], vec![3, 4, 5, 9, 10, 11]];
    let all = Factor { group: 0, variables: (0..7).collect() };
    let turn = Factor { group: 0, variables: (0..3).collect() };
    for (name, known) in [("arm_roots", families::arms()), ("platform_roots", families::platforms())] {
        let member = known.family().member(known.parameters()).expect("a system");
        let structure = match name {
            "arm_roots" => Structure::grouped(&member, halves.clone()),
            _ => {
                let mut factors = vec![vec![all.clone(), all.clone()]];
                factors.resize(7, vec![turn.clone(), all.clone()]);
                Structure::product(&member, vec![(0..7).collect()], factors).expect("of this structure")
            }
        };
        let options = Options { threads: 2, ..Options::default() };
        let found = solve(&member, &structure, &options).expect("solvable");
        println!("{name}: {} roots, {:?}", found.roots().len(), found.certificate.account);
        assert!(found.is_complete() && found.roots().iter().all(|r| certify(&member, &r.x).is_some()));
        let numbers: Vec<f64> = found.roots().iter().flat_map(|r| r.x.iter().flat_map(|z| [z.re, z.im])).collect();
        let mut text = format!("//! Roots of the general member, one after the other: real and imaginary parts.\n\npub(super) const ROOTS: [f64; {}] = [\n", numbers.len());
        for row in numbers.chunks(5) {
            let row: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
        text += "];\n";
        std::fs::write(folder.join(format!("{name}.rs")), text).expect("written");
    }
}
