package dev.telltale.agent;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** One run of one test, or with id 0 all that runs outside of tests. What it collects is written when it ends. */
final class TestRun {
    static final int PASSED = 0;
    static final int FAILED = 1;
    static final int ABORTED = 2;
    static final int SKIPPED = 3;
    static final int UNKNOWN = 4;

    final int id;
    /** What the framework hands over at start and end. */
    final Object key;
    final TestName name;
    /** The thread that started it. */
    final long thread = Tests.threadId();
    /** What the framework said of its end before it ended. */
    volatile int noted = PASSED;
    volatile Throwable thrown;
    private final long started = System.nanoTime();
    volatile boolean running = true;
    /** True once another test ran at the same time: what ran is then nobody's. */
    volatile boolean overlapped;

    final Identities identities = new Identities();
    private final IntMap<Slot> slots = new IntMap<>();
    final Calls calls = new Calls(this);
    /** Of the profiles written in this test: what is in them, to their numbers. */
    final Map<ByteBuffer, Integer> profiles = new HashMap<>();

    private long kept;

    TestRun(int id, Object key, TestName name) {
        this.id = id;
        this.key = key;
        this.name = name;
    }

    /** The slot, whose monitor is to be held while it changes. */
    Slot slot(int number) {
        synchronized (slots) {
            // 0 is no key.
            Slot slot = slots.get(number + 1);
            if (slot == null) {
                slot = new Slot();
                slots.put(number + 1, slot);
            }
            return slot;
        }
    }

    /** Writes what slots hold, in the order of their numbers, and forgets it. */
    void writeSlots() {
        int[] keys;
        synchronized (slots) {
            keys = slots.keys();
        }
        Bytes record = new Bytes(256);
        for (int key : keys) {
            Slot slot = slot(key - 1);
            record.clear();
            synchronized (slot) {
                if (slot.count == 0) {
                    continue;
                }
                record.u8(0x12);
                record.varint(key - 1);
                record.varint(id);
                slot.write(record);
            }
            Recorder.segment.add(record);
        }
        synchronized (slots) {
            slots.clear();
        }
    }

    /** Counts bytes of samples that are kept until the test ends. */
    synchronized long keeps(int more) {
        return kept += more;
    }

    long nanos() {
        return Math.max(0, System.nanoTime() - started);
    }

    /** The calls of each method in this test; numbers of methods are small. */
    static final class Calls {
        private final TestRun run;
        private volatile Samples.Reservoir[] of = new Samples.Reservoir[64];

        Calls(TestRun run) {
            this.run = run;
        }

        Samples.Reservoir of(int method) {
            Samples.Reservoir[] known = of;
            Samples.Reservoir found = method < known.length ? known[method] : null;
            return found == null ? add(method) : found;
        }

        private synchronized Samples.Reservoir add(int method) {
            if (method >= of.length) {
                Samples.Reservoir[] before = of;
                of = Arrays.copyOf(of, Math.max(of.length * 2, method + 1));
                Tests.grown(before, of);
            }
            if (of[method] == null) {
                of[method] = new Samples.Reservoir(run);
            }
            return of[method];
        }

        Samples.Reservoir[] all() {
            return of;
        }
    }
}
