package dev.weir.simulator;

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
    static final String POISON_PREFIX = "poison";

    /** The longest gap in which workers cannot be heard that needs no grace for their claims. */
    private static final long SILENCE_MAX = 2 * SimulatedWorld.SECOND;

    private final SimulatedCluster cluster;
    private @Nullable TransactionFault nextFault;
    private @Nullable SimulatedNode currentNode;
    private String owner = "";
    private long unreachableUntil;
    private @Nullable Claim removedClaim;
    /**
     * The time since which each node cannot reach the store, by the node's name. It is measured by the clock of the
     * machines, because sleep is noted separately.
     */
    private final Map<String, Long> unreachableSince = new HashMap<>();
    /** True if the owner has not read the time since all machines slept. */
    private boolean ownerUnaware;

    /** True if the owner has read the time since, but may not have handled everything that became due. */
    private boolean ownerHasReadTime;

    /** The time since which no commit has succeeded. */
    private @Nullable Long failingSince;

    /** A fault of the next transaction. */
    enum TransactionFault {
        DIES_BEFORE_COMMIT(Coverage.NODE_DIED_BEFORE_COMMIT),
        DIES_IN_COMMIT(Coverage.NODE_DIED_IN_COMMIT),
        DIES_AFTER_COMMIT(Coverage.NODE_DIED_AFTER_COMMIT),
        NOT_WRITTEN(Coverage.COMMIT_NOT_WRITTEN),
        UNCONFIRMED(Coverage.COMMIT_UNCONFIRMED),
        LATE(Coverage.COMMIT_LATE),
        SLOW(Coverage.COMMIT_SLOW),
        STALLS(Coverage.DECIDED_AGAIN);

        private final Coverage coverage;

        TransactionFault(Coverage coverage) {
            this.coverage = coverage;
        }
    }

    StoreFaults(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void setNextFault(TransactionFault fault) {
        nextFault = fault;
    }

    void makeUnreachable(long length) {
        cluster.world.checker.coverage().add(Coverage.STORE_UNREACHABLE);
        unreachableUntil = cluster.world.now() + length;
    }

    /** Lets all machines sleep, except the store's. */
    void sleepMachines(long length) {
        cluster.world.checker.coverage().add(Coverage.MACHINES_SLEPT);
        cluster.world.skipTime(length);
        ownerUnaware = true;
        ownerHasReadTime = false;
        noteGap(true);
    }

    /** Notes that workers could not be heard until now. */
    private void noteGap(boolean certain) {
        cluster.world.note(new Fact.WorkersUnreachable(certain, cluster.world.now()));
    }

    /** Notes that nothing is left to do now. */
    void noteSettled() {
        ownerUnaware &= !ownerHasReadTime;
    }

    /** Ends all faults. */
    void clear() {
        nextFault = null;
        unreachableUntil = 0;
    }

    /** Removes the row of a claim without the engine's knowledge. */
    void removeClaim(Claim claim) {
        if (removedClaim == null && cluster.journal.remove(SimulatedCluster.ORG, claim)) {
            removedClaim = claim;
            cluster.world.checker.coverage().add(Coverage.ROW_REMOVED);
            cluster.world.note(new Fact.RowRemoved(claim.unit(), claim.fence(), cluster.world.now()));
        }
    }

    /** True if the memory can be compared with the trace. */
    boolean canCompare(Organisation memory) {
        Claim gone = removedClaim;
        if (gone != null) {
            boolean known = memory.findClaim(gone.unit())
                    .filter(claim -> claim.fence() == gone.fence())
                    .isPresent();
            removedClaim = known ? gone : null;
        }
        return removedClaim == null && !ownerUnaware;
    }

    boolean isOwner(SimulatedNode node) {
        return node.name.equals(owner);
    }

    @Nullable
    SimulatedNode enterNode(SimulatedNode node) {
        SimulatedNode before = currentNode;
        currentNode = node;
        return before;
    }

    void leaveNode(@Nullable SimulatedNode before) {
        currentNode = before;
    }

    @Override
    public void beforeTake(int shard, String newOwner) {
        beforeRead(shard);
    }

    /** Notes the new owner of a shard. A node that dies while it takes the shard never owned it. */
    @Override
    public void afterTake(int shard, String newOwner) {
        Long since = unreachableSince.remove(newOwner);
        if (!newOwner.equals(owner)) {
            // The first owner finds no claims.
            noteGap(!owner.isEmpty());
            owner = newOwner;
        } else if (since != null) {
            noteGap(cluster.world.monotonicTime() - since > SILENCE_MAX);
        }
    }

    @Override
    public void beforeRead(int shard) {
        if (cluster.world.now() < unreachableUntil) {
            if (currentNode != null) {
                unreachableSince.putIfAbsent(currentNode.name, cluster.world.monotonicTime());
            }
            throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
        }
    }

    /** Makes the journal forget the ended runs of the neighbour, so that only the history knows them. */
    @Override
    public boolean omitsEndedRuns(String org) {
        return !org.equals(SimulatedCluster.ORG);
    }

    @Override
    public void afterBegin(int shard) {
        beforeRead(shard);
        ownerHasReadTime = true;
        if (nextFault == TransactionFault.STALLS) {
            takeNextFault();
            letTimePass(600_000, 4 * SimulatedWorld.SECOND);
        }
    }

    private TransactionFault takeNextFault() {
        TransactionFault fault = nextFault;
        nextFault = null;
        if (fault == null) {
            throw new IllegalStateException("expected a blow, found none");
        }
        cluster.world.checker.coverage().add(fault.coverage);
        return fault;
    }

    /** Lets time pass while the node waits. Other events run meanwhile. */
    private void letTimePass(long least, long most) {
        SimulatedWorld world = cluster.world;
        SimulatedNode waiting = currentNode;
        long length = world.randomBetween(least, most);
        world.runUntil(world.now() + length);
        currentNode = waiting;
        if (waiting != null && !waiting.isDown()) {
            noteGap(length > SILENCE_MAX && isOwner(waiting));
        }
        if (waiting != null && waiting.isDown()) {
            throw new SimulatedNode.Death();
        }
    }

    @Override
    public CommitFate beforeCommit(int shard, Map<String, List<Move>> moves) {
        if (isPoisoned(moves)) {
            cluster.world.checker.coverage().add(Coverage.ROWS_REFUSED);
            noteFailure();
            return CommitFate.REFUSED;
        }
        if (nextFault == null
                || nextFault == TransactionFault.STALLS
                || nextFault == TransactionFault.DIES_AFTER_COMMIT) {
            return noteSuccess();
        }
        if (nextFault != TransactionFault.SLOW) {
            noteFailure();
        }
        return switch (takeNextFault()) {
            case DIES_BEFORE_COMMIT -> throw new SimulatedNode.Death();
            case DIES_IN_COMMIT -> {
                SimulatedNode dying = currentNode;
                if (dying != null) {
                    dying.die();
                }
                yield CommitFate.WRITTEN_LATE;
            }
            case NOT_WRITTEN -> CommitFate.UNWRITTEN_UNTOLD;
            case UNCONFIRMED -> CommitFate.WRITTEN_UNTOLD;
            case LATE -> {
                cluster.world.schedule(
                        cluster.world.randomBetween(0, SimulatedWorld.SECOND), cluster.journal::completePendingCommits);
                yield CommitFate.WRITTEN_LATE;
            }
            case SLOW -> {
                letTimePass(100_000, 8 * SimulatedWorld.SECOND);
                yield noteSuccess();
            }
            case STALLS, DIES_AFTER_COMMIT -> CommitFate.WRITTEN;
        };
    }

    private void noteFailure() {
        if (failingSince == null) {
            failingSince = cluster.world.now();
        }
    }

    /** Notes a successful commit. Requests that workers sent while commits failed take effect only with this one. */
    private CommitFate noteSuccess() {
        if (failingSince != null && cluster.world.now() - failingSince > SimulatedWorld.SECOND) {
            noteGap(false);
        }
        failingSince = null;
        return CommitFate.WRITTEN;
    }

    private static boolean isPoisoned(Map<String, List<Move>> moves) {
        return moves.values().stream()
                .flatMap(List::stream)
                .anyMatch(move -> move instanceof Move.RunAccepted accepted
                        && accepted.row().id().startsWith(POISON_PREFIX));
    }

    @Override
    public void afterCommit(int shard, Map<String, List<Move>> moves) {
        moves.getOrDefault(SimulatedCluster.ORG, List.of()).forEach(move -> cluster.world.note(new Fact.Decided(move)));
        if (nextFault == TransactionFault.DIES_AFTER_COMMIT && currentNode != null && currentNode.isBusy()) {
            takeNextFault();
            throw new SimulatedNode.Death();
        }
    }
}
