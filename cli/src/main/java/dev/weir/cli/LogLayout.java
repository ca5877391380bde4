package dev.weir.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.stream.Collectors;

/**
 * Formats a log event as one line of text, followed by the stack trace if there is one. Control characters are
 * replaced.
 */
final class LogLayout extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneId.systemDefault());

    @Override
    public String doLayout(ILoggingEvent event) {
        String line = TIME.format(Instant.ofEpochMilli(event.getTimeStamp())) + " [" + event.getThreadName() + "] "
                + event.getLevel() + " " + event.getLoggerName() + " - " + event.getFormattedMessage();
        return ResultPrinter.toPlainLine(line) + System.lineSeparator() + trace(event);
    }

    private static String trace(ILoggingEvent event) {
        if (event.getThrowableProxy() == null) {
            return "";
        }
        return ThrowableProxyUtil.asString(event.getThrowableProxy())
                .lines()
                .map(line -> ResultPrinter.toPlainLine(line) + System.lineSeparator())
                .collect(Collectors.joining());
    }
}
