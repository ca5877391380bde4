package dev.weir.engine.shard;

import dev.weir.core.json.Keepable;
import dev.weir.core.life.AbandonStep;
import dev.weir.core.life.AmendInput;
import dev.weir.core.life.AmendOutput;
import dev.weir.core.life.AndState;
import dev.weir.core.life.ApproveStep;
import dev.weir.core.life.CancelRun;
import dev.weir.core.life.ClaimSteps;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Command;
import dev.weir.core.life.EndPoll;
import dev.weir.core.life.ExtendDeadline;
import dev.weir.core.life.Heartbeat;
import dev.weir.core.life.JsonLength;
import dev.weir.core.life.OverrideRun;
import dev.weir.core.life.PauseKey;
import dev.weir.core.life.PauseRun;
import dev.weir.core.life.PinKey;
import dev.weir.core.life.ProvideInput;
import dev.weir.core.life.RegisterWorkflow;
import dev.weir.core.life.ResetRate;
import dev.weir.core.life.ResumeKey;
import dev.weir.core.life.ResumeRun;
import dev.weir.core.life.RetryRun;
import dev.weir.core.life.RevokeApproval;
import dev.weir.core.life.SendSignal;
import dev.weir.core.life.SkipStep;
import dev.weir.core.life.StartRun;
import dev.weir.core.life.UnpinKey;
import dev.weir.core.life.Update;
import dev.weir.core.life.UpdateStep;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A command as it is. */
final class CommandMessage<A> extends Message<A> {
    private final Command<A> command;
    private final int bytes;
    private @Nullable A answer;

    CommandMessage(String org, Command<A> command, long since) {
        super(org, since);
        this.command = command;
        this.bytes = SMALL + chars(command);
    }

    private static int chars(Command<?> command) {
        JsonNode data = data(command);
        return data == null ? 0 : JsonLength.of(data);
    }

    /** What a command brings along that is kept. */
    private static @Nullable JsonNode data(Command<?> command) {
        return switch (command) {
            case AndState<?> both -> data(both.command());
            case UpdateStep update -> update.update().data();
            case ProvideInput provided -> provided.input();
            case SendSignal signal -> signal.payload();
            case AmendInput amended -> amended.input();
            case AmendOutput amended -> amended.output();
            case StartRun start -> start.input();
            case AbandonStep ignored -> null;
            case ApproveStep ignored -> null;
            case CancelRun ignored -> null;
            case ClaimSteps ignored -> null;
            case ClaimWork ignored -> null;
            case EndPoll ignored -> null;
            case ExtendDeadline ignored -> null;
            case Heartbeat ignored -> null;
            case OverrideRun ignored -> null;
            case PauseKey ignored -> null;
            case PauseRun ignored -> null;
            case PinKey ignored -> null;
            case RegisterWorkflow ignored -> null;
            case ResetRate ignored -> null;
            case ResumeKey ignored -> null;
            case ResumeRun ignored -> null;
            case RetryRun ignored -> null;
            case RevokeApproval ignored -> null;
            case SkipStep ignored -> null;
            case UnpinKey ignored -> null;
        };
    }

    /** Why nobody is to decide it; absent = it may be decided. */
    @Nullable
    String refusal() {
        int chars = bytes - SMALL;
        if (chars > Update.OUTPUT_CHARS_MAX) {
            return "expected at most " + Update.OUTPUT_CHARS_MAX + " characters of JSON, found " + chars
                    + "; keep large data elsewhere and give its address";
        }
        JsonNode data = data(command);
        String misfit = data == null ? null : Keepable.misfit(data);
        return misfit == null ? null : "expected JSON that can be kept, found " + misfit;
    }

    @Override
    int bytes() {
        return bytes;
    }

    @Override
    Rank rank() {
        return Rank.VITAL;
    }

    @Override
    void decide(Turn turn) {
        A decided = turn.handle(command);
        answer = decided;
        String run = historyKnown ? null : unknownRun(decided);
        if (run != null && turn.knowsNothingOf(run)) {
            asksHistoryOf = run;
        }
    }

    /** The run that memory knows nothing of, if history could make the answer another. */
    private @Nullable String unknownRun(A decided) {
        if (command instanceof UpdateStep update && decided == UpdateStep.Answer.NOT_FOUND) {
            return update.unit().run();
        }
        return command instanceof CancelRun cancel && decided instanceof CancelRun.Answer.NotFound
                ? cancel.run()
                : null;
    }

    @Override
    Runnable tell(Turn turn) {
        A told = answer;
        if (told == null) {
            throw new IllegalStateException("expected an answer to " + command + ", found none");
        }
        return () -> future.complete(told);
    }
}
