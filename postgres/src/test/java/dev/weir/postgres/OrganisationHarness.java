package dev.weir.postgres;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Update;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One organisation that is decided in memory and stored in PostgreSQL, step by step. */
public final class OrganisationHarness implements AutoCloseable {
    private static final long LEASE = 30_000_000;
    private static final String ONE_STEP = """
            workflow: one
            steps: [{id: a, uses: m}]
            """;

    public final String org;
    private final Journal journal;
    public ShardOwnership ownership;
    public final Plan plan;
    public Organisation memory;
    private int requests;

    public OrganisationHarness(Journal journal, String org) {
        this(journal, org, ONE_STEP);
    }

    public OrganisationHarness(Journal journal, String org, String definition) {
        this.org = org;
        this.journal = journal;
        this.ownership = journal.take(journal.shardOf(org), "world");
        this.memory = Organisation.restore(ownership.load(org), now());
        Workflow workflow = WorkflowReader.read(definition).orThrow();
        int version = commit(new RegisterWorkflow(workflow)).version();
        this.plan = ownership.plan(org, workflow.name(), version);
    }

    /** Creates a run that has ended, one that is claimed, and one that waits. */
    public static void addSampleRuns(String org) {
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
            for (int i = 0; i < 3; i++) {
                harness.commit(StartRun.of("r" + i, harness.plan, json("{}")));
            }
            List<Assignment> claims = harness.claim(2);
            harness.commit(harness.completion(claims.getFirst(), "1"));
        }
    }

    /** Takes the shard again with the same memory, as after a lost connection. */
    public void retake() {
        ownership.close();
        ownership = journal.take(journal.shardOf(org), "world");
    }

    public static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    public long now() {
        try (Transaction transaction = ownership.begin()) {
            return transaction.now();
        }
    }

    /** Decides a command and everything that follows from it, and commits it. */
    public <A> A commit(Command<A> command) {
        try (Transaction transaction = ownership.begin()) {
            A answer = write(transaction, command);
            transaction.commit();
            return answer;
        }
    }

    public <A> A write(Transaction transaction, Command<A> command) {
        var decision = memory.handle(command, transaction.now());
        transaction.write(org, decision.moves());
        transaction.write(org, memory.advance(transaction.now()).moves());
        return decision.answer();
    }

    public List<Assignment> claim(int most) {
        requests++;
        List<Assignment> assignments = new ArrayList<>();
        try (Transaction transaction = ownership.begin()) {
            var request = new ClaimWork("q" + requests, "w", List.of(new ClaimWork.ServedModule("m")), most, LEASE);
            transaction.write(org, memory.handle(request, transaction.now()).moves());
            var advance = memory.advance(transaction.now());
            transaction.write(org, advance.moves());
            transaction.commit();
            advance.answeredPolls().forEach(served -> assignments.addAll(served.assignments()));
        }
        return assignments;
    }

    public UpdateStep completion(Assignment assignment, String output) {
        return new UpdateStep(
                assignment.claim().unit(), assignment.claim().fence(), new Update.Completed(json(output)));
    }

    @Override
    public void close() {
        ownership.close();
    }
}
