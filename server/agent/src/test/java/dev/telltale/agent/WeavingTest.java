package dev.telltale.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines and calls of woven classes, and that these do what they did before. */
class WeavingTest {
    static List<Path> jdks() {
        return Project.jdks();
    }

    /** Shapes of code in which frames and places of instructions are easy to get wrong. */
    static final String[] SHAPES = {"package p;", "import java.util.*; import java.util.function.*;", "public class Shapes {",
        "interface Named { String name(); default String twice() { return name() + name(); } static Named of(String s) { return () -> s; } }",
        "static class Base { final Object o; Base(Object o) { this.o = o; } }",
        "static class Sub extends Base { long n = 1L << 40; Sub(boolean b, long x, double y) {",
        "super(b ? new StringBuilder(x > 1",
        "? \"a\"",
        ": \"b\") : new Object() { public String toString() { return \"anonymous\"; } });",
        "if (b) { n += x; } else { throw new IllegalArgumentException(\"\" + y); } } Sub(int i) { this(i > 0, i, i); n++; } }",
        "static int loopFirst(int n) { while (true) { if (n-- < 0) return n; } }",
        "static long wide(long a, double b, int[] c) { long sum = 0; for (long i = 0; i < a; i++) { double d = b * i; sum += (long) d + c[(int) i]; } return sum; }",
        "static String conditionalNew(boolean a, int n) {",
        "return new StringBuilder(a ?",
        "new String(\"x\") : n > 2 ?",
        "new StringBuilder(\"yy\").toString()",
        ": \"z\").append(n > 1",
        "? new ArrayList<>(Arrays.asList(n))",
        ": null).toString(); }",
        "static int finals(String s) { int n = 0; try { n = Integer.parseInt(s); } catch (NumberFormatException e) { n = -1; throw new IllegalStateException(e); } finally { n++; } return n; }",
        "synchronized int locked(Object o) { synchronized (o) { if (o instanceof String) { return ((String) o).length(); } throw new RuntimeException(\"no\"); } }",
        "static String switches(int n, String s) { switch (n) { case 1: return \"one\"; case 1000: s += 1; default: break; } switch (s) { case \"a\": return \"A\"; default: return s; } }",
        "static <T extends Comparable<T>> T max(List<? extends T> all) { T best = null; for (T t : all) { if (best == null || t.compareTo(best) > 0) best = t; } return best; }",
        "static boolean z(boolean b) { return !b; } static byte b(byte b) { return b; } static char c(char c) { return c; } static short s(short s) { return s; } static float f(float f) { return f; }",
        "static int recursive(int n) { return n == 0 ? 0 : 1 + recursive(n - 1); }",
        "static void stack() { StackTraceElement[] all = new Throwable().getStackTrace(); System.out.println(all[0].getMethodName() + all[0].getLineNumber() + all.length); }",
        "static int[][] arrays(int n) { int[][] all = new int[n][]; all[0] = new int[] {n}; return all; }",
        "static void members() { System.out.println(Shapes.class.getDeclaredFields().length + \" \" + Named.class.getDeclaredFields().length); }",
        "static void caught(Runnable r) { try { r.run(); System.out.println(\"fine\"); } catch (RuntimeException e) { System.out.println(e); } }",
        "public static void main(String[] args) {",
        "System.out.println(Named.of(\"n\").twice() + loopFirst(3) + wide(3, 0.5, new int[3]) + conditionalNew(true, 1) + conditionalNew(false, 2) + conditionalNew(false, 3));",
        "System.out.println(new Sub(true, 2, 3).n + \" \" + new Sub(1).o); caught(() -> new Sub(false, 1, 2)); caught(() -> new Sub(-1));",
        "System.out.println(finals(\"4\")); caught(() -> finals(\"x\")); System.out.println(new Shapes().locked(\"abc\")); caught(() -> new Shapes().locked(1));",
        "System.out.println(switches(1, \"\") + switches(1000, \"a\") + switches(2, \"a\") + max(Arrays.asList(1, 3, 2)));",
        "System.out.println(z(true) + \" \" + b((byte) 1) + c('c') + s((short) 2) + f(1.5f) + recursive(5)); stack(); members(); System.out.println(arrays(2)[0][0]);",
        "Supplier<Function<Integer, Long>> f = () -> x -> x + 1L; System.out.println(f.get().apply(1)); new Object() { void run() { System.out.println(\"ran\"); } }.run();",
        "}}"};

    static final String[] NEWER = {"package p;", "public class Newer { sealed interface S permits A, B {} record A(int x) implements S { A { if (x < 0) throw new IllegalArgumentException(); } } record B(S s, long y) implements S {}",
        "enum E { ONE, TWO { int v() { return 2; } }; int v() { return 1; } }",
        "static String text(E e) { return switch (e) { case ONE -> { try { yield \"1\" + e.v(); } finally { System.out.println(\"f\"); } } case TWO -> \"2\" + e.v(); }; }",
        "static int of(S s) { if (s instanceof A a && a.x() > 1) { return a.x(); } return s.hashCode() == 0 ? 1 : 2; }",
        "static String walked(StackWalker.Option... options) { return StackWalker.getInstance(java.util.Set.of(options)).walk(all -> all.map(f -> f.getMethodName() + \":\" + f.getLineNumber() + \" \").reduce(\"\", String::concat)); }",
        "static Class<?> caller() { return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass(); }",
        "public static void main(String[] args) throws Exception { System.out.println(walked() + walked(StackWalker.Option.SHOW_HIDDEN_FRAMES) + new Object() { Class<?> called() { return caller(); } }.called());",
        "System.out.println(Newer.class.getDeclaredMethod(\"walked\", StackWalker.Option[].class).invoke(null, (Object) new StackWalker.Option[] {StackWalker.Option.SHOW_REFLECT_FRAMES}));",
        "System.out.println(text(E.ONE) + text(E.TWO) + of(new A(5)) + new B(new A(1), 2) + new A(3).equals(new A(3))); p.Shapes.main(args); }}"};

    @ParameterizedTest
    @MethodSource("jdks")
    void wovenClassesDoWhatTheyDid(Path jdk) throws Exception {
        for (String level : new String[] {"8", "11", ""}) {
            Project project = new Project().source("p/Shapes.java", SHAPES);
            String main = "p.Shapes";
            if (level.isEmpty()) {
                project.source("p/Newer.java", NEWER);
                main = "p.Newer";
            }
            project.compile(jdk, level.isEmpty() ? new String[0] : new String[] {"--release", level});
            String plain = project.plain(jdk, main);
            assertTrue(plain.endsWith("ran\n"), plain);
            for (String[] plan : new String[][] {{"cover p/*"}, {"sample p/*"}, {}}) {
                Recording recording = project.plan(plan).run(jdk, main);
                assertEquals(plain, project.output, level);
                assertEquals(Collections.emptyMap(), recording.lost);
            }
        }
    }

    /** Class files of many compilers: each must still pass the verifier. */
    @ParameterizedTest
    @ValueSource(strings = {"junit3", "testng6", "testng7", "mockito", "junit4"})
    void librariesStillVerify(String library) throws Exception {
        Project project = new Project().with(library).plan("cover *", "sample *").source("Main.java", "import java.util.*; import java.util.jar.*;",
                "public class Main { public static void main(String[] jars) throws Exception { int count = 0; for (String jar : jars) {",
                "for (JarEntry e : Collections.list(new JarFile(jar).entries())) { if (!e.getName().endsWith(\".class\") || e.getName().contains(\"-\")) continue; try {",
                "Class.forName(e.getName().replace('/', '.').substring(0, e.getName().length() - 6), false, Main.class.getClassLoader()).getDeclaredMethods(); count++;",
                "} catch (NoClassDefFoundError | IncompatibleClassChangeError missing) { } catch (UnsupportedClassVersionError newer) { } } } System.out.println(\"linked \" + (count > 20)); } }")
                .compile(Project.jdk());
        String[] command = Files.list(Project.BUILD.resolve("libs").resolve(library)).map(Path::toString).sorted().toArray(String[]::new);
        String[] whole = new String[command.length + 1];
        whole[0] = "Main";
        System.arraycopy(command, 0, whole, 1, command.length);
        Recording recording = project.run(Project.jdk(), whole);
        assertEquals("linked true\n", project.output);
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    private static Project tests(String... code) throws Exception {
        List<String> lines = new ArrayList<>(Arrays.asList("package p;", ""));
        lines.addAll(Arrays.asList(code));
        return new Project().with("junit4").source("p/Code.java", lines.toArray(new String[0]));
    }

    private static String[] test(String... bodies) {
        List<String> lines = new ArrayList<>(Arrays.asList("package p;", "import org.junit.*;", "public class T {"));
        for (int at = 0; at < bodies.length; at++) {
            lines.add("@Test public void t" + (at + 1) + "() throws Exception { " + bodies[at] + " }");
        }
        lines.add("}");
        return lines.toArray(new String[0]);
    }

    private static Recording four(Project project) throws Exception {
        Recording recording = project.compile(Project.jdk()).run(Project.jdk(), "org.junit.runner.JUnitCore", "p.T");
        assertTrue(project.output.contains("OK ("), project.output);
        return recording;
    }

    @Test
    void linesAreKnownByTest() throws Exception {
        Project project = tests("public class Code {", "static int abs(int n) {", "if (n < 0) {", "return -n;", "}", "return n; }", "}")
                .source("p/T.java", test("Code.abs(-1);", "Code.abs(1);", "")).plan("cover p/Code");
        Recording recording = four(project);
        assertEquals(Arrays.asList("p.Code:5", "p.Code:6"), new ArrayList<>(recording.covered.get("p.T.t1")));
        assertEquals(Arrays.asList("p.Code:5", "p.Code:8"), new ArrayList<>(recording.covered.get("p.T.t2")));
        assertEquals(new TreeSet<>(Arrays.asList("p.T.t1", "p.T.t2")), new TreeSet<>(recording.covered.keySet()));
        assertEquals(0, recording.samples.size());
    }

    /** Where a line begins in the code is not where each way comes to it. */
    @Test
    void aLineThatIsReachedPastItsBeginningHasRun() throws Exception {
        Project project = tests("public class Code {", "static int f(int n) {", "if (n < 0) {", "int m = -n; n = m;", "} else if (n > 9) {", "int m = 9; n = m; } else n++;", "return n; }",
                "static int g(String s) { int n = 0; switch (s) {", "case \"a\": n = 1; break; case \"b\": n = 2;", "n++; break; default: n = 3; }", "return n; }", "}")
                .source("p/T.java", test("Code.f(-1);", "Code.f(20);", "Code.f(3);", "Code.g(\"a\");", "Code.g(\"c\");")).plan("cover p/Code");
        Recording recording = four(project);
        // Behind a block with variables the jump over the rest stands on the line of the brace.
        assertEquals("[p.Code:5, p.Code:6, p.Code:7, p.Code:9]", recording.covered.get("p.T.t1").toString());
        assertEquals("[p.Code:5, p.Code:7, p.Code:8, p.Code:9]", recording.covered.get("p.T.t2").toString());
        assertEquals("[p.Code:5, p.Code:7, p.Code:8, p.Code:9]", recording.covered.get("p.T.t3").toString());
        assertEquals("[p.Code:10, p.Code:11, p.Code:13]", recording.covered.get("p.T.t4").toString());
        assertEquals("[p.Code:10, p.Code:12, p.Code:13]", recording.covered.get("p.T.t5").toString());
    }

    private static List<String> texts(Recording recording) {
        return recording.samples.stream().map(it -> it.toString().replaceAll("#\\d+", "#")).collect(Collectors.toList());
    }

    @Test
    void callsAreSampledAsTheyAreEnteredAndLeft() throws Exception {
        Project project = tests("public class Code { int n;", "Code(int n) { this.n = n; }", "int add(int more, long[] box) {", "n += more;",
                "box[0] = n;", "more = 99;", "return n; }", "void refuse(String why) { throw new IllegalStateException(why); }",
                "static double half(double d) { return d / 2; }", "static boolean is(Boolean b, char c) { return b; }", "}")
                .source("p/T.java", test("new Code(1).add(2, new long[1]);",
                        "try { new Code(1).refuse(\"no\"); } catch (IllegalStateException e) { }", "Code.half(-0.0); Code.is(true, 'x');"))
                .plan("sample p/Code", "cover p/Code");
        Recording recording = four(project);
        List<String> texts = texts(recording);
        assertEquals(String.join("\n", "> p.Code.<init>(n) [-, 1]", "< p.Code.<init>(n) [p.Code#{p.Code.n=1}, 1, -]",
                "> p.Code.add(more,box) [p.Code#{p.Code.n=1}, 2, [J#[1: 0L]]",
                "< p.Code.add(more,box) [p.Code#{p.Code.n=3}, 2, [J#[1: 3L], 3]",
                "> p.Code.<init>(n) [-, 1]", "< p.Code.<init>(n) [p.Code#{p.Code.n=1}, 1, -]",
                "> p.Code.refuse(why) [p.Code#{p.Code.n=1}, \"no\"]",
                "! p.Code.refuse(why) [p.Code#{p.Code.n=1}, \"no\", java.lang.IllegalStateException#!no]",
                "> p.Code.half(d) [-, d8000000000000000]", "< p.Code.half(d) [-, d8000000000000000, d8000000000000000]",
                "> p.Code.is(b,c) [-, box true, c120]", "< p.Code.is(b,c) [-, box true, c120, true]"), String.join("\n", texts));
        Recording.Sample left = recording.samples.get(3);
        assertEquals(9, left.line);
        assertEquals("p.T.t1", left.test);
        assertEquals("p.Code:4 p.Code:6 p.Code:7 p.Code:8 p.Code:9", left.ran);
        assertEquals(recording.samples.get(2).nonce, left.nonce);
        assertTrue(recording.samples.get(2).sequence < left.sequence);
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    @Test
    void oneMethodCanBeSampledAlone() throws Exception {
        Project project = tests("public class Code { static int a(int n) { return b(n); } static int b(int n) { return n; } static int b(String n) { return 0; } }")
                .source("p/T.java", test("Code.a(1); Code.b(\"\");")).plan("sample p/Code b (I)I");
        assertEquals(Arrays.asList("> p.Code.b(n) [-, 1]", "< p.Code.b(n) [-, 1, 1]"), texts(four(project)));
    }

    @Test
    void whatAQueryCallsIsNoCallOfTheTest() throws Exception {
        Project project = tests("public class Code { static int f(int n) { return n; } }")
                .source("p/T.java", test("Code.f(1); if (dev_telltale.See.wants(1)) try { dev_telltale.See.query(1, Code.f(2)); } catch (Throwable t) { dev_telltale.See.threw(1, t); } "
                        + "if (dev_telltale.See.wants(2)) try { dev_telltale.See.query(2, Code.f(3) / 0); } catch (Throwable t) { dev_telltale.See.threw(2, t); } Code.f(4);"))
                .plan("sample p/Code");
        assertEquals(Arrays.asList("> p.Code.f(n) [-, 1]", "< p.Code.f(n) [-, 1, 1]", "> p.Code.f(n) [-, 4]", "< p.Code.f(n) [-, 4, 4]"), texts(four(project)));
    }

    @Test
    void whatComesOftenBelongsToItsTestAndToNoQuery() throws Exception {
        Project project = tests("public class Code { static int f(int n) { int last = 0; for (int i = 0; i < n; i++) last = dev_telltale.See.see(7, i); return last; } }")
                .source("p/T.java", test("Code.f(1000); if (dev_telltale.See.wants(1)) try { dev_telltale.See.query(1, Code.f(500)); } catch (Throwable t) { dev_telltale.See.threw(1, t); } Code.f(300);",
                        "Code.f(200); Thread t = new Thread(() -> Code.f(100)); t.start(); t.join(); Code.f(50);",
                        "Code.f(70_000);", "Code.f(1);"));
        Recording recording = four(project);
        assertEquals("1300: ^0 1 2 3 4 5 6 7 $+299", recording.slots.get("7@p.T.t1"));
        assertEquals("350: ^0 1 2 3 4 5 6 7 $+49", recording.slots.get("7@p.T.t2"));
        assertEquals("65536: ^0 1 2 3 4 5 6 7 $+65535", recording.slots.get("7@p.T.t3"));
        assertEquals("1: ^$0", recording.slots.get("7@p.T.t4"));
        assertEquals("1: ^$499", recording.slots.get("1@p.T.t1"));
    }

    @Test
    void aQueryWithinAQueryIsNotAskedAndEndsNothing() throws Exception {
        String within = "if (dev_telltale.See.wants(2)) try { dev_telltale.See.query(2, 2); } catch (Throwable t) { dev_telltale.See.threw(2, t); }";
        Project project = tests("public class Code { static int f(int n) { return dev_telltale.See.see(7, n); } }")
                .source("p/T.java", test("Code.f(1); if (dev_telltale.See.wants(1)) try { dev_telltale.See.query(1, asked()); } catch (Throwable t) { dev_telltale.See.threw(1, t); } } "
                        + "static int asked() { " + within + " return Code.f(5);"));
        Recording recording = four(project);
        assertEquals("{1@p.T.t1=1: ^$5, 7@p.T.t1=1: ^$1}", recording.slots.toString());
    }

    @Test
    void manyCallsAreASampleThatTheNextRunChoosesAgain() throws Exception {
        Project project = tests("public class Code { static int f(int n) { return n; } }")
                .source("p/T.java", test("for (int i = 1; i <= 100000; i++) Code.f(i);")).plan("sample p/Code", "limit samples 10");
        List<String> first = texts(four(project));
        assertEquals(20, first.size());
        for (int call = 1; call <= 5; call++) {
            assertTrue(first.contains("> p.Code.f(n) [-, " + call + "]"), first::toString);
        }
        assertTrue(first.stream().anyMatch(it -> it.matches("> .*\\d{5,}]")), first::toString);
        assertEquals(first, texts(four(project)));
    }

    private static long entries(Recording recording, String test, String method) {
        return recording.samples.stream().filter(it -> it.kind == 0 && it.test.equals("p.T." + test)
                && it.method.startsWith("p.Code." + method + "(")).count();
    }

    @Test
    void aTestThatUsedUpItsShareKeepsFewerCallsOfEachMethod() throws Exception {
        Project project = tests("public class Code { static String f(String s) { return s; } static String g(String s) { return s; } static int h() { return 1; } }")
                .source("p/T.java", test("String s = String.join(\"\", java.util.Collections.nCopies(50, \"a\"));"
                        + "for (int i = 0; i < 1000; i++) Code.f(s + i); for (int i = 0; i < 1000; i++) Code.g(s + i);"
                        + "for (int i = 0; i < 1000; i++) Code.h();", "for (int i = 0; i < 1000; i++) Code.h();"))
                .plan("sample p/Code", "limit share 2000");
        Recording recording = four(project);
        // A call has its text three times, about 170 bytes: twice ten are too many, twice five are not.
        assertEquals(5, entries(recording, "t1", "f"));
        assertEquals(5, entries(recording, "t1", "g"));
        assertEquals(5, entries(recording, "t1", "h"));
        assertEquals(20, entries(recording, "t2", "h"));
        assertEquals(Collections.emptyMap(), recording.lost);
        assertEquals(texts(recording), texts(four(project)));
    }

    @Test
    void whereOneCallOfEachMethodIsTooMuchTheLastMethodsAreLeftOut() throws Exception {
        Project project = tests("public class Code { static String f(String s) { return s; } static String g(String s) { return s; } static String h(String s) { return s; } }")
                .source("p/T.java", test("String s = String.join(\"\", java.util.Collections.nCopies(500, \"a\")); Code.f(s); Code.g(s); Code.h(s);", "Code.h(\"\");"))
                .plan("sample p/Code", "limit share 500");
        Recording recording = four(project);
        assertEquals("1 1 0", entries(recording, "t1", "f") + " " + entries(recording, "t1", "g") + " " + entries(recording, "t1", "h"));
        assertEquals(1, entries(recording, "t2", "h"));
        assertEquals("{calls beyond the share of a test=1}", recording.lost.toString());
    }

    @Test
    void whatRunsOutsideOfTestsIsNotSampled() throws Exception {
        Project project = tests("public class Code { static int f(int n) { return n; } }")
                .source("p/T.java", "package p; import org.junit.*; public class T { @BeforeClass public static void all() { for (int i = 0; i < 9; i++) Code.f(1); } @Test public void t1() { Code.f(2); } }")
                .plan("sample p/Code");
        assertEquals(Arrays.asList("> p.Code.f(n) [-, 2]", "< p.Code.f(n) [-, 2, 2]"), texts(four(project)));
    }

    /** {@code method:line} of each entry in this test, sorted. */
    private static String lines(Recording recording, String test) {
        return recording.samples.stream().filter(it -> it.kind == 0 && it.test.equals("p.T." + test))
                .map(it -> it.method.replaceAll("\\(.*", "").substring(2) + ":" + it.line).sorted().collect(Collectors.joining(" "));
    }

    @Test
    void aCallKnowsTheLineOfItsTest() throws Exception {
        for (Path jdk : Project.jdks()) {
            Project project = tests("public class Code { Code() { }", "static int a(int n) { return n == 0 ? b() : a(n - 1); }", "static int b() {",
                    "return 1; }", "static void each(Runnable r) { r.run(); }", "int c() { return 1; } }")
                    .source("p/Base.java", "package p;", "public class Base {", "void helper() {", "Code.b(); }", "@org.junit.Test public void inherited() {", "Code.b();", "helper(); } }")
                    .source("p/TX.java", "package p; class TX {", "static void go() {", "Code.b(); } }")
                    .source("p/T.java", "package p; import org.junit.*;", "public class T extends Base {",
                            "@Test public void direct() {", "Code.b();", "int n = Code.a(1)", "+ Code.b(); }",
                            "@Test public void own() {", "Code.each(() -> {", "Code.b(); });", "new Stub().go(); }",
                            "static class Stub { void go() {", "Code.b(); } }",
                            "@Test public void above() {", "helper();", "TX.go(); }",
                            "@Test public void made() {", "new Code() {", "int c() {", "return super.c(); } }", ".c(); }",
                            "@Test public void threads() throws Exception {", "run(() -> {", "Code.b(); });", "run(Code::b); run(TX::go); }",
                            "static void run(Runnable r) throws Exception { Thread t = new Thread(r); t.start(); t.join(); }",
                            "static class Late { static int n = Code.b(); }",
                            "@Test public void initialises() { Late.n++;", "Code.b(); } }")
                    .plan("sample p/Code");
            Recording recording = project.compile(jdk).run(jdk, "org.junit.runner.JUnitCore", "p.T");
            assertEquals("Code.a:5 Code.a:5 Code.b:4 Code.b:5 Code.b:6", lines(recording, "direct"), jdk.toString());
            assertEquals("Code.b:12 Code.b:9 Code.each:8", lines(recording, "own"));
            assertEquals("Code.b:14 Code.b:15", lines(recording, "above"));
            assertEquals("Code.<init>:17 Code.c:19", lines(recording, "made"));
            assertEquals("Code.b:-1 Code.b:-1 Code.b:23", lines(recording, "threads"));
            assertEquals("Code.b:-1 Code.b:28", lines(recording, "initialises"));
            // There the lines are those of the class above.
            assertEquals("Code.b:4 Code.b:6", lines(recording, "inherited"));
            // An exit keeps its own.
            assertTrue(recording.samples.stream().filter(it -> it.kind == 1 && it.method.startsWith("p.Code.b")).allMatch(it -> it.line == 6));
            assertEquals(Collections.emptyMap(), recording.lost);
        }
    }

    @Test
    void linesThatNobodyCompiledAreNotTold() throws Exception {
        Project project = tests("public class Code { static int f() { return 1; } }").source("p/T.java", test("Code.f();")).plan("sample p/Code");
        Recording recording = project.compile(Project.jdk(), "-g:none").run(Project.jdk(), "org.junit.runner.JUnitCore", "p.T");
        assertEquals("Code.f:-1", lines(recording, "t1"));
    }

    @Test
    void interfacesConstructorsAndLambdasAreCoveredAndBridgesAreNot() throws Exception {
        Project project = tests("interface Code extends Comparable<Code> {", "default int f() {", "return 1; }", "static Runnable r() {",
                "return () ->", "System.identityHashCode(null); } }", "class Impl implements Code {", "public int compareTo(Code c) {", "return 0; } }")
                .source("p/T.java", test("new Impl().f(); Code.r().run(); ((Comparable<Code>) new Impl()).compareTo(null);"))
                .plan("cover p/Code", "cover p/Impl", "sample p/Impl");
        Recording recording = four(project);
        assertEquals("[p.Code:5, p.Code:7, p.Code:8, p.Impl:11, p.Impl:9]", recording.covered.get("p.T.t1").toString());
        assertFalse(recording.samples.isEmpty());
        assertEquals(1, recording.samples.stream().filter(it -> it.kind == 0 && it.method.contains("compareTo")).count());
    }

    @Test
    void aSwappedClassIsRunInsteadOfItsOwn() throws Exception {
        Project project = tests("public class Code { static int f() { return dev_telltale.See.see(7, 2); } }").source("p/T.java", test("Assert.assertEquals(2, Code.f());"));
        Path woven = Files.createDirectory(project.folder.resolve("woven"));
        project.compile(Project.jdk(), woven);
        project.source("p/Code.java", "package p; public class Code { static int f() { return 1; } }").source("p/T.java", test("Assert.assertEquals(2, Code.f());"))
                .compile(Project.jdk());
        Path run = Files.createDirectory(project.folder.resolve("swapped"));
        Files.copy(woven.resolve("p/Code.class"), run.resolve("0.class"), StandardCopyOption.REPLACE_EXISTING);
        Recording recording = project.plan("swap p/Code 0.class", "cover p/Code").run(Project.jdk(), run, "org.junit.runner.JUnitCore", "p.T");
        assertTrue(project.output.contains("OK (1 test)"), project.output);
        assertEquals("{7@p.T.t1=1: ^$2}", recording.slots.toString());
        assertEquals("[p.Code:3]", recording.covered.get("p.T.t1").toString());
    }

    @Test
    void jacocoBesideItSeesWhatItAlwaysSees() throws Exception {
        Path jacoco = Files.list(Project.BUILD.resolve("libs/jacoco")).findFirst().get();
        for (boolean first : new boolean[] {true, false}) {
            Project project = tests("public class Code {", "static int f() {", "return 1; } }").source("p/T.java", test("Code.f();"))
                    .plan("cover p/Code", "sample p/Code").compile(Project.jdk());
            Path run = Files.createDirectory(project.folder.resolve("run"));
            String own = "-javaagent:" + Project.AGENT + "=" + run;
            Files.write(run.resolve("plan"), "telltale-plan\t1\ncover\tp/Code\nsample\tp/Code\n".getBytes("UTF-8"));
            if (first) {
                project.vm(own);
            }
            project.vm("-javaagent:" + jacoco + "=destfile=" + project.folder.resolve("jacoco.exec"));
            if (!first) {
                project.vm(own);
            }
            project.plain(Project.jdk(), "org.junit.runner.JUnitCore", "p.T");
            assertTrue(project.output.contains("OK (1 test)"), project.output);
            Recording recording = Recording.of(run.toFile());
            assertEquals("[p.Code:5]", recording.covered.get("p.T.t1").toString());
            assertEquals(2, recording.samples.size());
            assertTrue(new File(project.folder.toFile(), "jacoco.exec").length() > 100);
            assertEquals(Collections.emptyMap(), recording.lost);
        }
    }

    @Test
    void mocksOfWovenClassesWork() throws Exception {
        Project project = tests("public class Code {", "final int f(int n) {", "return n; }", "static int g() {", "return 1; } }").with("mockito")
                .source("p/T.java", test("Code real = new Code(); Assert.assertEquals(4, real.f(4)); Code mock = org.mockito.Mockito.mock(Code.class);"
                        + " org.mockito.Mockito.when(mock.f(1)).thenReturn(5); Assert.assertEquals(5, mock.f(1)); Assert.assertEquals(4, real.f(4));"
                        + " try (org.mockito.MockedStatic<Code> s = org.mockito.Mockito.mockStatic(Code.class)) { s.when(Code::g).thenReturn(9); Assert.assertEquals(9, Code.g()); } Assert.assertEquals(1, Code.g());"))
                .plan("cover p/Code", "sample p/Code").vm("-XX:+EnableDynamicAgentLoading");
        Recording recording = four(project);
        assertTrue(recording.covered.get("p.T.t1").contains("p.Code:5"));
        assertTrue(recording.covered.get("p.T.t1").contains("p.Code:7"));
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    /** Class loaders that know only themselves and the JDK's base, as some containers and runners of tests have. */
    @Test
    void aClassLoaderThatWouldHideTheRecorderFindsIt() throws Exception {
        Project project = tests("public class Code { public static int f() { return dev_telltale.See.see(7, 1); } }").source("p/T.java", test(
                "byte[] b = java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"classes/p/Code.class\"));"
                + "ClassLoader l = new ClassLoader(null) { protected synchronized Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {"
                + "if (n.startsWith(\"java.\")) return super.loadClass(n, r); if (!n.equals(\"p.Code\")) throw new ClassNotFoundException(n); return defineClass(n, b, 0, b.length); } };"
                + "Assert.assertEquals(1, l.loadClass(\"p.Code\").getMethod(\"f\").invoke(null));"
                + "try { l.loadClass(\"p.T\"); Assert.fail(); } catch (ClassNotFoundException e) { Assert.assertEquals(\"p.T\", e.getMessage()); }"
                // One that begins with a loop, and has copies of all that the class path has.
                + "ClassLoader c = new ClassLoader(null) { public Class<?> loadClass(String n) throws ClassNotFoundException { while (true) { if (n.startsWith(\"java.\")) return super.loadClass(n);"
                + "try (java.io.InputStream in = getSystemResourceAsStream(n.replace('.', '/') + \".class\")) { byte[] d = new byte[1 << 20]; int s = 0; for (int k; (k = in.read(d, s, d.length - s)) > 0; ) s += k;"
                + "return defineClass(n, d, 0, s); } catch (java.io.IOException e) { throw new ClassNotFoundException(n); } } } };"
                + "Assert.assertEquals(1, c.loadClass(\"p.Code\").getMethod(\"f\").invoke(null));"
                + "ClassLoader o = new ClassLoader(null) { protected Class<?> findClass(String n) throws ClassNotFoundException { return defineClass(n, b, 0, b.length); } };"
                + "Assert.assertEquals(1, o.loadClass(\"p.Code\").getMethod(\"f\").invoke(null));")).plan("cover p/Code", "sample p/Code");
        Recording recording = four(project);
        assertEquals("{}", recording.lost.toString());
        assertEquals("[p.Code:3]", recording.covered.get("p.T.t1").toString());
        assertEquals(6, recording.samples.size());
        assertEquals("{7@p.T.t1=3: ^$1}", recording.slots.toString());
    }

    /** A method of this name may be anybody's: what is no class of the recorder is none of ours. */
    @Test
    void whatOnlyLooksLikeAClassLoaderDoesWhatItDid() throws Exception {
        Project project = tests("public class Code extends java.util.ArrayList<String> {", "Class<?> loadClass(String n) {", "return n == null ? Code.class : n.isEmpty() ? null : String.class; }",
                "static Class<?> loadClass(String n, boolean r) {", "return int.class; } }")
                .source("p/T.java", test("Assert.assertEquals(Code.class, new Code().loadClass(null)); Assert.assertNull(new Code().loadClass(\"\"));"
                        + "Assert.assertEquals(String.class, new Code().loadClass(\"dev.telltale.agent.None\")); Assert.assertEquals(int.class, Code.loadClass(\"dev.telltale.agent.Probes\", true));"))
                .plan("cover p/Code");
        Recording recording = four(project);
        assertEquals("[p.T.t1 passed]", recording.ended.toString());
        assertEquals("[p.Code:3, p.Code:5, p.Code:7]", recording.covered.get("p.T.t1").toString());
        assertEquals("{}", recording.lost.toString());
    }

    @Test
    void anotherClassOfTheSameNameHasItsOwnLines() throws Exception {
        Project project = tests("public class Code {", "public static int f() {", "return 1; } }").source("p/T.java", test(
                "ClassLoader l = new ClassLoader(null) { protected Class<?> findClass(String n) throws ClassNotFoundException { try { byte[] b = java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"other/p/Code.class\"));"
                + "return defineClass(n, b, 0, b.length); } catch (java.io.IOException e) { throw new ClassNotFoundException(n); } } };"
                + "l.loadClass(\"p.Code\").getMethod(\"f\").invoke(null); Code.f();")).plan("cover p/Code");
        Path other = Files.createDirectory(project.folder.resolve("other"));
        project.compile(Project.jdk(), other).source("p/Code.java", "package p; public class Code {", "public static int f() { return 2; } }");
        Recording recording = four(project);
        assertEquals("[p.Code:2, p.Code:5]", recording.covered.get("p.T.t1").toString());
    }

    @Test
    void aMethodThatIsTooLargeStaysAsItIs() throws Exception {
        StringBuilder body = new StringBuilder("int n = 0;");
        for (int at = 0; at < 7500; at++) {
            body.append("\nn = n * 3 + 70;");
        }
        Project project = tests("public class Code {", "static int small() { return 1; }", "static int large() {" + body + "return n; } }")
                .source("p/T.java", test("Code.small(); Code.large();")).plan("cover p/Code", "sample p/Code");
        Recording recording = four(project);
        assertEquals("{methods too large to weave=1}", recording.lost.toString());
        assertEquals("[p.Code:4]", recording.covered.get("p.T.t1").toString());
    }

    /** The recorder may meet the end of the stack anywhere; what it wrote stays whole, and it goes on. */
    @Test
    void whereTheStackEndsTheRecorderDoesNot() throws Exception {
        StringBuilder kinds = new StringBuilder();
        for (int at = 0; at < 600; at++) {
            kinds.append("class KindOfALongNameSoThatItTakesAWhile").append(at).append(" { int aFieldOfALongName").append(at).append("; }\n");
        }
        StringBuilder all = new StringBuilder("static final Object[] ALL = {");
        for (int at = 0; at < 600; at++) {
            all.append(at == 0 ? "" : ", ").append("new KindOfALongNameSoThatItTakesAWhile").append(at).append("()");
        }
        Project project = new Project().with("junit4").source("p/Code.java", "package p;", kinds.toString(),
                "public class Code { int n; Code(int n) { this.n = n; } static int at;", all + "};",
                "static int deep(int n) { try { return deep(n + 1) + 1; } catch (StackOverflowError e) {",
                "if (at < 600) dev_telltale.See.see(at, ALL[at++]); return 1; } } }")
                .source("p/T.java", test("for (int i = 0; i < 10; i++) { Code.at = i * 60; Assert.assertTrue(Code.deep(0) > 100); }",
                        "dev_telltale.See.see(4, new Code(1)); new Code(2); "))
                .plan("cover p/Code", "sample p/Code").vm("-Xss512k");
        Recording recording = four(project);
        assertEquals("[p.T.t1 passed, p.T.t2 passed]", recording.ended.toString());
        assertEquals("1: ^$p.Code#N{p.Code.n=1}", recording.slots.get("4@p.T.t2").replaceAll("#\\d+", "#N"));
        assertEquals(4, recording.samples.stream().filter(it -> it.test.equals("p.T.t2")).count());
        assertEquals(0, recording.torn);
    }
}
