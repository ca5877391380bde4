package dev.weir.server;

import java.util.Map;

/** A valid body for each route that takes one, with ids of the requesting organisation. */
final class MatrixBodies {
    /** The bodies by route. A new route with a body needs one too. */
    static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("PATCH /v1/workflows/{workflow}/limits", "{'max_concurrent_runs':50,'reason':'r'}"),
            Map.entry("PUT /v1/workflows/{workflow}", "{'workflow':'owner-workflow','steps':[{'id':'s','uses':'m'}]}"),
            Map.entry("POST /v1/workflows/validate", "{'workflow':'owner-workflow','steps':[{'id':'s','uses':'m'}]}"),
            Map.entry("POST /v1/runs", "{'workflow':'owner-workflow','id':'owner-started'}"),
            Map.entry("POST /v1/trigger", "{'url':'http://127.0.0.1:9/','id':'owner-triggered'}"),
            Map.entry("POST /v1/runs/batch", "{'runs':[{'workflow':'owner-workflow','id':'owner-batch'}]}"),
            Map.entry("POST /v1/runs/cancel", "{'filter':{'ids':['owner-none']},'dry_run':true}"),
            Map.entry("POST /v1/runs/retry", "{'filter':{'ids':['owner-none']},'dry_run':true}"),
            Map.entry("POST /v1/runs/{run}/cancel", "{'reason':'r'}"),
            Map.entry("POST /v1/runs/{run}/retry", "{'id':'owner-retry'}"),
            Map.entry("PUT /v1/runs/{run}/overrides", "{'max_parallel':2,'reason':'r'}"),
            Map.entry("PATCH /v1/runs/{run}/overrides", "{'max_parallel':2,'reason':'r'}"),
            Map.entry("POST /v1/runs/{run}/signals/{signal}", "{'id':'owner-signal-id','payload':1}"),
            Map.entry("PUT /v1/runs/{run}/input", "{'input':{}}"),
            Map.entry("PUT /v1/runs/{run}/deadline", "{'in':'1h'}"),
            Map.entry("PUT /v1/runs/{run}/steps/{step}/output", "{'output':1}"),
            Map.entry("POST /v1/runs/{run}/steps/{step}/approve", "{'note':'n'}"),
            Map.entry("POST /v1/runs/{run}/steps/{step}/revoke", "{'note':'n'}"),
            Map.entry("POST /v1/runs/{run}/steps/{step}/input", "{'input':1}"),
            Map.entry("POST /v1/runs/{run}/steps/{step}/abandon", "{'reason':'r'}"),
            Map.entry("POST /v1/runs/{run}/steps/{step}/run", "{'reason':'r'}"),
            Map.entry("POST /v1/claims", "{'modules':[{'id':'owner-nothing'}]}"),
            Map.entry(
                    "POST /v1/updates",
                    "{'updates':[{'run':'owner-run','step':'owner-step','fence':1,'result':'completed'}]}"),
            Map.entry("POST /v1/heartbeats", "{'heartbeats':[{'run':'owner-run','step':'owner-step','fence':1}]}"),
            Map.entry(
                    "POST /v1/logs",
                    "{'logs':[{'run':'owner-run','step':'owner-step','fence':1,'from':0,'text':'t'}]}"),
            Map.entry("POST /v1/dead-letters/{letter}/redrive", "{'reason':'r'}"),
            Map.entry("POST /v1/dead-letters/{letter}/discard", "{'reason':'r'}"),
            Map.entry("POST /v1/dead-letters/redrive", "{'filter':{'ids':['9001']},'dry_run':true}"),
            Map.entry("POST /v1/dead-letters/discard", "{'filter':{'ids':['9001']},'dry_run':true}"),
            Map.entry("POST /v1/events", "{'id':'owner-sent','event':'owner-event'}"),
            Map.entry("POST /v1/events/batch", "{'events':[{'id':'owner-batch','event':'owner-event'}]}"),
            Map.entry("PATCH /v1/org/limits", "{'max_concurrent_runs':50,'reason':'r'}"),
            Map.entry(
                    "POST /v1/what-if",
                    "{'change':{'limits':{'workflow':'owner-workflow','values':{'max_concurrent_runs':1}}}}"),
            Map.entry("POST /v1/org/evaluate", "{'workflow':'owner-workflow'}"),
            Map.entry("PUT /v1/workflows/{workflow}/availability", "{'availability':'open'}"),
            Map.entry("PUT /v1/secrets/{secret}", "{'value':'v','reason':'r'}"),
            Map.entry("POST /v1/secrets/{secret}/delete", "{'reason':'r'}"),
            Map.entry("POST /v1/runs/{run}/delete", "{'confirm':'owner-run','reason':'r'}"),
            Map.entry("POST /v1/keys/pause", "{'key':'owner-key','for':'1s'}"),
            Map.entry("POST /v1/keys/resume", "{'key':'owner-key'}"),
            Map.entry("POST /v1/keys/pin", "{'key':'owner-key','parallelism':1}"),
            Map.entry("POST /v1/keys/unpin", "{'key':'owner-key'}"),
            Map.entry("POST /v1/keys/reset-rate", "{'key':'owner-key'}"),
            Map.entry("POST /v1/tokens", "{'name':'owner-other-token','role':'viewer'}"),
            Map.entry("POST /v1/tokens/{token}/rotate", "{'reason':'r'}"),
            Map.entry("POST /v1/tokens/{token}/revoke", "{'reason':'r'}"));

    private MatrixBodies() {}
}
