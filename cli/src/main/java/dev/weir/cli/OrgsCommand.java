package dev.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code weir orgs} commands: what administrators do with organisations. */
@Command(
        name = "orgs",
        description = "Administer organisations.",
        subcommands = ReaderCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Example:", "  weir orgs reader acme"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class OrgsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "expected a command: reader");
    }
}
