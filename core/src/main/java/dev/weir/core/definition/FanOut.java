package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * Runs a step once for each element of a list.
 *
 * @param items the list, or an expression that returns one ({@code with_items})
 * @param concurrency the number of items in flight; absent = unlimited
 * @param batchSize the number of elements per item; absent = each element is an item
 * @param tolerate the items that may fail without failing the step
 */
public record FanOut(
        Template items,
        @Nullable Integer concurrency,
        @Nullable Integer batchSize,
        FailureTolerance tolerate) {
    public FanOut {
        if (!items.source().isArray() && !items.isExpression()) {
            String found = FieldChecks.quoted(items.toString());
            throw new InvalidDefinition("with_items", "a list, or an expression that returns one", found);
        }
        FieldChecks.checkPositive("concurrency", concurrency);
        FieldChecks.checkPositive("batch_size", batchSize);
    }
}
