//! What a test that checks nothing has code under test write.

use super::*;

const OUT: &str = "
package p;
import java.io.*;
public class Account {
    private final String text;
    public Account(String text) { this.text = text; }
    public void writeTo(Writer writer) throws IOException { writer.write(text.trim()); }
    public void buffered(Writer writer) throws IOException { Buffered b = new Buffered(writer); b.write(text + 1); b.flush(); }
    public void bytes(OutputStream out) throws IOException { out.write(text.getBytes()); }
    public void into(StringBuilder b) { b.append(text.trim()); }
    public void printed(PrintWriter out) { out.print(text + 2); }
    public void timed(PrintWriter out) { long since = System.nanoTime(); out.print(text + (System.nanoTime() - since)); }
    static class Buffered extends Writer {
        private final Writer writer;
        private final char[] buffer = new char[16];
        private int fill;
        Buffered(Writer writer) { this.writer = writer; }
        public void write(char[] c, int off, int len) throws IOException { writer.write(c, off, len); }
        public void write(String s, int off, int len) { s.getChars(off, off + len, buffer, fill); fill += len; }
        public void flush() throws IOException { writer.write(buffer, 0, fill); }
        public void close() { }
    }
}
";

/// Whether the text of `w` is named, and whether it would be if the test checked something.
fn is_told(body: &str) -> bool {
    let case = with_main(
        OUT,
        "",
        &body
            .replace("new ", "new java.io.")
            .replace("new java.io.Account", "new Account"),
    );
    let offer = case.offer(&Switches::default());
    let mut all = offer.shown();
    all.any(|r| {
        offer.observations[&r.vertex].expression == "w.toString()"
            && offer.judged[&r.vertex] == Ok(crate::Cue::Written)
            && offer.is_worth(r.vertex)
    })
}

#[test]
fn what_code_under_test_writes_is_there_to_be_read() {
    const WRITER: &str = "java.io.StringWriter w = new StringWriter();";
    const STREAM: &str = "java.io.ByteArrayOutputStream w = new ByteArrayOutputStream(64);";
    const BUILDER: &str = "StringBuilder w = new StringBuilder();";
    for (made, used) in [
        (WRITER, "new Account(\" a\").writeTo(w);"),
        (WRITER, "new Account(\" a\").buffered(w);"),
        (WRITER, "new Account(\" a\").printed(new PrintWriter(w));"),
        (STREAM, "new Account(\" a\").bytes(w);"),
    ] {
        let body = format!("{made} {used}");
        assert!(is_told(&body), "{body}");
        for checked in [
            "assertNotNull(w);",
            "assertEquals(1, w.toString().length());",
        ] {
            assert!(!is_told(&format!("{body} {checked}")), "{body} {checked}");
        }
        assert!(!is_told(&format!(
            "{body} System.out.println(w.toString());"
        )));
    }
    let built = format!("{BUILDER} new Account(\" a\").into(w);")
        .replace("new StringBuilder", "new  StringBuilder");
    assert!(is_told(&built), "{built}");
    // What may say how long it took.
    let timed = format!("{WRITER} new Account(\" a\").timed(new PrintWriter(w));");
    assert!(!is_told(&timed));
    // An input is none, nor what nobody had.
    assert!(!is_told(
        &built.replace("StringBuilder()", "StringBuilder(\"x\")")
    ));
    assert!(!is_told(
        &built.replace(" new Account", " w.append(1); new Account")
    ));
    assert!(!is_told(&built.replace(".into(w)", ".hashCode()")));
}

/// Who is only made with it has not written yet.
#[test]
fn what_constructors_keep_is_not_written_yet() {
    let is_kept = |used: &str| {
        let body = format!("java.io.StringWriter w = new java.io.StringWriter(); {used}");
        let case = with_main(OUT, "", &body);
        let program = case.workspace.program();
        let id = program.method_body(case.workspace.suite().tests()[0]);
        let id = id.expect("the test's body");
        let reader = oracle::Reader::new(program, id).expect("it is read");
        let w = oracle::Root::Local(id, flow::LocalId(0));
        crate::doubt::is_only_kept(&reader, &w)
    };
    assert!(is_kept("new Account.Buffered(w);"));
    assert!(is_kept("Account.Buffered b = new Account.Buffered(w);"));
    assert!(!is_kept(
        "Account.Buffered b = new Account.Buffered(w); b.flush();"
    ));
    assert!(!is_kept("new Account.Buffered(w).flush();"));
    assert!(!is_kept("run(new Account.Buffered(w));"));
    assert!(!is_kept("new Account(\"a\").writeTo(w);"));
}
