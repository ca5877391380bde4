package dev.weir.engine.shard;

import dev.weir.core.command.RecordDeadLetter;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.StartRun;
import dev.weir.core.definition.TriggerCall;
import dev.weir.core.definition.Workflow;
import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.WorkflowVersion;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.request.TriggeredStart;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A start of the newest version of a workflow. */
final class StartMessage extends Message<StartOutcome> {
    /** The largest input of a run, in characters of JSON. */
    static final int INPUT_CHARS_MAX = 256 * 1024;

    final StartRequest request;
    /** The row in the inbox, if the start came from there. It stays there until its removal is committed. */
    final @Nullable InboxStart inboxStart;

    /** The reason why an earlier pass could not carry it out. */
    private final @Nullable String knownFailure;

    /** True if it is a call without a definition, which alone may use Weir's own workflow. */
    private final boolean isTriggered;

    private final RunLineage lineage;
    private final int inputChars;
    private final @Nullable String problem;
    private @Nullable StartOutcome answer;
    private @Nullable DeadLetter refused;

    StartMessage(String org, StartRequest request, Attribution by, long arrivedAt) {
        super(org, arrivedAt);
        this.request = request;
        this.isTriggered = false;
        this.inboxStart = null;
        this.knownFailure = null;
        this.lineage = RunLineage.startedBy(by.actor()).withChain(CausalChain.of(request.correlationId()));
        this.inputChars = JsonLength.of(request.input());
        this.problem = findProblem(request);
    }

    /** Creates a message for a call without a definition. */
    static StartMessage triggered(String org, TriggeredStart request, Attribution by, long arrivedAt) {
        return new StartMessage(org, request, by, arrivedAt);
    }

    /** Creates a message for a start from the inbox, with the reason why it fails if that is known. */
    static StartMessage from(InboxStart inboxStart, @Nullable String knownFailure, long arrivedAt) {
        return new StartMessage(
                inboxStart, inboxStart.unreadable() == null ? knownFailure : inboxStart.unreadable(), arrivedAt);
    }

    private StartMessage(String org, TriggeredStart triggered, Attribution by, long arrivedAt) {
        super(org, arrivedAt);
        this.request = triggered.toStartRequest();
        this.isTriggered = true;
        this.inboxStart = null;
        this.knownFailure = null;
        this.lineage = RunLineage.startedBy(by.actor()).withChain(CausalChain.of(request.correlationId()));
        this.inputChars = JsonLength.of(request.input());
        this.problem = findProblem(request);
    }

    private StartMessage(InboxStart inboxStart, @Nullable String knownFailure, long arrivedAt) {
        super(inboxStart.org(), arrivedAt);
        this.request = inboxStart.request();
        this.isTriggered = false;
        this.inboxStart = inboxStart;
        this.knownFailure = knownFailure;
        this.lineage = RunLineage.startedBy(StorableJson.sanitize(inboxStart.by(), Attribution.ACTOR_CHARS_MAX));
        this.inputChars = JsonLength.of(request.input());
        this.problem = findProblem(request);
    }

    private static @Nullable String findProblem(StartRequest request) {
        String problem = StorableJson.findProblem(request.run());
        if (problem == null && request.correlationId() != null) {
            problem = StorableJson.findProblem(request.correlationId());
        }
        for (var label : request.labels().entrySet()) {
            problem = problem == null ? StorableJson.findProblem(label.getKey()) : problem;
            problem = problem == null ? StorableJson.findProblem(label.getValue()) : problem;
        }
        return problem == null ? StorableJson.findProblem(request.input()) : problem;
    }

    /** True if the id is valid for a run. */
    boolean hasValidId() {
        return problem == null && request.run().length() <= RunRequest.RUN_CHARS_MAX;
    }

    @Override
    boolean canDefer(OrganisationBatch orgBatch) {
        if (inboxStart != null && orgBatch.organisation().isReportBudgetSpent()) {
            // The same transaction removes the start from the inbox. So everything is undone, and the next pass takes
            // fewer.
            throw new StartInbox.InboxPassFailed();
        }
        return inboxStart == null;
    }

    @Override
    String describe() {
        return "StartRun of run " + request.run();
    }

    @Override
    int bytes() {
        return BASE_BYTES + inputChars;
    }

    @Override
    Rank rank() {
        return Rank.NEW_WORK;
    }

    @Override
    void decide(OrganisationBatch orgBatch) {
        if (knownFailure != null) {
            refuse(orgBatch, DeadLetter.Reason.FAILED, knownFailure);
            return;
        }
        answer = answer(orgBatch);
        if (inboxStart != null) {
            switch (answer) {
                case StartOutcome.Started ignored -> {}
                case StartOutcome.Existing ignored -> {}
                case StartOutcome.OtherBody ignored ->
                    refuse(
                            orgBatch,
                            DeadLetter.Reason.CONFLICT,
                            "a run with this id was already started with a different body");
                case StartOutcome.Closed closed -> refuseUnlessSuspended(orgBatch, closed);
                case StartOutcome.Refused refusal -> refuse(orgBatch, DeadLetter.Reason.REFUSED, refusal.reason());
                case StartOutcome.QueueFull full ->
                    refuse(orgBatch, DeadLetter.Reason.REFUSED, full.queue().message());
                case StartOutcome.UnknownWorkflow unknown ->
                    refuse(orgBatch, DeadLetter.Reason.UNKNOWN_WORKFLOW, unknown.message());
            }
        }
    }

    /** Refuses a start that was left for an archived workflow. While the organisation is suspended, it stays in the inbox. */
    private void refuseUnlessSuspended(OrganisationBatch orgBatch, StartOutcome.Closed closed) {
        if (orgBatch.organisation().isSuspended()) {
            // The suspension was decided after the starts were taken. The next pass leaves them in the inbox.
            throw new StartInbox.InboxPassFailed();
        }
        refuse(orgBatch, DeadLetter.Reason.REFUSED, closed.reason());
    }

    @Nullable
    StartOutcome answer() {
        return answer;
    }

    /** Updates the state, because the run may have begun, or even ended, in the same decision. */
    @Override
    void refreshAnswer(OrganisationBatch orgBatch) {
        if (answer instanceof StartOutcome.Started started) {
            RunState state = orgBatch.organisation().findState(started.run()).orElse(started.state());
            answer = new StartOutcome.Started(started.run(), state, started.version());
        }
    }

    /**
     * Records the refusal, so that the transaction that removes the start from the inbox stores it. No caller
     * waits for it.
     */
    private void refuse(OrganisationBatch orgBatch, DeadLetter.Reason why, String message) {
        String by = inboxStart == null ? "" : inboxStart.by();
        refused = orgBatch.handle(new RecordDeadLetter(new DeadLetter.Content(
                DeadLetter.Kind.REFUSED_START,
                request.run(),
                request.workflow(),
                List.of(),
                why,
                message,
                List.of(),
                by,
                inboxStart == null ? null : inboxStart.submission())));
    }

    /** The refusal of a start from the inbox, if it was refused. */
    @Nullable
    DeadLetter refused() {
        return refused;
    }

    private StartOutcome answer(OrganisationBatch orgBatch) {
        if (problem != null) {
            return new StartOutcome.Refused(
                    "the id, the labels and the input must be text and numbers that Weir can store, found " + problem);
        }
        if (inputChars > INPUT_CHARS_MAX) {
            return new StartOutcome.Refused("input must be at most " + INPUT_CHARS_MAX + " characters of JSON, found "
                    + inputChars + "; store large data elsewhere and pass its address");
        }
        if (request.run().length() > RunRequest.RUN_CHARS_MAX) {
            return new StartOutcome.Refused("the id of a run must be at most " + RunRequest.RUN_CHARS_MAX
                    + " characters, found " + request.run().length());
        }
        if (Workflow.isReserved(request.workflow()) && !isTriggered) {
            return new StartOutcome.Refused("only Weir itself starts runs of " + request.workflow()
                    + "; use POST /v1/trigger for a call without a workflow");
        }
        WorkflowVersion newest = findNewest(orgBatch);
        if (newest == null) {
            var nearest = orgBatch.organisation().findNearestWorkflow(request.workflow(), orgBatch.now());
            return new StartOutcome.UnknownWorkflow(request.workflow(), nearest.orElse(null));
        }
        Plan plan = orgBatch.plan(request.workflow(), newest.version());
        StartRun start;
        try {
            start = command(plan);
        } catch (IllegalArgumentException e) {
            return new StartOutcome.Refused(String.valueOf(e.getMessage()));
        }
        return answer(orgBatch.handle(start), plan);
    }

    /** Returns the newest version of the workflow. Weir's own workflow is registered when it is first needed. */
    private @Nullable WorkflowVersion findNewest(OrganisationBatch orgBatch) {
        WorkflowVersion newest =
                orgBatch.organisation().findWorkflow(request.workflow()).orElse(null);
        if (!isTriggered || (newest != null && newest.hash().equals(TriggerCall.workflowHash()))) {
            return newest;
        }
        int version =
                orgBatch.handle(new RegisterWorkflow(TriggerCall.workflow())).version();
        return new WorkflowVersion(version, TriggerCall.workflowHash());
    }

    private StartRun command(Plan plan) {
        Integer requestedPriority = request.priority();
        int priority = requestedPriority == null ? plan.workflow().policy().priority() : requestedPriority;
        return new StartRun(new RunRequest(
                request.run(),
                plan,
                request.input(),
                priority,
                request.flowControl(),
                request.labels(),
                request.options().withPriority(requestedPriority),
                lineage));
    }

    private StartOutcome answer(StartRun.Answer decided, Plan plan) {
        return switch (decided) {
            case StartRun.Answer.Accepted accepted ->
                new StartOutcome.Started(request.run(), accepted.state(), plan.version());
            case StartRun.Answer.Existing existing -> new StartOutcome.Existing(request.run(), existing.state());
            case StartRun.Answer.OtherBody ignored -> new StartOutcome.OtherBody(request.run());
            case StartRun.Answer.Closed closed -> new StartOutcome.Closed(closed.reason());
            case StartRun.Answer.QueueFull full -> new StartOutcome.QueueFull(full.queue());
            case StartRun.Answer.Refused refused -> new StartOutcome.Refused(refused.reason());
            case StartRun.Answer.CascadeDetected cascade ->
                new StartOutcome.Refused("cascade_detected: expected a chain of at most " + cascade.maxDepth()
                        + " runs and events before it, found " + cascade.depth());
        };
    }

    @Override
    Runnable prepareResponse(OrganisationBatch orgBatch) {
        StartOutcome response = answer;
        if (response != null) {
            return () -> future.complete(response);
        }
        if (inboxStart == null) {
            throw new IllegalStateException("expected an answer to the start of " + request.run() + ", found none");
        }
        return () -> {};
    }
}
