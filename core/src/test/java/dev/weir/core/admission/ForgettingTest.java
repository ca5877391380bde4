package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that unused objects are dropped as fast as new ones can arrive. */
@Tag("L3")
class ForgettingTest {
    private static final long SECOND = 1_000_000;
    private static final int KEYS_PER_PASS = 100;
    private static final int SECONDS = 300;
    /** Maximum seconds for which an unused key may be remembered. */
    private static final int SECONDS_KEPT = 90;

    private final Bench bench = new Bench();

    @Test
    void keys_that_are_used_once_are_forgotten_however_many_come_in_one_pass() {
        int most = 0;
        for (int second = 0; second < SECONDS; second++) {
            bench.poll("m", KEYS_PER_PASS);
            for (int i = 0; i < KEYS_PER_PASS; i++) {
                var key = new LimitId.Key("order-" + second + "-" + i);
                bench.run(RunLimitValues.NONE).ready("s" + i, TicketSpec.of("m", LimitNeed.parallelism(key, 1)));
            }
            List<Grant> grants = bench.admission.pass(bench.now);
            assertThat(grants).hasSize(KEYS_PER_PASS);
            grants.forEach(grant -> bench.admission.release(grant.holding(), bench.now));
            bench.now += SECOND;
            most = Math.max(most, bench.admission.directory().limits(bench.now).size());
        }
        assertThat(most).isLessThan(SECONDS_KEPT * KEYS_PER_PASS);
    }

    @Test
    void modules_that_somebody_polls_for_once_are_forgotten() {
        var served = TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key("k"), 1));
        bench.run(RunLimitValues.NONE).ready("waits", served);
        Poll stays = bench.poll("stays", 1);
        for (int second = 0; second < SECONDS; second++) {
            for (int i = 0; i < KEYS_PER_PASS; i++) {
                bench.admission.endPoll(bench.poll("no-such-" + second + "-" + i, 1), bench.now);
            }
            bench.admission.pass(bench.now);
            bench.now += SECOND;
        }
        assertThat(bench.admission.modules()).isLessThan(SECONDS_KEPT * KEYS_PER_PASS);

        bench.run(RunLimitValues.NONE).ready("comes", TicketSpec.of("stays"));
        assertThat(stays.open()).isTrue();
        assertThat(bench.pass()).containsExactly("comes");
        bench.poll("m", 1);
        assertThat(bench.pass()).containsExactly("waits");
    }
}
