package dev.weir.engine.shard;

import dev.weir.engine.journal.LoadAllowance;
import dev.weir.engine.journal.LoadUnfinished;
import java.util.ArrayList;
import java.util.List;

/**
 * Shares memory among the loads of large organisations that are under way in a node. The oldest load always goes on,
 * because an organisation that needs more memory than there is can be read in no other way. If the memory does not
 * suffice for the others, they return theirs, and begin again after the oldest has ended.
 */
public final class LoadMemory {
    /** The part of the heap that the loads of large organisations may take together. */
    private static final int HEAP_PARTS = 4;

    private final long total;
    /** The loads under way, oldest first. */
    private final List<Share> shares = new ArrayList<>();

    private long taken;
    /** True if the oldest load needs the memory of the others. */
    private boolean isCrowded;

    public LoadMemory(long total) {
        this.total = total;
    }

    /** Returns a share of the memory that this process can use. */
    public static LoadMemory ofHeap() {
        return new LoadMemory(Runtime.getRuntime().maxMemory() / HEAP_PARTS);
    }

    /**
     * Begins a load, which ends when its share is closed. It waits here for memory, because a load that has begun holds
     * a transaction open.
     */
    public synchronized Share begin() {
        while (isCrowded) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LoadUnfinished("the load was interrupted");
            }
        }
        var share = new Share();
        shares.add(share);
        return share;
    }

    /** The memory that all loads have taken. */
    public synchronized long taken() {
        return taken;
    }

    private synchronized void take(Share share, long bytes) {
        isCrowded |= shares.size() > 1 && taken + bytes > total;
        if (isCrowded && shares.getFirst() != share) {
            release(share);
            throw new LoadUnfinished("expected memory for the load, found that a larger one needs it first");
        }
        share.held += bytes;
        taken += bytes;
    }

    private void release(Share share) {
        taken -= share.held;
        share.held = 0;
    }

    private synchronized void close(Share share) {
        release(share);
        if (!shares.isEmpty() && shares.getFirst() == share) {
            isCrowded = false;
            notifyAll();
        }
        shares.remove(share);
    }

    /** The memory of one load. */
    public final class Share implements LoadAllowance, AutoCloseable {
        private long held;

        @Override
        public void take(long bytes) {
            LoadMemory.this.take(this, bytes);
        }

        @Override
        public void close() {
            LoadMemory.this.close(this);
        }
    }
}
