//! Writes the table of four-bars through nine points anew: one drawn at random leads to all others by monodromy.

use biela_math::random::Random;
use biela_roots::families::four_bars::{drawn, four_bars, general, mark, CURVES, FOUR_BAR};
use biela_roots::Options;

/// Loops without anything new after which all are taken to be known.
const LOOPS: usize = 3;

fn main() {
    let family = four_bars(9, &[]).expect("nine");
    let options = Options { threads: 2, most_paths: 5000, ..Options::default() };
    let mut random = Random(4);
    let (root, from) = drawn(9, &[], &mut random);
    let to = general();
    let begun = std::time::Instant::now();
    let one = family.follow(&[root], &from, &to, &options).expect("not stopped").roots;
    println!("{} root(s) to begin with", one.len());
    let all = family.monodromy_of_classes(&one, &to, (LOOPS, CURVES + 1), &mark, &options).expect("not stopped");
    println!("{} curves, {:.1} s", all.len(), begun.elapsed().as_secs_f64());
    let member = family.at(&to).expect("a member");
    assert!(all.iter().all(|x| x.len() == FOUR_BAR && member.certify(x).is_some()));
    let bytes: Vec<u8> =
        all.iter().flatten().flat_map(|z| [z.re, z.im]).flat_map(|x| (x as f32).to_le_bytes()).collect();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families/four_bars.bin");
    std::fs::write(path, bytes).expect("written");
}
