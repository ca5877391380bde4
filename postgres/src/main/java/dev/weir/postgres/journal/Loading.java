package dev.weir.postgres.journal;

import dev.weir.core.life.Claim;
import dev.weir.core.life.ConcurrencyProfile;
import dev.weir.core.life.Periods;
import dev.weir.core.life.Plan;
import dev.weir.core.life.Rows;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.Signal;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.Thrift;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.WorkflowVersion;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateBook;
import dev.weir.core.limit.Start;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.Limits;
import dev.weir.postgres.sql.Sql;
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

/** Reads all of an organisation that lives, and what is remembered of what has ended. */
final class Loading {
    private static final Sql SQL = Sql.of(Loading.class);

    /** Rows that are fetched at once: few, because inputs and outputs may be large. */
    private static final int FETCH = 250;

    private final PostgresTenure tenure;
    private final int org;
    private final long now;
    private final EndedRuns ended;
    private final Map<Long, RunRow> byNumber = new HashMap<>();
    private final Strays strays = new Strays();
    private long newest = Long.MIN_VALUE;

    /** @param now what operators have set for a time that is over by then is left out */
    Loading(PostgresTenure tenure, int org, long now) {
        this.tenure = tenure;
        this.org = org;
        this.now = now;
        this.ended = new EndedRuns(tenure, org);
    }

    /** Does something with a row. */
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

    /** The newest time that was read. */
    long newest() {
        return Math.max(newest, ended.newest());
    }

    private long seen(long time) {
        newest = Math.max(newest, time);
        return time;
    }

    Rows rows(long nextRun) throws SQLException {
        List<RunRow> runs = runs();
        List<Claim> claims = new ArrayList<>();
        List<StepRow> steps = steps(claims);
        List<Signal> signals = signals();
        SortedMap<LimitId.Shared, Pin> pins = pins();
        strays.delete(tenure.connection, org);
        return new Rows(
                runs,
                steps,
                claims,
                signals,
                starts(Periods.asked(runs, steps, pins)),
                pins,
                until("pauses"),
                until("holds"),
                profiles(),
                workflows(),
                ended.last(),
                nextRun);
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

    /** Whether the run of a row lives. If not, the row is a stray. */
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

    /** The claims that have rows of their own. */
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

    /** The steps and items; adds the claims of these, in the same order. */
    private List<StepRow> steps(List<Claim> claims) throws SQLException {
        List<StepRow> steps = new ArrayList<>();
        var thrift = new Thrift();
        Map<UnitKey, ClaimRows.Found> apart = claimsApart();
        SheetClaims inSheets = SheetClaims.read(tenure.connection, org);
        Map<UnitKey, Long> sheetOf = new HashMap<>();
        each(
                "steps",
                found -> {
                    if (!hasRun(found) || isKnown(found, steps)) {
                        return;
                    }
                    UnitId unit = unit(found);
                    SheetClaims.Listed listed = listed(found, inSheets);
                    StepRow row = thrift.keep(step(found, unit, listed));
                    seen(row.since());
                    seen(found.getLong("ended_at"));
                    steps.add(row);
                    if (listed != null) {
                        sheetOf.put(key(found), listed.sheet());
                    }
                    String within = found.getString("claim");
                    ClaimRows.Found claim = listed != null
                            ? ClaimRows.read(listed.claim(), unit)
                            : within == null ? apart.remove(key(found)) : ClaimRows.read(Json.read(within), unit);
                    if (claim != null) {
                        claims.add(claim.claim(row.ask()));
                    }
                },
                org,
                org);
        tenure.sheets(org).loaded(inSheets.sheets(), sheetOf);
        apart.keySet().forEach(strays::withoutStep);
        claims.forEach(claim -> seen(claim.grantedAt()));
        return steps;
    }

    /** Whether a row that was read before says more of the step. */
    private boolean isKnown(ResultSet found, List<StepRow> steps) throws SQLException {
        return found.getBoolean("as_opened")
                && !steps.isEmpty()
                && steps.getLast().id().equals(unit(found));
    }

    /** The claim of a step that is in a sheet: nothing else is written of the step since its run started. */
    private static SheetClaims.@Nullable Listed listed(ResultSet found, SheetClaims inSheets) throws SQLException {
        found.getLong("claim_fence");
        boolean unclaimed = found.wasNull();
        return unclaimed && found.getBoolean("as_opened") ? inSheets.find(key(found)) : null;
    }

    private static UnitKey key(ResultSet found) throws SQLException {
        return new UnitKey(found.getLong("run"), found.getShort("step"), found.getInt("item"));
    }

    private StepRow step(ResultSet found, UnitId unit, SheetClaims.@Nullable Listed listed) throws SQLException {
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
                                Json.read(found.getString("payload")),
                                seen(found.getLong("at"))));
                    }
                },
                org);
        return signals;
    }

    /** The starts that still count: of a busy limit there may be millions that do not. */
    private List<Start> starts(Periods asked) throws SQLException {
        List<Start> starts = new ArrayList<>();
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
                RateBook.REMEMBERED_STARTS,
                limits.toArray(String[]::new),
                periods.toArray(Long[]::new));
        return starts;
    }

    private Start start(ResultSet found) throws SQLException {
        LimitId.Shared limit = Limits.limit(found.getString("limit"));
        long at = seen(found.getLong("at"));
        int cost = (int) Math.min(Integer.MAX_VALUE, found.getLong("cost"));
        Rate rate = rate(found);
        boolean opens = found.getBoolean("opens");
        long longest = found.getLong("longest");
        return found.wasNull()
                ? new Start(limit, at, cost, rate, opens)
                : new Start(limit, at, cost, rate, opens, longest);
    }

    private static @Nullable Rate rate(ResultSet found) throws SQLException {
        int count = found.getInt("count");
        return found.wasNull()
                ? null
                : new Rate(count, found.getLong("period"), Limits.window(found.getString("window")));
    }

    private SortedMap<LimitId.Shared, Pin> pins() throws SQLException {
        SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
        each(
                "pins",
                found -> pins.put(
                        Limits.limit(found.getString("limit")),
                        new Pin(found.getObject("parallelism", Integer.class), rate(found), found.getLong("until"))),
                org);
        pins.values().removeIf(pin -> pin.until() <= now);
        return pins;
    }

    /** The limits under which nothing starts until a time that is not over. */
    private SortedMap<LimitId.Shared, Long> until(String statement) throws SQLException {
        SortedMap<LimitId.Shared, Long> stopped = new TreeMap<>();
        each(statement, found -> stopped.put(Limits.limit(found.getString("limit")), found.getLong("until")), org);
        stopped.values().removeIf(until -> until <= now);
        return stopped;
    }

    private SortedMap<String, ConcurrencyProfile> profiles() throws SQLException {
        SortedMap<String, ConcurrencyProfile> profiles = new TreeMap<>();
        each(
                "modules",
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
