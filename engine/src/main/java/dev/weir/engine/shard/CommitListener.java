package dev.weir.engine.shard;

import dev.weir.core.state.Move;
import java.util.List;

/**
 * Learns of committed changes. The loops of the shards call it, each for its own organisations and in the order of the
 * commits, so it must be quick and must not block or throw.
 */
public interface CommitListener {
    /** A listener that ignores everything. */
    CommitListener NONE = new CommitListener() {
        @Override
        public void onCommit(int shard, String org, List<Move> moves) {}

        @Override
        public void onUnknownChanges(String org) {}

        @Override
        public void onTakeover(int shard) {}

        @Override
        public void onClose(int shard) {}
    };

    /** Receives the committed moves of an organisation, in order. */
    void onCommit(int shard, String org, List<Move> moves);

    /**
     * Reports that rows of an organisation may have changed without a call of {@link #onCommit}: the outcome of a commit
     * is unknown, or the rows differ from memory.
     */
    void onUnknownChanges(String org);

    /** Reports that another node may have changed the organisations of a shard that this node has taken. */
    void onTakeover(int shard);

    /** Reports that this node has closed a shard. */
    void onClose(int shard);
}
