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
    private long firstAt;
    /** The previous needs and their text, cached because most claims have the same needs. */
    private @Nullable LimitNeeds lastNeeds;

    private String lastNeedsText = "";

    void granted(UnitKey key, Claim claim, long at) {
        addClaimEvent("granted", key, claim, at);
    }

    /** Logs a claim that continues under a new fence. It was never released. */
    void resumed(UnitKey key, Claim claim, long at) {
        addClaimEvent("resumed_claim", key, claim, at);
    }

    private void addClaimEvent(String kind, UnitKey key, Claim claim, long at) {
        beginClaimEvent(kind, at, key, claim.fence());
        events.append(',').append(claim.until()).append(',');
        quote(claim.worker());
        events.append(',').append(needsText(claim.limitNeeds()));
        end();
    }

    private String needsText(LimitNeeds needs) {
        if (!needs.equals(lastNeeds)) {
            lastNeeds = needs;
            lastNeedsText = StoredJson.text(LimitNeedsJson.json(needs));
        }
        return lastNeedsText;
    }

    void extended(UnitKey key, Move.Extended extended) {
        beginClaimEvent("extended", extended.at(), key, extended.fence());
        events.append(',').append(extended.until());
        end();
    }

    void released(UnitKey key, Move.Released released) {
        beginClaimEvent(released.cause().name().toLowerCase(Locale.ROOT), released.at(), key, released.fence());
        end();
    }

    void pinned(Move.KeyPinned pinned) {
        beginLimitEvent(
                "pinned", pinned.at(), pinned.limit().text(), pinned.pin().until());
        events.append(',').append(SettingJson.pin(pinned.pin()));
        end();
    }

    void held(Move.KeyHeld held) {
        changed("held", held.at(), held.limit().text(), held.hold().until());
    }

    /** Logs a change of a limit without values of its own. */
    void changed(String kind, long at, String limit, @Nullable Long until) {
        beginLimitEvent(kind, at, limit, until);
        end();
    }

    private void beginLimitEvent(String kind, long at, String limit, @Nullable Long until) {
        begin(kind, at);
        events.append(",null,null,null,null,").append(until).append(",null,null,");
        quote(limit);
    }

    private void beginClaimEvent(String kind, long at, UnitKey key, long fence) {
        begin(kind, at);
        events.append(',').append(key.run());
        events.append(',').append(key.step());
        events.append(',').append(key.item());
        events.append(',').append(fence);
    }

    private void begin(String kind, long at) {
        if (events.isEmpty()) {
            firstAt = at;
        }
        events.append(events.isEmpty() ? "[[" : ",[");
        quote(kind);
        events.append(',').append(at - firstAt);
    }

    private void end() {
        events.append(']');
    }

    private void quote(String text) {
        StoredJson.quote(text, events);
    }

    void addTo(RowWrites writes, int org) {
        if (!events.isEmpty()) {
            writes.add("insert_claim_log", org, firstAt, events.append(']').toString());
        }
    }
}
