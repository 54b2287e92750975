//! Drivers given beside the model (`--drive elbow="sin(t)"`), for texts such as URDF that have none of their own.

use super::tree::{Node, Table, Value};
use biela_base::signal_name;
use biela_base::source::{Source, Span};

/// Adds a driver for each pair of joint (or `joint.coordinate`) and expression; one of the model's own on the same
/// coordinate gives way.
pub(super) fn add(tree: &mut Table, drive: &[(String, String)]) {
    if drive.is_empty() {
        return;
    }
    let joints = match tree.get("joints").map(|n| &n.value) {
        Some(Value::Table(joints)) => joints.entries.iter().map(|e| e.key.clone()).collect(),
        _ => Vec::new(),
    };
    if !matches!(tree.get("drivers").map(|n| &n.value), Some(Value::Table(_)) | None) {
        // A malformed table is reported when the model is compiled.
        return;
    }
    let mut drivers = match tree.get("drivers").map(|n| &n.value) {
        Some(Value::Table(drivers)) => drivers.clone(),
        _ => Table::default(),
    };
    for (target, expression) in drive {
        let (joint, coordinate) = split(target, &joints);
        drivers.entries.retain(|entry| !drives(&entry.node, joint, coordinate));
        let place = |text: &str| {
            let source = Source::new(format!("--drive {target}"), text);
            Span::new(&source, 0..text.len())
        };
        let mut driver = Table::default();
        driver.set("joint", Node::from(joint).at(&place(joint)));
        if let Some(coordinate) = coordinate {
            driver.set("coordinate", Node::from(coordinate).at(&place(coordinate)));
        }
        driver.set("value", Node::from(expression.as_str()).at(&place(expression)));
        drivers.set(format!("drive_{target}"), Node::from(driver).at(&place(target)));
    }
    tree.set("drivers", drivers);
}

/// Joint and coordinate of `joint.coordinate`, where the whole is not itself a joint's name.
fn split<'a>(target: &'a str, joints: &[String]) -> (&'a str, Option<&'a str>) {
    if joints.iter().any(|j| j == target) {
        return (target, None);
    }
    match signal_name::split(target) {
        Some((joint, coordinate)) => (joint, Some(coordinate)),
        None => (target, None),
    }
}

/// True where the driver `node` moves that coordinate.
fn drives(node: &Node, joint: &str, coordinate: Option<&str>) -> bool {
    let Value::Table(table) = &node.value else { return false };
    let text = |key: &str| match table.get(key).map(|n| &n.value) {
        Some(Value::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    text("joint") == Some(joint) && (text("coordinate") == coordinate || coordinate.is_none())
}

#[cfg(test)]
mod tests {
    use super::super::{Document, Options};
    use biela_base::source::Source;

    const MODEL: &str = r#"
[bodies.a]
[joints.J]
type = "cylindrical"
bodies = ["ground", "a"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[drivers.own]
joint = "J"
coordinate = "angle"
value = "t"
[run]
end = 1
"#;

    #[test]
    fn drivers_are_added_and_replaced() {
        let document = Document::from_toml(&Source::new("m.toml", MODEL)).unwrap();
        let drive = |pairs: &[(&str, &str)]| {
            let drive = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
            document.model(&Options { drive, ..Options::default() })
        };
        let names = |pairs: &[(&str, &str)]| -> Vec<String> {
            drive(pairs).unwrap().drivers.iter().map(|d| d.name.clone()).collect()
        };
        assert_eq!(names(&[("J.slide", "2*t")]), ["own", "drive_J.slide"]);
        assert_eq!(names(&[("J.slide", "2*t"), ("J.angle", "t^2")]), ["drive_J.slide", "drive_J.angle"]);
        assert!(drive(&[("K", "t")]).unwrap_err().to_string().contains("--drive K"));
    }
}
