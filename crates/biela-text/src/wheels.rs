//! Gears by ratio or teeth, belts by radii: two wheels, and the body that carries them.

use super::bodies::Bodies;
use super::joints::Joints;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{self, describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::{CouplingPlan, Quantity, TrainPlan};
use biela_core::couplings::CoordinateRef;
use biela_core::joints::Joint;

/// `ratio`, or `teeth` with `internal`; `carrier` with either. `wanted` is the dimension of the ratio.
pub(super) fn read_gear(
    reader: &Reader,
    plan: &mut CouplingPlan,
    (bodies, joints): (&Bodies, &Joints),
    wanted: Dimension,
) -> Result<()> {
    let internal = reader.bool("internal")?;
    let by_teeth = reader.has("teeth");
    match (reader.has("ratio"), by_teeth) {
        (true, true) => {
            let message = "'ratio' and 'teeth' both say how the wheels turn";
            return Err(reader.wrong_value("ratio", message).note("keep one of them"));
        }
        (false, false) => {
            let meaning =
                "second coordinate = ratio * first + offset; or the teeth of both wheels, such as teeth = [20, 40]";
            return Err(reader.missing("ratio", meaning));
        }
        (true, false) if internal.is_some() => {
            let message = "'internal' goes with 'teeth'; a ratio has its own sign";
            return Err(reader
                .wrong_value("internal", message)
                .note("leave it out, or give 'teeth' in place of 'ratio'"));
        }
        (true, false) => {
            let meaning = "second coordinate = ratio * first + offset";
            plan.ratio = Some(reader.required_quantity("ratio", wanted, meaning)?);
        }
        (false, true) => {}
    }
    let carrier = read_carrier(reader, bodies)?;
    if !by_teeth && carrier.is_none() {
        return Ok(());
    }
    let sizes = match by_teeth {
        true => Some(("teeth", read_sizes(reader, "teeth", Dimension::NUMBER, "[20, 40]")?)),
        false => None,
    };
    let carrier = carrier.map_or_else(|| common(reader, plan, joints), Ok)?;
    plan.train = Some(TrainPlan { sizes, same_sense: internal.unwrap_or(false), parallel: false, carrier });
    Ok(())
}

/// `radii` with `crossed` and `carrier`.
pub(super) fn read_belt(reader: &Reader, plan: &mut CouplingPlan, (bodies, joints): (&Bodies, &Joints)) -> Result<()> {
    let crossed = reader.bool("crossed")?.unwrap_or(false);
    let sizes = read_sizes(reader, "radii", Dimension::LENGTH, "[\"40 mm\", \"80 mm\"]")?;
    let carrier = read_carrier(reader, bodies)?.map_or_else(|| common(reader, plan, joints), Ok)?;
    plan.train = Some(TrainPlan { sizes: Some(("radii", sizes)), same_sense: !crossed, parallel: true, carrier });
    Ok(())
}

/// Two numbers, one for each wheel, in the order of `joints`.
fn read_sizes(reader: &Reader, key: &'static str, wanted: Dimension, example: &str) -> Result<[Quantity; 2]> {
    let form = format!("one for each wheel in the order of 'joints', such as {key} = {example}");
    let node = reader.required(key, &form)?;
    let list = match &node.value {
        Value::List(list) => list.as_slice(),
        _ => {
            let message = format!("'{key}' is a list of two, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)).note(form));
        }
    };
    let [first, second] = list else {
        let message = format!("'{key}' is a list of two; this one has {}", list.len());
        return Err(reader.blame(wrong(node, message)).note(form));
    };
    let name = reader.name(key);
    let quantity =
        |item: &Node| values::quantity(item, &name, Some(wanted), reader.context).map_err(|e| reader.blame(e));
    Ok([quantity(first)?, quantity(second)?])
}

fn read_carrier(reader: &Reader, bodies: &Bodies) -> Result<Option<usize>> {
    reader.get("carrier").map(|node| bodies.named(reader, "carrier", node)).transpose()
}

/// The body that both joints have in common, which then carries the wheels.
fn common(reader: &Reader, plan: &CouplingPlan, joints: &Joints) -> Result<usize> {
    let pair: Vec<&Joint> = plan.coordinates.iter().map(|c: &CoordinateRef| &joints.list[c.joint]).collect();
    let [first, second] = pair[..] else { return Err(reader.missing("joints", "the joints of both wheels")) };
    let found = first.bodies.iter().find(|body| second.bodies.contains(body));
    found.copied().ok_or_else(|| no_carrier(reader, first, second))
}

fn no_carrier(reader: &Reader, first: &Joint, second: &Joint) -> Error {
    let message =
        format!("joints '{}' and '{}' have no body in common that could carry both wheels", first.name, second.name);
    reader.wrong_value("joints", message).note("say which body holds both axes, such as carrier = \"arm\"")
}
