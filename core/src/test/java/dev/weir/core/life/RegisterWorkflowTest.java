package dev.weir.core.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.Workflow;
import dev.weir.core.life.RegisterWorkflow.Answer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.13")
class RegisterWorkflowTest {
    private final Organisation org = new Organisation();

    @Test
    void new_content_is_a_new_version_and_the_same_content_is_not() {
        assertThat(register("a").answer()).isEqualTo(new Answer.Registered(1));
        assertThat(register("a").answer()).isEqualTo(new Answer.Unchanged(1));
        assertThat(register("b").answer()).isEqualTo(new Answer.Registered(2));
        assertThat(register("a").answer())
                .as("the content of the first is not the newest")
                .isEqualTo(new Answer.Registered(3));
    }

    @Test
    void what_changes_nothing_makes_no_move() {
        register("a");
        assertThat(register("a").moves()).isEmpty();
    }

    @Test
    void versions_are_known_again_after_a_restart() {
        var ledger = new Ledger();
        ledger.apply(register("a").moves());
        ledger.apply(register("b").moves());
        var restored = Organisation.restore(ledger.rows(1), 1);
        assertThat(restored.rows()).isEqualTo(org.rows());
        assertThat(restored.findWorkflow("flow").orElseThrow().version()).isEqualTo(2);
    }

    @Test
    void what_is_too_large_to_be_kept_is_refused() {
        var large = Workflow.named("flow").description("x".repeat(300_000)).build();
        assertThatThrownBy(() -> new RegisterWorkflow(large))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("at most 262144 bytes");
    }

    private Decision<Answer> register(String step) {
        return org.handle(new RegisterWorkflow(workflow(step)), 1);
    }

    private static Workflow workflow(String step) {
        return World.plan(World.step(step)).workflow();
    }
}
