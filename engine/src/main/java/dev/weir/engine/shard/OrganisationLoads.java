package dev.weir.engine.shard;

import dev.weir.engine.journal.LoadAllowance;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.engine.journal.LoadedRows;
import dev.weir.engine.journal.ShardOwnership;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The loads of a shard that are under way. They read beside the loop, so that a large organisation does not delay the
 * others of its shard. Nothing is decided for an organisation that is being loaded, so its rows do not change meanwhile.
 */
final class OrganisationLoads {
    /** The number of organisations without messages that are loaded at once because something of them is due. */
    static final int DUE_LOADS_MAX = 16;

    private final ShardContext context;
    private final Mailbox mailbox;
    private final Runnable wake;
    /** The loads under way by organisation. Only the loop uses this map. */
    private final Map<String, Load> underWay = new HashMap<>();
    /** Organisations that a quick load found to be large. Only the loop uses this set. */
    private final Set<String> large = new HashSet<>();

    private final ConcurrentLinkedQueue<Load> ended = new ConcurrentLinkedQueue<>();

    /** One load: begun by the loop, run by another thread, and settled by the loop. */
    static final class Load {
        final String org;
        private final ShardOwnership ownership;
        private final boolean isQuick;
        /** The journal's removal count before anything was read. */
        private final long removalCount;

        private @Nullable LoadedOrganisation result;
        private @Nullable Throwable failure;

        Load(String org, ShardOwnership ownership, boolean isQuick, long removalCount) {
            this.org = org;
            this.ownership = ownership;
            this.isQuick = isQuick;
            this.removalCount = removalCount;
        }

        private void run(ShardContext context) {
            try (LoadMemory.Share memory = isQuick ? null : context.loadMemory().begin()) {
                LoadAllowance allowance = memory == null ? LoadAllowance.UNLIMITED : memory;
                LoadedRows stored = ownership.loadConcurrently(org, isQuick, allowance);
                var loadedOrg = new LoadedOrganisation(stored.rows(), context.notices(), stored.now());
                loadedOrg.removalCount = removalCount;
                result = loadedOrg;
            } catch (RuntimeException | Error e) {
                // The loop decides what follows: an organisation that does not fit in memory must not stop the others.
                failure = e;
            }
        }

        /** The loaded organisation; null if the load failed. */
        @Nullable
        LoadedOrganisation result() {
            return result;
        }

        @Nullable
        Throwable failure() {
            return failure;
        }
    }

    /**
     * Creates the loads of a shard.
     *
     * @param wake called after a load has ended; from any thread
     */
    OrganisationLoads(ShardContext context, Mailbox mailbox, Runnable wake) {
        this.context = context;
        this.mailbox = mailbox;
        this.wake = wake;
    }

    boolean isLoading(String org) {
        return underWay.containsKey(org);
    }

    /** The organisations that are being loaded. */
    Set<String> organisations() {
        return underWay.keySet();
    }

    boolean isBusy() {
        return !underWay.isEmpty();
    }

    /** True if no more organisations without messages should be loaded now. */
    boolean isFull() {
        return underWay.size() >= DUE_LOADS_MAX;
    }

    /** Begins to load an organisation. No commit with moves of it may be in flight. */
    void begin(String org, ShardOwnership ownership) {
        var load =
                new Load(org, ownership, !large.contains(org), context.journal().removalCount());
        underWay.put(org, load);
        context.loadExecutor()
                .execute(
                        () -> {
                            load.run(context);
                            ended.add(load);
                            wake.run();
                        },
                        load.isQuick);
    }

    boolean hasEnded() {
        return !ended.isEmpty();
    }

    /** Takes the loads that have ended. Those of an earlier ownership are left out. */
    List<Load> takeEnded() {
        List<Load> taken = new ArrayList<>();
        for (Load load = ended.poll(); load != null; load = ended.poll()) {
            if (underWay.remove(load.org, load)) {
                recordSize(load);
                mailbox.resume(load.org);
                taken.add(load);
            }
        }
        return taken;
    }

    private void recordSize(Load load) {
        if (load.failure instanceof LoadUnfinished) {
            large.add(load.org);
        } else if (load.result != null) {
            large.remove(load.org);
        }
    }

    /** Forgets all loads, because the ownership under which they read is over. */
    void forgetAll() {
        underWay.keySet().forEach(mailbox::resume);
        underWay.clear();
    }
}
