package dev.weir.api;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests and responses about events and schedules. */
public final class Events {
    /** The most events of one request. */
    public static final int BATCH_MAX = 500;

    public static final int ID_CHARS_MAX = 256;
    public static final int NAME_CHARS_MAX = 128;
    public static final int SOURCE_CHARS_MAX = 1_024;

    private Events() {}

    /**
     * An event to send. The names of a CloudEvent are accepted too.
     *
     * @param id the id, unique within the organisation; the same id with the same body is the same event
     * @param event the name of the event, which triggers refer to; {@code type} in a CloudEvent
     * @param data any JSON; absent = an empty object
     * @param source the sender, as it calls itself
     * @param correlationId the id that the event shares with what led to it; absent = its own id
     * @param specversion the version of CloudEvents, 1.0; the other attributes of a CloudEvent are not kept
     */
    public record SendEventRequest(
            @Nullable String id,
            @JsonAlias("type") String event,
            @Nullable JsonNode data,
            @Nullable String source,
            @Nullable String correlationId,
            @Nullable String specversion,
            @Nullable String subject,
            @Nullable String time,
            @Nullable String datacontenttype,
            @Nullable String dataschema) {
        public SendEventRequest {
            event = InvalidValue.text("event", event, NAME_CHARS_MAX);
            checkText("id", id, ID_CHARS_MAX);
            checkText("source", source, SOURCE_CHARS_MAX);
            checkText("correlation_id", correlationId, ID_CHARS_MAX);
            if (specversion != null && !specversion.equals("1.0")) {
                throw new InvalidValue("specversion", "1.0", "'" + specversion + "'");
            }
        }

        public static SendEventRequest of(@Nullable String id, String event, @Nullable JsonNode data) {
            return new SendEventRequest(id, event, data, null, null, null, null, null, null, null);
        }

        private static void checkText(String field, @Nullable String value, int charsMax) {
            if (value != null) {
                InvalidValue.text(field, value, charsMax);
            }
        }
    }

    /** A request to send several events. */
    public record SendEvents(List<SendEventRequest> events) {
        public SendEvents {
            events =
                    InvalidValue.each("events", "an event", InvalidValue.present("events", "a list of events", events));
            if (events.isEmpty() || events.size() > BATCH_MAX) {
                throw new InvalidValue("events", "from 1 to " + BATCH_MAX + " events", String.valueOf(events.size()));
            }
        }
    }

    /**
     * An event that was stored, or that was stored before.
     *
     * @param created true if this request created it
     */
    public record SentEvent(String id, boolean created) {}

    /**
     * The result for one event of a batch.
     *
     * @param outcome created, existing, conflict or refused
     */
    public record SendResult(
            @Nullable String id, String outcome, @Nullable String detail) {}

    public record SendResults(List<SendResult> results) {}

    /**
     * A stored event.
     *
     * @param data the data; absent in lists
     * @param emittedBy the step that emitted it; absent if it was sent
     * @param sentBy the token or program that sent it
     * @param chain the runs and events that led to it, oldest first
     * @param delivered true once all triggers have handled it
     * @param outcomes what the triggers made of it so far; none if no trigger refers to it
     */
    public record EventView(
            String id,
            String event,
            @Nullable String source,
            Instant at,
            String correlationId,
            @Nullable String sentBy,
            Runs.@Nullable Parent emittedBy,
            List<Runs.Link> chain,
            boolean delivered,
            List<OutcomeView> outcomes,
            @Nullable JsonNode data) {}

    /**
     * The outcome of an event at one trigger.
     *
     * @param outcome started, merged, debouncing, filtered, cascade or failed
     * @param run the run that it started, or that it was merged into
     * @param reason the reason why it started none
     * @param debounce the burst that it belongs to
     */
    public record OutcomeView(
            String workflow,
            String trigger,
            String outcome,
            @Nullable String run,
            @Nullable String reason,
            @Nullable Burst debounce) {}

    /**
     * A burst of events that starts one run.
     *
     * @param due the time at which it ends if no more events come
     * @param events the number of its events
     */
    public record Burst(String key, Instant due, int events) {}

    public record EventPage(
            List<EventView> events, @Nullable String next) {}

    /**
     * A schedule of the newest version of a workflow.
     *
     * @param missed skip, once or all
     * @param state active; or paused or archived, like the workflow; or suspended, like the organisation
     * @param next the next times
     * @param handledTo the last time for which its runs were started or skipped
     * @param lastRun the last run that it started
     * @param problem the reason why its last start failed
     */
    public record ScheduleView(
            String workflow,
            String trigger,
            String schedule,
            String timezone,
            String missed,
            String state,
            List<Instant> next,
            Instant handledTo,
            @Nullable String lastRun,
            @Nullable String problem) {}

    public record SchedulePage(
            List<ScheduleView> schedules, @Nullable String next) {}
}
