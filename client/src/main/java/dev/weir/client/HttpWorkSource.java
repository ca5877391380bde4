package dev.weir.client;

import dev.weir.api.WireJson;
import dev.weir.api.Work;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.worker.SourceFailure;
import dev.weir.worker.WorkSource;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A node of Weir as the source of a worker, over HTTP. Failures are not repeated here; the worker's loop does that. */
final class HttpWorkSource implements WorkSource<Job, EncodedReport> {
    private static final int UNAUTHENTICATED = 401;
    private static final int FORBIDDEN = 403;
    private static final String TOKEN_ADVICE =
            "; check the API token of this worker (WEIR_TOKEN): it must be one of this server and allow workers";

    private final Client client;
    /** The part of a claim request that never changes, without its closing bracket. */
    private final String claimHead;

    HttpWorkSource(Client client, List<ModuleInfo> modules, String name, Duration lease) {
        this.client = client;
        ObjectNode request = WireJson.STRICT.valueToTree(
                new Work.ClaimRequest(modules, null, null, null, null, lease.toMillis() + "ms", null, name));
        request.remove(List.of("steps", "limit"));
        String text = request.toString();
        this.claimHead = text.substring(0, text.length() - 1);
    }

    @Override
    public Claimed<Job> claim(ClaimCall<EncodedReport> call) throws InterruptedException {
        String body = claimHead + ",\"limit\":" + call.limit() + ",\"wait\":\""
                + call.waitTime().toMillis() + "ms\",\"request_id\":\"" + call.request() + "\""
                + (call.reports().isEmpty() ? "}" : "," + updates(call.reports()) + "}");
        Work.ClaimResult result = send("/v1/claims", body, Work.ClaimResult.class);
        return new Claimed<>(required(result.claims()).stream().map(Job::new).toList(), outcomes(result.results()));
    }

    @Override
    public List<Outcome> report(List<EncodedReport> reports) throws InterruptedException {
        String body = "{" + updates(reports) + "}";
        return outcomes(send("/v1/updates?snapshot=false", body, Work.UpdateResults.class)
                .results());
    }

    /** Checks for a list that every response of Weir has. */
    private static <T> List<T> required(@Nullable List<T> list) {
        if (list == null) {
            throw new IllegalStateException("expected a response of Weir, found one without its list");
        }
        return list;
    }

    private static String updates(List<EncodedReport> reports) {
        var joined = new StringJoiner(",", "\"updates\":[", "]");
        reports.forEach(report -> joined.add(report.json()));
        return joined.toString();
    }

    private static List<Outcome> outcomes(@Nullable List<Work.UpdateResult> results) {
        return results == null
                ? List.of()
                : results.stream().map(HttpWorkSource::outcome).toList();
    }

    private static Outcome outcome(Work.UpdateResult result) {
        return result.outcome().equals(Work.REFUSED)
                ? new Outcome(result.detail() == null ? "no reason was given" : result.detail())
                : Outcome.RECEIVED;
    }

    @Override
    public List<Renewal> renew(List<Job> jobs) throws InterruptedException {
        var heartbeats =
                jobs.stream().map(job -> Work.Heartbeat.of(job.claim())).toList();
        String body = WireJson.STRICT.writeValueAsString(new Work.HeartbeatRequest(heartbeats));
        return required(send("/v1/heartbeats", body, Work.HeartbeatResults.class)
                        .results())
                .stream()
                .map(HttpWorkSource::renewal)
                .toList();
    }

    private static Renewal renewal(Work.HeartbeatResult result) {
        if (result.outcome().equals(Work.REFUSED)) {
            return Renewal.UNKNOWN; // a refusal says nothing about the claim
        }
        Long remaining = result.remainingMs();
        return result.outcome().equals("extended") && remaining != null
                ? Renewal.extended(remaining, Boolean.TRUE.equals(result.cancelRequested()))
                : Renewal.LOST;
    }

    @Override
    public int bytes(EncodedReport report) {
        return report.bytes();
    }

    private <T> T send(String path, String body, Class<T> type) throws InterruptedException {
        try {
            return client.sendOnce(path, body, type);
        } catch (RequestFailed.Unreachable e) {
            throw new SourceFailure.Unavailable(String.valueOf(e.getMessage()), e.retryAfter(), e);
        } catch (RequestFailed.Refused e) {
            int status = e.problem().status();
            boolean forbidden = status == UNAUTHENTICATED || status == FORBIDDEN;
            String advice = forbidden ? TOKEN_ADVICE : "";
            throw new SourceFailure.Refused(e.getMessage() + advice, forbidden, e);
        }
    }
}
