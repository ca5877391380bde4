package dev.weir.engine.shard;

import dev.weir.core.life.JsonLength;
import dev.weir.core.life.Origin;
import dev.weir.core.life.Plan;
import dev.weir.core.life.StartRun;
import dev.weir.core.life.WorkflowVersion;
import dev.weir.core.naming.Nearest;
import dev.weir.engine.StartAnswer;
import dev.weir.engine.StartRequest;
import org.jspecify.annotations.Nullable;

/** A start of the newest version of a workflow. */
final class StartMessage extends Message<StartAnswer> {
    /** The largest input of a run, in characters of JSON. */
    static final int INPUT_CHARS_MAX = 256 * 1024;

    final StartRequest request;
    /** Whether it was found in the store; it stays there until it is committed as taken. */
    boolean fromInbox;

    private final int inputChars;
    private @Nullable StartAnswer answer;

    StartMessage(String org, StartRequest request, long since) {
        super(org, since);
        this.request = request;
        this.inputChars = JsonLength.of(request.input());
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
        answer = answer(turn);
    }

    private StartAnswer answer(Turn turn) {
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
            var known = turn.organisation().workflowNames();
            return new StartAnswer.UnknownWorkflow(
                    request.workflow(), Nearest.to(request.workflow(), known).orElse(null));
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
                request.options(),
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
        StartAnswer told = answer();
        return () -> future.complete(told);
    }

    StartAnswer answer() {
        if (answer == null) {
            throw new IllegalStateException("expected an answer to the start of " + request.run() + ", found none");
        }
        return answer;
    }
}
