//! How many roots a system has at most, and systems of the same structure whose roots are known.
//!
//! Each equation is taken for a product of linear forms in some of the variables, as general as its terms allow ([Verschelde 1993]).
//! One form in all variables for each degree is Bézout's count, forms in groups of variables are the multihomogeneous one ([Morgan
//! 1987]). A root of a product is a choice of one form from each equation, and a choice has a root where each form can be given a
//! variable of its own: the number of such choices bounds the number of isolated roots.

use crate::polynomial::{Monomial, Polynomial};
use crate::system::{Refusal, System};
use std::collections::HashMap;

/// A linear form in some variables of one group, with a constant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Factor {
    /// The group.
    pub group: usize,
    /// The variables, in order.
    pub variables: Vec<usize>,
}

/// Groups of variables, and the product that each equation is taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) factors: Vec<Vec<Factor>>,
}

/// Variables up to which every way to group them is tried.
const GROUPED: usize = 8;
/// Choices up to which roots are counted one by one.
const COUNTED: u64 = 2_000_000;

impl Structure {
    /// All variables in one group: the product of the degrees.
    pub fn total_degree(system: &System) -> Structure {
        Structure::grouped(system, vec![(0..system.len()).collect()])
    }

    /// Variables in groups: each equation has as many forms in a group as its degree in it. Every variable is to be in one group.
    pub fn grouped(system: &System, groups: Vec<Vec<usize>>) -> Structure {
        let of = |p: &Polynomial| {
            let each = groups.iter().enumerate();
            each.flat_map(|(group, variables)| {
                let factor = Factor { group, variables: variables.clone() };
                vec![factor; p.degree_in(variables) as usize]
            })
            .collect()
        };
        let factors = system.polynomials().iter().map(of).collect();
        Structure { groups, factors }
    }

    /// Products told one by one.
    ///
    /// # Errors
    /// Where an equation has a term that its product has not.
    pub fn product(system: &System, groups: Vec<Vec<usize>>, factors: Vec<Vec<Factor>>) -> Result<Structure, Refusal> {
        let made = Structure { groups, factors };
        match made.misfit(system) {
            Some(k) => Err(Refusal::Structure(k)),
            None => Ok(made),
        }
    }

    /// The grouping with the fewest roots: all of them are tried where variables are few.
    pub fn best(system: &System) -> Structure {
        let total = Structure::total_degree(system);
        let n = system.len();
        if n > GROUPED {
            return total;
        }
        let mut best = (total.count().unwrap_or(u64::MAX), total);
        // Every way to put variables into groups, as the group of each, none of which leaves out a number.
        let mut of = vec![0usize; n];
        loop {
            let count = of.iter().max().map_or(0, |m| m + 1);
            let groups = (0..count).map(|g| (0..n).filter(|v| of[*v] == g).collect()).collect();
            let tried = Structure::grouped(system, groups);
            if let Some(roots) = tried.count().filter(|roots| *roots < best.0) {
                best = (roots, tried);
            }
            let grows = |k: &usize| of[*k] <= of[..*k].iter().copied().max().unwrap_or(0);
            match (1..n).rev().find(grows) {
                Some(k) => {
                    of[k] += 1;
                    of[k + 1..].iter_mut().for_each(|g| *g = 0);
                }
                None => return best.1,
            }
        }
    }

    /// The first equation with a term that its product has not.
    pub(crate) fn misfit(&self, system: &System) -> Option<usize> {
        let mut seen = vec![0; system.len()];
        for v in self.groups.iter().flatten().filter(|v| **v < system.len()) {
            seen[*v] += 1;
        }
        let whole = seen.iter().all(|s| *s == 1) && self.factors.len() == system.len();
        let within = |f: &Factor| self.groups.get(f.group).is_some_and(|g| f.variables.iter().all(|v| g.contains(v)));
        if !whole || !self.factors.iter().flatten().all(within) {
            return Some(0);
        }
        let fits = |(p, factors): (&Polynomial, &Vec<Factor>)| p.terms().all(|(m, _)| covered(m, factors));
        system.polynomials().iter().zip(&self.factors).position(|pair| !fits(pair))
    }

    /// How many roots the product has, and so at most the system, each as often as it is multiple; `None` beyond what can be counted.
    pub fn count(&self) -> Option<u64> {
        match self.is_plain() {
            true => self.count_grouped(),
            false => self.choices(COUNTED).map(|list| list.len() as u64),
        }
    }

    /// What the count is, by the name it has in books.
    pub fn source(&self) -> &'static str {
        match (self.is_plain(), self.groups.len()) {
            (true, 1) => "Bézout number",
            (true, _) => "multihomogeneous Bézout number",
            _ => "linear product bound",
        }
    }

    /// True where every form holds all variables of its group.
    pub(crate) fn is_plain(&self) -> bool {
        self.factors.iter().flatten().all(|f| f.variables.len() == self.groups[f.group].len())
    }

    /// The coefficient in the product over equations of (Σ degree · group), by the groups' variables still to be given.
    fn count_grouped(&self) -> Option<u64> {
        let left: Vec<usize> = self.groups.iter().map(Vec::len).collect();
        let mut counts: HashMap<Vec<usize>, u64> = HashMap::from([(left, 1)]);
        for factors in &self.factors {
            let mut next = HashMap::new();
            for (left, count) in &counts {
                for g in 0..left.len() {
                    let degree = factors.iter().filter(|f| f.group == g).count() as u64;
                    if degree > 0 && left[g] > 0 {
                        let mut rest = left.clone();
                        rest[g] -= 1;
                        let sum: &mut u64 = next.entry(rest).or_insert(0);
                        *sum = sum.checked_add(count.checked_mul(degree)?)?;
                    }
                }
            }
            counts = next;
        }
        Some(counts.values().sum())
    }

    /// Every choice of one form from each equation that has a root; `None` beyond a number of them.
    pub(crate) fn choices(&self, most: u64) -> Option<Vec<Vec<u16>>> {
        let n = self.factors.len();
        let mut found = Vec::new();
        let mut choice: Vec<u16> = Vec::new();
        // Which equation has each variable, after each equation: what augmenting paths start from.
        let mut owners: Vec<Vec<Option<usize>>> = vec![vec![None; n]];
        let mut next = 0u16;
        let mut visits = 0u64;
        loop {
            let e = choice.len();
            if e == n || usize::from(next) >= self.factors[e].len() {
                if e == n {
                    found.push(choice.clone());
                    if found.len() as u64 > most {
                        return None;
                    }
                }
                owners.pop();
                match choice.pop() {
                    Some(last) => next = last + 1,
                    None => return Some(found),
                }
                continue;
            }
            visits += 1;
            if visits > 20 * COUNTED {
                return None;
            }
            let mut owner = owners[e].clone();
            let forms: Vec<&Factor> =
                choice.iter().chain([&next]).zip(&self.factors).map(|(c, factors)| &factors[usize::from(*c)]).collect();
            if matched(e, &forms, &mut owner, &mut vec![false; n]) {
                choice.push(next);
                owners.push(owner);
                next = 0;
            } else {
                next += 1;
            }
        }
    }
}

/// Gives form `e` a variable of its own, others moving aside; false where it cannot have one.
fn matched(e: usize, forms: &[&Factor], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for &v in &forms[e].variables {
        if std::mem::replace(&mut seen[v], true) {
            continue;
        }
        if owner[v].is_none_or(|other| matched(other, forms, owner, seen)) {
            owner[v] = Some(e);
            return true;
        }
    }
    false
}

/// Whether a monomial is among the terms of a product of forms: each power of a variable in a form of its own.
fn covered(monomial: &Monomial, factors: &[Factor]) -> bool {
    let powers: Vec<usize> = monomial.powers().flat_map(|(v, e)| vec![v; e as usize]).collect();
    // Which power has each factor.
    let mut owner: Vec<Option<usize>> = vec![None; factors.len()];
    fn give(k: usize, powers: &[usize], factors: &[Factor], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        (0..factors.len()).any(|f| {
            if seen[f] || !factors[f].variables.contains(&powers[k]) {
                return false;
            }
            seen[f] = true;
            let free = owner[f].is_none_or(|other| give(other, powers, factors, owner, seen));
            if free {
                owner[f] = Some(k);
            }
            free
        })
    }
    (0..powers.len()).all(|k| give(k, &powers, factors, &mut owner, &mut vec![false; factors.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(k: usize) -> Polynomial {
        Polynomial::variable(k)
    }

    #[test]
    fn bilinear_equations_have_binomially_many_roots() {
        // n + n variables in two groups, all equations bilinear: the central binomial coefficient.
        for (n, meant) in [(1, 2), (2, 6), (3, 20), (4, 70)] {
            let sum = |from: usize| (from..from + n).fold(Polynomial::constant(1.0), |s, k| s + variable(k));
            let system = System::new(vec![sum(0) * sum(n); 2 * n]).expect("square");
            let halves = vec![(0..n).collect(), (n..2 * n).collect()];
            assert_eq!(Structure::grouped(&system, halves).count(), Some(meant));
            assert_eq!(Structure::best(&system).count(), Some(meant));
            assert_eq!(Structure::total_degree(&system).count(), Some(1 << (2 * n)));
        }
    }

    #[test]
    fn choices_are_as_many_as_the_grouped_count() {
        // The same structure counted by its groups and one by one.
        let p = |k: usize| (variable(0) + variable(1)).square() * variable(2 + k) + variable(3);
        let system = System::new(vec![p(0), p(1), p(0), p(1)]).expect("square");
        let structure = Structure::grouped(&system, vec![vec![0, 1], vec![2, 3]]);
        // (2a + b)⁴ at a²b²: 6 · 4.
        assert_eq!(structure.count(), Some(24));
        assert_eq!(structure.choices(1000).map(|c| c.len()), Some(24));
        assert_eq!(structure.choices(23), None);
    }

    #[test]
    fn terms_outside_the_product_are_seen() {
        let system =
            System::new(vec![variable(0) * variable(0) + variable(1), variable(1) + variable(0)]).expect("square");
        let all = Factor { group: 0, variables: vec![0, 1] };
        let second = Factor { group: 0, variables: vec![1] };
        let groups = vec![vec![0, 1]];
        let told = |first: Vec<Factor>| Structure::product(&system, groups.clone(), vec![first, vec![all.clone()]]);
        assert!(told(vec![all.clone(), all.clone()]).is_ok());
        assert_eq!(told(vec![all.clone(), second]).unwrap_err(), Refusal::Structure(0));
    }
}
