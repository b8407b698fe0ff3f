package dev.telltale.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.zip.CRC32;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;

/**
 * Changes the classes that the plan names, the places where frameworks say which test runs, and class loaders that would
 * hide the recorder. Equal bytes are always changed in the same way, so a class that another agent transforms again keeps
 * its members, numbers and probes. A class that cannot be changed stays as it is.
 */
final class Weaver implements ClassFileTransformer {
    /** Null until it is told. */
    private volatile Plan plan;
    /** What could not be woven until then. */
    private volatile String early;
    /** By name and bytes. */
    private final Map<String, Woven> woven = new HashMap<>();
    /** Whether woven code of a class loader finds the recorder. */
    private final Map<ClassLoader, Boolean> sees = new WeakHashMap<>();

    /** What a class was given as it was first seen. */
    static final class Woven {
        /** Null if its lines are not recorded. */
        Probes.Unit unit;
        /** The dictionary's number of each method, by name and descriptor. */
        final Map<String, Integer> methods = new HashMap<>();
        /** Those whose calls are sampled. */
        final Set<String> sampled = new HashSet<>();
        /** Those that grow too large for a JVM. */
        final Set<String> tooLarge = new HashSet<>();
    }

    /** From now on classes are changed as the plan says. */
    void follow(Plan told) {
        if (early != null) {
            Recorder.segment.lost(early);
        }
        plan = told;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        Plan plan = this.plan;
        if (loader == null || name == null || plan != null && !Recorder.on) {
            return null;
        }
        if (plan != null) {
            Mocks.loads(name, loader);
        }
        byte[] changed = changed(plan, loader, name, bytes);
        try {
            byte[] opened = Loaders.weave(changed == null ? bytes : changed);
            return opened != null && findsRecorder(loader) ? opened : changed;
        } catch (Throwable problem) {
            notWoven(problem);
            return changed;
        }
    }

    /** Null where the class stays as it is. Before there is a plan only frameworks do not. */
    private byte[] changed(Plan plan, ClassLoader loader, String name, byte[] bytes) {
        try {
            if (Chokepoints.concern(name)) {
                return findsRecorder(loader) ? Chokepoints.weave(name, bytes) : null;
            }
            if (plan == null) {
                return null;
            }
            byte[] swapped = plan.swap(name);
            boolean covers = plan.covers(name);
            boolean samples = plan.samples(name) || plan.sampledMethods(name) != null;
            Set<String> skips = plan.skips(name);
            if (skips != null) {
                // Nothing of the class is looked at but the tests that are left.
                byte[] left = Skip.weave(swapped == null ? bytes : swapped, skips);
                return swapped == null || findsRecorder(loader) ? left : Skip.weave(bytes, skips);
            }
            int[] mutants = plan.mutants(name);
            if (mutants != null && findsRecorder(loader)) {
                return mutated(plan, swapped == null ? bytes : swapped, mutants, swapped);
            }
            if (swapped == null && !covers && !samples) {
                return null;
            }
            if (!findsRecorder(loader)) {
                Recorder.segment.lost("classes of class loaders that hide the recorder");
                return null;
            }
            byte[] base = swapped == null ? bytes : swapped;
            return covers || samples ? weave(plan, name, base, covers) : swapped;
        } catch (Throwable problem) {
            notWoven(problem);
            return null;
        }
    }

    private void notWoven(Throwable problem) {
        String reason = "class not woven: " + problem.getClass().getName();
        if (plan == null) {
            early = reason;
        } else {
            Recorder.segment.lost(reason);
        }
    }

    /** {@code swapped} where the class has other mutants than were listed. */
    private byte[] mutated(Plan plan, byte[] bytes, int[] mutants, byte[] swapped) {
        Mutants.Woven of = Mutants.weave(bytes, mutants[0], "plain".equals(plan.judge), plan.bodies);
        if (of.mutants.size() != mutants[1]) {
            Judge.lost("classes with other mutants than were listed");
            return swapped;
        }
        return of.bytes;
    }

    private boolean findsRecorder(ClassLoader loader) {
        synchronized (sees) {
            Boolean known = sees.get(loader);
            if (known != null) {
                return known;
            }
        }
        boolean finds;
        try {
            finds = Class.forName(Probes.class.getName(), false, loader) == Probes.class;
        } catch (ClassNotFoundException | LinkageError hidden) {
            finds = false;
        }
        synchronized (sees) {
            sees.put(loader, finds);
        }
        return finds;
    }

    private byte[] weave(Plan plan, String name, byte[] bytes, boolean covers) {
        ClassReader reader = new ClassReader(bytes);
        Scan scan = new Scan();
        reader.accept(scan, ClassReader.SKIP_FRAMES);
        Woven of = describe(plan, name, bytes, scan, covers);
        while (true) {
            try {
                ClassWriter writer = new ClassWriter(reader, 0);
                reader.accept(new ClassWeaver(writer, of, scan), ClassReader.EXPAND_FRAMES);
                return writer.toByteArray();
            } catch (MethodTooLargeException large) {
                synchronized (this) {
                    if (!of.tooLarge.add(large.getMethodName() + large.getDescriptor())) {
                        throw large;
                    }
                }
                Recorder.segment.lost("methods too large to weave");
            }
        }
    }

    /** Gives numbers to a class, its methods and its probes, once for these bytes. */
    private synchronized Woven describe(Plan plan, String name, byte[] bytes, Scan scan, boolean covers) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, bytes.length);
        String code = name + ':' + bytes.length + ':' + sum.getValue() + ':' + Arrays.hashCode(bytes);
        Woven known = woven.get(code);
        if (known != null) {
            return known;
        }
        Woven of = new Woven();
        String dotted = name.replace('/', '.');
        int ofClass = Recorder.segment.classOf(dotted, scan.flags);
        if (Probes.isTaken(ofClass)) {
            // Another class of this name: its lines are others.
            ofClass = Recorder.segment.newClass(dotted, scan.flags);
        }
        if (covers && scan.lines > 0) {
            of.unit = Probes.add(name, ofClass);
        }
        Set<String> chosen = plan.sampledMethods(name);
        for (Scan.OfMethod method : scan.methods.values()) {
            boolean sampled = method.isSampled() && (plan.samples(name) || chosen != null && chosen.contains(method.key));
            if (!sampled && (of.unit == null || method.lines.length == 0)) {
                continue;
            }
            int number = Recorder.segment.method(ofClass, method.name, method.descriptor, method.access,
                    method.parameterNames(), method.firstLine());
            of.methods.put(method.key, number);
            if (sampled) {
                of.sampled.add(method.key);
                Samples.define(number, method.letters(), method.isStatic(), of.unit == null ? null : Probes.group(name));
            }
        }
        if (of.unit != null) {
            probes(of, scan);
        }
        woven.put(code, of);
        return of;
    }

    private static void probes(Woven of, Scan scan) {
        int[] lines = new int[scan.lines];
        int[] methods = new int[scan.lines];
        for (Scan.OfMethod method : scan.methods.values()) {
            for (int at = 0; at < method.lines.length; at++) {
                lines[method.firstProbe + at] = method.lines[at];
                methods[method.firstProbe + at] = of.methods.get(method.key);
            }
        }
        Probes.define(of.unit, lines, methods);
    }

    /** Writes the changed class. */
    private static final class ClassWeaver extends ClassVisitor {
        private final Woven of;
        private final Scan scan;

        ClassWeaver(ClassWriter writer, Woven of, Scan scan) {
            super(Scan.API, writer);
            this.of = of;
            this.scan = scan;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                String[] exceptions) {
            MethodVisitor writer = super.visitMethod(access, name, descriptor, signature, exceptions);
            Scan.OfMethod method = scan.methods.get(name + descriptor);
            if (method == null || of.tooLarge.contains(method.key)) {
                return writer;
            }
            int unit = of.unit == null || method.lines.length == 0 ? -1 : of.unit.number;
            int sampled = of.sampled.contains(method.key) ? of.methods.get(method.key) : -1;
            return unit < 0 && sampled < 0 ? writer : new Entries(new MethodWeaver(writer, scan, method, unit, sampled));
        }
    }
}
