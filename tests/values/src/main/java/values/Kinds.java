package values;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A method for every kind of value that a recording knows: each computes it, so that a test may want to assert it. */
public class Kinds {
    public enum Color { RED, GREEN }
    public record Point(int x, String name) { }
    public record Line(Point from, List<Integer> steps, Optional<String> name, double length) { }

    private final int n;

    public Kinds(int n) { this.n = n + 1; }

    public byte aByte() { return (byte) (n - 5); }
    public short aShort() { return (short) (n * -2); }
    public int anInt() { return n * 3; }
    public long aLong() { return n * 5_000_000_000L; }
    public char aChar() { return (char) ('a' + n); }
    public char aQuote() { return (char) (35 + n); }
    public boolean isTrue() { return n > 3; }
    public boolean isFalse() { return n > 30; }
    public double aDouble() { return n / 3.0; }
    public double aShortDouble() { return n / 2.0; }
    public double notANumber() { return Math.sqrt(-n); }
    public double infinity() { return -n / 0.0; }
    public double nought() { return n * 0.0; }
    public double lessThanNought() { return n * -0.0; }
    public float aFloat() { return n / 3.0f; }
    public float aShortFloat() { return n / 2.0f; }
    public float noFloat() { return (float) Math.sqrt(-n); }

    public Byte boxedByte() { return (byte) (n * 3); }
    public Short boxedShort() { return (short) (n * 3); }
    public Integer boxedInt() { return n * 3; }
    public Long boxedLong() { return n * 3L; }
    public Character boxedChar() { return (char) ('a' + n); }
    public Boolean boxedTruth() { return n > 3; }
    public Double boxedDouble() { return n / 3.0; }
    public Double boxedNotANumber() { return Math.sqrt(-n); }
    public Float boxedFloat() { return n / 2.0f; }
    public Integer noInt() { return n > 3 ? null : n; }

    public String text() { return "n = " + n; }
    public String escaped() { return "\"\\\t" + n + "\n\u00e9\u4e2d\u0000'"; }
    public String empty() { return " ".repeat(n).trim(); }
    public String noText() { return n > 3 ? null : "n"; }
    public CharSequence chars() { return "n = " + n; }
    public StringBuilder builder() { return new StringBuilder("n = ").append(n); }
    public StringBuffer buffer() { return new StringBuffer("n = ").append(n); }
    public Color color() { return n > 3 ? Color.GREEN : Color.RED; }
    public Class<?> type() { return n > 3 ? Point.class : String.class; }

    public Optional<String> present() { return Optional.of("n = " + n); }
    public Optional<Integer> presentInt() { return Optional.of(n * 3); }
    public Optional<Point> presentPoint() { return Optional.of(new Point(n * 3, "p" + n)); }
    public Optional<String> absent() { return Optional.of("n").filter(s -> s.length() > n); }
    public OptionalInt optionalInt() { return OptionalInt.of(n * 3); }
    public OptionalLong optionalLong() { return OptionalLong.of(n * 3L); }
    public OptionalDouble optionalDouble() { return OptionalDouble.of(n / 2.0); }
    public OptionalInt noOptionalInt() { return n > 3 ? OptionalInt.empty() : OptionalInt.of(n); }

    public AtomicInteger atomicInt() { return new AtomicInteger(n * 3); }
    public AtomicLong atomicLong() { return new AtomicLong(n * 3L); }
    public AtomicBoolean atomicTruth() { return new AtomicBoolean(n > 3); }
    public AtomicReference<String> reference() { return new AtomicReference<>("n = " + n); }

    public BigDecimal decimal() { return new BigDecimal(n).divide(new BigDecimal("4.00")); }
    public BigInteger bigInteger() { return BigInteger.TWO.pow(n * 20); }
    public UUID uuid() { return UUID.nameUUIDFromBytes(("n" + n).getBytes(StandardCharsets.UTF_8)); }
    public URI uri() { return URI.create("http://example.org/a?n=" + n); }
    public File file() { return new File("a" + n, "b.txt"); }
    public LocalDate date() { return LocalDate.of(2020, n, 29); }
    public LocalDateTime dateTime() { return LocalDateTime.of(2020, n, 29, n, 30); }
    public ZonedDateTime zoned() { return dateTime().atZone(ZoneOffset.ofHours(n)); }
    public Instant instant() { return Instant.ofEpochSecond(n * 1_000_000L); }
    public Duration duration() { return Duration.ofMillis(n * 1500L); }
    public Date oldDate() { return new Date(n * 1_000_000L); }

    public int[] ints() { return new int[] {n, n * 2}; }
    public byte[] bytes() { return new byte[] {(byte) n, (byte) -n}; }
    public char[] charArray() { return ("n" + n).toCharArray(); }
    public boolean[] truths() { return new boolean[] {n > 3, n > 30}; }
    public double[] doubles() { return new double[] {n / 3.0, n}; }
    public double[] shortDoubles() { return new double[] {n / 2.0, n}; }
    public float[] floats() { return new float[] {n / 3.0f, n}; }
    public long[] longs() { return new long[] {n, n * 2L}; }
    public String[] texts() { return new String[] {"n" + n, null}; }
    public int[][] table() { return new int[][] {{n}, {n * 2, n * 3}}; }
    public int[] noInts() { return new int[n - n]; }

    public List<String> list() { return List.of("a" + n, "b"); }
    public List<Integer> numbers() { return new ArrayList<>(List.of(n, n * 2)); }
    public List<Double> fractions() { return List.of(n / 2.0, n / 4.0); }
    public List<Integer> oneNumber() { return new ArrayList<>(List.of(n * 3)); }
    public List<String> withNull() { return Arrays.asList("a" + n, null); }
    public List<String> onlyNull() { return Collections.singletonList(n > 3 ? null : "a"); }
    public List<String> emptyList() { return new ArrayList<>(n > 3 ? List.of() : List.of("a")); }
    public List<List<Integer>> nested() { return List.of(List.of(n), List.of(n * 2, n * 3)); }
    public List<Point> points() { return List.of(new Point(n, "p" + n), new Point(n * 2, "q")); }
    public List<int[]> arrays() { return List.of(new int[] {n}, new int[] {n * 2}); }
    public List<Color> colors() { return List.of(color(), Color.RED); }
    public List<Integer> many() { return new ArrayList<>(Collections.nCopies(n * 5, n)); }
    public LinkedList<String> linked() { return new LinkedList<>(list()); }
    public Set<String> set() { return new HashSet<>(list()); }
    public SortedSet<Integer> sorted() { return new TreeSet<>(numbers()); }
    public Set<Integer> emptySet() { return new HashSet<>(n > 3 ? List.of() : numbers()); }
    public Set<Color> enumSet() { return EnumSet.of(color(), Color.RED); }
    public Collection<String> collection() { return list(); }
    public Collection<String> collectionOfSet() { return set(); }
    public Iterable<String> iterable() { return list(); }
    public Queue<String> queue() { return new ArrayDeque<>(list()); }
    public Map<String, Integer> map() { return new HashMap<>(Map.of("a" + n, n, "b", n * 2)); }
    public Map<String, Integer> oneEntry() { return new HashMap<>(Map.of("a" + n, n)); }
    public Map<String, Integer> emptyMap() { return n > 3 ? new HashMap<>() : map(); }
    public Map<String, List<Integer>> lists() { return new TreeMap<>(Map.of("a" + n, List.of(n, n * 2))); }
    public Map<Color, Point> byColor() { return new EnumMap<>(Map.of(color(), new Point(n, "p" + n))); }

    public Point point() { return new Point(n * 3, "p" + n); }
    public Point pointWithoutName() { return new Point(n * 3, n > 3 ? null : "p"); }
    public Line line() { return new Line(point(), List.of(n, n * 2), Optional.of("l" + n), n / 2.0); }
    public Line lineWithoutName() { return new Line(point(), List.of(), absent(), n / 3.0); }
}
