package dev.telltale.agent;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Runs tests by the framework that the class path has: the JUnit Platform by its launcher, else JUnit 4 (and 3 by it), else TestNG. */
abstract class Launching {
    /** True while tests are found out about, not asked for. */
    volatile boolean discovers;

    /** Runs all tests of these classes; one that cannot be loaded is left out. */
    abstract void runAll(List<String> classes) throws Exception;

    /** Runs one test by its name here. */
    abstract void run(String unit) throws Exception;

    /** Runs these methods of classes, with all their invocations; of a class without methods all, and of those in it. */
    abstract void runOnly(Map<String, Set<String>> tests) throws Exception;

    /** Null if there is no framework that is known. */
    static Launching find(ClassLoader loader) throws ReflectiveOperationException {
        try {
            return new Platform(loader);
        } catch (ClassNotFoundException | LinkageError noPlatform) {
            try {
                return new Four(loader);
            } catch (ClassNotFoundException noFour) {
                return null;
            }
        }
    }

    /** The same, and TestNG, which runs tests once and tells nothing of one alone. */
    static Launching findAny(ClassLoader loader) throws ReflectiveOperationException {
        Launching known = find(loader);
        try {
            return known == null ? new Ng(loader) : known;
        } catch (ClassNotFoundException none) {
            return null;
        }
    }

    /** True if what is asked for has a method of a class. */
    private static boolean has(Map<String, Set<String>> tests, String type, String method) {
        Set<String> methods = tests.get(type);
        if (methods != null && (methods.isEmpty() || methods.contains(method))) {
            return true;
        }
        for (int at = type.lastIndexOf('$'); at > 0; at = type.lastIndexOf('$', at - 1)) {
            methods = tests.get(type.substring(0, at));
            if (methods != null && methods.isEmpty()) {
                return true;
            }
        }
        return false;
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
        private final ClassLoader loader;

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
            this.loader = loader;
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

        @Override
        void runOnly(Map<String, Set<String>> tests) throws ReflectiveOperationException {
            Class<?> filter = Class.forName("org.junit.platform.engine.Filter", true, loader);
            Class<?> behind = Class.forName(LAUNCHER + "PostDiscoveryFilter", true, loader);
            Class<?> result = Class.forName("org.junit.platform.engine.FilterResult", true, loader);
            Method resultOf = result.getMethod("includedIf", boolean.class);
            Class<?> descriptor = Class.forName("org.junit.platform.engine.TestDescriptor", true, loader);
            Class<?> source = Class.forName("org.junit.platform.engine.support.descriptor.MethodSource", true, loader);
            Method sourceOf = descriptor.getMethod("getSource");
            Method classOf = source.getMethod("getClassName");
            Method nameOf = source.getMethod("getMethodName");
            Predicate<Object> isAsked = each -> {
                try {
                    Object of = ((Optional<?>) invoke(sourceOf, each)).orElse(null);
                    return !source.isInstance(of)
                            || has(tests, (String) invoke(classOf, of), (String) invoke(nameOf, of));
                } catch (ReflectiveOperationException unknown) {
                    return true;
                }
            };
            Object own = Proxy.newProxyInstance(loader, new Class<?>[] {behind}, (it, method, arguments) -> {
                switch (method.getName()) {
                    case "apply":
                        return invoke(resultOf, null, isAsked.test(arguments[0]));
                    case "toPredicate":
                        return isAsked;
                    case "equals":
                        return it == arguments[0];
                    case "hashCode":
                        return 1;
                    default:
                        return "the tests that are asked for";
                }
            });
            Object filters = Array.newInstance(filter, 1);
            Array.set(filters, 0, own);
            List<Object> chosen = new ArrayList<>();
            for (String each : tests.keySet()) {
                chosen.add(invoke(selectClass, null, each));
            }
            Object of = invoke(request, null);
            invoke(selectors, of, chosen);
            invoke(of.getClass().getMethod("filters", filters.getClass()), of, filters);
            invoke(execute, launcher, invoke(build, of), listeners);
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
        private final Method runnerOf;
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
            runnerOf = request.getMethod("getRunner");
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

        @Override
        void runOnly(Map<String, Set<String>> tests) throws ReflectiveOperationException {
            for (Map.Entry<String, Set<String>> each : tests.entrySet()) {
                Object all = invoke(ofClass, null, load(each.getKey()));
                if (each.getValue().isEmpty()) {
                    invoke(run, core.newInstance(), all);
                    continue;
                }
                Object runner = invoke(runnerOf, all);
                Class<?> describable = Class.forName("org.junit.runner.Describable", true, loader);
                Object root = invoke(describable.getMethod("getDescription"), runner);
                List<Object> leaves = new ArrayList<>();
                leaves(root, leaves);
                for (Object leaf : leaves) {
                    if (each.getValue().contains(methodOf(leaf))) {
                        // A runner that was filtered stays so.
                        Object anew = invoke(ofClass, null, load(each.getKey()));
                        invoke(run, core.newInstance(), invoke(filter, anew, leaf));
                    }
                }
            }
        }

        private void leaves(Object description, List<Object> into) throws ReflectiveOperationException {
            List<?> children = (List<?>) invoke(description.getClass().getMethod("getChildren"), description);
            if (children.isEmpty()) {
                into.add(description);
            }
            for (Object each : children) {
                leaves(each, into);
            }
        }

        /** {@code method} of {@code method[0](class)}. */
        private static String methodOf(Object description) throws ReflectiveOperationException {
            String name = (String) invoke(description.getClass().getMethod("getDisplayName"), description);
            int open = name.lastIndexOf('(');
            String method = open < 0 ? name : name.substring(0, open);
            int bracket = method.indexOf('[');
            return bracket > 0 ? method.substring(0, bracket) : method;
        }

        private Class<?> load(String name) throws ClassNotFoundException {
            return Class.forName(name, false, loader);
        }
    }

    private static final class Ng extends Launching {
        private static final String XML = "org.testng.xml.Xml";
        private final ClassLoader loader;
        private final Class<?> runner;

        Ng(ClassLoader loader) throws ClassNotFoundException {
            this.loader = loader;
            runner = Class.forName("org.testng.TestNG", true, loader);
        }

        @Override
        void runAll(List<String> classes) {
            throw new UnsupportedOperationException();
        }

        @Override
        void run(String unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        void runOnly(Map<String, Set<String>> tests) throws ReflectiveOperationException {
            Class<?> suiteType = Class.forName(XML + "Suite", true, loader);
            Class<?> testType = Class.forName(XML + "Test", true, loader);
            Class<?> classType = Class.forName(XML + "Class", true, loader);
            Class<?> includeType = Class.forName(XML + "Include", true, loader);
            Object suite = suiteType.getConstructor().newInstance();
            Object test = testType.getConstructor(suiteType).newInstance(suite);
            List<Object> classes = new ArrayList<>();
            for (Map.Entry<String, Set<String>> each : tests.entrySet()) {
                Object one = classType.getConstructor(String.class).newInstance(each.getKey());
                List<Object> included = new ArrayList<>();
                for (String method : each.getValue()) {
                    included.add(includeType.getConstructor(String.class).newInstance(method));
                }
                invoke(classType.getMethod("setIncludedMethods", List.class), one, included);
                classes.add(one);
            }
            invoke(testType.getMethod("setXmlClasses", List.class), test, classes);
            Object run = runner.getConstructor(boolean.class).newInstance(false);
            invoke(runner.getMethod("setXmlSuites", List.class), run, Collections.singletonList(suite));
            invoke(runner.getMethod("setVerbose", int.class), run, 0);
            invoke(runner.getMethod("run"), run);
        }
    }
}
