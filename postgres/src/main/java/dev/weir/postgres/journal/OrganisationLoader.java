package dev.weir.postgres.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateTracker;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Claim;
import dev.weir.core.state.FanOutTrimming;
import dev.weir.core.state.LongestPeriods;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.WorkflowVersion;
import dev.weir.postgres.json.LimitJson;
import dev.weir.postgres.json.ListeningJson;
import dev.weir.postgres.json.SettingJson;
import dev.weir.postgres.json.StoredJson;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Loads an organisation: its live runs and settings, and the ended runs that memory keeps. */
final class OrganisationLoader {
    private static final SqlStatements SQL = SqlStatements.of(OrganisationLoader.class);

    /** The number of rows fetched at once. It is small because inputs and outputs can be large. */
    private static final int FETCH = 250;

    private final PostgresShardOwnership tenure;
    private final int org;
    private final long now;
    private final EndedRunReader ended;
    private final Map<Long, RunRow> byNumber = new HashMap<>();
    private final OrphanRows strays = new OrphanRows();
    private long newest = Long.MIN_VALUE;

    /**
     * Creates a loader.
     *
     * @param now the time at which to load; settings of operators that have expired by then are left out
     */
    OrganisationLoader(PostgresShardOwnership tenure, int org, long now) {
        this.tenure = tenure;
        this.org = org;
        this.now = now;
        this.ended = new EndedRunReader(tenure, org);
    }

    /** Handles one row. */
    @FunctionalInterface
    private interface Each {
        void row(ResultSet found) throws SQLException;
    }

    private void each(String name, Each each, Object... parameters) throws SQLException {
        try (PreparedStatement statement = tenure.connection.prepareStatement(SQL.get(name))) {
            statement.setFetchSize(FETCH);
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    each.row(found);
                }
            }
        }
    }

    /** Returns the newest time among the rows read. */
    long newest() {
        return Math.max(newest, ended.newest());
    }

    private long seen(long time) {
        newest = Math.max(newest, time);
        return time;
    }

    /**
     * Reads all rows.
     *
     * @param organisation the organisation's own row
     */
    OrganisationRows rows(ResultSet organisation) throws SQLException {
        List<RunRow> runs = runs();
        List<Claim> claims = new ArrayList<>();
        List<StepRow> steps = steps(claims);
        List<Signal> signals = signals();
        SortedMap<LimitId.Shared, Pin> pins = pins();
        strays.delete(tenure.connection, org);
        return new OrganisationRows(
                runs,
                steps,
                claims,
                signals,
                starts(LongestPeriods.asked(runs, steps, pins)),
                pins,
                pauses(),
                holds(),
                profiles(),
                workflows(),
                ended.last(),
                organisation.getLong("next_run_number"),
                organisation.getLong("highest_fence"),
                ListeningJson.read(organisation.getString("listening_spans")));
    }

    private List<RunRow> runs() throws SQLException {
        List<RunRow> runs = new ArrayList<>();
        each(
                "runs",
                found -> {
                    Plan plan = tenure.plan(org, found.getString("workflow"), found.getInt("version"));
                    RunRow row = RunRows.read(found, plan);
                    seen(row.acceptedAt());
                    seen(row.startedAt());
                    seen(row.lastGrantAt());
                    byNumber.put(row.number(), row);
                    runs.add(row);
                },
                org);
        return runs;
    }

    /** True if the run of this row is live. If it is not, the row is an orphan and will be deleted. */
    private boolean hasRun(ResultSet found) throws SQLException {
        boolean has = byNumber.containsKey(found.getLong("run"));
        if (!has) {
            strays.withoutRun();
        }
        return has;
    }

    private RunRow run(ResultSet found) throws SQLException {
        return Objects.requireNonNull(byNumber.get(found.getLong("run")));
    }

    private UnitId unit(ResultSet found) throws SQLException {
        RunRow run = run(found);
        return new UnitId(run.id(), run.request().plan().stepAt(found.getInt("step")), found.getInt("item"));
    }

    /** Returns the claims that have rows of their own. */
    private Map<UnitKey, ClaimRows.Found> claimsApart() throws SQLException {
        Map<UnitKey, ClaimRows.Found> claims = new LinkedHashMap<>();
        each(
                "claims",
                found -> {
                    if (hasRun(found)) {
                        claims.put(key(found), ClaimRows.read(found, unit(found)));
                    }
                },
                org);
        return claims;
    }

    /** Returns the steps and items, and adds their claims to the list in the same order. */
    private List<StepRow> steps(List<Claim> claims) throws SQLException {
        List<StepRow> steps = new ArrayList<>();
        var thrift = new FanOutTrimming();
        Map<UnitKey, ClaimRows.Found> apart = claimsApart();
        PagedClaims inPages = PagedClaims.read(tenure.connection, org);
        Map<UnitKey, Long> pageOf = new HashMap<>();
        each(
                "steps",
                found -> {
                    if (!hasRun(found) || isKnown(found, steps)) {
                        return;
                    }
                    UnitId unit = unit(found);
                    PagedClaims.Listed listed = listed(found, inPages);
                    StepRow row = thrift.keep(step(found, unit, listed));
                    seen(row.since());
                    seen(found.getLong("ended_at"));
                    steps.add(row);
                    if (listed != null) {
                        pageOf.put(key(found), listed.page());
                    }
                    String within = found.getString("claim");
                    ClaimRows.Found claim = listed != null
                            ? ClaimRows.read(listed.claim(), unit)
                            : within == null ? apart.remove(key(found)) : ClaimRows.read(StoredJson.read(within), unit);
                    if (claim != null) {
                        claims.add(claim.claim(row.ask()));
                    }
                },
                org,
                org);
        tenure.pages(org).loaded(inPages.pages(), pageOf);
        apart.keySet().forEach(strays::withoutStep);
        claims.forEach(claim -> seen(claim.grantedAt()));
        return steps;
    }

    /** True if an earlier row contains newer data of the same step. */
    private boolean isKnown(ResultSet found, List<StepRow> steps) throws SQLException {
        return found.getBoolean("is_initial")
                && !steps.isEmpty()
                && steps.getLast().id().equals(unit(found));
    }

    /**
     * Returns the claim of a step from a page, or null. A claim in a page counts only if nothing was written about the
     * step since its run started.
     */
    private static PagedClaims.@Nullable Listed listed(ResultSet found, PagedClaims inPages) throws SQLException {
        found.getLong("claim_fence");
        boolean unclaimed = found.wasNull();
        return unclaimed && found.getBoolean("is_initial") ? inPages.find(key(found)) : null;
    }

    private static UnitKey key(ResultSet found) throws SQLException {
        return new UnitKey(found.getLong("run"), found.getShort("step"), found.getInt("item"));
    }

    private StepRow step(ResultSet found, UnitId unit, PagedClaims.@Nullable Listed listed) throws SQLException {
        var of = StepRows.Of.run(run(found).request());
        return listed == null
                ? StepRows.read(found, unit, of)
                : StepRows.read(found, unit, of, new StepRows.Claimed(listed.fence(), listed.attempts()));
    }

    private List<Signal> signals() throws SQLException {
        List<Signal> signals = new ArrayList<>();
        each(
                "signals",
                found -> {
                    if (hasRun(found)) {
                        signals.add(new Signal(
                                run(found).id(),
                                found.getString("id"),
                                found.getLong("number"),
                                found.getString("name"),
                                StoredJson.read(found.getString("payload")),
                                seen(found.getLong("at"))));
                    }
                },
                org);
        return signals;
    }

    /** Returns the starts that still count. A busy limit may have millions that no longer do. */
    private List<LimitStart> starts(LongestPeriods asked) throws SQLException {
        List<LimitStart> starts = new ArrayList<>();
        List<String> limits = new ArrayList<>();
        List<Long> periods = new ArrayList<>();
        asked.byLimit().forEach((limit, period) -> {
            limits.add(limit.text());
            periods.add(period);
        });
        each(
                "starts",
                found -> starts.add(start(found)),
                org,
                now,
                Lookback.LEAST,
                RateTracker.REMEMBERED_STARTS,
                limits.toArray(String[]::new),
                periods.toArray(Long[]::new));
        return starts;
    }

    private LimitStart start(ResultSet found) throws SQLException {
        LimitId.Shared limit = LimitJson.limit(found.getString("limit"));
        long at = seen(found.getLong("at"));
        int cost = (int) Math.min(Integer.MAX_VALUE, found.getLong("cost"));
        Rate rate = rate(found);
        boolean opens = found.getBoolean("opens_window");
        long longest = found.getLong("longest_period");
        return found.wasNull()
                ? new LimitStart(limit, at, cost, rate, opens)
                : new LimitStart(limit, at, cost, rate, opens, longest);
    }

    private static @Nullable Rate rate(ResultSet found) throws SQLException {
        int count = found.getInt("count");
        return found.wasNull()
                ? null
                : new Rate(count, found.getLong("period"), LimitJson.window(found.getString("window")));
    }

    private SortedMap<LimitId.Shared, Pin> pins() throws SQLException {
        SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
        each(
                "pins",
                found -> pins.put(
                        LimitJson.limit(found.getString("limit")), SettingJson.readPin(found.getString("pin"))),
                org);
        pins.values().removeIf(pin -> pin.until() <= now);
        return pins;
    }

    private SortedMap<LimitId.Shared, Long> pauses() throws SQLException {
        SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
        each("pauses", found -> pauses.put(LimitJson.limit(found.getString("limit")), found.getLong("until")), org);
        pauses.values().removeIf(until -> until <= now);
        return pauses;
    }

    private SortedMap<LimitId.Shared, RetryAfterHold> holds() throws SQLException {
        SortedMap<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();
        each("retry_after_holds", found -> holds.put(LimitJson.limit(found.getString("limit")), hold(found)), org);
        holds.values().removeIf(hold -> hold.until() <= now);
        return holds;
    }

    private static RetryAfterHold hold(ResultSet found) throws SQLException {
        String run = found.getString("run");
        UnitId by = run == null ? null : new UnitId(run, found.getString("step"), found.getInt("item"));
        return new RetryAfterHold(found.getLong("until"), found.getObject("status", Integer.class), by);
    }

    private SortedMap<String, ConcurrencyProfile> profiles() throws SQLException {
        SortedMap<String, ConcurrencyProfile> profiles = new TreeMap<>();
        each(
                "module_defaults",
                found -> profiles.put(
                        found.getString("module"),
                        new ConcurrencyProfile(found.getInt("slots"), found.getBoolean("exclusive"))),
                org);
        return profiles;
    }

    private SortedMap<String, WorkflowVersion> workflows() throws SQLException {
        SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();
        each(
                "workflows",
                found -> workflows.put(
                        found.getString("name"), new WorkflowVersion(found.getInt("version"), found.getString("hash"))),
                org);
        return workflows;
    }
}
