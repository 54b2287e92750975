//! Hard stops of joint coordinates: g = x − lower, and g = upper − x.

use super::{Push, Source, Unilateral};
use crate::error::Result;
use crate::joints::Restitution;
use crate::model::Model;
use crate::results::quantity_in_words;
use crate::signal::Element;
use crate::solve::forces::wrenches_along;
use crate::system::{System, Workspace};

/// The stops of all joints.
pub(super) struct Stops;

/// One of them.
#[derive(Debug)]
struct HardStop {
    name: String,
    unit: &'static str,
    /// Number of the coordinate among all of a system.
    coordinate: usize,
    limit: f64,
    /// 1 at the least coordinate, −1 at the greatest.
    sense: f64,
    restitution: Restitution,
}

impl HardStop {
    fn measure(&self, system: &System) -> usize {
        system.constraints.coordinates()[self.coordinate].2
    }
}

impl Unilateral for HardStop {
    fn name(&self) -> &str {
        &self.name
    }
    fn unit(&self) -> &'static str {
        self.unit
    }
    fn gap(&self, system: &System, ws: &Workspace) -> f64 {
        self.sense * (system.constraints.value(self.measure(system), &ws.evaluation) - self.limit)
    }
    fn wrenches(&self, _: usize, system: &System, ws: &Workspace, push: Push) {
        wrenches_along(system, ws, self.coordinate, self.sense, push);
    }
    fn rate(&self, _: usize, system: &System, ws: &Workspace) -> f64 {
        self.sense * system.constraints.rate(self.measure(system), &ws.evaluation)
    }
    fn acceleration(&self, _: usize, system: &System, ws: &Workspace) -> f64 {
        self.sense * system.constraints.acceleration(self.measure(system), &ws.evaluation)
    }
    fn restitution(&self) -> Restitution {
        self.restitution
    }
    fn along(&self) -> Option<(usize, f64)> {
        Some((self.coordinate, self.sense))
    }
}

impl Source for Stops {
    fn any(&self, model: &Model) -> bool {
        model.has_stops()
    }

    fn add(&self, system: &System, list: &mut Vec<Box<dyn Unilateral>>) -> Result<()> {
        let model = system.model;
        let numbered = model.joints.iter().enumerate();
        for (number, of, limits) in numbered.flat_map(|(k, joint)| joint.all_limits().map(move |(c, l)| (k, c, l))) {
            let found = limits.stop.restitution().zip(system.constraints.coordinate_number(number, of));
            let Some((restitution, coordinate)) = found else { continue };
            let element = Element::Coordinate(number, of);
            let unit = element.signals(model).next().map_or("1", |signal| signal.unit());
            for (which, limit, sense) in [("lower", limits.lower, 1.0), ("upper", limits.upper, -1.0)] {
                let Some(limit) = limit else { continue };
                let shown = quantity_in_words(&model.study.units, limit, unit, 6);
                let name = format!("{which} stop {shown} of {}", element.name(model));
                list.push(Box::new(HardStop { name, unit, coordinate, limit, sense, restitution }));
            }
        }
        Ok(())
    }
}
