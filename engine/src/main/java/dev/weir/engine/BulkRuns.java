package dev.weir.engine;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.RetryRun;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.ChangeOrigin;
import dev.weir.core.state.DeadLetter;
import dev.weir.engine.records.BulkOperation;
import dev.weir.engine.records.BulkOperation.Failure;
import dev.weir.engine.records.BulkOperation.Progress;
import dev.weir.engine.records.BulkOperation.Task;
import dev.weir.engine.records.BulkStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.DeadLetterOutcome;
import dev.weir.engine.request.DeadLetterRequest;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.TooManyReads;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.shard.Loop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels or retries all runs that match a filter, and redrives or discards dead letters the same way. It reads them from
 * the store and sends a command for each, like any caller, so that the shards' loops serve other callers in between. A part that was interrupted is done again, which
 * is safe: a cancelled run stays cancelled, and a retry has an id that follows from the run's.
 */
public final class BulkRuns implements AutoCloseable {
    /** Runs of one part. */
    public static final int PART_RUNS = 100;
    /** Matching runs up to which a preview counts. */
    public static final int COUNT_MAX = 10_000;
    /** Runs that a preview lists. */
    public static final int SAMPLE_MAX = 10;
    /** Unfinished operations of an organisation. */
    public static final int UNFINISHED_MAX = 10;

    /** Pages that a preview reads; each examines a bounded number of runs. */
    private static final int COUNT_PAGES_MAX = 100;

    private static final int TAKEN_MAX = 10;
    private static final long LOOK_INTERVAL_MICROS = 2_000_000;
    private static final long BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int ERROR_CHARS_MAX = 500;
    private static final Logger LOG = LoggerFactory.getLogger(BulkRuns.class);

    private final Weir weir;
    private final BulkTargets targets;
    private final BulkStore store;
    private final String node;
    private final Loop lookout;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;

    BulkRuns(Weir weir, Records records, String node) {
        this.weir = weir;
        this.targets = new BulkTargets(records);
        this.store = records.bulk();
        this.node = node;
        this.lookout = new Loop("weir bulk", this::takeAbandoned);
        lookout.start();
    }

    /**
     * The runs or dead letters that match a filter now.
     *
     * @param isExact false if at least this many match
     * @param sample some of them, newest first
     */
    public record Preview(long matching, boolean isExact, List<BulkTarget> sample) {}

    /** The answer to a request to begin an operation. */
    public sealed interface BeginResult {
        record Begun(BulkOperation operation) implements BeginResult {}

        /** The same request began this operation before. */
        record Existing(BulkOperation operation) implements BeginResult {}

        /** Another request has this id. */
        record OtherTask(String id) implements BeginResult {}

        /** Too many operations of the organisation are unfinished. */
        record TooMany(int unfinished) implements BeginResult {}
    }

    /** Counts the runs or dead letters that match. */
    public Preview preview(String org, Task task) {
        return task.ids().isEmpty() ? previewMatching(org, task) : previewListed(org, task);
    }

    private Preview previewMatching(String org, Task task) {
        long matching = 0;
        List<BulkTarget> sample = new ArrayList<>();
        String cursor = "";
        for (int pages = 0; pages < COUNT_PAGES_MAX && matching < COUNT_MAX; pages++) {
            RecordPage<BulkTarget> page = targets.page(org, task, new PageRequest(cursor, Records.PAGE_MAX));
            matching += page.entries().size();
            page.entries().stream().limit(SAMPLE_MAX - sample.size()).forEach(sample::add);
            cursor = page.next();
            if (cursor.isEmpty()) {
                return new Preview(matching, true, sample);
            }
        }
        return new Preview(matching, false, sample);
    }

    private Preview previewListed(String org, Task task) {
        List<BulkTarget> matching = targets.listed(org, task, task.ids());
        return new Preview(
                matching.size(), true, matching.stream().limit(SAMPLE_MAX).toList());
    }

    /** Begins an operation on what exists so far. It goes on after this node has ended. */
    public BeginResult begin(String org, String id, Task task) {
        Optional<BulkOperation> known = store.find(org, id);
        if (known.isPresent()) {
            return existing(known.get(), task);
        }
        int unfinished = store.countUnfinished(org);
        if (unfinished >= UNFINISHED_MAX) {
            return new BeginResult.TooMany(unfinished);
        }
        Preview preview = preview(org, task);
        var created = new BulkOperation(
                org,
                id,
                task,
                preview.isExact ? preview.matching : null,
                Progress.begin(targets.newestNumber(org, task) + 1),
                Instant.now(),
                null);
        Optional<BulkOperation> other = store.create(created, node);
        if (other.isPresent()) {
            return existing(other.get(), task);
        }
        threads.execute(() -> carryOut(created));
        return new BeginResult.Begun(created);
    }

    private static BeginResult existing(BulkOperation found, Task task) {
        return found.task().equals(task) ? new BeginResult.Existing(found) : new BeginResult.OtherTask(found.id());
    }

    public Optional<BulkOperation> find(String org, String id) {
        return store.find(org, id);
    }

    private long takeAbandoned() {
        try {
            for (BulkOperation operation : store.takeAbandoned(node, TAKEN_MAX)) {
                LOG.info("Continuing operation {} of organisation {}", operation.id(), operation.org());
                threads.execute(() -> carryOut(operation));
            }
        } catch (Unavailable e) {
            LOG.debug("Cannot look for abandoned operations: {}", e.getMessage());
        }
        return LOOK_INTERVAL_MICROS;
    }

    private void carryOut(BulkOperation begun) {
        BulkOperation operation = begun;
        while (!closing && operation.endedAt() == null) {
            try {
                BulkOperation next = runPart(operation);
                if (!store.save(next, node)) {
                    return; // another node has taken it over
                }
                operation = next;
            } catch (Unavailable | TooManyReads e) { // a repeated part changes nothing twice
                LOG.debug("Operation {} waits: {}", operation.id(), e.getMessage());
                LockSupport.parkNanos(BACKOFF_NANOS);
            } catch (RuntimeException e) {
                LOG.error("Operation {} of organisation {} stops until it is retried", begun.id(), begun.org(), e);
                return;
            }
        }
        if (operation.endedAt() == null) {
            release(operation);
        }
    }

    /** Lets another node continue at once. If the store does not answer, it continues when the lease is over. */
    private void release(BulkOperation operation) {
        try {
            store.release(operation, node);
        } catch (Unavailable e) {
            LOG.debug("Operation {} stays leased: {}", operation.id(), e.getMessage());
        }
    }

    /** Carries out the next part. Returns the operation after it. */
    private BulkOperation runPart(BulkOperation operation) {
        Progress before = operation.progress();
        Task task = operation.task();
        if (!task.ids().isEmpty()) {
            int end = Math.min(task.ids().size(), before.listedBefore() + PART_RUNS);
            List<String> ids = task.ids().subList(before.listedBefore(), end);
            Progress after =
                    act(operation, targets.listed(operation.org(), task, ids)).at(before.numberBefore(), end);
            return operation.with(after, end == task.ids().size() ? Instant.now() : null);
        }
        var request = new PageRequest(String.valueOf(before.numberBefore()), PART_RUNS);
        RecordPage<BulkTarget> page = targets.page(operation.org(), task, request);
        Progress after = act(operation, page.entries());
        return page.next().isEmpty()
                ? operation.with(after, Instant.now())
                : operation.with(after.at(Long.parseLong(page.next()), before.listedBefore()), null);
    }

    /** The effect of the operation on a run or dead letter. */
    private sealed interface Effect {
        record Changed() implements Effect {}

        record Unchanged() implements Effect {}

        record Failed(String error) implements Effect {}
    }

    /** Sends a command for each, all at once, so that few commits are enough. */
    private Progress act(BulkOperation operation, List<BulkTarget> found) {
        List<CompletableFuture<Effect>> effects =
                found.stream().map(target -> act(operation, target)).toList();
        Progress progress = operation.progress();
        for (int i = 0; i < effects.size(); i++) {
            progress = switch (await(effects.get(i))) {
                case Effect.Changed ignored -> progress.addChanged();
                case Effect.Unchanged ignored -> progress.addUnchanged();
                case Effect.Failed failed ->
                    progress.addFailure(new Failure(found.get(i).id(), failed.error));
            };
        }
        return progress;
    }

    private CompletableFuture<Effect> act(BulkOperation operation, BulkTarget target) {
        Task task = operation.task();
        String reason = task.note().reason() == null
                ? "operation " + operation.id()
                : task.note().reason();
        var by = new Attribution(task.note().actor(), ChangeOrigin.API, operation.id(), reason);
        return switch (task.action()) {
            case CANCEL ->
                weir.send(operation.org(), new CancelRun(target.id(), task.policy(), reason), by)
                        .thenApply(BulkRuns::effectOf);
            case RETRY ->
                weir.retry(operation.org(), target.id(), RetryRun.nextRetryId(target.id()), by)
                        .thenApply(BulkRuns::effectOf);
            case REDRIVE -> close(operation.org(), target, DeadLetter.State.REDRIVEN, by);
            case DISCARD -> close(operation.org(), target, DeadLetter.State.DISCARDED, by);
        };
    }

    private CompletableFuture<Effect> close(String org, BulkTarget target, DeadLetter.State action, Attribution by) {
        String subject = target instanceof BulkTarget.OfDeadLetter letter
                ? letter.found().letter().content().subject()
                : "";
        var request = new DeadLetterRequest(Long.parseLong(target.id()), subject, action);
        return weir.close(org, request, by).thenApply(BulkRuns::effectOf);
    }

    private static Effect effectOf(DeadLetterOutcome outcome) {
        return switch (outcome) {
            case DeadLetterOutcome.Closed closed -> closed.isNew() ? new Effect.Changed() : new Effect.Unchanged();
            case DeadLetterOutcome.ClosedOtherwise ignored -> new Effect.Unchanged();
            case DeadLetterOutcome.NotFound ignored -> new Effect.Unchanged();
            case DeadLetterOutcome.Refused refused -> new Effect.Failed(shorten(refused.reason()));
        };
    }

    private static Effect effectOf(CancelRun.Answer answer) {
        return switch (answer) {
            case CancelRun.Answer.Cancelling ignored -> new Effect.Changed();
            case CancelRun.Answer.AlreadyEnded ignored -> new Effect.Unchanged();
            case CancelRun.Answer.NotFound ignored -> new Effect.Unchanged();
        };
    }

    private static Effect effectOf(RetryOutcome outcome) {
        return switch (outcome) {
            case RetryOutcome.Started ignored -> new Effect.Changed();
            case RetryOutcome.Existing ignored -> new Effect.Unchanged();
            case RetryOutcome.NotEnded ignored -> new Effect.Unchanged();
            case RetryOutcome.Completed ignored -> new Effect.Unchanged();
            case RetryOutcome.NotFound ignored -> new Effect.Unchanged();
            case RetryOutcome.OtherBody other -> new Effect.Failed("another run has the id " + other.run());
            case RetryOutcome.Closed closed -> new Effect.Failed(shorten(closed.reason()));
            case RetryOutcome.QueueFull full ->
                new Effect.Failed(shorten(full.queue().message()));
            case RetryOutcome.Refused refused -> new Effect.Failed(shorten(refused.reason()));
        };
    }

    private static Effect await(CompletableFuture<Effect> effect) {
        try {
            return effect.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof CommandFailed failed) {
                return new Effect.Failed(shorten(String.valueOf(failed.getMessage())));
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static String shorten(String text) {
        return text.length() <= ERROR_CHARS_MAX ? text : text.substring(0, ERROR_CHARS_MAX) + "…";
    }

    /** Stops after the parts under way. Another node, or this one when it is opened again, continues. */
    @Override
    public void close() {
        closing = true;
        lookout.close();
        threads.close();
    }
}
