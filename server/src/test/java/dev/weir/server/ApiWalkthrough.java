package dev.weir.server;

import static org.awaitility.Awaitility.await;

import dev.weir.engine.request.StartRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;

/** Makes at least one successful request to every route, with responses that are as full as possible. */
final class ApiWalkthrough {
    private final TestNode node;
    private final Map<String, List<String>> differences = new LinkedHashMap<>();

    ApiWalkthrough(TestNode node) {
        this.node = node;
    }

    /** Returns, for each route that answered with success, the differences of its responses from the documentation. */
    Map<String, List<String>> differences() {
        return differences;
    }

    void run() {
        node.listener = this::recordDifferences;
        workflows();
        runs();
        actAsPerson();
        actAsWorker();
        keys();
        modules();
        deadLetters();
        notices();
        events();
        bulk();
        tokensAndAudit();
        secrets();
        organisations();
        sessions();
        List.of("/v1/invariants", "/v1/openapi.json", "/v1/workflow.schema.json", "/metrics")
                .forEach(node::get);
        List.of("/health/live", "/health/ready").forEach(node::get);
    }

    private void sessions() {
        node.get("/v1/session");
        node.post("/v1/session-links", "{}");
        var begun = node.send(
                node.request("POST", "/v1/session").header("Content-Type", "application/json"),
                "POST",
                "{\"token\":\"acme-token\"}");
        String cookie = begun.headers()
                .getOrDefault("set-cookie", List.of(""))
                .getFirst()
                .split(";", 2)[0];
        for (String method : List.of("GET", "DELETE")) {
            var request = node.request(method, "/v1/session").header("Cookie", cookie);
            node.send(request.header("Origin", "http://127.0.0.1:" + node.server.port()), method, null);
        }
    }

    private void recordDifferences(DocumentedRoute route, TestNode.TestResponse got) {
        List<String> found = got.status() < 300
                ? ResponseSchemas.differences(route, got)
                : List.of("expected success, found " + got.status() + " " + got.body());
        differences.merge(route.toString(), found, (before, more) -> before.isEmpty() ? more : before);
    }

    private void workflows() {
        String plain = "{'workflow':'plain','description':'one step','steps':[{'id':'a','uses':'m'}]}";
        node.post("/v1/workflows/validate", plain);
        node.apply("plain", plain);
        node.apply("plain", plain);
        node.apply(
                "limited",
                "{'workflow':'limited','deadline':'1h','limits':{'max_concurrent_runs':2},'runtime':{'max_parallel':3},"
                        + "'input_schema':{'type':'object','required':['n']},"
                        + "'steps':[{'id':'a','uses':'l','flow_control':{'key':'k','parallelism':1,'rate':5,'period':'1m'}},"
                        + "{'id':'b','uses':'l','needs':['a'],'output_schema':{'type':'object'}},"
                        + "{'id':'each','uses':'l','needs':['b'],'with_items':[1,2,3],'concurrency':1}]}");
        node.apply(
                "asking",
                "{'workflow':'asking','steps':[{'id':'gate','gate':{}},{'id':'ask','uses':'q'},{'id':'drop','uses':'q'},"
                        + "{'id':'may','uses':'nobody','optional':true},{'id':'wait','wait_for':{'signal':'go'}}]}");
        node.apply(
                "nest",
                "{'workflow':'nest','steps':[{'id':'a','invoke':{'workflow':'plain'},'on_failure':'continue'}]}");
        List.of("?limit=1", "").forEach(query -> node.get("/v1/workflows" + query));
        node.get("/v1/workflows/limited");
        node.patch("/v1/workflows/limited/limits", "{'max_concurrent_runs':3,'for':'1h','reason':'more'}");
        node.get("/v1/workflows/limited/limits");
        node.patch("/v1/workflows/limited/limits?run_key=k", "{'max_concurrent_runs':1}");
        node.patch("/v1/org/limits", "{'max_queued_runs':500,'default_debounce':'5s','for':'1h'}");
        node.get("/v1/org/limits");
        node.get("/v1/limits");
        node.get("/v1/limits?workflow=limited");
        node.post("/v1/what-if", "{'change':{'pin':{'key':'k','parallelism':2}}}");
        node.post("/v1/org/evaluate", "{'workflow':'limited'}");
        node.get("/v1/org/snapshot");
        node.put("/v1/org/quota", "{'resource_type':'workflow_executions','limit':100,'period':'month'}");
        node.get("/v1/org/quota?resource_type=workflow_executions");
        node.put("/v1/organisations/acme/quota", "{'limit':200}");
        node.get("/v1/organisations/acme/quota");
        node.post("/v1/organisations/acme/reader", "{}");
    }

    private void runs() {
        node.post("/v1/runs", "{'workflow':'plain','id':'p','priority':3,'labels':{'team':'a'}}");
        node.post("/v1/runs", "{'workflow':'plain','id':'p','priority':3,'labels':{'team':'a'}}");
        node.post("/v1/runs/batch", "{'runs':[{'workflow':'plain','id':'late','delay':'1h'},{'workflow':'none'},{}]}");
        node.post("/v1/runs/p/pause", "{}");
        readRun("p", "a");
        node.post("/v1/runs/p/resume", "{}");
        node.put("/v1/runs/p/overrides", "{'max_parallel':2,'max_concurrent_steps':1}");
        node.patch("/v1/runs/p/overrides", "{'max_parallel':3,'for':'1h'}");
        readRun("p", "a");
        node.post("/v1/runs/p/cancel", "{'reason':'enough'}");
        node.post("/v1/runs/p/retry", "{'id':'p2'}");
        node.post("/v1/runs/p/retry", "{'id':'p2'}");
        readRun("p2", "a");
        readRun("late", "a");
        node.get("/v1/runs/p/time");
        node.post("/v1/runs", "{'workflow':'nest','id':'n'}");
        readRun("n", "a");
        String call = "{'url':'http://127.0.0.1:9/','id':'t','delay':'1h','body':{'n':1},"
                + "'headers':{'X-A':'b','Authorization':{'prefix':'Bearer ','secret':'S'}},"
                + "'flowControl':{'key':'t','parallelism':1},'retry':{'max_attempts':2},'timeout':'10s'}";
        List.of(1, 2).forEach(time -> node.post("/v1/trigger", call));
        node.post("/v1/trigger", "{'workflow':'plain','id':'tp','flow_control':{'key':'tp','rate':1}}");
        readRun("t", "call");
        node.get("/v1/runs/t?wait=1ms");
        List.of("?limit=1", "?state=queued", "?key=k", "").forEach(query -> node.get("/v1/runs" + query));
    }

    /** Reads everything about a run and one of its steps. */
    private void readRun(String run, String step) {
        String path = "/v1/runs/" + run;
        List.of("", "/why", "/steps", "/steps/" + step, "/steps/" + step + "/why")
                .forEach(rest -> node.get(path + rest));
    }

    private void actAsPerson() {
        node.post("/v1/runs", "{'workflow':'asking','id':'q'}");
        node.get("/v1/runs/q");
        node.post("/v1/runs/q/steps/gate/approve", "{'by':'ann','note':'fine'}");
        node.post("/v1/runs/q/steps/may/skip", "{}");
        for (String step : List.of("ask", "drop")) {
            var claim = node.post("/v1/claims", "{'run':'q','steps':['" + step + "']}");
            update("q", step, claim, "'result':'needs_input','output':{'question':'size?'}");
            readRun("q", step);
        }
        node.post("/v1/runs/q/steps/ask/input", "{'input':{'size':'L'}}");
        readRun("q", "ask");
        node.post("/v1/runs/q/signals/go", "{'id':'go-1','payload':{'n':1}}");
        node.post("/v1/runs/q/steps/drop/abandon", "{'by':'dora','reason':'nobody knows'}");
        readRun("q", "gate");
        node.apply("gated", "{'workflow':'gated','steps':[{'id':'a','uses':'nobody','gate':{}}]}");
        node.start("gated", "g");
        node.post("/v1/runs/g/steps/a/approve", "{}");
        node.post("/v1/runs/g/steps/a/revoke", "{'by':'bob'}");
        node.post("/v1/runs/g/steps/a/approve", "{}");
        node.post("/v1/runs/g/steps/a/run", "{}");
        readRun("g", "a");
    }

    private void update(String run, String step, TestNode.TestResponse claimed, String report) {
        String claim = "'run':'" + run + "','step':'" + step + "','fence':" + claimed.at("/claims/0/fence") + ",";
        String item = claimed.at("/claims/0/item");
        String unit = item.isEmpty() ? claim : claim + "'item':" + item + ",";
        node.post("/v1/updates", "{'updates':[{" + unit + report + "}]}");
    }

    private void actAsWorker() {
        node.post("/v1/runs", "{'workflow':'limited','id':'l1','input':{'n':1}}");
        node.post("/v1/runs", "{'workflow':'limited','id':'l2','input':{}}");
        readRun("l2", "a");
        node.put("/v1/runs/l2/input", "{'input':{'n':2}}");
        node.put("/v1/runs/l1/deadline", "{'in':'2h'}");
        var first = node.post("/v1/claims", "{'run':'l1','limit':5,'lease':'30s'}");
        String claim = "'run':'l1','step':'a','fence':" + first.at("/claims/0/fence");
        node.post("/v1/heartbeats", "{'heartbeats':[{" + claim + "},{'run':'none','step':'a','fence':1},{}]}");
        node.post("/v1/logs", "{'logs':[{" + claim + ",'from':0,'text':'hello'},{}]}");
        node.post(
                "/v1/claims",
                "{'modules':['unserved'],'updates':[{'run':'none','step':'a','fence':1,'result':'no_op'},{}]}");
        node.get("/v1/runs/l1/steps/a/logs");
        node.get("/v1/logs?key=k");
        readRun("l1", "a");
        readRun("l2", "a");
        node.get("/v1/keys?key=k");
        node.get("/v1/keys/waitlist?key=k");
        node.get("/v1/keys/holders?key=k");
        node.get("/v1/keys/history?key=k");
        node.get("/v1/stream");
        update("l1", "a", first, "'result':'failed','error':'once','delay':'5s'");
        readRun("l1", "a");
        node.post("/v1/updates", "{'updates':[{'run':'none','step':'a','fence':1,'result':'completed'},{}]}");
        items();
        node.post("/v1/claims", "{'modules':[{'id':'x','name':'X','version':'1','concurrency':{'slots':2}}]}");
    }

    private void items() {
        node.apply(
                "items",
                "{'workflow':'items','steps':[{'id':'b','uses':'i','output_schema':{'type':'object'}},"
                        + "{'id':'each','uses':'i','needs':['b'],'with_items':[1,2,3],'concurrency':1}]}");
        node.start("items", "i");
        update("i", "b", node.post("/v1/claims", "{'run':'i'}"), "'result':'completed','output':1");
        readRun("i", "b");
        node.put("/v1/runs/i/steps/b/output", "{'output':{},'by':'eve'}");
        var item = node.post("/v1/claims", "{'run':'i'}");
        readRun("i", "each");
        List.of("?limit=1", "").forEach(query -> node.get("/v1/runs/i/steps/each/items" + query));
        update("i", "each", item, "'result':'completed','output':{'done':true}");
        for (int i = 0; i < 2; i++) {
            update("i", "each", node.post("/v1/claims", "{'run':'i'}"), "'result':'no_op'");
        }
        readRun("i", "each");
        node.get("/v1/runs/i/time");
        node.get("/v1/runs/i/steps/each/items");
    }

    private void keys() {
        node.post("/v1/keys/pause", "{'key':'k','reason':'a fault','for':'30m'}");
        node.post("/v1/keys/pin", "{'key':'k','parallelism':2,'rate':1,'period':'10s','window':'fixed','for':'1h'}");
        readRun("l2", "a");
        List.of("?limit=1", "?key=k", "?sort=oldest", "").forEach(query -> node.get("/v1/keys" + query));
        List.of("reset-rate", "resume", "unpin").forEach(change -> node.post("/v1/keys/" + change, "{'key':'k'}"));
    }

    private void modules() {
        List.of("?limit=1", "?module=x", "").forEach(query -> node.get("/v1/modules" + query));
        List.of("?limit=1", "").forEach(query -> node.get("/v1/workers" + query));
        List.of("/v1/metrics", "/flow-control.js", "/flow-control.css").forEach(node::get);
    }

    private void events() {
        node.apply(
                "triggered",
                "{'workflow':'triggered','triggers':[{'id':'t','event':'e','if':'${{ event.data.n > 0 }}'},"
                        + "{'id':'d','event':'e','debounce':{'period':'1h'}},{'id':'f','event':'e','input':'${{ event.data.x }}'},"
                        + "{'id':'s','schedule':'0 6 * * *'}],'steps':[{'id':'tell','emit':{'event':'f'}}]}");
        List.of(1, 2).forEach(time -> node.post("/v1/events", "{'id':'e1','event':'e','data':{'n':1}}"));
        node.post("/v1/events/batch", "{'events':[{'event':'e','data':{'n':0}},{'event':'none','source':'s'},{}]}");
        await().until(() -> node.get("/v1/events?event=f").body().contains("weir.triggered:t:e1."));
        node.get("/v1/events/" + node.get("/v1/events?event=f").at("/events/0/id"));
        node.get("/v1/events/e1");
        List.of("?limit=1", "?outcome=failed", "?outcome=no_trigger", "?event=e&workflow=triggered", "")
                .forEach(query -> node.get("/v1/events" + query));
        List.of("?limit=1", "").forEach(query -> node.get("/v1/schedules" + query));
        readRun("triggered:t:e1", "tell");
    }

    private void bulk() {
        node.post("/v1/runs/cancel", "{'filter':{'workflow':'plain'},'dry_run':true}");
        String id =
                node.post("/v1/runs/cancel", "{'filter':{'workflow':'plain'}}").at("/id");
        node.post("/v1/runs/retry", "{'filter':{'labels':{'team':'a'}}}");
        await().until(() -> node.get("/v1/bulk/" + id).at("/state").equals("completed"));
    }

    private void tokensAndAudit() {
        node.post(
                "/v1/tokens",
                "{'name':'ci','role':'viewer','scopes':['workflows.register'],'expires_in':'90d','reason':'deploys'}");
        node.post("/v1/tokens", "{'name':'root','role':'admin','administrator':true}");
        List.of("?limit=1", "").forEach(query -> node.get("/v1/tokens" + query));
        node.post("/v1/tokens/ci/rotate", "{'overlap':'1h'}");
        node.post("/v1/tokens/ci/revoke", "{}");
        List.of("?limit=1", "?action=pin_key", "").forEach(query -> node.get("/v1/audit" + query));
        String head = node.get("/v1/audit/verify").at("/head");
        node.get("/v1/audit/verify?head=" + head);
        node.get("/v1/administration/audit");
        node.get("/v1/administration/audit/verify");
    }

    private void notices() {
        node.apply(
                "tight",
                "{'workflow':'tight','steps':[{'id':'a','uses':'tight.m','flow_control':{'key':'tight','parallelism':1}}]}");
        node.start("tight", "tight-1");
        node.post("/v1/claims", "{'run':'tight-1'}");
        List.of("?limit=1", "?state=open&kind=capacity&severity=critical", "")
                .forEach(query -> node.get("/v1/notices" + query));
    }

    private void organisations() {
        node.post("/v1/organisations", "{'name':'shop','reason':'a new customer'}");
        List.of("?limit=1", "").forEach(query -> node.get("/v1/organisations" + query));
        node.post("/v1/organisations/shop/tokens", "{'name':'second'}");
        node.post("/v1/organisations/shop/starter", "{}");
        node.post("/v1/organisations/shop/suspend", "{'reason':'unpaid'}");
        node.get("/v1/organisations/shop");
        node.post("/v1/organisations/shop/resume", "{}");
        node.post("/v1/organisations/shop/rename", "{'name':'big-shop'}");
        node.post("/v1/organisations/big-shop/suspend", "{}");
        node.post("/v1/organisations/big-shop/delete", "{'confirm':'big-shop','reason':'over'}");
        node.get("/v1/administration/deletions");
        node.post("/v1/runs/p/delete", "{'confirm':'p','reason':'asked'}");
        node.get("/v1/deletions");
        node.put("/v1/workflows/plain/availability", "{'availability':'archived'}");
        node.get("/v1/workflows?archived=true");
    }

    private void secrets() {
        node.put("/v1/secrets/BILLING", "{'value':'hidden','reason':'first'}");
        node.get("/v1/secrets");
        node.post("/v1/secrets/BILLING/delete", "{}");
    }

    private void refusedStarts() {
        node.journal.addToInbox("acme", StartRequest.of("lost", "no-such", JsonNodeFactory.instance.objectNode()));
        await().until(() -> node.get("/v1/refused-starts?limit=1")
                .json()
                .at("/refused_starts/0")
                .isObject());
    }

    private void deadLetters() {
        refusedStarts();
        String id = node.get("/v1/dead-letters?kind=refused_start").at("/dead_letters/0/id");
        node.get("/v1/dead-letters/" + id);
        node.post("/v1/dead-letters/redrive", "{'filter':{'kind':'refused_start'},'dry_run':true}");
        String operation = node.post("/v1/dead-letters/redrive", "{'filter':{'workflow':'none'}}")
                .at("/id");
        await().until(() -> node.get("/v1/bulk/" + operation).at("/state").equals("completed"));
        node.apply("no-such", "{'workflow':'no-such','steps':[{'id':'a','uses':'m'}]}");
        node.post("/v1/dead-letters/" + id + "/redrive", "{'reason':'it exists now'}");
        node.journal.addToInbox("acme", StartRequest.of("lost2", "none-such", JsonNodeFactory.instance.objectNode()));
        await().until(() -> !node.get("/v1/dead-letters?state=open")
                .at("/dead_letters/0/id")
                .isEmpty());
        String other = node.get("/v1/dead-letters?state=open&limit=1").at("/dead_letters/0/id");
        node.post("/v1/dead-letters/" + other + "/discard", "{}");
        String discarded = node.post("/v1/dead-letters/discard", "{'filter':{},'reason':'old'}")
                .at("/id");
        await().until(() -> node.get("/v1/bulk/" + discarded).at("/state").equals("completed"));
    }
}
