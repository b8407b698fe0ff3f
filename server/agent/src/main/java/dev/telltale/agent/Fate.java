package dev.telltale.agent;

import java.io.File;
import java.io.PrintWriter;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Tests that end the JVM that they run in, and those that would never end; and queries that would not, which are none of
 * the test's doing. Each is told with its reason, so that the next run can leave it out and all else is recorded.
 */
final class Fate {
    private Fate() {}

    /** It ran longer than tests may. */
    private static final int SLOW = 1;
    /** Somebody asked the JVM to exit while it ran. */
    private static final int EXIT = 2;
    /** The JVM ran out of memory, and the framework gave up. */
    private static final int MEMORY = 3;
    /** What it was asked ran longer than queries may. */
    private static final int QUERY = 4;

    /** What a JVM ends with whose test took too long, as {@code timeout} does. */
    private static final int STATUS = 124;
    /** How often tests are looked at. */
    private static final long TICK = 50;
    /** How often queries are, where tests may take as long as they like. */
    private static final long SLOW_TICK = 500;
    /** How long writing down what happened may take. */
    private static final long PATIENCE = 5000;

    /**
     * Ends this JVM when a test or a query runs longer than it may, of which 0 is no bound. A query has half of what a test
     * has at most: that is then not the test's fault.
     */
    static void watch(long testMillis, long queryMillis) {
        if (testMillis <= 0 && queryMillis <= 0) {
            return;
        }
        long tick = testMillis > 0 ? Math.min(TICK, testMillis) : Math.min(SLOW_TICK, queryMillis);
        long ofQuery = testMillis > 0 ? Math.min(queryMillis, Math.max(1, testMillis / 2)) : queryMillis;
        daemon("telltale-watch", () -> {
            while (true) {
                sleep(tick);
                Slots.Asked endless = ofQuery > 0 ? Slots.longerThan(ofQuery) : null;
                TestRun slow = testMillis > 0 ? Tests.longerThan(testMillis) : null;
                if (endless == null && slow != null && queryMillis > 0) {
                    endless = Slots.longerThan(Recorder.plan.slotMillis);
                }
                if (endless != null) {
                    String number = Integer.toString(endless.slot);
                    end(endless.test, QUERY, () -> number);
                } else if (slow != null) {
                    end(slow, SLOW, () -> dump(slow, testMillis));
                }
            }
        });
    }

    /** Threads of the program's own group could be counted by a test. */
    private static void daemon(String name, Runnable work) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread thread = new Thread(group, work, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException nobodyShould) {
            // Then it looks sooner.
        }
    }

    /** Shutdown hooks are not run: one may wait for what hangs. */
    private static void end(TestRun run, int why, Supplier<String> about) {
        daemon("telltale-halt", () -> {
            sleep(PATIENCE);
            Runtime.getRuntime().halt(STATUS);
        });
        try {
            tell(run, why, about.get());
            Tests.endAll();
            Recorder.on = false;
            Recorder.segment.finish();
            endChildren();
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
        Runtime.getRuntime().halt(STATUS);
    }

    private static void tell(TestRun run, int why, String where) {
        Bytes record = new Bytes(64);
        record.u8(0x18);
        record.varint(run.id);
        record.u8(why);
        record.str(where);
        Recorder.segment.always(record);
        Recorder.segment.flush();
    }

    /** The name of a file beside the segment that says what each thread does, or nothing if it could not be written. */
    private static String dump(TestRun slow, long millis) {
        String name = Segment.pid() + "-" + slow.id + ".dump";
        try (PrintWriter out = new PrintWriter(new File(Recorder.folder, name), "UTF-8")) {
            out.println(slow.name.className + "#" + slow.name.methodName + slow.name.invocation + " ran longer than " + millis
                    + " ms. What the threads of its JVM did then:");
            threads(out);
            return out.checkError() ? "" : name;
        } catch (Throwable unwritable) {
            return "";
        }
    }

    private static void threads(PrintWriter out) {
        ThreadInfo[] all;
        try {
            all = ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
        } catch (Throwable withoutManagement) {
            for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
                out.println("\n\"" + each.getKey().getName() + "\" " + each.getKey().getState());
                for (StackTraceElement frame : each.getValue()) {
                    out.println("    at " + text(frame));
                }
            }
            return;
        }
        for (ThreadInfo thread : all) {
            if (!thread.getThreadName().startsWith("telltale-")) {
                thread(out, thread);
            }
        }
    }

    /** As traces had it before there were modules. */
    private static String text(StackTraceElement frame) {
        String place = frame.isNativeMethod() ? "native" : frame.getFileName() == null ? "unknown"
                : frame.getFileName() + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
    }

    private static void thread(PrintWriter out, ThreadInfo thread) {
        out.println("\n\"" + thread.getThreadName() + "\" " + thread.getThreadState());
        StackTraceElement[] frames = thread.getStackTrace();
        if (thread.getLockName() != null) {
            String owner = thread.getLockOwnerName();
            out.println("    waits for " + thread.getLockName() + (owner == null ? "" : ", which \"" + owner + "\" holds"));
        }
        for (int at = 0; at < frames.length; at++) {
            out.println("    at " + text(frames[at]));
            for (MonitorInfo monitor : thread.getLockedMonitors()) {
                if (monitor.getLockedStackDepth() == at) {
                    out.println("       holds " + monitor);
                }
            }
        }
        for (LockInfo lock : thread.getLockedSynchronizers()) {
            out.println("    holds " + lock);
        }
    }

    /** What the JVM started; before Java 9 nobody knows it. */
    private static void endChildren() {
        try {
            Class<?> handle = Class.forName("java.lang.ProcessHandle");
            Object own = handle.getMethod("current").invoke(null);
            Method destroy = handle.getMethod("destroyForcibly");
            Iterator<?> all = ((Stream<?>) handle.getMethod("descendants").invoke(own)).iterator();
            while (all.hasNext()) {
                destroy.invoke(all.next());
            }
        } catch (ReflectiveOperationException | RuntimeException before9) {
            // Who started this JVM ends its whole group of processes.
        }
    }

    /** The JVM shuts down: if somebody asked for it, the tests that run are told to have. */
    static void exits() {
        StackTraceElement caller = exitCaller();
        if (caller != null) {
            for (TestRun run : Tests.running()) {
                tell(run, EXIT, text(caller));
            }
        }
    }

    /** Who called {@code System.exit}; null if nobody did, or who runs the tests. */
    private static StackTraceElement exitCaller() {
        for (StackTraceElement[] frames : Thread.getAllStackTraces().values()) {
            boolean found = false;
            for (StackTraceElement frame : frames) {
                String of = frame.getClassName();
                if (of.equals("java.lang.Shutdown") && frame.getMethodName().equals("exit")) {
                    found = true;
                } else if (found && !of.equals("java.lang.Shutdown") && !of.equals("java.lang.Runtime")
                        && !of.equals("java.lang.System")) {
                    // A signal, or the end that the tests' runner makes.
                    return of.startsWith("java.lang.Terminator") || of.startsWith("org.apache.maven.surefire.")
                            || of.startsWith("org.gradle.") || of.startsWith("worker.org.gradle.") ? null : frame;
                }
            }
        }
        return null;
    }

    /** An error that the framework takes for the end of all. Where it runs the next test all the same, that one tells. */
    static void unrecoverable(Object thrown) {
        if (thrown instanceof OutOfMemoryError) {
            for (TestRun run : Tests.running()) {
                tell(run, MEMORY, "");
            }
        }
    }
}
