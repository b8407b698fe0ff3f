package dev.telltale.agent;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Sets the recorder up, on the boot class path. */
public final class Start {
    private Start() {}

    /** What stands for the folder where it is told later: until then nothing is recorded, and only frameworks are woven. */
    static final String LATER = "-";

    private static final Weaver WEAVER = new Weaver();

    public static void start(String path, Instrumentation instrumentation) throws Exception {
        Recorder.instrumentation = instrumentation;
        if (!path.equals(LATER)) {
            File folder = new File(path).getAbsoluteFile();
            begin(folder, Plan.read(folder));
        }
        instrumentation.addTransformer(WEAVER, true);
    }

    /** Records by the plan in a folder that is told only now. Classes that it concerns must not have been loaded. */
    static void beginLater(File folder) throws Exception {
        Plan plan = Plan.read(folder);
        for (Class<?> each : Recorder.instrumentation.getAllLoadedClasses()) {
            if (each.getClassLoader() != null && plan.concerns(each.getName().replace('.', '/'))) {
                throw new IllegalStateException(each.getName() + " was loaded before the plan was told");
            }
        }
        begin(folder, plan);
    }

    private static void begin(File folder, Plan plan) throws Exception {
        Recorder.plan = plan;
        Recorder.folder = folder;
        Judge.on = plan.judge != null;
        Recorder.segment = new Segment(folder, plan.bytes);
        Recorder.open(ArrayList.class);
        Recorder.open(Throwable.class);
        Recorder.open(java.util.concurrent.ConcurrentSkipListSet.class);
        if (plan.judge == null) {
            writeJvm();
        } else {
            Judge.open(folder);
        }
        warm();
        Recorder.on = true;
        WEAVER.follow(plan);
        Runtime.getRuntime().addShutdownHook(new Thread(Start::end, "telltale-end"));
        if (plan.judge == null) {
            Fate.watch(plan.testMillis, plan.queries > 0 ? plan.queryMillis : 0);
        }
    }

    /**
     * Tells of this JVM, again when its first test starts: launchers begin with a class path of their own and put that of
     * the tests in its place, and surefire tells it apart.
     */
    static void writeJvm() {
        Bytes record = new Bytes(1024);
        record.u8(0x1F);
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        List<String> arguments = arguments();
        record.str(System.getProperty("java.version", ""));
        record.str(withLauncher(withModules(classPath, arguments)));
        record.str(System.getProperty("user.dir", ""));
        record.str(System.getProperty("sun.java.command", ""));
        record.str(System.getProperty("java.home", ""));
        strings(record, arguments);
        strings(record, properties());
        Recorder.segment.always(record);
        Recorder.segment.flush();
    }

    private static void strings(Bytes record, List<String> all) {
        record.varint(all.size());
        for (String each : all) {
            record.str(each);
        }
    }

    /** What this JVM was started with, as far as the system tells it; nothing where it does not. Management is not asked: loading it may fix a logger. */
    private static List<String> arguments() {
        try {
            Class<?> type = Class.forName("java.lang.ProcessHandle");
            Class<?> info = Class.forName("java.lang.ProcessHandle$Info");
            Object own = type.getMethod("info").invoke(type.getMethod("current").invoke(null));
            Object told = ((Optional<?>) info.getMethod("arguments").invoke(own)).orElse(null);
            return told == null ? Collections.<String>emptyList() : Arrays.asList((String[]) told);
        } catch (ReflectiveOperationException | RuntimeException before9) {
            return Collections.emptyList();
        }
    }

    /** The properties that have a text, name and text by turns. Which of them are the JVM's own is for the reader to say. */
    private static List<String> properties() {
        List<String> out = new ArrayList<>();
        for (Map.Entry<Object, Object> each : new TreeMap<>(System.getProperties()).entrySet()) {
            if (each.getKey() instanceof String && each.getValue() instanceof String) {
                out.add((String) each.getKey());
                out.add((String) each.getValue());
            }
        }
        return out;
    }

    /** Where the code is a module, it and the tests that are patched into it are not on the class path; here they stand before that. */
    private static String withModules(String classPath, List<String> arguments) {
        List<String> all = patches(arguments);
        all.add(System.getProperty("jdk.module.path", ""));
        all.add(classPath);
        all.removeAll(Collections.singleton(""));
        return String.join(File.pathSeparator, all);
    }

    /** What is patched into modules, which a JVM forgets as it starts: the launcher's words, or those in a file that it was given, say it. */
    private static List<String> patches(List<String> arguments) {
        List<String> words = new ArrayList<>();
        for (String word : arguments) {
            words.addAll(word.startsWith("@") ? wordsIn(word.substring(1)) : Collections.singletonList(word));
        }
        List<String> out = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            boolean isNext = word.equals("--patch-module") && at + 1 < words.size();
            String value = isNext ? words.get(++at) : word.startsWith("--patch-module=") ? word.substring(15) : "";
            out.add(value.substring(value.indexOf('=') + 1));
        }
        return out;
    }

    /** The words of a file as {@code java} reads it; none if there is no such file any more. */
    private static List<String> wordsIn(String path) {
        List<String> out = new ArrayList<>();
        String text;
        try {
            text = new String(Files.readAllBytes(new File(path).toPath()), Charset.defaultCharset());
        } catch (IOException | RuntimeException gone) {
            return out;
        }
        StringBuilder word = null;
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean opens = quote == 0 && (c == '"' || c == '\'');
            if (quote == 0 && c <= ' ') {
                if (word != null) {
                    out.add(word.toString());
                }
                word = null;
                continue;
            }
            word = word == null ? new StringBuilder() : word;
            if (opens || c == quote) {
                quote = opens ? c : 0;
            } else {
                word.append(quote != 0 && c == '\\' && at + 1 < text.length() ? text.charAt(++at) : c);
            }
        }
        if (word != null) {
            out.add(word.toString());
        }
        return out;
    }

    /** What a launcher of the JUnit Platform needs besides itself. */
    private static final String[] PLATFORM = {
        "org.junit.platform.launcher.Launcher",
        "org.junit.platform.engine.TestEngine",
        "org.junit.platform.commons.JUnitException",
        "org.opentest4j.AssertionFailedError"
    };

    /** Build tools keep the launcher of the JUnit Platform apart from what tests use, and its engines, where the project names none; here they stand behind that. */
    private static String withLauncher(String classPath) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Set<String> all = new LinkedHashSet<>(Arrays.asList(classPath.split(File.pathSeparator)));
        boolean hasPlatform = false;
        for (String name : PLATFORM) {
            try {
                Class<?> of = Class.forName(name, false, loader);
                all.add(new File(of.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath());
                hasPlatform = true;
            } catch (ReflectiveOperationException | LinkageError | RuntimeException | URISyntaxException none) {
                // Tests that need it do not run here either.
            }
        }
        if (hasPlatform) {
            all.addAll(engines(loader));
        }
        return String.join(File.pathSeparator, all);
    }

    /** The jars that have engines of the JUnit Platform. */
    private static List<String> engines(ClassLoader loader) {
        List<String> out = new ArrayList<>();
        try {
            Enumeration<URL> found = loader.getResources("META-INF/services/org.junit.platform.engine.TestEngine");
            while (found.hasMoreElements()) {
                String at = found.nextElement().toString();
                int end = at.indexOf("!/");
                if (at.startsWith("jar:file:") && end > 0) {
                    out.add(new File(new URI(at.substring("jar:".length(), end))).getPath());
                }
            }
        } catch (IOException | RuntimeException | URISyntaxException none) {
            return out;
        }
        return out;
    }

    /** Loads what recording needs: later, a class that fails to load for want of stack would be lost for good. */
    private static void warm() throws ClassNotFoundException {
        for (Class<?> each : new Class<?>[] {Slots.class, Slot.class, Samples.class, Reservoir.class, Reservoir.Kept.class,
                Probes.class,
                Tests.class, TestRun.class, Calls.class, Frameworks.class, IntMap.class, Tag.class, Callers.class,
                Fate.class, Slots.Asked.class, Loaders.class, Initialisers.class}) {
            Class.forName(each.getName(), true, null);
        }
        Callers.warm();
        Encoder encoder = Encoder.take();
        encoder.value(new Object[] {1, "", new ArrayList<>(Collections.singletonList(1.0)), new Exception("warm"),
                Collections.unmodifiableMap(Collections.singletonMap('a', Thread.State.NEW))}, new Identities());
        encoder.key();
        encoder.busy = false;
    }

    private static void end() {
        if (Judge.on) {
            // Somebody called System.exit: what stands in the file says in which test.
            Recorder.on = false;
            return;
        }
        try {
            Fate.exits();
            Tests.endAll();
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
        Recorder.on = false;
        Recorder.segment.finish();
    }
}
