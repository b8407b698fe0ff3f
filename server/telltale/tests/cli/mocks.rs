//! `telltale observe` of tests with mocks: nothing is said to be all while nobody asks what a mock was told.

use crate::schemas::{meets, schema};
use crate::support::Project;

const DESK: &str = "package p;
public class Desk {
    private final Mailer mailer;
    public Desk(Mailer mailer) { this.mailer = mailer; }
    public int send(int count) {
        int sent = count * 2;
        mailer.mail(\"x\", sent);
        if (sent > 7) { mailer.warn(); }
        return sent;
    }
}
interface Mailer { void mail(String to, int count); void warn(); }
";

fn project(asked: &str) -> Project {
    let tests = format!(
        "package p;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.*;
import org.junit.jupiter.api.Test;
class DeskTest {{
    @Test void sends() {{
        Mailer mailer = mock(Mailer.class);
        assertEquals(4, new Desk(mailer).send(2));
        {asked}
    }}
}}
"
    );
    Project::new(&[
        ("pom.xml", "<project/>"),
        ("src/main/java/p/Desk.java", DESK),
        ("src/test/java/p/DeskTest.java", &tests),
    ])
}

const TITLE: &str = "Calls that mocks take, and this test does not verify";

#[test]
fn a_call_that_nobody_asks_for_is_left() {
    let project = project("");
    let text = project
        .run(&["observe", "--test", "p.DeskTest#sends"])
        .stdout;
    assert!(text.contains(TITLE), "{text}");
    let own = "verify(mailer).mail(…)  src/main/java/p/Desk.java:7";
    assert!(text.contains(own), "{text}");
    // What hangs on a branch stands behind the rest, for who asks.
    assert!(!text.contains("mailer.warn"), "{text}");
    let doubtful = project
        .run(&["observe", "--test", "p.DeskTest#sends", "--doubtful"])
        .stdout;
    assert!(
        doubtful.contains("where the code comes by: mailer.warn"),
        "{doubtful}"
    );
    for untrue in ["adds nothing to what", "covers all of it"] {
        assert!(!text.contains(untrue), "{text}");
    }
    let all = ["observe", "--test", "p.DeskTest#sends", "--format", "json"];
    let json = project.run(&all).json();
    meets(&schema("observe"), &json, "observe");
    let calls = json["unverified"].as_array().expect("calls");
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert_eq!(calls[0]["expression"], "verify(mailer).mail(…)");
    assert_eq!(
        (&calls[0]["line"], &calls[0]["column"]),
        (&7.into(), &16.into())
    );
    assert_eq!(
        (&calls[0]["sure"], &calls[1]["sure"]),
        (&true.into(), &false.into())
    );
}

#[test]
fn what_may_be_anything_is_told_with_what_it_is() {
    let project = project("verify(mailer).mail(any(), anyInt());");
    let path = "src/main/java/p/Desk.java";
    let text = std::fs::read_to_string(project.path().join(path)).expect("a class");
    let made = text.replace("mailer.mail(\"x\", ", "mailer.mail(\"to \" + count, ");
    assert_ne!(made, text);
    project.write(path, made.as_bytes());
    let test = ["observe", "--test", "p.DeskTest#sends"];
    let text = project.run(&test).stdout;
    let title = "What mocks are given, and no test of this class looks at";
    assert!(text.contains(title) && !text.contains(TITLE), "{text}");
    let own = "\"to \" + count of verify(mailer).mail(…)  src/main/java/p/Desk.java:7";
    assert!(text.contains(own), "{text}");
    assert!(!text.contains("adds nothing to what"), "{text}");
    let json = project
        .run(&[&test[..], &["--format", "json"]].concat())
        .json();
    meets(&schema("observe"), &json, "observe");
    let open = json["open_arguments"].as_array().expect("arguments");
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!(open[0]["expression"], "verify(mailer).mail(…)");
    assert_eq!(open[0]["argument"], "\"to \" + count");
    assert_eq!(open[0]["line"], 7);
}

#[test]
fn what_is_asked_for_is_not() {
    for asked in [
        "verify(mailer).mail(\"x\", 4); verify(mailer, never()).warn();",
        "verifyNoMoreInteractions(mailer);",
    ] {
        let project = project(asked);
        let test = ["observe", "--test", "p.DeskTest#sends"];
        let text = project.run(&test).stdout;
        assert!(!text.contains(TITLE), "{asked}: {text}");
        assert!(text.contains("Nothing more"), "{asked}: {text}");
        let json = project.run(&[&test[..], &["--format", "json"]].concat());
        assert!(json.json().get("unverified").is_none(), "{asked}");
    }
}

#[test]
fn what_a_captor_keeps_stands_in_its_test_and_is_dismissed_there() {
    let asked = "ArgumentCaptor<Integer> count = ArgumentCaptor.forClass(Integer.class);
        verify(mailer).mail(eq(\"x\"), count.capture());";
    let project = project(asked);
    let path = "src/test/java/p/DeskTest.java";
    let text = std::fs::read_to_string(project.path().join(path)).expect("a test");
    let import = "import org.junit.jupiter.api.Test;";
    let with = text.replace(
        import,
        &format!("{import}\nimport org.mockito.ArgumentCaptor;"),
    );
    project.write(path, with.as_bytes());
    let line = with.lines().position(|l| l.contains("count.capture()"));
    let line = line.expect("it is there") + 1;
    let all = ["observe", "--test", "p.DeskTest#sends", "--format", "json"];
    let of = |json: &serde_json::Value| {
        let readable = json["readable"].as_array().cloned().unwrap_or_default();
        let own = |r: &&serde_json::Value| r["candidate"]["expression"] == "count.getValue()";
        readable.iter().find(own).cloned()
    };
    let kept = of(&project.run(&all).json()).expect("it is listed");
    let candidate = &kept["candidate"];
    assert_eq!(candidate["path"], path, "{kept}");
    assert_eq!(candidate["role"], "test", "{kept}");
    assert_eq!(candidate["line"], line, "{kept}");
    assert_eq!(candidate["method"], "p.DeskTest#sends()", "{kept}");
    let after = kept["after_line"].as_u64();
    assert!(
        after.is_none_or(|l| l as usize <= with.lines().count()),
        "{kept}"
    );
    let shown = project.run(&["observe", "--test", "p.DeskTest#sends", "--doubtful"]);
    let place = format!("{path}:{line}");
    assert!(shown.stdout.contains(&place), "{}", shown.stdout);
    let dismissed = "[[dismissed]]\nin = \"p.DeskTest#sends()\"\nvalue = \"count.getValue()\"\ntype = \"Integer\"\nquery = \"\"\n";
    project.write("telltale-dismissed.toml", dismissed.as_bytes());
    let later = of(&project.run(&all).json()).is_none_or(|r| r["dismissed"] == true);
    assert!(later, "it is dismissed");
}
