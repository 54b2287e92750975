//! Text into tokens.

use super::{ExprError, LONGEST_TEXT};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Name,
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Compare(Comparison),
    Open,
    Close,
    Comma,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// A token and its bytes in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lexeme {
    pub token: Token,
    pub range: Range<usize>,
}

/// Cuts the text into tokens; the last one is `End`. `known` tells which names exist, because a name may contain a
/// hyphen or start with a digit only where it does.
pub(super) fn tokens(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Vec<Lexeme>, ExprError> {
    if text.len() > LONGEST_TEXT {
        let message = format!("the expression has {} bytes; {LONGEST_TEXT} are allowed", text.len());
        // The range stays small: nobody wants ten thousand carets.
        return Err(ExprError::new(message, 0..0).note("give parts of it a name as parameters, or use a table"));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (token, length) = token(&text[at..], c, at, known)?;
        found.push(Lexeme { token, range: at..at + length });
        at += length;
    }
    found.push(Lexeme { token: Token::End, range: text.len()..text.len() });
    Ok(found)
}

/// The token at the start of `rest` and its length; `c` is its first character, `at` its place in the text.
fn token(rest: &str, c: char, at: usize, known: &dyn Fn(&str) -> bool) -> Result<(Token, usize), ExprError> {
    let next = rest[c.len_utf8()..].chars().next();
    let starts_number = c.is_ascii_digit() || (c == '.' && next.is_some_and(|n| n.is_ascii_digit()));
    if starts_number || is_name_start(c) {
        if let Some(length) = unusual_name(rest, known) {
            return Ok((Token::Name, length));
        }
    }
    if starts_number {
        let length = number_length(rest);
        return match rest[..length].parse::<f64>() {
            Ok(value) if value.is_finite() => Ok((Token::Number(value), length)),
            _ => Err(ExprError::new(format!("the number '{}' is too large", &rest[..length]), at..at + length)),
        };
    }
    if is_name_start(c) {
        return Ok((Token::Name, name_length(rest)));
    }
    let two = |token| Ok((token, 2));
    let one = |token| Ok((token, 1));
    match (c, next) {
        ('*', Some('*')) => two(Token::Power),
        ('<', Some('=')) => two(Token::Compare(Comparison::LessEqual)),
        ('>', Some('=')) => two(Token::Compare(Comparison::GreaterEqual)),
        ('=', Some('=')) => two(Token::Compare(Comparison::Equal)),
        ('!', Some('=')) => two(Token::Compare(Comparison::NotEqual)),
        ('+', _) => one(Token::Plus),
        ('-', _) => one(Token::Minus),
        ('*', _) => one(Token::Times),
        ('/', _) => one(Token::Over),
        ('^', _) => one(Token::Power),
        ('<', _) => one(Token::Compare(Comparison::Less)),
        ('>', _) => one(Token::Compare(Comparison::Greater)),
        ('(', _) => one(Token::Open),
        (')', _) => one(Token::Close),
        (',', _) => one(Token::Comma),
        ('°', _) => Ok((Token::Name, c.len_utf8())),
        _ => Err(unexpected(c, at)),
    }
}

fn unexpected(c: char, at: usize) -> ExprError {
    let advice = match c {
        '\u{2212}' | '\u{2010}'..='\u{2015}' => "write the minus sign of the keyboard: -",
        '×' | '·' | '⋅' | '∙' | '•' => "write * for a product",
        '÷' | '∕' | '⁄' | ':' => "write / for a quotient",
        '²' | '³' | '⁰'..='⁹' | '¹' => "write a power with ^, as in x^2",
        '√' => "write sqrt(x)",
        '≤' | '≥' | '≠' => "write <=, >= or !=",
        '=' => "to compare, write ==",
        '%' => "for a remainder write mod(a, b); for a hundredth write /100",
        '&' | '|' | '!' => "combine conditions with * (and), max (or) and == 0 (not)",
        '[' | ']' | '{' | '}' => "group with round brackets",
        ';' => "write one expression; arguments are separated by commas",
        '\'' | '"' | '′' | '″' => "write ft, in, arcmin or arcsec",
        '$' | '@' | '#' | '?' | '\\' | '~' | '`' => "names stand alone, without a mark before them",
        _ => "expressions are made of numbers, units, names, + - * / ^, comparisons, brackets and commas",
    };
    let shown = if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    ExprError::new(format!("unexpected character '{shown}'"), at..at + c.len_utf8()).note(advice)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_ascii_digit()
}

/// Length of the usual name at the start: letters, digits, underscores, and dots between them.
fn name_length(rest: &str) -> usize {
    let mut length = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((k, c)) = chars.next() {
        let inner_dot = c == '.' && chars.peek().is_some_and(|(_, n)| is_name_part(*n));
        if !is_name_part(c) && !inner_dot {
            break;
        }
        length = k + c.len_utf8();
    }
    length
}

/// Length of the longest known name at the start that holds a hyphen or starts with a digit.
fn unusual_name(rest: &str, known: &dyn Fn(&str) -> bool) -> Option<usize> {
    /// A name that is longer, or has more hyphens, is not looked for: the search must stay cheap for any text.
    const LONGEST: usize = 200;
    const MOST_ENDS: usize = 16;
    let first_is_digit = rest.starts_with(|c: char| !is_name_start(c));
    let mut ends = Vec::new();
    let mut end = 0;
    while ends.len() < MOST_ENDS && end < LONGEST {
        let part = name_length(&rest[end..]);
        if part == 0 {
            break;
        }
        end += part;
        ends.push(end);
        if !rest[end..].starts_with('-') {
            break;
        }
        end += 1;
    }
    let usual = if first_is_digit { 0 } else { 1 };
    ends.iter().skip(usual).rev().copied().find(|end| {
        let name = &rest[..*end];
        name.chars().any(is_name_start) && known(name)
    })
}

/// Length of the number at the start: digits, a point, digits, and an exponent if it is complete.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let digits = |mut k: usize| {
        while bytes.get(k).is_some_and(u8::is_ascii_digit) {
            k += 1;
        }
        k
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}
