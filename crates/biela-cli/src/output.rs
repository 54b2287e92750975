//! Standard output that takes a closed pipe for what it is: a reader who has seen enough.

use biela::source::is_plain;
use std::io::{ErrorKind, Write};
use std::sync::Mutex;

/// What went wrong with standard output, first.
static FAULT: Mutex<Option<String>> = Mutex::new(None);

/// Writes text to standard output. Where nobody reads any more, it is dropped: the work goes on, files are still written.
/// Any other fault, such as a full disk, is told by [`fault`].
pub fn print(text: std::fmt::Arguments) {
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

/// Writes a message to standard error. Where that cannot be, the status alone tells.
pub fn complain(text: std::fmt::Arguments) {
    let text = plain(text);
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The text with a blank for each character that would move the cursor or turn the sense of reading.
fn plain(text: std::fmt::Arguments) -> String {
    let other = |c: char| !is_plain(c) && !"\n\t".contains(c);
    text.to_string().replace(other, " ")
}

/// Like `println!`, without its panic on a closed pipe.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($($text)*)))
    };
}

pub(crate) use say;
