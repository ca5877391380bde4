package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.7")
class NoticeApiTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    private static int count(String query) {
        return NODE.get("/v1/notices?limit=200&" + query).json().at("/notices").size();
    }

    @Test
    void a_limit_that_is_used_up_has_a_warning_and_a_critical_notice_with_identifiers_and_numbers_only() {
        NODE.apply(
                "narrow",
                "{'workflow':'narrow','steps':[{'id':'a','uses':'narrow.m','with':{'card':'4111-1111'},"
                        + "'flow_control':{'key':'bank','parallelism':5}}]}");
        for (int i = 0; i < 6; i++) {
            NODE.start("narrow", "n" + i);
        }
        NODE.post("/v1/claims", "{'modules':['narrow.m'],'limit':4}");
        assertThat(count("subject=key:bank")).isEqualTo(1);
        NODE.post("/v1/claims", "{'modules':['narrow.m'],'limit':4}");
        var found = NODE.get("/v1/notices?subject=key:bank");
        assertThat(found.json().at("/notices").size()).isEqualTo(2);
        assertThat(found.at("/notices/0/severity")).isEqualTo("critical");
        assertThat(found.at("/notices/0/kind")).isEqualTo("capacity");
        assertThat(found.at("/notices/0/used")).isEqualTo("5");
        assertThat(found.at("/notices/0/max")).isEqualTo("5");
        assertThat(found.at("/notices/0/state")).isEqualTo("open");
        assertThat(found.at("/notices/1/severity")).isEqualTo("warning");
        assertThat(found.body()).doesNotContain("4111", "n0");
        assertThat(count("subject=key:bank&state=closed")).isZero();
        assertThat(count("severity=critical&kind=capacity&subject=key:bank")).isEqualTo(1);
        var first = NODE.get("/v1/notices?limit=1&subject=key:bank");
        assertThat(NODE.get("/v1/notices?limit=1&subject=key:bank&cursor=" + first.at("/next"))
                        .at("/notices/0/severity"))
                .isEqualTo("warning");
    }

    @Test
    void bad_filters_are_refused_with_their_position() {
        assertThat(NODE.get("/v1/notices?state=ajar").body()).contains("?state", "open, closed");
        assertThat(NODE.get("/v1/notices?kind=gossip").body()).contains("?kind", "over_capacity");
        assertThat(NODE.get("/v1/notices?severity=mild").status()).isEqualTo(400);
        assertThat(NODE.get("/v1/notices?cursor=x").status()).isEqualTo(400);
    }
}
