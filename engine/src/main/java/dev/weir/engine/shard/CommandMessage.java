package dev.weir.engine.shard;

import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.life.AbandonStep;
import dev.weir.core.life.AmendInput;
import dev.weir.core.life.AmendOutput;
import dev.weir.core.life.ApproveStep;
import dev.weir.core.life.CancelRun;
import dev.weir.core.life.ClaimSteps;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Command;
import dev.weir.core.life.EndPoll;
import dev.weir.core.life.ExtendDeadline;
import dev.weir.core.life.Heartbeat;
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
import dev.weir.core.life.UpdateStep;
import dev.weir.core.life.WithState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A message that carries one command. */
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

    /** The JSON of a command that will be stored. */
    private static @Nullable JsonNode data(Command<?> command) {
        return switch (command) {
            case WithState<?> both -> data(both.command());
            case UpdateStep update -> update.update().data();
            case ProvideInput provided -> provided.input();
            case SendSignal signal -> signal.payload();
            case AmendInput amended -> amended.input();
            case AmendOutput amended -> amended.output();
            case StartRun start -> start.request().input();
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

    /** The reason to refuse the command before any decision; absent if it may be decided. */
    @Nullable
    String refusal() {
        int chars = bytes - SMALL;
        if (chars > Update.OUTPUT_CHARS_MAX) {
            return "expected at most " + Update.OUTPUT_CHARS_MAX + " characters of JSON, found " + chars
                    + "; keep large data elsewhere and give its address";
        }
        JsonNode data = data(command);
        String misfit = data == null ? null : StorableJson.misfit(data);
        return misfit == null ? null : "expected JSON that can be kept, found " + misfit;
    }

    /** The command without the query for the state after it. */
    private Command<?> asked() {
        return command instanceof WithState<?> both ? both.command() : command;
    }

    @Override
    boolean waits(OrganisationBatch turn) {
        // Heartbeats and reports come before the expiries of the same pass.
        if (asked() instanceof UpdateStep update && turn.organisation().hasSpentItsReports()) {
            var unused = turn.handle(new Heartbeat(update.unit(), update.fence()));
            return true;
        }
        return !(asked() instanceof Heartbeat || asked() instanceof UpdateStep);
    }

    @Override
    String what() {
        Command<?> asked = asked();
        String about = about(asked);
        return asked.getClass().getSimpleName() + (about == null ? "" : " of " + about);
    }

    /** The run, and the step if there is one, that a command is about; absent for keys, workflows and several runs. */
    private static @Nullable String about(Command<?> command) {
        return switch (command) {
            case WithState<?> both -> about(both.command());
            case AbandonStep abandon -> Watchdog.words(abandon.unit());
            case AmendInput amend -> run(amend.run());
            case AmendOutput amend -> step(amend.run(), amend.step());
            case ApproveStep approve -> step(approve.run(), approve.step());
            case CancelRun cancel -> run(cancel.run());
            case ClaimSteps claim -> run(claim.run());
            case ExtendDeadline extend -> run(extend.run());
            case Heartbeat heartbeat -> Watchdog.words(heartbeat.unit());
            case OverrideRun override -> run(override.run());
            case PauseRun pause -> run(pause.run());
            case ProvideInput provide -> Watchdog.words(provide.unit());
            case ResumeRun resume -> run(resume.run());
            case RetryRun retry -> run(retry.run());
            case RevokeApproval revoke -> step(revoke.run(), revoke.step());
            case SendSignal signal -> run(signal.run());
            case SkipStep skip -> step(skip.run(), skip.step());
            case StartRun start -> run(start.request().run());
            case UpdateStep update -> Watchdog.words(update.unit());
            case ClaimWork ignored -> null;
            case EndPoll ignored -> null;
            case PauseKey ignored -> null;
            case PinKey ignored -> null;
            case RegisterWorkflow ignored -> null;
            case ResetRate ignored -> null;
            case ResumeKey ignored -> null;
            case UnpinKey ignored -> null;
        };
    }

    private static String run(String run) {
        return "run " + run;
    }

    private static String step(String run, String step) {
        return Watchdog.words(UnitId.of(run, step));
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
    void decide(OrganisationBatch turn) {
        A decided = turn.handle(command);
        answer = decided;
        String run = historyKnown ? null : unknownRun(decided);
        if (run != null && turn.knowsNothingOf(run)) {
            asksHistoryOf = run;
        }
    }

    /** The run that memory does not know, if history could change the answer. */
    private @Nullable String unknownRun(A decided) {
        if (command instanceof UpdateStep update && decided == UpdateStep.Answer.NOT_FOUND) {
            return update.unit().run();
        }
        return command instanceof CancelRun cancel && decided instanceof CancelRun.Answer.NotFound
                ? cancel.run()
                : null;
    }

    @Override
    Runnable tell(OrganisationBatch turn) {
        A told = answer;
        if (told == null) {
            throw new IllegalStateException("expected an answer to " + command + ", found none");
        }
        return () -> future.complete(told);
    }
}
