package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S9")
class ByteBudgetTest {
    private final ByteBudget budget = new ByteBudget(900);

    @Test
    void a_request_that_does_not_fit_waits_until_enough_is_given_back() {
        var first = budget.request("a", 800);
        var second = budget.request("b", 200);
        assertThat(first.isGranted()).isTrue();
        assertThat(second.isGranted()).isFalse();
        budget.release(first);
        assertThat(second.isGranted()).isTrue();
    }

    @Test
    void a_request_for_more_than_there_is_gets_all() {
        assertThat(budget.request("a", 5_000).isGranted()).isTrue();
        assertThat(budget.request("b", 1).isGranted()).isFalse();
    }

    @Test
    void one_organisation_leaves_a_third_to_others() {
        List<ByteBudget.ByteRequest> greedy = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            greedy.add(budget.request("greedy", 100));
        }
        assertThat(greedy.stream().filter(ByteBudget.ByteRequest::isGranted)).hasSize(6);
        assertThat(budget.request("modest", 100).isGranted()).isTrue();
        assertThat(budget.request("another", 100).isGranted()).isTrue();
    }

    @Test
    void released_bytes_go_to_organisations_in_turn() {
        var all = budget.request("a", 900);
        List<ByteBudget.ByteRequest> of = new ArrayList<>();
        for (String org : List.of("b", "b", "b", "c", "d")) {
            of.add(budget.request(org, 300));
        }
        budget.release(all);
        assertThat(of.stream().map(ByteBudget.ByteRequest::isGranted)).containsExactly(true, false, false, true, true);
    }

    @Test
    void a_large_request_is_not_overtaken_by_small_ones() {
        var first = budget.request("a", 500);
        var large = budget.request("b", 800);
        var small = budget.request("c", 10);
        assertThat(small.isGranted()).isFalse();
        budget.release(first);
        assertThat(large.isGranted()).isTrue();
        assertThat(small.isGranted()).isTrue();
    }

    @Test
    void a_request_that_is_withdrawn_holds_up_nobody() {
        var all = budget.request("a", 900);
        var withdrawn = budget.request("b", 900);
        var next = budget.request("c", 900);
        budget.release(withdrawn);
        assertThat(budget.waiting()).isEqualTo(1);
        budget.release(all);
        assertThat(next.isGranted()).isTrue();
        assertThat(budget.waiting()).isZero();
    }
}
