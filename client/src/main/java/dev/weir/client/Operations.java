package dev.weir.client;

import dev.weir.api.Bulk;
import dev.weir.api.DeadLetters;
import dev.weir.api.Keys;
import dev.weir.api.Limits;
import dev.weir.api.Modules;
import dev.weir.api.Notices;
import dev.weir.api.Organisations;
import dev.weir.api.Runs;
import dev.weir.api.Starts;
import dev.weir.api.WhatIf;
import dev.weir.client.Transport.ApiRequest;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of the client for operators: limits and state of the organisation, operations on many runs, modules and workers. */
public final class Operations {
    private static final String ORGANISATION_LIMITS = "/v1/org/limits";
    private static final String QUOTA = "/v1/org/quota";

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

    /** Puts a waiting step or item ahead of all others; it never exceeds a limit. */
    public Runs.RunNowAnswer runNow(String run, String step, Runs.RunNowRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", Client.stepPath(run, step) + "/run", request), Runs.RunNowAnswer.class);
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

    /**
     * Lists notices, newest first.
     *
     * @param filter state, kind, severity, subject and cursor; absent ones match all
     */
    public Notices.NoticePage notices(Map<String, String> filter) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/notices" + Client.query(filter)), Notices.NoticePage.class);
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
        return changeLimits(limitsPath(workflow), change, ifVersion);
    }

    private Limits.RunLimitsView changeLimits(String path, Limits.RunLimitsRequest change, @Nullable Long ifVersion)
            throws InterruptedException {
        var request = ApiRequest.json("PATCH", path, change);
        var conditional = ifVersion == null ? request : request.withHeader("If-Match", "\"" + ifVersion + "\"");
        return transport.send(conditional, Limits.RunLimitsView.class);
    }

    /** Returns the limits on runs of the organisation, and its quota. */
    public Limits.RunLimitsView organisationLimits() throws InterruptedException {
        return transport.send(ApiRequest.get(ORGANISATION_LIMITS), Limits.RunLimitsView.class);
    }

    /** Changes the limits on runs of the organisation. */
    public Limits.RunLimitsView changeOrganisationLimits(Limits.RunLimitsRequest change, @Nullable Long ifVersion)
            throws InterruptedException {
        return changeLimits(ORGANISATION_LIMITS, change, ifVersion);
    }

    /** Evaluates if a run could start now. Nothing is started. */
    public Organisations.Evaluation evaluate(Organisations.EvaluateRequest start) throws InterruptedException {
        return transport.send(ApiRequest.json("POST", "/v1/org/evaluate", start), Organisations.Evaluation.class);
    }

    /** Returns usage, limits and totals of the organisation. */
    public Organisations.Snapshot snapshot() throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/org/snapshot"), Organisations.Snapshot.class);
    }

    /** Returns the quota of the organisation, and what is left of it. */
    public Organisations.Quota quota() throws InterruptedException {
        return transport.send(ApiRequest.get(QUOTA), Organisations.Quota.class);
    }

    /** Sets the quota of the organisation. Needs the right administrator. */
    public Organisations.Quota changeQuota(Organisations.QuotaRequest change) throws InterruptedException {
        return transport.send(ApiRequest.json("PUT", QUOTA, change), Organisations.Quota.class);
    }

    /** Predicts the course of the waiting work, now and with a change of limits. Nothing is changed. */
    public WhatIf.Answer whatIf(WhatIf.WhatIfRequest request) throws InterruptedException {
        return transport.send(ApiRequest.json("POST", "/v1/what-if", request), WhatIf.Answer.class);
    }

    /**
     * Creates the database login that reads the limits and counters of an organisation, or gives it a new password.
     * Needs the right administrator.
     */
    public Organisations.Reader createReader(String organisation) throws InterruptedException {
        String path = "/v1/organisations/" + Client.pathSegment("organisation", organisation) + "/reader";
        return transport.send(ApiRequest.json("POST", path, null), Organisations.Reader.class);
    }

    /** Returns the limits on runs of one run key of a workflow. */
    public Limits.RunLimitsView runKeyLimits(String workflow, String runKey) throws InterruptedException {
        String path = limitsPath(workflow) + Client.query("run_key", runKey);
        return transport.send(ApiRequest.get(path), Limits.RunLimitsView.class);
    }

    /** Changes the limits on runs of one run key of a workflow. */
    public Limits.RunLimitsView changeRunKeyLimits(
            String workflow, String runKey, Limits.RunLimitsRequest change, @Nullable Long ifVersion)
            throws InterruptedException {
        return changeLimits(limitsPath(workflow) + Client.query("run_key", runKey), change, ifVersion);
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
