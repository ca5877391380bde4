package dev.weir.cli;

import dev.weir.api.OrganisationAdministration.DeletionList;
import dev.weir.api.OrganisationAdministration.DeletionOrder;
import dev.weir.api.OrganisationAdministration.DeletionRequest;
import dev.weir.api.OrganisationAdministration.DeletionView;
import dev.weir.client.Governance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands that delete data for good, and show how far that is. */
final class DeletionCommands {
    private DeletionCommands() {}

    /** A command that deletes. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    abstract static class DeleteOne implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Option(names = "--confirm", paramLabel = "NAME", required = true, description = "The same name or id again.")
        private String confirm;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        abstract DeletionOrder send(Governance governance, DeletionRequest request) throws InterruptedException;

        @Override
        public Integer call() throws Exception {
            DeletionOrder order = send(remote.client().governance(), new DeletionRequest(confirm, reason));
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(order)) {
                printer.line("deletion " + order.id() + ": " + order.state());
            }
            return 0;
        }
    }

    /** The {@code weir orgs delete} command. */
    @Command(
            name = "delete",
            description = {
                "Delete all data of a suspended organisation, for good.",
                "",
                "It goes on in the background, also after a restart of the node."
            },
            footer = {"", "Example:", "  weir orgs delete shop --confirm shop --reason 'the contract ended'"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class OfOrganisation extends DeleteOne {
        @Parameters(index = "0", paramLabel = "ORG", description = "The name of the organisation.")
        private String name;

        @Override
        DeletionOrder send(Governance governance, DeletionRequest request) throws InterruptedException {
            return governance.administration().delete(name, request);
        }
    }

    /** The {@code weir delete} command. */
    @Command(
            name = "delete",
            description = {
                "Delete everything that is stored about an ended run, for good.",
                "",
                "Its id can be used again afterwards. Entries of the audit stay."
            },
            footer = {"", "Example:", "  weir delete order-12 --confirm order-12 --reason 'a request of the customer'"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class OfRun extends DeleteOne {
        @Parameters(index = "0", paramLabel = "RUN", description = "The id of the run.")
        private String run;

        @Override
        DeletionOrder send(Governance governance, DeletionRequest request) throws InterruptedException {
            return governance.deleteRun(run, request);
        }
    }

    /** The {@code weir deletions} command. */
    @Command(
            name = "deletions",
            description = "List the newest deletions of runs, or of organisations, and how far they are.",
            footer = {"", "Examples:", "  weir deletions", "  weir deletions --organisations -o json"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class ListAll implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Option(names = "--organisations", description = "List deletions of organisations (administrators only).")
        private boolean organisations;

        @Override
        public Integer call() throws Exception {
            Governance governance = remote.client().governance();
            DeletionList found = organisations ? governance.administration().deletions() : governance.deletions();
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("ID", "OF", "STATE", "ROWS", "BEGAN"));
            found.deletions().forEach(one -> rows.add(row(one)));
            printer.table(rows);
            return 0;
        }

        private static List<String> row(DeletionView one) {
            return List.of(
                    one.id(),
                    one.run() == null ? "organisation " + one.organisation() : "run " + one.run(),
                    one.state(),
                    String.valueOf(one.rows()),
                    ResultPrinter.ago(one.beganAt()));
        }
    }
}
