package dev.weir.core.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NearestNameTest {
    @Test
    void the_nearest_of_several_names_is_found_for_every_kind_of_edit() {
        List<String> known = List.of("max_concurrent_steps", "needs", "uses", "with_items", "five_items");
        assertThat(NearestName.find("max_concurent_steps", known)).contains("max_concurrent_steps");
        assertThat(NearestName.find("nedes", known)).contains("needs");
        assertThat(NearestName.find("With-Itms", known)).contains("with_items");
        assertThat(NearestName.find("something_else", known)).isEmpty();
    }

    @Test
    void a_name_is_never_farther_than_the_edits_that_were_made_to_it() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 2_000; i++) {
            var name = new StringBuilder();
            for (int length = random.nextInt(16, 40); name.length() < length; ) {
                name.append((char) ('a' + random.nextInt(26)));
            }
            var typo = new StringBuilder(name);
            for (int edit = 0; edit < 2; edit++) {
                int at = random.nextInt(typo.length() - 1);
                switch (random.nextInt(4)) {
                    case 0 -> typo.deleteCharAt(at);
                    case 1 -> typo.insert(at, 'x');
                    case 2 -> typo.setCharAt(at, 'y');
                    default -> {
                        char first = typo.charAt(at);
                        typo.setCharAt(at, typo.charAt(at + 1));
                        typo.setCharAt(at + 1, first);
                    }
                }
            }
            assertThat(NearestName.find(typo.toString(), List.of("z".repeat(20), name.toString())))
                    .as("%s for %s", typo, name)
                    .contains(name.toString());
        }
    }

    @Test
    void a_hint_does_not_take_longer_the_more_names_there_are() {
        List<String> many = IntStream.range(0, 100_000)
                .mapToObj(each -> "w".repeat(57) + (1_000_000 + each))
                .toList();
        String unknown = "v".repeat(64);
        long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < 16; i++) {
            assertThat(NearestName.find(unknown, many)).isEmpty();
        }
        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun)
                .isLessThan(10_000_000_000L);
    }
}
