//! Formats that the library does not have, registered by a program: results are written and read back by them, models read.

mod common;
mod own;

use biela::results::{self, Column, Results};
use biela::text::document;
use own::four_lengths::FOUR_LENGTHS;
use own::gnuplot::GNUPLOT;

/// A few dozen operations on numbers of order one.
const ROUNDING: f64 = 1e-12;

fn folder(name: &str) -> std::path::PathBuf {
    own::registered();
    let folder = std::env::temp_dir().join(format!("biela-own-format-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn registered_formats_are_known_by_their_endings_and_taken_ones_are_refused() {
    own::registered();
    assert_eq!(results::formats().last().map(|f| f.extension), Some("dat"));
    for taken in [&GNUPLOT, &results::FORMATS[0]] {
        let error = results::register(taken).expect_err("a taken extension").to_string();
        assert!(error.contains(taken.extension), "{error}");
    }
    for taken in [&FOUR_LENGTHS, &document::FORMATS[0]] {
        let error = document::register(taken).expect_err("a taken ending").to_string();
        assert!(error.contains(taken.extensions[0]), "{error}");
    }
}

fn table() -> Results {
    let columns = vec![
        Column::new("t", "s", vec![0.0, 0.1, 0.30000000000000004]),
        Column::new("crank.x", "m", vec![-0.0, -2.5e-310, f64::MAX]),
        Column::new("a [b] c", "m/s^2", vec![1e21, f64::INFINITY, 5e-324]),
    ];
    Results { columns, ..Results::default() }
}

#[test]
fn results_read_back_bit_by_bit_and_bad_bytes_are_errors() {
    let folder = folder("results");
    let path = folder.join("out.dat");
    results::write(&path, &table()).expect("written");
    assert_eq!(results::read(&path).expect("read"), table());
    let bytes = std::fs::read(&path).expect("bytes");
    let read = GNUPLOT.read.expect("a reader");
    for k in 0..bytes.len() {
        let _ = read(&bytes[..k]);
        for byte in [0, b' ', b'\n', 0xff] {
            let mut bad = bytes.clone();
            bad[k] = byte;
            let _ = read(&bad);
        }
    }
    let error = read(b"# t [s]\n1.0 2.0\n").expect_err("a number too many").to_string();
    assert!(error.contains("line 2"), "{error}");
    let mut broken = table();
    broken.columns[1].name = "two\nlines".into();
    assert!(results::write(&folder.join("other.dat"), &broken).is_err() && !folder.join("other.dat").exists());
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_model_in_a_format_of_its_own_is_read_by_its_ending() {
    let folder = folder("models");
    let path = folder.join("watt.fourbar");
    std::fs::write(&path, "0.1 0.35 0.3\n0.4\n").expect("written");
    let options = biela::Options::default();
    let model =
        biela::Document::read(&path, &options).and_then(|d| d.model(&options)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(model.name, "watt");
    let found = biela::run(&model).unwrap_or_else(|e| panic!("{e}"));
    let of = |name: &str| common::column(&found, name);
    for k in 0..found.len() {
        // The ends of the coupler stay its length apart.
        let [px, py, qx, qy] = ["crank.P.x", "crank.P.y", "rocker.Q.x", "rocker.Q.y"].map(|name| of(name)[k]);
        assert!(((px - qx).hypot(py - qy) - 0.35).abs() < ROUNDING, "sample {k}");
    }
    for (text, due) in [("0.1 x 1 1", "'x' is no length"), ("1 2 3", "3 lengths"), ("1 1 1 -2", "'-2' is no length")] {
        std::fs::write(&path, text).expect("written");
        let error = biela::Document::read(&path, &options).expect_err("a wrong text").to_string();
        assert!(error.contains(due) && error.contains("watt.fourbar:1"), "{error}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
