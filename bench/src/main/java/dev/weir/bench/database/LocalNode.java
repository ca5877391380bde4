package dev.weir.bench.database;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.shard.CounterName;
import dev.weir.postgres.PostgresDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A Weir node in this process, on the benchmark's database, with the production schema. */
final class LocalNode implements AutoCloseable {
    static final String ORG = "bench";
    private static final long LEASE_MICROS = 60_000_000;
    static final JsonNode PAYLOAD = JsonMapper.shared().readTree(Payload.JSON);

    private final PostgresDatabase postgres;
    private final Weir weir;

    LocalNode(BenchDatabase server) throws SQLException {
        postgres = PostgresDatabase.open(server.address());
        postgres.organisations().createOrganisation(ORG);
        weir = Weir.open(postgres.journal(), postgres.records(), new EngineSettings("bench"));
    }

    Weir weir() {
        return weir;
    }

    /** Creates an organisation in the same shard as another one. Returns its name. */
    String organisationInShardOf(String other) {
        for (int i = 0; ; i++) {
            String name = "neighbour-" + i;
            postgres.organisations().createOrganisation(name);
            if (postgres.journal().shardOf(name) == postgres.journal().shardOf(other)) {
                return name;
            }
        }
    }

    /** The number of transactions that the node has committed. */
    long commits() {
        return weir.counters().counts().getOrDefault(CounterName.COMMITS, 0L);
    }

    void register(String definition) {
        Workflow workflow = switch (WorkflowReader.read(definition)) {
            case ReadResult.Accepted<Workflow> accepted -> accepted.value();
            case ReadResult.Refused<Workflow> refused ->
                throw new IllegalArgumentException(refused.problems().toString());
        };
        weir.send(ORG, new RegisterWorkflow(workflow)).join();
    }

    /**
     * Starts a run with the payload as its input.
     *
     * @param key a key to add to the payload, if any
     */
    CompletableFuture<StartOutcome> start(String run, String workflow, @Nullable Integer key) {
        JsonNode input =
                key == null ? PAYLOAD : ((ObjectNode) PAYLOAD).deepCopy().put("key", key);
        return weir.start(ORG, StartRequest.of(run, workflow, input)).thenApply(answer -> {
            if (answer instanceof StartOutcome.Started) {
                return answer;
            }
            throw new IllegalStateException("expected run " + run + " to start, found " + answer);
        });
    }

    CompletableFuture<List<Assignment>> claim(String request, String module, int maxClaims) {
        return weir.claim(
                ORG,
                new ClaimWork(request, "worker", List.of(new ClaimWork.ServedModule(module)), maxClaims, LEASE_MICROS),
                Duration.ofSeconds(20));
    }

    CompletableFuture<UpdateStep.Answer> complete(Assignment assignment) {
        var claim = assignment.claim();
        return weir.send(ORG, new UpdateStep(claim.unit(), claim.fence(), new Update.Completed(PAYLOAD)))
                .thenApply(answer -> {
                    if (answer == UpdateStep.Answer.APPLIED) {
                        return answer;
                    }
                    throw new IllegalStateException("expected " + claim.unit() + " to be applied, found " + answer);
                });
    }

    @Override
    public void close() {
        weir.close();
        postgres.close();
    }
}
