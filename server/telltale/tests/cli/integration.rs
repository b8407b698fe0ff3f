//! `telltale record` where a build of Maven runs integration tests by its plugin failsafe, behind the package.

use crate::record::{cannot_record, facts};
use crate::support::{Project, repository, telltale};
use serde_json::Value;

const FAILSAFE: &str = "<plugin>
        <artifactId>maven-failsafe-plugin</artifactId>
        <version>3.5.4</version>
        <executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions>
      </plugin>
    </plugins>";

const SHOP: &str = "package shop;
public class Shop {
    private int sold;
    public int sell(int n) { int more = n * 2; sold += more; return sold; }
    public Integer sold() { return sold; }
}
";

const TEST: &str = "package shop;
import org.junit.jupiter.api.Test;
class ShopTest {
    @Test void sells() { Shop shop = new Shop(); int n = shop.sell(1); }
}
";

/// Passes where the code under test is packed, as it is once the build has packed it.
const INTEGRATION: &str = "package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class ShopIT {
    @Test void sellsPacked() {
        Shop shop = new Shop();
        int n = shop.sell(3);
        String from = Shop.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        assertTrue(from.endsWith(\".jar\"), from);
        assertNotNull(shop.sold());
    }
}
";

fn shop(pom: &str) -> Project {
    Project::new(&[
        ("pom.xml", pom),
        ("src/main/java/shop/Shop.java", SHOP),
        ("src/test/java/shop/ShopTest.java", TEST),
        ("src/test/java/shop/ShopIT.java", INTEGRATION),
    ])
}

fn recorded(project: &Project, more: &[&str]) -> Value {
    let arguments = [&["record", "-q", "--format", "json"], more].concat();
    let answer = telltale(project.path(), &arguments).json();
    assert_eq!(answer["run"]["failed"], 0, "{answer:#}");
    answer
}

/// By what, and how many.
fn run(answer: &Value) -> (&str, u64) {
    let run = &answer["run"];
    let tool = run["tool"].as_str().expect("a tool");
    (tool, run["tests"].as_u64().expect("a number"))
}

/// What a test could read at its end, and saw within the code under test.
fn values(project: &Project, test: &str) -> [Option<String>; 2] {
    let facts = facts(project.path());
    let told = facts.of(test).expect("it ran");
    let sold = told.queries.get("shop.sold()").and_then(|o| o.stable());
    let inside = told.inside.all();
    let mut more = inside
        .iter()
        .filter(|(seen, _)| seen.variable.ends_with(" more"));
    let more = more.next().and_then(|(_, o)| o.stable());
    [sold, more].map(|value| Some(value?.short()))
}

#[test]
fn tests_of_the_integration_run_behind_the_package_with_all_others_and_by_name() {
    if cannot_record() {
        return;
    }
    let pom =
        std::fs::read_to_string(repository().join("tests/demo/pom.xml")).expect("it is there");
    let without = shop(&pom);
    let answer = recorded(&without, &[]);
    assert_eq!(run(&answer), ("Maven", 1), "{answer:#}");
    let note = answer["notes"][0].as_str().expect("a note");
    assert!(
        note.starts_with("1 test of the integration (*IT) did not run"),
        "{note}"
    );

    let shop = shop(&pom.replace("</plugins>", FAILSAFE));
    let answer = recorded(&shop, &[]);
    assert_eq!(run(&answer), ("Maven", 2), "{answer:#}");
    assert_eq!(answer["notes"], serde_json::json!([]));
    let two = Some("2".to_owned());
    let six = Some("6".to_owned());
    assert_eq!(values(&shop, "shop.ShopTest#sells()"), [two.clone(), two]);
    assert_eq!(
        values(&shop, "shop.ShopIT#sellsPacked()"),
        [six.clone(), six]
    );
    // A test that needs no package needs no build either, and one that does always does.
    let answer = recorded(&shop, &["--test", "ShopTest"]);
    assert_eq!(run(&answer), ("a JVM of our own", 1), "{answer:#}");
    let answer = recorded(&shop, &["--test", "ShopIT"]);
    assert_eq!(run(&answer), ("Maven", 1), "{answer:#}");
    let answer = recorded(&shop, &["--test", "ShopTest"]);
    assert_eq!(run(&answer), ("a JVM of our own", 1), "{answer:#}");
}
