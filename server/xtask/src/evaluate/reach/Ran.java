import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of a folder under JaCoCo's agent and writes which methods ran, by test class: lines of
 * {@code test class, class, method, descriptor}, separated by tabs. What runs once for all classes stands with the first
 * that needs it. Written by Telltale's {@code cargo xtask evaluate reach}.
 *
 * <p>Arguments: the file to write, the pattern of the names of test classes, the folder of the tests' classes, the one
 * of the others.
 */
public final class Ran implements TestExecutionListener {
    private final Path[] folders;
    /** By test class: what ran. */
    private final Map<String, Set<String>> ran = new TreeMap<>();
    private TestPlan plan;
    private int tests;
    private int failed;

    private Ran(Path... folders) {
        this.folders = folders;
    }

    public static void main(String[] args) throws IOException {
        Path tests = Path.of(args[2]);
        Ran listener = new Ran(tests, Path.of(args[3]));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClasspathRoots(Set.of(tests)))
                .filters(includeClassNamePatterns(args[1]))
                .build();
        LauncherFactory.create().execute(request, listener);
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[0]), StandardCharsets.UTF_8))) {
            out.println("#\t" + listener.tests + "\t" + listener.failed);
            listener.ran.forEach((test, methods) -> methods.forEach(method -> out.println(test + "\t" + method)));
        }
        // A test may leave a thread behind.
        System.exit(0);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        this.plan = plan;
        // What looking for the tests ran is no test's.
        RT.getAgent().reset();
    }

    @Override
    public void executionFinished(TestIdentifier id, TestExecutionResult result) {
        if (id.isTest()) {
            tests++;
            failed += result.getStatus() == TestExecutionResult.Status.FAILED ? 1 : 0;
        }
        // An engine's children are the test classes that stand in no other.
        boolean isClass = plan.getParent(id).map(parent -> parent.getParentId().isEmpty()).orElse(false);
        if (isClass && id.getSource().orElse(null) instanceof ClassSource source) {
            collect(source.getClassName());
        }
    }

    private void collect(String test) {
        try {
            ExecFileLoader data = new ExecFileLoader();
            data.load(new java.io.ByteArrayInputStream(RT.getAgent().getExecutionData(true)));
            CoverageBuilder builder = new CoverageBuilder();
            Analyzer analyzer = new Analyzer(data.getExecutionDataStore(), builder);
            Set<String> methods = ran.computeIfAbsent(test, name -> new TreeSet<>());
            for (var hit : data.getExecutionDataStore().getContents()) {
                for (Path folder : folders) {
                    Path file = folder.resolve(hit.getName() + ".class");
                    if (hit.hasHits() && Files.isRegularFile(file)) {
                        analyzer.analyzeClass(Files.readAllBytes(file), hit.getName());
                    }
                }
            }
            for (var type : builder.getClasses()) {
                for (var method : type.getMethods()) {
                    if (method.getInstructionCounter().getCoveredCount() > 0) {
                        methods.add(type.getName() + "\t" + method.getName() + "\t" + method.getDesc());
                    }
                }
            }
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }
}
