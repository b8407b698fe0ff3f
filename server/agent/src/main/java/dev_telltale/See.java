package dev_telltale;

import dev.telltale.agent.Slots;

/**
 * What woven source calls: {@code int x = dev_telltale.See.see(17, next());}. The package is one word that nobody
 * names a variable, since a variable or a type would obscure it; so the full name works in any scope. Nothing here
 * throws, and each {@code see} gives back its argument.
 */
public final class See {
    private See() {}

    // The numbers are the tags of values; for a boolean the tag is FALSE and the bit tells.

    public static boolean see(int slot, boolean value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 1, value ? 1 : 0);
        }
        return value;
    }

    public static byte see(int slot, byte value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 3, value);
        }
        return value;
    }

    public static short see(int slot, short value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 4, value);
        }
        return value;
    }

    public static char see(int slot, char value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 5, value);
        }
        return value;
    }

    public static int see(int slot, int value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 6, value);
        }
        return value;
    }

    public static long see(int slot, long value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 7, value);
        }
        return value;
    }

    public static float see(int slot, float value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 8, Float.floatToRawIntBits(value));
        }
        return value;
    }

    public static double see(int slot, double value) {
        if (Slots.looks(slot)) {
            Slots.primitive(slot, 9, Double.doubleToRawLongBits(value));
        }
        return value;
    }

    public static <T> T see(int slot, T value) {
        if (Slots.looks(slot)) {
            Slots.object(slot, value);
        }
        return value;
    }

    // --- Queries: if (See.wants(17)) try { See.query(17, record.comment()); } catch (Throwable t) { See.threw(17, t); }

    /** False when the slot was evaluated often enough in this test, or once took too long. Starts the slot's clock. */
    public static boolean wants(int slot) {
        return Slots.wants(slot);
    }

    /**
     * Of several queries at one place: how many turns a loop over them takes beyond one, down to 0, so that they may be
     * asked in another order: {@code for (int t = See.turns(2); t >= 0; t--) { if (See.wants(17, t, 0)) … }}.
     */
    public static int turns(int queries) {
        return Slots.turns(queries);
    }

    /** The same as {@link #wants(int)} of the query that stands there at an index, once in all turns. */
    public static boolean wants(int slot, int turn, int index) {
        return Slots.isTurn(turn, index) && Slots.wants(slot);
    }

    public static void query(int slot, boolean value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, byte value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, short value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, char value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, int value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, long value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, float value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, double value) {
        Slots.answered(slot);
        see(slot, value);
    }

    public static void query(int slot, Object value) {
        Slots.answered(slot);
        see(slot, value);
    }

    /** The query threw. */
    public static void threw(int slot, Throwable thrown) {
        Slots.threw(slot, thrown);
    }
}
