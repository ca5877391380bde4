package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.regex.Pattern;

/** All bounds of a definition, with their units. */
public final class DefinitionBounds {
    /** The bound of the text that a caller sends, and of the JSON that is stored for it. */
    public static final int DEFINITION_BYTES_MAX = 256 * 1024;

    public static final int DEFINITION_VALUES_MAX = 20_000;
    public static final int DEFINITION_LEVELS_MAX = 64;
    /** The bound of field names, including those inside data. */
    public static final int DEFINITION_NAME_CHARS_MAX = 256;

    public static final int EXPRESSIONS_MAX = 2_000;
    public static final int STEPS_MAX = 1_000;
    public static final int TRIGGERS_MAX = 100;
    public static final int FLOW_CONTROLS_MAX = 16;
    public static final int KEY_BYTES_MAX = 256;
    /** The bounds of a key as it is written. A command that uses it first after a restart compiles all of it. */
    public static final int KEY_SOURCE_CHARS_MAX = 2_048;

    public static final int KEY_EXPRESSIONS_MAX = 8;
    public static final int NAME_CHARS_MAX = 128;
    public static final int PRIORITY_MIN = -100;
    public static final int PRIORITY_MAX = 100;
    public static final int COUNT_MAX = 1_000_000_000;
    public static final int ATTEMPTS_MAX = 1_000;
    public static final int CASCADE_DEPTH_MAX = 100;
    public static final int ITEMS_FROM_DATA_MAX = Template.ITEMS_FROM_DATA_MAX;
    public static final int ITEMS_FROM_RANGE_MAX = Template.ITEMS_FROM_RANGE_MAX;
    public static final Duration PERIOD_MIN = Duration.ofMillis(1);
    public static final Duration PERIOD_MAX = Duration.ofDays(7);
    public static final Duration TICK_INTERVAL_MIN = Duration.ofMillis(50);
    public static final Duration DURATION_MAX = Duration.ofDays(3_660);

    /**
     * The form of the names of workflows, modules, events, signals and triggers. URLs, logs and metrics contain them
     * unescaped.
     */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0," + (NAME_CHARS_MAX - 1) + "}");

    /** The form of step ids: like names, but without dots, because {@code steps.x.output} is a path. */
    static final Pattern STEP_ID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0," + (NAME_CHARS_MAX - 1) + "}");

    private DefinitionBounds() {}
}
