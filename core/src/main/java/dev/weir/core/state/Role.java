package dev.weir.core.state;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The part that the holder of a token plays in its organisation. */
public enum Role {
    VIEWER(Permission.READ),
    /** An application that starts runs. */
    STARTER(Permission.READ, Permission.START),
    WORKER(Permission.WORK),
    OPERATOR(
            Permission.READ,
            Permission.START,
            Permission.WORK,
            Permission.REGISTER,
            Permission.OPERATE,
            Permission.PIN,
            Permission.AUDIT),
    ADMIN(
            Permission.READ,
            Permission.START,
            Permission.WORK,
            Permission.REGISTER,
            Permission.OPERATE,
            Permission.PIN,
            Permission.AUDIT,
            Permission.MANAGE_LIMITS,
            Permission.MANAGE_TOKENS,
            Permission.MANAGE_SECRETS,
            Permission.DELETE_DATA);

    @SuppressWarnings("ImmutableEnumChecker") // the set cannot be modified
    private final Set<Permission> permissions;

    Role(Permission... permissions) {
        this.permissions = Collections.unmodifiableSet(EnumSet.copyOf(List.of(permissions)));
    }

    public Set<Permission> permissions() {
        return permissions;
    }

    /** The word for it in rows and on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Role> find(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
