package dev.weir.engine;

import dev.weir.core.command.UpdateStep;
import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.secret.SecretRedactor;
import dev.weir.engine.secret.SecretSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Replaces the values of secrets in workers' reports about steps that received them. The step's input names the
 * secrets, and their values are looked up again, so this needs only the rows and works after a restart. A report about
 * a step without secrets costs one command as before; a report about a step with secrets costs three.
 */
final class ReportRedaction {
    /** A reference to a secret, as the records show it in an input. */
    private static final Pattern SECRET_REFERENCE = Pattern.compile("\\$\\{\\{ secrets\\.([A-Za-z_][A-Za-z0-9_]*) }}");

    private final Weir weir;
    private final SecretSource secrets;
    private final BiFunction<String, UpdateStep, CompletableFuture<UpdateStep.Answer>> shardSender;
    private final Executor threads;

    /**
     * Creates the redaction of a node.
     *
     * @param shardSender sends a report to the shard of its organisation
     * @param threads run the text search, so that no shard waits for it
     */
    ReportRedaction(
            Weir weir,
            SecretSource secrets,
            BiFunction<String, UpdateStep, CompletableFuture<UpdateStep.Answer>> shardSender,
            Executor threads) {
        this.weir = weir;
        this.secrets = secrets;
        this.shardSender = shardSender;
        this.threads = threads;
    }

    CompletableFuture<UpdateStep.Answer> send(String org, UpdateStep report) {
        return shardSender.apply(org, report.unredacted()).thenCompose(answer -> switch (answer) {
            case MAY_HOLD_SECRETS ->
                secretNames(org, report.unit()).thenComposeAsync(names -> sendRedacted(org, report, names), threads);
            case RUN_TERMINAL, UPDATE_CONFLICT -> resendRedacted(org, report, answer);
            case APPLIED, REPLAYED, CLAIM_SUPERSEDED, NOT_FOUND -> CompletableFuture.completedFuture(answer);
        });
    }

    private CompletableFuture<UpdateStep.Answer> sendRedacted(String org, UpdateStep report, Set<String> names) {
        return shardSender.apply(org, report.redactedAs(redactor(org, names).redact(report.update())));
    }

    /**
     * Handles a report that differs from the applied one. It may differ only because it is not redacted; the step's
     * input is in the rows by now.
     */
    private CompletableFuture<UpdateStep.Answer> resendRedacted(
            String org, UpdateStep report, UpdateStep.Answer answer) {
        return CompletableFuture.supplyAsync(() -> secretNamesInRows(org, report.unit()), threads)
                .thenCompose(names ->
                        names.isEmpty() ? CompletableFuture.completedFuture(answer) : sendRedacted(org, report, names));
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
        Set<String> names;
        try {
            names = secretNames(org, chunk.unit()).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Unavailable unavailable) {
                throw unavailable;
            }
            throw e;
        }
        String text = names.isEmpty() ? chunk.text() : redactor(org, names).mask(chunk.text());
        return weir.records().logs().append(org, new LogChunk(chunk.unit(), chunk.fence(), chunk.from(), text));
    }

    /** The names of the secrets that a step received. */
    private CompletableFuture<Set<String>> secretNames(String org, UnitId unit) {
        return weir.query(org, (organisation, now) -> {
            Set<String> names = new HashSet<>();
            organisation
                    .findStep(unit)
                    .map(StepRow::input)
                    .map(RenderedTemplate::secretTexts)
                    .orElse(List.of())
                    .stream()
                    .flatMap(text -> text.parts().stream())
                    .filter(RenderedTemplate.Part::secret)
                    .forEach(part -> names.add(part.text()));
            return names;
        });
    }

    private SecretRedactor redactor(String org, Set<String> names) {
        List<String> values = new ArrayList<>();
        names.stream()
                .map(name -> secrets.find(org, name))
                .flatMap(Optional::stream)
                .forEach(values::add);
        return new SecretRedactor(values);
    }
}
