package dev.weir.core.forecast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How the bodies of a step behave.
 *
 * @param time how long one takes
 * @param fail the share of them that fails, from 0 to 1
 * @param output what one gives; absent = something that fits what later steps read
 */
public record Behaviour(Time time, double fail, @Nullable JsonNode output) {
    public static final Behaviour ONE_SECOND = takes(1_000_000);
    public static final Behaviour AT_ONCE = takes(0);

    public Behaviour {
        if (!(fail >= 0 && fail <= 1)) {
            throw new IllegalArgumentException("fail must be from 0 to 1, found " + fail);
        }
    }

    public static Behaviour takes(long micros) {
        return new Behaviour(new Time.Fixed(micros), 0, null);
    }

    /** How long something takes, in microseconds. */
    public sealed interface Time {
        /** The time for a number that was drawn from 0 (included) to 1 (excluded). */
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

        /** Evenly spread. */
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

        /** One of these, each as likely. */
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
