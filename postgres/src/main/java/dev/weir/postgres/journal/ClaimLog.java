package dev.weir.postgres.journal;

import dev.weir.core.life.Ask;
import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.core.limit.Pin;
import dev.weir.postgres.json.Asks;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.Limits;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one transaction did to the claims and limits of an organisation, for checkers outside. An event is a list: kind,
 * time after the first, run, step, item, fence, until, worker, ask, limit, value; what it lacks at its end is left out.
 */
final class ClaimLog {
    private final StringBuilder events = new StringBuilder();
    private long first;
    /** What was asked last, and as it is written: most ask for the same. */
    private @Nullable Ask ask;

    private String askText = "";

    void granted(UnitKey key, Claim claim, long at) {
        claimed("granted", key, claim, at);
    }

    /** A claim goes on under a new fence; it was never given back. */
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

    private String text(Ask asked) {
        if (!asked.equals(ask)) {
            ask = asked;
            askText = Json.text(Asks.json(asked));
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
        Pin pin = pinned.pin();
        ObjectNode value = JsonNodeFactory.instance.objectNode();
        if (pin.parallelism() != null) {
            value.put("parallelism", pin.parallelism());
        }
        if (pin.rate() != null) {
            value.set("rate", Limits.rate(pin.rate()));
        }
        limit("pinned", pinned.at(), pinned.limit().text(), pin.until());
        events.append(',').append(Json.text(value));
        end();
    }

    /** A change of a limit that has no values of its own. */
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
        Json.quote(text, events);
    }

    void addTo(Writes writes, int org) {
        if (!events.isEmpty()) {
            writes.add("insert_claim_log", org, first, events.append(']').toString());
        }
    }
}
