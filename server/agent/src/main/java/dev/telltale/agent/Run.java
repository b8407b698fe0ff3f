package dev.telltale.agent;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs tests once, as a build tool would: {@code FOLDER/tests} has a line each, class and method between a tab, or a
 * class alone. What they do is recorded by the agent, as in a JVM that a build started.
 */
public final class Run {
    private Run() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Set<String>> asked = new LinkedHashMap<>();
        File list = new File(arguments[0], "tests");
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
        Launching launching = Launching.findAny(ClassLoader.getSystemClassLoader());
        if (launching == null) {
            System.err.println("telltale: no framework of tests is on the class path");
            System.exit(2);
        }
        launching.runOnly(asked);
        // Threads that tests left behind hold nothing up.
        System.exit(0);
    }
}
