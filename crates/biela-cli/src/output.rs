//! Standard output that takes a closed pipe for what it is: a reader who has seen enough.

use std::io::Write;

/// Writes text to standard output. Where nobody reads any more, the program ends quietly.
pub fn print(text: std::fmt::Arguments) {
    let mut out = std::io::stdout().lock();
    if out.write_fmt(text).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Like `println!`, without its panic on a closed pipe.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($($text)*)))
    };
}

pub(crate) use say;
