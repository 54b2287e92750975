//! What a picture shows beside the mechanism, and from where: what users choose by words.

use super::scene::{PointMark, Scene};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::{Elementary, Vec3};

/// What a picture shows, and from where.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Points whose paths are drawn, as places in [`Scene::points`].
    pub traces: Vec<usize>,
    /// What is named.
    pub names: Vec<Named>,
    /// Vectors that are drawn.
    pub arrows: Vec<Arrow>,
    /// From where; what shows the mechanism best if not given.
    pub view: Option<View>,
    /// Light things on a dark ground.
    pub dark: bool,
    /// A grid of round lengths, with its scale.
    pub grid: bool,
}

impl Default for Look {
    fn default() -> Look {
        Look { traces: Vec::new(), names: Vec::new(), arrows: Vec::new(), view: None, dark: false, grid: true }
    }
}

/// What can be named in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// Moving bodies.
    Bodies,
    /// Joints.
    Joints,
    /// Named points of bodies.
    Points,
}

/// Vectors that a picture can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    /// Of points.
    Velocity,
    /// Of points.
    Acceleration,
    /// What the first body of a joint exerts on the second.
    Reaction,
    /// Forces and torques of drivers.
    Effort,
}

/// A direction to look from, in angles about the scene's up, and how much larger than fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// From the front towards the right, in radians.
    pub azimuth: f64,
    /// Above the horizon, in radians.
    pub elevation: f64,
    /// 1 where the whole motion fits.
    pub zoom: f64,
}

const NAMED: [(&str, Named); 3] = [("bodies", Named::Bodies), ("joints", Named::Joints), ("points", Named::Points)];

const ARROWS: [(&str, Arrow); 4] = [
    ("velocity", Arrow::Velocity),
    ("acceleration", Arrow::Acceleration),
    ("reaction", Arrow::Reaction),
    ("effort", Arrow::Effort),
];

/// Other words for arrows that people use.
const ALSO: [(&str, Arrow); 8] = [
    ("velocities", Arrow::Velocity),
    ("accelerations", Arrow::Acceleration),
    ("reactions", Arrow::Reaction),
    ("force", Arrow::Reaction),
    ("forces", Arrow::Reaction),
    ("efforts", Arrow::Effort),
    ("driver", Arrow::Effort),
    ("drivers", Arrow::Effort),
];

/// Named views as azimuth and elevation in degrees.
const VIEWS: [(&str, f64, f64); 4] =
    [("front", 0.0, 0.0), ("top", 0.0, 90.0), ("side", 90.0, 0.0), ("iso", 33.7, 27.1)];

/// The word for all of a kind.
pub const ALL: &str = "all";

impl Arrow {
    /// Its word.
    pub fn word(self) -> &'static str {
        ARROWS.iter().find(|a| a.1 == self).map_or("", |a| a.0)
    }

    /// Its colour, that of the page too.
    pub fn colour(self) -> [u8; 3] {
        match self {
            Arrow::Velocity => [0, 158, 115],
            Arrow::Acceleration => [230, 159, 0],
            Arrow::Reaction => [213, 60, 40],
            Arrow::Effort => [150, 80, 190],
        }
    }
}

impl Look {
    /// The kinds of names in a list such as `bodies,joints`, or all of them.
    pub fn names(text: &str) -> Result<Vec<Named>> {
        words(text, "names", &NAMED, &[("body", Named::Bodies), ("joint", Named::Joints), ("point", Named::Points)])
    }

    /// The kinds of arrows in a list such as `velocity,reaction`, or all of them.
    pub fn arrows(text: &str) -> Result<Vec<Arrow>> {
        words(text, "arrows", &ARROWS, &ALSO)
    }

    /// The points of a scene in a list such as `coupler.P,crank.*`: names, patterns, bodies, or all of them.
    pub fn traces(scene: &Scene, text: &str) -> Result<Vec<usize>> {
        let named: Vec<String> = scene.points.iter().map(|p| point_name(scene, p)).collect();
        let mut found: Vec<usize> = Vec::new();
        for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            let fits = |name: &String| word == ALL || fits(word, name) || signal_name::is_of(name, word);
            let before = found.len();
            let fresh: Vec<usize> = (0..named.len()).filter(|k| fits(&named[*k]) && !found.contains(k)).collect();
            found.extend(fresh);
            if found.len() == before && !named.iter().any(fits) {
                let known: Vec<&str> = named.iter().map(String::as_str).collect();
                let fault = Error::new(format!("no point is called '{word}'")).of("--traces");
                return Err(match known.is_empty() {
                    true => fault.note("the model has no points; give its bodies some"),
                    false => fault.suggest(word, known).note(format!("'{ALL}' draws the paths of all points")),
                });
            }
        }
        Ok(found)
    }
}

/// Whether a name fits a pattern in which `*` stands for any letters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The name of a point with its body's.
pub fn point_name(scene: &Scene, point: &PointMark) -> String {
    signal_name::join(&scene.figures[point.body].name, &point.name)
}

fn words<T: Copy + PartialEq>(text: &str, option: &str, known: &[(&str, T)], also: &[(&str, T)]) -> Result<Vec<T>> {
    let mut found = Vec::new();
    for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        if word == ALL {
            return Ok(known.iter().map(|k| k.1).collect());
        }
        let Some((_, kind)) = known.iter().chain(also).find(|k| k.0 == word) else {
            let names = known.iter().map(|k| k.0).chain([ALL]);
            return Err(Error::new(format!("'{word}' is no kind of {option}"))
                .of(format!("--{option}"))
                .suggest(word, names));
        };
        if !found.contains(kind) {
            found.push(*kind);
        }
    }
    Ok(found)
}

impl View {
    /// `front`, `top`, `side`, `iso`, or azimuth and elevation in degrees; a zoom may follow.
    pub fn parse(text: &str) -> Result<View> {
        let advice = "front, top, side or iso, or azimuth and elevation in degrees such as 30,20; a zoom may follow, as in iso,1.5 or 30,20,1.5";
        let fault = |what: String| Error::new(what).of("--camera").note(format!("a view is {advice}"));
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = |word: &str| match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(fault(format!("'{word}' is not a number"))),
        };
        let (azimuth, elevation, rest) = match VIEWS.iter().find(|v| v.0 == parts[0]) {
            Some((_, azimuth, elevation)) => (*azimuth, *elevation, &parts[1..]),
            None if parts[0].parse::<f64>().is_err() => {
                let known = VIEWS.map(|v| v.0);
                return Err(fault(format!("no view is called '{}'", parts[0])).suggest(parts[0], known));
            }
            None if parts.len() < 2 => return Err(fault("an azimuth alone is no view".into())),
            None => (number(parts[0])?, number(parts[1])?, &parts[2..]),
        };
        let zoom = match rest {
            [] => 1.0,
            [zoom] => number(zoom)?,
            _ => return Err(fault(format!("'{text}' has too many parts"))),
        };
        if !(0.01..=1000.0).contains(&zoom) {
            return Err(fault(format!("a zoom of {zoom} shows nothing; 1 fits the whole motion")));
        }
        if elevation.abs() > 90.0 {
            return Err(fault(format!("an elevation of {elevation} degrees is beyond straight above or below")));
        }
        Ok(View { azimuth: azimuth.to_radians(), elevation: elevation.to_radians(), zoom })
    }

    /// Unit vectors of the picture in a scene: right, up, towards the viewer.
    pub(super) fn axes(&self, scene: &Scene) -> [Vec3; 3] {
        let (front, side) = (scene.front, scene.right());
        let up = front.cross(side);
        let level = front * self.azimuth.cosine() + side * self.azimuth.sine();
        let towards = level * self.elevation.cosine() + up * self.elevation.sine();
        let right = side * self.azimuth.cosine() - front * self.azimuth.sine();
        [right, towards.cross(right), towards]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_words_or_angles_with_a_zoom() {
        let view = |text: &str| View::parse(text).map(|v| (v.azimuth.to_degrees(), v.elevation.to_degrees(), v.zoom));
        let near = |text: &str, (a, e, z): (f64, f64, f64)| {
            let (x, y, w) = view(text).unwrap_or_else(|e| panic!("{e}"));
            assert!((x - a).abs() < 1e-12 && (y - e).abs() < 1e-12 && w == z, "{text}: {x} {y} {w}");
        };
        near("side", (90.0, 0.0, 1.0));
        near("30, 20", (30.0, 20.0, 1.0));
        near("-30,-20,2", (-30.0, -20.0, 2.0));
        near("top,0.5", (0.0, 90.0, 0.5));
        for wrong in ["frnt", "30", "30,x", "30,20,0", "30,91", "30,20,1,1", "", "iso,-1", "nan,0", "1e999,0"] {
            let error = View::parse(wrong).expect_err(wrong).to_string();
            assert!(error.contains("front, top, side or iso"), "{error}");
        }
        assert!(View::parse("frnt").expect_err("a word").to_string().contains("did you mean 'front'"));
    }

    #[test]
    fn words_of_names_and_arrows() {
        assert_eq!(Look::arrows("velocity, forces,velocities").expect("words"), [Arrow::Velocity, Arrow::Reaction]);
        assert_eq!(Look::arrows("all").expect("a word").len(), 4);
        assert_eq!(Look::names("joints,bodies").expect("words"), [Named::Joints, Named::Bodies]);
        let error = Look::arrows("velocty").expect_err("no word").to_string();
        assert!(error.contains("allowed: ") && error.contains("did you mean 'velocity'"), "{error}");
    }

    #[test]
    fn stars_stand_for_letters() {
        for (pattern, name, due) in [
            ("coupler.P", "coupler.P", true),
            ("coupler.*", "coupler.P1", true),
            ("*.P*", "coupler.P1", true),
            ("*P", "coupler.P1", false),
            ("c*l*1", "coupler.P1", true),
            ("c", "coupler.P1", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), due, "{pattern} {name}");
        }
    }
}
