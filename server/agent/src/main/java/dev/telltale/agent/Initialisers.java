package dev.telltale.agent;

import java.util.HashMap;
import java.util.Map;

/**
 * Why a class cannot be used. What its initialiser threw the JVM says once, to whoever needed the class first, and to all
 * others only that it could not be initialised: each of them is told it here, as far as it is known.
 */
final class Initialisers {
    private Initialisers() {}

    private static final String INITIALISER = "<clinit>";
    private static final String REFUSED = "Could not initialize class ";

    /** By class, what its initialiser threw; under its own lock. */
    private static final Map<String, String> THREW = new HashMap<>();

    /** The message of what a test failed with, which says more where it is that a class could not be initialised. */
    static String message(Throwable thrown, String message) {
        if (thrown.getClass() == ExceptionInInitializerError.class) {
            Throwable cause = ((ExceptionInInitializerError) thrown).getException();
            return cause == null ? message : told(cause);
        }
        if (thrown.getClass() != NoClassDefFoundError.class || message == null || !message.startsWith(REFUSED)) {
            return message;
        }
        String why;
        synchronized (THREW) {
            why = THREW.get(message.substring(REFUSED.length()));
        }
        // From 17 on the JVM remembers it.
        Throwable cause = thrown.getCause();
        if (why == null && cause != null && cause.getClass() == ExceptionInInitializerError.class) {
            why = remembered(cause.getMessage());
        }
        return why == null ? message : message + ", whose initialiser threw " + why;
    }

    /** Keeps it for each class whose initialiser it left; names the first. */
    private static String told(Throwable cause) {
        String why = text(cause);
        String first = null;
        for (StackTraceElement frame : frames(cause)) {
            if (frame.getMethodName().equals(INITIALISER)) {
                first = first == null ? frame.getClassName() : first;
                synchronized (THREW) {
                    THREW.put(frame.getClassName(), why);
                }
            }
        }
        return first == null ? why : "the initialiser of " + first + " threw " + why;
    }

    /** None where it is the program's to say. */
    private static StackTraceElement[] frames(Throwable cause) {
        try {
            boolean isOwn = cause.getClass().getMethod("getStackTrace").getDeclaringClass() == Throwable.class;
            return isOwn ? cause.getStackTrace() : new StackTraceElement[0];
        } catch (NoSuchMethodException never) {
            return new StackTraceElement[0];
        }
    }

    private static String text(Throwable cause) {
        String message = Encoder.message(Shape.of(cause.getClass()), cause);
        return cause.getClass().getName() + (message == null ? "" : ": " + message);
    }

    /** {@code Exception a.Bad: no port [in thread "main"]} without what stands around it. */
    private static String remembered(String message) {
        if (message == null || !message.startsWith("Exception ")) {
            return message;
        }
        int end = message.lastIndexOf(" [in thread ");
        return message.substring("Exception ".length(), end < 0 ? message.length() : end);
    }
}
