//! What lies in the repository, and what must not stand in it.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::{House, Outcome, outcome};
use crate::Result;

/// All that the top level shows, besides dot-files.
const TOP_LEVEL: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "docs",
    "editors",
    "queries",
    "server",
    "tests",
];

/// Files that say where to fetch from, by the end of their name. They name the default registries by not naming any.
const FETCHING: &[&str] = &[
    ".lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    ".npmrc",
    "pom.xml",
    "settings.xml",
    ".gradle",
    ".gradle.kts",
    ".cargo/config.toml",
    "requirements.txt",
    "pip.conf",
];

/// Hosts that such a file may name: cargo's own name for its index, and the name spaces of XML.
const NAMED: &[&str] = &["github.com", "maven.apache.org", "www.w3.org"];

/// Every file that no `.gitignore` names, sorted. The user's own ignore files do not count, so that all see the same.
pub(super) fn list(root: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .ignore(false)
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    for entry in walk {
        let entry = entry.map_err(|error| error.to_string())?;
        let file = entry.file_type().is_some_and(|kind| !kind.is_dir());
        if let (true, Ok(path)) = (file, entry.path().strip_prefix(root)) {
            files.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    files.sort();
    Ok(files)
}

pub(super) fn top_level(house: &House) -> Outcome {
    let mut names: Vec<&str> = house
        .files
        .iter()
        .map(|path| path.split('/').next().unwrap_or(path))
        .collect();
    names.dedup();
    let mut problems = Vec::new();
    for name in &names {
        if !name.starts_with('.') && !TOP_LEVEL.contains(name) {
            problems.push(format!("{name} does not belong to the top level"));
        }
    }
    for name in TOP_LEVEL {
        // A folder without a file in it does not exist for git.
        if !names.contains(name) && !matches!(*name, "editors" | "queries") {
            problems.push(format!("{name} is missing"));
        }
    }
    outcome(problems, format!("{} names, as agreed", names.len()))
}

/// No file names a place on the machine on which it was written.
pub(super) fn portable(house: &House) -> Outcome {
    let mut places = vec![house.root.to_path_buf()];
    for variable in ["HOME", "USERPROFILE", "CARGO_HOME", "CARGO_TARGET_DIR"] {
        places.extend(std::env::var_os(variable).map(PathBuf::from));
    }
    let places: Vec<String> = places
        .iter()
        .filter(|place| place.is_absolute())
        .map(|place| {
            place
                .to_string_lossy()
                .trim_end_matches(['/', '\\'])
                .to_owned()
        })
        .filter(|place| place.len() > 3)
        .collect();
    let (problems, count) = every_line(house, |_, line| {
        places
            .iter()
            .find(|place| names_place(line, place))
            .map(|place| format!("names {place}, a place on this machine"))
    });
    outcome(
        problems,
        format!("{count} texts name no place on this machine"),
    )
}

/// True if the line holds the path itself or one below it, not just the same letters within a longer path.
fn names_place(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(start, _)| {
        let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | ')');
        let before = line[..start].chars().next_back();
        let after = line[start + place.len()..].chars().next();
        !before.is_some_and(inner) && !after.is_some_and(|c| c.is_alphanumeric() || c == '-')
    })
}

/// No file carries credentials, and what tells a tool where to fetch names no registry of its own.
pub(super) fn hosts(house: &House) -> Outcome {
    let (problems, count) = every_line(house, |path, line| {
        for (user, host) in authorities(line) {
            if user.is_some_and(|user| user.contains(':')) {
                return Some("has credentials in a URL".to_owned());
            }
            // npm's lock files also name whom to thank; they fetch from what they call resolved.
            let thanks = path.ends_with("package-lock.json") && !line.contains("\"resolved\"");
            let fetching = !thanks && FETCHING.iter().any(|end| path.ends_with(end));
            if fetching && !NAMED.contains(&host) {
                return Some(format!(
                    "names {host}; leave it to the tool where to fetch from"
                ));
            }
        }
        None
    });
    outcome(
        problems,
        format!("{count} texts without credentials or registries"),
    )
}

/// User and host of each `http`, `https` or `ssh` URL in the line.
fn authorities(line: &str) -> Vec<(Option<&str>, &str)> {
    line.match_indices("://")
        .filter(|(start, _)| {
            ["http", "https", "ssh", "sparse+https"]
                .iter()
                .any(|scheme| line[..*start].ends_with(scheme))
        })
        .map(|(start, mark)| {
            let rest = &line[start + mark.len()..];
            let end = rest
                .find(|c: char| c.is_whitespace() || "/\"'<>`)(|,;?#".contains(c))
                .unwrap_or(rest.len());
            match rest[..end].rsplit_once('@') {
                Some((user, host)) => (Some(user), host),
                None => (None, &rest[..end]),
            }
        })
        .collect()
}

/// Asks about every line of every text; what was wrong, and how many texts there were.
fn every_line(house: &House, wrong: impl Fn(&str, &str) -> Option<String>) -> (Vec<String>, usize) {
    let mut problems = Vec::new();
    let mut count = 0;
    for path in &house.files {
        // What is no UTF-8 is a picture or a jar.
        let Ok(text) = std::fs::read_to_string(house.root.join(path)) else {
            continue;
        };
        count += 1;
        for (number, line) in text.lines().enumerate() {
            if let Some(what) = wrong(path, line) {
                problems.push(format!("{path}:{}: {what}", number + 1));
            }
        }
    }
    (problems, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_whole_paths() {
        assert!(names_place("see /home/ada/telltale/x", "/home/ada"));
        assert!(names_place("file:///home/ada", "/home/ada"));
        assert!(!names_place("/home/adam", "/home/ada"));
        assert!(!names_place("src/home/ada", "/home/ada"));
    }

    #[test]
    fn authorities_are_found() {
        assert_eq!(
            authorities(concat!(
                "a https://me:",
                "word@host.org:80/x and http://w.org\" ftp://no"
            )),
            [(Some("me:word"), "host.org:80"), (None, "w.org")]
        );
        assert_eq!(authorities("no scheme://here"), []);
    }

    #[test]
    fn ignored_files_are_not_listed() {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in [(".gitignore", "/target\n"), ("target/x", ""), ("b/.c", "")] {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        assert_eq!(
            list(root.path()),
            Ok(vec![".gitignore".to_owned(), "b/.c".to_owned()])
        );
    }
}
