package dev.weir.engine.shard;

import dev.weir.core.command.CloseDeadLetter;
import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.SubmitToTrigger;
import dev.weir.core.json.JsonLength;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.TriggerSubmission;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.StoredDeadLetter;
import dev.weir.engine.request.DeadLetterOutcome;
import dev.weir.engine.request.DeadLetterRequest;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import org.jspecify.annotations.Nullable;

/**
 * Redrives or discards a dead letter. The dead letter and what it submits again are read within the transaction that
 * closes it. The new run has an id that follows from the old one, so a repeated redrive starts nothing twice.
 */
final class DeadLetterMessage extends Message<DeadLetterOutcome> {
    private final DeadLetterRequest request;
    private final Attribution by;
    private @Nullable StoredDeadLetter stored;
    /** Submits the work again; absent if the dead letter has none that can be. */
    private @Nullable Message<?> submission;

    private @Nullable DeadLetterOutcome answer;

    DeadLetterMessage(String org, DeadLetterRequest request, Attribution by, long arrivedAt) {
        super(org, arrivedAt);
        this.request = request;
        this.by = by;
        this.runToLookUp = request.subject();
    }

    /**
     * Reads the dead letter again before the next decision. If it only asked to read then, it would succeed when it is
     * decided alone after a failure, and never be found as the cause.
     */
    @Override
    void forgetHistory() {
        historyRead = false;
        runToLookUp = request.subject();
    }

    @Override
    String describe() {
        return "Close of dead letter " + request.number();
    }

    @Override
    int bytes() {
        int kept = 0;
        if (stored != null && stored.start() != null) {
            kept = JsonLength.of(stored.start().input());
        } else if (stored != null && stored.triggered() instanceof TriggerSubmission.OfEvent ofEvent) {
            kept = ofEvent.event().chars();
        }
        return BASE_BYTES + kept;
    }

    @Override
    Rank rank() {
        return Rank.NEW_WORK;
    }

    @Override
    void readHistory(ShardOwnership ownership) {
        stored = ownership.findDeadLetter(org, request.number()).orElse(null);
        submission = stored == null ? null : submission(stored);
        if (stored != null && stored.triggered() != null) {
            runToLookUp = stored.triggered().run();
        }
        if (submission != null) {
            submission.readHistory(ownership);
            submission.historyRead = true;
        }
    }

    private @Nullable Message<?> submission(StoredDeadLetter found) {
        DeadLetter.Content content = found.letter().content();
        StartRequest start = found.start();
        return switch (content.kind()) {
            case FAILED_RUN -> {
                String run = content.subject();
                yield new RetryMessage(org, run, RetryRun.nextRetryId(run), by, arrivedAt);
            }
            case REFUSED_START -> start == null ? null : new StartMessage(org, start, by, arrivedAt);
            case CASCADE, EVENT -> null;
        };
    }

    @Override
    void decide(OrganisationBatch orgBatch) {
        answer = null;
        if (!historyRead) {
            runToLookUp = request.subject();
        } else if (stored == null) {
            answer = new DeadLetterOutcome.NotFound();
        } else {
            answer = answer(orgBatch, stored);
        }
    }

    private DeadLetterOutcome answer(OrganisationBatch orgBatch, StoredDeadLetter found) {
        DeadLetterControl.Closed current = orgBatch.organisation()
                .view()
                .findClosedDeadLetter(request.number())
                .orElse(found.state());
        if (current.state() != DeadLetter.State.OPEN) {
            return current.state() == request.action()
                    ? new DeadLetterOutcome.Closed(current.state(), current.redrivenAs(), false)
                    : new DeadLetterOutcome.ClosedOtherwise(current.state());
        }
        return request.action() == DeadLetter.State.DISCARDED ? close(orgBatch, found, null) : redrive(orgBatch, found);
    }

    private DeadLetterOutcome redrive(OrganisationBatch orgBatch, StoredDeadLetter found) {
        if (found.triggered() != null) {
            return redriven(orgBatch, found, orgBatch.handle(new SubmitToTrigger(found.triggered()), by));
        }
        if (submission instanceof RetryMessage retry) {
            retry.decide(orgBatch);
            return redriven(orgBatch, found, retry.answer());
        }
        if (submission instanceof StartMessage start) {
            start.decide(orgBatch);
            return redriven(orgBatch, found, start.answer());
        }
        return new DeadLetterOutcome.Refused(notSubmittable(found.letter().content()));
    }

    /** Returns the reason why a dead letter without a submission cannot be redriven, and what to do instead. */
    private String notSubmittable(DeadLetter.Content content) {
        var parent = content.chain().isEmpty() ? null : content.chain().getLast();
        return content.kind() == DeadLetter.Kind.CASCADE && parent != null
                ? "expected work that can be submitted again, found a run that a step of run " + parent.id()
                        + " would have invoked; raise max_cascade_depth of workflow " + content.workflow()
                        + ", retry run " + parent.id() + ", and discard the dead letter"
                : "expected work that can be submitted again, found none in dead letter " + request.number() + " ("
                        + content.kind().word() + "); discard it";
    }

    private DeadLetterOutcome redriven(OrganisationBatch orgBatch, StoredDeadLetter found, EventOutcome outcome) {
        return switch (outcome.kind()) {
            case STARTED -> close(orgBatch, found, outcome.run());
            case FILTERED ->
                new DeadLetterOutcome.Refused("expected a trigger that takes the event, found that the condition of "
                        + outcome.trigger() + " is false now; discard the dead letter");
            case CASCADE ->
                new DeadLetterOutcome.Refused(outcome.reason() + "; raise max_cascade_depth of workflow "
                        + outcome.trigger().workflow() + " first, or discard the dead letter");
            case DEBOUNCED, FAILED -> new DeadLetterOutcome.Refused(outcome.trigger() + ": " + outcome.reason());
        };
    }

    private DeadLetterOutcome redriven(
            OrganisationBatch orgBatch, StoredDeadLetter found, @Nullable RetryOutcome outcome) {
        return switch (outcome) {
            case RetryOutcome.Started started -> close(orgBatch, found, started.run());
            case RetryOutcome.Existing existing -> close(orgBatch, found, existing.run());
            case RetryOutcome.OtherBody other ->
                new DeadLetterOutcome.Refused("expected no other run with the id " + other.run() + ", found one");
            case RetryOutcome.Closed closed -> new DeadLetterOutcome.Refused(closed.reason());
            case RetryOutcome.QueueFull full ->
                new DeadLetterOutcome.Refused(full.queue().message());
            case RetryOutcome.Refused refused -> new DeadLetterOutcome.Refused(refused.reason());
            case RetryOutcome.NotEnded ignored -> gone();
            case RetryOutcome.Completed ignored -> gone();
            case RetryOutcome.NotFound ignored -> gone();
            case null -> gone();
        };
    }

    private DeadLetterOutcome gone() {
        return new DeadLetterOutcome.Refused("expected the failed run " + request.subject()
                + " in the history, found none; it was removed with the history, so discard the dead letter");
    }

    private DeadLetterOutcome redriven(
            OrganisationBatch orgBatch, StoredDeadLetter found, @Nullable StartOutcome outcome) {
        return switch (outcome) {
            case StartOutcome.Started started -> close(orgBatch, found, started.run());
            case StartOutcome.Existing existing -> close(orgBatch, found, existing.run());
            case StartOutcome.OtherBody other ->
                new DeadLetterOutcome.Refused(
                        "a run with the id " + other.run() + " was already started with a different body");
            case StartOutcome.Closed closed -> new DeadLetterOutcome.Refused(closed.reason());
            case StartOutcome.QueueFull full ->
                new DeadLetterOutcome.Refused(full.queue().message());
            case StartOutcome.Refused refused -> new DeadLetterOutcome.Refused(refused.reason());
            case StartOutcome.UnknownWorkflow unknown -> new DeadLetterOutcome.Refused(unknown.message());
            case null -> gone();
        };
    }

    private DeadLetterOutcome close(OrganisationBatch orgBatch, StoredDeadLetter found, @Nullable String redrivenAs) {
        var closed =
                orgBatch.handle(new CloseDeadLetter(found.letter(), found.state(), request.action(), redrivenAs), by);
        return new DeadLetterOutcome.Closed(
                closed.closed().state(), closed.closed().redrivenAs(), closed.isNew());
    }

    @Override
    Runnable prepareResponse(OrganisationBatch orgBatch) {
        DeadLetterOutcome response = answer;
        if (response == null) {
            throw new IllegalStateException(
                    "expected an answer about dead letter " + request.number() + ", found none");
        }
        return () -> future.complete(response);
    }
}
