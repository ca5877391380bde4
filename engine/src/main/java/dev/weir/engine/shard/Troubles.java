package dev.weir.engine.shard;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Organisations whose rules or rows have failed. What fails in a crowd is tried in smaller crowds until the culprit is
 * alone; an organisation that fails on its own is left alone for a while, each time for longer.
 */
final class Troubles {
    /** How long an organisation is left alone at first, in microseconds. */
    static final long PAUSE_MIN = 1_000_000;
    /** How long it is left alone at the most, in microseconds. */
    static final long PAUSE_MAX = 300_000_000;
    /** Commands of one organisation that may fail, each soon after the other, before it is left alone as well. */
    static final int STRIKES_MAX = 10;
    /** After how long a command that failed is forgotten, in microseconds. */
    static final long STRIKE_FORGOTTEN = 60_000_000;

    private final Map<String, Trouble> byOrg = new HashMap<>();
    /** Organisations that were in a batch which the store refused; they are tried one by one. */
    private final Set<String> suspects = new LinkedHashSet<>();

    /** How far the search for what fails has come in one organisation. */
    private enum Search {
        /** Nothing is suspected but the crowd. */
        CROWD,
        /** A single message failed: the organisation is tried without it. */
        WITHOUT,
        /** It went well without: if the message fails again, it is the culprit. */
        WITH
    }

    /** What is known against an organisation. */
    private static final class Trouble {
        /** How many messages of it are taken into a batch. */
        private int trust = Mailbox.BATCH_MAX;

        private Search search = Search.CROWD;
        private int strikes;
        private long lastStrike = Long.MIN_VALUE / 2;
        private long pause = PAUSE_MIN;
        private long until = Long.MIN_VALUE;
        private String why = "";
    }

    /** What is to be done about a failure. */
    enum Remedy {
        /** Try again, with fewer. */
        AGAIN,
        /** The only message is the culprit. */
        REFUSE_MESSAGE,
        /** The organisation fails on its own. */
        QUARANTINE
    }

    /** How many messages an organisation may have in the next batch. */
    int trust(String org) {
        if (!mayGo(org)) {
            return 0;
        }
        Trouble trouble = byOrg.get(org);
        return trouble == null ? Mailbox.BATCH_MAX : trouble.search == Search.WITHOUT ? 0 : trouble.trust;
    }

    /** Whether nothing is being searched for in any of these: only then does a batch say nothing about the next. */
    boolean none(Set<String> orgs) {
        return suspects.isEmpty() && orgs.stream().noneMatch(byOrg::containsKey);
    }

    /** Whether all organisations may be in the next batch, as far as nothing is known against them. */
    boolean suspectsNobody() {
        return suspects.isEmpty();
    }

    /** Whether an organisation may be in the next batch. */
    boolean mayGo(String org) {
        return suspects.isEmpty() || suspects.iterator().next().equals(org);
    }

    boolean quarantined(String org, long tick) {
        return remaining(org, tick) > 0;
    }

    /** Organisations of which nothing is to be taken in now: they are quarantined, or tried without messages. */
    Set<String> leftAlone(long tick) {
        Set<String> all = new LinkedHashSet<>();
        byOrg.forEach((org, trouble) -> {
            if (trouble.search == Search.WITHOUT || quarantined(org, tick)) {
                all.add(org);
            }
        });
        return all;
    }

    /**
     * Organisations that are to have a turn whether anything of them is due or not: until they had it, nobody else's messages
     * are taken, or none of their own.
     */
    Set<String> awaited() {
        Set<String> all = new LinkedHashSet<>();
        suspects.stream().findFirst().ifPresent(all::add);
        byOrg.forEach((org, trouble) -> {
            if (trouble.search == Search.WITHOUT && mayGo(org)) {
                all.add(org);
            }
        });
        return all;
    }

    String why(String org) {
        Trouble trouble = byOrg.get(org);
        return trouble == null ? "" : trouble.why;
    }

    /** How long an organisation is still left alone, in microseconds. */
    long remaining(String org, long tick) {
        Trouble trouble = byOrg.get(org);
        return trouble == null || trouble.until <= tick ? 0 : trouble.until - tick;
    }

    /** A batch of several organisations was refused. */
    void suspect(Set<String> orgs) {
        suspects.addAll(orgs);
    }

    /** An organisation has failed on its own, with so many messages in hand. */
    Remedy failed(String org, int messages) {
        Trouble trouble = of(org);
        if (messages == 0) {
            return Remedy.QUARANTINE;
        }
        if (messages == 1 && trouble.search == Search.WITH) {
            trouble.search = Search.CROWD;
            return Remedy.REFUSE_MESSAGE;
        }
        trouble.trust = Math.max(1, messages / 2);
        trouble.search = messages == 1 ? Search.WITHOUT : Search.CROWD;
        return Remedy.AGAIN;
    }

    /** One command of an organisation has failed; tells whether it was one too many. */
    boolean strike(String org, long tick) {
        Trouble trouble = of(org);
        trouble.strikes = tick - trouble.lastStrike > STRIKE_FORGOTTEN ? 1 : trouble.strikes + 1;
        trouble.lastStrike = tick;
        return trouble.strikes >= STRIKES_MAX;
    }

    /** Leaves an organisation alone for a while. */
    void quarantine(String org, String why, long tick) {
        Trouble trouble = of(org);
        trouble.why = why;
        trouble.until = tick + trouble.pause;
        trouble.pause = Math.min(PAUSE_MAX, trouble.pause * 2);
        trouble.strikes = 0;
        trouble.trust = 1;
        trouble.search = Search.CROWD;
        suspects.remove(org);
    }

    /** An organisation's turn went well. */
    void wentWell(String org, long tick) {
        suspects.remove(org);
        Trouble trouble = byOrg.get(org);
        if (trouble == null) {
            return;
        }
        if (trouble.search == Search.WITHOUT) {
            trouble.search = Search.WITH;
            return;
        }
        trouble.search = Search.CROWD;
        trouble.trust = Math.min(Mailbox.BATCH_MAX, trouble.trust * 2);
        if (trouble.trust == Mailbox.BATCH_MAX && tick - trouble.lastStrike > STRIKE_FORGOTTEN) {
            byOrg.remove(org);
        }
    }

    private Trouble of(String org) {
        return byOrg.computeIfAbsent(org, ignored -> new Trouble());
    }
}
