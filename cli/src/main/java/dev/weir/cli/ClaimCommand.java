package dev.weir.cli;

import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ClaimResult;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.WorkClaim;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir claim} command: claims steps of a run for a person, under the same limits as for workers. */
@Command(
        name = "claim",
        description = {
            "Claim steps of a run to do their work by hand. All limits apply as they do for workers.",
            "Report the result with weir update before the lease ends."
        },
        footer = {
            "",
            "Examples:",
            "  weir claim order-7 check             one chosen step",
            "  weir claim order-7 --module review   any step of this module",
            "",
            "If nothing may start now, the command prints why, and exits with 0."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class ClaimCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "RUN", description = "The id of a run.")
    private String run;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "STEP", description = "Steps of the run (default: any).")
    private List<String> steps = List.of();

    @Option(names = "--module", paramLabel = "MODULE", description = "Claim only steps of this module.")
    private List<String> modules = List.of();

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of claims (default: 1).")
    private @Nullable Integer limit;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "10m",
            description = "How long the claim lasts: from 5s to 1h (default: 10m).")
    private String lease;

    @Option(names = "--wait", paramLabel = "DURATION", description = "Wait this long for a claim, up to 20s.")
    private @Nullable String waitTime;

    @Option(names = "--worker", paramLabel = "NAME", description = "Who works (default: the user's name).")
    private @Nullable String worker;

    @Override
    public Integer call() throws Exception {
        var request = new ClaimRequest(
                modules.stream().map(ModuleInfo::of).toList(),
                run,
                steps.stream().map(step -> StepArgument.readStep(spec, step)).toList(),
                limit,
                waitTime,
                lease,
                UUID.randomUUID().toString(),
                worker == null ? System.getProperty("user.name") : worker);
        ClaimResult result = remote.client().claim(request);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(result)) {
            result.claims().forEach(claim -> print(claim, printer));
            if (result.claims().isEmpty()) {
                printReasons(result, printer);
            }
        }
        return 0;
    }

    private void print(WorkClaim claim, ResultPrinter printer) {
        String step = StepArgument.format(claim.step(), claim.item());
        printer.line(claim.run() + "/" + step + ": claimed for " + claim.lease() + ", fence " + claim.fence());
        printer.line("  input: " + claim.input());
        printer.line("  report: " + spec.root().name() + " update " + ShellWord.quoteIfNeeded(claim.run()) + " " + step
                + " completed --fence " + claim.fence());
    }

    /** Prints the reason for each chosen step that could not be claimed. */
    private void printReasons(ClaimResult result, ResultPrinter printer) {
        printer.line(run + ": nothing to claim now");
        if (result.state() == null) {
            return;
        }
        result.state().steps().stream()
                .filter(step -> steps.isEmpty() ? step.held() : steps.contains(step.id()))
                .forEach(step -> printer.line("  " + step.id() + ": " + step.state()
                        + (step.reason() == null ? "" : ", " + step.reason().message())));
    }
}
