//! Stops at the limits of a joint's first coordinate: what happens where it is led or thrown against one.
//!
//! | `stop` | at the limit |
//! |---|---|
//! | none | nothing but an event: it may go on beyond |
//! | soft | a spring and a damper press back, and never pull: a load as others ([`crate::loads`]) |
//! | hard | it goes no further: an impact with restitution, then a force that presses and never pulls |

/// What stands at both limits of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Stop {
    /// Nothing.
    #[default]
    None,
    /// A spring and a damper; the load that they are stands among the loads.
    Soft,
    /// What is rigid.
    Hard(Restitution),
}

/// How bodies leave each other after an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restitution {
    /// From 0, where they stay together, to 1, where no energy is lost.
    pub coefficient: f64,
    /// What the coefficient is a ratio of.
    pub law: Impact,
}

/// What a coefficient of restitution e is a ratio of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Impact {
    /// Velocities: parting at e times the velocity of approach.
    #[default]
    Newton,
    /// Impulses: that of the expansion is e times that of the compression.
    Poisson,
    /// Energies: the expansion gives back e² of the work that the compression has taken (Stronge).
    Energetic,
}

impl Stop {
    /// The words of `stop`.
    pub const WORDS: [&'static str; 3] = ["none", "soft", "hard"];

    /// How the coordinate leaves it; none where nothing is struck.
    pub fn restitution(&self) -> Option<Restitution> {
        match self {
            Stop::Hard(restitution) => Some(*restitution),
            _ => None,
        }
    }
}

impl Impact {
    /// All laws with the words of `impact`.
    pub const ALL: [(&'static str, Impact); 3] =
        [("newton", Impact::Newton), ("poisson", Impact::Poisson), ("energetic", Impact::Energetic)];

    /// The words.
    pub const WORDS: [&'static str; 3] = ["newton", "poisson", "energetic"];

    /// The law of that word.
    pub fn named(word: &str) -> Option<Impact> {
        Impact::ALL.iter().find(|law| law.0 == word).map(|law| law.1)
    }
}
