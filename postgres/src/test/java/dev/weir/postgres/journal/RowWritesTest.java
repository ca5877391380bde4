package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.sql.PipelinedTransaction;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RowWritesTest {
    @Test
    void rows_of_a_statement_without_a_place_in_the_write_order_are_refused() throws Exception {
        var writes = new RowWrites(false, org -> {
            throw new IllegalStateException("expected that nobody asks for pages");
        });
        writes.add("taken_ids", 1, "r");
        try (var connection = TestPostgres.address().connect("writes", Duration.ofSeconds(10))) {
            assertThatThrownBy(() -> writes.commit(new PipelinedTransaction(connection), true))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "expected a place in the order of writes for taken_ids, found none; nothing is written");
        }
    }
}
