package dev.weir.engine;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.records.Records;
import dev.weir.engine.shard.Counters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A node of Weir inside this process. Every answer arrives after its changes are committed. A future fails with {@link
 * Unavailable} if the outcome is unknown and the caller can safely ask again, and with {@link CommandFailed} if the
 * command itself cannot be carried out. Safe for use by many threads.
 */
public interface Weir extends AutoCloseable {
    /** The longest wait of a poll. */
    Duration WAIT_MAX = Duration.ofSeconds(20);

    /** Opens a node over a store. The node closes the journal when it is closed. */
    static Weir open(Journal journal, Records records, EngineSettings settings) {
        return new EngineNode(journal, records, settings);
    }

    /** Returns a blocking handle on one organisation, for Java programs. */
    OrganisationHandle organisation(String name);

    /** Sends a command to an organisation. In a report, the values of secrets that the step received are replaced. */
    <A> CompletableFuture<A> send(String org, Command<A> command);

    /** Starts a run of the newest version of a workflow. */
    CompletableFuture<StartOutcome> start(String org, StartRequest request);

    /**
     * Retries a failed or cancelled run as a new run of the same version and input. Steps that the old run completed,
     * and did not compensate, are already done in it. The same request again returns the same run.
     *
     * @param as id of the new run
     */
    CompletableFuture<RetryOutcome> retry(String org, String run, String as);

    /**
     * Requests work and waits for it. The same request id again returns the same claims.
     *
     * @param wait longest time to wait, at most 20 s
     * @return the claims; empty if nothing could start in that time
     */
    CompletableFuture<List<Assignment>> claim(String org, ClaimWork request, Duration wait);

    /** Queries an organisation's state in memory, between two decisions. */
    <T> CompletableFuture<T> look(String org, StateQuery<T> look);

    /** Stores a chunk of an attempt's log, without the values of secrets that its step received. */
    LogStore.Kept log(String org, LogChunk piece);

    /** The reader of runs, steps and workflows, unfinished or ended. */
    Records records();

    /** The counts of this node since it was opened. */
    Counters.Figures figures();

    /** Descriptions of failures that have stopped shards of this node for over 5 s; empty if there are none. */
    List<String> troubles();

    /** Accepts no more messages, finishes the accepted ones, and gives up the shards. */
    @Override
    void close();
}
