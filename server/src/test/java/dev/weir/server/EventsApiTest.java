package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R4.5")
@Tag("R4.6")
class EventsApiTest {
    private static final TestNode NODE = new TestNode();

    @BeforeAll
    static void apply() {
        NODE.apply(
                "ship",
                "{'workflow':'ship','triggers':[{'id':'paid','event':'order.paid','if':'${{ event.data.n > 0 }}'},"
                        + "{'id':'burst','event':'order.changed','debounce':{'key':'${{ event.data.order }}','period':'300ms'}},"
                        + "{'id':'nightly','schedule':'30 2 * * *','timezone':'Europe/Berlin'}],"
                        + "'steps':[{'id':'tell','emit':{'event':'order.shipped','data':{'n':'${{ input.n }}'}}}]}");
        NODE.apply(
                "loop",
                "{'workflow':'loop','limits':{'max_cascade_depth':2},'triggers':[{'id':'t','event':'loop'}],"
                        + "'steps':[{'id':'again','emit':{'event':'loop'}}]}");
    }

    @AfterAll
    static void close() {
        NODE.close();
    }

    /** Returns the first text in a response that has the form of an id. */
    private static String awaitId(String path, String form) {
        var found = Pattern.compile(form).matcher("");
        await().until(() -> found.reset(NODE.get(path).body()).find());
        return found.group();
    }

    private static TestNode.TestResponse awaitDelivered(String event) {
        await().until(() -> NODE.get("/v1/events/" + event).at("/delivered").equals("true"));
        return NODE.get("/v1/events/" + event);
    }

    @Test
    void an_event_starts_a_run_and_is_kept_with_its_outcome() {
        var sent =
                NODE.post("/v1/events", "{'id':'e1','event':'order.paid','data':{'n':7},'correlation_id':'order-7'}");
        assertThat(sent.status()).isEqualTo(201);
        assertThat(sent.headers().get("location")).containsExactly("/v1/events/e1");
        var event = awaitDelivered("e1");
        assertThat(event.at("/outcomes/0/outcome")).isEqualTo("started");
        assertThat(event.at("/outcomes/0/run")).isEqualTo("ship:paid:e1");
        var run = NODE.get("/v1/runs/ship:paid:e1");
        assertThat(run.json().get("input").toString()).isEqualTo("{\"n\":7}");
        assertThat(run.at("/correlation_id")).isEqualTo("order-7");
        assertThat(run.at("/origin/chain/0/kind")).isEqualTo("event");
        assertThat(run.at("/origin/chain/0/id")).isEqualTo("e1");
        var emitted = awaitDelivered(awaitId("/v1/events?outcome=no_trigger", "weir\\.ship:paid:e1\\.\\d+\\.tell\\.1"));
        assertThat(emitted.at("/correlation_id")).isEqualTo("order-7");
        assertThat(emitted.at("/emitted_by/run")).isEqualTo("ship:paid:e1");
        assertThat(emitted.json().get("outcomes")).isEmpty();
        assertThat(NODE.get("/v1/runs?correlation_id=order-7").body()).contains("ship:paid:e1");
        assertThat(NODE.get("/v1/runs?correlation_id=order-8").json().get("runs"))
                .isEmpty();
    }

    @Test
    void a_condition_filters() {
        NODE.post("/v1/events", "{'id':'e2','event':'order.paid','data':{'n':0}}");
        assertThat(awaitDelivered("e2").at("/outcomes/0/outcome")).isEqualTo("filtered");
        assertThat(NODE.get("/v1/events?event=order.paid&outcome=filtered&workflow=ship")
                        .body())
                .contains("\"id\":\"e2\"")
                .doesNotContain("\"id\":\"e1\"");
    }

    @Test
    void the_same_id_is_one_event_and_another_body_is_refused() {
        String body = "{'id':'same','event':'nothing','data':{'n':%d}}";
        assertThat(NODE.post("/v1/events", body.formatted(1)).status()).isEqualTo(201);
        var again = NODE.post("/v1/events", body.formatted(1));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.at("/created")).isEqualTo("false");
        assertThat(NODE.post("/v1/events", body.formatted(2)).status()).isEqualTo(409);
        assertThat(withHeaders("{\"event\":\"nothing\"}", "Idempotency-Key", "k1")
                        .status())
                .isEqualTo(201);
        assertThat(withHeaders("{\"event\":\"nothing\"}", "Idempotency-Key", "k1")
                        .status())
                .isEqualTo(200);
        assertThat(withHeaders("{\"event\":\"other\"}", "Idempotency-Key", "k1").status())
                .isEqualTo(422);
    }

    private static TestNode.TestResponse withHeaders(String body, String... headers) {
        var request = NODE.request("POST", "/v1/events").header("Authorization", "Bearer acme-token");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        boolean typed = String.join(",", headers).contains("Content-Type");
        return NODE.send(typed ? request : request.header("Content-Type", "application/json"), "POST", body);
    }

    @Test
    void a_cloud_event_is_accepted_in_both_modes() {
        String structured = "{\"specversion\":\"1.0\",\"id\":\"ce-1\",\"type\":\"order.paid\",\"source\":\"/shop\","
                + "\"traceparent\":\"x\",\"data\":{\"n\":3}}";
        assertThat(withHeaders(structured, "Content-Type", "application/cloudevents+json")
                        .status())
                .isEqualTo(201);
        assertThat(awaitDelivered("ce-1").at("/source")).isEqualTo("/shop");
        var binary = withHeaders(
                "{\"n\":4}", "ce-id", "ce-2", "ce-type", "order.paid", "ce-source", "/shop", "ce-specversion", "1.0");
        assertThat(binary.status()).isEqualTo(201);
        assertThat(awaitDelivered("ce-2").at("/outcomes/0/run")).isEqualTo("ship:paid:ce-2");
    }

    @Test
    void the_data_of_a_cloud_event_can_be_binary_and_its_extensions_are_accepted() {
        String type = "application/cloudevents+json";
        String event = "{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":\"blob\",\"source\":\"s\",%s}";
        String[][] cases = {
            {"ce-json", "\"data_base64\":\"eyJuIjo3fQ==\",\"partitionkey\":7", "{\"n\":7}"},
            {"ce-text", "\"datacontenttype\":\"text/plain; charset=utf-8\",\"data_base64\":\"aMOp\"", "\"h\u00e9\""},
            {"ce-bytes", "\"datacontenttype\":\"image/png\",\"data_base64\":\"AP8=\"", "\"AP8=\""},
            {"ce-xml", "\"datacontenttype\":\"text/xml\",\"data\":\"<a/>\",\"correlationid\":\"c-9\"", "\"<a/>\""}
        };
        for (String[] each : cases) {
            var sent = withHeaders(event.formatted(each[0], each[1]), "Content-Type", type);
            assertThat(sent.status()).as(sent.body()).isEqualTo(201);
            assertThat(awaitDelivered(each[0]).json().get("data").toString()).isEqualTo(each[2]);
        }
        assertThat(NODE.get("/v1/events/ce-xml").at("/correlation_id")).isEqualTo("c-9");
        String[][] wrong = {
            {"\"data_base64\":\"?\"", "/data_base64"},
            {"\"data_base64\":7", "/data_base64"},
            {"\"data_base64\":\"AA==\",\"data\":1", "/data_base64"},
            {"\"data_base64\":\"eyJu\"", "JSON"},
            {"\"Subject\":\"x\"", "/Subject"},
            {"\"extension\":{}", "/extension"}
        };
        for (String[] each : wrong) {
            var refused = withHeaders(event.formatted("ce-wrong", each[0]), "Content-Type", type);
            assertThat(refused.status()).as(each[0]).isEqualTo(400);
            assertThat(refused.body()).contains(each[1]);
        }
    }

    @Test
    void a_cloud_event_in_binary_mode_has_text_data_and_encoded_headers_and_a_batch_is_refused() {
        String[] headers = {
            "Content-Type",
            "text/plain",
            "ce-specversion",
            "1.0",
            "ce-id",
            "ce-3",
            "ce-type",
            "blob",
            "ce-source",
            "/caf%C3%A9"
        };
        assertThat(withHeaders("hello", headers).status()).isEqualTo(201);
        var event = awaitDelivered("ce-3");
        assertThat(event.at("/data")).isEqualTo("hello");
        assertThat(event.at("/source")).isEqualTo("/caf\u00e9");
        assertThat(withHeaders("{}", "ce-specversion", "2.0", "ce-type", "blob").body())
                .contains("specversion");
        var batch = withHeaders("[]", "Content-Type", "application/cloudevents-batch+json");
        assertThat(batch.status()).isEqualTo(415);
        assertThat(batch.body()).contains("/v1/events/batch");
    }

    @Test
    void a_burst_of_events_starts_one_run_with_the_last_one() {
        StringBuilder events = new StringBuilder();
        for (int i = 1; i <= 20; i++) {
            events.append(i > 1 ? "," : "")
                    .append("{'id':'b%d','event':'order.changed','data':{'order':'A','n':%d}}".formatted(i, i));
        }
        var sent = NODE.post("/v1/events/batch", "{'events':[" + events + "]}");
        assertThat(sent.at("/results/19/outcome")).isEqualTo("created");
        await().until(() -> NODE.get("/v1/events/b20").at("/outcomes/0/outcome").equals("started"));
        assertThat(NODE.get("/v1/events/b20").at("/outcomes/0/run")).isEqualTo("ship:burst:b20");
        var merged = NODE.get("/v1/events/b7");
        assertThat(merged.at("/outcomes/0/outcome")).isEqualTo("merged");
        assertThat(merged.at("/outcomes/0/run")).isEqualTo("ship:burst:b20");
        assertThat(merged.at("/outcomes/0/debounce/events")).isEqualTo("20");
        assertThat(NODE.get("/v1/runs/ship:burst:b20").json().get("input").toString())
                .isEqualTo("{\"n\":20,\"order\":\"A\"}");
    }

    @Test
    void a_workflow_that_emits_its_own_trigger_ends_as_a_cascade() {
        NODE.post("/v1/events", "{'id':'l1','event':'loop'}");
        await().until(() -> !NODE.get("/v1/events?event=loop&outcome=cascade")
                .json()
                .get("events")
                .isEmpty());
        var cascade = NODE.get("/v1/events?event=loop&outcome=cascade").json().at("/events/0");
        assertThat(cascade.at("/outcomes/0/reason").stringValue()).contains("at most 2");
        assertThat(cascade.at("/chain").size()).isEqualTo(4);
        assertThat(cascade.at("/correlation_id").stringValue()).isEqualTo("l1");
    }

    @Test
    void schedules_show_their_next_times() {
        var schedule = NODE.get("/v1/schedules").json().at("/schedules/0");
        assertThat(schedule.at("/trigger").stringValue()).isEqualTo("nightly");
        assertThat(schedule.at("/timezone").stringValue()).isEqualTo("Europe/Berlin");
        assertThat(schedule.at("/missed").stringValue()).isEqualTo("once");
        assertThat(schedule.at("/next").size()).isEqualTo(3);
        assertThat(schedule.at("/next/0").stringValue()).endsWith(":30:00Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                   | /event",
                "{'event':'a b'}                      | /event",
                "{'event':'e','id':'weir.x'}          | /id",
                "{'event':'e','specversion':'0.3'}    | /specversion",
                "{'event':'e','dat':{}}               | /dat",
            })
    void an_invalid_event_is_refused_with_its_position(String body, String pointer) {
        var refused = NODE.post("/v1/events", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains(pointer);
    }

    @Test
    void an_unknown_event_and_outcome_are_problems() {
        assertThat(NODE.get("/v1/events/none").status()).isEqualTo(404);
        assertThat(NODE.get("/v1/events?outcome=lost").at("/detail")).contains("no_trigger");
    }
}
