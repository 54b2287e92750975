//! CUDA C, one state a thread: entry k of state i stands at `k * n + i`, so that neighbours read neighbouring numbers.
//!
//! Without a CUDA compiler the same text is C++: functions of the same names go through all states one after the other.

use super::body::{body, Style};
use super::c::described;
use super::c_words::{call, literal, real};
use super::trial::SelfTest;
use super::{File, Function, Module, Precision, Trial};
use crate::Argument;

const STYLE: Style = Style {
    indent: "    ",
    literal,
    entry: |name, k| format!("{name}[{k} * n + i]"),
    bind: |name, value, precision| format!("const {} {name} = {value};", real(precision)),
    call,
    pair: |[sin, cos], a, precision| {
        let ending = if precision == Precision::Single { "F" } else { "" };
        format!("{} {sin}, {cos}; BIELA_SINCOS{ending}({a}, {sin}, {cos});", real(precision))
    },
};

/// What the two compilers need said.
const PRELUDE: &str = "#if defined(__CUDACC__)\n\
    typedef unsigned long long biela_count;\n\
    #define BIELA_INLINE static __device__ __forceinline__\n\
    #define BIELA_SINCOS(a, s, c) sincos(a, &s, &c)\n\
    #define BIELA_SINCOSF(a, s, c) sincosf(a, &s, &c)\n\
    #else\n\
    #include <math.h>\n\
    typedef unsigned long long biela_count;\n\
    #define BIELA_INLINE static inline\n\
    #define BIELA_SINCOS(a, s, c) s = sin(a), c = cos(a)\n\
    #define BIELA_SINCOSF(a, s, c) s = sinf(a), c = cosf(a)\n\
    #endif\n";

pub(super) fn print(module: &Module) -> Vec<File> {
    let file = |ending: &str, text: String| File { name: format!("{}{ending}", module.name), text };
    vec![file(".cu", source(module)), file("_test.cpp", test(module))]
}

/// Parameters of a function: the number of states, then the arguments.
fn parameters(module: &Module, function: &Function) -> String {
    let real = real(module.precision);
    let argument = |a: &Argument, constant: &str| format!("{constant}{real} *__restrict__ {}", a.name);
    let program = &function.program;
    let inputs = program.inputs.iter().map(|a| argument(a, "const "));
    let outputs = program.outputs.iter().map(|a| argument(a, ""));
    std::iter::once("biela_count n".to_string()).chain(inputs).chain(outputs).collect::<Vec<_>>().join(", ")
}

fn names(function: &Function) -> String {
    let program = &function.program;
    program.inputs.iter().chain(&program.outputs).map(|a| a.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn source(module: &Module) -> String {
    let mut text = module.comment("//");
    text += "// Number k of state i of n stands at k * n + i in all arrays.\n";
    text += PRELUDE;
    for function in &module.functions {
        let (name, parameters, names) =
            (format!("{}_{}", module.name, function.name), parameters(module, function), names(function));
        text += &format!("\nBIELA_INLINE void {name}_of(biela_count i, {parameters})\n{{\n");
        let statements = body(&function.program, &STYLE, module.precision);
        for a in &function.program.inputs {
            if !statements.contains(&format!(" = {}[", a.name)) {
                text += &format!("    (void){};\n", a.name);
            }
        }
        text += &statements;
        text += &format!(
            "}}\n\n{}#if defined(__CUDACC__)\n\
             extern \"C\" __global__ void {name}({parameters})\n{{\n    \
             const biela_count i = blockIdx.x * (biela_count)blockDim.x + threadIdx.x;\n    \
             if (i < n) {name}_of(i, n, {names});\n}}\n#else\n\
             extern \"C\" void {name}({parameters})\n{{\n    \
             for (biela_count i = 0; i < n; i++) {name}_of(i, n, {names});\n}}\n#endif\n",
            described(function)
        );
    }
    text
}

/// A program for the processor that tries every function by figures of the general algorithms, all states at once.
fn test(module: &Module) -> String {
    let mut test = SelfTest::new(module);
    for function in &module.functions {
        let (program, trials) = (&function.program, &function.trials);
        let of = |what: &str| format!("{}_{what}", function.name);
        let (mut arguments, mut holds) = (vec![trials.len().to_string()], Vec::new());
        let mut at = 0;
        for a in &program.inputs {
            test.given(&of(&a.name), &side_by_side(trials, at..at + a.size, |t| &t.inputs));
            arguments.push(of(&a.name));
            at += a.size;
        }
        let mut at = 0;
        for a in &program.outputs {
            let side = side_by_side(trials, at..at + a.size, |t| &t.outputs);
            let (found, wanted) = (of(&format!("{}_found", a.name)), of(&format!("{}_wanted", a.name)));
            test.room(&found, side.len());
            test.given(&wanted, &side);
            arguments.push(found.clone());
            holds.push((format!("{} {}", function.name, a.name), found, wanted, side.len()));
            at += a.size;
        }
        test.call(&function.name, &arguments);
        holds.iter().for_each(|(label, found, wanted, size)| test.hold(label, [found, wanted], *size));
    }
    test.finish(&(module.name.clone() + ".cu"))
}

/// Numbers of one argument of all trials: number k of state i of n at k n + i.
fn side_by_side(trials: &[Trial], numbers: std::ops::Range<usize>, of: impl Fn(&Trial) -> &Vec<f64>) -> Vec<f64> {
    numbers.flat_map(|k| trials.iter().map(move |t| (k, t))).map(|(k, t)| of(t)[k]).collect()
}
