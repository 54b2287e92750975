//! Standard output that takes a closed pipe for what it is: a reader who has seen enough.

use std::io::Write;

/// Writes text to standard output. Where nobody reads any more, it is dropped: the work goes on, files are still written.
pub fn print(text: std::fmt::Arguments) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_fmt(text).and_then(|()| out.flush());
}

/// Like `println!`, without its panic on a closed pipe.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($($text)*)))
    };
}

pub(crate) use say;
