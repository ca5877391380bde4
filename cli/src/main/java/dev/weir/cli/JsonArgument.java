package dev.weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON on the command line, or in a file that is named there. */
final class JsonArgument {
    private JsonArgument() {}

    /** Reads JSON, or after an @ the file that holds it. */
    static JsonNode read(CommandSpec spec, String argument, String value) throws IOException {
        String text = value.startsWith("@") ? Files.readString(Path.of(value.substring(1))) : value;
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            String words = argument + ": expected JSON: " + e.getOriginalMessage();
            throw new ParameterException(spec.commandLine(), words, e);
        }
    }
}
