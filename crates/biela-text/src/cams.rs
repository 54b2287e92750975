//! `segments`, `base`, `roller` and `eccentricity` of a cam.

use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{describe, wrong};
use biela_base::error::Result;
use biela_base::units::Dimension;
use biela_core::blueprint::{MotionPlan, Quantity, SegmentPlan};
use biela_core::motion::{laws, LAWS};

/// How the motion of a follower may be given.
pub(super) const FORM: &str = "the follower's motion: an expression of angle, a table, a law, or segments = [{ law = \"cycloidal\", to = \"10 mm\", over = \"90 deg\" }, { dwell = \"60 deg\" }, …]";
const SEGMENT: &str =
    "a segment is { law = \"cycloidal\", to = \"10 mm\", over = \"90 deg\" } or { dwell = \"60 deg\" }";

/// Refuses both ways at once.
pub(super) fn refuse_both(reader: &Reader) -> Result<()> {
    match reader.has("profile") {
        true => {
            let message = "'profile' and 'segments' both give the follower's motion";
            Err(reader.wrong_value("profile", message).note("keep one of them"))
        }
        false => Ok(()),
    }
}

/// `segments`, if given; dimensions of the cam's coordinate and of the follower's.
pub(super) fn segments(reader: &Reader, [cam, follower]: [Dimension; 2]) -> Result<Option<MotionPlan>> {
    let Some(node) = reader.get("segments") else { return Ok(None) };
    if cam != Dimension::ANGLE {
        let message = "segments fill a turn of the cam, but the first of 'joints' does not turn";
        return Err(reader
            .wrong_value("segments", message)
            .note("joints = [cam, follower]; 'profile' takes any coordinate"));
    }
    let list = match &node.value {
        Value::List(list) if !list.is_empty() => list,
        _ => {
            let message = format!("'segments' is a list of rises and dwells, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)).note(SEGMENT));
        }
    };
    let plans = list.iter().map(|node| segment(reader, node, follower)).collect::<Result<Vec<_>>>()?;
    Ok(Some(MotionPlan::Segments(plans)))
}

fn segment(reader: &Reader, node: &Node, follower: Dimension) -> Result<SegmentPlan> {
    let item = reader.item(node, "segment.", SEGMENT)?;
    item.allow_for("a segment", &["law", "to", "over", "dwell"])?;
    let place = item.place();
    if item.has("dwell") {
        if let Some(key) = ["law", "to", "over"].into_iter().find(|key| item.has(key)) {
            let message = format!("a segment is a rise or a dwell; '{key}' and 'dwell' exclude each other");
            return Err(item.wrong_value(key, message).note(SEGMENT));
        }
        let over = item.required_quantity("dwell", Dimension::ANGLE, "the angle of the dwell")?;
        return Ok(SegmentPlan { rise: None, over, place });
    }
    let word = item.required_text("law", SEGMENT)?;
    let names: Vec<&str> = LAWS.iter().map(|l| l.keyword).collect();
    let kind = laws::law_type(word).map_err(|_| item.unknown_word("law", word, &names))?;
    let to = item.required_quantity("to", follower, "where the follower is at the end of the segment")?;
    let over = item.required_quantity("over", Dimension::ANGLE, "the angle of the cam that it takes")?;
    Ok(SegmentPlan { rise: Some((kind, to)), over, place })
}

/// `base`, `roller` and `eccentricity`, if given.
pub(super) fn follower(reader: &Reader, [cam, follower]: [Dimension; 2]) -> Result<Option<[Quantity; 3]>> {
    let Some(base) = reader.quantity("base", Dimension::LENGTH)? else {
        return match ["roller", "eccentricity"].into_iter().find(|key| reader.has(key)) {
            Some(key) => Err(reader
                .wrong_value(key, format!("'{key}' has no use without 'base'"))
                .note("'base' is the radius of the base circle, on which the roller stands where the follower's coordinate is zero")),
            None => Ok(None),
        };
    };
    if cam != Dimension::ANGLE || follower != Dimension::LENGTH {
        let message = "'base' belongs to a cam that turns and a follower that slides";
        return Err(reader
            .wrong_value("base", message)
            .note("joints = [cam, follower]; leave 'base' and 'roller' out elsewhere"));
    }
    let number = |key: &str| Ok(reader.quantity(key, Dimension::LENGTH)?.unwrap_or(Quantity::Number(0.0)));
    Ok(Some([base, number("roller")?, number("eccentricity")?]))
}
