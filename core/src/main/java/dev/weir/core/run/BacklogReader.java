package dev.weir.core.run;

import dev.weir.core.admission.ModuleDirectory;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.state.AccessRows;
import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.BacklogSlice;
import dev.weir.core.state.Claim;
import dev.weir.core.state.EventRows;
import dev.weir.core.state.OperatorRows;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Copies the unfinished work of an organisation as rows, slice by slice, for predictions. It changes nothing. A slice
 * costs as much as the runs that it visits and the rows that it returns, however much work waits.
 */
public final class BacklogReader {
    /** The number of visited runs by which a reader finds its way back. */
    private static final int MARKS = 16;
    /** The most starts that are copied at once. */
    private static final int STARTS_MAX = 50_000;

    private final LiveOrganisation org;

    BacklogReader(LiveOrganisation org) {
        this.org = org;
    }

    /**
     * The size of the backlog.
     *
     * @param runs the live runs
     * @param waiting the steps, items and runs that wait for a limit or a worker
     */
    public record Totals(int runs, long waiting) {}

    public Totals totals() {
        return new Totals(org.runs.size(), modules().waiting());
    }

    private ModuleDirectory modules() {
        return org.admission.moduleDirectory();
    }

    /** Returns everything that is stored of the organisation except its runs, events, tokens and notices. */
    public OrganisationRows settings() {
        var access = new AccessRows(new TreeMap<>(), AuditHead.EMPTY, new TreeMap<>(), org.stops.rows());
        return new OrganisationRows(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new OperatorRows(
                        org.operatorSettings.pins,
                        org.operatorSettings.runLimits,
                        org.operatorSettings.pauses,
                        org.operatorSettings.holds),
                org.moduleDefaults.all(),
                org.workflows.all(),
                List.of(),
                org.nextRunNumber,
                org.highestFence,
                List.of(),
                access,
                EventRows.NONE,
                AttentionRows.NONE);
    }

    /** Returns the starts that the rates of these limits remember, of as many of them as fit into a bound. */
    public List<LimitStart> starts(Collection<LimitId.Shared> limits) {
        List<LimitStart> starts = new ArrayList<>();
        for (LimitId.Shared limit : limits) {
            List<LimitStart> remembered = org.admission.directory().rememberedStarts(limit);
            if (starts.size() + remembered.size() <= STARTS_MAX) {
                starts.addAll(remembered);
            }
        }
        return starts;
    }

    /** Returns the next runs with their steps and items. */
    public BacklogSlice slice(BacklogSlice.Position after, BacklogSlice.Size size) {
        var rows = new Rows(size.oneIn());
        Run next = runAfter(after);
        long visited = after.visited();
        long number = after.number();
        var marks = new ArrayDeque<String>(after.marks());
        for (int i = 0; next != null && i < size.runsMax(); i++, next = next.later) {
            if (rows.size() + unitsOf(next, size.oneIn()) > size.unitsMax()) {
                return rows.slice(
                        new BacklogSlice.Position(number, visited, List.copyOf(marks)), false, rows.size() == 0);
            }
            rows.add(next, visited % size.oneIn() == 0);
            visited++;
            number = next.number();
            marks.addFirst(next.id());
            if (marks.size() > MARKS) {
                marks.removeLast();
            }
        }
        return rows.slice(new BacklogSlice.Position(number, visited, List.copyOf(marks)), next == null, false);
    }

    private @Nullable Run runAfter(BacklogSlice.Position position) {
        Run found = null;
        for (String mark : position.marks()) {
            Run run = org.runs.find(mark);
            found = found == null && run != null && run.number() <= position.number() ? run : found;
        }
        Run next = found == null ? org.runs.first() : found.later;
        while (next != null && next.number() <= position.number()) {
            next = next.later;
        }
        return next;
    }

    private static int unitsOf(Run run, int oneIn) {
        int units = 1 + run.steps.length;
        for (RunStep step : run.steps) {
            units += step.items == null ? 0 : step.items.createdCount / oneIn;
        }
        return units;
    }

    /** The rows of a slice. */
    private static final class Rows {
        private final int oneIn;
        private final List<RunRow> runs = new ArrayList<>();
        private final List<StepRow> steps = new ArrayList<>();
        private final List<Claim> claims = new ArrayList<>();
        private final List<Signal> signals = new ArrayList<>();

        Rows(int oneIn) {
            this.oneIn = oneIn;
        }

        int size() {
            return runs.size() + steps.size();
        }

        BacklogSlice slice(BacklogSlice.Position end, boolean complete, boolean oversized) {
            return new BacklogSlice(runs, steps, claims, signals, end, complete, oversized);
        }

        /**
         * Adds a run. Of a sample, one run in so many is taken as a whole; of a large fan-out, one item in so many is
         * taken whichever run it belongs to.
         */
        void add(Run run, boolean chosen) {
            if (!chosen && !hasLargeFanOut(run)) {
                return;
            }
            runs.add(run.row());
            for (RunStep step : run.steps) {
                if (isLarge(step)) {
                    addSampled(step);
                } else {
                    step.addTo(steps, claims);
                }
            }
            for (RunStep step : run.compensationSteps()) {
                step.addTo(steps, claims);
            }
            signals.addAll(run.signals.values());
        }

        private boolean hasLargeFanOut(Run run) {
            for (RunStep step : run.steps) {
                if (isLarge(step)) {
                    return true;
                }
            }
            return false;
        }

        private boolean isLarge(RunStep step) {
            return oneIn > 1
                    && step.items != null
                    && !step.state.ended()
                    && step.items.createdCount - step.items.ended >= oneIn;
        }

        /** Adds one item in so many, with new indices, as if the fan-out had no others. */
        private void addSampled(RunStep step) {
            int place = steps.size();
            int count = 0;
            ItemSet items = step.items();
            for (int i = 0; i < items.createdCount; i += oneIn) {
                Item item = items.get(i);
                if (!item.state.ended() && (item.limitNeeds != null || item.state != StepState.REQUESTED)) {
                    var id = new UnitId(step.run.id(), step.planned.id(), count);
                    steps.add(item.row().withId(id));
                    if (item.liveClaim != null) {
                        claims.add(item.liveClaim.claim.of(id));
                    }
                    count++;
                }
            }
            steps.add(place, step.row().withItems(count));
        }
    }
}
