package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunEndPrinterTest {
    @ParameterizedTest
    @CsvSource({"completed,0", "failed,1", "running,1", "cancelled,3"})
    void the_exit_code_tells_completed_failed_and_cancelled_runs_apart(String state, int code) {
        assertThat(RunEndPrinter.exitCode(state)).isEqualTo(code);
    }
}
