//! Files as texts: of sensible size, in UTF-8.

use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_results::read_whole;
use std::path::Path;
use std::sync::Arc;

/// Larger files are refused: no model written by people or exporters comes near.
pub(super) const LARGEST_FILE: u64 = 64 << 20;

/// The text of a regular file of sensible size; `shown` is the name in messages.
pub fn read_text(path: &Path, shown: &str) -> Result<Arc<Source>> {
    decode(read_bytes(path)?, shown)
}

/// The bytes of a regular file of sensible size.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    read_whole(path, LARGEST_FILE)
}

/// Bytes as a text, without a byte order mark.
pub(super) fn decode(bytes: Vec<u8>, shown: &str) -> Result<Arc<Source>> {
    let text = String::from_utf8(bytes).map_err(|e| {
        let (at, bytes) = (e.utf8_error().valid_up_to(), e.as_bytes());
        let line = bytes.iter().take(at).filter(|b| **b == b'\n').count() + 1;
        let byte = bytes.get(at).copied().unwrap_or(0);
        Error::new(format!("the file is not text in UTF-8: line {line} holds the byte 0x{byte:02X}"))
            .note("save it again with the encoding UTF-8")
    })?;
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    };
    // Some programs fill the last block of a file with zeros.
    let text = text.trim_end_matches('\0').to_string();
    if let Some(at) = text.find('\0') {
        let source = Source::new(shown, text.as_str());
        let (line, _) = Span::new(&source, at..at).line_column();
        return Err(Error::new(format!("the file is not text: line {line} holds a zero byte")));
    }
    Ok(Source::new(shown, text))
}
