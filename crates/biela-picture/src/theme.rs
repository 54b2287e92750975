//! Colours of a picture around its bodies: light, or dark.

/// Red, green, blue.
type Colour = [u8; 3];

/// Colours of paper and ink.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    dark: bool,
    /// What everything lies on.
    pub paper: Colour,
    /// Texts.
    pub ink: Colour,
    /// Lesser texts.
    pub soft: Colour,
    /// Lines of the grid, and those through the origin.
    pub grid: [Colour; 2],
    /// What paper in the shadow is multiplied by, in 256ths.
    pub shadow: u32,
}

impl Theme {
    pub fn new(dark: bool) -> Theme {
        match dark {
            false => Theme {
                dark,
                paper: [255; 3],
                ink: [29, 36, 44],
                soft: [92, 103, 115],
                grid: [[232, 236, 240], [208, 214, 221]],
                shadow: 230,
            },
            true => Theme {
                dark,
                paper: [27, 33, 40],
                ink: [230, 235, 240],
                soft: [154, 166, 178],
                grid: [[41, 49, 58], [62, 72, 83]],
                shadow: 150,
            },
        }
    }

    /// A colour of a body as it is seen on this paper: dark ones are lifted from dark paper.
    pub fn tone(&self, colour: Colour) -> Colour {
        let luma = (2 * u32::from(colour[0]) + 5 * u32::from(colour[1]) + u32::from(colour[2])) / 8;
        match self.dark && luma < 110 {
            true => colour.map(|c| c + (u32::from(255 - c) * (110 - luma) / 250) as u8),
            false => colour,
        }
    }

    /// A colour of a body for thin lines and letters, which need more contrast than faces.
    pub fn pen(&self, colour: Colour) -> Colour {
        match self.dark {
            true => colour.map(|c| (u32::from(c) * 6 / 10 + 102) as u8),
            false => colour.map(|c| (u32::from(c) * 72 / 100) as u8),
        }
    }

    /// The line around a face of this colour.
    pub fn edge(&self, colour: Colour) -> Colour {
        colour.map(|c| (u32::from(c) * 52 / 100) as u8)
    }
}
