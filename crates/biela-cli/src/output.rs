//! What the program says, and where: words for a person, data that was asked for, errors and warnings. This file alone decides
//! what `--quiet` leaves out and what has colour.
//!
//! Colour follows the same rules as clap's help, since one library decides for both: on terminals alone; never where `NO_COLOR` is
//! set or `TERM=dumb`; always where `CLICOLOR_FORCE` is set. A closed pipe is taken for what it is: a reader who has seen enough.

use biela::display_units::DisplayUnits;
use biela::results::times_in_words;
use biela::source::is_plain;
use clap::builder::styling::{AnsiColor, Style, Styles};
use std::fmt::Arguments;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const MARGIN: Style = AnsiColor::Blue.on_default().bold();

/// Colours of help and of wrong usage.
pub const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(ERROR)
    .invalid(WARNING)
    .valid(AnsiColor::Green.on_default());

/// What went wrong with standard output, first.
static FAULT: Mutex<Option<String>> = Mutex::new(None);

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Units of the model at hand, in which messages tell times.
static UNITS: Mutex<Option<DisplayUnits>> = Mutex::new(None);

/// From now on, times in messages are told in these units.
pub fn read_in(units: &DisplayUnits) {
    *UNITS.lock().unwrap_or_else(|p| p.into_inner()) = Some(units.clone()).filter(|units| !units.is_si());
}

/// Words with their times in the units at hand.
fn timed(words: String) -> String {
    match &*UNITS.lock().unwrap_or_else(|p| p.into_inner()) {
        Some(units) => times_in_words(&words, units),
        None => words,
    }
}

/// From now on, only errors and data that was asked for.
pub fn hush() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether a person should hear less.
pub fn quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Words for a person, to standard output.
pub fn print(text: Arguments) {
    if !quiet() {
        data(format_args!("{}", timed(text.to_string())));
    }
}

/// What was asked for, such as JSON, to standard output. Where nobody reads any more, it is dropped: the work goes on, files are
/// still written. Any other fault, such as a full disk, is told by [`fault`].
pub fn data(text: Arguments) {
    // Names from files must not move the terminal's cursor.
    let text = plain(text);
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let mut fault = FAULT.lock().unwrap_or_else(|p| p.into_inner());
            fault.get_or_insert_with(|| error.to_string());
        }
        _ => {}
    }
}

/// What went wrong with standard output, if anything did.
pub fn fault() -> Option<String> {
    FAULT.lock().unwrap_or_else(|p| p.into_inner()).clone()
}

/// An error, to standard error. Where that cannot be, the status alone tells.
pub fn error(text: Arguments) {
    complain("error:", ERROR, text);
}

/// A warning, to standard error.
pub fn warning(text: Arguments) {
    if !quiet() {
        complain("warning:", WARNING, text);
    }
}

fn complain(word: &str, style: Style, text: Arguments) {
    let text = painted(&timed(plain(text)), style);
    // Takes colours out again where they do not belong.
    let mut out = anstream::AutoStream::auto(std::io::stderr().lock());
    let _ = writeln!(out, "{style}{word}{style:#} {text}").and_then(|()| out.flush());
}

/// A message with the margin of its excerpt, the carets and the signs before notes in colour.
fn painted(message: &str, style: Style) -> String {
    let line = |line: &str| match (line.split_once(" |"), line.strip_prefix("  = ")) {
        (Some((number, text)), _) if number.chars().all(|c| c == ' ' || c.is_ascii_digit()) => {
            let carets = text.contains('^') && text.chars().all(|c| c == ' ' || c == '^');
            let text = if carets { format!("{style}{text}{style:#}") } else { text.to_string() };
            format!("{MARGIN}{number} |{MARGIN:#}{text}")
        }
        (_, Some(note)) => format!("  {MARGIN}={MARGIN:#} {note}"),
        _ => line.to_string(),
    };
    message.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a line that is written over and over can be shown.
pub fn shows_progress() -> bool {
    !quiet() && std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Puts these words in place of the line of progress, or takes it away.
pub fn progress(words: &str) {
    const TO_START: &str = "\r";
    const CLEAR_REST: &str = "\x1b[K";
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "{TO_START}{}{CLEAR_REST}", plain(format_args!("{words}"))).and_then(|()| out.flush());
}

/// The text with a blank for each character that would move the cursor or turn the sense of reading.
fn plain(text: Arguments) -> String {
    let other = |c: char| !is_plain(c) && !"\n\t".contains(c);
    text.to_string().replace(other, " ")
}

/// Like `println!`, without its panic on a closed pipe; nothing with `--quiet`.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($($text)*)))
    };
}

/// The same for what was asked for, which `--quiet` does not leave out.
macro_rules! give {
    ($($text:tt)*) => {
        $crate::output::data(format_args!("{}\n", format_args!($($text)*)))
    };
}

pub(crate) use {give, say};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_carets_and_notes_have_colour_and_the_text_does_not() {
        let message = "no 'x^2 | y'\n  |\n7 | a = 1 ^ 2\n  |     ^^^\n  = allowed: a | b";
        let painted = painted(message, ERROR);
        let lines: Vec<&str> = painted.split('\n').collect();
        assert_eq!(lines[0], "no 'x^2 | y'");
        assert_eq!(lines[2], format!("{MARGIN}7 |{MARGIN:#} a = 1 ^ 2"));
        assert_eq!(lines[3], format!("{MARGIN}  |{MARGIN:#}{ERROR}     ^^^{ERROR:#}"));
        assert_eq!(lines[4], format!("  {MARGIN}={MARGIN:#} allowed: a | b"));
    }

    #[test]
    fn escape_codes_from_files_are_taken_out() {
        assert_eq!(plain(format_args!("a\x1b[31mb\tc\nd\re")), "a [31mb\tc\nd e");
    }
}
