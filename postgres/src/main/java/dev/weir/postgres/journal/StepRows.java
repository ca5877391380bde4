package dev.weir.postgres.journal;

import dev.weir.core.limit.Moment;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.LimitNeedsJson;
import dev.weir.postgres.json.StateCodes;
import dev.weir.postgres.json.StepJson;
import dev.weir.postgres.json.StoredJson;
import dev.weir.postgres.json.UpdateJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts steps and items to rows and back. */
public final class StepRows {
    /** Stands for an input that can be computed from the run's input, and for the usual needs of a step of the plan. */
    private static final String DERIVED = "0";

    /** Enough for a small output, so that the text of a usual step does not have to grow. */
    private static final int INITIAL_CHARS = 400;

    private StepRows() {}

    static @Nullable Object[] liveColumns(int org, UnitKey key, StepRow row, Plan plan) {
        return columns(org, key, row, plan).toArray();
    }

    /**
     * The end of a step or item.
     *
     * @param at the time of the end
     * @param grantedAt the grant time of its last claim; null if it had none
     */
    record End(long at, @Nullable Long grantedAt) {}

    static @Nullable Object[] historyColumns(int org, UnitKey key, StepRow row, Plan plan, End end) {
        List<@Nullable Object> columns = columns(org, key, row, plan);
        columns.add(end.at);
        columns.add(end.grantedAt);
        return columns.toArray();
    }

    /**
     * Returns a step that became ready when its run started, in the form used inside the run's row. Returns null if the
     * step needs a row of its own.
     */
    static @Nullable String inlineReady(UnitKey key, StepRow row, RunChange run) {
        Plan plan = run.plan();
        boolean isPlain = key.item() == UnitId.NO_ITEM
                && row.due() == Moment.NEVER
                && row.lastOutcome() == null
                && StepJson.traits(row) == null
                && StepJson.detail(row.detail()) == null
                && plan.isPlainWork(key.step());
        if (!isPlain) {
            return null;
        }
        String needs = Objects.equals(row.limitNeeds(), plan.defaultLimitNeeds(key.step()))
                ? null
                : LimitNeedsJson.text(row.limitNeeds(), plan, key.step());
        return "[" + key.step() + "," + needs + "," + input(key, row, run) + "]";
    }

    /**
     * Returns a step or item that ended when its run did, in the form used inside the run's row. Missing values at the
     * end are left out, and its time is relative to the time at which the run was accepted.
     */
    static String inlineEnded(UnitKey key, StepRow row, RunChange run, @Nullable Long grantedAt) {
        var columns = new StringBuilder(INITIAL_CHARS);
        columns.append('[').append(key.step());
        columns.append(',').append(key.item());
        columns.append(",\"").append(StateCodes.letter(row.state())).append('"');
        columns.append(',').append(row.fence());
        appendTimes(row.since(), grantedAt, run.acceptedAt(), columns.append(','));
        columns.append(',').append(row.attempts());
        columns.append(',').append(row.reported() ? (Integer) row.reportFingerprint() : null);
        columns.append(',').append(needs(key, row, run));
        columns.append(',').append(input(key, row, run));
        UpdateJson.append(row.lastOutcome(), columns.append(','));
        String detail = StepJson.detail(row.detail());
        String traits = StepJson.traits(row);
        Long due = row.due() == Moment.NEVER ? null : row.due();
        if (detail != null || traits != null || due != null) {
            columns.append(',').append(detail);
        }
        if (traits != null || due != null) {
            columns.append(',').append(traits);
        }
        if (due != null) {
            columns.append(',').append(due);
        }
        return columns.append(']').toString();
    }

    /** Appends the time from which the step's age counts, and the time of its grant if it had one. */
    private static void appendTimes(long since, @Nullable Long grantedAt, long acceptedAt, StringBuilder text) {
        if (grantedAt == null) {
            text.append(since - acceptedAt);
        } else {
            text.append('[').append(since - acceptedAt).append(',').append(grantedAt - since);
            text.append(']');
        }
    }

    /** Returns the step's needs, or {@link #DERIVED} if they are the usual ones. */
    private static @Nullable String needs(UnitKey key, StepRow row, RunChange run) {
        return Objects.equals(row.limitNeeds(), run.plan().defaultLimitNeeds(key.step()))
                ? DERIVED
                : LimitNeedsJson.text(row.limitNeeds(), run.plan(), key.step());
    }

    /** Returns the step's input, or {@link #DERIVED} if it can be computed from the run's input. */
    private static @Nullable String input(UnitKey key, StepRow row, RunChange run) {
        if (row.input() == null) {
            return null;
        }
        return key.item() == UnitId.NO_ITEM && run.canDeriveInput(key.step())
                ? DERIVED
                : StoredJson.text(row.input().value());
    }

    private static List<@Nullable Object> columns(int org, UnitKey key, StepRow row, Plan plan) {
        return new ArrayList<>(Arrays.<@Nullable Object>asList(
                org,
                key.run(),
                key.step(),
                key.item(),
                StateCodes.letter(row.state()),
                row.fence(),
                row.since(),
                row.due() == Moment.NEVER ? null : row.due(),
                row.attempts(),
                row.reported() ? row.reportFingerprint() : null,
                LimitNeedsJson.text(row.limitNeeds(), plan, key.step()),
                row.input() == null ? null : StoredJson.text(row.input().value()),
                UpdateJson.text(row.lastOutcome()),
                StepJson.traits(row),
                StepJson.detail(row.detail())));
    }

    /** The data of a step that its claim contains. */
    record ClaimData(long fence, int attempts) {}

    /** Reads a step or item from a row of the table steps or step_history. The row includes the data of its claim. */
    public static StepRow read(ResultSet found, UnitId id, RunData run) throws SQLException {
        return read(found, id, run, new ClaimData(found.getLong("claim_fence"), found.getInt("claim_attempts")));
    }

    /**
     * Reads a step or item with the data of another claim. A claim with a higher fence means that the step is running.
     */
    static StepRow read(ResultSet found, UnitId id, RunData run, ClaimData claimed) throws SQLException {
        StepJson.Traits traits = StepJson.readTraits(found.getString("traits"));
        long due = found.getLong("due_at");
        boolean never = found.wasNull();
        int report = found.getInt("report_hash");
        boolean reported = !found.wasNull();
        long fence = found.getLong("fence");
        int attempts = found.getInt("attempts");
        StepState state = StateCodes.step(found.getString("state"));
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
                traits.effect(),
                traits.items(),
                traits.waitsFor(),
                needs(found, run.plan, run.plan.indexOf(id.step())),
                traits.input(run.input(id, found.getString("input"))),
                UpdateJson.read(found.getString("last_update")),
                reported,
                reported ? report : 0,
                StepJson.readDetail(found.getString("detail")));
    }

    /**
     * The run of the steps that are read.
     *
     * @param input the input of the run
     */
    public record RunData(Plan plan, JsonNode input) {
        static RunData of(RunRequest request) {
            return new RunData(request.plan(), request.input());
        }

        private @Nullable JsonNode input(UnitId unit, @Nullable String found) {
            return DERIVED.equals(found)
                    ? plan.renderInput(plan.indexOf(unit.step()), unit.run(), input)
                    : StoredJson.readNullable(found);
        }
    }

    private static @Nullable LimitNeeds needs(ResultSet found, Plan plan, int step) throws SQLException {
        String stored = found.getString("limit_needs");
        return DERIVED.equals(stored) ? plan.defaultLimitNeeds(step) : LimitNeedsJson.read(stored, plan, step);
    }
}
