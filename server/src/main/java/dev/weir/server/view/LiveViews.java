package dev.weir.server.view;

import dev.weir.api.Keys;
import dev.weir.api.LiveEvent;
import dev.weir.api.WireJson;
import dev.weir.core.definition.DurationText;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Notice;
import dev.weir.core.state.RunState;
import dev.weir.engine.live.ChangeBatch;
import dev.weir.engine.live.ChangeEvent;
import dev.weir.engine.live.KeyHistory;
import org.jspecify.annotations.Nullable;

/** Converts live updates to the wire format: server-sent events whose data is JSON. */
public final class LiveViews {
    /** The time after which a browser connects again, in milliseconds. */
    private static final int RETRY_MILLIS = 1_000;

    private LiveViews() {}

    /** Returns the text of a part of a subscription; empty if it is the end. */
    public static String text(ChangeBatch batch) {
        return switch (batch.kind()) {
            case OPENED -> "retry: " + RETRY_MILLIS + "\n" + event(batch.lastId(), LiveEvent.Opened.NAME, "{}");
            case RESET -> event(batch.lastId(), LiveEvent.Reset.NAME, json(new LiveEvent.Reset(batch.reason())));
            case CHANGES -> changes(batch);
            // An id without data is no event, but the client resumes after it.
            case IDLE -> ": heartbeat\nid: " + batch.lastId() + "\n\n";
            case ENDED -> "";
        };
    }

    private static String changes(ChangeBatch batch) {
        var text = new StringBuilder();
        for (ChangeBatch.NumberedChange change : batch.changes()) {
            text.append(
                    switch (change.event()) {
                        case ChangeEvent.RunTransition run ->
                            event(change.id(), LiveEvent.RunEvent.NAME, json(run(run)));
                        case ChangeEvent.StepTransition step ->
                            event(change.id(), LiveEvent.StepEvent.NAME, json(step(step)));
                        case ChangeEvent.DeadLetterTransition letter ->
                            event(change.id(), LiveEvent.DeadLetterEvent.NAME, json(deadLetter(letter)));
                        case ChangeEvent.NoticeTransition notice ->
                            event(change.id(), LiveEvent.NoticeEvent.NAME, json(notice(notice)));
                        case ChangeEvent.KeyLevel key -> event(change.id(), LiveEvent.KeyEvent.NAME, json(key(key)));
                    });
        }
        return text.toString();
    }

    private static String event(String id, String name, String data) {
        return "id: " + id + "\nevent: " + name + "\ndata: " + data + "\n\n";
    }

    private static String json(Object value) {
        return WireJson.STRICT.writeValueAsString(value);
    }

    private static LiveEvent.RunEvent run(ChangeEvent.RunTransition change) {
        @Nullable RunState from = change.from();
        return new LiveEvent.RunEvent(
                change.run(),
                change.workflow(),
                WireWords.of(change.state()),
                from == null ? null : WireWords.of(from),
                Moment.toInstant(change.at()));
    }

    private static LiveEvent.StepEvent step(ChangeEvent.StepTransition change) {
        return new LiveEvent.StepEvent(
                change.unit().run(),
                change.unit().step(),
                WireWords.item(change.unit().item()),
                WireWords.of(change.state()),
                WireWords.of(change.from()),
                Moment.toInstant(change.at()));
    }

    private static LiveEvent.DeadLetterEvent deadLetter(ChangeEvent.DeadLetterTransition change) {
        return new LiveEvent.DeadLetterEvent(
                String.valueOf(change.number()),
                change.kind() == null ? null : WireWords.of(change.kind()),
                WireWords.of(change.state()),
                Moment.toInstant(change.at()));
    }

    private static LiveEvent.NoticeEvent notice(ChangeEvent.NoticeTransition change) {
        Notice notice = change.notice();
        return new LiveEvent.NoticeEvent(
                String.valueOf(notice.number()),
                WireWords.of(notice.subject().kind()),
                WireWords.of(notice.severity()),
                WireWords.orNull(notice.subject().name()),
                change.isOpen() ? "open" : "closed",
                Moment.toInstant(change.at()));
    }

    private static LiveEvent.KeyEvent key(ChangeEvent.KeyLevel level) {
        return new LiveEvent.KeyEvent(
                level.key(),
                level.waiting(),
                level.used(),
                level.max(),
                level.paused(),
                level.pinned(),
                Moment.toInstant(level.at()));
    }

    public static Keys.KeyHistory history(KeyHistory history) {
        return new Keys.KeyHistory(
                history.key(),
                DurationText.format(history.interval()),
                history.samples().stream()
                        .map(sample -> new Keys.KeySample(
                                Moment.toInstant(sample.at()), sample.waiting(), sample.used(), sample.started()))
                        .toList());
    }
}
