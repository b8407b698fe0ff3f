package dev.telltale.agent;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A small project that real JVMs compile and run with the agent. */
final class Project {
    static final Path BUILD = Paths.get(System.getProperty("buildDirectory"));
    static final String AGENT = BUILD.resolve("telltale-agent.jar").toString();

    private static final List<Path> JDKS = jdks();

    final Path folder;
    final Path classes;
    private final List<String> libraries = new ArrayList<>();
    private final List<String> vm = new ArrayList<>();
    private String plan = "telltale-plan\t1\n";
    private int runs;
    /** What the last run printed. */
    String output;
    int status;
    /** What the next run reads on its standard input; nothing if there is none. */
    private File input;

    Project() throws IOException {
        Files.createDirectories(BUILD.resolve("tests"));
        folder = Files.createTempDirectory(BUILD.resolve("tests"), "project");
        classes = Files.createDirectory(folder.resolve("classes"));
        libraries.add(classes.toString());
    }

    /** The JDK that runs this, those of the environment, and those where Linux distributions put them. */
    static List<Path> jdks() {
        if (JDKS != null) {
            return JDKS;
        }
        List<Path> homes = new ArrayList<>();
        homes.add(Paths.get(System.getProperty("java.home")));
        for (String name : Arrays.asList("JAVA_HOME", "JAVA8_HOME", "JAVA25_HOME")) {
            if (System.getenv(name) != null) {
                homes.add(Paths.get(System.getenv(name)));
            }
        }
        File[] installed = new File("/usr/lib/jvm").listFiles();
        for (File each : installed == null ? new File[0] : installed) {
            homes.add(each.toPath());
        }
        TreeSet<Path> real = new TreeSet<>();
        for (Path home : homes) {
            if (Files.exists(home.resolve("bin/javac"))) {
                try {
                    real.add(home.toRealPath());
                } catch (IOException gone) {
                    // Not a JDK then.
                }
            }
        }
        try {
            // For who started this, and knows which must be among them.
            Files.write(BUILD.resolve("jdks"), real.stream().map(Path::toString).collect(Collectors.toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ArrayList<>(real);
    }

    private static final Path OWN = own();

    private static Path own() {
        try {
            return Paths.get(System.getProperty("java.home")).toRealPath();
        } catch (IOException gone) {
            throw new IllegalStateException(gone);
        }
    }

    /** The JDK that runs this, for what does not depend on its version: its compiler need not be started. */
    static Path jdk() {
        return OWN;
    }

    Project plan(String... lines) {
        for (String line : lines) {
            plan += line.replace(' ', '\t') + '\n';
        }
        return this;
    }

    Project vm(String... options) {
        vm.addAll(Arrays.asList(options));
        return this;
    }

    /** Jars that the build put into the folder of this name. */
    Project with(String libraries) throws IOException {
        try (Stream<Path> all = Files.list(BUILD.resolve("libs").resolve(libraries))) {
            all.map(Path::toString).sorted().forEach(this.libraries::add);
        }
        return this;
    }

    Project library(String path) {
        libraries.add(path);
        return this;
    }

    Project source(String path, String... lines) throws IOException {
        Path file = folder.resolve("src").resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        return this;
    }

    Project compile(Path jdk, String... options) throws Exception {
        return compile(jdk, classes, options);
    }

    Project compile(Path jdk, Path out, String... options) throws Exception {
        List<String> command = new ArrayList<>(Arrays.asList("-nowarn", "-g",
                "-proc:none", "-encoding", "UTF-8", "-d", out.toString(), "-cp", classPath() + File.pathSeparator + AGENT));
        command.addAll(Arrays.asList(options));
        try (Stream<Path> all = Files.walk(folder.resolve("src"))) {
            command.addAll(all.map(Path::toString).filter(it -> it.endsWith(".java")).sorted()
                    .collect(Collectors.toList()));
        }
        if (jdk.equals(OWN)) {
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            if (ToolProvider.getSystemJavaCompiler().run(null, said, said, command.toArray(new String[0])) != 0) {
                throw new IllegalStateException(said.toString("UTF-8"));
            }
            return this;
        }
        command.add(0, jdk.resolve("bin/javac").toString());
        if (start(command).waitFor() != 0) {
            throw new IllegalStateException(readOutput());
        }
        return this;
    }

    String classPath() {
        return String.join(File.pathSeparator, libraries);
    }

    /** Runs a main class with the agent. */
    Recording run(Path jdk, String... mainAndArguments) throws Exception {
        Path recording = folder.resolve("run" + ++runs);
        Files.createDirectory(recording);
        return run(jdk, recording, mainAndArguments);
    }

    Recording run(Path jdk, Path recording, String... mainAndArguments) throws Exception {
        Files.write(recording.resolve("plan"), plan.getBytes(StandardCharsets.UTF_8));
        execute(jdk, "-javaagent:" + AGENT + "=" + recording, mainAndArguments);
        return Recording.of(recording.toFile());
    }

    /** The same by a JVM that waits: what is told to it, and the folder that it is to be. */
    Recording runTold(Path jdk, String told, Path recording, String... mainAndArguments) throws Exception {
        Files.write(recording.resolve("plan"), plan.getBytes(StandardCharsets.UTF_8));
        input = Files.write(folder.resolve("input"), told.getBytes(StandardCharsets.UTF_8)).toFile();
        execute(jdk, "-javaagent:" + AGENT + "=-", mainAndArguments);
        input = null;
        return Recording.of(recording.toFile());
    }

    /** The same in a folder that holds what the agent reads beside the plan; what it wrote is there. */
    void runIn(Path jdk, Path recording, String... mainAndArguments) throws Exception {
        Files.write(recording.resolve("plan"), plan.getBytes(StandardCharsets.UTF_8));
        execute(jdk, "-javaagent:" + AGENT + "=" + recording, mainAndArguments);
    }

    /** Runs a main class without the agent. */
    String plain(Path jdk, String... mainAndArguments) throws Exception {
        execute(jdk, "-ea", mainAndArguments);
        return output;
    }

    private void execute(Path jdk, String option, String... mainAndArguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve("bin/java").toString());
        command.add("-XX:-PrintWarnings");
        command.add("-Xverify:all");
        command.addAll(vm);
        command.add(option);
        command.add("-cp");
        command.add(classPath());
        command.addAll(Arrays.asList(mainAndArguments));
        Process process = start(command);
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("hangs: " + command + "\n" + readOutput());
        }
        status = process.exitValue();
        output = readOutput();
    }

    private Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        if (input != null) {
            return builder.redirectInput(input).start();
        }
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private String readOutput() throws IOException {
        return new String(Files.readAllBytes(folder.resolve("output")), StandardCharsets.UTF_8);
    }
}
