//! Projects that exist for one test, the binary run on them, and its graphs in one line an edge.

use crate::folder::Folder;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Its output as JSON, after a run without a complaint.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("the output is JSON")
    }

    /// A mistake of the user: exit 2, nothing on stdout, and what is said.
    #[track_caller]
    pub(crate) fn mistake(&self, says: &[&str]) {
        assert_eq!(self.code, 2, "{self:?}");
        assert_eq!(self.stdout, "", "results only go to stdout");
        for part in says {
            assert!(
                self.stderr.contains(part),
                "{part:?} is not said:\n{}",
                self.stderr
            );
        }
    }
}

/// The binary, to be given arguments.
pub(crate) fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_telltale"));
    command
        .stdin(Stdio::null())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("RAYON_NUM_THREADS");
    command
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("the binary starts");
    Ran {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: complaints(output.stderr),
    }
}

/// What was said on stderr, without the lines that a run says which takes long: a busy machine makes any run long.
pub(crate) fn complaints(stderr: Vec<u8>) -> String {
    let said = String::from_utf8(stderr).expect("UTF-8");
    let progress = |line: &&str| line.starts_with("telltale: ") && line.trim_end().ends_with(" s");
    said.split_inclusive('\n')
        .filter(|line| !progress(line))
        .collect()
}

/// Runs the binary in a folder.
pub(crate) fn telltale(folder: &Path, arguments: &[&str]) -> Ran {
    ran(binary().current_dir(folder).args(arguments))
}

/// A folder with files, in which the binary is run.
pub(crate) struct Project {
    folder: Folder,
}

impl Project {
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        Project {
            folder: Folder::new(files),
        }
    }

    /// A copy of a project that comes with the sources.
    pub(crate) fn of(name: &str) -> Project {
        Project {
            folder: Folder::of_project(name),
        }
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        self.folder.write(path, bytes);
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        telltale(self.path(), arguments)
    }

    /// The edges of a scope's graph, one a line.
    pub(crate) fn edges(&self, scope: &[&str]) -> String {
        let arguments = [&["graph", "--format", "json"], scope].concat();
        edges(&self.run(&arguments).json())
    }
}

/// The project that comes with the sources.
pub(crate) fn demo() -> PathBuf {
    repository().join("tests/demo")
}

pub(crate) fn repository() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().expect("the repository is here")
}

/// A real project, or none where `TELLTALE_SUBJECTS` is not set; then says so.
pub(crate) fn subject(name: &str) -> Option<PathBuf> {
    match std::env::var_os("TELLTALE_SUBJECTS") {
        Some(folder) => {
            let folder = PathBuf::from(folder).join(name);
            assert!(folder.is_dir(), "{} is no folder", folder.display());
            Some(folder)
        }
        None => {
            eprintln!(
                "skipped: {name}, because TELLTALE_SUBJECTS is not set; see `cargo xtask test`"
            );
            None
        }
    }
}

/// `variable@line`; a value that a method returns is `return@line`.
fn place(node: &Value) -> String {
    let variable = match node["kind"].as_str() {
        Some("return") => "return",
        _ => node["variable"].as_str().expect("a name"),
    };
    format!("{variable}@{}", node["line"])
}

/// One line an edge of a graph: `x@5 -> r@2 return 1/2`, with ` cut` where it is cut.
pub(crate) fn edges(graph: &Value) -> String {
    let nodes = graph["nodes"].as_array().expect("nodes");
    let place = |id: &Value| place(&nodes[id.as_u64().expect("an id") as usize]);
    let mut out = String::new();
    for e in graph["edges"].as_array().expect("edges") {
        let cut = if e["cut"] == true { " cut" } else { "" };
        writeln!(
            out,
            "{} -> {} {} {}{cut}",
            place(&e["from"]),
            place(&e["to"]),
            e["kind"].as_str().expect("a kind"),
            testkit::fraction(e["probability"].as_f64().expect("a number")),
        )
        .expect("a string takes all");
    }
    out
}
