//! The statements of a function, in any language whose expressions are written as in C.

use super::Precision;
use crate::tape::Operation;
use crate::Program;
use std::collections::HashMap;
use std::fmt::Write;

/// How a language writes a statement.
pub(super) struct Style {
    /// Before each line.
    pub indent: &'static str,
    /// A number.
    pub literal: fn(f64, Precision) -> String,
    /// Entry k of an argument.
    pub entry: fn(&str, usize) -> String,
    /// A name for the value of an expression.
    pub bind: fn(&str, &str, Precision) -> String,
    /// A function of one number.
    pub call: fn(Call, &str, Precision) -> String,
    /// Names for sine and cosine of an angle, where both are needed.
    pub pair: fn([&str; 2], &str, Precision) -> String,
}

/// Functions of one number.
#[derive(Clone, Copy)]
pub(super) enum Call {
    Sqrt,
    Sin,
    Cos,
}

/// The statements of a program, from its inputs' entries to those of its outputs.
pub(super) fn body(program: &Program, style: &Style, precision: Precision) -> String {
    let entries = |list: &[crate::Argument]| -> Vec<String> {
        list.iter().flat_map(|a| (0..a.size).map(|k| (style.entry)(&a.name, k))).collect()
    };
    let (inputs, outputs) = (entries(&program.inputs), entries(&program.outputs));
    // Where both are needed of an angle: places of its sine and of its cosine.
    let mut angles: HashMap<u32, [Option<usize>; 2]> = HashMap::new();
    let mut given: HashMap<u32, Vec<usize>> = HashMap::new();
    for (place, operation) in program.operations.iter().enumerate() {
        match operation {
            Operation::Sin(a) => angles.entry(*a).or_default()[0] = Some(place),
            Operation::Cos(a) => angles.entry(*a).or_default()[1] = Some(place),
            _ => {}
        }
    }
    for (k, place) in program.results.iter().enumerate() {
        given.entry(*place).or_default().push(k);
    }
    let mut text = String::new();
    let name = |place: usize| match program.operations[place] {
        Operation::Constant(bits) => (style.literal)(f64::from_bits(bits), precision),
        _ => format!("x{place}"),
    };
    let of = |place: u32| name(place as usize);
    let mut line = |what: String| {
        let _ = writeln!(text, "{}{what}", style.indent); // Writing to a string cannot fail.
    };
    for (place, operation) in program.operations.iter().enumerate() {
        let call = |what: Call, a: u32| (style.call)(what, &of(a), precision);
        let value = match *operation {
            Operation::Constant(_) => None,
            Operation::Input(k) => Some(inputs[k as usize].clone()),
            Operation::Add(a, b) => Some(format!("{} + {}", of(a), of(b))),
            Operation::Sub(a, b) => Some(format!("{} - {}", of(a), of(b))),
            Operation::Mul(a, b) => Some(format!("{} * {}", of(a), of(b))),
            Operation::Neg(a) => Some(format!("-{}", of(a))),
            Operation::Recip(a) => Some(format!("{} / {}", (style.literal)(1.0, precision), of(a))),
            Operation::Sqrt(a) => Some(call(Call::Sqrt, a)),
            Operation::Sin(a) | Operation::Cos(a) => match angles[&a] {
                [Some(sin), Some(cos)] => {
                    if place == sin.min(cos) {
                        line((style.pair)([&name(sin), &name(cos)], &of(a), precision));
                    }
                    None
                }
                [Some(_), None] => Some(call(Call::Sin, a)),
                _ => Some(call(Call::Cos, a)),
            },
        };
        if let Some(value) = value {
            line((style.bind)(&name(place), &value, precision));
        }
        for &k in given.get(&(place as u32)).into_iter().flatten() {
            // A number alone needs no parentheses.
            let value = name(place);
            line(format!("{} = {};", outputs[k], value.trim_matches(['(', ')'])));
        }
    }
    text
}

/// A number that reads back to the same bits, in parentheses where it is negative.
pub(super) fn digits(x: f64, precision: Precision) -> String {
    let text = match precision {
        Precision::Double => format!("{x:?}"),
        Precision::Single => format!("{:?}", x as f32),
    };
    if text.starts_with('-') {
        format!("({text})")
    } else {
        text
    }
}
