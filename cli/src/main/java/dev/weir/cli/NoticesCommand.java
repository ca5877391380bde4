package dev.weir.cli;

import dev.weir.api.Notices.NoticePage;
import dev.weir.api.Notices.NoticeView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir notices} command: lists limits that are nearly used up, and what else needs attention. */
@Command(
        name = "notices",
        description = {
            "List notices, newest first: limits that are nearly or completely used, work that is too wide for its limit"
                    + " or waits very long, many dead letters, and corrected differences.",
            "",
            "A notice stays open until its value has been low for 5 minutes. Until then it is not issued again."
        },
        footer = {
            "",
            "Examples:",
            "  weir notices",
            "  weir notices --all --severity critical",
            "  weir notices --subject key:billing-api -o json"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class NoticesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Option(names = "--all", description = "List closed notices too.")
    private boolean all;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only notices of this kind, such as capacity.")
    private @Nullable String kind;

    @Option(names = "--severity", paramLabel = "SEVERITY", description = "Only warning or critical.")
    private @Nullable String severity;

    @Option(names = "--subject", paramLabel = "LIMIT", description = "Only notices about this limit, such as key:k.")
    private @Nullable String subject;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
    private @Nullable String cursor;

    @Override
    public Integer call() throws Exception {
        Map<String, String> query = new LinkedHashMap<>();
        if (!all) {
            query.put("state", "open");
        }
        put(query, "kind", kind);
        put(query, "severity", severity);
        put(query, "subject", subject);
        put(query, "cursor", cursor);
        NoticePage found = remote.client().operations().notices(query);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(found)) {
            return 0;
        }
        if (found.notices().isEmpty()) {
            printer.line(all ? "no notices" : "no open notices");
        } else {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("ID", "SEVERITY", "KIND", "SUBJECT", "VALUE", "STATE", "WHEN"));
            found.notices().forEach(notice -> rows.add(row(notice)));
            printer.table(rows);
        }
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
        return 0;
    }

    private static void put(Map<String, String> query, String name, @Nullable String value) {
        if (value != null) {
            query.put(name, value);
        }
    }

    private static List<String> row(NoticeView notice) {
        return List.of(
                notice.id(),
                notice.severity(),
                notice.kind(),
                ResultPrinter.textOrEmpty(notice.subject()),
                notice.max() == null ? "" : notice.used() + " of " + notice.max(),
                notice.state(),
                ResultPrinter.ago(notice.openedAt()));
    }
}
