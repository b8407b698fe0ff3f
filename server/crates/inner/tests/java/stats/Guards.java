package stats;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What a guard does, case by case: each method whose name starts with "case" is one. */
public final class Guards {
    static final String ID = "GuardsTest.t: neg";

    enum Sign { MINUS, PLUS }

    /** Only this class may name it. */
    private enum Own { SECRET }

    interface Body {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        int cases = 0;
        List<String> problems = new ArrayList<>();
        for (Method method : Guards.class.getDeclaredMethods()) {
            if (!method.getName().startsWith("case")) {
                continue;
            }
            cases++;
            try {
                method.invoke(null);
            } catch (Exception e) {
                problems.add(method.getName() + ": " + e.getCause());
            }
            if (InnerOracle.isOn(ID) || anyOn()) {
                problems.add(method.getName() + ": left an oracle on");
            }
        }
        problems.forEach(System.out::println);
        System.out.println(cases + " cases, " + problems.size() + " problems");
    }

    private static boolean anyOn() throws Exception {
        java.lang.reflect.Field field = InnerOracle.class.getDeclaredField("anyOn");
        field.setAccessible(true);
        return field.getBoolean(null);
    }

    // --- Code under test ---

    static int compare(List<Integer> list) {
        int neg = 0;
        for (int x : list) {
            if (x < 0) neg++;
        }
        InnerOracle.equal(ID, 2, neg); // the place
        return neg;
    }

    static int each(int... xs) {
        int sum = 0;
        for (int x : xs) {
            sum += InnerOracle.equal(ID, 7, x); // the place
        }
        return sum;
    }

    static void told(Object... values) {
        for (Object value : values) {
            InnerOracle.tell(ID, value); // the place
        }
    }

    static int factorial(int n) {
        InnerOracle.equal(ID, 1, n); // the place
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    static int swallows(int x) {
        try {
            return InnerOracle.equal(ID, 7, x); // the place
        } catch (Throwable ignored) {
            return -1;
        }
    }

    // --- How cases look ---

    static AssertionError failure(Body body) throws Exception {
        try {
            body.run();
        } catch (AssertionError failure) {
            return failure;
        }
        throw new IllegalStateException("did not fail");
    }

    static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new IllegalStateException("expected " + expected + "\n  but was " + actual);
        }
    }

    /** The message, with "#" for the line of the place. */
    static String message(Throwable failure) {
        return failure.getMessage().replaceAll("Guards\\.java:\\d+", "Guards.java:#");
    }

    static void fails(String message, Body body) throws Exception {
        same(message, message(failure(body)));
    }

    /** What is told of one value: the call to write. */
    static void tells(String call, Object... values) throws Exception {
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                told(values);
            }
        });
        String line = failure.getMessage().split("\n")[1];
        same("  InnerOracle." + call + "  //", line.substring(0, line.indexOf("  //") + 4));
    }

    // --- Cases ---

    static void caseOff() {
        same(3, compare(Arrays.asList(-1, -1, -1)));
        told("a");
        InnerOracle.ran(ID);
        InnerOracle.never(ID);
        InnerOracle.that(ID, false, 1);
        InnerOracle.notNull(ID, null);
        same(false, InnerOracle.isOn(ID));
    }

    static void caseHolds() {
        try (InnerOracle inner = InnerOracle.on(ID)) {
            same(true, InnerOracle.isOn(ID));
            same(2, compare(Arrays.asList(-1, 1, -1)));
        }
        same(1, compare(Arrays.asList(-1)));
    }

    static void caseFails() throws Exception {
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                compare(Arrays.asList(-1));
            }
        });
        same(ID + " at Guards.java:#: expected 2, but was 1", message(failure));
        same("compare", failure.getStackTrace()[0].getMethodName());
        same(null + "", failure.getCause() + "");
    }

    static void caseOfAnotherNameIsOff() {
        try (InnerOracle inner = InnerOracle.on("GuardsTest.other: neg").never()) {
            same(1, compare(Arrays.asList(-1)));
        }
    }

    static void caseNeverRan() throws Exception {
        fails(ID + ": the place never ran", () -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                same(1, 1);
            }
        });
    }

    static void caseTheFirstFailureStaysTheOneThatIsReported() throws Exception {
        try {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                throw new UnsupportedOperationException("first");
            }
        } catch (UnsupportedOperationException e) {
            same(ID + ": the place never ran", e.getSuppressed()[0].getMessage());
            return;
        }
    }

    static void caseAFailureAtThePlaceStaysTheOneThatIsReported() throws Exception {
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                each(8);
            }
        });
        same("each", failure.getStackTrace()[0].getMethodName());
        same(1, failure.getSuppressed().length);
    }

    static void caseASwallowedFailureComesAgain() throws Exception {
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                same(-1, swallows(8));
                same(7, swallows(7));
                same(-1, swallows(9));
            }
        });
        same(ID + " at Guards.java:#: expected 7, but was 8", message(failure));
        same("swallows", failure.getStackTrace()[0].getMethodName());
        same(0, failure.getSuppressed().length);
    }

    static void caseEachTurnIsChecked() throws Exception {
        fails(ID + " at Guards.java:#: expected 7, but was 8 (turn 3)", () -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                each(7, 7, 8, 9);
            }
        });
    }

    static void caseOneTurn() throws Exception {
        try (InnerOracle inner = InnerOracle.on(ID).first()) {
            each(7, 8);
        }
        try (InnerOracle inner = InnerOracle.on(ID).turn(2)) {
            each(8, 7, 8);
        }
        try (InnerOracle inner = InnerOracle.on(ID).last()) {
            same(24, each(8, 9, 7));
        }
        fails(ID + " at Guards.java:#: expected 7, but was 9 (turn 2)", () -> {
            try (InnerOracle inner = InnerOracle.on(ID).turn(2)) {
                each(7, 9, 7);
            }
        });
        fails(ID + " at Guards.java:#: expected 7, but was 9 (turn 3)", () -> {
            try (InnerOracle inner = InnerOracle.on(ID).last()) {
                each(7, 7, 9);
            }
        });
        fails(ID + ": the place ran 2 times, not 3 times", () -> {
            try (InnerOracle inner = InnerOracle.on(ID).turn(3)) {
                each(7, 7);
            }
        });
        fails(ID + ": the place never ran", () -> {
            try (InnerOracle inner = InnerOracle.on(ID).last()) {
                each();
            }
        });
    }

    static void caseRecursion() throws Exception {
        try (InnerOracle inner = InnerOracle.on(ID).last()) {
            same(24, factorial(4));
        }
        fails(ID + " at Guards.java:#: expected 1, but was 4", () -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                factorial(4);
            }
        });
    }

    static void caseNested() throws Exception {
        try (InnerOracle outer = InnerOracle.on("GuardsTest.other: x").never()) {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                same(true, InnerOracle.isOn("GuardsTest.other: x"));
                each(7);
            }
            same(true, InnerOracle.isOn("GuardsTest.other: x"));
            same(false, InnerOracle.isOn(ID));
        }
        // One name twice, as when a test calls itself: each counts what runs while it is on.
        try (InnerOracle outer = InnerOracle.on(ID).turn(2)) {
            each(8);
            try (InnerOracle inner = InnerOracle.on(ID).first()) {
                each(7);
            }
        }
    }

    static void caseClosedTwice() {
        InnerOracle inner = InnerOracle.on(ID);
        each(7);
        inner.close();
        inner.close();
    }

    static void caseRanAndNever() throws Exception {
        try (InnerOracle inner = InnerOracle.on(ID)) {
            InnerOracle.ran(ID);
        }
        fails(ID + ": the place never ran", () -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                if (ID.isEmpty()) InnerOracle.ran(ID);
            }
        });
        try (InnerOracle inner = InnerOracle.on(ID).never()) {
            if (ID.isEmpty()) InnerOracle.never(ID);
        }
        fails(ID + " at Guards.java:#: this place ran, and must not", () -> {
            try (InnerOracle inner = InnerOracle.on(ID).never()) {
                InnerOracle.never(ID);
            }
        });
        fails(ID + " at Guards.java:#: this place ran, and must not", () -> {
            try (InnerOracle inner = InnerOracle.on(ID).never()) {
                try {
                    InnerOracle.never(ID);
                } catch (AssertionError swallowed) {
                    same(1, 1);
                }
            }
        });
    }

    static void caseCondition() throws Exception {
        try (InnerOracle inner = InnerOracle.on(ID)) {
            if (InnerOracle.isOn(ID)) InnerOracle.that(ID, 1 > 0, 1);
        }
        fails(ID + " at Guards.java:#: the condition does not hold for -1", () -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                if (InnerOracle.isOn(ID)) InnerOracle.that(ID, -1 > 0, -1);
            }
        });
    }

    static void caseOverloads() throws Exception {
        byte b = 1;
        short s = 2;
        Byte bb = b;
        Short ss = s;
        try (InnerOracle inner = InnerOracle.on(ID)) {
            byte b1 = InnerOracle.equal(ID, 1, b);
            short s1 = InnerOracle.equal(ID, 2, s);
            char c1 = InnerOracle.equal(ID, 'a', 'a');
            char c2 = InnerOracle.equal(ID, 97, 'a');
            long l1 = InnerOracle.equal(ID, 2, 2L);
            float f1 = InnerOracle.equal(ID, 0.1f, 0.1f);
            float f2 = InnerOracle.equal(ID, 0.1, 0.1f);
            float f3 = InnerOracle.equal(ID, 0.3f, 0.1f + 0.2f, 1e-6f);
            float f4 = InnerOracle.equal(ID, Float.NaN, Float.NaN);
            double d1 = InnerOracle.equal(ID, 1, 1.0);
            double d2 = InnerOracle.equal(ID, 0.3, 0.1 + 0.2, 1e-9);
            double d3 = InnerOracle.equal(ID, Double.NaN, Double.NaN, 0.1);
            double d4 = InnerOracle.equal(ID, Double.POSITIVE_INFINITY, 1 / 0.0, 0.1);
            boolean z1 = InnerOracle.equal(ID, true, true);
            Byte b2 = InnerOracle.equal(ID, 1, bb);
            Byte b3 = InnerOracle.equal(ID, (byte) 1, bb);
            Short s2 = InnerOracle.equal(ID, 2, ss);
            Character c3 = InnerOracle.equal(ID, 'a', Character.valueOf('a'));
            Integer i1 = InnerOracle.equal(ID, 2000, Integer.valueOf(2000));
            Integer i2 = InnerOracle.equal(ID, null, (Integer) null);
            Long l2 = InnerOracle.equal(ID, 2, Long.valueOf(2));
            Float f5 = InnerOracle.equal(ID, 1.5f, Float.valueOf(1.5f));
            Double d5 = InnerOracle.equal(ID, 1, Double.valueOf(1), 0.1);
            Boolean z2 = InnerOracle.equal(ID, false, Boolean.FALSE);
            String string = InnerOracle.equal(ID, "a" + b, new String("a1"));
            String none = InnerOracle.equal(ID, null, (String) null);
            Object boxed = InnerOracle.equal(ID, 2, (Object) 2);
            Number number = InnerOracle.equal(ID, 2L, (Number) 2L);
            Sign sign = InnerOracle.equal(ID, Sign.PLUS, Sign.PLUS);
            int[] ints = InnerOracle.equal(ID, new int[] {1, 2}, new int[] {1, 2});
            int[][] nested = InnerOracle.equal(ID, new int[][] {{1}, null}, new int[][] {{1}, null});
            List<Integer> list = InnerOracle.text(ID, "[1, 2]", Arrays.asList(1, 2));
            List<Integer> some = InnerOracle.notNull(ID, list);
        }
        unequal("expected 2, but was 3", () -> InnerOracle.equal(ID, 2, (byte) 3));
        unequal("expected 'a', but was 'b'", () -> InnerOracle.equal(ID, 97, 'b'));
        unequal("expected -1, but was '\\uffff'", () -> InnerOracle.equal(ID, -1, '\uffff'));
        unequal("expected 0.0, but was -0.0", () -> InnerOracle.equal(ID, 0, -0.0));
        unequal("expected 0.1, but was 0.2", () -> InnerOracle.equal(ID, 0.1, 0.2));
        unequal("expected 0.1f, but was 0.2f", () -> InnerOracle.equal(ID, 0.1, 0.2f));
        unequal("expected 1.0 within 0.1, but was 1.5", () -> InnerOracle.equal(ID, 1, 1.5, 0.1));
        unequal("expected 1.0 within 0.1, but was null", () -> InnerOracle.equal(ID, 1, (Double) null, 0.1));
        unequal("expected 1.0 within NaN, but was 1.5", () -> InnerOracle.equal(ID, 1, 1.5, Double.NaN));
        unequal("expected 2, but was null", () -> InnerOracle.equal(ID, 2, (Integer) null));
        unequal("expected 2, but was null", () -> InnerOracle.equal(ID, 2, (Byte) null));
        unequal("expected 2, but was 2L", () -> InnerOracle.equal(ID, 2, (Object) 2L));
        unequal("expected null, but was \"\"", () -> InnerOracle.equal(ID, null, ""));
        unequal("expected \"a\\n\", but was \"\\u00e4\\\"\"", () -> InnerOracle.equal(ID, "a\n", "\u00e4\""));
        unequal("expected Guards.Sign.MINUS, but was Guards.Sign.PLUS", () -> InnerOracle.equal(ID, Sign.MINUS, Sign.PLUS));
        unequal("expected new int[] { 1 }, but was new Integer[] { 1 }",
                () -> InnerOracle.equal(ID, new int[] {1}, new Integer[] {1}));
        unequal("expected \"[1]\", but was \"[2]\"", () -> InnerOracle.text(ID, "[1]", Arrays.asList(2)));
        unequal("expected a value, but was null", () -> InnerOracle.notNull(ID, null));
        unequal("expected 2, but was ArrayList \"[1]\"", () -> InnerOracle.equal(ID, 2, new ArrayList<>(Arrays.asList(1))));
    }

    static void unequal(String message, Body body) throws Exception {
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                body.run();
            }
        });
        String text = failure.getMessage();
        same(message, text.substring(text.indexOf(": exp") + 2));
    }

    static void caseTells() throws Exception {
        tells("equal(\"GuardsTest.t: neg\", 2, neg)", 2);
        tells("equal(\"GuardsTest.t: neg\", -2147483648, neg)", Integer.MIN_VALUE);
        tells("equal(\"GuardsTest.t: neg\", 2L, neg)", 2L);
        tells("equal(\"GuardsTest.t: neg\", (byte) 2, neg)", (byte) 2);
        tells("equal(\"GuardsTest.t: neg\", 2.5f, neg)", 2.5f);
        tells("equal(\"GuardsTest.t: neg\", 2.0, neg)", 2.0);
        tells("equal(\"GuardsTest.t: neg\", Double.NaN, neg)", Double.NaN);
        tells("equal(\"GuardsTest.t: neg\", Float.NEGATIVE_INFINITY, neg)", -1f / 0);
        tells("equal(\"GuardsTest.t: neg\", 'x', neg)", 'x');
        tells("equal(\"GuardsTest.t: neg\", '\\'', neg)", '\'');
        tells("equal(\"GuardsTest.t: neg\", true, neg)", true);
        tells("equal(\"GuardsTest.t: neg\", null, neg)", (Object) null);
        tells("equal(\"GuardsTest.t: neg\", Guards.Sign.PLUS, neg)", Sign.PLUS);
        tells("equal(\"GuardsTest.t: neg\", java.util.concurrent.TimeUnit.DAYS, neg)", java.util.concurrent.TimeUnit.DAYS);
        tells("equal(\"GuardsTest.t: neg\", Thread.State.NEW, neg)", Thread.State.NEW);
        tells("equal(\"GuardsTest.t: neg\", new Guards.Sign[] { Guards.Sign.PLUS }, neg)", (Object) new Sign[] {Sign.PLUS});
        tells("text(\"GuardsTest.t: neg\", \"ONLY\", neg)", ofTests());
        tells("equal(\"GuardsTest.t: neg\", Guards.Own.SECRET, neg)", Own.SECRET);
        tells("text(\"GuardsTest.t: neg\", \"HIDDEN\", neg)", Other.hidden());
        tells("text(\"GuardsTest.t: neg\", \"CLOSED\", neg)", far.Far.closed());
        tells("equal(\"GuardsTest.t: neg\", far.Far.Open.OPEN, neg)", far.Far.Open.OPEN);
        tells("equal(\"GuardsTest.t: neg\", new Guards.Own[] { Guards.Own.SECRET }, neg)", (Object) new Own[] {Own.SECRET});
        tells("equal(\"GuardsTest.t: neg\", \"a\\t\\\"'\\\\u0041\\u00e9\\u0000\", neg)", "a\t\"'\\u0041\u00e9\0");
        tells("equal(\"GuardsTest.t: neg\", new int[] { 1, 2 }, neg)", new int[] {1, 2});
        tells("equal(\"GuardsTest.t: neg\", new int[] {}, neg)", new int[0]);
        tells("equal(\"GuardsTest.t: neg\", new byte[] { -1 }, neg)", new byte[] {-1});
        tells("equal(\"GuardsTest.t: neg\", new char[] { 'a' }, neg)", "a".toCharArray());
        tells("equal(\"GuardsTest.t: neg\", new long[][] { new long[] { 1L }, null }, neg)",
                (Object) new long[][] {{1}, null});
        tells("equal(\"GuardsTest.t: neg\", new String[] { \"a\", null }, neg)", (Object) new String[] {"a", null});
        tells("text(\"GuardsTest.t: neg\", \"[1, 2]\", neg)", Arrays.asList(1, 2));
        tells("text(\"GuardsTest.t: neg\", \"ab\", neg)", new StringBuilder("ab"));
        tells("notNull(\"GuardsTest.t: neg\", neg)", new Object());
        tells("notNull(\"GuardsTest.t: neg\", neg)", Arrays.asList(new Object()));
        tells("notNull(\"GuardsTest.t: neg\", neg)", new int[100000]);
        tells("notNull(\"GuardsTest.t: neg\", neg)", new String(new char[100000]));
        Object[] cycle = new Object[1];
        cycle[0] = cycle;
        tells("notNull(\"GuardsTest.t: neg\", neg)", (Object) cycle);
        tells("notNull(\"GuardsTest.t: neg\", neg)", new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException();
            }
        });
    }

    /** A constant of an enum that comes from another folder, as the classes of tests do. */
    static Object ofTests() throws Exception {
        Class<?> type = Class.forName("stats.OfTests");
        return type.getEnumConstants()[0];
    }

    static void caseToldPrimitives() throws Exception {
        unexpected("1", () -> InnerOracle.tell(ID, (byte) 1));
        unexpected("1", () -> InnerOracle.tell(ID, (short) 1));
        unexpected("'a'", () -> InnerOracle.tell(ID, 'a'));
        unexpected("1L", () -> InnerOracle.tell(ID, 1L));
        unexpected("1.0f", () -> InnerOracle.tell(ID, 1f));
        unexpected("1.0", () -> InnerOracle.tell(ID, 1d));
        unexpected("true", () -> InnerOracle.tell(ID, true));
    }

    static void unexpected(String literal, Body body) throws Exception {
        String text = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                body.run();
            }
        }).getMessage();
        same(true, text.contains("neg\", " + literal + ", neg)"));
    }

    static void caseTellsWhatIsReturned() throws Exception {
        fails("GuardsTest.t: sum(): no value is expected yet. The place ran once; write instead\n"
                + "  InnerOracle.equal(\"GuardsTest.t: sum()\", 2, ...)  // Guards.java:#, once, in turn 1\n"
                + "... is what stands there", () -> {
                    try (InnerOracle inner = InnerOracle.on("GuardsTest.t: sum()")) {
                        InnerOracle.tell("GuardsTest.t: sum()", 2);
                    }
                });
    }

    static void caseTellsAll() throws Exception {
        fails("GuardsTest.t: neg: no value is expected yet. The place ran 4 times; write instead\n"
                + "  InnerOracle.equal(\"GuardsTest.t: neg\", 2, neg)  // Guards.java:#, 3 times, first in turn 1\n"
                + "  InnerOracle.equal(\"GuardsTest.t: neg\", 5, neg)  // Guards.java:#, once, in turn 3\n"
                + "The test can choose a turn: InnerOracle.on(...).first(), .turn(2) or .last()", () -> {
                    try (InnerOracle inner = InnerOracle.on(ID)) {
                        told(2, 2, 5, 2);
                    }
                });
        fails("GuardsTest.t: neg: no value is expected yet. The place ran 3 times; write instead\n"
                + "  InnerOracle.equal(\"GuardsTest.t: neg\", 5, neg)  // Guards.java:#, once, in turn 3", () -> {
                    try (InnerOracle inner = InnerOracle.on(ID).last()) {
                        told(1, 2, 5);
                    }
                });
        fails("GuardsTest.t: neg: no value is expected yet. The place ran 2 times; write instead\n"
                + "  InnerOracle.equal(\"GuardsTest.t: neg\", 1, neg)  // Guards.java:#, once, in turn 1", () -> {
                    try (InnerOracle inner = InnerOracle.on(ID).first()) {
                        told(1, 2);
                    }
                });
        Object[] many = new Object[1000];
        for (int i = 0; i < many.length; i++) {
            many[i] = i;
        }
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                told(many);
            }
        });
        same(20, failure.getMessage().split("InnerOracle.equal").length - 1);
        same(true, failure.getMessage().contains("\n  and other values 980 times\n"));
        same("told", failure.getStackTrace()[0].getMethodName());
    }

    static void caseAVariableIsNamedWithoutItsNumber() throws Exception {
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on("T.t: neg 2")) {
                InnerOracle.tell("T.t: neg 2", 1);
            }
        });
        same(true, failure.getMessage().contains("InnerOracle.equal(\"T.t: neg 2\", 1, neg)  //"));
    }

    /** Describing a value runs the place again: that is no turn, and no endless recursion. */
    static final class Describing {
        int said;

        @Override
        public String toString() {
            said++;
            InnerOracle.tell(ID, this);
            return "described";
        }
    }

    static void caseAValueThatRunsThePlace() throws Exception {
        Describing value = new Describing();
        tells("text(\"GuardsTest.t: neg\", \"described\", neg)", value);
        same(1, value.said);
    }

    // --- Threads ---

    static void inOtherThread(Body body) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> done = executor.submit((Callable<Void>) () -> {
                body.run();
                return null;
            });
            done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error) throw (Error) e.getCause();
            throw (Exception) e.getCause();
        } finally {
            executor.shutdown();
        }
    }

    static void caseOtherThreadsAreNotChecked() throws Exception {
        try (InnerOracle inner = InnerOracle.on(ID)) {
            inOtherThread(() -> each(8));
            each(7);
        }
        fails("GuardsTest.t: neg: the place never ran\n"
                + "Other threads came by 2 times: InnerOracle.on(...).inAllThreads() counts them", () -> {
                    try (InnerOracle inner = InnerOracle.on(ID)) {
                        inOtherThread(() -> each(8, 7));
                    }
                });
    }

    static void caseOtherThreadsIfAsked() throws Exception {
        try (InnerOracle inner = InnerOracle.on(ID).inAllThreads()) {
            inOtherThread(() -> each(7, 7));
        }
        fails(ID + " at Guards.java:#: expected 7, but was 8", () -> {
            try (InnerOracle inner = InnerOracle.on(ID).inAllThreads()) {
                try {
                    inOtherThread(() -> each(8));
                } catch (AssertionError swallowed) {
                    same(1, 1);
                }
            }
        });
        AssertionError failure = failure(() -> {
            try (InnerOracle inner = InnerOracle.on(ID).inAllThreads()) {
                inOtherThread(() -> told(1));
                told(1, 1);
            }
        });
        same(true, failure.getMessage().contains("#, 3 times, first in turn 1".substring(1)));
    }

    /** Two tests at a time, over and over: neither sees the other's oracle, and none is lost. */
    static void caseParallelTests() throws Exception {
        int threads = 8;
        CountDownLatch start = new CountDownLatch(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            boolean checks = t % 2 == 0;
            all.add(executor.submit((Callable<Void>) () -> {
                start.countDown();
                start.await();
                for (int i = 0; i < 500; i++) {
                    if (checks) {
                        fails(ID + " at Guards.java:#: expected 7, but was 8 (turn 2)", () -> {
                            try (InnerOracle inner = InnerOracle.on(ID)) {
                                each(7, 8);
                            }
                        });
                    } else {
                        same(16, each(8, 8));
                    }
                }
                return null;
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        executor.shutdown();
    }

    /** A test that is interrupted, as by a time-out: off afterwards, and the interruption is what is reported. */
    static void caseInterrupted() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        Throwable[] seen = new Throwable[1];
        boolean[] on = {true};
        Thread test = new Thread(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                each(7);
                inside.countDown();
                new CountDownLatch(1).await();
            } catch (Throwable thrown) {
                seen[0] = thrown;
            }
            on[0] = InnerOracle.isOn(ID);
        });
        test.start();
        inside.await();
        test.interrupt();
        test.join();
        same(InterruptedException.class, seen[0].getClass());
        same(0, seen[0].getSuppressed().length);
        same(false, on[0]);
    }

    /** A test that is given up while its code goes on in another thread: what comes late is not checked. */
    static void caseLate() throws Exception {
        CountDownLatch given = new CountDownLatch(1);
        Throwable[] seen = new Throwable[1];
        Thread late = new Thread(() -> {
            try {
                given.await();
                each(8);
            } catch (Throwable thrown) {
                seen[0] = thrown;
            }
        });
        try (InnerOracle inner = InnerOracle.on(ID).inAllThreads()) {
            late.start();
            each(7);
        }
        given.countDown();
        late.join();
        same("null", seen[0] + "");
    }

    /** A test that hangs forever keeps its own oracle, and no other test sees it. */
    static void caseHanging() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch hangs = new CountDownLatch(1);
        Thread test = new Thread(() -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                inside.countDown();
                hangs.await();
                each(7);
            } catch (InterruptedException thrown) {
                throw new IllegalStateException(thrown);
            }
        });
        test.start();
        inside.await();
        same(16, each(8, 8));
        same(false, InnerOracle.isOn(ID));
        hangs.countDown();
        test.join();
    }

    private static int made;
    private final int field = InnerOracle.equal(ID, 7, ++made);

    static void caseInitialisersConstructorsAndLambdas() throws Exception {
        made = 6;
        try (InnerOracle inner = InnerOracle.on(ID)) {
            same(7, new Guards().field);
        }
        made = 7;
        fails(ID + " at Guards.java:#: expected 7, but was 8", () -> {
            try (InnerOracle inner = InnerOracle.on(ID)) {
                new Guards();
            }
        });
        try (InnerOracle inner = InnerOracle.on(ID)) {
            java.util.function.IntUnaryOperator same = x -> InnerOracle.equal(ID, 7, x);
            same(7, same.applyAsInt(7));
        }
    }
}

/** Beside the code that is guarded. */
class Other {
    private enum Hidden { HIDDEN }

    static Object hidden() {
        return Hidden.HIDDEN;
    }
}
