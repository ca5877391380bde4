package dev.weir.postgres.json;

import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON of the updates that workers reported. */
public final class UpdateJson {
    private UpdateJson() {}

    public static @Nullable String text(@Nullable Update update) {
        if (update == null) {
            return null;
        }
        var text = new StringBuilder();
        append(update, text);
        return text.toString();
    }

    /** Appends the text of an update to a longer text. */
    public static void append(@Nullable Update update, StringBuilder text) {
        if (update instanceof Update.Completed completed) {
            // This is the usual case: it avoids putting the output into another object just to write it.
            StoredJson.append(completed.output(), text.append("{\"output\":"));
            text.append('}');
        } else if (update == null) {
            text.append("null");
        } else {
            StoredJson.append(json(update), text);
        }
    }

    private static ObjectNode json(Update update) {
        ObjectNode json = StoredJson.NODES.objectNode();
        switch (update) {
            case Update.Completed completed -> json.set("output", completed.output());
            case Update.NoOp ignored -> json.put("no_op", true);
            case Update.Failed failed -> {
                json.put("error", failed.error());
                if (failed.permanent()) {
                    json.put("permanent", true);
                }
                if (failed.retryAfter() != Update.Failed.NO_RETRY_AFTER) {
                    json.put("retry_after", failed.retryAfter());
                }
                if (failed.status() != null) {
                    json.put("status", failed.status());
                }
            }
            case Update.Rescheduled rescheduled -> json.put("rescheduled", rescheduled.delay());
            case Update.NeedsInput needsInput -> json.set("needs_input", needsInput.prompt());
        }
        return json;
    }

    public static @Nullable Update read(@Nullable String text) {
        return text == null ? null : update(StoredJson.read(text));
    }

    private static Update update(JsonNode json) {
        if (json.has("output")) {
            return new Update.Completed(json.get("output"));
        }
        if (json.has("no_op")) {
            return new Update.NoOp();
        }
        if (json.has("error")) {
            long retryAfter = json.path("retry_after").asLong(Update.Failed.NO_RETRY_AFTER);
            Integer status = json.has("status") ? json.get("status").intValue() : null;
            return new Update.Failed(json.get("error").stringValue(), json.has("permanent"), retryAfter, status);
        }
        if (json.has("rescheduled")) {
            return new Update.Rescheduled(json.get("rescheduled").longValue());
        }
        if (json.has("needs_input")) {
            return new Update.NeedsInput(json.get("needs_input"));
        }
        throw new IllegalArgumentException("expected a stored update, found " + json);
    }
}
