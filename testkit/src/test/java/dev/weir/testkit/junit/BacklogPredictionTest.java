package dev.weir.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Command;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PinKey;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.run.BacklogReader;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.BacklogSlice;
import dev.weir.core.state.OrganisationRows;
import dev.weir.forecast.BacklogRunner;
import dev.weir.forecast.BacklogScenario;
import dev.weir.forecast.BacklogScenario.Bounds;
import dev.weir.forecast.BacklogScenario.Cause;
import dev.weir.forecast.BacklogScenario.End;
import dev.weir.forecast.BacklogScenario.Kind;
import dev.weir.forecast.BacklogScenario.Prediction;
import dev.weir.forecast.WorkerPool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that a prediction comes true: predict, make the change, let it run in virtual time, compare. */
class BacklogPredictionTest {
    private static final long SECOND = 1_000_000;
    private static final LimitId.Key API = new LimitId.Key("api");
    private static final LimitId.Key CUSTOMER = new LimitId.Key("customer");
    private static final Bounds BOUNDS = new Bounds(1_000_000, 31L * 24 * 3_600 * SECOND, () -> false);

    @RegisterExtension
    private final VirtualWeir weir = new VirtualWeir();

    private final Map<String, Long> durations = Map.of("job/call", 7 * SECOND, "job/close", 3 * SECOND);

    private void startJobs(int count, String limits) {
        weir.register("""
                workflow: job
                limits: { %s }
                steps:
                  - id: call
                    uses: api.call
                    flow_control:
                      - { key: api, parallelism: 2, rate: 5, period: 30s, window: %s }
                      - { key: customer, parallelism: 6 }
                  - { id: close, needs: [call], uses: api.close, flow_control: { key: closing, parallelism: 3 } }
                """.formatted(limits, limits.isEmpty() ? "sliding" : "fixed"));
        weir.serve("api.call", 100, TestHandler.returning(null).taking(Duration.ofSeconds(7)));
        weir.serve("api.close", 100, TestHandler.returning(null).taking(Duration.ofSeconds(3)));
        for (int i = 0; i < count; i++) {
            TestRun unused = weir.start("job");
        }
        weir.advance(Duration.ofSeconds(45));
    }

    private Organisation organisation() {
        return weir.world().organisation().orElseThrow();
    }

    private Prediction predict(@Nullable Command<?> change, LimitId.Shared target) {
        BacklogReader reader = organisation().view().backlog();
        BacklogSlice slice = reader.slice(BacklogSlice.Position.START, new BacklogSlice.Size(10_000, 10_000, 1));
        assertThat(slice.complete()).isTrue();
        OrganisationRows settings = reader.settings();
        var limits = new TreeSet<LimitId.Shared>(List.of(API, CUSTOMER, new LimitId.WorkflowRuns("job")));
        var rows = new OrganisationRows(
                slice.runs(),
                slice.steps(),
                slice.claims(),
                slice.signals(),
                reader.starts(limits),
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
        var workers = List.of(new WorkerPool(List.of("api.call"), 100), new WorkerPool(List.of("api.close"), 100));
        var scenario = new BacklogScenario(rows, weir.world().now(), 1, workers, durations);
        return BacklogRunner.predict(scenario, change, target, BOUNDS);
    }

    /** Lets time pass until nothing waits, and returns the first times at which nothing waits for a limit, and at all. */
    private long[] letItRun(LimitId.Shared target) {
        long targetEmpty = Moment.NEVER;
        long end = weir.world().now() + 24 * 3_600 * SECOND;
        while (organisation().view().modules().waiting() > 0) {
            assertThat(weir.world().advanceOnce(end)).isTrue();
            if (targetEmpty == Moment.NEVER && organisation().view().limits().waitingFor(target) == 0) {
                targetEmpty = weir.world().now();
            }
        }
        return new long[] {targetEmpty, weir.world().now()};
    }

    private void assertComesTrue(@Nullable Command<?> change, LimitId.Shared target) {
        Prediction predicted = predict(change, target);
        if (change != null) {
            Object unused = weir.send(change);
        }
        long[] happened = letItRun(target);
        assertThat(predicted.end()).isEqualTo(End.DRAINED);
        assertThat(Objects.requireNonNull(predicted.target()).emptyAt())
                .as("the limit is empty")
                .isEqualTo(happened[0]);
        assertThat(predicted.until()).as("nothing waits").isEqualTo(happened[1]);
    }

    @Test
    void the_present_course_of_a_backlog_comes_true() {
        startJobs(40, "");
        assertComesTrue(null, API);
    }

    @Test
    void a_pin_that_raises_a_key_has_the_predicted_effect() {
        startJobs(40, "");
        assertComesTrue(PinKey.of(API, 20, Rate.sliding(12, 30 * SECOND), Moment.NEVER), API);
    }

    @Test
    void a_pin_that_lowers_a_key_for_a_time_has_the_predicted_effect() {
        startJobs(25, "");
        assertComesTrue(PinKey.of(API, 1, null, weir.world().now() + 90 * SECOND), API);
    }

    @Test
    void a_pause_with_an_end_has_the_predicted_effect() {
        startJobs(12, "");
        assertComesTrue(new PauseKey(API, weir.world().now() + 200 * SECOND), API);
    }

    @Test
    void limits_on_runs_have_the_predicted_effect_beside_fixed_windows() {
        startJobs(30, "max_concurrent_runs: 4");
        var values = new ConfigureRunLimits.Values(
                new FieldChange.Replace<>(9),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                ConfigureRunLimits.Note.NONE,
                Moment.NEVER);
        assertComesTrue(new ConfigureRunLimits("job", values, null), new LimitId.WorkflowRuns("job"));
    }

    @Test
    void the_limit_that_binds_next_is_named() {
        startJobs(40, "");
        Prediction predicted = predict(PinKey.of(API, 100, Rate.sliding(1_000, SECOND), Moment.NEVER), API);
        assertThat(predicted.heldBy().getFirst().cause()).isEqualTo(new Cause.OfLimit(CUSTOMER, Kind.CAPACITY));
        assertThat(predict(null, API).heldBy().getFirst().cause()).isEqualTo(new Cause.OfLimit(API, Kind.RATE));
    }

    @Test
    void work_that_no_time_alone_starts_is_reported_as_stuck() {
        startJobs(12, "");
        Prediction predicted = predict(new PauseKey(API, Moment.NEVER), API);
        assertThat(predicted.end()).isEqualTo(End.STUCK);
        assertThat(predicted.waiting()).isPositive();
        assertThat(Objects.requireNonNull(predicted.target()).emptyAt()).isNull();
        assertThat(predicted.heldBy().getFirst().cause()).isEqualTo(new Cause.OfLimit(API, Kind.PAUSED));
    }

    @Test
    void a_prediction_changes_nothing() {
        startJobs(20, "");
        OrganisationRows before = organisation().rows();
        Prediction unused = predict(PinKey.of(API, 20, null, Moment.NEVER), API);
        assertThat(organisation().rows()).isEqualTo(before);
    }
}
