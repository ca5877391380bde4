package dev.weir.postgres.journal;

import dev.weir.core.life.Move;
import dev.weir.engine.journal.Draft;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was decided, as the rows that say so. They are made beforehand where nothing has to be asked for that, and else
 * within the transaction.
 */
final class PostgresDraft implements Draft {
    private final Map<String, List<Move>> moves;
    private final PostgresTenure tenure;
    private final Map<Integer, String> names = new HashMap<>();
    private @Nullable Writes made;

    PostgresDraft(Map<String, List<Move>> moves, PostgresTenure tenure) {
        this.moves = moves;
        this.tenure = tenure;
    }

    @Override
    public Map<String, List<Move>> moves() {
        return moves;
    }

    /** The organisation with that number, of those that it is about. */
    String name(int org) {
        return String.valueOf(names.get(org));
    }

    /** Makes the rows with what is at hand, or leaves it. */
    void makeAhead() {
        Map<String, Map<String, Known>> known = new LinkedHashMap<>();
        try {
            if (learn(known, false)) {
                made = rows(known);
            }
        } catch (SQLException | RuntimeException | StackOverflowError e) {
            // It will be tried again when it is written, and what is wrong with it be told.
            made = null;
        }
        if (made == null) {
            // They may be made while those that come after are.
            known.values().forEach(runs -> runs.values().forEach(Known::hasSteps));
        }
    }

    boolean isMade() {
        return made != null;
    }

    /** The rows; within the transaction that writes them. */
    Writes rows() throws SQLException {
        if (made == null) {
            Map<String, Map<String, Known>> known = new LinkedHashMap<>();
            learn(known, true);
            made = rows(known);
        }
        return made;
    }

    /** Learns how rows name the runs that the moves are about; tells whether all is known. */
    private boolean learn(Map<String, Map<String, Known>> known, boolean mayAsk) throws SQLException {
        boolean all = true;
        for (var each : moves.entrySet()) {
            Integer org = mayAsk ? Integer.valueOf(tenure.number(each.getKey())) : tenure.atHand.number(each.getKey());
            if (org == null) {
                all = false;
                continue;
            }
            names.put(org, each.getKey());
            Map<String, Known> runs = new HashMap<>();
            known.put(each.getKey(), runs);
            Set<String> missing = runs(org, each.getValue(), runs, !mayAsk);
            if (mayAsk) {
                tenure.lookUp(org, missing, runs);
            } else {
                all &= missing.isEmpty();
            }
        }
        return all;
    }

    private Writes rows(Map<String, Map<String, Known>> known) throws SQLException {
        var writes = new Writes(tenure.mayCopy);
        for (var each : moves.entrySet()) {
            Map<String, Known> runs = known.getOrDefault(each.getKey(), Map.of());
            var images = new Images(
                    tenure.number(each.getKey()),
                    run -> Optional.ofNullable(runs.get(run))
                            .orElseThrow(
                                    () -> new IllegalArgumentException("expected a run that lives, found " + run)));
            each.getValue().forEach(images::apply);
            images.addTo(writes);
        }
        return writes;
    }

    /** Adds the runs that the moves are about; tells which of them are not at hand. */
    private Set<String> runs(int org, List<Move> of, Map<String, Known> into, boolean ahead) {
        Map<String, Known> told = new HashMap<>();
        Set<String> named = new HashSet<>();
        for (Move move : of) {
            switch (move) {
                case Move.RunAccepted accepted ->
                    into.put(accepted.row().id(), tenure.atHand.accept(org, accepted.row(), ahead));
                case Move.RunMoved moved -> told.put(moved.row().id(), Known.moved(moved.row()));
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
                case Move.StartRefused ignored -> {}
                case Move.RateReset ignored -> {}
                case Move.WorkflowRegistered ignored -> {}
                case Move.ModuleRegistered ignored -> {}
            }
        }
        named.addAll(told.keySet());
        named.removeAll(into.keySet());
        Set<String> missing = tenure.atHand.find(org, named, into);
        told.forEach(into::putIfAbsent);
        missing.removeAll(told.keySet());
        return missing;
    }
}
