package dev.telltale.agent;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The mutants of a class, all woven in at once. They are found in the order of its methods and instructions, so equal
 * bytes have the same mutants under the same numbers.
 */
final class Mutants {
    private Mutants() {}

    /** One of them. */
    static final class Mutant {
        final String method;
        final String descriptor;
        final String operator;
        /** Which of this operator in the method, from 0. */
        final int ordinal;
        /** 0 if not known. */
        int line;
        /** What stands there: the instruction, what is called, by how much is counted. */
        final String what;
        /** It seems to compute what the code computes. */
        final boolean looksEquivalent;

        Mutant(String method, String descriptor, String operator, int ordinal, int line, String what,
                boolean looksEquivalent) {
            this.method = method;
            this.descriptor = descriptor;
            this.operator = operator;
            this.ordinal = ordinal;
            this.line = line;
            this.what = what;
            this.looksEquivalent = looksEquivalent;
        }
    }

    /** A class with its mutants. */
    static final class Woven {
        byte[] bytes;
        final List<Mutant> mutants = new ArrayList<>();
        /** How many were left out since their method grew beyond what a class file may hold. */
        int lost;
    }

    /**
     * {@code first} is the number of the first mutant. With {@code reach}, each also tells that it was reached; with
     * {@code bodies}, methods have one more each, which leaves all of their body out.
     */
    static Woven weave(byte[] bytes, int first, boolean reach, boolean bodies) {
        ClassReader reader = new ClassReader(bytes);
        // Of a method that grows too large only the first so many mutants stay.
        Map<String, Integer> most = new HashMap<>();
        while (true) {
            Woven woven = new Woven();
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new OfClass(writer, woven, first, reach, bodies, most), ClassReader.EXPAND_FRAMES);
            try {
                woven.bytes = writer.toByteArray();
                return woven;
            } catch (MethodTooLargeException large) {
                String key = large.getMethodName() + large.getDescriptor();
                long count = woven.mutants.stream().filter(it -> key.equals(it.method + it.descriptor)).count();
                if (count == 0) {
                    throw large;
                }
                most.put(key, (int) count / 2);
            }
        }
    }

    private static final class OfClass extends ClassVisitor {
        private final Woven woven;
        private final int first;
        private final boolean reach;
        private final boolean bodies;
        private final Map<String, Integer> most;
        private String name;
        private boolean isEnum;
        private boolean hasFrames;

        OfClass(ClassVisitor next, Woven woven, int first, boolean reach, boolean bodies, Map<String, Integer> most) {
            super(Scan.API, next);
            this.woven = woven;
            this.first = first;
            this.reach = reach;
            this.bodies = bodies;
            this.most = most;
        }

        @Override
        public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
            this.name = name;
            isEnum = (access & Opcodes.ACC_ENUM) != 0;
            hasFrames = (version & 0xFFFF) >= Opcodes.V1_6;
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(int access, String method, String descriptor, String signature,
                String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
            boolean noCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
            boolean made = (access & (Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE)) != 0 && !method.startsWith("lambda$");
            boolean ofEnum = isEnum && (method.equals("values") && descriptor.startsWith("()")
                    || method.equals("valueOf") && descriptor.startsWith("(Ljava/lang/String;)"));
            // A class is initialised once, by whichever test comes first: a mutant there would be no single test's.
            if (noCode || made || ofEnum || method.equals("<clinit>")) {
                return next;
            }
            MutantWeaver.Method of = new MutantWeaver.Method(name, access, method, descriptor, hasFrames, reach, bodies);
            int bound = most.getOrDefault(method + descriptor, Integer.MAX_VALUE);
            return new MutantWeaver(next, of, woven, first, bound);
        }
    }

    /**
     * Lists the mutants of all classes below some folders: {@code FOLDER} holds the plan, whose swaps stand for their
     * classes, and takes the file {@code mutants}; see docs/evidence.md.
     */
    static void list(File folder, String[] classes) throws IOException {
        Plan plan = Plan.read(folder);
        TreeMap<String, Path> all = new TreeMap<>();
        for (String root : classes) {
            Path of = new File(root).toPath();
            List<Path> files;
            try (Stream<Path> walk = Files.walk(of)) {
                files = walk.filter(it -> it.toString().endsWith(".class")).collect(Collectors.toList());
            }
            for (Path file : files) {
                String name = of.relativize(file).toString().replace(File.separatorChar, '/');
                all.putIfAbsent(name.substring(0, name.length() - 6), file);
            }
        }
        try (PrintWriter out = new PrintWriter(new File(folder, "mutants"), "UTF-8")) {
            for (Map.Entry<String, Path> each : all.entrySet()) {
                byte[] swapped = plan.swap(each.getKey());
                Woven woven;
                try {
                    woven = weave(swapped == null ? Files.readAllBytes(each.getValue()) : swapped, 1, true,
                            plan.bodies);
                } catch (RuntimeException unreadable) {
                    out.print("lost\t" + each.getKey() + "\t0\t" + unreadable + '\n');
                    continue;
                }
                if (woven.lost > 0) {
                    out.print("lost\t" + each.getKey() + '\t' + woven.lost + "\tmethods too large\n");
                }
                for (Mutant it : woven.mutants) {
                    out.print("mutant\t" + each.getKey() + '\t' + it.method + '\t' + it.descriptor + '\t' + it.line + '\t'
                            + it.operator + '\t' + it.ordinal + '\t' + (it.looksEquivalent ? 1 : 0)
                            + '\t' + it.what + '\n');
                }
            }
            if (out.checkError()) {
                throw new IOException("the list could not be written");
            }
        }
    }

    /** A file of lines, without empty ones. */
    static List<String> lines(File file) throws IOException {
        String text = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return lines;
    }
}
