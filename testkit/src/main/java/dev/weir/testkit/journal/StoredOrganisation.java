package dev.weir.testkit.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One organisation in a journal: its rows, and every move that led to them. The journal's lock guards it. */
final class StoredOrganisation {
    private final MemoryTables ledger = new MemoryTables();
    private final List<Move> moves = new ArrayList<>();
    private final Set<String> living = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Plan> plans = new TreeMap<>();

    boolean lives() {
        return !living.isEmpty();
    }

    OrganisationRows rows(long now) {
        return ledger.rows(now);
    }

    List<LimitStart> starts(LimitId.Shared limit) {
        return ledger.starts(limit);
    }

    /**
     * Removes the row of a claim, without a move. A store need not write the row of a step when it grants a claim, so
     * the step returns to its state before the grant.
     */
    boolean remove(Claim claim) {
        boolean there = holds(claim.unit(), claim.fence());
        if (there) {
            RunRef ref = ref(claim.unit());
            long at = claim.grantedAt();
            ledger.apply(
                    List.of(new Move.Released(ref, claim.unit(), claim.fence(), Move.Released.How.EXPIRED, at, at)));
            StepRow row = rowWithout(claim);
            if (row != null) {
                ledger.apply(List.of(new Move.StepMoved(ref, row, StepState.RUNNING, at)));
            }
        }
        return there;
    }

    /** The last row of a unit that was written other than by the grant of this claim. */
    private @Nullable StepRow rowWithout(Claim claim) {
        StepRow row = null;
        for (Move move : moves) {
            StepRow next = rowIn(move);
            boolean granted =
                    move instanceof Move.Granted grant && grant.claim().fence() == claim.fence();
            if (next != null && next.id().equals(claim.unit()) && !granted) {
                row = next;
            } else if (row != null
                    && move instanceof Move.StepChanged changed
                    && changed.unit().equals(claim.unit())) {
                row = row.with(changed.detail());
            }
        }
        return row;
    }

    private static @Nullable StepRow rowIn(Move move) {
        if (move instanceof Move.StepMoved moved) {
            return moved.row();
        }
        if (move instanceof Move.ItemMade made) {
            return made.row();
        }
        if (move instanceof Move.Granted granted) {
            return granted.row();
        }
        if (move instanceof Move.Resumed resumed) {
            return resumed.row();
        }
        return move instanceof Move.OutputAmended amended ? amended.row() : null;
    }

    /** Units whose claims the moves would extend although they have no row. */
    Set<UnitId> unclaimed(List<Move> proposed) {
        Set<UnitId> unclaimed = new LinkedHashSet<>();
        Set<UnitId> granted = new HashSet<>();
        for (Move move : proposed) {
            if (move instanceof Move.Granted grant) {
                granted.add(grant.claim().unit());
            } else if (move instanceof Move.Resumed resumed) {
                granted.add(resumed.claim().unit());
            } else if (move instanceof Move.Released released) {
                unclaimed.remove(released.unit());
            } else if (move instanceof Move.Extended extended
                    && !granted.contains(extended.unit())
                    && !holds(extended.unit(), extended.fence())) {
                unclaimed.add(extended.unit());
            }
        }
        return unclaimed;
    }

    private boolean holds(UnitId unit, long fence) {
        return ledger.findClaim(unit).filter(row -> row.fence() == fence).isPresent();
    }

    private RunRef ref(UnitId unit) {
        for (Move move : moves.reversed()) {
            if (move instanceof Move.OfRun of && of.run().equals(unit.run())) {
                return of.ref();
            }
        }
        throw new IllegalArgumentException("expected a run that something was decided about, found " + unit.run());
    }

    /** All moves from the given position on. */
    List<Move> since(int place) {
        return List.copyOf(moves.subList(place, moves.size()));
    }

    /** Returns the plan as a real store gives it: its expressions are compiled when they are used. */
    private static Plan stored(Move.WorkflowRegistered added) {
        String text = added.workflow().toJson().toString();
        return Plan.of(WorkflowReader.readKept(text).orThrow(), added.version());
    }

    Plan plan(String workflow, int version) {
        Plan plan = plans.get(workflow + "@" + version);
        if (plan == null) {
            throw new IllegalArgumentException(
                    "expected a version that was registered, found " + workflow + " version " + version);
        }
        return plan;
    }

    /** Runs that the moves would accept although a run with the same id has ended. */
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
                plans.put(added.workflow().name() + "@" + added.version(), stored(added));
            }
        }
    }
}
