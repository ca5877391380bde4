package dev.weir.server.view;

import dev.weir.api.Events;
import dev.weir.api.Runs;
import dev.weir.core.limit.Moment;
import dev.weir.core.run.ScheduleStatus;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.UnitId;
import dev.weir.engine.records.EventRecord;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Events and schedules as the API shows them. */
public final class EventViews {
    private EventViews() {}

    public static Events.EventView event(EventRecord found, boolean withData) {
        EventRow event = found.event();
        UnitId unit = event.emittedBy();
        return new Events.EventView(
                event.id(),
                event.name(),
                event.source(),
                Moment.toInstant(event.at()),
                event.correlationId(),
                event.lineage().startedBy(),
                unit == null ? null : new Runs.Parent(unit.run(), unit.step(), WireWords.item(unit.item())),
                chain(event.lineage().chain()),
                found.delivered(),
                found.outcomes().stream().map(EventViews::outcome).toList(),
                withData ? event.data() : null);
    }

    /** Returns the links of a chain. */
    static List<Runs.Link> chain(CausalChain chain) {
        return chain.links().stream()
                .map(link -> new Runs.Link(link.kind().word(), link.id(), link.name()))
                .toList();
    }

    private static Events.OutcomeView outcome(EventRecord.Handled handled) {
        EventOutcome outcome = handled.outcome();
        EventRecord.WindowState window = handled.window();
        EventOutcome result = window == null ? null : window.result();
        boolean isMerged = window != null && result != null && !window.last();
        EventOutcome shown = result == null ? outcome : result;
        return new Events.OutcomeView(
                outcome.trigger().workflow(),
                outcome.trigger().trigger(),
                isMerged ? "merged" : word(shown.kind()),
                shown.run(),
                shown.reason(),
                burst(window));
    }

    private static String word(EventOutcome.Kind kind) {
        return kind == EventOutcome.Kind.DEBOUNCED ? "debouncing" : kind.word();
    }

    private static Events.@Nullable Burst burst(EventRecord.@Nullable WindowState window) {
        return window == null ? null : new Events.Burst(window.key(), Moment.toInstant(window.due()), window.events());
    }

    public static Events.ScheduleView schedule(ScheduleStatus status) {
        return new Events.ScheduleView(
                status.row().trigger().workflow(),
                status.row().trigger().trigger(),
                status.schedule().cron(),
                status.schedule().timezone().getId(),
                status.schedule().missed().name().toLowerCase(Locale.ROOT),
                WireWords.of(status.state()),
                status.next().stream().map(Moment::toInstant).toList(),
                Moment.toInstant(status.row().handledTo()),
                status.row().lastRun(),
                status.row().problem());
    }
}
