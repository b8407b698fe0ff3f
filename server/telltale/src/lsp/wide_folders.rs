//! Folders that are too wide to be read whole.
//!
//! Some editors name the home folder, or the root of the disk, where they found no project around a file. Reading all Java
//! below it takes minutes, and mixes projects that know nothing of each other.

use std::path::Path;

/// Why a folder that a client named is left out; none if it is read.
pub(crate) fn left_out(folder: &Path) -> Option<String> {
    let home = dunce::canonicalize(std::env::home_dir()?).ok()?;
    is_wide(folder, &home).then(|| {
        format!(
            "Telltale does not read all of {}: open the folder of a project, or put a telltale.toml into this one. \
             Until then each file is read alone.",
            folder.display()
        )
    })
}

/// Many keep their settings in git, so that `.git` in a home folder says nothing.
fn is_wide(folder: &Path, home: &Path) -> bool {
    home.starts_with(folder) && !project::is_project(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_and_those_above_are_too_wide() {
        let home = std::env::home_dir().and_then(|home| dunce::canonicalize(home).ok());
        let home = home.expect("a home");
        let root = home.ancestors().last().expect("a root");
        assert!(left_out(root).is_some());
        let project = tempfile::tempdir().expect("a folder");
        assert_eq!(left_out(project.path()), None);
        assert_eq!(left_out(&home.join("a/project")), None);
    }

    #[test]
    fn a_home_folder_that_is_a_project_is_read() {
        let home = tempfile::tempdir().expect("a folder");
        let home = home.path();
        std::fs::create_dir(home.join(".git")).expect("a folder");
        assert!(is_wide(home, home));
        std::fs::write(home.join("pom.xml"), "").expect("a file");
        assert!(!is_wide(home, home));
    }
}
