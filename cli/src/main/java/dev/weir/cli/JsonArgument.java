package dev.weir.cli;

import dev.weir.api.Json;
import dev.weir.core.json.Keepable;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** JSON on the command line, or in a file that is named there. */
final class JsonArgument {
    /** What the reader says of a source that it does not show. */
    private static final String SOURCE = " \\(start marker at \\[Source[^\\]]*\\]\\)";

    private JsonArgument() {}

    /** Reads JSON, or after an @ the file that holds it. */
    static JsonNode read(CommandSpec spec, String argument, String value) throws IOException {
        String text = TextFile.orItself(value);
        JsonNode json;
        try {
            json = Json.STRICT.readTree(text);
        } catch (JacksonException e) {
            String words =
                    argument + ": expected JSON: " + e.getOriginalMessage().replaceAll(SOURCE, "");
            throw new ParameterException(spec.commandLine(), words, e);
        }
        String misfit = json.isMissingNode() ? "nothing" : Keepable.misfit(json);
        if (misfit != null) {
            throw new ParameterException(spec.commandLine(), argument + ": expected JSON, found " + misfit);
        }
        return json;
    }
}
