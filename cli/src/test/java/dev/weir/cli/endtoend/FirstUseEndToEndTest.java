package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Work.WorkClaim;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the first use of a large definition after the start of a node delays nobody else. */
@Tag("L8")
class FirstUseEndToEndTest {
    private static final int STEPS = 1_000;

    private int started;

    private static String large() {
        var steps = new StringBuilder("steps:\n");
        for (int i = 0; i < STEPS; i++) {
            steps.append("  - { id: s%d, uses: m, with: { x: '${{ size(range(100)) + %d }}' } }\n".formatted(i, i));
        }
        return steps.toString();
    }

    @Test
    void others_are_answered_while_a_thousand_expressions_are_compiled() throws Exception {
        try (var driver = new NodeDriver("first-use", List.of())) {
            driver.start("ship", "steps: [{id: a, uses: ship.m}]");
            WorkClaim claim = driver.claim("ship.m");
            driver.apply("large", large());
            driver.node.restart();

            driver.start("large", "r", null);
            assertOthersAnswered(driver, claim);
            driver.node.restart();

            Awaitility.await("all steps ready")
                    .atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        assertOthersAnswered(driver, claim);
                        return isReady(driver);
                    });
        }
    }

    private void assertOthersAnswered(NodeDriver driver, WorkClaim claim) throws InterruptedException {
        assertThat(driver.heartbeat(claim).outcome()).isEqualTo("extended");
        started++;
        driver.start("ship", "other-" + started, null);
    }

    private static boolean isReady(NodeDriver driver) throws InterruptedException {
        return driver.client.run("r").steps().stream()
                        .filter(step -> step.state().equals("ready"))
                        .count()
                == STEPS;
    }
}
