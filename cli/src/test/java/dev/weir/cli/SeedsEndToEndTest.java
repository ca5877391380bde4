package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.api.Runs.Items;
import dev.weir.api.Runs.OverrideRequest;
import dev.weir.api.Runs.RunView;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Why;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ConcurrencyProfile;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.Unit;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.WorkClaim;
import dev.weir.client.Client;
import dev.weir.client.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Tests the documents that Weir grew from against a real node: HTTP, engine and PostgreSQL. */
@SuppressWarnings("NullAway.Init") // set before the first test
class SeedsEndToEndTest {
    private static RunningNode node;
    private static Client client;

    @BeforeAll
    static void open() throws Exception {
        node = RunningNode.shared();
        client = node.client;
    }

    @Test
    @Tag("R0.3")
    void seed_0_fifty_steps_run_ten_at_once() throws Exception {
        String steps = IntStream.range(0, 50)
                .mapToObj(i -> "  - { id: s" + i + ", uses: seed0.work }\n")
                .collect(Collectors.joining());
        client.apply("seed0", """
                type: seed0
                max_concurrent_steps: 10
                max_steps_per_tick: 5
                runtime: { tick_interval: 250ms }
                steps:
                """ + steps);
        var handler = new RecordingHandler(Duration.ofMillis(600));
        try (var worker = worker("seed0.work", handler, 30)) {
            client.start(StartRunRequest.of("seed0", "seed0-run", null));
            var most = new int[1];
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                RunView run = client.run("seed0-run");
                most[0] = Math.max(most[0], run.runningSteps().size());
                return run.endedAt() != null;
            });
            assertThat(client.run("seed0-run").state()).isEqualTo("completed");
            assertThat(handler.attempts()).hasSize(50);
            assertThat(handler.maxConcurrent()).as("bodies at once").isBetween(2, 10);
            assertThat(most[0]).as("running_steps").isBetween(1, 10);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    @Tag("R0.4")
    void seed_0_a_tick_starts_five_although_ten_may_run_at_once() throws Exception {
        applyTicks("seed0-tick", "1h");
        client.start(StartRunRequest.of("seed0-tick", "tick-run", null));
        var first = claimOf("tick-run", List.of(), 30);
        assertThat(first).as("starts of the first tick").hasSize(5);
        assertThat(claimOf("tick-run", List.of(), 30))
                .as("places are left, the tick is full")
                .isEmpty();
        complete(first.get(0));
        assertThat(claimOf("tick-run", List.of(), 30))
                .as("a freed place is no new tick")
                .isEmpty();
        var reason = client.why("tick-run", "s11", null).reasons().get(0);
        assertThat(Objects.requireNonNull(reason.limit()).kind()).isEqualTo("run_tick");
    }

    @Test
    @Tag("R0.4")
    @Tag("R0.5")
    void seed_0_the_next_tick_comes_without_any_outside_event_and_no_tick_starts_more_than_five() throws Exception {
        applyTicks("seed0-ticks", "100ms");
        client.start(StartRunRequest.of("seed0-ticks", "ticks-run", null));
        int claimed = 0;
        for (int polls = 0; claimed < 10 && polls < 20; polls++) {
            // One response holds the grants of one moment, which lies within one tick.
            var some = claims("seed0-ticks", 30);
            assertThat(some).as("starts of one tick").hasSizeLessThanOrEqualTo(5);
            claimed += some.size();
        }
        assertThat(claimed).as("in flight at once").isEqualTo(10);
        assertThat(noWait("seed0-ticks")).isEmpty();
    }

    /** Registers a workflow of twelve steps that use a module with the workflow's name. */
    private static void applyTicks(String workflow, String interval) throws Exception {
        String steps = IntStream.range(0, 12)
                .mapToObj(i -> "  - { id: s" + i + ", uses: " + workflow + " }\n")
                .collect(Collectors.joining());
        client.apply(workflow, "type: " + workflow + "\nruntime: { tick_interval: " + interval + " }\n" + """
                max_concurrent_steps: 10
                max_steps_per_tick: 5
                steps:
                """ + steps);
    }

    @Test
    @Tag("R0.13")
    void a_live_run_keeps_its_limits_when_its_workflow_is_applied_again_and_a_later_run_has_the_new_ones()
            throws Exception {
        applyLimited(1);
        client.start(StartRunRequest.of("again", "again-live", null));
        var first = claimOf("again-live", List.of(), 9);
        assertThat(first).hasSize(1);
        applyLimited(2);
        assertThat(claimOf("again-live", List.of(), 9))
                .as("new limits under the live run")
                .isEmpty();
        client.start(StartRunRequest.of("again", "again-later", null));
        assertThat(claimOf("again-later", List.of(), 9))
                .extracting(WorkClaim::step)
                .containsExactly("a", "b");
        complete(first.get(0));
        var next = claimOf("again-live", List.of(), 9);
        assertThat(next).extracting(WorkClaim::step).containsExactly("b");
        complete(next.get(0));
        assertThat(claimOf("again-live", List.of(), 9))
                .as("items of the live run: %s", client.run("again-live"))
                .extracting(WorkClaim::item)
                .containsExactly(0);
        assertThat(client.run("again-live").version()).isEqualTo(1);
        assertThat(client.run("again-later").version()).isEqualTo(2);
    }

    private static void applyLimited(int most) throws Exception {
        client.apply("again", """
                workflow: again
                max_concurrent_steps: MOST
                flow_control: { key: "again-${{ run.id }}", parallelism: MOST }
                steps:
                  - { id: a, uses: again.work }
                  - { id: b, uses: again.work }
                  - { id: each, needs: [a, b], uses: again.work, with_items: [1, 2, 3], concurrency: MOST }
                """.replace("MOST", String.valueOf(most)));
    }

    @Test
    @Tag("R1.2")
    @Tag("R1.3")
    @Tag("R1.4")
    void seed_1_five_items_three_at_a_time_in_the_sequence_of_the_document() throws Exception {
        client.apply("seed1", """
                workflow: seed1
                steps:
                  - { id: each, with_items: "${{ input.items }}", concurrency: 3, uses: seed1.item, with: { n: "${{ item }}" } }
                  - { id: after, needs: [each], uses: seed1.after }
                """);
        client.start(
                StartRunRequest.of("seed1", "seed1-run", JsonMapper.shared().readTree("{\"items\":[0,1,2,3,4]}")));
        var first = claims("seed1.item", 5);
        assertThat(first).extracting(WorkClaim::item).containsExactly(0, 1, 2);
        assertItems(2, 3, 0, 5);
        complete(first.get(0));
        var third = claims("seed1.item", 5);
        assertThat(third).extracting(WorkClaim::item).containsExactly(3);
        assertItems(1, 3, 0, 4);
        complete(first.get(1));
        var fourth = claims("seed1.item", 5);
        assertThat(fourth).extracting(WorkClaim::item).containsExactly(4);
        assertItems(0, 3, 0, 3);
        complete(first.get(2));
        assertThat(noWait("seed1.item")).isEmpty();
        assertItems(0, 2, 1, 2);
        complete(third.get(0));
        assertItems(0, 1, 2, 1);
        assertThat(noWait("seed1.after")).as("successors before the last item").isEmpty();
        complete(fourth.get(0));
        assertThat(repeat(fourth.get(0))).isEqualTo("replayed");
        var after = claims("seed1.after", 5);
        assertThat(after).hasSize(1);
        complete(after.get(0));
        assertThat(node.awaitEnd("seed1-run").state()).isEqualTo("completed");
        var items = client.items("seed1-run", "each", null).items();
        assertThat(items).hasSize(5).allMatch(item -> item.state().equals("completed"));
    }

    private static void assertItems(int requested, int inFlight, int freeSlots, int remaining) throws Exception {
        Items items =
                Objects.requireNonNull(client.run("seed1-run").steps().get(0).items());
        assertThat(items.requested()).as("requested").isEqualTo(requested);
        assertThat(items.inFlight()).as("in flight").isEqualTo(inFlight);
        assertThat(items.freeSlots()).as("free slots").isEqualTo(freeSlots);
        assertThat(items.siblingsRemaining()).as("siblings remaining").isEqualTo(remaining);
    }

    @Test
    @Tag("R2.1")
    @Tag("R2.2")
    @Tag("R2.3")
    @Tag("R2.5")
    @Tag("R2.7")
    void seed_2_claims_reserve_slots_exclusive_steps_run_alone_and_overrides_count_at_once() throws Exception {
        client.apply("commission-work", """
                id: commission-work
                runtime: { max_parallel: 3 }
                modules:
                  - { id: anchor-docs, module: seed2.docs }
                  - { id: reviews, module: seed2.reviews }
                  - { id: notes, module: seed2.docs }
                  - { id: alone, module: seed2.docs, exclusive: true }
                """);
        registerProfile();
        client.start(StartRunRequest.of("commission-work", "work-1", null));
        var chosen = claimOf("work-1", List.of("reviews"), 9);
        assertThat(chosen).extracting(WorkClaim::step).containsExactly("reviews");
        var more = claimOf("work-1", List.of(), 9);
        assertThat(more).as("reviews takes two of three slots").hasSize(1);
        assertThat(claimOf("work-1", List.of("alone"), 9))
                .as("exclusive while others run")
                .isEmpty();
        client.override("work-1", OverrideRequest.of(4, null));
        var raised = claimOf("work-1", List.of(), 9);
        assertThat(raised).extracting(WorkClaim::step).containsExactly("notes");
        client.override("work-1", OverrideRequest.of(1, null));
        assertThat(client.run("work-1").runningSteps())
                .as("lowering kills nothing")
                .hasSize(3);
        complete(chosen.get(0));
        complete(more.get(0));
        assertThat(claimOf("work-1", List.of(), 9)).as("one runs, and one may").isEmpty();
        complete(raised.get(0));
        client.override("work-1", OverrideRequest.of(null, null));
        var alone = claimOf("work-1", List.of(), 9);
        assertThat(alone).extracting(WorkClaim::step).containsExactly("alone");
        assertThat(client.run("work-1").runningSteps()).containsExactly(new Unit("alone", null));
        complete(alone.get(0));
        assertThat(node.awaitEnd("work-1").state()).isEqualTo("completed");
    }

    /** Registers a module that declares two slots. Steps that become ready afterwards use that default. */
    private static void registerProfile() throws Exception {
        var wide = new ModuleInfo("seed2.reviews", "Reviews", "1.0.0", new ConcurrencyProfile(2, false));
        client.claim(new ClaimRequest(List.of(wide), null, null, 1, null, null, null, "test"));
    }

    @Test
    @Tag("R3.2")
    @Tag("R3.3")
    @Tag("RX.6")
    void seed_3_two_workflows_share_the_parallelism_and_the_rate_of_one_key() throws Exception {
        for (String name : List.of("seed3-a", "seed3-b")) {
            client.apply(name, "workflow: " + name + "\n" + """
                    flowControl: { key: shared-api, parallelism: 2, rate: 4, period: 2s }
                    steps:
                      - { id: one, uses: seed3.call }
                      - { id: two, uses: seed3.call }
                    """);
        }
        var handler = new RecordingHandler(Duration.ofMillis(300));
        try (var worker = worker("seed3.call", handler, 20)) {
            for (int i = 0; i < 3; i++) {
                client.start(StartRunRequest.of("seed3-a", "a" + i, null));
                client.start(StartRunRequest.of("seed3-b", "b" + i, null));
            }
            for (int i = 0; i < 3; i++) {
                assertThat(node.awaitEnd("a" + i).state()).isEqualTo("completed");
                assertThat(node.awaitEnd("b" + i).state()).isEqualTo("completed");
            }
            assertThat(handler.attempts()).hasSize(12);
            assertThat(handler.maxConcurrent()).isLessThanOrEqualTo(2);
            // The rate is counted at the grant. A handler begins a little later, so the window here is a little
            // shorter.
            assertThat(handler.maxStartedWithin(Duration.ofMillis(1_500))).isLessThanOrEqualTo(4);
            assertThat(handler.timeBetweenFirstAndLastStart()).isGreaterThan(Duration.ofMillis(3_500));
            assertThat(worker).isNotNull();
        }
        assertThat(client.key("shared-api").waiting()).isZero();
        assertThat(client.key("shared-api").parallelism().used()).isZero();
    }

    @Test
    @Tag("RX.2")
    void a_step_blocked_by_two_keys_and_no_worker_names_all_three() throws Exception {
        client.apply("why3", """
                workflow: why3
                steps:
                  - id: a
                    uses: why3.nobody
                    flow_control: [ { key: why-x, parallelism: 1 }, { key: why-y, parallelism: 1 } ]
                """);
        client.start(StartRunRequest.of("why3", "why-1", null));
        assertThat(claimOf("why-1", List.of(), 1)).hasSize(1);
        client.start(StartRunRequest.of("why3", "why-2", null));
        var reasons = client.why("why-2", "a", null).reasons();
        assertThat(reasons).extracting(Why.Reason::reason).containsExactly("limit", "limit", "no_worker");
        assertThat(reasons.subList(0, 2)).allSatisfy(reason -> {
            var limit = Objects.requireNonNull(reason.limit());
            assertThat(limit.holders()).extracting(Why.Holder::run).containsExactly("why-1");
            assertThat(limit.used()).isEqualTo(1);
            assertThat(limit.capacity()).isEqualTo(1);
        });
    }

    private static Worker worker(String module, RecordingHandler handler, int concurrency) {
        return Worker.of(client)
                .module(module, handler)
                .name(module)
                .concurrency(concurrency)
                .start();
    }

    private static List<WorkClaim> claims(String module, int limit) throws Exception {
        return client.claim(
                        new ClaimRequest(List.of(ModuleInfo.of(module)), null, null, limit, "10s", null, null, "test"))
                .claims();
    }

    private static List<WorkClaim> noWait(String module) throws Exception {
        return client.claim(new ClaimRequest(List.of(ModuleInfo.of(module)), null, null, 9, null, null, null, "test"))
                .claims();
    }

    private static List<WorkClaim> claimOf(String run, List<String> steps, int limit) throws Exception {
        return client.claim(new ClaimRequest(null, run, steps, limit, null, null, null, "test"))
                .claims();
    }

    private static void complete(WorkClaim claim) throws Exception {
        assertThat(repeat(claim)).isEqualTo("applied");
    }

    private static String repeat(WorkClaim claim) throws Exception {
        return client.update(new UpdateRequest(List.of(ModuleStatusUpdate.completed(claim, null))))
                .results()
                .get(0)
                .outcome();
    }
}
