package dev.telltale.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.CodeSource;
import java.util.TreeSet;

/**
 * Which classes of the JDK, of libraries and of the agent a run needed, so that the next can have them loaded before it is
 * asked for. None is initialised by that, and none of the code under test or of its tests is among them, nor what is told
 * by being loaded.
 */
final class Loaded {
    private Loaded() {}

    /** Their names, sorted, a line each. */
    static void write(File list) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (Class<?> each : Recorder.instrumentation.getAllLoadedClasses()) {
            String name = each.getName();
            boolean isConcerned = Recorder.plan.concerns(name.replace('.', '/'));
            if (!each.isArray() && !each.isPrimitive() && mayBeEarly(each) && !isConcerned) {
                names.add(name);
            }
        }
        Files.write(list.toPath(), String.join("\n", names).getBytes(StandardCharsets.UTF_8));
    }

    /** Loads and links them; one that is not there any more is passed over. */
    static void load(File list) throws IOException {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        for (String name : new String(Files.readAllBytes(list.toPath()), StandardCharsets.UTF_8).split("\n")) {
            try {
                Class<?> type = Class.forName(name, false, loader);
                if (!mayBeEarly(type)) {
                    throw new IllegalStateException(name + " is no library's");
                }
                // Links the class, which nothing else does without initialising it.
                type.getDeclaredConstructors();
            } catch (ClassNotFoundException | LinkageError gone) {
                // Then it is loaded when it is needed, if ever.
            }
        }
    }

    private static boolean mayBeEarly(Class<?> type) {
        String name = type.getName();
        // Classes that are made as they are needed have names that nobody can ask for, or are made anew.
        if (name.indexOf('/') >= 0 || name.contains("$$") || name.startsWith("com.sun.proxy.") || name.startsWith("jdk.proxy")) {
            return false;
        }
        ClassLoader loader = type.getClassLoader();
        if (loader != ClassLoader.getSystemClassLoader()) {
            return loader == null;
        }
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source != null && source.getLocation() != null && source.getLocation().getPath().endsWith(".jar")
                && !name.equals(Mocks.FIRST.replace('/', '.'));
    }
}
