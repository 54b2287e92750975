//! The grammar of a signal's name: an element, a dot, a leaf, as in `crank.x`, `O.angle.rate`, `guide.local.fx`.
//!
//! This is the one place that knows the dot. What elements and leaves there are is for `signal` of the crate `biela-model` to say;
//! crates that know no model join and split names by what stands here. Names of elements may hold dots themselves.

/// The column of time.
pub const TIME: &str = "t";
/// The column of the largest residual.
pub const RESIDUAL: &str = "residual";
/// What the names of signals of the mechanism as a whole start with.
pub const SYSTEM: &str = "system";
/// What the energies' names start with.
pub const ENERGY: &str = "energy";

const RATE: &str = "rate";
const ACCEL: &str = "accel";
const EFFORT: &str = "effort";
const LOCAL: &str = "local";
const LIMIT: &str = "limit";

/// An element and its leaf as a name; either may be empty, and the other then stands alone.
pub fn join(element: &str, leaf: &str) -> String {
    match (element, leaf) {
        (name, "") | ("", name) => name.to_string(),
        _ => [element, leaf].join("."),
    }
}

/// The rate of a joint coordinate.
pub fn rate(coordinate: &str) -> String {
    join(coordinate, RATE)
}

/// Its second rate.
pub fn accel(coordinate: &str) -> String {
    join(coordinate, ACCEL)
}

/// The effort of a coupling, or of a driver with one value.
pub fn effort(element: &str) -> String {
    join(element, EFFORT)
}

/// The efforts of a driver that holds an orientation.
pub fn efforts(element: &str) -> [String; 3] {
    ["x", "y", "z"].map(|axis| join(&effort(element), axis))
}

/// The element that stands for a joint's reaction in the axes of its second body.
pub fn local(joint: &str) -> String {
    join(joint, LOCAL)
}

/// The driver that stands for a limit of a joint where loads press against it.
pub fn limit(joint: &str) -> String {
    join(joint, LIMIT)
}

/// What follows an element and its dot in a name; `None` where the name starts otherwise.
pub fn leaf<'n>(name: &'n str, element: &str) -> Option<&'n str> {
    name.strip_prefix(element)?.strip_prefix('.')
}

/// Whether a name is one of that element, or of anything whose name starts with it and a dot.
pub fn is_of(name: &str, element: &str) -> bool {
    leaf(name, element).is_some()
}

/// A name in two at its last dot.
pub fn split(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once('.')
}

/// A name in two at each of its dots, the first dot first: an element's name may hold dots, so each may be the one.
pub fn splits(name: &str) -> impl Iterator<Item = (&str, &str)> + Clone {
    name.match_indices('.').map(|(k, _)| (&name[..k], &name[k + 1..]))
}

/// What stands before the first dot.
pub fn first(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// The coordinate whose rate the name is.
pub fn of_rate(name: &str) -> Option<&str> {
    split(name).filter(|(_, leaf)| *leaf == RATE).map(|(coordinate, _)| coordinate)
}

/// Whether a name tells a reaction in the axes of a joint's second body, which repeats what ground axes say.
pub fn is_local(name: &str) -> bool {
    splits(name).any(|(_, rest)| is_of(rest, LOCAL))
}

/// Whether a name tells an effort.
pub fn is_effort(name: &str) -> bool {
    splits(name).any(|(_, rest)| rest == EFFORT || is_of(rest, EFFORT))
}

/// Whether a name tells what a joint limit exerts.
pub fn is_limit_effort(name: &str) -> bool {
    split(name).is_some_and(|(start, leaf)| leaf == EFFORT && split(start).is_some_and(|(_, last)| last == LIMIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_and_splitting_are_inverse() {
        assert_eq!(join("crank", "x"), "crank.x");
        assert_eq!(split(&join("arm.1", "vx")), Some(("arm.1", "vx")));
        assert_eq!(leaf("arm.1.vx", "arm.1"), Some("vx"));
        assert_eq!((join("residual", ""), join("", "t")), ("residual".into(), "t".into()));
        assert_eq!(of_rate(&rate("O.angle")), Some("O.angle"));
        assert_eq!(splits("a.b.c").collect::<Vec<_>>(), [("a", "b.c"), ("a.b", "c")]);
        assert_eq!((first("a.b.c"), first("t")), ("a", "t"));
    }

    #[test]
    fn sorts_are_told_apart() {
        assert!(is_effort(&effort("motor")) && efforts("hold").iter().all(|name| is_effort(name)));
        assert!(is_local(&join(&local("guide"), "fx")) && !is_local("guide.fx") && !is_local("local.x"));
        assert!(is_limit_effort(&effort(&limit("O"))) && !is_limit_effort("limit.effort") && !is_effort("effort"));
        assert!(is_of("crank.x", "crank") && !is_of("crankshaft.x", "crank") && !is_of("crank", "crank"));
    }
}
