package dev.weir.cli;

import dev.weir.api.WireJson;
import dev.weir.core.json.StorableJson;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads JSON from the command line, or from a file that is named there. */
final class JsonArgument {
    /** Matches the note about a hidden source in the parser's messages. */
    private static final String SOURCE_NOTE = " \\(start marker at \\[Source[^\\]]*\\]\\)";

    private JsonArgument() {}

    /** Reads JSON, or the content of a file if the value is @ and its name. */
    static JsonNode read(CommandSpec spec, String argument, String value) throws IOException {
        String text = TextFile.readValueOrFile(value);
        JsonNode json;
        try {
            json = WireJson.STRICT.readTree(text);
        } catch (JacksonException e) {
            String message =
                    argument + ": expected JSON: " + e.getOriginalMessage().replaceAll(SOURCE_NOTE, "");
            throw new ParameterException(spec.commandLine(), message, e);
        }
        String misfit = json.isMissingNode() ? "nothing" : StorableJson.findProblem(json);
        if (misfit != null) {
            throw new ParameterException(spec.commandLine(), argument + ": expected JSON, found " + misfit);
        }
        return json;
    }
}
