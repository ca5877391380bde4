package dev.weir.engine.shard;

import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.request.Overloaded;
import dev.weir.engine.request.Unavailable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request to an organisation, with the caller's future. It may be decided several times, until a decision is
 * committed; only then is the caller answered.
 */
abstract sealed class Message<A>
        permits CommandMessage,
                StartMessage,
                EventMessage,
                RetryMessage,
                DeadLetterMessage,
                ClaimMessage,
                StateQueryMessage {
    /** The size that counts for a message without large contents, in bytes. */
    static final int BASE_BYTES = 256;

    final String org;
    /** The time at which the message arrived, by the monotonic clock. */
    final long arrivedAt;

    final CompletableFuture<A> future = new CompletableFuture<>();

    /** A run that must be looked up in history; set when memory does not know it. */
    @Nullable
    String runToLookUp;

    /** True if history was read already. */
    boolean historyRead;

    /** The importance of a message. Under overload, the first rank is refused first. */
    enum Rank {
        NEW_WORK,
        READ,
        VITAL
    }

    Message(String org, long arrivedAt) {
        this.org = org;
        this.arrivedAt = arrivedAt;
    }

    abstract int bytes();

    /** The name of the request and the run that it is about, for the log. */
    abstract String describe();

    /** True if the message waits for the next pass once the budget of the decision is spent. */
    boolean canDefer(OrganisationBatch orgBatch) {
        return true;
    }

    abstract Rank rank();

    /** Reads what only history knows, before the decision. Called only for messages with {@link #runToLookUp}. */
    void readHistory(ShardOwnership ownership) {}

    /** Forgets what history said, because the message is decided again later. */
    void forgetHistory() {
        historyRead = false;
        runToLookUp = null;
    }

    /** Decides in memory. The caller is not answered before the commit. */
    abstract void decide(OrganisationBatch orgBatch);

    /** Updates the answer after all commands are decided and advanced, because later effects may change it. */
    void refreshAnswer(OrganisationBatch orgBatch) {}

    /** Returns the response to the caller after the commit. It is created on the loop and runs on another thread. */
    abstract Runnable prepareResponse(OrganisationBatch orgBatch);

    final void failUnavailable(String why, Duration retryAfter) {
        fail(new Unavailable(why, retryAfter));
    }

    /** Refuses the message because too many wait in the shard already. */
    final void failOverloaded(int shard) {
        Duration retryAfter = Duration.ofSeconds(1);
        fail(
                rank() == Rank.NEW_WORK
                        ? new Overloaded("too many new runs wait in shard " + shard + "; retry later", retryAfter)
                        : new Unavailable("too many requests wait in shard " + shard, retryAfter));
    }

    final void fail(RuntimeException why) {
        future.completeExceptionally(why);
    }
}
