package dev.weir.engine.shard;

import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.StateQuery;

/** A query on an organisation's state. It runs after the commit, so that it sees nothing that might be undone. */
final class StateQueryMessage<T> extends Message<T> {
    private final StateQuery<T> look;

    StateQueryMessage(String org, StateQuery<T> look, long since) {
        super(org, since);
        this.look = look;
    }

    @Override
    String what() {
        return "a query";
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
    void decide(OrganisationBatch turn) {}

    @Override
    Runnable tell(OrganisationBatch turn) {
        try {
            T seen = look.at(turn.organisation(), turn.now());
            return () -> future.complete(seen);
        } catch (RuntimeException | StackOverflowError e) {
            var failure = new CommandFailed("the query on organisation " + org + " failed: " + e, e);
            return () -> future.completeExceptionally(failure);
        }
    }
}
