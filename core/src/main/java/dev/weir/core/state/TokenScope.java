package dev.weir.core.state;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An addition to the role of a token. */
public enum TokenScope {
    /** Change limits and pins. */
    RATE_LIMITS_MANAGE("rate_limits.manage", Permission.MANAGE_LIMITS, Permission.PIN),
    /** Register workflows, as a deployment does. */
    WORKFLOWS_REGISTER("workflows.register", Permission.REGISTER),
    /** Read the audit. */
    AUDIT_READ("audit.read", Permission.AUDIT);

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // the set cannot be modified
    private final Set<Permission> permissions;

    TokenScope(String word, Permission... permissions) {
        this.word = word;
        this.permissions = Collections.unmodifiableSet(EnumSet.copyOf(List.of(permissions)));
    }

    public Set<Permission> permissions() {
        return permissions;
    }

    /** The word for it in rows and on the wire. */
    public String word() {
        return word;
    }

    public static Optional<TokenScope> find(String word) {
        return Arrays.stream(values()).filter(scope -> scope.word.equals(word)).findFirst();
    }
}
