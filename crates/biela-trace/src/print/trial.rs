//! A self-test in C or C++: arrays of figures, calls, and how far what they give is off.

use super::body::digits;
use super::c_words::{literal, real};
use super::Module;

/// A self-test in the making.
pub(super) struct SelfTest<'m> {
    module: &'m Module,
    arrays: String,
    calls: String,
}

impl<'m> SelfTest<'m> {
    pub fn new(module: &'m Module) -> SelfTest<'m> {
        SelfTest { module, arrays: String::new(), calls: String::new() }
    }

    /// An array of figures.
    pub fn given(&mut self, name: &str, numbers: &[f64]) {
        let lines = numbers.chunks(4).map(|line| {
            let numbers: Vec<String> = line.iter().map(|x| literal(*x, self.module.precision)).collect();
            format!("    {}", numbers.join(", "))
        });
        let lines: Vec<String> = lines.collect();
        self.arrays +=
            &format!("\nstatic const {} {name}[] = {{\n{}\n}};\n", real(self.module.precision), lines.join(",\n"));
    }

    /// An array for results.
    pub fn room(&mut self, name: &str, size: usize) {
        self.arrays += &format!("\nstatic {} {name}[{size}];\n", real(self.module.precision));
    }

    /// Calls a function.
    pub fn call(&mut self, function: &str, arguments: &[String]) {
        self.calls += &format!("    {}_{function}({});\n", self.module.name, arguments.join(", "));
    }

    /// Holds what was found to what is wanted.
    pub fn hold(&mut self, label: &str, [found, wanted]: [&str; 2], size: usize) {
        let tolerance = digits(self.module.precision.tolerance(), super::Precision::Double);
        self.calls += &format!(
            "    d = off({found}, {wanted}, {size});\n    printf(\"{label}: %.1e\\n\", d);\n    \
             if (d < {tolerance}) passed++; else failed++;\n"
        );
    }

    /// The whole text; `header` is what it includes.
    pub fn finish(self, header: &str) -> String {
        let real = real(self.module.precision);
        format!(
            "/* Tries every function by figures of the general algorithms. Ends with status 1 where one is off. */\n\
             #include \"{header}\"\n#include <math.h>\n#include <stdio.h>\n\n\
             /* The largest difference, as a part of the largest figure. */\n\
             static double off(const {real} *found, const {real} *wanted, int n)\n{{\n    \
             double most = 0, size = 1e-30;\n    int k;\n    for (k = 0; k < n; k++) {{\n        \
             const double d = fabs((double)found[k] - (double)wanted[k]), s = fabs((double)wanted[k]);\n        \
             if (!(d <= most)) most = d;\n        if (s > size) size = s;\n    }}\n    return most / size;\n}}\n\
             {}\nint main(void)\n{{\n    int passed = 0, failed = 0;\n    double d;\n{}    \
             printf(\"%d passed, %d failed\\n\", passed, failed);\n    return failed != 0;\n}}\n",
            self.arrays, self.calls
        )
    }
}
