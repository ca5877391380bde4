package dev.weir.simulator;

import dev.weir.core.run.Organisation;
import dev.weir.core.state.NoticeSettings;
import dev.weir.engine.shard.CommitExecutor;
import dev.weir.engine.shard.CommitListener;
import dev.weir.engine.shard.LoadMemory;
import dev.weir.engine.shard.RunWaiters;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.ShardContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A node whose shard loop is stepped by hand. It can die at any moment, and then loses its memory. */
final class SimulatedNode {
    /** The largest number of steps of the loop in a row, before other nodes get theirs. */
    private static final int PASSES_MAX = 50;
    /** The chance that a node steps its loop at once, in percent. Otherwise more messages collect first. */
    private static final int PROMPT_PERCENT = 80;
    /** The chance that a node decides one message at a time, each while the one before is written, in percent. */
    private static final int SMALL_BATCH_PERCENT = 50;

    /** The chance that the loop continues while an organisation is read, in percent, and the longest time that it takes. */
    private static final int LATE_LOAD_PERCENT = 30;

    private static final long LOAD_TIME_MAX = 1_500_000;
    private static final int BATCH_MAX = 1_000;
    /** The evaluation cost after which a decision leaves the rest for the next one. */
    private static final long PART_COST = 300_000;

    final Shard shard;
    final String name;
    private final SimulatedCluster cluster;
    private final Set<ClientCall<?>> calls = new LinkedHashSet<>();
    private boolean down;
    private boolean busy;
    /** True if a message has arrived since the loop was last stepped. Timers wake the loop through the world's events. */
    private boolean hasWork;

    private long wakeAt = Long.MAX_VALUE;

    /** The thresholds of notices: notices close soon, so that a simulation sees it. */
    static final NoticeSettings NOTICES =
            new NoticeSettings(80, 70, TimeUnit.SECONDS.toMicros(10), TimeUnit.SECONDS.toMicros(30), 3);

    /** Thrown to stop a node in the middle of a pass. */
    static final class Death extends Error {
        private static final long serialVersionUID = 1;
    }

    SimulatedNode(SimulatedCluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        var context = new ShardContext(
                cluster.journal,
                name,
                cluster.world::monotonicTime,
                Runnable::run,
                CommitExecutor.WHEN_AWAITED,
                this::load,
                LoadMemory.ofHeap(),
                cluster.counters,
                org -> {},
                new RunWaiters(),
                CommitListener.NONE,
                NOTICES);
        boolean smallBatches = cluster.world.chance(SMALL_BATCH_PERCENT);
        this.shard = new Shard(context, cluster.shard(), smallBatches ? 1 : BATCH_MAX);
        this.shard.onWork(() -> hasWork = true);
    }

    /** Reads an organisation at once, or later, while the loop serves others. */
    private void load(Runnable load, boolean isQuick) {
        boolean late = cluster.world.chance(LATE_LOAD_PERCENT);
        cluster.world.noteCoverage(late, Coverage.LOADED_LATE);
        if (late) {
            cluster.world.schedule(cluster.world.randomBetween(0, LOAD_TIME_MAX), () -> finishLoad(load));
        } else {
            load.run();
        }
    }

    private void finishLoad(Runnable load) {
        if (down) {
            return;
        }
        SimulatedNode before = cluster.storeFaults.enterNode(this);
        try {
            load.run();
        } finally {
            cluster.storeFaults.leaveNode(before);
        }
        // Loads that follow each other can keep an organisation out of memory for longer than a gap without grace.
        cluster.world.note(new Fact.WorkersUnreachable(false, cluster.world.now()));
        stepIfWork();
    }

    boolean isDown() {
        return down;
    }

    boolean isBusy() {
        return busy;
    }

    void add(ClientCall<?> call) {
        calls.add(call);
    }

    void remove(ClientCall<?> call) {
        calls.remove(call);
    }

    /** Steps the loop if messages wait, as a node's thread does that such a message has woken. */
    void stepIfWork() {
        if (!hasWork) {
            return;
        }
        if (cluster.world.chance(PROMPT_PERCENT)) {
            stepNow();
        } else {
            wakeIn(cluster.world.randomBetween(0, 30_000));
        }
    }

    private void stepNow() {
        if (busy || down) {
            return;
        }
        busy = true;
        hasWork = false;
        SimulatedNode before = cluster.storeFaults.enterNode(this);
        try {
            long next = runOnce();
            for (int passes = 1; next == 0 && !down && passes < PASSES_MAX; passes++) {
                next = runOnce();
            }
            cluster.world.noteCoverage(cluster.hasDecidedAhead(), Coverage.DECIDED_AHEAD);
            if (next != Long.MAX_VALUE) {
                wakeIn(next);
            }
        } catch (Death death) {
            die();
        } finally {
            busy = false;
            cluster.storeFaults.leaveNode(before);
        }
        if (shard.isClosed()) {
            cluster.reopenLater();
        }
    }

    private long runOnce() {
        long before = unitsSpent();
        long next = shard.runOnce();
        cluster.world.noteCoverage(next == 0 && unitsSpent() - before > PART_COST, Coverage.DECIDED_IN_PARTS);
        return next;
    }

    private long unitsSpent() {
        return shard.find(SimulatedCluster.ORG).map(Organisation::unitsSpent).orElse(0L);
    }

    private void wakeIn(long delay) {
        long at = cluster.world.now() + delay;
        if (at < wakeAt || wakeAt <= cluster.world.now()) {
            wakeAt = at;
            cluster.world.schedule(delay, this::stepNow);
        }
    }

    /** Kills the node. Only its commits remain, and its callers get no answer. */
    void die() {
        down = true;
        new ArrayList<>(calls).forEach(ClientCall::retryAfterNodeDeath);
        cluster.reopenLater();
    }
}
