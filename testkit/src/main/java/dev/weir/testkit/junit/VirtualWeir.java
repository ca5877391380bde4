package dev.weir.testkit.junit;

import dev.weir.core.command.Command;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Attribution;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs Weir in tests of workflows: the production loop over a journal in memory, in virtual time. Days pass in
 * milliseconds, and the same test always sees the same order of events. Events only happen while the test calls one of
 * these methods; each method returns when there is nothing more to do at the current virtual time.
 *
 * <pre>{@code
 * @RegisterExtension
 * final VirtualWeir weir = new VirtualWeir();
 *
 * @Test
 * void an_order_is_paid_at_the_third_attempt_and_closed_after_three_days() {
 *     weir.register(yaml);
 *     weir.serve("billing.pay", TestHandler.returning(Map.of("paid", true)).afterFailing(2));
 *     TestRun run = weir.start("order", Map.of("order", 7));
 *     weir.advance(Duration.ofDays(4));
 *     assertThat(run).isCompleted();
 * }
 * }</pre>
 */
public final class VirtualWeir implements BeforeEachCallback, AfterEachCallback {
    /** The time at which a test begins by default. */
    public static final Instant DEFAULT_START_TIME = Instant.parse("2030-01-01T00:00:00Z");

    static final String ORG = "test";
    /** The number of handlers of a module that may be at work at once, by default. */
    private static final int DEFAULT_CONCURRENCY = 100;

    private final Instant startTime;
    private TestWorld world;
    private int started;
    private int sentEvents;

    public VirtualWeir() {
        this(DEFAULT_START_TIME);
    }

    /** Creates an extension whose tests each begin at the given time. */
    public VirtualWeir(Instant startTime) {
        this.startTime = startTime;
        this.world = new TestWorld(Moment.of(startTime));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        world = new TestWorld(Moment.of(startTime));
        started = 0;
        sentEvents = 0;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        world.close();
    }

    /** Registers a workflow, written as YAML or JSON. */
    public void register(String definition) {
        register(WorkflowReader.read(definition).orThrow());
    }

    public void register(Workflow workflow) {
        RegisterWorkflow.Answer unused = send(new RegisterWorkflow(workflow));
    }

    /** Lets workers serve a module from now on, in place of its earlier workers. */
    public void serve(String module, TestHandler handler) {
        serve(module, DEFAULT_CONCURRENCY, handler);
    }

    /**
     * Lets workers serve a module from now on, with at most this many steps at once, in place of its earlier workers.
     */
    public void serve(String module, int concurrency, TestHandler handler) {
        world.workers.serve(module, concurrency, handler);
        world.settle();
    }

    /** Removes the workers of a module. Handlers that are at work continue. */
    public void stopServing(String module) {
        world.workers.stopServing(module);
        world.settle();
    }

    /** Starts a run without input. The ids of runs are run-1, run-2 and so on. */
    public TestRun start(String workflow) {
        return start(workflow, Map.of());
    }

    /** Starts a run. The input is any value that can be written as JSON. */
    public TestRun start(String workflow, @Nullable Object input) {
        started++;
        return start(StartRequest.of("run-" + started, workflow, HandlerThread.json(input)));
    }

    /** Starts a run with all the options of a start request. */
    public TestRun start(StartRequest request) {
        StartOutcome answer = world.send(shard -> shard.start(ORG, request));
        return switch (answer) {
            case StartOutcome.Started ignored -> new TestRun(this, request.run());
            case StartOutcome.Existing ignored -> new TestRun(this, request.run());
            case StartOutcome.OtherBody ignored -> throw refused(request, "a different run with this id exists");
            case StartOutcome.Closed closed -> throw refused(request, closed.reason());
            case StartOutcome.Refused refused -> throw refused(request, refused.reason());
            case StartOutcome.QueueFull full ->
                throw refused(request, full.queue().message());
            case StartOutcome.UnknownWorkflow unknown ->
                throw refused(
                        request,
                        "workflow " + unknown.workflow() + " is not registered"
                                + (unknown.nearest() == null ? "" : "; did you mean " + unknown.nearest() + "?"));
        };
    }

    /** Sends an event, and lets its triggers handle it. The ids of events are event-1, event-2 and so on. */
    public TestEvent sendEvent(String name, @Nullable Object data) {
        sentEvents++;
        return sendEvent(EventRequest.of("event-" + sentEvents, name, HandlerThread.json(data)));
    }

    /** Sends an event with all the options of a request. */
    public TestEvent sendEvent(EventRequest request) {
        EventReceipt receipt = world.send(shard -> shard.receive(ORG, request, Attribution.PROGRAM));
        return switch (receipt) {
            case EventReceipt.Received ignored -> new TestEvent(this, request.id());
            case EventReceipt.Existing ignored -> new TestEvent(this, request.id());
            case EventReceipt.OtherBody ignored -> throw refused(request, "a different event with this id exists");
            case EventReceipt.Refused refused -> throw refused(request, refused.reason());
        };
    }

    private static AssertionError refused(EventRequest request, String why) {
        return new AssertionError("expected event " + request.id() + " to be received, found that " + why);
    }

    private static AssertionError refused(StartRequest request, String why) {
        return new AssertionError("expected run " + request.run() + " to start, found that " + why);
    }

    /** The newest runs of a workflow, newest first. */
    public List<TestRun> runs(String workflow) {
        var filter = new RunFilter(Set.of(), workflow, Map.of());
        return world.records.runs(ORG, filter, new PageRequest("", Records.PAGE_MAX)).entries().stream()
                .map(run -> new TestRun(this, run.run()))
                .toList();
    }

    /** The current virtual time. */
    public Instant now() {
        return Moment.toInstant(world.now());
    }

    /** Advances virtual time, and lets everything happen that is due in it. */
    public void advance(Duration time) {
        world.advanceTo(Moment.plus(world.now(), Moment.micros(time)));
    }

    /** Sends any command, and returns its answer. Use it for commands that have no method of their own here. */
    public <A> A send(Command<A> command) {
        return world.send(shard -> shard.send(ORG, command));
    }

    TestWorld world() {
        return world;
    }
}
