//! Products of powers of units as they are written: `N*mm`, `m/s^2`, `kg*m^2/s`.
//!
//! Expressions read units among numbers and names; this reads a unit that stands alone: in the header of a column, in a list of
//! units to be shown, behind the number of a parameter.

use crate::units::{unit, Dimension, Unit};
use std::fmt;
use std::ops::Range;

/// A product of powers of units, in the order in which it is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UnitProduct {
    /// Units with twice their powers: a square root has a unit too.
    factors: Vec<(&'static Unit, i16)>,
}

/// Why a text is no product of units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoUnit {
    /// There is no such unit.
    Unknown(Range<usize>),
    /// Two units with nothing between them.
    Apart(Range<usize>),
    /// Something that does not belong into a unit.
    Malformed(Range<usize>),
}

impl UnitProduct {
    /// One unit.
    pub fn of(unit: &'static Unit) -> UnitProduct {
        UnitProduct { factors: vec![(unit, 2)] }
    }

    /// Reads a product such as `N*m/rad`: each `/` is for the unit behind it alone. `1` is the empty product, and may stand before `/`.
    pub fn parse(text: &str) -> Result<UnitProduct, NoUnit> {
        Parser { text, at: 0 }.product()
    }

    /// Units and twice their powers.
    pub fn factors(&self) -> &[(&'static Unit, i16)] {
        &self.factors
    }

    /// The unit, where it is one without a power.
    pub fn single(&self) -> Option<&'static Unit> {
        match self.factors[..] {
            [(unit, 2)] => Some(unit),
            _ => None,
        }
    }

    /// What it measures.
    pub fn dimension(&self) -> Dimension {
        let one = |d: Dimension, (unit, halves): &(&Unit, i16)| {
            d.times(unit.dimension.power(f64::from(*halves) / 2.0).unwrap_or(Dimension::NUMBER))
        };
        self.factors.iter().fold(Dimension::NUMBER, one)
    }

    /// One of it is the first number over the second in SI.
    pub fn ratio(&self) -> (f64, f64) {
        let power = |x: f64, halves: u16| match halves % 2 {
            0 => x.powi(i32::from(halves / 2)),
            _ => x.powi(i32::from(halves / 2)) * x.sqrt(),
        };
        self.factors.iter().fold((1.0, 1.0), |(over, under), (unit, halves)| {
            let count = halves.unsigned_abs();
            let (factor, per) = (power(unit.factor, count), power(unit.per, count));
            match *halves > 0 {
                true => (over * factor, under * per),
                false => (over * per, under * factor),
            }
        })
    }

    /// Multiplies it by a power of another, given as twice the power; units that meet are put together.
    pub fn multiply(&mut self, other: &UnitProduct, halves: i16) {
        for (unit, own) in &other.factors {
            let more = own.saturating_mul(halves) / 2;
            match self.factors.iter_mut().find(|f| f.0.name == unit.name) {
                Some(there) => there.1 = there.1.saturating_add(more),
                None => self.factors.push((unit, more)),
            }
        }
        self.factors.retain(|f| f.1 != 0);
    }
}

impl fmt::Display for UnitProduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = |(unit, halves): &(&Unit, i16)| match halves.abs() {
            2 => unit.name.to_string(),
            n if n % 2 == 0 => format!("{}^{}", unit.name, n / 2),
            n => format!("{}^({n}/2)", unit.name),
        };
        let above: Vec<String> = self.factors.iter().filter(|x| x.1 > 0).map(power).collect();
        f.write_str(if above.is_empty() { "1" } else { "" })?;
        f.write_str(&above.join("*"))?;
        self.factors.iter().filter(|x| x.1 < 0).try_for_each(|x| write!(f, "/{}", power(x)))
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn product(mut self) -> Result<UnitProduct, NoUnit> {
        let mut found = UnitProduct::default();
        self.skip();
        if self.eat(&["1"]) {
            self.skip();
            if self.at == self.text.len() {
                return Ok(found);
            }
            self.below(&mut found)?;
        } else {
            self.factor(&mut found, 2)?;
        }
        loop {
            self.skip();
            match () {
                () if self.at == self.text.len() => return Ok(found),
                () if self.eat(&["*", "·"]) => self.factor(&mut found, 2)?,
                () if self.rest().starts_with('/') => self.below(&mut found)?,
                () if self.word().is_empty() => return Err(NoUnit::Malformed(self.here())),
                () => return Err(NoUnit::Apart(self.here())),
            }
        }
    }

    fn below(&mut self, found: &mut UnitProduct) -> Result<(), NoUnit> {
        match self.eat(&["/"]) {
            true => self.factor(found, -2),
            false => Err(NoUnit::Malformed(self.here())),
        }
    }

    /// A unit with its power, which `sign` turns over.
    fn factor(&mut self, found: &mut UnitProduct, sign: i16) -> Result<(), NoUnit> {
        self.skip();
        let word = self.word();
        let place = self.at..self.at + word.len();
        if word.is_empty() {
            return Err(NoUnit::Malformed(self.here()));
        }
        let unit = unit(word).ok_or(NoUnit::Unknown(place.clone()))?;
        self.at = place.end;
        let halves = self.power()?;
        found.multiply(&UnitProduct { factors: vec![(unit, halves)] }, sign);
        Ok(())
    }

    /// Twice a power: `^2`, `^-1`, `^(1/2)`, `²`, or none.
    fn power(&mut self) -> Result<i16, NoUnit> {
        const LARGEST: i16 = 20;
        for (mark, halves) in [("²", 4), ("³", 6)] {
            if self.eat(&[mark]) {
                return Ok(halves);
            }
        }
        if !self.eat(&["^"]) {
            return Ok(2);
        }
        let bracket = self.eat(&["("]);
        let length = self.rest().find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(self.rest().len());
        let number: Option<i16> = self.rest()[..length].parse().ok().filter(|n: &i16| n.abs() <= LARGEST && *n != 0);
        let number = number.ok_or_else(|| NoUnit::Malformed(self.here()))?;
        self.at += length;
        let halves = if bracket && self.eat(&["/2"]) { number } else { 2 * number };
        match bracket && !self.eat(&[")"]) {
            true => Err(NoUnit::Malformed(self.here())),
            false => Ok(halves),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, marks: &[&str]) -> bool {
        let found = marks.iter().find(|mark| self.rest().starts_with(**mark)).map_or(0, |mark| mark.len());
        self.at += found;
        found > 0
    }

    /// The word that begins here, if one does.
    fn word(&self) -> &str {
        let own = |c: char| c.is_alphabetic() || c == '_' || c == '°';
        let begins = self.rest().starts_with(own);
        let within = |c: char| own(c) || (c.is_numeric() && !"²³".contains(c));
        let end = self.rest().find(|c: char| !within(c));
        if begins {
            &self.rest()[..end.unwrap_or(self.rest().len())]
        } else {
            ""
        }
    }

    /// The word or the character that stands here.
    fn here(&self) -> Range<usize> {
        let character = self.rest().chars().next().map_or(0, char::len_utf8);
        self.at..self.at + self.word().len().max(character)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::UNITS;

    #[test]
    fn products_read_back_as_they_print() {
        for text in ["1", "m", "N*mm", "m/s^2", "kg*m^2/s", "N*m*s/rad", "1/s", "kg/m^2/s", "m^(1/2)", "g0", "1/m^2"] {
            assert_eq!(UnitProduct::parse(text).unwrap().to_string(), text);
        }
        for (text, printed) in [(" N · m ", "N*m"), ("mm²", "mm^2"), ("°/s", "deg/s"), ("s^-1", "1/s"), ("m*m", "m^2")]
        {
            assert_eq!(UnitProduct::parse(text).unwrap().to_string(), printed);
        }
        for unit in UNITS {
            let (over, under) = UnitProduct::parse(unit.name).unwrap().ratio();
            assert_eq!((over / under, unit.name), (unit.to_si(1.0), unit.name));
        }
    }

    #[test]
    fn dimensions_and_ratios_by_hand() {
        let read = |text: &str| UnitProduct::parse(text).unwrap();
        assert_eq!(read("N*m").dimension(), Dimension::TORQUE);
        assert_eq!(read("deg/s").dimension(), Dimension::ANGULAR_VELOCITY);
        let value = |text: &str| read(text).ratio().0 / read(text).ratio().1;
        assert_eq!((value("km/h"), value("N/mm^2"), value("g/cm^3")), (1000.0 / 3600.0, 1e6, 1000.0));
    }

    #[test]
    fn what_is_no_unit_is_placed() {
        for (text, found) in [
            ("mmm", NoUnit::Unknown(0..3)),
            ("N*metre", NoUnit::Unknown(2..7)),
            ("mm deg", NoUnit::Apart(3..6)),
            ("m^", NoUnit::Malformed(2..2)),
            ("m^0", NoUnit::Malformed(2..3)),
            ("", NoUnit::Malformed(0..0)),
            ("5 mm", NoUnit::Malformed(0..1)),
            ("N*", NoUnit::Malformed(2..2)),
            ("(N*m)", NoUnit::Malformed(0..1)),
            ("m^99999999", NoUnit::Malformed(2..3)),
        ] {
            assert_eq!(UnitProduct::parse(text), Err(found), "{text}");
        }
    }
}
