//! Why something failed, as data: what failures are counted and decided by, where a person reads the message.

/// Why something failed. With the kind of the error and its element it says what was met, whatever the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A value that must be a finite number is none.
    NotFinite,
    /// A number is so large or small that it cannot be computed with.
    OutOfRange,
    /// What cannot be negative is.
    Negative,
    /// No body has such an inertia.
    Unphysical,
    /// The loops cannot be closed.
    LoopsOpen,
    /// A joint closes the wrong way round alone.
    Reversed,
    /// Constraints contradict each other.
    Contradiction,
    /// Freedoms have no driver.
    UnderDriven,
    /// Drivers are too many.
    OverDriven,
    /// What counts as a freedom is none that moves.
    Immobile,
    /// A driver jumps.
    Jump,
    /// Drivers no longer determine the motion.
    Undetermined,
    /// The motion is so fast, or changes so often, that samples say nothing about it.
    TooFast,
    /// The step is too long.
    StepTooLong,
    /// Steps become so short that they lead nowhere.
    StepTooShort,
    /// An implicit step has no solution.
    StepUnsolved,
    /// The constraints cannot be held.
    ConstraintsLost,
    /// Energy is not conserved.
    EnergyLost,
    /// Nothing with mass or inertia resists a motion.
    Massless,
    /// The equilibrium lies beyond a lower limit.
    BelowLimit,
    /// The equilibrium lies beyond an upper limit.
    AboveLimit,
    /// A limit is passed on the way.
    LimitPassed,
    /// No set of joint limits balances the loads.
    LimitsUnbalanced,
    /// No step goes with the forces.
    NoDescent,
    /// An unstable position is left, and no other is found.
    Unstable,
    /// The search has not come to an end.
    Unsettled,
    /// The position is one in which the mechanism can move several ways.
    SeveralWays,
    /// A signal is missing.
    MissingSignal,
    /// More is asked for than can be held.
    TooLarge,
    /// Redundant constraints leave open a reaction that is needed.
    ReactionsOpen,
    /// Friction presses itself: no effort answers the motion.
    Jammed,
    /// The program itself failed.
    Program,
}

impl Reason {
    /// Every reason with the word that names it to programs.
    pub const ALL: [(&'static str, Reason); 32] = [
        ("not-finite", Reason::NotFinite),
        ("out-of-range", Reason::OutOfRange),
        ("negative", Reason::Negative),
        ("unphysical", Reason::Unphysical),
        ("loops-open", Reason::LoopsOpen),
        ("reversed", Reason::Reversed),
        ("contradiction", Reason::Contradiction),
        ("under-driven", Reason::UnderDriven),
        ("over-driven", Reason::OverDriven),
        ("immobile", Reason::Immobile),
        ("jump", Reason::Jump),
        ("undetermined", Reason::Undetermined),
        ("too-fast", Reason::TooFast),
        ("step-too-long", Reason::StepTooLong),
        ("step-too-short", Reason::StepTooShort),
        ("step-unsolved", Reason::StepUnsolved),
        ("constraints-lost", Reason::ConstraintsLost),
        ("energy-lost", Reason::EnergyLost),
        ("massless", Reason::Massless),
        ("below-limit", Reason::BelowLimit),
        ("above-limit", Reason::AboveLimit),
        ("limit-passed", Reason::LimitPassed),
        ("limits-unbalanced", Reason::LimitsUnbalanced),
        ("no-descent", Reason::NoDescent),
        ("unstable", Reason::Unstable),
        ("unsettled", Reason::Unsettled),
        ("several-ways", Reason::SeveralWays),
        ("missing-signal", Reason::MissingSignal),
        ("too-large", Reason::TooLarge),
        ("reactions-open", Reason::ReactionsOpen),
        ("jammed", Reason::Jammed),
        ("program", Reason::Program),
    ];

    /// The word that names it.
    pub fn word(self) -> &'static str {
        Reason::ALL.iter().find(|(_, reason)| *reason == self).map_or("", |(word, _)| word)
    }
}
