package dev.telltale.agent;

import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Takes methods out of the tests of their class: without annotations no framework finds them, and those that go by names
 * or by an annotation of the class find nothing in them.
 */
final class Skip {
    private Skip() {}

    static byte[] weave(byte[] bytes, Set<String> names) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new ClassVisitor(Scan.API, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                    String[] exceptions) {
                MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
                boolean made = (access & (Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE)) != 0;
                if (made || !names.contains(name)) {
                    return code;
                }
                boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
                if (!hasCode || !descriptor.endsWith(")V")) {
                    return bare(code);
                }
                code.visitCode();
                code.visitInsn(Opcodes.RETURN);
                // Of a static method one local variable too many.
                code.visitMaxs(0, Type.getArgumentsAndReturnSizes(descriptor) >> 2);
                code.visitEnd();
                return null;
            }
        }, 0);
        return writer.toByteArray();
    }

    private static MethodVisitor bare(MethodVisitor code) {
        return new MethodVisitor(Scan.API, code) {
            @Override
            public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
                return null;
            }
        };
    }
}
