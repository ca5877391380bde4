package dev.weir.postgres.access;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.DeadLetter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.postgres.json.StoredJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Converts dead letters to rows and back. */
public final class DeadLetterRows {
    private DeadLetterRows() {}

    /** Returns the columns of a new row, in the order of the statement that inserts it. */
    public static @Nullable Object[] columns(int org, DeadLetter letter) {
        DeadLetter.Content content = letter.content();
        return new @Nullable Object[] {
            org,
            letter.number(),
            letter.at(),
            letter(content.kind()),
            content.reason().word(),
            content.subject(),
            content.workflow(),
            keys(content.keys()),
            content.text(),
            chain(content.chain()),
            content.by(),
            content.submission()
        };
    }

    public static DeadLetterRecord read(ResultSet row) throws SQLException {
        var content = new DeadLetter.Content(
                kind(row.getString("kind")),
                row.getString("subject"),
                row.getString("workflow"),
                readKeys(row.getString("keys")),
                DeadLetter.Reason.valueOf(row.getString("reason").toUpperCase(Locale.ROOT)),
                row.getString("message"),
                readChain(row.getString("chain")),
                row.getString("caused_by"),
                row.getString("submission"));
        long closedAt = row.getLong("closed_at");
        return new DeadLetterRecord(
                new DeadLetter(row.getLong("number"), content, row.getLong("at")),
                state(row.getString("state")),
                closedAt == 0 ? null : Moment.toInstant(closedAt),
                row.getString("redriven_as"));
    }

    public static String letter(DeadLetter.Kind kind) {
        return switch (kind) {
            case FAILED_RUN -> "f";
            case REFUSED_START -> "s";
            case CASCADE -> "c";
            case EVENT -> "e";
        };
    }

    private static DeadLetter.Kind kind(String letter) {
        for (DeadLetter.Kind each : DeadLetter.Kind.values()) {
            if (letter(each).equals(letter)) {
                return each;
            }
        }
        throw new IllegalArgumentException("expected the letter of a kind of dead letter, found " + letter);
    }

    public static String letter(DeadLetter.State state) {
        return switch (state) {
            case OPEN -> "o";
            case REDRIVEN -> "r";
            case DISCARDED -> "d";
        };
    }

    private static DeadLetter.State state(String letter) {
        for (DeadLetter.State each : DeadLetter.State.values()) {
            if (letter(each).equals(letter)) {
                return each;
            }
        }
        throw new IllegalArgumentException("expected the letter of a state of a dead letter, found " + letter);
    }

    private static String keys(List<String> keys) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        keys.forEach(list::add);
        return StoredJson.text(list);
    }

    private static List<String> readKeys(String json) {
        List<String> keys = new ArrayList<>();
        StoredJson.read(json).forEach(key -> keys.add(key.stringValue()));
        return keys;
    }

    /** Returns the chain as a list of [type, id, name]. */
    private static @Nullable String chain(List<DeadLetter.ChainLink> chain) {
        if (chain.isEmpty()) {
            return null;
        }
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (DeadLetter.ChainLink link : chain) {
            String type = link.type() == DeadLetter.ChainLink.Type.RUN ? "r" : "e";
            list.add(JsonNodeFactory.instance
                    .arrayNode()
                    .add(type)
                    .add(link.id())
                    .add(link.name()));
        }
        return StoredJson.text(list);
    }

    private static List<DeadLetter.ChainLink> readChain(@Nullable String json) {
        List<DeadLetter.ChainLink> chain = new ArrayList<>();
        for (JsonNode link : json == null ? List.<JsonNode>of() : StoredJson.read(json)) {
            var type = link.get(0).stringValue().equals("r")
                    ? DeadLetter.ChainLink.Type.RUN
                    : DeadLetter.ChainLink.Type.EVENT;
            chain.add(new DeadLetter.ChainLink(
                    type, link.get(1).stringValue(), link.get(2).stringValue()));
        }
        return chain;
    }
}
