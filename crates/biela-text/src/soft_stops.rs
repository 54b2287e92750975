//! Soft stops of joints' limits as the loads that they are.

use super::joints::{limited_coordinate, Joints};
use super::reader::{section, Reader};
use biela_base::error::Result;
use biela_base::signal_name;
use biela_core::blueprint::LoadPlan;
use biela_core::couplings::CoordinateRef;
use biela_core::expr::Scope;
use biela_core::joints::{Joint, Stop};
use biela_core::loads::{Quantity, SOFT_STOP};

/// The loads of all soft stops.
pub(super) fn loads(root: &Reader, joints: &Joints, scope: &dyn Scope) -> Result<Vec<LoadPlan>> {
    let mut plans = Vec::new();
    if !joints.list.iter().any(has_soft) {
        return Ok(plans);
    }
    for entry in section(root, "joints", "[joints.A]")? {
        let found = joints.find(&entry.key).filter(|j| has_soft(&joints.list[*j]));
        let Some(number) = found else { continue };
        let reader = Reader::of_entry(root.context, format!("joint '{}'", entry.key), entry)?;
        let joint = &joints.list[number];
        for limits in reader.inner_list("limits", "limits.")? {
            let of = limited_coordinate(&limits, joint.kind)?;
            if joint.limits_of(of).stop != Stop::Soft {
                continue;
            }
            let coordinate = joint.kind.coordinates().get(of);
            let angle = coordinate.is_none_or(|c| c.angle);
            let name = match coordinate.filter(|_| of > 0) {
                Some(c) => signal_name::join(&signal_name::join(&entry.key, c.name), "stop"),
                None => signal_name::join(&entry.key, "stop"),
            };
            let mut plan = LoadPlan::new(&name, SOFT_STOP, limits.place());
            plan.coordinate = Some(CoordinateRef { joint: number, coordinate: of });
            for (key, quantity) in [
                ("lower", Quantity::Position),
                ("upper", Quantity::Position),
                ("stiffness", Quantity::Stiffness),
                ("damping", Quantity::Damping),
            ] {
                if let Some(node) = limits.get(key) {
                    plan.scalars.push((key, limits.formula(node, key, quantity.dimension(angle), scope)?));
                }
            }
            plans.push(plan);
        }
    }
    Ok(plans)
}

/// Whether any limit of a joint is soft.
pub(super) fn has_soft(joint: &Joint) -> bool {
    joint.all_limits().any(|(_, limits)| limits.stop == Stop::Soft)
}
