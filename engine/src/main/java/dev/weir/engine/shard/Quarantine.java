package dev.weir.engine.shard;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tracks organisations whose rules or rows failed. After a failed batch, ever smaller batches are decided until the
 * culprit is alone. An organisation that fails on its own is set aside, each time for longer.
 */
final class Quarantine {
    /** The first quarantine period, in microseconds. */
    static final long PAUSE_MIN = 1_000_000;
    /** The longest quarantine period, in microseconds. */
    static final long PAUSE_MAX = 300_000_000;
    /** The number of failed commands in close succession after which an organisation is quarantined. */
    static final int STRIKES_MAX = 10;
    /** The time in microseconds after which a failed command is forgotten. */
    static final long STRIKE_FORGOTTEN = 60_000_000;

    private final Map<String, Trouble> byOrg = new HashMap<>();
    /** Organisations of a batch that the store refused. They are decided one by one. */
    private final Set<String> suspects = new LinkedHashSet<>();

    /** The progress of the search for the failing message of one organisation. */
    private enum Search {
        /** No single message is suspected. */
        CROWD,
        /** A single message failed; the organisation is decided without it. */
        WITHOUT,
        /** The organisation succeeded without the message. If the message fails again, it is the culprit. */
        WITH
    }

    /** The failure record of an organisation. */
    private static final class Trouble {
        /** The number of its messages that a batch may take. */
        private int trust = Mailbox.BATCH_MAX;

        private Search search = Search.CROWD;
        private int strikes;
        private long lastStrike = Long.MIN_VALUE / 2;
        private long pause = PAUSE_MIN;
        private long until = Long.MIN_VALUE;
        private String why = "";
    }

    /** The action to take after a failure. */
    enum Remedy {
        /** Decide again with fewer messages. */
        AGAIN,
        /** Refuse the only message; it is the culprit. */
        REFUSE_MESSAGE,
        /** Quarantine the organisation, which fails without any message. */
        QUARANTINE
    }

    /** The number of messages that an organisation may have in the next batch. */
    int trust(String org) {
        if (!mayGo(org)) {
            return 0;
        }
        Trouble trouble = byOrg.get(org);
        return trouble == null ? Mailbox.BATCH_MAX : trouble.search == Search.WITHOUT ? 0 : trouble.trust;
    }

    /**
     * True if no culprit is being searched for among these organisations. Only then is a batch independent of the
     * outcome of the previous one.
     */
    boolean none(Set<String> orgs) {
        return suspects.isEmpty() && orgs.stream().noneMatch(byOrg::containsKey);
    }

    /** True if no refused batch is being examined, so that all organisations may be in the next batch. */
    boolean suspectsNobody() {
        return suspects.isEmpty();
    }

    /** True if the organisation may be in the next batch. */
    boolean mayGo(String org) {
        return suspects.isEmpty() || suspects.iterator().next().equals(org);
    }

    boolean quarantined(String org, long tick) {
        return remaining(org, tick) > 0;
    }

    /**
     * Organisations from which the inbox must take nothing now: they are quarantined, or being decided without
     * messages.
     */
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
     * Organisations that must be in the next batch even if nothing of theirs is due. Until then, the search blocks
     * other organisations' messages, or their own.
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

    /** The remaining quarantine time, in microseconds. */
    long remaining(String org, long tick) {
        Trouble trouble = byOrg.get(org);
        return trouble == null || trouble.until <= tick ? 0 : trouble.until - tick;
    }

    /** Records that a batch of these organisations was refused. */
    void suspect(Set<String> orgs) {
        suspects.addAll(orgs);
    }

    /** Records that an organisation failed on its own with this number of messages, and returns the action to take. */
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

    /** Records a failed command. Returns true if the organisation must be quarantined. */
    boolean strike(String org, long tick) {
        Trouble trouble = of(org);
        trouble.strikes = tick - trouble.lastStrike > STRIKE_FORGOTTEN ? 1 : trouble.strikes + 1;
        trouble.lastStrike = tick;
        return trouble.strikes >= STRIKES_MAX;
    }

    /** Sets an organisation aside; each period is twice as long as the last. */
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

    /** Records that an organisation was committed. */
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
