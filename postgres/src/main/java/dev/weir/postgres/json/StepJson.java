package dev.weir.postgres.json;

import dev.weir.core.expression.Rendered;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.WaitsFor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the rows of steps and items hold as JSON. */
public final class StepJson {
    private StepJson() {}

    /** How a step's tries went, what it waits for, and texts with secrets: what few steps have, in one column. */
    public record Traits(
            int expiries,
            int reschedules,
            int items,
            @Nullable WaitsFor waitsFor,
            List<Rendered.Late> late) {
        public static final Traits NONE = new Traits(0, 0, StepRow.NOT_FANNED_OUT, null, List.of());

        /** The input of a step whose value lies in a column of its own. */
        public @Nullable Rendered input(@Nullable JsonNode value) {
            return value == null ? null : new Rendered(value, late);
        }
    }

    public static @Nullable String traits(StepRow row) {
        boolean none = row.expiries() == 0
                && row.reschedules() == 0
                && row.items() == StepRow.NOT_FANNED_OUT
                && row.waitsFor() == null
                && (row.input() == null || row.input().late().isEmpty());
        return none ? null : Json.text(traitsJson(row));
    }

    private static ObjectNode traitsJson(StepRow row) {
        ObjectNode json = Json.NODES.objectNode();
        if (row.expiries() != 0) {
            json.put("expiries", row.expiries());
        }
        if (row.reschedules() != 0) {
            json.put("reschedules", row.reschedules());
        }
        if (row.items() != StepRow.NOT_FANNED_OUT) {
            json.put("items", row.items());
        }
        if (row.waitsFor() != null) {
            json.put("waits_for", row.waitsFor().name().toLowerCase(Locale.ROOT));
        }
        if (row.input() != null && !row.input().late().isEmpty()) {
            json.set("late", late(row.input().late()));
        }
        return json;
    }

    public static Traits readTraits(@Nullable String text) {
        if (text == null) {
            return Traits.NONE;
        }
        JsonNode json = Json.read(text);
        return new Traits(
                json.path("expiries").asInt(0),
                json.path("reschedules").asInt(0),
                json.path("items").asInt(StepRow.NOT_FANNED_OUT),
                json.has("waits_for")
                        ? WaitsFor.valueOf(json.get("waits_for").stringValue().toUpperCase(Locale.ROOT))
                        : null,
                late(json.path("late")));
    }

    /** What fewer steps have. */
    public static @Nullable String detail(StepRow.Detail detail) {
        if (detail.equals(StepRow.Detail.DEFAULT)) {
            return null;
        }
        // Most that have any have this alone, and it is written without detours.
        return detail.spent() != null && detail.hasOnlySpent()
                ? "{\"spent\":" + Waits.text(detail.spent()) + "}"
                : Json.text(detailJson(detail));
    }

    private static ObjectNode detailJson(StepRow.Detail detail) {
        ObjectNode json = Json.NODES.objectNode();
        StepRow.Approval approval = detail.approval();
        if (approval != null) {
            json.putObject("approval")
                    .put("approved", approval.approved())
                    .put("by", approval.by())
                    .put("note", approval.note())
                    .put("at", approval.at());
        }
        if (detail.provided() != null) {
            json.set("provided", detail.provided());
        }
        if (detail.child() != null) {
            json.put("child", detail.child());
        }
        if (detail.order() != StepRow.Detail.NO_ORDER) {
            json.put("order", detail.order());
        }
        if (detail.lacks() != null) {
            json.put("lacks", detail.lacks());
        }
        if (detail.spent() != null) {
            json.set("spent", Waits.json(detail.spent()));
        }
        if (detail.skipping()) {
            json.put("skipping", true);
        }
        if (detail.again() != StepRow.Detail.NOT_AGAIN) {
            json.put("again", detail.again());
        }
        if (detail.signal() != null) {
            json.put("signal", detail.signal());
        }
        return json;
    }

    public static StepRow.Detail readDetail(@Nullable String text) {
        if (text == null) {
            return StepRow.Detail.DEFAULT;
        }
        JsonNode json = Json.read(text);
        return new StepRow.Detail(
                json.has("approval") ? approval(json.get("approval")) : null,
                json.get("provided"),
                textOf(json.get("child")),
                json.path("order").asInt(StepRow.Detail.NO_ORDER),
                textOf(json.get("lacks")),
                Waits.spent(json.get("spent")),
                json.has("skipping"),
                json.path("again").asInt(StepRow.Detail.NOT_AGAIN),
                textOf(json.get("signal")));
    }

    private static StepRow.Approval approval(JsonNode json) {
        return new StepRow.Approval(
                json.get("approved").booleanValue(),
                json.get("by").stringValue(),
                textOf(json.get("note")),
                json.get("at").longValue());
    }

    private static @Nullable String textOf(@Nullable JsonNode json) {
        return json == null || json.isNull() ? null : json.stringValue();
    }

    /** Each text as its path and its parts; a part that is a secret stands in a list of its own. */
    private static ArrayNode late(List<Rendered.Late> texts) {
        ArrayNode array = Json.NODES.arrayNode();
        for (Rendered.Late text : texts) {
            ArrayNode parts = array.addArray().add(text.path()).addArray();
            for (Rendered.Part part : text.parts()) {
                if (part.secret()) {
                    parts.addArray().add(part.text());
                } else {
                    parts.add(part.text());
                }
            }
        }
        return array;
    }

    private static List<Rendered.Late> late(JsonNode array) {
        List<Rendered.Late> texts = new ArrayList<>();
        for (JsonNode text : array) {
            List<Rendered.Part> parts = new ArrayList<>();
            for (JsonNode part : text.get(1)) {
                boolean secret = part.isArray();
                parts.add(new Rendered.Part(secret, secret ? part.get(0).stringValue() : part.stringValue()));
            }
            texts.add(new Rendered.Late(text.get(0).stringValue(), parts));
        }
        return texts;
    }
}
