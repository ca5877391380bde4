package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.StartRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class OrganisationBatchTest {
    private final LoadedOrganisation resident = new LoadedOrganisation(OrganisationRows.NONE, 0);
    private int read;

    private static Workflow workflow(String name, int version) {
        return Workflow.named(name)
                .description("version " + version)
                .step("a")
                .uses("m")
                .build();
    }

    private OrganisationBatch turn(Message<?>... messages) {
        OrganisationBatch turn = new OrganisationBatch("acme", new OpenPolls());
        turn.messages.addAll(List.of(messages));
        turn.decide(resident, this::read, 0, new Watchdog(new Counters(), () -> 0, () -> 0));
        turn.committed();
        return turn;
    }

    private Plan read(String org, String workflow, int version) {
        read++;
        return Plan.of(workflow(workflow, version), version);
    }

    private static CommandMessage<?> register(String name, int version) {
        return new CommandMessage<>("acme", new RegisterWorkflow(workflow(name, version)), 0);
    }

    private static StartMessage start(String run, String workflow) {
        return new StartMessage("acme", StartRequest.of(run, workflow, JsonNodeFactory.instance.objectNode()), 0);
    }

    @Test
    void of_a_workflow_the_plan_of_the_newest_version_is_at_hand_and_no_other() {
        for (int version = 1; version <= 20; version++) {
            turn(register("greet", version), start("r" + version, "greet"));
        }
        turn(register("other", 1), register("other", 2));
        turn(start("last", "greet"), start("another", "other"));
        assertThat(read).isZero();
        assertThat(resident.plans.values())
                .extracting(plan -> plan.workflow().name() + " " + plan.version())
                .containsExactlyInAnyOrder("greet 20", "other 2");
        assertThat(resident.organisation
                        .findRun("r7")
                        .orElseThrow()
                        .request()
                        .plan()
                        .version())
                .isEqualTo(7);
    }
}
