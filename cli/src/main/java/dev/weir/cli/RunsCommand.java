package dev.weir.cli;

import dev.weir.api.LiveEvent;
import dev.weir.api.Runs.RunPage;
import dev.weir.api.Runs.RunSummary;
import dev.weir.client.Client;
import dev.weir.client.StreamFilter;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code weir runs} command: lists runs. */
@Command(
        name = "runs",
        description = "List runs, newest first.",
        footer = {
            "",
            "Examples:",
            "  weir runs --state running,queued",
            "  weir runs --workflow order_fulfillment -o json",
            "  weir runs --watch --state failed   until you press Ctrl-C"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class RunsCommand implements Callable<Integer> {
    /** The most pages that one command requests, so that it examines at most some hundred thousand runs. */
    private static final int PAGES_MAX = 100;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "List only runs in these states, separated by commas.")
    private @Nullable String state;

    @Option(names = "--workflow", paramLabel = "NAME", description = "List only runs of this workflow.")
    private @Nullable String workflow;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "List only the runs of one chain.")
    private @Nullable String correlationId;

    @Option(names = "--key", paramLabel = "KEY", description = "List only runs with a step under this key.")
    private @Nullable String key;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "List only runs with this label.")
    private @Nullable String label;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "Maximum number of runs (default: 20).")
    private int limit;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
    private @Nullable String cursor;

    @Option(
            names = "--watch",
            description = "Show changes until interrupted. In a pipe or file, print each change; not with --label.")
    private boolean watch;

    @Override
    public Integer call() throws Exception {
        Map<String, String> filter = new LinkedHashMap<>();
        putIfPresent(filter, "state", state);
        putIfPresent(filter, "workflow", workflow);
        putIfPresent(filter, "key", key);
        putIfPresent(filter, "correlation_id", correlationId);
        putIfPresent(filter, "label", label);
        if (watch) {
            return watch(filter);
        }
        RunPage found = find(remote.client(), filter);
        var page = new ResultPrinter(spec.commandLine().getOut(), output);
        if (page.json(found)) {
            return 0;
        }
        if (found.runs().isEmpty()) {
            page.line(emptyMessage(filter.isEmpty(), found.next() != null));
        } else {
            page.table(rows(found));
        }
        if (found.next() != null) {
            page.line("next page: --cursor " + found.next());
        }
        return 0;
    }

    private int watch(Map<String, String> filter) throws IOException {
        WatchOutput watchOutput = WatchOutput.of(spec.commandLine(), output);
        if (label != null && watchOutput.mode() != WatchOutput.Mode.SCREEN) {
            throw new ParameterException(
                    spec.commandLine(), "--label: expected a terminal with --watch, found a pipe or file");
        }
        Client client = remote.retryingClient();
        Set<String> states = state == null ? Set.of() : Set.of(state.split(",", -1));
        // The server checks the filter before anything is shown.
        ListWatch.TableReader table = () -> rows(find(client, filter));
        return new ListWatch(watchOutput, table, event -> isWanted(event, states), RunsCommand::describe)
                .watch(client, StreamFilter.topics("runs"));
    }

    private boolean isWanted(LiveEvent event, Set<String> states) {
        return event instanceof LiveEvent.RunEvent change
                && (states.isEmpty() || states.contains(change.state()))
                && (workflow == null || workflow.equals(change.workflow()));
    }

    private static String describe(LiveEvent event) {
        return event instanceof LiveEvent.RunEvent change
                ? change.run() + " of " + change.workflow() + " " + change.state()
                : "";
    }

    private static List<List<String>> rows(RunPage found) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("RUN", "WORKFLOW", "STATE", "ACCEPTED", "TOOK", "REASON"));
        found.runs().forEach(run -> rows.add(row(run)));
        return rows;
    }

    private static String emptyMessage(boolean unfiltered, boolean more) {
        return more
                ? "no matching runs among those examined so far"
                : unfiltered ? "no runs; start one with `weir start WORKFLOW`" : "no matching runs";
    }

    /**
     * Requests pages until there are as many runs as asked for. The server examines a limited number of runs per
     * page, so a page may be short.
     */
    private RunPage find(Client client, Map<String, String> filter) throws InterruptedException {
        List<RunSummary> runs = new ArrayList<>();
        @Nullable String next = cursor;
        for (int pages = 0; pages < PAGES_MAX; pages++) {
            Map<String, String> page = new LinkedHashMap<>(filter);
            putIfPresent(page, "cursor", next);
            page.put("limit", String.valueOf(limit - runs.size()));
            RunPage found = client.runs(page);
            runs.addAll(found.runs());
            next = found.next();
            if (next == null || runs.size() >= limit) {
                break;
            }
        }
        return new RunPage(runs, next);
    }

    private static void putIfPresent(Map<String, String> filter, String name, @Nullable String value) {
        if (value != null) {
            filter.put(name, value);
        }
    }

    private static List<String> row(RunSummary run) {
        Instant end = run.endedAt() == null ? Instant.now() : run.endedAt();
        return List.of(
                run.id(),
                run.workflow() + " v" + run.version(),
                run.state() + (run.endedAt() == null ? ResultPrinter.deadlineNote(run.deadline()) : ""),
                ResultPrinter.ago(run.acceptedAt()),
                ResultPrinter.duration(run.startedAt(), end),
                ResultPrinter.textOrEmpty(run.reason()));
    }
}
