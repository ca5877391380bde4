package dev.weir.postgres.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateTracker;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.AccessRows;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.Claim;
import dev.weir.core.state.EventRows;
import dev.weir.core.state.FanOutTrimming;
import dev.weir.core.state.LongestPeriods;
import dev.weir.core.state.OperatorRows;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.TokenRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.WorkflowVersion;
import dev.weir.postgres.access.TokenRows;
import dev.weir.postgres.json.EventJson;
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
    private static final int FETCH_ROWS = 250;

    private final OrganisationReader reader;
    private final int org;
    private final long now;
    private final EndedRunReader endedRuns;
    private final Map<Long, RunRow> runsByNumber = new HashMap<>();
    private final OrphanRows orphans = new OrphanRows();
    private long newestTime = Long.MIN_VALUE;

    /** Creates a loader. Settings of operators that have expired at the given time are left out. */
    OrganisationLoader(OrganisationReader reader, int org, long now) {
        this.reader = reader;
        this.org = org;
        this.now = now;
        this.endedRuns = new EndedRunReader(reader, org);
    }

    /** Handles one row. */
    @FunctionalInterface
    private interface RowHandler {
        void handle(ResultSet found) throws SQLException;
    }

    private void forEachRow(String name, RowHandler handler, Object... parameters) throws SQLException {
        try (PreparedStatement statement = reader.connection.prepareStatement(SQL.get(name))) {
            statement.setFetchSize(FETCH_ROWS);
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    reader.recordRow(found);
                    handler.handle(found);
                }
            }
        }
    }

    /** The rows of an organisation, and the newest time among them. */
    record Loaded(OrganisationRows rows, long newestTime) {}

    private long recordTime(long time) {
        newestTime = Math.max(newestTime, time);
        return time;
    }

    /**
     * Reads all rows.
     *
     * @param organisation the organisation's own row
     * @param pages receives the places of claims that share rows
     * @param epoch the epoch of the load
     */
    Loaded readAll(ResultSet organisation, ClaimPages pages, long epoch) throws SQLException {
        List<RunRow> runs = runs();
        List<Claim> claims = new ArrayList<>();
        PagedClaims pagedClaims = PagedClaims.read(reader.connection, org);
        Map<UnitKey, Long> pageByUnit = new HashMap<>();
        List<StepRow> steps = steps(claims, pagedClaims, pageByUnit);
        List<Signal> signals = signals();
        var operators = new OperatorRows(pins(), runLimits(), pauses(), holds());
        orphans.delete(reader.connection, org);
        var rows = new OrganisationRows(
                runs,
                steps,
                claims,
                signals,
                starts(LongestPeriods.of(runs, steps, operators.allPins())),
                operators,
                profiles(),
                workflows(),
                endedRuns.readLast(),
                organisation.getLong("next_run_number"),
                organisation.getLong("highest_fence"),
                ListeningJson.read(organisation.getString("listening_spans")),
                new AccessRows(
                        tokens(),
                        auditHead(),
                        StoredStops.readSecrets(reader.connection, org),
                        StoredStops.read(reader.connection, org, organisation)),
                events(),
                new AttentionReader(reader.connection, org).read(organisation));
        pages.restore(epoch, pagedClaims.pages(), pageByUnit);
        return new Loaded(rows, Math.max(newestTime, endedRuns.newestEnd()));
    }

    private List<RunRow> runs() throws SQLException {
        List<RunRow> runs = new ArrayList<>();
        forEachRow(
                "runs",
                found -> {
                    Plan plan = reader.plan(org, found.getString("workflow"), found.getInt("version"));
                    RunRow row = RunRows.read(found, plan);
                    recordTime(row.acceptedAt());
                    recordTime(row.startedAt());
                    recordTime(row.lastGrantAt());
                    runsByNumber.put(row.number(), row);
                    runs.add(row);
                },
                org);
        return runs;
    }

    /** Reads rows of live runs, with the organisation as the only parameter. */
    private void forEachRowOfRuns(String statement, RowHandler handler) throws SQLException {
        forEachRow(
                statement,
                found -> {
                    if (hasRun(found)) {
                        handler.handle(found);
                    }
                },
                org);
    }

    /** True if the run of this row is live. If it is not, the row is an orphan and will be deleted. */
    private boolean hasRun(ResultSet found) throws SQLException {
        boolean isLive = runsByNumber.containsKey(found.getLong("run"));
        if (!isLive) {
            orphans.recordRowWithoutRun();
        }
        return isLive;
    }

    private RunRow run(ResultSet found) throws SQLException {
        return Objects.requireNonNull(runsByNumber.get(found.getLong("run")));
    }

    private UnitId unit(ResultSet found) throws SQLException {
        RunRow run = run(found);
        return new UnitId(run.id(), run.request().plan().stepIdAt(found.getInt("step")), found.getInt("item"));
    }

    /** Returns the claims that have rows of their own. */
    private Map<UnitKey, ClaimRows.StoredClaim> claimsWithOwnRows() throws SQLException {
        Map<UnitKey, ClaimRows.StoredClaim> claims = new LinkedHashMap<>();
        forEachRowOfRuns("claims", found -> claims.put(key(found), ClaimRows.read(found, unit(found))));
        return claims;
    }

    /** Returns the steps and items, and adds their claims to the list in the same order. */
    private List<StepRow> steps(List<Claim> claims, PagedClaims pagedClaims, Map<UnitKey, Long> pageByUnit)
            throws SQLException {
        List<StepRow> steps = new ArrayList<>();
        var trimming = new FanOutTrimming();
        Map<UnitKey, ClaimRows.StoredClaim> ownRows = claimsWithOwnRows();
        forEachRow(
                "steps",
                found -> {
                    if (!hasRun(found) || isSuperseded(found, steps)) {
                        return;
                    }
                    UnitId unit = unit(found);
                    PagedClaims.PagedClaim paged = findPaged(found, pagedClaims);
                    StepRow row = trimming.trim(step(found, unit, paged));
                    recordTime(row.since());
                    recordTime(found.getLong("ended_at"));
                    steps.add(row);
                    if (paged != null) {
                        pageByUnit.put(key(found), paged.page());
                    }
                    String inlineClaim = found.getString("claim");
                    ClaimRows.StoredClaim claim = paged != null
                            ? ClaimRows.read(paged.claim(), unit)
                            : inlineClaim == null
                                    ? ownRows.remove(key(found))
                                    : ClaimRows.read(StoredJson.read(inlineClaim), unit);
                    if (claim != null) {
                        claims.add(claim.claim(row.limitNeeds()));
                    }
                },
                org,
                org);
        ownRows.keySet().forEach(orphans::addClaimWithoutStep);
        claims.forEach(claim -> recordTime(claim.grantedAt()));
        return steps;
    }

    /** True if an earlier row contains newer data of the same step. */
    private boolean isSuperseded(ResultSet found, List<StepRow> steps) throws SQLException {
        return found.getBoolean("is_initial")
                && !steps.isEmpty()
                && steps.getLast().id().equals(unit(found));
    }

    /**
     * Returns the claim of a step from a page, or null. A claim in a page counts only if nothing was written about the
     * step since its run started.
     */
    private static PagedClaims.@Nullable PagedClaim findPaged(ResultSet found, PagedClaims pagedClaims)
            throws SQLException {
        found.getLong("claim_fence");
        boolean unclaimed = found.wasNull();
        return unclaimed && found.getBoolean("is_initial") ? pagedClaims.find(key(found)) : null;
    }

    private static UnitKey key(ResultSet found) throws SQLException {
        return new UnitKey(found.getLong("run"), found.getShort("step"), found.getInt("item"));
    }

    private StepRow step(ResultSet found, UnitId unit, PagedClaims.@Nullable PagedClaim paged) throws SQLException {
        var runData = StepRows.RunData.of(run(found).request());
        return paged == null
                ? StepRows.read(found, unit, runData)
                : StepRows.read(found, unit, runData, new StepRows.ClaimData(paged.fence(), paged.attempts()));
    }

    private List<Signal> signals() throws SQLException {
        List<Signal> signals = new ArrayList<>();
        forEachRowOfRuns("signals", found -> signals.add(readSignal(found)));
        return signals;
    }

    private Signal readSignal(ResultSet found) throws SQLException {
        long at = recordTime(found.getLong("at"));
        String id = found.getString("id");
        var payload = StoredJson.read(found.getString("payload"));
        String sentBy = found.getString("sent_by");
        return new Signal(run(found).id(), id, found.getLong("number"), found.getString("name"), payload, at, sentBy);
    }

    /** Returns the starts that still count. A busy limit may have millions that no longer do. */
    private List<LimitStart> starts(LongestPeriods longestPeriods) throws SQLException {
        List<LimitStart> starts = new ArrayList<>();
        List<String> limits = new ArrayList<>();
        List<Long> periods = new ArrayList<>();
        longestPeriods.byLimit().forEach((limit, period) -> {
            limits.add(limit.text());
            periods.add(period);
        });
        forEachRow(
                "starts",
                found -> starts.add(start(found)),
                org,
                now,
                Lookback.MIN_PERIOD_MICROS,
                RateTracker.EXACT_STARTS,
                limits.toArray(String[]::new),
                periods.toArray(Long[]::new));
        return starts;
    }

    private LimitStart start(ResultSet found) throws SQLException {
        LimitId.Shared limit = LimitJson.limit(found.getString("limit"));
        long at = recordTime(found.getLong("at"));
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
        forEachRow(
                "pins",
                found -> pins.put(
                        LimitJson.limit(found.getString("limit")), SettingJson.readPin(found.getString("pin"))),
                org);
        pins.values().removeIf(pin -> pin.until() <= now);
        return pins;
    }

    private SortedMap<LimitId.Shared, RunLimitConfig> runLimits() throws SQLException {
        SortedMap<LimitId.Shared, RunLimitConfig> runLimits = new TreeMap<>();
        forEachRow(
                "rate_limit_configs",
                found -> runLimits.put(RunLimitColumns.limit(found), RunLimitColumns.read(found)),
                org);
        return runLimits;
    }

    private SortedMap<LimitId.Shared, Long> pauses() throws SQLException {
        SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
        forEachRow(
                "pauses", found -> pauses.put(LimitJson.limit(found.getString("limit")), found.getLong("until")), org);
        pauses.values().removeIf(until -> until <= now);
        return pauses;
    }

    private SortedMap<LimitId.Shared, RetryAfterHold> holds() throws SQLException {
        SortedMap<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();
        forEachRow(
                "retry_after_holds", found -> holds.put(LimitJson.limit(found.getString("limit")), hold(found)), org);
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
        forEachRow(
                "module_defaults",
                found -> profiles.put(
                        found.getString("module"),
                        new ConcurrencyProfile(found.getInt("slots"), found.getBoolean("exclusive"))),
                org);
        return profiles;
    }

    private SortedMap<String, WorkflowVersion> workflows() throws SQLException {
        SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();
        forEachRow(
                "workflows",
                found -> workflows.put(
                        found.getString("name"),
                        new WorkflowVersion(
                                found.getInt("version"),
                                found.getString("hash"),
                                EventJson.readTriggers(found.getString("trigger_list")))),
                org);
        return workflows;
    }

    private EventRows events() throws SQLException {
        EventRows rows = new EventLoader(reader, org).read();
        rows.pending().forEach(pending -> recordTime(pending.event().at()));
        rows.windows().forEach(window -> recordTime(window.last().at()));
        return rows;
    }

    private SortedMap<String, TokenRow> tokens() throws SQLException {
        SortedMap<String, TokenRow> tokens = new TreeMap<>();
        forEachRow("tokens", found -> tokens.put(found.getString("name"), TokenRows.read(found)), org);
        return tokens;
    }

    private AuditHead auditHead() throws SQLException {
        List<AuditHead> heads = new ArrayList<>();
        forEachRow(
                "audit_head", found -> heads.add(new AuditHead(found.getLong("number"), found.getString("hash"))), org);
        return heads.isEmpty() ? AuditHead.EMPTY : heads.getFirst();
    }
}
