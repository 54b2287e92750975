//! Serial arms by Denavit-Hartenberg: `[arm]` becomes bodies `link1`… and joints `joint1`….
//!
//! Standard convention: the frame of link i stands at the END of the link,
//! `T_i = Rz(theta) Tz(d) Tx(a) Rx(alpha)` in the frame of link i−1, and joint i moves about (along) z of link i−1.
//! Modified convention: the frame stands at the START of the link, `T_i = Rx(alpha) Tx(a) Rz(theta) Tz(d)`, where the row
//! holds alpha and a of the step from link i−1, and joint i moves about (along) z of link i.
//! The joint coordinate adds to `theta` (revolute) or to `d` (prismatic): the table's value is the one at coordinate zero.
//!
//! Pseudo-inertia: `J = ∫ r̄ r̄ᵀ dm` with `r̄ = (x, y, z, 1)` in the link frame, so `J₄₄ = m`, `J_i4 = m c_i`, and the
//! upper left block S holds second moments. About the mass centre `S_c = S − m c cᵀ` and `I = tr(S_c) E − S_c`.

#![allow(non_snake_case)] // Frames are capital letters: X_PC (docs/notation.md).

pub mod table;

use super::nodes::{self, joint_frames, numbers, pair, placed, push};
use super::tree::{Entry, Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_math::{Inertia, Pose, Rotation, Vec3};

/// Gives the number a node stands for; the second argument names the quantity it must be: `length`, `angle`, `mass`,
/// `first moment` or `inertia`.
pub type Evaluate<'a> = &'a dyn Fn(&Node, &str) -> Result<f64>;

/// Replaces `arm` of a document by the bodies and joints it stands for; a document without `arm` is left as it is.
pub fn expand(document: &mut Table, evaluate: Evaluate) -> Result<()> {
    let Some(position) = document.entries.iter().position(|e| e.key == "arm") else { return Ok(()) };
    let arm = document.entries.remove(position);
    let (bodies, joints) = arm_parts(&arm, evaluate).map_err(|e| e.of("arm"))?;
    merge(document, "bodies", bodies)?;
    merge(document, "joints", joints)
}

/// Puts entries into the document's table `key`, where none of the same name may be.
fn merge(document: &mut Table, key: &str, parts: Table) -> Result<()> {
    if document.get(key).is_none() {
        document.set(key, Table::default());
    }
    let Some(entry) = document.entries.iter_mut().find(|e| e.key == key) else { return Ok(()) };
    let kind = entry.node.describe();
    let Value::Table(table) = &mut entry.node.value else {
        return Err(Error::new(format!("'{key}' must be a table, found {kind}")).at_opt(entry.node.span.as_ref()));
    };
    for part in parts.entries {
        if let Some(same) = table.entry(&part.key) {
            let message = format!("'{}' in {key} has the name of a part of the arm", part.key);
            return Err(Error::new(message).of("arm").at_opt(same.key_span.as_ref().or(part.key_span.as_ref())));
        }
        table.entries.push(part);
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Convention {
    Standard,
    Modified,
}

fn arm_parts(arm: &Entry, evaluate: Evaluate) -> Result<(Table, Table)> {
    let span = arm.node.span.as_ref().or(arm.key_span.as_ref());
    let table = as_table(&arm.node, "arm")?;
    known_keys(table, &["convention", "links"])?;
    let convention = match table.get("convention") {
        Some(node) => read_convention(node)?,
        None => {
            return Err(Error::new("the convention is not given")
                .at_opt(span)
                .note("convention = \"standard\" (frame at the link's end) or \"modified\" (at its start)"))
        }
    };
    let links = match table.get("links") {
        Some(Node { value: Value::List(links), .. }) if !links.is_empty() => links,
        Some(other) => {
            let message = format!("'links' must be a list of tables, [[arm.links]], found {}", other.describe());
            return Err(Error::new(message).at_opt(other.span.as_ref()));
        }
        None => return Err(Error::new("the arm has no [[arm.links]]").at_opt(span)),
    };
    let (mut bodies, mut joints) = (Table::default(), Table::default());
    let mut parent = "ground".to_string();
    let mut X_WP = Pose::IDENTITY;
    for (k, node) in links.iter().enumerate() {
        let element = format!("link {} of the arm", k + 1);
        let link =
            read_link(node, k, convention, evaluate).map_err(|e| e.of(element.clone()).at_opt(node.span.as_ref()))?;
        if link.name == "ground" || bodies.entry(&link.name).is_some() {
            let message = format!("the name '{}' is taken", link.name);
            return Err(Error::new(message).of(element).at_opt(node.span.as_ref()));
        }
        let X_WC = X_WP * link.X_PC;
        let mut body = link.body;
        if let Some(pose) = nodes::pose(&X_WC) {
            body.set("pose", pose);
        }
        let mut joint = Table::default();
        joint.set("type", link.kind);
        joint.set("bodies", pair(parent.as_str().into(), link.name.as_str().into()));
        let (X_PF, X_CM) = match convention {
            Convention::Standard => (Pose::IDENTITY, link.X_PC.inverse()),
            Convention::Modified => (link.X_PC, Pose::IDENTITY),
        };
        joint_frames(&mut joint, &X_PF, &X_CM, Vec3::Z, [None, None]);
        joint.set("zero", "axes");
        if let Some(limits) = link.limits {
            joint.set("limits", limits);
        }
        let span = node.span.as_ref().or(span);
        push(&mut bodies, &link.name, span, placed(body.into(), span));
        push(&mut joints, &format!("joint{}", k + 1), span, placed(joint.into(), span));
        parent = link.name;
        X_WP = X_WC;
    }
    Ok((bodies, joints))
}

/// A row of the table.
struct Link {
    name: String,
    kind: &'static str,
    /// The link's frame in the one before, at coordinate zero.
    X_PC: Pose,
    body: Table,
    limits: Option<Node>,
}

fn read_link(node: &Node, k: usize, convention: Convention, evaluate: Evaluate) -> Result<Link> {
    /// Keys of a body that a link hands on as they are.
    const BODY: [&str; 6] = ["mass", "com", "inertia", "points", "shape", "unphysical"];
    const OWN: [&str; 8] = ["name", "type", "a", "alpha", "d", "theta", "pseudo_inertia", "limits"];
    let table = as_table(node, "a link")?;
    known_keys(table, &[OWN.as_slice(), BODY.as_slice()].concat())?;
    let number = |key: &str, quantity: &str| table.get(key).map_or(Ok(0.0), |n| finite(n, quantity, evaluate));
    let (a, d) = (number("a", "length")?, number("d", "length")?);
    let (alpha, theta) = (number("alpha", "angle")?, number("theta", "angle")?);
    let about_x = Pose::new(Rotation::about(Vec3::X, alpha), Vec3::new(a, 0.0, 0.0));
    let about_z = Pose::new(Rotation::about(Vec3::Z, theta), Vec3::new(0.0, 0.0, d));
    let X_PC = match convention {
        Convention::Standard => about_z * about_x,
        Convention::Modified => about_x * about_z,
    };
    let name = match table.get("name") {
        Some(name) => as_text(name, "name")?.to_string(),
        None => format!("link{}", k + 1),
    };
    let kind = match table.get("type") {
        None => "revolute",
        Some(node) => match as_text(node, "type")? {
            "revolute" | "R" | "r" => "revolute",
            "prismatic" | "P" | "p" => "prismatic",
            other => {
                let error = Error::new(format!("unknown joint type '{other}' of an arm")).at_opt(node.span.as_ref());
                return Err(error.suggest(other, ["revolute", "prismatic"]));
            }
        },
    };
    let mut body = Table::default();
    for key in BODY {
        if let Some(entry) = table.entry(key) {
            body.entries.push(entry.clone());
        }
    }
    if let Some(pseudo) = table.get("pseudo_inertia") {
        if let Some(entry) = ["mass", "com", "inertia"].iter().find_map(|key| table.entry(key)) {
            let message = format!("'{}' and 'pseudo_inertia' both give the inertia", entry.key);
            return Err(Error::new(message).at_opt(entry.key_span.as_ref().or(pseudo.span.as_ref())));
        }
        let (mass, com, inertia) = from_pseudo_inertia(pseudo, evaluate)?;
        let span = pseudo.span.as_ref();
        body.set("mass", placed(mass.into(), span));
        body.set("com", placed(nodes::vector(com), span));
        body.set("inertia", placed(numbers(inertia.entries()), span));
    }
    Ok(Link { name, kind, X_PC, body, limits: table.get("limits").cloned() })
}

fn read_convention(node: &Node) -> Result<Convention> {
    match as_text(node, "convention")? {
        "standard" => Ok(Convention::Standard),
        "modified" => Ok(Convention::Modified),
        other => Err(Error::new(format!("unknown convention '{other}'"))
            .at_opt(node.span.as_ref())
            .suggest(other, ["standard", "modified"])),
    }
}

/// Mass, mass centre, and inertia about it.
fn from_pseudo_inertia(node: &Node, evaluate: Evaluate) -> Result<(f64, Vec3, Inertia)> {
    let fail = |message: String| Error::new(message).at_opt(node.span.as_ref());
    let mut J = [[0.0; 4]; 4];
    let rows = as_list(node).filter(|rows| rows.len() == 4);
    for (i, row) in rows.ok_or_else(|| fail("'pseudo_inertia' must be 4 rows of 4 numbers".into()))?.iter().enumerate()
    {
        let entries = as_list(row).filter(|entries| entries.len() == 4);
        let entries = entries.ok_or_else(|| fail(format!("row {} of 'pseudo_inertia' must have 4 numbers", i + 1)))?;
        for (j, entry) in entries.iter().enumerate() {
            let quantity = match (i == 3, j == 3) {
                (true, true) => "mass",
                (false, false) => "inertia",
                _ => "first moment",
            };
            J[i][j] = finite(entry, quantity, evaluate)?;
        }
    }
    let largest = J.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    // Tables are printed with a few digits, equal in both halves.
    const ASYMMETRY: f64 = 1e-9;
    let below_diagonal = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
    for (i, j) in below_diagonal {
        if (J[i][j] - J[j][i]).abs() > ASYMMETRY * largest {
            let entry = |i: usize, j: usize| format!("entry ({}, {}) is {}", i + 1, j + 1, J[i][j]);
            return Err(fail(format!("'pseudo_inertia' is not symmetric: {}, {}", entry(i, j), entry(j, i))));
        }
    }
    let mass = J[3][3];
    if mass <= 0.0 {
        return Err(fail(format!(
            "the mass, entry (4, 4) of 'pseudo_inertia', must be greater than zero, found {mass}"
        )));
    }
    let c = Vec3::new(J[0][3], J[1][3], J[2][3]) * (1.0 / mass);
    Ok((mass, c, Inertia::from_second_moments(|i, j| J[i][j] - mass * c[i] * c[j])))
}

fn finite(node: &Node, quantity: &str, evaluate: Evaluate) -> Result<f64> {
    let x = evaluate(node, quantity).map_err(|e| e.at_opt(node.span.as_ref()))?;
    if x.is_finite() {
        return Ok(x);
    }
    Err(Error::new(format!("{x} is not a finite {quantity}")).at_opt(node.span.as_ref()))
}

fn as_table<'n>(node: &'n Node, what: &str) -> Result<&'n Table> {
    match &node.value {
        Value::Table(table) => Ok(table),
        _ => Err(Error::new(format!("{what} must be a table, found {}", node.describe())).at_opt(node.span.as_ref())),
    }
}

fn as_text<'n>(node: &'n Node, key: &str) -> Result<&'n str> {
    match &node.value {
        Value::Text(text) => Ok(text),
        _ => Err(Error::new(format!("'{key}' must be a string, found {}", node.describe())).at_opt(node.span.as_ref())),
    }
}

fn as_list(node: &Node) -> Option<&[Node]> {
    match &node.value {
        Value::List(list) => Some(list),
        _ => None,
    }
}

fn known_keys(table: &Table, keys: &[&str]) -> Result<()> {
    match table.entries.iter().find(|e| !keys.contains(&e.key.as_str())) {
        Some(entry) => Err(Error::new(format!("unknown key '{}'", entry.key))
            .at_opt(entry.key_span.as_ref())
            .suggest(&entry.key, keys.iter().copied())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
