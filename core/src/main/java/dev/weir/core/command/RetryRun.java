package dev.weir.core.command;

import dev.weir.core.definition.Compensation;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Retries a run that failed or was cancelled: starts a new run with the same version and input. The new run takes over
 * the steps that the old one completed and did not compensate. A step that needs a repeated step is repeated too.
 *
 * @param run the id of the new run
 * @param oldRun the row of the retried run as it ended
 * @param steps the rows of its steps as they ended
 * @param by the actor that retries it; absent if unknown
 */
public record RetryRun(
        String run,
        RunRow oldRun,
        List<StepRow> steps,
        @Nullable String by) implements RunCommand<StartRun.Answer>, AuditedCommand {
    private static final String RETRY_SUFFIX = ".retry-";
    private static final Pattern RETRY_ID = Pattern.compile("(.*)\\.retry-([0-9]{1,9})");

    public RetryRun {
        steps = List.copyOf(steps);
    }

    /** Creates a retry by an unknown actor. */
    public RetryRun(String run, RunRow oldRun, List<StepRow> steps) {
        this(run, oldRun, steps, null);
    }

    @Override
    public String auditTarget() {
        return "run:" + oldRun.id();
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        JsonNode retry = AuditValues.run(org.runs(), run);
        return retry == null ? null : JsonNodeFactory.instance.objectNode().put("retried_as", run);
    }

    /**
     * Returns the id of the new run if the caller chose none. It depends only on the old run, so that asking twice
     * retries once.
     */
    public static String nextRetryId(String run) {
        Matcher retried = RETRY_ID.matcher(run);
        return retried.matches()
                ? retried.group(1) + RETRY_SUFFIX + (Long.parseLong(retried.group(2)) + 1)
                : run + RETRY_SUFFIX + "1";
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public StartRun.Answer decide(RunControl runs, long now) {
        if (!oldRun.state().ended() || runs.isLive(oldRun.id())) {
            return new StartRun.Answer.Refused(
                    "expected a run that has ended, found run " + oldRun.id() + ", which is still live");
        }
        if (oldRun.state() == RunState.COMPLETED) {
            return new StartRun.Answer.Refused(
                    "expected a run that failed or was cancelled, found run " + oldRun.id() + ", which completed");
        }
        StartRun.Answer answer = new StartRun(request()).decide(runs, now);
        if (answer instanceof StartRun.Answer.Accepted) {
            runs.takeOverResults(run, completedSteps(), now);
        }
        return answer;
    }

    private RunRequest request() {
        RunRequest first = oldRun.request();
        return new RunRequest(
                run,
                first.plan(),
                oldRun.input(),
                first.priority(),
                first.flowControl(),
                first.labels(),
                new RunRequest.Options(
                        0, first.options().targets(), first.options().priority()),
                first.lineage().withRetryOf(oldRun.id()).withStartedBy(by));
    }

    /** Returns the rows of the steps that the old run completed or skipped, and did not compensate. */
    private Map<String, StepRow> completedSteps() {
        Set<String> compensated = new HashSet<>();
        Map<String, StepRow> completed = new HashMap<>();
        for (StepRow row : steps) {
            String id = row.id().step();
            boolean ended = row.state() == StepState.COMPLETED || row.state() == StepState.SKIPPED;
            if (id.endsWith(Compensation.SUFFIX) && row.state() == StepState.COMPLETED) {
                compensated.add(Compensation.compensatedStepId(id));
            } else if (row.id().item() == UnitId.NO_ITEM && ended) {
                completed.put(id, row);
            }
        }
        completed.keySet().removeAll(compensated);
        return completed;
    }
}
