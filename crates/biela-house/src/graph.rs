//! Names with arrows between them.

use std::collections::{BTreeMap, BTreeSet};

/// Names, how many lines each has, and which others each uses.
#[derive(Debug, Default, Clone)]
pub struct Graph {
    nodes: BTreeMap<String, usize>,
    arrows: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Adds lines to a name.
    pub fn add(&mut self, name: &str, lines: usize) {
        *self.nodes.entry(name.to_string()).or_default() += lines;
    }

    /// One name uses another.
    pub fn link(&mut self, from: &str, to: &str) {
        self.arrows.entry(from.to_string()).or_default().insert(to.to_string());
    }

    /// Names and their lines.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, usize)> {
        self.nodes.iter().map(|(name, lines)| (name.as_str(), *lines))
    }

    /// Lines of a name.
    pub fn lines(&self, name: &str) -> usize {
        self.nodes.get(name).copied().unwrap_or(0)
    }

    /// What a name uses.
    pub fn uses(&self, name: &str) -> impl Iterator<Item = &str> {
        self.arrows.get(name).into_iter().flatten().map(String::as_str)
    }

    /// Names that use each other in a circle, each group sorted; nothing where arrows run one way.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let reach: BTreeMap<&str, BTreeSet<&str>> = self.nodes.keys().map(|n| (n.as_str(), self.reach(n))).collect();
        let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
        for (name, there) in &reach {
            if there.contains(name) {
                let both = there.iter().filter(|other| reach.get(*other).is_some_and(|back| back.contains(name)));
                found.insert(both.map(|n| n.to_string()).collect());
            }
        }
        found.into_iter().collect()
    }

    /// Names from the ground up: each after those it uses, as far as there are no circles.
    pub fn order(&self) -> Vec<&str> {
        let mut left: Vec<&str> = self.nodes.keys().map(String::as_str).collect();
        left.sort_by_key(|name| self.reach(name).len());
        left
    }

    /// Everything that can be come to along arrows.
    fn reach(&self, from: &str) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut ahead: Vec<&str> = self.uses(from).collect();
        while let Some(name) = ahead.pop() {
            if seen.insert(name) {
                ahead.extend(self.uses(name));
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_order_is_from_the_ground_up() {
        let mut graph = Graph::default();
        for (name, lines) in [("roof", 1), ("wall", 2), ("floor", 3), ("door", 4)] {
            graph.add(name, lines);
        }
        graph.link("roof", "wall");
        graph.link("wall", "floor");
        assert!(graph.circles().is_empty());
        assert_eq!(graph.order(), ["door", "floor", "wall", "roof"]);
        graph.link("floor", "roof");
        assert_eq!(graph.circles(), [["floor", "roof", "wall"]]);
    }
}
