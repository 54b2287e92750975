//! `biela generate`: code of a tree's quantities in C, Rust or CUDA.

use super::Command;
use crate::options;
use crate::output::say;
use biela::error::{Error, Result};
use biela::generate::{module, quantities, Language, Precision, GROUPS, LANGUAGES, QUANTITIES};
use biela::results::write_atomically;
use clap::{value_parser, Arg, ArgMatches};
use std::path::{Path, PathBuf};

pub const COMMAND: Command = Command {
    name: "generate",
    about: "Writes straight-line code of an open chain or tree: its dynamics and kinematics in C, Rust or CUDA",
    arguments: |command| {
        let words = |list: &mut dyn Iterator<Item = &'static str>| list.collect::<Vec<_>>().join(", ");
        let groups = GROUPS.iter().map(|(word, _)| *word);
        let known = words(&mut QUANTITIES.iter().map(|q| q.name).chain(groups));
        let languages: Vec<&'static str> = LANGUAGES.iter().map(|l| l.keyword).collect();
        let precisions: Vec<&'static str> = Precision::ALL.iter().map(|(word, _)| *word).collect();
        options::model_arguments(command)
            .arg(
                Arg::new("quantities")
                    .long("quantity")
                    .alias("quantities")
                    .value_name("A,B,…")
                    .default_value("rnea,crba,aba")
                    .help(format!("What to compute: {known}")),
            )
            .arg(
                Arg::new("language")
                    .long("language")
                    .value_name("LANGUAGE")
                    .default_value("c")
                    .value_parser(languages)
                    .help("Language of the code"),
            )
            .arg(
                Arg::new("precision")
                    .long("precision")
                    .value_name("WORD")
                    .default_value("double")
                    .value_parser(precisions)
                    .help("Numbers of the code"),
            )
            .arg(
                Arg::new("name")
                    .long("name")
                    .value_name("NAME")
                    .help("What all names begin with; the model's name if not given"),
            )
            .arg(
                Arg::new("output")
                    .short('o')
                    .long("output")
                    .value_name("DIR")
                    .required(true)
                    .value_parser(value_parser!(PathBuf))
                    .help("Folder to write into; made where it is missing"),
            )
    },
    run,
};

fn run(arguments: &ArgMatches) -> Result<()> {
    let model = options::load(arguments)?;
    let word = |key: &str| arguments.get_one::<String>(key).map_or("", String::as_str);
    let list = quantities(&options::list(word("quantities")))?;
    let language: &Language = LANGUAGES.iter().find(|l| l.keyword == word("language")).unwrap_or(&LANGUAGES[0]);
    let precision = Precision::ALL.iter().find(|p| p.0 == word("precision")).map(|p| p.1).unwrap_or_default();
    let name = match arguments.get_one::<String>("name") {
        Some(name) if identifier(name) == *name => name.clone(),
        Some(name) => {
            return Err(Error::new(format!("'{name}' is no name of code: letters, digits and _, a letter first"))
                .note(format!("such as {}", identifier(name))))
        }
        None => identifier(&model.name),
    };
    let made = module(&model, &name, &list, precision)?;
    // All texts are there before the first file is.
    let files = (language.print)(&made);
    let folder = arguments.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    for file in &files {
        let path = folder.join(&file.name);
        make_folder(path.parent().unwrap_or(&folder))?;
        write_atomically(&path, |out| out.write_all(file.text.as_bytes()))?;
    }
    for function in &made.functions {
        let count = function.program.count();
        say!(
            "{}_{}: {} products, {} sums, {} divisions and roots, {} angles",
            made.name,
            function.name,
            count.multiplications,
            count.additions,
            count.divisions,
            count.angles
        );
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    say!("wrote {} into {}", names.join(", "), folder.display());
    Ok(())
}

fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)
        .map_err(|e| Error::new(format!("cannot make the folder: {e}")).of(format!("'{}'", path.display())))
}

/// A name as an identifier of all three languages.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let text: String = name.chars().map(plain).collect();
    let first = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if first {
        text
    } else {
        format!("model_{text}")
    }
}
