package dev.weir.cli;

import dev.weir.api.Logs.LogEntry;
import dev.weir.api.Logs.LogPage;
import dev.weir.client.Client;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The output of {@code weir logs --key}: the ends of the logs of all steps under a flow-control key. */
final class KeyLogs {
    /** The default number of attempts. */
    static final int LIMIT = 20;
    /** The most pages that one command requests, so that it examines at most 100,000 attempts. */
    private static final int PAGES_MAX = 100;

    private final CommandSpec spec;
    private final OutputOptions output;
    private final Client client;

    KeyLogs(CommandSpec spec, OutputOptions output, Client client) {
        this.spec = spec;
        this.output = output;
        this.client = client;
    }

    int show(String key, int limit, @Nullable String cursor) throws InterruptedException {
        LogPage found = find(key, limit, cursor);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(found)) {
            return 0;
        }
        if (found.logs().isEmpty()) {
            printer.line("no step under key " + key + " has logged anything");
        }
        found.logs().forEach(entry -> print(printer, entry));
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
        return 0;
    }

    private static void print(ResultPrinter printer, LogEntry entry) {
        String item = entry.item() == null ? "" : "/" + entry.item();
        String attempt = entry.attempt() > 1 ? ", attempt " + entry.attempt() : "";
        printer.line("== " + entry.run() + "/" + entry.step() + item + attempt + ", "
                + ResultPrinter.ago(entry.loggedAt()) + (entry.cut() ? ", earlier text left out" : ""));
        entry.text().lines().forEach(printer::line);
    }

    /** Requests pages until there are as many attempts as asked for. A page may be short. */
    private LogPage find(String key, int limit, @Nullable String cursor) throws InterruptedException {
        List<LogEntry> logs = new ArrayList<>();
        String next = cursor;
        for (int pages = 0; pages < PAGES_MAX; pages++) {
            Map<String, String> page = new LinkedHashMap<>();
            page.put("key", key);
            page.put("limit", String.valueOf(limit - logs.size()));
            if (next != null) {
                page.put("cursor", next);
            }
            LogPage found = client.logs(page);
            logs.addAll(found.logs());
            next = found.next();
            if (next == null || logs.size() >= limit) {
                break;
            }
        }
        return new LogPage(logs, next);
    }
}
