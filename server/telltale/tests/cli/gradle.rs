//! `telltale record` by a real Gradle, where one is installed: a build of two modules.

use crate::record::cannot_record;
use crate::support::{Project, telltale};

/// True, and said, where nothing can be recorded, or there is no Gradle.
fn cannot_build() -> bool {
    let gradle = std::process::Command::new("gradle")
        .arg("--version")
        .output();
    let missing = gradle.is_err();
    if missing {
        eprintln!("skipped: no Gradle");
    }
    missing || cannot_record()
}

/// The words are those that Gradle 4 and 9 both know.
const BUILD: &str = "subprojects {
    apply plugin: 'java'
    repositories { mavenLocal(); mavenCentral() }
    dependencies { testImplementation 'junit:junit:4.13.2' }
    // What the build says itself of its tests holds for whoever asks for none by name.
    test { filter { includeTestsMatching '*Test' } }
}
";

const BASKET: &str = "package shop;
public class Basket {
    private int sum;
    public void add(int cents) { sum += cents * 2; }
    public int total() { return sum; }
}
";

const BASKET_TEST: &str = "package shop;
import static org.junit.Assert.*;
import org.junit.Test;
public class BasketTest {
    @Test public void adds() { Basket b = new Basket(); b.add(3); int total = b.total(); assertEquals(6, total); }
    @Test public void none() { Basket b = new Basket(); int total = b.total(); assertEquals(0, total); }
}
";

const TILL: &str = "package till;
public class Till {
    private int sold;
    public int sell(shop.Basket b) { sold += b.total(); return sold; }
}
";

const TILL_TEST: &str = "package till;
import static org.junit.Assert.*;
import org.junit.Test;
public class TillTest {
    @Test public void sells() { shop.Basket b = new shop.Basket(); b.add(4); int sold = new Till().sell(b); assertEquals(8, sold); }
}
";

fn shop() -> Project {
    Project::new(&[
        (
            "settings.gradle",
            "rootProject.name = 'shop'\ninclude 'core', 'app'\n",
        ),
        ("build.gradle", BUILD),
        (
            "app/build.gradle",
            "dependencies { implementation project(':core') }\n",
        ),
        ("core/src/main/java/shop/Basket.java", BASKET),
        ("core/src/test/java/shop/BasketTest.java", BASKET_TEST),
        ("app/src/main/java/till/Till.java", TILL),
        ("app/src/test/java/till/TillTest.java", TILL_TEST),
    ])
}

#[test]
fn all_modules_of_a_build_and_one_test_of_one() {
    if cannot_build() {
        return;
    }
    let shop = shop();
    let tests = |arguments: &[&str]| {
        let mut all = vec!["record", "-q", "--format", "json"];
        all.extend(arguments);
        let ran = telltale(shop.path(), &all);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.json()["run"]["tests"].as_u64()
    };
    assert_eq!(tests(&[]), Some(3));
    // The other module has none of that name, and its own filter knows none either.
    assert_eq!(tests(&["--test", "BasketTest#none"]), Some(1));
    assert_eq!(tests(&["app/src/test/java/till/TillTest.java"]), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_test_ends_with_its_recording() {
    use crate::support::binary;
    use std::time::{Duration, Instant};
    if cannot_build() {
        return;
    }
    let shop = shop();
    let mark = format!("mark{}", std::process::id());
    shop.write(
        "core/src/test/java/shop/SlowTest.java",
        format!(
            "package shop;\npublic class SlowTest {{\n    @org.junit.Test public void sleeps() throws Exception {{\n        \
             new java.io.File(System.getProperty(\"user.dir\"), \"{mark}\").createNewFile();\n        \
             Thread.sleep(100000);\n    }}\n}}\n"
        )
        .as_bytes(),
    );
    let mut recorder = binary()
        .current_dir(shop.path())
        .args(["record", "-q", "--test", "SlowTest"])
        .spawn()
        .expect("it starts");
    let begun = Instant::now();
    let waits = |what: &str, is_so: &dyn Fn() -> bool| {
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(180), "{what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    waits("the test runs", &|| {
        shop.path().join("core").join(&mark).exists()
    });
    let folder = shop.path().to_string_lossy().into_owned();
    let lives = || {
        let processes = std::fs::read_dir("/proc").expect("it is there").flatten();
        let mut told = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        told.any(|c| {
            let c = String::from_utf8_lossy(&c);
            c.contains("-javaagent:") && c.contains(&folder)
        })
    };
    assert!(lives());
    let kill = format!("kill -s INT {}", recorder.id());
    std::process::Command::new("sh")
        .args(["-c", &kill])
        .status()
        .expect("a shell");
    assert_eq!(recorder.wait().expect("it ended").code(), Some(3));
    assert!(!lives(), "Gradle's daemon would let it run on");
}
