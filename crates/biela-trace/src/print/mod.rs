//! Programs as text of a language: the registry [`LANGUAGES`], one file each.

mod body;
mod c;
mod c_words;
mod cuda;
mod rust;
mod trial;

use super::Program;

/// A language.
#[derive(Debug)]
pub struct Language {
    /// The word that names it.
    pub keyword: &'static str,
    /// One sentence for help.
    pub help: &'static str,
    /// The files of a module.
    pub print: fn(&Module) -> Vec<File>,
}

/// Every language.
pub static LANGUAGES: &[Language] = &[
    Language { keyword: "c", help: "C99 with math.h alone: a header, the functions, a self-test", print: c::print },
    Language { keyword: "rust", help: "Rust without std and allocation: a package with a test", print: rust::print },
    Language {
        keyword: "cuda",
        help: "CUDA C, one state a thread, which compiles as C++ for the processor too",
        print: cuda::print,
    },
];

/// A text and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, with `/` between folders.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// How numbers are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// 53 bits.
    #[default]
    Double,
    /// 24 bits.
    Single,
}

impl Precision {
    /// Every precision with the word that names it.
    pub const ALL: &[(&str, Precision)] = &[("double", Precision::Double), ("single", Precision::Single)];

    /// How far figures of a test may be off, as a part of the largest of its results: numbers of one recursion are sums of hundreds of products.
    fn tolerance(self) -> f64 {
        match self {
            Precision::Double => 1e-12,
            Precision::Single => 2e-4,
        }
    }
}

/// A function of a module.
#[derive(Debug)]
pub struct Function {
    /// Its name, an identifier.
    pub name: String,
    /// What it computes, in one sentence.
    pub help: String,
    /// How.
    pub program: Program,
    /// Figures to try it by.
    pub trials: Vec<Trial>,
}

/// Inputs and what comes of them, from another way of computing it.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Numbers of all inputs in their order.
    pub inputs: Vec<f64>,
    /// Numbers of all outputs in their order.
    pub outputs: Vec<f64>,
}

/// Functions that belong together.
#[derive(Debug)]
pub struct Module {
    /// An identifier that stands before all names.
    pub name: String,
    /// What it is, a line each.
    pub about: Vec<String>,
    /// How numbers are held.
    pub precision: Precision,
    /// Its functions.
    pub functions: Vec<Function>,
}

impl Module {
    /// What it is and what its functions take, as lines after a mark of comments.
    fn comment(&self, mark: &str) -> String {
        self.about.iter().map(|line| format!("{mark} {line}").trim_end().to_string() + "\n").collect()
    }
}
