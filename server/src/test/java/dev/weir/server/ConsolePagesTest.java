package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the console is served with headers under which nothing but its own scripts can run. */
@Tag("R3.12")
class ConsolePagesTest {
    private static final TestNode NODE = new TestNode();
    private static final String HASHED = "/assets/example-ABCD2345.js";
    private static final Map<String, String> FILES = Map.of(
            "/", "text/html",
            "/runs", "text/html",
            "/flow-control?key=a%2Fb", "text/html",
            "/assets/app.js", "text/javascript",
            "/assets/app.css", "text/css");

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static TestNode.TestResponse get(String path) {
        return NODE.send(NODE.request("GET", path), "GET", null);
    }

    private static String header(TestNode.TestResponse got, String name) {
        return String.join(" | ", got.headers().getOrDefault(name, List.of()));
    }

    @Test
    void pages_scripts_and_styles_are_served_to_anyone_with_strict_headers() {
        FILES.forEach((path, type) -> {
            var got = get(path);
            assertThat(got.status()).as(path).isEqualTo(200);
            assertThat(got.type()).as(path).startsWith(type);
            assertThat(header(got, "content-security-policy"))
                    .as(path)
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .contains("require-trusted-types-for 'script'")
                    .doesNotContain("unsafe", "|");
            assertThat(header(got, "x-content-type-options")).isEqualTo("nosniff");
            assertThat(header(got, "x-frame-options")).isEqualTo("DENY");
            assertThat(header(got, "referrer-policy")).isEqualTo("no-referrer");
            assertThat(header(got, "cache-control")).as(path).isEqualTo("no-cache");
        });
        assertThat(get("/runs").body()).isEqualTo(get("/").body());
    }

    @Test
    void a_browser_that_has_a_file_is_told_that_it_is_unchanged() {
        FILES.keySet().forEach(path -> {
            String etag = header(get(path), "etag");
            assertThat(etag).startsWith("\"");
            var again = NODE.send(NODE.request("GET", path).header("If-None-Match", etag), "GET", null);
            assertThat(again.status()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            var other = NODE.send(NODE.request("GET", path).header("If-None-Match", "\"older\""), "GET", null);
            assertThat(other.status()).isEqualTo(200);
        });
    }

    @Test
    void a_file_with_the_hash_of_its_content_in_its_name_is_cached_for_good() {
        assertThat(header(get(HASHED), "cache-control")).isEqualTo("public, max-age=31536000, immutable");
    }

    @Test
    void a_request_for_the_head_of_a_file_gets_its_headers_and_no_body() {
        for (String path : List.of("/", "/assets/app.js", HASHED)) {
            var got = NODE.send(NODE.request("HEAD", path), "HEAD", null);
            assertThat(got.status()).as(path).isEqualTo(200);
            assertThat(got.body()).as(path).isEmpty();
            assertThat(header(got, "etag")).as(path).isEqualTo(header(get(path), "etag"));
        }
        assertThat(NODE.send(NODE.request("HEAD", "/assets/none.js"), "HEAD", null)
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/none.js",
                "/assets/app.js.map",
                "/assets/..%2findex.html",
                "/assets/%2e%2e/index.html",
                "/assets/..%5cindex.html",
                "/assets/../../console/index.html",
                "/assets/%2Fetc%2Fpasswd",
                "/assets/sub/app.js",
                "/assets/app.class",
                "/index.html",
                "/favicon.ico",
                "/runs/order-1",
                "/V1",
                "/%2e%2e"
            })
    void nothing_but_the_files_of_the_bundle_is_served(String path) {
        var got = get(path);
        assertThat(got.status()).as(got.toString()).isIn(400, 404);
        assertThat(got.type()).isEqualTo("application/problem+json");
    }

    @Test
    void the_page_has_no_inline_script_style_or_handler_and_loads_nothing_from_elsewhere() {
        String page = get("/").body();
        assertThat(Pattern.compile("<script(?![^>]*\\bsrc=\"/)").matcher(page).find())
                .isFalse();
        assertThat(Pattern.compile("<script[^>]*>[^<]").matcher(page).find()).isFalse();
        assertThat(Pattern.compile("(?i)<style|\\sstyle=|\\son\\w+=|javascript:")
                        .matcher(page)
                        .find())
                .isFalse();
        assertThat(Pattern.compile("(?:src|href)=\"(?!/|data:image/svg)")
                        .matcher(page)
                        .find())
                .isFalse();
        assertThat(page).contains("src=\"/assets/app.js\"", "href=\"/assets/app.css\"");
    }

    @Test
    void a_key_that_looks_like_html_reaches_the_browser_as_json_text() {
        NODE.post("/v1/keys/pause", "{'key':'<img src=x onerror=alert(1)>'}");
        var got = NODE.get("/v1/keys?limit=200&prefix=%3Cimg");
        assertThat(got.type()).startsWith("application/json");
        assertThat(got.at("/keys/0/key")).isEqualTo("<img src=x onerror=alert(1)>");
        assertThat(got.at("/keys/0/paused")).isEqualTo("true");
        assertThat(header(got, "x-content-type-options")).isEqualTo("nosniff");
    }
}
