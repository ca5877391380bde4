package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the details of keys beside their state: filters, holders, turns, starts, and the changes in force. */
@Tag("R3.6")
class KeyDetailsApiTest {
    private static final TestNode NODE = new TestNode();

    @BeforeAll
    static void fillKeys() {
        NODE.apply(
                "keyed",
                "{'workflow':'keyed','steps':[{'id':'a','uses':'keyed.m','flow_control':{'key':'${{ input.key }}',"
                        + "'parallelism':1}}]}");
        NODE.apply(
                "rated",
                "{'workflow':'rated','steps':[{'id':'a','uses':'rated.m','flow_control':{'key':'rated',"
                        + "'rate':2,'period':'1h'}}]}");
        for (String key : new String[] {"full", "full", "busy", "stopped"}) {
            NODE.post("/v1/runs", "{'workflow':'keyed','input':{'key':'" + key + "'}}");
        }
        for (int i = 0; i < 5; i++) {
            NODE.start("rated", "rated-" + i);
        }
        NODE.post("/v1/keys/pin", "{'key':'busy','parallelism':4,'reason':'a larger machine'}");
        NODE.post("/v1/keys/pause", "{'key':'stopped','for':'1h','reason':'driver update'}");
        String claims = "{'modules':['keyed.m','rated.m'],'limit':20,'wait':'0s','lease':'1h','worker':'ann'}";
        assertThat(NODE.post("/v1/claims", claims).json().at("/claims").size()).isEqualTo(4);
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void keys_are_selected_by_their_state() {
        assertThat(keys("full")).isEqualTo("[full, rated]");
        assertThat(keys("waiting")).isEqualTo("[full, rated, stopped]");
        assertThat(keys("paused")).isEqualTo("[stopped]");
        assertThat(keys("pinned")).isEqualTo("[busy]");
        assertThat(NODE.get("/v1/keys?state=full").at("/totals/keys")).isEqualTo("2");
        assertThat(NODE.get("/v1/keys?state=odd").at("/errors/0/pointer")).isEqualTo("?state");
    }

    private static String keys(String state) {
        return NODE.get("/v1/keys?state=" + state)
                .json()
                .findValuesAsString("key")
                .toString();
    }

    @Test
    @Tag("R3.7")
    void a_key_names_the_operator_who_paused_or_pinned_it_and_the_reason() {
        var listed = NODE.get("/v1/keys?state=paused&details=true");
        assertThat(listed.at("/keys/0/paused_until")).isNotEmpty();
        assertThat(listed.at("/keys/0/details/paused_by/reason")).isEqualTo("driver update");
        assertThat(listed.at("/keys/0/details/paused_by/by")).isNotEmpty();
        var pinned = NODE.get("/v1/keys?key=busy&details=true");
        assertThat(pinned.at("/details/pinned_by/reason")).isEqualTo("a larger machine");
        assertThat(pinned.json().at("/details").has("paused_by")).isFalse();
        assertThat(NODE.get("/v1/keys?key=busy").json().has("details")).isFalse();
    }

    @Test
    void a_rate_lists_its_starts_and_predicts_the_turn_of_each_waiter() {
        var rated = NODE.get("/v1/keys?key=rated&details=true");
        assertThat(rated.json()
                        .at("/details/starts")
                        .valueStream()
                        .mapToInt(start -> start.get("cost").intValue())
                        .sum())
                .isEqualTo(2);
        var waitlist = NODE.get("/v1/keys/waitlist?key=rated");
        assertThat(waitlist.at("/waiting")).isEqualTo("3");
        assertThat(waitlist.at("/waitlist/0/estimate")).isEqualTo("false");
        assertThat(waitlist.at("/waitlist/0/expected_at")).isLessThan(waitlist.at("/waitlist/2/expected_at"));
        assertThat(NODE.get("/v1/keys/waitlist?key=stopped").at("/waitlist/0/expected_at"))
                .as("the end of the pause")
                .isEqualTo(NODE.get("/v1/keys?key=stopped").at("/paused_until"));
    }

    @Test
    void a_holder_shows_its_worker_and_the_end_of_its_lease() {
        var holders = NODE.get("/v1/keys/holders?key=full&limit=1");
        assertThat(holders.at("/holders/0/worker")).isEqualTo("ann");
        assertThat(holders.at("/holders/0/lease_until")).isGreaterThan(holders.at("/holders/0/since"));
        assertThat(NODE.get("/v1/keys/holders?key=full&limit=0").at("/errors/0/pointer"))
                .isEqualTo("?limit");
    }
}
