package dev.telltale.agent;

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
    final Calls calls;
    /** How many profiles were written in this test; under the lock of {@link Probes}. */
    int profiles;

    TestRun(int id, Object key, TestName name) {
        this.id = id;
        this.key = key;
        this.name = name;
        calls = new Calls(this);
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

    long nanos() {
        return Math.max(0, System.nanoTime() - started);
    }
}
