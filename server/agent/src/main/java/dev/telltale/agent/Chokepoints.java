package dev.telltale.agent;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The methods through which frameworks tell of every test, whoever listens. One call is put before the first
 * instruction of each; see {@link Frameworks}.
 */
final class Chokepoints {
    private Chokepoints() {}

    private static final String PLATFORM = "org/junit/platform/launcher/core/";
    private static final String FOUR = "org/junit/runner/notification/RunNotifier";
    private static final String THREE = "junit/framework/TestResult";

    /** TestNG's listeners are told by a static method that moved from the one to the other in 6.10. */
    private static boolean isTestNg(String name) {
        return name.equals("org/testng/internal/Invoker") || name.equals("org/testng/internal/TestListenerHelper");
    }

    /** Where the JUnit Platform looks whether it can go on, in versions before 5.7 by another name. */
    private static boolean isLast(String name) {
        return name.equals("org/junit/platform/commons/util/UnrecoverableExceptions")
                || name.equals("org/junit/platform/commons/util/BlacklistedExceptions");
    }

    static boolean concern(String name) {
        return name.startsWith(PLATFORM) || isLast(name) || name.equals(FOUR) || name.equals(THREE) || isTestNg(name);
    }

    /** Null if there is nothing to do. */
    static byte[] weave(String name, byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        boolean[] changed = {false};
        reader.accept(new ClassVisitor(Scan.API, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
                    String[] exceptions) {
                MethodVisitor code = super.visitMethod(access, method, descriptor, signature, exceptions);
                String told = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_BRIDGE)) != 0 ? null
                        : told(name, method, descriptor);
                if (told == null) {
                    return code;
                }
                changed[0] = true;
                int arguments = told.endsWith(TWO) ? 2 : 1;
                String hook = told.substring(0, told.length() - 1);
                return hooked(code, hook, arguments, (access & Opcodes.ACC_STATIC) != 0 ? 0 : 1);
            }
        }, 0);
        return changed[0] ? writer.toByteArray() : null;
    }

    private static final String ONE = "1";
    private static final String TWO = "2";

    /** The method of {@link Frameworks} to call, and how many of the parameters it takes. */
    private static String told(String name, String method, String descriptor) {
        if (name.startsWith(PLATFORM)) {
            return platform(method, descriptor);
        }
        if (isLast(name)) {
            return method.startsWith("rethrowIf") && descriptor.equals("(Ljava/lang/Throwable;)V") ? "unrecoverable" + ONE
                    : null;
        }
        if (name.equals(FOUR)) {
            switch (method + descriptor) {
                case "fireTestStarted(Lorg/junit/runner/Description;)V":
                    return "fourStarted" + ONE;
                case "fireTestFailure(Lorg/junit/runner/notification/Failure;)V":
                    return "fourFailed" + ONE;
                case "fireTestAssumptionFailed(Lorg/junit/runner/notification/Failure;)V":
                    return "fourAborted" + ONE;
                case "fireTestIgnored(Lorg/junit/runner/Description;)V":
                    return "fourIgnored" + ONE;
                case "fireTestFinished(Lorg/junit/runner/Description;)V":
                    return "fourFinished" + ONE;
                default:
                    return null;
            }
        }
        if (name.equals(THREE)) {
            switch (method + descriptor) {
                case "startTest(Ljunit/framework/Test;)V":
                    return "threeStarted" + ONE;
                case "addError(Ljunit/framework/Test;Ljava/lang/Throwable;)V":
                case "addFailure(Ljunit/framework/Test;Ljunit/framework/AssertionFailedError;)V":
                    return "threeFailed" + TWO;
                case "endTest(Ljunit/framework/Test;)V":
                    return "threeEnded" + ONE;
                default:
                    return null;
            }
        }
        return method.equals("runTestListeners") && descriptor.startsWith("(Lorg/testng/ITestResult;Ljava/util/")
                ? "ngChanged" + ONE
                : null;
    }

    private static String platform(String method, String descriptor) {
        switch (method + descriptor) {
            case "executionStarted(Lorg/junit/platform/engine/TestDescriptor;)V":
                return "platformStarted" + ONE;
            case "executionFinished(Lorg/junit/platform/engine/TestDescriptor;"
                    + "Lorg/junit/platform/engine/TestExecutionResult;)V":
                return "platformFinished" + TWO;
            case "executionSkipped(Lorg/junit/platform/engine/TestDescriptor;Ljava/lang/String;)V":
                return "platformSkipped" + ONE;
            default:
                return null;
        }
    }

    private static MethodVisitor hooked(MethodVisitor code, String hook, int arguments, int first) {
        return new MethodVisitor(Scan.API, code) {
            @Override
            public void visitCode() {
                super.visitCode();
                StringBuilder descriptor = new StringBuilder("(");
                for (int at = 0; at < arguments; at++) {
                    super.visitVarInsn(Opcodes.ALOAD, first + at);
                    descriptor.append("Ljava/lang/Object;");
                }
                super.visitMethodInsn(Opcodes.INVOKESTATIC, "dev/telltale/agent/Frameworks", hook,
                        descriptor.append(")V").toString(), false);
            }

            @Override
            public void visitMaxs(int stack, int locals) {
                super.visitMaxs(Math.max(stack, 2), locals);
            }
        };
    }
}
