package dev.weir.cli.rig;

import dev.weir.cli.rig.Tenant.TenantRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * A request that changes something, and its preparation.
 *
 * @param route the route as the OpenAPI document names it
 * @param preparation prepares the organisation and returns the request
 */
record RepeatedRequest(String name, String route, Preparation preparation) {
    /** Prepares an organisation and returns the request to send. */
    @FunctionalInterface
    interface Preparation {
        TenantRequest prepare(Tenant tenant) throws Exception;
    }

    private static final String RUN = "/v1/runs/r";
    private static final String STEP = RUN + "/steps/a";
    private static final String PLAIN = "steps: [{id: a, uses: m}]";
    private static final String TRIGGERED = "triggers: [{id: t, event: e}]";
    private static final String AFTER = ", {id: b, needs: [a], uses: n}]";

    private static RepeatedRequest post(String name, String path, Preparation preparation) {
        return new RepeatedRequest(name, "POST " + path, preparation);
    }

    private static RepeatedRequest put(String name, String path, Preparation preparation) {
        return new RepeatedRequest(name, "PUT " + path, preparation);
    }

    /** Returns at least one request for every route that changes something. */
    static List<RepeatedRequest> all() {
        List<RepeatedRequest> all = new ArrayList<>(starts());
        all.addAll(runs());
        all.addAll(limits());
        all.addAll(people());
        all.addAll(signals());
        all.addAll(work());
        all.addAll(keys());
        all.addAll(tokens());
        return all;
    }

    /**
     * Returns requests without an id or key, which cannot be recognised as repeats. They prove that the test sees a
     * difference.
     */
    static List<RepeatedRequest> withoutId() {
        return List.of(
                post("a start without an id", "/v1/runs", tenant -> {
                    tenant.register(PLAIN);
                    return TenantRequest.post("/v1/runs", "{'workflow': 'w'}");
                }),
                post("a signal without a key", "/v1/runs/{run}/signals/{signal}", tenant -> {
                    tenant.start(PLAIN);
                    return TenantRequest.post(RUN + "/signals/go", "{'payload': 1}");
                }));
    }

    private static List<RepeatedRequest> starts() {
        return List.of(
                put(
                        "register",
                        "/v1/workflows/{workflow}",
                        tenant -> TenantRequest.put("/v1/workflows/w", "workflow: w\n" + PLAIN)),
                post("start by id", "/v1/runs", tenant -> {
                    tenant.register(PLAIN);
                    return TenantRequest.post("/v1/runs", "{'workflow': 'w', 'id': 'r', 'input': {'n': 1}}");
                }),
                post("start by key", "/v1/runs", tenant -> {
                    tenant.register(PLAIN);
                    return TenantRequest.post("/v1/runs", "{'workflow': 'w'}").withKey("order-1");
                }),
                post("start a run that ends at once", "/v1/runs", tenant -> {
                    tenant.register("steps: [{id: a, uses: m, if: '${{ false }}'}]");
                    return TenantRequest.post("/v1/runs", "{'workflow': 'w', 'id': 'r'}");
                }),
                post(
                        "trigger by id",
                        "/v1/trigger",
                        tenant -> TenantRequest.post(
                                "/v1/trigger",
                                "{'url': 'http://127.0.0.1:9/', 'id': 'r', 'delay': '1h',"
                                        + " 'flow_control': {'key': 'k', 'rate': 1}}")),
                post(
                        "trigger by key",
                        "/v1/trigger",
                        tenant -> TenantRequest.post("/v1/trigger", "{'url': 'http://127.0.0.1:9/', 'delay': '1h'}")
                                .withKey("call-1")),
                post("event by id", "/v1/events", tenant -> {
                    tenant.register(TRIGGERED);
                    return TenantRequest.post("/v1/events", "{'event': 'e', 'id': 'e1', 'data': {'n': 1}}");
                }),
                post("event by key", "/v1/events", tenant -> {
                    tenant.register(TRIGGERED);
                    return TenantRequest.post("/v1/events", "{'event': 'e'}").withKey("event-1");
                }),
                post("send many", "/v1/events/batch", tenant -> {
                    tenant.register(TRIGGERED);
                    return TenantRequest.post("/v1/events/batch", "{'events': [{'event': 'e', 'id': 'e1'}]}");
                }),
                post("start many", "/v1/runs/batch", tenant -> {
                    tenant.register(PLAIN);
                    return TenantRequest.post("/v1/runs/batch", "{'runs': [{'workflow': 'w', 'id': 'r'}]}");
                }),
                post("retry", "/v1/runs/{run}/retry", tenant -> {
                    tenant.start(PLAIN);
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'failed', 'permanent': true"));
                    return TenantRequest.post(RUN + "/retry", null);
                }));
    }

    private static List<RepeatedRequest> runs() {
        return List.of(
                post("cancel what waits", "/v1/runs/{run}/cancel", tenant -> {
                    tenant.start(PLAIN);
                    return TenantRequest.post(RUN + "/cancel", "{'reason': 'enough'}");
                }),
                post("cancel what runs", "/v1/runs/{run}/cancel", tenant -> {
                    tenant.start(PLAIN);
                    tenant.claim();
                    return TenantRequest.post(RUN + "/cancel", "{'policy': 'cancel_running'}");
                }),
                post("pause", "/v1/runs/{run}/pause", tenant -> {
                    tenant.start(PLAIN);
                    return TenantRequest.post(RUN + "/pause", null);
                }),
                post("resume", "/v1/runs/{run}/resume", tenant -> {
                    tenant.start(PLAIN);
                    tenant.sendOk(TenantRequest.post(RUN + "/pause", null));
                    return TenantRequest.post(RUN + "/resume", null);
                }),
                post("resume after a failure", "/v1/runs/{run}/resume", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, on_failure: pause}]");
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'failed', 'permanent': true"));
                    return TenantRequest.post(RUN + "/resume", null);
                }),
                put("override", "/v1/runs/{run}/overrides", tenant -> {
                    tenant.start(PLAIN);
                    return TenantRequest.put(RUN + "/overrides", "{'max_parallel': 2}");
                }),
                new RepeatedRequest("change an override", "PATCH /v1/runs/{run}/overrides", tenant -> {
                    tenant.start(PLAIN);
                    tenant.sendOk(TenantRequest.put(RUN + "/overrides", "{'max_concurrent_steps': 3}"));
                    return TenantRequest.of("PATCH", RUN + "/overrides", "{'max_parallel': 2}");
                }),
                put("give more time", "/v1/runs/{run}/deadline", tenant -> {
                    tenant.start("deadline: 1h\n" + PLAIN);
                    return TenantRequest.put(RUN + "/deadline", "{'in': '2h'}");
                }),
                put("mend the input", "/v1/runs/{run}/input", tenant -> {
                    tenant.start("input_schema: {type: object, required: [n]}\n" + PLAIN);
                    return TenantRequest.put(RUN + "/input", "{'input': {'n': 1}}");
                }),
                put("mend an output", "/v1/runs/{run}/steps/{step}/output", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, output_schema: {type: object}}" + AFTER);
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'completed', 'output': 1"));
                    return TenantRequest.put(STEP + "/output", "{'output': {}, 'by': 'eve'}");
                }),
                put("mend the last output", "/v1/runs/{run}/steps/{step}/output", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, output_schema: {type: object}}]");
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'completed', 'output': 1"));
                    return TenantRequest.put(STEP + "/output", "{'output': {}, 'by': 'eve'}");
                }));
    }

    private static List<RepeatedRequest> people() {
        return List.of(
                post("approve", "/v1/runs/{run}/steps/{step}/approve", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, gate: {}}]");
                    return TenantRequest.post(STEP + "/approve", "{'by': 'ann', 'note': 'fine'}");
                }),
                post("approve the last", "/v1/runs/{run}/steps/{step}/approve", tenant -> {
                    tenant.start("steps: [{id: a, gate: {}}]");
                    return TenantRequest.post(STEP + "/approve", null);
                }),
                post("revoke", "/v1/runs/{run}/steps/{step}/revoke", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, gate: {}}]");
                    tenant.sendOk(TenantRequest.post(STEP + "/approve", null));
                    return TenantRequest.post(STEP + "/revoke", "{'by': 'bob'}");
                }),
                post("give input", "/v1/runs/{run}/steps/{step}/input", tenant -> {
                    tenant.start(PLAIN);
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'needs_input', 'output': 'size?'"));
                    return TenantRequest.post(STEP + "/input", "{'input': {'size': 'L'}}");
                }),
                post("give input to what has given all back", "/v1/runs/{run}/steps/{step}/input", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, on_needs_input: release}]");
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'needs_input'"));
                    return TenantRequest.post(STEP + "/input", "{'input': 1}");
                }),
                post("abandon", "/v1/runs/{run}/steps/{step}/abandon", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, on_failure: continue}" + AFTER);
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'needs_input'"));
                    return TenantRequest.post(STEP + "/abandon", "{'by': 'dora', 'reason': 'nobody knows'}");
                }),
                post("abandon the last", "/v1/runs/{run}/steps/{step}/abandon", tenant -> {
                    tenant.start(PLAIN);
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'needs_input'"));
                    return TenantRequest.post(STEP + "/abandon", null);
                }),
                post("skip", "/v1/runs/{run}/steps/{step}/skip", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, optional: true}" + AFTER);
                    return TenantRequest.post(STEP + "/skip", null);
                }),
                post("run now", "/v1/runs/{run}/steps/{step}/run", tenant -> {
                    tenant.start("steps: [{id: a, uses: m}" + AFTER);
                    return TenantRequest.post(STEP + "/run", "{'reason': 'urgent'}");
                }),
                post("skip the last", "/v1/runs/{run}/steps/{step}/skip", tenant -> {
                    tenant.start("steps: [{id: a, uses: m, optional: true}]");
                    return TenantRequest.post(STEP + "/skip", null);
                }));
    }

    private static List<RepeatedRequest> signals() {
        String route = "/v1/runs/{run}/signals/{signal}";
        TenantRequest go =
                TenantRequest.post(RUN + "/signals/go", "{'payload': {'n': 1}}").withKey("go-1");
        return List.of(
                post("a signal that is kept", route, tenant -> {
                    tenant.start("steps: [{id: b, uses: m}, {id: a, needs: [b], wait_for: {signal: go}}]");
                    return go;
                }),
                post("a signal that is waited for", route, tenant -> {
                    tenant.start("steps: [{id: a, wait_for: {signal: go}}, "
                            + "{id: b, needs: [a], wait_for: {signal: go}}, {id: c, needs: [b], uses: m}]");
                    return go;
                }),
                post("a signal that ends the run", route, tenant -> {
                    tenant.start("steps: [{id: a, wait_for: {signal: go}}]");
                    return go;
                }));
    }

    private static List<RepeatedRequest> work() {
        List<RepeatedRequest> work = new ArrayList<>();
        work.add(post("claim", "/v1/claims", tenant -> {
            tenant.start(PLAIN);
            return TenantRequest.post("/v1/claims", "{'modules': [{'id': 'm'}], 'lease': '5m', 'request_id': 'q'}");
        }));
        work.add(post("claim of a run", "/v1/claims", tenant -> {
            tenant.start(PLAIN);
            return TenantRequest.post("/v1/claims", "{'run': 'r', 'lease': '5m', 'request_id': 'q'}");
        }));
        List<String> reports = List.of(
                "'completed', 'output': {'n': 1}",
                "'failed', 'error': 'no', 'permanent': true",
                "'failed', 'delay': '1h'",
                "'no_op'",
                "'needs_input', 'output': 'size?'",
                "'rescheduled', 'delay': '1h'");
        for (String report : reports) {
            work.add(post("report " + report, "/v1/updates", tenant -> {
                tenant.start("steps: [{id: a, uses: m, retry: {max_attempts: 3, delay: 1h}}" + AFTER);
                return Tenant.report(tenant.claim(), ", 'result': " + report);
            }));
        }
        work.add(post("report the last", "/v1/updates", tenant -> {
            tenant.start(PLAIN);
            return Tenant.report(tenant.claim(), ", 'result': 'completed'");
        }));
        work.add(post("beat", "/v1/heartbeats", tenant -> {
            tenant.start(PLAIN);
            return Tenant.of("/v1/heartbeats", "heartbeats", tenant.claim(), "");
        }));
        work.add(post("say", "/v1/logs", tenant -> {
            tenant.start(PLAIN);
            return Tenant.of("/v1/logs", "logs", tenant.claim(), ", 'from': 0, 'text': 'half of it'");
        }));
        return work;
    }

    private static List<RepeatedRequest> limits() {
        return List.of(
                new RepeatedRequest("set limits", "PATCH /v1/workflows/{workflow}/limits", tenant -> {
                    tenant.register(PLAIN);
                    return TenantRequest.of("PATCH", "/v1/workflows/w/limits", "{'max_concurrent_runs': 3}");
                }),
                new RepeatedRequest("pause a workflow", "PUT /v1/workflows/{workflow}/availability", tenant -> {
                    tenant.register(PLAIN);
                    return TenantRequest.put("/v1/workflows/w/availability", "{'availability': 'paused'}");
                }),
                new RepeatedRequest(
                        "set limits of the organisation",
                        "PATCH /v1/org/limits",
                        tenant -> TenantRequest.of("PATCH", "/v1/org/limits", "{'max_queued_runs': 3}")),
                put("set the quota", "/v1/org/quota", tenant -> TenantRequest.put("/v1/org/quota", "{'limit': 3}")));
    }

    private static List<RepeatedRequest> keys() {
        String key = "{'key': 'k'}";
        String limited = "steps: [{id: a, uses: m, retry: {max_attempts: 3, delay: 1h}, "
                + "flow_control: {key: k, parallelism: 2, rate: 5, period: 1h}}, {id: b, uses: n}]";
        return List.of(
                post("pause a key", "/v1/keys/pause", tenant -> TenantRequest.post("/v1/keys/pause", key)),
                post(
                        "pause a key for a time",
                        "/v1/keys/pause",
                        tenant -> TenantRequest.post("/v1/keys/pause", "{'key': 'k', 'for': '1h'}")),
                post("resume a key", "/v1/keys/resume", tenant -> {
                    tenant.sendOk(TenantRequest.post("/v1/keys/pause", key));
                    return TenantRequest.post("/v1/keys/resume", key);
                }),
                post("resume a key that is held, too", "/v1/keys/resume", tenant -> {
                    tenant.start(limited);
                    tenant.sendOk(Tenant.report(tenant.claim(), ", 'result': 'failed', 'delay': '2h'"));
                    tenant.sendOk(TenantRequest.post("/v1/keys/pause", key));
                    return TenantRequest.post("/v1/keys/resume", key);
                }),
                post(
                        "pin a key",
                        "/v1/keys/pin",
                        tenant -> TenantRequest.post("/v1/keys/pin", "{'key': 'k', 'parallelism': 2, 'rate': 3}")),
                post("unpin a key", "/v1/keys/unpin", tenant -> {
                    tenant.sendOk(TenantRequest.post("/v1/keys/pin", "{'key': 'k', 'parallelism': 2}"));
                    return TenantRequest.post("/v1/keys/unpin", key);
                }),
                post("reset the rate of a key", "/v1/keys/reset-rate", tenant -> {
                    tenant.start(limited);
                    tenant.claim();
                    return TenantRequest.post("/v1/keys/reset-rate", key);
                }));
    }

    private static List<RepeatedRequest> tokens() {
        TenantRequest create = TenantRequest.post("/v1/tokens", "{'name': 'ci', 'role': 'worker'}");
        return List.of(
                post("create a token", "/v1/tokens", tenant -> create),
                post("rotate a token", "/v1/tokens/{token}/rotate", tenant -> {
                    tenant.sendOk(create);
                    return TenantRequest.post("/v1/tokens/ci/rotate", "{'overlap': '1h'}")
                            .withKey("rotate-1");
                }),
                post("revoke a token", "/v1/tokens/{token}/revoke", tenant -> {
                    tenant.sendOk(create);
                    return TenantRequest.post("/v1/tokens/ci/revoke", "{'reason': 'lost'}");
                }));
    }
}
