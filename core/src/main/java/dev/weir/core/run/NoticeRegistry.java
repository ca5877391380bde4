package dev.weir.core.run;

import dev.weir.core.admission.UsageCrossing;
import dev.weir.core.admission.UsageReading;
import dev.weir.core.command.NoticeControl;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.Notice;
import dev.weir.core.state.NoticeSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Issues notices when a value crosses a threshold, and closes them once the value has been low for a while. Until then
 * the same crossing is not issued again. It learns of limits from {@code UsageCrossings}, and looks again only at the
 * subjects of open notices.
 */
final class NoticeRegistry implements NoticeControl {
    /** The number of subjects with open notices. Further limits share one notice. */
    static final int SUBJECTS_MAX = 250;
    /** The part of the time for which a value must be low that lies between two looks at it. */
    private static final int CHECKS = 5;

    private static final int HUNDRED = 100;
    private static final long NEVER_LOW = Long.MIN_VALUE;
    private static final Notice.Subject MORE_LIMITS = new Notice.Subject(Notice.Kind.MORE_LIMITS, "");
    private static final Notice.Subject DIFFERENCE = new Notice.Subject(Notice.Kind.SWEEP_DIFFERENCE, "");
    private static final Notice.Subject DEAD_LETTERS = new Notice.Subject(Notice.Kind.DEAD_LETTERS, "");

    private final LiveOrganisation org;
    private final SortedMap<Notice.Subject, Watched> watched = new TreeMap<>();
    private final PriorityQueue<Watched> byCheck = new PriorityQueue<>(
            Comparator.<Watched>comparingLong(one -> one.nextCheck).thenComparing(one -> one.subject));
    private @Nullable NoticeSettings settings;
    private long last;
    /** The threshold of open dead letters with which they were compared last. */
    private int deadLettersMax;

    private long differenceAt = NEVER_LOW;

    NoticeRegistry(LiveOrganisation org) {
        this.org = org;
    }

    /** A subject with open notices, and when it is looked at again. */
    private static final class Watched {
        private final Notice.Subject subject;
        private final List<Notice> open = new ArrayList<>(2);
        private long nextCheck;
        /** The time from which it has been low without a break; {@code NEVER_LOW} if it is not known to be. */
        private long lowSince = NEVER_LOW;

        Watched(Notice.Subject subject, long nextCheck) {
            this.subject = subject;
            this.nextCheck = nextCheck;
        }

        boolean has(Notice.Severity severity) {
            return open.stream().anyMatch(notice -> notice.severity() == severity);
        }
    }

    /** The value of a subject now. */
    private record Reading(boolean isHigh, long highAt) {}

    void restore(AttentionRows rows, long now) {
        last = rows.lastNotice();
        for (Notice notice : rows.notices()) {
            watch(notice.subject(), now).open.add(notice);
        }
    }

    private Watched watch(Notice.Subject subject, long now) {
        Watched known = watched.get(subject);
        if (known == null) {
            known = new Watched(subject, now + checkInterval());
            watched.put(subject, known);
            byCheck.add(known);
            updateFull();
        }
        return known;
    }

    /** The time between two looks at a subject with an open notice. */
    private long checkInterval() {
        NoticeSettings thresholds = settings == null ? NoticeSettings.DEFAULT : settings;
        return thresholds.lowFor() / CHECKS;
    }

    /** Stops looking for more limits once they share one notice, so that they cost nothing. */
    private void updateFull() {
        org.admission.usageWatch().setFull(watched.size() >= SUBJECTS_MAX && watched.containsKey(MORE_LIMITS));
    }

    long last() {
        return last;
    }

    /** The open notices, oldest first. */
    List<Notice> open() {
        return watched.values().stream()
                .flatMap(one -> one.open.stream())
                .sorted(Comparator.comparingLong(Notice::number))
                .toList();
    }

    /** Sets the thresholds. Without them, no notice is issued or closed. */
    void configure(NoticeSettings newSettings) {
        long before = checkInterval();
        settings = newSettings;
        // Notices are restored before the thresholds are known. A shift of all keeps their order.
        watched.values().forEach(one -> one.nextCheck += checkInterval() - before);
        org.admission.usageWatch().configure(newSettings.warnPercent(), newSettings.lowPercent());
    }

    @Override
    public void recordDifference(long now) {
        differenceAt = now;
        if (settings != null) {
            issue(DIFFERENCE, Notice.Severity.WARNING, 1, 0, now);
        }
    }

    /** Compares the number of open dead letters with the threshold. */
    void recordDeadLetters(long open, long now) {
        int max =
                settings == null ? Integer.MAX_VALUE : thresholds(settings, now).deadLetters();
        if (open >= max) {
            issue(DEAD_LETTERS, Notice.Severity.WARNING, open, max, now);
        }
    }

    /** The time of the next look at an open notice. */
    long nextCheck() {
        Watched next = byCheck.peek();
        return next == null || settings == null ? Moment.NEVER : next.nextCheck;
    }

    /** Issues what was crossed since the last call, and looks at the open notices whose time has come. */
    void advance(long now) {
        if (settings == null) {
            return;
        }
        NoticeSettings thresholds = thresholds(settings, now);
        if (thresholds.deadLetters() != deadLettersMax) {
            // An operator has changed the threshold, and it may be crossed already.
            deadLettersMax = thresholds.deadLetters();
            recordDeadLetters(org.deadLetters.openCount(), now);
        }
        for (UsageCrossing crossing : org.admission.usageWatch().takeCrossings()) {
            issue(crossing, now);
        }
        for (LimitId.Shared limit : org.admission.usageWatch().takeTooWide()) {
            var subject = new Notice.Subject(Notice.Kind.OVER_CAPACITY, limit.text());
            issue(subject, Notice.Severity.WARNING, 0, 0, now);
        }
        for (Watched due = byCheck.peek(); due != null && due.nextCheck <= now; due = byCheck.peek()) {
            byCheck.remove();
            check(due, thresholds, now);
        }
    }

    /** Returns the thresholds: those that an operator set for the organisation, and else those of the node. */
    private NoticeSettings thresholds(NoticeSettings ofNode, long now) {
        RunLimitConfig config = org.operatorSettings.findRunLimits(new LimitId.OrgRuns());
        Long oldestWaiter = config.noticeOldestWaiter().at(now);
        Integer deadLetters = config.noticeDeadLetters().at(now);
        return oldestWaiter == null && deadLetters == null
                ? ofNode
                : new NoticeSettings(
                        ofNode.warnPercent(),
                        ofNode.lowPercent(),
                        ofNode.lowFor(),
                        oldestWaiter == null ? ofNode.oldestWaiter() : oldestWaiter,
                        deadLetters == null ? ofNode.deadLetters() : deadLetters);
    }

    private void issue(UsageCrossing crossing, long now) {
        var kind = crossing.isRate() ? Notice.Kind.RATE : Notice.Kind.CAPACITY;
        var subject = new Notice.Subject(kind, crossing.limit().text());
        issue(subject, Notice.Severity.WARNING, crossing.used(), crossing.max(), now);
        if (crossing.isFull()) {
            issue(subject, Notice.Severity.CRITICAL, crossing.used(), crossing.max(), now);
        }
    }

    /** Issues a notice, unless it is open already. */
    private void issue(Notice.Subject subject, Notice.Severity severity, long used, long max, long now) {
        if (!watched.containsKey(subject)
                && watched.size() >= SUBJECTS_MAX
                && !subject.name().isEmpty()) {
            org.admission.usageWatch().rearm(subject.name(), subject.kind() == Notice.Kind.RATE);
            issue(MORE_LIMITS, Notice.Severity.WARNING, SUBJECTS_MAX, SUBJECTS_MAX, now);
            return;
        }
        Watched one = watch(subject, now);
        if (!one.has(severity)) {
            last++;
            var notice = new Notice(last, subject, severity, used, max, now);
            one.open.add(notice);
            org.moves.add(new Move.NoticeOpened(notice, now));
        }
    }

    private void check(Watched one, NoticeSettings thresholds, long now) {
        Reading reading = read(one.subject, thresholds, now);
        if (reading.isHigh) {
            one.lowSince = NEVER_LOW;
        } else if (one.lowSince == NEVER_LOW || reading.highAt >= one.lowSince) {
            one.lowSince = now;
        } else if (now - one.lowSince >= thresholds.lowFor()) {
            close(one, now);
            return;
        }
        one.nextCheck = now + checkInterval();
        byCheck.add(one);
    }

    private void close(Watched one, long now) {
        watched.remove(one.subject);
        for (Notice notice : one.open) {
            org.moves.add(new Move.NoticeClosed(notice, now));
        }
        updateFull();
        if (isOfUsage(one.subject)) {
            org.admission.usageWatch().rearm(one.subject.name(), one.subject.kind() == Notice.Kind.RATE);
        }
    }

    private static boolean isOfUsage(Notice.Subject subject) {
        return subject.kind() == Notice.Kind.CAPACITY || subject.kind() == Notice.Kind.RATE;
    }

    private Reading read(Notice.Subject subject, NoticeSettings thresholds, long now) {
        return switch (subject.kind()) {
            case CAPACITY, RATE -> readUsage(subject, thresholds, now);
            case OVER_CAPACITY ->
                new Reading(
                        !org.admission
                                .directory()
                                .tooWide(LimitId.Shared.of(subject.name()))
                                .isEmpty(),
                        NEVER_LOW);
            case OLDEST_WAITER -> new Reading(hasOldWaiter(subject.name(), thresholds, now), NEVER_LOW);
            case SWEEP_DIFFERENCE -> new Reading(false, differenceAt);
            case DEAD_LETTERS ->
                new Reading(
                        org.deadLetters.openCount() * HUNDRED
                                >= (long) thresholds.deadLetters() * thresholds.lowPercent(),
                        NEVER_LOW);
            case MORE_LIMITS ->
                new Reading(watched.size() * HUNDRED > SUBJECTS_MAX * thresholds.lowPercent(), NEVER_LOW);
        };
    }

    /** Reads the usage of a limit, and looks at who waits for it longest. */
    private Reading readUsage(Notice.Subject subject, NoticeSettings thresholds, long now) {
        boolean isRate = subject.kind() == Notice.Kind.RATE;
        UsageReading usage = org.admission.usageWatch().read(LimitId.Shared.of(subject.name()), isRate, now);
        if (hasOldWaiter(subject.name(), thresholds, now)) {
            var waiter = new Notice.Subject(Notice.Kind.OLDEST_WAITER, subject.name());
            long waited = TimeUnit.MICROSECONDS.toSeconds(now - usage.oldestSince());
            issue(
                    waiter,
                    Notice.Severity.WARNING,
                    waited,
                    TimeUnit.MICROSECONDS.toSeconds(thresholds.oldestWaiter()),
                    now);
        }
        boolean isHigh = usage.max() > 0 && usage.used() * HUNDRED >= usage.max() * thresholds.lowPercent();
        return new Reading(isHigh, usage.highAt());
    }

    private boolean hasOldWaiter(String limit, NoticeSettings thresholds, long now) {
        long since = org.admission
                .usageWatch()
                .read(LimitId.Shared.of(limit), false, now)
                .oldestSince();
        return since != Moment.NEVER && now - since >= thresholds.oldestWaiter();
    }
}
