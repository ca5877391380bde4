package dev.weir.core.command;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A command of a person or a token whose change is recorded in the audit. The state of its target is read before and
 * after the command; if both are equal, the command changed nothing and leaves no entry.
 */
public interface AuditedCommand {
    /** The beginning of a word within the name of a class. */
    Pattern WORD = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    /** The name of the command in the audit, such as {@code pin_key}. */
    default String auditAction() {
        return word(getClass());
    }

    /** Returns the word for a command: the name of its class in snake_case. */
    static String word(Class<?> command) {
        return WORD.matcher(command.getSimpleName()).replaceAll("_").toLowerCase(Locale.ROOT);
    }

    /** True if the change belongs into the audit of the node's administration, too. */
    default boolean isOfAdministration() {
        return false;
    }

    /** The thing that the command changes, such as {@code key:billing}. */
    String auditTarget();

    /** The part of the target's state that the command may change; null if the target does not exist. */
    @Nullable
    JsonNode auditState(OrganisationControls org, long now);
}
