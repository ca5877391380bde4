package dev.weir.cli;

import dev.weir.api.Starts.StartedRun;
import dev.weir.api.Triggers.RetryBlock;
import dev.weir.api.Triggers.TriggerRequest;
import dev.weir.api.WireJson;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The {@code weir trigger} command: makes one HTTP call under limits, without a workflow. */
@Command(
        name = "trigger",
        description = "Make one HTTP call under limits, without a workflow. If a limit is reached, the call waits.",
        footer = {
            "",
            "Examples:",
            "  weir trigger https://media.example/process --body '{\"video\": 7}' \\",
            "      --key media-processing --parallelism 4 --rate 10 --period 60000",
            "  weir trigger https://billing.example/charges --file charge.json --wait",
            "  weir trigger https://billing.example/list \\",
            "      --secret-header 'Authorization: Bearer BILLING'",
            "",
            "The call is a run of the workflow weir.trigger: weir runs, weir why and weir keys show it.",
            "Weir sends the address, the headers and the body as they are, and evaluates no expressions in them.",
            "With --wait, the exit code is 0 if the call succeeds, 1 if it fails, and 3 if it is cancelled."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class TriggerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Mixin
    private FlowControlOptions flowControl;

    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "The address to call. It replaces the address in --file.")
    private @Nullable String target;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Read the request from a YAML or JSON file. Options replace its values.")
    private @Nullable Path file;

    @Option(names = "--method", paramLabel = "METHOD", description = "Default: POST if there is a body, else GET.")
    private @Nullable String method;

    @Option(names = "--header", paramLabel = "'NAME: VALUE'", description = "A header. Repeat the option for several.")
    private List<String> headers = List.of();

    @Option(
            names = "--secret-header",
            paramLabel = "'NAME: [PREFIX ]SECRET'",
            description = "A header with the value of a secret of the node, after an optional text.")
    private List<String> secretHeaders = List.of();

    @Option(
            names = "--body",
            paramLabel = "JSON|@FILE",
            description = "The body; Weir sends the content of a JSON string as text.")
    private @Nullable String body;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The run's id. Repeating the command with the same id makes no second call.")
    private @Nullable String id;

    @Option(names = "--timeout", paramLabel = "DURATION", description = "Longest time of one attempt (default: 5m).")
    private @Nullable String timeout;

    @Option(names = "--delay", paramLabel = "DURATION", description = "Wait this long before the call may start.")
    private @Nullable String delay;

    @Option(names = "--max-attempts", paramLabel = "N", description = "Number of attempts (default: 4).")
    private @Nullable Integer maxAttempts;

    @Option(names = "--wait", description = "Wait until the call has ended.")
    private boolean untilEnd;

    @Override
    public Integer call() throws Exception {
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        StartedRun started = remote.client().trigger(request());
        if (untilEnd) {
            return RunEndPrinter.print(remote.retryingClient().awaitEnd(started.id(), null), printer);
        }
        if (!printer.json(started)) {
            printer.line(started.id() + ": " + (started.created() ? "" : "already exists, ") + started.state());
        }
        return ExitCode.OK;
    }

    private TriggerRequest request() throws IOException {
        TriggerRequest request = readBase();
        for (String header : headers) {
            List<String> parts = parts("--header", header, ":");
            request = request.withHeader(parts.get(0), parts.get(1));
        }
        for (String header : secretHeaders) {
            List<String> parts = parts("--secret-header", header, ":");
            int space = parts.get(1).lastIndexOf(' ') + 1;
            request = request.withSecretHeader(
                    parts.get(0), parts.get(1).substring(0, space), parts.get(1).substring(space));
        }
        if (body != null) {
            request = request.withBody(JsonArgument.read(spec, "--body", body));
        }
        request = method == null ? request : request.withMethod(method);
        request = id == null ? request : request.withId(id);
        JsonNode block = flowControl.block(spec);
        request = block == null ? request : request.withFlowControl(block);
        return request.withTimes(
                maxAttempts == null ? request.retry() : RetryBlock.attempts(maxAttempts),
                timeout == null ? request.timeout() : timeout,
                delay == null ? request.delay() : delay);
    }

    /** Returns the request of the file, with the address of the command line if it has one. */
    private TriggerRequest readBase() throws IOException {
        if (file == null) {
            if (target == null) {
                throw new ParameterException(spec.commandLine(), "URL: expected an address to call, or --file");
            }
            return TriggerRequest.of(target);
        }
        JsonNode data = switch (WorkflowReader.readData(TextFile.read(file))) {
            case ReadResult.Accepted<JsonNode> accepted -> accepted.value();
            case ReadResult.Refused<JsonNode> refused ->
                throw new ParameterException(
                        spec.commandLine(), "--file: " + refused.problems().getFirst());
        };
        try {
            TriggerRequest read = WireJson.STRICT.treeToValue(data, TriggerRequest.class);
            return target == null ? read : read.withUrl(target);
        } catch (JacksonException e) {
            throw new ParameterException(spec.commandLine(), "--file: " + e.getOriginalMessage(), e);
        }
    }

    private List<String> parts(String option, String text, String separator) {
        int at = text.indexOf(separator);
        if (at < 1) {
            throw new ParameterException(spec.commandLine(), option + ": expected 'NAME: VALUE', found '" + text + "'");
        }
        return List.of(text.substring(0, at).strip(), text.substring(at + 1).strip());
    }
}
