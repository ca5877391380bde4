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
    void a_node_with_too_much_to_do_says_429_and_when_to_ask_again() {
        RefusedRequest refused = ProblemMapper.of(new CompletionException(new Overloaded("too much", SOON)));
        assertThat(refused.problem().status()).isEqualTo(429);
        assertThat(refused.problem().type()).isEqualTo("/problems/overloaded");
        assertThat(refused.retryAfter()).isEqualTo(SOON);
    }

    @Test
    void what_cannot_be_told_now_stays_503() {
        assertThat(ProblemMapper.of(new Unavailable("away", SOON)).problem().status())
                .isEqualTo(503);
    }
}
