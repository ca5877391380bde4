package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.journal.LoadUnfinished;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L8")
class DefinitionReadsTest {
    private static final String LARGE = "x".repeat(DefinitionReads.CHARS_MAX);

    private final DefinitionReads reads = new DefinitionReads();

    private void read() {
        reads.check();
        reads.recordRead(LARGE);
    }

    @Test
    void the_loads_of_one_pass_read_a_bounded_number_of_characters() {
        reads.beginLoad(true);
        read();
        reads.markLoaded();
        reads.endLoad();

        reads.beginLoad(true);
        assertThatThrownBy(this::read).isInstanceOf(LoadUnfinished.class);
        reads.endLoad();

        reads.beginPass();
        reads.beginLoad(true);
        read();
    }

    @Test
    void reads_outside_a_load_and_loads_within_a_transaction_are_not_limited() {
        read();
        read();
        reads.beginLoad(false);
        read();
        read();
    }

    @Test
    void a_load_that_never_gets_finished_reads_everything_at_last() {
        int passes = 0;
        for (boolean finished = false; !finished; passes++) {
            reads.beginPass();
            reads.beginLoad(true);
            try {
                read();
                read();
                finished = true;
            } catch (LoadUnfinished e) {
                reads.endLoad();
            }
        }

        assertThat(passes).isEqualTo(DefinitionReads.UNFINISHED_LOADS_MAX + 1);
    }
}
