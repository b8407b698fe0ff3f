package dev.telltale.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each operator makes of an instruction, and that all of them change nothing while none is on. */
class MutantsTest {
    @AfterEach
    void off() {
        Switch.on = 0;
        Switch.reached = null;
    }

    /** Defines classes with their mutants. */
    private static final class Woven extends ClassLoader {
        final Map<String, byte[]> plain = new HashMap<>();
        final Map<String, Mutants.Woven> woven = new HashMap<>();
        private int next = 1;

        Woven() {
            super(MutantsTest.class.getClassLoader());
        }

        /** Not what the class path of this test has by the same name. */
        Class<?> own(String name) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return plain.containsKey(name) ? own(name) : super.loadClass(name, resolve);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = plain.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            Mutants.Woven of = Mutants.weave(bytes, next, true, false);
            next += of.mutants.size();
            woven.put(name, of);
            return defineClass(name, of.bytes, 0, of.bytes.length);
        }
    }

    private static Woven compiled(String... members) throws Exception {
        Project project = new Project().source("M.java", "public class M {", String.join("\n", members), "}");
        project.compile(Project.jdk());
        Woven loader = new Woven();
        try (Stream<Path> all = Files.list(project.classes)) {
            for (Path file : all.collect(Collectors.toList())) {
                String name = file.getFileName().toString();
                loader.plain.put(name.substring(0, name.length() - 6), Files.readAllBytes(file));
            }
        }
        return loader;
    }

    /** {@code OPERATOR value} for each mutant of a method {@code m}, in order, behind the value without any. */
    private static List<String> values(String member, Object... arguments) throws Exception {
        Woven loader = compiled(member);
        Class<?> type = loader.loadClass("M");
        Method method = null;
        for (Method each : type.getDeclaredMethods()) {
            method = each.getName().equals("m") ? each : method;
        }
        method.setAccessible(true);
        List<String> all = new ArrayList<>();
        List<Mutants.Mutant> mutants = loader.woven.get("M").mutants;
        for (int id = 0; id <= mutants.size(); id++) {
            if (id > 0 && !mutants.get(id - 1).method.equals("m")) {
                continue;
            }
            Switch.on = id;
            String value;
            try {
                Object given = method.invoke(null, arguments);
                value = given instanceof String ? '"' + (String) given + '"' : String.valueOf(given);
            } catch (InvocationTargetException thrown) {
                value = thrown.getCause().getClass().getSimpleName();
            }
            Switch.on = 0;
            all.add(id == 0 ? value : mutants.get(id - 1).operator + ' ' + value);
        }
        return all;
    }

    private static void check(String expected, String member, Object... arguments) throws Exception {
        assertEquals(expected, String.join(", ", values(member, arguments)));
    }

    @Test
    void math() throws Exception {
        check("9, MATH 5, PRIMITIVE_RETURNS 0", "static int m(int a, int b) { return a + b; }", 7, 2);
        check("3, MATH 14, PRIMITIVE_RETURNS 0", "static long m(long a, int b) { return a / b; }", 7L, 2);
        check("1, MATH 14, PRIMITIVE_RETURNS 0", "static int m(int a, int b) { return a % b; }", 7, 2);
        check("28, MATH 1, PRIMITIVE_RETURNS 0", "static long m(long a, int b) { return a << b; }", 7L, 2);
        check("1, MATH -2147483648, PRIMITIVE_RETURNS 0", "static int m(int a, int b) { return a >>> b; }", -1, 31);
        check("5, MATH 2, PRIMITIVE_RETURNS 0", "static int m(int a, int b) { return a ^ b; }", 7, 2);
        check("14.0, MATH 3.5, PRIMITIVE_RETURNS 0.0", "static double m(double a, double b) { return a * b; }", 7.0, 2.0);
        check("-7.0, INVERT_NEGS 7.0, PRIMITIVE_RETURNS 0.0", "static float m(float a) { return -a; }", 7f);
        check("false, MATH true, FALSE_RETURNS false, TRUE_RETURNS true", "static boolean m(boolean a, boolean b) { return a & b; }", true, false);
    }

    @Test
    void conditionals() throws Exception {
        String returns = "FALSE_RETURNS false, TRUE_RETURNS true";
        check("true, CONDITIONALS_BOUNDARY true, NEGATE_CONDITIONALS false, " + returns, "static boolean m(int a, int b) { return a < b; }", 1, 2);
        check("false, CONDITIONALS_BOUNDARY true, NEGATE_CONDITIONALS true, " + returns, "static boolean m(int a, int b) { return a < b; }", 2, 2);
        check("true, CONDITIONALS_BOUNDARY false, NEGATE_CONDITIONALS false, " + returns, "static boolean m(long a) { return a >= 0; }", 0L);
        check("false, NEGATE_CONDITIONALS true, " + returns, "static boolean m(Object a) { return a == null; }", "");
        check("true, NEGATE_CONDITIONALS false, " + returns, "static boolean m(Object a, Object b) { return a == b; }", "", "");
        check("true, NEGATE_CONDITIONALS false, " + returns, "static boolean m(int a) { return a != 0; }", 1);
        // What a compiler made of assert is no condition of the code.
        check("1, PRIMITIVE_RETURNS 0", "static int m() { assert true; return 1; }");
    }

    @Test
    void returnsAndTheirEquals() throws Exception {
        check("\"a\", EMPTY_RETURNS \"\"", "static String m() { return \"a\"; }");
        check("[1], EMPTY_RETURNS []", "static java.util.List<Integer> m() { return java.util.Arrays.asList(1); }");
        check("3, EMPTY_RETURNS 0", "static Integer m(int a) { return a; }", 3);
        check("true, FALSE_RETURNS false, TRUE_RETURNS true", "static Boolean m() { return true; }");
        check("[1], NULL_RETURNS null", "static java.util.ArrayList<Integer> m() { return new java.util.ArrayList<>(java.util.Arrays.asList(1)); }");
        Woven loader = compiled("static int a() { return 0; } static String b() { return \"\"; } static Object c() { return null; }",
                "static boolean d() { return true; } static int e() { return 1; }");
        loader.loadClass("M");
        List<String> all = new ArrayList<>();
        for (Mutants.Mutant each : loader.woven.get("M").mutants) {
            all.add(each.method + ' ' + each.operator + ' ' + each.looksEquivalent);
        }
        assertEquals("[a PRIMITIVE_RETURNS true, b EMPTY_RETURNS true, c NULL_RETURNS true, d FALSE_RETURNS false, d TRUE_RETURNS true, e PRIMITIVE_RETURNS false]", all.toString());
    }

    @Test
    void incrementsAndCalls() throws Exception {
        check("5, INCREMENTS 1, PRIMITIVE_RETURNS 0", "static int m(int a) { a += 2; return a; }", 3);
        check("[1, 2], VOID_METHOD_CALLS [2, 1], NULL_RETURNS null", "static java.util.ArrayList<Integer> m() { java.util.ArrayList<Integer> all = new java.util.ArrayList<>(java.util.Arrays.asList(2, 1)); java.util.Collections.sort(all); return all; }");
        check("7, VOID_METHOD_CALLS 0, PRIMITIVE_RETURNS 0", "long n; void set(double d, long l, String s) { n = l; } static long m() { M m = new M(); m.set(1.5, 7L, \"x\"); return m.n; }");
    }

    @Test
    void numbersFollowFromTheBytes() throws Exception {
        Woven loader = compiled("int a(int x) { if (x > 1) x++; return x * 2; }", "void b() { System.gc(); }");
        byte[] bytes = loader.plain.get("M");
        List<String> all = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            StringBuilder one = new StringBuilder();
            for (Mutants.Mutant each : Mutants.weave(bytes, 1 + round * 1000, round == 0, false).mutants) {
                one.append(each.method).append(each.descriptor).append(' ').append(each.line).append(' ')
                        .append(each.operator).append(each.ordinal).append('\n');
            }
            all.add(one.toString());
        }
        assertEquals(all.get(0), all.get(1));
        assertEquals("a(I)I 2 CONDITIONALS_BOUNDARY0\na(I)I 2 NEGATE_CONDITIONALS0\na(I)I 2 INCREMENTS0\na(I)I 2 MATH0\n"
                + "a(I)I 2 PRIMITIVE_RETURNS0\nb()V 3 VOID_METHOD_CALLS0\n", all.get(0));
    }

    @Test
    void whatStandsThereIsTold() throws Exception {
        Woven loader = compiled("int a(int x, java.util.List<Integer> all) { if (x > 1) x += 3; all.clear(); return -x; }");
        StringBuilder told = new StringBuilder();
        for (Mutants.Mutant each : Mutants.weave(loader.plain.get("M"), 1, true, false).mutants) {
            told.append(each.operator).append(' ').append(each.what).append(", ");
        }
        assertEquals("CONDITIONALS_BOUNDARY if_icmple, NEGATE_CONDITIONALS if_icmple, INCREMENTS 3, "
                + "VOID_METHOD_CALLS java/util/List.clear, INVERT_NEGS ineg, PRIMITIVE_RETURNS , ", told.toString());
    }

    @Test
    void allOfABodyCanBeLeftOut() throws Exception {
        Woven loader = compiled("long n = 1;", "void add(long by) {\n do { n += by; } while (by++ < 0); }",
                "long get() {\n return n; }", "static String m() {\n return \"a\"; }",
                "static M made() { return new M(); }");
        StringBuilder all = new StringBuilder();
        Mutants.Woven of = Mutants.weave(loader.plain.get("M"), 1, true, true);
        
        for (Mutants.Mutant each : of.mutants) {
            if (each.operator.equals("BODY")) {
                all.append(each.method).append(' ').append(each.line).append(", ");
            }
        }
        assertEquals("add 4, get 6, m 8, made 9, ", all.toString());
        Class<?> type = new ClassLoader(MutantsTest.class.getClassLoader()) {
            Class<?> defined() {
                return defineClass("M", of.bytes, 0, of.bytes.length);
            }
        }.defined();
        Object on = type.getDeclaredConstructor().newInstance();
        List<String> values = new ArrayList<>();
        for (String off : new String[] {"", "add", "get", "m"}) {
            for (int id = 1; id <= of.mutants.size(); id++) {
                Mutants.Mutant each = of.mutants.get(id - 1);
                Switch.on = each.operator.equals("BODY") && each.method.equals(off) ? id : Switch.on;
            }
            for (Method method : new Method[] {type.getDeclaredMethod("add", long.class), type.getDeclaredMethod("get"),
                    type.getDeclaredMethod("m")}) {
                method.setAccessible(true);
                Object value = method.getParameterCount() == 1 ? method.invoke(on, 5L) : method.invoke(on);
                values.add(off + ' ' + value);
            }
            Switch.on = 0;
        }
        assertEquals(Arrays.asList(" null", " 6", " a", "add null", "add 6", "add a", "get null", "get 0", "get a",
                "m null", "m 16", "m null"), values);
    }

    @Test
    void whatRunsIsReached() throws Exception {
        Woven loader = compiled("static int m(int a) { if (a > 1) { return a + 1; } return a - 1; }");
        Switch.reached = new boolean[20];
        Method method = loader.loadClass("M").getDeclaredMethod("m", int.class);
        method.setAccessible(true);
        method.invoke(null, 5);
        Set<String> reached = new HashSet<>();
        List<Mutants.Mutant> mutants = loader.woven.get("M").mutants;
        for (int id = 1; id <= mutants.size(); id++) {
            if (Switch.reached[id]) {
                reached.add(mutants.get(id - 1).operator + mutants.get(id - 1).ordinal);
            }
        }
        // An instruction's mutants are reached together, and the first of them tells.
        assertEquals(new HashSet<>(java.util.Arrays.asList("CONDITIONALS_BOUNDARY0", "MATH0", "PRIMITIVE_RETURNS0")), reached);
    }

    @Test
    void aMethodThatGrowsTooLargeKeepsWhatFits() throws Exception {
        StringBuilder body = new StringBuilder("static int m(int a) {");
        for (int line = 0; line < 9000; line++) {
            body.append(" a = a + a;");
        }
        Woven loader = compiled(body + " return a; }");
        Mutants.Woven of = Mutants.weave(loader.plain.get("M"), 1, true, false);
        assertTrue(of.lost > 0 && of.mutants.size() > 1000, of.lost + " " + of.mutants.size());
        assertEquals(9001, of.lost + of.mutants.size());
        assertTrue(loader.loadClass("M").getDeclaredMethods().length == 1);
    }

    static List<Path> jdks() {
        return Project.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void wovenClassesDoWhatTheyDid(Path jdk) throws Exception {
        for (String level : new String[] {"8", "11", ""}) {
            Project project = new Project().source("p/Shapes.java", WeavingTest.SHAPES);
            String main = "p.Shapes";
            if (level.isEmpty()) {
                project.source("p/Newer.java", WeavingTest.NEWER);
                main = "p.Newer";
            }
            project.compile(jdk, level.isEmpty() ? new String[0] : new String[] {"--release", level});
            String plain = project.plain(jdk, main);
            assertTrue(plain.endsWith("ran\n"), plain);
            int count = 0;
            try (Stream<Path> all = Files.walk(project.classes)) {
                for (Path file : all.filter(it -> it.toString().endsWith(".class")).collect(Collectors.toList())) {
                    Mutants.Woven of = Mutants.weave(Files.readAllBytes(file), 1, false, true);
                    count += of.mutants.size();
                    Files.write(file, of.bytes);
                }
            }
            assertTrue(count > 60, count + " mutants");
            project.library(Project.AGENT);
            assertEquals(plain, project.plain(jdk, main));
        }
    }

    /** Class files of many compilers: each must still pass the verifier, and stay what it was to reflection. */
    @ParameterizedTest
    @ValueSource(strings = {"junit3", "testng6", "testng7", "mockito", "junit4"})
    void librariesStillVerify(String library) throws Exception {
        int linked = 0;
        int mutants = 0;
        for (File jar : Project.BUILD.resolve("libs").resolve(library).toFile().listFiles()) {
            Woven loader = new Woven();
            try (JarFile of = new JarFile(jar)) {
                for (JarEntry entry : Collections.list(of.entries())) {
                    if (entry.getName().endsWith(".class") && !entry.getName().contains("-")) {
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                        try (InputStream in = of.getInputStream(entry)) {
                            byte[] some = new byte[8192];
                            for (int read = in.read(some); read > 0; read = in.read(some)) {
                                bytes.write(some, 0, read);
                            }
                        }
                        String name = entry.getName().replace('/', '.').substring(0, entry.getName().length() - 6);
                        loader.plain.put(name, bytes.toByteArray());
                    }
                }
            }
            for (String name : loader.plain.keySet()) {
                try {
                    // Linking verifies.
                    assertFalse(loader.own(name).getDeclaredMethods().length < 0);
                    linked++;
                } catch (NoClassDefFoundError | IncompatibleClassChangeError missing) {
                    // Of a library that is not here.
                } catch (UnsupportedClassVersionError newer) {
                    // Nor this.
                } catch (IllegalArgumentException old) {
                    assertTrue(String.valueOf(old.getMessage()).contains("JSR"), name + ": " + old);
                }
            }
            for (Mutants.Woven each : loader.woven.values()) {
                mutants += each.mutants.size();
            }
        }
        assertTrue(linked > 20 && mutants > 100, linked + " " + mutants);
    }
}
