package dev.weir.postgres.json;

import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.StepRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON columns of steps and items. */
public final class StepJson {
    private StepJson() {}

    /**
     * The fields that few steps have, combined in one column: counters of attempts, the awaited event, and texts with
     * secrets.
     */
    public record Traits(
            int expiries,
            int reschedules,
            int effect,
            int items,
            @Nullable AwaitedEvent waitsFor,
            List<RenderedTemplate.SecretText> late) {
        public static final Traits NONE =
                new Traits(0, 0, StepRow.FIRST_EFFECT, StepRow.NOT_FANNED_OUT, null, List.of());

        /** Returns the input of a step. Its value is stored in a column of its own. */
        public @Nullable RenderedTemplate input(@Nullable JsonNode value) {
            return value == null ? null : new RenderedTemplate(value, late);
        }
    }

    public static @Nullable String traits(StepRow row) {
        boolean none = row.expiries() == 0
                && row.reschedules() == 0
                && row.effect() == StepRow.FIRST_EFFECT
                && row.items() == StepRow.NOT_FANNED_OUT
                && row.waitsFor() == null
                && (row.input() == null || row.input().secretTexts().isEmpty());
        return none ? null : StoredJson.text(traitsJson(row));
    }

    private static ObjectNode traitsJson(StepRow row) {
        ObjectNode json = StoredJson.NODES.objectNode();
        if (row.expiries() != 0) {
            json.put("expiries", row.expiries());
        }
        if (row.reschedules() != 0) {
            json.put("reschedules", row.reschedules());
        }
        if (row.effect() != StepRow.FIRST_EFFECT) {
            json.put("effect", row.effect());
        }
        if (row.items() != StepRow.NOT_FANNED_OUT) {
            json.put("items", row.items());
        }
        if (row.waitsFor() != null) {
            json.put("waits_for", row.waitsFor().name().toLowerCase(Locale.ROOT));
        }
        if (row.input() != null && !row.input().secretTexts().isEmpty()) {
            json.set("late", late(row.input().secretTexts()));
        }
        return json;
    }

    public static Traits readTraits(@Nullable String text) {
        if (text == null) {
            return Traits.NONE;
        }
        JsonNode json = StoredJson.read(text);
        return new Traits(
                json.path("expiries").asInt(0),
                json.path("reschedules").asInt(0),
                json.path("effect").asInt(StepRow.FIRST_EFFECT),
                json.path("items").asInt(StepRow.NOT_FANNED_OUT),
                json.has("waits_for")
                        ? AwaitedEvent.valueOf(
                                json.get("waits_for").stringValue().toUpperCase(Locale.ROOT))
                        : null,
                late(json.path("late")));
    }

    /** Returns the fields that even fewer steps have. */
    public static @Nullable String detail(StepRow.Detail detail) {
        if (detail.equals(StepRow.Detail.DEFAULT)) {
            return null;
        }
        // Most details have only one of these fields, so they are written directly.
        if (detail.waits() != null && detail.hasOnlyWaits()) {
            return "{\"spent\":" + WaitJson.text(detail.waits()) + "}";
        }
        StepRow.Reporter reporter = detail.reporter();
        return reporter != null && detail.withReporter(null).equals(StepRow.Detail.DEFAULT)
                ? reporterText(reporter)
                : StoredJson.text(detailJson(detail));
    }

    private static String reporterText(StepRow.Reporter reporter) {
        var text = new StringBuilder("{\"reporter\":[");
        StoredJson.quote(reporter.actor(), text);
        text.append(',');
        StoredJson.quote(reporter.worker(), text);
        return text.append("]}").toString();
    }

    private static ObjectNode detailJson(StepRow.Detail detail) {
        ObjectNode json = StoredJson.NODES.objectNode();
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
        if (detail.completionOrder() != StepRow.Detail.NO_ORDER) {
            json.put("order", detail.completionOrder());
        }
        if (detail.dataProblem() != null) {
            json.put("lacks", detail.dataProblem());
        }
        if (detail.waits() != null) {
            json.set("spent", StoredJson.read(WaitJson.text(detail.waits())));
        }
        if (detail.skipping()) {
            json.put("skipping", true);
        }
        if (detail.retryFrom() != StepRow.Detail.NO_RETRY) {
            json.put("again", detail.retryFrom());
        }
        StepRow.ReceivedSignal signal = detail.signal();
        if (signal != null) {
            json.putArray("signal").add(signal.id()).add(signal.sentBy());
        }
        StepRow.Reporter reporter = detail.reporter();
        if (reporter != null) {
            json.putArray("reporter").add(reporter.actor()).add(reporter.worker());
        }
        if (detail.runNow()) {
            json.put("run_now", true);
        }
        return json;
    }

    public static StepRow.Detail readDetail(@Nullable String text) {
        if (text == null) {
            return StepRow.Detail.DEFAULT;
        }
        JsonNode json = StoredJson.read(text);
        return new StepRow.Detail(
                json.has("approval") ? approval(json.get("approval")) : null,
                json.get("provided"),
                textOf(json.get("child")),
                json.path("order").asInt(StepRow.Detail.NO_ORDER),
                textOf(json.get("lacks")),
                WaitJson.spent(json.get("spent")),
                json.has("skipping"),
                json.path("again").asInt(StepRow.Detail.NO_RETRY),
                json.has("signal") ? signal(json.get("signal")) : null,
                json.has("reporter") ? reporter(json.get("reporter")) : null,
                json.has("run_now"));
    }

    /** Reads the id and the sender of a signal. Schema versions before 9 stored the id alone. */
    private static StepRow.ReceivedSignal signal(JsonNode json) {
        return json.isArray()
                ? new StepRow.ReceivedSignal(textOf(json.get(0)), textOf(json.get(1)))
                : new StepRow.ReceivedSignal(textOf(json), null);
    }

    private static StepRow.Reporter reporter(JsonNode json) {
        return new StepRow.Reporter(json.get(0).stringValue(), json.get(1).stringValue());
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

    /** Returns each text as its path and its parts. A part that is a secret is inside a list of its own. */
    private static ArrayNode late(List<RenderedTemplate.SecretText> texts) {
        ArrayNode array = StoredJson.NODES.arrayNode();
        for (RenderedTemplate.SecretText text : texts) {
            ArrayNode parts = array.addArray().add(text.path()).addArray();
            for (RenderedTemplate.Part part : text.parts()) {
                if (part.secret()) {
                    parts.addArray().add(part.text());
                } else {
                    parts.add(part.text());
                }
            }
        }
        return array;
    }

    private static List<RenderedTemplate.SecretText> late(JsonNode array) {
        List<RenderedTemplate.SecretText> texts = new ArrayList<>();
        for (JsonNode text : array) {
            List<RenderedTemplate.Part> parts = new ArrayList<>();
            for (JsonNode part : text.get(1)) {
                boolean secret = part.isArray();
                parts.add(new RenderedTemplate.Part(secret, secret ? part.get(0).stringValue() : part.stringValue()));
            }
            texts.add(new RenderedTemplate.SecretText(text.get(0).stringValue(), parts));
        }
        return texts;
    }
}
