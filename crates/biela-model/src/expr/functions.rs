//! The functions of expressions: one table for the parser, the messages and the manual.

/// A function as expressions know it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Function {
    /// As it is written.
    pub name: &'static str,
    /// Names of its arguments; a last one of `…` means that more may follow.
    pub arguments: &'static [&'static str],
    /// One line for the manual.
    pub help: &'static str,
    pub(super) code: Code,
    pub(super) rule: Rule,
}

impl Function {
    /// `atan2(y, x)`.
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.arguments.join(", "))
    }

    /// Number of arguments it must have.
    pub fn least_arguments(&self) -> usize {
        self.arguments.len() - usize::from(self.takes_more())
    }

    /// Whether further arguments may follow.
    pub fn takes_more(&self) -> bool {
        self.arguments.last() == Some(&"…")
    }
}

/// The function of this name.
pub(super) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Code {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Sqrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Step,
    Min,
    Max,
    Mod,
    Hypot,
    If,
    Smoothstep,
}

/// Which dimensions a function takes, and which it gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// An angle or number; gives a number.
    OfAngle,
    /// A number; gives a number.
    OfNumber,
    /// A number; gives an angle, which fits anywhere.
    ToAngle,
    /// Arguments of one dimension; gives an angle, which fits anywhere.
    RatioToAngle,
    /// Square root of the argument's dimension.
    Root,
    /// A number; keeps what is known of it.
    Whole,
    /// Arguments of one dimension, which it gives too.
    Same,
    /// Arguments of one dimension; gives a number.
    ToNumber,
    /// The first argument is a condition, the others have one dimension, which it gives too.
    Choice,
}

const fn entry(
    name: &'static str,
    arguments: &'static [&'static str],
    code: Code,
    rule: Rule,
    help: &'static str,
) -> Function {
    Function { name, arguments, help, code, rule }
}

/// The function that takes vectors.
pub(super) const NORM_NAME: &str = "norm";

/// Every function of expressions.
pub const FUNCTIONS: &[Function] = &[
    entry("sin", &["x"], Code::Sin, Rule::OfAngle, "sine; x in radians or with an angle unit"),
    entry("cos", &["x"], Code::Cos, Rule::OfAngle, "cosine; x in radians or with an angle unit"),
    entry("tan", &["x"], Code::Tan, Rule::OfAngle, "tangent; x in radians or with an angle unit"),
    entry("asin", &["x"], Code::Asin, Rule::ToAngle, "angle in [-pi/2, pi/2] whose sine is x"),
    entry("acos", &["x"], Code::Acos, Rule::ToAngle, "angle in [0, pi] whose cosine is x"),
    entry("atan", &["x"], Code::Atan, Rule::ToAngle, "angle in (-pi/2, pi/2) whose tangent is x"),
    entry("atan2", &["y", "x"], Code::Atan2, Rule::RatioToAngle, "angle in (-pi, pi] of the direction (x, y)"),
    entry("sinh", &["x"], Code::Sinh, Rule::OfNumber, "hyperbolic sine"),
    entry("cosh", &["x"], Code::Cosh, Rule::OfNumber, "hyperbolic cosine"),
    entry("tanh", &["x"], Code::Tanh, Rule::OfNumber, "hyperbolic tangent"),
    entry("exp", &["x"], Code::Exp, Rule::OfNumber, "exponential function"),
    entry("log", &["x"], Code::Log, Rule::OfNumber, "natural logarithm"),
    entry("log10", &["x"], Code::Log10, Rule::OfNumber, "logarithm to base ten"),
    entry("sqrt", &["x"], Code::Sqrt, Rule::Root, "square root"),
    entry("abs", &["x"], Code::Abs, Rule::Same, "magnitude"),
    entry("sign", &["x"], Code::Sign, Rule::ToNumber, "-1, 0 or 1"),
    entry("min", &["a", "b", "…"], Code::Min, Rule::Same, "smallest argument"),
    entry("max", &["a", "b", "…"], Code::Max, Rule::Same, "largest argument"),
    entry("floor", &["x"], Code::Floor, Rule::Whole, "largest whole number not above x"),
    entry("ceil", &["x"], Code::Ceil, Rule::Whole, "smallest whole number not below x"),
    entry("mod", &["x", "m"], Code::Mod, Rule::Same, "x - m*floor(x/m); in [0, m) for positive m"),
    entry("hypot", &["x", "y"], Code::Hypot, Rule::Same, "sqrt(x^2 + y^2)"),
    entry(
        NORM_NAME,
        &["x", "y", "…"],
        Code::Hypot,
        Rule::Same,
        "length of a vector, by its components or, where signals are at hand, by its name: norm(coupler.T.v)",
    ),
    entry("if", &["condition", "a", "b"], Code::If, Rule::Choice, "a where the condition is not 0, else b"),
    entry("step", &["x"], Code::Step, Rule::ToNumber, "0 for x < 0, else 1"),
    entry(
        "smoothstep",
        &["x", "a", "b"],
        Code::Smoothstep,
        Rule::ToNumber,
        "0 up to a, 1 from b on, 6s^5 - 15s^4 + 10s^3 between, s = (x - a)/(b - a)",
    ),
];

#[cfg(test)]
mod tests {
    use super::super::{Expression, Name, Scope};

    /// A point with two components of velocity and none of position.
    struct Flat;

    impl Scope for Flat {
        fn lookup(&self, name: &str) -> Option<Name> {
            ["left-1.vx", "left-1.vy", "x"].iter().position(|n| *n == name).map(Name::Variable)
        }
        fn names(&self) -> Vec<String> {
            Vec::new()
        }
        fn components(&self, vector: &str) -> Vec<String> {
            let of =
                |name: &str| if vector == name { vec![format!("{name}x"), format!("{name}y")] } else { Vec::new() };
            of("left-1.v")
        }
    }

    #[test]
    fn a_norm_takes_vectors_and_components() {
        let of = |text: &str| Expression::parse(text, &Flat).map(|e| e.eval(&[3.0, 4.0, 12.0]));
        assert_eq!(of("norm(left-1.v)"), Ok(5.0));
        assert_eq!(of("norm(left-1.v, x)"), Ok(13.0));
        assert_eq!(of("2*norm(left-1.vx, left-1.vy) + 1"), Ok(11.0));
        assert!(of("norm(x)").unwrap_err().message.contains("norm is given 1 argument"));
        let error = of("left-1.v + 1").unwrap_err();
        assert!(error.notes.iter().any(|note| note.contains("norm(left-1.v)")), "{error:?}");
        assert!(of("norm(2*left-1.v)").is_err() && of("norm(left-2.v)").is_err());
    }
}
