package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.request.Overloaded;
import dev.weir.engine.request.Unavailable;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ProblemMapperTest {
    private static final Duration SOON = Duration.ofSeconds(1);

    @Test
    void an_overloaded_node_answers_429_with_a_time_to_retry() {
        RefusedRequest refused = ProblemMapper.of(new CompletionException(new Overloaded("too much", SOON)));
        assertThat(refused.problem().status()).isEqualTo(429);
        assertThat(refused.problem().type()).isEqualTo("/problems/overloaded");
        assertThat(refused.retryAfter()).isEqualTo(SOON);
    }

    @Test
    void an_unavailable_store_is_answered_with_503() {
        assertThat(ProblemMapper.of(new Unavailable("away", SOON)).problem().status())
                .isEqualTo(503);
    }
}
