package dev.telltale.agent;

import java.nio.charset.StandardCharsets;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Class loaders that look for classes in places of their own find the recorder in none of them, or, worse, a second copy.
 * So one that overrides {@code loadClass} is asked for the recorder in vain, and its classes could not be woven: one call
 * before the first instruction of the method gives what the boot class path has. JaCoCo and others go by a class in
 * {@code java.lang} instead; that would be a change of the JDK.
 */
public final class Loaders {
    private Loaders() {}

    /** Of what is woven, and of what is written into copies of sources. */
    private static final String[] PACKAGES = {"dev.telltale.agent.", "dev_telltale."};
    private static final byte[] NAME = "loadClass".getBytes(StandardCharsets.US_ASCII);
    private static final String ONE = "(Ljava/lang/String;)Ljava/lang/Class;";
    private static final String TWO = "(Ljava/lang/String;Z)Ljava/lang/Class;";

    /** What a class loader that is asked for a class of the recorder answers; null for all other classes. */
    public static Class<?> own(String name) {
        if (name == null || !name.startsWith(PACKAGES[0]) && !name.startsWith(PACKAGES[1])) {
            return null;
        }
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException | LinkageError somebodyElses) {
            return null;
        }
    }

    /** Null if there is nothing to do. Most classes do not even have the name, and are not read. */
    static byte[] weave(byte[] bytes) {
        if (!names(bytes)) {
            return null;
        }
        ClassReader reader = new ClassReader(bytes);
        String above = reader.getSuperName();
        if (above == null || above.equals("java/lang/Object")) {
            return null;
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        boolean[] changed = {false};
        reader.accept(new ClassVisitor(Scan.API, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
                    String[] exceptions) {
                MethodVisitor code = super.visitMethod(access, method, descriptor, signature, exceptions);
                int not = Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE;
                boolean loads = (access & not) == 0 && method.equals("loadClass")
                        && (descriptor.equals(ONE) || descriptor.equals(TWO));
                if (!loads) {
                    return code;
                }
                changed[0] = true;
                Object[] one = {reader.getClassName(), "java/lang/String"};
                Object[] two = {reader.getClassName(), "java/lang/String", Opcodes.INTEGER};
                return opened(code, descriptor.equals(ONE) ? one : two);
            }
        }, ClassReader.EXPAND_FRAMES);
        return changed[0] ? writer.toByteArray() : null;
    }

    private static boolean names(byte[] bytes) {
        for (int at = 0, end = bytes.length - NAME.length; at <= end; at++) {
            int same = 0;
            while (same < NAME.length && bytes[at + same] == NAME[same]) {
                same++;
            }
            if (same == NAME.length) {
                return true;
            }
        }
        return false;
    }

    private static MethodVisitor opened(MethodVisitor code, Object[] locals) {
        return new MethodVisitor(Scan.API, code) {
            @Override
            public void visitCode() {
                super.visitCode();
                Label others = new Label();
                super.visitVarInsn(Opcodes.ALOAD, 1);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, "dev/telltale/agent/Loaders", "own", ONE, false);
                super.visitInsn(Opcodes.DUP);
                super.visitJumpInsn(Opcodes.IFNULL, others);
                super.visitInsn(Opcodes.ARETURN);
                super.visitLabel(others);
                super.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, new Object[] {"java/lang/Class"});
                super.visitInsn(Opcodes.POP);
            }

            @Override
            public void visitMaxs(int stack, int locals) {
                super.visitMaxs(Math.max(stack, 2), locals);
            }
        };
    }
}
