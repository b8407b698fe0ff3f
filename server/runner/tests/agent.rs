//! The agent in real JVMs: its own tests, which Maven runs with the jar that it builds from the same sources, on each
//! JDK that is found, with frameworks old and new and with other agents beside it.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A JDK 25, by `JAVA25_HOME` or where Linux distributions put them.
fn jdk_25() -> Option<PathBuf> {
    let named = std::env::var_os("JAVA25_HOME").map(PathBuf::from);
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let installed = installed.flatten().map(|entry| entry.path());
    let is_25 = |home: &PathBuf| {
        let release = std::fs::read_to_string(home.join("release"));
        let is_25 = release.is_ok_and(|text| text.contains("JAVA_VERSION=\"25"));
        is_25 && home.join("bin/javac").exists()
    };
    named.into_iter().chain(installed).find(is_25)
}

#[test]
fn the_agent_does_in_jvms_what_its_tests_say() {
    if runner::AGENT.is_empty() {
        eprintln!("skipped: no JDK, no Maven or no repository; the agent was not built");
        return;
    }
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agent");
    let agent = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agent");
    let reports = build.join("surefire-reports");
    let _ = std::fs::remove_dir_all(&reports);
    // The projects of earlier runs.
    let _ = std::fs::remove_dir_all(build.join("tests"));
    let maven = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    let output = Command::new(maven)
        .args(["-B", "-q", "-Dstyle.color=never", "-f"])
        .arg(agent.join("pom.xml"))
        .arg(format!("-DbuildDirectory={}", build.display()))
        .arg("verify")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    // Maven succeeds when it ran no test at all.
    let mut tests = 0;
    for report in std::fs::read_dir(&reports).unwrap() {
        let report = report.unwrap().path();
        if report.extension().is_some_and(|it| it == "xml") {
            let report = std::fs::read_to_string(report).unwrap();
            tests += report.matches("<testcase ").count();
            assert_eq!(report.matches("<skipped").count(), 0);
        }
    }
    assert!(tests >= 40, "{tests} tests\n{said}");
    let jdks = std::fs::read_to_string(build.join("jdks")).unwrap();
    match jdk_25() {
        Some(home) => {
            let home = home.canonicalize().unwrap();
            let has_run = jdks.lines().any(|one| Path::new(one) == home);
            assert!(has_run, "{} is not among\n{jdks}", home.display());
        }
        None => eprintln!("not on JDK 25, which is not installed: {jdks}"),
    }
}
