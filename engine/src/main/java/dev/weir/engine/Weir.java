package dev.weir.engine;

import dev.weir.core.command.Command;
import dev.weir.core.state.Attribution;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.live.Activity;
import dev.weir.engine.live.ChangeFilter;
import dev.weir.engine.live.Subscription;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.records.Records;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.DeadLetterOutcome;
import dev.weir.engine.request.DeadLetterRequest;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.request.StateQuery;
import dev.weir.engine.request.TriggeredStart;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.request.WorkerPort;
import dev.weir.engine.shard.Counters;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node of Weir inside this process. Every answer arrives after its changes are committed. A future fails with {@link
 * Unavailable} if the outcome is unknown and the caller can safely ask again, and with {@link CommandFailed} if the
 * command itself cannot be carried out. Safe for use by many threads.
 */
public interface Weir extends WorkerPort, AutoCloseable {
    /** Opens a node over a store. The node closes the journal when it is closed. */
    static Weir open(Journal journal, Records records, EngineSettings settings) {
        WarmUp.await();
        return new EngineNode(journal, records, settings);
    }

    /**
     * Begins to load what the first node of a process needs. {@link #open} does that too; a program that opens its store
     * first saves the time by calling this before.
     */
    static void warmUp() {
        WarmUp.begin();
    }

    /** Returns a blocking handle on one organisation, for Java programs. */
    OrganisationHandle organisation(String name);

    /** Sends a command to an organisation, and says who sent it. */
    <A> CompletableFuture<A> send(String org, Command<A> command, Attribution by);

    @Override
    default <A> CompletableFuture<A> send(String org, Command<A> command) {
        return send(org, command, Attribution.PROGRAM);
    }

    /** Starts a run of the newest version of a workflow for this program. */
    default CompletableFuture<StartOutcome> start(String org, StartRequest request) {
        return start(org, request, Attribution.PROGRAM);
    }

    /** Starts a run of the newest version of a workflow. The run names the actor that started it. */
    CompletableFuture<StartOutcome> start(String org, StartRequest request, Attribution by);

    /** Makes one HTTP call without a definition, as a run of Weir's own workflow for such calls. */
    CompletableFuture<StartOutcome> trigger(String org, TriggeredStart request, Attribution by);

    /** Receives an event for the triggers of an organisation's workflows. It is stored when the answer arrives. */
    CompletableFuture<EventReceipt> receive(String org, EventRequest request, Attribution by);

    /**
     * Registers a caller that waits for the end of a run. The future completes when the run has ended, or when the
     * caller must look at it again; a caller therefore registers first and reads the run then. The caller cancels it
     * when it stops waiting.
     *
     * @throws dev.weir.engine.request.TooManyReads if too many callers of the organisation wait already
     */
    CompletableFuture<Void> onRunEnd(String org, String run);

    /** The number of callers that wait for the end of a run. */
    int waitingForRuns();

    /**
     * Retries a failed or cancelled run as a new run of the same version and input. Steps that the old run completed,
     * and did not compensate, are already done in it. The same request again returns the same run.
     *
     * @param newRun id of the new run
     */
    CompletableFuture<RetryOutcome> retry(String org, String run, String newRun, Attribution by);

    /** Retries a run for this program. */
    default CompletableFuture<RetryOutcome> retry(String org, String run, String newRun) {
        return retry(org, run, newRun, Attribution.PROGRAM);
    }

    /** Redrives or discards a dead letter. The same request again changes nothing. */
    CompletableFuture<DeadLetterOutcome> close(String org, DeadLetterRequest request, Attribution by);

    /** Queries an organisation's state in memory, between two decisions. */
    <T> CompletableFuture<T> query(String org, StateQuery<T> query);

    /** Stores a chunk of an attempt's log, without the values of secrets that its step received. */
    LogStore.AppendResult log(String org, LogChunk chunk);

    /**
     * Subscribes to the changes of an organisation, from now on, or from the one after {@code lastId} if that is still
     * known. A program that reads the state after the subscription has begun misses nothing.
     */
    CompletableFuture<Subscription> subscribe(String org, ChangeFilter filter, @Nullable String lastId);

    /** Returns the recent activity of the organisations. */
    Activity activity();

    /**
     * Runs an action while this node does not hold the memory of an organisation, such as its rename. The shard of the
     * organisation is closed before and opened after it; callers are told to retry.
     */
    <T> T whileClosed(String org, Supplier<T> action);

    /** The reader of runs, steps and workflows, unfinished or ended. */
    Records records();

    /** The operations on all runs that match a filter. */
    BulkRuns bulk();

    /** The counts of this node since it was opened. */
    Counters.CounterValues counters();

    /** Descriptions of failures that have stopped shards of this node for over 5 s; empty if there are none. */
    List<String> outages();

    /** Accepts no more messages, finishes the accepted ones, and gives up the shards. */
    @Override
    void close();
}
