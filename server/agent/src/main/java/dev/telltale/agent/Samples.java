package dev.telltale.agent;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** What woven methods call as they are entered and left. Nothing here throws. */
public final class Samples {
    private Samples() {}

    private static final int ENTRY = 0;
    private static final int RETURN = 1;
    private static final int THROW = 2;
    /** What is kept of a test's samples while it runs; beyond it they are written, and methods sampled so far are done. */
    private static final int MOST = 1 << 24;

    private static final AtomicLong SEQUENCE = new AtomicLong();
    private static final AtomicLong NONCE = new AtomicLong();
    /** By the method's number in the dictionary. */
    private static volatile Kind[] kinds = new Kind[64];

    /** What a method takes: the first letters of the descriptors of its parameters, behind {@code this} if it has one. */
    private static final class Kind {
        final String letters;
        final boolean isStatic;
        final Probes.Group group;

        Kind(String letters, boolean isStatic, Probes.Group group) {
            this.letters = letters;
            this.isStatic = isStatic;
            this.group = group;
        }
    }

    static synchronized void define(int method, String letters, boolean isStatic, Probes.Group group) {
        Kind[] all = kinds;
        if (method >= all.length) {
            all = Arrays.copyOf(all, Math.max(all.length * 2, method + 1));
        }
        all[method] = new Kind(letters, isStatic, group);
        kinds = all;
    }

    /** A call that was chosen. Woven code holds it as an object. */
    private static final class Call {
        final TestRun run;
        final int method;
        final Reservoir reservoir;
        final int place;
        /** The receiver or null, then the parameters, as they were at the entry. */
        Object[] given;
        byte[] entry;
        long nonce;

        Call(TestRun run, int method, Reservoir reservoir, int place) {
            this.run = run;
            this.method = method;
            this.reservoir = reservoir;
            this.place = place;
        }
    }

    /**
     * Which calls of a method are kept in a test: the first half of the allowed number, and of all later ones a sample
     * in which each has the same chance. Chance is a hash of the count, so a second run chooses the same calls.
     */
    static final class Reservoir {
        final TestRun run;
        /** Read and written by all threads without care: that two of them may count one call is no harm. */
        int count;
        /** The call that is chosen next, as {@link #count} counts; 0 for none. */
        volatile int next = Recorder.plan.samples > 0 ? 1 : 0;
        private byte[][] kept = {};
        /** What was written early cannot be replaced. */
        private boolean closed;
        /** Of the later calls those are kept that drew the largest numbers; the least of these, as a probability. */
        private double bar = 1;
        private int draws;

        Reservoir(TestRun run) {
            this.run = run;
        }

        /** The place for this call, or -1. */
        synchronized int choose(int call) {
            if (call != next) {
                return -1;
            }
            int most = Recorder.plan.samples;
            int first = most / 2;
            int later = most - first;
            int place = call <= most ? call - 1 : first + (int) (draw() * later);
            if (call < most) {
                next = call + 1;
            } else {
                // Vitter's skips: how many calls pass until one is kept again, without drawing for each of them.
                bar *= StrictMath.exp(StrictMath.log(draw()) / later);
                double skip = StrictMath.floor(StrictMath.log(draw()) / StrictMath.log(1 - bar)) + 1;
                next = skip < Integer.MAX_VALUE - call ? call + (int) skip : 0;
            }
            return place;
        }

        /** Between 0 and 1, and the same in each run. */
        private double draw() {
            int hash = ++draws * 0x9E3779B9;
            hash = (hash ^ hash >>> 16) * 0x85EBCA6B;
            hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
            return ((hash ^ hash >>> 16) >>> 1 | 1) / (double) (1L << 31);
        }

        synchronized int keep(int place, byte[] sample) {
            if (closed) {
                return 0;
            }
            if (place >= kept.length) {
                kept = Arrays.copyOf(kept, Math.max(place + 1, kept.length * 2));
            }
            int more = sample.length - (kept[place] == null ? 0 : kept[place].length);
            kept[place] = sample;
            return more;
        }

        synchronized byte[][] close() {
            closed = true;
            next = 0;
            byte[][] all = kept;
            kept = new byte[0][];
            return all;
        }
    }

    // --- Called by woven code ---

    /** The calls of the one test that runs; null if several do, or none has called anything. */
    static volatile Reservoir[] now;

    /** Not null if this call is to be recorded. Most are not, and this is all that they cost. */
    public static Object enter(int method) {
        Reservoir[] all = now;
        Reservoir reservoir = all != null && method < all.length ? all[method] : null;
        if (reservoir == null) {
            return first(method);
        }
        int call = ++reservoir.count;
        return call == reservoir.next ? chosen(method, reservoir, call) : null;
    }

    /** The first call in a test, or a call while several tests run. */
    private static Object first(int method) {
        if (!Recorder.on) {
            return null;
        }
        try {
            Reservoir reservoir = Tests.current().calls.of(method);
            int call = ++reservoir.count;
            return call == reservoir.next ? chosen(method, reservoir, call) : null;
        } catch (Throwable problem) {
            Recorder.failed(problem);
            return null;
        }
    }

    private static Object chosen(int method, Reservoir reservoir, int call) {
        try {
            if (Slots.isAsked()) {
                reservoir.count--;
                return null;
            }
            int place = reservoir.choose(call);
            return place < 0 || !Recorder.on ? null : new Call(reservoir.run, method, reservoir, place);
        } catch (Throwable problem) {
            Recorder.failed(problem);
            return null;
        }
    }

    /** {@code given} are the receiver, or null, and the parameters. */
    public static void entry(Object chosen, Object[] given) {
        try {
            Call call = (Call) chosen;
            call.given = given;
            call.nonce = NONCE.incrementAndGet();
            call.entry = record(call, ENTRY, line(call.run), 0, null, null);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    /** Of the test, which {@link Callers} finds behind the frames of this class. */
    static int line(TestRun run) {
        return Callers.line(run);
    }

    /** In a constructor the receiver is there only when it returns. */
    public static void made(Object chosen, Object receiver) {
        if (chosen != null) {
            ((Call) chosen).given[0] = receiver;
        }
    }

    public static void exit(Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.ABSENT, 0, null);
        }
    }

    public static void exit(boolean value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.FALSE, value ? 1 : 0, null);
        }
    }

    public static void exit(byte value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.BYTE, value, null);
        }
    }

    public static void exit(short value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.SHORT, value, null);
        }
    }

    public static void exit(char value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.CHAR, value, null);
        }
    }

    public static void exit(int value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.INT, value, null);
        }
    }

    public static void exit(long value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.LONG, value, null);
        }
    }

    public static void exit(float value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.FLOAT, Float.floatToRawIntBits(value), null);
        }
    }

    public static void exit(double value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.DOUBLE, Double.doubleToRawLongBits(value), null);
        }
    }

    public static void exit(Object value, Object chosen, int line) {
        if (chosen != null) {
            left((Call) chosen, RETURN, line, Tag.OBJECT, 0, value);
        }
    }

    public static void threw(Throwable thrown, Object chosen) {
        if (chosen != null) {
            left((Call) chosen, THROW, -1, Tag.OBJECT, 0, thrown);
        }
    }

    // --- Records ---

    /** {@code tag} is OBJECT for any reference. */
    private static void left(Call call, int how, int line, int tag, long bits, Object value) {
        try {
            if (call.entry == null || !Recorder.on || !call.run.running) {
                return;
            }
            Bytes primitive = null;
            if (tag != Tag.OBJECT) {
                primitive = new Bytes(10);
                if (tag == Tag.ABSENT) {
                    primitive.u8(tag);
                } else {
                    Encoder.primitive(primitive, tag, bits);
                }
            }
            int profile = Probes.profile(call.run, kinds[call.method].group);
            byte[] exit = record(call, how, line, profile, primitive, value);
            if (exit == null) {
                return;
            }
            byte[] both = Arrays.copyOf(call.entry, call.entry.length + exit.length);
            System.arraycopy(exit, 0, both, call.entry.length, exit.length);
            int more = call.reservoir.keep(call.place, both);
            if (call.run.keeps(more) > MOST) {
                write(call.run);
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    /**
     * What leaves the method is a primitive or nothing, written already, or else an object. The answer is null if this
     * thread is recording something already.
     */
    private static byte[] record(Call call, int how, int line, int profile, Bytes primitive, Object leaving) {
        Encoder encoder = Encoder.take();
        if (encoder == null) {
            return null;
        }
        try {
            Kind kind = kinds[call.method];
            Bytes out = encoder.out;
            out.u8(0x14);
            out.varint(call.method);
            out.varint(call.run.id);
            out.varint(Tests.threadId());
            out.varint(SEQUENCE.incrementAndGet());
            out.varint(call.nonce);
            out.u8(how);
            out.svarint(line);
            out.varint(profile);
            out.varint(1 + kind.letters.length() + (how == ENTRY ? 0 : 1));
            if (kind.isStatic || call.given[0] == null) {
                out.u8(Tag.ABSENT);
            } else {
                encoder.value(call.given[0], call.run.identities);
            }
            for (int at = 0; at < kind.letters.length(); at++) {
                parameter(encoder, kind.letters.charAt(at), call.given[at + 1], call.run.identities);
            }
            if (primitive != null) {
                out.bytes(primitive);
            } else if (how != ENTRY) {
                encoder.value(leaving, call.run.identities);
            }
            return out.copy();
        } finally {
            encoder.busy = false;
        }
    }

    /** Primitive parameters come in boxes; parameters that are boxes themselves stay what they are. */
    private static void parameter(Encoder encoder, char letter, Object value, Identities identities) {
        Bytes out = encoder.out;
        switch (letter) {
            case 'Z':
                out.u8((Boolean) value ? Tag.TRUE : Tag.FALSE);
                break;
            case 'B':
                Encoder.primitive(out, Tag.BYTE, (Byte) value);
                break;
            case 'S':
                Encoder.primitive(out, Tag.SHORT, (Short) value);
                break;
            case 'C':
                Encoder.primitive(out, Tag.CHAR, (Character) value);
                break;
            case 'I':
                Encoder.primitive(out, Tag.INT, (Integer) value);
                break;
            case 'J':
                Encoder.primitive(out, Tag.LONG, (Long) value);
                break;
            case 'F':
                Encoder.primitive(out, Tag.FLOAT, Float.floatToRawIntBits((Float) value));
                break;
            case 'D':
                Encoder.primitive(out, Tag.DOUBLE, Double.doubleToRawLongBits((Double) value));
                break;
            default:
                encoder.value(value, identities);
        }
    }

    /** Writes what is kept of this test. */
    static void write(TestRun run) {
        for (Reservoir reservoir : run.calls.all()) {
            if (reservoir == null) {
                continue;
            }
            for (byte[] sample : reservoir.close()) {
                if (sample != null) {
                    Bytes record = new Bytes(0);
                    record.array = sample;
                    record.length = sample.length;
                    Recorder.segment.add(record);
                }
            }
        }
    }
}
