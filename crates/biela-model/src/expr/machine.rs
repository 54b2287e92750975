//! The stack machine that evaluates compiled expressions, for plain numbers and for jets alike.

use super::functions::Code;
use super::lexer::Comparison;
use crate::math::{elementary, Elementary, Jet, Slope};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Largest stack a program may need.
pub(super) const DEEPEST_STACK: usize = 64;
/// Most programs fit here, and a small array is quicker to clear.
const SHALLOW_STACK: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Op {
    Constant(f64),
    Variable(usize),
    /// A parameter by its place, in programs that are yet to be bound to values.
    Parameter(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Compare(Comparison),
    Call(Code),
}

impl Op {
    /// Number of values it takes from the stack; it always leaves one.
    pub fn takes(self) -> usize {
        match self {
            Op::Constant(_) | Op::Variable(_) | Op::Parameter(_) => 0,
            Op::Negate => 1,
            Op::Call(Code::If | Code::Smoothstep) => 3,
            Op::Call(Code::Atan2 | Code::Min | Code::Max | Code::Mod | Code::Hypot) => 2,
            Op::Call(_) => 1,
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power | Op::Compare(_) => 2,
        }
    }
}

/// Stack slots that a well-formed program needs.
pub(super) fn stack_needed(program: &[Op]) -> usize {
    let (mut held, mut most) = (0usize, 0);
    for op in program {
        held = held.saturating_sub(op.takes()) + 1;
        most = most.max(held);
    }
    most
}

/// Appends an operator; where all it takes are constants, their value comes in their place.
pub(super) fn push_folded(program: &mut Vec<Op>, op: Op) {
    let takes = op.takes();
    let from = program.len() - takes.min(program.len());
    if takes == 0 || !program[from..].iter().all(|o| matches!(o, Op::Constant(_))) {
        program.push(op);
        return;
    }
    program.push(op);
    let value = run::<f64>(&program[from..], takes, &[]);
    program.truncate(from);
    program.push(Op::Constant(value));
}

/// Value of a well-formed program that needs `depth` ≤ [`DEEPEST_STACK`] slots.
pub(super) fn run<N: Number>(program: &[Op], depth: usize, env: &[N]) -> N {
    match program {
        [Op::Constant(value)] => N::constant(*value),
        _ if depth <= SHALLOW_STACK => run_on(&mut [N::constant(0.0); SHALLOW_STACK], program, env),
        _ => run_on(&mut [N::constant(0.0); DEEPEST_STACK], program, env),
    }
}

fn run_on<N: Number>(stack: &mut [N], program: &[Op], env: &[N]) -> N {
    let mut top = 0;
    for op in program {
        // The parser leaves every operator its operands, so `top` never falls short.
        top -= op.takes();
        let (a, b) = (top, top + 1);
        stack[a] = match *op {
            Op::Constant(value) => N::constant(value),
            Op::Variable(slot) => env.get(slot).copied().unwrap_or(N::constant(f64::NAN)),
            // Bound before it is run.
            Op::Parameter(_) => N::constant(f64::NAN),
            Op::Negate => -stack[a],
            Op::Add => stack[a] + stack[b],
            Op::Subtract => stack[a] - stack[b],
            Op::Multiply => stack[a] * stack[b],
            Op::Divide => stack[a] / stack[b],
            Op::Power => stack[a].pow(stack[b]),
            Op::Compare(c) => stack[a].compare(c, stack[b]),
            Op::Call(code) => match op.takes() {
                1 => unary(code, stack[a]),
                2 => binary(code, stack[a], stack[b]),
                _ => ternary(code, stack[a], stack[b], stack[b + 1]),
            },
        };
        top += 1;
    }
    stack[0]
}

/// Whether a comparison holds.
pub(super) fn compare(c: Comparison, a: f64, b: f64) -> bool {
    match c {
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
    }
}

fn unary<N: Number>(code: Code, x: N) -> N {
    match code {
        Code::Sin => x.sin(),
        Code::Cos => x.cos(),
        Code::Tan => x.tan(),
        Code::Asin => x.asin(),
        Code::Acos => x.acos(),
        Code::Atan => x.atan(),
        Code::Sinh => x.sinh(),
        Code::Cosh => x.cosh(),
        Code::Tanh => x.tanh(),
        Code::Exp => x.exp(),
        Code::Log => x.ln(),
        Code::Log10 => x.log10(),
        Code::Sqrt => x.sqrt(),
        Code::Abs => x.abs(),
        Code::Floor => x.flat(f64::floor),
        Code::Ceil => x.flat(f64::ceil),
        Code::Sign => x.flat(|x| if x == 0.0 { 0.0 } else { x.signum() }),
        Code::Step => x.flat(|x| if x.is_nan() { x } else { f64::from(x >= 0.0) }),
        Code::Atan2 | Code::Min | Code::Max | Code::Mod | Code::Hypot | Code::If | Code::Smoothstep => x,
    }
}

fn binary<N: Number>(code: Code, x: N, y: N) -> N {
    match code {
        Code::Atan2 => x.atan2(y),
        Code::Min => x.min(y),
        Code::Max => x.max(y),
        Code::Mod => x.modulo(y),
        _ => x.hypot(y),
    }
}

fn ternary<N: Number>(code: Code, x: N, y: N, z: N) -> N {
    match code {
        Code::If => x.choose(y, z),
        _ => x.smoothstep(y, z),
    }
}

/// What the machine asks of its numbers.
pub(super) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    fn constant(value: f64) -> Self;
    fn value(self) -> f64;
    /// 1 where the comparison holds, else 0.
    fn compare(self, c: Comparison, o: Self) -> Self {
        Self::constant(f64::from(compare(c, self.value(), o.value())))
    }
    /// A function with flat pieces, which rises from one to the next: its derivatives vanish wherever they exist.
    fn flat(self, f: fn(f64) -> f64) -> Self {
        Self::constant(f(self.value()))
    }
    /// `a` where this is not 0, else `b`.
    fn choose(self, a: Self, b: Self) -> Self {
        if self.value() != 0.0 {
            a
        } else {
            b
        }
    }
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn log10(self) -> Self;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn atan2(self, x: Self) -> Self;
    fn min(self, o: Self) -> Self;
    fn max(self, o: Self) -> Self;
    fn hypot(self, o: Self) -> Self;
    fn modulo(self, m: Self) -> Self;
    fn pow(self, exponent: Self) -> Self;
    fn smoothstep(self, a: Self, b: Self) -> Self;
}

/// Functions that the type has under the same name, or another.
macro_rules! own {
    ($($type:ident :: $theirs:ident as $name:ident $(($o:ident))?),*) => {
        $(fn $name(self $(, $o: Self)?) -> Self { $type::$theirs(self $(, $o)?) })*
    };
    ($($type:ident :: $name:ident $(($o:ident))?),*) => {
        $(fn $name(self $(, $o: Self)?) -> Self { $type::$name(self $(, $o)?) })*
    };
}

impl Number for f64 {
    fn constant(value: f64) -> f64 {
        value
    }
    fn value(self) -> f64 {
        self
    }
    own!(f64::sine as sin, f64::cosine as cos, f64::tangent as tan, f64::arcsine as asin, f64::arccosine as acos);
    own!(f64::arctangent as atan, f64::arctangent2 as atan2(x), f64::hypotenuse as hypot(o));
    own!(f64::hyperbolic_sine as sinh, f64::hyperbolic_cosine as cosh, f64::hyperbolic_tangent as tanh);
    own!(f64::exponential as exp, f64::logarithm as ln, f64::logarithm10 as log10, f64::sqrt as sqrt, f64::abs as abs);
    // The standard minimum and maximum drop a NaN; here it must stay seen.
    fn min(self, o: f64) -> f64 {
        if o < self || o.is_nan() {
            o
        } else {
            self
        }
    }
    fn max(self, o: f64) -> f64 {
        if o > self || o.is_nan() {
            o
        } else {
            self
        }
    }
    fn modulo(self, m: f64) -> f64 {
        elementary::modulo(self, m)
    }
    fn pow(self, exponent: f64) -> f64 {
        self.power(exponent)
    }
    fn smoothstep(self, a: f64, b: f64) -> f64 {
        Jet::constant(self).smoothstep(Jet::constant(a), Jet::constant(b)).v
    }
}

impl Number for Jet {
    fn constant(value: f64) -> Jet {
        Jet::constant(value)
    }
    fn value(self) -> f64 {
        self.v
    }
    own!(Jet::sin, Jet::cos, Jet::tan, Jet::asin, Jet::acos, Jet::atan, Jet::sinh, Jet::cosh, Jet::tanh);
    own!(Jet::exp, Jet::ln, Jet::log10, Jet::sqrt, Jet::abs, Jet::atan2(x), Jet::hypot(o));
    own!(Jet::min(o), Jet::max(o), Jet::modulo(m), Jet::pow(exponent));
    fn smoothstep(self, a: Jet, b: Jet) -> Jet {
        Jet::smoothstep(self, a, b)
    }
}

impl Number for Slope {
    fn constant(value: f64) -> Slope {
        Slope::constant(value)
    }
    fn value(self) -> f64 {
        self.x.v
    }
    own!(
        Slope::sin,
        Slope::cos,
        Slope::tan,
        Slope::asin,
        Slope::acos,
        Slope::atan,
        Slope::sinh,
        Slope::cosh,
        Slope::tanh
    );
    own!(Slope::exp, Slope::ln, Slope::log10, Slope::sqrt, Slope::abs, Slope::atan2(x), Slope::hypot(o));
    own!(Slope::min(o), Slope::max(o), Slope::modulo(m), Slope::pow(exponent));
    fn smoothstep(self, a: Slope, b: Slope) -> Slope {
        Slope::smoothstep(self, a, b)
    }
}
