package dev.weir.cli;

import dev.weir.api.OrganisationAdministration.CreatedOrganisation;
import dev.weir.api.OrganisationAdministration.OrganisationPage;
import dev.weir.api.OrganisationAdministration.OrganisationRequest;
import dev.weir.api.OrganisationAdministration.OrganisationView;
import dev.weir.api.OrganisationAdministration.ReasonRequest;
import dev.weir.api.OrganisationAdministration.RenameRequest;
import dev.weir.api.OrganisationAdministration.StarterLogin;
import dev.weir.api.Tokens.NewToken;
import dev.weir.client.Administration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir orgs} command: creates, lists, renames, suspends, resumes and deletes organisations. */
@Command(
        name = "orgs",
        description = "Create, list, rename, suspend, resume and delete the organisations of the node.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            OrganisationCommands.Create.class,
            OrganisationCommands.ListAll.class,
            OrganisationCommands.Show.class,
            OrganisationCommands.Rename.class,
            OrganisationCommands.Suspend.class,
            OrganisationCommands.ResumeOne.class,
            OrganisationCommands.TokenOf.class,
            OrganisationCommands.Starter.class,
            ReaderCommand.class,
            QuotaCommands.OfOrganisation.class,
            DeletionCommands.OfOrganisation.class
        },
        footer = {"", "Examples:", "  weir orgs create shop", "  weir orgs suspend shop --reason 'unpaid since March'"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class OrganisationCommands implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** A subcommand about one organisation. */
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    abstract static class OfOne implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "ORG", description = "The name of the organisation.")
        private String name;

        abstract Object send(Administration administration, String organisation) throws Exception;

        abstract void print(ResultPrinter printer, Object result);

        @Override
        public Integer call() throws Exception {
            Object result = send(remote.client().governance().administration(), name);
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(result)) {
                print(printer, result);
            }
            return 0;
        }
    }

    /** A subcommand that changes one organisation, with a reason. */
    abstract static class ChangeOfOne extends OfOne {
        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        @Nullable
        String reason() {
            return reason;
        }

        @Override
        void print(ResultPrinter printer, Object result) {
            if (result instanceof OrganisationView view) {
                printView(printer, view);
            }
        }
    }

    private static void printView(ResultPrinter printer, OrganisationView view) {
        printer.line(view.name() + ": " + view.state()
                + (view.suspendedAt() == null ? "" : " since " + view.suspendedAt())
                + (view.reason() == null ? "" : " (" + view.reason() + ")"));
    }

    private static void printToken(ResultPrinter printer, NewToken token) {
        printer.line(token.token());
        printer.line("Store this admin token now: Weir does not show it again.");
    }

    /** The {@code weir orgs create} command. */
    @Command(
            name = "create",
            description = "Create an organisation, and print its first token, this once.",
            footer = {"", "Examples:", "  weir orgs create shop", "  weir orgs create shop -o json"})
    static final class Create extends ChangeOfOne {
        @Override
        Object send(Administration administration, String organisation) throws Exception {
            return administration.create(new OrganisationRequest(organisation, reason()));
        }

        @Override
        void print(ResultPrinter printer, Object result) {
            if (result instanceof CreatedOrganisation created) {
                printer.line(created.name() + ": created");
                printToken(printer, created.token());
            }
        }
    }

    /** The {@code weir orgs list} command. */
    @Command(
            name = "list",
            description = "List the organisations, by name.",
            footer = {"", "Examples:", "  weir orgs list", "  weir orgs list -o json"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class ListAll implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Option(names = "--cursor", paramLabel = "CURSOR", description = "Continue after the previous page.")
        private @Nullable String cursor;

        @Override
        public Integer call() throws Exception {
            OrganisationPage found = remote.client()
                    .governance()
                    .administration()
                    .organisations(cursor == null ? Map.of() : Map.of("cursor", cursor));
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("NAME", "STATE", "CREATED", "REASON"));
            found.organisations()
                    .forEach(one -> rows.add(List.of(
                            one.name(),
                            one.state(),
                            ResultPrinter.ago(one.createdAt()),
                            ResultPrinter.textOrEmpty(one.reason()))));
            printer.table(rows);
            if (found.next() != null) {
                printer.line("next page: --cursor '" + found.next() + "'");
            }
            return 0;
        }
    }

    /** The {@code weir orgs show} command. */
    @Command(
            name = "show",
            description = "Show an organisation.",
            footer = {"", "Example:", "  weir orgs show shop"})
    static final class Show extends OfOne {
        @Override
        Object send(Administration administration, String organisation) throws Exception {
            return administration.organisation(organisation);
        }

        @Override
        void print(ResultPrinter printer, Object result) {
            if (result instanceof OrganisationView view) {
                printView(printer, view);
            }
        }
    }

    /** The {@code weir orgs rename} command. */
    @Command(
            name = "rename",
            description = {
                "Rename an organisation. Its tokens and data stay as they are.",
                "",
                "The former name stays taken, so that it never means another organisation."
            },
            footer = {"", "Example:", "  weir orgs rename shop big-shop"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class Rename extends ChangeOfOne {
        @Parameters(index = "1", paramLabel = "NAME", description = "The new name.")
        private String newName;

        @Override
        Object send(Administration administration, String organisation) throws Exception {
            return administration.rename(organisation, new RenameRequest(newName, reason()));
        }
    }

    /** The {@code weir orgs suspend} command. */
    @Command(
            name = "suspend",
            description = {
                "Suspend an organisation: nothing of it starts until it is resumed.",
                "",
                "What runs may finish. Starts are refused; those in the inbox stay there."
            },
            footer = {"", "Example:", "  weir orgs suspend shop --reason 'unpaid since March'"})
    static final class Suspend extends ChangeOfOne {
        @Override
        Object send(Administration administration, String organisation) throws Exception {
            return administration.suspend(organisation, new ReasonRequest(reason()));
        }
    }

    /** The {@code weir orgs resume} command. */
    @Command(
            name = "resume",
            description = "Resume a suspended organisation.",
            footer = {"", "Example:", "  weir orgs resume shop"})
    static final class ResumeOne extends ChangeOfOne {
        @Override
        Object send(Administration administration, String organisation) throws Exception {
            return administration.resume(organisation, new ReasonRequest(reason()));
        }
    }

    /** The {@code weir orgs starter} command. */
    @Command(
            name = "starter",
            description = {
                "Create a login of the database that may leave starts for this organisation only.",
                "",
                "The password is printed this once. The same command again replaces it."
            },
            footer = {"", "Example:", "  weir orgs starter shop"})
    static final class Starter extends ChangeOfOne {
        @Override
        Object send(Administration administration, String organisation) throws Exception {
            return administration.createStarter(organisation, new ReasonRequest(reason()));
        }

        @Override
        void print(ResultPrinter printer, Object result) {
            if (result instanceof StarterLogin login) {
                printer.line("login    " + login.login());
                printer.line("password " + login.password());
                printer.line("Store the password now: Weir does not show it again.");
            }
        }
    }

    /** The {@code weir orgs token} command. */
    @Command(
            name = "token",
            description = "Create another admin token of an organisation, and print it this once.",
            footer = {"", "Example:", "  weir orgs token shop second --reason 'the first one was lost'"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class TokenOf extends ChangeOfOne {
        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the token.")
        private String token;

        @Override
        Object send(Administration administration, String organisation) throws Exception {
            return administration.createToken(organisation, new OrganisationRequest(token, reason()));
        }

        @Override
        void print(ResultPrinter printer, Object result) {
            if (result instanceof NewToken token) {
                printToken(printer, token);
            }
        }
    }
}
