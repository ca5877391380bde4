package dev.weir.engine.shard;

import dev.weir.engine.Unavailable;
import dev.weir.engine.journal.Tenure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something that somebody asks of an organisation, and waits for. It may be decided several times, until a decision is
 * committed: only then is the answer given.
 */
abstract sealed class Message<A> permits CommandMessage, StartMessage, RetryMessage, ClaimMessage, LookMessage {
    /** How the weight of a message is counted where nothing in it is large, in bytes. */
    static final int SMALL = 256;

    final String org;
    /** When it came, by the monotonic clock. */
    final long since;

    final CompletableFuture<A> future = new CompletableFuture<>();

    /** A run that only history can say something of; set when memory knows nothing of it. */
    @Nullable
    String asksHistoryOf;

    /** Whether history was asked already. */
    boolean historyKnown;

    /** What is refused first when there is too much to do. */
    enum Rank {
        NEW_WORK,
        READ,
        VITAL
    }

    Message(String org, long since) {
        this.org = org;
        this.since = since;
    }

    abstract int bytes();

    abstract Rank rank();

    /** Reads what only history can say, outside of any decision; for those who have asked for it. */
    void learn(Tenure tenure) {}

    /** Decides in memory; nobody is told before the commit. */
    abstract void decide(Turn turn);

    /** What is to be done for the caller now that the decision is committed; called on the loop, done elsewhere. */
    abstract Runnable tell(Turn turn);

    final void unavailable(String why, Duration retryAfter) {
        fail(new Unavailable(why, retryAfter));
    }

    final void fail(RuntimeException why) {
        future.completeExceptionally(why);
    }
}
