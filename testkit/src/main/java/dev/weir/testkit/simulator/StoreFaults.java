package dev.weir.testkit.simulator;

import dev.weir.core.run.Organisation;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.testkit.journal.JournalFaults;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Faults of the journal: it is slow, fails, or cannot be reached, and nodes die while they use it. */
final class StoreFaults implements JournalFaults {
    /** The prefix of the ids of runs whose rows the store refuses to write. */
    static final String POISON = "poison";

    /** The longest gap in which workers cannot be heard that needs no grace for their claims. */
    private static final long UNHEARD_MAX = 2 * SimulatedWorld.SECOND;

    private final SimulatedCluster cluster;
    private @Nullable Blow next;
    private @Nullable SimulatedNode current;
    private String owner = "";
    private long unreachableUntil;
    private @Nullable Claim removed;
    /**
     * The time since which each node cannot reach the store, by the node's name. It is measured by the clock of the
     * machines, because sleep is noted separately.
     */
    private final Map<String, Long> away = new HashMap<>();
    /** True if the owner has not read the time since all machines slept. */
    private boolean unaware;

    /** True if the owner has read the time since, but may not have handled everything that became due. */
    private boolean told;

    /** The time since which no commit has succeeded. */
    private @Nullable Long failingSince;

    /** A fault of the next transaction. */
    enum Blow {
        DIES_BEFORE_COMMIT(Coverage.NODE_DIED_BEFORE_COMMIT),
        DIES_IN_COMMIT(Coverage.NODE_DIED_IN_COMMIT),
        DIES_AFTER_COMMIT(Coverage.NODE_DIED_AFTER_COMMIT),
        NOT_WRITTEN(Coverage.COMMIT_NOT_WRITTEN),
        NOT_TOLD(Coverage.COMMIT_NOT_TOLD),
        LATE(Coverage.COMMIT_LATE),
        SLOW(Coverage.COMMIT_SLOW),
        STALLS(Coverage.DECIDED_ANEW);

        private final Coverage kind;

        Blow(Coverage kind) {
            this.kind = kind;
        }
    }

    StoreFaults(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void strike(Blow blow) {
        next = blow;
    }

    void unreachable(long length) {
        cluster.world.checker.seen().add(Coverage.STORE_UNREACHABLE);
        unreachableUntil = cluster.world.now() + length;
    }

    /** Lets all machines sleep, except the store's. */
    void sleep(long length) {
        cluster.world.checker.seen().add(Coverage.MACHINES_SLEPT);
        cluster.world.skip(length);
        unaware = true;
        told = false;
        unheard(true);
    }

    /** Notes that workers could not be heard until now. */
    private void unheard(boolean surely) {
        cluster.world.note(new Fact.Unheard(surely, cluster.world.now()));
    }

    /** Notes that nothing is left to do now. */
    void settled() {
        unaware &= !told;
    }

    /** Ends all faults. */
    void clear() {
        next = null;
        unreachableUntil = 0;
    }

    /** Removes the row of a claim without the engine's knowledge. */
    void removeClaim(Claim claim) {
        if (removed == null && cluster.journal.remove(SimulatedCluster.ORG, claim)) {
            removed = claim;
            cluster.world.checker.seen().add(Coverage.ROW_REMOVED);
            cluster.world.note(new Fact.RowRemoved(claim.unit(), claim.fence(), cluster.world.now()));
        }
    }

    /** True if the memory can be compared with the trace. */
    boolean calm(Organisation memory) {
        Claim gone = removed;
        if (gone != null) {
            boolean known = memory.findClaim(gone.unit())
                    .filter(claim -> claim.fence() == gone.fence())
                    .isPresent();
            removed = known ? gone : null;
        }
        return removed == null && !unaware;
    }

    boolean isOwner(SimulatedNode machine) {
        return machine.name.equals(owner);
    }

    @Nullable
    SimulatedNode enter(SimulatedNode machine) {
        SimulatedNode before = current;
        current = machine;
        return before;
    }

    void leave(@Nullable SimulatedNode before) {
        current = before;
    }

    @Override
    public void taking(int shard, String by) {
        reading(shard);
    }

    /** Notes the new owner of a shard. A node that dies while it takes the shard never owned it. */
    @Override
    public void taken(int shard, String by) {
        Long since = away.remove(by);
        if (!by.equals(owner)) {
            // The first owner finds no claims.
            unheard(!owner.isEmpty());
            owner = by;
        } else if (since != null) {
            unheard(cluster.world.ticks() - since > UNHEARD_MAX);
        }
    }

    @Override
    public void reading(int shard) {
        if (cluster.world.now() < unreachableUntil) {
            if (current != null) {
                away.putIfAbsent(current.name, cluster.world.ticks());
            }
            throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
        }
    }

    /** Makes the journal forget the ended runs of the neighbour, so that only the history knows them. */
    @Override
    public boolean forgets(String org) {
        return !org.equals(SimulatedCluster.ORG);
    }

    @Override
    public void begun(int shard) {
        reading(shard);
        told = true;
        if (next == Blow.STALLS) {
            take();
            pass(600_000, 4 * SimulatedWorld.SECOND);
        }
    }

    private Blow take() {
        Blow taken = next;
        next = null;
        if (taken == null) {
            throw new IllegalStateException("expected a blow, found none");
        }
        cluster.world.checker.seen().add(taken.kind);
        return taken;
    }

    /** Lets time pass while the node waits. Other events run meanwhile. */
    private void pass(long least, long most) {
        SimulatedWorld world = cluster.world;
        SimulatedNode waiting = current;
        long length = world.between(least, most);
        world.runUntil(world.now() + length);
        current = waiting;
        if (waiting != null && !waiting.down()) {
            unheard(length > UNHEARD_MAX && isOwner(waiting));
        }
        if (waiting != null && waiting.down()) {
            throw new SimulatedNode.Death();
        }
    }

    @Override
    public Commit committing(int shard, Map<String, List<Move>> moves) {
        if (poisoned(moves)) {
            cluster.world.checker.seen().add(Coverage.ROWS_REFUSED);
            fails();
            return Commit.REFUSED;
        }
        if (next == null || next == Blow.STALLS || next == Blow.DIES_AFTER_COMMIT) {
            return goesWell();
        }
        if (next != Blow.SLOW) {
            fails();
        }
        return switch (take()) {
            case DIES_BEFORE_COMMIT -> throw new SimulatedNode.Death();
            case DIES_IN_COMMIT -> {
                SimulatedNode dying = current;
                if (dying != null) {
                    dying.die();
                }
                yield Commit.WRITTEN_LATE;
            }
            case NOT_WRITTEN -> Commit.UNWRITTEN_UNTOLD;
            case NOT_TOLD -> Commit.WRITTEN_UNTOLD;
            case LATE -> {
                cluster.world.later(cluster.world.between(0, SimulatedWorld.SECOND), cluster.journal::land);
                yield Commit.WRITTEN_LATE;
            }
            case SLOW -> {
                pass(100_000, 8 * SimulatedWorld.SECOND);
                yield goesWell();
            }
            case STALLS, DIES_AFTER_COMMIT -> Commit.WRITTEN;
        };
    }

    private void fails() {
        if (failingSince == null) {
            failingSince = cluster.world.now();
        }
    }

    /** Notes a successful commit. Requests that workers sent while commits failed take effect only with this one. */
    private Commit goesWell() {
        if (failingSince != null && cluster.world.now() - failingSince > SimulatedWorld.SECOND) {
            unheard(false);
        }
        failingSince = null;
        return Commit.WRITTEN;
    }

    private static boolean poisoned(Map<String, List<Move>> moves) {
        return moves.values().stream()
                .flatMap(List::stream)
                .anyMatch(move -> move instanceof Move.RunAccepted accepted
                        && accepted.row().id().startsWith(POISON));
    }

    @Override
    public void committed(int shard, Map<String, List<Move>> moves) {
        moves.getOrDefault(SimulatedCluster.ORG, List.of()).forEach(move -> cluster.world.note(new Fact.Decided(move)));
        if (next == Blow.DIES_AFTER_COMMIT && current != null && current.busy()) {
            take();
            throw new SimulatedNode.Death();
        }
    }
}
