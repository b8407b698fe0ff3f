//! `cargo xtask install`: puts an editor's part where that editor looks for it, says what it did, and can undo it.
//!
//! A folder that was made here bears a mark. One that does not is somebody's own, and is left alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clients::debian::{call, output};
use crate::editors::vscode;
use crate::{Result, clients, subjects};

/// In each folder that was made here.
const MARK: &str = ".made-by-cargo-xtask-install";

/// Publisher and name of the extension.
const EXTENSION: &str = "telltale.telltale";

/// The commands of VS Code and its kin, in the order in which they are looked for.
const CODES: [&str; 3] = ["code", "codium", "code-server"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Whose part
    #[arg(long)]
    editor: Editor,
    /// Take it away again
    #[arg(long)]
    undo: bool,
    /// The command of VS Code (default: the first that works of code, codium, code-server)
    #[arg(long, value_name = "COMMAND")]
    code: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Editor {
    Vscode,
    Nvim,
    Emacs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = crate::root();
    let (from, to, then) = match arguments.editor {
        Editor::Vscode => return extension(&root, arguments),
        Editor::Nvim => (
            "editors/nvim",
            data()?.join("nvim/site/pack/telltale/start/telltale"),
            "From Neovim 0.11 on, write in init.lua:\n    vim.lsp.enable('telltale')\nBefore, see :help telltale-older.",
        ),
        Editor::Emacs => (
            "editors/emacs",
            home()?.join(".emacs.d/telltale"),
            "Write in your init file:\n    (add-to-list 'load-path \"~/.emacs.d/telltale\")\n    (require 'telltale)\n    (telltale-setup)",
        ),
    };
    if arguments.undo {
        remove(&to)?;
        println!("removed {}", to.display());
        return Ok(());
    }
    put(&root.join(from), &to)?;
    println!("wrote {}", to.display());
    if arguments.editor == Editor::Nvim {
        // Without Neovim at hand the help has no tags yet; Neovim makes them with `:helptags ALL`.
        let tags = format!("helptags {}", to.join("doc").display());
        let _ = call(Command::new("nvim").args(["--clean", "--headless", "-c", &tags, "-c", "q"]));
    }
    println!("{then}");
    remind();
    println!("To undo it: the same command with --undo.");
    Ok(())
}

/// VS Code keeps its extensions itself.
fn extension(root: &Path, arguments: &Arguments) -> Result<()> {
    let code = choose(arguments.code.as_deref(), |name| {
        output(code(name).arg("--version")).map(drop)
    })?;
    if arguments.undo {
        call(self::code(&code).args(["--uninstall-extension", EXTENSION]))?;
        println!("removed {EXTENSION} from {code}");
        return Ok(());
    }
    let telltale = clients::build(true)?;
    let cache = subjects::cache()?.join("clients");
    let stage = telltale.with_file_name("extension");
    let packed = vscode::package(root, &cache, &telltale, &stage)?;
    call(
        self::code(&code)
            .args(["--force", "--install-extension"])
            .arg(&packed),
    )?;
    println!(
        "installed {} in {code}, with the server in it",
        packed.display()
    );
    // Named, so that an editor that is installed in between is not taken for this one.
    println!("To undo it: cargo xtask install --editor vscode --code {code} --undo");
    Ok(())
}

/// The command that was given, else the first of [`CODES`] that works.
fn choose(given: Option<&str>, works: impl Fn(&str) -> Result<()>) -> Result<String> {
    let other = "name the command by --code, or make the .vsix by `cargo xtask dist`";
    match given {
        Some(given) => works(given)
            .map(|()| given.to_owned())
            .map_err(|why| format!("`{given}` does not work ({why}); {other}")),
        None => CODES
            .into_iter()
            .find(|name| works(name).is_ok())
            .map(str::to_owned)
            .ok_or_else(|| format!("none of {} works here; {other}", CODES.join(", "))),
    }
}

/// On Windows these are scripts, which are not found without their ending.
fn code(name: &str) -> Command {
    match cfg!(windows) && Path::new(name).extension().is_none() {
        true => Command::new(format!("{name}.cmd")),
        false => Command::new(name),
    }
}

/// Says what is still to be done if no server is on the search path.
fn remind() {
    if output(Command::new("telltale").arg("--version")).is_err() {
        println!("The server is not on the search path yet: cargo install --path server/telltale");
    }
}

/// Copies `from` to `to`, in place of what was put there before.
fn put(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        remove(to)?;
    }
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    copy(from, to).map_err(failed)?;
    fs::write(to.join(MARK), "").map_err(failed)
}

/// Takes a folder away that was made here.
fn remove(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Err(format!("{} is not there", folder.display()));
    }
    if !folder.join(MARK).is_file() {
        return Err(format!(
            "{} was not made by this command, so it stays as it is",
            folder.display()
        ));
    }
    fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Copies a folder without its tests and what was made from it.
pub(crate) fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    copy_but(from, to, &["test", ".gitignore", "tags"])
}

/// Copies a folder.
pub(crate) fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    copy_but(from, to, &[])
}

fn copy_but(from: &Path, to: &Path, but: &[&str]) -> std::io::Result<()> {
    let mut open = vec![(from.to_path_buf(), to.to_path_buf())];
    while let Some((from, to)) = open.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let name = entry.file_name();
            if but.iter().any(|it| name == *it) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                open.push((entry.path(), to.join(name)));
            } else {
                fs::copy(entry.path(), to.join(name))?;
            }
        }
    }
    Ok(())
}

fn home() -> Result<PathBuf> {
    std::env::home_dir().ok_or_else(|| "the home folder is not known".to_owned())
}

/// Where programs keep a user's data.
fn data() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from)
        && folder.is_absolute()
    {
        return Ok(folder);
    }
    if cfg!(windows)
        && let Some(folder) = std::env::var_os("LOCALAPPDATA")
    {
        return Ok(PathBuf::from(folder));
    }
    Ok(home()?.join(".local/share"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_there_is_taken_away_whole() {
        let parent = tempfile::tempdir().expect("a folder");
        let to = parent.path().join("pack/telltale");
        let from = crate::root().join("editors/nvim");
        put(&from, &to).expect("a copy");
        assert!(to.join("lua/telltale/init.lua").is_file());
        assert!(!to.join("test").exists());
        fs::write(to.join("old"), "").expect("a file");
        put(&from, &to).expect("a second copy");
        assert!(!to.join("old").exists());
        remove(&to).expect("it is ours");
        assert!(!to.exists());
    }

    #[test]
    fn the_first_command_that_works_is_taken_unless_one_is_named() {
        let only = |there: &'static [&str]| {
            move |name: &str| match there.contains(&name) {
                true => Ok(()),
                false => Err("it is not there".to_owned()),
            }
        };
        let all = only(&["code-server", "codium", "code", "mine"]);
        assert_eq!(choose(None, all), Ok("code".to_owned()));
        assert_eq!(choose(Some("mine"), all), Ok("mine".to_owned()));
        let two = only(&["code-server", "codium"]);
        assert_eq!(choose(None, two), Ok("codium".to_owned()));
        let last = only(&["code-server"]);
        assert_eq!(choose(None, last), Ok("code-server".to_owned()));
        let named = choose(Some("code"), last).expect_err("another is not taken instead");
        assert!(
            named.contains("`code`") && named.contains("--code"),
            "{named}"
        );
        let none = choose(None, only(&[])).expect_err("there is none");
        assert!(none.contains("code, codium, code-server"), "{none}");
    }

    #[test]
    fn what_somebody_made_stays() {
        let parent = tempfile::tempdir().expect("a folder");
        let own = parent.path().join("telltale");
        fs::create_dir(&own).expect("a folder");
        fs::write(own.join("mine"), "").expect("a file");
        let from = crate::root().join("editors/emacs");
        assert!(put(&from, &own).is_err());
        assert!(remove(&own).is_err());
        assert!(own.join("mine").is_file());
        assert!(remove(&parent.path().join("none")).is_err());
    }
}
