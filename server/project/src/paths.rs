//! Paths relative to the root, with `/`, as plain strings: `""` is the root itself.

use std::path::{Component, Path, PathBuf};

/// `path` relative to `root` with `/`; `None` if it lies elsewhere or is no UTF-8.
pub(crate) fn relative(root: &Path, path: &Path) -> Option<String> {
    let rest = path.strip_prefix(root).ok()?;
    let mut out = String::with_capacity(rest.as_os_str().len());
    for component in rest.components() {
        let Component::Normal(name) = component else {
            continue;
        };
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(name.to_str()?);
    }
    Some(out)
}

/// `rel` as a build file in `dir` means it; `None` if that lies outside the root.
///
/// A leading `//` stands for the root (see `maven::Pom::property`), any other absolute path is
/// taken only if it lies under `root`.
pub(crate) fn join(root: &Path, dir: &str, rel: &str) -> Option<String> {
    let rel = rel.trim().replace('\\', "/");
    let (base, rel) = if let Some(rest) = rel.strip_prefix("//") {
        ("", rest.to_owned())
    } else if Path::new(&rel).is_absolute() {
        ("", relative(root, Path::new(&rel))?)
    } else {
        (dir, rel)
    };
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in rel.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// True for a path that leads to another machine, on whatever system it is read: `\\\\server\\share`, `//server/share`,
/// `\\\\?\\UNC\\…`, and where automounters put other machines. A look at one may send the user's name there.
pub(crate) fn is_remote(path: &str) -> bool {
    let path = path.trim_start();
    let is_slash = |c: char| matches!(c, '/' | '\\');
    let mut chars = path.chars();
    let (first, second) = (chars.next(), chars.next());
    let is_unc = first.is_some_and(is_slash) && second.is_some_and(is_slash);
    is_unc || path.starts_with("/net/") || path.starts_with("/Network/")
}

/// An absolute path outside of the root that a project's file names, unless it leads to another machine.
pub(crate) fn elsewhere(path: &str) -> Option<PathBuf> {
    let path = path.trim();
    (Path::new(path).is_absolute() && !is_remote(path)).then(|| PathBuf::from(path))
}

/// The folder that holds `path`; `None` for the root.
pub(crate) fn parent(path: &str) -> Option<&str> {
    if path.is_empty() {
        return None;
    }
    Some(path.rsplit_once('/').map_or("", |(dir, _)| dir))
}

/// The last segment.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// `a/b`, or just one of them if the other is empty.
pub(crate) fn child(dir: &str, name: &str) -> String {
    match (dir.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => dir.to_owned(),
        _ => format!("{dir}/{name}"),
    }
}

/// What is left of `path` below `dir`; `Some("")` for `dir` itself.
pub(crate) fn below<'p>(path: &'p str, dir: &str) -> Option<&'p str> {
    if dir.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(dir)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('/')
    }
}

/// True if a folder of this name holds tests, or other code that exercises the product instead of
/// being it (benchmarks, fixtures): `test`, `tests`, `src-test`, `integrationTest`, `testFixtures`.
pub(crate) fn is_test_like(name: &str) -> bool {
    const WHOLE: &[&str] = &["it", "its", "javatests", "testsrc", "testdata", "testcases"];
    // Of a name that is written in one: `inttest`, `e2etests`.
    const KINDS: &[&str] = &[
        "int",
        "integ",
        "integration",
        "it",
        "func",
        "functional",
        "sys",
        "system",
        "e2e",
        "api",
        "ui",
        "comp",
        "component",
        "smoke",
        "perf",
        "performance",
        "load",
        "acceptance",
        "contract",
        "android",
    ];
    const WORDS: &[&str] = &[
        "test",
        "tests",
        "testing",
        "unittest",
        "unittests",
        "spec",
        "specs",
        "jmh",
        "jcstress",
        "benchmark",
        "benchmarks",
    ];
    let lower = name.to_ascii_lowercase();
    let kind = lower.strip_suffix('s').unwrap_or(&lower);
    let kind = kind.strip_suffix("test");
    if WHOLE.contains(&lower.as_str()) || kind.is_some_and(|kind| KINDS.contains(&kind)) {
        return true;
    }
    words(name)
        .iter()
        .any(|word| WORDS.contains(&word.as_str()))
}

/// The words of a name in camel case, kebab case or snake case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before_lower) {
            words.push(String::new());
        }
        before_lower = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// True if some segment of `path` is test-like.
pub(crate) fn has_test_like(path: &str) -> bool {
    path.split('/').any(is_test_like)
}

/// True if `path` lies in the tests of a module around it, as `core/src/test/resources/demo` does,
/// or among their data.
pub(crate) fn lies_in_tests(path: &str) -> bool {
    let mut before = "";
    path.split('/').any(|part| {
        let hit =
            (before == "src" && is_test_like(part)) || matches!(part, "testcases" | "testdata");
        before = part;
        hit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_resolves_dots_and_stays_inside() {
        let root = Path::new("/w");
        assert_eq!(join(root, "a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(join(root, "a", "../..").as_deref(), None);
        assert_eq!(join(root, "a", "//x").as_deref(), Some("x"));
        assert_eq!(join(root, "a", "/w/x/y").as_deref(), Some("x/y"));
        assert_eq!(join(root, "a", "/elsewhere").as_deref(), None);
        assert_eq!(join(root, "a", "src\\java").as_deref(), Some("a/src/java"));
    }

    #[test]
    fn what_leads_to_another_machine() {
        for path in [
            r"\\server\share\a.jar",
            "//server/share",
            r"/\server",
            r"\/server",
            r"\\?\UNC\server\share",
            " //server",
            "/net/server/a.jar",
        ] {
            assert!(is_remote(path), "{path}");
            assert_eq!(elsewhere(path), None, "{path}");
        }
        for path in ["/a//b", "a", "", "/", "/network", "C:\\a", "./net/a"] {
            assert!(!is_remote(path), "{path}");
        }
    }

    #[test]
    fn test_like_names() {
        for name in [
            "test",
            "Tests",
            "src-test",
            "integrationTest",
            "inttest",
            "e2etests",
            "testFixtures",
            "it",
            "jmh",
            "jcstress",
        ] {
            assert!(is_test_like(name), "{name}");
        }
        for name in [
            "latest",
            "contest",
            "src",
            "main",
            "testify",
            "item",
            "attestation",
        ] {
            assert!(!is_test_like(name), "{name}");
        }
    }
}
