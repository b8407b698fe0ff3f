import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Checks a value inside a method, for one test only. Written by Telltale.
 *
 * <p>A guard in the code, such as {@code InnerOracle.equal("StatsTest.mixedSigns: neg", 2, neg)}, does nothing until a
 * test switches it on by its name, for as long as a {@code try} lasts. Delete this file when no guard is left.
 */
@SuppressWarnings({"NullAway", "nullness"})
public final class InnerOracle implements AutoCloseable {

    // --- In the test ---

    /** Switches on the guard of this name, in this thread, until {@link #close}. */
    public static InnerOracle on(String id) {
        InnerOracle oracle = new InnerOracle(id);
        synchronized (OPEN) {
            OPEN.add(oracle);
            anyOn = true;
        }
        return oracle;
    }

    /** Checks only the first time that the place runs. */
    public InnerOracle first() {
        return turn(1);
    }

    /** Checks only the n-th time that the place runs, counted from 1. */
    public InnerOracle turn(int n) {
        only = n;
        return this;
    }

    /** Checks only the last time that the place runs, when the oracle is switched off. */
    public InnerOracle last() {
        lastOnly = true;
        return this;
    }

    /** Counts in every thread, not only in this one. */
    public InnerOracle inAllThreads() {
        allThreads = true;
        return this;
    }

    /** The place must not run; without this word, a place that never runs is a failure. */
    public InnerOracle never() {
        mayStayOut = true;
        return this;
    }

    /** Switches the guard off, and fails with what did not reach the test by itself. */
    @Override
    public void close() {
        synchronized (OPEN) {
            if (!OPEN.remove(this)) {
                return;
            }
            anyOn = !OPEN.isEmpty();
        }
        AssertionError problem = atEnd();
        if (problem != null) {
            throw problem;
        }
    }

    // --- In the code under test: each gives back its last argument ---

    /** True where the guard of this name is on. */
    public static boolean isOn(String id) {
        return anyOn && isOnHere(id);
    }

    public static boolean equal(String id, boolean expected, boolean actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static byte equal(String id, int expected, byte actual) {
        if (anyOn) checkSmall(id, expected, actual);
        return actual;
    }

    public static short equal(String id, int expected, short actual) {
        if (anyOn) checkSmall(id, expected, actual);
        return actual;
    }

    public static char equal(String id, int expected, char actual) {
        if (anyOn) checkSmall(id, expected, actual);
        return actual;
    }

    public static int equal(String id, int expected, int actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static long equal(String id, long expected, long actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static float equal(String id, double expected, float actual) {
        if (anyOn) check(id, (float) expected, actual);
        return actual;
    }

    public static double equal(String id, double expected, double actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static float equal(String id, double expected, float actual, double tolerance) {
        if (anyOn) checkNear(id, expected, actual, tolerance);
        return actual;
    }

    public static double equal(String id, double expected, double actual, double tolerance) {
        if (anyOn) checkNear(id, expected, actual, tolerance);
        return actual;
    }

    /** Strings, enums, null, and everything else by its {@code equals}; arrays by what is in them. */
    public static <T> T equal(String id, Object expected, T actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    // Boxed values: without these, a literal beside a boxed value is ambiguous to the compiler.

    public static Boolean equal(String id, boolean expected, Boolean actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static Byte equal(String id, int expected, Byte actual) {
        if (anyOn) checkSmall(id, expected, actual);
        return actual;
    }

    public static Short equal(String id, int expected, Short actual) {
        if (anyOn) checkSmall(id, expected, actual);
        return actual;
    }

    public static Character equal(String id, int expected, Character actual) {
        if (anyOn) checkSmall(id, expected, actual);
        return actual;
    }

    public static Integer equal(String id, int expected, Integer actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static Long equal(String id, long expected, Long actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static Float equal(String id, double expected, Float actual) {
        if (anyOn) check(id, (float) expected, actual);
        return actual;
    }

    public static Double equal(String id, double expected, Double actual) {
        if (anyOn) check(id, expected, actual);
        return actual;
    }

    public static Float equal(String id, double expected, Float actual, double tolerance) {
        if (anyOn) checkNear(id, expected, actual, tolerance);
        return actual;
    }

    public static Double equal(String id, double expected, Double actual, double tolerance) {
        if (anyOn) checkNear(id, expected, actual, tolerance);
        return actual;
    }

    /** For a value that no literal can say: what its {@code toString} says. */
    public static <T> T text(String id, String expected, T actual) {
        if (anyOn) checkText(id, expected, actual);
        return actual;
    }

    /** The value is not null. */
    public static <T> T notNull(String id, T actual) {
        if (anyOn) checkNotNull(id, actual);
        return actual;
    }

    /** A condition; it stands behind {@code if (InnerOracle.isOn(id))}, since evaluating it may cost or throw. */
    public static void that(String id, boolean holds, Object actual) {
        if (anyOn) checkThat(id, holds, actual);
    }

    /** This place must run. */
    public static void ran(String id) {
        if (anyOn) run(id, false, () -> null);
    }

    /** This place must not run; the test says {@link #never()}. */
    public static void never(String id) {
        if (anyOn) run(id, false, () -> "this place ran, and must not");
    }

    // No value is expected yet: it is collected, and the test fails with what to write instead.

    public static boolean tell(String id, boolean actual) {
        if (anyOn) collect(id, actual);
        return actual;
    }

    public static byte tell(String id, byte actual) {
        if (anyOn) collect(id, (int) actual);
        return actual;
    }

    public static short tell(String id, short actual) {
        if (anyOn) collect(id, (int) actual);
        return actual;
    }

    public static char tell(String id, char actual) {
        if (anyOn) collect(id, actual);
        return actual;
    }

    public static int tell(String id, int actual) {
        if (anyOn) collect(id, actual);
        return actual;
    }

    public static long tell(String id, long actual) {
        if (anyOn) collect(id, actual);
        return actual;
    }

    public static float tell(String id, float actual) {
        if (anyOn) collect(id, actual);
        return actual;
    }

    public static double tell(String id, double actual) {
        if (anyOn) collect(id, actual);
        return actual;
    }

    public static <T> T tell(String id, T actual) {
        if (anyOn) collect(id, actual);
        return actual;
    }

    // --- What is on ---

    /**
     * True while anything is on. A plain field, so that a guard that is off costs one read: whoever switches an oracle
     * on has written it in its own thread, and whoever is handed work by that thread afterwards sees it by the handing
     * over. It is written under the lock of {@link #OPEN}, so it is false only while nobody has one on.
     */
    private static boolean anyOn;

    private static final List<InnerOracle> OPEN = new CopyOnWriteArrayList<>();

    /** Set while a value is compared or described: if its own methods run the place, that is no turn. */
    private static final ThreadLocal<Boolean> BUSY = new ThreadLocal<>();

    private final String id;
    private final Thread owner = Thread.currentThread();
    private volatile boolean allThreads;
    private volatile boolean lastOnly;
    private volatile boolean mayStayOut;
    /** The one turn to check; 0 for all. */
    private volatile int only;

    // What was seen, under the lock of this oracle.
    private int turns;
    private int turnsElsewhere;
    private AssertionError failure;
    /** For the last turn, of which nobody knows that it is: what is wrong with the latest, and where that is. */
    private String latest;
    private int latestTurn;
    private StackTraceElement[] place;
    /** Calls to write, each with how often and since when. */
    private final Map<String, Told> told = new LinkedHashMap<>();
    private int untold;

    private InnerOracle(String id) {
        this.id = id;
    }

    private static boolean isOnHere(String id) {
        boolean on = false;
        for (InnerOracle oracle : OPEN) {
            on |= oracle.concerns(id);
        }
        return on;
    }

    private boolean concerns(String id) {
        if (!this.id.equals(id)) {
            return false;
        }
        boolean here = allThreads || owner == Thread.currentThread();
        if (!here) {
            synchronized (this) {
                turnsElsewhere++;
            }
        }
        return here;
    }

    // --- One run of a place ---

    private static void check(String id, Object expected, Object actual) {
        run(id, false, () -> Objects.deepEquals(expected, actual) ? null : unequal(say(expected), say(actual)));
    }

    /** Bytes, shorts and chars, to which an int is the literal. */
    private static void checkSmall(String id, int expected, Object actual) {
        if (actual instanceof Character && expected == (char) expected) {
            check(id, (char) expected, actual);
        } else if (actual instanceof Byte || actual instanceof Short) {
            check(id, expected, ((Number) actual).intValue());
        } else {
            check(id, expected, actual);
        }
    }

    private static void checkNear(String id, double expected, Number actual, double tolerance) {
        run(id, false, () -> {
            boolean near = actual != null
                    && (Double.compare(expected, actual.doubleValue()) == 0
                            || Math.abs(expected - actual.doubleValue()) <= tolerance);
            return near ? null : unequal(say(expected) + " within " + tolerance, say(actual));
        });
    }

    private static void checkText(String id, String expected, Object actual) {
        run(id, false, () -> {
            String text = actual == null ? null : textOf(actual);
            return Objects.equals(expected, text) ? null : unequal(say(expected), say(text));
        });
    }

    private static void checkNotNull(String id, Object actual) {
        run(id, false, () -> actual != null ? null : unequal("a value", "null"));
    }

    private static void checkThat(String id, boolean holds, Object actual) {
        run(id, false, () -> holds ? null : "the condition does not hold for " + say(actual));
    }

    private static void collect(String id, Object actual) {
        run(id, true, () -> callFor(id, actual));
    }

    private static String unequal(String expected, String actual) {
        return "expected " + expected + ", but was " + actual;
    }

    /** {@code found} gives a problem or null; if {@code tells}, the call to write. */
    private static void run(String id, boolean tells, Supplier<String> found) {
        if (BUSY.get() != null) {
            return;
        }
        AssertionError problem = null;
        BUSY.set(true);
        try {
            for (InnerOracle oracle : OPEN) {
                if (oracle.concerns(id)) {
                    AssertionError its = oracle.turn(tells, found);
                    problem = problem == null ? its : problem;
                }
            }
        } finally {
            BUSY.remove();
        }
        if (problem != null) {
            throw problem;
        }
    }

    private AssertionError turn(boolean tells, Supplier<String> found) {
        int turn;
        synchronized (this) {
            turn = ++turns;
        }
        if (only != 0 && only != turn) {
            return null;
        }
        String text = found.get();
        if (tells) {
            note(text, turn);
            return null;
        }
        if (lastOnly) {
            noteLatest(text, turn);
            return null;
        }
        AssertionError problem = text == null ? null : failure(text, turn, stackFromPlace());
        synchronized (this) {
            failure = failure == null ? problem : failure;
        }
        return problem;
    }

    private synchronized void noteLatest(String text, int turn) {
        // A stack costs more than all the rest, and there may be many turns.
        place = place == null ? stackFromPlace() : place;
        if (turn > latestTurn) {
            latestTurn = turn;
            latest = text;
        }
    }

    private synchronized void note(String call, int turn) {
        if (lastOnly) {
            told.clear();
        }
        Told seen = told.get(call);
        if (seen != null) {
            seen.times++;
        } else if (told.size() < MOST_VALUES) {
            place = place == null || !lastOnly ? stackFromPlace() : place;
            told.put(call, new Told(place, turn));
        } else {
            untold++;
        }
    }

    private AssertionError failure(String text, int turn, StackTraceElement[] stack) {
        String when = turn == 1 ? "" : " (turn " + turn + ")";
        return failure(id + " at " + placeOf(stack) + ": " + text + when, stack);
    }

    private static AssertionError failure(String message, StackTraceElement[] stack) {
        AssertionError failure = new AssertionError(message);
        failure.setStackTrace(stack);
        return failure;
    }

    /** The stack, from the caller of this class. */
    private static StackTraceElement[] stackFromPlace() {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        int from = 0;
        while (from < stack.length && stack[from].getClassName().equals(InnerOracle.class.getName())) {
            from++;
        }
        return java.util.Arrays.copyOfRange(stack, from, stack.length);
    }

    private static String placeOf(StackTraceElement[] stack) {
        if (stack.length == 0) {
            return "an unknown place";
        }
        StackTraceElement place = stack[0];
        String file = place.getFileName();
        return file == null || place.getLineNumber() < 0 ? place.toString() : file + ":" + place.getLineNumber();
    }

    // --- The end ---

    /**
     * A failure is thrown again, as a copy: {@code try} adds it to the one on its way, which may be the failure itself.
     */
    private synchronized AssertionError atEnd() {
        if (latest != null) {
            return failure(latest, latestTurn, place);
        }
        if (failure != null) {
            return failure(failure.getMessage(), failure.getStackTrace());
        }
        if (!told.isEmpty()) {
            return failure(toldText(), told.values().iterator().next().stack);
        }
        if (turns >= Math.max(only, 1) || mayStayOut) {
            return null;
        }
        String text = turns == 0 ? ": the place never ran" : ": the place ran " + times(turns) + ", not " + times(only);
        return failure(id + text + elsewhere(), stackFromPlace());
    }

    private String toldText() {
        StringBuilder text = new StringBuilder(id).append(": no value is expected yet. The place ran ");
        text.append(times(turns)).append("; write instead");
        told.forEach((call, seen) -> {
            text.append("\n  ").append(call).append("  // ").append(placeOf(seen.stack)).append(", ");
            text.append(times(seen.times)).append(seen.times == 1 ? ", in turn " : ", first in turn ").append(seen.turn);
        });
        if (id.endsWith("()")) {
            text.append("\n... is what stands there");
        }
        if (untold > 0) {
            text.append("\n  and other values ").append(times(untold));
        }
        if (told.size() > 1) {
            text.append("\nThe test can choose a turn: InnerOracle.on(...).first(), .turn(2) or .last()");
        }
        return text.append(elsewhere()).toString();
    }

    private String elsewhere() {
        return turnsElsewhere == 0
                ? ""
                : "\nOther threads came by " + times(turnsElsewhere) + ": InnerOracle.on(...).inAllThreads() counts them";
    }

    private static String times(int n) {
        return n == 1 ? "once" : n + " times";
    }

    private static final class Told {
        final StackTraceElement[] stack;
        final int turn;
        int times = 1;

        Told(StackTraceElement[] stack, int turn) {
            this.stack = stack;
            this.turn = turn;
        }
    }

    // --- Values as Java writes them ---

    private static final int MOST_VALUES = 20;
    private static final int MOST_CHARS = 1000;
    private static final int MOST_DEPTH = 10;

    /** The call that expects this value at this place. */
    private static String callFor(String id, Object value) {
        String name = quoted(id, '"');
        String variable = id.substring(id.lastIndexOf(": ") + 1).trim().replaceFirst(" \\d+$", "");
        // Of a returned value its method is named: what is returned stands in the call.
        variable = variable.endsWith("()") ? "..." : variable;
        String literal = literal(value, 0);
        if (literal != null) {
            return "InnerOracle.equal(" + name + ", " + literal + ", " + variable + ")";
        }
        String text = textOf(value);
        // What names an object by its address says something else next time.
        boolean lasts = !(value instanceof String) && !value.getClass().isArray() && text.length() <= MOST_CHARS
                && !text.matches("(?s).*@\\p{XDigit}{3,}.*");
        return lasts
                ? "InnerOracle.text(" + name + ", " + quoted(text, '"') + ", " + variable + ")"
                : "InnerOracle.notNull(" + name + ", " + variable + ")";
    }

    private static String say(Object value) {
        String literal = literal(value, 0);
        if (literal != null) {
            return literal;
        }
        if (value.getClass().isArray()) {
            return value.getClass().getComponentType().getSimpleName() + "[" + Array.getLength(value) + "]";
        }
        String text = quoted(textOf(value), '"');
        text = text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "...";
        return value instanceof String ? text : value.getClass().getSimpleName() + " " + text;
    }

    /** {@code toString}, whatever it does. */
    private static String textOf(Object value) {
        try {
            return String.valueOf(value.toString());
        } catch (Throwable thrown) {
            return "toString throws " + thrown.getClass().getName() + "@" + Integer.toHexString(thrown.hashCode());
        }
    }

    /** Null if no literal says the value, or only a very long one. */
    private static String literal(Object value, int depth) {
        String literal = null;
        if (value == null || value instanceof Boolean || value instanceof Integer) {
            literal = String.valueOf(value);
        } else if (value instanceof String) {
            literal = ((String) value).length() > MOST_CHARS ? null : quoted((String) value, '"');
        } else if (value instanceof Character) {
            literal = quoted(value.toString(), '\'');
        } else if (value instanceof Long) {
            literal = value + "L";
        } else if (value instanceof Byte) {
            literal = "(byte) " + value;
        } else if (value instanceof Short) {
            literal = "(short) " + value;
        } else if (value instanceof Float) {
            literal = ((Float) value).isNaN() || ((Float) value).isInfinite()
                    ? noNumber("Float", (Float) value)
                    : value + "f";
        } else if (value instanceof Double) {
            literal = ((Double) value).isNaN() || ((Double) value).isInfinite()
                    ? noNumber("Double", (Double) value)
                    : value.toString();
        } else if (value instanceof Enum) {
            String type = nameOf(((Enum<?>) value).getDeclaringClass());
            literal = type == null ? null : type + "." + ((Enum<?>) value).name();
        } else if (value.getClass().isArray() && depth < MOST_DEPTH) {
            literal = arrayLiteral(value, depth);
        }
        return literal == null || literal.length() > MOST_CHARS ? null : literal;
    }

    private static String noNumber(String type, double value) {
        return type + (Double.isNaN(value) ? ".NaN" : value > 0 ? ".POSITIVE_INFINITY" : ".NEGATIVE_INFINITY");
    }

    private static String arrayLiteral(Object array, int depth) {
        int length = Array.getLength(array);
        String type = nameOf(array.getClass());
        if (type == null || length > MOST_CHARS) {
            return null;
        }
        StringBuilder text = new StringBuilder("new ").append(type).append(" {");
        boolean small = array instanceof byte[] || array instanceof short[];
        for (int i = 0; i < length; i++) {
            Object element = Array.get(array, i);
            String literal = small ? element.toString() : literal(element, depth + 1);
            if (literal == null) {
                return null;
            }
            text.append(i == 0 ? " " : ", ").append(literal);
        }
        return text.append(length == 0 ? "}" : " }").toString();
    }

    /** How code of this package names a class without an import; null if it cannot, as one that only tests see. */
    private static String nameOf(Class<?> type) {
        if (type.isArray()) {
            String element = nameOf(type.getComponentType());
            return element == null ? null : element + "[]";
        }
        String name = type.getCanonicalName();
        if (name == null || !isSeen(type)) {
            return null;
        }
        String there = packageOf(type);
        boolean here = there.equals(packageOf(InnerOracle.class));
        if (!isOpen(type, here)) {
            return null;
        }
        here |= there.equals("java.lang.");
        return here ? name.substring(there.length()) : name;
    }

    /** True if the code of the place may name a class, by its modifiers and those of the classes around it. */
    private static boolean isOpen(Class<?> type, boolean here) {
        for (Class<?> c = type; c != null; c = c.getEnclosingClass()) {
            boolean open = Modifier.isPrivate(c.getModifiers())
                    ? outermost(c.getName()).equals(outermost(stackFromPlace()[0].getClassName()))
                    : here || Modifier.isPublic(c.getModifiers());
            if (!open) {
                return false;
            }
        }
        return true;
    }

    private static String outermost(String name) {
        int end = name.indexOf('$');
        return end < 0 ? name : name.substring(0, end);
    }

    private static String packageOf(Class<?> type) {
        return type.getName().substring(0, type.getName().lastIndexOf('.') + 1);
    }

    /** A class of the JDK, of a library, or of the folder from which this class comes; tests come from another. */
    private static boolean isSeen(Class<?> type) {
        try {
            CodeSource from = type.getProtectionDomain().getCodeSource();
            CodeSource own = InnerOracle.class.getProtectionDomain().getCodeSource();
            return from == null || from.getLocation() == null || own == null
                    || from.getLocation().equals(own.getLocation()) || from.getLocation().getPath().endsWith(".jar");
        } catch (SecurityException notToBeAsked) {
            return true;
        }
    }

    private static String quoted(String text, char quote) {
        StringBuilder out = new StringBuilder().append(quote);
        for (char c : text.toCharArray()) {
            int escape = "\b\t\n\f\r\\".indexOf(c);
            if (escape >= 0) {
                out.append('\\').append("btnfr\\".charAt(escape));
            } else if (c == quote) {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(quote).toString();
    }
}
