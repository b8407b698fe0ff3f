package dev.telltale.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Adds probes and samples to one method. Its frames are kept, not computed anew, which would take loading classes: what
 * is added lives in one or two local variables behind the method's own, which each frame then names.
 *
 * <pre>
 *   boolean[] probes = Probes.OF[unit];                // if lines are recorded
 *   Object call = Samples.enter(method);               // if calls are
 *   if (call != null) Samples.entry(call, new Object[] {this, parameters});
 *   try { probes[0] = true; first line; ...; Samples.exit(value, call, line); return value; }
 *   catch (Throwable thrown) { Samples.threw(thrown, call); throw thrown; }
 * </pre>
 */
final class MethodWeaver extends MethodVisitor {
    private static final String PROBES = "dev/telltale/agent/Probes";
    private static final String SAMPLES = "dev/telltale/agent/Samples";

    private final Scan scan;
    private final Scan.OfMethod method;
    private final int unit;
    private final int sampled;
    private final boolean hasFrames;
    private final int probesLocal;
    private final int callLocal;

    private int nextProbe;
    private int pendingProbes;
    private int line = -1;
    /** Since the last instruction: a frame may name one of these as the place of the NEW that follows. */
    private final List<Label> here = new ArrayList<>();
    private final Map<Label, Label> moved = new HashMap<>();
    /** Objects made and not yet initialised, before a constructor called the one above it. */
    private int unfinished;
    private Label guarded;

    /** {@code unit} and {@code sampled} are -1 if there is nothing of theirs to do. */
    MethodWeaver(MethodVisitor writer, Scan scan, Scan.OfMethod method, int unit, int sampled) {
        super(Scan.API, writer);
        this.scan = scan;
        this.method = method;
        this.unit = unit;
        this.sampled = sampled;
        hasFrames = scan.version >= Opcodes.V1_6;
        nextProbe = method.firstProbe;
        probesLocal = method.maxLocals;
        callLocal = probesLocal + (unit < 0 ? 0 : 1);
    }

    // --- The entry ---

    @Override
    public void visitCode() {
        super.visitCode();
        if (unit >= 0) {
            mv.visitFieldInsn(Opcodes.GETSTATIC, PROBES, "OF", "[[Z");
            push(unit);
            mv.visitInsn(Opcodes.AALOAD);
            mv.visitVarInsn(Opcodes.ASTORE, probesLocal);
        }
        if (sampled >= 0) {
            enter();
        }
    }

    private void enter() {
        Label skip = new Label();
        push(sampled);
        call("enter", "(I)Ljava/lang/Object;");
        mv.visitInsn(Opcodes.DUP);
        mv.visitVarInsn(Opcodes.ASTORE, callLocal);
        mv.visitJumpInsn(Opcodes.IFNULL, skip);
        mv.visitVarInsn(Opcodes.ALOAD, callLocal);
        Type[] types = Type.getArgumentTypes(method.descriptor);
        push(types.length + 1);
        mv.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
        int local = 0;
        if (!method.isStatic()) {
            // Before it is initialised nobody may look at it.
            if (!method.isConstructor()) {
                element(0, Type.getObjectType(scan.name), 0);
            }
            local = 1;
        }
        for (int at = 0; at < types.length; at++) {
            element(at + 1, types[at], local);
            local += types[at].getSize();
        }
        call("entry", "(Ljava/lang/Object;[Ljava/lang/Object;)V");
        mv.visitLabel(skip);
        if (hasFrames) {
            List<Object> locals = new ArrayList<>();
            if (!method.isStatic()) {
                locals.add(method.isConstructor() ? Opcodes.UNINITIALIZED_THIS : scan.name);
            }
            for (Type type : types) {
                locals.add(inFrame(type));
            }
            frame(locals, new ArrayList<>());
        }
        // The method's own first frame may stand at its first instruction.
        mv.visitInsn(Opcodes.NOP);
        if (!method.isConstructor()) {
            guarded = new Label();
            mv.visitLabel(guarded);
        }
    }

    private void element(int at, Type type, int local) {
        mv.visitInsn(Opcodes.DUP);
        push(at);
        mv.visitVarInsn(type.getOpcode(Opcodes.ILOAD), local);
        box(type);
        mv.visitInsn(Opcodes.AASTORE);
    }

    private void box(Type type) {
        if (type.getSort() < Type.ARRAY) {
            call("box", "(" + type.getDescriptor() + ")Ljava/lang/Object;");
        }
    }

    // --- The exits ---

    private void exit() {
        Type type = Type.getReturnType(method.descriptor);
        if (method.isConstructor()) {
            mv.visitVarInsn(Opcodes.ALOAD, callLocal);
            mv.visitVarInsn(Opcodes.ALOAD, 0);
            call("made", "(Ljava/lang/Object;Ljava/lang/Object;)V");
        }
        String value = "";
        if (type.getSort() != Type.VOID) {
            mv.visitInsn(type.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
            value = type.getSort() >= Type.ARRAY ? "Ljava/lang/Object;" : type.getDescriptor();
        }
        mv.visitVarInsn(Opcodes.ALOAD, callLocal);
        push(line);
        call("exit", "(" + value + "Ljava/lang/Object;I)V");
    }

    @Override
    public void visitMaxs(int stack, int locals) {
        if (guarded != null) {
            Label end = new Label();
            Label handler = new Label();
            mv.visitLabel(end);
            mv.visitLabel(handler);
            mv.visitTryCatchBlock(guarded, end, handler, null);
            if (hasFrames) {
                List<Object> thrown = new ArrayList<>();
                thrown.add("java/lang/Throwable");
                frame(new ArrayList<>(), thrown);
            }
            mv.visitInsn(Opcodes.DUP);
            mv.visitVarInsn(Opcodes.ALOAD, callLocal);
            call("threw", "(Ljava/lang/Throwable;Ljava/lang/Object;)V");
            mv.visitInsn(Opcodes.ATHROW);
        }
        int added = (unit < 0 ? 0 : 1) + (sampled < 0 ? 0 : 1);
        super.visitMaxs(Math.max(stack + 4, 7), locals + added);
    }

    // --- Frames ---

    @Override
    public void visitFrame(int type, int localCount, Object[] local, int stackCount, Object[] stack) {
        List<Object> locals = new ArrayList<>();
        for (int at = 0; at < localCount; at++) {
            locals.add(at(local[at]));
        }
        List<Object> stacked = new ArrayList<>();
        for (int at = 0; at < stackCount; at++) {
            stacked.add(at(stack[at]));
        }
        frame(locals, stacked);
    }

    /** A frame of these, with the variables that were added at their places. */
    private void frame(List<Object> locals, List<Object> stack) {
        int size = 0;
        for (Object local : locals) {
            size += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; size < method.maxLocals; size++) {
            locals.add(Opcodes.TOP);
        }
        if (unit >= 0) {
            locals.add("[Z");
        }
        if (sampled >= 0) {
            locals.add("java/lang/Object");
        }
        mv.visitFrame(Opcodes.F_NEW, locals.size(), locals.toArray(), stack.size(), stack.toArray());
    }

    /** An object that is not initialised is named by the place of its NEW, which may have moved. */
    private Object at(Object type) {
        return type instanceof Label && moved.containsKey(type) ? moved.get(type) : type;
    }

    private static Object inFrame(Type type) {
        switch (type.getSort()) {
            case Type.LONG:
                return Opcodes.LONG;
            case Type.FLOAT:
                return Opcodes.FLOAT;
            case Type.DOUBLE:
                return Opcodes.DOUBLE;
            case Type.ARRAY:
            case Type.OBJECT:
                return type.getInternalName();
            default:
                return Opcodes.INTEGER;
        }
    }

    // --- Lines ---

    @Override
    public void visitLabel(Label label) {
        super.visitLabel(label);
        here.add(label);
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        super.visitLineNumber(number, start);
        line = number;
        if (unit >= 0) {
            pendingProbes++;
        }
    }

    /** Before each instruction; true if something was put before it. */
    private boolean instruction() {
        boolean puts = pendingProbes > 0;
        for (; pendingProbes > 0; pendingProbes--) {
            mv.visitVarInsn(Opcodes.ALOAD, probesLocal);
            push(nextProbe++);
            mv.visitInsn(Opcodes.ICONST_1);
            mv.visitInsn(Opcodes.BASTORE);
        }
        return puts;
    }

    private void push(int number) {
        if (number >= -1 && number <= 5) {
            mv.visitInsn(Opcodes.ICONST_0 + number);
        } else if (number == (byte) number) {
            mv.visitIntInsn(Opcodes.BIPUSH, number);
        } else if (number == (short) number) {
            mv.visitIntInsn(Opcodes.SIPUSH, number);
        } else {
            mv.visitLdcInsn(number);
        }
    }

    private void call(String name, String descriptor) {
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, SAMPLES, name, descriptor, false);
    }

    // --- Instructions ---

    @Override
    public void visitInsn(int opcode) {
        instruction();
        here.clear();
        if (sampled >= 0 && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            exit();
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        boolean puts = instruction();
        if (opcode == Opcodes.NEW) {
            unfinished++;
            if (puts && !here.isEmpty()) {
                Label after = new Label();
                mv.visitLabel(after);
                for (Label before : here) {
                    moved.put(before, after);
                }
            }
        }
        here.clear();
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        instruction();
        here.clear();
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        if (opcode == Opcodes.INVOKESPECIAL && name.equals("<init>")) {
            if (unfinished > 0) {
                unfinished--;
            } else if (sampled >= 0 && method.isConstructor() && guarded == null) {
                guarded = new Label();
                mv.visitLabel(guarded);
            }
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        instruction();
        here.clear();
        super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
        instruction();
        here.clear();
        super.visitVarInsn(opcode, local);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        instruction();
        here.clear();
        super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        instruction();
        here.clear();
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        instruction();
        here.clear();
        super.visitJumpInsn(opcode, label);
    }

    @Override
    public void visitLdcInsn(Object value) {
        instruction();
        here.clear();
        super.visitLdcInsn(value);
    }

    @Override
    public void visitIincInsn(int local, int increment) {
        instruction();
        here.clear();
        super.visitIincInsn(local, increment);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        instruction();
        here.clear();
        super.visitTableSwitchInsn(min, max, otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        instruction();
        here.clear();
        super.visitLookupSwitchInsn(otherwise, keys, labels);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        instruction();
        here.clear();
        super.visitMultiANewArrayInsn(descriptor, dimensions);
    }
}
