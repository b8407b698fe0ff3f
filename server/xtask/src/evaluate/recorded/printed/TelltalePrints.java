import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes what an expression was, as {@code points.rs} has it of what was recorded; in Java 7, and without Telltale's agent. */
final class TelltalePrints {
    private final Map<Object, Object> seen = new IdentityHashMap<Object, Object>();

    static void see(int number, Object value) {
        write(number, value, "");
    }

    static void threw(int number, Throwable thrown) {
        write(number, thrown, "!");
    }

    private static synchronized void write(int number, Object value, String mark) {
        String text;
        try {
            text = mark + new TelltalePrints().of(value, 0);
        } catch (Throwable problem) {
            text = "?" + problem.getClass().getName();
        }
        text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
        try {
            java.io.Writer to = new java.io.OutputStreamWriter(new java.io.FileOutputStream("@TO@", true), "UTF-8");
            try {
                to.write("p" + number + "\t" + text + "\n");
            } finally {
                to.close();
            }
        } catch (java.io.IOException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private String of(Object value, int depth) throws Exception {
        if (value == null || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return value.getClass().getSimpleName().substring(0, 1).toLowerCase(java.util.Locale.ROOT) + value;
        }
        if (value instanceof Character) {
            return "c" + (int) (Character) value;
        }
        if (value instanceof Float) {
            return "f" + Float.floatToRawIntBits((Float) value);
        }
        if (value instanceof Double) {
            return "d" + Double.doubleToRawLongBits((Double) value);
        }
        if (value instanceof String) {
            return "t" + counted((String) value);
        }
        if (value instanceof Enum) {
            return "e" + ((Enum<?>) value).getDeclaringClass().getName() + "." + ((Enum<?>) value).name();
        }
        String printed = printed(value);
        if (printed != null) {
            return "p" + counted(printed);
        }
        if (seen.put(value, value) != null) {
            return "again";
        }
        if (depth > 8) {
            throw new IllegalStateException("deep");
        }
        return parts(value, depth + 1);
    }

    private static String counted(String text) {
        return text.length() + ":" + text;
    }

    private static boolean isLibrary(Class<?> type) {
        return type.getClassLoader() == null || type.getClassLoader() == ClassLoader.getSystemClassLoader().getParent();
    }

    /** What a value class of the library says; null of everything else. */
    private static String printed(Object value) throws Exception {
        if (!isLibrary(value.getClass()) || value.getClass().isArray()) {
            return null;
        }
        if (value.getClass() == java.util.Date.class) {
            Object instant = Class.forName("java.time.Instant").getMethod("ofEpochMilli", long.class)
                    .invoke(null, ((java.util.Date) value).getTime());
            return instant.toString();
        }
        if (value instanceof Class) {
            return ((Class<?>) value).getName();
        }
        boolean isPart = value instanceof Collection || value instanceof Map || value instanceof Map.Entry
                || value instanceof Throwable || value.getClass().getName().startsWith("java.util.Optional");
        return isPart ? null : value.toString();
    }

    private String parts(Object value, int depth) throws Exception {
        List<String> all = new ArrayList<String>();
        Class<?> type = value.getClass();
        if (type.isArray()) {
            for (int at = 0; at < Array.getLength(value) && at < 20; at++) {
                all.add(of(Array.get(value, at), depth));
            }
            return "a" + Array.getLength(value) + all;
        }
        if (value instanceof Throwable) {
            return "w" + type.getName() + of(((Throwable) value).getMessage(), depth);
        }
        if (!isLibrary(type)) {
            return "x" + type.getName() + fields(value, type, depth);
        }
        if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            all.add("key=" + of(entry.getKey(), depth));
            all.add("value=" + of(entry.getValue(), depth));
            return "x" + type.getName() + all;
        }
        if (value instanceof Map) {
            Map<?, ?> map = (Map<?, ?>) value;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                all.add(of(entry.getKey(), depth) + "=" + of(entry.getValue(), depth));
            }
            Collections.sort(all);
            return "m" + map.size() + all;
        }
        if (value instanceof Collection) {
            for (Object one : (Collection<?>) value) {
                all.add(of(one, depth));
                if (all.size() == 20) {
                    break;
                }
            }
            if (value instanceof Set) {
                Collections.sort(all);
            }
            return (value instanceof Set ? "s" : value instanceof List ? "l" : "q") + ((Collection<?>) value).size() + all;
        }
        if ((Boolean) type.getMethod("isPresent").invoke(value)) {
            String own = type.getSimpleName().substring("Optional".length());
            all.add(of(type.getMethod(own.isEmpty() ? "get" : "getAs" + own).invoke(value), depth));
        }
        return "o" + all;
    }

    /** Those of classes that are not the library's, of the uppermost class first. */
    private List<String> fields(Object value, Class<?> type, int depth) throws Exception {
        List<String> all = new ArrayList<String>();
        if (type == null || isLibrary(type)) {
            return all;
        }
        all.addAll(fields(value, type.getSuperclass(), depth));
        for (Field field : Arrays.asList(type.getDeclaredFields())) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                field.setAccessible(true);
                all.add(field.getName() + "=" + of(field.get(value), depth));
            }
        }
        return all;
    }
}
