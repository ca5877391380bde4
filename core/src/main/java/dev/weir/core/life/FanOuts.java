package dev.weir.core.life;

import dev.weir.core.admission.Refusal;
import dev.weir.core.admission.Ticket;
import dev.weir.core.definition.FanOut;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.limit.LimitId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Steps that run once for each element of a list. All items are made before the first of them may start. */
final class FanOuts {
    /** Items of all steps that are made, asked for (again), or taken out, in one advance: others want their turn. */
    static final int CHUNK_MAX = 1_024;
    /** Items of a step that are looked at in one advance for those that failed. */
    private static final int LOOK_MAX = 64 * CHUNK_MAX;
    /** What is spent on rendering items in one advance, in units of evaluation: some hundred milliseconds. */
    static final long RENDERING_MAX = 1_000_000;
    /** How many of these every step gets at least, as long as there are any left. */
    private static final int SHARE_MIN = 64;

    private final Organisation org;
    /** Steps with items that are not made, not asked for, or not taken out yet. */
    private final ArrayDeque<RunStep> unfinished = new ArrayDeque<>();

    /** How many items may still be dealt with before the next advance. */
    private int left = CHUNK_MAX;
    /** What may still be spent on rendering them, in units of evaluation. */
    private long unspent = RENDERING_MAX;

    FanOuts(Organisation org) {
        this.org = org;
    }

    /** Opens a step whose needs have ended. Something that is no list fails it. */
    void open(RunStep step, long now) {
        step.items = new Items(definition(step), elements(step));
        org.steps.move(step, StepState.READY, now);
        if (step.items().total == 0) {
            org.steps.complete(step, new Update.Completed(step.items().outputs()), now);
        } else {
            goOn(step, CHUNK_MAX, now);
        }
    }

    private static FanOut definition(RunStep step) {
        return Objects.requireNonNull(step.planned.definition.fanOut());
    }

    static List<JsonNode> elements(RunStep step) {
        return definition(step).items().items(Scopes.of(step));
    }

    boolean unfinished() {
        return !unfinished.isEmpty();
    }

    /** Goes on with the large ones, a part of each. */
    void goOn(long now) {
        left = CHUNK_MAX;
        unspent = RENDERING_MAX;
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
        Items items = step.items();
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
        Items items = step.items();
        int done = 0;
        for (; done < most && unspent > 0 && !items.allMade(); done++) {
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

    /** Puts an item before its limits, if it is not there yet; one that could not be rendered has failed. */
    private void put(Item item, long now) {
        if (item.state != StepState.REQUESTED || item.ticket != null) {
            return;
        }
        if (item.ask == null) {
            org.steps.failed(item, now);
        } else {
            org.steps.enqueue(item, now);
        }
    }

    /** Takes a step up that was brought back before all of its items were made, asked for (again) or taken out. */
    void resume(RunStep step) {
        unfinished.add(step);
    }

    private void make(RunStep step, int index, long now) {
        var item = new Item(step, index);
        step.items().add(item);
        long before = step.items().spent();
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
        unspent -= step.items().spent() - before;
        org.moves.add(new Move.ItemMade(item.run().ref, item.row(), now));
    }

    void itemStarted(Item item, long now) {
        if (item.step().state == StepState.READY) {
            org.steps.move(item.step(), StepState.RUNNING, now);
        }
    }

    /** Counts an item that has ended; with the last one the step ends. */
    void itemEnded(Item item, long now) {
        RunStep step = item.step();
        Items items = step.items();
        items.count(item);
        if (items.allEnded() && !items.tryingAgain) {
            allEnded(step, now);
        }
    }

    private void allEnded(RunStep step, long now) {
        Items items = step.items();
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

    /** Tries the failed items of a step again; those that cannot be rendered would only fail again. */
    void tryAgain(RunStep step, long now) {
        org.steps.move(step, StepState.RUNNING, now);
        tryAgainFrom(step, 0);
        goOn(step, CHUNK_MAX, now);
    }

    /** How far the failed items of a step were tried again when it was brought back. */
    void tryAgainFrom(RunStep step, int item) {
        step.items().tryingAgain = true;
        step.items().triedAgainCount = item;
    }

    /** How far it has come is kept with the step: what fails anew meanwhile is not tried once more. */
    private void tryAgainSome(RunStep step, int most, long now) {
        Items items = step.items();
        int end = Math.min(items.total, items.triedAgainCount + LOOK_MAX);
        int asked = 0;
        for (; asked < most && items.triedAgainCount < end; items.triedAgainCount++) {
            Item item = items.get(items.triedAgainCount);
            if (item.state == StepState.FAILED && item.ask != null) {
                items.ended--;
                items.failed--;
                item.attempts = 0;
                item.reschedules = 0;
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

    /** Takes the items of a step, none of which has started, out of what they wait for, until it is approved again. */
    void withdraw(RunStep step, long now) {
        Items items = step.items();
        items.askedCount = 0;
        items.withdrawing = true;
        items.takenOutCount = 0;
        items.window.close();
        unfinished.remove(step);
        goOn(step, CHUNK_MAX, now);
    }

    private void withdrawSome(RunStep step, int most, long now) {
        Items items = step.items();
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

    /** Puts the items of a step before their limits that were taken out. */
    void askAnew(RunStep step, long now) {
        Items items = step.items();
        items.withdrawing = false;
        unfinished.remove(step);
        org.admission.reopen(step.run.gate(), items.window);
        org.steps.move(step, StepState.READY, now);
        goOn(step, CHUNK_MAX, now);
    }

    /** Skips a step of which nothing has started. It ends with the last of its items. */
    void skip(RunStep step, long now) {
        stop(step, now);
        if (!step.state.ended()) {
            step.detail = step.detail.skipping(true);
            org.moves.add(new Move.StepChanged(step.run.ref, step.id(), step.detail, now));
        }
    }

    /** Stops a step that is skipped, or whose run is on its way to its end: what has not started never will. */
    void stop(RunStep step, long now) {
        Items items = step.items();
        if (!items.stopping) {
            items.refusedAtStop = refusedByRun(step, now);
            items.stop();
        }
        items.takenOutCount = 0;
        unfinished.remove(step);
        goOn(step, CHUNK_MAX, now);
    }

    /** What of their run refuses the items that wait: the same for all of them, also for those that come last. */
    private @Nullable Refusal refusedByRun(RunStep step, long now) {
        Ticket ticket = Insight.asking(step).ticket;
        return ticket == null
                ? null
                : org.admission
                        .refusal(ticket, now)
                        .filter(refusal -> refusal.limit() instanceof LimitId.Local)
                        .orElse(null);
    }

    private void stopSome(RunStep step, int most, long now) {
        Items items = step.items();
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
        Ending ending = item.run().ending;
        if (ending != null) {
            org.lives.stop(item, ending, now);
        } else {
            org.steps.takeOut(item, now);
            org.steps.move(item, StepState.CANCELLED, now);
            item.step().items().count(item);
        }
    }
}
