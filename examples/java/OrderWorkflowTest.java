import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.StepState;
import dev.weir.testkit.junit.TestHandler;
import dev.weir.testkit.junit.TestRun;
import dev.weir.testkit.junit.VirtualWeir;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A workflow with a gate, a three-day sleep and modules that fail, tested in virtual time. */
class OrderWorkflowTest {
    @RegisterExtension
    final VirtualWeir weir = new VirtualWeir();

    @BeforeEach
    void register() {
        weir.register("""
                workflow: order
                steps:
                  - { id: pay, uses: billing.pay, with: { order: "${{ input.order }}" }, retry: { max_attempts: 3, delay: 1m } }
                  - { id: check, needs: [pay], gate: { note: "Is the address right?" } }
                  - { id: cool, needs: [check], sleep: 3d }
                  - { id: ship, needs: [cool], uses: shipping.ship }
                """);
        weir.serve("shipping.ship", TestHandler.returning(Map.of("tracking", 42)).taking(Duration.ofMinutes(4)));
    }

    @Test
    void an_order_is_paid_at_the_third_try_and_shipped_three_days_after_its_approval() {
        weir.serve("billing.pay", TestHandler.returning("paid").afterFailing(2));
        TestRun run = weir.start("order", Map.of("order", 7));
        weir.advance(Duration.ofHours(1));
        assertThat(run).hasTries("pay", 3).hasOutput("pay", "paid").hasStep("check", StepState.WAITING);

        run.approve("check");
        weir.advance(Duration.ofDays(3));
        assertThat(run).hasStep("ship", StepState.RUNNING);
        weir.advance(Duration.ofMinutes(4));
        assertThat(run).isCompleted().hasOutput("ship", Map.of("tracking", 42));
    }

    @Test
    void an_order_that_cannot_be_paid_fails_and_nothing_is_shipped() {
        weir.serve("billing.pay", work -> {
            throw new IllegalStateException("no money for order " + work.input().get("order"));
        });
        TestRun run = weir.start("order", Map.of("order", 7)).untilEnded(Duration.ofDays(1));
        assertThat(run).hasFailed().hasTries("pay", 3).hasStep("ship", StepState.CANCELLED);
    }
}
