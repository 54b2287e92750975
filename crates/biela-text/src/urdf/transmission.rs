//! `<transmission>`: the inertia of a motor's rotor, where it is given; the rest says nothing of the mechanics.

use crate::foreign::{Placed, Reader, Xml};
use biela_base::error::Result;
use biela_base::source::Span;

/// A rotor that turns `ratio` times as fast as a joint.
pub(super) struct RotorInertia {
    pub name: Placed<String>,
    pub joint: Placed<String>,
    pub ratio: f64,
    pub inertia: Placed<f64>,
}

/// Words for the inertia and for the ratio, in any namespace, as an attribute `value` or as text.
const INERTIA: [&str; 3] = ["rotor_inertia", "rotorInertia", "motorInertia"];
const RATIO: [&str; 3] = ["gear_ratio", "mechanicalReduction", "mechanical_reduction"];

/// The rotor of a transmission between one joint and one actuator; none where no inertia is given.
pub(super) fn read(reader: &mut Reader, node: Xml) -> Result<Option<RotorInertia>> {
    let span = reader.tag_span(node);
    let inertia = find(reader, node, &INERTIA);
    let joints: Vec<Xml> = reader.children(node, "joint").collect();
    let (Some(inertia), [joint]) = (inertia, &joints[..]) else {
        reader
            .told
            .unused(&span, "<transmission> without a rotor's inertia says nothing of the mechanics; it was not read");
        return Ok(None);
    };
    let joint = reader.name(*joint, "name")?;
    let ratio = find(reader, node, &RATIO).map_or(1.0, |p| p.value);
    if inertia.value <= 0.0 || ratio == 0.0 {
        reader.told.unused(&inertia.span, "a rotor's inertia or ratio of 0 is not used");
        return Ok(None);
    }
    let name = match reader.text(node, "name") {
        Some(name) => Placed { value: crate::reader::plain_name(&name.value), span: name.span },
        None => Placed { value: format!("{}_rotor", joint.value), span },
    };
    Ok(Some(RotorInertia { name, joint, ratio, inertia }))
}

fn find(reader: &Reader, node: Xml, words: &[&str]) -> Option<Placed<f64>> {
    let child = node.descendants().find(|n| n.is_element() && words.contains(&n.tag_name().name()))?;
    let span: Span = reader.tag_span(child);
    let text = child.attribute("value").or_else(|| child.text())?;
    let value = text.trim().parse::<f64>().ok().filter(|x| x.is_finite())?;
    Some(Placed { value, span })
}
