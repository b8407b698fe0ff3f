package dev.telltale.agent;

import java.lang.reflect.Method;

/**
 * Which objects are stand-ins of Mockito's. What is asked of one is a call that a test may verify, and what it answers was told to it;
 * its fields say nothing. Where Mockito makes them of the classes themselves, its own books alone tell them from others.
 */
final class Mocks {
    private Mocks() {}

    /** Loaded when the first of them is made. */
    static final String FIRST = "org/mockito/internal/stubbing/InvocationContainerImpl";

    /** Who loaded that; null until then. */
    private static volatile ClassLoader loader;
    /** {@code Mockito.mockingDetails} and {@code isMock} of what it returns, of that class loader. */
    private static volatile Asked asked;

    private static final class Asked {
        final ClassLoader of;
        final Method details;
        final Method is;

        Asked(ClassLoader of) throws ReflectiveOperationException {
            this.of = of;
            details = Class.forName("org.mockito.Mockito", false, of).getMethod("mockingDetails", Object.class);
            is = Class.forName("org.mockito.MockingDetails", false, of).getMethod("isMock");
        }
    }

    /** A class is loaded. */
    static void loads(String name, ClassLoader by) {
        if (name.equals(FIRST)) {
            loader = by;
        }
    }

    /** Whether an object is one. Asks Mockito, which keeps no record of the question. */
    static boolean is(Object value) {
        ClassLoader by = loader;
        if (by == null) {
            return false;
        }
        try {
            Asked own = asked;
            if (own == null || own.of != by) {
                own = new Asked(by);
                asked = own;
            }
            return (Boolean) own.is.invoke(own.details.invoke(null, value));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException unknown) {
            return false;
        }
    }
}
