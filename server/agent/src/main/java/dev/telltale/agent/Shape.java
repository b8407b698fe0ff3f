package dev.telltale.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;

/**
 * How values of one class are written, and whether they may be read at all. Only classes that are named here are asked
 * for their content by their own methods: whatever else implements an interface of the JDK may lead to code of the
 * user's, even if its class is the JDK's (a view of somebody's list, say).
 */
final class Shape {
    enum Kind {
        STRING, BOXED, ENUM, TEXT, CHARS, OPTIONAL, ATOMIC, THROWABLE, ARRAY, COLLECTION, MAP, ENTRY, DATE,
        /** A wrapper of the JDK's around a collection or a map, which is read through its field. */
        WRAPPER,
        /** Fields of classes that are not the JDK's. */
        OBJECT,
        OPAQUE
    }

    private static final int IS_ENUM = 1;
    private static final int IS_RECORD = 2;
    private static final int IS_JDK = 4;
    private static final int IS_EXCEPTION = 8;
    private static final int IS_ARRAY = 16;
    private static final int IS_UNUSUAL = 32;

    final Kind kind;
    /** In the dictionary of the segment. */
    final int id;
    /** Super classes' fields first. */
    final Part[] parts;
    /** Of a wrapper or a sorted set: what it wraps. Of an exception: the message that it was made with. */
    private final Field inner;
    /** True for an exception whose {@code getMessage} must not be called. */
    final boolean ownMessage;
    /** Of a collection: 0 list, 1 set, 2 sorted set, 3 queue, 4 other. */
    final int collection;

    /** False for what is never a stand-in, or is written without a look at it. */
    boolean mayBeMock() {
        return kind != Kind.STRING && kind != Kind.BOXED && kind != Kind.ENUM && kind != Kind.ARRAY && kind != Kind.OPAQUE;
    }

    static final class Part {
        final Field field;
        final int name;
        final int declaredIn;
        /** The first letter of the type's descriptor. */
        final char type;

        Part(Field field, int name, int declaredIn) {
            this.field = field;
            this.name = name;
            this.declaredIn = declaredIn;
            Class<?> of = field.getType();
            type = of.isPrimitive() ? letter(of) : 'L';
        }

        private static char letter(Class<?> primitive) {
            return primitive == boolean.class ? 'Z'
                    : primitive == byte.class ? 'B'
                    : primitive == short.class ? 'S'
                    : primitive == char.class ? 'C'
                    : primitive == int.class ? 'I'
                    : primitive == long.class ? 'J'
                    : primitive == float.class ? 'F' : 'D';
        }
    }

    /** Kept with the class itself, so that no class loader is kept alive. */
    private static final ClassValue<Shape> ALL = new ClassValue<Shape>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return new Shape(type);
        }
    };

    static Shape of(Class<?> type) {
        return ALL.get(type);
    }

    /** The dictionary's id of a class of which no value is written. */
    static int idOf(Class<?> type) {
        return Recorder.segment.classOf(nameOf(type.getName()), flags(type));
    }

    /** What stands behind the first of these in the name of a class is a number of this run: another run has another. */
    private static final String[] NUMBERED = {"$$Lambda", "$MockitoMock$", "$ByteBuddy$", "$HibernateProxy$", ".$Proxy"};

    /** The name of a class without what differs from run to run; of a class that a JVM made, by what it was made of or as what. */
    static String nameOf(String name) {
        for (String mark : NUMBERED) {
            int at = name.indexOf(mark);
            if (at >= 0) {
                return mark.equals(".$Proxy") ? "$Proxy" : name.substring(0, at + mark.length());
            }
        }
        // A hidden class.
        int hidden = name.indexOf('/');
        return hidden < 0 ? name : name.substring(0, hidden);
    }

    private Shape(Class<?> type) {
        Class<?> named = Enum.class.isAssignableFrom(type) && type.getSuperclass() != Enum.class && type != Enum.class
                ? type.getSuperclass()
                : type;
        id = idOf(named);
        Kind found = kind(type);
        Field field = null;
        Part[] fields = {};
        ownMessage = found == Kind.THROWABLE && ownMessage(type);
        if (found == Kind.WRAPPER || found == Kind.COLLECTION) {
            field = wrapped(type);
            found = field == null && found == Kind.WRAPPER ? Kind.OPAQUE : found;
        } else if (ownMessage) {
            field = field(Throwable.class, "detailMessage");
        } else if (found == Kind.OBJECT) {
            fields = parts(type);
            found = fields == null ? Kind.OPAQUE : found;
        }
        kind = found;
        inner = field;
        parts = fields;
        collection = List.class.isAssignableFrom(type) ? 0
                : SortedSet.class.isAssignableFrom(type) ? 2
                : Set.class.isAssignableFrom(type) ? 1
                : Queue.class.isAssignableFrom(type) || Deque.class.isAssignableFrom(type) ? 3 : 4;
    }

    /** The value of {@link #inner}, or null if it cannot be read. */
    Object inner(Object of) {
        try {
            return inner == null ? null : inner.get(of);
        } catch (IllegalAccessException refused) {
            return null;
        }
    }

    // --- What a class is ---

    private static final ClassLoader PLATFORM = platform();

    /** Java 8's extension loader, later the platform loader. */
    private static ClassLoader platform() {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        return system == null ? null : system.getParent();
    }

    static boolean ofJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == PLATFORM;
    }

    private static int flags(Class<?> type) {
        Class<?> above = type.getSuperclass();
        int flags = 0;
        if (type.isEnum()) {
            flags |= IS_ENUM;
        }
        if (isRecord(type)) {
            flags |= IS_RECORD;
        }
        if (ofJdk(type) && !type.isArray()) {
            flags |= IS_JDK;
        }
        if (Throwable.class.isAssignableFrom(type)) {
            flags |= IS_EXCEPTION;
        }
        if (type.isArray()) {
            flags |= IS_ARRAY;
        }
        if (type.isInterface() || above != null && unusual(type)) {
            flags |= IS_UNUSUAL;
        }
        return flags;
    }

    static boolean isRecord(Class<?> type) {
        Class<?> above = type.getSuperclass();
        return above != null && above.getName().equals("java.lang.Record");
    }

    /** Lambdas, proxies and mocks: made at run time, with fields that nobody wrote. */
    private static boolean unusual(Class<?> type) {
        String name = type.getName();
        return Proxy.isProxyClass(type) || name.indexOf('/') >= 0 || name.contains("$$Lambda")
                || name.contains("$MockitoMock$") || name.contains("$$EnhancerBy") || name.contains("$$FastClassBy")
                || name.contains("_$$_jvst") || name.contains("$ByteBuddy$");
    }

    private static final Set<String> TEXTS = names("java.math.", "BigDecimal BigInteger",
            "java.time.", "LocalDate LocalTime LocalDateTime OffsetTime OffsetDateTime ZonedDateTime Instant Duration"
                    + " Period Year YearMonth MonthDay ZoneOffset ZoneRegion",
            "java.util.", "UUID Locale Currency", "java.net.", "URI", "java.io.", "File", "java.util.regex.", "Pattern",
            "java.lang.", "Class");

    private static final Set<String> COLLECTIONS = names("java.util.",
            "ArrayList LinkedList Arrays$ArrayList ArrayDeque PriorityQueue HashSet LinkedHashSet TreeSet"
                    + " Collections$EmptyList Collections$SingletonList Collections$CopiesList Collections$EmptySet"
                    + " Collections$SingletonSet ImmutableCollections$ListN ImmutableCollections$List12"
                    + " ImmutableCollections$SubList ImmutableCollections$SetN ImmutableCollections$Set12"
                    + " ArrayList$SubList RegularEnumSet JumboEnumSet HashMap$KeySet HashMap$Values HashMap$EntrySet"
                    + " LinkedHashMap$LinkedKeySet LinkedHashMap$LinkedValues LinkedHashMap$LinkedEntrySet"
                    + " TreeMap$KeySet Vector Stack",
            "java.util.concurrent.",
            "CopyOnWriteArrayList CopyOnWriteArraySet ConcurrentSkipListSet ConcurrentLinkedQueue"
                    + " ConcurrentLinkedDeque LinkedBlockingQueue LinkedBlockingDeque ArrayBlockingQueue"
                    + " PriorityBlockingQueue");

    private static final Set<String> MAPS = names("java.util.",
            "HashMap LinkedHashMap TreeMap Hashtable Properties IdentityHashMap WeakHashMap EnumMap"
                    + " Collections$EmptyMap Collections$SingletonMap ImmutableCollections$MapN"
                    + " ImmutableCollections$Map1",
            "java.util.concurrent.", "ConcurrentHashMap ConcurrentSkipListMap");

    private static final Set<String> ENTRIES = names("java.util.",
            "AbstractMap$SimpleEntry AbstractMap$SimpleImmutableEntry HashMap$Node HashMap$TreeNode"
                    + " LinkedHashMap$Entry TreeMap$Entry KeyValueHolder Hashtable$Entry",
            "java.util.concurrent.", "ConcurrentHashMap$MapEntry");

    private static final Set<String> OPTIONALS =
            names("java.util.", "Optional OptionalInt OptionalLong OptionalDouble");

    private static final Set<String> ATOMICS = names("java.util.concurrent.atomic.",
            "AtomicInteger AtomicLong AtomicBoolean AtomicReference LongAdder DoubleAdder");

    /** Pairs of a prefix and what it stands before, by spaces. */
    private static Set<String> names(String... pairs) {
        Set<String> all = new HashSet<>();
        for (int at = 0; at < pairs.length; at += 2) {
            for (String name : pairs[at + 1].split(" ")) {
                all.add(pairs[at] + name);
            }
        }
        return all;
    }

    private static Kind kind(Class<?> type) {
        if (type.isArray()) {
            return Kind.ARRAY;
        }
        if (Enum.class.isAssignableFrom(type)) {
            return Kind.ENUM;
        }
        if (Throwable.class.isAssignableFrom(type)) {
            return Kind.THROWABLE;
        }
        if (!ofJdk(type)) {
            return unusual(type) || type.isAnnotation() ? Kind.OPAQUE : extended(type);
        }
        if (type == String.class) {
            return Kind.STRING;
        }
        if (type == StringBuilder.class || type == StringBuffer.class) {
            return Kind.CHARS;
        }
        if (type == Integer.class || type == Long.class || type == Boolean.class || type == Character.class
                || type == Byte.class || type == Short.class || type == Float.class || type == Double.class) {
            return Kind.BOXED;
        }
        if (type == java.util.Date.class) {
            return Kind.DATE;
        }
        String name = type.getName();
        if (TEXTS.contains(name) || Charset.class.isAssignableFrom(type) || Path.class.isAssignableFrom(type)) {
            return Kind.TEXT;
        }
        if (COLLECTIONS.contains(name)) {
            return Kind.COLLECTION;
        }
        if (MAPS.contains(name)) {
            return Kind.MAP;
        }
        if (ENTRIES.contains(name)) {
            return Kind.ENTRY;
        }
        if (OPTIONALS.contains(name)) {
            return Kind.OPTIONAL;
        }
        if (ATOMICS.contains(name)) {
            return Kind.ATOMIC;
        }
        return name.startsWith("java.util.Collections$Unmodifiable")
                || name.startsWith("java.util.Collections$Synchronized")
                || name.startsWith("java.util.Collections$Checked")
                || name.equals("java.util.Collections$SetFromMap") ? Kind.WRAPPER : Kind.OPAQUE;
    }

    /** Of these a class of the user's shows what they hold, and not the fields that it adds. */
    private static final Set<String> EXTENDED = names("java.util.",
            "ArrayList LinkedList ArrayDeque Vector Stack HashSet LinkedHashSet HashMap LinkedHashMap TreeMap Hashtable"
                    + " Properties",
            "java.util.concurrent.", "ConcurrentHashMap CopyOnWriteArrayList");

    /** What the contents of a collection are asked by: a class that has one of them of its own is not asked. */
    private static final String[] ASKED = {"size", "iterator", "entrySet", "keySet", "isEmpty"};

    /** What an object of a class of the user's shows. */
    private static Kind extended(Class<?> type) {
        Class<?> jdk = type.getSuperclass();
        while (jdk != null && !ofJdk(jdk)) {
            jdk = jdk.getSuperclass();
        }
        if (jdk == null || !EXTENDED.contains(jdk.getName())) {
            return Kind.OBJECT;
        }
        try {
            for (Class<?> own = type; own != jdk; own = own.getSuperclass()) {
                for (Method method : own.getDeclaredMethods()) {
                    if (method.getParameterCount() == 0 && Arrays.asList(ASKED).contains(method.getName())) {
                        return Kind.OBJECT;
                    }
                }
            }
        } catch (RuntimeException | LinkageError refused) {
            return Kind.OBJECT;
        }
        return MAPS.contains(jdk.getName()) ? Kind.MAP : Kind.COLLECTION;
    }

    // --- Fields ---

    /** Null if one of them must not be read. */
    private static Part[] parts(Class<?> type) {
        List<Class<?>> chain = new ArrayList<>();
        for (Class<?> it = type; it != null && !ofJdk(it); it = it.getSuperclass()) {
            chain.add(0, it);
        }
        List<Part> parts = new ArrayList<>();
        try {
            for (Class<?> declaring : chain) {
                Recorder.open(declaring);
                for (Field field : declaring.getDeclaredFields()) {
                    // Synthetic ones are the compiler's and other agents'.
                    if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                        field.setAccessible(true);
                        parts.add(new Part(field, Recorder.segment.name(field.getName()), idOf(declaring)));
                    }
                }
            }
        } catch (RuntimeException | LinkageError refused) {
            return null;
        }
        return parts.toArray(new Part[0]);
    }

    private static Field wrapped(Class<?> type) {
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            for (String name : Arrays.asList("c", "m")) {
                Field found = field(it, name);
                if (found != null && (Collection.class.isAssignableFrom(found.getType())
                        || Map.class.isAssignableFrom(found.getType()))) {
                    return found;
                }
            }
        }
        return null;
    }

    /** What JUnit 3 and 4 throw of texts that differ makes its message of these texts alone, and was made with none. */
    private static final Set<String> COMPARES = names("junit.framework.", "ComparisonFailure", "org.junit.", "ComparisonFailure");

    private static boolean ownMessage(Class<?> type) {
        try {
            Class<?> by = type.getMethod("getMessage").getDeclaringClass();
            return !ofJdk(by) && !COMPARES.contains(by.getName());
        } catch (ReflectiveOperationException | LinkageError unknown) {
            return true;
        }
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException | RuntimeException refused) {
            return null;
        }
    }
}
