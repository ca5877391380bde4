package dev.weir.postgres.journal;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.core.limit.Pin;
import dev.weir.postgres.json.Asks;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.Limits;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one transaction did to the claims and limits of an organisation, for checkers outside. An event is a list: kind,
 * time after the first, run, step, item, fence, until, worker, ask, limit, value; what it lacks at its end is left out.
 */
final class ClaimLog {
    private final ArrayNode events = JsonNodeFactory.instance.arrayNode();
    private long first;

    void granted(UnitKey key, Claim claim, long at) {
        claimed("granted", key, claim, at);
    }

    /** A claim goes on under a new fence; it was never given back. */
    void resumed(UnitKey key, Claim claim, long at) {
        claimed("resumed_claim", key, claim, at);
    }

    private void claimed(String kind, UnitKey key, Claim claim, long at) {
        event(kind, at, key, claim.fence())
                .add(claim.until())
                .add(claim.worker())
                .add(Asks.json(claim.ask()));
    }

    void extended(UnitKey key, Move.Extended extended) {
        event("extended", extended.at(), key, extended.fence()).add(extended.until());
    }

    void released(UnitKey key, Move.Released released) {
        event(released.how().name().toLowerCase(Locale.ROOT), released.at(), key, released.fence());
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
        limit("pinned", pinned.at(), pinned.limit().text(), pin.until()).add(value);
    }

    /** A change of a limit that has no values of its own. */
    void changed(String kind, long at, String limit, @Nullable Long until) {
        limit(kind, at, limit, until);
    }

    private ArrayNode limit(String kind, long at, String limit, @Nullable Long until) {
        ArrayNode event = begin(kind, at).addNull().addNull().addNull().addNull();
        return event.add(until).addNull().addNull().add(limit);
    }

    private ArrayNode event(String kind, long at, UnitKey key, long fence) {
        return begin(kind, at).add(key.run()).add(key.step()).add(key.item()).add(fence);
    }

    private ArrayNode begin(String kind, long at) {
        if (events.isEmpty()) {
            first = at;
        }
        return events.addArray().add(kind).add(at - first);
    }

    void addTo(Writes writes, int org) {
        if (!events.isEmpty()) {
            writes.add("insert_claim_log", org, first, Json.text(events));
        }
    }
}
