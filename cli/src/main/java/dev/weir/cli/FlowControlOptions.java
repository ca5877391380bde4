package dev.weir.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The options for a flow-control key and its limits. Commands include them as a {@code @Mixin}. */
final class FlowControlOptions {
    @Option(names = "--key", paramLabel = "KEY", description = "The flow-control key whose limits apply.")
    private @Nullable String key;

    @Option(names = "--parallelism", paramLabel = "N", description = "Maximum number of steps of the key at once.")
    private @Nullable Integer parallelism;

    @Option(names = "--rate", paramLabel = "N", description = "Maximum number of starts of the key per period.")
    private @Nullable Integer rate;

    @Option(
            names = "--period",
            paramLabel = "DURATION",
            description = "The period of the rate, such as 1m, 10s or 60000 for milliseconds (default: 1s).")
    private @Nullable String period;

    @Option(
            names = "--window",
            paramLabel = "KIND",
            description = "sliding (default): any period has at most --rate starts; fixed: a start opens a window.")
    private @Nullable String window;

    /** Returns the block for the request; null if no option was given. */
    @Nullable
    JsonNode block(CommandSpec spec) {
        boolean hasLimit = parallelism != null || rate != null || period != null || window != null;
        if (key == null) {
            if (hasLimit) {
                throw new ParameterException(
                        spec.commandLine(), "--key: expected a key for the limits, such as --key billing-api");
            }
            return null;
        }
        ObjectNode block = JsonNodeFactory.instance.objectNode().put("key", key);
        if (parallelism != null) {
            block.put("parallelism", parallelism);
        }
        if (rate != null) {
            block.put("rate", rate);
        }
        JsonNode length = PeriodArgument.read(period);
        if (length != null) {
            block.set("period", length);
        }
        if (window != null) {
            block.put("window", window);
        }
        return block;
    }
}
