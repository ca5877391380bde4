package dev.weir.cli;

import dev.weir.api.Bulk.BulkView;
import dev.weir.api.DeadLetters.BulkCloseRequest;
import dev.weir.api.DeadLetters.CloseResult;
import dev.weir.api.DeadLetters.DeadLetterFilter;
import dev.weir.api.DeadLetters.DeadLetterPage;
import dev.weir.api.DeadLetters.DeadLetterPreview;
import dev.weir.api.DeadLetters.DeadLetterView;
import dev.weir.client.Client;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir dead-letters} command: lists, shows, redrives and discards work that failed for good. */
@Command(
        name = "dead-letters",
        description = "List dead letters, newest first: work that failed for good.",
        subcommands = {
            DeadLetterCommands.ListLetters.class,
            DeadLetterCommands.Show.class,
            DeadLetterCommands.Redrive.class,
            DeadLetterCommands.Discard.class
        },
        footer = {
            "",
            "Examples:",
            "  weir dead-letters --state open --workflow billing",
            "  weir dead-letters redrive 17",
            "  weir dead-letters discard --key billing-api --dry-run"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class DeadLetterCommands implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LetterList list;

    @Override
    public Integer call() throws Exception {
        return list.print(spec);
    }

    /** The criteria that dead letters must match. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class FilterOptions {
        @Option(
                names = "--kind",
                paramLabel = "KIND",
                description = "Match only failed_run, refused_start, cascade or event.")
        private @Nullable String kind;

        @Option(names = "--code", paramLabel = "CODE", description = "Match only this reason, such as step_failed.")
        private @Nullable String code;

        @Option(names = "--workflow", paramLabel = "NAME", description = "Match only this workflow.")
        private @Nullable String workflow;

        @Option(names = "--key", paramLabel = "KEY", description = "Match only work under this flow-control key.")
        private @Nullable String key;

        boolean isGiven() {
            return kind != null || code != null || workflow != null || key != null;
        }

        Map<String, String> query() {
            Map<String, String> query = new LinkedHashMap<>();
            put(query, "kind", kind);
            put(query, "reason", code);
            put(query, "workflow", workflow);
            put(query, "key", key);
            return query;
        }

        private static void put(Map<String, String> query, String name, @Nullable String value) {
            if (value != null) {
                query.put(name, value);
            }
        }
    }

    private static List<List<String>> rows(List<DeadLetterView> letters) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ID", "KIND", "STATE", "SUBJECT", "WORKFLOW", "WHEN", "REASON"));
        letters.forEach(letter -> rows.add(List.of(
                letter.id(),
                letter.kind(),
                letter.state(),
                letter.subject(),
                ResultPrinter.textOrEmpty(letter.workflow()),
                ResultPrinter.ago(letter.at()),
                letter.reason() + ": " + letter.text())));
        return rows;
    }

    /** The options of a list of dead letters. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class LetterList {
        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @ArgGroup(exclusive = false)
        private FilterOptions filter = new FilterOptions();

        @Option(names = "--state", paramLabel = "STATE", description = "Match only open, redriven or discarded.")
        private @Nullable String state;

        @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
        private @Nullable String cursor;

        int print(CommandSpec spec) throws Exception {
            Map<String, String> query = filter.query();
            FilterOptions.put(query, "state", state);
            FilterOptions.put(query, "cursor", cursor);
            DeadLetterPage found = remote.client().operations().deadLetters(query);
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            if (found.deadLetters().isEmpty()) {
                printer.line("no dead letters");
            } else {
                printer.table(rows(found.deadLetters()));
            }
            if (found.next() != null) {
                printer.line("next page: --cursor " + found.next());
            }
            return 0;
        }
    }

    /** The {@code weir dead-letters list} command. */
    @Command(
            name = "list",
            description = "List dead letters, newest first.",
            footer = {
                "",
                "Examples:",
                "  weir dead-letters list",
                "  weir dead-letters list --state open --workflow billing -o json"
            })
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class ListLetters implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private LetterList list;

        @Override
        public Integer call() throws Exception {
            return list.print(spec);
        }
    }

    /** The {@code weir dead-letters show} command. */
    @Command(
            name = "show",
            description = "Show a dead letter: its reason, its keys, and the chain that led to it.",
            footer = {"", "Examples:", "  weir dead-letters show 17", "  weir dead-letters show 17 -o json"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class Show implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "ID", description = "The id of the dead letter.")
        private String id;

        @Override
        public Integer call() throws Exception {
            DeadLetterView letter = remote.client().operations().deadLetter(id);
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(letter)) {
                return 0;
            }
            printer.line("dead letter " + letter.id() + ": " + letter.kind() + " " + letter.subject() + ", "
                    + letter.state()
                    + (letter.redrivenAs() == null ? "" : " as " + letter.redrivenAs()));
            printer.line("workflow: " + ResultPrinter.textOrEmpty(letter.workflow()));
            printer.line("reason:   " + letter.reason() + ": " + letter.text());
            printer.line("when:     " + letter.at());
            if (!letter.keys().isEmpty()) {
                printer.line("keys:     " + String.join(", ", letter.keys()));
            }
            letter.chain()
                    .forEach(link -> printer.line("  " + link.type() + " " + link.id() + " (" + link.name() + ")"));
            return 0;
        }
    }

    /** The base of {@code redrive} and {@code discard}. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    abstract static class CloseCommand implements Callable<Integer> {
        private final String action;

        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "The id of one dead letter.")
        private @Nullable String id;

        @ArgGroup(exclusive = false)
        private FilterOptions filter = new FilterOptions();

        @Option(names = "--all", description = "Match all open dead letters. Needed without an id or a filter.")
        private boolean all;

        @Option(names = "--dry-run", description = "Only count the dead letters that match, and list some of them.")
        private boolean dryRun;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        @Option(names = "--no-wait", description = "Do not wait until the operation has ended.")
        private boolean noWait;

        CloseCommand(String action) {
            this.action = action;
        }

        @Override
        public final Integer call() throws Exception {
            int given = (id == null ? 0 : 1) + (filter.isGiven() ? 1 : 0) + (all ? 1 : 0);
            if (given != 1) {
                throw new ParameterException(
                        spec.commandLine(),
                        "expected the id of a dead letter, a filter such as --workflow NAME, or --all"
                                + (given == 0 ? ", found none" : ", found more than one"));
            }
            Client client = remote.client();
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            return id == null ? closeAll(client, printer) : closeOne(client, printer, id);
        }

        private int closeOne(Client client, ResultPrinter printer, String letter) throws InterruptedException {
            CloseResult done = action.equals("redrive")
                    ? client.operations().redrive(letter, reason)
                    : client.operations().discard(letter, reason);
            if (!printer.json(done)) {
                printer.line("dead letter " + done.id() + ": " + done.state()
                        + (done.redrivenAs() == null ? "" : " as " + done.redrivenAs())
                        + (done.changed() ? "" : " already"));
            }
            return 0;
        }

        private int closeAll(Client client, ResultPrinter printer) throws InterruptedException {
            var wanted = new DeadLetterFilter(filter.kind, filter.code, filter.workflow, filter.key, null);
            if (dryRun) {
                DeadLetterPreview preview =
                        client.operations().previewDeadLetters(action, new BulkCloseRequest(wanted, true, reason));
                if (!printer.json(preview)) {
                    printer.line((preview.exact() ? "" : "at least ") + preview.matching()
                            + " dead letters match; nothing was changed");
                    printer.table(rows(preview.sample()));
                }
                return 0;
            }
            BulkView begun = client.operations().closeDeadLetters(action, new BulkCloseRequest(wanted, null, reason));
            var progress = new BulkProgress(spec.commandLine(), output, client);
            return progress.print(printer, noWait ? begun : progress.await(begun));
        }
    }

    /** The {@code weir dead-letters redrive} command. */
    @Command(
            name = "redrive",
            description = {
                "Submit dead letters again: retry failed runs, and submit starts and events once more.",
                "",
                "The new run of order-7 is order-7.retry-1. An event goes to the trigger that failed, and to no other.",
                "Repeating the command does nothing twice."
            },
            footer = {
                "",
                "Examples:",
                "  weir dead-letters redrive 17",
                "  weir dead-letters redrive --workflow billing --reason 'the provider is back'",
                "  weir dead-letters redrive --all --dry-run"
            })
    static final class Redrive extends CloseCommand {
        Redrive() {
            super("redrive");
        }
    }

    /** The {@code weir dead-letters discard} command. */
    @Command(
            name = "discard",
            description = "Close dead letters that nobody wants any more. They stay in the list as discarded.",
            footer = {
                "",
                "Examples:",
                "  weir dead-letters discard 17 --reason 'ordered again by phone'",
                "  weir dead-letters discard --kind refused_start"
            })
    static final class Discard extends CloseCommand {
        Discard() {
            super("discard");
        }
    }
}
