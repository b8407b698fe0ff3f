package dev.telltale.agent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.CodeSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.internal.vm.annotation.DontInline;

/**
 * Which line of a test led to a call: that of the innermost frame of the test's class, or of a class nested in it, lambdas
 * too. Only where there is none, as in a test that is inherited, a class above it counts: its lines are of another file.
 * What the initialiser of a class calls, no line of a test did: it runs in the test that happens to come first.
 */
final class Callers {
    private Callers() {}

    /** As many frames as a throwable holds unless a JVM is told otherwise. */
    private static final int MOST = 1024;
    private static final String SAMPLES = Samples.class.getName();
    private static final String INITIALISER = "<clinit>";

    /** A {@code StackWalker}, which reads no more frames than are asked for; null before JDK 9. */
    private static final Object WALKER;
    private static final Method WALK;
    private static final Method CLASS_NAME;
    private static final Method METHOD_NAME;
    private static final Method LINE;

    static {
        Object walker = null;
        Method walk = null;
        Method className = null;
        Method methodName = null;
        Method line = null;
        try {
            Class<?> type = Class.forName("java.lang.StackWalker");
            Class<?> frame = Class.forName("java.lang.StackWalker$StackFrame");
            walk = type.getMethod("walk", Function.class);
            className = frame.getMethod("getClassName");
            methodName = frame.getMethod("getMethodName");
            line = frame.getMethod("getLineNumber");
            walker = type.getMethod("getInstance").invoke(null);
        } catch (ReflectiveOperationException before9) {
            // Throwables tell it too.
        }
        WALKER = walker;
        WALK = walk;
        CLASS_NAME = className;
        METHOD_NAME = methodName;
        LINE = line;
    }

    /** What stands above a test's class in the same folder or jar, once a test looked for it. */
    private static final Map<String, Set<String>> ABOVE = new HashMap<>();

    /** The line in this run's test that led to the call that {@link Samples#entry} is told of, or -1. */
    @DontInline
    static int line(TestRun run) {
        String own = run.name.className;
        if (own.isEmpty()) {
            return -1;
        }
        try {
            String nested = own + '$';
            int line = line(it -> it.startsWith(own) && (it.length() == own.length() || it.startsWith(nested)));
            if (line > 0) {
                return line;
            }
            Set<String> above = above(own);
            return above.isEmpty() ? -1 : line(above::contains);
        } catch (ReflectiveOperationException | RuntimeException hidden) {
            // A security manager of the tests may be in the way.
            return -1;
        }
    }

    private static int line(Predicate<String> isTest) throws ReflectiveOperationException {
        if (WALKER == null) {
            StackTraceElement[] frames = new Throwable().getStackTrace();
            int at = called(frames);
            for (int most = Math.min(frames.length, MOST); at < most; at++) {
                if (frames[at].getMethodName().equals(INITIALISER)) {
                    return -1;
                }
                if (isTest.test(frames[at].getClassName())) {
                    return Math.max(frames[at].getLineNumber(), -1);
                }
            }
            return -1;
        }
        Function<Stream<?>, Integer> find = frames -> {
            try {
                return line(frames.iterator(), isTest);
            } catch (InvocationTargetException | IllegalAccessException closed) {
                return -1;
            }
        };
        return (Integer) WALK.invoke(WALKER, find);
    }

    private static int line(Iterator<?> frames, Predicate<String> isTest)
            throws InvocationTargetException, IllegalAccessException {
        // The recorder's frames come first, then that of the call itself, which may be the test's own method.
        boolean recorder = false;
        boolean call = false;
        for (int count = 0; count < MOST && frames.hasNext(); count++) {
            Object frame = frames.next();
            String name = (String) CLASS_NAME.invoke(frame);
            if (call) {
                if (METHOD_NAME.invoke(frame).equals(INITIALISER)) {
                    return -1;
                }
                if (isTest.test(name)) {
                    return Math.max((Integer) LINE.invoke(frame), -1);
                }
            } else if (name.equals(SAMPLES)) {
                recorder = true;
            } else {
                call = recorder;
            }
        }
        return -1;
    }

    /** Behind the frame of the call itself. */
    private static int called(StackTraceElement[] frames) {
        int at = 0;
        while (at < frames.length && !frames[at].getClassName().equals(SAMPLES)) {
            at++;
        }
        while (at < frames.length && frames[at].getClassName().equals(SAMPLES)) {
            at++;
        }
        return at + 1;
    }

    /** The frameworks' own classes are no tests: what counts comes from where the test's class does. */
    private static Set<String> above(String own) {
        synchronized (ABOVE) {
            Set<String> known = ABOVE.get(own);
            if (known != null) {
                return known;
            }
            // What fails here once fails again.
            ABOVE.put(own, Collections.emptySet());
            Set<String> above = new HashSet<>();
            for (Class<?> type : Recorder.instrumentation.getAllLoadedClasses()) {
                if (type.getName().equals(own)) {
                    CodeSource source = type.getProtectionDomain().getCodeSource();
                    for (Class<?> it = type.getSuperclass(); it != null; it = it.getSuperclass()) {
                        if (source != null && source.equals(it.getProtectionDomain().getCodeSource())) {
                            above.add(it.getName());
                        }
                    }
                }
            }
            ABOVE.put(own, above);
            return above;
        }
    }

    /** Walks until the JDK makes nothing more of it: what fails there for want of stack fails for good. */
    static void warm() {
        TestName name = new TestName();
        name.className = Start.class.getName();
        TestRun run = new TestRun(0, null, name);
        for (int times = 0; times < 20; times++) {
            Samples.line(run);
        }
    }
}
