//! Which shapes of bodies may touch.

use super::forms::{form, Unfit};
use super::{Body, Contact, Touching};
use crate::joints::Space;
use biela_distance::{Pair, Placed, Unmatched};
use std::sync::Arc;

impl Contact {
    /// Takes the shapes from the bodies. What cannot touch is left out; of a contact of two bodies alone it is an error.
    ///
    /// # Errors
    /// The first shape, or pair of shapes, that cannot take part.
    pub fn place(&mut self, bodies: &[Body], space: Space) -> Result<(), Unfit> {
        let alone = self.bodies.len() == 1;
        let mut touching = Vec::new();
        // Each shape once, however many pairs it is in.
        let mut placed: Vec<Vec<Option<Arc<Placed>>>> = bodies.iter().map(|b| vec![None; b.shapes.len()]).collect();
        let mut of = |body: usize, shape: usize| -> Result<Arc<Placed>, Unfit> {
            if let Some(known) = &placed[body][shape] {
                return Ok(known.clone());
            }
            let made = Arc::new(form(&bodies[body].shapes[shape], space).map_err(|unfit| Unfit { body, ..unfit })?);
            placed[body][shape] = Some(made.clone());
            Ok(made)
        };
        for [a, b] in self.bodies.iter().copied() {
            for one in 0..bodies[a].shapes.len() {
                let one = match of(a, one) {
                    Ok(one) => one,
                    Err(unfit) if alone => return Err(unfit),
                    Err(_) => continue,
                };
                for two in 0..bodies[b].shapes.len() {
                    let two = match of(b, two) {
                        Ok(two) => two,
                        Err(unfit) if alone => return Err(unfit),
                        Err(_) => continue,
                    };
                    match Pair::new([one.clone(), two], space.is_planar()) {
                        Ok(pair) => touching.push(Touching { bodies: [a, b], pair }),
                        Err(Unmatched::HalfSpaces) if alone => {
                            let message = "two planes have no end, and so no distance".to_string();
                            return Err(Unfit { body: b, message, advice: "give one of the two a solid shape" });
                        }
                        Err(_) => {}
                    }
                }
            }
        }
        self.touching = touching.into();
        Ok(())
    }
}
