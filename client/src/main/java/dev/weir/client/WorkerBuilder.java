package dev.weir.client;

import dev.weir.api.Work.ConcurrencyProfile;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.worker.Troubles;
import dev.weir.worker.WorkLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The modules and settings of a worker. Every setting has a default; a worker needs at least one module. */
public final class WorkerBuilder {
    private static final int CONCURRENCY_MAX = 500;
    private static final Duration LEASE_MIN = Duration.ofSeconds(5);
    private static final Duration LEASE_MAX = Duration.ofHours(1);
    private static final Duration POLL_MAX = Duration.ofSeconds(20);
    private static final System.Logger LOG = System.getLogger("dev.weir.client");

    private final Client client;
    private final Map<String, Handler.WithoutInput> handlers = new LinkedHashMap<>();
    private final Map<String, ModuleInfo> infos = new LinkedHashMap<>();
    private String name = "worker-" + ProcessHandle.current().pid();
    private int concurrency = Math.min(CONCURRENCY_MAX, Runtime.getRuntime().availableProcessors());
    private Duration lease = Duration.ofSeconds(30);
    private Duration poll = POLL_MAX;
    private Duration grace = Duration.ofSeconds(30);
    private BiConsumer<System.Logger.Level, String> trouble = LOG::log;

    WorkerBuilder(Client client) {
        this.client = client;
    }

    /** The modules of a worker: how they are declared to the server, and their code. */
    record Modules(List<ModuleInfo> infos, Map<String, Handler.WithoutInput> handlers) {}

    /**
     * Adds a module.
     *
     * @param inputType the type of its steps' input, such as a record or {@code Map.class}
     */
    public <I> WorkerBuilder module(String id, Class<I> inputType, Handler<? super I> handler) {
        return module(id, step -> handler.handle(step.input(inputType), step));
    }

    /** Adds a module that needs no input. */
    public WorkerBuilder module(String id, Handler.WithoutInput handler) {
        if (handlers.putIfAbsent(id, handler) != null) {
            throw new IllegalArgumentException("expected each module once, found " + id + " twice");
        }
        infos.put(id, ModuleInfo.of(id));
        return this;
    }

    /**
     * Declares how much the steps of a module take of their run's limits, unless a step says otherwise.
     *
     * @param exclusive true if a step of this module runs alone in its run
     */
    public WorkerBuilder defaults(String module, int slots, boolean exclusive) {
        if (!handlers.containsKey(module)) {
            throw new IllegalArgumentException("expected a module of this worker, found " + module);
        }
        infos.put(module, new ModuleInfo(module, null, null, new ConcurrencyProfile(slots, exclusive)));
        return this;
    }

    /** Sets the name that the server shows when someone asks which worker runs a step. */
    public WorkerBuilder name(String text) {
        name = text;
        return this;
    }

    /** Sets the most jobs at once, up to 500. Default: the number of processors. */
    public WorkerBuilder concurrency(int jobs) {
        if (jobs < 1 || jobs > CONCURRENCY_MAX) {
            throw new IllegalArgumentException(
                    "concurrency must be between 1 and " + CONCURRENCY_MAX + ", found " + jobs);
        }
        concurrency = jobs;
        return this;
    }

    /** Sets the time that a claim lasts without a heartbeat, from 5 s to 1 h. Default: 30 s. */
    public WorkerBuilder lease(Duration time) {
        if (time.compareTo(LEASE_MIN) < 0 || time.compareTo(LEASE_MAX) > 0) {
            throw new IllegalArgumentException("the lease must be between 5 s and 1 h, found " + time);
        }
        lease = time;
        return this;
    }

    /** Sets the longest time that one request waits for work, up to 20 s. Default: 20 s, or a third of the lease. */
    public WorkerBuilder poll(Duration time) {
        if (time.isNegative() || time.compareTo(POLL_MAX) > 0) {
            throw new IllegalArgumentException("the poll time must be between 0 and 20 s, found " + time);
        }
        poll = time;
        return this;
    }

    /** Sets the time that a close waits for the jobs under way. Default: 30 s. */
    public WorkerBuilder grace(Duration time) {
        grace = time;
        return this;
    }

    /**
     * Sets a listener for problems that do not end the worker, described in words. Default: they are logged with {@link
     * System.Logger} under the name dev.weir.client.
     */
    public WorkerBuilder onTrouble(Consumer<String> listener) {
        trouble = (level, message) -> listener.accept(message);
        return this;
    }

    /** Starts the worker. */
    public Worker start() {
        if (handlers.isEmpty()) {
            throw new IllegalStateException("expected at least one module, found none");
        }
        var modules = new Modules(new ArrayList<>(infos.values()), handlers);
        var settings = new WorkLoop.Settings(name, concurrency, lease, poll, grace);
        return Worker.start(client, modules, settings, new Troubles(trouble));
    }
}
