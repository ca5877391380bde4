package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.json.JsonLength;
import dev.weir.core.limit.Moment;
import dev.weir.core.naming.NearestName;
import dev.weir.core.state.Update;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads a worker's report from the wire format. */
final class UpdateReader {
    /** The longest output of a step, in bytes. */
    static final int OUTPUT_BYTES_MAX = 256 * 1024;

    /** The most bytes that one character of a JSON text takes: as an escape sequence. */
    private static final int BYTES_PER_CHAR_MAX = 6;

    private static final List<String> RESULTS = List.of("completed", "failed", "no_op", "needs_input", "rescheduled");

    private UpdateReader() {}

    static Update of(ModuleStatusUpdate entry, String at) {
        // The documents that Weir grew from write needs-input and no-op.
        String result = entry.result().replace('-', '_');
        if (entry.error() != null && RESULTS.contains(result) && !result.equals("failed")) {
            throw RefusedRequest.invalid(
                    at + "/error", "no error with the result " + result, "one (report failed instead)");
        }
        return switch (result) {
            case "completed" -> new Update.Completed(output(entry.output(), at));
            case "no_op" -> new Update.NoOp();
            case "needs_input" -> new Update.NeedsInput(output(entry.output(), at));
            case "failed" ->
                new Update.Failed(
                        entry.error() == null ? "the worker gave no reason" : entry.error(),
                        Boolean.TRUE.equals(entry.permanent()),
                        entry.delay() == null ? Update.Failed.NO_RETRY_AFTER : Moment.micros(delay(entry.delay(), at)));
            case "rescheduled" -> new Update.Rescheduled(Moment.micros(delay(entry.delay(), at)));
            default ->
                throw RefusedRequest.invalid(
                        at + "/result",
                        "one of " + String.join(", ", RESULTS),
                        "'" + entry.result() + "'" + NearestName.hint(result, RESULTS));
        };
    }

    private static JsonNode output(@Nullable JsonNode output, String at) {
        if (output == null) {
            return JsonNodeFactory.instance.nullNode();
        }
        // Most outputs are far from the bound, and need not be written to be measured.
        boolean mayBeLong = (long) JsonLength.of(output) * BYTES_PER_CHAR_MAX > OUTPUT_BYTES_MAX;
        int bytes = mayBeLong ? output.toString().getBytes(StandardCharsets.UTF_8).length : 0;
        if (bytes > OUTPUT_BYTES_MAX) {
            throw RefusedRequest.of(
                    Problem.Kind.TOO_LARGE,
                    at + "/output: expected at most " + OUTPUT_BYTES_MAX + " bytes, found " + bytes);
        }
        return CanonicalJson.of(output);
    }

    private static Duration delay(@Nullable String text, String at) {
        if (text == null) {
            throw RefusedRequest.invalid(at + "/delay", "the time to wait before the next attempt", "nothing");
        }
        Duration delay = Request.parseDuration(at + "/delay", text);
        if (delay.compareTo(DefinitionBounds.DURATION_MAX) > 0) {
            throw RefusedRequest.invalid(
                    at + "/delay", "at most " + DefinitionBounds.DURATION_MAX.toDays() + " days", "'" + text + "'");
        }
        return delay;
    }
}
