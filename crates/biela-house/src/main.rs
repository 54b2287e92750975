//! `house [FOLDER]`: prints the shape of the source of a workspace, this one where none is given.

use biela_house::House;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let root = std::env::args().nth(1).unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into());
    match House::read(Path::new(&root)) {
        Ok(house) => {
            // A reader that has seen enough is no fault.
            let _ = std::io::stdout().write_all(house.to_string().as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
