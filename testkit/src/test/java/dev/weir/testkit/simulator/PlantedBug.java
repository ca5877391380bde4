package dev.weir.testkit.simulator;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.UnaryOperator;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.StubMethod;
import net.bytebuddy.pool.TypePool;

/**
 * A bug that is written into the bytecode of one production class, in a class loader of its own. Production code knows
 * nothing of it.
 */
enum PlantedBug {
    REPORT_APPLIED_WITHOUT_FENCE(
            "dev.weir.core.life.UpdateStep",
            type -> type.method(named("isNewest")).intercept(FixedValue.value(true))),
    DOUBLE_RELEASE(
            "dev.weir.core.admission.SharedLimit",
            type -> type.visit(Advice.to(ReleasedTwice.class).on(named("giveBack")))),
    HEARTBEAT_THAT_REVIVES(
            "dev.weir.core.life.Heartbeat", type -> type.method(named("isHeld")).intercept(FixedValue.value(true))),
    LEAK_ON_CANCEL(
            "dev.weir.core.life.Claims",
            type -> type.visit(Advice.to(KeptOnCancel.class).on(named("giveBack")))),
    LOST_WAKE_UP(
            "dev.weir.core.admission.Agenda",
            type -> type.method(named("changed")).intercept(StubMethod.INSTANCE));

    private final String type;

    @SuppressWarnings("ImmutableEnumChecker") // every one of them is a lambda that holds nothing
    private final UnaryOperator<DynamicType.Builder<?>> bug;

    PlantedBug(String type, UnaryOperator<DynamicType.Builder<?>> bug) {
        this.type = type;
        this.bug = bug;
    }

    /** The simulation, with the bug in the rules under it. */
    MethodHandle simulation() throws ReflectiveOperationException, IOException {
        ClassFileLocator files = ClassFileLocator.ForClassLoader.of(PlantedBug.class.getClassLoader());
        var described = TypePool.Default.of(files).describe(type).resolve();
        byte[] spoilt =
                bug.apply(new ByteBuddy().redefine(described, files)).make().getBytes();
        Class<?> simulation = new Loader(type, spoilt).loadClass(Simulation.class.getName());
        for (var method : simulation.getMethods()) {
            if (method.getName().equals("run")) {
                return MethodHandles.publicLookup()
                        .unreflect(method)
                        .asType(MethodType.methodType(Object.class, long.class));
            }
        }
        throw new NoSuchMethodException("run of " + simulation);
    }

    /** Gives back one unit more than was held. */
    static final class ReleasedTwice {
        private ReleasedTwice() {}

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue(value = "used", readOnly = false) int used) {
            used = used - 1;
        }
    }

    /** Gives nothing back where a claim ends because its run was cancelled. */
    static final class KeptOnCancel {
        private KeptOnCancel() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                if (frame.getMethodName().equals("releaseCancelled")) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Loads all of Weir anew, one class of it spoilt. */
    private static final class Loader extends ClassLoader {
        private final String spoilt;
        private final byte[] bytes;

        Loader(String spoilt, byte[] bytes) {
            super(PlantedBug.class.getClassLoader());
            this.spoilt = spoilt;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.weir.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            if (name.equals(spoilt)) {
                return defineClass(name, bytes, 0, bytes.length);
            }
            try (var file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] whole = file.readAllBytes();
                return defineClass(name, whole, 0, whole.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
