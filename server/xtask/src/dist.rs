//! `cargo xtask dist`: what a person needs who has no sources: one archive, and the extension for VS Code.
//!
//! ```text
//! TARGET/dist/telltale-VERSION-PLATFORM.tar.gz   binary, completions, manual page, user's guide, editors' folders, licences
//! TARGET/dist/telltale-PLATFORM.vsix             the extension with the same binary in it
//! ```

pub(crate) mod notices;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clients::debian::{call, output};
use crate::editors::vscode;
use crate::{Result, clients, install, subjects};

/// Shells with completions, and how each names such a file.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "telltale.bash"),
    ("elvish", "telltale.elv"),
    ("fish", "telltale.fish"),
    ("powershell", "_telltale.ps1"),
    ("zsh", "_telltale"),
];

/// What stands at the top of the archive; that of the repository speaks of its sources.
const README: &str = include_str!("dist/README.md");

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// This server instead of one that is built now
    #[arg(long, value_name = "FILE")]
    telltale: Option<PathBuf>,
    /// Where the files go (default: `dist` in the target folder)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = crate::root();
    let telltale = match &arguments.telltale {
        Some(given) => std::path::absolute(given).map_err(|error| error.to_string())?,
        None => clients::build(true)?,
    };
    let out = match &arguments.out {
        Some(out) => std::path::absolute(out).map_err(|error| error.to_string())?,
        None => telltale
            .ancestors()
            .nth(2)
            .map_or_else(|| root.join("target"), Path::to_path_buf)
            .join("dist"),
    };
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;

    let said = output(Command::new(&telltale).arg("--version"))?;
    let version = said.split_whitespace().last().unwrap_or("0").to_owned();
    let name = format!(
        "telltale-{version}-{}-{}",
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    let stage = out.join(&name);
    fill(&root, &telltale, &stage).map_err(|error| format!("{}: {error}", stage.display()))?;
    completions(&telltale, &stage)?;
    let third = stage.join("THIRD-PARTY.txt");
    fs::write(&third, notices::notices(None)?)
        .map_err(|error| format!("{}: {error}", third.display()))?;

    let archive = out.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.arg("-czf").arg(&archive).arg("-C").arg(&out).arg(&name);
    call(&mut tar)?;
    report(&archive);
    let _ = fs::remove_dir_all(&stage);

    let cache = subjects::cache()?.join("clients");
    let stage = out.join("extension");
    match vscode::package(&root, &cache, &telltale, &stage) {
        Ok(packed) => {
            let place = out.join(packed.file_name().unwrap_or_default());
            fs::copy(&packed, &place).map_err(|error| format!("{}: {error}", place.display()))?;
            report(&place);
        }
        Err(why) => println!("SKIPPED the extension for VS Code: {why}"),
    }
    let _ = fs::remove_dir_all(&stage);
    Ok(())
}

/// Puts everything in place that need not be made.
fn fill(root: &Path, telltale: &Path, stage: &Path) -> std::io::Result<()> {
    if stage.exists() {
        fs::remove_dir_all(stage)?;
    }
    fs::create_dir_all(stage.join("completions"))?;
    let program = stage
        .join("telltale")
        .with_extension(std::env::consts::EXE_EXTENSION);
    fs::copy(telltale, &program)?;
    // Without its symbols it is a sixth as large; without `strip` it is whole and works as well.
    let _ = call(Command::new("strip").arg(&program));
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(file), stage.join(file))?;
    }
    fs::write(stage.join("README.md"), README)?;
    for editor in ["nvim", "emacs"] {
        install::copy(
            &root.join("editors").join(editor),
            &stage.join("editors").join(editor),
        )?;
    }
    install::help_tags(&stage.join("editors/nvim/doc"))?;
    // What the page of VS Code links to.
    let vscode = Path::new("editors/vscode");
    install::copy(
        &root.join(vscode).join("media"),
        &stage.join(vscode).join("media"),
    )?;
    fs::copy(
        root.join(vscode).join("README.md"),
        stage.join(vscode).join("README.md"),
    )?;
    // The guide links to the rules.
    for folder in ["docs/user", "docs/rules"] {
        install::copy(&root.join(folder), &stage.join(folder))?;
    }
    Ok(())
}

/// What the binary says of itself.
fn completions(telltale: &Path, stage: &Path) -> Result<()> {
    let save = |place: PathBuf, text: String| {
        fs::write(&place, text).map_err(|error| format!("{}: {error}", place.display()))
    };
    for (shell, file) in SHELLS {
        let text = output(Command::new(telltale).args(["completions", shell]))?;
        save(stage.join("completions").join(file), text)?;
    }
    let page = output(Command::new(telltale).arg("man"))?;
    save(stage.join("telltale.1"), page)
}

fn report(file: &Path) {
    let size = fs::metadata(file).map_or(0, |it| it.len());
    println!("{}  {:.1} MB", file.display(), size as f64 / 1e6);
}
