package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.4")
class ModulesApiTest {
    private static final TestNode NODE = new TestNode();
    private static final Path PAGE = Path.of("..", "docs", "SCALING.md");
    private static final Duration HANG_GUARD = Duration.ofSeconds(60);
    private static final String HOSTILE_KEY = "\\\"} 1\\n<img src=x onerror=alert(1)>";

    @BeforeAll
    static void apply() {
        NODE.apply(
                "labels",
                "{'workflow':'labels','steps':[{'id':'a','uses':'shipping.label','with_items':[1,2,3,4,5],"
                        + "'flow_control':{'key':'printer','parallelism':2,'rate':100,'period':'1m'}}]}");
        NODE.apply(
                "hostile",
                "{'workflow':'hostile','steps':[{'id':'a','uses':'hostile.m','flow_control':{'key':'${{ input.key }}',"
                        + "'parallelism':1}}]}");
        NODE.apply("plain", "{'workflow':'plain','steps':[{'id':'a','uses':'plain.m'}]}");
        NODE.start("labels", "l1");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void a_module_is_ready_as_far_as_its_key_has_room_and_the_rest_is_held() {
        var module = NODE.get("/v1/modules?module=shipping.label");
        assertThat(module.at("/waiting")).isEqualTo("5");
        assertThat(module.at("/ready")).isEqualTo("2");
        assertThat(module.at("/held/key_capacity")).isEqualTo("3");
        assertThat(module.at("/demand")).isEqualTo("2");
        assertThat(module.at("/oldest_ready_since")).isNotEmpty();
        assertThat(NODE.get("/v1/modules").json().findValuesAsString("module")).contains("shipping.label", "weir.runs");
    }

    @Test
    void a_module_that_nobody_uses_is_answered_with_zeros_and_an_unknown_parameter_is_refused() {
        var module = NODE.get("/v1/modules?module=nobody");
        assertThat(module.status()).isEqualTo(200);
        assertThat(module.at("/demand")).isEqualTo("0");
        assertThat(NODE.get("/v1/modules?modul=x").at("/detail")).contains("modul");
        assertThat(NODE.get("/v1/modules?cursor=***").status()).isEqualTo(400);
        assertThat(NODE.get("/v1/workers?limit=201").status()).isEqualTo(400);
    }

    @Test
    void lists_have_pages_in_the_order_of_names() {
        var first = NODE.get("/v1/modules?limit=1");
        assertThat(first.json().at("/modules").size()).isEqualTo(1);
        var second = NODE.get("/v1/modules?limit=1&cursor=" + first.at("/next"));
        assertThat(second.at("/modules/0/module")).isGreaterThan(first.at("/modules/0/module"));
        assertThat(NODE.get("/v1/modules?prefix=shipping.").json().findValuesAsString("module"))
                .containsExactly("shipping.label");
    }

    @Test
    void a_worker_is_listed_while_it_polls_and_while_it_works() {
        var poll = CompletableFuture.supplyAsync(() -> NODE.post(
                "/v1/claims",
                "{'modules':[{'id':'plain.m','concurrency':{'slots':2}}],'worker':'w-1','limit':7,'wait':'20s'}"));
        await().atMost(HANG_GUARD)
                .until(() -> NODE.get("/v1/workers?prefix=w-1").at("/workers/0/free_places"), "7"::equals);
        var polled = NODE.get("/v1/modules?module=plain.m");
        assertThat(polled.at("/polling_workers")).isEqualTo("1");
        assertThat(polled.at("/free_places")).isEqualTo("7");
        assertThat(polled.at("/defaults/slots")).isEqualTo("2");
        NODE.start("plain", "p1");
        assertThat(poll.orTimeout(60, java.util.concurrent.TimeUnit.SECONDS)
                        .join()
                        .json()
                        .at("/claims")
                        .size())
                .isEqualTo(1);
        var worker = NODE.get("/v1/workers?prefix=w-1");
        assertThat(worker.at("/workers/0/running")).isEqualTo("1");
        assertThat(worker.at("/workers/0/polling")).isEqualTo("false");
        assertThat(worker.at("/workers/0/modules/0")).isEqualTo("plain.m");
        assertThat(NODE.get("/v1/modules?module=plain.m").at("/running")).isEqualTo("1");
        NODE.post(
                "/v1/updates",
                "{'updates':[{'run':'p1','step':'a','fence':" + NODE.fence("p1") + ",'result':'completed'}]}");
        assertThat(NODE.get("/v1/workers?prefix=w-1").at("/workers/0/running")).isEqualTo("0");
    }

    @Test
    @Tag("S9")
    void another_organisation_sees_nothing_of_it() {
        for (String path : new String[] {"/v1/modules", "/v1/workers", "/v1/metrics"}) {
            var other = NODE.send("GET", path, null, "other-token");
            assertThat(other.status()).isEqualTo(200);
            assertThat(other.body()).doesNotContain("shipping", "printer", "w-1");
        }
        assertThat(NODE.get("/metrics").body()).doesNotContain("shipping", "printer", "acme");
    }

    @Test
    void metrics_show_modules_kinds_of_limits_and_keys() {
        assertThat(NODE.get("/v1/metrics").body())
                .contains("weir_module_ready{module=\"shipping.label\"} 2\n")
                .contains("weir_module_demand{module=\"shipping.label\"} 2\n")
                .contains("weir_module_held{module=\"shipping.label\",limit=\"key_capacity\"} 3\n")
                .contains("weir_limit_held{limit=\"key_capacity\"} ")
                .contains("weir_key_max{key=\"printer\"} 2\n")
                .contains("weir_key_rate_max{key=\"printer\"} 100\n");
    }

    @Test
    void the_node_shows_sums_by_kind_of_limit_without_names() {
        NODE.post("/v1/keys/pause", "{'key':'stopped'}");
        NODE.post("/v1/runs", "{'workflow':'hostile','id':'s1','input':{'key':'stopped'}}");
        await().atMost(HANG_GUARD)
                .until(() -> NODE.get("/metrics")
                        .body()
                        .lines()
                        .anyMatch(line -> line.matches("weir_node_held\\{limit=\"paused\"} [1-9].*")));
    }

    @Test
    void a_key_with_quotes_and_line_breaks_stays_inside_its_label() {
        for (int i = 0; i < 3; i++) {
            NODE.post("/v1/runs", "{'workflow':'hostile','id':'h" + i + "','input':{'key':'" + HOSTILE_KEY + "'}}");
        }
        String line = NODE.get("/v1/metrics")
                .body()
                .lines()
                .filter(each -> each.startsWith("weir_key_max") && each.contains("onerror"))
                .findFirst()
                .orElseThrow();
        assertThat(line).isEqualTo("weir_key_max{key=\"\\\"} 1\\n<img src=x onerror=alert(1)>\"} 1");
    }

    @Test
    void at_most_fifty_keys_have_series_however_many_are_in_use() {
        for (int i = 0; i < 60; i++) {
            NODE.post("/v1/runs", "{'workflow':'hostile','id':'many-" + i + "','input':{'key':'many-" + i + "'}}");
        }
        assertThat(NODE.get("/v1/metrics").body().lines().filter(line -> line.startsWith("weir_key_max")))
                .hasSize(50);
    }

    @Test
    void the_page_about_scaling_names_metrics_and_fields_that_exist() throws IOException {
        String page = Files.readString(PAGE);
        String metrics = NODE.get("/v1/metrics").body() + NODE.get("/metrics").body();
        Set<String> named = new TreeSet<>();
        Pattern.compile("weir_(?:module|key|limit|node)_\\w+")
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .forEach(named::add);
        assertThat(named)
                .hasSizeGreaterThan(12)
                .allSatisfy(name -> assertThat(metrics).contains("# TYPE " + name + " gauge"));
        assertThat(page).contains("query: sum(weir_module_demand{", "/v1/modules?module=");
        Pattern.compile("valueLocation: \"(\\w+)\"")
                .matcher(page)
                .results()
                .forEach(field -> assertThat(NODE.get("/v1/modules?module=shipping.label")
                                .json()
                                .get(field.group(1))
                                .isNumber())
                        .isTrue());
        Pattern.compile("^# TYPE (weir_(?:module|key|limit)_\\w+)", Pattern.MULTILINE)
                .matcher(metrics)
                .results()
                .forEach(metric -> assertThat(page).contains(metric.group(1)));
    }
}
