package dev.weir.testkit.journal;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Ledger;
import dev.weir.core.life.Move;
import dev.weir.core.life.Plan;
import dev.weir.core.life.Rows;
import dev.weir.core.life.RunRef;
import dev.weir.core.life.UnitId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One organisation in a journal: its rows, and every move that led to them. Guarded by the journal. */
final class Shelf {
    private final Ledger ledger = new Ledger();
    private final List<Move> moves = new ArrayList<>();
    private final Set<String> living = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Plan> plans = new TreeMap<>();

    boolean lives() {
        return !living.isEmpty();
    }

    Rows rows(long now) {
        return ledger.rows(now);
    }

    /** Removes the row of a claim; no move tells of it. */
    boolean remove(Claim claim, long now) {
        boolean there = rows(now).claims().stream()
                .anyMatch(row -> row.unit().equals(claim.unit()) && row.fence() == claim.fence());
        if (there) {
            ledger.apply(List.of(new Move.Released(
                    ref(claim.unit()), claim.unit(), claim.fence(), Move.Released.How.EXPIRED, claim.grantedAt())));
        }
        return there;
    }

    private RunRef ref(UnitId unit) {
        for (Move move : moves.reversed()) {
            if (move instanceof Move.OfRun of && of.run().equals(unit.run())) {
                return of.ref();
            }
        }
        throw new IllegalArgumentException("expected a run that something was decided about, found " + unit.run());
    }

    /** Every move since the given place. */
    List<Move> since(int place) {
        return List.copyOf(moves.subList(place, moves.size()));
    }

    Plan plan(String workflow, int version) {
        Plan plan = plans.get(workflow + "@" + version);
        if (plan == null) {
            throw new IllegalArgumentException(
                    "expected a version that was registered, found " + workflow + " version " + version);
        }
        return plan;
    }

    /** Runs that the moves would accept although runs of these ids have ended. */
    Set<String> taken(List<Move> proposed) {
        Set<String> taken = new LinkedHashSet<>();
        for (Move move : proposed) {
            if (move instanceof Move.RunAccepted accepted
                    && ended.contains(accepted.row().id())) {
                taken.add(accepted.row().id());
            }
        }
        return taken;
    }

    void apply(List<Move> decided) {
        ledger.apply(decided);
        moves.addAll(decided);
        for (Move move : decided) {
            if (move instanceof Move.RunAccepted accepted) {
                living.add(accepted.row().id());
            } else if (move instanceof Move.RunMoved moved
                    && moved.row().state().ended()) {
                living.remove(moved.row().id());
                ended.add(moved.row().id());
            } else if (move instanceof Move.WorkflowRegistered added) {
                plans.put(added.workflow().name() + "@" + added.version(), Plan.of(added.workflow(), added.version()));
            }
        }
    }
}
