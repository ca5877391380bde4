package dev.weir.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.explain.CriticalPath.Leg;
import dev.weir.core.explain.CriticalPath.RunTiming;
import dev.weir.core.explain.CriticalPath.StepTiming;
import dev.weir.core.state.WaitEntry;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.3")
class CriticalPathTest {
    private static final WaitEntry QUEUED = new WaitEntry(WaitEntry.Cause.CAPACITY, "org_runs", 10);
    private static final WaitEntry GATE = new WaitEntry(WaitEntry.Cause.GATE, null, 15);

    private static StepTiming step(String id, long ended, List<WaitEntry> waited, String... needs) {
        return new StepTiming(id, List.of(needs), null, true, ended, waited);
    }

    @Test
    void the_path_goes_over_what_ended_last_before_each_step() {
        var run = new RunTiming(0, 10L, 100, List.of(QUEUED));
        var spent = CriticalPath.of(
                run,
                List.of(
                        step("quick", 20, List.of()),
                        step("slow", 60, List.of(GATE)),
                        step("last", 90, List.of(), "quick", "slow")),
                List.of());
        assertThat(spent.path())
                .containsExactly(
                        new Leg(null, null, 0, 10, List.of(QUEUED)),
                        new Leg("slow", null, 10, 60, List.of(GATE)),
                        new Leg("last", null, 60, 90, List.of()),
                        new Leg(null, null, 90, 100, List.of(new WaitEntry(WaitEntry.Cause.COMPENSATION, null, 10))));
        assertThat(spent.waited()).extracting(WaitEntry::micros).containsExactly(15L, 10L, 10L);
        assertThat(spent.work()).isEqualTo(35 + 30);
        assertThat(spent.steps()).extracting(Leg::work).containsExactly(10L, 35L, 30L);
    }

    @Test
    void a_step_that_never_began_waited_for_the_others() {
        var never = new StepTiming("b", List.of("a"), null, false, 50, List.of());
        var spent = CriticalPath.of(
                new RunTiming(0, 0L, 70, List.of()), List.of(step("a", 70, List.of()), never), List.of());
        assertThat(spent.steps().getLast().waited())
                .containsExactly(new WaitEntry(WaitEntry.Cause.DEPENDENCY, null, 50));
    }

    @Test
    void a_run_that_never_started_consists_of_its_wait() {
        var spent = CriticalPath.of(new RunTiming(0, null, 10, List.of(QUEUED)), List.of(), List.of());
        assertThat(spent.path()).containsExactly(new Leg(null, null, 0, 10, List.of(QUEUED)));
        assertThat(spent.work()).isZero();
    }

    @Test
    void compensations_follow_one_another_on_the_path_and_wait_like_any_step() {
        var worker = new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 4);
        var spent = CriticalPath.of(
                new RunTiming(0, 0L, 100, List.of()),
                List.of(step("a", 20, List.of()), step("b", 50, List.of(), "a")),
                List.of(step("a.compensate", 90, List.of(worker)), step("b.compensate", 60, List.of())));
        assertThat(spent.path())
                .containsExactly(
                        new Leg("a", null, 0, 20, List.of()),
                        new Leg("b", null, 20, 50, List.of()),
                        new Leg("b.compensate", null, 50, 60, List.of()),
                        new Leg("a.compensate", null, 60, 90, List.of(worker)),
                        new Leg(null, null, 90, 100, List.of(new WaitEntry(WaitEntry.Cause.COMPENSATION, null, 10))));
        assertThat(spent.work()).isEqualTo(20 + 30 + 10 + 26);
        assertThat(spent.steps()).extracting(Leg::step).containsExactly("a", "b", "b.compensate", "a.compensate");
    }
}
