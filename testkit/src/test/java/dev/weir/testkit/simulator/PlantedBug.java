package dev.weir.testkit.simulator;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import dev.weir.core.life.Rows;
import dev.weir.engine.journal.Tenure;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
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
    /** An owner that was deposed goes on writing: nothing checks, at the store, that its epoch is the newest. */
    GRANT_WITHOUT_FENCE(
            "dev.weir.testkit.journal.MemoryTenure",
            type -> type.method(named("requireHeld")).intercept(StubMethod.INSTANCE)),
    /** What became of a commit is not known, and the same batch is done again as if nothing had happened. */
    RETRY_AFTER_UNKNOWN_COMMIT(
            "dev.weir.engine.shard.Holdings",
            type -> type.method(named("letGo").or(named("drop"))).intercept(StubMethod.INSTANCE)),
    /** A sweep compares and heals with what it read the last time. */
    SWEEP_ON_AN_OLD_READ(
            "dev.weir.engine.shard.Sweep",
            type -> type.method(named("difference"))
                    .intercept(FixedValue.value("what was read before"))
                    .visit(Advice.to(OldRows.class).on(named("read")))),
    /** A start that was left in a program's transaction comes to nothing, and nothing says so. */
    REFUSAL_FORGOTTEN(
            "dev.weir.engine.shard.StartMessage",
            type -> type.method(named("refuse")).intercept(StubMethod.INSTANCE)),
    /** Workers that could not be heard for long lose their claims as soon as they can be. */
    NO_TIME_AFTER_A_STALL(
            "dev.weir.engine.shard.Grace", type -> type.method(named("looks")).intercept(FixedValue.value(false))),
    SLEEP_UNNOTICED(
            "dev.weir.engine.shard.Grace", type -> type.method(named("isAhead")).intercept(FixedValue.value(false))),
    /** Whenever memory is read again, silent workers are waited for again. */
    TIME_AT_EVERY_LOAD(
            "dev.weir.engine.shard.Grace",
            type -> type.visit(Advice.to(TimeGivenAgain.class).on(named("until").and(takesArguments(4))))),
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

    /** Gives the rows that were read the last time, and keeps these for the next. */
    public static final class OldRows {
        public static final Map<Object, Rows> READ = Collections.synchronizedMap(new WeakHashMap<>());

        private OldRows() {}

        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Tenure tenure, @Advice.Return(readOnly = false) Rows rows) {
            Rows before = READ.put(tenure, rows);
            rows = before == null ? rows : before;
        }
    }

    /** Gives as much time as there is to give. */
    @SuppressWarnings("UnusedVariable")
    static final class TimeGivenAgain {
        private TimeGivenAgain() {}

        @Advice.OnMethodExit
        static void exit(@Advice.Argument(3) long now, @Advice.Return(readOnly = false) long until) {
            until = Math.max(until, now + 10_000_000);
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
