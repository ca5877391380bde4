package dev.weir.core.life;

import dev.weir.core.admission.FanOut;
import dev.weir.core.expression.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The items of a fanned-out step: those that are made, those that have ended, and how many may run at once. */
final class Items {
    /** How many elements make one item where the definition does not say. */
    private static final int SINGLE = 0;

    private List<JsonNode> elements;
    private @Nullable Scope scope;
    final int total;
    final FanOut window;
    private final int batchSize;
    private final Item[] made;
    int madeCount;
    /** How many were put before their limits for the first time. */
    int askedCount;

    /** Whether its run is on its way to its end, and how many items were told so. */
    boolean stopping;

    int stoppedCount;

    int ended;
    int failed;
    int cancelled;

    Items(dev.weir.core.definition.FanOut definition, List<JsonNode> elements) {
        this.elements = elements;
        this.batchSize = definition.batchSize() == null ? SINGLE : definition.batchSize();
        this.total = batchSize == SINGLE ? elements.size() : Math.ceilDiv(elements.size(), batchSize);
        this.window = new FanOut(definition.concurrency() == null ? Integer.MAX_VALUE : definition.concurrency());
        this.made = new Item[total];
    }

    /** Items that are brought back; the elements are needed only where some items are not made yet. */
    Items(dev.weir.core.definition.FanOut definition, int total) {
        this.elements = List.of();
        this.batchSize = definition.batchSize() == null ? SINGLE : definition.batchSize();
        this.total = total;
        this.window = new FanOut(definition.concurrency() == null ? Integer.MAX_VALUE : definition.concurrency());
        this.made = new Item[total];
    }

    void elements(List<JsonNode> known) {
        elements = known;
    }

    /** What all items see, made once while they are made. */
    Scope scope(RunStep step) {
        if (scope == null) {
            scope = Scopes.of(step);
        }
        return scope;
    }

    /** Forgets what only the making of items needs. */
    void endMaking() {
        elements = List.of();
        scope = null;
    }

    /** Lets no more items be made or started. */
    void stop() {
        stopping = true;
        askedCount = total;
        window.close();
        int unmade = total - madeCount;
        ended += unmade;
        cancelled += unmade;
        endMaking();
    }

    /** Counts an item that has ended. */
    void count(StepState state) {
        ended += state.ended() ? 1 : 0;
        failed += state == StepState.FAILED ? 1 : 0;
        cancelled += state == StepState.CANCELLED ? 1 : 0;
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

    /** The items' outputs in the order of the items; null where there is none. */
    ArrayNode outputs() {
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
