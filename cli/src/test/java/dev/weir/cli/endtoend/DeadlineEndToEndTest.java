package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Runs.Deadline;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Work.WorkClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests deadlines over HTTP. The node is killed before it warns of them. */
@SuppressWarnings("NullAway.Init") // set before the test
class DeadlineEndToEndTest {
    private static final Duration DEADLINE = Duration.ofSeconds(40);
    private static final List<String> RUNS = List.of("fails", "stops", "goes_on");

    private NodeDriver driver;

    @BeforeEach
    void open() throws IOException {
        driver = new NodeDriver("deadlines", List.of());
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    @Tag("R4.13")
    void a_run_near_its_deadline_is_warned_about_once_and_then_ends_unless_extended() throws Exception {
        driver.start("fails", "deadline: 40s\nsteps: [{id: a, uses: near.m}]");
        driver.start("stops", "deadline: {after: 40s, action: cancel}\nsteps: [{id: a, uses: near.m}]");
        driver.start("goes_on", "deadline: 40s\nsteps: [{id: a, uses: near.m}]");
        for (String run : RUNS) {
            driver.await("the start of " + run, () -> driver.client.run(run).startedAt() != null);
        }
        driver.node.kill();
        for (String run : RUNS) {
            assertThat(warnings(run)).as("%s before the kill", run).isZero();
        }
        driver.node.start();

        driver.await("the warning", () -> deadline("goes_on").near());
        RunView near = driver.client.run("goes_on");
        assertThat(near.endedAt()).as(near.toString()).isNull();
        assertThat(driver.runCommand("steps", "goes_on")).contains("which is near", "weir extend goes_on 2h");
        assertThat(driver.runCommand("runs", "--workflow", "goes_on")).contains("deadline near");
        driver.runCommand("extend", "goes_on", "1h");
        assertThat(deadline("goes_on").near()).isFalse();
        assertThat(deadline("goes_on").at()).isAfter(near.acceptedAt().plusSeconds(3_000));

        RunView failed = driver.awaitEnd("fails", "failed");
        assertThat(failed.reason()).contains("deadline");
        assertThat(Duration.between(Objects.requireNonNull(failed.startedAt()), failed.endedAt()))
                .isGreaterThanOrEqualTo(DEADLINE);
        assertThat(driver.awaitEnd("stops", "cancelled").reason()).contains("deadline");
        for (String run : RUNS) {
            assertThat(warnings(run)).as("%s in the end", run).isEqualTo(1);
        }
        WorkClaim work = driver.claim("near.m");
        assertThat(work.run()).isEqualTo("goes_on");
        driver.complete(work, "1");
        driver.awaitEnd("goes_on", "completed");
    }

    private Deadline deadline(String run) throws InterruptedException {
        return Objects.requireNonNull(driver.client.run(run).deadline());
    }

    /** Counts the warnings about a near deadline in the log that the killed node and its successor share. */
    private long warnings(String run) throws IOException {
        try (var log = Files.lines(driver.node.launch.log())) {
            return log.filter(line -> line.contains("Run " + run + " of") && line.contains("four fifths"))
                    .count();
        }
    }
}
