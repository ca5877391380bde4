package dev.weir.cli;

import dev.weir.server.Node;
import java.io.PrintWriter;

/** What a node that is up says to the one who started it. */
final class Welcome {
    private Welcome() {}

    static void print(PrintWriter out, Node node, boolean demo) {
        out.println("Weir is up at " + node.url() + " (data in " + node.data() + ")");
        node.newToken().ifPresent(token -> {
            out.println();
            out.println("The API token of organisation " + Node.ORGANISATION + ", shown this once:");
            out.println("  " + token);
        });
        out.println();
        out.println("Try, in another terminal, in this folder:");
        if (demo) {
            out.println("  ./weir runs                            what the demo has started");
            out.println("  ./weir keys                            who waits for the key demo-api");
            out.println("  ./weir keys demo-api pin --rate 20 --period 1s    let it go faster");
        } else {
            out.println("  ./weir apply examples/five-items.yaml  register a workflow");
            out.println("  ./weir start five_items --id first     start a run of it");
            out.println("  ./weir why first                       what it waits for: a worker");
            out.println("  ./weir work images.resize --exec cat     be that worker");
        }
        out.println();
        out.println("Ctrl-C ends it.");
        out.flush();
    }
}
