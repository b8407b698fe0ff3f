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
import org.objectweb.asm.commons.AnalyzerAdapter;

/**
 * Puts calls of {@link Switch} in place of the instructions of one method that have mutants. The operators and their
 * names are PIT's defaults (docs/decisions/mutants.md says where they differ).
 */
final class MutantWeaver extends AnalyzerAdapter {
    private static final String SWITCH = "dev/telltale/agent/Switch";
    /** No instruction whose like matters stands before. */
    private static final int NONE = -1;

    /** What must be known of the method. */
    static final class Method {
        final String owner;
        final int access;
        final String name;
        final String descriptor;
        /** From Java 6 on verifiers go by frames. */
        final boolean hasFrames;
        final boolean reach;
        /** It has one more mutant, which leaves all of it out. */
        final boolean bodies;

        Method(String owner, int access, String name, String descriptor, boolean hasFrames, boolean reach, boolean bodies) {
            this.owner = owner;
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
            this.hasFrames = hasFrames;
            this.reach = reach;
            // What a constructor leaves out would not be an object.
            this.bodies = bodies && !name.equals("<init>");
        }
    }

    private final Method method;
    private final Mutants.Woven woven;
    private final int first;
    private final int most;
    private final Type returned;
    private int count;
    private int line;
    /** The mutant that leaves all of the method out, if it has one. */
    private Mutants.Mutant body;
    private final Map<String, Integer> ordinals = new HashMap<>();
    /** The instruction before, if it cannot be jumped over, and what it pushes or reads. */
    private int before = NONE;
    private Object beforeWhat;

    MutantWeaver(MethodVisitor next, Method method, Mutants.Woven woven, int first, int most) {
        super(Scan.API, method.owner, method.access, method.name, method.descriptor, next);
        this.method = method;
        this.woven = woven;
        this.first = first;
        this.most = most;
        returned = Type.getReturnType(method.descriptor);
    }

    // --- Mutants ---

    /** The number of the first of these operators' mutants here, or 0 if there is no room, or the code never runs. */
    private int mutants(boolean looksEquivalent, String what, String... operators) {
        // Without frames nobody knows what is dead, and compilers of that time wrote no dead code.
        if (locals == null && method.hasFrames) {
            return 0;
        }
        if (count + operators.length > most) {
            woven.lost += operators.length;
            return 0;
        }
        int id = first + woven.mutants.size();
        for (String operator : operators) {
            int ordinal = ordinals.merge(operator, 1, Integer::sum) - 1;
            woven.mutants.add(new Mutants.Mutant(method.name, method.descriptor, operator, ordinal, line, what,
                    looksEquivalent && isEquivalent(operator)));
            count++;
        }
        if (method.reach) {
            push(id);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, SWITCH, "reach", "(I)V", false);
        }
        return id;
    }

    /** True if the constant that is returned is what the operator returns. */
    private boolean isEquivalent(String operator) {
        switch (operator) {
            case "TRUE_RETURNS":
                return before == Opcodes.ICONST_1;
            case "NULL_RETURNS":
                return before == Opcodes.ACONST_NULL;
            case "EMPTY_RETURNS":
                return before == Opcodes.LDC && "".equals(beforeWhat);
            default:
                return before == Opcodes.ICONST_0 || before == Opcodes.LCONST_0 || before == Opcodes.FCONST_0
                        || before == Opcodes.DCONST_0;
        }
    }

    private void call(String name, String descriptor, int id) {
        push(id);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, SWITCH, name, descriptor, false);
    }

    private void push(int number) {
        if (number >= -1 && number <= 5) {
            super.visitInsn(Opcodes.ICONST_0 + number);
        } else if (number == (byte) number) {
            super.visitIntInsn(Opcodes.BIPUSH, number);
        } else if (number == (short) number) {
            super.visitIntInsn(Opcodes.SIPUSH, number);
        } else {
            super.visitLdcInsn(number);
        }
    }

    /** From IADD on. */
    private static final String[] MATH = ("iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv "
            + "irem lrem frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor").split(" ");
    /** From IFEQ on. */
    private static final String[] JUMPS = ("ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt "
            + "if_icmple if_acmpeq if_acmpne").split(" ");
    /** From IRETURN on. */
    private static final String[] RETURNS = {"ireturn", "lreturn", "freturn", "dreturn"};

    private static String jump(int opcode) {
        return opcode == Opcodes.IFNULL ? "ifnull" : opcode == Opcodes.IFNONNULL ? "ifnonnull"
                : JUMPS[opcode - Opcodes.IFEQ];
    }

    /** All of the method left out, where it begins: it returns 0, false or null, or just returns. */
    @Override
    public void visitCode() {
        super.visitCode();
        int id = method.bodies ? mutants(false, "", "BODY") : 0;
        if (id == 0) {
            return;
        }
        body = woven.mutants.get(woven.mutants.size() - 1);
        Label stays = new Label();
        call("is", "(I)Z", id);
        List<Object> localsThere = copy(locals);
        super.visitJumpInsn(Opcodes.IFEQ, stays);
        switch (returned.getSort()) {
            case Type.VOID:
                break;
            case Type.LONG:
                super.visitInsn(Opcodes.LCONST_0);
                break;
            case Type.FLOAT:
                super.visitInsn(Opcodes.FCONST_0);
                break;
            case Type.DOUBLE:
                super.visitInsn(Opcodes.DCONST_0);
                break;
            case Type.OBJECT:
            case Type.ARRAY:
                super.visitInsn(Opcodes.ACONST_NULL);
                break;
            default:
                super.visitInsn(Opcodes.ICONST_0);
        }
        super.visitInsn(returned.getOpcode(Opcodes.IRETURN));
        super.visitLabel(stays);
        frame(localsThere, new ArrayList<>());
        // The code may have a frame of its own next, and two at one place are none.
        super.visitInsn(Opcodes.NOP);
    }

    // --- Instructions ---

    @Override
    public void visitInsn(int opcode) {
        boolean passes = true;
        if (opcode >= Opcodes.IADD && opcode <= Opcodes.LXOR) {
            passes = !math(opcode);
        } else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.ARETURN) {
            returns(opcode);
        }
        if (passes) {
            super.visitInsn(opcode);
        }
        was(opcode, null);
    }

    /** INEG to DNEG, and all that has two operands. */
    private boolean math(int opcode) {
        boolean negates = opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG;
        int id = mutants(false, MATH[opcode - Opcodes.IADD], negates ? "INVERT_NEGS" : "MATH");
        if (id == 0) {
            return false;
        }
        String name = MATH[opcode - Opcodes.IADD];
        String letter = String.valueOf("IJFD".charAt("ilfd".indexOf(name.charAt(0))));
        boolean shifts = opcode >= Opcodes.ISHL && opcode <= Opcodes.LUSHR;
        String operands = negates ? letter : shifts ? letter + 'I' : letter + letter;
        call(name, '(' + operands + "I)" + letter, id);
        return true;
    }

    private void returns(int opcode) {
        if (returned.getSort() == Type.BOOLEAN) {
            int id = mutants(true, "", "FALSE_RETURNS", "TRUE_RETURNS");
            if (id > 0) {
                call("zreturn", "(ZI)Z", id);
            }
        } else if (opcode != Opcodes.ARETURN) {
            int id = mutants(true, "", "PRIMITIVE_RETURNS");
            char type = "IJFD".charAt(opcode - Opcodes.IRETURN);
            if (id > 0) {
                call(RETURNS[opcode - Opcodes.IRETURN], "(" + type + "I)" + type, id);
            }
        } else if (returned.getInternalName().equals("java/lang/Boolean")) {
            object(mutants(true, "", "FALSE_RETURNS", "TRUE_RETURNS"), "zreturn", false);
        } else if (Switch.empty(returned.getInternalName()) != null) {
            object(mutants(true, "", "EMPTY_RETURNS"), "areturn", true);
        } else {
            object(mutants(true, "", "NULL_RETURNS"), "areturn", false);
        }
    }

    private void object(int id, String helper, boolean named) {
        if (id == 0) {
            return;
        }
        String type = returned.getInternalName();
        if (named) {
            super.visitLdcInsn(type);
        }
        call(helper, named ? "(Ljava/lang/Object;Ljava/lang/String;I)Ljava/lang/Object;"
                : "(Ljava/lang/Object;I)Ljava/lang/Object;", id);
        if (!type.equals("java/lang/Object")) {
            super.visitTypeInsn(Opcodes.CHECKCAST, type);
        }
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        boolean asserts = before == Opcodes.GETSTATIC && "$assertionsDisabled".equals(beforeWhat);
        boolean isConditional = opcode != Opcodes.GOTO && opcode != Opcodes.JSR;
        int id = 0;
        if (isConditional && !asserts) {
            boolean ordered = opcode >= Opcodes.IFLT && opcode <= Opcodes.IFLE
                    || opcode >= Opcodes.IF_ICMPLT && opcode <= Opcodes.IF_ICMPLE;
            id = ordered ? mutants(false, jump(opcode), "CONDITIONALS_BOUNDARY", "NEGATE_CONDITIONALS")
                    : mutants(false, jump(opcode), "NEGATE_CONDITIONALS");
        }
        if (id > 0) {
            boolean objects = opcode >= Opcodes.IF_ACMPEQ;
            boolean two = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
            String operand = objects ? "Ljava/lang/Object;" : "I";
            call(jump(opcode), '(' + operand + (two ? operand : "") + "I)Z", id);
            super.visitJumpInsn(Opcodes.IFNE, label);
        } else {
            super.visitJumpInsn(opcode, label);
        }
        was(NONE, null);
    }

    @Override
    public void visitIincInsn(int local, int increment) {
        int id = mutants(false, String.valueOf(increment), "INCREMENTS");
        if (id > 0) {
            super.visitVarInsn(Opcodes.ILOAD, local);
            push(increment);
            call("iinc", "(III)I", id);
            super.visitVarInsn(Opcodes.ISTORE, local);
        } else {
            super.visitIincInsn(local, increment);
        }
        was(NONE, null);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        boolean ours = owner.startsWith("dev_telltale/");
        int id = descriptor.endsWith(")V") && !name.equals("<init>") && !ours
                ? mutants(false, owner + '.' + name, "VOID_METHOD_CALLS") : 0;
        if (id == 0) {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        } else {
            removable(opcode, owner, name, descriptor, isInterface, id);
        }
        was(NONE, null);
    }

    /** The one place with a jump: whether the call is made. */
    private void removable(int opcode, String owner, String name, String descriptor, boolean isInterface, int id) {
        Label removed = new Label();
        Label after = new Label();
        call("is", "(I)Z", id);
        super.visitJumpInsn(Opcodes.IFNE, removed);
        List<Object> localsThere = copy(locals);
        List<Object> stackThere = copy(stack);
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        List<Object> stackAfter = copy(stack);
        super.visitJumpInsn(Opcodes.GOTO, after);
        super.visitLabel(removed);
        frame(localsThere, stackThere);
        Type[] arguments = Type.getArgumentTypes(descriptor);
        for (int at = arguments.length; at > 0; at--) {
            super.visitInsn(arguments[at - 1].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
        }
        // What is popped, or nothing at all, keeps the two frames apart.
        super.visitInsn(opcode == Opcodes.INVOKESTATIC ? Opcodes.NOP : Opcodes.POP);
        super.visitLabel(after);
        frame(localsThere, stackAfter);
        // The code may have a frame of its own next, and two at one place are none.
        super.visitInsn(Opcodes.NOP);
    }

    private void frame(List<Object> ofLocals, List<Object> ofStack) {
        if (method.hasFrames) {
            Object[] own = compact(ofLocals);
            Object[] above = compact(ofStack);
            super.visitFrame(Opcodes.F_NEW, own.length, own, above.length, above);
        }
    }

    private static List<Object> copy(List<Object> all) {
        return all == null ? new ArrayList<>() : new ArrayList<>(all);
    }

    /** In frames long and double are one entry, and what follows the last local is left out. */
    private static Object[] compact(List<Object> all) {
        List<Object> out = new ArrayList<>();
        for (int at = 0; at < all.size(); at++) {
            Object type = all.get(at);
            out.add(type);
            if (type == Opcodes.LONG || type == Opcodes.DOUBLE) {
                at++;
            }
        }
        return out.toArray();
    }

    // --- What stands before ---

    private void was(int opcode, Object what) {
        before = opcode;
        beforeWhat = what;
    }

    @Override
    public void visitLabel(Label label) {
        super.visitLabel(label);
        was(NONE, null);
    }

    @Override
    public void visitLineNumber(int line, Label start) {
        this.line = line;
        if (body != null && body.line == 0) {
            body.line = line;
        }
        super.visitLineNumber(line, start);
    }

    @Override
    public void visitLdcInsn(Object value) {
        super.visitLdcInsn(value);
        was(Opcodes.LDC, value);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        super.visitFieldInsn(opcode, owner, name, descriptor);
        was(opcode, name);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        super.visitIntInsn(opcode, operand);
        was(NONE, null);
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
        super.visitVarInsn(opcode, local);
        was(NONE, null);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        super.visitTypeInsn(opcode, type);
        was(NONE, null);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        was(NONE, null);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        super.visitMultiANewArrayInsn(descriptor, dimensions);
        was(NONE, null);
    }
}
