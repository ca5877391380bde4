package dev.weir.postgres.journal;

import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.TriggerSubmission;
import dev.weir.engine.journal.StoredDeadLetter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.request.StartRequest;
import dev.weir.postgres.access.DeadLetterRows;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.json.StoredJson;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a dead letter, so that it can be redriven or discarded. */
final class DeadLetterReader {
    private static final SqlStatements SQL = SqlStatements.of(DeadLetterReader.class);

    private final Connection connection;
    private final int org;

    DeadLetterReader(Connection connection, int org) {
        this.connection = connection;
        this.org = org;
    }

    Optional<StoredDeadLetter> find(long number) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("dead_letter"))) {
            statement.setInt(1, org);
            statement.setLong(2, number);
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    return Optional.empty();
                }
                DeadLetterRecord read = DeadLetterRows.read(found);
                var state = new DeadLetterControl.Closed(read.state(), read.redrivenAs());
                return Optional.of(new StoredDeadLetter(
                        read.letter(),
                        state,
                        start(read.letter()),
                        triggered(read.letter().content())));
            }
        }
    }

    private static @Nullable TriggerSubmission triggered(DeadLetter.Content content) {
        boolean isTriggered = content.kind() == DeadLetter.Kind.EVENT || content.kind() == DeadLetter.Kind.CASCADE;
        String submission = content.submission();
        return isTriggered && submission != null ? TriggerSubmission.read(content, StoredJson.read(submission)) : null;
    }

    private static @Nullable StartRequest start(DeadLetter letter) {
        String submission = letter.content().submission();
        return letter.content().kind() == DeadLetter.Kind.REFUSED_START && submission != null
                ? StartJson.read(submission)
                : null;
    }
}
