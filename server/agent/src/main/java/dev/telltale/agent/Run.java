package dev.telltale.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs tests once, as a build tool would: {@code FOLDER/tests} has a line each, class and method between a tab, or a
 * class alone. What they do is recorded by the agent, as in a JVM that a build started.
 *
 * <p>{@code Run FOLDER [LIST]} runs them at once, and writes the names of what was {@linkplain Loaded loaded} into a file.
 * {@code Run - LIST} loads what such a file names, says {@link #READY}, and waits on its standard input for a line with the
 * folder: the time that a JVM takes to come up is over before there is something to run. It ends if nothing comes.
 */
public final class Run {
    private Run() {}

    private static final String READY = "telltale-ready";
    /** For how long it waits, in milliseconds. */
    private static final long PATIENCE = 300_000;

    public static void main(String[] arguments) throws Exception {
        boolean waits = arguments[0].equals(Start.LATER);
        File list = arguments.length > 1 ? new File(arguments[1]) : null;
        File folder = waits ? told(list) : new File(arguments[0]);
        Map<String, Set<String>> asked = asked(new File(folder, "tests"));
        Launching launching = Launching.findAny(ClassLoader.getSystemClassLoader());
        if (launching == null) {
            System.err.println("telltale: no framework of tests is on the class path");
            System.exit(2);
        }
        launching.runOnly(asked);
        if (!waits && list != null) {
            Loaded.write(list);
        }
        // Threads that tests left behind hold nothing up.
        System.exit(0);
    }

    private static Map<String, Set<String>> asked(File list) throws IOException {
        Map<String, Set<String>> asked = new LinkedHashMap<>();
        for (String line : new String(Files.readAllBytes(list.toPath()), StandardCharsets.UTF_8).split("\n")) {
            String[] parts = line.split("\t");
            Set<String> methods = asked.get(parts[0]);
            if (methods == null) {
                methods = new TreeSet<>();
                asked.put(parts[0], methods);
            }
            if (parts.length > 1) {
                methods.add(parts[1]);
            }
        }
        return asked;
    }

    /** Waits to be told a folder, and begins to record by its plan. */
    private static File told(File list) throws Exception {
        Loaded.load(list);
        Thread watch = new Thread(Run::watch, "telltale-watch");
        watch.setDaemon(true);
        watch.start();
        System.out.println(READY);
        // No more than the line: what stands behind it would be the tests'.
        byte[] bytes = new byte[4096];
        int length = 0;
        for (int next = System.in.read(); next != '\n'; next = System.in.read()) {
            if (next < 0 || length == bytes.length) {
                Runtime.getRuntime().halt(0);
            }
            bytes[length++] = (byte) next;
        }
        watch.interrupt();
        watch.join();
        File folder = new File(new String(bytes, 0, length, StandardCharsets.UTF_8));
        Start.beginLater(folder);
        return folder;
    }

    private static void watch() {
        try {
            Thread.sleep(PATIENCE);
        } catch (InterruptedException told) {
            return;
        }
        Runtime.getRuntime().halt(0);
    }
}
