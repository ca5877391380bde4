package dev.weir.cli;

import dev.weir.api.OrganisationAdministration.AvailabilityRequest;
import dev.weir.api.OrganisationAdministration.AvailabilityView;
import dev.weir.api.Workflows.WorkflowPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir workflows} command: lists, pauses, archives and opens workflows. */
@Command(
        name = "workflows",
        description = "List, pause, archive and open workflows.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            WorkflowCommands.ListAll.class,
            WorkflowCommands.PauseOne.class,
            WorkflowCommands.Archive.class,
            WorkflowCommands.Open.class
        },
        footer = {"", "Examples:", "  weir workflows list --archived", "  weir workflows pause billing"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class WorkflowCommands implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** The {@code weir workflows list} command. */
    @Command(
            name = "list",
            description = "List the newest version of each workflow, by name.",
            footer = {"", "Examples:", "  weir workflows list", "  weir workflows list --archived -o json"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class ListAll implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Option(names = "--archived", description = "List archived workflows, too.")
        private boolean archived;

        @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
        private @Nullable String cursor;

        @Override
        public Integer call() throws Exception {
            Map<String, String> filter = new TreeMap<>();
            if (archived) {
                filter.put("archived", "true");
            }
            if (cursor != null) {
                filter.put("cursor", cursor);
            }
            WorkflowPage found = remote.client().governance().workflows(filter);
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("NAME", "VERSION", "REGISTERED", "AVAILABILITY"));
            found.workflows()
                    .forEach(one -> rows.add(List.of(
                            one.name(),
                            String.valueOf(one.version()),
                            ResultPrinter.ago(one.registeredAt()),
                            one.availability())));
            printer.table(rows);
            if (found.next() != null) {
                printer.line("next page: --cursor '" + found.next() + "'");
            }
            return 0;
        }
    }

    /** A subcommand that changes one workflow. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    abstract static class ChangeOfOne implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The name of the workflow.")
        private String workflow;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        abstract String availability();

        @Override
        public Integer call() throws Exception {
            AvailabilityView done = remote.client()
                    .governance()
                    .setAvailability(workflow, new AvailabilityRequest(availability(), reason));
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(done)) {
                printer.line(done.workflow() + ": " + done.availability());
            }
            return 0;
        }
    }

    /** The {@code weir workflows pause} command. */
    @Command(
            name = "pause",
            description = "Keep new runs of a workflow queued. Runs that have started go on.",
            footer = {"", "Example:", "  weir workflows pause billing --reason 'the bank is down'"})
    static final class PauseOne extends ChangeOfOne {
        @Override
        String availability() {
            return "paused";
        }
    }

    /** The {@code weir workflows archive} command. */
    @Command(
            name = "archive",
            description = "Refuse new runs of a workflow, and leave it out of lists.",
            footer = {"", "Example:", "  weir workflows archive billing"})
    static final class Archive extends ChangeOfOne {
        @Override
        String availability() {
            return "archived";
        }
    }

    /** The {@code weir workflows open} command. */
    @Command(
            name = "open",
            description = "Let runs of a paused or archived workflow start again.",
            footer = {"", "Example:", "  weir workflows open billing"})
    static final class Open extends ChangeOfOne {
        @Override
        String availability() {
            return "open";
        }
    }
}
