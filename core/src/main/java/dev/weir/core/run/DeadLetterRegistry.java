package dev.weir.core.run;

import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.StepState;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds and closes the dead letters of an organisation. They themselves are not in memory, because there can be any
 * number. Those that were closed last are: a batch of commands reads all of its dead letters before it closes the first.
 */
final class DeadLetterRegistry implements DeadLetterControl {
    /** The number of closed dead letters that are remembered, more than one batch of commands can close. */
    static final int CLOSED_MAX = 1_024;
    /** The number of items of a step that are searched for keys of failed ones. */
    private static final int ITEMS_SEARCHED_MAX = 1_000;

    private final LiveOrganisation org;
    private final Map<Long, Closed> closed = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Closed> oldest) {
            return size() > CLOSED_MAX;
        }
    };
    private long last;
    private long open;

    DeadLetterRegistry(LiveOrganisation org) {
        this.org = org;
    }

    void restore(AttentionRows rows) {
        last = rows.lastDeadLetter();
        open = rows.openDeadLetters();
    }

    AttentionRows rows() {
        return new AttentionRows(last, open, org.notices.last(), org.notices.open());
    }

    /** The number of open dead letters. If there are very many, it counts from the last load. */
    long openCount() {
        return open;
    }

    @Override
    public DeadLetter add(DeadLetter.Content content, long now) {
        last++;
        var letter = new DeadLetter(last, content, now);
        open++;
        org.moves.add(new Move.DeadLettered(letter, now));
        org.notices.recordDeadLetters(open, now);
        return letter;
    }

    @Override
    public void close(long number, DeadLetter.State state, @Nullable String redrivenAs, long now) {
        closed.put(number, new Closed(state, redrivenAs));
        open = Math.max(0, open - 1);
        org.moves.add(new Move.DeadLetterClosed(number, state, redrivenAs, now));
    }

    @Override
    public @Nullable Closed findClosed(long number) {
        return closed.get(number);
    }

    /** Adds the dead letter of a run that has failed. */
    void addFailedRun(Run run, long now) {
        RunEnding ending = run.ending;
        String text = ending == null ? "" : ending.reason();
        var reason = text.equals(RunEnding.DEADLINE_PASSED)
                ? DeadLetter.Reason.DEADLINE_PASSED
                : DeadLetter.Reason.STEP_FAILED;
        RunLineage lineage = run.request.lineage();
        String workflow = run.request.plan().workflow().name();
        String by = lineage.startedBy() == null ? "" : lineage.startedBy();
        add(
                new DeadLetter.Content(
                        DeadLetter.Kind.FAILED_RUN, run.id(), workflow, keys(run), reason, text, List.of(), by, null),
                now);
    }

    /** Returns the flow-control keys of a run's steps, of failed ones first. */
    private static List<String> keys(Run run) {
        Set<String> keys = new LinkedHashSet<>();
        for (RunStep step : run.steps) {
            addFailed(step, keys);
        }
        for (RunStep step : run.steps) {
            addKeys(step.limitNeeds, keys);
        }
        return List.copyOf(keys);
    }

    private static void addFailed(RunStep step, Set<String> keys) {
        if (step.state == StepState.FAILED) {
            addKeys(step.limitNeeds, keys);
        }
        int count = step.items == null ? 0 : Math.min(ITEMS_SEARCHED_MAX, step.items.createdCount);
        for (int i = 0; i < count; i++) {
            Item item = step.items().get(i);
            if (item.state == StepState.FAILED) {
                addKeys(item.limitNeeds, keys);
            }
        }
    }

    private static void addKeys(@Nullable LimitNeeds limitNeeds, Set<String> keys) {
        for (LimitNeed need : limitNeeds == null ? List.<LimitNeed>of() : limitNeeds.needs()) {
            if (need.limit() instanceof LimitId.Key key && keys.size() < DeadLetter.KEYS_MAX) {
                keys.add(key.name());
            }
        }
    }
}
