package dev.weir.postgres.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.core.state.ListeningSpan;
import dev.weir.core.state.Move;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.SecretRow;
import dev.weir.core.state.Signal;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.access.AuditRows;
import dev.weir.postgres.json.LimitJson;
import dev.weir.postgres.json.ListeningJson;
import dev.weir.postgres.json.SettingJson;
import dev.weir.postgres.json.StoredJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The row changes of one organisation in one transaction. Successive moves are merged: if a step becomes ready, is
 * claimed and ends within a batch, only its end is written.
 */
final class RowChanges {
    private static final long NO_NUMBER = 0;

    private final int org;
    private final Map<Long, RunChange> runs = new LinkedHashMap<>();
    /** Runs that end, in the order in which they end. */
    private final List<RunChange> ended = new ArrayList<>();

    private final List<LimitStart> starts = new ArrayList<>();
    private final Map<LimitId.Shared, Move.RateReset> resets = new TreeMap<>();
    private final Map<LimitId.Shared, Optional<Pin>> pins = new TreeMap<>();
    private final Map<LimitId.Runs, RunLimitConfig> runLimits = new TreeMap<>();
    private final Map<LimitId.Shared, Optional<Long>> pauses = new TreeMap<>();
    private final Map<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();
    private final Map<String, ConcurrencyProfile> modules = new TreeMap<>();
    private final List<Move.WorkflowRegistered> workflows = new ArrayList<>();
    private final Map<SignalKey, Optional<Signal>> signals = new LinkedHashMap<>();
    private final TokenChanges tokens = new TokenChanges();
    private final EventChanges events = new EventChanges();
    private final List<AuditEntry> audit = new ArrayList<>();
    private final Map<String, Optional<Move.SecretStored>> secrets = new TreeMap<>();
    private final StopChanges stops = new StopChanges();
    private final AttentionChanges attentionChanges = new AttentionChanges();
    private final ClaimLog claimLog = new ClaimLog();
    private ExecutionCounts counts = ExecutionCounts.NONE;
    private long countedAt;
    private long lastRunNumber = NO_NUMBER;
    private long highestFence = NO_NUMBER;
    private @Nullable List<ListeningSpan> listening;

    private record SignalKey(long run, long number) {}

    RowChanges(int org) {
        this.org = org;
    }

    void apply(Move move) {
        count(move);
        switch (move) {
            case Move.RunAccepted accepted -> {
                runChange(accepted).accept(accepted.row());
                lastRunNumber = Math.max(lastRunNumber, accepted.row().number());
            }
            case Move.RunMoved moved -> applyRunMoved(moved);
            case Move.RunHeld held -> runChange(held).hold(held.until());
            case Move.RunStopping stopping -> runChange(stopping).stop(stopping.ending());
            case Move.RunOverridden overridden -> runChange(overridden).override(overridden.overrides());
            case Move.RunChanged changed -> runChange(changed).change(changed.limitNeeds(), changed.detail());
            case Move.StepChanged changed -> unitChange(changed, changed.unit()).change(changed.detail());
            case Move.StepPutAhead ahead -> unitChange(ahead, ahead.row().id()).amend(ahead.row(), ahead.at());
            case Move.OutputAmended amended ->
                unitChange(amended, amended.row().id()).amend(amended.row(), amended.at());
            case Move.SignalKept kept -> signals.put(key(kept, kept.signal().number()), Optional.of(kept.signal()));
            case Move.SignalTaken taken -> takeSignal(key(taken, taken.number()));
            case Move.DeadlineNear ignored -> {}
            case Move.StepMoved moved ->
                unitChange(moved, moved.row().id()).move(moved.row(), moved.from(), moved.at());
            case Move.ItemCreated made -> unitChange(made, made.row().id()).create(made.row());
            case Move.Granted granted -> grant(granted);
            case Move.Resumed resumed -> resume(resumed);
            case Move.FenceRaised raised -> highestFence = raised.highest();
            case Move.ListeningRecorded noted -> listening = noted.spans();
            case Move.Extended extended -> extend(extended);
            case Move.Released released -> release(released);
            case Move.KeyPinned pinned -> {
                pins.put(pinned.limit(), Optional.of(pinned.pin()));
                claimLog.pinned(pinned);
            }
            case Move.KeyUnpinned unpinned -> {
                pins.put(unpinned.limit(), Optional.empty());
                claimLog.changed("unpinned", unpinned.at(), unpinned.limit().text(), null);
            }
            case Move.RunLimitsConfigured configured -> configureRunLimits(configured);
            case Move.KeyPaused paused -> {
                pauses.put(paused.limit(), Optional.of(paused.until()));
                claimLog.changed("paused", paused.at(), paused.limit().text(), paused.until());
            }
            case Move.KeyResumed resumed -> {
                pauses.put(resumed.limit(), Optional.empty());
                claimLog.changed("resumed", resumed.at(), resumed.limit().text(), null);
            }
            case Move.KeyHeld held -> {
                holds.put(held.limit(), held.hold());
                claimLog.held(held);
            }
            case Move.OfEvent event -> events.apply(event);
            case Move.RateReset reset -> reset(reset);
            case Move.WorkflowRegistered registered -> workflows.add(registered);
            case Move.ModuleRegistered registered -> modules.put(registered.module(), registered.profile());
            case Move.OfAccess access -> applyAccess(access);
            case Move.OfStops stop -> stops.apply(stop);
            case Move.OfAttention attention -> attentionChanges.apply(attention);
        }
    }

    private void count(Move move) {
        ExecutionCounts after = counts.plus(move);
        if (!after.equals(counts)) {
            counts = after;
            countedAt = move.at();
        }
    }

    private void applyAccess(Move.OfAccess move) {
        switch (move) {
            case Move.TokenCreated created -> tokens.create(created.token());
            case Move.TokenRevoked revoked -> tokens.retire(revoked.name(), revoked.at());
            case Move.TokenRotated rotated -> {
                tokens.retire(rotated.token().name(), rotated.until());
                tokens.create(rotated.token());
            }
            case Move.Audited audited -> audit.add(audited.entry());
            case Move.AdministrationAudited audited -> stops.apply(audited);
            case Move.DeletionOrdered ordered -> stops.apply(ordered);
            case Move.SecretStored stored -> secrets.put(stored.secret().name(), Optional.of(stored));
            case Move.SecretDeleted deleted -> secrets.put(deleted.name(), Optional.empty());
        }
    }

    private void applyRunMoved(Move.RunMoved moved) {
        RunChange change = runChange(moved);
        change.move(moved);
        starts.addAll(moved.starts());
        if (moved.row().state().ended()) {
            ended.add(change);
        }
    }

    private void grant(Move.Granted granted) {
        StepChange unit = unitChange(granted, granted.claim().unit());
        unit.grant(granted.claim(), granted.row(), granted.from());
        starts.addAll(granted.claim().starts());
        claimLog.granted(unit.key(), granted.claim(), granted.at());
        if (granted.startsInTick() > 0) {
            runChange(granted).tick(granted.at(), granted.startsInTick());
        }
    }

    private void extend(Move.Extended extended) {
        StepChange unit = unitChange(extended, extended.unit());
        unit.extend(extended.fence(), extended.until());
        claimLog.extended(unit.key(), extended);
    }

    private void release(Move.Released released) {
        StepChange unit = unitChange(released, released.unit());
        unit.release(released.fence(), released.grantedAt());
        claimLog.released(unit.key(), released);
    }

    private void resume(Move.Resumed resumed) {
        StepChange unit = unitChange(resumed, resumed.claim().unit());
        unit.resume(resumed.claim(), resumed.replacedFence(), resumed.row());
        claimLog.resumed(unit.key(), resumed.claim(), resumed.at());
    }

    private void reset(Move.RateReset reset) {
        starts.removeIf(start -> start.limit().equals(reset.limit()));
        resets.put(reset.limit(), reset);
        claimLog.changed("reset", reset.at(), reset.limit().text(), null);
    }

    private void configureRunLimits(Move.RunLimitsConfigured configured) {
        runLimits.put(configured.limit(), configured.config());
        Pin pin = configured.config().toPin();
        if (pin == null) {
            claimLog.changed("unpinned", configured.at(), configured.limit().text(), null);
        } else {
            claimLog.pinned(new Move.KeyPinned(configured.limit(), pin, configured.at()));
        }
    }

    /** Takes a signal. A signal that the same transaction keeps and takes leaves no row. */
    private void takeSignal(SignalKey key) {
        if (signals.remove(key) == null) {
            signals.put(key, Optional.empty());
        }
    }

    private static SignalKey key(Move.OfRun move, long number) {
        return new SignalKey(move.ref().number(), number);
    }

    private RunChange runChange(Move.OfRun move) {
        return runs.computeIfAbsent(move.ref().number(), number -> new RunChange(move.ref()));
    }

    private StepChange unitChange(Move.OfRun move, UnitId id) {
        return runChange(move).unit(id);
    }

    void addTo(RowWrites writes) {
        runs.values().forEach(change -> change.addTo(writes, org));
        writes.pages(org).addTo(writes, org);
        ended.forEach(change -> change.addHistory(writes, org));
        signals.forEach((key, signal) -> addSignal(writes, key, signal));
        resets.keySet().forEach(limit -> writes.add("delete_rate_starts", org, limit.text()));
        starts.forEach(start -> addStart(writes, start));
        pins.forEach((limit, pin) -> addPin(writes, limit, pin));
        runLimits.forEach(
                (limit, config) -> writes.add("upsert_rate_limit_configs", RunLimitColumns.row(org, limit, config)));
        pauses.forEach((limit, until) -> {
            if (until.isPresent()) {
                writes.add("upsert_pauses", org, limit.text(), until.get());
            } else {
                writes.add("delete_pauses", org, limit.text());
            }
        });
        holds.forEach((limit, hold) -> addHold(writes, limit, hold));
        events.addTo(writes, org);
        modules.forEach((module, profile) ->
                writes.add("upsert_module_defaults", org, module, profile.slots(), profile.exclusive()));
        for (Move.WorkflowRegistered registered : workflows) {
            String definition = StoredJson.text(registered.workflow().toJson());
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
        if (lastRunNumber != NO_NUMBER || !counts.equals(ExecutionCounts.NONE)) {
            writes.add(
                    "update_organisations",
                    org,
                    lastRunNumber == NO_NUMBER ? null : (Long) (lastRunNumber + 1),
                    counts.equals(ExecutionCounts.NONE) ? null : (Long) countedAt,
                    counts.started(),
                    counts.deferred(),
                    counts.debounced(),
                    counts.cascadeDetected());
        }
        if (highestFence != NO_NUMBER) {
            writes.add("update_highest_fences", org, highestFence);
        }
        if (listening != null) {
            writes.add("update_listening_spans", org, ListeningJson.text(listening));
        }
        tokens.addTo(writes, org);
        audit.forEach(entry -> writes.add("insert_audit_entries", AuditRows.columns(org, entry)));
        secrets.forEach((name, stored) -> addSecret(writes, name, stored));
        stops.addTo(writes, org);
        attentionChanges.addTo(writes, org);
        claimLog.addTo(writes, org);
    }

    private void addSignal(RowWrites writes, SignalKey key, Optional<Signal> kept) {
        if (kept.isPresent()) {
            Signal signal = kept.get();
            writes.add(
                    "insert_signals",
                    org,
                    key.run,
                    key.number,
                    signal.name(),
                    StoredJson.text(signal.payload()),
                    signal.at(),
                    signal.id(),
                    signal.sentBy());
        } else {
            writes.add("delete_signals", org, key.run, key.number);
        }
    }

    private void addStart(RowWrites writes, LimitStart start) {
        Rate rate = start.rate();
        writes.add(
                "insert_rate_starts",
                org,
                start.limit().text(),
                start.at(),
                start.cost(),
                rate == null ? null : rate.count(),
                rate == null ? null : rate.period(),
                rate == null ? null : LimitJson.letter(rate.window()),
                start.opensWindow(),
                start.hasLongerPeriod() ? start.longestPeriod() : null);
    }

    private void addHold(RowWrites writes, LimitId.Shared limit, RetryAfterHold hold) {
        UnitId by = hold.by();
        writes.add(
                "upsert_retry_after_holds",
                org,
                limit.text(),
                hold.until(),
                hold.status(),
                by == null ? null : by.run(),
                by == null ? null : by.step(),
                by == null ? null : by.item());
    }

    private void addSecret(RowWrites writes, String name, Optional<Move.SecretStored> stored) {
        if (stored.isEmpty()) {
            writes.add("delete_secrets", org, name);
            return;
        }
        SecretRow secret = stored.get().secret();
        writes.add(
                "upsert_secrets",
                org,
                name,
                secret.version(),
                secret.keyId(),
                stored.get().sealed(),
                secret.changedAt());
    }

    private void addPin(RowWrites writes, LimitId.Shared limit, Optional<Pin> pinned) {
        if (pinned.isEmpty()) {
            writes.add("delete_pins", org, limit.text());
            return;
        }
        Pin pin = pinned.get();
        Long longest = pin.rates().stream().map(Rate::period).max(Long::compare).orElse(null);
        writes.add("upsert_pins", org, limit.text(), SettingJson.pin(pin), longest, pin.until());
    }
}
