package dev.weir.testkit.junit;

import dev.weir.core.state.EventOutcome;
import dev.weir.engine.records.EventRecord;
import java.util.List;
import java.util.Objects;

/** An event of a test, and what the triggers made of it. */
public final class TestEvent {
    private final VirtualWeir weir;
    private final String id;

    TestEvent(VirtualWeir weir, String id) {
        this.weir = weir;
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** The outcomes at the triggers so far. */
    public List<EventOutcome> outcomes() {
        return record().outcomes().stream().map(EventRecord.Handled::outcome).toList();
    }

    /** The runs that the event started, or was merged into. */
    public List<TestRun> runs() {
        return record().outcomes().stream()
                .map(TestEvent::run)
                .filter(Objects::nonNull)
                .map(run -> new TestRun(weir, run))
                .toList();
    }

    private static @org.jspecify.annotations.Nullable String run(EventRecord.Handled handled) {
        EventRecord.WindowState window = handled.window();
        EventOutcome result = window == null ? null : window.result();
        return result == null ? handled.outcome().run() : result.run();
    }

    private EventRecord record() {
        return weir.world()
                .records
                .events()
                .findEvent(VirtualWeir.ORG, id)
                .orElseThrow(() -> new AssertionError("expected event " + id + ", found none"));
    }
}
