package dev.telltale.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which test runs, as each framework in old and new versions tells it. */
class FrameworksTest {
    static List<Path> jdks() {
        return Project.jdks();
    }

    private static final String[] CONSOLE = {"org.junit.platform.console.ConsoleLauncher", "--scan-class-path=classes",
        "--details=none", "--include-classname=.*"};
    private static final String[] CONSOLE6 = {"org.junit.platform.console.ConsoleLauncher", "execute", "--scan-class-path",
        "classes", "--disable-banner", "--details=none", "--include-classname=.*"};

    private static void sameSet(Iterable<String> actual, String... expected) {
        TreeSet<String> sorted = new TreeSet<>();
        actual.forEach(sorted::add);
        assertEquals(String.join("\n", new TreeSet<>(Arrays.asList(expected))), String.join("\n", sorted));
    }

    private static Project jupiter(String libraries) throws Exception {
        return new Project().with(libraries).source("a/JupiterTest.java", "package a;",
                "import org.junit.jupiter.api.*; import org.junit.jupiter.params.*; import org.junit.jupiter.params.provider.*;",
                "import java.util.stream.*; import static org.junit.jupiter.api.Assertions.*;", "class JupiterTest {",
                "@Test void passes(TestInfo i) { dev_telltale.See.see(1, 1); }",
                "@Test void fails() { dev_telltale.See.see(1, 2); fail(\"no\"); }",
                "@Test void aborts() { Assumptions.assumeTrue(false); }", "@Test @Disabled void skipped() {}",
                "@RepeatedTest(2) void twice(RepetitionInfo i) { dev_telltale.See.see(2, i.getCurrentRepetition()); }",
                "@ParameterizedTest @ValueSource(strings = {\"x\", \"y\"}) void each(String s) { dev_telltale.See.see(3, s); }",
                "@TestFactory Stream<DynamicNode> made() { return Stream.of(DynamicTest.dynamicTest(\"one\", () -> {}),",
                "DynamicContainer.dynamicContainer(\"c\", Stream.of(DynamicTest.dynamicTest(\"two\", () -> {})))); }",
                "@Nested class Inner { @Test void nested() { dev_telltale.See.see(1, 3); } }",
                "@BeforeAll static void before() { dev_telltale.See.see(4, 4); }", "}");
    }

    private static void jupiterTold(Recording recording) {
        String it = "a.JupiterTest.";
        sameSet(recording.ended, it + "passes passed", it + "fails failed org.opentest4j.AssertionFailedError: no",
                it + "aborts aborted", it + "skipped skipped", it + "twice[1] passed", it + "twice[2] passed",
                it + "each[1] passed", it + "each[2] passed", it + "made[1] passed", it + "made[2][1] passed",
                "a.JupiterTest$Inner.nested passed");
        sameSet(recording.slots.keySet(), "1@" + it + "passes", "1@" + it + "fails", "2@" + it + "twice[1]",
                "2@" + it + "twice[2]", "3@" + it + "each[1]", "3@" + it + "each[2]", "1@a.JupiterTest$Inner.nested", "4@");
        assertEquals("1: ^$\"y\"", recording.slots.get("3@" + it + "each[2]"));
        assertEquals(10, recording.started.size());
        assertEquals(Collections.emptyMap(), recording.lost);
        assertTrue(recording.testNames.contains(it + "each[1] (java.lang.String) [1] s = \"x\"")
                || recording.testNames.contains(it + "each[1] (java.lang.String) [1] s = x")
                || recording.testNames.contains(it + "each[1] (java.lang.String) [1] x"), recording.testNames::toString);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void jupiterOfToday(Path jdk) throws Exception {
        jupiterTold(jupiter("platform6").compile(jdk, "-parameters").run(jdk, CONSOLE6));
    }

    @Test
    void jupiterOfYesterday() throws Exception {
        jupiterTold(jupiter("platform1").compile(Project.jdk()).run(Project.jdk(), CONSOLE6));
    }

    @Test
    void theFirstJupiters() throws Exception {
        jupiterTold(jupiter("platform1.3").compile(Project.jdk()).run(Project.jdk(), CONSOLE));
    }

    private static Project four(String libraries) throws Exception {
        return new Project().with(libraries).source("a/FourTest.java", "package a;",
                "import org.junit.*; import static org.junit.Assert.*;", "public class FourTest {",
                "@Test public void passes() { dev_telltale.See.see(1, 1); }",
                "@Test public void fails() { dev_telltale.See.see(1, 2); fail(\"no\"); }", "@Test @Ignore public void skipped() {}",
                "@Test public void assumes() { Assume.assumeTrue(false); }",
                "@Test(timeout = 10000) public void inAnotherThread() { dev_telltale.See.see(1, 3); }", "}")
                .source("a/EachTest.java", "package a;", "import org.junit.*; import java.util.*; import org.junit.runner.*;",
                "import org.junit.runners.*;", "@RunWith(Parameterized.class) public class EachTest { int n; public EachTest(int n) { this.n = n; }",
                "@Parameterized.Parameters public static List<Object[]> all() { return Arrays.asList(new Object[] {5}, new Object[] {6}); }",
                "@Test public void each() { dev_telltale.See.see(1, n); } }")
                .source("a/ThreeTest.java", "package a;", "public class ThreeTest extends junit.framework.TestCase {",
                "public void testPasses() { dev_telltale.See.see(1, 1); }", "public void testFails() { fail(\"no\"); } ",
                "public void testThrows() { throw new IllegalStateException(\"bad\"); } }");
    }

    private static void fourTold(Recording recording, String... more) {
        String it = "a.FourTest.";
        List<String> expected = new java.util.ArrayList<>(Arrays.asList(it + "passes passed",
                it + "fails failed java.lang.AssertionError: no", it + "skipped skipped", it + "inAnotherThread passed",
                "a.EachTest.each[0] passed", "a.EachTest.each[1] passed", "a.ThreeTest.testPasses passed",
                "a.ThreeTest.testFails failed junit.framework.AssertionFailedError: no",
                "a.ThreeTest.testThrows failed java.lang.IllegalStateException: bad"));
        expected.addAll(Arrays.asList(more));
        sameSet(recording.ended, expected.toArray(new String[0]));
        sameSet(recording.slots.keySet(), "1@" + it + "passes", "1@" + it + "fails", "1@" + it + "inAnotherThread",
                "1@a.EachTest.each[0]", "1@a.EachTest.each[1]", "1@a.ThreeTest.testPasses");
        assertEquals("1: ^$6", recording.slots.get("1@a.EachTest.each[1]"));
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void junit4ByItself(Path jdk) throws Exception {
        fourTold(four("junit4").compile(jdk).run(jdk, "org.junit.runner.JUnitCore", "a.FourTest", "a.EachTest", "a.ThreeTest"),
                "a.FourTest.assumes aborted");
    }

    @Test
    void junit4sFirstVersions() throws Exception {
        fourTold(four("junit4.5").compile(Project.jdk())
                .run(Project.jdk(), "org.junit.runner.JUnitCore", "a.FourTest", "a.EachTest", "a.ThreeTest"),
                "a.FourTest.assumes aborted");
    }

    @Test
    void junit4And3OnThePlatform() throws Exception {
        fourTold(four("platform6").with("junit4").compile(Project.jdk()).run(Project.jdk(), CONSOLE6), "a.FourTest.assumes aborted");
    }

    @Test
    void junit3ByItself() throws Exception {
        Project project = new Project().with("junit3").source("a/ThreeTest.java", "package a;",
                "public class ThreeTest extends junit.framework.TestCase { public String getName() { if (asked) throw new Error(); return super.getName(); } boolean asked;",
                "public void testPasses() { asked = true; dev_telltale.See.see(1, 1); asked = false; }",
                "public void testFails() { fail(\"no\"); } public void testThrows() { throw new IllegalStateException(\"bad\"); } }")
                .compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), "junit.textui.TestRunner", "a.ThreeTest");
        sameSet(recording.ended, "a.ThreeTest.testPasses passed",
                "a.ThreeTest.testFails failed junit.framework.AssertionFailedError: no",
                "a.ThreeTest.testThrows failed java.lang.IllegalStateException: bad");
        sameSet(recording.slots.keySet(), "1@a.ThreeTest.testPasses");
    }

    @ParameterizedTest
    @ValueSource(strings = {"testng6", "testng7"})
    void testNg(String version) throws Exception {
        Project project = new Project().with(version).source("a/NgTest.java", "package a;", "import org.testng.annotations.*;",
                "import org.testng.*;", "public class NgTest {", "@Test public void passes() { dev_telltale.See.see(1, 1); }",
                "@Test public void fails() { Assert.fail(\"no\"); }", "@Test public void skips() { throw new SkipException(\"x\"); }",
                "@Test(dependsOnMethods = \"fails\") public void never() {}", "@Test(enabled = false) public void off() {}",
                "@DataProvider public Object[][] data() { return new Object[][] {{5}, {6}}; }",
                "@Test(dataProvider = \"data\") public void each(int n) { dev_telltale.See.see(1, n); }",
                "@Test(invocationCount = 2) public void twice() {} }").compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), "org.testng.TestNG", "-testclass", "a.NgTest", "-usedefaultlisteners", "false");
        String it = "a.NgTest.";
        sameSet(recording.ended, it + "passes passed", it + "fails failed java.lang.AssertionError: no", it + "skips aborted",
                it + "never skipped", it + "each[1] passed", it + "each[2] passed", it + "twice[1] passed", it + "twice[2] passed");
        assertEquals("1: ^$6", recording.slots.get("1@" + it + "each[2]"));
        sameSet(recording.slots.keySet(), "1@" + it + "passes", "1@" + it + "each[1]", "1@" + it + "each[2]");
    }

    /** What {@link Run} records of these tests. */
    private static Recording asked(Project project, Path jdk, String... lines) throws Exception {
        Path folder = Files.createTempDirectory(Project.BUILD.resolve("tests"), "run");
        Files.write(folder.resolve("tests"), String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        return project.run(jdk, folder, "dev.telltale.agent.Run", folder.toString());
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void askedTestsRunAloneOnThePlatform(Path jdk) throws Exception {
        Project project = jupiter("platform6").compile(jdk, "-parameters");
        String it = "a.JupiterTest";
        sameSet(asked(project, jdk, it + "\teach", it + "$Inner").ended, it + ".each[1] passed", it + ".each[2] passed",
                it + "$Inner.nested passed");
        sameSet(asked(project, jdk, it + "$Inner\tnested", it + "\tfails", it + "\tmade").ended, it + "$Inner.nested passed",
                it + ".fails failed org.opentest4j.AssertionFailedError: no", it + ".made[1] passed", it + ".made[2][1] passed");
        assertEquals(11, asked(project, jdk, it).ended.size());
    }

    @Test
    void askedTestsRunAloneOnTheFirstPlatforms() throws Exception {
        Project project = jupiter("platform1.3").compile(Project.jdk());
        String it = "a.JupiterTest";
        sameSet(asked(project, Project.jdk(), it + "\ttwice", it + "\tskipped").ended, it + ".twice[1] passed",
                it + ".twice[2] passed", it + ".skipped skipped");
    }

    @Test
    void askedTestsRunAloneByJunitFour() throws Exception {
        Project project = four("junit4").compile(Project.jdk());
        sameSet(asked(project, Project.jdk(), "a.FourTest\tpasses", "a.EachTest\teach", "a.ThreeTest\ttestPasses").ended,
                "a.FourTest.passes passed", "a.EachTest.each[0] passed", "a.EachTest.each[1] passed",
                "a.ThreeTest.testPasses passed");
        assertEquals(3, asked(project, Project.jdk(), "a.ThreeTest").ended.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"testng6", "testng7"})
    void askedTestsRunAloneByTestNg(String version) throws Exception {
        Project project = new Project().with(version).source("a/NgTest.java", "package a;", "import org.testng.annotations.*;",
                "public class NgTest {", "@Test public void one() {}", "@Test public void other() {}",
                "@DataProvider public Object[][] data() { return new Object[][] {{5}, {6}}; }",
                "@Test(dataProvider = \"data\") public void each(int n) {} }").compile(Project.jdk());
        sameSet(asked(project, Project.jdk(), "a.NgTest\tone", "a.NgTest\teach").ended, "a.NgTest.one passed",
                "a.NgTest.each[1] passed", "a.NgTest.each[2] passed");
        assertEquals(4, asked(project, Project.jdk(), "a.NgTest").ended.size());
    }

    private static Project one(String... body) throws Exception {
        String[] lines = {"package a;", "import org.junit.jupiter.api.*; import java.util.concurrent.*;", "class OneTest {",
            String.join("\n", body), "}"};
        return new Project().with("platform6").source("a/OneTest.java", lines).compile(Project.jdk());
    }

    @Test
    void aTestThatEndsTheJvmKeepsWhatItSaw() throws Exception {
        Recording recording = one("@Test void ends() { dev_telltale.See.see(1, 1); System.exit(3); }").run(Project.jdk(), CONSOLE6);
        assertEquals(Arrays.asList("a.OneTest.ends unknown"), recording.ended);
        assertEquals("1: ^$1", recording.slots.get("1@a.OneTest.ends"));
        assertEquals(0, recording.torn);
    }

    @Test
    void aKilledJvmKeepsTheTestsBefore() throws Exception {
        Recording recording = one("@Test void first() { dev_telltale.See.see(1, 1); }",
                "@Nested class Later { @Test void dies() { dev_telltale.See.see(1, 2); Runtime.getRuntime().halt(9); } }").run(Project.jdk(), CONSOLE6);
        assertEquals(Arrays.asList("a.OneTest.first passed"), recording.ended);
        assertEquals("{1@a.OneTest.first=1: ^$1}", recording.slots.toString());
    }

    @Test
    void aTestThatEndsTheJvmIsToldWithTheReason() throws Exception {
        Recording exits = one("@Test void ends() { System.exit(3); }").run(Project.jdk(), CONSOLE6);
        assertEquals("[a.OneTest.ends exit a.OneTest.ends(OneTest.java:4)]", exits.fates.toString());
        Recording halts = one("@Test void ends() { Runtime.getRuntime().halt(3); }").run(Project.jdk(), CONSOLE6);
        assertEquals("[a.OneTest.ends] [] []", halts.started + " " + halts.ended + " " + halts.fates);
    }

    @ParameterizedTest
    @ValueSource(strings = {"platform1.3", "platform1", "platform6"})
    void aTestThatTakesAllMemoryIsToldWhereThePlatformGivesUp(String version) throws Exception {
        String test = "@Test void takes() { throw new OutOfMemoryError(\"as if\"); }";
        Project project = new Project().with(version).source("a/OneTest.java", "package a; class OneTest {",
                "@org.junit.jupiter.api." + test.substring(1), "}").compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), version.equals("platform1.3") ? CONSOLE : CONSOLE6);
        assertTrue(recording.fates.contains("a.OneTest.takes memory "), project.output + recording.fates + recording.ended);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aTestThatHangsEndsItsJvmWithAllThatItStarted(Path jdk) throws Exception {
        Project project = new Project().with("platform6").source("a/OneTest.java", "package a; import org.junit.jupiter.api.*;",
                "import java.nio.file.*; @TestMethodOrder(MethodOrderer.MethodName.class) class OneTest {",
                "@Test void a() { dev_telltale.See.see(1, 1); }",
                "@Test void b() throws Exception { dev_telltale.See.see(1, 2); ProcessBuilder it = new ProcessBuilder(\"sleep\", \"600\");",
                "Process child = it.start(); Files.write(Paths.get(\"child\"), String.valueOf(child.pid()).getBytes());",
                "Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true); }));",
                "synchronized (this) { child.waitFor(); } }", "@Test void c() {} }").compile(jdk);
        project.plan("limit testmillis 1000");
        Recording recording = project.run(jdk, CONSOLE6);
        assertEquals(124, project.status);
        assertEquals(Arrays.asList("a.OneTest.a passed", "a.OneTest.b unknown"), recording.ended);
        assertEquals("{1@a.OneTest.a=1: ^$1, 1@a.OneTest.b=1: ^$2}", recording.slots.toString());
        assertEquals(1, recording.fates.size());
        String fate = recording.fates.get(0);
        assertTrue(fate.startsWith("a.OneTest.b slow ") && fate.endsWith(".dump"), fate);
        Path dump = project.folder.resolve("run1").resolve(fate.substring(fate.lastIndexOf(' ') + 1));
        String said = new String(java.nio.file.Files.readAllBytes(dump));
        assertTrue(said.startsWith("a.OneTest#b ran longer than 1000 ms."), said);
        assertTrue(said.contains("    at a.OneTest.b(OneTest.java:7)"), said);
        assertTrue(said.contains("       holds a.OneTest@"), said);
        String child = new String(java.nio.file.Files.readAllBytes(project.folder.resolve("child")));
        for (long end = System.nanoTime() + 20_000_000_000L; lives(child); ) {
            assertTrue(System.nanoTime() < end, "the child of the test lives on");
        }
    }

    /** What a test is asked and does not answer is the query's fault, whether or not tests have a bound of their own. */
    @ParameterizedTest
    @ValueSource(strings = {"limit querymillis 700", "limit testmillis 1000"})
    void aQueryThatHangsIsToldAndIsNotAskedAgain(String limit) throws Exception {
        Project project = one("static boolean hangs() { while (!Thread.interrupted()) { Thread.yield(); } return true; }",
                "@Test void a() { if (dev_telltale.See.wants(7)) try { dev_telltale.See.query(7, hangs()); }"
                + " catch (Throwable t) { dev_telltale.See.threw(7, t); } dev_telltale.See.see(1, 1); }");
        Recording recording = project.plan(limit).run(Project.jdk(), CONSOLE6);
        assertEquals(124, project.status);
        assertEquals(Arrays.asList("a.OneTest.a query 7"), recording.fates);
        for (String plan : new String[] {"mute 7", "limit queries 0"}) {
            recording = project.plan(limit, plan).run(Project.jdk(), CONSOLE6);
            assertEquals(Arrays.asList("a.OneTest.a passed"), recording.ended);
            assertEquals("{1@a.OneTest.a=1: ^$1}", recording.slots.toString());
        }
    }

    /** The JVM tells the reason once, to whoever needed the class first. */
    @ParameterizedTest
    @MethodSource("jdks")
    void whyAClassCouldNotBeInitialisedIsToldToEachTestThatNeedsIt(Path jdk) throws Exception {
        Project project = new Project().with("platform6").source("a/OneTest.java", "package a; import org.junit.jupiter.api.*;",
                "@TestMethodOrder(MethodOrderer.MethodName.class) class OneTest {",
                "@Test void a() { Outer.use(); }", "@Test void b() { Outer.use(); }", "@Test void c() { Bad.use(); }",
                "@Test void d() { try { Other.use(); } catch (Throwable t) { } Other.use(); }", "@Test void e() { throw new NoClassDefFoundError(\"x\"); } }",
                "class Outer { static { Bad.use(); } static void use() {} }",
                "class Bad { static int n = 1; static { if (n == 1) throw new IllegalStateException(\"no port\"); } static void use() {} }",
                "class Other { static int n = Integer.parseInt(\"x\"); static void use() {} }").compile(jdk);
        Recording recording = project.run(jdk, CONSOLE6);
        String refused = " failed java.lang.NoClassDefFoundError: Could not initialize class a.";
        String threw = " threw java.lang.IllegalStateException: no port";
        // Who caught it first was no test; the JVM remembers it only in newer ones.
        boolean remembers = recording.ended.get(3).contains("whose");
        assertEquals(Arrays.asList("a.OneTest.a failed java.lang.ExceptionInInitializerError: the initialiser of a.Bad" + threw,
                "a.OneTest.b" + refused + "Outer, whose initialiser" + threw, "a.OneTest.c" + refused + "Bad, whose initialiser" + threw,
                "a.OneTest.d" + refused + "Other" + (remembers ? ", whose initialiser threw java.lang.NumberFormatException: For input string: \"x\"" : ""),
                "a.OneTest.e failed java.lang.NoClassDefFoundError: x"), recording.ended);
        assertTrue(remembers, "17 does");
    }

    /** Of queries at one place each is asked once, in either order. */
    @Test
    void queriesAtOnePlaceAreAskedInOrderOrBackwards() throws Exception {
        String ask = "if (dev_telltale.See.wants(%d, t, %d)) try { dev_telltale.See.query(%d, n++); } catch (Throwable e) { dev_telltale.See.threw(%d, e); } ";
        Project project = one("static int n;", "@Test void a() { for (int t = dev_telltale.See.turns(3); t >= 0; t--) { "
                + String.format(ask, 1, 0, 1, 1) + String.format(ask, 2, 1, 2, 2) + String.format(ask, 3, 2, 3, 3) + "} }");
        assertEquals("{1@a.OneTest.a=1: ^$0, 2@a.OneTest.a=1: ^$1, 3@a.OneTest.a=1: ^$2}", project.run(Project.jdk(), CONSOLE6).slots.toString());
        assertEquals("{1@a.OneTest.a=1: ^$2, 2@a.OneTest.a=1: ^$1, 3@a.OneTest.a=1: ^$0}",
                project.plan("limit backwards 1").run(Project.jdk(), CONSOLE6).slots.toString());
    }

    /** Where processes can be looked at; one that nobody asked how it ended is none. */
    private static boolean lives(String process) throws Exception {
        Path stat = java.nio.file.Paths.get("/proc", process, "stat");
        try {
            return !new String(java.nio.file.Files.readAllBytes(stat)).contains(") Z ");
        } catch (java.io.IOException gone) {
            return false;
        }
    }

    @Test
    void testsThatAreSkippedDoNotRun() throws Exception {
        Recording five = jupiter("platform6").compile(Project.jdk(), "-parameters").plan("skip a/JupiterTest each", "skip a/JupiterTest made",
                "skip a/JupiterTest$Inner nested", "skip a/JupiterTest fails").run(Project.jdk(), CONSOLE6);
        String it = "a.JupiterTest.";
        sameSet(five.ended, it + "passes passed", it + "aborts aborted", it + "skipped skipped", it + "twice[1] passed",
                it + "twice[2] passed");
        Project four = four("junit4").compile(Project.jdk()).plan("skip a/FourTest fails", "skip a/ThreeTest testFails", "skip a/EachTest no");
        Recording ran = four.run(Project.jdk(), "org.junit.runner.JUnitCore", "a.FourTest", "a.EachTest", "a.ThreeTest");
        // By its name it is still a test, in which nothing happens.
        sameSet(ran.ended, "a.FourTest.passes passed", "a.FourTest.skipped skipped", "a.FourTest.inAnotherThread passed",
                "a.FourTest.assumes aborted", "a.EachTest.each[0] passed", "a.EachTest.each[1] passed", "a.ThreeTest.testPasses passed",
                "a.ThreeTest.testFails passed", "a.ThreeTest.testThrows failed java.lang.IllegalStateException: bad");
    }

    @Test
    void threadsBelongToTheTestThatStartedThem() throws Exception {
        Recording recording = one("static final ExecutorService POOL = Executors.newSingleThreadExecutor(r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });",
                "@Test void first() throws Exception { POOL.submit(() -> dev_telltale.See.see(1, 1)).get(); }",
                "@Test void second() throws Exception { POOL.submit(() -> dev_telltale.See.see(1, 2)).get(); }",
                "@Test void third() throws Exception { Thread t = new Thread(() -> dev_telltale.See.see(1, 3)); t.start(); t.join(); }").run(Project.jdk(), CONSOLE6);
        assertEquals("{1@a.OneTest.first=1: ^$1, 1@a.OneTest.second=1: ^$2, 1@a.OneTest.third=1: ^$3}", recording.slots.toString());
    }

    @Test
    void testsInParallelKeepTheirValuesApart() throws Exception {
        Project project = one("static final CyclicBarrier BOTH = new CyclicBarrier(2);",
                "void meet(int n) throws Exception { BOTH.await(60, TimeUnit.SECONDS); dev_telltale.See.see(1, n); Code.run();"
                + " Thread t = new Thread(() -> dev_telltale.See.see(2, n)); t.start(); t.join(); BOTH.await(60, TimeUnit.SECONDS); }",
                "@Test void one() throws Exception { meet(1); }", "@Test void two() throws Exception { meet(2); } } class Code { static void run() {}");
        project.plan("cover a/Code").vm("-Djunit.jupiter.execution.parallel.enabled=true",
                "-Djunit.jupiter.execution.parallel.mode.default=concurrent",
                "-Djunit.jupiter.execution.parallel.config.strategy=fixed", "-Djunit.jupiter.execution.parallel.config.fixed.parallelism=2");
        Recording recording = project.run(Project.jdk(), CONSOLE6);
        sameSet(recording.ended, "a.OneTest.one passed", "a.OneTest.two passed");
        assertEquals("1: ^$1", recording.slots.get("1@a.OneTest.one"));
        assertEquals("1: ^$2", recording.slots.get("1@a.OneTest.two"));
        assertEquals("1: ^$1", recording.slots.get("2@a.OneTest.one"));
        assertEquals("1: ^$2", recording.slots.get("2@a.OneTest.two"));
        assertEquals(2, recording.lost.get("coverage of tests that ran at the same time").intValue());
        assertEquals(Collections.emptyMap(), recording.covered);
    }

    @Test
    void aTestThatRunsTestsIsOneTest() throws Exception {
        Project project = four("junit4").source("a/OuterTest.java", "package a;", "import org.junit.*;", "public class OuterTest {",
                "@Test public void runs() { Assert.assertEquals(2, org.junit.runner.JUnitCore.runClasses(EachTest.class).getRunCount()); } }");
        Recording recording = project.compile(Project.jdk()).run(Project.jdk(), "org.junit.runner.JUnitCore", "a.OuterTest");
        assertEquals(Arrays.asList("a.OuterTest.runs passed"), recording.ended);
        assertEquals("{1@a.OuterTest.runs=2: ^5 $6}", recording.slots.toString());
    }

    @Test
    void theAgentIsQuietWithoutTests() throws Exception {
        Project project = new Project().source("Main.java", "public class Main { public static void main(String[] a) { System.out.print(\"ran\"); } }")
                .compile(Project.jdk());
        Recording recording = project.run(Project.jdk(), "Main");
        assertEquals("ran", project.output);
        assertEquals(1, recording.jvms.size());
        assertEquals("[] [] {} {}", recording.started + " " + recording.ended + " " + recording.slots + " " + recording.lost);
    }

    /** Surefire gives the code of a module, and the tests that are patched into it, to its JVM in a file of words. */
    @ParameterizedTest
    @ValueSource(strings = {"@words", "--patch-module=m=a b"})
    void whatATestCanLoadIsKnownOfModulesToo(String option) throws Exception {
        Project project = new Project().source("module-info.java", "module m { }")
                .source("p/Main.java", "package p; public class Main { public static void main(String[] a) throws Exception { System.out.print(Class.forName(\"p.Extra\").getModule().getName()); } }")
                .vm("--module-path", "none" + File.pathSeparator + "classes", option).compile(Project.jdk());
        new Project().source("p/Extra.java", "package p; class Extra { }").compile(Project.jdk(), Files.createDirectory(project.folder.resolve("a b")));
        Files.write(project.folder.resolve("words"), "--patch-module\nm=\"a b\"\n--add-modules\nm\n".getBytes("UTF-8"));
        Recording recording = project.run(Project.jdk(), "-m", "m/p.Main");
        assertEquals("m", project.output);
        String[] loads = recording.jvms.get(0).split(" ", 2)[1].split(File.pathSeparator);
        assertEquals(Arrays.asList("a b", "none", "classes"), Arrays.asList(loads).subList(0, 3));
    }
}
