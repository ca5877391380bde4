package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LogsApiTest {
    private static final TestNode NODE = new TestNode();
    private static final String UNIT = "'run':'r','step':'a','fence':";

    @BeforeAll
    static void start() {
        NODE.apply("w", "{'workflow':'w','steps':[{'id':'a','uses':'m'}]}");
        NODE.start("w", "r");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void the_log_of_a_worker_can_be_read_in_parts() {
        String fence = NODE.post("/v1/claims", "{'modules':['m'],'wait':'5s'}").at("/claims/0/fence");
        assertThat(appendLog(fence, 0, "hello\\n").at("/results/0/outcome")).isEqualTo("kept");
        assertThat(appendLog(fence, 0, "hello\\n").at("/results/0/outcome")).isEqualTo("replayed");
        var read = NODE.get("/v1/runs/r/steps/a/logs");
        assertThat(read.at("/text")).isEqualTo("hello\n");
        assertThat(read.at("/attempt")).isEqualTo("1");
        assertThat(read.at("/state")).isEqualTo("running");
        appendLog(fence, 6, "again");
        assertThat(NODE.get("/v1/runs/r/steps/a/logs?after=" + read.at("/next")).at("/text"))
                .isEqualTo("again");
        assertThat(NODE.post("/v1/updates", "{'updates':[{" + UNIT + fence + ",'result':'completed'}]}")
                        .at("/results/0/outcome"))
                .isEqualTo("applied");
        assertThat(appendLog(fence, 11, "late").at("/results/0/outcome")).isEqualTo("claim_lost");
        var after = NODE.get("/v1/runs/r/steps/a/logs?attempt=1");
        assertThat(after.at("/text")).isEqualTo("hello\nagain");
        assertThat(after.at("/state")).isEqualTo("completed");
    }

    @Test
    @Tag("R3.10")
    void the_logs_of_a_key_are_listed_newest_run_first_in_pages() {
        NODE.apply(
                "keyed",
                "{'workflow':'keyed','steps':[{'id':'a','uses':'keyed','flow_control':{'key':'billing','parallelism':9}},"
                        + "{'id':'free','uses':'free'}]}");
        for (String run : new String[] {"k1", "k2"}) {
            NODE.start("keyed", run);
            logOnce(run, "a");
            logOnce(run, "free");
        }
        var first = NODE.get("/v1/logs?key=billing&limit=1");
        assertThat(first.json().at("/logs").size()).isEqualTo(1);
        assertThat(first.at("/logs/0/run")).isEqualTo("k2");
        assertThat(first.at("/logs/0/step")).isEqualTo("a");
        assertThat(first.at("/logs/0/text")).isEqualTo("log of k2/a");
        var second = NODE.get("/v1/logs?key=billing&cursor=" + first.at("/next"));
        assertThat(second.json().at("/logs").size()).isEqualTo(1);
        assertThat(second.at("/logs/0/run")).isEqualTo("k1");
        assertThat(second.json().has("next")).isFalse();
        assertThat(NODE.get("/v1/logs").at("/detail")).contains("?key: expected a key");
        assertThat(NODE.get("/v1/logs?key=billing&cursor=x").at("/detail")).contains("?cursor");
    }

    private static void logOnce(String run, String step) {
        var claim = NODE.post("/v1/claims", "{'run':'" + run + "','steps':['" + step + "'],'wait':'5s'}");
        String piece = "'run':'" + run + "','step':'" + step + "','fence':" + claim.at("/claims/0/fence")
                + ",'from':0,'text':'log of " + run + "/" + step + "'";
        assertThat(NODE.post("/v1/logs", "{'logs':[{" + piece + "}]}").at("/results/0/outcome"))
                .isEqualTo("kept");
    }

    @Test
    void a_log_offset_counted_in_characters_instead_of_bytes_is_answered_as_replayed() {
        NODE.start("w", "counted");
        String fence = NODE.post("/v1/claims", "{'run':'counted','wait':'5s'}").at("/claims/0/fence");
        assertThat(counted(fence, 0)).isEqualTo("kept");
        assertThat(counted(fence, 1)).isEqualTo("replayed");
        assertThat(counted(fence, 2)).isEqualTo("kept");
    }

    private static String counted(String fence, int from) {
        String piece = "'run':'counted','step':'a','fence':" + fence + ",'from':" + from + ",'text':'é'";
        return NODE.post("/v1/logs", "{'logs':[{" + piece + "}]}").at("/results/0/outcome");
    }

    @Test
    @Tag("RX.5")
    void invalid_log_requests_are_refused_with_a_reason() {
        assertThat(refused("{'logs':[{" + UNIT + "1,'from':0,'text':'a\\u0000'}]}"))
                .contains("U+0000");
        assertThat(refused("{'logs':[{" + UNIT + "1,'from':-1,'text':'a'}]}")).contains("of at least 0", "-1");
        assertThat(refused("{'logs':[{" + UNIT + "1,'from':0,'text':''}]}")).contains("1 to 65536 bytes");
        assertThat(refused("{'logs':[{" + UNIT + "1,'from':0,'text':'" + "€".repeat(22_000) + "'}]}"))
                .contains("found 66000 bytes");
        assertThat(refused("{'logs':[{" + UNIT + "1,'from':0,'item':-1,'text':'a'}]}"))
                .contains("an index of at least 0");
        assertThat(refused("{'logs':[]}")).contains("from 1 to 500");
        assertThat(NODE.get("/v1/runs/r/steps/a/logs?after=x").at("/detail"))
                .contains("the value of next of an earlier response");
        assertThat(NODE.get("/v1/runs/r/steps/a/logs?attempt=0").status()).isEqualTo(400);
        assertThat(NODE.get("/v1/runs/r/steps/b/logs").status()).isEqualTo(404);
        assertThat(NODE.get("/v1/runs/r/steps/a/logs?item=3").status()).isEqualTo(404);
    }

    @Test
    @Tag("S9")
    void another_organisation_can_neither_read_nor_write_a_log() {
        assertThat(NODE.send("GET", "/v1/runs/r/steps/a/logs", null, "other-token")
                        .status())
                .isEqualTo(404);
        String body = "{'logs':[{" + UNIT + "1,'from':0,'text':'a'}]}";
        assertThat(NODE.send("POST", "/v1/logs", body.replace('\'', '"'), "other-token")
                        .at("/results/0/outcome"))
                .isEqualTo("claim_lost");
    }

    private static TestNode.TestResponse appendLog(String fence, int from, String text) {
        return NODE.post("/v1/logs", "{'logs':[{" + UNIT + fence + ",'from':" + from + ",'text':'" + text + "'}]}");
    }

    private static String refused(String body) {
        var got = NODE.post("/v1/logs", body);
        if (got.status() == 400) {
            return got.at("/detail");
        }
        assertThat(got.at("/results/0/outcome")).as(got.toString()).isEqualTo("refused");
        return got.at("/results/0/detail");
    }
}
