//! Rows of the joints and drivers files.

use super::COMMENTS;
use crate::columns::{self, Separator, Word};
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_math::Vec3;
use std::sync::Arc;

/// The joint types of the thesis's table 2.1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Type {
    Dot1,
    Dot2,
    Distance,
    /// Difference of coordinates along x, y, z (0, 1, 2), or along Q − P of body i read in ground axes.
    Coordinate(Option<usize>),
    Perpendicular1,
    Perpendicular2,
    Spherical,
    Universal,
    Cylindrical,
    Revolute,
    Translational,
}

pub(super) struct Row {
    pub kind: Type,
    /// The abbreviation, from which names are made.
    pub code: &'static str,
    pub kind_span: Span,
    /// Bodies i and j, from 0: 0 is the ground.
    pub bodies: [usize; 2],
    pub body_spans: [Span; 2],
    pub ends: [End; 2],
    pub span: Span,
}

/// The three points of one body.
pub(super) struct End {
    pub p: Vec3,
    q: Vec3,
    r: Vec3,
    pub span: Span,
}

impl End {
    /// First vector, Q − P.
    pub fn first(&self) -> Vec3 {
        self.q - self.p
    }

    /// Second vector, R − P.
    pub fn second(&self) -> Vec3 {
        self.r - self.p
    }
}

pub(super) struct JointRow {
    pub row: Row,
    pub value: f64,
    pub value_span: Span,
}

pub(super) struct DriverRow {
    pub row: Row,
    pub law: Word,
}

/// Abbreviations, in any case; CD takes its direction with it.
const TYPES: [(&str, Type); 14] = [
    ("DP1", Type::Dot1),
    ("DP2", Type::Dot2),
    ("D", Type::Distance),
    ("CD", Type::Coordinate(None)),
    ("CDI", Type::Coordinate(Some(0))),
    ("CDJ", Type::Coordinate(Some(1))),
    ("CDK", Type::Coordinate(Some(2))),
    ("P1", Type::Perpendicular1),
    ("P2", Type::Perpendicular2),
    ("SJ", Type::Spherical),
    ("UJ", Type::Universal),
    ("CJ", Type::Cylindrical),
    ("RJ", Type::Revolute),
    ("TJ", Type::Translational),
];

pub(super) fn read_joints(source: &Arc<Source>, bodies: usize) -> Result<Vec<JointRow>> {
    /// Figure 3.21 shows this number for the revolute joint; no other number of a joint is known.
    const NUMBERS: [(&str, &str); 1] = [("2", "RJ")];
    let mut rows = Vec::new();
    for (words, span) in row_words(source)? {
        let kind = read_type(&words[0], &NUMBERS, "joint")?;
        // Without the value it is zero, as the thesis itself prints some rows.
        if words.len() != 22 && words.len() != 21 {
            let message = format!("a joint has 22 columns, found {}", words.len());
            let note = "type, i, j, points P Q R of body i, points P Q R of body j, value";
            return Err(Error::new(message).at(&span).note(note));
        }
        let row = read_row(&words, kind, span.clone(), bodies, 3)?;
        let (value, value_span) = match words.get(21) {
            Some(word) => (word.number()?, word.span.clone()),
            None => (0.0, span),
        };
        rows.push(JointRow { row, value, value_span });
    }
    Ok(rows)
}

pub(super) fn read_drivers(source: &Arc<Source>, bodies: usize) -> Result<Vec<DriverRow>> {
    /// The branches of the thesis's listing 3.7.
    const NUMBERS: [(&str, &str); 5] = [("1", "DP1"), ("2", "D"), ("3", "CDI"), ("4", "CDJ"), ("5", "CDK")];
    let mut rows = Vec::new();
    for (words, span) in row_words(source)? {
        let kind = read_type(&words[0], &NUMBERS, "driver")?;
        let points = match words.len() {
            22 => 3,
            16 => 2,
            count => {
                let mut error = Error::new(format!("a driver has 22 columns, found {count}")).at(&span).note(
                    "type, i, j, points P Q R of body i, points P Q R of body j (or P Q of each), motion law in quotes",
                );
                if count == 21 || count == 15 {
                    error = error.note("the motion law is missing; add it at the end: \"cos(pi/4 + 2*pi*t)\"");
                }
                return Err(error);
            }
        };
        let row = read_row(&words, kind, span, bodies, points)?;
        let law = words[words.len() - 1].clone();
        if law.text.is_empty() {
            return Err(Error::new("the motion law is empty").at(&law.span));
        }
        rows.push(DriverRow { row, law });
    }
    Ok(rows)
}

/// The lines that hold something, cut into words; `CD (i)` counts as one word.
fn row_words(source: &Arc<Source>) -> Result<Vec<(Vec<Word>, Span)>> {
    let mut rows = Vec::new();
    for (start, line) in columns::lines(source) {
        let mut words = columns::words(source, (start, line), Separator::Space, &COMMENTS)?;
        if let Some(first) = words.first_mut() {
            first.text = first.text.trim_start_matches('\u{feff}').to_string();
        }
        if words.first().is_some_and(|w| w.text.is_empty() && !w.quoted) {
            words.remove(0);
        }
        if words.len() > 1 && words[0].text.eq_ignore_ascii_case("cd") && words[1].text.starts_with('(') {
            let direction = words.remove(1);
            words[0].text.push_str(&direction.text);
            words[0].span.range.end = direction.span.range.end;
        }
        if let (Some(first), Some(last)) = (words.first(), words.last()) {
            let span = Span::new(source, first.span.range.start..last.span.range.end);
            rows.push((words, span));
        }
    }
    Ok(rows)
}

fn read_type(word: &Word, numbers: &[(&str, &'static str)], what: &str) -> Result<(Type, &'static str)> {
    let mut code: String = word.text.chars().filter(|c| !"()-_".contains(*c)).collect::<String>().to_uppercase();
    if let Some((_, abbreviation)) = numbers.iter().find(|(number, _)| *number == code) {
        code = abbreviation.to_string();
    }
    let code = match code.as_str() {
        "CDX" => "CDI",
        "CDY" => "CDJ",
        "CDZ" => "CDK",
        "ANGLE" if what == "driver" => "RJ",
        "SLIDE" if what == "driver" => "TJ",
        other => other,
    };
    if let Some(&(name, kind)) = TYPES.iter().find(|(name, _)| *name == code) {
        return Ok((kind, if name.starts_with("CD") { "CD" } else { name }));
    }
    let error = Error::new(format!("unknown type '{}' of a {what}", word.text)).at(&word.span);
    let error = error.suggest(code, TYPES.iter().map(|(name, _)| *name));
    let known: Vec<String> = numbers.iter().map(|(number, name)| format!("{number} = {name}")).collect();
    Err(error.note(format!("of the thesis's own numbers for a {what} these are known: {}", known.join(", "))))
}

fn read_row(
    words: &[Word],
    (kind, code): (Type, &'static str),
    span: Span,
    bodies: usize,
    points: usize,
) -> Result<Row> {
    let body = |word: &Word| {
        let number = word.count()?;
        if number == 0 || number > bodies {
            let message = format!("no body {number}: bodies are 1 (the frame) to {bodies}");
            return Err(Error::new(message).at(&word.span));
        }
        Ok(number - 1)
    };
    let pair = [body(&words[1])?, body(&words[2])?];
    if pair[0] == pair[1] {
        return Err(Error::new("both bodies of the row are the same").at(&words[2].span));
    }
    let end = |first: usize| {
        let point = |k: usize| -> Result<Vec3> {
            let word = |c: usize| words[first + 3 * k + c].number();
            Ok(Vec3::new(word(0)?, word(1)?, word(2)?))
        };
        let (from, to) = (&words[first].span, &words[first + 3 * points - 1].span);
        let span = Span { source: from.source.clone(), range: from.range.start..to.range.end };
        let (p, q) = (point(0)?, point(1)?);
        let r = if points == 3 { point(2)? } else { p };
        Ok::<End, Error>(End { p, q, r, span })
    };
    let ends = [end(3)?, end(3 + 3 * points)?];
    let body_spans = [words[1].span.clone(), words[2].span.clone()];
    Ok(Row { kind, code, kind_span: words[0].span.clone(), bodies: pair, body_spans, ends, span })
}
