package dev.weir.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("R0.8")
@Tag("S10")
class StatesTest {
    @ParameterizedTest
    @EnumSource(RunState.class)
    void a_run_that_has_ended_stays_ended_and_any_other_can_end(RunState state) {
        if (state.ended()) {
            for (RunState next : RunState.values()) {
                assertThatThrownBy(() -> state.moveTo(next)).isInstanceOf(IllegalStateException.class);
            }
        } else {
            assertThat(state.moveTo(RunState.CANCELLED)).isEqualTo(RunState.CANCELLED);
        }
    }

    @ParameterizedTest
    @EnumSource(StepState.class)
    void a_step_that_is_done_stays_done_and_any_other_can_be_cancelled(StepState state) {
        if (!state.ended()) {
            assertThat(state.moveTo(StepState.CANCELLED)).isEqualTo(StepState.CANCELLED);
        } else if (state != StepState.FAILED) {
            for (StepState next : StepState.values()) {
                assertThatThrownBy(() -> state.moveTo(next)).isInstanceOf(IllegalStateException.class);
            }
        }
    }
}
