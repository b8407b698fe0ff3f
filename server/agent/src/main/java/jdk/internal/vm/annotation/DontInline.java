package jdk.internal.vm.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What HotSpot, from JDK 9 on, reads by this name on classes of the boot loader, as the recorder's are: the method is
 * not inlined. Other virtual machines ignore it. Only the name is wanted; the class itself is not in the jar.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface DontInline {}
