package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.request.StartRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class OrganisationBatchTest {
    private final LoadedOrganisation loadedOrg = new LoadedOrganisation(OrganisationRows.NONE, 0);
    private int plansRead;

    private static Workflow workflow(String name, int version) {
        return Workflow.named(name)
                .description("version " + version)
                .step("a")
                .uses("m")
                .build();
    }

    private OrganisationBatch decide(Message<?>... messages) {
        OrganisationBatch orgBatch = new OrganisationBatch("acme", new OpenPolls());
        orgBatch.messages.addAll(List.of(messages));
        orgBatch.decide(loadedOrg, this::readPlan, 0, new Watchdog(new Counters(), () -> 0, () -> 0, line -> {}));
        orgBatch.recordCommit();
        return orgBatch;
    }

    private Plan readPlan(String org, String workflow, int version) {
        plansRead++;
        return Plan.of(workflow(workflow, version), version);
    }

    private static CommandMessage<?> register(String name, int version) {
        return new CommandMessage<>("acme", new RegisterWorkflow(workflow(name, version)), Attribution.PROGRAM, 0);
    }

    private static StartMessage start(String run, String workflow) {
        return new StartMessage(
                "acme", StartRequest.of(run, workflow, JsonNodeFactory.instance.objectNode()), Attribution.PROGRAM, 0);
    }

    @Test
    void only_the_newest_plan_of_a_workflow_is_in_memory() {
        for (int version = 1; version <= 20; version++) {
            decide(register("greet", version), start("r" + version, "greet"));
        }
        decide(register("other", 1), register("other", 2));
        decide(start("last", "greet"), start("another", "other"));
        assertThat(plansRead).isZero();
        assertThat(loadedOrg.plans.values())
                .extracting(plan -> plan.workflow().name() + " " + plan.version())
                .containsExactlyInAnyOrder("greet 20", "other 2");
        assertThat(loadedOrg
                        .organisation
                        .findRun("r7")
                        .orElseThrow()
                        .request()
                        .plan()
                        .version())
                .isEqualTo(7);
    }
}
