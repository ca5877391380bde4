package dev.weir.testkit.junit;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.SkipStep;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import java.time.Duration;
import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A run in a test: its state, and the commands that people send to it. Use {@code assertThat(run)} for assertions. */
public final class TestRun implements AssertProvider<RunAssert> {
    private final VirtualWeir weir;
    private final String id;

    TestRun(VirtualWeir weir, String id) {
        this.weir = weir;
        this.id = id;
    }

    public String id() {
        return id;
    }

    public RunState state() {
        return record().state();
    }

    /** The full record of the run. */
    public RunRecord record() {
        return weir.world()
                .records
                .findRun(VirtualWeir.ORG, id)
                .orElseThrow(() -> new IllegalStateException("expected run " + id + ", found none"));
    }

    /** The full record of one of its steps. */
    public StepRecord step(String step) {
        return step(UnitId.of(id, step));
    }

    /** The full record of one item of a step. */
    public StepRecord item(String step, int index) {
        return step(new UnitId(id, step, index));
    }

    private StepRecord step(UnitId unit) {
        return weir.world()
                .records
                .findStep(VirtualWeir.ORG, unit)
                .orElseThrow(() -> new AssertionError("expected a step or item " + unit + ", found none"));
    }

    public StepState state(String step) {
        return step(step).state();
    }

    /** The output of a step; a JSON null while there is none. */
    public JsonNode output(String step) {
        return step(step).lastUpdate() instanceof Update.Completed completed
                ? completed.output()
                : JsonNodeFactory.instance.nullNode();
    }

    /** A description of what the run and each of its steps wait for. */
    public String why() {
        return WaitDescription.describe(weir.world(), id);
    }

    /**
     * Advances virtual time until the run has ended, but at most by the given duration. If the run has not ended by
     * then, this fails and says what the run waits for.
     */
    public TestRun untilEnded(Duration atMost) {
        long end = Moment.plus(weir.world().now(), Moment.micros(atMost));
        while (!state().ended() && weir.world().advanceOnce(end)) {
            // the condition advances the clock
        }
        if (!state().ended()) {
            throw new AssertionError("expected run " + id + " to end within " + atMost + ", found it " + why());
        }
        return this;
    }

    public void approve(String step) {
        expect(ApproveStep.Answer.APPROVED, weir.send(new ApproveStep(id, step, "the test", null)), "approve " + step);
    }

    /** Gives a step the input that it has asked for. */
    public void provide(String step, @Nullable Object input) {
        var answer = weir.send(new ProvideInput(UnitId.of(id, step), HandlerThread.json(input)));
        expect(ProvideInput.Answer.PROVIDED, answer, "provide input to " + step);
    }

    /** Sends a signal. The engine keeps it if no step waits for it yet. */
    public void signal(String name, @Nullable Object payload) {
        SendSignal.Answer answer = weir.send(new SendSignal(id, name, HandlerThread.json(payload)));
        if (answer != SendSignal.Answer.KEPT) {
            expect(SendSignal.Answer.DELIVERED, answer, "send signal " + name);
        }
    }

    public void skip(String step) {
        expect(SkipStep.Answer.SKIPPED, weir.send(new SkipStep(id, step)), "skip " + step);
    }

    public void pause() {
        expect(PauseRun.Answer.PAUSED, weir.send(new PauseRun(id)), "pause the run");
    }

    public void resume() {
        expect(ResumeRun.Answer.RESUMED, weir.send(new ResumeRun(id)), "resume the run");
    }

    public void cancel() {
        CancelRun.Answer answer = weir.send(new CancelRun(id, null, "cancelled by the test"));
        if (!(answer instanceof CancelRun.Answer.Cancelling)) {
            throw new AssertionError("expected to cancel run " + id + ", found " + answer);
        }
    }

    private <A> void expect(A wanted, A found, String what) {
        if (!wanted.equals(found)) {
            throw new AssertionError("expected to " + what + " of run " + id + ", found " + found + "; it is " + why());
        }
    }

    @Override
    public RunAssert assertThat() {
        return new RunAssert(this);
    }

    @Override
    public String toString() {
        return "run " + id;
    }
}
