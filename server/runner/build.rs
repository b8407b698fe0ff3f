//! Builds the agent's jar by Maven into Cargo's own folder. Without a JDK, Maven or its repository everything else still
//! builds: the jar is then empty, and whoever needs it is told what to install.
// What a build script prints is what Cargo reads.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;

const JAR: &str = "telltale-agent.jar";

fn main() {
    // Asked when it runs: checkouts that share a target folder share this program, too.
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let agent = here.join("../agent");
    for watched in ["pom.xml", "src/main"] {
        println!("cargo::rerun-if-changed={}", agent.join(watched).display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let jar = out.join(JAR);
    if let Err(problem) = build(&agent, &out.join("agent"), &jar) {
        println!(
            "cargo::warning=the agent was not built, so nothing can be recorded: {problem}; install a JDK (9 or newer) and Maven, and build again"
        );
        // A file that is never there: the next build tries again.
        println!(
            "cargo::rerun-if-changed={}",
            out.join("never-there").display()
        );
        if let Err(error) = std::fs::write(&jar, []) {
            println!("cargo::error=cannot write {}: {error}", jar.display());
        }
    }
}

/// Runs Maven with all that it makes in `folder`, and leaves the jar at `jar`.
fn build(agent: &Path, folder: &Path, jar: &Path) -> Result<(), String> {
    let maven = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    let output = Command::new(maven)
        .args(["-B", "-q", "-Dstyle.color=never", "-Dmaven.test.skip=true"])
        .arg("-f")
        .arg(agent.join("pom.xml"))
        .arg(format!("-DbuildDirectory={}", folder.display()))
        .arg("package")
        .output()
        .map_err(|error| format!("{maven} did not start: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        let line = said.lines().find(|line| line.starts_with("[ERROR]"));
        let line = line.unwrap_or("it said nothing");
        return Err(format!("{maven} failed: {line}"));
    }
    std::fs::copy(folder.join(JAR), jar)
        .map(|_| ())
        .map_err(|error| format!("{maven} left no {JAR}: {error}"))
}
