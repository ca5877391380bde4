package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.rig.NodeProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests sign-in to the console of a real node that is killed in between. */
@Tag("RX.5")
@Tag("S7")
class SignInEndToEndTest {
    private static final Pattern LINK = Pattern.compile("Console: (\\S+/)#sign-in=(\\S+)\n");

    private static HttpResponse<String> send(String method, String url, @Nullable String cookie, @Nullable String body)
            throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .header("Origin", "http://" + URI.create(url).getAuthority())
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (cookie != null) {
            request.header("Cookie", cookie);
        }
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static HttpResponse<String> signIn(String url, String code) throws Exception {
        return send("POST", url + "/v1/session", null, "{\"link\":\"" + code + "\"}");
    }

    private static String cookie(HttpResponse<String> signedIn) {
        return signedIn.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
    }

    @Test
    void a_session_begins_with_the_printed_link_survives_a_kill_and_ends_with_its_token() throws Exception {
        try (var driver = new NodeDriver("sign-in", List.of())) {
            NodeProcess.NodeLaunch launch = driver.node.launch;
            String printed = Files.readString(launch.log());
            Matcher link = LINK.matcher(printed);
            assertThat(link.find()).as(printed).isTrue();
            assertThat(link.group(1)).isEqualTo(launch.url() + "/");
            assertThat(printed.indexOf("Console: ")).isLessThan(printed.indexOf("Weir is up at "));
            var signedIn = signIn(launch.url(), link.group(2));
            assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(201);
            String cookie = cookie(signedIn);

            driver.node.restart();
            assertThat(send("GET", launch.url() + "/v1/session", cookie, null).body())
                    .contains("\"organisation\":\"default\"", "\"role\":\"admin\"");
            assertThat(signIn(launch.url(), link.group(2)).statusCode())
                    .as("the link, used before the kill")
                    .isEqualTo(401);

            driver.runCommand("tokens", "create", "ann", "--role", "operator");
            var changed = send("POST", launch.url() + "/v1/tokens/ann/revoke", cookie, "{\"reason\":\"left\"}");
            assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
            assertThat(driver.runCommand("audit", "-o", "json")).contains("\"console\"", "revoke_token");
        }
    }

    @Test
    void a_link_of_the_console_command_signs_in_with_the_token_of_the_command() throws Exception {
        try (var driver = new NodeDriver("console-link", List.of())) {
            String url = driver.node.launch.url();
            String link = driver.runCommand("console").strip();
            assertThat(link).startsWith(url + "/#sign-in=");
            var signedIn = signIn(url, link.substring(link.indexOf('=') + 1));
            String cookie = cookie(signedIn);
            driver.runCommand("tokens", "revoke", "weir up", "--reason", "test");
            Awaitility.await("the end of the session with its token")
                    .until(() -> send("GET", url + "/v1/session", cookie, null).statusCode() == 401);
        }
    }
}
