package dev.weir.postgres.journal;

import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.LimitJson;
import dev.weir.postgres.json.LimitNeedsJson;
import dev.weir.postgres.json.StoredJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts claims to rows and back. */
final class ClaimRows {
    private static final int INITIAL_CHARS = 160;

    private ClaimRows() {}

    /**
     * A claim as it is after the transaction.
     *
     * @param attempts the number of attempts of its step, including this one
     * @param until the end of its lease
     * @param sharesNeeds true if its needs are the same as those of its step
     */
    record Granted(Claim claim, int attempts, long until, boolean sharesNeeds) {
        private @Nullable Long timeoutAt() {
            return claim.timeoutAt() == Moment.NEVER ? null : claim.timeoutAt();
        }

        private @Nullable String needs() {
            return sharesNeeds ? null : LimitNeedsJson.text(claim.limitNeeds());
        }

        private @Nullable String starts() {
            return LimitJson.starts(claim.starts(), claim.waited());
        }
    }

    /**
     * A claim that was read.
     *
     * @param needs its needs; null if they are the same as those of its step
     * @param factory creates the claim from its needs
     */
    record StoredClaim(UnitId unit, @Nullable LimitNeeds needs, Function<LimitNeeds, Claim> factory) {
        /**
         * Returns the claim.
         *
         * @param stepNeeds the needs of its step
         */
        Claim claim(@Nullable LimitNeeds stepNeeds) {
            return factory.apply(needs != null ? needs : Objects.requireNonNull(stepNeeds));
        }
    }

    static @Nullable Object[] claimColumns(int org, UnitKey key, Granted granted) {
        Claim claim = granted.claim;
        return new @Nullable Object[] {
            org,
            key.run(),
            key.step(),
            key.item(),
            claim.fence(),
            granted.attempts,
            claim.worker(),
            claim.request(),
            claim.lease(),
            claim.grantedAt(),
            granted.until,
            granted.timeoutAt(),
            granted.needs(),
            granted.starts()
        };
    }

    /** Returns a claim in the form used inside a run's row or a page; see stored_live_claims. */
    static String inlineEntry(UnitKey key, Granted granted) {
        Claim claim = granted.claim;
        var entry = new StringBuilder(INITIAL_CHARS);
        entry.append('[')
                .append(key.step())
                .append(',')
                .append(claim.fence())
                .append(',')
                .append(granted.attempts);
        StoredJson.quote(claim.worker(), entry.append(','));
        StoredJson.quote(claim.request(), entry.append(','));
        entry.append(',')
                .append(claim.lease())
                .append(',')
                .append(claim.grantedAt())
                .append(',')
                .append(granted.until);
        entry.append(',')
                .append(granted.timeoutAt())
                .append(',')
                .append(granted.needs())
                .append(',')
                .append(granted.starts());
        return entry.append(']').toString();
    }

    /** Reads a claim from a row of the table claims. */
    static StoredClaim read(ResultSet found, UnitId unit) throws SQLException {
        long fence = found.getLong("fence");
        String worker = found.getString("worker");
        String request = found.getString("request");
        long lease = found.getLong("lease");
        long grantedAt = found.getLong("granted_at");
        long until = found.getLong("lease_until");
        long due = found.getLong("timeout_at");
        long timeoutAt = found.wasNull() ? Moment.NEVER : due;
        List<LimitStart> starts = LimitJson.starts(found.getString("starts_and_waits"));
        var waited = LimitJson.waits(found.getString("starts_and_waits"));
        return new StoredClaim(
                unit,
                LimitNeedsJson.read(found.getString("limit_needs")),
                needs -> new Claim(
                        unit, fence, worker, request, lease, grantedAt, until, timeoutAt, needs, starts, waited));
    }

    /** Reads a claim from a run's row or from a page. */
    static StoredClaim read(JsonNode entry, UnitId unit) {
        String starts = text(entry.get(10));
        return new StoredClaim(
                unit,
                LimitNeedsJson.read(text(entry.get(9))),
                needs -> new Claim(
                        unit,
                        entry.get(1).longValue(),
                        entry.get(3).stringValue(),
                        entry.get(4).stringValue(),
                        entry.get(5).longValue(),
                        entry.get(6).longValue(),
                        entry.get(7).longValue(),
                        entry.get(8).isNull() ? Moment.NEVER : entry.get(8).longValue(),
                        needs,
                        LimitJson.starts(starts),
                        LimitJson.waits(starts)));
    }

    private static @Nullable String text(JsonNode part) {
        return part.isNull() ? null : StoredJson.text(part);
    }
}
