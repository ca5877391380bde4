package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.RecordDifference;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.Notice;
import dev.weir.core.state.NoticeSettings;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.7")
class NoticeRegistryTest {
    private static final long MINUTE = 60 * SECOND;

    private final World world = new World();

    @BeforeEach
    void configure() {
        world.org.configureNotices(NoticeSettings.DEFAULT);
    }

    private void start(FlowControl control, int runs) {
        Plan plan = World.plan(step("a").keys(control));
        for (int i = 0; i < runs; i++) {
            world.start("r" + world.moves.size() + "-" + i, plan);
        }
    }

    private List<String> issued() {
        return world.moves.stream()
                .filter(Move.NoticeOpened.class::isInstance)
                .map(move -> describe(((Move.NoticeOpened) move).notice()))
                .toList();
    }

    private static String describe(Notice notice) {
        return notice.severity().word() + " " + notice.subject().kind().word() + " "
                + notice.subject().name();
    }

    private long closedCount() {
        return world.moves.stream().filter(Move.NoticeClosed.class::isInstance).count();
    }

    private void restart() {
        world.restart();
        world.org.configureNotices(NoticeSettings.DEFAULT);
        world.advance();
    }

    @Test
    void a_warning_is_issued_at_80_percent_and_a_critical_notice_at_the_limit() {
        start(FlowControl.parallelism("k", 5), 6);
        world.poll(3);
        assertThat(issued()).isEmpty();
        world.poll(1);
        assertThat(issued()).containsExactly("warning capacity key:k");
        world.poll(1);
        assertThat(issued()).containsExactly("warning capacity key:k", "critical capacity key:k");
        assertThat(world.org.rows().attention().notices())
                .extracting(Notice::used)
                .containsExactly(4L, 5L);
    }

    @Test
    void a_key_with_parallelism_1_that_is_full_at_every_start_is_noted_once() {
        start(FlowControl.parallelism("k", 1), 300);
        for (int i = 0; i < 300; i++) {
            for (Assignment claimed : world.poll(1)) {
                world.passTime(SECOND);
                world.complete(claimed);
            }
        }
        assertThat(issued()).containsExactly("warning capacity key:k", "critical capacity key:k");
        assertThat(closedCount()).as("it was never low for 5 minutes").isZero();
    }

    @Test
    void a_notice_closes_after_it_was_low_for_five_minutes_and_may_then_be_issued_again() {
        start(FlowControl.parallelism("k", 1), 3);
        Assignment first = world.poll(1).getFirst();
        world.passTime(30 * SECOND - 1);
        world.complete(first);
        world.passTime(4 * MINUTE);
        assertThat(closedCount()).isZero();
        world.complete(world.poll(1).getFirst());
        world.passTime(4 * MINUTE);
        assertThat(closedCount()).as("the second start began the time anew").isZero();
        world.passTime(4 * MINUTE);
        assertThat(closedCount()).isEqualTo(2);
        assertThat(world.org.rows().attention().notices()).isEmpty();
        assertThat(issued()).hasSize(2);
        world.poll(1);
        assertThat(issued()).hasSize(4);
    }

    @Test
    void an_open_notice_is_not_issued_again_after_a_restart() {
        start(FlowControl.parallelism("k", 1), 2);
        Assignment first = world.poll(1).getFirst();
        restart();
        world.complete(first);
        world.poll(1);
        assertThat(issued()).hasSize(2);
        assertThat(world.org.rows().attention().lastNotice()).isEqualTo(2);
        assertThat(world.org.rows().attention().notices()).hasSize(2);
    }

    @Test
    void a_restored_notice_closes_after_the_configured_time() {
        start(FlowControl.parallelism("k", 1), 1);
        world.complete(world.poll(1).getFirst());
        world.restart();
        world.org.configureNotices(new NoticeSettings(80, 70, 5 * SECOND, 60 * MINUTE, 100));
        world.advance();
        world.passTime(8 * SECOND);
        assertThat(closedCount()).isEqualTo(2);
    }

    @Test
    void a_rate_is_noted_too_and_closes_when_its_window_is_empty_again() {
        var rate = new RateLimit(5, Duration.ofMinutes(1), RateLimit.Window.SLIDING);
        start(FlowControl.rate("calls", rate), 4);
        world.pollAll().forEach(world::complete);
        assertThat(issued()).containsExactly("warning rate key:calls");
        start(FlowControl.rate("calls", rate), 1);
        world.pollAll().forEach(world::complete);
        assertThat(issued()).containsExactly("warning rate key:calls", "critical rate key:calls");
        world.passTime(10 * MINUTE);
        assertThat(closedCount()).isEqualTo(2);
    }

    @Test
    void a_step_that_is_wider_than_a_pin_is_noted_until_the_pin_ends() {
        var key = new LimitId.Key("k");
        world.handle(PinKey.of(key, 2, null, Moment.NEVER));
        start(new FlowControl(Template.of("k"), 5, null, 4, 1), 1);
        world.pollAll();
        assertThat(issued()).containsExactly("warning over_capacity key:k");
        world.handle(new UnpinKey(key));
        world.passTime(10 * MINUTE);
        assertThat(closedCount()).isEqualTo(1);
    }

    @Test
    void a_waiter_of_more_than_the_threshold_is_noted() {
        world.org.configureNotices(new NoticeSettings(80, 70, 5 * MINUTE, 3 * MINUTE, 100));
        start(FlowControl.parallelism("k", 1), 2);
        Assignment first = world.poll(1).getFirst();
        for (int i = 0; i < 4 * 6; i++) {
            world.passTime(15 * SECOND);
            world.heartbeat(first);
        }
        assertThat(issued()).contains("warning oldest_waiter key:k").hasSize(3);
    }

    @Test
    void dead_letters_above_the_threshold_are_noted_once() {
        start(FlowControl.parallelism("k", 1_000), 120);
        for (Assignment claimed : world.pollAll()) {
            world.update(claimed, new Update.Failed("no", true));
        }
        assertThat(issued()).containsExactly("warning dead_letters ");
        assertThat(world.org.rows().attention().openDeadLetters()).isEqualTo(120);
    }

    private void setThresholds(FieldChange<Long> oldestWaiter, FieldChange<Integer> deadLetters) {
        FieldChange<Integer> keep = new FieldChange.Keep<>();
        var values = new ConfigureRunLimits.Values(
                keep,
                keep,
                keep,
                keep,
                keep,
                new FieldChange.Keep<>(),
                new ConfigureRunLimits.Notices(oldestWaiter, deadLetters),
                ConfigureRunLimits.Note.NONE,
                Moment.NEVER);
        assertThat(world.handle(new ConfigureRunLimits(new LimitId.OrgRuns(), values, null)))
                .isInstanceOf(ConfigureRunLimits.Answer.Configured.class);
    }

    @Test
    void an_operator_can_lower_the_threshold_of_dead_letters_also_below_those_that_are_open() {
        start(FlowControl.parallelism("k", 1_000), 20);
        for (Assignment claimed : world.pollAll()) {
            world.update(claimed, new Update.Failed("no", true));
        }
        assertThat(issued()).isEmpty();
        setThresholds(new FieldChange.Keep<>(), new FieldChange.Replace<>(15));
        world.advance();
        assertThat(issued()).containsExactly("warning dead_letters ");
        restart();
        world.passTime(10 * MINUTE);
        assertThat(issued()).hasSize(1);
        setThresholds(new FieldChange.Keep<>(), new FieldChange.Clear<>());
        world.passTime(10 * MINUTE);
        assertThat(closedCount()).isEqualTo(1);
    }

    @Test
    void an_operator_can_lower_the_threshold_of_the_oldest_waiter() {
        setThresholds(new FieldChange.Replace<>(3 * MINUTE), new FieldChange.Keep<>());
        restart();
        start(FlowControl.parallelism("k", 1), 2);
        Assignment first = world.poll(1).getFirst();
        for (int i = 0; i < 4 * 6; i++) {
            world.passTime(15 * SECOND);
            world.heartbeat(first);
        }
        assertThat(issued()).contains("warning oldest_waiter key:k");
    }

    @Test
    void a_corrected_difference_is_noted() {
        world.handle(new RecordDifference());
        world.handle(new RecordDifference());
        world.advance();
        assertThat(issued()).containsExactly("warning sweep_difference ");
        world.passTime(10 * MINUTE);
        assertThat(closedCount()).isEqualTo(1);
    }

    @Test
    void limits_beyond_the_bound_share_one_notice() {
        List<Assignment> all = new ArrayList<>();
        for (int i = 0; i < NoticeRegistry.SUBJECTS_MAX + 50; i++) {
            start(FlowControl.parallelism("k" + i, 1), 1);
            all.addAll(world.poll(1));
        }
        assertThat(all).hasSize(NoticeRegistry.SUBJECTS_MAX + 50);
        assertThat(issued()).hasSize(2 * NoticeRegistry.SUBJECTS_MAX + 1).endsWith("warning more_limits ");
        all.forEach(world::complete);
        world.passTime(20 * MINUTE);
        assertThat(world.org.rows().attention().notices()).isEmpty();
    }
}
