//! Colours as people write them: a name, or red, green and blue in hexadecimal digits.

use super::tree::{Node, Value};
use super::values::{describe, wrong};
use biela_base::error::{nearest, Result};

/// Names of colours, those of web pages.
const NAMES: &[(&str, [u8; 3])] = &[
    ("aqua", [0, 255, 255]),
    ("beige", [245, 245, 220]),
    ("black", [0, 0, 0]),
    ("blue", [0, 0, 255]),
    ("brown", [165, 42, 42]),
    ("chocolate", [210, 105, 30]),
    ("coral", [255, 127, 80]),
    ("crimson", [220, 20, 60]),
    ("cyan", [0, 255, 255]),
    ("darkblue", [0, 0, 139]),
    ("darkgreen", [0, 100, 0]),
    ("darkorange", [255, 140, 0]),
    ("darkred", [139, 0, 0]),
    ("firebrick", [178, 34, 34]),
    ("forestgreen", [34, 139, 34]),
    ("gold", [255, 215, 0]),
    ("gray", [128, 128, 128]),
    ("green", [0, 128, 0]),
    ("grey", [128, 128, 128]),
    ("indigo", [75, 0, 130]),
    ("ivory", [255, 255, 240]),
    ("khaki", [240, 230, 140]),
    ("lavender", [230, 230, 250]),
    ("lightblue", [173, 216, 230]),
    ("lightgreen", [144, 238, 144]),
    ("lightgrey", [211, 211, 211]),
    ("lime", [0, 255, 0]),
    ("magenta", [255, 0, 255]),
    ("maroon", [128, 0, 0]),
    ("navy", [0, 0, 128]),
    ("olive", [128, 128, 0]),
    ("orange", [255, 165, 0]),
    ("orchid", [218, 112, 214]),
    ("pink", [255, 192, 203]),
    ("plum", [221, 160, 221]),
    ("purple", [128, 0, 128]),
    ("red", [255, 0, 0]),
    ("royalblue", [65, 105, 225]),
    ("salmon", [250, 128, 114]),
    ("seagreen", [46, 139, 87]),
    ("sienna", [160, 82, 45]),
    ("silver", [192, 192, 192]),
    ("skyblue", [135, 206, 235]),
    ("slategrey", [112, 128, 144]),
    ("steelblue", [70, 130, 180]),
    ("tan", [210, 180, 140]),
    ("teal", [0, 128, 128]),
    ("tomato", [255, 99, 71]),
    ("turquoise", [64, 224, 208]),
    ("violet", [238, 130, 238]),
    ("white", [255, 255, 255]),
    ("yellow", [255, 255, 0]),
];

/// Red, green, blue of a node.
pub(super) fn read(node: &Node, what: &str) -> Result<[u8; 3]> {
    const FORM: &str = "such as colour = \"steelblue\" or colour = \"#4682b4\"";
    let Value::Text(text) = &node.value else {
        let message = format!("{what} is a colour's name or \"#rrggbb\", not {}", describe(node));
        return Err(wrong(node, message).note(FORM));
    };
    let word = text.to_ascii_lowercase();
    let named = NAMES.iter().find(|n| n.0 == word).map(|n| n.1);
    if let Some(found) = named.or_else(|| word.strip_prefix('#').and_then(hexadecimal)) {
        return Ok(found);
    }
    let names: Vec<&str> = NAMES.iter().map(|n| n.0).collect();
    let error = wrong(node, format!("{what} cannot be '{text}', which is no colour known here")).note(FORM);
    Err(match nearest(&word, &names) {
        Some(near) => error.note(format!("did you mean '{near}'?")),
        None => error,
    })
}

/// Six digits, or three of which each stands for two.
fn hexadecimal(digits: &str) -> Option<[u8; 3]> {
    let values: Vec<u8> = digits.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    match values[..] {
        [r, g, b] => Some([r, g, b].map(|d| 17 * d)),
        [a, b, c, d, e, f] => Some([16 * a + b, 16 * c + d, 16 * e + f]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::hexadecimal;

    #[test]
    fn digits() {
        assert_eq!(hexadecimal("4682b4"), Some([70, 130, 180]));
        assert_eq!(hexadecimal("fa0"), Some([255, 170, 0]));
        for bad in ["", "12", "1234", "12345", "1234567", "gg0000", "ｆf0"] {
            assert_eq!(hexadecimal(bad), None, "{bad}");
        }
    }
}
