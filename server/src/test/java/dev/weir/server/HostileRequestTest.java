package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sends malformed requests byte by byte. The server refuses them as the client's fault, and logs nothing. */
@Tag("RX.5")
class HostileRequestTest {
    private static final TestNode NODE = new TestNode();
    private static final String END = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

    @AfterAll
    static void close() {
        NODE.close();
    }

    /** Returns requests as text in which one character is one byte. */
    private static List<String> requests() {
        var requests = new ArrayList<String>();
        paths(requests);
        targetsMethodsAndVersions(requests);
        headers(requests);
        bodies(requests);
        return requests;
    }

    private static void paths(List<String> requests) {
        String long7 = "x".repeat(7_000);
        for (String segment : List.of(
                "%u0041",
                "%uD800",
                "%u",
                "%",
                "%4",
                "%zz",
                "%00",
                "%ff",
                "%c0%af",
                "%ed%a0%80",
                "%f8%88%80%80%80",
                "\0",
                "\1",
                "\u00ff\u00fe",
                "\u00c3\u00a4",
                "a\\b",
                "%5c",
                "%2e%2e%2f",
                "..",
                "%2e",
                ";a=b",
                "%3b",
                "a//b",
                "%25u0041",
                "\u007f",
                "\"<>^`{|}",
                "[",
                "#a",
                "*",
                "%2f",
                "+",
                "%0d%0aX: y",
                "\t",
                "%41".repeat(2_500),
                long7)) {
            for (String path : List.of(
                    "/",
                    "/v1/runs/",
                    "/v1/runs/a/steps/",
                    "/v1/workflows/",
                    "/no/such/",
                    "/metrics/",
                    "/v1/runs?label=",
                    "/health/live?")) {
                requests.add("GET " + path + segment + END);
            }
            requests.add("POST /v1/runs/" + segment + "/cancel" + HEAD + "Content-Length: 2\r\n\r\n{}");
        }
    }

    private static void targetsMethodsAndVersions(List<String> requests) {
        for (String target : HostileParts.TARGETS) {
            for (String method : List.of("GET", "OPTIONS", "CONNECT", "POST")) {
                requests.add(method + " " + target + END);
            }
        }
        for (String method : HostileParts.METHODS) {
            requests.add(method + " /v1/runs" + END);
            requests.add(method + " /v1/runs/%u0041" + END);
        }
        for (String version : HostileParts.VERSIONS) {
            requests.add("GET /v1/runs " + version + "\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        }
    }

    private static void headers(List<String> requests) {
        for (String header : HostileParts.HEADERS) {
            requests.add("GET /v1/runs" + HEAD + header + "\r\n\r\n");
            requests.add("POST /v1/runs" + HEAD + header + "\r\n\r\n{}");
        }
        requests.add("GET /v1/runs" + HEAD + "X: y\r\n".repeat(5_000) + "\r\n");
        requests.add("GET /v1/runs HTTP/1.1\r\n\r\n");
    }

    private static void bodies(List<String> requests) {
        for (String chunks : List.of(
                "x\r\n",
                "-1\r\n",
                "ffffffffffffffffff\r\n",
                "5\r\nab",
                "2\r\n{}\r\n0\r\nX\0: y\r\n\r\n",
                "2\r\n{}0\r\n\r\n",
                "0x2\r\n{}\r\n0\r\n\r\n",
                "2\n{}\n0\n\n",
                "1;" + "x".repeat(9_000) + "\r\na\r\n0\r\n\r\n")) {
            requests.add("POST /v1/runs" + HEAD
                    + "Transfer-Encoding: chunked\r\nAuthorization: Bearer acme-token\r\n\r\n" + chunks);
        }
        requests.addAll(List.of(
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\0\0\0\0",
                "\26\3\1\2\0\1\0\1\u00fc\3\3",
                "\r\n\r\n\r\n",
                "\n",
                "GET",
                "GET /",
                "GET /\r\n\r\n",
                "<xml/>",
                "{}",
                "SSH-2.0-x\r\n",
                "\u00ff".repeat(20_000),
                " ".repeat(20_000),
                "GET  /v1/runs" + END,
                " GET /v1/runs" + END,
                "GET /v1/runs HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/runs/%u0041" + END));
    }

    /** Returns the same requests with some of their first bytes changed; the seed is fixed. */
    private static List<String> mutated(List<String> requests) {
        var random = new Random(15);
        return requests.stream().map(request -> mutated(request, random)).toList();
    }

    private static String mutated(String request, Random random) {
        var changed = new StringBuilder(request);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(Math.min(200, changed.length()));
            switch (random.nextInt(3)) {
                case 0 -> changed.setCharAt(at, (char) random.nextInt(256));
                case 1 -> changed.insert(at, "%\0\r\n:/? ".charAt(random.nextInt(8)));
                default -> changed.deleteCharAt(at).append('x');
            }
        }
        return changed.toString();
    }

    @Test
    void malformed_bytes_cause_neither_a_server_error_nor_a_log_line() {
        var requests = new ArrayList<>(requests());
        requests.addAll(mutated(requests));
        var failures = new ArrayList<String>();
        for (String request : requests) {
            try (var log = new LoggedEvents()) {
                String answer = send(request);
                boolean refused = answer.isEmpty() || answer.matches("(?s)HTTP/1.1 [234].*");
                if (!refused || !log.events().isEmpty()) {
                    failures.add(request.substring(0, Math.min(200, request.length())) + " => " + answer + " "
                            + log.events());
                }
            }
        }
        assertThat(failures).isEmpty();
        assertThat(requests).hasSizeGreaterThan(1_000);
    }

    @Test
    void a_connection_that_breaks_off_is_not_a_line_of_the_log() throws IOException {
        try (var log = new LoggedEvents()) {
            for (String request :
                    List.of("GET", "GET /metrics" + END, "POST /v1/runs" + HEAD + "Content-Length: 9\r\n\r\n{}")) {
                try (var socket = new Socket(InetAddress.getLoopbackAddress(), NODE.server.port())) {
                    socket.setSoLinger(true, 0); // a reset, not an orderly end
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                }
            }
            assertThat(send("GET /health/live" + END)).startsWith("HTTP/1.1 200");
            assertThat(log.events()).isEmpty();
        }
    }

    @Test
    void refused_requests_are_counted_by_status() {
        double before = refused("400");
        send("GET /v1/runs/%u0041" + END);
        send("GET /\0" + END);
        send("GET /v1/runs HTTP/9.9\r\n\r\n");
        assertThat(refused("400") - before).isEqualTo(3);
        double unknown = refused("401");
        send("GET /v1/runs" + END);
        assertThat(refused("401") - unknown).isEqualTo(1);
    }

    private static double refused(String status) {
        String name = "weir_http_refused_total{status=\"" + status + "\"} ";
        return NODE.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .sum();
    }

    @Test
    void a_body_that_is_declared_to_be_too_large_is_refused_before_it_comes() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), NODE.server.port())) {
            socket.setSoTimeout(30_000);
            String head =
                    "POST /v1/runs" + HEAD + "Authorization: Bearer acme-token\r\nContent-Length: 1048577\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer).startsWith("HTTP/1.1 413").contains("found Content-Length 1048577");
        }
    }

    @Test
    void a_client_that_sends_all_of_a_body_that_is_too_large_reads_the_refusal() throws IOException {
        int length = 6 << 20;
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), NODE.server.port())) {
            socket.setSoTimeout(30_000);
            String head = "POST /v1/runs" + HEAD + "Authorization: Bearer acme-token\r\nContent-Length: " + length
                    + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            int first = socket.getInputStream().read();
            for (int sent = 0; sent < length; sent += 1 << 20) {
                socket.getOutputStream().write(new byte[1 << 20]);
            }
            String rest = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat((char) first + rest).startsWith("HTTP/1.1 413").contains("found Content-Length " + length);
        }
    }

    @Test
    void the_name_of_another_host_is_refused_on_loopback() {
        for (String name : List.of(
                "evil.example",
                "evil.example:7077",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "[::2]",
                "10.0.0.1")) {
            for (String path : List.of("/metrics", "/health/live", "/", "/v1/runs", "/no/such")) {
                String answer = send("GET " + path + " HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n");
                assertThat(answer)
                        .as(name + path)
                        .startsWith("HTTP/1.1 400")
                        .contains("Host: expected", "--allow-host");
            }
        }
        for (String name : List.of("localhost", "LOCALHOST:1", "127.0.0.1:" + NODE.server.port(), "[::1]:80")) {
            assertThat(send("GET /metrics HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n\r\n"))
                    .as(name)
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(send("GET /health/live HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 200");
    }

    @Test
    void every_response_forbids_guessing_its_type_and_framing_it() {
        for (String request : List.of(
                "GET /" + END,
                "GET /metrics" + END,
                "GET /v1/runs" + END,
                "GET /no/such" + END,
                "DELETE /v1/runs" + END,
                "GET /v1/runs/%u0041" + END,
                "GET /\0" + END,
                "GET / HTTP/9.9\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                "POST /v1/runs" + HEAD + "Content-Length: 99999999\r\n\r\n",
                "HEAD /health/live" + END)) {
            assertThat(send(request))
                    .as(request)
                    .contains("X-Content-Type-Options: nosniff\r\n", "X-Frame-Options: DENY\r\n")
                    .containsPattern("Content-Security-Policy: [^\r]*frame-ancestors 'none'");
        }
    }

    private static String send(String request) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), NODE.server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the server has closed the connection
        }
    }
}
