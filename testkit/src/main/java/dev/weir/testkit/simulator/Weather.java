package dev.weir.testkit.simulator;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.core.life.Organisation;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.testkit.journal.Faults;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the journal does to the nodes: it is slow, breaks off, cannot be reached, or sees them die. */
final class Weather implements Faults {
    /** Runs whose rows the store will not write have ids that begin so. */
    static final String POISON = "poison";

    private final Cluster cluster;
    private @Nullable Blow next;
    private @Nullable Machine current;
    private String owner = "";
    private long unreachableUntil;
    private @Nullable Claim removed;

    /** What happens to the next transaction. */
    enum Blow {
        DIES_BEFORE_COMMIT(Kind.NODE_DIED_BEFORE_COMMIT),
        DIES_IN_COMMIT(Kind.NODE_DIED_IN_COMMIT),
        DIES_AFTER_COMMIT(Kind.NODE_DIED_AFTER_COMMIT),
        NOT_WRITTEN(Kind.COMMIT_NOT_WRITTEN),
        NOT_TOLD(Kind.COMMIT_NOT_TOLD),
        LATE(Kind.COMMIT_LATE),
        SLOW(Kind.COMMIT_SLOW),
        STALLS(Kind.DECIDED_ANEW);

        private final Kind kind;

        Blow(Kind kind) {
            this.kind = kind;
        }
    }

    Weather(Cluster cluster) {
        this.cluster = cluster;
    }

    void strike(Blow blow) {
        next = blow;
    }

    void unreachable(long length) {
        cluster.world.checker.seen().add(Kind.STORE_UNREACHABLE);
        unreachableUntil = cluster.world.now() + length;
    }

    /** Nothing bad happens any more. */
    void clear() {
        next = null;
        unreachableUntil = 0;
    }

    /** Somebody removes the row of a claim behind the engine's back. */
    void removeClaim(Claim claim) {
        if (removed == null && cluster.journal.remove(Cluster.ORG, claim)) {
            removed = claim;
            cluster.world.checker.seen().add(Kind.ROW_REMOVED);
            cluster.world.note(new Fact.RowRemoved(claim.unit(), claim.fence(), cluster.world.now()));
        }
    }

    /** Whether memory can be held against the trace. */
    boolean calm(Organisation memory) {
        Claim gone = removed;
        if (gone != null) {
            boolean known = memory.findClaim(gone.unit())
                    .filter(claim -> claim.fence() == gone.fence())
                    .isPresent();
            removed = known ? gone : null;
        }
        return removed == null;
    }

    boolean isOwner(Machine machine) {
        return machine.name.equals(owner);
    }

    @Nullable
    Machine enter(Machine machine) {
        Machine before = current;
        current = machine;
        return before;
    }

    void leave(@Nullable Machine before) {
        current = before;
    }

    @Override
    public void taking(int shard, String by) {
        reading(shard);
        owner = by;
    }

    @Override
    public void reading(int shard) {
        if (cluster.world.now() < unreachableUntil) {
            throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
        }
    }

    @Override
    public void begun(int shard) {
        reading(shard);
        if (next == Blow.STALLS) {
            take();
            pass(600_000, 4 * World.SECOND);
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

    /** The node waits, and the world goes on around it. */
    private void pass(long least, long most) {
        World world = cluster.world;
        Machine waiting = current;
        world.runUntil(world.now() + world.between(least, most));
        current = waiting;
        if (waiting != null && waiting.down()) {
            throw new Machine.Death();
        }
    }

    @Override
    public Commit committing(int shard, Map<String, List<Move>> moves) {
        if (poisoned(moves)) {
            cluster.world.checker.seen().add(Kind.ROWS_REFUSED);
            return Commit.REFUSED;
        }
        if (next == null || next == Blow.STALLS || next == Blow.DIES_AFTER_COMMIT) {
            return Commit.WRITTEN;
        }
        return switch (take()) {
            case DIES_BEFORE_COMMIT -> throw new Machine.Death();
            case DIES_IN_COMMIT -> {
                Machine dying = current;
                if (dying != null) {
                    dying.die();
                }
                yield Commit.WRITTEN_LATE;
            }
            case NOT_WRITTEN -> Commit.UNWRITTEN_UNTOLD;
            case NOT_TOLD -> Commit.WRITTEN_UNTOLD;
            case LATE -> {
                cluster.world.later(cluster.world.between(0, World.SECOND), cluster.journal::land);
                yield Commit.WRITTEN_LATE;
            }
            case SLOW -> {
                pass(100_000, 8 * World.SECOND);
                yield Commit.WRITTEN;
            }
            case STALLS, DIES_AFTER_COMMIT -> Commit.WRITTEN;
        };
    }

    private static boolean poisoned(Map<String, List<Move>> moves) {
        return moves.values().stream()
                .flatMap(List::stream)
                .anyMatch(move -> move instanceof Move.RunAccepted accepted
                        && accepted.row().id().startsWith(POISON));
    }

    @Override
    public void committed(int shard, Map<String, List<Move>> moves) {
        moves.values().forEach(decided -> decided.forEach(move -> cluster.world.note(new Fact.Decided(move))));
        if (next == Blow.DIES_AFTER_COMMIT && current != null && current.busy()) {
            take();
            throw new Machine.Death();
        }
    }
}
