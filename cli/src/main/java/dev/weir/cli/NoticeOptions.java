package dev.weir.cli;

import dev.weir.core.definition.DurationText;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.NoticeSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code weir up} that set the thresholds of notices. */
@SuppressWarnings("NullAway.Init") // picocli writes the annotated fields
final class NoticeOptions {
    @Option(
            names = "--notice-percent",
            paramLabel = "PERCENT",
            description = "Usage of a limit at which a warning is issued (default: 80).")
    private @Nullable Integer percent;

    @Option(
            names = "--notice-waiting",
            paramLabel = "DURATION",
            description = "Waiting time of a step at which a notice is issued, such as 30m (default: 1h).")
    private @Nullable String waiting;

    @Option(
            names = "--notice-dead-letters",
            paramLabel = "N",
            description = "Number of open dead letters at which a notice is issued (default: 100).")
    private @Nullable Integer deadLetters;

    NoticeSettings settings() {
        NoticeSettings standard = NoticeSettings.DEFAULT;
        int warned = percent == null ? standard.warnPercent() : percent;
        return new NoticeSettings(
                warned,
                Math.min(standard.lowPercent(), warned - 1),
                standard.lowFor(),
                waiting == null ? standard.oldestWaiter() : Moment.micros(parse(waiting)),
                deadLetters == null ? standard.deadLetters() : deadLetters);
    }

    private static Duration parse(String text) {
        return DurationText.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--notice-waiting: expected a duration with a unit, such as 30m, found '" + text + "'"));
    }
}
