//! `cargo xtask install`: puts an editor's part where that editor looks for it, says what it did, and can undo it.
//!
//! A folder that was made here bears a mark. One that does not is somebody's own, and is left alone. The mark says how
//! many of the folders around it were made along, so that they can go too once they are empty.

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
    let (from, to) = match arguments.editor {
        Editor::Vscode => return extension(&root, arguments),
        Editor::Nvim => (
            "editors/nvim",
            data()?.join("site/pack/telltale/start/telltale"),
        ),
        Editor::Emacs => {
            let own = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
            ("editors/emacs", emacs(&home()?, own).join("telltale"))
        }
    };
    let lines = lines(arguments.editor, &to)?;
    if arguments.undo {
        match remove(&to)? {
            true => println!(
                "removed {}\nYour init file may still have:\n{lines}",
                to.display()
            ),
            false => println!("{} is not there: nothing to remove", to.display()),
        }
        return Ok(());
    }
    put(&root.join(from), &to)?;
    println!("wrote {}", to.display());
    println!("Write in your init file:\n{lines}");
    remind();
    println!("To undo it: the same command with --undo.");
    Ok(())
}

/// What a person writes into the init file of an editor that was given its part in `to`.
fn lines(editor: Editor, to: &Path) -> Result<String> {
    Ok(match editor {
        Editor::Vscode => String::new(),
        Editor::Nvim => {
            "    vim.lsp.enable('telltale')   -- from Neovim 0.11 on; before: :help telltale-older"
                .to_owned()
        }
        Editor::Emacs => {
            let place = match to.strip_prefix(home()?) {
                Ok(inner) => Path::new("~").join(inner),
                Err(_) => to.to_path_buf(),
            };
            // Emacs takes slashes everywhere.
            let place = place.display().to_string().replace('\\', "/");
            let place = place.replace('"', "\\\"");
            format!(
                "    (add-to-list 'load-path \"{place}\")\n    (require 'telltale)\n    (telltale-setup)"
            )
        }
    })
}

/// VS Code keeps its extensions itself.
fn extension(root: &Path, arguments: &Arguments) -> Result<()> {
    let code = choose(arguments.code.as_deref(), |name| {
        output(code(name).arg("--version")).map(drop)
    })?;
    if arguments.undo {
        let there = output(self::code(&code).arg("--list-extensions"))?;
        if there.lines().any(|it| it.trim() == EXTENSION) {
            call(self::code(&code).args(["--uninstall-extension", EXTENSION]))?;
            println!("removed {EXTENSION} from {code}");
        } else {
            println!("{EXTENSION} is not in {code}: nothing to remove");
        }
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
        println!(
            "The server is not on the search path yet: cargo install --locked --path server/telltale"
        );
    }
}

/// Copies `from` to `to`, in place of what was put there before.
fn put(from: &Path, to: &Path) -> Result<()> {
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    let made = if to.exists() {
        let made = marked(to)?;
        fs::remove_dir_all(to).map_err(failed)?;
        made
    } else {
        let around = to.ancestors().skip(1);
        around.take_while(|folder| !folder.exists()).count()
    };
    fs::create_dir_all(to).map_err(failed)?;
    // First, so that what is not finished can be put again and taken away.
    fs::write(to.join(MARK), made.to_string()).map_err(failed)?;
    copy(from, to).map_err(failed)?;
    help_tags(&to.join("doc")).map_err(failed)
}

/// Takes a folder away that was made here; false if there is none.
fn remove(folder: &Path) -> Result<bool> {
    if !folder.exists() {
        return Ok(false);
    }
    let made = marked(folder)?;
    fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for around in folder.ancestors().skip(1).take(made) {
        // One that somebody put something into stays, and so do those around it.
        if fs::remove_dir(around).is_err() {
            break;
        }
    }
    Ok(true)
}

/// How many of the folders around one that was made here were made along; an error if it was not made here.
fn marked(folder: &Path) -> Result<usize> {
    let mark = fs::read_to_string(folder.join(MARK)).map_err(|_| {
        format!(
            "{} was not made by this command, so it stays as it is",
            folder.display()
        )
    })?;
    Ok(mark.trim().parse().unwrap_or(0))
}

/// Writes the tags of the help files in `folder`, as `:helptags` does: with them `:help` works wherever the folder goes,
/// without Neovim at hand. Nothing if there is no such folder.
pub(crate) fn help_tags(folder: &Path) -> std::io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let mut tags = std::collections::BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.extension().is_none_or(|it| it != "txt") {
            continue;
        }
        // Its first line names the file itself, and is a tag as well.
        for word in fs::read_to_string(&path)?.split_whitespace() {
            let tag = word.strip_prefix('*').and_then(|it| it.strip_suffix('*'));
            if let Some(tag) = tag.filter(|it| !it.is_empty() && !it.contains(['*', '|'])) {
                tags.insert(format!("{tag}\t{name}\t/*{tag}*\n"));
            }
        }
    }
    fs::write(folder.join("tags"), tags.into_iter().collect::<String>())
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

/// Where Neovim keeps a user's data.
fn data() -> Result<PathBuf> {
    let app = std::env::var_os("NVIM_APPNAME").filter(|it| !it.is_empty());
    let mut app = app.unwrap_or_else(|| "nvim".into());
    if cfg!(windows) {
        app.push("-data");
    }
    if let Some(folder) = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from)
        && folder.is_absolute()
    {
        return Ok(folder.join(app));
    }
    if cfg!(windows)
        && let Some(folder) = std::env::var_os("LOCALAPPDATA")
    {
        return Ok(PathBuf::from(folder).join(app));
    }
    Ok(home()?.join(".local/share").join(app))
}

/// The folder of the user's Emacs, whose settings are in `own` instead of `~/.config` if that is given. The newer place
/// counts only where the older one is not: one that was made here would hide the user's own init file.
fn emacs(home: &Path, own: Option<PathBuf>) -> PathBuf {
    let old = home.join(".emacs.d");
    let new = own
        .filter(|folder| folder.is_absolute())
        .unwrap_or_else(|| home.join(".config"))
        .join("emacs");
    let is_old = [".emacs.d", ".emacs", ".emacs.el"]
        .iter()
        .any(|name| home.join(name).exists());
    match !is_old && new.is_dir() {
        true => new,
        false => old,
    }
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
        let tags = fs::read_to_string(to.join("doc/tags")).expect("help");
        assert!(
            tags.contains(":Telltale-graph\ttelltale.txt\t/*:Telltale-graph*\n"),
            "{tags}"
        );
        assert_eq!(remove(&to), Ok(true));
        assert!(!to.exists());
        assert_eq!(remove(&to), Ok(false), "once is enough");
        assert!(!to.with_file_name("").exists(), "the folder around it goes");
        assert!(parent.path().exists(), "which was there before");
    }

    #[test]
    fn a_folder_around_it_stays_when_somebody_uses_it() {
        let parent = tempfile::tempdir().expect("a folder");
        let to = parent.path().join("start/telltale/one");
        let from = crate::root().join("editors/emacs");
        put(&from, &to).expect("a copy");
        fs::write(parent.path().join("start/mine"), "").expect("a file");
        assert_eq!(remove(&to), Ok(true));
        assert!(!parent.path().join("start/telltale").exists());
        assert!(parent.path().join("start/mine").is_file());
    }

    #[test]
    fn no_init_file_of_emacs_is_hidden() {
        let parent = tempfile::tempdir().expect("a folder");
        let home = parent.path();
        assert_eq!(emacs(home, None), home.join(".emacs.d"));
        fs::create_dir_all(home.join(".config/emacs")).expect("a folder");
        assert_eq!(emacs(home, None), home.join(".config/emacs"));
        let own = home.join("own");
        assert_eq!(emacs(home, Some(own.clone())), home.join(".emacs.d"));
        fs::create_dir_all(own.join("emacs")).expect("a folder");
        assert_eq!(emacs(home, Some(own.clone())), own.join("emacs"));
        fs::write(home.join(".emacs"), "").expect("a file");
        assert_eq!(emacs(home, Some(own)), home.join(".emacs.d"));
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
    }
}
