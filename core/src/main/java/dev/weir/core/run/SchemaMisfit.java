package dev.weir.core.run;

import dev.weir.core.definition.JsonSchema;
import dev.weir.core.expression.UnitCounter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Describes how a value differs from its schema. */
final class SchemaMisfit {
    private SchemaMisfit() {}

    /** Describes why a value does not fit; null if it fits. */
    static @Nullable String describe(JsonSchema schema, JsonNode value, UnitCounter counter) {
        List<String> misfits = schema.validate(value, counter);
        return misfits.isEmpty() ? null : String.join("; ", misfits);
    }
}
