package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.Moment;
import dev.weir.core.run.Decision;
import dev.weir.core.run.KeyWorld;
import dev.weir.core.run.World;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.ChangeOrigin;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.7")
@Tag("R4.8")
@Tag("RX.7")
class AuditedCommandTest {
    private static final Attribution ANN = new Attribution("ann", ChangeOrigin.CLI, "req-1", "a fault");

    private final World world = KeyWorld.rate(2, Duration.ofMinutes(1), 3).world;

    private <A> A send(Command<A> command) {
        Decision<A> decision = world.org.handle(command, ANN, world.now);
        world.moves.addAll(decision.moves());
        return decision.answer();
    }

    private List<AuditEntry> entries() {
        return world.moves.stream()
                .filter(Move.Audited.class::isInstance)
                .map(move -> ((Move.Audited) move).entry())
                .toList();
    }

    private AuditEntry last() {
        return entries().getLast();
    }

    @Test
    void a_change_has_its_actor_origin_request_reason_before_and_after() {
        send(PinKey.of(KeyWorld.KEY, 3, null, Moment.NEVER));
        assertThat(last().by()).isEqualTo(ANN);
        assertThat(last().at()).isEqualTo(world.now);
        assertThat(last().change())
                .isEqualTo(new AuditEntry.Change("pin_key", "key:k", "{}", "{\"pin\":{\"parallelism\":3}}"));
        send(new PauseKey(KeyWorld.KEY, world.now + 60 * SECOND));
        assertThat(last().change().before()).isEqualTo("{\"pin\":{\"parallelism\":3}}");
        assertThat(last().change().after()).contains("\"paused\":true", "1970-01-01T00:17:40Z");
    }

    @Test
    void a_command_that_changes_nothing_leaves_no_entry() {
        send(PinKey.of(KeyWorld.KEY, 3, null, Moment.NEVER));
        send(PinKey.of(KeyWorld.KEY, 3, null, Moment.NEVER));
        send(new PauseKey(KeyWorld.KEY, Moment.NEVER));
        send(new PauseKey(KeyWorld.KEY, Moment.NEVER));
        send(new ResumeKey(KeyWorld.KEY));
        send(new ResumeKey(KeyWorld.KEY));
        send(new PauseRun("nobody"));
        assertThat(entries())
                .extracting(entry -> entry.change().action())
                .containsExactly("pin_key", "pause_key", "resume_key");
    }

    @Test
    void a_reset_is_a_change_only_if_starts_were_counted() {
        world.pollAll();
        send(new ResetRate(KeyWorld.KEY));
        assertThat(last().change())
                .isEqualTo(new AuditEntry.Change("reset_rate", "key:k", "{\"rate_used\":2}", "{\"rate_used\":0}"));
        send(new ResetRate(KeyWorld.KEY));
        assertThat(entries()).hasSize(1);
    }

    @Test
    void commands_on_runs_and_steps_show_their_states() {
        world.start("g", World.plan(step("a").optional()));
        send(WithState.ofRun(new PauseRun("g"), "g"));
        assertThat(last().change())
                .isEqualTo(new AuditEntry.Change(
                        "pause_run", "run:g", "{\"state\":\"running\"}", "{\"state\":\"paused\"}"));
        send(OverrideRun.replacing("g", 2, null));
        assertThat(last().change().after()).isEqualTo("{\"max_concurrent_steps\":2}");
        send(new ResumeRun("g"));
        send(new SkipStep("g", "a"));
        assertThat(last().change().target()).isEqualTo("step:g/a");
        assertThat(last().change().after()).isEqualTo("{\"state\":\"completed\"}");
        send(new CancelRun("r0", null, "enough"));
        assertThat(last().change().after()).contains("cancelled");
    }

    @Test
    void starts_and_reports_leave_no_entry() {
        world.poll(1).forEach(world::complete);
        assertThat(world.moves).hasSizeGreaterThan(5);
        assertThat(entries()).isEmpty();
    }

    @Test
    void entries_form_one_chain_that_a_restart_continues() {
        send(new PauseKey(KeyWorld.KEY, Moment.NEVER));
        world.restart();
        send(new ResumeKey(KeyWorld.KEY));
        assertThat(entries()).extracting(AuditEntry::number).containsExactly(1L, 2L);
        assertThat(last().previousHash()).isEqualTo(entries().getFirst().hash());
        assertThat(world.org.rows().access().auditHead()).isEqualTo(last().head());
    }

    @Test
    void a_large_state_is_replaced_by_its_hash() {
        var delayed = new RunRequest.Options(60 * SECOND, List.of());
        world.handle(new StartRun(new RunRequest(
                "q", World.plan(step("a")), World.json("{}"), 0, null, new TreeMap<>(), delayed, RunLineage.NONE)));
        String large = "y".repeat(10_000);
        send(new AmendInput("q", World.json("{'x': '" + large + "'}")));
        assertThat(last().change().after())
                .contains("sha256", "\"chars\":10018")
                .doesNotContain(large);
    }

    /** The words are in stored audits and in users' filters, so the name of a command must not change unnoticed. */
    @Test
    void every_command_of_a_person_has_a_word_that_stays() {
        assertThat(commands(Command.class)
                        .filter(AuditedCommand.class::isAssignableFrom)
                        .map(AuditedCommandTest::word)
                        .sorted())
                .contains(
                        "abandon_step",
                        "amend_input",
                        "amend_output",
                        "approve_step",
                        "cancel_run",
                        "create_token",
                        "extend_deadline",
                        "override_run",
                        "pause_key",
                        "pause_run",
                        "pin_key",
                        "provide_input",
                        "register_workflow",
                        "reset_rate",
                        "resume_key",
                        "resume_run",
                        "retry_run",
                        "revoke_approval",
                        "revoke_token",
                        "rotate_token",
                        "skip_step",
                        "unpin_key");
    }

    @Test
    void only_starts_events_signals_work_and_what_weir_records_itself_are_not_audited() {
        assertThat(commands(Command.class)
                        .filter(type -> !AuditedCommand.class.isAssignableFrom(type))
                        .map(Class::getSimpleName))
                .containsExactlyInAnyOrder(
                        "ReceiveEvent",
                        "RecordDeadLetter",
                        "RecordDifference",
                        "StartRun",
                        "SendSignal",
                        "SubmitToTrigger",
                        "WithState",
                        "ClaimSteps",
                        "ClaimWork",
                        "EndPoll",
                        "Heartbeat",
                        "UpdateStep");
    }

    private static String word(Class<?> command) {
        return AuditedCommand.word(command);
    }

    private static Stream<Class<?>> commands(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(Objects.requireNonNull(type.getPermittedSubclasses()))
                        .flatMap(AuditedCommandTest::commands)
                : Stream.of(type);
    }
}
