package dev.weir.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimitIdTest {
    static Stream<LimitId.Shared> shared() {
        return Stream.of(
                new LimitId.Key("billing-api"),
                new LimitId.Key("run_key:1:a:b"),
                new LimitId.WorkflowRuns("a:b"),
                new LimitId.RunKey("a:b", "c:d"),
                new LimitId.RunKey("a", ""),
                new LimitId.OrgRuns());
    }

    @ParameterizedTest
    @MethodSource("shared")
    void a_shared_limit_is_read_back_from_its_text(LimitId.Shared limit) {
        assertThat(LimitId.Shared.of(limit.text())).isEqualTo(limit);
    }

    @Test
    void any_other_text_is_refused() {
        assertThatThrownBy(() -> LimitId.Shared.of("run_steps"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("run_steps");
    }
}
