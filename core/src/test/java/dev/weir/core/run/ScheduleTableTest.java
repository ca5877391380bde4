package dev.weir.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.Move;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ScheduleTableTest {
    private final EventWorld events = new EventWorld();

    @BeforeEach
    void begin() {
        events.world.now = Moment.of(Instant.parse("2026-03-28T10:00:00Z"));
    }

    private void register(String schedule) {
        events.register("w", "triggers: [{id: t, " + schedule + "}]\nsteps: [{id: a, uses: m}]\n");
    }

    private void pass(Duration time) {
        events.world.passTime(Moment.micros(time));
    }

    private List<String> runs() {
        return events.world.moves.stream()
                .filter(Move.RunAccepted.class::isInstance)
                .map(move -> ((Move.RunAccepted) move).run())
                .toList();
    }

    @Test
    void each_time_starts_one_run_in_its_time_zone() {
        register("schedule: '30 2 * * *', timezone: Europe/Berlin");
        pass(Duration.ofDays(3));
        assertThat(runs())
                .containsExactly("w:t:2026-03-29T01:00:00Z", "w:t:2026-03-30T00:30:00Z", "w:t:2026-03-31T00:30:00Z");
    }

    @Test
    void a_restart_neither_loses_nor_repeats_a_time() {
        register("schedule: '0 * * * *'");
        pass(Duration.ofMinutes(150));
        events.world.restart();
        pass(Duration.ofMinutes(60));
        assertThat(runs())
                .containsExactly("w:t:2026-03-28T11:00:00Z", "w:t:2026-03-28T12:00:00Z", "w:t:2026-03-28T13:00:00Z");
    }

    private List<String> runsAfterOutage(String schedule) {
        register(schedule);
        var rows = events.world.org.rows();
        events.world.now += Moment.micros(Duration.ofMinutes(270));
        events.world.restart(rows);
        events.world.advanceAll();
        return runs();
    }

    @Test
    void one_run_makes_up_for_missed_times_unless_the_schedule_says_otherwise() {
        assertThat(runsAfterOutage("schedule: '0 * * * *'")).containsExactly("w:t:2026-03-28T14:00:00Z");
    }

    @Test
    void missed_times_can_be_skipped() {
        assertThat(runsAfterOutage("schedule: '0 * * * *', missed: skip")).isEmpty();
        pass(Duration.ofMinutes(30));
        assertThat(runs()).containsExactly("w:t:2026-03-28T15:00:00Z");
    }

    @Test
    void missed_times_can_start_a_run_each() {
        assertThat(runsAfterOutage("schedule: '0 * * * *', missed: all"))
                .containsExactly(
                        "w:t:2026-03-28T11:00:00Z",
                        "w:t:2026-03-28T12:00:00Z",
                        "w:t:2026-03-28T13:00:00Z",
                        "w:t:2026-03-28T14:00:00Z");
    }

    @Test
    void runs_for_missed_times_have_a_bound() {
        assertThat(runsAfterOutage("schedule: '* * * * *', missed: all"))
                .hasSize(ScheduleTable.MISSED_MAX)
                .endsWith("w:t:2026-03-28T14:30:00Z");
    }

    @Test
    @Tag("L5")
    void missed_times_whose_inputs_cost_much_start_their_runs_in_parts() {
        register("schedule: '* * * * *', missed: all, input: {n: '${{ range(9000).filter(x, x > 20000).size() }}'}");
        events.world.now += Moment.micros(Duration.ofDays(1));
        events.world.restart();
        while (events.world.org.nextWakeup() <= events.world.now) {
            long before = events.world.org.unitsSpent();
            events.world.advance();
            assertThat(events.world.org.unitsSpent() - before).isLessThan(2 * DecisionBudget.UNITS_MAX);
            events.world.restart();
        }
        assertThat(runs()).hasSize(ScheduleTable.MISSED_MAX).doesNotHaveDuplicates();
    }

    @Test
    @Tag("L5")
    void many_schedules_that_are_due_together_are_looked_up_in_parts() {
        for (int i = 0; i < 300; i++) {
            events.register("w" + i, "triggers: [{id: t, schedule: '* * * * *'}]\nsteps: [{id: a, uses: m}]\n");
        }
        events.world.now += Moment.micros(Duration.ofDays(1));
        int parts = 0;
        while (events.world.org.nextWakeup() <= events.world.now) {
            events.world.advance();
            parts++;
        }
        assertThat(parts).isGreaterThan(1);
        assertThat(runs()).hasSize(300);
    }

    @Test
    void a_new_version_replaces_the_schedules() {
        register("schedule: '0 * * * *'");
        register("schedule: '30 * * * *'");
        pass(Duration.ofMinutes(60));
        events.register("w", "steps: [{id: a, uses: m}]\n");
        pass(Duration.ofMinutes(60));
        assertThat(runs()).containsExactly("w:t:2026-03-28T10:30:00Z");
        assertThat(events.world.org.rows().events().schedules()).isEmpty();
    }
}
