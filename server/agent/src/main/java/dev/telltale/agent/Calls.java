package dev.telltale.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The calls of each method in one test; numbers of methods are small. */
final class Calls {
    final TestRun run;
    /**
     * By method, how many calls are counted until one is chosen. At 0 or below the next one is looked at, as the first
     * is. Read and written by all threads without care: that two of them may count one call is no harm.
     */
    int[] until = {};
    private Reservoir[] of = {};
    /** How many calls of a method are kept, which falls as the share of the test is used up; 0 once none is. */
    private int most;
    private long size;

    /** Where one call of each method is more than so many shares, methods that are called for the first time are left out. */
    private static final long MOST_SHARES = 4;

    Calls(TestRun run) {
        this.run = run;
        // What runs outside of tests is nobody's.
        most = run.id == 0 ? 0 : Recorder.plan.samples;
    }

    /** Makes room for methods with numbers below {@code methods}. */
    synchronized void grow(int methods) {
        if (until.length < methods) {
            until = Arrays.copyOf(until, methods);
        }
    }

    /** A call for which it is time; null if it is not to be kept. */
    synchronized Reservoir.Kept choose(int method) {
        if (until[method] > 0) {
            // Another thread was faster.
            return null;
        }
        if (most == 0) {
            until[method] = Reservoir.NEVER;
            return null;
        }
        if (method >= of.length) {
            of = Arrays.copyOf(of, until.length);
        }
        Reservoir reservoir = of[method];
        if (reservoir == null) {
            reservoir = new Reservoir(most, 0);
            of[method] = reservoir;
        } else if (reservoir.gap() == Reservoir.NEVER) {
            until[method] = Reservoir.NEVER;
            return null;
        }
        long before = reservoir.size();
        Reservoir.Kept kept = reservoir.choose();
        size += reservoir.size() - before;
        until[method] = reservoir.gap();
        return kept;
    }

    /** A call that was chosen ended: what is written of it, and how much of that are values. */
    synchronized void keep(int method, Reservoir.Kept call, byte[] bytes, int values) {
        if (most == 0) {
            return;
        }
        Reservoir reservoir = of[method];
        long before = reservoir.size();
        reservoir.keep(call, bytes, values);
        size += reservoir.size() - before;
        while (size > Recorder.plan.share && most > 1) {
            thin(most / 2);
        }
        if (size > MOST_SHARES * Recorder.plan.share) {
            stop();
            Recorder.segment.lost("calls beyond the share of a test");
        }
    }

    private void thin(int fewer) {
        most = fewer;
        size = 0;
        for (int method = 0; method < of.length; method++) {
            Reservoir reservoir = of[method];
            if (reservoir != null) {
                // Until the next call is chosen the table counts down from the gap.
                int since = until[method] == Reservoir.NEVER ? 0 : reservoir.gap() - Math.max(0, until[method]);
                reservoir.thin(fewer, since);
                until[method] = reservoir.gap();
                size += reservoir.size();
            }
        }
    }

    private void stop() {
        most = 0;
        Arrays.fill(until, Reservoir.NEVER);
    }

    /** All that is kept of calls that ended, by method; afterwards no call is chosen. */
    synchronized List<byte[]> close() {
        List<byte[]> all = new ArrayList<>();
        for (Reservoir reservoir : of) {
            if (reservoir != null) {
                for (Reservoir.Kept call : reservoir.kept()) {
                    if (call.bytes != null) {
                        all.add(call.bytes);
                    }
                }
            }
        }
        of = new Reservoir[0];
        stop();
        return all;
    }
}
