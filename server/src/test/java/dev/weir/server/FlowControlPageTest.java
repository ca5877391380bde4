package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that the page is served with headers under which nothing but its own script can run. */
@Tag("R3.12")
class FlowControlPageTest {
    private static final TestNode NODE = new TestNode();
    private static final Map<String, String> FILES =
            Map.of("/", "text/html", "/flow-control.js", "text/javascript", "/flow-control.css", "text/css");

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static String header(TestNode.TestResponse got, String name) {
        return String.join(" | ", got.headers().getOrDefault(name, List.of()));
    }

    @Test
    void page_script_and_style_are_served_to_anyone_with_strict_headers() {
        FILES.forEach((path, type) -> {
            var got = NODE.send(NODE.request("GET", path), "GET", null);
            assertThat(got.status()).as(path).isEqualTo(200);
            assertThat(got.type()).as(path).startsWith(type);
            assertThat(header(got, "content-security-policy"))
                    .as(path)
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe", "|");
            assertThat(header(got, "x-content-type-options")).isEqualTo("nosniff");
            assertThat(header(got, "x-frame-options")).isEqualTo("DENY");
            assertThat(header(got, "referrer-policy")).isEqualTo("no-referrer");
            assertThat(header(got, "cache-control")).isEqualTo("no-cache");
        });
    }

    @Test
    void a_browser_that_has_the_page_is_told_that_it_is_unchanged() {
        FILES.keySet().forEach(path -> {
            String etag = header(NODE.send(NODE.request("GET", path), "GET", null), "etag");
            assertThat(etag).startsWith("\"");
            var again = NODE.send(NODE.request("GET", path).header("If-None-Match", etag), "GET", null);
            assertThat(again.status()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            var other = NODE.send(NODE.request("GET", path).header("If-None-Match", "\"older\""), "GET", null);
            assertThat(other.status()).isEqualTo(200);
        });
    }

    @Test
    void the_page_has_no_inline_script_style_or_handler_and_loads_nothing_from_elsewhere() {
        String page = NODE.get("/").body();
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
        assertThat(page).contains("src=\"/flow-control.js\"", "href=\"/flow-control.css\"");
    }

    @Test
    void the_script_writes_data_only_as_text_and_keeps_the_token_in_the_tab() {
        String script = NODE.get("/flow-control.js").body();
        assertThat(script)
                .contains("textContent", "sessionStorage", "/v1/keys?")
                .doesNotContain(
                        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "localStorage")
                .doesNotContain("document.cookie", "http://", "https://");
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
