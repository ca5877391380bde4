package dev.weir.postgres.json;

import dev.weir.core.life.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What workers have reported. */
public final class Updates {
    private Updates() {}

    public static @Nullable String text(@Nullable Update update) {
        if (update instanceof Update.Completed completed) {
            // The usual one: the output is not put into another object only to be written.
            return "{\"output\":" + Json.text(completed.output()) + "}";
        }
        return update == null ? null : Json.text(json(update));
    }

    private static ObjectNode json(Update update) {
        ObjectNode json = Json.NODES.objectNode();
        switch (update) {
            case Update.Completed completed -> json.set("output", completed.output());
            case Update.NoOp ignored -> json.put("no_op", true);
            case Update.Failed failed -> {
                json.put("error", failed.error());
                if (failed.permanent()) {
                    json.put("permanent", true);
                }
                if (failed.retryAfter() != Update.Failed.NOT_SAID) {
                    json.put("retry_after", failed.retryAfter());
                }
            }
            case Update.Rescheduled rescheduled -> json.put("rescheduled", rescheduled.delay());
            case Update.NeedsInput needsInput -> json.set("needs_input", needsInput.prompt());
        }
        return json;
    }

    public static @Nullable Update read(@Nullable String text) {
        return text == null ? null : update(Json.read(text));
    }

    private static Update update(JsonNode json) {
        if (json.has("output")) {
            return new Update.Completed(json.get("output"));
        }
        if (json.has("no_op")) {
            return new Update.NoOp();
        }
        if (json.has("error")) {
            long retryAfter = json.path("retry_after").asLong(Update.Failed.NOT_SAID);
            return new Update.Failed(json.get("error").stringValue(), json.has("permanent"), retryAfter);
        }
        if (json.has("rescheduled")) {
            return new Update.Rescheduled(json.get("rescheduled").longValue());
        }
        if (json.has("needs_input")) {
            return new Update.NeedsInput(json.get("needs_input"));
        }
        throw new IllegalArgumentException("expected what a worker reported, found " + json);
    }
}
