package dev.weir.cli;

import dev.weir.api.Audits.AuditPage;
import dev.weir.api.Audits.ChainCheck;
import dev.weir.api.Audits.ChainFinding;
import dev.weir.api.Audits.EntryView;
import dev.weir.client.Governance;
import dev.weir.client.Governance.AuditChain;
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

/** The {@code weir audit} command: lists the changes that people and tokens made, and verifies their chain. */
@Command(
        name = "audit",
        description = "List the changes that people and tokens made, newest first.",
        subcommands = AuditCommands.Verify.class,
        footer = {
            "",
            "Examples:",
            "  weir audit",
            "  weir audit --actor ann --since 2026-01-31T00:00:00Z",
            "  weir audit --target key:billing-api -o json",
            "  weir audit verify"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class AuditCommands implements Callable<Integer> {
    /** The most pages that are read to find a matching entry. The server examines 5,000 entries per page. */
    private static final int PAGES_MAX = 20;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Option(names = "--actor", paramLabel = "NAME", description = "Only changes by this token or program.")
    private @Nullable String actor;

    @Option(names = "--action", paramLabel = "ACTION", description = "Only this action, such as pin_key.")
    private @Nullable String action;

    @Option(
            names = "--target",
            paramLabel = "TARGET",
            description = "Only changes of this target, such as run:order-7 or key:billing-api.")
    private @Nullable String target;

    @Option(names = "--since", paramLabel = "TIME", description = "Only changes from this time on.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Only changes before this time.")
    private @Nullable String until;

    @Option(names = "--administration", description = "Show the changes of the node's administration instead.")
    private boolean administration;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
    private @Nullable String cursor;

    @Override
    public Integer call() throws Exception {
        AuditPage found = find(remote.client().governance());
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (printer.json(found)) {
            return 0;
        }
        if (found.entries().isEmpty()) {
            printer.line("no matching changes");
        } else {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("NUMBER", "WHEN", "ACTOR", "FROM", "ACTION", "TARGET", "REASON"));
            found.entries().forEach(entry -> rows.add(row(entry)));
            printer.table(rows);
        }
        if (found.next() != null) {
            printer.line("next page: --cursor " + found.next());
        }
        return 0;
    }

    /** Requests pages until one has entries. */
    private AuditPage find(Governance client) throws InterruptedException {
        Map<String, String> filter = new LinkedHashMap<>();
        put(filter, "actor", actor);
        put(filter, "action", action);
        put(filter, "target", target);
        put(filter, "since", since);
        put(filter, "until", until);
        put(filter, "cursor", cursor);
        AuditPage found = client.audit(chain(administration), filter);
        for (int pages = 1; pages < PAGES_MAX && found.entries().isEmpty() && found.next() != null; pages++) {
            put(filter, "cursor", found.next());
            found = client.audit(chain(administration), filter);
        }
        return found;
    }

    private static void put(Map<String, String> filter, String name, @Nullable String value) {
        if (value != null) {
            filter.put(name, value);
        }
    }

    private static AuditChain chain(boolean administration) {
        return administration ? AuditChain.ADMINISTRATION : AuditChain.ORGANISATION;
    }

    private static List<String> row(EntryView entry) {
        return List.of(
                String.valueOf(entry.number()),
                ResultPrinter.ago(entry.at()),
                entry.actor(),
                entry.origin(),
                entry.action(),
                entry.target(),
                ResultPrinter.textOrEmpty(entry.reason()));
    }

    /** The {@code weir audit verify} command. */
    @Command(
            name = "verify",
            description = {
                "Check that no entry of the audit was edited, removed, moved or inserted.",
                "",
                "The command prints the head of the chain. Keep it elsewhere: with --head, a later check also proves that"
                        + " nothing was removed from the end. Exit code 1 means that the chain is broken."
            },
            footer = {
                "",
                "Examples:",
                "  weir audit verify",
                "  weir audit verify --head 42:9f86d081884c7d65...",
                "  weir audit verify --administration -o json"
            })
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class Verify implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Option(names = "--head", paramLabel = "COUNT:HASH", description = "A head that was printed earlier.")
        private @Nullable String head;

        @Option(names = "--administration", description = "Verify the chain of the node's administration instead.")
        private boolean administration;

        @Override
        public Integer call() throws Exception {
            ChainCheck result = verify(remote.client().governance());
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(result)) {
                print(printer, result);
            }
            return result.intact() ? 0 : 1;
        }

        /** Verifies the whole chain. Each request checks a bounded part of it. */
        private ChainCheck verify(Governance client) throws InterruptedException {
            List<ChainFinding> findings = new ArrayList<>();
            Map<String, String> parameters = new LinkedHashMap<>();
            put(parameters, "head", head);
            long checked = 0;
            while (true) {
                ChainCheck part = client.verify(chain(administration), parameters);
                checked += part.checked();
                part.findings().stream()
                        .filter(finding -> !findings.contains(finding))
                        .forEach(findings::add);
                if (part.complete()) {
                    return new ChainCheck(findings.isEmpty(), checked, part.head(), true, part.tail(), findings);
                }
                parameters.put("after", part.head());
            }
        }

        private static void print(ResultPrinter printer, ChainCheck result) {
            result.findings().forEach(finding -> printer.line("entry " + finding.number() + ": " + finding.problem()));
            printer.line(
                    result.intact()
                            ? "intact: " + result.checked() + " entries checked"
                            : "BROKEN: " + result.findings().size() + " findings in " + result.checked() + " entries");
            switch (result.tail()) {
                case "proved" -> printer.line("nothing was removed from the end since the given head");
                case "missing" -> printer.line("entries were removed from the end");
                default ->
                    printer.line("the end is unproved: keep the head, and pass it to the next check with --head");
            }
            printer.line("head: " + result.head());
        }
    }
}
