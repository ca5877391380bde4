package dev.weir.postgres.records;

import dev.weir.core.life.UnitId;
import dev.weir.core.limit.Moment;
import dev.weir.engine.log.Logs;
import dev.weir.engine.records.Page;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RefusedStart;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import dev.weir.engine.records.WorkflowRecord;
import dev.weir.postgres.journal.Plans;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.RunJson;
import dev.weir.postgres.json.States;
import dev.weir.postgres.sql.Pool;
import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads what is kept, as the role that sees no other organisation than the one in question. */
public final class PostgresRecords implements Records {
    static final Sql SQL = Sql.of(PostgresRecords.class);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final Pool reading;
    private final Pool finding;
    private final Plans plans;
    private final Map<String, Integer> organisations = new ConcurrentHashMap<>();
    private final Logs logs;

    /**
     * Records of all organisations.
     *
     * @param reading shared by all who read
     * @param finding for what has to be known first
     */
    public PostgresRecords(Pool reading, Pool finding, Plans plans) {
        this.reading = reading;
        this.finding = finding;
        this.plans = plans;
        this.logs = new PostgresLogs(reading, this::row);
    }

    @Override
    public Logs logs() {
        return logs;
    }

    private Optional<PostgresLogs.Row> row(String org, UnitId unit) {
        return read("step " + unit, org, (connection, number) -> {
            Optional<RunRecords.Found> run = find(connection, number, unit.run());
            return run.isEmpty()
                    ? Optional.empty()
                    : steps(connection, number, run.get()).row(unit);
        });
    }

    private <T> T read(String what, String org, Reading<T> read) {
        String during = "reading " + what + " of " + org;
        Integer known = organisations.get(org);
        int number = known == null ? number(during, org) : known;
        organisations.put(org, number);
        return reading.asRequest(during, number, connection -> read.with(connection, number));
    }

    /** Reads something of an organisation. */
    @FunctionalInterface
    private interface Reading<T> {
        T with(Connection connection, int org) throws SQLException;
    }

    private int number(String during, String org) {
        return finding.asEngine(during, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("organisation"))) {
                statement.setString(1, org);
                try (var found = statement.executeQuery()) {
                    if (!found.next()) {
                        throw new IllegalArgumentException(
                                "expected an organisation that exists, found none called " + org);
                    }
                    return found.getInt(1);
                }
            }
        });
    }

    @Override
    public Optional<RunRecord> findRun(String org, String run) {
        return read(
                "run " + run,
                org,
                (connection, number) -> find(connection, number, run).map(RunRecords.Found::run));
    }

    private static Optional<RunRecords.Found> find(Connection connection, int org, String run) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("find_run"))) {
            statement.setInt(1, org);
            statement.setString(2, run);
            statement.setInt(3, org);
            statement.setString(4, run);
            try (var found = statement.executeQuery()) {
                return found.next() ? Optional.of(RunRecords.found(found)) : Optional.empty();
            }
        }
    }

    @Override
    public Page<RunRecord> runs(String org, RunFilter filter, PageRequest page) {
        long before = cursor(page, Long.MAX_VALUE);
        return read("runs", org, (connection, number) -> {
            Look look = look(connection, number, before);
            List<RunRecord> fitting = runs(connection, number, filter, look, page.limit() + 1);
            boolean full = fitting.size() > page.limit();
            return full || look.last
                    ? page(fitting, page.limit(), run -> String.valueOf(run.number()))
                    : new Page<>(fitting, String.valueOf(look.from));
        });
    }

    /**
     * The runs that are looked at for one page, by their numbers.
     *
     * @param from the oldest
     * @param before newer ones were looked at for the pages before
     * @param last whether there are no older ones
     */
    private record Look(long from, long before, boolean last) {}

    private static Look look(Connection connection, int org, long before) throws SQLException {
        try (var statement = connection.prepareStatement(SQL.get("look"))) {
            for (int half = 0; half < 2; half++) {
                statement.setInt(2 * half + 1, org);
                statement.setLong(2 * half + 2, before);
            }
            statement.setInt(5, LOOKED_AT_MAX);
            try (var found = statement.executeQuery()) {
                found.next();
                return new Look(found.getLong("oldest"), before, found.getInt("looked_at") < LOOKED_AT_MAX);
            }
        }
    }

    private static List<RunRecord> runs(Connection connection, int org, RunFilter filter, Look look, int limit)
            throws SQLException {
        List<RunRecord> runs = new ArrayList<>();
        String[] letters = filter.states().stream().map(States::letter).toArray(String[]::new);
        var states = letters.length == 0 ? null : connection.createArrayOf("text", letters);
        String labels = RunJson.labels(filter.labels());
        try (var statement = connection.prepareStatement(SQL.get("runs"))) {
            int at = 1;
            for (int half = 0; half < 2; half++) {
                statement.setInt(at++, org);
                statement.setLong(at++, look.from);
                statement.setLong(at++, look.before);
                statement.setString(at++, filter.workflow());
                statement.setString(at++, filter.workflow());
                statement.setArray(at++, states);
                statement.setArray(at++, states);
                statement.setString(at++, labels);
                statement.setString(at++, labels);
            }
            statement.setInt(at, limit);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    runs.add(RunRecords.listed(found));
                }
            }
        }
        return runs;
    }

    @Override
    public List<StepRecord> steps(String org, String run) {
        return read("the steps of run " + run, org, (connection, number) -> {
            Optional<RunRecords.Found> found = find(connection, number, run);
            return found.isEmpty()
                    ? List.of()
                    : steps(connection, number, found.get()).all();
        });
    }

    private StepRecords steps(Connection connection, int org, RunRecords.Found found) throws SQLException {
        RunRecord run = found.run();
        var plan = plans.get(
                org,
                run.workflow(),
                run.version(),
                () -> findWorkflow(connection, org, run.workflow(), run.version())
                        .map(workflow -> Json.text(workflow.definition()))
                        .orElse(null));
        return new StepRecords(connection, org, found, plan);
    }

    @Override
    public Optional<StepRecord> findStep(String org, UnitId unit) {
        return read("step " + unit, org, (connection, number) -> {
            Optional<RunRecords.Found> run = find(connection, number, unit.run());
            return run.isEmpty()
                    ? Optional.empty()
                    : steps(connection, number, run.get()).find(unit);
        });
    }

    @Override
    public Page<StepRecord> items(String org, String run, String step, PageRequest page) {
        int from = (int) Math.min(Integer.MAX_VALUE, cursor(page, -1) + 1);
        return read("the items of step " + run + "/" + step, org, (connection, number) -> {
            Optional<RunRecords.Found> found = find(connection, number, run);
            List<StepRecord> items = found.isEmpty()
                    ? List.of()
                    : steps(connection, number, found.get()).items(step, from, page.limit() + 1);
            return page(items, page.limit(), item -> String.valueOf(item.unit().item()));
        });
    }

    @Override
    public Optional<StepRecord> lastItem(String org, String run, String step) {
        return read("the last item of step " + run + "/" + step, org, (connection, number) -> {
            Optional<RunRecords.Found> found = find(connection, number, run);
            return found.isEmpty()
                    ? Optional.empty()
                    : steps(connection, number, found.get()).last(step);
        });
    }

    @Override
    public Page<WorkflowRecord> workflows(String org, PageRequest page) {
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
                        ? Optional.of(workflow(found, Json.read(found.getString("definition"))))
                        : Optional.empty();
            }
        }
    }

    @Override
    public Page<RefusedStart> refusedStarts(String org, PageRequest page) {
        long before = cursor(page, Long.MAX_VALUE);
        return read("starts that were refused", org, (connection, number) -> {
            List<RefusedStart> starts = new ArrayList<>();
            try (var statement = connection.prepareStatement(SQL.get("refused_starts"))) {
                statement.setInt(1, number);
                statement.setLong(2, before);
                statement.setInt(3, page.limit() + 1);
                try (var found = statement.executeQuery()) {
                    while (found.next()) {
                        starts.add(refusedStart(found));
                    }
                }
            }
            return page(starts, page.limit(), start -> String.valueOf(start.number()));
        });
    }

    private static RefusedStart refusedStart(ResultSet found) throws SQLException {
        return new RefusedStart(
                found.getLong("seq"),
                found.getString("run"),
                found.getString("workflow"),
                States.refusal(found.getString("why")),
                found.getString("message"),
                found.getString("by"),
                Moment.toInstant(found.getLong("at")));
    }

    private static WorkflowRecord workflow(ResultSet found, JsonNode definition) throws SQLException {
        return new WorkflowRecord(
                found.getString("name"),
                found.getInt("version"),
                found.getString("hash"),
                definition,
                Moment.toInstant(found.getLong("registered_at")));
    }

    /** The number that a page gave as its cursor; others are refused. */
    private static long cursor(PageRequest page, long absent) {
        if (page.cursor().isEmpty()) {
            return absent;
        }
        if (!NUMBER.matcher(page.cursor()).matches()) {
            throw new IllegalArgumentException("expected the cursor of a page, found '" + page.cursor() + "'");
        }
        return Long.parseLong(page.cursor());
    }

    /** One more than the limit was asked for: it says whether there is another page. */
    private static <T> Page<T> page(List<T> found, int limit, java.util.function.Function<T, String> cursor) {
        boolean more = found.size() > limit;
        List<T> entries = more ? found.subList(0, limit) : found;
        return new Page<>(entries, more ? cursor.apply(entries.getLast()) : "");
    }
}
