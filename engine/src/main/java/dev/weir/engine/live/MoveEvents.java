package dev.weir.engine.live;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Derives changes of runs and steps, and the keys concerned, from committed moves. */
final class MoveEvents {
    private MoveEvents() {}

    /**
     * Returns the change that a move makes visible; null if there is none. The creation of an item is left out, because
     * its step's items are created together, by the million at times.
     */
    static @Nullable ChangeEvent of(Move move) {
        return switch (move) {
            case Move.RunAccepted accepted -> run(accepted.row(), null, accepted.at());
            case Move.RunMoved moved -> run(moved.row(), moved.from(), moved.at());
            case Move.StepMoved moved -> step(moved.row(), moved.from(), moved.at());
            case Move.Granted granted -> step(granted.row(), granted.from(), granted.at());
            case Move.Resumed resumed -> step(resumed.row(), StepState.NEEDS_INPUT, resumed.at());
            case Move.RunStopping ignored -> null;
            case Move.RunOverridden ignored -> null;
            case Move.RunChanged ignored -> null;
            case Move.StepChanged ignored -> null;
            case Move.StepPutAhead ignored -> null;
            case Move.OutputAmended ignored -> null;
            case Move.SignalKept ignored -> null;
            case Move.SignalTaken ignored -> null;
            case Move.DeadlineNear ignored -> null;
            case Move.ItemCreated ignored -> null;
            case Move.FenceRaised ignored -> null;
            case Move.ListeningRecorded ignored -> null;
            case Move.Extended ignored -> null;
            case Move.Released ignored -> null;
            case Move.KeyPinned ignored -> null;
            case Move.KeyUnpinned ignored -> null;
            case Move.KeyPaused ignored -> null;
            case Move.KeyResumed ignored -> null;
            case Move.KeyHeld ignored -> null;
            case Move.OfEvent ignored -> null;
            case Move.RateReset ignored -> null;
            case Move.WorkflowRegistered ignored -> null;
            case Move.ModuleRegistered ignored -> null;
            case Move.RunLimitsConfigured ignored -> null;
            case Move.RunHeld ignored -> null;
            case Move.OfAccess ignored -> null;
            case Move.DeadLettered dead ->
                new ChangeEvent.DeadLetterTransition(
                        dead.letter().number(), dead.letter().content().kind(), DeadLetter.State.OPEN, dead.at());
            case Move.DeadLetterClosed closed ->
                new ChangeEvent.DeadLetterTransition(closed.number(), null, closed.state(), closed.at());
            case Move.NoticeOpened opened -> new ChangeEvent.NoticeTransition(opened.notice(), true, opened.at());
            case Move.NoticeClosed closed -> new ChangeEvent.NoticeTransition(closed.notice(), false, closed.at());
            case Move.OfStops ignored -> null;
        };
    }

    private static ChangeEvent run(RunRow row, @Nullable RunState from, long at) {
        String workflow = row.request().plan().workflow().name();
        return new ChangeEvent.RunTransition(row.id(), workflow, row.state(), from, at);
    }

    private static ChangeEvent step(StepRow row, StepState from, long at) {
        return new ChangeEvent.StepTransition(row.id(), row.state(), from, at);
    }

    /** Passes on the flow-control keys whose use or setting a move changes. */
    static void forEachKey(Move move, Consumer<String> keys) {
        if (move instanceof Move.Granted granted) {
            forEachKey(granted.claim().limitNeeds(), keys);
        } else if (move instanceof Move.StepMoved moved) {
            forEachKey(moved.row().limitNeeds(), keys);
        } else if (move instanceof Move.ItemCreated created) {
            forEachKey(created.row().limitNeeds(), keys);
        } else if (settingOf(move) instanceof LimitId.Key key) {
            keys.accept(key.name());
        }
    }

    private static void forEachKey(@Nullable LimitNeeds needs, Consumer<String> keys) {
        if (needs != null) {
            for (LimitNeed need : needs.needs()) {
                if (need.limit() instanceof LimitId.Key key) {
                    keys.accept(key.name());
                }
            }
        }
    }

    /** Returns the limit whose setting an operator or a called server changes; null if the move is another one. */
    private static LimitId.@Nullable Shared settingOf(Move move) {
        if (move instanceof Move.KeyPinned pinned) {
            return pinned.limit();
        }
        if (move instanceof Move.KeyUnpinned unpinned) {
            return unpinned.limit();
        }
        if (move instanceof Move.KeyPaused paused) {
            return paused.limit();
        }
        if (move instanceof Move.KeyResumed resumed) {
            return resumed.limit();
        }
        if (move instanceof Move.KeyHeld held) {
            return held.limit();
        }
        return move instanceof Move.RateReset reset ? reset.limit() : null;
    }
}
