package dev.weir.cli.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.rig.Evidence.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests durability on real processes. It runs one storm and checks the results. Then it plants errors in the
 * records, to prove that every checker finds what it is there for.
 */
@SuppressWarnings("NullAway.Init") // set before the first test
class ProcessRigTest {
    private static final long SEED = Long.getLong("rig.seed", 20_261_116L);

    private static Evidence evidence;
    private static Figures figures;

    @BeforeAll
    static void go_through_a_storm() throws Exception {
        var directory =
                Path.of("target", "rig-" + ProcessHandle.current().pid()).toAbsolutePath();
        try (var storm = new Storm(directory)) {
            try {
                evidence = storm.rage(SEED);
                figures = storm.figures();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "the storm with seed " + SEED + " was not survived; troubles: " + storm.notes().troubles
                                + "; the node's log ends with:\n" + storm.nodeLog(),
                        e);
            }
        }
        System.out.println(figures.table(evidence));
    }

    @Test
    void every_fault_is_seen_often_enough_and_nothing_leaks() {
        assertThat(LeftoverChecker.check(evidence)).isEmpty();
        assertThat(figures.epoch())
                .as("times the shard was taken")
                .isGreaterThan(evidence.sprung().size());
        assertThat(evidence.grants().stream().map(Event::module).distinct())
                .as("modules of which something was granted")
                .containsExactlyInAnyOrderElementsOf(Load.modules());
    }

    @Test
    void nothing_that_was_answered_is_lost() {
        assertThat(RunChecker.check(evidence)).isEmpty();
    }

    @Test
    void no_report_is_applied_twice() {
        assertThat(ReportChecker.check(evidence)).isEmpty();
    }

    @Test
    void no_grant_exceeds_a_limit_at_any_instant() {
        assertThat(GrantChecker.check(evidence)).isEmpty();
    }

    @Test
    void no_bodies_overlap_beyond_a_limit() {
        assertThat(BodyChecker.check(evidence)).isEmpty();
    }

    @Test
    void a_log_that_breaks_a_limit_is_seen() {
        var planted = new Planted(evidence);
        assertThat(GrantChecker.check(planted.withoutReleases("shared_a.a"))).anyMatch(says("of key:shared at"));
        assertThat(GrantChecker.check(planted.withoutReleases("fan.items"))).anyMatch(says("of 3 items of fan"));
        assertThat(GrantChecker.check(planted.withoutReleases("fan.side"))).anyMatch(says("of 4 steps of fan"));
        assertThat(GrantChecker.check(planted.withoutReleases("alone.a"))).anyMatch(says("exclusive in alone"));
        assertThat(GrantChecker.check(planted.withoutReleases("alone.b"))).anyMatch(says("of 4 slots of alone"));
        assertThat(GrantChecker.check(planted.inAHundredthOfTheTime())).anyMatch(says("of 20 of key:paced at"));
        assertThat(GrantChecker.check(planted.pinnedToOne("key:right"))).anyMatch(says("of 1 of key:right at"));
        assertThat(RunChecker.check(planted.startedAtOnce("queue"))).anyMatch(says("runs at once"));
        assertThat(BodyChecker.check(planted.withLongerBodies("shared_b.a"))).anyMatch(says("of key:shared"));
    }

    @Test
    void a_log_that_breaks_the_order_of_claims_is_seen() {
        var planted = new Planted(evidence);
        assertThat(GrantChecker.check(planted.grantedTwice())).anyMatch(says("granted while it is claimed"));
        assertThat(GrantChecker.check(planted.withEqualFences())).anyMatch(says("fence 1 after 1"));
        assertThat(GrantChecker.check(planted.withoutNeedsOf("double.a"))).anyMatch(says("under other limits"));
        assertThat(GrantChecker.check(planted.withoutReleases("free.e"))).anyMatch(says("never given back"));
        assertThat(GrantChecker.check(planted.releasedTwice())).anyMatch(says("not claimed under this fence"));
        assertThat(GrantChecker.check(planted.backwards())).anyMatch(says("goes back in time"));
    }

    @Test
    void a_report_that_counts_twice_or_not_at_all_is_seen() {
        var planted = new Planted(evidence);
        assertThat(ReportChecker.check(planted.handedOutTwice())).anyMatch(says("handed out twice"));
        assertThat(ReportChecker.check(planted.answered(List.of("applied", "applied"))))
                .anyMatch(says("applied twice"));
        assertThat(ReportChecker.check(planted.answered(List.of("not_found"))))
                .anyMatch(says("was answered [not_found]"));
        assertThat(ReportChecker.check(planted.withoutBody())).anyMatch(says("reported by nobody"));
        assertThat(ReportChecker.check(planted.releasedTwice())).anyMatch(says("ended twice"));
        assertThat(ReportChecker.check(planted.withoutGrants("free.a"))).anyMatch(says("its grant is not in the log"));
        assertThat(ReportChecker.check(planted.withOtherResult())).anyMatch(says("kept {"));
        assertThat(ReportChecker.check(planted.keptUnderOldFence())).anyMatch(says("granted last under"));
    }

    @Test
    void what_is_lost_or_left_over_is_seen() {
        var planted = new Planted(evidence);
        assertThat(RunChecker.check(planted.withoutRuns("free-3"))).anyMatch(says("answered and lost: run free-3"));
        assertThat(RunChecker.check(planted.notCompleted("free-3"))).anyMatch(says("not completed: Run"));
        assertThat(RunChecker.check(planted.withoutStarts("free-3"))).anyMatch(says("nobody was told of"));
        assertThat(RunChecker.check(planted.withoutSteps())).anyMatch(says("never ended: free-"));
        assertThat(RunChecker.check(planted.withChange())).anyMatch(says("answered and lost: Changed"));
        assertThat(LeftoverChecker.check(planted.left("claims"))).containsExactly("left over: 1 claims");
        assertThat(LeftoverChecker.check(planted.withoutFault(Fault.CUT_AFTER_COMMIT)))
                .anyMatch(says("seen 19 times instead of 20"));
        assertThat(LeftoverChecker.check(planted.withFewLive())).anyMatch(says("does not count"));
    }

    private static Predicate<String> says(String words) {
        return finding -> finding.contains(words);
    }
}
