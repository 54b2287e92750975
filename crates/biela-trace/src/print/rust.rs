//! Rust without std and allocation: a package whose feature `std` takes functions from the standard library, and whose feature `libm` takes
//! them from the crate of that name.

use super::body::{body, digits, Call, Style};
use super::c::split;
use super::{File, Function, Module, Precision};
use crate::Argument;

const STYLE: Style = Style {
    indent: "    ",
    literal: |x, precision| digits(x, precision),
    entry: |name, k| format!("{name}[{k}]"),
    bind: |name, value, precision| format!("let {name}: {} = {value};", real(precision)),
    call: |what, a, _| match what {
        Call::Sqrt => format!("sqrt({a})"),
        Call::Sin => format!("sin_cos({a}).0"),
        Call::Cos => format!("sin_cos({a}).1"),
    },
    pair: |[sin, cos], a, _| format!("let ({sin}, {cos}) = sin_cos({a});"),
};

fn real(precision: Precision) -> &'static str {
    match precision {
        Precision::Double => "f64",
        Precision::Single => "f32",
    }
}

pub(super) fn print(module: &Module) -> Vec<File> {
    let file = |name: &str, text: String| File { name: name.into(), text };
    vec![
        file("Cargo.toml", manifest(module)),
        file("src/lib.rs", source(module)),
        file("tests/figures.rs", test(module)),
    ]
}

fn manifest(module: &Module) -> String {
    format!(
        "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[features]\ndefault = [\"std\"]\nstd = []\n\
         libm = [\"dep:libm\"]\n\n[dependencies]\nlibm = {{ version = \"0.2\", optional = true }}\n\n[workspace]\n",
        module.name
    )
}

fn source(module: &Module) -> String {
    let real = real(module.precision);
    let ending = if module.precision == Precision::Single { "f" } else { "" };
    let mut text = module.comment("//!");
    text += &format!(
        "#![no_std]\n#![allow(clippy::all, unused_variables, non_snake_case)]\n\n\
         #[cfg(feature = \"std\")]\nextern crate std;\n\n\
         #[cfg(feature = \"std\")]\n#[inline(always)]\nfn sin_cos(x: {real}) -> ({real}, {real}) {{\n    x.sin_cos()\n}}\n\n\
         #[cfg(not(feature = \"std\"))]\n#[inline(always)]\nfn sin_cos(x: {real}) -> ({real}, {real}) {{\n    libm::sincos{ending}(x)\n}}\n\n\
         #[cfg(feature = \"std\")]\n#[allow(dead_code)]\n#[inline(always)]\nfn sqrt(x: {real}) -> {real} {{\n    x.sqrt()\n}}\n\n\
         #[cfg(not(feature = \"std\"))]\n#[allow(dead_code)]\n#[inline(always)]\nfn sqrt(x: {real}) -> {real} {{\n    libm::sqrt{ending}(x)\n}}\n"
    );
    for function in &module.functions {
        let program = &function.program;
        let argument = |a: &Argument, way: &str| format!("{}: &{way}[{real}; {}]", a.name, a.size);
        let inputs = program.inputs.iter().map(|a| argument(a, ""));
        let outputs = program.outputs.iter().map(|a| argument(a, "mut "));
        let list: Vec<String> = inputs.chain(outputs).collect();
        text += &format!("\n/// {}.\n///\n", function.help);
        for a in program.inputs.iter().chain(&program.outputs) {
            text += &format!("/// - `{}`: {}\n", a.name, a.help);
        }
        text += &format!("pub fn {}({}) {{\n", function.name, list.join(", "));
        text += &body(program, &STYLE, module.precision);
        text += "}\n";
    }
    text
}

fn numbers(list: &[f64], precision: Precision) -> String {
    let lines = list.chunks(4).map(|line| {
        let numbers: Vec<String> = line.iter().map(|x| digits(*x, precision)).collect();
        format!("        {}", numbers.join(", "))
    });
    format!("[\n{}\n    ]", lines.collect::<Vec<_>>().join(",\n"))
}

/// Tests that try every function by figures of the general algorithms.
fn test(module: &Module) -> String {
    let (name, real) = (&module.name, real(module.precision));
    let mut text = format!(
        "//! Tries every function by figures of the general algorithms.\n#![allow(clippy::all, non_snake_case)]\n\n\
         fn off(found: &[{real}], wanted: &[{real}]) -> f64 {{\n    \
         let most = found.iter().zip(wanted).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs()).fold(0.0, f64::max);\n    \
         most / wanted.iter().map(|x| f64::from(*x).abs()).fold(1e-30, f64::max)\n}}\n"
    );
    for function in &module.functions {
        text += &tried(function, name, module.precision);
    }
    text
}

fn tried(function: &Function, name: &str, precision: Precision) -> String {
    let (program, real) = (&function.program, real(precision));
    let mut text = String::new();
    for (t, trial) in function.trials.iter().enumerate() {
        text += &format!("\n#[test]\nfn {}_{t}() {{\n", function.name);
        let mut arguments = Vec::new();
        for (a, given) in program.inputs.iter().zip(split(&program.inputs, &trial.inputs)) {
            let list = numbers(given, precision);
            text += &format!("    let {}: [{real}; {}] = {list};\n", a.name, a.size);
            arguments.push(format!("&{}", a.name));
        }
        let mut checks = String::new();
        for (a, wanted) in program.outputs.iter().zip(split(&program.outputs, &trial.outputs)) {
            let list = numbers(wanted, precision);
            text += &format!("    let mut {}_out: [{real}; {}] = [0.0; {}];\n", a.name, a.size, a.size);
            text += &format!("    let {}_wanted: [{real}; {}] = {list};\n", a.name, a.size);
            checks += &format!("    assert!(off(&{0}_out, &{0}_wanted) < {1:e});\n", a.name, precision.tolerance());
            arguments.push(format!("&mut {}_out", a.name));
        }
        text += &format!("    {name}::{}({});\n{checks}}}\n", function.name, arguments.join(", "));
    }
    text
}
