package dev.weir.cli;

import dev.weir.api.Bulk.BulkCancelRequest;
import dev.weir.api.Bulk.BulkFilter;
import dev.weir.api.Bulk.BulkPreview;
import dev.weir.api.Bulk.BulkRetryRequest;
import dev.weir.api.Bulk.BulkView;
import dev.weir.client.Client;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** The {@code weir bulk} command: cancels or retries all runs that match a filter. */
@Command(
        name = "bulk",
        description = "Cancel or retry all runs that match a filter, or show the progress of such an operation.",
        footer = {
            "",
            "Actions:",
            "  cancel     Cancel the runs that match and have not ended.",
            "  retry      Retry the runs that match and failed (or: --state cancelled).",
            "  status ID  Show the progress of an operation.",
            "",
            "The operation goes on in the node, also if this command is stopped with Ctrl-C.",
            "",
            "Examples:",
            "  weir bulk cancel --workflow order_fulfillment --state queued --dry-run",
            "  weir bulk cancel --key billing-api --reason 'the provider is gone'",
            "  weir bulk retry --workflow order_fulfillment --label team=red",
            "  weir bulk cancel --all"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class BulkCommand implements Callable<Integer> {
    private static final List<String> ACTIONS = List.of("cancel", "retry", "status");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "ACTION", description = "cancel, retry or status.")
    private String action;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ID", description = "For status: the id of an operation.")
    private @Nullable String id;

    @Option(
            names = "--all",
            description = "Match all runs that the action can change. Needed without any other filter.")
    private boolean all;

    @Option(names = "--workflow", paramLabel = "NAME", description = "Match only runs of this workflow.")
    private @Nullable String workflow;

    @Option(names = "--state", paramLabel = "STATE", split = ",", description = "Match only runs in these states.")
    private List<String> states = new ArrayList<>();

    @Option(names = "--key", paramLabel = "KEY", description = "Match only runs with a step under this key.")
    private @Nullable String key;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "Match only runs with this label.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(names = "--run", paramLabel = "RUN", description = "Match only this run. Repeat it for several runs.")
    private List<String> runs = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only count the runs that match, and list some of them.")
    private boolean dryRun;

    @Option(names = "--running", description = "For cancel: also tell the workers of running steps to stop.")
    private boolean running;

    @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, stored with the operation.")
    private @Nullable String reason;

    @Option(names = "--no-wait", description = "Do not wait until the operation has ended.")
    private boolean noWait;

    @Override
    public Integer call() throws Exception {
        if (!ACTIONS.contains(action)) {
            throw wrong("expected one of " + String.join(", ", ACTIONS) + ", found '" + action + "'");
        }
        if (action.equals("status") != (id != null)) {
            throw wrong(id == null ? "expected the id of an operation, found none" : "unexpected argument: " + id);
        }
        Client client = remote.client();
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        var progress = new BulkProgress(spec.commandLine(), output, client);
        if (id != null) {
            return progress.print(printer, client.operations().bulk(id));
        }
        BulkFilter filter = filter();
        if (dryRun) {
            preview(
                    printer,
                    action.equals("cancel")
                            ? client.operations().previewCancel(new BulkCancelRequest(filter, true, policy(), reason))
                            : client.operations().previewRetry(new BulkRetryRequest(filter, true, reason)));
            return ExitCode.OK;
        }
        BulkView begun = action.equals("cancel")
                ? client.operations().cancelAll(new BulkCancelRequest(filter, null, policy(), reason))
                : client.operations().retryAll(new BulkRetryRequest(filter, null, reason));
        return progress.print(printer, noWait ? begun : progress.await(begun));
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private @Nullable String policy() {
        if (running && !action.equals("cancel")) {
            throw wrong("--running is only for cancel");
        }
        return running ? "cancel_running" : null;
    }

    private BulkFilter filter() {
        boolean given = workflow != null || key != null || !states.isEmpty() || !labels.isEmpty() || !runs.isEmpty();
        if (given == all) {
            throw wrong(
                    all
                            ? "expected either --all or a filter, found both"
                            : "expected a filter, such as --workflow NAME, or --all, found neither");
        }
        return new BulkFilter(
                states.isEmpty() ? null : states, workflow, key, labels.isEmpty() ? null : labels, listed());
    }

    private @Nullable List<String> listed() {
        return runs.isEmpty() ? null : runs;
    }

    private static void preview(ResultPrinter printer, BulkPreview preview) {
        if (printer.json(preview)) {
            return;
        }
        printer.line((preview.exact() ? "" : "at least ") + preview.matching() + " runs match; nothing was changed");
        if (!preview.sample().isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("RUN", "WORKFLOW", "STATE", "ACCEPTED"));
            preview.sample()
                    .forEach(run -> rows.add(
                            Arrays.asList(run.id(), run.workflow(), run.state(), ResultPrinter.ago(run.acceptedAt()))));
            printer.table(rows);
        }
    }
}
