package dev.weir.simulator;

import dev.weir.core.state.Move;
import dev.weir.simulator.Requirement.StartRate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values that operators have set, according to the trace. */
final class OperatorValues {
    private OperatorValues() {}

    /**
     * The value of one field: the temporary value until it ends, then the lasting one.
     *
     * @param until the end of the temporary value, if there is one
     */
    record Value<T>(@Nullable T lasting, @Nullable T temporary, long until) {
        /** The value in force; null if the value of the definition applies. */
        @Nullable
        T at(long now) {
            return temporary != null && now < until ? temporary : lasting;
        }

        private <U> Value<U> map(Function<T, U> to) {
            return new Value<>(
                    lasting == null ? null : to.apply(lasting), temporary == null ? null : to.apply(temporary), until);
        }
    }

    /** The values of a shared limit. */
    record Pinned(Value<Integer> parallelism, Value<StartRate> startRate) {
        boolean isExpired(long now) {
            return parallelism.at(now) == null && startRate.at(now) == null;
        }
    }

    /** The values of a run's own limits. */
    record Overridden(Value<Integer> maxSteps, Value<Integer> maxSlots) {}

    static Pinned pinned(Move.KeyPinned move) {
        var parallelism = move.pin().parallelism();
        var rate = move.pin().rate();
        return new Pinned(
                new Value<>(parallelism.lasting(), parallelism.temporary(), parallelism.until()),
                new Value<>(rate.lasting(), rate.temporary(), rate.until())
                        .map(pinned -> new StartRate(
                                pinned.count(),
                                pinned.period(),
                                pinned.window().name().equals("FIXED"))));
    }

    /** Returns the values that the operator has set; null if the operator has removed them. */
    static @Nullable Overridden overridden(Move.RunOverridden move) {
        var values = move.overrides();
        if (values == null) {
            return null;
        }
        var steps = values.maxSteps();
        var slots = values.maxSlots();
        return new Overridden(
                new Value<>(steps.lasting(), steps.temporary(), steps.until()),
                new Value<>(slots.lasting(), slots.temporary(), slots.until()));
    }
}
