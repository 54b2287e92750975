//! Closures in a YAML file beside the URDF, as the collection `example-parallel-robots` has them.
//!
//! `closed_loop` lists pairs of frames (links, or joints for the frame of their child) that coincide, `type` for each of them "6d" or
//! "3d": held together with their axes, or their origins alone. `joint_name` and `joint_type` give joints of the URDF another type:
//! `SPHERICAL`, `FIXED`, or `UJOINT_XY` and its like (`CARDAN`), which turn about x and then about y. `name_mot` lists motors. Older files
//! name frames by a rule ([`numbered`]).

use super::joint::{Joint, Kind};
use super::link::Link;
use super::loops::{LoopJoint, NO_AXIS, SPHERICAL};
use super::origin::Origin;
use crate::foreign::{Placed, Told};
use crate::reader::plain_name;
use biela_base::error::{Error, Result};
use biela_base::source::{Source, Span};
use biela_math::Vec3;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A value of the file: a word, or a list.
#[derive(Debug, Clone)]
enum Item {
    Word(String, Range<usize>),
    List(Vec<Item>, Range<usize>),
}

/// What such a file says.
const KEYS: [&str; 7] =
    ["closed_loop", "type", "name_mot", "joint_name", "joint_type", "name_closedloop", "closed_loop_number"];

/// Words of `joint_type`.
const JOINT_TYPES: [&str; 5] = ["SPHERICAL", "FIXED", "CARDAN", "UJOINT_XY", "REVOLUTE"];

/// Closed loops at most.
const MOST: usize = 10_000;
/// Lists within lists at most.
const DEEPEST: usize = 8;

/// Whether a text looks like such a file.
pub(super) fn recognises(text: &str) -> bool {
    let says = |line: &str, key: &str| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(':'));
    text.lines().any(|line| KEYS.iter().any(|key| key.contains("closed") && says(line, key)))
}

/// Gives the robot what the file says: other types of joints, and joints that close loops.
pub(super) fn apply(
    source: &Arc<Source>,
    told: &mut Told,
    (links, joints): (&[Link], &mut [Joint]),
) -> Result<Vec<LoopJoint>> {
    let entries = parse(source)?;
    let at = |range: &Range<usize>| Span::new(source, range.clone());
    let list = |key: &str| -> Result<Vec<Item>> {
        match entries.iter().find(|(k, ..)| k == key).map(|(_, _, item)| item) {
            None => Ok(Vec::new()),
            Some(Item::List(list, _)) => Ok(list.clone()),
            Some(Item::Word(word, _)) if word.is_empty() || word == "null" || word == "~" => Ok(Vec::new()),
            Some(Item::Word(_, range)) => Err(Error::new(format!("'{key}' is a list")).at(&at(range))),
        }
    };
    for (key, range, _) in entries.iter().filter(|(key, ..)| !KEYS.contains(&key.as_str())) {
        let error = Error::new(format!("unknown key '{key}'")).at(&at(range)).suggest(key, KEYS);
        told.doubt(error, "not read")?;
    }
    let (names, types) = (list("joint_name")?, list("joint_type")?);
    for (k, name) in names.iter().enumerate() {
        let (name, span) = word(source, name)?;
        let kind = types.get(k).map(|t| word(source, t)).transpose()?;
        let Some((kind, kind_span)) = kind else {
            return Err(Error::new(format!("'joint_type' has no entry for '{name}'")).at(&span));
        };
        let Some(joint) = joints.iter_mut().find(|j| j.name.value == plain_name(&name)) else {
            told.doubt(Error::new("'joint_name' lists a joint that the URDF has not").at(&span), "not used")?;
            continue;
        };
        let Some(value) = kind_of(&kind) else {
            let error = Error::new(format!("unknown joint type '{kind}'")).at(&kind_span);
            told.doubt(error.suggest(&kind, JOINT_TYPES), "the joint stays what the URDF says")?;
            continue;
        };
        joint.kind = Placed { value: value.unwrap_or(joint.kind.value), span: kind_span };
        (joint.limit, joint.dynamics, joint.mimic) = (None, None, None);
    }
    if let Some((_, range, _)) = entries.iter().find(|(key, ..)| key == "name_mot") {
        told.unused(&at(range), "motors are listed; nothing drives them until --drive or [drivers] does");
    }
    let (mut pairs, mut types) = (list("closed_loop")?, Vec::new());
    match entries.iter().find(|(key, ..)| key == "type").map(|(_, _, item)| item) {
        // One word is that of all loops.
        Some(word @ Item::Word(text, _)) if !text.is_empty() => types = vec![word.clone(); MOST],
        _ => types.extend(list("type")?),
    }
    if pairs.is_empty() {
        pairs = numbered(source, told, &entries, (links, &mut *joints))?;
    }
    let mut loops = Vec::new();
    for (k, pair) in pairs.iter().enumerate() {
        loops.extend(closure(source, told, (k, pair, types.get(k)), (links, joints))?);
    }
    Ok(loops)
}

/// Closures as older files give them: `name_closedloop` (`fermeture` if it is missing) stands with a number in the names of frames, of which each
/// two of one number belong together; names that hold `frame` are none. `closed_loop_number` says how many there are, if it is not −1. Joints
/// whose name holds `to_rotule` are balls.
fn numbered(
    source: &Arc<Source>,
    told: &mut Told,
    entries: &[(String, Range<usize>, Item)],
    (links, joints): (&[Link], &mut [Joint]),
) -> Result<Vec<Item>> {
    let entry = |key: &str| entries.iter().find(|(k, ..)| k == key);
    let (prefix, number) = (entry("name_closedloop"), entry("closed_loop_number"));
    let Some((_, range, _)) = prefix.or(number) else { return Ok(Vec::new()) };
    let mut count = None;
    if let Some((_, _, number)) = number {
        let (given, of_number) = word(source, number)?;
        let given: i64 = given
            .parse()
            .ok()
            .filter(|n| *n <= MOST as i64)
            .ok_or_else(|| Error::new("'closed_loop_number' is a number of loops").at(&of_number))?;
        count = usize::try_from(given).ok();
    }
    let prefix = match prefix {
        Some((_, _, item)) => word(source, item)?.0,
        None => "fermeture".to_string(),
    };
    if entry("joint_name").is_none() {
        for joint in joints.iter_mut().filter(|j| j.name.value.contains("to_rotule")) {
            told.unused(&joint.name.span, "joints called 'to_rotule' are balls, as files of this kind mean it");
            joint.kind.value = Kind::Spherical;
            (joint.limit, joint.dynamics, joint.mimic) = (None, None, None);
        }
    }
    // Joints come before links, which often bear the same names.
    let of_joints = paired(joints.iter().map(|j| j.name.value.as_str()), &prefix);
    let of_links = paired(links.iter().map(|l| l.name.value.as_str()), &prefix);
    let rest = of_links.into_iter().filter(|(number, _)| !of_joints.iter().any(|(n, _)| n == number));
    let mut found: Vec<(u64, [String; 2])> = of_joints.iter().cloned().chain(rest).collect();
    found.sort_by_key(|(number, _)| *number);
    if let Some((_, range, _)) = number.filter(|_| count.is_some_and(|count| count != found.len())) {
        let error = Error::new("'closed_loop_number' is not the number of pairs of frames that the URDF has");
        told.doubt(error.at(&Span::new(source, range.clone())), "all pairs are closed")?;
    }
    let item = |pair: [String; 2]| Item::List(pair.map(|n| Item::Word(n, range.clone())).to_vec(), range.clone());
    Ok(found.into_iter().map(|(_, pair)| item(pair)).collect())
}

/// Names that hold `prefix` and the same number behind it, where there are two of them.
fn paired<'n>(names: impl Iterator<Item = &'n str>, prefix: &str) -> Vec<(u64, [String; 2])> {
    let mut by_number: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for name in names.filter(|name| !prefix.is_empty() && !name.contains("frame")) {
        let Some((_, rest)) = name.split_once(prefix) else { continue };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if let Ok(number) = rest[..digits].parse() {
            by_number.entry(number).or_default().push(name);
        }
    }
    let two = |(number, names): (u64, Vec<&str>)| match names[..] {
        [a, b] => Some((number, [a.to_string(), b.to_string()])),
        _ => None,
    };
    by_number.into_iter().filter_map(two).collect()
}

/// The type that a word gives a joint; none inside where it keeps its own.
fn kind_of(word: &str) -> Option<Option<Kind>> {
    let word = word.to_ascii_uppercase();
    if let Some(axes) = word.strip_prefix("UJOINT_") {
        let axis = |c: char| match c {
            'X' => Some(Vec3::X),
            'Y' => Some(Vec3::Y),
            'Z' => Some(Vec3::Z),
            _ => None,
        };
        let found: Vec<Vec3> = axes.chars().filter_map(axis).collect();
        return match found[..] {
            [a, b] if a != b && axes.len() == 2 => Some(Some(Kind::Universal([a, b]))),
            _ => None,
        };
    }
    match word.as_str() {
        "CARDAN" => Some(Some(Kind::Universal([Vec3::X, Vec3::Y]))),
        "SPHERICAL" => Some(Some(Kind::Spherical)),
        "FIXED" => Some(Some(Kind::Fixed)),
        "REVOLUTE" | "" => Some(None),
        _ => None,
    }
}

fn closure(
    source: &Arc<Source>,
    told: &mut Told,
    (k, pair, kind): (usize, &Item, Option<&Item>),
    (links, joints): (&[Link], &[Joint]),
) -> Result<Option<LoopJoint>> {
    let (ends, range) = match pair {
        Item::List(ends, range) if ends.len() == 2 => (ends, range),
        Item::List(_, range) | Item::Word(_, range) => {
            let span = Span::new(source, range.clone());
            return Err(Error::new("an entry of 'closed_loop' is a pair of frames").at(&span));
        }
    };
    let span = Span::new(source, range.clone());
    let kind = match kind.map(|t| word(source, t)).transpose()? {
        Some((word, span)) if word.eq_ignore_ascii_case("3d") => Placed { value: SPHERICAL, span },
        Some((word, span)) if word.eq_ignore_ascii_case("6d") => Placed { value: "fixed", span },
        Some((word, span)) => {
            let error = Error::new(format!("'{word}' is neither \"6d\" nor \"3d\"")).at(&span);
            told.doubt(error, "taken as \"6d\", as Gepetto's own reader does")?;
            Placed { value: "fixed", span }
        }
        None => {
            told.doubt(Error::new("'type' has no entry for a closed loop").at(&span), "taken as \"6d\"")?;
            Placed { value: "fixed", span: span.clone() }
        }
    };
    let mut found = Vec::new();
    for end in ends {
        let (name, span) = word(source, end)?;
        let plain = plain_name(&name);
        let of_joint = || joints.iter().find(|j| j.name.value == plain).map(|j| j.child.value.clone());
        match links.iter().find(|l| l.name.value == plain).map(|l| l.name.value.clone()).or_else(of_joint) {
            Some(value) => found.push(Placed { value, span }),
            None => {
                let names = links.iter().map(|l| l.name.value.as_str());
                let error = Error::new(format!("no frame '{name}' in the URDF")).at(&span).suggest(&name, names);
                told.doubt(error, "its loop stays open")?;
                return Ok(None);
            }
        }
    }
    let Ok(links) = <[Placed<String>; 2]>::try_from(found) else { return Ok(None) };
    if links[0].value == links[1].value {
        return Err(Error::new("both frames are on one link").at(&span));
    }
    let name = Placed { value: format!("closed_loop_{}", k + 1), span: span.clone() };
    let (frames, axes) = ([Origin::NONE, Origin::NONE], [NO_AXIS, NO_AXIS]);
    Ok(Some(LoopJoint { name, span, kind, links, frames, axes, pitch: None, closed_at_zero: false }))
}

fn word(source: &Arc<Source>, item: &Item) -> Result<(String, Span)> {
    match item {
        Item::Word(word, range) => Ok((word.clone(), Span::new(source, range.clone()))),
        Item::List(_, range) => {
            Err(Error::new("a list stands where a name is meant").at(&Span::new(source, range.clone())))
        }
    }
}

/// The keys of the file with their values: lists in brackets or of lines with dashes, words with or without quotes, comments.
fn parse(source: &Arc<Source>) -> Result<Vec<(String, Range<usize>, Item)>> {
    let mut scanner = Scanner { source, text: &source.text, at: 0 };
    let mut entries = Vec::new();
    loop {
        scanner.skip(true);
        if scanner.at == scanner.text.len() {
            return Ok(entries);
        }
        if scanner.text[scanner.at..].starts_with("---") {
            scanner.at += 3;
            continue;
        }
        let start = scanner.at;
        let Item::Word(key, range) = scanner.word(&[':', '\n'])? else { return Err(scanner.wrong(start)) };
        if scanner.peek() != Some(':') || key.is_empty() {
            return Err(scanner.wrong(start));
        }
        scanner.at += 1;
        scanner.skip(false);
        let value = match scanner.peek() {
            Some('\n') | None => {
                scanner.skip(true);
                match scanner.peek() {
                    Some('[') => scanner.value(0)?,
                    Some('-') => scanner.lines()?,
                    _ => Item::Word(String::new(), range.clone()),
                }
            }
            _ => scanner.value(0)?,
        };
        entries.push((key, range, value));
    }
}

struct Scanner<'s> {
    source: &'s Arc<Source>,
    text: &'s str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Passes spaces and comments, and ends of lines where asked to.
    fn skip(&mut self, lines: bool) {
        while let Some(c) = self.peek() {
            match c {
                '#' => self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at),
                '\n' if !lines => return,
                c if c.is_whitespace() => self.at += c.len_utf8(),
                _ => return,
            }
        }
    }

    fn wrong(&self, start: usize) -> Error {
        let end = self.text[start..].find('\n').map_or(self.text.len(), |k| start + k).max(start + 1);
        Error::new("this is no line of a file of closures: a key and a list of names are meant")
            .at(&Span::new(self.source, start..end))
            .note("such as closed_loop: [['a', 'b']]")
    }

    /// A list in brackets, or a word.
    fn value(&mut self, depth: usize) -> Result<Item> {
        if self.peek() != Some('[') {
            return self.word(&['\n', ',', ']', '#']);
        }
        let start = self.at;
        if depth == DEEPEST {
            return Err(self.wrong(start));
        }
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip(true);
            match self.peek() {
                Some(']') => {
                    self.at += 1;
                    return Ok(Item::List(list, start..self.at));
                }
                Some(',') => self.at += 1,
                Some(_) => {
                    let before = self.at;
                    list.push(self.value(depth + 1)?);
                    if self.at == before {
                        return Err(self.wrong(start));
                    }
                }
                None => return Err(self.wrong(start)),
            }
        }
    }

    /// Lines that begin with a dash.
    fn lines(&mut self) -> Result<Item> {
        let (start, mut list) = (self.at, Vec::new());
        while self.peek() == Some('-') {
            self.at += 1;
            self.skip(false);
            match self.peek() {
                // A list in a list, one dash beside the other.
                Some('-') => {
                    let mut inner = Vec::new();
                    let from = self.at;
                    while self.peek() == Some('-') {
                        self.at += 1;
                        self.skip(false);
                        inner.push(self.value(1)?);
                        self.skip(true);
                        // The next of the outer list stands further left.
                        let column = self.text[..self.at].rfind('\n').map_or(self.at, |k| self.at - k - 1);
                        let own = self.text[..from].rfind('\n').map_or(from, |k| from - k - 1);
                        if column < own {
                            break;
                        }
                    }
                    list.push(Item::List(inner, from..self.at));
                }
                _ => {
                    list.push(self.value(0)?);
                    self.skip(true);
                }
            }
        }
        Ok(Item::List(list, start..self.at.max(start + 1)))
    }

    fn word(&mut self, ends: &[char]) -> Result<Item> {
        let start = self.at;
        if let Some(quote) = self.peek().filter(|c| *c == '\'' || *c == '"') {
            let Some(length) = self.text[start + 1..].find([quote, '\n']) else { return Err(self.wrong(start)) };
            let end = start + 1 + length;
            if !self.text[end..].starts_with(quote) {
                return Err(self.wrong(start));
            }
            self.at = end + 1;
            let word = self.text[start + 1..end].to_string();
            self.skip(false);
            return Ok(Item::Word(word, start + 1..end.max(start + 2)));
        }
        let length = self.text[start..].find(ends).unwrap_or(self.text.len() - start);
        self.at = start + length;
        let word = self.text[start..self.at].trim_end();
        Ok(Item::Word(word.to_string(), start..(start + word.len()).max(start + 1).min(self.text.len().max(start + 1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(item: &Item) -> String {
        match item {
            Item::Word(word, _) => word.clone(),
            Item::List(list, _) => format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(" ")),
        }
    }

    #[test]
    fn lists_in_brackets_and_of_dashes_say_the_same() {
        let flow = "# loops\nclosed_loop: [['a', \"b\"], [c, d]] # two\ntype:\n  [\n    '6d',\n    '3d',\n  ]\njoint_name: []\n";
        let block = "closed_loop:\n  - - a\n    - b\n  - [c, d]\ntype:\n- 6d\n- 3d\njoint_name:\n";
        for text in [flow, block] {
            let entries = parse(&Source::new("robot.yaml", text)).unwrap();
            let value = |key: &str| shown(&entries.iter().find(|e| e.0 == key).unwrap().2);
            assert_eq!(value("closed_loop"), "[[a b] [c d]]", "{text}");
            assert_eq!(value("type"), "[6d 3d]");
        }
        for bad in
            ["closed_loop: [['a', 'b'", "closed_loop: ['a", "no key here", &("a: ".to_string() + &"[".repeat(99))]
        {
            assert!(parse(&Source::new("robot.yaml", bad)).is_err(), "{bad}");
        }
    }
}
