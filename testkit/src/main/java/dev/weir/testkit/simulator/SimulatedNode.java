package dev.weir.testkit.simulator;

import dev.weir.core.run.Organisation;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.ShardContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/** A node whose shard loop is stepped by hand. It can die at any moment, and then loses its memory. */
final class SimulatedNode {
    /** The largest number of steps of the loop in a row, before other nodes get theirs. */
    private static final int TURNS_MAX = 50;
    /** The chance that a node steps its loop at once, in percent. Otherwise more messages collect first. */
    private static final int PROMPT = 80;
    /** The chance that a node decides one message at a time, each while the one before is written, in percent. */
    private static final int SMALL = 50;

    private static final int BATCH = 1_000;
    /** The evaluation cost after which a decision leaves the rest for the next one. */
    private static final long PART_UNITS = 300_000;

    final Shard shard;
    final String name;
    private final SimulatedCluster cluster;
    private final Set<ClientCall<?>> calls = new LinkedHashSet<>();
    private boolean down;
    private boolean busy;
    private long wakeAt = Long.MAX_VALUE;

    /** Thrown to stop a node in the middle of a pass. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1;
    }

    SimulatedNode(SimulatedCluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        var site = new ShardContext(cluster.journal, name, cluster.world::ticks, cluster.counters);
        boolean small = cluster.world.chance(SMALL);
        this.shard = new Shard(site, cluster.shard(), small ? 1 : BATCH);
    }

    boolean down() {
        return down;
    }

    boolean busy() {
        return busy;
    }

    void add(ClientCall<?> call) {
        calls.add(call);
    }

    void remove(ClientCall<?> call) {
        calls.remove(call);
    }

    void turn() {
        if (cluster.world.chance(PROMPT)) {
            turnNow();
        } else {
            wakeIn(cluster.world.between(0, 30_000));
        }
    }

    private void turnNow() {
        if (busy || down) {
            return;
        }
        busy = true;
        SimulatedNode before = cluster.weather.enter(this);
        try {
            long next = runOnce();
            for (int turns = 1; next == 0 && !down && turns < TURNS_MAX; turns++) {
                next = runOnce();
            }
            cluster.world.saw(cluster.decidedAhead(), Coverage.DECIDED_AHEAD);
            if (next != Long.MAX_VALUE) {
                wakeIn(next);
            }
        } catch (Death death) {
            die();
        } finally {
            busy = false;
            cluster.weather.leave(before);
        }
        if (shard.closed()) {
            cluster.reopenLater();
        }
    }

    private long runOnce() {
        long before = unitsSpent();
        long next = shard.runOnce();
        cluster.world.saw(next == 0 && unitsSpent() - before > PART_UNITS, Coverage.DECIDED_IN_PARTS);
        return next;
    }

    private long unitsSpent() {
        return shard.find(SimulatedCluster.ORG).map(Organisation::unitsSpent).orElse(0L);
    }

    private void wakeIn(long delay) {
        long at = cluster.world.now() + delay;
        if (at < wakeAt || wakeAt <= cluster.world.now()) {
            wakeAt = at;
            cluster.world.later(delay, this::turnNow);
        }
    }

    /** Kills the node. Only its commits remain, and its callers get no answer. */
    void die() {
        down = true;
        new ArrayList<>(calls).forEach(ClientCall::broken);
        cluster.reopenLater();
    }
}
