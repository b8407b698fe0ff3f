package bench;

import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What guards cost in a hot loop while they are off: counting the negative numbers of an array, in nanoseconds a number.
 * {@code cargo xtask evaluate guard} runs it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(GuardCost.SIZE)
public class GuardCost {
    static final int SIZE = 10_000;
    private static final String ID = "StatsTest.mixedSigns: neg";

    private final int[] numbers = new int[SIZE];
    private final String[] words = new String[SIZE];

    @Setup
    public void setUp() {
        Random random = new Random(1);
        for (int i = 0; i < SIZE; i++) {
            numbers[i] = random.nextInt();
            words[i] = Integer.toString(numbers[i]);
        }
    }

    @Benchmark
    public int intsWithout() {
        int neg = 0;
        for (int x : numbers) {
            if (x < 0) neg++;
        }
        return neg;
    }

    @Benchmark
    public int intsGuardedAfterTheLoop() {
        int neg = 0;
        for (int x : numbers) {
            if (x < 0) neg++;
        }
        InnerOracle.equal(ID, 2, neg);
        return neg;
    }

    @Benchmark
    public int intsGuardedInEachTurn() {
        int neg = 0;
        for (int x : numbers) {
            if (x < 0) neg++;
            InnerOracle.equal(ID, 2, neg);
        }
        return neg;
    }

    @Benchmark
    public int stringsWithout() {
        int neg = 0;
        for (String word : words) {
            if (word.charAt(0) == '-') neg++;
        }
        return neg;
    }

    @Benchmark
    public int stringsGuardedInEachTurn() {
        int neg = 0;
        for (String word : words) {
            if (InnerOracle.equal(ID, "", word).charAt(0) == '-') neg++;
        }
        return neg;
    }

    @Benchmark
    public int stringsUnderAConditionInEachTurn() {
        int neg = 0;
        for (String word : words) {
            if (word.charAt(0) == '-') neg++;
            if (InnerOracle.isOn(ID)) InnerOracle.that(ID, neg >= 0, neg);
        }
        return neg;
    }
}
