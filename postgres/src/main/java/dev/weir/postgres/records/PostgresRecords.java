package dev.weir.postgres.records;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.records.AccountStore;
import dev.weir.engine.records.AuditStore;
import dev.weir.engine.records.BulkStore;
import dev.weir.engine.records.DeadLetterStore;
import dev.weir.engine.records.EventStore;
import dev.weir.engine.records.LoggedAttempt;
import dev.weir.engine.records.NoticeStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import dev.weir.engine.records.WorkflowRecord;
import dev.weir.postgres.journal.PlanCache;
import dev.weir.postgres.json.RunJson;
import dev.weir.postgres.json.StateCodes;
import dev.weir.postgres.json.StoredJson;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.organisations.PostgresAccountStore;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads records as a database role that sees only the requested organisation. */
public final class PostgresRecords implements Records {
    static final SqlStatements SQL = SqlStatements.of(PostgresRecords.class);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final ConnectionPool pool;
    private final OrganisationDirectory directory;
    private final PlanCache plans;
    private final LogStore logs;
    private final AuditStore audit;
    private final AccountStore accounts;
    private final BulkStore bulk;
    private final EventStore events;
    private final DeadLetterStore deadLetters;
    private final NoticeStore notices;
    private final @Nullable Duration retention;

    /**
     * Creates the records of all organisations.
     *
     * @param pool the pool that all readers share
     * @param retention the time for which ended runs are kept; null if forever
     */
    public PostgresRecords(
            ConnectionPool pool, OrganisationDirectory directory, PlanCache plans, @Nullable Duration retention) {
        this.pool = pool;
        this.directory = directory;
        this.plans = plans;
        this.retention = retention;
        this.logs = new PostgresLogStore(pool, this::locate);
        this.audit = new PostgresAuditStore(pool, directory);
        this.accounts = new PostgresAccountStore(pool, directory);
        this.bulk = new PostgresBulkStore(pool, this::organisationNumber);
        this.events = new PostgresEventStore(pool, this::organisationNumber);
        this.deadLetters = new PostgresDeadLetterStore(pool, this::organisationNumber);
        this.notices = new PostgresNoticeStore(pool, this::organisationNumber);
    }

    @Override
    public Optional<Duration> retention() {
        return Optional.ofNullable(retention);
    }

    @Override
    public LogStore logs() {
        return logs;
    }

    @Override
    public BulkStore bulk() {
        return bulk;
    }

    @Override
    public EventStore events() {
        return events;
    }

    @Override
    public DeadLetterStore deadLetters() {
        return deadLetters;
    }

    @Override
    public NoticeStore notices() {
        return notices;
    }

    @Override
    public boolean hasKey(String org, String run, String key) {
        return read("run " + run, org, (connection, number) -> {
            try (var statement = connection.prepareStatement(SQL.get("has_key"))) {
                statement.setString(1, key);
                statement.setInt(2, number);
                statement.setString(3, run);
                try (var found = statement.executeQuery()) {
                    return found.next() && found.getBoolean(1);
                }
            }
        });
    }

    @Override
    public AccountStore accounts() {
        return accounts;
    }

    @Override
    public RecordPage<LoggedAttempt> loggedAttempts(String org, String key, PageRequest page) {
        var after = LoggedAttemptReader.Cursor.of(page.cursor());
        return read(
                "logs of key " + key,
                org,
                (connection, number) -> new LoggedAttemptReader(connection, number, key).read(page, after));
    }

    @Override
    public AuditStore audit() {
        return audit;
    }

    /** Reads as the engine, because the role of requests must not see tokens. */
    @Override
    public Map<String, Instant> lastTokenUses(String org) {
        int number = organisationNumber(org);
        return pool.runAsEngine("reading the last uses of tokens", connection -> {
            Map<String, Instant> uses = new HashMap<>();
            try (var statement = connection.prepareStatement(SQL.get("last_token_uses"))) {
                statement.setInt(1, number);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        uses.put(found.getString("name"), Moment.toInstant(found.getLong("last_used_at")));
                    }
                }
            }
            return uses;
        });
    }

    private Optional<PostgresLogStore.Position> locate(String org, UnitId unit) {
        return read("step " + unit, org, (connection, number) -> {
            Optional<RunRecordRows.FoundRun> run = find(connection, number, unit.run());
            return run.isEmpty()
                    ? Optional.empty()
                    : steps(connection, number, run.get()).position(unit);
        });
    }

    private <T> T read(String subject, String org, OrganisationRead<T> query) {
        String operation = "reading " + subject + " of " + org;
        int number = organisationNumber(org);
        return pool.runAsRequest(operation, number, connection -> query.run(connection, number));
    }

    /** Reads data of an organisation. */
    @FunctionalInterface
    private interface OrganisationRead<T> {
        T run(Connection connection, int org) throws SQLException;
    }

    private int organisationNumber(String org) {
        return directory
                .findByName(org)
                .orElseThrow(() -> new IllegalArgumentException("organisation not found: " + org))
                .number();
    }

    @Override
    public Optional<RunRecord> findRun(String org, String run) {
        return read(
                "run " + run,
                org,
                (connection, number) -> find(connection, number, run).map(RunRecordRows.FoundRun::run));
    }

    private static Optional<RunRecordRows.FoundRun> find(Connection connection, int org, String run)
            throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("find_run"))) {
            statement.setInt(1, org);
            statement.setString(2, run);
            statement.setInt(3, org);
            statement.setString(4, run);
            try (var found = statement.executeQuery()) {
                return found.next() ? Optional.of(RunRecordRows.read(found)) : Optional.empty();
            }
        }
    }

    @Override
    public RecordPage<RunRecord> runs(String org, RunFilter filter, PageRequest page) {
        long before = cursor(page, Long.MAX_VALUE);
        return read("runs", org, (connection, number) -> {
            SearchRange range = findSearchRange(connection, number, before);
            List<RunRecord> matching = runs(connection, number, filter, range, page.limit() + 1);
            boolean isFull = matching.size() > page.limit();
            return isFull || range.isLast
                    ? page(matching, page.limit(), run -> String.valueOf(run.number()))
                    : new RecordPage<>(matching, String.valueOf(range.from));
        });
    }

    /**
     * The range of runs that is searched for one page, by run number.
     *
     * @param from the oldest run
     * @param before the upper bound; newer runs were searched for earlier pages
     * @param isLast true if there are no older runs
     */
    private record SearchRange(long from, long before, boolean isLast) {}

    private static SearchRange findSearchRange(Connection connection, int org, long before) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("look"))) {
            for (int half = 0; half < 2; half++) {
                statement.setInt(2 * half + 1, org);
                statement.setLong(2 * half + 2, before);
            }
            statement.setInt(5, RUNS_EXAMINED_MAX);
            try (var found = statement.executeQuery()) {
                found.next();
                return new SearchRange(found.getLong("oldest"), before, found.getInt("looked_at") < RUNS_EXAMINED_MAX);
            }
        }
    }

    private static List<RunRecord> runs(Connection connection, int org, RunFilter filter, SearchRange range, int limit)
            throws SQLException {
        List<RunRecord> runs = new ArrayList<>();
        String[] letters = filter.states().stream().map(StateCodes::letter).toArray(String[]::new);
        var states = letters.length == 0 ? null : connection.createArrayOf("text", letters);
        String labels = RunJson.labels(filter.labels());
        RunFilter.Origin origin = filter.origin();
        @Nullable String[] texts = {labels, filter.correlationId(), origin.idText(), origin.startedBy(), filter.key()};
        try (var statement = connection.prepareStatement(SQL.get("runs"))) {
            int index = 1;
            for (int half = 0; half < 2; half++) {
                statement.setInt(index++, org);
                statement.setLong(index++, range.from);
                statement.setLong(index++, range.before);
                statement.setString(index++, filter.workflow());
                statement.setString(index++, filter.workflow());
                statement.setArray(index++, states);
                statement.setArray(index++, states);
                for (String text : texts) {
                    statement.setString(index++, text);
                    statement.setString(index++, text);
                }
            }
            statement.setInt(index, limit);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    runs.add(RunRecordRows.readListed(found));
                }
            }
        }
        return runs;
    }

    @Override
    public List<StepRecord> steps(String org, String run) {
        return read("the steps of run " + run, org, (connection, number) -> {
            Optional<RunRecordRows.FoundRun> found = find(connection, number, run);
            return found.isEmpty()
                    ? List.of()
                    : steps(connection, number, found.get()).all();
        });
    }

    private StepRecordRows steps(Connection connection, int org, RunRecordRows.FoundRun found) throws SQLException {
        RunRecord run = found.run();
        var plan = plans.get(
                org,
                run.workflow(),
                run.version(),
                () -> findWorkflow(connection, org, run.workflow(), run.version())
                        .map(workflow -> StoredJson.text(workflow.definition()))
                        .orElse(null));
        return new StepRecordRows(connection, org, found, plan);
    }

    @Override
    public Optional<StepRecord> findStep(String org, UnitId unit) {
        return read("step " + unit, org, (connection, number) -> {
            Optional<RunRecordRows.FoundRun> run = find(connection, number, unit.run());
            return run.isEmpty()
                    ? Optional.empty()
                    : steps(connection, number, run.get()).find(unit);
        });
    }

    @Override
    public RecordPage<StepRecord> items(String org, String run, String step, PageRequest page) {
        int from = (int) Math.min(Integer.MAX_VALUE, cursor(page, -1) + 1);
        return read("the items of step " + run + "/" + step, org, (connection, number) -> {
            Optional<RunRecordRows.FoundRun> found = find(connection, number, run);
            List<StepRecord> items = found.isEmpty()
                    ? List.of()
                    : steps(connection, number, found.get()).items(step, from, page.limit() + 1);
            return page(items, page.limit(), item -> String.valueOf(item.unit().item()));
        });
    }

    @Override
    public Optional<StepRecord> lastItem(String org, String run, String step) {
        return read("the last item of step " + run + "/" + step, org, (connection, number) -> {
            Optional<RunRecordRows.FoundRun> found = find(connection, number, run);
            return found.isEmpty()
                    ? Optional.empty()
                    : steps(connection, number, found.get()).lastEnded(step);
        });
    }

    @Override
    public RecordPage<WorkflowRecord> workflows(String org, PageRequest page) {
        return read("workflows", org, (connection, number) -> {
            List<WorkflowRecord> workflows = new ArrayList<>();
            try (var statement = connection.prepareStatement(SQL.get("workflows"))) {
                statement.setInt(1, number);
                statement.setString(2, page.cursor());
                statement.setInt(3, page.limit() + 1);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        workflows.add(workflow(found, JsonNodeFactory.instance.missingNode()));
                    }
                }
            }
            return page(workflows, page.limit(), WorkflowRecord::name);
        });
    }

    @Override
    public Optional<WorkflowRecord> findWorkflow(String org, String name, @Nullable Integer version) {
        return read("workflow " + name, org, (connection, number) -> findWorkflow(connection, number, name, version));
    }

    private static Optional<WorkflowRecord> findWorkflow(
            Connection connection, int org, String name, @Nullable Integer version) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("find_workflow"))) {
            statement.setInt(1, org);
            statement.setString(2, name);
            statement.setObject(3, version, Types.INTEGER);
            statement.setObject(4, version, Types.INTEGER);
            try (var found = statement.executeQuery()) {
                return found.next()
                        ? Optional.of(workflow(found, StoredJson.read(found.getString("definition"))))
                        : Optional.empty();
            }
        }
    }

    private static WorkflowRecord workflow(ResultSet found, JsonNode definition) throws SQLException {
        return new WorkflowRecord(
                found.getString("name"),
                found.getInt("version"),
                found.getString("hash"),
                definition,
                Moment.toInstant(found.getLong("registered_at")));
    }

    /** Returns the number in the cursor of a page. Other cursors are refused. */
    static long cursor(PageRequest page, long defaultValue) {
        if (page.cursor().isEmpty()) {
            return defaultValue;
        }
        if (!NUMBER.matcher(page.cursor()).matches()) {
            throw new IllegalArgumentException("expected the cursor of a page, found '" + page.cursor() + "'");
        }
        return Long.parseLong(page.cursor());
    }

    /** Returns a page of the rows found. The query asks for one row more than the limit, to see if there is more. */
    private static <T> RecordPage<T> page(List<T> found, int limit, java.util.function.Function<T, String> cursor) {
        boolean hasMore = found.size() > limit;
        List<T> entries = hasMore ? found.subList(0, limit) : found;
        return new RecordPage<>(entries, hasMore ? cursor.apply(entries.getLast()) : "");
    }
}
