package dev.weir.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.state.UnitId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a rate lets a step start at the time that {@code why} has predicted, to a tenth of a second. */
@Tag("RX.2")
class EstimatesTest {
    private static final long TENTH = 100_000;

    @RegisterExtension
    private final VirtualWeir weir = new VirtualWeir();

    private final Map<String, Long> startedAt = new HashMap<>();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate: 1, period: 1s",
                "rate: 7, period: 10s",
                "rate: 20, period: 1m",
                "rate: 5, period: 3s, window: fixed",
                "rate: 12, period: 9s, cost: 2",
                "rate: 3, period: 2s, cost: 3, window: fixed"
            })
    void the_expected_start_under_a_rate_matches_the_actual_start(String rate) {
        var random = new SplittableRandom(rate.hashCode());
        weir.register("{workflow: paced, flow_control: { key: k, " + rate + " }, steps: [ { id: a, uses: m } ]}");
        weir.serve("m", work -> {
            startedAt.put(work.unit().run(), weir.world().now());
            return null;
        });
        List<TestRun> runs = new ArrayList<>();
        Map<String, Long> expected = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            runs.add(weir.start("paced"));
            TestRun asked = runs.get(random.nextInt(runs.size()));
            if (!asked.state().ended()) {
                expected.put(asked.id(), expectedAt(asked));
            }
            weir.advance(Duration.ofMillis(random.nextInt(120)));
        }
        runs.forEach(run -> run.untilEnded(Duration.ofHours(2)));
        assertThat(expected).hasSizeGreaterThan(10);
        expected.forEach((run, at) -> assertThat(Objects.requireNonNull(startedAt.get(run)))
                .as("the start of %s", run)
                .isCloseTo(at, within(TENTH)));
    }

    private long expectedAt(TestRun run) {
        Explanation.Blocker rate = weir
                .world()
                .organisation()
                .orElseThrow()
                .why(UnitId.of(run.id(), "a"), weir.world().now())
                .orElseThrow()
                .blockers()
                .stream()
                .filter(blocker -> blocker.cause() == HoldCause.RATE)
                .findFirst()
                .orElseThrow();
        Explanation.Expected expected = Objects.requireNonNull(rate.expected());
        assertThat(expected.estimate()).isFalse();
        return expected.at();
    }
}
