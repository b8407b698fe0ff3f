package dev.telltale.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of value, to the digit, through the facade that woven source calls. */
class ValuesTest {
    private static final String[] HEAD = {"import dev_telltale.See;", "import java.util.*;",
        "import java.util.concurrent.*;", "import java.util.concurrent.atomic.*;", "import java.math.*;", ""};

    static java.util.List<Path> jdks() {
        return Project.jdks();
    }

    private static String[] program(String members, String... body) {
        return (String.join("\n", HEAD) + "public class Main {\n" + members
                + "\npublic static void main(String[] args) throws Exception {\n" + String.join("\n", body) + "\n}}")
                .split("\n");
    }

    private static Recording run(Path jdk, String members, String... body) throws Exception {
        Project project = new Project().source("Main.java", program(members, body)).compile(jdk);
        Recording recording = project.run(jdk, "Main");
        assertEquals("", project.output);
        assertEquals(0, project.status);
        return recording;
    }

    private static String only(Recording recording, int slot) {
        String text = recording.slots.get(slot + "@");
        assertTrue(text != null && text.startsWith("1: ^$"), () -> slot + " is " + text);
        return text.substring(5);
    }

    /** One value a line: what is seen, and how it reads. */
    private static void each(Path jdk, String members, String[][] cases) throws Exception {
        String[] body = new String[cases.length];
        for (int at = 0; at < body.length; at++) {
            body[at] = "See.see(" + at + ", " + cases[at][0] + ");";
        }
        Recording recording = run(jdk, members, body);
        for (int at = 0; at < body.length; at++) {
            assertEquals(cases[at][1], only(recording, at).replaceAll("#\\d+", "#"), cases[at][0]);
        }
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void primitives(Path jdk) throws Exception {
        each(jdk, "", new String[][] {
            {"true", "true"}, {"false", "false"}, {"(byte) -128", "-128b"}, {"(short) -32768", "-32768s"},
            {"'\\uffff'", "c65535"}, {"Integer.MIN_VALUE", "-2147483648"}, {"Long.MIN_VALUE", "-9223372036854775808L"},
            {"Long.MAX_VALUE", "9223372036854775807L"},
            {"-0.0f", "f80000000"}, {"Float.intBitsToFloat(0x7fc00001)", "f7fc00001"}, {"-0.0", "d8000000000000000"},
            {"Double.NaN", "d7ff8000000000000"}, {"Double.longBitsToDouble(0x7ff8000000000001L)", "d7ff8000000000001"},
            {"Double.MIN_VALUE", "d1"}, {"(Object) 1", "box 1"}, {"(Object) 'a'", "box c97"}, {"(Object) 1.0f", "box f3f800000"},
            {"(Object) (byte) 1", "box 1b"}, {"(Object) (short) 1", "box 1s"}, {"(Object) 1L", "box 1L"},
            {"(Object) true", "box true"}, {"(Object) 0.5", "box d3fe0000000000000"}, {"(Object) null", "null"},
        });
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void texts(Path jdk) throws Exception {
        StringBuilder long1000 = new StringBuilder();
        for (int at = 0; at < 1000; at++) {
            long1000.append('x');
        }
        each(jdk, "static String x(int n) { char[] all = new char[n]; Arrays.fill(all, 'x'); return new String(all); }",
                new String[][] {
            {"\"\"", "\"\""}, {"\"\\ud800\"", "\"\ud800\""}, {"\"\\udc00\\ud800\"", "\"\udc00\ud800\""},
            {"\"\\ud83d\\ude00\"", "\"\ud83d\ude00\""}, {"\"\\u0000\\u00e9\\u20ac\"", "\"\u0000\u00e9\u20ac\""},
            {"x(1000)", "\"" + long1000 + "\""}, {"x(1001)", "\"" + long1000 + "\"...1001"},
            {"x(999) + \"\\ud83d\\ude00\"", "\"" + long1000.substring(1) + "\"...1001"},
            {"new StringBuilder(\"ab\")", "java.lang.StringBuilder2\"ab\""},
            {"new BigDecimal(\"1.10\")", "java.math.BigDecimal'1.10'"}, {"BigInteger.TEN", "java.math.BigInteger'10'"},
            {"BigInteger.ONE.shiftLeft(1 << 20)", "java.math.BigInteger#?"},
            {"java.time.LocalDate.of(2024, 2, 29)", "java.time.LocalDate'2024-02-29'"},
            {"java.time.Duration.ofSeconds(90)", "java.time.Duration'PT1M30S'"},
            {"new Date(0)", "java.util.Date'1970-01-01T00:00:00Z'"}, {"Locale.GERMANY", "java.util.Locale'de_DE'"},
            {"new UUID(1, 2)", "java.util.UUID'00000000-0000-0001-0000-000000000002'"},
            {"java.net.URI.create(\"a:b\")", "java.net.URI'a:b'"}, {"String[].class", "java.lang.Class'[Ljava.lang.String;'"},
            {"java.nio.charset.StandardCharsets.UTF_8", "sun.nio.cs.UTF_8'UTF-8'"},
            {"java.util.regex.Pattern.compile(\"a+\")", "java.util.regex.Pattern'a+'"},
            {"new java.io.File(\"a/b\")", "java.io.File'a/b'"},
        });
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void collections(Path jdk) throws Exception {
        each(jdk, "static List<Integer> n(int n) { List<Integer> all = new ArrayList<>(); for (int i = 0; i < n; i++) all.add(0); return all; }",
                new String[][] {
            {"new ArrayList<>(Arrays.asList(1, \"a\"))", "java.util.ArrayList#(list 2: box 1 \"a\")"},
            {"Arrays.asList(1, null)", "java.util.Arrays$ArrayList#(list 2: box 1 null)"},
            {"n(100000)", "java.util.ArrayList#(list 100000:" + repeat(" box 0", 16) + ")"},
            {"new TreeSet<>(Arrays.asList(2, 1))", "java.util.TreeSet#(sorted 2: box 1 box 2)"},
            {"new TreeSet<>(Arrays.asList(2, 1)).headSet(2)", "java.util.TreeSet#?"},
            {"new LinkedHashSet<>(Arrays.asList(2, 1))", "java.util.LinkedHashSet#(set 2: box 2 box 1)"},
            {"new ArrayDeque<>(Arrays.asList(2, 1))", "java.util.ArrayDeque#(queue 2: box 2 box 1)"},
            {"new TreeMap<>(Collections.singletonMap(\"k\", 1))", "java.util.TreeMap#(map 1: \"k\"=box 1)"},
            {"Collections.unmodifiableList(Arrays.asList(1))", "java.util.Collections$UnmodifiableRandomAccessList#(list 1: box 1)"},
            {"Collections.synchronizedMap(new HashMap<>(Collections.singletonMap(1, 2)))",
                "java.util.Collections$SynchronizedMap#(map 1: box 1=box 2)"},
            {"Collections.newSetFromMap(new HashMap<>())", "java.util.Collections$SetFromMap#(set 0:)"},
            {"new HashMap<>(Collections.singletonMap(1, 2)).keySet()", "java.util.HashMap$KeySet#(set 1: box 1)"},
            {"new HashMap<>(Collections.singletonMap(1, 2)).entrySet().iterator().next()",
                "java.util.HashMap$Node#{java.util.HashMap$Node.key=box 1 java.util.HashMap$Node.value=box 2}"},
            {"EnumSet.of(TimeUnit.DAYS)", "java.util.RegularEnumSet#(set 1: java.util.concurrent.TimeUnit.DAYS)"},
            {"Optional.of(1)", "java.util.Optional<box 1>"}, {"Optional.empty()", "java.util.Optional<>"},
            {"OptionalInt.of(1)", "java.util.OptionalInt<1>"}, {"OptionalDouble.empty()", "java.util.OptionalDouble<>"},
            {"new AtomicInteger(3)", "java.util.concurrent.atomic.AtomicInteger@3"},
            {"new AtomicReference<>(\"a\")", "java.util.concurrent.atomic.AtomicReference@\"a\""},
            {"new int[] {1, 2}", "[I#[2: 1 2]"}, {"new int[][] {{1}, null}", "[[I#[2: [I#[1: 1] null]"},
            {"new byte[20]", "[B#[20:" + repeat(" 0b", 16) + "]"}, {"new char[] {'a'}", "[C#[1: c97]"},
            {"new boolean[] {true}", "[Z#[1: true]"}, {"new double[] {-0.0}", "[D#[1: d8000000000000000]"},
            {"new float[1]", "[F#[1: f0]"}, {"new long[1]", "[J#[1: 0L]"}, {"new short[1]", "[S#[1: 0s]"},
            {"new Object[0][0]", "[[Ljava.lang.Object;#[0:]"},
        });
    }

    private static String repeat(String text, int times) {
        StringBuilder all = new StringBuilder();
        for (int at = 0; at < times; at++) {
            all.append(text);
        }
        return all.toString();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void objects(Path jdk) throws Exception {
        String members = "enum E { A, B { void f() {} }; void f() {} }\n"
                + "static class Base { int x = 1; static int s; }\n"
                + "static class Sub extends Base { int x = 2; E e = E.B; }\n"
                + "static class Node { Node next; Node(Node n) { next = n; } }\n"
                + "static Node ring() { Node a = new Node(null); a.next = new Node(a); return a; }\n"
                + "static class Mine extends Exception { int code = 7; Mine(String m) { super(m); } public String getMessage() { throw new Error(); } }\n"
                + "static class MyList extends ArrayList<String> { int own = 1; }\n"
                + "static class MyMap extends LinkedHashMap<String, Integer> { MyMap() { put(\"k\", 1); } }\n"
                + "static class Counted extends ArrayList<String> { int own = 1; public int size() { throw new Error(); } }\n";
        each(jdk, members, new String[][] {
            {"E.A", "Main$E.A"}, {"E.B", "Main$E.B"},
            {"new Sub()", "Main$Sub#{Main$Base.x=1 Main$Sub.x=2 Main$Sub.e=Main$E.B}"},
            {"ring()", "Main$Node#{Main$Node.next=Main$Node#{Main$Node.next=#}}"},
            {"new Node(new Node(new Node(new Node(null))))",
                "Main$Node#{Main$Node.next=Main$Node#{Main$Node.next=Main$Node#{Main$Node.next=Main$Node#?}}}"},
            {"new Mine(\"m\")", "Main$Mine#!m"}, {"new IllegalStateException()", "java.lang.IllegalStateException#!"},
            {"new MyList()", "Main$MyList#(list 0:)"},
            {"new MyMap()", "Main$MyMap#(map 1: \"k\"=box 1)"},
            {"new Counted()", "Main$Counted#{Main$Counted.own=1}"},
            {"new Object()", "java.lang.Object#?"}, {"Thread.currentThread()", "java.lang.Thread#?"},
            {"Collections.unmodifiableList(new MyList())", "java.util.Collections$UnmodifiableRandomAccessList#(list 0:)"},
            {"Collections.unmodifiableList(new Counted())", "java.util.Collections$UnmodifiableRandomAccessList#?"},
            {"new Node[] {new Node(null)}", "[LMain$Node;#[1: Main$Node#{Main$Node.next=null}]"},
        });
        Recording recording = run(jdk, "", "Runnable r = () -> {}; See.see(0, r);",
                "Object p = java.lang.reflect.Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Runnable.class},"
                + "(a, b, c) -> { throw new Error(); }); See.see(1, p);");
        assertTrue(only(recording, 0).matches("Main\\$\\$Lambda.*\\?"), () -> only(recording, 0));
        assertTrue(only(recording, 1).contains("$Proxy"), () -> only(recording, 1));
    }

    @Test
    void recordsAreReadByTheirFields() throws Exception {
        Path jdk = Project.jdk();
        Recording recording = run(jdk, "record Point(int x, String y) { Point { } public int x() { throw new Error(); } }",
                "See.see(0, new Point(1, \"a\"));", "See.see(1, List.of(1, 2, 3).subList(0, 2));", "See.see(2, Map.of(1, 2));");
        assertEquals("Main$Point#1{Main$Point.x=1 Main$Point.y=\"a\"}", only(recording, 0));
        assertEquals(2, recording.flags("Main$Point"));
        assertEquals("java.util.ImmutableCollections$SubList#2(list 2: box 1 box 2)", only(recording, 1));
        assertEquals("java.util.ImmutableCollections$Map1#3(map 1: box 1=box 2)", only(recording, 2));
    }

    /** Each of these would print, throw or change something if it were called. */
    @ParameterizedTest
    @MethodSource("jdks")
    void codeOfTheUserIsNeverCalled(Path jdk) throws Exception {
        String bad = "{ System.out.println(\"called\"); throw new Error(); }";
        String members = "static class Bad implements Comparable<Bad> { int v = 1; public String toString() " + bad
                + " public int hashCode() { if (armed) " + bad + " return 1; } public boolean equals(Object o) { if (armed) " + bad
                + " return o == this; } public int compareTo(Bad b) { if (armed) " + bad + " return 0; } public int getV() " + bad + " }\n"
                + "static boolean armed;\n"
                + "static class BadList extends AbstractList<String> { public int size() " + bad + " public String get(int i) " + bad + " }\n"
                + "static class BadMap extends HashMap<String, String> { public int size() { if (armed) " + bad
                + " return 1; } public Set<Map.Entry<String, String>> entrySet() " + bad + " }\n"
                + "static class BadChars implements CharSequence { public int length() " + bad + " public char charAt(int i) " + bad
                + " public CharSequence subSequence(int a, int b) " + bad + " }\n"
                + "static class BadNumber extends Number { public int intValue() " + bad + " public long longValue() " + bad
                + " public float floatValue() " + bad + " public double doubleValue() " + bad + " }\n"
                + "static class BadBig extends BigDecimal { BadBig() { super(1); } public String toString() " + bad
                + " public BigInteger unscaledValue() " + bad + " }\n";
        Recording recording = run(jdk, members,
                "Bad b = new Bad(); Map<Bad, Bad> m = new HashMap<>(); m.put(b, b); TreeMap<Bad, Bad> t = new TreeMap<>(); t.put(b, b);",
                "Map<Bad, Bad> w = new WeakHashMap<>(); w.put(b, b); ConcurrentMap<Bad, Bad> c = new ConcurrentHashMap<>(); c.put(b, b);",
                "PriorityQueue<Bad> q = new PriorityQueue<>(); q.add(b); Object[] all = {b, m, t, w, c, q, t.headMap(b, true),",
                "t.headMap(b, true).keySet(), t.descendingMap(), new TreeSet<>(t.keySet()), Optional.of(b), new AtomicReference<>(b), new BadList(),",
                "new BadMap(), new BadChars(), new BadNumber(), new BadBig(), Collections.unmodifiableCollection(new BadList()),",
                "Collections.synchronizedList(new BadList()) };",
                "armed = true; for (int i = 0; i < all.length; i++) { See.see(i, all[i]); See.see(1000, all[i]); }");
        assertTrue(only(recording, 1).startsWith("java.util.HashMap#2(map 1: Main$Bad#1{Main$Bad.v=1}=#1)"));
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    @Test
    void valuesAreWrittenAtTheMomentOfTheCall() throws Exception {
        Recording recording = run(Project.jdk(), "", "int[] a = {0}; for (int i = 0; i < 3; i++) { a[0] = i; See.see(1, a); }",
                "StringBuilder s = new StringBuilder(); for (int i = 0; i < 2; i++) { See.see(2, s); s.append('x'); }");
        assertEquals("3: ^[I#1[1: 0] [I#1[1: 1] $[I#1[1: 2]", recording.slots.get("1@"));
        assertEquals("2: ^java.lang.StringBuilder0\"\" $java.lang.StringBuilder1\"x\"", recording.slots.get("2@"));
    }

    @Test
    void firstLastAndDistinctValuesAreKept() throws Exception {
        Recording recording = run(Project.jdk(), "static class P { int v; P(int v) { this.v = v; } }",
                "for (int i = 0; i < 1000; i++) See.see(1, i);", "for (int i = 0; i < 1000; i++) See.see(2, i % 3);",
                "for (int i = 0; i < 6; i++) See.see(3, new P(i % 2));", "for (int i = 0; i < 20; i++) See.see(4, String.valueOf(i));",
                "See.see(5, 0.0); See.see(5, -0.0); See.see(5, Double.NaN); See.see(5, Double.NaN);",
                "for (int i = 0; i < 20; i++) See.see(6, i); See.see(6, 3);",
                "for (int i = 0; i < 60000; i++) See.see(7, \"0123456789\");",
                "for (int i = 0; i < 20000; i++) See.see(8, new String(\"" + repeat("0123456789", 10) + "\"));");
        Map<String, String> slots = recording.slots;
        assertEquals("1000: ^0 1 2 3 4 5 6 7 $+999", slots.get("1@"));
        assertEquals("1000: ^$0 1 2", slots.get("2@"));
        assertEquals("6: ^Main$P#1{Main$P.v=0} $Main$P#2{Main$P.v=1}", slots.get("3@"));
        assertEquals("20: ^\"0\" \"1\" \"2\" \"3\" \"4\" \"5\" \"6\" \"7\" $+\"8\"", slots.get("4@"));
        assertEquals("4: ^d0 d8000000000000000 $d7ff8000000000000", slots.get("5@"));
        assertEquals("21: ^0 1 2 $+3 4 5 6 7", slots.get("6@"));
        assertEquals("60000: ^$\"0123456789\"", slots.get("7@"));
        assertEquals("20000: ^$+\"" + repeat("0123456789", 10) + "\"", slots.get("8@"));
    }

    @Test
    void queriesAreGuardedAndStopAfterSome() throws Exception {
        Recording recording = run(Project.jdk(), "static int asked; static int slow() throws Exception { asked++; Thread.sleep(300); return 1; }",
                "for (int i = 0; i < 100; i++) if (dev_telltale.See.wants(1)) try { dev_telltale.See.query(1, asked++); } catch (Throwable t) { dev_telltale.See.threw(1, t); }",
                "if (asked != 8) throw new Error(\"\" + asked); asked = 0;",
                "for (int i = 0; i < 5; i++) if (See.wants(2)) try { See.query(2, Integer.parseInt(\"x\")); } catch (Throwable t) { See.threw(2, t); }",
                "for (int i = 0; i < 5; i++) if (See.wants(3)) try { See.query(3, slow()); } catch (Throwable t) { See.threw(3, t); }",
                "if (asked != 1) throw new Error(\"\" + asked);");
        assertEquals("8: ^0 1 2 3 4 5 6 $7", recording.slots.get("1@"));
        assertEquals("5: ^$throws java.lang.NumberFormatException#1!For input string: \"x\"", recording.slots.get("2@"));
        assertEquals("1: ^$1", recording.slots.get("3@"));
        assertEquals(Collections.singletonList("3@"), recording.slow);
    }

    @Test
    void whatAQueryDefinesIsNotDefinedByTheTest() throws Exception {
        Recording recording = run(Project.jdk(), "static int within(int n) { int m = See.see(1, n); if (m < 0) throw new Error(); return See.see(2, \"\" + m).length(); }",
                "within(3); if (See.wants(3)) try { See.query(3, within(44)); } catch (Throwable t) { See.threw(3, t); }",
                "within(5); if (See.wants(4)) try { See.query(4, within(-1)); } catch (Throwable t) { See.threw(4, t); } within(6);");
        assertEquals("3: ^3 5 $6", recording.slots.get("1@"));
        assertEquals("3: ^\"3\" \"5\" $\"6\"", recording.slots.get("2@"));
        assertEquals("1: ^$2", recording.slots.get("3@"));
    }

    /** It has the class that it stands in for, and no fields of its own to tell. */
    @Test
    void whatStandsInForAnotherIsNotAsked() throws Exception {
        Project project = new Project().with("mockito").vm("-XX:+EnableDynamicAgentLoading").source("Main.java", program(
                "static class P { int v = 1; }",
                "List<Object> none = new ArrayList<>(); See.see(0, none); none.add(1);",
                "ArrayList<?> list = org.mockito.Mockito.mock(ArrayList.class); Date date = org.mockito.Mockito.mock(Date.class); P p = org.mockito.Mockito.mock(P.class);",
                "See.see(1, list); See.see(2, date); See.see(3, p); See.see(4, none); See.see(5, Arrays.asList(list, new P()));",
                "org.mockito.Mockito.verifyNoInteractions(list, date, p);")).compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), "Main");
        assertEquals(0, project.status, project.output);
        assertEquals("java.util.ArrayList#1(list 0:)", only(recording, 0));
        assertEquals("java.util.ArrayList#2?", only(recording, 1));
        assertEquals("java.util.Date#3?", only(recording, 2));
        assertEquals("Main$P#4?", only(recording, 3));
        assertEquals("java.util.ArrayList#1(list 1: box 1)", only(recording, 4));
        assertEquals("java.util.Arrays$ArrayList#5(list 2: java.util.ArrayList#2? Main$P#6{Main$P.v=1})", only(recording, 5));
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    /** Else what holds a lambda would be another value in each run. */
    @Test
    void classesThatARunMakesHaveTheNamesOfAnyRun() throws Exception {
        Recording recording = run(Project.jdk(), "static class P { Runnable r = () -> { }; }",
                "See.see(1, new P()); Runnable own = () -> { }; See.see(2, own);",
                "See.see(3, java.lang.reflect.Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> null));");
        assertEquals("Main$P#1{Main$P.r=Main$P$$Lambda#2?}", only(recording, 1));
        assertEquals("Main$$Lambda#3?", only(recording, 2));
        assertEquals("$Proxy#4?", only(recording, 3));
        for (String[] each : new String[][] {{"a.B$$Lambda$14/0x00000001", "a.B$$Lambda"}, {"a.B$$Lambda/0x00000001", "a.B$$Lambda"},
            {"a.B$MockitoMock$1234567", "a.B$MockitoMock$"}, {"a.B$C/0x0001", "a.B$C"}, {"jdk.proxy2.$Proxy12", "$Proxy"}, {"a.B$1", "a.B$1"}}) {
            assertEquals(each[1], Shape.nameOf(each[0]));
        }
    }

    @Test
    void whatIsCollectedIsNotHeld() throws Exception {
        run(Project.jdk(), "static java.lang.ref.WeakReference<Object> make() { Object o = new int[10]; See.see(1, o); return new java.lang.ref.WeakReference<>(o); }",
                "java.lang.ref.WeakReference<Object> w = make(); for (int i = 0; w.get() != null; i++) { if (i > 50) throw new Error(); System.gc(); Thread.sleep(10); }");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void whatComesOftenIsCountedToTheOneAndKeepsItsFirstAndLast(Path jdk) throws Exception {
        Recording recording = run(jdk, "enum E { A, B } static class P { int n; }",
                "P p = new P(); String s = \"s\"; for (int i = 0; i < 60_000; i++) {",
                "See.see(1, i); See.see(2, i % 3); See.see(3, 7.0); See.see(4, s); See.see(5, E.values()[i % 2]); See.see(6, i < 30_000 ? null : s);",
                "p.n = i; See.see(7, p); See.see(8, i < 59_999); See.see(9, i < 40_000 ? (Object) \"a\" : new String(\"b\")); See.see(10, i < 30_000 ? 0.0 : -0.0);",
                "See.see(11, (Object) (i < 59_000 ? (long) i : 3L)); }",
                "for (int i = 0; i < 2; i++) { Thread t = new Thread(() -> { for (int n = 0; n < 1000; n++) { See.see(12, 1); See.see(13, n); } }); t.start(); t.join(); See.see(12, 2); }");
        assertEquals("60000: ^0 1 2 3 4 5 6 7 $+59999", recording.slots.get("1@"));
        assertEquals("60000: ^0 1 $2", recording.slots.get("2@"));
        assertEquals("60000: ^$d401c000000000000", recording.slots.get("3@"));
        assertEquals("60000: ^$\"s\"", recording.slots.get("4@"));
        assertEquals("60000: ^Main$E.A $Main$E.B", recording.slots.get("5@"));
        assertEquals("60000: ^null $\"s\"", recording.slots.get("6@"));
        String objects = recording.slots.get("7@");
        assertTrue(objects.startsWith("60000: ^Main$P#1{Main$P.n=0} ") && objects.contains("+Main$P#1{Main$P.n=8}"), objects);
        assertEquals("60000: ^true $false", recording.slots.get("8@"));
        assertEquals("60000: ^\"a\" $\"b\"", recording.slots.get("9@"));
        assertEquals("60000: ^d0 $d8000000000000000", recording.slots.get("10@"));
        assertTrue(recording.slots.get("11@").startsWith("60000: ^box 0L box 1L box 2L box 3L"), recording.slots.get("11@"));
        assertEquals("2002: ^1 $2", recording.slots.get("12@"));
        assertEquals("2000: ^0 1 2 3 4 5 6 7 $+999", recording.slots.get("13@"));
    }

    @Test
    void beyondSomeNumberNobodyLooks() throws Exception {
        Recording recording = run(Project.jdk(), "", "for (int i = 0; i < 70_000; i++) {", "See.see(1, i); See.see(2, 5); See.see(3, i < 65_000 ? 5 : 6); See.see(4, \"s\"); See.see(1 << 18, 5); }");
        assertEquals("65536: ^0 1 2 3 4 5 6 7 $+65535", recording.slots.get("1@"));
        assertEquals("65536: ^$+5", recording.slots.get("2@"));
        assertEquals("65536: ^5 $+6", recording.slots.get("3@"));
        assertEquals("65536: ^$+\"s\"", recording.slots.get("4@"));
        // Whose number is too large is looked at always.
        assertEquals("70000: ^$5", recording.slots.get((1 << 18) + "@"));
    }

    @Test
    void limitsOfThePlanHold() throws Exception {
        Project project = new Project().plan("limit distinct 2", "limit elements 1", "limit depth 1", "limit string 3")
                .source("Main.java", program("static class P { P p; }", "P p = new P(); p.p = new P(); See.see(1, p);",
                        "See.see(2, new int[3]); See.see(3, \"abcd\"); for (int i = 0; i < 4; i++) See.see(4, i);"))
                .compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), "Main");
        assertEquals("Main$P#1{Main$P.p=Main$P#2?}", only(recording, 1));
        assertEquals("[I#3[3: 0]", only(recording, 2));
        assertEquals("\"abc\"...4", only(recording, 3));
        assertEquals("4: ^0 1 $+3", recording.slots.get("4@"));
    }

    @Test
    void aCapOnBytesIsSaid() throws Exception {
        Project project = new Project().plan("limit bytes 40000").source("Main.java", program("",
                "for (int i = 0; i < 2000; i++) See.see(i, \"a text that takes some place in the file: \" + i);"))
                .compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), "Main");
        assertTrue(recording.slots.size() > 5 && recording.slots.size() < 2000);
        assertEquals(2000 - recording.slots.size(), recording.lost.get("bytes").intValue());
    }

    @Test
    void aWrongPlanRecordsNothingAndChangesNothing() throws Exception {
        Project project = new Project().plan("nonsense").source("Main.java",
                program("", "See.see(1, 1); if (See.wants(2)) throw new Error(); System.out.println(\"ran\");")).compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), "Main");
        assertEquals(0, recording.files);
        assertEquals(0, project.status);
        assertTrue(project.output.contains("telltale: nothing is recorded: java.io.IOException: line 2 of the plan: nonsense"), project.output);
        assertTrue(project.output.endsWith("ran\n"), project.output);
    }

    @Test
    void withoutTheAgentWovenSourceRunsAsWell() throws Exception {
        Project project = new Project().source("Main.java",
                program("", "if (See.see(1, 2) != 2 || See.wants(2)) throw new Error(); System.out.println(\"ran\");")).compile(Project.jdk());
        Project withJar = project.library(Project.AGENT);
        assertEquals("ran\n", withJar.plain(Project.jdk(), "Main"));
    }
}
