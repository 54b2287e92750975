//! What a mistake is mended by, where its message knows: "did you mean" as an edit of the text.

use biela::error::Error;
use biela::source::Span;
use serde_json::{json, Value};

/// The place of the wrong word and the one in its stead. The message quotes what was found, the text at fault holds it.
pub(crate) fn fix(error: &Error, span: &Span) -> Option<Value> {
    let meant = error.notes().iter().find_map(|note| {
        let (_, rest) = note.split_once("did you mean ")?;
        let word = rest.strip_suffix('?')?;
        Some(word.strip_prefix('\'').and_then(|w| w.strip_suffix('\'')).unwrap_or(word).to_string())
    })?;
    let at_fault = span.source.text.get(span.range.clone())?;
    // Words in quotes, the last first: "'type' cannot be 'sprng'".
    let quoted = error.message().split('\'').skip(1).step_by(2).collect::<Vec<_>>();
    let (wrong, begin) =
        quoted.iter().rev().find_map(|word| Some((*word, at_fault.find(*word).filter(|_| !word.is_empty())?)))?;
    if wrong == meant {
        return None;
    }
    let begin = span.range.start + begin;
    let before = span.source.text.get(..begin)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next()?.chars().count() + 1;
    Some(json!({ "line": line, "column": column, "width": wrong.chars().count(), "wrong": wrong, "text": meant }))
}

#[cfg(test)]
mod tests {
    use crate::look::diagnostic;
    use biela::source::Source;
    use biela::text::{Document, Options};

    fn told(text: &str) -> Option<serde_json::Value> {
        let read = Document::from_toml(&Source::new("m", text)).and_then(|d| d.model(&Options::default()));
        read.err().map(|e| diagnostic(&e, "m", "text"))
    }

    /// Every advice of the broken models that a click can follow mends that mistake: what is told next is another, or nothing.
    #[test]
    fn advice_of_broken_models_mends_them() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../biela/tests/broken");
        let mut mended = 0;
        for file in std::fs::read_dir(folder).expect("the broken models").filter_map(|f| f.ok().map(|f| f.path())) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            // As the page holds it.
            let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
            let Some(error) = told(&text).filter(|e| e["fix"].is_object()) else { continue };
            let number = |key: &str| error["fix"][key].as_u64().expect("a number") as usize;
            let (line, column, width) = (number("line"), number("column"), number("width"));
            let mut lines: Vec<String> = text.split('\n').map(str::to_string).collect();
            let letters: Vec<char> = lines[line - 1].chars().collect();
            let part = |range: &[char]| range.iter().collect::<String>();
            assert_eq!(part(&letters[column - 1..column - 1 + width]), error["fix"]["wrong"].as_str().expect("a word"));
            let meant = error["fix"]["text"].as_str().expect("a word");
            lines[line - 1] =
                format!("{}{meant}{}", part(&letters[..column - 1]), part(&letters[column - 1 + width..]));
            let next = told(&lines.join("\n"));
            let same = next.is_some_and(|n| n["message"] == error["message"] && n["line"] == error["line"]);
            assert!(!same, "{}: {error}", file.display());
            mended += 1;
        }
        const AT_LEAST: usize = 20; // Most of the broken models whose message says "did you mean".
        assert!(mended >= AT_LEAST, "{mended}");
    }
}
