package dev.weir.cli;

import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.UpdateResult;
import dev.weir.api.Work.UpdateResults;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir update} command: reports the result of a step that a person has claimed. */
@Command(
        name = "update",
        description = "Report the result of a claimed step: completed, failed, no_op, needs_input or rescheduled.",
        footer = {
            "",
            "Examples:",
            "  weir update order-7 check completed '{\"ok\": true}' --fence 12",
            "  weir update order-7 check failed --fence 12 --error 'no address' --permanent",
            "  weir update order-7 resize/4 rescheduled --fence 13 --delay 10m",
            "",
            "The exit code is 1 if the claim is no longer valid, for example because its lease has ended."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class UpdateCommand implements Callable<Integer> {
    private static final Set<String> ACCEPTED = Set.of("applied", "replayed");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Parameters(index = "1", paramLabel = "STEP", description = "The claimed step, or STEP/N for an item of it.")
    private String step;

    @Parameters(index = "2", paramLabel = "RESULT", description = "The result.")
    private String result;

    @Parameters(
            index = "3",
            arity = "0..1",
            paramLabel = "JSON|@FILE",
            description = "For completed: the output. For needs_input: the prompt. @FILE reads it from a file.")
    private @Nullable String data;

    @Option(names = "--fence", paramLabel = "N", required = true, description = "The fence that weir claim printed.")
    private Long fence;

    @Option(names = "--error", paramLabel = "TEXT", description = "For failed: the reason.")
    private @Nullable String error;

    @Option(names = "--permanent", description = "For failed: do not retry.")
    private boolean permanent;

    @Option(
            names = "--delay",
            paramLabel = "DURATION",
            description = "For rescheduled: the time until the next attempt. For failed: holds the step's keys.")
    private @Nullable String delay;

    @Override
    public Integer call() throws Exception {
        StepArgument target = StepArgument.read(spec, step, null);
        var report = new ModuleStatusUpdate(
                run,
                target.step(),
                target.item(),
                fence,
                result,
                data == null ? null : JsonArgument.read(spec, "JSON", data),
                error,
                permanent ? Boolean.TRUE : null,
                delay);
        UpdateResults results = remote.client().update(new UpdateRequest(List.of(report)));
        UpdateResult outcome = results.results().get(0);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(results)) {
            String detail = outcome.detail() == null ? "" : ": " + outcome.detail();
            printer.line(run + "/" + target + ": " + outcome.outcome() + detail);
        }
        return ACCEPTED.contains(outcome.outcome()) ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
