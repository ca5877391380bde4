package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.cli.endtoend.ScriptedHttpServer.Reply;
import dev.weir.client.Worker;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.SqlStatements;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the value of a secret reaches the server that it is sent to, and is nowhere else afterwards. */
class CanaryTest {
    private static final String CANARY = "CaNaRy7f3a91";
    private static final SqlStatements SQL = SqlStatements.of(CanaryTest.class);

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final Map<String, String> answers = new TreeMap<>();

    @Test
    @Tag("S9")
    void a_secret_is_sent_and_is_in_no_table_file_log_answer_or_metric(@TempDir Path folder) throws Exception {
        Path secrets = folder.resolve("secrets.env");
        Files.writeString(secrets, "TOKEN=" + CANARY + "\n");
        Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-------"));
        Path data;
        Path log;
        try (var server = new ScriptedHttpServer();
                var node = new ForkedNode(
                        "canary", List.of("--secrets", secrets.toString(), "--allow-call", server.address()))) {
            echoRequests(server);
            List<String> runs = start(node, server.url(""));
            work(node);
            for (String run : runs) {
                node.awaitEnd(run);
            }
            assertThat(received).as("the target gets it").hasSizeGreaterThanOrEqualTo(6);
            assertThat(received).allMatch(text -> text.contains(CANARY));
            collect(node, runs);
            node.restart();
            collect(node, runs);
            data = node.launch.data();
            log = node.launch.log();
        }
        assertNowhere(data, log);
    }

    /** Makes the called server repeat what it received: in a response, in an error and in the address of a redirect. */
    private void echoRequests(ScriptedHttpServer server) {
        Map<String, Integer> statuses = Map.of("/ok", 200, "/bad", 422, "/broken", 503, "/moved", 302);
        statuses.forEach((path, status) -> server.on(path, (exchange, n) -> {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            received.add(token + exchange.getRequestURI());
            return Reply.of(status, "{\"echo\":\"" + token + "\"}")
                    .with("Location", "/?token=" + token.replace(" ", "%20"));
        }));
    }

    private static List<String> start(ForkedNode node, String url) throws InterruptedException {
        List<String> runs = new ArrayList<>();
        String header = "headers: {Authorization: 'Bearer ${{ secrets.TOKEN }}'}";
        Map<String, String> steps = new TreeMap<>(Map.of(
                "ok", "call: {url: '" + url + "/ok', " + header + "}",
                "bad", "call: {url: '" + url + "/bad', " + header + "}",
                "broken", "call: {url: '" + url + "/broken', " + header + "}, retry: {max_attempts: 2, delay: 1ms}",
                "moved", "call: {url: '" + url + "/moved?t=${{ secrets.TOKEN }}', " + header + "}",
                "host", "call: {url: 'http://${{ secrets.TOKEN }}.localhost/'}",
                "lines", "call: {url: '" + url + "/ok', headers: {'A': \"a\\n${{ secrets.TOKEN }}\"}}",
                "lost", "call: {url: '" + url + "/ok?${{ secrets.LOST }}', " + header + "}",
                "worker", "uses: canary.m, with: {token: '${{ secrets.TOKEN }}'}"));
        for (var step : steps.entrySet()) {
            String name = step.getKey();
            node.client.apply(name, "workflow: " + name + "\nsteps: [{id: a, " + step.getValue() + "}]");
            node.client.start(StartRunRequest.of(name, name, null));
            runs.add(name);
        }
        return runs;
    }

    private void work(ForkedNode node) throws InterruptedException {
        try (var worker = Worker.of(node.client)
                .module("canary.m", Map.class, (input, job) -> {
                    received.add(String.valueOf(input.get("token")));
                    return null;
                })
                .start()) {
            node.awaitEnd("worker");
            assertThat(worker).isNotNull();
        }
    }

    /** Collects everything that the API returns about these runs, and the metrics. */
    private void collect(ForkedNode node, List<String> runs) throws IOException, InterruptedException {
        List<String> paths = new ArrayList<>(List.of(
                "/metrics", "/v1/runs", "/v1/workflows", "/v1/keys?prefix=", "/health/ready", "/v1/invariants"));
        for (String run : runs) {
            paths.add("/v1/runs/" + run);
            paths.add("/v1/runs/" + run + "/steps");
            paths.add("/v1/runs/" + run + "/steps/a");
            paths.add("/v1/runs/" + run + "/steps/a/why");
            paths.add("/v1/workflows/" + run);
        }
        try (var http = HttpClient.newHttpClient()) {
            for (String path : paths) {
                var request = HttpRequest.newBuilder(URI.create(node.launch.url() + path))
                        .header("Authorization", "Bearer " + node.token())
                        .build();
                answers.merge(path, http.send(request, BodyHandlers.ofString()).body(), String::concat);
            }
        }
        assertThat(answers.get("/v1/runs/lost")).contains("expected a secret named LOST, found none");
        assertThat(answers.get("/v1/runs/ok")).contains("Bearer ***").contains("completed");
        assertThat(answers.get("/v1/runs/moved")).contains("token=Bearer%20***").contains("completed");
        assertThat(answers.get("/v1/runs/bad")).contains("status 422").contains("failed");
        assertThat(answers.get("/v1/runs/broken")).contains("status 503").contains("failed");
        assertThat(answers.get("/v1/runs/host")).contains("failed");
        assertThat(answers.get("/v1/runs/lines")).contains("a valid header on one line");
    }

    private void assertNowhere(Path data, Path log) throws IOException, SQLException {
        answers.forEach((path, body) -> assertThat(shows(body)).as(path).isFalse());
        assertThat(Files.readString(log)).isNotEmpty();
        assertThat(shows(Files.readString(log))).as("log of the node").isFalse();
        try (var postgres = EmbeddedPostgres.open(data, EmbeddedSettings.DEFAULT);
                var connection = postgres.dataSource().getConnection();
                var statement = connection.createStatement()) {
            try (var found = statement.executeQuery(SQL.get("everything"))) {
                assertThat(found.next()).isTrue();
                String rows = found.getString(1);
                assertThat(rows).as("the search finds what is there").contains("Bearer ***", "status 422");
                assertThat(shows(rows)).as("tables").isFalse();
            }
        }
        // The files on disk also contain the write-ahead log, dead rows, and PostgreSQL's own log.
        try (var files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.toString().contains("/programs/")) {
                    String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                    assertThat(shows(bytes)).as(file.toString()).isFalse();
                }
            }
        }
    }

    private static boolean shows(String text) {
        return text.toLowerCase(java.util.Locale.ROOT).contains(CANARY.toLowerCase(java.util.Locale.ROOT));
    }
}
