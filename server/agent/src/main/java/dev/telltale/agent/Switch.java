package dev.telltale.agent;

import java.util.Collections;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which mutant is on, and what woven code calls in place of an instruction that has mutants. The instruction's operands
 * come first, then the number of its first mutant: with that number on the first mutant is computed, with the next one
 * the second, else what stands in the code. A call needs no jump, so the frames of the method stay as they are; a JIT
 * compiler inlines it.
 */
public final class Switch {
    private Switch() {}

    /** The number of the mutant that is on, from 1; 0 for the code as it is. Changed between tests only. */
    public static int on;

    /** By number, what was reached since it was cleared; null where nobody asks. */
    static boolean[] reached;

    /** An instruction whose mutants begin with {@code id} runs. */
    public static void reach(int id) {
        boolean[] all = reached;
        if (all != null && id < all.length) {
            all[id] = true;
        }
    }

    /** True if this mutant is on. */
    public static boolean is(int id) {
        return on == id;
    }

    // --- CONDITIONALS_BOUNDARY and NEGATE_CONDITIONALS: true if the jump is taken ---

    public static boolean iflt(int a, int id) {
        int at = on - id;
        return at == 0 ? a <= 0 : at == 1 ? a >= 0 : a < 0;
    }

    public static boolean if_icmplt(int a, int b, int id) {
        int at = on - id;
        return at == 0 ? a <= b : at == 1 ? a >= b : a < b;
    }

    public static boolean ifle(int a, int id) {
        int at = on - id;
        return at == 0 ? a < 0 : at == 1 ? a > 0 : a <= 0;
    }

    public static boolean if_icmple(int a, int b, int id) {
        int at = on - id;
        return at == 0 ? a < b : at == 1 ? a > b : a <= b;
    }

    public static boolean ifgt(int a, int id) {
        int at = on - id;
        return at == 0 ? a >= 0 : at == 1 ? a <= 0 : a > 0;
    }

    public static boolean if_icmpgt(int a, int b, int id) {
        int at = on - id;
        return at == 0 ? a >= b : at == 1 ? a <= b : a > b;
    }

    public static boolean ifge(int a, int id) {
        int at = on - id;
        return at == 0 ? a > 0 : at == 1 ? a < 0 : a >= 0;
    }

    public static boolean if_icmpge(int a, int b, int id) {
        int at = on - id;
        return at == 0 ? a > b : at == 1 ? a < b : a >= b;
    }

    public static boolean ifeq(int a, int id) {
        return on == id ? a != 0 : a == 0;
    }

    public static boolean if_icmpeq(int a, int b, int id) {
        return on == id ? a != b : a == b;
    }

    public static boolean if_acmpeq(Object a, Object b, int id) {
        return on == id ? a != b : a == b;
    }

    public static boolean ifne(int a, int id) {
        return on == id ? a == 0 : a != 0;
    }

    public static boolean if_icmpne(int a, int b, int id) {
        return on == id ? a == b : a != b;
    }

    public static boolean if_acmpne(Object a, Object b, int id) {
        return on == id ? a == b : a != b;
    }

    public static boolean ifnull(Object a, int id) {
        return on == id ? a != null : a == null;
    }

    public static boolean ifnonnull(Object a, int id) {
        return on == id ? a == null : a != null;
    }

    // --- MATH, INVERT_NEGS, INCREMENTS; PRIMITIVE_RETURNS ---

    public static int iadd(int a, int b, int id) {
        return on == id ? a - b : a + b;
    }

    public static int isub(int a, int b, int id) {
        return on == id ? a + b : a - b;
    }

    public static int imul(int a, int b, int id) {
        return on == id ? a / b : a * b;
    }

    public static int idiv(int a, int b, int id) {
        return on == id ? a * b : a / b;
    }

    public static int irem(int a, int b, int id) {
        return on == id ? a * b : a % b;
    }

    public static int ior(int a, int b, int id) {
        return on == id ? a & b : a | b;
    }

    public static int iand(int a, int b, int id) {
        return on == id ? a | b : a & b;
    }

    public static int ixor(int a, int b, int id) {
        return on == id ? a & b : a ^ b;
    }

    public static int ishl(int a, int b, int id) {
        return on == id ? a >> b : a << b;
    }

    public static int ishr(int a, int b, int id) {
        return on == id ? a << b : a >> b;
    }

    public static int iushr(int a, int b, int id) {
        return on == id ? a << b : a >>> b;
    }

    public static int ineg(int a, int id) {
        return on == id ? a : -a;
    }

    public static int ireturn(int a, int id) {
        return on == id ? 0 : a;
    }

    public static long ladd(long a, long b, int id) {
        return on == id ? a - b : a + b;
    }

    public static long lsub(long a, long b, int id) {
        return on == id ? a + b : a - b;
    }

    public static long lmul(long a, long b, int id) {
        return on == id ? a / b : a * b;
    }

    public static long ldiv(long a, long b, int id) {
        return on == id ? a * b : a / b;
    }

    public static long lrem(long a, long b, int id) {
        return on == id ? a * b : a % b;
    }

    public static long lor(long a, long b, int id) {
        return on == id ? a & b : a | b;
    }

    public static long land(long a, long b, int id) {
        return on == id ? a | b : a & b;
    }

    public static long lxor(long a, long b, int id) {
        return on == id ? a & b : a ^ b;
    }

    public static long lshl(long a, int b, int id) {
        return on == id ? a >> b : a << b;
    }

    public static long lshr(long a, int b, int id) {
        return on == id ? a << b : a >> b;
    }

    public static long lushr(long a, int b, int id) {
        return on == id ? a << b : a >>> b;
    }

    public static long lneg(long a, int id) {
        return on == id ? a : -a;
    }

    public static long lreturn(long a, int id) {
        return on == id ? 0 : a;
    }

    public static float fadd(float a, float b, int id) {
        return on == id ? a - b : a + b;
    }

    public static float fsub(float a, float b, int id) {
        return on == id ? a + b : a - b;
    }

    public static float fmul(float a, float b, int id) {
        return on == id ? a / b : a * b;
    }

    public static float fdiv(float a, float b, int id) {
        return on == id ? a * b : a / b;
    }

    public static float frem(float a, float b, int id) {
        return on == id ? a * b : a % b;
    }

    public static float fneg(float a, int id) {
        return on == id ? a : -a;
    }

    public static float freturn(float a, int id) {
        return on == id ? 0 : a;
    }

    public static double dadd(double a, double b, int id) {
        return on == id ? a - b : a + b;
    }

    public static double dsub(double a, double b, int id) {
        return on == id ? a + b : a - b;
    }

    public static double dmul(double a, double b, int id) {
        return on == id ? a / b : a * b;
    }

    public static double ddiv(double a, double b, int id) {
        return on == id ? a * b : a / b;
    }

    public static double drem(double a, double b, int id) {
        return on == id ? a * b : a % b;
    }

    public static double dneg(double a, int id) {
        return on == id ? a : -a;
    }

    public static double dreturn(double a, int id) {
        return on == id ? 0 : a;
    }

    public static int iinc(int a, int by, int id) {
        return on == id ? a - by : a + by;
    }

    // --- FALSE_RETURNS and TRUE_RETURNS ---

    public static boolean zreturn(boolean a, int id) {
        int at = on - id;
        return at == 0 ? false : at == 1 ? true : a;
    }

    public static Object zreturn(Object a, int id) {
        int at = on - id;
        return at == 0 ? Boolean.FALSE : at == 1 ? Boolean.TRUE : a;
    }

    // --- NULL_RETURNS and EMPTY_RETURNS ---

    public static Object areturn(Object a, int id) {
        return on == id ? null : a;
    }

    /** {@code type} is the name of the type that the method returns. */
    public static Object areturn(Object a, String type, int id) {
        return on == id ? empty(type) : a;
    }

    /** What EMPTY_RETURNS gives for a type, or null if it knows none. */
    static Object empty(String type) {
        switch (type) {
            case "java/lang/Integer":
                return 0;
            case "java/lang/Short":
                return (short) 0;
            case "java/lang/Character":
                return (char) 0;
            case "java/lang/Long":
                return 0L;
            case "java/lang/Float":
                return 0f;
            case "java/lang/Double":
                return 0d;
            case "java/lang/String":
                return "";
            case "java/util/Optional":
                return Optional.empty();
            case "java/util/stream/Stream":
                return Stream.empty();
            case "java/util/Map":
                return Collections.emptyMap();
            case "java/util/Set":
                return Collections.emptySet();
            case "java/util/List":
            case "java/util/Collection":
            case "java/lang/Iterable":
                return Collections.emptyList();
            default:
                return null;
        }
    }
}
