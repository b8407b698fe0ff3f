package dev.telltale.agent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.internal.vm.annotation.DontInline;

/** What {@code dev_telltale.See} records. Nothing here throws. */
public final class Slots {
    private Slots() {}

    /** Queries that once ran too long, in any test. */
    private static final BitSet SLOW = new BitSet();

    /** False if the value need not be told. */
    public static boolean looks(int slot) {
        return Hot.looks(slot);
    }

    /**
     * In one place, not in each loop: what the JVM's compiler puts into a method counts against its bounds, and the
     * program's own methods are to find room there.
     */
    @DontInline
    public static void primitive(int slot, int tag, long bits) {
        if (!Hot.counts(slot, tag, bits) && Recorder.on && !isAsked()) {
            told(slot, tag, bits);
        }
    }

    private static void told(int slot, int tag, long bits) {
        try {
            if (Judge.on) {
                Judge.primitive(slot, tag, bits);
                return;
            }
            TestRun test = Tests.current();
            Slot of = test.slot(slot);
            synchronized (of) {
                of.primitive(tag, bits);
                Hot.met(slot, of, test);
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    @DontInline
    public static void object(int slot, Object value) {
        if (!Hot.counts(slot, value) && Recorder.on && !isAsked()) {
            reference(slot, value, false);
        }
    }

    private static void reference(int slot, Object value, boolean thrown) {
        try {
            if (Judge.on ? !Judge.wants(slot) : counted(slot, Tests.current())) {
                return;
            }
            Encoder encoder = Encoder.take();
            if (encoder == null) {
                return;
            }
            try {
                TestRun test = Tests.current();
                encoder.value(value, test.identities);
                byte[] bytes = encoder.out.copy();
                byte[] key = encoder.key();
                if (Judge.on) {
                    Judge.object(slot, key, thrown, thrown ? thrown(bytes) : bytes);
                    return;
                }
                Slot of = test.slot(slot);
                synchronized (of) {
                    of.value(thrown ? thrown(bytes) : bytes, thrown ? thrown(key) : key);
                    if (!thrown) {
                        of.was(value);
                    }
                    Hot.met(slot, of, test);
                }
            } finally {
                encoder.busy = false;
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    private static boolean counted(int slot, TestRun test) {
        Slot of = test.slot(slot);
        synchronized (of) {
            if (!of.counted()) {
                return false;
            }
            Hot.met(slot, of, test);
            return true;
        }
    }

    private static byte[] thrown(byte[] value) {
        byte[] marked = new byte[value.length + 1];
        marked[0] = Tag.THROWN;
        System.arraycopy(value, 0, marked, 1, value.length);
        return marked;
    }

    // --- Queries ---

    /** A query that a thread answers. */
    static final class Asked {
        final int slot;
        final TestRun test;
        final long since = System.nanoTime();

        Asked(int slot, TestRun test) {
            this.slot = slot;
            this.test = test;
        }
    }

    /** Not null in a thread that answers a query: what that calls is no call of the test, and what is defined there is not defined by it. */
    private static final ThreadLocal<Asked> ASKED = new ThreadLocal<>();

    /** Those that are under way, in the order in which they began; under its own lock. */
    private static final List<Asked> UNDER_WAY = new ArrayList<>();

    /** How many threads answer one: most of the time none, and nobody has to look for its own. */
    private static final AtomicInteger ASKING = new AtomicInteger();

    static boolean isAsked() {
        return ASKING.get() > 0 && ASKED.get() != null;
    }

    private static void asks(int slot, TestRun test) {
        Asked asked = new Asked(slot, test);
        ASKED.set(asked);
        synchronized (UNDER_WAY) {
            UNDER_WAY.add(asked);
        }
        ASKING.incrementAndGet();
        Hot.asks();
    }

    private static void asksNoMore() {
        Asked asked = ASKED.get();
        if (asked != null) {
            ASKED.remove();
            synchronized (UNDER_WAY) {
                UNDER_WAY.remove(asked);
            }
            ASKING.decrementAndGet();
            Hot.asksNoMore();
        }
    }

    /** The first of the queries that have been under way for so long, or null. */
    static Asked longerThan(long millis) {
        synchronized (UNDER_WAY) {
            for (Asked asked : UNDER_WAY) {
                if ((System.nanoTime() - asked.since) / 1_000_000 >= millis) {
                    return asked;
                }
            }
            return null;
        }
    }

    /** In the order in which they stand all are asked in turn 0; else each has one of its own, the last one first. */
    public static int turns(int queries) {
        return isBackwards() ? queries : 0;
    }

    public static boolean isTurn(int turn, int index) {
        return isBackwards() ? turn == index + 1 : turn == 0;
    }

    private static boolean isBackwards() {
        return Recorder.on && Recorder.plan.backwards;
    }

    /** Starts the clock of the slot if it is to be evaluated. */
    public static boolean wants(int slot) {
        // A query that another one comes by would end that when it is answered.
        if (!Recorder.on || Recorder.plan.queries == 0 || Recorder.plan.mutes(slot) || isAsked()) {
            return false;
        }
        if (Judge.on) {
            // Nothing here depends on time: another order of what is asked would look like another value.
            boolean asks = Judge.asks(slot);
            if (asks) {
                asks(slot, Tests.current());
            }
            return asks;
        }
        try {
            synchronized (SLOW) {
                if (SLOW.get(slot)) {
                    return false;
                }
            }
            TestRun test = Tests.current();
            Slot of = test.slot(slot);
            synchronized (of) {
                if (of.queries == Recorder.plan.queries) {
                    return false;
                }
                of.queries++;
                of.queryStarted = System.nanoTime();
            }
            asks(slot, test);
            return true;
        } catch (Throwable problem) {
            Recorder.failed(problem);
            return false;
        }
    }

    /** Stops the clock of the slot. */
    public static void answered(int slot) {
        asksNoMore();
        if (Judge.on) {
            Judge.answered();
            return;
        }
        if (!Recorder.on) {
            return;
        }
        try {
            TestRun test = Tests.current();
            Slot of = test.slot(slot);
            long nanos;
            synchronized (of) {
                nanos = System.nanoTime() - of.queryStarted;
            }
            if (nanos > Recorder.plan.slotMillis * 1_000_000) {
                slow(slot, test);
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    private static void slow(int slot, TestRun test) {
        synchronized (SLOW) {
            if (SLOW.get(slot)) {
                return;
            }
            SLOW.set(slot);
        }
        Bytes record = new Bytes(16);
        record.u8(0x13);
        record.varint(slot);
        record.varint(test.id);
        Recorder.segment.add(record);
    }

    public static void threw(int slot, Throwable thrown) {
        if (Recorder.on) {
            answered(slot);
            reference(slot, thrown, true);
        }
    }
}
