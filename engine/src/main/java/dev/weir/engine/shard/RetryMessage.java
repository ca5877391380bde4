package dev.weir.engine.shard;

import dev.weir.core.life.JsonLength;
import dev.weir.core.life.RetryRun;
import dev.weir.core.life.RunState;
import dev.weir.core.life.StartRun;
import dev.weir.engine.RetryAnswer;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.Tenure;
import org.jspecify.annotations.Nullable;

/** Tries a run again. What it was is read from history, before anything is decided: it does not change any more. */
final class RetryMessage extends Message<RetryAnswer> {
    private final String run;
    private final String as;
    private @Nullable PastRun past;
    private @Nullable RetryAnswer answer;

    /** @param as the id of the new run */
    RetryMessage(String org, String run, String as, long since) {
        super(org, since);
        this.run = run;
        this.as = as;
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
    void learn(Tenure tenure) {
        past = tenure.past(org, run).orElse(null);
    }

    @Override
    void decide(Turn turn) {
        var living = turn.organisation().findRun(run);
        if (living.isPresent()) {
            answer = new RetryAnswer.NotEnded(living.get().state());
        } else if (past != null) {
            answer = answer(turn, past);
        } else if (historyKnown && turn.knowsNothingOf(run)) {
            answer = new RetryAnswer.NotFound();
        } else {
            // It may have ended long ago, or just now: once that is committed, history has it.
            asksHistoryOf = run;
        }
    }

    private RetryAnswer answer(Turn turn, PastRun old) {
        if (old.row().state() == RunState.COMPLETED) {
            return new RetryAnswer.Completed();
        }
        if (as.length() > StartRun.RUN_CHARS_MAX) {
            return new RetryAnswer.Refused("the id of a run must be at most " + StartRun.RUN_CHARS_MAX
                    + " characters, found " + as.length() + "; choose one for the new run");
        }
        var plan = old.row().request().plan();
        String workflow = plan.workflow().name();
        return switch (turn.handle(new RetryRun(as, old.row(), old.steps()))) {
            case StartRun.Answer.Accepted accepted ->
                new RetryAnswer.Started(as, accepted.state(), workflow, plan.version());
            case StartRun.Answer.Existing existing ->
                new RetryAnswer.Existing(as, existing.state(), workflow, plan.version());
            case StartRun.Answer.OtherBody ignored -> new RetryAnswer.OtherBody(as);
            case StartRun.Answer.Refused refused -> new RetryAnswer.Refused(refused.reason());
            case StartRun.Answer.CascadeDetected cascade ->
                new RetryAnswer.Refused("cascade_detected: expected a chain of at most " + cascade.most()
                        + " runs and events before it, found " + cascade.depth());
        };
    }

    @Override
    Runnable tell(Turn turn) {
        RetryAnswer told = answer;
        if (told == null) {
            throw new IllegalStateException("expected an answer to the retry of " + run + ", found none");
        }
        return () -> future.complete(told);
    }
}
