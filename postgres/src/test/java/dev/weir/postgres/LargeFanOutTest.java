package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.records.StepRecord;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.shard.CounterName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests a fan-out that is far too large for one transaction, with restarts while its items are created and executed.
 */
@Timeout(300)
class LargeFanOutTest {
    private static final int ITEMS = 20_000;
    private static final int CONCURRENCY = 100;
    private static final long LEASE = 30_000_000;

    private final BitSet done = new BitSet();
    private int requests;

    @Test
    @Tag("R1.1")
    @Tag("R1.10")
    void a_large_fan_out_is_processed_in_parts_while_others_run_and_continues_after_restarts() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (Weir weir = open()) {
            register(weir, org, "workflow: other\nsteps: [ { id: say, uses: other } ]");
            register(weir, org, """
                    workflow: large
                    steps:
                      - { id: each, with_items: "${{ range(%d) }}", concurrency: %d, uses: large, with: { n: "${{ index }}" } }
                      - { id: last, needs: [each], uses: last }
                    """.formatted(ITEMS, CONCURRENCY));
            long commits = weir.counters().of(CounterName.COMMITS);
            start(weir, org, "r", "large");
            finishOtherRun(weir, org, "while-made");
            assertThat(items(weir, org).total()).isEqualTo(ITEMS);
            assertThat(weir.counters().of(CounterName.COMMITS)).isGreaterThan(commits);
        }
        try (Weir weir = open()) {
            work(weir, org, ITEMS / 2);
            finishOtherRun(weir, org, "while-worked-on");
            StepRecord.Items half = items(weir, org);
            assertThat(half.made()).isEqualTo(ITEMS);
            assertThat(half.ended()).isGreaterThanOrEqualTo(ITEMS / 2);
        }
        try (Weir weir = open()) {
            work(weir, org, ITEMS);
            assertThat(items(weir, org).ended()).isEqualTo(ITEMS);
            finish(weir, org, "last");
            assertThat(weir.records().findRun(org, "r").orElseThrow().state()).isEqualTo(RunState.COMPLETED);
            assertThat(weir.counters().of(CounterName.DIFFERENCES)).isZero();
        }
        assertThat(done.cardinality()).isEqualTo(ITEMS);
    }

    @Test
    @Tag("R1.10")
    void failed_items_are_retried_in_parts_exactly_once_even_if_the_node_stops_midway() throws Exception {
        String org = TestPostgres.createOrganisation();
        int many = 5_000;
        try (Weir weir = open()) {
            register(weir, org, """
                    workflow: large
                    steps: [ { id: each, with_items: "${{ range(%d) }}", uses: large, retry: { max_attempts: 1 }, on_failure: pause } ]
                    """.formatted(many));
            start(weir, org, "r", "large");
            for (int failed = 0; failed < many; ) {
                failed += report(weir, org, new Update.Failed("no", true));
            }
            assertThat(state(weir, org)).isEqualTo(RunState.PAUSED);
            assertThat(items(weir, org).failed()).isEqualTo(many);
            assertThat(get(weir.send(org, new ResumeRun("r")))).isEqualTo(ResumeRun.Answer.RESUMED);
        }
        try (Weir weir = open()) {
            int again = report(weir, org, new Update.Failed("again", true));
            assertThat(again).isPositive();
            for (int done = 0; done < many - again; ) {
                done += report(weir, org, new Update.Completed(OrganisationHarness.json("1")));
            }
            assertThat(items(weir, org).failed()).isEqualTo(again);
            assertThat(state(weir, org)).isEqualTo(RunState.PAUSED);
            assertThat(get(weir.send(org, new ResumeRun("r")))).isEqualTo(ResumeRun.Answer.RESUMED);
            for (int done = 0; done < again; ) {
                done += report(weir, org, new Update.Completed(OrganisationHarness.json("1")));
            }
            assertThat(state(weir, org)).isEqualTo(RunState.COMPLETED);
            assertThat(weir.counters().of(CounterName.DIFFERENCES)).isZero();
        }
    }

    /** Claims the items that are available now and reports that update for each. */
    private int report(Weir weir, String org, Update update) throws Exception {
        List<CompletableFuture<UpdateStep.Answer>> answers = new ArrayList<>();
        for (Assignment work : claim(weir, org, "large", 500)) {
            answers.add(weir.send(
                    org, new UpdateStep(work.claim().unit(), work.claim().fence(), update)));
        }
        for (CompletableFuture<UpdateStep.Answer> answer : answers) {
            assertThat(get(answer)).isEqualTo(UpdateStep.Answer.APPLIED);
        }
        return answers.size();
    }

    private static RunState state(Weir weir, String org) {
        return weir.records().findRun(org, "r").orElseThrow().state();
    }

    private static void register(Weir weir, String org, String definition) throws Exception {
        get(weir.send(org, new RegisterWorkflow(WorkflowReader.read(definition).orThrow())));
    }

    private static void start(Weir weir, String org, String run, String workflow) throws Exception {
        get(weir.start(org, StartRequest.of(run, workflow, OrganisationHarness.json("{}"))));
    }

    /** Checks that another run completes, whatever the large one does. */
    private void finishOtherRun(Weir weir, String org, String run) throws Exception {
        start(weir, org, run, "other");
        finish(weir, org, "other");
    }

    private void finish(Weir weir, String org, String module) throws Exception {
        for (Assignment work : claim(weir, org, module, 1)) {
            assertThat(get(weir.send(org, done(work)))).isEqualTo(UpdateStep.Answer.APPLIED);
        }
    }

    private void work(Weir weir, String org, int until) throws Exception {
        while (done.cardinality() < until) {
            List<CompletableFuture<UpdateStep.Answer>> answers = new ArrayList<>();
            List<Assignment> assignments = claim(weir, org, "large", CONCURRENCY);
            assertThat(assignments.size()).isLessThanOrEqualTo(CONCURRENCY);
            assignments.forEach(work -> answers.add(weir.send(org, done(work))));
            for (int i = 0; i < answers.size(); i++) {
                assertThat(get(answers.get(i))).isEqualTo(UpdateStep.Answer.APPLIED);
                Assignment work = assignments.get(i);
                int item = work.claim().unit().item();
                assertThat(work.input().value().path("n").intValue()).isEqualTo(item);
                assertThat(done.get(item)).as("item %s was done before", item).isFalse();
                done.set(item);
            }
        }
    }

    private List<Assignment> claim(Weir weir, String org, String module, int most) throws Exception {
        requests++;
        var work = new ClaimWork("q" + requests, "w", List.of(new ClaimWork.ServedModule(module)), most, LEASE);
        return get(weir.claim(org, work, Duration.ofSeconds(20)));
    }

    private static UpdateStep done(Assignment work) {
        var output = new Update.Completed(OrganisationHarness.json("{\"ok\": true}"));
        return new UpdateStep(work.claim().unit(), work.claim().fence(), output);
    }

    private static StepRecord.Items items(Weir weir, String org) {
        var items = weir.records().steps(org, "r").getFirst().items();
        if (items == null) {
            throw new AssertionError("expected a fan-out, found none");
        }
        return items;
    }

    private static Weir open() {
        return Weir.open(
                TestPostgres.postgres().journal(), TestPostgres.postgres().records(), new EngineSettings("large"));
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(120, TimeUnit.SECONDS);
    }
}
