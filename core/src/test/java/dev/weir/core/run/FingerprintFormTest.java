package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.expression.Template;
import dev.weir.core.json.Fingerprint;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The form of stored fingerprints. These values are in databases: if one of them changes, Weir no longer recognises the
 * repeat of a request that was sent before an update. Do not change them without raising the version of the form.
 */
@Tag("S6")
@Tag("R0.14")
class FingerprintFormTest {
    private static final String JSON =
            "{'text': 'gr\u00fc\u00dfe', 'list': [null, true, 1, -2.5, 18446744073709551616], 'object': {'a': {}}}";

    @Test
    void the_fingerprint_of_a_report_is_stable() {
        assertThat(new Update.Completed(World.json(JSON)).fingerprint()).isEqualTo(334_231_818);
        assertThat(new Update.Completed(World.json("null")).fingerprint()).isEqualTo(389_616_010);
        assertThat(new Update.NoOp().fingerprint()).isEqualTo(317_447_857);
        assertThat(new Update.Failed("no", false).fingerprint()).isEqualTo(496_353_843);
        assertThat(new Update.Failed("no", true, 5_000_000).fingerprint()).isEqualTo(320_880_061);
        assertThat(new Update.Rescheduled(1_000_000).fingerprint()).isEqualTo(343_052_043);
        assertThat(new Update.NeedsInput(World.json(JSON)).fingerprint()).isEqualTo(311_507_863);
    }

    @Test
    void the_fingerprint_of_a_start_is_stable() {
        assertThat(StartRun.of("r", plan(step("a")), World.json(JSON)).request().fingerprint())
                .isEqualTo(431_526_039);
        assertThat(full().request().fingerprint()).isEqualTo(274_074_059);
    }

    private static StartRun full() {
        var fixed = new RateLimit(20, Duration.ofMinutes(1), RateLimit.Window.FIXED);
        var sliding = new RateLimit(3, Duration.ofSeconds(10), RateLimit.Window.SLIDING);
        List<FlowControl> keys = List.of(
                new FlowControl(Template.of("customer-${{ input.text }}"), 5, fixed, 2, 3),
                FlowControl.parallelism("k", 1),
                FlowControl.rate("l", sliding));
        return new StartRun(new RunRequest(
                "r",
                plan(step("a"), step("b")),
                World.json(JSON),
                7,
                keys,
                new TreeMap<>(Map.of("team", "blue", "tier", "gold")),
                new RunRequest.Options(1_500_000, List.of("a", "b"), 7),
                new RunLineage("before", new UnitId("parent", "invoke", 3), "root", 2)));
    }

    @Test
    void a_report_that_was_kept_in_another_form_is_taken_for_a_repeat() {
        var world = new World();
        world.start("r", plan(step("a"), step("b", "a")));
        Assignment work = world.poll(1).getFirst();
        world.complete(work, "1");
        keep(world, work, otherForm(12345));
        assertThat(world.complete(work, "1")).isEqualTo(UpdateStep.Answer.REPLAYED);
        keep(world, work, new Update.NoOp().fingerprint());
        assertThat(world.complete(work, "1")).isEqualTo(UpdateStep.Answer.UPDATE_CONFLICT);
    }

    @Test
    void a_question_stored_in_another_form_does_not_hide_the_result_after_it() {
        var world = new World();
        world.start("r", plan(step("a")));
        Assignment work = world.poll(1).getFirst();
        world.update(work, new Update.NeedsInput(World.json("{}")));
        keep(world, work, otherForm(12345));
        assertThat(world.complete(work, "1")).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    @Test
    void fingerprints_stored_before_forms_had_versions_are_recognised() {
        int kept = new Update.NoOp().fingerprint();
        for (int form = 0; form < 16; form++) {
            int before = (kept & 0x0fff_ffff) | form << 28;
            assertThat(Fingerprint.mayBeRepeat(before, kept)).isTrue();
            assertThat(Fingerprint.isSame(before, kept)).isTrue();
        }
    }

    /** Sets the stored fingerprint of the last report, as if it had been stored in this form. */
    private static void keep(World world, Assignment work, int fingerprint) {
        Objects.requireNonNull(world.org.live.find(work.claim().unit())).reportFingerprint = fingerprint;
    }

    private static int otherForm(int hash) {
        return 0xf000_0000 | hash;
    }
}
