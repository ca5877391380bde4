package dev.weir.engine.shard;

import dev.weir.core.command.RetryRun;
import dev.weir.core.command.StartRun;
import dev.weir.core.json.JsonLength;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.request.RetryOutcome;
import org.jspecify.annotations.Nullable;

/** A retry of an ended run. The old run is read from history before the decision, because it no longer changes. */
final class RetryMessage extends Message<RetryOutcome> {
    private final String run;
    private final String newRun;
    private final Attribution by;
    private @Nullable PastRun pastRun;
    private @Nullable RetryOutcome answer;

    /**
     * Creates the message.
     *
     * @param newRun id of the new run
     */
    RetryMessage(String org, String run, String newRun, Attribution by, long arrivedAt) {
        super(org, arrivedAt);
        this.run = run;
        this.newRun = newRun;
        this.by = by;
    }

    @Override
    String describe() {
        return "RetryRun of run " + run;
    }

    @Override
    int bytes() {
        return pastRun == null
                ? BASE_BYTES
                : BASE_BYTES + JsonLength.of(pastRun.row().input());
    }

    @Override
    Rank rank() {
        return Rank.NEW_WORK;
    }

    @Override
    void readHistory(ShardOwnership ownership) {
        pastRun = ownership.findPastRun(org, run).orElse(null);
    }

    @Override
    void decide(OrganisationBatch orgBatch) {
        var unfinished = orgBatch.organisation().findRun(run);
        if (unfinished.isPresent()) {
            answer = new RetryOutcome.NotEnded(unfinished.get().state());
        } else if (pastRun != null) {
            answer = answer(orgBatch, pastRun);
        } else if (historyRead && orgBatch.isUnknownRun(run)) {
            answer = new RetryOutcome.NotFound();
        } else {
            // The run may have ended long ago, or just now. Once that is committed, it is in history.
            runToLookUp = run;
        }
    }

    /** Updates the state, because the new run may have begun in the same decision. */
    @Override
    void refreshAnswer(OrganisationBatch orgBatch) {
        if (answer instanceof RetryOutcome.Started started) {
            RunState state = orgBatch.organisation().findState(started.run()).orElse(started.state());
            answer = new RetryOutcome.Started(started.run(), state, started.workflow(), started.version());
        }
    }

    private RetryOutcome answer(OrganisationBatch orgBatch, PastRun oldRun) {
        if (oldRun.row().state() == RunState.COMPLETED) {
            return new RetryOutcome.Completed();
        }
        if (newRun.length() > RunRequest.RUN_CHARS_MAX) {
            return new RetryOutcome.Refused("the id of a run must be at most " + RunRequest.RUN_CHARS_MAX
                    + " characters, found " + newRun.length() + "; choose one for the new run");
        }
        var plan = oldRun.row().request().plan();
        String workflow = plan.workflow().name();
        return switch (orgBatch.handle(new RetryRun(newRun, oldRun.row(), oldRun.steps(), by.actor()), by)) {
            case StartRun.Answer.Accepted accepted ->
                new RetryOutcome.Started(newRun, accepted.state(), workflow, plan.version());
            case StartRun.Answer.Existing existing ->
                new RetryOutcome.Existing(newRun, existing.state(), workflow, plan.version());
            case StartRun.Answer.OtherBody ignored -> new RetryOutcome.OtherBody(newRun);
            case StartRun.Answer.Closed closed -> new RetryOutcome.Closed(closed.reason());
            case StartRun.Answer.QueueFull full -> new RetryOutcome.QueueFull(full.queue());
            case StartRun.Answer.Refused refused -> new RetryOutcome.Refused(refused.reason());
            case StartRun.Answer.CascadeDetected cascade ->
                new RetryOutcome.Refused("cascade_detected: expected a chain of at most " + cascade.maxDepth()
                        + " runs and events before it, found " + cascade.depth());
        };
    }

    @Nullable
    RetryOutcome answer() {
        return answer;
    }

    @Override
    Runnable prepareResponse(OrganisationBatch orgBatch) {
        RetryOutcome response = answer;
        if (response == null) {
            throw new IllegalStateException("expected an answer to the retry of " + run + ", found none");
        }
        return () -> future.complete(response);
    }
}
