package dev.weir.forecast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The behaviour of a step's attempts.
 *
 * @param time the duration of an attempt
 * @param failureRate the fraction of attempts that fail, from 0 to 1
 * @param output the output of an attempt; absent = data that fits the expressions of later steps
 */
public record StepBehaviour(
        Time time, double failureRate, @Nullable JsonNode output) {
    public static final StepBehaviour ONE_SECOND = ofDuration(1_000_000);
    public static final StepBehaviour INSTANT = ofDuration(0);

    public StepBehaviour {
        if (!(failureRate >= 0 && failureRate <= 1)) {
            throw new IllegalArgumentException("fail must be from 0 to 1, found " + failureRate);
        }
    }

    public static StepBehaviour ofDuration(long micros) {
        return new StepBehaviour(new Time.Fixed(micros), 0, null);
    }

    /** A duration, in microseconds. */
    public sealed interface Time {
        /** Returns the duration for a random number from 0 (inclusive) to 1 (exclusive). */
        long sample(double random);

        record Fixed(long micros) implements Time {
            public Fixed {
                requireNotNegative(micros);
            }

            @Override
            public long sample(double random) {
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
            public long sample(double random) {
                return min + (long) (random * (max - min));
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
            public long sample(double random) {
                return times.get((int) (random * times.size())).sample(random);
            }
        }

        private static void requireNotNegative(long micros) {
            if (micros < 0) {
                throw new IllegalArgumentException("a duration must not be negative, found " + micros + " µs");
            }
        }
    }
}
