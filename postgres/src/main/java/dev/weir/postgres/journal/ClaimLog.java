package dev.weir.postgres.journal;

import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.postgres.json.LimitNeedsJson;
import dev.weir.postgres.json.SettingJson;
import dev.weir.postgres.json.StoredJson;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The changes of an organisation's claims and limits in one transaction, logged for external checkers. An event is a
 * list: kind, time since the first event, run, step, item, fence, until, worker, ask, limit, value. Missing values at
 * the end are left out.
 */
final class ClaimLog {
    private final StringBuilder events = new StringBuilder();
    private long first;
    /** The previous needs and their text, cached because most claims have the same needs. */
    private @Nullable LimitNeeds ask;

    private String askText = "";

    void granted(UnitKey key, Claim claim, long at) {
        claimed("granted", key, claim, at);
    }

    /** Logs a claim that continues under a new fence. It was never released. */
    void resumed(UnitKey key, Claim claim, long at) {
        claimed("resumed_claim", key, claim, at);
    }

    private void claimed(String kind, UnitKey key, Claim claim, long at) {
        event(kind, at, key, claim.fence());
        events.append(',').append(claim.until()).append(',');
        quote(claim.worker());
        events.append(',').append(text(claim.ask()));
        end();
    }

    private String text(LimitNeeds asked) {
        if (!asked.equals(ask)) {
            ask = asked;
            askText = StoredJson.text(LimitNeedsJson.json(asked));
        }
        return askText;
    }

    void extended(UnitKey key, Move.Extended extended) {
        event("extended", extended.at(), key, extended.fence());
        events.append(',').append(extended.until());
        end();
    }

    void released(UnitKey key, Move.Released released) {
        event(released.how().name().toLowerCase(Locale.ROOT), released.at(), key, released.fence());
        end();
    }

    void pinned(Move.KeyPinned pinned) {
        limit("pinned", pinned.at(), pinned.limit().text(), pinned.pin().until());
        events.append(',').append(SettingJson.pin(pinned.pin()));
        end();
    }

    /** Logs a change of a limit without values of its own. */
    void changed(String kind, long at, String limit, @Nullable Long until) {
        limit(kind, at, limit, until);
        end();
    }

    private void limit(String kind, long at, String limit, @Nullable Long until) {
        begin(kind, at);
        events.append(",null,null,null,null,").append(until).append(",null,null,");
        quote(limit);
    }

    private void event(String kind, long at, UnitKey key, long fence) {
        begin(kind, at);
        events.append(',').append(key.run());
        events.append(',').append(key.step());
        events.append(',').append(key.item());
        events.append(',').append(fence);
    }

    private void begin(String kind, long at) {
        if (events.isEmpty()) {
            first = at;
        }
        events.append(events.isEmpty() ? "[[" : ",[");
        quote(kind);
        events.append(',').append(at - first);
    }

    private void end() {
        events.append(']');
    }

    private void quote(String text) {
        StoredJson.quote(text, events);
    }

    void addTo(RowWrites writes, int org) {
        if (!events.isEmpty()) {
            writes.add("insert_claim_log", org, first, events.append(']').toString());
        }
    }
}
