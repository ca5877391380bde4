package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
        var emitted = awaitDelivered("weir.ship:paid:e1.tell.1");
        assertThat(emitted.at("/correlation_id")).isEqualTo("order-7");
        assertThat(emitted.at("/emitted_by/run")).isEqualTo("ship:paid:e1");
        assertThat(emitted.json().get("outcomes")).isEmpty();
        assertThat(NODE.get("/v1/events?outcome=no_trigger").body()).contains("weir.ship:paid:e1.tell.1");
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
