package dev.telltale.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.jar.JarFile;

/**
 * The first class of the agent, and the only one that the system class loader defines. Woven code of any class loader
 * must find the recorder, so the jar goes onto the boot class path before anything else of it is touched; everything
 * else is then defined there, once.
 */
public final class Agent {
    private Agent() {}

    /** {@code folder} holds the plan and takes what is recorded. Whatever goes wrong, the program runs on. */
    public static void premain(String folder, Instrumentation instrumentation) {
        try {
            File jar = new File(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
            Class<?> start = Class.forName("dev.telltale.agent.Start", true, null);
            start.getMethod("start", String.class, Instrumentation.class).invoke(null, folder, instrumentation);
        } catch (InvocationTargetException problem) {
            tell(problem.getCause());
        } catch (Throwable problem) {
            tell(problem);
        }
    }

    private static void tell(Throwable problem) {
        System.err.println("telltale: nothing is recorded: " + problem);
    }
}
