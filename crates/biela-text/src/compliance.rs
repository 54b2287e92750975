//! `stiffness`, `damping` and `preload` of joints that are made of springs: a load along each of their coordinates.

use super::joints::Joints;
use super::reader::{section, Reader};
use super::tree::Node;
use super::values;
use biela_base::error::Result;
use biela_base::signal_name;
use biela_core::blueprint::LoadPlan;
use biela_core::couplings::CoordinateRef;
use biela_core::expr::{Expression, Scope};
use biela_core::joints::{Joint, Key};
use biela_core::loads::{LoadKind, Quantity, JOINT_SPRING, JOINT_TORQUE};

/// The loads of all such joints.
pub(super) fn read(root: &Reader, joints: &Joints, scope: &dyn Scope) -> Result<Vec<LoadPlan>> {
    let mut plans = Vec::new();
    if !joints.list.iter().any(Joint::is_compliant) {
        return Ok(plans);
    }
    for entry in section(root, "joints", "[joints.A]")? {
        let found = joints.find(&entry.key).filter(|j| joints.list[*j].kind.keys().contains(&Key::Compliance));
        let Some(number) = found else { continue };
        let reader = Reader::of_entry(root.context, format!("joint '{}'", entry.key), entry)?;
        of_joint(&reader, number, &joints.list[number], scope, &mut plans)?;
    }
    Ok(plans)
}

/// The loads of one.
fn of_joint(reader: &Reader, number: usize, joint: &Joint, scope: &dyn Scope, plans: &mut Vec<LoadPlan>) -> Result<()> {
    let names = joint.kind.coordinates();
    let along = joint.kind.compliant(joint.space);
    let told = along.iter().map(|k| names[*k].name).collect::<Vec<_>>().join(", ");
    let list = |key: &'static str, quantity: Quantity| -> Result<Option<Vec<Expression>>> {
        let Some(node) = reader.get(key) else { return Ok(None) };
        let nodes = values::items(node, &reader.name(key), &[along.len()])
            .map_err(|e| reader.blame(e).note(format!("one for each of {told}")))?;
        let part = |(node, k): (&Node, &usize)| reader.formula(node, key, quantity.dimension(names[*k].angle), scope);
        nodes.iter().zip(along).map(part).collect::<Result<Vec<_>>>().map(Some)
    };
    let stiffness = list("stiffness", Quantity::Stiffness)?;
    let damping = list("damping", Quantity::Damping)?;
    let preload = list("preload", Quantity::Effort)?;
    let Some(stiffness) = stiffness else {
        return Err(reader.missing("stiffness", &format!("one value for each of {told}; 0 leaves one free")));
    };
    let is_zero = |e: &Expression| e.as_constant() == Some(0.0);
    let damping = damping.unwrap_or_else(|| vec![Expression::constant(0.0); along.len()]);
    let preload = preload.unwrap_or_else(|| vec![Expression::constant(0.0); along.len()]);
    for (place, coordinate) in along.iter().enumerate() {
        let name = signal_name::join(&joint.name, names[*coordinate].name);
        let mut add = |name: &str, kind: &'static dyn LoadKind, scalars: Vec<(&'static str, Expression)>| {
            if scalars.iter().all(|(_, value)| is_zero(value)) {
                return;
            }
            let mut plan = LoadPlan::new(name, kind, reader.place());
            plan.coordinate = Some(CoordinateRef { joint: number, coordinate: *coordinate });
            plan.scalars = scalars;
            plans.push(plan);
        };
        let spring = [("stiffness", &stiffness), ("damping", &damping)].map(|(key, all)| (key, all[place].clone()));
        add(&name, JOINT_SPRING, spring.to_vec());
        add(&signal_name::join(&name, "preload"), JOINT_TORQUE, vec![("value", preload[place].clone())]);
    }
    Ok(())
}
