//! A roller follower that slides along a line, and the cam that it needs.
//!
//! The cam turns by θ about z; the follower slides along u. Seen from the cam's axis the roller's centre is at (e, y) in the directions u × z
//! and u, with y = s + √(r² − e²), r the sum of the base circle's radius and the roller's, e the eccentricity, s(θ) the lift. Where cam and
//! follower touch, their common normal goes through the roller's centre and the instant centre (s′, 0), so the pressure angle has
//! tan φ = (s′ − e)/y. In the cam the centre runs on the pitch curve, whose first two derivatives turned back are (y, s′ − e) and
//! (2 s′ − e, s″ − y): its radius of curvature is ρ = (y² + (s′ − e)²)^{3/2} / (y² + (s′ − e)(2 s′ − e) − y s″), positive where it is convex,
//! and that of the profile is less by the roller's radius. Where 0 < ρ < roller the profile would cut itself (undercutting)
//! [R. L. Norton, Design of Machinery, chapter on cams].

use crate::math::{Elementary, Jet};
use crate::motion::Motion;
use std::f64::consts::TAU;

/// A roller follower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Follower {
    /// Radius of the base circle, on which the roller stands where the follower's coordinate is zero.
    pub base: f64,
    /// Radius of the roller; 0 for a knife edge.
    pub roller: f64,
    /// How far the follower's line passes the cam's axis, along u × z.
    pub eccentricity: f64,
}

/// How cam and roller touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Distance of the contact from the cam's axis.
    pub radius: f64,
    /// Angle from the follower's direction to the common normal.
    pub pressure_angle: f64,
    /// Radius of curvature of the cam's profile there, negative where it is hollow.
    pub curvature_radius: f64,
}

/// Where a profile cannot be cut as the follower asks for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Undercut {
    /// Where it begins and ends, as angles of the cam.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The least radius of the pitch curve in between.
    pub radius: f64,
}

impl Follower {
    /// The roller's centre over the cam's axis along the follower's line, where the lift is `s`.
    pub fn height(&self, s: f64) -> f64 {
        let prime = self.base + self.roller;
        s + (prime * prime - self.eccentricity * self.eccentricity).max(0.0).sqrt()
    }

    /// How they touch, of the lift and its derivatives to the cam's angle.
    pub fn contact(&self, s: Jet) -> Contact {
        let [x, y] = self.point(s, self.roller);
        let aside = s.d - self.eccentricity;
        Contact {
            radius: x.hypotenuse(y),
            pressure_angle: aside.arctangent2(self.height(s.v)),
            curvature_radius: self.pitch_radius(s) - self.roller,
        }
    }

    /// The point at `inside` from the roller's centre towards the cam, along u × z and u.
    fn point(&self, s: Jet, inside: f64) -> [f64; 2] {
        let (aside, y) = (s.d - self.eccentricity, self.height(s.v));
        let share = inside / aside.hypotenuse(y);
        [self.eccentricity + share * aside, y - share * y]
    }

    /// Radius of curvature of the pitch curve.
    fn pitch_radius(&self, s: Jet) -> f64 {
        let (aside, y) = (s.d - self.eccentricity, self.height(s.v));
        let square = y * y + aside * aside;
        square * square.sqrt() / (y * y + aside * (2.0 * s.d - self.eccentricity) - y * s.dd)
    }

    /// The cam's profile at its angle `theta`, in the cam: x along u × z and y along u where the angle is zero.
    pub fn profile(&self, profile: &Motion, theta: f64) -> [f64; 2] {
        let [x, y] = self.point(profile.jet(theta), self.roller);
        let (sin, cos) = theta.sine_cosine();
        // Back by θ about z, seen along x = u × z and y = u.
        [cos * x + sin * y, cos * y - sin * x]
    }

    /// The first stretch of a turn where the profile is undercut.
    pub fn undercut(&self, profile: &Motion) -> Option<Undercut> {
        const STEPS: usize = 720;
        let at = |k: usize| TAU * k as f64 / STEPS as f64;
        let radius = |k: usize| self.pitch_radius(profile.jet(at(k)));
        let cut = |k: &usize| (0.0..self.roller).contains(&radius(*k));
        let first = (0..STEPS).find(cut)?;
        let last = (first..STEPS).take_while(cut).last().unwrap_or(first);
        let least = (first..=last).map(radius).fold(f64::INFINITY, f64::min);
        Some(Undercut { from: at(first), to: at(last), radius: least })
    }

    /// The first angle of a turn where the roller's centre would be at the cam's axis or beyond.
    pub fn passes_axis(&self, profile: &Motion) -> Option<f64> {
        const STEPS: usize = 720;
        let angles = (0..STEPS).map(|k| TAU * k as f64 / STEPS as f64);
        angles.into_iter().find(|angle| self.height(profile.jet(*angle).v) <= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::segments::{Segment, Segments};

    fn cam() -> Motion {
        let law = |word: &str| crate::motion::laws::law_type(word).unwrap();
        let rise = |word, to, over: f64| Segment { rise: Some((law(word), to)), over: over.to_radians() };
        let dwell = |over: f64| Segment { rise: None, over: over.to_radians() };
        let pieces = [rise("cycloidal", 0.02, 120.0), dwell(30.0), rise("poly4567", 0.0, 130.0), dwell(80.0)];
        Motion::Segments(Segments::new(&pieces).unwrap())
    }

    /// The profile touches the roller: every one of its points is the roller's radius from the centre at its own angle, and no nearer at
    /// any other. So does the envelope know nothing of the formulas above.
    #[test]
    fn the_profile_is_the_envelope_of_the_roller() {
        let (motion, follower) = (cam(), Follower { base: 0.04, roller: 0.008, eccentricity: 0.006 });
        for k in 0..360 {
            let theta = f64::from(k).to_radians();
            let [x, y] = follower.profile(&motion, theta);
            let gap = |angle: f64| {
                // The roller's centre in the cam, by turning the ground's frame back.
                let height = follower.height(motion.jet(angle).v);
                let (sin, cos) = angle.sin_cos();
                let centre = [cos * 0.006 + sin * height, cos * height - sin * 0.006];
                (x - centre[0]).hypot(y - centre[1]) - 0.008
            };
            assert!(gap(theta).abs() < 1e-15, "{k}");
            for other in -180..180 {
                let angle = (theta + f64::from(other).to_radians()).rem_euclid(TAU);
                assert!(gap(angle) > -1e-12, "{k} {other}");
            }
        }
    }

    #[test]
    fn curvature_is_that_of_the_outline() {
        let (motion, follower) = (cam(), Follower { base: 0.04, roller: 0.008, eccentricity: 0.006 });
        /// Central differences of second order with a step of 1e-4: 1e-8, and rounding 1e-16/1e-8.
        const DIFFERENCE: f64 = 2e-6;
        let h = 1e-4;
        for k in (5..355).step_by(7).filter(|k| ![120, 150, 280].iter().any(|edge: &i32| (edge - k).abs() < 2)) {
            let theta = f64::from(k).to_radians();
            let p = |n: f64| follower.profile(&motion, theta + n * h);
            let ([ax, ay], [bx, by], [cx, cy]) = (p(-1.0), p(0.0), p(1.0));
            let (dx, dy) = ((cx - ax) / (2.0 * h), (cy - ay) / (2.0 * h));
            let (ddx, ddy) = ((cx - 2.0 * bx + ax) / (h * h), (cy - 2.0 * by + ay) / (h * h));
            // The outline runs clockwise: against the cam's turning.
            let radius = -(dx * dx + dy * dy).powf(1.5) / (dx * ddy - dy * ddx);
            let told = follower.contact(motion.jet(theta)).curvature_radius;
            assert!((1.0 / radius - 1.0 / told).abs() < DIFFERENCE / 0.04, "{k}: {radius} against {told}");
        }
    }

    #[test]
    fn a_large_roller_undercuts() {
        let small = Follower { base: 0.04, roller: 0.008, eccentricity: 0.0 };
        assert_eq!(small.undercut(&cam()), None);
        // Where the follower slows down most, the pitch curve bends with about (y² + s'²)^1.5 / (y² + 2 s'² − y s'') = 0.0591 m, with
        // y = 0.0802 m, s' = h/β = 9.55 mm and s'' = −2π h/β² = −28.6 mm; nearby a little more.
        let tight = Follower { base: 0.002, roller: 0.06, eccentricity: 0.0 };
        let found = tight.undercut(&cam()).expect("undercut");
        assert!(found.from > 0.0 && found.to > found.from && (found.radius - 0.0591).abs() < 5e-4, "{found:?}");
        assert!(tight.passes_axis(&Motion::Constant(-0.07)).is_some() && tight.passes_axis(&cam()).is_none());
    }
}
