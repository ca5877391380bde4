package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.StartRun;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Move;
import dev.weir.core.state.NoticeSettings;
import dev.weir.core.state.OrganisationRows;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class LoadedOrganisationTest {
    @Test
    void what_a_load_decides_is_written_with_the_next_decision() {
        OrganisationRows rows = withoutClaims(rowsOfRunningStep());
        var loadedOrg = new LoadedOrganisation(rows, NoticeSettings.DEFAULT, 0);
        assertThat(loadedOrg.organisation.rows().steps()).isNotEqualTo(rows.steps());
        assertThat(loadedOrg.organisation.advance(0).moves()).anyMatch(Move.StepMoved.class::isInstance);
    }

    private static OrganisationRows rowsOfRunningStep() {
        Plan plan = Plan.of(Workflow.named("w").step("a").uses("m").build(), 1);
        Organisation org = Organisation.restore(OrganisationRows.NONE, 0);
        org.handle(StartRun.of("r", plan, JsonNodeFactory.instance.objectNode()), 0);
        org.advance(0);
        var modules = List.of(new ClaimWork.ServedModule("m"));
        org.handle(new ClaimSteps("poll", "worker", "r", modules, Set.of(), 1, 10_000_000), 0);
        return org.rows();
    }

    private static OrganisationRows withoutClaims(OrganisationRows rows) {
        assertThat(rows.claims()).hasSize(1);
        return new OrganisationRows(
                rows.runs(),
                rows.steps(),
                List.of(),
                rows.signals(),
                rows.starts(),
                rows.operators(),
                rows.profiles(),
                rows.workflows(),
                rows.endedRuns(),
                rows.nextRunNumber(),
                rows.highestFence(),
                rows.listeningSpans(),
                rows.access(),
                rows.events(),
                rows.attention());
    }
}
