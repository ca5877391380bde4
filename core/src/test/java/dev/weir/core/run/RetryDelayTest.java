package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.12")
class RetryDelayTest {
    /** The default delay: 1 s, with a jitter of a quarter either way. */
    private static final long SHORTEST = 750_000;

    private static final long LONGEST = 1_250_000;

    @Test
    void pauses_are_spread_and_the_same_wherever_they_are_decided() {
        List<Long> first = pauses();
        assertThat(first).allMatch(pause -> pause >= SHORTEST && pause <= LONGEST);
        assertThat(first.stream().mapToLong(Long::longValue).max().orElseThrow()
                        - first.stream().mapToLong(Long::longValue).min().orElseThrow())
                .isGreaterThan(300_000);
        assertThat(pauses()).isEqualTo(first);
    }

    private static List<Long> pauses() {
        var world = new World();
        for (int i = 0; i < 50; i++) {
            world.start("r" + i, plan(step("a")));
        }
        List<Long> pauses = new ArrayList<>();
        for (Assignment each : world.poll(50)) {
            world.fail(each, "once");
            pauses.add(world.org.findStep(each.claim().unit()).orElseThrow().due() - world.now);
        }
        return pauses;
    }
}
