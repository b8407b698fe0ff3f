package dev.telltale.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JVMs that wait for the folder of their run record what one records that had it from its start. */
class WaitingTest {
    static Stream<Path> jdks() {
        return Project.jdks().stream();
    }

    private static Project jupiter(Path jdk) throws Exception {
        return new Project().with("platform6").source("a/OneTest.java", "package a;", "import org.junit.jupiter.api.*;",
                "class OneTest { int n = Code.twice(2);", "@Test void passes() { dev_telltale.See.see(1, n); }",
                "@Test void reads() throws Exception { dev_telltale.See.see(1, System.in.read()); } }")
                .source("a/Code.java", "package a; class Code { static int twice(int n) {", "return 2 * n; } }")
                .compile(jdk).plan("cover a/*", "limit distinct 3");
    }

    private static Path folder(String... tests) throws Exception {
        Path folder = Files.createTempDirectory(Project.BUILD.resolve("tests"), "waits");
        Files.write(folder.resolve("tests"), String.join("\n", tests).getBytes(StandardCharsets.UTF_8));
        return folder;
    }

    /** The list that a run of these tests writes. */
    private static Path list(Project project, Path jdk, String... tests) throws Exception {
        Path folder = folder(tests);
        Path list = folder.resolve("loaded");
        project.run(jdk, folder, "dev.telltale.agent.Run", folder.toString(), list.toString());
        return list;
    }

    private static Recording waited(Project project, Path jdk, Path list, String... tests) throws Exception {
        Path folder = folder(tests);
        return project.runTold(jdk, folder + "\n", folder, "dev.telltale.agent.Run", "-", list.toString());
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void recordsWhatOneRecordsThatDidNotWait(Path jdk) throws Exception {
        Project project = jupiter(jdk);
        Path folder = folder("a.OneTest");
        Recording plain = project.run(jdk, folder, "dev.telltale.agent.Run", folder.toString());
        Recording recording = waited(project, jdk, list(project, jdk, "a.OneTest"), "a.OneTest");
        assertEquals(Arrays.asList("a.OneTest.passes passed", "a.OneTest.reads passed"), recording.ended);
        assertEquals(plain.slots, recording.slots);
        assertEquals("1: ^$4", recording.slots.get("1@a.OneTest.passes"));
        // What told the folder is at its end for tests.
        assertEquals("1: ^$-1", recording.slots.get("1@a.OneTest.reads"));
        assertEquals(plain.covered, recording.covered);
        assertEquals(Collections.emptyMap(), recording.lost);
    }

    @Test
    void fourAndTestNgAreWovenBeforeThereIsAPlan() throws Exception {
        Project four = new Project().with("junit4").source("a/FourTest.java", "package a; public class FourTest {",
                "@org.junit.Test public void passes() { dev_telltale.See.see(1, 1); } }").compile(Project.jdk());
        Recording recording = waited(four, Project.jdk(), list(four, Project.jdk(), "a.FourTest"), "a.FourTest");
        assertEquals("[a.FourTest.passes passed] {1@a.FourTest.passes=1: ^$1}", recording.ended + " " + recording.slots);
        Project ng = new Project().with("testng7").source("a/NgTest.java", "package a; public class NgTest {",
                "@org.testng.annotations.Test public void passes() { dev_telltale.See.see(1, 1); } }").compile(Project.jdk());
        recording = waited(ng, Project.jdk(), list(ng, Project.jdk(), "a.NgTest"), "a.NgTest");
        assertEquals("[a.NgTest.passes passed] {1@a.NgTest.passes=1: ^$1}", recording.ended + " " + recording.slots);
    }

    @Test
    void theListHasNothingOfTheProject() throws Exception {
        List<String> names = Files.readAllLines(list(jupiter(Project.jdk()), Project.jdk(), "a.OneTest"));
        assertTrue(names.contains("org.junit.jupiter.engine.JupiterTestEngine"), names.toString());
        assertTrue(names.contains("dev.telltale.agent.Recorder"), names.toString());
        assertFalse(names.stream().anyMatch(it -> it.startsWith("a.") || it.contains("$$Lambda")), names.toString());
    }

    @Test
    void whatWasLoadedTooEarlyIsRefused() throws Exception {
        Project project = jupiter(Project.jdk());
        Path list = list(project, Project.jdk(), "a.OneTest");
        Files.write(list, "org.junit.jupiter.engine.JupiterTestEngine".getBytes(StandardCharsets.UTF_8));
        project.plan("cover org/junit/jupiter/engine/JupiterTestEngine");
        Recording recording = waited(project, Project.jdk(), list, "a.OneTest");
        assertEquals(Collections.emptyList(), recording.ended);
        assertTrue(project.output.contains("was loaded before the plan was told"), project.output);
        Files.write(list, "a.Code".getBytes(StandardCharsets.UTF_8));
        recording = waited(jupiter(Project.jdk()), Project.jdk(), list, "a.OneTest");
        assertEquals(Collections.emptyList(), recording.ended);
    }

    @Test
    void endsWhereNothingIsTold() throws Exception {
        Project project = jupiter(Project.jdk());
        Path list = list(project, Project.jdk(), "a.OneTest");
        Path folder = folder("a.OneTest");
        Recording recording = project.runTold(Project.jdk(), "", folder, "dev.telltale.agent.Run", "-", list.toString());
        assertEquals("[] telltale-ready", recording.ended + " " + project.output.trim());
        assertEquals(0, project.status);
    }
}
