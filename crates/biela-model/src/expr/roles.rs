//! What each name of an expression is by its place: a function, a unit, or a name that the scope must know.
//!
//! The scope has no say in it, so that no parameter can take a unit's place:
//! - what follows a number or a closing bracket is a unit;
//! - from there on to the end of the product (a sum, a comparison, a comma or the end of the bracket ends it) each factor that
//!   is the name of a unit is that unit: `5 N*m`, `9.81 m/s^2`, `5 N*gain*m`;
//! - so is a bracket that holds a product of units and nothing else: `2 kg/(m*s)`. Any other bracket, an argument and an
//!   exponent begin anew;
//! - a name before a bracket is a function, unless it is called like a unit and like no function.

use super::functions::function;
use super::lexer::{Lexeme, Token};
use crate::units;

/// What a name is by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// No name at all; the bracket that opens a product of units counts as [`Role::Unit`].
    Other,
    /// Called as a function, whether there is one or not.
    Call,
    /// In a unit's place, whether there is such a unit or not.
    Unit,
    /// To be looked up.
    Free,
}

/// The role of each token.
pub(super) fn roles(tokens: &[Lexeme], text: &str) -> Vec<Role> {
    let mut roles = vec![Role::Other; tokens.len()];
    // Whether a unit has been written in the present product, for each bracket that is open.
    let mut written = vec![false];
    // Whether the next operand is a factor of that product: after * or /, and signs behind them.
    let mut factor = false;
    let mut before = Token::End;
    let mut k = 0;
    while let Some(lexeme) = tokens.get(k) {
        let token = lexeme.token;
        let innermost = written.len() - 1;
        match token {
            Token::Name => {
                let name = text.get(lexeme.range.clone()).unwrap_or("");
                let after = tokens.get(k + 1).map_or(Token::End, |l| l.token);
                let is_unit = || units::unit(name).is_some();
                roles[k] = match before {
                    Token::Number(_) | Token::Close => Role::Unit,
                    _ if after == Token::Open && (function(name).is_some() || !is_unit()) => Role::Call,
                    _ if factor && written[innermost] && is_unit() => Role::Unit,
                    _ => Role::Free,
                };
                written[innermost] |= roles[k] == Role::Unit;
            }
            Token::Open => {
                let end = (factor && written[innermost]).then(|| unit_bracket(tokens, text, k)).flatten();
                if let Some(end) = end {
                    for (role, lexeme) in roles[k..end].iter_mut().zip(&tokens[k..end]) {
                        if matches!(lexeme.token, Token::Name | Token::Open) {
                            *role = Role::Unit;
                        }
                    }
                    k = end;
                    before = Token::Close;
                    factor = false;
                    k += 1;
                    continue;
                }
                written.push(false);
            }
            Token::Close if written.len() > 1 => {
                written.pop();
            }
            // A sign before an operand is no sum.
            Token::Plus | Token::Minus if is_operand(before) => written[innermost] = false,
            Token::Compare(_) | Token::Comma => written[innermost] = false,
            _ => {}
        }
        factor = match token {
            Token::Times | Token::Over => true,
            Token::Plus | Token::Minus => factor && !is_operand(before),
            _ => false,
        };
        before = token;
        k += 1;
    }
    roles
}

/// Whether an operand may end with this token.
fn is_operand(token: Token) -> bool {
    matches!(token, Token::Number(_) | Token::Name | Token::Close)
}

/// Where the bracket that opens at `open` closes, if it holds a product of units and nothing else.
fn unit_bracket(tokens: &[Lexeme], text: &str, open: usize) -> Option<usize> {
    let mut k = open + 1;
    let at = |k: usize| tokens.get(k).map_or(Token::End, |l| l.token);
    loop {
        let name = tokens.get(k).and_then(|l| text.get(l.range.clone()))?;
        if at(k) != Token::Name || units::unit(name).is_none() {
            return None;
        }
        k += 1;
        if at(k) == Token::Power {
            k += if matches!(at(k + 1), Token::Plus | Token::Minus) { 2 } else { 1 };
            if !matches!(at(k), Token::Number(_)) {
                return None;
            }
            k += 1;
        }
        match at(k) {
            Token::Times | Token::Over => k += 1,
            Token::Close => return Some(k),
            _ => return None,
        }
    }
}
