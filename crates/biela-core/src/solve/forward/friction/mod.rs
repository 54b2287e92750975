//! Motion under forces with friction that sticks: a run goes in legs, in each of which every joint that rubs keeps its state.
//!
//! | state | how |
//! |---|---|
//! | sliding, one way or the other | an effort against the motion (`sliding`), which may depend on the joint's own reaction |
//! | stuck | a driver holds the coordinate where it stopped; its effort is what friction bears, and has a bound |
//! | stuck with others | it moves with coordinates that are held already, and helps to bear them |
//! | led | drivers alone prescribe it: friction adds to their effort and decides nothing |
//!
//! A leg ends where a joint stops or a bound is reached (`watch`), found with all other events. There `transition` decides at the level of accelerations
//! which joints stick and which way others slide, and the next leg ([`super::legs`]) begins with a system of its own rows. So a joint that is stuck stays where it
//! is: its row is held like any other, for any time.

mod sliding;
mod transition;
mod watch;

pub(super) use sliding::Sliding;
pub(super) use transition::Decider;
pub(super) use watch::Watch;

/// What a joint that rubs does in a leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum State {
    /// It slides, in that sense.
    Slides(f64),
    /// The driver of that number holds it.
    Stuck(usize),
    /// Others that are held hold it too.
    Carried,
    /// Drivers prescribe it.
    Led,
}

impl State {
    /// Whether it is stuck.
    pub fn is_stuck(self) -> bool {
        matches!(self, State::Stuck(_) | State::Carried)
    }
}
