//! Units that people read: `units` at the top of a model, and those in which its parameters were written.

use super::parameters::Parameters;
use super::reader::Reader;
use super::tree::Value;
use super::values::{describe, text_place, wrong};
use biela_base::display_units::{DisplayUnits, Scale};
use biela_base::error::Result;
use biela_base::unit_product::UnitProduct;
use biela_base::units::{self, Dimension, Kind};
use biela_core::expr;

/// The units that the options name, or else those of the model.
pub(super) fn read(root: &Reader) -> Result<DisplayUnits> {
    const FORM: &str = "such as units = \"mm, deg, N, rpm\"";
    let own = match root.get("units").map(|node| (node, &node.value)) {
        None => DisplayUnits::default(),
        Some((node, Value::Text(text))) => {
            let place = text_place(node, text);
            DisplayUnits::parse(text, place.as_ref()).map_err(|e| root.blame(e.at_opt(node.span.as_ref())))?
        }
        Some((node, _)) => {
            let message = format!("'units' is a string that names units, not {}", describe(node));
            return Err(root.blame(wrong(node, message)).note(FORM));
        }
    };
    Ok(root.context.options.units.clone().unwrap_or(own))
}

/// How each parameter is shown: in the unit in which it was written; where it was written in none, as other quantities are.
pub(super) fn scales(parameters: &Parameters, units: &DisplayUnits) -> Vec<Scale> {
    let names = parameters.values().iter().map(|(name, _)| name);
    names
        .enumerate()
        .map(|(k, name)| match parameters.kind(name) {
            kind @ Kind::Known(dimension) if dimension != Dimension::NUMBER => {
                let own = written(parameters, k, dimension).and_then(|unit| Scale::to_written(kind, &unit));
                own.unwrap_or_else(|| units.scale(&dimension.unit()))
            }
            _ => Scale::unchanged(""),
        })
        .collect()
}

/// The unit in which a parameter was written; that of the first parameter of its dimension that it is made of, where it has none itself.
fn written(parameters: &Parameters, mut k: usize, dimension: Dimension) -> Option<String> {
    /// Steps from one parameter to another before its unit is given up.
    const FARTHEST: usize = 8;
    let fits = |d: Dimension| d.agrees(dimension);
    let kind_fits = |name: &str| matches!(parameters.kind(name), Kind::Known(d) if fits(d));
    for _ in 0..FARTHEST {
        let text = parameters.text(k);
        // A number and what stands behind it.
        let behind = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-._eE ".contains(c));
        if let Some(unit) = UnitProduct::parse(behind).ok().filter(|unit| fits(unit.dimension())) {
            return Some(unit.to_string());
        }
        let mut used: Vec<String> = expr::units_written(text).unwrap_or_default();
        used.retain(|name| units::unit(name).is_some_and(|u| fits(u.dimension)));
        if let [unit] = &used[..] {
            return Some(unit.clone());
        }
        if !used.is_empty() {
            return None;
        }
        let known = |name: &str| parameters.values().iter().position(|p| p.0 == name);
        let names = expr::free_names_among(text, &|name| known(name).is_some()).unwrap_or_default();
        k = names.iter().filter(|name| kind_fits(name)).find_map(|name| known(name))?;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::{Document, Options};
    use biela_base::source::Source;

    fn shown(text: &str) -> Vec<(String, f64, String)> {
        let document = Document::from_toml(&Source::new("m.toml", text)).unwrap();
        let model = document.model(&Options::default()).unwrap();
        model.shown_parameters().map(|(name, value, unit)| (name.to_string(), value, unit.to_string())).collect()
    }

    #[test]
    fn parameters_are_shown_as_they_were_written() {
        let text = "units = \"cm, deg\"\n[parameters]\ncrank = \"100 mm\"\nrod = \"3*crank\"\nspeed = \"120 rpm\"\nk = \"2 N/mm\"\n\
                    gap = \"1 mm + 1 in\"\nplain = 4\nhalf = \"0.5*rod + 2 mm\"\nturn = \"2*30 deg\"\nratio = \"crank/rod\"\n[bodies.a]\n";
        let wanted = [
            ("crank", 100.0, "mm"),
            ("rod", 300.0, "mm"),
            ("speed", 120.0, "rpm"),
            ("k", 2.0, "N/mm"),
            // Two units: neither is the one.
            ("gap", 2.64, "cm"),
            ("plain", 4.0, ""),
            ("half", 152.0, "mm"),
            ("turn", 60.0, "deg"),
            ("ratio", 1.0 / 3.0, ""),
        ];
        for ((name, value, unit), (due, number, of)) in shown(text).iter().zip(wanted) {
            assert_eq!((name.as_str(), unit.as_str()), (due, of));
            assert!((value / number - 1.0).abs() < 1e-14, "{name} = {value} {unit}");
        }
    }
}
