//! Rows that depend on t, as sums of monomials, and how far their series are taken.

use crate::complex::Complex;
use crate::polynomial::Monomial;

/// Terms of a row: monomials, each with a polynomial in t, lowest power first.
pub(crate) type Row = Vec<(Monomial, Vec<Complex>)>;

/// Order of the Taylor series by which paths are predicted.
pub(crate) const ORDER: usize = 5;
