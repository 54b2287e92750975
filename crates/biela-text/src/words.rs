//! Words that may stand in a text, for who offers them while it is written: the same lists that its readers hold it to.

use super::{
    bodies, contacts, couplings, document, drivers, events, joint_friction, joints, motions, optimise, rotors, run,
    sweep, synthesise,
};
use biela_core::couplings::COUPLINGS;
use biela_core::joints::Space;
use biela_core::{drivers as drive, joints as joint, loads};

/// Something that a word selects, and the keys that go with it.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The word after `type =`; of a driver the key that says what it moves.
    pub word: &'static str,
    /// One sentence for a person.
    pub help: &'static str,
    /// Keys of an element of that sort.
    pub keys: Vec<&'static str>,
}

/// Keys of tables: of the whole text under the empty name, of `[run]` under `run`, of each of the bodies under `bodies` and so on.
pub fn tables() -> Vec<(&'static str, Vec<&'static str>)> {
    let fixed: [(&str, &[&str]); 10] = [
        ("", document::KEYS),
        ("bodies", bodies::KEYS),
        ("ground", bodies::GROUND_KEYS),
        ("rotors", rotors::KEYS),
        ("contacts", contacts::KEYS),
        ("events", events::KEYS),
        ("run", run::KEYS),
        ("sweep", sweep::KEYS),
        ("optimise", optimise::KEYS),
        ("synthesise", synthesise::KEYS),
    ];
    fixed.into_iter().map(|(name, keys)| (name, keys.to_vec())).collect()
}

/// Keys of tables within a line: of a pose, of limits, of friction, of a law of motion.
pub fn inner_tables() -> Vec<(&'static str, Vec<&'static str>)> {
    let fixed: [(&str, &[&str]); 4] = [
        ("pose", bodies::POSE_KEYS),
        ("limits", joints::LIMITS_KEYS),
        (joint::FRICTION, &joint_friction::KEYS),
        ("value", motions::KEYS),
    ];
    fixed.into_iter().map(|(name, keys)| (name, keys.to_vec())).collect()
}

/// What elements of a section can be: joints, couplings, drivers and forces. Types that a program registered are among them.
pub fn choices() -> Vec<(&'static str, Vec<Choice>)> {
    let of_joint = |k: &'static dyn joint::JointKind| Choice {
        word: k.keyword(),
        help: k.help(),
        keys: joints::allowed(k, Space::Spatial),
    };
    let of_load = |k: &'static dyn loads::LoadKind| Choice {
        word: k.keyword(),
        help: k.help(),
        keys: [vec!["type"], k.keys().iter().map(|key| key.name).collect()].concat(),
    };
    let of_driver =
        |k: &'static dyn drive::DriverKind| Choice { word: k.key(), help: k.help(), keys: drivers::allowed(k) };
    let of_coupling =
        COUPLINGS.iter().map(|k| Choice { word: k.keyword(), help: k.help(), keys: couplings::allowed(*k) });
    vec![
        ("joints", joint::all().into_iter().map(of_joint).collect()),
        ("couplings", of_coupling.collect()),
        ("drivers", drive::all().into_iter().map(of_driver).collect()),
        ("forces", loads::all().into_iter().map(of_load).collect()),
    ]
}

/// Keys whose values are among a few words.
pub fn values() -> Vec<(&'static str, Vec<&'static str>)> {
    use biela_core::model::{Analysis, Integration, Reduction, Singular};
    vec![
        ("analysis", Analysis::ALL.iter().map(|a| a.0).collect()),
        ("method", Integration::ALL.iter().map(|a| a.0).collect()),
        ("reduction", Reduction::ALL.iter().map(|a| a.0).collect()),
        ("singular", Singular::ALL.iter().map(|a| a.0).collect()),
        ("formulation", biela_core::system::formulation_words().collect()),
        ("law", biela_core::motion::LAWS.iter().map(|law| law.keyword).collect()),
        ("action", events::ACTIONS.to_vec()),
    ]
}

#[cfg(test)]
mod tests {
    use super::{choices, tables, values};

    /// Every registered type is offered with its sentence, and keys say what selects them.
    #[test]
    fn the_registries_are_offered_whole() {
        let found = choices();
        let words = |section: &str| -> Vec<&str> {
            found.iter().filter(|s| s.0 == section).flat_map(|s| s.1.iter().map(|c| c.word)).collect()
        };
        assert_eq!(words("joints"), biela_core::joints::all().iter().map(|k| k.keyword()).collect::<Vec<_>>());
        assert_eq!(words("forces"), biela_core::loads::all().iter().map(|k| k.keyword()).collect::<Vec<_>>());
        assert_eq!(words("drivers"), biela_core::drivers::all().iter().map(|k| k.key()).collect::<Vec<_>>());
        for (section, list) in &found {
            for choice in list {
                let selects = if *section == "drivers" { choice.word } else { "type" };
                assert!(choice.keys.contains(&selects) && !choice.help.is_empty(), "{section} {}", choice.word);
            }
        }
        assert!(tables().iter().chain(&values()).all(|(_, words)| !words.is_empty()));
    }
}
