package dev.telltale.agent;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Runs the tests of a project again and again in one JVM: plain, to see what they reach and how long they take, then
 * with one mutant after the other. What it reads and writes is said in docs/evidence.md. A test here is what a developer
 * calls one: a method with all its invocations.
 */
public final class Judge {
    private Judge() {}

    /** True in a JVM that was started for this; what tests see is then hashed and not written down. */
    static boolean on;

    /** Values of a reference type in one slot of a test that are looked at; of more the count. */
    private static final int LOOKED_AT = 256;
    /** Evaluations of a query in one test. */
    private static final int ASKED = 64;
    /** How often a mutant's tests that failed run again without it, to see that it left nothing behind. */
    private static final int CHECKED = 4;
    /** How many milliseconds a test may take plain. */
    private static final long LONGEST = 120_000;
    /** How many milliseconds a query may take plain. */
    private static final long LONGEST_QUERY = 5_000;
    /** How many characters of what a test failed with are told. */
    private static final int WHY = 300;
    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cntrl}]+");
    /** How many times slower a test may be with a mutant than its first run in the same JVM. */
    private static final long SLOWER = 3;

    private static File folder;
    private static OutputStream out;
    private static Launching launching;

    static void open(File in) throws IOException {
        folder = in;
        out = new BufferedOutputStream(new FileOutputStream(new File(in, "judged")), 1 << 16);
    }

    /** {@code FOLDER} alone runs tests; {@code list FOLDER CLASSES...} lists mutants and needs no agent. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("list")) {
            Mutants.list(new File(arguments[1]), Arrays.copyOfRange(arguments, 2, arguments.length));
            return;
        }
        if (!on) {
            throw new IllegalStateException("the agent does not run");
        }
        launching = Launching.find(ClassLoader.getSystemClassLoader());
        if (launching == null) {
            write("none\n");
        } else {
            Thread watch = new Thread(Judge::watch, "telltale-watch");
            watch.setDaemon(true);
            watch.start();
            if (Recorder.plan.judge.equals("plain")) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> gone("exit"), "telltale-exit"));
                plain();
            } else {
                mutants();
            }
            write("done\n");
        }
        flush();
        // Threads that tests left behind hold nothing up.
        Runtime.getRuntime().halt(0);
    }

    // --- Tests ---

    /** A test, and what its last run told. */
    private static final class Unit {
        final String id;
        final TestName name;
        long limitMillis = LONGEST;
        /** Invocations that passed in the plain run. */
        int passes;
        Map<Integer, Long> told = Collections.emptyMap();
        boolean warm;
        /** False if the set-up of its class failed as all of them ran. */
        boolean begins = true;
        /** By slot, what its last run without a mutant showed, where that is asked for. */
        Map<Integer, Slot> shown = Collections.emptyMap();
        /** Slots of that which are written down. */
        final Set<Integer> written = new HashSet<>();

        Unit(String id, TestName name) {
            this.id = id;
            this.name = name;
        }
    }

    private static final List<Unit> UNITS = new ArrayList<>();
    private static final Map<String, Integer> NUMBERS = new LinkedHashMap<>();

    /** The invocations of a test are parts of it. */
    private static String unitOf(TestName name) {
        if (name.uniqueId.isEmpty()) {
            return name.className + '#' + name.methodName + name.invocation;
        }
        int cut = name.uniqueId.length();
        for (String part : new String[] {"/[test-template-invocation:", "/[dynamic-test:", "/[dynamic-container:"}) {
            int at = name.uniqueId.indexOf(part);
            cut = at > 0 && at < cut ? at : cut;
        }
        return name.uniqueId.substring(0, cut);
    }

    // What runs now. Tests' threads write here while the thread of the judge waits for them.
    private static volatile boolean running;
    private static volatile long begun;
    private static volatile long limit;
    private static volatile int unit;
    private static volatile int mutant;
    // The query that was asked last, and when; 0 once it is answered.
    private static volatile int query;
    private static volatile long queried;
    private static int passed;
    private static int failed;
    // What made the run fail, or the test end early, first.
    private static Throwable thrown;
    private static final IntMap<Sequence> SEQUENCES = new IntMap<>();
    /** By slot, what a run showed; only where values are shown. */
    private static Map<Integer, Slot> shown = new TreeMap<>();

    /** True if values that tell are written down as well, as a recording writes them. */
    static boolean shows() {
        return "show".equals(Recorder.plan.judge);
    }

    /** Frameworks tell that a test starts. */
    static synchronized void started(TestName name) {
        running = true;
        if (launching.discovers) {
            unit = NUMBERS.computeIfAbsent(unitOf(name), id -> found(id, name, true));
            begun = System.nanoTime();
            limit = LONGEST;
        }
    }

    private static int found(String id, TestName name, boolean begins) {
        Unit of = new Unit(id, name);
        of.begins = begins;
        UNITS.add(of);
        return UNITS.size() - 1;
    }

    /** A test that does not begin, since the set-up of its class fails. It is asked for one by one all the same, to see with what. */
    static synchronized void unable(TestName name) {
        if (launching.discovers) {
            NUMBERS.computeIfAbsent(unitOf(name), id -> found(id, name, false));
        }
    }

    static synchronized void ended(int status, Throwable by) {
        running = false;
        thrown = thrown == null ? by : thrown;
        if (status == TestRun.PASSED) {
            passed++;
        } else if (status == TestRun.FAILED || status == TestRun.UNKNOWN) {
            failed++;
        }
    }

    static synchronized void containerEnded(boolean fails, Throwable by) {
        failed += fails ? 1 : 0;
        thrown = thrown == null ? by : thrown;
    }

    /** Runs one test and tells whether as many invocations pass as in the plain run, and none fails. */
    private static boolean run(int number) throws Exception {
        Unit of = UNITS.get(number);
        synchronized (Judge.class) {
            SEQUENCES.clear();
            shown = new TreeMap<>();
            passed = 0;
            failed = 0;
            thrown = null;
            unit = number;
            limit = of.limitMillis;
            begun = System.nanoTime();
        }
        try {
            launching.run(of.id);
        } catch (OutOfMemoryError memory) {
            gone("memory");
        } catch (ReflectiveOperationException | RuntimeException | Error broken) {
            failed++;
            thrown = broken instanceof InvocationTargetException ? broken.getCause() : broken;
        } finally {
            begun = 0;
            queried = 0;
            running = false;
        }
        synchronized (Judge.class) {
            return failed == 0 && passed > 0 && (of.passes == 0 || passed == of.passes);
        }
    }

    private static void watch() {
        while (true) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException never) {
                return;
            }
            if (isPast(queried, LONGEST_QUERY) && mutant == 0) {
                gone("query");
            } else if (isPast(begun, limit)) {
                gone("slow");
            }
        }
    }

    private static boolean isPast(long since, long millis) {
        return since != 0 && (System.nanoTime() - since) / 1_000_000 > millis;
    }

    /** Ends this JVM, and says in which mutant, test and, if it is that, query. */
    private static void gone(String why) {
        try {
            Unit of = unit < UNITS.size() ? UNITS.get(unit) : new Unit("", new TestName());
            String name = '\t' + of.id + '\t' + of.name.className + '\t' + of.name.methodName;
            String slot = why.equals("query") ? "\t" + query : "";
            write("gone\t" + mutant + '\t' + unit + '\t' + why + name + slot + '\n');
            flush();
        } finally {
            Runtime.getRuntime().halt(5);
        }
    }

    // --- Values ---

    /** All values of a slot in a test, as one number. */
    private static final class Sequence {
        long hash;
        int count;
        int asked;

        void add(long value) {
            hash = mix(hash * 31 + value);
            count++;
        }
    }

    private static long mix(long value) {
        long z = value * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 32) * 0xD6E8FEB86659FD93L;
        return z ^ z >>> 32;
    }

    private static Sequence of(int slot) {
        Sequence of = SEQUENCES.get(slot + 1);
        if (of == null) {
            of = new Sequence();
            SEQUENCES.put(slot + 1, of);
        }
        return of;
    }

    static synchronized void primitive(int slot, int tag, long bits) {
        if (running) {
            of(slot).add(mix(tag) ^ bits);
            if (shows()) {
                shown.computeIfAbsent(slot, key -> new Slot()).primitive(tag, bits);
            }
        }
    }

    /** False for a value that is counted here and not looked at. */
    static synchronized boolean wants(int slot) {
        if (!running) {
            return false;
        }
        Sequence of = of(slot);
        if (of.count < LOOKED_AT) {
            return true;
        }
        of.add(1);
        return false;
    }

    static synchronized void object(int slot, byte[] key, boolean thrown, byte[] value) {
        if (!running) {
            return;
        }
        if (shows()) {
            shown.computeIfAbsent(slot, name -> new Slot()).value(value, thrown ? value : key);
        }
        long hash = thrown ? 1 : 0;
        for (byte each : key) {
            hash = hash * 1099511628211L + each;
        }
        of(slot).add(hash);
    }

    /** True if a query is to be evaluated. */
    static synchronized boolean asks(int slot) {
        if (!running || of(slot).asked++ >= ASKED) {
            return false;
        }
        query = slot;
        queried = System.nanoTime();
        return true;
    }

    static void answered() {
        queried = 0;
    }

    /** A number of a name that is the same in each JVM. */
    static int number(String name) {
        long hash = 7;
        for (int at = 0; at < name.length(); at++) {
            hash = mix(hash + name.charAt(at));
        }
        return (int) (hash & 0x7FFFFFFF);
    }

    private static Map<Integer, Long> told() {
        Map<Integer, Long> told = new HashMap<>();
        synchronized (Judge.class) {
            for (int key : SEQUENCES.keys()) {
                Sequence of = SEQUENCES.get(key);
                if (of.count > 0) {
                    told.put(key - 1, mix(of.hash + of.count));
                }
            }
        }
        return told;
    }

    // --- Plain ---

    /**
     * All classes at once, which finds the tests, or tests that are known, one by one; then one by one in the same order;
     * then in another one.
     */
    private static void plain() throws Exception {
        List<String> given = Mutants.lines(new File(folder, "classes"));
        Random chance = new Random(Long.parseLong(given.get(0)));
        int most = 1;
        for (String line : Mutants.lines(new File(folder, "plan"))) {
            String[] fields = line.split("\t");
            if (fields[0].equals("mutate")) {
                most = Math.max(most, Integer.parseInt(fields[2]) + Integer.parseInt(fields[3]));
            }
        }
        Switch.reached = new boolean[most];
        List<String> classes = new ArrayList<>();
        for (String line : given.subList(1, given.size())) {
            String[] fields = line.split("\t", -1);
            if (fields.length == 1) {
                classes.add(line);
            } else {
                TestName name = new TestName();
                name.className = fields[1];
                name.methodName = fields[2];
                name.descriptor = fields[3];
                UNITS.add(new Unit(fields[0], name));
            }
        }
        if (classes.isEmpty()) {
            for (int number = 0; number < UNITS.size(); number++) {
                run(number);
            }
        } else {
            launching.discovers = true;
            launching.runAll(classes);
            launching.discovers = false;
        }
        begun = 0;
        write("early" + reached(Switch.reached) + '\n');
        List<Integer> order = new ArrayList<>();
        for (int number = 0; number < UNITS.size(); number++) {
            TestName name = UNITS.get(number).name;
            write("unit\t" + number + '\t' + UNITS.get(number).id + '\t' + name.className + '\t' + name.methodName + '\t'
                    + name.descriptor.replace('\t', ' ') + '\n');
            if (!UNITS.get(number).begins) {
                write("unable\t" + number + '\n');
            }
            order.add(number);
        }
        for (int round = 2; round < 4; round++) {
            if (round == 3) {
                Collections.shuffle(order, chance);
            }
            for (int number : order) {
                Arrays.fill(Switch.reached, false);
                long from = System.nanoTime();
                boolean passes = run(number);
                long nanos = System.nanoTime() - from;
                StringBuilder line = new StringBuilder();
                line.append("ran\t").append(number).append('\t').append(round).append('\t').append(passes ? 1 : 0)
                        .append('\t').append(nanos).append('\t').append(passed).append('\n');
                line.append("told\t").append(number).append('\t').append(round);
                told().forEach((slot, hash) -> line.append('\t').append(slot).append(':').append(Long.toHexString(hash)));
                line.append("\nreach\t").append(number).append('\t').append(round).append(reached(Switch.reached));
                line.append('\n');
                if (!passes && thrown != null) {
                    line.append("why\t").append(number).append('\t').append(round).append('\t').append(why(thrown)).append('\n');
                }
                write(line.toString());
            }
        }
    }

    /** Class and message, on one line. */
    private static String why(Throwable thrown) {
        String message = null;
        try {
            message = Initialisers.message(thrown, Encoder.message(Shape.of(thrown.getClass()), thrown));
        } catch (RuntimeException | LinkageError unreadable) {
            Recorder.failed(unreadable);
        }
        String said = thrown.getClass().getName();
        if (message != null && !message.trim().isEmpty()) {
            said += ": " + message.substring(0, Math.min(message.length(), 4 * WHY));
        }
        said = BLANKS.matcher(said).replaceAll(" ").trim();
        if (said.length() <= WHY) {
            return said;
        }
        int end = Character.isHighSurrogate(said.charAt(WHY - 1)) ? WHY - 1 : WHY;
        return said.substring(0, end) + '…';
    }

    private static String reached(boolean[] all) {
        StringBuilder line = new StringBuilder();
        for (int id = 1; id < all.length; id++) {
            if (all[id]) {
                line.append('\t').append(id);
            }
        }
        return line.toString();
    }

    // --- Mutants ---

    private static void mutants() throws Exception {
        for (String line : Mutants.lines(new File(folder, "units"))) {
            String[] fields = line.split("\t");
            Unit of = new Unit(fields[0], new TestName());
            of.limitMillis = Long.parseLong(fields[1]);
            of.passes = Integer.parseInt(fields[2]);
            of.told = new TreeMap<>();
            for (int at = 3; at < fields.length; at++) {
                int colon = fields[at].indexOf(':');
                of.told.put(Integer.parseInt(fields[at].substring(0, colon)),
                        Long.parseUnsignedLong(fields[at].substring(colon + 1), 16));
            }
            UNITS.add(of);
        }
        for (String line : Mutants.lines(new File(folder, "work"))) {
            String[] fields = line.split("\t");
            judge(Integer.parseInt(fields[0]), fields[1].contains("f"), fields[1].contains("d"),
                    Arrays.asList(fields).subList(2, fields.length));
        }
    }

    /** {@code first}: until a test fails; {@code accepts}: what it leaves behind is no reason to run it again. */
    private static void judge(int id, boolean first, boolean accepts, List<String> tests) throws Exception {
        mutant = id;
        write("begin\t" + id + '\n');
        flush();
        BitSet killing = new BitSet();
        int told = -1;
        for (String each : tests) {
            int number = Integer.parseInt(each);
            Unit of = UNITS.get(number);
            if (!of.warm && !warm(number)) {
                write("unstable\t" + id + '\t' + number + '\n');
            }
            long from = System.nanoTime();
            Switch.on = id;
            boolean passes = run(number);
            Switch.on = 0;
            StringBuilder line = new StringBuilder(passes ? "lives\t" : "dies\t");
            line.append(id).append('\t').append(number).append('\t').append((System.nanoTime() - from) / 1000);
            if (passes) {
                List<Integer> other = differing(of);
                if (!other.isEmpty()) {
                    told = number;
                    show(id, number, other);
                }
                other.forEach(slot -> line.append('\t').append(slot));
            } else {
                killing.set(number);
            }
            write(line.append('\n').toString());
            if (!passes && first) {
                break;
            }
        }
        if (!accepts && leavesTraces(killing, told)) {
            write("dirty\t" + id + '\n');
            flush();
            Runtime.getRuntime().halt(6);
        }
        write("end\t" + id + '\n');
    }

    /**
     * The first run of a test in this JVM is without a mutant: what is initialised once must not be by one. False if it
     * does not pass as it did. Where values are shown it runs twice, and what it tells then is what mutants' runs are
     * compared with: what was told earlier may be of another day, and its hashes are of another dictionary.
     */
    private static boolean warm(int number) throws Exception {
        Unit of = UNITS.get(number);
        long limitMillis = of.limitMillis;
        of.limitMillis = LONGEST;
        long from = System.nanoTime();
        boolean passes = run(number);
        long millis = (System.nanoTime() - from) / 1_000_000;
        if (shows()) {
            passes &= run(number);
            Map<Integer, Long> now = told();
            of.told.keySet().retainAll(now.keySet());
            of.told.replaceAll((slot, hash) -> now.get(slot));
            of.shown = shown;
        }
        // The machine may have more to do than then.
        of.limitMillis = Math.max(limitMillis, SLOWER * millis);
        of.warm = true;
        return passes;
    }

    /** Writes down what slots told in the last run, with a mutant, and what they do without. */
    private static synchronized void show(int id, int number, List<Integer> slots) {
        if (!shows()) {
            return;
        }
        Unit of = UNITS.get(number);
        for (int slot : slots) {
            show(id, number, slot, shown.get(slot));
            if (of.written.add(slot)) {
                show(0, number, slot, of.shown.get(slot));
            }
        }
        Recorder.segment.flush();
    }

    /** For its test stands the mutant's number times that of tests, and the test's. */
    private static void show(int id, int number, int slot, Slot of) {
        if (of != null) {
            Bytes record = new Bytes(64);
            record.u8(0x12);
            record.varint(slot);
            record.varint((long) id * UNITS.size() + number);
            of.write(record);
            Recorder.segment.add(record);
        }
    }

    /** Slots whose values are others than in the plain run, in order. */
    private static List<Integer> differing(Unit of) {
        Map<Integer, Long> now = told();
        List<Integer> slots = new ArrayList<>();
        of.told.forEach((slot, hash) -> {
            if (!hash.equals(now.get(slot))) {
                slots.add(slot);
            }
        });
        return slots;
    }

    /** True if tests that failed with the mutant, or told of it, do so without it, too. */
    private static boolean leavesTraces(BitSet killing, int told) throws Exception {
        int checked = 0;
        for (int number = killing.nextSetBit(0); number >= 0 && checked < CHECKED;
                number = killing.nextSetBit(number + 1), checked++) {
            if (!run(number)) {
                return true;
            }
        }
        if (told < 0) {
            return false;
        }
        return !run(told) || !differing(UNITS.get(told)).isEmpty();
    }

    // --- Output ---

    static synchronized void lost(String what) {
        write("lost\t" + what + '\n');
    }

    private static synchronized void write(String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException full) {
            Runtime.getRuntime().halt(7);
        }
    }

    private static synchronized void flush() {
        try {
            out.flush();
        } catch (IOException full) {
            Runtime.getRuntime().halt(7);
        }
    }
}
