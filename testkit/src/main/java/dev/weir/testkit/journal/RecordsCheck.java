package dev.weir.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import dev.weir.engine.records.WorkflowRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** Checks that the records show everything that happened in a life, of active and of ended runs. */
final class RecordsCheck {
    private static final int PAGE_SIZE = 7;

    private final RandomLife life;
    private final Records records;
    private final Map<String, RunRow> runs = new LinkedHashMap<>();
    private final Map<UnitId, StepRow> steps = new LinkedHashMap<>();

    RecordsCheck(RandomLife life, Records records) {
        this.life = life;
        this.records = records;
        for (Move move : life.committedMoves) {
            if (move instanceof Move.RunAccepted accepted) {
                runs.put(accepted.row().id(), accepted.row());
            } else if (move instanceof Move.RunMoved moved) {
                runs.put(moved.row().id(), moved.row());
            } else if (move instanceof Move.RunChanged changed) {
                runs.computeIfPresent(changed.run(), (run, row) -> row.with(changed.limitNeeds(), changed.detail()));
            } else if (move instanceof Move.StepMoved moved) {
                steps.put(moved.row().id(), moved.row());
            } else if (move instanceof Move.ItemCreated made) {
                steps.put(made.row().id(), made.row());
            } else if (move instanceof Move.Granted granted) {
                steps.put(granted.row().id(), granted.row());
            } else if (move instanceof Move.StepPutAhead ahead) {
                steps.put(ahead.row().id(), ahead.row());
            } else if (move instanceof Move.OutputAmended amended) {
                steps.put(amended.row().id(), amended.row());
            } else if (move instanceof Move.Resumed resumed) {
                steps.put(resumed.row().id(), resumed.row());
            }
        }
    }

    void checkAll() {
        assertThat(runs).as("recorded runs").isNotEmpty();
        checkLists();
        runs.values().forEach(this::checkRun);
        steps.values().forEach(this::checkStep);
        assertThat(records.findRun(life.org, "nobody's")).isEmpty();
        var workflows = readAllPages(page -> records.workflows(life.org, page));
        assertThat(workflows).hasSize(RandomDefinitions.DEFINITIONS.size());
        workflows.forEach(newest -> assertThat(
                        records.findWorkflow(life.org, newest.name(), null).map(WorkflowRecord::withoutDefinition))
                .contains(newest));
        workflows.forEach(newest ->
                assertThat(records.findWorkflow(life.org, newest.name(), 1)).isPresent());
    }

    /** Checks that ended runs can be read as they were. */
    void checkPast(ShardOwnership ownership) {
        for (RunRow run : runs.values()) {
            Optional<PastRun> found = ownership.findPastRun(life.org, run.id());
            assertThat(found.isPresent())
                    .as("past of %s", run.id())
                    .isEqualTo(run.state().ended());
            if (found.isPresent()) {
                assertThat(found.get().row()).isEqualTo(run);
                assertThat(found.get().steps())
                        .containsExactlyInAnyOrderElementsOf(steps.values().stream()
                                .filter(step -> step.id().run().equals(run.id())
                                        && step.id().item() == UnitId.NO_ITEM)
                                .toList());
            }
        }
        assertThat(ownership.findPastRun(life.org, "nobody's")).isEmpty();
    }

    private void checkLists() {
        assertThat(listRunIds(RunFilter.all())).isEqualTo(expectedRunIds(run -> true));
        assertThat(readAllPages(page -> records.runs(life.org, RunFilter.all(), page)))
                .allSatisfy(
                        run -> assertThat(records.findRun(life.org, run.run()).map(RunRecord::withoutInput))
                                .contains(run));
        for (RunRow run : runs.values()) {
            var state = Set.of(run.state());
            assertThat(listRunIds(new RunFilter(state, null, Map.of())))
                    .isEqualTo(expectedRunIds(each -> state.contains(each.state())));
        }
        assertThat(listRunIds(new RunFilter(Set.of(), "chain", Map.of())))
                .isEqualTo(expectedRunIds(
                        run -> run.request().plan().workflow().name().equals("chain")));
        assertThat(listRunIds(new RunFilter(Set.of(), null, Map.of("colour", "red"))))
                .isEqualTo(expectedRunIds(
                        run -> "red".equals(run.request().labels().get("colour"))));
        checkKeys();
    }

    /** Checks the filter by key, for every key that a step has. */
    private void checkKeys() {
        Map<String, Set<String>> runsByKey = new TreeMap<>(Map.of("nobody's", Set.of()));
        for (StepRow step : steps.values()) {
            var needs = step.limitNeeds();
            for (LimitNeed need : needs == null ? List.<LimitNeed>of() : needs.needs()) {
                if (need.limit() instanceof LimitId.Key key) {
                    runsByKey
                            .computeIfAbsent(key.name(), ignored -> new HashSet<>())
                            .add(step.id().run());
                }
            }
        }
        runsByKey.forEach((key, ids) -> {
            assertThat(listRunIds(new RunFilter(Set.of(), null, Map.of(), key)))
                    .as("runs of key %s", key)
                    .isEqualTo(expectedRunIds(run -> ids.contains(run.id())));
            for (RunRow run : runs.values()) {
                assertThat(records.hasKey(life.org, run.id(), key)).isEqualTo(ids.contains(run.id()));
            }
        });
    }

    private List<String> listRunIds(RunFilter filter) {
        return readAllPages(page -> records.runs(life.org, filter, page)).stream()
                .map(RunRecord::run)
                .toList();
    }

    private List<String> expectedRunIds(Predicate<RunRow> filter) {
        return runs.values().stream()
                .filter(filter)
                .sorted(Comparator.comparingLong(RunRow::number).reversed())
                .map(RunRow::id)
                .toList();
    }

    private static <T> List<T> readAllPages(Function<PageRequest, RecordPage<T>> read) {
        List<T> all = new ArrayList<>();
        String cursor = "";
        do {
            RecordPage<T> page = read.apply(new PageRequest(cursor, PAGE_SIZE));
            assertThat(page.entries().size()).isLessThanOrEqualTo(PAGE_SIZE);
            all.addAll(page.entries());
            cursor = page.next();
        } while (!cursor.isEmpty());
        return all;
    }

    private void checkRun(RunRow row) {
        RunRecord found = records.findRun(life.org, row.id()).orElseThrow();
        assertThat(found.state()).isEqualTo(row.state());
        assertThat(found.number()).isEqualTo(row.number());
        assertThat(found.input()).isEqualTo(row.input());
        assertThat(found.labels()).isEqualTo(row.request().labels());
        assertThat(found.priority()).isEqualTo(row.request().priority());
        assertThat(found.lineage()).isEqualTo(row.request().lineage());
        assertThat(found.times().endedAt() != null).isEqualTo(row.state().ended());
        List<StepRecord> stepsFound = records.steps(life.org, row.id());
        assertThat(stepsFound.stream().map(step -> step.unit().step()))
                .containsExactlyElementsOf(row.request().plan().workflow().steps().stream()
                        .map(step -> step.id())
                        .toList());
        for (StepRecord step : stepsFound) {
            StepRow expected = steps.get(step.unit());
            if (expected == null) {
                assertThat(step.state()).isEqualTo(row.state().ended() ? StepState.CANCELLED : StepState.BLOCKED);
            } else if (step.items() != null) {
                checkItems(row, step.unit().step(), step.items());
            }
        }
    }

    private void checkItems(RunRow run, String step, StepRecord.Items counts) {
        List<StepRow> expected = steps.values().stream()
                .filter(row -> row.id().run().equals(run.id()) && row.id().item() != UnitId.NO_ITEM)
                .filter(row -> row.id().step().equals(step))
                .sorted(Comparator.comparingInt(row -> row.id().item()))
                .toList();
        List<StepRecord> items = readAllPages(page -> records.items(life.org, run.id(), step, page));
        assertThat(items.stream().map(StepRecord::unit))
                .containsExactlyElementsOf(expected.stream().map(StepRow::id).toList());
        assertThat(counts.made()).isEqualTo(expected.size());
        assertThat(counts.ended()).isEqualTo((int)
                expected.stream().filter(row -> row.state().ended()).count());
        assertThat(counts.failed()).isEqualTo((int)
                expected.stream().filter(row -> row.state() == StepState.FAILED).count());
    }

    private void checkStep(StepRow row) {
        StepRecord found = records.findStep(life.org, row.id()).orElseThrow();
        assertThat(found.state()).as("state of %s", row.id()).isEqualTo(row.state());
        assertThat(found.fence()).isEqualTo(row.fence());
        assertThat(found.attempts()).isEqualTo(row.attempts());
        assertThat(found.lastUpdate()).isEqualTo(row.lastOutcome());
        assertThat(found.child()).isEqualTo(row.detail().child());
        assertThat(found.approval()).isEqualTo(row.detail().approval());
        assertThat(found.times().endedAt() != null).isEqualTo(row.state().ended());
    }
}
