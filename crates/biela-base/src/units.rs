//! Units at the border: their table, the dimensions they carry, and what is known about the dimension of a number.
//!
//! Inside the library every number is SI. A dimension is a product of powers of mass, length and time. Angles count as
//! numbers when dimensions are compared (`N*m/rad` fits a torque, `rpm` fits `1/s`), but their exponent is kept so that
//! a message can call an angle an angle.

use std::f64::consts::PI;
use std::fmt;

/// Powers of mass, length, time and angle. Stored as halves, so that a square root has a dimension too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dimension {
    mass: i16,
    length: i16,
    time: i16,
    angle: i16,
}

impl Dimension {
    /// A plain number or ratio.
    pub const NUMBER: Dimension = Dimension::new(0, 0, 0, 0);
    /// Radians.
    pub const ANGLE: Dimension = Dimension::new(0, 0, 0, 1);
    /// Metres.
    pub const LENGTH: Dimension = Dimension::new(0, 1, 0, 0);
    /// Kilograms.
    pub const MASS: Dimension = Dimension::new(1, 0, 0, 0);
    /// Seconds.
    pub const TIME: Dimension = Dimension::new(0, 0, 1, 0);
    /// Square metres.
    pub const AREA: Dimension = Dimension::new(0, 2, 0, 0);
    /// Cubic metres.
    pub const VOLUME: Dimension = Dimension::new(0, 3, 0, 0);
    /// Metres per second.
    pub const VELOCITY: Dimension = Dimension::new(0, 1, -1, 0);
    /// Metres per second squared.
    pub const ACCELERATION: Dimension = Dimension::new(0, 1, -2, 0);
    /// Radians per second.
    pub const ANGULAR_VELOCITY: Dimension = Dimension::new(0, 0, -1, 1);
    /// Radians per second squared.
    pub const ANGULAR_ACCELERATION: Dimension = Dimension::new(0, 0, -2, 1);
    /// Cycles per second.
    pub const FREQUENCY: Dimension = Dimension::new(0, 0, -1, 0);
    /// Newtons.
    pub const FORCE: Dimension = Dimension::new(1, 1, -2, 0);
    /// Newton metres.
    pub const TORQUE: Dimension = Dimension::new(1, 2, -2, 0);
    /// Joules; the same dimension as a torque.
    pub const ENERGY: Dimension = Dimension::TORQUE;
    /// Watts.
    pub const POWER: Dimension = Dimension::new(1, 2, -3, 0);
    /// Pascals.
    pub const PRESSURE: Dimension = Dimension::new(1, -1, -2, 0);
    /// Kilograms per cubic metre.
    pub const DENSITY: Dimension = Dimension::new(1, -3, 0, 0);
    /// Newtons per metre.
    pub const STIFFNESS: Dimension = Dimension::new(1, 0, -2, 0);
    /// Newton seconds per metre.
    pub const DAMPING: Dimension = Dimension::new(1, 0, -1, 0);
    /// Newton metres per radian.
    pub const ROTATIONAL_STIFFNESS: Dimension = Dimension::new(1, 2, -2, -1);
    /// Newton metre seconds per radian.
    pub const ROTATIONAL_DAMPING: Dimension = Dimension::new(1, 2, -1, -1);
    /// Kilogram square metres.
    pub const INERTIA: Dimension = Dimension::new(1, 2, 0, 0);
    /// Kilogram metres.
    pub const FIRST_MOMENT: Dimension = Dimension::new(1, 1, 0, 0);
    /// Kilogram square metres per second.
    pub const ANGULAR_MOMENTUM: Dimension = Dimension::new(1, 2, -1, 0);

    /// A dimension from whole powers of mass, length, time and angle.
    pub const fn new(mass: i8, length: i8, time: i8, angle: i8) -> Dimension {
        Dimension { mass: 2 * mass as i16, length: 2 * length as i16, time: 2 * time as i16, angle: 2 * angle as i16 }
    }

    /// Dimension of a product.
    pub fn times(self, o: Dimension) -> Dimension {
        Dimension {
            mass: self.mass.saturating_add(o.mass),
            length: self.length.saturating_add(o.length),
            time: self.time.saturating_add(o.time),
            angle: self.angle.saturating_add(o.angle),
        }
    }

    /// Dimension of a quotient.
    pub fn over(self, o: Dimension) -> Dimension {
        Dimension {
            mass: self.mass.saturating_sub(o.mass),
            length: self.length.saturating_sub(o.length),
            time: self.time.saturating_sub(o.time),
            angle: self.angle.saturating_sub(o.angle),
        }
    }

    /// Dimension of a power; `None` where an exponent would be no multiple of one half, or absurdly large.
    pub fn power(self, exponent: f64) -> Option<Dimension> {
        // Rounding of an exponent such as 1/3 must not matter: 6 halves to the power 1/3 are 2 halves.
        const ROUNDING: f64 = 1e-9;
        const LARGEST: f64 = 1000.0;
        let scaled = |halves: i16| {
            let exact = f64::from(halves) * exponent;
            let whole = exact.round();
            ((exact - whole).abs() <= ROUNDING && whole.abs() <= LARGEST).then_some(whole as i16)
        };
        Some(Dimension {
            mass: scaled(self.mass)?,
            length: scaled(self.length)?,
            time: scaled(self.time)?,
            // A broken power of an angle is simply a number.
            angle: scaled(self.angle).unwrap_or(0),
        })
    }

    /// The same with time left out.
    pub const fn without_time(self) -> Dimension {
        Dimension { time: 0, ..self }
    }

    /// True where the two agree once angles are taken as numbers.
    pub fn agrees(self, o: Dimension) -> bool {
        (self.mass, self.length, self.time) == (o.mass, o.length, o.time)
    }

    /// True for numbers and angles.
    pub fn is_number(self) -> bool {
        self.agrees(Dimension::NUMBER)
    }

    /// What people call it: `length`, `angle`, `moment of inertia`; `quantity` where it has no name.
    pub fn name(self) -> &'static str {
        self.named().map_or("quantity", |n| n.name)
    }

    /// Its SI unit, such as `kg*m^2`.
    pub fn unit(self) -> String {
        self.named().map_or_else(|| self.spelled(), |n| n.unit.to_string())
    }

    /// Name with its article: `a length`, `an angle`; with the unit where there is no name.
    pub fn phrase(self) -> String {
        match self.named() {
            Some(n) if n.name.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {}", n.name),
            Some(n) => format!("a {}", n.name),
            None => format!("a quantity [{}]", self.spelled()),
        }
    }

    /// Name with article and unit: `a length [m]`.
    pub fn phrase_with_unit(self) -> String {
        match self.named() {
            Some(n) if n.dimension.is_number() && n.dimension != Dimension::ANGLE => self.phrase(),
            Some(n) => format!("{} [{}]", self.phrase(), n.unit),
            None => self.phrase(),
        }
    }

    fn named(self) -> Option<&'static Named> {
        NAMES.iter().find(|n| n.dimension == self).or_else(|| NAMES.iter().find(|n| n.dimension.agrees(self)))
    }

    /// Base units and their powers, for dimensions without a name.
    fn spelled(self) -> String {
        let bases = [("kg", self.mass), ("m", self.length), ("s", self.time)];
        let factor = |(symbol, halves): &(&str, i16)| match halves.abs() {
            2 => symbol.to_string(),
            n if n % 2 == 0 => format!("{symbol}^{}", n / 2),
            n => format!("{symbol}^({n}/2)"),
        };
        let above: Vec<String> = bases.iter().filter(|b| b.1 > 0).map(factor).collect();
        let below: Vec<String> = bases.iter().filter(|b| b.1 < 0).map(factor).collect();
        let above = if above.is_empty() { "1".to_string() } else { above.join("*") };
        below.iter().fold(above, |text, factor| format!("{text}/{factor}"))
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.name(), self.unit())
    }
}

struct Named {
    dimension: Dimension,
    name: &'static str,
    unit: &'static str,
}

const fn named(dimension: Dimension, name: &'static str, unit: &'static str) -> Named {
    Named { dimension, name, unit }
}

/// The first entry that agrees gives the name where none is equal in its angle too.
const NAMES: &[Named] = &[
    named(Dimension::NUMBER, "number", "1"),
    named(Dimension::ANGLE, "angle", "rad"),
    named(Dimension::LENGTH, "length", "m"),
    named(Dimension::MASS, "mass", "kg"),
    named(Dimension::TIME, "time", "s"),
    named(Dimension::AREA, "area", "m^2"),
    named(Dimension::VOLUME, "volume", "m^3"),
    named(Dimension::VELOCITY, "velocity", "m/s"),
    named(Dimension::ACCELERATION, "acceleration", "m/s^2"),
    named(Dimension::ANGULAR_VELOCITY, "angular velocity", "rad/s"),
    named(Dimension::FREQUENCY, "frequency", "1/s"),
    named(Dimension::ANGULAR_ACCELERATION, "angular acceleration", "rad/s^2"),
    named(Dimension::FORCE, "force", "N"),
    named(Dimension::TORQUE, "torque or energy", "N*m"),
    named(Dimension::ROTATIONAL_STIFFNESS, "rotational stiffness", "N*m/rad"),
    named(Dimension::POWER, "power", "W"),
    named(Dimension::PRESSURE, "pressure", "Pa"),
    named(Dimension::DENSITY, "density", "kg/m^3"),
    named(Dimension::STIFFNESS, "stiffness", "N/m"),
    named(Dimension::DAMPING, "damping", "N*s/m"),
    named(Dimension::ANGULAR_MOMENTUM, "angular momentum", "kg*m^2/s"),
    named(Dimension::ROTATIONAL_DAMPING, "rotational damping", "N*m*s/rad"),
    named(Dimension::INERTIA, "moment of inertia", "kg*m^2"),
    named(Dimension::FIRST_MOMENT, "mass times length", "kg*m"),
];

/// What is known about the dimension of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Units were written, so the dimension is certain.
    Known(Dimension),
    /// A bare number: fits any dimension, and leaves the dimension of what it multiplies alone.
    Pure,
    /// Units were written and multiplied by time: the dimension is certain but for a power of time, since numbers written beside
    /// the time may be rates (`1 m*sin(2*t)`, `30 deg*t`).
    Timed(Dimension),
    /// Time and bare numbers alone: fits any dimension, and makes what it multiplies [`Kind::Timed`].
    Time,
    /// Nothing is known: joint coordinates, parameters given without a unit, and what is made of them.
    Any,
}

impl Kind {
    /// Kind of a product.
    pub fn times(self, o: Kind) -> Kind {
        self.product(o, Dimension::times)
    }

    /// Kind of a quotient.
    pub fn over(self, o: Kind) -> Kind {
        self.product(o, Dimension::over)
    }

    /// Kind of a product or quotient, whose dimension `of` makes of those of its parts.
    fn product(self, o: Kind, of: fn(Dimension, Dimension) -> Dimension) -> Kind {
        let part = |kind: Kind| match kind {
            Kind::Known(d) | Kind::Timed(d) => Some(d),
            _ => None,
        };
        match (part(self), part(o)) {
            _ if self == Kind::Any || o == Kind::Any => Kind::Any,
            (None, None) if self == Kind::Pure && o == Kind::Pure => Kind::Pure,
            (None, None) => Kind::Time,
            (a, b) => {
                let d = of(a.unwrap_or(Dimension::NUMBER), b.unwrap_or(Dimension::NUMBER));
                let timed = |kind: Kind| matches!(kind, Kind::Timed(_) | Kind::Time);
                if timed(self) || timed(o) {
                    Kind::Timed(d)
                } else {
                    Kind::Known(d)
                }
            }
        }
    }

    /// Kind of a power with a constant exponent.
    pub fn power(self, exponent: f64) -> Kind {
        match self {
            Kind::Known(d) => d.power(exponent).map_or(Kind::Any, Kind::Known),
            Kind::Timed(d) => d.power(exponent).map_or(Kind::Any, Kind::Timed),
            other => other,
        }
    }

    /// The unit in SI where the dimension is certain; `1` elsewhere.
    pub fn unit(self) -> String {
        match self {
            Kind::Known(dimension) => dimension.unit(),
            _ => "1".into(),
        }
    }

    /// The dimension that units written say, a power of time apart; `None` where none were.
    pub fn written(self) -> Option<Dimension> {
        match self {
            Kind::Known(d) => Some(d),
            Kind::Timed(d) => Some(d.without_time()),
            _ => None,
        }
    }

    /// Kind of a sum, a minimum, a choice; the two dimensions where they cannot be the same.
    pub fn join(self, o: Kind) -> Result<Kind, (Dimension, Dimension)> {
        match (self, o) {
            (Kind::Known(a), Kind::Known(b)) if !a.agrees(b) => Err((a, b)),
            (Kind::Known(a), Kind::Known(b)) if a == Dimension::NUMBER => Ok(Kind::Known(b)),
            (Kind::Known(a) | Kind::Timed(a), Kind::Known(b) | Kind::Timed(b))
                if !a.without_time().agrees(b.without_time()) =>
            {
                Err((a, b))
            }
            (Kind::Known(a), _) => Ok(Kind::Known(a)),
            (_, Kind::Known(b)) => Ok(Kind::Known(b)),
            (Kind::Timed(d), _) | (_, Kind::Timed(d)) => Ok(Kind::Timed(d)),
            (Kind::Pure, Kind::Pure) => Ok(Kind::Pure),
            (Kind::Any, _) | (_, Kind::Any) => Ok(Kind::Any),
            _ => Ok(Kind::Time),
        }
    }
}

/// Whether something of kind `found` may stand where the dimension `wanted` is expected.
pub fn fits(found: Kind, wanted: Dimension) -> bool {
    match found {
        Kind::Known(dimension) => dimension.agrees(wanted),
        Kind::Timed(dimension) => dimension.without_time().agrees(wanted.without_time()),
        Kind::Pure | Kind::Time | Kind::Any => true,
    }
}

/// `'30 deg' is an angle, but a length is expected here`; `None` where `found` fits.
pub fn mismatch(text: &str, found: Kind, wanted: Dimension) -> Option<String> {
    let is = match found {
        _ if fits(found, wanted) => return None,
        Kind::Timed(d) => format!("{} times a power of time", d.phrase()),
        _ => found.written()?.phrase(),
    };
    Some(format!("'{}' is {is}, but {} is expected here", text.trim(), wanted.phrase()))
}

/// A unit as it is written after a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// As it is written: `mm`, `deg`, `lbf`.
    pub name: &'static str,
    /// One of this unit is `factor / per` in SI. Two numbers, because `x / 1000` is exact where `x * 0.001` is not.
    pub factor: f64,
    /// See `factor`.
    pub per: f64,
    /// What it measures.
    pub dimension: Dimension,
    /// One line for the manual.
    pub help: &'static str,
}

impl Unit {
    /// `x` of this unit, in SI.
    pub fn to_si(&self, x: f64) -> f64 {
        x * self.factor / self.per
    }
}

/// The unit of this name. `°`, `µm` and `µs` are understood as well.
pub fn unit(name: &str) -> Option<&'static Unit> {
    let name = match name {
        "°" => "deg",
        "µm" | "μm" => "um",
        "µs" | "μs" => "us",
        other => other,
    };
    UNITS.iter().find(|u| u.name == name)
}

const fn entry(name: &'static str, factor: f64, per: f64, dimension: Dimension, help: &'static str) -> Unit {
    Unit { name, factor, per, dimension, help }
}

/// Standard gravity, exact by definition.
const GRAVITY: f64 = 9.80665;
/// Avoirdupois pound in kilograms, exact by definition.
const POUND: f64 = 0.45359237;
const INCH: f64 = 0.0254;
const FOOT: f64 = 0.3048;
/// Pound-force in newtons: POUND * GRAVITY, written out because the product of the rounded factors is not.
const POUND_FORCE: f64 = 4.4482216152605;

/// Every unit the expressions know.
pub const UNITS: &[Unit] = &[
    entry("m", 1.0, 1.0, Dimension::LENGTH, "metre"),
    entry("mm", 1.0, 1e3, Dimension::LENGTH, "millimetre"),
    entry("cm", 1.0, 1e2, Dimension::LENGTH, "centimetre"),
    entry("dm", 1.0, 1e1, Dimension::LENGTH, "decimetre"),
    entry("km", 1e3, 1.0, Dimension::LENGTH, "kilometre"),
    entry("um", 1.0, 1e6, Dimension::LENGTH, "micrometre (also µm)"),
    entry("nm", 1.0, 1e9, Dimension::LENGTH, "nanometre"),
    entry("in", INCH, 1.0, Dimension::LENGTH, "inch, 25.4 mm"),
    entry("inch", INCH, 1.0, Dimension::LENGTH, "inch, the same as in"),
    entry("ft", FOOT, 1.0, Dimension::LENGTH, "foot, 12 in"),
    entry("yd", 0.9144, 1.0, Dimension::LENGTH, "yard, 3 ft"),
    entry("mi", 1609.344, 1.0, Dimension::LENGTH, "mile, 1760 yd"),
    entry("kg", 1.0, 1.0, Dimension::MASS, "kilogram"),
    entry("g", 1.0, 1e3, Dimension::MASS, "gram (gravity is g0)"),
    entry("mg", 1.0, 1e6, Dimension::MASS, "milligram"),
    entry("tonne", 1e3, 1.0, Dimension::MASS, "tonne, 1000 kg"),
    entry("lb", POUND, 1.0, Dimension::MASS, "pound, a mass: 0.45359237 kg (the force is lbf)"),
    entry("lbm", POUND, 1.0, Dimension::MASS, "pound mass, the same as lb"),
    entry("oz", POUND, 16.0, Dimension::MASS, "ounce, a mass: lb/16 (the force is ozf)"),
    entry("slug", POUND_FORCE, FOOT, Dimension::MASS, "slug, lbf*s^2/ft"),
    entry("s", 1.0, 1.0, Dimension::TIME, "second"),
    entry("ms", 1.0, 1e3, Dimension::TIME, "millisecond"),
    entry("us", 1.0, 1e6, Dimension::TIME, "microsecond (also µs)"),
    entry("min", 60.0, 1.0, Dimension::TIME, "minute"),
    entry("h", 3600.0, 1.0, Dimension::TIME, "hour"),
    entry("rad", 1.0, 1.0, Dimension::ANGLE, "radian"),
    entry("mrad", 1.0, 1e3, Dimension::ANGLE, "milliradian"),
    entry("deg", PI, 180.0, Dimension::ANGLE, "degree (also °)"),
    entry("arcmin", PI, 10800.0, Dimension::ANGLE, "minute of arc, deg/60"),
    entry("arcsec", PI, 648000.0, Dimension::ANGLE, "second of arc, deg/3600"),
    entry("grad", PI, 200.0, Dimension::ANGLE, "gradian, 400 to the turn"),
    entry("rev", 2.0 * PI, 1.0, Dimension::ANGLE, "revolution, 360 deg"),
    entry("turn", 2.0 * PI, 1.0, Dimension::ANGLE, "turn, 360 deg"),
    entry("N", 1.0, 1.0, Dimension::FORCE, "newton"),
    entry("kN", 1e3, 1.0, Dimension::FORCE, "kilonewton"),
    entry("MN", 1e6, 1.0, Dimension::FORCE, "meganewton"),
    entry("mN", 1.0, 1e3, Dimension::FORCE, "millinewton"),
    entry("lbf", POUND_FORCE, 1.0, Dimension::FORCE, "pound-force, lb*g0"),
    entry("ozf", POUND_FORCE, 16.0, Dimension::FORCE, "ounce-force, lbf/16"),
    entry("kgf", GRAVITY, 1.0, Dimension::FORCE, "kilogram-force, kg*g0"),
    entry("Nm", 1.0, 1.0, Dimension::ENERGY, "newton metre, N*m"),
    entry("Nmm", 1.0, 1e3, Dimension::ENERGY, "newton millimetre, N*mm"),
    entry("kNm", 1e3, 1.0, Dimension::ENERGY, "kilonewton metre, kN*m"),
    entry("J", 1.0, 1.0, Dimension::ENERGY, "joule"),
    entry("mJ", 1.0, 1e3, Dimension::ENERGY, "millijoule"),
    entry("kJ", 1e3, 1.0, Dimension::ENERGY, "kilojoule"),
    entry("W", 1.0, 1.0, Dimension::POWER, "watt"),
    entry("mW", 1.0, 1e3, Dimension::POWER, "milliwatt"),
    entry("kW", 1e3, 1.0, Dimension::POWER, "kilowatt"),
    entry("hp", 550.0 * FOOT * POUND_FORCE, 1.0, Dimension::POWER, "mechanical horsepower, 550 ft*lbf/s"),
    entry("Pa", 1.0, 1.0, Dimension::PRESSURE, "pascal"),
    entry("kPa", 1e3, 1.0, Dimension::PRESSURE, "kilopascal"),
    entry("MPa", 1e6, 1.0, Dimension::PRESSURE, "megapascal"),
    entry("GPa", 1e9, 1.0, Dimension::PRESSURE, "gigapascal"),
    entry("bar", 1e5, 1.0, Dimension::PRESSURE, "bar"),
    entry("psi", POUND_FORCE, INCH * INCH, Dimension::PRESSURE, "lbf/in^2"),
    entry("Hz", 1.0, 1.0, Dimension::FREQUENCY, "hertz, 1/s (a circular frequency is 2*pi times that)"),
    entry("rpm", PI, 30.0, Dimension::ANGULAR_VELOCITY, "revolutions per minute"),
    entry("g0", GRAVITY, 1.0, Dimension::ACCELERATION, "standard gravity, 9.80665 m/s^2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// One rounding of a factor, one of the product.
    const ROUNDING: f64 = 4e-16;

    #[test]
    fn factors_agree_with_published_values() {
        // NIST SP 811, appendix B.8; entries not marked exact there are rounded to the digits printed.
        for (name, value, relative) in [
            ("in", 0.0254, ROUNDING),
            ("inch", 0.0254, ROUNDING),
            ("nm", 1e-9, ROUNDING),
            ("dm", 0.1, ROUNDING),
            ("MN", 1e6, ROUNDING),
            ("Nmm", 1e-3, ROUNDING),
            ("kNm", 1e3, ROUNDING),
            ("ft", 0.3048, ROUNDING),
            ("yd", 0.9144, ROUNDING),
            ("mi", 1609.344, ROUNDING),
            ("lb", 0.45359237, ROUNDING),
            ("oz", 0.028349523125, ROUNDING),
            ("slug", 14.59390, 5e-7),
            ("lbf", 4.4482216152605, ROUNDING),
            ("ozf", 0.2780139, 5e-7),
            ("kgf", 9.80665, ROUNDING),
            ("hp", 745.6999, 5e-7),
            ("psi", 6894.757, 5e-7),
            ("deg", 0.017453292519943295, ROUNDING),
            ("arcsec", 4.84813681109536e-6, ROUNDING),
            ("grad", 0.015707963267948967, ROUNDING),
            ("rpm", 0.10471975511965977, ROUNDING),
        ] {
            let found = unit(name).unwrap().to_si(1.0);
            assert!((found / value - 1.0).abs() <= relative, "{name}: {found} against {value}");
        }
        assert_eq!(unit("deg").unwrap().to_si(180.0), PI);
        for k in 0..1000 {
            let text = format!("{}e-3", k);
            assert_eq!(unit("mm").unwrap().to_si(f64::from(k)), text.parse::<f64>().unwrap());
        }
    }

    #[test]
    fn unit_names_are_unique_and_explained() {
        for (k, u) in UNITS.iter().enumerate() {
            assert!(UNITS[..k].iter().all(|o| o.name != u.name), "{} twice", u.name);
            assert!(!u.help.is_empty() && u.factor > 0.0 && u.per > 0.0);
        }
        assert_eq!(unit("µm"), unit("um"));
        assert_eq!(unit("°"), unit("deg"));
        assert_eq!(unit("t"), None);
    }

    #[test]
    fn angles_compare_as_numbers_but_keep_their_name() {
        let rad = Kind::Known(Dimension::ANGLE);
        let of = |d| Kind::Known(d);
        assert!(fits(of(Dimension::LENGTH).times(rad), Dimension::LENGTH));
        assert!(fits(of(Dimension::TORQUE).over(rad), Dimension::TORQUE));
        assert!(fits(of(unit("rpm").unwrap().dimension), Dimension::FREQUENCY));
        assert!(fits(of(unit("Hz").unwrap().dimension), Dimension::ANGULAR_VELOCITY));
        assert!(fits(rad, Dimension::NUMBER));
        assert!(!fits(rad, Dimension::LENGTH));
        assert!(!fits(of(Dimension::LENGTH), Dimension::ANGLE));
        assert!(!fits(of(Dimension::TIME), Dimension::NUMBER));
        assert!(fits(Kind::Pure, Dimension::INERTIA) && fits(Kind::Any, Dimension::MASS));
        assert_eq!(
            mismatch("30 deg", rad, Dimension::LENGTH).unwrap(),
            "'30 deg' is an angle, but a length is expected here"
        );
        assert_eq!(
            mismatch("2 kg", of(Dimension::MASS), Dimension::INERTIA).unwrap(),
            "'2 kg' is a mass, but a moment of inertia is expected here"
        );
        assert_eq!(
            mismatch("5 mm*t", Kind::Timed(Dimension::LENGTH), Dimension::ANGLE).unwrap(),
            "'5 mm*t' is a length times a power of time, but an angle is expected here"
        );
        assert_eq!(mismatch("2", Kind::Pure, Dimension::INERTIA), None);
    }

    #[test]
    fn dimensions_have_names() {
        assert_eq!(Dimension::STIFFNESS.to_string(), "stiffness [N/m]");
        assert_eq!(Dimension::LENGTH.power(0.5).unwrap().to_string(), "quantity [m^(1/2)]");
        assert_eq!(Dimension::VOLUME.power(1.0 / 3.0), Some(Dimension::LENGTH));
        assert_eq!(Dimension::LENGTH.power(1.0 / 3.0), None);
        assert_eq!(Dimension::LENGTH.power(f64::NAN), None);
        assert_eq!(Dimension::FORCE.times(Dimension::TIME).over(Dimension::VOLUME).unit(), "kg/m^2/s");
        assert_eq!(Dimension::LENGTH.phrase_with_unit(), "a length [m]");
        assert_eq!(Dimension::ANGLE.phrase_with_unit(), "an angle [rad]");
    }

    #[test]
    fn huge_powers_do_not_overflow() {
        let mut d = Dimension::LENGTH;
        for _ in 0..40 {
            d = d.times(d);
        }
        assert!(!d.is_number());
        assert_eq!(d.power(2.0), None);
    }
}
