package dev.telltale.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What to record: the file {@code plan}, whose lines docs/evidence.md describes. Immutable once read. */
final class Plan {
    /** Distinct values kept of a slot in a test. */
    int distinct = 8;
    /** Evaluations of a query in a test. */
    int queries = 8;
    /** Of several at one place the last is asked first. */
    boolean backwards;
    /** Elements shown of an array, a collection or a map. */
    int elements = 16;
    /** Objects within objects. */
    int depth = 3;
    /** UTF-16 units shown of a text. */
    int string = 1000;
    /** Calls sampled of a method in a test. */
    int samples = 20;
    /** Bytes of values in the calls that are kept of a test. */
    int share = 1 << 24;
    /** Bytes written by this JVM. */
    long bytes = 268435456;
    /** A query that once took longer is not asked again. */
    long slotMillis = 200;
    /** One that is not answered by then ends its JVM; 0 if it may take as long as it likes. */
    long queryMillis = 5000;
    /** A test that takes longer ends its JVM; 0 if any may take as long as it likes. */
    long testMillis;

    /** Class bytes that replace those of a class, by binary name with slashes. */
    private final Map<String, byte[]> swaps = new HashMap<>();
    /** Class name to the names of methods that are not to run as tests. */
    private final Map<String, Set<String>> skipped = new HashMap<>();
    private final Names covered = new Names();
    private final Names sampled = new Names();
    /** Class name to {@code name + descriptor}, for classes of which single methods are sampled. */
    private final Map<String, Set<String>> sampledMethods = new HashMap<>();

    /** Class name to the number of its first mutant and how many it has. */
    private final Map<String, int[]> mutants = new HashMap<>();
    /** What the judge does in this JVM, {@code plain}, {@code mutants} or {@code show}; null if there is none. */
    String judge;
    /** Methods have one more mutant each, which leaves all of their body out. */
    boolean bodies;
    /** Queries that are not asked. */
    private final BitSet muted = new BitSet();

    static Plan read(File folder) throws IOException {
        Plan plan = new Plan();
        byte[] bytes = Files.readAllBytes(new File(folder, "plan").toPath());
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n");
        if (!lines[0].equals("telltale-plan\t1")) {
            throw new IOException("the plan is of another version: " + lines[0]);
        }
        for (int line = 1; line < lines.length; line++) {
            if (!lines[line].isEmpty() && !plan.take(folder, lines[line].split("\t", -1))) {
                throw new IOException("line " + (line + 1) + " of the plan: " + lines[line]);
            }
        }
        return plan;
    }

    private boolean take(File folder, String[] fields) throws IOException {
        switch (fields[0] + fields.length) {
            case "limit3":
                return limit(fields[1], Long.parseLong(fields[2]));
            case "swap3":
                swaps.put(fields[1], Files.readAllBytes(folder.toPath().resolve(fields[2])));
                return true;
            case "skip3":
                skipped.computeIfAbsent(fields[1], name -> new HashSet<>()).add(fields[2]);
                return true;
            case "mutate4":
                mutants.put(fields[1], new int[] {Integer.parseInt(fields[2]), Integer.parseInt(fields[3])});
                return true;
            case "judge2":
                judge = fields[1];
                return judge.equals("plain") || judge.equals("mutants") || judge.equals("show");
            case "mute2":
                muted.set(Integer.parseInt(fields[1]));
                return true;
            case "bodies1":
                bodies = true;
                return true;
            case "cover2":
                covered.add(fields[1]);
                return true;
            case "sample2":
                sampled.add(fields[1]);
                return true;
            case "sample4":
                sampledMethods.computeIfAbsent(fields[1], name -> new HashSet<>()).add(fields[2] + fields[3]);
                return true;
            default:
                return false;
        }
    }

    private boolean limit(String name, long number) {
        int small = (int) Math.max(0, Math.min(number, 1 << 20));
        switch (name) {
            case "distinct":
                distinct = Math.max(1, small);
                return true;
            case "queries":
                queries = small;
                return true;
            case "backwards":
                backwards = number != 0;
                return true;
            case "elements":
                elements = small;
                return true;
            case "depth":
                depth = Math.min(small, 16);
                return true;
            case "string":
                string = small;
                return true;
            case "samples":
                samples = small;
                return true;
            case "share":
                share = (int) Math.max(0, Math.min(number, 1 << 30));
                return true;
            case "bytes":
                bytes = number;
                return true;
            case "slotmillis":
                slotMillis = number;
                return true;
            case "querymillis":
                queryMillis = number;
                return true;
            case "testmillis":
                testMillis = number;
                return true;
            default:
                return false;
        }
    }

    boolean mutes(int slot) {
        return muted.get(slot);
    }

    /** True if anything is to be done with the class. */
    boolean concerns(String name) {
        return swaps.containsKey(name) || skipped.containsKey(name) || mutants.containsKey(name) || covers(name)
                || samples(name) || sampledMethods.containsKey(name);
    }

    /** The bytes that stand for this class, or null. */
    byte[] swap(String name) {
        return swaps.get(name);
    }

    /** The number of the class's first mutant and how many it has; null if it gets none. */
    int[] mutants(String name) {
        return mutants.get(name);
    }

    /** The names of its methods that are not to run as tests, or null. */
    Set<String> skips(String name) {
        return skipped.get(name);
    }

    boolean covers(String name) {
        return covered.contains(name);
    }

    /** True if all methods of the class are sampled. */
    boolean samples(String name) {
        return sampled.contains(name);
    }

    /** {@code name + descriptor} of the methods that are sampled one by one, or null. */
    Set<String> sampledMethods(String name) {
        return sampledMethods.get(name);
    }

    /** Class names, and prefixes of such. */
    private static final class Names {
        private final Set<String> whole = new HashSet<>();
        private final List<String> prefixes = new ArrayList<>();

        void add(String name) {
            if (name.endsWith("*")) {
                prefixes.add(name.substring(0, name.length() - 1));
            } else {
                whole.add(name);
            }
        }

        boolean contains(String name) {
            if (whole.contains(name)) {
                return true;
            }
            for (String prefix : prefixes) {
                if (name.startsWith(prefix)) {
                    return true;
                }
            }
            return false;
        }
    }
}
