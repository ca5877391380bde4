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
    private static RigStatistics statistics;

    @BeforeAll
    static void go_through_a_storm() throws Exception {
        var directory =
                Path.of("target", "rig-" + ProcessHandle.current().pid()).toAbsolutePath();
        try (var chaosRun = new ChaosRun(directory)) {
            try {
                evidence = chaosRun.run(SEED);
                statistics = chaosRun.statistics();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "the storm with seed " + SEED + " was not survived; troubles: " + chaosRun.clientLog().problems
                                + "; the node's log ends with:\n" + chaosRun.nodeLog(),
                        e);
            }
        }
        System.out.println(statistics.table(evidence));
    }

    @Test
    void every_fault_is_seen_often_enough_and_nothing_leaks() {
        assertThat(LeftoverChecker.check(evidence)).isEmpty();
        assertThat(statistics.epoch())
                .as("times the shard was taken")
                .isGreaterThan(evidence.injectedFaults().size());
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
        assertThat(ConcurrencyChecker.check(evidence)).isEmpty();
    }

    @Test
    void a_log_that_breaks_a_limit_is_seen() {
        var tampered = new TamperedEvidence(evidence);
        assertThat(GrantChecker.check(tampered.withoutReleases("shared_a.a"))).anyMatch(contains("of key:shared at"));
        assertThat(GrantChecker.check(tampered.withoutReleases("fan.items"))).anyMatch(contains("of 3 items of fan"));
        assertThat(GrantChecker.check(tampered.withoutReleases("fan.side"))).anyMatch(contains("of 4 steps of fan"));
        assertThat(GrantChecker.check(tampered.withoutReleases("alone.a"))).anyMatch(contains("exclusive in alone"));
        assertThat(GrantChecker.check(tampered.withoutReleases("alone.b"))).anyMatch(contains("of 4 slots of alone"));
        assertThat(GrantChecker.check(tampered.withCompressedTime())).anyMatch(contains("of 20 of key:paced at"));
        assertThat(GrantChecker.check(tampered.pinnedToOne("key:right"))).anyMatch(contains("of 1 of key:right at"));
        assertThat(RunChecker.check(tampered.startedAtOnce("queue"))).anyMatch(contains("runs at once"));
        assertThat(ConcurrencyChecker.check(tampered.withLongerBodies("shared_b.a")))
                .anyMatch(contains("of key:shared"));
    }

    @Test
    void a_log_that_breaks_the_order_of_claims_is_seen() {
        var tampered = new TamperedEvidence(evidence);
        assertThat(GrantChecker.check(tampered.grantedTwice())).anyMatch(contains("granted while it is claimed"));
        assertThat(GrantChecker.check(tampered.withEqualFences())).anyMatch(contains("fence 1 after 1"));
        assertThat(GrantChecker.check(tampered.withoutNeedsOf("double.a"))).anyMatch(contains("under other limits"));
        assertThat(GrantChecker.check(tampered.withoutReleases("free.e"))).anyMatch(contains("never given back"));
        assertThat(GrantChecker.check(tampered.releasedTwice())).anyMatch(contains("not claimed under this fence"));
        assertThat(GrantChecker.check(tampered.withTimeGoingBack())).anyMatch(contains("goes back in time"));
    }

    @Test
    void a_report_that_counts_twice_or_not_at_all_is_seen() {
        var tampered = new TamperedEvidence(evidence);
        assertThat(ReportChecker.check(tampered.handedOutTwice())).anyMatch(contains("handed out twice"));
        assertThat(ReportChecker.check(tampered.withAnswers(List.of("applied", "applied"))))
                .anyMatch(contains("applied twice"));
        assertThat(ReportChecker.check(tampered.withAnswers(List.of("not_found"))))
                .anyMatch(contains("was answered [not_found]"));
        assertThat(ReportChecker.check(tampered.withoutBody())).anyMatch(contains("reported by nobody"));
        assertThat(ReportChecker.check(tampered.releasedTwice())).anyMatch(contains("ended twice"));
        assertThat(ReportChecker.check(tampered.withoutGrants("free.a")))
                .anyMatch(contains("its grant is not in the log"));
        assertThat(ReportChecker.check(tampered.withOtherResult())).anyMatch(contains("kept {"));
        assertThat(ReportChecker.check(tampered.keptUnderOldFence())).anyMatch(contains("granted last under"));
    }

    @Test
    void lost_and_leftover_data_is_detected() {
        var tampered = new TamperedEvidence(evidence);
        assertThat(RunChecker.check(tampered.withoutRuns("free-3")))
                .anyMatch(contains("answered and lost: run free-3"));
        assertThat(RunChecker.check(tampered.notCompleted("free-3"))).anyMatch(contains("not completed: Run"));
        assertThat(RunChecker.check(tampered.withoutStarts("free-3"))).anyMatch(contains("nobody was told of"));
        assertThat(RunChecker.check(tampered.withoutSteps())).anyMatch(contains("never ended: free-"));
        assertThat(RunChecker.check(tampered.withChange())).anyMatch(contains("answered and lost: LimitChange"));
        assertThat(LeftoverChecker.check(tampered.withLeftover("claims"))).containsExactly("left over: 1 claims");
        assertThat(LeftoverChecker.check(tampered.withoutFault(Fault.CUT_AFTER_COMMIT)))
                .anyMatch(contains("seen 19 times instead of 20"));
        assertThat(LeftoverChecker.check(tampered.withFewLive())).anyMatch(contains("does not count"));
    }

    private static Predicate<String> contains(String text) {
        return finding -> finding.contains(text);
    }
}
