package dev.telltale.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against the sampler that everybody understands: each later call draws a number, and those with the least are kept. */
class ReservoirTest {
    private static final int TIMES = 20_000;

    /** The calls from 1 to {@code calls} that are kept, of at most {@code most}, and of fewer from the named calls on. */
    private static List<Integer> sampled(int calls, int most, int draws, int... fewerFrom) {
        Reservoir reservoir = new Reservoir(most, draws);
        int until = 0;
        int allowed = most;
        for (int call = 1; call <= calls; call++) {
            if (--until <= 0) {
                reservoir.keep(reservoir.choose(), new byte[] {(byte) call, (byte) (call >> 8)}, 1);
                until = reservoir.gap();
            }
            for (int from : fewerFrom) {
                if (from == call) {
                    allowed /= 2;
                    reservoir.thin(allowed, reservoir.gap() - until);
                    until = reservoir.gap();
                }
            }
        }
        List<Integer> kept = new ArrayList<>();
        for (Reservoir.Kept call : reservoir.kept()) {
            kept.add((call.bytes[0] & 0xFF) | call.bytes[1] << 8);
        }
        assertEquals(kept.size(), reservoir.size());
        Collections.sort(kept);
        return kept;
    }

    private static List<Integer> bruteForce(int calls, int most, Random random) {
        int first = Math.min(calls, most / 2);
        List<Integer> later = new ArrayList<>();
        for (int call = first + 1; call <= calls; call++) {
            later.add(call);
        }
        Collections.shuffle(later, random);
        List<Integer> kept = new ArrayList<>(later.subList(0, Math.min(later.size(), most - most / 2)));
        for (int call = 1; call <= first; call++) {
            kept.add(call);
        }
        Collections.sort(kept);
        return kept;
    }

    /** How often each call is kept, and each two of them together. */
    private static int[][] counted(int calls, List<List<Integer>> samples) {
        int[][] together = new int[calls + 1][calls + 1];
        for (List<Integer> sample : samples) {
            for (int a : sample) {
                for (int b : sample) {
                    together[a][b]++;
                }
            }
        }
        return together;
    }

    private static void isLikeBruteForce(int calls, int most, int... fewerFrom) {
        int left = most >> fewerFrom.length;
        List<List<Integer>> own = new ArrayList<>();
        List<List<Integer>> simple = new ArrayList<>();
        Random random = new Random(7);
        for (int time = 0; time < TIMES; time++) {
            own.add(sampled(calls, most, time * 1000, fewerFrom));
            simple.add(bruteForce(calls, left, random));
            assertEquals(Math.min(calls, left), own.get(time).size());
            int first = Math.min(calls, left / 2);
            assertEquals(simple.get(time).subList(0, first), own.get(time).subList(0, first));
        }
        int[][] ours = counted(calls, own);
        int[][] theirs = counted(calls, simple);
        for (int a = 1; a <= calls; a++) {
            for (int b = 1; b <= calls; b++) {
                // Six deviations of the difference of two counts.
                double much = 6 * Math.sqrt(2.0 * theirs[a][b] + 4);
                assertTrue(Math.abs(ours[a][b] - theirs[a][b]) <= much,
                        a + " with " + b + " of " + calls + ": " + ours[a][b] + ", not about " + theirs[a][b]
                                + " " + Arrays.toString(fewerFrom));
            }
        }
    }

    @Test
    void eachLaterCallHasTheSameChance() {
        for (int[] each : new int[][] {{1, 8}, {8, 8}, {9, 8}, {40, 8}, {40, 7}, {30, 1}, {30, 2}, {30, 3}}) {
            isLikeBruteForce(each[0], each[1]);
        }
    }

    @Test
    void fewerCallsAreASampleOfTheSameKindWheneverThatIsSaid() {
        isLikeBruteForce(40, 8, 3);
        isLikeBruteForce(40, 8, 4);
        isLikeBruteForce(40, 8, 6);
        isLikeBruteForce(40, 8, 8);
        isLikeBruteForce(40, 8, 9);
        isLikeBruteForce(40, 8, 25);
        isLikeBruteForce(40, 8, 40);
        isLikeBruteForce(40, 8, 10, 30);
        isLikeBruteForce(40, 8, 30, 31);
        isLikeBruteForce(40, 8, 12, 12, 20);
        isLikeBruteForce(40, 7, 20);
        isLikeBruteForce(40, 3, 20);
    }

    @Test
    void whatIsOutBeforeItEndedIsNotKept() {
        Reservoir reservoir = new Reservoir(2, 0);
        List<Reservoir.Kept> all = new ArrayList<>();
        for (int chosen = 0; chosen < 30; chosen++) {
            all.add(reservoir.choose());
        }
        for (Reservoir.Kept call : all) {
            reservoir.keep(call, new byte[1], 5);
        }
        assertEquals(2, Arrays.stream(reservoir.kept()).filter(it -> it.bytes != null).count());
        assertEquals(10, reservoir.size());
        reservoir.thin(1, 0);
        assertEquals(5, reservoir.size());
    }
}
