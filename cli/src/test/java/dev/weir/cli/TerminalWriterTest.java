package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.api.Logs.LogView;
import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import dev.weir.forecast.text.Canvas;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** Tests that text from other people is shown and never controls the terminal. */
@Tag("RX.5")
class TerminalWriterTest {
    private static final String HOSTILE = "a\u001b[2J\u001b[31mb\u009b2Jc\u001b]0;title\u0007\u0008\u202ed";
    private static final String SHOWN = "a\uFFFD[2J\uFFFD[31mb\uFFFD2Jc\uFFFD]0;title\uFFFD\uFFFD\uFFFDd";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    private int weir(Ansi ansi, String... arguments) {
        return command(ansi).execute(arguments);
    }

    private CommandLine command(Ansi ansi) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setColorScheme(Help.defaultColorScheme(ansi));
    }

    /** Runs a command against a server that gives the same answer to every request. */
    private int weirWith(int status, Object answer, String... arguments) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = WireJson.STRICT.writeValueAsBytes(answer);
            exchange.getResponseHeaders().add("Content-Type", status == 200 ? "application/json" : Problem.MEDIA_TYPE);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            List<String> all = new ArrayList<>(List.of(arguments));
            all.addAll(
                    List.of("--url", "http://127.0.0.1:" + server.getAddress().getPort(), "--token", "t"));
            return weir(Ansi.OFF, all.toArray(String[]::new));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void logs_show_lines_and_tabs_and_replace_commands_to_the_terminal() throws IOException {
        var view = new LogView("r", "s", null, 1, HOSTILE + "\r\n\tnext\rover\n", false, "completed", "x");
        assertThat(weirWith(200, view, "logs", "r", "s")).as(err.toString()).isZero();
        assertThat(out).hasToString(SHOWN + "\n\tnext\nover\n");
    }

    @Test
    void json_has_the_text_as_it_is() throws IOException {
        var view = new LogView("r", "s", null, 1, HOSTILE, false, "completed", "x");
        assertThat(weirWith(200, view, "logs", "r", "s", "-o", "json")).isZero();
        assertThat(WireJson.LENIENT.readTree(out.toString()).at("/text").stringValue())
                .isEqualTo(HOSTILE);
    }

    @Test
    void error_messages_of_a_server_are_shown_without_control_characters() throws IOException {
        assertThat(weirWith(404, Problem.Kind.NOT_FOUND.of(HOSTILE), "logs", "r", "s"))
                .isEqualTo(1);
        assertThat(err.toString()).contains(SHOWN);
        assertThat(weirWith(200, new LogView("r", "s", null, 1, "", false, HOSTILE, "x"), "logs", "r", "s"))
                .isZero();
        assertThat(err.toString()).contains(SHOWN + " and has logged nothing").doesNotContain("\u001b");
    }

    @Test
    void a_simulation_shows_names_keys_and_findings_of_a_definition_alike() throws IOException {
        String key = "\"k \\e[2J\\e[31m\\x9b\"";
        Path file = folder.resolve("evil.yaml");
        Files.writeString(
                file,
                "workflow: evil\nsteps:\n  - { id: a, uses: m, flow_control: { key: " + key + ", parallelism: 1 } }\n"
                        + "  - { id: b, uses: m, flow_control: { key: " + key + ", parallelism: 1 } }\n");
        for (Ansi ansi : List.of(Ansi.OFF, Ansi.ON)) {
            assertThat(weir(ansi, "simulate", file.toString()))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString())
                    .contains("k \uFFFD[2J\uFFFD[31m\uFFFD")
                    .doesNotContain("\u001b[2J", "\u001b[31m", "\u009b");
        }
        Files.writeString(file, "workflow: evil\nsteps: [{ id: a, uses: m, \"\\e[2J\\x9b\": 1 }]\n");
        assertThat(weir(Ansi.ON, "simulate", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("\uFFFD[2J").doesNotContain("\u001b", "\u009b");
    }

    @Test
    void wrong_arguments_are_repeated_without_what_commands_the_terminal() {
        assertThat(weir(Ansi.OFF, "start", "w", "--no-such" + HOSTILE)).isEqualTo(2);
        assertThat(err.toString()).contains("--no-such").doesNotContain("\u001b", "\u009b");
    }

    @Test
    void colours_of_our_own_are_kept_where_the_terminal_has_them() {
        var command = command(Ansi.ON);
        for (var style : Canvas.Style.values()) {
            String painted = new Terminal(80, true, Ansi.ON).paint(style, "text");
            TerminalWriter.out(command).println(painted);
            assertThat(out.toString()).as(style.name()).contains(painted);
        }
        out.getBuffer().setLength(0);
        TerminalWriter.out(command(Ansi.OFF)).println("\u001b[1mtext");
        assertThat(out.toString().strip()).isEqualTo("\uFFFD[1mtext");
    }
}
