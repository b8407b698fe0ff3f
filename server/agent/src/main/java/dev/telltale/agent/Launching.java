package dev.telltale.agent;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Runs tests by the framework that the class path has: the JUnit Platform by its launcher, else JUnit 4 (and 3 by it). */
abstract class Launching {
    /** True while tests are found out about, not asked for. */
    volatile boolean discovers;

    /** Runs all tests of these classes; one that cannot be loaded is left out. */
    abstract void runAll(List<String> classes) throws Exception;

    /** Runs one test by its name here. */
    abstract void run(String unit) throws Exception;

    /** Null if there is no framework that is known. */
    static Launching find(ClassLoader loader) throws ReflectiveOperationException {
        try {
            return new Platform(loader);
        } catch (ClassNotFoundException noPlatform) {
            try {
                return new Four(loader);
            } catch (ClassNotFoundException noFour) {
                return null;
            }
        }
    }

    private static Object invoke(Method method, Object on, Object... arguments) throws ReflectiveOperationException {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error) {
                throw (Error) thrown.getCause();
            }
            throw thrown;
        }
    }

    private static final class Platform extends Launching {
        private static final String LAUNCHER = "org.junit.platform.launcher.";
        private final Object launcher;
        private final Method execute;
        private final Object listeners;
        private final Method request;
        private final Method selectors;
        private final Method parameter;
        private final Method build;
        private final Method selectClass;
        private final Method selectUniqueId;

        Platform(ClassLoader loader) throws ReflectiveOperationException {
            Class<?> factory = Class.forName(LAUNCHER + "core.LauncherFactory", true, loader);
            Class<?> builder = Class.forName(LAUNCHER + "core.LauncherDiscoveryRequestBuilder", true, loader);
            Class<?> listener = Class.forName(LAUNCHER + "TestExecutionListener", true, loader);
            Class<?> asked = Class.forName(LAUNCHER + "LauncherDiscoveryRequest", true, loader);
            Class<?> all = Class.forName("org.junit.platform.engine.discovery.DiscoverySelectors", true, loader);
            launcher = invoke(factory.getMethod("create"), null);
            listeners = Array.newInstance(listener, 0);
            execute = Class.forName(LAUNCHER + "Launcher", true, loader).getMethod("execute", asked, listeners.getClass());
            request = builder.getMethod("request");
            selectors = builder.getMethod("selectors", List.class);
            parameter = builder.getMethod("configurationParameter", String.class, String.class);
            build = builder.getMethod("build");
            selectClass = all.getMethod("selectClass", String.class);
            selectUniqueId = all.getMethod("selectUniqueId", String.class);
        }

        @Override
        void runAll(List<String> classes) throws ReflectiveOperationException {
            List<Object> chosen = new ArrayList<>();
            for (String each : classes) {
                chosen.add(invoke(selectClass, null, each));
            }
            run(chosen);
        }

        @Override
        void run(String unit) throws ReflectiveOperationException {
            List<Object> chosen = new ArrayList<>();
            chosen.add(invoke(selectUniqueId, null, unit));
            run(chosen);
        }

        private void run(List<Object> chosen) throws ReflectiveOperationException {
            Object of = invoke(request, null);
            invoke(selectors, of, chosen);
            invoke(parameter, of, "junit.jupiter.execution.parallel.enabled", "false");
            invoke(execute, launcher, invoke(build, of), listeners);
        }
    }

    private static final class Four extends Launching {
        private final ClassLoader loader;
        private final Constructor<?> core;
        private final Method run;
        private final Method ofClass;
        private final Method filter;
        private final Method describe;

        Four(ClassLoader loader) throws ReflectiveOperationException {
            this.loader = loader;
            Class<?> request = Class.forName("org.junit.runner.Request", true, loader);
            Class<?> description = Class.forName("org.junit.runner.Description", true, loader);
            Class<?> junit = Class.forName("org.junit.runner.JUnitCore", true, loader);
            core = junit.getConstructor();
            run = junit.getMethod("run", request);
            ofClass = request.getMethod("aClass", Class.class);
            filter = request.getMethod("filterWith", description);
            describe = description.getMethod("createTestDescription", Class.class, String.class,
                    java.lang.annotation.Annotation[].class);
        }

        @Override
        void runAll(List<String> classes) throws ReflectiveOperationException {
            for (String each : classes) {
                invoke(run, core.newInstance(), invoke(ofClass, null, load(each)));
            }
        }

        /** {@code class#method[0]}, as JUnit 4 displays its tests. */
        @Override
        void run(String unit) throws ReflectiveOperationException {
            int cut = unit.indexOf('#');
            Class<?> type = load(unit.substring(0, cut));
            Object description = invoke(describe, null, type, unit.substring(cut + 1),
                    new java.lang.annotation.Annotation[0]);
            Object all = invoke(ofClass, null, type);
            invoke(run, core.newInstance(), invoke(filter, all, description));
        }

        private Class<?> load(String name) throws ClassNotFoundException {
            return Class.forName(name, false, loader);
        }
    }
}
