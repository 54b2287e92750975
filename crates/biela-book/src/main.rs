//! `cargo run --release -p biela-book`: builds the book under `target/book/`, or checks it, or makes parts of it anew.

use biela_book::book::Book;
use biela_book::{examples, links, listed, manual, reference, root, site, verification};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Examples of the book call this executable by the program's name.
    let name = std::env::args_os().next().map(PathBuf::from);
    if name.as_ref().and_then(|n| n.file_stem()).is_some_and(|n| n == "biela") {
        return biela_cli::run(std::env::args_os());
    }
    let flag = |name: &'static str, help: &'static str| {
        clap::Arg::new(name).long(name).action(clap::ArgAction::SetTrue).help(help)
    };
    let matches = clap::Command::new("biela-book")
        .about("Builds the book of biela under target/book/ and checks it")
        .arg(flag("check", "Checks links, formulas, models and commands of the documents; writes nothing"))
        .arg(flag("fill", "Puts what commands print in place of every '?' in a console block"))
        .subcommand(clap::Command::new("reference").about("Writes docs/reference/ from the registries of the program"))
        .subcommand(
            clap::Command::new("manual")
                .about("Writes manual pages of the program and its commands into a folder")
                .arg(
                    clap::Arg::new("folder")
                        .value_name("FOLDER")
                        .required(true)
                        .value_parser(clap::value_parser!(PathBuf)),
                ),
        )
        .subcommand(
            clap::Command::new("verification").about("Runs the tests that compare, and writes docs/verification.md"),
        )
        .get_matches();
    match work(&matches) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(1)
        }
    }
}

fn work(matches: &clap::ArgMatches) -> Result<String, String> {
    let root = root();
    let told = |e: std::io::Error| e.to_string();
    match matches.subcommand() {
        Some(("reference", _)) => {
            let pages = reference::write(&root).map_err(told)?;
            return Ok(format!("wrote {} pages of docs/reference/", pages.len()));
        }
        Some(("manual", arguments)) => {
            let folder = arguments.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
            let pages = manual::write(&folder).map_err(told)?;
            return Ok(format!("wrote {pages} manual pages into {}", folder.display()));
        }
        Some(("verification", _)) => return verification::write(&root),
        _ => {}
    }
    let book = Book::read(&root).map_err(|p| p.to_string())?;
    let program = std::env::current_exe().map_err(told)?;
    if matches.get_flag("fill") {
        return examples::fill(&book, &program).map(|n| format!("{n} outputs filled in")).map_err(told);
    }
    let mut problems = links::check(&book);
    if matches.get_flag("check") {
        let (found, count) = examples::check(&book, &program);
        problems.extend(found);
        if !problems.is_empty() {
            return Err(format!("{} problems\n{}", problems.len(), listed(&problems)));
        }
        let links: usize = book.pages.iter().map(|p| p.links.len()).sum();
        return Ok(format!("{} pages, {links} links, {count} examples: all right", book.pages.len()));
    }
    if !problems.is_empty() {
        return Err(format!("{} problems\n{}", problems.len(), listed(&problems)));
    }
    let folder = root.join("target/book");
    let pages = site::write(&book, &folder).map_err(told)?;
    let lost = site::check(&folder).map_err(told)?;
    if !lost.is_empty() {
        return Err(listed(&lost));
    }
    Ok(format!("wrote {pages} pages: open target/book/index.html"))
}
