//! Function expressions: read into a tree, integrated over time where a motion gives a velocity, and written as expressions of the model file.

use super::deck::{Text, SOFT};
use super::spline::Curve;
use biela_base::error::{Error, Result};
use biela_math::Elementary;
use std::f64::consts::PI;
use std::sync::Arc;

/// An expression.
#[derive(Debug, Clone)]
pub(super) enum Expression {
    Number(f64),
    Time,
    Sum(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
    Power(Box<Expression>, Box<Expression>),
    Call(String, Vec<Expression>),
    /// A curve of what stands in the brackets.
    Along(Box<Expression>, Arc<Curve>),
}
use Expression::{Along, Call, Number, Power, Product, Quotient, Sum, Time};

/// Brackets within brackets that are followed; nobody writes a fraction of it.
const DEEPEST: usize = 60;

/// Functions of the same name and meaning in the model file.
const SAME: &[(&str, usize)] = &[
    ("ABS", 1),
    ("ACOS", 1),
    ("ASIN", 1),
    ("ATAN", 1),
    ("ATAN2", 2),
    ("COS", 1),
    ("COSH", 1),
    ("EXP", 1),
    ("LOG", 1),
    ("LOG10", 1),
    ("MAX", 2),
    ("MIN", 2),
    ("SIN", 1),
    ("SINH", 1),
    ("SQRT", 1),
    ("TAN", 1),
    ("TANH", 1),
];

pub(super) fn read(text: &Text) -> Result<Expression> {
    let whole = continued(&text.text);
    let mut parser = Parser { text: &whole, at: 0 };
    let found = parser.sum(0).and_then(|e| match parser.peek() {
        None => Ok(e),
        Some(c) => Err(Error::new(format!("'{c}' is not expected here"))),
    });
    found.map_err(|e| e.at(&text.span))
}

/// A function that goes on in other lines: the comma that says so parts two arguments where nothing else does, and is a blank elsewhere.
fn continued(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for (k, piece) in text.split(char::from(SOFT)).enumerate() {
        let is_value = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
        let ends = whole.trim_end().ends_with(|c| is_value(c) || c == ')');
        let begins = piece.trim_start().starts_with(|c| is_value(c) || c == '(');
        if k > 0 {
            whole.push(if ends && begins { ',' } else { ' ' });
        }
        whole += piece;
    }
    whole
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.len() - rest.trim_start().len();
        rest.trim_start().chars().next()
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn sum(&mut self, depth: usize) -> Result<Expression> {
        if depth > DEEPEST {
            return Err(Error::new("the function is nested too deeply"));
        }
        let mut found = self.product(depth)?;
        loop {
            if self.take('+') {
                found = Sum(found.into(), self.product(depth)?.into());
            } else if self.take('-') {
                found = Sum(found.into(), negative(self.product(depth)?).into());
            } else {
                return Ok(found);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Result<Expression> {
        let mut found = self.signed(depth)?;
        loop {
            if self.take('*') {
                found = Product(found.into(), self.signed(depth)?.into());
            } else if self.take('/') {
                found = Quotient(found.into(), self.signed(depth)?.into());
            } else {
                return Ok(found);
            }
        }
    }

    /// A power with its signs; `**` binds tighter than they do.
    fn signed(&mut self, depth: usize) -> Result<Expression> {
        let mut minus = false;
        loop {
            if self.take('-') {
                minus = !minus;
            } else if !self.take('+') {
                break;
            }
        }
        let base = self.atom(depth)?;
        self.peek();
        let found = if self.text.get(self.at..).is_some_and(|r| r.starts_with("**")) {
            self.at += 2;
            if depth > DEEPEST {
                return Err(Error::new("the function is nested too deeply"));
            }
            Power(base.into(), self.signed(depth + 1)?.into())
        } else {
            base
        };
        Ok(if minus { negative(found) } else { found })
    }

    fn atom(&mut self, depth: usize) -> Result<Expression> {
        let c = self.peek().ok_or_else(|| Error::new("the function ends where a value is expected"))?;
        if self.take('(') {
            let inner = self.sum(depth + 1)?;
            return if self.take(')') { Ok(inner) } else { Err(Error::new("a bracket of the function is not closed")) };
        }
        let rest = self.text.get(self.at..).unwrap_or("");
        if c.is_ascii_digit() || c == '.' {
            let (length, value) = number(rest).ok_or_else(|| Error::new("this is no number"))?;
            self.at += length;
            return Ok(Number(value));
        }
        let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        if length == 0 {
            return Err(Error::new(format!("'{c}' is not expected here")));
        }
        let name = rest[..length].to_ascii_uppercase();
        self.at += length;
        match name.as_str() {
            "TIME" => return Ok(Time),
            "PI" => return Ok(Number(PI)),
            "RTOD" => return Ok(Number(180.0 / PI)),
            "DTOR" => return Ok(Number(PI / 180.0)),
            _ => {}
        }
        if !self.take('(') {
            return Err(Error::new(format!("'{name}' is not known")));
        }
        let mut list = Vec::new();
        while !self.take(')') {
            list.push(self.sum(depth + 1)?);
            if self.peek().is_none() {
                return Err(Error::new("a bracket of the function is not closed"));
            }
            let _ = self.take(',') || self.take(':');
        }
        Ok(Call(name, list))
    }
}

/// A number at the beginning of a text: how long it is, and its value; D behind it means degrees.
pub(super) fn number(text: &str) -> Option<(usize, f64)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(end);
    end += whole;
    let mut parts = 0;
    if bytes.get(end) == Some(&b'.') {
        parts = digits(end + 1);
        end += 1 + parts;
    }
    if whole + parts == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if digits(end + 1 + sign) > 0 {
            end += 1 + sign + digits(end + 1 + sign);
        }
    }
    let value: f64 = text[..end].parse().ok()?;
    let degrees = matches!(bytes.get(end), Some(b'd' | b'D'));
    Some((end + usize::from(degrees), if degrees { value * (PI / 180.0) } else { value }))
}

/// The number that a whole text is. A D before digits is Fortran's exponent of double precision; in a function it could be degrees and a sum.
pub(super) fn whole(text: &str) -> Option<f64> {
    if let Some((mantissa, exponent)) = text.split_once(['d', 'D']).filter(|(_, e)| !e.is_empty()) {
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b"+-.".contains(&b));
        let value = (plain(mantissa) && plain(exponent)).then(|| format!("{mantissa}e{exponent}"));
        return value.and_then(|v| v.parse().ok()).filter(|x: &f64| x.is_finite());
    }
    number(text).filter(|(length, x)| *length == text.len() && x.is_finite()).map(|(_, x)| x)
}

pub(super) fn negative(e: Expression) -> Expression {
    match e {
        Number(x) => Number(-x),
        e => Product(Number(-1.0).into(), e.into()),
    }
}

/// What functions take from other statements.
pub(super) struct Data<'d> {
    /// The curve of a spline, by the function that takes it and the spline's number.
    pub curve: &'d dyn Fn(&str, i64) -> Result<Arc<Curve>>,
    /// An entry of an array, by their numbers, where it is a constant.
    pub entry: &'d dyn Fn(i64, i64) -> Option<f64>,
}

impl Expression {
    /// Its value where it holds nothing but numbers, or with a number for the time.
    pub fn value(&self, time: Option<f64>) -> Option<f64> {
        let v = |e: &Expression| e.value(time);
        Some(match self {
            Number(x) => *x,
            Time => time?,
            Sum(a, b) => v(a)? + v(b)?,
            Product(a, b) => v(a)? * v(b)?,
            Quotient(a, b) => v(a)? / v(b)?,
            Power(a, b) => v(a)?.power(v(b)?),
            Along(x, curve) => curve.value(v(x)?),
            Call(name, list) => {
                let x = v(list.first()?)?;
                match (name.as_str(), list.len()) {
                    ("SIN", 1) => x.sine(),
                    ("COS", 1) => x.cosine(),
                    ("SQRT", 1) => x.sqrt(),
                    ("EXP", 1) => x.exponential(),
                    ("ABS", 1) => x.abs(),
                    ("IF", 4) => v(&list[if x < 0.0 {
                        1
                    } else if x == 0.0 {
                        2
                    } else {
                        3
                    }])?,
                    ("CLAMPED", 3) => ((x - v(&list[1])?) / (v(&list[2])? - v(&list[1])?)).clamp(0.0, 1.0),
                    ("MAX", 2) => x.max(v(&list[1])?),
                    ("MIN", 2) => x.min(v(&list[1])?),
                    _ => return None,
                }
            }
        })
    }

    /// The same with data put in: entries of constant arrays, splines by AKISPL and CUBSPL of x, z, their number and the order of a derivative.
    pub fn with_data(self, data: &Data) -> Result<Expression> {
        let all = |e: Box<Expression>| e.with_data(data).map(Box::new);
        Ok(match self {
            Sum(a, b) => Sum(all(a)?, all(b)?),
            Product(a, b) => Product(all(a)?, all(b)?),
            Quotient(a, b) => Quotient(all(a)?, all(b)?),
            Power(a, b) => Power(all(a)?, all(b)?),
            Call(name, list) if ["AKISPL", "CUBSPL"].contains(&name.as_str()) => {
                let mut list = list.into_iter();
                let x =
                    list.next().ok_or_else(|| Error::new(format!("{name} needs x, z and the number of a spline")))?;
                let rest: Vec<Option<f64>> = list.map(|e| e.value(None)).collect();
                let (id, order) = match rest[..] {
                    [Some(0.0), Some(id)] => (id, 0.0),
                    [Some(0.0), Some(id), Some(order)] => (id, order),
                    _ => return Err(Error::new(format!("{name} is read of one curve, with z = 0"))),
                };
                let found = (data.curve)(&name, id as i64)?;
                let found = match order {
                    0.0 => found,
                    1.0 => found.slope().into(),
                    // Akima's curves have jumps there.
                    2.0 if name == "CUBSPL" => found.slope().slope().into(),
                    _ => return Err(Error::new(format!("{name} has no derivative of order {order} that is read"))),
                };
                Along(x.with_data(data)?.into(), found)
            }
            Call(name, list) if name == "ARYVAL" => {
                let [id, k] = [0, 1].map(|n| list.get(n).and_then(|e| e.value(None)).unwrap_or(0.0) as i64);
                (data.entry)(id, k).map_or(Call(name, list), Number)
            }
            Call(name, list) => Call(name, list.into_iter().map(|e| e.with_data(data)).collect::<Result<Vec<_>>>()?),
            other => other,
        })
    }

    /// Whether it is made of numbers and the time alone.
    pub fn of_time(&self) -> bool {
        match self {
            Number(_) | Time => true,
            Sum(a, b) | Product(a, b) | Quotient(a, b) | Power(a, b) => a.of_time() && b.of_time(),
            Call(name, list) => list.iter().all(Expression::of_time) && !is_measure(name),
            Along(x, _) => x.of_time(),
        }
    }

    /// Slope and value at zero where it is linear in time.
    fn linear(&self) -> Option<(f64, f64)> {
        if let Some(x) = self.value(None) {
            return Some((0.0, x));
        }
        Some(match self {
            Time => (1.0, 0.0),
            Sum(a, b) => {
                let (a, b) = (a.linear()?, b.linear()?);
                (a.0 + b.0, a.1 + b.1)
            }
            Product(a, b) => match (a.value(None), b.value(None)) {
                (Some(k), _) => b.linear().map(|l| (k * l.0, k * l.1))?,
                (_, Some(k)) => a.linear().map(|l| (k * l.0, k * l.1))?,
                _ => return None,
            },
            Quotient(a, b) => {
                let (l, k) = (a.linear()?, b.value(None)?);
                (l.0 / k, l.1 / k)
            }
            _ => return None,
        })
    }

    /// An antiderivative by time; `None` where none is found in closed form.
    pub fn integrated(&self) -> Option<Expression> {
        let times = |k: f64, e: Expression| Product(Number(k).into(), e.into());
        if let Some(k) = self.value(None) {
            return Some(times(k, Time));
        }
        Some(match self {
            Time => times(0.5, Power(Time.into(), Number(2.0).into())),
            Sum(a, b) => Sum(a.integrated()?.into(), b.integrated()?.into()),
            Product(a, b) => match (a.value(None), b.value(None)) {
                (Some(k), _) => times(k, b.integrated()?),
                (_, Some(k)) => times(k, a.integrated()?),
                _ => return self.polynomial(),
            },
            Quotient(a, b) => times(1.0 / b.value(None)?, a.integrated()?),
            Power(..) => return self.polynomial(),
            Along(x, curve) => {
                let (slope, _) = x.linear().filter(|l| l.0 != 0.0)?;
                times(1.0 / slope, Along(x.clone(), curve.integrated().into()))
            }
            Call(name, list) => match (name.as_str(), &list[..]) {
                ("SIN" | "COS" | "EXP", [inner]) => {
                    let (slope, _) = inner.linear().filter(|l| l.0 != 0.0)?;
                    let (word, sign) = match name.as_str() {
                        "SIN" => ("COS", -1.0),
                        "COS" => ("SIN", 1.0),
                        _ => ("EXP", 1.0),
                    };
                    times(sign / slope, Call(word.into(), list.clone()))
                }
                ("STEP" | "STEP5", [x, x0, h0, x1, h1]) => {
                    let (slope, offset) = x.linear().filter(|l| l.0 > 0.0)?;
                    let [x0, h0, x1, h1] = [x0, h0, x1, h1].map(|e| e.value(None));
                    let (from, to) = ((x0? - offset) / slope, (x1? - offset) / slope);
                    let (h0, rise) = (h0?, h1? - h0?);
                    // Over its rise the step is a polynomial of s in [0, 1]; beyond it goes on as a straight line.
                    let s = Call("CLAMPED".into(), vec![Time, Number(from), Number(to)]);
                    let power = |k: f64, n: f64| times(k, Power(s.clone().into(), Number(n).into()));
                    let terms = match name.as_str() {
                        "STEP" => vec![power(1.0, 3.0), power(-0.5, 4.0)],
                        _ => vec![power(2.5, 4.0), power(-3.0, 5.0), power(1.0, 6.0)],
                    };
                    let over = terms.into_iter().reduce(|a, b| Sum(a.into(), b.into()))?;
                    let beyond = Call("MAX".into(), vec![Sum(Time.into(), Number(-to).into()), Number(0.0)]);
                    let risen = Sum(times(to - from, over).into(), beyond.into());
                    Sum(times(h0, Time).into(), times(rise, risen).into())
                }
                ("IF", [x, before, _, after]) => {
                    let (slope, offset) = x.linear().filter(|l| l.0 != 0.0)?;
                    let at = -offset / slope;
                    let (first, second) = if slope > 0.0 { (before, after) } else { (after, before) };
                    let (first, second) = (first.integrated()?, second.integrated()?);
                    let jump = first.value(Some(at))? - second.value(Some(at))?;
                    let x = Sum(Time.into(), Number(-at).into());
                    Call("IF".into(), vec![x, first.clone(), first, Sum(second.into(), Number(jump).into())])
                }
                _ => return None,
            },
            Number(_) => return None,
        })
    }

    /// Coefficients of a polynomial of time.
    fn coefficients(&self) -> Option<Vec<f64>> {
        const HIGHEST: usize = 24;
        if let Some(x) = self.value(None) {
            return Some(vec![x]);
        }
        let product = |a: Vec<f64>, b: Vec<f64>| {
            let mut out = vec![0.0; (a.len() + b.len() - 1).min(HIGHEST + 1)];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    *out.get_mut(i + j)? += x * y;
                }
            }
            Some(out)
        };
        match self {
            Time => Some(vec![0.0, 1.0]),
            Sum(a, b) => {
                let (mut a, mut b) = (a.coefficients()?, b.coefficients()?);
                if a.len() < b.len() {
                    std::mem::swap(&mut a, &mut b);
                }
                b.iter().enumerate().for_each(|(k, x)| a[k] += x);
                Some(a)
            }
            Product(a, b) => product(a.coefficients()?, b.coefficients()?),
            Quotient(a, b) => b.value(None).and_then(|k| Some(a.coefficients()?.iter().map(|x| x / k).collect())),
            Power(a, n) => {
                let n = n.value(None).filter(|n| *n >= 0.0 && n.fract() == 0.0 && *n <= HIGHEST as f64)?;
                let base = a.coefficients()?;
                (0..n as usize).try_fold(vec![1.0], |all, _| product(all, base.clone()))
            }
            _ => None,
        }
    }

    fn polynomial(&self) -> Option<Expression> {
        let terms = self.coefficients()?.into_iter().enumerate().filter(|(_, c)| *c != 0.0);
        terms
            .map(|(k, c)| {
                Product(Number(c / (k as f64 + 1.0)).into(), Power(Time.into(), Number(k as f64 + 1.0).into()).into())
            })
            .reduce(|a, b| Sum(a.into(), b.into()))
    }

    /// The expression as the model file writes it, in the deck's own units; `measure` writes what markers and variables say. What would be longer
    /// than `longest` is refused: a step in a step in a step says its limits many times over.
    pub fn written(&self, time: &str, longest: usize, measure: Measured) -> Result<String> {
        let mut w = |e: &Expression| e.written(time, longest, measure);
        let text = match self {
            Number(x) if *x < 0.0 => format!("({x:?})"),
            Number(x) => format!("{x:?}"),
            Time => time.to_string(),
            Sum(a, b) => format!("({} + {})", w(a)?, w(b)?),
            Product(a, b) => format!("{}*{}", w(a)?, w(b)?),
            Quotient(a, b) => format!("{}/({})", w(a)?, w(b)?),
            Power(a, b) => format!("({})^({})", w(a)?, w(b)?),
            Along(x, curve) => curve.written(&w(x)?),
            Call(name, list) if is_measure(name) => return measure(name, list),
            Call(name, list) => {
                if SAME.contains(&(name.as_str(), list.len())) {
                    let list: Vec<String> = list.iter().map(w).collect::<Result<_>>()?;
                    format!("{}({})", name.to_lowercase(), list.join(", "))
                } else {
                    let unread =
                        || Error::new(format!("the function {name} with {} arguments is not read", list.len()));
                    made(name, list).ok_or_else(unread)?(&mut w)?
                }
            }
        };
        match text.len() > longest {
            true => Err(Error::new("the function is too long when it is written out")),
            false => Ok(text),
        }
    }
}

/// Writes what markers and variables say.
pub(super) type Measured<'m> = &'m mut dyn FnMut(&str, &[Expression]) -> Result<String>;
type Write<'a> = Box<dyn FnOnce(&mut dyn FnMut(&Expression) -> Result<String>) -> Result<String> + 'a>;

/// Terms of a series of Chebyshev polynomials at most: of more of them powers no longer tell the sum.
const CHEBYSHEV: usize = 31;

/// Functions that the model file says in other words.
fn made<'a>(name: &str, list: &'a [Expression]) -> Option<Write<'a>> {
    Some(match (name, list) {
        ("CLAMPED", [x, a, b]) => {
            Box::new(|w| Ok(format!("min(max(({} - {})/({} - {}), 0), 1)", w(x)?, w(a)?, w(b)?, w(a)?)))
        }
        ("STEP", [x, x0, h0, x1, h1]) => Box::new(|w| {
            let s = Call("CLAMPED".into(), vec![x.clone(), x0.clone(), x1.clone()]);
            let (s, h0) = (w(&s)?, w(h0)?);
            Ok(format!("({h0} + ({} - {h0})*{s}^2*(3 - 2*{s}))", w(h1)?))
        }),
        ("STEP5", [x, x0, h0, x1, h1]) => Box::new(|w| {
            let h0 = w(h0)?;
            Ok(format!("({h0} + ({} - {h0})*smoothstep({}, {}, {}))", w(h1)?, w(x)?, w(x0)?, w(x1)?))
        }),
        ("HAVSIN", [x, x0, h0, x1, h1]) => Box::new(|w| {
            let s = Call("CLAMPED".into(), vec![x.clone(), x0.clone(), x1.clone()]);
            let h0 = w(h0)?;
            Ok(format!("({h0} + ({} - {h0})*(1 - cos(pi*{}))/2)", w(h1)?, w(&s)?))
        }),
        ("IF", [x, a, b, c]) => Box::new(|w| {
            let x = w(x)?;
            Ok(format!("if({x} < 0, {}, if({x} == 0, {}, {}))", w(a)?, w(b)?, w(c)?))
        }),
        ("IMPACT", [x, speed, x1, k, e, c, d]) => Box::new(|w| {
            let damping = step(x, [&minus(x1, d), c, x1, &Number(0.0)]);
            Ok(format!("max({}*max({}, 0)^({}) - {}*{}, 0)", w(k)?, w(&minus(x1, x))?, w(e)?, w(&damping)?, w(speed)?))
        }),
        ("BISTOP", [x, speed, x1, x2, k, e, c, d]) => Box::new(move |w| {
            let below = Call("IMPACT".into(), [x, speed, x1, k, e, c, d].map(Expression::clone).to_vec());
            let damping = step(x, [x2, &Number(0.0), &minus(x2, &negative(d.clone())), c]);
            let above = format!("{}*max({}, 0)^({})", w(k)?, w(&minus(x, x2))?, w(e)?);
            Ok(format!("({} + min(-{above} - {}*{}, 0))", w(&below)?, w(&damping)?, w(speed)?))
        }),
        ("DIM", [a, b]) => Box::new(|w| Ok(format!("max({} - {}, 0)", w(a)?, w(b)?))),
        ("SIGN", [a, b]) => Box::new(|w| Ok(format!("abs({})*if({} < 0, -1, 1)", w(a)?, w(b)?))),
        ("AINT", [a]) => Box::new(|w| w(a).map(|a| format!("sign({a})*floor(abs({a}))"))),
        ("ANINT", [a]) => Box::new(|w| w(a).map(|a| format!("sign({a})*floor(abs({a}) + 0.5)"))),
        ("MOD", [a, b]) => Box::new(|w| Ok(format!("sign({0})*mod(abs({0}), abs({1}))", w(a)?, w(b)?))),
        ("SHF", [x, x0, a, o, p, b]) => {
            Box::new(|w| Ok(format!("({}*sin({}*({} - {}) - {}) + {})", w(a)?, w(o)?, w(x)?, w(x0)?, w(p)?, w(b)?)))
        }
        ("POLY", [x, x0, rest @ ..]) => Box::new(|w| {
            let x = format!("({} - {})", w(x)?, w(x0)?);
            series(w, rest, |k| format!("{x}^{k}"))
        }),
        ("CHEBY", [x, x0, rest @ ..]) if rest.len() <= CHEBYSHEV => Box::new(|w| {
            let x = format!("({} - {})", w(x)?, w(x0)?);
            // Each polynomial is 2x times the one before it, less the one before that.
            let (mut last, mut this) = (Vec::new(), vec![1.0]);
            let mut polynomials = Vec::new();
            for k in 0..rest.len() {
                let factor = if k == 0 { 1.0 } else { 2.0 };
                let terms = this.iter().enumerate().filter(|(_, c)| **c != 0.0);
                polynomials.push(terms.map(|(n, c): (usize, &f64)| format!("({c:?})*{x}^{n}")).collect::<Vec<_>>());
                let mut next: Vec<f64> = std::iter::once(0.0).chain(this.iter().map(|c| factor * c)).collect();
                last.resize(next.len(), 0.0);
                if k > 0 {
                    next.iter_mut().zip(&last).for_each(|(c, before)| *c -= before);
                }
                last = std::mem::replace(&mut this, next);
            }
            series(w, rest, |k| format!("({})", polynomials[k].join(" + ")))
        }),
        ("FORCOS", [x, x0, o, rest @ ..]) => Box::new(|w| {
            let x = format!("{}*({} - {})", w(o)?, w(x)?, w(x0)?);
            series(w, rest, |k| format!("cos({k}*{x})"))
        }),
        ("FORSIN", [x, x0, o, a0, rest @ ..]) => Box::new(|w| {
            let x = format!("{}*({} - {})", w(o)?, w(x)?, w(x0)?);
            let sum = series(w, rest, |k| format!("sin({}*{x})", k + 1))?;
            Ok(format!("({} + {sum})", w(a0)?))
        }),
        _ => return None,
    })
}

fn minus(a: &Expression, b: &Expression) -> Expression {
    Sum(a.clone().into(), negative(b.clone()).into())
}

fn step(x: &Expression, [x0, h0, x1, h1]: [&Expression; 4]) -> Expression {
    Call("STEP".into(), [x, x0, h0, x1, h1].map(Expression::clone).to_vec())
}

fn series(
    w: &mut dyn FnMut(&Expression) -> Result<String>,
    list: &[Expression],
    term: impl Fn(usize) -> String,
) -> Result<String> {
    let terms: Vec<String> =
        list.iter().enumerate().map(|(k, a)| Ok(format!("{}*{}", w(a)?, term(k)))).collect::<Result<_>>()?;
    Ok(if terms.is_empty() { "0".into() } else { format!("({})", terms.join(" + ")) })
}

/// Names of what markers, variables and other elements say.
pub(super) fn is_measure(name: &str) -> bool {
    const MEASURES: &[&str] = &[
        "DM", "DX", "DY", "DZ", "AX", "AY", "AZ", "VR", "VM", "VX", "VY", "VZ", "WX", "WY", "WZ", "WM", "VARVAL",
        "ARYVAL", "PSI", "THETA", "PHI", "YAW", "PITCH", "ROLL", "ACCX", "ACCY", "ACCZ", "ACCM", "WDTX", "WDTY",
        "WDTZ", "WDTM", "FX", "FY", "FZ", "FM", "TX", "TY", "TZ", "TM",
    ];
    MEASURES.contains(&name)
}
