package dev.telltale.agent;

import java.util.Arrays;

/**
 * What one place of the woven source was in one test, as far as {@link Hot} looks: how often, and the first, the last
 * and some distinct values in order of first appearance. Of objects the last is the first that finds no room, in number
 * or in bytes: to write each of them out is what costs.
 * All under the monitor of this object, but for {@link #again} and {@link #ends}.
 */
final class Slot {
    private static final int FIRST = 1;
    private static final int LAST = 2;
    private static final int CUT = 4;

    /** How many bytes of objects are written out to see what is new: a graph that a loop meets again and again is costly. */
    private static final int MOST = 1 << 20;

    /** None of the distinct values. */
    private static final int OTHER = -1;
    private static final int LATER = -2;

    long count;
    /** The only thread that met it, or null: of {@link Hot}. */
    Thread owner;
    /** When the query that is under way began, and how many began. */
    long queryStarted;
    int queries;

    /** Distinct values: their bytes, and their bytes without identities. */
    private byte[][] values = new byte[1][];
    private byte[][] keys = new byte[1][];
    /** Of primitive ones the tag and the bits; tag 0 of others. */
    private byte[] tags = new byte[1];
    private long[] bits = new long[1];
    private int distinct;
    /** Which of the distinct values is the last; {@link #OTHER}, or {@link #LATER}: to be found by {@link #lastBits}. */
    private int last;
    private byte[] other;
    private boolean cut;
    private int written;

    /** The last value as a primitive, so that what repeats costs a comparison; tag 0 if it is none. */
    private int lastTag;
    private long lastBits;
    /** The last value if it is an object that cannot change, {@link #NOTHING} for null; so is this for others. */
    private Object lastObject;

    private static final Object NOTHING = new Object();

    /** Counts a value that the owner meets, if it is the one before or there is nothing to keep of it. Needs no monitor. */
    boolean again(int tag, long bits) {
        if (Thread.currentThread() != owner) {
            return false;
        }
        if (bits != lastBits || tag != lastTag) {
            // Of a full place it is looked for at the end, if it is still the last one then: most of a loop's values are.
            int at = cut ? LATER : find(tag, bits);
            if (at == OTHER) {
                return false;
            }
            last = at;
            lastTag = tag;
            lastBits = bits;
        }
        count++;
        return true;
    }

    /** The same of an object. */
    boolean again(Object value) {
        if (Thread.currentThread() != owner || !cut && lastObject != (value == null ? NOTHING : value)) {
            return false;
        }
        count++;
        return true;
    }

    void primitive(int tag, long bits) {
        count++;
        if (tag == lastTag && bits == lastBits) {
            return;
        }
        lastTag = tag;
        lastBits = bits;
        lastObject = null;
        if (cut) {
            last = LATER;
            return;
        }
        last = find(tag, bits);
        if (last < 0) {
            byte[] bytes = primitiveBytes();
            put(bytes, bytes);
        }
    }

    private byte[] primitiveBytes() {
        Bytes out = new Bytes(10);
        Encoder.primitive(out, lastTag, lastBits);
        return out.copy();
    }

    /** What comes later is not looked at. */
    void ends() {
        cut = true;
    }

    /** Counts a value of which nothing would be kept, so that it need not be written out; false if something might be. */
    boolean counted() {
        if (cut) {
            count++;
        }
        return cut;
    }

    void value(byte[] bytes, byte[] key) {
        count++;
        lastTag = 0;
        lastObject = null;
        last = find(key);
        if (last < 0) {
            put(bytes, key);
        }
        written += bytes.length;
        // Whether a later one is new, nobody looks.
        cut |= written > MOST;
    }

    /** Of which object the value was told last; it is held only where it comes often, since a test may wait for its end. */
    void was(Object value) {
        if (count < Hot.OFTEN) {
            return;
        }
        if (value == null) {
            lastObject = NOTHING;
        } else {
            Shape.Kind kind = Shape.of(value.getClass()).kind;
            if (kind == Shape.Kind.STRING || kind == Shape.Kind.BOXED || kind == Shape.Kind.ENUM) {
                lastObject = value;
            }
        }
    }

    /** A new value. */
    private void put(byte[] bytes, byte[] key) {
        if (distinct == Recorder.plan.distinct) {
            cut = true;
            other = bytes;
            return;
        }
        if (distinct == values.length) {
            values = Arrays.copyOf(values, distinct * 2);
            keys = Arrays.copyOf(keys, distinct * 2);
            tags = Arrays.copyOf(tags, distinct * 2);
            bits = Arrays.copyOf(bits, distinct * 2);
        }
        tags[distinct] = (byte) lastTag;
        bits[distinct] = lastBits;
        values[distinct] = bytes;
        keys[distinct] = key;
        last = distinct++;
    }

    private int find(int tag, long wanted) {
        for (int at = 0; at < distinct; at++) {
            if (bits[at] == wanted && tags[at] == tag) {
                return at;
            }
        }
        return OTHER;
    }

    private int find(byte[] key) {
        for (int at = 0; at < distinct; at++) {
            if (Arrays.equals(keys[at], key)) {
                return at;
            }
        }
        return OTHER;
    }

    /** Count, number of values, values. */
    void write(Bytes record) {
        if (last == LATER) {
            last = find(lastTag, lastBits);
        }
        record.varint(count);
        record.varint(distinct + (last < 0 ? 1 : 0));
        for (int at = 0; at < distinct; at++) {
            record.u8((at == 0 ? FIRST : 0) | (at == last ? LAST | (cut ? CUT : 0) : 0));
            record.bytes(values[at], 0, values[at].length);
        }
        if (last < 0) {
            byte[] bytes = lastTag == 0 ? other : primitiveBytes();
            record.u8(LAST | CUT);
            record.bytes(bytes, 0, bytes.length);
        }
    }
}
