package dev.weir.engine.shard;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tracks organisations whose rules or rows failed. After a failed batch, ever smaller batches are decided until the
 * culprit is alone. An organisation that fails on its own is set aside, each time for longer.
 */
final class Quarantine {
    /** The first quarantine period, in microseconds. */
    static final long PERIOD_MIN = 1_000_000;
    /** The longest quarantine period, in microseconds. */
    static final long PERIOD_MAX = 300_000_000;
    /** The number of failed commands in close succession after which an organisation is quarantined. */
    static final int FAILED_COMMANDS_MAX = 10;
    /** The time in microseconds after which a failed command is forgotten. */
    static final long FAILED_COMMAND_RETENTION = 60_000_000;

    private final Map<String, FailureRecord> byOrg = new HashMap<>();
    /** Organisations of a batch that the store refused. They are decided one by one. */
    private final Set<String> suspects = new LinkedHashSet<>();
    /** Organisations that are being loaded. While all suspects are, the others are served. */
    private final Set<String> loading;

    /** The progress of the search for the failing message of one organisation. */
    private enum SearchPhase {
        /** No single message is suspected. */
        NO_SUSPECT,
        /** A single message failed; the organisation is decided without it. */
        WITHOUT_SUSPECT,
        /** The organisation succeeded without the message. If the message fails again, it is the culprit. */
        WITH_SUSPECT
    }

    /** The failure record of an organisation. */
    private static final class FailureRecord {
        /** The number of its messages that a batch may take. */
        private int messagesMax = Mailbox.BATCH_MAX;

        private SearchPhase phase = SearchPhase.NO_SUSPECT;
        private int failedCommands;
        private long lastFailedCommandAt = Long.MIN_VALUE / 2;
        private long period = PERIOD_MIN;
        private long until = Long.MIN_VALUE;
        private String reason = "";
    }

    /** The action to take after a failure. */
    enum FailureAction {
        /** Decide again with fewer messages. */
        RETRY_WITH_FEWER,
        /** Refuse the only message; it is the culprit. */
        REFUSE_MESSAGE,
        /** Quarantine the organisation, which fails without any message. */
        QUARANTINE
    }

    Quarantine(Set<String> loading) {
        this.loading = loading;
    }

    /** The suspect that is decided next, on its own. */
    private Optional<String> nextSuspect() {
        return suspects.stream().filter(org -> !loading.contains(org)).findFirst();
    }

    /** The number of messages that an organisation may have in the next batch. */
    int messagesMax(String org) {
        if (!canJoinBatch(org)) {
            return 0;
        }
        FailureRecord failureRecord = byOrg.get(org);
        return failureRecord == null
                ? Mailbox.BATCH_MAX
                : failureRecord.phase == SearchPhase.WITHOUT_SUSPECT ? 0 : failureRecord.messagesMax;
    }

    /**
     * True if no culprit is being searched for among these organisations. Only then is a batch independent of the
     * outcome of the previous one.
     */
    boolean isClear(Set<String> orgs) {
        return hasNoSuspects() && orgs.stream().noneMatch(byOrg::containsKey);
    }

    /** True if no refused batch is being examined, so that all organisations may be in the next batch. */
    boolean hasNoSuspects() {
        return nextSuspect().isEmpty();
    }

    /** True if the organisation may be in the next batch. */
    boolean canJoinBatch(String org) {
        return nextSuspect().map(org::equals).orElse(true);
    }

    boolean isQuarantined(String org, long monotonicNow) {
        return remaining(org, monotonicNow) > 0;
    }

    /**
     * Organisations from which the inbox must take nothing now: they are being loaded, quarantined, or decided without
     * messages.
     */
    Set<String> excludedFromInbox(long monotonicNow) {
        Set<String> all = new LinkedHashSet<>(loading);
        byOrg.forEach((org, failureRecord) -> {
            if (failureRecord.phase == SearchPhase.WITHOUT_SUSPECT || isQuarantined(org, monotonicNow)) {
                all.add(org);
            }
        });
        return all;
    }

    /**
     * Organisations that must be in the next batch even if nothing of theirs is due. Until then, the search blocks
     * other organisations' messages, or their own.
     */
    Set<String> requiredOrgs() {
        Set<String> all = new LinkedHashSet<>();
        nextSuspect().ifPresent(all::add);
        byOrg.forEach((org, failureRecord) -> {
            if (failureRecord.phase == SearchPhase.WITHOUT_SUSPECT && canJoinBatch(org) && !loading.contains(org)) {
                all.add(org);
            }
        });
        return all;
    }

    String reason(String org) {
        FailureRecord failureRecord = byOrg.get(org);
        return failureRecord == null ? "" : failureRecord.reason;
    }

    /** The remaining quarantine time, in microseconds. */
    long remaining(String org, long monotonicNow) {
        FailureRecord failureRecord = byOrg.get(org);
        return failureRecord == null || failureRecord.until <= monotonicNow ? 0 : failureRecord.until - monotonicNow;
    }

    /** Records that a batch of these organisations was refused. */
    void suspect(Set<String> orgs) {
        suspects.addAll(orgs);
    }

    /** Records that an organisation failed on its own with this number of messages, and returns the action to take. */
    FailureAction recordFailure(String org, int messages) {
        FailureRecord failureRecord = of(org);
        if (messages == 0) {
            return FailureAction.QUARANTINE;
        }
        if (messages == 1 && failureRecord.phase == SearchPhase.WITH_SUSPECT) {
            failureRecord.phase = SearchPhase.NO_SUSPECT;
            return FailureAction.REFUSE_MESSAGE;
        }
        failureRecord.messagesMax = Math.max(1, messages / 2);
        failureRecord.phase = messages == 1 ? SearchPhase.WITHOUT_SUSPECT : SearchPhase.NO_SUSPECT;
        return FailureAction.RETRY_WITH_FEWER;
    }

    /** Records a failed command. Returns true if the organisation must be quarantined. */
    boolean recordFailedCommand(String org, long monotonicNow) {
        FailureRecord failureRecord = of(org);
        failureRecord.failedCommands = monotonicNow - failureRecord.lastFailedCommandAt > FAILED_COMMAND_RETENTION
                ? 1
                : failureRecord.failedCommands + 1;
        failureRecord.lastFailedCommandAt = monotonicNow;
        return failureRecord.failedCommands >= FAILED_COMMANDS_MAX;
    }

    /** Sets an organisation aside; each period is twice as long as the last. */
    void add(String org, String reason, long monotonicNow) {
        FailureRecord failureRecord = of(org);
        failureRecord.reason = reason;
        failureRecord.until = monotonicNow + failureRecord.period;
        failureRecord.period = Math.min(PERIOD_MAX, failureRecord.period * 2);
        failureRecord.failedCommands = 0;
        failureRecord.messagesMax = 1;
        failureRecord.phase = SearchPhase.NO_SUSPECT;
        suspects.remove(org);
    }

    /** Records that an organisation was committed. */
    void recordCommit(String org, long monotonicNow) {
        suspects.remove(org);
        FailureRecord failureRecord = byOrg.get(org);
        if (failureRecord == null) {
            return;
        }
        if (failureRecord.phase == SearchPhase.WITHOUT_SUSPECT) {
            failureRecord.phase = SearchPhase.WITH_SUSPECT;
            return;
        }
        failureRecord.phase = SearchPhase.NO_SUSPECT;
        failureRecord.messagesMax = Math.min(Mailbox.BATCH_MAX, failureRecord.messagesMax * 2);
        if (failureRecord.messagesMax == Mailbox.BATCH_MAX
                && monotonicNow - failureRecord.lastFailedCommandAt > FAILED_COMMAND_RETENTION) {
            byOrg.remove(org);
        }
    }

    private FailureRecord of(String org) {
        return byOrg.computeIfAbsent(org, ignored -> new FailureRecord());
    }
}
