package dev.weir.server.routes;

import dev.weir.api.Audits.AuditPage;
import dev.weir.api.Audits.ChainCheck;
import dev.weir.api.Audits.ChainFinding;
import dev.weir.api.Audits.EntryView;
import dev.weir.api.WireJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.Permission;
import dev.weir.engine.records.AuditFilter;
import dev.weir.engine.records.AuditStore;
import dev.weir.engine.records.AuditVerification;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The routes that list and verify audit chains. They read from the store and never wait for the shard's loop. */
final class AuditRoutes {
    /** The most entries that one request verifies. */
    static final int VERIFIED_MAX = 10_000;

    private final EngineGateway engine;

    AuditRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/audit", Permission.AUDIT, request -> list(request, request.org()));
        routing.route(Method.GET, "/v1/audit/verify", Permission.AUDIT, request -> verify(request, request.org()));
        routing.route(
                Method.GET,
                "/v1/administration/audit",
                Permission.ADMINISTER,
                request -> list(request, AuditStore.ADMINISTRATION));
        routing.route(
                Method.GET,
                "/v1/administration/audit/verify",
                Permission.ADMINISTER,
                request -> verify(request, AuditStore.ADMINISTRATION));
    }

    private AuditStore store() {
        return engine.weir().records().audit();
    }

    private Response list(Request request, String org) {
        request.allowQueries("actor", "action", "target", "since", "until", "cursor", "limit");
        var filter = new AuditFilter(
                request.query("actor").orElse(null),
                request.query("action").orElse(null),
                request.query("target").orElse(null),
                time(request, "since", Long.MIN_VALUE),
                time(request, "until", Long.MAX_VALUE));
        var page = PageParameters.page(request, requested -> store().entries(org, filter, requested));
        var entries = page.entries().stream().map(AuditRoutes::view).toList();
        return Response.ok(new AuditPage(entries, WireWords.orNull(page.next())));
    }

    private static long time(Request request, String name, long defaultValue) {
        String text = request.query(name).orElse(null);
        if (text == null) {
            return defaultValue;
        }
        try {
            return Moment.of(Instant.parse(text));
        } catch (DateTimeException | ArithmeticException e) {
            throw RefusedRequest.invalid("?" + name, "a time such as 2026-01-31T12:00:00Z", "'" + text + "'");
        }
    }

    private static EntryView view(AuditEntry entry) {
        return new EntryView(
                entry.number(),
                Moment.toInstant(entry.at()),
                entry.by().actor(),
                entry.by().origin().word(),
                WireWords.orNull(entry.by().requestId()),
                entry.by().reason(),
                entry.change().action(),
                entry.change().target(),
                json(entry.change().before()),
                json(entry.change().after()),
                entry.hash());
    }

    /** Returns a stored state. If somebody changed it into text that is not JSON, the text itself is shown. */
    private static @Nullable JsonNode json(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return WireJson.LENIENT.readTree(text);
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.stringNode(text);
        }
    }

    private Response verify(Request request, String org) {
        request.allowQueries("head", "after");
        AuditHead after = head(request, "after");
        var verification =
                new AuditVerification(store(), org, after == null ? AuditHead.EMPTY : after, head(request, "head"));
        AuditVerification.Result result = verification.run(VERIFIED_MAX);
        return Response.ok(new ChainCheck(
                result.isIntact(),
                result.checked(),
                result.head().text(),
                result.complete(),
                WireWords.of(result.tail()),
                result.findings().stream()
                        .map(finding -> new ChainFinding(finding.number(), finding.problem()))
                        .toList()));
    }

    private static @Nullable AuditHead head(Request request, String name) {
        String text = request.query(name).orElse(null);
        if (text == null) {
            return null;
        }
        return AuditHead.parse(text)
                .orElseThrow(() ->
                        RefusedRequest.invalid("?" + name, "COUNT:HASH with 64 hexadecimal digits", "'" + text + "'"));
    }
}
