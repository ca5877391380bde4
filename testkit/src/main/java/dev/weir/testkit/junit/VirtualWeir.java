package dev.weir.testkit.junit;

import dev.weir.core.command.Command;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.engine.StartOutcome;
import dev.weir.engine.StartRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
    public static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    static final String ORG = "test";
    /** The number of handlers of a module that may be at work at once, by default. */
    private static final int CONCURRENCY = 100;

    private final Instant begin;
    private TestWorld stage;
    private int started;

    public VirtualWeir() {
        this(BEGIN);
    }

    /** Creates an extension whose tests each begin at the given time. */
    public VirtualWeir(Instant begin) {
        this.begin = begin;
        this.stage = new TestWorld(Moment.of(begin));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        stage = new TestWorld(Moment.of(begin));
        started = 0;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        stage.close();
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
        serve(module, CONCURRENCY, handler);
    }

    /**
     * Lets workers serve a module from now on, with at most this many steps at once, in place of its earlier workers.
     */
    public void serve(String module, int concurrency, TestHandler handler) {
        stage.crew.serve(module, concurrency, handler);
        stage.settle();
    }

    /** Removes the workers of a module. Handlers that are at work continue. */
    public void stopServing(String module) {
        stage.crew.leave(module);
        stage.settle();
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
        StartOutcome answer = stage.ask(shard -> shard.start(ORG, request));
        return switch (answer) {
            case StartOutcome.Started ignored -> new TestRun(this, request.run());
            case StartOutcome.Existing ignored -> new TestRun(this, request.run());
            case StartOutcome.OtherBody ignored -> throw refused(request, "there is another run of this id");
            case StartOutcome.Refused refused -> throw refused(request, refused.reason());
            case StartOutcome.UnknownWorkflow unknown ->
                throw refused(
                        request,
                        "no workflow " + unknown.workflow() + " is registered"
                                + (unknown.nearest() == null ? "" : "; did you mean " + unknown.nearest() + "?"));
        };
    }

    private static AssertionError refused(StartRequest request, String why) {
        return new AssertionError("expected that run " + request.run() + " starts, found that " + why);
    }

    /** The current virtual time. */
    public Instant now() {
        return Moment.toInstant(stage.now());
    }

    /** Advances virtual time, and lets everything happen that is due in it. */
    public void advance(Duration time) {
        stage.advanceTo(Moment.plus(stage.now(), Moment.micros(time)));
    }

    /** Sends any command, and returns its answer. Use it for commands that have no method of their own here. */
    public <A> A send(Command<A> command) {
        return stage.ask(shard -> shard.send(ORG, command));
    }

    TestWorld stage() {
        return stage;
    }
}
