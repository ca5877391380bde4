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
    long sequence;

    private @Nullable List<Assignment> earlierAnswer;

    ClaimMessage(String org, ClaimWork work, long arrivedAt, long wait) {
        super(org, arrivedAt);
        this.work = work;
        this.until = arrivedAt + wait;
    }

    @Override
    String describe() {
        return "ClaimWork of worker " + work.worker();
    }

    @Override
    int bytes() {
        return BASE_BYTES;
    }

    @Override
    Rank rank() {
        return Rank.READ;
    }

    @Override
    void decide(OrganisationBatch orgBatch) {
        earlierAnswer = null;
        switch (orgBatch.handle(work)) {
            case ClaimWork.Answer.Waiting ignored -> orgBatch.openPoll(this);
            case ClaimWork.Answer.Repeated earlier -> earlierAnswer = earlier.assignments();
        }
    }

    @Override
    Runnable prepareResponse(OrganisationBatch orgBatch) {
        List<Assignment> response = earlierAnswer;
        if (response == null) {
            return () -> {};
        }
        List<ClaimMessage> others = orgBatch.closePolls(work.request());
        return () -> {
            future.complete(response);
            others.forEach(other -> other.future.complete(response));
        };
    }
}
