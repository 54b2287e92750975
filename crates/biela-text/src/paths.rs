//! Where the files lie that a foreign file names: `package://NAME/rest`, `model://NAME/rest`, `file://PATH`, or a path.
//!
//! A package is a folder of that name above the file, beside a folder above it or in a folder `models` there, or below a folder of one of the
//! variables that Gazebo and ROS look in. A path is one from the file's own folder, or from one above it. Nothing else is looked at, and
//! above the file's folder nothing but models and meshes.

use std::path::{Component, Path, PathBuf};

/// Folders above the file that are looked at, at most.
const MOST_ABOVE: usize = 6;

/// Variables of the environment that list folders of packages, and where packages lie in them.
const VARIABLES: [(&str, &str); 5] = [
    ("ROS_PACKAGE_PATH", ""),
    ("AMENT_PREFIX_PATH", "share/"),
    ("GZ_SIM_RESOURCE_PATH", ""),
    ("GAZEBO_MODEL_PATH", ""),
    ("SDF_PATH", ""),
];

/// Endings of models and meshes.
const ENDINGS: [&str; 10] = ["xml", "mjcf", "urdf", "sdf", "world", "stl", "obj", "dae", "msh", "mtl"];

/// Those of meshes among them.
const MESHES: [&str; 4] = ["stl", "obj", "dae", "msh"];

/// Where to look.
pub(crate) struct Search<'a> {
    /// The folder of the file that names others.
    pub folder: &'a Path,
    /// Whether only what lies in that folder may be read.
    pub confined: bool,
}

/// What became of a name.
#[derive(Debug, PartialEq)]
pub(crate) enum Found {
    /// A path from the file's folder, or an absolute one.
    At(String),
    /// No file of that name where it could be.
    Nowhere,
    /// The name leads where nothing is read.
    Outside,
}

impl Search<'_> {
    /// The file that a name means.
    pub fn find(&self, name: &str) -> Found {
        let name = name.trim().replace('\\', "/");
        let (package, rest) = match name.split_once("://") {
            Some(("package" | "model", rest)) => match rest.split_once('/') {
                // `package:///path` names no package.
                Some(("", rest)) => (None, rest.to_string()),
                Some((package, rest)) => (Some(package.to_string()), rest.to_string()),
                None => return Found::Nowhere,
            },
            Some(("file", rest)) => (None, rest.to_string()),
            Some(_) => return Found::Outside,
            None => (None, name.clone()),
        };
        let plain = |c: Component| matches!(c, Component::Normal(_) | Component::CurDir);
        let ups = Path::new(&rest).components().filter(|c| *c == Component::ParentDir).count();
        let odd = Path::new(&rest).components().any(|c| !plain(c) && c != Component::ParentDir);
        if odd || ups > MOST_ABOVE || (ups > 0 && (package.is_some() || self.confined)) {
            return Found::Outside;
        }
        let tried = self.candidates(package.as_deref(), &rest);
        match tried.into_iter().find(|path| self.folder.join(path).is_file()) {
            Some(path) if (self.confined || !has_ending(&path)) && !self.is_inside(&path) => Found::Outside,
            Some(path) => Found::At(path),
            None => Found::Nowhere,
        }
    }

    /// Paths that the name may stand for, the likeliest first.
    fn candidates(&self, package: Option<&str>, rest: &str) -> Vec<String> {
        let here = if self.folder.as_os_str().is_empty() { Path::new(".") } else { self.folder };
        let above: Vec<PathBuf> = here
            .canonicalize()
            .map(|real| real.ancestors().take(MOST_ABOVE + 1).map(Path::to_path_buf).collect())
            .unwrap_or_default();
        let depth = if self.confined { 1 } else { above.len() };
        let mut tried = Vec::new();
        for (k, folder) in above.iter().take(depth).enumerate() {
            let up = "../".repeat(k);
            match package {
                Some(package) if folder.file_name().is_some_and(|n| n == package) => tried.push(format!("{up}{rest}")),
                _ => {}
            }
            match package {
                Some(package) => {
                    tried.push(format!("{up}{package}/{rest}"));
                    tried.push(format!("{up}models/{package}/{rest}"));
                }
                None => tried.push(format!("{up}{rest}")),
            }
        }
        if let (Some(package), false) = (package, self.confined) {
            for (variable, inner) in VARIABLES {
                let listed = std::env::var_os(variable).unwrap_or_default();
                for folder in std::env::split_paths(&listed).filter(|f| f.is_absolute()) {
                    if folder.file_name().is_some_and(|n| n == package) {
                        tried.push(folder.join(rest).to_string_lossy().into_owned());
                    }
                    tried.push(folder.join(format!("{inner}{package}/{rest}")).to_string_lossy().into_owned());
                }
            }
        }
        tried
    }

    /// Whether a path from the folder is that of a mesh, and lies where a package could: below a folder above this one, or below one that
    /// the environment lists. Links are followed first.
    pub fn holds_mesh(&self, path: &str) -> bool {
        let here = if self.folder.as_os_str().is_empty() { Path::new(".") } else { self.folder };
        let (Ok(real), Ok(folder)) = (here.join(path).canonicalize(), here.canonicalize()) else { return false };
        let listed = VARIABLES.iter().filter_map(|(variable, _)| std::env::var_os(variable));
        let listed: Vec<PathBuf> = listed.flat_map(|v| std::env::split_paths(&v).collect::<Vec<_>>()).collect();
        // The whole disk is no folder of packages.
        let above = folder.ancestors().take(MOST_ABOVE + 1).filter(|f| f.parent().is_some()).map(Path::to_path_buf);
        let listed = listed.iter().filter(|f| f.is_absolute()).filter_map(|f| f.canonicalize().ok());
        has_one_of(&real, &MESHES) && real.is_file() && above.chain(listed).any(|root| real.starts_with(root))
    }

    fn is_inside(&self, path: &str) -> bool {
        let here = if self.folder.as_os_str().is_empty() { Path::new(".") } else { self.folder };
        match (here.join(path).canonicalize(), here.canonicalize()) {
            (Ok(real), Ok(folder)) => real.starts_with(folder),
            _ => false,
        }
    }
}

fn has_ending(path: &str) -> bool {
    has_one_of(Path::new(path), &ENDINGS)
}

fn has_one_of(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|e| endings.contains(&e.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_above_and_beside_are_found_and_nothing_outside() {
        let root = std::env::temp_dir().join(format!("biela-paths-{}", std::process::id()));
        for folder in ["arm/urdf/inner", "arm/meshes", "gripper/meshes"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["arm/meshes/a.stl", "gripper/meshes/g.stl", "arm/urdf/near.stl"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let folder = root.join("arm/urdf");
        let open = Search { folder: &folder, confined: false };
        let at = |path: &str| Found::At(path.to_string());
        assert_eq!(open.find("package://arm/meshes/a.stl"), at("../meshes/a.stl"));
        assert_eq!(open.find("package://gripper/meshes/g.stl"), at("../../gripper/meshes/g.stl"));
        assert_eq!(open.find("../meshes/a.stl"), at("../meshes/a.stl"));
        assert_eq!(open.find("meshes\\a.stl"), at("../meshes/a.stl"));
        assert_eq!(open.find("near.stl"), at("near.stl"));
        assert_eq!(open.find("package:///near.stl"), at("near.stl"));
        assert_eq!(open.find("package://arm/meshes/none.stl"), Found::Nowhere);
        for bad in ["package://arm/../../x.stl", "/etc/passwd", "file:///etc/passwd", "http://a/b.stl"] {
            assert_eq!(open.find(bad), Found::Outside, "{bad}");
        }
        assert_eq!(open.find(&("../".repeat(9) + "x.stl")), Found::Outside);
        std::fs::write(root.join("arm/notes"), "").unwrap();
        assert_eq!(open.find("../notes"), Found::Outside);
        let confined = Search { folder: &folder, confined: true };
        assert_eq!(confined.find("near.stl"), at("near.stl"));
        assert_eq!(confined.find("../meshes/a.stl"), Found::Outside);
        assert_eq!(confined.find("package://arm/meshes/a.stl"), Found::Nowhere);
        assert!(confined.holds_mesh("../meshes/a.stl") && confined.holds_mesh("../../gripper/meshes/g.stl"));
        for none in ["../notes", "../meshes/none.stl", "../meshes", "/etc/passwd"] {
            assert!(!confined.holds_mesh(none), "{none}");
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
