package dev.weir.engine.shard;

import dev.weir.core.command.ReceiveEvent;
import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.EventRow;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import dev.weir.engine.request.Overloaded;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An event that was sent. The store is asked for its id before the decision, because memory keeps no old events. */
final class EventMessage extends Message<EventReceipt> {
    private final EventRequest request;
    private final Attribution by;
    private final int chars;
    private final @Nullable String problem;
    private @Nullable Integer stored;
    private @Nullable EventReceipt answer;

    EventMessage(String org, EventRequest request, Attribution by, long arrivedAt) {
        super(org, arrivedAt);
        this.request = request;
        this.by = by;
        this.chars = JsonLength.of(request.data());
        this.problem = findProblem(request);
    }

    private static @Nullable String findProblem(EventRequest request) {
        String problem = Stream.of(request.id(), request.name(), request.source(), request.correlationId())
                .map(text -> text == null ? null : StorableJson.findProblem(text))
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
        return problem == null ? StorableJson.findProblem(request.data()) : problem;
    }

    /** The id to look up in the store before the decision; null if that is not necessary, or was done. */
    @Nullable
    String idToLookUp() {
        return request.hasNewId() || historyRead || problem != null ? null : request.id();
    }

    /** Takes the fingerprints of the stored events. */
    void recordStored(Map<String, Integer> prints) {
        stored = prints.get(request.id());
        historyRead = true;
    }

    @Override
    int bytes() {
        return BASE_BYTES + chars;
    }

    @Override
    String describe() {
        return "ReceiveEvent of event " + request.id();
    }

    @Override
    Rank rank() {
        return Rank.NEW_WORK;
    }

    @Override
    void decide(OrganisationBatch orgBatch) {
        answer = null;
        if (problem != null) {
            answer =
                    new EventReceipt.Refused("an event must be text and numbers that Weir can store, found " + problem);
        } else if (chars > EventRow.DATA_CHARS_MAX) {
            answer = new EventReceipt.Refused("data must be at most " + EventRow.DATA_CHARS_MAX
                    + " characters of JSON, found " + chars + "; store large data elsewhere and pass its address");
        } else if (idToLookUp() != null) {
            throw new IllegalStateException("expected that event " + request.id() + " was looked up, found it was not");
        } else {
            answer = receive(orgBatch);
        }
    }

    private @Nullable EventReceipt receive(OrganisationBatch orgBatch) {
        ReceiveEvent command;
        try {
            command = new ReceiveEvent(
                    request.id(),
                    request.name(),
                    request.source(),
                    request.data(),
                    request.correlationId(),
                    by.actor(),
                    stored);
        } catch (IllegalArgumentException e) {
            return new EventReceipt.Refused(String.valueOf(e.getMessage()));
        }
        return switch (orgBatch.handle(command, by)) {
            case RECEIVED -> new EventReceipt.Received(request.id());
            case EXISTING -> new EventReceipt.Existing(request.id());
            case OTHER_BODY -> new EventReceipt.OtherBody(request.id());
            case TOO_MANY -> null;
        };
    }

    @Override
    Runnable prepareResponse(OrganisationBatch orgBatch) {
        EventReceipt response = answer;
        return response != null
                ? () -> future.complete(response)
                : () -> fail(new Overloaded(
                        "too many events of this organisation wait for their triggers; retry later",
                        Duration.ofSeconds(1)));
    }
}
