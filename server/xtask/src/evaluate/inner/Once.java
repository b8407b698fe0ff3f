import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Compiles a few changed files and runs one test with them, many times in one virtual machine. Written by Telltale's
 * {@code cargo xtask evaluate inner}.
 *
 * <p>Arguments: the file of jobs, the file to write, and the folders of classes that each job's own come before. A job is
 * a line of {@code class, method, folder to compile into, sources...}, separated by tabs. Its answer is a line of
 * {@code passed | failed | broken | nothing | hangs}, a tab, and what was said, with
 * {@link #LINE_END} for its line ends.
 */
public final class Once implements TestExecutionListener {
    private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
    private static final long PATIENCE = 120_000;
    private static final char LINE_END = 0x1e;

    private final Set<String> failures = new LinkedHashSet<>();
    private int tests;
    private String skipped;

    public static void main(String[] args) throws IOException, InterruptedException {
        List<Path> classes = new ArrayList<>();
        for (int i = 2; i < args.length; i++) {
            classes.add(Path.of(args[i]));
        }
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[1]), StandardCharsets.UTF_8))) {
            for (String line : Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8)) {
                String[] job = line.split("\t");
                String answer;
                try {
                    answer = answer(job, classes);
                } catch (Throwable error) {
                    answer = "nothing\t" + error;
                }
                out.println(answer.replace("\r", "").replace('\n', LINE_END));
                out.flush();
            }
        }
        // A test may leave a thread behind.
        System.exit(0);
    }

    private static String answer(String[] job, List<Path> classes) throws Exception {
        Path own = Path.of(job[2]);
        if (job.length > 3) {
            String complaints = compile(List.of(job).subList(3, job.length), own, classes);
            if (complaints != null) {
                return "broken\t" + complaints;
            }
        }
        List<URL> path = new ArrayList<>();
        path.add(url(own));
        for (Path folder : classes) {
            path.add(url(folder));
        }
        Once once = new Once();
        Throwable[] thrown = new Throwable[1];
        try (URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), Once.class.getClassLoader())) {
            Thread thread = new Thread(() -> {
                try {
                    once.run(loader.loadClass(job[0]), job[1]);
                } catch (Throwable error) {
                    thrown[0] = error;
                }
            });
            thread.setContextClassLoader(loader);
            thread.setDaemon(true);
            thread.start();
            thread.join(PATIENCE);
            if (thread.isAlive()) {
                return "hangs\t";
            }
        }
        // What fails in a set-up of the class leaves no test that ran.
        if (thrown[0] != null || once.tests == 0 && once.failures.isEmpty()) {
            return "nothing\t" + (thrown[0] != null ? thrown[0] : once.skipped);
        }
        return once.failures.isEmpty() ? "passed\t" : "failed\t" + String.join("\n--\n", once.failures);
    }

    private static URL url(Path folder) throws MalformedURLException {
        return folder.toUri().toURL();
    }

    /** Null, or what the compiler has against the sources. */
    private static String compile(List<String> sources, Path to, List<Path> classes) throws IOException {
        Files.createDirectories(to);
        StringWriter said = new StringWriter();
        String path = System.getProperty("java.class.path");
        for (Path folder : classes) {
            path = folder + java.io.File.pathSeparator + path;
        }
        List<String> options = new ArrayList<>(List.of(
                "-nowarn", "-encoding", "UTF-8", "-g", "-implicit:none", "-d", to.toString(), "-cp", path));
        if (!path.contains("lombok")) {
            options.add("-proc:none");
        }
        try (StandardJavaFileManager files = JAVAC.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean done = JAVAC.getTask(said, files, null, options, null,
                    files.getJavaFileObjectsFromStrings(sources)).call();
            return done ? null : said.toString();
        }
    }

    private void run(Class<?> type, String name) {
        List<Class<?>> around = new ArrayList<>();
        Class<?> outer = type;
        while (outer.getEnclosingClass() != null && !Modifier.isStatic(outer.getModifiers())) {
            outer = outer.getEnclosingClass();
            around.add(0, outer);
        }
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && !method.isSynthetic()) {
                selectors.add(around.isEmpty() ? selectMethod(type, method) : selectNestedMethod(around, type, method));
            }
        }
        execute(selectors);
        if (tests == 0 && skipped == null) {
            // Some runners know no single method.
            execute(List.of(selectClass(type)));
        }
    }

    private void execute(List<DiscoverySelector> selectors) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        LauncherFactory.create().execute(request, this);
    }

    @Override
    public void executionSkipped(TestIdentifier id, String reason) {
        skipped = "skipped: " + reason;
    }

    @Override
    public void executionFinished(TestIdentifier id, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            skipped = "aborted: " + result.getThrowable().orElse(null);
        } else if (id.isTest()) {
            tests++;
        }
        result.getThrowable()
                .filter(thrown -> result.getStatus() == TestExecutionResult.Status.FAILED)
                .ifPresent(thrown -> failures.add(text(thrown)));
    }

    /** With causes and what was suppressed, without the stacks. */
    private static String text(Throwable thrown) {
        StringBuilder text = new StringBuilder(String.valueOf(thrown));
        for (Throwable suppressed : thrown.getSuppressed()) {
            text.append("\nsuppressed: ").append(suppressed);
        }
        if (thrown.getCause() != null && thrown.getCause() != thrown) {
            text.append("\ncause: ").append(text(thrown.getCause()));
        }
        return text.toString();
    }
}
