package dev.weir.client;

import dev.weir.api.Events;
import dev.weir.client.Transport.ApiRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The part of the client for events and schedules. */
public final class EventClient {
    private final Transport transport;

    EventClient(Transport transport) {
        this.transport = transport;
    }

    /**
     * Sends an event. It is stored when this returns. An event without an id gets one here, so that a repeated request
     * is not a second event.
     */
    public Events.SentEvent send(Events.SendEventRequest event) throws InterruptedException {
        ApiRequest request = ApiRequest.json("POST", "/v1/events", event);
        return transport.send(
                event.id() == null ? request.withKey(UUID.randomUUID().toString()) : request, Events.SentEvent.class);
    }

    /** Sends several events, with one outcome for each, in their order. */
    public Events.SendResults sendAll(List<Events.SendEventRequest> events) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", "/v1/events/batch", new Events.SendEvents(events))
                        .withKey(UUID.randomUUID().toString()),
                Events.SendResults.class);
    }

    /**
     * Lists events, newest first, without their data. The filter uses the API's parameter names: event, workflow,
     * outcome, cursor, limit. A page may be short, or empty, and still have a cursor.
     */
    public Events.EventPage list(Map<String, String> filter) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/events" + Client.query(filter)), Events.EventPage.class);
    }

    /** Returns an event and what the triggers made of it. */
    public Events.EventView show(String id) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/events/" + Client.pathSegment("event", id)), Events.EventView.class);
    }

    /** Lists the schedules. The filter uses the API's parameter names: cursor, limit. */
    public Events.SchedulePage schedules(Map<String, String> filter) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/schedules" + Client.query(filter)), Events.SchedulePage.class);
    }
}
