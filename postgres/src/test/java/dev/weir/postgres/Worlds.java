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
public final class Worlds implements AutoCloseable {
    private static final long LEASE = 30_000_000;
    private static final String ONE_STEP = """
            workflow: one
            steps: [{id: a, uses: m}]
            """;

    public final String org;
    private final Journal journal;
    public ShardOwnership tenure;
    public final Plan plan;
    public Organisation memory;
    private int requests;

    public Worlds(Journal journal, String org) {
        this(journal, org, ONE_STEP);
    }

    public Worlds(Journal journal, String org, String definition) {
        this.org = org;
        this.journal = journal;
        this.tenure = journal.take(journal.shardOf(org), "world");
        this.memory = Organisation.restore(tenure.load(org), now());
        Workflow workflow = WorkflowReader.read(definition).orThrow();
        int version = commit(new RegisterWorkflow(workflow)).version();
        this.plan = tenure.plan(org, workflow.name(), version);
    }

    /** Creates a run that has ended, one that is claimed, and one that waits. */
    public static void live(String org) {
        try (var world = new Worlds(Server.postgres().journal(), org)) {
            for (int i = 0; i < 3; i++) {
                world.commit(StartRun.of("r" + i, world.plan, json("{}")));
            }
            List<Assignment> claims = world.claim(2);
            world.commit(world.completed(claims.getFirst(), "1"));
        }
    }

    /** Takes the shard again with the same memory, as after a lost connection. */
    public void retake() {
        tenure.close();
        tenure = journal.take(journal.shardOf(org), "world");
    }

    public static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    public long now() {
        try (Transaction entry = tenure.begin()) {
            return entry.now();
        }
    }

    /** Decides a command and everything that follows from it, and commits it. */
    public <A> A commit(Command<A> command) {
        try (Transaction entry = tenure.begin()) {
            A answer = write(entry, command);
            entry.commit();
            return answer;
        }
    }

    public <A> A write(Transaction entry, Command<A> command) {
        var decision = memory.handle(command, entry.now());
        entry.write(org, decision.moves());
        entry.write(org, memory.advance(entry.now()).moves());
        return decision.answer();
    }

    public List<Assignment> claim(int most) {
        requests++;
        List<Assignment> given = new ArrayList<>();
        try (Transaction entry = tenure.begin()) {
            var request = new ClaimWork("q" + requests, "w", List.of(new ClaimWork.Serves("m")), most, LEASE);
            entry.write(org, memory.handle(request, entry.now()).moves());
            var advance = memory.advance(entry.now());
            entry.write(org, advance.moves());
            entry.commit();
            advance.served().forEach(served -> given.addAll(served.assignments()));
        }
        return given;
    }

    public UpdateStep completed(Assignment assignment, String output) {
        return new UpdateStep(
                assignment.claim().unit(), assignment.claim().fence(), new Update.Completed(json(output)));
    }

    @Override
    public void close() {
        tenure.close();
    }
}
