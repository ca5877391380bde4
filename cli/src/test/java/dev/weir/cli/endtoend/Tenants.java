package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Organisations that are all in the middle of something. */
@SuppressWarnings("NullAway.Init") // set before the first test
final class Tenants {
    private final TestOrganisation administrator;

    TestOrganisation limited;
    TestOrganisation evaluated;
    TestOrganisation deferred;
    TestOrganisation counted;
    TestOrganisation cascading;
    TestOrganisation noticed;
    TestOrganisation audited;
    TestOrganisation isolated;
    TestOrganisation measured;
    TestOrganisation quoted;
    TestOrganisation throttled;
    TestOrganisation failing;

    List<JsonNode> claims;
    JsonNode reader;
    JsonNode cascade;

    Tenants(TestOrganisation administrator) {
        this.administrator = administrator;
    }

    /** Creates the organisations, and begins what the tests continue with. */
    void fill() throws Exception {
        fillLimits();
        fillCounts();
        fillEvents();
    }

    private void fillLimits() throws Exception {
        limited = administrator.create("limited");
        limited.define(
                "keyed", "'run_key': '${{ input.c }}', 'max_concurrent_runs': 2, 'max_concurrent_runs_per_key': 1");
        limited.define("plain", "");
        limited.limit("/v1/org", "{'max_concurrent_runs': 3}");
        for (String run : List.of("a1", "a2", "b1", "c1")) {
            limited.post(
                    "/v1/runs", "{'workflow': 'keyed', 'id': '" + run + "', 'input': {'c': '" + run.charAt(0) + "'}}");
        }
        limited.start("plain", "p1");
        limited.start("plain", "p2");

        evaluated = administrator.create("evaluated");
        evaluated.define("one", "");
        evaluated.limit("/v1/org", "{'max_concurrent_runs': 2}");
        evaluated.start("one", "r1");

        throttled = administrator.create("throttled");
        throttled.define("busy", "'max_concurrent_runs': 1");
        throttled.define("free", "");
        throttled.limit("/v1/org", "{'max_concurrent_runs': 4}");
        for (int i = 0; i < 150; i++) {
            throttled.start("busy", "busy-" + i);
        }
    }

    private void fillCounts() throws Exception {
        deferred = administrator.create("deferred");
        deferred.define("one", "");
        deferred.limit("/v1/org", "{'max_concurrent_runs': 1}");
        startAll(deferred, 4);

        counted = administrator.create("counted");
        counted.define("one", "");
        counted.limit("/v1/org", "{'max_concurrent_runs': 4}");
        startAll(counted, 6);
        claims = counted.claim(4, "one");

        measured = administrator.create("measured");
        measured.define("one", "'max_concurrent_runs': 2");
        reader = administrator.post("/v1/organisations/measured/reader", "{}");
        startAll(measured, 5);

        quoted = administrator.create("quoted");
        quoted.define("one", "");
        administrator.put("/v1/organisations/quoted/quota", "{'limit': 5, 'time_zone': 'Asia/Tokyo'}");
        startAll(quoted, 2);
    }

    private void fillEvents() throws Exception {
        noticed = administrator.create("noticed");
        noticed.define("one", "'max_concurrent_runs': 20");
        noticed.limit("/v1/org", "{'max_concurrent_runs': 10}");
        startAll(noticed, 8);
        assertThat(notices()).containsExactly("org_runs warning");
        noticed.start("one", "r9");
        noticed.start("one", "r10");

        audited = administrator.create("audited");
        audited.limit("/v1/org", "{'max_concurrent_runs': 2, 'reason': 'small database'}");
        audited.limit("/v1/org", "{'max_concurrent_runs': 3, 'runs_per_minute': 60, 'reason': 'a larger one'}");

        isolated = administrator.create("isolated");

        cascading = administrator.create("cascading");
        cascading.limit("/v1/org", "{'max_cascade_depth': 3}");
        cascading.put(
                "/v1/workflows/echo",
                "{'workflow': 'echo', 'triggers': [{'id': 't', 'event': 'said'}], 'steps':"
                        + " [{'id': 'a', 'uses': 'echo.m'}, {'id': 'b', 'needs': ['a'], 'emit': {'event': 'said'}}]}");
        cascading.post("/v1/events", "{'id': 'e1', 'event': 'said'}");
        cascade = cascading.claim(1, "echo").getFirst();

        failing = administrator.create("failing");
        failing.define("charge", "");
        failing.start("charge", "redriven");
        failing.start("charge", "discarded");
        for (JsonNode claim : failing.claim(2, "charge")) {
            failing.report(claim, "failed");
        }
    }

    static void startAll(TestOrganisation organisation, int runs) throws Exception {
        for (int i = 1; i <= runs; i++) {
            organisation.start("one", "r" + i);
        }
    }

    List<String> notices() throws Exception {
        return noticed.get("/v1/notices")
                .get("notices")
                .valueStream()
                .map(one -> one.get("subject").stringValue()
                        + ' '
                        + one.get("severity").stringValue())
                .toList();
    }
}
