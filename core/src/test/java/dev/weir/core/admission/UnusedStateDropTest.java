package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that unused objects are dropped as fast as new ones can arrive. */
@Tag("L3")
class UnusedStateDropTest {
    private static final long SECOND = 1_000_000;
    private static final int KEYS_PER_PASS = 100;
    private static final int SECONDS = 300;
    /** Maximum seconds for which an unused key may be remembered. */
    private static final int SECONDS_REMEMBERED_MAX = 90;

    private final AdmissionFixture fixture = new AdmissionFixture();

    @Test
    void keys_that_are_used_once_are_forgotten_however_many_come_in_one_pass() {
        int max = 0;
        for (int second = 0; second < SECONDS; second++) {
            fixture.poll("m", KEYS_PER_PASS);
            for (int i = 0; i < KEYS_PER_PASS; i++) {
                var key = new LimitId.Key("order-" + second + "-" + i);
                fixture.run(RunLimitValues.NONE).enqueue("s" + i, TicketSpec.of("m", LimitNeed.parallelism(key, 1)));
            }
            List<Grant> grants = fixture.admission.pass(fixture.now);
            assertThat(grants).hasSize(KEYS_PER_PASS);
            grants.forEach(grant -> fixture.admission.release(grant.allocation(), fixture.now));
            fixture.now += SECOND;
            max = Math.max(
                    max, fixture.admission.directory().limits(fixture.now).size());
        }
        assertThat(max).isLessThan(SECONDS_REMEMBERED_MAX * KEYS_PER_PASS);
    }

    @Test
    void modules_that_somebody_polls_for_once_are_forgotten() {
        var served = TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key("k"), 1));
        fixture.run(RunLimitValues.NONE).enqueue("waits", served);
        Poll stays = fixture.poll("stays", 1);
        for (int second = 0; second < SECONDS; second++) {
            for (int i = 0; i < KEYS_PER_PASS; i++) {
                fixture.admission.endPoll(fixture.poll("no-such-" + second + "-" + i, 1), fixture.now);
            }
            fixture.admission.pass(fixture.now);
            fixture.now += SECOND;
        }
        assertThat(fixture.admission.modules()).isLessThan(SECONDS_REMEMBERED_MAX * KEYS_PER_PASS);

        fixture.run(RunLimitValues.NONE).enqueue("comes", TicketSpec.of("stays"));
        assertThat(stays.isOpen()).isTrue();
        assertThat(fixture.pass()).containsExactly("comes");
        fixture.poll("m", 1);
        assertThat(fixture.pass()).containsExactly("waits");
    }
}
