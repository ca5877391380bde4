package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests callers that claim steps of a run by name. */
class ChoosingTest {
    private final Bench bench = new Bench();

    @Test
    @Tag("R1.10")
    void whoever_chooses_among_very_many_lanes_looks_at_some_and_at_all_in_turn() {
        var run = bench.run(RunLimitValues.NONE);
        int lanes = Admission.LANES_MAX * 5 / 2;
        for (int i = 0; i < lanes; i++) {
            run.ready("s" + i, TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key("k" + i), 1)));
        }
        assertThat(run.gate.nextLanes(Admission.LANES_MAX)).hasSize(Admission.LANES_MAX);
        Predicate<Ticket> oldest = ticket -> ticket.subject().toString().equals("s0");
        int claims = 0;
        while (bench.admission.claim(run.gate, Set.of("m"), oldest, 1, 0).isEmpty()) {
            claims++;
            assertThat(claims).isLessThan(3);
        }
        int given = 1;
        for (int more = 1; more > 0; given += more) {
            more = bench.admission
                    .claim(run.gate, Set.of("m"), ticket -> true, lanes, 0)
                    .size();
        }
        assertThat(given).isEqualTo(lanes);
    }
}
