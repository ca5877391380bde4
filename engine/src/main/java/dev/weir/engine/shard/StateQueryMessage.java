package dev.weir.engine.shard;

import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.StateQuery;

/** A query on an organisation's state. It runs after the commit, so that it sees nothing that might be undone. */
final class StateQueryMessage<T> extends Message<T> {
    private final StateQuery<T> query;

    StateQueryMessage(String org, StateQuery<T> query, long arrivedAt) {
        super(org, arrivedAt);
        this.query = query;
    }

    @Override
    String describe() {
        return "a query";
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
    void decide(OrganisationBatch orgBatch) {}

    @Override
    Runnable prepareResponse(OrganisationBatch orgBatch) {
        try {
            T result = query.evaluate(orgBatch.organisation(), orgBatch.now());
            return () -> future.complete(result);
        } catch (RuntimeException | StackOverflowError e) {
            var failure = new CommandFailed("the query on organisation " + org + " failed: " + e, e);
            return () -> future.completeExceptionally(failure);
        }
    }
}
