package dev.weir.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/**
 * Configures logback: everything goes to standard error, one line for each event. This is code because parsing an
 * XML file would slow down every short command.
 */
public final class LogConfiguration extends ContextAwareBase implements Configurator {
    /** Called by logback when the first logger is created. */
    @Override
    public ExecutionStatus configure(LoggerContext logback) {
        apply(logback, OutputOptions.Format.TEXT);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Changes the log format from now on. */
    static void use(OutputOptions.Format format) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.reset();
            apply(logback, format);
        }
    }

    private static void apply(LoggerContext logback, OutputOptions.Format format) {
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(logback);
        console.setTarget("System.err");
        console.setEncoder(encoder(logback, format));
        console.start();
        Logger root = logback.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        logback.getLogger("dev.weir").setLevel(Level.INFO);
        // Weir itself reports the problems that these two warn of.
        logback.getLogger("com.networknt").setLevel(Level.ERROR);
        logback.getLogger("com.zaxxer.hikari").setLevel(Level.ERROR);
        // The warnings of these two quote malformed requests, which are refused and counted.
        logback.getLogger("org.eclipse.jetty.http").setLevel(Level.ERROR);
        logback.getLogger("org.eclipse.jetty.util.HostPort").setLevel(Level.ERROR);
    }

    private static Encoder<ILoggingEvent> encoder(LoggerContext logback, OutputOptions.Format format) {
        Encoder<ILoggingEvent> encoder = switch (format) {
            case TEXT -> text(logback);
            case JSON -> json();
        };
        encoder.setContext(logback);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext logback) {
        var layout = new LogLayout();
        layout.setContext(logback);
        layout.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(layout);
        return encoder;
    }

    private static Encoder<ILoggingEvent> json() {
        var encoder = new JsonEncoder();
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        return encoder;
    }
}
