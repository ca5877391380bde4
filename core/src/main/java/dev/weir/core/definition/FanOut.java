package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * A step that runs once for each element of a list.
 *
 * @param items the list, or an expression that gives one ({@code with_items})
 * @param concurrency items in flight; absent = unlimited
 * @param batchSize how many elements make one item; absent = each element is an item
 * @param tolerate how many items may fail without failing the step
 */
public record FanOut(
        Template items,
        @Nullable Integer concurrency,
        @Nullable Integer batchSize,
        Tolerance tolerate) {
    public FanOut {
        if (!items.source().isArray() && !items.isExpression()) {
            String found = Require.quoted(items.toString());
            throw new InvalidDefinition("with_items", "a list, or an expression that gives one", found);
        }
        Require.positive("concurrency", concurrency);
        Require.positive("batch_size", batchSize);
    }
}
