package dev.telltale.agent;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** What must be known of a class before it is changed: its methods, their lines, parameters and local variables. */
final class Scan extends ClassVisitor {
    static final int API = Opcodes.ASM9;

    int version;
    String name;
    /** As the dictionary has them; that a class is an exception is taken from its super class's name. */
    int flags;
    /** Number of line entries, hence of probes. */
    int lines;
    /** Those with code, by name and descriptor, without what a compiler made for itself. */
    final Map<String, OfMethod> methods = new LinkedHashMap<>();

    Scan() {
        super(API);
    }

    static final class OfMethod {
        final String name;
        final String descriptor;
        final String key;
        final int access;
        int firstProbe;
        int[] lines = {};
        int maxLocals;
        private String[] names;

        OfMethod(int access, String name, String descriptor) {
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
            key = name + descriptor;
            names = new String[Type.getArgumentTypes(descriptor).length];
        }

        boolean isStatic() {
            return (access & Opcodes.ACC_STATIC) != 0;
        }

        boolean isConstructor() {
            return name.equals("<init>");
        }

        /** Class initialisers are nobody's call. */
        boolean isSampled() {
            return !name.equals("<clinit>");
        }

        int firstLine() {
            return lines.length == 0 ? 0 : lines[0];
        }

        /** None if one is unknown. */
        String[] parameterNames() {
            return Arrays.asList(names).contains(null) ? new String[0] : names;
        }

        String letters() {
            StringBuilder letters = new StringBuilder();
            for (Type type : Type.getArgumentTypes(descriptor)) {
                char letter = type.getDescriptor().charAt(0);
                letters.append(letter == '[' ? 'L' : letter);
            }
            return letters.toString();
        }

        private void nameOf(int local, String name) {
            int at = isStatic() ? 0 : 1;
            Type[] types = Type.getArgumentTypes(descriptor);
            for (int parameter = 0; parameter < types.length; parameter++) {
                if (at == local && names[parameter] == null) {
                    names[parameter] = name;
                }
                at += types[parameter].getSize();
            }
        }
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        this.version = version & 0xFFFF;
        this.name = name;
        if ((access & Opcodes.ACC_ENUM) != 0) {
            flags |= 1;
        }
        if ("java/lang/Record".equals(superName)) {
            flags |= 2;
        }
        if (superName != null && (superName.endsWith("Exception") || superName.endsWith("Error")
                || superName.equals("java/lang/Throwable"))) {
            flags |= 8;
        }
        if ((access & Opcodes.ACC_INTERFACE) != 0) {
            flags |= 32;
        }
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        boolean noCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
        // The bodies of lambdas are code that somebody wrote; other synthetic methods are not.
        boolean made = (access & (Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE)) != 0 && !name.startsWith("lambda$");
        return noCode || made ? null : new Entries(new Lines(new OfMethod(access, name, descriptor)));
    }

    private final class Lines extends MethodVisitor {
        private final OfMethod method;
        private Label first;

        Lines(OfMethod method) {
            super(API);
            this.method = method;
        }

        @Override
        public void visitLabel(Label label) {
            first = first == null ? label : first;
        }

        @Override
        public void visitLineNumber(int line, Label start) {
            method.lines = Arrays.copyOf(method.lines, method.lines.length + 1);
            method.lines[method.lines.length - 1] = line;
        }

        @Override
        public void visitLocalVariable(String name, String descriptor, String signature, Label start, Label end, int index) {
            if (start == first) {
                method.nameOf(index, name);
            }
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            method.maxLocals = locals;
        }

        @Override
        public void visitEnd() {
            method.firstProbe = lines;
            lines += method.lines.length;
            methods.put(method.key, method);
        }
    }
}
