//! `cargo xtask editors`: the editors' parts, each in the editor itself.
//!
//! ```text
//! CACHE/clients/vscode/<key>/      VS Code for the browser, by the lock file of tests/clients/vscode
//! CACHE/clients/extension/<key>/   what bundles and packs the extension, by its lock file
//! CACHE/clients/chromium-own/      Debian's Chromium, unpacked
//! CACHE/clients/emacs-<suite>/     Debian's Emacs with eglot and lsp-mode, unpacked
//! CACHE/clients/others-forky/      Helix, Kakoune, Vim with ALE and Kate, unpacked
//! ```
//! What an editor needs is installed there once. An editor that cannot be had on this machine is skipped, and that is
//! said; one in which something is wrong fails.

pub(crate) mod settings;
pub(crate) mod vscode;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::clients;
use crate::clients::debian::{self, Provided, provide};
use crate::{Result, install, subjects};

/// How long one editor may take, without its installation.
const LIMIT: Duration = Duration::from_secs(480);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this editor (default: VS Code, Neovim and Emacs)
    #[arg(long)]
    only: Option<Editor>,
    /// Also the editors that have a page but no part of their own, and newer releases
    #[arg(long)]
    all: bool,
    /// An editor that cannot be had fails
    #[arg(long)]
    require: bool,
    /// This server instead of one that is built now
    #[arg(long, value_name = "FILE")]
    telltale: Option<PathBuf>,
    /// Where screenshots go (default: the target folder)
    #[arg(long, value_name = "DIR")]
    seen: Option<PathBuf>,
    /// Write the settings of the VS Code extension from the server's own table, and do nothing else
    #[arg(long)]
    write_settings: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Editor {
    /// VS Code for the browser, in Chromium
    Vscode,
    /// Neovim without a screen
    Neovim,
    /// Emacs in batch mode, with eglot and with lsp-mode
    Emacs,
    /// Helix, Kakoune, Vim with ALE and Kate, by the configurations of their pages
    Others,
}

/// What every editor's test is told.
pub(crate) struct Ground {
    pub(crate) root: PathBuf,
    pub(crate) cache: PathBuf,
    pub(crate) telltale: PathBuf,
    pub(crate) seen: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = crate::root();
    if arguments.write_settings {
        return settings::write(&root);
    }
    let telltale = match &arguments.telltale {
        Some(given) => std::path::absolute(given).map_err(|error| error.to_string())?,
        None => clients::build(true)?,
    };
    let target = telltale.parent().and_then(Path::parent);
    let target = target.map_or_else(|| root.join("target"), Path::to_path_buf);
    let ground = Ground {
        cache: subjects::cache()?.join("clients"),
        seen: match &arguments.seen {
            Some(seen) => std::path::absolute(seen).map_err(|error| error.to_string())?,
            None => target.join("editors/seen"),
        },
        root,
        telltale,
    };
    let wanted = |editor| arguments.only.is_none_or(|only| only == editor);
    let mut failed = Vec::new();
    let mut try_one = |name: &'static str, provided: Provided<Command>| -> Result<()> {
        // What one of them leaves out where it cannot be had.
        let provided = provided.map(|mut command| {
            if arguments.require {
                command.env("REQUIRE", "1");
            }
            command
        });
        failed.extend(clients::ran(name, provided, LIMIT, arguments.require)?);
        Ok(())
    };
    if wanted(Editor::Vscode) {
        try_one("vscode", vscode::test(&ground))?;
    }
    if wanted(Editor::Neovim) {
        try_one("neovim", neovim(&ground, None))?;
        try_one("neovim 0.12", neovim(&ground, Some(clients::NEWER)))?;
        if arguments.all {
            try_one("neovim beside jdtls", beside(&ground))?;
        }
    }
    if wanted(Editor::Emacs) {
        try_one("emacs", emacs(&ground, None))?;
        if arguments.all {
            try_one("emacs 30", emacs(&ground, Some("forky")))?;
        }
    }
    if arguments.all && wanted(Editor::Others) || arguments.only == Some(Editor::Others) {
        try_one("others", others(&ground))?;
    }
    clients::all_well(&failed)
}

/// The plugin in Neovim.
fn neovim(ground: &Ground, other: Option<(&str, &str)>) -> Provided<Command> {
    let folder = ground.root.join("editors/nvim");
    let mut command = clients::bare_neovim(&ground.cache, other)?;
    command
        .args(["--clean", "--headless", "-n", "--cmd"])
        .arg(format!("set rtp+={}", folder.display()))
        .args(["-c", "luafile test/run.lua"])
        .env("DEMO", ground.root.join("tests/demo"))
        .env("TELLTALE", &ground.telltale)
        .current_dir(&folder);
    Ok(command)
}

/// The plugin in the newer Neovim, beside Eclipse's server for Java.
fn beside(ground: &Ground) -> Provided<Command> {
    let java = newer_java()?;
    let source = clients::folder().join("jdtls");
    let home = vscode::modules(&ground.cache, "jdtls", &source, |_| Ok(()))?;
    let server = home.join("node_modules/coc-java/server");
    // Eclipse writes beside its configuration and into the project.
    let work = ground.seen.with_file_name("beside");
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", work.display());
    if work.exists() {
        std::fs::remove_dir_all(&work).map_err(failed)?;
    }
    let demo = ground.root.join("tests/demo");
    install::copy_all(&demo.join("src"), &work.join("demo/src")).map_err(failed)?;
    std::fs::copy(demo.join("pom.xml"), work.join("demo/pom.xml")).map_err(failed)?;
    let configuration = server.join("config_linux");
    install::copy_all(&configuration, &work.join("config_linux")).map_err(failed)?;
    let folder = ground.root.join("editors/nvim");
    let mut command = clients::bare_neovim(&ground.cache, Some(clients::NEWER))?;
    command
        .args(["--clean", "--headless", "-n", "--cmd"])
        .arg(format!("set rtp+={}", folder.display()))
        .args(["-c", "luafile test/beside.lua"])
        .env("DEMO", work.join("demo"))
        .env("TELLTALE", &ground.telltale)
        .env("JDTLS", server)
        .env("JAVA", java)
        .env("WORK", &work)
        .current_dir(&folder);
    Ok(command)
}

/// A Java 21 or newer, which Eclipse's server runs on.
fn newer_java() -> Provided<PathBuf> {
    let own = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let mut homes: Vec<PathBuf> = installed.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    homes
        .into_iter()
        .chain(own)
        .filter(|home| {
            let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
            let version = release
                .lines()
                .find_map(|line| line.strip_prefix("JAVA_VERSION=\""))
                .and_then(|version| version.split(['.', '"']).next()?.parse::<u32>().ok());
            version.is_some_and(|it| it >= 21)
        })
        .map(|home| home.join("bin/java"))
        .next_back()
        .ok_or_else(|| "no JDK 21 or newer in JAVA_HOME or /usr/lib/jvm".to_owned())
}

/// Packages of a release of Debian, unpacked, in which a program can be started.
fn tree(ground: &Ground, name: &str, suite: Option<&str>, packages: &[&str]) -> Provided<PathBuf> {
    debian::can_go_inside()?;
    let key = clients::key(packages.join(" ").as_bytes());
    let suite_name = suite.unwrap_or("own");
    let home = ground.cache.join(format!("{name}-{suite_name}")).join(key);
    provide(&home, |home| debian::unpack(home, suite, packages))?;
    Ok(home)
}

/// The Emacs package, with both clients.
fn emacs(ground: &Ground, suite: Option<&str>) -> Provided<Command> {
    let mut packages = vec!["emacs-nox", "elpa-lsp-mode", "dash", "coreutils"];
    // Newer Emacs brings eglot along.
    packages.extend(suite.is_none().then_some("elpa-eglot"));
    let home = tree(ground, "emacs", suite, &packages)?;
    let telltale = ground.telltale.parent().unwrap_or(&ground.telltale);
    let mut command = debian::inside(&home, &[&ground.root, telltale], "sh")?;
    command
        .arg(ground.root.join("editors/emacs/test/run.sh"))
        .env("DEMO", ground.root.join("tests/demo"))
        .env("OUTSIDE", debian::OUTSIDE)
        .env("OUTSIDE_PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("TELLTALE", &ground.telltale);
    Ok(command)
}

/// Editors without a part of their own, by the configurations of their pages. kak-lsp is in no release of Debian: that
/// of cargo's folder is used if it is there.
fn others(ground: &Ground) -> Provided<Command> {
    let editors = ["hx", "kakoune", "vim-nox", "vim-ale", "kate"];
    let around = [
        "bash",
        "coreutils",
        "dash",
        "findutils",
        "fonts-dejavu-core",
        "gawk",
        "grep",
        "imagemagick",
        "libc-bin",
        "ncurses-base",
        "sed",
        "tmux",
        "xvfb",
    ];
    let packages: Vec<&str> = editors.into_iter().chain(around).collect();
    let home = tree(ground, "others", Some("forky"), &packages)?;
    let telltale = ground.telltale.parent().unwrap_or(&ground.telltale);
    let found = debian::output(Command::new("which").arg("kak-lsp")).unwrap_or_default();
    if !found.is_empty() {
        let _ = std::fs::copy(found.trim(), home.join("usr/bin/kak-lsp"));
    }
    std::fs::create_dir_all(&ground.seen)
        .map_err(|error| format!("{}: {error}", ground.seen.display()))?;
    let mut command = debian::inside(&home, &[&ground.root, telltale, &ground.seen], "bash")?;
    command
        .arg(clients::folder().join("others.sh"))
        .env("DEMO", ground.root.join("tests/demo"))
        .env("TELLTALE", &ground.telltale)
        .env("PAGES", ground.root.join("docs/user/editors"))
        .env("SEEN", &ground.seen);
    Ok(command)
}
