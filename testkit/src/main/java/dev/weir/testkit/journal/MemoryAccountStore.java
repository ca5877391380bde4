package dev.weir.testkit.journal;

import dev.weir.core.state.Attribution;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.engine.records.AccountStore;
import dev.weir.engine.records.QuotaChange;
import dev.weir.engine.records.QuotaRecord;
import dev.weir.engine.records.ReaderLogin;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The totals and quotas of organisations in memory. All starts belong to one month, and logins exist in name only. */
final class MemoryAccountStore implements AccountStore {
    private static final Instant RESET_AT = Instant.parse("2100-01-01T00:00:00Z");

    private final Function<String, ExecutionCounts> counts;
    private final Map<String, QuotaChange> quotas = new ConcurrentHashMap<>();

    MemoryAccountStore(Function<String, ExecutionCounts> counts) {
        this.counts = counts;
    }

    @Override
    public ExecutionCounts counts(String org) {
        return counts.apply(org);
    }

    @Override
    public QuotaRecord quota(String org) {
        QuotaChange quota = quotas.getOrDefault(org, new QuotaChange(null, null));
        String zone = quota.timeZone() == null ? "UTC" : quota.timeZone();
        return new QuotaRecord(quota.limit(), counts(org).started(), zone, RESET_AT);
    }

    @Override
    public QuotaRecord changeQuota(String org, QuotaChange change, Attribution by) {
        QuotaChange before = quotas.get(org);
        String zone = change.timeZone() == null && before != null ? before.timeZone() : change.timeZone();
        quotas.put(org, new QuotaChange(change.limit(), zone));
        return quota(org);
    }

    @Override
    public ReaderLogin createReader(String org, Attribution by) {
        return new ReaderLogin("weir_reader", "secret", "memory");
    }
}
