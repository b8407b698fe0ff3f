//! What runs though nobody calls it by its name: `iterator()` of a `for`, `close()` of a `try`, `toString()` of a text, and
//! what a library calls of the objects that it is given. Each fixture marks with `// runs` what must be reached; all
//! other methods must not.
#![allow(clippy::unwrap_used)]

use calls::{Technique, Workspace};
use observe::{EdgeKind, Node, assemble};
use program::{FileInput, Program, SourceSetId, SourceSetInput};

fn workspace(text: &str) -> Workspace {
    let file = FileInput {
        path: "T.java".into(),
        source_set: SourceSetId(0),
        text: text.into(),
    };
    Workspace::new(Program::build(vec![SourceSetInput::default()], vec![file]))
}

/// Checks the marks of a text whose first test is the root.
fn check(text: &str) {
    let text = &format!("import java.util.*; import java.io.*;\n{text}");
    let workspace = workspace(text);
    let program = workspace.program();
    let run = workspace.own_run(workspace.suite().tests()[0]);
    let reached = workspace.reached_by(&[run], Technique::RapidTypes);
    let line = |at: u32| text[..at as usize].matches('\n').count();
    let marked: Vec<usize> = (0..)
        .zip(text.lines())
        .filter(|(_, l)| l.contains("// runs"))
        .map(|(n, _)| n)
        .collect();
    let found: Vec<usize> = program
        .bodies()
        .filter(|b| reached.contains(*b))
        .map(|b| line(program.body(b).unwrap().start))
        .collect();
    for (number, text) in text.lines().enumerate() {
        let (wanted, is) = (marked.contains(&number), found.contains(&number));
        assert_eq!(is, wanted, "reached: {is}, marked: {wanted}: {text}");
    }
}

#[test]
fn a_for_runs_the_iterator() {
    check(
        "class T {
    @Test void t() { for (int i : new Some()) { use(i); } } // runs
    void use(int i) { } // runs
}
class Some implements Iterable<Integer> {
    public Iterator<Integer> iterator() { return new Walk(); } // runs
    public int size() { return 1; }
}
class Walk implements Iterator<Integer> {
    public boolean hasNext() { return true; } // runs
    public Integer next() { return inner(); } // runs
    public void remove() { }
    private Integer inner() { return 3; } // runs
}
class Other implements Iterator<Integer> {
    public boolean hasNext() { return true; }
    public Integer next() { return 1; }
}",
    );
}

#[test]
fn arrays_and_lists_of_libraries_run_none() {
    check(
        "class T {
    @Test void t(List<String> given) { for (String s : given) { } for (int i : new int[2]) { } new Some(); } // runs
}
class Some implements Iterable<Integer> {
    public Iterator<Integer> iterator() { return null; }
}",
    );
}

#[test]
fn a_try_closes() {
    check(
        "class T {
    @Test void t() throws Exception { try (One one = new One()) { } Two two = new Two(); try (two) { } new Open(); } // runs
}
class One implements AutoCloseable {
    public void close() { } // runs
}
class Two implements Closeable {
    public void close() { helper(); } // runs
    void helper() { } // runs
}
class Open implements AutoCloseable {
    public void close() { }
}",
    );
}

#[test]
fn a_text_is_made_of_what_objects_say() {
    check(
        "class T {
    @Test void t() { String s = \"\" + new One(); s += new Two(); String.valueOf(new Three()); int n = 1 + 2; new Four(); s = s + n; } // runs
}
class One {
    public String toString() { return \"1\"; } // runs
}
class Two {
    public String toString() { return \"2\"; } // runs
}
class Three {
    public String toString() { return \"3\"; } // runs
}
class Four {
    public String toString() { return \"4\"; }
    public int hashCode() { return 4; }
}",
    );
}

#[test]
fn a_set_compares_what_is_put_into_it() {
    check(
        "class T {
    @Test void t() { new TreeMap<Key, String>().put(new Key(), \"\"); new Spare(); } // runs
}
class Key implements Comparable<Key> {
    public int compareTo(Key k) { return 0; } // runs
    public boolean equals(Object o) { return o == this; } // runs
    public int hashCode() { return 1; } // runs
    public int rank() { return 1; }
}
class Spare implements Comparable<Spare> {
    public int compareTo(Spare k) { return 0; }
    public boolean equals(Object o) { return o == this; }
}",
    );
}

#[test]
fn a_library_calls_what_the_parameter_s_type_declares() {
    check(
        "class T {
    @Test void t() { // runs
        new Thread(new Job()).start();
        Collections.sort(new ArrayList<String>(), new Order());
        Idle idle = new Idle();
    }
}
class Job implements Runnable, Closeable {
    public void run() { } // runs
    public void close() { }
}
class Order implements Comparator<String> {
    public int compare(String a, String b) { return twice(1); } // runs
    private int twice(int n) { return n; } // runs
}
class Idle implements Runnable {
    public void run() { }
}",
    );
}

#[test]
fn what_a_call_back_returns_is_called_back() {
    check(
        "class T {
    @Test void t() { String.join(\",\", new Names()); } // runs
}
class Names implements Iterable<String> {
    public Iterator<String> iterator() { return new Iterator<String>() { // runs
        public boolean hasNext() { return false; } // runs
        public String next() { return null; } // runs
    }; }
}",
    );
}

#[test]
fn a_library_s_own_code_calls_what_a_class_here_overrides() {
    check(
        "class T {
    @Test void t() throws Exception { // runs
        Slow slow = new Slow();
        slow.read();
        new BufferedReader(new Quick()).readLine();
        new Quiet();
    }
}
class Slow extends Reader {
    public int read(char[] to, int from, int n) { return 1; } // runs
    public void close() { } // runs
}
class Quick extends Reader {
    public int read(char[] to, int from, int n) { return 1; } // runs
    public void close() { } // runs
}
class Quiet extends Reader {
    public int read(char[] to, int from, int n) { return 1; }
    public void close() { }
}",
    );
}

#[test]
fn calls_by_a_library_s_declaration_go_to_the_classes_here() {
    check(
        "class T {
    @Test void t() { Iterator<Integer> it = new Walk(); it.next(); Object o = new Named(); o.toString(); } // runs
}
class Walk implements Iterator<Integer> {
    public boolean hasNext() { return true; }
    public Integer next() { return 1; } // runs
}
class Named {
    public String toString() { return \"\"; } // runs
    public int hashCode() { return 1; }
}",
    );
}

#[test]
fn the_next_is_what_the_loop_s_variable_has() {
    let workspace = workspace(
        "import java.util.*; class T { void t(Some some) { String all = \"\"; for (String s : some) { all = s; } String text = \"it: \" + some; } }
         class Some implements Iterable<String> { public Iterator<String> iterator() { return new Walk(); }
           public String toString() { String told = name(); return told; } String name() { return \"\"; } }
         class Walk implements Iterator<String> { public boolean hasNext() { return true; }
           public String next() { String found = \"a\".trim(); return found; } }",
    );
    let units = workspace.units(&|_, _, _| true);
    let graph = assemble(&units, &workspace, &[]);
    let named = |name: &str| {
        let is = |n: &Node| match *n {
            Node::Real { unit, candidate } => {
                units[unit.ix()].chains.candidates[candidate as usize].variable == name
            }
            _ => false,
        };
        graph.nodes.iter().position(is).unwrap() as u32
    };
    let returned = |from: &str| -> Vec<u32> {
        let out = graph.psg.outgoing(named(from));
        let returned = out.filter(|e| e.kind == EdgeKind::Return);
        returned.map(|e| e.to).collect()
    };
    assert_eq!(returned("s"), [named("found")]);
    assert_eq!(returned("text"), [named("told")]);
    assert_eq!(returned("all"), []);
}

#[test]
fn what_gives_a_test_its_arguments_runs_before_it() {
    check(
        "class T extends Base {
    @ParameterizedTest @MethodSource({\"given\", \"U#others\"}) @ArgumentsSource(From.class) void t(int i) { } // runs
    static List<Integer> given() { return make(); } // runs
    static List<Integer> make() { return null; } // runs
    static List<Integer> unasked() { return null; }
    static class From implements ArgumentsProvider {
        public Object provideArguments(Object context) { return null; } // runs
    }
    @ParameterizedTest @MethodSource void byName(int i) { }
    static List<Integer> byName() { return null; }
}
class Base {
    @Parameters static Object[] all() { return null; } // runs
}
class U {
    static List<Integer> others() { return null; } // runs
    static List<Integer> given() { return null; }
}",
    );
}
