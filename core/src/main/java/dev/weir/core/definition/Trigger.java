package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** What starts a run by itself. */
public sealed interface Trigger {
    String id();

    /** The input of the run that it starts; absent = the event's data, or an empty object for a schedule. */
    @Nullable
    Template input();

    /**
     * Starts a run for an event.
     *
     * @param event the name of the event
     * @param condition whether an event starts a run ({@code if}); absent = each does
     * @param debounce how a burst of events becomes one run; absent = each starts its own
     */
    record OnEvent(
            String id,
            String event,
            @Nullable Template condition,
            @Nullable Debounce debounce,
            @Nullable Template input)
            implements Trigger {
        public OnEvent {
            Require.name("id", id);
            Require.name("event", event);
        }
    }

    /**
     * Starts a run at set times.
     *
     * @param schedule a cron expression
     * @param timezone the zone in which it is read
     */
    record OnSchedule(
            String id,
            String schedule,
            ZoneId timezone,
            @Nullable Template input) implements Trigger {
        public OnSchedule {
            Require.name("id", id);
            if (schedule.isBlank()) {
                throw new InvalidDefinition("schedule", "a cron expression, such as '0 6 * * *'", "nothing");
            }
        }
    }

    /**
     * The last event of a burst wins after a quiet time.
     *
     * @param key events with the same key are one burst; absent = all events of the trigger
     * @param period how long it must be quiet
     * @param maxWait after how long a run starts even if it never gets quiet; absent = no such end
     */
    record Debounce(
            @Nullable Template key,
            Duration period,
            @Nullable Duration maxWait) {
        public Debounce {
            if (key != null) {
                Require.key("key", key);
            }
            Require.between("period", period, Bounds.PERIOD_MIN, Bounds.PERIOD_MAX);
            Require.positive("max_wait", maxWait);
            if (maxWait != null && maxWait.compareTo(period) < 0) {
                String expected = "at least the period of " + Durations.text(period);
                throw new InvalidDefinition("max_wait", expected, Durations.text(maxWait));
            }
        }
    }
}
