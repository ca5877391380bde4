package dev.weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S8")
class AttemptTest {
    private static final String CLAIM = "r/a";

    private static long at(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void the_lease_of_a_claim_with_a_fast_response_counts_from_the_request() throws Exception {
        var job = new Attempt<>(CLAIM, Duration.ofSeconds(30), at(100), at(110));
        assertThat(job.isUnconfirmed()).isFalse();
        assertThat(job.awaitConfirmation()).isTrue();
        assertThat(job.isRenewalOverdue(at(123))).isFalse();
        assertThat(job.isRenewalOverdue(at(124))).isTrue();
    }

    @Test
    void a_claim_with_a_slow_response_needs_a_heartbeat_first_and_counts_from_it() throws Exception {
        var job = new Attempt<>(CLAIM, Duration.ofSeconds(30), at(100), at(129));
        assertThat(job.isUnconfirmed()).isTrue();
        assertThat(job.isHeartbeatDue(at(129))).isTrue();
        assertThat(job.isRenewalOverdue(at(129))).isFalse();
        job.renew(at(130), 30_000);
        assertThat(job.awaitConfirmation()).isTrue();
        assertThat(job.isRenewalOverdue(at(153))).isFalse();
        assertThat(job.isRenewalOverdue(at(154))).isTrue();
    }

    @Test
    void an_unconfirmed_claim_that_is_not_renewed_is_lost_before_its_body_begins() throws Exception {
        var job = new Attempt<>(CLAIM, Duration.ofSeconds(30), at(100), at(129));
        assertThat(job.isRenewalOverdue(at(152))).isFalse();
        assertThat(job.isRenewalOverdue(at(153))).isTrue();
        job.markLost();
        assertThat(job.awaitConfirmation()).isFalse();
    }

    @Test
    void a_cancel_that_was_asked_for_before_the_body_began_interrupts_it() {
        var job = new Attempt<>(CLAIM, Duration.ofSeconds(30), at(100), at(101));
        job.requestCancel();
        job.begin(Thread.currentThread());
        assertThat(Thread.interrupted()).isTrue();
    }
}
