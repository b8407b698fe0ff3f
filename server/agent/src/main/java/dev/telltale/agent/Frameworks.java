package dev.telltale.agent;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What woven frameworks call as tests start and end: the JUnit Platform, JUnit 4, JUnit 3 and TestNG, in this order,
 * since each of them may run the next. Their classes are known by name only, through whatever class loader brought
 * them, and asked by their own public methods. Nothing here throws.
 */
public final class Frameworks {
    private Frameworks() {}

    /** How many engines of the JUnit Platform run; while one does, it tells of all tests. */
    private static volatile int engines;

    // --- JUnit Platform ---

    public static void platformStarted(Object descriptor) {
        if (!Recorder.on) {
            return;
        }
        try {
            if (!isTest(descriptor)) {
                engine(descriptor, true);
            } else if (Tests.of(descriptor) == null && !Tests.inTest()) {
                Tests.start(descriptor, platformName(descriptor));
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    public static void platformFinished(Object descriptor, Object result) {
        if (!Recorder.on) {
            return;
        }
        try {
            if (!isTest(descriptor)) {
                engine(descriptor, false);
                Object of = call(result, "org.junit.platform.engine.TestExecutionResult", "getStatus");
                Object by = call(result, "org.junit.platform.engine.TestExecutionResult", "getThrowable");
                boolean fails = ((Enum<?>) of).name().equals("FAILED");
                Throwable thrown = (Throwable) ((Optional<?>) by).orElse(null);
                if (fails) {
                    platformUnable(descriptor, thrown);
                }
                if (Judge.on) {
                    Judge.containerEnded(fails, thrown);
                }
                return;
            }
            if (Tests.of(descriptor) == null) {
                return;
            }
            int status = TestRun.UNKNOWN;
            Throwable thrown = null;
            Object of = call(result, "org.junit.platform.engine.TestExecutionResult", "getStatus");
            switch (((Enum<?>) of).name()) {
                case "SUCCESSFUL":
                    status = TestRun.PASSED;
                    break;
                case "FAILED":
                    status = TestRun.FAILED;
                    break;
                default:
                    status = TestRun.ABORTED;
            }
            Object cause = call(result, "org.junit.platform.engine.TestExecutionResult", "getThrowable");
            thrown = (Throwable) ((Optional<?>) cause).orElse(null);
            Tests.end(descriptor, status, thrown);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    /** The tests in a container that failed before any of them began: its set-up did. */
    private static void platformUnable(Object container, Throwable by) throws ReflectiveOperationException {
        List<TestName> within = new ArrayList<>();
        for (Object each : (Iterable<?>) call(container, DESCRIPTOR, "getDescendants")) {
            if (isTest(each) || (Boolean) call(each, DESCRIPTOR, "mayRegisterTests")) {
                within.add(platformName(each));
            }
        }
        Tests.unable(within, by);
    }

    public static void platformSkipped(Object descriptor) {
        if (!Recorder.on) {
            return;
        }
        try {
            if (isTest(descriptor) && !Tests.inTest() && LAST_TOLD.get() != descriptor) {
                LAST_TOLD.set(descriptor);
                Tests.skip(platformName(descriptor));
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    /** Told of each throwable that ends a test or a part of it. */
    public static void unrecoverable(Object thrown) {
        if (!Recorder.on) {
            return;
        }
        try {
            Fate.unrecoverable(thrown);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    private static final String DESCRIPTOR = "org.junit.platform.engine.TestDescriptor";

    /** Engines that run, by identity: their start is told to several listeners. */
    private static final Set<Object> RUNNING = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The test whose end was told last in this thread; frameworks may tell it again. */
    private static final ThreadLocal<Object> LAST_TOLD = new ThreadLocal<>();

    private static boolean isTest(Object descriptor) throws ReflectiveOperationException {
        return (Boolean) call(descriptor, DESCRIPTOR, "isTest");
    }

    /** A container without a parent is an engine. */
    private static void engine(Object descriptor, boolean starts) throws ReflectiveOperationException {
        if (((Optional<?>) call(descriptor, DESCRIPTOR, "getParent")).isPresent()) {
            return;
        }
        synchronized (RUNNING) {
            if (starts) {
                RUNNING.add(descriptor);
            } else {
                RUNNING.remove(descriptor);
            }
            engines = RUNNING.size();
        }
    }

    private static final Pattern NUMBER = Pattern.compile(":#(\\d+)]");
    private static final String METHOD_SOURCE = "org.junit.platform.engine.support.descriptor.MethodSource";
    private static final String CLASS_SOURCE = "org.junit.platform.engine.support.descriptor.ClassSource";

    private static TestName platformName(Object descriptor) throws ReflectiveOperationException {
        TestName name = new TestName();
        name.uniqueId = call(descriptor, DESCRIPTOR, "getUniqueId").toString();
        name.displayName = (String) call(descriptor, DESCRIPTOR, "getDisplayName");
        // A dynamic test may have a source of its own kind; then the method that made it has one.
        for (Object it = descriptor; it != null && name.className.isEmpty(); ) {
            Object source = ((Optional<?>) call(it, DESCRIPTOR, "getSource")).orElse(null);
            if (source != null && source.getClass().getName().equals(METHOD_SOURCE)) {
                name.className = (String) call(source, METHOD_SOURCE, "getClassName");
                name.methodName = (String) call(source, METHOD_SOURCE, "getMethodName");
                Object types = call(source, METHOD_SOURCE, "getMethodParameterTypes");
                name.descriptor = types == null ? "" : (String) types;
            } else if (source != null && source.getClass().getName().equals(CLASS_SOURCE)) {
                name.className = (String) call(source, CLASS_SOURCE, "getClassName");
            }
            it = ((Optional<?>) call(it, DESCRIPTOR, "getParent")).orElse(null);
        }
        Matcher numbers = NUMBER.matcher(name.uniqueId);
        StringBuilder invocation = new StringBuilder();
        while (numbers.find()) {
            invocation.append('[').append(numbers.group(1)).append(']');
        }
        name.invocation = invocation.toString();
        if (name.uniqueId.startsWith("[engine:junit-vintage]")) {
            name.invocation = bracket(name.displayName);
        }
        return name;
    }

    /** {@code [1]} of {@code method[1]}. */
    private static String bracket(String text) {
        int open = text.indexOf('[');
        return open > 0 && text.endsWith("]") ? text.substring(open) : "";
    }

    // --- JUnit 4 ---

    private static final String DESCRIPTION = "org.junit.runner.Description";
    private static final String FAILURE = "org.junit.runner.notification.Failure";

    public static void fourStarted(Object description) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            if (!Tests.inTest()) {
                Tests.start(description, fourName(description));
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    public static void fourFailed(Object failure) {
        four(failure, TestRun.FAILED);
    }

    public static void fourAborted(Object failure) {
        four(failure, TestRun.ABORTED);
    }

    private static void four(Object failure, int status) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            Object description = call(failure, FAILURE, "getDescription");
            Throwable by = (Throwable) call(failure, FAILURE, "getException");
            if (status == TestRun.FAILED && !isFourTest(description)) {
                List<TestName> within = new ArrayList<>();
                fourLeaves(description, within);
                Tests.unable(within, by);
                if (Judge.on && !Tests.inTest()) {
                    Judge.containerEnded(true, by);
                }
                return;
            }
            Tests.note(fourKey(description), status, by);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    private static boolean isFourTest(Object description) throws ReflectiveOperationException {
        return (Boolean) call(description, DESCRIPTION, "isTest");
    }

    private static void fourLeaves(Object description, List<TestName> into) throws ReflectiveOperationException {
        if (isFourTest(description)) {
            into.add(fourName(description));
        }
        for (Object each : (Iterable<?>) call(description, DESCRIPTION, "getChildren")) {
            fourLeaves(each, into);
        }
    }

    public static void fourFinished(Object description) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            Tests.end(fourKey(description), TestRun.PASSED, null);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    public static void fourIgnored(Object description) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            Tests.skip(fourName(description));
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    /** Runners that describe a test anew each time still give it the same name, in the same thread. */
    private static Object fourKey(Object description) throws ReflectiveOperationException {
        if (Tests.of(description) != null) {
            return description;
        }
        TestRun own = Tests.own();
        return own != null && own.name.displayName.equals(call(description, DESCRIPTION, "getDisplayName"))
                ? own.key
                : description;
    }

    /** {@code method[1](class)}, as JUnit 4 displays its tests in all versions. */
    private static TestName fourName(Object description) throws ReflectiveOperationException {
        TestName name = new TestName();
        name.displayName = (String) call(description, DESCRIPTION, "getDisplayName");
        int open = name.displayName.lastIndexOf('(');
        if (open < 0 || !name.displayName.endsWith(")")) {
            name.className = name.displayName;
            return name;
        }
        name.className = name.displayName.substring(open + 1, name.displayName.length() - 1);
        String method = name.displayName.substring(0, open);
        name.invocation = bracket(method);
        name.methodName = method.substring(0, method.length() - name.invocation.length());
        return name;
    }

    // --- JUnit 3 ---

    public static void threeStarted(Object test) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            if (!Tests.inTest()) {
                Tests.start(test, threeName(test));
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    public static void threeFailed(Object test, Object thrown) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            Tests.note(test, TestRun.FAILED, (Throwable) thrown);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    public static void threeEnded(Object test) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            Tests.end(test, TestRun.PASSED, null);
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    /** A test is an object of the user's class, so even its name is read by its field. */
    private static TestName threeName(Object test) throws ReflectiveOperationException {
        Class<?> type = test.getClass();
        if (type.getName().equals("junit.framework.JUnit4TestCaseFacade")) {
            return fourName(call(test, type.getName(), "getDescription"));
        }
        TestName name = new TestName();
        name.className = type.getName();
        for (; type != null; type = type.getSuperclass()) {
            if (type.getName().equals("junit.framework.TestCase")) {
                Field field = type.getDeclaredField("fName");
                field.setAccessible(true);
                String method = (String) field.get(test);
                name.methodName = method == null ? "" : method;
            }
        }
        name.displayName = name.methodName;
        return name;
    }

    // --- TestNG ---

    private static final String RESULT = "org.testng.ITestResult";
    private static final String NG_METHOD = "org.testng.ITestNGMethod";
    /** How often each method ran that runs several times. */
    private static final Map<String, Integer> INVOCATIONS = new HashMap<>();

    /** Told of each change of a test's status. */
    public static void ngChanged(Object result) {
        if (!Recorder.on || engines > 0) {
            return;
        }
        try {
            int status = (Integer) call(result, RESULT, "getStatus");
            boolean runs = Tests.of(result) != null;
            if (status == 16) {
                if (!runs && !Tests.inTest()) {
                    Tests.start(result, ngName(result, true));
                }
            } else if (runs) {
                Throwable thrown = (Throwable) call(result, RESULT, "getThrowable");
                // 1 success, 2 failure, 3 skipped, 4 failed within what is allowed
                int how = status == 1 || status == 4 ? TestRun.PASSED
                        : status == 2 ? TestRun.FAILED
                        : status != 3 ? TestRun.UNKNOWN
                        : thrown != null && above(thrown.getClass(), "org.testng.SkipException") != null ? TestRun.ABORTED
                        : TestRun.SKIPPED;
                LAST_TOLD.set(result);
                Tests.end(result, how, thrown);
            } else if (status == 3 && !Tests.inTest() && LAST_TOLD.get() != result) {
                LAST_TOLD.set(result);
                Tests.skip(ngName(result, false));
            }
        } catch (Throwable problem) {
            Recorder.failed(problem);
        }
    }

    private static TestName ngName(Object result, boolean counts) throws ReflectiveOperationException {
        TestName name = new TestName();
        Object method = call(result, RESULT, "getMethod");
        Object testClass = call(result, RESULT, "getTestClass");
        name.className = (String) call(testClass, "org.testng.IClass", "getName");
        name.methodName = (String) call(method, NG_METHOD, "getMethodName");
        name.displayName = (String) call(result, RESULT, "getName");
        if (name.displayName == null) {
            name.displayName = name.methodName;
        }
        Object[] parameters = (Object[]) call(result, RESULT, "getParameters");
        int times = (Integer) call(method, NG_METHOD, "getInvocationCount");
        if (counts && (parameters != null && parameters.length > 0 || times > 1)) {
            synchronized (INVOCATIONS) {
                int turn = INVOCATIONS.merge(name.className + '#' + name.methodName, 1, Integer::sum);
                name.invocation = "[" + turn + "]";
            }
        }
        return name;
    }

    // --- Their methods ---

    private static final ClassValue<Map<String, Method>> METHODS = new ClassValue<Map<String, Method>>() {
        @Override
        protected Map<String, Method> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    /** Calls a method without parameters that {@code declaring}, a public type above the target's class, has. */
    private static Object call(Object target, String declaring, String name) throws ReflectiveOperationException {
        Map<String, Method> known = METHODS.get(target.getClass());
        Method method = known.get(name);
        if (method == null) {
            Class<?> type = above(target.getClass(), declaring);
            if (type == null) {
                throw new NoSuchMethodException(declaring + "." + name);
            }
            method = type.getMethod(name);
            known.put(name, method);
        }
        return method.invoke(target);
    }

    private static Class<?> above(Class<?> type, String name) {
        for (Class<?> it = type; it != null; it = it.getSuperclass()) {
            if (it.getName().equals(name)) {
                return it;
            }
            for (Class<?> each : it.getInterfaces()) {
                Class<?> found = above(each, name);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }
}
