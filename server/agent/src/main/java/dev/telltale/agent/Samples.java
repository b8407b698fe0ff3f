package dev.telltale.agent;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import jdk.internal.vm.annotation.DontInline;

/** What woven methods call as they are entered and left. Nothing here throws. */
public final class Samples {
    private Samples() {}

    private static final int ENTRY = 0;
    private static final int RETURN = 1;
    private static final int THROW = 2;
    /** A value that grew beyond this many bytes shows no further objects: what is learnt of calls are parts near the top. */
    private static final int MOST_OF_VALUE = 1 << 12;

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
        table();
    }

    /** A call that was chosen. Woven code holds it as an object. */
    private static final class Call {
        final Calls calls;
        final int method;
        final Reservoir.Kept kept;
        /** The receiver or null, then the parameters, as they were at the entry. */
        Object[] given;
        byte[] entry;
        long nonce;
        /** Bytes of values in what is written of it. */
        int values;

        Call(Calls calls, int method, Reservoir.Kept kept) {
            this.calls = calls;
            this.method = method;
            this.kept = kept;
        }
    }

    // --- Which calls ---

    /** The calls that are counted in {@link #until}; null while several tests run. */
    private static Calls counted;
    /**
     * {@link Calls#until} of the one test that runs; zeros while several do. It has room for each method that is woven
     * before a call of it can run, and it is not volatile, which would cost each call: a thread that counts in the table
     * of the test before is put right when it looks.
     */
    private static int[] until = {};

    /** From now on the calls of this test are counted; null if several run. */
    static synchronized void count(Calls calls) {
        counted = calls;
        table();
    }

    private static void table() {
        int methods = kinds.length;
        if (counted == null) {
            until = new int[methods];
        } else {
            counted.grow(methods);
            until = counted.until;
        }
    }

    // --- Called by woven code ---

    /*
     * What woven code calls is inlined into it where it runs often, and all that it calls in turn: left alone, the JVM's
     * compiler spends many times what the tests take on copies of the recorder. So only what each call needs may be
     * inlined, which is counting and comparing; the rest says that it is not.
     */

    /** Not null if this call is to be recorded. Most are not, and this is all that they cost. */
    public static Object enter(int method) {
        return --until[method] > 0 ? null : look(method);
    }

    /** A call for which it is time, the first in a test, or any while several tests run. */
    @DontInline
    private static Object look(int method) {
        if (!Recorder.on) {
            return null;
        }
        try {
            Calls calls = Tests.current().calls;
            calls.grow(kinds.length);
            int[] table = until;
            int[] own = calls.until;
            if (table != own) {
                // So that the next call looks, too, and for ever.
                table[method] = 0;
                if (--own[method] > 0) {
                    return null;
                }
            }
            if (Slots.isAsked()) {
                own[method] = 1;
                return null;
            }
            Reservoir.Kept kept = calls.choose(method);
            return kept == null ? null : new Call(calls, method, kept);
        } catch (Throwable problem) {
            Recorder.failed(problem);
            return null;
        }
    }

    /** {@code given} are the receiver, or null, and the parameters. */
    @DontInline
    public static void entry(Object chosen, Object[] given) {
        try {
            Call call = (Call) chosen;
            call.given = given;
            call.nonce = NONCE.incrementAndGet();
            call.entry = record(call, ENTRY, line(call.calls.run), 0, null, null);
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
            receiver(chosen, receiver);
        }
    }

    @DontInline
    private static void receiver(Object chosen, Object receiver) {
        ((Call) chosen).given[0] = receiver;
    }

    public static void exit(Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.ABSENT, 0, null);
        }
    }

    public static void exit(boolean value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.FALSE, value ? 1 : 0, null);
        }
    }

    public static void exit(byte value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.BYTE, value, null);
        }
    }

    public static void exit(short value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.SHORT, value, null);
        }
    }

    public static void exit(char value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.CHAR, value, null);
        }
    }

    public static void exit(int value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.INT, value, null);
        }
    }

    public static void exit(long value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.LONG, value, null);
        }
    }

    public static void exit(float value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.FLOAT, Float.floatToRawIntBits(value), null);
        }
    }

    public static void exit(double value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.DOUBLE, Double.doubleToRawLongBits(value), null);
        }
    }

    public static void exit(Object value, Object chosen, int line) {
        if (chosen != null) {
            left(chosen, RETURN, line, Tag.OBJECT, 0, value);
        }
    }

    public static void threw(Throwable thrown, Object chosen) {
        if (chosen != null) {
            left(chosen, THROW, -1, Tag.OBJECT, 0, thrown);
        }
    }

    // Boxes of parameters, made where a call is recorded.

    @DontInline
    public static Object box(boolean value) {
        return value;
    }

    @DontInline
    public static Object box(byte value) {
        return value;
    }

    @DontInline
    public static Object box(short value) {
        return value;
    }

    @DontInline
    public static Object box(char value) {
        return value;
    }

    @DontInline
    public static Object box(int value) {
        return value;
    }

    @DontInline
    public static Object box(long value) {
        return value;
    }

    @DontInline
    public static Object box(float value) {
        return value;
    }

    @DontInline
    public static Object box(double value) {
        return value;
    }

    // --- Records ---

    /** {@code tag} is OBJECT for any reference. */
    @DontInline
    private static void left(Object chosen, int how, int line, int tag, long bits, Object value) {
        try {
            Call call = (Call) chosen;
            TestRun run = call.calls.run;
            if (call.entry == null || !Recorder.on || !run.running) {
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
            int profile = Probes.profile(run, kinds[call.method].group);
            byte[] exit = record(call, how, line, profile, primitive, value);
            if (exit == null) {
                return;
            }
            byte[] both = Arrays.copyOf(call.entry, call.entry.length + exit.length);
            System.arraycopy(exit, 0, both, call.entry.length, exit.length);
            call.calls.keep(call.method, call.kept, both, call.values);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    /**
     * What leaves the method is a primitive or nothing, written already, or else an object. The answer is null if this
     * thread is recording something already.
     */
    @DontInline
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
            TestRun run = call.calls.run;
            out.varint(run.id);
            out.varint(Tests.threadId());
            out.varint(SEQUENCE.incrementAndGet());
            out.varint(call.nonce);
            out.u8(how);
            out.svarint(line);
            out.varint(profile);
            out.varint(1 + kind.letters.length() + (how == ENTRY ? 0 : 1));
            int start = out.length;
            if (kind.isStatic || call.given[0] == null) {
                out.u8(Tag.ABSENT);
            } else {
                encoder.value(call.given[0], run.identities, MOST_OF_VALUE);
            }
            for (int at = 0; at < kind.letters.length(); at++) {
                parameter(encoder, kind.letters.charAt(at), call.given[at + 1], run.identities);
            }
            if (primitive != null) {
                out.bytes(primitive);
            } else if (how != ENTRY) {
                encoder.value(leaving, run.identities, MOST_OF_VALUE);
            }
            call.values += out.length - start;
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
                encoder.value(value, identities, MOST_OF_VALUE);
        }
    }

    /** Writes what is kept of this test. */
    static void write(TestRun run) {
        for (byte[] sample : run.calls.close()) {
            Bytes record = new Bytes(0);
            record.array = sample;
            record.length = sample.length;
            Recorder.segment.add(record);
        }
    }
}
