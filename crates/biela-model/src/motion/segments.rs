//! Rises, returns and dwells one after the other over a whole turn, as the profile of a cam.

use super::laws::{Law, LawType, LAWS};
use crate::error::Error;
use crate::math::Jet;
use std::f64::consts::TAU;

/// Sums of angles that are written in degrees may miss the turn by so much of it.
const TURN: f64 = 1e-9;

/// Pieces that follow each other from 0 to a whole turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Segments {
    /// Each begins where the one before ends, in angle and in value.
    laws: Vec<Law>,
}

/// One piece: how it goes, to what value, over what angle.
#[derive(Debug, Clone, Copy)]
pub struct Segment {
    /// The law and the value it leads to; a dwell where there is none.
    pub rise: Option<(&'static LawType, f64)>,
    /// The angle it takes.
    pub over: f64,
}

/// What is wrong with segments, and with which of them.
#[derive(Debug)]
pub struct SegmentsFault {
    /// The segment that is at fault.
    pub segment: usize,
    /// The key of it that says so.
    pub key: &'static str,
    /// What is wrong.
    pub error: Error,
}

impl Segments {
    /// Pieces from angle and value zero on, which must fill a turn and come back to zero.
    pub fn new(pieces: &[Segment]) -> std::result::Result<Segments, SegmentsFault> {
        let mut laws: Vec<Law> = Vec::with_capacity(pieces.len());
        let (mut angle, mut value) = (0.0, 0.0);
        let last = pieces.len().saturating_sub(1);
        let span = |piece: &Segment| if piece.rise.is_some() { "over" } else { "dwell" };
        for (segment, piece) in pieces.iter().enumerate() {
            let fault = |key, error| SegmentsFault { segment, key, error };
            let (kind, to) = piece.rise.unwrap_or((&LAWS[0], value));
            let due = if segment == last { TAU } else { angle + piece.over };
            if !(piece.over > 0.0 && piece.over <= TAU * (1.0 + TURN)) {
                let error = Error::new(format!(
                    "a segment takes an angle between 0 and 360 deg, not {} deg",
                    degrees(piece.over)
                ));
                return Err(fault(span(piece), error));
            }
            if segment == last && (angle + piece.over - TAU).abs() > TURN * TAU {
                return Err(fault(span(piece), not_a_turn(angle + piece.over)));
            }
            laws.push(Law::new(kind, value, to, angle, due).map_err(|e| fault(span(piece), e))?);
            (angle, value) = (due, to);
        }
        let largest = laws.iter().fold(0.0f64, |m, law| m.max(law.to.abs()));
        if value.abs() > TURN * largest {
            let error = Error::new("the follower does not come back: the segments end elsewhere than they begin, at 0")
                .note("let the last rise or return lead to = 0");
            let segment = pieces.iter().rposition(|p| p.rise.is_some()).unwrap_or(last);
            return Err(SegmentsFault { segment, key: "to", error });
        }
        Ok(Segments { laws })
    }

    /// First and last angle.
    pub fn range(&self) -> (f64, f64) {
        (0.0, TAU)
    }

    /// Its pieces.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// The same, lower by a constant.
    pub fn less(&self, constant: f64) -> Segments {
        let lower = |law: &Law| Law { from: law.from - constant, to: law.to - constant, ..law.clone() };
        Segments { laws: self.laws.iter().map(lower).collect() }
    }

    /// Value and the first two derivatives; where two pieces meet, those of the second.
    pub fn jet(&self, x: f64) -> Jet {
        let k = self.laws.partition_point(|law| law.end <= x).min(self.laws.len() - 1);
        self.laws[k].jet(x)
    }

    /// The same of an argument that moves itself.
    pub fn of(&self, x: Jet) -> Jet {
        let f = self.jet(x.v);
        x.chain(f.v, f.d, f.dd)
    }

    /// Angles at which the rate jumps.
    pub fn jumps(&self) -> impl Iterator<Item = f64> + '_ {
        /// Of the greatest rate of all pieces; what rounding leaves is far below.
        const JUMP: f64 = 1e-6;
        let fastest = |law: &Law| (law.to - law.from).abs() / (law.end - law.start);
        let scale = self.laws.iter().map(fastest).fold(0.0, f64::max);
        let before = |k: usize| &self.laws[(k + self.laws.len() - 1) % self.laws.len()];
        let jumps = move |k: &usize| {
            let (a, b) = (before(*k), &self.laws[*k]);
            (a.jet(a.end).d - b.jet(b.start).d).abs() > JUMP * scale
        };
        (0..self.laws.len()).filter(jumps).map(|k| self.laws[k].start)
    }
}

fn not_a_turn(sum: f64) -> Error {
    let rest = TAU - sum;
    let error = Error::new(format!("the segments take {} deg together; a turn of the cam is 360 deg", degrees(sum)));
    error.note(match rest > 0.0 {
        true => format!("{0} deg are missing: lengthen a segment or add {{ dwell = \"{0} deg\" }}", degrees(rest)),
        false => format!("{} deg are too many: shorten a segment", degrees(-rest)),
    })
}

/// Degrees for a message, with nine digits.
fn degrees(angle: f64) -> String {
    let degrees = angle.to_degrees();
    format!("{degrees:.8e}").parse::<f64>().map_or_else(|_| degrees.to_string(), |rounded| rounded.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::laws::law_type;
    use super::*;

    fn rise(law: &str, to: f64, over: f64) -> Segment {
        Segment { rise: Some((law_type(law).unwrap(), to)), over: over.to_radians() }
    }

    fn dwell(over: f64) -> Segment {
        Segment { rise: None, over: over.to_radians() }
    }

    #[test]
    fn pieces_follow_each_other() {
        let cam = Segments::new(&[rise("cycloidal", 2.0, 90.0), dwell(60.0), rise("poly345", 0.0, 120.0), dwell(90.0)])
            .unwrap();
        let at = |degrees: f64| cam.jet(f64::to_radians(degrees));
        assert!((at(45.0).v - 1.0).abs() < 1e-14 && (at(45.0).d - 2.0 * 2.0 / (TAU / 4.0)).abs() < 1e-14);
        assert_eq!(at(120.0), Jet::constant(2.0));
        assert!((at(210.0).v - 1.0).abs() < 1e-14);
        assert_eq!(at(300.0), Jet::constant(0.0));
        assert_eq!(cam.jet(TAU).v, 0.0);
        assert_eq!(cam.jumps().count(), 0);
        assert!((cam.less(0.5).jet(1.0).v - cam.jet(1.0).v + 0.5).abs() < 1e-15);
        let jerky = Segments::new(&[rise("linear", 1.0, 90.0), dwell(90.0), rise("harmonic", 0.0, 180.0)]).unwrap();
        assert_eq!(jerky.jumps().map(degrees).collect::<Vec<_>>(), ["0", "90"]);
    }

    #[test]
    fn what_is_no_turn_is_told() {
        let fault = |pieces: &[Segment]| {
            let fault = Segments::new(pieces).unwrap_err();
            (fault.segment, fault.key, fault.error.message().to_string())
        };
        let (segment, key, message) = fault(&[rise("cycloidal", 2.0, 90.0), rise("cycloidal", 0.0, 260.0)]);
        assert_eq!((segment, key), (1, "over"));
        assert!(message.contains("350 deg"), "{message}");
        let (segment, key, message) = fault(&[rise("cycloidal", 2.0, 90.0), dwell(270.0)]);
        assert_eq!((segment, key), (0, "to"));
        assert!(message.contains("come back"), "{message}");
        assert_eq!(fault(&[rise("cycloidal", 2.0, -90.0), dwell(270.0)]).1, "over");
        assert_eq!(fault(&[dwell(0.0), dwell(360.0)]).1, "dwell");
    }
}
