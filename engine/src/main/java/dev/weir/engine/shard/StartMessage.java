package dev.weir.engine.shard;

import dev.weir.core.json.Keepable;
import dev.weir.core.life.JsonLength;
import dev.weir.core.life.Move;
import dev.weir.core.life.Origin;
import dev.weir.core.life.Plan;
import dev.weir.core.life.StartRun;
import dev.weir.core.life.WorkflowVersion;
import dev.weir.engine.StartAnswer;
import dev.weir.engine.StartRequest;
import dev.weir.engine.journal.InboxStart;
import org.jspecify.annotations.Nullable;

/** A start of the newest version of a workflow. */
final class StartMessage extends Message<StartAnswer> {
    /** The largest input of a run, in characters of JSON. */
    static final int INPUT_CHARS_MAX = 256 * 1024;

    final StartRequest request;
    /** What was found in the store, if it was; it stays there until it is committed as taken. */
    final @Nullable InboxStart left;

    /** What was found out about it before: it cannot be carried out. */
    private final @Nullable String fails;

    private final int inputChars;
    private final @Nullable String misfit;
    private @Nullable StartAnswer answer;
    private Move.@Nullable StartRefused refused;

    StartMessage(String org, StartRequest request, long since) {
        this(org, request, null, null, since);
    }

    /** A start that was found in the store, of which it may be known that it fails. */
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
        String misfit = Keepable.misfit(request.run());
        for (var label : request.labels().entrySet()) {
            misfit = misfit == null ? Keepable.misfit(label.getKey()) : misfit;
            misfit = misfit == null ? Keepable.misfit(label.getValue()) : misfit;
        }
        return misfit == null ? Keepable.misfit(request.input()) : misfit;
    }

    /** Whether its id is one that a run can have. */
    boolean fits() {
        return misfit == null && request.run().length() <= StartRun.RUN_CHARS_MAX;
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
    void decide(Turn turn) {
        if (fails != null) {
            refuse(turn, Move.StartRefused.Why.FAILED, fails);
            return;
        }
        answer = answer(turn);
        if (left != null) {
            switch (answer) {
                case StartAnswer.Started ignored -> {}
                case StartAnswer.Existing ignored -> {}
                case StartAnswer.OtherBody ignored ->
                    refuse(
                            turn,
                            Move.StartRefused.Why.CONFLICT,
                            "a run of this id was started with another body before");
                case StartAnswer.Refused no -> refuse(turn, Move.StartRefused.Why.REFUSED, no.reason());
                case StartAnswer.UnknownWorkflow unknown ->
                    refuse(turn, Move.StartRefused.Why.UNKNOWN_WORKFLOW, unknown.words());
            }
        }
    }

    /** Nobody waits to be told, so it is kept in the transaction that takes the start out of the inbox. */
    private void refuse(Turn turn, Move.StartRefused.Why why, String message) {
        String by = left == null ? "" : left.by();
        refused = new Move.StartRefused(request.run(), request.workflow(), why, message, by, turn.now());
        turn.moves.add(refused);
    }

    /** Why a start that was found in the store was not carried out, if it was not. */
    Move.@Nullable StartRefused refused() {
        return refused;
    }

    private StartAnswer answer(Turn turn) {
        if (misfit != null) {
            return new StartAnswer.Refused(
                    "the id, the labels and the input must be text and numbers that can be kept, found " + misfit);
        }
        if (inputChars > INPUT_CHARS_MAX) {
            return new StartAnswer.Refused("input must be at most " + INPUT_CHARS_MAX + " characters of JSON, found "
                    + inputChars + "; keep large data elsewhere and give its address");
        }
        if (request.run().length() > StartRun.RUN_CHARS_MAX) {
            return new StartAnswer.Refused("the id of a run must be at most " + StartRun.RUN_CHARS_MAX
                    + " characters, found " + request.run().length());
        }
        WorkflowVersion newest =
                turn.organisation().findWorkflow(request.workflow()).orElse(null);
        if (newest == null) {
            var nearest = turn.organisation().findNearestWorkflow(request.workflow(), turn.now());
            return new StartAnswer.UnknownWorkflow(request.workflow(), nearest.orElse(null));
        }
        Plan plan = turn.plan(request.workflow(), newest.version());
        StartRun start;
        try {
            start = command(plan);
        } catch (IllegalArgumentException e) {
            return new StartAnswer.Refused(String.valueOf(e.getMessage()));
        }
        return answer(turn.handle(start), plan);
    }

    private StartRun command(Plan plan) {
        Integer own = request.priority();
        int priority = own == null ? plan.workflow().policy().priority() : own;
        return new StartRun(
                request.run(),
                plan,
                request.input(),
                priority,
                request.flowControl(),
                request.labels(),
                request.options().asking(own),
                Origin.NONE);
    }

    private StartAnswer answer(StartRun.Answer decided, Plan plan) {
        return switch (decided) {
            case StartRun.Answer.Accepted accepted ->
                new StartAnswer.Started(request.run(), accepted.state(), plan.version());
            case StartRun.Answer.Existing existing -> new StartAnswer.Existing(request.run(), existing.state());
            case StartRun.Answer.OtherBody ignored -> new StartAnswer.OtherBody(request.run());
            case StartRun.Answer.Refused refused -> new StartAnswer.Refused(refused.reason());
            case StartRun.Answer.CascadeDetected cascade ->
                new StartAnswer.Refused("cascade_detected: expected a chain of at most " + cascade.most()
                        + " runs and events before it, found " + cascade.depth());
        };
    }

    @Override
    Runnable tell(Turn turn) {
        StartAnswer told = answer;
        if (told != null) {
            return () -> future.complete(told);
        }
        if (left == null) {
            throw new IllegalStateException("expected an answer to the start of " + request.run() + ", found none");
        }
        return () -> {};
    }
}
