package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.json.JsonLength;
import dev.weir.core.state.FanOutTrimming;
import dev.weir.core.state.MemoryRows;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.List;
import org.junit.jupiter.api.Test;

class FanOutTrimmingTest {
    private final World world = new World();

    private static long outputChars(List<StepRow> rows) {
        return rows.stream()
                .filter(row -> row.id().item() != UnitId.NO_ITEM)
                .mapToLong(row -> row.lastOutcome() instanceof Update.Completed done ? JsonLength.of(done.output()) : 0)
                .sum();
    }

    /** Returns the rows of a journal, which keeps everything. */
    private OrganisationRows storedRows() {
        var memoryRows = new MemoryRows();
        memoryRows.apply(world.moves);
        return memoryRows.rows(world.now);
    }

    private static List<StepRow> trimmed(OrganisationRows rows) {
        var trimming = new FanOutTrimming();
        return rows.steps().stream().map(trimming::trim).toList();
    }

    private void restart(OrganisationRows rows) {
        world.restart(new OrganisationRows(
                rows.runs(),
                trimmed(rows),
                rows.claims(),
                rows.signals(),
                rows.starts(),
                rows.operators(),
                rows.profiles(),
                rows.workflows(),
                rows.endedRuns(),
                rows.nextRunNumber(),
                rows.highestFence(),
                rows.listeningSpans(),
                rows.access(),
                rows.events(),
                rows.attention()));
    }

    @Test
    void outputs_that_are_too_large_together_are_not_loaded_and_count_as_too_large() {
        world.start(
                "r", plan(step("a").items("range(40)", null), step("b", "a").with("{'v': '${{ steps.a.output }}'}")));
        String large = "'" + "x".repeat(FanOutTrimming.OUTPUTS_CHARS_MAX / 16) + "'";
        var work = world.poll(40);
        work.subList(0, 39).forEach(one -> world.complete(one, large));
        OrganisationRows rows = storedRows();
        assertThat(outputChars(rows.steps())).isGreaterThan(2L * FanOutTrimming.OUTPUTS_CHARS_MAX);
        assertThat(outputChars(trimmed(rows)))
                .isBetween((long) FanOutTrimming.OUTPUTS_CHARS_MAX, FanOutTrimming.OUTPUTS_CHARS_MAX * 9L / 8);
        restart(rows);
        world.complete(work.getLast(), "1");
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(World.json("{'v': null}"));
    }

    @Test
    void inputs_of_completed_items_are_not_loaded_and_the_others_are() {
        int many = FanOutTrimming.INPUTS_KEPT_MAX + 5;
        world.start("r", plan(step("a").items("range(" + many + ")", null).with("{'n': '${{ index }}'}")));
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        world.complete(world.poll(1).getFirst(), "7");
        OrganisationRows rows = storedRows();
        List<StepRow> items = trimmed(rows);
        assertThat(items.get(1).state()).isEqualTo(StepState.COMPLETED);
        assertThat(items.get(1).input()).isNull();
        assertThat(items.get(1).lastOutcome()).isEqualTo(rows.steps().get(1).lastOutcome());
        assertThat(items.subList(2, many)).isEqualTo(rows.steps().subList(2, many));
        restart(rows);
        assertThat(world.org.rows().steps()).isEqualTo(items);
    }

    @Test
    void a_small_fan_out_is_loaded_completely() {
        world.start("r", plan(step("a").items("range(3)", null), step("b").items("range(3)", null), step("c")));
        world.poll(5).forEach(world::complete);
        assertThat(trimmed(storedRows())).isEqualTo(storedRows().steps());
    }
}
