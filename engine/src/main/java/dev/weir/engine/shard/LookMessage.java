package dev.weir.engine.shard;

import dev.weir.engine.CommandFailed;
import dev.weir.engine.Look;

/** Somebody who looks at an organisation; done after the commit, so that nothing is seen that might be undone. */
final class LookMessage<T> extends Message<T> {
    private final Look<T> look;

    LookMessage(String org, Look<T> look, long since) {
        super(org, since);
        this.look = look;
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
    void decide(Turn turn) {}

    @Override
    Runnable tell(Turn turn) {
        try {
            T seen = look.at(turn.organisation(), turn.now());
            return () -> future.complete(seen);
        } catch (RuntimeException | StackOverflowError e) {
            var failure = new CommandFailed("looking at organisation " + org + " failed: " + e, e);
            return () -> future.completeExceptionally(failure);
        }
    }
}
