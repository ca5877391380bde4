package dev.weir.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.ResumeOrganisation;
import dev.weir.core.command.SetWorkflowAvailability;
import dev.weir.core.command.SuspendOrganisation;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.WorkflowAvailability;
import org.junit.jupiter.api.Test;

/** Triggers under what operators set: suspended organisations, archived workflows, and the default debounce. */
class HeldTriggersTest {
    private static final String BURST = """
            triggers:
              - { id: t, event: e, debounce: { period: 5s } }
            steps: [{id: a, uses: m}]
            """;
    private static final String PLAIN = """
            triggers:
              - { id: t, event: e }
            steps: [{id: a, uses: m}]
            """;

    private final EventWorld events = new EventWorld();

    private void send(String id) {
        events.send(id, "e", "{}");
    }

    private void passSeconds(int seconds) {
        events.world.passTime(seconds * World.SECOND);
    }

    private void setDefaultDebounce(LimitId.Runs limit, long micros) {
        var values = new ConfigureRunLimits.Values(
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Replace<>(micros),
                ConfigureRunLimits.Note.NONE,
                Moment.NEVER);
        events.world.handle(new ConfigureRunLimits(limit, values, null));
    }

    @Test
    void events_and_bursts_of_a_suspended_organisation_start_their_runs_when_it_is_resumed() {
        events.register("burst", BURST);
        events.register("plain", PLAIN);
        send("e1");
        events.world.handle(new SuspendOrganisation("acme", "unpaid"));
        send("e2");
        passSeconds(60);
        assertThat(events.windowOutcomes()).isEmpty();
        assertThat(events.world.org.findRun("plain:t:e2")).isEmpty();
        events.world.restart();
        passSeconds(60);
        assertThat(events.windowOutcomes()).isEmpty();
        events.world.handle(new ResumeOrganisation("acme"));
        events.world.advanceAll();
        assertThat(events.windowOutcomes()).containsExactly("burst/t started burst:t:e1");
        assertThat(events.world.org.findRun("plain:t:e2")).isPresent();
        passSeconds(5);
        assertThat(events.windowOutcomes()).contains("burst/t started burst:t:e2");
    }

    @Test
    void an_archived_workflow_has_no_triggers_until_it_is_opened() {
        events.register("plain", PLAIN);
        events.world.handle(new SetWorkflowAvailability("plain", WorkflowAvailability.ARCHIVED));
        send("e1");
        assertThat(events.outcomes()).isEmpty();
        events.world.handle(new SetWorkflowAvailability("plain", WorkflowAvailability.OPEN));
        send("e2");
        assertThat(events.outcomes()).containsExactly("plain/t started plain:t:e2");
    }

    @Test
    void a_trigger_without_a_debounce_of_its_own_takes_that_of_the_workflow_or_of_the_organisation() {
        events.register("plain", PLAIN);
        setDefaultDebounce(new LimitId.OrgRuns(), 20 * World.SECOND);
        send("e1");
        setDefaultDebounce(new LimitId.WorkflowRuns("plain"), 2 * World.SECOND);
        send("e2");
        passSeconds(2);
        assertThat(events.windowOutcomes()).containsExactly("plain/t started plain:t:e2");
    }
}
