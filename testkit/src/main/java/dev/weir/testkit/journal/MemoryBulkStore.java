package dev.weir.testkit.journal;

import dev.weir.engine.records.BulkOperation;
import dev.weir.engine.records.BulkStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Operations on many runs, in memory. */
final class MemoryBulkStore implements BulkStore {
    private final LongSupplier clock;
    private final Map<String, StoredOperation> entries = new LinkedHashMap<>();

    /** An operation and the lease of the node that carries it out. */
    private record StoredOperation(BulkOperation operation, String node, long leaseUntil) {}

    MemoryBulkStore(LongSupplier clock) {
        this.clock = clock;
    }

    private static String key(String org, String id) {
        return org + "/" + id;
    }

    private StoredOperation leased(BulkOperation operation, String node) {
        return new StoredOperation(operation, node, clock.getAsLong() + LEASE_MICROS);
    }

    @Override
    public synchronized Optional<BulkOperation> create(BulkOperation operation, String node) {
        String key = key(operation.org(), operation.id());
        StoredOperation other = entries.putIfAbsent(key, leased(operation, node));
        List<String> ended = entries.entrySet().stream()
                .filter(entry -> entry.getValue().operation.org().equals(operation.org())
                        && entry.getValue().operation.endedAt() != null)
                .map(Map.Entry::getKey)
                .toList();
        ended.stream().limit(Math.max(0, ended.size() - OPERATIONS_MAX)).forEach(entries::remove);
        return Optional.ofNullable(other).map(StoredOperation::operation);
    }

    @Override
    public synchronized Optional<BulkOperation> find(String org, String id) {
        return Optional.ofNullable(entries.get(key(org, id))).map(StoredOperation::operation);
    }

    @Override
    public synchronized int countUnfinished(String org) {
        return (int) entries.values().stream()
                .filter(entry -> entry.operation.org().equals(org) && entry.operation.endedAt() == null)
                .count();
    }

    @Override
    public synchronized boolean save(BulkOperation operation, String node) {
        String key = key(operation.org(), operation.id());
        StoredOperation before = entries.get(key);
        if (before == null || !before.node.equals(node)) {
            return false;
        }
        entries.put(key, leased(operation, node));
        return true;
    }

    @Override
    public synchronized void release(BulkOperation operation, String node) {
        entries.computeIfPresent(
                key(operation.org(), operation.id()),
                (key, entry) -> entry.node.equals(node) ? new StoredOperation(entry.operation, node, 0) : entry);
    }

    @Override
    public synchronized List<BulkOperation> takeAbandoned(String node, int max) {
        List<BulkOperation> taken = new ArrayList<>();
        entries.replaceAll((key, entry) -> {
            if (taken.size() == max || entry.operation.endedAt() != null || entry.leaseUntil > clock.getAsLong()) {
                return entry;
            }
            taken.add(entry.operation);
            return leased(entry.operation, node);
        });
        return taken;
    }
}
