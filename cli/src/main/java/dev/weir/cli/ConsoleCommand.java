package dev.weir.cli;

import dev.weir.api.Sessions.SignInLink;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code weir console} command: prints a link to the console. */
@Command(
        name = "console",
        description = {
            "Print a link to the console that signs in once.",
            "",
            "Open the link in a browser within 15 minutes. The session may do what the token of this command may, and ends"
                    + " with it, or after 30 days."
        },
        footer = {"", "Examples:", "  weir console", "  weir console --url https://weir.example --token weir_…"})
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class ConsoleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions remote;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws Exception {
        SignInLink link = remote.client().governance().createSignInLink();
        var printer = new ResultPrinter(spec.commandLine().getOut(), output);
        if (!printer.json(link)) {
            printer.line(link.url());
        }
        return 0;
    }
}
