package dev.telltale.agent;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/** What segments say, as text that a test can compare. */
final class Recording {
    final List<String> jvms = new ArrayList<>();
    /** {@code Class.method[invocation] status}, in the order of their ends. */
    final List<String> ended = new ArrayList<>();
    final List<String> started = new ArrayList<>();
    /** {@code Class.method why where} */
    final List<String> fates = new ArrayList<>();
    /** {@code slot@test}, to {@code count: values}. */
    final Map<String, String> slots = new TreeMap<>();
    final List<String> slow = new ArrayList<>();
    final List<Sample> samples = new ArrayList<>();
    /** Test to {@code Class.method:line}. */
    final Map<String, TreeSet<String>> covered = new TreeMap<>();
    final Map<String, Long> lost = new TreeMap<>();
    final List<String> testNames = new ArrayList<>();
    int torn;
    int files;

    static final class Sample {
        String method;
        String test;
        long sequence;
        long nonce;
        int kind;
        int line;
        int profile;
        /** {@code Class:line} that had run. */
        String ran;
        List<String> values = new ArrayList<>();

        @Override
        public String toString() {
            return new String[] {"> ", "< ", "! "}[kind] + method + " " + values;
        }
    }

    private static final class Name {
        String text;
        int flags;
        int ofClass;
        int[] lines;
        int[] methods;
    }

    private Map<Integer, Name> classes;
    private Map<Integer, String> names;
    private Map<Integer, String> methods;
    private Map<Integer, String> tests;
    private Map<Integer, String> profiles;
    private ByteBuffer in;

    static Recording of(File folder) throws IOException {
        Recording all = new Recording();
        File[] files = folder.listFiles((dir, name) -> name.endsWith(".seg"));
        java.util.Arrays.sort(files);
        for (File file : files) {
            all.files++;
            all.read(Files.readAllBytes(file.toPath()));
        }
        return all;
    }

    private void read(byte[] bytes) {
        classes = new HashMap<>();
        names = new HashMap<>();
        methods = new HashMap<>();
        tests = new HashMap<>();
        profiles = new HashMap<>();
        tests.put(0, "");
        profiles.put(0, "");
        profiles.put(1, "?");
        ByteBuffer file = ByteBuffer.wrap(bytes);
        byte[] magic = new byte[7];
        file.get(magic);
        if (!new String(magic, StandardCharsets.US_ASCII).equals("TTSEG1\n")) {
            throw new IllegalStateException("no segment");
        }
        while (file.hasRemaining()) {
            if (file.remaining() < 8) {
                torn++;
                return;
            }
            int length = file.getInt();
            int sum = file.getInt();
            if (length > file.remaining()) {
                torn++;
                return;
            }
            byte[] payload = new byte[length];
            file.get(payload);
            CRC32 actual = new CRC32();
            actual.update(payload, 0, length);
            if ((int) actual.getValue() != sum) {
                torn++;
                return;
            }
            in = ByteBuffer.wrap(payload);
            while (in.hasRemaining()) {
                record();
            }
        }
    }

    private void record() {
        int type = in.get();
        switch (type) {
            case 0x01: {
                int id = varint();
                Name name = new Name();
                name.flags = varint();
                name.text = str();
                fresh(classes.put(id, name));
                break;
            }
            case 0x02: {
                int id = varint();
                fresh(names.put(id, str()));
                break;
            }
            case 0x03: {
                int id = varint();
                String name = known(classes, varint()).text + "." + str();
                str();
                varint();
                StringBuilder parameters = new StringBuilder();
                for (int count = varint(); count > 0; count--) {
                    parameters.append(parameters.length() == 0 ? "" : ",").append(str());
                }
                varint();
                fresh(methods.put(id, name + "(" + parameters + ")"));
                break;
            }
            case 0x04: {
                int id = varint();
                String name = str() + "." + str();
                String descriptor = str();
                str();
                String display = str();
                String test = name + str();
                fresh(tests.put(id, test));
                testNames.add(test + " (" + descriptor + ") " + display);
                break;
            }
            case 0x10:
                started.add(known(tests, varint()));
                varint();
                varint();
                break;
            case 0x11: {
                String test = known(tests, varint());
                int status = in.get();
                longVarint();
                String end = new String[] {"passed", "failed", "aborted", "skipped", "unknown"}[status];
                if (status == 1) {
                    int thrown = varint();
                    end += " " + (thrown == 0 ? "" : known(classes, thrown).text) + ": " + str();
                }
                ended.add(test + " " + end);
                break;
            }
            case 0x12: {
                int slot = varint();
                String test = known(tests, varint());
                StringBuilder text = new StringBuilder().append(longVarint()).append(':');
                for (int count = varint(); count > 0; count--) {
                    int flags = in.get();
                    text.append(' ').append((flags & 1) != 0 ? "^" : "").append((flags & 2) != 0 ? "$" : "")
                            .append((flags & 4) != 0 ? "+" : "").append(value());
                }
                fresh(slots.put(slot + "@" + test, text.toString()));
                break;
            }
            case 0x13:
                slow.add(varint() + "@" + known(tests, varint()));
                break;
            case 0x14: {
                Sample sample = new Sample();
                sample.method = known(methods, varint());
                sample.test = known(tests, varint());
                varint();
                sample.sequence = longVarint();
                sample.nonce = longVarint();
                sample.kind = in.get();
                sample.line = (int) svarint();
                sample.profile = varint();
                sample.ran = known(profiles, sample.profile);
                for (int count = varint(); count > 0; count--) {
                    sample.values.add(value());
                }
                samples.add(sample);
                break;
            }
            case 0x15: {
                Name of = known(classes, varint());
                int count = varint();
                of.lines = new int[count];
                of.methods = new int[count];
                for (int at = 0; at < count; at++) {
                    of.lines[at] = varint();
                    of.methods[at] = varint();
                    known(methods, of.methods[at]);
                }
                break;
            }
            case 0x16: {
                TreeSet<String> lines = covered.computeIfAbsent(known(tests, varint()), it -> new TreeSet<>());
                bitmap(lines);
                break;
            }
            case 0x17: {
                int id = varint();
                TreeSet<String> lines = new TreeSet<>();
                for (int count = varint(); count > 0; count--) {
                    bitmap(lines);
                }
                fresh(profiles.put(id, String.join(" ", lines)));
                break;
            }
            case 0x18: {
                String test = known(tests, varint());
                fates.add(test + " " + new String[] {"", "slow", "exit", "memory", "query"}[in.get()] + " " + str());
                break;
            }
            case 0x1E: {
                String reason = str();
                lost.merge(reason, longVarint(), Long::sum);
                break;
            }
            case 0x1F:
                jvms.add(str() + " " + str() + " " + str() + " " + str());
                str();
                for (int words = varint(); words > 0; words--) {
                    str();
                }
                for (int words = varint(); words > 0; words--) {
                    str();
                }
                break;
            default:
                throw new IllegalStateException("record " + type);
        }
    }

    private void bitmap(TreeSet<String> lines) {
        Name of = known(classes, varint());
        byte[] bits = new byte[varint()];
        in.get(bits);
        for (int at = 0; at < of.lines.length; at++) {
            if ((bits[at / 8] >> at % 8 & 1) != 0) {
                lines.add(of.text + ":" + of.lines[at]);
            }
        }
    }

    private static void fresh(Object before) {
        if (before != null) {
            throw new IllegalStateException("defined twice: " + before);
        }
    }

    private static <T> T known(Map<Integer, T> dictionary, int id) {
        T found = dictionary.get(id);
        if (found == null) {
            throw new IllegalStateException("used before it was defined: " + id);
        }
        return found;
    }

    // --- Values ---

    String value() {
        int tag = in.get();
        switch (tag) {
            case 0:
                return "null";
            case 1:
                return "false";
            case 2:
                return "true";
            case 3:
                return svarint() + "b";
            case 4:
                return svarint() + "s";
            case 5:
                return "c" + svarint();
            case 6:
                return String.valueOf(svarint());
            case 7:
                return svarint() + "L";
            case 8:
                return "f" + Integer.toHexString(in.getInt());
            case 9:
                return "d" + Long.toHexString(in.getLong());
            case 10: {
                int length = varint();
                String text = str();
                return '"' + text + '"' + (text.length() == length ? "" : "..." + length);
            }
            case 11:
                return ofClass() + "." + str();
            case 12: {
                StringBuilder text = new StringBuilder(ofClass() + "#" + varint() + "{");
                String end = "";
                for (int count = varint(); count > 0; count--) {
                    String name = known(names, varint());
                    text.append(end).append(ofClass()).append('.').append(name).append('=').append(value());
                    end = " ";
                }
                return text.append('}').toString();
            }
            case 13:
                return ofClass() + "#" + varint() + "?";
            case 14:
                return "#" + varint();
            case 15: {
                String text = ofClass() + "#" + varint() + "[" + varint() + ":";
                return values(text, varint(), 1) + "]";
            }
            case 16: {
                String text = ofClass() + "#" + varint();
                text += "(" + new String[] {"list", "set", "sorted", "queue", "other"}[in.get()] + " " + varint() + ":";
                return values(text, varint(), 1) + ")";
            }
            case 17: {
                String text = ofClass() + "#" + varint() + "(map " + varint() + ":";
                return values(text, varint(), 2) + ")";
            }
            case 18:
                return "box " + value();
            case 19:
                return ofClass() + "'" + str() + "'";
            case 20: {
                String text = ofClass();
                return text + (in.get() == 0 ? "<>" : "<" + value() + ">");
            }
            case 21: {
                String text = ofClass() + "#" + varint();
                return text + (in.get() == 0 ? "!" : "!" + str());
            }
            case 22:
                return "throws " + value();
            case 23: {
                String text = ofClass();
                return text + "@" + value();
            }
            case 24: {
                String text = ofClass();
                int length = varint();
                return text + length + '"' + str() + '"';
            }
            case 0x1F:
                return "-";
            default:
                throw new IllegalStateException("tag " + tag);
        }
    }

    private String values(String text, int count, int each) {
        StringBuilder all = new StringBuilder(text);
        for (int at = 0; at < count; at++) {
            all.append(' ').append(value());
            if (each == 2) {
                all.append('=').append(value());
            }
        }
        return all.toString();
    }

    private String ofClass() {
        return known(classes, varint()).text;
    }

    int flags(String name) {
        for (Name each : classes.values()) {
            if (each.text.equals(name)) {
                return each.flags;
            }
        }
        return -1;
    }

    private int varint() {
        return (int) longVarint();
    }

    private long longVarint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private long svarint() {
        long value = longVarint();
        return value >>> 1 ^ -(value & 1);
    }

    /** WTF-8: as UTF-8, and lone surrogates as three bytes. */
    private String str() {
        byte[] bytes = new byte[varint()];
        in.get(bytes);
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < bytes.length; ) {
            int first = bytes[at] & 0xFF;
            int count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
            int point = count == 1 ? first : first & 0xFF >> count + 1;
            for (int more = 1; more < count; more++) {
                point = point << 6 | bytes[at + more] & 0x3F;
            }
            text.appendCodePoint(point);
            at += count;
        }
        return text.toString();
    }
}
