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

/**
 * Retries a run that failed or was cancelled: starts a new run with the same version and input. The new run takes over
 * the steps that the old one completed and did not compensate. A step that needs a repeated step is repeated too.
 *
 * @param run the id of the new run
 * @param old the row of the retried run as it ended
 * @param steps the rows of its steps as they ended
 */
public record RetryRun(String run, RunRow old, List<StepRow> steps) implements RunCommand<StartRun.Answer> {
    private static final String RETRY = ".retry-";
    private static final Pattern RETRIED = Pattern.compile("(.*)\\.retry-([0-9]{1,9})");

    public RetryRun {
        steps = List.copyOf(steps);
    }

    /**
     * Returns the id of the new run if the caller chose none. It depends only on the old run, so that asking twice
     * retries once.
     */
    public static String idAfter(String run) {
        Matcher retried = RETRIED.matcher(run);
        return retried.matches()
                ? retried.group(1) + RETRY + (Long.parseLong(retried.group(2)) + 1)
                : run + RETRY + "1";
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public StartRun.Answer decide(RunControl runs, long now) {
        if (!old.state().ended() || runs.isLive(old.id())) {
            return new StartRun.Answer.Refused("expected a run that has ended, found run " + old.id() + " alive");
        }
        if (old.state() == RunState.COMPLETED) {
            return new StartRun.Answer.Refused(
                    "expected a run that did not complete, found " + old.id() + " completed");
        }
        StartRun.Answer answer = new StartRun(request()).decide(runs, now);
        if (answer instanceof StartRun.Answer.Accepted) {
            runs.takeOver(run, done(), now);
        }
        return answer;
    }

    private RunRequest request() {
        RunRequest first = old.request();
        return new RunRequest(
                run,
                first.plan(),
                old.input(),
                first.priority(),
                first.flowControl(),
                first.labels(),
                new RunRequest.Options(
                        0, first.options().targets(), first.options().priority()),
                first.origin().retrying(old.id()));
    }

    /** Returns the rows of the steps that the old run completed or skipped, and did not compensate. */
    private Map<String, StepRow> done() {
        Set<String> undone = new HashSet<>();
        Map<String, StepRow> done = new HashMap<>();
        for (StepRow row : steps) {
            String id = row.id().step();
            boolean ended = row.state() == StepState.COMPLETED || row.state() == StepState.SKIPPED;
            if (id.endsWith(Compensation.SUFFIX) && row.state() == StepState.COMPLETED) {
                undone.add(Compensation.undone(id));
            } else if (row.id().item() == UnitId.NO_ITEM && ended) {
                done.put(id, row);
            }
        }
        done.keySet().removeAll(undone);
        return done;
    }
}
