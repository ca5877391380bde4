package dev.weir.cli;

import dev.weir.api.Organisations.Reader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir orgs reader} command: creates a database login that reads one organisation. */
@Command(
        name = "reader",
        description = "Create a database login that reads the limits and counters of one organisation (administrator).",
        footer = {
            "",
            "The login can read the view weir.execution_rate_counters and the table weir.rate_limit_configs, only the",
            "rows of its organisation, and nothing else. The password is shown this once; the same command again sets a",
            "new one.",
            "",
            "Example:",
            "  weir orgs reader acme"
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class ReaderCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "ORG", description = "The name of an organisation.")
    private String organisation;

    @Override
    public Integer call() throws Exception {
        Reader reader = remote.client().operations().createReader(organisation);
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(reader)) {
            printer.line("login " + reader.login() + " reads organisation " + reader.organisation() + " at "
                    + reader.database());
            printer.line("password, shown this once: " + reader.password());
            printer.line("psql 'postgresql://" + reader.login() + "@" + reader.database()
                    + "' -c 'select * from weir.execution_rate_counters'");
        }
        return ExitCode.OK;
    }
}
