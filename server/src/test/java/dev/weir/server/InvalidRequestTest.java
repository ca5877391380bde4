package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.WireJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that bad input is refused with a reason, and that the node stays up. */
@Tag("RX.5")
class InvalidRequestTest {
    private static final TestNode NODE = new TestNode();
    private static final int DEEP = 100_000;

    @AfterAll
    static void close() {
        assertThat(NODE.get("/health/ready").status()).isEqualTo(200);
        NODE.close();
    }

    static List<DocumentedRoute> withBody() {
        return DocumentedRoute.all().stream().filter(DocumentedRoute::takesBody).toList();
    }

    static List<DocumentedRoute> withToken() {
        return DocumentedRoute.all().stream().filter(route -> !route.isPublic()).toList();
    }

    /** Returns bodies that no path accepts. */
    private static List<String> garbage() {
        var garbage = new ArrayList<String>(List.of(
                "{",
                "[]",
                "null",
                "7",
                "\"text\"",
                "{} {}",
                "{\"a\":1,\"a\":2}",
                "{\"no_such_field\":1}",
                "{\"\\u0000\":1}",
                "{\"key\":\"\\u0000\",\"workflow\":\"\\u0000\",\"reason\":\"\\u0000\"}",
                "{\"key\":\"\\ud800\",\"workflow\":\"\\ud800\",\"reason\":\"\\ud800\"}",
                "{\"input\":1e999999999,\"workflow\":\"w\"}",
                "{\"limit\":99999999999999999999,\"modules\":[\"m\"]}",
                "{\"workflow\":" + "9".repeat(5_000) + "}",
                "\u0001\u0002",
                "<xml/>",
                "a: [b",
                "&a [*a,*a]"));
        garbage.add("[".repeat(DEEP));
        garbage.add("{\"input\":".repeat(200) + "1" + "}".repeat(200));
        garbage.add("{\"runs\":[" + "{\"workflow\":7},".repeat(500) + "{}]}");
        return garbage;
    }

    @ParameterizedTest
    @MethodSource("withBody")
    void every_path_refuses_garbage_with_a_problem(DocumentedRoute route) {
        for (String body : garbage()) {
            var got = NODE.send(route.method(), route.pathWith("nobody", "a", "nothing"), body, "acme-token");
            assertProblem(route, body, got);
        }
    }

    @ParameterizedTest
    @MethodSource("withBody")
    void every_path_refuses_invalid_utf_8_large_bodies_and_other_content_types(DocumentedRoute route) {
        String path = route.pathWith("nobody", "a", "nothing");
        var authorised = NODE.request(route.method(), path)
                .header("Authorization", "Bearer acme-token")
                .header("Content-Type", "application/json");
        byte[] invalid = {'{', '"', (byte) 0xC3, (byte) 0x28, '"', ':', '1', '}'};
        assertProblem(
                route,
                "invalid UTF-8",
                NODE.send(authorised
                        .method(route.method(), BodyPublishers.ofByteArray(invalid))
                        .build()));
        byte[] large = "{\"a\":\"".concat("x".repeat(WireJson.BODY_BYTES_MAX)).getBytes(StandardCharsets.UTF_8);
        var got = NODE.send(authorised
                .method(route.method(), BodyPublishers.ofByteArray(large))
                .build());
        assertThat(got.status()).as("%s with a large body: %s", route, got).isEqualTo(413);
        var form = NODE.request(route.method(), path)
                .header("Authorization", "Bearer acme-token")
                .header("Content-Type", "application/x-www-form-urlencoded");
        assertThat(NODE.send(form, route.method(), "a=b").status()).isEqualTo(415);
        if (route.requiresBody()) {
            var none = NODE.send(route.method(), path, null, "acme-token");
            assertThat(none.status()).as("%s without a body: %s", route, none).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @MethodSource("withToken")
    void every_path_refuses_parameters_that_it_does_not_know_or_that_are_no_text(DocumentedRoute route) {
        String path = route.pathWith("nobody", "a", "nothing");
        String first = path.contains("?") ? "&" : "?";
        for (String query :
                List.of("no_such=1", "limit=x&cursor=y&state=z", "limit=99999999999", "%ff=%ff", "a%00=%00")) {
            String body = route.takesBody() ? "{}" : null;
            var got = NODE.send(route.method(), path + first + query, body, "acme-token");
            assertProblem(route, query, got);
        }
        for (String id : List.of("%00", "%ff", "a%2Fb", "%2e%2e", "x".repeat(3_000), "a;b", "%5C", "'%20or%201=1--")) {
            String body = route.takesBody() ? "{}" : null;
            var got = NODE.send(route.method(), route.pathWith(id, id, id), body, "acme-token");
            assertThat(got.status()).as("%s with id %s: %s", route, id, got).isLessThan(500);
        }
    }

    @Test
    void an_invalid_body_is_refused_with_the_position_of_the_problem() {
        var unknown = NODE.post("/v1/runs", "{'workflow':'w',\n 'lables':{}}");
        assertThat(unknown.at("/errors/0/message")).contains("'lables'", "did you mean 'labels'?");
        assertThat(unknown.at("/errors/0/pointer")).isEqualTo("/lables");
        assertThat(unknown.at("/errors/0/line")).isEqualTo("2");

        var wrong = NODE.post("/v1/claims", "{'modules':['m'],'limit':'many'}");
        assertThat(wrong.at("/errors/0/expected")).isEqualTo("a whole number");
        assertThat(wrong.at("/errors/0/found")).isEqualTo("\"many\"");
        assertThat(wrong.at("/errors/0/pointer")).isEqualTo("/limit");

        var missing =
                NODE.post("/v1/updates", "{'updates':[{'run':'r','step':'a','fence':1,'result':'completed'},{}]}");
        assertThat(missing.at("/results/1/detail")).isEqualTo("/updates/1/run: expected a string, found nothing");

        var yaml = NODE.put("/v1/workflows/w", "workflow: w\nsteps:\n  - { id: a, uses: m, need: [b] }\n");
        assertThat(yaml.at("/errors/0/line")).isEqualTo("3");
        assertThat(yaml.at("/detail")).contains("did you mean 'needs'?");

        var flow = NODE.post("/v1/runs", "{'workflow':'w','flow_control':{'key':'k','parallelism':0}}");
        assertThat(flow.at("/errors/0/pointer")).isEqualTo("/flow_control/parallelism");

        var key = NODE.post("/v1/runs", "{'workflow':'w','flow_control':{'key':'${{ item }}','parallelism':1}}");
        assertThat(key.at("/detail")).contains("only input and run", "item");
    }

    @Test
    void numbers_and_texts_are_not_converted_into_each_other() {
        for (String body : List.of(
                "{'workflow':'w','id':7}",
                "{'workflow':'w','id':1.5}",
                "{'workflow':'w','id':true}",
                "{'id':'r','workflow':7}",
                "{'workflow':'w','labels':{'team':7}}",
                "{'workflow':'w','delay':10}")) {
            var got = NODE.post("/v1/runs", body);
            assertThat(got.status()).as("%s: %s", body, got).isEqualTo(400);
            assertThat(got.at("/errors/0/expected")).as(body).isEqualTo("a string");
            assertThat(got.at("/errors/0/line")).as(body).isEqualTo("1");
        }
        var id = NODE.post("/v1/runs", "{'workflow':'w','id':7}");
        assertThat(id.at("/detail")).isEqualTo("/id: expected a string, found 7 (line 1, column 17)");
        var priority = NODE.post("/v1/runs", "{'workflow':'w','priority':1000}");
        assertThat(priority.at("/detail")).endsWith("found 1000 (line 1, column 17)");
        var parallelism = NODE.post("/v1/keys/pin", "{'key':'k',\n 'parallelism':0}");
        assertThat(parallelism.at("/detail")).endsWith("found 0 (line 2, column 2)");
        var absent = NODE.post("/v1/runs", "{'id':'r'}");
        assertThat(absent.at("/detail")).isEqualTo("/workflow: expected a string, found nothing");
    }

    @Test
    void a_priority_out_of_bounds_is_refused_however_far() {
        for (int priority : List.of(-101, 101, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            var got = NODE.post("/v1/runs", "{'workflow':'w','priority':" + priority + "}");
            assertThat(got.status()).as("%s: %s", priority, got).isEqualTo(400);
            assertThat(got.at("/detail")).contains("expected a number from -100 to 100, found " + priority);
        }
    }

    @Test
    void an_unsupported_method_is_refused_with_the_supported_ones() {
        var got = NODE.send("DELETE", "/v1/runs", null, "acme-token");
        assertThat(got.status()).isEqualTo(405);
        assertThat(got.at("/detail")).contains("GET", "POST", "found DELETE");
        assertThat(got.headers()).extractingByKey("allow").asString().contains("GET", "POST");
    }

    @Test
    void a_body_in_another_charset_and_an_empty_key_are_refused() {
        for (String charset : List.of("foo", "utf-16", "ISO-8859-1", "\"\"")) {
            var got = NODE.send(
                    posted("/v1/runs").header("Content-Type", "application/json; charset=" + charset), "POST", "{}");
            assertThat(got.status()).as("charset %s: %s", charset, got).isEqualTo(415);
        }
        var known = posted("/v1/runs").header("Content-Type", "application/json;charset=\"UTF-8\"");
        assertThat(NODE.send(known, "POST", "{\"workflow\":\"nothing\"}").status())
                .isEqualTo(404);
        for (String key : List.of("", " ")) {
            var keyed = posted("/v1/runs")
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", key);
            var got = NODE.send(keyed, "POST", "{\"workflow\":\"nothing\"}");
            assertThat(got.status()).as("an empty key: %s", got).isEqualTo(400);
            assertThat(got.at("/detail")).contains("Idempotency-Key");
        }
    }

    @Test
    void a_charset_without_a_name_is_refused() {
        for (String path : List.of("/v1/runs", "/v1/runs?a=b")) {
            for (String charset : List.of("charset", "charset;", "charset ;a=b")) {
                var got = NODE.send(posted(path).header("Content-Type", "application/json; " + charset), "POST", "{}");
                assertThat(got.status()).as("%s at %s: %s", charset, path, got).isBetween(400, 415);
            }
        }
    }

    @Test
    void a_query_that_cannot_be_read_is_refused_rather_than_left_out() {
        for (String query : List.of("label=team=50%", "label=%zz", "label=%2", "%=1")) {
            String got = raw("GET /v1/runs?" + query, "acme-token");
            assertThat(got).as(query).startsWith("HTTP/1.1 400").contains("%25");
        }
        assertThat(NODE.get("/v1/runs?label=team=50%25&&limit=1").status()).isEqualTo(200);
        assertThat(NODE.get("/v1/runs?label=a+b%3Dc+d").status()).isEqualTo(200);
    }

    @Test
    void head_is_answered_as_get_is() {
        assertThat(NODE.send("HEAD", "/health/live", null, "").status()).isEqualTo(200);
        assertThat(NODE.send("HEAD", "/v1/runs", null, "acme-token").status()).isEqualTo(200);
        assertThat(NODE.send("HEAD", "/v1/runs", null, "no-token").status()).isEqualTo(401);
        assertThat(NODE.send("HEAD", "/v1/runs/nothing", null, "acme-token").status())
                .isEqualTo(404);
        assertThat(NODE.send("HEAD", "/v1/claims", null, "acme-token").status()).isEqualTo(405);
        assertThat(NODE.send("HEAD", "/no/such/path", null, "acme-token").status())
                .isEqualTo(404);
        assertThat(raw("HEAD /v1/runs", "acme-token"))
                .startsWith("HTTP/1.1 200")
                .doesNotContain("{");
    }

    @Test
    void a_null_or_empty_entry_of_a_list_or_map_is_refused_with_its_position() {
        assertGap("/v1/runs", "{'workflow':'w','targets':['a',null]}", "/targets/1");
        assertGap("/v1/runs", "{'workflow':'w','targets':['']}", "/targets/0");
        assertGap("/v1/runs", "{'workflow':'w','labels':{'team':null}}", "/labels/team");
        assertGap("/v1/claims", "{'modules':['m',null]}", "/modules/1");
        assertGap("/v1/claims", "{'modules':[{'id':null}]}", "/modules/0/id");
        assertGap("/v1/claims", "{'run':'r','steps':[null]}", "/steps/0");
    }

    private static void assertGap(String path, String body, String pointer) {
        var got = NODE.post(path, body);
        assertThat(got.status()).as("%s: %s", body, got).isEqualTo(400);
        assertThat(got.at("/errors/0/pointer")).as("%s: %s", body, got).isEqualTo(pointer);
        assertThat(got.at("/errors/0/line")).as("%s: %s", body, got).isEqualTo("1");
    }

    @Test
    void a_null_in_one_entry_does_not_fail_the_other_entries() {
        NODE.apply("gaps", "{'workflow':'gaps','steps':[{'id':'a','uses':'gaps.m'}]}");
        var got = NODE.post(
                "/v1/runs/batch", "{'runs':[{'workflow':'gaps'},{'workflow':'gaps','targets':['a',null]},null]}");
        assertThat(got.at("/results/0/outcome")).as(got.toString()).isEqualTo("created");
        assertThat(got.at("/results/1/detail")).contains("/runs/1/targets/1", "null");
        assertThat(got.at("/results/2/detail")).contains("/runs/2", "null");
        for (String batch : List.of("updates", "heartbeats", "logs")) {
            var one = NODE.post("/v1/" + batch, "{'" + batch + "':[null,null]}");
            assertThat(one.at("/results/0/outcome")).as(one.toString()).isEqualTo("refused");
        }
    }

    /** Sends a malformed request. Returns the head of the response, and whatever else arrives at once. */
    private static String raw(String request, String token) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), NODE.server.port())) {
            socket.setSoTimeout(10_000);
            String text = request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                    + token + "\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpRequest.Builder posted(String path) {
        return NODE.request("POST", path).header("Authorization", "Bearer acme-token");
    }

    @Test
    void an_output_that_no_schema_can_check_blocks_its_dependents_and_nobody_else() {
        NODE.apply(
                "checked",
                "workflow: checked\nsteps: [{id: a, uses: checked.m, output_schema: {type: integer, minimum: 1}}, {id: b, needs: [a], uses: x}]");
        NODE.post("/v1/runs", "{'workflow':'checked','id':'checked'}");
        var claim = NODE.post("/v1/claims", "{'modules':['checked.m'],'wait':'10s'}");
        String report = "{'updates':[{'run':'checked','step':'a','fence':" + claim.at("/claims/0/fence")
                + ",'result':'completed','output':1e308}]}";
        assertThat(NODE.post("/v1/updates", report).at("/results/0/outcome")).isEqualTo("applied");
        assertThat(NODE.get("/v1/runs/checked/steps/a/why").at("/reasons/0/reason"))
                .isEqualTo("invalid_artifact");
    }

    @Test
    void a_number_is_accepted_in_plain_ascii_digits_only() {
        for (String limit : List.of("%D9%A1", "%EF%BC%91", "+1", "1e1", "0x1", "")) {
            var got = NODE.get("/v1/runs?limit=" + limit);
            assertThat(got.status()).as(limit + ": " + got).isEqualTo(400);
            assertThat(got.at("/errors/0/pointer")).isEqualTo("?limit");
        }
        assertThat(NODE.get("/v1/runs?limit=1").status()).isEqualTo(200);
    }

    private static void assertProblem(DocumentedRoute route, String what, TestNode.TestResponse got) {
        String sent = what.substring(0, Math.min(60, what.length()));
        assertThat(got.status()).as("%s with %s: %s", route, sent, got).isBetween(400, 499);
        assertThat(got.type()).as("%s with %s: %s", route, sent, got).isEqualTo("application/problem+json");
        assertThat(got.at("/detail")).isNotEmpty();
    }
}
