package dev.weir.engine.shard;

import dev.weir.core.command.StartRun;
import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.WorkflowVersion;
import dev.weir.engine.StartOutcome;
import dev.weir.engine.StartRequest;
import dev.weir.engine.journal.InboxStart;
import org.jspecify.annotations.Nullable;

/** A start of the newest version of a workflow. */
final class StartMessage extends Message<StartOutcome> {
    /** The largest input of a run, in characters of JSON. */
    static final int INPUT_CHARS_MAX = 256 * 1024;

    final StartRequest request;
    /** The row in the inbox, if the start came from there. It stays there until its removal is committed. */
    final @Nullable InboxStart left;

    /** The reason why an earlier pass could not carry it out. */
    private final @Nullable String fails;

    private final int inputChars;
    private final @Nullable String misfit;
    private @Nullable StartOutcome answer;
    private Move.@Nullable StartRefused refused;

    StartMessage(String org, StartRequest request, long since) {
        this(org, request, null, null, since);
    }

    /** Creates a message for a start from the inbox, with the reason why it fails if that is known. */
    static StartMessage from(InboxStart left, @Nullable String fails, long since) {
        return new StartMessage(
                left.org(), left.request(), left, left.unreadable() == null ? fails : left.unreadable(), since);
    }

    private StartMessage(
            String org, StartRequest request, @Nullable InboxStart left, @Nullable String fails, long since) {
        super(org, since);
        this.request = request;
        this.left = left;
        this.fails = fails;
        this.inputChars = JsonLength.of(request.input());
        this.misfit = misfit(request);
    }

    private static @Nullable String misfit(StartRequest request) {
        String misfit = StorableJson.misfit(request.run());
        for (var label : request.labels().entrySet()) {
            misfit = misfit == null ? StorableJson.misfit(label.getKey()) : misfit;
            misfit = misfit == null ? StorableJson.misfit(label.getValue()) : misfit;
        }
        return misfit == null ? StorableJson.misfit(request.input()) : misfit;
    }

    /** True if the id is valid for a run. */
    boolean fits() {
        return misfit == null && request.run().length() <= RunRequest.RUN_CHARS_MAX;
    }

    @Override
    boolean waits(OrganisationBatch turn) {
        if (left != null && turn.organisation().hasSpentItsReports()) {
            // The same transaction removes the start from the inbox. So everything is undone, and the next pass takes
            // fewer.
            throw new StartInbox.InDoubt();
        }
        return left == null;
    }

    @Override
    String what() {
        return "StartRun of run " + request.run();
    }

    @Override
    int bytes() {
        return SMALL + inputChars;
    }

    @Override
    Rank rank() {
        return Rank.NEW_WORK;
    }

    @Override
    void decide(OrganisationBatch turn) {
        if (fails != null) {
            refuse(turn, Move.StartRefused.Why.FAILED, fails);
            return;
        }
        answer = answer(turn);
        if (left != null) {
            switch (answer) {
                case StartOutcome.Started ignored -> {}
                case StartOutcome.Existing ignored -> {}
                case StartOutcome.OtherBody ignored ->
                    refuse(
                            turn,
                            Move.StartRefused.Why.CONFLICT,
                            "a run of this id was started with another body before");
                case StartOutcome.Refused no -> refuse(turn, Move.StartRefused.Why.REFUSED, no.reason());
                case StartOutcome.UnknownWorkflow unknown ->
                    refuse(turn, Move.StartRefused.Why.UNKNOWN_WORKFLOW, unknown.words());
            }
        }
    }

    /** Updates the state, because the run may have begun, or even ended, in the same decision. */
    @Override
    void decided(OrganisationBatch turn) {
        if (answer instanceof StartOutcome.Started started) {
            RunState state = turn.organisation().findState(started.run()).orElse(started.state());
            answer = new StartOutcome.Started(started.run(), state, started.version());
        }
    }

    /**
     * Adds the refusal to the moves, so that the transaction that removes the start from the inbox stores it. No caller
     * waits for it.
     */
    private void refuse(OrganisationBatch turn, Move.StartRefused.Why why, String message) {
        String by = left == null ? "" : left.by();
        refused = new Move.StartRefused(request.run(), request.workflow(), why, message, by, turn.now());
        turn.moves.add(refused);
    }

    /** The refusal of a start from the inbox, if it was refused. */
    Move.@Nullable StartRefused refused() {
        return refused;
    }

    private StartOutcome answer(OrganisationBatch turn) {
        if (misfit != null) {
            return new StartOutcome.Refused(
                    "the id, the labels and the input must be text and numbers that can be kept, found " + misfit);
        }
        if (inputChars > INPUT_CHARS_MAX) {
            return new StartOutcome.Refused("input must be at most " + INPUT_CHARS_MAX + " characters of JSON, found "
                    + inputChars + "; keep large data elsewhere and give its address");
        }
        if (request.run().length() > RunRequest.RUN_CHARS_MAX) {
            return new StartOutcome.Refused("the id of a run must be at most " + RunRequest.RUN_CHARS_MAX
                    + " characters, found " + request.run().length());
        }
        WorkflowVersion newest =
                turn.organisation().findWorkflow(request.workflow()).orElse(null);
        if (newest == null) {
            var nearest = turn.organisation().findNearestWorkflow(request.workflow(), turn.now());
            return new StartOutcome.UnknownWorkflow(request.workflow(), nearest.orElse(null));
        }
        Plan plan = turn.plan(request.workflow(), newest.version());
        StartRun start;
        try {
            start = command(plan);
        } catch (IllegalArgumentException e) {
            return new StartOutcome.Refused(String.valueOf(e.getMessage()));
        }
        return answer(turn.handle(start), plan);
    }

    private StartRun command(Plan plan) {
        Integer own = request.priority();
        int priority = own == null ? plan.workflow().policy().priority() : own;
        return new StartRun(new RunRequest(
                request.run(),
                plan,
                request.input(),
                priority,
                request.flowControl(),
                request.labels(),
                request.options().asking(own),
                RunLineage.NONE));
    }

    private StartOutcome answer(StartRun.Answer decided, Plan plan) {
        return switch (decided) {
            case StartRun.Answer.Accepted accepted ->
                new StartOutcome.Started(request.run(), accepted.state(), plan.version());
            case StartRun.Answer.Existing existing -> new StartOutcome.Existing(request.run(), existing.state());
            case StartRun.Answer.OtherBody ignored -> new StartOutcome.OtherBody(request.run());
            case StartRun.Answer.Refused refused -> new StartOutcome.Refused(refused.reason());
            case StartRun.Answer.CascadeDetected cascade ->
                new StartOutcome.Refused("cascade_detected: expected a chain of at most " + cascade.most()
                        + " runs and events before it, found " + cascade.depth());
        };
    }

    @Override
    Runnable tell(OrganisationBatch turn) {
        StartOutcome told = answer;
        if (told != null) {
            return () -> future.complete(told);
        }
        if (left == null) {
            throw new IllegalStateException("expected an answer to the start of " + request.run() + ", found none");
        }
        return () -> {};
    }
}
