package dev.weir.api;

import dev.weir.api.Starts.StartResult;
import dev.weir.api.Starts.StartResults;
import dev.weir.api.Starts.StartedRun;
import dev.weir.api.Work.ClaimResult;
import dev.weir.api.Work.EngineState;
import dev.weir.api.Work.HeartbeatResult;
import dev.weir.api.Work.HeartbeatResults;
import dev.weir.api.Work.UpdateResult;
import dev.weir.api.Work.UpdateResults;
import dev.weir.api.Work.WorkClaim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Reads the responses that a busy client receives most often, field by field as they arrive, without reflection and
 * without a tree. Unknown fields are ignored, so that a client works with a newer server. A response that lacks a field
 * that every server sends is refused.
 */
final class PlainResponses {
    private PlainResponses() {}

    static SimpleModule module() {
        return new SimpleModule("plain responses")
                .addDeserializer(StartedRun.class, new Plain<>(StartedRun.class, PlainResponses::startedRun))
                .addDeserializer(StartResults.class, new Plain<>(StartResults.class, PlainResponses::startResults))
                .addDeserializer(ClaimResult.class, new Plain<>(ClaimResult.class, PlainResponses::claimResult))
                .addDeserializer(UpdateResults.class, new Plain<>(UpdateResults.class, PlainResponses::updateResults))
                .addDeserializer(
                        HeartbeatResults.class, new Plain<>(HeartbeatResults.class, PlainResponses::heartbeatResults));
    }

    /** Reads the fields of an object. */
    private interface FieldReader<T> {
        T read(Input from);
    }

    /** Adapts a reader to Jackson. */
    private static final class Plain<T> extends ValueDeserializer<T> {
        private final Class<T> type;
        private final FieldReader<T> reader;

        Plain(Class<T> type, FieldReader<T> reader) {
            this.type = type;
            this.reader = reader;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) {
            return reader.read(new Input(json, context, type));
        }
    }

    /** The text that is being read. Each method but {@link #nextField} reads the value of the field that was named last. */
    private record Input(JsonParser json, DeserializationContext context, Class<?> type) {
        /** Checks that an object begins here, and returns the name of its first field; null if it has none. */
        @Nullable
        String firstField() {
            if (!json.isExpectedStartObjectToken()) {
                throw mismatch("an object");
            }
            return json.nextName();
        }

        /** Returns the name of the next field; null at the end of the object. */
        @Nullable
        String nextField() {
            return json.nextName();
        }

        void skip() {
            json.nextToken();
            json.skipChildren();
        }

        @Nullable
        String text() {
            JsonToken token = json.nextToken();
            return switch (token) {
                case VALUE_STRING -> json.getString();
                case VALUE_NULL -> null;
                default -> throw mismatch("a string");
            };
        }

        @Nullable
        Integer wholeNumber() {
            return hasNumber() ? json.getIntValue() : null;
        }

        @Nullable
        Long longNumber() {
            return hasNumber() ? json.getLongValue() : null;
        }

        private boolean hasNumber() {
            JsonToken token = json.nextToken();
            return switch (token) {
                case VALUE_NUMBER_INT -> true;
                case VALUE_NULL -> false;
                default -> throw mismatch("a whole number");
            };
        }

        @Nullable
        Boolean flag() {
            JsonToken token = json.nextToken();
            return switch (token) {
                case VALUE_TRUE -> true;
                case VALUE_FALSE -> false;
                case VALUE_NULL -> null;
                default -> throw mismatch("true or false");
            };
        }

        JsonNode tree() {
            json.nextToken();
            return context.readTree(json);
        }

        /** Reads a value with the reader of its own type. */
        <V> @Nullable V value(Class<V> valueType) {
            return json.nextToken() == JsonToken.VALUE_NULL ? null : context.readValue(json, valueType);
        }

        <E> @Nullable List<E> list(FieldReader<E> element) {
            JsonToken token = json.nextToken();
            if (token == JsonToken.VALUE_NULL) {
                return null;
            }
            if (token != JsonToken.START_ARRAY) {
                throw mismatch("a list");
            }
            List<E> list = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                list.add(element.read(this));
            }
            return list;
        }

        /** Checks for a field that every server sends. */
        <V> V required(String name, @Nullable V value) {
            if (value == null) {
                return context.reportInputMismatch(type, "expected the field %s, found none", name);
            }
            return value;
        }

        /** Passes on a list that may be absent, as the general reader does. Callers check it where they need it. */
        @SuppressWarnings("NullAway")
        <E> List<E> unchecked(@Nullable List<E> list) {
            return list;
        }

        private RuntimeException mismatch(String expected) {
            return context.wrongTokenException(json, type, JsonToken.NOT_AVAILABLE, "expected " + expected);
        }
    }

    private static StartedRun startedRun(Input from) {
        String id = null;
        String workflow = null;
        String state = null;
        Integer version = null;
        Boolean created = false;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "id" -> id = from.text();
                case "workflow" -> workflow = from.text();
                case "state" -> state = from.text();
                case "version" -> version = from.wholeNumber();
                case "created" -> created = from.flag();
                default -> from.skip();
            }
        }
        return new StartedRun(
                from.required("id", id),
                from.required("workflow", workflow),
                from.required("state", state),
                version,
                from.required("created", created));
    }

    private static StartResults startResults(Input from) {
        List<StartResult> results = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "results" -> results = from.list(PlainResponses::startResult);
                default -> from.skip();
            }
        }
        return new StartResults(from.unchecked(results));
    }

    private static StartResult startResult(Input from) {
        String id = null;
        String outcome = null;
        String state = null;
        String detail = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "id" -> id = from.text();
                case "outcome" -> outcome = from.text();
                case "state" -> state = from.text();
                case "detail" -> detail = from.text();
                default -> from.skip();
            }
        }
        return new StartResult(id, from.required("outcome", outcome), state, detail);
    }

    private static ClaimResult claimResult(Input from) {
        List<WorkClaim> claims = null;
        EngineState state = null;
        List<UpdateResult> results = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "claims" -> claims = from.list(PlainResponses::workClaim);
                case "state" -> state = from.value(EngineState.class);
                case "results" -> results = from.list(PlainResponses::updateResult);
                default -> from.skip();
            }
        }
        return new ClaimResult(from.unchecked(claims), state, results);
    }

    private static WorkClaim workClaim(Input from) {
        String run = null;
        String step = null;
        Integer item = null;
        String module = null;
        Long fence = 0L;
        Integer attempt = 0;
        Integer effectNumber = 0;
        JsonNode input = null;
        JsonNode provided = null;
        String lease = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "run" -> run = from.text();
                case "step" -> step = from.text();
                case "item" -> item = from.wholeNumber();
                case "module" -> module = from.text();
                case "fence" -> fence = from.longNumber();
                case "attempt" -> attempt = from.wholeNumber();
                case "effect_number" -> effectNumber = from.wholeNumber();
                case "input" -> input = from.tree();
                case "provided" -> provided = from.tree();
                case "lease" -> lease = from.text();
                default -> from.skip();
            }
        }
        return new WorkClaim(
                from.required("run", run),
                from.required("step", step),
                item,
                from.required("module", module),
                from.required("fence", fence),
                from.required("attempt", attempt),
                from.required("effect_number", effectNumber),
                from.required("input", input),
                provided,
                from.required("lease", lease));
    }

    private static UpdateResults updateResults(Input from) {
        List<UpdateResult> results = null;
        EngineState state = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "results" -> results = from.list(PlainResponses::updateResult);
                case "state" -> state = from.value(EngineState.class);
                default -> from.skip();
            }
        }
        return new UpdateResults(from.unchecked(results), state);
    }

    private static UpdateResult updateResult(Input from) {
        String run = null;
        String step = null;
        Integer item = null;
        Long fence = null;
        String outcome = null;
        String detail = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "run" -> run = from.text();
                case "step" -> step = from.text();
                case "item" -> item = from.wholeNumber();
                case "fence" -> fence = from.longNumber();
                case "outcome" -> outcome = from.text();
                case "detail" -> detail = from.text();
                default -> from.skip();
            }
        }
        return new UpdateResult(run, step, item, fence, from.required("outcome", outcome), detail);
    }

    private static HeartbeatResults heartbeatResults(Input from) {
        List<HeartbeatResult> results = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "results" -> results = from.list(PlainResponses::heartbeatResult);
                default -> from.skip();
            }
        }
        return new HeartbeatResults(from.unchecked(results));
    }

    private static HeartbeatResult heartbeatResult(Input from) {
        String run = null;
        String step = null;
        Integer item = null;
        Long fence = null;
        String outcome = null;
        Long remainingMs = null;
        Boolean cancelRequested = null;
        String detail = null;
        for (String name = from.firstField(); name != null; name = from.nextField()) {
            switch (name) {
                case "run" -> run = from.text();
                case "step" -> step = from.text();
                case "item" -> item = from.wholeNumber();
                case "fence" -> fence = from.longNumber();
                case "outcome" -> outcome = from.text();
                case "remaining_ms" -> remainingMs = from.longNumber();
                case "cancel_requested" -> cancelRequested = from.flag();
                case "detail" -> detail = from.text();
                default -> from.skip();
            }
        }
        return new HeartbeatResult(
                run, step, item, fence, from.required("outcome", outcome), remainingMs, cancelRequested, detail);
    }
}
