package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.Claim;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.ListeningSpan;
import dev.weir.core.state.Move;
import dev.weir.core.state.OperatorRows;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes the rows that all moves of an organisation lead to. For each row it reads the whole list of moves; the last
 * move that mentions the row decides. It is slow and simple on purpose. Journals are compared with it, so it shares no
 * code with them.
 */
final class ExpectedRows {
    private final List<Move> moves;
    private final long now;
    /** The moves of each run, in the order in which the runs were accepted. */
    private final Map<String, List<Move.OfRun>> byRun = new LinkedHashMap<>();

    private ExpectedRows(List<Move> moves, long now) {
        this.moves = moves;
        this.now = now;
        for (Move move : moves) {
            if (move instanceof Move.OfRun ofRun) {
                byRun.computeIfAbsent(ofRun.run(), ignored -> new ArrayList<>()).add(ofRun);
            }
        }
    }

    /** Returns the rows without the starts that count against rates; see {@link #checkStarts}. */
    static OrganisationRows of(List<Move> moves, long now) {
        return new ExpectedRows(moves, now).rows();
    }

    private OrganisationRows rows() {
        List<RunRow> runs = new ArrayList<>();
        List<StepRow> steps = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Signal> signals = new ArrayList<>();
        for (List<Move.OfRun> ofRun : byRun.values()) {
            RunRow run = run(ofRun);
            if (!run.state().ended()) {
                runs.add(run);
                List<StepRow> itsSteps = steps(run, ofRun);
                steps.addAll(itsSteps);
                itsSteps.forEach(step -> addClaim(step.id(), ofRun, claims));
                signals.addAll(signals(ofRun));
            }
        }
        long newest = byRun.values().stream()
                .mapToLong(ofRun -> acceptedRow(ofRun).number())
                .max()
                .orElse(0);
        return withoutExpired(
                new OrganisationRows(
                        runs,
                        steps,
                        claims,
                        signals,
                        List.of(),
                        new OperatorRows(pins(), runLimits(), pauses(), holds()),
                        profiles(),
                        ExpectedEvents.workflows(moves),
                        ended(),
                        newest + 1,
                        highestFence(),
                        listening(),
                        ExpectedAccess.of(moves),
                        ExpectedEvents.of(moves),
                        ExpectedAttention.of(moves)),
                now);
    }

    /** Returns the same rows without expired values of operators, and without starts. */
    static OrganisationRows withoutExpired(OrganisationRows rows, long now) {
        SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>(rows.operators().pins());
        SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>(rows.operators().pauses());
        SortedMap<LimitId.Shared, RetryAfterHold> holds =
                new TreeMap<>(rows.operators().holds());
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(hold -> hold.until() <= now);
        return new OrganisationRows(
                rows.runs(),
                rows.steps(),
                rows.claims(),
                rows.signals(),
                List.of(),
                new OperatorRows(pins, rows.operators().runLimits(), pauses, holds),
                rows.profiles(),
                rows.workflows(),
                rows.endedRuns(),
                rows.nextRunNumber(),
                rows.highestFence(),
                rows.listeningSpans(),
                rows.access(),
                rows.events(),
                rows.attention());
    }

    /**
     * Checks the starts that a journal keeps. All must have happened since the last reset of their rate, in that order,
     * and none may be missing that the longest period of its limit still counts.
     */
    static void checkStarts(List<LimitStart> found, List<Move> moves, long now) {
        List<LimitStart> all = new ArrayList<>();
        for (Move move : moves) {
            if (move instanceof Move.RunMoved moved) {
                all.addAll(moved.starts());
            } else if (move instanceof Move.Granted granted) {
                all.addAll(granted.claim().starts());
            } else if (move instanceof Move.RateReset reset) {
                all.removeIf(start -> start.limit().equals(reset.limit()));
            }
        }
        requireSubsequence(found, all, "starts since the last reset");
        Map<LimitId.Shared, Long> periods = new HashMap<>();
        all.forEach(start -> periods.put(start.limit(), start.longestPeriod()));
        addPeriods(of(moves, now), periods);
        List<LimitStart> counting = all.stream()
                .filter(start -> start.at() > now - periods.getOrDefault(start.limit(), 0L))
                .toList();
        requireSubsequence(counting, found, "starts that count");
    }

    /** Requires that the whole contains all entries of the part, in that order. */
    private static void requireSubsequence(List<LimitStart> part, List<LimitStart> whole, String what) {
        Iterator<LimitStart> rest = whole.iterator();
        for (LimitStart start : part) {
            boolean found = false;
            while (!found && rest.hasNext()) {
                found = rest.next().equals(start);
            }
            assertThat(found)
                    .as("%s: expected all of %s, in that order, found %s", what, part, whole)
                    .isTrue();
        }
    }

    private static void addPeriods(OrganisationRows rows, Map<LimitId.Shared, Long> periods) {
        rows.runs().forEach(run -> add(run.limitNeeds(), periods));
        rows.steps().forEach(step -> add(step.limitNeeds(), periods));
        rows.operators().allPins().forEach((limit, pin) -> {
            add(limit, pin.rate().lasting(), periods);
            add(limit, pin.rate().temporary(), periods);
        });
    }

    private static void add(@Nullable LimitNeeds needs, Map<LimitId.Shared, Long> periods) {
        if (needs != null) {
            needs.needs().forEach(need -> add(need.limit(), need.rate(), periods));
        }
    }

    private static void add(LimitId.Shared limit, @Nullable Rate rate, Map<LimitId.Shared, Long> periods) {
        if (rate != null) {
            periods.merge(limit, rate.period(), Math::max);
        }
    }

    private static RunRow acceptedRow(List<Move.OfRun> ofRun) {
        if (ofRun.getFirst() instanceof Move.RunAccepted first) {
            return first.row();
        }
        throw new AssertionError("expected a run to be accepted first, found " + ofRun.getFirst());
    }

    private static RunRow run(List<Move.OfRun> ofRun) {
        RunRow row = acceptedRow(ofRun);
        for (Move.OfRun move : ofRun) {
            row = apply(row, move);
        }
        return row;
    }

    private static RunRow apply(RunRow row, Move.OfRun move) {
        if (move instanceof Move.RunHeld held) {
            return row.withHoldUntil(held.until());
        }
        boolean counts = move instanceof Move.Granted granted && granted.startsInTick() > 0;
        return move instanceof Move.RunMoved moved
                ? moved.row()
                : new RunRow(
                        row.request(),
                        row.number(),
                        move instanceof Move.RunChanged changed ? changed.limitNeeds() : row.limitNeeds(),
                        row.acceptedAt(),
                        row.startedAt(),
                        row.state(),
                        move instanceof Move.RunStopping stopping ? stopping.ending() : row.ending(),
                        move instanceof Move.RunOverridden overridden ? overridden.overrides() : row.overrides(),
                        counts ? move.at() : row.lastGrantAt(),
                        counts ? ((Move.Granted) move).startsInTick() : row.startsInTick(),
                        move instanceof Move.RunChanged changed ? changed.detail() : row.detail());
    }

    private static List<StepRow> steps(RunRow run, List<Move.OfRun> ofRun) {
        Map<UnitId, StepRow> newest = new HashMap<>();
        for (Move.OfRun move : ofRun) {
            StepRow row = stepRow(move);
            if (row != null) {
                newest.put(row.id(), row);
            } else if (move instanceof Move.StepChanged changed && newest.containsKey(changed.unit())) {
                newest.put(changed.unit(), newest.get(changed.unit()).with(changed.detail()));
            }
        }
        return newest.values().stream()
                .sorted(Comparator.<StepRow>comparingInt(
                                row -> run.request().plan().indexOf(row.id().step()))
                        .thenComparingInt(row -> row.id().item()))
                .toList();
    }

    private static @Nullable StepRow stepRow(Move.OfRun move) {
        if (move instanceof Move.StepMoved moved) {
            return moved.row();
        }
        if (move instanceof Move.ItemCreated made) {
            return made.row();
        }
        if (move instanceof Move.Granted granted) {
            return granted.row();
        }
        if (move instanceof Move.Resumed resumed) {
            return resumed.row();
        }
        if (move instanceof Move.StepPutAhead ahead) {
            return ahead.row();
        }
        return move instanceof Move.OutputAmended amended ? amended.row() : null;
    }

    /** Finds the last claim of a unit, unless it was released. */
    private static void addClaim(UnitId unit, List<Move.OfRun> ofRun, List<Claim> found) {
        for (int i = ofRun.size() - 1; i >= 0; i--) {
            Move.OfRun move = ofRun.get(i);
            if (move instanceof Move.Released released && released.unit().equals(unit)) {
                return;
            }
            Claim claim = move instanceof Move.Granted granted
                    ? granted.claim()
                    : move instanceof Move.Resumed resumed ? resumed.claim() : null;
            if (claim != null && claim.unit().equals(unit)) {
                found.add(withExtensions(claim, ofRun.subList(i, ofRun.size())));
                return;
            }
        }
    }

    private static Claim withExtensions(Claim claim, List<Move.OfRun> since) {
        long until = claim.until();
        for (Move.OfRun move : since) {
            if (move instanceof Move.Extended extended && extended.unit().equals(claim.unit())) {
                until = extended.until();
            }
        }
        return new Claim(
                claim.unit(),
                claim.fence(),
                claim.worker(),
                claim.request(),
                claim.lease(),
                claim.grantedAt(),
                until,
                claim.timeoutAt(),
                claim.limitNeeds(),
                claim.starts(),
                claim.waited());
    }

    private static List<Signal> signals(List<Move.OfRun> ofRun) {
        SortedMap<Long, Signal> pending = new TreeMap<>();
        for (Move.OfRun move : ofRun) {
            if (move instanceof Move.SignalKept signal) {
                pending.put(signal.signal().number(), signal.signal());
            } else if (move instanceof Move.SignalTaken taken) {
                pending.remove(taken.number());
            }
        }
        return new ArrayList<>(pending.values());
    }

    private List<EndedRun> ended() {
        List<EndedRun> ended = new ArrayList<>();
        for (Move move : moves) {
            if (move instanceof Move.RunMoved moved && moved.row().state().ended()) {
                Map<UnitId, EndedRun.Report> reports = new HashMap<>();
                for (StepRow step : steps(moved.row(), byRun.getOrDefault(moved.run(), List.of()))) {
                    if (step.reported()) {
                        reports.put(step.id(), new EndedRun.Report(step.fence(), step.reportFingerprint()));
                    }
                }
                int fingerprint = moved.row().request().fingerprint();
                ended.add(new EndedRun(moved.run(), moved.row().state(), fingerprint, reports));
            }
        }
        assertThat(ended).as("so few that none is forgotten").hasSizeLessThan(EndedRun.RUNS_MAX);
        return ended;
    }

    private SortedMap<LimitId.Shared, Pin> pins() {
        SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
        for (Move move : moves) {
            if (move instanceof Move.KeyPinned pinned) {
                pins.put(pinned.limit(), pinned.pin());
            } else if (move instanceof Move.KeyUnpinned unpinned) {
                pins.remove(unpinned.limit());
            }
        }
        return pins;
    }

    private SortedMap<LimitId.Shared, RunLimitConfig> runLimits() {
        SortedMap<LimitId.Shared, RunLimitConfig> runLimits = new TreeMap<>();
        movesOf(Move.RunLimitsConfigured.class)
                .forEach(configured -> runLimits.put(configured.limit(), configured.config()));
        return runLimits;
    }

    private SortedMap<LimitId.Shared, Long> pauses() {
        SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
        for (Move move : moves) {
            if (move instanceof Move.KeyPaused paused) {
                pauses.put(paused.limit(), paused.until());
            } else if (move instanceof Move.KeyResumed resumed) {
                pauses.remove(resumed.limit());
            }
        }
        return pauses;
    }

    private SortedMap<LimitId.Shared, RetryAfterHold> holds() {
        SortedMap<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();
        movesOf(Move.KeyHeld.class).forEach(held -> holds.put(held.limit(), held.hold()));
        return holds;
    }

    private <T extends Move> List<T> movesOf(Class<T> type) {
        return moves.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private long highestFence() {
        long highest = 0;
        for (Move move : moves) {
            highest = move instanceof Move.FenceRaised raised ? raised.highest() : highest;
        }
        return highest;
    }

    private List<ListeningSpan> listening() {
        List<ListeningSpan> spans = List.of();
        for (Move move : moves) {
            spans = move instanceof Move.ListeningRecorded noted ? noted.spans() : spans;
        }
        return spans;
    }

    private SortedMap<String, ConcurrencyProfile> profiles() {
        SortedMap<String, ConcurrencyProfile> profiles = new TreeMap<>();
        movesOf(Move.ModuleRegistered.class)
                .forEach(registered -> profiles.put(registered.module(), registered.profile()));
        return profiles;
    }
}
