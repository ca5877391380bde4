package dev.weir.testkit.journal;

import dev.weir.core.definition.Step;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.records.AccountStore;
import dev.weir.engine.records.AuditStore;
import dev.weir.engine.records.BulkStore;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.DeadLetterStore;
import dev.weir.engine.records.EventStore;
import dev.weir.engine.records.LoggedAttempt;
import dev.weir.engine.records.NoticeRecord;
import dev.weir.engine.records.NoticeStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import dev.weir.engine.records.WorkflowRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the history of a journal in memory. */
final class MemoryRecords implements Records {
    private final MemoryJournal journal;
    private final Map<String, CachedHistory> cache = new HashMap<>();

    /** The history of an organisation up to the position at which reading will continue. */
    private static final class CachedHistory {
        private final MoveHistory history = new MoveHistory();
        private int position;
    }

    private final AccountStore accounts = new MemoryAccountStore(this::counts);

    MemoryRecords(MemoryJournal journal) {
        this.journal = journal;
    }

    private synchronized ExecutionCounts counts(String org) {
        return history(org).counts;
    }

    private MoveHistory history(String org) {
        CachedHistory cached = cache.computeIfAbsent(org, ignored -> new CachedHistory());
        List<Move> newMoves;
        synchronized (journal) {
            newMoves = journal.organisation(org).movesSince(cached.position);
        }
        cached.history.apply(newMoves);
        cached.position += newMoves.size();
        return cached.history;
    }

    @Override
    public synchronized Optional<RunRecord> findRun(String org, String run) {
        return Optional.ofNullable(history(org).runs.get(run)).map(MemoryRecords::record);
    }

    private static RunRecord record(MoveHistory.RunHistory run) {
        RunRow row = run.row;
        RunEnding ending = row.ending();
        return new RunRecord(
                row.id(),
                row.number(),
                row.request().plan().workflow().name(),
                row.request().plan().version(),
                row.state(),
                row.request().priority(),
                row.input(),
                row.request().labels(),
                new RunRecord.Times(
                        Moment.toInstant(row.acceptedAt()),
                        row.startedAt() == RunRow.NOT_STARTED ? null : Moment.toInstant(row.startedAt()),
                        toInstant(run.endedAt)),
                ending == null ? null : ending.reason(),
                row.request().lineage(),
                row.detail().waited(),
                RunRecord.Deadline.of(row.detail()));
    }

    private static @Nullable Instant toInstant(@Nullable Long at) {
        return at == null || at == Moment.NEVER ? null : Moment.toInstant(at);
    }

    @Override
    public synchronized RecordPage<RunRecord> runs(String org, RunFilter filter, PageRequest page) {
        long before = page.cursor().isEmpty() ? Long.MAX_VALUE : Long.parseLong(page.cursor());
        List<RunRecord> found = history(org).runs.values().stream()
                .filter(run -> run.row.number() < before)
                .filter(run -> filter.key() == null || hasKey(run, filter.key()))
                .map(MemoryRecords::record)
                .filter(filter::matchesWithoutKey)
                .sorted(Comparator.comparingLong(RunRecord::number).reversed())
                .map(RunRecord::withoutInput)
                .toList();
        boolean hasMore = found.size() > page.limit();
        List<RunRecord> entries = hasMore ? found.subList(0, page.limit()) : found;
        return new RecordPage<>(
                entries, hasMore ? String.valueOf(entries.getLast().number()) : "");
    }

    private static boolean hasKey(MoveHistory.RunHistory run, String key) {
        return run.steps.values().stream().anyMatch(step -> hasKey(step.row(), key));
    }

    private static boolean hasKey(StepRow step, String key) {
        return step.limitNeeds() != null
                && step.limitNeeds().needs().stream()
                        .anyMatch(need -> need.limit().equals(new LimitId.Key(key)));
    }

    @Override
    public EventStore events() {
        return new MemoryEventStore(org -> {
            synchronized (this) {
                return history(org).events.records();
            }
        });
    }

    @Override
    public synchronized boolean hasKey(String org, String run, String key) {
        MoveHistory.RunHistory found = history(org).runs.get(run);
        return found != null && hasKey(found, key);
    }

    @Override
    public synchronized RecordPage<LoggedAttempt> loggedAttempts(String org, String key, PageRequest page) {
        List<LoggedAttempt> all = history(org).runs.values().stream()
                .sorted(Comparator.comparingLong((MoveHistory.RunHistory run) -> run.row.number())
                        .reversed())
                .flatMap(run -> run.steps.values().stream())
                .map(MoveHistory.StepHistory::row)
                .filter(step -> hasKey(step, key))
                .flatMap(step -> journal.logs().attempts(org, step.id()).stream())
                .toList();
        return page(all, page);
    }

    @Override
    public BulkStore bulk() {
        return journal.bulk();
    }

    private static <T> RecordPage<T> page(List<T> all, PageRequest page) {
        int from = page.cursor().isEmpty() ? 0 : Math.min(all.size(), Integer.parseInt(page.cursor()));
        int to = Math.min(all.size(), from + page.limit());
        return new RecordPage<>(all.subList(from, to), to < all.size() ? String.valueOf(to) : "");
    }

    @Override
    public synchronized List<StepRecord> steps(String org, String run) {
        MoveHistory.RunHistory found = history(org).runs.get(run);
        List<StepRecord> steps = new ArrayList<>();
        if (found != null) {
            for (Step step : found.row.request().plan().workflow().steps()) {
                steps.add(step(found, UnitId.of(run, step.id())));
            }
        }
        return steps;
    }

    private static StepRecord step(MoveHistory.RunHistory run, UnitId unit) {
        MoveHistory.StepHistory step = run.steps.get(unit);
        if (step == null) {
            StepState state = run.endedAt == null ? StepState.BLOCKED : StepState.CANCELLED;
            return new StepRecord(
                    unit,
                    state,
                    0,
                    0,
                    null,
                    null,
                    null,
                    new StepRecord.Times(null, null, null, null),
                    null,
                    List.of(),
                    null,
                    null,
                    null,
                    null);
        }
        StepRow row = step.row();
        return new StepRecord(
                unit,
                row.state(),
                row.fence(),
                row.attempts(),
                row.input() == null ? null : row.input().insertSecrets(name -> "${{ secrets." + name + " }}"),
                row.lastOutcome(),
                row.items() == StepRow.NOT_FANNED_OUT ? null : items(run, row),
                new StepRecord.Times(
                        toInstant(row.since()),
                        toInstant(step.grantedAt()),
                        toInstant(row.due()),
                        toInstant(step.endedAt())),
                row.detail().child(),
                row.detail().waited(),
                row.detail().approval(),
                row.detail().provided(),
                row.detail().signal(),
                row.detail().reporter());
    }

    private static StepRecord.Items items(MoveHistory.RunHistory run, StepRow step) {
        int made = 0;
        int running = 0;
        int ended = 0;
        int failed = 0;
        for (UnitId unit : run.steps.keySet()) {
            if (unit.step().equals(step.id().step()) && unit.item() != UnitId.NO_ITEM) {
                StepState state = step(run, unit).state();
                made++;
                running += state == StepState.RUNNING ? 1 : 0;
                ended += state.ended() ? 1 : 0;
                failed += state == StepState.FAILED ? 1 : 0;
            }
        }
        return new StepRecord.Items(step.items(), made, running, ended, failed);
    }

    @Override
    public synchronized Optional<StepRecord> findStep(String org, UnitId unit) {
        MoveHistory.RunHistory run = history(org).runs.get(unit.run());
        boolean known = run != null
                && (run.steps.containsKey(unit)
                        || (unit.item() == UnitId.NO_ITEM
                                && run.row.request().plan().workflow().steps().stream()
                                        .anyMatch(step -> step.id().equals(unit.step()))));
        return run == null || !known ? Optional.empty() : Optional.of(step(run, unit));
    }

    @Override
    public synchronized RecordPage<StepRecord> items(String org, String run, String step, PageRequest page) {
        MoveHistory.RunHistory found = history(org).runs.get(run);
        if (found == null) {
            return new RecordPage<>(List.of(), "");
        }
        List<StepRecord> items = found.steps.keySet().stream()
                .filter(unit -> unit.step().equals(step) && unit.item() != UnitId.NO_ITEM)
                .sorted(Comparator.comparingInt(UnitId::item))
                .map(unit -> step(found, unit))
                .toList();
        return page(items, page);
    }

    @Override
    public synchronized Optional<StepRecord> lastItem(String org, String run, String step) {
        MoveHistory.RunHistory found = history(org).runs.get(run);
        return found == null
                ? Optional.empty()
                : found.steps.keySet().stream()
                        .filter(unit -> unit.step().equals(step) && unit.item() != UnitId.NO_ITEM)
                        .map(unit -> step(found, unit))
                        .filter(item -> item.times().endedAt() != null)
                        .max(Comparator.<StepRecord, Instant>comparing(item ->
                                        Objects.requireNonNull(item.times().endedAt()))
                                .thenComparingInt(item -> item.unit().item()));
    }

    @Override
    public synchronized RecordPage<WorkflowRecord> workflows(String org, PageRequest page) {
        List<WorkflowRecord> newest = history(org).workflows.values().stream()
                .map(versions -> record(versions.getLast()).withoutDefinition())
                .toList();
        return page(newest, page);
    }

    private static WorkflowRecord record(Move.WorkflowRegistered added) {
        return new WorkflowRecord(
                added.workflow().name(),
                added.version(),
                added.hash(),
                added.workflow().toJson(),
                Moment.toInstant(added.at()));
    }

    @Override
    public synchronized Optional<WorkflowRecord> findWorkflow(String org, String name, @Nullable Integer version) {
        List<Move.WorkflowRegistered> versions = history(org).workflows.getOrDefault(name, List.of());
        int chosen = version == null ? versions.size() : version;
        return chosen < 1 || chosen > versions.size()
                ? Optional.empty()
                : Optional.of(record(versions.get(chosen - 1)));
    }

    @Override
    public LogStore logs() {
        return journal.logs();
    }

    @Override
    public DeadLetterStore deadLetters() {
        return new MemoryDeadLetterStore(org -> {
            synchronized (this) {
                return withoutOldRefusals(history(org).deadLetters);
            }
        });
    }

    @Override
    public NoticeStore notices() {
        return (org, filter, page) -> {
            synchronized (this) {
                long before = page.cursor().isEmpty() ? Long.MAX_VALUE : Long.parseLong(page.cursor());
                List<NoticeRecord> found = history(org).notices.reversed().stream()
                        .filter(each -> each.notice().number() < before && filter.matches(each))
                        .toList();
                boolean isFull = found.size() > page.limit();
                List<NoticeRecord> entries = isFull ? found.subList(0, page.limit()) : found;
                return new RecordPage<>(
                        entries,
                        isFull ? String.valueOf(entries.getLast().notice().number()) : "");
            }
        };
    }

    private static List<DeadLetterRecord> withoutOldRefusals(List<DeadLetterRecord> all) {
        long refused = all.stream().filter(MemoryRecords::isRefusedStart).count();
        List<DeadLetterRecord> kept = new ArrayList<>();
        for (DeadLetterRecord each : all) {
            if (!isRefusedStart(each) || refused-- <= REFUSED_STARTS_MAX) {
                kept.add(each);
            }
        }
        return kept;
    }

    private static boolean isRefusedStart(DeadLetterRecord found) {
        return found.letter().content().kind() == DeadLetter.Kind.REFUSED_START;
    }

    @Override
    public AccountStore accounts() {
        return accounts;
    }

    @Override
    public AuditStore audit() {
        return new MemoryAuditStore(org -> {
            synchronized (this) {
                return List.copyOf(history(org).audit);
            }
        });
    }

    @Override
    public Map<String, Instant> lastTokenUses(String org) {
        return Map.of();
    }
}
