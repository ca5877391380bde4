package dev.weir.engine;

import dev.weir.core.command.UpdateStep;
import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.secret.SecretRedactor;
import dev.weir.engine.secret.SecretSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Replaces the values of secrets in workers' reports about steps that received them. The step's input names the
 * secrets, and their values are looked up again, so this needs only the rows and works after a restart. Values that were
 * replaced while this process runs are hidden too. A report about
 * a step without secrets costs one command as before; a report about a step with secrets costs three.
 */
final class ReportRedaction {
    /** A reference to a secret, as the records show it in an input. */
    private static final Pattern SECRET_REFERENCE = Pattern.compile("\\$\\{\\{ secrets\\.([A-Za-z_][A-Za-z0-9_]*) }}");

    /** The number of claims whose secrets are remembered for their logs. */
    private static final int CLAIMS_REMEMBERED_MAX = 10_000;

    private final Weir weir;
    private final SecretSource secrets;
    /** The names of the secrets that claims received, so that only the first chunk of a log asks the shard. */
    private final Map<LoggedClaim, Set<String>> loggedClaims = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LoggedClaim, Set<String>> eldest) {
            return size() > CLAIMS_REMEMBERED_MAX;
        }
    };

    /** Sends a report to the shard of its organisation. */
    interface ShardSender {
        CompletableFuture<UpdateStep.Answer> send(String org, UpdateStep report, Attribution by);
    }

    private record LoggedClaim(String org, UnitId unit, long fence) {}

    private final ShardSender shardSender;
    private final Executor threads;

    /**
     * Creates the redaction of a node.
     *
     * @param shardSender sends a report to the shard of its organisation
     * @param threads run the text search, so that no shard waits for it
     */
    ReportRedaction(Weir weir, SecretSource secrets, ShardSender shardSender, Executor threads) {
        this.weir = weir;
        this.secrets = secrets;
        this.shardSender = shardSender;
        this.threads = threads;
    }

    CompletableFuture<UpdateStep.Answer> send(String org, UpdateStep report, Attribution by) {
        return shardSender.send(org, report.unredacted(), by).thenCompose(answer -> switch (answer) {
            case MAY_HOLD_SECRETS ->
                findSecretNames(org, report.unit())
                        .thenComposeAsync(names -> sendRedacted(org, report, by, names.orElse(Set.of())), threads);
            case RUN_TERMINAL, UPDATE_CONFLICT -> resendRedacted(org, report, by, answer);
            case APPLIED, REPLAYED, CLAIM_SUPERSEDED, NOT_FOUND -> CompletableFuture.completedFuture(answer);
        });
    }

    private CompletableFuture<UpdateStep.Answer> sendRedacted(
            String org, UpdateStep report, Attribution by, Set<String> names) {
        return shardSender.send(org, report.redactedAs(redactor(org, names).redact(report.update())), by);
    }

    /**
     * Handles a report that differs from the applied one. It may differ only because it is not redacted; the step's
     * input is in the rows by now.
     */
    private CompletableFuture<UpdateStep.Answer> resendRedacted(
            String org, UpdateStep report, Attribution by, UpdateStep.Answer answer) {
        return CompletableFuture.supplyAsync(() -> secretNamesInRows(org, report.unit()), threads)
                .thenCompose(names -> names.isEmpty()
                        ? CompletableFuture.completedFuture(answer)
                        : sendRedacted(org, report, by, names));
    }

    private Set<String> secretNamesInRows(String org, UnitId unit) {
        JsonNode input =
                weir.records().findStep(org, unit).map(step -> step.input()).orElse(null);
        Set<String> names = new HashSet<>();
        if (input != null) {
            Matcher references = SECRET_REFERENCE.matcher(input.toString());
            while (references.find()) {
                names.add(references.group(1));
            }
        }
        return names;
    }

    /**
     * Stores a chunk of a log. Redaction keeps its length, because the length determines where the next chunk begins.
     */
    LogStore.AppendResult log(String org, LogChunk chunk) {
        var claim = new LoggedClaim(org, chunk.unit(), chunk.fence());
        Set<String> names = findRemembered(claim).orElseGet(() -> remember(claim, readSecretNames(org, chunk.unit())));
        String text = names.isEmpty() ? chunk.text() : redactor(org, names).mask(chunk.text());
        return weir.records().logs().append(org, new LogChunk(chunk.unit(), chunk.fence(), chunk.from(), text));
    }

    private Optional<Set<String>> findRemembered(LoggedClaim claim) {
        synchronized (loggedClaims) {
            return Optional.ofNullable(loggedClaims.get(claim));
        }
    }

    private Set<String> remember(LoggedClaim claim, Set<String> names) {
        synchronized (loggedClaims) {
            loggedClaims.put(claim, names);
        }
        return names;
    }

    /** Reads the names from the live step, or from its row if its run has ended. */
    private Set<String> readSecretNames(String org, UnitId unit) {
        try {
            return findSecretNames(org, unit).join().orElseGet(() -> secretNamesInRows(org, unit));
        } catch (CompletionException e) {
            if (e.getCause() instanceof Unavailable unavailable) {
                throw unavailable;
            }
            throw e;
        }
    }

    /** The names of the secrets that a live step received. */
    private CompletableFuture<Optional<Set<String>>> findSecretNames(String org, UnitId unit) {
        return weir.query(
                org,
                (organisation, now) ->
                        organisation.findStep(unit).map(StepRow::input).map(ReportRedaction::secretNames));
    }

    private static Set<String> secretNames(RenderedTemplate input) {
        Set<String> names = new HashSet<>();
        input.secretTexts().stream()
                .flatMap(text -> text.parts().stream())
                .filter(RenderedTemplate.Part::secret)
                .forEach(part -> names.add(part.text()));
        return names;
    }

    private SecretRedactor redactor(String org, Set<String> names) {
        List<String> values = new ArrayList<>();
        for (String name : names) {
            secrets.find(org, name).ifPresent(values::add);
            values.addAll(secrets.formerValues(org, name));
        }
        return new SecretRedactor(values);
    }
}
