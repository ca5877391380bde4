package dev.weir.engine.request;

/** The answer to a received event. */
public sealed interface EventReceipt {
    /** The event is stored, and will be delivered to its triggers. */
    record Received(String id) implements EventReceipt {}

    /** The same event was received before. */
    record Existing(String id) implements EventReceipt {}

    /** Another event has this id. */
    record OtherBody(String id) implements EventReceipt {}

    /** Weir cannot store the event. */
    record Refused(String reason) implements EventReceipt {}
}
