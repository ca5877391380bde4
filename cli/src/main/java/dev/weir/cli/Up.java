package dev.weir.cli;

import dev.weir.server.Node;
import dev.weir.server.NodeSettings;
import dev.weir.server.NodeSettings.Database;
import dev.weir.server.NodeSettings.Outgoing;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir up}: a node of Weir in this process, with everything that it needs. */
@Command(
        name = "up",
        description = {
            "Start Weir: an embedded PostgreSQL, the engine and the HTTP API, in one process.",
            "",
            "What it keeps lies in .weir in the current folder, unless --data says otherwise. The first start makes the"
                    + " organisation default and its API token, prints the token once, and notes it there for the other"
                    + " commands. Ctrl-C ends it: what was taken in is finished first."
        },
        footer = {
            "",
            "Examples:",
            "  weir up",
            "  weir up --demo",
            "  weir up --secrets secrets.env --allow-call billing.internal:8080",
            "  weir up --database jdbc:postgresql://db.example/weir",
            "",
            "User and password of a database: PGUSER and PGPASSWORD in the environment, or",
            "?user=NAME&password=PASSWORD in the URL, which other users of the machine may see."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class Up implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--data", paramLabel = "DIR", description = "The folder for what it keeps (default: .weir here).")
    private @Nullable Path data;

    @Option(names = "--database", paramLabel = "URL", description = "The JDBC URL of a PostgreSQL to use instead.")
    private @Nullable String database;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = NodeSettings.HOST_USUAL,
            description = "The address to listen on (default: ${DEFAULT-VALUE}, this machine only).")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "" + NodeSettings.PORT_USUAL,
            description = "The port to listen on, 0 for any (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--allow-call",
            paramLabel = "HOST",
            split = ",",
            description = "A host, host:port or network (10.1.0.0/16) that steps may call although it is not on the"
                    + " public internet. May be given several times.")
    private List<String> allowed = List.of();

    @Option(
            names = "--calls",
            paramLabel = "N",
            description = "HTTP calls of steps that may be under way at once (default: 256).")
    private @Nullable Integer calls;

    @Option(
            names = "--secrets",
            paramLabel = "FILE",
            description = "What stands for secrets.NAME in steps: lines NAME=VALUE, in a file that only its owner may"
                    + " read. What is not there is looked for in the environment, as WEIR_SECRET_NAME.")
    private @Nullable Path secrets;

    @Option(names = "--demo", description = "Also register an example, start runs of it, and work on them.")
    private boolean demo;

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        var lost = new CountDownLatch(1);
        Node node = Node.open(settings(), words -> err.println("weir: " + words), lost::countDown);
        Demo shown = demo ? shown(node) : null;
        Thread stop = Thread.ofPlatform().unstarted(() -> close(node, shown, err));
        Runtime.getRuntime().addShutdownHook(stop);
        Welcome.print(spec.commandLine().getOut(), spec.root().name(), node, demo);
        lost.await();
        return ExitCode.SOFTWARE;
    }

    private static Demo shown(Node node) throws IOException, InterruptedException {
        try {
            return Demo.start(node);
        } catch (IOException | InterruptedException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private static void close(Node node, @Nullable Demo demo, PrintWriter err) {
        err.println("weir: ending what is under way");
        if (demo != null) {
            demo.close();
        }
        node.close();
        err.println("weir: down");
    }

    private NodeSettings settings() {
        try {
            return new NodeSettings(
                    Remote.folder(data == null ? Path.of(Remote.DATA_FOLDER) : data)
                            .toAbsolutePath()
                            .normalize(),
                    database == null ? null : database(database, System.getenv()),
                    host,
                    port,
                    new Outgoing(allowed, calls == null ? Outgoing.USUAL.places() : calls, secrets));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), asOption(String.valueOf(e.getMessage())), e);
        }
    }

    /** Calls a field by the option that it comes from. */
    private static String asOption(String message) {
        return message.replaceFirst("^allowed: ", "--allow-call: ").replaceFirst("^places: ", "--calls: ");
    }

    /** User and password stand in the URL, else in the environment as PostgreSQL's own programs have them. */
    static Database database(String url, Map<String, String> environment) {
        String user = parameter(url, "user");
        String password = parameter(url, "password");
        return new Database(
                url,
                user.isEmpty() ? environment.getOrDefault("PGUSER", System.getProperty("user.name", "")) : user,
                password.isEmpty() ? environment.getOrDefault("PGPASSWORD", "") : password);
    }

    private static String parameter(String url, String name) {
        int query = url.indexOf('?');
        if (query < 0) {
            return "";
        }
        for (String pair : url.substring(query + 1).split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                return java.net.URLDecoder.decode(
                        pair.substring(name.length() + 1), java.nio.charset.StandardCharsets.UTF_8);
            }
        }
        return "";
    }
}
