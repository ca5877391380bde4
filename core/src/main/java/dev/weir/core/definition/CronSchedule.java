package dev.weir.core.definition;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks and reads the schedules of triggers: the five fields of a crontab. Only new workflows are checked; stored
 * definitions that are older than this check are still read.
 */
public final class CronSchedule {
    public static final String EXPECTED = "a cron expression of five fields, such as '0 6 * * *'";

    /** The longest schedule, in characters. */
    static final int CHARS_MAX = 256;

    private static final List<Field> FIELDS = List.of(
            new Field("minute", 0, 59, List.of()),
            new Field("hour", 0, 23, List.of()),
            new Field("day of the month", 1, 31, List.of()),
            new Field(
                    "month",
                    1,
                    12,
                    List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
            new Field("day of the week", 0, 7, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

    private CronSchedule() {}

    /**
     * A field of the expression.
     *
     * @param names the names of its values, starting with the first value
     */
    private record Field(String name, int first, int last, List<String> names) {
        /** Returns the values of a valid text. */
        BitSet values(String text) {
            var values = new BitSet();
            for (String part : text.split(",", -1)) {
                int slash = part.indexOf('/');
                String range = slash < 0 ? part : part.substring(0, slash);
                int step = slash < 0 ? 1 : parseNumber(part.substring(slash + 1));
                int dash = range.indexOf('-');
                boolean isOpen = range.equals("*") || (slash >= 0 && dash < 0);
                int from = range.equals("*") ? first : parseValue(dash < 0 ? range : range.substring(0, dash));
                int to = isOpen ? last : dash < 0 ? from : parseValue(range.substring(dash + 1));
                for (int value = from; value <= to; value += step) {
                    values.set(value);
                }
            }
            return values;
        }

        /** True if the text is a list of values and ranges, each with an optional step. */
        boolean accepts(String text) {
            for (String part : text.split(",", -1)) {
                int slash = part.indexOf('/');
                boolean isValid = slash < 0 ? acceptsRange(part) : isStep(part.substring(slash + 1));
                if (!isValid || (slash >= 0 && !acceptsRange(part.substring(0, slash)))) {
                    return false;
                }
            }
            return true;
        }

        private boolean acceptsRange(String text) {
            if (text.equals("*")) {
                return true;
            }
            int dash = text.indexOf('-');
            int from = parseValue(dash < 0 ? text : text.substring(0, dash));
            int to = dash < 0 ? from : parseValue(text.substring(dash + 1));
            return from >= first && to >= from && to <= last;
        }

        private boolean isStep(String text) {
            return parseNumber(text) >= 1 && parseNumber(text) <= last;
        }

        private int parseValue(String text) {
            int nameIndex = names.indexOf(text.toLowerCase(Locale.ROOT));
            return nameIndex < 0 ? parseNumber(text) : first + nameIndex;
        }

        private static int parseNumber(String text) {
            boolean isNumber =
                    !text.isEmpty() && text.length() <= 2 && text.chars().allMatch(c -> c >= '0' && c <= '9');
            return isNumber ? Integer.parseInt(text) : -1;
        }
    }

    /** Describes why the text is not a cron expression; absent = it is one. */
    public static @Nullable String findProblem(String schedule) {
        if (schedule.length() > CHARS_MAX) {
            return schedule.length() + " characters, more than " + CHARS_MAX;
        }
        String[] parts = schedule.strip().split("\\s+", -1);
        if (parts.length != FIELDS.size()) {
            return "'" + schedule + "', which has " + parts.length + (parts.length == 1 ? " field" : " fields");
        }
        for (int i = 0; i < parts.length; i++) {
            Field field = FIELDS.get(i);
            if (!field.accepts(parts[i])) {
                return "'" + parts[i] + "' as the " + field.name + " (from " + field.first + " to " + field.last + ")";
            }
        }
        return times(schedule).next(Instant.EPOCH, ZoneOffset.UTC).isEmpty()
                ? "'" + schedule + "', a date that never comes"
                : null;
    }

    /** Returns the times of a valid schedule. */
    public static CronTimes times(String schedule) {
        List<String> parts = List.of(schedule.strip().split("\\s+", -1));
        List<BitSet> fields = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            fields.add(FIELDS.get(i).values(parts.get(i)));
        }
        return new CronTimes(fields, parts);
    }

    /** Throws {@link InvalidDefinition} if a trigger of a new workflow has an invalid schedule. */
    public static void check(Workflow workflow) {
        List<DefinitionProblem> problems = new ArrayList<>();
        for (int i = 0; i < workflow.triggers().size(); i++) {
            String found = workflow.triggers().get(i) instanceof Trigger.OnSchedule trigger
                    ? findProblem(trigger.schedule())
                    : null;
            if (found != null) {
                problems.add(new DefinitionProblem("/triggers/" + i + "/schedule", EXPECTED, found));
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }
}
