//! Colours of curves and bodies, in every plot, picture and page.
//!
//! The first seven are those of Okabe and Ito, which people with any colour vision tell apart: blue, vermilion, green, purple,
//! orange, sky blue, black (their yellow is too pale on white). Five more follow, each chosen as the colour farthest from all
//! before it and from white, for the eye that tells it worst: wine, ultramarine, violet, aqua, taupe. The nearest two of all
//! twelve lie as far apart as the nearest two of the seven.

/// Red, green, blue; black is the seventh.
pub const COLOURS: [[u8; 3]; 12] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [0, 0, 0],
    [119, 0, 51],
    [17, 0, 187],
    [102, 17, 255],
    [0, 221, 170],
    [119, 85, 102],
];

/// Where black stands.
const BLACK: usize = 6;

/// Curves of so many have whole lines; those after them have other colours and are dashed as well.
pub const WHOLE_LINES: usize = BLACK + 1;

/// The colour of moving body number `k`, counted from 0: none is black, which shows no light and shade.
pub fn body_colour(k: usize) -> [u8; 3] {
    let k = k % (COLOURS.len() - 1);
    COLOURS[if k < BLACK { k } else { k + 1 }]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness and two opponent colours in which distances are as people see them, lightness 0 to 100 (Ottosson, OKLab, 2020).
    fn seen(linear: [f64; 3]) -> [f64; 3] {
        let row = |m: [f64; 3], v: [f64; 3]| m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
        let cones = [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
        .map(|m| row(m, linear).max(0.0).cbrt());
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
        .map(|m| 100.0 * row(m, cones))
    }

    /// What eyes without one kind of cones see (Machado, Oliveira, Fernandes, 2009, severity 1), and what all others do.
    const EYES: [(&str, [[f64; 3]; 3]); 4] = [
        ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "no long",
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        ),
        (
            "no medium",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        ),
        (
            "no short",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ),
    ];

    #[test]
    fn every_eye_tells_all_colours_apart_and_from_white() {
        // The nearest two of Okabe's and Ito's seven, green and purple for those without medium cones, are 7.6 apart.
        const APART: f64 = 7.5;
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        for (eye, matrix) in EYES {
            let look = |colour: [u8; 3]| {
                let l = colour.map(linear);
                seen(matrix.map(|m| (m[0] * l[0] + m[1] * l[1] + m[2] * l[2]).clamp(0.0, 1.0)))
            };
            let all: Vec<[u8; 3]> = COLOURS.into_iter().chain([[255; 3]]).collect();
            for (k, a) in all.iter().enumerate() {
                for b in &all[..k] {
                    let (p, q) = (look(*a), look(*b));
                    let apart = (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt();
                    assert!(apart > APART, "{eye}: {a:?} and {b:?} are {apart:.1} apart");
                }
            }
        }
    }

    #[test]
    fn bodies_have_all_colours_but_black() {
        let bodies: Vec<_> = (0..COLOURS.len() - 1).map(body_colour).collect();
        assert!(bodies.iter().all(|c| *c != [0; 3] && COLOURS.contains(c)));
        assert!(bodies.iter().enumerate().all(|(k, c)| !bodies[..k].contains(c)));
        assert_eq!(body_colour(bodies.len()), COLOURS[0]);
    }
}
