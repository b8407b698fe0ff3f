package dev.telltale.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that run again and again with mutants, in real JVMs under real frameworks. */
class JudgeTest {
    private static final String[] CODE = {"package p; public class C {",
        "public static int add(int a, int b) { return a + b; }",
        "public static int count(int n) { int i = 0; while (i < n) { i++; i = Math.max(i, 0); } return i; }",
        "static boolean broken; public static int keep(int x) { if (x > 0) { return x; } broken = true; return -1; }",
        "public static boolean isBroken() { return broken; }",
        "public static int unseen(int x) { return x - 1; }",
        "static final int ONCE = first(); static int first() { return 3 * 2; } }"};

    private static String[] tests(String test, String assertions) {
        return new String[] {"package p; import static " + assertions + ".*; public class T {",
            "@" + test + " public void adds() { int sum = dev_telltale.See.see(1, C.add(1, 2)); assertTrue(sum > 0); }",
            "@" + test + " public void counts() { assertEquals(3, C.count(3)); }",
            "@" + test + " public void keeps() { assertFalse(C.isBroken()); assertEquals(5, C.keep(5)); assertEquals(6, C.ONCE); }",
            "@" + test + " public void wrong() { assertEquals(\"a\\n\\tb\", \"a\" + C.add(1, 1)); } }"};
    }

    private static List<String> lines(Path file) throws Exception {
        List<String> all = new ArrayList<>();
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
            all.add(line);
        }
        return all;
    }

    private static void write(Path file, String... lines) throws Exception {
        Files.write(file, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The numbers of the mutants of a method, by operator and line's order: {@code add MATH 1}. */
    private static int number(List<String> listed, String method, String operator) {
        for (int at = 0; at < listed.size(); at++) {
            String[] fields = listed.get(at).split("\t");
            if (fields[2].equals(method) && fields[5].equals(operator)) {
                return at + 1;
            }
        }
        throw new AssertionError(method + " " + operator + " " + listed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"platform6", "platform1.3", "junit4"})
    void mutantsAreJudged(String framework) throws Exception {
        boolean four = framework.equals("junit4");
        Project project = new Project().with(framework).source("p/C.java", CODE)
                .source("p/T.java", four ? tests("org.junit.Test", "org.junit.Assert")
                        : tests("org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions"));
        project.compile(Project.jdk());
        Path list = Files.createDirectory(project.folder.resolve("list"));
        write(list.resolve("plan"), "telltale-plan\t1");
        Mutants.list(list.toFile(), new String[] {project.classes.toString()});
        List<String> listed = new ArrayList<>();
        int before = 0;
        for (String line : lines(list.resolve("mutants"))) {
            // The test's own class has some, too.
            if (line.startsWith("mutant\tp/C\t")) {
                listed.add(line);
            } else {
                before += listed.isEmpty() ? 1 : 0;
            }
        }
        assertEquals(0, before);
        String mutate = "mutate p/C 1 " + listed.size();

        Path plain = Files.createDirectory(project.folder.resolve("plain"));
        write(plain.resolve("classes"), "7", "p.T");
        project.plan(mutate, "judge plain").runIn(Project.jdk(), plain, "dev.telltale.agent.Judge", plain.toString());
        List<String> said = lines(plain.resolve("judged"));
        assertEquals("done", said.get(said.size() - 1), project.output + said);
        String[] names = new String[4];
        String[] ids = new String[4];
        String[] told = new String[4];
        String reached = "";
        String early = "";
        List<String> why = new ArrayList<>();
        int passed = 0;
        for (String line : said) {
            String[] fields = line.split("\t");
            if (fields[0].equals("unit")) {
                ids[Integer.parseInt(fields[1])] = fields[2];
                names[Integer.parseInt(fields[1])] = fields[4];
                assertEquals("p.T", fields[3]);
            } else if (fields[0].equals("ran")) {
                passed += Integer.parseInt(fields[3]);
            } else if (fields[0].equals("told")) {
                told[Integer.parseInt(fields[1])] = fields.length > 3 ? fields[3] : "";
            } else if (fields[0].equals("reach")) {
                reached += line + "\t\n";
            } else if (fields[0].equals("early")) {
                early = line + '\t';
            } else if (fields[0].equals("why")) {
                why.add(names[Integer.parseInt(fields[1])] + ' ' + fields[2] + ' ' + fields[3]);
            }
        }
        List<String> order = Arrays.asList(names);
        int adds = order.indexOf("adds");
        int counts = order.indexOf("counts");
        int keeps = order.indexOf("keeps");
        assertTrue(adds >= 0 && counts >= 0 && keeps >= 0 && order.indexOf("wrong") >= 0, said.toString());
        // One of the four fails, in both runs, and says with what on one line.
        assertEquals(6, passed);
        String fails = four ? "org.junit.ComparisonFailure: expected:<a[ b]> but was:<a[2]>"
                : "org.opentest4j.AssertionFailedError: expected: <a b> but was: <a2>";
        assertEquals(Arrays.asList("wrong 2 " + fails, "wrong 3 " + fails), why);
        assertTrue(told[adds].startsWith("1:"), said.toString());
        assertTrue(reached.contains("\t" + number(listed, "add", "MATH") + "\t"), said.toString());
        int once = number(listed, "first", "PRIMITIVE_RETURNS");
        assertTrue(early.contains("\t" + once + "\t") && !reached.contains("\t" + once + "\t"), said.toString());

        // Tests that are known run one by one, and come to the same.
        Path known = Files.createDirectory(project.folder.resolve("known"));
        write(known.resolve("classes"), "7", ids[keeps] + "\tp.T\tkeeps\t", ids[adds] + "\tp.T\tadds\t");
        project.plan(mutate, "judge plain").runIn(Project.jdk(), known, "dev.telltale.agent.Judge", known.toString());
        List<String> again = new ArrayList<>();
        for (String line : lines(known.resolve("judged"))) {
            String[] fields = line.split("\t", -1);
            switch (fields[0]) {
                case "unit":
                    again.add("unit " + fields[1] + ' ' + fields[2] + ' ' + fields[3] + ' ' + fields[4]);
                    break;
                case "ran":
                    again.add("ran " + fields[1] + ' ' + fields[2] + ' ' + fields[3]);
                    break;
                case "told":
                    again.add("told " + fields[1] + ' ' + (fields.length > 3 ? fields[3] : ""));
                    break;
                default:
            }
        }
        assertTrue(again.containsAll(Arrays.asList("unit 0 " + ids[keeps] + " p.T keeps", "unit 1 " + ids[adds] + " p.T adds",
                "ran 0 2 1", "ran 1 2 1", "ran 0 3 1", "ran 1 3 1", "told 1 " + told[adds])), again + project.output);
        assertEquals(10, again.size());

        Path mutants = Files.createDirectory(project.folder.resolve("mutants"));
        String[] units = new String[4];
        for (int at = 0; at < 4; at++) {
            units[at] = ids[at] + "\t1500\t1" + (told[at].isEmpty() ? "" : "\t" + told[at]);
        }
        write(mutants.resolve("units"), units);
        int math = number(listed, "add", "MATH");
        int returns = number(listed, "add", "PRIMITIVE_RETURNS");
        int unseen = number(listed, "unseen", "MATH");
        int leaves = number(listed, "keep", "NEGATE_CONDITIONALS");
        write(mutants.resolve("work"), math + "\t-\t" + adds, returns + "\t-\t" + adds, unseen + "\t-\t" + adds + "\t" + counts,
                leaves + "\t-\t" + adds + "\t" + keeps, math + "\t-\t" + adds);
        Project judging = project.plan("judge mutants");
        judging.runIn(Project.jdk(), mutants, "dev.telltale.agent.Judge", mutants.toString());
        assertEquals(Arrays.asList("begin " + math, "dies " + math + " " + adds, "end " + math,
                "begin " + returns, "dies " + returns + " " + adds, "end " + returns,
                "begin " + unseen, "lives " + unseen + " " + adds, "lives " + unseen + " " + counts, "end " + unseen,
                "begin " + leaves, "lives " + leaves + " " + adds, "dies " + leaves + " " + keeps, "dirty " + leaves),
                short_(lines(mutants.resolve("judged"))), project.output);

        // The value is another, and the test passes: told. A loop that does not end ends the JVM.
        int slow = number(listed, "count", "INCREMENTS");
        write(mutants.resolve("work"), leaves + "\t-d\t" + keeps, slow + "\t-\t" + adds + "\t" + counts);
        judging.runIn(Project.jdk(), mutants, "dev.telltale.agent.Judge", mutants.toString());
        List<String> last = lines(mutants.resolve("judged"));
        assertEquals(Arrays.asList("begin " + leaves, "dies " + leaves + " " + keeps, "end " + leaves,
                "begin " + slow, "lives " + slow + " " + adds, "gone " + slow + " " + counts + " slow"), short_(last), project.output);
    }

    /** Without times and ids. */
    private static List<String> short_(List<String> all) {
        List<String> out = new ArrayList<>();
        for (String line : all) {
            String[] fields = line.split("\t");
            boolean timed = fields[0].equals("lives") || fields[0].equals("dies");
            StringBuilder own = new StringBuilder(fields[0]);
            for (int at = 1; at < fields.length; at++) {
                if (!(timed && at == 3) && !(fields[0].equals("gone") && at == 4)) {
                    own.append(' ').append(fields[at]);
                }
            }
            out.add(own.toString());
        }
        return out;
    }

    @Test
    void whatEndsAPlainRunIsNamedAndLeftOut() throws Exception {
        Project project = new Project().with("junit4").source("p/C.java", "package p; public class C { public static int twice(int a) { return a * 2; } }")
                .source("p/T.java", "package p; public class T {",
                        "static int wait(int i) throws Exception { Thread.sleep(600000); return i; }",
                        "@org.junit.Test public void t() { if (dev_telltale.See.wants(7)) try {",
                        "dev_telltale.See.query(7, new Object[] {wait(1)}); } catch (Throwable t) { dev_telltale.See.threw(7, t); } } }")
                .source("p/U.java", "package p; public class U { @org.junit.Test public void exits() { if (C.twice(1) == 2) System.exit(3); } }");
        project.compile(Project.jdk());
        Path folder = Files.createDirectory(project.folder.resolve("judge"));
        write(folder.resolve("classes"), "1", "p.T", "p.U");
        String[][] plans = {{"judge plain"}, {"judge plain", "mute 7"}, {"judge plain", "mute 7", "skip p/U exits"}};
        String[] ends = {"gone\t0\t0\tquery\tp.T#t\tp.T\tt\t7", "gone\t0\t1\texit\tp.U#exits\tp.U\texits", "done"};
        for (int at = 0; at < plans.length; at++) {
            project.plan(plans[at]).runIn(Project.jdk(), folder, "dev.telltale.agent.Judge", folder.toString());
            List<String> said = lines(folder.resolve("judged"));
            assertEquals(ends[at], said.get(said.size() - 1), project.output + said);
        }
    }

    /** No test of such a class begins. It is named all the same, with what the set-up threw; a tear-down fails after they began. */
    @ParameterizedTest
    @ValueSource(strings = {"platform6", "platform1.3", "junit4"})
    void testsOfAClassThatCannotBeSetUpAreNamed(String framework) throws Exception {
        boolean four = framework.equals("junit4");
        String test = four ? "org.junit.Test" : "org.junit.jupiter.api.Test";
        String before = four ? "org.junit.BeforeClass" : "org.junit.jupiter.api.BeforeAll";
        String after = four ? "org.junit.AfterClass" : "org.junit.jupiter.api.AfterAll";
        String ignored = four ? "org.junit.Ignore" : "org.junit.jupiter.api.Disabled";
        String fails = " public static void all() { throw new IllegalStateException(\"no\\nport\"); }";
        String tests = " @" + test + " public void one() { } @" + test + " @" + ignored + " public void two() { } }";
        Project project = new Project().with(framework)
                .source("p/T.java", "package p; public class T { @" + before + fails + tests)
                .source("p/U.java", "package p; public class U { @" + after + fails + tests);
        project.compile(Project.jdk());
        Path folder = Files.createDirectory(project.folder.resolve("judge"));
        write(folder.resolve("classes"), "1", "p.T", "p.U");
        project.plan("judge plain").runIn(Project.jdk(), folder, "dev.telltale.agent.Judge", folder.toString());
        List<String> names = new ArrayList<>();
        List<String> said = new ArrayList<>();
        for (String line : lines(folder.resolve("judged"))) {
            String[] fields = line.split("\t");
            switch (fields[0]) {
                case "unit":
                    names.add(fields[3] + '#' + fields[4]);
                    break;
                case "unable":
                    said.add("unable " + names.get(Integer.parseInt(fields[1])));
                    break;
                case "why":
                    said.add(names.get(Integer.parseInt(fields[1])) + ' ' + fields[3]);
                    break;
                default:
            }
        }
        String why = " java.lang.IllegalStateException: no port";
        said.removeIf(line -> line.contains("two"));
        Collections.sort(said);
        assertEquals(Arrays.asList("p.T#one" + why, "p.T#one" + why, "p.U#one" + why, "p.U#one" + why, "unable p.T#one"), said,
                project.output);
        assertEquals(names.contains("p.U#two"), false, names.toString());
    }

    @Test
    void whatIsOtherAndPassesTells() throws Exception {
        Project project = new Project().with("junit4").source("p/C.java", "package p; public class C { public static int twice(int a) { return a * 2; } }")
                .source("p/T.java", "package p; public class T { @org.junit.Test public void t() { for (int i = 0; i < 300; i++) {",
                        "dev_telltale.See.see(4, C.twice(3)); dev_telltale.See.see(5, \"\" + C.twice(4)); dev_telltale.See.see(6, \"same\"); }",
                        "if (dev_telltale.See.wants(7)) try { dev_telltale.See.query(7, new Object[] {C.twice(1)}); } catch (Throwable t) { dev_telltale.See.threw(7, t); } } }");
        project.compile(Project.jdk());
        Path folder = Files.createDirectory(project.folder.resolve("judge"));
        write(folder.resolve("classes"), "1", "p.T");
        project.plan("mutate p/C 1 2", "judge plain").runIn(Project.jdk(), folder, "dev.telltale.agent.Judge", folder.toString());
        String told = "";
        for (String line : lines(folder.resolve("judged"))) {
            told = line.startsWith("told\t0\t3\t") ? line.substring(9) : told;
        }
        assertEquals(4, told.split("\t").length, told);
        write(folder.resolve("units"), "p.T#t\t5000\t1\t" + told);
        write(folder.resolve("work"), "1\t-\t0", "2\t-\t0");
        project.plan("judge mutants").runIn(Project.jdk(), folder, "dev.telltale.agent.Judge", folder.toString());
        // 3 * 2 is 3 / 2, and all that is returned is 0.
        assertEquals(Arrays.asList("begin 1", "lives 1 0 4 5 7", "end 1", "begin 2", "lives 2 0 4 5 7", "end 2", "done"),
                short_(lines(folder.resolve("judged"))));
        assertTrue(new File(folder.toFile(), "judged").length() > 0);

        // What they were, with the mutant and without, is written as a recording writes it.
        // What they were in another JVM is not asked, only which of them say the same each time.
        write(folder.resolve("units"), "p.T#t\t5000\t1\t4:1\t5:1\t6:1\t7:1\t8:1");
        write(folder.resolve("work"), "1\t-\t0");
        project.plan("judge show").runIn(Project.jdk(), folder, "dev.telltale.agent.Judge", folder.toString());
        assertEquals(Arrays.asList("begin 1", "lives 1 0 4 5 7", "end 1", "done"),
                short_(lines(folder.resolve("judged"))));
        String[] segments = folder.toFile().list((in, name) -> name.endsWith(".seg"));
        assertEquals(1, segments.length);
        assertTrue(new File(folder.toFile(), segments[0]).length() > 50);
    }
}
