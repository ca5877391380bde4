package dev.weir.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.ReceiveEvent;
import dev.weir.core.command.SubmitToTrigger;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.TriggerSubmission;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class EventDeliveryTest {
    private static final String STEP = "steps: [{id: a, uses: m}]\n";

    private final EventWorld events = new EventWorld();

    private RunRequest run(String id) {
        return events.world.org.findRun(id).orElseThrow().request();
    }

    @Test
    void an_event_starts_a_run_of_each_trigger_with_its_data() {
        events.register("ship", "triggers: [{id: paid, event: order.paid}]\n" + STEP);
        events.register(
                "bill", "triggers: [{id: paid, event: order.paid, input: {n: '${{ event.data.n }}'}}]\n" + STEP);
        events.register("other", "triggers: [{id: paid, event: order.made}]\n" + STEP);
        assertThat(events.send("e1", "order.paid", "{'n': 7, 'm': 8}")).isEqualTo(ReceiveEvent.Answer.RECEIVED);
        assertThat(events.outcomes())
                .containsExactly("bill/paid started bill:paid:e1", "ship/paid started ship:paid:e1");
        assertThat(run("ship:paid:e1").input()).isEqualTo(World.json("{'n': 7, 'm': 8}"));
        assertThat(run("bill:paid:e1").input()).isEqualTo(World.json("{'n': 7}"));
        assertThat(run("bill:paid:e1").lineage().startedBy()).isEqualTo("tester");
    }

    @Test
    void a_condition_filters_and_an_expression_that_fails_is_an_outcome() {
        events.register("w", """
                triggers:
                  - { id: big, event: e, if: "${{ event.data.n > 5 }}" }
                  - { id: wrong, event: e, if: "${{ event.data.n }}" }
                  - { id: missing, event: e, input: { x: "${{ event.data.absent.x }}" } }
                  - { id: always, event: e }
                """ + STEP);
        events.send("e1", "e", "{'n': 3}");
        assertThat(events.outcomes())
                .containsExactly(
                        "w/always started w:always:e1", "w/big filtered", "w/missing failed", "w/wrong failed");
        assertThat(events.reasons().get(2)).contains("absent");
        assertThat(events.reasons().get(3)).contains("expected true or false");
    }

    @Test
    void the_same_id_is_the_same_event_and_another_body_is_refused() {
        events.register("w", "triggers: [{id: t, event: e}]\n" + STEP);
        events.send("e1", "e", "{'n': 1}");
        int stored = EventRow.fingerprint("e", null, World.json("{'n': 1}"), null);
        assertThat(events.send("e1", "e", "{'n': 1}", stored)).isEqualTo(ReceiveEvent.Answer.EXISTING);
        assertThat(events.send("e1", "e", "{'n': 2}", stored)).isEqualTo(ReceiveEvent.Answer.OTHER_BODY);
        assertThat(events.outcomes()).hasSize(1);
    }

    @Test
    void two_events_with_one_id_in_one_decision_are_one_event() {
        var first = new ReceiveEvent("e1", "e", null, World.json("{}"), null, "tester", null);
        var other = new ReceiveEvent("e1", "f", null, World.json("{}"), null, "tester", null);
        assertThat(events.world.handle(first)).isEqualTo(ReceiveEvent.Answer.RECEIVED);
        assertThat(events.world.handle(first)).isEqualTo(ReceiveEvent.Answer.EXISTING);
        assertThat(events.world.handle(other)).isEqualTo(ReceiveEvent.Answer.OTHER_BODY);
    }

    @Test
    void the_triggers_of_the_newest_version_apply() {
        events.register("w", "triggers: [{id: t, event: e}]\n" + STEP);
        events.register("w", "triggers: [{id: t, event: f}]\n" + STEP);
        events.send("e1", "e", "{}");
        events.send("e2", "f", "{}");
        assertThat(events.outcomes()).containsExactly("w/t started w:t:e2");
        assertThat(events.world.moves).contains(new Move.EventDelivered(1, 0, events.world.now));
    }

    @Test
    void an_emitted_event_takes_the_same_path_and_the_chain_is_complete() {
        events.register("first", "triggers: [{id: t, event: begin}]\nsteps: [{id: tell, emit: {event: next}}]\n");
        events.register("second", "triggers: [{id: t, event: next}]\nsteps: [{id: call, invoke: {workflow: third}}]\n");
        events.register("third", STEP);
        events.send("e1", "begin", "{}");
        events.world.advanceAll();
        String second = "second:t:weir.first:t:e1.1.tell.1";
        assertThat(events.outcomes()).containsExactly("first/t started first:t:e1", "second/t started " + second);
        var lineage = run(second + ".call.1").lineage();
        assertThat(lineage.correlationId("x")).isEqualTo("e1");
        assertThat(lineage.chain().links())
                .extracting(CausalChain.Link::toString)
                .containsExactly("event e1", "run first:t:e1", "event weir.first:t:e1.1.tell.1", "run " + second);
        assertThat(lineage.depth()).isEqualTo(3);
    }

    @Test
    void a_workflow_that_emits_its_own_trigger_ends_as_a_cascade() {
        events.register(
                "loop",
                "limits: {max_cascade_depth: 4}\ntriggers: [{id: t, event: e}]\nsteps: [{id: again, emit: {event: e}}]\n");
        events.send("e1", "e", "{}");
        events.world.advanceAll();
        assertThat(events.outcomes()).hasSize(4);
        assertThat(events.outcomes().getLast()).isEqualTo("loop/t cascade");
        assertThat(events.reasons().getLast())
                .isEqualTo("expected a chain of at most 4 runs and events before the run, found 6");
        DeadLetter.Content letter = events.world.moves.stream()
                .filter(Move.DeadLettered.class::isInstance)
                .map(move -> ((Move.DeadLettered) move).letter().content())
                .findFirst()
                .orElseThrow();
        assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.CASCADE_DETECTED);
        assertThat(letter.chain())
                .extracting(DeadLetter.ChainLink::name)
                .containsExactly("e", "loop", "e", "loop", "e", "loop", "e");
    }

    @Test
    void the_id_of_an_emitted_event_does_not_depend_on_restarts() {
        events.register("tell", "steps: [{id: a, uses: m}, {id: b, needs: [a], emit: {event: told}}]\n");
        events.world.start("r", Objects.requireNonNull(events.world.plans.get("tell")));
        var claim = events.world.poll(1).getFirst();
        events.world.org.forgetEnded();
        events.world.complete(claim);
        events.world.advanceAll();
        assertThat(events.world.moves.stream()
                        .filter(Move.EventReceived.class::isInstance)
                        .map(move -> ((Move.EventReceived) move).event().id()))
                .containsExactly("weir.r.1.b.1");
    }

    @Test
    void an_event_that_no_trigger_could_take_is_redriven_at_that_trigger_once() {
        events.register("other", "triggers: [{id: t, event: e}]\n" + STEP);
        events.register("w", "triggers: [{id: t, event: e, input: {x: '${{ event.data.absent.x }}'}}]\n" + STEP);
        events.send("e1", "e", "{'n': 3}");
        DeadLetter.Content letter = letters().getFirst();
        var submission = submission(letter);
        assertThat(events.world.handle(new SubmitToTrigger(submission)).reason())
                .contains("absent");

        events.register("w", "triggers: [{id: t, event: e, if: '${{ event.data.n > 3 }}'}]\n" + STEP);
        assertThat(events.world.handle(new SubmitToTrigger(submission)).kind()).isEqualTo(EventOutcome.Kind.FILTERED);
        events.register("w", "triggers: [{id: t, event: f}]\n" + STEP);
        assertThat(events.world.handle(new SubmitToTrigger(submission)).reason())
                .contains("has no trigger t for e");

        events.register("w", "triggers: [{id: t, event: e, debounce: {period: 1h}}]\n" + STEP);
        for (int i = 0; i < 2; i++) {
            assertThat(events.world.handle(new SubmitToTrigger(submission)))
                    .isEqualTo(EventOutcome.started(new TriggerId("w", "t"), "w:t:e1"));
        }
        assertThat(run("w:t:e1").input()).isEqualTo(World.json("{'n': 3}"));
        assertThat(run("w:t:e1").lineage().startedBy()).isEqualTo("tester");
        assertThat(run("w:t:e1").lineage().chain().links()).hasSize(1);
        assertThat(letters()).as("only the first delivery adds a dead letter").hasSize(1);
    }

    @Test
    void a_cascade_is_redriven_with_its_chain_once_the_limit_allows_it() {
        events.register(
                "loop",
                "limits: {max_cascade_depth: 4}\ntriggers: [{id: t, event: e}]\nsteps: [{id: again, emit: {event: e}}]\n");
        events.send("e1", "e", "{}");
        events.world.advanceAll();
        var submission = submission(letters().getFirst());
        assertThat(events.world.handle(new SubmitToTrigger(submission)).kind()).isEqualTo(EventOutcome.Kind.CASCADE);
        events.register(
                "loop",
                "limits: {max_cascade_depth: 6}\ntriggers: [{id: t, event: e}]\nsteps: [{id: again, uses: m}]\n");
        EventOutcome started = events.world.handle(new SubmitToTrigger(submission));
        var lineage = run(String.valueOf(started.run())).lineage();
        assertThat(lineage.depth()).isEqualTo(6);
        assertThat(lineage.correlationId("x")).isEqualTo("e1");
        assertThat(lineage.chain().links())
                .extracting(CausalChain.Link::name)
                .containsExactly("e", "loop", "e", "loop", "e", "loop", "e");
    }

    @Test
    void a_depth_of_ten_in_the_definition_is_a_value_like_any_other() {
        var values = new ConfigureRunLimits.Values(
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Keep<>(),
                new FieldChange.Replace<>(50),
                ConfigureRunLimits.Note.NONE,
                Moment.NEVER);
        events.world.handle(new ConfigureRunLimits(new LimitId.OrgRuns(), values, null));
        String loop = "triggers: [{id: t, event: %1$s}]\nsteps: [{id: again, emit: {event: %1$s}}]\n";
        events.register("ten", "limits: {max_cascade_depth: 10}\n" + loop.formatted("e"));
        events.register("unset", loop.formatted("f"));
        events.send("e1", "e", "{}");
        events.send("f1", "f", "{}");
        events.world.advanceAll();
        assertThat(letters())
                .extracting(DeadLetter.Content::text)
                .anyMatch(text -> text.startsWith("ten/t: expected a chain of at most 10 "))
                .anyMatch(text -> text.startsWith("unset/t: expected a chain of at most 50 "));
    }

    private List<DeadLetter.Content> letters() {
        return events.world.moves.stream()
                .filter(Move.DeadLettered.class::isInstance)
                .map(move -> ((Move.DeadLettered) move).letter().content())
                .toList();
    }

    private static TriggerSubmission submission(DeadLetter.Content letter) {
        String text = Objects.requireNonNull(letter.submission());
        return Objects.requireNonNull(
                TriggerSubmission.read(letter, JsonMapper.shared().readTree(text)));
    }

    @Test
    void a_burst_is_delivered_in_parts_and_a_restart_in_between_loses_and_repeats_nothing() {
        for (int i = 0; i < 60; i++) {
            events.register(
                    String.format("w%02d", i),
                    "triggers: [{id: t, event: e, if: '${{ range(3000).all(x, x >= 0) }}'}]\n" + STEP);
        }
        events.world.advance();
        events.send("e1", "e", "{}");
        int first = events.outcomes().size();
        assertThat(first).isBetween(1, 59);
        assertThat(events.world.org.nextWakeup()).isLessThanOrEqualTo(events.world.now);
        while (events.world.org.nextWakeup() <= events.world.now) {
            events.world.restart();
            events.world.advance();
        }
        assertThat(events.outcomes()).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    void pending_events_have_a_bound() {
        var org = new Organisation(ignored -> null);
        ReceiveEvent.Answer answer = ReceiveEvent.Answer.RECEIVED;
        int received = 0;
        while (answer == ReceiveEvent.Answer.RECEIVED) {
            received++;
            answer = org.handle(
                            new ReceiveEvent("e" + received, "e", null, World.json("{}"), null, "tester", null), 1_000)
                    .answer();
        }
        assertThat(answer).isEqualTo(ReceiveEvent.Answer.TOO_MANY);
        assertThat(received).isEqualTo(EventDelivery.PENDING_MAX + 1);
    }

    @Test
    void a_sender_cannot_use_the_ids_of_emitted_events() {
        assertThatThrownBy(() -> new ReceiveEvent("weir.x", "e", null, World.json("{}"), null, "tester", null))
                .hasMessageContaining("does not begin with weir.");
    }

    @Test
    void ids_of_runs_stay_unique_and_short() {
        String longId = "x".repeat(EventRow.ID_CHARS_MAX);
        events.register("w", "triggers: [{id: t, event: e}]\n" + STEP);
        events.send(longId, "e", "{}");
        List<String> outcomes = events.outcomes();
        assertThat(outcomes.getFirst()).startsWith("w/t started triggered:").hasSizeLessThan(120);
    }
}
