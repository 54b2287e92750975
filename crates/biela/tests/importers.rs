//! Damaged files: every importer answers with a document or an error, whatever the text.

use biela::source::Source;
use biela::text::{dh, thesis, urdf};

/// A small generator of the same numbers on every run (Knuth's MMIX constants).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// The text with a few pieces cut out, doubled, or overwritten.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    const PIECES: [&str; 12] = ["", "\"", "<", ">", "/>", "nan", "1e999", "-1", ",", "é", "\n", "0 0 0 0"];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + numbers.below(4) {
        let start = numbers.below(letters.len());
        let end = (start + numbers.below(12)).min(letters.len());
        let piece = PIECES[numbers.below(PIECES.len())];
        letters.splice(start..end, piece.chars());
    }
    letters.into_iter().collect()
}

const ROUNDS: usize = 3000;

#[test]
fn a_damaged_urdf_is_read_or_refused() {
    let text = include_str!("data/every-joint.urdf");
    let mut numbers = Numbers(1);
    let mut refused = 0;
    for round in 0..ROUNDS {
        let options = urdf::Options { lenient: round % 2 == 0, free_base: round % 3 == 0 };
        let result = urdf::read(&Source::new("robot.urdf", damaged(text, &mut numbers)), &options);
        refused += usize::from(result.map_err(|error| error.to_string()).is_err());
    }
    assert!(refused > ROUNDS / 2 && refused < ROUNDS, "{refused} of {ROUNDS}");
}

#[test]
fn damaged_files_of_the_thesis_are_read_or_refused() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/thesis/slider-crank-purged");
    let whole = thesis::ThesisFiles::load(&folder).unwrap();
    let mut numbers = Numbers(2);
    let mut refused = 0;
    for round in 0..ROUNDS {
        let mut files = whole.clone();
        let file =
            [&mut files.general, &mut files.joints, &mut files.drivers, &mut files.q0].into_iter().nth(round % 4);
        if let Some(file) = file {
            *file = Source::new("damaged.txt", damaged(&file.text, &mut numbers));
        }
        refused += usize::from(thesis::read(&files).map_err(|error| error.to_string()).is_err());
    }
    assert!(refused > ROUNDS / 4 && refused < ROUNDS, "{refused} of {ROUNDS}");
}

#[test]
fn a_damaged_table_of_an_arm_is_read_or_refused() {
    let text = "# convention: modified\ntype, a, alpha [deg], d, theta, mass, com_x, izz\n\
                revolute, 0, 0, 0.5, 30 deg, 2, 0.1, 0.3\nprismatic, 0.2, -90, 0.1, 0, , , # no mass\n";
    let mut numbers = Numbers(3);
    let mut refused = 0;
    for _ in 0..ROUNDS {
        let number = |node: &biela::text::tree::Node, _: &str| match node.value {
            biela::text::tree::Value::Number(x) => Ok(x),
            _ => Ok(0.5),
        };
        let result = dh::table::read(&Source::new("arm.csv", damaged(text, &mut numbers)))
            .and_then(|mut imported| dh::expand(&mut imported.tree, &number));
        refused += usize::from(result.map_err(|error| error.to_string()).is_err());
    }
    assert!(refused > ROUNDS / 10 && refused < ROUNDS, "{refused} of {ROUNDS}");
}
