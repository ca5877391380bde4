package dev.weir.engine.records;

import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.AuditHead;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks an audit chain page by page. It finds entries that were edited, removed, moved or inserted. Only a head that
 * was kept elsewhere can show that entries were removed from the end.
 */
public final class AuditVerification {
    /** The largest number of findings that one verification lists. */
    public static final int FINDINGS_MAX = 100;

    private static final int PAGE_ENTRIES = 500;

    private final AuditStore store;
    private final String org;
    private final @Nullable AuditHead kept;
    private final List<Finding> findings = new ArrayList<>();
    private AuditHead last;

    /** A place where the chain is broken. */
    public record Finding(long number, String problem) {}

    /** The evidence that no entry was removed from the end of the chain. */
    public enum Tail {
        /** The chain contains the kept head. */
        PROVED,
        /** No head was given, or the verification has not reached it yet. */
        UNPROVED,
        /** The chain ends before the kept head. */
        MISSING
    }

    /**
     * The result of a verification.
     *
     * @param head the last entry that was checked; a later verification can continue there
     * @param complete true if the end of the chain was reached
     */
    public record Result(long checked, AuditHead head, boolean complete, Tail tail, List<Finding> findings) {
        public Result {
            findings = List.copyOf(findings);
        }

        public boolean isIntact() {
            return findings.isEmpty();
        }
    }

    /**
     * Creates a verification.
     *
     * @param after the entry after which it begins; {@link AuditHead#EMPTY} for the whole chain
     * @param kept a head that was noted earlier; absent if there is none
     */
    public AuditVerification(AuditStore store, String org, AuditHead after, @Nullable AuditHead kept) {
        this.store = store;
        this.org = org;
        this.last = after;
        this.kept = kept;
    }

    /** Checks the next entries of the chain, at most so many. */
    public Result run(int max) {
        checkKept(last.count(), last.hash());
        long checked = 0;
        boolean complete = false;
        while (!complete && checked < max) {
            int limit = (int) Math.min(PAGE_ENTRIES, max - checked);
            List<AuditEntry> page = store.chain(org, last.count(), limit);
            page.forEach(this::check);
            checked += page.size();
            complete = page.size() < limit;
        }
        return new Result(checked, last, complete, tail(complete), findings);
    }

    private void check(AuditEntry entry) {
        long expected = last.count() + 1;
        if (entry.number() != expected) {
            String gap =
                    entry.number() == expected + 1 ? "entry " + expected : expected + " to " + (entry.number() - 1);
            add(expected, "missing: " + gap + " removed before entry " + entry.number());
        }
        if (!entry.isIntact()) {
            add(entry.number(), "edited: its content does not match its hash");
        }
        if (entry.number() == expected && !entry.previousHash().equals(last.hash())) {
            add(entry.number(), "does not follow entry " + last.count() + ": that entry was replaced, or this one was");
        }
        checkKept(entry.number(), entry.hash());
        last = entry.head();
    }

    private void checkKept(long number, String hash) {
        if (kept != null && number == kept.count() && !hash.equals(kept.hash())) {
            add(number, "replaced: its hash differs from the head that was kept");
        }
    }

    private Tail tail(boolean complete) {
        if (kept == null || (!complete && last.count() < kept.count())) {
            return Tail.UNPROVED;
        }
        if (last.count() < kept.count()) {
            add(last.count() + 1, "missing: expected at least " + kept.count() + " entries, found " + last.count());
            return Tail.MISSING;
        }
        return Tail.PROVED;
    }

    private void add(long number, String problem) {
        if (findings.size() < FINDINGS_MAX) {
            findings.add(new Finding(number, problem));
        }
    }
}
