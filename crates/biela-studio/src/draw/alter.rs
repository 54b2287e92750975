//! What goes, what is copied or mirrored, other names and values.

use super::ends::{add_point, fresh, is_pin, letter};
use super::place::{near, place_of, to_place, Place};
use super::sketch::{number, Sketch};
use super::spots::{spots, write};
use biela::error::{Error, Result};
use biela::signal_name;
use biela::source::Source;
use biela::text::edit::Step;
use biela::text::tree::{Node, Table, Value as Word};
use serde_json::Value;

/// Keys that stand in no section.
const ALONE: [&str; 6] = ["name", "about", "units", "planar", "gravity", "mode"];

/// Keys whose strings are names of elements.
const NAMING: [&str; 10] =
    ["bodies", "body", "joint", "joints", "carrier", "effort", "point", "angle", "except", "outputs"];

fn names_of(node: Option<&Node>) -> Vec<String> {
    match node.map(|n| &n.value) {
        Some(Word::Text(word)) => vec![word.clone()],
        Some(Word::List(list)) => list.iter().flat_map(|n| names_of(Some(n))).collect(),
        _ => Vec::new(),
    }
}

/// Takes away elements, and what cannot be without them. Where a pin goes, links keep their ends.
pub(super) fn delete(drawing: &mut Sketch, asked: &Value) -> Result<()> {
    for one in asked["what"].as_array().into_iter().flatten() {
        let (section, name) = (one[0].as_str().unwrap_or(""), one[1].as_str().unwrap_or(""));
        match section {
            "bodies" if name != "ground" => body(drawing, name)?,
            "joints" => joint(drawing, name)?,
            "points" => {
                let (body, point) = signal_name::split(name).ok_or_else(|| Error::new("a point has a body"))?;
                users(drawing, &|w| w == name || signal_name::is_of(w, name))?;
                drawing.sheet.remove(&["bodies", body, "points", point])?;
            }
            "drivers" | "forces" | "couplings" | "contacts" => drawing.sheet.remove(&[section, name])?,
            _ => return Err(Error::new("this cannot be deleted")),
        }
        drawing.again()?;
    }
    Ok(())
}

fn body(drawing: &mut Sketch, name: &str) -> Result<()> {
    let joints = drawing.sheet.names(&["joints"]);
    for own in joints {
        if names_of(drawing.sheet.get(&["joints", &own, "bodies"])).iter().any(|b| b == name) {
            joint(drawing, &own)?;
            drawing.again()?;
        }
    }
    users(drawing, &|w| w == name || signal_name::is_of(w, name))?;
    drawing.sheet.remove(&["bodies", name])
}

/// Removes drivers, forces, couplings and contacts that name something.
fn users(drawing: &mut Sketch, names: &dyn Fn(&str) -> bool) -> Result<()> {
    for section in ["drivers", "forces", "couplings", "contacts"] {
        for element in drawing.sheet.names(&[section]) {
            let says = |key: &str| names_of(drawing.sheet.get(&[section, &element, key])).iter().any(|w| names(w));
            if NAMING.iter().any(|key| says(key)) {
                drawing.sheet.remove(&[section, &element])?;
            }
        }
    }
    Ok(())
}

fn joint(drawing: &mut Sketch, name: &str) -> Result<()> {
    let k = drawing.joint(name)?;
    let Some(model) = &drawing.model else { return Ok(()) };
    let (bodies, pin) = (model.joints[k].bodies, is_pin(&model.joints[k]));
    let (places, size) = (drawing.joint_places(k), drawing.size());
    // Bodies that have nothing else there keep an end.
    let mut open: Vec<(String, Place)> = Vec::new();
    for side in (0..2).filter(|side| pin && bodies[*side] > 0) {
        let (body, at) = (bodies[side], places[side]);
        let other = |j: usize| {
            let here = drawing.joint_places(j);
            j != k && (0..2).any(|s| model.joints[j].bodies[s] == body && near(here[s], at, size))
        };
        let own = &model.bodies[body];
        let point = own.points.iter().any(|(_, p)| near(to_place(own.X_WB.apply(*p)), at, size));
        if !point && !(0..model.joints.len()).any(other) && drawing.sheet.get(&["bodies", &own.name]).is_some() {
            open.push((own.name.clone(), at));
        }
    }
    users(drawing, &|w| w == name || signal_name::is_of(w, name))?;
    drawing.sheet.remove(&["joints", name])?;
    for (k, (body, at)) in open.into_iter().enumerate() {
        let point = if k == 0 { name.to_string() } else { letter(drawing, &[]) };
        add_point(drawing, &body, &point, at)?;
    }
    Ok(())
}

fn word(node: &Node, from: &[(String, String)]) -> Node {
    let value = match &node.value {
        Word::Text(text) => {
            let own = |(old, new): &(String, String)| {
                let rest = text.strip_prefix(old.as_str())?;
                (rest.is_empty() || rest.starts_with('.')).then(|| format!("{new}{rest}"))
            };
            Word::Text(from.iter().find_map(own).unwrap_or_else(|| text.clone()))
        }
        Word::List(list) => Word::List(list.iter().map(|n| word(n, from)).collect()),
        other => other.clone(),
    };
    Node::new(value)
}

/// Copies bodies with what joins them to each other and to the ground, beside themselves.
pub(super) fn copy(drawing: &mut Sketch, asked: &Value, made: &mut Vec<[String; 2]>) -> Result<()> {
    let by = place_of(&asked["by"])?;
    let bodies: Vec<String> =
        asked["bodies"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect();
    if bodies.is_empty() {
        return Err(Error::new("links are copied: select one first"));
    }
    let mut names: Vec<(String, String)> = Vec::new();
    let table =
        |drawing: &Sketch, section: &str, name: &str| match drawing.sheet.get(&[section, name]).map(|n| &n.value) {
            Some(Word::Table(table)) => Ok(table.clone()),
            _ => Err(Error::new(format!("the text has no table '{name}' that could be copied"))),
        };
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_string();
    for body in &bodies {
        let own = table(drawing, "bodies", body)?;
        let name = fresh(drawing, &stem(body), true);
        drawing.sheet.add("bodies", &name, own)?;
        names.push((body.clone(), name.clone()));
        made.push(["bodies".into(), name]);
    }
    let of = |drawing: &Sketch, section: &str, element: &str, key: &str| {
        names_of(drawing.sheet.get(&[section, element, key]))
    };
    let mut joints: Vec<(String, String)> = Vec::new();
    for element in drawing.sheet.names(&["joints"]) {
        let held = of(drawing, "joints", &element, "bodies");
        let inside = |b: &String| bodies.contains(b) || b == "ground";
        if held.iter().all(inside) && held.iter().any(|b| bodies.contains(b)) {
            let name =
                if stem(&element).len() == 1 { letter(drawing, &[]) } else { fresh(drawing, &stem(&element), true) };
            joints.push((element.clone(), name.clone()));
            renewed(drawing, "joints", &element, &name, &names)?;
        }
    }
    names.extend(joints);
    for (section, key) in [("drivers", "joint"), ("forces", "body"), ("forces", "bodies"), ("couplings", "joints")] {
        for element in drawing.sheet.names(&[section]) {
            let held = of(drawing, section, &element, key);
            if !held.is_empty()
                && held.iter().all(|w| w == "ground" || names.iter().any(|n| n.0 == *w))
                && held.iter().any(|w| w != "ground")
            {
                let name = fresh(drawing, &stem(&element), true);
                renewed(drawing, section, &element, &name, &names)?;
            }
        }
    }
    drawing.again()?;
    let all = spots(drawing);
    let own = |name: &str| names.iter().any(|n| n.1 == name);
    let chosen: Vec<bool> = all
        .iter()
        .map(|s| ["bodies", "joints", "forces"].iter().any(|section| s.named(section).is_some_and(&own)))
        .collect();
    write(drawing, &all, &chosen, |p| [0, 1, 2].map(|k| p[k] + by[k]))
}

fn renewed(drawing: &mut Sketch, section: &str, element: &str, name: &str, names: &[(String, String)]) -> Result<()> {
    let Some(Word::Table(own)) = drawing.sheet.get(&[section, element]).map(|n| n.value.clone()) else { return Ok(()) };
    let mut table = Table::default();
    for entry in &own.entries {
        let node = if NAMING.contains(&entry.key.as_str()) { word(&entry.node, names) } else { entry.node.clone() };
        table.set(entry.key.clone(), node);
    }
    drawing.sheet.add(section, name, table)
}

/// Turns bodies over about a line through a place, upright or level, or in space about a plane normal to an axis; all of them where none is named.
pub(super) fn mirror(drawing: &mut Sketch, asked: &Value) -> Result<()> {
    let about = place_of(&asked["about"])?;
    let k = match asked["axis"].as_u64() {
        Some(k) if (k as usize) < drawing.dimensions => k as usize,
        _ => usize::from(asked["level"].as_bool().unwrap_or(false)),
    };
    let turned = |p: Place| {
        let mut q = p;
        q[k] = 2.0 * about[k] - p[k];
        q
    };
    let named: Vec<String> =
        asked["bodies"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect();
    let mine = |name: &str| named.is_empty() || named.iter().any(|n| n == name);
    let Some(model) = drawing.model.clone() else { return Ok(()) };
    let all = spots(drawing);
    let chosen: Vec<bool> =
        all.iter().map(|s| s.bodies.iter().any(|b| *b > 0 && mine(drawing.body_name(*b)))).collect();
    write(drawing, &all, &chosen, turned)?;
    // Directions turn too: guides and forces; and mass centres.
    for joint in model.joints.iter().filter(|j| j.bodies.iter().any(|b| *b > 0 && mine(&model.bodies[*b].name))) {
        opposite(drawing, &[Step::Key("joints"), Step::Key(&joint.name), Step::Key("axis"), Step::Item(k)])?;
    }
    for load in &model.loads {
        let bodies = names_of(drawing.sheet.get(&["forces", &load.name, "body"]));
        if bodies.iter().any(|b| mine(b)) {
            opposite(drawing, &[Step::Key("forces"), Step::Key(&load.name), Step::Key("value"), Step::Item(k)])?;
        }
    }
    for body in model.bodies.iter().filter(|b| mine(&b.name)) {
        let Some(mass) = body.mass.as_ref().filter(|_| drawing.sheet.get(&["bodies", &body.name, "com"]).is_some())
        else {
            continue;
        };
        let world = to_place(body.X_WB.apply(mass.com));
        let goal = turned(world);
        let own = to_place(body.X_WB.apply_inverse(goal.into()));
        for (i, x) in own[..drawing.dimensions].iter().enumerate() {
            let path = [Step::Key("bodies"), Step::Key(&body.name), Step::Key("com"), Step::Item(i)];
            drawing.write_length(&path, *x)?;
        }
    }
    Ok(())
}

/// Changes the sign of a number, if there is one.
fn opposite(drawing: &mut Sketch, path: &[Step]) -> Result<()> {
    let new = match drawing.sheet.node(path).map(|n| &n.value) {
        Some(Word::Integer(n)) if *n != 0 => number(-(*n as f64)),
        Some(Word::Number(x)) if *x != 0.0 => number(-x),
        Some(Word::Text(words)) => match words.strip_prefix('-') {
            Some(rest) if !rest.contains(['+', '-']) => Node::from(rest.trim()),
            _ => Node::from(format!("-({words})")),
        },
        _ => return Ok(()),
    };
    drawing.sheet.replace(path, &new)
}

/// Gives a key a value as somebody typed it; nothing takes the key away.
pub(super) fn set(drawing: &mut Sketch, asked: &Value) -> Result<()> {
    let path: Vec<&str> = asked["path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if path.len() < 2 && !path.first().is_some_and(|key| ALONE.contains(key)) {
        return Err(Error::new("a value has a section and a name"));
    }
    let typed = asked["value"].as_str().unwrap_or("").trim();
    if typed.is_empty() {
        return drawing.sheet.remove(&path);
    }
    drawing.sheet.set(&path, &typed_value(typed))
}

/// A number, a list or table as TOML has it, or else a string: a name or an expression.
fn typed_value(typed: &str) -> Node {
    if typed.starts_with(['[', '{', '"']) || ["true", "false"].contains(&typed) {
        let tree = biela::text::toml::parse(&Source::new("the value", format!("x = {typed}")));
        if let Some(node) = tree.ok().and_then(|t| t.get("x").cloned()) {
            return node;
        }
    }
    match typed.parse::<f64>() {
        Ok(x) if x.is_finite() => number(x),
        _ => Node::from(typed),
    }
}

/// Gives an element another name, wherever it is spoken of.
pub(super) fn rename(drawing: &mut Sketch, asked: &Value) -> Result<()> {
    let word_of = |key: &str| asked[key].as_str().unwrap_or("").trim().to_string();
    let (section, name, to) = (word_of("section"), word_of("name"), word_of("to"));
    let fits =
        to.starts_with(|c: char| c.is_ascii_alphabetic()) && to.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !fits {
        return Err(Error::new(format!("'{to}' is no name: begin with a letter, go on with letters, digits and _")));
    }
    if let Some((body, point)) = signal_name::split(&name).filter(|_| section == "points") {
        let whole = (name.clone(), signal_name::join(body, &to));
        drawing.sheet.rename(&["bodies", body, "points", point], &to)?;
        return respoken(drawing, &[whole], &NAMING);
    }
    if drawing.sheet.get(&[&section, &to]).is_some() {
        return Err(Error::new(format!("there is a '{to}' already")));
    }
    drawing.sheet.rename(&[&section, &name], &to)?;
    let keys: &[&str] = match section.as_str() {
        "bodies" => &["bodies", "body", "carrier", "point", "angle", "except", "outputs"],
        "joints" => &["joint", "joints", "effort", "outputs"],
        _ => return Ok(()),
    };
    respoken(drawing, &[(name, to)], keys)
}

fn respoken(drawing: &mut Sketch, names: &[(String, String)], keys: &[&str]) -> Result<()> {
    for section in ["joints", "couplings", "drivers", "forces", "contacts"] {
        for element in drawing.sheet.names(&[section]) {
            for key in keys {
                let Some(node) = drawing.sheet.get(&[section, &element, key]) else { continue };
                let new = word(node, names);
                if names_of(Some(node)) != names_of(Some(&new)) {
                    drawing.sheet.replace(&[Step::Key(section), Step::Key(&element), Step::Key(key)], &new)?;
                }
            }
        }
    }
    Ok(())
}
