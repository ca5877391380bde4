package dev.weir.engine.shard;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A worker that asks for work, and waits for it. */
final class ClaimMessage extends Message<List<Assignment>> {
    final ClaimWork work;
    /** Until when it waits, by the monotonic clock. */
    long until;

    /** Orders those who wait equally long. */
    long place;

    private @Nullable List<Assignment> again;

    ClaimMessage(String org, ClaimWork work, long since, long wait) {
        super(org, since);
        this.work = work;
        this.until = since + wait;
    }

    @Override
    int bytes() {
        return SMALL;
    }

    @Override
    Rank rank() {
        return Rank.READ;
    }

    @Override
    void decide(Turn turn) {
        again = null;
        switch (turn.handle(work)) {
            case ClaimWork.Answer.Waits ignored -> turn.waits(this);
            case ClaimWork.Answer.Again before -> again = before.assignments();
        }
    }

    @Override
    Runnable tell(Turn turn) {
        List<Assignment> told = again;
        if (told == null) {
            return () -> {};
        }
        List<ClaimMessage> others = turn.close(work.request());
        return () -> {
            future.complete(told);
            others.forEach(other -> other.future.complete(told));
        };
    }
}
