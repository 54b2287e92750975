//! UNITS: what one unit of the deck is in SI.

use super::deck::Statement;
use super::number;
use crate::foreign::Told;
use biela_base::error::{Error, Result};

#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    pub force: f64,
    pub mass: f64,
    pub length: f64,
    pub time: f64,
}

const POUND: f64 = 0.453_592_37;
const G0: f64 = 9.806_65;

/// A word that is cut short is the first that it begins.
const FORCES: &[(&str, f64)] = &[
    ("NEWTON", 1.0),
    ("KILOGRAM_FORCE", G0),
    ("KNEWTON", 1e3),
    ("DYNE", 1e-5),
    ("POUND_FORCE", POUND * G0),
    ("OUNCE_FORCE", POUND * G0 / 16.0),
    ("KPOUND_FORCE", 1e3 * POUND * G0),
    ("POUNDAL", POUND * 0.3048),
    ("CENTINEWTON", 1e-2),
    ("MILLINEWTON", 1e-3),
    ("MICRONEWTON", 1e-6),
    ("NANONEWTON", 1e-9),
    ("MEGANEWTON", 1e6),
];
const MASSES: &[(&str, f64)] = &[
    ("KILOGRAM", 1.0),
    ("GRAM", 1e-3),
    ("POUND_MASS", POUND),
    ("SLUG", POUND * G0 / 0.3048),
    ("OUNCE_MASS", POUND / 16.0),
    ("KPOUND_MASS", 1e3 * POUND),
    ("TONNE", 1e3),
    ("MILLIGRAM", 1e-6),
    ("MICROGRAM", 1e-9),
    ("NANOGRAM", 1e-12),
    ("US_TON", 2e3 * POUND),
    ("SLINCH", POUND * G0 / 0.0254),
    ("KG", 1.0),
];
const LENGTHS: &[(&str, f64)] = &[
    ("METER", 1.0),
    ("MILLIMETER", 1e-3),
    ("CENTIMETER", 1e-2),
    ("KILOMETER", 1e3),
    ("INCH", 0.0254),
    ("FOOT", 0.3048),
    ("MILE", 1609.344),
    ("YARD", 0.9144),
    ("MICROMETER", 1e-6),
    ("NANOMETER", 1e-9),
    ("ANGSTROM", 1e-10),
    ("MICROINCH", 2.54e-8),
    ("MILS", 2.54e-5),
    ("MM", 1e-3),
    ("CM", 1e-2),
];
const TIMES: &[(&str, f64)] = &[
    ("SECOND", 1.0),
    ("MILLISECOND", 1e-3),
    ("MINUTE", 60.0),
    ("HOUR", 3600.0),
    ("MICROSECOND", 1e-6),
    ("NANOSECOND", 1e-9),
    ("DAY", 86400.0),
];
/// Systems: force, mass, length, time.
const SYSTEMS: &[(&str, [f64; 4])] = &[
    ("MKS", [1.0; 4]),
    ("CGS", [1e-5, 1e-3, 1e-2, 1.0]),
    ("FPS", [POUND * G0, POUND * G0 / 0.3048, 0.3048, 1.0]),
    ("IPS", [POUND * G0, POUND, 0.0254, 1.0]),
    ("NONE", [1.0; 4]),
];

pub(super) fn read(statement: Option<&Statement>, told: &mut Told) -> Result<Units> {
    let mut units = Units { force: 1.0, mass: 1.0, length: 1.0, time: 1.0 };
    let Some(statement) = statement else { return Ok(units) };
    if let Some([force, mass, length, time]) = word(statement, "SYSTEM", SYSTEMS)? {
        units = Units { force, mass, length, time };
    }
    let Units { force, mass, length, time } = &mut units;
    for (key, list, unit) in
        [("FORCE", FORCES, force), ("MASS", MASSES, mass), ("LENGTH", LENGTHS, length), ("TIME", TIMES, time)]
    {
        if let Some(found) = word(statement, key, list)? {
            *unit = found;
        }
    }
    // UCF turns mass times acceleration into force: where all three have units it says nothing, else it says the unit of force.
    if let Some(ucf) =
        number(statement, "UCF")?.filter(|u| *u > 0.0 && !statement.has("FORCE") && !statement.has("SYSTEM"))
    {
        units.force = ucf * units.mass * units.length / (units.time * units.time);
        return Ok(units);
    }
    let consistent = units.mass * units.length / (units.time * units.time * units.force);
    const ROUNDING: f64 = 1e-3;
    if let Some(ucf) =
        number(statement, "UCF")?.filter(|u| (u * consistent - 1.0).abs() > ROUNDING && (u - 1.0).abs() > ROUNDING)
    {
        let error = Error::new(format!("UCF = {ucf} is not what the units of force, mass, length and time make"))
            .at(&statement.span);
        told.doubt(error, "not used")?;
    }
    Ok(units)
}

fn word<T: Copy>(statement: &Statement, key: &str, list: &[(&'static str, T)]) -> Result<Option<T>> {
    let Some(argument) = statement.get(key) else { return Ok(None) };
    let found = argument.values.first().map(|v| v.text.to_ascii_uppercase()).unwrap_or_default();
    let cut = |(w, _): &&(&str, T)| !found.is_empty() && w.starts_with(&found);
    let entry = list.iter().find(|(w, _)| *w == found).or_else(|| list.iter().find(cut));
    entry.map(|e| Some(e.1)).ok_or_else(|| {
        Error::new(format!("'{found}' is no unit of {} known here", key.to_lowercase()))
            .of("UNITS")
            .at(&argument.span)
            .suggest(&found, list.iter().map(|e| e.0))
    })
}
