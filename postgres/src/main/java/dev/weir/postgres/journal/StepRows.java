package dev.weir.postgres.journal;

import dev.weir.core.life.Ask;
import dev.weir.core.life.Plan;
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
import java.util.Objects;
import java.util.StringJoiner;
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

    /** A step that became ready when its run started, as it is written with the run; absent if it has to have its own row. */
    static @Nullable String opened(UnitKey key, StepRow row, Plan plan) {
        boolean plain = key.item() == UnitId.NO_ITEM
                && row.due() == Moment.NEVER
                && row.last() == null
                && StepJson.traits(row) == null
                && StepJson.detail(row.detail()) == null
                && plan.isPlainWork(key.step());
        if (!plain) {
            return null;
        }
        String ask = Objects.equals(row.ask(), plan.usualAsk(key.step())) ? null : Asks.text(row.ask());
        return "[" + key.step() + "," + ask + ","
                + (row.input() == null ? null : Json.text(row.input().value())) + "]";
    }

    /** A step or item that ended when its run did, as it is written with the run. */
    static String ended(UnitKey key, StepRow row) {
        StringJoiner columns = new StringJoiner(",", "[", "]");
        columns.add(Short.toString(key.step()))
                .add(Integer.toString(key.item()))
                .add('"' + States.letter(row.state()) + '"')
                .add(Long.toString(row.fence()))
                .add(Long.toString(row.since()))
                .add(row.due() == Moment.NEVER ? "null" : Long.toString(row.due()))
                .add(Integer.toString(row.attempts()))
                .add(row.reported() ? Integer.toString(row.report()) : "null")
                .add(Asks.text(row.ask()))
                .add(row.input() == null ? null : Json.text(row.input().value()))
                .add(Updates.text(row.last()))
                .add(StepJson.traits(row))
                .add(StepJson.detail(row.detail()));
        return columns.toString();
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
    public static StepRow read(ResultSet found, UnitId id, Plan plan) throws SQLException {
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
                ask(found, plan.usualAsk(plan.indexOf(id.step()))),
                traits.input(Json.readIfAny(found.getString("input"))),
                Updates.read(found.getString("last")),
                reported,
                reported ? report : 0,
                StepJson.readDetail(found.getString("detail")));
    }

    private static @Nullable Ask ask(ResultSet found, @Nullable Ask usual) throws SQLException {
        String own = found.getString("ask");
        return own == null && found.getBoolean("as_opened") ? usual : Asks.read(own);
    }
}
