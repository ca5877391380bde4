package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests callers that claim steps of a run by name. */
class ClaimByNameTest {
    private final AdmissionFixture fixture = new AdmissionFixture();

    @Test
    @Tag("R1.10")
    void a_claim_by_name_checks_a_bounded_number_of_lanes_and_reaches_all_in_turn() {
        var run = fixture.run(RunLimitValues.NONE);
        int lanes = Admission.LANES_MAX * 5 / 2;
        for (int i = 0; i < lanes; i++) {
            run.enqueue("s" + i, TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key("k" + i), 1)));
        }
        assertThat(run.limiter.nextLanes(Admission.LANES_MAX)).hasSize(Admission.LANES_MAX);
        Predicate<Ticket> oldest = ticket -> ticket.subject().toString().equals("s0");
        int claims = 0;
        while (fixture.admission.claim(run.limiter, Set.of("m"), oldest, 1, 0).isEmpty()) {
            claims++;
            assertThat(claims).isLessThan(3);
        }
        int given = 1;
        for (int more = 1; more > 0; given += more) {
            more = fixture.admission
                    .claim(run.limiter, Set.of("m"), ticket -> true, lanes, 0)
                    .size();
        }
        assertThat(given).isEqualTo(lanes);
    }
}
