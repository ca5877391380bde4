package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.PinKey;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.engine.journal.JournalFailure;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a rate with a longer period than its key had before also counts the starts from before a restart. */
@Tag("S3")
class LongerPeriodTest {
    private static final long MINUTE = 60 * SECOND;

    private final SteppedShard world = new SteppedShard();
    private int requests;

    private void register(int count, Duration period) {
        var rate = new RateLimit(count, period, RateLimit.Window.SLIDING);
        world.send(new RegisterWorkflow(Workflow.named("greet")
                .step("say")
                .uses("hello")
                .flowControl(new FlowControl(Template.of("k"), null, rate, 1, 1))
                .build()));
    }

    private void startAndComplete(String run) {
        world.start(run);
        world.send(SteppedShard.noOpReport(world.claim("q" + requests++)));
    }

    /** Starts three runs under a rate of ten per second, and restarts the node ten minutes later. */
    private void startsAndRestart() {
        register(10, Duration.ofSeconds(1));
        startAndComplete("a");
        startAndComplete("b");
        startAndComplete("c");
        world.now += 10 * MINUTE;
        world.shard = world.open("later");
        world.runUntilIdle();
    }

    /** Starts a run. Returns true if a worker that polls gets its step at once. */
    private boolean startsNow(String run) {
        world.start(run);
        var waiting = world.poll("q" + requests++);
        world.runUntilIdle();
        return waiting.isDone() && answered(waiting).size() == 1;
    }

    @Test
    void a_workflow_that_is_registered_with_a_longer_period_after_a_restart_counts_all_that_started_in_it() {
        startsAndRestart();
        register(4, Duration.ofHours(1));
        assertThat(startsNow("d")).as("the fourth within an hour").isTrue();
        assertThat(startsNow("e")).as("the fifth within an hour").isFalse();
        var waiting = world.poll("later");
        world.advance(49 * MINUTE);
        assertThat(waiting).as("it may start an hour after the first").isDone();
    }

    @Test
    @Tag("R3.7")
    void a_longer_period_that_an_operator_sets_after_a_restart_counts_all_that_started_in_it() {
        startsAndRestart();
        var rate = dev.weir.core.limit.Rate.sliding(3, 60 * MINUTE);
        world.send(PinKey.of(new LimitId.Key("k"), null, rate, Moment.NEVER));
        assertThat(startsNow("d")).isFalse();
    }

    @Test
    void a_key_that_nobody_used_for_long_remembers_its_starts_without_a_restart_too() {
        register(10, Duration.ofSeconds(1));
        startAndComplete("a");
        startAndComplete("b");
        world.advance(3 * MINUTE);
        register(2, Duration.ofHours(1));
        assertThat(startsNow("c")).isFalse();
    }

    @Test
    void nothing_starts_while_the_older_starts_cannot_be_read() {
        startsAndRestart();
        register(3, Duration.ofHours(1));
        world.start("d");
        var waiting = world.poll("q" + requests++);
        world.onReading = () -> {
            throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
        };
        for (int i = 0; i < 5; i++) {
            world.now += SECOND;
            world.shard.runOnce();
        }
        world.onReading = () -> {};
        world.advance(5 * SECOND);
        assertThat(waiting).isNotDone();
        assertThat(world.shard.find(ACME)).isPresent();
    }
}
