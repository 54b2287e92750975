//! All roots of systems of polynomial equations, with certificates.
//!
//! ```
//! use biela_roots::{solve, Options, Polynomial, Structure, System};
//!
//! // Two circles: x² + y² = 4 and (x − 1)² + y² = 3.
//! let [x, y] = [Polynomial::variable(0), Polynomial::variable(1)];
//! let number = |c: f64| Polynomial::constant(c);
//! let first = x.square() + y.square() - number(4.0);
//! let second = (x - number(1.0)).square() + y.square() - number(3.0);
//! let system = System::new(vec![first, second])?;
//!
//! let found = solve(&system, &Structure::best(&system), &Options::default())?;
//! assert!(found.is_complete());
//! assert_eq!(found.real().count(), 2); // (1, ±√3), certified; the circles' other two common points lie at infinity
//! assert!(found.certificate.check(&system).is_ok());
//! # Ok::<(), biela_roots::Refusal>(())
//! ```
//!
//! Every isolated root of a system lies at the end of a path that begins at a root of a system with the same structure, whose
//! roots are known ([`Structure`]); paths are followed in complex homogeneous coordinates, so that none of them grows without bound and almost
//! none of them meet. Ends are regular roots, proved by arithmetic of intervals ([`certify`]), singular ones, or infinity; each path is
//! accounted for ([`Certificate`]). A [`Family`] of systems with parameters is solved once, for general ones; from there only as many paths
//! lead to any other as it has roots; those of common mechanisms are in [`families`].
//!
//! Results have the same bits on every machine and any number of threads. Sources: Sommese and Wampler, The numerical solution of systems
//! of polynomials (2005); Verschelde 1993 (linear products); Morgan 1987 and 1991 (groups, endgame); Telen, Van Barel and Verschelde 2020 and
//! Timme 2021 (steps); Griewank 2008 (derivatives of circuits); Krawczyk 1969, Moore 1977 (certificates); Duff and others 2019 (monodromy).

mod along;
mod ball;
mod certificate;
mod circuit;
mod complex;
mod dimension;
mod disc;
mod endgame;
pub mod families;
mod family;
mod homotopy;
mod interval;
mod lu;
mod member;
mod parallel;
mod polynomial;
mod row;
mod solve;
mod sparse;
mod start;
mod structure;
mod system;
mod tracker;

pub use certificate::{certify, Account, Certificate, Fault, Root};
pub use circuit::{Circuit, Node};
pub use complex::Complex;
pub use dimension::local_dimension;
pub use family::{Family, Found};
pub use member::Member;
pub use polynomial::{Monomial, Polynomial};
pub use solve::{solve, Options, Singular, Solutions};
pub use structure::{Factor, Structure};
pub use system::{Refusal, System};
