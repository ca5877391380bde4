package dev.weir.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that rows arrive unchanged, whether they are copied, inserted, or sent together with others. */
class StatementRowsTest {
    private static final String INSERT =
            "insert into sample (small, whole, large, flag, said) select * from unnest(?::smallint[], ?::int[], ?::bigint[], ?::boolean[], ?::text[])";
    private static final String DELETE = "delete from sample where small = ?::smallint and large = any (?::bigint[])";
    private static final int MANY = 300;

    private static final String[] TEXTS = {
        "",
        "plain",
        "back\\slash",
        "\\N",
        "\\.",
        "a\ttab",
        "two\nlines\r\n",
        "{\"json\":\"with \\\"quotes\\\" and \\n\"}",
        "ümläut € 漢字 \uD83D\uDE00",
        "ends with \\",
        "x".repeat(20_000) + "\n"
    };

    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        TestPostgres.postgres();
        connection = TestPostgres.address().connect("rows", Duration.ofSeconds(30));
        try (var statement = connection.createStatement()) {
            statement.execute(
                    "create temporary table sample (small smallint, whole int, large bigint unique, flag boolean, said text)");
        }
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private static @Nullable Object[] row(int i) {
        if (i % 7 == 3) {
            return new @Nullable Object[] {null, null, (long) i, null, null};
        }
        long sign = i % 2 == 0 ? 1 : -1;
        return new @Nullable Object[] {
            (short) (i % 2), (int) (sign * i), i == 0 ? Long.MIN_VALUE : (long) i, i % 3 == 0, TEXTS[i % TEXTS.length]
        };
    }

    private void write(int rows) throws SQLException {
        var writing = StatementRows.forInsert(INSERT, true);
        for (int i = 0; i < rows; i++) {
            writing.add(row(i));
        }
        var transaction = new PipelinedTransaction(connection);
        writing.addTo(transaction);
        transaction.commit();
    }

    private List<List<@Nullable Object>> read() throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(
                        "select small, whole, large, flag, said from sample order by abs(greatest(large, 0))")) {
            while (found.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (int i = 1; i <= 5; i++) {
                    row.add(found.getObject(i));
                }
                rows.add(row);
            }
        }
        connection.rollback();
        return rows;
    }

    private static List<List<@Nullable Object>> expected(int rows) {
        List<List<@Nullable Object>> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            List<@Nullable Object> row = new ArrayList<>(java.util.Arrays.<@Nullable Object>asList(row(i)));
            if (row.getFirst() instanceof Short small) {
                row.set(0, small.intValue());
            }
            all.add(row);
        }
        return all;
    }

    @Test
    void many_rows_are_copied_as_they_are() throws SQLException {
        write(MANY);
        assertThat(read()).isEqualTo(expected(MANY));
    }

    @Test
    void a_few_rows_are_inserted_as_they_are() throws SQLException {
        write(20);
        assertThat(read()).isEqualTo(expected(20));
    }

    @Test
    void half_a_surrogate_pair_is_refused_before_anything_is_sent() {
        for (int before : new int[] {0, MANY}) {
            var writing = StatementRows.forInsert(INSERT, true);
            for (int i = 0; i < before; i++) {
                writing.add(row(i));
            }
            assertThatThrownBy(() -> {
                        writing.add((short) 1, 1, 1L, true, "half \uD83D");
                        writing.addTo(new PipelinedTransaction(connection));
                    })
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("half a surrogate pair");
        }
    }

    @Test
    void statements_of_a_transaction_run_in_the_order_in_which_they_were_added() throws SQLException {
        write(MANY);
        var gone = StatementRows.of(DELETE);
        gone.add((short) 0, 2L);
        gone.add((short) 0, 4L);
        gone.add((short) 0, 5L);
        var again = StatementRows.forInsert(INSERT, true);
        again.add((short) 9, 9, 2L, true, "again");
        var transaction = new PipelinedTransaction(connection);
        gone.addTo(transaction);
        again.addTo(transaction);
        transaction.commit();
        assertThat(read())
                .as("2 came back, 4 is gone, 5 is of another kind")
                .hasSize(MANY - 1)
                .anySatisfy(row -> assertThat(row).containsExactly(9, 9, 2L, true, "again"))
                .noneSatisfy(row -> assertThat(row.get(2)).isEqualTo(4L));
    }

    @Test
    void a_constant_parameter_must_be_the_same_in_all_rows() {
        var gone = StatementRows.of(DELETE);
        gone.add((short) 0, 2L);
        assertThatThrownBy(() -> gone.add((short) 1, 3L)).hasMessageContaining("expected 0 in all rows");
    }

    @Test
    void after_a_statement_that_fails_nothing_is_committed() throws SQLException {
        write(20);
        var twice = StatementRows.forInsert(INSERT, true);
        twice.add((short) 1, 1, 1L, true, "twice");
        var gone = StatementRows.of(DELETE);
        gone.add((short) 0, 2L);
        var transaction = new PipelinedTransaction(connection);
        gone.addTo(transaction);
        twice.addTo(transaction);
        assertThatThrownBy(transaction::commit)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(SqlFailures.UNIQUE_VIOLATION));
        assertThat(transaction.mayHaveCommitted()).isFalse();
        connection.rollback();
        assertThat(read()).isEqualTo(expected(20));
    }

    @Test
    void a_transaction_may_have_committed_only_after_commit_was_called() throws SQLException {
        var transaction = new PipelinedTransaction(connection);
        assertThat(transaction.mayHaveCommitted()).isFalse();
        transaction.commit();
        assertThat(transaction.mayHaveCommitted()).isTrue();
    }
}
