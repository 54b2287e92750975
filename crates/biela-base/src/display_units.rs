//! The units that people read: a few are named, the others follow from them.
//!
//! Inside the library and in data every number is SI. Tables, plots, pages, sliders and reports show it in the units that a model
//! (`units = "mm, deg, N, rpm"`) or a command (`--units`) names. A quantity that is named itself has that unit: `rpm` for angular
//! velocities. Any other is put together from those of length, mass, time, angle and force, as its SI unit is: moments `N*m` in `N*mm`,
//! speeds `m/s` in `mm/s`, rates `rad/s` in `deg/s`. What no name reaches stays SI. Energies and moments have one dimension but two
//! names: `J`, `mJ` and `kJ` speak of energies alone.

use crate::error::{nearest, Error, Result};
use crate::source::Span;
use crate::unit_product::{NoUnit, UnitProduct};
use crate::units::{unit, Dimension, Kind, Unit, UNITS};
use std::fmt;

/// Units to show numbers in. None named: SI.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DisplayUnits {
    named: Vec<UnitProduct>,
}

/// How numbers of one unit are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// The unit in which they are shown.
    pub unit: String,
    factor: f64,
    per: f64,
}

impl Scale {
    /// As they are.
    pub fn unchanged(unit: &str) -> Scale {
        Scale { unit: unit.to_string(), factor: 1.0, per: 1.0 }
    }

    /// From one product of units to another of the same dimension.
    fn between(from: &UnitProduct, to: &UnitProduct) -> Scale {
        let ((a, b), (c, d)) = (from.ratio(), to.ratio());
        Scale { unit: to.to_string(), factor: a * d, per: b * c }
    }

    /// Whether numbers stay as they are.
    pub fn is_unchanged(&self) -> bool {
        self.factor == self.per
    }

    /// A number in the unit shown.
    pub fn shown(&self, x: f64) -> f64 {
        if self.is_unchanged() {
            return x;
        }
        x * self.factor / self.per
    }

    /// A number of the unit shown, as it was.
    pub fn back(&self, x: f64) -> f64 {
        if self.is_unchanged() {
            return x;
        }
        x * self.per / self.factor
    }

    /// What numbers are multiplied by to be shown.
    pub fn ratio(&self) -> f64 {
        self.factor / self.per
    }

    /// From the SI unit of a dimension to a unit as a user wrote it; `None` where that is none of it.
    pub fn to_written(kind: Kind, written: &str) -> Option<Scale> {
        let Kind::Known(dimension) = kind else { return None };
        let to = UnitProduct::parse(written).ok().filter(|to| to.dimension().agrees(dimension))?;
        Some(Scale::between(&UnitProduct::default(), &to))
    }
}

/// What a unit is a unit of. Energies are not moments, frequencies no rates.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Quantity {
    dimension: Dimension,
    own_name: Option<&'static str>,
}

/// Units of energies alone, whose dimension moments share.
const ENERGIES: [&str; 3] = ["J", "mJ", "kJ"];
/// Units that are made of others but whose names do not say so, each with what it is made of in SI.
const MADE: [(Dimension, &str); 5] = [
    (Dimension::ENERGY, "N*m"),
    (Dimension::POWER, "N*m/s"),
    (Dimension::PRESSURE, "N/m^2"),
    (Dimension::ANGULAR_VELOCITY, "rad/s"),
    (Dimension::ACCELERATION, "m/s^2"),
];

impl Quantity {
    fn of(product: &UnitProduct) -> Quantity {
        let own_name = product.single().and_then(|unit| match unit.name {
            name if ENERGIES.contains(&name) => Some("J"),
            "Hz" => Some("Hz"),
            _ => None,
        });
        Quantity { dimension: product.dimension(), own_name }
    }

    /// What it is called in messages.
    fn name(self) -> &'static str {
        match (self.own_name, self.dimension) {
            (Some("J"), _) => "energy",
            (None, Dimension::TORQUE) => "moment",
            (_, dimension) => dimension.name(),
        }
    }
}

impl DisplayUnits {
    /// Units by which any table becomes SI again, whatever it is in.
    pub fn si() -> DisplayUnits {
        let named = ["m", "kg", "s", "rad", "N", "N*m", "J", "W", "Pa", "Hz", "rad/s"];
        DisplayUnits { named: named.iter().filter_map(|text| UnitProduct::parse(text).ok()).collect() }
    }

    /// Reads a list such as `mm, deg, N, rpm`, or `SI`. Faults are shown in `place`, which holds the text, or else named by their words alone.
    pub fn parse(text: &str, place: Option<&Span>) -> Result<DisplayUnits> {
        const FORM: &str = "write units between commas, such as \"mm, deg, N, rpm\"";
        if text.trim().eq_ignore_ascii_case("SI") {
            return Ok(DisplayUnits::si());
        }
        let mut found = DisplayUnits::default();
        let mut written: Vec<&str> = Vec::new();
        let mut start = 0;
        for entry in text.split(',') {
            let word = entry.trim();
            let from = start + (entry.len() - entry.trim_start().len());
            let at = |error: Error, range: std::ops::Range<usize>| {
                error.at_opt(
                    place.map(|span| span.inner(from + range.start..from + range.end.max(range.start + 1))).as_ref(),
                )
            };
            if word.is_empty() {
                let what = if text.trim().is_empty() { "no unit is named" } else { "a unit is missing between commas" };
                return Err(at(Error::new(what), 0..1).note(FORM));
            }
            let product = UnitProduct::parse(word).map_err(|fault| match fault {
                NoUnit::Unknown(range) => at(unknown(&word[range.clone()]), range),
                NoUnit::Apart(range) => {
                    at(Error::new(format!("a comma is missing before '{}'", &word[range.clone()])), range).note(FORM)
                }
                NoUnit::Malformed(range) => at(Error::new(format!("'{word}' is no unit")), range)
                    .note("a unit is a name or a product of names, such as N*mm or m/s^2"),
            })?;
            let quantity = Quantity::of(&product);
            if quantity.dimension == Dimension::NUMBER {
                return Err(at(Error::new(format!("'{word}' is a number without a unit")), 0..word.len()).note(FORM));
            }
            if let Some(k) = found.named.iter().position(|other| Quantity::of(other) == quantity) {
                let what = match written[k] == word {
                    true => format!("'{word}' is named twice"),
                    false => format!("'{}' and '{word}' are both units of {}", written[k], quantity.name()),
                };
                return Err(at(Error::new(what), 0..word.len()).note("name one unit for each quantity"));
            }
            found.named.push(product);
            written.push(word);
            start += entry.len() + 1;
        }
        Ok(found)
    }

    /// Whether every number is shown in SI.
    pub fn is_si(&self) -> bool {
        self.named.is_empty()
    }

    /// How numbers of a unit are shown. A text that is no unit stays as it is.
    pub fn scale(&self, unit: &str) -> Scale {
        let Some(from) = UnitProduct::parse(unit).ok().filter(|_| !self.is_si()) else { return Scale::unchanged(unit) };
        let to = self.shown(&from);
        match to == from {
            true => Scale::unchanged(unit),
            false => Scale::between(&from, &to),
        }
    }

    /// The unit in which a quantity of that unit is shown.
    fn shown(&self, from: &UnitProduct) -> UnitProduct {
        if let Some(named) = self.named_for(Quantity::of(from)) {
            return named.clone();
        }
        if let Some(unit) = from.single() {
            return self.shown_of_one(unit);
        }
        let mut to = UnitProduct::default();
        for (unit, halves) in from.factors() {
            let own = self.named_for(Quantity::of(&UnitProduct::of(unit))).cloned();
            to.multiply(&own.unwrap_or_else(|| self.shown_of_one(unit)), *halves);
        }
        to
    }

    /// The same of a single unit that is not named itself.
    fn shown_of_one(&self, unit: &'static Unit) -> UnitProduct {
        let as_it_is = UnitProduct::of(unit);
        let quantity = Quantity::of(&as_it_is);
        let made =
            MADE.iter().find(|made| made.0 == quantity.dimension).and_then(|made| UnitProduct::parse(made.1).ok());
        let Some(made) = made else { return as_it_is };
        // An energy follows a moment that is named, since both are a force times a length.
        let to = self.shown(&made);
        if to == made {
            return as_it_is;
        }
        match quantity.own_name.is_some() || [Dimension::POWER, Dimension::PRESSURE].contains(&quantity.dimension) {
            true => same(&to, quantity).unwrap_or(to),
            false => to,
        }
    }

    fn named_for(&self, quantity: Quantity) -> Option<&UnitProduct> {
        self.named.iter().find(|named| Quantity::of(named) == quantity)
    }
}

/// The list as it is read.
impl fmt::Display for DisplayUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named.iter().map(UnitProduct::to_string).collect::<Vec<_>>().join(", "))
    }
}

/// The unit of a quantity that is just as large: `mJ` for `N*mm`.
fn same(product: &UnitProduct, quantity: Quantity) -> Option<UnitProduct> {
    /// Roundings of factors.
    const SAME: f64 = 1e-12;
    let (over, under) = product.ratio();
    let fits = |unit: &&'static Unit| {
        let own = Quantity::of(&UnitProduct::of(unit));
        own == quantity && (unit.to_si(1.0) * under / over - 1.0).abs() < SAME
    };
    UNITS.iter().find(fits).map(UnitProduct::of)
}

/// The error for a unit that there is not.
fn unknown(word: &str) -> Error {
    let error = Error::new(format!("there is no unit '{word}'"));
    if ["K", "degC", "degF", "°C", "°F", "celsius", "kelvin"].contains(&word) {
        return error.note("temperatures do not occur in a mechanism");
    }
    let names: Vec<&str> = UNITS.iter().map(|u| u.name).collect();
    // Words that people use, where the unit is called otherwise.
    let near = match word.to_lowercase().as_str() {
        "degree" | "degrees" => Some("deg"),
        "radian" | "radians" => Some("rad"),
        "metre" | "metres" | "meter" | "meters" => Some("m"),
        "millimetre" | "millimeter" | "millimetres" | "millimeters" => Some("mm"),
        "newton" | "newtons" => Some("N"),
        "sec" | "second" | "seconds" => Some("s"),
        "rev/min" | "1/min" | "upm" | "u/min" => Some("rpm"),
        "t" => Some("tonne"),
        _ => nearest(word, &names),
    };
    let error = match near.filter(|near| unit(near).is_some()) {
        Some(near) => error.note(format!("did you mean '{near}'?")),
        None => error,
    };
    error.note("units: m mm in ft, deg rad, s ms, kg g lb, N kN lbf, Nm, J, W, MPa, Hz, rpm, … and products such as N*mm or m/s^2")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn read(text: &str) -> DisplayUnits {
        DisplayUnits::parse(text, None).unwrap()
    }

    /// SI unit, unit shown, and one SI unit in it.
    fn holds(list: &str, cases: &[(&str, &str, f64)]) {
        let units = read(list);
        for (si, shown, value) in cases {
            let scale = units.scale(si);
            assert_eq!(scale.unit, *shown, "{list}: {si}");
            assert!((scale.shown(1.0) / value - 1.0).abs() < 1e-15, "{list}: {si} is {} {shown}", scale.shown(1.0));
        }
    }

    #[test]
    fn units_follow_from_those_named() {
        const DEG: f64 = 180.0 / std::f64::consts::PI;
        holds(
            "mm, deg, N, rpm",
            &[
                ("m", "mm", 1e3),
                ("m/s", "mm/s", 1e3),
                ("m/s^2", "mm/s^2", 1e3),
                ("rad", "deg", DEG),
                ("rad/s", "rpm", 30.0 / std::f64::consts::PI),
                ("rad/s^2", "deg/s^2", DEG),
                ("N", "N", 1.0),
                ("N*m", "N*mm", 1e3),
                ("J", "mJ", 1e3),
                ("W", "mW", 1e3),
                ("Pa", "MPa", 1e-6),
                ("s", "s", 1.0),
                ("1", "1", 1.0),
                ("Hz", "Hz", 1.0),
                ("1/s", "1/s", 1.0),
                ("kg*m^2", "kg*mm^2", 1e6),
                ("kg*m^2/s", "kg*mm^2/s", 1e6),
                ("kg*m/s", "kg*mm/s", 1e3),
                ("N/m", "N/mm", 1e-3),
                ("N*m/rad", "N*mm/deg", 1e3 / DEG),
                ("N*m*s/rad", "N*mm*s/deg", 1e3 / DEG),
                ("kg/m^3", "kg/mm^3", 1e-9),
            ],
        );
        holds("deg", &[("rad/s", "deg/s", DEG), ("m", "m", 1.0), ("N*m", "N*m", 1.0), ("J", "J", 1.0)]);
        holds("mm, N, Nm, W", &[("N*m", "Nm", 1.0), ("J", "J", 1.0), ("W", "W", 1.0), ("m/s", "mm/s", 1e3)]);
        holds("mm, J", &[("N*m", "N*mm", 1e3), ("J", "J", 1.0), ("W", "mW", 1e3)]);
        holds("km/h, ms", &[("m/s", "km/h", 3.6), ("m", "m", 1.0), ("s", "ms", 1e3), ("m/s^2", "m/ms^2", 1e-6)]);
        holds("in, lbf", &[("N*m", "lbf*in", 8.850745791327183), ("J", "lbf*in", 8.850745791327183)]);
        holds("ft, lbf, hp", &[("W", "hp", 1.0 / 745.6998715822702), ("J", "lbf*ft", 0.7375621492772656)]);
        // Numbers that are in other units already, such as those of a file.
        holds("cm, rad", &[("mm", "cm", 0.1), ("deg", "rad", 1.0 / DEG), ("N*mm", "N*cm", 0.1), ("volt", "volt", 1.0)]);
    }

    #[test]
    fn there_and_back_is_where_it_was() {
        // One rounding each way for the product and the quotient.
        const ROUNDING: f64 = 4.0 * f64::EPSILON;
        for list in
            UNITS.iter().map(|u| u.name.to_string()).chain(["mm, deg, N, rpm".into(), "in, lbf, deg, lb".into()])
        {
            let units = read(&list);
            for si in
                ["m", "kg", "s", "rad", "N", "N*m", "J", "W", "Pa", "m/s", "rad/s^2", "kg*m^2/s", "N*m*s/rad", "Hz"]
            {
                let scale = units.scale(si);
                for x in [1.0, -0.1, 1.0 / 3.0, 6.02e23, 1e-280] {
                    assert!((scale.back(scale.shown(x)) / x - 1.0).abs() <= ROUNDING, "{list}: {si}");
                }
                let (from, to) = (UnitProduct::parse(si).unwrap(), UnitProduct::parse(&scale.unit).unwrap());
                assert_eq!(from.dimension(), to.dimension(), "{list}: {si} in {}", scale.unit);
            }
        }
    }

    #[test]
    fn nothing_named_is_si_to_the_last_bit() {
        let units = DisplayUnits::default();
        let scale = units.scale("N*m");
        for (si, other) in [
            ("m/s^2", "mm/s^2"),
            ("J", "kJ"),
            ("N*m", "lbf*in"),
            ("rad/s", "rpm"),
            ("W", "hp"),
            ("N*m/rad", "N*mm/deg"),
        ] {
            assert_eq!(DisplayUnits::si().scale(other).unit, si);
            assert_eq!(DisplayUnits::si().scale(si), Scale::unchanged(si));
        }
        assert!(units.is_si() && scale.is_unchanged() && scale.unit == "N*m");
        assert_eq!(read("mm, deg").to_string(), "mm, deg");
    }

    #[test]
    fn bad_lists_are_answered_with_place_and_advice() {
        for (text, message, column, advice) in [
            ("mm, dge", "there is no unit 'dge'", 5, "did you mean 'deg'?"),
            ("mm, cm", "'mm' and 'cm' are both units of length", 5, "one unit for each quantity"),
            ("mm,mm", "'mm' is named twice", 4, "one unit"),
            ("rpm, deg/s", "'rpm' and 'deg/s' are both units of angular velocity", 6, "one unit"),
            ("Nm, N*mm", "'Nm' and 'N*mm' are both units of moment", 5, "one unit"),
            ("J, kJ", "'J' and 'kJ' are both units of energy", 4, "one unit"),
            ("mm deg", "a comma is missing before 'deg'", 4, "mm, deg, N, rpm"),
            ("mm,, deg", "a unit is missing between commas", 4, "mm, deg"),
            ("", "no unit is named", 1, "mm, deg"),
            ("1", "'1' is a number without a unit", 1, "mm, deg"),
            ("mm/m", "'mm/m' is a number without a unit", 1, "mm, deg"),
            ("5 mm", "'5 mm' is no unit", 1, "product of names"),
            ("mm, degC", "there is no unit 'degC'", 5, "temperatures"),
            ("millimeter", "there is no unit 'millimeter'", 1, "did you mean 'mm'?"),
            ("RPM", "there is no unit 'RPM'", 1, "did you mean 'rpm'?"),
            ("N*metre", "there is no unit 'metre'", 3, "did you mean 'm'?"),
        ] {
            let source = Source::new("--units", text);
            let error = DisplayUnits::parse(text, Some(&Span::new(&source, 0..text.len()))).unwrap_err();
            assert_eq!(error.message(), message);
            assert_eq!(error.span().map(|s| s.line_column().1), Some(column), "{error}");
            assert!(error.notes().iter().any(|n| n.contains(advice)), "{error}");
        }
        // What the two names of a product of force and length speak of is not the same.
        assert!(DisplayUnits::parse("J, Nm, mm, N", None).is_ok());
    }
}
