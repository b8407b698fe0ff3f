package dev.telltale.agent;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * The file that this JVM writes: blocks with length and checksum, of records whose dictionary ids are defined before
 * they are used. All methods may be called by any thread; one lock keeps definition and use in order.
 */
final class Segment {
    private static final int BLOCK = 1 << 16;
    private static final byte[] MAGIC = "TTSEG1\n".getBytes(StandardCharsets.US_ASCII);

    private final FileOutputStream file;
    private final long most;
    private final Bytes block = new Bytes(BLOCK + (BLOCK >> 1));
    private long written;
    private boolean broken;
    private boolean finished;

    private final Map<String, Integer> classes = new HashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    private int lastClass;
    private int lastName;
    private int lastMethod;
    private int lastTest;
    private final Map<String, Long> lost = new TreeMap<>();

    Segment(File folder, long most) throws IOException {
        this.most = most;
        if (Judge.on && !Judge.shows()) {
            file = null;
            return;
        }
        // A stream, not a channel: an interrupted thread would close a channel.
        file = new FileOutputStream(new File(folder, pid() + "-" + System.nanoTime() + ".seg"));
        file.write(MAGIC);
    }

    /** The id of this process, without {@code ProcessHandle}, which Java 8 lacks, and without starting JMX. */
    static String pid() {
        try {
            Class<?> handle = Class.forName("java.lang.ProcessHandle");
            Object current = handle.getMethod("current").invoke(null);
            return String.valueOf(handle.getMethod("pid").invoke(current));
        } catch (ReflectiveOperationException before9) {
            try {
                return new File("/proc/self").getCanonicalFile().getName();
            } catch (IOException noProc) {
                return "0";
            }
        }
    }

    // --- Dictionary ---

    /*
     * A definition is made aside and then appended at once, and only then is its id handed out: where a stack overflows
     * or memory ends in the middle, the block holds whole records.
     */
    private final Bytes aside = new Bytes(256);

    private Bytes define(int kind, int id) {
        aside.clear();
        aside.u8(kind);
        aside.varint(id);
        return aside;
    }

    /** The id of a class by its binary name with dots. */
    synchronized int classOf(String name, int flags) {
        if (Judge.on && !Judge.shows()) {
            return Judge.number(name);
        }
        Integer known = classes.get(name);
        return known == null ? newClass(name, flags) : known;
    }

    /** An id of its own: another class of the same name may be loaded. */
    synchronized int newClass(String name, int flags) {
        int id = ++lastClass;
        Bytes record = define(0x01, id);
        record.varint(flags);
        record.str(name);
        block.bytes(record);
        classes.putIfAbsent(name, id);
        return id;
    }

    synchronized int name(String name) {
        if (Judge.on && !Judge.shows()) {
            return Judge.number(name);
        }
        Integer known = names.get(name);
        if (known != null) {
            return known;
        }
        int id = ++lastName;
        Bytes record = define(0x02, id);
        record.str(name);
        block.bytes(record);
        names.put(name, id);
        return id;
    }

    synchronized int method(int ofClass, String name, String descriptor, int access, String[] parameters, int line) {
        int id = ++lastMethod;
        Bytes record = define(0x03, id);
        record.varint(ofClass);
        record.str(name);
        record.str(descriptor);
        record.varint(access);
        record.varint(parameters.length);
        for (String parameter : parameters) {
            record.str(parameter);
        }
        record.varint(line);
        block.bytes(record);
        return id;
    }

    synchronized int test(TestName test) {
        int id = ++lastTest;
        Bytes record = define(0x04, id);
        record.str(test.className);
        record.str(test.methodName);
        record.str(test.descriptor);
        record.str(test.uniqueId);
        record.str(test.displayName);
        record.str(test.invocation);
        block.bytes(record);
        return id;
    }

    // --- Records ---

    /** A record that is written whatever was written before: a test's start and end, and what was lost. */
    synchronized void always(Bytes record) {
        block.bytes(record);
        if (block.length > BLOCK) {
            flush();
        }
    }

    /** A record, unless this JVM wrote all that it may. */
    synchronized void add(Bytes record) {
        if (written + block.length + record.length > most) {
            lost("bytes");
        } else {
            always(record);
        }
    }

    /** Something is missing, and why. */
    synchronized void lost(String reason) {
        Long before = lost.get(reason);
        lost.put(reason, before == null ? 1 : before + 1);
    }

    /** Ends the block: what stands in it survives this JVM. */
    synchronized void flush() {
        if (file == null) {
            block.clear();
            return;
        }
        if (block.length == 0) {
            return;
        }
        if (!broken && !finished) {
            Bytes whole = whole(block);
            try {
                file.write(whole.array, 0, whole.length);
                written += whole.length;
            } catch (IOException full) {
                // What follows could not be read behind a torn block.
                broken = true;
                sayBroken(full);
            }
        }
        block.clear();
    }

    private static Bytes whole(Bytes payload) {
        CRC32 sum = new CRC32();
        sum.update(payload.array, 0, payload.length);
        Bytes whole = new Bytes(8 + payload.length);
        whole.u32(payload.length);
        whole.u32((int) sum.getValue());
        whole.bytes(payload);
        return whole;
    }

    /** Where a part of the torn block found room, there is some to say why it is the last. */
    private void sayBroken(IOException full) {
        try {
            file.getChannel().truncate(MAGIC.length + written);
            Bytes record = new Bytes(64);
            record.u8(0x1E);
            record.str("the file could not be written: " + full.getMessage());
            record.varint(1);
            Bytes last = whole(record);
            file.write(last.array, 0, last.length);
        } catch (IOException | RuntimeException fuller) {
            // Who reads finds a torn block, or none.
        }
    }

    /** Writes what was lost. Nothing is written afterwards. */
    synchronized void finish() {
        for (Map.Entry<String, Long> entry : lost.entrySet()) {
            block.u8(0x1E);
            block.str(entry.getKey());
            block.varint(entry.getValue());
        }
        flush();
        finished = true;
    }
}
