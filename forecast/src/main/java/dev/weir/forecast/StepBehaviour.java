package dev.weir.forecast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The behaviour of a step's attempts.
 *
 * @param time the duration of an attempt
 * @param fail the fraction of attempts that fail, from 0 to 1
 * @param output the output of an attempt; absent = data that fits the expressions of later steps
 */
public record StepBehaviour(
        Time time, double fail, @Nullable JsonNode output) {
    public static final StepBehaviour ONE_SECOND = takes(1_000_000);
    public static final StepBehaviour AT_ONCE = takes(0);

    public StepBehaviour {
        if (!(fail >= 0 && fail <= 1)) {
            throw new IllegalArgumentException("fail must be from 0 to 1, found " + fail);
        }
    }

    public static StepBehaviour takes(long micros) {
        return new StepBehaviour(new Time.Fixed(micros), 0, null);
    }

    /** A duration, in microseconds. */
    public sealed interface Time {
        /** Returns the duration for a random number from 0 (inclusive) to 1 (exclusive). */
        long at(double drawn);

        record Fixed(long micros) implements Time {
            public Fixed {
                requireNotNegative(micros);
            }

            @Override
            public long at(double drawn) {
                return micros;
            }
        }

        /** Uniformly distributed durations. */
        record Between(long min, long max) implements Time {
            public Between {
                requireNotNegative(min);
                if (max < min) {
                    throw new IllegalArgumentException("max must be at least min, found " + max + " µs");
                }
            }

            @Override
            public long at(double drawn) {
                return min + (long) (drawn * (max - min));
            }
        }

        /** One of several durations, all equally likely. */
        record OneOf(List<Time> times) implements Time {
            public OneOf {
                times = List.copyOf(times);
                if (times.isEmpty()) {
                    throw new IllegalArgumentException("expected at least one duration, found none");
                }
            }

            @Override
            public long at(double drawn) {
                return times.get((int) (drawn * times.size())).at(drawn);
            }
        }

        private static void requireNotNegative(long micros) {
            if (micros < 0) {
                throw new IllegalArgumentException("a duration must not be negative, found " + micros + " µs");
            }
        }
    }
}
