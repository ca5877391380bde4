package dev.weir.engine;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.run.BacklogReader;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.WorkerSnapshot;
import dev.weir.core.state.BacklogSlice;
import dev.weir.core.state.Claim;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.engine.request.StateQuery;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Copies the unfinished work of an organisation, so that its course can be predicted beside the loop. A small backlog is
 * copied in one query, and is exact. A larger one is copied slice by slice, while the loop goes on; one that exceeds the
 * bound is sampled.
 */
public final class BacklogCopies {
    /** The most rows of runs, steps and items that a copy has. */
    public static final int UNITS_MAX = 10_000;

    /** The rows that one query copies at most, so that it uses a few milliseconds of the loop. */
    private static final int SLICE_UNITS = 10_000;
    /** The runs that one query visits at most. */
    private static final int SLICE_RUNS = 10_000;
    /** The waiting units that a sample aims at. */
    private static final int SAMPLE_UNITS = 4_000;
    /** The limits whose starts are copied: those that the copied work needs first. */
    private static final int LIMITS_MAX = 2_000;

    private static final int WORKERS_MAX = 1_000;
    private static final long ANSWER_TIMEOUT_SECONDS = 30;

    private final Weir weir;

    public BacklogCopies(Weir weir) {
        this.weir = weir;
    }

    /**
     * A copy.
     *
     * @param oneIn of how many units one was copied; 1 = all of them
     * @param now the time at which the copy was complete
     */
    public record Copy(
            OrganisationRows rows, BacklogReader.Totals totals, int oneIn, List<WorkerSnapshot> workers, long now) {}

    /** The first query: the frame of the copy, and all of the work if it is small. */
    private record Frame(
            OrganisationRows settings,
            BacklogReader.Totals totals,
            List<WorkerSnapshot> workers,
            BacklogSlice first,
            List<LimitStart> starts,
            long now) {}

    /** Copies the work of an organisation. */
    public Copy copy(String org) throws ExecutionException, TimeoutException, InterruptedException {
        Frame frame = query(org, BacklogCopies::frame);
        if (frame.first.complete()) {
            OrganisationRows rows = join(frame.settings, List.of(frame.first), frame.starts);
            return new Copy(rows, frame.totals, 1, frame.workers, frame.now);
        }
        int oneIn = 1;
        List<BacklogSlice> slices = readAll(org, oneIn, frame.first);
        while (slices.isEmpty()) {
            oneIn = Math.max(2 * oneIn, Math.toIntExact(Math.min(frame.totals.waiting() / SAMPLE_UNITS, 1 << 20)));
            slices = readAll(org, oneIn, null);
        }
        SequencedSet<LimitId.Shared> limits = limitsOf(slices);
        record End(List<LimitStart> starts, long now) {}
        End end = query(org, (organisation, now) -> new End(reader(organisation).starts(limits), now));
        return new Copy(join(frame.settings, slices, end.starts), frame.totals, oneIn, frame.workers, end.now);
    }

    private static BacklogReader reader(Organisation organisation) {
        return organisation.view().backlog();
    }

    private static Frame frame(Organisation organisation, long now) {
        BacklogReader reader = reader(organisation);
        BacklogSlice first =
                reader.slice(BacklogSlice.Position.START, new BacklogSlice.Size(SLICE_UNITS, SLICE_RUNS, 1));
        return new Frame(
                reader.settings(),
                reader.totals(),
                organisation.view().workers().list("", "", WORKERS_MAX, now),
                first,
                first.complete() ? reader.starts(limitsOf(List.of(first))) : List.of(),
                now);
    }

    /** Reads all slices. Returns none if they would be too large together. */
    private List<BacklogSlice> readAll(String org, int oneIn, @Nullable BacklogSlice first)
            throws ExecutionException, TimeoutException, InterruptedException {
        List<BacklogSlice> slices = new ArrayList<>();
        var size = new BacklogSlice.Size(SLICE_UNITS, SLICE_RUNS, oneIn);
        BacklogSlice slice = first == null ? read(org, BacklogSlice.Position.START, size) : first;
        int units = 0;
        while (true) {
            slices.add(slice);
            units += slice.units();
            if (slice.oversized() || units > UNITS_MAX) {
                return List.of();
            }
            if (slice.complete()) {
                return slices;
            }
            slice = read(org, slice.end(), size);
        }
    }

    private BacklogSlice read(String org, BacklogSlice.Position after, BacklogSlice.Size size)
            throws ExecutionException, TimeoutException, InterruptedException {
        return query(org, (organisation, now) -> reader(organisation).slice(after, size));
    }

    /** The limits that the copied work needs, as many as are copied. */
    private static SequencedSet<LimitId.Shared> limitsOf(List<BacklogSlice> slices) {
        SequencedSet<LimitId.Shared> limits = new LinkedHashSet<>();
        for (BacklogSlice slice : slices) {
            slice.runs().forEach(run -> addLimits(run.limitNeeds().needs(), limits));
            for (StepRow step : slice.steps()) {
                if (step.limitNeeds() != null && !step.state().ended()) {
                    addLimits(step.limitNeeds().needs(), limits);
                }
            }
        }
        return limits;
    }

    private static void addLimits(List<LimitNeed> needs, SequencedSet<LimitId.Shared> limits) {
        for (LimitNeed need : needs) {
            if (limits.size() < LIMITS_MAX) {
                limits.add(need.limit());
            }
        }
    }

    private static OrganisationRows join(
            OrganisationRows settings, List<BacklogSlice> slices, List<LimitStart> starts) {
        List<RunRow> runs = new ArrayList<>();
        List<StepRow> steps = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Signal> signals = new ArrayList<>();
        for (BacklogSlice slice : slices) {
            runs.addAll(slice.runs());
            steps.addAll(slice.steps());
            claims.addAll(slice.claims());
            signals.addAll(slice.signals());
        }
        return new OrganisationRows(
                runs,
                steps,
                claims,
                signals,
                starts,
                settings.operators(),
                settings.profiles(),
                settings.workflows(),
                List.of(),
                settings.nextRunNumber(),
                settings.highestFence(),
                List.of(),
                settings.access(),
                settings.events(),
                settings.attention());
    }

    private <T> T query(String org, StateQuery<T> query)
            throws ExecutionException, TimeoutException, InterruptedException {
        return weir.query(org, query).get(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
