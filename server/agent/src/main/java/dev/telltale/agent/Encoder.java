package dev.telltale.agent;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import jdk.internal.vm.annotation.DontInline;

/**
 * Writes values as docs/evidence.md says, at the moment of the call, since objects change. One a thread. No code of the
 * user's is called: {@link Shape} says what may be asked, and everything else is read by its fields or stays opaque.
 */
final class Encoder {
    /** A value that grew beyond this many bytes shows no further objects. */
    private static final int MOST = 1 << 15;

    private static final ThreadLocal<Encoder> OF_THREAD = new ThreadLocal<Encoder>() {
        @Override
        protected Encoder initialValue() {
            return new Encoder();
        }
    };

    /** The encoder of this thread, or null if it is at work: what the recorder sets off is not recorded. */
    static Encoder take() {
        Encoder encoder = OF_THREAD.get();
        if (encoder.busy) {
            return null;
        }
        encoder.out.clear();
        encoder.clearIdentities();
        encoder.busy = true;
        return encoder;
    }

    /** Whoever took it sets this to false; a field, since where a stack ends no method can be called. */
    boolean busy;
    final Bytes out = new Bytes(256);
    private final Bytes key = new Bytes(256);
    private final Plan plan = Recorder.plan;

    private Identities identities;
    private int start;
    private int most;
    private int enclosing;

    /** Of the objects written out in this value: identity to the order of appearance. */
    private final IntMap<Integer> seen = new IntMap<>();
    /** Where identities stand in {@link #out}: start, end, order of appearance. */
    private int[] cuts = new int[24];
    private int cutCount;

    private Encoder() {}

    private void clearIdentities() {
        seen.clear();
        cutCount = 0;
    }

    // --- Values ---

    /** A value of a primitive type, as its bits. */
    static void primitive(Bytes out, int tag, long bits) {
        switch (tag) {
            case Tag.FALSE:
            case Tag.TRUE:
                out.u8(bits == 0 ? Tag.FALSE : Tag.TRUE);
                break;
            case Tag.FLOAT:
                out.u8(tag);
                out.u32((int) bits);
                break;
            case Tag.DOUBLE:
                out.u8(tag);
                out.u64(bits);
                break;
            default:
                out.u8(tag);
                out.svarint(bits);
        }
    }

    /** A value of a reference type; an object that stands in it twice is written once. */
    void value(Object value, Identities of) {
        value(value, of, MOST);
    }

    /** The same, with no further objects beyond this many bytes. */
    @DontInline
    void value(Object value, Identities of, int most) {
        identities = of;
        this.most = most;
        clearIdentities();
        start = out.length;
        enclosing = 0;
        write(value);
    }

    /** The value that was written last without its identities: equal keys are equal values. */
    byte[] key() {
        key.clear();
        int from = start;
        for (int cut = 0; cut < cutCount; cut += 3) {
            key.bytes(out.array, from, cuts[cut] - from);
            key.varint(cuts[cut + 2]);
            from = cuts[cut + 1];
        }
        key.bytes(out.array, from, out.length - from);
        return key.copy();
    }

    /** It leads back to itself, of which the JVM's compiler would make copies within copies. */
    @DontInline
    private void write(Object value) {
        if (value == null) {
            out.u8(Tag.NULL);
            return;
        }
        if (value instanceof String) {
            string((String) value);
            return;
        }
        Shape shape = Shape.of(value.getClass());
        if (shape.mayBeMock() && Mocks.is(value)) {
            opaque(shape, value);
            return;
        }
        switch (shape.kind) {
            case BOXED:
                boxed(value);
                break;
            case ENUM:
                out.u8(Tag.ENUM);
                out.varint(shape.id);
                out.str(((Enum<?>) value).name());
                break;
            case CHARS:
                CharSequence chars = (CharSequence) value;
                out.u8(Tag.CHARS);
                out.varint(shape.id);
                out.varint(chars.length());
                out.str(chars, plan.string);
                break;
            case TEXT:
                text(shape, value);
                break;
            case DATE:
                out.u8(Tag.TEXT);
                out.varint(shape.id);
                out.str(Instant.ofEpochMilli(((Date) value).getTime()).toString());
                break;
            case OPAQUE:
                opaque(shape, value);
                break;
            default:
                composite(shape, value);
        }
    }

    private void string(String value) {
        out.u8(Tag.STRING);
        out.varint(value.length());
        out.str(value, plan.string);
    }

    private void boxed(Object value) {
        out.u8(Tag.BOXED);
        if (value instanceof Boolean) {
            out.u8((Boolean) value ? Tag.TRUE : Tag.FALSE);
        } else if (value instanceof Character) {
            primitive(out, Tag.CHAR, (Character) value);
        } else if (value instanceof Float) {
            primitive(out, Tag.FLOAT, Float.floatToRawIntBits((Float) value));
        } else if (value instanceof Double) {
            primitive(out, Tag.DOUBLE, Double.doubleToRawLongBits((Double) value));
        } else {
            int tag = value instanceof Integer ? Tag.INT
                    : value instanceof Long ? Tag.LONG
                    : value instanceof Short ? Tag.SHORT : Tag.BYTE;
            primitive(out, tag, ((Number) value).longValue());
        }
    }

    private void text(Shape shape, Object value) {
        // Decimal digits of a giant take quadratic time.
        BigInteger digits = value instanceof BigInteger ? (BigInteger) value
                : value instanceof BigDecimal ? ((BigDecimal) value).unscaledValue() : BigInteger.ZERO;
        if (digits.bitLength() > 1 << 14) {
            opaque(shape, value);
            return;
        }
        String text = value instanceof Class ? Shape.nameOf(((Class<?>) value).getName())
                : value instanceof Charset ? ((Charset) value).name() : value.toString();
        out.u8(Tag.TEXT);
        out.varint(shape.id);
        out.str(text, plan.string);
    }

    private void opaque(Shape shape, Object value) {
        out.u8(Tag.OPAQUE);
        out.varint(shape.id);
        identity(identities.number(value), seen.size() + 1);
    }

    private void identity(int number, int order) {
        if (cutCount + 3 > cuts.length) {
            cuts = Arrays.copyOf(cuts, cuts.length * 2);
        }
        cuts[cutCount++] = out.length;
        out.varint(number);
        cuts[cutCount++] = out.length;
        cuts[cutCount++] = order;
    }

    // --- Values that hold others ---

    @DontInline
    private void composite(Shape shape, Object value) {
        int number = identities.number(value);
        Integer before = seen.get(number);
        if (before != null) {
            out.u8(Tag.AGAIN);
            identity(number, before);
            return;
        }
        if (enclosing >= plan.depth || out.length - start > most) {
            opaque(shape, value);
            return;
        }
        int order = seen.size() + 1;
        seen.put(number, order);
        int length = out.length;
        int cutsBefore = cutCount;
        enclosing++;
        try {
            if (!parts(shape, value, number, order)) {
                out.length = length;
                cutCount = cutsBefore;
                opaque(shape, value);
            }
        } catch (RuntimeException changing) {
            // Another thread changes it, or it cannot be read: what was written of it means nothing.
            out.length = length;
            cutCount = cutsBefore;
            opaque(shape, value);
        } finally {
            enclosing--;
        }
    }

    /** False if it cannot be read without calling the user's code. */
    private boolean parts(Shape shape, Object value, int number, int order) {
        switch (shape.kind) {
            case ARRAY:
                array(shape, value, number, order);
                return true;
            case COLLECTION:
                return collection(shape, value, number, order);
            case MAP:
                map(shape, (Map<?, ?>) value, number, order);
                return true;
            case WRAPPER:
                return wrapper(shape, value, number, order);
            case ENTRY:
                Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
                head(Tag.OBJECT, shape, number, order);
                out.varint(2);
                part("key", shape, entry.getKey());
                part("value", shape, entry.getValue());
                return true;
            case OPTIONAL:
                out.u8(Tag.OPTIONAL);
                out.varint(shape.id);
                optional(value);
                return true;
            case ATOMIC:
                out.u8(Tag.ATOMIC);
                out.varint(shape.id);
                atomic(value);
                return true;
            case THROWABLE:
                throwable(shape, (Throwable) value, number, order);
                return true;
            default:
                object(shape, value, number, order);
                return true;
        }
    }

    private void head(int tag, Shape shape, int number, int order) {
        out.u8(tag);
        out.varint(shape.id);
        identity(number, order);
    }

    private void part(String name, Shape shape, Object value) {
        out.varint(Recorder.segment.name(name));
        out.varint(shape.id);
        write(value);
    }

    private void object(Shape shape, Object value, int number, int order) {
        head(Tag.OBJECT, shape, number, order);
        out.varint(shape.parts.length);
        for (Shape.Part part : shape.parts) {
            out.varint(part.name);
            out.varint(part.declaredIn);
            try {
                field(part, value);
            } catch (IllegalAccessException never) {
                throw new IllegalStateException(never);
            }
        }
    }

    @DontInline
    private void field(Shape.Part part, Object of) throws IllegalAccessException {
        Field field = part.field;
        switch (part.type) {
            case 'Z':
                out.u8(field.getBoolean(of) ? Tag.TRUE : Tag.FALSE);
                break;
            case 'B':
                primitive(out, Tag.BYTE, field.getByte(of));
                break;
            case 'S':
                primitive(out, Tag.SHORT, field.getShort(of));
                break;
            case 'C':
                primitive(out, Tag.CHAR, field.getChar(of));
                break;
            case 'I':
                primitive(out, Tag.INT, field.getInt(of));
                break;
            case 'J':
                primitive(out, Tag.LONG, field.getLong(of));
                break;
            case 'F':
                primitive(out, Tag.FLOAT, Float.floatToRawIntBits(field.getFloat(of)));
                break;
            case 'D':
                primitive(out, Tag.DOUBLE, Double.doubleToRawLongBits(field.getDouble(of)));
                break;
            default:
                write(field.get(of));
        }
    }

    @DontInline
    private void array(Shape shape, Object value, int number, int order) {
        int length = Array.getLength(value);
        int shown = Math.min(length, plan.elements);
        head(Tag.ARRAY, shape, number, order);
        out.varint(length);
        out.varint(shown);
        for (int at = 0; at < shown; at++) {
            if (value instanceof Object[]) {
                write(((Object[]) value)[at]);
            } else if (value instanceof int[]) {
                primitive(out, Tag.INT, ((int[]) value)[at]);
            } else if (value instanceof double[]) {
                primitive(out, Tag.DOUBLE, Double.doubleToRawLongBits(((double[]) value)[at]));
            } else if (value instanceof char[]) {
                primitive(out, Tag.CHAR, ((char[]) value)[at]);
            } else if (value instanceof byte[]) {
                primitive(out, Tag.BYTE, ((byte[]) value)[at]);
            } else if (value instanceof boolean[]) {
                out.u8(((boolean[]) value)[at] ? Tag.TRUE : Tag.FALSE);
            } else if (value instanceof long[]) {
                primitive(out, Tag.LONG, ((long[]) value)[at]);
            } else if (value instanceof float[]) {
                primitive(out, Tag.FLOAT, Float.floatToRawIntBits(((float[]) value)[at]));
            } else {
                primitive(out, Tag.SHORT, ((short[]) value)[at]);
            }
        }
    }

    /** {@code content} is what an object of {@code shape} holds: itself, or what it wraps. */
    private boolean collection(Shape shape, Object content, int number, int order) {
        if (isView(content)) {
            return false;
        }
        Collection<?> all = (Collection<?>) content;
        int size = all.size();
        Object[] shown = new Object[Math.min(size, plan.elements)];
        int count = 0;
        for (Iterator<?> each = all.iterator(); count < shown.length && each.hasNext(); ) {
            shown[count++] = each.next();
        }
        head(Tag.COLLECTION, shape, number, order);
        out.u8(shape.collection);
        out.varint(size);
        out.varint(count);
        for (int at = 0; at < count; at++) {
            write(shown[at]);
        }
        return true;
    }

    /** A part of a sorted set compares as it iterates, by the user's code. */
    private static boolean isView(Object content) {
        switch (content.getClass().getName()) {
            case "java.util.TreeSet":
            case "java.util.TreeMap$KeySet":
            case "java.util.concurrent.ConcurrentSkipListSet":
                Object map = Shape.of(content.getClass()).inner(content);
                return map == null || map.getClass() != TreeMap.class && map.getClass() != ConcurrentSkipListMap.class;
            default:
                return false;
        }
    }

    private void map(Shape shape, Map<?, ?> content, int number, int order) {
        int size = content.size();
        Object[] shown = new Object[2 * Math.min(size, plan.elements)];
        int count = 0;
        for (Iterator<? extends Map.Entry<?, ?>> each = content.entrySet().iterator();
                count < shown.length && each.hasNext(); ) {
            Map.Entry<?, ?> entry = each.next();
            shown[count++] = entry.getKey();
            shown[count++] = entry.getValue();
        }
        head(Tag.MAP, shape, number, order);
        out.varint(size);
        out.varint(count / 2);
        for (int at = 0; at < count; at++) {
            write(shown[at]);
        }
    }

    private boolean wrapper(Shape shape, Object value, int number, int order) {
        Object content = value;
        Shape of = shape;
        while (of.kind == Shape.Kind.WRAPPER) {
            content = of.inner(content);
            if (content == null) {
                return false;
            }
            of = Shape.of(content.getClass());
        }
        if (of.kind == Shape.Kind.COLLECTION) {
            return collection(shape, content, number, order);
        }
        if (of.kind != Shape.Kind.MAP) {
            return false;
        }
        if (value instanceof Map) {
            map(shape, (Map<?, ?>) content, number, order);
            return true;
        }
        // A set that keeps its elements as a map's keys.
        return collection(shape, ((Map<?, ?>) content).keySet(), number, order);
    }

    private void optional(Object value) {
        if (value instanceof Optional) {
            Object held = ((Optional<?>) value).orElse(null);
            out.u8(held == null ? 0 : 1);
            if (held != null) {
                write(held);
            }
        } else if (value instanceof OptionalInt) {
            OptionalInt held = (OptionalInt) value;
            present(held.isPresent(), Tag.INT, held.orElse(0));
        } else if (value instanceof OptionalLong) {
            OptionalLong held = (OptionalLong) value;
            present(held.isPresent(), Tag.LONG, held.orElse(0));
        } else {
            OptionalDouble held = (OptionalDouble) value;
            present(held.isPresent(), Tag.DOUBLE, Double.doubleToRawLongBits(held.orElse(0)));
        }
    }

    private void present(boolean present, int tag, long bits) {
        out.u8(present ? 1 : 0);
        if (present) {
            primitive(out, tag, bits);
        }
    }

    private void atomic(Object value) {
        if (value instanceof AtomicInteger) {
            primitive(out, Tag.INT, ((AtomicInteger) value).get());
        } else if (value instanceof AtomicLong) {
            primitive(out, Tag.LONG, ((AtomicLong) value).get());
        } else if (value instanceof AtomicBoolean) {
            out.u8(((AtomicBoolean) value).get() ? Tag.TRUE : Tag.FALSE);
        } else if (value instanceof LongAdder) {
            primitive(out, Tag.LONG, ((LongAdder) value).sum());
        } else if (value instanceof DoubleAdder) {
            primitive(out, Tag.DOUBLE, Double.doubleToRawLongBits(((DoubleAdder) value).sum()));
        } else {
            write(((AtomicReference<?>) value).get());
        }
    }

    private void throwable(Shape shape, Throwable value, int number, int order) {
        head(Tag.THROWABLE, shape, number, order);
        String message = message(shape, value);
        out.u8(message == null ? 0 : 1);
        if (message != null) {
            out.str(message, plan.string);
        }
    }

    /** {@code getMessage} where it is the JDK's, else the message that the constructor was given; null if there is none. */
    static String message(Shape shape, Throwable value) {
        return !shape.ownMessage ? value.getMessage() : (String) shape.inner(value);
    }
}
