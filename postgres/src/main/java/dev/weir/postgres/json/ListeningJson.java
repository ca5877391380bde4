package dev.weir.postgres.json;

import dev.weir.core.state.ListeningSpan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** JSON of the spans in which workers could reach the engine: a list of [since, until] lists. */
public final class ListeningJson {
    private ListeningJson() {}

    public static String text(List<ListeningSpan> spans) {
        ArrayNode all = StoredJson.NODES.arrayNode();
        for (ListeningSpan span : spans) {
            all.addArray().add(span.since()).add(span.until());
        }
        return StoredJson.text(all);
    }

    public static List<ListeningSpan> read(@Nullable String text) {
        List<ListeningSpan> spans = new ArrayList<>();
        if (text != null) {
            for (JsonNode span : StoredJson.read(text)) {
                spans.add(new ListeningSpan(span.get(0).longValue(), span.get(1).longValue()));
            }
        }
        return spans;
    }
}
