package dev.weir.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class RecordsTest {
    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "10s,PT10S", "1m,PT1M", "2h,PT2H", "7d,PT168H", "PT30S,PT30S", "90s,PT1M30S"})
    void a_duration_is_read_and_written_so_that_it_reads_back(String text, Duration expected) {
        assertThat(DurationText.parse(text)).contains(expected);
        assertThat(DurationText.parse(DurationText.format(expected))).contains(expected);
    }

    @ParameterizedTest
    @CsvSource({"5", "1w", "-5s", "1.5s", "s", "''", "10 s", "99999999999999999d", "PT"})
    void an_invalid_duration_is_not_parsed(String text) {
        assertThat(DurationText.parse(text)).isEmpty();
    }

    @Test
    @Tag("R0.12")
    void a_pause_doubles_up_to_the_longest() {
        assertThat(RetryPolicy.DEFAULT.pauseBefore(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(RetryPolicy.DEFAULT.pauseBefore(3)).isEqualTo(Duration.ofSeconds(4));
        assertThat(RetryPolicy.DEFAULT.pauseBefore(7)).isEqualTo(Duration.ofMinutes(1));
        assertThat(RetryPolicy.DEFAULT.pauseBefore(1_000)).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    @Tag("R1.8")
    void a_tolerance_counts_items_or_their_part() {
        assertThat(FailureTolerance.NONE.allows(0, 10)).isTrue();
        assertThat(FailureTolerance.NONE.allows(1, 10)).isFalse();
        assertThat(new FailureTolerance.Count(2).allows(2, 3)).isTrue();
        assertThat(new FailureTolerance.Percent(5).allows(5, 100)).isTrue();
        assertThat(new FailureTolerance.Percent(5).allows(1, 19)).isFalse();
    }

    @Test
    @Tag("R3.1")
    void a_key_is_rendered_for_each_step_and_measured() {
        var control = FlowControl.parallelism("customer-${{ input.customer }}", 1);

        assertThat(control.renderKey(scope("\"ada\""))).isEqualTo("customer-ada");
        assertThat(control.renderKey(scope("7"))).isEqualTo("customer-7");
        assertThatThrownBy(() -> control.renderKey(scope("\"" + "x".repeat(300) + "\"")))
                .isInstanceOf(RenderFailed.class)
                .hasMessageContaining("a key of 1 to 256 bytes");
        assertThatThrownBy(() ->
                        FlowControl.parallelism("${{ input.customer }}", 1).renderKey(scope("\" \"")))
                .isInstanceOf(RenderFailed.class);
    }

    @Test
    void records_do_not_change_when_what_they_were_made_of_does() {
        var source = JsonMapper.shared().createObjectNode().put("a", 1);
        var uses = new Action.Uses("m", Template.of(source));

        source.put("a", 2);

        assertThat(uses.with().source().get("a").intValue()).isEqualTo(1);
    }

    private static Scope scope(String customer) {
        return Scope.of("step a")
                .with(Variable.INPUT, JsonMapper.shared().readTree("{\"customer\": " + customer + "}"));
    }
}
