package dev.weir.core.life;

import dev.weir.core.admission.FanOut;
import dev.weir.core.admission.Refusal;
import dev.weir.core.expression.Scope;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The items of a fanned-out step: those that are made, those that have ended, and how many may run at once. */
final class Items {
    /** How many elements make one item where the definition does not say. */
    private static final int SINGLE = 0;
    /** The largest output of all items together, in characters of JSON. */
    static final int OUTPUTS_CHARS_MAX = 4 * 1024 * 1024;
    /** Above so many items, what was given to one that is done is in the rows only. */
    static final int LARGE = 1_000;

    /** Items that there is room for at first. */
    private static final int ROOM_FIRST = 64;

    static final Update.Completed FORGOTTEN = new Update.Completed(JsonNodeFactory.instance.nullNode());

    private List<JsonNode> elements;
    private @Nullable Scope scope;
    private @Nullable String lost;
    final int total;
    final FanOut window;
    private final int batchSize;
    /** Those that are made; it grows with them, since a run may have a thousand steps of a million items each. */
    private Item[] made;

    int madeCount;
    /** How many were put before their limits for the first time. */
    int askedCount;

    /** Whether it is skipped, or its run is on its way to its end: no more items start. */
    boolean stopping;
    /** What of the run refused those that were waiting then; what refuses them while they are taken out is no reason. */
    @Nullable
    Refusal refusedAtStop;

    /** Whether its items are being taken out of what they wait for, because its approval was taken back. */
    boolean withdrawing;
    /** How many of them were, for one reason or the other. */
    int takenOutCount;

    /** Whether those that failed are being tried again, because an operator has resumed the run. */
    boolean tryingAgain;
    /** How many were looked at for that. */
    int triedAgainCount;

    private long outputChars;
    private boolean outputsForgotten;
    int ended;
    int failed;
    int cancelled;

    Items(dev.weir.core.definition.FanOut definition, List<JsonNode> elements) {
        this.elements = elements;
        this.batchSize = definition.batchSize() == null ? SINGLE : definition.batchSize();
        this.total = batchSize == SINGLE ? elements.size() : Math.ceilDiv(elements.size(), batchSize);
        this.window = new FanOut(definition.concurrency() == null ? Integer.MAX_VALUE : definition.concurrency());
        this.made = new Item[Math.min(total, ROOM_FIRST)];
    }

    /** Items that are brought back; the elements are needed only where some items are not made yet. */
    Items(dev.weir.core.definition.FanOut definition, int total) {
        this.elements = List.of();
        this.batchSize = definition.batchSize() == null ? SINGLE : definition.batchSize();
        this.total = total;
        this.window = new FanOut(definition.concurrency() == null ? Integer.MAX_VALUE : definition.concurrency());
        this.made = new Item[Math.min(total, ROOM_FIRST)];
    }

    /** What they are made from, told again; it must be as many as before, or nobody knows which is whose. */
    void elements(List<JsonNode> known) {
        int found = batchSize == SINGLE ? known.size() : Math.ceilDiv(known.size(), batchSize);
        if (found == total) {
            elements = known;
        } else {
            lose("with_items gave " + total + " items when the step began, and now gives " + found);
        }
    }

    /** Nobody can tell any more what the items are made from that are not made yet: they fail, each with that error. */
    void lose(String error) {
        lost = error;
    }

    @Nullable
    String lost() {
        return lost;
    }

    /** What all items see, made once while they are made. */
    Scope scope(RunStep step) {
        if (scope == null) {
            scope = Scopes.of(step);
        }
        return scope;
    }

    /** Whether some are still to be made. */
    boolean making() {
        return !stopping && !allMade();
    }

    /** What was spent so far on rendering items, in units of evaluation. */
    long spent() {
        return scope == null ? 0 : scope.spent();
    }

    /** Forgets what only the making of items needs. */
    void endMaking() {
        elements = List.of();
        scope = null;
    }

    /** Lets no more items be made or started. */
    void stop() {
        stopping = true;
        withdrawing = false;
        tryingAgain = false;
        askedCount = total;
        window.close();
        int unmade = total - madeCount;
        ended += unmade;
        cancelled += unmade;
        endMaking();
    }

    /** Counts an item if it has ended. */
    void count(Item item) {
        ended += item.state.ended() ? 1 : 0;
        failed += item.state == StepState.FAILED ? 1 : 0;
        cancelled += item.state == StepState.CANCELLED ? 1 : 0;
        if (item.state == StepState.COMPLETED) {
            keepOutput(item);
        }
    }

    /** Keeps of an item that is done what its step's output needs; of many or large ones that is in the rows only. */
    private void keepOutput(Item item) {
        if (total > LARGE) {
            item.input = null;
        }
        if (item.last instanceof Update.Completed completed && !outputsForgotten) {
            outputChars += JsonLength.of(completed.output()) + 1;
            if (outputChars > OUTPUTS_CHARS_MAX) {
                outputsForgotten = true;
                for (int i = 0; i < madeCount; i++) {
                    forgetOutput(made[i]);
                }
            }
        }
        if (outputsForgotten) {
            forgetOutput(item);
        }
    }

    private static void forgetOutput(Item item) {
        if (item.state == StepState.COMPLETED && item.last instanceof Update.Completed) {
            item.last = FORGOTTEN;
        }
    }

    /** What expressions see as {@code item}: the element, or the chunk of elements. */
    JsonNode value(int index) {
        if (batchSize == SINGLE) {
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
        if (madeCount == made.length) {
            made = Arrays.copyOf(made, Math.min(total, 2 * made.length));
        }
        made[madeCount] = item;
        madeCount++;
    }

    Item get(int index) {
        return made[index];
    }

    @Nullable
    Item find(int index) {
        return index < 0 || index >= madeCount ? null : made[index];
    }

    boolean allMade() {
        return madeCount == total;
    }

    boolean allEnded() {
        return ended == total;
    }

    /** The items' outputs in the order of the items, null where there is none; nothing if they are too large together. */
    JsonNode outputs() {
        if (outputsForgotten) {
            return JsonNodeFactory.instance.nullNode();
        }
        ArrayNode outputs = JsonNodeFactory.instance.arrayNode(total);
        for (int i = 0; i < madeCount; i++) {
            if (made[i].last instanceof Update.Completed completed && made[i].state == StepState.COMPLETED) {
                outputs.add(completed.output());
            } else {
                outputs.addNull();
            }
        }
        return outputs;
    }

    /** The error of the first item that failed. */
    String firstError() {
        for (int i = 0; i < madeCount; i++) {
            if (made[i].state == StepState.FAILED && made[i].last instanceof Update.Failed failure) {
                return "item " + i + ": " + failure.error();
            }
        }
        return "no item has said why";
    }
}
