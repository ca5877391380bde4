package dev.weir.core.run;

import dev.weir.core.admission.FanOutLimit;
import dev.weir.core.admission.Hold;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.json.JsonLength;
import dev.weir.core.state.FanOutTrimming;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The items of a fanned-out step: those that are created, those that have ended, and how many may run at once. */
final class ItemSet {
    /** Marks a definition without a batch size: one element makes one item. */
    private static final int NO_BATCH = 0;
    /** The largest number of items that are searched for one that waits. */
    private static final int SEARCHED_MAX = 1_000;

    /** The initial capacity for items. */
    private static final int INITIAL_CAPACITY = 64;

    private List<JsonNode> elements;
    /**
     * True if the elements must be evaluated again, because the step was restored before all of its items were created.
     */
    private boolean elementsUnknown;

    private @Nullable Scope scope;
    private @Nullable String elementsError;
    final int total;
    final FanOutLimit window;
    private final int batchSize;
    /** The created items. The array grows with them, since a run may have a thousand steps of a million items each. */
    private Item[] created;

    int createdCount;
    /** Items that were queued for their limits for the first time. */
    int queuedCount;

    /** True if the step is skipped or its run is ending, so that no more items start. */
    boolean stopping;
    /**
     * The limit of the run that refused the waiting items at the time of the stop. A limit that refuses them later,
     * while they are withdrawn, is not a reason for their wait.
     */
    @Nullable
    Hold holdAtStop;

    /** True while the items are withdrawn from their queues, because the approval was revoked. */
    boolean withdrawing;
    /** Items that the current stop or withdrawal has handled. */
    int handledCount;

    /** True while the failed items are retried, because an operator has resumed the run. */
    boolean retrying;
    /** Items that were examined for that retry. */
    int retryPosition;

    private long outputChars;
    private boolean outputsDropped;
    int ended;
    int failed;
    int cancelled;

    ItemSet(dev.weir.core.definition.FanOut definition, List<JsonNode> elements) {
        this.elements = elements;
        this.batchSize = definition.batchSize() == null ? NO_BATCH : definition.batchSize();
        this.total = batchSize == NO_BATCH ? elements.size() : Math.ceilDiv(elements.size(), batchSize);
        this.window = new FanOutLimit(definition.concurrency() == null ? Integer.MAX_VALUE : definition.concurrency());
        this.created = new Item[Math.min(total, INITIAL_CAPACITY)];
    }

    /** Restores the items. The elements are needed only if some items are not created yet. */
    ItemSet(dev.weir.core.definition.FanOut definition, int total) {
        this.elements = List.of();
        this.elementsUnknown = true;
        this.batchSize = definition.batchSize() == null ? NO_BATCH : definition.batchSize();
        this.total = total;
        this.window = new FanOutLimit(definition.concurrency() == null ? Integer.MAX_VALUE : definition.concurrency());
        this.created = new Item[Math.min(total, INITIAL_CAPACITY)];
    }

    /**
     * Sets the elements after a new evaluation. Their number must be the same as before; otherwise nobody could tell
     * which element belongs to which item.
     */
    void setElements(List<JsonNode> evaluated) {
        elementsUnknown = false;
        int found = batchSize == NO_BATCH ? evaluated.size() : Math.ceilDiv(evaluated.size(), batchSize);
        if (found == total) {
            elements = evaluated;
        } else {
            setElementsError("with_items returned " + total + " items when the step started, and now returns " + found);
        }
    }

    /**
     * Records that the elements of the remaining items can no longer be evaluated. Each of these items fails with the
     * error.
     */
    void setElementsError(String error) {
        elementsUnknown = false;
        elementsError = error;
    }

    boolean elementsUnknown() {
        return elementsUnknown;
    }

    @Nullable
    String elementsError() {
        return elementsError;
    }

    /** Returns the scope that all items share. It is built once and kept while items are created. */
    Scope scope(RunStep step, UnitCounter counter) {
        if (scope == null) {
            scope = StepExpressions.scopeOf(step, counter);
        }
        return scope;
    }

    ItemProgress progress() {
        return new ItemProgress(total, createdCount, isCreating(), window.inFlight(), ended, failed);
    }

    /** Returns the item that starts next; null if a short search does not find it. */
    @Nullable
    Item findNext() {
        if (createdCount == 0) {
            return null;
        }
        // Items start in order, so those that have ended or are in flight are most likely the first ones.
        int guess = Math.min(ended + window.inFlight(), createdCount - 1);
        for (int i = 0; i < Math.min(SEARCHED_MAX, createdCount); i++) {
            Item item = created[(guess + i) % createdCount];
            if (item.ticket != null) {
                return item;
            }
        }
        return null;
    }

    /** True if some items are still to be created. */
    boolean isCreating() {
        return !stopping && !allCreated();
    }

    /** Drops the data that only the creation of items needs. */
    void endCreation() {
        elements = List.of();
        scope = null;
    }

    /** Prevents any more items from being created or started. */
    void stop() {
        stopping = true;
        withdrawing = false;
        retrying = false;
        queuedCount = total;
        window.close();
        int notCreated = total - createdCount;
        ended += notCreated;
        cancelled += notCreated;
        endCreation();
    }

    /** Counts an item if it has ended. */
    void count(Item item) {
        ended += item.state.ended() ? 1 : 0;
        failed += item.state == StepState.FAILED ? 1 : 0;
        cancelled += item.state == StepState.CANCELLED ? 1 : 0;
        if (item.state == StepState.COMPLETED) {
            trim(item);
        }
    }

    /**
     * Drops the data of a completed item that memory does not need. With many items that is the input; if the outputs
     * are too large together, it is the outputs. The rows keep both.
     */
    private void trim(Item item) {
        if (total > FanOutTrimming.INPUTS_KEPT_MAX) {
            item.input = null;
        }
        if (item.lastOutcome instanceof Update.Completed completed && !outputsDropped) {
            outputChars += JsonLength.of(completed.output()) + 1;
            if (outputChars > FanOutTrimming.OUTPUTS_CHARS_MAX) {
                outputsDropped = true;
                for (int i = 0; i < createdCount; i++) {
                    dropOutput(created[i]);
                }
            }
        }
        if (outputsDropped) {
            dropOutput(item);
        }
    }

    private static void dropOutput(Item item) {
        if (item.state == StepState.COMPLETED && item.lastOutcome instanceof Update.Completed) {
            item.lastOutcome = FanOutTrimming.DROPPED_OUTPUT;
        }
    }

    /** Returns the value of {@code item} in expressions: the element, or the batch of elements. */
    JsonNode value(int index) {
        if (batchSize == NO_BATCH) {
            return elements.get(index);
        }
        ArrayNode chunk = JsonNodeFactory.instance.arrayNode();
        int end = (int) Math.min(elements.size(), (index + 1L) * batchSize);
        for (int i = index * batchSize; i < end; i++) {
            chunk.add(elements.get(i));
        }
        return chunk;
    }

    void add(Item item) {
        if (createdCount == created.length) {
            created = Arrays.copyOf(created, Math.min(total, 2 * created.length));
        }
        created[createdCount] = item;
        createdCount++;
    }

    Item get(int index) {
        return created[index];
    }

    @Nullable
    Item find(int index) {
        return index < 0 || index >= createdCount ? null : created[index];
    }

    boolean allCreated() {
        return createdCount == total;
    }

    boolean allEnded() {
        return ended == total;
    }

    /**
     * Returns the outputs in the order of the items, with null for an item without one. If they are too large together,
     * it returns only null.
     */
    JsonNode outputs() {
        if (outputsDropped) {
            return JsonNodeFactory.instance.nullNode();
        }
        ArrayNode outputs = JsonNodeFactory.instance.arrayNode(total);
        for (int i = 0; i < createdCount; i++) {
            if (created[i].lastOutcome instanceof Update.Completed completed
                    && created[i].state == StepState.COMPLETED) {
                outputs.add(completed.output());
            } else {
                outputs.addNull();
            }
        }
        return outputs;
    }

    /** Returns the error of the first failed item. */
    String firstError() {
        for (int i = 0; i < createdCount; i++) {
            if (created[i].state == StepState.FAILED && created[i].lastOutcome instanceof Update.Failed failure) {
                return "item " + i + ": " + failure.error();
            }
        }
        return "no item gave a reason";
    }
}
