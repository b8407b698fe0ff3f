package dev.telltale.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;

/** Changes the classes that the plan names, and the places where frameworks say which test runs. */
final class Weaver implements ClassFileTransformer {
    private final Plan plan;

    Weaver(Plan plan) {
        this.plan = plan;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (loader == null || name == null || !Recorder.on) {
            return null;
        }
        return plan.swap(name);
    }
}
