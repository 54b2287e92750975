//! Models of the lessons. What is said of them stands in the page (`assets/lessons.js`).

/// Name and text.
pub(crate) const LESSONS: [(&str, &str); 6] = [
    ("grashof", include_str!("../assets/lessons/grashof.toml")),
    ("dead-centre", include_str!("../assets/lessons/dead-centre.toml")),
    ("transmission-angle", include_str!("../assets/lessons/transmission-angle.toml")),
    ("instant-centre", include_str!("../assets/lessons/instant-centre.toml")),
    ("motor-sizing", include_str!("../assets/lessons/motor-sizing.toml")),
    ("robot-arm", include_str!("../assets/lessons/robot-arm.toml")),
];

/// Lessons on shipped models: of the lesson, and of the model.
pub(crate) const SHIPPED: [(&str, &str); 2] = [("mobility", "four-bar"), ("stewart-platform", "stewart-platform")];
