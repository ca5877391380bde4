package dev.weir.postgres.journal;

import dev.weir.core.life.Ask;
import dev.weir.core.life.Plan;
import dev.weir.core.life.StartRun;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rows of steps and items: what is written for one, and what is read. */
public final class StepRows {
    /** Stands for an input that follows from the run's, and for what a step of the plan asks for as a rule. */
    private static final String TOLD = "0";

    private static final int ENDED_CHARS = 160;

    private StepRows() {}

    static @Nullable Object[] whole(int org, UnitKey key, StepRow row, Plan plan) {
        return columns(org, key, row, plan).toArray();
    }

    static @Nullable Object[] history(int org, UnitKey key, StepRow row, Plan plan, long endedAt) {
        List<@Nullable Object> columns = columns(org, key, row, plan);
        columns.add(endedAt);
        return columns.toArray();
    }

    /** A step that became ready when its run started, as it is written with the run; absent if it has to have its own row. */
    static @Nullable String opened(UnitKey key, StepRow row, RunImage run) {
        Plan plan = run.plan();
        boolean plain = key.item() == UnitId.NO_ITEM
                && row.due() == Moment.NEVER
                && row.last() == null
                && StepJson.traits(row) == null
                && StepJson.detail(row.detail()) == null
                && plan.isPlainWork(key.step());
        if (!plain) {
            return null;
        }
        String ask =
                Objects.equals(row.ask(), plan.usualAsk(key.step())) ? null : Asks.text(row.ask(), plan, key.step());
        return "[" + key.step() + "," + ask + "," + input(key, row, run) + "]";
    }

    /**
     * A step or item that ended when its run did, as it is written with the run: what it lacks at the end is left out, and
     * its time is after that at which the run was accepted.
     */
    static String ended(UnitKey key, StepRow row, RunImage run) {
        var columns = new StringBuilder(ENDED_CHARS);
        columns.append('[').append(key.step());
        columns.append(',').append(key.item());
        columns.append(",\"").append(States.letter(row.state())).append('"');
        columns.append(',').append(row.fence());
        columns.append(',').append(row.since() - run.acceptedAt());
        columns.append(',').append(row.attempts());
        columns.append(',').append(row.reported() ? (Integer) row.report() : null);
        columns.append(',').append(ask(key, row, run));
        columns.append(',').append(input(key, row, run));
        columns.append(',').append(Updates.text(row.last()));
        columns.append(',').append(StepJson.detail(row.detail()));
        String traits = StepJson.traits(row);
        if (traits != null || row.due() != Moment.NEVER) {
            columns.append(',').append(traits);
        }
        if (row.due() != Moment.NEVER) {
            columns.append(',').append(row.due());
        }
        return columns.append(']').toString();
    }

    /** What it asked for where that is not what it asks for as a rule. */
    private static @Nullable String ask(UnitKey key, StepRow row, RunImage run) {
        return Objects.equals(row.ask(), run.plan().usualAsk(key.step()))
                ? TOLD
                : Asks.text(row.ask(), run.plan(), key.step());
    }

    /** The input where it cannot be told from the run's. */
    private static @Nullable String input(UnitKey key, StepRow row, RunImage run) {
        if (row.input() == null) {
            return null;
        }
        return key.item() == UnitId.NO_ITEM && run.tellsInput(key.step())
                ? TOLD
                : Json.text(row.input().value());
    }

    private static List<@Nullable Object> columns(int org, UnitKey key, StepRow row, Plan plan) {
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
                Asks.text(row.ask(), plan, key.step()),
                row.input() == null ? null : Json.text(row.input().value()),
                Updates.text(row.last()),
                StepJson.traits(row),
                StepJson.detail(row.detail())));
    }

    /** What a claim says of its step. */
    record Claimed(long fence, int attempts) {}

    /** A step or item, from a row of table steps or step_history, and what that says of its claim. */
    public static StepRow read(ResultSet found, UnitId id, Of run) throws SQLException {
        return read(found, id, run, new Claimed(found.getLong("claim_fence"), found.getInt("claim_attempts")));
    }

    /** The same with another claim. One with a higher fence says that it runs. */
    static StepRow read(ResultSet found, UnitId id, Of run, Claimed claimed) throws SQLException {
        StepJson.Traits traits = StepJson.readTraits(found.getString("traits"));
        long due = found.getLong("due");
        boolean never = found.wasNull();
        int report = found.getInt("report");
        boolean reported = !found.wasNull();
        long fence = found.getLong("fence");
        int attempts = found.getInt("attempts");
        StepState state = States.step(found.getString("state"));
        if (claimed.fence > fence) {
            fence = claimed.fence;
            attempts = claimed.attempts;
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
                ask(found, run.plan, run.plan.indexOf(id.step())),
                traits.input(run.input(id, found.getString("input"))),
                Updates.read(found.getString("last")),
                reported,
                reported ? report : 0,
                StepJson.readDetail(found.getString("detail")));
    }

    /**
     * The run of the steps that are read.
     *
     * @param input what it was started with
     */
    public record Of(Plan plan, JsonNode input) {
        static Of run(StartRun request) {
            return new Of(request.plan(), request.input());
        }

        private @Nullable JsonNode input(UnitId unit, @Nullable String found) {
            return TOLD.equals(found)
                    ? plan.inputFrom(plan.indexOf(unit.step()), unit.run(), input)
                    : Json.readIfAny(found);
        }
    }

    private static @Nullable Ask ask(ResultSet found, Plan plan, int step) throws SQLException {
        String own = found.getString("ask");
        boolean isUsual = TOLD.equals(own) || (own == null && found.getBoolean("as_opened"));
        return isUsual ? plan.usualAsk(step) : Asks.read(own, plan, step);
    }
}
