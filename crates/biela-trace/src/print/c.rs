//! C99: no allocation, no library but `math.h`.

use super::body::{body, Call, Style};
use super::c_words::{call, literal, real};
use super::trial::SelfTest;
use super::{File, Function, Module, Precision};
use crate::Argument;
use biela_tree::scalar::{COSINE, SINE};

/// How statements are written.
pub(super) const STYLE: Style = Style {
    indent: "    ",
    literal,
    entry: |name, k| format!("{name}[{k}]"),
    bind: |name, value, precision| format!("const {} {name} = {value};", real(precision)),
    call,
    pair: |[sin, cos], a, precision| match precision {
        Precision::Double => format!("double {sin}, {cos}; sin_cos({a}, &{sin}, &{cos});"),
        Precision::Single => {
            let (s, c) = (call(Call::Sin, a, precision), call(Call::Cos, a, precision));
            format!("const float {sin} = {s}, {cos} = {c};")
        }
    },
};

pub(super) fn print(module: &Module) -> Vec<File> {
    let name = &module.name;
    let file = |ending: &str, text: String| File { name: format!("{name}{ending}"), text };
    vec![file(".h", header(module)), file(".c", source(module)), file("_test.c", test(module))]
}

fn header(module: &Module) -> String {
    let guard = module.name.to_uppercase();
    let mut text = module.comment("//").replace("//", " *");
    text = format!(
        "/*\n{text} */\n#ifndef {guard}_H\n#define {guard}_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
    );
    for function in &module.functions {
        text += &format!("{}{};\n\n", described(function), signature(module, function, ""));
    }
    text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

/// What a function computes, takes and gives.
pub(super) fn described(function: &Function) -> String {
    let lines = |list: &[Argument], what: &str| -> String {
        list.iter().map(|a| format!(" *   {} {}[{}]: {}\n", what, a.name, a.size, a.help)).collect()
    };
    let program = &function.program;
    format!("/* {}\n{}{} */\n", function.help, lines(&program.inputs, "in "), lines(&program.outputs, "out"))
}

fn signature(module: &Module, function: &Function, restrict: &str) -> String {
    let real = real(module.precision);
    let argument = |a: &Argument, constant: &str| format!("{constant}{real} *{restrict}{}", a.name);
    let program = &function.program;
    let inputs = program.inputs.iter().map(|a| argument(a, "const "));
    let outputs = program.outputs.iter().map(|a| argument(a, ""));
    let list: Vec<String> = inputs.chain(outputs).collect();
    format!("void {}_{}({})", module.name, function.name, list.join(", "))
}

/// Sine and cosine together, by the polynomials that the library takes: calls of `sin` and `cos` are half the time of an arm's dynamics. The angle less
/// its quarter turns is exact to 2⁻⁸⁵ of them (Cody, Waite 1980), as far as their number times 33 bits is a number of 53.
fn sine_and_cosine() -> String {
    let horner = |c: &[f64]| c[1..].iter().fold(format!("{:?}", c[0]), |sum, c| format!("({sum}) * z + ({c:?})"));
    format!(
        "\n/* Sine and cosine of an angle. */\nstatic void sin_cos(double x, double *s, double *c)\n{{\n    \
         const double k = x * 0.63661977236758134;\n    double r, z, p, q;\n    long n;\n    \
         if (!(fabs(x) < 1e5)) {{\n        *s = sin(x);\n        *c = cos(x);\n        return;\n    }}\n    \
         n = (long)(k < 0 ? k - 0.5 : k + 0.5);\n    \
         r = (x - (double)n * 1.57079632673412561417) - (double)n * 6.07710050650619224932e-11;\n    z = r * r;\n    \
         p = ({}) * z * r + r;\n    q = ({}) * (z * z) + (1.0 - 0.5 * z);\n    \
         *s = n & 1 ? q : p;\n    *c = n & 1 ? p : q;\n    \
         if (n & 2) *s = -*s;\n    if ((n + 1) & 2) *c = -*c;\n}}\n",
        horner(&SINE),
        horner(&COSINE)
    )
}

fn source(module: &Module) -> String {
    let mut text = format!("#include \"{}.h\"\n#include <math.h>\n", module.name);
    let bodies: Vec<String> = module.functions.iter().map(|f| body(&f.program, &STYLE, module.precision)).collect();
    if bodies.iter().any(|body| body.contains("sin_cos(")) {
        text += &sine_and_cosine();
    }
    for (function, statements) in module.functions.iter().zip(&bodies) {
        text += &format!("\n{}\n{{\n", signature(module, function, "restrict "));
        for a in &function.program.inputs {
            // An input that a function does not depend on is no mistake.
            if !statements.contains(&format!(" = {}[", a.name)) {
                text += &format!("    (void){};\n", a.name);
            }
        }
        text += statements;
        text += "}\n";
    }
    text
}

/// A program that tries every function by figures of the general algorithms.
fn test(module: &Module) -> String {
    let mut test = SelfTest::new(module);
    for function in &module.functions {
        for (t, trial) in function.trials.iter().enumerate() {
            let of = |what: &str| format!("{}_{t}_{what}", function.name);
            let (mut arguments, mut holds) = (Vec::new(), Vec::new());
            for (a, numbers) in function.program.inputs.iter().zip(split(&function.program.inputs, &trial.inputs)) {
                test.given(&of(&a.name), numbers);
                arguments.push(of(&a.name));
            }
            for (a, numbers) in function.program.outputs.iter().zip(split(&function.program.outputs, &trial.outputs)) {
                let (found, wanted) = (of(&format!("{}_found", a.name)), of(&format!("{}_wanted", a.name)));
                test.room(&found, a.size);
                test.given(&wanted, numbers);
                arguments.push(found.clone());
                holds.push((format!("{} {}", function.name, a.name), found, wanted, a.size));
            }
            test.call(&function.name, &arguments);
            holds.iter().for_each(|(label, found, wanted, size)| test.hold(label, [found, wanted], *size));
        }
    }
    test.finish(&(module.name.clone() + ".h"))
}

/// Numbers of all arguments as those of each.
pub(super) fn split<'n>(arguments: &[Argument], mut numbers: &'n [f64]) -> Vec<&'n [f64]> {
    let mut list = Vec::new();
    for a in arguments {
        let (own, rest) = numbers.split_at(a.size);
        list.push(own);
        numbers = rest;
    }
    list
}
