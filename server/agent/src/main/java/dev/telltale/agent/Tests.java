package dev.telltale.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which tests run. A thread belongs to the test that it runs, or to that of the thread that started it; if exactly one
 * test runs in this JVM, everything belongs to that, threads of pools too; else to none.
 */
final class Tests {
    private Tests() {}

    /** What runs outside of tests. */
    static final TestRun OUTSIDE = new TestRun(0, null, new TestName());

    private static final InheritableThreadLocal<TestRun> OF_THREAD = new InheritableThreadLocal<>();
    /** Under the lock of this list. */
    private static final List<TestRun> RUNNING = new ArrayList<>();
    /** What belongs to threads that know no running test. */
    private static volatile TestRun sole = OUTSIDE;
    /** True while at most one test runs, so that no thread need be asked. */
    private static volatile boolean single = true;

    /** The methods of which an invocation began, or was skipped; under its own lock. */
    private static final Set<String> BEGAN = new HashSet<>();

    /** True once a test started. Two that start first at once tell the same twice, which does no harm. */
    private static volatile boolean begun;

    static TestRun current() {
        if (single) {
            return sole;
        }
        TestRun own = OF_THREAD.get();
        return own != null && own.running ? own : sole;
    }

    /** True if all that happens now belongs to this test. */
    static boolean isSole(TestRun run) {
        return single && sole == run;
    }

    /** The test that this framework's object stands for, if it runs. */
    static TestRun of(Object key) {
        synchronized (RUNNING) {
            for (TestRun run : RUNNING) {
                if (run.key == key) {
                    return run;
                }
            }
            return null;
        }
    }

    /** The test that this thread itself runs, or null. */
    static TestRun own() {
        TestRun own = OF_THREAD.get();
        return own != null && own.running && own.thread == threadId() ? own : null;
    }

    /** True if this thread itself is in a test: what starts now is a part of that. */
    static boolean inTest() {
        return own() != null;
    }

    static void start(Object key, TestName name) {
        writeJvm();
        begins(name);
        TestRun run = new TestRun(Judge.on ? 1 : Recorder.segment.test(name), key, name);
        synchronized (RUNNING) {
            if (RUNNING.isEmpty()) {
                Probes.collect(OUTSIDE.id);
            }
            RUNNING.add(run);
            count();
        }
        OF_THREAD.set(run);
        if (Judge.on) {
            Judge.started(name);
            return;
        }
        Bytes record = new Bytes(32);
        record.u8(0x10);
        record.varint(run.id);
        record.varint(run.thread);
        record.svarint(System.currentTimeMillis());
        Recorder.segment.always(record);
        // If it ends the JVM, this says which test did.
        Recorder.segment.flush();
    }

    /** How the test will have ended. What is noted first counts. */
    static void note(Object key, int status, Throwable thrown) {
        TestRun run = of(key);
        if (run != null && run.noted == TestRun.PASSED) {
            run.noted = status;
            run.thrown = thrown;
        }
    }

    /** {@code status} holds unless another was noted. Nothing happens when no test of this key runs. */
    static void end(Object key, int status, Throwable thrown) {
        TestRun run = of(key);
        if (run == null) {
            return;
        }
        synchronized (RUNNING) {
            RUNNING.remove(run);
            if (run.overlapped) {
                Recorder.segment.lost("coverage of tests that ran at the same time");
                if (RUNNING.isEmpty()) {
                    Probes.forget();
                }
            } else {
                Probes.collect(run.id);
            }
            run.running = false;
            count();
        }
        if (OF_THREAD.get() == run) {
            OF_THREAD.remove();
        }
        if (Judge.on) {
            boolean isNoted = run.noted != TestRun.PASSED;
            Judge.ended(isNoted ? run.noted : status, isNoted ? run.thrown : thrown);
            return;
        }
        run.writeSlots();
        Samples.write(run);
        if (run.noted == TestRun.PASSED) {
            writeEnd(run.id, status, run.nanos(), thrown);
        } else {
            writeEnd(run.id, run.noted, run.nanos(), run.thrown);
        }
        Recorder.segment.flush();
    }

    /** A test that the framework does not run. */
    static void skip(TestName name) {
        begins(name);
        if (Judge.on) {
            return;
        }
        writeEnd(Recorder.segment.test(name), TestRun.SKIPPED, 0, null);
    }

    private static void writeJvm() {
        if (!begun && !Judge.on) {
            begun = true;
            Start.writeJvm();
        }
    }

    private static void begins(TestName name) {
        synchronized (BEGAN) {
            BEGAN.add(keyOf(name));
        }
    }

    /** Tests of a class that failed: if none of them began, its set-up did, and they failed by that. */
    static void unable(List<TestName> within, Throwable by) {
        if (inTest()) {
            return;
        }
        synchronized (BEGAN) {
            for (TestName each : within) {
                if (BEGAN.contains(keyOf(each))) {
                    return;
                }
            }
        }
        for (TestName each : within) {
            // Its end is told to several listeners.
            begins(each);
            if (Judge.on) {
                Judge.unable(each);
            } else {
                writeJvm();
                writeEnd(Recorder.segment.test(each), TestRun.FAILED, 0, by);
            }
        }
    }

    /** A method of a class, whichever invocation of it. */
    private static String keyOf(TestName name) {
        return name.className + '#' + name.methodName;
    }

    private static void writeEnd(int id, int status, long nanos, Throwable thrown) {
        int ofThrown = 0;
        String message = "";
        if (thrown != null) {
            try {
                Shape shape = Shape.of(thrown.getClass());
                ofThrown = shape.id;
                message = Initialisers.message(thrown, Encoder.message(shape, thrown));
            } catch (RuntimeException | LinkageError unreadable) {
                Recorder.failed(unreadable);
            }
        }
        Bytes record = new Bytes(64);
        record.u8(0x11);
        record.varint(id);
        record.u8(status);
        record.varint(nanos);
        if (status == TestRun.FAILED) {
            record.varint(ofThrown);
            record.str(message == null ? "" : message, Recorder.plan.string);
        }
        Recorder.segment.always(record);
    }

    /** The JVM ends: what still runs did not end by itself. */
    static void endAll() {
        for (TestRun run = any(); run != null; run = any()) {
            end(run.key, TestRun.UNKNOWN, null);
        }
        synchronized (RUNNING) {
            Probes.collect(OUTSIDE.id);
        }
        OUTSIDE.writeSlots();
        Samples.write(OUTSIDE);
    }

    private static TestRun any() {
        synchronized (RUNNING) {
            return RUNNING.isEmpty() ? null : RUNNING.get(0);
        }
    }

    static List<TestRun> running() {
        synchronized (RUNNING) {
            return new ArrayList<>(RUNNING);
        }
    }

    /** The first of the tests that have run for so long, or null. */
    static TestRun longerThan(long millis) {
        synchronized (RUNNING) {
            for (TestRun run : RUNNING) {
                if (run.nanos() / 1_000_000 >= millis) {
                    return run;
                }
            }
            return null;
        }
    }

    private static void count() {
        if (RUNNING.size() > 1) {
            for (TestRun run : RUNNING) {
                run.overlapped = true;
            }
        }
        sole = RUNNING.size() == 1 ? RUNNING.get(0) : OUTSIDE;
        single = RUNNING.size() < 2;
        Hot.clear();
        Samples.count(single ? sole.calls : null);
    }

    @SuppressWarnings("deprecation")
    static long threadId() {
        return Thread.currentThread().getId();
    }
}
