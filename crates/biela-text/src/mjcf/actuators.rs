//! Actuators: efforts along joint coordinates whose control is a parameter, zero unless it is set.

use super::bodies::World;
use super::defaults::MAIN;
use super::equalities::{joint, tendon, term};
use super::tables::{add, Tables};
use crate::foreign::{Element, Told};
use crate::nodes::unused;
use crate::reader::plain_name;
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::signal_name;

/// Gain and bias of an actuator: effort = gain·control + b0 + b1·length + b2·velocity.
struct Law {
    gain: f64,
    bias: [f64; 3],
}

pub(super) fn read(world: &World, root: &Element, out: &mut Tables, told: &mut Told) -> Result<()> {
    for (k, given) in
        root.all("actuator").flat_map(|e| &e.children).enumerate().filter(|_| world.compiler.acts("actuation"))
    {
        let e = &world.classes.filled(given, MAIN)?;
        for name in ["armature", "damping"] {
            if let Some(a) = e.attribute(name).filter(|a| a.value.split_whitespace().any(|x| x.parse() != Ok(0.0))) {
                let error = Error::new(format!("'{name}' of an actuator")).at(&a.span);
                told.doubt(error, "not read, what it does is missing")?;
            }
        }
        let Some(law) = law(e)? else {
            told.doubt(Error::new(format!("an actuator <{}>", e.tag)).at(&e.span), "not read, its force is missing")?;
            continue;
        };
        // What it acts on: factors of joint coordinates.
        let terms = match (e.get("joint").or(e.get("jointinparent")), e.get("tendon")) {
            (Some(name), _) => term(joint(world, e, name)?).map(|t| vec![(1.0, t, 0.0)]),
            (_, Some(name)) => tendon(world, root, e, name)?,
            _ => None,
        };
        let Some(terms) = terms else {
            told.doubt(
                Error::new("an actuator that acts on no hinge or slide").at(&e.span),
                "not read, its force is missing",
            )?;
            continue;
        };
        let gear = e.number("gear")?.unwrap_or(1.0);
        let wish = e.get("name").map_or(format!("actuator{}", k + 1), plain_name);
        let name = unused(&wish, &mut out.names);
        let plain = wish.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
        let control = unused(&format!("ctrl_{plain}"), &mut out.names);
        out.parameters.set(control.clone(), Node::from(0.0).at(&e.span));
        let sum = |rate: bool| {
            let one = |(k, t, _): &(f64, String, f64)| match (t.strip_suffix("/(1 m)"), rate) {
                (Some(slide), true) => format!("({:?})*{}/(1 m/s)", gear * k, signal_name::join(slide, "rate")),
                (None, true) => format!("({:?})*{}/(1 rad/s)", gear * k, signal_name::join(t, "rate")),
                _ => format!("({:?})*{t}", gear * k),
            };
            terms.iter().map(one).collect::<Vec<_>>().join(" + ")
        };
        let mut effort = format!("({:?})*{control}", law.gain);
        for (b, text) in [(law.bias[0], "1".to_string()), (law.bias[1], sum(false)), (law.bias[2], sum(true))] {
            if b != 0.0 {
                effort += &format!(" + ({b:?})*({text})");
            }
        }
        for (n, (factor, t, _)) in terms.iter().enumerate() {
            let mut keys = Table::default();
            keys.set("type", "joint-torque");
            keys.set("joint", t.trim_end_matches("/(1 m)"));
            keys.set("value", format!("({:?})*({effort})", gear * factor));
            let name = if n == 0 { name.clone() } else { unused(&format!("{name}_{}", n + 1), &mut out.names) };
            add(&mut out.forces, &name, &e.span, keys);
        }
    }
    Ok(())
}

fn law(e: &Element) -> Result<Option<Law>> {
    let get = |name: &str, other: f64| e.number(name).map(|x| x.unwrap_or(other));
    Ok(Some(match e.tag.as_str() {
        "motor" => Law { gain: 1.0, bias: [0.0; 3] },
        "position" => {
            let kp = get("kp", 1.0)?;
            if e.get("dampratio").is_some() || e.get("timeconst").is_some_and(|t| t.parse() != Ok(0.0)) {
                return Ok(None);
            }
            Law { gain: kp, bias: [0.0, -kp, -get("kv", 0.0)?] }
        }
        "velocity" => {
            let kv = get("kv", 1.0)?;
            Law { gain: kv, bias: [0.0, 0.0, -kv] }
        }
        "general" => {
            let word = |name: &str, other: &'static str| e.get(name).unwrap_or(other).to_string();
            if word("dyntype", "none") != "none"
                || word("gaintype", "fixed") != "fixed"
                || !["none", "affine"].contains(&word("biastype", "none").as_str())
            {
                return Ok(None);
            }
            let gain = e.numbers("gainprm")?.and_then(|g| g.first().copied()).unwrap_or(1.0);
            let given = if word("biastype", "none") == "affine" {
                e.numbers("biasprm")?.unwrap_or_default()
            } else {
                Vec::new()
            };
            let b = |k: usize| given.get(k).copied().unwrap_or(0.0);
            Law { gain, bias: [b(0), b(1), b(2)] }
        }
        _ => return Ok(None),
    }))
}
