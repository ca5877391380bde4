package dev.weir.cli;

import dev.weir.engine.organisations.SessionStore;
import dev.weir.forecast.text.HumanText;
import dev.weir.server.ServerNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** The message that {@code weir up} prints when the node is ready. */
final class WelcomeMessage {
    private static final List<Hint> DEMO_HINTS = List.of(
            new Hint("runs", "list the runs of the demo"),
            new Hint("keys", "show the usage of the keys, and what waits"),
            new Hint("why order-1001", "find out why an order waits: somebody must approve it"),
            new Hint("keys payment-api pin --rate 60 --period 1m --for 5m", "raise a rate for five minutes"));

    private static final List<Hint> FIRST_HINTS = List.of(
            new Hint("apply examples/five-items.yaml", "register a workflow"),
            new Hint("start five_items --id first", "start a run of it"),
            new Hint("why first", "find out why it waits: no worker"),
            new Hint("work images.resize --exec cat", "start a worker"));

    private WelcomeMessage() {}

    /** A command to try, and what it does. */
    record Hint(String command, String description) {}

    /**
     * Prints the message.
     *
     * @param command the name by which this command was called
     */
    static void print(PrintWriter out, String command, ServerNode node, boolean demo) throws IOException {
        String options = dataOption(node.data(), Path.of(""));
        out.println("Console: " + node.createSignInLink().orElseGet(() -> node.consoleUrl() + "/"));
        out.println("  This link signs in once, within " + SessionStore.LINK_AGE_MAX.toMinutes() + " minutes. `"
                + command + " console" + options + "` prints another one.");
        out.println();
        out.println("Weir is up at " + node.url() + " (data in " + node.data() + ")");
        node.newToken().ifPresent(token -> {
            out.println();
            out.println("API token of organisation " + ServerNode.DEFAULT_ORGANISATION + " (shown only once):");
            out.println("  " + token);
        });
        out.println();
        out.println("Try these commands in another terminal, in this folder:");
        lines(command, demo ? DEMO_HINTS : FIRST_HINTS, options).forEach(out::println);
        out.println();
        out.println("Press Ctrl-C to stop.");
        out.flush();
    }

    /** Returns the option that other commands need to find the node; empty if the data is in the default folder. */
    static String dataOption(Path data, Path here) {
        Path defaultFolder =
                here.toAbsolutePath().resolve(ServerOptions.DATA_FOLDER).normalize();
        return data.equals(defaultFolder) ? "" : " --data " + ShellWord.quote(data.toString());
    }

    static List<String> lines(String command, List<Hint> hints, String dataOption) {
        int width = hints.stream().mapToInt(hint -> hint.command.length()).max().orElse(0) + dataOption.length();
        return hints.stream()
                .map(hint -> "  " + command + " " + HumanText.pad(hint.command + dataOption, width) + "  "
                        + hint.description)
                .toList();
    }
}
