//! The text of a deck, taken apart into statements and their arguments.
//!
//! A statement is `WORD/id, KEY = values, FLAG, …`; a line that begins with a comma (or follows one that ends with `&`) continues it, `!` begins
//! a comment, `;` parts statements, words may be cut short. The first line is a title. Inside a function the comma of a continued line is no
//! comma of the function, so it is kept apart as [`SOFT`]. Blanks take the place of what is not read, and places stay true.

use crate::foreign::Told;
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use std::ops::Range;
use std::sync::Arc;

/// The comma that continues a line.
pub(super) const SOFT: u8 = 1;

/// A kind of statement that is read: its word and the words of its arguments.
pub(super) struct Kind {
    pub word: &'static str,
    pub keys: &'static [&'static str],
    /// Those among the keys whose value is a function.
    pub functions: &'static [&'static str],
}

const fn kind(word: &'static str, keys: &'static [&'static str], functions: &'static [&'static str]) -> Kind {
    Kind { word, keys, functions }
}

const FUNCTION: &[&str] = &["FUNCTION"];
const SIX: &[&str] = &["FX", "FY", "FZ", "TX", "TY", "TZ", "FUNCTION"];

/// What is read. A word that is cut short is the first that it begins.
pub(super) static KINDS: &[Kind] = &[
    kind(
        "PART",
        &[
            "GROUND", "MASS", "CM", "IM", "IP", "QG", "REULER", "EULER", "ZG", "XG", "VX", "VY", "VZ", "WX", "WY",
            "WZ", "VM", "WM", "EXACT", "MATERIAL", "LABEL",
        ],
        &[],
    ),
    kind("POINT_MASS", &["MASS", "CM", "QG", "REULER", "EULER", "ZG", "XG", "VX", "VY", "VZ", "EXACT", "LABEL"], &[]),
    kind(
        "MARKER",
        &[
            "PART",
            "POINT_MASS",
            "QP",
            "REULER",
            "EULER",
            "ZP",
            "XP",
            "USEXP",
            "FLOATING",
            "NODE_ID",
            "FLEX_BODY",
            "LABEL",
        ],
        &[],
    ),
    kind(
        "JOINT",
        &[
            "I",
            "J",
            "REVOLUTE",
            "TRANSLATIONAL",
            "CYLINDRICAL",
            "SPHERICAL",
            "PLANAR",
            "FIXED",
            "UNIVERSAL",
            "HOOKE",
            "CONVEL",
            "SCREW",
            "RACKPIN",
            "ATPOINT",
            "INLINE",
            "INPLANE",
            "ORIENTATION",
            "PARALLEL_AXES",
            "PERPENDICULAR",
            "PITCH",
            "PD",
            "IC",
            "ICTRAN",
            "ICROT",
            "LABEL",
        ],
        &[],
    ),
    kind(
        "JPRIM",
        &["I", "J", "ATPOINT", "INLINE", "INPLANE", "ORIENTATION", "PARALLEL_AXES", "PERPENDICULAR", "LABEL"],
        &[],
    ),
    kind(
        "MOTION",
        &[
            "JOINT",
            "I",
            "J",
            "X",
            "Y",
            "Z",
            "B1",
            "B2",
            "B3",
            "ROTATION",
            "TRANSLATION",
            "DISPLACEMENT",
            "VELOCITY",
            "ACCELERATION",
            "FUNCTION",
            "ICDISP",
            "ICVEL",
            "LABEL",
        ],
        FUNCTION,
    ),
    kind("COUPLER", &["JOINTS", "TYPE", "SCALES", "LABEL"], &[]),
    kind("GEAR", &["JOINTS", "CV", "LABEL"], &[]),
    kind("GCON", &["FUNCTION", "I", "LABEL"], FUNCTION),
    kind("SFORCE", &["I", "J", "TRANSLATIONAL", "ROTATIONAL", "ACTIONONLY", "FUNCTION", "LABEL"], FUNCTION),
    kind("VFORCE", &["I", "JFLOAT", "RM", "FX", "FY", "FZ", "FUNCTION", "LABEL"], SIX),
    kind("VTORQUE", &["I", "JFLOAT", "RM", "TX", "TY", "TZ", "FUNCTION", "LABEL"], SIX),
    kind("GFORCE", &["I", "JFLOAT", "RM", "FX", "FY", "FZ", "TX", "TY", "TZ", "FUNCTION", "LABEL"], SIX),
    kind(
        "SPRINGDAMPER",
        &["I", "J", "TRANSLATIONAL", "ROTATIONAL", "K", "C", "LENGTH", "FORCE", "KT", "CT", "ANGLE", "TORQUE", "LABEL"],
        &[],
    ),
    kind("BUSHING", &["I", "J", "K", "C", "KT", "CT", "FORCE", "TORQUE", "LABEL"], &[]),
    kind(
        "BEAM",
        &[
            "I",
            "J",
            "LENGTH",
            "IXX",
            "IYY",
            "IZZ",
            "AREA",
            "ASY",
            "ASZ",
            "EMODULUS",
            "GMODULUS",
            "CRATIO",
            "CMATRIX",
            "FORMULATION",
            "LABEL",
        ],
        &[],
    ),
    kind("FIELD", &["I", "J", "KMATRIX", "CMATRIX", "CRATIO", "LENGTH", "FORCE", "FUNCTION", "LABEL"], FUNCTION),
    kind("ACCGRAV", &["IGRAV", "JGRAV", "KGRAV"], &[]),
    kind("GRAVITY", &["IGRAV", "JGRAV", "KGRAV"], &[]),
    kind("UNITS", &["FORCE", "MASS", "LENGTH", "TIME", "SYSTEM", "UCF"], &[]),
    kind("SPLINE", &["X", "Y", "LINEAR_EXTRAPOLATE", "FILE", "BLOCK", "CHANNEL", "LABEL"], &[]),
    kind("ARRAY", &["IC", "X", "U", "Y", "NUMBERS", "SIZE", "VARIABLES", "PINPUT_ID", "POUTPUT_ID", "LABEL"], &[]),
    kind("VARIABLE", &["FUNCTION", "IC", "EXACT", "LABEL"], FUNCTION),
    kind(
        "REQUEST",
        &[
            "DISPLACEMENT",
            "VELOCITY",
            "ACCELERATION",
            "FORCE",
            "I",
            "J",
            "RM",
            "COMMENT",
            "CNAMES",
            "CUNITS",
            "RESULTS_NAME",
            "TITLE",
            "VARIABLES",
            "ROUTINE",
            "FUNCTION",
            "F1",
            "F2",
            "F3",
            "F4",
            "F5",
            "F6",
            "F7",
            "F8",
            "LABEL",
        ],
        &["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "FUNCTION"],
    ),
    kind(
        "GRAPHICS",
        // The second half belongs to what is not drawn.
        &[
            "CYLINDER",
            "BOX",
            "ELLIPSOID",
            "CM",
            "CORNER",
            "LENGTH",
            "RADIUS",
            "XSCALE",
            "YSCALE",
            "ZSCALE",
            "X",
            "Y",
            "Z",
            "SPDP",
            "FORCE",
            "OUTLINE",
            "CIRCLE",
            "ARC",
            "FRUSTUM",
            "TORUS",
            "PLATE",
            "EXTERNAL",
            "I",
            "J",
            "COILS",
            "DA",
            "DB",
            "DC",
            "LA",
            "LB",
            "LC",
            "LD",
            "ETYPE",
            "EID",
            "EMARKER",
            "SIDES",
            "SEG",
            "ANGLE",
            "TOP",
            "BOTTOM",
            "MAJOR",
            "MINOR",
            "MARKERS",
            "RM",
            "FILE",
            "ELEMENT",
            "LABEL",
        ],
        &[],
    ),
];

/// What asks for output or steers a program, and says nothing of the mechanism: told in one line.
const ASIDE: &[&str] = &[
    "MREQUEST",
    "OUTPUT",
    "RESULTS",
    "INTEGRATOR",
    "DEBUG",
    "EQUILIBRIUM",
    "KINEMATICS",
    "IC",
    "STRING",
    "MATERIAL",
    "LSE",
    "LIST",
    "MODEL",
    "PREFERENCES",
    "LSTRING",
    "MATRIX",
    "SENSOR",
    "ACF",
    "RESULT",
    "INT",
];

/// Elements that are known and not read: what they would do is missing.
const UNREAD: &[&str] = &[
    "NFORCE",
    "CONTACT",
    "FRICTION",
    "CVCV",
    "PTCV",
    "CURVE",
    "SURFACE",
    "DIFF",
    "GSE",
    "TFSISO",
    "PINPUT",
    "POUTPUT",
    "FLEX_BODY",
    "TIRE",
    "UCON",
    "MFORCE",
    "SPTIRE",
    "PLANT",
];

/// A value of an argument with its place.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub text: String,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Argument {
    pub key: &'static str,
    pub span: Span,
    pub values: Vec<Text>,
}

pub(super) struct Statement {
    pub kind: &'static Kind,
    pub id: i64,
    /// The name that a comment before it gives, or its label.
    pub label: Option<String>,
    pub arguments: Vec<Argument>,
    pub span: Span,
    /// Whether what is read next may belong to a function.
    open: bool,
}

impl Statement {
    pub fn get(&self, key: &str) -> Option<&Argument> {
        self.arguments.iter().find(|a| a.key == key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// What it is called in messages.
    pub fn shown(&self) -> String {
        format!("{}/{}", self.kind.word, self.id)
    }
}

pub(super) struct Deck {
    pub title: String,
    pub statements: Vec<Statement>,
}

/// Takes a text apart.
pub(super) fn read(source: &Arc<Source>, told: &mut Told) -> Result<Deck> {
    let mut bytes = source.text.clone().into_bytes();
    let mut title = None;
    let mut raw: Vec<(Range<usize>, Option<String>)> = Vec::new();
    let mut label: Option<String> = None;
    let (mut start, mut continued) = (0, false);
    for line in source.text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let end = blank_comment(&mut bytes, &range, &mut label);
        let text = source.text.get(range.start..end).unwrap_or("").trim_end();
        let first = range.start + (text.len() - text.trim_start().len());
        let text = text.trim_start();
        if text.is_empty() {
            continue;
        }
        let more = text.ends_with('&');
        if more {
            bytes[first + text.len() - 1] = b' ';
        }
        let follows = text.starts_with(',');
        if follows {
            bytes[first] = SOFT;
        }
        let first_line = title.is_none() && raw.is_empty();
        match raw.last_mut() {
            Some((last, _)) if follows || continued => last.end = end,
            _ if first_line && !text.split_once('/').is_some_and(|(word, _)| known(word)) => {
                title = Some(text.rsplit("name:").next().unwrap_or(text).trim().to_string());
            }
            _ => raw.push((first..end, label.take())),
        }
        continued = more;
    }
    // Each takes memory many times its length.
    const MOST: usize = 200_000;
    if let Some((range, _)) = raw.get(MOST) {
        let error = Error::new(format!("the deck has more than {MOST} statements"));
        return Err(error.at(&Span::new(source, range.start..range.start + 1)));
    }
    for byte in bytes.iter_mut().filter(|b| b.is_ascii_whitespace()) {
        *byte = b' ';
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut statements = Vec::new();
    'all: for (range, label) in raw {
        let mut label = label;
        for part in parts(&text, range, b";") {
            if !statement(&text, part, label.take(), source, told, &mut statements)? {
                break 'all;
            }
        }
    }
    Ok(Deck { title: title.unwrap_or_default(), statements })
}

/// Blanks the comment of a line, and keeps the name that it gives. Where the rest of the line ends.
fn blank_comment(bytes: &mut [u8], line: &Range<usize>, label: &mut Option<String>) -> usize {
    let Some(at) = bytes[line.clone()].iter().position(|b| *b == b'!') else { return line.end };
    let comment = String::from_utf8_lossy(&bytes[line.start + at..line.end]).into_owned();
    if let Some(rest) = comment.split_once("adams_view_name").map(|(_, rest)| rest) {
        *label = rest.split(['\'', '"']).nth(1).map(str::to_string);
    }
    bytes[line.start + at..line.end].fill(b' ');
    line.start + at
}

/// Ranges between separators that stand outside of brackets and quotes.
fn parts(text: &str, range: Range<usize>, separators: &[u8]) -> Vec<Range<usize>> {
    let (mut depth, mut quote, mut from) = (0i32, None, range.start);
    let mut out = Vec::new();
    for k in range.clone() {
        let byte = text.as_bytes()[k];
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => depth -= 1,
            (None, _) if depth <= 0 && separators.contains(&byte) => {
                out.push(from..k);
                from = k + 1;
            }
            _ => {}
        }
    }
    out.push(from..range.end);
    out
}

fn known(word: &str) -> bool {
    let word = word.trim().to_ascii_uppercase();
    find(&word).is_some() || ASIDE.contains(&word.as_str()) || UNREAD.contains(&word.as_str())
}

/// The kind whose word is this one, or begins with it.
fn find(word: &str) -> Option<&'static Kind> {
    const SHORTEST: usize = 2;
    let cut = |k: &&Kind| word.len() >= SHORTEST && k.word.starts_with(word) && !ASIDE.contains(&word);
    KINDS.iter().find(|k| k.word == word).or_else(|| KINDS.iter().find(cut))
}

/// Reads one statement; false where it ends the deck.
fn statement(
    text: &str,
    range: Range<usize>,
    label: Option<String>,
    source: &Arc<Source>,
    told: &mut Told,
    out: &mut Vec<Statement>,
) -> Result<bool> {
    let whole = &text[range.clone()];
    let lead = range.start + (whole.len() - whole.trim_start().len());
    let span = Span::new(source, lead..lead + whole.trim().len());
    // The slash may be missing where a statement has no number and its arguments begin with a comma.
    let comma = whole.bytes().position(|b| b == SOFT || b == b',').filter(|&k| known(&whole[..k]));
    let Some(slash) = comma.filter(|k| !whole[..*k].contains('/')).or_else(|| whole.find('/')) else {
        let word = whole.trim().to_ascii_uppercase();
        if !word.is_empty() && word != "END" {
            told.doubt(Error::new(format!("'{}' is no statement", cut(whole.trim()))).at(&span), "not read")?;
        }
        return Ok(word != "END");
    };
    let word = whole[..slash].trim().to_ascii_uppercase();
    let Some(kind) = find(&word) else {
        match word.as_str() {
            "END" => return Ok(false),
            _ if ASIDE.iter().any(|a| a.starts_with(&word) || word.starts_with(a)) => {
                told.unused(&span, "statements about output and solution (OUTPUT, RESULTS and the like) are not used");
            }
            _ if UNREAD.contains(&word.as_str()) => {
                let error = Error::new(format!("{word} has no counterpart here")).at(&span);
                told.doubt(error, "not read, what it does is missing")?;
            }
            _ => told.doubt(Error::new(format!("the statement {} is not known", cut(&word))).at(&span), "not read")?,
        }
        return Ok(true);
    };
    let mut pieces = parts(text, range.start + slash + 1..range.end, &[b',', SOFT, b'\\']);
    let first = text[pieces[0].clone()].trim();
    let id = first.parse::<i64>().ok();
    if id.is_some() || first.is_empty() {
        pieces.remove(0);
    }
    let mut found = Statement { kind, id: id.unwrap_or(0), label, arguments: Vec::new(), span, open: false };
    for piece in pieces {
        // A function ends at a backslash; what follows may be cut short as anything else.
        let ended = text[..piece.start].ends_with('\\');
        if ended {
            found.open = false;
        }
        argument(text, piece, source, told, &mut found)?;
    }
    if found.label.is_none() {
        found.label =
            found.get("LABEL").and_then(|a| a.values.first()).map(|v| v.text.trim_matches(['"', '\'']).to_string());
    }
    out.push(found);
    Ok(true)
}

/// Puts one piece between separators where it belongs: a key with its first value, a flag, or one more value.
fn argument(text: &str, piece: Range<usize>, source: &Arc<Source>, told: &mut Told, to: &mut Statement) -> Result<()> {
    let value = |range: Range<usize>| {
        let raw = &text[range.clone()];
        let start = range.start + (raw.len() - raw.trim_start().len());
        Text { text: raw.trim().to_string(), span: Span::new(source, start..start + raw.trim().len()) }
    };
    let whole = value(piece.clone());
    if whole.text.is_empty() {
        return Ok(());
    }
    let is_word = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let named = whole
        .text
        .split_once('=')
        .map(|(key, _)| key.trim())
        .filter(|key| is_word(key) && !key.as_bytes()[0].is_ascii_digit());
    let in_function = to.open;
    let key_of = |word: &str, exact: bool| {
        let word = word.to_ascii_uppercase();
        let cut = |k: &&&str| !exact && k.starts_with(&word);
        to.kind.keys.iter().find(|k| **k == word).or_else(|| to.kind.keys.iter().find(cut)).copied()
    };
    if let Some(word) = named {
        let at = piece.start + text[piece.clone()].find('=').unwrap_or(0) + 1;
        match key_of(word, false) {
            Some(key) => {
                let values = vec![value(at..piece.end)];
                to.open = to.kind.functions.contains(&key);
                to.arguments.push(Argument { key, span: whole.span, values });
            }
            None => {
                let message = format!("{} = of {} is not known", cut(&word.to_ascii_uppercase()), to.kind.word);
                told.doubt(Error::new(message).at(&whole.span), "not read")?;
            }
        }
    } else if let Some(key) = Some(&whole.text).filter(|w| is_word(w)).and_then(|w| key_of(w, in_function)) {
        to.open = false;
        to.arguments.push(Argument { key, span: whole.span, values: Vec::new() });
    } else if let Some(last) = to.arguments.last_mut() {
        match last.values.first_mut() {
            // A function that goes on in the next line.
            Some(function) if in_function => {
                function.text = format!("{} {}", function.text, whole.text);
                function.span.range.end = whole.span.range.end;
            }
            _ => last.values.push(whole),
        }
    } else {
        let message = format!("'{}' in {} is not understood", cut(&whole.text), to.kind.word);
        told.doubt(Error::new(message).at(&whole.span), "not read")?;
    }
    Ok(())
}

/// A text short enough for a message.
fn cut(text: &str) -> String {
    const LONGEST: usize = 40;
    text.chars().take(LONGEST).collect()
}
