package dev.weir.cli;

import dev.weir.api.OrganisationAdministration.ReasonRequest;
import dev.weir.api.Secrets.SecretAction;
import dev.weir.api.Secrets.SecretPage;
import dev.weir.api.Secrets.SecretRequest;
import dev.weir.api.Secrets.SecretView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir secrets} command: sets, lists and deletes secrets. */
@Command(
        name = "secrets",
        description = "Set, list and delete the secrets of the organisation. Nobody can read them back.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {SecretCommands.SetOne.class, SecretCommands.ListAll.class, SecretCommands.DeleteOne.class},
        footer = {"", "Examples:", "  weir secrets set BILLING < token.txt", "  weir secrets list"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class SecretCommands implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** The {@code weir secrets set} command. */
    @Command(
            name = "set",
            description = {
                "Set a secret to the text on standard input, or in a file.",
                "",
                "Steps use it as ${{ secrets.NAME }}. One line break at the end is left out."
            },
            footer = {
                "",
                "Examples:",
                "  weir secrets set BILLING < token.txt",
                "  weir secrets set BILLING --file token.txt --reason 'replaced every 90 days'"
            })
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class SetOne implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the secret.")
        private String name;

        @Option(names = "--file", paramLabel = "FILE", description = "Read the value from this file.")
        private @Nullable Path file;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        @Override
        public Integer call() throws Exception {
            SecretView done = remote.client().governance().setSecret(name, SecretRequest.of(value(), reason));
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(done)) {
                printer.line("secret " + done.name() + ": set, version " + done.version());
            }
            return 0;
        }

        private String value() throws IOException {
            String text =
                    file == null ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : TextFile.read(file);
            return text.endsWith("\r\n")
                    ? text.substring(0, text.length() - 2)
                    : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        }
    }

    /** The {@code weir secrets list} command. */
    @Command(
            name = "list",
            description = "List the secrets, without their values.",
            footer = {"", "Examples:", "  weir secrets list", "  weir secrets list -o json"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class ListAll implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Override
        public Integer call() throws Exception {
            SecretPage found = remote.client().governance().secrets();
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (printer.json(found)) {
                return 0;
            }
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("NAME", "VERSION", "CHANGED", "KEY"));
            found.secrets()
                    .forEach(one -> rows.add(List.of(
                            one.name(),
                            String.valueOf(one.version()),
                            ResultPrinter.ago(one.changedAt()),
                            one.key() + (one.readable() ? "" : " (the node does not have it)"))));
            printer.table(rows);
            return 0;
        }
    }

    /** The {@code weir secrets delete} command. */
    @Command(
            name = "delete",
            description = "Delete a secret. Steps that need it fail from then on.",
            footer = {"", "Example:", "  weir secrets delete BILLING --reason 'the contract ended'"})
    @SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
    static final class DeleteOne implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions remote;

        @Mixin
        private OutputOptions output;

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the secret.")
        private String name;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit.")
        private @Nullable String reason;

        @Override
        public Integer call() throws Exception {
            SecretAction done = remote.client().governance().deleteSecret(name, new ReasonRequest(reason));
            var printer = new ResultPrinter(spec.commandLine().getOut(), output);
            if (!printer.json(done)) {
                printer.line("secret " + done.name() + ": " + done.outcome());
            }
            return 0;
        }
    }
}
