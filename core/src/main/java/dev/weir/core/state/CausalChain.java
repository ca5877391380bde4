package dev.weir.core.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The runs and events that led to a run or an event, oldest first, and the id that all of them share.
 *
 * @param correlationId the shared id; absent = the id of the first run or event
 */
public record CausalChain(@Nullable String correlationId, List<Link> links) {
    public static final int CORRELATION_CHARS_MAX = 256;
    public static final CausalChain NONE = new CausalChain(null, List.of());

    public CausalChain {
        links = List.copyOf(links);
    }

    /**
     * A run or an event of the chain.
     *
     * @param name the workflow of the run, or the name of the event
     */
    public record Link(Kind kind, String id, String name) {
        /** The kind of a link. */
        public enum Kind {
            RUN,
            EVENT;

            /** The word for it in rows and on the wire. */
            public String word() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        @Override
        public String toString() {
            return kind.word() + " " + id;
        }
    }

    public static CausalChain of(@Nullable String correlationId) {
        return correlationId == null ? NONE : new CausalChain(correlationId, List.of());
    }

    /** Returns the chain of what a run or event causes. Its correlation id is known from then on. */
    public CausalChain followedBy(String sharedId, Link link) {
        List<Link> extended = new ArrayList<>(links);
        extended.add(link);
        return new CausalChain(sharedId, extended);
    }
}
