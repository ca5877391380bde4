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
    private final MemoryTables tables = new MemoryTables();
    private final List<Move> moves = new ArrayList<>();
    private final Set<String> liveRuns = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Plan> plans = new TreeMap<>();

    boolean hasUnfinishedWork() {
        return !liveRuns.isEmpty() || tables.hasEventsUnderWay();
    }

    boolean isSuspended() {
        return tables.isSuspended();
    }

    OrganisationRows rows(long now) {
        return tables.rows(now);
    }

    List<LimitStart> starts(LimitId.Shared limit) {
        return tables.starts(limit);
    }

    /**
     * Removes the row of a claim, without a move. A store need not write the row of a step when it grants a claim, so
     * the step returns to its state before the grant.
     */
    boolean remove(Claim claim) {
        boolean exists = hasClaim(claim.unit(), claim.fence());
        if (exists) {
            RunRef ref = runRef(claim.unit());
            long at = claim.grantedAt();
            tables.apply(
                    List.of(new Move.Released(ref, claim.unit(), claim.fence(), Move.Released.Cause.EXPIRED, at, at)));
            StepRow row = rowBeforeClaim(claim);
            if (row != null) {
                tables.apply(List.of(new Move.StepMoved(ref, row, StepState.RUNNING, at)));
            }
        }
        return exists;
    }

    /** The last row of a unit that was written other than by the grant of this claim. */
    private @Nullable StepRow rowBeforeClaim(Claim claim) {
        StepRow row = null;
        for (Move move : moves) {
            StepRow next = stepRowOf(move);
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

    private static @Nullable StepRow stepRowOf(Move move) {
        if (move instanceof Move.StepMoved moved) {
            return moved.row();
        }
        if (move instanceof Move.ItemCreated made) {
            return made.row();
        }
        if (move instanceof Move.Granted granted) {
            return granted.row();
        }
        if (move instanceof Move.Resumed resumed) {
            return resumed.row();
        }
        if (move instanceof Move.StepPutAhead ahead) {
            return ahead.row();
        }
        return move instanceof Move.OutputAmended amended ? amended.row() : null;
    }

    /** Units whose claims the moves would extend although they have no row. */
    Set<UnitId> extendedWithoutClaim(List<Move> proposed) {
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
                    && !hasClaim(extended.unit(), extended.fence())) {
                unclaimed.add(extended.unit());
            }
        }
        return unclaimed;
    }

    private boolean hasClaim(UnitId unit, long fence) {
        return tables.findClaim(unit).filter(row -> row.fence() == fence).isPresent();
    }

    private RunRef runRef(UnitId unit) {
        for (Move move : moves.reversed()) {
            if (move instanceof Move.OfRun ofRun && ofRun.run().equals(unit.run())) {
                return ofRun.ref();
            }
        }
        throw new IllegalArgumentException("expected a run that something was decided about, found " + unit.run());
    }

    /** All moves from the given position on. */
    List<Move> movesSince(int position) {
        return List.copyOf(moves.subList(position, moves.size()));
    }

    /** Returns the plan as a real store gives it: its expressions are compiled when they are used. */
    private static Plan storedPlan(Move.WorkflowRegistered added) {
        String text = added.workflow().toJson().toString();
        return Plan.of(WorkflowReader.readStored(text).orThrow(), added.version());
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
    Set<String> reusedRunIds(List<Move> proposed) {
        Set<String> reused = new LinkedHashSet<>();
        for (Move move : proposed) {
            if (move instanceof Move.RunAccepted accepted
                    && ended.contains(accepted.row().id())) {
                reused.add(accepted.row().id());
            }
        }
        return reused;
    }

    void apply(List<Move> decided) {
        tables.apply(decided);
        moves.addAll(decided);
        for (Move move : decided) {
            if (move instanceof Move.RunAccepted accepted) {
                liveRuns.add(accepted.row().id());
            } else if (move instanceof Move.RunMoved moved
                    && moved.row().state().ended()) {
                liveRuns.remove(moved.row().id());
                ended.add(moved.row().id());
            } else if (move instanceof Move.WorkflowRegistered added) {
                plans.put(added.workflow().name() + "@" + added.version(), storedPlan(added));
            }
        }
    }
}
