package dev.weir.engine;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Command;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.engine.shard.Counters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A node of Weir inside this process. Every answer is given after what it tells was committed. A future fails with
 * {@link Unavailable} if the outcome cannot be told now and it is safe to ask again, with {@link CommandFailed} if the
 * command itself cannot be carried out. Safe for many threads.
 */
public interface Weir extends AutoCloseable {
    /** The longest that a poll may wait. */
    Duration WAIT_MAX = Duration.ofSeconds(20);

    /** Opens a node over a store; it closes the journal when it is closed. */
    static Weir open(Journal journal, Records records, Settings settings) {
        return new Node(journal, records, settings);
    }

    /** One organisation, as Java programs like to speak to it. */
    Org organisation(String name);

    /** Sends a command to an organisation. */
    <A> CompletableFuture<A> send(String org, Command<A> command);

    /** Starts a run of the newest version of a workflow. */
    CompletableFuture<StartAnswer> start(String org, StartRequest request);

    /**
     * Tries a run again that has failed or was cancelled: a new run of the same version and input, in which that is done
     * already which the old one has completed and not undone. The same again gives the same run.
     *
     * @param as the id of the new run
     */
    CompletableFuture<RetryAnswer> retry(String org, String run, String as);

    /**
     * Asks for work, and waits for it. The same request id again gives the same claims.
     *
     * @param wait for how long, at most 20 s
     * @return the claims; none if nothing could start in that time
     */
    CompletableFuture<List<Assignment>> claim(String org, ClaimWork request, Duration wait);

    /** Looks at an organisation as it is in memory, between two decisions. */
    <T> CompletableFuture<T> look(String org, Look<T> look);

    /** Runs, steps and workflows, living or ended. */
    Records records();

    /** What this node has counted since it was opened. */
    Counters.Figures figures();

    /** What has kept shards of this node from their work for over 5 s, in words; nothing if all is well. */
    List<String> troubles();

    /** Takes nothing more in, finishes what was taken in, and lets go of the shards. */
    @Override
    void close();
}
