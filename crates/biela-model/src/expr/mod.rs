//! Expressions: text with names, units and functions, compiled once into a short program that is then evaluated for
//! values (`eval`) or for values with exact first and second derivatives (`jet`).
//!
//! ```text
//! text ─ lexer ─► tokens ─ parser (names, units, dimensions, constant folding) ─► program ─ machine ─► f64 or Jet
//! ```
//! Binding, from loose to tight: comparisons; `+ -`; `* /`; unary minus; `^` (right to left); a unit after a number or a
//! bracket. So `-2^2` is −4, `2^3^2` is 512 and `1/2 mm` is 1/(2 mm). What is a unit follows from its place alone.

mod enclosed;
mod error;
mod functions;
mod lexer;
mod machine;
mod messages;
mod parser;
mod roles;
mod switches;

pub use enclosed::Enclosed;
pub use error::ExprError;
pub use functions::{Function, FUNCTIONS};
pub use switches::{Break, Found, Switch};

use crate::math::{Jet, Series, Slope};
use crate::units::Kind;
use machine::Op;
use std::sync::Arc;

/// Longest text accepted, in bytes.
pub const LONGEST_TEXT: usize = 10_000;
/// Deepest nesting of brackets, calls and stacked powers accepted.
pub const DEEPEST_NESTING: usize = 100;

/// What a name in an expression stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Name {
    /// A number known when the expression is read, such as a parameter, and what is known of its dimension.
    Constant(f64, Kind),
    /// A parameter by its place, whose value [`Scope::value`] tells, and what is known of its dimension. The expression can be bound to
    /// other values later.
    Parameter(usize, Kind),
    /// A slot of the environment given at evaluation.
    Variable(usize),
    /// The same, of a dimension that is known.
    Quantity(usize, Kind),
}

/// The names an expression may use.
pub trait Scope {
    /// What this name stands for, if it is known.
    fn lookup(&self, name: &str) -> Option<Name>;
    /// All names, asked for only when a message needs them.
    fn names(&self) -> Vec<String>;
    /// Names of a vector's components, where this is the name of one: what `norm` takes.
    fn components(&self, _vector: &str) -> Vec<String> {
        Vec::new()
    }
    /// What a user who writes this unknown name should know.
    fn advice(&self, _name: &str) -> Option<String> {
        None
    }
    /// The value that a parameter has while the expression is read.
    fn value(&self, _parameter: usize) -> f64 {
        f64::NAN
    }
    /// Told of each parameter whose value decides more than numbers, such as a dimension: what was read holds for that value alone.
    fn hold(&self, _parameter: usize) {}
    /// Told of each unit that stands in an expression read, with the expression's text.
    fn unit_used(&self, _unit: &str, _text: &str) {}
}

/// No names at all.
impl Scope for () {
    fn lookup(&self, _: &str) -> Option<Name> {
        None
    }
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A few names, written out.
impl<S: AsRef<str>> Scope for [(S, Name)] {
    fn lookup(&self, name: &str) -> Option<Name> {
        self.iter().find(|(known, _)| known.as_ref() == name).map(|(_, meaning)| *meaning)
    }
    fn names(&self) -> Vec<String> {
        self.iter().map(|(known, _)| known.as_ref().to_string()).collect()
    }
}

/// A few names, written out.
impl<S: AsRef<str>, const N: usize> Scope for [(S, Name); N] {
    fn lookup(&self, name: &str) -> Option<Name> {
        self.as_slice().lookup(name)
    }
    fn names(&self) -> Vec<String> {
        self.as_slice().names()
    }
}

/// A compiled expression. Two expressions are equal if their texts are.
///
/// ```
/// use biela_model::expr::{Expression, Name};
/// use biela_math::Jet;
/// let angle = Expression::parse("30 deg + 2*t^2", &[("t", Name::Variable(0))]).unwrap();
/// let at_3_s = angle.jet(&[Jet::variable(3.0)]);
/// assert_eq!((at_3_s.d, at_3_s.dd), (12.0, 4.0));
/// ```
#[derive(Debug, Clone)]
pub struct Expression {
    text: String,
    program: Vec<Op>,
    /// The program as it is written, where parameters stand in it.
    written: Option<Arc<[Op]>>,
    kind: Kind,
    variables: Vec<usize>,
    /// Slots of the evaluation stack the program needs, at most [`machine::DEEPEST_STACK`].
    depth: usize,
}

impl Expression {
    /// Reads an expression whose names are those of `scope`.
    pub fn parse(text: &str, scope: &dyn Scope) -> Result<Expression, ExprError> {
        let tokens = lexer::tokens(text, &|name| scope.lookup(name).is_some() || !scope.components(name).is_empty())?;
        let parser::Program { folded: program, written, kind } = parser::parse(text, &tokens, scope)?;
        let depth = machine::stack_needed(&program);
        if depth > machine::DEEPEST_STACK {
            let message =
                format!("this needs {depth} intermediate values at once; {} are allowed", machine::DEEPEST_STACK);
            return Err(ExprError::new(message, 0..text.len()).note("give parts of it a name as parameters"));
        }
        let mut variables: Vec<usize> =
            program.iter().filter_map(|op| if let Op::Variable(slot) = op { Some(*slot) } else { None }).collect();
        variables.sort_unstable();
        variables.dedup();
        parser::units_used(&tokens, text).for_each(|unit| scope.unit_used(unit, text));
        let symbolic = written.iter().any(|op| matches!(op, Op::Parameter(_)));
        let written = symbolic.then(|| {
            let mut short = Vec::new();
            written.iter().for_each(|op| machine::push_folded(&mut short, *op));
            Arc::from(short)
        });
        Ok(Expression { text: text.to_string(), program, written, kind, variables, depth })
    }

    /// A plain number.
    pub fn constant(value: f64) -> Expression {
        // Debug changes to an exponent where Display would write hundreds of digits.
        let digits = format!("{value:?}");
        Expression {
            text: digits.strip_suffix(".0").unwrap_or(&digits).to_string(),
            program: vec![Op::Constant(value)],
            written: None,
            kind: Kind::Pure,
            variables: Vec::new(),
            depth: 1,
        }
    }

    /// Whether parameters stand in it.
    pub fn has_parameters(&self) -> bool {
        self.written.is_some()
    }

    /// Places of the parameters that stand in it; some may come more than once.
    pub fn parameters(&self) -> impl Iterator<Item = usize> + '_ {
        let places = |op: &Op| if let Op::Parameter(place) = op { Some(*place) } else { None };
        self.written.iter().flat_map(|ops| ops.iter()).filter_map(places)
    }

    /// Puts these values of parameters in: what it then is, to the last bit, is what reading its text with them would give.
    pub fn bind(&mut self, values: &[f64]) {
        let Some(written) = &self.written else { return };
        bind(written, values, &mut self.program);
    }

    /// Its value with these values of parameters, if it uses no variable; `scratch` is room to work in.
    pub fn bound(&self, values: &[f64], scratch: &mut Scratch) -> Option<f64> {
        match self.written.as_deref() {
            None => self.as_constant(),
            Some([Op::Parameter(place)]) => values.get(*place).copied(),
            Some(written) => {
                bind(written, values, &mut scratch.0);
                match scratch.0[..] {
                    [Op::Constant(value)] => Some(value),
                    _ => None,
                }
            }
        }
    }

    /// The same less a constant; parameters keep the values they have.
    pub fn less(&self, constant: f64) -> Expression {
        let mut less = self.clone();
        less.written = None;
        less.program.extend([Op::Constant(constant), Op::Subtract]);
        less.depth = machine::stack_needed(&less.program);
        less
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is known about its dimension.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its value in SI, if it uses no variable.
    pub fn as_constant(&self) -> Option<f64> {
        match self.program[..] {
            [Op::Constant(value)] => Some(value),
            _ => None,
        }
    }

    /// Slots of the environment it uses, ascending.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// Value in SI. A slot that `env` does not have counts as NaN. Never allocates.
    pub fn eval(&self, env: &[f64]) -> f64 {
        machine::run(&self.program, self.depth, env)
    }

    /// Value with exact first and second derivatives. A slot that `env` does not have counts as NaN. Never allocates.
    pub fn jet(&self, env: &[Jet]) -> Jet {
        machine::run(&self.program, self.depth, env)
    }

    /// The same, with the change of all three along a second direction. Never allocates.
    pub fn slope(&self, env: &[Slope]) -> Slope {
        machine::run(&self.program, self.depth, env)
    }

    /// Taylor coefficients over what the environment stands for, each enclosed. Never allocates.
    pub fn enclosed<const K: usize>(&self, env: &[Enclosed<K>]) -> Series<K> {
        machine::run(&self.program, self.depth, env).series
    }

    /// The same with its value in the middle, and whether conditions keep their side.
    pub fn enclosing<const K: usize>(&self, env: &[Enclosed<K>]) -> Enclosed<K> {
        machine::run(&self.program, self.depth, env)
    }

    /// The functions of slot 0 alone at whose zeros or whole values the expression changes its formula, innermost first.
    pub fn switches(&self) -> Vec<Switch> {
        switches::switches(&self.program)
    }
}

impl PartialEq for Expression {
    fn eq(&self, o: &Expression) -> bool {
        self.text == o.text
    }
}

impl Expression {
    /// Whether another makes the same number of the same variables by the same operations, whatever its text.
    pub fn computes_as(&self, o: &Expression) -> bool {
        let same = |(a, b): (&Op, &Op)| match (a, b) {
            (Op::Constant(a), Op::Constant(b)) => a.to_bits() == b.to_bits(),
            _ => a == b,
        };
        self.program.len() == o.program.len() && self.program.iter().zip(&o.program).all(same)
    }
}

/// Room in which expressions are bound, so that no binding allocates.
#[derive(Debug, Clone, Default)]
pub struct Scratch(Vec<Op>);

/// The program with values in the places of parameters, folded.
fn bind(written: &[Op], values: &[f64], program: &mut Vec<Op>) {
    program.clear();
    for op in written {
        match *op {
            Op::Parameter(place) => program.push(Op::Constant(values.get(place).copied().unwrap_or(f64::NAN))),
            op => machine::push_folded(program, op),
        }
    }
}

/// Names that mean the same in every expression and cannot be given to a parameter.
pub fn is_reserved(name: &str) -> bool {
    name == parser::PI_NAME || name == parser::TIME_NAME
}

/// Whether a text is a number, or a number and a unit, so that nothing else can be called so: `2e3`, `5mm`.
pub fn is_quantity(text: &str) -> bool {
    Expression::parse(text, &()).is_ok_and(|e| e.as_constant().is_some())
        && text.starts_with(|c: char| c.is_ascii_digit())
}

/// Names that an expression uses, each once, in order, so that parameters that refer to each other can be put in order.
///
/// Units are no names, wherever they stand in a product (`s` in `3 lbf*s^2/in`).
/// Names with a hyphen are read as differences; see [`free_names_among`].
pub fn free_names(text: &str) -> Result<Vec<String>, ExprError> {
    free_names_among(text, &|_| false)
}

/// Like [`free_names`]; a name with hyphens is taken as one where `known` says that it exists.
pub fn free_names_among(text: &str, known: &dyn Fn(&str) -> bool) -> Result<Vec<String>, ExprError> {
    let tokens = lexer::tokens(text, known)?;
    let mut names: Vec<String> = Vec::new();
    for name in parser::names_used(&tokens, text) {
        if !names.iter().any(|n| n == name) {
            names.push(name.to_string());
        }
    }
    Ok(names)
}

/// Units that stand in a text, each once, in their order.
pub fn units_written(text: &str) -> Result<Vec<String>, ExprError> {
    let tokens = lexer::tokens(text, &|_| false)?;
    let mut names: Vec<String> = Vec::new();
    for name in parser::units_used(&tokens, text) {
        if !names.iter().any(|n| n == name) {
            names.push(name.to_string());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests;
