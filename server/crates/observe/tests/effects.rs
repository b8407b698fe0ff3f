//! What calls change: by the table for libraries, by their bodies for methods of the workspace.
#![allow(clippy::unwrap_used)]

use observe::assemble::{Node, assemble_with};
use observe::purity::Purity;
use observe::workspace::Workspace;
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
    let set = SourceSetInput {
        name: "main".into(),
        is_test: false,
        sees: vec![],
    };
    let file = FileInput {
        path: Arc::from("A.java"),
        source_set: SourceSetId(0),
        text: Arc::from(&*text),
    };
    let workspace = Workspace::following_changes(Program::build(vec![set], vec![file]));
    let purity = Purity::new(&workspace);
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

    fn keeps(&self, name: &str, at: usize) -> bool {
        let method = self.method(name);
        self.purity.keeps_argument(&self.workspace, method, at)
    }

    /// The variables of `method` that its value depends on, through what calls change too.
    fn reaches(&self, method: &str) -> Vec<String> {
        self.reaches_with(method, true)
    }

    fn reaches_with(&self, method: &str, changes: bool) -> Vec<String> {
        let workspace = &self.workspace;
        let units = workspace.units(&|_, _, _| true);
        let holds = |only| self.purity.holds(workspace, only);
        let holds: &dyn Fn(_) -> bool = &holds;
        let graph = assemble_with(&units, workspace, &[], changes.then_some(holds));
        let body = workspace
            .program()
            .method_body(self.method(method))
            .unwrap();
        let returned = |n: &Node| match *n {
            Node::Real { unit, candidate } => {
                let unit = &units[unit as usize];
                let candidate = &unit.chains.candidates[candidate as usize];
                unit.body == body && candidate.variable.is_empty()
            }
            _ => false,
        };
        let start = graph.nodes.iter().position(returned).unwrap();
        let (mut seen, mut work) = (vec![false; graph.nodes.len()], vec![start as u32]);
        let mut out = Vec::new();
        while let Some(v) = work.pop() {
            if std::mem::replace(&mut seen[v as usize], true) {
                continue;
            }
            if let Node::Real { unit, candidate } = graph.nodes[v as usize] {
                let candidate = &units[unit as usize].chains.candidates[candidate as usize];
                out.push(candidate.variable.to_string());
            }
            work.extend(graph.psg.outgoing(v).map(|e| e.to));
        }
        out.retain(|v| !v.is_empty());
        out.sort();
        out.dedup();
        out
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

#[test]
fn arguments_that_are_kept() {
    let case = class(
        "Writer out; List<Object> all = new ArrayList<>(); Object[] array = {1};\
         void set(Writer w) { out = w; }\
         void checked(Writer w) { this.out = Objects.requireNonNull(w); }\
         void wraps(Writer w) { out = new BufferedWriter(w); }\
         void either(Writer w) { out = w == null ? new StringWriter() : w; }\
         void adds(Object o) { all.add(o); }\
         void element(Object o) { array[0] = o; }\
         void passes(Writer w) { set(w); }\
         void uses(Writer w) throws IOException { w.write(1); }\
         void part(List<Writer> l) { out = l.get(0); }\
         void copies(List<Object> l) { all = new ArrayList<>(l); }",
    );
    for name in [
        "set", "checked", "wraps", "either", "adds", "element", "passes",
    ] {
        assert!(case.keeps(name, 0), "{name}");
    }
    for name in ["uses", "part", "copies"] {
        assert!(!case.keeps(name, 0), "{name}");
    }
}

#[test]
fn what_goes_into_an_object_comes_out_of_it() {
    let case = class(
        "int list(int x) { List<Integer> l = new ArrayList<>(); l.add(x); return l.get(0) + 1; }\
         String fluent(int y, int z) { StringBuilder b = new StringBuilder(); b.append(y).append(z); return b.toString() + 1; }\
         String before(int w) { StringBuilder b = new StringBuilder(); String s = b.toString() + 1; b.append(w); return s + 1; }\
         String wrapped(int v) throws IOException { StringWriter s = new StringWriter(); Writer p = new BufferedWriter(s); p.write(v); return s.toString() + 1; }\
         int sorted(int u) { int[] from = {u}; int[] to = {0}; System.arraycopy(from, 0, to, 0, 1); return to[0] + 1; }",
    );
    assert_eq!(case.reaches("list"), ["l", "x"]);
    assert_eq!(case.reaches_with("list", false), ["l"]);
    assert_eq!(case.reaches("fluent"), ["b", "y", "z"]);
    assert_eq!(case.reaches("before"), ["b", "s"]);
    assert_eq!(case.reaches("wrapped"), ["p", "s", "v"]);
    assert_eq!(case.reaches("sorted"), ["from", "to", "u"]);
}

#[test]
fn what_a_method_puts_into_its_argument_comes_out_of_it() {
    let case = class(
        "List<Integer> kept = new ArrayList<>();\
         void fill(List<Integer> l, int x) { int twice = x * 2; l.add(twice); }\
         int filled(int y) { List<Integer> l = new ArrayList<>(); fill(l, y); return l.get(0) + 1; }\
         void ask(List<Integer> l, int x) { l.get(x); }\
         int asked(int z) { List<Integer> m = new ArrayList<>(); ask(m, z); return m.get(0) + 1; }\
         void remember(int w) { kept.add(w); }\
         int remembered() { return kept.get(0) + 1; }\
         static class Printer { private final Appendable out; Printer(Appendable out) { this.out = out; }\
           void print(int n) throws IOException { out.append(\"\" + n); } int width() { return 1; } }\
         String printed(int v) throws IOException { StringBuilder s = new StringBuilder(); Printer p = new Printer(s); p.print(v); return s.toString() + 1; }",
    );
    assert_eq!(case.reaches("filled"), ["l", "twice", "x", "y"]);
    assert_eq!(case.reaches("asked"), ["m"]);
    assert_eq!(case.reaches("remembered"), ["kept", "w"]);
    assert!(case.reaches("printed").contains(&"v".to_owned()));
}
