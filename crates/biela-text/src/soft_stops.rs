//! Soft stops of joints' limits as the loads that they are.

use super::joints::Joints;
use super::reader::{section, Reader};
use biela_base::error::Result;
use biela_base::signal_name;
use biela_core::blueprint::LoadPlan;
use biela_core::couplings::CoordinateRef;
use biela_core::expr::Scope;
use biela_core::joints::Stop;
use biela_core::loads::{Quantity, SOFT_STOP};

/// The loads of all soft stops.
pub(super) fn loads(root: &Reader, joints: &Joints, scope: &dyn Scope) -> Result<Vec<LoadPlan>> {
    let mut plans = Vec::new();
    if joints.list.iter().all(|joint| joint.limits.stop != Stop::Soft) {
        return Ok(plans);
    }
    for entry in section(root, "joints", "[joints.A]")? {
        let found = joints.find(&entry.key).filter(|j| joints.list[*j].limits.stop == Stop::Soft);
        let Some(number) = found else { continue };
        let reader = Reader::of_entry(root.context, format!("joint '{}'", entry.key), entry)?;
        let Some(limits) = reader.inner("limits", "limits.")? else { continue };
        let angle = joints.list[number].kind.coordinates().first().is_none_or(|c| c.angle);
        let mut plan = LoadPlan::new(&signal_name::join(&entry.key, "stop"), SOFT_STOP, limits.place());
        plan.coordinate = Some(CoordinateRef { joint: number, coordinate: 0 });
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
    Ok(plans)
}
