//! Debian's packages, unpacked into a folder of the cache: nothing is installed, so no root is needed, and the machine
//! stays as it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What went wrong, in a sentence that follows "SKIPPED name: ".
pub(crate) type Provided<T> = std::result::Result<T, String>;

/// Makes `home` by `make`, once: what is there but was not finished goes away first.
pub(crate) fn provide(home: &Path, make: impl FnOnce(&Path) -> Provided<()>) -> Provided<()> {
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

/// Unpacks packages with all that they need, of the machine's own release or of another one. apt checks each against the
/// archive's signed list.
pub(crate) fn unpack(home: &Path, suite: Option<&str>, packages: &[&str]) -> Provided<()> {
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
    let mut simulate = get();
    simulate.args(["-s", "install", "--no-install-recommends"]);
    let plan = output(simulate.args(packages))?;
    let needed = packages_of(&plan);
    if needed.is_empty() {
        return Err(format!("apt-get has no package {}", packages.join(", ")));
    }
    call(get().args(["download", "-qq"]).args(&needed))?;
    // Newer packages rely on `/lib` being a link to `/usr/lib`.
    if suite.is_some() {
        for folder in ["bin", "sbin", "lib", "lib64"] {
            fs::create_dir_all(home.join("usr").join(folder)).map_err(failed)?;
            #[cfg(unix)]
            std::os::unix::fs::symlink(format!("usr/{folder}"), home.join(folder))
                .map_err(failed)?;
        }
    }
    let entries = fs::read_dir(&apt).map_err(failed)?;
    for entry in entries.flatten() {
        if entry.path().extension().is_some_and(|e| e == "deb") {
            extract(&entry.path(), home)?;
        }
    }
    // What was unpacked is all that is used from here on.
    let _ = fs::remove_dir_all(&apt);
    Ok(())
}

/// Unpacks one package, through the links of `home` and not over them.
fn extract(package: &Path, home: &Path) -> Provided<()> {
    let mut open = Command::new("dpkg-deb");
    open.arg("--fsys-tarfile").arg(package);
    open.stdout(Stdio::piped()).stdin(Stdio::null());
    let mut opened = open
        .spawn()
        .map_err(|error| format!("cannot start dpkg-deb: {error}"))?;
    let Some(archive) = opened.stdout.take() else {
        return Err("dpkg-deb has no output".to_owned());
    };
    let mut unpack = Command::new("tar");
    unpack
        .args(["--extract", "--keep-directory-symlink", "--no-same-owner"])
        .arg("--directory")
        .arg(home)
        .stdin(archive);
    let unpacked = unpack
        .status()
        .map_err(|error| format!("cannot start tar: {error}"))?;
    let opened = opened.wait().map_err(|error| error.to_string())?;
    match unpacked.success() && opened.success() {
        true => Ok(()),
        false => Err(format!("cannot unpack {}", package.display())),
    }
}

/// Where in a root of its own the machine's root is.
pub(crate) const OUTSIDE: &str = "/outside";

/// What runs a program of an unpacked tree as if the tree were the machine: in a root of its own, in which `shared`
/// folders, `/proc`, `/dev` and `/tmp` are those outside, and [`OUTSIDE`] is all of the machine.
pub(crate) fn inside(home: &Path, shared: &[&Path], program: &str) -> Provided<Command> {
    let mut script = String::from("set -e\n");
    let always = ["/proc", "/dev", "/sys", "/tmp"].map(Path::new);
    let same = always.iter().chain(shared).map(|folder| (*folder, *folder));
    for (folder, there) in same.chain([(Path::new("/"), Path::new(OUTSIDE))]) {
        let there = home.join(there.strip_prefix("/").unwrap_or(there));
        fs::create_dir_all(&there)
            .map_err(|error| format!("cannot make {}: {error}", there.display()))?;
        script.push_str(&format!(
            "mount --rbind '{}' '{}'\n",
            folder.display(),
            there.display()
        ));
    }
    script.push_str(
        "root=$1 folder=$2\nshift 2\nexec chroot \"$root\" /usr/bin/env -C \"$folder\" \"$@\"\n",
    );
    let mut command = Command::new("unshare");
    command
        .args(["--map-root-user", "--mount", "--", "sh", "-c", &script])
        .arg("inside")
        .arg(home)
        .arg("/tmp")
        .arg(program);
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
    Ok(command)
}

/// True where a process may have a root of its own.
pub(crate) fn can_go_inside() -> Provided<()> {
    call(Command::new("unshare").args(["--map-root-user", "--mount", "true"]))
        .map_err(|why| format!("this machine gives no process a root of its own ({why})"))
}

/// The packages that apt would install.
fn packages_of(plan: &str) -> Vec<&str> {
    plan.lines()
        .filter_map(|line| line.strip_prefix("Inst ")?.split_whitespace().next())
        .collect()
}

/// Where this machine gets its Debian from, but another release of it.
fn sources_of(suite: &str) -> Provided<String> {
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
pub(crate) fn call(command: &mut Command) -> Provided<()> {
    output(command).map(|_| ())
}

/// What a command says on its way to a good end.
pub(crate) fn output(command: &mut Command) -> Provided<String> {
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
