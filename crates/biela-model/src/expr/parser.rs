//! Tokens into a program, with names and units resolved, dimensions checked and constants folded on the way.
//!
//! Recursive descent; the recursion is capped by [`DEEPEST_NESTING`]. Each operand's code is contiguous at the end of the
//! program, so folding replaces the tail of the program.

use super::functions::{function, Function, Rule, NORM_NAME};
use super::lexer::{Lexeme, Token};
use super::machine::{self, Op};
use super::roles::{roles, Role};
use super::{ExprError, Name, Scope, DEEPEST_NESTING};
use crate::math::Elementary;
use crate::units::{self, Dimension, Kind};
use std::ops::Range;

/// The only constant.
pub(super) const PI_NAME: &str = "pi";
/// The time, where a scope has it.
pub(super) const TIME_NAME: &str = "t";
/// Longest program accepted.
const LONGEST_PROGRAM: usize = 4096;
/// Largest power of a unit accepted; nobody writes more than mm^4.
const LARGEST_UNIT_POWER: f64 = 9.0;

type Parsed<T> = Result<T, ExprError>;

/// What a text comes to.
pub(super) struct Program {
    /// Its operations, constants folded; parameters count as the values they have.
    pub(super) folded: Vec<Op>,
    /// All of them as they are written, parameters by their places.
    pub(super) written: Vec<Op>,
    /// What is known of its dimension.
    pub(super) kind: Kind,
}

/// The program of the whole text.
pub(super) fn parse(text: &str, tokens: &[Lexeme], scope: &dyn Scope) -> Parsed<Program> {
    let roles = roles(tokens, text);
    let mut parser = Parser { text, tokens, roles, scope, at: 0, depth: 0, program: Vec::new(), written: Vec::new() };
    if parser.peek() == Token::End {
        return Err(ExprError::new("the expression is empty", 0..text.len()).note("write a number, such as 0"));
    }
    let whole = parser.expression()?;
    if parser.peek() != Token::End {
        return Err(parser.leftover());
    }
    Ok(Program { folded: parser.program, written: parser.written, kind: whole.kind })
}

/// Names that are neither functions nor, by their place, units.
pub(super) fn names_used<'a>(tokens: &'a [Lexeme], text: &'a str) -> impl Iterator<Item = &'a str> {
    names_in_role(tokens, text, Role::Free).filter(|name| *name != PI_NAME)
}

/// Units by their place, also where there is no such unit.
pub(super) fn units_used<'a>(tokens: &'a [Lexeme], text: &'a str) -> impl Iterator<Item = &'a str> {
    names_in_role(tokens, text, Role::Unit)
}

fn names_in_role<'a>(tokens: &'a [Lexeme], text: &'a str, role: Role) -> impl Iterator<Item = &'a str> {
    let of_role = move |(lexeme, found): (&Lexeme, Role)| {
        (found == role && lexeme.token == Token::Name).then(|| text.get(lexeme.range.clone()))?
    };
    tokens.iter().zip(roles(tokens, text)).filter_map(of_role)
}

/// A part already compiled.
pub(super) struct Operand {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
    /// Where its code starts in the program.
    code: usize,
}

/// A product of units: one of it is `factor / per` in SI.
struct Compound {
    factor: f64,
    per: f64,
    dimension: Dimension,
}

impl Compound {
    fn inverse(self) -> Compound {
        let dimension = Dimension::NUMBER.over(self.dimension);
        Compound { factor: self.per, per: self.factor, dimension }
    }
}

pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) tokens: &'a [Lexeme],
    /// What each token is by its place.
    roles: Vec<Role>,
    pub(super) scope: &'a dyn Scope,
    /// The next token.
    pub(super) at: usize,
    depth: usize,
    program: Vec<Op>,
    /// The program before anything is folded.
    written: Vec<Op>,
}

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> Token {
        self.peek_after(0)
    }

    pub(super) fn peek_after(&self, k: usize) -> Token {
        self.tokens.get(self.at + k).map_or(Token::End, |l| l.token)
    }

    /// What the token `k` after the next one is by its place.
    fn role_after(&self, k: usize) -> Role {
        self.roles.get(self.at + k).copied().unwrap_or(Role::Other)
    }

    /// Bytes of the next token.
    pub(super) fn range(&self) -> Range<usize> {
        self.range_after(0)
    }

    pub(super) fn range_after(&self, k: usize) -> Range<usize> {
        self.tokens.get(self.at + k).map_or(self.text.len()..self.text.len(), |l| l.range.clone())
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or("")
    }

    /// Text of a part for a message: whole, or its beginning.
    fn quote(&self, range: &Range<usize>) -> String {
        const LONGEST: usize = 40;
        let part = self.slice(range.clone());
        match part.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("'{}…'", &part[..end]),
            None => format!("'{part}'"),
        }
    }

    fn push(&mut self, op: Op) -> Parsed<()> {
        if self.program.len() >= LONGEST_PROGRAM {
            let message = format!("the expression has more than {LONGEST_PROGRAM} operations");
            return Err(
                ExprError::new(message, self.range()).note("give parts of it a name as parameters, or use a table")
            );
        }
        self.written.push(op);
        self.program.push(match op {
            Op::Parameter(slot) => Op::Constant(self.scope.value(slot)),
            op => op,
        });
        Ok(())
    }

    /// Appends an operator to the code of its operands, which starts at `code`; constants are folded.
    fn apply(&mut self, op: Op, code: usize) -> Parsed<()> {
        self.push(op)?;
        let operands = self.program.len() - 1 - code;
        if operands == op.takes() {
            self.program.pop();
            machine::push_folded(&mut self.program, op);
        }
        Ok(())
    }

    fn constant_of(&self, operand: &Operand) -> Option<f64> {
        match self.program.get(operand.code..) {
            Some([Op::Constant(value)]) => Some(*value),
            _ => None,
        }
    }

    /// Enters one more level; the caller leaves it by `self.depth -= 1`.
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEEPEST_NESTING {
            let message = format!("nested more than {DEEPEST_NESTING} levels deep");
            return Err(ExprError::new(message, self.range()).note("give parts of it a name as parameters"));
        }
        Ok(())
    }

    fn expression(&mut self) -> Parsed<Operand> {
        self.enter()?;
        let mut left = self.sum()?;
        if let Token::Compare(comparison) = self.peek() {
            self.at += 1;
            let right = self.sum()?;
            self.agree(&left, &right, |a, b| format!("cannot compare {a} with {b}"))?;
            left = self.combine(Op::Compare(comparison), left, right, Kind::Pure)?;
            if matches!(self.peek(), Token::Compare(_)) {
                let message = "comparisons cannot be chained";
                return Err(ExprError::new(message, self.range()).note("write (a < b)*(b < c) for a < b < c"));
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    fn combine(&mut self, op: Op, left: Operand, right: Operand, kind: Kind) -> Parsed<Operand> {
        self.apply(op, left.code)?;
        Ok(Operand { kind, range: left.range.start..right.range.end, code: left.code })
    }

    /// The common kind of two parts, or an error that names their dimensions.
    fn agree(&self, a: &Operand, b: &Operand, message: impl Fn(String, String) -> String) -> Parsed<Kind> {
        a.kind.join(b.kind).map_err(|(x, y)| {
            let range = a.range.start.min(b.range.start)..a.range.end.max(b.range.end);
            let error = ExprError::new(message(x.phrase_with_unit(), y.phrase_with_unit()), range);
            error.note(format!(
                "{} is {}, {} is {}",
                self.quote(&a.range),
                x.phrase(),
                self.quote(&b.range),
                y.phrase()
            ))
        })
    }

    fn sum(&mut self) -> Parsed<Operand> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Token::Plus => Op::Add,
                Token::Minus => Op::Subtract,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            let kind = match op {
                Op::Add => self.agree(&left, &right, |a, b| format!("cannot add {a} and {b}")),
                _ => self.agree(&left, &right, |a, b| format!("cannot subtract {b} from {a}")),
            }?;
            left = self.combine(op, left, right, kind)?;
        }
    }

    fn product(&mut self) -> Parsed<Operand> {
        let mut left = self.signed()?;
        loop {
            let op = match self.peek() {
                Token::Times => Op::Multiply,
                Token::Over => Op::Divide,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.signed()?;
            let kind = if op == Op::Multiply { left.kind.times(right.kind) } else { left.kind.over(right.kind) };
            left = self.combine(op, left, right, kind)?;
        }
    }

    /// Signs, which bind looser than a power.
    fn signed(&mut self) -> Parsed<Operand> {
        let start = self.range().start;
        let mut negative = false;
        while let sign @ (Token::Plus | Token::Minus) = self.peek() {
            negative ^= sign == Token::Minus;
            self.at += 1;
        }
        let mut operand = self.power()?;
        if negative {
            self.apply(Op::Negate, operand.code)?;
        }
        operand.range.start = start;
        Ok(operand)
    }

    fn power(&mut self) -> Parsed<Operand> {
        let base = self.quantity()?;
        if self.peek() != Token::Power {
            return Ok(base);
        }
        self.at += 1;
        self.enter()?;
        let written = self.written.len();
        let exponent = self.signed()?;
        self.depth -= 1;
        if base.kind.written().is_some() {
            // The power decides the dimension, which is checked for the value that the parameter has now.
            for op in &self.written[written..] {
                if let Op::Parameter(slot) = op {
                    self.scope.hold(*slot);
                }
            }
        }
        if let Some(d) = exponent.kind.written() {
            if !d.is_number() {
                let message = format!(
                    "an exponent must be a number, but {} is {}",
                    self.quote(&exponent.range),
                    d.phrase_with_unit()
                );
                return Err(ExprError::new(message, exponent.range));
            }
        }
        let kind = match (base.kind, self.constant_of(&exponent)) {
            (Kind::Known(_) | Kind::Timed(_), Some(n)) => base.kind.power(n),
            (Kind::Known(d), None) if !d.is_number() => {
                let message = format!("{} cannot be raised to a power that changes", d.phrase_with_unit());
                return Err(ExprError::new(message, base.range.start..exponent.range.end));
            }
            (Kind::Known(_), None) => Kind::Known(Dimension::NUMBER),
            (kind, _) => kind,
        };
        self.combine(Op::Power, base, exponent, kind)
    }

    /// A number, name, call or bracket, with its unit.
    fn quantity(&mut self) -> Parsed<Operand> {
        let (token, range, code) = (self.peek(), self.range(), self.program.len());
        if self.role_after(0) == Role::Unit {
            // A unit further on in the product, such as m in `5 N*gain*m`, is one of itself.
            // Factors are taken one by one there, from left to right: `…/N/m` is divided by both.
            self.push(Op::Constant(1.0))?;
            let part = self.unit_factor()?;
            let range = range.start..self.end_of_last();
            return self.times_unit(Operand { kind: Kind::Pure, range, code }, part);
        }
        self.at += 1;
        let operand = match token {
            Token::Number(value) => {
                self.push(Op::Constant(value))?;
                Operand { kind: Kind::Pure, range, code }
            }
            Token::Open => {
                let inner = self.expression()?;
                let end = self.close(&range)?;
                Operand { kind: inner.kind, range: range.start..end, code }
            }
            Token::Name if self.peek() == Token::Open => self.call(range)?,
            Token::Name => {
                let operand = self.name(range)?;
                return match self.peek() {
                    Token::Name => Err(self.unit_after_name(&operand)),
                    _ => Ok(operand),
                };
            }
            _ => return Err(self.missing_operand(token, range)),
        };
        if self.peek() == Token::Name {
            return self.with_unit(operand);
        }
        Ok(operand)
    }

    /// Takes the closing bracket; gives the end of its bytes.
    fn close(&mut self, open: &Range<usize>) -> Parsed<usize> {
        let range = self.range();
        match self.peek() {
            Token::Close => {
                self.at += 1;
                Ok(range.end)
            }
            Token::End => Err(ExprError::new("this bracket is never closed", open.clone())),
            _ => Err(self.leftover()),
        }
    }

    fn name(&mut self, range: Range<usize>) -> Parsed<Operand> {
        self.named(self.slice(range.clone()), range)
    }

    /// What a name stands for, for which these bytes of the text are.
    fn named(&mut self, name: &str, range: Range<usize>) -> Parsed<Operand> {
        let code = self.program.len();
        let meaning = match name {
            PI_NAME => Some(Name::Constant(std::f64::consts::PI, Kind::Pure)),
            _ => self.scope.lookup(name),
        };
        let (op, kind) = match meaning {
            Some(Name::Constant(value, kind)) => (Op::Constant(value), kind),
            Some(Name::Parameter(slot, kind)) => (Op::Parameter(slot), kind),
            Some(Name::Variable(slot)) if name == TIME_NAME => (Op::Variable(slot), Kind::Time),
            Some(Name::Variable(slot)) => (Op::Variable(slot), Kind::Any),
            Some(Name::Quantity(slot, kind)) => (Op::Variable(slot), kind),
            None => return Err(self.unknown_name(name, range)),
        };
        self.push(op)?;
        Ok(Operand { kind, range, code })
    }

    fn call(&mut self, range: Range<usize>) -> Parsed<Operand> {
        let name = self.slice(range.clone());
        let Some(function) = function(name) else {
            return Err(self.unknown_function(name, range));
        };
        let (code, open) = (self.program.len(), self.range());
        self.at += 1;
        let least = function.least_arguments();
        let mut arguments: Vec<Operand> = Vec::new();
        if self.peek() != Token::Close {
            loop {
                match self.vector(function) {
                    Some(components) => {
                        let range = self.range();
                        self.at += 1;
                        for component in components {
                            let operand = self.named(&component, range.clone())?;
                            self.take_in(function, operand, &mut arguments, code)?;
                        }
                    }
                    None => {
                        let operand = self.expression()?;
                        self.take_in(function, operand, &mut arguments, code)?;
                    }
                }
                if self.peek() != Token::Comma {
                    break;
                }
                self.at += 1;
            }
        }
        let end = self.close(&open)?;
        let count = arguments.len();
        if count < least || (count > least && !function.takes_more()) {
            return Err(self.wrong_count(function, count, range.start..end));
        }
        let kind = self.kind_of_call(function, &arguments)?;
        if !function.takes_more() {
            self.apply(Op::Call(function.code), code)?;
        }
        Ok(Operand { kind, range: range.start..end, code })
    }

    /// Adds an argument. Further ones of min and max are taken in one by one, so the stack does not grow with them.
    fn take_in(
        &mut self,
        function: &Function,
        argument: Operand,
        arguments: &mut Vec<Operand>,
        code: usize,
    ) -> Parsed<()> {
        arguments.push(argument);
        if function.takes_more() && arguments.len() >= 2 {
            self.apply(Op::Call(function.code), code)?;
        }
        Ok(())
    }

    /// Components of the vector that is the next argument of `norm`; `None` where it is anything else.
    fn vector(&self, function: &Function) -> Option<Vec<String>> {
        let alone = self.peek() == Token::Name && matches!(self.peek_after(1), Token::Comma | Token::Close);
        let name = self.slice(self.range());
        let is_one = alone && function.name == NORM_NAME && self.scope.lookup(name).is_none();
        is_one.then(|| self.scope.components(name)).filter(|components| !components.is_empty())
    }

    fn kind_of_call(&self, function: &Function, arguments: &[Operand]) -> Parsed<Kind> {
        let compared = if function.rule == Rule::Choice { 1.. } else { 0.. };
        let compared = arguments.get(compared).unwrap_or(&[]);
        let mut common = Kind::Pure;
        for (k, argument) in compared.iter().enumerate() {
            let first = &compared[..k].iter().find(|a| a.kind.written().is_some()).unwrap_or(&compared[0]);
            self.agree(first, argument, |a, b| format!("{} cannot take {a} together with {b}", function.name))?;
            common = common.join(argument.kind).unwrap_or(common);
        }
        let needs = match function.rule {
            Rule::OfAngle => Some("an angle"),
            Rule::OfNumber | Rule::ToAngle | Rule::Whole => Some("a number"),
            _ => None,
        };
        if let (Some(needs), Some(d), Some(argument)) = (needs, common.written(), arguments.first()) {
            if !d.is_number() {
                let found = self.quote(&argument.range);
                let message = format!("{} needs {needs}, but {found} is {}", function.name, d.phrase_with_unit());
                let error = ExprError::new(message, argument.range.clone());
                return Err(error.note(format!("for a number divide by the unit, as in x/(1 {})", d.unit())));
            }
        }
        Ok(match function.rule {
            Rule::OfAngle | Rule::OfNumber | Rule::ToNumber => Kind::Pure,
            Rule::ToAngle | Rule::RatioToAngle => Kind::Any,
            Rule::Root => common.power(0.5),
            Rule::Whole | Rule::Same | Rule::Choice => common,
        })
    }

    /// Multiplies an operand by the unit that follows it.
    fn with_unit(&mut self, operand: Operand) -> Parsed<Operand> {
        let range = self.range();
        let name = self.slice(range.clone());
        if self.peek() == Token::Name && units::unit(name).is_none() {
            return Err(self.not_a_unit(&operand, name, range));
        }
        if let Kind::Known(d) | Kind::Timed(d) = operand.kind {
            if d != Dimension::NUMBER {
                let message =
                    format!("{} has a unit already: it is {}", self.quote(&operand.range), d.phrase_with_unit());
                return Err(ExprError::new(message, range).note(format!("to multiply, write * 1 {name}")));
            }
        }
        let compound = self.compound()?;
        self.times_unit(operand, compound)
    }

    /// Multiplies an operand by a unit that has been taken.
    fn times_unit(&mut self, operand: Operand, unit: Compound) -> Parsed<Operand> {
        for (op, value) in [(Op::Multiply, unit.factor), (Op::Divide, unit.per)] {
            if value != 1.0 {
                self.push(Op::Constant(value))?;
                self.apply(op, operand.code)?;
            }
        }
        let end = self.end_of_last();
        if self.peek() == Token::Name {
            let name = self.slice(self.range());
            let whole = self.quote(&(operand.range.start..end));
            return Err(ExprError::new(format!("an operator is missing between {whole} and '{name}'"), self.range())
                .note("join units by * or /, as in N*m; write * for a product"));
        }
        Ok(Operand { kind: Kind::Known(unit.dimension), range: operand.range.start..end, code: operand.code })
    }

    /// End of the last token taken.
    fn end_of_last(&self) -> usize {
        self.at.checked_sub(1).and_then(|k| self.tokens.get(k)).map_or(0, |l| l.range.end)
    }

    /// Takes a product of units and of brackets that hold such products.
    fn compound(&mut self) -> Parsed<Compound> {
        let mut whole = Compound { factor: 1.0, per: 1.0, dimension: Dimension::NUMBER };
        let mut divide = false;
        loop {
            let part = self.unit_factor()?;
            let part = if divide { part.inverse() } else { part };
            whole.factor *= part.factor;
            whole.per *= part.per;
            whole.dimension = whole.dimension.times(part.dimension);
            divide = match self.peek() {
                Token::Times if self.role_after(1) == Role::Unit => false,
                Token::Over if self.role_after(1) == Role::Unit => true,
                _ => return Ok(whole),
            };
            self.at += 1;
        }
    }

    /// Takes one unit, or a bracket of units, with its power.
    fn unit_factor(&mut self) -> Parsed<Compound> {
        let part = match units::unit(self.slice(self.range())).filter(|_| self.peek() == Token::Name) {
            Some(unit) => {
                self.at += 1;
                Compound { factor: unit.factor, per: unit.per, dimension: unit.dimension }
            }
            None if self.peek() != Token::Open => return Err(self.leftover()),
            None => {
                // Brackets of units hold no further ones, so this is not entered twice.
                let open = self.range();
                self.at += 1;
                let part = self.compound()?;
                self.close(&open)?;
                part
            }
        };
        let n = if self.peek() == Token::Power { self.unit_power()? } else { 1.0 };
        let part = if n < 0.0 { part.inverse() } else { part };
        // Unit powers are small whole numbers, whose dimension always exists.
        let dimension = part.dimension.power(n.abs()).unwrap_or(Dimension::NUMBER);
        Ok(Compound { factor: part.factor.power(n.abs()), per: part.per.power(n.abs()), dimension })
    }

    /// Takes `^` and the whole number after it.
    fn unit_power(&mut self) -> Parsed<f64> {
        let start = self.range().start;
        self.at += 1;
        let sign = match self.peek() {
            Token::Minus => -1.0,
            _ => 1.0,
        };
        if matches!(self.peek(), Token::Minus | Token::Plus) {
            self.at += 1;
        }
        let range = start..self.range().end;
        match self.peek() {
            Token::Number(n) if n.fract() == 0.0 && n <= LARGEST_UNIT_POWER && self.peek_after(1) != Token::Power => {
                self.at += 1;
                Ok(sign * n)
            }
            _ => {
                let message = format!("the power of a unit must be a whole number up to {LARGEST_UNIT_POWER}");
                Err(ExprError::new(message, range)
                    .note("to raise a quantity with its unit to a power, put it in brackets: (2 m)^x"))
            }
        }
    }
}
