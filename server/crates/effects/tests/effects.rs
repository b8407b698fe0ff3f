//! What calls change: by the table for libraries, by their bodies for methods of the workspace.
#![allow(clippy::unwrap_used)]

use calls::Workspace;
use effects::Purity;
use program::{FileInput, MethodId, Program, SourceSetId, SourceSetInput};
use std::sync::Arc;

struct Case {
    workspace: Workspace,
    purity: Purity,
}

/// A class with these members, and imports of the usual packages.
fn class(members: &str) -> Case {
    let text = format!(
        "package p; import java.io.*; import java.util.*; import java.util.stream.*;\nclass A {{ {members} }}"
    );
    let set = SourceSetInput::default();
    let file = FileInput {
        path: Arc::from("A.java"),
        source_set: SourceSetId(0),
        text: Arc::from(&*text),
    };
    let workspace = Workspace::new(Program::build(vec![set], vec![file]));
    let purity = Purity::default();
    Case { workspace, purity }
}

impl Case {
    fn method(&self, name: &str) -> MethodId {
        let program = self.workspace.program();
        let types = program
            .files()
            .iter()
            .flat_map(|&f| program.types_of_file(f));
        let mut methods = types.flat_map(|&t| program.methods_of_type(t));
        let found = methods.find(|m| program.method_decl(**m).is_some_and(|d| d.name == name));
        *found.unwrap()
    }

    fn pure(&self, name: &str) -> bool {
        self.purity.is_pure(&self.workspace, self.method(name))
    }

    fn changes(&self, name: &str, at: usize) -> bool {
        let method = self.method(name);
        self.purity.changes_argument(&self.workspace, method, at)
    }
}

#[test]
fn a_method_is_pure_if_it_changes_only_what_it_made() {
    let case = class(
        "List<String> all; StringBuilder text; Iterator<String> open;\
         String made(String x) { StringBuilder b = new StringBuilder(); b.append(x).append(1); return b.toString(); }\
         String held(String x) { return text.append(x).toString(); }\
         String given(StringBuilder b) { return b.append(1).toString(); }\
         int over() { int n = 0; Iterator<String> i = all.iterator(); while (i.hasNext()) n += i.next().length(); return n; }\
         int out() { Iterator<String> i = all.iterator(); i.next(); i.remove(); return 1; }\
         int view() { all.subList(0, 1).clear(); return 1; }\
         int copied() { List<String> c = new ArrayList<>(all); c.clear(); return c.size(); }\
         Iterator<String> own() { return all.iterator(); }\
         int overOwn() { int n = 0; Iterator<String> i = own(); while (i.hasNext()) n += i.next().length(); return n; }\
         String advance() { return open.next(); }\
         int[] sorted(int[] a) { int[] c = Arrays.copyOf(a, a.length); Arrays.sort(c); return c; }\
         int[] sort(int[] a) { Arrays.sort(a); return a; }\
         void print() { System.out.println(1); }\
         String unknown(Foo f) { return f.getName(); }\
         String unknownToo(Foo f) { return f.frobnicate(); }",
    );
    for name in ["made", "over", "overOwn", "copied", "sorted", "unknown"] {
        assert!(case.pure(name), "{name}");
    }
    for name in [
        "held",
        "given",
        "out",
        "view",
        "advance",
        "sort",
        "print",
        "unknownToo",
    ] {
        assert!(!case.pure(name), "{name}");
    }
}

#[test]
fn parameters_that_a_method_changes_through_libraries_and_others() {
    let case = class(
        "void add(List<String> l, String x) { l.add(x); }\
         void cast(Object o) { ((List<String>) o).clear(); }\
         void view(Map<String, String> m) { m.keySet().remove(\"\"); }\
         void checked(List<String> l) { Objects.requireNonNull(l).add(\"\"); }\
         void asks(List<String> l) { l.get(0); l.size(); }\
         void copies(List<String> l) { new ArrayList<>(l).add(\"\"); }\
         void passes(List<String> m) { add(m, \"\"); }\
         void round(List<String> l, int n) { if (n > 0) turn(l, n - 1); }\
         void turn(List<String> l, int n) { round(l, n); }\
         void fill(int[] a) { Arrays.fill(a, 1); }\
         void second(int[] a, int[] b) { System.arraycopy(a, 0, b, 0, 1); }",
    );
    for name in ["add", "cast", "view", "checked", "passes", "fill"] {
        assert!(case.changes(name, 0), "{name}");
    }
    // A cycle changes nothing as long as nothing in it says so.
    for name in ["asks", "copies", "round", "turn", "second"] {
        assert!(!case.changes(name, 0), "{name}");
    }
    assert!(case.changes("second", 1) && !case.changes("add", 1));
}
