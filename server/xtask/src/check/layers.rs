//! The rooms of the house and who may enter which.

use super::metadata::Package;
use super::{House, Outcome, outcome};

/// Where the analysis lives: no editor, no operating system.
const ANALYSIS: &str = "server/crates/";

/// What each crate may use, from the bottom up; a row names rows above it only. For its tests a crate may also use
/// `testkit` and everything above it.
const ROWS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("testkit", &["text"]),
    ("draw", &["text"]),
    ("evidence", &[]),
    ("syntax", &["text"]),
    ("flow", &["syntax", "text"]),
    ("inner", &["flow", "syntax", "text"]),
    ("program", &["flow", "inner", "syntax", "text"]),
    ("models", &["program", "flow"]),
    ("oracle", &["models", "program", "flow", "text"]),
    ("chains", &["oracle", "program", "flow"]),
    ("calls", &["chains", "oracle", "program", "flow"]),
    ("effects", &["calls", "chains", "models", "program", "flow"]),
    (
        "slices",
        &[
            "calls", "chains", "oracle", "models", "program", "flow", "text",
        ],
    ),
    ("observe", &["calls", "chains", "program", "flow"]),
    (
        "recommend",
        &[
            "observe", "effects", "calls", "chains", "oracle", "models", "program", "flow", "text",
        ],
    ),
    ("invariants", &[]),
    ("suspects", &["evidence", "invariants"]),
    ("mutants", &[]),
    (
        "ide",
        &[
            "recommend",
            "observe",
            "slices",
            "effects",
            "calls",
            "chains",
            "oracle",
            "models",
            "program",
            "flow",
            "inner",
            "syntax",
            "suspects",
            "evidence",
            "text",
        ],
    ),
    ("project", &["program", "evidence"]),
    ("runner", &["mutants"]),
    (
        "verdicts",
        &[
            "ide", "mutants", "program", "flow", "runner", "evidence", "text",
        ],
    ),
    (
        "telltale",
        &[
            "ide",
            "suspects",
            "mutants",
            "invariants",
            "project",
            "runner",
            "verdicts",
            "recommend",
            "observe",
            "calls",
            "oracle",
            "draw",
            "program",
            "flow",
            "inner",
            "syntax",
            "evidence",
            "text",
        ],
    ),
];

/// The rooms that use a room.
pub(super) fn users_of(room: &str) -> Vec<&'static str> {
    let rows = ROWS.iter().filter(|(_, uses)| uses.contains(&room));
    rows.map(|(name, _)| *name).collect()
}

/// Tasks around the project drive all of it and nothing uses them.
const OUTSIDE: &str = "xtask";

/// What speaks the editors' protocol; one crate may.
const PROTOCOL: &[&str] = &[
    "tokio",
    "tower",
    "tower-lsp",
    "tower-lsp-server",
    "lsp-types",
    "ls-types",
];
const EDGE: &str = "telltale";

/// Libraries whose work is the operating system: they have no place below the analysis, however far down.
const SYSTEM: &[&str] = &[
    "clap",
    "ignore",
    "indicatif",
    "mio",
    "notify",
    "socket2",
    "tempfile",
    "walkdir",
    "zip",
];

/// Some of what clippy must refuse to the analysis, one of each kind, so that an emptied list is seen.
const REFUSED: &[&str] = &[
    "std::env::var",
    "std::eprintln",
    "std::fs::File",
    "std::fs::read_to_string",
    "std::println",
    "std::process::Command",
    "std::time::Instant::now",
    "std::time::SystemTime::now",
];

/// Every member has a row and uses only what the row names.
pub(super) fn rows(house: &House) -> Outcome {
    let mut problems = Vec::new();
    for member in house.metadata.members() {
        problems.extend(row_problems(member));
    }
    for (name, _) in ROWS {
        if !house.metadata.members().any(|member| member.name == *name) {
            problems.push(format!("{name} has a row and does not exist"));
        }
    }
    let count = house.metadata.members().count();
    outcome(
        problems,
        format!("{count} crates use only what their row names"),
    )
}

fn row_problems(member: &Package) -> Vec<String> {
    if member.name == OUTSIDE {
        return Vec::new();
    }
    let Some(index) = ROWS.iter().position(|(name, _)| *name == member.name) else {
        return vec![format!(
            "{} has no row: say in server/xtask/src/check/layers.rs and docs/architecture.md what it may use",
            member.name
        )];
    };
    let own = |name: &str| name == OUTSIDE || ROWS.iter().any(|(row, _)| *row == name);
    member
        .declared
        .iter()
        .filter(|dependency| own(&dependency.name) && dependency.name != member.name)
        .filter(|dependency| {
            let above = ROWS[..index].iter().any(|(row, _)| *row == dependency.name);
            let named = ROWS[index].1.contains(&dependency.name.as_str());
            !(named || dependency.dev && (above || dependency.name == "testkit"))
        })
        .map(|dependency| format!("{} may not use {}", member.name, dependency.name))
        .collect()
}

/// `cargo tree -i` in one go: nothing of the protocol or of the operating system is linked into the analysis.
pub(super) fn analysis(house: &House) -> Outcome {
    let mut problems = Vec::new();
    let mut names = Vec::new();
    for member in house.metadata.members().filter(|it| is_analysis(it)) {
        names.push(member.name.as_str());
        for (reached, by) in house.metadata.closure(member) {
            if PROTOCOL.contains(&reached.as_str()) || SYSTEM.contains(&reached.as_str()) {
                problems.push(format!("{} reaches {reached} through {by}", member.name));
            }
        }
    }
    if names.is_empty() {
        problems.push(format!("there is no crate under {ANALYSIS}"));
    }
    outcome(
        problems,
        format!(
            "none of {} other libraries is linked into {}",
            PROTOCOL.len() + SYSTEM.len(),
            names.join(", ")
        ),
    )
}

/// Only the edge asks for the protocol's libraries.
pub(super) fn protocol(house: &House) -> Outcome {
    let problems = house
        .metadata
        .members()
        .filter(|member| member.name != EDGE)
        .flat_map(|member| {
            member
                .declared
                .iter()
                .filter(|dependency| PROTOCOL.contains(&dependency.name.as_str()))
                .map(|dependency| format!("{} asks for {}", member.name, dependency.name))
        })
        .collect();
    outcome(
        problems,
        format!("no crate but {EDGE} asks for {}", PROTOCOL.join(", ")),
    )
}

/// The configuration that refuses the operating system reaches every analysis crate, and only tests make exceptions.
pub(super) fn clippy(house: &House) -> Outcome {
    let mut problems = Vec::new();
    let own = format!("{ANALYSIS}.clippy.toml");
    let refused = std::fs::read_to_string(house.root.join(&own)).unwrap_or_default();
    for path in REFUSED {
        if !refused.contains(&format!("path = \"{path}\"")) {
            problems.push(format!("{own} does not refuse {path}"));
        }
    }
    let mut sources = 0;
    for path in &house.files {
        let Some(inside) = path.strip_prefix(ANALYSIS) else {
            continue;
        };
        let name = path.rsplit('/').next().unwrap_or(path);
        if name.ends_with("clippy.toml") && *path != own {
            problems.push(format!("{path} hides {own}"));
        }
        if !name.ends_with(".rs") || inside.contains("/tests/") || name == "tests.rs" {
            continue;
        }
        sources += 1;
        let text = std::fs::read_to_string(house.root.join(path)).unwrap_or_default();
        problems.extend(
            exceptions(&text)
                .into_iter()
                .map(|line| format!("{path}:{line}: only tests may allow what clippy disallows")),
        );
    }
    outcome(
        problems,
        format!("no exception to .clippy.toml in {sources} sources of the analysis"),
    )
}

/// Where the server lives, and what it and the command line both show.
const SERVER: &[&str] = &["server/telltale/src/lsp/", "server/telltale/src/shown/"];

/// What is the command line's alone: its arguments, its commands, and how they print.
const OF_COMMANDS: &[&str] = &["crate::args", "crate::command", "crate::report"];

/// The server needs nothing of the command line.
pub(super) fn server(house: &House) -> Outcome {
    let is_own = |path: &&String| {
        SERVER.iter().any(|folder| path.starts_with(folder)) && path.ends_with(".rs")
    };
    let (mut problems, mut sources) = (Vec::new(), 0);
    for path in house.files.iter().filter(is_own) {
        sources += 1;
        let text = std::fs::read_to_string(house.root.join(path)).unwrap_or_default();
        problems.extend(uses_commands(&text).map(|(line, what)| {
            format!("{path}:{line}: {what} is the command line's: what both show stands in `shown`")
        }));
    }
    outcome(
        problems,
        format!("{sources} sources use neither commands nor their arguments nor their output"),
    )
}

/// The 1-based lines that name something of the command line, with what.
fn uses_commands(text: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(at, line)| {
        let mut all = OF_COMMANDS.iter();
        all.find(|what| line.contains(*what))
            .map(|what| (at + 1, *what))
    })
}

/// The 1-based lines that lift a ban outside of tests. Tests stand at the end of a file, behind `#[cfg(test)]`.
fn exceptions(text: &str) -> Vec<usize> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| !line.trim_start().starts_with("#[cfg(test)]"))
        .filter(|(_, line)| {
            line.contains("clippy::disallowed_")
                && ["allow(", "expect("].iter().any(|it| line.contains(it))
        })
        .map(|(index, _)| index + 1)
        .collect()
}

fn is_analysis(member: &Package) -> bool {
    member
        .folder
        .as_ref()
        .is_some_and(|folder| folder.starts_with(ANALYSIS))
}

#[cfg(test)]
mod tests {
    use super::super::metadata::Metadata;
    use super::*;

    #[test]
    fn what_is_the_command_line_s_is_found() {
        let text = "use crate::shown::picture;\nuse crate::report::text;\nlet x = crate::command::run();\nuse crate::args;\n";
        let found: Vec<_> = uses_commands(text).collect();
        assert_eq!(
            found,
            [
                (2, "crate::report"),
                (3, "crate::command"),
                (4, "crate::args"),
            ]
        );
    }

    #[test]
    fn rows_name_rows_above_them() {
        for (index, (name, uses)) in ROWS.iter().enumerate() {
            for used in *uses {
                let above = ROWS[..index].iter().any(|(row, _)| row == used);
                assert!(above, "{name} uses {used}, which is not above it");
            }
        }
    }

    /// A workspace of `flow`, `syntax` and `testkit`; flow asks for `dependency`, and syntax links `linked`.
    fn house(dependency: &str, kind: &str, linked: &str) -> Metadata {
        let package = |name: &str, dependencies: &str| {
            format!(
                r#"{{"id":"{name}","name":"{name}","version":"1","source":null,
                "manifest_path":"/r/server/crates/{name}/Cargo.toml","dependencies":[{dependencies}]}}"#
            )
        };
        let declared = format!(r#"{{"name":"{dependency}","kind":{kind}}}"#);
        let foreign = format!(
            r#"{{"id":"{linked}","name":"{linked}","version":"1","source":"registry","manifest_path":"/c/Cargo.toml"}}"#
        );
        let node = |id: &str, dep: &str, kind: &str| {
            format!(r#"{{"id":"{id}","deps":[{{"pkg":"{dep}","dep_kinds":[{{"kind":{kind}}}]}}]}}"#)
        };
        let json = format!(
            r#"{{"workspace_root":"/r","packages":[{},{},{foreign}],"resolve":{{"nodes":[{},{}]}}}}"#,
            package("flow", &declared),
            package("syntax", ""),
            node("flow", "syntax", "null"),
            node("syntax", linked, kind),
        );
        Metadata::parse(&json, true).expect("the JSON is fine")
    }

    fn problems_of_flow(dependency: &str, kind: &str) -> Vec<String> {
        let metadata = house(dependency, kind, "libc");
        let flow = metadata.members().find(|it| it.name == "flow");
        row_problems(flow.expect("flow is there"))
    }

    #[test]
    fn a_crate_uses_what_its_row_names() {
        assert_eq!(problems_of_flow("syntax", "null"), [] as [&str; 0]);
        assert_eq!(problems_of_flow("petgraph", "null"), [] as [&str; 0]);
        assert_eq!(problems_of_flow("testkit", "\"dev\""), [] as [&str; 0]);
        assert_eq!(
            problems_of_flow("testkit", "null"),
            ["flow may not use testkit"]
        );
        assert_eq!(
            problems_of_flow("program", "\"dev\""),
            ["flow may not use program"]
        );
        assert_eq!(
            problems_of_flow("project", "null"),
            ["flow may not use project"]
        );
    }

    #[test]
    fn what_a_dependency_links_is_reached_and_what_it_tests_with_is_not() {
        let reached = |kind| {
            let metadata = house("syntax", kind, "tokio");
            let flow = metadata.members().find(|it| it.name == "flow");
            metadata.closure(flow.expect("flow is there"))
        };
        assert_eq!(reached("null").get("tokio"), Some(&"syntax".to_owned()));
        assert_eq!(reached("\"dev\"").get("tokio"), None);
    }

    #[test]
    fn only_tests_lift_bans() {
        let text = "#[allow(clippy::disallowed_methods)]\nfn f() {}\n#[cfg(test)]\n#[allow(clippy::disallowed_types)]\nmod t {}";
        assert_eq!(exceptions(text), [1]);
        assert_eq!(
            exceptions("#![allow(clippy::unwrap_used)]"),
            [] as [usize; 0]
        );
    }
}
