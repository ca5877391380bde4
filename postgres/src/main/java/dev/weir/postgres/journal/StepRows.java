package dev.weir.postgres.journal;

import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.core.limit.Moment;
import dev.weir.postgres.json.Asks;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.States;
import dev.weir.postgres.json.StepJson;
import dev.weir.postgres.json.Updates;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of steps and items: what is written for one, and what is read. */
public final class StepRows {
    private StepRows() {}

    static @Nullable Object[] whole(int org, UnitKey key, StepRow row) {
        return columns(org, key, row).toArray();
    }

    static @Nullable Object[] history(int org, UnitKey key, StepRow row, long endedAt) {
        List<@Nullable Object> columns = columns(org, key, row);
        columns.add(endedAt);
        return columns.toArray();
    }

    private static List<@Nullable Object> columns(int org, UnitKey key, StepRow row) {
        return new ArrayList<>(Arrays.<@Nullable Object>asList(
                org,
                key.run(),
                key.step(),
                key.item(),
                States.letter(row.state()),
                row.fence(),
                row.since(),
                row.due() == Moment.NEVER ? null : row.due(),
                row.attempts(),
                row.reported() ? row.report() : null,
                Asks.text(row.ask()),
                row.input() == null ? null : Json.text(row.input().value()),
                Updates.text(row.last()),
                StepJson.traits(row),
                StepJson.detail(row.detail())));
    }

    /** A step or item, from a row of table steps or step_history. A claim with a higher fence says that it runs. */
    public static StepRow read(ResultSet found, UnitId id) throws SQLException {
        StepJson.Traits traits = StepJson.readTraits(found.getString("traits"));
        long due = found.getLong("due");
        boolean never = found.wasNull();
        int report = found.getInt("report");
        boolean reported = !found.wasNull();
        long fence = found.getLong("fence");
        int attempts = found.getInt("attempts");
        StepState state = States.step(found.getString("state"));
        long claimed = found.getLong("claim_fence");
        if (claimed > fence) {
            fence = claimed;
            attempts = found.getInt("claim_attempts");
            state = StepState.RUNNING;
            reported = false;
        }
        return new StepRow(
                id,
                state,
                fence,
                found.getLong("since"),
                never ? Moment.NEVER : due,
                attempts,
                traits.expiries(),
                traits.reschedules(),
                traits.items(),
                traits.waitsFor(),
                Asks.read(found.getString("ask")),
                traits.input(Json.readIfAny(found.getString("input"))),
                Updates.read(found.getString("last")),
                reported,
                reported ? report : 0,
                StepJson.readDetail(found.getString("detail")));
    }
}
