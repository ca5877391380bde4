package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the sessions of the console: sign-in, the cookie, and who may use it. */
@Tag("RX.5")
class SessionApiTest {
    private static final TestNode NODE = new TestNode();
    private static final String OWN = "http://127.0.0.1:" + NODE.server.port();
    private static final String NAME = "weir_session_" + NODE.server.port();

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static TestNode.TestResponse signIn(String body, String... headers) {
        return send("POST", "/v1/session", body.replace('\'', '"'), headers);
    }

    private static TestNode.TestResponse send(String method, String path, @Nullable String body, String... headers) {
        HttpRequest.Builder request = NODE.request(method, path);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return NODE.send(request, method, body);
    }

    private static String setCookie(TestNode.TestResponse got) {
        return got.headers().getOrDefault("set-cookie", List.of("none")).getFirst();
    }

    /** Signs in, and returns the header with which the browser proves it. */
    private static String cookie(String token) {
        return setCookie(signIn("{'token':'" + token + "'}")).split(";", 2)[0];
    }

    @Test
    void a_token_begins_a_session_that_tells_what_it_may_do() {
        var got = signIn("{'token':' acme-operator '}");
        assertThat(got.status()).isEqualTo(201);
        assertThat(got.at("/organisation")).isEqualTo("acme");
        assertThat(got.at("/token/name")).isEqualTo("acme-operator");
        assertThat(got.at("/role")).isEqualTo("operator");
        assertThat(got.json().get("permissions").valueStream().map(word -> word.stringValue()))
                .containsExactly("read", "start", "work", "register", "operate", "pin", "audit");
        assertThat(got.json().get("administrator").booleanValue()).isFalse();
        assertThat(got.body()).doesNotContain("weir_session");
    }

    @Test
    void no_script_and_no_other_site_can_read_or_use_the_cookie() {
        List<String> attributes = Arrays.stream(
                        setCookie(signIn("{'token':'acme-viewer'}")).split("; ", -1))
                .toList();
        assertThat(attributes.getFirst()).matches(NAME + "=weir_session_[A-Za-z0-9_-]{43}");
        assertThat(attributes).contains("HttpOnly", "SameSite=Strict", "Path=/").doesNotContain("Secure");
        assertThat(attributes).noneMatch(attribute -> attribute.startsWith("Domain"));
        assertThat(attributes).anyMatch(attribute -> attribute.matches("Max-Age=259\\d{4}"));
    }

    @Test
    void a_request_with_the_cookie_may_do_what_the_token_may() {
        String cookie = cookie("acme-viewer");
        var runs = send("GET", "/v1/runs", null, "Cookie", cookie);
        assertThat(runs.status()).isEqualTo(200);
        assertThat(runs.headers().get("cache-control")).containsExactly("no-store");
        var pin = "{\"key\":\"k\",\"parallelism\":1}";
        var refused = send("POST", "/v1/keys/pin", pin, "Cookie", cookie, "Origin", OWN);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("/type")).isEqualTo("/problems/forbidden");
        assertThat(send("GET", "/v1/session", null, "Cookie", cookie).at("/token/name"))
                .isEqualTo("acme-viewer");
    }

    @Test
    void a_change_with_the_cookie_is_audited_as_one_of_the_console() {
        String cookie = cookie("acme-operator");
        String body = "{\"key\":\"audited\",\"reason\":\"driver update\"}";
        var got = send("POST", "/v1/keys/pause", body, "Cookie", cookie, "Origin", OWN, "Weir-Origin", "cli");
        assertThat(got.status()).as(got.toString()).isEqualTo(200);
        var entry = NODE.get("/v1/audit?limit=1");
        assertThat(entry.at("/entries/0/actor")).isEqualTo("acme-operator");
        assertThat(entry.at("/entries/0/origin")).isEqualTo("console");
        assertThat(entry.at("/entries/0/reason")).isEqualTo("driver update");
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://evil.example",
        "Origin, null",
        "Origin, http://127.0.0.1:1",
        "Origin, http://localhost.evil.example",
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "X-Nothing, x"
    })
    void a_change_that_does_not_come_from_the_console_is_refused(String header, String value) {
        String body = "{\"key\":\"forged\"}";
        var got = send("POST", "/v1/keys/pause", body, "Cookie", cookie("acme-operator"), header, value);
        assertThat(got.status()).isEqualTo(403);
        assertThat(got.at("/type")).isEqualTo("/problems/other_page");
        assertThat(got.at("/detail")).contains("--base-url");
        assertThat(NODE.get("/v1/keys?prefix=forged").json().get("keys")).isEmpty();
    }

    @Test
    void a_change_from_the_console_itself_is_accepted_by_either_header() {
        String cookie = cookie("acme-operator");
        for (List<String> header : List.of(List.of("Origin", OWN), List.of("Sec-Fetch-Site", "same-origin"))) {
            var got = send(
                    "POST",
                    "/v1/keys/pause",
                    "{\"key\":\"own\"}",
                    "Cookie",
                    cookie,
                    header.getFirst(),
                    header.getLast());
            assertThat(got.status()).as(header.toString()).isEqualTo(200);
        }
    }

    @Test
    void another_page_cannot_read_with_the_cookie_or_sign_in() {
        var read = send("GET", "/v1/runs", null, "Cookie", cookie("acme-viewer"), "Sec-Fetch-Site", "same-site");
        assertThat(read.status()).isEqualTo(403);
        assertThat(signIn("{'token':'acme-viewer'}", "Origin", "http://evil.example")
                        .status())
                .isEqualTo(403);
        assertThat(signIn("{'token':'acme-viewer'}", "Origin", OWN).status()).isEqualTo(201);
    }

    @Test
    void the_live_stream_accepts_the_cookie() {
        var got = send("GET", "/v1/stream?key=k", null, "Cookie", cookie("acme-viewer"));
        assertThat(got.status()).isEqualTo(200);
        assertThat(got.type()).startsWith("text/event-stream");
    }

    @Test
    void a_link_signs_in_once_with_the_token_that_made_it() {
        var link = NODE.send("POST", "/v1/session-links", null, "acme-operator");
        assertThat(link.status()).isEqualTo(201);
        assertThat(link.at("/url")).startsWith(OWN + "/#sign-in=weir_link_");
        String code = link.at("/url").substring(link.at("/url").indexOf('=') + 1);
        var got = signIn("{'link':'" + code + "'}");
        assertThat(got.status()).isEqualTo(201);
        assertThat(got.at("/token/name")).isEqualTo("acme-operator");
        var again = signIn("{'link':'" + code + "'}");
        assertThat(again.status()).isEqualTo(401);
        assertThat(again.at("/detail")).contains("weir console");
        assertThat(again.headers()).doesNotContainKey("set-cookie");
    }

    @Test
    void a_session_makes_no_links_and_is_no_token() {
        String cookie = cookie("acme-operator");
        assertThat(send("POST", "/v1/session-links", null, "Cookie", cookie, "Origin", OWN)
                        .status())
                .isEqualTo(409);
        String secret = cookie.substring(cookie.indexOf('=') + 1);
        assertThat(NODE.send("GET", "/v1/runs", null, secret).status()).isEqualTo(401);
        assertThat(send("GET", "/v1/runs", null, "Cookie", NAME + "=acme-operator")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void signing_out_ends_the_session_and_removes_the_cookie() {
        String cookie = cookie("acme-viewer");
        String other = cookie("acme-viewer");
        var got = send("DELETE", "/v1/session", null, "Cookie", cookie, "Origin", OWN);
        assertThat(got.status()).isEqualTo(200);
        assertThat(setCookie(got)).startsWith(NAME + "=;").contains("Max-Age=0", "Path=/");
        assertThat(send("GET", "/v1/runs", null, "Cookie", cookie).status()).isEqualTo(401);
        assertThat(send("GET", "/v1/runs", null, "Cookie", other).status()).isEqualTo(200);
        assertThat(NODE.send("DELETE", "/v1/session", null, "acme-viewer").status())
                .isEqualTo(409);
    }

    @Test
    void a_token_in_the_header_takes_precedence_over_the_cookie() {
        String cookie = cookie("acme-viewer");
        var got = send("GET", "/v1/session", null, "Cookie", cookie, "Authorization", "Bearer acme-operator");
        assertThat(got.at("/token/name")).isEqualTo("acme-operator");
        assertThat(got.json().has("expires_at")).isFalse();
    }

    @Test
    void a_token_that_may_not_read_cannot_sign_in() {
        var got = signIn("{'token':'acme-worker'}");
        assertThat(got.status()).isEqualTo(403);
        assertThat(got.at("/detail")).contains("viewer");
        assertThat(got.headers()).doesNotContainKey("set-cookie");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'token':'acme-viewer','link':'x'}",
                "{'token':1}",
                "{'token':null}",
                "{'code':'x'}",
                "[]",
                "'acme-viewer'"
            })
    void a_sign_in_without_exactly_one_credential_is_refused(String body) {
        assertThat(signIn(body).status()).isBetween(400, 422);
    }

    @Test
    void unknown_credentials_are_refused_and_say_what_was_expected() {
        Stream.of("{'token':'none'}", "{'token':''}", "{'link':'none'}").forEach(body -> {
            var got = signIn(body);
            assertThat(got.status()).as(body).isEqualTo(401);
            assertThat(got.at("/detail")).as(body).contains("expected");
        });
        assertThat(send("GET", "/v1/runs", null, "Cookie", NAME + "=none").at("/detail"))
                .contains("sign in again");
    }
}
