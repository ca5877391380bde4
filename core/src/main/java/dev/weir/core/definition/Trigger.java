package dev.weir.core.definition;

import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Starts runs without a caller. */
public sealed interface Trigger {
    String id();

    /** The input of the run that the trigger starts; absent = the event's data, or an empty object for a schedule. */
    @Nullable
    Template input();

    /**
     * Starts a run for an event.
     *
     * @param event the name of the event
     * @param condition the condition under which an event starts a run ({@code if}); absent = every event does
     * @param debounce the rule that turns a burst of events into one run; absent = each event starts its own run
     */
    record OnEvent(
            String id,
            String event,
            @Nullable Template condition,
            @Nullable Debounce debounce,
            @Nullable Template input)
            implements Trigger {
        public OnEvent {
            FieldChecks.checkName("id", id);
            FieldChecks.checkName("event", event);
        }
    }

    /**
     * Starts a run at set times.
     *
     * @param schedule a cron expression
     * @param timezone the time zone of the schedule
     * @param missed the runs that it starts for times at which Weir was not running
     */
    record OnSchedule(
            String id,
            String schedule,
            ZoneId timezone,
            MissedRuns missed,
            @Nullable Template input) implements Trigger {
        public OnSchedule {
            FieldChecks.checkName("id", id);
            if (schedule.isBlank()) {
                throw new InvalidDefinition("schedule", "a cron expression, such as '0 6 * * *'", "nothing");
            }
        }
    }

    /**
     * Starts one run for a burst of events, with the last event, after a quiet period.
     *
     * @param key the key that events of one burst share; absent = all events of the trigger are one burst
     * @param period the length of the quiet period
     * @param maxWait the time after which a run starts even without a quiet period; absent = no such bound
     */
    record Debounce(
            @Nullable Template key,
            Duration period,
            @Nullable Duration maxWait) {
        public Debounce {
            if (key != null) {
                FieldChecks.checkKey("key", key);
            }
            FieldChecks.checkRange("period", period, DefinitionBounds.PERIOD_MIN, DefinitionBounds.PERIOD_MAX);
            FieldChecks.checkPositive("max_wait", maxWait);
            if (maxWait != null && maxWait.compareTo(period) < 0) {
                String expected = "at least the period of " + DurationText.format(period);
                throw new InvalidDefinition("max_wait", expected, DurationText.format(maxWait));
            }
        }

        /** Renders the key of an event's burst. Without a key, all events of the trigger are one burst. */
        public String renderKey(Scope scope) {
            return key == null ? "" : FieldChecks.renderKey(key, scope);
        }
    }
}
