package dev.weir.core.run;

import dev.weir.core.command.StartRun;
import dev.weir.core.definition.Trigger;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.TriggerSubmission;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Starts the runs of triggers. The id of such a run follows from its trigger and its event, or its time, so that each
 * event starts at most one run of a trigger.
 */
final class TriggeredRuns {
    /** The largest input that a trigger may render, in characters of JSON. */
    static final int INPUT_CHARS_MAX = EventRow.DATA_CHARS_MAX;

    private final LiveOrganisation org;

    TriggeredRuns(LiveOrganisation org) {
        this.org = org;
    }

    /** Finds the newest plan of a workflow; null if there is none. */
    @Nullable
    Plan findPlan(String workflow) {
        return org.plans == null ? null : org.plans.newest(workflow);
    }

    /** Compiles the expressions of a trigger. Returns false if the rest must wait for the next decision. */
    boolean makeReady(Trigger.OnEvent trigger, boolean mustProgress) {
        Trigger.Debounce debounce = trigger.debounce();
        return makeReady(trigger.condition(), mustProgress)
                && makeReady(debounce == null ? null : debounce.key(), mustProgress)
                && makeReady(trigger.input(), mustProgress);
    }

    private boolean makeReady(@Nullable Template template, boolean mustProgress) {
        return template == null || template.makeReady(org.budget.counter, () -> !mustProgress && org.budget.isSpent());
    }

    /** Starts the run of an event. */
    EventOutcome start(TriggerId id, Trigger.OnEvent trigger, EventRow event, long now) {
        Template template = trigger.input();
        Scope scope = Scope.of("trigger " + id, org.budget.counter).with(Variable.EVENT, event.toExpressionValue());
        JsonNode input;
        try {
            input = template == null ? event.data() : template.render(scope);
        } catch (RenderFailed e) {
            return EventOutcome.failed(id, String.valueOf(e.getMessage()));
        }
        return start(id, id.runOf(event.id()), input, event.lineageOfRun(), now);
    }

    /** Starts the run of a schedule. */
    EventOutcome start(TriggerId id, Trigger.OnSchedule trigger, String time, long now) {
        Template template = trigger.input();
        JsonNode input;
        try {
            input = template == null
                    ? JsonNodeFactory.instance.objectNode()
                    : template.render(Scope.of("trigger " + id, org.budget.counter));
        } catch (RenderFailed e) {
            return EventOutcome.failed(id, String.valueOf(e.getMessage()));
        }
        return start(id, id.runOf(time), input, RunLineage.startedBy("schedule " + id), now);
    }

    /** Adds a dead letter if an event started no run because of an error or a cascade. */
    void recordFailure(EventOutcome outcome, EventRow event, long now) {
        boolean isCascade = outcome.kind() == EventOutcome.Kind.CASCADE;
        if (!isCascade && outcome.kind() != EventOutcome.Kind.FAILED) {
            return;
        }
        RunLineage caused = event.lineageOfRun();
        org.deadLetters.add(
                new DeadLetter.Content(
                        isCascade ? DeadLetter.Kind.CASCADE : DeadLetter.Kind.EVENT,
                        event.id(),
                        outcome.trigger().workflow(),
                        List.of(),
                        isCascade ? DeadLetter.Reason.CASCADE_DETECTED : DeadLetter.Reason.TRIGGER_FAILED,
                        outcome.trigger() + ": " + outcome.reason(),
                        chain(caused.chain()),
                        caused.startedBy() == null ? "" : caused.startedBy(),
                        CanonicalJson.text(new TriggerSubmission.OfEvent(outcome.trigger(), event).toJson())),
                now);
    }

    /** Returns a chain as a dead letter shows it. */
    static List<DeadLetter.ChainLink> chain(CausalChain chain) {
        return chain.links().stream()
                .map(link -> new DeadLetter.ChainLink(
                        DeadLetter.ChainLink.Type.valueOf(link.kind().name()), link.id(), link.name()))
                .toList();
    }

    private EventOutcome start(TriggerId id, String run, JsonNode input, RunLineage lineage, long now) {
        Plan plan = findPlan(id.workflow());
        if (plan == null) {
            return EventOutcome.failed(id, "workflow not found: " + id.workflow());
        }
        int chars = JsonLength.of(input);
        if (chars > INPUT_CHARS_MAX) {
            return EventOutcome.failed(
                    id, "expected an input of at most " + INPUT_CHARS_MAX + " characters, found " + chars);
        }
        String problem = StorableJson.findProblem(input);
        if (problem != null) {
            return EventOutcome.failed(id, "expected an input that Weir can store, found " + problem);
        }
        var request = new RunRequest(
                run,
                plan,
                CanonicalJson.of(input),
                plan.workflow().policy().priority(),
                null,
                new TreeMap<>(),
                RunRequest.Options.DEFAULT,
                lineage);
        return switch (new StartRun(request).decide(org.runControl, now)) {
            case StartRun.Answer.Accepted ignored -> EventOutcome.started(id, run);
            case StartRun.Answer.Existing ignored -> EventOutcome.started(id, run);
            case StartRun.Answer.OtherBody ignored ->
                EventOutcome.failed(id, "expected an unused run id, found another run " + run);
            case StartRun.Answer.Closed closed -> EventOutcome.failed(id, closed.reason());
            case StartRun.Answer.Refused refused -> EventOutcome.failed(id, refused.reason());
            case StartRun.Answer.QueueFull full ->
                EventOutcome.failed(id, full.queue().message());
            case StartRun.Answer.CascadeDetected cascade ->
                EventOutcome.cascade(
                        id,
                        "expected a chain of at most " + cascade.maxDepth() + " runs and events before the run, found "
                                + cascade.depth());
        };
    }
}
