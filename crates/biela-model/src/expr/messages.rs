//! What the parser says when a text is not an expression.

use super::functions::{function, Function, FUNCTIONS, NORM_NAME};
use super::lexer::Token;
use super::parser::{Operand, Parser, PI_NAME};
use super::ExprError;
use crate::error::{counted, listing, nearest};
use crate::signal_name;
use crate::units::{self, UNITS};
use std::ops::Range;

impl Parser<'_> {
    /// Something follows a complete expression.
    pub(super) fn leftover(&self) -> ExprError {
        let range = self.range();
        let found = self.slice(range.clone());
        let before = self.at.checked_sub(1).and_then(|k| self.tokens.get(k));
        let error = |message: String| ExprError::new(message, range.clone());
        match (before.map(|l| l.token), self.peek()) {
            (Some(Token::Number(_)), Token::Comma) if matches!(self.peek_after(1), Token::Number(_)) => {
                let start = before.map_or(range.start, |l| l.range.start);
                let whole = self.slice(start..self.range_after(1).end);
                let message = "a comma does not mark decimals";
                ExprError::new(message, start..self.range_after(1).end)
                    .note(format!("write {} for {whole}", whole.replace([',', ' '], ".").replace("..", ".")))
            }
            (_, Token::Comma) => error("unexpected comma".into()).note("commas stand between arguments of a function"),
            (_, Token::Close) => error("this bracket was never opened".into()),
            (_, Token::End) => error("a closing bracket is missing".into()),
            (Some(previous), Token::Number(_) | Token::Open | Token::Name) => {
                let left = before.map_or("", |l| self.slice(l.range.clone()));
                let missing = error(format!("an operator is missing between '{left}' and '{found}'"));
                match (previous, self.peek()) {
                    (Token::Number(_), Token::Number(_)) => missing,
                    _ => missing.note("write * for a product"),
                }
            }
            _ => error(format!("unexpected '{found}'")),
        }
    }

    pub(super) fn missing_operand(&self, token: Token, range: Range<usize>) -> ExprError {
        let found = self.slice(range.clone());
        // `self.at` is past the token.
        let before = self.at.checked_sub(2).and_then(|k| self.tokens.get(k)).map(|l| self.slice(l.range.clone()));
        match (token, before) {
            (Token::End, Some(before)) => ExprError::new(format!("something is missing after '{before}'"), range)
                .note("write a number, name or bracket"),
            (_, Some(before)) => {
                let message = format!("a number, name or bracket is missing between '{before}' and '{found}'");
                ExprError::new(message, range)
            }
            (_, None) => ExprError::new(format!("an expression cannot start with '{found}'"), range),
        }
    }

    pub(super) fn unknown_name(&self, name: &str, range: Range<usize>) -> ExprError {
        let error = ExprError::new(format!("unknown name '{name}'"), range);
        if function(name).is_some_and(|f| units::unit(f.name).is_none()) {
            let signature = function(name).map(Function::signature).unwrap_or_default();
            return error.note(format!("'{name}' is a function: write {signature}"));
        }
        if units::unit(name).is_some() {
            return error.note(format!("'{name}' is a unit: write it after a number, as in 1 {name}"));
        }
        let components = self.scope.components(name);
        if !components.is_empty() {
            let error = error.note(format!("'{name}' is a vector: {}", components.join(", ")));
            return error.note(format!("take one of them, or its length by norm({name})"));
        }
        if let Some(advice) = self.scope.advice(name) {
            return error.note(advice);
        }
        let names = self.scope.names();
        let inner: Vec<&str> = names.iter().map(String::as_str).filter(|n| signal_name::is_of(n, name)).collect();
        if !inner.is_empty() {
            return error.note(format!("'{name}' offers {}", listing(&inner)));
        }
        let error = match name {
            "e" => error.note("the base of natural logarithms is exp(1)"),
            "π" | "Pi" | "PI" => error.note("write pi"),
            "tau" => error.note("a full turn is 2*pi"),
            _ => error,
        };
        let mut allowed: Vec<&str> = names.iter().map(String::as_str).collect();
        allowed.push(PI_NAME);
        error.suggest(name, "known names", &allowed)
    }

    pub(super) fn unknown_function(&self, name: &str, range: Range<usize>) -> ExprError {
        if name == PI_NAME || self.scope.lookup(name).is_some() {
            let message = format!("'{name}' is not a function");
            return ExprError::new(message, range).note(format!("for a product write {name}*(…)"));
        }
        let error = ExprError::new(format!("unknown function '{name}'"), range);
        let usual = match name {
            "ln" => "log",
            "arcsin" => "asin",
            "arccos" => "acos",
            "arctan" => "atan",
            "arctan2" => "atan2",
            "pow" => "the operator ^",
            "fabs" => "abs",
            "sgn" | "signum" => "sign",
            "fmod" | "rem" => "mod",
            _ => "",
        };
        let names: Vec<&str> = FUNCTIONS.iter().map(|f| f.name).collect();
        match usual {
            "" => error.suggest(name, "functions", &names),
            usual => error.note(format!("use {usual}")),
        }
    }

    pub(super) fn wrong_count(&self, function: &Function, count: usize, range: Range<usize>) -> ExprError {
        let given = counted(count, "argument");
        let message = format!("{} is given {given}; it is used as {}", function.name, function.signature());
        let error = ExprError::new(message, range);
        match count > function.least_arguments() {
            true => error.note("commas separate arguments; decimals are written with a point"),
            false if function.name == NORM_NAME => {
                error.note("or of a vector of signals: norm(coupler.T.v) is the length of coupler.T.vx, .vy and .vz")
            }
            false => error,
        }
    }

    pub(super) fn unit_after_name(&self, operand: &Operand) -> ExprError {
        let (range, left) = (self.range(), self.slice(operand.range.clone()));
        let name = self.slice(range.clone());
        if units::unit(name).is_some() {
            let message = format!("the unit '{name}' must follow a number or a bracket");
            return ExprError::new(message, range).note(format!("write ({left}) {name}, or {left} * 1 {name}"));
        }
        ExprError::new(format!("an operator is missing between '{left}' and '{name}'"), range)
            .note(format!("for a product write {left}*{name}"))
    }

    pub(super) fn not_a_unit(&self, operand: &Operand, name: &str, range: Range<usize>) -> ExprError {
        let error = ExprError::new(format!("'{name}' is not a unit"), range.clone());
        let is_function = function(name).is_some() && self.peek_after(1) == Token::Open;
        if name == PI_NAME || is_function || self.scope.lookup(name).is_some() {
            let left = self.slice(operand.range.clone());
            let call = if is_function { "(…)" } else { "" };
            let error = error.note(format!("for a product write {left}*{name}{call}"));
            return if name == "t" { error.note("the unit of 1000 kg is called tonne") } else { error };
        }
        if name.contains('.') && name.split('.').all(|part| units::unit(part).is_some()) {
            return error.note(format!("write {}", name.replace('.', "*")));
        }
        let usual = match name {
            "degree" | "degrees" | "grd" => "deg",
            "t" | "ton" | "tons" | "tonnes" => "tonne",
            "sec" | "second" | "seconds" => "s",
            "inches" => "in",
            "lbs" => "lb (mass) or lbf (force)",
            "hr" | "hour" | "hours" => "h",
            _ => "",
        };
        if !usual.is_empty() {
            return error.note(format!("write {usual}"));
        }
        let names = self.scope.names();
        let near = nearest(name, &names.iter().map(String::as_str).collect::<Vec<_>>());
        let units: Vec<&str> = UNITS.iter().map(|u| u.name).collect();
        match near {
            Some(near) => error.note(format!("did you mean {}*{near}?", self.slice(operand.range.clone()))),
            None => error.suggest(name, "units", &units),
        }
    }
}
