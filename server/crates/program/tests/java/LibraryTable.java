import java.io.IOException;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/**
 * Prints the table of the JDK's commonest types that stands in {@code src/types/jdk.txt}: one type a line, with its
 * type parameters, its supertypes and the members that its supertypes do not have.
 *
 * <p>{@code java LibraryTable.java > ../../src/types/jdk.txt}
 */
class LibraryTable {
    /** Packages whose types are listed with their members. */
    static final List<String> FULL = List.of("java.lang", "java.util", "java.util.function", "java.util.stream",
        "java.util.regex", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks",
        "java.io", "java.math", "java.text", "java.nio.file", "java.nio.charset", "java.time", "java.net",
        "java.lang.reflect", "java.nio", "java.lang.annotation", "java.lang.ref", "java.util.zip", "java.util.jar",
        "java.security", "java.nio.file.attribute");
    /** Packages whose types are listed with their supertypes only. */
    static final List<String> NAMES = List.of("java.lang.invoke", "java.nio.channels", "java.time.format",
        "java.time.temporal", "java.time.chrono", "java.time.zone", "java.util.spi", "java.net.spi", "javax.net",
        "java.security.spec");

    static final Map<String, Integer> simple = new HashMap<>();
    static final Set<Class<?>> listed = new HashSet<>();

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        List<Class<?>> types = new ArrayList<>();
        FileSystem jrt = FileSystems.getFileSystem(URI.create("jrt:/"));
        List<String> packages = new ArrayList<>(FULL);
        packages.addAll(NAMES);
        for (String p : packages) {
            List<Path> files;
            try (Stream<Path> s = Files.list(jrt.getPath("/modules/java.base/" + p.replace('.', '/')))) {
                files = s.filter(f -> f.toString().endsWith(".class")).sorted().toList();
            }
            for (Path f : files) {
                String name = f.getFileName().toString().replace(".class", "");
                Class<?> c = Class.forName(p + "." + name, false, null);
                if (!c.isAnonymousClass() && !c.isLocalClass() && visible(c)) {
                    types.add(c);
                    listed.add(c);
                }
            }
        }
        types.sort(Comparator.comparing(Class::getName));
        for (Class<?> c : types) {
            simple.merge(c.getSimpleName(), 1, Integer::sum);
        }
        for (Class<?> c : types) {
            System.out.println(row(c));
        }
    }

    static boolean visible(Class<?> c) {
        for (Class<?> k = c; k != null; k = k.getEnclosingClass()) {
            if (!Modifier.isPublic(k.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    static String row(Class<?> c) {
        StringBuilder out = new StringBuilder();
        out.append(c.isAnnotation() ? "@" : c.isInterface() ? "i" : c.isEnum() ? "e"
            : Modifier.isAbstract(c.getModifiers()) ? "a" : Modifier.isFinal(c.getModifiers()) ? "f" : "c");
        out.append(' ').append(c.getName()).append(params(c.getTypeParameters())).append(' ');
        List<String> supers = new ArrayList<>();
        if (c.getGenericSuperclass() != null) {
            supers.addAll(superclass(c));
        }
        for (Type t : c.getGenericInterfaces()) {
            if (visible(raw(t))) {
                supers.add(type(t));
            }
        }
        out.append(supers.isEmpty() ? "-" : String.join("&", supers));
        boolean exception = Throwable.class.isAssignableFrom(c) && c != Throwable.class;
        if (!FULL.contains(c.getPackageName()) || exception) {
            return out.toString();
        }
        List<String> members = new ArrayList<>();
        for (Field f : c.getDeclaredFields()) {
            if (accessible(f.getModifiers())) {
                members.add(mark(f.getModifiers()) + f.getName() + ":" + type(f.getGenericType()));
            }
        }
        for (Constructor<?> k : c.getDeclaredConstructors()) {
            if (accessible(k.getModifiers()) && !k.isSynthetic()) {
                members.add("<init>" + params(k.getTypeParameters()) + arguments(k));
            }
        }
        List<Method> methods = new ArrayList<>();
        for (Method m : c.getDeclaredMethods()) {
            if (accessible(m.getModifiers()) && !m.isSynthetic() && !repeated(c, m)) {
                methods.add(m);
            }
        }
        // StringBuilder has most of its methods from a superclass that nobody sees.
        for (Class<?> s = c.getSuperclass(); s != null && !visible(s); s = s.getSuperclass()) {
            for (Method m : s.getDeclaredMethods()) {
                if (accessible(m.getModifiers()) && !m.isSynthetic() && methods.stream().noneMatch(o ->
                    o.getName().equals(m.getName()) && Arrays.equals(o.getParameterTypes(), m.getParameterTypes()))) {
                    methods.add(m);
                }
            }
        }
        methods.sort(Comparator.comparing(Method::getName).thenComparing(m -> arguments(m)));
        for (Method m : methods) {
            members.add(mark(m.getModifiers()) + (Modifier.isAbstract(m.getModifiers()) ? "!" : "") + m.getName()
                + params(m.getTypeParameters()) + arguments(m) + type(m.getGenericReturnType()));
        }
        Collections.sort(members);
        for (String m : members) {
            out.append(' ').append(m);
        }
        return out.toString();
    }

    /** The nearest visible superclass (StringBuilder's own is hidden). */
    static List<String> superclass(Class<?> c) {
        Class<?> s = c.getSuperclass();
        if (visible(s)) {
            return List.of(type(c.getGenericSuperclass()));
        }
        List<String> out = new ArrayList<>(superclass(s));
        for (Type t : s.getGenericInterfaces()) {
            if (visible(raw(t))) {
                out.add(type(t));
            }
        }
        return out;
    }

    static boolean accessible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    static String mark(int modifiers) {
        return (Modifier.isStatic(modifiers) ? "/" : "") + (Modifier.isProtected(modifiers) ? "#" : "");
    }

    /**
     * True if a visible supertype declares the same with the same return type: a superclass, or for an interface a
     * superinterface. What a class has from its interfaces only is listed, for it comes before other interfaces.
     */
    static boolean repeated(Class<?> c, Method m) {
        if (Modifier.isStatic(m.getModifiers())) {
            return false;
        }
        for (Class<?> t : closure(c)) {
            if (t == c || t.isInterface() != c.isInterface() || !visible(t) || !listed.contains(t)
                || !FULL.contains(t.getPackageName())) {
                continue;
            }
            for (Method o : t.getDeclaredMethods()) {
                // An abstract method made concrete matters to functional interfaces.
                if (o.getName().equals(m.getName()) && Arrays.equals(o.getParameterTypes(), m.getParameterTypes())
                    && accessible(o.getModifiers()) && o.getReturnType() == m.getReturnType() && !o.isSynthetic()
                    && (!c.isInterface() || Modifier.isAbstract(o.getModifiers()) == Modifier.isAbstract(m.getModifiers()))) {
                    return true;
                }
            }
        }
        return false;
    }

    static Set<Class<?>> closure(Class<?> c) {
        Set<Class<?>> out = new LinkedHashSet<>();
        Deque<Class<?>> work = new ArrayDeque<>(List.of(c));
        while (!work.isEmpty()) {
            Class<?> n = work.poll();
            if (out.add(n)) {
                if (n.getSuperclass() != null) {
                    work.add(n.getSuperclass());
                }
                work.addAll(List.of(n.getInterfaces()));
            }
        }
        return out;
    }

    static String params(TypeVariable<?>[] params) {
        if (params.length == 0) {
            return "";
        }
        return Arrays.stream(params).map(p -> {
            List<String> bounds = Arrays.stream(p.getBounds()).filter(b -> b != Object.class).map(LibraryTable::type).toList();
            return p.getName() + (bounds.isEmpty() ? "" : ":" + String.join("&", bounds));
        }).collect(Collectors.joining(",", "<", ">"));
    }

    static String arguments(Executable e) {
        Type[] types = e.getGenericParameterTypes();
        if (types.length != e.getParameterCount()) {
            types = e.getParameterTypes();
        }
        List<String> out = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            String t = type(types[i]);
            out.add(e.isVarArgs() && i == types.length - 1 ? t.substring(0, t.length() - 2) + "..." : t);
        }
        return "(" + String.join(",", out) + ")";
    }

    static Class<?> raw(Type t) {
        return t instanceof Class<?> c ? c : (Class<?>) ((ParameterizedType) t).getRawType();
    }

    static String type(Type t) {
        if (t instanceof Class<?> c) {
            if (c.isArray()) {
                return type(c.getComponentType()) + "[]";
            }
            return c.isPrimitive() ? c.getName() : name(c);
        }
        if (t instanceof GenericArrayType a) {
            return type(a.getGenericComponentType()) + "[]";
        }
        if (t instanceof ParameterizedType p) {
            return name((Class<?>) p.getRawType()) + Arrays.stream(p.getActualTypeArguments())
                .map(LibraryTable::type).collect(Collectors.joining(",", "<", ">"));
        }
        if (t instanceof WildcardType w) {
            if (w.getLowerBounds().length > 0) {
                return "-" + type(w.getLowerBounds()[0]);
            }
            return w.getUpperBounds()[0] == Object.class ? "?" : type(w.getUpperBounds()[0]);
        }
        return "$" + ((TypeVariable<?>) t).getName();
    }

    /** The simple name where it is clear in the table, else the binary name. */
    static String name(Class<?> c) {
        return listed.contains(c) && simple.getOrDefault(c.getSimpleName(), 0) == 1 ? c.getSimpleName() : c.getName();
    }
}
