package dev.weir.core.state;

import dev.weir.core.json.StorableJson;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Work that failed for good and waits for a person, who redrives or discards it. It is written by the transaction that
 * makes the failure a fact.
 *
 * @param number the position among the dead letters of the organisation, from 1; never used twice
 * @param content the failure
 * @param at the time of the decision
 */
public record DeadLetter(long number, Content content, long at) {
    public static final int NAME_CHARS_MAX = 256;
    public static final int TEXT_CHARS_MAX = 2_000;
    /** The number of flow-control keys that are kept. */
    public static final int KEYS_MAX = 32;
    /** The number of links of a chain that are kept: those nearest to the end. */
    public static final int CHAIN_MAX = 128;

    /** The kind of work that failed. */
    public enum Kind {
        /** A run that failed after the last attempt of a step, or at its deadline. */
        FAILED_RUN,
        /** A start that a program left in the inbox and that cannot be carried out. */
        REFUSED_START,
        /** A chain of runs and events that became too long, so that no run was started. */
        CASCADE,
        /** An event that no trigger could take. */
        EVENT;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The reason for the failure, as a code. */
    public enum Reason {
        STEP_FAILED,
        DEADLINE_PASSED,
        UNKNOWN_WORKFLOW,
        /** Another run has the same id. */
        CONFLICT,
        /** The start was refused, such as for an input that does not fit. */
        REFUSED,
        /** The start cannot be decided or written. */
        FAILED,
        CASCADE_DETECTED,
        /** An expression of the trigger failed. */
        TRIGGER_FAILED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The state of a dead letter. Only an open one can be redriven or discarded. */
    public enum State {
        OPEN,
        REDRIVEN,
        DISCARDED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One run or event of a chain, nearest to the beginning first.
     *
     * @param id the id of the run or of the event
     * @param name the workflow of the run, or the type of the event
     */
    public record ChainLink(Type type, String id, String name) {
        /** The type of a link. */
        public enum Type {
            RUN,
            EVENT
        }

        public ChainLink {
            id = StorableJson.sanitize(id, NAME_CHARS_MAX);
            name = StorableJson.sanitize(name, NAME_CHARS_MAX);
        }
    }

    /**
     * The failure.
     *
     * @param subject the id of the run, or of the event; a refused start has the id that its run would have had
     * @param workflow the workflow of the run or of the trigger; absent if it is not known
     * @param keys the flow-control keys concerned, of failed steps first
     * @param text the reason, in words
     * @param chain the runs and events that led to it; only of a cascade or an event
     * @param by the actor that caused the work; empty if it is not known
     * @param submission the work as it was submitted, as JSON, to submit it again; absent if history has it, as for a
     *     run, or if it cannot be submitted again
     */
    public record Content(
            Kind kind,
            String subject,
            @Nullable String workflow,
            List<String> keys,
            Reason reason,
            String text,
            List<ChainLink> chain,
            String by,
            @Nullable String submission) {
        /** Shortens the texts and makes them storable, whatever the work contained. */
        public Content {
            subject = StorableJson.sanitize(subject, NAME_CHARS_MAX);
            workflow = workflow == null ? null : StorableJson.sanitize(workflow, NAME_CHARS_MAX);
            keys = keys.stream()
                    .distinct()
                    .limit(KEYS_MAX)
                    .map(key -> StorableJson.sanitize(key, NAME_CHARS_MAX))
                    .toList();
            text = StorableJson.sanitize(text, TEXT_CHARS_MAX);
            chain = List.copyOf(chain.subList(Math.max(0, chain.size() - CHAIN_MAX), chain.size()));
            by = StorableJson.sanitize(by, NAME_CHARS_MAX);
        }
    }
}
