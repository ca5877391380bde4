package dev.weir.engine.shard;

import dev.weir.core.command.RetryRun;
import dev.weir.core.command.StartRun;
import dev.weir.core.json.JsonLength;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.engine.RetryOutcome;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.ShardOwnership;
import org.jspecify.annotations.Nullable;

/** A retry of an ended run. The old run is read from history before the decision, because it no longer changes. */
final class RetryMessage extends Message<RetryOutcome> {
    private final String run;
    private final String as;
    private @Nullable PastRun past;
    private @Nullable RetryOutcome answer;

    /**
     * Creates the message.
     *
     * @param as id of the new run
     */
    RetryMessage(String org, String run, String as, long since) {
        super(org, since);
        this.run = run;
        this.as = as;
    }

    @Override
    String what() {
        return "RetryRun of run " + run;
    }

    @Override
    int bytes() {
        return past == null ? SMALL : SMALL + JsonLength.of(past.row().input());
    }

    @Override
    Rank rank() {
        return Rank.NEW_WORK;
    }

    @Override
    void learn(ShardOwnership tenure) {
        past = tenure.past(org, run).orElse(null);
    }

    @Override
    void decide(OrganisationBatch turn) {
        var living = turn.organisation().findRun(run);
        if (living.isPresent()) {
            answer = new RetryOutcome.NotEnded(living.get().state());
        } else if (past != null) {
            answer = answer(turn, past);
        } else if (historyKnown && turn.knowsNothingOf(run)) {
            answer = new RetryOutcome.NotFound();
        } else {
            // The run may have ended long ago, or just now. Once that is committed, it is in history.
            asksHistoryOf = run;
        }
    }

    /** Updates the state, because the new run may have begun in the same decision. */
    @Override
    void decided(OrganisationBatch turn) {
        if (answer instanceof RetryOutcome.Started made) {
            RunState state = turn.organisation().findState(made.run()).orElse(made.state());
            answer = new RetryOutcome.Started(made.run(), state, made.workflow(), made.version());
        }
    }

    private RetryOutcome answer(OrganisationBatch turn, PastRun old) {
        if (old.row().state() == RunState.COMPLETED) {
            return new RetryOutcome.Completed();
        }
        if (as.length() > RunRequest.RUN_CHARS_MAX) {
            return new RetryOutcome.Refused("the id of a run must be at most " + RunRequest.RUN_CHARS_MAX
                    + " characters, found " + as.length() + "; choose one for the new run");
        }
        var plan = old.row().request().plan();
        String workflow = plan.workflow().name();
        return switch (turn.handle(new RetryRun(as, old.row(), old.steps()))) {
            case StartRun.Answer.Accepted accepted ->
                new RetryOutcome.Started(as, accepted.state(), workflow, plan.version());
            case StartRun.Answer.Existing existing ->
                new RetryOutcome.Existing(as, existing.state(), workflow, plan.version());
            case StartRun.Answer.OtherBody ignored -> new RetryOutcome.OtherBody(as);
            case StartRun.Answer.Refused refused -> new RetryOutcome.Refused(refused.reason());
            case StartRun.Answer.CascadeDetected cascade ->
                new RetryOutcome.Refused("cascade_detected: expected a chain of at most " + cascade.most()
                        + " runs and events before it, found " + cascade.depth());
        };
    }

    @Override
    Runnable tell(OrganisationBatch turn) {
        RetryOutcome told = answer;
        if (told == null) {
            throw new IllegalStateException("expected an answer to the retry of " + run + ", found none");
        }
        return () -> future.complete(told);
    }
}
