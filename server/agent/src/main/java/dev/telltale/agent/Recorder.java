package dev.telltale.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/** What all parts of the recorder share. Set once, before anything is woven. */
final class Recorder {
    private Recorder() {}

    static Plan plan;
    static File folder;
    static Segment segment;
    static Instrumentation instrumentation;
    /** False until all is set up, and again once this JVM ends. */
    static volatile boolean on;

    /** The recorder's own throwables are counted, and never reach the program. */
    static void failed(Throwable problem) {
        try {
            segment.lost("recorder: " + problem.getClass().getName());
        } catch (Throwable again) {
            // Nothing is left to say it with.
        }
    }

    /** Lets the recorder read fields of a class in a named module; the program itself may do no more than before. */
    static void open(Class<?> type) {
        try {
            Class<?> modules = Class.forName("java.lang.Module");
            Method moduleOf = Class.class.getMethod("getModule");
            AnnotatedElement module = (AnnotatedElement) moduleOf.invoke(type);
            Object own = moduleOf.invoke(Recorder.class);
            String name = type.getName();
            int dot = name.lastIndexOf('.');
            if (dot < 0 || !(Boolean) modules.getMethod("isNamed").invoke(module)
                    || (Boolean) modules.getMethod("isOpen", String.class, modules)
                            .invoke(module, name.substring(0, dot), own)) {
                return;
            }
            Map<String, Set<?>> opens = Collections.singletonMap(name.substring(0, dot), Collections.singleton(own));
            Instrumentation.class
                    .getMethod("redefineModule", modules, Set.class, Map.class, Map.class, Set.class, Map.class)
                    .invoke(instrumentation, module, Collections.emptySet(), Collections.emptyMap(), opens,
                            Collections.emptySet(), Collections.emptyMap());
        } catch (ReflectiveOperationException | RuntimeException before9) {
            // There are no modules, or this one stays closed: its objects are opaque.
        }
    }
}
