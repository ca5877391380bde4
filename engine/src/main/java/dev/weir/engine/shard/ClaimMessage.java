package dev.weir.engine.shard;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A worker's poll, which waits for work. */
final class ClaimMessage extends Message<List<Assignment>> {
    final ClaimWork work;
    /** The end of the waiting time, by the monotonic clock. */
    long until;

    /** The order among polls with the same end. */
    long place;

    private @Nullable List<Assignment> again;

    ClaimMessage(String org, ClaimWork work, long since, long wait) {
        super(org, since);
        this.work = work;
        this.until = since + wait;
    }

    @Override
    String what() {
        return "ClaimWork of worker " + work.worker();
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
    void decide(OrganisationBatch turn) {
        again = null;
        switch (turn.handle(work)) {
            case ClaimWork.Answer.Waits ignored -> turn.waits(this);
            case ClaimWork.Answer.Again before -> again = before.assignments();
        }
    }

    @Override
    Runnable tell(OrganisationBatch turn) {
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
