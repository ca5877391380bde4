package dev.weir.postgres.journal;

import dev.weir.core.life.Ask;
import dev.weir.core.life.Claim;
import dev.weir.core.life.UnitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Start;
import dev.weir.postgres.json.Asks;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rows of claims: what is written for one, and what is read. */
final class ClaimRows {
    private static final int CHARS = 160;

    private ClaimRows() {}

    /**
     * A claim as it is after the transaction.
     *
     * @param attempts how often its step has been tried, this time included
     * @param until when its lease ends
     * @param sharesAsk whether it asks for what its step does
     */
    record Granted(Claim claim, int attempts, long until, boolean sharesAsk) {
        private @Nullable Long timeoutAt() {
            return claim.timeoutAt() == Moment.NEVER ? null : claim.timeoutAt();
        }

        private @Nullable String ask() {
            return sharesAsk ? null : Asks.text(claim.ask());
        }

        private @Nullable String starts() {
            return Limits.starts(claim.starts(), claim.waited());
        }
    }

    /**
     * A claim that was read.
     *
     * @param ask what it asks for; absent if that is what its step asks for
     * @param as what it is if it asks for that
     */
    record Found(UnitId unit, @Nullable Ask ask, Function<Ask, Claim> as) {
        /** @param ofStep what its step asks for */
        Claim claim(@Nullable Ask ofStep) {
            return as.apply(ask != null ? ask : Objects.requireNonNull(ofStep));
        }
    }

    static @Nullable Object[] whole(int org, UnitKey key, Granted granted) {
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
            granted.ask(),
            granted.starts()
        };
    }

    /** A claim as it is written with its run, or in a sheet; see open_claims. */
    static String within(UnitKey key, Granted granted) {
        Claim claim = granted.claim;
        var entry = new StringBuilder(CHARS);
        entry.append('[')
                .append(key.step())
                .append(',')
                .append(claim.fence())
                .append(',')
                .append(granted.attempts);
        Json.quote(claim.worker(), entry.append(','));
        Json.quote(claim.request(), entry.append(','));
        entry.append(',')
                .append(claim.lease())
                .append(',')
                .append(claim.grantedAt())
                .append(',')
                .append(granted.until);
        entry.append(',')
                .append(granted.timeoutAt())
                .append(',')
                .append(granted.ask())
                .append(',')
                .append(granted.starts());
        return entry.append(']').toString();
    }

    /** A claim from a row of table claims. */
    static Found read(ResultSet found, UnitId unit) throws SQLException {
        long fence = found.getLong("fence");
        String worker = found.getString("worker");
        String request = found.getString("request");
        long lease = found.getLong("lease");
        long grantedAt = found.getLong("granted_at");
        long until = found.getLong("until");
        long due = found.getLong("timeout_at");
        long timeoutAt = found.wasNull() ? Moment.NEVER : due;
        List<Start> starts = Limits.starts(found.getString("starts"));
        var waited = Limits.waited(found.getString("starts"));
        return new Found(
                unit,
                Asks.read(found.getString("ask")),
                ask -> new Claim(
                        unit, fence, worker, request, lease, grantedAt, until, timeoutAt, ask, starts, waited));
    }

    /** A claim that was written with its run, or in a sheet. */
    static Found read(JsonNode entry, UnitId unit) {
        String starts = text(entry.get(10));
        return new Found(
                unit,
                Asks.read(text(entry.get(9))),
                ask -> new Claim(
                        unit,
                        entry.get(1).longValue(),
                        entry.get(3).stringValue(),
                        entry.get(4).stringValue(),
                        entry.get(5).longValue(),
                        entry.get(6).longValue(),
                        entry.get(7).longValue(),
                        entry.get(8).isNull() ? Moment.NEVER : entry.get(8).longValue(),
                        ask,
                        Limits.starts(starts),
                        Limits.waited(starts)));
    }

    private static @Nullable String text(JsonNode part) {
        return part.isNull() ? null : Json.text(part);
    }
}
