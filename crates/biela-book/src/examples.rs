//! Examples of the documents, run: models load, commands succeed and print what the page shows.
//!
//! Each page has a folder of its own with the shipped models in it. Blocks with `file=NAME` are written there. In tutorials and
//! how-to pages a `console` block holds commands after `$ ` and what they print; `…` stands for anything, alone on a line for any
//! number of lines; a command with nothing below it may print what it likes. In all pages the lines of an `sh` block that start
//! with `biela` are run. `?` in place of an output asks to be filled in ([`fill`]).

use crate::book::Book;
use crate::fences::{fences, Fence};
use crate::page::Page;
use crate::Problem;
use biela::source::Source;
use biela::text::{Document, Options};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Asks for the output to be filled in.
const ASKED: &str = "?";
/// Stands for anything.
const ANYTHING: &str = "…";

/// A command of a page and what it should print.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    command: String,
    line: usize,
    printed: Vec<String>,
    status: i32,
}

/// A folder with the shipped models and the program `biela`, gone at the end.
struct Bench {
    folder: PathBuf,
}

impl Bench {
    fn new(book: &Book, program: &Path, name: &str) -> std::io::Result<Bench> {
        let folder = std::env::temp_dir().join(format!("biela-book-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        copy(&book.root.join("models"), &folder.join("models"))?;
        // The book's own executable is the program when it is called by that name.
        let bin = folder.join(".bin");
        std::fs::create_dir_all(&bin)?;
        let called = bin.join(format!("biela{}", std::env::consts::EXE_SUFFIX));
        #[cfg(unix)]
        std::os::unix::fs::symlink(program, &called)?;
        #[cfg(not(unix))]
        std::fs::copy(program, &called)?;
        Ok(Bench { folder })
    }

    /// Runs a command line; everything it printed, and its status.
    fn run(&self, line: &str) -> std::io::Result<(String, i32)> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut places = vec![self.folder.join(".bin")];
        places.extend(std::env::split_paths(&path));
        let path = std::env::join_paths(places).map_err(std::io::Error::other)?;
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {line}\n}} 2>&1")])
            .current_dir(&self.folder)
            .env("PATH", path)
            .stdin(std::process::Stdio::null())
            .output()?;
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1)))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Whether a page's `console` blocks are run: those of tutorials and how-to pages.
fn led(page: &Page) -> bool {
    ["docs/tutorials/", "docs/how-to/"].iter().any(|f| page.file.starts_with(f))
}

/// Commands of a block, with what they should print.
fn steps(page: &Page, fence: &Fence) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let console = fence.language == "console" && led(page);
    for (k, text) in fence.text.lines().enumerate() {
        let command = match fence.language.as_str() {
            "console" if console => text.strip_prefix("$ "),
            "sh" if text.starts_with("biela ") => Some(text),
            _ => None,
        };
        match (command, steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_string(), line: fence.line + k, printed: Vec::new(), status: 0 });
            }
            (None, Some(step)) if console => step.printed.push(text.to_string()),
            _ => {}
        }
    }
    if let (Some(step), Some(status)) = (steps.last_mut(), fence.value("status")) {
        step.status = status.parse().unwrap_or(0);
    }
    steps
}

/// Whether lines are what a page shows of them.
fn shows(wanted: &[String], found: &[&str]) -> bool {
    match wanted.first() {
        None => found.iter().all(|l| l.trim().is_empty()),
        Some(line) if line.trim() == ANYTHING => (0..=found.len()).any(|k| shows(&wanted[1..], &found[k..])),
        Some(line) => {
            found.first().is_some_and(|f| like(&steady(line), &steady(f))) && shows(&wanted[1..], &found[1..])
        }
    }
}

/// A line with single blanks, in which numbers of the order of rounding errors are all alike: they depend on the machine.
fn steady(line: &str) -> String {
    /// Everything that a page shows on purpose is larger.
    const ROUNDING: f64 = 1e-9;
    let word = |word: &str| {
        let bare = word.trim_end_matches([',', ';', ':']);
        match bare.parse::<f64>() {
            Ok(x) if bare.contains('e') && x.abs() < ROUNDING => format!("~0{}", &word[bare.len()..]),
            _ => word.to_string(),
        }
    };
    line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// Whether a line is like a pattern in which `…` stands for anything.
fn like(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split(ANYTHING);
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or("")) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// What became of the examples of a page.
#[derive(Default)]
struct Outcome {
    problems: Vec<Problem>,
    /// Lines of commands whose output is asked for, and what they printed.
    answers: Vec<(usize, String)>,
    count: usize,
}

/// Runs every example of a page.
fn page(book: &Book, page: &Page, program: &Path) -> std::io::Result<Outcome> {
    let Outcome { mut problems, mut answers, mut count } = Outcome::default();
    let fences = fences(&page.text);
    let problem = |line: usize, what: String| Problem { file: page.file.clone(), line, what };
    for fence in fences.iter().filter(|f| f.words.iter().any(|w| w == "model")) {
        let source = Source::new(format!("{}, line {}", page.file, fence.line), fence.text.as_str());
        let checked = Document::from_toml(&source).and_then(|d| d.model(&Options::default()));
        if let Err(error) = checked.and_then(|m| biela::solve::check::check(&m, "absolute")) {
            problems.push(problem(fence.line, format!("this model is refused: {error}")));
        }
        count += 1;
    }
    if !fences.iter().any(|f| !steps(page, f).is_empty()) {
        return Ok(Outcome { problems, answers, count });
    }
    let bench = Bench::new(book, program, &page.file.replace(['/', '.'], "-"))?;
    for fence in &fences {
        if let Some(name) = fence.value("file") {
            let plain = !name.starts_with('/') && !name.contains("..");
            if !plain {
                problems.push(problem(fence.line, format!("'{name}' leads out of the folder of examples")));
                continue;
            }
            let path = bench.folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&bench.folder))?;
            std::fs::write(path, &fence.text)?;
        }
        for step in steps(page, fence) {
            count += 1;
            let (printed, status) = bench.run(&step.command)?;
            if status != step.status {
                let what = format!("'{}' ended with status {status}, not {}\n{printed}", step.command, step.status);
                problems.push(problem(step.line, what));
                continue;
            }
            if step.printed.iter().any(|l| l == ASKED) {
                answers.push((step.line, printed));
                problems.push(problem(step.line, "the output is still to be filled in (--fill)".to_string()));
                continue;
            }
            let shown: Vec<String> = {
                let mut lines = step.printed;
                while lines.last().is_some_and(|l| l.trim().is_empty()) {
                    lines.pop();
                }
                lines
            };
            let found: Vec<&str> = printed.trim_end().lines().collect();
            if !shown.is_empty() && !shows(&shown, &found) {
                problems.push(problem(step.line, format!("'{}' printed\n{printed}", step.command)));
            }
        }
    }
    Ok(Outcome { problems, answers, count })
}

/// Pages with what became of their examples.
type Ran<'a> = Vec<(&'a Page, std::io::Result<Outcome>)>;

/// Runs the examples of every page, on two threads.
fn all<'a>(book: &'a Book, program: &Path) -> Ran<'a> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut ran: Ran<'a> = Vec::new();
    std::thread::scope(|scope| {
        let work = || {
            let mut own = Vec::new();
            while let Some(one) = book.pages.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                own.push((one, page(book, one, program)));
            }
            own
        };
        let other = scope.spawn(work);
        ran = work();
        ran.extend(other.join().unwrap_or_default());
    });
    ran
}

/// Runs every example of the book by `program`, an executable of this crate; problems, and the number of examples.
pub fn check(book: &Book, program: &Path) -> (Vec<Problem>, usize) {
    let (mut problems, mut count) = (Vec::new(), 0);
    for (page, ran) in all(book, program) {
        match ran {
            Ok(found) => {
                problems.extend(found.problems);
                count += found.count;
            }
            Err(error) => problems.push(Problem { file: page.file.clone(), line: 1, what: error.to_string() }),
        }
    }
    problems.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    (problems, count)
}

/// Puts what commands print in place of every `?`; the number of places. Times of computing are left open.
pub fn fill(book: &Book, program: &Path) -> std::io::Result<usize> {
    let mut filled = 0;
    for (page, ran) in all(book, program) {
        let answers = ran?.answers;
        if answers.is_empty() {
            continue;
        }
        let mut lines: Vec<String> = page.text.lines().map(str::to_string).collect();
        for (line, printed) in answers.iter().rev() {
            // The question follows its command.
            let Some(asked) = (*line..lines.len()).find(|k| lines[*k] == ASKED) else { continue };
            lines.splice(asked..=asked, printed.trim_end().lines().map(|l| untimed(l.trim_end())));
            filled += 1;
        }
        std::fs::write(book.root.join(&page.file), lines.join("\n") + "\n")?;
    }
    Ok(filled)
}

/// A line without the time that computing took, which is another each time.
fn untimed(line: &str) -> String {
    for unit in [" ms", " s", " µs"] {
        let Some(rest) = line.strip_suffix(unit) else { continue };
        if let Some((before, time)) = rest.rsplit_once(", ") {
            if time.parse::<f64>().is_ok() {
                return format!("{before}, {ANYTHING}");
            }
        }
    }
    line.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|l| l.to_string()).collect()
    }

    #[test]
    fn shown_lines_may_leave_gaps() {
        let found = ["a 1", "b", "c, 3.2 ms"];
        assert!(shows(&strings(&["a 1", "b", "c, …"]), &found));
        assert!(shows(&strings(&["…", "c, … ms"]), &found));
        assert!(shows(&strings(&["a …", "…"]), &found));
        assert!(!shows(&strings(&["a 1", "c, …"]), &found));
        assert!(!shows(&strings(&["a 1"]), &found), "what follows is not shown");
        assert!(!shows(&strings(&["b", "…"]), &found));
        assert!(!like("a…a", "a"), "the ends do not overlap");
        assert_eq!(steady("residual  1.8e-16, size 2"), steady("residual 0.0e0, size 2"));
        assert_ne!(steady("off 1e-6"), steady("off 2e-6"));
    }

    #[test]
    fn commands_and_outputs_are_told_apart() {
        let text = "# T\n```console status=1\n$ biela run a\nout\n$ biela check b\n```\n```sh\nbiela new x\nls\n```\n";
        let page = Page::new("docs/how-to/a.md", text.to_string());
        let fences = fences(text);
        let all: Vec<Step> = fences.iter().flat_map(|f| steps(&page, f)).collect();
        assert_eq!(all.len(), 3);
        assert_eq!((all[0].command.as_str(), all[0].line, all[0].status), ("biela run a", 3, 0));
        assert_eq!(all[0].printed, ["out"]);
        assert_eq!((all[1].line, all[1].status), (5, 1));
        assert_eq!(all[2].command, "biela new x");
        let elsewhere = Page::new("README.md", text.to_string());
        assert!(steps(&elsewhere, &fences[0]).is_empty());
    }
}
