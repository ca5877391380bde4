package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.SLF4JServiceProvider;
import tools.jackson.databind.json.JsonMapper;

class LogConfigurationTest {
    private static final String HOSTILE = "two\nlines, \"quotes\" and \u001b[2J";

    @AfterEach
    void restoreDefaultFormat() {
        LogConfiguration.use(OutputOptions.Format.TEXT);
    }

    private static List<String> logged(OutputOptions.Format format, Runnable action) {
        PrintStream before = System.err;
        var written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            LogConfiguration.use(format);
            action.run();
        } finally {
            System.setErr(before);
        }
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void the_program_has_exactly_one_logging_provider() {
        assertThat(ServiceLoader.load(SLF4JServiceProvider.class)).hasSize(1);
    }

    @Test
    void a_text_event_is_one_line_without_terminal_commands() {
        assertThat(logged(
                        OutputOptions.Format.TEXT,
                        () -> LoggerFactory.getLogger("dev.weir.a").info(HOSTILE)))
                .singleElement()
                .asString()
                .matches(
                        "\\d{4}-\\d\\d-\\d\\dT\\S+ \\[.*] INFO dev\\.weir\\.a - two lines, \"quotes\" and \uFFFD\\[2J");
    }

    @Test
    void a_json_event_is_one_object_on_one_line_with_its_exception() {
        var lines = logged(
                OutputOptions.Format.JSON,
                () -> LoggerFactory.getLogger("other")
                        .warn("{} happened", HOSTILE, new IllegalStateException("because\nof this")));
        assertThat(lines).hasSize(1);
        var event = JsonMapper.shared().readTree(lines.getFirst());
        assertThat(event.at("/level").stringValue()).isEqualTo("WARN");
        assertThat(event.at("/loggerName").stringValue()).isEqualTo("other");
        assertThat(event.at("/timestamp").isIntegralNumber()).isTrue();
        assertThat(event.at("/formattedMessage").stringValue()).isEqualTo(HOSTILE + " happened");
        assertThat(event.at("/throwable/className").stringValue()).isEqualTo("java.lang.IllegalStateException");
        assertThat(event.at("/throwable/message").stringValue()).isEqualTo("because\nof this");
    }

    @Test
    void libraries_log_warnings_and_weir_logs_what_happens() {
        assertThat(logged(OutputOptions.Format.TEXT, () -> {
                    LoggerFactory.getLogger("org.eclipse.jetty").info("left out");
                    LoggerFactory.getLogger("com.zaxxer.hikari.pool").warn("left out");
                    LoggerFactory.getLogger("dev.weir.server").info("shown");
                }))
                .singleElement()
                .asString()
                .endsWith("shown");
    }
}
