package dev.weir.server.routes;

import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.state.Permission;
import dev.weir.engine.live.ChangeBatch;
import dev.weir.engine.live.ChangeFilter;
import dev.weir.engine.live.ChangeTopic;
import dev.weir.engine.live.KeyHistory;
import dev.weir.engine.live.Subscription;
import dev.weir.server.http.EventSource;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.LiveViews;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The routes for live updates: the stream of changes, and the last hour of a key. */
final class LiveRoutes {
    /** The time after which a stream without events sends a comment, so that both sides notice a broken connection. */
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

    private static final String TOPICS =
            Arrays.stream(ChangeTopic.values()).map(WireWords::of).collect(Collectors.joining(", "));

    private final EngineGateway engine;

    LiveRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.stream("/v1/stream", Permission.READ, this::open);
        routing.route(Method.GET, "/v1/keys/history", Permission.READ, this::history);
    }

    private EventSource open(Request request) throws Exception {
        ChangeFilter filter = filter(request.allowQueries("run", "key", "topic"));
        String lastId = request.header("Last-Event-ID").orElse(null);
        Subscription subscription = engine.await(engine.weir().subscribe(request.org(), filter, lastId), Duration.ZERO);
        return new SubscriptionSource(subscription);
    }

    /** Sends the changes of a subscription, and a heartbeat if there are none. */
    private record SubscriptionSource(Subscription subscription) implements EventSource {
        @Override
        public Optional<String> next() throws InterruptedException {
            ChangeBatch batch = subscription.next(HEARTBEAT_INTERVAL);
            return batch.kind() == ChangeBatch.Kind.ENDED ? Optional.empty() : Optional.of(LiveViews.text(batch));
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    /**
     * Reads the filter. Without topics, a run selects its own changes and those of its steps, a key selects its own
     * changes, and a request without any of them selects everything.
     */
    private static ChangeFilter filter(Request request) {
        String run = request.query("run")
                .map(text -> nonBlank("?run", "the id of a run", text))
                .orElse(null);
        String key = request.query("key")
                .map(text -> nonBlank("?key", "a key", text))
                .orElse(null);
        Set<ChangeTopic> named = EnumSet.noneOf(ChangeTopic.class);
        for (String list : request.queries("topic")) {
            for (String name : list.split(",", -1)) {
                named.add(topic(name));
            }
        }
        Set<ChangeTopic> topics = named.isEmpty() ? defaultTopics(run, key) : named;
        requireUse("?run", run, topics, List.of(ChangeTopic.RUNS, ChangeTopic.STEPS));
        requireUse("?key", key, topics, List.of(ChangeTopic.KEYS));
        return new ChangeFilter(topics, run, key);
    }

    private static String nonBlank(String name, String expected, String text) {
        if (text.isBlank()) {
            throw RefusedRequest.invalid(name, expected, "an empty string");
        }
        return text;
    }

    private static ChangeTopic topic(String name) {
        return Arrays.stream(ChangeTopic.values())
                .filter(topic -> WireWords.of(topic).equals(name))
                .findFirst()
                .orElseThrow(() -> RefusedRequest.invalid("?topic", "one or more of " + TOPICS, "'" + name + "'"));
    }

    private static Set<ChangeTopic> defaultTopics(@Nullable String run, @Nullable String key) {
        Set<ChangeTopic> topics = EnumSet.noneOf(ChangeTopic.class);
        if (run != null || key == null) {
            topics.addAll(EnumSet.of(ChangeTopic.RUNS, ChangeTopic.STEPS));
        }
        if (key != null || run == null) {
            topics.add(ChangeTopic.KEYS);
        }
        if (key == null && run == null) {
            topics.addAll(EnumSet.of(ChangeTopic.DEAD_LETTERS, ChangeTopic.NOTICES));
        }
        return topics;
    }

    /** Refuses a filter that selects from none of the topics. */
    private static void requireUse(
            String name, @Nullable String value, Set<ChangeTopic> topics, List<ChangeTopic> useful) {
        if (value != null && useful.stream().noneMatch(topics::contains)) {
            throw RefusedRequest.invalid(
                    name,
                    "the topic " + useful.stream().map(WireWords::of).collect(Collectors.joining(" or ")) + " with it",
                    topics.stream().map(WireWords::of).collect(Collectors.joining(", ")));
        }
    }

    private Response history(Request request) throws Exception {
        String key = request.allowQueries("key")
                .query("key")
                .orElseThrow(() -> RefusedRequest.invalid("?key", "a key", "nothing"));
        Optional<KeyHistory> history = engine.weir().activity().history(request.org(), key);
        if (history.isEmpty()) {
            boolean known = engine.query(
                    request.org(),
                    (organisation, now) -> new OrganisationQueries(organisation, now)
                            .findKey(key)
                            .isPresent());
            if (!known) {
                throw RefusedRequest.notFound("key", key);
            }
        }
        return Response.ok(
                LiveViews.history(history.orElseGet(() -> new KeyHistory(key, KeyHistory.INTERVAL, List.of()))));
    }
}
