package dev.weir.api;

import dev.weir.api.Starts.StartResult;
import dev.weir.api.Starts.StartResults;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Starts.StartedRun;
import dev.weir.api.Work.ClaimResult;
import dev.weir.api.Work.HeartbeatResult;
import dev.weir.api.Work.HeartbeatResults;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateResult;
import dev.weir.api.Work.UpdateResults;
import dev.weir.api.Work.WorkClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Writes the records that a busy server and its clients send most often, field by field and without reflection. The
 * text is the same as that of the general writer: names in snake_case, no absent fields.
 */
final class PlainWriters {
    private PlainWriters() {}

    static SimpleModule module() {
        return new SimpleModule("plain writers")
                .addSerializer(StartRunRequest.class, new Plain<>(PlainWriters::write))
                .addSerializer(StartedRun.class, new Plain<>(PlainWriters::write))
                .addSerializer(StartResult.class, new Plain<>(PlainWriters::write))
                .addSerializer(StartResults.class, new Plain<>((results, to) -> {
                    to.json.writeStartObject();
                    to.list("results", results.results(), PlainWriters::write);
                    to.json.writeEndObject();
                }))
                .addSerializer(WorkClaim.class, new Plain<>(PlainWriters::write))
                .addSerializer(ClaimResult.class, new Plain<>((result, to) -> {
                    to.json.writeStartObject();
                    to.list("claims", result.claims(), PlainWriters::write);
                    to.list("results", result.results(), PlainWriters::write);
                    to.value("state", result.state());
                    to.json.writeEndObject();
                }))
                .addSerializer(ModuleStatusUpdate.class, new Plain<>(PlainWriters::write))
                .addSerializer(UpdateResult.class, new Plain<>(PlainWriters::write))
                .addSerializer(UpdateResults.class, new Plain<>((results, to) -> {
                    to.json.writeStartObject();
                    to.list("results", results.results(), PlainWriters::write);
                    to.value("state", results.state());
                    to.json.writeEndObject();
                }))
                .addSerializer(HeartbeatResult.class, new Plain<>(PlainWriters::write))
                .addSerializer(HeartbeatResults.class, new Plain<>((results, to) -> {
                    to.json.writeStartObject();
                    to.list("results", results.results(), PlainWriters::write);
                    to.json.writeEndObject();
                }));
    }

    /** Writes the fields of a record. */
    private interface FieldWriter<T> {
        void write(T value, Output to);
    }

    /** Adapts a writer to Jackson. */
    private static final class Plain<T> extends ValueSerializer<T> {
        private final FieldWriter<T> writer;

        Plain(FieldWriter<T> writer) {
            this.writer = writer;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializationContext context) {
            writer.write(value, new Output(json, context));
        }
    }

    /** The text that is being written. Absent fields are left out. */
    private record Output(JsonGenerator json, SerializationContext context) {
        void text(String name, @Nullable String value) {
            if (value != null) {
                json.writeStringProperty(name, value);
            }
        }

        void number(String name, @Nullable Integer value) {
            if (value != null) {
                json.writeNumberProperty(name, (int) value);
            }
        }

        void number(String name, @Nullable Long value) {
            if (value != null) {
                json.writeNumberProperty(name, (long) value);
            }
        }

        void flag(String name, @Nullable Boolean value) {
            if (value != null) {
                json.writeBooleanProperty(name, value);
            }
        }

        /** Writes a value with the writer of its own type. */
        void value(String name, @Nullable Object value) {
            if (value != null) {
                json.writeName(name);
                context.writeValue(json, value);
            }
        }

        <T> void list(String name, @Nullable List<T> values, FieldWriter<T> writer) {
            if (values != null) {
                json.writeArrayPropertyStart(name);
                for (T value : values) {
                    writer.write(value, this);
                }
                json.writeEndArray();
            }
        }
    }

    private static void write(StartRunRequest run, Output to) {
        to.json.writeStartObject();
        to.text("workflow", run.workflow());
        to.text("id", run.id());
        to.value("input", run.input());
        to.number("priority", run.priority());
        to.value("flow_control", run.flowControl());
        to.value("labels", run.labels());
        to.text("delay", run.delay());
        to.value("targets", run.targets());
        to.text("correlation_id", run.correlationId());
        to.json.writeEndObject();
    }

    private static void write(StartedRun run, Output to) {
        to.json.writeStartObject();
        to.text("id", run.id());
        to.text("workflow", run.workflow());
        to.text("state", run.state());
        to.number("version", run.version());
        to.flag("created", run.created());
        to.json.writeEndObject();
    }

    private static void write(StartResult result, Output to) {
        to.json.writeStartObject();
        to.text("id", result.id());
        to.text("outcome", result.outcome());
        to.text("state", result.state());
        to.text("detail", result.detail());
        to.json.writeEndObject();
    }

    private static void write(WorkClaim claim, Output to) {
        to.json.writeStartObject();
        to.text("run", claim.run());
        to.text("step", claim.step());
        to.number("item", claim.item());
        to.text("module", claim.module());
        to.number("fence", (Long) claim.fence());
        to.number("attempt", (Integer) claim.attempt());
        to.number("effect_number", (Integer) claim.effectNumber());
        to.value("input", claim.input());
        to.value("provided", claim.provided());
        to.text("lease", claim.lease());
        to.json.writeEndObject();
    }

    private static void write(ModuleStatusUpdate report, Output to) {
        to.json.writeStartObject();
        to.text("run", report.run());
        to.text("step", report.step());
        to.number("item", report.item());
        to.number("fence", report.fence());
        to.text("result", report.result());
        to.value("output", report.output());
        to.text("error", report.error());
        to.flag("permanent", report.permanent());
        to.text("delay", report.delay());
        to.json.writeEndObject();
    }

    private static void write(UpdateResult result, Output to) {
        to.json.writeStartObject();
        to.text("run", result.run());
        to.text("step", result.step());
        to.number("item", result.item());
        to.number("fence", result.fence());
        to.text("outcome", result.outcome());
        to.text("detail", result.detail());
        to.json.writeEndObject();
    }

    private static void write(HeartbeatResult result, Output to) {
        to.json.writeStartObject();
        to.text("run", result.run());
        to.text("step", result.step());
        to.number("item", result.item());
        to.number("fence", result.fence());
        to.text("outcome", result.outcome());
        to.number("remaining_ms", result.remainingMs());
        to.flag("cancel_requested", result.cancelRequested());
        to.text("detail", result.detail());
        to.json.writeEndObject();
    }
}
