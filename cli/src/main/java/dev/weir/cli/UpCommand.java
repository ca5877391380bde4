package dev.weir.cli;

import dev.weir.cli.demo.Demo;
import dev.weir.core.definition.DurationText;
import dev.weir.server.NodeSettings;
import dev.weir.server.NodeSettings.Database;
import dev.weir.server.NodeSettings.Outgoing;
import dev.weir.server.ServerNode;
import dev.weir.server.http.HttpServer.Address;
import dev.weir.server.http.TlsFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code weir up} command: runs a node in this process, with everything that it needs. */
@Command(
        name = "up",
        description = {
            "Start Weir: an embedded PostgreSQL, the engine, the HTTP API and the console, in one process.",
            "",
            "Weir stores its data in .weir in the current folder; --data chooses another folder. The first start"
                    + " creates the organisation default and an API token, prints the token once, and stores it in the"
                    + " data folder for the other commands. The first line that is printed is a link to the console,"
                    + " which signs in once. Press Ctrl-C to stop; the node finishes accepted requests"
                    + " first."
        },
        footer = {
            "",
            "Examples:",
            "  weir up",
            "  weir up --demo",
            "  weir up --secrets secrets.env --allow-call billing.internal:8080",
            "  weir up --database jdbc:postgresql://db.example/weir --keep-history 30d",
            "  weir up --tls-cert cert.pem --tls-key key.pem --base-url https://weir.example",
            "",
            "Set the user and password of the database with PGUSER and PGPASSWORD in the",
            "environment. You can also append ?user=NAME&password=PASSWORD to the URL, but",
            "other users of the machine may see it there."
        })
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class UpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data folder (default: .weir in the current folder).")
    private @Nullable Path data;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "The JDBC URL of your own PostgreSQL (default: embedded).")
    private @Nullable String database;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = NodeSettings.DEFAULT_HOST,
            description = "The address to listen on (default: ${DEFAULT-VALUE}, this machine only).")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "" + NodeSettings.DEFAULT_PORT,
            description = "The port to listen on; 0 chooses a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            split = ",",
            description =
                    "A host name that the node accepts in the Host header of requests. On a loopback address, the node"
                            + " accepts only its own names and these, so that web pages cannot read from it. On other"
                            + " addresses, it checks the header only if this option is given. Can be repeated.")
    private List<String> names = List.of();

    @Option(
            names = "--base-url",
            paramLabel = "URL",
            description = "The address of the node in browsers, such as https://weir.example, if it is another one: the"
                    + " address of a proxy, or the name in the certificate. The node accepts its host name, lets only"
                    + " pages from there change something, and prints it.")
    private @Nullable URI baseUrl;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serve HTTPS with this certificate (PEM), followed by those of the authorities in between."
                    + " Needs --tls-key. Restart the node after you have renewed it.")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "The private key of the certificate (PEM, PKCS #8).")
    private @Nullable Path certificateKey;

    @Option(
            names = "--allow-call",
            paramLabel = "HOST",
            split = ",",
            description = "A host, host:port or network (10.1.0.0/16) outside the public internet that steps may call."
                    + " Can be repeated.")
    private List<String> allowed = List.of();

    @Option(
            names = "--calls",
            paramLabel = "N",
            description = "Maximum number of HTTP calls of steps at once (default: 256).")
    private @Nullable Integer calls;

    @Option(
            names = "--secrets",
            paramLabel = "FILE",
            description = "A file with a line NAME=VALUE for each secrets.NAME that steps use. Only the owner may have"
                    + " access to the file. Weir looks up other secrets in the environment, as WEIR_SECRET_NAME.")
    private @Nullable Path secrets;

    @Option(
            names = "--secrets-key",
            paramLabel = "FILE",
            description = "A file with the keys that seal the secrets of `weir secrets`, one per line: 32 bytes in"
                    + " base64. The first one seals, all of them open. Default: WEIR_SECRETS_KEY, or with the embedded"
                    + " PostgreSQL the file secrets.key in the data folder, which the node makes.")
    private @Nullable Path secretsKey;

    @Option(
            names = "--keep-history",
            paramLabel = "AGE",
            description = "Keep runs at least this long after they end, such as 30d; the minimum is 1h (default: for"
                    + " ever). Weir removes history by the week. The id of a removed run can be used again.")
    private @Nullable String keepHistory;

    @Mixin
    private NoticeOptions notices;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = OutputOptions.Format.Reader.class,
            description = "The format of the log on standard error: ${COMPLETION-CANDIDATES}; json writes one object"
                    + " per line (default: ${DEFAULT-VALUE}).")
    private OutputOptions.Format logFormat;

    @Option(
            names = "--demo",
            description = "Also register three example workflows, start runs of them, and run a worker.")
    private boolean demo;

    @Override
    public Integer call() throws Exception {
        LogConfiguration.use(logFormat);
        Consumer<String> progress = progressListener();
        var nodeLost = new CountDownLatch(1);
        ServerNode node = ServerNode.open(settings(), progress, nodeLost::countDown);
        Demo runningDemo = demo ? startDemo(node) : null;
        Thread stop = Thread.ofPlatform().unstarted(() -> close(node, runningDemo, progress));
        Runtime.getRuntime().addShutdownHook(stop);
        WelcomeMessage.print(spec.commandLine().getOut(), spec.root().name(), node, demo);
        nodeLost.await();
        return ExitCode.SOFTWARE;
    }

    /**
     * Returns the listener for the node's progress. If the log is JSON, progress is logged too, so that every line
     * is an object.
     */
    private Consumer<String> progressListener() {
        return switch (logFormat) {
            case TEXT -> message -> TerminalWriter.err(spec.commandLine()).println("weir: " + message);
            case JSON -> LoggerFactory.getLogger(UpCommand.class)::info;
        };
    }

    private static Demo startDemo(ServerNode node) throws IOException, InterruptedException {
        try {
            return Demo.start(node);
        } catch (IOException | InterruptedException | RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private static void close(ServerNode node, @Nullable Demo demo, Consumer<String> progress) {
        progress.accept("stopping; accepted requests are finished first");
        if (demo != null) {
            demo.close();
        }
        node.close();
        progress.accept("stopped");
    }

    private NodeSettings settings() {
        try {
            return new NodeSettings(
                    ServerOptions.requireFolder(data == null ? Path.of(ServerOptions.DATA_FOLDER) : data)
                            .toAbsolutePath()
                            .normalize(),
                    database == null ? null : database(database, System.getenv()),
                    new Address(host, port, names, tls(), baseUrl),
                    new Outgoing(allowed, calls == null ? Outgoing.DEFAULT.maxCalls() : calls, secrets, secretsKey),
                    keepHistory == null ? null : parseAge(keepHistory),
                    notices.settings());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), withOptionName(String.valueOf(e.getMessage())), e);
        }
    }

    private @Nullable TlsFiles tls() {
        if (certificate == null && certificateKey == null) {
            return null;
        }
        if (certificate == null || certificateKey == null) {
            throw new IllegalArgumentException("expected --tls-cert and --tls-key together, found only "
                    + (certificate == null ? "--tls-key" : "--tls-cert"));
        }
        return new TlsFiles(certificate, certificateKey);
    }

    private static Duration parseAge(String text) {
        return DurationText.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "age: expected a duration with a unit, such as 30d or 12h, found '" + text + "'"));
    }

    /** Replaces the name of a settings field by the option that sets it. */
    private static String withOptionName(String message) {
        return message.replaceFirst("^allowed: ", "--allow-call: ")
                .replaceFirst("^names: ", "--allow-host: ")
                .replaceFirst("^base URL: ", "--base-url: ")
                .replaceFirst("^places: ", "--calls: ")
                .replaceFirst("^age: ", "--keep-history: ");
    }

    /**
     * Reads user and password from the URL, or else from the environment variables that PostgreSQL's own programs
     * use.
     */
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
