package dev.weir.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.run.KeyWorld;
import dev.weir.core.run.World;
import dev.weir.core.state.MemoryRows;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.7")
class ResetRateTest {
    private final World world = KeyWorld.rate(1, Duration.ofMinutes(5), 3).world;

    @Test
    void earlier_starts_no_longer_count() {
        assertThat(world.pollIds(9)).containsExactly("r0/a");
        assertThat(world.pollIds(9)).isEmpty();
        assertThat(world.handle(new ResetRate(KeyWorld.KEY))).isEqualTo(ResetRate.Answer.RESET);
        assertThat(world.pollIds(9)).containsExactly("r1/a");
        var memoryRows = new MemoryRows();
        memoryRows.apply(world.moves);
        assertThat(memoryRows.rows(world.now).starts()).hasSize(1);
    }
}
