//! `cargo xtask clients`: the language server driven by clients that we did not write.
//!
//! ```text
//! CACHE/clients/pytest/<key>/   a virtual environment with the pinned packages of tests/clients/requirements.txt
//! CACHE/clients/neovim-<suite>/ Debian's packages of Neovim, unpacked; nothing is installed, so no root is needed
//! ```
//! A client that cannot be had on this machine is skipped, and that is said, or fails with `--require`; a client that finds
//! something wrong fails.

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::maven::{self, Artifact};
use crate::{Result, install, subjects};
use debian::{Provided, call, output, provide};

pub(crate) mod debian;

/// How long one client may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The real project beside the demo.
const SUBJECT: &str = "commons-csv";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this client (default: all)
    #[arg(long)]
    only: Option<Client>,
    /// A client that cannot be had fails
    #[arg(long)]
    require: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Client {
    /// The client library pytest-lsp, as eight editors
    Pytest,
    /// Neovim without a screen: that of the machine's Debian, and 0.12
    Neovim,
}

/// Debian's release that has Neovim 0.12, and how that names itself: a newer one there is not what the tests know.
pub(crate) const NEWER: (&str, &str) = ("forky", "NVIM v0.12.");

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let telltale = build(false)?;
    let cache = subjects::cache()?.join("clients");
    let mut failed = Vec::new();
    let mut clients: Vec<(&str, Provided<Command>)> = Vec::new();
    let wanted = |client| arguments.only.is_none_or(|only| only == client);
    if wanted(Client::Pytest) {
        clients.push(("pytest", pytest(&cache, arguments.require)));
    }
    if wanted(Client::Neovim) {
        let suspects = recorded(&cache, &telltale);
        if let Err(why) = &suspects {
            let name = "suspicious assertions in neovim";
            failed.extend(missing(name, why, arguments.require));
        }
        let suspects = suspects.ok();
        clients.push(("neovim", neovim(&cache, None, suspects.as_deref())));
        clients.push((
            "neovim 0.12",
            neovim(&cache, Some(NEWER), suspects.as_deref()),
        ));
    }
    for (name, provided) in clients {
        let provided = provided.map(|mut command| {
            command.env("TELLTALE", &telltale);
            command
        });
        failed.extend(ran(name, provided, LIMIT, arguments.require)?);
    }
    all_well(&failed)
}

/// An error with all that is wrong, so that it stands at the end of a long output.
pub(crate) fn all_well(wrong: &[String]) -> Result<()> {
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("something is wrong:\n{}", wrong.join("\n"))),
    }
}

/// Builds the server; its path.
pub(crate) fn build(release: bool) -> Result<PathBuf> {
    let mut cargo = crate::cargo();
    cargo.args([
        "build",
        "-p",
        "telltale",
        "--message-format=json-render-diagnostics",
    ]);
    if release {
        cargo.arg("--release");
    }
    let output = cargo
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err("telltale does not compile".to_owned());
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "telltale")
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .ok_or_else(|| "cargo did not say where it put telltale".to_owned())
}

/// Runs what was provided; says what is wrong, if anything is. What cannot be had is named, and is wrong if it is required.
pub(crate) fn ran(
    name: &str,
    provided: Provided<Command>,
    limit: Duration,
    require: bool,
) -> Result<Option<String>> {
    let mut command = match provided {
        Ok(command) => command,
        Err(why) => return Ok(missing(name, &why, require)),
    };
    println!("{name}:");
    let begun = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    let said = child.stdout.take().map(Said::of);
    let ended = finished(child, limit)?;
    let failures = said.map(Said::failures).unwrap_or_default();
    println!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
    Ok(ended.err().map(|how| format!("{name}: {how}\n{failures}")))
}

/// Names what cannot be had, and says it if it is required.
fn missing(name: &str, why: &str, require: bool) -> Option<String> {
    let what = if require { "MISSING" } else { "SKIPPED" };
    let said = format!("{what} {name}: {why}");
    println!("{said}");
    require.then_some(said)
}

/// What a client prints: passed on as it comes, and its lines of failures kept.
struct Said {
    failures: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Said {
    fn of(stdout: impl Read + Send + 'static) -> Said {
        let failures = Arc::new(Mutex::new(String::new()));
        let kept = failures.clone();
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(|it| it.ok()) {
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                // What was found instead stands in the line below.
                if line.contains("FAILED") || line.trim_start().starts_with("found ") {
                    *kept += &line;
                    *kept += "\n";
                }
            }
        });
        Said { failures, reader }
    }

    /// What failed. A process that outlives the client may hold the output open, and is not waited for.
    fn failures(self) -> String {
        let begun = Instant::now();
        while !self.reader.is_finished() && begun.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let failures = self.failures.lock();
        failures.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// An error that says how, unless the process ends well within `limit`; it is killed if it does not end.
fn finished(mut child: Child, limit: Duration) -> Result<Result<()>> {
    let begun = Instant::now();
    loop {
        let status = child.try_wait().map_err(|error| error.to_string())?;
        if let Some(status) = status {
            return Ok(match status.success() {
                true => Ok(()),
                false => Err(format!("it ended with {status}")),
            });
        }
        if begun.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(Err(format!(
                "killed: it took more than {} s",
                limit.as_secs()
            )));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What names a folder of the cache that holds what `pinned` says.
pub(crate) fn key(pinned: &[u8]) -> String {
    let digest = Sha256::digest(pinned);
    digest.iter().take(6).map(|b| format!("{b:02x}")).collect()
}

/// Where the tests of clients lie.
pub(crate) fn folder() -> PathBuf {
    crate::root().join("tests/clients")
}

/// Without the real project its check is left out, unless all is required.
fn pytest(cache: &Path, require: bool) -> Provided<Command> {
    let packages = folder().join("requirements.txt");
    let pinned = fs::read(&packages)
        .map_err(|error| format!("cannot read {}: {error}", packages.display()))?;
    let home = cache.join("pytest").join(key(&pinned));
    let bin = home.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = bin.join("python");
    provide(&home, |home| {
        let system = if cfg!(windows) { "python" } else { "python3" };
        call(Command::new(system).args(["-m", "venv"]).arg(home))?;
        let mut pip = Command::new(&python);
        pip.args([
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "-r",
        ]);
        call(pip.arg(&packages))
    })?;
    let mut command = Command::new(&python);
    command
        .args(["-m", "pytest"])
        .current_dir(folder())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    match real_project() {
        Ok(subject) => {
            command.env("TELLTALE_SUBJECTS", subject.parent().unwrap_or(&subject));
        }
        Err(why) if require => return Err(why),
        Err(why) => {
            command.env_remove("TELLTALE_SUBJECTS");
            println!("SKIPPED {SUBJECT}: {why}");
        }
    }
    Ok(command)
}

/// The real project, with the library that its parser reads from in Maven's local repository: without that nobody knows what its
/// tests could ask.
fn real_project() -> Provided<PathBuf> {
    let subject = subjects::one(SUBJECT)?;
    let pom = fs::read_to_string(subject.join("pom.xml")).map_err(|error| error.to_string())?;
    let version = pom
        .split_once("<commons.io.version>")
        .and_then(|(_, behind)| behind.split_once('<'))
        .ok_or("its pom names no commons-io")?;
    let library = Artifact {
        group: "commons-io".to_owned(),
        name: "commons-io".to_owned(),
        version: version.0.to_owned(),
        classifier: None,
        extension: "jar",
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    maven::copy(&[library], folder.path())?;
    Ok(subject)
}

/// A copy of the project with a wrong assertion, its tests recorded.
fn recorded(cache: &Path, telltale: &Path) -> Provided<PathBuf> {
    let (from, to) = (
        crate::root().join("tests/suspects"),
        cache.join("neovim-suspects"),
    );
    let made = || -> std::io::Result<()> {
        if to.exists() {
            fs::remove_dir_all(&to)?;
        }
        install::copy_all(&from.join("src"), &to.join("src"))?;
        fs::copy(from.join("pom.xml"), to.join("pom.xml")).map(|_| ())
    };
    let made = made().map_err(|error| format!("{}: {error}", to.display()));
    let record = |()| call(Command::new(telltale).args(["record", "-q"]).arg(&to));
    made.and_then(record).map(|()| to)
}

fn neovim(cache: &Path, other: Option<(&str, &str)>, suspects: Option<&Path>) -> Provided<Command> {
    let mut command = bare_neovim(cache, other)?;
    // An action writes files; the folder stays, as those of the editors' tests do.
    let suite = other.map_or("own", |(suite, _)| suite);
    let demo = cache.join(format!("neovim-demo-{suite}"));
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", demo.display());
    if demo.exists() {
        std::fs::remove_dir_all(&demo).map_err(failed)?;
    }
    let from = crate::root().join("tests/demo");
    install::copy_all(&from.join("src"), &demo.join("src")).map_err(failed)?;
    std::fs::copy(from.join("pom.xml"), demo.join("pom.xml")).map_err(failed)?;
    command
        .args(["--clean", "--headless", "-n", "-c", "luafile neovim.lua"])
        .env("DEMO", demo)
        .current_dir(folder());
    match suspects {
        Some(suspects) => command.env("SUSPECTS", suspects),
        None => command.env_remove("SUSPECTS"),
    };
    if let Some(junit) = junit(cache) {
        command.env("JUNIT", junit);
    }
    Ok(command)
}

/// JUnit's console, by which what an action writes is compiled and run, where somebody fetched it already.
pub(crate) fn junit(cache: &Path) -> Option<PathBuf> {
    let tools = cache.with_file_name("tools");
    let files = std::fs::read_dir(tools).into_iter().flatten().flatten();
    let mut paths = files.map(|entry| entry.path());
    paths.find(|jar| {
        let name = jar.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("junit-platform-console-standalone")
    })
}

/// Neovim of the machine's own Debian, or of another release and then only in this version. It is started by the loader
/// that it was built with.
pub(crate) fn bare_neovim(cache: &Path, other: Option<(&str, &str)>) -> Provided<Command> {
    let suite = other.map_or("own", |(suite, _)| suite);
    let home = cache.join(format!("neovim-{suite}"));
    let start = provide(&home, |home| unpack_neovim(home, other.map(|o| o.0)))
        .and_then(|()| unpacked(&home));
    let mut command = match (start, other) {
        (Ok(command), _) => command,
        // The machine's own, whatever its version.
        (Err(why), None) => match call(Command::new("nvim").arg("--version")) {
            Ok(()) => Command::new("nvim"),
            Err(_) => return Err(why),
        },
        (Err(why), Some(_)) => return Err(why),
    };
    if let Some((_, version)) = other {
        let said = output(unpacked(&home)?.arg("--version"))?;
        let first = said.lines().next().unwrap_or_default();
        if !first.starts_with(version) {
            return Err(format!(
                "{suite} has {first}, and the tests know {version}*"
            ));
        }
    }
    // The user's own settings and history are neither read nor written.
    for (variable, place) in [
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
    ] {
        command.env(variable, cache.join("neovim-home").join(place));
    }
    Ok(command)
}

/// The unpacked Neovim, by its own loader and with its own runtime.
fn unpacked(home: &Path) -> Provided<Command> {
    let entry = |folder: &Path, part: &str| {
        let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
        entries
            .flatten()
            .map(|entry| entry.path())
            .find(|path| {
                path.file_name()
                    .is_some_and(|n| n.to_string_lossy().contains(part))
            })
            .ok_or_else(|| format!("{} has no *{part}*", folder.display()))
    };
    // The folder has the machine's kind in its name, and older releases keep the loader beside `usr`.
    let libraries = entry(&home.join("usr/lib"), "-linux-")?;
    let old = libraries
        .file_name()
        .map(|name| home.join("lib").join(name));
    let old = old.filter(|folder| folder.is_dir());
    let loader = match &old {
        Some(old) => entry(old, "ld-linux").or_else(|_| entry(&libraries, "ld-linux"))?,
        None => entry(&libraries, "ld-linux")?,
    };
    let path: Vec<&Path> = [Some(libraries.as_path()), old.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let path = std::env::join_paths(path).map_err(|error| error.to_string())?;
    let mut command = Command::new(loader);
    command
        .arg("--library-path")
        .arg(path)
        .arg(home.join("usr/bin/nvim"))
        .arg("--cmd")
        .arg(format!("set rtp^={}", home.join("usr/lib/nvim").display()))
        .env("VIMRUNTIME", home.join("usr/share/nvim/runtime"));
    Ok(command)
}

fn unpack_neovim(home: &Path, suite: Option<&str>) -> Provided<()> {
    debian::unpack(home, suite, &["neovim"])?;
    call(unpacked(home)?.arg("--version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_skipped_unless_it_is_required() {
        let ran = |require| ran("a client", Err("not here".into()), LIMIT, require);
        assert_eq!(ran(false), Ok(None));
        assert_eq!(ran(true), Ok(Some("MISSING a client: not here".into())));
    }

    #[cfg(unix)]
    #[test]
    fn what_failed_is_said_again() {
        let ran = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            ran("a client", Ok(command), LIMIT, true)
        };
        assert_eq!(ran("echo ok one; exit 0"), Ok(None));
        let script = "echo ok one; echo FAILED two; echo '  found 3'; echo ok four; exit 2";
        let wrong = "a client: it ended with exit status: 2\nFAILED two\n  found 3\n";
        assert_eq!(ran(script), Ok(Some(wrong.into())));
    }
}
