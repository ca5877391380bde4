package dev.weir.core.command;

import dev.weir.core.expression.RenderFailed;
import dev.weir.core.json.Fingerprint;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.FullQueue;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import tools.jackson.databind.JsonNode;

/** Starts a run, which is queued until the run limits admit it. A repeated request gets the first run. */
public record StartRun(RunRequest request) implements RunCommand<StartRun.Answer> {
    /** Creates a start with the workflow's own priority and no unusual settings. */
    public static StartRun of(String run, Plan plan, JsonNode input) {
        return new StartRun(RunRequest.of(run, plan, input));
    }

    /** The answer to the caller. */
    public sealed interface Answer {
        /** The run was accepted. */
        record Accepted(RunState state) implements Answer {}

        /** The same run exists already. */
        record Existing(RunState state) implements Answer {}

        /** Another run has this id. */
        record OtherBody() implements Answer {}

        /** The organisation is suspended or the workflow archived. The same request is accepted once it is open again. */
        record Closed(String reason) implements Answer {}

        /** The {@code run_key} cannot be rendered, or a target is not a step. */
        record Refused(String reason) implements Answer {}

        /** The chain of runs and events that led to the run is too long. The run is not delayed: it never starts. */
        record CascadeDetected(int depth, int maxDepth) implements Answer {}

        /** The run would have to wait, and too many runs wait already. The caller may try again later. */
        record QueueFull(FullQueue queue) implements Answer {}
    }

    @Override
    public String run() {
        return request.run();
    }

    @Override
    public JsonNode data() {
        return request.input();
    }

    @Override
    public Answer decide(RunControl runs, long now) {
        var live = runs.findRun(request.run());
        if (live.isPresent()) {
            return existing(live.get().request().fingerprint(), live.get().state());
        }
        var ended = runs.findEnded(request.run());
        if (ended.isPresent()) {
            return existing(ended.get().startFingerprint(), ended.get().state());
        }
        Plan plan = request.plan();
        var closed = runs.findStartRefusal(plan.workflow().name());
        if (closed.isPresent()) {
            return new Answer.Closed(closed.get());
        }
        int depth = request.lineage().depth();
        int maxDepth = runs.maxCascadeDepth(plan.workflow(), now);
        if (depth > maxDepth) {
            return new Answer.CascadeDetected(depth, maxDepth);
        }
        for (String target : request.options().targets()) {
            if (plan.workflow().steps().stream().noneMatch(step -> step.id().equals(target))) {
                return new Answer.Refused(
                        "expected targets that are steps of " + plan.workflow().name() + ", found " + target);
            }
        }
        try {
            var full = runs.findFullQueue(request, now);
            return full.isPresent() ? new Answer.QueueFull(full.get()) : new Answer.Accepted(runs.accept(request, now));
        } catch (RenderFailed e) {
            return new Answer.Refused(String.valueOf(e.getMessage()));
        }
    }

    private Answer existing(int startFingerprint, RunState state) {
        return Fingerprint.mayBeRepeat(startFingerprint, request.fingerprint())
                ? new Answer.Existing(state)
                : new Answer.OtherBody();
    }
}
