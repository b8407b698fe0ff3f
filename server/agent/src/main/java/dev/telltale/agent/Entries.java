package dev.telltale.agent;

import java.util.IdentityHashMap;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Gives the parts of a line that are reached past its beginning an entry of their own. Compilers write one where a line begins in the
 * code: of {@code } else if (b)} that is the jump over the rest, at the end of the branch before, and whoever takes the other branch
 * comes to the condition without it.
 */
final class Entries extends MethodVisitor {
    private static final Integer ANYWHERE = -1;

    /** Where what leads to a label stands: the number of its entry, if that is one alone. */
    private final Map<Label, Integer> from = new IdentityHashMap<>();
    private int entries;
    private int line = -1;
    /** Nothing stands between the last entry and here. */
    private boolean begins;
    private boolean comesFromElsewhere;

    Entries(MethodVisitor next) {
        super(Scan.API, next);
    }

    private void leadsTo(Label label) {
        Integer known = from.get(label);
        from.put(label, known == null || known == entries ? (Integer) entries : ANYWHERE);
    }

    private void instruction() {
        if (comesFromElsewhere && line >= 0) {
            Label here = new Label();
            mv.visitLabel(here);
            mv.visitLineNumber(line, here);
            entries++;
        }
        comesFromElsewhere = false;
        begins = false;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        from.put(handler, ANYWHERE);
        super.visitTryCatchBlock(start, end, handler, type);
    }

    @Override
    public void visitLabel(Label label) {
        super.visitLabel(label);
        Integer source = from.get(label);
        comesFromElsewhere |= !begins && source != null && source != entries;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        super.visitLineNumber(number, start);
        line = number;
        entries++;
        begins = true;
        comesFromElsewhere = false;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        instruction();
        leadsTo(label);
        super.visitJumpInsn(opcode, label);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        instruction();
        leadsTo(otherwise);
        for (Label label : labels) {
            leadsTo(label);
        }
        super.visitTableSwitchInsn(min, max, otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        instruction();
        leadsTo(otherwise);
        for (Label label : labels) {
            leadsTo(label);
        }
        super.visitLookupSwitchInsn(otherwise, keys, labels);
    }

    @Override
    public void visitInsn(int opcode) {
        instruction();
        super.visitInsn(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        instruction();
        super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int local) {
        instruction();
        super.visitVarInsn(opcode, local);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        instruction();
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        instruction();
        super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        instruction();
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        instruction();
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitLdcInsn(Object value) {
        instruction();
        super.visitLdcInsn(value);
    }

    @Override
    public void visitIincInsn(int local, int increment) {
        instruction();
        super.visitIincInsn(local, increment);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        instruction();
        super.visitMultiANewArrayInsn(descriptor, dimensions);
    }
}
