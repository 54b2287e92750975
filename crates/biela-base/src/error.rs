//! The one error of the library: what is wrong, with which element, where in the text, and what to do next.

pub use crate::reason::Reason;
pub use crate::source::is_plain;
use crate::source::Span;
use std::fmt;

/// Result of everything in this library that can go wrong.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, in words meant for the person who wrote the model.
///
/// `Display` prints the message in one line, followed by the quoted source line with a caret and by the notes,
/// each on its own line, where there are any.
#[derive(Debug, Clone)]
pub struct Error(Box<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    kind: ErrorKind,
    reason: Option<Reason>,
    element: Option<String>,
    message: String,
    span: Option<Span>,
    notes: Vec<String>,
    time: Option<f64>,
    residual: Option<f64>,
    end: Option<End>,
}

/// What ends a motion before its time, for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// One word: `singular` for a singular position, `limit` for a joint limit, else the word of the error's kind.
    pub reason: &'static str,
    /// Name of the driver that leads there.
    pub driver: Option<String>,
    /// Its value there, in SI.
    pub value: Option<f64>,
}

/// What sort of fault it is: what a program can decide by, where a person reads the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was given cannot be understood, or makes no sense: a text, a name, an option, a number.
    Input,
    /// A file cannot be read or written.
    File,
    /// The loops cannot be closed.
    Assembly,
    /// Drivers do not match the freedoms, or prescribe what cannot be followed.
    Drive,
    /// A singular position ends the motion.
    Singular,
    /// The motion goes no further: loops open, constraints contradict each other.
    Motion,
    /// Motion under forces cannot be computed as asked: steps too long, energy not kept, no finite values.
    Integration,
    /// Loads balance nowhere that was found.
    Equilibrium,
    /// More than can be held, or done in time.
    Capacity,
    /// The user ended it.
    Stopped,
}

impl ErrorKind {
    /// Every kind with the word that names it to programs.
    pub const ALL: [(&'static str, ErrorKind); 10] = [
        ("input", ErrorKind::Input),
        ("file", ErrorKind::File),
        ("assembly", ErrorKind::Assembly),
        ("drive", ErrorKind::Drive),
        ("singular", ErrorKind::Singular),
        ("motion", ErrorKind::Motion),
        ("integration", ErrorKind::Integration),
        ("equilibrium", ErrorKind::Equilibrium),
        ("capacity", ErrorKind::Capacity),
        ("stopped", ErrorKind::Stopped),
    ];

    /// The word that names it.
    pub fn word(self) -> &'static str {
        ErrorKind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }

    /// An error of this kind with its message: lower case, no full stop at the end.
    pub fn error(self, message: impl Into<String>) -> Error {
        Error(Box::new(Parts {
            kind: self,
            reason: None,
            element: None,
            message: clean(message.into()),
            span: None,
            notes: Vec::new(),
            time: None,
            residual: None,
            end: None,
        }))
    }
}

impl Error {
    /// An error about what was given ([`ErrorKind::Input`]) with its message: lower case, no full stop at the end.
    pub fn new(message: impl Into<String>) -> Error {
        ErrorKind::Input.error(message)
    }

    /// Says why, for programs; kept if it is said already.
    pub fn because(mut self, reason: Reason) -> Error {
        self.0.reason.get_or_insert(reason);
        self
    }

    /// Says when in the motion it was met, in seconds.
    pub fn at_time(mut self, t: f64) -> Error {
        self.0.time.get_or_insert(t);
        self
    }

    /// Says by how much constraints are violated, scaled as in the column `residual`.
    pub fn with_residual(mut self, residual: f64) -> Error {
        self.0.residual.get_or_insert(residual);
        self
    }

    /// Says what ends the motion; kept if that is said already.
    pub fn ending(mut self, end: End) -> Error {
        self.0.end.get_or_insert(end);
        self
    }

    /// Names the element at fault, such as `joint 'B'`; kept if one is named already.
    pub fn of(mut self, element: impl Into<String>) -> Error {
        self.0.element.get_or_insert_with(|| clean(element.into()));
        self
    }

    /// Points at the text at fault; kept if a place is known already.
    pub fn at(mut self, span: &Span) -> Error {
        self.0.span.get_or_insert_with(|| span.clone());
        self
    }

    /// Like [`Error::at`], where the place may be unknown.
    pub fn at_opt(self, span: Option<&Span>) -> Error {
        match span {
            Some(span) => self.at(span),
            None => self,
        }
    }

    /// Adds advice or detail on a line of its own.
    pub fn note(mut self, note: impl Into<String>) -> Error {
        self.0.notes.push(clean(note.into()));
        self
    }

    /// "allowed are …" and, where one is near, "Did you mean …?" for a name that is not known.
    pub fn suggest<'a>(self, found: &str, allowed: impl IntoIterator<Item = &'a str>) -> Error {
        let names: Vec<&str> = allowed.into_iter().collect();
        let near = nearest(found, &names).map(|n| format!("did you mean '{n}'?"));
        let list = listing(&names);
        let mut error = self;
        if !list.is_empty() {
            error = error.note(format!("allowed: {list}"));
        }
        match near {
            Some(near) => error.note(near),
            None => error,
        }
    }

    /// What sort of fault it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Why, where it is one of the reasons that programs know.
    pub fn reason(&self) -> Option<Reason> {
        self.0.reason
    }

    /// When in the motion it was met, where that is known.
    pub fn time(&self) -> Option<f64> {
        self.0.time
    }

    /// By how much constraints are violated, where that is the fault.
    pub fn residual(&self) -> Option<f64> {
        self.0.residual
    }

    /// What ends the motion, where that is the fault and more is known of it than its kind.
    pub fn end(&self) -> Option<&End> {
        self.0.end.as_ref()
    }

    /// The message alone, without place or notes.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Element, place and message in one line, as warnings are told.
    pub fn line(&self) -> String {
        match (self.element(), self.span().map(Span::place)) {
            (Some(element), Some(place)) => format!("{element} ({place}): {}", self.message()),
            (Some(element), None) => format!("{element}: {}", self.message()),
            (None, Some(place)) => format!("{place}: {}", self.message()),
            (None, None) => self.message().to_string(),
        }
    }

    /// The element named, such as `joint 'B'`.
    pub fn element(&self) -> Option<&str> {
        self.0.element.as_deref()
    }

    /// Where in the text the fault lies.
    pub fn span(&self) -> Option<&Span> {
        self.0.span.as_ref()
    }

    /// Advice, one line each.
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.0;
        f.write_str(&self.line())?;
        if let Some(span) = &parts.span {
            write!(f, "\n{}", span.snippet())?;
        }
        for note in &parts.notes {
            write!(f, "\n  = {note}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// A text as it may stand in a message: names from files can be of any length and hold what moves a terminal's cursor.
pub fn clean(text: String) -> String {
    /// Letters that are kept of a long text, from its beginning and from its end.
    const KEPT: (usize, usize) = (1200, 400);
    let plain = |c: char| is_plain(c) || c == '\n';
    if text.len() <= KEPT.0 + KEPT.1 && text.chars().all(plain) {
        return text;
    }
    // Written out, a character may take eight letters.
    let written = |c: char| if plain(c) { c.to_string() } else { c.escape_default().to_string() };
    let letters: Vec<char> = text.chars().map(written).collect::<String>().chars().collect();
    match letters.len() > KEPT.0 + KEPT.1 {
        true => {
            let (first, last) = (&letters[..KEPT.0], &letters[letters.len() - KEPT.1..]);
            format!("{} … {}", first.iter().collect::<String>(), last.iter().collect::<String>())
        }
        false => letters.into_iter().collect(),
    }
}

/// The allowed name nearest to `found`, if near enough to be a slip of the pen.
pub fn nearest<'a>(found: &str, allowed: &[&'a str]) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if found.chars().count() > LONGEST {
        return None;
    }
    // One letter for another is no slip of the pen; a wrong case is.
    let length = found.chars().count();
    let limit = if length < 2 { 0 } else { (length / 3).max(1) };
    allowed
        .iter()
        .filter(|name| name.chars().count() <= LONGEST)
        .map(|name| (edit_distance(&found.to_lowercase(), &name.to_lowercase()), *name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Number of single-letter changes (insert, delete, replace, swap of neighbours) between two words.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// Names joined for a sentence, cut after a dozen.
pub fn listing(names: &[&str]) -> String {
    const MOST: usize = 14;
    let mut text = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(&format!(", … ({} in all)", names.len()));
    }
    text
}

/// The first names of a list, and how many more there are: a long list helps nobody.
pub fn some_of(names: &[String]) -> String {
    const MOST: usize = 30;
    let shown = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST {
        format!("{shown} and {} more", names.len() - MOST)
    } else {
        shown
    }
}

/// A number of things in words: `1 joint`, `2 joints`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_makes_no_long_message() {
        let name = "\u{feff}".repeat(1500);
        let shown = clean(name);
        assert!(shown.len() < 1700 && shown.starts_with("\\u{feff}") && shown.contains(" … "), "{}", shown.len());
        assert_eq!(clean("a\u{202e}b".into()), "a\\u{202e}b");
    }

    #[test]
    fn messages_are_short_and_move_no_cursor() {
        let error = Error::new(format!("no body '{}\u{1b}[2J'", "x".repeat(10_000_000))).of("joint '\r'").note("\u{7}");
        let told = error.to_string();
        assert!(told.len() < 2000 && told.starts_with("joint '\\r': no body 'xxx"), "{told}");
        assert!(told.contains("\\u{1b}[2J'\n  = \\u{7}") && !told.contains('\u{1b}'), "{told}");
        // Nor do they turn the sense of reading, in the quoted line either.
        let source = crate::source::Source::new("a\u{202e}.toml", "name = \"x\u{202e}gpj.exe\u{200b}\"");
        let error = Error::new("'\u{2066}x' is wrong").at(&Span::new(&source, 0..4)).note("\u{feff}\u{200f}");
        assert!(error.to_string().chars().all(|c| is_plain(c) || c == '\n'), "{error:?}");
    }

    #[test]
    fn a_swapped_letter_is_found() {
        assert_eq!(nearest("copuler", &["crank", "coupler", "rocker"]), Some("coupler"));
        assert_eq!(nearest("zzz", &["crank"]), None);
    }
}
