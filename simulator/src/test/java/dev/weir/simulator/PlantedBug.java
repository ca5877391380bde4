package dev.weir.simulator;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.LoadedRows;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
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
 * A bug that is written into the bytecode of one production class, in a separate class loader. Production code does not
 * know of it.
 */
enum PlantedBug {
    REPORT_APPLIED_WITHOUT_FENCE(
            "S6",
            "dev.weir.core.command.UpdateStep",
            type -> type.method(named("isNewest")).intercept(FixedValue.value(true))),
    DOUBLE_RELEASE(
            "S1",
            "dev.weir.core.admission.SharedLimit",
            type -> type.visit(Advice.to(ReleasedTwice.class).on(named("release")))),
    HEARTBEAT_THAT_REVIVES(
            "S6",
            "dev.weir.core.command.Heartbeat",
            type -> type.method(named("isHeld")).intercept(FixedValue.value(true))),
    LEAK_ON_CANCEL(
            "L3",
            "dev.weir.core.run.ClaimLifecycle",
            type -> type.visit(Advice.to(KeptOnCancel.class).on(named("returnAllocation")))),
    /** An owner that was replaced continues to write, because the store does not check that its epoch is the newest. */
    GRANT_WITHOUT_FENCE(
            "S6",
            "dev.weir.testkit.journal.MemoryShardOwnership",
            type -> type.method(named("requireHeld")).intercept(StubMethod.INSTANCE)),
    /** After a commit with an unknown outcome, the same batch is decided again on the old memory. */
    RETRY_AFTER_UNKNOWN_COMMIT(
            "S6",
            "dev.weir.engine.shard.ShardState",
            type -> type.method(named("giveUpOwnership").or(named("drop"))).intercept(StubMethod.INSTANCE)),
    /** Memory that differs from the rows, or may differ, is repaired with the rows that were read the time before. */
    SWEEP_ON_AN_OLD_READ(
            "S7",
            "dev.weir.testkit.journal.MemoryShardOwnership",
            type -> type.visit(Advice.to(OldRows.class).on(named("loadConcurrently")))),
    /** A start from the inbox fails, and no refusal is kept. */
    REFUSAL_FORGOTTEN(
            "L6",
            "dev.weir.engine.shard.StartMessage",
            type -> type.method(named("refuse")).intercept(StubMethod.INSTANCE)),
    /** A run fails for good, and nobody learns of it. */
    DEAD_LETTER_FORGOTTEN(
            "R4.13",
            "dev.weir.core.run.DeadLetterRegistry",
            type -> type.method(named("addFailedRun")).intercept(StubMethod.INSTANCE)),
    /** A limit is used up, and no notice is issued. */
    NOTICE_FORGOTTEN(
            "R4.7",
            "dev.weir.core.admission.UsageCrossings",
            type -> type.method(named("level")).intercept(FixedValue.value(0))),
    /** A notice closes although its value was high between two looks at it. */
    NOTICE_CLOSED_TOO_EARLY(
            "R4.7",
            "dev.weir.core.admission.UsageLevels",
            type -> type.method(named("highAt")).intercept(FixedValue.value(Long.MIN_VALUE))),
    /** Workers that could not be heard for long lose their claims as soon as they can be heard. */
    NO_GRACE_AFTER_A_STALL(
            "L2",
            "dev.weir.engine.shard.ExpiryGrace",
            type -> type.method(named("recordTake")).intercept(FixedValue.value(false))),
    SLEEP_UNNOTICED(
            "L2",
            "dev.weir.engine.shard.ExpiryGrace",
            type -> type.method(named("recordClockLead")).intercept(FixedValue.value(false))),
    /** Silent workers get the full grace again whenever their organisation is loaded. */
    GRACE_AT_EVERY_LOAD(
            "L2",
            "dev.weir.engine.shard.ExpiryGrace",
            type -> type.visit(
                    Advice.to(TimeGivenAgain.class).on(named("reachableSince").and(takesArguments(4))))),
    /** No space in a window is reserved for anybody, however often a step is overtaken. */
    NO_WINDOW_RESERVED(
            "L5",
            "dev.weir.core.admission.WindowReservations",
            type -> type.method(named("tryReserve")).intercept(StubMethod.INSTANCE)),
    /**
     * While space in a window is reserved for a ticket, nothing else starts, even if that would not delay the ticket.
     */
    WINDOW_RESERVED_WHOLLY(
            "L7",
            "dev.weir.core.admission.WindowReservation",
            type -> type.method(named("isDelayedBy")).intercept(FixedValue.value(true))),
    LOST_WAKE_UP(
            "L7",
            "dev.weir.core.admission.DirtyQueue",
            type -> type.method(named("markDirty")).intercept(StubMethod.INSTANCE)),
    /** Starts from before a restart count against no rate after it. */
    RATE_FORGOTTEN_AT_A_RESTART(
            "S3: KEY_RATE",
            "dev.weir.core.admission.Admission",
            type -> type.method(named("restore").and(takesArguments(1))).intercept(StubMethod.INSTANCE)),
    /** A suspended organisation starts what waits. */
    SUSPENSION_IGNORED(
            "L4: SUSPENDED",
            "dev.weir.core.run.StopSettings",
            type -> type.method(named("isSuspended")).intercept(FixedValue.value(false))),
    /** The limits that operators set for the runs of the organisation or of a workflow bind nobody. */
    CONFIGURED_LIMITS_IGNORED(
            "S1: CONCURRENT_RUNS",
            "dev.weir.core.limit.RunLimitConfig",
            type -> type.method(named("toPin")).intercept(FixedValue.nullValue())),
    /** A held run is marked as held again after each restart. */
    HELD_AGAIN_AFTER_A_RESTART(
            "R4.3: twice",
            "dev.weir.core.state.RunRow$Detail",
            type -> type.method(named("isHeld")).intercept(FixedValue.value(false))),
    HOLD_NOT_RECORDED(
            "R4.3: never marked",
            "dev.weir.core.run.HoldWatch",
            type -> type.method(named("judge")).intercept(StubMethod.INSTANCE)),
    EXCLUSIVE_WITH_OTHERS(
            "S2: RUN_EXCLUSIVE",
            "dev.weir.core.admission.RunLimiter",
            type -> type.method(named("isTakenExclusively")).intercept(FixedValue.value(false))),
    /** An invoked run gets the keys of its workflow instead of those of its call site. */
    KEYS_OF_THE_CALL_SITE_LOST(
            "R3.5",
            "dev.weir.core.plan.BuiltInModule",
            type -> type.method(named("childFlowControl")).intercept(FixedValue.nullValue())),
    TICK_WITHOUT_LIMIT(
            "S3: RUN_TICK",
            "dev.weir.core.admission.TickCounter",
            type -> type.method(named("isFull")).intercept(FixedValue.value(false))),
    FAN_OUT_WITHOUT_LIMIT(
            "S1: FAN_OUT",
            "dev.weir.core.admission.FanOutLimit",
            type -> type.method(named("isFull")).intercept(FixedValue.value(false))),
    /** An event is answered as received, and nothing of it is stored. */
    EVENT_FORGOTTEN(
            "S7: event",
            "dev.weir.core.run.EventDelivery",
            type -> type.method(named("accept")).intercept(StubMethod.INSTANCE)),
    /** A burst ends with its first event instead of after a quiet period. */
    BURST_WITHOUT_PERIOD(
            "R4.5: due",
            "dev.weir.core.run.DebounceTable",
            type -> type.method(named("due")).intercept(FixedValue.value(0L))),
    /** A run that an event starts counts nothing that led to the event. */
    CHAIN_WITHOUT_LIMIT(
            "R4.6",
            "dev.weir.core.run.LiveRunControl",
            type -> type.method(named("maxCascadeDepth")).intercept(FixedValue.value(1_000))),
    /** A step that one of its limits refuses keeps what it took from the limits before it. */
    HALF_TAKEN(
            "S4: in use",
            "dev.weir.core.admission.TicketClass",
            type -> type.visit(Advice.to(HalfTaken.class).on(named("judge"))));

    /** The promise that the bug breaks; after a colon, a part of the violation's message. */
    private final String promise;

    private final String type;

    @SuppressWarnings("ImmutableEnumChecker") // every one of them is a lambda that captures nothing
    private final UnaryOperator<DynamicType.Builder<?>> bug;

    PlantedBug(String promise, String type, UnaryOperator<DynamicType.Builder<?>> bug) {
        this.promise = promise;
        this.type = type;
        this.bug = bug;
    }

    /** Returns the simulation, which runs on the rules with the bug. */
    MethodHandle simulation() throws ReflectiveOperationException, IOException {
        ClassFileLocator files = ClassFileLocator.ForClassLoader.of(PlantedBug.class.getClassLoader());
        var described = TypePool.Default.of(files).describe(type).resolve();
        byte[] modified =
                bug.apply(new ByteBuddy().redefine(described, files)).make().getBytes();
        Class<?> simulation = new Loader(type, modified).loadClass(Simulation.class.getName());
        for (var method : simulation.getMethods()) {
            if (method.getName().equals("run")) {
                return MethodHandles.publicLookup()
                        .unreflect(method)
                        .asType(MethodType.methodType(Object.class, long.class));
            }
        }
        throw new NoSuchMethodException("run of " + simulation);
    }

    /** True if a simulation failed because of the promise that this bug breaks. */
    boolean isCaughtBy(RuntimeException failure) {
        String[] expected = promise.split(": ", 2);
        String message = String.valueOf(failure.getMessage());
        return kind(failure).equals(expected[0]) && (expected.length == 1 || message.contains(expected[1]));
    }

    /** The broken promise, or the class of any other exception. The violation comes from another class loader. */
    static String kind(RuntimeException failure) {
        boolean violation = failure.getClass().getName().equals(Violation.class.getName());
        String message = String.valueOf(failure.getMessage());
        return violation
                ? message.substring(0, message.indexOf(':'))
                : failure.getClass().getSimpleName();
    }

    /** Releases one more than was allocated. */
    static final class ReleasedTwice {
        private ReleasedTwice() {}

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue(value = "used", readOnly = false) int used) {
            used = used - 1;
        }
    }

    /** Takes from all limits before the one that refuses. */
    public static final class HalfTaken {
        private HalfTaken() {}

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("demands") List<?> demands, @Advice.Return Object verdict) {
            take(demands, verdict);
        }

        public static void take(List<?> demands, Object verdict) {
            if (!verdict.getClass().getSimpleName().equals("HeldByLimit")) {
                return;
            }
            try {
                Object refused = field(verdict, "demand").get(verdict);
                for (int i = 0; !demands.get(i).equals(refused); i++) {
                    Object limit = field(demands.get(i), "limit").get(demands.get(i));
                    Field used = field(limit, "used");
                    used.setInt(limit, used.getInt(limit) + 1);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        private static Field field(Object target, String name) throws ReflectiveOperationException {
            Field field = target.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field;
        }
    }

    /** Replaces the rows by those of the read before, and keeps the current ones for the next read. */
    @SuppressWarnings("UnusedVariable")
    public static final class OldRows {
        private static final Map<Object, Map<String, OrganisationRows>> PREVIOUS_ROWS =
                Collections.synchronizedMap(new WeakHashMap<>());

        private OldRows() {}

        @Advice.OnMethodExit
        static void exit(
                @Advice.This Object ownership,
                @Advice.Argument(0) String org,
                @Advice.Return(readOnly = false) LoadedRows loaded) {
            loaded = swapRows(ownership, org, loaded);
        }

        /** Public, because the code of {@link #exit} is copied into the planted class. */
        public static LoadedRows swapRows(Object ownership, String org, LoadedRows loaded) {
            OrganisationRows before = PREVIOUS_ROWS
                    .computeIfAbsent(ownership, ignored -> new HashMap<>())
                    .put(org, loaded.rows());
            return before == null ? loaded : new LoadedRows(before, loaded.now());
        }
    }

    /** Returns the latest possible time, which gives the longest grace. */
    @SuppressWarnings("UnusedVariable")
    static final class TimeGivenAgain {
        private TimeGivenAgain() {}

        @Advice.OnMethodExit
        static void exit(@Advice.Argument(3) long now, @Advice.Return(readOnly = false) long since) {
            since = Math.max(since, now);
        }
    }

    /** Releases nothing when a claim ends because its run was cancelled. */
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

    /** Loads all classes of Weir again, one of them with the bug. */
    private static final class Loader extends ClassLoader {
        private final String modified;
        private final byte[] bytes;

        Loader(String modified, byte[] bytes) {
            super(PlantedBug.class.getClassLoader());
            this.modified = modified;
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
            if (name.equals(modified)) {
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
