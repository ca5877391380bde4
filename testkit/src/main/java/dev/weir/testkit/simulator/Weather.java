package dev.weir.testkit.simulator;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.core.life.Organisation;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.testkit.journal.Faults;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the journal does to the nodes: it is slow, breaks off, cannot be reached, or sees them die. */
final class Weather implements Faults {
    /** Runs whose rows the store will not write have ids that begin so. */
    static final String POISON = "poison";

    /** How long workers may go unheard without being given time to renew their claims. */
    private static final long UNHEARD_MAX = 2 * World.SECOND;

    private final Cluster cluster;
    private @Nullable Blow next;
    private @Nullable Machine current;
    private String owner = "";
    private long unreachableUntil;
    private @Nullable Claim removed;
    /** Since when nodes cannot reach the store, by name, and by the clock of machines: that they slept is noted by itself. */
    private final Map<String, Long> away = new HashMap<>();
    /** Whether the owner has not heard the time since all machines slept. */
    private boolean unaware;

    /** Whether it has heard it, and may not have dealt with all that has become due. */
    private boolean told;

    /** Since when no commit went well. */
    private @Nullable Long failingSince;

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

    /** All machines sleep but the store's. */
    void sleep(long length) {
        cluster.world.checker.seen().add(Kind.MACHINES_SLEPT);
        cluster.world.skip(length);
        unaware = true;
        told = false;
        unheard(true);
    }

    /** Workers could not be heard until now. */
    private void unheard(boolean surely) {
        cluster.world.note(new Fact.Unheard(surely, cluster.world.now()));
    }

    /** Nothing is left to do now. */
    void settled() {
        unaware &= !told;
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
        return removed == null && !unaware;
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
    }

    /** Who dies while it takes a shard never had it. */
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

    /** Of the neighbour nothing is remembered but what history says. */
    @Override
    public boolean forgets(String org) {
        return !org.equals(Cluster.ORG);
    }

    @Override
    public void begun(int shard) {
        reading(shard);
        told = true;
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
        long length = world.between(least, most);
        world.runUntil(world.now() + length);
        current = waiting;
        if (waiting != null && !waiting.down()) {
            unheard(length > UNHEARD_MAX && isOwner(waiting));
        }
        if (waiting != null && waiting.down()) {
            throw new Machine.Death();
        }
    }

    @Override
    public Commit committing(int shard, Map<String, List<Move>> moves) {
        if (poisoned(moves)) {
            cluster.world.checker.seen().add(Kind.ROWS_REFUSED);
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

    /** What was sent while commits failed is heard with the first that does not. */
    private Commit goesWell() {
        if (failingSince != null && cluster.world.now() - failingSince > World.SECOND) {
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
        moves.getOrDefault(Cluster.ORG, List.of()).forEach(move -> cluster.world.note(new Fact.Decided(move)));
        if (next == Blow.DIES_AFTER_COMMIT && current != null && current.busy()) {
            take();
            throw new Machine.Death();
        }
    }
}
