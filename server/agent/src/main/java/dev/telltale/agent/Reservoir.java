package dev.telltale.agent;

import java.util.Arrays;

/**
 * Which calls of one method are kept in one test: the first half of the allowed number, and of all later ones a sample in
 * which each has the same chance. How many calls pass until one is kept again is drawn ahead (Algorithm L; Li, Reservoir
 * sampling algorithms of time complexity O(n(1 + log(N/n))), 1994), so that those that pass are only counted. Draws are
 * the same in each run. When a test holds too much, {@link #thin} allows fewer calls, and what is left is a sample of
 * the same kind. Not for several threads.
 */
final class Reservoir {
    /** One call that is kept. It is asked for when the call begins, and may be out again before the call ends. */
    static final class Kept {
        /** Null until the call ended. */
        byte[] bytes;
        /** Bytes of values in it. */
        private int size;
        private boolean out;
    }

    /** A gap that no call ends. */
    static final int NEVER = Integer.MAX_VALUE;

    private int most;
    /** So many of the first calls stay. */
    private int first;
    /** The first calls, then the sample of the later ones. */
    private Kept[] kept = new Kept[2];
    private int filled;
    /** Calls up to the last one that was chosen. */
    private long seen;
    /** Calls from that one to the next that is chosen, which counts. */
    private int gap = 1;
    /** As if each later call drew a number between 0 and 1 and the least were kept: the largest of those. */
    private double bar = 1;
    private int draws;
    private long size;

    /** {@code most} calls are kept, at least one; what is drawn follows from {@code draws}. */
    Reservoir(int most, int draws) {
        this.most = most;
        this.draws = draws;
        first = most / 2;
    }

    /** Calls from the last one that was chosen to the next, or {@link #NEVER}. */
    int gap() {
        return gap;
    }

    /** The call that {@link #gap} said. */
    Kept choose() {
        seen += gap;
        Kept call = new Kept();
        if (filled < most) {
            if (filled == kept.length) {
                kept = Arrays.copyOf(kept, kept.length * 2);
            }
            kept[filled++] = call;
            gap = 1;
            if (filled == most) {
                bar = StrictMath.exp(StrictMath.log(draw()) / (most - first));
                skip();
            }
        } else {
            int place = first + (int) (draw() * (most - first));
            drop(kept[place]);
            kept[place] = call;
            bar *= StrictMath.exp(StrictMath.log(draw()) / (most - first));
            skip();
        }
        return call;
    }

    /** A call that was chosen ended; {@code values} of its bytes are values. Nothing of one that is out by then is kept. */
    void keep(Kept call, byte[] bytes, int values) {
        if (!call.out) {
            call.bytes = bytes;
            call.size = values;
            size += values;
        }
    }

    /** Bytes of values in what is kept. */
    long size() {
        return size;
    }

    private void drop(Kept call) {
        call.out = true;
        call.bytes = null;
        size -= call.size;
    }

    private void skip() {
        double skip = StrictMath.floor(StrictMath.log(draw()) / StrictMath.log(1 - bar)) + 1;
        gap = skip < NEVER ? (int) skip : NEVER;
    }

    /** Between 0 and 1, and the same in each run. */
    private double draw() {
        int hash = ++draws * 0x9E3779B9;
        hash = (hash ^ hash >>> 16) * 0x85EBCA6B;
        hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
        return ((hash ^ hash >>> 16) >>> 1 | 1) / (double) (1L << 31);
    }

    /**
     * From now on {@code most} calls are kept, at least one and fewer than before; {@code since} calls came after the
     * last one that was chosen. The calls behind the new first ones stand on their own, or in the sample for all that
     * were later; so many of both are drawn as a sample of all would have of each.
     */
    void thin(int most, int since) {
        int before = first;
        boolean full = filled == this.most;
        this.most = most;
        first = most / 2;
        if (filled <= first) {
            return;
        }
        seen += since;
        int own = Math.min(filled, before) - first;
        int sampled = filled - first - own;
        long others = full ? Math.max(sampled, seen - before) : sampled;
        long all = own + others;
        Kept[] left = new Kept[most];
        System.arraycopy(kept, 0, left, 0, first);
        int count = first;
        while (count < most && own + sampled > 0) {
            if (sampled == 0 || draw() * (own + others) < own) {
                int at = first + (int) (draw() * own);
                left[count++] = kept[at];
                kept[at] = kept[first + --own];
                kept[first + own] = null;
            } else {
                // The sample stands at the end of what is filled.
                int at = filled - 1 - (int) (draw() * sampled);
                left[count++] = kept[at];
                kept[at] = kept[filled - sampled];
                kept[filled - sampled] = null;
                sampled--;
                others--;
            }
        }
        for (int at = first; at < filled; at++) {
            if (kept[at] != null) {
                drop(kept[at]);
            }
        }
        kept = left;
        filled = count;
        gap = 1;
        if (count == most) {
            // As if each had drawn a number and the least were kept: the largest of those, of as many.
            double sum = 0;
            for (int at = 0; at < most - first; at++) {
                sum -= StrictMath.log(draw()) / (all - at);
            }
            bar = -StrictMath.expm1(-sum);
            skip();
        }
    }

    /** All that is kept, some of it of calls that did not end. */
    Kept[] kept() {
        return Arrays.copyOf(kept, filled);
    }
}
