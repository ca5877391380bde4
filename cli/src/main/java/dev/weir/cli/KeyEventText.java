package dev.weir.cli;

import dev.weir.api.Keys.KeyView;
import dev.weir.api.LiveEvent;
import dev.weir.api.Problem;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.util.Optional;

/** Describes changes of keys for {@code weir keys --watch}. */
final class KeyEventText {
    private KeyEventText() {}

    /** Returns a change in one line. */
    static String describe(LiveEvent event) {
        if (!(event instanceof LiveEvent.KeyEvent change)) {
            return "";
        }
        String max = change.max() == null ? "" : " of " + change.max();
        return change.key() + " " + change.waiting() + " waiting, " + change.used() + max + " running"
                + (change.paused() ? ", paused" : "")
                + (change.pinned() ? ", pinned" : "");
    }

    /** Returns a key, or nothing while it is not in use: a person may watch a key before its first step. */
    static Optional<KeyView> find(Client client, String key) throws InterruptedException {
        try {
            return Optional.of(client.key(key));
        } catch (RequestFailed.Refused refused) {
            if (refused.problem().status() == Problem.Kind.NOT_FOUND.status()) {
                return Optional.empty();
            }
            throw refused;
        }
    }
}
