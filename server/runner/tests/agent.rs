//! The agent in real JVMs: its own tests, which Maven runs with the jar that it builds from the same sources, on each
//! JDK that is found, with frameworks old and new and with other agents beside it.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::Path;
use std::process::Command;

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
}
