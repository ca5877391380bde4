package dev.weir.core.reading;

import dev.weir.core.definition.CronSchedule;
import dev.weir.core.definition.MissedRuns;
import dev.weir.core.definition.Trigger;
import dev.weir.core.expression.Template;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the triggers of a workflow. */
final class TriggerReader {
    private TriggerReader() {}

    static List<Trigger> readAll(FieldReader root) {
        List<Trigger> triggers = new ArrayList<>();
        for (FieldReader fields : root.objects("triggers")) {
            Trigger trigger = read(fields);
            if (trigger != null) {
                triggers.add(trigger);
            }
        }
        return triggers;
    }

    /** Checks the schedule of a new trigger. Triggers stored before this check existed need not pass it. */
    static void checkSchedule(FieldReader trigger) {
        String schedule = trigger.has("schedule") ? trigger.text("schedule") : null;
        String found = schedule == null || schedule.isBlank() ? null : CronSchedule.findProblem(schedule);
        if (found != null) {
            trigger.problems()
                    .add(trigger.pathOf("schedule"), "expected " + CronSchedule.EXPECTED + ", found " + found);
        }
    }

    private static @Nullable Trigger read(FieldReader fields) {
        String id = fields.text("id");
        String event = fields.text("event");
        String schedule = fields.text("schedule");
        Template input = fields.template("input");
        if (fields.has("event") == fields.has("schedule")) {
            String found = fields.has("event") ? "both" : "neither";
            fields.problems().add(fields.path(), "expected event or schedule, found " + found);
            return null;
        }
        if (id == null) {
            return null;
        }
        if (event != null) {
            Template condition = fields.template("if");
            Trigger.Debounce debounce = readDebounce(fields);
            return fields.buildOrReport(() -> new Trigger.OnEvent(id, event, condition, debounce, input));
        }
        ZoneId zone = readZone(fields);
        MissedRuns missed = fields.choice("missed", MissedRuns.ONCE);
        return schedule == null
                ? null
                : fields.buildOrReport(() -> new Trigger.OnSchedule(id, schedule, zone, missed, input));
    }

    private static Trigger.@Nullable Debounce readDebounce(FieldReader trigger) {
        FieldReader fields = trigger.object("debounce");
        if (fields == null) {
            return null;
        }
        Template key = fields.template("key");
        Duration period = fields.period("period");
        Duration maxWait = fields.duration("max_wait");
        return period == null ? null : fields.buildOrReport(() -> new Trigger.Debounce(key, period, maxWait));
    }

    private static ZoneId readZone(FieldReader fields) {
        String name = fields.text("timezone");
        if (name == null || name.equals("UTC") || name.equals("Z")) {
            return ZoneOffset.UTC;
        }
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            String found = "expected a time zone such as Europe/Berlin, found '" + name + "'";
            fields.problems().add(fields.pathOf("timezone"), found);
            return ZoneOffset.UTC;
        }
    }
}
