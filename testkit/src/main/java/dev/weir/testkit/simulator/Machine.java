package dev.weir.testkit.simulator;

import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.Site;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/** A node that turns one shard by hand; it can die at any moment, with all that it has in memory. */
final class Machine {
    /** Turns in a row before others get one. */
    private static final int TURNS_MAX = 50;
    /** How likely it is that a node turns at once, in percent; else more messages gather first. */
    private static final int PROMPT = 80;
    /** How likely it is that a node decides message by message, each while the one before is written, in percent. */
    private static final int SMALL = 50;

    private static final int BATCH = 1_000;

    final Shard shard;
    final String name;
    private final Cluster cluster;
    private final Set<Call<?>> calls = new LinkedHashSet<>();
    private boolean down;
    private boolean busy;
    private long wakeAt = Long.MAX_VALUE;

    /** The node stops in the middle of what it does. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1;
    }

    Machine(Cluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        var site = new Site(cluster.journal, name, cluster.world::ticks, cluster.counters);
        boolean small = cluster.world.chance(SMALL);
        this.shard = new Shard(site, cluster.shard(), small ? 1 : BATCH);
    }

    boolean down() {
        return down;
    }

    boolean busy() {
        return busy;
    }

    void add(Call<?> call) {
        calls.add(call);
    }

    void remove(Call<?> call) {
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
        Machine before = cluster.weather.enter(this);
        try {
            long next = shard.runOnce();
            for (int turns = 1; next == 0 && !down && turns < TURNS_MAX; turns++) {
                next = shard.runOnce();
            }
            cluster.world.saw(cluster.decidedAhead(), Kind.DECIDED_AHEAD);
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

    private void wakeIn(long delay) {
        long at = cluster.world.now() + delay;
        if (at < wakeAt || wakeAt <= cluster.world.now()) {
            wakeAt = at;
            cluster.world.later(delay, this::turnNow);
        }
    }

    /** Nothing of it is left but what it has committed; whoever waits for it hears nothing. */
    void die() {
        down = true;
        new ArrayList<>(calls).forEach(Call::broken);
        cluster.reopenLater();
    }
}
