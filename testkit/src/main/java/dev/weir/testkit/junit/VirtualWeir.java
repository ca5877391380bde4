package dev.weir.testkit.junit;

import dev.weir.core.definition.Workflow;
import dev.weir.core.life.Command;
import dev.weir.core.life.RegisterWorkflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.engine.StartAnswer;
import dev.weir.engine.StartRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Weir for the tests of workflows: the loop of production over a journal in memory, in virtual time. Days pass in
 * milliseconds, and the same test always sees the same order of events. Nothing happens but while the test calls one of
 * the methods here; they return when there is nothing more to do at the time that it is.
 *
 * <pre>{@code
 * @RegisterExtension
 * final VirtualWeir weir = new VirtualWeir();
 *
 * @Test
 * void an_order_is_paid_at_the_third_try_and_closed_after_three_days() {
 *     weir.register(yaml);
 *     weir.serve("billing.pay", Handler.returning(Map.of("paid", true)).afterFailing(2));
 *     TestRun run = weir.start("order", Map.of("order", 7));
 *     weir.advance(Duration.ofDays(4));
 *     assertThat(run).isCompleted();
 * }
 * }</pre>
 */
public final class VirtualWeir implements BeforeEachCallback, AfterEachCallback {
    /** The first moment of a test that does not say otherwise. */
    public static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    static final String ORG = "test";
    /** Handlers of a module that are at work at once, if the test does not say otherwise. */
    private static final int CONCURRENCY = 100;

    private final Instant begin;
    private Stage stage;
    private int started;

    public VirtualWeir() {
        this(BEGIN);
    }

    /** Lets each test begin at that time. */
    public VirtualWeir(Instant begin) {
        this.begin = begin;
        this.stage = new Stage(Moment.of(begin));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        stage = new Stage(Moment.of(begin));
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

    /** Lets workers serve a module from now on. */
    public void serve(String module, Handler handler) {
        serve(module, CONCURRENCY, handler);
    }

    /** Lets workers serve a module from now on, so many steps at once. */
    public void serve(String module, int concurrency, Handler handler) {
        stage.crew.serve(module, concurrency, handler);
        stage.settle();
    }

    /** Sends the workers of a module away; what is under way goes on. */
    public void stopServing(String module) {
        stage.crew.leave(module);
        stage.settle();
    }

    /** Starts a run without input. Runs are called run-1, run-2 and so on. */
    public TestRun start(String workflow) {
        return start(workflow, Map.of());
    }

    /** Starts a run; the input is anything that can be written as JSON. */
    public TestRun start(String workflow, @Nullable Object input) {
        started++;
        return start(StartRequest.of("run-" + started, workflow, Bout.json(input)));
    }

    /** Starts a run with all that can be said of one. */
    public TestRun start(StartRequest request) {
        StartAnswer answer = stage.ask(shard -> shard.start(ORG, request));
        return switch (answer) {
            case StartAnswer.Started ignored -> new TestRun(this, request.run());
            case StartAnswer.Existing ignored -> new TestRun(this, request.run());
            case StartAnswer.OtherBody ignored -> throw refused(request, "there is another run of this id");
            case StartAnswer.Refused refused -> throw refused(request, refused.reason());
            case StartAnswer.UnknownWorkflow unknown ->
                throw refused(
                        request,
                        "no workflow " + unknown.workflow() + " is registered"
                                + (unknown.nearest() == null ? "" : "; did you mean " + unknown.nearest() + "?"));
        };
    }

    private static AssertionError refused(StartRequest request, String why) {
        return new AssertionError("expected that run " + request.run() + " starts, found that " + why);
    }

    /** The virtual time that it is. */
    public Instant now() {
        return Moment.toInstant(stage.now());
    }

    /** Lets virtual time pass, and everything happen that is due in it. */
    public void advance(Duration time) {
        stage.advanceTo(Moment.plus(stage.now(), Moment.micros(time)));
    }

    /** Sends any command, for what has no method of its own here; gives its answer. */
    public <A> A send(Command<A> command) {
        return stage.ask(shard -> shard.send(ORG, command));
    }

    Stage stage() {
        return stage;
    }
}
