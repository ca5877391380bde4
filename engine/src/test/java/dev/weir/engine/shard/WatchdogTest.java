package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.EndPoll;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.request.StartRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

@Tag("L8")
class WatchdogTest {
    private final Counters counters = new Counters();
    private final LoadedOrganisation loadedOrg = new LoadedOrganisation(OrganisationRows.NONE, 0);
    private long time;
    private long cpu;
    private final Watchdog watchdog = new Watchdog(counters, () -> time, () -> cpu, this::warn);
    private final List<String> warnings = new ArrayList<>();
    private int workflows;

    /** Starts a run whose plan takes this much time and CPU to read. */
    private void start(long takes, long uses) {
        workflows++;
        Workflow workflow = Workflow.named("w" + workflows).step("a").uses("m").build();
        decide(
                (org, name, version) -> Plan.of(workflow, version),
                new CommandMessage<>("acme", new RegisterWorkflow(workflow), Attribution.PROGRAM, 0));
        var request = StartRequest.of("r" + workflows, workflow.name(), JsonNodeFactory.instance.objectNode());
        decide(
                (org, name, version) -> {
                    time += takes;
                    cpu += uses;
                    return Plan.of(workflow, version);
                },
                new StartMessage("acme", request, Attribution.PROGRAM, 0));
    }

    private void decide(OrganisationBatch.PlanReader reader, Message<?> message) {
        var orgBatch = new OrganisationBatch("acme", new OpenPolls());
        orgBatch.messages.add(message);
        orgBatch.decide(loadedOrg, reader, 0, watchdog);
    }

    private void warn(String line) {
        warnings.add(line);
    }

    private long slow() {
        return counters.values().of(CounterName.SLOW_COMMANDS);
    }

    @Test
    void a_command_that_uses_more_cpu_than_any_should_is_counted() {
        start(Watchdog.CPU_MAX, Watchdog.CPU_MAX);
        assertThat(slow()).isZero();

        start(Watchdog.CPU_MAX + 1, Watchdog.CPU_MAX + 1);
        assertThat(slow()).isOne();
    }

    @Test
    void the_log_names_the_organisation_and_the_run_of_a_slow_command() {
        start(3 * Watchdog.CPU_MAX, 3 * Watchdog.CPU_MAX);

        assertThat(warnings).singleElement().asString().contains("acme", "r1", "300 ms");
    }

    @Test
    void a_command_that_only_waits_is_not_counted() {
        start(10 * Watchdog.CPU_MAX, 1);

        assertThat(slow()).isZero();
    }

    @Test
    void the_work_between_two_batches_is_not_counted() {
        start(1, 1);
        time += 10 * Watchdog.CPU_MAX;
        cpu += 10 * Watchdog.CPU_MAX;
        start(Watchdog.SAMPLE_INTERVAL, Watchdog.SAMPLE_INTERVAL);

        assertThat(slow()).isZero();
    }

    @Test
    void a_command_is_named_with_its_run_and_step() {
        assertThat(new CommandMessage<>("acme", new PauseRun("r"), Attribution.PROGRAM, 0).describe())
                .isEqualTo("PauseRun of run r");
        assertThat(new CommandMessage<>("acme", new SkipStep("r", "s"), Attribution.PROGRAM, 0).describe())
                .isEqualTo("SkipStep of run r, step s");
        var update = new UpdateStep(new UnitId("r", "s", 7), 1, new Update.NoOp());
        assertThat(new CommandMessage<>("acme", update, Attribution.PROGRAM, 0).describe())
                .isEqualTo("UpdateStep of run r, step s, item 7");
        assertThat(new CommandMessage<>("acme", new EndPoll("q"), Attribution.PROGRAM, 0).describe())
                .isEqualTo("EndPoll");
    }
}
