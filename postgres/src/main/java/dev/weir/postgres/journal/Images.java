package dev.weir.postgres.journal;

import dev.weir.core.life.ConcurrencyProfile;
import dev.weir.core.life.Move;
import dev.weir.core.life.Origin;
import dev.weir.core.life.Signal;
import dev.weir.core.life.UnitId;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Start;
import dev.weir.engine.records.Records;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.Limits;
import dev.weir.postgres.json.States;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the rows of one organisation will be after a transaction. Moves that follow each other are made one: of a step
 * that became ready, was claimed and ended within a batch, only the end is written.
 */
final class Images {
    private static final long NO_NUMBER = 0;

    private final int org;
    private final Map<Long, RunImage> runs = new LinkedHashMap<>();
    /** Runs that end, in the order in which they do. */
    private final List<RunImage> ended = new ArrayList<>();

    private final List<Start> starts = new ArrayList<>();
    private final Map<LimitId.Shared, Move.RateReset> resets = new TreeMap<>();
    private final Map<LimitId.Shared, Optional<Pin>> pins = new TreeMap<>();
    private final Map<LimitId.Shared, Optional<Long>> pauses = new TreeMap<>();
    private final Map<LimitId.Shared, Long> holds = new TreeMap<>();
    private final List<Move.EventEmitted> emitted = new ArrayList<>();
    private final List<Move.StartRefused> refused = new ArrayList<>();
    private final Map<String, ConcurrencyProfile> modules = new TreeMap<>();
    private final List<Move.WorkflowRegistered> workflows = new ArrayList<>();
    private final Map<SignalKey, Optional<Signal>> signals = new LinkedHashMap<>();
    private final ClaimLog log = new ClaimLog();
    private long lastNumber = NO_NUMBER;

    private record SignalKey(long run, long number) {}

    Images(int org) {
        this.org = org;
    }

    void apply(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> {
                image(accepted).accept(accepted.row());
                lastNumber = Math.max(lastNumber, accepted.row().number());
            }
            case Move.RunMoved moved -> moved(moved);
            case Move.RunStopping stopping -> image(stopping).stop(stopping.ending());
            case Move.RunOverridden overridden -> image(overridden).override(overridden.overrides());
            case Move.RunChanged changed -> image(changed).change(changed.ask(), changed.detail());
            case Move.StepChanged changed -> unit(changed, changed.unit()).change(changed.detail());
            case Move.OutputAmended amended ->
                unit(amended, amended.row().id())
                        .move(amended.row(), amended.row().state(), amended.at());
            case Move.SignalKept kept -> signals.put(key(kept, kept.signal().number()), Optional.of(kept.signal()));
            case Move.SignalTaken taken -> takeSignal(key(taken, taken.number()));
            case Move.DeadlineNear ignored -> {}
            case Move.StepMoved moved -> unit(moved, moved.row().id()).move(moved.row(), moved.from(), moved.at());
            case Move.ItemMade made -> unit(made, made.row().id()).make(made.row());
            case Move.Granted granted -> grant(granted);
            case Move.Resumed resumed -> resume(resumed);
            case Move.Extended extended -> {
                UnitImage unit = unit(extended, extended.unit());
                unit.extend(extended.fence(), extended.until());
                log.extended(unit.key(), extended);
            }
            case Move.Released released -> {
                UnitImage unit = unit(released, released.unit());
                unit.release(released.fence());
                log.released(unit.key(), released);
            }
            case Move.KeyPinned pinned -> {
                pins.put(pinned.limit(), Optional.of(pinned.pin()));
                log.pinned(pinned);
            }
            case Move.KeyUnpinned unpinned -> {
                pins.put(unpinned.limit(), Optional.empty());
                log.changed("unpinned", unpinned.at(), unpinned.limit().text(), null);
            }
            case Move.KeyPaused paused -> {
                pauses.put(paused.limit(), Optional.of(paused.until()));
                log.changed("paused", paused.at(), paused.limit().text(), paused.until());
            }
            case Move.KeyResumed resumed -> {
                pauses.put(resumed.limit(), Optional.empty());
                log.changed("resumed", resumed.at(), resumed.limit().text(), null);
            }
            case Move.KeyHeld held -> {
                holds.put(held.limit(), held.until());
                log.changed("held", held.at(), held.limit().text(), held.until());
            }
            case Move.EventEmitted event -> emitted.add(event);
            case Move.StartRefused start -> refused.add(start);
            case Move.RateReset reset -> reset(reset);
            case Move.WorkflowRegistered registered -> workflows.add(registered);
            case Move.ModuleRegistered registered -> modules.put(registered.module(), registered.profile());
        }
    }

    private void moved(Move.RunMoved moved) {
        RunImage image = image(moved);
        image.move(moved);
        starts.addAll(moved.starts());
        if (moved.row().state().ended()) {
            ended.add(image);
        }
    }

    private void grant(Move.Granted granted) {
        UnitImage unit = unit(granted, granted.claim().unit());
        unit.grant(granted.claim(), granted.row(), granted.from());
        starts.addAll(granted.claim().starts());
        log.granted(unit.key(), granted.claim(), granted.at());
        if (granted.startsInTick() > 0) {
            image(granted).tick(granted.at(), granted.startsInTick());
        }
    }

    private void resume(Move.Resumed resumed) {
        UnitImage unit = unit(resumed, resumed.claim().unit());
        unit.resume(resumed.claim(), resumed.row());
        log.resumed(unit.key(), resumed.claim(), resumed.at());
    }

    private void reset(Move.RateReset reset) {
        starts.removeIf(start -> start.limit().equals(reset.limit()));
        resets.put(reset.limit(), reset);
        log.changed("reset", reset.at(), reset.limit().text(), null);
    }

    /** A signal that the transaction keeps and takes leaves nothing. */
    private void takeSignal(SignalKey key) {
        if (signals.remove(key) == null) {
            signals.put(key, Optional.empty());
        }
    }

    private static SignalKey key(Move.OfRun move, long number) {
        return new SignalKey(move.ref().number(), number);
    }

    private RunImage image(Move.OfRun move) {
        return runs.computeIfAbsent(move.ref().number(), number -> new RunImage(move.ref()));
    }

    private UnitImage unit(Move.OfRun move, UnitId id) {
        return image(move).unit(id);
    }

    void addTo(Writes writes) {
        runs.values().forEach(image -> image.addTo(writes, org));
        writes.sheets(org).addTo(writes, org);
        ended.forEach(image -> image.addHistory(writes, org));
        signals.forEach((key, signal) -> addSignal(writes, key, signal));
        resets.keySet().forEach(limit -> writes.add("delete_starts", org, limit.text()));
        starts.forEach(start -> addStart(writes, start));
        pins.forEach((limit, pin) -> addPin(writes, limit, pin));
        pauses.forEach((limit, until) -> {
            if (until.isPresent()) {
                writes.add("upsert_pauses", org, limit.text(), until.get());
            } else {
                writes.add("delete_pauses", org, limit.text());
            }
        });
        holds.forEach((limit, until) -> writes.add("upsert_holds", org, limit.text(), until));
        emitted.forEach(event -> addEvent(writes, event));
        refused.forEach(start -> addRefused(writes, start));
        if (!refused.isEmpty()) {
            writes.add("trim_refused_starts", org, Records.REFUSED_STARTS_MAX);
        }
        modules.forEach(
                (module, profile) -> writes.add("upsert_modules", org, module, profile.slots(), profile.exclusive()));
        for (Move.WorkflowRegistered registered : workflows) {
            String definition = Json.text(registered.workflow().toJson());
            String name = registered.workflow().name();
            writes.add(
                    "insert_workflows",
                    org,
                    name,
                    registered.version(),
                    registered.hash(),
                    definition,
                    registered.at());
        }
        if (lastNumber != NO_NUMBER) {
            writes.add("update_organisations", org, lastNumber + 1);
        }
        log.addTo(writes, org);
    }

    private void addEvent(Writes writes, Move.EventEmitted event) {
        Origin origin = event.origin();
        writes.add(
                "insert_emitted",
                org,
                event.at(),
                event.unit().run(),
                event.unit().step(),
                origin.root() == null ? event.unit().run() : origin.root(),
                origin.depth(),
                event.event(),
                Json.text(event.data()));
    }

    private void addRefused(Writes writes, Move.StartRefused start) {
        writes.add(
                "insert_refused_starts",
                org,
                start.at(),
                start.run(),
                start.workflow(),
                States.letter(start.why()),
                start.message(),
                start.by());
    }

    private void addSignal(Writes writes, SignalKey key, Optional<Signal> kept) {
        if (kept.isPresent()) {
            Signal signal = kept.get();
            String payload = Json.text(signal.payload());
            writes.add("insert_signals", org, key.run, key.number, signal.name(), payload, signal.at(), signal.id());
        } else {
            writes.add("delete_signals", org, key.run, key.number);
        }
    }

    private void addStart(Writes writes, Start start) {
        Rate rate = start.rate();
        writes.add(
                "insert_starts",
                org,
                start.limit().text(),
                start.at(),
                start.cost(),
                rate == null ? null : rate.count(),
                rate == null ? null : rate.period(),
                rate == null ? null : Limits.letter(rate.window()),
                start.opens(),
                start.underLonger() ? start.longest() : null);
    }

    private void addPin(Writes writes, LimitId.Shared limit, Optional<Pin> pinned) {
        if (pinned.isEmpty()) {
            writes.add("delete_pins", org, limit.text());
            return;
        }
        Pin pin = pinned.get();
        Rate rate = pin.rate();
        writes.add(
                "upsert_pins",
                org,
                limit.text(),
                pin.parallelism(),
                rate == null ? null : rate.count(),
                rate == null ? null : rate.period(),
                rate == null ? null : Limits.letter(rate.window()),
                pin.until());
    }
}
