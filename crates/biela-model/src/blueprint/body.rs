//! Bodies: points, the pose in the drawing, and mass properties.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use super::mass;
use super::place::Place;
use super::quantity::{shown, Binding, Direction, Quantity, Vector};
use super::shape::{positive, ShapePlan};
use crate::error::Result;
use crate::joints::Space;
use crate::math::{EulerParameters, Inertia, Pose, Rotation, Vec3};
use crate::model::{Body, MassProperties, Shape};

/// A body as it is described.
#[derive(Debug, Clone, Default)]
pub struct BodyPlan {
    /// Its name.
    pub name: String,
    /// What it moves in.
    pub space: Space,
    /// Named points, in its frame.
    pub points: Vec<(String, Vector)>,
    /// Its pose in the drawing.
    pub pose: PosePlan,
    /// What it looks like.
    pub shapes: Vec<ShapePlan>,
    /// Its colour in pictures, where one is given.
    pub colour: Option<[u8; 3]>,
    /// `mass`.
    pub mass: Option<Quantity>,
    /// `com`.
    pub com: Option<Vector>,
    /// `inertia`, in the order of [`Inertia::NAMES`], about the centre of mass in body axes.
    pub inertia: Option<[Quantity; 6]>,
    /// Whether an inertia that no body has is told, not refused.
    pub unphysical: bool,
    /// Where it is described.
    pub place: Place,
}

/// A pose as it is described.
#[derive(Debug, Clone, Default)]
pub struct PosePlan {
    /// The origin.
    pub at: Option<Vector>,
    /// The orientation.
    pub turn: Turn,
    /// Where it is described.
    pub place: Place,
}

/// An orientation as it is described.
#[derive(Debug, Clone, Default)]
pub enum Turn {
    /// That of the ground.
    #[default]
    None,
    /// By an angle about an axis.
    About(Quantity, Direction),
    /// Roll, pitch and yaw about the fixed axes x, y, z in that order.
    Rpy(Vector),
    /// Euler parameters, scalar first.
    Euler([Quantity; 4]),
}

impl BodyPlan {
    /// The body.
    pub fn build(&self, binding: &Binding) -> Result<Body> {
        let points = self.points.iter().map(|(name, _)| (name.clone(), Vec3::ZERO)).collect();
        let mut body = Body {
            name: self.name.clone(),
            mass: None,
            points,
            X_WB: Pose::IDENTITY,
            shapes: Vec::new(),
            colour: self.colour,
            span: self.place.span.clone(),
        };
        self.bind(binding, &mut body)?;
        Ok(body)
    }

    /// Puts the values into the body made before.
    pub fn bind(&self, binding: &Binding, body: &mut Body) -> Result<()> {
        let blame = |e| self.place.blame(e);
        for ((_, plan), (_, point)) in self.points.iter().zip(&mut body.points) {
            *point = binding.vector(plan).map_err(blame)?;
        }
        body.X_WB = self.pose.value(binding)?;
        match body.shapes.len() == self.shapes.len() {
            true => {
                for (plan, shape) in self.shapes.iter().zip(&mut body.shapes) {
                    *shape = plan.value(binding)?;
                }
            }
            false => body.shapes = self.shapes.iter().map(|shape| shape.value(binding)).collect::<Result<_>>()?,
        }
        body.mass = self.mass_properties(binding, &body.shapes)?;
        Ok(())
    }

    fn mass_properties(&self, binding: &Binding, shapes: &[Shape]) -> Result<Option<MassProperties>> {
        let place = &self.place;
        let blame = |e| place.blame(e);
        let mut parts = Vec::new();
        for (plan, shape) in self.shapes.iter().zip(shapes) {
            let Some(density) = &plan.density else { continue };
            let density = positive(binding, density, &plan.place, "density")?;
            let found = mass::of_solid(&shape.solid, &shape.pose, density);
            if !mass::is_of_a_solid(&found, shape) {
                let message = "the mesh bounds no solid: some of its parts face inwards, or it holds no volume";
                let advice = "repair the mesh, or give mass, com and inertia on the body";
                return Err(place.wrong_value("shape", message).note(advice));
            }
            parts.push(found);
        }
        if let Some(found) = mass::together(&parts) {
            return Ok(Some(if self.space.is_planar() { mass::in_plane(&found) } else { found }));
        }
        let Some(mass) = &self.mass else { return Ok(None) };
        let mass = mass.value(binding).map_err(blame)?;
        let com = self.com.as_ref().map(|c| binding.vector(c).map_err(blame)).transpose()?;
        let inertia = self.inertia.as_ref().map(|i| binding.numbers(i).map_err(blame)).transpose()?;
        if mass < 0.0 {
            return Err(place.wrong_value("mass", format!("a mass cannot be negative; this is {mass} kg")));
        }
        let inertia = inertia.map_or(Inertia::ZERO, Inertia::from_entries);
        if mass == 0.0 && inertia != Inertia::ZERO && !self.unphysical {
            return Err(place
                .wrong_value("mass", "the mass is zero, but the body has an inertia")
                .note("leave out both for a body without mass"));
        }
        if let Some(error) = mass::unphysical(inertia) {
            let error = place.blame(error.at_opt(place.of_key("inertia")));
            if !self.unphysical {
                return Err(error
                    .note("if these numbers must stand, add unphysical = true to the body, or run with --unphysical"));
            }
            binding.warn(error);
        }
        let found = MassProperties { mass, com: com.unwrap_or(Vec3::ZERO), inertia };
        Ok(Some(if self.space.is_planar() { mass::in_plane(&found) } else { found }))
    }
}

impl PosePlan {
    /// The pose.
    pub fn value(&self, binding: &Binding) -> Result<Pose> {
        /// Euler parameters printed with few digits are still meant as a rotation.
        const UNIT_TOLERANCE: f64 = 0.01;
        let blame = |e| self.place.blame(e);
        let origin = self.at.as_ref().map_or(Ok(Vec3::ZERO), |at| binding.vector(at).map_err(blame))?;
        let rotation = match &self.turn {
            Turn::None => Rotation::IDENTITY,
            Turn::About(angle, axis) => {
                let angle = angle.value(binding).map_err(blame)?;
                Rotation::about(axis.value(binding).map_err(blame)?, angle)
            }
            Turn::Rpy(rpy) => {
                let [roll, pitch, yaw] = binding.numbers(rpy).map_err(blame)?;
                Rotation::from_rpy(roll, pitch, yaw)
            }
            Turn::Euler(e) => {
                let p = EulerParameters(binding.numbers(e).map_err(blame)?);
                if (p.norm() - 1.0).abs() > UNIT_TOLERANCE {
                    let length = shown(p.norm());
                    return Err(self
                        .place
                        .wrong_value("euler", format!("Euler parameters have length 1; these have length {length}"))
                        .note("they are e0 = cos(angle/2), then the axis times sin(angle/2)"));
                }
                p.normalised().rotation()
            }
        };
        Ok(Pose::new(rotation, origin))
    }
}
