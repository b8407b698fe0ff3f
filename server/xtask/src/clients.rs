//! `cargo xtask clients`: the language server driven by clients that we did not write.
//!
//! ```text
//! CACHE/clients/pytest/<key>/   a virtual environment with the pinned packages of tests/clients/requirements.txt
//! CACHE/clients/neovim-<suite>/ Debian's packages of Neovim, unpacked; nothing is installed, so no root is needed
//! ```
//! A client that cannot be had on this machine is skipped, and that is said; a client that finds something wrong fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::{Result, subjects};

/// How long one client may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The real project beside the demo.
const SUBJECT: &str = "commons-csv";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this client (default: all)
    #[arg(long)]
    only: Option<Client>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Client {
    /// The client library pytest-lsp, as eight editors
    Pytest,
    /// Neovim without a screen: that of the machine's Debian, and 0.12
    Neovim,
}

/// Debian's release that has Neovim 0.12, and how that names itself: a newer one there is not what the tests know.
const NEWER: (&str, &str) = ("forky", "NVIM v0.12.");

/// A client that is ready to be started, or why there is none.
type Provided = std::result::Result<Command, String>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let telltale = build()?;
    let cache = subjects::cache()?.join("clients");
    let mut failed = Vec::new();
    let mut clients: Vec<(&str, Provided)> = Vec::new();
    let wanted = |client| arguments.only.is_none_or(|only| only == client);
    if wanted(Client::Pytest) {
        clients.push(("pytest", pytest(&cache)));
    }
    if wanted(Client::Neovim) {
        clients.push(("neovim", neovim(&cache, None)));
        clients.push(("neovim 0.12", neovim(&cache, Some(NEWER))));
    }
    for (name, provided) in clients {
        let mut command = match provided {
            Ok(command) => command,
            Err(why) => {
                println!("SKIPPED {name}: {why}");
                continue;
            }
        };
        command.env("TELLTALE", &telltale).stdin(Stdio::null());
        let begun = Instant::now();
        let child = command
            .spawn()
            .map_err(|error| format!("cannot start {name}: {error}"))?;
        let done = finished(child)?;
        println!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
        if !done {
            failed.push(name);
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "what these clients saw is wrong: {}",
            failed.join(", ")
        )),
    }
}

/// Builds the server; its path.
fn build() -> Result<PathBuf> {
    let mut cargo = crate::cargo();
    cargo.args([
        "build",
        "-p",
        "telltale",
        "--message-format=json-render-diagnostics",
    ]);
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

/// True if the process ends well within [`LIMIT`]; it is killed if it does not end.
fn finished(mut child: Child) -> Result<bool> {
    let begun = Instant::now();
    loop {
        let status = child.try_wait().map_err(|error| error.to_string())?;
        if let Some(status) = status {
            return Ok(status.success());
        }
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            println!("killed: it took more than {} s", LIMIT.as_secs());
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Where the tests of clients lie.
fn folder() -> PathBuf {
    crate::root().join("tests/clients")
}

fn pytest(cache: &Path) -> Provided {
    let packages = folder().join("requirements.txt");
    let pinned = fs::read(&packages)
        .map_err(|error| format!("cannot read {}: {error}", packages.display()))?;
    let digest = Sha256::digest(&pinned);
    let key: String = digest.iter().take(6).map(|b| format!("{b:02x}")).collect();
    let home = cache.join("pytest").join(key);
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
    match subjects::one(SUBJECT) {
        Ok(subject) => {
            command.env("TELLTALE_SUBJECTS", subject.parent().unwrap_or(&subject));
        }
        Err(why) => {
            command.env_remove("TELLTALE_SUBJECTS");
            println!("SKIPPED {SUBJECT}: {why}");
        }
    }
    Ok(command)
}

/// Neovim of the machine's own Debian, or of another release and then only in this version. It is started by the loader
/// that it was built with.
fn neovim(cache: &Path, other: Option<(&str, &str)>) -> Provided {
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
    command
        .args(["--clean", "--headless", "-n", "-c", "luafile neovim.lua"])
        .env("DEMO", crate::root().join("tests/demo"))
        .current_dir(folder());
    Ok(command)
}

/// Makes `home` by `make`, once: what is there but was not finished goes away first.
fn provide(
    home: &Path,
    make: impl FnOnce(&Path) -> std::result::Result<(), String>,
) -> std::result::Result<(), String> {
    let done = home.join(".complete");
    if done.is_file() {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("cannot make {}: {error}", home.display());
    if home.exists() {
        fs::remove_dir_all(home).map_err(failed)?;
    }
    fs::create_dir_all(home).map_err(failed)?;
    eprintln!("installing {}", home.display());
    make(home)?;
    fs::write(&done, "").map_err(failed)
}

/// The unpacked Neovim, by its own loader and with its own runtime.
fn unpacked(home: &Path) -> Provided {
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

/// Debian's Neovim with all that it needs, by apt with folders of its own: it needs no root and leaves the machine as it
/// was.
fn unpack_neovim(home: &Path, suite: Option<&str>) -> std::result::Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", home.display());
    let apt = home.join("apt");
    for folder in ["state/lists/partial", "cache/archives/partial", "sources"] {
        fs::create_dir_all(apt.join(folder)).map_err(failed)?;
    }
    let mut options = vec![
        ("Dir::State", apt.join("state").display().to_string()),
        ("Dir::Cache", apt.join("cache").display().to_string()),
        // As if nothing were installed, so that all it needs is named.
        ("Dir::State::status", "/dev/null".to_owned()),
        ("APT::Sandbox::User", String::new()),
        ("Debug::NoLocking", "1".to_owned()),
    ];
    if let Some(suite) = suite {
        let sources = apt.join("sources");
        fs::write(sources.join("debian.sources"), sources_of(suite)?).map_err(failed)?;
        options.push(("Dir::Etc::sourcelist", "/dev/null".to_owned()));
        options.push(("Dir::Etc::sourceparts", sources.display().to_string()));
    }
    let get = || {
        let mut get = Command::new("apt-get");
        for (option, value) in &options {
            get.arg("-o").arg(format!("{option}={value}"));
        }
        get.current_dir(&apt);
        get
    };
    call(get().args(["update", "-qq"]))?;
    let plan = output(get().args(["-s", "install", "--no-install-recommends", "neovim"]))?;
    let packages = packages_of(&plan);
    if packages.is_empty() {
        return Err("apt-get has no package neovim".to_owned());
    }
    call(get().args(["download", "-qq"]).args(&packages))?;
    let entries = fs::read_dir(&apt).map_err(failed)?;
    for entry in entries.flatten() {
        if entry.path().extension().is_some_and(|e| e == "deb") {
            let mut unpack = Command::new("dpkg-deb");
            call(unpack.arg("-x").arg(entry.path()).arg(home))?;
        }
    }
    // What was unpacked is all that is used from here on.
    let _ = fs::remove_dir_all(&apt);
    call(unpacked(home)?.arg("--version"))
}

/// The packages that apt would install.
fn packages_of(plan: &str) -> Vec<&str> {
    plan.lines()
        .filter_map(|line| line.strip_prefix("Inst ")?.split_whitespace().next())
        .collect()
}

/// Where this machine gets its Debian from, but another release of it.
fn sources_of(suite: &str) -> std::result::Result<String, String> {
    let folder = Path::new("/etc/apt/sources.list.d");
    let entries = fs::read_dir(folder).map_err(|_| "this machine has no apt".to_owned())?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "sources"))
        .filter_map(|path| fs::read_to_string(path).ok())
        .find_map(|text| of_suite(&text, suite))
        .ok_or_else(|| "apt's sources do not say where Debian comes from".to_owned())
}

/// The first stanza of Debian's main archive, for another suite.
fn of_suite(sources: &str, suite: &str) -> Option<String> {
    let stanza = sources.split("\n\n").find(|stanza| {
        let value = |key: &str| stanza.lines().find_map(|line| line.strip_prefix(key));
        value("Signed-By:").is_some_and(|key| key.contains("debian-archive"))
            && value("Suites:").is_some_and(|suites| !suites.contains("-security"))
    })?;
    let lines = stanza
        .lines()
        .map(|line| match line.starts_with("Suites:") {
            true => format!("Suites: {suite}\n"),
            false => format!("{line}\n"),
        });
    Some(lines.collect())
}

/// Runs a command to its end; the last line of what it complained about if it fails.
fn call(command: &mut Command) -> std::result::Result<(), String> {
    output(command).map(|_| ())
}

fn output(command: &mut Command) -> std::result::Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Err(format!(
        "{name} failed: {}",
        last.unwrap_or("it said nothing")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_the_plan() {
        let plan = "Reading package lists...
Inst libc6 (2.36 Debian:12.15 [amd64])
Inst neovim (0.7.2-7 Debian:12.15 [amd64])
Conf neovim (0.7.2-7 Debian:12.15 [amd64])
";
        assert_eq!(packages_of(plan), ["libc6", "neovim"]);
    }

    #[test]
    fn another_release_comes_from_where_the_machines_own_does() {
        let sources = "Types: deb
# A comment
URIs: somewhere
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: elsewhere
Suites: bookworm-security
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
";
        let found = of_suite(sources, "forky").expect("a stanza");
        assert!(
            found.contains("URIs: somewhere\nSuites: forky\nComponents: main\n"),
            "{found}"
        );
        assert!(!found.contains("elsewhere"), "{found}");
        assert_eq!(of_suite("Types: deb\nSuites: stable\n", "forky"), None);
    }

    #[test]
    fn what_was_not_finished_is_made_again() {
        let parent = tempfile::tempdir().expect("a folder");
        let home = parent.path().join("client");
        let broken = provide(&home, |home| {
            fs::write(home.join("half"), "").expect("a file");
            Err("no network".to_owned())
        });
        assert_eq!(broken, Err("no network".to_owned()));
        let whole = provide(&home, |home| {
            assert!(!home.join("half").exists());
            Ok(())
        });
        assert_eq!(whole, Ok(()));
        assert_eq!(provide(&home, |_| Err("not again".to_owned())), Ok(()));
    }
}
