package dev.weir.core.run;

import dev.weir.core.command.EventControl;
import dev.weir.core.command.ReceiveEvent;
import dev.weir.core.definition.Trigger;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Variable;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.EventRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.PendingEvent;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.TriggerSubmission;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to the triggers of the newest versions, in the order of arrival. Received and emitted events take the
 * same path. One decision handles as many triggers as its budget allows; the next one continues after the last trigger.
 */
final class EventDelivery implements EventControl {
    /** The number of undelivered events above which no more are received. */
    static final int PENDING_MAX = 10_000;
    /** The total size of the undelivered events above which no more are received, in characters. */
    static final long PENDING_CHARS_MAX = 32L * 1_024 * 1_024;

    private final LiveOrganisation org;
    private final TriggerIndex index;
    private final ArrayDeque<PendingEvent> pending = new ArrayDeque<>();
    private final Map<String, Integer> receivedNow = new HashMap<>();
    private long pendingChars;
    private long lastEvent;

    EventDelivery(LiveOrganisation org) {
        this.org = org;
        this.index = new TriggerIndex(org.workflows);
        org.workflows.onChange((workflow, now) -> {
            index.update(workflow);
            org.schedules.update(workflow, now);
        });
    }

    void restore(EventRows rows) {
        index.restore();
        lastEvent = rows.lastEvent();
        rows.pending().forEach(this::add);
    }

    EventRows rows() {
        return new EventRows(
                List.copyOf(pending),
                org.debounce.windows(),
                org.schedules.rows(),
                lastEvent,
                org.debounce.lastWindow());
    }

    private void add(PendingEvent event) {
        pending.add(event);
        pendingChars += event.event().chars();
    }

    @Override
    public @Nullable Integer findReceived(String id) {
        return receivedNow.get(id);
    }

    @Override
    public boolean isFull() {
        return pending.size() >= PENDING_MAX || pendingChars >= PENDING_CHARS_MAX;
    }

    @Override
    public EventRow receive(ReceiveEvent command, long now) {
        RunLineage lineage = RunLineage.startedBy(command.sentBy()).withChain(CausalChain.of(command.correlationId()));
        lastEvent++;
        var event = new EventRow(
                lastEvent, command.id(), command.name(), command.source(), command.payload(), null, lineage, now);
        receivedNow.put(event.id(), event.fingerprint());
        accept(event, now);
        return event;
    }

    @Override
    public EventOutcome submit(TriggerSubmission submission, long now) {
        return switch (submission) {
            case TriggerSubmission.OfEvent ofEvent -> submit(ofEvent.trigger(), ofEvent.event(), now);
            case TriggerSubmission.OfTime ofTime -> org.schedules.start(ofTime.trigger(), ofTime.time(), now);
        };
    }

    private EventOutcome submit(TriggerId id, EventRow event, long now) {
        for (Trigger.OnEvent trigger : triggers(id.workflow(), event.name())) {
            if (trigger.id().equals(id.trigger())) {
                return submit(id, trigger, event, now);
            }
        }
        return EventOutcome.failed(
                id,
                org.stops.isArchived(id.workflow())
                        ? "workflow " + id.workflow() + " is archived; open it first"
                        : "the newest version of workflow " + id.workflow() + " has no trigger " + id.trigger()
                                + " for " + event.name());
    }

    private EventOutcome submit(TriggerId id, Trigger.OnEvent trigger, EventRow event, long now) {
        try {
            boolean isReady = org.triggeredRuns.makeReady(trigger, true);
            return isReady && isFiltered(id, trigger, event)
                    ? EventOutcome.filtered(id)
                    : org.triggeredRuns.start(id, trigger, event, now);
        } catch (RenderFailed e) {
            return EventOutcome.failed(id, String.valueOf(e.getMessage()));
        }
    }

    /** Accepts an event that a step emits, and gives it its number. */
    void emit(EventRow unnumbered) {
        lastEvent++;
        accept(unnumbered.withNumber(lastEvent), unnumbered.at());
    }

    private void accept(EventRow event, long now) {
        add(new PendingEvent(event, null, 0));
        org.moves.add(new Move.EventReceived(event, now));
    }

    /** True if an advance can deliver something. */
    boolean hasPendingWork() {
        return !pending.isEmpty();
    }

    /** Delivers pending events until the budget of the decision is spent, at least to one trigger. */
    void deliver(long now) {
        receivedNow.clear();
        for (boolean first = true; !pending.isEmpty() && (first || !org.budget.isSpent()); first = false) {
            if (!deliverFirst(first, now)) {
                return;
            }
        }
    }

    /** Delivers the oldest event. Returns false if the rest of its triggers must wait for the next decision. */
    private boolean deliverFirst(boolean mustProgress, long now) {
        PendingEvent head = pending.element();
        boolean first = mustProgress;
        TriggerId begun = head.handledTo();
        SortedSet<String> all = index.workflows(head.event().name());
        for (String workflow : begun == null ? all : all.tailSet(begun.workflow())) {
            TriggerId handledTo = pending.element().handledTo();
            for (Trigger.OnEvent trigger : triggers(workflow, head.event().name())) {
                var id = new TriggerId(workflow, trigger.id());
                if (handledTo != null && id.compareTo(handledTo) <= 0) {
                    continue;
                }
                if ((!first && org.budget.isSpent()) || !org.triggeredRuns.makeReady(trigger, first)) {
                    return false;
                }
                first = false;
                EventOutcome outcome = handle(id, trigger, head.event(), now);
                org.triggeredRuns.recordFailure(outcome, head.event(), now);
                org.moves.add(new Move.EventHandled(head.event().number(), outcome, now));
                replaceFirst(pending.element().after(id));
            }
        }
        PendingEvent delivered = pending.remove();
        pendingChars -= delivered.event().chars();
        org.moves.add(new Move.EventDelivered(delivered.event().number(), delivered.handled(), now));
        return true;
    }

    private void replaceFirst(PendingEvent event) {
        pending.removeFirst();
        pending.addFirst(event);
    }

    /** Returns the triggers of a workflow's newest version for an event, by id. An archived workflow has none. */
    private List<Trigger.OnEvent> triggers(String workflow, String event) {
        List<Trigger.OnEvent> found = new ArrayList<>();
        if (org.stops.isArchived(workflow)) {
            return found;
        }
        Plan plan = org.triggeredRuns.findPlan(workflow);
        for (Trigger trigger :
                plan == null ? List.<Trigger>of() : plan.workflow().triggers()) {
            if (trigger instanceof Trigger.OnEvent onEvent && onEvent.event().equals(event)) {
                found.add(onEvent);
            }
        }
        found.sort(Comparator.comparing(Trigger.OnEvent::id));
        return found;
    }

    /** Returns the debounce of a trigger: its own, or else the one that an operator set for its workflow or for all. */
    private Trigger.@Nullable Debounce debounce(TriggerId id, Trigger.OnEvent trigger, long now) {
        if (trigger.debounce() != null) {
            return trigger.debounce();
        }
        Long period = org.operatorSettings.defaultDebounce(id.workflow(), now);
        return period == null ? null : new Trigger.Debounce(null, Duration.of(period, ChronoUnit.MICROS), null);
    }

    private EventOutcome handle(TriggerId id, Trigger.OnEvent trigger, EventRow event, long now) {
        try {
            if (isFiltered(id, trigger, event)) {
                return EventOutcome.filtered(id);
            }
            Trigger.Debounce debounce = debounce(id, trigger, now);
            return debounce == null
                    ? org.triggeredRuns.start(id, trigger, event, now)
                    : org.debounce.add(id, debounce, debounce.renderKey(scope(id, event)), event, now);
        } catch (RenderFailed e) {
            return EventOutcome.failed(id, String.valueOf(e.getMessage()));
        }
    }

    /** True if the condition of the trigger is false. Throws {@link RenderFailed} if it cannot be evaluated. */
    private boolean isFiltered(TriggerId id, Trigger.OnEvent trigger, EventRow event) {
        return trigger.condition() != null && !trigger.condition().evaluateCondition(scope(id, event));
    }

    private Scope scope(TriggerId id, EventRow event) {
        return Scope.of("trigger " + id, org.budget.counter).with(Variable.EVENT, event.toExpressionValue());
    }
}
