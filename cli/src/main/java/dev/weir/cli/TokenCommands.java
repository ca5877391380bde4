package dev.weir.cli;

import dev.weir.api.Tokens.NewToken;
import dev.weir.api.Tokens.RevokeRequest;
import dev.weir.api.Tokens.RotateRequest;
import dev.weir.api.Tokens.TokenAction;
import dev.weir.api.Tokens.TokenPage;
import dev.weir.api.Tokens.TokenRequest;
import dev.weir.api.Tokens.TokenView;
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

/** The {@code weir tokens} command: creates, lists, rotates and revokes API tokens. */
@Command(
        name = "tokens",
        description = "Create, list, rotate and revoke the API tokens of the organisation.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TokenCommands.Create.class,
            TokenCommands.ListTokens.class,
            TokenCommands.Rotate.class,
            TokenCommands.RevokeOne.class
        },
        footer = {"", "Examples:", "  weir tokens create shop --role starter --expires-in 90d", "  weir tokens list"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class TokenCommands implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** Prints a new token, which the server shows only this once. */
    private static void print(ResultPrinter printer, NewToken created, String done) {
        if (!printer.json(created)) {
            printer.line("token " + created.name() + " " + done + " (" + describe(created) + ")");
            printer.line(created.token());
            printer.line("Store it now: Weir does not show it again.");
        }
    }

    private static String describe(NewToken token) {
        return token.role()
                + (token.scopes().isEmpty() ? "" : " + " + String.join(" + ", token.scopes()))
                + (token.administrator() ? " + administrator" : "")
                + (token.expiresAt() == null ? "" : ", expires " + token.expiresAt());
    }

    /** The {@code weir tokens create} command. */
    @Command(
            name = "create",
            description = "Create an API token, and print it this once.",
            footer = {
                "",
                "Roles: viewer reads; starter starts and signals runs; worker claims steps;",
                "operator changes runs, steps, keys and workflows; admin also manages limits",
                "and tokens. Scopes add to a role: rate_limits.manage, workflows.register,",
                "audit.read.",
                "",
                "Examples:",
                "  weir tokens create shop --role starter --expires-in 90d",
                "  weir tokens create ci --role viewer --scope workflows.register",
                "  weir tokens create billing --role worker -o json"
            })
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class Create implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the token.")
        private String name;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                required = true,
                description = "The role: viewer, starter, worker, operator or admin.")
        private String role;

        @Option(names = "--scope", paramLabel = "SCOPE", description = "An addition to the role. May be repeated.")
        private @Nullable List<String> scopes;

        @Option(names = "--administrator", description = "Let the token also administer the node.")
        private boolean administrator;

        @Option(names = "--expires-in", paramLabel = "DURATION", description = "The time until it expires.")
        private @Nullable String expiresIn;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        @Override
        public Integer call() throws Exception {
            var request = new TokenRequest(name, role, scopes, administrator, expiresIn, reason);
            NewToken created = remote.client().governance().createToken(request);
            print(new ResultPrinter(spec.commandLine().getOut(), output), created, "created");
            return 0;
        }
    }

    /** The {@code weir tokens list} command. */
    @Command(
            name = "list",
            description = "List the API tokens that are not revoked.",
            footer = {"", "Examples:", "  weir tokens list", "  weir tokens list -o json"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class ListTokens implements Callable<Integer> {
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
            TokenPage found = remote.client().governance().tokens(cursor == null ? Map.of() : Map.of("cursor", cursor));
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("NAME", "ROLE", "SCOPES", "CREATED", "BY", "LAST USED", "EXPIRES"));
            found.tokens().forEach(token -> rows.add(row(token)));
            printer.table(rows);
            if (found.next() != null) {
                printer.line("next page: --cursor '" + found.next() + "'");
            }
            return 0;
        }

        private static List<String> row(TokenView token) {
            String expires =
                    token.expiresAt() == null ? "never" : token.expiresAt().toString();
            return List.of(
                    token.name(),
                    token.role() + (token.administrator() ? " + administrator" : ""),
                    String.join(" ", token.scopes()),
                    ResultPrinter.ago(token.createdAt()),
                    ResultPrinter.textOrEmpty(token.createdBy()),
                    token.lastUsedAt() == null ? "never" : ResultPrinter.ago(token.lastUsedAt()),
                    token.expired() ? "expired" : expires);
        }
    }

    /** The {@code weir tokens rotate} command. */
    @Command(
            name = "rotate",
            description = {
                "Replace an API token by another one with the same name and rights, and print it this once.",
                "",
                "With --overlap, the replaced token works for a while, so that programs can change over."
            },
            footer = {"", "Examples:", "  weir tokens rotate shop", "  weir tokens rotate shop --overlap 1h"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class Rotate implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the token.")
        private String name;

        @Option(names = "--overlap", paramLabel = "DURATION", description = "How long the replaced token works.")
        private @Nullable String overlap;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        @Override
        public Integer call() throws Exception {
            NewToken created = remote.client().governance().rotateToken(name, new RotateRequest(overlap, reason));
            print(new ResultPrinter(spec.commandLine().getOut(), output), created, "rotated");
            return 0;
        }
    }

    /** The {@code weir tokens revoke} command. */
    @Command(
            name = "revoke",
            description = "Revoke an API token. It stops working within 5 s.",
            footer = {"", "Example:", "  weir tokens revoke shop --reason 'the laptop was lost'"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class RevokeOne implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the token.")
        private String name;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        @Override
        public Integer call() throws Exception {
            TokenAction done = remote.client().governance().revokeToken(name, new RevokeRequest(reason));
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(done)) {
                printer.line("token " + done.name() + ": " + done.outcome());
            }
            return 0;
        }
    }
}
