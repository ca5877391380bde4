package dev.weir.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class AnswerTimeoutsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE); // the clock may overflow
    private final AnswerTimeouts answers = new AnswerTimeouts(now::get);

    private CompletableFuture<String> awaited(CompletableFuture<String> answer) {
        var outcome = new CompletableFuture<String>();
        Thread.ofVirtual().start(() -> {
            try {
                outcome.complete(answers.await(answer, TIMEOUT));
            } catch (Exception e) {
                outcome.completeExceptionally(e);
            }
        });
        return outcome;
    }

    private void awaitWaits(int count) {
        Awaitility.await().until(() -> answers.size() == count);
    }

    @Test
    void an_answer_that_is_there_needs_no_wait() throws Exception {
        assertThat(answers.await(CompletableFuture.completedFuture("done"), TIMEOUT))
                .isEqualTo("done");
        assertThat(answers.size()).isZero();
    }

    @Test
    void an_answer_in_time_ends_the_wait() throws Exception {
        var answer = new CompletableFuture<String>();
        var outcome = awaited(answer);
        awaitWaits(1);
        now.addAndGet(TIMEOUT.toNanos() - 1);
        answers.check();
        assertThat(answer).isNotDone();
        answer.complete("done");
        assertThat(outcome.get()).isEqualTo("done");
        awaitWaits(0);
    }

    @Test
    void an_answer_that_fails_fails_the_wait_with_its_cause() {
        var answer = new CompletableFuture<String>();
        var outcome = awaited(answer);
        answer.completeExceptionally(new IllegalStateException("broken"));
        assertThatThrownBy(outcome::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("broken");
        awaitWaits(0);
    }

    @Test
    void a_wait_that_is_overdue_ends_at_the_next_check_and_others_go_on() {
        var first = awaited(new CompletableFuture<>());
        awaitWaits(1);
        now.addAndGet(TIMEOUT.toNanos());
        var second = awaited(new CompletableFuture<>());
        awaitWaits(2);
        answers.check();
        assertThatThrownBy(first::get).cause().isInstanceOf(TimeoutException.class);
        awaitWaits(1);
        assertThat(second).isNotDone();
    }
}
