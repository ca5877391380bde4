package dev.weir.client;

import dev.weir.api.Work.WorkClaim;
import dev.weir.worker.Attempt;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step or item that a worker has claimed. The worker interrupts its handler when the claim is lost or the run is
 * to be cancelled.
 */
public final class Job {
    private final WorkClaim claim;
    private final LogBuffer logBuffer = new LogBuffer();
    private volatile @Nullable Attempt<Job> attempt;

    Job(WorkClaim claim) {
        this.claim = claim;
    }

    /** Connects the job with the lease of its claim. */
    void attach(Attempt<Job> ownAttempt) {
        attempt = ownAttempt;
    }

    WorkClaim claim() {
        return claim;
    }

    /** Returns the id of the run. */
    public String run() {
        return claim.run();
    }

    /** Returns the id of the step in its workflow. */
    public String step() {
        return claim.step();
    }

    /** Returns the index of the item, for a step with items. */
    public Optional<Integer> item() {
        return Optional.ofNullable(claim.item());
    }

    public String module() {
        return claim.module();
    }

    /** Returns the number of the attempt, from 1. */
    public int attempt() {
        return claim.attempt();
    }

    /**
     * Returns the input of the step.
     *
     * @throws Handler.Permanent if the input does not fit the type
     */
    public <T> T input(Class<T> type) {
        return PayloadJson.read("an input", claim.input(), type);
    }

    /** Returns the input that a person has provided since, because the step asked for it. */
    public <T> Optional<T> provided(Class<T> type) {
        return claim.provided() == null
                ? Optional.empty()
                : Optional.of(PayloadJson.read("an answer", claim.provided(), type));
    }

    /**
     * Returns the fence, which grows with every claim of this step. Pass it to resources that must refuse writes of
     * an older claim.
     */
    public long fence() {
        return claim.fence();
    }

    /**
     * Returns the effect number. It is that of the previous claim while the outcome of the previous attempt is
     * unknown (its worker died, or it took too long). It is greater once an outcome was received or an operator
     * resumed the step. Together with run, step and item it identifies one effect.
     */
    public int effectNumber() {
        return claim.effectNumber();
    }

    /**
     * Adds a line to the log of this attempt. The line can be read about a second later, while the attempt runs.
     * The server keeps the last 64 KiB of each attempt's log.
     */
    public void log(String line) {
        logBuffer.add(line + "\n");
    }

    /** Adds a text to the log as it is, for example the output of a program. Lines may end anywhere in it. */
    public void logText(String text) {
        logBuffer.add(text);
    }

    LogBuffer logBuffer() {
        return logBuffer;
    }

    /** Returns true if someone asked to cancel the run, so that the handler should stop. */
    public boolean cancelRequested() {
        Attempt<Job> own = attempt;
        return own != null && own.cancelRequested();
    }

    /** Returns true if the claim has ended or could not be renewed in time. Another worker may have it now. */
    public boolean isLost() {
        Attempt<Job> own = attempt;
        return own != null && own.isLost();
    }

    /** Returns run, step and item, for messages. */
    @Override
    public String toString() {
        return claim.run() + "/" + claim.step() + (claim.item() == null ? "" : "/" + claim.item());
    }
}
