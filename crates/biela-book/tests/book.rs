//! The book is whole and true: links, formulas, examples, and the pages that are made from the program.

use biela_book::book::Book;
use biela_book::{examples, links, listed, manual, reference, root, site, verification};
use std::path::{Path, PathBuf};

fn book() -> Book {
    Book::read(&root()).unwrap_or_else(|p| panic!("{p}"))
}

#[test]
fn links_and_formulas_are_right() {
    let book = book();
    let problems = links::check(&book);
    assert!(problems.is_empty(), "{}", listed(&problems));
    let links: usize = book.pages.iter().map(|p| p.links.len()).sum();
    assert!(book.pages.len() >= 30 && links >= 200, "{} pages, {links} links", book.pages.len());
}

#[test]
fn examples_run_and_print_what_is_shown() {
    let (problems, count) = examples::check(&book(), Path::new(env!("CARGO_BIN_EXE_biela-book")));
    assert!(problems.is_empty(), "{}", listed(&problems));
    assert!(count >= 80, "only {count} examples found");
}

/// Text in which no number counts: what the messages of failed runs measure depends on the last digits of a machine.
fn without_numbers(text: &str) -> String {
    let number = |word: &str| word.chars().any(|c| c.is_ascii_digit());
    text.lines().map(|l| l.split_whitespace().filter(|w| !number(w)).collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn the_reference_is_what_the_program_knows() {
    for (name, text) in reference::pages(&root()).unwrap_or_else(|e| panic!("{e}")) {
        let file = format!("{}/{name}", reference::FOLDER);
        let kept = std::fs::read_to_string(root().join(&file)).unwrap_or_default().replace("\r\n", "\n");
        let same = if name == "errors.md" { without_numbers(&kept) == without_numbers(&text) } else { kept == text };
        assert!(same, "{file} is stale: cargo run --release -p biela-book -- reference");
    }
}

/// Each command has a page that names all its options (but those that its help hides), and the page of the program names each.
#[test]
fn manual_pages_name_every_command_and_option() {
    let pages = manual::pages().expect("pages");
    let page = |name: &str| {
        let found = pages.iter().find(|p| p.0 == name).unwrap_or_else(|| panic!("no page {name}"));
        found.1.replace("\\-", "-")
    };
    let program = biela_cli::program();
    let first = page("biela.1");
    assert!(first.contains("biela 0.") && first.contains("--quiet"), "{first}");
    for command in program.get_subcommands() {
        let name = format!("biela-{}", command.get_name());
        assert!(first.contains(&format!("{name}(1)")) || first.contains(&format!("{name}\\fR(1)")), "{name}");
        let own = page(&format!("{name}.1"));
        for option in command.get_arguments().filter(|a| !a.is_hide_set()).filter_map(|a| a.get_long()).chain(["quiet"])
        {
            assert!(own.contains(&format!("--{option}")), "{name} --{option}");
        }
    }
    assert_eq!(pages.len(), program.get_subcommands().count() + 1);
}

#[test]
fn pages_are_written_with_all_that_they_use() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book");
    let book = book();
    let pages = site::write(&book, &folder).expect("a folder to write in");
    assert_eq!(pages, book.pages.len());
    let lost = site::check(&folder).expect("pages");
    assert!(lost.is_empty(), "{}", listed(&lost));
    let index = std::fs::read_to_string(folder.join("index.html")).expect("a first page");
    assert!(index.contains("<nav>") && !index.contains("http://"), "a first page without network");
    let theory = std::fs::read_to_string(folder.join("equations.html")).expect("a page");
    assert!(theory.matches("<math").count() > 50, "formulas as formulas");
    // Whole models, and no others, are marked as what can be run; what runs them stands beside the pages.
    let marked = |page: &str| std::fs::read_to_string(folder.join(page)).expect(page).matches(" data-live=\"").count();
    let due = |page: &str| book.page(page).expect(page).text.matches("```toml").count();
    assert_eq!((marked("tutorials/linkage.html"), due("docs/tutorials/linkage.md")), (1, 1));
    assert!((2..due("docs/model.md")).contains(&marked("model.html")));
    assert!(std::fs::metadata(folder.join("studio.html")).is_ok_and(|m| m.len() > 1_000_000), "the studio");
    assert!(index.contains("Content-Security-Policy") && !index.contains("unsafe-"), "a policy");
}

#[test]
fn broken_documents_are_told_with_file_and_line() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("broken-book");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("docs/how-to")).expect("a folder");
    std::fs::create_dir_all(folder.join("models")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write("docs/SUMMARY.md", "# Book\n- [A](a.md)\n- [B](how-to/b.md)\n");
    write(
        "docs/a.md",
        "# A\n\n[gone](gone.md)\n[head](how-to/b.md#hed)\n![none](none.png)\n[up](../../x.md) $\\nosuch x$\n",
    );
    let b = "# B\n## Head\n```toml model\n[bodies]\na = { mass = -1 }\n```\n```console\n$ biela --version\nbiela 9.9.9\n$ false\n```\n";
    write("docs/how-to/b.md", b);
    let book = Book::read(&folder).unwrap_or_else(|p| panic!("{p}"));
    let mut problems = links::check(&book);
    problems.extend(examples::check(&book, Path::new(env!("CARGO_BIN_EXE_biela-book"))).0);
    let told: Vec<String> = problems.iter().map(|p| p.to_string().lines().next().unwrap_or("").to_string()).collect();
    let wanted = [
        "docs/a.md:6: formula",
        "docs/a.md:3: there is no 'docs/gone.md'",
        "docs/a.md:4: 'docs/how-to/b.md' has no heading '#hed'; did you mean '#head'?",
        "docs/a.md:5: there is no 'docs/none.png'",
        "docs/a.md:6: '../../x.md' leads out of the repository",
        "docs/how-to/b.md:4: this model is refused: body 'a'",
        "docs/how-to/b.md:8: 'biela --version' printed",
        "docs/how-to/b.md:10: 'false' ended with status 1, not 0",
    ];
    assert_eq!(told.len(), wanted.len(), "{told:#?}");
    for (told, wanted) in told.iter().zip(wanted) {
        assert!(told.starts_with(wanted), "{told}\ninstead of\n{wanted}");
    }
}

/// Every test file that tells what it compares has its part in the manual, and every difference there is within its tolerance.
#[test]
fn the_verification_manual_has_every_part() {
    let text = std::fs::read_to_string(root().join(verification::FILE)).expect("the manual");
    for group in verification::GROUPS {
        assert!(text.contains(group.title), "{} lacks '{}'", verification::FILE, group.title);
        let test = root().join(format!("crates/biela/tests/{}.rs", group.test));
        assert!(test.is_file(), "there is no {}", test.display());
    }
    let (mut cases, mut exact) = (0, 0);
    for cells in text.lines().map(|l| l.split('|').map(str::trim).collect::<Vec<_>>()).filter(|c| c.len() == 8) {
        let [Ok(tolerance), Ok(difference)] = [cells[5], cells[6]].map(str::parse::<f64>) else { continue };
        assert!(difference <= tolerance, "{}: {difference} above {tolerance}", cells[1]);
        cases += 1;
        exact += usize::from(difference < 1e-9);
    }
    assert!(cases >= 60 && exact >= 40, "{cases} cases, {exact} to nine digits");
}
