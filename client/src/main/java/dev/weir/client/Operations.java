package dev.weir.client;

import dev.weir.api.Bulk;
import dev.weir.api.DeadLetters;
import dev.weir.api.Keys;
import dev.weir.api.Limits;
import dev.weir.api.Modules;
import dev.weir.api.Starts;
import dev.weir.client.Transport.ApiRequest;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of the client for operators: limits of workflows, operations on many runs, modules and workers. */
public final class Operations {
    private final Transport transport;

    Operations(Transport transport) {
        this.transport = transport;
    }

    /**
     * Cancels all runs that match a filter, in the background. The client generates a key, so that a repeated request
     * begins no second operation.
     */
    public Bulk.BulkView cancelAll(Bulk.BulkCancelRequest request) throws InterruptedException {
        return transport.send(bulkRequest("cancel", request), Bulk.BulkView.class);
    }

    /** Retries all runs that match a filter, in the background. */
    public Bulk.BulkView retryAll(Bulk.BulkRetryRequest request) throws InterruptedException {
        return transport.send(bulkRequest("retry", request), Bulk.BulkView.class);
    }

    /** Counts the runs that a request with {@code dry_run} would cancel. */
    public Bulk.BulkPreview previewCancel(Bulk.BulkCancelRequest request) throws InterruptedException {
        return transport.send(ApiRequest.json("POST", "/v1/runs/cancel", request), Bulk.BulkPreview.class);
    }

    /** Counts the runs that a request with {@code dry_run} would retry. */
    public Bulk.BulkPreview previewRetry(Bulk.BulkRetryRequest request) throws InterruptedException {
        return transport.send(ApiRequest.json("POST", "/v1/runs/retry", request), Bulk.BulkPreview.class);
    }

    private static ApiRequest bulkRequest(String action, Object body) {
        return ApiRequest.json("POST", "/v1/runs/" + action, body)
                .withHeader("Idempotency-Key", "bulk-" + UUID.randomUUID());
    }

    /** Returns the progress of an operation on many runs. */
    public Bulk.BulkView bulk(String operation) throws InterruptedException {
        return transport.send(
                ApiRequest.get("/v1/bulk/" + Client.pathSegment("operation", operation)), Bulk.BulkView.class);
    }

    /**
     * Lists dead letters, newest first.
     *
     * @param filter state, kind, reason, workflow, key and cursor; absent ones match all
     */
    public DeadLetters.DeadLetterPage deadLetters(Map<String, String> filter) throws InterruptedException {
        return transport.send(
                ApiRequest.get("/v1/dead-letters" + Client.query(filter)), DeadLetters.DeadLetterPage.class);
    }

    /** Returns a dead letter with what was submitted, if that is kept. */
    public DeadLetters.DeadLetterView deadLetter(String id) throws InterruptedException {
        return transport.send(ApiRequest.get(deadLetterPath(id)), DeadLetters.DeadLetterView.class);
    }

    /** Submits a dead letter again: a failed run is retried, a start or event is submitted once more. */
    public DeadLetters.CloseResult redrive(String id, @Nullable String reason) throws InterruptedException {
        return closeDeadLetter(id, "redrive", reason);
    }

    /** Closes a dead letter that nobody wants any more. */
    public DeadLetters.CloseResult discard(String id, @Nullable String reason) throws InterruptedException {
        return closeDeadLetter(id, "discard", reason);
    }

    private DeadLetters.CloseResult closeDeadLetter(String id, String action, @Nullable String reason)
            throws InterruptedException {
        var request = ApiRequest.json("POST", deadLetterPath(id) + "/" + action, new DeadLetters.CloseRequest(reason));
        return transport.send(request, DeadLetters.CloseResult.class);
    }

    private static String deadLetterPath(String id) {
        return "/v1/dead-letters/" + Client.pathSegment("dead letter", id);
    }

    /** Begins to redrive or discard all open dead letters that match. The operation goes on in the node. */
    public Bulk.BulkView closeDeadLetters(String action, DeadLetters.BulkCloseRequest request)
            throws InterruptedException {
        var begin = ApiRequest.json("POST", "/v1/dead-letters/" + action, request)
                .withHeader("Idempotency-Key", "bulk-" + UUID.randomUUID());
        return transport.send(begin, Bulk.BulkView.class);
    }

    /** Counts the dead letters that a request with {@code dry_run} would redrive or discard. */
    public DeadLetters.DeadLetterPreview previewDeadLetters(String action, DeadLetters.BulkCloseRequest request)
            throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", "/v1/dead-letters/" + action, request), DeadLetters.DeadLetterPreview.class);
    }

    /** Returns the state of a module: what is ready, what limits hold, and who polls for it. */
    public Modules.ModuleView module(String module) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/modules" + Client.query("module", module)), Modules.ModuleView.class);
    }

    /** Returns a page of the modules with this prefix. */
    public Modules.ModulePage modules(String prefix, @Nullable String cursor) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/modules" + pageQuery(prefix, cursor)), Modules.ModulePage.class);
    }

    /** Returns a page of the workers with this prefix that were heard recently. */
    public Modules.WorkerPage workers(String prefix, @Nullable String cursor) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/workers" + pageQuery(prefix, cursor)), Modules.WorkerPage.class);
    }

    private static String pageQuery(String prefix, @Nullable String cursor) {
        return Client.query(cursor == null ? Map.of("prefix", prefix) : Map.of("prefix", prefix, "cursor", cursor));
    }

    /** Returns the limits on runs of a workflow: as defined, as operators set them, and their usage. */
    public Limits.RunLimitsView workflowLimits(String workflow) throws InterruptedException {
        return transport.send(ApiRequest.get(limitsPath(workflow)), Limits.RunLimitsView.class);
    }

    /**
     * Changes the limits on runs of a workflow, for all of its versions at once.
     *
     * @param ifVersion the version that the limits must have, or the request is refused; absent = any
     */
    public Limits.RunLimitsView changeWorkflowLimits(
            String workflow, Limits.RunLimitsRequest change, @Nullable Long ifVersion) throws InterruptedException {
        var request = ApiRequest.json("PATCH", limitsPath(workflow), change);
        var conditional = ifVersion == null ? request : request.withHeader("If-Match", "\"" + ifVersion + "\"");
        return transport.send(conditional, Limits.RunLimitsView.class);
    }

    private static String limitsPath(String workflow) {
        return "/v1/workflows/" + Client.pathSegment("workflow", workflow) + "/limits";
    }

    /** Returns the use of a key in the last hour. */
    public Keys.KeyHistory keyHistory(String key) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/keys/history" + Client.query("key", key)), Keys.KeyHistory.class);
    }

    /**
     * Lists the starts that programs left in the inbox in their own transactions and that could not be carried out,
     * newest first.
     */
    public Starts.RefusedStartPage refusedStarts(@Nullable String cursor) throws InterruptedException {
        return transport.send(
                ApiRequest.get("/v1/refused-starts" + Client.query("cursor", cursor)), Starts.RefusedStartPage.class);
    }
}
