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
    private static final int LOOK_MAX = 64 * CHUNK_MAX;
    /** Items per advance that every step gets at least, as long as {@link #CHUNK_MAX} is not used up. */
    private static final int SHARE_MIN = 64;

    private final LiveOrganisation org;
    /** Steps with items that are still to be created, queued or withdrawn. */
    private final ArrayDeque<RunStep> unfinished = new ArrayDeque<>();

    /** Items that may still be handled before the next advance. */
    private int left = CHUNK_MAX;

    FanOutLifecycle(LiveOrganisation org) {
        this.org = org;
    }

    /** Opens a step whose dependencies have ended. The step fails if {@code with_items} does not give a list. */
    void open(RunStep step, long now) {
        step.items = new ItemSet(definition(step), definition(step).items().items(org.readiness.scope(step)));
        org.steps.move(step, StepState.READY, now);
        if (step.items().total == 0) {
            org.steps.complete(step, new Update.Completed(step.items().outputs()), now);
        } else {
            goOn(step, CHUNK_MAX, now);
        }
    }

    private static FanOut definition(RunStep step) {
        return Objects.requireNonNull(step.planned.definition().fanOut());
    }

    /** Evaluates again the elements from which the remaining items are created. If that fails, these items fail. */
    private void tellElements(RunStep step) {
        try {
            step.items().elements(definition(step).items().items(org.readiness.scope(step)));
        } catch (RenderFailed e) {
            step.items().lose(String.valueOf(e.getMessage()));
        }
    }

    boolean unfinished() {
        return !unfinished.isEmpty();
    }

    /** Continues the unfinished fan-outs, with a share of the chunk for each. */
    void goOn(long now) {
        left = CHUNK_MAX;
        int share = Math.max(SHARE_MIN, CHUNK_MAX / Math.max(1, unfinished.size()));
        for (int i = unfinished.size(); i > 0 && left > 0; i--) {
            RunStep step = unfinished.poll();
            if (step != null && !step.state.ended()) {
                goOn(step, share, now);
                org.steps.carryOn(step.run, now);
            }
        }
    }

    private void goOn(RunStep step, int share, long now) {
        ItemSet items = step.items();
        int most = Math.min(share, left);
        if (items.stopping) {
            stopSome(step, most, now);
        } else if (items.withdrawing) {
            withdrawSome(step, most, now);
        } else if (items.tryingAgain) {
            tryAgainSome(step, most, now);
        } else {
            makeSome(step, most, now);
        }
    }

    private void makeSome(RunStep step, int most, long now) {
        ItemSet items = step.items();
        int done = 0;
        for (; done < most && !org.budget.isSpent() && !items.allMade(); done++) {
            if (items.elementsUnknown()) {
                tellElements(step);
            }
            make(step, items.madeCount, now);
        }
        if (items.allMade()) {
            items.endMaking();
        }
        for (; done < most && items.allMade() && items.askedCount < items.total; done++) {
            Item item = items.get(items.askedCount);
            items.askedCount++;
            put(item, now);
        }
        left -= done;
        if (items.askedCount < items.total && !step.state.ended()) {
            unfinished.add(step);
        }
    }

    /** Queues an item for its limits unless it is queued already. An item whose input could not be rendered fails. */
    private void put(Item item, long now) {
        if (item.state != StepState.REQUESTED || item.ticket != null) {
            return;
        }
        if (item.ask == null) {
            org.steps.failed(item, now);
        } else {
            org.tickets.enqueue(item, now);
        }
    }

    /** Takes up a restored step some of whose items were not created, queued or withdrawn yet. */
    void resume(RunStep step) {
        unfinished.add(step);
    }

    private void make(RunStep step, int index, long now) {
        var item = new Item(step, index);
        step.items().add(item);
        long before = org.budget.counter.units();
        String lost = step.items().lost();
        try {
            if (lost == null) {
                org.steps.render(item);
            } else {
                item.last = new Update.Failed(lost, true);
            }
        } catch (RenderFailed e) {
            item.last = new Update.Failed(String.valueOf(e.getMessage()), true);
        }
        org.budget.spentOn(item, before);
        org.moves.add(new Move.ItemMade(item.run().ref, item.row(), now));
    }

    void itemStarted(Item item, long now) {
        if (item.step().state == StepState.READY) {
            org.steps.move(item.step(), StepState.RUNNING, now);
        }
    }

    /** Counts an item that has ended. The last one ends the step. */
    void itemEnded(Item item, long now) {
        RunStep step = item.step();
        ItemSet items = step.items();
        items.count(item);
        if (items.allEnded() && !items.tryingAgain) {
            allEnded(step, now);
        }
    }

    private void allEnded(RunStep step, long now) {
        ItemSet items = step.items();
        if (items.cancelled > 0) {
            org.steps.end(step, StepState.CANCELLED, now);
        } else if (definition(step).tolerate().allows(items.failed, items.total)) {
            org.steps.complete(step, new Update.Completed(items.outputs()), now);
        } else {
            String found = items.failed + " of " + items.total + " items failed";
            step.last = new Update.Failed(found + "; " + items.firstError(), true);
            org.steps.failed(step, now);
        }
    }

    /**
     * Retries the failed items of a step. It leaves out items that could not be rendered, because they would fail
     * again.
     */
    void tryAgain(RunStep step, long now) {
        org.steps.move(step, StepState.RUNNING, now);
        tryAgainFrom(step, 0);
        goOn(step, CHUNK_MAX, now);
    }

    /** Sets the first item that is still to be checked for a retry. A restored step continues there. */
    void tryAgainFrom(RunStep step, int item) {
        step.items().tryingAgain = true;
        step.items().triedAgainCount = item;
    }

    /**
     * Retries the next part of the failed items. The step stores the position, so an item that fails again meanwhile is
     * not retried twice.
     */
    private void tryAgainSome(RunStep step, int most, long now) {
        ItemSet items = step.items();
        int end = Math.min(items.total, items.triedAgainCount + LOOK_MAX);
        int asked = 0;
        for (; asked < most && items.triedAgainCount < end; items.triedAgainCount++) {
            Item item = items.get(items.triedAgainCount);
            if (item.state == StepState.FAILED && item.ask != null) {
                items.ended--;
                items.failed--;
                item.attempts = 0;
                item.reschedules = 0;
                item.effect++;
                item.last = null;
                org.steps.askAgain(item, now);
                asked++;
            }
        }
        left -= asked;
        items.tryingAgain = items.triedAgainCount < items.total;
        noteAgain(step, items.tryingAgain ? items.triedAgainCount : StepRow.Detail.NOT_AGAIN, now);
        if (items.tryingAgain) {
            unfinished.add(step);
        } else if (items.allEnded()) {
            allEnded(step, now);
        }
    }

    private void noteAgain(RunStep step, int from, long now) {
        if (step.detail.again() != from) {
            step.detail = step.detail.again(from);
            org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
        }
    }

    /** Withdraws the items of a step, none of which has started, from their queues until the step is approved again. */
    void withdraw(RunStep step, long now) {
        ItemSet items = step.items();
        items.askedCount = 0;
        items.withdrawing = true;
        items.takenOutCount = 0;
        items.window.close();
        unfinished.remove(step);
        goOn(step, CHUNK_MAX, now);
    }

    private void withdrawSome(RunStep step, int most, long now) {
        ItemSet items = step.items();
        int end = Math.min(items.madeCount, items.takenOutCount + most);
        left -= end - items.takenOutCount;
        for (; items.takenOutCount < end; items.takenOutCount++) {
            org.steps.takeOut(items.get(items.takenOutCount), now);
        }
        items.withdrawing = items.takenOutCount < items.madeCount;
        if (items.withdrawing) {
            unfinished.add(step);
        }
    }

    /** Queues the withdrawn items of a step for their limits again. */
    void askAnew(RunStep step, long now) {
        ItemSet items = step.items();
        items.withdrawing = false;
        unfinished.remove(step);
        org.admission.reopen(step.run.gate(), items.window);
        org.steps.move(step, StepState.READY, now);
        goOn(step, CHUNK_MAX, now);
    }

    /** Skips a step that has not started. The step ends with the last of its items. */
    void skip(RunStep step, long now) {
        stop(step, now);
        if (!step.state.ended()) {
            step.detail = step.detail.skipping(true);
            org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
        }
    }

    /** Stops a step that is skipped or whose run is ending. Items that have not started will never start. */
    void stop(RunStep step, long now) {
        ItemSet items = step.items();
        if (!items.stopping) {
            items.refusedAtStop = refusedByRun(step, now);
            items.stop();
        }
        items.takenOutCount = 0;
        unfinished.remove(step);
        goOn(step, CHUNK_MAX, now);
    }

    /**
     * Returns the limit of the run that refuses the waiting items. It is the same for all of them, including those that
     * are stopped last.
     */
    private @Nullable Hold refusedByRun(RunStep step, long now) {
        Ticket ticket = step.nextUnit().ticket;
        return ticket == null
                ? null
                : org.admission
                        .refusal(ticket, now)
                        .filter(refusal -> refusal.limit() instanceof LimitId.Local)
                        .orElse(null);
    }

    private void stopSome(RunStep step, int most, long now) {
        ItemSet items = step.items();
        int end = Math.min(items.madeCount, items.takenOutCount + most);
        left -= end - items.takenOutCount;
        while (items.takenOutCount < end) {
            Item item = items.get(items.takenOutCount);
            items.takenOutCount++;
            if (!item.state.ended()) {
                stop(item, now);
            }
        }
        if (items.takenOutCount < items.madeCount && !step.state.ended()) {
            unfinished.add(step);
        } else if (items.allEnded() && !step.state.ended()) {
            org.steps.end(step, step.run.ending == null ? StepState.SKIPPED : StepState.CANCELLED, now);
        }
    }

    private void stop(Item item, long now) {
        RunEnding ending = item.run().ending;
        if (ending != null) {
            org.lives.stop(item, ending, now);
        } else {
            org.steps.takeOut(item, now);
            org.steps.move(item, StepState.CANCELLED, now);
            item.step().items().count(item);
        }
    }
}
