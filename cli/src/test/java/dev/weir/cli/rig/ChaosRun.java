package dev.weir.cli.rig;

import dev.weir.api.Health;
import dev.weir.api.Keys.KeyView;
import dev.weir.cli.rig.FaultTrap.InjectedFault;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.LocalProfile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;

/**
 * One storm: PostgreSQL, a node, a proxy between them, and a load. Faults follow each other; then everything may
 * end.
 */
final class ChaosRun implements AutoCloseable {
    private static final int WORKER_POOLS = 4;
    private static final int WORKERS_PER_POOL = 12;
    private static final int FAULT_TIMEOUT_SECONDS = 60;
    /** The number of reports that must be answered between two faults. */
    static final int REPORTS_BETWEEN = 20;

    /** One run out of this many is read through the API at the end. */
    private static final int RUNS_PER_SAMPLE = 10;

    private static final Duration RECOVERY_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(90);

    private final Path directory;
    private final Database database;
    private final CommitProxy proxy;
    private final NodeProcess.NodeLaunch launch;
    private final LoadState loadState = new LoadState();
    private final ClientLog clientLog = new ClientLog();
    private final RigStatistics statistics = new RigStatistics();
    private final List<InjectedFault> injectedFaults = new ArrayList<>();
    private final List<WorkerPool> workerPools = new ArrayList<>();
    private final List<Thread> loadThreads = new ArrayList<>();
    private NodeProcess node;

    ChaosRun(Path directory) throws IOException {
        this.directory = directory;
        TestFolder.create(directory);
        this.database = new Database(directory.resolve("postgres"));
        this.proxy = new CommitProxy(database.port());
        this.launch = new NodeProcess.NodeLaunch(
                directory.resolve("node"),
                directory.resolve("node.log"),
                NodePort.findFree(),
                List.of("--database", proxy.url("weir")),
                Map.of("PGUSER", database.user(), "PGPASSWORD", database.password()));
        this.node = NodeProcess.start(launch);
    }

    /** Waits for the node, and starts the load. */
    private void startLoad() throws IOException, InterruptedException {
        node.awaitReady();
        var client = client();
        for (Load.LoadWorkflow flow : Load.FLOWS) {
            loadState.retryUntilAnswered(() -> client.apply(flow.name(), flow.definition()));
            loadThreads.add(Thread.ofVirtual().start(new Starter(flow, client, loadState, clientLog)));
        }
        loadThreads.add(Thread.ofVirtual().start(new Operator(client, loadState, clientLog)));
        for (int i = 0; i < WORKER_POOLS; i++) {
            // Each crew has its own connections, as if it were a process of its own.
            var workerPool = new WorkerPool("crew-" + i, client(), loadState, clientLog);
            workerPools.add(workerPool);
            workerPool.start(WORKERS_PER_POOL);
        }
    }

    private Client client() throws IOException {
        String token = LocalProfile.find(launch.data()).orElseThrow().token();
        return new Client(Connection.to(launch.url(), token).withRetryTimeout(Duration.ZERO));
    }

    /** Injects all faults in an order that the seed determines, and then waits until everything has ended. */
    Evidence run(long seed) throws Exception {
        long from = System.nanoTime();
        startLoad();
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            faults.addAll(Collections.nCopies(fault.times, fault));
        }
        Collections.shuffle(faults, new Random(seed));
        for (Fault fault : faults) {
            injectFault(fault);
        }
        statistics.setFaultTime(System.nanoTime() - from);
        drain();
        Evidence evidence = evidence();
        statistics.setTotalTime(System.nanoTime() - from);
        return evidence;
    }

    private void injectFault(Fault fault) throws Exception {
        awaitRecovery();
        FaultTrap.FaultAction action =
                fault.killsTheNode() ? node::kill : fault.stopsPostgres() ? database::stopImmediately : () -> {};
        var trap = new FaultTrap(fault, loadState.liveClaims::get, action);
        proxy.arm(trap);
        injectedFaults.add(trap.await(FAULT_TIMEOUT_SECONDS));
        if (fault.killsTheNode()) {
            node = NodeProcess.start(launch);
            statistics.nodeStarted(node.awaitReady());
        } else if (fault.stopsPostgres()) {
            statistics.postgresStarted(database.reopen());
        } else if (!node.isAlive()) {
            throw new AssertionError("the node has ended by itself; its log ends with:\n" + node.logEnd());
        }
    }

    /** Waits until work continues, which means that the last fault is over. */
    private void awaitRecovery() {
        int before = loadState.reportCount.get();
        long from = System.nanoTime();
        Awaitility.await("work that goes on after a fault")
                .atMost(RECOVERY_TIMEOUT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> loadState.reportCount.get() >= before + REPORTS_BETWEEN);
        statistics.recovered(Duration.ofNanos(System.nanoTime() - from));
    }

    private void drain() throws Exception {
        long from = System.nanoTime();
        loadState.endStarts();
        for (Thread other : loadThreads) {
            other.join();
        }
        Awaitility.await("the end of every run")
                .atMost(DRAIN_TIMEOUT)
                .pollInterval(Duration.ofMillis(100))
                .until(() ->
                        !clientLog.problems.isEmpty() || (loadState.openStepCount() == 0 && database.liveRuns() == 0));
        loadState.end();
        for (WorkerPool workerPool : workerPools) {
            workerPool.join();
        }
        statistics.setDrainTime(System.nanoTime() - from);
    }

    private Evidence evidence() throws Exception {
        Map<String, Long> leftovers = database.leftovers();
        var client = client();
        for (KeyView key : client.keys("", null).keys()) {
            leftovers.put("held of key " + key.key(), key.parallelism().used());
            leftovers.put("waiting for key " + key.key(), (long) key.waiting());
        }
        Health.Invariants invariants = client.invariants();
        leftovers.put("broken invariants", invariants.hold() ? 0L : 1L);
        leftovers.put(
                "unproved invariants",
                invariants.invariants().stream()
                        .mapToLong(invariant -> invariant.unproved().size())
                        .sum());
        leftovers.put("troubles of those who use it " + clientLog.problems, (long) clientLog.problems.size());
        leftovers.put("runs that the API does not call completed", notCompleted(client));
        statistics.epoch(database.epoch());
        return new Evidence(
                database.events(),
                database.runs(),
                database.steps(),
                List.copyOf(clientLog.claims),
                List.copyOf(clientLog.acceptedRuns),
                List.copyOf(clientLog.limitChanges),
                injectedFaults,
                leftovers);
    }

    /** Returns the number of sampled runs that the API does not report as completed. */
    private long notCompleted(Client client) throws InterruptedException {
        long others = 0;
        for (ClientLog.AcceptedRun started : List.copyOf(clientLog.acceptedRuns)) {
            boolean sampled = started.run().hashCode() % RUNS_PER_SAMPLE == 0;
            if (sampled && !client.run(started.run()).state().equals("completed")) {
                others++;
            }
        }
        return others;
    }

    RigStatistics statistics() {
        return statistics;
    }

    ClientLog clientLog() {
        return clientLog;
    }

    String nodeLog() throws IOException {
        return node.logEnd();
    }

    /** Ends every process that the storm started, and removes their files. */
    @Override
    public void close() throws IOException {
        loadState.end();
        try {
            node.close();
        } finally {
            proxy.close();
            database.close();
        }
        TestFolder.remove(directory);
    }
}
