//! Files as texts: of sensible size, in UTF-8; those of other programs in the encodings that they are found in.

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

/// The same with nothing to be told: what people write for this program, and what is read strictly, is in UTF-8.
pub(super) fn read_own_text(path: &Path, shown: &str) -> Result<(Arc<Source>, Option<String>)> {
    Ok((read_text(path, shown)?, None))
}

/// The text of a file that another program wrote, and a line that tells of an encoding other than UTF-8: UTF-16 where a mark begins it, else
/// Windows-1252, in which every byte is text.
pub(super) fn read_foreign_text(path: &Path, shown: &str) -> Result<(Arc<Source>, Option<String>)> {
    let (source, encoding) = decode_foreign(read_bytes(path)?, shown)?;
    Ok((source, encoding.map(|encoding| format!("{shown}: the file is not in UTF-8: read as {encoding}"))))
}

fn decode_foreign(bytes: Vec<u8>, shown: &str) -> Result<(Arc<Source>, Option<&'static str>)> {
    let unit: Option<fn([u8; 2]) -> u16> = match bytes[..] {
        [0xFF, 0xFE, ..] => Some(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => Some(u16::from_be_bytes),
        _ => None,
    };
    let (text, encoding) = match unit {
        Some(unit) => {
            let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
            (char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect(), "UTF-16")
        }
        None if std::str::from_utf8(&bytes).is_ok() => return decode(bytes, shown).map(|source| (source, None)),
        None => (bytes.iter().map(|byte| windows_1252(*byte)).collect::<String>(), "Windows-1252"),
    };
    decode(text.into_bytes(), shown).map(|source| (source, Some(encoding)))
}

/// Latin-1, but for the places that it leaves to control characters.
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    byte.checked_sub(0x80).and_then(|k| FROM_80.get(usize::from(k)).copied()).unwrap_or(char::from(byte))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (String, Option<&'static str>) {
        let (source, encoding) = decode_foreign(bytes.to_vec(), "a.adm").unwrap_or_else(|e| panic!("{e}"));
        (source.text.clone(), encoding)
    }

    #[test]
    fn files_of_other_programs_are_read_in_the_encodings_they_are_found_in() {
        assert_eq!(read("é €".as_bytes()), ("é €".into(), None));
        assert_eq!(read(b"\xE9 \x80 45\xB0"), ("é € 45°".into(), Some("Windows-1252")));
        let pairs = |unit: fn(u16) -> [u8; 2]| "\u{feff}é €".encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        assert_eq!(read(&pairs(u16::to_le_bytes)), ("é €".into(), Some("UTF-16")));
        assert_eq!(read(&pairs(u16::to_be_bytes)), ("é €".into(), Some("UTF-16")));
        assert!(decode_foreign(b"a\0b\xE9".to_vec(), "a.adm").is_err());
        assert!(decode(b"\xE9".to_vec(), "a.toml").is_err());
    }
}
