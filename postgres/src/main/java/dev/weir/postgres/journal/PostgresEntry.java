package dev.weir.postgres.journal;

import dev.weir.core.life.Move;
import dev.weir.core.life.Plan;
import dev.weir.core.life.RunRow;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.sql.Failures;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A transaction of a tenure. */
final class PostgresEntry implements Entry {
    private final PostgresTenure tenure;
    private final long now;
    private final Map<String, List<Move>> moves = new LinkedHashMap<>();
    private final Map<Integer, String> names = new HashMap<>();
    private boolean open = true;

    PostgresEntry(PostgresTenure tenure, long now) {
        this.tenure = tenure;
        this.now = now;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public List<InboxStart> takeInbox(int most, Set<String> except) {
        List<InboxStart> starts = new ArrayList<>();
        try (var statement = tenure.connection.prepareStatement(PostgresTenure.SQL.get("take_inbox"))) {
            statement.setInt(1, tenure.shard());
            statement.setArray(2, tenure.connection.createArrayOf("text", except.toArray()));
            statement.setInt(3, most);
            try (var taken = statement.executeQuery()) {
                while (taken.next()) {
                    starts.add(new InboxStart(taken.getString(1), StartJson.read(taken.getString(2))));
                }
            }
            return starts;
        } catch (SQLException e) {
            open = false;
            throw tenure.failed("taking what lies in the inbox", e);
        }
    }

    @Override
    public void write(String org, List<Move> more) {
        moves.computeIfAbsent(org, ignored -> new ArrayList<>()).addAll(more);
    }

    @Override
    public void commit() {
        if (!open) {
            throw new IllegalStateException("expected a transaction that is open, found one that has ended");
        }
        open = false;
        String during = "writing what was decided for " + moves.keySet();
        Map<String, Map<String, Known>> known = new HashMap<>();
        var writes = new Writes(tenure.mayCopy);
        try {
            addAll(writes, known);
            writes.execute(tenure.connection);
        } catch (SQLException e) {
            if (Failures.UNIQUE_VIOLATION.equals(e.getSQLState())) {
                tenure.rollBack();
                refuseTaken(tenure.takenIds(writes));
            }
            throw tenure.failed(during, e);
        } catch (JournalFailure e) {
            tenure.rollBack();
            throw e;
        } catch (RuntimeException e) {
            tenure.rollBack();
            throw new JournalFailure.Refused(during + ": " + e.getMessage(), e);
        }
        commitAll(during);
        moves.values().forEach(all -> all.forEach(move -> tenure.atLeast(move.at())));
        known.forEach((org, runs) -> remember(org, runs));
    }

    private void remember(String org, Map<String, Known> runs) {
        try {
            tenure.remember(tenure.number(org), runs);
        } catch (SQLException e) {
            throw new IllegalStateException("expected the number of " + org + " at hand, found none", e);
        }
    }

    private void commitAll(String during) {
        try {
            tenure.connection.commit();
        } catch (SQLException e) {
            // Whatever the server said, whether it has committed is known by the next tenure only.
            PostgresJournal.close(tenure.connection);
            throw new JournalFailure.Lost(during + ": the outcome of the commit is unknown: " + e.getMessage(), e);
        }
    }

    private void addAll(Writes writes, Map<String, Map<String, Known>> known) throws SQLException {
        for (var each : moves.entrySet()) {
            int org = tenure.number(each.getKey());
            names.put(org, each.getKey());
            Map<String, Known> runs = runs(org, each.getValue());
            known.put(each.getKey(), runs);
            var images = new Images(
                    org,
                    run -> Optional.ofNullable(runs.get(run))
                            .orElseThrow(
                                    () -> new IllegalArgumentException("expected a run that lives, found " + run)));
            each.getValue().forEach(images::apply);
            images.addTo(writes);
        }
    }

    private void refuseTaken(Set<Writes.RunId> taken) {
        if (!taken.isEmpty()) {
            int org = taken.iterator().next().org();
            Set<String> ids = taken.stream()
                    .filter(run -> run.org() == org)
                    .map(Writes.RunId::id)
                    .collect(Collectors.toSet());
            throw new JournalFailure.RunsTaken(String.valueOf(names.get(org)), ids);
        }
    }

    /** How rows name the runs that the moves are about. */
    private Map<String, Known> runs(int org, List<Move> of) throws SQLException {
        Map<String, Known> told = new HashMap<>();
        Set<String> named = new HashSet<>();
        for (Move move : of) {
            switch (move) {
                case Move.RunAccepted accepted -> told.put(accepted.row().id(), known(accepted.row()));
                case Move.RunMoved moved -> told.put(moved.row().id(), known(moved.row()));
                case Move.RunStopping stopping -> named.add(stopping.run());
                case Move.RunOverridden overridden -> named.add(overridden.run());
                case Move.RunChanged changed -> named.add(changed.run());
                case Move.StepChanged changed -> named.add(changed.unit().run());
                case Move.OutputAmended amended -> named.add(amended.row().id().run());
                case Move.SignalKept kept -> named.add(kept.signal().run());
                case Move.SignalTaken taken -> named.add(taken.run());
                case Move.DeadlineNear ignored -> {}
                case Move.StepMoved moved -> named.add(moved.row().id().run());
                case Move.ItemMade made -> named.add(made.row().id().run());
                case Move.Granted granted -> named.add(granted.claim().unit().run());
                case Move.Resumed resumed -> named.add(resumed.claim().unit().run());
                case Move.Extended extended -> named.add(extended.unit().run());
                case Move.Released released -> named.add(released.unit().run());
                case Move.KeyPinned ignored -> {}
                case Move.KeyUnpinned ignored -> {}
                case Move.KeyPaused ignored -> {}
                case Move.KeyResumed ignored -> {}
                case Move.KeyHeld ignored -> {}
                case Move.EventEmitted ignored -> {}
                case Move.RateReset ignored -> {}
                case Move.WorkflowRegistered ignored -> {}
                case Move.ModuleRegistered ignored -> {}
            }
        }
        named.removeAll(told.keySet());
        told.putAll(tenure.known(org, named));
        return told;
    }

    private static Known known(RunRow row) {
        Plan plan = row.request().plan();
        if (plan.version() == Plan.UNREGISTERED) {
            throw new IllegalArgumentException("expected a run of a workflow that is registered, found run " + row.id()
                    + " of " + plan.workflow().name());
        }
        return new Known(row.number(), plan);
    }

    boolean open() {
        return open;
    }

    @Override
    public void rollback() {
        if (!open) {
            throw new IllegalStateException("expected a transaction that is open, found one that has ended");
        }
        open = false;
        try {
            tenure.connection.rollback();
        } catch (SQLException e) {
            throw tenure.failed("ending a transaction of shard " + tenure.shard() + " that changes nothing", e);
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            tenure.rollBack();
        }
    }
}
