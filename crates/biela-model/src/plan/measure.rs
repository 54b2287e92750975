//! One number out of a run: reductions of signals, combined by an ordinary expression.
//!
//! ```text
//! max(piston.x) - at(piston.x, 0.5)  ─►  __0 = max(piston.x), __1 = at(piston.x, 0.5)  ─►  __0 - __1
//! ```
//! What a reduction takes may itself be an expression of signals, parameters and other reductions: `max(abs(x - mean(x)))`.
//! `min` and `max` of several arguments stay the functions they are everywhere.

use super::reduction::{Gives, Reduction, REDUCTIONS};
use crate::error::{counted, nearest, Error, Result};
use crate::expr::{ExprError, Expression, Name, Scope, LONGEST_TEXT};
use crate::results::Results;
use crate::signal::components;
use crate::source::Span;
use crate::units::{Dimension, Kind};
use std::ops::Range;

/// What measures may name: parameters, and the columns of a run with their units.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// Parameters with what is known of their dimension.
    pub parameters: &'a [(String, Kind)],
    /// Columns of a run with their units.
    pub columns: &'a [(String, String)],
}

/// A measure, compiled for runs with the columns that it was compiled for.
#[derive(Debug, Clone)]
pub struct Measure {
    /// Name of its column.
    pub name: String,
    /// Its unit in ASCII; `1` for a number and where the unit is not known.
    pub unit: String,
    calls: Vec<Call>,
    whole: Expression,
    /// Number of parameters and of columns, which take the first slots.
    slots: (usize, usize),
    /// Whether it is one reduction in the unit of what is reduced, and nothing more.
    alone: bool,
}

#[derive(Debug, Clone)]
struct Call {
    reduction: &'static Reduction,
    /// What is reduced: a column as it is, or an expression.
    operand: Operand,
    /// The further argument.
    argument: Option<Expression>,
}

#[derive(Debug, Clone)]
enum Operand {
    Column(usize),
    Expression(Expression),
}

impl Measure {
    /// Reads a measure. `span` is the place of its text.
    pub fn parse(name: &str, text: &str, span: Option<&Span>, names: Names) -> Result<Measure> {
        let mut compiler = Compiler {
            names,
            calls: Vec::new(),
            kinds: Vec::new(),
            units: Vec::new(),
            texts: Vec::new(),
            plain_time: false,
        };
        // A text that is too long is for the lexer to refuse.
        let stripped = match text.len() > LONGEST_TEXT {
            true => Ok(text.to_string()),
            false => compiler.strip(text, 0, 0),
        };
        let outer = stripped
            .and_then(|stripped| {
                let (whole, kind) = compiler.compile(&stripped, 0, false)?;
                Ok((whole, kind, stripped))
            })
            .map_err(|e| compiler.explain(e, text).into_error(span).of(format!("measure '{name}'")))?;
        let (whole, kind, stripped) = outer;
        // A reduction that stands alone keeps its signal's own unit.
        let call = compiler.placeholder(stripped.trim());
        let unit = call.and_then(|k| compiler.units[k].clone()).unwrap_or_else(|| kind.unit());
        let alone = call.is_some_and(|k| compiler.calls[k].reduction.gives == Gives::Same);
        let slots = (names.parameters.len(), names.columns.len());
        Ok(Measure { name: name.into(), unit, calls: compiler.calls, whole, slots, alone })
    }

    /// Columns of a run that it reads.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        let (first_column, first_call) = (self.slots.0, self.slots.0 + self.slots.1);
        self.calls.iter().flat_map(move |call| match &call.operand {
            Operand::Column(k) => vec![*k],
            Operand::Expression(expression) => {
                let column = |slot: &&usize| (first_column..first_call).contains(*slot);
                expression.variables().iter().filter(column).map(|slot| slot - first_column).collect()
            }
        })
    }

    /// The number for one run, with `parameters` as they were in it.
    pub fn evaluate(&self, parameters: &[f64], results: &Results) -> f64 {
        self.evaluate_in(parameters, results, &mut Vec::new())
    }

    /// The same, for many runs: `room` is this measure's own, to work in.
    pub fn evaluate_in(&self, parameters: &[f64], results: &Results, room: &mut Vec<f64>) -> f64 {
        self.look_in(parameters, results, room, false).value
    }

    /// The same, with what may be wrong with it.
    pub(super) fn look(&self, parameters: &[f64], results: &Results) -> Look {
        self.look_in(parameters, results, &mut Vec::new(), true)
    }

    /// What may be wrong with it is looked for where `closely`.
    fn look_in(&self, parameters: &[f64], results: &Results, env: &mut Vec<f64>, closely: bool) -> Look {
        let (first_column, first_call) = (self.slots.0, self.slots.0 + self.slots.1);
        let counted: Vec<f64>;
        let t = match results.times() {
            // Rows without time, such as natural modes, are counted from 1.
            [] => {
                counted = (1..=results.len()).map(|k| k as f64).collect();
                &counted
            }
            t => t,
        };
        env.resize(first_call + self.calls.len(), f64::NAN);
        env[..first_column].copy_from_slice(&parameters[..first_column]);
        let mut values = Vec::new();
        let mut look = Look { value: f64::NAN, largest: 0.0, outside: None };
        for (k, call) in self.calls.iter().enumerate() {
            let argument = call.argument.as_ref().map_or(0.0, |e| e.eval(env));
            let x = match &call.operand {
                Operand::Column(c) => results.columns[*c].data.as_slice(),
                Operand::Expression(expression) => {
                    values.clear();
                    for row in 0..t.len() {
                        for slot in expression.variables() {
                            if (first_column..first_call).contains(slot) {
                                env[*slot] = results.columns[slot - first_column].data[row];
                            }
                        }
                        values.push(expression.eval(env));
                    }
                    &values
                }
            };
            let found = (call.reduction.apply)(t, x, argument);
            env[first_call + k] = found;
            if self.alone && closely {
                look.largest = x.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()));
            }
            if closely && found.is_nan() && call.argument.is_some() && x.iter().all(|x| x.is_finite()) {
                look.outside.get_or_insert(argument);
            }
        }
        look.value = self.whole.eval(env);
        look
    }
}

/// A measure of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub value: f64,
    /// Largest sample, in magnitude, of what is reduced, where it is one reduction and nothing more.
    pub largest: f64,
    /// A time that it asks for and that the run does not have.
    pub outside: Option<f64>,
}

/// An expression of signals and parameters, with a value at each time of a run.
#[derive(Debug, Clone)]
pub struct Curve {
    /// As it is written.
    pub text: String,
    /// Its unit in ASCII; `1` for a number and where the unit is not known.
    pub unit: String,
    expression: Expression,
    slots: (usize, usize),
}

impl Curve {
    /// Reads a curve. `span` is the place of its text, `owner` what messages call it.
    pub fn parse(owner: &str, text: &str, span: Option<&Span>, names: Names) -> Result<Curve> {
        let (calls, kinds, units, texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let compiler = Compiler { names, calls, kinds, units, texts, plain_time: true };
        let (expression, kind) =
            compiler.compile(text, 0, true).map_err(|e| e.into_error(span).of(owner.to_string()))?;
        let alone = names.columns.iter().find(|c| c.0 == text.trim()).map(|c| c.1.clone());
        let unit = alone.unwrap_or_else(|| kind.unit());
        let slots = (names.parameters.len(), names.columns.len());
        Ok(Curve { text: text.trim().into(), unit, expression, slots })
    }

    /// Columns of a run that it reads.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = (self.slots.0, self.slots.0 + self.slots.1);
        self.expression
            .variables()
            .iter()
            .filter(move |slot| (first..end).contains(*slot))
            .map(move |slot| slot - first)
    }

    /// Its values in one run, with `parameters` as they were in it.
    pub fn values(&self, parameters: &[f64], results: &Results) -> Vec<f64> {
        let first = self.slots.0;
        let mut env = vec![f64::NAN; first + self.slots.1];
        env[..first].copy_from_slice(&parameters[..first]);
        let value = |row: usize| {
            for slot in self.expression.variables() {
                if let Some(column) = slot.checked_sub(first) {
                    env[*slot] = results.columns[column].data[row];
                }
            }
            self.expression.eval(&env)
        };
        (0..results.len()).map(value).collect()
    }
}

struct Compiler<'a> {
    names: Names<'a>,
    calls: Vec<Call>,
    /// What is known of the dimension of each call, and its unit where that is a signal's own.
    kinds: Vec<Kind>,
    units: Vec<Option<String>>,
    /// Each call as it was written.
    texts: Vec<String>,
    /// Whether time goes with quantities of any dimension, as in the laws of drivers.
    plain_time: bool,
}

/// The names in force: with or without signals, as slots or as numbers of their dimension.
struct In<'c, 'a> {
    compiler: &'c Compiler<'a>,
    signals: bool,
    dimensions: bool,
}

/// A value at which no function or difference is special, to find dimensions with.
const ORDINARY: f64 = 0.6180339887;

impl Scope for In<'_, '_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        let Names { parameters, columns } = self.compiler.names;
        let known = |slot: usize, kind: &dyn Fn() -> Kind| match self.dimensions {
            true => Some(Name::Constant(ORDINARY, kind())),
            false => Some(Name::Variable(slot)),
        };
        if let Some(k) = self.compiler.placeholder(name) {
            return known(parameters.len() + columns.len() + k, &|| self.compiler.kinds[k]);
        }
        if let Some(k) = columns.iter().position(|c| c.0 == name).filter(|_| self.signals) {
            let plain = self.compiler.plain_time && name == "t";
            return known(parameters.len() + k, &|| if plain { Kind::Any } else { kind_of(&columns[k].1) });
        }
        let k = parameters.iter().position(|p| p.0 == name)?;
        known(k, &|| parameters[k].1)
    }
    fn names(&self) -> Vec<String> {
        let Names { parameters, columns } = self.compiler.names;
        let columns = columns.iter().filter(|_| self.signals).map(|c| c.0.clone());
        columns.chain(parameters.iter().map(|p| p.0.clone())).collect()
    }
    fn components(&self, vector: &str) -> Vec<String> {
        let is_signal = |name: &str| self.signals && self.compiler.names.columns.iter().any(|c| c.0 == name);
        components(is_signal, vector)
    }
}

/// What a unit says of a dimension.
fn kind_of(unit: &str) -> Kind {
    match unit {
        "1" | "" => Kind::Known(Dimension::NUMBER),
        _ => Expression::parse(&format!("1 {unit}"), &()).map_or(Kind::Any, |e| e.kind()),
    }
}

impl Compiler<'_> {
    /// The call that a placeholder stands for.
    fn placeholder(&self, name: &str) -> Option<usize> {
        name.strip_prefix("__")?.parse().ok().filter(|k| *k < self.calls.len())
    }

    /// Compiles a text without reductions that starts at `offset` of the whole.
    fn compile(&self, text: &str, offset: usize, signals: bool) -> std::result::Result<(Expression, Kind), ExprError> {
        let shifted = |mut e: ExprError| {
            e.range = e.range.start + offset..e.range.end + offset;
            e
        };
        let program = Expression::parse(text, &In { compiler: self, signals, dimensions: false }).map_err(shifted)?;
        let kinds = Expression::parse(text, &In { compiler: self, signals, dimensions: true }).map_err(shifted)?;
        Ok((program, kinds.kind()))
    }

    /// The text with every reduction put aside and a name of equal length in its place.
    fn strip(&mut self, text: &str, offset: usize, depth: usize) -> std::result::Result<String, ExprError> {
        const DEEPEST: usize = 20;
        if depth > DEEPEST {
            let message = format!("reductions are nested deeper than {DEEPEST}");
            return Err(ExprError::new(message, offset..offset + text.len()));
        }
        let mut out = String::with_capacity(text.len());
        let mut k = 0;
        while let Some(c) = text[k..].chars().next() {
            let word = &text[k..k + word_length(&text[k..])];
            if word.is_empty() {
                out.push(c);
                k += c.len_utf8();
                continue;
            }
            let call = REDUCTIONS.iter().find(|r| r.keyword == word).and_then(|r| Some((r, call(text, k, word)?)));
            match call {
                // Several arguments: the ordinary function.
                Some((reduction, (arguments, _)))
                    if arguments.len() > 1 && crate::expr::FUNCTIONS.iter().any(|f| f.name == reduction.keyword) =>
                {
                    out.push_str(word);
                    k += word.len();
                }
                Some((reduction, (arguments, end))) => {
                    self.put_aside(reduction, (text, offset), &arguments, k..end, depth)?;
                    let placeholder = format!("__{}", self.calls.len() - 1);
                    out.push_str(&format!("{placeholder:<width$}", width = end - k));
                    k = end;
                }
                None => {
                    out.push_str(word);
                    k += word.len();
                }
            }
        }
        Ok(out)
    }

    fn put_aside(
        &mut self,
        reduction: &'static Reduction,
        (text, offset): (&str, usize),
        arguments: &[Range<usize>],
        whole: Range<usize>,
        depth: usize,
    ) -> std::result::Result<(), ExprError> {
        if arguments.len() != reduction.arguments.len() {
            let (due, found) = (reduction.arguments.len(), arguments.len());
            let message = format!("{} takes {}, not {found}", reduction.keyword, counted(due, "argument"));
            return Err(ExprError::new(message, whole.start + offset..whole.end + offset).note(format!(
                "write {}({})",
                reduction.keyword,
                reduction.arguments.join(", ")
            )));
        }
        let part = |compiler: &mut Self, k: usize| {
            let Range { start, end } = arguments[k].clone();
            let stripped = compiler.strip(&text[start..end], offset + start, depth + 1)?;
            compiler.compile(&stripped, offset + start, k == 0).map(|(e, kind)| (e, kind, stripped))
        };
        let (inner, kind, stripped) = part(self, 0)?;
        let argument = match arguments.len() {
            2 => Some(part(self, 1)?.0),
            _ => None,
        };
        let alone = self.names.columns.iter().position(|c| c.0 == stripped.trim());
        let unit = alone.map(|c| self.names.columns[c].1.clone());
        let (kind, unit) = match (reduction.gives, kind) {
            (Gives::Same, kind) => (kind, unit),
            (Gives::Time, _) => (Kind::Known(Dimension::TIME), Some("s".into())),
            (Gives::Number, _) => (Kind::Known(Dimension::NUMBER), Some("1".into())),
            (Gives::TimesTime, Kind::Known(d)) => (Kind::Known(d.times(Dimension::TIME)), None),
            (Gives::TimesTime, kind) => (kind, None),
        };
        let operand = alone.map_or(Operand::Expression(inner), Operand::Column);
        self.calls.push(Call { reduction, operand, argument });
        self.kinds.push(kind);
        self.units.push(unit);
        self.texts.push(text[whole].to_string());
        Ok(())
    }

    /// Adds what a user of measures should know.
    fn explain(&self, mut error: ExprError, text: &str) -> ExprError {
        let culprit = text.get(error.range.clone()).unwrap_or("").trim();
        // Words that messages take from the text are those that the user wrote.
        for (k, written) in self.texts.iter().enumerate().rev() {
            let name = format!("__{k}");
            let padded = format!("{name:<width$}", width = written.chars().count());
            let restored = |words: &str| words.replace(&padded, written).replace(&name, written);
            error.message = restored(&error.message);
            error.notes.iter_mut().for_each(|note| *note = restored(note));
        }
        let is_signal = |name: &str| self.names.columns.iter().any(|c| c.0 == name);
        if !components(is_signal, culprit).is_empty() {
            error.message = format!("'{culprit}' is a vector of signals, with a value at each time");
            error.notes = vec![format!("reduce its length to one number, such as max(norm({culprit}))"), reductions()];
            return error;
        }
        if self.names.columns.iter().any(|c| c.0 == culprit) {
            error.message = format!("'{culprit}' is a signal, with a value at each time");
            error.notes = vec![format!("reduce it to one number, such as max({culprit})"), reductions()];
            return error;
        }
        let words: Vec<&str> = REDUCTIONS.iter().map(|r| r.keyword).collect();
        match nearest(culprit, &words).filter(|near| *near != culprit) {
            Some(near) if text.get(error.range.end..).is_some_and(|rest| rest.trim_start().starts_with('(')) => {
                error.note(format!("or did you mean the reduction '{near}'?"))
            }
            _ => error,
        }
    }
}

fn reductions() -> String {
    format!("reductions: {}", REDUCTIONS.iter().map(|r| r.keyword).collect::<Vec<_>>().join(", "))
}

/// Length of the number or name at the start of a text, dots included; 0 where there is none.
fn word_length(text: &str) -> usize {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    end.unwrap_or(text.len())
}

/// Arguments of the call of `word` at `k`, and the end of its bracket; none where no closed bracket follows.
fn call(text: &str, k: usize, word: &str) -> Option<(Vec<Range<usize>>, usize)> {
    let after = k + word.len();
    let open =
        after + text[after..].find(|c: char| !c.is_whitespace()).filter(|n| text[after + n..].starts_with('('))?;
    let (mut depth, mut start, mut arguments) = (0usize, open + 1, Vec::new());
    for (n, c) in text[open..].char_indices() {
        let at = open + n;
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    arguments.push(start..at);
                    return Some((arguments, at + 1));
                }
            }
            ',' if depth == 1 => {
                arguments.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// Refuses a name that could not stand beside the others in a table.
pub fn check_name(name: &str) -> Result<()> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "_.-()".contains(c);
    if name.is_empty() || !name.chars().all(fine) || name.starts_with('-') || ["sample", "reason", "t"].contains(&name)
    {
        return Err(Error::new(format!("'{name}' cannot name a measure"))
            .note("use letters, digits, _ . and -; sample, reason and t are taken"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Column;
    use crate::source::Source;

    /// x = t³ and y = sin t over [0, 2], z in the same metres as x.
    fn run() -> Results {
        let t: Vec<f64> = (0..=20).map(|k| 0.1 * f64::from(k)).collect();
        let column = |name: &str, unit, f: fn(f64) -> f64| Column::new(name, unit, t.iter().map(|t| f(*t)).collect());
        let columns = vec![
            column("t", "s", |t| t),
            column("p.x", "m", |t| t * t * t),
            column("A-1.angle", "rad", f64::sin),
            column("p.z", "m", |t| 1.0 - t),
        ];
        Results { columns, ..Results::default() }
    }

    fn measure(text: &str) -> Result<Measure> {
        let columns: Vec<(String, String)> =
            run().columns.iter().map(|c| (c.name.clone(), c.unit.to_string())).collect();
        let parameters = [("crank".to_string(), Kind::Known(Dimension::LENGTH)), ("n".to_string(), Kind::Any)];
        let source = Source::new("--measure m", text);
        let names = Names { parameters: &parameters, columns: &columns };
        Measure::parse("m", text, Some(&Span::new(&source, 0..text.len())), names)
    }

    fn value(text: &str) -> (f64, String) {
        let measure = measure(text).unwrap_or_else(|e| panic!("{e}"));
        (measure.evaluate(&[2.0, 3.0], &run()), measure.unit)
    }

    #[test]
    fn reductions_do_what_they_say() {
        assert_eq!(value("max(p.x)"), (run().columns[1].data[20], "m".into()));
        assert_eq!(value("min(p.z)").0, run().columns[3].data[20]);
        assert_eq!(value("range(p.z)").0, 1.0 - run().columns[3].data[20]);
        assert_eq!((value("first(p.z)").0, value("time_of_min(p.z)")), (1.0, (2.0, "s".into())));
        assert_eq!(value("time_of_max(p.z)").0, 0.0);
        // A cubic is met exactly, between the samples and at both ends.
        for t in [0.0, 0.033, 0.1, 0.77, 1.95, 2.0] {
            assert!((value(&format!("at(p.x, {t})")).0 - t * t * t).abs() < 1e-14, "{t}");
        }
        assert!(value("at(p.x, 2.1)").0.is_nan());
        // Straight lines are integrated exactly by trapezia: ∫(1 − t) = 0 over [0, 2].
        assert!(value("mean(p.z)").0.abs() < 1e-15 && value("integral(p.z)").0.abs() < 1e-15);
        assert_eq!(value("integral(p.z)").1, "m*s");
        // ∫(1 − t)² / 2 = 1/3; the trapezia add h²/12 · f″ = 1/600.
        assert!((value("rms(p.z)").0.powi(2) - 1.0 / 3.0 - 1.0 / 600.0).abs() < 1e-14);
    }

    #[test]
    fn expressions_combine_them() {
        assert_eq!(value("max(p.x)/crank"), (run().columns[1].data[20] / 2.0, "1".into()));
        assert_eq!(value("max(max(p.x), n * min(p.z))").0, run().columns[1].data[20]);
        assert_eq!(value("min(p.x) + 5 mm").0, 0.005);
        assert!((value("max(sqrt(p.x^2 + p.z^2))").0 - (run().columns[1].data[20].hypot(-1.0))).abs() < 1e-15);
        assert!((value("max(abs(p.z - mean(p.z)))").0 - 1.0).abs() < 1e-15);
        assert_eq!(value("at( p.z , time_of_max( p.x ) )").0, run().columns[3].data[20]);
        assert_eq!(value("max(A-1.angle)").1, "rad");
        assert_eq!(value("max(p.x) * max(p.x)").1, "m^2");
        assert_eq!(value("n").0, 3.0);
    }

    #[test]
    fn faults_are_explained() {
        let told = |text: &str| measure(text).unwrap_err().to_string();
        assert!(told("p.x").contains("'p.x' is a signal, with a value at each time"), "{}", told("p.x"));
        assert!(told("max(p.xx)").contains("did you mean 'p.x'?"), "{}", told("max(p.xx)"));
        assert!(told("max(p.x) + max(A-1.angle)").contains("length"), "{}", told("max(p.x) + max(A-1.angle)"));
        assert!(told("at(p.x)").contains("at takes 2 arguments, not 1"));
        assert!(told("mean(p.x, p.z)").contains("mean takes 1 argument, not 2"));
        assert!(told("maxx(p.x)").contains("max"), "{}", told("maxx(p.x)"));
        assert!(told("max(p.x").contains("measure 'm'"));
        assert!(told("").contains("empty"));
        let deep = "max(".repeat(5000) + "p.x" + &")".repeat(5000);
        assert!(told(&deep).contains("bytes") || told(&deep).contains("deeper"));
        // The caret stands under the name, behind a reduction.
        let text = told("max(p.x) - crnk");
        assert!(text.lines().any(|l| l.ends_with("           ^^^^")), "{text}");
    }
}
