package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Move;
import dev.weir.core.state.Notice;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.simulator.Requirement.Share;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks that each run that failed for good has exactly one dead letter, and that each limit that is nearly used up has
 * one open notice, which closes only after its usage was low for a while.
 */
final class AttentionCheck {
    private static final int WARNED_PERCENT = 80;
    private static final int LOW_PERCENT = 70;
    private static final int HUNDRED = 100;

    private final TraceState traceState;
    private final LimitReference limits;
    private final Set<Coverage> coverage;
    private final long lowFor;
    /** The run for which a step waits, by step. */
    private final Map<UnitId, String> awaited = new HashMap<>();
    /** Failed runs whose dead letter has not come yet. */
    private final Set<String> failed = new TreeSet<>();

    private final Set<String> lettered = new HashSet<>();
    private final Set<Long> closedLetters = new HashSet<>();
    private final NavigableMap<Long, String> openLetters = new TreeMap<>();
    /** Dead letters of chains that are too long, now and later: no operator raises their limit. */
    private final Set<Long> cascades = new HashSet<>();

    private final Set<String> openNotices = new HashSet<>();
    /** Notices that must have been issued by the next settlement. */
    private final Set<String> due = new TreeSet<>();

    private final Map<String, Long> highAt = new HashMap<>();
    private long lastLetter;

    /** Creates the check. {@code lowFor} is the time for which usage must be low before a notice closes. */
    AttentionCheck(TraceState traceState, LimitReference limits, Set<Coverage> coverage, long lowFor) {
        this.traceState = traceState;
        this.limits = limits;
        this.coverage = coverage;
        this.lowFor = lowFor;
    }

    void check(Move.OfAttention move) {
        switch (move) {
            case Move.DeadLettered dead -> checkLetter(dead.letter());
            case Move.DeadLetterClosed closed -> {
                coverage.add(Coverage.DEAD_LETTER_CLOSED);
                openLetters.remove(closed.number());
                require(
                        closed.state() != DeadLetter.State.REDRIVEN || !cascades.contains(closed.number()),
                        "R4.6",
                        "dead letter %s was redriven as %s, and its chain is too long",
                        closed.number(),
                        closed.redrivenAs());
                require(
                        closedLetters.add(closed.number()),
                        "R4.13",
                        "dead letter %s was closed twice",
                        closed.number());
            }
            case Move.NoticeOpened opened -> checkOpened(opened.notice());
            case Move.NoticeClosed closed -> checkClosed(closed);
        }
    }

    private void checkLetter(DeadLetter letter) {
        require(letter.number() == lastLetter + 1, "R4.13", "%s follows number %s", letter, lastLetter);
        lastLetter = letter.number();
        if (letter.content().kind() == DeadLetter.Kind.CASCADE) {
            cascades.add(letter.number());
            openLetters.put(letter.number(), letter.content().subject());
        }
        if (letter.content().kind() == DeadLetter.Kind.FAILED_RUN) {
            String run = letter.content().subject();
            coverage.add(Coverage.DEAD_LETTERED);
            openLetters.put(letter.number(), run);
            require(lettered.add(run), "R4.13", "run %s has a second dead letter", run);
            require(failed.remove(run), "R4.13", "run %s has a dead letter, and has not failed for good", run);
        }
    }

    void noteMoved(StepRow row) {
        String child = row.detail().child();
        if (row.state() == StepState.WAITING && child != null) {
            awaited.put(row.id(), child);
        } else {
            awaited.remove(row.id());
        }
    }

    void noteMoved(Move.RunMoved moved) {
        if (moved.row().state() == RunState.FAILED) {
            UnitId parent = traceState.run(moved.row().id()).parent;
            boolean isAwaited = parent != null && moved.row().id().equals(awaited.get(parent));
            if (!isAwaited) {
                failed.add(moved.row().id());
            }
        }
    }

    private static String name(Notice notice) {
        return notice.severity().word() + " " + notice.subject().kind().word() + " "
                + notice.subject().name();
    }

    private void checkOpened(Notice notice) {
        coverage.add(Coverage.NOTICE_OPENED);
        String name = name(notice);
        require(openNotices.add(name), "R4.7", "%s was issued twice", name);
        due.remove(name);
        if (notice.subject().kind() == Notice.Kind.CAPACITY || notice.subject().kind() == Notice.Kind.RATE) {
            int percent = notice.severity() == Notice.Severity.CRITICAL ? HUNDRED : WARNED_PERCENT;
            require(
                    notice.used() * HUNDRED >= notice.max() * percent,
                    "R4.7",
                    "%s was issued at %s of %s",
                    name,
                    notice.used(),
                    notice.max());
        }
    }

    private void checkClosed(Move.NoticeClosed closed) {
        coverage.add(Coverage.NOTICE_CLOSED);
        String name = name(closed.notice());
        require(openNotices.remove(name), "R4.7", "%s was closed, and was not open", name);
        if (closed.notice().subject().kind() == Notice.Kind.CAPACITY) {
            long high = highAt.getOrDefault(closed.notice().subject().name(), Long.MIN_VALUE);
            require(
                    high <= closed.at() - lowFor,
                    "R4.7",
                    "%s was closed at %s, and its usage was high at %s",
                    name,
                    closed.at(),
                    high);
        }
    }

    /** Notes a start, after the trace has counted it. */
    void noteGranted(UnitId unit, Requirement requirement, long now) {
        for (Share share : requirement.shares()) {
            int capacity = limits.parallelism(share);
            if (share.weight() > 0 && capacity != Requirement.UNLIMITED) {
                long used = traceState.allocated(share.limit());
                if (used * HUNDRED >= (long) capacity * LOW_PERCENT) {
                    highAt.put(share.limit(), now);
                }
                expect(used * HUNDRED >= (long) capacity * WARNED_PERCENT, "warning capacity " + share.limit());
                expect(used >= capacity, "critical capacity " + share.limit());
            }
        }
    }

    private void expect(boolean crossed, String notice) {
        if (crossed && !openNotices.contains(notice)) {
            due.add(notice);
        }
    }

    /** The failed runs, and the ends of chains, with open dead letters, by number. */
    NavigableMap<Long, String> openLetters() {
        return openLetters;
    }

    void checkSettled() {
        require(failed.isEmpty(), "R4.13", "runs %s have failed, and have no dead letter", failed);
        require(due.isEmpty(), "R4.7", "%s should have been issued", due);
    }
}
