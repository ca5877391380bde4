package dev.weir.engine.records;

import java.util.List;
import java.util.Optional;

/**
 * Stores operations on many runs. One node at a time carries out an operation, under a lease that it renews with each
 * part. After the lease, another node continues where the stored progress ends. Safe for use by many threads.
 */
public interface BulkStore {
    /** The number of operations that are kept per organisation, the newest ones. */
    int OPERATIONS_MAX = 1_000;

    /** The time for which a node may carry out an operation without storing progress, in microseconds. */
    long LEASE_MICROS = 10_000_000;

    /** Stores a new operation, which the node carries out. If its id is in use, returns the operation that has it. */
    Optional<BulkOperation> create(BulkOperation operation, String node);

    Optional<BulkOperation> find(String org, String id);

    /** Returns the number of operations of an organisation that have not ended. */
    int countUnfinished(String org);

    /** Stores the progress or the end of an operation, and renews the lease. Returns false if another node has it. */
    boolean save(BulkOperation operation, String node);

    /** Ends the node's lease on an operation, so that another node continues at once. */
    void release(BulkOperation operation, String node);

    /** Takes the unfinished operations whose lease is over, at most this many. */
    List<BulkOperation> takeAbandoned(String node, int max);
}
