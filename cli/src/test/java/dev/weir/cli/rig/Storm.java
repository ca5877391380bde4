package dev.weir.cli.rig;

import dev.weir.api.Health;
import dev.weir.api.Keys.KeyView;
import dev.weir.cli.rig.Snare.Sprung;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.server.LocalProfile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
final class Storm implements AutoCloseable {
    private static final int CREWS = 4;
    private static final int WORKERS_PER_CREW = 12;
    private static final int SPRING_MAX_SECONDS = 60;
    /** The number of reports that must be answered between two faults. */
    static final int REPORTS_BETWEEN = 20;

    /** One run out of this many is read through the API at the end. */
    private static final int LOOKED_EVERY = 10;

    private static final Duration RECOVERY_MAX = Duration.ofSeconds(60);
    private static final Duration DRAIN_MAX = Duration.ofSeconds(90);

    private final Path directory;
    private final Database database;
    private final CommitProxy proxy;
    private final NodeProcess.Place place;
    private final Pulse pulse = new Pulse();
    private final Notes notes = new Notes();
    private final Figures figures = new Figures();
    private final List<Sprung> sprung = new ArrayList<>();
    private final List<Crew> crews = new ArrayList<>();
    private final List<Thread> others = new ArrayList<>();
    private NodeProcess node;

    Storm(Path directory) throws IOException {
        this.directory = directory;
        Scratch.make(directory);
        this.database = new Database(directory.resolve("postgres"));
        this.proxy = new CommitProxy(database.port());
        this.place = new NodeProcess.Place(
                directory.resolve("node"),
                directory.resolve("node.log"),
                freePort(),
                List.of("--database", proxy.url("weir")),
                Map.of("PGUSER", database.user(), "PGPASSWORD", database.password()));
        this.node = NodeProcess.start(place);
    }

    /** Waits for the node, and starts the load. */
    private void begin() throws IOException, InterruptedException {
        node.awaitReady();
        var client = client();
        for (Load.Flow flow : Load.FLOWS) {
            pulse.untilAnswered(() -> client.apply(flow.name(), flow.definition()));
            others.add(Thread.ofVirtual().start(new Starter(flow, client, pulse, notes)));
        }
        others.add(Thread.ofVirtual().start(new Operator(client, pulse, notes)));
        for (int i = 0; i < CREWS; i++) {
            // Each crew has its own connections, as if it were a process of its own.
            var crew = new Crew("crew-" + i, client(), pulse, notes);
            crews.add(crew);
            crew.start(WORKERS_PER_CREW);
        }
    }

    private Client client() throws IOException {
        String token = LocalProfile.find(place.data()).orElseThrow().token();
        return new Client(Connection.to(place.url(), token).withPatience(Duration.ZERO));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Injects all faults in an order that the seed determines, and then waits until everything has ended. */
    Evidence rage(long seed) throws Exception {
        long from = System.nanoTime();
        begin();
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            faults.addAll(Collections.nCopies(fault.times, fault));
        }
        Collections.shuffle(faults, new Random(seed));
        for (Fault fault : faults) {
            suffer(fault);
        }
        figures.stormed(System.nanoTime() - from);
        drain();
        Evidence evidence = evidence();
        figures.took(System.nanoTime() - from);
        return evidence;
    }

    private void suffer(Fault fault) throws Exception {
        awaitWork();
        Snare.Harm harm = fault.killsTheNode() ? node::kill : fault.stopsPostgres() ? database::stopAtOnce : () -> {};
        var snare = new Snare(fault, pulse.live::get, harm);
        proxy.arm(snare);
        sprung.add(snare.await(SPRING_MAX_SECONDS));
        if (fault.killsTheNode()) {
            node = NodeProcess.start(place);
            figures.nodeStarted(node.awaitReady());
        } else if (fault.stopsPostgres()) {
            figures.postgresStarted(database.openAgain());
        } else if (!node.isAlive()) {
            throw new AssertionError("the node has ended by itself; its log ends with:\n" + node.logEnd());
        }
    }

    /** Waits until work continues, which means that the last fault is over. */
    private void awaitWork() {
        int before = pulse.reported.get();
        long from = System.nanoTime();
        Awaitility.await("work that goes on after a fault")
                .atMost(RECOVERY_MAX)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> pulse.reported.get() >= before + REPORTS_BETWEEN);
        figures.recovered(Duration.ofNanos(System.nanoTime() - from));
    }

    private void drain() throws Exception {
        long from = System.nanoTime();
        pulse.endStarts();
        for (Thread other : others) {
            other.join();
        }
        Awaitility.await("the end of every run")
                .atMost(DRAIN_MAX)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> !notes.troubles.isEmpty() || (pulse.allOpen() == 0 && database.living() == 0));
        pulse.end();
        for (Crew crew : crews) {
            crew.join();
        }
        figures.drained(System.nanoTime() - from);
    }

    private Evidence evidence() throws Exception {
        Map<String, Long> left = database.left();
        var client = client();
        for (KeyView key : client.keys("", null).keys()) {
            left.put("held of key " + key.key(), key.parallelism().used());
            left.put("waiting for key " + key.key(), (long) key.waiting());
        }
        Health.Invariants invariants = client.invariants();
        left.put("broken invariants", invariants.hold() ? 0L : 1L);
        left.put("troubles of those who use it " + notes.troubles, (long) notes.troubles.size());
        left.put("runs that the API does not call completed", notCompleted(client));
        figures.epoch(database.epoch());
        return new Evidence(
                database.events(),
                database.runs(),
                database.steps(),
                List.copyOf(notes.bodies),
                List.copyOf(notes.started),
                List.copyOf(notes.changed),
                sprung,
                left);
    }

    /** Returns the number of sampled runs that the API does not report as completed. */
    private long notCompleted(Client client) throws InterruptedException {
        long others = 0;
        for (Notes.Started started : List.copyOf(notes.started)) {
            boolean looked = started.run().hashCode() % LOOKED_EVERY == 0;
            if (looked && !client.run(started.run()).state().equals("completed")) {
                others++;
            }
        }
        return others;
    }

    Figures figures() {
        return figures;
    }

    Notes notes() {
        return notes;
    }

    String nodeLog() throws IOException {
        return node.logEnd();
    }

    /** Ends every process that the storm started, and removes their files. */
    @Override
    public void close() throws IOException {
        pulse.end();
        try {
            node.close();
        } finally {
            proxy.close();
            database.close();
        }
        Scratch.remove(directory);
    }
}
