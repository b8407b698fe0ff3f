package dev.telltale.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.internal.vm.annotation.DontInline;

/**
 * Which lines ran since a test began. Woven classes get no member of their own, which a test could see by reflection:
 * their probes lie here, and they set them by the number of the class.
 */
public final class Probes {
    private Probes() {}

    /** A profile that is not known. */
    private static final int UNKNOWN = 1;
    /** A test that has more profiles than these gets no further ones. */
    private static final int MOST_PROFILES = 10_000;

    /** By number of the class. It never grows, so that woven code needs no check; what comes later is not covered. */
    public static final boolean[][] OF = new boolean[1 << 16][];

    private static volatile int count;
    private static final Unit[] UNITS = new Unit[OF.length];
    private static final Set<Integer> TAKEN = new HashSet<>();
    private static final Map<String, Group> GROUPS = new HashMap<>();
    private static int lastProfile = UNKNOWN;

    /** One class as it was woven. */
    static final class Unit {
        final int number;
        final int ofClass;
        boolean[] probes;
        /** The probes as the last profile of the class has them; null if none was set. */
        boolean[] before;

        Unit(int number, int ofClass) {
            this.number = number;
            this.ofClass = ofClass;
        }
    }

    /** A class and those that stand in it. */
    static final class Group {
        private final List<Unit> units = new ArrayList<>();
        /** The last profile and whose it is. */
        private int test;
        private int profile;

        private boolean isAsBefore() {
            for (Unit unit : units) {
                boolean same = unit.before == null
                        ? unit.probes == null || isClear(unit.probes)
                        : Arrays.equals(unit.probes, unit.before);
                if (!same) {
                    return false;
                }
            }
            return true;
        }
    }

    static synchronized Group group(String name) {
        int nested = name.indexOf('$', 1);
        String top = nested < 0 ? name : name.substring(0, nested);
        return GROUPS.computeIfAbsent(top, it -> new Group());
    }

    /** True if another class has this number in the dictionary, and probes. */
    static synchronized boolean isTaken(int ofClass) {
        return TAKEN.contains(ofClass);
    }

    /** A place for a class's probes, or null if all are taken. Its probes exist once {@link #define} was called. */
    static synchronized Unit add(String name, int ofClass) {
        if (count == OF.length) {
            Recorder.segment.lost("coverage of classes beyond " + OF.length);
            return null;
        }
        Unit unit = new Unit(count, ofClass);
        UNITS[count++] = unit;
        TAKEN.add(ofClass);
        group(name).units.add(unit);
        return unit;
    }

    /** Says of each probe where it is: line and method. */
    static synchronized void define(Unit unit, int[] lines, int[] methods) {
        unit.probes = new boolean[lines.length];
        OF[unit.number] = unit.probes;
        Bytes record = new Bytes(64);
        record.u8(0x15);
        record.varint(unit.ofClass);
        record.varint(lines.length);
        for (int probe = 0; probe < lines.length; probe++) {
            record.varint(lines[probe]);
            record.varint(methods[probe]);
        }
        Recorder.segment.always(record);
    }

    /** Writes what ran, as this test's, and clears it. */
    static void collect(int test) {
        Bytes record = new Bytes(256);
        for (int at = 0, all = count; at < all; at++) {
            boolean[] probes = OF[at];
            if (probes != null && !isClear(probes)) {
                record.clear();
                record.u8(0x16);
                record.varint(test);
                record.varint(UNITS[at].ofClass);
                bitmap(record, probes);
                Recorder.segment.add(record);
                Arrays.fill(probes, false);
            }
        }
    }

    static void forget() {
        for (int at = 0, all = count; at < all; at++) {
            if (OF[at] != null) {
                Arrays.fill(OF[at], false);
            }
        }
    }

    private static boolean isClear(boolean[] probes) {
        for (boolean ran : probes) {
            if (ran) {
                return false;
            }
        }
        return true;
    }

    /** Length in bytes, then eight probes a byte, the first in the lowest bit. */
    private static void bitmap(Bytes record, boolean[] probes) {
        record.varint((probes.length + 7) / 8);
        for (int at = 0; at < probes.length; at += 8) {
            int bits = 0;
            for (int bit = 0; bit < 8 && at + bit < probes.length; bit++) {
                bits |= probes[at + bit] ? 1 << bit : 0;
            }
            record.u8(bits);
        }
    }

    // --- Profiles ---

    /** What the test executed of these classes up to now; equal profiles of a test are one. */
    @DontInline
    static int profile(TestRun run, Group group) {
        if (group == null || run.overlapped) {
            return UNKNOWN;
        }
        synchronized (Probes.class) {
            if (group.test == run.id && group.isAsBefore()) {
                return group.profile;
            }
            if (run.profiles >= MOST_PROFILES) {
                return UNKNOWN;
            }
            Bytes record = new Bytes(128);
            int classes = 0;
            for (Unit unit : group.units) {
                if (unit.probes != null && !isClear(unit.probes)) {
                    classes++;
                    record.varint(unit.ofClass);
                    // What is written is what is compared with, though other threads go on.
                    unit.before = unit.probes.clone();
                    bitmap(record, unit.before);
                } else {
                    unit.before = null;
                }
            }
            if (classes == 0) {
                return UNKNOWN;
            }
            // Probes are set and never cleared while a test runs, so this is none of those before.
            run.profiles++;
            group.test = run.id;
            group.profile = write(classes, record);
            return group.profile;
        }
    }

    private static synchronized int write(int classes, Bytes content) {
        Bytes record = new Bytes(content.length + 16);
        record.u8(0x17);
        record.varint(++lastProfile);
        record.varint(classes);
        record.bytes(content);
        Recorder.segment.add(record);
        return lastProfile;
    }
}
