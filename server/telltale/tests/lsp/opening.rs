//! What opening a folder does not do: run commands, use the network, write.

use crate::peer::uri;
use crate::process::{command, initialize, peer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A project that any build tool would run something for.
const PROJECT: &[(&str, &str)] = &[
    (
        "pom.xml",
        "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version><parent><groupId>b</groupId><artifactId>b</artifactId><version>1</version></parent><repositories><repository><id>r</id><url>http://127.0.0.1:9/</url></repository></repositories><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13</version></dependency></dependencies></project>",
    ),
    (
        "sub/build.gradle",
        "plugins { id 'java' }\nrepositories { maven { url 'http://127.0.0.1:9/' } }\ndependencies { testImplementation 'junit:junit:4.13' }\n\"touch ran\".execute()\n",
    ),
    ("sub/settings.gradle.kts", "include(\"a\")\n"),
    (".git/hooks/post-checkout", "#!/bin/sh\ntouch ran\n"),
    ("telltale.toml", "[java]\nrelease = 17\n"),
    (
        "src/main/java/A.java",
        "class A { int f(int a) { int b = a + 1; return b; } }\n",
    ),
    (
        "src/test/java/ATest.java",
        "import org.junit.Test;\npublic class ATest { @Test public void f() { new A().f(1); } }\n",
    ),
];

/// Programs that a build tool, or we, might start.
const PROGRAMS: &[&str] = &[
    "java", "javac", "mvn", "gradle", "git", "sh", "bash", "env", "uname", "which", "curl", "ant",
    "sbt", "bazel",
];

/// All that is below a folder: of a file its bytes and when it was written.
fn seen(root: &Path) -> BTreeMap<PathBuf, Option<(Vec<u8>, std::time::SystemTime)>> {
    let mut out = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path.clone());
                out.insert(path, None);
                continue;
            }
            let bytes = std::fs::read(&path).expect("readable");
            let written = path.metadata().expect("readable").modified();
            out.insert(path, Some((bytes, written.expect("a time"))));
        }
    }
    out
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn opening_a_folder_runs_nothing_connects_to_nothing_and_writes_nothing() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;
    let all = TempDir::new().expect("a folder");
    let all = all.path().canonicalize().expect("it is there");
    let place = |name: &str| {
        let path = all.join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        path
    };
    let executable = |path: &Path, text: &str| {
        std::fs::write(path, text).expect("written");
        std::fs::set_permissions(path, Permissions::from_mode(0o755)).expect("changed");
    };
    let (home, elsewhere, temporary, traps) =
        (place("home"), place("cwd"), place("tmp"), place("traps"));
    let project = place("project");
    for (path, text) in PROJECT {
        let path = project.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("written");
    }
    let caught = traps.join("caught");
    let trap = format!("#!/bin/sh\necho \"$0\" >> '{}'\n", caught.display());
    for program in PROGRAMS {
        executable(&traps.join(program), &trap);
    }
    for wrapper in ["mvnw", "gradlew", "sub/gradlew"] {
        executable(&project.join(wrapper), &trap);
    }
    let before = seen(&all);

    let mut server = command(&[]);
    server
        .env_clear()
        .env("PATH", &traps)
        .env("HOME", &home)
        .env("TMPDIR", &temporary)
        .env("JAVA_HOME", &home)
        .current_dir(&elsewhere);
    let server = server.spawn().expect("it starts");
    let number = server.id().expect("it runs");
    let mut peer = peer(server);
    initialize(&mut peer, &project, None).await;
    for path in ["src/main/java/A.java", "src/test/java/ATest.java"] {
        let document = json!({ "uri": uri(&project.join(path)) });
        let text = std::fs::read_to_string(project.join(path)).expect("text");
        peer.open(document["uri"].as_str().expect("a URI"), &text)
            .await;
        peer.ask("textDocument/codeLens", json!({ "textDocument": document }))
            .await;
        let at = json!({ "line": 0, "character": 29 });
        let params = json!({ "textDocument": document, "position": at });
        peer.ask("textDocument/hover", params).await;
        peer.notify("textDocument/didSave", json!({ "textDocument": document }))
            .await;
    }
    peer.command("telltale.reindex", json!([])).await;
    peer.ready().await;

    let own = PathBuf::from(format!("/proc/{number}"));
    let stat = std::fs::read_to_string(own.join("stat")).expect("it runs");
    let fields: Vec<&str> = stat[stat.rfind(')').expect("a name") + 1..]
        .split_whitespace()
        .collect();
    // Page faults and times of children that ended.
    for (field, what) in [
        (8, "cminflt"),
        (10, "cmajflt"),
        (13, "cutime"),
        (14, "cstime"),
    ] {
        assert_eq!(fields[field], "0", "{what}: a child was waited for");
    }
    for task in std::fs::read_dir(own.join("task")).expect("it runs") {
        let children = task.expect("readable").path().join("children");
        let children = std::fs::read_to_string(children).unwrap_or_default();
        assert_eq!(children, "", "a child runs");
    }
    for open in std::fs::read_dir(own.join("fd")).expect("it runs") {
        let target = std::fs::read_link(open.expect("readable").path()).unwrap_or_default();
        assert!(!target.starts_with("socket:"), "{target:?}");
    }
    peer.ask("shutdown", Value::Null).await;
    peer.notify("exit", Value::Null).await;
    assert!(peer.ended().await);
    assert!(!caught.exists(), "{:?}", std::fs::read_to_string(&caught));
    let after = seen(&all);
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        after.keys().collect::<Vec<_>>()
    );
    assert_eq!(before, after);
}

/// The traps above catch.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_child_that_was_waited_for_is_seen() {
    let child = std::process::Command::new("/bin/sh")
        .args(["-c", "exit 0"])
        .status();
    assert!(child.expect("it runs").success());
    let stat = std::fs::read_to_string("/proc/self/stat").expect("it runs");
    let fields: Vec<&str> = stat[stat.rfind(')').expect("a name") + 1..]
        .split_whitespace()
        .collect();
    assert_ne!(fields[8], "0", "{stat}");
}
