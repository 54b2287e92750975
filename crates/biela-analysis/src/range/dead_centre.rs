//! The range of a value at whose extreme the mechanism is drawn: a slider-crank stretched out, asked for the range of its slide.

use super::{coordinate, from_here, Range, STRIDE};
use crate::couplings::CoordinateRef;
use crate::drivers::Target;
use crate::loose_coordinates::held;
use crate::manual_pose::{assembled, Posture};
use crate::model::Model;
use crate::signal::{coordinate_elements, Element};
use crate::system::{System, Workspace};

/// The range from a position beside the extreme, to which another coordinate leads. `None` where none does, or where other drivers hold theirs.
pub(super) fn from_beside(model: &Model, name: Option<&str>) -> Option<Range> {
    let own = match name {
        Some(name) => model.drivers.iter().find(|d| d.name == name),
        None => model.drivers.first(),
    };
    let of = match own.map(|d| &d.target) {
        Some(Target::Coordinate { of, .. }) => *of,
        Some(_) => return None,
        None => coordinate(model, name?)?,
    };
    if model.drivers.len() > 1 {
        return None;
    }
    let drawn = assembled(model, model.study.start).ok()?;
    let asked = Element::Coordinate(of.joint, of.coordinate).name(model);
    let value = |posture: &Posture, name: &str| posture.coordinates.iter().find(|c| c.0 == name).map(|c| c.1);
    let here = value(&drawn, &asked)?;
    let system = System::new(model, "absolute").ok()?;
    let size = Workspace::new(&system).size;
    for (joint, c) in coordinate_elements(model).filter(|(j, c)| (*j, *c) != (of.joint, of.coordinate)) {
        let Some(now) = value(&drawn, &Element::Coordinate(joint, c).name(model)) else { continue };
        let angle = model.joints[joint].kind.coordinates().get(c).is_none_or(|c| c.angle);
        let stride = STRIDE * if angle { 1.0 } else { size };
        for away in [stride, -stride] {
            let lead = held(CoordinateRef { joint, coordinate: c }, now + away);
            let beside = model.with_guess(&drawn.poses).with_drivers(vec![lead]);
            if let Ok(found) = from_here(&beside, Some(&asked)) {
                let driver = name.map_or_else(|| model.drivers[0].name.clone(), str::to_string);
                return Some(Range { driver, here, ..found });
            }
        }
    }
    None
}
