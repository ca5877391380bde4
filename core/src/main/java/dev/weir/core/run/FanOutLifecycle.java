package dev.weir.core.run;

import dev.weir.core.admission.Hold;
import dev.weir.core.admission.Ticket;
import dev.weir.core.definition.FanOut;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Manages steps that run once for each element of a list. It creates all items before the first of them may start. */
final class FanOutLifecycle {
    /**
     * Items, of all steps together, that one advance may create, queue (again) or withdraw. The limit leaves time for
     * other work.
     */
    static final int CHUNK_MAX = 1_024;
    /** Items of a step that one advance may examine to find failed items. */
    private static final int EXAMINED_MAX = 64 * CHUNK_MAX;
    /** Items per advance that every step gets at least, as long as {@link #CHUNK_MAX} is not used up. */
    private static final int SHARE_MIN = 64;

    private final LiveOrganisation org;
    /** Steps with items that are still to be created, queued or withdrawn. */
    private final ArrayDeque<RunStep> pending = new ArrayDeque<>();

    /** Items that may still be handled before the next advance. */
    private int remaining = CHUNK_MAX;

    FanOutLifecycle(LiveOrganisation org) {
        this.org = org;
    }

    /** Opens a step whose dependencies have ended. The step fails if {@code with_items} does not give a list. */
    void begin(RunStep step, long now) {
        step.items = new ItemSet(definition(step), definition(step).items().renderItems(org.readiness.scope(step)));
        org.steps.move(step, StepState.READY, now);
        if (step.items().total == 0) {
            org.steps.complete(step, new Update.Completed(step.items().outputs()), now);
        } else {
            advance(step, CHUNK_MAX, now);
        }
    }

    private static FanOut definition(RunStep step) {
        return Objects.requireNonNull(step.planned.definition().fanOut());
    }

    /** Evaluates again the elements from which the remaining items are created. If that fails, these items fail. */
    private void evaluateElements(RunStep step) {
        try {
            step.items().setElements(definition(step).items().renderItems(org.readiness.scope(step)));
        } catch (RenderFailed e) {
            step.items().setElementsError(String.valueOf(e.getMessage()));
        }
    }

    boolean hasPendingWork() {
        return !pending.isEmpty();
    }

    /** Continues the unfinished fan-outs, with a share of the chunk for each. */
    void advance(long now) {
        remaining = CHUNK_MAX;
        int share = Math.max(SHARE_MIN, CHUNK_MAX / Math.max(1, pending.size()));
        for (int i = pending.size(); i > 0 && remaining > 0; i--) {
            RunStep step = pending.poll();
            if (step != null && !step.state.ended()) {
                advance(step, share, now);
                org.steps.advanceRun(step.run, now);
            }
        }
    }

    private void advance(RunStep step, int share, long now) {
        ItemSet items = step.items();
        int max = Math.min(share, remaining);
        if (items.stopping) {
            stopChunk(step, max, now);
        } else if (items.withdrawing) {
            withdrawChunk(step, max, now);
        } else if (items.retrying) {
            retryChunk(step, max, now);
        } else {
            createChunk(step, max, now);
        }
    }

    private void createChunk(RunStep step, int max, long now) {
        ItemSet items = step.items();
        int handled = 0;
        boolean ready = items.allCreated() || StepExpressions.compile(step, org.budget);
        for (; handled < max && ready && !org.budget.isSpent() && !items.allCreated(); handled++) {
            if (items.elementsUnknown()) {
                evaluateElements(step);
            }
            createItem(step, items.createdCount, now);
        }
        if (items.allCreated()) {
            items.endCreation();
        }
        for (; handled < max && items.allCreated() && items.queuedCount < items.total; handled++) {
            Item item = items.get(items.queuedCount);
            items.queuedCount++;
            enqueue(item, now);
        }
        remaining -= handled;
        if (items.queuedCount < items.total && !step.state.ended()) {
            pending.add(step);
        }
    }

    /** Queues an item for its limits unless it is queued already. An item whose input could not be rendered fails. */
    private void enqueue(Item item, long now) {
        if (item.state != StepState.REQUESTED || item.ticket != null) {
            return;
        }
        if (item.limitNeeds == null) {
            org.steps.handleFailure(item, now);
        } else {
            org.tickets.enqueue(item, now);
        }
    }

    /** Takes up a restored step some of whose items were not created, queued or withdrawn yet. */
    void restore(RunStep step) {
        pending.add(step);
    }

    private void createItem(RunStep step, int index, long now) {
        var item = new Item(step, index);
        step.items().add(item);
        long before = org.budget.counter.units();
        String elementsError = step.items().elementsError();
        try {
            if (elementsError == null) {
                org.steps.render(item);
            } else {
                item.lastOutcome = new Update.Failed(elementsError, true);
            }
        } catch (RenderFailed e) {
            item.lastOutcome = new Update.Failed(String.valueOf(e.getMessage()), true);
        }
        org.budget.recordCost(item, before);
        org.moves.add(new Move.ItemCreated(item.run().ref, item.row(), now));
    }

    void handleItemStart(Item item, long now) {
        if (item.step().state == StepState.READY) {
            org.steps.move(item.step(), StepState.RUNNING, now);
        }
    }

    /** Counts an item that has ended. The last one ends the step. */
    void handleItemEnd(Item item, long now) {
        RunStep step = item.step();
        ItemSet items = step.items();
        items.count(item);
        if (items.allEnded() && !items.retrying) {
            endStep(step, now);
        }
    }

    private void endStep(RunStep step, long now) {
        ItemSet items = step.items();
        if (items.cancelled > 0) {
            org.steps.end(step, StepState.CANCELLED, now);
        } else if (definition(step).tolerate().allows(items.failed, items.total)) {
            org.steps.complete(step, new Update.Completed(items.outputs()), now);
        } else {
            String found = items.failed + " of " + items.total + " items failed";
            step.lastOutcome = new Update.Failed(found + "; " + items.firstError(), true);
            org.steps.handleFailure(step, now);
        }
    }

    /**
     * Retries the failed items of a step. It leaves out items that could not be rendered, because they would fail
     * again.
     */
    void retryFailedItems(RunStep step, long now) {
        org.steps.move(step, StepState.RUNNING, now);
        setRetryPosition(step, 0);
        advance(step, CHUNK_MAX, now);
    }

    /** Sets the first item that is still to be checked for a retry. A restored step continues there. */
    void setRetryPosition(RunStep step, int item) {
        step.items().retrying = true;
        step.items().retryPosition = item;
    }

    /**
     * Retries the next part of the failed items. The step stores the position, so an item that fails again meanwhile is
     * not retried twice.
     */
    private void retryChunk(RunStep step, int max, long now) {
        ItemSet items = step.items();
        int end = Math.min(items.total, items.retryPosition + EXAMINED_MAX);
        int requeued = 0;
        for (; requeued < max && items.retryPosition < end; items.retryPosition++) {
            Item item = items.get(items.retryPosition);
            if (item.state == StepState.FAILED && item.limitNeeds != null) {
                items.ended--;
                items.failed--;
                item.attempts = 0;
                item.reschedules = 0;
                item.effect++;
                item.lastOutcome = null;
                org.steps.requeue(item, now);
                requeued++;
            }
        }
        remaining -= requeued;
        items.retrying = items.retryPosition < items.total;
        recordRetryPosition(step, items.retrying ? items.retryPosition : StepRow.Detail.NO_RETRY, now);
        if (items.retrying) {
            pending.add(step);
        } else if (items.allEnded()) {
            endStep(step, now);
        }
    }

    private void recordRetryPosition(RunStep step, int from, long now) {
        if (step.detail.retryFrom() != from) {
            step.detail = step.detail.withRetryFrom(from);
            org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
        }
    }

    /** Withdraws the items of a step, none of which has started, from their queues until the step is approved again. */
    void withdraw(RunStep step, long now) {
        ItemSet items = step.items();
        items.queuedCount = 0;
        items.withdrawing = true;
        items.handledCount = 0;
        items.window.close();
        pending.remove(step);
        advance(step, CHUNK_MAX, now);
    }

    private void withdrawChunk(RunStep step, int max, long now) {
        ItemSet items = step.items();
        int end = Math.min(items.createdCount, items.handledCount + max);
        remaining -= end - items.handledCount;
        for (; items.handledCount < end; items.handledCount++) {
            org.steps.withdraw(items.get(items.handledCount), now);
        }
        items.withdrawing = items.handledCount < items.createdCount;
        if (items.withdrawing) {
            pending.add(step);
        }
    }

    /** Queues the withdrawn items of a step for their limits again. */
    void requeueItems(RunStep step, long now) {
        ItemSet items = step.items();
        items.withdrawing = false;
        pending.remove(step);
        org.admission.reopen(step.run.limiter(), items.window);
        org.steps.move(step, StepState.READY, now);
        advance(step, CHUNK_MAX, now);
    }

    /** Skips a step that has not started. The step ends with the last of its items. */
    void skip(RunStep step, long now) {
        stop(step, now);
        if (!step.state.ended()) {
            step.detail = step.detail.withSkipping(true);
            org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
        }
    }

    /** Stops a step that is skipped or whose run is ending. Items that have not started will never start. */
    void stop(RunStep step, long now) {
        ItemSet items = step.items();
        if (!items.stopping) {
            items.holdAtStop = findRunHold(step, now);
            items.stop();
        }
        items.handledCount = 0;
        pending.remove(step);
        advance(step, CHUNK_MAX, now);
    }

    /**
     * Returns the limit of the run that refuses the waiting items. It is the same for all of them, including those that
     * are stopped last.
     */
    private @Nullable Hold findRunHold(RunStep step, long now) {
        Ticket ticket = step.nextUnit().ticket;
        return ticket == null
                ? null
                : org.admission
                        .firstHold(ticket, now)
                        .filter(hold -> hold.limit() instanceof LimitId.Local)
                        .orElse(null);
    }

    private void stopChunk(RunStep step, int max, long now) {
        ItemSet items = step.items();
        int end = Math.min(items.createdCount, items.handledCount + max);
        remaining -= end - items.handledCount;
        while (items.handledCount < end) {
            Item item = items.get(items.handledCount);
            items.handledCount++;
            if (!item.state.ended()) {
                stop(item, now);
            }
        }
        if (items.handledCount < items.createdCount && !step.state.ended()) {
            pending.add(step);
        } else if (items.allEnded() && !step.state.ended()) {
            org.steps.end(step, step.run.ending == null ? StepState.SKIPPED : StepState.CANCELLED, now);
        }
    }

    private void stop(Item item, long now) {
        RunEnding ending = item.run().ending;
        if (ending != null) {
            org.runLifecycle.stop(item, ending, now);
        } else {
            org.steps.withdraw(item, now);
            org.steps.move(item, StepState.CANCELLED, now);
            item.step().items().count(item);
        }
    }
}
